//! Terms written as text: what `file:consult/1` and `io:read/1` read.
//!
//! The text is parsed as expressions and must consist of constants. They are given as the tables that modules have for
//! their literals, where a row refers only to earlier rows, so whoever builds terms of them needs no recursion.

use crate::ast::on_compile_stack;
use crate::bytecode::{AtomIx, LitValue, Literal};
use crate::preprocess::{self, Preprocessor};
use crate::{NoIncludes, ParseOptions, Session, forms, parse};

/// Terms, and the tables that they are rows of.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Constants {
    pub atoms: Vec<String>,
    pub literals: Vec<Literal>,
    /// One for each term of the text, in order.
    pub terms: Vec<LitValue>,
}

impl Constants {
    /// The tables as bytes, to hand them from one machine to another.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// The tables that `to_bytes` made bytes of; `None` for other bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let constants: Self = postcard::from_bytes(bytes).ok()?;
        constants.is_whole().then_some(constants)
    }

    /// Whether rows refer only to earlier rows, and to atoms that are there.
    fn is_whole(&self) -> bool {
        let atom = |atom: &AtomIx| atom.index() < self.atoms.len();
        let value = |value: &LitValue, before: usize| match value {
            LitValue::Atom(name) => atom(name),
            LitValue::Lit(row) => row.index() < before,
            LitValue::Int(_) | LitValue::Nil => true,
        };
        let row = |(at, literal): (usize, &Literal)| match literal {
            Literal::List { items, tail } => items.iter().all(|item| value(item, at)) && value(tail, at),
            Literal::Tuple(items) => items.iter().all(|item| value(item, at)),
            Literal::Map(pairs) => pairs.iter().all(|(key, item)| value(key, at) && value(item, at)),
            Literal::Export { module, function, .. } => atom(module) && atom(function),
            Literal::Float(bits) => f64::from_bits(*bits).is_finite(),
            Literal::Bits { bytes, bits } => bytes.len() as u64 == bits.div_ceil(8),
            Literal::Big { .. } | Literal::String(_) => true,
        };
        self.literals.iter().enumerate().all(row)
            && self.terms.iter().all(|term| value(term, self.literals.len()))
    }
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
    let mut exprs = Vec::new();
    let preprocessor = Preprocessor::new(&mut session, "terms", text.as_bytes(), &options, &mut loader);
    if let Some(mut preprocessor) = preprocessor {
        let mut tokens = Vec::new();
        while !session.has_errors() && preprocessor.next_form(&mut session, &mut tokens) {
            exprs.extend(parse::exprs(&mut session, &tokens).into_iter().flatten());
            if let Some(end) = tokens.last().filter(|dot| dot.span.start == dot.span.end) {
                session.diagnostics.push(preprocess::unterminated(&[*end]));
            }
        }
    }
    match session.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        None => forms::constants(&session.names, &exprs).map_err(|refused| ConstantError {
            line: session.sources.line(refused.span),
            message: "bad term".to_owned(),
        }),
        Some(error) => {
            Err(ConstantError { line: session.sources.line(error.span), message: error.title.clone() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::LitIx;

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
        assert!(matches!(parse_terms("<<1:3>>.").unwrap().literals[0], Literal::Bits { bits: 3, .. }));
    }
}
