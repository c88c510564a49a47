//! Which statement an interrupt is meant for.
//!
//! While somebody types, Ctrl-C is a key; from Enter on it is a signal, and meant for what was entered, which the machine may not have
//! got yet. So interrupts are numbered, and a statement goes to the machine with the number of the last interrupt before
//! its Enter: the shell process lets later ones end it, whenever they arrive, and earlier ones not.

use std::sync::atomic::{AtomicI64, Ordering};

/// The count of interrupts, and what it was at the last Enter.
#[derive(Default)]
pub struct Interrupts {
    count: AtomicI64,
    entered: AtomicI64,
}

impl Interrupts {
    /// Counts an interrupt: its number.
    pub fn next(&self) -> i64 {
        // Relaxed, here and below: signals are ordered by whoever presses the keys.
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A statement is complete: what is pressed from now on is meant for it.
    pub fn entered(&self) {
        self.entered.store(self.count.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// The number of the last interrupt before the statement that was read last.
    pub fn before_statement(&self) -> i64 {
        self.entered.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupts_behind_enter_have_larger_numbers() {
        let interrupts = Interrupts::default();
        let before = interrupts.next();
        interrupts.entered();
        let behind = interrupts.next();
        assert!(before <= interrupts.before_statement());
        assert!(behind > interrupts.before_statement());
    }
}
