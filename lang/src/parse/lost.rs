//! What the forms that were refused would have defined, so that nobody calls it undefined.

use crate::token::{Spanned, Token};
use crate::{Name, known};
use std::collections::HashSet;

/// Names that refused forms define.
#[derive(Default, Debug)]
pub struct Lost {
    /// Of whatever arity: the parameters may be what is wrong.
    functions: HashSet<Name>,
    records: HashSet<Name>,
    types: HashSet<Name>,
    macros: HashSet<Name>,
    /// An import, or half a function: any function may have been in there.
    any_function: bool,
    /// A header could not be read.
    anything: bool,
}

impl Lost {
    /// A file was not read.
    pub(crate) fn note_all(&mut self) {
        self.anything = true;
    }

    /// A macro's definition was refused.
    pub(crate) fn note_macro(&mut self, name: Name) {
        self.macros.insert(name);
    }

    /// A form was refused.
    pub(crate) fn note(&mut self, tokens: &[Spanned]) {
        let token = |at: usize| tokens.get(at).map(|t| t.token);
        let defined = |at: usize| match (token(at), token(at + 1)) {
            (Some(Token::LeftParen), Some(Token::Atom(name))) | (Some(Token::Atom(name)), _) => Some(name),
            _ => None,
        };
        match (token(0), token(1)) {
            (Some(Token::Minus), Some(Token::RecordWord | Token::Atom(known::RECORD))) => {
                self.records.extend(defined(2));
            }
            (Some(Token::Minus), Some(Token::TypeWord(_) | Token::Atom(known::TYPE | known::OPAQUE))) => {
                self.types.extend(defined(2));
            }
            (Some(Token::Minus), Some(Token::Atom(known::IMPORT))) => self.any_function = true,
            (Some(Token::Minus), _) => {}
            // An attribute without its dash.
            (Some(Token::Atom(known::TYPE | known::OPAQUE)), Some(Token::Atom(name))) => {
                self.types.insert(name);
            }
            (Some(Token::Atom(known::RECORD)), Some(Token::LeftParen)) => self.records.extend(defined(1)),
            (Some(Token::Atom(known::IMPORT)), Some(Token::LeftParen)) => self.any_function = true,
            (Some(Token::Atom(known::DEFINE)), Some(Token::LeftParen)) => {
                if let Some(Token::Atom(name) | Token::Var(name)) = token(2) {
                    self.macros.insert(name);
                }
            }
            (Some(Token::Atom(known::INCLUDE | known::INCLUDE_LIB)), Some(Token::LeftParen)) => {
                self.anything = true;
            }
            (Some(Token::Atom(name)), _) => drop(self.functions.insert(name)),
            // A function under a name that is none, or half a function.
            _ => self.any_function = true,
        }
        // Something in front of the function, such as a word of another language.
        if let (Some(Token::Atom(_)), Some(Token::Atom(name)), Some(Token::LeftParen)) =
            (token(0), token(1), token(2))
        {
            self.functions.insert(name);
        }
    }

    pub(crate) fn function(&self, name: Name) -> bool {
        self.anything || self.any_function || self.functions.contains(&name)
    }

    pub(crate) fn record(&self, name: Name) -> bool {
        self.anything || self.records.contains(&name)
    }

    pub(crate) fn ty(&self, name: Name) -> bool {
        self.anything || self.types.contains(&name)
    }

    /// Whether a macro may be there but for what was refused; `likely` if it is no misspelling of another.
    pub(crate) fn is_macro(&self, name: Name, likely: bool) -> bool {
        self.anything && likely || self.macros.contains(&name)
    }
}
