//! `erlet explain`: the long text for a code.

use std::io::Write;
use std::process::ExitCode;

use erlet::lang::Code;
use erlet::lang::diagnostic::explain as explanation;

use crate::command::Explain;

/// `erlet explain CODE`, and `erlet explain` for the list of codes.
pub fn explain(options: &Explain) -> ExitCode {
    let Some(wanted) = &options.code else {
        print(&list());
        return ExitCode::SUCCESS;
    };
    let wanted = wanted.to_ascii_uppercase();
    let Some(code) = Code::ALL.iter().copied().find(|code| code.text() == wanted) else {
        crate::complain(&format!("there is no code {wanted}; `erlet explain` lists them"));
        return ExitCode::from(crate::UNUSABLE);
    };
    let mut text = format!("{}: {}\n", code.text(), code.title());
    if let Some(found) = explanation(code) {
        text.push_str(&format!("\n{found}\n"));
    }
    print(&text);
    ExitCode::SUCCESS
}

fn list() -> String {
    Code::ALL.iter().map(|code| format!("{}  {}\n", code.text(), code.title())).collect()
}

/// A reader that has gone away (`| head`) is no error.
fn print(text: &str) {
    let mut out = crate::output::StandardOutput;
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
