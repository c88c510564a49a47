//! The terminal's own settings: put back at the end, and changed to read single keys.

use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{self, LocalModes, OptionalActions, Termios};

use super::console::Answer;

/// The settings before anybody changed them.
pub struct Settings(Option<Termios>);

impl Settings {
    /// Those of now.
    pub fn save() -> Settings {
        Settings(termios::tcgetattr(rustix::stdio::stdin()).ok())
    }

    /// Puts them back.
    pub fn restore(&self) {
        if let Some(settings) = &self.0 {
            // A terminal that has gone away needs no settings.
            let _ = termios::tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, settings);
        }
    }
}

/// The columns and rows of the window.
pub fn size() -> (usize, usize) {
    match termios::tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
            (usize::from(size.ws_col), usize::from(size.ws_row))
        }
        _ => (80, 24),
    }
}

/// Whether more has been typed already.
pub fn is_typed_ahead() -> bool {
    let input = rustix::stdio::stdin();
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    matches!(poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&at_once)), Ok(1..))
}

/// Waits for one key.
pub fn key(patience: Duration) -> Answer {
    let before = Settings::save();
    let Some(mut settings) = before.0.clone() else { return Answer::Eof };
    settings.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
    let input = rustix::stdio::stdin();
    if termios::tcsetattr(input, OptionalActions::Now, &settings).is_err() {
        return Answer::Eof;
    }
    let timeout = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: i64::from(patience.subsec_nanos()) };
    let mut descriptors = [PollFd::new(&input, PollFlags::IN)];
    let answer = match poll(&mut descriptors, Some(&timeout)) {
        Ok(0) => Answer::Timeout,
        Ok(_) => {
            let mut byte = [0];
            match rustix::io::read(input, &mut byte) {
                Ok(1) => Answer::Text(byte.to_vec()),
                _ => Answer::Eof,
            }
        }
        // A signal: an interrupt, or a window of another size.
        Err(_) => Answer::Timeout,
    };
    before.restore();
    answer
}
