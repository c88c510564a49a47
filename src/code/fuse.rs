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
const WINDOW: usize = 8;

/// Instructions of a fused sequence, lines left out.
#[derive(Default)]
struct Window<'c> {
    instructions: Vec<&'c Instr>,
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
    let fused = prefix(loader, parts).map(|count| Fusion::Prefix(window.ends[count - 1]));
    fused
        .or_else(|| whole(loader, parts).map(|count| Fusion::Done(window.ends[count - 1])))
        .unwrap_or(Fusion::None)
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
    match *parts {
        [Instr::IsLt { a, b, .. }, Instr::Return {}, ..] if is_small_operand(*b) => {
            loader.emit.abc(Op::LtSmallReturn, field(*a)?, 0, 0);
            Some(2)
        }
        [Instr::IsGe { a, b, .. }, Instr::Return {}, ..] if is_small_operand(*b) => {
            loader.emit.abc(Op::GeSmallReturn, field(*a)?, 0, 0);
            Some(2)
        }
        [Instr::IsExactEq { a, b, .. }, Instr::Return {}, ..]
            if is_small_operand(*b) || matches!(b, Src::Atom(_) | Src::Nil) =>
        {
            loader.emit.abc(Op::EqReturn, field(*a)?, 0, 0);
            Some(2)
        }
        [Instr::Allocate { words, .. }, Instr::Move { src: Src::X(x), dst: Reg::Y(y) }, ..]
            if !loader.stress() =>
        {
            if let Some(Instr::Move { src: Src::X(_), dst: Reg::Y(_) }) = parts.get(2) {
                loader.emit.abc(Op::AllocateMove2, *words, *x, *y);
                return Some(3);
            }
            loader.emit.abc(Op::AllocateMove, *words, *x, *y);
            Some(2)
        }
        [add @ Instr::Bif { .. }, call @ (Instr::Call { .. } | Instr::CallOnly { .. }), ..] => {
            let (a, value, dst) = add_small(loader, add)?;
            let op = if matches!(call, Instr::Call { .. }) { Op::AddSmallCall } else { Op::AddSmallCallOnly };
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
        [Instr::Move { src, dst }, call @ (Instr::Call { .. } | Instr::CallOnly { .. }), ..] => {
            let op = if matches!(call, Instr::Call { .. }) { Op::MoveCall } else { Op::MoveCallOnly };
            loader.emit.abc(op, field(*src)?, reg(*dst), 0);
            Some(2)
        }
        [Instr::IsCons { src, .. }, Instr::GetList { src: list, head, tail }, ..]
            if *src == Src::from(*list) =>
        {
            loader.emit.abc(Op::ConsSplit, reg(*list), reg(*head), reg(*tail));
            Some(2)
        }
        [Instr::TestHeap { .. }, Instr::PutList { head, tail, dst }, ..] if !loader.stress() => {
            loader.emit.abc(Op::HeapCons, field(*head)?, field(*tail)?, reg(*dst));
            Some(2)
        }
        _ => None,
    }
}

/// Emits one instruction for a sequence that needs none of its parts; how many it stands for.
fn whole(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    match *parts {
        [Instr::Move { src: a, dst: b }, Instr::Move { src: c, dst: d }, ..] => {
            let (a, b, c, d) = (field(*a)?, reg(*b), field(*c)?, reg(*d));
            // The second of them may belong to what follows: a move that goes with a call is better there.
            if let Some(Instr::Move { src: e, dst: f }) = parts.get(2)
                && let Some(e) = field(*e)
            {
                loader.emit.abc(Op::Move3, a, b, c);
                loader.emit.word(u64::from(d) | u64::from(e) << 16 | u64::from(reg(*f)) << 32);
                return Some(3);
            }
            loader.emit.abc(Op::Move2, a, b, c);
            loader.emit.word(u64::from(d));
            Some(2)
        }
        _ => None,
    }
}
