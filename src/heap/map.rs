//! Making maps.

use super::{AllocError, HeapRef};
use crate::term::{Map, Term};

impl<'h> HeapRef<'h> {
    /// A map of these associations; of equal keys the last one counts.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map(&mut self, pairs: &[(Term<'h>, Term<'h>)]) -> Result<Term<'h>, AllocError> {
        let _ = pairs;
        unimplemented!("skeleton")
    }

    /// The map with `key` associated with `value` (`maps:put`); the map itself if it already is, word for word.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_put(&mut self, map: Map<'h>, key: Term<'h>, value: Term<'h>) -> Result<Term<'h>, AllocError> {
        let _ = (map, key, value);
        unimplemented!("skeleton")
    }

    /// As `map_put` for a key that is there (`maps:update`, `:=`); `None` if it is not.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_update(
        &mut self,
        map: Map<'h>,
        key: Term<'h>,
        value: Term<'h>,
    ) -> Result<Option<Term<'h>>, AllocError> {
        let _ = (map, key, value);
        unimplemented!("skeleton")
    }

    /// The map without `key`, and the value it had.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_take(
        &mut self,
        map: Map<'h>,
        key: Term<'h>,
    ) -> Result<Option<(Term<'h>, Term<'h>)>, AllocError> {
        let _ = (map, key);
        unimplemented!("skeleton")
    }

    /// The map without `key`.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_remove(&mut self, map: Map<'h>, key: Term<'h>) -> Result<Term<'h>, AllocError> {
        let taken = self.map_take(map, key)?;
        Ok(taken.map_or(map.term(), |(_, rest)| rest))
    }
}
