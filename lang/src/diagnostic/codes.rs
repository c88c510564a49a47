//! The table of diagnostic codes.
//!
//! A code is stable: it never changes its meaning and is never used again for another. E01xx lexer, E02xx
//! preprocessor, E03xx parser, E04xx and W05xx linter, E06xx lowering and code generation. Add a row at the end of
//! its group; the doc sentence is what `title` gives, and the text behind it stands in `explain`.

use super::Severity;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $text:literal $name:ident;)*) => {
        /// What kind of fault a diagnostic is about.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The stable text: `E` or `W` and four digits.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// What the code means, in a sentence.
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)* }
            }
        }
    };
}

codes! {
    /// A character that starts no token, or that text cannot hold.
    "E0101" IllegalCharacter;
    /// A string, quoted atom or sigil that is not closed.
    "E0102" Unterminated;
    /// A malformed number.
    "E0103" IllegalNumber;
    /// A malformed escape sequence.
    "E0104" IllegalEscape;
    /// An atom of more than 255 characters.
    "E0105" AtomTooLong;
    /// A sigil with an unknown prefix or a suffix.
    "E0106" IllegalSigil;
    /// A triple-quoted string that breaks the rules of its layout.
    "E0107" IllegalTripleQuote;
    /// Two string literals without white space between them.
    "E0108" AdjacentStrings;
    /// The file is not UTF-8 and does not say that it is Latin-1.
    "W0109" NotUtf8;
    /// The source texts of one compilation exceed the space of positions.
    "E0110" SourceTooLarge;

    /// A malformed preprocessor directive.
    "E0201" IllegalDirective;
    /// A use of a macro that is not defined.
    "E0202" UndefinedMacro;
    /// A macro is defined twice.
    "E0203" RedefinedMacro;
    /// A macro that is used with the wrong arguments.
    "E0204" MacroArguments;
    /// A macro whose expansion contains itself, or grows without bound.
    "E0205" CircularMacro;
    /// An included file that cannot be read.
    "E0206" IncludeFailed;
    /// Included files that include each other without end.
    "E0207" IncludeDepth;
    /// Conditional directives that do not pair up.
    "E0208" UnbalancedConditional;
    /// An `-error` directive.
    "E0209" ErrorDirective;
    /// A `-warning` directive.
    "W0210" WarningDirective;
    /// A condition of `-if` or `-elif` that cannot be evaluated.
    "E0211" IllegalCondition;
    /// An unknown or misplaced feature.
    "E0212" IllegalFeature;
    /// A predefined macro is defined or undefined.
    "E0213" PredefinedMacro;
    /// A macro use that is syntactically broken.
    "E0214" IllegalMacroUse;

    /// The tokens do not form a legal form.
    "E0301" Syntax;
    /// A form that the end of the file cuts off.
    "E0302" UnterminatedForm;
    /// An expression or type that is nested too deeply.
    "E0303" NestedTooDeeply;
    /// Clauses of one function with different names or arities.
    "E0304" HeadMismatch;
    /// An attribute with a malformed value.
    "E0305" IllegalAttribute;
    /// A malformed type or spec.
    "E0306" IllegalType;

    /// The first form is not `-module`.
    "E0401" NoModule;
    /// `-module` twice, or after other forms.
    "E0402" MisplacedAttribute;
    /// A function is called, exported or referred to, but not defined.
    "E0403" UndefinedFunction;
    /// A function is defined twice.
    "E0404" RedefinedFunction;
    /// A local definition or import collides with an import.
    "E0405" ImportClash;
    /// A function that collides with an automatically imported one where that is an error.
    "E0406" BuiltinClash;
    /// A variable is used that has no value.
    "E0407" UnboundVariable;
    /// A variable is used that has a value only on some ways to this place.
    "E0408" UnsafeVariable;
    /// An expression that cannot be a pattern.
    "E0409" IllegalPattern;
    /// An expression that cannot be in a guard.
    "E0410" IllegalGuard;
    /// An expression that has no meaning where it stands.
    "E0411" IllegalExpression;
    /// A record is used that is not defined.
    "E0412" UndefinedRecord;
    /// A record is defined twice.
    "E0413" RedefinedRecord;
    /// A record has no such field.
    "E0414" UndefinedField;
    /// A field is given twice.
    "E0415" RepeatedField;
    /// A record expression with variables or wildcards where none may be.
    "E0416" IllegalRecord;
    /// A segment of a binary with contradictory or unknown types, units or sizes.
    "E0417" IllegalSegment;
    /// `:=` where a map is made.
    "E0418" IllegalMap;
    /// Too many parameters or arguments.
    "E0419" TooManyArguments;
    /// A type is used that is not defined.
    "E0420" UndefinedType;
    /// A type is defined twice.
    "E0421" RedefinedType;
    /// A spec or callback that fits no function, or is given twice, or has differing arities.
    "E0422" IllegalSpec;
    /// A type variable that is used only once.
    "E0423" SingletonTypeVariable;
    /// `-on_load`, `-nifs`, `-compile`, `-deprecated` ... that name something that is not there.
    "E0424" BadReference;
    /// The stack trace variable of a `catch` clause used in its guard, or already bound.
    "E0425" StacktraceVariable;
    /// Callbacks and behaviours that contradict each other.
    "E0426" BehaviourConflict;
    /// A module name that cannot be.
    "E0427" IllegalModuleName;

    /// A variable that is never used.
    "W0501" UnusedVariable;
    /// A function that is neither exported nor called.
    "W0502" UnusedFunction;
    /// A record that is never used.
    "W0503" UnusedRecord;
    /// A type that is neither exported nor used.
    "W0504" UnusedType;
    /// An import that is never used.
    "W0505" UnusedImport;
    /// A variable in a fun or comprehension that hides one outside.
    "W0506" ShadowedVariable;
    /// A variable used outside the `case`, `if` ... that bound it.
    "W0507" ExportedVariable;
    /// A value that is computed and thrown away.
    "W0508" UnusedTerm;
    /// A clause that no value can reach.
    "W0509" UnreachableClause;
    /// A clause, match or comparison that can never succeed.
    "W0510" NeverMatches;
    /// Everything is exported.
    "W0511" ExportAll;
    /// A function is exported twice.
    "W0512" DuplicateExport;
    /// A variable that starts with `_` but is used.
    "W0513" UnderscoreUsed;
    /// A function that is deprecated or was removed.
    "W0514" Deprecated;
    /// A callback that a behaviour wants is missing, or a behaviour is unknown.
    "W0515" MissingCallback;
    /// A module of OTP that erlet does not have.
    "W0516" MissingModule;
    /// A call to `io:format` and its kind whose arguments do not fit the format.
    "W0517" FormatMismatch;
    /// A function hides an automatically imported one.
    "W0518" HidesBuiltin;
    /// An old guard test such as `list/1`.
    "W0519" ObsoleteGuard;
    /// A record field without a type, a function without a spec: only when asked for.
    "W0521" Untyped;
    /// An opaque type that is not exported, or says too little.
    "W0522" QuestionableOpaque;
    /// An expression that fails whenever it is evaluated.
    "W0523" AlwaysFails;
    /// A `-nifs` or inline option with no effect.
    "W0524" UselessOption;
    /// A match of a zero float that does not tell `0.0` from `-0.0`.
    "W0526" MatchFloatZero;
    /// A call of a function that a module does not have.
    "W0527" UndefinedRemote;
    /// A module in a file of another name.
    "W0528" OtherFileName;
    /// A guard or filter that is never true.
    "W0529" FalseGuard;
    /// A type with the name of one that is built in.
    "W0530" HidesBuiltinType;

    /// Legal Erlang that erlet does not compile yet.
    "E0601" NotSupported;
    /// A parse transform that is not there, or failed.
    "E0602" ParseTransform;
}

impl Code {
    /// What the code's letter says.
    pub fn severity(self) -> Severity {
        if self.text().starts_with('E') { Severity::Error } else { Severity::Warning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_by_number_and_have_titles() {
        for pair in Code::ALL.windows(2) {
            assert!(pair[0].text()[1..] < pair[1].text()[1..], "{pair:?}");
        }
        assert!(Code::ALL.iter().all(|code| code.title().ends_with('.')));
    }
}
