//! PostgreSQL's programs that copy a database out and in.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::binaries::{DEBIAN_ROOT, major_version};

/// `pg_dump` and `pg_restore` of one major version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    dir: PathBuf,
}

impl Client {
    /// Finds the programs of the major version `major`, that of the server they are to speak to:
    /// in `PG_BIN_DIR`, `/usr/lib/postgresql/*/bin` and `PATH`.
    ///
    /// An older `pg_dump` refuses a newer server, and what a newer one writes an older server may
    /// not take back; so it is the same version or none.
    ///
    /// # Errors
    /// [`Error::ClientMissing`], with what was found instead.
    pub fn find(major: u32) -> Result<Self, Error> {
        let named = std::env::var_os("PG_BIN_DIR").filter(|dir| !dir.is_empty());
        Self::search(
            major,
            named.as_deref().map(Path::new),
            std::env::var_os("PATH").as_deref(),
            Path::new(DEBIAN_ROOT),
        )
    }

    fn search(
        major: u32,
        named: Option<&Path>,
        path: Option<&OsStr>,
        debian_root: &Path,
    ) -> Result<Self, Error> {
        // Debian's `/usr/bin/pg_dump` chooses a version by rules of its own, so its folders go first.
        let candidates = named
            .map(Path::to_path_buf)
            .into_iter()
            .chain([debian_root.join(major.to_string()).join("bin")])
            .chain(path.into_iter().flat_map(std::env::split_paths));
        let mut others = Vec::new();
        for dir in candidates.filter(|dir| is_complete(dir)) {
            match (
                major_version(&dir.join("pg_dump")),
                major_version(&dir.join("pg_restore")),
            ) {
                (Ok(one), Ok(other)) if one == major && other == major => return Ok(Self { dir }),
                (Ok(found), Ok(_)) => others.push(format!("version {found} in {}", dir.display())),
                (Err(error), _) | (_, Err(error)) => others.push(error.to_string()),
            }
        }
        Err(Error::ClientMissing {
            major,
            found: if others.is_empty() {
                "none".to_owned()
            } else {
                others.join("; ")
            },
        })
    }

    /// Where `pg_dump` is.
    pub fn pg_dump(&self) -> PathBuf {
        self.dir.join("pg_dump")
    }

    /// Where `pg_restore` is.
    pub fn pg_restore(&self) -> PathBuf {
        self.dir.join("pg_restore")
    }

    /// Where `pg_basebackup` is; Debian has the three in one package.
    pub(crate) fn pg_basebackup(&self) -> PathBuf {
        self.dir.join("pg_basebackup")
    }
}

fn is_complete(dir: &Path) -> bool {
    dir.join("pg_dump").is_file() && dir.join("pg_restore").is_file()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn install(dir: &Path, version: &str) {
        fs::create_dir_all(dir).unwrap();
        for program in ["pg_dump", "pg_restore"] {
            let script = format!("#!/bin/sh\necho '{program} (PostgreSQL) {version}'\n");
            fs::write(dir.join(program), script).unwrap();
            fs::set_permissions(dir.join(program), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    #[test]
    fn the_programs_of_the_servers_own_version_are_found_or_the_others_named() {
        let temp = tempfile::tempdir().unwrap();
        let debian = temp.path().join("postgresql");
        install(&debian.join("15/bin"), "15.9 (Debian 15.9-0+deb12u1)");
        install(&debian.join("17/bin"), "17.2");
        let bin = temp.path().join("bin");
        install(&bin, "17.2");
        let path = Some(bin.as_os_str());
        for (major, dir) in [(15, debian.join("15/bin")), (17, debian.join("17/bin"))] {
            assert_eq!(
                Client::search(major, None, path, &debian).unwrap(),
                Client { dir }
            );
        }
        let own = temp.path().join("own");
        install(&own, "15.1");
        let named = Client::search(15, Some(&own), path, &debian).unwrap();
        assert_eq!(named.pg_dump(), own.join("pg_dump"));

        let error = Client::search(16, Some(&own), path, &debian).unwrap_err();
        assert_eq!(error.code(), "postgres-client-missing");
        let said = error.to_string();
        for part in [
            "PostgreSQL 16",
            "version 15 in",
            "version 17 in",
            "postgresql-client-16",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}
