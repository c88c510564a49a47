//! The syntax tree: what the parser makes, the linter checks and the lowering to Core reads.
//!
//! One [`Expr`] type serves expressions, patterns and guards, as in the language's own abstract format: patterns are
//! parsed as expressions, and what is illegal as a pattern or guard is reported by the linter, with all else.
//!
//! **Spans.** Every node has one; see [`crate::source`]. Parentheses leave no node.
//!
//! **Depth.** Every [`Expr`] and [`Type`] knows how deep it is, and none is deeper than [`MAX_DEPTH`]: the parser's
//! constructors put [`ExprKind::Error`] in place of what would be (and report it). So a pass may recurse over the
//! tree if it runs on [`on_compile_stack`] and uses at most [`STACK_BYTES_PER_LEVEL`] a level; dropping a tree needs
//! far less. Long flat things (elements, clauses, segments, adjacent strings) are vectors and do not count.
//!
//! **Errors.** Where the parser refused something it reported it, and left no form or an `Error` node. A tree with
//! `Error` nodes must not reach the lowering; every pass before it skips them silently.

use crate::{Int, Name, Span};

/// The deepest tree the parser makes: operators, brackets and nested clauses, one level each.
pub const MAX_DEPTH: u32 = 5_000;

/// What a recursive pass may use of the stack for one level of the tree, all its functions together.
pub const STACK_BYTES_PER_LEVEL: usize = 12 << 10;

/// Calls `f` on a thread whose stack holds a recursion over the deepest tree.
///
/// # Errors
/// When the operating system gives no thread.
pub fn on_compile_stack<T: Send>(f: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    on_stack(MAX_DEPTH as usize * STACK_BYTES_PER_LEVEL, f)
}

/// Calls `f` on a thread whose stack has `bytes`, and some more for what does not nest.
///
/// # Errors
/// As [`on_compile_stack`].
pub fn on_stack<T: Send>(bytes: usize, f: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    // The pages are touched only as far as the recursion goes, so the size costs address space alone.
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("erlet-compile".to_owned())
            .stack_size(bytes + (4 << 20))
            .spawn_scoped(scope, f)?;
        Ok(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// A name at a place: an atom or a variable, as the field says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

/// A parsed file: its forms in order, without those that were refused.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct File {
    pub forms: Vec<Form>,
    /// Just after the last token.
    pub end: Span,
}

/// A form: what a dot ends.
#[derive(Clone, PartialEq, Debug)]
pub struct Form {
    /// From the first token to the dot.
    pub span: Span,
    pub kind: FormKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FormKind {
    /// A function: all its clauses have this name and arity.
    Function(Function),
    /// `-module(name).`
    Module(Ident),
    /// `-export([f/1, ...]).`
    Export(Vec<FunctionName>),
    /// `-export_type([t/1, ...]).`
    ExportType(Vec<FunctionName>),
    /// `-import(module, [f/1, ...]).`; without a list (`-import(module).`) it imports nothing.
    Import { module: Ident, functions: Vec<FunctionName> },
    /// `-record(name, {field = Default :: type(), ...}).`
    Record(RecordDefinition),
    /// `-type`, `-opaque`, `-nominal`.
    Type(TypeDefinition),
    /// `-spec` and `-callback`.
    Spec(Spec),
    /// `-optional_callbacks([f/1, ...]).`
    OptionalCallbacks(Vec<FunctionName>),
    /// `-behaviour(name).` in either spelling.
    Behaviour(Ident),
    /// `-on_load(f/0).`
    OnLoad(FunctionName),
    /// `-nifs([f/1, ...]).`
    Nifs(Vec<FunctionName>),
    /// `-compile(Options).`: the options as a constant expression.
    Compile(Expr),
    /// `-doc ...` and `-moduledoc ...`: the value as a constant expression.
    Doc { module: bool, value: Expr },
    /// Any other `-name(Value).`: a constant expression.
    Attribute { name: Ident, value: Expr },
}

/// `name/arity`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunctionName {
    pub span: Span,
    pub name: Name,
    pub arity: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The name in the first clause.
    pub name: Ident,
    pub arity: u32,
    /// At least one.
    pub clauses: Vec<Clause>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RecordDefinition {
    pub name: Ident,
    pub fields: Vec<RecordFieldDefinition>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RecordFieldDefinition {
    pub span: Span,
    pub name: Ident,
    pub default: Option<Expr>,
    pub ty: Option<Type>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeVisibility {
    Transparent,
    Opaque,
    Nominal,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TypeDefinition {
    pub visibility: TypeVisibility,
    pub name: Ident,
    pub parameters: Vec<Ident>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// `-callback` instead of `-spec`.
    pub callback: bool,
    /// The module of `-spec m:f(...)`.
    pub module: Option<Ident>,
    pub name: Ident,
    /// The arity of the first signature; others may differ, which the linter reports.
    pub arity: u32,
    /// At least one.
    pub signatures: Vec<Signature>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    pub span: Span,
    pub parameters: Vec<Type>,
    pub result: Type,
    /// `when V :: type(), ...`
    pub constraints: Vec<(Ident, Type)>,
}

/// A clause of a function, fun, `case`, `if`, `receive`, `of` or `else`.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    pub span: Span,
    /// The parameters of functions and funs; none for `if`, one for the others.
    pub patterns: Vec<Expr>,
    pub guard: Guard,
    /// At least one.
    pub body: Vec<Expr>,
}

/// Alternatives (`;`) of conjunctions (`,`); no alternative at all means no guard. Each conjunction has at least one.
pub type Guard = Vec<Vec<Expr>>;

/// `Class:Pattern:Stacktrace when Guard -> Body`
#[derive(Clone, PartialEq, Debug)]
pub struct CatchClause {
    pub span: Span,
    /// An atom or variable; absent means `throw`.
    pub class: Option<Expr>,
    pub pattern: Expr,
    /// A variable; absent means `_`.
    pub stacktrace: Option<Ident>,
    pub guard: Guard,
    /// At least one.
    pub body: Vec<Expr>,
}

/// An expression, pattern or guard test.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub span: Span,
    /// 1 for leaves, else one more than the deepest child; at most [`MAX_DEPTH`]. The parser sets it; passes that
    /// build trees of their own may leave 1.
    pub depth: u32,
    pub kind: ExprKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// Something that was refused and reported.
    Error,
    /// A variable; `_` is [`crate::known::UNDERSCORE`].
    Var(Name),
    Atom(Name),
    /// `$a`; an integer, kept apart for messages.
    Char(char),
    /// Never negative: `-1` is a [`UnaryOp::Minus`].
    Int(Int),
    /// Finite, never negative.
    Float(f64),
    /// Adjacent strings are one; a sigil that means a list of characters is one too.
    Str(Box<str>),
    /// `[a, b | tail]`; no elements and no tail is `[]`. A tail comes with at least one element.
    List {
        elements: Vec<Expr>,
        tail: Option<Box<Expr>>,
    },
    Tuple(Vec<Expr>),
    /// `#{...}`, `Base#{...}`.
    Map {
        base: Option<Box<Expr>>,
        fields: Vec<MapField>,
    },
    /// `#name{...}`, `Base#name{...}`.
    Record {
        base: Option<Box<Expr>>,
        name: Ident,
        fields: Vec<RecordField>,
    },
    /// `#name.field`
    RecordIndex {
        name: Ident,
        field: Ident,
    },
    /// `Base#name.field`
    RecordAccess {
        base: Box<Expr>,
        name: Ident,
        field: Ident,
    },
    /// `<<...>>`; a sigil that means a binary is one segment `"..."/utf8`.
    Binary(Vec<Segment>),
    /// `Pattern = Value`; in patterns an alias.
    Match {
        pattern: Box<Expr>,
        value: Box<Expr>,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Op {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Catch(Box<Expr>),
    /// `f(A)`, `m:f(A)`, `F(A)`: the callee is any expression, [`ExprKind::Remote`] for a remote call.
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    /// `m:f` outside a call is an error of the linter.
    Remote {
        module: Box<Expr>,
        name: Box<Expr>,
    },
    /// `begin ... end`; at least one.
    Block(Vec<Expr>),
    If(Vec<Clause>),
    Case {
        subject: Box<Expr>,
        clauses: Vec<Clause>,
    },
    /// No clauses only with a time-out.
    Receive {
        clauses: Vec<Clause>,
        timeout: Option<Box<Timeout>>,
    },
    Try(Box<Try>),
    /// `fun f/1`
    FunLocal {
        name: Ident,
        arity: u32,
    },
    /// `fun m:f/1`: atoms or variables, and an integer or variable.
    FunRemote {
        module: Box<Expr>,
        name: Box<Expr>,
        arity: Box<Expr>,
    },
    /// `fun (A) -> ... end`, `fun Name(A) -> ... end`. All clauses have the same number of parameters, or the linter
    /// says so.
    Fun {
        name: Option<Ident>,
        clauses: Vec<Clause>,
    },
    ListComprehension {
        body: Box<Expr>,
        qualifiers: Vec<Qualifier>,
    },
    /// `<< Body || ... >>`
    BinaryComprehension {
        body: Box<Expr>,
        qualifiers: Vec<Qualifier>,
    },
    /// `#{ Key => Value || ... }`
    MapComprehension {
        key: Box<Expr>,
        value: Box<Expr>,
        qualifiers: Vec<Qualifier>,
    },
    /// `maybe ... else ... end`
    Maybe {
        body: Vec<Expr>,
        otherwise: Vec<Clause>,
    },
    /// `Pattern ?= Value`: only directly in the body of a `maybe`.
    MaybeMatch {
        pattern: Box<Expr>,
        value: Box<Expr>,
    },
}

/// `after Time -> Body` of a `receive`.
#[derive(Clone, PartialEq, Debug)]
pub struct Timeout {
    pub time: Expr,
    pub body: Vec<Expr>,
}

/// `try Body of Clauses catch Catches after After end`
#[derive(Clone, PartialEq, Debug)]
pub struct Try {
    pub body: Vec<Expr>,
    pub clauses: Vec<Clause>,
    /// These or `after`, or both, are not empty.
    pub catches: Vec<CatchClause>,
    pub after: Vec<Expr>,
}

/// `Key => Value` or `Key := Value`
#[derive(Clone, PartialEq, Debug)]
pub struct MapField {
    pub span: Span,
    /// `:=`
    pub exact: bool,
    pub key: Expr,
    pub value: Expr,
}

/// `field = Value`, or `_ = Value` for all other fields.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordField {
    pub span: Span,
    pub name: RecordFieldName,
    pub value: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordFieldName {
    Field(Ident),
    /// `_`; any other variable is an error of the linter.
    Variable(Ident),
}

/// `Value:Size/type-type-unit:N`
#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    pub span: Span,
    pub value: Expr,
    pub size: Option<Expr>,
    /// The type list as written; [`crate::bits::resolve`] gives its meaning.
    pub types: Vec<BitType>,
}

/// One word of a segment's type list.
#[derive(Clone, PartialEq, Debug)]
pub struct BitType {
    pub name: Ident,
    /// The `N` of `unit:N`.
    pub value: Option<Int>,
}

/// A qualifier of a comprehension.
#[derive(Clone, PartialEq, Debug)]
pub enum Qualifier {
    Filter(Expr),
    Generator(Generator),
    /// `Generator && Generator && ...`: at least two, taken in step.
    Zip(Vec<Generator>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Generator {
    pub span: Span,
    /// `<:-` and `<:=`: an element that does not match is an error instead of being skipped.
    pub strict: bool,
    pub pattern: GeneratorPattern,
    pub source: Expr,
}

#[derive(Clone, PartialEq, Debug)]
pub enum GeneratorPattern {
    /// `Pattern <- List`
    List(Expr),
    /// `<<...>> <= Binary`: the pattern is an [`ExprKind::Binary`].
    Binary(Expr),
    /// `Key := Value <- Map`
    Map { key: Expr, value: Expr },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    Bnot,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Send,
    Orelse,
    Andalso,
    Eq,
    Ne,
    Le,
    Lt,
    Ge,
    Gt,
    ExactEq,
    ExactNe,
    Append,
    Subtract,
    Add,
    Sub,
    Bor,
    Bxor,
    Bsl,
    Bsr,
    Or,
    Xor,
    Mul,
    Divide,
    Div,
    Rem,
    Band,
    And,
}

impl ExprKind {
    /// Whether it is written as one value, with nothing in it.
    pub fn is_literal(&self) -> bool {
        matches!(self, Self::Atom(_) | Self::Char(_) | Self::Int(_) | Self::Float(_) | Self::Str(_))
    }
}

impl UnaryOp {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Bnot => "bnot",
            Self::Not => "not",
        }
    }
}

impl BinaryOp {
    /// All of them.
    pub const ALL: &[BinaryOp] = &[
        Self::Send,
        Self::Orelse,
        Self::Andalso,
        Self::Eq,
        Self::Ne,
        Self::Le,
        Self::Lt,
        Self::Ge,
        Self::Gt,
        Self::ExactEq,
        Self::ExactNe,
        Self::Append,
        Self::Subtract,
        Self::Add,
        Self::Sub,
        Self::Bor,
        Self::Bxor,
        Self::Bsl,
        Self::Bsr,
        Self::Or,
        Self::Xor,
        Self::Mul,
        Self::Divide,
        Self::Div,
        Self::Rem,
        Self::Band,
        Self::And,
    ];

    /// Whether it wants numbers and gives one.
    pub fn is_arithmetic(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Sub | Mul | Divide | Div | Rem | Band | Bor | Bxor | Bsl | Bsr)
    }

    /// Whether it compares any two terms: it never fails.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Le | Lt | Ge | Gt | ExactEq | ExactNe)
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Send => "!",
            Self::Orelse => "orelse",
            Self::Andalso => "andalso",
            Self::Eq => "==",
            Self::Ne => "/=",
            Self::Le => "=<",
            Self::Lt => "<",
            Self::Ge => ">=",
            Self::Gt => ">",
            Self::ExactEq => "=:=",
            Self::ExactNe => "=/=",
            Self::Append => "++",
            Self::Subtract => "--",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Bor => "bor",
            Self::Bxor => "bxor",
            Self::Bsl => "bsl",
            Self::Bsr => "bsr",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Mul => "*",
            Self::Divide => "/",
            Self::Div => "div",
            Self::Rem => "rem",
            Self::Band => "band",
            Self::And => "and",
        }
    }
}

/// A type, as specs, type definitions and record fields write it.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    pub span: Span,
    /// As [`Expr::depth`].
    pub depth: u32,
    pub kind: TypeKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    Error,
    /// A variable; `_` is any type.
    Var(Name),
    Atom(Name),
    Int(Int),
    Char(char),
    /// Arithmetic on integers.
    Unary {
        op: UnaryOp,
        operand: Box<Type>,
    },
    Op {
        op: BinaryOp,
        left: Box<Type>,
        right: Box<Type>,
    },
    /// `low..high`
    Range {
        low: Box<Type>,
        high: Box<Type>,
    },
    /// `a | b`: at least two.
    Union(Vec<Type>),
    /// `Name :: type`
    Annotated {
        name: Ident,
        ty: Box<Type>,
    },
    /// `[]`
    Nil,
    /// `[t]`
    List(Box<Type>),
    /// `[t, ...]`
    NonemptyList(Box<Type>),
    Tuple(Vec<Type>),
    Map(Vec<MapTypeField>),
    Record {
        name: Ident,
        fields: Vec<(Ident, Type)>,
    },
    /// `<<_:Base, _:_*Unit>>`
    Binary {
        base: Option<Box<Type>>,
        unit: Option<Box<Type>>,
    },
    /// `fun()`
    AnyFun,
    /// `fun((a, b) -> r)`; without parameters as `fun((...) -> r)`.
    Fun {
        parameters: Option<Vec<Type>>,
        result: Box<Type>,
    },
    /// `name(a, b)`, `module:name(a, b)`
    Call {
        module: Option<Ident>,
        name: Ident,
        args: Vec<Type>,
    },
}

/// `Key => Value` or `Key := Value`
#[derive(Clone, PartialEq, Debug)]
pub struct MapTypeField {
    pub exact: bool,
    pub key: Type,
    pub value: Type,
}
