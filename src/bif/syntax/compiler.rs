//! Natives for programs that handle programs: forms to code, and files to forms.
//!
//! Terms go to the compiler and come from it as tables ([`Constants`]), which jobs of the pool can take along.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use erlet_lang::bytecode::{AtomIx, LitIx, LitValue, Literal};
use erlet_lang::compile::compile_forms;
use erlet_lang::constants::Constants;
use erlet_lang::forms::file::of_file;
use erlet_lang::options::Define;
use erlet_lang::{Compilation, IncludeError, Loader, Options, ParseOptions, Severity, Span};

use super::terms::built;
use crate::atom::known;
use crate::bif::io::block;
use crate::bif::{BifResult, Cx, Stop};
use crate::bif::{binary, chardata, file};
use crate::heap::{AllocError, HeapRef};
use crate::runtime::Runtime;
use crate::runtime::jobs::Answer;
use crate::runtime::pool::JobKind;
use crate::term::{Term, View};

/// A term as tables; `None` if something in it has no written form (a pid, say).
fn constants<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<Option<Constants>, Stop<'h>> {
    let mut gather = Gather { out: Constants::default(), atoms: HashMap::new(), known: HashMap::new() };
    // What is still to be written, and how many values there were before what encloses it.
    let mut pending = vec![Step::Term(term)];
    let mut values: Vec<LitValue> = Vec::new();
    let mut steps = 0_usize;
    while let Some(step) = pending.pop() {
        steps += 1;
        if steps.is_multiple_of(256) {
            cx.work(2048)?;
        }
        match step {
            Step::Term(term) => match gather.leaf(cx, term) {
                Some(value) => values.push(value),
                None => {
                    if !parts(term, &mut pending) {
                        return Ok(None);
                    }
                }
            },
            Step::Close(term, count) => {
                let taken = values.split_off(values.len() - count);
                values.push(gather.close(term, taken));
            }
        }
    }
    gather.out.terms = values;
    Ok(Some(gather.out))
}

enum Step<'h> {
    Term(Term<'h>),
    /// The last values are the parts of that term.
    Close(Term<'h>, usize),
}

/// Puts the parts of a term onto the stack; false for a term that has no written form.
fn parts<'h>(term: Term<'h>, pending: &mut Vec<Step<'h>>) -> bool {
    let from = pending.len();
    match term.view() {
        View::Cons(_) => {
            let mut cells = term.list();
            pending.extend(cells.by_ref().map(Step::Term));
            pending.push(Step::Term(cells.rest()));
        }
        View::Tuple(elements) => pending.extend(elements.iter().map(|element| Step::Term(*element))),
        View::Map(map) => {
            pending.extend(map.iter().flat_map(|(key, value)| [Step::Term(key), Step::Term(value)]))
        }
        _ => return false,
    }
    let count = pending.len() - from;
    pending[from..].reverse();
    pending.insert(from, Step::Close(term, count));
    true
}

struct Gather {
    out: Constants,
    atoms: HashMap<crate::atom::Atom, AtomIx>,
    /// Rows by the words of the terms they are, so that what is shared stays so.
    known: HashMap<u64, LitValue>,
}

impl Gather {
    fn row(&mut self, literal: Literal) -> LitValue {
        self.out.literals.push(literal);
        LitValue::Lit(LitIx(self.out.literals.len() as u32 - 1))
    }

    fn atom(&mut self, cx: &Cx<'_>, atom: crate::atom::Atom) -> AtomIx {
        *self.atoms.entry(atom).or_insert_with(|| {
            self.out.atoms.push(cx.atoms().text(atom).to_owned());
            AtomIx(self.out.atoms.len() as u32 - 1)
        })
    }

    /// The value of a term without parts, or of one that was written before.
    fn leaf(&mut self, cx: &Cx<'_>, term: Term<'_>) -> Option<LitValue> {
        if let Some(value) = self.known.get(&term.word().bits()) {
            return Some(*value);
        }
        let literal = match term.view() {
            View::Int(value) => return Some(LitValue::Int(value)),
            View::Atom(atom) => return Some(LitValue::Atom(self.atom(cx, atom))),
            View::Nil => return Some(LitValue::Nil),
            View::Float(value) => Literal::Float(value.to_bits()),
            View::Big(big) => {
                let magnitude: Vec<u8> = big.limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
                match <[u8; 8]>::try_from(&magnitude[..]).map(i64::from_le_bytes) {
                    // What is no small integer may still be one of those that tables hold as such.
                    Ok(value) if value >= 0 => {
                        return Some(LitValue::Int(if big.is_negative() { -value } else { value }));
                    }
                    _ => {
                        let length = magnitude.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                        Literal::Big { negative: big.is_negative(), magnitude: magnitude[..length].to_vec() }
                    }
                }
            }
            View::Bits(bits) => {
                let mut bytes = vec![0; bits.bit_length().div_ceil(8)];
                bits.copy_to(&mut bytes);
                Literal::Bits { bytes, bits: bits.bit_length() as u64 }
            }
            View::ExternalFun(fun) => Literal::Export {
                module: self.atom(cx, fun.module()),
                function: self.atom(cx, fun.function()),
                arity: fun.arity(),
            },
            _ => return None,
        };
        Some(self.row(literal))
    }

    fn close(&mut self, term: Term<'_>, mut taken: Vec<LitValue>) -> LitValue {
        let literal = match term.view() {
            View::Cons(_) => {
                let tail = taken.pop().unwrap_or(LitValue::Nil);
                let character = |item: &LitValue| match item {
                    LitValue::Int(c @ 0..=0x10_FFFF) => Some(*c as u32),
                    _ => None,
                };
                match taken.iter().map(character).collect::<Option<Vec<u32>>>() {
                    Some(text) if tail == LitValue::Nil => Literal::String(text),
                    _ => Literal::List { items: taken, tail },
                }
            }
            View::Map(_) => Literal::Map(taken.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()),
            _ => Literal::Tuple(taken),
        };
        let row = self.row(literal);
        self.known.insert(term.word().bits(), row);
        row
    }
}

/// `erlet_forms:to_bytes([Term]) -> binary()`: the terms, for another machine.
///
/// # Errors
/// `badarg` if something in them has no written form.
pub fn to_bytes<'h>(cx: &mut Cx<'h>, [terms]: [Term<'h>; 1]) -> BifResult<'h> {
    let mut tables = constants(cx, terms)?.ok_or_else(Stop::badarg)?;
    let [list] = tables.terms[..] else { return Err(Stop::badarg()) };
    tables.terms = match list {
        LitValue::Nil => Vec::new(),
        LitValue::Lit(row) => match &tables.literals[row.index()] {
            Literal::List { items, tail: LitValue::Nil } => items.clone(),
            _ => return Err(Stop::badarg()),
        },
        _ => return Err(Stop::badarg()),
    };
    Ok(cx.binary(&tables.to_bytes())?)
}

/// `erlet_forms:from_bytes(binary()) -> [Term]`: the terms of tables that another machine sent.
///
/// # Errors
/// `badarg` for other bytes.
pub fn from_bytes<'h>(cx: &mut Cx<'h>, [bytes]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = binary::bytes(cx, bytes)?.to_vec();
    let constants = Constants::from_bytes(&bytes).ok_or_else(Stop::badarg)?;
    let code = &cx.rt.code;
    let terms = built(cx, Vec::new(), &constants, code)?;
    Ok(cx.list(&terms)?)
}

/// `erlet_forms:compile(Forms, File, ExportAll, Flags) -> {ok, Module, Code, Warnings} | {error, Errors, Warnings}`, each of these
/// `{File, Line, Column, Code, Text, Further}`, where further places are `{Line, Column, Text}`. Flags are the names of
/// warnings, as strings.
///
/// # Errors
/// `badarg` if these are no forms, a string, a boolean and strings.
pub fn compile<'h>(cx: &mut Cx<'h>, [forms, name, export_all, flags]: [Term<'h>; 4]) -> BifResult<'h> {
    let constants = constants(cx, forms)?.ok_or_else(Stop::badarg)?;
    let name = chardata::text(cx, name)?.ok_or_else(Stop::badarg)?;
    let mut options =
        Options { export_all: export_all.as_boolean().ok_or_else(Stop::badarg)?, ..Options::default() };
    options.lint.flags = strings(cx, flags)?;
    Err(block(cx, JobKind::Bulk, move || compiled(compile_forms(&name, &constants, &options))))
}

fn strings<'h>(cx: &mut Cx<'h>, list: Term<'h>) -> Result<Vec<String>, Stop<'h>> {
    list.list().map(|item| chardata::text(cx, item)?.ok_or_else(Stop::badarg)).collect()
}

/// A message as it is told to programs.
struct Told {
    file: String,
    line: i64,
    column: i64,
    code: &'static str,
    text: String,
    further: Vec<(i64, i64, String)>,
}

fn compiled(compilation: Compilation) -> Answer {
    let Compilation { module, session } = compilation;
    let tell = |severity: Severity| -> Vec<Told> {
        let told = session.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity);
        let place = |span: Span| {
            let place = session.sources.outer_place(span);
            let column =
                place.map_or(1, |place| session.sources.get(place.source).line_column(place.start).column);
            (i64::from(session.sources.line(span)), i64::from(column))
        };
        told.map(|diagnostic| {
            let (line, column) = place(diagnostic.span);
            let further = diagnostic.labels.iter().map(|(span, text)| {
                let (line, column) = place(*span);
                (line, column, text.clone())
            });
            Told {
                file: session.sources.file(diagnostic.span).to_string_lossy().into_owned(),
                line,
                column,
                code: diagnostic.code.text(),
                text: diagnostic.title.clone(),
                further: further.collect(),
            }
        })
        .collect()
    };
    let (errors, warnings) = (tell(Severity::Error), tell(Severity::Warning));
    let module = module.map(|module| {
        let name = module.atoms[module.name.index()].clone();
        (name, erlet_lang::encode::encode(&module))
    });
    Box::new(move |heap| {
        let warnings = messages(heap, &warnings)?;
        match module {
            Some((name, code)) => {
                let name = heap.intern(&name)?;
                let code = heap.binary(&code)?;
                heap.tuple(&[Term::atom(known::OK), Term::atom(name), code, warnings])
            }
            None => {
                let errors = messages(heap, &errors)?;
                heap.tuple(&[Term::atom(known::ERROR), errors, warnings])
            }
        }
    })
}

fn messages<'h>(heap: &mut HeapRef<'h>, all: &[Told]) -> Result<Term<'h>, AllocError> {
    let mut terms = Vec::with_capacity(all.len());
    for told in all {
        let mut further = Vec::with_capacity(told.further.len());
        for (line, column, text) in &told.further {
            let parts = [heap.int(*line)?, heap.int(*column)?, heap.string(text)?];
            further.push(heap.tuple(&parts)?);
        }
        let parts = [
            heap.string(&told.file)?,
            heap.int(told.line)?,
            heap.int(told.column)?,
            heap.string(told.code)?,
            heap.string(&told.text)?,
            heap.list(&further)?,
        ];
        terms.push(heap.tuple(&parts)?);
    }
    heap.list(&terms)
}

/// `erlet_forms:file(Name, Shown, Folders, Defines, Columns) -> {ok, Forms} | {error, Posix}`: the forms of a source file;
/// included files are looked for in the folders, too. Defines are `{Name, Text}`.
///
/// # Errors
/// `badarg` if these are no file names, strings and boolean.
pub fn forms_of_file<'h>(
    cx: &mut Cx<'h>,
    [name, shown, folders, defines, columns]: [Term<'h>; 5],
) -> BifResult<'h> {
    let path = file::path(cx, name)?.ok_or_else(Stop::badarg)?;
    let shown = chardata::text(cx, shown)?.ok_or_else(Stop::badarg)?;
    let mut searched = Vec::new();
    for folder in folders.list() {
        let folder_shown = chardata::text(cx, folder)?.ok_or_else(Stop::badarg)?;
        searched.push((folder_shown, file::path(cx, folder)?.ok_or_else(Stop::badarg)?));
    }
    let mut options = ParseOptions { allow_hashbang: true, ..ParseOptions::default() };
    for define in defines.list() {
        let Some(&[macro_name, value]) = define.as_tuple() else { return Err(Stop::badarg()) };
        let name = chardata::text(cx, macro_name)?.ok_or_else(Stop::badarg)?;
        options.defines.push(Define { name, value: chardata::text(cx, value)? });
    }
    let columns = columns.as_boolean().ok_or_else(Stop::badarg)?;
    let machine = cx.rt.weak();
    let permission = file::Permission::of(cx);
    Err(block(cx, JobKind::File, move || {
        let bytes = match permission.to_read(&path).and_then(std::fs::read) {
            Ok(bytes) => bytes,
            Err(error) => return file::failure(&error),
        };
        let Some(rt) = machine.upgrade() else { return file::failure(&ErrorKind::Interrupted.into()) };
        let mut loader = Headers { rt: &rt, folders: &searched, permission: &permission };
        let forms = of_file(&shown, &bytes, &options, &mut loader, columns).forms;
        answered(rt, forms)
    }))
}

fn answered(rt: Arc<Runtime>, forms: Constants) -> Answer {
    Box::new(move |heap| {
        let terms = built(heap, Vec::new(), &forms, &rt.code)?;
        let list = heap.list(&terms)?;
        heap.tuple(&[Term::atom(known::OK), list])
    })
}

/// Included files: beside the including one, in the folders, and the library's own.
struct Headers<'r> {
    rt: &'r Runtime,
    /// As they are shown, and as they are.
    folders: &'r [(String, PathBuf)],
    permission: &'r file::Permission,
}

impl Loader for Headers<'_> {
    fn include(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let own = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let beside =
            self.rt.environment.resolve(&own).ok().map(|found| (own.to_string_lossy().into_owned(), found));
        let others = self.folders.iter().map(|(shown, folder)| {
            let shown = if shown.is_empty() { path.to_owned() } else { format!("{shown}/{path}") };
            (shown, folder.join(path))
        });
        for (shown, file) in beside.into_iter().chain(others) {
            // What may not be read is not there.
            let Ok(file) = self.permission.to_read(&file) else { continue };
            match std::fs::read(&file) {
                Ok(bytes) => return Ok((shown, bytes)),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => return Err(IncludeError::Unreadable(error.to_string())),
            }
        }
        Err(IncludeError::NotFound)
    }

    fn include_lib(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let found = match (self.include(path, from), path.split_once('/')) {
            (Err(IncludeError::NotFound), Some((_, rest))) => self.include(rest, from),
            (found, _) => found,
        };
        match (found, self.rt.code.header(path)) {
            (Err(IncludeError::NotFound), Some(text)) => Ok((path.to_owned(), text.as_bytes().to_vec())),
            (found, _) => found,
        }
    }
}
