//! The generic instructions, one row each.
//!
//! A row gives the doc sentence (the effect as an equation where that is shorter), the Rust name, the mnemonic,
//! the operands with their types, and flags. Enum, disassembler, assembler and the verifier's walk over operands
//! are made from the rows.
//!
//! Conventions. Arguments travel in `x0, x1, ...`; a call leaves its result in `x0` and destroys all other X
//! registers; Y registers are slots of the current frame and survive calls. `live` is the number of X registers
//! that hold values when the collector may run: those from `live` up are undefined afterwards. `fail: None` means
//! that a failure raises the exception of the operation; `fail: Some(label)` jumps (guards). A `line` instruction
//! holds for the instructions behind it up to the next `line`.
//!
//! Frames. A frame of `words` slots is `words` + 1 words of stack with the return address, which a call that is not
//! a tail call writes there: it needs a frame, if only of 0 slots. `send` neither needs one nor minds one.
//!
//! Charging. Calls of all kinds and `send` charge a reduction before they take effect; `loop_rec_end` charges one,
//! `wait` and a waiting `wait_timeout` give the processor away. Every cycle in a function passes one of these.
//!
//! Failing. Whether an instruction with `fail` and `live` fails or not, X registers from `live` up are undefined
//! afterwards and reserved space is gone. `map_get` may have written some destinations when it jumps; the others
//! write nothing.
//!
//! What is no term (a catch mark, a match context, a position in one, a raw trace) is an operand only where the row says so, of `move`
//! and `swap` (all but marks), and may be below `live`. A local call may pass a match context where the callee's
//! [`contexts`](super::Function::contexts) say so; there the callee finds a term or a context, and only `bs_start`, `bs_whole`, `bs_begin`,
//! moves and such calls take that.
//!
//! An instruction has at most 65,536 operands, those in its lists counted.

use super::walk::{Operand, Walk};
use super::{AtomIx, FnIx, ImportIx, Label, LambdaIx, LineIx, LitIx};
use serde::{Deserialize, Serialize};

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Reg {
    /// A scratch and argument register.
    X(u16),
    /// A slot of the current stack frame.
    Y(u16),
}

/// A value to read: a register or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Src {
    X(u16),
    Y(u16),
    /// Any `i64`; the loader makes a literal of those beyond the small range.
    Int(i64),
    Atom(AtomIx),
    Nil,
    Lit(LitIx),
}

impl TryFrom<Src> for Reg {
    /// The constant that is no register.
    type Error = Src;

    fn try_from(src: Src) -> Result<Self, Src> {
        match src {
            Src::X(n) => Ok(Reg::X(n)),
            Src::Y(n) => Ok(Reg::Y(n)),
            constant => Err(constant),
        }
    }
}

impl From<Reg> for Src {
    fn from(reg: Reg) -> Self {
        match reg {
            Reg::X(n) => Src::X(n),
            Reg::Y(n) => Src::Y(n),
        }
    }
}

/// Where a failing test or guard BIF goes; `None` raises.
pub type Fail = Option<Label>;

/// Flags of a binary segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BitFlags {
    pub signed: bool,
    pub endian: Endian,
}

/// Byte order of a binary segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Endian {
    #[default]
    Big,
    Little,
    /// That of the machine it runs on.
    Native,
}

/// Size of a binary segment, to be multiplied by its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Size {
    /// A value that must be a non-negative integer.
    Units(Src),
    /// The rest (matching) or all of the value (construction); binary segments only.
    All,
}

/// What a segment under construction holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SegmentKind {
    Integer,
    Float,
    Binary,
    Utf8,
    Utf16,
    Utf32,
}

/// One segment of `bs_create`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BuildSegment {
    pub kind: SegmentKind,
    pub value: Src,
    /// Ignored for UTF segments.
    pub size: Size,
    /// Bits per unit of size, 1 to 256.
    pub unit: u16,
    pub flags: BitFlags,
    /// How many more segments than here are written before it in the source, which joined others: errors count those.
    pub before: u16,
}

macro_rules! instructions {
    ($( $(#[doc = $doc:literal])+ $name:ident $mnemonic:literal { $($field:ident: $ty:ty),* } [$($flag:ident)*]; )*) => {
        /// A generic instruction.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum Instr {
            $( $(#[doc = $doc])+ $name { $($field: $ty),* }, )*
        }

        impl Instr {
            /// Name in assembler text.
            #[must_use]
            pub const fn mnemonic(&self) -> &'static str {
                match self { $( Instr::$name { .. } => $mnemonic, )* }
            }

            /// What the instruction may do beyond its data effect.
            #[must_use]
            // A row may set every flag, and then there is nothing left for the update.
            #[allow(clippy::needless_update)]
            pub const fn flags(&self) -> Flags {
                match self { $( Instr::$name { .. } => Flags { $($flag: true,)* ..Flags::NONE }, )* }
            }

            /// Shows `visit` every operand in the order of the row, those inside lists too.
            pub fn operands(&self, visit: &mut dyn FnMut(Operand)) {
                match self { $( Instr::$name { $($field),* } => { $( Walk::walk($field, visit); )* } )* }
            }

            /// Lets `visit` replace every operand in place (by one of its kind; another is ignored).
            pub fn operands_mut(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
                match self { $( Instr::$name { $($field),* } => { $( Walk::replace($field, visit); )* } )* }
            }
        }

        /// The rows with their operands' names and types, for tools that walk all of them.
        #[macro_export]
        #[doc(hidden)]
        macro_rules! for_each_instruction {
            ($callback:ident) => { $callback! { $( $name $mnemonic { $($field: $ty),* } )* } };
        }
    };
}

/// What an instruction may do beyond its data effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// The collector may run; X registers from `live` up are undefined afterwards.
    pub gc: bool,
    /// May raise an exception (if it has a `fail`, then only with `None`).
    pub raises: bool,
    /// Control does not reach the next instruction.
    pub ends: bool,
    /// Calls code: X registers other than `x0` are undefined afterwards; needs a frame unless it is a tail call.
    pub call: bool,
}

impl Flags {
    const NONE: Flags = Flags { gc: false, raises: false, ends: false, call: false };
}

instructions! {
    // Places.
    /// Declares the place `label`.
    Label "label" { label: Label } [];
    /// Instructions behind this one stand at `line` of the source.
    Line "line" { line: LineIx } [];
    /// Raises `function_clause` with the arguments in `x0 .. x(arity-1)`.
    FunctionClause "function_clause" {} [raises ends];

    // Calls.
    /// `x0 := function(x0 ..)`.
    Call "call" { function: FnIx } [call raises gc];
    /// Leaves the frame of `words` slots and jumps to `function`.
    CallLast "call_last" { function: FnIx, words: u16 } [call raises gc ends];
    /// Jumps to `function`; there is no frame.
    CallOnly "call_only" { function: FnIx } [call raises gc ends];
    /// `x0 := import(x0 ..)`; the import may be a native.
    CallExt "call_ext" { import: ImportIx } [call raises gc];
    /// Leaves the frame of `words` slots and calls `import` in tail position.
    CallExtLast "call_ext_last" { import: ImportIx, words: u16 } [call raises gc ends];
    /// Calls `import` in tail position; there is no frame.
    CallExtOnly "call_ext_only" { import: ImportIx } [call raises gc ends];
    /// `x0 := (x[arity])(x0 .. x(arity-1))`; `badfun` or `badarity` if that is no fun of this arity.
    CallFun "call_fun" { arity: u8 } [call raises gc];
    /// Leaves the frame of `words` slots and calls the fun `x[arity]` in tail position.
    CallFunLast "call_fun_last" { arity: u8, words: u16 } [call raises gc ends];
    /// Calls the fun `x[arity]` in tail position; there is no frame.
    CallFunOnly "call_fun_only" { arity: u8 } [call raises gc ends];
    /// `x0 := (x[arity]):(x[arity+1])(x0 .. x(arity-1))`.
    Apply "apply" { arity: u8 } [call raises gc];
    /// Leaves the frame of `words` slots and applies in tail position.
    ApplyLast "apply_last" { arity: u8, words: u16 } [call raises gc ends];
    /// Applies in tail position; there is no frame.
    ApplyOnly "apply_only" { arity: u8 } [call raises gc ends];
    /// Returns `x0` to the caller; there is no frame.
    Return "return" {} [ends];

    // Frames and space.
    /// Makes a frame of `words` slots, all initialised to nil; there was none.
    Allocate "allocate" { words: u16, live: u16 } [gc];
    /// Drops the frame of `words` slots.
    Deallocate "deallocate" { words: u16 } [];
    /// Drops slots `y0 .. y(words-1)`; `y(words)` becomes `y0`; `remaining` slots stay.
    Trim "trim" { words: u16, remaining: u16 } [];
    /// Reserves `words` of heap for the building instructions up to the next GC point.
    TestHeap "test_heap" { words: u32, live: u16 } [gc];

    // Moves.
    /// `dst := src`.
    Move "move" { src: Src, dst: Reg } [];
    /// Exchanges two registers.
    Swap "swap" { a: Reg, b: Reg } [];

    // Tests: jump to `fail` unless the condition holds.
    /// Any integer.
    IsInteger "is_integer" { fail: Label, src: Src } [];
    /// A float.
    IsFloat "is_float" { fail: Label, src: Src } [];
    /// An integer or a float.
    IsNumber "is_number" { fail: Label, src: Src } [];
    /// An atom.
    IsAtom "is_atom" { fail: Label, src: Src } [];
    /// `true` or `false`.
    IsBoolean "is_boolean" { fail: Label, src: Src } [];
    /// A process identifier.
    IsPid "is_pid" { fail: Label, src: Src } [];
    /// A port identifier.
    IsPort "is_port" { fail: Label, src: Src } [];
    /// A reference.
    IsReference "is_reference" { fail: Label, src: Src } [];
    /// A bitstring of whole bytes.
    IsBinary "is_binary" { fail: Label, src: Src } [];
    /// Any bitstring.
    IsBitstring "is_bitstring" { fail: Label, src: Src } [];
    /// A list cell or nil.
    IsList "is_list" { fail: Label, src: Src } [];
    /// A list cell.
    IsCons "is_cons" { fail: Label, src: Src } [];
    /// The empty list.
    IsNil "is_nil" { fail: Label, src: Src } [];
    /// A tuple.
    IsTuple "is_tuple" { fail: Label, src: Src } [];
    /// A tuple of exactly `arity` elements.
    IsTupleOf "is_tuple_of" { fail: Label, src: Src, arity: u32 } [];
    /// A tuple of exactly `arity` elements whose first one is `tag`.
    IsTagged "is_tagged" { fail: Label, src: Src, arity: u32, tag: AtomIx } [];
    /// A map.
    IsMap "is_map" { fail: Label, src: Src } [];
    /// A fun.
    IsFun "is_fun" { fail: Label, src: Src } [];
    /// A fun of arity `arity`; also fails if `arity` is no small non-negative integer.
    IsFunOf "is_fun_of" { fail: Label, src: Src, arity: Src } [];
    /// `a < b` in the standard order.
    IsLt "is_lt" { fail: Label, a: Src, b: Src } [];
    /// `a >= b` in the standard order.
    IsGe "is_ge" { fail: Label, a: Src, b: Src } [];
    /// `a == b`.
    IsEq "is_eq" { fail: Label, a: Src, b: Src } [];
    /// `a /= b`.
    IsNe "is_ne" { fail: Label, a: Src, b: Src } [];
    /// `a =:= b`.
    IsExactEq "is_exact_eq" { fail: Label, a: Src, b: Src } [];
    /// `a =/= b`.
    IsExactNe "is_exact_ne" { fail: Label, a: Src, b: Src } [];

    // Control.
    /// Goes to `label`.
    Jump "jump" { label: Label } [ends];
    /// Goes to the label whose constant (an atom, an integer or nil; all distinct) is exactly equal to `src`, else to `fail`.
    SelectVal "select_val" { src: Src, fail: Label, cases: Vec<(Src, Label)> } [ends];
    /// Goes to the label of the tuple `src`'s arity, else to `fail`.
    SelectArity "select_arity" { src: Src, fail: Label, cases: Vec<(u32, Label)> } [ends];

    // Taking apart: the tag was tested on every path here.
    /// `head, tail := src`, a list cell.
    GetList "get_list" { src: Reg, head: Reg, tail: Reg } [];
    /// `dst := hd(src)`, a list cell.
    GetHd "get_hd" { src: Reg, dst: Reg } [];
    /// `dst := tl(src)`, a list cell.
    GetTl "get_tl" { src: Reg, dst: Reg } [];
    /// `dst :=` element `index` (from 0) of `src`, a tuple of more than `index` elements.
    GetElement "get_element" { src: Reg, index: u32, dst: Reg } [];

    // Building: from the space of the preceding `test_heap`.
    /// `dst := [head | tail]`.
    PutList "put_list" { head: Src, tail: Src, dst: Reg } [];
    /// `dst := {elements}`.
    PutTuple "put_tuple" { elements: Vec<Src>, dst: Reg } [];
    /// `dst :=` the fun of row `lambda` over the captured values.
    MakeFun "make_fun" { lambda: LambdaIx, captured: Vec<Src>, dst: Reg } [];

    // Functions of the language.
    /// `dst := import(args)`: a function or operator allowed in guards (at most 3 arguments), by its name in `erlang`.
    Bif "bif" { fail: Fail, live: u16, import: ImportIx, args: Vec<Src>, dst: Reg } [gc raises];

    // Maps.
    /// `dst := map#{key => value, ...}`; later pairs win; `badmap`.
    MapPut "map_put" { fail: Fail, live: u16, map: Src, pairs: Vec<(Src, Src)>, dst: Reg } [gc raises];
    /// `dst := map#{key := value, ...}`; `badmap`, `badkey`.
    MapUpdate "map_update" { fail: Fail, live: u16, map: Src, pairs: Vec<(Src, Src)>, dst: Reg } [gc raises];
    /// Reads all keys or jumps, also if `map` is no map. No `dst` is a register read by a later pair.
    MapGet "map_get" { fail: Label, map: Reg, pairs: Vec<(Src, Reg)> } [];
    /// Jumps unless `map` is a map and all keys are there.
    MapHas "map_has" { fail: Label, map: Reg, keys: Vec<Src> } [];

    // Bitstrings. A match context is a value of its own kind: it is only moved and read by the rows below.
    /// `dst :=` the bitstring of the segments, with the segments' own exceptions.
    BsCreate "bs_create" { fail: Fail, live: u16, segments: Vec<BuildSegment>, dst: Reg } [gc raises];
    /// `dst :=` a new match context at the start of `src`, a bitstring; jumps if it is none. A match context in `src` is taken as
    /// it is, and begins at its position from now on.
    BsStart "bs_start" { fail: Label, live: u16, src: Src, dst: Reg } [gc];
    /// Takes an integer of `size * unit` bits; jumps if there are not as many or `size` is no valid size.
    BsInteger "bs_integer" { fail: Label, live: u16, context: Reg, size: Src, unit: u16, flags: BitFlags, dst: Reg } [gc];
    /// Takes a float of 16, 32 or 64 bits; jumps too on infinities and NaN.
    BsFloat "bs_float" { fail: Label, live: u16, context: Reg, size: Src, unit: u16, flags: BitFlags, dst: Reg } [gc];
    /// Takes a bitstring; `All` takes the rest, whose length must be a multiple of `unit` bits.
    BsBinary "bs_binary" { fail: Label, live: u16, context: Reg, size: Size, unit: u16, dst: Reg } [gc];
    /// Takes a code point in UTF-8, 16 or 32; jumps if malformed.
    BsUtf "bs_utf" { fail: Label, context: Reg, kind: SegmentKind, flags: BitFlags, dst: Reg } [];
    /// Skips `size * unit` bits (`All`: the rest, a multiple of `unit`).
    BsSkip "bs_skip" { fail: Label, context: Reg, size: Size, unit: u16 } [];
    /// Takes exactly the given bits, the literal `bits`; jumps unless they are next.
    BsString "bs_string" { fail: Label, context: Reg, bits: LitIx } [];
    /// Jumps unless exactly `bits` bits are left.
    BsTail "bs_tail" { fail: Label, context: Reg, bits: u32 } [];
    /// `dst :=` the position, a small integer that is only moved and given to `bs_set_position`.
    BsGetPosition "bs_get_position" { context: Reg, dst: Reg } [];
    /// Returns to a position taken from the same context; one that lies outside of it (it was taken from another) is
    /// brought to its end.
    BsSetPosition "bs_set_position" { context: Reg, position: Reg } [];
    /// `dst :=` the rest as a bitstring; the context stays where it is.
    BsGetTail "bs_get_tail" { context: Reg, live: u16, dst: Reg } [gc];
    /// Jumps unless the rest is a multiple of `unit` bits; the context stays where it is.
    BsRest "bs_rest" { fail: Label, context: Reg, unit: u16 } [];
    /// `dst := src` if that is a term; of a match context, the bitstring from where it begins to its end.
    BsWhole "bs_whole" { live: u16, src: Reg, dst: Reg } [gc];
    /// If `src` is a match context, it begins at its position from now on.
    BsBegin "bs_begin" { src: Reg } [];

    // Exceptions. A catch mark lives in its Y slot from `try`/`catch` to its end; marks nest, an inner one in a lower slot
    // than all outer ones (unwinding takes the first it meets from y0 up). Unwinding makes the slot nil before it goes to the
    // handler, which is how `catch_end` tells its two paths apart. A handler starts with its `try_case` or `catch_end`
    // (`label` and `line` may stand in front); a `try_case` is reached by exceptions only.
    /// Puts a mark into `slot`: an exception goes on at `handler` with class, reason and raw trace in `x0, x1, x2`.
    Try "try" { slot: Reg, handler: Label } [];
    /// Ends the protected part: the slot becomes nil.
    TryEnd "try_end" { slot: Reg } [];
    /// First at a handler of `try`: the slot becomes nil; `x0, x1, x2` are class, reason, raw trace.
    TryCase "try_case" { slot: Reg } [];
    /// Puts a mark into `slot` for the old `catch`: `handler` is its `catch_end`.
    Catch "catch" { slot: Reg, handler: Label } [];
    /// Ends `catch`, on both paths: the slot becomes nil; on the exception's path `x0 := {'EXIT', ...}` or the thrown value.
    CatchEnd "catch_end" { slot: Reg } [gc];
    /// Raises `{badmatch, value}`.
    BadMatch "badmatch" { value: Src } [raises ends];
    /// Raises `{case_clause, value}`.
    CaseClause "case_clause" { value: Src } [raises ends];
    /// Raises `{try_clause, value}`.
    TryClause "try_clause" { value: Src } [raises ends];
    /// Raises `if_clause`.
    IfClause "if_clause" {} [raises ends];
    /// Raises `{badrecord, value}`.
    BadRecord "badrecord" { value: Src } [raises ends];
    /// Raises again what a handler got: class, reason and raw trace in `x0, x1, x2` (`badarg` if `x0` is no class).
    ReRaise "re_raise" {} [raises ends];
    /// `dst :=` the list form of the raw trace in `src`.
    BuildTrace "build_trace" { live: u16, src: Reg, dst: Reg } [gc];

    // Messages. From `loop_rec` to `remove_message` or `loop_rec_end` the message is fragile: nothing taken from it may reach a
    // Y slot, a built term or a call. Meanwhile only these rows are used: moves, tests, control, taking apart (types
    // tested before), `map_get`, `map_has`, matching of bitstrings, and with a `fail` label `bif`, `map_put`, `map_update` and
    // `bs_create`, which put what they allocate into fragments; their results are fragile too.
    // Behind `empty`: `move`, `jump`, `wait`, `wait_timeout`, `timeout` until the receive ends.
    /// `dst :=` the next unseen message; jumps to `empty` if there is none. No X register survives.
    LoopRec "loop_rec" { empty: Label, dst: Reg } [];
    /// The message does not match: marks it seen and goes to `again` (the `loop_rec`). No X register survives.
    LoopRecEnd "loop_rec_end" { again: Label } [ends];
    /// The message matched: takes it out of the mailbox, ends the receive and its timer. Values taken from it stay in X.
    RemoveMessage "remove_message" { live: u16 } [gc];
    /// All messages seen: waits for another, then goes on at `again` (the `loop_rec`). No X register survives.
    Wait "wait" { again: Label } [gc ends];
    /// As `wait`, but goes on behind itself once `time` milliseconds (or `infinity`) since the receive began are over; `timeout_value`.
    /// `time` is a constant or in a Y slot. No X register survives.
    WaitTimeout "wait_timeout" { again: Label, time: Src } [gc raises];
    /// The time-out is taken: ends the receive; all messages are unseen again.
    Timeout "timeout" {} [];
    /// Before a receive whose every clause needs `reference`, a value that was there before: if this process made it as a reference,
    /// messages older than that are passed over.
    ReceiveMark "receive_mark" { reference: Src } [];
    /// `x0 := (x0 ! x1)`. A frame is not needed.
    Send "send" {} [raises gc call];
}
