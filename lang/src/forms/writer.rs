//! The machine that writes trees as terms, without recursion.
//!
//! What is still to be written lies on a stack of [`Step`]s, what was written on a stack of values. A step that writes a
//! node puts onto the stack, in the order of the node's elements, a step for each element and behind them one that makes
//! a tuple or list of their values.

use super::Location;
use super::rows::Rows;
use crate::ast::*;
use crate::bytecode::{LitValue, Literal};
use crate::{Interner, Name, Span};

/// Something still to be written.
#[derive(Clone, Copy)]
pub(super) enum Step<'t> {
    /// A value that is known.
    Value(LitValue),
    Expr(&'t Expr),
    /// The term that a constant expression stands for; whether `name/arity` may stand in it.
    Constant(&'t Expr, bool),
    Type(&'t Type),
    Signature(&'t Signature),
    Clause(&'t Clause, ClauseKind),
    Catch(&'t CatchClause),
    Qualifier(&'t Qualifier),
    Generator(&'t Generator),
    Segment(&'t Segment),
    /// `{var, Anno, '_'}` where the term written last ends.
    Anything,
    /// A tuple of so many values.
    Tuple(u32),
    /// A tuple of so many values that stands where a part of it begins.
    Begun(u32, Beginning),
    /// A list of so many values.
    List(u32),
    /// A list of so many values, and of the value behind them as its tail.
    ListWithTail(u32),
    /// A map of so many pairs of values.
    Map(u32),
}

/// What a clause belongs to, which decides where it is said to stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClauseKind {
    /// A function's or fun's: at its name or parenthesis.
    Head,
    /// Another's with a pattern: at the pattern.
    Pattern,
    /// An `if`'s: at the guard.
    Guard,
}

/// The part at whose beginning a node stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    /// The element of that number.
    Part(usize),
    /// The first item of that element.
    First(usize),
    /// The first item of the first item of that element.
    FirstOfFirst(usize),
}

/// Nodes looked at for the beginning of one.
const MAX_LOOKED_AT: usize = 10_000;

/// The state of the machine.
pub(super) struct Writer<'t> {
    pub(super) names: &'t Interner,
    /// One for each token.
    pub(super) locations: &'t [Location],
    /// Whether a token is a closing parenthesis, which leave no node.
    pub(super) closes: &'t [bool],
    pub(super) rows: Rows,
    /// Whether tokens stand one behind the other, as they do unless macros brought some.
    ordered: bool,
    steps: Vec<Step<'t>>,
    /// Steps of the node at hand, in order.
    plan: Vec<Step<'t>>,
    values: Vec<LitValue>,
    /// The part that is no constant, where one is wanted.
    pub(super) refused: Option<&'t Expr>,
}

impl<'t> Writer<'t> {
    pub(super) fn new(names: &'t Interner, locations: &'t [Location], closes: &'t [bool]) -> Self {
        Self {
            names,
            locations,
            closes,
            rows: Rows::new(locations.len()),
            ordered: locations.windows(2).all(|pair| pair[0] <= pair[1]),
            steps: Vec::new(),
            plan: Vec::new(),
            values: Vec::new(),
            refused: None,
        }
    }

    /// Writes what is planned; its value.
    ///
    /// # Errors
    /// The expression that is no constant, though one is wanted.
    pub(super) fn run(&mut self) -> Result<LitValue, &'t Expr> {
        loop {
            self.steps.extend(self.plan.drain(..).rev());
            if let Some(refused) = self.refused {
                return Err(refused);
            }
            let Some(step) = self.steps.pop() else { break };
            match step {
                Step::Value(value) => self.values.push(value),
                Step::Expr(expr) => self.plan_expr(expr),
                Step::Constant(expr, arities) => self.plan_constant(expr, arities),
                Step::Type(ty) => self.plan_type(ty),
                Step::Signature(signature) => self.plan_signature(signature),
                Step::Clause(clause, kind) => self.plan_clause(clause, kind),
                Step::Catch(clause) => self.plan_catch(clause),
                Step::Qualifier(qualifier) => self.plan_qualifier(qualifier),
                Step::Generator(generator) => self.plan_generator(generator),
                Step::Segment(segment) => self.plan_segment(segment),
                Step::Anything => self.anything(),
                Step::Tuple(count) => {
                    let elements = self.taken(count);
                    let tuple = self.rows.tuple(elements);
                    self.values.push(tuple);
                }
                Step::Begun(count, beginning) => {
                    let mut elements = self.taken(count);
                    if !self.ordered
                        && let Some(anno) = self.beginning(&elements, beginning)
                    {
                        elements[1] = anno;
                    }
                    let tuple = self.rows.tuple(elements);
                    self.values.push(tuple);
                }
                Step::List(count) => {
                    let items = self.taken(count);
                    let list = self.rows.list(items, LitValue::Nil);
                    self.values.push(list);
                }
                Step::ListWithTail(count) => {
                    let tail = self.values.pop().unwrap_or(LitValue::Nil);
                    let items = self.taken(count);
                    let list = self.rows.list(items, tail);
                    self.values.push(list);
                }
                Step::Map(pairs) => {
                    let values = self.taken(2 * pairs);
                    let pairs = values.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
                    let map = self.rows.literal(Literal::Map(pairs));
                    self.values.push(map);
                }
            }
        }
        Ok(self.values.pop().unwrap_or(LitValue::Nil))
    }

    /// Where a part begins that was written: from its own place on through its parts, as long as these are not farther on.
    fn beginning(&self, elements: &[LitValue], beginning: Beginning) -> Option<LitValue> {
        let first_item = |value: LitValue| match self.rows.get(value) {
            Some(Literal::List { items, .. }) => items.first().copied(),
            _ => None,
        };
        let part = match beginning {
            Beginning::Part(index) => *elements.get(index)?,
            Beginning::First(index) => first_item(*elements.get(index)?)?,
            Beginning::FirstOfFirst(index) => first_item(first_item(*elements.get(index)?)?)?,
        };
        let mut found: Option<(LitValue, Option<Location>)> = None;
        let mut pending = vec![part];
        for _ in 0..MAX_LOOKED_AT {
            let Some(value) = pending.pop() else { break };
            match self.rows.get(value) {
                Some(Literal::Tuple(parts)) => {
                    if let Some(&anno) = parts.get(1)
                        && let Some(token) = self.rows.as_given(anno)
                    {
                        let location = self.location(token as u32);
                        match found {
                            Some((_, before)) if location > before => break,
                            _ => found = Some((anno, location)),
                        }
                    }
                    pending.extend(parts.iter().rev());
                }
                Some(Literal::List { items, .. }) => pending.extend(items.iter().rev()),
                _ => {}
            }
        }
        found.map(|(anno, _)| anno)
    }

    /// The last values, as many as the steps before have made.
    fn taken(&mut self, count: u32) -> Vec<LitValue> {
        self.values.split_off(self.values.len() - count as usize)
    }

    // What plans consist of.

    pub(super) fn step(&mut self, step: Step<'t>) {
        self.plan.push(step);
    }

    pub(super) fn value(&mut self, value: LitValue) {
        self.plan.push(Step::Value(value));
    }

    pub(super) fn word(&mut self, text: &'static str) {
        let word = self.rows.word(text);
        self.value(word);
    }

    pub(super) fn name(&mut self, name: Name) {
        let name = self.rows.name(self.names, name);
        self.value(name);
    }

    /// The annotation of a token.
    pub(super) fn at(&mut self, token: u32) {
        let anno = self.rows.given(token as usize);
        self.value(anno);
    }

    pub(super) fn expr(&mut self, expr: &'t Expr) {
        self.plan.push(Step::Expr(expr));
    }

    pub(super) fn exprs(&mut self, exprs: &'t [Expr]) {
        self.plan.extend(exprs.iter().map(Step::Expr));
        self.list(exprs.len());
    }

    pub(super) fn ty(&mut self, ty: &'t Type) {
        self.plan.push(Step::Type(ty));
    }

    pub(super) fn types(&mut self, types: &'t [Type]) {
        self.plan.extend(types.iter().map(Step::Type));
        self.list(types.len());
    }

    pub(super) fn clauses(&mut self, clauses: &'t [Clause], kind: ClauseKind) {
        self.plan.extend(clauses.iter().map(|clause| Step::Clause(clause, kind)));
        self.list(clauses.len());
    }

    /// `{Tag, Anno, Name}`
    pub(super) fn leaf(&mut self, tag: &'static str, ident: Ident) {
        self.word(tag);
        self.at(ident.span.start);
        self.name(ident.name);
        self.tuple(3);
    }

    pub(super) fn tuple(&mut self, count: usize) {
        self.plan.push(Step::Tuple(count as u32));
    }

    /// A tuple that stands where a part of it begins.
    pub(super) fn begun(&mut self, count: usize, beginning: Beginning) {
        self.plan.push(Step::Begun(count as u32, beginning));
    }

    pub(super) fn list(&mut self, count: usize) {
        self.plan.push(Step::List(count as u32));
    }

    // Places.

    /// The token after something, closing parentheses aside: the operator behind an operand.
    pub(super) fn after(&self, span: Span) -> u32 {
        let mut token = span.end as usize;
        while self.closes.get(token).copied().unwrap_or(false) {
            token += 1;
        }
        token as u32
    }

    fn location(&self, token: u32) -> Option<Location> {
        self.locations.get(token as usize).copied()
    }

    /// The token whose annotation an expression's node has.
    pub(super) fn own(&self, expr: &Expr) -> u32 {
        match &expr.kind {
            ExprKind::Op { left, .. } => self.after(left.span),
            ExprKind::Remote { module, .. } => self.after(module.span),
            ExprKind::Map { base: Some(base), .. }
            | ExprKind::Record { base: Some(base), .. }
            | ExprKind::RecordAccess { base, .. } => self.after(base.span),
            ExprKind::MaybeMatch { pattern, .. } => self.after(pattern.span),
            ExprKind::Match { pattern, .. } => self.first(pattern),
            ExprKind::Call { callee, .. } => self.first(callee),
            _ => expr.span.start,
        }
    }

    /// The token where an expression is said to begin: from its own place to the left, as long as that is not farther on
    /// (what macros brought may stand in any order).
    pub(super) fn first(&self, expr: &Expr) -> u32 {
        let mut expr = expr;
        // A match and a call stand where their left parts begin, so their own place is no step of the way.
        let mut token = None;
        loop {
            let own = match &expr.kind {
                ExprKind::Match { .. } | ExprKind::Call { .. } => None,
                ExprKind::Op { .. }
                | ExprKind::Remote { .. }
                | ExprKind::Map { base: Some(_), .. }
                | ExprKind::Record { base: Some(_), .. }
                | ExprKind::RecordAccess { .. }
                | ExprKind::MaybeMatch { .. } => Some(self.own(expr)),
                _ => Some(expr.span.start),
            };
            if let Some(own) = own {
                match token {
                    Some(before) if self.location(own) > self.location(before) => return before,
                    _ => token = Some(own),
                }
            }
            expr = match &expr.kind {
                ExprKind::Op { left, .. } => left,
                ExprKind::Match { pattern, .. } | ExprKind::MaybeMatch { pattern, .. } => pattern,
                ExprKind::Call { callee, .. } => callee,
                ExprKind::Remote { module, .. } => module,
                ExprKind::Map { base: Some(base), .. }
                | ExprKind::Record { base: Some(base), .. }
                | ExprKind::RecordAccess { base, .. } => base,
                _ => return token.unwrap_or(expr.span.start),
            };
        }
    }

    /// The token whose annotation a type's node has.
    pub(super) fn own_of_type(&self, ty: &Type) -> u32 {
        let mut ty = ty;
        loop {
            ty = match &ty.kind {
                TypeKind::Op { left, .. } => return self.after(left.span),
                TypeKind::Union(members) => {
                    return members.first().map_or(ty.span.start, |t| self.first_of_type(t));
                }
                TypeKind::Range { low, .. } => low,
                _ => return ty.span.start,
            };
        }
    }

    /// The token where a type is said to begin.
    pub(super) fn first_of_type(&self, ty: &Type) -> u32 {
        let mut ty = ty;
        loop {
            ty = match &ty.kind {
                TypeKind::Op { left, .. } | TypeKind::Range { low: left, .. } => left,
                TypeKind::Union(members) if !members.is_empty() => &members[0],
                _ => return ty.span.start,
            };
        }
    }

    /// The last place in the value written last becomes the place of a `_`.
    fn anything(&mut self) {
        let mut last: Option<usize> = None;
        let mut pending: Vec<LitValue> = self.values.last().copied().into_iter().collect();
        while let Some(value) = pending.pop() {
            if let Some(token) = self.rows.as_given(value) {
                let later = |before: usize| {
                    let (new, old) = (self.location(token as u32), self.location(before as u32));
                    new > old || new == old && token < before
                };
                if last.is_none_or(later) {
                    last = Some(token);
                }
                continue;
            }
            match self.rows.get(value) {
                Some(Literal::Tuple(elements)) => pending.extend(elements),
                Some(Literal::List { items, .. }) => pending.extend(items),
                _ => {}
            }
        }
        self.word("var");
        self.at(last.unwrap_or(0) as u32);
        self.word("_");
        self.tuple(3);
    }
}
