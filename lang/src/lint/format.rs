//! Format strings of `io:format` and its kind, checked against their arguments where both are literal.

use super::Linter;
use crate::ast::{Expr, ExprKind};
use crate::{Code, Diagnostic, Name, Span};

/// What a format string wants.
#[derive(PartialEq, Debug)]
enum Wanted {
    Arguments(usize),
    /// A control sequence that does not exist, or is cut off.
    Illegal(String),
}

impl<'a> Linter<'a> {
    pub(super) fn check_format(&mut self, span: Span, module: Name, name: Name, args: &'a [Expr]) {
        let known =
            matches!(self.text(module), "io" | "io_lib") && matches!(self.text(name), "format" | "fwrite");
        if !known || !self.settings.warns("format", true) {
            return;
        }
        let (format, values) = match args {
            [format] => (format, None),
            [format, values] => (format, Some(values)),
            [_, format, values] => (format, Some(values)),
            _ => return,
        };
        let text = match &format.kind {
            ExprKind::Str(text) => text.to_string(),
            ExprKind::Atom(name) => self.text(*name).to_owned(),
            _ => return,
        };
        let given = match values {
            None => 0,
            Some(values) => match literal_length(values) {
                Some(length) => length,
                None => return self.check_arguments_are_a_list(span, values),
            },
        };
        match wanted(&text) {
            Wanted::Illegal(what) => {
                let title = format!("the format string has an illegal control sequence `{what}`");
                self.say(Code::FormatMismatch, format.span, title);
            }
            Wanted::Arguments(count) if count != given => {
                let title = format!("the format string wants {}, but {given} given", arguments(count));
                let diagnostic = match values {
                    Some(values) => Diagnostic::new(Code::FormatMismatch, values.span, title)
                        .also(format.span, "the format string"),
                    None => Diagnostic::new(Code::FormatMismatch, format.span, title),
                };
                self.report(diagnostic);
            }
            Wanted::Arguments(_) => {}
        }
    }

    fn check_arguments_are_a_list(&mut self, _span: Span, values: &Expr) {
        let no_list = matches!(
            values.kind,
            ExprKind::Atom(_)
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Tuple(_)
                | ExprKind::Map { .. }
        );
        if no_list {
            self.report(
                Diagnostic::new(Code::FormatMismatch, values.span, "the arguments of a format are a list")
                    .help("put them in `[` and `]`"),
            );
        }
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no argument".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}

fn literal_length(values: &Expr) -> Option<usize> {
    match &values.kind {
        ExprKind::List { elements, tail: None } => Some(elements.len()),
        ExprKind::List { elements, tail: Some(tail) } => Some(elements.len() + literal_length(tail)?),
        ExprKind::Str(text) => Some(text.chars().count()),
        _ => None,
    }
}

/// Reads `~F.P.PadModC` sequences.
fn wanted(format: &str) -> Wanted {
    let mut count = 0;
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '~' {
            continue;
        }
        let mut sequence = "~".to_owned();
        let mut take_number = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>, sequence: &mut String| {
            sequence.extend(rest.next_if_eq(&'-'));
            if rest.peek() == Some(&'*') {
                sequence.extend(rest.next());
                count += 1;
                return;
            }
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                sequence.push(digit);
            }
        };
        take_number(&mut rest, &mut sequence);
        if rest.next_if_eq(&'.').is_some() {
            sequence.push('.');
            take_number(&mut rest, &mut sequence);
            if rest.next_if_eq(&'.').is_some() {
                sequence.push('.');
                match rest.next_if_eq(&'*') {
                    Some(_) => count += 1,
                    None => sequence.extend(rest.next()),
                }
            }
        }
        while let Some(modifier) = rest.next_if(|c| matches!(c, 't' | 'l' | 'k' | 'K')) {
            sequence.push(modifier);
            count += usize::from(modifier == 'K');
        }
        let control = rest.next();
        sequence.extend(control);
        match control {
            Some('c' | 'f' | 'e' | 'g' | 's' | 'w' | 'p' | 'b' | 'B' | '#' | '+' | 'i') => count += 1,
            Some('W' | 'P' | 'x' | 'X') => count += 2,
            Some('~' | 'n') => {}
            _ => return Wanted::Illegal(sequence),
        }
    }
    Wanted::Arguments(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_arguments() {
        assert_eq!(wanted("a ~p ~w~n"), Wanted::Arguments(2));
        assert_eq!(wanted("~5.2f ~*c ~tp ~-10s ~8..0B ~-*s"), Wanted::Arguments(8));
        assert_eq!(wanted("~P ~W ~x ~~"), Wanted::Arguments(6));
        assert_eq!(wanted("~y"), Wanted::Illegal("~y".to_owned()));
        assert_eq!(wanted("~10"), Wanted::Illegal("~10".to_owned()));
    }
}
