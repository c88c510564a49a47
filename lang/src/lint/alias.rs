//! Patterns that one value is matched against at once, as in `Left = Right`: where both have a part in the same place, those parts
//! cannot both be binaries, and the key of a map is no variable that another of them binds.

use super::Linter;
use super::environment::VariableId;
use crate::ast::{Expr, ExprKind, MapField, RecordField, RecordFieldName};
use crate::{Code, Diagnostic, Name, Span};

/// A pattern, or what is left of one of a list behind its first elements.
#[derive(Clone, Copy)]
enum Side<'e> {
    Pattern(&'e Expr),
    Rest(&'e [Expr], Option<&'e Expr>),
}

impl<'e> Side<'e> {
    /// The pattern, if it is a whole one.
    fn whole(self) -> Option<&'e ExprKind> {
        match self {
            Side::Pattern(pattern) | Side::Rest([], Some(pattern)) => Some(&pattern.kind),
            Side::Rest(..) => None,
        }
    }

    fn cell(self) -> Option<(&'e Expr, Side<'e>)> {
        let (elements, tail) = match self {
            Side::Rest([], Some(tail)) => return Side::Pattern(tail).cell(),
            Side::Rest(elements, tail) => (elements, tail),
            Side::Pattern(pattern) => match &pattern.kind {
                ExprKind::List { elements, tail } => (&elements[..], tail.as_deref()),
                _ => return None,
            },
        };
        elements.split_first().map(|(head, rest)| (head, Side::Rest(rest, tail)))
    }
}

impl Linter<'_> {
    /// Checks two patterns of one value. In a chain of matches, `before` is where variables begin that are bound by it.
    pub(super) fn check_aliases(&mut self, left: &Expr, right: &Expr, before: Option<VariableId>) {
        let mut pending = vec![(Side::Pattern(left), Side::Pattern(right))];
        while let Some((left, right)) = pending.pop() {
            match (left.whole(), right.whole()) {
                (Some(ExprKind::Match { pattern, value }), _) => {
                    pending.extend([&**value, &**pattern].map(|part| (Side::Pattern(part), right)));
                }
                (_, Some(ExprKind::Match { pattern, value })) => {
                    pending.extend([&**value, &**pattern].map(|part| (left, Side::Pattern(part))));
                }
                (Some(ExprKind::Binary(_)), Some(ExprKind::Binary(_))) => self.two_binaries(left, right),
                (
                    Some(ExprKind::Map { base: None, fields: left }),
                    Some(ExprKind::Map { base: None, fields: right }),
                ) => {
                    if let Some(before) = before {
                        self.keys_of_aliases(left.iter().chain(right), before);
                    }
                }
                (Some(ExprKind::Tuple(left)), Some(ExprKind::Tuple(right))) => {
                    pending.extend(left.iter().zip(right).rev().map(sides));
                }
                (
                    Some(ExprKind::Record { base: None, name: left, fields: left_fields }),
                    Some(ExprKind::Record { base: None, name: right, fields: right_fields }),
                ) => {
                    let left = self.places(left.name, left_fields);
                    let right = self.places(right.name, right_fields);
                    for (place, pattern) in left {
                        let other = right.iter().find(|(other, _)| *other == place);
                        pending.extend(other.map(|(_, other)| sides((pattern, *other))));
                    }
                }
                _ => {
                    if let (Some((left, left_rest)), Some((right, right_rest))) = (left.cell(), right.cell())
                    {
                        pending.extend([(left_rest, right_rest), sides((left, right))]);
                    }
                }
            }
        }
    }

    fn two_binaries(&mut self, left: Side<'_>, right: Side<'_>) {
        let title = "two binary patterns cannot be matched in parallel";
        self.report(Diagnostic::new(Code::IllegalPattern, span(left), title).also(span(right), "the other"));
    }

    /// Keys are known before any of the patterns is matched.
    fn keys_of_aliases<'e>(&mut self, fields: impl Iterator<Item = &'e MapField>, before: VariableId) {
        for field in fields {
            if let ExprKind::Var(name) = field.key.kind
                && let Some(binding) = self.env.get(name)
                && !self.env.is_older(binding.variable, before)
                && !self.env.span(binding.variable).is_none()
            {
                let title = format!("variable `{}` is unbound", self.text(name));
                let binds = self.env.span(binding.variable);
                self.report(
                    Diagnostic::new(Code::UnboundVariable, field.key.span, title)
                        .also(binds, "another pattern for the same value binds it")
                        .help("match against one pattern after the other"),
                );
                // Once is enough.
                self.bind_reported(name);
            }
        }
    }

    /// Which fields of a record have patterns, by their places.
    fn places<'e>(&self, record: Name, fields: &'e [RecordField]) -> Vec<(usize, &'e Expr)> {
        let Some(record) = self.records.get(&record) else { return Vec::new() };
        let place = |field: &RecordField| match field.name {
            RecordFieldName::Field(name) => record.fields.iter().position(|(known, _)| *known == name.name),
            RecordFieldName::Variable(_) => None,
        };
        fields.iter().filter_map(|field| Some((place(field)?, &field.value))).collect()
    }

    /// `Pattern = Pattern = Value`: the chain of patterns to the left of a match expression. `before` is where variables begin that
    /// are bound in it.
    pub(super) fn check_match_chain(&mut self, pattern: &Expr, value: &Expr, before: VariableId) {
        let mut value = value;
        while let ExprKind::Match { pattern: inner, value: rest } = &value.kind {
            if matches!(pattern.kind, ExprKind::Binary(_) | ExprKind::Map { .. } | ExprKind::Match { .. }) {
                self.check_aliases(pattern, inner, Some(before));
            }
            value = rest;
        }
    }
}

fn sides<'e>((left, right): (&'e Expr, &'e Expr)) -> (Side<'e>, Side<'e>) {
    (Side::Pattern(left), Side::Pattern(right))
}

fn span(side: Side<'_>) -> Span {
    match side {
        Side::Pattern(pattern) | Side::Rest(_, Some(pattern)) => pattern.span,
        Side::Rest(..) => Span::NONE,
    }
}
