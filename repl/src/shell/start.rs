//! What is evaluated before the first prompt: the start file, and `--eval`.

use std::path::PathBuf;

use super::text::Scanner;

/// The statements of the start file and of the command line, in this order.
///
/// # Errors
/// The text to show if the start file is there and cannot be read.
pub fn statements(eval: &[String]) -> Result<Vec<Vec<u8>>, String> {
    let mut statements = Vec::new();
    if let Some(path) = file().filter(|path| path.is_file()) {
        let bytes =
            std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        cut(&bytes, &mut statements);
    }
    for text in eval {
        cut(format!("{text}\n").as_bytes(), &mut statements);
    }
    Ok(statements)
}

/// `ERLET_INIT` (empty for none), else `init.erl` in the user's folder for settings of erlet, else `.erlang` in the home folder.
fn file() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("ERLET_INIT") {
        return (!path.is_empty()).then(|| path.into());
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let config = std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let config = config.or_else(|| Some(home.clone()?.join(".config")))?.join("erlet/init.erl");
    if config.is_file() { Some(config) } else { home.map(|home| home.join(".erlang")) }
}

fn cut(text: &[u8], out: &mut Vec<Vec<u8>>) {
    let mut rest = text;
    loop {
        let mut scanner = Scanner::default();
        match scanner.read(rest) {
            Some(length) => {
                out.push(rest[..length].to_vec());
                rest = &rest[length..];
            }
            None => {
                if !scanner.is_blank() {
                    out.push(rest.to_vec());
                }
                return;
            }
        }
    }
}
