//! Finding PostgreSQL's programs.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;

/// The oldest major version the server's own SQL is tested with.
const OLDEST_MAJOR: u32 = 15;

/// Where Debian keeps one folder for each major version.
pub(crate) const DEBIAN_ROOT: &str = "/usr/lib/postgresql";

/// One installed PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct Binaries {
    dir: PathBuf,
    major: u32,
}

impl Binaries {
    pub(crate) fn initdb(&self) -> PathBuf {
        self.dir.join("initdb")
    }

    pub(crate) fn postgres(&self) -> PathBuf {
        self.dir.join("postgres")
    }

    pub(crate) fn into_parts(self) -> (PathBuf, u32) {
        (self.dir, self.major)
    }

    pub(crate) fn major(&self) -> u32 {
        self.major
    }
}

/// Every PostgreSQL on this machine that can be used, at least one, best first.
///
/// A folder that was named (`bin_dir`, else `PG_BIN_DIR`) is the only one looked at.
pub(crate) fn find(bin_dir: Option<&Path>) -> Result<Vec<Binaries>, Error> {
    let from_environment = std::env::var_os("PG_BIN_DIR").filter(|dir| !dir.is_empty());
    let named = bin_dir.or(from_environment.as_deref().map(Path::new));
    search(named, std::env::var_os("PATH").as_deref(), Path::new(DEBIAN_ROOT))
}

fn search(named: Option<&Path>, path: Option<&OsStr>, debian_root: &Path) -> Result<Vec<Binaries>, Error> {
    if let Some(dir) = named {
        if !is_complete(dir) {
            return Err(Error::BinDirIncomplete {
                dir: dir.to_path_buf(),
            });
        }
        return usable(vec![dir.to_path_buf()]);
    }
    let on_path = path.into_iter().flat_map(std::env::split_paths);
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(debian_root)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse().ok()?,
                entry.path().join("bin"),
            ))
        })
        .collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    let candidates = on_path
        .chain(versions.into_iter().map(|(_, dir)| dir))
        .filter(|dir| is_complete(dir));
    let dirs: Vec<PathBuf> = candidates.collect();
    if dirs.is_empty() {
        return Err(Error::BinariesMissing {
            looked_in: format!("PG_BIN_DIR, PATH, {}/*/bin", debian_root.display()),
        });
    }
    usable(dirs)
}

/// The programs in `dirs` that run and are new enough; the first fault when there are none.
fn usable(dirs: Vec<PathBuf>) -> Result<Vec<Binaries>, Error> {
    let mut found: Vec<Binaries> = Vec::new();
    let mut fault = None;
    for dir in dirs {
        match major_version(&dir.join("postgres")) {
            Ok(major) if major < OLDEST_MAJOR => {
                fault.get_or_insert(Error::BinariesTooOld {
                    program: dir.join("postgres"),
                    found: major,
                    needed: OLDEST_MAJOR,
                });
            }
            Ok(major) => found.push(Binaries { dir, major }),
            Err(error) => {
                fault.get_or_insert(error);
            }
        }
    }
    match fault {
        Some(fault) if found.is_empty() => Err(fault),
        _ => Ok(found),
    }
}

fn is_complete(dir: &Path) -> bool {
    dir.join("initdb").is_file() && dir.join("postgres").is_file()
}

/// The major version that a program of PostgreSQL says it is of.
pub(crate) fn major_version(postgres: &Path) -> Result<u32, Error> {
    let broken = |reason: String| Error::BinaryBroken {
        program: postgres.to_path_buf(),
        reason,
    };
    let output = Command::new(postgres)
        .arg("--version")
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| broken(error.to_string()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    // "postgres (PostgreSQL) 15.9 (Debian 15.9-0+deb12u1)", "postgres (PostgreSQL) 18beta1"
    said.split_whitespace()
        .nth(2)
        .and_then(|version| {
            let digits = version
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(version.len());
            version[..digits].parse().ok()
        })
        .ok_or_else(|| {
            let error = String::from_utf8_lossy(&output.stderr);
            broken(format!(
                "`--version` answered \"{}{}\"",
                said.trim(),
                error.trim()
            ))
        })
}

/// The programs for a cluster: those of its own major version, or for a new one (`None`) the best.
///
/// `cluster` is named in the refusal; `data_version` is what its `PG_VERSION` says.
pub(crate) fn choose(
    found: &[Binaries],
    cluster: &Path,
    data_version: Option<&str>,
) -> Result<Binaries, Error> {
    let chosen = match data_version {
        None => found.first(),
        Some(data) => found.iter().find(|binaries| binaries.major.to_string() == data),
    };
    chosen.cloned().ok_or_else(|| {
        let majors: BTreeSet<u32> = found.iter().map(|binaries| binaries.major).collect();
        let majors: Vec<String> = majors.iter().map(u32::to_string).collect();
        Error::OtherMajorVersion {
            dir: cluster.to_path_buf(),
            data: data_version.unwrap_or_default().to_owned(),
            found: majors.join(", "),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Makes `dir` look like an installed PostgreSQL that calls itself `version`.
    fn install(dir: &Path, version: &str) {
        fs::create_dir_all(dir).unwrap();
        for program in ["initdb", "postgres"] {
            let script = format!("#!/bin/sh\necho '{program} (PostgreSQL) {version}'\n");
            fs::write(dir.join(program), script).unwrap();
            fs::set_permissions(dir.join(program), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    fn majors(found: &[Binaries]) -> Vec<u32> {
        found.iter().map(|binaries| binaries.major).collect()
    }

    #[test]
    fn a_named_folder_wins_then_path_then_the_newest_of_debian() {
        let temp = tempfile::tempdir().unwrap();
        let debian = temp.path().join("postgresql");
        // As text, 9 would be newer than 17.
        install(&debian.join("9/bin"), "9.6.24");
        install(&debian.join("15/bin"), "15.9 (Debian 15.9-0+deb12u1)");
        install(&debian.join("17/bin"), "17.2");
        let on_path = temp.path().join("bin");
        install(&on_path, "16.6");
        let path = OsString::from(format!("/nowhere:{}", on_path.display()));

        assert_eq!(majors(&search(None, Some(&path), &debian).unwrap()), [16, 17, 15]);
        assert_eq!(majors(&search(None, None, &debian).unwrap()), [17, 15]);
        let named = debian.join("15/bin");
        assert_eq!(majors(&search(Some(&named), Some(&path), &debian).unwrap()), [15]);
    }

    #[test]
    fn a_named_folder_without_programs_is_refused_by_name() {
        let temp = tempfile::tempdir().unwrap();
        let error = search(Some(temp.path()), None, temp.path()).unwrap_err();
        assert_eq!(error.code(), "postgres-bin-dir-incomplete");
        assert!(error.to_string().contains(&temp.path().display().to_string()));
    }

    #[test]
    fn no_programs_is_one_line_with_the_ways_out() {
        let temp = tempfile::tempdir().unwrap();
        let error = search(None, None, temp.path()).unwrap_err();
        assert_eq!(error.code(), "postgres-missing");
        let message = error.to_string();
        assert!(!message.contains('\n'), "{message}");
        for way_out in ["apt-get install postgresql", "DATABASE_URL", "docker compose"] {
            assert!(message.contains(way_out), "{message}");
        }
    }

    #[test]
    fn old_and_broken_programs_are_refused_only_when_nothing_better_is_there() {
        let temp = tempfile::tempdir().unwrap();
        install(&temp.path().join("13/bin"), "13.20");
        let error = search(None, None, temp.path()).unwrap_err();
        assert_eq!(error.code(), "postgres-too-old");
        assert!(error.to_string().contains("PostgreSQL 13"), "{error}");

        let broken = tempfile::tempdir().unwrap();
        install(&broken.path().join("15/bin"), "");
        assert_eq!(
            search(None, None, broken.path()).unwrap_err().code(),
            "postgres-broken"
        );

        install(&temp.path().join("18/bin"), "18beta1");
        assert_eq!(majors(&search(None, None, temp.path()).unwrap()), [18]);
    }

    #[test]
    fn data_is_run_by_its_own_major_version_or_refused_with_both_versions_named() {
        let found: Vec<Binaries> = [17, 16, 15]
            .map(|major| Binaries {
                dir: PathBuf::from(format!("/pg/{major}")),
                major,
            })
            .to_vec();
        let cluster = Path::new("/srv/go/postgres");
        assert_eq!(choose(&found, cluster, None).unwrap().major, 17);
        assert_eq!(choose(&found, cluster, Some("15")).unwrap().major, 15);

        let error = choose(&found, cluster, Some("14")).unwrap_err();
        assert_eq!(error.code(), "postgres-data-other-version");
        let message = error.to_string();
        for part in [
            "/srv/go/postgres",
            "PostgreSQL 14",
            "15, 16, 17",
            "postgresql-14",
            "pg_upgrade",
        ] {
            assert!(message.contains(part), "{part} is missing: {message}");
        }
    }
}
