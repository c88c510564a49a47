//! Match specifications: `[{Head, Guards, Body}]`, the little language of `ets:select/2`.
//!
//! A specification is interpreted as it stands. Its expressions are shallow in practice; depth is bounded by
//! [`MAX_DEPTH`] so that evaluation may recurse.

use super::pattern::{Bindings, is_constant_key, is_pattern, variable_number};
use crate::atom::{Atom, Atoms, known};
use crate::heap::{AllocError, HeapRef};
use crate::term::compare::equal_exact;
use crate::term::{Term, View};

/// Nesting of expressions that is accepted: far more than anybody writes, far less than a stack holds.
const MAX_DEPTH: usize = 256;

/// A checked specification.
pub struct Spec<'h> {
    clauses: Vec<Clause<'h>>,
}

struct Clause<'h> {
    head: Term<'h>,
    guards: Vec<Term<'h>>,
    body: Vec<Term<'h>>,
}

/// It is no match specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecError;

/// What an evaluation needs from its caller: guard functions by name, and the heap for results.
pub trait Evaluation<'h> {
    /// The heap that results go to.
    fn heap(&mut self) -> &mut HeapRef<'h>;
    /// Whether a guard function of that name and arity exists.
    fn knows(&self, function: Atom, arity: usize) -> bool;
    /// Calls a guard function; `None` if it fails.
    ///
    /// # Errors
    /// If there is no time or room.
    fn call(&mut self, function: Atom, arguments: &[Term<'h>]) -> Result<Option<Term<'h>>, AllocError>;
    /// Copies a part of a row to the heap.
    fn copy(&mut self, term: Term<'_>) -> Result<Term<'h>, AllocError>;
}

impl<'h> Spec<'h> {
    /// Checks a specification.
    ///
    /// # Errors
    /// If it has another shape, unknown functions, or nests deeper than [`MAX_DEPTH`].
    pub fn new(spec: Term<'h>, evaluation: &mut impl Evaluation<'h>) -> Result<Spec<'h>, SpecError> {
        let mut clauses = Vec::new();
        for clause in proper_list(spec)? {
            let Some([head, guards, body]) = clause.as_tuple() else { return Err(SpecError) };
            let guards = proper_list(*guards)?;
            let body = proper_list(*body)?;
            if body.is_empty() {
                return Err(SpecError);
            }
            if !is_pattern(evaluation.heap().atoms(), *head) {
                return Err(SpecError);
            }
            for expression in guards.iter().chain(&body) {
                check(*expression, evaluation, 0)?;
            }
            clauses.push(Clause { head: *head, guards, body });
        }
        if clauses.is_empty() { Err(SpecError) } else { Ok(Spec { clauses }) }
    }

    /// The heads, for callers that look for a bound key.
    pub fn heads(&self) -> impl Iterator<Item = Term<'h>> + '_ {
        self.clauses.iter().map(|clause| clause.head)
    }

    /// Whether what it makes of a row is sure to have the key that the row has, at `position` (from 1).
    pub fn keeps_key(&self, atoms: &Atoms, position: usize) -> bool {
        self.clauses.iter().all(|clause| {
            let [body] = clause.body[..] else { return false };
            if body.as_atom().is_some_and(|atom| atoms.text(atom) == "$_") {
                return true;
            }
            let head = clause.head.as_tuple().and_then(|head| head.get(position - 1));
            let made = body.as_tuple().and_then(|body| match body {
                [inner] => inner.as_tuple()?.get(position - 1),
                _ => None,
            });
            if let Some(&[function, row]) = body.as_tuple()
                && function.is_atom(known::CONST)
            {
                let key = row.as_tuple().and_then(|row| row.get(position - 1));
                return matches!((head, key), (Some(head), Some(key))
                    if is_constant_key(atoms, *head) && equal_exact(*head, *key));
            }
            matches!((head, made), (Some(head), Some(made)) if makes_again(atoms, *head, *made, position))
        })
    }

    /// Runs the specification on a row: the value of the last expression of the body of the first clause that fits.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn run(
        &self,
        row: Term<'_>,
        evaluation: &mut impl Evaluation<'h>,
    ) -> Result<Option<Term<'h>>, AllocError> {
        let atoms = evaluation.heap().atoms();
        for clause in &self.clauses {
            let mut bindings = Bindings::new();
            if !bindings.match_value(atoms, clause.head, row) {
                continue;
            }
            let mut scope = Scope { atoms, row, bindings: &bindings, evaluation };
            if scope.guards_hold(&clause.guards)? {
                return scope.body(&clause.body);
            }
        }
        Ok(None)
    }
}

/// Whether an expression of a body makes the very term that a part of the head fits.
fn makes_again(atoms: &Atoms, head: Term<'_>, made: Term<'_>, position: usize) -> bool {
    let mut waiting = vec![(head, made, true)];
    while let Some((head, made, is_key)) = waiting.pop() {
        let same = match (head.view(), made.view()) {
            (_, View::Tuple(&[function, place, row])) if is_key && function.is_atom(known::ELEMENT) => {
                place.as_small() == i64::try_from(position).ok()
                    && row.as_atom().is_some_and(|row| atoms.text(row) == "$_")
            }
            (_, View::Tuple(&[function, value])) if function.is_atom(known::CONST) => {
                is_constant_key(atoms, head) && equal_exact(head, value)
            }
            (View::Atom(a), View::Atom(b)) => a == b && !matches!(atoms.text(a), "_" | "$_" | "$$"),
            (View::Tuple(parts), View::Tuple([inner])) => inner.as_tuple().is_some_and(|made| {
                waiting.extend(parts.iter().zip(made).map(|(head, made)| (*head, *made, false)));
                made.len() == parts.len()
            }),
            (View::Cons(a), View::Cons(b)) => {
                waiting.extend([(a.tail(), b.tail(), false), (a.head(), b.head(), false)]);
                true
            }
            (View::Tuple(_) | View::Map(_), _) => false,
            _ => is_constant_key(atoms, head) && equal_exact(head, made),
        };
        if !same {
            return false;
        }
    }
    true
}

fn proper_list(list: Term<'_>) -> Result<Vec<Term<'_>>, SpecError> {
    let mut items = list.list();
    let all = items.by_ref().collect();
    if items.rest().is_nil() { Ok(all) } else { Err(SpecError) }
}

/// Checks the shape of an expression.
fn check<'h>(term: Term<'h>, evaluation: &impl Evaluation<'h>, depth: usize) -> Result<(), SpecError> {
    if depth > MAX_DEPTH {
        return Err(SpecError);
    }
    match term.view() {
        View::Cons(_) => {
            let mut items = term.list();
            for item in items.by_ref() {
                check(item, evaluation, depth + 1)?;
            }
            check(items.rest(), evaluation, depth + 1)
        }
        View::Map(map) => map.iter().try_for_each(|(_, value)| check(value, evaluation, depth + 1)),
        View::Tuple([inner]) if inner.as_tuple().is_some() => {
            let elements = inner.as_tuple().unwrap_or_default();
            elements.iter().try_for_each(|element| check(*element, evaluation, depth + 1))
        }
        View::Tuple([function, arguments @ ..]) => {
            let Some(function) = function.as_atom() else { return Err(SpecError) };
            match (function, arguments.len()) {
                (known::CONST, 1) => return Ok(()),
                (known::ANDALSO | known::ORELSE | known::AND | known::OR, 1..) => {}
                (function, arity) if evaluation.knows(function, arity) => {}
                _ => return Err(SpecError),
            }
            arguments.iter().try_for_each(|argument| check(*argument, evaluation, depth + 1))
        }
        View::Tuple([]) => Err(SpecError),
        _ => Ok(()),
    }
}

struct Scope<'s, 'h, 'v, E> {
    atoms: &'h Atoms,
    row: Term<'v>,
    bindings: &'s Bindings<'v>,
    evaluation: &'s mut E,
}

/// A value, or `None` where a function failed.
type Value<'h> = Result<Option<Term<'h>>, AllocError>;

impl<'h, E: Evaluation<'h>> Scope<'_, 'h, '_, E> {
    fn guards_hold(&mut self, guards: &[Term<'h>]) -> Result<bool, AllocError> {
        for guard in guards {
            if !self.value(*guard)?.is_some_and(|value| value.is_atom(known::TRUE)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn body(&mut self, body: &[Term<'h>]) -> Value<'h> {
        let mut last = None;
        for expression in body {
            // A failing expression of a body has the value 'EXIT', as in Erlang/OTP.
            last = Some(self.value(*expression)?.unwrap_or(Term::atom(known::EXIT_SIGNAL)));
        }
        Ok(last)
    }

    fn value(&mut self, expression: Term<'h>) -> Value<'h> {
        match expression.view() {
            View::Atom(atom) => self.atom(atom, expression),
            View::Cons(_) => self.list(expression),
            View::Tuple([inner]) if inner.as_tuple().is_some() => {
                let Some(values) = self.values(inner.as_tuple().unwrap_or_default())? else {
                    return Ok(None);
                };
                self.evaluation.heap().tuple(&values).map(Some)
            }
            View::Tuple([function, arguments @ ..]) => match function.as_atom() {
                Some(function) => self.call(function, arguments),
                None => Ok(None),
            },
            View::Map(map) => self.map(map.iter().collect()),
            _ => Ok(Some(expression)),
        }
    }

    fn atom(&mut self, atom: Atom, expression: Term<'h>) -> Value<'h> {
        let text = self.atoms.text(atom);
        if !text.starts_with('$') {
            return Ok(Some(expression));
        }
        match text {
            "$_" => self.evaluation.copy(self.row).map(Some),
            "$$" => {
                let mut values = Vec::new();
                for value in self.bindings.in_order() {
                    values.push(self.evaluation.copy(value)?);
                }
                self.evaluation.heap().list(&values).map(Some)
            }
            _ => match variable_number(self.atoms, atom).and_then(|number| self.bindings.get(number)) {
                Some(value) => self.evaluation.copy(value).map(Some),
                None => Ok(Some(expression)),
            },
        }
    }

    fn list(&mut self, list: Term<'h>) -> Value<'h> {
        let mut items = list.list();
        let elements: Vec<Term<'h>> = items.by_ref().collect();
        let Some(values) = self.values(&elements)? else { return Ok(None) };
        let Some(tail) = self.value(items.rest())? else { return Ok(None) };
        self.evaluation.heap().list_with_tail(&values, tail).map(Some)
    }

    fn map(&mut self, pairs: Vec<(Term<'h>, Term<'h>)>) -> Value<'h> {
        let mut built = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let Some(value) = self.value(value)? else { return Ok(None) };
            built.push((key, value));
        }
        self.evaluation.heap().map(&built).map(Some)
    }

    fn values(&mut self, expressions: &[Term<'h>]) -> Result<Option<Vec<Term<'h>>>, AllocError> {
        let mut values = Vec::with_capacity(expressions.len());
        for expression in expressions {
            let Some(value) = self.value(*expression)? else { return Ok(None) };
            values.push(value);
        }
        Ok(Some(values))
    }

    fn call(&mut self, function: Atom, arguments: &[Term<'h>]) -> Value<'h> {
        match function {
            known::CONST => Ok(arguments.first().copied()),
            known::ANDALSO => self.chain(arguments, false),
            known::ORELSE => self.chain(arguments, true),
            known::AND | known::OR if arguments.len() != 2 => {
                self.chain_strict(arguments, function == known::OR)
            }
            _ => {
                let Some(values) = self.values(arguments)? else { return Ok(None) };
                self.evaluation.call(function, &values)
            }
        }
    }

    /// `andalso` and `orelse` of any number of operands: ends at the first that is `decisive`.
    fn chain(&mut self, operands: &[Term<'h>], decisive: bool) -> Value<'h> {
        for operand in operands {
            match self.value(*operand)?.and_then(Term::as_boolean) {
                Some(value) if value == decisive => return Ok(Some(Term::boolean(value))),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(Term::boolean(!decisive)))
    }

    /// `and` and `or` of any number of operands, all of which are evaluated.
    fn chain_strict(&mut self, operands: &[Term<'h>], or: bool) -> Value<'h> {
        let Some(values) = self.values(operands)? else { return Ok(None) };
        let mut result = !or;
        for value in values {
            let Some(value) = value.as_boolean() else { return Ok(None) };
            result = if or { result || value } else { result && value };
        }
        Ok(Some(Term::boolean(result)))
    }
}
