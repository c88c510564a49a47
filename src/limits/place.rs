//! Paths that lead where they led when they were judged.
//!
//! Between the moment a path is found to lie below a granted directory and its use, somebody else may exchange a directory on it
//! for a link. So natives do not use such a path by its name: its directory is opened part by part, which follows no link
//! (a real path has none), and the file is named *in that directory*, as `/proc/self/fd/N/name`. What has become a link
//! meanwhile is found on the way, and denied. Where there is no `/proc`, the path is used as it is.

use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;

/// A path to be used while this is kept.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    /// What its first part refers to; such a path has no links left.
    #[cfg(target_os = "linux")]
    held: Option<OwnedFd>,
}

impl Deref for Place {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for Place {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

#[cfg(target_os = "linux")]
impl Place {
    /// A path that needs no care.
    pub fn as_given(path: PathBuf) -> Place {
        Place { path, held: None }
    }

    /// A real path, which may name something that does not exist yet.
    ///
    /// # Errors
    /// `PermissionDenied` if it is no real path any more; what the system says.
    pub fn real(path: PathBuf) -> io::Result<Place> {
        use rustix::fs::{CWD, Mode, OFlags, openat};
        use std::path::Component;
        if !Path::new("/proc/self/fd").exists() {
            return Ok(Place::as_given(path));
        }
        let way = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut directory = openat(CWD, "/", way, Mode::empty())?;
        let name = path.file_name();
        let parent = name.and_then(|_| path.parent()).unwrap_or(&path);
        for part in parent.components() {
            directory = match part {
                Component::RootDir => continue,
                Component::Normal(name) => {
                    openat(&directory, name, way, Mode::empty()).map_err(|error| match error {
                        rustix::io::Errno::NOTDIR | rustix::io::Errno::LOOP => denied(),
                        error => error.into(),
                    })?
                }
                _ => return Err(denied()),
            };
        }
        let mut path = by_number(&directory);
        path.extend(name);
        Ok(Place { path, held: Some(directory) })
    }

    /// The file itself, which must exist, whatever becomes of its name.
    ///
    /// # Errors
    /// What the system says.
    pub fn existing(self) -> io::Result<Place> {
        use rustix::fs::{CWD, Mode, OFlags, openat};
        if self.held.is_none() {
            return Ok(self);
        }
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(CWD, &self.path, flags, Mode::empty())?;
        Ok(Place { path: by_number(&file), held: Some(file) })
    }

    /// Flags to open it with.
    pub fn flags(&self) -> i32 {
        if self.held.is_some() { rustix::fs::OFlags::NOFOLLOW.bits().cast_signed() } else { 0 }
    }
}

#[cfg(target_os = "linux")]
fn by_number(file: &OwnedFd) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(target_os = "linux")]
fn denied() -> io::Error {
    io::ErrorKind::PermissionDenied.into()
}

#[cfg(not(target_os = "linux"))]
impl Place {
    /// A path that needs no care.
    pub fn as_given(path: PathBuf) -> Place {
        Place { path }
    }

    /// A real path, which may name something that does not exist yet.
    ///
    /// # Errors
    /// None here.
    pub fn real(path: PathBuf) -> io::Result<Place> {
        Ok(Place::as_given(path))
    }

    /// The file itself.
    ///
    /// # Errors
    /// None here.
    pub fn existing(self) -> io::Result<Place> {
        Ok(self)
    }

    /// Flags to open it with.
    pub fn flags(&self) -> i32 {
        0
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_link_that_takes_the_place_of_a_directory_is_not_followed() {
        let root = std::env::temp_dir().join(format!("erlet-place-{}", std::process::id()));
        fs::create_dir_all(root.join("in/deep")).unwrap();
        fs::create_dir_all(root.join("out")).unwrap();
        fs::write(root.join("in/deep/file"), "right").unwrap();
        fs::write(root.join("out/file"), "wrong").unwrap();
        let root = fs::canonicalize(root).unwrap();
        let real = root.join("in/deep/file");
        let place = Place::real(real.clone()).unwrap();
        let file = Place::real(real.clone()).unwrap().existing().unwrap();
        fs::rename(root.join("in/deep"), root.join("in/old")).unwrap();
        std::os::unix::fs::symlink(root.join("out"), root.join("in/deep")).unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "wrong", "that is what it is about");
        assert_eq!(fs::read_to_string(&place).unwrap(), "right");
        assert_eq!(fs::read_to_string(&file).unwrap(), "right");
        assert_eq!(Place::real(real).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        // The last part too.
        let last = Place::real(root.join("in/old/file")).unwrap();
        fs::remove_file(root.join("in/old/file")).unwrap();
        std::os::unix::fs::symlink(root.join("out/file"), root.join("in/old/file")).unwrap();
        let mut options = fs::OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, last.flags());
        assert!(options.read(true).open(&last).is_err());
        assert!(fs::read(last.existing().unwrap()).is_err(), "a link itself cannot be read");
        assert!(
            !fs::read_to_string(&file).is_ok_and(|text| text == "wrong"),
            "the file is gone, no other took its place"
        );
        fs::remove_dir_all(root).unwrap();
    }
}
