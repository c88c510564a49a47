//! Sources: reading files, finding included ones and modules called, compiling, showing what is wrong.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use erlet::code::ModuleSource;
use erlet::code::path::{FolderSource, SourceSettings};
use erlet::lang::ast::FormKind;
use erlet::lang::bytecode::Module;
use erlet::lang::constants::Constants;
use erlet::lang::lint::LintOptions;
use erlet::lang::options::Define;
use erlet::lang::verify::{Verified, verify};
use erlet::lang::{Compilation, IncludeError, Loader, Options, ParseOptions, TransformError};

use crate::command::SourceOptions;
use crate::message::{self, MessageFormat};

/// A file read and compiled.
pub struct Compiled {
    pub module: Module,
    pub path: PathBuf,
}

/// Compiles a file and shows its diagnostics.
///
/// # Errors
/// The exit code: when the file cannot be read, or has errors. What is wrong has been said.
pub fn compile(path: &Path, options: &SourceOptions) -> Result<Compiled, u8> {
    compile_as(path, options, MessageFormat::Human)
}

/// The same, with diagnostics in another form.
///
/// # Errors
/// As [`compile`].
pub fn compile_as(path: &Path, options: &SourceOptions, format: MessageFormat) -> Result<Compiled, u8> {
    let bytes = fs::read(path).map_err(|error| {
        message::complain(&format!("cannot read {}: {}", path.display(), reason(&error)), format);
        crate::UNUSABLE
    })?;
    let mut compilation = compile_bytes(path, &bytes, options, false);
    if compilation.module.as_ref().is_some_and(exports_nothing) {
        // A script without -export: everything is reachable.
        compilation = compile_bytes(path, &bytes, options, true);
    }
    message::show(&mut compilation.session, format);
    let module = compilation.module.ok_or(crate::FAILED)?;
    Ok(Compiled { module, path: path.to_path_buf() })
}

pub fn compile_bytes(path: &Path, bytes: &[u8], options: &SourceOptions, export_all: bool) -> Compilation {
    let settings = Options {
        parse: ParseOptions {
            defines: defines(options),
            allow_hashbang: true,
            default_module: Some(module_name(path)),
            ..ParseOptions::default()
        },
        export_all,
        transforms: Vec::new(),
        lint: surroundings(path, bytes, options),
    };
    let mut loader = Files::new(path, options);
    erlet::lang::compile(&path.to_string_lossy(), bytes, &settings, &mut loader)
}

/// What stands around a file: the modules it may call, what they export, the behaviours it names.
fn surroundings(path: &Path, bytes: &[u8], options: &SourceOptions) -> LintOptions {
    let text = String::from_utf8_lossy(bytes);
    let source = |module: &str| {
        let mut folders = folders(path, options);
        folders.find_map(|folder| Some(folder.join(format!("{module}.erl"))).filter(|file| file.is_file()))
    };
    let mut exports = Vec::new();
    for module in qualifiers(&text) {
        if source(&module).is_none()
            && let Some(functions) = erlet::stdlib::functions(&module)
        {
            exports.push((module, functions));
        }
    }
    let mut behaviours = Vec::new();
    for behaviour in behaviours_of(&text) {
        if let Some(file) = source(&behaviour)
            && let Some(callbacks) = callbacks(&file, options)
        {
            behaviours.push((behaviour, callbacks));
        }
    }
    LintOptions {
        modules: Some(modules(path, options)),
        exports,
        behaviours,
        // What is no source file by its name, a script or text that was typed, may hold any module.
        file_stem: path.extension().is_some().then(|| module_name(path)),
        ..LintOptions::default()
    }
}

/// The words before a colon: the modules that calls may name, and some more.
fn qualifiers(text: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@');
    let words = text.match_indices(':').map(|(at, _)| {
        let before = text[..at].trim_end();
        let start = before
            .rfind(|c: char| !is_word(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        &before[start..]
    });
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).map(str::to_owned).collect()
}

/// The behaviours that a text names.
fn behaviours_of(text: &str) -> BTreeSet<String> {
    let named = |word: &'static str| {
        text.match_indices(word).filter_map(move |(at, _)| {
            let rest = text[at + word.len()..].trim_start().strip_prefix('(')?;
            Some(rest.split(')').next()?.trim().to_owned())
        })
    };
    named("-behaviour").chain(named("-behavior")).collect()
}

/// The callbacks that a behaviour's source demands.
fn callbacks(file: &Path, options: &SourceOptions) -> Option<Vec<(String, u32)>> {
    let bytes = fs::read(file).ok()?;
    let mut session = erlet::lang::Session::new();
    let parse = ParseOptions { defines: defines(options), ..ParseOptions::default() };
    let mut loader = Files::new(file, options);
    let parsed = erlet::lang::parse_file(&mut session, &file.to_string_lossy(), &bytes, &parse, &mut loader);
    let mut demanded = Vec::new();
    let mut optional = BTreeSet::new();
    for form in &parsed.forms {
        match &form.kind {
            FormKind::Spec(spec) if spec.callback => demanded.push((spec.name.name, spec.arity)),
            FormKind::OptionalCallbacks(functions) => {
                optional.extend(functions.iter().map(|function| (function.name, function.arity)));
            }
            _ => {}
        }
    }
    let demanded = demanded.into_iter().filter(|callback| !optional.contains(callback));
    Some(demanded.map(|(name, arity)| (session.names.text(name).to_owned(), arity)).collect())
}

/// The file's own folder, and those of `--path`.
fn folders<'p>(path: &'p Path, options: &'p SourceOptions) -> impl Iterator<Item = &'p Path> {
    let own = path.parent().unwrap_or(Path::new(""));
    let own = if own.as_os_str().is_empty() { Path::new(".") } else { own };
    std::iter::once(own).chain(options.path.iter().map(PathBuf::as_path))
}

/// The modules that a program may call without a warning: erlet's, and the source files that would be found.
fn modules(path: &Path, options: &SourceOptions) -> Vec<String> {
    let mut modules: Vec<String> = erlet::stdlib::modules().into_iter().map(str::to_owned).collect();
    for folder in folders(path, options) {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        let files = entries.flatten().map(|entry| entry.path());
        modules.extend(
            files.filter(|file| file.extension().is_some_and(|e| e == "erl")).map(|file| module_name(&file)),
        );
    }
    modules
}

/// The macros of the command line as the compiler wants them.
pub fn defines(options: &SourceOptions) -> Vec<Define> {
    let define = |d: &crate::command::Definition| Define { name: d.name.clone(), value: d.value.clone() };
    options.define.iter().map(define).collect()
}

/// The module name of a file without `-module`: its name without the extension.
pub fn module_name(path: &Path) -> String {
    path.file_stem().map_or_else(|| "script".to_string(), |stem| stem.to_string_lossy().into_owned())
}

pub fn exports_nothing(module: &Module) -> bool {
    let generated = |name: &str| name == "module_info";
    module.functions.iter().all(|f| !f.exported || generated(&module.atoms[f.name.0 as usize]))
}

/// Whether the module exports a function of that name and arity.
pub fn exports(module: &Module, name: &str, arity: u8) -> bool {
    let named = |f: &&erlet::lang::bytecode::Function| module.atoms[f.name.0 as usize] == name;
    module.functions.iter().filter(named).any(|f| f.exported && f.arity == arity)
}

/// The operating system's reason without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

/// Included files, from the folder of the including file, the working directory, the folder of the program and those of `-I`.
pub struct Files {
    folders: Vec<PathBuf>,
    /// The file that is compiled, beside which the modules of parse transforms may be.
    program: PathBuf,
    options: SourceOptions,
}

impl Files {
    /// Those that `program` finds by the options.
    pub fn new(program: &Path, options: &SourceOptions) -> Files {
        Files { folders: options.include.clone(), program: program.to_path_buf(), options: options.clone() }
    }

    /// The folder `application-1.2.3` below a folder of -I; of several, the one whose name is last.
    fn versioned(&self, application: &str) -> Option<PathBuf> {
        let prefix = format!("{application}-");
        let entries = self.folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| {
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix))
                    && path.is_dir()
            })
            .max()
    }
}

impl Loader for Files {
    fn include(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let beside = |file: &Path| file.parent().unwrap_or(Path::new("")).to_path_buf();
        let first = [beside(Path::new(from)), PathBuf::new(), beside(&self.program)];
        for folder in first.iter().chain(&self.folders) {
            let file = folder.join(path);
            if file.is_file() {
                let shown = file.to_string_lossy().into_owned();
                return match fs::read(&file) {
                    Ok(bytes) => Ok((shown, bytes)),
                    Err(error) => Err(IncludeError::Unreadable(reason(&error))),
                };
            }
        }
        Err(IncludeError::NotFound)
    }

    fn include_lib(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        // `app/include/x.hrl` below a folder of -I, else the same without the application's name.
        let found = match (self.include(path, from), path.split_once('/')) {
            (Err(IncludeError::NotFound), Some((application, rest))) => match self.versioned(application) {
                Some(versioned) => self.include(&versioned.join(rest).to_string_lossy(), from),
                None => self.include(rest, from),
            },
            (found, _) => found,
        };
        match (found, erlet::stdlib::header(path)) {
            (Err(IncludeError::NotFound), Some(text)) => Ok((path.to_owned(), text.as_bytes().to_vec())),
            (found, _) => found,
        }
    }

    fn transform(&mut self, module: &str, forms: &Constants) -> Result<Constants, TransformError> {
        // A transform that is to change what it is made of itself: there is none yet.
        if self.options.transforming.iter().any(|at_work| at_work == module) {
            return Err(TransformError::Undefined);
        }
        let mut options = self.options.clone();
        options.transforming.push(module.to_owned());
        crate::transform::run(module, forms, &self.program, &options)
    }

    fn variable(&mut self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// Modules found as source files when they are called for the first time.
pub struct Folders {
    folders: Vec<PathBuf>,
    options: SourceOptions,
}

impl Folders {
    /// The folders of `--path`, whose modules take the place of the standard library's; `None` if there are none.
    pub fn of_path(options: &SourceOptions) -> Option<Folders> {
        (!options.path.is_empty()).then(|| Folders::new(options.path.clone(), options))
    }

    fn new(folders: Vec<PathBuf>, options: &SourceOptions) -> Folders {
        Folders { folders, options: options.clone() }
    }
}

/// Modules of the code path, which are compiled as the program is.
pub struct OnPath(pub SourceOptions);

impl FolderSource for OnPath {
    fn read(&self, file: &Path, _: &Path, module: &str) -> Result<Verified, String> {
        read(file, module, &self.0)
    }

    fn settings(&self) -> SourceSettings {
        SourceSettings { includes: self.0.include.clone(), defines: defines(&self.0) }
    }
}

/// The folder of a program.
pub fn folder_of(program: &Path) -> &Path {
    program.parent().unwrap_or(Path::new(""))
}

impl Folders {
    fn path_of(&self, module: &str) -> Option<PathBuf> {
        if module.contains(['/', '\\', '\0']) {
            return None;
        }
        self.folders.iter().map(|f| f.join(format!("{module}.erl"))).find(|f| f.is_file())
    }
}

impl ModuleSource for Folders {
    fn file(&self, module: &str) -> Option<String> {
        Some(self.path_of(module)?.to_string_lossy().into_owned())
    }

    fn find(&self, module: &str) -> Option<Result<Verified, String>> {
        Some(read(&self.path_of(module)?, module, &self.options))
    }
}

fn read(file: &Path, module: &str, options: &SourceOptions) -> Result<Verified, String> {
    let text = file.display();
    let compiled = compile(file, options).map_err(|_| format!("{text} has errors"))?;
    let name = &compiled.module.atoms[compiled.module.name.0 as usize];
    if name != module {
        return Err(format!("{text} holds the module {name}, not {module}"));
    }
    verify(compiled.module).map_err(|error| format!("{text}: {error}"))
}
