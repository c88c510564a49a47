//! How each type of operand is written and read.

use super::cursor::{Cursor, Wrong};
use super::parse::Builder;
use crate::bytecode::{
    AtomIx, BitFlags, BuildSegment, Endian, Fail, FnIx, Import, ImportIx, Instr, Label, LambdaIx, LineIx,
    LitIx, Module, Reg, SegmentKind, Size, Src,
};
use std::fmt::Write;

/// A type of operand as text. `name` is the operand's name in its row, empty inside of others.
pub(super) trait Text: Sized {
    fn write(&self, module: &Module, name: &str, out: &mut String);
    fn read(builder: &mut Builder, name: &str, cursor: &mut Cursor) -> Result<Self, Wrong>;
}

/// Operands of type [`Src`] that are shown with their names.
const NAMED: [&str; 3] = ["size", "time", "arity"];

macro_rules! rows_as_text {
    ($( $row:ident $mnemonic:literal { $($field:ident: $ty:ty),* } )*) => {
        /// Mnemonic and operands.
        pub(super) fn write_instr(module: &Module, instr: &Instr, out: &mut String) {
            out.push_str(instr.mnemonic());
            match instr { $( Instr::$row { $($field),* } => {
                let _before = " ";
                $(
                    out.push_str(_before);
                    Text::write($field, module, stringify!($field), out);
                    let _before = ", ";
                )*
            } )* }
        }

        /// The operands of the instruction called `mnemonic`.
        pub(super) fn read_instr(
            builder: &mut Builder,
            mnemonic: &str,
            cursor: &mut Cursor,
        ) -> Result<Instr, Wrong> {
            match mnemonic {
                $( $mnemonic => {
                    let _before = "";
                    $(
                        cursor.expect(_before)?;
                        let $field: $ty = Text::read(builder, stringify!($field), cursor)?;
                        let _before = ",";
                    )*
                    Ok(Instr::$row { $($field),* })
                } )*
                _ => Err(format!("there is no instruction `{mnemonic}`")),
            }
        }
    };
}

for_each_instruction!(rows_as_text);

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl Text for $ty {
            fn write(&self, _module: &Module, name: &str, out: &mut String) {
                write_name(name, out);
                put(out, format_args!("{self}"));
            }

            fn read(_builder: &mut Builder, name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
                if name.is_empty() { cursor.number() } else { cursor.named(name) }
            }
        }
    )*};
}

numbers! { u8 u16 u32 }

impl Text for Reg {
    fn write(&self, _module: &Module, _name: &str, out: &mut String) {
        match self {
            Reg::X(n) => put(out, format_args!("x{n}")),
            Reg::Y(n) => put(out, format_args!("y{n}")),
        }
    }

    fn read(_builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        let word = cursor.word();
        register(word).ok_or_else(|| format!("expected a register, not `{word}`"))
    }
}

impl Text for Src {
    fn write(&self, module: &Module, name: &str, out: &mut String) {
        if NAMED.contains(&name) {
            write_name(name, out);
        }
        match self {
            Src::X(n) => put(out, format_args!("x{n}")),
            Src::Y(n) => put(out, format_args!("y{n}")),
            Src::Int(value) => put(out, format_args!("{value}")),
            Src::Atom(atom) => atom.write(module, "", out),
            Src::Nil => out.push_str("[]"),
            Src::Lit(lit) => lit.write(module, "", out),
        }
    }

    fn read(builder: &mut Builder, name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        if NAMED.contains(&name) {
            cursor.expect(name)?;
            cursor.expect("=")?;
        }
        match cursor.peek() {
            Some('[') => {
                cursor.expect("[")?;
                cursor.expect("]")?;
                Ok(Src::Nil)
            }
            Some('#') => Ok(Src::Lit(Text::read(builder, "", cursor)?)),
            Some('\'') => Ok(Src::Atom(Text::read(builder, "", cursor)?)),
            Some(next) if next == '-' || next.is_ascii_digit() => Ok(Src::Int(cursor.number()?)),
            _ => {
                let word = cursor.word();
                match register(word) {
                    Some(reg) => Ok(reg.into()),
                    None if word.is_empty() => Err(format!("expected a value before `{}`", cursor.rest())),
                    None => Ok(Src::Atom(builder.atom(word)?)),
                }
            }
        }
    }
}

impl Text for Size {
    fn write(&self, module: &Module, _name: &str, out: &mut String) {
        match self {
            Size::Units(units) => units.write(module, "size", out),
            Size::All => out.push_str("size=all"),
        }
    }

    fn read(builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        if cursor.eat_word("size=all") {
            Ok(Size::All)
        } else {
            Text::read(builder, "size", cursor).map(Size::Units)
        }
    }
}

impl Text for AtomIx {
    fn write(&self, module: &Module, _name: &str, out: &mut String) {
        match module.atoms.get(self.index()) {
            Some(text) if is_plain_atom(text) => out.push_str(text),
            Some(text) => write_quoted('\'', text.chars().map(u32::from), out),
            None => put(out, format_args!("?atom{}", self.0)),
        }
    }

    fn read(builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        if cursor.peek() == Some('\'') {
            return builder.atom(&cursor.quoted_text('\'')?);
        }
        match cursor.word() {
            "" => Err(format!("expected an atom before `{}`", cursor.rest())),
            word => builder.atom(word),
        }
    }
}

impl Text for LitIx {
    fn write(&self, _module: &Module, _name: &str, out: &mut String) {
        put(out, format_args!("#{}", self.0));
    }

    fn read(_builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        cursor.expect("#")?;
        cursor.number().map(LitIx)
    }
}

impl Text for LambdaIx {
    fn write(&self, _module: &Module, _name: &str, out: &mut String) {
        put(out, format_args!("fun#{}", self.0));
    }

    fn read(_builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        cursor.expect("fun#")?;
        cursor.number().map(LambdaIx)
    }
}

impl Text for FnIx {
    fn write(&self, module: &Module, _name: &str, out: &mut String) {
        match module.functions.get(self.index()) {
            Some(function) => {
                function.name.write(module, "", out);
                put(out, format_args!("/{}", function.arity));
            }
            None => put(out, format_args!("?function{}", self.0)),
        }
    }

    fn read(builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        let name = AtomIx::read(builder, "", cursor)?;
        cursor.expect("/")?;
        let arity = cursor.number()?;
        builder.function(name, arity)
    }
}

impl Text for ImportIx {
    fn write(&self, module: &Module, _name: &str, out: &mut String) {
        match module.imports.get(self.index()) {
            Some(import) => write_mfa(module, *import, out),
            None => put(out, format_args!("?import{}", self.0)),
        }
    }

    fn read(builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        let import = read_mfa(builder, cursor)?;
        builder.import(import)
    }
}

impl Text for LineIx {
    fn write(&self, module: &Module, _name: &str, out: &mut String) {
        let row = module.lines.get(self.index());
        match row.and_then(|line| Some((module.files.get(line.file as usize)?, line.line))) {
            Some((file, line)) => {
                write_quoted('"', file.chars().map(u32::from), out);
                put(out, format_args!(":{line}"));
            }
            None => put(out, format_args!("?line{}", self.0)),
        }
    }

    fn read(builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        let file = cursor.quoted_text('"')?;
        cursor.expect(":")?;
        let line = cursor.number()?;
        builder.line(&file, line)
    }
}

impl Text for Label {
    fn write(&self, _module: &Module, _name: &str, out: &mut String) {
        put(out, format_args!("L{}", self.0));
    }

    fn read(_builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        cursor.expect("L")?;
        cursor.number().map(Label)
    }
}

impl Text for Fail {
    fn write(&self, module: &Module, name: &str, out: &mut String) {
        match self {
            Some(label) => label.write(module, name, out),
            None => out.push_str("raise"),
        }
    }

    fn read(builder: &mut Builder, name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        if cursor.eat_word("raise") { Ok(None) } else { Label::read(builder, name, cursor).map(Some) }
    }
}

/// Words for the values of a small type.
macro_rules! words {
    ($ty:ty { $($word:literal => $value:expr;)* }) => {
        impl Text for $ty {
            fn write(&self, _module: &Module, _name: &str, out: &mut String) {
                let words = [$(($word, $value)),*];
                let word = words.iter().find(|(_, value)| value == self);
                out.push_str(word.expect("every value has a word").0);
            }

            fn read(_builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
                match cursor.word() {
                    $( $word => Ok($value), )*
                    other => Err(format!("unexpected word `{other}`")),
                }
            }
        }
    };
}

words!(SegmentKind {
    "integer" => SegmentKind::Integer;
    "float" => SegmentKind::Float;
    "binary" => SegmentKind::Binary;
    "utf8" => SegmentKind::Utf8;
    "utf16" => SegmentKind::Utf16;
    "utf32" => SegmentKind::Utf32;
});

words!(BitFlags {
    "big" => BitFlags { signed: false, endian: Endian::Big };
    "little" => BitFlags { signed: false, endian: Endian::Little };
    "native" => BitFlags { signed: false, endian: Endian::Native };
    "big_signed" => BitFlags { signed: true, endian: Endian::Big };
    "little_signed" => BitFlags { signed: true, endian: Endian::Little };
    "native_signed" => BitFlags { signed: true, endian: Endian::Native };
});

impl Text for BuildSegment {
    fn write(&self, module: &Module, _name: &str, out: &mut String) {
        self.kind.write(module, "", out);
        out.push(' ');
        self.value.write(module, "", out);
        out.push(' ');
        self.size.write(module, "", out);
        out.push(' ');
        self.unit.write(module, "unit", out);
        out.push(' ');
        self.flags.write(module, "", out);
        if self.before > 0 {
            out.push_str(" behind ");
            self.before.write(module, "", out);
        }
    }

    fn read(builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        Ok(BuildSegment {
            kind: Text::read(builder, "", cursor)?,
            value: Text::read(builder, "", cursor)?,
            size: Text::read(builder, "", cursor)?,
            unit: Text::read(builder, "unit", cursor)?,
            flags: Text::read(builder, "", cursor)?,
            before: if cursor.eat_word("behind") { Text::read(builder, "", cursor)? } else { 0 },
        })
    }
}

impl<A: Text, B: Text> Text for (A, B) {
    fn write(&self, module: &Module, _name: &str, out: &mut String) {
        self.0.write(module, "", out);
        out.push_str(": ");
        self.1.write(module, "", out);
    }

    fn read(builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        let first = A::read(builder, "", cursor)?;
        cursor.expect(":")?;
        Ok((first, B::read(builder, "", cursor)?))
    }
}

impl<T: Text> Text for Vec<T> {
    fn write(&self, module: &Module, _name: &str, out: &mut String) {
        out.push('[');
        for (n, item) in self.iter().enumerate() {
            out.push_str(if n == 0 { "" } else { ", " });
            item.write(module, "", out);
        }
        out.push(']');
    }

    fn read(builder: &mut Builder, _name: &str, cursor: &mut Cursor) -> Result<Self, Wrong> {
        cursor.expect("[")?;
        cursor.list("]", |cursor| T::read(builder, "", cursor))
    }
}

/// `m:f/a`.
pub(super) fn write_mfa(module: &Module, import: Import, out: &mut String) {
    import.module.write(module, "", out);
    out.push(':');
    import.function.write(module, "", out);
    put(out, format_args!("/{}", import.arity));
}

pub(super) fn read_mfa(builder: &mut Builder, cursor: &mut Cursor) -> Result<Import, Wrong> {
    let module = AtomIx::read(builder, "", cursor)?;
    cursor.expect(":")?;
    let function = AtomIx::read(builder, "", cursor)?;
    cursor.expect("/")?;
    Ok(Import { module, function, arity: cursor.number()? })
}

/// Text between quotes with what cannot stand for itself escaped; on one line.
pub(super) fn write_quoted(quote: char, text: impl Iterator<Item = u32>, out: &mut String) {
    out.push(quote);
    for point in text {
        match char::from_u32(point) {
            Some('\n') => out.push_str("\\n"),
            Some(char) if char == quote || char == '\\' => out.extend(['\\', char]),
            Some(char) if !char.is_control() && !matches!(char, '\u{2028}' | '\u{2029}') => out.push(char),
            _ => put(out, format_args!("\\x{{{point:X}}}")),
        }
    }
    out.push(quote);
}

/// Writes to a string, which does not fail.
pub(super) fn put(out: &mut String, text: std::fmt::Arguments) {
    out.write_fmt(text).expect("writing to a String does not fail");
}

fn write_name(name: &str, out: &mut String) {
    if !name.is_empty() {
        put(out, format_args!("{name}="));
    }
}

fn register(word: &str) -> Option<Reg> {
    let (kind, number) = word.split_at_checked(1)?;
    let number = number.parse().ok()?;
    match kind {
        "x" => Some(Reg::X(number)),
        "y" => Some(Reg::Y(number)),
        _ => None,
    }
}

/// Whether an atom may stand without quotes: it starts with a small letter, and nothing else is written so.
fn is_plain_atom(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|char| char.is_ascii_alphanumeric() || char == '_' || char == '@')
        && !matches!(text, "all" | "raise" | "fun")
        && register(text).is_none()
}
