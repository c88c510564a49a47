//! Who knows names: the machine, the standard library, the shell's definitions, the file system.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError, Weak};
use std::time::Duration;

use erlet::lang::builtin;
use erlet::{Value, Vm};

use super::complete::{self, Candidate, Names};
use super::editor::Assistant;
use super::host::Terminal;

/// How long the machine may take to tell names before the key press goes on without.
const PATIENCE: Duration = Duration::from_millis(200);

/// The most candidates of a kind that has many.
const MOST: usize = 500;

/// Questions to the machine that wait for their answers, by number.
#[derive(Default)]
pub struct Questions {
    waiting: Mutex<(i64, BTreeMap<i64, Sender<Value>>)>,
}

impl Questions {
    /// Asks `erlet_shell:tell(What, Number)` and waits for what it answers.
    pub fn ask(&self, vm: &Vm, what: Value) -> Option<Value> {
        let (sender, answer) = channel();
        let number = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.0 += 1;
            let number = waiting.0;
            waiting.1.insert(number, sender);
            number
        };
        let asked = vm.spawn("erlet_shell", "tell", &[what, Value::Int(number)]);
        let answer = asked.ok().and_then(|_| answer.recv_timeout(PATIENCE).ok());
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
        answer
    }

    /// The machine's answer to a question.
    pub fn answer(&self, number: i64, value: Value) {
        let sender = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
        if let Some(sender) = sender {
            // Nobody waits any more for an answer that came late.
            let _ = sender.send(value);
        }
    }
}

/// What the machine and the terminal know, together.
pub struct Knowledge {
    terminal: Weak<Terminal>,
}

impl Knowledge {
    pub fn new(terminal: Weak<Terminal>) -> Knowledge {
        Knowledge { terminal }
    }
}

impl Assistant for Knowledge {
    fn complete(&self, before: &str) -> (usize, Vec<Candidate>) {
        match self.terminal.upgrade() {
            Some(terminal) => {
                complete::complete(before, &Known { terminal: &terminal, words: OnceCell::new() })
            }
            None => (before.len(), Vec::new()),
        }
    }

    fn signature(&self, before: &str) -> Option<String> {
        let (module, function) = complete::call(before)?;
        let terminal = self.terminal.upgrade()?;
        terminal.signature(module, function)
    }
}

struct Known<'t> {
    terminal: &'t Terminal,
    /// The commands and the loaded modules that begin with the word: one question for both.
    words: OnceCell<[Vec<String>; 2]>,
}

impl Known<'_> {
    fn ask(&self, what: &str, about: &str) -> Vec<Value> {
        let question = Value::tuple([Value::atom(what), Value::from(about)]);
        let Some(vm) = self.terminal.machine() else { return Vec::new() };
        match self.terminal.questions().ask(&vm, question) {
            Some(Value::List(values)) => values.into_vec(),
            _ => Vec::new(),
        }
    }

    /// See the field; all that is asked for one completion begins with the same word.
    fn words(&self, begun: &str) -> &[Vec<String>; 2] {
        self.words.get_or_init(|| {
            let mut lists = self.ask("words", begun).into_iter().map(|list| match list {
                Value::List(names) => names.iter().filter_map(Value::to_text).collect(),
                _ => Vec::new(),
            });
            [lists.next().unwrap_or_default(), lists.next().unwrap_or_default()]
        })
    }

    fn atoms_of(values: Vec<Value>) -> Vec<String> {
        let text = |value| match value {
            Value::Atom(text) => Some(text.to_string()),
            _ => None,
        };
        values.into_iter().filter_map(text).collect()
    }

    fn functions_of(values: Vec<Value>) -> Vec<(String, u32)> {
        let function = |value| match value {
            Value::Tuple(pair) => match &pair[..] {
                [Value::Atom(name), Value::Int(arity)] => {
                    Some((name.to_string(), u32::try_from(*arity).ok()?))
                }
                _ => None,
            },
            _ => None,
        };
        values.into_iter().filter_map(function).collect()
    }
}

impl Names for Known<'_> {
    fn variables(&self) -> Vec<String> {
        Self::atoms_of(self.ask("variables", ""))
    }

    fn modules(&self, begun: &str) -> Vec<String> {
        let own = |name: &&str| name.starts_with(begun) && !name.starts_with("erlet_");
        let mut modules: Vec<String> =
            erlet::stdlib::modules().into_iter().filter(own).map(str::to_owned).collect();
        modules.extend_from_slice(&self.words(begun)[1]);
        modules
            .extend(self.files(begun).iter().filter_map(|file| file.strip_suffix(".erl").map(str::to_owned)));
        modules
    }

    fn exports(&self, module: &str) -> Vec<(String, u32)> {
        let natives = erlet::bif::ROWS.iter().filter(|row| row.module == module);
        let natives = natives.map(|row| (row.function.to_owned(), u32::from(row.arity)));
        Self::functions_of(self.ask("exports", module)).into_iter().chain(natives).collect()
    }

    fn records(&self) -> Vec<(String, Vec<String>)> {
        self.terminal.record_names()
    }

    fn keys(&self, variable: &str) -> Vec<String> {
        Self::atoms_of(self.ask("keys", variable))
    }

    fn functions(&self) -> Vec<(String, u32)> {
        self.terminal.function_names()
    }

    fn commands(&self, begun: &str) -> Vec<String> {
        self.words(begun)[0].clone()
    }

    fn builtins(&self) -> Vec<(String, u32)> {
        builtin::auto_imported().map(|(name, arity)| (name.to_owned(), arity)).collect()
    }

    fn files(&self, begun: &str) -> Vec<String> {
        let (folder, name) = begun.rsplit_once('/').map_or(("", begun), |(folder, name)| (folder, name));
        let shown = &begun[..begun.len() - name.len()];
        let folder = if shown.is_empty() {
            "."
        } else if folder.is_empty() {
            "/"
        } else {
            folder
        };
        let Ok(entries) = std::fs::read_dir(Path::new(folder)) else { return Vec::new() };
        let entry = |entry: std::fs::DirEntry| {
            let text = entry.file_name().into_string().ok().filter(|text| text.starts_with(name))?;
            if text.starts_with('.') && !name.starts_with('.') {
                return None;
            }
            // What a name says is in the folder itself; only links have to be followed.
            let is_folder = match entry.file_type().ok()? {
                kind if kind.is_symlink() => entry.path().is_dir(),
                kind => kind.is_dir(),
            };
            Some(format!("{shown}{text}{}", if is_folder { "/" } else { "" }))
        };
        entries.flatten().filter_map(entry).take(MOST).collect()
    }

    fn atoms(&self, begun: &str) -> Vec<String> {
        let Some(vm) = self.terminal.machine() else { return Vec::new() };
        vm.atoms_beginning(begun, MOST)
    }
}
