//! What a register may hold: the abstract values of the data flow.

use crate::bytecode::{AtomIx, Literal, Module, SMALL_MAX, SMALL_MIN, Src};

/// The form of a value. Forms other than `Term` must never be taken for terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing: never written or destroyed, at least on one path. Only in X registers.
    Nothing,
    /// Values of different forms on different paths: nothing may be done with it, but the collector can scan it.
    Mixed,
    /// A term; [`Value::kinds`] says of which types.
    Term,
    /// A match context.
    Context,
    /// A term or a match context.
    Either,
    /// A position of some match context.
    Position,
    /// A raw stack trace.
    RawTrace,
    /// A catch mark; only in Y slots, and then the state's list of marks has it too.
    Mark,
}

/// A set of term types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(pub u16);

impl Kinds {
    pub const SMALL: Kinds = Kinds(1);
    pub const BIG: Kinds = Kinds(1 << 1);
    pub const FLOAT: Kinds = Kinds(1 << 2);
    /// `error`, `exit` or `throw`.
    pub const CLASS: Kinds = Kinds(1 << 3);
    /// Any other atom.
    pub const OTHER_ATOM: Kinds = Kinds(1 << 4);
    pub const NIL: Kinds = Kinds(1 << 5);
    pub const CONS: Kinds = Kinds(1 << 6);
    pub const TUPLE: Kinds = Kinds(1 << 7);
    pub const MAP: Kinds = Kinds(1 << 8);
    pub const FUN: Kinds = Kinds(1 << 9);
    pub const BITS: Kinds = Kinds(1 << 10);
    /// Pids, ports, references.
    pub const OTHER: Kinds = Kinds(1 << 11);

    pub const ALL: Kinds = Kinds((1 << 12) - 1);
    pub const INTEGER: Kinds = Kinds::SMALL.or(Kinds::BIG);
    pub const NUMBER: Kinds = Kinds::INTEGER.or(Kinds::FLOAT);
    pub const ATOM: Kinds = Kinds::CLASS.or(Kinds::OTHER_ATOM);
    pub const LIST: Kinds = Kinds::NIL.or(Kinds::CONS);

    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    pub const fn not(self) -> Kinds {
        Kinds(!self.0 & Kinds::ALL.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether nothing but types of `other` is in the set.
    pub const fn within(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }
}

/// An abstract value, eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub form: Form,
    /// Part of a message that is still in the mailbox, or made from such a part.
    pub fragile: bool,
    /// Of a term: the types it may have. All for other forms.
    pub kinds: Kinds,
    /// Of a term that may be a tuple: the least number of elements it then has. `u32::MAX` otherwise, so that the
    /// smaller of two is right for a join.
    pub arity: u32,
}

impl Value {
    pub const NOTHING: Value = Value::of(Form::Nothing);
    pub const CONTEXT: Value = Value::of(Form::Context);
    pub const EITHER: Value = Value::of(Form::Either);
    pub const POSITION: Value = Value::of(Form::Position);
    pub const RAW_TRACE: Value = Value::of(Form::RawTrace);
    pub const MARK: Value = Value::of(Form::Mark);
    pub const ANY: Value = Value::term(Kinds::ALL);

    const fn of(form: Form) -> Value {
        Value { form, fragile: false, kinds: Kinds::ALL, arity: u32::MAX }
    }

    pub const fn term(kinds: Kinds) -> Value {
        let arity = if kinds.and(Kinds::TUPLE).is_empty() { u32::MAX } else { 0 };
        Value { form: Form::Term, fragile: false, kinds, arity }
    }

    pub const fn tuple(arity: u32) -> Value {
        Value { form: Form::Term, fragile: false, kinds: Kinds::TUPLE, arity }
    }

    /// The same with fragility as said.
    pub const fn fragile(mut self, fragile: bool) -> Value {
        self.fragile = fragile;
        self
    }

    pub fn is_term(self) -> bool {
        self.form == Form::Term
    }

    /// Whether it is a term or a match context, perhaps now one and now the other.
    pub fn is_matchable(self) -> bool {
        matches!(self.form, Form::Term | Form::Context | Form::Either)
    }

    /// Whether it is a term of one of the types on every path.
    pub fn is(self, kinds: Kinds) -> bool {
        self.is_term() && self.kinds.within(kinds)
    }

    /// Whether it is a tuple of `arity` elements or more on every path.
    pub fn is_tuple(self, arity: u32) -> bool {
        self.is(Kinds::TUPLE) && self.arity >= arity
    }

    /// What is known after a test for `kinds` (and at least `arity` elements, if a tuple) succeeded. Control does not get
    /// behind a test that contradicts what was known before: there the value is of no type, and so of every type that is asked for.
    pub fn refined(self, kinds: Kinds, arity: u32) -> Value {
        if !self.is_term() {
            return self;
        }
        let both = self.kinds.and(kinds);
        let known = if both.and(Kinds::TUPLE).is_empty() { u32::MAX } else { self.arity.max(arity) };
        Value { kinds: both, arity: known, ..self }
    }

    /// What holds where control comes from both.
    pub fn join(self, other: Value) -> Value {
        if self == other {
            return self;
        }
        let fragile = self.fragile || other.fragile;
        if self.form != other.form {
            if self.form == Form::Nothing || other.form == Form::Nothing {
                return Value::NOTHING;
            }
            let form = if self.is_matchable() && other.is_matchable() { Form::Either } else { Form::Mixed };
            return Value::of(form).fragile(fragile);
        }
        Value {
            form: self.form,
            fragile,
            kinds: self.kinds.or(other.kinds),
            arity: self.arity.min(other.arity),
        }
    }

    /// The same with its type forgotten.
    pub fn widened(self) -> Value {
        if self.is_term() { Value::ANY.fragile(self.fragile) } else { self }
    }

    /// What the form is called in a message.
    pub fn form_name(self) -> &'static str {
        match self.form {
            Form::Nothing => "nothing",
            Form::Mixed => "values of different forms",
            Form::Term => "a term",
            Form::Context => "a match context",
            Form::Either => "a term or a match context",
            Form::Position => "a position of a match context",
            Form::RawTrace => "a raw stack trace",
            Form::Mark => "a catch mark",
        }
    }
}

/// The value of an operand that is a constant (of a register nothing is known).
pub(super) fn constant(module: &Module, src: Src) -> Value {
    match src {
        Src::X(_) | Src::Y(_) => Value::ANY,
        Src::Int(value) if is_small(value) => Value::term(Kinds::SMALL),
        Src::Int(_) => Value::term(Kinds::BIG),
        Src::Nil => Value::term(Kinds::NIL),
        Src::Atom(atom) => Value::term(atom_kind(module, atom)),
        Src::Lit(lit) => match &module.literals[lit.index()] {
            Literal::Big { .. } => Value::term(Kinds::BIG),
            Literal::Float(_) => Value::term(Kinds::FLOAT),
            Literal::List { .. } | Literal::String(_) => Value::term(Kinds::CONS),
            Literal::Tuple(elements) => {
                Value::tuple(u32::try_from(elements.len()).expect("the literal table bounds tuples"))
            }
            Literal::Map(_) => Value::term(Kinds::MAP),
            Literal::Bits { .. } => Value::term(Kinds::BITS),
            Literal::Export { .. } => Value::term(Kinds::FUN),
        },
    }
}

/// Whether an integer is an immediate value.
fn is_small(value: i64) -> bool {
    (SMALL_MIN..=SMALL_MAX).contains(&value)
}

fn atom_kind(module: &Module, atom: AtomIx) -> Kinds {
    match module.atoms[atom.index()].as_str() {
        "error" | "exit" | "throw" => Kinds::CLASS,
        _ => Kinds::OTHER_ATOM,
    }
}
