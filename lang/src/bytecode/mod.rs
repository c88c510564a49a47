//! The bytecode: what the compiler produces, the verifier judges and the loader specialises.
//!
//! A [`Module`] is neutral in endianness, word width and address: atoms, literals, imports and lines are tables
//! of its own, and instructions name rows of them by typed index. Instructions are *generic*: close in meaning to
//! BEAM's, one row each in [`instr`], with no choice made for speed; the loader of the virtual machine turns them
//! into its internal instructions.
//!
//! Each function carries its own code, and labels are local to it, so control cannot cross functions except by
//! calls. Literals form a table in which a row may refer only to earlier rows, so decoding and building them
//! needs no recursion.
//!
//! Invariant: nothing here does I/O or knows of processes.

#[macro_use]
pub mod instr;
mod walk;

use serde::{Deserialize, Serialize};

pub use instr::{BitFlags, BuildSegment, Endian, Fail, Instr, Reg, SegmentKind, Size, Src};
pub use walk::Operand;

/// Version of the encoding; a module of another version is refused at load.
pub const VERSION: u16 = 3;

/// Highest number of X registers an instruction may name (exclusive); arities end at 255, scratch needs some more.
pub const MAX_X: u16 = 1024;

/// Highest number of stack slots in one frame (exclusive of it), as much as codegen will ever use.
pub const MAX_Y: u16 = 4096;

/// Highest arity of functions, calls and funs.
pub const MAX_ARITY: u8 = 255;

/// Smallest integer that is an immediate value: 61 bits.
pub const SMALL_MIN: i64 = -(1 << 60);

/// Largest integer that is an immediate value.
pub const SMALL_MAX: i64 = (1 << 60) - 1;

/// Most words one `test_heap` may reserve: 8 MB, far above what an expression builds, far below what would
/// overflow a size anywhere.
pub const MAX_HEAP_NEED: u32 = 1 << 20;

/// Heap words of a list cell, the unit of `test_heap`.
pub const CONS_WORDS: u32 = 2;

/// Heap words of a tuple of `arity` elements: header and elements.
#[must_use]
pub const fn tuple_words(arity: u32) -> u32 {
    1 + arity
}

/// Heap words of a fun with `free` captured values: header, entry and values.
#[must_use]
pub const fn fun_words(free: u32) -> u32 {
    2 + free
}

macro_rules! index_types {
    ($($(#[$doc:meta])* $name:ident($int:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub $int);

        impl $name {
            /// The index as a position in its table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

index_types! {
    /// A row of [`Module::atoms`].
    AtomIx(u32);
    /// A row of [`Module::literals`].
    LitIx(u32);
    /// A row of [`Module::imports`].
    ImportIx(u32);
    /// A row of [`Module::functions`].
    FnIx(u32);
    /// A row of [`Module::lambdas`].
    LambdaIx(u32);
    /// A row of [`Module::lines`].
    LineIx(u32);
    /// A place in one function's code, declared by its `label` instruction; below [`Function::labels`].
    Label(u32);
}

/// A compiled module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// The module's name.
    pub name: AtomIx,
    /// Texts of the atoms, each at most 255 characters.
    pub atoms: Vec<String>,
    /// Constants; a row refers only to earlier rows.
    pub literals: Vec<Literal>,
    /// External functions that the code names, natives included.
    pub imports: Vec<Import>,
    /// The functions, the generated ones (funs, comprehensions) too.
    pub functions: Vec<Function>,
    /// Code of the module's funs.
    pub lambdas: Vec<Lambda>,
    /// Places in source files, for stack traces.
    pub lines: Vec<Line>,
    /// Names of source files, as stack traces show them.
    pub files: Vec<String>,
    /// Attributes in source order, `module` and `export` aside: name and value (always a literal row).
    pub attributes: Vec<(AtomIx, LitValue)>,
    /// Function that `-on_load` names, if any.
    pub on_load: Option<FnIx>,
    /// Hash of the compiled form: what `module_info(md5)` and the `uniq` of funs are made from.
    pub md5: [u8; 16],
}

/// An external function: module, name, arity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Import {
    pub module: AtomIx,
    pub function: AtomIx,
    pub arity: u8,
}

/// One function: its name and its code. Execution starts at the first instruction with the arguments in
/// `x0 .. x(arity-1)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    pub name: AtomIx,
    pub arity: u8,
    pub exported: bool,
    /// Parameters, in rising order, in which local calls may pass a match context instead of a term: its rest is meant.
    pub contexts: Vec<u8>,
    /// Labels are `0 .. labels`; each is declared exactly once.
    pub labels: u32,
    pub code: Vec<Instr>,
}

/// Code of a fun: the function behind it takes the fun's own arguments first, then the captured values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lambda {
    /// Function whose arity is the fun's arity plus `free`.
    pub function: FnIx,
    /// Number of captured values.
    pub free: u32,
    /// Identity of the fun's code across versions of its module: `fun_info(F, uniq)`.
    pub uniq: u32,
}

/// A place in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Line {
    /// Row of [`Module::files`].
    pub file: u32,
    /// Line number, from 1.
    pub line: u32,
}

/// A value inside a literal: an immediate one, or an earlier row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LitValue {
    Int(i64),
    Atom(AtomIx),
    Nil,
    Lit(LitIx),
}

/// A constant that does not fit an instruction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Literal {
    /// An integer: sign and magnitude in little-endian bytes without trailing zeros. The only form of those
    /// outside the range of `i64`.
    Big {
        negative: bool,
        magnitude: Vec<u8>,
    },
    /// A finite float, by its bits (so that `-0.0` survives).
    Float(u64),
    /// A list of one element or more.
    List {
        items: Vec<LitValue>,
        tail: LitValue,
    },
    /// A proper list of characters or bytes, kept compact.
    String(Vec<u32>),
    Tuple(Vec<LitValue>),
    /// Pairs in no particular order; keys are distinct.
    Map(Vec<(LitValue, LitValue)>),
    /// A bitstring of `bits` bits; unused low bits of the last byte are zero.
    Bits {
        bytes: Vec<u8>,
        bits: u64,
    },
    /// `fun M:F/A`.
    Export {
        module: AtomIx,
        function: AtomIx,
        arity: u8,
    },
}
