//! Natives of `atomics` and `counters`: arrays of 64-bit numbers shared between processes.
//!
//! Both are one resource; OTP's write-optimised counters promise less and cost more memory, and get the exact ones here.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::ResourceBox;
use crate::runtime::limits::Paid;
use crate::term::{Term, View};

/// The array behind a reference.
struct Array {
    cells: Box<[AtomicU64]>,
    signed: bool,
    /// The maker pays as long as anybody has it.
    _paid: Paid,
}

/// What an array takes besides its cells, about.
const ARRAY_BYTES: usize = 128;

/// Cells that are made in a unit of work.
const CELLS_PER_UNIT: usize = 4;

/// Most cells of an array: what fits a quarter of a gigabyte.
const MOST_CELLS: i64 = 1 << 25;

fn new_array<'h>(cx: &mut Cx<'h>, size: Term<'h>, signed: bool) -> BifResult<'h> {
    let size = match size.view() {
        View::Int(size @ 1..) if size <= MOST_CELLS => size as usize,
        View::Int(1..) => return Err(Stop::system_limit()),
        View::Big(size) if !size.is_negative() => return Err(Stop::system_limit()),
        _ => return Err(Stop::badarg()),
    };
    cx.work(size / CELLS_PER_UNIT)?;
    let paid = Paid::ahead(cx.heap().account(), ARRAY_BYTES + size * size_of::<AtomicU64>())?;
    let cells = (0..size).map(|_| AtomicU64::new(0)).collect();
    let unique = cx.worker.make_unique();
    Ok(cx.resource(unique, Arc::new(Box::new(Array { cells, signed, _paid: paid })))?)
}

/// The array an argument refers to: a reference, or what `counters:new/2` gave.
fn array<'h>(cx: &Cx<'h>, term: Term<'h>) -> Result<Arc<ResourceBox>, Stop<'h>> {
    let reference = match term.as_tuple() {
        Some(&[tag, reference]) if tag.is_atom(known::ATOMICS) || tag.is_atom(known::WRITE_CONCURRENCY) => {
            reference
        }
        _ => term,
    };
    let resource = cx.resource_value(reference).ok_or_else(Stop::badarg)?;
    if resource.is::<Array>() { Ok(resource) } else { Err(Stop::badarg()) }
}

impl Array {
    fn of(resource: &ResourceBox) -> Option<&Array> {
        resource.downcast_ref()
    }

    fn cell(&self, index: Term<'_>) -> Option<&AtomicU64> {
        let index = usize::try_from(index.as_small()?).ok()?.checked_sub(1)?;
        self.cells.get(index)
    }

    /// The bits of a value, if it is in the array's range.
    fn bits(&self, value: Term<'_>) -> Option<u64> {
        let (negative, magnitude) = match value.view() {
            View::Int(value) => (value < 0, value.unsigned_abs()),
            View::Big(big) if big.limbs().len() == 1 => (big.is_negative(), big.limbs()[0]),
            _ => return None,
        };
        match (negative, self.signed) {
            (false, true) if magnitude > i64::MAX as u64 => None,
            (true, true) if magnitude > 1 << 63 => None,
            (true, false) => None,
            (true, true) => Some(magnitude.wrapping_neg()),
            (false, _) => Some(magnitude),
        }
    }

    /// An increment: any value of either range, taken modulo 2^64.
    fn increment(value: Term<'_>) -> Option<u64> {
        match value.view() {
            View::Int(value) => Some(value as u64),
            View::Big(big) if big.limbs().len() == 1 && big.is_negative() && big.limbs()[0] <= 1 << 63 => {
                Some(big.limbs()[0].wrapping_neg())
            }
            View::Big(big) if big.limbs().len() == 1 && !big.is_negative() => Some(big.limbs()[0]),
            _ => None,
        }
    }

    fn term<'h>(&self, cx: &mut Cx<'h>, bits: u64) -> BifResult<'h> {
        Ok(if self.signed { cx.int(bits as i64)? } else { cx.uint(bits)? })
    }
}

/// Runs `f` on the cell that the arguments name.
fn on_cell<'h, R>(
    cx: &mut Cx<'h>,
    reference: Term<'h>,
    index: Term<'h>,
    f: impl FnOnce(&mut Cx<'h>, &Array, &AtomicU64) -> Result<R, Stop<'h>>,
) -> Result<R, Stop<'h>> {
    let resource = array(cx, reference)?;
    let array = Array::of(&resource).ok_or_else(Stop::badarg)?;
    let cell = array.cell(index).ok_or_else(Stop::badarg)?;
    f(cx, array, cell)
}

fn bad_option<'h>() -> Stop<'h> {
    Stop::badarg_because(known::BADOPT)
}

/// `atomics:new(Size, [{signed, boolean()}]) -> ref()`.
///
/// # Errors
/// `badarg` for a wrong size or option; `system_limit` if it is too large.
pub fn new_atomics<'h>(cx: &mut Cx<'h>, [size, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let mut signed = true;
    let mut items = options.list();
    for option in items.by_ref() {
        match option.as_tuple() {
            Some(&[key, value]) if key.is_atom(known::SIGNED) => {
                signed = value.as_boolean().ok_or_else(bad_option)?
            }
            _ => return Err(bad_option()),
        }
    }
    if !items.rest().is_nil() {
        return Err(bad_option());
    }
    new_array(cx, size, signed)
}

/// `counters:new(Size, [atomics | write_concurrency]) -> ref()`.
///
/// # Errors
/// As `atomics:new/2`.
pub fn new_counters<'h>(cx: &mut Cx<'h>, [size, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let mut kind = known::ATOMICS;
    let mut items = options.list();
    for option in items.by_ref() {
        match option.as_atom() {
            Some(option @ (known::ATOMICS | known::WRITE_CONCURRENCY)) => kind = option,
            _ => return Err(bad_option()),
        }
    }
    if !items.rest().is_nil() {
        return Err(bad_option());
    }
    let reference = new_array(cx, size, true)?;
    Ok(cx.tuple(&[Term::atom(kind), reference])?)
}

/// `get(Ref, Index) -> integer()`.
///
/// # Errors
/// `badarg` if there is no such cell.
pub fn get<'h>(cx: &mut Cx<'h>, [reference, index]: [Term<'h>; 2]) -> BifResult<'h> {
    // All operations are sequentially consistent, as OTP promises of atomics.
    on_cell(cx, reference, index, |cx, array, cell| array.term(cx, cell.load(Ordering::SeqCst)))
}

/// `put(Ref, Index, Value) -> ok`.
///
/// # Errors
/// `badarg` if there is no such cell or the value is out of range.
pub fn put<'h>(cx: &mut Cx<'h>, [reference, index, value]: [Term<'h>; 3]) -> BifResult<'h> {
    on_cell(cx, reference, index, |_, array, cell| {
        cell.store(array.bits(value).ok_or_else(Stop::badarg)?, Ordering::SeqCst);
        Ok(Term::atom(known::OK))
    })
}

/// `add(Ref, Index, Increment) -> ok`.
///
/// # Errors
/// `badarg` if there is no such cell or the increment is no 64-bit integer.
pub fn add<'h>(cx: &mut Cx<'h>, [reference, index, increment]: [Term<'h>; 3]) -> BifResult<'h> {
    on_cell(cx, reference, index, |_, _, cell| {
        cell.fetch_add(Array::increment(increment).ok_or_else(Stop::badarg)?, Ordering::SeqCst);
        Ok(Term::atom(known::OK))
    })
}

/// To subtract is to add the negative, as OTP has it: what has none is `badarith`, before all else.
fn negatable<'h>(term: Term<'h>) -> Result<(), Stop<'h>> {
    match term.view() {
        View::Int(_) | View::Big(_) | View::Float(_) => Ok(()),
        _ => Err(Stop::badarith()),
    }
}

/// `sub(Ref, Index, Decrement) -> ok`.
///
/// # Errors
/// As `add/3`.
pub fn sub<'h>(cx: &mut Cx<'h>, [reference, index, decrement]: [Term<'h>; 3]) -> BifResult<'h> {
    negatable(decrement)?;
    on_cell(cx, reference, index, |_, _, cell| {
        cell.fetch_sub(Array::increment(decrement).ok_or_else(Stop::badarg)?, Ordering::SeqCst);
        Ok(Term::atom(known::OK))
    })
}

/// `atomics:add_get(Ref, Index, Increment) -> integer()`.
///
/// # Errors
/// As `add/3`.
pub fn add_get<'h>(cx: &mut Cx<'h>, [reference, index, increment]: [Term<'h>; 3]) -> BifResult<'h> {
    on_cell(cx, reference, index, |cx, array, cell| {
        let increment = Array::increment(increment).ok_or_else(Stop::badarg)?;
        array.term(cx, cell.fetch_add(increment, Ordering::SeqCst).wrapping_add(increment))
    })
}

/// `atomics:sub_get(Ref, Index, Decrement) -> integer()`.
///
/// # Errors
/// As `add/3`.
pub fn sub_get<'h>(cx: &mut Cx<'h>, [reference, index, decrement]: [Term<'h>; 3]) -> BifResult<'h> {
    negatable(decrement)?;
    on_cell(cx, reference, index, |cx, array, cell| {
        let decrement = Array::increment(decrement).ok_or_else(Stop::badarg)?;
        array.term(cx, cell.fetch_sub(decrement, Ordering::SeqCst).wrapping_sub(decrement))
    })
}

/// `atomics:exchange(Ref, Index, Value) -> integer()`.
///
/// # Errors
/// As `put/3`.
pub fn exchange<'h>(cx: &mut Cx<'h>, [reference, index, value]: [Term<'h>; 3]) -> BifResult<'h> {
    on_cell(cx, reference, index, |cx, array, cell| {
        let value = array.bits(value).ok_or_else(Stop::badarg)?;
        array.term(cx, cell.swap(value, Ordering::SeqCst))
    })
}

/// `atomics:compare_exchange(Ref, Index, Expected, Desired) -> ok | integer()`.
///
/// # Errors
/// As `put/3`.
pub fn compare_exchange<'h>(
    cx: &mut Cx<'h>,
    [reference, index, expected, desired]: [Term<'h>; 4],
) -> BifResult<'h> {
    on_cell(cx, reference, index, |cx, array, cell| {
        let expected = array.bits(expected).ok_or_else(Stop::badarg)?;
        let desired = array.bits(desired).ok_or_else(Stop::badarg)?;
        match cell.compare_exchange(expected, desired, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => Ok(Term::atom(known::OK)),
            Err(actual) => array.term(cx, actual),
        }
    })
}

/// `info(Ref) -> #{size, max, min, memory}`.
///
/// # Errors
/// `badarg` if it is no such reference.
pub fn info<'h>(cx: &mut Cx<'h>, [reference]: [Term<'h>; 1]) -> BifResult<'h> {
    let resource = array(cx, reference)?;
    let array = Array::of(&resource).ok_or_else(Stop::badarg)?;
    let size = array.cells.len();
    let (least, most) = if array.signed { (1 << 63, i64::MAX as u64) } else { (0, u64::MAX) };
    let values = [
        (known::SIZE, cx.int(size as i64)?),
        (known::MAX, array.term(cx, most)?),
        (known::MIN, array.term(cx, least)?),
        // As OTP counts: the cells and a header of five words.
        (known::MEMORY, cx.int((size as i64 + 5) * 8)?),
    ];
    Ok(cx.map(&values.map(|(key, value)| (Term::atom(key), value)))?)
}
