//! Super-instructions: one internal instruction for several generic ones.
//!
//! Most are *prefixes*: a word in front of the parts, which are all emitted as usual. The prefix does the work of the parts
//! if their checks pass (small integers, room on the heap, reductions left) and skips them; otherwise it changes nothing
//! and steps onto the first part. So slow paths, stack traces and jump offsets are those of the parts, and what a
//! super-instruction needs beyond three register fields it reads from their words.
//!
//! No label lies inside the parts, and effects come last. Which sequences are worth it was counted on the benchmarks.

use erlet_lang::bytecode::{Instr, Reg, Src};
use erlet_lang::verify::Fact;

use super::load::{Loader, reg};
use super::op::{Op, Y_BIT};

/// Instructions looked at: the longest sequence, with the lines between.
const WINDOW: usize = 12;

/// Instructions of a fused sequence, lines left out.
#[derive(Default)]
struct Window<'c> {
    instructions: Vec<&'c Instr>,
    facts: Vec<Fact>,
    /// How many instructions of the code lie before the end of each, lines included.
    ends: Vec<usize>,
}

impl<'c> Window<'c> {
    fn of(rest: &'c [Instr], facts: &[Fact]) -> Window<'c> {
        let mut window = Window::default();
        for (index, instr) in rest.iter().enumerate().take(WINDOW) {
            match instr {
                Instr::Line { .. } if index > 0 => {}
                Instr::Line { .. } | Instr::Label { .. } => break,
                _ if !facts[index].has(Fact::REACHED) => break,
                _ => {
                    window.instructions.push(instr);
                    window.facts.push(facts[index]);
                    window.ends.push(index + 1);
                }
            }
        }
        window
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
    let window = Window::of(rest, facts);
    let parts = &window.instructions[..];
    if parts.is_empty() {
        return Fusion::None;
    }
    if let Some(count) = prefix(loader, parts) {
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
        Instr::IsLt { a, b, .. } if is_small_operand(*b) => test_return(loader, Op::LtSmallReturn, *a, parts),
        Instr::IsGe { a, b, .. } if is_small_operand(*b) => test_return(loader, Op::GeSmallReturn, *a, parts),
        Instr::IsExactEq { a, b, .. } if is_small_operand(*b) || matches!(b, Src::Atom(_) | Src::Nil) => {
            equal_return(loader, *a, parts)
        }
        Instr::IsNil { src, .. } => nil_return(loader, *src, parts),
        Instr::IsCons { src, .. } => cons(loader, *src, parts),
        Instr::Allocate { words, .. } if !loader.stress() => allocate(loader, *words, parts),
        Instr::TestHeap { .. } if !loader.stress() => heap_cons(loader, parts),
        Instr::Bif { .. } => arithmetic(loader, parts),
        Instr::Move { .. } => moves_call(loader, parts),
        _ => None,
    }
}

fn test_return(loader: &mut Loader<'_>, op: Op, a: Src, parts: &[&Instr]) -> Option<usize> {
    let [_, Instr::Return {}, ..] = parts else { return None };
    loader.emit.abc(op, field(a)?, 0, 0);
    Some(2)
}

fn equal_return(loader: &mut Loader<'_>, a: Src, parts: &[&Instr]) -> Option<usize> {
    let a = field(a)?;
    match parts {
        [_, Instr::Return {}, ..] => {
            loader.emit.abc(Op::EqReturn, a, 0, 0);
            Some(2)
        }
        [_, Instr::Move { src, dst: Reg::X(0) }, Instr::Return {}, ..] => {
            match field(*src) {
                Some(src) => loader.emit.abc(Op::EqMoveReturn, a, src, 0),
                None => loader.emit.abc(Op::EqConstReturn, a, 0, 0),
            };
            Some(3)
        }
        _ => None,
    }
}

fn nil_return(loader: &mut Loader<'_>, src: Src, parts: &[&Instr]) -> Option<usize> {
    let a = field(src)?;
    match parts {
        [_, Instr::Return {}, ..] => {
            loader.emit.abc(Op::NilReturn, a, 0, 0);
            Some(2)
        }
        [_, Instr::Move { src, dst: Reg::X(0) }, Instr::Return {}, ..] => {
            loader.emit.abc(Op::NilMoveReturn, a, field(*src)?, 0);
            Some(3)
        }
        _ => None,
    }
}

fn cons(loader: &mut Loader<'_>, src: Src, parts: &[&Instr]) -> Option<usize> {
    match *parts {
        [_, Instr::GetList { src: list, head, tail }, ..] if src == Src::from(*list) => {
            loader.emit.abc(Op::ConsSplit, reg(*list), reg(*head), reg(*tail));
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
            loader.emit.abc(Op::AllocateMoves, words, moves as u16, 0);
        }
        _ => return None,
    }
    Some(1 + moves)
}

fn heap_cons(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    let [_, Instr::PutList { head, tail, dst }, rest @ ..] = parts else { return None };
    let head = field(*head)?;
    match field(*tail) {
        Some(tail) => match rest {
            [Instr::Deallocate { .. }, Instr::Return {}, ..] if *dst == Reg::X(0) => {
                loader.emit.abc(Op::HeapConsReturn, head, tail, 0);
                Some(4)
            }
            _ => {
                loader.emit.abc(Op::HeapCons, head, tail, reg(*dst));
                Some(2)
            }
        },
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
            let op = [Op::AddSmallCall, Op::AddSmallCallOnly, Op::AddSmallCallLast][call_kind(call)?];
            loader.emit.abc(op, a, value, dst);
            Some(2)
        }
        [
            Instr::Bif { fail: None, import, args, dst: Reg::X(0), .. },
            Instr::Deallocate { .. },
            Instr::Return {},
            ..,
        ] if loader.operator_name(*import) == Some(crate::atom::known::PLUS) => {
            let [a, b] = args[..] else { return None };
            loader.emit.abc(Op::AddReturn, field(a)?, field(b)?, 0);
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

/// One to three moves between registers, and a local call.
fn moves_call(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    let mut fields = Vec::new();
    for part in parts {
        let Instr::Move { src, dst } = part else { break };
        fields.push((field(*src)?, reg(*dst)));
    }
    let kind = call_kind(parts.get(fields.len())?)?;
    match fields[..] {
        [(a, b)] => {
            loader.emit.abc([Op::MoveCall, Op::MoveCallOnly, Op::MoveCallLast][kind], a, b, 0);
        }
        [(a, b), (c, d)] => {
            loader.emit.abc([Op::Move2Call, Op::Move2CallOnly, Op::Move2CallLast][kind], a, b, c);
            loader.emit.word(u64::from(d));
        }
        [(a, b), (c, d), (e, f)] => {
            loader.emit.abc([Op::Move3Call, Op::Move3CallOnly, Op::Move3CallLast][kind], a, b, c);
            loader.emit.word(u64::from(d) | u64::from(e) << 16 | u64::from(f) << 32);
        }
        _ => return None,
    }
    Some(fields.len() + 1)
}

/// Emits one instruction for a sequence that needs none of its parts; how many it stands for.
fn whole(loader: &mut Loader<'_>, parts: &[&Instr], facts: &[Fact]) -> Option<usize> {
    match *parts {
        [Instr::Move { src: a, dst: b }, Instr::Move { src: c, dst: d }, ..] => {
            let (a, b, c, d) = (field(*a)?, reg(*b), field(*c)?, reg(*d));
            // The last moves before a call go with it.
            let moves = parts.iter().take_while(|part| matches!(part, Instr::Move { .. })).count();
            let before_call = parts.get(moves).is_some_and(|part| call_kind(part).is_some());
            if (moves > 2 && !before_call || moves > 5)
                && let Some(Instr::Move { src: e, dst: f }) = parts.get(2)
                && let Some(e) = field(*e)
            {
                loader.emit.abc(Op::Move3, a, b, c);
                loader.emit.word(u64::from(d) | u64::from(e) << 16 | u64::from(reg(*f)) << 32);
                return Some(3);
            }
            if before_call && moves == 4 {
                return None;
            }
            loader.emit.abc(Op::Move2, a, b, c);
            loader.emit.word(u64::from(d));
            Some(2)
        }
        [
            Instr::GetElement { src, index: i, dst: b },
            Instr::GetElement { src: again, index: j, dst: c },
            ..,
        ] if src == again && b != src && facts.iter().all(|fact| fact.has(Fact::PROVEN)) => {
            loader.emit.abc(Op::GetElement2, reg(*src), reg(*b), reg(*c));
            loader.emit.word(u64::from(*i) | u64::from(*j) << 32);
            Some(2)
        }
        _ => None,
    }
}
