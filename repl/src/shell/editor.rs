//! The line editor: rustyline with Erlang's idea of a statement.
//!
//! Enter ends the input when its last statement has its full stop outside strings, comments and quoted atoms; else it begins
//! another line. The history keeps whole statements, on disk too, each text once.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::{FileHistory, History};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, EditMode, Event, EventContext, EventHandler,
    ExternalPrinter, Helper, KeyEvent, RepeatCount,
};

use super::colour::{self, Progress};
use super::complete::{Candidate, fitting};
use super::console::Answer;
use super::interrupts::Interrupts;
use super::terminal;
use super::text::Scanner;

/// Statements that the history keeps.
const HISTORY: usize = 2000;

/// Longer text goes without completion and hints.
const LONGEST: usize = 20_000;

/// In longer text the colours wait while keys come faster than they are shown: a paste that the terminal does not mark as one.
const LONG: usize = 500;

/// As many bytes of longer text are coloured in a millisecond, at the most: what a paste takes is in proportion to its length, and
/// nobody types as fast as that.
const COLOURED_PER_MS: usize = 500;

/// What the editor asks of those who know names.
pub trait Assistant: Send + Sync {
    /// The place where the word before the cursor begins, and what it may become.
    fn complete(&self, before: &str) -> (usize, Vec<Candidate>);
    /// The parameters of the function whose call was just opened.
    fn signature(&self, before: &str) -> Option<String>;
}

/// Reads from the terminal.
pub struct Editor {
    editor: rustyline::Editor<Statements, FileHistory>,
    history: Option<PathBuf>,
    /// Whether the history on disk has been read.
    is_loaded: bool,
    jobs_wanted: Arc<AtomicBool>,
}

/// What helps with typing statements.
struct Statements {
    assistant: Arc<dyn Assistant>,
    colour: bool,
    progress: Mutex<Progress>,
    /// Characters are on the screen that have not the right colour yet.
    is_behind: AtomicBool,
    /// When the text was last coloured as a whole.
    coloured: Mutex<Option<Instant>>,
    /// What is painted next has to have its colours.
    is_urgent: AtomicBool,
    /// Told when Enter ends the input.
    entered: Arc<Interrupts>,
    /// A program reads: what is typed is no Erlang.
    is_plain: bool,
}

impl Helper for Statements {}

impl Completer for Statements {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = line.get(..pos).filter(|before| before.len() <= LONGEST && !self.is_plain);
        let Some(before) = before else { return Ok((pos, Vec::new())) };
        let (start, candidates) = self.assistant.complete(before);
        let (columns, rows) = terminal::size();
        let candidates = fitting(candidates, columns, rows);
        let pair = |candidate: Candidate| Pair { display: candidate.shown, replacement: candidate.text };
        Ok((start, candidates.into_iter().map(pair).collect()))
    }
}

impl Hinter for Statements {
    type Hint = String;

    fn hint(&self, line: &str, pos: usize, _: &rustyline::Context<'_>) -> Option<String> {
        (pos == line.len() && pos <= LONGEST && !self.is_plain)
            .then(|| self.assistant.signature(line))
            .flatten()
    }
}

impl Highlighter for Statements {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        let is_urgent = self.is_urgent.swap(false, Ordering::Relaxed);
        if !self.colour || self.is_plain {
            return Cow::Borrowed(line);
        }
        if !is_urgent && self.is_too_soon(line) {
            self.is_behind.store(true, Ordering::Relaxed);
            return Cow::Borrowed(line);
        }
        let coloured = colour::highlight(line, pos);
        *self.coloured.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        coloured
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.colour { Cow::Owned(format!("\x1b[90m{hint}\x1b[0m")) } else { Cow::Borrowed(hint) }
    }

    fn highlight_char(&self, line: &str, pos: usize, kind: CmdKind) -> bool {
        if !self.colour || self.is_plain || line.len() > LONGEST {
            return false;
        }
        if kind != CmdKind::Other || pos < line.len() {
            self.is_urgent.store(true, Ordering::Relaxed);
            return true;
        }
        if line.len() > LONG && (terminal::is_typed_ahead() || self.is_too_soon(line)) {
            self.is_behind.store(true, Ordering::Relaxed);
            return false;
        }
        let is_plain = self.progress.lock().unwrap_or_else(PoisonError::into_inner).is_plain(line);
        self.is_behind.swap(false, Ordering::Relaxed) || !is_plain
    }
}

impl Statements {
    /// Whether long text was coloured so lately that to do it again would take most of the time.
    fn is_too_soon(&self, line: &str) -> bool {
        let coloured = *self.coloured.lock().unwrap_or_else(PoisonError::into_inner);
        let pause = Duration::from_millis((line.len() / COLOURED_PER_MS) as u64);
        line.len() > LONG && coloured.is_some_and(|at| at.elapsed() < pause)
    }
}

impl Validator for Statements {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        Ok(match self.is_plain || is_complete(context.input()) {
            true => {
                self.entered.entered();
                ValidationResult::Valid(None)
            }
            false => ValidationResult::Incomplete,
        })
    }
}

/// Whether the text ends its last statement, or holds none.
fn is_complete(text: &str) -> bool {
    let mut rest = text.as_bytes();
    loop {
        let mut scanner = Scanner::default();
        match scanner.read(rest) {
            Some(length) => rest = &rest[length..],
            None => return scanner.is_blank() || scanner.ends_statement(),
        }
    }
}

/// A key that leaves what is being typed for the jobs.
struct JobsKey(Arc<AtomicBool>);

impl ConditionalEventHandler for JobsKey {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        self.0.store(true, Ordering::Relaxed);
        Some(Cmd::Interrupt)
    }
}

impl Editor {
    /// An editor on the terminal, and what prints above the line that is being typed.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub fn new(
        assistant: Arc<dyn Assistant>,
        colour: bool,
        entered: Arc<Interrupts>,
    ) -> rustyline::Result<(Editor, Option<Box<dyn ExternalPrinter + Send>>)> {
        let mode = match std::env::var("ERLET_KEYS").as_deref() {
            Ok("vi") => EditMode::Vi,
            _ => EditMode::Emacs,
        };
        let config = Config::builder()
            .max_history_size(HISTORY)?
            .completion_type(CompletionType::List)
            // There are never more than fit on the screen.
            .completion_prompt_limit(usize::MAX)
            .edit_mode(mode)
            .build();
        let mut editor = rustyline::Editor::with_config(config)?;
        editor.set_helper(Some(Statements {
            assistant,
            colour,
            progress: Mutex::default(),
            is_behind: AtomicBool::new(false),
            coloured: Mutex::new(None),
            is_urgent: AtomicBool::new(false),
            entered,
            is_plain: false,
        }));
        let jobs_wanted = Arc::new(AtomicBool::new(false));
        for key in [KeyEvent::ctrl('G'), KeyEvent::ctrl('\\')] {
            editor.bind_sequence(key, EventHandler::Conditional(Box::new(JobsKey(jobs_wanted.clone()))));
        }
        // A dumb terminal has no such printer.
        let printer = editor.create_external_printer().ok();
        let printer = printer.map(|printer| Box::new(printer) as Box<dyn ExternalPrinter + Send>);
        Ok((Editor { editor, history: history_file(), is_loaded: false, jobs_wanted }, printer))
    }

    /// Reads one or more statements.
    pub fn statement(&mut self, prompt: &str) -> Answer {
        self.load_history();
        let read = self.read(prompt, false);
        if let Ok(text) = &read {
            self.remember(text.trim_end());
        }
        match answer(read) {
            Answer::Interrupted if self.jobs_wanted.swap(false, Ordering::Relaxed) => Answer::Jobs,
            answer => answer,
        }
    }

    /// Reads a line for a program.
    pub fn line(&mut self, prompt: &str) -> Answer {
        let answer = answer(self.read(prompt, true));
        self.jobs_wanted.store(false, Ordering::Relaxed);
        answer
    }

    fn read(&mut self, prompt: &str, is_plain: bool) -> rustyline::Result<String> {
        if let Some(helper) = self.editor.helper_mut() {
            helper.is_plain = is_plain;
        }
        self.editor.readline(prompt)
    }

    /// A history that cannot be kept is no reason to stop: errors with the file are not said.
    fn remember(&mut self, text: &str) {
        if matches!(self.editor.add_history_entry(text), Ok(true))
            && let Some(path) = &self.history
        {
            let _ = self.editor.append_history(path);
        }
    }

    /// Reads the history on disk; of equal statements the newest counts.
    fn load_history(&mut self) {
        if std::mem::replace(&mut self.is_loaded, true) {
            return;
        }
        let Some(path) = self.history.clone() else { return };
        if let Some(folder) = path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        if self.editor.load_history(&path).is_err() {
            return;
        }
        let all: Vec<String> = self.editor.history().iter().cloned().collect();
        let mut seen = std::collections::HashSet::new();
        let mut once: Vec<&String> = all.iter().rev().filter(|text| seen.insert(*text)).collect();
        if once.len() < all.len() {
            once.reverse();
            let history = self.editor.history_mut();
            let _ = history.clear();
            for text in once {
                let _ = history.add(text);
            }
            let _ = history.save(&path);
        }
    }
}

fn answer(read: rustyline::Result<String>) -> Answer {
    match read {
        Ok(text) => Answer::Text(format!("{text}\n").into_bytes()),
        Err(ReadlineError::Interrupted) => Answer::Interrupted,
        // Bytes that are no text: what was typed is refused, the shell goes on.
        Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
            Answer::Interrupted
        }
        Err(_) => Answer::Eof,
    }
}

/// Where the history is kept: `ERLET_HISTORY` (empty for nowhere), else in the user's folder for state.
fn history_file() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("ERLET_HISTORY") {
        return (!path.is_empty()).then(|| path.into());
    }
    let state = std::env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let state = state.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    Some(state.join("erlet/history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_ends_what_has_its_full_stop() {
        for text in ["", "  ", "% nothing", "1.", "X = 1, X + 1. % done", "\"a. b\".", "A = 1. B = 2."] {
            assert!(is_complete(text), "{text}");
        }
        for text in ["1", "foo(", "\"abc.", "'a. b", "A = 1. B", "case X of\n 1 -> 2"] {
            assert!(!is_complete(text), "{text}");
        }
    }
}
