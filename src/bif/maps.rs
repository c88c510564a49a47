//! Natives of module `maps`.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::Scratch;
use crate::term::{Map, Term, View};

/// The map that an argument must be.
///
/// # Errors
/// `{badmap, Term}`.
fn as_map<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<Map<'h>, Stop<'h>> {
    match term.as_map() {
        Some(map) => Ok(map),
        None => Err(Stop::error(cx.tuple(&[Term::atom(known::BADMAP), term])?)),
    }
}

fn bad_key<'h>(cx: &mut Cx<'h>, key: Term<'h>) -> Stop<'h> {
    match cx.tuple(&[Term::atom(known::BADKEY), key]) {
        Ok(reason) => Stop::error(reason),
        Err(error) => error.into(),
    }
}

/// Charges for work on all associations of a map.
fn charge(cx: &mut Cx<'_>, associations: usize) {
    cx.charge(associations / super::lists::ELEMENTS_PER_REDUCTION);
}

/// `find(Key, Map) -> {ok, Value} | error`.
///
/// # Errors
/// `{badmap, Map}`.
pub fn find<'h>(cx: &mut Cx<'h>, [key, map]: [Term<'h>; 2]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    match cx.map_get(map, key)? {
        Some(value) => Ok(cx.tuple(&[Term::atom(known::OK), value])?),
        None => Ok(Term::atom(known::ERROR)),
    }
}

/// `get(Key, Map) -> Value`.
///
/// # Errors
/// `{badmap, Map}`, `{badkey, Key}`.
pub fn get<'h>(cx: &mut Cx<'h>, [key, map]: [Term<'h>; 2]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    cx.map_get(map, key)?.ok_or_else(|| bad_key(cx, key))
}

/// `is_key(Key, Map) -> boolean()`.
///
/// # Errors
/// `{badmap, Map}`.
pub fn is_key<'h>(cx: &mut Cx<'h>, [key, map]: [Term<'h>; 2]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    Ok(Term::boolean(cx.map_get(map, key)?.is_some()))
}

/// `put(Key, Value, Map) -> Map`.
///
/// # Errors
/// `{badmap, Map}`.
pub fn put<'h>(cx: &mut Cx<'h>, [key, value, map]: [Term<'h>; 3]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    Ok(cx.map_put(map, key, value)?)
}

/// `update(Key, Value, Map) -> Map`.
///
/// # Errors
/// `{badmap, Map}`, `{badkey, Key}`.
pub fn update<'h>(cx: &mut Cx<'h>, [key, value, map]: [Term<'h>; 3]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    cx.map_update(map, key, value)?.ok_or_else(|| bad_key(cx, key))
}

/// `remove(Key, Map) -> Map`.
///
/// # Errors
/// `{badmap, Map}`.
pub fn remove<'h>(cx: &mut Cx<'h>, [key, map]: [Term<'h>; 2]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    Ok(cx.map_remove(map, key)?)
}

/// `take(Key, Map) -> {Value, Map} | error`.
///
/// # Errors
/// `{badmap, Map}`.
pub fn take<'h>(cx: &mut Cx<'h>, [key, map]: [Term<'h>; 2]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    match cx.map_take(map, key)? {
        Some((value, rest)) => Ok(cx.tuple(&[value, rest])?),
        None => Ok(Term::atom(known::ERROR)),
    }
}

/// `keys(Map) -> [Key]`.
///
/// # Errors
/// `{badmap, Map}`.
pub fn keys<'h>(cx: &mut Cx<'h>, [map]: [Term<'h>; 1]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    list_of(cx, map, |(key, _)| key)
}

/// `values(Map) -> [Value]`.
///
/// # Errors
/// `{badmap, Map}`.
pub fn values<'h>(cx: &mut Cx<'h>, [map]: [Term<'h>; 1]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    list_of(cx, map, |(_, value)| value)
}

/// `to_list(Map) -> [{Key, Value}]`, of a map (iterators are unfolded in Erlang).
///
/// # Errors
/// `{badmap, Map}`.
pub fn to_list<'h>(cx: &mut Cx<'h>, [map]: [Term<'h>; 1]) -> BifResult<'h> {
    let map = as_map(cx, map)?;
    cx.work(UNITS_PER_ASSOCIATION * map.len())?;
    charge(cx, map.len());
    Ok(cx.pairs_of_map(map)?)
}

/// A list of what `element` makes of each association, in iteration order.
fn list_of<'h>(
    cx: &mut Cx<'h>,
    map: Map<'h>,
    element: impl Fn((Term<'h>, Term<'h>)) -> Term<'h>,
) -> BifResult<'h> {
    cx.work(UNITS_PER_ASSOCIATION * map.len())?;
    charge(cx, map.len());
    let mut elements = cx.scratch();
    elements.reserve(map.len())?;
    for pair in map.iter() {
        elements.push(element(pair))?;
    }
    Ok(cx.list(&elements)?)
}

/// Work (see `heap::work`) of passing one association.
const UNITS_PER_ASSOCIATION: usize = 4;

/// Elements of a list gathered between two announcements of work.
const AT_ONCE: usize = 256;

/// The elements of a proper list, each looked at by `element`.
///
/// # Errors
/// `badarg` if it is none; what `element` fails with; if there is no time or room.
fn gathered<'h, T>(
    cx: &mut Cx<'h>,
    list: Term<'h>,
    element: impl Fn(Term<'h>) -> Option<T>,
) -> Result<Scratch<'h, T>, Stop<'h>> {
    let mut items = list.list();
    let mut gathered = cx.scratch();
    for item in items.by_ref() {
        gathered.push(element(item).ok_or_else(Stop::badarg)?)?;
        if gathered.len().is_multiple_of(AT_ONCE) {
            cx.work(AT_ONCE)?;
        }
    }
    if items.rest().is_nil() { Ok(gathered) } else { Err(Stop::badarg()) }
}

/// `from_list([{Key, Value}]) -> Map`; of equal keys the last counts.
///
/// # Errors
/// `badarg` if it is no proper list of pairs.
pub fn from_list<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let pairs = gathered(cx, list, |item| match item.as_tuple() {
        Some(&[key, value]) => Some((key, value)),
        _ => None,
    })?;
    charge(cx, 2 * pairs.len());
    Ok(cx.map(&pairs)?)
}

/// `from_keys([Key], Value) -> Map`.
///
/// # Errors
/// `badarg` if it is no proper list.
pub fn from_keys<'h>(cx: &mut Cx<'h>, [list, value]: [Term<'h>; 2]) -> BifResult<'h> {
    let pairs = gathered(cx, list, |key| Some((key, value)))?;
    charge(cx, 2 * pairs.len());
    Ok(cx.map(&pairs)?)
}

/// `merge(Map1, Map2) -> Map`; values of the second win.
///
/// # Errors
/// `{badmap, Map}` for the first argument at fault.
pub fn merge<'h>(cx: &mut Cx<'h>, [first, second]: [Term<'h>; 2]) -> BifResult<'h> {
    let below = as_map(cx, first)?;
    let above = as_map(cx, second)?;
    if below.is_empty() {
        return Ok(second);
    }
    if above.is_empty() {
        return Ok(first);
    }
    // A few associations are put one by one; many are sorted in at once.
    if above.len() * 8 < below.len() {
        let mut merged = first;
        for (key, value) in above.iter() {
            let map = as_map(cx, merged)?;
            cx.work(8 * UNITS_PER_ASSOCIATION)?;
            merged = cx.map_put(map, key, value)?;
        }
        charge(cx, 8 * above.len());
        return Ok(merged);
    }
    let count = below.len() + above.len();
    cx.work(UNITS_PER_ASSOCIATION * count)?;
    let mut pairs = cx.scratch();
    pairs.reserve(count)?;
    for pair in below.iter().chain(above.iter()) {
        pairs.push(pair)?;
    }
    charge(cx, 2 * count);
    Ok(cx.map(&pairs)?)
}

/// `erlet_maps:with_values(Map, Values) -> Map`: the keys of a map with other values, given in iteration order.
///
/// # Errors
/// `badarg` if it is no map, no proper list, or there are more or fewer values than keys.
pub fn with_values<'h>(cx: &mut Cx<'h>, [map, list]: [Term<'h>; 2]) -> BifResult<'h> {
    let map = map.as_map().ok_or_else(Stop::badarg)?;
    let values = gathered(cx, list, Some)?;
    if values.len() != map.len() {
        return Err(Stop::badarg());
    }
    charge(cx, values.len());
    if let Some(keys) = map.keys_tuple() {
        return Ok(cx.flat_map(keys, &values)?);
    }
    cx.work(UNITS_PER_ASSOCIATION * map.len())?;
    let mut pairs = cx.scratch();
    pairs.reserve(map.len())?;
    for ((key, _), value) in map.iter().zip(values.iter()) {
        pairs.push((key, *value))?;
    }
    Ok(cx.map(&pairs)?)
}

/// Associations in one batch of `map_next/3`.
const BATCH: usize = 64;

/// `erts_internal:map_next(Path, Map, iterator | list())`: associations from a path on, as a nest of triples, or as pairs in
/// front of the list.
///
/// # Errors
/// `badarg` if that is no path this function made, or no map.
pub fn map_next<'h>(cx: &mut Cx<'h>, [path, map, kind]: [Term<'h>; 3]) -> BifResult<'h> {
    let Some(whole) = map.as_map() else { return Err(Stop::badarg()) };
    let atoms = cx.atoms();
    let mut rest = match path.view() {
        View::Int(0) => whole.iter(),
        View::Int(path) if path > 0 => whole.iter_after(atoms, path as u64),
        View::Big(path) if !path.is_negative() && path.limbs().len() == 1 => {
            whole.iter_after(atoms, path.limbs()[0])
        }
        _ => return Err(Stop::badarg()),
    };
    if kind.proper_length().is_some() {
        // In front of a list go all associations there are, as pairs.
        let pairs: Vec<(Term<'h>, Term<'h>)> = rest.collect();
        cx.charge(pairs.len() / 4);
        let mut list = kind;
        for (key, value) in pairs.into_iter().rev() {
            let pair = cx.tuple(&[key, value])?;
            list = cx.cons(pair, list)?;
        }
        return Ok(list);
    }
    if !kind.is_atom(known::ITERATOR) {
        return Err(Stop::badarg());
    }
    let mut batch: Vec<(Term<'h>, Term<'h>)> = Vec::with_capacity(whole.len().min(BATCH));
    let mut last = None;
    let mut more = rest.next();
    while let Some((key, value)) = more {
        // A flat map, and a run of keys with one hash, are never cut.
        if batch.len() >= BATCH
            && let Some(place) = last.and_then(|key| whole.place_of(atoms, key))
            && whole.place_of(atoms, key) != Some(place)
            // Place 0 as a path means the beginning, so no batch ends there.
            && place != 0
        {
            break;
        }
        batch.push((key, value));
        last = Some(key);
        more = rest.next();
    }
    let mut nest = match (more, last.and_then(|key| whole.place_of(atoms, key))) {
        (Some(_), Some(place)) => {
            let place = cx.uint(place)?;
            cx.cons(place, map)?
        }
        _ => Term::atom(known::NONE),
    };
    for (key, value) in batch.into_iter().rev() {
        nest = cx.tuple(&[key, value, nest])?;
    }
    Ok(nest)
}
