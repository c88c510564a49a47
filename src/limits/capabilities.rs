//! What of the world outside a process may touch.
//!
//! Paths are checked by what they lead to, not by how they are spelled: a name is resolved, links and `..` included, and
//! must then lie below a directory that was granted. What does not exist yet is judged by the directory it is to be in. Links
//! can only be made between granted places. If somebody exchanges a directory for a link between a check and the operation
//! after it, natives of the machine do not follow it (on Linux, where `/proc` is mounted); functions of the host that ask
//! [`Capabilities::file`] and then use the path it gives may.

use std::io;
use std::net::SocketAddr;
use std::ops::RangeBounds;
use std::path::{Component, Path, PathBuf};

use super::network::{Direction, Network};
use super::place::Place;

/// How a place in the file system may be used.
///
/// ```
/// use erlet::limits::Access;
/// assert_ne!(Access::Read, Access::Write);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Looked at and read.
    Read,
    /// Changed too.
    Write,
}

/// What of the world outside the machine may be touched. A machine made by [`Vm::builder`](crate::Vm::builder) has
/// [`Capabilities::none`] unless it is told otherwise; the `erlet` command gives its programs all.
///
/// What is denied fails as in OTP where the system denies it: file functions answer `{error, eacces}`, loading code
/// `{error, eacces}`, environment variables are not there (and setting one is the error `eacces`), `os:cmd/1`, `halt/0,1,2`,
/// `init:stop/0,1` and what tells the time of day are the error `eacces`. Standard output needs no capability: output is capped
/// by [`Limits::output_bytes`](super::Limits::output_bytes) and goes where the builder says. Neither do time-outs, timers and
/// monotonic time, which without the right to the clock is told in whole milliseconds (see [`Capabilities::clock`]).
///
/// ```
/// use erlet::limits::Capabilities;
/// let rights = Capabilities::none().read("/usr/share").environment(true);
/// assert_eq!(rights.narrowed(&Capabilities::none()), Capabilities::none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    files: Files,
    network: Network,
    environment: bool,
    subprocess: bool,
    clock: bool,
    code: bool,
    halt: bool,
}

/// Which files.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Files {
    All,
    /// Real paths of directories, each with what may be done below; only `All` and none are cheap.
    Below(Vec<(PathBuf, Access)>),
}

impl Default for Files {
    fn default() -> Files {
        Files::Below(Vec::new())
    }
}

impl Capabilities {
    /// Nothing.
    ///
    /// ```
    /// assert!(!erlet::Capabilities::none().may_halt());
    /// ```
    pub fn none() -> Capabilities {
        Capabilities::default()
    }

    /// Everything.
    ///
    /// ```
    /// assert!(erlet::Capabilities::all().may_halt());
    /// ```
    pub fn all() -> Capabilities {
        Capabilities {
            files: Files::All,
            network: Network::all(),
            environment: true,
            subprocess: true,
            clock: true,
            code: true,
            halt: true,
        }
    }

    /// Files below a directory may be read. The directory is looked up now: a later link in its place does not count, and one
    /// that does not exist grants nothing.
    ///
    /// ```
    /// let rights = erlet::Capabilities::none().read("/usr/share");
    /// ```
    #[must_use]
    pub fn read(self, directory: impl AsRef<Path>) -> Capabilities {
        self.grant(directory.as_ref(), Access::Read)
    }

    /// Files below a directory may be read, written, made and deleted.
    ///
    /// ```
    /// let rights = erlet::Capabilities::none().write(std::env::temp_dir());
    /// ```
    #[must_use]
    pub fn write(self, directory: impl AsRef<Path>) -> Capabilities {
        self.grant(directory.as_ref(), Access::Write)
    }

    /// All files may be used, as far as the operating system allows.
    ///
    /// ```
    /// let rights = erlet::Capabilities::none().all_files();
    /// ```
    #[must_use]
    pub fn all_files(mut self) -> Capabilities {
        self.files = Files::All;
        self
    }

    /// Ports of a place may be connected and sent to. The place is a host's name, an address, a block of addresses
    /// (`10.0.0.0/8`, `2001:db8::/32`), or `*` for everything; what is none of these grants nothing.
    ///
    /// A name is granted as a name: it may be used for the addresses it has when it is used, and not otherwise; an address is
    /// granted whoever has it. The machine has no sockets of its own yet: functions of the host that open some on behalf of a
    /// program ask [`Capabilities::addresses`].
    ///
    /// ```
    /// use erlet::{Capabilities, limits::Direction};
    /// let rights = Capabilities::none().connect("10.0.0.0/8", 80..=443).connect("api.example.com", 443..=443);
    /// assert!(rights.may_reach("10.1.2.3:80".parse().unwrap(), Direction::Connect));
    /// assert!(!rights.may_reach("10.1.2.3:22".parse().unwrap(), Direction::Connect));
    /// ```
    #[must_use]
    pub fn connect(mut self, place: impl AsRef<str>, ports: impl RangeBounds<u16>) -> Capabilities {
        self.network.grant(Direction::Connect, place.as_ref(), ports);
        self
    }

    /// Ports of a place, which is one of this host's own, may be listened and received at; see [`Capabilities::connect`].
    ///
    /// ```
    /// let rights = erlet::Capabilities::none().listen("127.0.0.1", 8000..8100);
    /// ```
    #[must_use]
    pub fn listen(mut self, place: impl AsRef<str>, ports: impl RangeBounds<u16>) -> Capabilities {
        self.network.grant(Direction::Listen, place.as_ref(), ports);
        self
    }

    /// All addresses may be reached, and all ports listened at.
    ///
    /// ```
    /// assert!(erlet::Capabilities::none().all_network().has_network());
    /// ```
    #[must_use]
    pub fn all_network(mut self) -> Capabilities {
        self.network = Network::all();
        self
    }

    /// The time of day may be read: `erlang:system_time/0,1`, `time_offset/0,1`, `timestamp/0`, `now/0`, `date/0`, `time/0`,
    /// `localtime/0` and `universaltime/0`, `os:system_time/0,1` and `os:timestamp/0`; and the host's time zone.
    ///
    /// Without it these are the error `eacces`, and local time is universal time. What supervision and time-outs need goes
    /// on: `receive after`, timers, and `erlang:monotonic_time/0,1`, which counts from the machine's start and is rounded down
    /// to whole milliseconds then. That is what `receive after` can tell anyhow, and too coarse to measure what neighbours
    /// do in caches and queues. (A machine with several threads can still count as a finer clock; code that must not
    /// measure gets one thread.)
    ///
    /// ```
    /// use erlet::{Capabilities, Error, Vm};
    /// let vm = Vm::builder().threads(0).build()?;
    /// let denied = vm.call::<i64>("erlang", "system_time", ());
    /// assert!(matches!(denied, Err(Error::Exception(e)) if e.reason.to_string() == "eacces"));
    ///
    /// let vm = Vm::builder().threads(0).capabilities(Capabilities::none().clock(true)).build()?;
    /// assert!(vm.call::<i64>("erlang", "system_time", ())? > 0);
    /// # Ok::<(), erlet::Error>(())
    /// ```
    #[must_use]
    pub fn clock(mut self, granted: bool) -> Capabilities {
        self.clock = granted;
        self
    }

    /// Environment variables may be read and set.
    ///
    /// ```
    /// let rights = erlet::Capabilities::none().environment(true);
    /// ```
    #[must_use]
    pub fn environment(mut self, granted: bool) -> Capabilities {
        self.environment = granted;
        self
    }

    /// Other programs may be run.
    ///
    /// ```
    /// let rights = erlet::Capabilities::all().subprocess(false);
    /// ```
    #[must_use]
    pub fn subprocess(mut self, granted: bool) -> Capabilities {
        self.subprocess = granted;
        self
    }

    /// Modules may be loaded, replaced and purged by the program. (What the builder or the embedder loads, and modules of the
    /// standard library and of the builder's sources when they are first called, need no capability.)
    ///
    /// ```
    /// let rights = erlet::Capabilities::none().code(true);
    /// ```
    #[must_use]
    pub fn code(mut self, granted: bool) -> Capabilities {
        self.code = granted;
        self
    }

    /// The machine may be halted.
    ///
    /// ```
    /// let rights = erlet::Capabilities::none().halt(true);
    /// ```
    #[must_use]
    pub fn halt(mut self, granted: bool) -> Capabilities {
        self.halt = granted;
        self
    }

    /// What both grant.
    ///
    /// ```
    /// use erlet::Capabilities;
    /// let files = Capabilities::none().all_files().halt(true);
    /// assert!(!files.narrowed(&Capabilities::all().halt(false)).may_halt());
    /// ```
    #[must_use]
    pub fn narrowed(&self, other: &Capabilities) -> Capabilities {
        Capabilities {
            files: self.files.narrowed(&other.files),
            network: self.network.narrowed(&other.network),
            environment: self.environment && other.environment,
            subprocess: self.subprocess && other.subprocess,
            clock: self.clock && other.clock,
            code: self.code && other.code,
            halt: self.halt && other.halt,
        }
    }

    /// Whether any file at all may be used.
    ///
    /// ```
    /// assert!(!erlet::Capabilities::none().has_files());
    /// ```
    pub fn has_files(&self) -> bool {
        self.files != Files::default()
    }

    /// Whether any address at all may be reached or listened at.
    ///
    /// ```
    /// assert!(!erlet::Capabilities::none().has_network());
    /// ```
    pub fn has_network(&self) -> bool {
        !self.network.is_none()
    }

    /// Whether this address may be used so. For what a program names, ask [`Capabilities::addresses`].
    ///
    /// ```
    /// use erlet::{Capabilities, limits::Direction};
    /// let rights = Capabilities::none().listen("127.0.0.0/8", 8080..=8080);
    /// assert!(rights.may_reach("127.0.0.1:8080".parse().unwrap(), Direction::Listen));
    /// ```
    pub fn may_reach(&self, address: SocketAddr, direction: Direction) -> bool {
        self.network.has_address(address, direction)
    }

    /// The addresses to use for a host that a program names, by name or address. A name that is granted is resolved, which may
    /// block: this belongs into a [blocking](crate::host::ModuleBuilder::blocking) function.
    ///
    /// ```
    /// use erlet::{Capabilities, Context, HostError, Vm, limits::Direction};
    /// use std::net::TcpStream;
    ///
    /// let rights = Capabilities::none().connect("127.0.0.0/8", ..);
    /// let vm = Vm::builder().threads(1).capabilities(rights).build()?;
    /// vm.module("probe")
    ///     .blocking("is_open", |caller: Context, host: String, port: u16| {
    ///         let addresses = caller.capabilities().addresses(&host, port, Direction::Connect)?;
    ///         Ok::<bool, HostError>(TcpStream::connect(&addresses[..]).is_ok())
    ///     })
    ///     .install()?;
    /// let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    /// let port = server.local_addr().unwrap().port();
    /// assert!(vm.call::<bool>("probe", "is_open", ("127.0.0.1", port))?);
    /// let denied = vm.call::<bool>("probe", "is_open", ("192.0.2.1", 22));
    /// assert!(denied.unwrap_err().to_string().contains("eacces"));
    /// # Ok::<(), erlet::Error>(())
    /// ```
    ///
    /// # Errors
    /// `PermissionDenied` if it is not granted; what the system says of a name that is.
    pub fn addresses(&self, host: &str, port: u16, direction: Direction) -> io::Result<Vec<SocketAddr>> {
        self.network.addresses(host, port, direction)
    }

    /// Whether the time of day may be read.
    ///
    /// ```
    /// assert!(!erlet::Capabilities::none().has_clock());
    /// ```
    pub fn has_clock(&self) -> bool {
        self.clock
    }

    /// Whether environment variables may be used.
    ///
    /// ```
    /// assert!(erlet::Capabilities::all().has_environment());
    /// ```
    pub fn has_environment(&self) -> bool {
        self.environment
    }

    /// Whether other programs may be run.
    ///
    /// ```
    /// assert!(erlet::Capabilities::all().has_subprocesses());
    /// ```
    pub fn has_subprocesses(&self) -> bool {
        self.subprocess
    }

    /// Whether code may be loaded.
    ///
    /// ```
    /// assert!(erlet::Capabilities::all().has_code());
    /// ```
    pub fn has_code(&self) -> bool {
        self.code
    }

    /// Whether the machine may be halted.
    ///
    /// ```
    /// assert!(erlet::Capabilities::all().may_halt());
    /// ```
    pub fn may_halt(&self) -> bool {
        self.halt
    }

    /// The path to use for a file that is to be used so, links resolved: asked where blocking is allowed, since it looks at the
    /// file system. `follow`: a link in the last place is followed.
    ///
    /// ```
    /// use erlet::limits::{Access, Capabilities};
    /// let rights = Capabilities::none().read("/usr");
    /// let error = rights.file("/usr/../etc/passwd", Access::Read, true).unwrap_err();
    /// assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
    /// ```
    ///
    /// # Errors
    /// `PermissionDenied` if it is not granted; what the system says of a path below a granted directory.
    pub fn file(&self, path: impl AsRef<Path>, access: Access, follow: bool) -> io::Result<PathBuf> {
        Ok(self.judged(path.as_ref(), access, follow)?.unwrap_or_else(|| path.as_ref().to_owned()))
    }

    /// Whether every file may be read and written.
    pub(crate) fn has_all_files(&self) -> bool {
        matches!(self.files, Files::All)
    }

    /// The same for natives, whose operation cannot be led elsewhere after the check.
    ///
    /// # Errors
    /// As [`Capabilities::file`].
    pub(crate) fn place(&self, path: &Path, access: Access, follow: bool) -> io::Result<Place> {
        match self.judged(path, access, follow)? {
            Some(real) => Place::real(real),
            None => Ok(Place::as_given(path.to_owned())),
        }
    }

    /// The real path of what is granted; `None` if everything is.
    fn judged(&self, path: &Path, access: Access, follow: bool) -> io::Result<Option<PathBuf>> {
        let Files::Below(grants) = &self.files else { return Ok(None) };
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        if grants.is_empty() {
            return Err(denied());
        }
        let allowed = |path: &Path| {
            grants.iter().any(|(directory, granted)| *granted >= access && path.starts_with(directory))
        };
        match resolved(path, follow) {
            Ok(real) if allowed(&real) => Ok(Some(real)),
            Ok(_) => Err(denied()),
            // What there is elsewhere is nobody's business: only below granted directories errors say more.
            Err(error) if !has_parents(path) && allowed(path) => Err(error),
            Err(_) => Err(denied()),
        }
    }

    fn grant(mut self, directory: &Path, access: Access) -> Capabilities {
        if let Files::Below(grants) = &mut self.files
            && let Ok(real) = std::fs::canonicalize(directory)
        {
            grants.push((real, access));
        }
        self
    }
}

impl Files {
    fn narrowed(&self, other: &Files) -> Files {
        let (ours, theirs) = match (self, other) {
            (Files::All, one) | (one, Files::All) => return one.clone(),
            (Files::Below(ours), Files::Below(theirs)) => (ours, theirs),
        };
        let mut both = Vec::new();
        for (a, granted) in ours {
            for (b, wanted) in theirs {
                let inner = match () {
                    () if a.starts_with(b) => a,
                    () if b.starts_with(a) => b,
                    () => continue,
                };
                let grant = (inner.clone(), *granted.min(wanted));
                if !both.contains(&grant) {
                    both.push(grant);
                }
            }
        }
        Files::Below(both)
    }
}

fn has_parents(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

/// Where a path leads: its real path, or, if it does not exist or its last link is not to be followed, its name in the real
/// path of its directory.
fn resolved(path: &Path, follow: bool) -> io::Result<PathBuf> {
    if follow {
        match std::fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => return result,
        }
        // A link to what does not exist would lead the making of a file elsewhere.
        if std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
    }
    let Some(name) = path.file_name() else { return std::fs::canonicalize(path) };
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    Ok(std::fs::canonicalize(directory)?.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(result: io::Result<PathBuf>) -> bool {
        result.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
    }

    /// A directory of the test's own, with `inside/file`, `outside/secret` and links from inside to outside.
    fn tree(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("erlet-capabilities-{}-{name}", std::process::id()));
        std::fs::create_dir_all(root.join("inside/deep")).unwrap();
        std::fs::create_dir_all(root.join("outside")).unwrap();
        std::fs::write(root.join("inside/file"), "x").unwrap();
        std::fs::write(root.join("outside/secret"), "x").unwrap();
        std::os::unix::fs::symlink(root.join("outside"), root.join("inside/way_out")).unwrap();
        std::os::unix::fs::symlink(root.join("outside/new"), root.join("inside/nowhere")).unwrap();
        root
    }

    #[test]
    fn nothing_leads_out_of_a_granted_directory() {
        let root = tree("out");
        let rights = Capabilities::none().read(root.join("inside"));
        let read = |name: &str| rights.file(root.join(name), Access::Read, true);
        assert!(read("inside/file").is_ok());
        assert!(read("inside/deep/../file").is_ok());
        assert!(read("outside/../inside/file").is_ok(), "what it leads to counts");
        for path in [
            "outside/secret",
            "inside/../outside/secret",
            "inside/deep/../../outside/secret",
            "inside/way_out/secret",
            "inside/nowhere",
            "inside/way_out/none",
            "none",
            "../x",
            "inside/none/../../outside/secret",
        ] {
            assert!(denied(read(path)), "{path}");
        }
        assert_eq!(
            read("inside/none").unwrap().file_name().unwrap(),
            "none",
            "to be made, if it may be written"
        );
        assert_eq!(read("inside/none/none").unwrap_err().kind(), io::ErrorKind::NotFound);
        let write = |name: &str| rights.file(root.join(name), Access::Write, false);
        assert!(denied(write("inside/file")), "reading is not writing");
        let rights = rights.write(root.join("inside/deep"));
        assert!(rights.file(root.join("inside/deep/new"), Access::Write, true).is_ok());
        assert!(denied(rights.file(root.join("inside/deep/../new"), Access::Write, true)));
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn rights_only_narrow() {
        let root = tree("narrow");
        let inside = Capabilities::none().write(root.join("inside"));
        let deep = Capabilities::none().read(root.join("inside/deep")).write(root.join("outside")).halt(true);
        let both = inside.narrowed(&deep);
        assert_eq!(both, deep.narrowed(&inside));
        assert!(both.file(root.join("inside/deep"), Access::Read, true).is_ok());
        assert!(denied(both.file(root.join("inside/deep"), Access::Write, true)));
        assert!(denied(both.file(root.join("inside/file"), Access::Read, true)));
        assert!(denied(both.file(root.join("outside/secret"), Access::Read, true)));
        assert!(!both.may_halt());
        assert_eq!(Capabilities::all().narrowed(&deep), deep);
        std::fs::remove_dir_all(root).unwrap();
    }
}
