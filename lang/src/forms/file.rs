//! A source file as forms: what `epp:parse_file` gives.
//!
//! The preprocessor is the compiler's own. Its tokens know where they stand, macros or not, so each form's tokens are parsed
//! as those of a program would be ([`super::parse()`]), with places instead of annotations.

use std::collections::HashMap;

use super::{Fault, Location, Wanted, parse_in};
use crate::bytecode::{AtomIx, LitIx, LitValue, Literal};
use crate::constants::Constants;
use crate::preprocess::{FileMark, Preprocessor};
use crate::token::{Spanned, Token};
use crate::{Code, Diagnostic, Loader, ParseOptions, Session, Span};

/// Forms, with the texts they came from.
pub struct FileForms {
    /// One term for each form.
    pub forms: Constants,
    /// The file and all it includes.
    pub session: Session,
}

/// The forms of a file: with `columns`, places are lines and columns. What is wrong with a form stands in its place.
pub fn of_file(
    path: &str,
    bytes: &[u8],
    options: &ParseOptions,
    loader: &mut dyn Loader,
    columns: bool,
) -> FileForms {
    let mut session = Session::new();
    let mut out = Forms { columns, ..Forms::default() };
    if let Some(mut preprocessor) = Preprocessor::new(&mut session, path, bytes, options, loader) {
        preprocessor.mark_files();
        let mut tokens = Vec::new();
        loop {
            let more = preprocessor.next_form(&mut session, &mut tokens);
            out.marks(&preprocessor.take_marks());
            for diagnostic in std::mem::take(&mut session.diagnostics) {
                out.diagnostic(&session, &diagnostic);
            }
            if !more {
                break;
            }
            out.form(&mut session, &tokens);
        }
        let end = place(&session, preprocessor.end());
        out.end(end);
    }
    FileForms { forms: out.constants, session }
}

/// Where a token stands.
fn place(session: &Session, span: Span) -> Location {
    let Some(place) = session.sources.told_place(span) else { return Location::default() };
    let column = session.sources.get(place.source).line_column(place.start).column;
    Location { line: i64::from(session.sources.claimed(place).1), column: i64::from(column) }
}

/// Forms so far.
#[derive(Default)]
struct Forms {
    columns: bool,
    constants: Constants,
    atoms: HashMap<String, AtomIx>,
}

impl Forms {
    fn atom(&mut self, text: &str) -> AtomIx {
        if let Some(&atom) = self.atoms.get(text) {
            return atom;
        }
        let atom = AtomIx(self.constants.atoms.len() as u32);
        self.constants.atoms.push(text.to_owned());
        self.atoms.insert(text.to_owned(), atom);
        atom
    }

    fn word(&mut self, text: &str) -> LitValue {
        LitValue::Atom(self.atom(text))
    }

    fn row(&mut self, literal: Literal) -> LitValue {
        self.constants.literals.push(literal);
        LitValue::Lit(LitIx(self.constants.literals.len() as u32 - 1))
    }

    fn tuple(&mut self, elements: &[LitValue]) -> LitValue {
        self.row(Literal::Tuple(elements.to_vec()))
    }

    fn string(&mut self, text: &str) -> LitValue {
        match text.is_empty() {
            true => LitValue::Nil,
            false => self.row(Literal::String(text.chars().map(u32::from).collect())),
        }
    }

    fn anno(&mut self, at: Location) -> LitValue {
        match self.columns {
            true => self.tuple(&[LitValue::Int(at.line), LitValue::Int(at.column)]),
            false => LitValue::Int(at.line),
        }
    }

    /// The annotation of something that stands in for something else.
    fn generated(&mut self, at: Location) -> LitValue {
        let (generated, yes, location) = (self.word("generated"), self.word("true"), self.word("location"));
        let plain = self.anno(at);
        let items = vec![self.tuple(&[generated, yes]), self.tuple(&[location, plain])];
        self.row(Literal::List { items, tail: LitValue::Nil })
    }

    /// `{attribute, Anno, file, {Path, Line}}` for each file entered or come back to.
    fn marks(&mut self, marks: &[FileMark]) {
        for mark in marks {
            let (tag, file) = (self.word("attribute"), self.word("file"));
            let anno = match mark.written {
                false => self.anno(Location { line: mark.at, column: mark.column }),
                true => self.generated(Location { line: mark.at, column: mark.column }),
            };
            let path = self.string(&mark.path);
            let value = self.tuple(&[path, LitValue::Int(mark.line)]);
            let form = self.tuple(&[tag, anno, file, value]);
            self.constants.terms.push(form);
        }
    }

    fn end(&mut self, at: Location) {
        let (tag, anno) = (self.word("eof"), self.anno(at));
        let form = self.tuple(&[tag, anno]);
        self.constants.terms.push(form);
    }

    /// `{error | warning, {Anno, Module, Description}}`
    fn problem(&mut self, is_error: bool, at: Location, module: &str, description: LitValue) {
        let tag = self.word(if is_error { "error" } else { "warning" });
        let (anno, module) = (self.anno(at), self.word(module));
        let info = self.tuple(&[anno, module, description]);
        let form = self.tuple(&[tag, info]);
        self.constants.terms.push(form);
    }

    fn diagnostic(&mut self, session: &Session, diagnostic: &Diagnostic) {
        let at = place(session, diagnostic.span);
        let named = |before: &str| {
            let rest = diagnostic.title.strip_prefix(before)?.strip_suffix('`')?;
            Some(rest.to_owned())
        };
        let description = match (diagnostic.code, named("undefined macro `"), named("cannot find the file `"))
        {
            (Code::UndefinedMacro, Some(name), _) => {
                let parts = [self.word("undefined"), self.word(&name), self.word("none")];
                self.tuple(&parts)
            }
            (Code::IncludeFailed, _, Some(path)) => {
                let parts = [self.word("include"), self.word("file"), self.string(&path)];
                self.tuple(&parts)
            }
            _ => self.string(&diagnostic.title),
        };
        self.problem(diagnostic.is_error(), at, "epp", description);
    }

    fn form(&mut self, session: &mut Session, tokens: &[Spanned]) {
        let places: Vec<Location> = tokens.iter().map(|token| place(session, token.span)).collect();
        let plain: Vec<Token> = tokens.iter().map(|token| token.token).collect();
        match parse_in(&mut session.names, &plain, &places, Wanted::Form) {
            Ok(form) => self.append(form, &places),
            Err(Fault { token, message }) => {
                let at = places.get(token).or(places.last()).copied().unwrap_or_default();
                let description = match message {
                    Some(text) => self.string(&text),
                    None => {
                        let before = self.string("syntax error before: ");
                        let shown =
                            plain.get(token).map_or(String::new(), |token| match token.fixed_text() {
                                Some(text) => crate::spelling::atom(text),
                                None => token.show(&session.names),
                            });
                        let shown = self.string(&shown);
                        self.row(Literal::List { items: vec![before, shown], tail: LitValue::Nil })
                    }
                };
                self.problem(true, at, "erl_parse", description);
            }
        }
    }

    /// Takes over the tables of a form, whose first rows are the annotations of its tokens.
    fn append(&mut self, form: Constants, places: &[Location]) {
        let atoms: Vec<AtomIx> = form.atoms.iter().map(|text| self.atom(text)).collect();
        // Neighbours on one line share their annotation where there are no columns, and that is an integer.
        let annos: Vec<LitValue> = places.iter().map(|&place| self.anno(place)).collect();
        let base = self.constants.literals.len();
        let value = |value: LitValue| match value {
            LitValue::Atom(atom) => LitValue::Atom(atoms[atom.index()]),
            LitValue::Lit(row) => match annos.get(row.index()) {
                Some(&anno) => anno,
                None => LitValue::Lit(LitIx((base + row.index() - annos.len()) as u32)),
            },
            other => other,
        };
        let values = |all: Vec<LitValue>| all.into_iter().map(value).collect();
        for literal in form.literals {
            self.constants.literals.push(match literal {
                Literal::List { items, tail } => Literal::List { items: values(items), tail: value(tail) },
                Literal::Tuple(elements) => Literal::Tuple(values(elements)),
                Literal::Map(pairs) => {
                    Literal::Map(pairs.into_iter().map(|(k, v)| (value(k), value(v))).collect())
                }
                Literal::Export { module, function, arity } => Literal::Export {
                    module: atoms[module.index()],
                    function: atoms[function.index()],
                    arity,
                },
                other => other,
            });
        }
        self.constants.terms.extend(form.terms.into_iter().map(value));
    }
}
