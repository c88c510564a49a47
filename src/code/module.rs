//! A loaded module: its internal code, and what is needed to find one's way in it (functions, lines, literals).
//!
//! The code of a module is one array of words that never moves and is never written after it was published. Addresses in
//! it (return words, catch marks, saved positions) are found back through [`CodeServer::module_at`](super::CodeServer).

use crate::atom::Atom;
use crate::term::{Term, Word};

/// The code of one module.
pub struct LoadedModule {
    /// The module's name.
    pub name: Atom,
    /// The name that stack traces show: another one if the module says with `-erlet_part_of(Other)` that nobody is meant to know
    /// of it.
    pub shown_name: Atom,
    /// Hash of the compiled form.
    pub md5: [u8; 16],
    pub(super) code: Box<[u64]>,
    pub(super) functions: Vec<LoadedFunction>,
    /// Where each line begins: offset of the first word and row of `lines` plus 1; 0 means that no line is known.
    pub(super) line_starts: Vec<(u32, u32)>,
    pub(super) lines: Vec<(u32, u32)>,
    pub(super) files: Vec<String>,
    /// Attributes: name and value.
    pub(super) attributes: Vec<(Atom, Word)>,
    /// Function to run before the module is used.
    pub(super) on_load: Option<usize>,
    /// The literals live as long as the code.
    pub(super) literals: super::literal::Literals,
    /// Its funs' entries, which it counts.
    pub(super) funs: Vec<super::purge::FunKey>,
}

/// A function of a loaded module.
#[derive(Clone, Debug)]
pub struct LoadedFunction {
    pub name: Atom,
    pub arity: u8,
    pub exported: bool,
    /// Offset of its first word.
    pub start: u32,
}

/// A place in the source text, as stack traces name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    pub file: &'a str,
    pub line: u32,
}

impl std::fmt::Debug for LoadedModule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadedModule").field("name", &self.name).finish_non_exhaustive()
    }
}

impl LoadedModule {
    /// Address of the first word.
    pub fn code_start(&self) -> *const u64 {
        self.code.as_ptr()
    }

    /// Whether `pc` lies in this module's code.
    pub fn contains(&self, pc: *const u64) -> bool {
        self.code.as_ptr_range().contains(&pc)
    }

    /// The code words.
    pub fn code(&self) -> &[u64] {
        &self.code
    }

    /// What it takes of memory: code, literals, functions and lines.
    pub fn bytes(&self) -> usize {
        let words = self.code.len() + self.literals.areas().map(|area| area.words()).sum::<usize>();
        let lines = size_of_val(&self.line_starts[..]) + size_of_val(&self.lines[..]);
        words * 8 + lines + size_of_val(&self.functions[..])
    }

    /// The functions, in the order of their code.
    pub fn functions(&self) -> &[LoadedFunction] {
        &self.functions
    }

    /// Names and values of the module's attributes.
    pub fn attributes(&self) -> impl Iterator<Item = (Atom, Term<'_>)> {
        // SAFETY: the values are literals of this module, which live in `literals` as long as the borrow (H7).
        self.attributes.iter().map(|&(name, value)| (name, unsafe { Term::from_word(value) }))
    }

    /// The function that must run when the module has been loaded.
    pub fn on_load(&self) -> Option<&LoadedFunction> {
        self.on_load.map(|index| &self.functions[index])
    }

    /// Where a function begins.
    pub fn entry(&self, function: &LoadedFunction) -> *const u64 {
        &raw const self.code[function.start as usize]
    }

    /// The entry of `name/arity`, exported or not.
    pub fn local_entry(&self, name: Atom, arity: u8) -> Option<*const u64> {
        let function = self.functions.iter().find(|f| f.name == name && f.arity == arity)?;
        Some(self.entry(function))
    }

    /// The function in whose code `pc` lies.
    pub fn function_at(&self, pc: *const u64) -> Option<&LoadedFunction> {
        let offset = self.offset(pc)?;
        let after = self.functions.partition_point(|function| function.start <= offset);
        after.checked_sub(1).map(|index| &self.functions[index])
    }

    /// The source place of the instruction at `pc`.
    pub fn place_at(&self, pc: *const u64) -> Option<Place<'_>> {
        let offset = self.offset(pc)?;
        let after = self.line_starts.partition_point(|&(start, _)| start <= offset);
        let (_, row) = self.line_starts[after.checked_sub(1)?];
        let (file, line) = self.lines[(row as usize).checked_sub(1)?];
        Some(Place { file: &self.files[file as usize], line })
    }

    /// The source place near `pc`, for code that cannot fail and so has no line of its own (a `receive` that waits): the last
    /// one before it in its function, or the function's first.
    pub fn place_near(&self, pc: *const u64) -> Option<Place<'_>> {
        let (offset, function) = (self.offset(pc)?, self.function_at(pc)?);
        let known = self.line_starts.iter().filter(|&&(start, row)| row > 0 && start >= function.start);
        let before = known.clone().take_while(|&&(start, _)| start <= offset).last();
        let end = self.functions.iter().map(|f| f.start).filter(|&start| start > function.start).min();
        let first = || known.clone().next().filter(|&&(start, _)| end.is_none_or(|end| start < end));
        let &(_, row) = before.or_else(first)?;
        let (file, line) = self.lines[(row as usize).checked_sub(1)?];
        Some(Place { file: &self.files[file as usize], line })
    }

    fn offset(&self, pc: *const u64) -> Option<u32> {
        self.contains(pc).then(|| ((pc.addr() - self.code.as_ptr().addr()) / size_of::<u64>()) as u32)
    }
}
