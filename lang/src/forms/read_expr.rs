//! Expressions, patterns and clauses out of forms.

use super::read::{Read, Reader};
use crate::ast::*;
use crate::bytecode::LitValue;
use crate::known;
use crate::parse::build::depth_of;

impl Reader<'_> {
    pub(super) fn expr(&mut self, value: LitValue) -> Read<Expr> {
        self.nested(|reader| reader.expr_here(value))
    }

    fn boxed(&mut self, value: LitValue) -> Read<Box<Expr>> {
        Ok(Box::new(self.expr(value)?))
    }

    fn exprs(&mut self, list: LitValue) -> Read<Vec<Expr>> {
        self.all(list, Self::expr)
    }

    fn expr_here(&mut self, value: LitValue) -> Read<Expr> {
        let (tag, parts) = self.node(value, "expression")?;
        let span = self.span();
        let kind = match (tag, parts) {
            ("var", &[name]) => ExprKind::Var(self.atom(name)?),
            ("atom", &[name]) => ExprKind::Atom(self.atom(name)?),
            ("integer" | "float", &[number]) => return self.number(number),
            ("char", &[code]) => match self.int(code).and_then(|code| code.to_i64()) {
                Some(c) => match u32::try_from(c).ok().and_then(char::from_u32) {
                    Some(c) => ExprKind::Char(c),
                    None => return self.number(code),
                },
                None => return self.refuse("character"),
            },
            ("string", &[text]) => self.string(text)?,
            ("nil", []) => ExprKind::List { elements: Vec::new(), tail: None },
            ("cons", &[head, tail]) => self.cells(head, tail)?,
            ("tuple", &[elements]) => ExprKind::Tuple(self.exprs(elements)?),
            ("map", &[fields]) => ExprKind::Map { base: None, fields: self.all(fields, Self::map_field)? },
            ("map", &[base, fields]) => {
                ExprKind::Map { base: Some(self.boxed(base)?), fields: self.all(fields, Self::map_field)? }
            }
            ("bin", &[segments]) => ExprKind::Binary(self.all(segments, Self::segment)?),
            ("op", &[op, operand]) => self.unary(op, operand)?,
            ("op", &[op, left, right]) => self.binary(op, left, right)?,
            ("match", &[pattern, value]) => {
                ExprKind::Match { pattern: self.boxed(pattern)?, value: self.boxed(value)? }
            }
            ("maybe_match", &[pattern, value]) => {
                ExprKind::MaybeMatch { pattern: self.boxed(pattern)?, value: self.boxed(value)? }
            }
            ("catch", &[operand]) => ExprKind::Catch(self.boxed(operand)?),
            ("call", &[callee, args]) => {
                ExprKind::Call { callee: self.boxed(callee)?, args: self.exprs(args)? }
            }
            ("remote", &[module, name]) => {
                ExprKind::Remote { module: self.boxed(module)?, name: self.boxed(name)? }
            }
            ("block", &[body]) => ExprKind::Block(self.body(body)?),
            ("record" | "record_index" | "record_field", _) => self.record(tag, parts)?,
            _ => self.control(tag, parts)?,
        };
        Ok(Expr { span, depth: depth_of(&kind) + 1, kind })
    }

    /// `[a, b | T]` is as deep as its elements, however long it is.
    fn cells(&mut self, head: LitValue, tail: LitValue) -> Read<ExprKind> {
        let mut elements = vec![self.expr(head)?];
        let mut rest = tail;
        loop {
            match self.node(rest, "expression")? {
                ("cons", &[head, tail]) => {
                    elements.push(self.expr(head)?);
                    rest = tail;
                }
                ("nil", []) => return Ok(ExprKind::List { elements, tail: None }),
                _ => return Ok(ExprKind::List { elements, tail: Some(self.boxed(rest)?) }),
            }
        }
    }

    fn unary(&mut self, op: LitValue, operand: LitValue) -> Read<ExprKind> {
        let op = self.atom(op)?;
        let ops = [UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Bnot, UnaryOp::Not];
        match ops.into_iter().find(|known| self.is_text(op, known.text())) {
            Some(op) => Ok(ExprKind::Unary { op, operand: self.boxed(operand)? }),
            None => self.refuse("operator"),
        }
    }

    fn binary(&mut self, op: LitValue, left: LitValue, right: LitValue) -> Read<ExprKind> {
        let op = self.atom(op)?;
        match BinaryOp::ALL.iter().find(|known| self.is_text(op, known.text())) {
            Some(op) => Ok(ExprKind::Op { op: *op, left: self.boxed(left)?, right: self.boxed(right)? }),
            None => self.refuse("operator"),
        }
    }

    fn record(&mut self, tag: &str, parts: &[LitValue]) -> Read<ExprKind> {
        let span = self.span();
        let name = |reader: &Self, value| Ok(Ident { name: reader.atom(value)?, span });
        Ok(match (tag, parts) {
            ("record", &[record, fields]) => {
                let name = name(self, record)?;
                ExprKind::Record { base: None, name, fields: self.all(fields, Self::record_field)? }
            }
            ("record", &[base, record, fields]) => {
                let name = name(self, record)?;
                let base = Some(self.boxed(base)?);
                ExprKind::Record { base, name, fields: self.all(fields, Self::record_field)? }
            }
            ("record_index", &[record, field]) => {
                ExprKind::RecordIndex { name: name(self, record)?, field: self.leaf(field, "atom")? }
            }
            ("record_field", &[base, record, field]) => {
                let name = name(self, record)?;
                ExprKind::RecordAccess { base: self.boxed(base)?, name, field: self.leaf(field, "atom")? }
            }
            _ => return self.refuse("record"),
        })
    }

    fn record_field(&mut self, value: LitValue) -> Read<RecordField> {
        let ("record_field", &[name, value]) = self.node(value, "field")? else {
            return self.refuse("field");
        };
        let span = self.span();
        let is_var = matches!(self.node(name, "field")?, ("var", _));
        let name = match is_var {
            true => RecordFieldName::Variable(self.leaf(name, "var")?),
            false => RecordFieldName::Field(self.leaf(name, "atom")?),
        };
        Ok(RecordField { span, name, value: self.expr(value)? })
    }

    fn map_field(&mut self, value: LitValue) -> Read<MapField> {
        let (tag, parts) = self.node(value, "field")?;
        let span = self.span();
        match (tag, parts) {
            ("map_field_assoc" | "map_field_exact", &[key, value]) => {
                let exact = tag == "map_field_exact";
                Ok(MapField { span, exact, key: self.expr(key)?, value: self.expr(value)? })
            }
            _ => self.refuse("field"),
        }
    }

    fn segment(&mut self, value: LitValue) -> Read<Segment> {
        let ("bin_element", &[value, size, types]) = self.node(value, "segment")? else {
            return self.refuse("segment");
        };
        let span = self.span();
        let value = self.expr(value)?;
        let size = if self.is_default(size) { None } else { Some(self.expr(size)?) };
        let types = if self.is_default(types) { Vec::new() } else { self.all(types, Self::bit_type)? };
        Ok(Segment { span, value, size, types })
    }

    fn is_default(&self, value: LitValue) -> bool {
        self.atom(value).is_ok_and(|name| self.is_text(name, "default"))
    }

    fn bit_type(&mut self, value: LitValue) -> Read<BitType> {
        let span = self.span();
        let (name, value) = match self.parts(value) {
            Some(&[name, unit]) => (name, self.int(unit)),
            _ => (value, None),
        };
        Ok(BitType { name: Ident { name: self.atom(name)?, span }, value })
    }

    fn control(&mut self, tag: &str, parts: &[LitValue]) -> Read<ExprKind> {
        Ok(match (tag, parts) {
            ("if", &[clauses]) => ExprKind::If(self.clauses(clauses, 0)?),
            ("case", &[subject, clauses]) => {
                ExprKind::Case { subject: self.boxed(subject)?, clauses: self.clauses(clauses, 1)? }
            }
            ("receive", &[clauses]) => {
                ExprKind::Receive { clauses: self.clauses(clauses, 1)?, timeout: None }
            }
            ("receive", &[clauses, time, body]) => {
                let clauses = self.all(clauses, Self::clause)?;
                let timeout = Timeout { time: self.expr(time)?, body: self.body(body)? };
                ExprKind::Receive { clauses, timeout: Some(Box::new(timeout)) }
            }
            ("try", &[body, clauses, catches, after]) => ExprKind::Try(Box::new(Try {
                body: self.body(body)?,
                clauses: self.all(clauses, Self::clause)?,
                catches: self.all(catches, Self::catch_clause)?,
                after: self.exprs(after)?,
            })),
            ("fun", &[what]) => self.fun(what)?,
            ("named_fun", &[name, clauses]) => {
                let name = Some(Ident { name: self.atom(name)?, span: self.span() });
                ExprKind::Fun { name, clauses: self.fun_clauses(clauses)? }
            }
            ("lc", &[body, qualifiers]) => ExprKind::ListComprehension {
                body: self.boxed(body)?,
                qualifiers: self.all(qualifiers, Self::qualifier)?,
            },
            ("bc", &[body, qualifiers]) => ExprKind::BinaryComprehension {
                body: self.boxed(body)?,
                qualifiers: self.all(qualifiers, Self::qualifier)?,
            },
            ("mc", &[field, qualifiers]) => {
                let field = self.map_field(field)?;
                ExprKind::MapComprehension {
                    key: Box::new(field.key),
                    value: Box::new(field.value),
                    qualifiers: self.all(qualifiers, Self::qualifier)?,
                }
            }
            ("maybe", &[body]) => ExprKind::Maybe { body: self.body(body)?, otherwise: Vec::new() },
            ("maybe", &[body, otherwise]) => {
                let body = self.body(body)?;
                let ("else", &[clauses]) = self.node(otherwise, "else")? else { return self.refuse("else") };
                ExprKind::Maybe { body, otherwise: self.clauses(clauses, 1)? }
            }
            _ => return self.refuse("expression"),
        })
    }

    fn fun(&mut self, what: LitValue) -> Read<ExprKind> {
        let parts = self.parts(what).unwrap_or(&[]);
        let tag = parts.first().and_then(|tag| self.atom(*tag).ok());
        let is = |reader: &Self, text| tag.is_some_and(|tag| reader.is_text(tag, text));
        match *parts {
            [_, clauses] if is(self, "clauses") => {
                Ok(ExprKind::Fun { name: None, clauses: self.fun_clauses(clauses)? })
            }
            [_, name, arity] if is(self, "function") => {
                let name = Ident { name: self.atom(name)?, span: self.span() };
                match self.int(arity).and_then(|arity| arity.to_i64()) {
                    Some(arity @ 0..=255) => Ok(ExprKind::FunLocal { name, arity: arity as u32 }),
                    _ => self.refuse("arity"),
                }
            }
            [_, module, name, arity] if is(self, "function") => Ok(ExprKind::FunRemote {
                module: Box::new(self.part_of_fun(module)?),
                name: Box::new(self.part_of_fun(name)?),
                arity: Box::new(self.part_of_fun(arity)?),
            }),
            _ => self.refuse("fun"),
        }
    }

    /// Module, name and arity may be bare, as they were long ago.
    fn part_of_fun(&mut self, value: LitValue) -> Read<Expr> {
        match value {
            LitValue::Atom(_) => Ok(self.make(ExprKind::Atom(self.atom(value)?))),
            LitValue::Int(_) => self.number(value),
            _ => self.expr(value),
        }
    }

    fn fun_clauses(&mut self, list: LitValue) -> Read<Vec<Clause>> {
        let clauses = self.all(list, Self::clause)?;
        let arity = clauses.first().map(|clause| clause.patterns.len());
        match arity {
            Some(arity) if clauses.iter().all(|clause| clause.patterns.len() == arity) => Ok(clauses),
            _ => self.refuse("fun"),
        }
    }

    fn qualifier(&mut self, value: LitValue) -> Read<Qualifier> {
        let (tag, parts) = self.node(value, "qualifier")?;
        match (tag, parts) {
            ("zip", &[generators]) => Ok(Qualifier::Zip(self.all(generators, Self::generator)?)),
            _ if tag.ends_with("generate") || tag.ends_with("generate_strict") => {
                Ok(Qualifier::Generator(self.generator(value)?))
            }
            _ => Ok(Qualifier::Filter(self.expr(value)?)),
        }
    }

    fn generator(&mut self, value: LitValue) -> Read<Generator> {
        let (tag, &[pattern, source]) = self.node(value, "generator")? else {
            return self.refuse("generator");
        };
        let span = self.span();
        let pattern = match tag.trim_end_matches("_strict") {
            "generate" => GeneratorPattern::List(self.expr(pattern)?),
            "b_generate" => GeneratorPattern::Binary(self.expr(pattern)?),
            "m_generate" => {
                let field = self.map_field(pattern)?;
                GeneratorPattern::Map { key: field.key, value: field.value }
            }
            _ => return self.refuse("generator"),
        };
        Ok(Generator { span, strict: tag.ends_with("_strict"), pattern, source: self.expr(source)? })
    }

    // Clauses.

    /// At least one expression.
    fn body(&mut self, list: LitValue) -> Read<Vec<Expr>> {
        let body = self.exprs(list)?;
        if body.is_empty() { self.refuse("body") } else { Ok(body) }
    }

    /// At least one clause, each with so many patterns.
    fn clauses(&mut self, list: LitValue, patterns: usize) -> Read<Vec<Clause>> {
        let clauses = self.all(list, Self::clause)?;
        match clauses.is_empty() || clauses.iter().any(|clause| clause.patterns.len() != patterns) {
            true => self.refuse("clause"),
            false => Ok(clauses),
        }
    }

    pub(super) fn clause(&mut self, value: LitValue) -> Read<Clause> {
        let ("clause", &[patterns, guard, body]) = self.node(value, "clause")? else {
            return self.refuse("clause");
        };
        let span = self.span();
        let patterns = self.exprs(patterns)?;
        Ok(Clause { span, patterns, guard: self.guard(guard)?, body: self.body(body)? })
    }

    fn guard(&mut self, value: LitValue) -> Read<Guard> {
        self.all(value, Self::body)
    }

    fn catch_clause(&mut self, value: LitValue) -> Read<CatchClause> {
        let ("clause", &[patterns, guard, body]) = self.node(value, "clause")? else {
            return self.refuse("clause");
        };
        let span = self.span();
        let [pattern] = self.list(patterns)?[..] else { return self.refuse("clause") };
        let ("tuple", &[parts]) = self.node(pattern, "clause")? else { return self.refuse("clause") };
        let [class, pattern, stacktrace] = self.list(parts)?[..] else { return self.refuse("clause") };
        let class = self.expr(class)?;
        if !matches!(class.kind, ExprKind::Atom(_) | ExprKind::Var(_)) {
            return self.refuse("class");
        }
        let pattern = self.expr(pattern)?;
        let stacktrace = Some(self.leaf(stacktrace, "var")?).filter(|ident| ident.name != known::UNDERSCORE);
        let (guard, body) = (self.guard(guard)?, self.body(body)?);
        Ok(CatchClause { span, class: Some(class), pattern, stacktrace, guard, body })
    }
}
