//! Host objects: Rust values that Erlang code holds without seeing into them.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Arc, OnceLock, Weak};

use crate::error::Error;
use crate::heap::{ResourceBox, resource_of_term};
use crate::runtime::Runtime;
use crate::runtime::pool::JobKind;
use crate::term::{Term, View};
use crate::value::{FromTerm, IntoTerm, Reference, TermMaker, TermReader};

/// A Rust value that Erlang code can hold, pass on and give back: an opaque term that looks like a reference.
///
/// Its type is checked when a term is read: `Resource<Db>` refuses what holds another type (`badarg` in a host function). It is shared
/// and dropped with its last holder, be that a term or a `Resource`. When the last term goes in a collection, `T` is dropped on the
/// machine's pool, so a slow `Drop` holds up no process.
///
/// `T` is shared between processes: what changes needs a lock. A resource belongs to the machine it first became a term of.
///
/// ```
/// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
/// use std::sync::Mutex;
/// use erlet::Resource;
///
/// struct Counter(Mutex<i64>);
/// vm.module("counter")
///     .function("new", |first: i64| Resource::new(Counter(Mutex::new(first))))
///     .function("next", |counter: Resource<Counter>| {
///         let mut number = counter.0.lock().unwrap();
///         *number += 1;
///         *number
///     })
///     .install()?;
/// # Ok::<(), erlet::Error>(())
/// ```
pub struct Resource<T: Send + Sync + 'static> {
    held: Arc<ResourceBox>,
    of: PhantomData<fn() -> T>,
}

/// What a resource's box holds.
struct Held<T: Send + Sync + 'static> {
    /// `None` only while it is dropped.
    value: Option<T>,
    home: OnceLock<Home>,
}

/// Where a resource is a term.
struct Home {
    machine: Weak<Runtime>,
    identity: u64,
    unique: u64,
}

impl<T: Send + Sync + 'static> Drop for Held<T> {
    fn drop(&mut self) {
        let Some(value) = self.value.take() else { return };
        // The last term goes in a collection, on a worker; elsewhere, or without a machine, it is dropped where it is.
        if std::mem::needs_drop::<T>()
            && let Some(rt) = self.home.get().and_then(|home| home.machine.upgrade())
        {
            rt.pool.submit(JobKind::Host, Box::new(move || drop(value)));
        }
    }
}

impl<T: Send + Sync + 'static> Resource<T> {
    /// A resource that holds `value`.
    ///
    /// ```
    /// assert_eq!(erlet::Resource::new(5).to_string(), "5");
    /// ```
    pub fn new(value: T) -> Resource<T> {
        let held: ResourceBox = Box::new(Held { value: Some(value), home: OnceLock::new() });
        Resource { held: Arc::new(held), of: PhantomData }
    }

    fn held(&self) -> &Held<T> {
        let held: &(dyn Any + Send + Sync) = &**self.held;
        held.downcast_ref().expect("the type was checked when the resource was made")
    }
}

impl<T: Send + Sync + 'static> Deref for Resource<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.held().value.as_ref().expect("the value is taken by `drop` alone")
    }
}

impl<T: Send + Sync + 'static> Clone for Resource<T> {
    fn clone(&self) -> Resource<T> {
        Resource { held: Arc::clone(&self.held), of: PhantomData }
    }
}

impl<T: fmt::Debug + Send + Sync + 'static> fmt::Debug for Resource<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Display + Send + Sync + 'static> fmt::Display for Resource<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Send + Sync + 'static> IntoTerm for &Resource<T> {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        let rt = maker.runtime();
        let home = self.held().home.get_or_init(|| Home {
            machine: rt.weak(),
            identity: rt.identity,
            unique: rt.make_outside_unique(),
        });
        maker.own(home.identity)?;
        Ok(maker.heap().resource(home.unique, Arc::clone(&self.held))?)
    }
}

impl<T: Send + Sync + 'static> IntoTerm for Resource<T> {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        (&self).into_term(maker)
    }
}

impl<T: Send + Sync + 'static> FromTerm for Resource<T> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Resource<T>, Error> {
        match resource_of_term(term).filter(|held| (***held).is::<Held<T>>()) {
            Some(held) => Ok(Resource { held, of: PhantomData }),
            None => Err(reader.mismatch(format!("a resource of {}", std::any::type_name::<T>()), term)),
        }
    }
}

/// A host object of any type, as a [`Value`](crate::Value) holds it.
///
/// ```
/// fn number(any: &erlet::AnyResource) -> Option<i64> {
///     any.downcast::<i64>().map(|number| *number)
/// }
/// ```
#[derive(Clone)]
pub struct AnyResource {
    held: Arc<ResourceBox>,
    reference: Reference,
}

impl AnyResource {
    /// The resource, if it holds a `T`.
    ///
    /// ```
    /// fn is_text(any: &erlet::AnyResource) -> bool {
    ///     any.downcast::<String>().is_some()
    /// }
    /// ```
    pub fn downcast<T: Send + Sync + 'static>(&self) -> Option<Resource<T>> {
        (**self.held).is::<Held<T>>().then(|| Resource { held: Arc::clone(&self.held), of: PhantomData })
    }

    /// The reference that it looks like.
    pub(crate) fn reference(&self) -> Reference {
        self.reference
    }
}

impl fmt::Debug for AnyResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.reference, f)
    }
}

impl IntoTerm for &AnyResource {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        maker.own(self.reference.machine)?;
        Ok(maker.heap().resource(self.reference.unique, Arc::clone(&self.held))?)
    }
}

impl FromTerm for AnyResource {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<AnyResource, Error> {
        match (resource_of_term(term), term.view()) {
            (Some(held), View::Ref(reference)) => {
                let reference = Reference::new(reader.runtime().identity, reference.unique(), None);
                Ok(AnyResource { held, reference })
            }
            _ => Err(reader.mismatch("a resource", term)),
        }
    }
}
