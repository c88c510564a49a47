//! The order of constants: that of map keys.
//!
//! Integers before floats, then atoms, funs, tuples, maps, `[]`, lists and bitstrings, as in programs. Maps of one size count as
//! equal, and so do funs: nothing asks for more.

use std::cmp::Ordering;

use super::literal::{Const, Pool, Term};
use crate::name::Interner;

/// What is still to be compared, the next one last.
enum Next {
    Pair(Const, Const),
    Known(Ordering),
}

/// Compares two constants of a pool.
pub fn compare(pool: &Pool, names: &Interner, a: Const, b: Const) -> Ordering {
    let mut pending = vec![Next::Pair(a, b)];
    while let Some(next) = pending.pop() {
        let result = match next {
            Next::Known(result) => result,
            Next::Pair(a, b) => pair(pool, names, a, b, &mut pending),
        };
        if result.is_ne() {
            return result;
        }
    }
    Ordering::Equal
}

fn kind(pool: &Pool, value: Const) -> u8 {
    match (value, pool.get(value)) {
        (Const::Int(_), _) | (_, Some(Term::Big { .. })) => 0,
        (_, Some(Term::Float(_))) => 1,
        (Const::Atom(_), _) => 2,
        (_, Some(Term::Export { .. })) => 3,
        (_, Some(Term::Tuple(_))) => 4,
        (_, Some(Term::Map(_))) => 5,
        (Const::Nil, _) => 6,
        (_, Some(Term::List { .. } | Term::String(_))) => 7,
        (_, Some(Term::Bits { .. })) | (Const::Lit(_), None) => 8,
    }
}

/// Compares what two constants are themselves; what is in them is left to be compared.
fn pair(pool: &Pool, names: &Interner, a: Const, b: Const, pending: &mut Vec<Next>) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let kinds = kind(pool, a).cmp(&kind(pool, b));
    if kinds.is_ne() {
        return kinds;
    }
    match ((a, pool.get(a)), (b, pool.get(b))) {
        ((Const::Atom(x), _), (Const::Atom(y), _)) => names.text(x).cmp(names.text(y)),
        ((_, Some(Term::Float(x))), (_, Some(Term::Float(y)))) => {
            f64::from_bits(*x).total_cmp(&f64::from_bits(*y))
        }
        ((_, Some(Term::Tuple(x))), (_, Some(Term::Tuple(y)))) => {
            pending.extend(x.iter().zip(y).rev().map(|(x, y)| Next::Pair(*x, *y)));
            x.len().cmp(&y.len())
        }
        ((_, Some(Term::Map(x))), (_, Some(Term::Map(y)))) => x.len().cmp(&y.len()),
        ((_, Some(Term::Bits { bytes: x, bits: m })), (_, Some(Term::Bits { bytes: y, bits: n }))) => {
            x.cmp(y).then(m.cmp(n))
        }
        ((Const::Lit(x), Some(Term::List { .. } | Term::String(_))), (Const::Lit(y), _)) => {
            let items = |id| (0..).map_while(move |at| pool.list_item(id, at));
            let (m, n) = (items(x).count(), items(y).count());
            pending.push(match m.cmp(&n) {
                Ordering::Equal => Next::Pair(pool.list_end(x), pool.list_end(y)),
                // What ends the shorter one is before any list, unless it is a bitstring.
                Ordering::Less => Next::Known(kind(pool, pool.list_end(x)).cmp(&7)),
                Ordering::Greater => Next::Known(7.cmp(&kind(pool, pool.list_end(y)))),
            });
            let start = pending.len();
            pending.extend(items(x).zip(items(y)).map(|(x, y)| Next::Pair(x, y)));
            pending[start..].reverse();
            Ordering::Equal
        }
        (x, y) => integer(x).cmp(&integer(y)),
    }
}

/// An integer to compare: sign and length, then the digits from the highest on.
fn integer((value, term): (Const, Option<&Term>)) -> (i64, Vec<u8>, i64) {
    match (value, term) {
        (Const::Int(value), _) => (0, Vec::new(), value),
        (_, Some(Term::Big { negative, magnitude })) => {
            let sign = if *negative { -1 } else { 1 };
            let digits =
                magnitude.iter().rev().map(|digit| if *negative { !digit } else { *digit }).collect();
            (sign * magnitude.len() as i64, digits, 0)
        }
        _ => (0, Vec::new(), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_in_the_order_of_map_keys() {
        let (mut pool, mut names) = (Pool::new(), Interner::new());
        let one_float = pool.float(1.0);
        let (big, small) = (pool.integer(false, vec![1; 9]), pool.integer(true, vec![1; 9]));
        let (a, b) = (Const::Atom(names.intern("a")), Const::Atom(names.intern("b")));
        let pair = pool.tuple(vec![Const::Int(1), a]);
        let other = pool.tuple(vec![Const::Int(1), b]);
        let list = pool.list(vec![a], Const::Nil);
        let longer = pool.list(vec![a, b], Const::Nil);
        let bits = pool.bits(vec![1], 8);
        let sorted = [
            small,
            Const::Int(-1),
            Const::Int(2),
            big,
            one_float,
            a,
            b,
            pair,
            other,
            Const::Nil,
            list,
            longer,
            bits,
        ];
        for (at, x) in sorted.iter().enumerate() {
            for (other, y) in sorted.iter().enumerate() {
                assert_eq!(compare(&pool, &names, *x, *y), at.cmp(&other), "{at} {other}");
            }
        }
    }
}
