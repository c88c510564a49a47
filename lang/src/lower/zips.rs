//! Zip generators: several sources walked side by side.
//!
//! The function of a zip walks one tuple of what is left of each source, which is also what its error shows: sources of
//! different lengths, sources that are none, and elements that do not fit a strict generator raise
//! `{bad_generators, {Rest, ...}}`. Elements that do not fit are skipped together with their neighbours.
//! (OTP 28, reference manual, "Comprehensions"; EEP 73.)

use super::Lowerer;
use super::comprehensions::{Rest, Template, plain, with_tail};
use super::matches::{Heads, Outside};
use super::numbers::part;
use crate::ast::{Expr, ExprKind, Generator, GeneratorPattern, Qualifier};
use crate::core::{BitsPattern, Clause, Const, Pattern, Value, Var};

/// What the patterns of one generator look like in each kind of clause.
struct Shapes {
    fits: Pattern,
    /// Any element; for a strict generator, one that fits.
    skipped: Pattern,
    ended: Pattern,
    /// What is left behind an element that fits, and behind one that is skipped.
    tail: Var,
    skipped_tail: Var,
}

impl<'f> Lowerer<'f, '_> {
    pub(super) fn zip(
        &mut self,
        kind: &'static str,
        template: Template<'f>,
        generators: &'f [Generator],
        more: &'f [Qualifier],
        outer: Rest,
        so_far: Value,
    ) -> Value {
        let mut sources = Vec::with_capacity(generators.len());
        for generator in generators {
            let mut source = self.expr(&generator.source);
            if let GeneratorPattern::Map { .. } = generator.pattern {
                self.at(generator.span);
                source = self.map_source(source);
            }
            sources.push(source);
        }
        if let Some(first) = generators.first() {
            self.at(first.span);
        }
        let line = self.line;
        let source = self.tuple(sources);
        let bits = matches!(template, Template::Bits(..));
        let name = self.lifted_name(kind, if bits { 2 } else { 1 }, part(&generators[0], self.site));
        let walked = self.var();
        let mut params = vec![walked];
        let mut inner_so_far = so_far;
        if bits {
            let carried = self.var();
            params.push(carried);
            inner_so_far = Value::Var(carried);
        }
        let around = std::mem::take(&mut self.steps);
        let mark = self.scope.mark();
        let siblings = self.away_from_siblings();
        let mut heads = Heads::new(Outside::None);
        let mut shapes: Vec<Shapes> =
            generators.iter().map(|generator| self.shapes(generator, &mut heads)).collect();
        let tails: Vec<Value> = shapes.iter().map(|shape| Value::Var(shape.tail)).collect();
        let round = self.scoped_body(|lowerer| {
            let left = lowerer.tuple(tails);
            lowerer.whole_round(kind, template, more, Rest::Walk(name, left, line), inner_so_far)
        });
        let fits = tuple_of(&mut shapes, |shape| &mut shape.fits);
        let mut clauses = vec![Clause { patterns: vec![fits], same: heads.same, guard: vec![], body: round }];
        if generators.iter().any(|generator| !generator.strict) {
            clauses.push(self.skipping(
                generators,
                &mut shapes,
                (template, Rest::Walk(name, source, line), inner_so_far),
            ));
        }
        let end = self.scoped_body(|lowerer| lowerer.rest(template, outer, inner_so_far));
        clauses.push(plain(tuple_of(&mut shapes, |shape| &mut shape.ended), end));
        self.scope.rollback(mark);
        self.back_among_siblings(siblings);
        self.line = line;
        let args = if bits { vec![source, so_far] } else { vec![source] };
        self.lift_walk((name, params), clauses, "bad_generators", around, (args, line))
    }

    /// The clause for elements that do not all fit: what is strict must fit even so.
    fn skipping(
        &mut self,
        generators: &'f [Generator],
        shapes: &mut [Shapes],
        (template, rest, so_far): (Template<'f>, Rest, Value),
    ) -> Clause {
        let mut heads = Heads::new(Outside::None);
        for (generator, shape) in generators.iter().zip(&mut *shapes) {
            if generator.strict {
                let again = self.shapes(generator, &mut heads);
                shape.skipped = again.fits;
                shape.skipped_tail = again.tail;
            }
        }
        let tails: Vec<Value> = shapes.iter().map(|shape| Value::Var(shape.skipped_tail)).collect();
        let body = self.scoped_body(|lowerer| {
            let left = lowerer.tuple(tails);
            let rest = match rest {
                Rest::Walk(name, _, line) => Rest::Walk(name, left, line),
                Rest::Nothing | Rest::List(_) => rest,
            };
            lowerer.rest(template, rest, so_far)
        });
        let skipped = tuple_of(shapes, |shape| &mut shape.skipped);
        Clause { patterns: vec![skipped], same: heads.same, guard: vec![], body }
    }

    fn shapes(&mut self, generator: &'f Generator, heads: &mut Heads) -> Shapes {
        match &generator.pattern {
            GeneratorPattern::List(pattern) => {
                let element = self.pattern(pattern, heads);
                self.list_shapes(element)
            }
            GeneratorPattern::Map { key, value } => {
                let pair = Pattern::Tuple(vec![self.pattern(key, heads), self.pattern(value, heads)]);
                self.list_shapes(pair)
            }
            GeneratorPattern::Binary(pattern) => self.bits_shapes(generator, pattern, heads),
        }
    }

    fn list_shapes(&mut self, element: Pattern) -> Shapes {
        let (tail, skipped_tail) = (self.var(), self.var());
        let cell = |element, tail| Pattern::List(vec![element], Box::new(Pattern::Var(tail)));
        Shapes {
            fits: cell(element, tail),
            skipped: cell(Pattern::Any, skipped_tail),
            ended: Pattern::Const(Const::Nil),
            tail,
            skipped_tail,
        }
    }

    /// A relaxed generator ends where not enough bits are left, a strict one where none are.
    fn bits_shapes(&mut self, generator: &Generator, pattern: &'f Expr, heads: &mut Heads) -> Shapes {
        let (tail, skipped_tail) = (self.var(), self.var());
        let wanted: Vec<BitsPattern> = match &pattern.kind {
            ExprKind::Binary(segments) => match self.binary_pattern(segments, heads) {
                Pattern::Bits(wanted) => wanted,
                _ => Vec::new(),
            },
            _ => {
                self.illegal(pattern.span, "generator");
                Vec::new()
            }
        };
        let skipped = self.any_values(&wanted);
        let ended = match generator.strict {
            true => Pattern::Bits(Vec::new()),
            false => with_tail(Vec::new(), self.var()),
        };
        Shapes {
            fits: with_tail(wanted, tail),
            skipped: with_tail(skipped, skipped_tail),
            ended,
            tail,
            skipped_tail,
        }
    }
}

/// One pattern of each, as the tuple that is walked.
fn tuple_of(shapes: &mut [Shapes], part: impl Fn(&mut Shapes) -> &mut Pattern) -> Pattern {
    Pattern::Tuple(shapes.iter_mut().map(|shape| std::mem::replace(part(shape), Pattern::Any)).collect())
}
