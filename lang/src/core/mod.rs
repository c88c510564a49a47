//! Core: the small language between the syntax tree and code.
//!
//! What is gone: records, comprehensions, `maybe`, strings, `if`, `andalso`/`orelse` outside guards, `after`, macros,
//! scoping. Every variable of a function has one number and is bound once. Every computation is a [`Step`] whose
//! operands are variables or constants, so evaluation order is the order of steps. Funs and comprehensions
//! are functions of the module that take what they capture as arguments behind their own.
//!
//! A step may bind several variables: a `case` that exports variables has bodies that end in as many values. What
//! stays nested are bodies in bodies (at most as deep as the source) and guards, which are expressions without
//! exceptions: where evaluating one would raise, the guard fails.
//!
//! Made by [`crate::lower`], read by [`crate::matching`] and [`crate::codegen`]. Deliberately absent: types, and any
//! notion of registers or labels.

pub mod literal;
pub mod order;
mod print;
pub mod visit;

use crate::Name;
use crate::bytecode::{BitFlags, Line, SegmentKind};

pub use literal::{Const, LitId, Pool};
pub use print::print;

/// A variable of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

impl Var {
    /// Position in tables by variable.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Var(Var),
    Const(Const),
}

impl Value {
    /// The variable, if it is one.
    #[must_use]
    pub fn var(self) -> Option<Var> {
        match self {
            Value::Var(var) => Some(var),
            Value::Const(_) => None,
        }
    }

    /// An atom.
    #[must_use]
    pub fn atom(name: Name) -> Value {
        Value::Const(Const::Atom(name))
    }
}

/// A whole module.
pub struct Module {
    pub name: Name,
    pub functions: Vec<Function>,
    pub lambdas: Vec<Lambda>,
    /// Kept attributes in source order.
    pub attributes: Vec<(Name, Const)>,
    /// Name of the function with arity 0 that runs at load.
    pub on_load: Option<Name>,
    pub literals: Pool,
    /// Source files, as stack traces show them.
    pub files: Vec<String>,
    /// What is to be inlined.
    pub inline: crate::inline::Wanted,
}

/// The code of a fun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lambda {
    pub name: Name,
    /// Arity of the function behind the fun: that of the fun and the captured values.
    pub arity: u8,
    pub free: u8,
}

/// A function.
pub struct Function {
    pub name: Name,
    pub exported: bool,
    pub params: Vec<Var>,
    pub body: Body,
    /// Variables are numbered below this.
    pub vars: u32,
    pub line: Line,
}

impl Function {
    /// Number of arguments.
    #[must_use]
    pub fn arity(&self) -> u8 {
        self.params.len() as u8
    }
}

/// Steps and what they come to.
#[derive(Clone, Debug)]
pub struct Body {
    pub steps: Vec<Step>,
    pub end: End,
}

/// How a body ends.
#[derive(Clone, Debug)]
pub enum End {
    /// With these values, as many as the step that holds the body binds.
    Values(Vec<Value>),
    /// The step [`Op::Escape`] with this number ends with its other body, on this value.
    Escape(EscapeId, Value),
    /// Never: the last step raises.
    Never,
}

/// Names an enclosing [`Op::Escape`] within its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EscapeId(pub u32);

/// `vars := op`
#[derive(Clone, Debug)]
pub struct Step {
    pub vars: Vec<Var>,
    pub op: Op,
    pub line: Line,
}

/// A computation. Those without bodies bind one variable at most.
#[derive(Clone, Debug)]
pub enum Op {
    /// The values themselves, one for each variable.
    Values(Vec<Value>),
    /// `[items | tail]`, at least one item.
    List(Vec<Value>, Value),
    Tuple(Vec<Value>),
    /// The fun of a row of [`Module::lambdas`].
    Fun(u32, Vec<Value>),
    /// An operator or guard BIF of `erlang`.
    Bif(Name, Vec<Value>),
    /// A function of this module.
    Call(Name, Vec<Value>),
    /// `module:function(args)`
    CallExt(Name, Name, Vec<Value>),
    /// A fun.
    CallFun(Value, Vec<Value>),
    /// `module:function(args)` where a variable names the one or the other.
    Apply(Value, Value, Vec<Value>),
    /// `to ! message`
    Send(Value, Value),
    /// `map#{key => value}`
    MapPut(Value, Vec<(Value, Value)>),
    /// `map#{key := value}`
    MapUpdate(Value, Vec<(Value, Value)>),
    Bits(Vec<Segment<Value>>),
    Case(Case),
    Receive(Receive),
    Try(Box<Try>),
    /// The old `catch`.
    Catch(Body),
    /// `body`; or, where that escapes, `otherwise` with the value in `var`.
    Escape {
        id: EscapeId,
        body: Body,
        var: Var,
        otherwise: Body,
    },
    /// The list form of a raw stack trace.
    BuildTrace(Var),
    /// Raises.
    Fail(Failure),
}

/// A segment under construction.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment<T> {
    /// Which of the segments written in the source it is, from 1; where it cannot fail that does not matter.
    pub place: u16,
    pub kind: SegmentKind,
    pub value: T,
    /// `None`: all of the value (binaries), or the size that the kind has.
    pub size: Option<T>,
    pub unit: u16,
    pub flags: BitFlags,
}

/// The first clause that fits takes the case.
#[derive(Clone, Debug)]
pub struct Case {
    pub subjects: Vec<Value>,
    pub clauses: Vec<Clause>,
    /// What if none fits.
    pub otherwise: Failure,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// One for each subject.
    pub patterns: Vec<Pattern>,
    /// Pairs that must be exactly equal: a variable that occurs twice in the patterns has two numbers.
    pub same: Vec<(Var, Var)>,
    pub guard: Guard,
    pub body: Body,
}

/// An exception raised by an instruction of its own.
#[derive(Clone, Debug)]
pub enum Failure {
    /// With the parameters of the function.
    FunctionClause,
    CaseClause(Value),
    BadMatch(Value),
    TryClause(Value),
    IfClause,
    BadRecord(Value),
    /// Goes on with an exception that a handler got: class, reason, raw trace.
    ReRaise([Var; 3]),
    /// Calls `erlang:error({tag, value})`.
    Tagged(Name, Value),
    /// Escapes instead of raising.
    Escape(EscapeId, Value),
    /// Calls this function of the module, which raises; it stands for an inlined function of which no clause fits.
    Inlined(Name, Vec<Value>),
    /// There is always a clause that fits.
    Impossible,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    Any,
    /// Binds.
    Var(Var),
    Const(Const),
    /// Exactly equal to something already bound.
    Same(Value),
    /// `P1 = P2`
    And(Vec<Pattern>),
    /// `[items | tail]`, at least one item.
    List(Vec<Pattern>, Box<Pattern>),
    Tuple(Vec<Pattern>),
    /// Keys are guard expressions over what is already bound.
    Map(Vec<(Expr, Pattern)>),
    Bits(Vec<BitsPattern>),
}

/// A segment of a bitstring pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct BitsPattern {
    pub kind: SegmentKind,
    pub value: Pattern,
    /// A guard expression; `None`: the rest (binaries), or the size that the kind has (UTF).
    pub size: Option<Expr>,
    pub unit: u16,
    pub flags: BitFlags,
}

/// Alternatives of conjunctions; none at all is no guard.
pub type Guard = Vec<Vec<Expr>>;

/// An expression without exceptions: where it would raise, it fails.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Value(Value),
    Bif(Name, Vec<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    List(Vec<Expr>, Box<Expr>),
    Tuple(Vec<Expr>),
    MapPut(Box<Expr>, Vec<(Expr, Expr)>),
    MapUpdate(Box<Expr>, Vec<(Expr, Expr)>),
    Bits(Vec<Segment<Expr>>),
}

/// `receive`
#[derive(Clone, Debug)]
pub struct Receive {
    /// With one pattern each.
    pub clauses: Vec<Clause>,
    /// A value bound before that every clause needs in its message.
    pub marker: Option<Var>,
    pub timeout: Option<Timeout>,
}

/// `after`
#[derive(Clone, Debug)]
pub struct Timeout {
    pub time: Value,
    pub body: Body,
}

/// `try body of vars -> then catch class:reason:trace -> handler`; `handler` is outside, as is `then`.
#[derive(Clone, Debug)]
pub struct Try {
    pub body: Body,
    pub vars: Vec<Var>,
    pub then: Body,
    /// Class, reason, raw trace.
    pub caught: [Var; 3],
    pub handler: Body,
}
