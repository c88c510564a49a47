//! Core as text, for snapshots and `--emit core`.

use std::fmt::Write;

use super::{
    Body, Case, Clause, Const, End, Expr, Failure, Function, Module, Op, Pattern, Pool, Segment, Value, Var,
};
use crate::Interner;

/// The functions of a module.
#[must_use]
pub fn print(module: &Module, names: &Interner) -> String {
    let mut printer = Printer { out: String::new(), names, pool: &module.literals, indent: 0 };
    for function in &module.functions {
        printer.function(function);
    }
    printer.out
}

struct Printer<'a> {
    out: String,
    names: &'a Interner,
    pool: &'a Pool,
    indent: usize,
}

/// Literals nested deeper than this are cut short.
const MAX_NESTING: usize = 12;

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = self.indent * 2);
    }

    fn function(&mut self, function: &Function) {
        let params = vars(&function.params);
        let name = self.names.text(function.name).to_owned();
        self.line(&format!("'{name}'/{} ({params}) ->", function.arity()));
        self.body(&function.body);
    }

    fn body(&mut self, body: &Body) {
        self.indent += 1;
        for step in &body.steps {
            let binding =
                if step.vars.is_empty() { String::new() } else { format!("{} = ", vars(&step.vars)) };
            self.op(&binding, &step.op);
        }
        match &body.end {
            End::Values(values) => {
                let text = self.values(values);
                self.line(&format!("<{text}>"));
            }
            End::Escape(id, value) => {
                let text = self.value(*value);
                self.line(&format!("escape {} {text}", id.0));
            }
            End::Never => {}
        }
        self.indent -= 1;
    }

    fn op(&mut self, binding: &str, op: &Op) {
        let text = match op {
            Op::Case(case) => return self.case(binding, case),
            Op::Receive(receive) => {
                let marker = receive.marker.map_or(String::new(), |var| format!(" marker {}", vars(&[var])));
                self.line(&format!("{binding}receive{marker}"));
                self.clauses(&receive.clauses);
                if let Some(timeout) = &receive.timeout {
                    let time = self.value(timeout.time);
                    self.line(&format!("after {time} ->"));
                    self.body(&timeout.body);
                }
                return;
            }
            Op::Try(attempt) => {
                self.line(&format!("{binding}try"));
                self.body(&attempt.body);
                self.line(&format!("of {} ->", vars(&attempt.vars)));
                self.body(&attempt.then);
                self.line(&format!("catch {} ->", vars(&attempt.caught)));
                return self.body(&attempt.handler);
            }
            Op::Catch(body) => {
                self.line(&format!("{binding}catch"));
                return self.body(body);
            }
            Op::Escape { id, body, var, otherwise } => {
                self.line(&format!("{binding}escape {} in", id.0));
                self.body(body);
                self.line(&format!("to {} ->", vars(&[*var])));
                return self.body(otherwise);
            }
            other => self.simple(other),
        };
        self.line(&format!("{binding}{text}"));
    }

    fn simple(&mut self, op: &Op) -> String {
        match op {
            Op::Values(values) => format!("<{}>", self.values(values)),
            Op::List(items, tail) => format!("[{} | {}]", self.values(items), self.value(*tail)),
            Op::Tuple(items) => format!("{{{}}}", self.values(items)),
            Op::Fun(lambda, captured) => format!("fun {lambda} [{}]", self.values(captured)),
            Op::Bif(name, args) => format!("{}({})", self.names.text(*name), self.values(args)),
            Op::Call(name, args) => format!("call {}({})", self.names.text(*name), self.values(args)),
            Op::CallExt(module, name, args) => {
                format!("call {}:{}({})", self.names.text(*module), self.names.text(*name), self.values(args))
            }
            Op::CallFun(fun, args) => format!("call {}({})", self.value(*fun), self.values(args)),
            Op::Apply(module, name, args) => {
                format!("call {}:{}({})", self.value(*module), self.value(*name), self.values(args))
            }
            Op::Send(to, message) => format!("{} ! {}", self.value(*to), self.value(*message)),
            Op::MapPut(map, pairs) => format!("{}#{{{}}}", self.value(*map), self.pairs(pairs, "=>")),
            Op::MapUpdate(map, pairs) => format!("{}#{{{}}}", self.value(*map), self.pairs(pairs, ":=")),
            Op::Bits(segments) => {
                let parts: Vec<String> = segments
                    .iter()
                    .map(|segment| {
                        let size = segment.size.map_or("_".to_owned(), |size| self.value(size));
                        segment_text(segment, &self.value(segment.value), &size)
                    })
                    .collect();
                format!("<<{}>>", parts.join(", "))
            }
            Op::BuildTrace(var) => format!("build_trace {}", vars(&[*var])),
            Op::Fail(failure) => self.failure(failure),
            Op::Case(_) | Op::Receive(_) | Op::Try(_) | Op::Catch(_) | Op::Escape { .. } => String::new(),
        }
    }

    fn pairs(&mut self, pairs: &[(Value, Value)], arrow: &str) -> String {
        let parts: Vec<String> = pairs
            .iter()
            .map(|&(key, value)| format!("{} {arrow} {}", self.value(key), self.value(value)))
            .collect();
        parts.join(", ")
    }

    fn case(&mut self, binding: &str, case: &Case) {
        let subjects = self.values(&case.subjects);
        self.line(&format!("{binding}case {subjects}"));
        self.clauses(&case.clauses);
        let failure = self.failure(&case.otherwise);
        self.line(&format!("else {failure}"));
    }

    fn failure(&mut self, failure: &Failure) -> String {
        match failure {
            Failure::FunctionClause => "function_clause".to_owned(),
            Failure::CaseClause(value) => format!("case_clause {}", self.value(*value)),
            Failure::BadMatch(value) => format!("badmatch {}", self.value(*value)),
            Failure::TryClause(value) => format!("try_clause {}", self.value(*value)),
            Failure::IfClause => "if_clause".to_owned(),
            Failure::BadRecord(value) => format!("badrecord {}", self.value(*value)),
            Failure::ReRaise(caught) => format!("re_raise {}", vars(caught)),
            Failure::Tagged(tag, value) => format!("error {} {}", self.names.text(*tag), self.value(*value)),
            Failure::Escape(id, value) => format!("escape {} {}", id.0, self.value(*value)),
            Failure::Inlined(name, args) => {
                format!("call {}({})", self.names.text(*name), self.values(args))
            }
            Failure::Impossible => "impossible".to_owned(),
        }
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        self.indent += 1;
        for clause in clauses {
            let patterns: Vec<String> = clause.patterns.iter().map(|pattern| self.pattern(pattern)).collect();
            let mut head = patterns.join(", ");
            for (a, b) in &clause.same {
                let _ = write!(head, " & {} =:= {}", vars(&[*a]), vars(&[*b]));
            }
            if !clause.guard.is_empty() {
                let alternatives: Vec<String> = clause.guard.iter().map(|tests| self.exprs(tests)).collect();
                let _ = write!(head, " when {}", alternatives.join("; "));
            }
            self.line(&format!("{head} ->"));
            self.body(&clause.body);
        }
        self.indent -= 1;
    }

    fn pattern(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Any => "_".to_owned(),
            Pattern::Var(var) => vars(&[*var]),
            Pattern::Const(value) => self.value(Value::Const(*value)),
            Pattern::Same(value) => format!("^{}", self.value(*value)),
            Pattern::And(all) => {
                let parts: Vec<String> = all.iter().map(|pattern| self.pattern(pattern)).collect();
                parts.join(" = ")
            }
            Pattern::List(items, tail) => {
                let parts: Vec<String> = items.iter().map(|pattern| self.pattern(pattern)).collect();
                format!("[{} | {}]", parts.join(", "), self.pattern(tail))
            }
            Pattern::Tuple(items) => {
                let parts: Vec<String> = items.iter().map(|pattern| self.pattern(pattern)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Pattern::Map(pairs) => {
                let parts: Vec<String> = pairs
                    .iter()
                    .map(|(key, value)| format!("{} := {}", self.expr(key), self.pattern(value)))
                    .collect();
                format!("#{{{}}}", parts.join(", "))
            }
            Pattern::Bits(segments) => {
                let parts: Vec<String> = segments
                    .iter()
                    .map(|segment| {
                        let size = segment.size.as_ref().map_or("_".to_owned(), |size| self.expr(size));
                        let value = self.pattern(&segment.value);
                        format!("{value}:{size}*{}/{:?}", segment.unit, segment.kind)
                    })
                    .collect();
                format!("<<{}>>", parts.join(", "))
            }
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) -> String {
        let parts: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        parts.join(", ")
    }

    fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Value(value) => self.value(*value),
            Expr::Bif(name, args) => format!("{}({})", self.names.text(*name), self.exprs(args)),
            Expr::And(a, b) => format!("({} andalso {})", self.expr(a), self.expr(b)),
            Expr::Or(a, b) => format!("({} orelse {})", self.expr(a), self.expr(b)),
            Expr::List(items, tail) => format!("[{} | {}]", self.exprs(items), self.expr(tail)),
            Expr::Tuple(items) => format!("{{{}}}", self.exprs(items)),
            Expr::MapPut(map, pairs) | Expr::MapUpdate(map, pairs) => {
                let arrow = if matches!(expr, Expr::MapPut(..)) { "=>" } else { ":=" };
                let parts: Vec<String> = pairs
                    .iter()
                    .map(|(key, value)| format!("{} {arrow} {}", self.expr(key), self.expr(value)))
                    .collect();
                format!("{}#{{{}}}", self.expr(map), parts.join(", "))
            }
            Expr::Bits(segments) => {
                let parts: Vec<String> = segments
                    .iter()
                    .map(|segment| {
                        let size = segment.size.as_ref().map_or("_".to_owned(), |size| self.expr(size));
                        segment_text(segment, &self.expr(&segment.value), &size)
                    })
                    .collect();
                format!("<<{}>>", parts.join(", "))
            }
        }
    }

    fn values(&mut self, values: &[Value]) -> String {
        let parts: Vec<String> = values.iter().map(|value| self.value(*value)).collect();
        parts.join(", ")
    }

    fn value(&mut self, value: Value) -> String {
        match value {
            Value::Var(var) => vars(&[var]),
            Value::Const(value) => {
                let before = self.out.len();
                self.constant(value, 0);
                self.out.split_off(before)
            }
        }
    }

    fn constant(&mut self, value: Const, depth: usize) {
        let _ = match value {
            Const::Int(value) => write!(self.out, "{value}"),
            Const::Atom(name) => write!(self.out, "{}", self.names.text(name)),
            Const::Nil => write!(self.out, "[]"),
            Const::Lit(_) if depth > MAX_NESTING => write!(self.out, "..."),
            Const::Lit(id) => {
                self.term(id, depth + 1);
                Ok(())
            }
        };
    }

    fn term(&mut self, id: super::LitId, depth: usize) {
        use super::literal::Term;
        let pool = self.pool;
        let _ = match pool.term(id) {
            Term::Big { negative, magnitude } => {
                let sign = if *negative { "-" } else { "" };
                let digits: String = magnitude.iter().rev().map(|byte| format!("{byte:02X}")).collect();
                write!(self.out, "{sign}16#{digits}")
            }
            Term::Float(bits) => write!(self.out, "{:?}", f64::from_bits(*bits)),
            Term::String(characters) => {
                let text: String = characters.iter().map(|&c| char::from_u32(c).unwrap_or('?')).collect();
                write!(self.out, "{text:?}")
            }
            Term::List { items, tail } => {
                self.sequence("[", items, depth);
                if *tail != Const::Nil {
                    self.out.push_str(" | ");
                    self.constant(*tail, depth);
                }
                write!(self.out, "]")
            }
            Term::Tuple(items) => {
                self.sequence("{", items, depth);
                write!(self.out, "}}")
            }
            Term::Map(pairs) => {
                self.out.push_str("#{");
                for (i, (key, value)) in pairs.iter().enumerate() {
                    self.out.push_str(if i > 0 { ", " } else { "" });
                    self.constant(*key, depth);
                    self.out.push_str(" => ");
                    self.constant(*value, depth);
                }
                write!(self.out, "}}")
            }
            Term::Bits { bytes, bits } => write!(self.out, "<<{bytes:?}:{bits}>>"),
            Term::Export { module, function, arity } => {
                write!(self.out, "fun {}:{}/{arity}", self.names.text(*module), self.names.text(*function))
            }
        };
    }

    fn sequence(&mut self, open: &str, items: &[Const], depth: usize) {
        self.out.push_str(open);
        for (i, item) in items.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            self.constant(*item, depth);
        }
    }
}

fn segment_text<T>(segment: &Segment<T>, value: &str, size: &str) -> String {
    format!("{value}:{size}*{}/{:?}", segment.unit, segment.kind)
}

fn vars(vars: &[Var]) -> String {
    let parts: Vec<String> = vars.iter().map(|var| format!("V{}", var.0)).collect();
    parts.join(", ")
}
