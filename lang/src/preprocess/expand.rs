//! Expansion of macros.
//!
//! Tokens wait on a stack; a use of a macro is replaced there by its body, so that what it brings is expanded again
//! together with what follows, and nothing recurses. Tokens of a definition get virtual positions that remember the
//! use; tokens of arguments keep theirs. So a macro contains itself exactly if a use lies in an expansion of the same
//! definition, which the chain of uses shows, and every expansion ends.

use super::macros::{Definition, Macro, Predefined};
use super::{OTP_RELEASE, Preprocessor};
use crate::source::ExpansionId;
use crate::token::{Spanned, Token};
use crate::{Code, Diagnostic, Name, Session, Span, known};
use std::collections::HashMap;

/// A form may grow by so many tokens: macros that double each other forty times must not fill the memory, and no real
/// form comes near.
const MAX_EXPANDED: usize = 4_000_000;

/// Errors are rare and large.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// One expansion under way.
struct Expander<'p, 'a, 's> {
    preprocessor: &'p Preprocessor<'a>,
    session: &'s mut Session,
    /// What is still to come, last first.
    pending: Vec<Spanned>,
    expanded: usize,
}

/// A use of a macro: `?NAME`, and where.
#[derive(Clone, Copy)]
struct Use {
    name: Name,
    span: Span,
}

impl Preprocessor<'_> {
    /// Expands all macros in `tokens`.
    pub(super) fn expand(
        &self,
        session: &mut Session,
        tokens: &[Spanned],
        out: &mut Vec<Spanned>,
    ) -> Result<()> {
        if !tokens.iter().any(|t| t.token == Token::Question) {
            out.extend_from_slice(tokens);
            return Ok(());
        }
        let pending = tokens.iter().rev().copied().collect();
        let mut expander = Expander { preprocessor: self, session, pending, expanded: 0 };
        while let Some(next) = expander.pending.pop() {
            match next.token {
                Token::Question => expander.macro_use(next, out)?,
                _ => out.push(next),
            }
        }
        Ok(())
    }
}

impl Expander<'_, '_, '_> {
    /// A `?` was taken.
    fn macro_use(&mut self, question: Spanned, out: &[Spanned]) -> Result<()> {
        let name = match self.pending.pop() {
            Some(Spanned { token: Token::Atom(name) | Token::Var(name), span }) => {
                Use { name, span: question.span.to(span) }
            }
            other => {
                let span = other.map_or(question.span, |other| other.span);
                let title = "a macro's name is missing after `?`";
                return Err(Box::new(Diagnostic::new(Code::IllegalMacroUse, span, title)));
            }
        };
        match self.preprocessor.macros.get(&self.session.names, name.name) {
            Some(Macro::User(definitions)) => self.user(name, &definitions),
            Some(Macro::Predefined(predefined)) => self.predefined(name, predefined, out),
            None => Err(self.undefined(name)),
        }
    }

    fn undefined(&self, used: Use) -> Box<Diagnostic> {
        let title = format!("undefined macro `{}`", self.session.names.text(used.name));
        // A flood of faults gets no hints after the first, since each costs a comparison with every macro.
        let few = self.session.diagnostics.len() < 200;
        let hint = few.then(|| self.preprocessor.macros.closest(&self.session.names, used.name)).flatten();
        let diagnostic = Diagnostic::new(Code::UndefinedMacro, used.span, title);
        Box::new(match hint {
            Some(found) => {
                diagnostic.suggest("there is a macro with a similar name", used.span, format!("?{found}"))
            }
            None => diagnostic,
        })
    }

    // User macros.

    fn user(&mut self, mut used: Use, definitions: &[std::rc::Rc<Definition>]) -> Result<()> {
        let only_plain = definitions.iter().all(|definition| definition.parameters.is_none());
        let arguments = match only_plain {
            true => None,
            false => self.arguments(&mut used)?,
        };
        let arity = arguments.as_ref().map(Vec::len);
        let Some(definition) = definitions.iter().find(|definition| definition.arity() == arity) else {
            return Err(self.wrong_arguments(used, arity, definitions));
        };
        self.check_circle(used, definition)?;
        let expansion = self.session.sources.add_expansion(used.name, used.span, definition.defined_at);
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let arguments = arguments.unwrap_or_default();
        let bound: HashMap<Name, &[Spanned]> =
            parameters.iter().copied().zip(arguments.iter().map(Vec::as_slice)).collect();
        let body = self.instantiate(definition, &bound, expansion)?;
        self.expanded += body.len();
        if self.expanded > MAX_EXPANDED {
            let title = format!("this form grows beyond {MAX_EXPANDED} tokens by its macros");
            return Err(Box::new(Diagnostic::new(Code::CircularMacro, used.span, title)));
        }
        self.pending.extend(body.into_iter().rev());
        Ok(())
    }

    fn wrong_arguments(
        &self,
        used: Use,
        arity: Option<usize>,
        definitions: &[std::rc::Rc<Definition>],
    ) -> Box<Diagnostic> {
        let name = self.session.names.text(used.name);
        let given = match arity {
            None => "without arguments".to_owned(),
            Some(1) => "with 1 argument".to_owned(),
            Some(count) => format!("with {count} arguments"),
        };
        let title = format!("the macro `{name}` is used {given}, but not so defined");
        let mut diagnostic = Diagnostic::new(Code::MacroArguments, used.span, title);
        for definition in definitions.iter().take(3) {
            let words = match definition.arity() {
                None => "defined here without arguments".to_owned(),
                Some(1) => "defined here with 1 argument".to_owned(),
                Some(count) => format!("defined here with {count} arguments"),
            };
            diagnostic = diagnostic.also(definition.defined_at, words);
        }
        Box::new(diagnostic)
    }

    /// Refuses a use inside an expansion of the same definition.
    fn check_circle(&self, used: Use, definition: &Definition) -> Result<()> {
        let mut at = used.span;
        while let Some(expansion) = self.session.sources.expansion(at) {
            if expansion.defined_at == definition.defined_at {
                let name = self.session.names.text(used.name);
                let title = format!("the macro `{name}` contains itself");
                let diagnostic = Diagnostic::new(Code::CircularMacro, used.span, title);
                return Err(Box::new(diagnostic.also(definition.defined_at, "defined here")));
            }
            at = expansion.used_at;
        }
        Ok(())
    }

    /// The body with arguments in place of parameters.
    fn instantiate(
        &mut self,
        definition: &Definition,
        bound: &HashMap<Name, &[Spanned]>,
        expansion: ExpansionId,
    ) -> Result<Vec<Spanned>> {
        let body = &definition.body;
        let mut out = Vec::with_capacity(body.len());
        let mut at = 0;
        // The last token of the last argument.
        let mut last = Span::NONE;
        while at < body.len() {
            let (token, spelling) = (body[at].token, body[at].span);
            // `??Parameter` is the argument's text.
            if let [first, second, third, ..] = &body[at..]
                && (first.token, second.token) == (Token::Question, Token::Question)
                && let Token::Var(name) = third.token
            {
                let token = match bound.get(&name) {
                    Some(argument) => self.stringify(argument),
                    None => third.token,
                };
                let placed = self.place(token, first.span.to(third.span), expansion)?;
                self.session.sources.follow(placed.span, last);
                out.push(placed);
                at += 3;
                continue;
            }
            match token {
                Token::Var(name) if bound.contains_key(&name) => {
                    last = bound[&name].last().map_or(last, |token| token.span);
                    out.extend_from_slice(bound[&name]);
                }
                _ => {
                    let placed = self.place(token, spelling, expansion)?;
                    self.session.sources.follow(placed.span, last);
                    out.push(placed);
                }
            }
            at += 1;
        }
        Ok(out)
    }

    /// A token of a definition at a virtual position.
    fn place(&mut self, token: Token, spelling: Span, expansion: ExpansionId) -> Result<Spanned> {
        match self.session.sources.add_expanded(spelling, expansion) {
            Some(span) => Ok(Spanned { token, span }),
            None => {
                let title = "the macros of this compilation expand to too many tokens";
                Err(Box::new(Diagnostic::new(Code::CircularMacro, spelling, title)))
            }
        }
    }

    fn stringify(&mut self, tokens: &[Spanned]) -> Token {
        let names = &self.session.names;
        let text = |token: Token| match token {
            Token::Atom(name) => crate::spelling::latin1_atom(names.text(name)),
            token => token.show(names),
        };
        let texts: Vec<String> = tokens.iter().map(|t| text(t.token)).collect();
        Token::Str(self.session.names.intern(&texts.join(" ")))
    }

    /// The arguments after a macro's name, if there are any; the use grows to contain them.
    fn arguments(&mut self, used: &mut Use) -> Result<Option<Vec<Vec<Spanned>>>> {
        if self.pending.last().is_none_or(|next| next.token != Token::LeftParen) {
            return Ok(None);
        }
        self.pending.pop();
        let mut arguments = Vec::new();
        if let Some(next) = self.pending.last()
            && next.token == Token::RightParen
        {
            used.span = used.span.to(next.span);
            self.pending.pop();
            return Ok(Some(arguments));
        }
        loop {
            let argument = self.argument();
            let end = self.pending.pop();
            match end {
                Some(end) if !argument.is_empty() && end.token == Token::Comma => arguments.push(argument),
                Some(end) if !argument.is_empty() && end.token == Token::RightParen => {
                    arguments.push(argument);
                    used.span = used.span.to(end.span);
                    return Ok(Some(arguments));
                }
                _ => {
                    let name = self.session.names.text(used.name);
                    let title = format!("badly formed argument of the macro `{name}`");
                    let span = argument.first().map_or(used.span, |first| first.span);
                    let diagnostic = Diagnostic::new(Code::MacroArguments, span, title);
                    return Err(Box::new(diagnostic.also(used.span, "in this use")));
                }
            }
        }
    }

    /// The tokens up to the next `,` or `)` outside all brackets and `end`s.
    fn argument(&mut self) -> Vec<Spanned> {
        let mut argument: Vec<Spanned> = Vec::new();
        let mut closers = Vec::new();
        while let Some(&next) = self.pending.last() {
            match next.token {
                Token::Comma | Token::RightParen if closers.is_empty() => break,
                Token::LeftParen => closers.push(Token::RightParen),
                Token::LeftBin => closers.push(Token::RightBin),
                Token::LeftBracket => closers.push(Token::RightBracket),
                Token::LeftBrace => closers.push(Token::RightBrace),
                Token::Begin
                | Token::If
                | Token::Case
                | Token::Receive
                | Token::Try
                | Token::Maybe
                | Token::Cond => {
                    closers.push(Token::End);
                }
                Token::Fun if self.begins_fun() => closers.push(Token::End),
                token if closers.last() == Some(&token) => {
                    closers.pop();
                }
                _ => {}
            }
            argument.push(next);
            self.pending.pop();
        }
        argument
    }

    /// Whether the `fun` that comes next has clauses and an `end`.
    fn begins_fun(&self) -> bool {
        let ahead = |n: usize| self.pending.len().checked_sub(n + 1).map(|at| self.pending[at].token);
        match ahead(1) {
            Some(Token::LeftParen) => true,
            Some(Token::Var(_)) => ahead(2) == Some(Token::LeftParen),
            _ => false,
        }
    }

    // Predefined macros.

    fn predefined(&mut self, mut used: Use, predefined: Predefined, out: &[Spanned]) -> Result<()> {
        let module = self.preprocessor.module;
        let token = match predefined {
            Predefined::Line => {
                let sources = &self.session.sources;
                let line = sources.told_place(used.span).map_or(0, |place| sources.claimed(place).1);
                Token::Int(i64::from(line))
            }
            Predefined::File => {
                let path = self.session.sources.file(used.span).to_string_lossy().into_owned();
                Token::Str(self.session.names.intern(&path))
            }
            Predefined::Module => Token::Atom(module.ok_or_else(|| self.no_module(used))?),
            Predefined::ModuleString => Token::Str(module.ok_or_else(|| self.no_module(used))?),
            Predefined::BaseModule => return Err(self.undefined(used)),
            Predefined::Machine => Token::Atom(self.session.names.intern("BEAM")),
            Predefined::Beam => Token::Atom(known::TRUE),
            Predefined::OtpRelease => Token::Int(OTP_RELEASE),
            Predefined::FunctionName => Token::Atom(self.function(used, out)?.0),
            Predefined::FunctionArity => Token::Int(self.function(used, out)?.1),
            Predefined::FeatureAvailable => return self.feature(&mut used, true),
            Predefined::FeatureEnabled => return self.feature(&mut used, self.preprocessor.maybe_enabled),
        };
        self.pending.push(Spanned { token, span: used.span });
        Ok(())
    }

    fn no_module(&self, used: Use) -> Box<Diagnostic> {
        let diagnostic = self.undefined(used);
        Box::new(diagnostic.help("it is defined by the `-module` attribute, which must come before"))
    }

    /// Whether the one feature there is has the given name: `(Argument == maybe_expr)`, or `false`.
    fn feature(&mut self, used: &mut Use, holds: bool) -> Result<()> {
        let arguments = self.arguments(used)?;
        let Some([argument]) = arguments.as_deref() else {
            let title = "this macro takes the name of a feature";
            return Err(Box::new(Diagnostic::new(Code::MacroArguments, used.span, title)));
        };
        let at = |token| Spanned { token, span: used.span };
        let token = match argument[..] {
            [Spanned { token: Token::Atom(name), .. }] => match holds && name == known::MAYBE_EXPR {
                true => Token::Atom(known::TRUE),
                false => Token::Atom(known::FALSE),
            },
            _ if !holds => Token::Atom(known::FALSE),
            _ => {
                let end =
                    [Token::RightParen, Token::Atom(known::MAYBE_EXPR), Token::EqualEqual, Token::RightParen];
                self.pending.extend(end.map(at));
                self.pending.extend(argument.iter().rev());
                self.pending.extend([Token::LeftParen, Token::LeftParen].map(at));
                return Ok(());
            }
        };
        self.pending.push(at(token));
        Ok(())
    }

    /// Name and arity of the function the form defines, as far as its head tells.
    fn function(&self, used: Use, out: &[Spanned]) -> Result<(Name, i64)> {
        let [Spanned { token: Token::Atom(name), .. }, Spanned { token: Token::LeftParen, .. }, head @ ..] =
            out
        else {
            let title = format!("`?{}` is used outside a function", self.session.names.text(used.name));
            return Err(Box::new(Diagnostic::new(Code::IllegalMacroUse, used.span, title)));
        };
        let mut depth = 0;
        let mut commas = 0;
        let mut empty = true;
        // The head may not be complete yet, if the macro is used in it.
        for spanned in head.iter().chain(self.pending.iter().rev()) {
            match spanned.token {
                Token::RightParen if depth == 0 => break,
                Token::LeftParen | Token::LeftBrace | Token::LeftBracket | Token::LeftBin => depth += 1,
                Token::RightParen | Token::RightBrace | Token::RightBracket | Token::RightBin => depth -= 1,
                Token::Comma if depth == 0 => commas += 1,
                _ => {}
            }
            empty = false;
        }
        Ok((*name, if empty { 0 } else { commas + 1 }))
    }
}
