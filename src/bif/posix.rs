//! Names of operating system errors, as Erlang's file functions answer them.

use std::io;

/// The POSIX name of an error in lower case, such as `enoent`; `einval` for what has none.
pub fn name(error: &io::Error) -> &'static str {
    match error.raw_os_error().map(rustix::io::Errno::from_raw_os_error) {
        Some(errno) => NAMES.iter().find(|(known, _)| *known == errno).map_or("einval", |(_, name)| name),
        None => by_kind(error.kind()),
    }
}

/// For errors that the library made itself.
pub fn by_kind(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "enoent",
        io::ErrorKind::PermissionDenied => "eacces",
        io::ErrorKind::AlreadyExists => "eexist",
        io::ErrorKind::NotADirectory => "enotdir",
        io::ErrorKind::IsADirectory => "eisdir",
        io::ErrorKind::DirectoryNotEmpty => "eexist",
        io::ErrorKind::BrokenPipe => "epipe",
        io::ErrorKind::StorageFull => "enospc",
        io::ErrorKind::TimedOut => "etimedout",
        io::ErrorKind::OutOfMemory => "enomem",
        io::ErrorKind::Unsupported => "enotsup",
        _ => "einval",
    }
}

macro_rules! names {
    ($($errno:ident $name:literal;)*) => {
        const NAMES: &[(rustix::io::Errno, &str)] = &[$((rustix::io::Errno::$errno, $name)),*];
    };
}

names! {
    ACCESS "eacces";
    AGAIN "eagain";
    BADF "ebadf";
    BUSY "ebusy";
    DQUOT "edquot";
    EXIST "eexist";
    FBIG "efbig";
    INTR "eintr";
    INVAL "einval";
    IO "eio";
    ISDIR "eisdir";
    LOOP "eloop";
    MFILE "emfile";
    MLINK "emlink";
    NAMETOOLONG "enametoolong";
    NFILE "enfile";
    NODEV "enodev";
    NOENT "enoent";
    NOMEM "enomem";
    NOSPC "enospc";
    NOTBLK "enotblk";
    NOTDIR "enotdir";
    NOTEMPTY "eexist";
    NOTSUP "enotsup";
    NXIO "enxio";
    PERM "eperm";
    PIPE "epipe";
    ROFS "erofs";
    SPIPE "espipe";
    SRCH "esrch";
    STALE "estale";
    TXTBSY "etxtbsy";
    XDEV "exdev";
}
