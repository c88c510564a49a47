//! From text to a module.

use super::cursor::{Cursor, Wrong};
use super::operand::{Text, read_instr, read_mfa};
use crate::bytecode::{
    AtomIx, FnIx, Function, Import, ImportIx, Instr, Label, Lambda, Line, LineIx, LitValue, Literal, Module,
    Src,
};
use std::collections::BTreeMap;
use std::fmt;

/// Why a text is not a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for AsmError {}

/// The module that `text` describes; it is not verified.
///
/// # Errors
/// The first line that is no statement, or names a function that is not there.
pub fn parse(text: &str) -> Result<Module, AsmError> {
    let mut builder = Builder::new();
    // Tables first, then what functions there are, then code and whatever else names any of them.
    for pass in [Builder::table, Builder::header, Builder::body] {
        for (number, line) in (1..).zip(text.lines()) {
            let mut cursor = Cursor::new(line);
            if !cursor.at_end() {
                pass(&mut builder, &mut cursor).map_err(|message| AsmError { line: number, message })?;
            }
        }
    }
    Ok(builder.module)
}

/// A module under construction.
pub(super) struct Builder {
    module: Module,
    atoms: BTreeMap<String, AtomIx>,
    imports: BTreeMap<(AtomIx, AtomIx, u8), ImportIx>,
    functions: BTreeMap<(AtomIx, u8), FnIx>,
    lines: BTreeMap<(u32, u32), LineIx>,
    /// The function whose code is read.
    current: Option<FnIx>,
}

impl Builder {
    fn new() -> Self {
        Builder {
            module: Module {
                name: AtomIx(0),
                atoms: Vec::new(),
                literals: Vec::new(),
                imports: Vec::new(),
                functions: Vec::new(),
                lambdas: Vec::new(),
                lines: Vec::new(),
                files: Vec::new(),
                attributes: Vec::new(),
                on_load: None,
                md5: [0; 16],
            },
            atoms: BTreeMap::new(),
            imports: BTreeMap::new(),
            functions: BTreeMap::new(),
            lines: BTreeMap::new(),
            current: None,
        }
    }

    /// The row of an atom, made if it is new.
    pub fn atom(&mut self, text: &str) -> Result<AtomIx, Wrong> {
        if let Some(atom) = self.atoms.get(text) {
            return Ok(*atom);
        }
        let atom = AtomIx(row_number(&self.module.atoms)?);
        self.module.atoms.push(text.to_owned());
        self.atoms.insert(text.to_owned(), atom);
        Ok(atom)
    }

    /// The row of an external function, made if it is new.
    pub fn import(&mut self, import: Import) -> Result<ImportIx, Wrong> {
        let key = (import.module, import.function, import.arity);
        if let Some(row) = self.imports.get(&key) {
            return Ok(*row);
        }
        let row = ImportIx(row_number(&self.module.imports)?);
        self.module.imports.push(import);
        self.imports.insert(key, row);
        Ok(row)
    }

    /// The row of a place in a file, made if it is new.
    pub fn line(&mut self, file: &str, line: u32) -> Result<LineIx, Wrong> {
        let file = self.file(file)?;
        if let Some(row) = self.lines.get(&(file, line)) {
            return Ok(*row);
        }
        let row = LineIx(row_number(&self.module.lines)?);
        self.module.lines.push(Line { file, line });
        self.lines.insert((file, line), row);
        Ok(row)
    }

    fn file(&mut self, name: &str) -> Result<u32, Wrong> {
        let next = row_number(&self.module.files)?;
        if let Some((known, _)) = (0..).zip(&self.module.files).find(|(_, file)| *file == name) {
            return Ok(known);
        }
        self.module.files.push(name.to_owned());
        Ok(next)
    }

    /// The row of a function, which must be there.
    pub fn function(&self, name: AtomIx, arity: u8) -> Result<FnIx, Wrong> {
        let found = self.functions.get(&(name, arity)).copied();
        found.ok_or_else(|| format!("there is no function {}/{arity}", self.module.atoms[name.index()]))
    }

    /// First pass: the statements whose order makes the rows of tables.
    fn table(&mut self, cursor: &mut Cursor) -> Result<(), Wrong> {
        if cursor.eat_word("atoms") {
            return self.rows(cursor, |builder, cursor| AtomIx::read(builder, "", cursor).map(|_| ()));
        }
        if cursor.eat_word("imports") {
            return self.rows(cursor, |builder, cursor| ImportIx::read(builder, "", cursor).map(|_| ()));
        }
        if cursor.eat_word("lines") {
            return self.rows(cursor, |builder, cursor| LineIx::read(builder, "", cursor).map(|_| ()));
        }
        if cursor.eat_word("file") {
            let file = cursor.quoted_text('"')?;
            self.module.files.push(file);
            return cursor.end();
        }
        Ok(())
    }

    fn rows(
        &mut self,
        cursor: &mut Cursor,
        mut read: impl FnMut(&mut Self, &mut Cursor) -> Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        read(self, cursor)?;
        while !cursor.at_end() {
            cursor.expect(",")?;
            read(self, cursor)?;
        }
        Ok(())
    }

    /// Second pass: names of module and functions.
    fn header(&mut self, cursor: &mut Cursor) -> Result<(), Wrong> {
        if cursor.eat_word("module") {
            self.module.name = AtomIx::read(self, "", cursor)?;
            return cursor.end();
        }
        if !cursor.eat_word("function") {
            return Ok(());
        }
        let name = AtomIx::read(self, "", cursor)?;
        cursor.expect("/")?;
        let arity = cursor.number()?;
        let exported = cursor.eat_word("exported");
        let mut contexts = Vec::new();
        if cursor.eat_word("contexts") {
            contexts.push(cursor.number()?);
            while !cursor.at_end() {
                cursor.expect(",")?;
                contexts.push(cursor.number()?);
            }
        }
        cursor.end()?;
        let row = FnIx(row_number(&self.module.functions)?);
        self.functions.entry((name, arity)).or_insert(row);
        self.module.functions.push(Function { name, arity, exported, contexts, labels: 0, code: Vec::new() });
        Ok(())
    }

    /// Last pass: code, and the tables that name functions and atoms.
    fn body(&mut self, cursor: &mut Cursor) -> Result<(), Wrong> {
        if cursor.peek() == Some('L') {
            let label = Label::read(self, "", cursor)?;
            cursor.expect(":")?;
            cursor.end()?;
            return self.push(Instr::Label { label });
        }
        match cursor.word() {
            "" => Err(format!("no statement: `{}`", cursor.rest())),
            "module" | "file" | "atoms" | "imports" | "lines" => Ok(()),
            "function" => {
                self.current = Some(self.current.map_or(FnIx(0), |current| FnIx(current.0 + 1)));
                Ok(())
            }
            "literal" => self.literal(cursor),
            "lambda" => self.lambda(cursor),
            "attribute" => {
                let name = AtomIx::read(self, "", cursor)?;
                cursor.expect("=")?;
                let value = self.value(cursor)?;
                self.module.attributes.push((name, value));
                cursor.end()
            }
            "on_load" => {
                self.module.on_load = Some(FnIx::read(self, "", cursor)?);
                cursor.end()
            }
            "md5" => self.md5(cursor),
            mnemonic => {
                let instr = read_instr(self, mnemonic, cursor)?;
                cursor.end()?;
                self.push(instr)
            }
        }
    }

    fn push(&mut self, instr: Instr) -> Result<(), Wrong> {
        let current = self.current.ok_or("an instruction outside of any function")?;
        let function = &mut self.module.functions[current.index()];
        function.labels += u32::from(matches!(instr, Instr::Label { .. }));
        function.code.push(instr);
        Ok(())
    }

    fn lambda(&mut self, cursor: &mut Cursor) -> Result<(), Wrong> {
        let number: u32 = cursor.number()?;
        if number != row_number(&self.module.lambdas)? {
            return Err("lambdas are numbered in order from 0".to_owned());
        }
        cursor.expect("=")?;
        let function = FnIx::read(self, "", cursor)?;
        let (free, uniq) = (cursor.named("free")?, cursor.named("uniq")?);
        self.module.lambdas.push(Lambda { function, free, uniq });
        cursor.end()
    }

    fn md5(&mut self, cursor: &mut Cursor) -> Result<(), Wrong> {
        let digits = cursor.word();
        let number = u128::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 32);
        self.module.md5 = number.ok_or("md5 has 32 hexadecimal digits")?.to_be_bytes();
        cursor.end()
    }

    fn literal(&mut self, cursor: &mut Cursor) -> Result<(), Wrong> {
        cursor.expect("#")?;
        let number: u32 = cursor.number()?;
        if number != row_number(&self.module.literals)? {
            return Err("literals are numbered in order from 0".to_owned());
        }
        cursor.expect("=")?;
        let literal = self.literal_row(cursor)?;
        self.module.literals.push(literal);
        cursor.end()
    }

    fn literal_row(&mut self, cursor: &mut Cursor) -> Result<Literal, Wrong> {
        if cursor.peek() == Some('"') {
            return cursor.quoted('"').map(Literal::String);
        }
        if cursor.eat("[") {
            let mut tail = LitValue::Nil;
            let items = cursor.list("]", |cursor| {
                let item = self.value(cursor)?;
                if cursor.eat("|") {
                    tail = self.value(cursor)?;
                }
                Ok(item)
            })?;
            return Ok(Literal::List { items, tail });
        }
        if cursor.eat("{") {
            return cursor.list("}", |cursor| self.value(cursor)).map(Literal::Tuple);
        }
        if cursor.eat("#{") {
            let pair = |cursor: &mut Cursor| {
                let key = self.value(cursor)?;
                cursor.expect("=>")?;
                Ok((key, self.value(cursor)?))
            };
            return cursor.list("}", pair).map(Literal::Map);
        }
        match cursor.word() {
            "big" => {
                let negative = cursor.eat("-");
                let mut magnitude = hex_bytes(cursor)?;
                magnitude.reverse();
                Ok(Literal::Big { negative, magnitude })
            }
            "float" => float(cursor),
            "bits" => {
                let bits = cursor.number()?;
                Ok(Literal::Bits { bits, bytes: hex_bytes(cursor)? })
            }
            "fun" => {
                let Import { module, function, arity } = read_mfa(self, cursor)?;
                Ok(Literal::Export { module, function, arity })
            }
            _ => Err("no literal".to_owned()),
        }
    }

    fn value(&mut self, cursor: &mut Cursor) -> Result<LitValue, Wrong> {
        match Src::read(self, "", cursor)? {
            Src::Int(value) => Ok(LitValue::Int(value)),
            Src::Atom(atom) => Ok(LitValue::Atom(atom)),
            Src::Nil => Ok(LitValue::Nil),
            Src::Lit(lit) => Ok(LitValue::Lit(lit)),
            Src::X(_) | Src::Y(_) => Err("a register in a literal".to_owned()),
        }
    }
}

fn row_number<T>(rows: &[T]) -> Result<u32, Wrong> {
    u32::try_from(rows.len()).map_err(|_| "too many rows".to_owned())
}

/// `16#` and two digits a byte.
fn hex_bytes(cursor: &mut Cursor) -> Result<Vec<u8>, Wrong> {
    cursor.expect("16#")?;
    let digits = cursor.word();
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return Err("two hexadecimal digits a byte".to_owned());
    }
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).map_err(|_| format!("no bytes: `{digits}`"));
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// A float in Rust's notation, or its bits after `16#`.
fn float(cursor: &mut Cursor) -> Result<Literal, Wrong> {
    if cursor.rest().starts_with("16#") {
        return cursor.number().map(Literal::Float);
    }
    let text = cursor.until_space();
    let value: f64 = text.parse().map_err(|_| format!("no float: `{text}`"))?;
    Ok(Literal::Float(value.to_bits()))
}
