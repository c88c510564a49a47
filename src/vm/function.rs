//! Calling Erlang funs that Rust keeps.

use std::time::Duration;

use super::Vm;
use super::call::Call;
use super::options::ProcessOptions;
use crate::atom::{Atom, known};
use crate::error::Error;
use crate::term::Term;
use crate::value::{FromTerm, Function, IntoArgs, TermMaker};

/// `erlang:apply/2` calls it.
const APPLY: (Atom, Atom) = (known::ERLANG, known::APPLY);

impl Function {
    /// Calls it in its machine and waits for what it returns; as [`Vm::call`].
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Function, Vm};
    /// let vm = Vm::builder().threads(0).build()?;
    /// vm.load_source("shop.erl", "discount(Percent) -> fun(Price) -> Price - Price * Percent div 100 end.")?;
    /// let discount: Function = vm.call("shop", "discount", (20,))?;
    /// assert_eq!(discount.call::<i64>(&vm, (50,))?, 40);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::call`]; [`Error::OtherVm`] if it is a fun of another machine; an exception `{badarity, ...}` if it takes another number
    /// of arguments, and `{badfun, ...}` if its module was replaced twice since it was made.
    pub fn call<R: FromTerm>(&self, vm: &Vm, args: impl IntoArgs) -> Result<R, Error> {
        let options = ProcessOptions::default();
        let (ended, _) = vm.call_until(&options, APPLY, None, |maker| self.applied(maker, args))?;
        vm.conclude(ended)
    }

    /// The same for at most `time`; as [`Vm::call_timeout`].
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::time::Duration;
    /// use erlet::{Function, Vm};
    /// let vm = Vm::builder().threads(1).build()?;
    /// vm.load_source("hang.erl", "make() -> fun() -> timer:sleep(infinity) end.")?;
    /// let hang: Function = vm.call("hang", "make", ())?;
    /// let result = hang.call_timeout::<()>(&vm, Duration::from_millis(5), ());
    /// assert!(matches!(result, Err(erlet::Error::Timeout)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Function::call`], and [`Error::Timeout`].
    pub fn call_timeout<R: FromTerm>(
        &self,
        vm: &Vm,
        time: Duration,
        args: impl IntoArgs,
    ) -> Result<R, Error> {
        let options = ProcessOptions::default();
        let deadline = vm.deadline(time);
        let (ended, _) = vm.call_until(&options, APPLY, deadline, |maker| self.applied(maker, args))?;
        vm.conclude(ended)
    }

    /// Starts a call and gives a future of what it returns; as [`Vm::call_async`].
    ///
    /// ```
    /// async fn apply(fun: &erlet::Function, vm: &erlet::Vm) -> Result<i64, erlet::Error> {
    ///     fun.call_async(vm, (1, 2)).await
    /// }
    /// ```
    ///
    /// # Errors
    /// The future gives those of [`Function::call`].
    pub fn call_async<R: FromTerm>(&self, vm: &Vm, args: impl IntoArgs) -> Call<R> {
        let options = ProcessOptions::default();
        let started = vm.start_outside(&options, APPLY, |maker| self.applied(maker, args));
        Call::new(vm.clone(), started)
    }

    /// `{Fun, Args}`.
    fn applied<'h>(&self, maker: &mut TermMaker<'h>, args: impl IntoArgs) -> Result<Term<'h>, Error> {
        let fun = maker.make(self)?;
        let args = args.into_args(maker)?;
        let list = maker.list(args.as_tuple().unwrap_or_default())?;
        maker.tuple(&[fun, list])
    }
}
