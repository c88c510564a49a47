//! Super-instructions for matching bitstrings: prefixes of sequences on one match context.
//!
//! A *run* is a list of commands, one word each: its kind in the low byte, a number of bits in the next, the number of an X register
//! above, and a constant or a long number of bits in the upper half. Its first word says how many bits all take together, so they are looked
//! for once.

use erlet_lang::bytecode::{Instr, Reg, SegmentKind, Size, Src};

use super::bits::{SHAPE_BITS, Segment, constant, fixed_shape};
use super::load::Loader;
use super::op::Op;

/// Passes over bits.
pub const COMMAND_SKIP: u8 = 0;
/// Takes an unsigned integer, most significant byte first.
pub const COMMAND_INTEGER: u8 = 1;
/// Wants these bits.
pub const COMMAND_CONSTANT: u8 = 2;
/// Puts the position into a register.
pub const COMMAND_POSITION: u8 = 3;
/// Wants the rest to be whole bytes.
pub const COMMAND_REST: u8 = 4;

/// Most bits of a run: what a field holds.
const MAX_BITS: u64 = 0xffff;

/// The number of a register that is an X register.
fn x(reg: Reg) -> Option<u16> {
    match reg {
        Reg::X(n) => Some(n),
        Reg::Y(_) => None,
    }
}

/// The bits of an unsigned big-endian `bs_integer` of fixed size.
fn plain(instr: &Instr) -> Option<u16> {
    let Instr::BsInteger { size, unit, flags, .. } = instr else { return None };
    fixed_shape(*size, Segment::new(SegmentKind::Integer, *unit, *flags)).filter(|shape| *shape <= SHAPE_BITS)
}

/// Emits the prefix for a sequence that begins with a row on a context; how many instructions it stands for.
pub(super) fn prefix(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    match parts {
        [Instr::BsStart { .. }, Instr::BsGetPosition { .. }, Instr::BsInteger { .. }, ..] => {
            start_byte(loader, parts)
        }
        [Instr::BsRest { context, unit: 8, .. }, Instr::CallOnly { .. }, ..] => {
            loader.emit.abc(Op::BsRestCallOnly, x(*context)?, 0, 0);
            Some(2)
        }
        _ => run(loader, parts),
    }
}

fn start_byte(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    let [
        Instr::BsStart { src: Src::X(src), dst: started, .. },
        Instr::BsGetPosition { context, dst: position },
        integer @ Instr::BsInteger { context: from, dst, .. },
        ..,
    ] = parts
    else {
        return None;
    };
    if context != started || from != started || position == started || plain(integer)? != 8 {
        return None;
    }
    let position = x(*position)?;
    loader.emit.abc(Op::BsStartByte, *src, x(*started)?, x(*dst)?);
    // Behind the prefix of 2 words: `bs_start` of 2, `bs_get_position` of 1, `bs_integer` of 2, `bs_rest` of 2.
    let (count, words) = match parts[3..] {
        [Instr::BsRest { context, unit: 8, .. }, ..] if context == started && dst != started => (4, 9),
        _ => (3, 7),
    };
    loader.emit.word(u64::from(position) | words << 16);
    Some(count)
}

/// The context of a row that may be a command of a run.
fn context_of(instr: &Instr) -> Option<Reg> {
    match instr {
        Instr::BsInteger { context, .. }
        | Instr::BsSkip { context, .. }
        | Instr::BsString { context, .. }
        | Instr::BsGetPosition { context, .. }
        | Instr::BsRest { context, .. } => Some(*context),
        _ => None,
    }
}

fn run(loader: &mut Loader<'_>, parts: &[&Instr]) -> Option<usize> {
    let context = context_of(parts.first()?)?;
    let mut commands = Vec::new();
    let mut total = 0;
    for instr in parts.iter().take_while(|instr| context_of(instr) == Some(context)) {
        let Some((command, bits)) = command(loader, instr) else { break };
        if total + bits > MAX_BITS {
            break;
        }
        total += bits;
        commands.push(command);
        // Behind a result in its register the context is gone.
        if matches!(instr, Instr::BsInteger { dst, .. } | Instr::BsGetPosition { dst, .. } if *dst == context)
        {
            break;
        }
    }
    let a = x(context)?;
    if commands.len() < 2 {
        return None;
    }
    let words: usize = parts[..commands.len()].iter().map(|instr| words(instr)).sum();
    loader.emit.abc(Op::BsRun, a, commands.len() as u16, total as u16);
    loader.emit.word((2 + commands.len() + words) as u64);
    commands.iter().for_each(|command| loader.emit.word(*command));
    Some(commands.len())
}

/// A row as a command, and how many bits it takes.
fn command(loader: &Loader<'_>, instr: &Instr) -> Option<(u64, u64)> {
    let word = |kind: u8, bits: u64, dst: u16, high: u64| {
        u64::from(kind) | bits << 8 | u64::from(dst) << 16 | high << 32
    };
    match instr {
        Instr::BsInteger { dst, .. } => {
            let bits = u64::from(plain(instr)?);
            Some((word(COMMAND_INTEGER, bits, x(*dst)?, 0), bits))
        }
        Instr::BsSkip { size: Size::Units(Src::Int(units)), unit, .. } => {
            let bits = u64::try_from(*units).ok()?.checked_mul((*unit).into())?;
            (bits <= MAX_BITS).then_some((word(COMMAND_SKIP, 0, 0, bits), bits))
        }
        Instr::BsString { bits, .. } => {
            let (number, bits) = constant(loader.module, *bits)?;
            (bits <= 32).then_some((word(COMMAND_CONSTANT, bits, 0, number), bits))
        }
        Instr::BsGetPosition { dst, .. } => Some((word(COMMAND_POSITION, 0, x(*dst)?, 0), 0)),
        Instr::BsRest { unit: 8, .. } => Some((word(COMMAND_REST, 0, 0, 0), 0)),
        _ => None,
    }
}

/// Words of the internal instruction for a row that is a command.
fn words(instr: &Instr) -> usize {
    match instr {
        Instr::BsSkip { .. } => 4,
        Instr::BsString { .. } => 3,
        Instr::BsGetPosition { .. } => 1,
        _ => 2,
    }
}
