//! The console: what is typed or piped in, statement by statement or line by line.
//!
//! One thread owns it and serves [`Request`]s one after the other. From a terminal, text comes through the line editor, a whole
//! statement at a time; from a pipe, line by line. What a line holds behind the end of a statement waits for whoever asks next:
//! the next statement, or a program that reads standard input.

use std::io::{BufRead, BufReader, Stdin};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use super::editor::Editor;
use super::text::{self, Scanner};

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Text up to a full stop.
    Statement,
    /// A line.
    Line,
    /// A key, without waiting longer than that.
    Key(Duration),
}

/// A request to the console.
pub struct Request {
    pub wish: Wish,
    pub prompt: String,
    pub reply: Sender<Answer>,
}

/// What the console answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Text(Vec<u8>),
    Eof,
    /// Ctrl-C while typing: what was typed is gone.
    Interrupted,
    /// Ctrl-G: the job control is wanted.
    Jobs,
    /// No key was pressed in time.
    Timeout,
}

/// Where text comes from.
enum Input {
    Editor(Box<Editor>),
    Pipe(BufReader<Stdin>),
}

/// See the module's essay.
pub struct Console {
    input: Input,
    /// Read, but not asked for yet.
    pending: Vec<u8>,
    ended: bool,
}

impl Console {
    /// A console on standard input; an editor if that is a terminal.
    pub fn new(editor: Option<Editor>) -> Console {
        let input = match editor {
            Some(editor) => Input::Editor(Box::new(editor)),
            None => Input::Pipe(BufReader::new(std::io::stdin())),
        };
        Console { input, pending: Vec::new(), ended: false }
    }

    /// Serves requests until nobody can ask any more.
    pub fn serve(&mut self, requests: &Receiver<Request>) {
        for request in requests {
            let answer = match request.wish {
                Wish::Statement => self.statement(&request.prompt),
                Wish::Line => self.line(&request.prompt),
                Wish::Key(patience) => self.key(patience),
            };
            // Who asked may have been interrupted meanwhile; a line nobody took is kept.
            if let Err(unsent) = request.reply.send(answer)
                && let Answer::Text(bytes) = unsent.0
            {
                self.pending.splice(..0, bytes);
            }
        }
    }

    fn line(&mut self, prompt: &str) -> Answer {
        if let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') {
            return Answer::Text(self.pending.drain(..=end).collect());
        }
        match self.read(Wish::Line, prompt) {
            None => Answer::Text(std::mem::take(&mut self.pending)),
            Some(Answer::Eof) if !self.pending.is_empty() => Answer::Text(std::mem::take(&mut self.pending)),
            Some(other) => other,
        }
    }

    /// Reads a piece of text and appends it to what is pending; what else came if nothing did.
    fn read(&mut self, wish: Wish, prompt: &str) -> Option<Answer> {
        if self.ended {
            return Some(Answer::Eof);
        }
        match &mut self.input {
            Input::Editor(editor) => {
                let answer = match wish {
                    Wish::Statement => editor.statement(prompt),
                    Wish::Line | Wish::Key(_) => editor.line(prompt),
                };
                match answer {
                    Answer::Text(bytes) => {
                        self.pending.extend(bytes);
                        None
                    }
                    other => Some(other),
                }
            }
            // What cannot be read has ended.
            Input::Pipe(pipe) => match pipe.read_until(b'\n', &mut self.pending) {
                Ok(length) if length > 0 => None,
                _ => {
                    self.ended = true;
                    Some(Answer::Eof)
                }
            },
        }
    }

    fn key(&mut self, patience: Duration) -> Answer {
        match &self.input {
            Input::Editor(_) => super::terminal::key(patience),
            Input::Pipe(_) => Answer::Eof,
        }
    }

    fn statement(&mut self, prompt: &str) -> Answer {
        let first = match self.one_statement(prompt, false) {
            Answer::Text(bytes) => bytes,
            other => return other,
        };
        if !text::begins_module(&String::from_utf8_lossy(&first)) {
            return Answer::Text(first);
        }
        // A module was pasted: its forms are one statement.
        let mut module = first;
        loop {
            let from_pipe = matches!(self.input, Input::Pipe(_));
            if !from_pipe && self.pending.trim_ascii().is_empty() {
                return Answer::Text(module);
            }
            // What stands above a function is a part of the module.
            match self.one_statement(prompt, true) {
                Answer::Text(next) if text::looks_like_form(&String::from_utf8_lossy(&next)) => {
                    module.extend(next)
                }
                Answer::Text(next) => {
                    self.pending.splice(..0, next);
                    return Answer::Text(module);
                }
                _ => return Answer::Text(module),
            }
        }
    }

    /// Text up to the next full stop; blank text before it is passed over, unless it is to be kept.
    fn one_statement(&mut self, prompt: &str, keeps_blank: bool) -> Answer {
        let mut scanner = Scanner::default();
        let mut scanned = 0;
        loop {
            if let Some(length) = scanner.read(&self.pending[scanned..]) {
                return Answer::Text(self.pending.drain(..scanned + length).collect());
            }
            scanned = self.pending.len();
            if scanner.is_blank() && !scanner.is_in_comment() && !keeps_blank {
                self.pending.clear();
                scanned = 0;
            }
            match self.read(Wish::Statement, prompt) {
                None => {}
                // The last statement may go without its full stop.
                Some(Answer::Eof) if !scanner.is_blank() => {
                    return Answer::Text(std::mem::take(&mut self.pending));
                }
                Some(other) => {
                    self.pending.clear();
                    return other;
                }
            }
        }
    }
}
