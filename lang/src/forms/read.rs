//! The other direction: forms of the abstract format as syntax trees.
//!
//! Programs make forms as they like, so nothing about them is believed: what is no form is refused with its place. Reading
//! recurses, with the limit of depth that trees have, so it runs on the stack that compilation has, too.
//!
//! Places in annotations become places in texts: in the text that the file had, where it is known, else in a text of blanks
//! that is large enough. So diagnostics and stack traces tell lines as for any source.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::ast::*;
use crate::bytecode::{AtomIx, LitValue, Literal};
use crate::constants::Constants;
use crate::parse::build::depth_of;
use crate::{Code, Diagnostic, Int, Name, Session, SourceId, Sources, Span, known};

/// What a form could not be read for: the place of the part that is none.
pub(super) type Read<T> = Result<T, Refused>;

/// A part that is not of the abstract format.
#[derive(Debug)]
pub(super) struct Refused {
    span: Span,
    title: String,
}

/// The largest text of blanks made for a file without text.
const MAX_BLANKS: usize = 1 << 24;

/// Reads forms; what is no form is reported and left out. `originals` are texts that places may be in.
pub fn file(session: &mut Session, forms: &Constants, originals: &Sources) -> File {
    match on_compile_stack(|| file_here(session, forms, originals)) {
        Ok(file) => file,
        Err(error) => {
            let title = format!("no thread to read forms on: {error}");
            session.diagnostics.push(Diagnostic::new(Code::NotSupported, Span::NONE, title));
            File::default()
        }
    }
}

fn file_here(session: &mut Session, forms: &Constants, originals: &Sources) -> File {
    let names = forms.atoms.iter().map(|text| session.names.intern(text)).collect();
    let mut reader = Reader {
        names,
        forms,
        texts: HashMap::new(),
        blanks: Arc::from(""),
        current: None,
        last: Span::NONE,
        depth: 0,
        generated: HashSet::new(),
        written: HashSet::new(),
        session,
    };
    reader.blanks = reader.enough_blanks();
    for (_, source) in originals.iter() {
        reader.texts.insert(source.path.clone(), Err(source.text.clone()));
    }
    reader.enter("nofile");
    let mut file = File::default();
    let list: Vec<LitValue> = match forms.terms[..] {
        [list] => reader.list(list).unwrap_or_default(),
        _ => forms.terms.clone(),
    };
    for form in list {
        match reader.form(form) {
            Ok(form) => file.forms.extend(form),
            Err(refused) => {
                let diagnostic = Diagnostic::new(Code::Syntax, refused.span, refused.title);
                reader.session.diagnostics.push(diagnostic);
            }
        }
    }
    file.end = reader.last;
    let generated = reader.generated.difference(&reader.written).copied().collect();
    reader.session.generated = generated;
    file
}

pub(super) struct Reader<'r> {
    session: &'r mut Session,
    forms: &'r Constants,
    /// The names of the forms' atoms.
    names: Vec<Name>,
    /// Files that were entered, and the texts of others.
    texts: HashMap<PathBuf, Result<SourceId, Arc<str>>>,
    blanks: Arc<str>,
    current: Option<SourceId>,
    /// The place read last, for parts without one.
    last: Span,
    depth: u32,
    /// Where nodes begin that programs made, and where others do.
    generated: HashSet<u32>,
    written: HashSet<u32>,
}

impl<'r> Reader<'r> {
    // Terms.

    fn row(&self, value: LitValue) -> Option<&'r Literal> {
        match value {
            LitValue::Lit(row) => self.forms.literals.get(row.index()),
            _ => None,
        }
    }

    fn tuple(&self, value: LitValue) -> Option<&'r [LitValue]> {
        match self.row(value) {
            Some(Literal::Tuple(elements)) => Some(elements),
            _ => None,
        }
    }

    fn name_of(&self, atom: AtomIx) -> Name {
        self.names[atom.index()]
    }

    /// Whether a value is that atom.
    fn is(&self, value: LitValue, text: &str) -> bool {
        matches!(value, LitValue::Atom(atom) if self.forms.atoms[atom.index()] == text)
    }

    /// The elements of a tuple.
    pub(super) fn parts(&self, value: LitValue) -> Option<&'r [LitValue]> {
        self.tuple(value)
    }

    pub(super) fn is_text(&self, name: Name, text: &str) -> bool {
        self.session.names.text(name) == text
    }

    pub(super) fn refuse<T>(&self, what: &str) -> Read<T> {
        self.refused(what)
    }

    fn refused<T>(&self, what: &str) -> Read<T> {
        Err(Refused { span: self.last, title: format!("this is no {what} of the abstract format") })
    }

    pub(super) fn atom(&self, value: LitValue) -> Read<Name> {
        match value {
            LitValue::Atom(atom) => Ok(self.name_of(atom)),
            _ => self.refused("name"),
        }
    }

    pub(super) fn int(&self, value: LitValue) -> Option<Int> {
        match (value, self.row(value)) {
            (LitValue::Int(value), _) => Some(Int::Small(value)),
            (_, Some(Literal::Big { negative, magnitude })) => {
                let value = dashu_int::IBig::from(dashu_int::UBig::from_le_bytes(magnitude));
                Some(Int::from(if *negative { -value } else { value }))
            }
            _ => None,
        }
    }

    /// The items of a proper list.
    pub(super) fn list(&self, value: LitValue) -> Read<Vec<LitValue>> {
        match (value, self.row(value)) {
            (LitValue::Nil, _) => Ok(Vec::new()),
            (_, Some(Literal::List { items, tail })) => {
                let mut all = items.clone();
                let mut rest = *tail;
                while let Some(Literal::List { items, tail }) = self.row(rest) {
                    all.extend_from_slice(items);
                    rest = *tail;
                }
                match self.row(rest) {
                    Some(Literal::String(more)) => {
                        all.extend(more.iter().map(|&c| LitValue::Int(i64::from(c))))
                    }
                    _ if rest != LitValue::Nil => return self.refused("list"),
                    _ => {}
                }
                Ok(all)
            }
            (_, Some(Literal::String(items))) => {
                Ok(items.iter().map(|&c| LitValue::Int(i64::from(c))).collect())
            }
            _ => self.refused("list"),
        }
    }

    fn text(&self, value: LitValue) -> Option<String> {
        let character = |item: &LitValue| match item {
            LitValue::Int(c) => u32::try_from(*c).ok().and_then(char::from_u32),
            _ => None,
        };
        self.list(value).ok()?.iter().map(character).collect()
    }

    /// A node: its tag, and what stands behind its annotation, whose place becomes the last.
    pub(super) fn node(&mut self, value: LitValue, what: &str) -> Read<(&'r str, &'r [LitValue])> {
        match self.tuple(value) {
            Some([LitValue::Atom(tag), anno, parts @ ..]) => {
                self.last = self.place(*anno);
                let at = self.last.start;
                if self.is_generated(*anno) {
                    self.generated.insert(at)
                } else {
                    self.written.insert(at)
                };
                Ok((&self.forms.atoms[tag.index()], parts))
            }
            _ => self.refused(what),
        }
    }

    pub(super) fn span(&self) -> Span {
        self.last
    }

    /// Goes one level down.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Refused { span: self.last, title: "this is nested too deeply".to_owned() });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn all<T>(
        &mut self,
        list: LitValue,
        read: impl Fn(&mut Self, LitValue) -> Read<T>,
    ) -> Read<Vec<T>> {
        self.list(list)?.into_iter().map(|item| read(self, item)).collect()
    }

    // Places.

    /// Line and column of an annotation.
    fn location(&self, anno: LitValue) -> Option<(u32, u32)> {
        let line = |value: i64| u32::try_from(value).ok();
        match (anno, self.row(anno)) {
            (LitValue::Int(value), _) => Some((line(value)?, 1)),
            (_, Some(Literal::Tuple(pair))) => match pair[..] {
                [LitValue::Int(value), LitValue::Int(column)] => Some((line(value)?, line(column)?)),
                _ => None,
            },
            (_, Some(Literal::List { items, .. })) => items.iter().find_map(|item| match self.tuple(*item) {
                Some(&[key, value]) if self.is(key, "location") && value != anno => self.location(value),
                _ => None,
            }),
            _ => None,
        }
    }

    fn is_generated(&self, anno: LitValue) -> bool {
        let Some(Literal::List { items, .. }) = self.row(anno) else { return false };
        items.iter().any(|item| match self.tuple(*item) {
            Some(&[key, value]) => self.is(key, "generated") && self.is(value, "true"),
            _ => false,
        })
    }

    fn place(&self, anno: LitValue) -> Span {
        let (Some((line, column)), Some(current)) = (self.location(anno), self.current) else {
            return self.last;
        };
        let source = self.session.sources.get(current);
        let start = source.offset(line, column) as usize;
        let rest = source.text.get(start..).unwrap_or("");
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
        let length = match rest.find(|c| !word(c)) {
            Some(0) => rest.chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8),
            Some(length) => length,
            None => rest.len(),
        };
        self.session.sources.span(current, start, start + length)
    }

    /// Blanks for every line and column that an annotation of the forms may name.
    fn enough_blanks(&self) -> Arc<str> {
        let (mut lines, mut columns) = (1, 1);
        for literal in &self.forms.literals {
            if let Literal::Tuple(elements) = literal
                && let [LitValue::Atom(_), anno, ..] = elements[..]
                && let Some((line, column)) = self.location(anno)
            {
                // Beyond reason, as lines that programs make up may be, is left alone.
                lines = lines.max(if (line as usize) < MAX_BLANKS { line as usize } else { 1 });
                columns = columns.max(if column < 1_000 { column as usize } else { 1 });
            }
        }
        if lines * (columns + 1) > MAX_BLANKS {
            columns = 0;
        }
        (" ".repeat(columns) + "\n").repeat(lines).into()
    }

    /// What follows stands in that file.
    fn enter(&mut self, path: &str) {
        let path = PathBuf::from(path);
        let text = match self.texts.get(&path) {
            Some(Ok(id)) => {
                self.current = Some(*id);
                return;
            }
            Some(Err(text)) => text.clone(),
            None => self.blanks.clone(),
        };
        if let Some(id) = self.session.sources.add(path.clone(), text) {
            self.texts.insert(path, Ok(id));
            self.current = Some(id);
        }
    }

    // Forms.

    /// A form; nothing for those that only say something about others.
    fn form(&mut self, value: LitValue) -> Read<Option<Form>> {
        let whole = self.tuple(value);
        if let Some(&[tag, info]) = whole
            && (self.is(tag, "error") || self.is(tag, "warning") || self.is(tag, "eof"))
        {
            return self.remark(tag, info).map(|()| None);
        }
        let (tag, parts) = self.node(value, "form")?;
        let span = self.last;
        let kind = match (tag, parts) {
            ("function", &[name, arity, clauses]) => {
                let name = Ident { name: self.atom(name)?, span };
                let arity = self.arity(arity)?;
                let clauses = self.all(clauses, Self::clause)?;
                if clauses.is_empty() || clauses.iter().any(|clause| clause.patterns.len() != arity as usize)
                {
                    self.last = span;
                    return self.refused("function");
                }
                FormKind::Function(Function { name, arity, clauses })
            }
            ("attribute", &[name, value]) => match self.attribute(name, value)? {
                Some(kind) => kind,
                None => return Ok(None),
            },
            _ => return self.refused("form"),
        };
        Ok(Some(Form { span, kind }))
    }

    /// `{error, Info}`, `{warning, Info}`, `{eof, Place}`
    fn remark(&mut self, tag: LitValue, info: LitValue) -> Read<()> {
        if self.is(tag, "eof") {
            self.last = self.place(info);
            return Ok(());
        }
        let Some(&[anno, _, description]) = self.tuple(info) else { return self.refused("form") };
        let span = self.place(anno);
        let parts = self.list(description).unwrap_or_default();
        let text = self.text(description).or_else(|| parts.iter().map(|part| self.text(*part)).collect());
        let title = text.unwrap_or_else(|| "this form has an error".to_owned());
        let code = if self.is(tag, "error") { Code::Syntax } else { Code::WarningDirective };
        self.session.diagnostics.push(Diagnostic::new(code, span, title));
        Ok(())
    }

    fn arity(&self, value: LitValue) -> Read<u32> {
        match value {
            LitValue::Int(arity @ 0..=255) => Ok(arity as u32),
            _ => self.refused("arity"),
        }
    }

    fn ident(&self, value: LitValue) -> Read<Ident> {
        Ok(Ident { name: self.atom(value)?, span: self.last })
    }

    fn function_name(&mut self, value: LitValue) -> Read<FunctionName> {
        match self.tuple(value) {
            Some(&[name, arity]) => {
                Ok(FunctionName { span: self.last, name: self.atom(name)?, arity: self.arity(arity)? })
            }
            _ => self.refused("function's name"),
        }
    }

    fn attribute(&mut self, name: LitValue, value: LitValue) -> Read<Option<FormKind>> {
        let name = self.ident(name)?;
        Ok(Some(match name.name {
            known::FILE => {
                if let Some(&[path, _]) = self.tuple(value)
                    && let Some(path) = self.text(path)
                {
                    self.enter(&path);
                }
                return Ok(None);
            }
            known::MODULE => FormKind::Module(self.ident(value)?),
            known::BEHAVIOUR | known::BEHAVIOR => FormKind::Behaviour(self.ident(value)?),
            known::EXPORT => FormKind::Export(self.all(value, Self::function_name)?),
            known::EXPORT_TYPE => FormKind::ExportType(self.all(value, Self::function_name)?),
            // What names no functions is any attribute, as in source.
            known::OPTIONAL_CALLBACKS => match self.all(value, Self::function_name) {
                Ok(names) => FormKind::OptionalCallbacks(names),
                Err(_) => FormKind::Attribute { name, value: self.constant(value)? },
            },
            known::NIFS => FormKind::Nifs(self.all(value, Self::function_name)?),
            known::ON_LOAD => FormKind::OnLoad(self.function_name(value)?),
            known::IMPORT => match self.tuple(value) {
                Some(&[module, functions]) => FormKind::Import {
                    module: self.ident(module)?,
                    functions: self.all(functions, Self::function_name)?,
                },
                _ => return self.refused("import"),
            },
            known::RECORD => match self.tuple(value) {
                Some(&[record, fields]) => FormKind::Record(RecordDefinition {
                    name: self.ident(record)?,
                    fields: self.all(fields, Self::field_definition)?,
                }),
                _ => return self.refused("record"),
            },
            known::TYPE | known::OPAQUE | known::NOMINAL => self.type_definition(name.name, value)?,
            known::SPEC | known::CALLBACK => self.spec(name.name == known::CALLBACK, value)?,
            known::COMPILE => FormKind::Compile(self.constant(value)?),
            known::DOC | known::MODULEDOC => {
                FormKind::Doc { module: name.name == known::MODULEDOC, value: self.constant(value)? }
            }
            _ => FormKind::Attribute { name, value: self.constant(value)? },
        }))
    }

    fn field_definition(&mut self, value: LitValue) -> Read<RecordFieldDefinition> {
        if let Some(&[tag, field, ty]) = self.tuple(value)
            && self.is(tag, "typed_record_field")
        {
            let mut field = self.field_definition(field)?;
            field.ty = Some(self.ty(ty)?);
            return Ok(field);
        }
        let (tag, parts) = self.node(value, "field")?;
        let span = self.last;
        let (name, default) = match (tag, parts) {
            ("record_field", &[name]) => (name, None),
            ("record_field", &[name, default]) => (name, Some(default)),
            _ => return self.refused("field"),
        };
        let name = self.leaf(name, "atom")?;
        let default = default.map(|default| self.expr(default)).transpose()?;
        Ok(RecordFieldDefinition { span, name, default, ty: None })
    }

    /// `{Tag, Anno, Name}`
    pub(super) fn leaf(&mut self, value: LitValue, wanted: &str) -> Read<Ident> {
        match self.node(value, "name")? {
            (tag, &[name]) if tag == wanted => self.ident(name),
            _ => self.refused("name"),
        }
    }

    /// A term as the constant expression that stands for it.
    fn constant(&mut self, value: LitValue) -> Read<Expr> {
        self.nested(|reader| reader.constant_here(value))
    }

    fn constant_here(&mut self, value: LitValue) -> Read<Expr> {
        let kind = match value {
            LitValue::Int(_) => return self.number(value),
            LitValue::Atom(atom) => ExprKind::Atom(self.name_of(atom)),
            LitValue::Nil => ExprKind::List { elements: Vec::new(), tail: None },
            LitValue::Lit(_) => match self.row(value) {
                Some(Literal::Big { .. } | Literal::Float(_)) => return self.number(value),
                Some(Literal::String(_)) if self.text(value).is_some() => {
                    ExprKind::Str(self.text(value).unwrap_or_default().into())
                }
                Some(Literal::List { .. } | Literal::String(_)) => {
                    ExprKind::List { elements: self.all(value, Self::constant)?, tail: None }
                }
                Some(Literal::Tuple(elements)) => {
                    let elements = elements.iter().map(|element| self.constant(*element));
                    ExprKind::Tuple(elements.collect::<Read<_>>()?)
                }
                Some(Literal::Map(pairs)) => {
                    let mut fields = Vec::with_capacity(pairs.len());
                    for &(key, value) in pairs {
                        let (key, value) = (self.constant(key)?, self.constant(value)?);
                        fields.push(MapField { span: self.last, exact: false, key, value });
                    }
                    ExprKind::Map { base: None, fields }
                }
                Some(Literal::Bits { bytes, bits }) if bits % 8 == 0 => {
                    let byte = |byte: &u8| Segment {
                        span: self.last,
                        value: Expr {
                            span: self.last,
                            depth: 1,
                            kind: ExprKind::Int(i64::from(*byte).into()),
                        },
                        size: None,
                        types: Vec::new(),
                    };
                    ExprKind::Binary(bytes.iter().map(byte).collect())
                }
                _ => return self.refused("constant"),
            },
        };
        Ok(self.make(kind))
    }

    pub(super) fn make(&self, kind: ExprKind) -> Expr {
        Expr { span: self.last, depth: depth_of(&kind) + 1, kind }
    }

    /// A number as an expression: a negative one is a sign and a number.
    pub(super) fn number(&self, value: LitValue) -> Read<Expr> {
        let (kind, negative) = match (self.int(value), self.row(value)) {
            (Some(value), _) => {
                let big = value.to_big();
                let negative = big < dashu_int::IBig::ZERO;
                (ExprKind::Int(if negative { Int::from(-big) } else { value }), negative)
            }
            (None, Some(Literal::Float(bits))) => {
                let float = f64::from_bits(*bits);
                (ExprKind::Float(float.abs()), float.is_sign_negative())
            }
            _ => return self.refused("number"),
        };
        let number = self.make(kind);
        Ok(match negative {
            true => self.make(ExprKind::Unary { op: UnaryOp::Minus, operand: Box::new(number) }),
            false => number,
        })
    }

    pub(super) fn string(&self, value: LitValue) -> Read<ExprKind> {
        match self.text(value) {
            Some(text) => Ok(ExprKind::Str(text.into())),
            None => {
                let items = self.list(value)?;
                let elements = items.into_iter().map(|item| self.number(item)).collect::<Read<_>>()?;
                Ok(ExprKind::List { elements, tail: None })
            }
        }
    }
}
