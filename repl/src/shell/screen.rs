//! Output on a terminal where somebody may be typing.
//!
//! What programs write goes through the line editor's printer, which puts it above the line being typed, or straight to the terminal while
//! nobody types. After an interrupt what is still waiting to be written is dropped, until the shell has taken notice.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustyline::ExternalPrinter;

/// Bytes written at a time: an interrupt takes effect between two.
const AT_ONCE: usize = 4096;

/// The printer that all streams share.
pub type Printer = Arc<Mutex<Box<dyn ExternalPrinter + Send>>>;

/// A stream to the terminal.
pub struct Screen {
    printer: Printer,
    is_muted: Arc<AtomicBool>,
    /// The beginning of a character whose other bytes have not come yet.
    rest: Vec<u8>,
}

impl Screen {
    pub fn new(printer: Printer, is_muted: Arc<AtomicBool>) -> Screen {
        Screen { printer, is_muted, rest: Vec::new() }
    }

    fn print(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Ok(_) => self.rest.len(),
            // A character that goes on; anything else is shown as what it is not.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => self.rest.len(),
        };
        let bytes: Vec<u8> = self.rest.drain(..whole).collect();
        if bytes.is_empty() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut printer = self.printer.lock().unwrap_or_else(PoisonError::into_inner);
        printer.print(text).map_err(io::Error::other)
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_muted.load(Ordering::Relaxed) {
            self.rest.clear();
            return Ok(bytes.len());
        }
        // Whole lines together, as far as they go.
        let limit = bytes.len().min(AT_ONCE);
        let length = bytes[..limit].iter().rposition(|&b| b == b'\n').map_or(limit, |newline| newline + 1);
        self.print(&bytes[..length])?;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
