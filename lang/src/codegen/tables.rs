//! The tables of a bytecode module as they fill up.

use crate::hash::HashMap;
use std::hash::Hash;

use crate::bytecode::{AtomIx, FnIx, Import, ImportIx, Line, LineIx, LitIx, LitValue, Literal, Src};
use crate::core::literal::Term;
use crate::core::{Const, LitId, Pool};
use crate::{Interner, Name};

/// Rows, each once, in order of first use.
struct Rows<T> {
    rows: Vec<T>,
    places: HashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Rows<T> {
    fn new() -> Self {
        Rows { rows: Vec::new(), places: HashMap::default() }
    }

    fn place(&mut self, row: T) -> u32 {
        if let Some(&place) = self.places.get(&row) {
            return place;
        }
        let place = self.rows.len() as u32;
        self.rows.push(row.clone());
        self.places.insert(row, place);
        place
    }
}

/// The tables.
pub(super) struct Tables<'a> {
    pool: &'a Pool,
    names: &'a Interner,
    atoms: Rows<Name>,
    imports: Rows<Import>,
    lines: Rows<Line>,
    literals: Vec<Literal>,
    literal_places: HashMap<LitId, LitIx>,
    functions: HashMap<(Name, u8), FnIx>,
    /// The module itself.
    pub module: Name,
}

impl<'a> Tables<'a> {
    pub fn new(
        module: Name,
        pool: &'a Pool,
        names: &'a Interner,
        functions: HashMap<(Name, u8), FnIx>,
    ) -> Self {
        Tables {
            pool,
            names,
            atoms: Rows::new(),
            imports: Rows::new(),
            lines: Rows::new(),
            literals: Vec::new(),
            literal_places: HashMap::default(),
            functions,
            module,
        }
    }

    pub fn atom(&mut self, name: Name) -> AtomIx {
        AtomIx(self.atoms.place(name))
    }

    pub fn import(&mut self, module: Name, function: Name, arity: u8) -> ImportIx {
        let (module, function) = (self.atom(module), self.atom(function));
        ImportIx(self.imports.place(Import { module, function, arity }))
    }

    pub fn line(&mut self, line: Line) -> LineIx {
        LineIx(self.lines.place(line))
    }

    pub fn function(&self, name: Name, arity: u8) -> Option<FnIx> {
        self.functions.get(&(name, arity)).copied()
    }

    /// A constant as an operand.
    pub fn constant(&mut self, constant: Const) -> Src {
        match self.literal_value(constant) {
            LitValue::Int(value) => Src::Int(value),
            LitValue::Atom(atom) => Src::Atom(atom),
            LitValue::Nil => Src::Nil,
            LitValue::Lit(literal) => Src::Lit(literal),
        }
    }

    /// A constant inside another.
    pub fn literal_value(&mut self, constant: Const) -> LitValue {
        match constant {
            Const::Int(value) => LitValue::Int(value),
            Const::Atom(name) => LitValue::Atom(self.atom(name)),
            Const::Nil => LitValue::Nil,
            Const::Lit(id) => LitValue::Lit(self.literal(id)),
        }
    }

    /// The row of a constant; rows it refers to are entered first.
    pub fn literal(&mut self, id: LitId) -> LitIx {
        let mut waiting = vec![id];
        while let Some(&next) = waiting.last() {
            if self.literal_places.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            children(self.pool.term(next), |child| {
                if let Const::Lit(child) = child
                    && !self.literal_places.contains_key(&child)
                {
                    waiting.push(child);
                }
            });
            if waiting.len() == before {
                waiting.pop();
                let literal = self.convert(next);
                self.literal_places.insert(next, LitIx(self.literals.len() as u32));
                self.literals.push(literal);
            }
        }
        self.literal_places.get(&id).copied().expect("the loop ends when the row is there")
    }

    /// A row whose children are there.
    fn convert(&mut self, id: LitId) -> Literal {
        let pool = self.pool;
        match pool.term(id) {
            Term::Big { negative, magnitude } => {
                Literal::Big { negative: *negative, magnitude: magnitude.clone() }
            }
            Term::Float(bits) => Literal::Float(*bits),
            Term::String(characters) => Literal::String(characters.clone()),
            Term::List { items, tail } => Literal::List {
                items: items.iter().map(|&item| self.shallow(item)).collect(),
                tail: self.shallow(*tail),
            },
            Term::Tuple(items) => Literal::Tuple(items.iter().map(|&item| self.shallow(item)).collect()),
            Term::Map(pairs) => Literal::Map(
                pairs.iter().map(|&(key, value)| (self.shallow(key), self.shallow(value))).collect(),
            ),
            Term::Bits { bytes, bits } => Literal::Bits { bytes: bytes.clone(), bits: *bits },
            Term::Export { module, function, arity } => {
                Literal::Export { module: self.atom(*module), function: self.atom(*function), arity: *arity }
            }
        }
    }

    fn shallow(&mut self, constant: Const) -> LitValue {
        match constant {
            Const::Int(value) => LitValue::Int(value),
            Const::Atom(name) => LitValue::Atom(self.atom(name)),
            Const::Nil => LitValue::Nil,
            Const::Lit(id) => {
                LitValue::Lit(self.literal_places.get(&id).copied().expect("children are entered first"))
            }
        }
    }

    /// Atoms, literals, imports and lines.
    /// How many atoms and literals there are so far.
    pub fn atoms_and_literals(&self) -> (usize, usize) {
        (self.atoms.rows.len(), self.literals.len())
    }

    pub fn finish(self) -> (Vec<String>, Vec<Literal>, Vec<Import>, Vec<Line>) {
        let names = self.names;
        let atoms = self.atoms.rows.iter().map(|&name| names.text(name).to_owned()).collect();
        (atoms, self.literals, self.imports.rows, self.lines.rows)
    }
}

fn children(term: &Term, mut visit: impl FnMut(Const)) {
    match term {
        Term::List { items, tail } => {
            items.iter().copied().for_each(&mut visit);
            visit(*tail);
        }
        Term::Tuple(items) => items.iter().copied().for_each(visit),
        Term::Map(pairs) => pairs.iter().for_each(|&(key, value)| {
            visit(key);
            visit(value);
        }),
        Term::Big { .. } | Term::Float(_) | Term::String(_) | Term::Bits { .. } | Term::Export { .. } => {}
    }
}
