//! A small ordered table, by number: of most processes each table of relations has no entry or one, which is kept in place,
//! without an allocation.

use std::collections::BTreeMap;

/// The table.
#[derive(Debug)]
pub enum Ties<V> {
    /// None or one.
    Few(Option<(u64, V)>),
    /// More, or there were more once.
    Many(BTreeMap<u64, V>),
}

impl<V> Default for Ties<V> {
    fn default() -> Self {
        Ties::Few(None)
    }
}

impl<V> Ties<V> {
    /// The value of `key`.
    #[inline]
    pub fn get(&self, key: &u64) -> Option<&V> {
        match self {
            Ties::Few(Some((only, value))) => (only == key).then_some(value),
            Ties::Few(None) => None,
            Ties::Many(map) => map.get(key),
        }
    }

    /// The value of `key`, to change.
    #[inline]
    pub fn get_mut(&mut self, key: &u64) -> Option<&mut V> {
        match self {
            Ties::Few(Some((only, value))) => (only == key).then_some(value),
            Ties::Few(None) => None,
            Ties::Many(map) => map.get_mut(key),
        }
    }

    /// Whether `key` is there.
    pub fn contains_key(&self, key: &u64) -> bool {
        self.get(key).is_some()
    }

    /// Sets the value of `key` and gives the former one.
    #[inline]
    pub fn insert(&mut self, key: u64, value: V) -> Option<V> {
        match self {
            Ties::Few(one @ None) => {
                *one = Some((key, value));
                None
            }
            Ties::Few(Some((only, old))) if *only == key => Some(std::mem::replace(old, value)),
            _ => self.many().insert(key, value),
        }
    }

    /// The value of `key`; `default` is put there if there is none.
    pub fn get_or_insert(&mut self, key: u64, default: V) -> &mut V {
        if self.is_empty() || self.contains_key(&key) {
            // It stays as it is.
            return match self {
                Ties::Few(one) => &mut one.get_or_insert((key, default)).1,
                Ties::Many(map) => map.entry(key).or_insert(default),
            };
        }
        self.many().entry(key).or_insert(default)
    }

    fn many(&mut self) -> &mut BTreeMap<u64, V> {
        if let Ties::Few(one) = self {
            *self = Ties::Many(one.take().into_iter().collect());
        }
        match self {
            Ties::Many(map) => map,
            Ties::Few(_) => unreachable!("just replaced"),
        }
    }

    /// Removes `key` and gives its value.
    #[inline]
    pub fn remove(&mut self, key: &u64) -> Option<V> {
        match self {
            Ties::Few(one) => one.take_if(|(only, _)| only == key).map(|(_, value)| value),
            Ties::Many(map) => map.remove(key),
        }
    }

    /// Removes the entry with the smallest key.
    pub fn pop_first(&mut self) -> Option<(u64, V)> {
        match self {
            Ties::Few(one) => one.take(),
            Ties::Many(map) => map.pop_first(),
        }
    }

    /// Keys and values, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&u64, &V)> {
        let (one, map) = match self {
            Ties::Few(one) => (one.as_ref(), None),
            Ties::Many(map) => (None, Some(map)),
        };
        one.into_iter().map(|(key, value)| (key, value)).chain(map.into_iter().flatten())
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &u64> {
        self.iter().map(|(key, _)| key)
    }

    /// The values, by key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        match self {
            Ties::Few(one) => usize::from(one.is_some()),
            Ties::Many(map) => map.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Ties;
    use std::collections::BTreeMap;

    #[test]
    fn it_is_an_ordered_map() {
        // Every short history of inserts and removals of three keys, against the standard map.
        for history in 0..6usize.pow(6) {
            let (mut ties, mut map) = (Ties::default(), BTreeMap::new());
            let mut rest = history;
            for step in 0..6 {
                let key = (rest % 3) as u64;
                if rest % 6 < 3 {
                    assert_eq!(ties.insert(key, step), map.insert(key, step));
                } else {
                    assert_eq!(ties.remove(&key), map.remove(&key));
                }
                rest /= 6;
                assert_eq!((ties.len(), ties.is_empty()), (map.len(), map.is_empty()));
                assert!(ties.iter().eq(map.iter()));
                assert_eq!(ties.get(&1), map.get(&1));
                assert_eq!(ties.get_mut(&2), map.get_mut(&2));
            }
            assert_eq!(ties.get_or_insert(1, 9), map.entry(1).or_insert(9));
            assert_eq!(ties.pop_first(), map.pop_first());
        }
    }
}
