//! Why a module is refused.

use std::fmt;

/// A fault that makes a module unfit to run: where it is, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The function, as `name/arity`; `None` for a fault in a table of the module.
    pub function: Option<String>,
    /// Position in the function's code.
    pub pc: usize,
    /// The instruction there, as assembler text; empty if there is none.
    pub instruction: String,
    /// What is wrong with it.
    pub reason: Reason,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            None => write!(f, "{}", self.reason),
            Some(function) if self.instruction.is_empty() => write!(f, "{function}: {}", self.reason),
            Some(function) => {
                write!(f, "{function}, instruction {} (`{}`): {}", self.pc, self.instruction, self.reason)
            }
        }
    }
}

impl std::error::Error for VerifyError {}

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $name:ident $(($($arg:ident: $ty:ty),+))? $text:literal;)*) => {
        /// The rules, one variant each.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Reason { $( $(#[doc = $doc])+ $name $(($($ty),+))?, )* }

        impl fmt::Display for Reason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $( Reason::$name $(($($arg),+))? => write!(f, $text), )* }
            }
        }
    };
}

reasons! {
    // Tables.
    /// An index names no row of its table.
    OutOfRange(table: &'static str, index: u32) "there is no {table} {index}";
    /// Two rows of a table say the same where each must be different.
    Duplicate(table: &'static str, index: u32) "{table} {index} is there twice";
    /// An atom longer than 255 characters.
    AtomTooLong(index: u32) "atom {index} has more than 255 characters";
    /// A literal that breaks the rules of its kind.
    BadLiteral(index: u32, rule: &'static str) "literal {index}: {rule}";
    /// A fun whose function does not take its captured values.
    LambdaArity(index: u32) "lambda {index}: its function takes fewer arguments than there are captured values";
    /// Line numbers start at 1.
    LineZero(index: u32) "line {index} has number 0";
    /// `-on_load` names a function with arguments.
    OnLoadArity "the on_load function takes arguments";
    /// The parameters that may be match contexts are no rising list of parameters.
    BadContexts "parameters for match contexts are out of order or out of range";
    /// More code than the virtual machine addresses.
    TooLarge(what: &'static str) "too large: {what}";

    // Shape of the code.
    /// A function without instructions.
    NoCode "the function has no code";
    /// A label that no instruction declares.
    LabelMissing(label: u32) "label {label} is not declared";
    /// A label that two instructions declare.
    LabelTwice(label: u32) "label {label} is declared twice";
    /// Control can leave the code at its end.
    FallsOff "control falls off the end of the function";
    /// A cycle in which no reduction is charged.
    FreeLoop "a cycle without an instruction that charges a reduction";
    /// The data flow does not settle in the time allowed.
    Unsettled "the data flow of the module is too complex to verify";

    // Operands.
    /// An X register above the highest.
    NoSuchX(index: u16) "there is no register x{index}";
    /// A Y register outside the frame.
    NoSuchY(index: u16) "there is no slot y{index} in this frame";
    /// A register that holds nothing on some path to here.
    Undefined(reg: String) "{reg} is not initialised on every path";
    /// A register whose value is no term.
    NotATerm(reg: String, kind: &'static str) "{reg} holds {kind} where a term is needed";
    /// A register whose value is not what the instruction works on.
    WrongKind(reg: String, wanted: &'static str) "{reg} does not hold {wanted} on every path";
    /// `live` counts more than an instruction may name.
    LiveTooHigh(live: u16) "live count {live} is above the highest register";
    /// A number outside the instruction's range.
    BadOperand(rule: &'static str) "bad operand: {rule}";
    /// The first destination is read afterwards by the same instruction.
    DestinationRead(reg: String) "{reg} is written before the same instruction reads it";

    // Frames.
    /// Paths meet with different frames.
    FrameMismatch "paths meet here with different stack frames";
    /// The instruction needs a frame and there is none.
    NoFrame "there is no stack frame";
    /// The instruction needs that there be no frame.
    HasFrame "there is a stack frame";
    /// The frame has another size.
    FrameSize(said: u32, real: u32) "the frame has {real} slots, not {said}";

    // Catch marks.
    /// Paths meet with different catch marks.
    MarkMismatch "paths meet here with different catch marks";
    /// A catch mark would be overwritten, moved or dropped.
    MarkLost(slot: u16) "the catch mark in y{slot} would be lost";
    /// The end of a protected part that is not the innermost one.
    NotInnermost(slot: u16) "y{slot} does not hold the innermost catch mark of this kind";
    /// An inner mark must be in a lower slot than the outer ones.
    MarkOrder(slot: u16) "a catch mark in y{slot} would be above an outer one";
    /// A handler that does not start with the matching end instruction.
    BadHandler(wanted: &'static str) "the handler does not start with `{wanted}` of the same slot";
    /// Control reaches a handler other than by an exception.
    EntersHandler "control enters a handler without an exception";

    // Space.
    /// Building more than was reserved.
    NotReserved(needed: u32, left: u32) "needs {needed} words of heap where {left} are reserved";

    // Receiving.
    /// Paths meet in and out of a receive.
    ReceiveMismatch "paths meet here in different states of a receive";
    /// An instruction that belongs to another state of a receive.
    NotHere(state: &'static str) "not allowed {state}";
    /// A term of a message that is not yet taken out of the mailbox would be kept.
    Fragile(reg: String) "{reg} comes from a message still in the mailbox";
    /// A wait or a next look that does not go back to its own `loop_rec`.
    WrongLoop "does not go back to the `loop_rec` of its receive";
    /// Unproven access to a message still in the mailbox, which might raise there.
    UnprovenFragile(reg: String) "{reg} comes from a message and its type is not tested on every path";
}
