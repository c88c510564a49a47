//! Terms written as text: what `file:consult/1` and `io:read/1` read.
//!
//! The text is parsed as expressions and must consist of constants. They are given as the tables that modules have for
//! their literals, where a row refers only to earlier rows, so whoever builds terms of them needs no recursion.

use std::collections::HashMap;

use crate::ast::{Expr, ExprKind, Segment, UnaryOp, on_compile_stack};
use crate::bits::{BitKind, Endian, resolve};
use crate::bytecode::{AtomIx, LitIx, LitValue, Literal};
use crate::preprocess::Preprocessor;
use crate::{Int, NoIncludes, ParseOptions, Session, Span, parse};

/// Terms, and the tables that they are rows of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    pub atoms: Vec<String>,
    pub literals: Vec<Literal>,
    /// One for each term of the text, in order.
    pub terms: Vec<LitValue>,
}

/// Why a text is no sequence of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantError {
    /// Line in the text, from 1.
    pub line: u32,
    pub message: String,
}

/// Reads terms, each ended by a dot.
///
/// # Errors
/// The first fault: a syntax error, or something that is no constant.
pub fn parse_terms(text: &str) -> Result<Constants, ConstantError> {
    on_compile_stack(|| read(text)).unwrap_or_else(|error| {
        Err(ConstantError { line: 1, message: format!("cannot read terms: {error}") })
    })
}

fn read(text: &str) -> Result<Constants, ConstantError> {
    let mut session = Session::new();
    let mut loader = NoIncludes;
    let options = ParseOptions::default();
    let mut builder = Builder::default();
    let preprocessor = Preprocessor::new(&mut session, "terms", text.as_bytes(), &options, &mut loader);
    if let Some(mut preprocessor) = preprocessor {
        let mut tokens = Vec::new();
        while preprocessor.next_form(&mut session, &mut tokens) {
            let exprs = parse::exprs(&mut session, &tokens);
            if session.has_errors() {
                break;
            }
            for expr in exprs.iter().flatten() {
                let term = builder.value(&session, expr).map_err(|span| ConstantError {
                    line: session.sources.line(span),
                    message: "bad term".to_owned(),
                })?;
                builder.constants.terms.push(term);
            }
        }
    }
    match session.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        None => Ok(builder.constants),
        Some(error) => {
            Err(ConstantError { line: session.sources.line(error.span), message: error.title.clone() })
        }
    }
}

#[derive(Default)]
struct Builder {
    constants: Constants,
    atoms: HashMap<String, AtomIx, std::hash::BuildHasherDefault<std::collections::hash_map::DefaultHasher>>,
}

/// A value, or the place of what is no constant.
type Value = Result<LitValue, Span>;

impl Builder {
    fn atom(&mut self, text: &str) -> AtomIx {
        if let Some(atom) = self.atoms.get(text) {
            return *atom;
        }
        let atom = AtomIx(self.constants.atoms.len() as u32);
        self.constants.atoms.push(text.to_owned());
        self.atoms.insert(text.to_owned(), atom);
        atom
    }

    fn literal(&mut self, literal: Literal) -> LitValue {
        let row = LitIx(self.constants.literals.len() as u32);
        self.constants.literals.push(literal);
        LitValue::Lit(row)
    }

    fn int(&mut self, value: Int) -> LitValue {
        match value {
            Int::Small(value) => LitValue::Int(value),
            Int::Big(value) => {
                let negative = *value < dashu_int::IBig::ZERO;
                let (_, magnitude) = value.into_parts();
                self.literal(Literal::Big { negative, magnitude: magnitude.to_le_bytes().to_vec() })
            }
        }
    }

    fn values(&mut self, session: &Session, exprs: &[Expr]) -> Result<Vec<LitValue>, Span> {
        exprs.iter().map(|expr| self.value(session, expr)).collect()
    }

    /// Recursion is bounded by the depth of the tree, for which the stack is made.
    fn value(&mut self, session: &Session, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Atom(name) => Ok(LitValue::Atom(self.atom(session.names.text(*name)))),
            ExprKind::Char(character) => Ok(LitValue::Int(i64::from(u32::from(*character)))),
            ExprKind::Int(value) => Ok(self.int(value.clone())),
            ExprKind::Float(value) => Ok(self.literal(Literal::Float(value.to_bits()))),
            ExprKind::Str(text) if text.is_empty() => Ok(LitValue::Nil),
            ExprKind::Str(text) => Ok(self.literal(Literal::String(text.chars().map(u32::from).collect()))),
            ExprKind::List { elements, tail } if elements.is_empty() && tail.is_none() => Ok(LitValue::Nil),
            ExprKind::List { elements, tail } => {
                let items = self.values(session, elements)?;
                let tail = tail.as_ref().map_or(Ok(LitValue::Nil), |tail| self.value(session, tail))?;
                Ok(self.literal(Literal::List { items, tail }))
            }
            ExprKind::Tuple(elements) => {
                let elements = self.values(session, elements)?;
                Ok(self.literal(Literal::Tuple(elements)))
            }
            ExprKind::Map { base: None, fields } => {
                let mut pairs = Vec::with_capacity(fields.len());
                for field in fields.iter().filter(|field| !field.exact) {
                    pairs.push((self.value(session, &field.key)?, self.value(session, &field.value)?));
                }
                if pairs.len() < fields.len() {
                    return Err(expr.span);
                }
                Ok(self.literal(Literal::Map(pairs)))
            }
            ExprKind::Binary(segments) => self.binary(segments),
            ExprKind::Unary { op, operand } => self.signed(*op, operand),
            ExprKind::FunRemote { module, name, arity } => match (&module.kind, &name.kind, &arity.kind) {
                (
                    ExprKind::Atom(module),
                    ExprKind::Atom(name),
                    ExprKind::Int(Int::Small(arity @ 0..=255)),
                ) => {
                    let module = self.atom(session.names.text(*module));
                    let function = self.atom(session.names.text(*name));
                    Ok(self.literal(Literal::Export { module, function, arity: *arity as u8 }))
                }
                _ => Err(expr.span),
            },
            _ => Err(expr.span),
        }
    }

    fn signed(&mut self, op: UnaryOp, operand: &Expr) -> Value {
        let minus = match op {
            UnaryOp::Minus => true,
            UnaryOp::Plus => false,
            UnaryOp::Bnot | UnaryOp::Not => return Err(operand.span),
        };
        match &operand.kind {
            ExprKind::Int(value) if minus => Ok(self.int(Int::from(-value.to_big()))),
            ExprKind::Int(value) => Ok(self.int(value.clone())),
            ExprKind::Char(character) => {
                let value = i64::from(u32::from(*character));
                Ok(LitValue::Int(if minus { -value } else { value }))
            }
            ExprKind::Float(value) => {
                let value = if minus { -value } else { *value };
                Ok(self.literal(Literal::Float(value.to_bits())))
            }
            _ => Err(operand.span),
        }
    }

    /// Binaries of whole bytes: integers of any whole number of bytes, strings, UTF-8 text.
    fn binary(&mut self, segments: &[Segment]) -> Value {
        let mut bytes = Vec::new();
        for segment in segments {
            segment_bytes(segment, &mut bytes).ok_or(segment.span)?;
        }
        let bits = bytes.len() as u64 * 8;
        Ok(self.literal(Literal::Bits { bytes, bits }))
    }
}

fn segment_bytes(segment: &Segment, bytes: &mut Vec<u8>) -> Option<()> {
    let spec = resolve(segment).ok()?;
    match (&segment.value.kind, spec.kind) {
        (ExprKind::Str(text), BitKind::Utf8) => bytes.extend_from_slice(text.as_bytes()),
        (ExprKind::Str(text), BitKind::Integer) if segment.size.is_none() => {
            bytes.extend(text.chars().map(|character| u32::from(character) as u8));
        }
        (ExprKind::Int(value), BitKind::Integer) => {
            let size = match &segment.size {
                None => u64::from(spec.default_size?),
                Some(Expr { kind: ExprKind::Int(Int::Small(size)), .. }) => {
                    u64::try_from(*size).ok()?.checked_mul(u64::from(spec.unit))?
                }
                Some(_) => return None,
            };
            // What is written as a constant is short; anything longer than this is no constant worth writing.
            if size % 8 != 0 || size > 1 << 16 {
                return None;
            }
            let mut little: Vec<u8> = value.to_big().into_parts().1.to_le_bytes().to_vec();
            little.resize((size / 8) as usize, 0);
            match spec.endian {
                Endian::Little => bytes.extend_from_slice(&little),
                _ => bytes.extend(little.iter().rev()),
            }
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_refer_to_earlier_rows() {
        let constants = parse_terms("{a, [1, -2.5 | b]}.\n\"xy\". -36893488147419103232.").unwrap();
        assert_eq!(constants.atoms, ["a", "b"]);
        assert_eq!(
            constants.terms,
            [LitValue::Lit(LitIx(2)), LitValue::Lit(LitIx(3)), LitValue::Lit(LitIx(4))]
        );
        let Literal::Big { negative: true, magnitude } = &constants.literals[4] else {
            panic!("a big integer")
        };
        assert_eq!(magnitude, &[0, 0, 0, 0, 0, 0, 0, 0, 2]);
    }

    #[test]
    fn what_is_no_constant_is_refused_with_its_line() {
        let error = parse_terms("ok.\n{a,\n f()}.").unwrap_err();
        assert_eq!(error, ConstantError { line: 3, message: "bad term".to_owned() });
        assert_eq!(parse_terms("ok.\n{a").unwrap_err().line, 2);
        assert_eq!(parse_terms("X.").unwrap_err().message, "bad term");
    }

    #[test]
    fn binaries_are_made_of_whole_bytes() {
        let constants = parse_terms("<<1, 258:16, 3:16/little, \"ab\", \"å\"/utf8>>.").unwrap();
        let expected = vec![1, 1, 2, 3, 0, 97, 98, 0xc3, 0xa5];
        assert_eq!(constants.literals, [Literal::Bits { bytes: expected, bits: 72 }]);
        assert!(parse_terms("<<1:3>>.").is_err());
    }
}
