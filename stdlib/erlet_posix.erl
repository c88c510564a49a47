%% What the operating system's error codes mean.
-module(erlet_posix).

-export([text/1]).

-spec text(atom()) -> string().
text(Code) ->
    case Code of
        eacces -> "permission denied";
        eagain -> "resource temporarily unavailable";
        ebadf -> "bad file number";
        ebusy -> "file busy";
        econnrefused -> "connection refused";
        econnreset -> "connection reset by peer";
        eaddrinuse -> "address already in use";
        eexist -> "file already exists";
        efault -> "bad address in system call argument";
        efbig -> "file too large";
        einval -> "invalid argument";
        eintr -> "interrupted system call";
        eio -> "I/O error";
        eisdir -> "illegal operation on a directory";
        eloop -> "too many levels of symbolic links";
        emfile -> "too many open files";
        emlink -> "too many links";
        enametoolong -> "file name too long";
        enfile -> "file table overflow";
        enodev -> "no such device";
        enoent -> "no such file or directory";
        enomem -> "not enough memory";
        enospc -> "no space left on device";
        enotdir -> "not a directory";
        enotempty -> "directory not empty";
        enotsup -> "operation not supported";
        enxio -> "no such device or address";
        eperm -> "not owner";
        epipe -> "broken pipe";
        erofs -> "read-only file system";
        espipe -> "invalid seek";
        esrch -> "no such process";
        etimedout -> "connection timed out";
        etxtbsy -> "text file busy";
        exdev -> "cross-domain link";
        _ -> "unknown POSIX error"
    end.
