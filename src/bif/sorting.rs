//! Sorting whose comparisons may fail: a comparison of terms may be long, and then the sort is given up with it.
//!
//! (The standard library's sorts want a comparison that always answers, and may panic if one that has given up answers at random.)

use std::cmp::Ordering;

use super::Cx;
use crate::heap::{AllocError, Scratch};

/// Entries that are sorted by insertion: below this many, merging costs more.
const RUN: usize = 12;

/// Sorts stably: runs by insertion, then merged pairwise, each time into scratch and back.
///
/// # Errors
/// What `order` fails with; if there is no room for as much scratch again.
pub fn sort<'h, T: Copy>(
    cx: &mut Cx<'h>,
    row: &mut [T],
    mut order: impl FnMut(&mut Cx<'h>, &T, &T) -> Result<Ordering, AllocError>,
) -> Result<(), AllocError> {
    for run in row.chunks_mut(RUN) {
        for end in 1..run.len() {
            let entry = run[end];
            let mut place = end;
            while place > 0 && order(cx, &run[place - 1], &entry)? == Ordering::Greater {
                run[place] = run[place - 1];
                place -= 1;
            }
            run[place] = entry;
        }
    }
    let mut width = RUN;
    let mut left: Scratch<'h, T> = cx.scratch();
    while width < row.len() {
        for pair in row.chunks_mut(2 * width) {
            cx.work(pair.len())?;
            if pair.len() > width && order(cx, &pair[width - 1], &pair[width])? == Ordering::Greater {
                merge(cx, &mut left, pair, width, &mut order)?;
            }
        }
        width *= 2;
    }
    Ok(())
}

/// Merges the sorted `row[..width]` and `row[width..]`.
fn merge<'h, T: Copy>(
    cx: &mut Cx<'h>,
    left: &mut Scratch<'h, T>,
    row: &mut [T],
    width: usize,
    order: &mut impl FnMut(&mut Cx<'h>, &T, &T) -> Result<Ordering, AllocError>,
) -> Result<(), AllocError> {
    left.truncate(0);
    left.extend(&row[..width])?;
    let (mut taken, mut right, mut place) = (0, width, 0);
    while taken < width {
        if right < row.len() && order(cx, &left[taken], &row[right])? == Ordering::Greater {
            row[place] = row[right];
            right += 1;
        } else {
            row[place] = left[taken];
            taken += 1;
        }
        place += 1;
    }
    Ok(())
}
