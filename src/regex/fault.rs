//! What can be wrong with a pattern, in the words that programs see.

use std::fmt;

/// Something is wrong with a pattern, at this byte of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub text: &'static str,
    pub position: usize,
}

/// Why a pattern was not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompileError {
    Fault(Fault),
    /// The meter stopped it.
    Stopped,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Fault(fault) => write!(f, "{} at {}", fault.text, fault.position),
            CompileError::Stopped => f.write_str("stopped"),
        }
    }
}

/// A fault as an error.
pub fn fault<T>(text: &'static str, position: usize) -> Result<T, CompileError> {
    Err(CompileError::Fault(Fault { text, position }))
}

macro_rules! texts {
    ($($name:ident $text:literal,)*) => {
        $(pub const $name: &str = $text;)*
    };
}

// The words are those of the `re` manual's results: programs compare with them.
texts! {
    ARGUMENT_NOT_ALLOWED "an argument is not allowed for (*ACCEPT), (*FAIL), or (*COMMIT)",
    ARGUMENT_NEEDED "(*MARK) must have an argument",
    ASSERTION_EXPECTED "assertion expected after (?( or (?(?C)",
    BACKSLASH_AT_END "\\ at end of pattern",
    BACKSLASH_C_AT_END "\\c at end of pattern",
    BACKSLASH_C_NOT_ASCII "\\c must be followed by an ASCII character",
    BACKSLASH_G "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number",
    BACKSLASH_K "\\k is not followed by a braced, angle-bracketed, or quoted name",
    CALLOUT_NOT_CLOSED "closing ) for (?C expected",
    CALLOUT_TOO_BIG "number after (?C is > 255",
    CLASS_NOT_CLOSED "missing terminating ] for character class",
    CLASS_UNKNOWN "unknown POSIX class name",
    CODE_POINT_TOO_LARGE "character value in \\x{} or \\o{} is too large",
    COLLATING "POSIX collating elements are not supported",
    COMMENT_NOT_CLOSED "missing ) after comment",
    CONDITION_BRANCHES "conditional group contains more than two branches",
    CONDITION_MALFORMED "malformed number or name after (?(",
    CONDITION_ZERO "invalid condition (?(0)",
    DEFINE_BRANCHES "DEFINE group contains more than one branch",
    DIFFERENT_NAMES "different names for subpatterns of the same number are not allowed",
    DIGITS_EXPECTED "digit expected after (?+",
    DIGITS_MISSING "digits missing in \\x{} or \\o{}",
    ESCAPE_UNKNOWN "unrecognized character follows \\",
    ESCAPE_UNSUPPORTED "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u",
    LOOKBEHIND_LENGTH "lookbehind assertion is not fixed length",
    LOOKBEHIND_UNIT "\\C not allowed in lookbehind assertion",
    LOOPS "recursive call could loop indefinitely",
    NAME_DIGIT "group name must start with a non-digit",
    NAME_EXPECTED "subpattern name expected",
    NAME_NOT_CLOSED "syntax error in subpattern name (missing terminator)",
    NAME_TOO_LONG "subpattern name is too long (maximum 32 characters)",
    NAME_TWICE "two named subpatterns have the same name",
    NOT_HEX "non-hex character in \\x{} (closing brace missing?)",
    NOT_NEWLINE_IN_CLASS "\\N is not supported in a class",
    NOT_OCTAL "non-octal character in \\o{} (closing brace missing?)",
    NOTHING_TO_REPEAT "nothing to repeat",
    NO_BRACE "missing opening brace after \\o",
    NUMBER_TOO_BIG "number is too big",
    OCTAL_TOO_LARGE "octal value is greater than \\377 in 8-bit non-UTF-8 mode",
    OPTION_UNKNOWN "unrecognized character after (? or (?-",
    PARENTHESIS_MISSING "missing )",
    PARENTHESIS_UNMATCHED "unmatched parentheses",
    POSIX_OUTSIDE "POSIX named classes are supported only within a class",
    PROPERTY_MALFORMED "malformed \\P or \\p sequence",
    PROPERTY_UNKNOWN "unknown property name after \\P or \\p",
    QUANTIFIER_ORDER "numbers out of order in {} quantifier",
    QUANTIFIER_TOO_BIG "number too big in {} quantifier",
    RANGE_INVALID "invalid range in character class",
    RANGE_ORDER "range out of order in character class",
    RECURSION_NOT_CLOSED "(?R or (?[+-]digits must be followed by )",
    REFERENCE_MISSING "reference to non-existent subpattern",
    REFERENCE_ZERO "a numbered reference must not be zero",
    SURROGATE "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)",
    TOO_COMPLICATED "regular expression is too complicated",
    TOO_LARGE "regular expression is too large",
    UNKNOWN_AFTER_LESS "unrecognized character after (?<",
    UNKNOWN_AFTER_P "unrecognized character after (?P",
    UTF_DISABLED "setting UTF is disabled by the application",
    UTF_INVALID "invalid UTF-8 string",
    VERB_ARGUMENT_TOO_LONG "name is too long in (*MARK), (*PRUNE), (*SKIP), or (*THEN)",
    VERB_UNKNOWN "(*VERB) not recognized or malformed",
}
