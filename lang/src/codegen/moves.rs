//! Moves that happen at once, put into an order.

use crate::bytecode::{Instr, Reg, Src};

/// Emits moves as if all sources were read before any destination is written. Destinations are distinct.
pub(super) fn parallel(mut moves: Vec<(Src, Reg)>, emit: &mut impl FnMut(Instr)) {
    moves.retain(|(src, dst)| *src != Src::from(*dst));
    // Few registers are ever moved at once (arguments), so looking through the rest is cheap; long lists are mostly
    // constants, which block nothing and are left to the end.
    let mut constants = Vec::new();
    moves.retain(|&(src, dst)| {
        let constant = !matches!(src, Src::X(_) | Src::Y(_));
        if constant {
            constants.push((src, dst));
        }
        !constant
    });
    while !moves.is_empty() {
        let free = moves.iter().position(|(_, dst)| moves.iter().all(|(src, _)| *src != Src::from(*dst)));
        match free {
            Some(at) => {
                let (src, dst) = moves.remove(at);
                emit(Instr::Move { src, dst });
            }
            None => {
                // Only circles are left: exchange, and what was read from the one is now in the other.
                let (src, dst) = moves.remove(0);
                let from = match src {
                    Src::X(n) => Reg::X(n),
                    Src::Y(n) => Reg::Y(n),
                    _ => continue,
                };
                emit(Instr::Swap { a: from, b: dst });
                for (src, _) in &mut moves {
                    if *src == Src::from(dst) {
                        *src = from.into();
                    } else if *src == Src::from(from) {
                        *src = dst.into();
                    }
                }
                moves.retain(|(src, dst)| *src != Src::from(*dst));
            }
        }
    }
    for (src, dst) in constants {
        emit(Instr::Move { src, dst });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs moves on numbered registers; afterwards each destination must hold its source's old value.
    fn check(moves: &[(u16, u16)]) {
        let mut registers: Vec<u16> = (0..16).collect();
        let list = moves.iter().map(|&(from, to)| (Src::X(from), Reg::X(to))).collect();
        let mut emitted = Vec::new();
        parallel(list, &mut |instr| emitted.push(instr));
        for instr in emitted {
            match instr {
                Instr::Move { src: Src::X(from), dst: Reg::X(to) } => {
                    registers[usize::from(to)] = registers[usize::from(from)];
                }
                Instr::Swap { a: Reg::X(a), b: Reg::X(b) } => registers.swap(usize::from(a), usize::from(b)),
                other => panic!("unexpected {other:?}"),
            }
        }
        for &(from, to) in moves {
            assert_eq!(registers[usize::from(to)], from, "{moves:?}");
        }
    }

    #[test]
    fn all_sources_are_read_first() {
        check(&[(0, 1), (1, 0)]);
        check(&[(0, 1), (1, 2), (2, 0)]);
        check(&[(0, 1), (1, 2), (2, 0), (0, 3), (5, 4)]);
        check(&[(1, 0), (2, 1), (3, 2)]);
        check(&[(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 4)]);
    }
}
