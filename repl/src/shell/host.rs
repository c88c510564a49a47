//! The functions that the shell's Erlang side (`erlet_shell`) calls: `erlet_host:call(Function, Arguments)`.
//!
//! | function | arguments | answer |
//! |---|---|---|
//! | `about` | | `{IsTerminal, HasColour}` |
//! | `told` | number, answer | `ok`: the answer to a question for completing ([`Questions`]) |
//! | `resume` | | `ok`: the shell has taken notice of an interrupt |
//! | `key` | milliseconds | a key, `timeout` or `eof` |
//! | `start_statements` | shell | texts to be evaluated first |
//! | `documentation`, `types` | module, and perhaps a name and an arity | text or `undefined` |
//! | `statement` | shell, prompt | `{ok, Text}`, `eof`, `interrupted` or `jobs` |
//! | `line` | prompt | text, `eof` or `interrupted` |
//! | `compile` | shell, text, part, names of the bound variables | `{ok, Statement, Warnings}`, `{error, Text}` (syntax) or `{refused, Text}` |
//! | `compile_file`, `compile_text` | path and options; text | `{ok, Module, Code, Warnings}` or `{error, Text}` |
//! | `read_records` | shell, path, `all` or names, options | `{ok, Names}` or `{error, Text}` |
//! | `cd` | path | `ok` |
//! | `release` | module | `ok`: the name of a throw-away module may be used again |
//! | `records` | shell | `[{Name, Fields, Text}]` |
//! | `definitions` | shell, `function`, `type`, `spec` or `macro` | `[{Name, Arity, Text}]` |
//! | `forget` | shell, `record` or one of those, name, arity | `ok` |
//!
//! A shell is a number; each has definitions of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use erlet::lang::notes::{Kind, Notes};
use erlet::vm::{Host, Value, Vm};

use super::assistant::Questions;
use super::compile::{self, Compiled, Defined, Definitions, PATH, Statement};
use super::console::{Answer, Request, Wish};
use super::records;
use crate::command::{Definition, SourceOptions};
use crate::source;

/// What every throw-away module's name begins with.
const MODULES: &str = "erlet_eval_";

/// How long a question waits for output that came before it; somebody may be printing without end.
const OUTPUT_PATIENCE: Duration = Duration::from_millis(100);

/// The terminal side as the machine sees it.
pub struct Terminal {
    requests: Mutex<Sender<Request>>,
    vm: OnceLock<Weak<Vm>>,
    shells: Mutex<BTreeMap<i64, Definitions>>,
    modules: Mutex<ModuleNames>,
    /// Statements to be evaluated before the first prompt.
    start: Mutex<Vec<Vec<u8>>>,
    /// The shell that read last.
    current: AtomicI64,
    questions: Questions,
    /// Set by an interrupt: output is dropped until the shell has taken notice.
    is_muted: Arc<AtomicBool>,
    sources: SourceOptions,
    is_terminal: bool,
    colour: bool,
}

/// Numbers of throw-away modules, so that their names are few.
#[derive(Default)]
struct ModuleNames {
    free: Vec<u64>,
    used: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn atom(text: &str) -> Value {
    Value::atom(text)
}

fn binary(text: &str) -> Value {
    Value::from(text)
}

fn boolean(value: bool) -> Value {
    atom(if value { "true" } else { "false" })
}

fn text(value: &Value) -> String {
    match value {
        Value::Binary(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Atom(text) => text.to_string(),
        _ => String::new(),
    }
}

/// A string: a list of characters, or a binary.
fn string(value: &Value) -> String {
    match value {
        Value::List(chars) => {
            let code = |value: &Value| match value {
                Value::Int(code) => u32::try_from(*code).ok().and_then(char::from_u32),
                _ => None,
            };
            chars.iter().filter_map(code).collect()
        }
        other => text(other),
    }
}

/// A macro's value as source text.
fn written(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Atom(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Value::Tuple(values) => format!("{{{}}}", values.iter().map(written).collect::<Vec<_>>().join(",")),
        Value::List(values) => format!("[{}]", values.iter().map(written).collect::<Vec<_>>().join(",")),
        other => format!("<<{:?}/utf8>>", text(other)),
    }
}

impl Terminal {
    /// A terminal whose console is asked through `requests`.
    pub fn new(
        requests: Sender<Request>,
        start: Vec<Vec<u8>>,
        sources: SourceOptions,
        is_terminal: bool,
    ) -> Terminal {
        let colour = is_terminal && crate::message::colour();
        Terminal {
            requests: Mutex::new(requests),
            vm: OnceLock::new(),
            shells: Mutex::default(),
            modules: Mutex::default(),
            start: Mutex::new(start),
            current: AtomicI64::new(1),
            questions: Questions::default(),
            is_muted: Arc::default(),
            sources,
            is_terminal,
            colour,
        }
    }

    /// Says, once, which machine code is loaded into.
    pub fn serve(&self, vm: Weak<Vm>) {
        let first = self.vm.set(vm).is_ok();
        debug_assert!(first, "a terminal serves one machine");
    }

    /// The machine, while there is one.
    pub fn machine(&self) -> Option<Arc<Vm>> {
        self.vm.get().and_then(Weak::upgrade)
    }

    pub fn questions(&self) -> &Questions {
        &self.questions
    }

    /// Whether text may be coloured.
    pub fn colour(&self) -> bool {
        self.colour
    }

    /// What drops output while it is set.
    pub fn is_muted(&self) -> &Arc<AtomicBool> {
        &self.is_muted
    }

    /// Ctrl-C while something is evaluated.
    pub fn interrupt(&self) {
        self.is_muted.store(true, Ordering::Relaxed);
        self.tell_jobs("interrupt");
    }

    /// Ctrl-\ while something is evaluated.
    pub fn jobs(&self) {
        self.tell_jobs("menu");
    }

    fn tell_jobs(&self, what: &str) {
        if let Some(vm) = self.machine() {
            // Without room for a process the machine has other troubles than an interrupt that is lost.
            let _ = vm.spawn("erlet_jobs", what, &[]);
        }
    }

    /// Output goes on, without what was waiting at the interrupt.
    fn resume(&self) {
        if self.is_muted.load(Ordering::Relaxed) {
            if let Some(vm) = self.machine() {
                vm.flush();
            }
            self.is_muted.store(false, Ordering::Relaxed);
        }
    }

    fn with_current<T>(&self, f: impl FnOnce(&Definitions) -> T) -> T {
        f(lock(&self.shells).entry(self.current.load(Ordering::Relaxed)).or_default())
    }

    /// The current shell's records with their fields.
    pub fn record_names(&self) -> Vec<(String, Vec<String>)> {
        self.with_current(|d| {
            d.records.iter().map(|(name, record)| (name.clone(), record.fields.clone())).collect()
        })
    }

    /// The functions defined in the current shell.
    pub fn function_names(&self) -> Vec<(String, u32)> {
        self.with_current(|definitions| definitions.functions.keys().cloned().collect())
    }

    /// The parameters and result of a function, as far as notes tell.
    pub fn signature(&self, module: &str, function: &str) -> Option<String> {
        let notes = self.host_notes(module).or_else(|| erlet::stdlib::notes(module))?;
        let entry = notes.entries.iter().find(|e| e.kind == Kind::Function && e.name == function)?;
        let head = entry.heading.split_once(&format!("{function}("))?.1;
        let line = head.split(" when ").next().unwrap_or(head).trim_end_matches('.');
        Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// What a module of host functions says about itself.
    fn host_notes(&self, module: &str) -> Option<Notes> {
        self.machine()?.notes(module)
    }

    /// What a module says about itself, or about functions or types of a name.
    fn notes(&self, kind: Kind, module: &str, rest: &[Value]) -> Value {
        let notes = self.host_notes(module).or_else(|| erlet::stdlib::notes(module)).or_else(|| {
            let folders = self.sources.path.iter().map(PathBuf::as_path).chain([Path::new(".")]);
            let mut files = folders.map(|folder| folder.join(format!("{module}.erl")));
            files.find_map(|file| std::fs::read(file).ok()).map(|bytes| Notes::of(&bytes))
        });
        let Some(notes) = notes else { return atom("undefined") };
        let (name, arity) = match rest {
            [] => (None, None),
            [name] => (Some(text(name)), None),
            [name, Value::Int(arity), ..] => (Some(text(name)), u32::try_from(*arity).ok()),
            _ => return atom("undefined"),
        };
        match super::documents::text(module, &notes, kind, name.as_deref(), arity, self.colour) {
            Some(text) => binary(&text),
            None => atom("undefined"),
        }
    }

    /// Waits for what the console answers.
    fn ask(&self, wish: Wish, prompt: String) -> Answer {
        // What was printed before the question stands before it.
        if let Some(vm) = self.machine() {
            vm.flush_within(OUTPUT_PATIENCE);
        }
        let (reply, answer) = channel();
        if lock(&self.requests).send(Request { wish, prompt, reply }).is_err() {
            return Answer::Eof;
        }
        answer.recv().unwrap_or(Answer::Eof)
    }

    fn compile(&self, shell: i64, statement: &str, part: i64, names: &[Value]) -> Value {
        let Some(vm) = self.machine() else { return atom("stopped") };
        let definitions = lock(&self.shells).entry(shell).or_default().clone();
        let variables: Vec<String> = names.iter().map(text).collect();
        let number = lock(&self.modules).take();
        let module = format!("{MODULES}{number}");
        let part = usize::try_from(part).unwrap_or(usize::MAX);
        let Compiled { statement, said, is_syntax } = compile::compile(&compile::Source {
            text: statement,
            part,
            module: &module,
            variables: &variables,
            definitions: &definitions,
            defines: &source::defines(&self.sources),
            colour: self.colour,
        });
        let Some(statement) = statement else {
            lock(&self.modules).give(number);
            let kind = if is_syntax { "error" } else { "refused" };
            return Value::tuple([atom(kind), binary(&said)]);
        };
        let value = match statement {
            Statement::Code { module: code, inputs, outputs, kept, more } => {
                if let Err(error) = vm.load_module(*code) {
                    lock(&self.modules).give(number);
                    return Value::tuple([atom("error"), binary(&format!("error: {error}\n"))]);
                }
                let names = |names: Vec<String>| Value::list(names.into_iter().map(Value::atom));
                let flags = [boolean(kept), boolean(more)];
                let code = [atom("code"), atom(&module), names(inputs), names(outputs)];
                Value::Tuple(code.into_iter().chain(flags).collect())
            }
            other => {
                lock(&self.modules).give(number);
                self.define(shell, other)
            }
        };
        Value::tuple([atom("ok"), value, binary(&said)])
    }

    /// Takes in a definition; what a statement is that has no code.
    fn define(&self, shell: i64, statement: Statement) -> Value {
        let mut shells = lock(&self.shells);
        let definitions = shells.entry(shell).or_default();
        match statement {
            Statement::Defined { what, name, arity, text } => {
                let shown = Value::tuple([atom("defined"), atom(&name), Value::Int(i64::from(arity))]);
                let texts = match what {
                    Defined::Function => &mut definitions.functions,
                    Defined::Type => &mut definitions.types,
                    Defined::Spec => &mut definitions.specs,
                };
                texts.insert((name, arity), text);
                shown
            }
            Statement::Macro(new) => {
                let arity = i64::from(new.arity.unwrap_or(0));
                let shown = Value::tuple([atom("defined"), atom(&new.name), Value::Int(arity)]);
                definitions.define(new);
                shown
            }
            Statement::Undefined(name) => {
                definitions.macros.retain(|one| one.name != name);
                Value::tuple([atom("defined"), atom(&name), Value::Int(0)])
            }
            Statement::Record { name, record, more } => {
                let shown = Value::tuple([atom("record"), atom(&name), boolean(more)]);
                definitions.records.insert(name, record);
                shown
            }
            Statement::Forget { names, more } => {
                let names = Value::list(names.into_iter().map(Value::atom));
                Value::tuple([atom("forget"), names, boolean(more)])
            }
            Statement::Module => atom("module"),
            Statement::Code { .. } | Statement::Nothing => atom("nothing"),
        }
    }

    /// The command line's options with those of a call: macros and folders.
    fn with_options(&self, options: &[Value]) -> SourceOptions {
        let mut sources = self.sources.clone();
        for option in options {
            let Value::Tuple(parts) = option else { continue };
            match &parts[..] {
                [Value::Atom(key), folder] if key == "i" => sources.include.push(string(folder).into()),
                [Value::Atom(key), name] if key == "d" => {
                    sources.define.push(Definition { name: text(name), value: None });
                }
                [Value::Atom(key), name, value] if key == "d" => {
                    sources.define.push(Definition { name: text(name), value: Some(written(value)) });
                }
                _ => {}
            }
        }
        sources
    }

    /// Compiles a file as `c/2` does.
    fn compile_file(&self, path: &Path, options: &[Value]) -> Value {
        match std::fs::read(path) {
            Ok(bytes) => self.compile_module(path, &bytes, &self.with_options(options)),
            Err(error) => {
                let text = format!("error: cannot read {}: {error}\n", path.display());
                Value::tuple([atom("error"), binary(&text)])
            }
        }
    }

    fn compile_module(&self, path: &Path, bytes: &[u8], sources: &SourceOptions) -> Value {
        let mut compilation = source::compile_bytes(path, bytes, sources, false);
        if compilation.module.as_ref().is_some_and(source::exports_nothing) {
            compilation = source::compile_bytes(path, bytes, sources, true);
        }
        let said = binary(&compilation.session.render(self.colour));
        match compilation.module {
            Some(module) => {
                let name = atom(&module.atoms[module.name.index()]);
                let code = Value::binary(erlet::lang::encode::encode(&module));
                Value::tuple([atom("ok"), name, code, said])
            }
            None => Value::tuple([atom("error"), said]),
        }
    }

    /// Takes in the records of a file, all or those wanted: `{ok, Names}`.
    fn read_records(&self, shell: i64, path: &str, wanted: &Value, options: &[Value]) -> Value {
        let is_wanted = |name: &str| match wanted {
            Value::List(names) => names.iter().any(|wanted| text(wanted) == name),
            _ => true,
        };
        match records::of_file(Path::new(path), &self.with_options(options), self.colour) {
            Err(said) => Value::tuple([atom("error"), binary(&said)]),
            Ok((found, _)) => {
                let mut shells = lock(&self.shells);
                let definitions = shells.entry(shell).or_default();
                let mut names = Vec::new();
                for (name, record) in found.into_iter().filter(|(name, _)| is_wanted(name)) {
                    names.push(atom(&name));
                    definitions.records.insert(name, record);
                }
                Value::tuple([atom("ok"), Value::list(names)])
            }
        }
    }

    fn records(&self, shell: i64) -> Value {
        let mut shells = lock(&self.shells);
        let records = shells.entry(shell).or_default().records.iter();
        let row = |(name, record): (&String, &super::compile::Record)| {
            let fields = record.fields.iter().map(|field| atom(field)).collect();
            Value::tuple([atom(name), Value::List(fields), binary(&record.text)])
        };
        Value::List(records.map(row).collect())
    }

    fn definitions(&self, shell: i64, what: &str) -> Value {
        let mut shells = lock(&self.shells);
        let definitions = shells.entry(shell).or_default();
        let row = |name: &str, arity: u32, text: &str| {
            Value::tuple([atom(name), Value::Int(i64::from(arity)), binary(text)])
        };
        let texts = match what {
            "type" => &definitions.types,
            "spec" => &definitions.specs,
            "macro" => {
                let macros = definitions.macros.iter();
                return Value::List(
                    macros.map(|one| row(&one.name, one.arity.unwrap_or(0), &one.text)).collect(),
                );
            }
            _ => &definitions.functions,
        };
        Value::List(texts.iter().map(|((name, arity), text)| row(name, *arity, text)).collect())
    }

    /// The machine's own directory has changed already; the terminal side follows as far as it can.
    #[allow(
        clippy::disallowed_methods,
        reason = "this is the binary, and the only machine in it is the shell's"
    )]
    fn follow(&self, path: &str) {
        let _ = std::env::set_current_dir(path);
    }

    fn forget(&self, shell: i64, what: &str, name: &str, arity: i64) {
        let mut shells = lock(&self.shells);
        let definitions = shells.entry(shell).or_default();
        let key = (name.to_owned(), u32::try_from(arity).unwrap_or(u32::MAX));
        match what {
            "record" => drop(definitions.records.remove(name)),
            "type" => drop(definitions.types.remove(&key)),
            "macro" => definitions.macros.retain(|one| one.name != name),
            _ => {
                definitions.functions.remove(&key);
                definitions.specs.remove(&key);
            }
        }
    }
}

fn milliseconds_of(value: i64) -> Duration {
    Duration::from_millis(u64::try_from(value).unwrap_or(0))
}

impl ModuleNames {
    fn take(&mut self) -> u64 {
        self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used
        })
    }

    fn give(&mut self, number: u64) {
        self.free.push(number);
    }
}

impl Host for Terminal {
    fn call(&self, function: &str, args: &[Value]) -> Value {
        match (function, args) {
            ("told", [Value::Int(number), value]) => {
                self.questions.answer(*number, value.clone());
                atom("ok")
            }
            ("resume", []) => {
                self.resume();
                atom("ok")
            }
            ("key", [Value::Int(milliseconds)]) => {
                self.ask(Wish::Key(milliseconds_of(*milliseconds)), String::new()).into()
            }
            ("start_statements", [Value::Int(shell)]) => {
                let statements =
                    if *shell == 1 { std::mem::take(&mut *lock(&self.start)) } else { Vec::new() };
                Value::list(statements.into_iter().map(Value::binary))
            }
            ("documentation", [Value::Atom(module), rest @ ..]) => self.notes(Kind::Function, module, rest),
            ("types", [Value::Atom(module), rest @ ..]) => self.notes(Kind::Type, module, rest),
            ("about", []) => Value::tuple([boolean(self.is_terminal), boolean(self.colour)]),
            ("statement", [Value::Int(shell), prompt]) => {
                self.current.store(*shell, Ordering::Relaxed);
                self.resume();
                match self.ask(Wish::Statement, text(prompt)) {
                    Answer::Text(bytes) => Value::tuple([atom("ok"), Value::binary(bytes)]),
                    other => other.into(),
                }
            }
            ("line", [prompt]) => self.ask(Wish::Line, text(prompt)).into(),
            ("compile", [Value::Int(shell), statement, Value::Int(part), Value::List(names)]) => {
                self.compile(*shell, &text(statement), *part, names)
            }
            ("release", [Value::Atom(module)]) => {
                if let Some(number) = module.strip_prefix(MODULES).and_then(|number| number.parse().ok()) {
                    lock(&self.modules).give(number);
                }
                atom("ok")
            }
            ("compile_file", [path, Value::List(options)]) => {
                self.compile_file(Path::new(&text(path)), options)
            }
            ("compile_text", [Value::Binary(bytes)]) => {
                self.compile_module(Path::new(PATH), bytes, &self.sources)
            }
            ("read_records", [Value::Int(shell), path, wanted, Value::List(options)]) => {
                self.read_records(*shell, &text(path), wanted, options)
            }
            ("cd", [path]) => {
                self.follow(&text(path));
                atom("ok")
            }
            ("records", [Value::Int(shell)]) => self.records(*shell),
            ("definitions", [Value::Int(shell), Value::Atom(what)]) => self.definitions(*shell, what),
            ("forget", [Value::Int(shell), Value::Atom(what), Value::Atom(name), Value::Int(arity)]) => {
                self.forget(*shell, what, name, *arity);
                atom("ok")
            }
            _ => atom("undefined"),
        }
    }
}

impl From<Answer> for Value {
    fn from(answer: Answer) -> Value {
        match answer {
            Answer::Text(bytes) => Value::binary(bytes),
            Answer::Eof => atom("eof"),
            Answer::Interrupted => atom("interrupted"),
            Answer::Jobs => atom("jobs"),
            Answer::Timeout => atom("timeout"),
        }
    }
}
