//! The interpreter: runs one process for one slice.
//!
//! [`run`] is a loop around one `match` over the internal instructions ([`Op`]). What keeps it fast:
//! - The live state (position, stack, heap, reductions, registers' address) is in locals ([`live::Live`]); everything
//!   else is out of line in [`machine`] and the files beside it, and finds the live state written back.
//! - The hot path of each instruction falls through; the exceptional one calls out and goes on where that says.
//! - What takes time from one instruction to the next is mostly finding out where that is. So positions that follow are
//!   constants wherever they can be ([`step`] says how neighbours run without a dispatch between), and each instruction has
//!   an indirect jump of its own. Compilers like to give all instructions one: `.cargo/config.toml` asks ours not to, which is
//!   worth a fifth of the time. A program that embeds erlet does well to build with the same flag.
//! - An instruction is *restartable*: all its checks come before its first write, so that it can run again from its first
//!   word after a collection or a yield.
//!
//! **Reductions.** Each call takes one from the slice's budget. When none is left the call does not happen: the process
//! yields at the call, its arguments are the live registers. Natives charge more in proportion to their work. Zeroing the
//! reductions is also how a collection is asked for at the next call, at no cost to the hot path.
//!
//! **Safepoints** are `allocate` and `test_heap` (when there is no room), calls that found no reductions, and
//! `remove_message`. Natives and slow paths allocate, into fragments if need be, and never collect.
//!
//! X registers, `x0` too, are in the worker's file and not in locals: a local copy of `x0` doubled the variants of each row
//! for a load that the processor forwards from the store before.

mod apply;
mod bits;
mod exception;
mod filter;
mod live;
mod long;
mod machine;
mod map;
mod number;
mod receive;
mod step;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::atom::known;
use crate::bif;
use crate::code::op::Op;
use crate::code::{BifId, ExportCell, Mfa, stub};
use crate::process::{Process, Resume, SliceEnd};
use crate::runtime::{Runtime, WorkerCx};
use crate::term::compare::words_equal;
use crate::term::{FunEntry, Subtag, Term, Word};
use bits::fast::Fast;
use live::Live;
use machine::Machine;
use step::Flow;

/// Runs the process until its slice ends.
pub fn run(worker: &mut WorkerCx, process: &mut Process, rt: &Runtime) -> SliceEnd {
    let mut machine = Machine { process, worker, rt, end: None };
    let start = machine.start();
    if start.is_null() {
        return machine.ended();
    }
    run_loop(&mut machine, start)
}

macro_rules! natives_of_operators {
    ($($name:ident = $function:literal / $arity:literal;)*) => {
        $(const $name: BifId = bif::id("erlang", $function, $arity);)*
    };
}

natives_of_operators! {
    PLUS = "+"/2;
    EQ = "=="/2;
    EQ_EXACT = "=:="/2;
    GE = ">="/2;
    LT = "<"/2;
    MAP_GET = "map_get"/2;
    NE = "/="/2;
    NE_EXACT = "=/="/2;
    MINUS = "-"/2;
    NEGATE = "-"/1;
    TIMES = "*"/2;
    UNARY_PLUS = "+"/1;
    SLASH = "/"/2;
    DIV = "div"/2;
    REM = "rem"/2;
    BAND = "band"/2;
    BOR = "bor"/2;
    BXOR = "bxor"/2;
    BSL = "bsl"/2;
    BSR = "bsr"/2;
    HD = "hd"/1;
    TL = "tl"/1;
    ELEMENT = "element"/2;
    TUPLE_SIZE = "tuple_size"/1;
    BYTE_SIZE = "byte_size"/1;
    ABS = "abs"/1;
    FLOAT = "float"/1;
    TRUNC = "trunc"/1;
    ROUND = "round"/1;
    SEND = "send"/2;
}

const SQRT: BifId = bif::id("math", "sqrt", 1);

impl Machine<'_> {
    /// Puts the process on the worker: where to begin, null if that ends it.
    fn start(&mut self) -> machine::Next {
        self.load_registers();
        if self.process.heap.stack_words() == 0 {
            // It has never run: where its first function returns to. The red zone has room.
            self.push_return(stub::normal_exit());
        }
        match self.process.resume {
            Resume::Raise(class) => {
                self.process.resume = Resume::Go;
                let reason = self.x(0);
                self.raise(class, reason)
            }
            // A time-out is looked at by `wait_timeout`, once all messages have been.
            Resume::Go | Resume::TimedOut => self.process.pc,
        }
    }

    /// How the slice ended.
    fn ended(&mut self) -> SliceEnd {
        self.end.take().expect("who gives null has said how the slice ends")
    }
}

/// The loop. Exempt from the limit on the length of functions: it is the table of what instructions do.
#[allow(clippy::cognitive_complexity, reason = "a table")]
fn run_loop(machine: &mut Machine<'_>, start: *const u64) -> SliceEnd {
    let mut m = machine.load(start);
    // Calls out: the live state goes to its one home, comes back from there, and the slice may be over.
    macro_rules! out {
        ($method:ident($($arg:expr),*)) => {{
            machine.store(m);
            let next = machine.$method($($arg),*);
            if next.is_null() {
                return machine.ended();
            }
            m = machine.load(next);
        }};
    }
    // A jump to where word 1 says.
    macro_rules! fail {
        () => {
            m.go(m.operand(1) as isize)
        };
    }
    // Goes on behind the instruction's `words` words if `condition` holds, else at `h`.
    macro_rules! test {
        ($words:literal, $condition:expr) => {{ if $condition { m.go($words) } else { m.go(m.h()) } }};
    }
    // The same with the offset in word 1.
    macro_rules! test_far {
        ($words:literal, $condition:expr) => {{ if $condition { m.go($words) } else { fail!() } }};
    }
    // A type test of field `a`.
    macro_rules! type_test {
        (|$term:ident| $condition:expr) => {{
            let $term = m.get(m.a());
            test!(1, $condition)
        }};
    }
    // The common case of a row about bitstrings, else the whole of it out of line.
    macro_rules! fast {
        ($case:ident()) => {
            if !bits::fast::$case(&mut m) {
                fail!();
            }
        };
        ($case:ident(), $method:ident) => {
            match bits::fast::$case(&mut m) {
                Fast::Done => {}
                Fast::Slow => out!($method()),
                Fast::Fail => fail!(),
            }
        };
    }
    // Takes a reduction; if there is none, the instruction runs again later with `live` registers.
    macro_rules! charge {
        ($live:expr) => {
            m.reductions -= 1;
            if m.reductions < 0 {
                let live = $live;
                out!(used_up(live));
                continue;
            }
        };
    }
    // Runs an instruction, or a chain of them.
    macro_rules! run {
        ($($step:path),+) => {{
            $(match $step(&mut m, machine) {
                Flow::On => {}
                Flow::Elsewhere => continue,
                Flow::Ended => return machine.ended(),
            })+
        }};
    }
    loop {
        match decode(m.field(0, 0)) {
            // ---- stubs ----
            Op::Undefined => {
                charge!(m.h() as usize);
                out!(undefined_export());
            }
            Op::NativeStub => {
                charge!(m.b() as usize);
                out!(call_native(BifId(m.a()), m.b() as usize, stub::ret()));
                if m.pc == stub::ret() {
                    m.pop_return();
                }
            }
            Op::UndefinedFun => out!(undefined_fun()),
            Op::NormalExit => {
                machine.store(m);
                machine.finished();
                return machine.ended();
            }
            Op::FunctionClause => out!(function_clause(m.a() as usize)),

            // ---- calls ----
            Op::Call => run!(step::call),
            Op::CallLast => run!(step::call_last),
            Op::CallOnly => run!(step::call_only),
            Op::CallExt => run!(step::call_ext),
            Op::CallExtLast => run!(step::call_ext_last),
            Op::CallExtOnly => run!(step::call_ext_only),
            Op::CallNative => run!(step::call_native),
            Op::CallFun => run!(step::call_fun),
            Op::CallFunLast => {
                charge!(m.a() as usize + 1);
                match closure(&mut m) {
                    Some(target) => {
                        m.drop_slots(m.b());
                        m.pc = target;
                    }
                    // Whatever it is, it may raise: the frame stays for the stack trace, and is dropped behind the call.
                    None => match callable(m.x(m.a()), m.a()) {
                        Some(target) => {
                            m.drop_slots(m.b());
                            m.pc = target;
                        }
                        None => out!(call_fun(m.a() as usize, stub::ret())),
                    },
                }
            }
            Op::CallFunOnly => {
                charge!(m.a() as usize + 1);
                match closure(&mut m) {
                    Some(target) => m.pc = target,
                    None => out!(call_fun(m.a() as usize, stub::ret())),
                }
            }
            Op::Apply => run!(step::apply),
            Op::ApplyLast => {
                charge!(m.a() as usize + 2);
                let arity = m.a();
                if m.x(arity).is_atom() && m.x(arity + 1).is_atom() {
                    m.drop_slots(m.b());
                }
                out!(apply(arity as usize, stub::ret()));
            }
            Op::ApplyOnly => {
                charge!(m.a() as usize + 2);
                out!(apply(m.a() as usize, stub::ret()));
            }
            Op::ApplyList => {
                charge!(3);
                out!(apply_list());
            }
            Op::Return => run!(step::return_),

            // ---- frames and space ----
            Op::Allocate => run!(step::allocate),
            Op::Deallocate => {
                m.drop_slots(m.a());
                m.go(1);
            }
            Op::DeallocateReturn => run!(step::deallocate_return),
            Op::Trim => run!(step::trim),
            Op::TestHeap => {
                if m.has_room(m.h() as usize) {
                    m.go(1);
                } else {
                    out!(make_room(m.h() as usize, m.a() as usize));
                }
            }
            Op::AllocateStress => {
                out!(make_room(m.a() as usize, m.b() as usize));
                m.make_frame(m.a() as usize);
                m.go(1);
            }
            Op::TestHeapStress => {
                out!(make_room(m.h() as usize, m.a() as usize));
                m.go(1);
            }

            // ---- moves ----
            Op::Move => {
                let value = m.get(m.a());
                m.set(m.b(), value);
                m.go(1);
            }
            Op::MoveXX => run!(step::move_xx),
            Op::MoveXY => run!(step::move_xy),
            Op::MoveYX => run!(step::move_yx),
            Op::MoveConst => run!(step::move_const),
            Op::Swap => run!(step::swap),

            // ---- tests ----
            Op::IsInteger => run!(step::is_integer),
            Op::IsFloat => run!(step::is_float),
            Op::IsNumber => type_test!(|term| Live::is_integer(term) || Live::is_float(term)),
            Op::IsAtom => type_test!(|term| term.is_atom()),
            Op::IsBoolean => type_test!(|term| is_boolean(term)),
            Op::IsPid => type_test!(|term| term.is_pid()),
            Op::IsPort => type_test!(|term| term.is_port()),
            Op::IsReference => type_test!(|term| {
                Live::is_boxed_of(term, Subtag::Ref) || Live::is_boxed_of(term, Subtag::Resource)
            }),
            Op::IsBinary => {
                type_test!(|term| bit_length(term).is_some_and(|bits| bits.is_multiple_of(8)))
            }
            Op::IsBitstring => type_test!(|term| bit_length(term).is_some()),
            Op::IsList => type_test!(|term| term.is_cons() || term.is_nil()),
            Op::IsCons => run!(step::is_cons),
            Op::IsNil => type_test!(|term| term.is_nil()),
            Op::IsTuple => type_test!(|term| Live::is_boxed_of(term, Subtag::Tuple)),
            Op::IsTupleOf => run!(step::is_tuple_of),
            Op::IsTagged => run!(step::is_tagged),
            Op::IsMap => type_test!(|term| {
                Live::is_boxed_of(term, Subtag::FlatMap) || Live::is_boxed_of(term, Subtag::HashMap)
            }),
            Op::IsFun => type_test!(|term| fun_arity(term).is_some()),
            Op::IsFunOf => {
                let (fun, arity) = (m.get(m.a()), m.get(m.b()));
                test_far!(2, arity.is_small() && fun_arity(fun) == Some(arity.small_value()))
            }
            Op::IsLt => run!(step::is_lt),
            Op::IsGe => run!(step::is_ge),
            Op::IsLtXX => run!(step::is_lt_xx),
            Op::IsGeXX => run!(step::is_ge_xx),
            Op::IsEq => run!(step::is_eq),
            Op::IsNe => run!(step::is_ne),
            Op::IsExactEq => run!(step::is_exact_eq),
            Op::IsExactNe => run!(step::is_exact_ne),
            Op::IsLtSmall => run!(step::is_lt_small),
            Op::IsGeSmall => run!(step::is_ge_small),
            Op::IsGtSmall => run!(step::is_gt_small),
            Op::IsLeSmall => run!(step::is_le_small),
            Op::IsExactEqImmediate => run!(step::is_exact_eq_immediate),
            Op::IsExactEqNear4 => run!(step::is_exact_eq_near4),
            Op::IsExactEqNear5 => run!(step::is_exact_eq_near5),
            Op::IsExactEqNear6 => run!(step::is_exact_eq_near6),
            Op::IsExactEqNear7 => run!(step::is_exact_eq_near7),
            Op::IsExactEqNear8 => run!(step::is_exact_eq_near8),
            Op::IsExactEqNear9 => run!(step::is_exact_eq_near9),
            Op::IsExactNeImmediate => run!(step::is_exact_ne_immediate),

            // ---- control ----
            Op::Jump => m.go(m.h()),
            Op::SelectLinear => run!(step::select_linear),
            Op::Select3 => run!(step::select3),
            Op::SelectBinary => {
                let (key, count) = (m.get(m.a()).bits(), m.b() as usize);
                let (mut low, mut high) = (0, count);
                while low < high {
                    let middle = (low + high) / 2;
                    if m.operand(2 + 2 * middle) < key { low = middle + 1 } else { high = middle }
                }
                let found = low < count && m.operand(2 + 2 * low) == key;
                m.go(m.operand(if found { 3 + 2 * low } else { 1 }) as isize);
            }
            Op::SelectTable => {
                let key = m.get(m.a());
                // Of an integer below the first the difference is a large number; the tag of others stays in the low bits.
                let index = key.bits().wrapping_sub(m.operand(2)).rotate_right(3);
                let known = index < u64::from(m.b());
                m.go(m.operand(if known { 3 + index as usize } else { 1 }) as isize);
            }
            Op::SelectArity => run!(step::select_arity),
            Op::SelectArity2 => run!(step::select_arity2),

            // ---- taking apart ----
            Op::GetList => run!(step::get_list),
            Op::GetHd => run!(step::get_hd),
            Op::GetTl => run!(step::get_tl),
            Op::GetElement => run!(step::get_element),
            Op::GetListXXX => run!(step::get_list_xxx),
            Op::GetElementXX => run!(step::get_element_xx),
            Op::GetListChecked | Op::GetHdChecked | Op::GetTlChecked if !m.get(m.a()).is_cons() => {
                out!(raise_atom(known::BADARG));
            }
            Op::GetListChecked => {
                let (head, tail) = Live::cell(m.get(m.a()));
                m.set(m.b(), head);
                m.set(m.c(), tail);
                m.go(1);
            }
            Op::GetHdChecked => {
                let (head, _) = Live::cell(m.get(m.a()));
                m.set(m.b(), head);
                m.go(1);
            }
            Op::GetTlChecked => {
                let (_, tail) = Live::cell(m.get(m.a()));
                m.set(m.b(), tail);
                m.go(1);
            }
            Op::GetElementChecked => {
                let (tuple, index) = (m.get(m.a()), m.operand(1) as usize);
                if Live::is_boxed_of(tuple, Subtag::Tuple) && index < Live::header(tuple).header_arity() {
                    let element = Live::body(tuple, index);
                    m.set(m.b(), element);
                    m.go(2);
                } else {
                    out!(raise_atom(known::BADARG));
                }
            }

            // ---- building ----
            Op::PutList => run!(step::put_list),
            Op::PutListConst => {
                let (head, tail) = (m.get(m.a()), Word::from_bits(m.operand(1)));
                let list = m.cons(head, tail);
                m.set(m.b(), list);
                m.go(2);
            }
            Op::PutTuple => {
                let count = m.b() as usize;
                let tuple = m.build(Word::header(Subtag::Tuple, count), 1, count);
                m.set(m.a(), tuple);
                m.go(1 + count as isize);
            }
            Op::MakeFun => {
                let count = m.b() as usize;
                // The entry's address is aligned and so reads as a small integer: it is built like a captured value.
                let fun = m.build(Word::header(Subtag::Fun, 1 + count), 1, 1 + count);
                m.set(m.a(), fun);
                m.go(2 + count as isize);
            }

            // ---- natives in expressions ----
            Op::Bif => out!(bif()),
            Op::Add => run!(step::add),
            Op::AddXXX => run!(step::add_xxx),
            Op::AddYXX => run!(step::add_yxx),
            Op::AddConst => run!(step::add_const),
            Op::Sub => run!(step::sub),
            Op::SubXXX => run!(step::sub_xxx),
            Op::SubConst => run!(step::sub_const),
            Op::Mul => run!(step::mul),
            Op::MulXXX => run!(step::mul_xxx),
            Op::MulConst => run!(step::mul_const),
            Op::Slash => run!(step::slash),
            Op::SlashConst => run!(step::slash_const),
            Op::Div => run!(step::div),
            Op::DivConst => run!(step::div_const),
            Op::Rem => run!(step::rem),
            Op::RemConst => run!(step::rem_const),
            Op::Band => run!(step::band),
            Op::BandConst => run!(step::band_const),
            Op::Bor => run!(step::bor),
            Op::BorConst => run!(step::bor_const),
            Op::Bxor => run!(step::bxor),
            Op::BxorConst => run!(step::bxor_const),
            Op::Bsl => run!(step::bsl),
            Op::BslConst => run!(step::bsl_const),
            Op::Bsr => run!(step::bsr),
            Op::BsrConst => run!(step::bsr_const),
            Op::Negate => run!(step::negate),
            Op::AddSmall => run!(step::add_small),
            Op::AddSmallLeft => run!(step::add_small_left),
            Op::SubSmall => run!(step::sub_small),
            Op::AddSmallXX => run!(step::add_small_xx),
            Op::SubSmallXX => run!(step::sub_small_xx),
            Op::SubSmallYX => run!(step::sub_small_yx),
            Op::SlashXXX => run!(step::slash_xxx),
            Op::AddFloat => run!(step::add_float),
            Op::SubFloat => run!(step::sub_float),
            Op::MulFloat => run!(step::mul_float),
            Op::SlashNumber => run!(step::slash_number),
            Op::NumberSlash => run!(step::number_slash),
            Op::BifAbs => run!(step::abs),
            Op::BifFloat => run!(step::float),
            Op::BifTrunc => run!(step::trunc),
            Op::BifRound => run!(step::round),
            Op::MathSqrt => run!(step::math_sqrt),
            Op::Math => run!(step::math),
            Op::BifHd => {
                let list = m.get(m.a());
                if list.is_cons() {
                    let (head, _) = Live::cell(list);
                    m.set(m.b(), head);
                    m.go(2);
                } else {
                    out!(unary(HD, list));
                }
            }
            Op::BifTl => {
                let list = m.get(m.a());
                if list.is_cons() {
                    let (_, tail) = Live::cell(list);
                    m.set(m.b(), tail);
                    m.go(2);
                } else {
                    out!(unary(TL, list));
                }
            }
            Op::BifElement => {
                let (index, tuple) = (m.get(m.a()), m.get(m.b()));
                match element(index, tuple) {
                    Some(element) => {
                        m.set(m.c(), element);
                        m.go(2);
                    }
                    None => out!(operator(ELEMENT, index, tuple)),
                }
            }
            Op::BifTupleSize => {
                let tuple = m.get(m.a());
                if Live::is_boxed_of(tuple, Subtag::Tuple) {
                    m.set(m.b(), Word::small(Live::header(tuple).header_arity() as i64));
                    m.go(2);
                } else {
                    out!(unary(TUPLE_SIZE, tuple));
                }
            }
            Op::BifByteSize => {
                let bits = m.get(m.a());
                match bit_length(bits) {
                    Some(length) => {
                        m.set(m.b(), Word::small(length.div_ceil(8) as i64));
                        m.go(2);
                    }
                    None => out!(unary(BYTE_SIZE, bits)),
                }
            }

            // ---- comparisons as values ----
            Op::ValueEq => run!(step::value_eq),
            Op::ValueNe => run!(step::value_ne),
            Op::ValueExactEq => run!(step::value_exact_eq),
            Op::ValueExactNe => run!(step::value_exact_ne),
            Op::ValueLt => run!(step::value_lt),
            Op::ValueGe => run!(step::value_ge),

            // ---- maps ----
            Op::BifMapGet => {
                let (map, key) = (m.get(m.a()), m.source(m.operand(2)));
                let value = if key.is_immediate() && Live::is_boxed_of(map, Subtag::FlatMap) {
                    flat_value(map, key)
                } else {
                    None
                };
                match value {
                    Some(value) => {
                        m.set(m.b(), value);
                        m.go(3);
                    }
                    None => out!(map_get_native(MAP_GET, key, map)),
                }
            }
            Op::MapPut => out!(map_store(false)),
            Op::MapUpdate => out!(map_store(true)),
            Op::MapGet => {
                let (map, count) = (m.get(m.a()), m.b() as usize);
                // The usual case: one immediate key of a small map, found by its word.
                let key = m.source(m.operand(2));
                if count == 1 && key.is_immediate() && Live::is_boxed_of(map, Subtag::FlatMap) {
                    match flat_value(map, key) {
                        Some(value) => {
                            m.set((m.operand(3) >> 3) as u16, value);
                            m.go(4);
                        }
                        None => fail!(),
                    }
                } else {
                    out!(map_get());
                }
            }
            Op::MapGetImmediate => {
                let map = m.get(m.a());
                if Live::is_boxed_of(map, Subtag::FlatMap) {
                    if flat_values(&mut m, map) {
                        m.go(2 + 2 * m.b() as isize);
                    } else {
                        fail!();
                    }
                } else {
                    out!(map_get());
                }
            }
            Op::MapHas => out!(map_has()),

            // ---- bitstrings ----
            Op::BsCreate => out!(bs_create()),
            Op::BsAppendByte => run!(bits::step::append_byte),
            Op::BsAppend => run!(bits::step::append),
            Op::BsNew => {
                if m.has_room(bits::append::NEW_WORDS) && bits::append::new(&mut m) {
                    m.go(m.operand(1) as isize);
                } else {
                    m.go(2 + 2 * m.b() as isize);
                }
            }
            Op::BsStart => fast!(start(), bs_start),
            Op::BsInteger => out!(bs_integer()),
            Op::BsIntegerFixed => fast!(integer()),
            Op::BsIntegerShaped => fast!(shaped_integer()),
            Op::BsStartByte => run!(bits::step::start_byte),
            Op::BsRun => run!(bits::step::run),
            Op::BsRestCallOnly => run!(bits::step::rest_call_only),
            Op::BsFloat => fast!(float(), bs_float),
            Op::BsBinary => fast!(binary(), bs_binary),
            Op::BsUtf => fast!(utf(), bs_utf),
            Op::BsSkip => fast!(skip()),
            Op::BsConstant => fast!(constant()),
            Op::BsString => out!(bs_string()),
            Op::BsTail => {
                let left = bits::take::Context::of(m.get(m.a())).left() as u64;
                test_far!(3, left == m.operand(2))
            }
            Op::BsGetPosition => {
                let position = bits::take::Context::of(m.get(m.a())).position();
                m.set(m.b(), Word::small(position as i64));
                m.go(1);
            }
            Op::BsSetPosition => fast!(set_position(), bs_set_position),
            Op::BsGetTail => fast!(get_tail(), bs_get_tail),
            Op::BsRest => fast!(rest()),
            Op::BsWhole => fast!(whole(), bs_whole),
            Op::BsBegin => bits::fast::begin(&mut m),

            // ---- exceptions ----
            Op::Try => {
                let mark = exception::mark(m.pc.wrapping_offset(m.h()));
                m.set_y(m.a(), mark);
                m.go(1);
            }
            Op::TryEnd => {
                m.set_y(m.a(), Word::NIL);
                m.go(1);
            }
            // Unwinding has made the slot nil.
            Op::TryCase => m.go(1),
            Op::CatchEnd => {
                if m.y(m.a()).is_nil() {
                    out!(caught());
                } else {
                    m.set_y(m.a(), Word::NIL);
                    m.go(1);
                }
            }
            Op::BadMatch => out!(raise_tagged(known::BADMATCH, m.source(m.operand(1)))),
            Op::CaseClause => out!(raise_tagged(known::CASE_CLAUSE, m.source(m.operand(1)))),
            Op::TryClause => out!(raise_tagged(known::TRY_CLAUSE, m.source(m.operand(1)))),
            Op::BadRecord => out!(raise_tagged(known::BADRECORD, m.source(m.operand(1)))),
            Op::IfClause => out!(raise_atom(known::IF_CLAUSE)),
            Op::ReRaise => out!(re_raise()),
            Op::BuildTrace => out!(build_trace(m.get(m.a()), m.b())),

            // ---- super-instructions in front of their parts ----
            Op::LtSmallReturn => run!(step::lt_small_return),
            Op::GeSmallReturn => run!(step::ge_small_return),
            Op::EqReturn => run!(step::eq_return),
            Op::AllocateMove => run!(step::allocate_move),
            Op::AllocateMoves => run!(step::allocate_moves),
            Op::AllocateMoves2 => run!(step::allocate_moves2),
            Op::AllocateMoves3 => run!(step::allocate_moves3),
            Op::EqMoveReturn => run!(step::eq_move_return),
            Op::EqConstReturn => run!(step::eq_const_return),
            Op::NilReturn => run!(step::nil_return),
            Op::NilMoveReturn => run!(step::nil_move_return),
            Op::MapNew => {
                let count = m.b() as usize;
                if m.has_room(2 + count) {
                    // The tuple of keys is a constant term: it is built in like a value.
                    let map = m.build(Word::header(Subtag::FlatMap, 1 + count), 1, 1 + count);
                    m.set(m.a(), map);
                    // Behind the prefix of 2 + n words: first word and offset of `map_put`, and its n pairs. The map itself,
                    // a constant, was moved into a scratch register in front of it by two words more.
                    m.go((2 + count + 4 + 2 * count) as isize);
                } else {
                    m.go(2 + count as isize);
                }
            }
            Op::AddSmallCallYX => run!(step::add_small_call_yx),
            Op::AddSmallCallXX => run!(step::add_small_call_xx),
            Op::AddReturnYX => run!(step::add_return_yx),
            Op::AddSmallCall => run!(step::add_small_call_any),
            Op::AddSmallCallOnly => run!(step::add_small_call_only),
            Op::AddSmallCallLast => run!(step::add_small_call_last),
            Op::AddReturn => run!(step::add_return_any),
            Op::Move2CallYX => run!(step::move2_call_yx),
            Op::Move2CallLastYX => run!(step::move2_call_last_yx),
            Op::Move3CallLastYX => run!(step::move3_call_last_yx),
            Op::ConsSplit => run!(step::cons_split),
            Op::ConsAllocateSplit => run!(step::cons_allocate_split),
            Op::HeapConsConst => run!(step::heap_cons_const),
            Op::HeapTuple => run!(step::heap_tuple),
            Op::HeapTupleX => run!(step::heap_tuple_x),
            Op::HeapTuple2 => run!(step::heap_tuple2),
            Op::HeapTuple3 => run!(step::heap_tuple3),
            Op::HeapConsReturn => run!(step::heap_cons_return),
            Op::GetElement2 => run!(step::get_element2),
            Op::GetElement2XXX => run!(step::get_element2_xxx),
            Op::Clear => {
                let mut slots = m.operand(1);
                while slots != 0 {
                    m.set_y(slots.trailing_zeros() as u16, Word::NIL);
                    slots &= slots - 1;
                }
                m.go(2);
            }
            Op::Select2 => run!(step::select2),
            Op::HeapCons => run!(step::heap_cons),

            // ---- chains ----
            Op::BsStartByteThenIsExactEqImmediate => {
                run!(bits::step::start_byte, step::is_exact_eq_immediate)
            }
            Op::BsStartByteThenIsExactNeImmediate => {
                run!(bits::step::start_byte, step::is_exact_ne_immediate)
            }
            Op::BsStartByteThenIsGeSmall => run!(bits::step::start_byte, step::is_ge_small),
            Op::BsStartByteThenSelect2 => run!(bits::step::start_byte, step::select2),
            Op::IsExactNeImmediateThenIsExactNeImmediate => {
                run!(step::is_exact_ne_immediate, step::is_exact_ne_immediate)
            }
            Op::IsExactNeImmediateThenIsExactEqImmediate => {
                run!(step::is_exact_ne_immediate, step::is_exact_eq_immediate)
            }
            Op::BsAppendByteThenCallOnly => run!(bits::step::append_byte, step::call_only),
            Op::BsAppendThenCallOnly => run!(bits::step::append, step::call_only),
            Op::BandConstThenBsAppendByte => run!(step::band_const, bits::step::append_byte),
            Op::SubSmallXXThenBsAppendByte => run!(step::sub_small_xx, bits::step::append_byte),
            Op::EqMoveReturnThenSubSmallXX => run!(step::eq_move_return, step::sub_small_xx),
            Op::SubSmallXXThenAddXXX => run!(step::sub_small_xx, step::add_xxx),
            Op::AddXXXThenCallOnly => run!(step::add_xxx, step::call_only),
            Op::AddXXXThenReturn => run!(step::add_xxx, step::return_),
            Op::AddXXXThenAddXXX => run!(step::add_xxx, step::add_xxx),
            Op::AddXXXThenAddSmallXX => run!(step::add_xxx, step::add_small_xx),
            Op::MulXXXThenAddXXX => run!(step::mul_xxx, step::add_xxx),
            Op::MulXXXThenMulXXX => run!(step::mul_xxx, step::mul_xxx),
            Op::MulConstThenAddSmallXX => run!(step::mul_const, step::add_small_xx),
            Op::LtSmallReturnThenAllocateMove => run!(step::lt_small_return, step::allocate_move),
            Op::LtSmallReturnThenAllocateMoveThenAddSmallCallYX => {
                run!(step::lt_small_return, step::allocate_move, step::add_small_call_yx)
            }
            Op::AllocateMoveThenAddSmallCallYX => run!(step::allocate_move, step::add_small_call_yx),
            Op::AllocateMoveThenCall => run!(step::allocate_move, step::call),
            Op::AllocateMovesThenCall => run!(step::allocate_moves, step::call),
            Op::MoveXYThenAddSmallCallYX => run!(step::move_xy, step::add_small_call_yx),
            Op::MoveXYThenSubSmallYX => run!(step::move_xy, step::sub_small_yx),
            Op::EqConstReturnThenAllocateMoves => run!(step::eq_const_return, step::allocate_moves),
            Op::EqConstReturnThenAllocateMove => run!(step::eq_const_return, step::allocate_move),
            Op::IsTupleOfThenGetElement2XXX => run!(step::is_tuple_of, step::get_element2_xxx),
            Op::IsTupleOfThenGetElementXX => run!(step::is_tuple_of, step::get_element_xx),
            Op::IsTaggedThenGetElement2XXX => run!(step::is_tagged, step::get_element2_xxx),
            Op::IsTaggedThenGetElementXX => run!(step::is_tagged, step::get_element_xx),
            Op::GetElement2XXXThenGetElement2XXX => run!(step::get_element2_xxx, step::get_element2_xxx),
            Op::GetElement2XXXThenGetElementXX => run!(step::get_element2_xxx, step::get_element_xx),
            Op::GetElement2XXXThenSelect3 => run!(step::get_element2_xxx, step::select3),
            Op::GetElementXXThenSelect3 => run!(step::get_element_xx, step::select3),
            Op::GetElementXXThenIsExactEq => run!(step::get_element_xx, step::is_exact_eq),
            Op::GetElementXXThenIsExactEqImmediate => run!(step::get_element_xx, step::is_exact_eq_immediate),
            Op::GetElementXXThenReturn => run!(step::get_element_xx, step::return_),
            Op::RemConstThenIsExactEqImmediate => run!(step::rem_const, step::is_exact_eq_immediate),
            Op::RemConstThenIsExactNeImmediate => run!(step::rem_const, step::is_exact_ne_immediate),
            Op::BandConstThenIsExactEqImmediate => run!(step::band_const, step::is_exact_eq_immediate),
            Op::BandConstThenDeallocateReturn => run!(step::band_const, step::deallocate_return),
            Op::IsConsThenAllocate => run!(step::is_cons, step::allocate),
            Op::IsConsThenGetListXXX => run!(step::is_cons, step::get_list_xxx),
            Op::IsConsThenGetHd => run!(step::is_cons, step::get_hd),
            Op::MoveYXThenTrim => run!(step::move_yx, step::trim),
            Op::MoveYXThenTrimThenCall => run!(step::move_yx, step::trim, step::call),
            Op::MoveYXThenCall => run!(step::move_yx, step::call),
            Op::MoveYXThenCallNative => run!(step::move_yx, step::call_native),
            Op::MoveYXThenCallExt => run!(step::move_yx, step::call_ext),
            Op::MoveXXThenCall => run!(step::move_xx, step::call),
            Op::MoveXXThenCallExt => run!(step::move_xx, step::call_ext),
            Op::MoveXXThenCallNative => run!(step::move_xx, step::call_native),
            Op::MoveXXThenReturn => run!(step::move_xx, step::return_),
            Op::MoveConstThenCall => run!(step::move_const, step::call),
            Op::MoveConstThenCallOnly => run!(step::move_const, step::call_only),
            Op::MoveConstThenCallExt => run!(step::move_const, step::call_ext),
            Op::MoveConstThenCallNative => run!(step::move_const, step::call_native),
            Op::MoveConstThenMoveConst => run!(step::move_const, step::move_const),
            Op::MoveConstThenDeallocateReturn => run!(step::move_const, step::deallocate_return),
            Op::MoveConstThenReturn => run!(step::move_const, step::return_),
            Op::MoveXYThenCallNative => run!(step::move_xy, step::call_native),
            Op::MoveXYThenCall => run!(step::move_xy, step::call),
            Op::MoveXYThenCallExt => run!(step::move_xy, step::call_ext),
            Op::MoveXYThenMoveYX => run!(step::move_xy, step::move_yx),
            Op::SwapThenSwap => run!(step::swap, step::swap),
            Op::SwapThenCallOnly => run!(step::swap, step::call_only),
            Op::SwapThenSwapThenCallOnly => run!(step::swap, step::swap, step::call_only),
            Op::HeapTuple2ThenReturn => run!(step::heap_tuple2, step::return_),
            Op::HeapTuple3ThenReturn => run!(step::heap_tuple3, step::return_),
            Op::HeapTuple2ThenDeallocateReturn => run!(step::heap_tuple2, step::deallocate_return),
            Op::HeapTuple3ThenDeallocateReturn => run!(step::heap_tuple3, step::deallocate_return),
            Op::HeapTupleThenReturn => run!(step::heap_tuple, step::return_),
            Op::HeapConsThenCallOnly => run!(step::heap_cons, step::call_only),
            Op::HeapConsThenReturn => run!(step::heap_cons, step::return_),
            Op::PutListThenPutList => run!(step::put_list, step::put_list),
            Op::PutListThenCallOnly => run!(step::put_list, step::call_only),
            Op::ConsSplitThenIsTupleOf => run!(step::cons_split, step::is_tuple_of),
            Op::ConsSplitThenIsTupleOfThenGetElementXX => {
                run!(step::cons_split, step::is_tuple_of, step::get_element_xx)
            }
            Op::ConsSplitThenRemConst => run!(step::cons_split, step::rem_const),
            Op::ConsSplitThenHeapCons => run!(step::cons_split, step::heap_cons),
            Op::IsLtXXThenMoveXX => run!(step::is_lt_xx, step::move_xx),
            Op::IsGeXXThenMoveXX => run!(step::is_ge_xx, step::move_xx),
            Op::AllocateMovesThenSubSmallYX => run!(step::allocate_moves, step::sub_small_yx),
            Op::SubSmallYXThenMove2CallYX => run!(step::sub_small_yx, step::move2_call_yx),
            Op::SubSmallXXThenSubSmallXX => run!(step::sub_small_xx, step::sub_small_xx),
            Op::SubSmallXXThenAddSmallXX => run!(step::sub_small_xx, step::add_small_xx),
            Op::MoveXXThenMoveXX => run!(step::move_xx, step::move_xx),
            Op::MoveXXThenMoveXY => run!(step::move_xx, step::move_xy),
            Op::MoveXXThenMoveYX => run!(step::move_xx, step::move_yx),
            Op::MoveXYThenMoveXX => run!(step::move_xy, step::move_xx),
            Op::MoveXYThenMoveXY => run!(step::move_xy, step::move_xy),
            Op::MoveYXThenMoveXX => run!(step::move_yx, step::move_xx),
            Op::MoveYXThenMoveYX => run!(step::move_yx, step::move_yx),
            Op::MoveXXThenMoveXXThenCall => run!(step::move_xx, step::move_xx, step::call),
            Op::MoveXXThenMoveXXThenCallOnly => run!(step::move_xx, step::move_xx, step::call_only),
            Op::MoveXXThenMoveXXThenCallFun => run!(step::move_xx, step::move_xx, step::call_fun),
            Op::MoveXXThenMoveXXThenCallExt => run!(step::move_xx, step::move_xx, step::call_ext),
            Op::MoveXXThenMoveXXThenCallNative => run!(step::move_xx, step::move_xx, step::call_native),
            Op::MoveXXThenMoveXXThenMoveXX => run!(step::move_xx, step::move_xx, step::move_xx),
            Op::MoveXXThenMoveXXThenMoveXY => run!(step::move_xx, step::move_xx, step::move_xy),
            Op::MoveXXThenMoveXXThenMoveYX => run!(step::move_xx, step::move_xx, step::move_yx),
            Op::MoveXXThenMoveXYThenCall => run!(step::move_xx, step::move_xy, step::call),
            Op::MoveXXThenMoveXYThenCallFun => run!(step::move_xx, step::move_xy, step::call_fun),
            Op::MoveXXThenMoveXYThenCallExt => run!(step::move_xx, step::move_xy, step::call_ext),
            Op::MoveXXThenMoveXYThenCallNative => run!(step::move_xx, step::move_xy, step::call_native),
            Op::MoveXXThenMoveXYThenMoveXX => run!(step::move_xx, step::move_xy, step::move_xx),
            Op::MoveXXThenMoveXYThenMoveXY => run!(step::move_xx, step::move_xy, step::move_xy),
            Op::MoveXXThenMoveXYThenMoveYX => run!(step::move_xx, step::move_xy, step::move_yx),
            Op::MoveXXThenMoveYXThenCall => run!(step::move_xx, step::move_yx, step::call),
            Op::MoveXXThenMoveYXThenCallLast => run!(step::move_xx, step::move_yx, step::call_last),
            Op::MoveXXThenMoveYXThenCallFun => run!(step::move_xx, step::move_yx, step::call_fun),
            Op::MoveXXThenMoveYXThenCallExt => run!(step::move_xx, step::move_yx, step::call_ext),
            Op::MoveXXThenMoveYXThenCallNative => run!(step::move_xx, step::move_yx, step::call_native),
            Op::MoveXXThenMoveYXThenMoveXX => run!(step::move_xx, step::move_yx, step::move_xx),
            Op::MoveXXThenMoveYXThenMoveYX => run!(step::move_xx, step::move_yx, step::move_yx),
            Op::MoveXYThenMoveXXThenCall => run!(step::move_xy, step::move_xx, step::call),
            Op::MoveXYThenMoveXXThenCallFun => run!(step::move_xy, step::move_xx, step::call_fun),
            Op::MoveXYThenMoveXXThenCallExt => run!(step::move_xy, step::move_xx, step::call_ext),
            Op::MoveXYThenMoveXXThenCallNative => run!(step::move_xy, step::move_xx, step::call_native),
            Op::MoveXYThenMoveXXThenMoveXX => run!(step::move_xy, step::move_xx, step::move_xx),
            Op::MoveXYThenMoveXXThenMoveXY => run!(step::move_xy, step::move_xx, step::move_xy),
            Op::MoveXYThenMoveXXThenMoveYX => run!(step::move_xy, step::move_xx, step::move_yx),
            Op::MoveXYThenMoveXYThenCall => run!(step::move_xy, step::move_xy, step::call),
            Op::MoveXYThenMoveXYThenCallFun => run!(step::move_xy, step::move_xy, step::call_fun),
            Op::MoveXYThenMoveXYThenCallExt => run!(step::move_xy, step::move_xy, step::call_ext),
            Op::MoveXYThenMoveXYThenCallNative => run!(step::move_xy, step::move_xy, step::call_native),
            Op::MoveXYThenMoveXYThenMoveXX => run!(step::move_xy, step::move_xy, step::move_xx),
            Op::MoveXYThenMoveXYThenMoveXY => run!(step::move_xy, step::move_xy, step::move_xy),
            Op::MoveXYThenMoveXYThenMoveYX => run!(step::move_xy, step::move_xy, step::move_yx),
            Op::MoveXYThenMoveYXThenCall => run!(step::move_xy, step::move_yx, step::call),
            Op::MoveXYThenMoveYXThenCallFun => run!(step::move_xy, step::move_yx, step::call_fun),
            Op::MoveXYThenMoveYXThenCallExt => run!(step::move_xy, step::move_yx, step::call_ext),
            Op::MoveXYThenMoveYXThenCallNative => run!(step::move_xy, step::move_yx, step::call_native),
            Op::MoveXYThenMoveYXThenMoveXX => run!(step::move_xy, step::move_yx, step::move_xx),
            Op::MoveXYThenMoveYXThenMoveYX => run!(step::move_xy, step::move_yx, step::move_yx),
            Op::MoveYXThenMoveXXThenCall => run!(step::move_yx, step::move_xx, step::call),
            Op::MoveYXThenMoveXXThenCallLast => run!(step::move_yx, step::move_xx, step::call_last),
            Op::MoveYXThenMoveXXThenCallFun => run!(step::move_yx, step::move_xx, step::call_fun),
            Op::MoveYXThenMoveXXThenMoveXX => run!(step::move_yx, step::move_xx, step::move_xx),
            Op::MoveYXThenMoveXXThenMoveYX => run!(step::move_yx, step::move_xx, step::move_yx),
            Op::MoveYXThenMoveYXThenCallFun => run!(step::move_yx, step::move_yx, step::call_fun),
            Op::MoveYXThenMoveYXThenCallExt => run!(step::move_yx, step::move_yx, step::call_ext),
            Op::MoveYXThenMoveYXThenCallNative => run!(step::move_yx, step::move_yx, step::call_native),
            Op::MoveYXThenMoveYXThenMoveXX => run!(step::move_yx, step::move_yx, step::move_xx),
            Op::MoveYXThenMoveYXThenMoveYX => run!(step::move_yx, step::move_yx, step::move_yx),
            Op::MoveXXThenCallOnly => run!(step::move_xx, step::call_only),
            Op::MoveXXThenCallLast => run!(step::move_xx, step::call_last),
            Op::MoveXXThenCallFun => run!(step::move_xx, step::call_fun),
            Op::MoveXYThenCallFun => run!(step::move_xy, step::call_fun),
            Op::MoveYXThenCallLast => run!(step::move_yx, step::call_last),
            Op::MoveYXThenCallFun => run!(step::move_yx, step::call_fun),
            Op::TrimThenCall => run!(step::trim, step::call),
            Op::MoveYXThenMoveYXThenTrim => run!(step::move_yx, step::move_yx, step::trim),
            Op::AddXXXThenMoveXX => run!(step::add_xxx, step::move_xx),
            Op::AddXXXThenMoveXXThenCallOnly => run!(step::add_xxx, step::move_xx, step::call_only),
            Op::SubSmallXXThenAddXXXThenMoveXX => run!(step::sub_small_xx, step::add_xxx, step::move_xx),
            Op::AddSmallXXThenMoveXX => run!(step::add_small_xx, step::move_xx),
            Op::AddSmallXXThenMoveXXThenCallOnly => run!(step::add_small_xx, step::move_xx, step::call_only),
            Op::HeapConsThenMoveXX => run!(step::heap_cons, step::move_xx),
            Op::HeapConsThenMoveXXThenCallOnly => run!(step::heap_cons, step::move_xx, step::call_only),
            Op::PutListThenMoveXX => run!(step::put_list, step::move_xx),
            Op::PutListThenMoveXXThenCallOnly => run!(step::put_list, step::move_xx, step::call_only),
            Op::SubSmallXXThenMoveXX => run!(step::sub_small_xx, step::move_xx),
            Op::SubSmallXXThenMoveXXThenCallOnly => run!(step::sub_small_xx, step::move_xx, step::call_only),
            Op::SubSmallYXThenMoveYX => run!(step::sub_small_yx, step::move_yx),
            Op::SubSmallYXThenMoveYXThenCallLast => run!(step::sub_small_yx, step::move_yx, step::call_last),
            Op::AllocateThenMoveXX => run!(step::allocate, step::move_xx),
            Op::GetListThenMoveXY => run!(step::get_list, step::move_xy),
            Op::MulConstThenAddXXX => run!(step::mul_const, step::add_xxx),
            Op::MulConstThenAddXXXThenReturn => run!(step::mul_const, step::add_xxx, step::return_),
            Op::MoveConstThenValueExactEq => run!(step::move_const, step::value_exact_eq),
            Op::ValueExactEqThenReturn => run!(step::value_exact_eq, step::return_),
            Op::RemConstThenMoveConst => run!(step::rem_const, step::move_const),
            Op::RemConstThenMoveConstThenValueExactEq => {
                run!(step::rem_const, step::move_const, step::value_exact_eq)
            }
            Op::ConsAllocateSplitThenMoveXY => run!(step::cons_allocate_split, step::move_xy),
            Op::ConsAllocateSplitThenMoveXX => run!(step::cons_allocate_split, step::move_xx),
            Op::ConsAllocateSplitThenCall => run!(step::cons_allocate_split, step::call),
            Op::MulThenBandConst => run!(step::mul, step::band_const),
            Op::MulThenBandConstThenDeallocateReturn => {
                run!(step::mul, step::band_const, step::deallocate_return)
            }
            Op::SubThenDeallocateReturn => run!(step::sub, step::deallocate_return),
            Op::HeapConsConstThenCallLast => run!(step::heap_cons_const, step::call_last),
            Op::HeapConsConstThenCallOnly => run!(step::heap_cons_const, step::call_only),
            Op::IsExactEqThenGetElementXX => run!(step::is_exact_eq, step::get_element_xx),
            Op::IsExactEqThenGetElementXXThenReturn => {
                run!(step::is_exact_eq, step::get_element_xx, step::return_)
            }
            Op::GetElement2XXXThenGetElementXXThenSelect3 => {
                run!(step::get_element2_xxx, step::get_element_xx, step::select3)
            }
            Op::MoveConstThenMoveConstThenCall => run!(step::move_const, step::move_const, step::call),
            Op::MoveConstThenMoveConstThenCallExt => run!(step::move_const, step::move_const, step::call_ext),
            Op::MoveXYThenMoveConst => run!(step::move_xy, step::move_const),
            Op::MoveYXThenMoveConst => run!(step::move_yx, step::move_const),
            Op::MoveXXThenMoveConst => run!(step::move_xx, step::move_const),
            Op::AllocateThenAddSmallCallXX => run!(step::allocate, step::add_small_call_xx),
            Op::AddSmallLeftThenDeallocateReturn => run!(step::add_small_left, step::deallocate_return),
            Op::AddSmallXXThenDeallocateReturn => run!(step::add_small_xx, step::deallocate_return),
            Op::AddSmallXXThenReturn => run!(step::add_small_xx, step::return_),
            Op::IsConsThenIsExactEqImmediate => run!(step::is_cons, step::is_exact_eq_immediate),
            Op::IsGtSmallThenGetTl => run!(step::is_gt_small, step::get_tl),
            Op::IsGtSmallThenGetTlThenAddSmallCallOnly => {
                run!(step::is_gt_small, step::get_tl, step::add_small_call_only)
            }
            Op::GetTlThenAddSmallCallOnly => run!(step::get_tl, step::add_small_call_only),
            Op::MoveXXThenApply => run!(step::move_xx, step::apply),
            Op::SubSmallThenMoveXX => run!(step::sub_small, step::move_xx),
            Op::SubSmallThenMoveXXThenApply => run!(step::sub_small, step::move_xx, step::apply),
            Op::AllocateThenMoveXXThenMoveXY => run!(step::allocate, step::move_xx, step::move_xy),
            Op::ConsSplitThenIsTupleOfThenGetElementXXThenIsExactEq => {
                run!(step::cons_split, step::is_tuple_of, step::get_element_xx, step::is_exact_eq)
            }
            Op::AllocateMoves2ThenCall => run!(step::allocate_moves2, step::call),
            Op::AllocateMoves3ThenCall => run!(step::allocate_moves3, step::call),
            Op::EqConstReturnThenAllocateMoves2 => run!(step::eq_const_return, step::allocate_moves2),
            Op::EqConstReturnThenAllocateMoves3 => run!(step::eq_const_return, step::allocate_moves3),
            Op::AllocateMoves2ThenSubSmallYX => run!(step::allocate_moves2, step::sub_small_yx),
            Op::AllocateMoves3ThenSubSmallYX => run!(step::allocate_moves3, step::sub_small_yx),
            Op::AllocateMoves2ThenSubSmall => run!(step::allocate_moves2, step::sub_small),
            Op::AllocateMoves2ThenMoveXX => run!(step::allocate_moves2, step::move_xx),
            Op::AllocateMoves3ThenMoveYX => run!(step::allocate_moves3, step::move_yx),
            Op::AllocateMoves2ThenMoveYX => run!(step::allocate_moves2, step::move_yx),
            Op::MulXXXThenSubXXX => run!(step::mul_xxx, step::sub_xxx),
            Op::AddXXXThenMulXXX => run!(step::add_xxx, step::mul_xxx),
            Op::AddXXXThenSubXXX => run!(step::add_xxx, step::sub_xxx),
            Op::SubXXXThenSubXXX => run!(step::sub_xxx, step::sub_xxx),
            Op::SubXXXThenMulXXX => run!(step::sub_xxx, step::mul_xxx),
            Op::SubXXXThenAddXXX => run!(step::sub_xxx, step::add_xxx),
            Op::MulFloatThenAddXXX => run!(step::mul_float, step::add_xxx),
            Op::MulFloatThenMulXXX => run!(step::mul_float, step::mul_xxx),
            Op::MulFloatThenAddFloat => run!(step::mul_float, step::add_float),
            Op::AddFloatThenSlashXXX => run!(step::add_float, step::slash_xxx),
            Op::SlashXXXThenAddXXX => run!(step::slash_xxx, step::add_xxx),
            Op::AddXXXThenIsLeSmall => run!(step::add_xxx, step::is_le_small),
            Op::AddXXXThenIsGtSmall => run!(step::add_xxx, step::is_gt_small),
            Op::AddFloatThenCallOnly => run!(step::add_float, step::call_only),
            Op::AddYXXThenBandConst => run!(step::add_yxx, step::band_const),
            Op::AddYXXThenBandConstThenDeallocateReturn => {
                run!(step::add_yxx, step::band_const, step::deallocate_return)
            }
            Op::IsConsThenGetTl => run!(step::is_cons, step::get_tl),
            Op::PutListThenDeallocateReturn => run!(step::put_list, step::deallocate_return),
            Op::MoveXXThenMoveConstThenCallNative => run!(step::move_xx, step::move_const, step::call_native),
            Op::MoveYXThenMoveConstThenCall => run!(step::move_yx, step::move_const, step::call),
            Op::AllocateMoveThenMoveXX => run!(step::allocate_move, step::move_xx),
            Op::AllocateMoveThenMoveXXThenCall => run!(step::allocate_move, step::move_xx, step::call),
            Op::EqConstReturnThenAllocateMoveThenAddSmallCallYX => {
                run!(step::eq_const_return, step::allocate_move, step::add_small_call_yx)
            }
            Op::IsTupleOfThenGetElement2XXXThenIsExactEqImmediate => {
                run!(step::is_tuple_of, step::get_element2_xxx, step::is_exact_eq_immediate)
            }
            Op::AddSmallLeftThenMoveYX => run!(step::add_small_left, step::move_yx),
            Op::IsFloatThenIsFloat => run!(step::is_float, step::is_float),
            Op::IsFloatThenIsFloatThenIsFloat => run!(step::is_float, step::is_float, step::is_float),
            Op::IsIntegerThenIsGeSmall => run!(step::is_integer, step::is_ge_small),
            Op::SlashNumberThenAddXXX => run!(step::slash_number, step::add_xxx),
            Op::MulXXXThenSlashNumber => run!(step::mul_xxx, step::slash_number),
            Op::NumberSlashThenReturn => run!(step::number_slash, step::return_),
            Op::AddXXXThenNumberSlash => run!(step::add_xxx, step::number_slash),
            Op::NumberSlashThenMulXXX => run!(step::number_slash, step::mul_xxx),

            // ---- messages ----
            Op::LoopRec => match machine.process.mailbox.peek() {
                Some(message) if m.reductions > 0 => {
                    m.set(m.a(), message);
                    m.go(1);
                }
                _ => out!(loop_rec()),
            },
            Op::LoopRecEnd => {
                machine.process.mailbox.advance();
                m.reductions -= 1;
                if machine.process.mailbox.has_next() {
                    out!(pass_over());
                } else {
                    m.go(m.h());
                }
            }
            Op::RemoveMessage => out!(remove_message(m.a() as usize)),
            Op::Wait => out!(wait()),
            Op::WaitTimeout => out!(wait_timeout()),
            Op::Timeout => {
                machine.leave_receive();
                m.go(1);
            }
            Op::ReceiveMark => {
                machine.receive_mark(m.source(m.operand(1)));
                m.go(2);
            }
            Op::Send => {
                charge!(2);
                out!(send());
            }
        }
    }
}

/// The instruction of that number.
#[inline(always)]
fn decode(number: u16) -> Op {
    // SAFETY: I1: code positions hold first words, whose low 16 bits are the number of an instruction.
    unsafe { std::mem::transmute::<u16, Op>(number) }
}

/// Arity of the function `words` further on: the word before its entry.
#[cold]
fn arity_at(m: &Live, words: isize) -> usize {
    // SAFETY: I1: local calls lead to entries, before which the arity stands.
    unsafe { *m.pc.offset(words - 1) as usize }
}

/// The export cell at the address in an operand.
#[inline(always)]
fn export<'c>(address: u64) -> &'c ExportCell {
    // SAFETY: C3: the loader put the address of a cell there, which lives as long as the VM.
    unsafe { &*std::ptr::with_exposed_provenance(address as usize) }
}

/// If `x[a]` is a fun with an environment and that arity: puts the captured values behind the arguments, and gives
/// its code.
#[inline(always)]
fn closure(m: &mut Live) -> Option<*const u64> {
    let arity = m.a();
    let fun = m.x(arity);
    if !Live::is_boxed_of(fun, Subtag::Fun) {
        return None;
    }
    // SAFETY: H11: the second word of a fun is the address of its entry.
    let entry: &FunEntry = unsafe { &*std::ptr::with_exposed_provenance(Live::body(fun, 0).bits() as usize) };
    if u16::from(entry.arity) != arity {
        return None;
    }
    for index in 0..u16::from(entry.captured) {
        m.set_x(arity + index, Live::body(fun, 1 + index as usize));
    }
    Some(std::ptr::with_exposed_provenance(entry.target() as usize))
}

/// The code of an external fun of that arity.
fn callable(fun: Word, arity: u16) -> Option<*const u64> {
    if !Live::is_boxed_of(fun, Subtag::ExternalFun) || Live::body(fun, 2).small_value() != i64::from(arity) {
        return None;
    }
    match Live::body(fun, 3).bits() {
        0 => None,
        cell => Some(export(cell).entry()),
    }
}

/// The code of `x[a]:x[a+1]` with `a` arguments, if the names are atoms and the function has been heard of.
#[inline(always)]
fn applied(rt: &Runtime, m: &Live) -> Option<*const u64> {
    let arity = m.a();
    let (module, function) = (m.x(arity).as_atom()?, m.x(arity + 1).as_atom()?);
    rt.code.existing_export(Mfa { module, function, arity: arity as u8 }).map(ExportCell::entry)
}

/// Arity of a fun; `None` for other terms.
#[inline(always)]
fn fun_arity(term: Word) -> Option<i64> {
    // SAFETY: I3: an operand.
    bif::erlang::guard::fun_arity(unsafe { Term::from_word(term) }).map(i64::from)
}

#[inline(always)]
fn is_boolean(term: Word) -> bool {
    term == Word::atom(known::TRUE) || term == Word::atom(known::FALSE)
}

/// The value of an immediate key in a flat map.
#[inline(always)]
fn flat_value(map: Word, key: Word) -> Option<Word> {
    let keys = Live::body(map, 0);
    let count = Live::header(map).header_arity() - 1;
    (0..count).find(|&index| Live::body(keys, index) == key).map(|index| Live::body(map, 1 + index))
}

/// Reads the `b` immediate keys of a `map_get`, which are in the order of the map's, from a flat map; whether it has all.
#[inline(always)]
fn flat_values(m: &mut Live, map: Word) -> bool {
    let keys = Live::body(map, 0);
    let (count, wanted) = (Live::header(map).header_arity() - 1, m.b() as usize);
    let mut place = 0;
    for index in 0..wanted {
        let (key, target) = (m.operand(2 + 2 * index), m.operand(3 + 2 * index));
        let likely = (target >> 32) as usize;
        if likely < count && Live::body(keys, likely).bits() == key {
            place = likely + 1;
        } else {
            loop {
                if place == count {
                    return false;
                }
                place += 1;
                if Live::body(keys, place - 1).bits() == key {
                    break;
                }
            }
        }
        let value = Live::body(map, place);
        m.set((target >> 3) as u16, value);
    }
    true
}

/// Length of a bitstring in bits; `None` for other terms.
#[inline(always)]
fn bit_length(term: Word) -> Option<u64> {
    if !term.is_boxed() {
        return None;
    }
    match Live::header(term).header_subtag() {
        Subtag::HeapBits | Subtag::SharedBits => Some(Live::body(term, 0).bits()),
        Subtag::SubBits => Some(Live::body(term, 1).bits()),
        _ => None,
    }
}

/// `element(index, tuple)` if there is one.
#[inline(always)]
fn element(index: Word, tuple: Word) -> Option<Word> {
    if !index.is_small() || !Live::is_boxed_of(tuple, Subtag::Tuple) {
        return None;
    }
    let place = (index.small_value() as u64).wrapping_sub(1);
    (place < Live::header(tuple).header_arity() as u64).then(|| Live::body(tuple, place as usize))
}

/// The standard order, if it is found soon; that with a small integer always is.
#[inline(always)]
fn order(m: &mut Live, rt: &Runtime, x: Word, y: Word) -> Option<Ordering> {
    if x.both_small(y) {
        return Some((x.bits() as i64).cmp(&(y.bits() as i64)));
    }
    if x.is_nonzero_float() && y.is_nonzero_float() {
        return Some(if x.nonzero_float_value() < y.nonzero_float_value() {
            Ordering::Less
        } else if x == y {
            Ordering::Equal
        } else {
            Ordering::Greater
        });
    }
    let mut reductions = m.reductions;
    let order = long::order_soon(rt, x, y, &mut reductions);
    m.reductions = reductions;
    order
}

/// What their words alone do not say.
#[inline(always)]
fn equal_soon(m: &mut Live, x: Word, y: Word, exact: bool) -> Option<bool> {
    let mut reductions = m.reductions;
    let equal = long::equal_soon(x, y, exact, &mut reductions);
    m.reductions = reductions;
    equal
}

/// `=:=`, if it is found soon.
#[inline(always)]
fn same(m: &mut Live, x: Word, y: Word) -> Option<bool> {
    match words_equal(x, y, true) {
        None => equal_soon(m, x, y, true),
        known => known,
    }
}

/// `==`, if it is found soon.
#[inline(always)]
fn same_value(m: &mut Live, x: Word, y: Word) -> Option<bool> {
    match words_equal(x, y, false) {
        None => equal_soon(m, x, y, false),
        known => known,
    }
}
