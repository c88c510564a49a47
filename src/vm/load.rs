//! Loading code.

use erlet_lang::bytecode::Module;
use erlet_lang::encode;
use erlet_lang::verify::{Verified, verify};

use super::Vm;
use super::diagnostics::Diagnostics;
use super::options::ProcessOptions;
use crate::atom;
use crate::code::{self, LoadError};
use crate::error::Error;
use crate::limits::Capabilities;
use crate::value::{Atom, intern};

/// A module that was loaded.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// let vm = erlet::Vm::builder().threads(0).build()?;
/// let loaded = vm.load_source("greeter.erl", "greet(Name) -> <<\"hello \", Name/binary>>.")?;
/// assert_eq!(loaded.module, "greeter");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// Its name.
    pub module: Atom,
    /// What the compiler warned of.
    pub warnings: Diagnostics,
}

impl Vm {
    /// Loads bytecode: what [`Vm::compile`] or the command `erlet compile` gave. It is verified, so that bytes from anywhere
    /// may be tried; those that are no sound module are refused.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// assert!(matches!(vm.load_bytecode(b"not bytecode"), Err(erlet::Error::Load(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Load`] if it is refused, and as [`Vm::load_source`].
    pub fn load_bytecode(&self, bytes: &[u8]) -> Result<Loaded, Error> {
        self.machine().expect_calls();
        let module = encode::decode(bytes).map_err(|error| unsupported(&error))?;
        self.load_compiled(module, Diagnostics::default())
    }

    /// Loads a verified module.
    #[doc(hidden)]
    pub fn load(&self, module: &Verified) -> Result<(), Error> {
        let rt = self.rt();
        let loaded = code::load(&rt.code, &rt.atoms, module)?;
        rt.code.set_origin(loaded.name, module.module().files.first().cloned());
        Ok(())
    }

    /// Verifies and loads a compiled module.
    #[doc(hidden)]
    pub fn load_module(&self, module: Module) -> Result<(), Error> {
        self.load(&verify(module).map_err(|error| unsupported(&error))?)
    }

    pub(super) fn load_compiled(&self, module: Module, warnings: Diagnostics) -> Result<Loaded, Error> {
        let rt = self.rt();
        let verified = verify(module).map_err(|error| unsupported(&error))?;
        let module = verified.module();
        let text = &module.atoms[module.name.index()];
        let (name, atom) = (intern(&rt.atoms, text)?, Atom::new(text));
        self.expect_not_of_library(name)?;
        if rt.code.is_loaded(name) && rt.code.has_old(name) {
            self.call_with::<bool>(&loading(), "code", "purge", (atom.clone(),))?;
        }
        self.load(&verified)?;
        if rt.code.is_prepared(name) {
            self.run_on_load(&atom)?;
        }
        Ok(Loaded { module: atom, warnings })
    }

    /// A script that is named as a module of the library would break what uses that, maybe much later.
    pub(crate) fn expect_not_of_library(&self, name: atom::Atom) -> Result<(), Error> {
        let rt = self.rt();
        match rt.code.is_of_library(name, &rt.atoms) {
            true => Err(LoadError::Sticky(rt.atoms.text(name).to_owned()).into()),
            false => Ok(()),
        }
    }

    /// Unloads a module: from now on nothing can call it, as if it had never been loaded. (If a loader or a search path has it, the next call
    /// loads it from there.) Processes that are in its code are killed, as by `code:purge/1`; those that only hold funs of it are not,
    /// and get `undef` when they call them. Its memory is freed a little later. False if there was no such module.
    ///
    /// Atoms stay, and so do functions of the host: a machine that is to forget those as well is one to be dropped.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// vm.load_source("plugin.erl", "run() -> done.")?;
    /// assert!(vm.unload("plugin")?);
    /// let gone = vm.call::<()>("plugin", "run", ()).unwrap_err();
    /// assert_eq!(gone.to_string(), "exception error: undefined function plugin:run/0");
    /// assert!(!vm.unload("plugin")?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Load`] for a module of the standard library; otherwise as [`Vm::call`].
    pub fn unload(&self, module: &str) -> Result<bool, Error> {
        let (rt, atom) = (self.rt(), Atom::new(module));
        let name = intern(&rt.atoms, module)?;
        self.expect_not_of_library(name)?;
        if !rt.code.is_loaded(name) {
            return Ok(false);
        }
        self.call_with::<bool>(&loading(), "code", "purge", (atom.clone(),))?;
        let deleted = self.call_with(&loading(), "code", "delete", (atom.clone(),))?;
        self.call_with::<bool>(&loading(), "code", "purge", (atom,))?;
        Ok(deleted)
    }

    /// The module is current once its `-on_load` function has agreed.
    fn run_on_load(&self, module: &Atom) -> Result<(), Error> {
        let answer: crate::Value = self.call_with(&loading(), "code", "ensure_loaded", (module.clone(),))?;
        match answer.as_tuple() {
            Some([tag, _]) if *tag == "module" => Ok(()),
            _ => Err(Error::Load(LoadError::Source(format!("{answer}")))),
        }
    }
}

/// The host may load code, whatever the programs may do.
fn loading() -> ProcessOptions {
    ProcessOptions::new().of_the_machine(Capabilities::none().code(true))
}

fn unsupported(error: &dyn std::fmt::Display) -> Error {
    Error::Load(LoadError::Unsupported(error.to_string()))
}
