//! A hashed, hierarchical timer wheel: arm, cancel and read in constant time.
//!
//! Eight levels of 64 places; a place of level 0 is `TICK` wide, one of level n 64 times one of level n-1. An entry hangs in
//! the level whose width its distance needs, and falls to lower levels as time comes near (it is *cascaded*). Entries keep
//! their exact deadline: what is due inside the current tick is told apart exactly, and equal deadlines fire in the order
//! they were armed.
//!
//! Invariant: no clock is read here; times are nanoseconds that the caller got from the virtual machine's clock.

/// Width of a place of level 0: 2^16 ns, about 66 us; well below the timer precision aimed at (0.3 ms).
const TICK_BITS: u32 = 16;
const LEVEL_BITS: u32 = 6;
const PLACES: usize = 1 << LEVEL_BITS;
/// 8 levels reach 2^(16 + 48) ns, the whole range of the clock.
const LEVELS: usize = 8;
const NONE: u32 = u32::MAX;

/// Names an entry; stale keys are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    index: u32,
    generation: u32,
}

#[derive(Debug)]
struct Entry<T> {
    deadline: u64,
    order: u64,
    generation: u32,
    /// Place in the wheel: level * PLACES + position.
    place: u16,
    next: u32,
    previous: u32,
    value: Option<T>,
}

/// The wheel; see the module's essay.
#[derive(Debug)]
pub struct Wheel<T> {
    entries: Vec<Entry<T>>,
    free: u32,
    heads: Box<[u32; LEVELS * PLACES]>,
    occupied: [u64; LEVELS],
    /// Ticks that have passed wholly.
    now: u64,
    armed: usize,
    order: u64,
}

impl<T> Default for Wheel<T> {
    fn default() -> Self {
        Wheel::new(0)
    }
}

impl<T> Wheel<T> {
    /// An empty wheel standing at `now`.
    pub fn new(now: u64) -> Wheel<T> {
        Wheel {
            entries: Vec::new(),
            free: NONE,
            heads: Box::new([NONE; LEVELS * PLACES]),
            occupied: [0; LEVELS],
            now: now >> TICK_BITS,
            armed: 0,
            order: 0,
        }
    }

    /// Number of armed entries.
    pub fn len(&self) -> usize {
        self.armed
    }

    /// Whether nothing is armed.
    pub fn is_empty(&self) -> bool {
        self.armed == 0
    }

    /// Arms an entry; a deadline in the past fires at the next `expire`.
    pub fn arm(&mut self, deadline: u64, value: T) -> Key {
        self.order += 1;
        let index = if self.free == NONE {
            let index = u32::try_from(self.entries.len()).expect("four billion timers do not fit in memory");
            self.entries.push(Entry {
                deadline,
                order: self.order,
                generation: 0,
                place: 0,
                next: NONE,
                previous: NONE,
                value: Some(value),
            });
            index
        } else {
            let index = self.free;
            let entry = &mut self.entries[index as usize];
            self.free = entry.next;
            entry.deadline = deadline;
            entry.order = self.order;
            entry.value = Some(value);
            index
        };
        self.armed += 1;
        self.hang(index);
        Key { index, generation: self.entries[index as usize].generation }
    }

    /// Disarms an entry and gives its deadline and value back; `None` if it has fired or was cancelled.
    pub fn cancel(&mut self, key: Key) -> Option<(u64, T)> {
        let entry = self.entries.get(key.index as usize)?;
        if entry.generation != key.generation || entry.value.is_none() {
            return None;
        }
        self.unhang(key.index);
        Some(self.free(key.index))
    }

    /// Deadline and value of an armed entry.
    pub fn get(&self, key: Key) -> Option<(u64, &T)> {
        let entry = self.entries.get(key.index as usize)?;
        if entry.generation != key.generation { None } else { Some((entry.deadline, entry.value.as_ref()?)) }
    }

    /// When to call `expire` next: the exact deadline of the first entry if it is near, else a moment before it at which
    /// entries cascade.
    pub fn next_deadline(&self) -> Option<u64> {
        let far = self.next_boundary(1).map(|tick| tick << TICK_BITS);
        let position = (self.now % PLACES as u64) as u32;
        let ahead = self.occupied[0].rotate_right(position).trailing_zeros();
        if ahead == 64 {
            return far;
        }
        let near = self.first_in((position + ahead) as usize % PLACES);
        match (near, far) {
            (Some(near), Some(far)) => Some(near.min(far)),
            (near, far) => near.or(far),
        }
    }

    /// Moves time to `now` and hands over what is due, earliest first.
    pub fn expire(&mut self, now: u64, due: &mut Vec<(u64, T)>) {
        if self.armed == 0 {
            self.now = self.now.max(now >> TICK_BITS);
            return;
        }
        let mut fired: Vec<(u64, u64, T)> = Vec::new();
        let end = (now >> TICK_BITS).max(self.now);
        loop {
            self.fire_place((self.now % PLACES as u64) as usize, now, &mut fired);
            if self.now >= end || self.armed == 0 {
                self.now = end;
                break;
            }
            self.step(end);
        }
        fired.sort_unstable_by_key(|(deadline, order, _)| (*deadline, *order));
        due.extend(fired.into_iter().map(|(deadline, _, value)| (deadline, value)));
    }

    /// Goes to the next tick at which something hangs or cascades, at most to `end`.
    fn step(&mut self, end: u64) {
        let position = (self.now % PLACES as u64) as u32;
        // Places of this turn of level 0 behind the current one.
        let rest = self.occupied[0] & (u64::MAX << position << 1);
        let rest = if position == 63 { 0 } else { rest };
        if rest != 0 {
            let target = self.now - u64::from(position) + u64::from(rest.trailing_zeros());
            self.now = target.min(end);
            return;
        }
        // Nothing more in this turn: go to the next boundary of the lowest level at which a place cascades.
        let boundary = match self.next_boundary(0) {
            Some(tick) if tick <= end => tick,
            _ => {
                self.now = end;
                return;
            }
        };
        self.now = boundary;
        self.cascade();
    }

    /// The first tick after now at which a place of `lowest` or a higher level that holds entries begins.
    fn next_boundary(&self, lowest: usize) -> Option<u64> {
        let mut best: Option<u64> = None;
        for level in lowest..LEVELS {
            if self.occupied[level] == 0 {
                continue;
            }
            let shift = level as u32 * LEVEL_BITS;
            let position = (self.now >> shift) as u32 & (PLACES as u32 - 1);
            // The current place of a level is empty (it has cascaded) or holds entries a whole turn ahead.
            let from = self.occupied[level].rotate_right((position + 1) % PLACES as u32).trailing_zeros() + 1;
            let tick = ((self.now >> shift) + u64::from(from)) << shift;
            best = Some(best.map_or(tick, |other: u64| other.min(tick)));
        }
        best
    }

    /// At a boundary: empties the current place of every level whose turn of the level below has just begun.
    fn cascade(&mut self) {
        for level in (1..LEVELS).rev() {
            let shift = level as u32 * LEVEL_BITS;
            if self.now & ((1 << shift) - 1) != 0 {
                continue;
            }
            let place = level * PLACES + ((self.now >> shift) as usize & (PLACES - 1));
            let mut index = std::mem::replace(&mut self.heads[place], NONE);
            self.occupied[level] &= !(1 << (place % PLACES));
            while index != NONE {
                let next = self.entries[index as usize].next;
                self.hang(index);
                index = next;
            }
        }
    }

    fn fire_place(&mut self, place: usize, now: u64, fired: &mut Vec<(u64, u64, T)>) {
        let mut index = self.heads[place];
        while index != NONE {
            let entry = &self.entries[index as usize];
            let next = entry.next;
            if entry.deadline <= now {
                let order = entry.order;
                self.unhang(index);
                let (deadline, value) = self.free(index);
                fired.push((deadline, order, value));
            }
            index = next;
        }
    }

    fn first_in(&self, place: usize) -> Option<u64> {
        let mut index = self.heads[place];
        let mut first = None;
        while index != NONE {
            let entry = &self.entries[index as usize];
            first = Some(first.map_or(entry.deadline, |first: u64| first.min(entry.deadline)));
            index = entry.next;
        }
        first
    }

    fn hang(&mut self, index: u32) {
        let tick = (self.entries[index as usize].deadline >> TICK_BITS).max(self.now);
        let distance = tick - self.now;
        let level = if distance < PLACES as u64 { 0 } else { (63 - distance.leading_zeros()) / LEVEL_BITS };
        let level = (level as usize).min(LEVELS - 1);
        let position = (tick >> (level as u32 * LEVEL_BITS)) as usize & (PLACES - 1);
        let place = level * PLACES + position;
        let head = std::mem::replace(&mut self.heads[place], index);
        if head != NONE {
            self.entries[head as usize].previous = index;
        }
        let entry = &mut self.entries[index as usize];
        entry.place = place as u16;
        entry.next = head;
        entry.previous = NONE;
        self.occupied[level] |= 1 << position;
    }

    fn unhang(&mut self, index: u32) {
        let Entry { place, next, previous, .. } = self.entries[index as usize];
        let place = place as usize;
        if previous == NONE {
            self.heads[place] = next;
            if next == NONE {
                self.occupied[place / PLACES] &= !(1 << (place % PLACES));
            }
        } else {
            self.entries[previous as usize].next = next;
        }
        if next != NONE {
            self.entries[next as usize].previous = previous;
        }
    }

    fn free(&mut self, index: u32) -> (u64, T) {
        let entry = &mut self.entries[index as usize];
        entry.generation = entry.generation.wrapping_add(1);
        entry.next = self.free;
        self.free = index;
        self.armed -= 1;
        (entry.deadline, entry.value.take().expect("an entry that hangs has a value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(wheel: &mut Wheel<u32>, now: u64) -> Vec<u32> {
        let mut due = Vec::new();
        wheel.expire(now, &mut due);
        due.into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn fires_at_the_exact_nanosecond_and_in_order() {
        let mut wheel = Wheel::new(0);
        wheel.arm(1_000_001, 2);
        wheel.arm(1_000_000, 1);
        wheel.arm(1_000_001, 3);
        assert_eq!(drain(&mut wheel, 999_999), []);
        assert_eq!(wheel.next_deadline(), Some(1_000_000));
        assert_eq!(drain(&mut wheel, 1_000_000), [1]);
        assert_eq!(drain(&mut wheel, 1_000_001), [2, 3]);
        assert_eq!(wheel.next_deadline(), None);
    }

    #[test]
    fn a_cancelled_entry_never_fires_and_its_key_goes_stale() {
        let mut wheel = Wheel::new(5);
        let key = wheel.arm(50_000_000_000, 1);
        assert_eq!(wheel.get(key), Some((50_000_000_000, &1)));
        assert_eq!(wheel.cancel(key), Some((50_000_000_000, 1)));
        assert_eq!(wheel.cancel(key), None);
        let other = wheel.arm(60_000_000_000, 2);
        assert_eq!((wheel.cancel(key), wheel.get(key)), (None, None));
        assert_eq!(drain(&mut wheel, u64::MAX / 2), [2]);
        assert_eq!(wheel.cancel(other), None);
    }

    /// Against a sorted list, over all distances from nanoseconds to years.
    #[test]
    fn agrees_with_a_sorted_list() {
        let mut seed = 42u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for _ in 0..50 {
            let mut now = random() >> (random() % 40 + 10);
            let mut wheel = Wheel::new(now);
            let mut model: Vec<(u64, u32, Key)> = Vec::new();
            for step in 0..400u32 {
                match random() % 4 {
                    0 | 1 => {
                        let deadline = now + (random() >> (random() % 56 + 8));
                        model.push((deadline, step, wheel.arm(deadline, step)));
                    }
                    2 if !model.is_empty() => {
                        let (deadline, value, key) = model.swap_remove(random() as usize % model.len());
                        assert_eq!(wheel.cancel(key), Some((deadline, value)));
                    }
                    _ => {
                        now = match wheel.next_deadline() {
                            Some(next) if random() % 2 == 0 => next.max(now),
                            _ => now + (random() >> (random() % 56 + 8)),
                        };
                        let mut expected: Vec<_> =
                            model.iter().filter(|(d, ..)| *d <= now).map(|(d, v, _)| (*d, *v)).collect();
                        expected.sort_unstable();
                        model.retain(|(d, ..)| *d > now);
                        let expected: Vec<_> = expected.into_iter().map(|(_, value)| value).collect();
                        assert_eq!(drain(&mut wheel, now), expected);
                        assert_eq!(wheel.len(), model.len());
                        let first = model.iter().map(|(d, ..)| *d).min();
                        match (wheel.next_deadline(), first) {
                            (Some(next), Some(first)) => {
                                assert!(next <= first && next > now, "{next} {first} {now}")
                            }
                            (next, first) => assert_eq!(next, first),
                        }
                    }
                }
            }
        }
    }
}
