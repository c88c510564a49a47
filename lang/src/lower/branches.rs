//! In which order OTP's compiler comes to the bodies of clauses.
//!
//! It makes one tree of tests of them all, column by column. Clauses are cut into runs of those that ask for something in the first
//! column and those that do not, and the last run is made first, since the run before it falls through to it. Within a run clauses are
//! sorted by type, then grouped by value. The numbers of comprehensions and `after` bodies follow that order.
//!
//! Segments of bitstrings are not looked into, nor do clauses that no value can reach take a number here. Where patterns are large the
//! order is that of the source: the way through them is as deep as a clause is large, and grows with the square of them all.

use super::Lowerer;
use crate::Name;
use crate::ast::{BinaryOp, CatchClause, Clause, Expr, ExprKind, RecordField, RecordFieldName};
use crate::known;

/// Parts of a clause's patterns, and of those of all clauses, up to which the order is looked for.
const MOST_IN_CLAUSE: usize = 60;
const MOST: usize = 1000;

/// A pattern as far as it decides about the order.
#[derive(Clone, PartialEq)]
enum Shape {
    Any,
    /// Types of one value each, in OTP's order with those below.
    Bits,
    Cons(Box<(Shape, Shape)>),
    Tuple(Vec<Shape>),
    Map(Vec<(String, Shape)>),
    Atom(Name),
    Float(String),
    Int(String),
    Nil,
}

/// A clause: its number, and what it asks of the columns that are left, the first of them last.
struct Row {
    clause: usize,
    columns: Vec<Shape>,
}

impl Lowerer<'_, '_> {
    /// The numbers of the clauses of a `case`, a function, or the like.
    pub(super) fn order_of(&self, clauses: &[Clause]) -> Vec<usize> {
        if self.are_large(clauses.iter().map(|clause| &clause.patterns[..])) {
            return (0..clauses.len()).collect();
        }
        let row = |(clause, of): (usize, &Clause)| {
            let columns = of.patterns.iter().rev().map(|pattern| self.shape(pattern)).collect();
            Row { clause, columns }
        };
        ordered(clauses.iter().enumerate().map(row).collect())
    }

    /// The numbers of the clauses behind `catch`.
    pub(super) fn order_of_catches(&self, clauses: &[CatchClause]) -> Vec<usize> {
        if self.are_large(clauses.iter().map(|clause| std::slice::from_ref(&clause.pattern))) {
            return (0..clauses.len()).collect();
        }
        let row = |(clause, of): (usize, &CatchClause)| {
            let class = of.class.as_ref().map_or(Shape::Atom(known::THROW), |class| self.shape(class));
            Row { clause, columns: vec![self.shape(&of.pattern), class] }
        };
        ordered(clauses.iter().enumerate().map(row).collect())
    }

    fn are_large<'e>(&self, clauses: impl Iterator<Item = &'e [Expr]>) -> bool {
        let mut all = 0;
        for patterns in clauses {
            let parts: usize = patterns.iter().map(|pattern| self.parts(pattern)).sum();
            all += parts;
            if parts > MOST_IN_CLAUSE || all > MOST {
                return true;
            }
        }
        false
    }

    /// How many parts the shape of a pattern has at the most.
    fn parts(&self, pattern: &Expr) -> usize {
        let of = |patterns: &[Expr]| patterns.iter().map(|part| self.parts(part)).sum::<usize>();
        1 + match &pattern.kind {
            ExprKind::Str(text) => text.chars().count(),
            ExprKind::Tuple(items) => of(items),
            ExprKind::List { elements, tail } => {
                elements.len() + of(elements) + tail.as_ref().map_or(0, |tail| self.parts(tail))
            }
            ExprKind::Match { pattern: left, value: right } | ExprKind::Op { left, right, .. } => {
                self.parts(left) + self.parts(right)
            }
            ExprKind::Record { name, fields, .. } => {
                let all = self.records.get(&name.name).map_or(0, |record| record.fields.len());
                let given: usize = fields.iter().map(|field| self.parts(&field.value)).sum();
                // What is for all other fields stands in each of them.
                let others = fields.iter().filter(|field| matches!(field.name, RecordFieldName::Variable(_)));
                given + all * (1 + others.map(|field| self.parts(&field.value)).sum::<usize>())
            }
            ExprKind::Map { fields, .. } => fields.iter().map(|field| self.parts(&field.value)).sum(),
            _ => 0,
        }
    }

    fn shape(&self, pattern: &Expr) -> Shape {
        match &pattern.kind {
            ExprKind::Atom(name) => Shape::Atom(*name),
            ExprKind::Char(c) => Shape::Int(u32::from(*c).to_string()),
            ExprKind::Int(int) => Shape::Int(int.to_big().to_string()),
            ExprKind::Float(float) => Shape::Float(float.to_string()),
            ExprKind::Str(text) => characters(text.chars(), Shape::Nil),
            ExprKind::Tuple(items) => Shape::Tuple(items.iter().map(|item| self.shape(item)).collect()),
            ExprKind::List { elements, tail } => {
                let end = tail.as_ref().map_or(Shape::Nil, |tail| self.shape(tail));
                elements.iter().rev().fold(end, |tail, item| cons(self.shape(item), tail))
            }
            ExprKind::Op { op: BinaryOp::Append, left, right } => match &left.kind {
                ExprKind::Str(text) => characters(text.chars(), self.shape(right)),
                _ => Shape::Any,
            },
            ExprKind::Match { pattern, value } => match self.shape(pattern) {
                Shape::Any => self.shape(value),
                shape => shape,
            },
            ExprKind::Record { name, fields, .. } => self.record_shape(name.name, fields),
            ExprKind::Map { fields, .. } => {
                let pairs =
                    fields.iter().map(|field| (format!("{:?}", field.key.kind), self.shape(&field.value)));
                Shape::Map(pairs.collect())
            }
            ExprKind::Binary(_) => Shape::Bits,
            ExprKind::Unary { .. } | ExprKind::Op { .. } => Shape::Int(format!("{:?}", pattern.span)),
            _ => Shape::Any,
        }
    }

    fn record_shape(&self, name: Name, given: &[RecordField]) -> Shape {
        let Some(record) = self.records.get(&name) else { return Shape::Any };
        let value = |wanted: Name| {
            let named = given.iter().find(|field| match field.name {
                RecordFieldName::Field(name) => name.name == wanted,
                RecordFieldName::Variable(_) => false,
            });
            let others = || given.iter().find(|field| matches!(field.name, RecordFieldName::Variable(_)));
            named.or_else(others).map_or(Shape::Any, |field| self.shape(&field.value))
        };
        let fields = record.fields.iter().map(|(field, _)| value(*field));
        Shape::Tuple(std::iter::once(Shape::Atom(name)).chain(fields).collect())
    }
}

fn ordered(rows: Vec<Row>) -> Vec<usize> {
    let mut order = Vec::with_capacity(rows.len());
    visit(rows, &mut order);
    order
}

fn cons(head: Shape, tail: Shape) -> Shape {
    Shape::Cons(Box::new((head, tail)))
}

fn characters(text: impl DoubleEndedIterator<Item = char>, end: Shape) -> Shape {
    text.rev().fold(end, |tail, c| cons(Shape::Int(u32::from(c).to_string()), tail))
}

/// Adds the clauses of rows in the order in which their bodies are made.
fn visit(mut rows: Vec<Row>, order: &mut Vec<usize>) {
    if rows.iter().all(|row| row.columns.is_empty()) {
        return order.extend(rows.iter().map(|row| row.clause));
    }
    while let Some(last) = rows.last() {
        let open = last.columns.last() == Some(&Shape::Any);
        let same = |row: &Row| (row.columns.last() == Some(&Shape::Any)) == open;
        let from = rows.iter().rposition(|row| !same(row)).map_or(0, |at| at + 1);
        let mut run = rows.split_off(from);
        if open {
            run.iter_mut().for_each(|row| drop(row.columns.pop()));
            visit(run, order);
        } else {
            constructors(run, order);
        }
    }
}

/// Rows that all ask for something in their first column.
fn constructors(run: Vec<Row>, order: &mut Vec<usize>) {
    let mut types: [Vec<Row>; 8] = Default::default();
    for row in run {
        types[row.columns.last().map_or(0, kind)].push(row);
    }
    // What is a constant as a whole and alone of its type is compared first; only bitstrings stand before.
    let mut constants = Vec::new();
    for rows in types.iter_mut().skip(1) {
        let alone =
            |row: &Row| row.columns.last().is_some_and(|shape| is_compound(shape) && is_constant(shape));
        if rows.len() == 1 && rows.iter().all(alone) {
            constants.append(rows);
        }
    }
    let mut types = types.into_iter();
    types.next().into_iter().filter(|rows| !rows.is_empty()).for_each(|rows| groups(rows, order));
    groups(constants, order);
    types.for_each(|rows| groups(rows, order));
}

/// Rows of one type, by value: in the order in which the values first appear.
fn groups(mut rows: Vec<Row>, order: &mut Vec<usize>) {
    while !rows.is_empty() {
        let first = rows[0].columns.last().cloned().unwrap_or(Shape::Any);
        // Maps may overlap, so that only neighbours are one group.
        let neighbours = matches!(first, Shape::Map(_));
        let mut broken = false;
        let (group, rest): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| {
            let alike = row.columns.last().is_none_or(|shape| is_alike(shape, &first));
            broken |= !alike && neighbours;
            alike && !broken
        });
        rows = rest;
        let opened = group.into_iter().map(|mut row| {
            let shape = row.columns.pop().unwrap_or(Shape::Any);
            match shape {
                Shape::Cons(parts) => {
                    row.columns.push(parts.1);
                    row.columns.push(parts.0);
                }
                Shape::Tuple(items) => row.columns.extend(items.into_iter().rev()),
                Shape::Map(pairs) => row.columns.extend(pairs.into_iter().rev().map(|(_, shape)| shape)),
                _ => {}
            }
            row
        });
        visit(opened.collect(), order);
    }
}

fn kind(shape: &Shape) -> usize {
    match shape {
        Shape::Bits | Shape::Any => 0,
        Shape::Cons(_) => 1,
        Shape::Tuple(_) => 2,
        Shape::Map(_) => 3,
        Shape::Atom(_) => 4,
        Shape::Float(_) => 5,
        Shape::Int(_) => 6,
        Shape::Nil => 7,
    }
}

/// Whether one test is for both.
fn is_alike(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Bits, Shape::Bits) | (Shape::Cons(_), Shape::Cons(_)) => true,
        (Shape::Tuple(a), Shape::Tuple(b)) => a.len() == b.len(),
        (Shape::Map(a), Shape::Map(b)) => a.iter().map(|pair| &pair.0).eq(b.iter().map(|pair| &pair.0)),
        _ => a == b,
    }
}

fn is_compound(shape: &Shape) -> bool {
    matches!(shape, Shape::Cons(_) | Shape::Tuple(_))
}

fn is_constant(shape: &Shape) -> bool {
    match shape {
        Shape::Any | Shape::Bits | Shape::Map(_) => false,
        Shape::Cons(parts) => is_constant(&parts.0) && is_constant(&parts.1),
        Shape::Tuple(items) => items.iter().all(is_constant),
        Shape::Atom(_) | Shape::Float(_) | Shape::Int(_) | Shape::Nil => true,
    }
}
