//! The commands that look at code without running it: `check`, `compile -S`, `disasm`.

use std::process::ExitCode;

use erlet::lang::asm;

use crate::command::{Check, Compile, Disasm};
use crate::source;

/// `erlet check FILES`: all diagnostics of all files.
pub fn check(options: &Check) -> ExitCode {
    let mut worst = 0;
    for file in &options.files {
        if let Err(code) = source::compile_as(file, &options.source, options.message_format) {
            worst = worst.max(code);
        }
    }
    ExitCode::from(worst)
}

/// `erlet compile -S FILE`: the generic instructions.
pub fn compile(options: &Compile) -> ExitCode {
    match source::compile(&options.file, &options.source) {
        Ok(compiled) => {
            print(&asm::print(&compiled.module));
            ExitCode::SUCCESS
        }
        Err(code) => ExitCode::from(code),
    }
}

/// `erlet disasm FILE`: the code as loaded.
pub fn disasm(options: &Disasm) -> ExitCode {
    let compiled = match source::compile(&options.file, &options.source) {
        Ok(compiled) => compiled,
        Err(code) => return ExitCode::from(code),
    };
    match crate::run::loaded_code(compiled.module) {
        Ok(text) => {
            print(&text);
            ExitCode::SUCCESS
        }
        Err(error) => {
            crate::complain(&error);
            ExitCode::from(crate::UNUSABLE)
        }
    }
}

/// Prints a listing; a reader that has gone away (`| head`) is no error.
fn print(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
