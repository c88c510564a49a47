//! The internal instructions: what the loader makes and the interpreter runs.
//!
//! An instruction is one 64-bit word or several. The first word holds the opcode in bits 0..16 and up to three 16-bit
//! fields `a`, `b`, `c` above it, or `a` and one signed 32-bit field `h` in the upper half. Further words hold what does
//! not fit: terms, addresses of cells and fun entries, jump offsets, lists of operands.
//!
//! - A **register field** is the number of an X register, or of a Y register with [`Y_BIT`] set. Rows whose name ends in
//!   X or Y letters take only that kind and no bit.
//! - A **source word** is a constant term as it is, or a register field shifted left by 3 with the tag 111, which no term
//!   has.
//! - A **jump offset** counts words from the instruction's first word. Where failing may raise instead of jump, offset 0
//!   says so.
//!
//! A **chain** is two instructions (or a chain and one more) that the loop runs without a dispatch between. The first is
//! written with the number of the chain, the second as usual right behind it, so that it can be jumped to. Which
//! neighbours are chained was counted on real programs.
//!
//! Each row gives the name, which is the mnemonic of the disassembler too, and the format: `a:r` is a register in field
//! `a`, `1:off` a jump offset in the word behind the first, and so on (the kinds are listed at [`Kind`]); `*src` is a list
//! of as many source words as the field named before it says.

/// Set in a register field for Y registers.
pub const Y_BIT: u16 = 0x8000;

/// Scratch X registers into which the loader moves constants that a row has no room for, from this number on. Nothing
/// lives in them across instructions other than that one.
pub const SCRATCH_X: u16 = erlet_lang::bytecode::MAX_X;

/// How many X registers the interpreter needs: those of the bytecode and the scratch ones.
pub const X_REGISTERS: usize = SCRATCH_X as usize + 16;

/// Tag of a source word that names a register.
pub const REGISTER_TAG: u64 = 0b111;

/// What an operand is; for the disassembler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `r`: register field.
    Register,
    /// `x`: number of an X register.
    X,
    /// `y`: number of a Y register.
    Y,
    /// `n`: unsigned number.
    Number,
    /// `i`: signed number.
    Signed,
    /// `off`: jump offset.
    Offset,
    /// `term`: constant.
    Term,
    /// `src`: source word.
    Source,
    /// `cell`: address of an export cell.
    Cell,
    /// `fun`: address of a fun entry.
    Fun,
    /// `bif`: number of a native.
    Bif,
    /// `float`: a double, as it is outside terms.
    Float,
    /// `raw`: a word for the instruction alone.
    Raw,
}

macro_rules! ops {
    (
        $($(#[doc = $doc:literal])+ $name:ident $mnemonic:literal [$($format:literal)*];)*
        chains $($chain:ident = $first:ident $second:ident;)*
    ) => {
        /// An internal instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub enum Op {
            $($(#[doc = $doc])+ $name,)*
            $(#[doc = concat!("[`Op::", stringify!($first), "`], and [`Op::", stringify!($second), "`] behind it.")]
            $chain,)*
        }

        impl Op {
            /// All instructions, by number.
            pub const ALL: &[Op] = &[$(Op::$name,)* $(Op::$chain),*];

            /// What is written in place of this instruction if `next` stands behind it.
            pub const fn chained(self, next: Op) -> Option<Op> {
                match (self, next) {
                    $((Op::$first, Op::$second) => Some(Op::$chain),)*
                    _ => None,
                }
            }

            /// The instruction itself, if it stands for a chain that begins with it.
            pub const fn alone(self) -> Op {
                match self { $(Op::$name => self,)* $(Op::$chain => Op::$first.alone(),)* }
            }

            /// Name in disassembled code.
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Op::$name => $mnemonic,)* $(Op::$chain => Op::$first.mnemonic(),)* }
            }

            /// The operands, as the module's essay describes.
            pub const fn format(self) -> &'static [&'static str] {
                match self { $(Op::$name => &[$($format),*],)* $(Op::$chain => Op::$first.format(),)* }
            }
        }
    };
}

impl Op {
    /// The first word with all fields zero.
    pub const fn word(self) -> u64 {
        self as u64
    }

    /// What to write in place of `self` if it jumps `offset` words on: where a base case in front of the usual one is passed
    /// over, the position behind it is a constant.
    pub const fn near(self, offset: i32) -> Option<Op> {
        match (self, offset) {
            (Op::IsExactEqImmediate, 4) => Some(Op::IsExactEqNear4),
            (Op::IsExactEqImmediate, 5) => Some(Op::IsExactEqNear5),
            (Op::IsExactEqImmediate, 6) => Some(Op::IsExactEqNear6),
            (Op::IsExactEqImmediate, 7) => Some(Op::IsExactEqNear7),
            (Op::IsExactEqImmediate, 8) => Some(Op::IsExactEqNear8),
            (Op::IsExactEqImmediate, 9) => Some(Op::IsExactEqNear9),
            _ => None,
        }
    }

    /// The instruction with that number.
    pub fn from_number(number: u16) -> Option<Op> {
        Op::ALL.get(number as usize).copied()
    }
}

ops! {
    // Stubs: code that no module holds.
    /// There is no code behind this export cell (`h` is the arity): loads the module and goes there, or raises `undef`.
    Undefined "undefined" ["h:n"];
    /// Calls native `a` with `b` arguments and returns.
    NativeStub "native" ["a:bif" "b:n"];
    /// What a call of an unloaded module's fun meets.
    UndefinedFun "undefined_fun" [];
    /// Bottom of every stack: the process is done.
    NormalExit "normal_exit" [];
    /// Raises `function_clause` with `a` arguments.
    FunctionClause "function_clause" ["a:n"];

    // Calls.
    /// `x0 := f(x0 ..)`.
    Call "call" ["h:off"];
    /// Drops `a` slots and the frame, and jumps.
    CallLast "call_last" ["a:n" "h:off"];
    /// Jumps to a function.
    CallOnly "call_only" ["h:off"];
    /// Calls what the export cell holds.
    CallExt "call_ext" ["1:cell"];
    /// Drops the frame of `a` slots and jumps to what the export cell holds.
    CallExtLast "call_ext_last" ["a:n" "1:cell"];
    /// Jumps to what the export cell holds.
    CallExtOnly "call_ext_only" ["1:cell"];
    /// `x0 :=` native `a` of `b` arguments in `x0 ..`.
    CallNative "call_native" ["a:bif" "b:n"];
    /// Calls the fun in `x[a]`.
    CallFun "call_fun" ["a:n"];
    /// Drops the frame of `b` slots and jumps to the fun in `x[a]`.
    CallFunLast "call_fun_last" ["a:n" "b:n"];
    /// Jumps to the fun in `x[a]`.
    CallFunOnly "call_fun_only" ["a:n"];
    /// Calls `x[a]:x[a+1]` with `a` arguments.
    Apply "apply" ["a:n"];
    /// The same in tail position, dropping the frame of `b` slots.
    ApplyLast "apply_last" ["a:n" "b:n"];
    /// The same in tail position.
    ApplyOnly "apply_only" ["a:n"];
    /// Goes to the return word on top of the stack.
    Return "return" [];
    /// Runs the call in `x0, x1, x2` (module, function, list of arguments): how natives call Erlang code.
    ApplyList "apply_list" [];

    // Frames and space.
    /// Makes a frame of `a` slots, all nil; `b` X registers live.
    Allocate "allocate" ["a:n" "b:n"];
    /// Drops the frame of `a` slots.
    Deallocate "deallocate" ["a:n"];
    /// `deallocate` and `return`.
    DeallocateReturn "deallocate_return" ["a:n"];
    /// Drops the lowest `a` slots.
    Trim "trim" ["a:n"];
    /// Sees to `h` free words on the heap; `a` X registers live.
    TestHeap "test_heap" ["a:n" "h:n"];

    /// `allocate` that always collects: what the loader emits under stress.
    AllocateStress "allocate_stress" ["a:n" "b:n"];
    /// `test_heap` that always collects.
    TestHeapStress "test_heap_stress" ["a:n" "h:n"];

    // Moves.
    /// `b := a`.
    Move "move" ["a:r" "b:r"];
    /// `b := a`.
    MoveXX "move_xx" ["a:x" "b:x"];
    /// `b := a`.
    MoveXY "move_xy" ["a:x" "b:y"];
    /// `b := a`.
    MoveYX "move_yx" ["a:y" "b:x"];
    /// `a := constant`.
    MoveConst "move_const" ["a:r" "1:term"];
    /// Exchanges `a` and `b`.
    Swap "swap" ["a:r" "b:r"];

    // Tests: jump unless they hold.
    /// Any integer.
    IsInteger "is_integer" ["a:r" "h:off"];
    /// A float.
    IsFloat "is_float" ["a:r" "h:off"];
    /// An integer or a float.
    IsNumber "is_number" ["a:r" "h:off"];
    /// An atom.
    IsAtom "is_atom" ["a:r" "h:off"];
    /// `true` or `false`.
    IsBoolean "is_boolean" ["a:r" "h:off"];
    /// A pid.
    IsPid "is_pid" ["a:r" "h:off"];
    /// A port.
    IsPort "is_port" ["a:r" "h:off"];
    /// A reference.
    IsReference "is_reference" ["a:r" "h:off"];
    /// A bitstring of whole bytes.
    IsBinary "is_binary" ["a:r" "h:off"];
    /// Any bitstring.
    IsBitstring "is_bitstring" ["a:r" "h:off"];
    /// A cell or nil.
    IsList "is_list" ["a:r" "h:off"];
    /// A cell.
    IsCons "is_cons" ["a:r" "h:off"];
    /// Nil.
    IsNil "is_nil" ["a:r" "h:off"];
    /// A tuple.
    IsTuple "is_tuple" ["a:r" "h:off"];
    /// A boxed term with exactly the header in word 1: a tuple of one arity.
    IsTupleOf "is_tuple_of" ["a:r" "h:off" "1:raw"];
    /// The same, and its first element is the atom in word 2.
    IsTagged "is_tagged" ["a:r" "h:off" "1:raw" "2:term"];
    /// A map.
    IsMap "is_map" ["a:r" "h:off"];
    /// A fun.
    IsFun "is_fun" ["a:r" "h:off"];
    /// A fun of the arity that `b` holds.
    IsFunOf "is_fun_of" ["a:r" "b:r" "1:off"];
    /// `a < b`.
    IsLt "is_lt" ["a:r" "b:r" "1:off"];
    /// `a >= b`.
    IsGe "is_ge" ["a:r" "b:r" "1:off"];
    /// `a == b`.
    IsEq "is_eq" ["a:r" "b:r" "1:off"];
    /// `a /= b`.
    IsNe "is_ne" ["a:r" "b:r" "1:off"];
    /// `a =:= b`.
    IsExactEq "is_exact_eq" ["a:r" "b:r" "1:off"];
    /// `a =/= b`.
    IsExactNe "is_exact_ne" ["a:r" "b:r" "1:off"];
    /// `a < constant`, a small integer or a float, here and in the next.
    IsLtSmall "is_lt_small" ["a:r" "h:off" "1:term"];
    /// `a >= constant`.
    IsGeSmall "is_ge_small" ["a:r" "h:off" "1:term"];
    /// `constant < a`.
    IsGtSmall "is_gt_small" ["a:r" "h:off" "1:term"];
    /// `constant >= a`.
    IsLeSmall "is_le_small" ["a:r" "h:off" "1:term"];
    /// `a =:= immediate`.
    IsExactEqImmediate "is_exact_eq_imm" ["a:r" "h:off" "1:term"];
    /// `is_exact_eq_imm` that jumps 4 words on.
    IsExactEqNear4 "is_exact_eq_imm" ["a:r" "h:off" "1:term"];
    /// `is_exact_eq_imm` that jumps 5 words on.
    IsExactEqNear5 "is_exact_eq_imm" ["a:r" "h:off" "1:term"];
    /// `is_exact_eq_imm` that jumps 6 words on.
    IsExactEqNear6 "is_exact_eq_imm" ["a:r" "h:off" "1:term"];
    /// `is_exact_eq_imm` that jumps 7 words on.
    IsExactEqNear7 "is_exact_eq_imm" ["a:r" "h:off" "1:term"];
    /// `is_exact_eq_imm` that jumps 8 words on.
    IsExactEqNear8 "is_exact_eq_imm" ["a:r" "h:off" "1:term"];
    /// `is_exact_eq_imm` that jumps 9 words on.
    IsExactEqNear9 "is_exact_eq_imm" ["a:r" "h:off" "1:term"];
    /// `a =/= immediate`.
    IsExactNeImmediate "is_exact_ne_imm" ["a:r" "h:off" "1:term"];

    // Control.
    /// Goes on at the offset.
    Jump "jump" ["h:off"];
    /// Searches `b` pairs of immediate and offset one after the other; `c` is unused.
    SelectLinear "select_linear" ["a:r" "b:n" "1:off" "*pairs"];
    /// The same with three pairs.
    Select3 "select3" ["a:r" "b:n" "1:off" "*pairs"];
    /// Searches `b` pairs of immediate and offset, sorted by the immediates' words, by halving.
    SelectBinary "select_binary" ["a:r" "b:n" "1:off" "*pairs"];
    /// Small integers from word 2 on, `b` of them in a row: offsets in a table.
    SelectTable "select_table" ["a:r" "b:n" "1:off" "2:term" "*offs"];
    /// Searches `b` pairs of header and offset.
    SelectArity "select_arity" ["a:r" "b:n" "1:off" "*pairs"];
    /// The same with two pairs.
    SelectArity2 "select_arity2" ["a:r" "b:n" "1:off" "*pairs"];

    // Taking apart.
    /// `b, c :=` head and tail of `a`.
    GetList "get_list" ["a:r" "b:r" "c:r"];
    /// `b := hd(a)`.
    GetHd "get_hd" ["a:r" "b:r"];
    /// `b := tl(a)`.
    GetTl "get_tl" ["a:r" "b:r"];
    /// `b :=` element `c`, from 0, of `a`.
    GetElement "get_element" ["a:r" "b:r" "c:n"];
    /// `get_list` where nothing proves that `a` is a cell.
    GetListChecked "get_list?" ["a:r" "b:r" "c:r"];
    /// `get_hd` where nothing proves that `a` is a cell.
    GetHdChecked "get_hd?" ["a:r" "b:r"];
    /// `get_tl` where nothing proves that `a` is a cell.
    GetTlChecked "get_tl?" ["a:r" "b:r"];
    /// `get_element` where nothing proves that `a` is such a tuple; the index is in word 1.
    GetElementChecked "get_element?" ["a:r" "b:r" "1:raw"];

    // Building.
    /// `c := [a | b]`.
    PutList "put_list" ["a:r" "b:r" "c:r"];
    /// `b := [a | constant]`.
    PutListConst "put_list_const" ["a:r" "b:r" "1:term"];
    /// `a := {sources}`.
    PutTuple "put_tuple" ["a:r" "b:n" "*src"];
    /// `a :=` the fun over the sources.
    MakeFun "make_fun" ["a:r" "b:n" "1:fun" "*src"];

    // Natives in expressions and guards.
    /// `a :=` native `b` of `c` arguments.
    Bif "bif" ["a:r" "b:bif" "c:n" "1:off" "*src"];
    /// `c := a + b`.
    Add "add" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a - b`.
    Sub "sub" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a * b`.
    Mul "mul" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a div b`.
    Div "div" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a rem b`.
    Rem "rem" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a / b`.
    Slash "slash" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a band b`.
    Band "band" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a bor b`.
    Bor "bor" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a bxor b`.
    Bxor "bxor" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a bsl b`.
    Bsl "bsl" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := a bsr b`.
    Bsr "bsr" ["a:r" "b:r" "c:r" "1:off"];
    /// `b := -a`.
    Negate "negate" ["a:r" "b:r" "1:off"];
    /// `c := a + constant`; the constant is the left operand if `b` is not zero, here and in the next.
    AddConst "add_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a - constant`.
    SubConst "sub_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a * constant`.
    MulConst "mul_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a / constant`.
    SlashConst "slash_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a div constant`.
    DivConst "div_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a rem constant`.
    RemConst "rem_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a band constant`.
    BandConst "band_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a bor constant`.
    BorConst "bor_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a bxor constant`.
    BxorConst "bxor_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a bsl constant`.
    BslConst "bsl_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a bsr constant`.
    BsrConst "bsr_const" ["a:r" "b:n" "c:r" "1:off" "2:term"];
    /// `c := a + b`, a small constant.
    AddSmall "add_small" ["a:r" "b:i" "c:r" "1:off"];
    /// `c := b + a`, where `b` is a small constant.
    AddSmallLeft "add_small_left" ["a:r" "b:i" "c:r" "1:off"];
    /// `c := a - b`, a small constant.
    SubSmall "sub_small" ["a:r" "b:i" "c:r" "1:off"];
    /// `c := a + float`, X registers; the constant was the left operand if `b` is not zero, here and in the next.
    AddFloat "add_float" ["a:x" "b:n" "c:x" "1:off" "2:float"];
    /// `c := a - float`.
    SubFloat "sub_float" ["a:x" "b:n" "c:x" "1:off" "2:float"];
    /// `c := a * float`.
    MulFloat "mul_float" ["a:x" "b:n" "c:x" "1:off" "2:float"];
    /// `c := a / number`, X registers: the constant, an integer or a float, is in word 2 as a double, in word 3 as it is written.
    SlashNumber "slash_number" ["a:x" "c:x" "1:off" "2:float" "3:term"];
    /// `c := number / a`, in the same way.
    NumberSlash "number_slash" ["a:x" "c:x" "1:off" "2:float" "3:term"];
    /// `b := abs(a)`.
    BifAbs "bif_abs" ["a:r" "b:r" "1:off"];
    /// `b := float(a)`.
    BifFloat "bif_float" ["a:r" "b:r" "1:off"];
    /// `b := trunc(a)`.
    BifTrunc "bif_trunc" ["a:r" "b:r" "1:off"];
    /// `b := round(a)`.
    BifRound "bif_round" ["a:r" "b:r" "1:off"];
    /// `b := math:sqrt(a)`.
    MathSqrt "math_sqrt" ["a:r" "b:r" "1:off"];
    /// `b := math:f(a)`, where `c` is the native.
    Math "math" ["a:r" "b:r" "c:bif" "1:off"];
    /// `b := hd(a)`.
    BifHd "bif_hd" ["a:r" "b:r" "1:off"];
    /// `b := tl(a)`.
    BifTl "bif_tl" ["a:r" "b:r" "1:off"];
    /// `c := element(a, b)`.
    BifElement "bif_element" ["a:r" "b:r" "c:r" "1:off"];
    /// `b := tuple_size(a)`.
    BifTupleSize "bif_tuple_size" ["a:r" "b:r" "1:off"];
    /// `b := byte_size(a)`.
    BifByteSize "bif_byte_size" ["a:r" "b:r" "1:off"];

    // Comparisons as values.
    /// `c := (a == b)`.
    ValueEq "value_eq" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := (a /= b)`.
    ValueNe "value_ne" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := (a =:= b)`.
    ValueExactEq "value_exact_eq" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := (a =/= b)`.
    ValueExactNe "value_exact_ne" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := (a < b)`.
    ValueLt "value_lt" ["a:r" "b:r" "c:r" "1:off"];
    /// `c := (a >= b)`.
    ValueGe "value_ge" ["a:r" "b:r" "c:r" "1:off"];

    // Maps.
    /// `b := map_get(source, a)`.
    BifMapGet "bif_map_get" ["a:r" "b:r" "1:off" "2:src"];
    /// `a := c#{sources in pairs =>}`.
    MapPut "map_put" ["a:r" "c:r" "b:n" "1:off" "*src2"];
    /// `a := c#{sources in pairs :=}`.
    MapUpdate "map_update" ["a:r" "c:r" "b:n" "1:off" "*src2"];
    /// Reads `b` keys of `a`: pairs of source word and register, or jumps.
    MapGet "map_get" ["a:r" "b:n" "1:off" "*src2"];
    /// `map_get` whose keys are all immediate constants, in exact order; in the upper half of each register's word is the place
    /// to look first.
    MapGetImmediate "map_get_imm" ["a:r" "b:n" "1:off" "*src2"];
    /// Jumps unless `a` has all `b` keys.
    MapHas "map_has" ["a:r" "b:n" "1:off" "*src"];

    // Bitstrings.
    /// `a :=` the bitstring of `b` segments of three words each.
    BsCreate "bs_create" ["a:r" "b:n" "1:off" "*segments"];
    /// Prefix of a `bs_append` of one byte, `b`, to the binary `c`.
    BsAppendByte "bs_append_byte" ["a:x" "b:x" "c:x" "1:off"];
    /// Prefix of a `bs_create` of a binary and `b` numbers of `c` bits in all behind it, each a source and a shape.
    BsAppend "bs_append" ["a:r" "b:n" "c:raw" "1:off" "2:src" "*pieces"];
    /// Prefix of a `bs_create` of `b` numbers of `c` bits in all.
    BsNew "bs_new" ["a:r" "b:n" "c:raw" "1:off" "*pieces"];
    /// `b :=` a match context on `a`.
    BsStart "bs_start" ["a:r" "b:r" "1:off"];
    /// Takes an integer from `a` into `b`: size, then unit and flags.
    BsInteger "bs_integer" ["a:r" "b:r" "1:off" "2:src" "3:raw"];
    /// Takes an unsigned big-endian integer of `c` bits, at most 56.
    BsIntegerFixed "bs_integer_fixed" ["a:r" "b:r" "c:n" "1:off"];
    /// The same, signed or least significant byte first: `c` is the shape.
    BsIntegerShaped "bs_integer_shaped" ["a:r" "b:r" "c:raw" "1:off"];
    /// Prefix of `bs_start`, `bs_get_position` and `bs_integer` of a byte into `c`, and perhaps `bs_rest` of bytes.
    BsStartByte "bs_start+bs_get_position+bs_integer" ["a:x" "b:x" "c:x" "1:raw"];
    /// Prefix of `b` commands on the context `a`, which take `c` bits in all.
    BsRun "bs_run" ["a:x" "b:n" "c:raw" "1:off" "*commands"];
    /// Prefix of `bs_rest` of bytes and `call_only`.
    BsRestCallOnly "bs_rest+call_only" ["a:x"];
    /// Takes a float: of `c` bits if that is 64, most significant byte first.
    BsFloat "bs_float" ["a:r" "b:r" "c:n" "1:off" "2:src" "3:raw"];
    /// Takes a bitstring; a size of the atom `all` takes the rest.
    BsBinary "bs_binary" ["a:r" "b:r" "1:off" "2:src" "3:raw"];
    /// Takes a code point.
    BsUtf "bs_utf" ["a:r" "b:r" "c:n" "1:off" "2:raw"];
    /// Skips.
    BsSkip "bs_skip" ["a:r" "1:off" "2:src" "3:raw"];
    /// Takes exactly `c` bits with that value.
    BsConstant "bs_constant" ["a:r" "c:n" "1:off" "2:raw"];
    /// Takes exactly the bits of the constant.
    BsString "bs_string" ["a:r" "1:off" "2:term"];
    /// Jumps unless exactly that many bits are left.
    BsTail "bs_tail" ["a:r" "1:off" "2:raw"];
    /// `b :=` position of the context `a`.
    BsGetPosition "bs_get_position" ["a:r" "b:r"];
    /// Sets the position of the context `a` to `b`.
    BsSetPosition "bs_set_position" ["a:r" "b:r"];
    /// `b :=` what is left of the context `a`.
    BsGetTail "bs_get_tail" ["a:r" "b:r"];
    /// Jumps unless what is left of `a` is a multiple of `b` bits.
    BsRest "bs_rest" ["a:r" "b:n" "1:off"];
    /// `b := a` if that is a term, else the bitstring of the context from where it begins.
    BsWhole "bs_whole" ["a:r" "b:r"];
    /// If `a` is a context, it begins at its position.
    BsBegin "bs_begin" ["a:r"];

    // Exceptions.
    /// Puts a catch mark into slot `a`.
    Try "try" ["a:y" "h:off"];
    /// Takes the catch mark out of slot `a`.
    TryEnd "try_end" ["a:y"];
    /// First instruction of a handler.
    TryCase "try_case" ["a:y"];
    /// Ends an old-style catch.
    CatchEnd "catch_end" ["a:y"];
    /// Raises `{badmatch, value}`.
    BadMatch "badmatch" ["1:src"];
    /// Raises `{case_clause, value}`.
    CaseClause "case_clause" ["1:src"];
    /// Raises `{try_clause, value}`.
    TryClause "try_clause" ["1:src"];
    /// Raises `{badrecord, value}`.
    BadRecord "badrecord" ["1:src"];
    /// Raises `if_clause`.
    IfClause "if_clause" [];
    /// Raises again what is in `x0, x1, x2`.
    ReRaise "re_raise" [];
    /// `b :=` the list form of the raw trace `a`.
    BuildTrace "build_trace" ["a:r" "b:r"];

    // Super-instructions that stand in front of the instructions they stand for, which they skip; when a check fails, the
    // parts run one by one.
    /// `is_lt_small a` and `return`.
    LtSmallReturn "lt_small+return" ["a:x"];
    /// `is_ge_small a` and `return`.
    GeSmallReturn "ge_small+return" ["a:x"];
    /// `is_exact_eq_imm a` and `return`.
    EqReturn "eq_imm+return" ["a:x"];
    /// `allocate a` and `move x[b], y[c]`.
    AllocateMove "allocate+move" ["a:n" "b:x" "c:y"];
    /// `allocate a` and `b` moves from X to Y registers, two or more.
    AllocateMoves "allocate+moves" ["a:n" "b:n"];
    /// The same with two moves.
    AllocateMoves2 "allocate+moves2" ["a:n" "b:n"];
    /// The same with three.
    AllocateMoves3 "allocate+moves3" ["a:n" "b:n"];
    /// `is_exact_eq_imm a`, `move b, x0` and `return`.
    EqMoveReturn "eq_imm+move+return" ["a:x" "b:x"];
    /// `is_exact_eq_imm a`, `move_const x0` and `return`.
    EqConstReturn "eq_imm+move_const+return" ["a:x"];
    /// `is_nil a` and `return`.
    NilReturn "nil+return" ["a:x"];
    /// `is_nil a`, `move b, x0` and `return`.
    NilMoveReturn "nil+move+return" ["a:x" "b:x"];
    /// `c := a + b` and `call`.
    AddSmallCall "add_small+call" ["a:r" "b:i" "c:r"];
    /// `c := a + b` and `call_only`.
    AddSmallCallOnly "add_small+call_only" ["a:r" "b:i" "c:r"];
    /// `x0 := a + b`, `deallocate` and `return`.
    AddReturn "add+return" ["a:r" "b:r"];
    /// `c := a + b` and `call_last`.
    AddSmallCallLast "add_small+call_last" ["a:r" "b:i" "c:r"];
    /// `is_cons a` and `get_list a, b, c`.
    ConsSplit "cons+split" ["a:x" "b:x" "c:x"];
    /// `is_cons a`, `allocate` and `get_list a, b, c`.
    ConsAllocateSplit "cons+allocate+split" ["a:x" "b:r" "c:r"];
    /// `test_heap` and `put_list a, b, c`.
    HeapCons "heap+cons" ["a:r" "b:r" "c:r"];
    /// `test_heap` and `put_list_const a, b`.
    HeapConsConst "heap+cons_const" ["a:r" "b:r"];
    /// `test_heap` and `put_tuple a`.
    HeapTuple "heap+tuple" ["a:r" "b:n"];
    /// The same with two elements.
    HeapTuple2 "heap+tuple2" ["a:r"];
    /// The same with three.
    HeapTuple3 "heap+tuple3" ["a:r"];
    /// The same whose elements are all X registers.
    HeapTupleX "heap+tuple_x" ["a:r" "b:n"];
    /// `test_heap`, `put_list a, b, x0`, `deallocate` and `return`.
    HeapConsReturn "heap+cons+return" ["a:y" "b:x"];

    /// `a :=` the small map whose `b` keys are the tuple in word 1, and the values; in front of the `map_put` of the same.
    MapNew "map_new" ["a:r" "b:n" "1:term" "*src"];
    /// `add_small+call` from a Y register to an X register.
    AddSmallCallYX "add_small_yx+call" ["a:y" "b:i" "c:x"];
    /// `add_small+call` between X registers.
    AddSmallCallXX "add_small_xx+call" ["a:x" "b:i" "c:x"];
    /// `add+return` of a Y and an X register.
    AddReturnYX "add_yx+return" ["a:y" "b:x"];
    /// `move2+call` from Y to X registers.
    Move2CallYX "move2_yx+call" ["a:y" "b:x" "c:y" "1:raw"];
    /// `move2+call_last` from Y to X registers.
    Move2CallLastYX "move2_yx+call_last" ["a:y" "b:x" "c:y" "1:raw"];
    /// `move3+call_last` from Y to X registers.
    Move3CallLastYX "move3_yx+call_last" ["a:y" "b:x" "c:y" "1:raw"];

    // Usual kinds of operands.
    /// `add_small` between X registers.
    AddSmallXX "add_small_xx" ["a:x" "b:i" "c:x" "1:off"];
    /// `sub_small` between X registers.
    SubSmallXX "sub_small_xx" ["a:x" "b:i" "c:x" "1:off"];
    /// `sub_small` from a Y to an X register.
    SubSmallYX "sub_small_yx" ["a:y" "b:i" "c:x" "1:off"];
    /// `add` of X registers.
    AddXXX "add_xxx" ["a:x" "b:x" "c:x" "1:off"];
    /// `add` of a Y and an X register.
    AddYXX "add_yxx" ["a:y" "b:x" "c:x" "1:off"];
    /// `sub` of X registers.
    SubXXX "sub_xxx" ["a:x" "b:x" "c:x" "1:off"];
    /// `mul` of X registers.
    MulXXX "mul_xxx" ["a:x" "b:x" "c:x" "1:off"];
    /// `slash` of X registers.
    SlashXXX "slash_xxx" ["a:x" "b:x" "c:x" "1:off"];
    /// `get_list` between X registers.
    GetListXXX "get_list_xxx" ["a:x" "b:x" "c:x"];
    /// `get_element` between X registers.
    GetElementXX "get_element_xx" ["a:x" "b:x" "c:n"];
    /// `is_lt` of X registers.
    IsLtXX "is_lt_xx" ["a:x" "b:x" "1:off"];
    /// `is_ge` of X registers.
    IsGeXX "is_ge_xx" ["a:x" "b:x" "1:off"];

    // Several in one.
    /// Slots of the frame become nil: those whose bit is set in word 1, the first 64.
    Clear "clear" ["1:raw"];
    /// `b :=` element of `a`, `c :=` another one: their indices are the halves of word 1.
    GetElement2 "get_element2" ["a:r" "b:r" "c:r" "1:raw"];
    /// `get_element2` between X registers.
    GetElement2XXX "get_element2_xxx" ["a:x" "b:x" "c:x" "1:raw"];
    /// Two cases: fail offset, then immediate and offset twice.
    Select2 "select2" ["a:r" "1:off" "2:term" "3:off" "4:term" "5:off"];

    // Messages.
    /// `a :=` the next message, or jumps.
    LoopRec "loop_rec" ["a:r" "h:off"];
    /// To the next message.
    LoopRecEnd "loop_rec_end" ["h:off"];
    /// The message matched; `a` X registers live.
    RemoveMessage "remove_message" ["a:n"];
    /// Waits for a message.
    Wait "wait" ["h:off"];
    /// Waits for a message or time.
    WaitTimeout "wait_timeout" ["h:off" "1:src"];
    /// The time was over.
    Timeout "timeout" [];
    /// Passes over messages older than a reference.
    ReceiveMark "receive_mark" ["1:src"];
    /// `x0 := (x0 ! x1)`.
    Send "send" [];

    chains
    BsStartByteThenIsExactEqImmediate = BsStartByte IsExactEqImmediate;
    BsStartByteThenIsExactNeImmediate = BsStartByte IsExactNeImmediate;
    BsStartByteThenIsGeSmall = BsStartByte IsGeSmall;
    BsStartByteThenSelect2 = BsStartByte Select2;
    IsExactNeImmediateThenIsExactNeImmediate = IsExactNeImmediate IsExactNeImmediate;
    IsExactNeImmediateThenIsExactEqImmediate = IsExactNeImmediate IsExactEqImmediate;
    BsAppendByteThenCallOnly = BsAppendByte CallOnly;
    BsAppendThenCallOnly = BsAppend CallOnly;
    SubSmallXXThenBsAppendByte = SubSmallXX BsAppendByte;
    BandConstThenBsAppendByte = BandConst BsAppendByte;
    EqMoveReturnThenSubSmallXX = EqMoveReturn SubSmallXX;
    SubSmallXXThenAddXXX = SubSmallXX AddXXX;
    AddXXXThenCallOnly = AddXXX CallOnly;
    AddXXXThenReturn = AddXXX Return;
    AddXXXThenAddXXX = AddXXX AddXXX;
    AddXXXThenAddSmallXX = AddXXX AddSmallXX;
    MulXXXThenAddXXX = MulXXX AddXXX;
    MulXXXThenMulXXX = MulXXX MulXXX;
    MulConstThenAddSmallXX = MulConst AddSmallXX;
    LtSmallReturnThenAllocateMove = LtSmallReturn AllocateMove;
    LtSmallReturnThenAllocateMoveThenAddSmallCallYX = LtSmallReturnThenAllocateMove AddSmallCallYX;
    AllocateMoveThenAddSmallCallYX = AllocateMove AddSmallCallYX;
    AllocateMoveThenCall = AllocateMove Call;
    AllocateMovesThenCall = AllocateMoves Call;
    MoveXYThenAddSmallCallYX = MoveXY AddSmallCallYX;
    MoveXYThenSubSmallYX = MoveXY SubSmallYX;
    EqConstReturnThenAllocateMoves = EqConstReturn AllocateMoves;
    EqConstReturnThenAllocateMove = EqConstReturn AllocateMove;
    IsTupleOfThenGetElement2XXX = IsTupleOf GetElement2XXX;
    IsTupleOfThenGetElementXX = IsTupleOf GetElementXX;
    IsTaggedThenGetElement2XXX = IsTagged GetElement2XXX;
    IsTaggedThenGetElementXX = IsTagged GetElementXX;
    GetElement2XXXThenGetElement2XXX = GetElement2XXX GetElement2XXX;
    GetElement2XXXThenGetElementXX = GetElement2XXX GetElementXX;
    GetElement2XXXThenSelect3 = GetElement2XXX Select3;
    GetElementXXThenSelect3 = GetElementXX Select3;
    GetElementXXThenIsExactEq = GetElementXX IsExactEq;
    GetElementXXThenIsExactEqImmediate = GetElementXX IsExactEqImmediate;
    GetElementXXThenReturn = GetElementXX Return;
    RemConstThenIsExactEqImmediate = RemConst IsExactEqImmediate;
    RemConstThenIsExactNeImmediate = RemConst IsExactNeImmediate;
    BandConstThenIsExactEqImmediate = BandConst IsExactEqImmediate;
    BandConstThenDeallocateReturn = BandConst DeallocateReturn;
    IsConsThenAllocate = IsCons Allocate;
    IsConsThenGetListXXX = IsCons GetListXXX;
    IsConsThenGetHd = IsCons GetHd;
    MoveYXThenTrim = MoveYX Trim;
    MoveYXThenTrimThenCall = MoveYXThenTrim Call;
    MoveYXThenCall = MoveYX Call;
    MoveYXThenCallNative = MoveYX CallNative;
    MoveYXThenCallExt = MoveYX CallExt;
    MoveXXThenCall = MoveXX Call;
    MoveXXThenCallExt = MoveXX CallExt;
    MoveXXThenCallNative = MoveXX CallNative;
    MoveXXThenReturn = MoveXX Return;
    MoveConstThenCall = MoveConst Call;
    MoveConstThenCallOnly = MoveConst CallOnly;
    MoveConstThenCallExt = MoveConst CallExt;
    MoveConstThenCallNative = MoveConst CallNative;
    MoveConstThenMoveConst = MoveConst MoveConst;
    MoveConstThenDeallocateReturn = MoveConst DeallocateReturn;
    MoveConstThenReturn = MoveConst Return;
    MoveXYThenCallNative = MoveXY CallNative;
    MoveXYThenCall = MoveXY Call;
    MoveXYThenCallExt = MoveXY CallExt;
    MoveXYThenMoveYX = MoveXY MoveYX;
    SwapThenSwap = Swap Swap;
    SwapThenCallOnly = Swap CallOnly;
    SwapThenSwapThenCallOnly = SwapThenSwap CallOnly;
    HeapTuple2ThenReturn = HeapTuple2 Return;
    HeapTuple3ThenReturn = HeapTuple3 Return;
    HeapTuple2ThenDeallocateReturn = HeapTuple2 DeallocateReturn;
    HeapTuple3ThenDeallocateReturn = HeapTuple3 DeallocateReturn;
    HeapTupleThenReturn = HeapTuple Return;
    HeapConsThenCallOnly = HeapCons CallOnly;
    HeapConsThenReturn = HeapCons Return;
    PutListThenPutList = PutList PutList;
    PutListThenCallOnly = PutList CallOnly;
    ConsSplitThenIsTupleOf = ConsSplit IsTupleOf;
    ConsSplitThenIsTupleOfThenGetElementXX = ConsSplitThenIsTupleOf GetElementXX;
    ConsSplitThenRemConst = ConsSplit RemConst;
    ConsSplitThenHeapCons = ConsSplit HeapCons;
    IsLtXXThenMoveXX = IsLtXX MoveXX;
    IsGeXXThenMoveXX = IsGeXX MoveXX;
    AllocateMovesThenSubSmallYX = AllocateMoves SubSmallYX;
    SubSmallYXThenMove2CallYX = SubSmallYX Move2CallYX;
    SubSmallXXThenSubSmallXX = SubSmallXX SubSmallXX;
    SubSmallXXThenAddSmallXX = SubSmallXX AddSmallXX;
    MoveXXThenMoveXX = MoveXX MoveXX;
    MoveXXThenMoveXY = MoveXX MoveXY;
    MoveXXThenMoveYX = MoveXX MoveYX;
    MoveXYThenMoveXX = MoveXY MoveXX;
    MoveXYThenMoveXY = MoveXY MoveXY;
    MoveYXThenMoveXX = MoveYX MoveXX;
    MoveYXThenMoveYX = MoveYX MoveYX;
    MoveXXThenMoveXXThenCall = MoveXXThenMoveXX Call;
    MoveXXThenMoveXXThenCallOnly = MoveXXThenMoveXX CallOnly;
    MoveXXThenMoveXXThenCallFun = MoveXXThenMoveXX CallFun;
    MoveXXThenMoveXXThenCallExt = MoveXXThenMoveXX CallExt;
    MoveXXThenMoveXXThenCallNative = MoveXXThenMoveXX CallNative;
    MoveXXThenMoveXXThenMoveXX = MoveXXThenMoveXX MoveXX;
    MoveXXThenMoveXXThenMoveXY = MoveXXThenMoveXX MoveXY;
    MoveXXThenMoveXXThenMoveYX = MoveXXThenMoveXX MoveYX;
    MoveXXThenMoveXYThenCall = MoveXXThenMoveXY Call;
    MoveXXThenMoveXYThenCallFun = MoveXXThenMoveXY CallFun;
    MoveXXThenMoveXYThenCallExt = MoveXXThenMoveXY CallExt;
    MoveXXThenMoveXYThenCallNative = MoveXXThenMoveXY CallNative;
    MoveXXThenMoveXYThenMoveXX = MoveXXThenMoveXY MoveXX;
    MoveXXThenMoveXYThenMoveXY = MoveXXThenMoveXY MoveXY;
    MoveXXThenMoveXYThenMoveYX = MoveXXThenMoveXY MoveYX;
    MoveXXThenMoveYXThenCall = MoveXXThenMoveYX Call;
    MoveXXThenMoveYXThenCallLast = MoveXXThenMoveYX CallLast;
    MoveXXThenMoveYXThenCallFun = MoveXXThenMoveYX CallFun;
    MoveXXThenMoveYXThenCallExt = MoveXXThenMoveYX CallExt;
    MoveXXThenMoveYXThenCallNative = MoveXXThenMoveYX CallNative;
    MoveXXThenMoveYXThenMoveXX = MoveXXThenMoveYX MoveXX;
    MoveXXThenMoveYXThenMoveYX = MoveXXThenMoveYX MoveYX;
    MoveXYThenMoveXXThenCall = MoveXYThenMoveXX Call;
    MoveXYThenMoveXXThenCallFun = MoveXYThenMoveXX CallFun;
    MoveXYThenMoveXXThenCallExt = MoveXYThenMoveXX CallExt;
    MoveXYThenMoveXXThenCallNative = MoveXYThenMoveXX CallNative;
    MoveXYThenMoveXXThenMoveXX = MoveXYThenMoveXX MoveXX;
    MoveXYThenMoveXXThenMoveXY = MoveXYThenMoveXX MoveXY;
    MoveXYThenMoveXXThenMoveYX = MoveXYThenMoveXX MoveYX;
    MoveXYThenMoveXYThenCall = MoveXYThenMoveXY Call;
    MoveXYThenMoveXYThenCallFun = MoveXYThenMoveXY CallFun;
    MoveXYThenMoveXYThenCallExt = MoveXYThenMoveXY CallExt;
    MoveXYThenMoveXYThenCallNative = MoveXYThenMoveXY CallNative;
    MoveXYThenMoveXYThenMoveXX = MoveXYThenMoveXY MoveXX;
    MoveXYThenMoveXYThenMoveXY = MoveXYThenMoveXY MoveXY;
    MoveXYThenMoveXYThenMoveYX = MoveXYThenMoveXY MoveYX;
    MoveXYThenMoveYXThenCall = MoveXYThenMoveYX Call;
    MoveXYThenMoveYXThenCallFun = MoveXYThenMoveYX CallFun;
    MoveXYThenMoveYXThenCallExt = MoveXYThenMoveYX CallExt;
    MoveXYThenMoveYXThenCallNative = MoveXYThenMoveYX CallNative;
    MoveXYThenMoveYXThenMoveXX = MoveXYThenMoveYX MoveXX;
    MoveXYThenMoveYXThenMoveYX = MoveXYThenMoveYX MoveYX;
    MoveYXThenMoveXXThenCall = MoveYXThenMoveXX Call;
    MoveYXThenMoveXXThenCallLast = MoveYXThenMoveXX CallLast;
    MoveYXThenMoveXXThenCallFun = MoveYXThenMoveXX CallFun;
    MoveYXThenMoveXXThenMoveXX = MoveYXThenMoveXX MoveXX;
    MoveYXThenMoveXXThenMoveYX = MoveYXThenMoveXX MoveYX;
    MoveYXThenMoveYXThenCallFun = MoveYXThenMoveYX CallFun;
    MoveYXThenMoveYXThenCallExt = MoveYXThenMoveYX CallExt;
    MoveYXThenMoveYXThenCallNative = MoveYXThenMoveYX CallNative;
    MoveYXThenMoveYXThenMoveXX = MoveYXThenMoveYX MoveXX;
    MoveYXThenMoveYXThenMoveYX = MoveYXThenMoveYX MoveYX;
    MoveXXThenCallOnly = MoveXX CallOnly;
    MoveXXThenCallLast = MoveXX CallLast;
    MoveXXThenCallFun = MoveXX CallFun;
    MoveXYThenCallFun = MoveXY CallFun;
    MoveYXThenCallLast = MoveYX CallLast;
    MoveYXThenCallFun = MoveYX CallFun;
    TrimThenCall = Trim Call;
    MoveYXThenMoveYXThenTrim = MoveYXThenMoveYX Trim;
    AddXXXThenMoveXX = AddXXX MoveXX;
    AddXXXThenMoveXXThenCallOnly = AddXXXThenMoveXX CallOnly;
    SubSmallXXThenAddXXXThenMoveXX = SubSmallXXThenAddXXX MoveXX;
    AddSmallXXThenMoveXX = AddSmallXX MoveXX;
    AddSmallXXThenMoveXXThenCallOnly = AddSmallXXThenMoveXX CallOnly;
    HeapConsThenMoveXX = HeapCons MoveXX;
    HeapConsThenMoveXXThenCallOnly = HeapConsThenMoveXX CallOnly;
    PutListThenMoveXX = PutList MoveXX;
    PutListThenMoveXXThenCallOnly = PutListThenMoveXX CallOnly;
    SubSmallXXThenMoveXX = SubSmallXX MoveXX;
    SubSmallXXThenMoveXXThenCallOnly = SubSmallXXThenMoveXX CallOnly;
    SubSmallYXThenMoveYX = SubSmallYX MoveYX;
    SubSmallYXThenMoveYXThenCallLast = SubSmallYXThenMoveYX CallLast;
    AllocateThenMoveXX = Allocate MoveXX;
    GetListThenMoveXY = GetList MoveXY;
    MulConstThenAddXXX = MulConst AddXXX;
    MulConstThenAddXXXThenReturn = MulConstThenAddXXX Return;
    MoveConstThenValueExactEq = MoveConst ValueExactEq;
    ValueExactEqThenReturn = ValueExactEq Return;
    RemConstThenMoveConst = RemConst MoveConst;
    RemConstThenMoveConstThenValueExactEq = RemConstThenMoveConst ValueExactEq;
    ConsAllocateSplitThenMoveXY = ConsAllocateSplit MoveXY;
    ConsAllocateSplitThenMoveXX = ConsAllocateSplit MoveXX;
    ConsAllocateSplitThenCall = ConsAllocateSplit Call;
    MulThenBandConst = Mul BandConst;
    MulThenBandConstThenDeallocateReturn = MulThenBandConst DeallocateReturn;
    SubThenDeallocateReturn = Sub DeallocateReturn;
    HeapConsConstThenCallLast = HeapConsConst CallLast;
    HeapConsConstThenCallOnly = HeapConsConst CallOnly;
    IsExactEqThenGetElementXX = IsExactEq GetElementXX;
    IsExactEqThenGetElementXXThenReturn = IsExactEqThenGetElementXX Return;
    GetElement2XXXThenGetElementXXThenSelect3 = GetElement2XXXThenGetElementXX Select3;
    MoveConstThenMoveConstThenCall = MoveConstThenMoveConst Call;
    MoveConstThenMoveConstThenCallExt = MoveConstThenMoveConst CallExt;
    MoveXYThenMoveConst = MoveXY MoveConst;
    MoveYXThenMoveConst = MoveYX MoveConst;
    MoveXXThenMoveConst = MoveXX MoveConst;
    AllocateThenAddSmallCallXX = Allocate AddSmallCallXX;
    AddSmallLeftThenDeallocateReturn = AddSmallLeft DeallocateReturn;
    AddSmallXXThenDeallocateReturn = AddSmallXX DeallocateReturn;
    AddSmallXXThenReturn = AddSmallXX Return;
    IsConsThenIsExactEqImmediate = IsCons IsExactEqImmediate;
    IsGtSmallThenGetTl = IsGtSmall GetTl;
    IsGtSmallThenGetTlThenAddSmallCallOnly = IsGtSmallThenGetTl AddSmallCallOnly;
    GetTlThenAddSmallCallOnly = GetTl AddSmallCallOnly;
    MoveXXThenApply = MoveXX Apply;
    SubSmallThenMoveXX = SubSmall MoveXX;
    SubSmallThenMoveXXThenApply = SubSmallThenMoveXX Apply;
    AllocateThenMoveXXThenMoveXY = AllocateThenMoveXX MoveXY;
    ConsSplitThenIsTupleOfThenGetElementXXThenIsExactEq = ConsSplitThenIsTupleOfThenGetElementXX IsExactEq;
    AllocateMoves2ThenCall = AllocateMoves2 Call;
    AllocateMoves3ThenCall = AllocateMoves3 Call;
    EqConstReturnThenAllocateMoves2 = EqConstReturn AllocateMoves2;
    EqConstReturnThenAllocateMoves3 = EqConstReturn AllocateMoves3;
    AllocateMoves2ThenSubSmallYX = AllocateMoves2 SubSmallYX;
    AllocateMoves3ThenSubSmallYX = AllocateMoves3 SubSmallYX;
    AllocateMoves2ThenSubSmall = AllocateMoves2 SubSmall;
    AllocateMoves2ThenMoveXX = AllocateMoves2 MoveXX;
    AllocateMoves3ThenMoveYX = AllocateMoves3 MoveYX;
    AllocateMoves2ThenMoveYX = AllocateMoves2 MoveYX;
    MulXXXThenSubXXX = MulXXX SubXXX;
    AddXXXThenMulXXX = AddXXX MulXXX;
    AddXXXThenSubXXX = AddXXX SubXXX;
    SubXXXThenSubXXX = SubXXX SubXXX;
    SubXXXThenMulXXX = SubXXX MulXXX;
    SubXXXThenAddXXX = SubXXX AddXXX;
    MulFloatThenAddXXX = MulFloat AddXXX;
    MulFloatThenMulXXX = MulFloat MulXXX;
    MulFloatThenAddFloat = MulFloat AddFloat;
    AddFloatThenSlashXXX = AddFloat SlashXXX;
    SlashXXXThenAddXXX = SlashXXX AddXXX;
    AddXXXThenIsLeSmall = AddXXX IsLeSmall;
    AddXXXThenIsGtSmall = AddXXX IsGtSmall;
    AddFloatThenCallOnly = AddFloat CallOnly;
    AddYXXThenBandConst = AddYXX BandConst;
    AddYXXThenBandConstThenDeallocateReturn = AddYXXThenBandConst DeallocateReturn;
    IsConsThenGetTl = IsCons GetTl;
    PutListThenDeallocateReturn = PutList DeallocateReturn;
    MoveXXThenMoveConstThenCallNative = MoveXXThenMoveConst CallNative;
    MoveYXThenMoveConstThenCall = MoveYXThenMoveConst Call;
    AllocateMoveThenMoveXX = AllocateMove MoveXX;
    AllocateMoveThenMoveXXThenCall = AllocateMoveThenMoveXX Call;
    EqConstReturnThenAllocateMoveThenAddSmallCallYX = EqConstReturnThenAllocateMove AddSmallCallYX;
    IsTupleOfThenGetElement2XXXThenIsExactEqImmediate = IsTupleOfThenGetElement2XXX IsExactEqImmediate;
    AddSmallLeftThenMoveYX = AddSmallLeft MoveYX;
    IsFloatThenIsFloat = IsFloat IsFloat;
    IsFloatThenIsFloatThenIsFloat = IsFloatThenIsFloat IsFloat;
    IsIntegerThenIsGeSmall = IsInteger IsGeSmall;
    SlashNumberThenAddXXX = SlashNumber AddXXX;
    MulXXXThenSlashNumber = MulXXX SlashNumber;
    NumberSlashThenReturn = NumberSlash Return;
    AddXXXThenNumberSlash = AddXXX NumberSlash;
    NumberSlashThenMulXXX = NumberSlash MulXXX;
}
