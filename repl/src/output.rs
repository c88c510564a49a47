//! Standard output as commands use it: if whoever read it has gone (`erlet run x.erl | head`), the command ends without a word,
//! as a signal would end it where signals do that. Inside a machine the write would be an error of some process that has
//! nothing to do with it, and its neighbours would go on working for nobody.

use std::io::{self, Write};

/// 128 and the number of SIGPIPE, as shells report it.
const NOBODY_READS: i32 = 141;

/// The command's standard output.
pub struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes).map_err(end_if_closed)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(end_if_closed)
    }
}

#[allow(clippy::disallowed_methods, reason = "this is the binary, and nobody waits for its output")]
fn end_if_closed(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(NOBODY_READS);
    }
    error
}
