//! Maps of values.

use std::fmt;

use super::{Value, Values};

/// An Erlang map: entries in the order of their keys.
///
/// ```
/// use erlet::{Map, Value};
/// let map: Map = [(Value::atom("b"), Value::from(2)), (Value::atom("a"), Value::from(1))].into_iter().collect();
/// assert_eq!(map.get(&Value::atom("a")), Some(&Value::Int(1)));
/// assert_eq!(map.iter().count(), 2);
/// ```
#[derive(Clone, Default)]
pub struct Map(
    /// Keys and values in turn, sorted by key.
    pub(super) Values,
);

impl Map {
    /// How many entries there are.
    ///
    /// ```
    /// assert_eq!(erlet::Map::default().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.0.len() / 2
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(erlet::Map::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries, in the order of their keys.
    ///
    /// ```
    /// assert!(erlet::Map::default().iter().next().is_none());
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.0.chunks_exact(2).map(|entry| (&entry[0], &entry[1]))
    }

    /// The value of a key. Costs the logarithm of the size in comparisons.
    ///
    /// ```
    /// assert_eq!(erlet::Map::default().get(&1.into()), None);
    /// ```
    pub fn get(&self, key: &Value) -> Option<&Value> {
        let place = self.place(key).ok()?;
        Some(&self.0[2 * place + 1])
    }

    /// Sets the value of a key, and gives the one it had. Costs time in proportion to the size for a new key: to make a large map,
    /// collect it.
    ///
    /// ```
    /// let mut map = erlet::Map::default();
    /// assert_eq!(map.insert("k".into(), 1.into()), None);
    /// assert_eq!(map.insert("k".into(), 2.into()), Some(1.into()));
    /// ```
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.0[2 * place + 1], value)),
            Err(place) => {
                self.0.0.splice(2 * place..2 * place, [key, value]);
                None
            }
        }
    }

    fn place(&self, key: &Value) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.0[2 * middle].cmp(key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Ok(middle),
            }
        }
        Err(low)
    }

    /// From keys and values in turn, in any order; of equal keys the last counts.
    pub(super) fn from_flat(flat: Vec<Value>) -> Map {
        let mut flat = flat.into_iter();
        let mut entries = Vec::with_capacity(flat.len() / 2);
        while let (Some(key), Some(value)) = (flat.next(), flat.next()) {
            entries.push((key, value));
        }
        entries.into_iter().collect()
    }
}

impl FromIterator<(Value, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Map {
        let mut entries: Vec<(Value, Value)> = entries.into_iter().collect();
        // Stable: of equal keys the last stays last, and it is the one that is kept.
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut flat: Vec<Value> = Vec::with_capacity(2 * entries.len());
        for (key, value) in entries {
            if flat.len() >= 2 && flat[flat.len() - 2] == key {
                flat.truncate(flat.len() - 2);
            }
            flat.extend([key, value]);
        }
        Map(flat.into())
    }
}

impl IntoIterator for Map {
    type Item = (Value, Value);
    type IntoIter = Entries;

    fn into_iter(self) -> Entries {
        Entries(self.0.into_iter())
    }
}

/// The entries of a map, taken out of it in the order of their keys.
pub struct Entries(std::vec::IntoIter<Value>);

impl Iterator for Entries {
    type Item = (Value, Value);

    fn next(&mut self) -> Option<(Value, Value)> {
        Some((self.0.next()?, self.0.next()?))
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        self.0 == other.0
    }
}

impl Eq for Map {}
