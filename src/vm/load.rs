//! Loading code.

use erlet_lang::bytecode::Module;
use erlet_lang::encode;
use erlet_lang::verify::{Verified, verify};

use super::Vm;
use super::diagnostics::Diagnostics;
use super::options::ProcessOptions;
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
        if rt.code.is_loaded(name) && rt.code.has_old(name) {
            self.call_with::<bool>(&loading(), "code", "purge", (atom.clone(),))?;
        }
        self.load(&verified)?;
        if rt.code.is_prepared(name) {
            self.run_on_load(&atom)?;
        }
        Ok(Loaded { module: atom, warnings })
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
