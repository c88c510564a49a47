//! What is known of a file by its name: size, kind, times, owner; and what of it can be changed.

use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::{fs, io};

use super::file::{READ, READ_NAME, WRITE, answer, done, failure, ok, on_name};
use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::{AllocError, HeapRef};
use crate::term::{Term, View};

/// `info(Name, follow | nofollow) -> {ok, tuple()} | {error, Posix}`: size, type, access, times, mode, links, devices, inode, owner.
///
/// # Errors
/// `badarg` for another second argument.
pub fn info<'h>(cx: &mut Cx<'h>, [name, links]: [Term<'h>; 2]) -> BifResult<'h> {
    let follow = match links.as_atom() {
        Some(known::FOLLOW) => true,
        Some(known::NOFOLLOW) => false,
        _ => return Err(Stop::badarg()),
    };
    on_name(cx, name, if follow { READ } else { READ_NAME }, move |path| {
        let path = match if follow { path.existing() } else { Ok(path) } {
            Ok(path) => path,
            Err(error) => return failure(&error),
        };
        let metadata = if follow { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        let access = access_of(&path);
        answer(metadata, move |heap, metadata| info_tuple(heap, &metadata, access))
    })
}

fn access_of(path: &Path) -> Atom {
    let may = |access| rustix::fs::access(path, access).is_ok();
    match (may(rustix::fs::Access::READ_OK), may(rustix::fs::Access::WRITE_OK)) {
        (true, true) => known::READ_WRITE,
        (true, false) => known::READ,
        (false, true) => known::WRITE,
        (false, false) => known::NONE,
    }
}

fn info_tuple<'h>(
    heap: &mut HeapRef<'h>,
    metadata: &fs::Metadata,
    access: Atom,
) -> Result<Term<'h>, AllocError> {
    let kind = metadata.file_type();
    let kind = if kind.is_file() {
        known::REGULAR
    } else if kind.is_dir() {
        known::DIRECTORY
    } else if kind.is_symlink() {
        known::SYMLINK
    } else if kind.is_char_device() || kind.is_block_device() {
        known::DEVICE
    } else {
        known::OTHER
    };
    let mut elements = vec![heap.uint(metadata.len())?, Term::atom(kind), Term::atom(access)];
    for seconds in [metadata.atime(), metadata.mtime(), metadata.ctime()] {
        elements.push(heap.int(seconds)?);
    }
    let numbers =
        [u64::from(metadata.mode()), metadata.nlink(), metadata.dev(), metadata.rdev(), metadata.ino()];
    for number in numbers.into_iter().chain([u64::from(metadata.uid()), u64::from(metadata.gid())]) {
        elements.push(heap.uint(number)?);
    }
    let tuple = heap.tuple(&elements)?;
    ok(heap, tuple)
}

/// A change of `set_info/2`.
enum Change {
    Mode(u32),
    Owner(Option<u32>, Option<u32>),
    Times(i64, i64),
}

/// `set_info(Name, [{mode, M} | {uid, U} | {gid, G} | {time, Atime, Mtime}]) -> ok | {error, Posix}`.
///
/// # Errors
/// `badarg` for another change.
pub fn set_info<'h>(cx: &mut Cx<'h>, [name, changes]: [Term<'h>; 2]) -> BifResult<'h> {
    let mut wanted = Vec::new();
    let number =
        |term: Term<'h>| term.as_small().and_then(|value| u32::try_from(value).ok()).ok_or_else(Stop::badarg);
    for change in changes.list() {
        wanted.push(match change.view() {
            View::Tuple(&[key, mode]) if key.is_atom(known::MODE) => Change::Mode(number(mode)?),
            View::Tuple(&[key, uid]) if key.is_atom(known::UID) => Change::Owner(Some(number(uid)?), None),
            View::Tuple(&[key, gid]) if key.is_atom(known::GID) => Change::Owner(None, Some(number(gid)?)),
            View::Tuple(&[key, accessed, modified]) if key.is_atom(known::TIME) => Change::Times(
                accessed.as_small().ok_or_else(Stop::badarg)?,
                modified.as_small().ok_or_else(Stop::badarg)?,
            ),
            _ => return Err(Stop::badarg()),
        });
    }
    on_name(cx, name, WRITE, move |path| {
        let changed = path.existing();
        done(changed.and_then(|path| wanted.into_iter().try_for_each(|change| apply(&path, change))))
    })
}

fn apply(path: &Path, change: Change) -> io::Result<()> {
    match change {
        Change::Mode(mode) => fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7777)),
        Change::Owner(uid, gid) => std::os::unix::fs::chown(path, uid, gid),
        Change::Times(accessed, modified) => {
            let time = |tv_sec| rustix::fs::Timespec { tv_sec, tv_nsec: 0 };
            let times =
                rustix::fs::Timestamps { last_access: time(accessed), last_modification: time(modified) };
            Ok(rustix::fs::utimensat(rustix::fs::CWD, path, &times, rustix::fs::AtFlags::empty())?)
        }
    }
}
