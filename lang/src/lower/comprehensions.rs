//! Comprehensions: each generator is a function that walks its source.
//!
//! A list comprehension's function gives the list for the rest of its source; that of an inner generator ends by
//! calling the outer one for the rest. A bitstring comprehension's functions carry the bitstring so far along, and give it back. A map
//! comprehension is the list of its pairs, made a map. Generators that are zipped share a function: `zips`.

use super::Lowerer;
use super::lift::Lifted;
use super::matches::{Heads, Outside};
use super::numbers::part;
use crate::ast::{Expr, ExprKind, Generator, GeneratorPattern, Qualifier};
use crate::bytecode::{BitFlags, Line, SegmentKind};
use crate::core::{
    self, BitsPattern, Body, Case, Clause, Const, End, Failure, Guard, Op, Pattern, Segment, Value,
};
use crate::core::{Step, Var};
use crate::{Name, Span, known};

/// What a comprehension makes of each round.
#[derive(Clone, Copy)]
pub(super) enum Template<'f> {
    List(&'f Expr),
    /// A list that nobody wants: none is made, and the walk's last call is a tail call.
    Effect(&'f Expr),
    Pair(&'f Expr, &'f Expr),
    /// Bits, and the line of the whole.
    Bits(&'f Expr, Line),
}

/// Where a round goes on.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// At the end: nothing is left.
    Nothing,
    /// At the end, behind which this list stands.
    List(Value),
    /// By calling this function with this rest of its source; the call stands at the generator's line.
    Walk(Name, Value, Line),
}

impl Rest {
    /// The same walk from another rest of its source on.
    fn from(self, left: Var) -> Rest {
        match self {
            Rest::Nothing | Rest::List(_) => self,
            Rest::Walk(name, _, line) => Rest::Walk(name, Value::Var(left), line),
        }
    }
}

impl<'f> Lowerer<'f, '_> {
    pub(super) fn comprehension(&mut self, expr: &'f Expr, wanted: bool) -> Value {
        self.comprehension_before(expr, wanted, Rest::Nothing)
    }

    /// A comprehension, and what stands behind its elements.
    pub(super) fn comprehension_before(&mut self, expr: &'f Expr, wanted: bool, behind: Rest) -> Value {
        self.at(expr.span);
        let (kind, template, qualifiers) = match &expr.kind {
            ExprKind::ListComprehension { body, qualifiers } if !wanted => {
                ("lc", Template::Effect(body), qualifiers)
            }
            ExprKind::ListComprehension { body, qualifiers } => ("lc", Template::List(body), qualifiers),
            ExprKind::MapComprehension { key, value, qualifiers } => {
                ("mc", Template::Pair(key, value), qualifiers)
            }
            ExprKind::BinaryComprehension { body, qualifiers } => {
                ("lbc", Template::Bits(body, self.line), qualifiers)
            }
            _ => return self.illegal(expr.span, "comprehension"),
        };
        let mark = self.scope.mark();
        let from = self.lifted.len();
        let start = self.steps.len();
        let so_far = Value::Const(self.pool.bits(vec![], 0));
        let value = self.round(kind, template, qualifiers, behind, so_far);
        self.scope.rollback(mark);
        let captured = self.settle_lifted(from);
        // The steps here call the outermost function.
        let mut body = Body { steps: self.steps.split_off(start), end: End::Never };
        core::visit::calls(&mut body, &mut |name, args| {
            if let Some(vars) = captured.get(&name) {
                args.extend(vars.iter().map(|&var| Value::Var(var)));
            }
        });
        self.steps.append(&mut body.steps);
        self.at(expr.span);
        match template {
            Template::Pair(..) => {
                let (maps, from_list) = (self.names.intern("maps"), self.names.intern("from_list"));
                self.step(Op::CallExt(maps, from_list, vec![value]))
            }
            _ => value,
        }
    }

    /// What the qualifiers and the template come to.
    pub(super) fn round(
        &mut self,
        kind: &'static str,
        template: Template<'f>,
        qualifiers: &'f [Qualifier],
        rest: Rest,
        so_far: Value,
    ) -> Value {
        match qualifiers.split_first() {
            None => self.template(template, rest, so_far),
            Some((Qualifier::Filter(filter), more)) => {
                self.filter(kind, template, filter, more, rest, so_far)
            }
            Some((Qualifier::Generator(generator), more)) => {
                self.generator(kind, template, generator, more, rest, so_far)
            }
            Some((Qualifier::Zip(generators), more)) => {
                self.zip(kind, template, generators, more, rest, so_far)
            }
        }
    }

    /// A round, and behind it the next: of bits, which are handed on, when the round is over, else as the end of what the round makes.
    pub(super) fn whole_round(
        &mut self,
        kind: &'static str,
        template: Template<'f>,
        qualifiers: &'f [Qualifier],
        walk: Rest,
        so_far: Value,
    ) -> Value {
        match template {
            Template::Bits(..) => {
                let so_far = self.round(kind, template, qualifiers, Rest::Nothing, so_far);
                self.rest(template, walk, so_far)
            }
            _ => self.round(kind, template, qualifiers, walk, so_far),
        }
    }

    fn template(&mut self, template: Template<'f>, rest: Rest, so_far: Value) -> Value {
        match template {
            Template::List(body) => {
                let head = self.expr(body);
                let tail = self.rest(template, rest, so_far);
                self.list_of(vec![head], tail)
            }
            Template::Effect(body) => {
                self.effect(body);
                self.rest(template, rest, so_far)
            }
            Template::Pair(key, value) => {
                let key = self.expr(key);
                let value = self.expr(value);
                let pair = self.tuple(vec![key, value]);
                let tail = self.rest(template, rest, so_far);
                self.list_of(vec![pair], tail)
            }
            Template::Bits(body, line) => {
                let all = |value| Segment {
                    place: 2,
                    kind: SegmentKind::Binary,
                    value,
                    size: None,
                    unit: 1,
                    flags: BitFlags::default(),
                };
                let mut segments = vec![all(so_far)];
                match &body.kind {
                    // What is written stands behind what there is so far, and counts so.
                    ExprKind::Binary(parts) => segments.extend(
                        self.build_segments(parts)
                            .into_iter()
                            .map(|part| Segment { place: part.place.saturating_add(1), ..part }),
                    ),
                    _ => {
                        let value = self.expr(body);
                        segments.push(all(value));
                    }
                }
                self.line = line;
                if let ExprKind::Binary(_) = body.kind {
                    self.at(body.span);
                }
                self.step(Op::Bits(segments))
            }
        }
    }

    /// Goes on behind a round.
    pub(super) fn rest(&mut self, template: Template<'f>, rest: Rest, so_far: Value) -> Value {
        let bits = matches!(template, Template::Bits(..));
        match rest {
            Rest::Nothing if bits => so_far,
            Rest::Nothing => Value::Const(Const::Nil),
            Rest::List(behind) => behind,
            Rest::Walk(name, source, line) => {
                self.line = line;
                let args = if bits { vec![source, so_far] } else { vec![source] };
                self.step(Op::Call(name, args))
            }
        }
    }

    fn filter(
        &mut self,
        kind: &'static str,
        template: Template<'f>,
        filter: &'f Expr,
        more: &'f [Qualifier],
        rest: Rest,
        so_far: Value,
    ) -> Value {
        let is_guard = self.is_guard_test(filter);
        let (subjects, guard) = if is_guard {
            let test = self.guard_test(filter);
            (vec![], vec![vec![test]])
        } else {
            (vec![self.expr(filter)], vec![])
        };
        self.at(self.place(filter));
        let line = self.line;
        let passed = self.scoped_body(|lowerer| lowerer.round(kind, template, more, rest, so_far));
        let skipped = self.scoped_body(|lowerer| lowerer.rest(template, rest, so_far));
        self.line = line;
        let clause = |atom, guard: Guard, body| Clause {
            patterns: if is_guard { vec![] } else { vec![Pattern::Const(Const::Atom(atom))] },
            same: vec![],
            guard,
            body,
        };
        let bad_filter = self.names.intern("bad_filter");
        let otherwise = match subjects.first() {
            Some(&value) => Failure::Tagged(bad_filter, value),
            None => Failure::Impossible,
        };
        let clauses = vec![clause(known::TRUE, guard, passed), clause(known::FALSE, vec![], skipped)];
        self.step(Op::Case(Case { subjects, clauses, otherwise }))
    }

    fn generator(
        &mut self,
        kind: &'static str,
        template: Template<'f>,
        generator: &'f Generator,
        more: &'f [Qualifier],
        outer: Rest,
        so_far: Value,
    ) -> Value {
        let mut source = self.expr(&generator.source);
        // OTP takes a block apart, and then knows only its last expression.
        let mut last = &generator.source;
        while let ExprKind::Block(exprs) = &last.kind
            && let Some(inner) = exprs.last()
        {
            last = inner;
        }
        self.at(match &last.kind {
            // (As a filter it would stand where it begins.)
            ExprKind::Record { base: Some(base), .. } => self.sources.operator_behind(base.span),
            // As OTP has it, a list comprehension that is a source stands where its first qualifier does.
            ExprKind::ListComprehension { qualifiers, .. } => match qualifiers.first() {
                Some(Qualifier::Generator(inner)) => self.arrow(inner),
                Some(Qualifier::Filter(filter)) => self.place(filter),
                _ => self.place(last),
            },
            _ => self.place(last),
        });
        let line = self.line;
        if let GeneratorPattern::Map { .. } = generator.pattern {
            source = self.map_source(source);
        }
        let arrow = self.arrow(generator);
        let arrow = self.line_of(arrow);
        let bits = matches!(template, Template::Bits(..));
        let name = self.lifted_name(kind, if bits { 2 } else { 1 }, part(generator, self.site));
        let walked = self.var();
        let carried = self.var();
        let mut params = vec![walked];
        let inner_so_far = if bits {
            params.push(carried);
            Value::Var(carried)
        } else {
            so_far
        };
        let around = std::mem::take(&mut self.steps);
        let mark = self.scope.mark();
        let siblings = self.away_from_siblings();
        let walk = Rest::Walk(name, source, arrow);
        let clauses = match &generator.pattern {
            GeneratorPattern::Binary(pattern) => {
                self.bits_clauses(kind, template, generator, pattern, more, (walk, outer, inner_so_far))
            }
            GeneratorPattern::List(pattern) => {
                self.list_clauses(kind, template, generator, &[pattern], more, (walk, outer, inner_so_far))
            }
            GeneratorPattern::Map { key, value } => {
                self.list_clauses(kind, template, generator, &[key, value], more, (walk, outer, inner_so_far))
            }
        };
        self.scope.rollback(mark);
        self.back_among_siblings(siblings);
        self.line = line;
        let args = if bits { vec![source, so_far] } else { vec![source] };
        // What is made of bits is called from where the whole begins.
        let called_at = if let Template::Bits(_, whole) = template { whole } else { arrow };
        self.lift_walk((name, params), clauses, "bad_generator", around, (args, called_at))
    }

    /// The place of a generator's arrow.
    fn arrow(&self, generator: &Generator) -> Span {
        let (GeneratorPattern::List(before)
        | GeneratorPattern::Binary(before)
        | GeneratorPattern::Map { value: before, .. }) = &generator.pattern;
        self.sources.operator_behind(before.span)
    }

    /// Lifts the function of a walk, whose clauses match its first parameter, and calls it: from here on steps are added to those
    /// `around` it.
    pub(super) fn lift_walk(
        &mut self,
        (name, params): (Name, Vec<Var>),
        clauses: Vec<Clause>,
        fault: &str,
        around: Vec<Step>,
        (args, called_at): (Vec<Value>, Line),
    ) -> Value {
        let (line, walked) = (self.line, Value::Var(params[0]));
        let fault = self.names.intern(fault);
        let result = self.var();
        let case = Case { subjects: vec![walked], clauses, otherwise: Failure::Tagged(fault, walked) };
        let step = Step { vars: vec![result], op: Op::Case(case), line };
        let body = Body { steps: vec![step], end: End::Values(vec![Value::Var(result)]) };
        self.steps = around;
        self.lifted.push(Lifted { name, params, body, line });
        self.line = called_at;
        self.step(Op::Call(name, args))
    }

    /// The pairs of a map, or of an iterator of one, as a list.
    pub(super) fn map_source(&mut self, source: Value) -> Value {
        let (maps, to_list) = (self.names.intern("maps"), self.names.intern("to_list"));
        let bad_generator = self.names.intern("bad_generator");
        let (steps, list) = self.apart(|lowerer| lowerer.step(Op::CallExt(maps, to_list, vec![source])));
        let clause = Clause {
            patterns: vec![Pattern::Map(vec![])],
            same: vec![],
            guard: vec![],
            body: Body { steps, end: End::Values(vec![list]) },
        };
        // What is no map may be an iterator; the helper gives `false` for what is neither.
        let (helper, pairs) = (self.names.intern("erlet_iterator"), self.names.intern("pairs"));
        let (steps, list) = self.apart(|lowerer| {
            let pairs = lowerer.step(Op::CallExt(helper, pairs, vec![source]));
            let end = |value| Body { steps: Vec::new(), end: End::Values(vec![value]) };
            let cell = Pattern::List(vec![Pattern::Any], Box::new(Pattern::Any));
            let clauses = vec![plain(cell, end(pairs)), plain(Pattern::Const(Const::Nil), end(pairs))];
            let otherwise = Failure::Tagged(bad_generator, source);
            lowerer.step(Op::Case(Case { subjects: vec![pairs], clauses, otherwise }))
        });
        let iterated = plain(Pattern::Any, Body { steps, end: End::Values(vec![list]) });
        self.step(Op::Case(Case {
            subjects: vec![source],
            clauses: vec![clause, iterated],
            otherwise: Failure::Impossible,
        }))
    }

    /// Clauses for an element that fits, one that does not, and the end of a list.
    fn list_clauses(
        &mut self,
        kind: &'static str,
        template: Template<'f>,
        generator: &'f Generator,
        patterns: &[&'f Expr],
        more: &'f [Qualifier],
        (walk, outer, so_far): (Rest, Rest, Value),
    ) -> Vec<Clause> {
        let mut heads = Heads::new(Outside::None);
        let mut items: Vec<Pattern> =
            patterns.iter().map(|pattern| self.pattern(pattern, &mut heads)).collect();
        let element = if items.len() == 1 { items.remove(0) } else { Pattern::Tuple(items) };
        let tail = self.var();
        let cell = |element, tail| Pattern::List(vec![element], Box::new(Pattern::Var(tail)));
        let round =
            self.scoped_body(|lowerer| lowerer.whole_round(kind, template, more, walk.from(tail), so_far));
        let mut clauses = vec![Clause {
            patterns: vec![cell(element, tail)],
            same: heads.same,
            guard: vec![],
            body: round,
        }];
        let (other, tail) = (self.var(), self.var());
        clauses.push(plain(
            cell(Pattern::Var(other), tail),
            self.mismatch(template, generator, Value::Var(other), walk.from(tail), so_far),
        ));
        let end = self.scoped_body(|lowerer| lowerer.rest(template, outer, so_far));
        clauses.push(plain(Pattern::Const(Const::Nil), end));
        clauses
    }

    /// What happens to an element that does not fit: it is skipped, or an error if the generator is strict.
    fn mismatch(
        &mut self,
        template: Template<'f>,
        generator: &Generator,
        element: Value,
        rest: Rest,
        so_far: Value,
    ) -> Body {
        let strict = generator.strict;
        self.scoped_body(|lowerer| {
            if strict {
                return lowerer.raise("badmatch", element);
            }
            lowerer.rest(template, rest, so_far)
        })
    }

    /// The same for a bitstring; it ends where not enough bits are left.
    fn bits_clauses(
        &mut self,
        kind: &'static str,
        template: Template<'f>,
        generator: &'f Generator,
        pattern: &'f Expr,
        more: &'f [Qualifier],
        (walk, outer, so_far): (Rest, Rest, Value),
    ) -> Vec<Clause> {
        let ExprKind::Binary(segments) = &pattern.kind else {
            self.illegal(pattern.span, "generator");
            return Vec::new();
        };
        let mut heads = Heads::new(Outside::None);
        let Pattern::Bits(wanted) = self.binary_pattern(segments, &mut heads) else { return Vec::new() };
        // The same widths whatever the values; a width that depends on a value is that value's.
        let skipped = self.any_values(&wanted);
        let tail = self.var();
        let round =
            self.scoped_body(|lowerer| lowerer.whole_round(kind, template, more, walk.from(tail), so_far));
        let mut clauses = vec![Clause {
            patterns: vec![with_tail(wanted, tail)],
            same: heads.same,
            guard: vec![],
            body: round,
        }];
        let (tail, whole) = (self.var(), self.var());
        let mismatch = self.mismatch(template, generator, Value::Var(whole), walk.from(tail), so_far);
        clauses.push(plain(Pattern::And(vec![Pattern::Var(whole), with_tail(skipped, tail)]), mismatch));
        let end = self.scoped_body(|lowerer| lowerer.rest(template, outer, so_far));
        clauses.push(plain(with_tail(vec![], self.var()), end));
        clauses
    }

    /// Segments as wide, of any value. Variables stay, since widths read them, under new numbers.
    pub(super) fn any_values(&mut self, wanted: &[BitsPattern]) -> Vec<BitsPattern> {
        let any = |segment: &BitsPattern| {
            let value = match &segment.value {
                Pattern::Var(var) => Pattern::Var(*var),
                _ => Pattern::Any,
            };
            BitsPattern { value, ..segment.clone() }
        };
        let mut pattern = Pattern::Bits(wanted.iter().map(any).collect());
        let mut bound = Vec::new();
        core::visit::pattern(&mut pattern, &mut |var, role| {
            if role == core::visit::Role::Bound {
                bound.push(*var);
            }
        });
        let fresh: Vec<Var> = bound.iter().map(|_| self.var()).collect();
        core::visit::pattern(&mut pattern, &mut |var, _| {
            if let Some(at) = bound.iter().position(|bound| bound == var) {
                *var = fresh[at];
            }
        });
        match pattern {
            Pattern::Bits(segments) => segments,
            _ => Vec::new(),
        }
    }
}

/// A clause without guard.
pub(super) fn plain(pattern: Pattern, body: Body) -> Clause {
    Clause { patterns: vec![pattern], same: vec![], guard: vec![], body }
}

/// Segments and the bits behind them.
pub(super) fn with_tail(mut segments: Vec<BitsPattern>, tail: Var) -> Pattern {
    segments.push(BitsPattern {
        kind: SegmentKind::Binary,
        value: Pattern::Var(tail),
        size: None,
        unit: 1,
        flags: BitFlags::default(),
    });
    Pattern::Bits(segments)
}
