//! Natives of module `erlet_file`: files and directories, each operation a job of the pool unless it need not wait for a disk.
//!
//! An open file is a resource: a term that is closed by `close/1`, or when the last copy of it is gone, or with the process that
//! opened it. It is counted as one of the open files of that process's account as long as it is open. Names are resolved against the machine's own working directory.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::chardata::Text;
use super::erlang::bytes::binary_bytes;
use super::io::block;
use super::open_file::{Handle, Open, Opened};
use super::{chardata, posix};
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::{AllocError, HeapRef, SharedBytes};
use crate::limits::{Access, Capabilities, Place, Quota};
use crate::runtime::jobs::Answer;
use crate::runtime::limits::Held;
use crate::runtime::pool::JobKind;
use crate::term::{Term, View};

/// `{error, Posix}` as a job's answer.
pub(super) fn failure(error: &io::Error) -> Answer {
    failure_named(posix::name(error))
}

fn failure_named(name: &'static str) -> Answer {
    Box::new(move |heap| {
        // The names are a fixed few; with a full table of atoms, `einval` stands in for a new one.
        let name = heap.atoms().intern(name).unwrap_or(known::EINVAL);
        heap.tuple(&[Term::atom(known::ERROR), Term::atom(name)])
    })
}

/// The answer of an operation: `make` of its result, or `{error, Posix}`.
pub(super) fn answer<T: Send + 'static>(
    result: io::Result<T>,
    make: impl for<'h> FnOnce(&mut HeapRef<'h>, T) -> Result<Term<'h>, AllocError> + Send + 'static,
) -> Answer {
    match result {
        Ok(value) => Box::new(move |heap| make(heap, value)),
        Err(error) => failure(&error),
    }
}

pub(super) fn done(result: io::Result<()>) -> Answer {
    answer(result, |_, ()| Ok(Term::atom(known::OK)))
}

pub(super) fn ok<'h>(heap: &mut HeapRef<'h>, value: Term<'h>) -> Result<Term<'h>, AllocError> {
    heap.tuple(&[Term::atom(known::OK), value])
}

/// A name as characters if it is UTF-8, else as its bytes.
fn name_term<'h>(heap: &mut HeapRef<'h>, name: &[u8]) -> Result<Term<'h>, AllocError> {
    match std::str::from_utf8(name) {
        Ok(text) => heap.string(text),
        Err(_) => heap.binary(name),
    }
}

/// A file name: characters, an atom, or bytes.
///
/// # Errors
/// If there is no time or room to read it.
pub(super) fn path<'h>(cx: &mut Cx<'h>, name: Term<'h>) -> Result<Option<PathBuf>, Stop<'h>> {
    Ok(given_path(cx, name)?.and_then(|path| match path.as_os_str().is_empty() {
        // The name of nothing, not of the current folder.
        true => Some(path),
        false => cx.rt.environment.resolve(&path).ok(),
    }))
}

/// The same as it was given, wherever the process is.
fn given_path<'h>(cx: &mut Cx<'h>, name: Term<'h>) -> Result<Option<PathBuf>, Stop<'h>> {
    let bytes = match name.view() {
        View::Atom(atom) => cx.atoms().text(atom).as_bytes().to_vec(),
        View::Bits(bits) if bits.is_binary() => binary_bytes(cx, name, COPIED_PER_UNIT)?.to_vec(),
        View::Bits(_) => return Ok(None),
        _ => match name_text(cx, name)? {
            Some(text) => text.into_bytes(),
            None => return Ok(None),
        },
    };
    if bytes.contains(&0) {
        return Ok(None);
    }
    Ok(Some(PathBuf::from(OsString::from_vec(bytes))))
}

/// Bytes copied for one unit of work (see `heap::work`).
const COPIED_PER_UNIT: usize = 64;

/// A deep list of characters, atoms among them.
fn name_text<'h>(cx: &mut Cx<'h>, name: Term<'h>) -> Result<Option<String>, AllocError> {
    if let Some(text) = chardata::text(cx, name)? {
        return Ok(Some(text));
    }
    let mut waiting = cx.scratch();
    waiting.push(name)?;
    let mut text = Text::new(cx);
    while let Some(term) = waiting.pop() {
        cx.work(2)?;
        match term.view() {
            View::Nil => {}
            View::Cons(cell) => {
                waiting.push(cell.tail())?;
                waiting.push(cell.head())?;
            }
            View::Int(value) => match u32::try_from(value).ok().and_then(char::from_u32) {
                Some(character) => text.push(character)?,
                None => return Ok(None),
            },
            View::Atom(atom) => {
                for character in cx.atoms().text(atom).chars() {
                    text.push(character)?;
                }
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(text.into_string()))
}

/// `{error, badarg}`: what file functions answer to a name that is none.
fn bad_name<'h>(cx: &mut Cx<'h>) -> BifResult<'h> {
    super::io::error(cx, "badarg")
}

/// How an operation uses a name.
#[derive(Clone, Copy)]
pub(super) struct Use {
    access: Access,
    /// A link in the last place is followed.
    follow: bool,
}

pub(super) const READ: Use = Use { access: Access::Read, follow: true };
pub(super) const WRITE: Use = Use { access: Access::Write, follow: true };
/// The name itself is changed, be it a link.
const WRITE_NAME: Use = Use { access: Access::Write, follow: false };
pub(super) const READ_NAME: Use = Use { access: Access::Read, follow: false };

/// Asks in a job whether a process may use files so; the path to use.
pub(super) struct Permission(Arc<Capabilities>);

impl Permission {
    pub(super) fn of(cx: &Cx<'_>) -> Permission {
        Permission(Arc::clone(cx.payer().shared_capabilities()))
    }

    /// # Errors
    /// `PermissionDenied` if it may not.
    #[cfg(feature = "compiler")]
    pub(super) fn to_read(&self, path: &Path) -> io::Result<Place> {
        self.0.place(path, Access::Read, true)?.existing()
    }

    fn to(&self, r#use: Use, path: &Path) -> io::Result<Place> {
        self.0.place(path, r#use.access, r#use.follow)
    }
}

/// An operation on one name.
pub(super) fn on_name<'h>(
    cx: &mut Cx<'h>,
    name: Term<'h>,
    r#use: Use,
    work: impl FnOnce(Place) -> Answer + Send + 'static,
) -> BifResult<'h> {
    let permission = Permission::of(cx);
    match path(cx, name)? {
        Some(path) => Err(block(cx, JobKind::File, move || match permission.to(r#use, &path) {
            Ok(path) => work(path),
            Err(error) => failure(&error),
        })),
        None => bad_name(cx),
    }
}

/// An operation on two names.
fn on_names<'h>(
    cx: &mut Cx<'h>,
    [first, second]: [Term<'h>; 2],
    work: impl FnOnce(&Permission, PathBuf, Place) -> io::Result<()> + Send + 'static,
) -> BifResult<'h> {
    let permission = Permission::of(cx);
    match (path(cx, first)?, path(cx, second)?) {
        (Some(first), Some(second)) => Err(block(cx, JobKind::File, move || {
            done(permission.to(WRITE_NAME, &second).and_then(|second| work(&permission, first, second)))
        })),
        _ => bad_name(cx),
    }
}

/// `read_file(Name) -> {ok, binary()} | {error, Posix}`.
pub fn read_file<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    on_name(cx, name, READ, |path| {
        answer(path.existing().and_then(fs::read), |heap, bytes| {
            let binary = heap.binary(&bytes)?;
            ok(heap, binary)
        })
    })
}

/// `open(Name, [Mode]) -> {ok, Handle} | {error, Posix}`.
///
/// # Errors
/// `badarg` for an unknown mode.
pub fn open<'h>(cx: &mut Cx<'h>, [name, modes]: [Term<'h>; 2]) -> BifResult<'h> {
    let mut options = OpenOptions::new();
    let (mut read, mut write, mut append, mut exclusive) = (false, false, false, false);
    let mut flags = 0;
    for mode in modes.list() {
        match mode.as_atom() {
            Some(known::READ) => read = true,
            Some(known::WRITE) => write = true,
            Some(known::APPEND) => append = true,
            Some(known::EXCLUSIVE) => exclusive = true,
            Some(known::SYNC) => flags = rustix::fs::OFlags::SYNC.bits().cast_signed(),
            Some(known::RAW | known::BINARY | known::DIRECTORY) => {}
            _ => return Err(Stop::badarg()),
        }
    }
    let write = write || append || exclusive;
    options.read(read || !write).write(write && !append).append(append);
    // As OTP: writing alone truncates, together with reading it does not.
    options
        .create(write && !exclusive)
        .create_new(exclusive)
        .truncate(write && !append && !read && !exclusive);
    let unique = cx.worker.make_unique();
    let (held, list) = (Held::one(cx.heap().account(), Quota::OpenFiles)?, Opened::by(cx));
    let r#use = if write { WRITE } else { READ };
    on_name(cx, name, r#use, move |path| {
        options.custom_flags(path.flags() | flags);
        let opened = options.open(&path).and_then(|file| {
            let kind = file.metadata()?.file_type();
            match kind.is_dir() {
                true => Err(io::Error::from_raw_os_error(rustix::io::Errno::ISDIR.raw_os_error())),
                false => Ok((file, kind.is_file())),
            }
        });
        answer(opened, move |heap, (file, is_regular)| {
            let handle = list.add(file, is_regular, held);
            let handle = heap.resource(unique, Arc::new(Box::new(handle)))?;
            ok(heap, handle)
        })
    })
}

fn handle_argument<'h>(cx: &Cx<'h>, handle: Term<'h>) -> Result<Arc<Handle>, Stop<'h>> {
    let resource = cx.resource_value(handle).ok_or_else(Stop::badarg)?;
    resource.downcast_ref::<Arc<Handle>>().map(Arc::clone).ok_or_else(Stop::badarg)
}

/// An operation on an open file.
fn on_handle<'h>(
    cx: &mut Cx<'h>,
    handle: Term<'h>,
    work: impl FnOnce(&mut Option<Open>) -> Answer + Send + 'static,
) -> BifResult<'h> {
    let handle = handle_argument(cx, handle)?;
    Err(block(cx, JobKind::File, move || handle.with(work)))
}

/// What an operation on an open file answers that need not wait; `None` if it may have to, and is one for the pool.
fn at_once<'h>(
    cx: &mut Cx<'h>,
    handle: Term<'h>,
    work: impl FnOnce(&mut Open) -> Option<Answer>,
) -> Result<Option<Term<'h>>, Stop<'h>> {
    match handle_argument(cx, handle)?.try_with(work) {
        Some(answer) => Ok(Some(answer(cx)?)),
        None => Ok(None),
    }
}

/// An operation that needs the file to be open.
fn on_open<'h>(
    cx: &mut Cx<'h>,
    handle: Term<'h>,
    work: impl FnOnce(&mut File) -> Answer + Send + 'static,
) -> BifResult<'h> {
    on_handle(cx, handle, |file| match file {
        Some(open) => work(&mut open.file),
        None => failure_named("einval"),
    })
}

fn size_argument<'h>(term: Term<'h>) -> Result<u64, Stop<'h>> {
    term.as_small().and_then(|value| u64::try_from(value).ok()).ok_or_else(Stop::badarg)
}

/// Most bytes taken into memory for one read: more is read in parts by whoever wants more.
const LARGEST_READ: u64 = 1 << 30;

/// Most bytes copied without a job of the pool, if the system has them in memory: a job takes as long as copying them.
const READ_AT_ONCE: u64 = 1 << 16;

/// Bytes that one reduction pays for, the system call included.
const READ_PER_REDUCTION: usize = 256;

fn eof_or_data(result: io::Result<Vec<u8>>, wanted: u64) -> Answer {
    answer(result, move |heap, bytes| {
        if bytes.is_empty() && wanted > 0 {
            return Ok(Term::atom(known::EOF));
        }
        let binary = heap.binary(&bytes)?;
        ok(heap, binary)
    })
}

/// `close(Handle) -> ok | {error, einval}`.
///
/// # Errors
/// `badarg` if it is no handle.
pub fn close<'h>(cx: &mut Cx<'h>, [handle]: [Term<'h>; 1]) -> BifResult<'h> {
    on_handle(cx, handle, |file| match file.take() {
        Some(_) => done(Ok(())),
        None => failure_named("einval"),
    })
}

/// `read(Handle, Bytes) -> {ok, binary()} | eof | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no handle or no number.
pub fn read<'h>(cx: &mut Cx<'h>, [handle, count]: [Term<'h>; 2]) -> BifResult<'h> {
    let wanted = size_argument(count)?;
    if wanted <= READ_AT_ONCE {
        let read = |open: &mut Open| {
            let bytes = open.read_at_once(wanted as usize)?;
            Some(eof_or_data(Ok(bytes), wanted))
        };
        if let Some(answer) = at_once(cx, handle, read)? {
            cx.charge(wanted as usize / READ_PER_REDUCTION);
            return Ok(answer);
        }
    }
    on_open(cx, handle, move |file| {
        let mut bytes = Vec::new();
        let result = file.take(wanted.min(LARGEST_READ)).read_to_end(&mut bytes);
        eof_or_data(result.map(|_| bytes), wanted)
    })
}

/// `pread(Handle, At, Bytes) -> {ok, binary()} | eof | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no handle or no number.
pub fn pread<'h>(cx: &mut Cx<'h>, [handle, at, count]: [Term<'h>; 3]) -> BifResult<'h> {
    let (at, wanted) = (size_argument(at)?, size_argument(count)?);
    on_open(cx, handle, move |file| eof_or_data(read_at(file, at, wanted.min(LARGEST_READ)), wanted))
}

fn read_at(file: &File, at: u64, wanted: u64) -> io::Result<Vec<u8>> {
    // The file's length bounds the buffer, so that a huge request of a small file costs nothing.
    let length = file.metadata()?.len().saturating_sub(at).min(wanted);
    let mut bytes = vec![0; length as usize];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// The bytes of a binary, for a job.
fn data<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<SharedBytes, Stop<'h>> {
    let bytes = binary_bytes(cx, term, COPIED_PER_UNIT)?;
    Ok(SharedBytes::copy(cx.heap().account(), &bytes)?)
}

/// `write(Handle, binary()) -> ok | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no handle or no binary.
pub fn write<'h>(cx: &mut Cx<'h>, [handle, bytes]: [Term<'h>; 2]) -> BifResult<'h> {
    let bytes = data(cx, bytes)?;
    on_open(cx, handle, move |file| done(file.write_all(bytes.as_slice())))
}

/// `pwrite(Handle, At, binary()) -> ok | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no handle, no number or no binary.
pub fn pwrite<'h>(cx: &mut Cx<'h>, [handle, at, bytes]: [Term<'h>; 3]) -> BifResult<'h> {
    let (at, bytes) = (size_argument(at)?, data(cx, bytes)?);
    on_open(cx, handle, move |file| done(file.write_all_at(bytes.as_slice(), at)))
}

/// `position(Handle, {bof | cur | eof, Offset}) -> {ok, integer()} | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no handle or no position.
pub fn position<'h>(cx: &mut Cx<'h>, [handle, to]: [Term<'h>; 2]) -> BifResult<'h> {
    let Some(&[from, offset]) = to.as_tuple() else { return Err(Stop::badarg()) };
    let offset = offset.as_small().ok_or_else(Stop::badarg)?;
    let to = match from.as_atom() {
        Some(known::BOF) => u64::try_from(offset).ok().map(SeekFrom::Start),
        Some(known::CUR) => Some(SeekFrom::Current(offset)),
        Some(known::EOF) => Some(SeekFrom::End(offset)),
        _ => return Err(Stop::badarg()),
    };
    let Some(to) = to else { return on_open(cx, handle, |_| failure_named("einval")) };
    let moved = |result: io::Result<u64>| {
        answer(result, |heap, at| {
            let at = heap.uint(at)?;
            ok(heap, at)
        })
    };
    if let Some(answer) = at_once(cx, handle, |open| open.seek_at_once(to).map(moved))? {
        return Ok(answer);
    }
    on_open(cx, handle, move |file| moved(file.seek(to)))
}

/// `truncate(Handle) -> ok | {error, Posix}`: at the current position.
///
/// # Errors
/// `badarg` if it is no handle.
pub fn truncate<'h>(cx: &mut Cx<'h>, [handle]: [Term<'h>; 1]) -> BifResult<'h> {
    on_open(cx, handle, |file| done(file.stream_position().and_then(|at| file.set_len(at))))
}

/// `sync(Handle) -> ok | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no handle.
pub fn sync<'h>(cx: &mut Cx<'h>, [handle]: [Term<'h>; 1]) -> BifResult<'h> {
    on_open(cx, handle, |file| done(file.sync_all()))
}

/// `datasync(Handle) -> ok | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no handle.
pub fn datasync<'h>(cx: &mut Cx<'h>, [handle]: [Term<'h>; 1]) -> BifResult<'h> {
    on_open(cx, handle, |file| done(file.sync_data()))
}

/// `list_dir(Name) -> {ok, [Name]} | {error, Posix}`, sorted, so that it does not depend on the file system.
pub fn list_dir<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    on_name(cx, name, READ, |path| {
        let listed = path.existing().and_then(fs::read_dir).and_then(|entries| {
            let mut names =
                entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<OsString>>>()?;
            names.sort();
            Ok(names)
        });
        answer(listed, |heap, names| {
            let mut terms = Vec::with_capacity(names.len());
            for name in names {
                terms.push(name_term(heap, name.as_bytes())?);
            }
            let list = heap.list(&terms)?;
            ok(heap, list)
        })
    })
}

/// `make_dir(Name) -> ok | {error, Posix}`.
pub fn make_dir<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    on_name(cx, name, WRITE_NAME, |path| done(fs::create_dir(path)))
}

/// `del_dir(Name) -> ok | {error, Posix}`.
pub fn del_dir<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    on_name(cx, name, WRITE_NAME, |path| done(fs::remove_dir(path)))
}

/// `delete(Name) -> ok | {error, Posix}`.
pub fn delete<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    on_name(cx, name, WRITE_NAME, |path| match fs::remove_file(&path) {
        // As OTP on every system: a directory cannot be deleted so.
        Err(_) if path.is_dir() => failure_named("eperm"),
        result => done(result),
    })
}

/// `rename(From, To) -> ok | {error, Posix}`.
pub fn rename<'h>(cx: &mut Cx<'h>, names: [Term<'h>; 2]) -> BifResult<'h> {
    on_names(cx, names, |may, from, to| fs::rename(may.to(WRITE_NAME, &from)?, to))
}

/// `make_link(Existing, New) -> ok | {error, Posix}`.
pub fn make_link<'h>(cx: &mut Cx<'h>, names: [Term<'h>; 2]) -> BifResult<'h> {
    // Who has a link may do with the file what it may do in the link's place.
    on_names(cx, names, |may, existing, new| fs::hard_link(may.to(WRITE_NAME, &existing)?, new))
}

/// `make_symlink(Target, New) -> ok | {error, Posix}`.
pub fn make_symlink<'h>(cx: &mut Cx<'h>, [target, new]: [Term<'h>; 2]) -> BifResult<'h> {
    let Some(target) = given_path(cx, target)? else { return bad_name(cx) };
    let may = Permission::of(cx);
    on_name(cx, new, WRITE_NAME, move |new| {
        // A link may only lead where its maker may go, seen from where it is; what it says stays as it was given.
        let beside = new.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
        done(may.to(WRITE, &beside).and_then(|_| std::os::unix::fs::symlink(target, new)))
    })
}

/// `read_link(Name) -> {ok, Name} | {error, Posix}`.
pub fn read_link<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    on_name(cx, name, READ_NAME, |path| {
        answer(fs::read_link(path), |heap, target| {
            let name = name_term(heap, target.as_os_str().as_bytes())?;
            ok(heap, name)
        })
    })
}

/// `get_cwd() -> {ok, Name} | {error, Posix}`.
pub fn get_cwd<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    match cx.rt.environment.directory() {
        Ok(path) => {
            let name = name_term(cx, path.as_os_str().as_bytes())?;
            Ok(ok(cx, name)?)
        }
        Err(error) => super::io::error(cx, posix::name(&error)),
    }
}

/// `set_cwd(Name) -> ok | {error, Posix}`.
pub fn set_cwd<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let Some(path) = path(cx, name)? else { return bad_name(cx) };
    let path = Permission::of(cx).to(READ, &path);
    match path.and_then(|path| cx.rt.environment.set_directory(&path)) {
        Ok(()) => Ok(Term::atom(known::OK)),
        Err(error) => super::io::error(cx, posix::name(&error)),
    }
}
