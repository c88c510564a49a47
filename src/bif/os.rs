//! Natives of module `os`: environment variables, the system, commands.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read as _};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::{Child, Command, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::chardata;
use super::io::block;
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::{AllocError, HeapRef};
use crate::limits::Quota;
use crate::runtime::limits::Held;
use crate::runtime::pool::JobKind;
use crate::term::Term;

/// The text of a variable, as characters if it is UTF-8, else byte by byte.
fn text_term<'h>(heap: &mut HeapRef<'h>, text: &[u8]) -> Result<Term<'h>, AllocError> {
    match std::str::from_utf8(text) {
        Ok(text) => heap.string(text),
        Err(_) => heap.byte_list(text, Term::NIL),
    }
}

/// A string argument without zero characters.
fn argument<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<OsString, Stop<'h>> {
    let text = if term.is_list() { chardata::text(cx, term)? } else { None };
    let text = text.ok_or_else(Stop::badarg)?;
    if text.contains('\0') { Err(Stop::badarg()) } else { Ok(OsString::from_vec(text.into_bytes())) }
}

/// A variable's name: not empty and without `=`.
fn name<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<OsString, Stop<'h>> {
    let name = argument(cx, term)?;
    if name.is_empty() || name.as_bytes().contains(&b'=') { Err(Stop::badarg()) } else { Ok(name) }
}

/// `getenv() -> [string()]`: `"Name=Value"` each, sorted by name.
pub fn getenv_all<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    if !cx.capabilities().has_environment() {
        return Ok(Term::NIL);
    }
    let rows = cx.rt.environment.variables(|variables| {
        let row = |(name, value): (&OsString, &OsString)| [name.as_bytes(), b"=", value.as_bytes()].concat();
        variables.iter().map(row).collect::<Vec<Vec<u8>>>()
    });
    let mut terms = Vec::with_capacity(rows.len());
    for row in rows {
        terms.push(text_term(cx, &row)?);
    }
    Ok(cx.list(&terms)?)
}

/// `getenv(Name) -> string() | false`.
///
/// # Errors
/// `badarg` if it is no name.
pub fn getenv<'h>(cx: &mut Cx<'h>, [variable]: [Term<'h>; 1]) -> BifResult<'h> {
    getenv_or(cx, [variable, Term::boolean(false)])
}

/// `getenv(Name, Default) -> string() | Default`.
///
/// # Errors
/// `badarg` if it is no name.
pub fn getenv_or<'h>(cx: &mut Cx<'h>, [variable, default]: [Term<'h>; 2]) -> BifResult<'h> {
    let variable = argument(cx, variable)?;
    if !cx.capabilities().has_environment() {
        return Ok(default);
    }
    match cx.rt.environment.variables(|variables| variables.get(&variable).cloned()) {
        Some(value) => Ok(text_term(cx, value.as_bytes())?),
        None => Ok(default),
    }
}

fn may_set<'h>(cx: &Cx<'h>) -> Result<(), Stop<'h>> {
    if cx.capabilities().has_environment() { Ok(()) } else { Err(Stop::denied()) }
}

/// `putenv(Name, Value) -> true`: for this machine and the commands it runs.
///
/// # Errors
/// `badarg` if they are no name and string; `eacces` without the right to.
pub fn putenv<'h>(cx: &mut Cx<'h>, [variable, value]: [Term<'h>; 2]) -> BifResult<'h> {
    let (variable, value) = (name(cx, variable)?, argument(cx, value)?);
    may_set(cx)?;
    cx.rt.environment.variables(|variables| variables.insert(variable, value));
    Ok(Term::boolean(true))
}

/// `unsetenv(Name) -> true`.
///
/// # Errors
/// `badarg` if it is no name.
pub fn unsetenv<'h>(cx: &mut Cx<'h>, [variable]: [Term<'h>; 1]) -> BifResult<'h> {
    let variable = name(cx, variable)?;
    may_set(cx)?;
    cx.rt.environment.variables(|variables| variables.remove(&variable));
    Ok(Term::boolean(true))
}

/// `type() -> {Family, Name}`.
pub fn kind<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let system = cx.atoms().intern(system).map_err(|_| Stop::system_limit())?;
    let family = cx.atoms().intern(std::env::consts::FAMILY).map_err(|_| Stop::system_limit())?;
    Ok(cx.tuple(&[Term::atom(family), Term::atom(system)])?)
}

/// `version() -> {Major, Minor, Release}`.
pub fn version<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let uname = rustix::system::uname();
    let release = uname.release().to_string_lossy().into_owned();
    let mut numbers =
        release.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse::<i64>().unwrap_or(0));
    let mut elements = Vec::new();
    for _ in 0..3 {
        elements.push(cx.int(numbers.next().unwrap_or(0))?);
    }
    Ok(cx.tuple(&elements)?)
}

/// `getpid() -> string()`.
pub fn getpid<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(cx.string(&std::process::id().to_string())?)
}

/// `cmd(Command) -> string()`: what the command prints, errors among it. Of what it leaves running in the background nothing is
/// waited for.
///
/// # Errors
/// `badarg` if it is no string.
pub fn cmd<'h>(cx: &mut Cx<'h>, [command]: [Term<'h>; 1]) -> BifResult<'h> {
    run(cx, command, usize::MAX)
}

/// `cmd(Command, MaxSize) -> string()`: the same, but for no more than so many bytes.
///
/// # Errors
/// `badarg` if they are no string and size.
pub fn cmd_limited<'h>(cx: &mut Cx<'h>, [command, size]: [Term<'h>; 2]) -> BifResult<'h> {
    let size = size.as_small().and_then(|size| usize::try_from(size).ok()).ok_or_else(Stop::badarg)?;
    run(cx, command, size)
}

fn run<'h>(cx: &mut Cx<'h>, command: Term<'h>, most: usize) -> BifResult<'h> {
    let command = match command.as_atom() {
        Some(atom) => OsString::from(cx.atoms().text(atom)),
        None => argument(cx, command)?,
    };
    let held = Held::one(cx.heap().account(), Quota::OpenFiles)?;
    let directory = cx.rt.environment.directory();
    let variables = cx.rt.environment.variables(|variables| variables.clone());
    Err(block(cx, JobKind::Host, move || {
        // Errors go where the output goes, in the order they come.
        let mut script = OsString::from("exec 2>&1\n");
        script.push(&command);
        let mut shell = Command::new("/bin/sh");
        shell.arg(OsStr::new("-c")).arg(script).env_clear().envs(variables);
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Ok(directory) = directory {
            shell.current_dir(directory);
        }
        let output = shell.spawn().map(|shell| said(shell, most)).unwrap_or_default();
        drop(held);
        Box::new(move |heap| text_term(heap, &output))
    }))
}

/// How long one waits for more output before one looks whether the command has ended: what it has left in the background may
/// hold its output open. Nobody sees the difference, and a command that ends closes it at once if it has left nothing.
const LOOK_AGAIN_MS: i64 = 10;

/// What the command says until it ends, or has said enough.
fn said(mut shell: Child, most: usize) -> Vec<u8> {
    let mut said = Vec::new();
    let Some(mut output) = shell.stdout.take() else { return said };
    let mut chunk = vec![0; 1 << 16];
    let mut has_ended = false;
    while said.len() < most {
        let wait = Timespec { tv_sec: 0, tv_nsec: LOOK_AGAIN_MS * 1_000_000 };
        let waited = poll(&mut [PollFd::new(&output, PollFlags::IN)], Some(&wait));
        match waited {
            Ok(0) if has_ended => break,
            // What it has written before it ended is there by now.
            Ok(0) => has_ended = !matches!(shell.try_wait(), Ok(None)),
            Ok(_) => match output.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => said.extend_from_slice(&chunk[..count.min(most - said.len())]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            },
            Err(Errno::INTR) => {}
            Err(_) => break,
        }
    }
    // Whoever goes on writing finds nobody there.
    drop(output);
    let _ = shell.wait();
    said
}

/// `erlang:display(Term) -> true`: prints the term on standard output, for debugging.
pub fn display<'h>(cx: &mut Cx<'h>, [term]: [Term<'h>; 1]) -> BifResult<'h> {
    let mut text =
        super::io::printed(cx, term, crate::term::print::Style::PRINT, usize::MAX)?.unwrap_or_default();
    text.push('\n');
    let rt = cx.rt;
    cx.payer().spend(Quota::OutputBytes, text.len() as u64)?;
    super::io::put(cx, &rt.stdout, text.as_bytes())?;
    Ok(Term::atom(known::TRUE))
}
