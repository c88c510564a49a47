//! The standard library: Erlang modules that the build compiled and verified, loaded when they are first called.
//!
//! While it is worked on, the environment variable `ERLET_STDLIB_DIR` names a folder of sources that are used instead of the
//! embedded modules, compiled and verified like any other code when they are first called. A machine looks at the variable
//! once, when it is built.

#[cfg(feature = "compiler")]
mod folder;

use erlet_lang::notes::{Entry, Notes};
use erlet_lang::verify::Verified;

use crate::code::ModuleSource;

/// Name, bytes and notes of the embedded modules, sorted by name.
static MODULES: &[(&str, &[u8], &str)] = include!(concat!(env!("OUT_DIR"), "/stdlib.rs"));

/// What natives say about themselves, by module, sorted.
static NATIVES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/natives.rs"));

/// The headers that programs may include, by the names they have in OTP.
static HEADERS: &[(&str, &str)] = &[
    ("eunit/include/eunit.hrl", include_str!("../../stdlib/eunit.hrl")),
    ("kernel/include/file.hrl", include_str!("../../stdlib/file.hrl")),
    ("kernel/include/inet.hrl", include_str!("../../stdlib/inet.hrl")),
    ("kernel/include/logger.hrl", include_str!("../../stdlib/logger.hrl")),
    ("stdlib/include/assert.hrl", include_str!("../../stdlib/assert.hrl")),
    ("stdlib/include/ms_transform.hrl", include_str!("../../stdlib/ms_transform.hrl")),
];

/// The text of a header of the library: `app/include/x.hrl`.
pub fn header(path: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

/// The source of the standard library's modules.
pub fn source() -> Box<dyn ModuleSource> {
    #[cfg(feature = "compiler")]
    if let Some(folder) = folder::chosen() {
        return Box::new(folder);
    }
    Box::new(Embedded)
}

/// Names of the embedded modules.
pub fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, ..)| *name)
}

/// What an embedded module says about itself, its natives included.
pub fn notes(module: &str) -> Option<Notes> {
    let natives = NATIVES.binary_search_by_key(&module, |(name, _)| name).ok();
    let natives = natives.map(|index| Notes::from_text(NATIVES[index].1));
    let Some(mut notes) = erlang_notes(module) else { return natives };
    for native in natives.map(|natives| natives.entries).unwrap_or_default() {
        let same = |entry: &Entry| {
            entry.kind == native.kind && entry.name == native.name && entry.arity == native.arity
        };
        if !notes.entries.iter().any(same) {
            notes.entries.push(native);
        }
    }
    Some(notes)
}

/// What the Erlang side of a module says.
fn erlang_notes(module: &str) -> Option<Notes> {
    #[cfg(feature = "compiler")]
    if let Some(folder) = folder::chosen() {
        return folder.notes(module);
    }
    let index = MODULES.binary_search_by_key(&module, |(name, ..)| name).ok()?;
    Some(Notes::from_text(MODULES[index].2))
}

/// Names of all modules there are without loading anything: the embedded ones and those of natives alone, sorted.
pub fn modules() -> Vec<&'static str> {
    let mut modules: Vec<&str> = names().chain(crate::bif::ROWS.iter().map(|row| row.module)).collect();
    modules.sort_unstable();
    modules.dedup();
    modules
}

/// The functions that a module of [`modules`] exports, natives among them; `None` for others.
pub fn functions(module: &str) -> Option<Vec<(String, u32)>> {
    let natives = crate::bif::ROWS.iter().filter(|row| row.module == module);
    let mut functions: Vec<(String, u32)> =
        natives.map(|row| (row.function.to_owned(), u32::from(row.arity))).collect();
    if module == "erlang" {
        // Some are instructions.
        let builtins = erlet_lang::builtin::auto_imported();
        functions.extend(builtins.map(|(name, arity)| (name.to_owned(), arity)));
    }
    match Embedded.find(module) {
        Some(Ok(verified)) => {
            let module = verified.module();
            let exported = module.functions.iter().filter(|function| function.exported);
            functions.extend(exported.map(|function| {
                (module.atoms[function.name.index()].to_string(), u32::from(function.arity))
            }));
        }
        Some(Err(_)) => return None,
        None if functions.is_empty() => return None,
        None => {}
    }
    Some(functions)
}

struct Embedded;

impl ModuleSource for Embedded {
    fn find(&self, module: &str) -> Option<Result<Verified, String>> {
        let index = MODULES.binary_search_by_key(&module, |(name, ..)| name).ok()?;
        Some(Verified::trusted_from_embedded(MODULES[index].1).map_err(|error| error.to_string()))
    }

    fn has(&self, module: &str) -> bool {
        MODULES.binary_search_by_key(&module, |(name, ..)| name).is_ok()
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn header(&self, path: &str) -> Option<&'static str> {
        header(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_module_is_whole() {
        for name in names() {
            let found = Embedded.find(name).expect("it is in the table");
            let module = found.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(module.module().atoms[module.module().name.index()], name);
        }
        assert!(Embedded.find("no_such_module").is_none());
    }
}
