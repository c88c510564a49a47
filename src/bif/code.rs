//! Natives of code loading: module `erlet_code`, on which `code` and the code server are built, and those of `erlang`.

use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::code::path::{CodePath, Folder};
use crate::code::{ExportCell, LoadError, OldVersion, is_fun_defined};
use crate::heap::{AllocError, Fragment, HeapRef};
use crate::process::{Signal, SignalKind};
use crate::runtime::Runtime;
use crate::runtime::jobs::{self, Answer};
use crate::runtime::pool::JobKind;
use crate::runtime::purge::NextStep;
use crate::runtime::requests::{self, Question};
use crate::term::{Term, View, Word};
use erlet_lang::bytecode::AtomIx;
use erlet_lang::verify::{Verified, verify};
use std::path::Path;
use std::sync::PoisonError;

fn name<'h>(module: Term<'h>) -> Result<Atom, Stop<'h>> {
    module.as_atom().ok_or_else(Stop::badarg)
}

/// Leaves the work to the pool; the caller waits for the answer. (The machine may be gone when the work begins.)
fn job<'h>(cx: &mut Cx<'h>, work: impl FnOnce(&Runtime) -> Answer + Send + 'static) -> BifResult<'h> {
    let machine = cx.rt.weak();
    let (rt, worker, process) = cx.parts();
    let wait = jobs::submit(worker, rt, process, JobKind::File, move || match machine.upgrade() {
        Some(rt) => work(&rt),
        None => Box::new(|_| Ok(Term::atom(known::FALSE))),
    });
    Err(Stop::block(wait))
}

/// `load(Module, missing | new) -> {module, Module} | {on_load, Module} | {error, Reason}`: from the first source that has it;
/// with `missing`, only if it is not loaded.
///
/// # Errors
/// `badarg` for anything else.
pub fn load<'h>(cx: &mut Cx<'h>, [module, how]: [Term<'h>; 2]) -> BifResult<'h> {
    let (module, is_new) = (name(module)?, how.is_atom(known::NEW));
    if is_new && !cx.capabilities().has_code() {
        return Err(Stop::denied());
    }
    job(cx, move |rt| {
        if !is_new && (rt.code.is_prepared(module) || rt.code.is_loaded(module)) {
            return loaded(module, Ok(()), rt);
        }
        match rt.code.find(rt.atoms.text(module)) {
            None if rt.code.is_native(module, &rt.atoms) => loaded(module, Ok(()), rt),
            None => failed(known::NOFILE),
            Some(Err(text)) => {
                complain(rt, module, &text);
                failed(known::BADFILE)
            }
            Some(Ok((code, file))) => {
                let result = publish(rt, module, &code, file);
                if let Err(error @ LoadError::Unsupported(_)) = &result {
                    complain(rt, module, &error.to_string());
                }
                loaded(module, result, rt)
            }
        }
    })
}

/// `load_binary(Module, File, Code) -> {module, Module} | {on_load, Module} | {error, Reason}`.
///
/// # Errors
/// `badarg` for a module that is no atom, a file that is no string, or code that is no binary.
pub fn load_binary<'h>(cx: &mut Cx<'h>, [module, file, code]: [Term<'h>; 3]) -> BifResult<'h> {
    let module = name(module)?;
    let bytes = super::binary::bytes(cx, code)?.to_vec();
    let file = match file.as_atom() {
        Some(atom) => cx.atoms().text(atom).to_owned(),
        None => super::chardata::text(cx, file)?.ok_or_else(Stop::badarg)?,
    };
    job(cx, move |rt| {
        let module_of = |bytes: &[u8]| verify(erlet_lang::encode::decode(bytes).ok()?).ok();
        match module_of(&bytes) {
            None => failed(known::BADFILE),
            Some(code) if code.module().atoms[code.module().name.index()] != rt.atoms.text(module) => {
                failed(known::BADFILE)
            }
            Some(code) => loaded(module, publish(rt, module, &code, Some(file)), rt),
        }
    })
}

/// Loads the code, unless there is an old version besides the one it would replace.
fn publish(rt: &Runtime, module: Atom, code: &Verified, file: Option<String>) -> Result<(), LoadError> {
    if file.is_some()
        && rt.code.is_loaded(module)
        && rt.code.origin(module).is_none()
        && rt.code.is_of_library(module, &rt.atoms)
    {
        return Err(LoadError::Sticky(rt.atoms.text(module).to_owned()));
    }
    if rt.code.is_loaded(module) && rt.code.has_old(module) {
        return Err(OldVersion.into());
    }
    rt.code.set_origin(module, file);
    crate::code::load(&rt.code, &rt.atoms, code).map(drop)
}

/// Standard error is all there is to say it on; if that is closed, nobody reads it.
fn complain(rt: &Runtime, module: Atom, text: &str) {
    let name = rt.atoms.text(module);
    let _ = rt.stderr.put(format!("cannot load module {name}: {text}\n").as_bytes());
}

fn loaded(module: Atom, result: Result<(), LoadError>, rt: &Runtime) -> Answer {
    match result {
        Ok(()) => {
            let tag = if rt.code.is_prepared(module) { known::ON_LOAD } else { known::MODULE };
            Box::new(move |h| h.tuple(&[Term::atom(tag), Term::atom(module)]))
        }
        Err(LoadError::NotPurged) => failed(known::NOT_PURGED),
        Err(LoadError::Sticky(_)) => failed(known::STICKY_DIRECTORY),
        Err(LoadError::SystemLimit) => failed(known::SYSTEM_LIMIT),
        Err(_) => failed(known::BADFILE),
    }
}

fn failed(reason: Atom) -> Answer {
    Box::new(move |h| h.tuple(&[Term::atom(known::ERROR), Term::atom(reason)]))
}

/// `ticket() -> reference()`: what the code server wants to see before it loads code for somebody. Who asks may send the server
/// anything, but only who may load code gets a ticket.
pub fn ticket<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let number = cx.worker.make_unique();
    let reference = cx.reference(number, None)?;
    let mut tickets = cx.rt.tickets.lock().unwrap_or_else(PoisonError::into_inner);
    // Of those that were never used the oldest go.
    if tickets.len() >= MOST_TICKETS {
        tickets.pop_first();
    }
    tickets.insert(number);
    Ok(reference)
}

/// Requests to the code server at a time, by far.
const MOST_TICKETS: usize = 10_000;

/// `take_ticket(Ticket) -> boolean()`: whether it is one, which it then is no more.
pub fn take_ticket<'h>(cx: &mut Cx<'h>, [ticket]: [Term<'h>; 1]) -> BifResult<'h> {
    let number = ticket.as_ref().map(|reference| reference.unique());
    let mut tickets = cx.rt.tickets.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Term::boolean(number.is_some_and(|number| tickets.remove(&number))))
}

/// `object_code(Module) -> {Code, File} | error`: the module as `load_binary/3` takes it.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn object_code<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    let module = name(module)?;
    job(cx, move |rt| match rt.code.find(rt.atoms.text(module)) {
        Some(Ok((code, file))) => Box::new(move |h| {
            let code = h.binary(&erlet_lang::encode::encode(code.module()))?;
            let file = file_term(h, file.as_deref())?;
            h.tuple(&[code, file])
        }),
        _ => Box::new(|_| Ok(Term::atom(known::ERROR))),
    })
}

/// `contents(Code) -> {Module, Exports, Imports, Files, Md5} | error`: what object code says of itself without being loaded.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn contents<'h>(cx: &mut Cx<'h>, [code]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = super::binary::bytes(cx, code)?;
    let Ok(module) = erlet_lang::encode::decode(&bytes) else { return Ok(Term::atom(known::ERROR)) };
    // Nobody has looked at the indices yet.
    let text = |index: AtomIx| module.atoms.get(index.index()).map(String::as_str);
    let (mut exports, mut imports, mut files) = (cx.scratch(), cx.scratch(), cx.scratch());
    let Some(name) = text(module.name) else { return Ok(Term::atom(known::ERROR)) };
    for function in module.functions.iter().filter(|function| function.exported) {
        let Some(name) = text(function.name) else { return Ok(Term::atom(known::ERROR)) };
        let name = Term::atom(cx.intern(name)?);
        exports.push(cx.tuple(&[name, arity_term(function.arity)])?)?;
    }
    for import in &module.imports {
        let (Some(of), Some(name)) = (text(import.module), text(import.function)) else {
            return Ok(Term::atom(known::ERROR));
        };
        let (of, name) = (Term::atom(cx.intern(of)?), Term::atom(cx.intern(name)?));
        imports.push(cx.tuple(&[of, name, arity_term(import.arity)])?)?;
    }
    for file in &module.files {
        files.push(cx.string(file)?)?;
    }
    let parts = [
        Term::atom(cx.intern(name)?),
        cx.list(&exports)?,
        cx.list(&imports)?,
        cx.list(&files)?,
        cx.binary(&module.md5)?,
    ];
    Ok(cx.tuple(&parts)?)
}

fn arity_term<'h>(arity: u8) -> Term<'h> {
    Term::small(i64::from(arity)).expect("an arity is small")
}

/// `settings() -> {Folders, Macros}`: what sources of the path are compiled with: folders of headers, and macros as `Name` or
/// `{Name, Text}`.
pub fn settings<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let settings = cx.rt.code.path().map(CodePath::settings).unwrap_or_default();
    let (mut folders, mut macros) = (cx.scratch(), cx.scratch());
    for folder in &settings.includes {
        folders.push(cx.string(&folder.to_string_lossy())?)?;
    }
    for define in &settings.defines {
        let name = Term::atom(cx.intern(&define.name)?);
        macros.push(match &define.value {
            Some(text) => {
                let text = cx.string(text)?;
                cx.tuple(&[name, text])?
            }
            None => name,
        })?;
    }
    let parts = [cx.list(&folders)?, cx.list(&macros)?];
    Ok(cx.tuple(&parts)?)
}

/// `path() -> [string()]`: the folders in which modules are looked for.
pub fn path<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let mut names = cx.scratch();
    for folder in cx.rt.code.path().map(CodePath::folders).unwrap_or_default() {
        names.push(cx.string(&folder.name)?)?;
    }
    Ok(cx.list(&names)?)
}

/// `exchange_path(Old, New) -> boolean() | {error, bad_directory}`: the path is `New` from now on, unless it is not `Old` any more. What
/// is new in it must be a folder; who may not read all files has none.
///
/// # Errors
/// `badarg` if these are not lists of strings.
pub fn exchange_path<'h>(cx: &mut Cx<'h>, [old, new]: [Term<'h>; 2]) -> BifResult<'h> {
    let (old, new) = (names(cx, old)?, names(cx, new)?);
    let may_read = cx.capabilities().has_all_files();
    job(cx, move |rt| {
        let Some(path) = rt.code.path() else { return Box::new(|_| Ok(Term::atom(known::FALSE))) };
        let folders = path.folders();
        let folder = |name: String| match folders.iter().find(|folder| folder.name == name) {
            Some(folder) => Some(folder.clone()),
            None if !may_read => None,
            None => {
                let place = rt.environment.resolve(Path::new(&name)).ok()?;
                place.is_dir().then_some(Folder { name, place })
            }
        };
        let Some(new) = new.into_iter().map(folder).collect::<Option<Vec<_>>>() else {
            return failed(known::BAD_DIRECTORY);
        };
        let done = path.exchange(&old, new);
        Box::new(move |_| Ok(Term::boolean(done)))
    })
}

fn names<'h>(cx: &mut Cx<'h>, list: Term<'h>) -> Result<Vec<String>, Stop<'h>> {
    let elements = cx.elements(list)?.ok_or_else(Stop::badarg)?;
    elements.iter().map(|name| super::chardata::text(cx, *name)?.ok_or_else(Stop::badarg)).collect()
}

/// `md5(Module) -> binary() | undefined`: the hash of the current version.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn md5<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    match cx.rt.code.module(name(module)?) {
        Some(loaded) => Ok(cx.binary(&loaded.md5)?),
        None => Ok(Term::atom(known::UNDEFINED)),
    }
}

/// `source_md5(Module) -> binary() | error`: the hash of what would be loaded now.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn source_md5<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    let module = name(module)?;
    job(cx, move |rt| match rt.code.find(rt.atoms.text(module)) {
        Some(Ok((code, _))) => Box::new(move |h| h.binary(&code.module().md5)),
        _ => Box::new(|_| Ok(Term::atom(known::ERROR))),
    })
}

/// `file(Module) -> string() | preloaded | non_existing`: what it would be loaded from.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn file<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    let module = name(module)?;
    job(cx, move |rt| match rt.code.file(rt.atoms.text(module)) {
        Some(file) => Box::new(move |h| file_term(h, file.as_deref())),
        None if rt.code.is_native(module, &rt.atoms) => Box::new(|h| file_term(h, None)),
        None => Box::new(|_| Ok(Term::atom(known::NON_EXISTING))),
    })
}

fn file_term<'h>(h: &mut HeapRef<'h>, file: Option<&str>) -> Result<Term<'h>, AllocError> {
    match file {
        Some(file) => h.string(file),
        None => Ok(Term::atom(known::PRELOADED)),
    }
}

/// `origin(Module) -> string() | preloaded | false`: what the current version was loaded from, if there is one.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn origin<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    let module = name(module)?;
    if !cx.rt.code.is_loaded(module) && !cx.rt.code.is_native(module, cx.atoms()) {
        return Ok(Term::boolean(false));
    }
    let file = cx.rt.code.origin(module);
    Ok(file_term(cx, file.as_deref())?)
}

/// `on_load_done(Module, Welcome) -> boolean()`: the module's `-on_load` function has run, and it is to stay or to go.
///
/// # Errors
/// `badarg` if these are not an atom and a boolean.
pub fn on_load_done<'h>(cx: &mut Cx<'h>, [module, welcome]: [Term<'h>; 2]) -> BifResult<'h> {
    let (module, welcome) = (name(module)?, welcome.as_boolean().ok_or_else(Stop::badarg)?);
    let was_prepared = cx.rt.code.on_load_has_run(module, welcome);
    tell_code_server(cx);
    Ok(Term::boolean(was_prepared))
}

/// `looked_for(Module, Function, Arity) -> true`: the next call of the function is not to look for its module again.
///
/// # Errors
/// `badarg` if these are not two atoms and an arity.
pub fn looked_for<'h>(cx: &mut Cx<'h>, args: [Term<'h>; 3]) -> BifResult<'h> {
    let mfa = super::fun::mfa(args)?;
    if !cx.rt.code.existing_export(mfa).is_some_and(ExportCell::is_defined) {
        cx.process_mut().cold().looked_for = Some(mfa.module);
    }
    Ok(Term::boolean(true))
}

/// `is_defined(Fun) -> boolean()`: whether there is code for the fun.
///
/// # Errors
/// `badarg` if it is no fun with code of its own.
pub fn is_defined<'h>(_: &mut Cx<'h>, [fun]: [Term<'h>; 1]) -> BifResult<'h> {
    match fun.view() {
        View::Fun(fun) => Ok(Term::boolean(is_fun_defined(fun.entry()))),
        _ => Err(Stop::badarg()),
    }
}

/// `delete_module(Module) -> true | undefined`: its current version becomes old.
///
/// # Errors
/// `badarg` if it is no atom or there is an old version.
pub fn delete_module<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    match cx.rt.code.delete(name(module)?) {
        Ok(true) => Ok(Term::boolean(true)),
        Ok(false) => Ok(Term::atom(known::UNDEFINED)),
        Err(OldVersion) => Err(Stop::badarg()),
    }
}

/// `purge_module(Module) -> true`: its old version, which no process runs any more, is forgotten.
///
/// # Errors
/// `badarg` if it is no atom or has no old version.
pub fn purge_module<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    if !cx.rt.code.purge(name(module)?) {
        return Err(Stop::badarg());
    }
    tell_code_server(cx);
    Ok(Term::boolean(true))
}

/// There is code to free: the code server sees to it.
fn tell_code_server(cx: &mut Cx<'_>) {
    let (rt, worker, _) = cx.parts();
    let server = rt.names.get(known::CODE_SERVER).and_then(Word::as_pid).filter(|_| rt.code.is_round_due());
    // Without memory to tell it, it learns with the next purge.
    if let (Some(server), Ok(content)) = (server, Fragment::immediate(Word::atom(known::PURGE))) {
        rt.deliver(worker, Signal::new(SignalKind::Message, server, content));
    }
}

/// `free_purged() -> 0 | 1 | infinity`: takes the next step of freeing purged code, and says after how many milliseconds the one
/// after it is to be taken (`infinity`: when there is something to free again).
pub fn free_purged<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let (rt, worker, _) = cx.parts();
    match rt.purging.step(worker, rt) {
        NextStep::Now => Ok(cx.int(0)?),
        NextStep::Soon => Ok(cx.int(1)?),
        NextStep::Never => Ok(Term::atom(known::INFINITY)),
    }
}

/// `wane(Module) -> boolean()`: its old version goes by itself when no process runs it and there are no funs of it; `false` if there
/// is no old version.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn wane<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    let wanes = cx.rt.code.wane(name(module)?);
    if wanes {
        tell_code_server(cx);
    }
    Ok(Term::boolean(wanes))
}

/// `purged() -> non_neg_integer()`: how many versions of modules wait to be freed.
pub fn purged<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let count = cx.rt.code.retired_count();
    Ok(cx.int(count as i64)?)
}

/// `check_old_code(Module) -> boolean()`: whether it has an old version.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn check_old_code<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    Ok(Term::boolean(cx.rt.code.has_old(name(module)?)))
}

/// `check_process_code(Pid, Module) -> boolean()`: whether the process runs, or will return to, the module's old version.
///
/// # Errors
/// `badarg` if these are not a pid and an atom.
pub fn check_process_code<'h>(cx: &mut Cx<'h>, [pid, module]: [Term<'h>; 2]) -> BifResult<'h> {
    let pid = super::process::pid(pid)?;
    let old = cx.rt.code.old(name(module)?);
    let Some(old) = old else { return Ok(Term::boolean(false)) };
    if pid == cx.self_pid() {
        return Ok(Term::boolean(requests::runs(cx.process(), &old)));
    }
    let (rt, worker, process) = cx.parts();
    Err(Stop::block(requests::ask(worker, rt, process, pid, Question::OldCode, module)?))
}

/// `check_process_code(Pid, Module, Options) -> boolean() | async`: with `{allow_gc, boolean()}`; and with `{async, Id}`, when the
/// answer is a message `{check_process_code, Id, boolean()}`.
///
/// # Errors
/// As `check_process_code/2`; `badarg` for other options.
pub fn check_process_code_with<'h>(cx: &mut Cx<'h>, [pid, module, options]: [Term<'h>; 3]) -> BifResult<'h> {
    if options.proper_length().is_none() {
        return Err(Stop::badarg_because(known::BAD_OPTION));
    }
    let mut request = None;
    for option in options.list() {
        match option.as_tuple() {
            Some(&[key, value]) if key.is_atom(known::ALLOW_GC) && value.as_boolean().is_some() => {}
            Some(&[key, value]) if key.is_atom(known::ASYNC) => request = Some(value),
            _ => return Err(Stop::badarg_because(known::BAD_OPTION)),
        }
    }
    let Some(request) = request else { return check_process_code(cx, [pid, module]) };
    let (pid, module) = (super::process::pid(pid)?, name(module)?);
    let content = cx.copy_out(request)?;
    let me = Word::pid(cx.self_pid());
    let question = Signal::new(SignalKind::Request, pid, content)
        .with(me, Word::atom(module).bits())
        .with_flags(Question::OldCodeTagged as u8);
    let (rt, worker, _) = cx.parts();
    rt.deliver(worker, question);
    Ok(Term::atom(known::ASYNC))
}
