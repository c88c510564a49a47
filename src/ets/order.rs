//! Rows in the order of their keys.
//!
//! A sorted sequence cut into chunks of bounded length: finding is two binary searches, inserting moves at most one chunk's
//! worth of pointers, and a full chunk splits in two.

use std::cmp::Ordering;

use crate::heap::Fragment;

/// Rows in a chunk before it splits: 2 kB of pointers move in less time than one allocation takes.
const CHUNK_ROWS: usize = 256;

/// A sorted sequence of rows with distinct keys.
pub struct OrderedRows {
    /// No chunk is empty.
    chunks: Vec<Vec<Fragment>>,
    len: usize,
}

/// Where a row is, or would be inserted. Valid until the next change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    chunk: usize,
    row: usize,
}

impl OrderedRows {
    pub fn new() -> OrderedRows {
        OrderedRows { chunks: Vec::new(), len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Finds the row that `order` (of a row relative to what is looked for) calls equal, or where it would go.
    pub fn find(&self, order: impl Fn(&Fragment) -> Ordering) -> Result<Place, Place> {
        let below = |chunk: &Vec<Fragment>| chunk.last().is_some_and(|row| order(row) == Ordering::Less);
        let chunk = self.chunks.partition_point(below);
        match self.chunks.get(chunk) {
            None => Err(Place { chunk, row: 0 }),
            Some(rows) => match rows.binary_search_by(&order) {
                Ok(row) => Ok(Place { chunk, row }),
                Err(row) => Err(Place { chunk, row }),
            },
        }
    }

    /// The place of the first row that is not less; `order` as for [`OrderedRows::find`], where several may be equal.
    pub fn lowest(&self, order: impl Fn(&Fragment) -> Ordering) -> Option<Place> {
        let is_less = |row: &Fragment| order(row) == Ordering::Less;
        let chunk = self.chunks.partition_point(|chunk| chunk.last().is_some_and(is_less));
        let rows = self.chunks.get(chunk)?;
        Some(Place { chunk, row: rows.partition_point(is_less) })
    }

    /// The row at a place; `None` behind the end.
    pub fn get(&self, place: Place) -> Option<&Fragment> {
        self.chunks.get(place.chunk)?.get(place.row)
    }

    /// The row at a place, for changes that leave its key.
    pub fn get_mut(&mut self, place: Place) -> Option<&mut Fragment> {
        self.chunks.get_mut(place.chunk)?.get_mut(place.row)
    }

    /// Place of the first row.
    pub fn first(&self) -> Option<Place> {
        (self.len > 0).then_some(Place { chunk: 0, row: 0 })
    }

    /// Place of the last row.
    pub fn last(&self) -> Option<Place> {
        let chunk = self.chunks.len().checked_sub(1)?;
        Some(Place { chunk, row: self.chunks[chunk].len() - 1 })
    }

    /// The place behind one.
    pub fn next(&self, place: Place) -> Option<Place> {
        if place.row + 1 < self.chunks.get(place.chunk)?.len() {
            return Some(Place { row: place.row + 1, ..place });
        }
        (place.chunk + 1 < self.chunks.len()).then_some(Place { chunk: place.chunk + 1, row: 0 })
    }

    /// The place before one (which may be the end, or where something would be inserted).
    pub fn previous(&self, place: Place) -> Option<Place> {
        if place.row > 0 {
            return Some(Place { row: place.row - 1, ..place });
        }
        let chunk = place.chunk.checked_sub(1)?;
        Some(Place { chunk, row: self.chunks[chunk].len() - 1 })
    }

    /// Inserts at a place that [`OrderedRows::find`] answered as `Err`.
    pub fn insert(&mut self, place: Place, row: Fragment) {
        self.len += 1;
        if place.chunk == self.chunks.len() {
            // Behind everything: rows that come in order fill chunks to the brim.
            match self.chunks.last_mut() {
                Some(last) if last.len() < CHUNK_ROWS => last.push(row),
                _ => self.chunks.push(vec![row]),
            }
            return;
        }
        let chunk = &mut self.chunks[place.chunk];
        chunk.insert(place.row, row);
        if chunk.len() > CHUNK_ROWS {
            let upper = chunk.split_off(CHUNK_ROWS / 2);
            self.chunks.insert(place.chunk + 1, upper);
        }
    }

    /// Puts another row of the same key in the place of one.
    pub fn replace(&mut self, place: Place, row: Fragment) -> Fragment {
        std::mem::replace(&mut self.chunks[place.chunk][place.row], row)
    }

    /// Takes a row out.
    pub fn remove(&mut self, place: Place) -> Fragment {
        self.len -= 1;
        let row = self.chunks[place.chunk].remove(place.row);
        if self.chunks[place.chunk].is_empty() {
            self.chunks.remove(place.chunk);
        }
        row
    }

    /// Frees some of the rows from the end on; whether that was all.
    pub fn free_some(&mut self, most: usize) -> bool {
        let mut freed = 0;
        while freed < most
            && let Some(chunk) = self.chunks.pop()
        {
            freed += chunk.len();
        }
        self.len = self.len.saturating_sub(freed);
        self.chunks.is_empty()
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &Fragment> {
        self.chunks.iter().flatten()
    }
}
