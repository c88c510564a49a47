//! Binaries: segments in expressions, guards and patterns.

use super::Linter;
use super::environment::State;
use super::pattern::{Scope, is_constant};
use crate::ast::{Expr, ExprKind, Segment};
use crate::bits::{self, BitError, BitKind, BitSpec};
use crate::{Code, Diagnostic, Int, Name, Span, known};

impl<'a> Linter<'a> {
    pub(super) fn binary(&mut self, segments: &'a [Segment]) {
        self.separate(
            segments.iter().flat_map(|segment| std::iter::once(&segment.value).chain(&segment.size)),
        );
        for segment in segments {
            self.check_segment(segment);
        }
    }

    pub(super) fn guard_binary(&mut self, segments: &'a [Segment]) {
        for segment in segments {
            self.guard_expr(&segment.value);
            if let Some(size) = &segment.size {
                self.guard_expr(size);
            }
            self.check_segment(segment);
        }
    }

    /// The meaning of a segment's type list, errors reported.
    fn check_segment(&mut self, segment: &Segment) -> Option<BitSpec> {
        let spec = match bits::resolve(segment) {
            Ok(spec) => spec,
            Err(error) => {
                self.segment_error(segment, error);
                return None;
            }
        };
        if let Some(Expr { kind: ExprKind::Int(Int::Small(size)), span, .. }) = &segment.size
            && spec.kind == BitKind::Float
            && !matches!(size.saturating_mul(i64::from(spec.unit)), 16 | 32 | 64)
        {
            self.say(Code::AlwaysFails, *span, "a float has 16, 32 or 64 bits");
        }
        Some(spec)
    }

    fn segment_error(&mut self, segment: &Segment, error: BitError) {
        let (title, help) = match error {
            BitError::Unknown(name) => {
                let words = [
                    "integer",
                    "float",
                    "binary",
                    "bytes",
                    "bitstring",
                    "bits",
                    "utf8",
                    "utf16",
                    "utf32",
                    "signed",
                    "unsigned",
                    "big",
                    "little",
                    "native",
                    "unit",
                ];
                let close = self.closest(self.text(name), words);
                let help = match close {
                    Some(close) => format!("there is a type `{close}`"),
                    None => {
                        "the types are `integer`, `float`, `binary`, `bitstring`, `utf8`, `utf16` and `utf32`"
                            .to_owned()
                    }
                };
                (format!("unknown type `{}` of a binary segment", self.atom(name)), Some(help))
            }
            BitError::Mismatch(a, b) => {
                (format!("`{}` and `{}` contradict each other", self.atom(a), self.atom(b)), None)
            }
            BitError::IllegalUnit => ("a unit is a number from 1 to 256, as in `unit:8`".to_owned(), None),
            BitError::UnitWithoutSize => {
                ("a unit without a size".to_owned(), Some("give the size, too".to_owned()))
            }
            BitError::UtfSize => {
                ("a segment of type `utf8`, `utf16` or `utf32` has neither size nor unit".to_owned(), None)
            }
        };
        // A type is shown where it stands.
        let named = match error {
            BitError::Unknown(name) => segment.types.iter().find(|ty| ty.name.name == name),
            _ => None,
        };
        let at = named.map_or(segment.span, |ty| ty.name.span);
        self.report(Diagnostic::new(Code::IllegalSegment, at, title).help_if(help));
    }

    // Patterns.

    pub(super) fn binary_pattern(&mut self, segments: &'a [Segment], scope: &mut Scope) {
        let outer = scope.begin_binary();
        for (at, segment) in segments.iter().enumerate() {
            self.segment_pattern(segment, at + 1 == segments.len(), scope);
        }
        scope.end_binary(outer);
    }

    fn segment_pattern(&mut self, segment: &'a Segment, last: bool, scope: &mut Scope) {
        let text = matches!(segment.value.kind, ExprKind::Str(_));
        if text && (segment.size.is_some() || !segment.types.is_empty()) && !is_utf(segment) {
            let title =
                "a literal string in a binary pattern has neither size nor type, except `utf8` and its kind";
            self.say(Code::IllegalSegment, segment.span, title);
            return;
        }
        self.segment_value(&segment.value, scope);
        if let Some(size) = &segment.size {
            self.segment_size(size, scope);
        }
        // The variable may be a size only for the segments after its own.
        if let ExprKind::Var(name) = segment.value.kind {
            scope.note_binary(name);
        }
        let Some(spec) = self.check_segment(segment) else { return };
        let unsized_rest =
            segment.size.is_none() && matches!(spec.kind, BitKind::Binary | BitKind::Bitstring);
        if unsized_rest && !last && !text {
            let title = "a binary segment without size stands only at the end of a pattern";
            self.report(
                Diagnostic::new(Code::IllegalSegment, segment.span, title)
                    .help("give it a size, as in `Name:Size/binary`"),
            );
        }
    }

    fn segment_value(&mut self, value: &'a Expr, scope: &mut Scope) {
        match &value.kind {
            ExprKind::Var(known::UNDERSCORE) | ExprKind::Str(_) | ExprKind::Error => {}
            ExprKind::Atom(_) => {
                self.say(Code::NeverMatches, value.span, "this is no number, so the pattern never matches");
            }
            ExprKind::Var(name) => self.pattern_variable(*name, value.span, scope),
            _ if is_constant(value) => {}
            _ => self.say(Code::IllegalPattern, value.span, "this cannot be matched in a binary"),
        }
    }

    fn segment_size(&mut self, size: &'a Expr, scope: &mut Scope) {
        match &size.kind {
            ExprKind::Var(name) => self.size_variable(*name, size.span, scope),
            ExprKind::Int(_) | ExprKind::Char(_) => {}
            ExprKind::Atom(_)
            | ExprKind::Float(_)
            | ExprKind::List { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Map { .. }
            | ExprKind::Binary(_) => {
                let title = "this is no integer, so the pattern never matches";
                self.say(Code::NeverMatches, size.span, title);
            }
            _ => {
                // A guard expression that sees the variables of this binary.
                let mark = self.env.mark();
                for (name, variable) in self.visible(size, scope) {
                    self.env.bind(name, variable);
                }
                self.guard_expr(size);
                self.env.discard(mark);
            }
        }
    }

    /// The variables of the binary pattern that a size expression mentions.
    fn visible(&self, size: &Expr, scope: &Scope) -> Vec<(Name, super::environment::VariableId)> {
        let mut pending = vec![size];
        let mut found = Vec::new();
        while let Some(expr) = pending.pop() {
            match &expr.kind {
                ExprKind::Var(name) => found.extend(scope.in_binary(*name).map(|variable| (*name, variable))),
                ExprKind::Unary { operand, .. } => pending.push(operand),
                ExprKind::Op { left, right, .. } => pending.extend([&**left, &**right]),
                ExprKind::Call { args, .. } => pending.extend(args),
                ExprKind::Tuple(elements) | ExprKind::List { elements, .. } => pending.extend(elements),
                _ => {}
            }
        }
        found
    }

    fn size_variable(&mut self, name: Name, span: Span, scope: &Scope) {
        if let Some(variable) = scope.in_binary(name) {
            return self.env.mark_used(variable);
        }
        match self.env.get(name) {
            Some(binding) => {
                self.env.mark_used(binding.variable);
                match binding.state {
                    State::Unsafe(origin) => self.unsafe_use(name, span, origin),
                    State::Exported(origin) if self.settings.warns("export_vars", false) => {
                        self.exported_use(name, span, origin);
                    }
                    _ => {}
                }
            }
            None => self.unbound(name, span),
        }
    }

    /// The last segment of a binary generator must know where it ends.
    pub(super) fn check_generator_binary(&mut self, pattern: &Expr) {
        let ExprKind::Binary(segments) = &pattern.kind else { return };
        let Some(last) = segments.last() else { return };
        let open = last.size.is_none()
            && last.types.iter().any(|ty| {
                matches!(ty.name.name, known::BINARY | known::BYTES | known::BITS | known::BITSTRING)
            });
        if open {
            let title = "a binary segment without size cannot be in the pattern of a generator";
            self.say(Code::IllegalSegment, last.span, title);
        }
    }
}

fn is_utf(segment: &Segment) -> bool {
    segment.size.is_none()
        && segment.types.iter().any(|ty| matches!(ty.name.name, known::UTF8 | known::UTF16 | known::UTF32))
}
