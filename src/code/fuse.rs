//! Super-instructions: one internal instruction for several generic ones.
//!
//! Most are *prefixes*: a word in front of the parts, which are all emitted as usual. The prefix does the work of the parts
//! if their checks pass (small integers, room on the heap, reductions left) and skips them; otherwise it changes nothing
//! and steps onto the first part. So slow paths, stack traces and jump offsets are those of the parts, and what a
//! super-instruction needs beyond three register fields it reads from their words.
//!
//! No label lies inside the parts, and effects come last. Which sequences are worth it was counted on the benchmarks.

use erlet_lang::bytecode::{Instr, Label, Reg, Src};
use erlet_lang::verify::Fact;

use super::load::{Loader, reg};
use super::op::{Op, Y_BIT};

/// Instructions looked at: the longest sequence, with the lines between.
const WINDOW: usize = 12;

/// Instructions of a fused sequence, lines left out. (In place: each instruction of a module has a window.)
struct Window<'c> {
    instructions: [&'c Instr; WINDOW],
    facts: [Fact; WINDOW],
    /// How many instructions of the code lie before the end of each, lines included.
    ends: [usize; WINDOW],
    count: usize,
    /// The label right behind them.
    next: Option<Label>,
}

impl<'c> Window<'c> {
    fn of(rest: &'c [Instr], facts: &[Fact]) -> Option<Window<'c>> {
        let mut window = Window {
            instructions: [rest.first()?; WINDOW],
            facts: [Fact::default(); WINDOW],
            ends: [0; WINDOW],
            count: 0,
            next: None,
        };
        for (index, instr) in rest.iter().enumerate().take(WINDOW) {
            match instr {
                Instr::Line { .. } if index > 0 => {}
                Instr::Label { label } => {
                    window.next = Some(*label);
                    break;
                }
                Instr::Line { .. } => break,
                _ if !facts[index].has(Fact::REACHED) => break,
                _ => {
                    window.instructions[window.count] = instr;
                    window.facts[window.count] = facts[index];
                    window.ends[window.count] = index + 1;
                    window.count += 1;
                }
            }
        }
        (window.count > 0).then_some(window)
    }
}

/// What to do with the first instructions of the rest of a function's code.
pub(super) enum Fusion {
    /// Nothing.
    None,
    /// A prefix was emitted: the next so many instructions are to be emitted one by one behind it.
    Prefix(usize),
    /// So many instructions were emitted.
    Done(usize),
}

/// Emits a super-instruction for the first instructions of `rest` if one fits.
pub(super) fn fuse(loader: &mut Loader<'_>, rest: &[Instr], facts: &[Fact]) -> Fusion {
    let Some(window) = Window::of(rest, facts) else { return Fusion::None };
    let parts = &window.instructions[..window.count];
    if let Some(count) = returns(loader, parts, window.next).or_else(|| prefix(loader, parts)) {
        return Fusion::Prefix(window.ends[count - 1]);
    }
    match whole(loader, parts, &window.facts[..parts.len().min(2)]) {
        Some(count) => Fusion::Done(window.ends[count - 1]),
        None => Fusion::None,
    }
}

/// A register operand's field.
fn field(src: Src) -> Option<u16> {
    match src {
        Src::X(n) => Some(n),
        Src::Y(n) => Some(n | Y_BIT),
        _ => None,
    }
}

/// The number of an X register.
fn x(src: Src) -> Option<u16> {
    match src {
        Src::X(n) => Some(n),
        _ => None,
    }
}

/// The number of a Y register, if all fields are of those.
fn y(field: u16) -> Option<u16> {
    (field & Y_BIT != 0).then_some(field & !Y_BIT)
}

fn is_small_operand(src: Src) -> bool {
    matches!(src, Src::Int(value) if crate::term::word::fits_small(value))
}

/// A register plus or minus a constant that fits a field, without a `fail`: fields of register, constant, destination.
fn add_small(loader: &Loader<'_>, instr: &Instr) -> Option<(u16, u16, u16)> {
    use crate::atom::known;
    let Instr::Bif { fail: None, import, args, dst, .. } = instr else { return None };
    let [a, b] = args[..] else { return None };
    let constant = |src: Src| match src {
        Src::Int(value) => i16::try_from(value).ok(),
        _ => None,
    };
    let (register, value) = match loader.operator_name(*import)? {
        known::PLUS => match (field(a), field(b)) {
            (Some(register), None) => (register, constant(b)?),
            (None, Some(register)) => (register, constant(a)?),
            _ => return None,
        },
        known::MINUS => (field(a)?, constant(b)?.checked_neg()?),
        _ => return None,
    };
    Some((register, value as u16, reg(*dst)))
}

/// Emits the prefix for a sequence; how many instructions it stands for.
fn prefix(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    match parts[0] {
        Instr::IsCons { src, .. } => cons(loader, *src, parts),
        Instr::Allocate { words, .. } if !loader.stress() => allocate(loader, *words, parts),
        Instr::TestHeap { .. } if !loader.stress() => heap_term(loader, parts),
        Instr::Bif { .. } => arithmetic(loader, parts),
        Instr::BsStart { .. }
        | Instr::BsRest { .. }
        | Instr::BsInteger { .. }
        | Instr::BsSkip { .. }
        | Instr::BsString { .. }
        | Instr::BsGetPosition { .. } => super::match_run::prefix(loader, parts),
        Instr::Move { .. } => moves_call(loader, parts),
        _ => None,
    }
}

/// A test, perhaps a move, and `return`; what fails goes on behind them, as clauses do. (So the position that follows is
/// a constant either way: loading it from the instruction would be the longest part of the way from call to call.)
fn returns(loader: &mut Loader<'_>, parts: &[&Instr], next: Option<Label>) -> Option<usize> {
    let (value, count) = match parts {
        [_, Instr::Return {}] => (None, 2),
        [_, Instr::Move { src, dst: Reg::X(0) }, Instr::Return {}] => (Some(*src), 3),
        _ => return None,
    };
    let (a, fail, [plain, moved, constant]) = match *parts[0] {
        Instr::IsLt { a, b, fail } if is_small_operand(b) => (a, fail, [Some(Op::LtSmallReturn), None, None]),
        Instr::IsGe { a, b, fail } if is_small_operand(b) => (a, fail, [Some(Op::GeSmallReturn), None, None]),
        Instr::IsExactEq { a, b, fail } if is_small_operand(b) || matches!(b, Src::Atom(_) | Src::Nil) => {
            (a, fail, [Op::EqReturn, Op::EqMoveReturn, Op::EqConstReturn].map(Some))
        }
        Instr::IsNil { src, fail } => (src, fail, [Some(Op::NilReturn), Some(Op::NilMoveReturn), None]),
        _ => return None,
    };
    let a = x(a).filter(|_| next == Some(fail))?;
    match value {
        None => loader.emit.abc(plain?, a, 0, 0),
        Some(Src::X(value)) => loader.emit.abc(moved?, a, value, 0),
        Some(Src::Y(_)) => return None,
        Some(_) => loader.emit.abc(constant?, a, 0, 0),
    };
    Some(count)
}

fn cons(loader: &mut Loader<'_>, src: Src, parts: &[&Instr]) -> Option<usize> {
    match *parts {
        [_, Instr::GetList { src: Reg::X(list), head: Reg::X(head), tail: Reg::X(tail) }, ..]
            if src == Src::X(*list) =>
        {
            loader.emit.abc(Op::ConsSplit, *list, *head, *tail);
            Some(2)
        }
        [_, Instr::Allocate { .. }, Instr::GetList { src: Reg::X(list), head, tail }, ..]
            if src == Src::X(*list) && !loader.stress() =>
        {
            loader.emit.abc(Op::ConsAllocateSplit, *list, reg(*head), reg(*tail));
            Some(3)
        }
        _ => None,
    }
}

fn allocate(loader: &mut Loader<'_>, words: u16, parts: &[&Instr]) -> Option<usize> {
    let is_move = |part: &&&Instr| matches!(part, Instr::Move { src: Src::X(_), dst: Reg::Y(_) });
    let moves = parts[1..].iter().take_while(is_move).count();
    match parts.get(1) {
        Some(Instr::Move { src: Src::X(x), dst: Reg::Y(y) }) if moves == 1 => {
            loader.emit.abc(Op::AllocateMove, words, *x, *y);
        }
        _ if moves > 1 => {
            let op = match moves {
                2 => Op::AllocateMoves2,
                3 => Op::AllocateMoves3,
                _ => Op::AllocateMoves,
            };
            loader.emit.abc(op, words, moves as u16, 0);
        }
        _ => return None,
    }
    Some(1 + moves)
}

fn heap_term(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    if let [_, Instr::PutTuple { elements, dst }, ..] = parts {
        let op = match elements.len() {
            2 => Op::HeapTuple2,
            3 => Op::HeapTuple3,
            _ if elements.iter().all(|element| matches!(element, Src::X(_))) => Op::HeapTupleX,
            _ => Op::HeapTuple,
        };
        loader.emit.abc(op, reg(*dst), elements.len() as u16, 0);
        return Some(2);
    }
    let [_, Instr::PutList { head, tail, dst }, rest @ ..] = parts else { return None };
    if let ([Instr::Deallocate { .. }, Instr::Return {}, ..], Src::Y(head), Src::X(tail), Reg::X(0)) =
        (rest, head, tail, dst)
    {
        loader.emit.abc(Op::HeapConsReturn, *head, *tail, 0);
        return Some(4);
    }
    let head = field(*head)?;
    match field(*tail) {
        Some(tail) => {
            loader.emit.abc(Op::HeapCons, head, tail, reg(*dst));
            Some(2)
        }
        None => {
            loader.emit.abc(Op::HeapConsConst, head, reg(*dst), 0);
            Some(2)
        }
    }
}

fn arithmetic(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    match *parts {
        [add, call, ..] if call_kind(call).is_some() => {
            let (a, value, dst) = add_small(loader, add)?;
            match (call_kind(call)?, y(a), y(dst)) {
                (0, Some(a), None) => loader.emit.abc(Op::AddSmallCallYX, a, value, dst),
                (0, None, None) => loader.emit.abc(Op::AddSmallCallXX, a, value, dst),
                (kind, ..) => {
                    let op = [Op::AddSmallCall, Op::AddSmallCallOnly, Op::AddSmallCallLast][kind];
                    loader.emit.abc(op, a, value, dst)
                }
            };
            Some(2)
        }
        [
            Instr::Bif { fail: None, import, args, dst: Reg::X(0), .. },
            Instr::Deallocate { .. },
            Instr::Return {},
            ..,
        ] if loader.operator_name(*import) == Some(crate::atom::known::PLUS) => {
            let [a, b] = args[..] else { return None };
            match (a, b) {
                (Src::Y(a), Src::X(b)) => loader.emit.abc(Op::AddReturnYX, a, b, 0),
                _ => loader.emit.abc(Op::AddReturn, field(a)?, field(b)?, 0),
            };
            Some(3)
        }
        _ => None,
    }
}

/// Local calls: 0 for `call`, 1 for `call_only`, 2 for `call_last`.
fn call_kind(call: &Instr) -> Option<usize> {
    match call {
        Instr::Call { .. } => Some(0),
        Instr::CallOnly { .. } => Some(1),
        Instr::CallLast { .. } => Some(2),
        _ => None,
    }
}

/// Two or three moves from Y to X registers, and a local call.
fn moves_call(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    let moves = parts.iter().take_while(|part| matches!(part, Instr::Move { .. })).count();
    let kind = call_kind(parts.get(moves)?)?;
    let up = |part: &&Instr| match part {
        Instr::Move { src: Src::Y(from), dst: Reg::X(to) } => Some((*from, *to)),
        _ => None,
    };
    let up: Option<Vec<(u16, u16)>> = parts[..moves].iter().map(up).collect();
    match (kind, up.as_deref()) {
        (0 | 2, Some(&[(a, b), (c, d)])) => {
            let op = if kind == 0 { Op::Move2CallYX } else { Op::Move2CallLastYX };
            loader.emit.abc(op, a, b, c);
            loader.emit.word(u64::from(d));
            Some(3)
        }
        (2, Some(&[(a, b), (c, d), (e, f)])) => {
            loader.emit.abc(Op::Move3CallLastYX, a, b, c);
            loader.emit.word(u64::from(d) | u64::from(e) << 16 | u64::from(f) << 32);
            Some(4)
        }
        _ => None,
    }
}

/// Emits one instruction for a sequence that needs none of its parts; how many it stands for.
fn whole(loader: &mut Loader<'_>, parts: &[&Instr], facts: &[Fact]) -> Option<usize> {
    match *parts {
        // That the arity is one of those selected says that it is a tuple.
        [Instr::IsTuple { fail, src }, Instr::SelectArity { src: tuple, fail: other, .. }, ..]
            if (fail, src) == (other, tuple) =>
        {
            Some(1)
        }
        // What is no map has none of the keys.
        [Instr::IsMap { fail, src }, Instr::MapGet { fail: other, map, .. }, ..]
            if fail == other && Reg::try_from(*src).is_ok_and(|src| src == *map) =>
        {
            Some(1)
        }
        [
            Instr::Move { src: Src::Nil, dst: Reg::Y(0..64) },
            Instr::Move { src: Src::Nil, dst: Reg::Y(0..64) },
            ..,
        ] => {
            let slots = parts.iter().map_while(|part| match part {
                Instr::Move { src: Src::Nil, dst: Reg::Y(slot @ 0..64) } => Some(*slot),
                _ => None,
            });
            let mask = slots.clone().fold(0_u64, |mask, slot| mask | 1 << slot);
            loader.emit.abc(Op::Clear, 0, 0, 0);
            loader.emit.word(mask);
            Some(slots.count())
        }
        [
            Instr::GetElement { src, index: i, dst: b },
            Instr::GetElement { src: again, index: j, dst: c },
            ..,
        ] if src == again && b != src && facts.iter().all(|fact| fact.has(Fact::PROVEN)) => {
            let op = match (src, b, c) {
                (Reg::X(_), Reg::X(_), Reg::X(_)) => Op::GetElement2XXX,
                _ => Op::GetElement2,
            };
            loader.emit.abc(op, reg(*src), reg(*b), reg(*c));
            loader.emit.word(u64::from(*i) | u64::from(*j) << 32);
            Some(2)
        }
        _ => None,
    }
}
