//! The numbers in the names of funs, comprehensions and `after` bodies.
//!
//! OTP's compiler counts twice, in passes that take the parts of an expression in different orders; both counts show in
//! stack traces and in `erlang:fun_info/2`. The first count, of everything that becomes a function, takes operands from the right to the
//! left, and what is inside a fun before the fun; the second, of comprehensions, `after` bodies and funs with names, takes
//! operands as they are evaluated, and the walk of a generator before what it walks. So a function's clauses are walked
//! here, once for each count, before they are lowered, and a part is known again by its address in the tree.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Lowerer;
use super::calls::Callee;
use super::effects::Effects;
use crate::Name;
use crate::ast::{self, BinaryOp, Expr, ExprKind, Generator, Qualifier, RecordFieldName};

/// Where a part of the tree is used: 0, or for what is in a record the record's part. Its defaults are parts of
/// every expression that makes one.
pub(super) type Site = u64;

/// What is numbered: a part of the tree, by its address, and its size, since what it begins with has the same address.
pub(super) type Part = (usize, usize, Site);

pub(super) fn part<T>(of: &T, site: Site) -> Part {
    (std::ptr::from_ref(of) as usize, size_of::<T>(), site)
}

/// The site of what is in the record that `expr` makes.
pub(super) fn site_in(expr: &Expr, site: Site) -> Site {
    let mut hasher = DefaultHasher::new();
    (site, std::ptr::from_ref(expr) as usize).hash(&mut hasher);
    hasher.finish()
}

/// The numbers of one function's parts. What is in a short `after` body, which is compiled twice, has two in the second count.
#[derive(Default)]
pub(super) struct Numbers {
    functions: HashMap<Part, VecDeque<u32>>,
    lifted: HashMap<Part, VecDeque<u32>>,
    /// How often variables are named; nothing where nothing is numbered.
    named: HashMap<Name, u32>,
}

impl Numbers {
    /// The first count's.
    pub(super) fn function(&mut self, part: Part) -> u32 {
        next(&mut self.functions, part)
    }

    /// Whether a fun's own name is used.
    pub(super) fn is_used(&self, name: Name) -> bool {
        self.named.contains_key(&name)
    }

    /// Whether a pattern is a variable that nothing else names.
    pub(super) fn is_unused(&self, pattern: &Expr) -> bool {
        is_unused(&self.named, pattern)
    }

    /// The second count's.
    pub(super) fn lifted(&mut self, part: Part) -> u32 {
        next(&mut self.lifted, part)
    }
}

/// A part that is compiled more often than the count met it keeps its last number.
fn next(numbers: &mut HashMap<Part, VecDeque<u32>>, part: Part) -> u32 {
    match numbers.get_mut(&part) {
        Some(left) if left.len() > 1 => left.pop_front().unwrap_or(0),
        Some(left) => left.front().copied().unwrap_or(0),
        None => 0,
    }
}

fn is_unused(named: &HashMap<Name, u32>, pattern: &Expr) -> bool {
    match &pattern.kind {
        ExprKind::Var(name) => *name == crate::known::UNDERSCORE || named.get(name) == Some(&1),
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Count {
    Functions,
    Lifted,
}

struct Walk<'w, 'f, 's> {
    lowerer: &'w Lowerer<'f, 's>,
    count: Count,
    next: u32,
    site: Site,
    numbers: HashMap<Part, VecDeque<u32>>,
    named: &'w HashMap<Name, u32>,
}

impl<'f> Lowerer<'f, '_> {
    /// The numbers of what is in a function.
    pub(super) fn numbers_of(&self, clauses: &'f [ast::Clause]) -> Numbers {
        fn count<'f>(
            lowerer: &Lowerer<'f, '_>,
            clauses: &'f [ast::Clause],
            count: Count,
            named: &HashMap<Name, u32>,
        ) -> HashMap<Part, VecDeque<u32>> {
            let mut walk = Walk { lowerer, count, next: 0, site: 0, numbers: HashMap::new(), named };
            walk.clauses(clauses);
            walk.numbers
        }
        let mut named = HashMap::new();
        let functions = count(self, clauses, Count::Functions, &named);
        if functions.is_empty() {
            return Numbers::default();
        }
        let mut note = |name| {
            if name != crate::known::UNDERSCORE {
                *named.entry(name).or_default() += 1;
            }
        };
        super::named::in_clauses(clauses, &mut note);
        // A record that is made here has its defaults here.
        let defaults = self.records.values().flat_map(|record| &record.fields);
        defaults.filter_map(|(_, default)| *default).for_each(|default| {
            super::named::in_expr(default, &mut note);
        });
        let lifted = count(self, clauses, Count::Lifted, &named);
        Numbers { functions, lifted, named }
    }
}

impl<'f> Walk<'_, 'f, '_> {
    fn number<T>(&mut self, of: &T) {
        let part = part(of, self.site);
        self.numbers.entry(part).or_default().push_back(self.next);
        self.next += 1;
    }

    fn clauses(&mut self, clauses: &'f [ast::Clause]) {
        for at in self.order(clauses) {
            self.exprs(&clauses[at].body);
        }
    }

    /// The first count takes clauses as they are written, the second as they are compiled.
    fn order(&self, clauses: &[ast::Clause]) -> Vec<usize> {
        match self.count {
            Count::Functions => (0..clauses.len()).collect(),
            Count::Lifted => self.lowerer.order_of(clauses),
        }
    }

    fn exprs(&mut self, exprs: &'f [Expr]) {
        if let Some((last, before)) = exprs.split_last() {
            self.effects(before);
            self.expr(last);
        }
    }

    fn effects(&mut self, exprs: &'f [Expr]) {
        exprs.iter().for_each(|expr| self.effect(expr));
    }

    /// An expression whose value nobody wants: the second count sees what is left of it.
    fn effect(&mut self, expr: &'f Expr) {
        if self.count == Count::Functions {
            return self.expr(expr);
        }
        match (Effects::of(expr, |pattern| is_unused(self.named, pattern)), &expr.kind) {
            (Effects::InTurn(parts) | Effects::SideBySide(parts), _) => {
                parts.into_iter().for_each(|part| self.effect(part));
            }
            (Effects::Bodies, ExprKind::If(clauses)) => {
                clauses.iter().for_each(|clause| self.effects(&clause.body));
            }
            (Effects::Bodies, ExprKind::Case { subject, clauses }) => {
                self.expr(subject);
                for at in self.order(clauses) {
                    self.effects(&clauses[at].body);
                }
            }
            (Effects::Bodies, ExprKind::ListComprehension { body, qualifiers }) => {
                self.comprehension(qualifiers, false, |walk| walk.effect(body));
            }
            _ => self.expr(expr),
        }
    }

    /// Expressions of which none is evaluated before another as far as the language goes.
    fn operands(&mut self, operands: impl DoubleEndedIterator<Item = &'f Expr>) {
        match self.count {
            Count::Functions => operands.rev().for_each(|expr| self.expr(expr)),
            Count::Lifted => operands.for_each(|expr| self.expr(expr)),
        }
    }

    fn expr(&mut self, expr: &'f Expr) {
        match &expr.kind {
            ExprKind::Error
            | ExprKind::Var(_)
            | ExprKind::Atom(_)
            | ExprKind::Char(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::RecordIndex { .. } => {}
            ExprKind::List { elements, tail } => self.operands(elements.iter().chain(tail.as_deref())),
            ExprKind::Tuple(elements) => self.operands(elements.iter()),
            ExprKind::Map { base, fields } => {
                base.iter().for_each(|base| self.expr(base));
                for field in fields {
                    self.expr(&field.key);
                    self.expr(&field.value);
                }
            }
            ExprKind::Record { base, name, fields } => self.record(expr, base.as_deref(), *name, fields),
            ExprKind::Binary(segments) => self.segments(segments),
            ExprKind::Match { value: inner, .. }
            | ExprKind::MaybeMatch { value: inner, .. }
            | ExprKind::RecordAccess { base: inner, .. }
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Catch(inner) => self.expr(inner),
            ExprKind::Op { op, left, right } => self.op(*op, left, right),
            ExprKind::Call { callee, args } => match &callee.kind {
                ExprKind::Remote { module, name } => {
                    let callee = [&**module, &**name];
                    self.operands(callee.into_iter().chain(args));
                }
                _ => {
                    self.expr(callee);
                    self.operands(args.iter());
                }
            },
            ExprKind::Remote { module, name } => self.operands([&**module, &**name].into_iter()),
            ExprKind::Block(exprs) => self.exprs(exprs),
            ExprKind::If(clauses) => self.clauses(clauses),
            ExprKind::Case { subject, clauses } => {
                self.expr(subject);
                self.clauses(clauses);
            }
            ExprKind::Receive { clauses, timeout } => self.receive(clauses, timeout.as_deref()),
            ExprKind::Try(attempt) => self.attempt(attempt),
            ExprKind::Maybe { body, otherwise } => {
                self.exprs(body);
                self.clauses(otherwise);
            }
            ExprKind::FunLocal { name, arity } => {
                // It needs no name, but takes a number.
                let local = matches!(self.lowerer.callee(name.name, *arity as usize), Callee::Local);
                self.next += u32::from(local && self.count == Count::Functions);
            }
            ExprKind::FunRemote { module, name, arity } => {
                self.operands([&**module, &**name, &**arity].into_iter());
            }
            ExprKind::Fun { name, clauses } => self.fun(expr, name.as_ref(), clauses),
            ExprKind::ListComprehension { body, qualifiers } => {
                self.comprehension(qualifiers, false, |walk| walk.expr(body));
            }
            ExprKind::MapComprehension { key, value, qualifiers } => {
                self.comprehension(qualifiers, false, |walk| walk.operands([&**key, &**value].into_iter()));
            }
            ExprKind::BinaryComprehension { body, qualifiers } => {
                self.comprehension(qualifiers, true, |walk| walk.expr(body));
            }
        }
    }

    fn fun(&mut self, expr: &'f Expr, name: Option<&ast::Ident>, clauses: &'f [ast::Clause]) {
        if self.count == Count::Lifted && name.is_some_and(|name| self.named.contains_key(&name.name)) {
            self.number(expr);
        }
        self.clauses(clauses);
        if self.count == Count::Functions {
            self.number(expr);
        }
    }

    /// `A ++ B` with a comprehension for `A` makes `B` first: it is what stands behind the elements.
    fn op(&mut self, op: BinaryOp, left: &'f Expr, right: &'f Expr) {
        match op {
            BinaryOp::Andalso | BinaryOp::Orelse => {
                self.expr(left);
                self.expr(right);
            }
            BinaryOp::Append if matches!(left.kind, ExprKind::ListComprehension { .. }) => {
                self.expr(right);
                self.expr(left);
            }
            _ => self.operands([left, right].into_iter()),
        }
    }

    fn record(
        &mut self,
        expr: &'f Expr,
        base: Option<&'f Expr>,
        name: ast::Ident,
        fields: &'f [ast::RecordField],
    ) {
        let Some(base) = base else {
            let values = self.lowerer.record_fields(name, fields).unwrap_or_default();
            let site = site_in(expr, self.site);
            let around = std::mem::replace(&mut self.site, site);
            self.operands(values.into_iter().filter_map(|(value, _)| value));
            self.site = around;
            return;
        };
        let named = |field: &&'f ast::RecordField| matches!(field.name, RecordFieldName::Field(_));
        fields.iter().filter(named).for_each(|field| self.expr(&field.value));
        fields.iter().filter(|field| !named(field)).for_each(|field| self.expr(&field.value));
        self.expr(base);
    }

    fn segments(&mut self, segments: &'f [ast::Segment]) {
        let count = self.count;
        let mut segment = |segment: &'f ast::Segment| {
            self.expr(&segment.value);
            segment.size.iter().for_each(|size| self.expr(size));
        };
        match count {
            Count::Functions => segments.iter().rev().for_each(&mut segment),
            Count::Lifted => segments.iter().for_each(&mut segment),
        }
    }

    fn receive(&mut self, clauses: &'f [ast::Clause], timeout: Option<&'f ast::Timeout>) {
        if let Some(timeout) = timeout {
            self.expr(&timeout.time);
        }
        let body = timeout.map_or(&[][..], |timeout| &timeout.body);
        match self.count {
            Count::Functions => {
                self.exprs(body);
                self.clauses(clauses);
            }
            Count::Lifted => {
                self.clauses(clauses);
                self.exprs(body);
            }
        }
    }

    fn attempt(&mut self, attempt: &'f ast::Try) {
        let sizes = super::size::Sizes { lowerer: self.lowerer };
        let own = sizes.is_function_of_its_own(&attempt.after);
        if own && self.count == Count::Lifted {
            self.number(&attempt.after);
            self.effects(&attempt.after);
        }
        self.exprs(&attempt.body);
        self.clauses(&attempt.clauses);
        let order = match self.count {
            Count::Functions => (0..attempt.catches.len()).collect(),
            Count::Lifted => self.lowerer.order_of_catches(&attempt.catches),
        };
        order.into_iter().for_each(|at| self.exprs(&attempt.catches[at].body));
        match (self.count, own) {
            (Count::Functions, own) => {
                self.effects(&attempt.after);
                if own {
                    self.number(&attempt.after);
                }
            }
            (Count::Lifted, true) => {}
            (Count::Lifted, false) => {
                // A short one stands there twice.
                self.effects(&attempt.after);
                self.effects(&attempt.after);
            }
        }
    }

    fn comprehension(&mut self, qualifiers: &'f [Qualifier], bits: bool, body: impl FnOnce(&mut Self)) {
        match self.count {
            Count::Functions => {
                for qualifier in qualifiers {
                    match qualifier {
                        Qualifier::Filter(filter) => self.expr(filter),
                        Qualifier::Generator(generator) => self.expr(&generator.source),
                        Qualifier::Zip(generators) => self.sources(generators),
                    }
                }
                qualifiers.iter().filter_map(walker).for_each(|generator| self.number(generator));
                body(self);
            }
            Count::Lifted => {
                let first = qualifiers.first().filter(|_| bits);
                if let Some(Qualifier::Generator(generator)) = first {
                    self.expr(&generator.source);
                }
                for qualifier in qualifiers {
                    match qualifier {
                        Qualifier::Filter(filter) => self.expr(filter),
                        _ => walker(qualifier).into_iter().for_each(|generator| self.number(generator)),
                    }
                }
                body(self);
                for qualifier in qualifiers.iter().skip(usize::from(first.is_some())).rev() {
                    match qualifier {
                        Qualifier::Filter(_) => {}
                        Qualifier::Generator(generator) => self.expr(&generator.source),
                        Qualifier::Zip(generators) => self.sources(generators),
                    }
                }
            }
        }
    }

    fn sources(&mut self, generators: &'f [Generator]) {
        self.operands(generators.iter().map(|generator| &generator.source));
    }
}

/// The generator that stands for the function of a qualifier: the first of those that share it.
fn walker(qualifier: &Qualifier) -> Option<&Generator> {
    match qualifier {
        Qualifier::Filter(_) => None,
        Qualifier::Generator(generator) => Some(generator),
        Qualifier::Zip(generators) => generators.first(),
    }
}
