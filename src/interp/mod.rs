//! The interpreter: runs one process for one slice.
//!
//! [`run`] is a loop around one `match` over the internal instructions ([`Op`]). What keeps it fast:
//! - The live state (position, stack, heap, reductions, registers' address) is in locals ([`live::Live`]); everything
//!   else is out of line in [`machine`] and the files beside it, and finds the live state written back.
//! - The hot path of each instruction falls through; the exceptional one calls out and goes on where that says.
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
mod live;
mod machine;
mod map;
mod number;
mod receive;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::atom::{Atoms, known};
use crate::bif;
use crate::code::op::Op;
use crate::code::{BifId, ExportCell, Mfa, stub};
use crate::heap::Fragment;
use crate::process::{Process, Resume, SliceEnd};
use crate::runtime::{Runtime, WorkerCx};
use crate::term::compare::{compare, equal, equal_exact};
use crate::term::{FunEntry, Subtag, Term, Word};
use bits::fast::Fast;
use live::Live;
use machine::Machine;

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
    MAP_GET = "map_get"/2;
    MINUS = "-"/2;
    NEGATE = "-"/1;
    TIMES = "*"/2;
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
    SEND = "send"/2;
}

impl Machine<'_> {
    /// Puts the process on the worker: where to begin, null if that ends it.
    fn start(&mut self) -> machine::Next {
        self.process.load_x(&mut self.worker.x[..]);
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
    // `c := a op b`, where word 1 is the jump: registers read with `$a` and `$b`, written with `$c`; the operator on small
    // integers, and on floats.
    macro_rules! arithmetic {
        ($native:ident, $a:ident, $b:ident, $c:ident, $small:ident, $float:ident) => {{
            let (x, y) = (m.$a(m.a()), m.$b(m.b()));
            match operated!($small, $float, x, y) {
                Some(result) => {
                    m.$c(m.c(), result);
                    m.go(2);
                }
                None => out!(operator($native, x, y)),
            }
        }};
    }
    // `c := a op constant`, or `constant op a` if `b` is not zero; the constant is in word 2.
    macro_rules! constant_arithmetic {
        ($native:ident, $a:ident, $c:ident, $small:ident, $float:ident) => {{
            let (x, y) = (m.$a(m.a()), Word::from_bits(m.operand(2)));
            match operated!($small, $float, x, y) {
                Some(result) => {
                    m.$c(m.c(), result);
                    m.go(3);
                }
                None => out!(constant_operator($native, x, y)),
            }
        }};
    }
    macro_rules! operated {
        ($small:ident, $float:ident, $x:ident, $y:ident) => {
            if $x.both_small($y) {
                number::$small($x, $y)
            } else if $x.is_nonzero_float() && $y.is_nonzero_float() {
                number::$float($x.nonzero_float_value(), $y.nonzero_float_value())
            } else {
                number::mixed($x, $y).and_then(|(x, y)| number::$float(x, y))
            }
        };
    }
    // Moves as in `move2` and `move3`, and the call behind the moves that follow the prefix of `$words` words.
    macro_rules! moves_call {
        ($words:literal, $moves:literal, $call:ident) => {
            moves_call!($words, $moves, $call, get, set)
        };
        ($words:literal, $moves:literal, $call:ident, $get:ident, $set:ident) => {{
            if m.reductions > 0 {
                m.reductions -= 1;
                let value = m.$get(m.a());
                m.$set(m.b(), value);
                if $moves > 1 {
                    let value = m.$get(m.c());
                    m.$set(m.field(1, 0), value);
                    if $moves > 2 {
                        let value = m.$get(m.field(1, 1));
                        m.$set(m.field(1, 2), value);
                    }
                }
                moves_call!($call, $words + $moves);
            } else {
                m.go($words);
            }
        }};
        (call, $at:expr) => {{
            m.push_return($at + 1);
            m.go($at + m.h_at($at));
        }};
        (call_only, $at:expr) => {
            m.go($at + m.h_at($at))
        };
        (call_last, $at:expr) => {{
            m.drop_slots(m.field($at, 1));
            m.go($at + m.h_at($at));
        }};
    }
    // Field `a` with the small constant in field `b`.
    macro_rules! small_arithmetic {
        ($a:ident, $c:ident, $small:ident, |$x:ident, $y:ident| $slow:ident($($arg:expr),*)) => {{
            let ($x, $y) = (m.$a(m.a()), Word::small(i64::from(m.b() as i16)));
            match if $x.is_small() { number::$small($x, $y) } else { None } {
                Some(result) => {
                    m.$c(m.c(), result);
                    m.go(2);
                }
                None => out!($slow($($arg),*)),
            }
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
                machine.exit_with(Fragment::immediate(Word::atom(known::NORMAL)), false);
                return machine.ended();
            }
            Op::FunctionClause => out!(function_clause(m.a() as usize)),

            // ---- calls ----
            Op::Call => {
                charge!(arity_at(&m, m.h()));
                m.push_return(1);
                m.go(m.h());
            }
            Op::CallLast => {
                charge!(arity_at(&m, m.h()));
                m.drop_slots(m.a());
                m.go(m.h());
            }
            Op::CallOnly => {
                charge!(arity_at(&m, m.h()));
                m.go(m.h());
            }
            Op::CallExt => {
                let cell = export(m.operand(1));
                charge!(usize::from(cell.mfa.arity));
                m.push_return(2);
                m.pc = cell.entry();
            }
            Op::CallExtLast => {
                let cell = export(m.operand(1));
                charge!(usize::from(cell.mfa.arity));
                m.drop_slots(m.a());
                m.pc = cell.entry();
            }
            Op::CallExtOnly => {
                let cell = export(m.operand(1));
                charge!(usize::from(cell.mfa.arity));
                m.pc = cell.entry();
            }
            Op::CallNative => {
                charge!(m.b() as usize);
                let next = m.pc.wrapping_add(1);
                out!(call_native(BifId(m.a()), m.b() as usize, next));
            }
            Op::CallFun => {
                charge!(m.a() as usize + 1);
                match closure(&mut m) {
                    Some(target) => {
                        m.push_return(1);
                        m.pc = target;
                    }
                    None => {
                        let next = m.pc.wrapping_add(1);
                        out!(call_fun(m.a() as usize, next));
                    }
                }
            }
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
            Op::Apply => {
                charge!(m.a() as usize + 2);
                match applied(machine.rt, &m) {
                    Some(target) => {
                        m.push_return(1);
                        m.pc = target;
                    }
                    None => {
                        let next = m.pc.wrapping_add(1);
                        out!(apply(m.a() as usize, next));
                    }
                }
            }
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
            Op::Return => m.pop_return(),

            // ---- frames and space ----
            Op::Allocate => {
                let slots = m.a() as usize;
                if m.has_room(slots) {
                    m.make_frame(slots);
                    m.go(1);
                } else {
                    out!(make_room(slots, m.b() as usize));
                }
            }
            Op::Deallocate => {
                m.drop_slots(m.a());
                m.go(1);
            }
            Op::DeallocateReturn => {
                m.drop_slots(m.a());
                m.pop_return();
            }
            Op::Trim => {
                m.drop_slots(m.a());
                m.go(1);
            }
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
            Op::MoveXX => {
                let value = m.x(m.a());
                m.set_x(m.b(), value);
                m.go(1);
            }
            Op::MoveXY => {
                let value = m.x(m.a());
                m.set_y(m.b(), value);
                m.go(1);
            }
            Op::MoveYX => {
                let value = m.y(m.a());
                m.set_x(m.b(), value);
                m.go(1);
            }
            Op::MoveConst => {
                m.set(m.a(), Word::from_bits(m.operand(1)));
                m.go(2);
            }
            Op::Swap => {
                let (x, y) = (m.get(m.a()), m.get(m.b()));
                m.set(m.a(), y);
                m.set(m.b(), x);
                m.go(1);
            }

            // ---- tests ----
            Op::IsInteger => type_test!(|term| Live::is_integer(term)),
            Op::IsFloat => type_test!(|term| Live::is_float(term)),
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
            Op::IsCons => type_test!(|term| term.is_cons()),
            Op::IsNil => type_test!(|term| term.is_nil()),
            Op::IsTuple => type_test!(|term| Live::is_boxed_of(term, Subtag::Tuple)),
            Op::IsTupleOf => {
                let term = m.get(m.a());
                test!(2, term.is_boxed() && Live::header(term).bits() == m.operand(1))
            }
            Op::IsTagged => {
                let term = m.get(m.a());
                test!(
                    3,
                    term.is_boxed()
                        && Live::header(term).bits() == m.operand(1)
                        && Live::body(term, 0).bits() == m.operand(2)
                )
            }
            Op::IsMap => type_test!(|term| {
                Live::is_boxed_of(term, Subtag::FlatMap) || Live::is_boxed_of(term, Subtag::HashMap)
            }),
            Op::IsFun => type_test!(|term| fun_arity(term).is_some()),
            Op::IsFunOf => {
                let (fun, arity) = (m.get(m.a()), m.get(m.b()));
                test_far!(2, arity.is_small() && fun_arity(fun) == Some(arity.small_value()))
            }
            Op::IsLt => {
                let (x, y) = (m.get(m.a()), m.get(m.b()));
                test_far!(2, order(machine.rt, x, y).is_lt())
            }
            Op::IsGe => {
                let (x, y) = (m.get(m.a()), m.get(m.b()));
                test_far!(2, order(machine.rt, x, y).is_ge())
            }
            Op::IsLtXX => {
                let (x, y) = (m.x(m.a()), m.x(m.b()));
                test_far!(2, order(machine.rt, x, y).is_lt())
            }
            Op::IsGeXX => {
                let (x, y) = (m.x(m.a()), m.x(m.b()));
                test_far!(2, order(machine.rt, x, y).is_ge())
            }
            Op::IsEq => {
                let (x, y) = (m.get(m.a()), m.get(m.b()));
                test_far!(2, same_value(x, y))
            }
            Op::IsNe => {
                let (x, y) = (m.get(m.a()), m.get(m.b()));
                test_far!(2, !same_value(x, y))
            }
            Op::IsExactEq => {
                let (x, y) = (m.get(m.a()), m.get(m.b()));
                test_far!(2, same(x, y))
            }
            Op::IsExactNe => {
                let (x, y) = (m.get(m.a()), m.get(m.b()));
                test_far!(2, !same(x, y))
            }
            Op::IsLtSmall => {
                let (x, y) = (m.get(m.a()), Word::from_bits(m.operand(1)));
                test!(2, order(machine.rt, x, y).is_lt())
            }
            Op::IsGeSmall => {
                let (x, y) = (m.get(m.a()), Word::from_bits(m.operand(1)));
                test!(2, order(machine.rt, x, y).is_ge())
            }
            Op::IsGtSmall => {
                let (x, y) = (m.get(m.a()), Word::from_bits(m.operand(1)));
                test!(2, order(machine.rt, y, x).is_lt())
            }
            Op::IsLeSmall => {
                let (x, y) = (m.get(m.a()), Word::from_bits(m.operand(1)));
                test!(2, order(machine.rt, y, x).is_ge())
            }
            Op::IsExactEqImmediate => {
                let x = m.get(m.a()).bits();
                test!(2, x == m.operand(1))
            }
            Op::IsExactNeImmediate => {
                let x = m.get(m.a()).bits();
                test!(2, x != m.operand(1))
            }

            // ---- control ----
            Op::Jump => m.go(m.h()),
            Op::SelectLinear => {
                let (key, count) = (m.get(m.a()).bits(), m.b() as usize);
                let found = (0..count).find(|&index| m.operand(2 + 2 * index) == key);
                m.go(m.operand(found.map_or(1, |index| 3 + 2 * index)) as isize);
            }
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
            Op::SelectArity => {
                let (tuple, count) = (m.get(m.a()), m.b() as usize);
                let header = if tuple.is_boxed() { Live::header(tuple).bits() } else { 0 };
                let found = (0..count).find(|&index| m.operand(2 + 2 * index) == header);
                m.go(m.operand(found.map_or(1, |index| 3 + 2 * index)) as isize);
            }

            // ---- taking apart ----
            Op::GetList => {
                let (head, tail) = Live::cell(m.get(m.a()));
                m.set(m.b(), head);
                m.set(m.c(), tail);
                m.go(1);
            }
            Op::GetHd => {
                let (head, _) = Live::cell(m.get(m.a()));
                m.set(m.b(), head);
                m.go(1);
            }
            Op::GetTl => {
                let (_, tail) = Live::cell(m.get(m.a()));
                m.set(m.b(), tail);
                m.go(1);
            }
            Op::GetElement => {
                let element = Live::body(m.get(m.a()), m.c() as usize);
                m.set(m.b(), element);
                m.go(1);
            }
            Op::GetListXXX => {
                let (head, tail) = Live::cell(m.x(m.a()));
                m.set_x(m.b(), head);
                m.set_x(m.c(), tail);
                m.go(1);
            }
            Op::GetElementXX => {
                let element = Live::body(m.x(m.a()), m.c() as usize);
                m.set_x(m.b(), element);
                m.go(1);
            }
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
            Op::PutList => {
                let (head, tail) = (m.get(m.a()), m.get(m.b()));
                let list = m.cons(head, tail);
                m.set(m.c(), list);
                m.go(1);
            }
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
            Op::Add => arithmetic!(PLUS, get, get, set, add, float_add),
            Op::AddXXX => arithmetic!(PLUS, x, x, set_x, add, float_add),
            Op::AddYXX => arithmetic!(PLUS, y, x, set_x, add, float_add),
            Op::AddConst => constant_arithmetic!(PLUS, get, set, add, float_add),
            Op::Sub => arithmetic!(MINUS, get, get, set, sub, float_sub),
            Op::SubXXX => arithmetic!(MINUS, x, x, set_x, sub, float_sub),
            Op::SubConst => constant_arithmetic!(MINUS, get, set, sub, float_sub),
            Op::Mul => arithmetic!(TIMES, get, get, set, mul, float_mul),
            Op::MulXXX => arithmetic!(TIMES, x, x, set_x, mul, float_mul),
            Op::MulConst => constant_arithmetic!(TIMES, get, set, mul, float_mul),
            Op::Slash => arithmetic!(SLASH, get, get, set, slash, float_div),
            Op::SlashConst => constant_arithmetic!(SLASH, get, set, slash, float_div),
            Op::Div => arithmetic!(DIV, get, get, set, div, no_float),
            Op::DivConst => constant_arithmetic!(DIV, get, set, div, no_float),
            Op::Rem => arithmetic!(REM, get, get, set, rem, no_float),
            Op::RemConst => constant_arithmetic!(REM, get, set, rem, no_float),
            Op::Band => arithmetic!(BAND, get, get, set, band, no_float),
            Op::BandConst => constant_arithmetic!(BAND, get, set, band, no_float),
            Op::Bor => arithmetic!(BOR, get, get, set, bor, no_float),
            Op::BorConst => constant_arithmetic!(BOR, get, set, bor, no_float),
            Op::Bxor => arithmetic!(BXOR, get, get, set, bxor, no_float),
            Op::BxorConst => constant_arithmetic!(BXOR, get, set, bxor, no_float),
            Op::Bsl => arithmetic!(BSL, get, get, set, bsl, no_float),
            Op::BslConst => constant_arithmetic!(BSL, get, set, bsl, no_float),
            Op::Bsr => arithmetic!(BSR, get, get, set, bsr, no_float),
            Op::BsrConst => constant_arithmetic!(BSR, get, set, bsr, no_float),
            Op::Negate => {
                let x = m.get(m.a());
                match if x.is_small() { number::sub(Word::small(0), x) } else { None } {
                    Some(result) => {
                        m.set(m.b(), result);
                        m.go(2);
                    }
                    None => out!(unary(NEGATE, x)),
                }
            }
            Op::AddSmall => small_arithmetic!(get, set, add, |x, y| operator(PLUS, x, y)),
            Op::AddSmallLeft => small_arithmetic!(get, set, add, |x, y| operator(PLUS, y, x)),
            Op::SubSmall => small_arithmetic!(get, set, sub, |x, y| operator(MINUS, x, y)),
            Op::AddSmallXX => small_arithmetic!(x, set_x, add, |x, y| operator(PLUS, x, y)),
            Op::SubSmallXX => small_arithmetic!(x, set_x, sub, |x, y| operator(MINUS, x, y)),
            Op::SubSmallYX => small_arithmetic!(y, set_x, sub, |x, y| operator(MINUS, x, y)),
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
            Op::BsAppend => {
                let count = m.b() as usize;
                let (appended, hp) = if m.has_room(bits::append::APPEND_WORDS) {
                    bits::append::append(m.pc, m.x, m.sp, m.hp)
                } else {
                    (Word::NIL, std::ptr::null_mut())
                };
                if hp.is_null() {
                    m.go(3 + 2 * count as isize);
                } else {
                    m.hp = hp;
                    m.set(m.a(), appended);
                    m.go(m.operand(1) as isize);
                }
            }
            Op::BsNew => {
                if m.has_room(bits::append::NEW_WORDS) && bits::append::new(&mut m) {
                    m.go(m.operand(1) as isize);
                } else {
                    m.go(2 + 2 * m.b() as isize);
                }
            }
            Op::BsStart => fast!(start(), bs_start),
            Op::BsInteger => out!(bs_integer()),
            Op::BsIntegerFixed => fast!(integer(), bs_integer),
            Op::BsIntegerShaped => fast!(shaped_integer(), bs_integer),
            Op::BsStartByte => {
                // Behind the prefix of 2 words: `bs_start` of 2, `bs_get_position` of 1, `bs_integer` of 2.
                let words = if bits::fast::start_byte(&mut m) { 7 } else { 2 };
                m.go(words);
            }
            Op::BsRun => {
                let words = bits::fast::run(m.pc, m.x);
                m.go(words);
            }
            Op::BsRestCallOnly => {
                // Behind the prefix of 1 word: `bs_rest` of 2, and the call.
                if bits::fast::rest_is_bytes(&m) && m.reductions > 0 {
                    m.reductions -= 1;
                    m.go(3 + m.h_at(3));
                } else {
                    m.go(1);
                }
            }
            Op::BsFloat => fast!(float(), bs_float),
            Op::BsBinary => fast!(binary(), bs_binary),
            Op::BsUtf => fast!(utf(), bs_utf),
            Op::BsSkip => fast!(skip(), bs_skip),
            Op::BsConstant => fast!(constant(), bs_string),
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
            Op::BsRest => fast!(rest(), bs_get_tail),
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
            Op::LtSmallReturn => {
                let x = m.x(m.a());
                if x.is_small() && (x.bits() as i64) < m.operand(2) as i64 {
                    m.pop_return();
                } else if x.is_small() {
                    m.go(4);
                } else {
                    m.go(1);
                }
            }
            Op::GeSmallReturn => {
                let x = m.x(m.a());
                if x.is_small() && (x.bits() as i64) >= m.operand(2) as i64 {
                    m.pop_return();
                } else if x.is_small() {
                    m.go(4);
                } else {
                    m.go(1);
                }
            }
            Op::EqReturn => {
                if m.x(m.a()).bits() == m.operand(2) {
                    m.pop_return();
                } else {
                    m.go(4);
                }
            }
            Op::AllocateMove => {
                let slots = m.a() as usize;
                if m.has_room(slots) {
                    let value = m.x(m.b());
                    m.make_frame(slots);
                    m.set_y(m.c(), value);
                    m.go(3);
                } else {
                    m.go(1);
                }
            }
            Op::AllocateMoves => {
                let (slots, count) = (m.a() as usize, m.b() as usize);
                if m.has_room(slots) {
                    m.make_frame(slots);
                    for index in 0..count {
                        let value = m.x(m.field(2 + index, 1));
                        m.set_y(m.field(2 + index, 2), value);
                    }
                    m.go(2 + count as isize);
                } else {
                    m.go(1);
                }
            }
            Op::EqMoveReturn => {
                if m.x(m.a()).bits() == m.operand(2) {
                    let value = m.x(m.b());
                    m.set_x(0, value);
                    m.pop_return();
                } else {
                    m.go(5);
                }
            }
            Op::EqConstReturn => {
                if m.x(m.a()).bits() == m.operand(2) {
                    m.set_x(0, Word::from_bits(m.operand(4)));
                    m.pop_return();
                } else {
                    m.go(6);
                }
            }
            Op::NilReturn => {
                if m.x(m.a()).is_nil() {
                    m.pop_return();
                } else {
                    m.go(3);
                }
            }
            Op::NilMoveReturn => {
                if m.x(m.a()).is_nil() {
                    let value = m.x(m.b());
                    m.set_x(0, value);
                    m.pop_return();
                } else {
                    m.go(4);
                }
            }
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
            Op::AddSmallCallYX => match small_sum(m.y(m.a()), m.b()) {
                Some(sum) if m.reductions > 0 => {
                    m.reductions -= 1;
                    m.set_x(m.c(), sum);
                    let callee = 3 + m.h_at(3);
                    m.push_return(4);
                    m.go(callee);
                }
                _ => m.go(1),
            },
            Op::AddReturnYX => {
                let (x, y) = (m.y(m.a()), m.x(m.b()));
                match if x.both_small(y) { number::add(x, y) } else { None } {
                    Some(sum) => {
                        m.set_x(0, sum);
                        m.drop_slots(m.field(3, 1));
                        m.pop_return();
                    }
                    None => m.go(1),
                }
            }
            Op::AddSmallCall => match small_sum(m.get(m.a()), m.b()) {
                Some(sum) if m.reductions > 0 => {
                    m.reductions -= 1;
                    m.set(m.c(), sum);
                    let callee = 3 + m.h_at(3);
                    m.push_return(4);
                    m.go(callee);
                }
                _ => m.go(1),
            },
            Op::AddSmallCallOnly => match small_sum(m.get(m.a()), m.b()) {
                Some(sum) if m.reductions > 0 => {
                    m.reductions -= 1;
                    m.set(m.c(), sum);
                    m.go(3 + m.h_at(3));
                }
                _ => m.go(1),
            },
            Op::AddSmallCallLast => match small_sum(m.get(m.a()), m.b()) {
                Some(sum) if m.reductions > 0 => {
                    m.reductions -= 1;
                    m.set(m.c(), sum);
                    m.drop_slots(m.field(3, 1));
                    m.go(3 + m.h_at(3));
                }
                _ => m.go(1),
            },
            Op::AddReturn => {
                let (x, y) = (m.get(m.a()), m.get(m.b()));
                match if x.both_small(y) { number::add(x, y) } else { None } {
                    Some(sum) => {
                        m.set_x(0, sum);
                        m.drop_slots(m.field(3, 1));
                        m.pop_return();
                    }
                    None => m.go(1),
                }
            }
            Op::MoveCall => moves_call!(1, 1, call),
            Op::MoveCallOnly => moves_call!(1, 1, call_only),
            Op::MoveCallLast => moves_call!(1, 1, call_last),
            Op::Move2Call => moves_call!(2, 2, call),
            Op::Move2CallOnly => moves_call!(2, 2, call_only),
            Op::Move2CallLast => moves_call!(2, 2, call_last),
            Op::Move3Call => moves_call!(2, 3, call),
            Op::Move3CallOnly => moves_call!(2, 3, call_only),
            Op::Move3CallLast => moves_call!(2, 3, call_last),
            Op::MoveCallYX => moves_call!(1, 1, call, y, set_x),
            Op::Move2CallYX => moves_call!(2, 2, call, y, set_x),
            Op::Move2CallLastYX => moves_call!(2, 2, call_last, y, set_x),
            Op::Move3CallLastYX => moves_call!(2, 3, call_last, y, set_x),
            Op::ConsSplit => {
                let list = m.x(m.a());
                if list.is_cons() {
                    let (head, tail) = Live::cell(list);
                    m.set_x(m.b(), head);
                    m.set_x(m.c(), tail);
                    m.go(3);
                } else {
                    m.go(1 + m.h_at(1));
                }
            }
            Op::ConsAllocateSplit => {
                let list = m.x(m.a());
                let slots = m.field(2, 1) as usize;
                if !list.is_cons() {
                    m.go(1 + m.h_at(1));
                } else if m.has_room(slots) {
                    let (head, tail) = Live::cell(list);
                    m.make_frame(slots);
                    m.set_y(m.b(), head);
                    m.set(m.c(), tail);
                    m.go(4);
                } else {
                    m.go(1);
                }
            }
            Op::HeapConsConst => {
                if m.has_room(m.h_at(1) as usize) {
                    let (head, tail) = (m.get(m.a()), Word::from_bits(m.operand(3)));
                    let list = m.cons(head, tail);
                    m.set(m.b(), list);
                    m.go(4);
                } else {
                    m.go(1);
                }
            }
            Op::HeapTuple => {
                if m.has_room(m.h_at(1) as usize) {
                    let count = m.b() as usize;
                    let tuple = m.build(Word::header(Subtag::Tuple, count), 3, count);
                    m.set(m.a(), tuple);
                    m.go(3 + count as isize);
                } else {
                    m.go(1);
                }
            }
            Op::HeapTuple2 => {
                if m.has_room(m.h_at(1) as usize) {
                    let tuple = m.build(Word::header(Subtag::Tuple, 2), 3, 2);
                    m.set(m.a(), tuple);
                    m.go(5);
                } else {
                    m.go(1);
                }
            }
            Op::HeapTuple3 => {
                if m.has_room(m.h_at(1) as usize) {
                    let tuple = m.build(Word::header(Subtag::Tuple, 3), 3, 3);
                    m.set(m.a(), tuple);
                    m.go(6);
                } else {
                    m.go(1);
                }
            }
            Op::HeapConsReturn => {
                if m.has_room(m.h_at(1) as usize) {
                    let (head, tail) = (m.y(m.a()), m.x(m.b()));
                    let list = m.cons(head, tail);
                    m.set_x(0, list);
                    m.drop_slots(m.field(3, 1));
                    m.pop_return();
                } else {
                    m.go(1);
                }
            }
            Op::GetElement2 => {
                let (tuple, places) = (m.get(m.a()), m.operand(1));
                let first = Live::body(tuple, places as u32 as usize);
                let second = Live::body(tuple, (places >> 32) as usize);
                m.set(m.b(), first);
                m.set(m.c(), second);
                m.go(2);
            }
            Op::Clear => {
                let mut slots = m.operand(1);
                while slots != 0 {
                    m.set_y(slots.trailing_zeros() as u16, Word::NIL);
                    slots &= slots - 1;
                }
                m.go(2);
            }
            Op::Select2 => {
                let key = m.get(m.a()).bits();
                if key == m.operand(2) {
                    m.go(m.operand(3) as isize);
                } else if key == m.operand(4) {
                    m.go(m.operand(5) as isize);
                } else {
                    fail!();
                }
            }
            Op::HeapCons => {
                if m.has_room(m.h_at(1) as usize) {
                    let (head, tail) = (m.get(m.a()), m.get(m.b()));
                    let list = m.cons(head, tail);
                    m.set(m.c(), list);
                    m.go(3);
                } else {
                    m.go(1);
                }
            }
            Op::Move2 => {
                let value = m.get(m.a());
                m.set(m.b(), value);
                let value = m.get(m.c());
                m.set(m.field(1, 0), value);
                m.go(2);
            }
            Op::Move3 => {
                let value = m.get(m.a());
                m.set(m.b(), value);
                let value = m.get(m.c());
                m.set(m.field(1, 0), value);
                let value = m.get(m.field(1, 1));
                m.set(m.field(1, 2), value);
                m.go(2);
            }

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
                m.go(m.h());
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
                let next = m.pc.wrapping_add(1);
                out!(call_native(SEND, 2, next));
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

/// `x` plus the constant in a field, if both it and the sum are small.
#[inline(always)]
fn small_sum(x: Word, field: u16) -> Option<Word> {
    let y = Word::small(i64::from(field as i16));
    if x.is_small() { number::add(x, y) } else { None }
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
        let key = m.operand(2 + 2 * index);
        loop {
            if place == count {
                return false;
            }
            place += 1;
            if Live::body(keys, place - 1).bits() == key {
                break;
            }
        }
        let value = Live::body(map, place);
        m.set((m.operand(3 + 2 * index) >> 3) as u16, value);
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

/// The standard order.
#[inline(always)]
fn order(rt: &Runtime, x: Word, y: Word) -> Ordering {
    if x.both_small(y) {
        return (x.bits() as i64).cmp(&(y.bits() as i64));
    }
    if x.is_nonzero_float() && y.is_nonzero_float() {
        return if x.nonzero_float_value() < y.nonzero_float_value() {
            Ordering::Less
        } else if x == y {
            Ordering::Equal
        } else {
            Ordering::Greater
        };
    }
    slow_order(&rt.atoms, x, y)
}

#[cold]
#[inline(never)]
fn slow_order(atoms: &Atoms, x: Word, y: Word) -> Ordering {
    // SAFETY: I3: operands; nothing moves while they are compared.
    compare(atoms, unsafe { Term::from_word(x) }, unsafe { Term::from_word(y) })
}

/// `=:=`.
#[inline(always)]
fn same(x: Word, y: Word) -> bool {
    // Two words that are not equal can be equal terms only if both are pointers of one kind.
    x == y || (x.is_pointer() && x.tag() == y.tag() && slow_same(x, y))
}

#[inline(never)]
fn slow_same(x: Word, y: Word) -> bool {
    // SAFETY: I3: operands; nothing moves while they are compared.
    equal_exact(unsafe { Term::from_word(x) }, unsafe { Term::from_word(y) })
}

/// `==`.
#[inline(always)]
fn same_value(x: Word, y: Word) -> bool {
    x == y || (!x.both_small(y) && slow_same_value(x, y))
}

#[inline(never)]
fn slow_same_value(x: Word, y: Word) -> bool {
    // SAFETY: I3: operands; nothing moves while they are compared.
    equal(unsafe { Term::from_word(x) }, unsafe { Term::from_word(y) })
}
