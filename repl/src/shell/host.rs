//! The functions that the shell's Erlang side (`erlet_shell`) calls: `erlet_host:call(Function, Arguments)`.
//!
//! | function | arguments | answer |
//! |---|---|---|
//! | `about` | | `{IsTerminal, HasColour}` |
//! | `told` | number, answer | `ok`: the answer to a question for completing ([`Questions`]) |
//! | `resume` | | `ok`: the shell has taken notice of an interrupt |
//! | `key` | milliseconds | a key, `timeout` or `eof` |
//! | `start_statements` | shell | texts to be evaluated first |
//! | `documentation`, `types` | module, the file of its source or `undefined`, and perhaps a name and an arity | text or `undefined` |
//! | `statement` | shell, prompt | `{ok, Text, Before}`, `eof`, `interrupted` or `jobs`; `Before`: see [`Interrupts`] |
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
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use erlet::host::Host;
use erlet::lang::encode::encode;
use erlet::lang::notes::{Kind, Notes};
use erlet::{Value, Vm, WeakVm};

use super::assistant::Questions;
use super::compile::{self, Compiled, Defined, Definitions, PATH, Statement};
use super::console::{Answer, Request, Wish};
use super::interrupts::Interrupts;
use super::records;
use super::values::{atom, binary, boolean, string, text, written};
use crate::command::{Definition, SourceOptions};
use crate::source;

/// What every throw-away module's name begins with.
const MODULES: &str = "erlet_eval_";

/// How long a question waits for output that came before it; somebody may be printing without end.
const OUTPUT_PATIENCE: Duration = Duration::from_millis(100);

/// The terminal side as the machine sees it.
pub struct Terminal {
    requests: Mutex<Sender<Request>>,
    vm: OnceLock<WeakVm>,
    shells: Mutex<BTreeMap<i64, Definitions>>,
    modules: Mutex<ModuleNames>,
    /// The sources of modules that were typed.
    typed: Mutex<BTreeMap<String, Vec<u8>>>,
    /// What modules say about themselves, for signatures.
    noted: Mutex<BTreeMap<String, Option<Arc<Notes>>>>,
    /// Statements to be evaluated before the first prompt.
    start: Mutex<Vec<Vec<u8>>>,
    /// The shell that read last.
    current: AtomicI64,
    questions: Questions,
    /// Set by an interrupt: output is dropped until the shell has taken notice.
    is_muted: Arc<AtomicBool>,
    interrupts: Arc<Interrupts>,
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
            typed: Mutex::default(),
            noted: Mutex::default(),
            start: Mutex::new(start),
            current: AtomicI64::new(1),
            questions: Questions::default(),
            is_muted: Arc::default(),
            interrupts: Arc::default(),
            sources,
            is_terminal,
            colour,
        }
    }

    /// Says, once, which machine code is loaded into.
    pub fn serve(&self, vm: WeakVm) {
        let first = self.vm.set(vm).is_ok();
        debug_assert!(first, "a terminal serves one machine");
    }

    /// The machine, while there is one.
    pub fn machine(&self) -> Option<Vm> {
        self.vm.get().and_then(WeakVm::upgrade)
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

    /// The count of interrupts.
    pub fn interrupts(&self) -> &Arc<Interrupts> {
        &self.interrupts
    }

    /// Ctrl-C while something is evaluated, or about to be.
    pub fn interrupt(&self) {
        self.is_muted.store(true, Ordering::Relaxed);
        self.tell_jobs("interrupt", &[Value::Int(self.interrupts.next())]);
    }

    /// Ctrl-\ while something is evaluated.
    pub fn jobs(&self) {
        self.tell_jobs("menu", &[]);
    }

    fn tell_jobs(&self, what: &str, arguments: &[Value]) {
        if let Some(vm) = self.machine() {
            // Without room for a process the machine has other troubles than an interrupt that is lost.
            let _ = vm.spawn("erlet_jobs", what, arguments);
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

    /// The parameters and result of a function, as far as specs tell: of one in a module, or of one that is called without.
    pub fn signature(&self, module: Option<&str>, function: &str) -> Option<String> {
        let of = |module: &str| {
            let notes = self.noted(module)?;
            let mut entries = notes.entries.iter();
            let entry = entries.find(|entry| entry.kind == Kind::Function && entry.name == function)?;
            Some(entry.heading.clone())
        };
        let spec = |definitions: &Definitions| {
            let mut specs = definitions.specs.iter();
            specs.find(|((name, _), _)| name == function).map(|(_, text)| text.clone())
        };
        let heading = match module {
            Some(module) => of(module),
            // Functions of the prompt, of the language, and the shell's commands.
            None => self.with_current(spec).or_else(|| of("erlang")).or_else(|| of("c")),
        }?;
        let head = heading.split_once(&format!("{function}("))?.1;
        let line = head.split(" when ").next().unwrap_or(head).trim_end_matches('.');
        Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// What a module of host functions says about itself.
    fn host_notes(&self, module: &str) -> Option<Notes> {
        self.machine()?.notes(module)
    }

    /// The notes of a module, read once until something else is evaluated.
    fn noted(&self, module: &str) -> Option<Arc<Notes>> {
        if let Some(known) = lock(&self.noted).get(module) {
            return known.clone();
        }
        let notes = self.host_notes(module).or_else(|| erlet::stdlib::notes(module)).or_else(|| {
            let question = Value::tuple([atom("source"), Value::from(module)]);
            let file = self.machine().and_then(|vm| self.questions.ask(&vm, question))?;
            self.source_of(module, &file).map(|bytes| Notes::of(&bytes))
        });
        let notes = notes.map(Arc::new);
        lock(&self.noted).insert(module.to_owned(), notes.clone());
        notes
    }

    /// The source of a loaded module: the file that is given, or what was typed.
    fn source_of(&self, module: &str, file: &Value) -> Option<Vec<u8>> {
        std::fs::read(text(file)).ok().or_else(|| lock(&self.typed).get(module).cloned())
    }

    /// What a module says about itself, or about functions or types of a name. Its source is looked for in the file that is given, as
    /// text that was typed, and where modules are found.
    fn notes(&self, kind: Kind, module: &str, file: &Value, rest: &[Value]) -> Value {
        let loaded = self.source_of(module, file).map(|bytes| Notes::of(&bytes));
        let notes = loaded.or_else(|| self.host_notes(module)).or_else(|| erlet::stdlib::notes(module));
        let notes = notes.or_else(|| {
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
            options: &self.sources,
            colour: self.colour,
        });
        let Some(statement) = statement else {
            lock(&self.modules).give(number);
            let kind = if is_syntax { "error" } else { "refused" };
            return Value::tuple([atom(kind), binary(&said)]);
        };
        let value = match statement {
            Statement::Code { module: code, inputs, outputs, kept, more } => {
                if let Err(error) = vm.load_bytecode(&encode(&code)) {
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
                let code = Value::binary(encode(&module));
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

    /// Whoever was killed in the midst of giving a name back has somebody else do it again.
    fn give(&mut self, number: u64) {
        if !self.free.contains(&number) {
            self.free.push(number);
        }
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
            ("documentation", [Value::Atom(module), file, rest @ ..]) => {
                self.notes(Kind::Function, module, file, rest)
            }
            ("types", [Value::Atom(module), file, rest @ ..]) => self.notes(Kind::Type, module, file, rest),
            ("about", []) => Value::tuple([boolean(self.is_terminal), boolean(self.colour)]),
            ("statement", [Value::Int(shell), prompt]) => {
                self.current.store(*shell, Ordering::Relaxed);
                lock(&self.noted).clear();
                self.resume();
                // What was read already needs no Enter any more.
                self.interrupts.entered();
                match self.ask(Wish::Statement, text(prompt)) {
                    Answer::Text(bytes) => {
                        let before = Value::Int(self.interrupts.before_statement());
                        Value::tuple([atom("ok"), Value::binary(bytes), before])
                    }
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
                let compiled = self.compile_module(Path::new(PATH), bytes, &self.sources);
                if let Value::Tuple(parts) = &compiled
                    && let [_, Value::Atom(name), _, _] = &parts[..]
                {
                    lock(&self.typed).insert(name.to_string(), bytes.to_vec());
                }
                compiled
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
