//! What the grammar's actions call: constructors that check what a grammar cannot say.
//!
//! Invariant: no tree made here is deeper than the builder was told, as a rule [`MAX_DEPTH`]. The generated parser nests without limit, so the
//! constructor that would pass the limit reports it, drops its parts (each within the limit) and gives an error node
//! of depth 1 instead.

use crate::ast::*;
use crate::{Code, Diagnostic, Int, Interner, Name, Span, known};

/// What the parser gives: a form, unless it was refused, or expressions.
pub(crate) enum Parsed {
    Form(Option<Form>),
    Exprs(Vec<Expr>),
}

/// The value of an attribute: its expressions and their span.
pub(crate) type AttributeValue = (Span, Vec<Expr>);
/// Name and parameters of a type definition.
pub(crate) type TypeHead = (Ident, Vec<Ident>);
/// Class, pattern and stack trace of a `catch` clause.
pub(crate) type CatchHead = (Option<Expr>, Expr, Option<Ident>);

/// The state of the actions.
pub(crate) struct Builder<'s> {
    pub(super) names: &'s mut Interner,
    diagnostics: &'s mut Vec<Diagnostic>,
    /// Whether the form must be dropped.
    pub(super) failed: bool,
    max_depth: u32,
}

fn span(start: u32, end: u32) -> Span {
    Span { start, end }
}

impl<'s> Builder<'s> {
    pub(super) fn new(names: &'s mut Interner, diagnostics: &'s mut Vec<Diagnostic>, max_depth: u32) -> Self {
        Self { names, diagnostics, failed: false, max_depth }
    }

    /// Reports an error; the form is dropped.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        self.failed = true;
    }

    // Expressions.

    /// A node with the depth its children give it.
    pub(crate) fn expr(&mut self, l: u32, r: u32, kind: ExprKind) -> Expr {
        let depth = depth_of(&kind) + 1;
        if depth > self.max_depth {
            self.too_deep(span(l, r));
            return Expr { span: span(l, r), depth: 1, kind: ExprKind::Error };
        }
        Expr { span: span(l, r), depth, kind }
    }

    fn too_deep(&mut self, at: Span) {
        // One is enough: outer nodes would repeat it every few thousand levels.
        if !self.failed {
            let title = "this is nested too deeply";
            self.error(
                Diagnostic::new(Code::NestedTooDeeply, at, title)
                    .note(format!(
                        "at most {} operators, brackets and clauses may stand in each other",
                        self.max_depth
                    ))
                    .help("bind parts of it to variables"),
            );
        }
    }

    pub(crate) fn op(&mut self, l: u32, r: u32, left: Expr, op: BinaryOp, right: Expr) -> Expr {
        self.expr(l, r, ExprKind::Op { op, left: Box::new(left), right: Box::new(right) })
    }

    pub(crate) fn list(&mut self, l: u32, r: u32, elements: Vec<Expr>, tail: Option<Expr>) -> Expr {
        self.expr(l, r, ExprKind::List { elements, tail: tail.map(Box::new) })
    }

    pub(crate) fn map(&mut self, l: u32, r: u32, base: Option<Expr>, fields: Vec<MapField>) -> Expr {
        self.expr(l, r, ExprKind::Map { base: base.map(Box::new), fields })
    }

    pub(crate) fn record(
        &mut self,
        l: u32,
        r: u32,
        base: Option<Expr>,
        name: Ident,
        fields: Vec<RecordField>,
    ) -> Expr {
        self.expr(l, r, ExprKind::Record { base: base.map(Box::new), name, fields })
    }

    /// Adjacent string literals are one.
    pub(crate) fn string(&mut self, l: u32, r: u32, pieces: Vec<Name>) -> Expr {
        let text: String = pieces.iter().map(|&piece| self.names.text(piece)).collect();
        self.expr(l, r, ExprKind::Str(text.into()))
    }

    /// `~"..."` is `<<"..."/utf8>>`.
    pub(crate) fn sigil_binary(&mut self, l: u32, r: u32, text: Name) -> Expr {
        let value = self.string(l, r, vec![text]);
        let utf8 = BitType { name: Ident { name: known::UTF8, span: span(l, r) }, value: None };
        let segment = Segment { span: span(l, r), value, size: None, types: vec![utf8] };
        self.expr(l, r, ExprKind::Binary(vec![segment]))
    }

    pub(crate) fn segment(
        &mut self,
        l: u32,
        r: u32,
        value: Expr,
        size: Option<Expr>,
        types: Option<Vec<BitType>>,
    ) -> Segment {
        Segment { span: span(l, r), value, size, types: types.unwrap_or_default() }
    }

    /// The integer behind `base#digits`.
    pub(crate) fn big(&mut self, text: Name) -> Int {
        crate::token::number::big(self.names.text(text))
    }

    pub(crate) fn receive(
        &mut self,
        l: u32,
        r: u32,
        clauses: Vec<Clause>,
        timeout: Option<(Expr, Vec<Expr>)>,
    ) -> Expr {
        let timeout = timeout.map(|(time, body)| Box::new(Timeout { time, body }));
        self.expr(l, r, ExprKind::Receive { clauses, timeout })
    }

    pub(crate) fn try_expr(
        &mut self,
        l: u32,
        r: u32,
        body: Vec<Expr>,
        clauses: Vec<Clause>,
        catches: Vec<CatchClause>,
        after: Vec<Expr>,
    ) -> Expr {
        self.expr(l, r, ExprKind::Try(Box::new(Try { body, clauses, catches, after })))
    }

    pub(crate) fn fun_local(&mut self, l: u32, r: u32, name: Ident, arity: Int) -> Expr {
        let arity = self.arity(span(l, r), &arity);
        self.expr(l, r, ExprKind::FunLocal { name, arity })
    }

    /// An arity as a number; what does not fit is reported by the linter as an undefined function.
    pub(super) fn arity(&mut self, _at: Span, arity: &Int) -> u32 {
        arity.to_i64().and_then(|arity| u32::try_from(arity).ok()).unwrap_or(u32::MAX)
    }

    pub(crate) fn generator(
        &mut self,
        l: u32,
        r: u32,
        strict: bool,
        pattern: GeneratorPattern,
        source: Expr,
    ) -> Generator {
        Generator { span: span(l, r), strict, pattern, source }
    }

    pub(crate) fn binary_generator(
        &mut self,
        l: u32,
        r: u32,
        strict: bool,
        pattern: Expr,
        source: Expr,
    ) -> Generator {
        if !matches!(pattern.kind, ExprKind::Binary(_) | ExprKind::Error) {
            let title = "the pattern of a binary generator is a binary";
            self.error(
                Diagnostic::new(Code::Syntax, pattern.span, title)
                    .help("write `<<Pattern>> <= Binary`; less or equal is written `=<`"),
            );
        }
        Generator { span: span(l, r), strict, pattern: GeneratorPattern::Binary(pattern), source }
    }

    // Clauses.

    pub(crate) fn clause(
        &mut self,
        l: u32,
        r: u32,
        patterns: Vec<Expr>,
        guard: Guard,
        body: Vec<Expr>,
    ) -> Clause {
        Clause { span: span(l, r), patterns, guard, body }
    }

    /// A clause of a function or fun: its parameters are patterns in shape.
    pub(crate) fn head_clause(
        &mut self,
        l: u32,
        r: u32,
        patterns: Vec<Expr>,
        guard: Guard,
        body: Vec<Expr>,
    ) -> Clause {
        for pattern in &patterns {
            self.check_pattern_shape(pattern);
        }
        Clause { span: span(l, r), patterns, guard, body }
    }

    /// Refuses expressions that OTP's grammar refuses as parameters; what is inside lists, tuples and the like is the
    /// linter's.
    fn check_pattern_shape(&mut self, pattern: &Expr) {
        let mut pending = vec![pattern];
        while let Some(expr) = pending.pop() {
            match &expr.kind {
                ExprKind::Match { pattern, value } => pending.extend([&**pattern, &**value]),
                ExprKind::Unary { operand, .. } => pending.push(operand),
                ExprKind::Op { op: BinaryOp::Send | BinaryOp::Andalso | BinaryOp::Orelse, .. }
                | ExprKind::Map { base: Some(_), .. }
                | ExprKind::Record { base: Some(_), .. }
                | ExprKind::RecordAccess { .. }
                | ExprKind::Catch(_)
                | ExprKind::Call { .. }
                | ExprKind::Remote { .. }
                | ExprKind::Block(_)
                | ExprKind::If(_)
                | ExprKind::Case { .. }
                | ExprKind::Receive { .. }
                | ExprKind::Try(_)
                | ExprKind::FunLocal { .. }
                | ExprKind::FunRemote { .. }
                | ExprKind::Fun { .. }
                | ExprKind::ListComprehension { .. }
                | ExprKind::BinaryComprehension { .. }
                | ExprKind::MapComprehension { .. }
                | ExprKind::Maybe { .. }
                | ExprKind::MaybeMatch { .. } => {
                    let title = "this expression cannot be a pattern";
                    let mut diagnostic = Diagnostic::new(Code::IllegalPattern, expr.span, title);
                    if matches!(expr.kind, ExprKind::Call { .. }) {
                        diagnostic = diagnostic.help("match a variable, and call the function in the body");
                    }
                    self.error(diagnostic);
                }
                ExprKind::Op { left, right, .. } => pending.extend([&**left, &**right]),
                _ => {}
            }
        }
    }

    pub(crate) fn catch_clause(
        &mut self,
        l: u32,
        r: u32,
        (class, pattern, stacktrace): CatchHead,
        guard: Guard,
        body: Vec<Expr>,
    ) -> CatchClause {
        CatchClause { span: span(l, r), class, pattern, stacktrace, guard, body }
    }

    /// A function: clauses under another name or of another arity than most are reported and left out.
    pub(crate) fn function(&mut self, l: u32, r: u32, clauses: Vec<(Ident, Clause)>) -> Parsed {
        let head = |clause: &(Ident, Clause)| (clause.0.name, clause.1.patterns.len());
        let (name, arity) = match clauses.iter().all(|clause| head(clause) == head(&clauses[0])) {
            true => head(&clauses[0]),
            false => most_common(clauses.iter().map(head)),
        };
        let own =
            clauses.iter().find(|clause| head(clause) == (name, arity)).map_or(clauses[0].0, |own| own.0);
        let mut kept = Vec::with_capacity(clauses.len());
        let mut last = (name, arity);
        for (clause_name, clause) in clauses {
            let this = (clause_name.name, clause.patterns.len());
            if this == (name, arity) {
                kept.push(clause);
            } else if this != last {
                self.other_head(clause_name, this.1, own, arity);
            }
            last = this;
        }
        let kind = FormKind::Function(Function { name: own, arity: arity as u32, clauses: kept });
        Parsed::Form(Some(Form { span: span(l, r), kind }))
    }

    fn other_head(&mut self, clause: Ident, clause_arity: usize, own: Ident, arity: usize) {
        let shown =
            |name: Name, arity: usize| format!("{}/{arity}", crate::spelling::atom(self.names.text(name)));
        let (first, other) = (shown(own.name, arity), shown(clause.name, clause_arity));
        let title = format!("a clause of `{other}` in `{first}`");
        self.diagnostics.push(
            Diagnostic::new(Code::HeadMismatch, clause.span, title)
                .label(format!("this begins a clause of `{other}`"))
                .also(own.span, format!("the function is `{first}`")),
        );
    }

    /// A fun: all clauses have the same name or none, and the same arity.
    pub(crate) fn fun(&mut self, l: u32, r: u32, clauses: Vec<(Option<Ident>, Clause)>) -> Expr {
        let name = clauses[0].0;
        let arity = clauses[0].1.patterns.len();
        let mut kept = Vec::with_capacity(clauses.len());
        for (clause_name, clause) in clauses {
            let same_name = clause_name.map(|ident| ident.name) == name.map(|ident| ident.name);
            if !same_name || clause.patterns.len() != arity {
                let title = "the clauses of this fun differ in name or number of parameters";
                let first = kept.first().map_or(span(l, r), |clause: &Clause| clause.span);
                self.error(
                    Diagnostic::new(Code::HeadMismatch, clause.span, title).also(first, "the first clause"),
                );
            }
            kept.push(clause);
        }
        self.expr(l, r, ExprKind::Fun { name, clauses: kept })
    }

    pub(crate) fn form(&mut self, l: u32, r: u32, kind: Option<FormKind>) -> Parsed {
        Parsed::Form(kind.map(|kind| Form { span: span(l, r), kind }))
    }

    // Types.

    pub(crate) fn ty(&mut self, l: u32, r: u32, kind: TypeKind) -> Type {
        let depth = type_depth_of(&kind) + 1;
        if depth > self.max_depth {
            self.too_deep(span(l, r));
            return Type { span: span(l, r), depth: 1, kind: TypeKind::Error };
        }
        Type { span: span(l, r), depth, kind }
    }

    pub(crate) fn big_type(&mut self, l: u32, r: u32, text: Name) -> Type {
        let value = self.big(text);
        self.ty(l, r, TypeKind::Int(value))
    }

    pub(crate) fn type_op(&mut self, l: u32, r: u32, left: Type, op: BinaryOp, right: Type) -> Type {
        self.ty(l, r, TypeKind::Op { op, left: Box::new(left), right: Box::new(right) })
    }

    pub(crate) fn type_call(
        &mut self,
        l: u32,
        r: u32,
        module: Option<Ident>,
        name: Ident,
        args: Vec<Type>,
    ) -> Type {
        self.ty(l, r, TypeKind::Call { module, name, args })
    }

    /// The type itself if there is only one.
    pub(crate) fn union(&mut self, l: u32, r: u32, mut members: Vec<Type>, last: Option<Type>) -> Type {
        members.extend(last);
        match members.len() {
            1 => members.remove(0),
            _ => self.ty(l, r, TypeKind::Union(members)),
        }
    }

    pub(crate) fn fun_type(&mut self, l: u32, r: u32, parameters: Option<Vec<Type>>, result: Type) -> Type {
        self.ty(l, r, TypeKind::Fun { parameters, result: Box::new(result) })
    }

    /// `<<_:Base, _:_*Unit>>`: the variables are all `_`.
    pub(crate) fn binary_type(
        &mut self,
        l: u32,
        r: u32,
        base: Option<(Name, Type)>,
        unit: Option<(Name, Name, Type)>,
    ) -> Type {
        let underscore = |name: Name| name == known::UNDERSCORE;
        let legal = base.as_ref().is_none_or(|base| underscore(base.0))
            && unit.as_ref().is_none_or(|unit| underscore(unit.0) && underscore(unit.1));
        if !legal {
            let title = "a binary type is written `<<_:Size, _:_*Unit>>`";
            self.error(Diagnostic::new(Code::IllegalType, span(l, r), title));
        }
        let base = base.map(|base| Box::new(base.1));
        let unit = unit.map(|unit| Box::new(unit.2));
        self.ty(l, r, TypeKind::Binary { base, unit })
    }
}

/// The first of those that come most often.
fn most_common(heads: impl Iterator<Item = (Name, usize)>) -> (Name, usize) {
    let mut counts: Vec<((Name, usize), u32)> = Vec::new();
    for head in heads {
        match counts.iter_mut().find(|entry| entry.0 == head) {
            Some(entry) => entry.1 += 1,
            None => counts.push((head, 1)),
        }
    }
    let most = counts.iter().map(|entry| entry.1).max().unwrap_or(0);
    counts.iter().find(|entry| entry.1 == most).map_or((known::UNDERSCORE, 0), |entry| entry.0)
}

fn deepest<'a>(exprs: impl IntoIterator<Item = &'a Expr>) -> u32 {
    exprs.into_iter().map(|expr| expr.depth).max().unwrap_or(0)
}

fn clause_depth(clause: &Clause) -> u32 {
    deepest(&clause.patterns).max(deepest(clause.guard.iter().flatten())).max(deepest(&clause.body))
}

fn catch_depth(clause: &CatchClause) -> u32 {
    clause.pattern.depth.max(deepest(clause.guard.iter().flatten())).max(deepest(&clause.body))
}

fn clauses_depth(clauses: &[Clause]) -> u32 {
    clauses.iter().map(clause_depth).max().unwrap_or(0)
}

fn generator_depth(generator: &Generator) -> u32 {
    let pattern = match &generator.pattern {
        GeneratorPattern::List(pattern) | GeneratorPattern::Binary(pattern) => pattern.depth,
        GeneratorPattern::Map { key, value } => key.depth.max(value.depth),
    };
    pattern.max(generator.source.depth)
}

fn qualifiers_depth(qualifiers: &[Qualifier]) -> u32 {
    let depth = |qualifier: &Qualifier| match qualifier {
        Qualifier::Filter(expr) => expr.depth,
        Qualifier::Generator(generator) => generator_depth(generator),
        Qualifier::Zip(generators) => generators.iter().map(generator_depth).max().unwrap_or(0),
    };
    qualifiers.iter().map(depth).max().unwrap_or(0)
}

/// The depth of the deepest child.
pub(crate) fn depth_of(kind: &ExprKind) -> u32 {
    let base_depth = |base: &Option<Box<Expr>>| base.as_ref().map_or(0, |base| base.depth);
    match kind {
        ExprKind::Error
        | ExprKind::Var(_)
        | ExprKind::Atom(_)
        | ExprKind::Char(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::RecordIndex { .. }
        | ExprKind::FunLocal { .. } => 0,
        ExprKind::List { elements, tail } => deepest(elements).max(base_depth(tail)),
        ExprKind::Tuple(elements) | ExprKind::Block(elements) => deepest(elements),
        ExprKind::Map { base, fields } => {
            let fields = fields.iter().map(|field| field.key.depth.max(field.value.depth)).max().unwrap_or(0);
            base_depth(base).max(fields)
        }
        ExprKind::Record { base, fields, .. } => {
            base_depth(base).max(deepest(fields.iter().map(|field| &field.value)))
        }
        ExprKind::RecordAccess { base, .. } => base.depth,
        ExprKind::Binary(segments) => {
            let depth = |segment: &Segment| segment.value.depth.max(deepest(&segment.size));
            segments.iter().map(depth).max().unwrap_or(0)
        }
        ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
            pattern.depth.max(value.depth)
        }
        ExprKind::Unary { operand, .. } | ExprKind::Catch(operand) => operand.depth,
        ExprKind::Op { left, right, .. } => left.depth.max(right.depth),
        ExprKind::Call { callee, args } => callee.depth.max(deepest(args)),
        ExprKind::Remote { module, name } => module.depth.max(name.depth),
        ExprKind::If(clauses) | ExprKind::Fun { clauses, .. } => clauses_depth(clauses),
        ExprKind::Case { subject, clauses } => subject.depth.max(clauses_depth(clauses)),
        ExprKind::Receive { clauses, timeout } => {
            let timeout =
                timeout.as_ref().map_or(0, |timeout| timeout.time.depth.max(deepest(&timeout.body)));
            clauses_depth(clauses).max(timeout)
        }
        ExprKind::Try(parts) => deepest(&parts.body)
            .max(clauses_depth(&parts.clauses))
            .max(parts.catches.iter().map(catch_depth).max().unwrap_or(0))
            .max(deepest(&parts.after)),
        ExprKind::FunRemote { module, name, arity } => module.depth.max(name.depth).max(arity.depth),
        ExprKind::ListComprehension { body, qualifiers }
        | ExprKind::BinaryComprehension { body, qualifiers } => body.depth.max(qualifiers_depth(qualifiers)),
        ExprKind::MapComprehension { key, value, qualifiers } => {
            key.depth.max(value.depth).max(qualifiers_depth(qualifiers))
        }
        ExprKind::Maybe { body, otherwise } => deepest(body).max(clauses_depth(otherwise)),
    }
}

fn deepest_type<'a>(types: impl IntoIterator<Item = &'a Type>) -> u32 {
    types.into_iter().map(|ty| ty.depth).max().unwrap_or(0)
}

pub(crate) fn type_depth_of(kind: &TypeKind) -> u32 {
    match kind {
        TypeKind::Error
        | TypeKind::Var(_)
        | TypeKind::Atom(_)
        | TypeKind::Int(_)
        | TypeKind::Char(_)
        | TypeKind::Nil
        | TypeKind::AnyFun => 0,
        TypeKind::Unary { operand, .. } => operand.depth,
        TypeKind::Op { left, right, .. } | TypeKind::Range { low: left, high: right } => {
            left.depth.max(right.depth)
        }
        TypeKind::Annotated { ty, .. } | TypeKind::List(ty) | TypeKind::NonemptyList(ty) => ty.depth,
        TypeKind::Union(types) | TypeKind::Tuple(types) | TypeKind::Call { args: types, .. } => {
            deepest_type(types)
        }
        TypeKind::Map(fields) => fields.iter().map(|f| f.key.depth.max(f.value.depth)).max().unwrap_or(0),
        TypeKind::Record { fields, .. } => deepest_type(fields.iter().map(|field| &field.1)),
        TypeKind::Binary { base, unit } => deepest_type(base.iter().chain(unit).map(|ty| &**ty)),
        TypeKind::Fun { parameters, result } => deepest_type(parameters.iter().flatten()).max(result.depth),
    }
}
