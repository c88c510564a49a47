//! Atoms as text of their own.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// An atom: its text, owned; cloning is cheap, and it belongs to no machine.
///
/// A machine keeps each atom it has met for ever (as OTP does), so atoms are not for text that comes from outside.
///
/// ```
/// use erlet::Atom;
/// let atom = Atom::new("ok");
/// assert_eq!(atom, "ok");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(Text);

/// Constants take no allocation.
#[derive(Clone)]
enum Text {
    Static(&'static str),
    Owned(Arc<str>),
}

impl Text {
    fn as_str(&self) -> &str {
        match self {
            Text::Static(text) => text,
            Text::Owned(text) => text,
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Atom {
    /// The atom of this text.
    ///
    /// ```
    /// assert_eq!(erlet::Atom::new("ok").as_str(), "ok");
    /// ```
    pub fn new(text: &str) -> Atom {
        Atom(Text::Owned(text.into()))
    }

    /// The atom of a constant text, without an allocation.
    ///
    /// ```
    /// const OK: erlet::Atom = erlet::Atom::from_static("ok");
    /// assert_eq!(OK, "ok");
    /// ```
    pub const fn from_static(text: &'static str) -> Atom {
        Atom(Text::Static(text))
    }

    /// Its text.
    ///
    /// ```
    /// assert_eq!(erlet::Atom::new("ok").as_str().len(), 2);
    /// ```
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl Deref for Atom {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Atom {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl From<&str> for Atom {
    fn from(text: &str) -> Atom {
        Atom::new(text)
    }
}

impl From<String> for Atom {
    fn from(text: String) -> Atom {
        Atom(Text::Owned(text.into()))
    }
}

impl From<&Atom> for Atom {
    fn from(atom: &Atom) -> Atom {
        atom.clone()
    }
}

impl From<Cow<'_, str>> for Atom {
    fn from(text: Cow<'_, str>) -> Atom {
        Atom::new(&text)
    }
}

impl PartialEq<str> for Atom {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == text
    }
}

impl PartialEq<&str> for Atom {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

/// As Erlang writes it, quoted if it must be.
impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        crate::term::print::write_atom(&mut text, self, true);
        f.write_str(&text)
    }
}

/// The text itself.
impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}
