//! Loaded code as text: what `erlet disasm` shows.
//!
//! Everything is read from the table of instructions ([`Op::format`]), so a new row needs nothing here. One line an instruction:
//! offset of its first word, mnemonic, operands; `-> N` is a jump to offset N, `fail` one that raises instead.

use std::fmt::Write as _;

use super::op::{Op, REGISTER_TAG, Y_BIT};
use super::{BifId, CodeServer, ExportCell, LoadedModule};
use crate::atom::Atoms;
use crate::term::print::{self, Style};
use crate::term::{Term, Word};

/// Words between the code of two functions: the arity of the second.
const ARITY_WORDS: usize = 1;

/// Longest constant shown, in bytes: listings are read by people.
const CONSTANT_BYTES: usize = 200;

/// The code of `module`, function by function.
pub fn text(module: &LoadedModule, server: &CodeServer, atoms: &Atoms) -> String {
    let mut out = String::new();
    let mut functions = module.functions().iter().peekable();
    while let Some(function) = functions.next() {
        let end = functions.peek().map_or(module.code().len(), |next| next.start as usize - ARITY_WORDS);
        let exported = if function.exported { "" } else { "  % not exported" };
        let _ = writeln!(out, "{}/{}:{exported}", atoms.text(function.name), function.arity);
        let mut at = function.start as usize;
        while at < end {
            let listing = Listing { module, server, atoms, at };
            at += listing.instruction(&mut out).max(1);
        }
        out.push('\n');
    }
    out
}

/// The instruction at one offset of a module's code.
struct Listing<'a> {
    module: &'a LoadedModule,
    server: &'a CodeServer,
    atoms: &'a Atoms,
    at: usize,
}

impl Listing<'_> {
    /// Appends a line; the number of words of the instruction.
    fn instruction(&self, out: &mut String) -> usize {
        let first = self.word(0);
        let Some(op) = Op::from_number(first as u16) else {
            let _ = writeln!(out, "{:6}  ? {first:#x}", self.at);
            return 1;
        };
        let _ = write!(out, "{:6}  {}", self.at, op.mnemonic());
        let mut words = 1;
        let mut count = 0;
        for (i, format) in op.format().iter().enumerate() {
            out.push_str(if i == 0 { " " } else { ", " });
            if let Some(list) = format.strip_prefix('*') {
                words += self.list(out, list, words, count);
                continue;
            }
            let (place, kind) = format.split_once(':').unwrap_or((format, "raw"));
            let value = self.field(place);
            if let Ok(index) = place.parse::<usize>() {
                words = words.max(index + 1);
            }
            if kind == "n" {
                count = value as usize;
            }
            self.operand(out, kind, value, place == "h");
        }
        out.push('\n');
        words
    }

    fn word(&self, index: usize) -> u64 {
        self.module.code().get(self.at + index).copied().unwrap_or(0)
    }

    fn field(&self, place: &str) -> u64 {
        let first = self.word(0);
        match place {
            "a" => (first >> 16) & 0xffff,
            "b" => (first >> 32) & 0xffff,
            "c" => first >> 48,
            "h" => first >> 32,
            index => self.word(index.parse().unwrap_or(1)),
        }
    }

    /// Appends a list of `count` entries from word `from` on; how many words it takes.
    fn list(&self, out: &mut String, kind: &str, from: usize, count: usize) -> usize {
        let (entry, kinds): (usize, &[&str]) = match kind {
            "pairs" => (2, &["term", "off"]),
            "src2" => (2, &["src", "src"]),
            "commands" => (1, &["raw"]),
            "pieces" => (2, &["src", "raw"]),
            "segments" => (3, &["raw", "src", "src"]),
            "offs" => (1, &["off"]),
            _ => (1, &["src"]),
        };
        out.push('[');
        for i in 0..count * entry {
            if i > 0 {
                out.push_str(if i % entry == 0 { "; " } else { " " });
            }
            self.operand(out, kinds[i % entry], self.word(from + i), false);
        }
        out.push(']');
        count * entry
    }

    /// `half`: the value is a 32-bit field, to be taken with its sign where it has one.
    fn operand(&self, out: &mut String, kind: &str, value: u64, half: bool) {
        let signed = if half { i64::from(value as u32 as i32) } else { value as i64 };
        let _ = match kind {
            "r" => write!(out, "{}", register(value as u16)),
            "x" => write!(out, "x{value}"),
            "y" => write!(out, "y{value}"),
            "n" => write!(out, "{value}"),
            "i" => write!(out, "{}", value as u16 as i16),
            "off" if signed == 0 => write!(out, "fail"),
            "off" => write!(out, "-> {}", self.at as i64 + signed),
            "src" if value & 0b111 == REGISTER_TAG => write!(out, "{}", register((value >> 3) as u16)),
            "src" | "term" => write!(out, "{}", self.constant(value)),
            "cell" => write!(out, "{}", self.cell(value)),
            "bif" => write!(out, "{}", self.name(self.server.native_name(BifId(value as u16)))),
            "fun" => write!(out, "fun"),
            "float" => write!(out, "{:?}", f64::from_bits(value)),
            _ => write!(out, "{value:#x}"),
        };
    }

    fn constant(&self, value: u64) -> String {
        let word = Word::from_bits(value);
        if word.is_header() {
            return format!("header {value:#x}");
        }
        let mut text = String::new();
        // SAFETY: the loader puts only immediates and pointers to the module's own literals into code, and those
        // live as long as the module (C3), which is borrowed.
        let term = unsafe { Term::from_word(word) };
        let style = Style::PRINT;
        if !print::write(&mut text, self.atoms, term, style, CONSTANT_BYTES) {
            text.push_str("...");
        }
        text
    }

    fn cell(&self, value: u64) -> String {
        // SAFETY: the loader puts addresses of export cells into code, and they are good as long as
        // the server (C3), which is borrowed.
        let cell = unsafe { &*std::ptr::with_exposed_provenance::<ExportCell>(value as usize) };
        self.name(cell.mfa)
    }

    fn name(&self, mfa: super::Mfa) -> String {
        format!("{}:{}/{}", self.atoms.text(mfa.module), self.atoms.text(mfa.function), mfa.arity)
    }
}

fn register(field: u16) -> String {
    if field & Y_BIT == 0 { format!("x{field}") } else { format!("y{}", field & !Y_BIT) }
}
