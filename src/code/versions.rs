//! The versions of the loaded modules.
//!
//! A module has a *current* version, which fully qualified calls reach, and at most one *old* one, which only those still
//! run that were in it when the current one came. A version whose `-on_load` function has not run yet is *prepared*: nobody
//! reaches it but through the export `'-on_load-'/0`.
//!
//! Purging takes an old version off the list when no process runs it any more; its funs then lead nowhere. The code
//! itself is *retired*, and freed when no term leads to its literals any more ([`purge`](super::purge)).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::module::LoadedModule;
use super::server::{CodeServer, LoadError, Mfa};
use crate::atom::{Atom, known};

/// Modules by the index of their name.
type ByName = BTreeMap<u32, Arc<LoadedModule>>;

/// See the module's essay.
#[derive(Default)]
pub(super) struct Versions {
    pub current: ByName,
    old: ByName,
    prepared: ByName,
    retired: Vec<Arc<LoadedModule>>,
    /// Names of old versions that are to be purged when no process runs them and no fun of theirs is left.
    waning: BTreeSet<u32>,
    /// Whether the next round is to look at those too.
    is_waning_due: bool,
    /// Something was retired since the last round began, or is waning since.
    is_round_due: bool,
    /// Names of the modules that were purged.
    purged: BTreeSet<u32>,
    /// Every version that code may still run in, by the address of its first word.
    pub by_address: BTreeMap<usize, Arc<LoadedModule>>,
    /// Where the current versions come from.
    origins: BTreeMap<u32, String>,
}

impl Versions {
    pub fn retired_count(&self) -> usize {
        self.retired.len()
    }
}

/// How far a module is that was asked for without waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is loaded.
    Loaded,
    /// There is no such module.
    Nowhere,
    /// It takes more than a look into memory: the code server must be asked.
    Ask,
}

impl CodeServer {
    /// Publishes a loaded module: its functions are reachable from now on, unless its `-on_load` function must run first.
    pub(super) fn publish(&self, module: Arc<LoadedModule>) {
        let address = module.code_start().addr();
        if let Some(function) = module.on_load() {
            let mut versions = self.write_versions();
            versions.by_address.insert(address, module.clone());
            versions.prepared.insert(module.name.index(), module.clone());
            drop(versions);
            self.export(on_load_of(module.name)).publish(Some(module.entry(function)));
            return;
        }
        self.write_versions().by_address.insert(address, module.clone());
        self.make_current(module);
    }

    /// Exports of the module lead to it; the version that was current becomes the old one.
    fn make_current(&self, module: Arc<LoadedModule>) {
        let (before, older) = {
            let mut versions = self.write_versions();
            let before = versions.current.insert(module.name.index(), module.clone());
            let older =
                before.as_ref().and_then(|before| versions.old.insert(module.name.index(), before.clone()));
            (before, older)
        };
        if let Some(older) = older {
            // Whoever loads a third version has made sure that nobody runs the first.
            self.retire(older);
        }
        for function in module.functions().iter().filter(|function| function.exported) {
            self.lead(&module, function.name, function.arity, Some(module.entry(function)));
        }
        for function in before.iter().flat_map(|before| before.functions()).filter(|f| f.exported) {
            let kept = module
                .functions()
                .iter()
                .any(|f| f.exported && (f.name, f.arity) == (function.name, function.arity));
            if !kept {
                self.lead(&module, function.name, function.arity, None);
            }
        }
    }

    fn lead(&self, module: &LoadedModule, function: Atom, arity: u8, entry: Option<*const u64>) {
        let cell = self.export(Mfa { module: module.name, function, arity });
        if cell.native.is_none() {
            cell.publish(entry);
        }
    }

    /// The `-on_load` function of a prepared module has run: it becomes current, or goes. Whether there was one.
    pub fn on_load_has_run(&self, name: Atom, is_welcome: bool) -> bool {
        let Some(module) = self.write_versions().prepared.remove(&name.index()) else { return false };
        self.export(on_load_of(name)).publish(None);
        if is_welcome {
            self.make_current(module);
        } else {
            self.retire(module);
        }
        true
    }

    /// Takes the module's name off its current version, which becomes old: whether there ever was one.
    ///
    /// # Errors
    /// If there is an old version already.
    pub fn delete(&self, name: Atom) -> Result<bool, OldVersion> {
        let module = {
            let mut versions = self.write_versions();
            if versions.old.contains_key(&name.index()) {
                return Err(OldVersion);
            }
            let Some(module) = versions.current.remove(&name.index()) else {
                return Ok(versions.purged.contains(&name.index()));
            };
            versions.old.insert(name.index(), module.clone());
            module
        };
        for function in module.functions().iter().filter(|function| function.exported) {
            self.lead(&module, function.name, function.arity, None);
        }
        Ok(true)
    }

    /// Whether the module has an old version.
    pub fn has_old(&self, name: Atom) -> bool {
        self.read_versions().old.contains_key(&name.index())
    }

    /// The old version of a module.
    pub fn old(&self, name: Atom) -> Option<Arc<LoadedModule>> {
        self.read_versions().old.get(&name.index()).cloned()
    }

    /// Whether a version waits for its `-on_load` function.
    pub fn is_prepared(&self, name: Atom) -> bool {
        self.read_versions().prepared.contains_key(&name.index())
    }

    /// Forgets the module's old version, which no process runs: whether there was one.
    pub fn purge(&self, name: Atom) -> bool {
        let old = self.write_versions().old.remove(&name.index());
        let found = old.is_some();
        if let Some(old) = old {
            self.retire(old);
        }
        found
    }

    /// The module's old version is to be purged as soon as nothing leads to it: whether there is one.
    pub fn wane(&self, name: Atom) -> bool {
        let mut versions = self.write_versions();
        if !versions.old.contains_key(&name.index()) {
            return false;
        }
        versions.waning.insert(name.index());
        (versions.is_waning_due, versions.is_round_due) = (true, true);
        true
    }

    /// The old versions that wane, if a round is to look at them.
    pub(super) fn take_waning(&self) -> Vec<Arc<LoadedModule>> {
        let mut versions = self.write_versions();
        if !std::mem::take(&mut versions.is_waning_due) {
            return Vec::new();
        }
        let Versions { waning, old, .. } = &mut *versions;
        waning.retain(|name| old.contains_key(name));
        waning.iter().filter_map(|name| old.get(name).cloned()).collect()
    }

    /// Nothing leads to this old version any more.
    pub(super) fn has_waned(&self, module: &Arc<LoadedModule>) {
        let name = module.name.index();
        let is_old = {
            let mut versions = self.write_versions();
            let is_old = versions.old.get(&name).is_some_and(|old| Arc::ptr_eq(old, module));
            if is_old {
                versions.waning.remove(&name);
                versions.old.remove(&name);
            }
            is_old
        };
        if is_old {
            self.retire(module.clone());
        }
    }

    fn retire(&self, module: Arc<LoadedModule>) {
        self.forget_funs(&module);
        let mut versions = self.write_versions();
        versions.purged.insert(module.name.index());
        versions.retired.push(module);
        versions.is_round_due = true;
    }

    /// Whether something was retired since the last round began.
    pub fn is_round_due(&self) -> bool {
        self.read_versions().is_round_due
    }

    /// What is retired, if some of it was since this was asked last.
    pub(super) fn take_retired(&self) -> Option<Vec<Arc<LoadedModule>>> {
        let mut versions = self.write_versions();
        std::mem::take(&mut versions.is_round_due).then(|| std::mem::take(&mut versions.retired))
    }

    /// These are retired still.
    pub(super) fn put_back(&self, modules: Vec<Arc<LoadedModule>>) {
        self.write_versions().retired.extend(modules);
    }

    /// No address lies in the code of these any more.
    pub(super) fn forget_addresses<'a>(&self, modules: impl Iterator<Item = &'a LoadedModule>) {
        let mut versions = self.write_versions();
        for module in modules {
            versions.by_address.remove(&module.code_start().addr());
        }
    }

    /// Bytes of all versions of all modules.
    pub fn bytes(&self) -> usize {
        self.read_versions().by_address.values().map(|module| module.bytes()).sum()
    }

    /// Where the module's current version came from.
    pub fn origin(&self, name: Atom) -> Option<String> {
        self.read_versions().origins.get(&name.index()).cloned()
    }

    /// Notes where a module comes from that is about to be current.
    pub fn set_origin(&self, name: Atom, origin: Option<String>) {
        let mut versions = self.write_versions();
        match origin {
            Some(origin) => drop(versions.origins.insert(name.index(), origin)),
            None => drop(versions.origins.remove(&name.index())),
        }
    }
}

/// The export through which a prepared module's `-on_load` function is called.
fn on_load_of(module: Atom) -> Mfa {
    Mfa { module, function: known::ON_LOAD_CALL, arity: 0 }
}

/// There is an old version that has not been purged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldVersion;

impl From<OldVersion> for LoadError {
    fn from(OldVersion: OldVersion) -> LoadError {
        LoadError::NotPurged
    }
}
