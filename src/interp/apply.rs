//! Calls whose target is known only at run time: funs, `apply`, functions of modules that are not loaded yet.

use super::machine::{Machine, Next};
use crate::atom::{Atom, known};
use crate::code::{ExportCell, Found, Mfa, entry_of_stub, stub};
use crate::process::Class;
use crate::term::{Term, View, Word};

/// Most arguments of a call.
const MAX_ARITY: usize = 255;

impl Machine<'_> {
    /// Calls the fun in `x[arity]`; `next` is where it returns to, the return stub for tail calls.
    ///
    /// The loop handles funs with an environment and the right arity itself.
    #[inline(never)]
    pub fn call_fun(&mut self, arity: usize, next: *const u64) -> Next {
        let fun = self.x(arity);
        // SAFETY: I3: an argument register.
        match unsafe { Term::from_word(fun) }.view() {
            View::Fun(closure) => {
                let entry = closure.entry();
                if usize::from(entry.arity) != arity {
                    return self.bad_arity(fun, arity, next);
                }
                let captured = closure.captured();
                for (index, value) in captured.iter().enumerate() {
                    self.worker.x[arity + index] = value.word();
                }
                self.enter(std::ptr::with_exposed_provenance(entry.target() as usize), next)
            }
            View::ExternalFun(external) => {
                if usize::from(external.arity()) != arity {
                    return self.bad_arity(fun, arity, next);
                }
                let mfa =
                    Mfa { module: external.module(), function: external.function(), arity: external.arity() };
                let entry = match external.export() {
                    // A fun that came from outside names its function only.
                    0 => self.rt.code.export(mfa).entry(),
                    cell => {
                        let cell = std::ptr::with_exposed_provenance::<ExportCell>(cell as usize);
                        // SAFETY: C3: the word of an external fun is the address of its export cell.
                        unsafe { &*cell }.entry()
                    }
                };
                self.enter(entry, next)
            }
            _ => {
                self.show_twice(next);
                self.raise_tagged(known::BADFUN, fun)
            }
        }
    }

    /// OTP has the return address of a call on the stack before it looks at the fun: who calls a bad one, and not last, is in the stack
    /// trace twice.
    fn show_twice(&mut self, next: *const u64) {
        if next != stub::ret() {
            self.push_return(next);
        }
    }

    /// Goes to `entry`, to return to `next`.
    fn enter(&mut self, entry: *const u64, next: *const u64) -> Next {
        if next != stub::ret() {
            self.push_return(next);
        }
        entry
    }

    #[cold]
    fn bad_arity(&mut self, fun: Word, arity: usize, next: *const u64) -> Next {
        self.show_twice(next);
        let reason = self.argument_list(arity).and_then(|args| {
            let mut cx = self.cx();
            // SAFETY: I3: a register, and a list made just now.
            let (fun, args) = unsafe { (Term::from_word(fun), Term::from_word(args)) };
            let pair = cx.tuple(&[fun, args])?;
            cx.tuple(&[Term::atom(known::BADARITY), pair]).map(Term::word)
        });
        match reason {
            Ok(reason) => self.raise(Class::Error, reason),
            Err(error) => self.no_memory(error),
        }
    }

    /// A fun whose code is away: the code server loads its module, and knows what to raise if that does not help.
    #[cold]
    pub fn undefined_fun(&mut self) -> Next {
        // SAFETY: the instruction is that of a fun entry's stub.
        let entry = unsafe { entry_of_stub(self.pc()) };
        let (arity, captured) = (entry.arity(), entry.captured());
        let made = self.argument_list(arity).and_then(|args| {
            let words = self.worker.x[arity..arity + captured].to_vec();
            let mut cx = self.cx();
            // SAFETY: I3: argument registers, which the call of a fun fills with what it captured too.
            let fun = cx.fun(entry, unsafe { Term::from_words(&words) })?;
            let module = fun.as_fun().map_or(known::UNDEFINED, |fun| fun.entry().module);
            Ok((fun.word(), args, module))
        });
        match made {
            Ok((fun, args, module)) => {
                if let Some(handler) = self.error_handler(known::UNDEFINED_LAMBDA) {
                    return self.handled_by(handler, [Word::atom(module), fun, args]);
                }
                self.set_x(0, fun);
                self.set_x(1, args);
                let module = known::ERLET_CODE_SERVER;
                self.rt.code.export(Mfa { module, function: known::UNDEFINED_FUN, arity: 2 }).entry()
            }
            Err(error) => self.no_memory(error),
        }
    }

    /// Calls `x[arity]:x[arity+1]`; `next` is where it returns to.
    #[inline(never)]
    pub fn apply(&mut self, arity: usize, next: *const u64) -> Next {
        let (module, function) = (self.x(arity), self.x(arity + 1));
        match (module.as_atom(), function.as_atom()) {
            (Some(module), Some(function)) => {
                let mfa = Mfa { module, function, arity: arity as u8 };
                let entry = self.rt.code.export(mfa).entry();
                let shown = next == stub::ret() && self.raises(mfa);
                // Never returned to: it only says who called.
                self.enter(entry, if shown { self.pc().wrapping_add(1) } else { next })
            }
            _ => match self.argument_list(arity) {
                Ok(args) => self.bad_apply(module, function, args),
                Err(error) => self.no_memory(error),
            },
        }
    }

    /// Whether this function, with the arguments in the registers, is one of `erlang` that does nothing but raise, if need be through
    /// calls of `apply/3`: its caller is then shown in the stack trace even if it has left its frame.
    pub fn raises(&self, Mfa { module, mut function, arity }: Mfa) -> bool {
        if module != known::ERLANG {
            return false;
        }
        let mut arity = usize::from(arity);
        let mut args = [Term::NIL; 3];
        if arity == args.len() {
            // SAFETY: I3: argument registers.
            args.copy_from_slice(unsafe { Term::from_words(&self.worker.x[..3]) });
        }
        while (function, arity) == (known::APPLY, 3) {
            let [module, inner, list] = args;
            match (module.as_atom(), inner.as_atom(), list.proper_length()) {
                (Some(known::ERLANG), Some(inner), Some(count)) => (function, arity) = (inner, count),
                (Some(_), Some(_), Some(_)) => return false,
                // That is no call.
                _ => return true,
            }
            args.iter_mut().zip(list.list()).for_each(|(place, arg)| *place = arg);
        }
        matches!((function, arity), (known::ERROR, 1..=3) | (known::EXIT | known::THROW, 1))
    }

    /// Runs `x0:x1` with the arguments in the list `x2`, in tail position.
    pub fn apply_list(&mut self) -> Next {
        let (module, function, list) = (self.x(0), self.x(1), self.x(2));
        // SAFETY: I3: an argument register.
        let args = unsafe { Term::from_word(list) };
        match (module.as_atom(), function.as_atom(), args.proper_length()) {
            (Some(module), Some(function), Some(arity)) if arity <= MAX_ARITY => {
                for (index, arg) in args.list().enumerate() {
                    self.worker.x[index] = arg.word();
                }
                self.rt.code.export(Mfa { module, function, arity: arity as u8 }).entry()
            }
            _ => self.bad_apply(module, function, list),
        }
    }

    /// The stub of an export cell without code: loads the module and goes there, or raises `undef`.
    #[cold]
    #[inline(never)]
    pub fn undefined_export(&mut self) -> Next {
        // SAFETY: the instruction is that of an export cell's stub.
        let cell = unsafe { ExportCell::of_stub(self.pc()) };
        let Mfa { module, function, arity } = cell.mfa;
        let stub = self.pc();
        let looked_for = self.process.cold.as_mut().and_then(|cold| cold.looked_for.take()) == Some(module);
        let found = match looked_for {
            true if self.rt.code.is_loaded(module) => Ok(Found::Loaded),
            true => Ok(Found::Nowhere),
            false => self.rt.code.ensure_loaded_at_once(module, &self.rt.atoms),
        };
        match found {
            Ok(_) if !std::ptr::eq(cell.entry(), stub) => return cell.entry(),
            Ok(Found::Loaded) if is_module_info(function, arity) => {
                return self.module_info(module, usize::from(arity));
            }
            _ => {}
        }
        if let Some(handler) = self.error_handler(known::UNDEFINED_FUNCTION) {
            return match self.argument_list(usize::from(arity)) {
                Ok(args) => self.handled_by(handler, [Word::atom(module), Word::atom(function), args]),
                Err(error) => self.no_memory(error),
            };
        }
        if let Some(handler) = self.handler_of(module) {
            return match self.argument_list(usize::from(arity)) {
                Ok(args) => self.handled_by(handler, [Word::atom(function), args]),
                Err(error) => self.no_memory(error),
            };
        }
        match found {
            Ok(Found::Ask) => self.ask_for(module, function, usize::from(arity)),
            Ok(_) => self.undefined(module, function, usize::from(arity)),
            Err(error) => {
                let name = self.rt.atoms.text(module);
                // Standard error is all there is to say it on; if that is closed, nobody reads it.
                let _ = self.rt.stderr.put(format!("cannot load module {name}: {error}\n").as_bytes());
                self.undefined(module, function, usize::from(arity))
            }
        }
    }

    /// The function of that name in the process's own error handler, if it has one that is there.
    fn error_handler(&self, function: Atom) -> Option<Next> {
        let module =
            self.process.cold.as_ref()?.error_handler.filter(|handler| *handler != known::ERROR_HANDLER)?;
        self.rt.code.ensure_loaded_at_once(module, &self.rt.atoms).ok()?;
        let cell = self.rt.code.existing_export(Mfa { module, function, arity: 3 })?;
        cell.is_defined().then(|| cell.entry())
    }

    /// What the module has for calls of functions it does not have: `'$handle_undefined_function'/2`.
    fn handler_of(&self, module: Atom) -> Option<Next> {
        let mfa = Mfa { module, function: known::HANDLE_UNDEFINED_FUNCTION, arity: 2 };
        let cell = self.rt.code.existing_export(mfa)?;
        cell.is_defined().then(|| cell.entry())
    }

    /// Calls what an error handler has, in place of the call that failed.
    fn handled_by<const N: usize>(&mut self, handler: Next, args: [Word; N]) -> Next {
        args.into_iter().enumerate().for_each(|(index, arg)| self.set_x(index, arg));
        handler
    }

    /// Lets the code server look for the module, and the call go on there.
    fn ask_for(&mut self, module: Atom, function: Atom, arity: usize) -> Next {
        match self.argument_list(arity) {
            Ok(args) => {
                self.set_x(0, Word::atom(module));
                self.set_x(1, Word::atom(function));
                self.set_x(2, args);
                let module = known::ERLET_CODE_SERVER;
                self.rt.code.export(Mfa { module, function: known::UNDEFINED, arity: 3 }).entry()
            }
            Err(error) => self.no_memory(error),
        }
    }

    /// `module_info/0,1`, which no module has code for: goes on in `erlang:get_module_info`, the native that knows.
    fn module_info(&mut self, module: Atom, arity: usize) -> Next {
        let item = self.x(0);
        self.set_x(0, Word::atom(module));
        self.set_x(1, item);
        let function = known::GET_MODULE_INFO;
        self.rt.code.export(Mfa { module: known::ERLANG, function, arity: arity as u8 + 1 }).entry()
    }
}

fn is_module_info(function: Atom, arity: u8) -> bool {
    function == known::MODULE_INFO && arity <= 1
}
