//! The user that runs PostgreSQL, which refuses to run as root.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use nix::unistd::{Uid, User, getegid, geteuid};
use tokio::process::Command;

use crate::Error;

/// Who runs PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct RunAs {
    uid: u32,
    gid: u32,
    name: String,
    /// Whether this process is root and has to become somebody else.
    switch: bool,
}

/// The home folder of the user this process runs as.
pub(crate) fn home() -> Option<PathBuf> {
    User::from_uid(geteuid()).ok().flatten().map(|user| user.dir)
}

impl RunAs {
    /// The user for the cluster in `cluster`, which may not exist yet: its owner, or for a new one
    /// this process's own user, or as root `postgres` or else `nobody`.
    pub(crate) fn for_cluster(cluster: &Path) -> Result<Self, Error> {
        let owner = match fs::metadata(cluster) {
            Ok(metadata) => Some((metadata.uid(), metadata.gid())),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(Error::io("look at", cluster)(error)),
        };
        let own = geteuid();
        if !own.is_root() {
            return match owner {
                Some((uid, _)) if uid != own.as_raw() => Err(Error::OwnedByAnother {
                    dir: cluster.to_path_buf(),
                    owner: name_of(uid),
                }),
                _ => Ok(Self {
                    uid: own.as_raw(),
                    gid: getegid().as_raw(),
                    name: name_of(own.as_raw()),
                    switch: false,
                }),
            };
        }
        match owner {
            // The owner, so that installing Debian's package, which adds the user `postgres`,
            // does not lock a cluster out that `nobody` ran until then.
            Some((uid, gid)) if uid != 0 => Ok(Self {
                uid,
                gid,
                name: name_of(uid),
                switch: true,
            }),
            Some(_) => Err(Error::OwnedByRoot {
                dir: cluster.to_path_buf(),
                user: service_user().map_or_else(|_| "postgres".to_owned(), |user| user.name),
            }),
            None => {
                let user = service_user()?;
                Ok(Self {
                    uid: user.uid.as_raw(),
                    gid: user.gid.as_raw(),
                    name: user.name,
                    switch: true,
                })
            }
        }
    }

    /// The user's id.
    pub(crate) fn uid(&self) -> u32 {
        self.uid
    }

    /// A command for `program` that runs as this user, in its own process group so that a
    /// terminal's Ctrl-C does not reach it, without the caller's input and without its
    /// PostgreSQL and language settings.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let foreign = name.to_str().is_some_and(|name| {
                name.starts_with("PG") || name.starts_with("LC_") || name.starts_with("LANG")
            });
            if foreign {
                command.env_remove(name);
            }
        }
        command.env("LC_ALL", "C").stdin(Stdio::null()).process_group(0);
        if self.switch {
            // Being root, the standard library drops root's supplementary groups as well.
            command.uid(self.uid).gid(self.gid);
        }
        command
    }

    /// Gives a file or folder to this user.
    pub(crate) fn give(&self, path: &Path) -> Result<(), Error> {
        if self.switch {
            chown(path, Some(self.uid), Some(self.gid)).map_err(Error::io("change the owner of", path))?;
        }
        Ok(())
    }

    /// Refuses when this user cannot enter the folder `dir` or run `program`.
    ///
    /// Tried rather than computed from the modes: access lists and security modules have a say too.
    pub(crate) async fn check_reach(&self, dir: &Path, program: &Path) -> Result<(), Error> {
        if self.can_run_in(dir, program).await? {
            return Ok(());
        }
        let unreachable = |path: &Path, closed: &Path| Error::Unreachable {
            path: path.to_path_buf(),
            closed: closed.to_path_buf(),
            user: self.name.clone(),
        };
        if !self.can_run_in(Path::new("/"), program).await? {
            return Err(unreachable(program, program));
        }
        let mut ways: Vec<&Path> = dir.ancestors().collect();
        ways.reverse();
        for way in ways {
            if !self.can_run_in(way, program).await? {
                return Err(unreachable(dir, way));
            }
        }
        Ok(())
    }

    async fn can_run_in(&self, dir: &Path, program: &Path) -> Result<bool, Error> {
        let status = self
            .command(program)
            .arg("--version")
            .current_dir(dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .await;
        match status {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(false),
            Err(error) => Err(Error::io("run", program)(error)),
        }
    }
}

fn service_user() -> Result<User, Error> {
    first_of(["postgres", "nobody"])
}

/// The first of these users that this machine has.
fn first_of<const N: usize>(names: [&str; N]) -> Result<User, Error> {
    names
        .into_iter()
        .find_map(|name| {
            User::from_name(name)
                .ok()
                .flatten()
                .filter(|user| !user.uid.is_root())
        })
        .ok_or(Error::NoServiceUser)
}

fn name_of(uid: u32) -> String {
    match User::from_uid(Uid::from_raw(uid)) {
        Ok(Some(user)) => user.name,
        _ => format!("user {uid}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_falls_back_to_nobody_and_never_to_root() {
        assert_eq!(first_of(["no-such-user", "nobody"]).unwrap().name, "nobody");
        let error = first_of(["no-such-user", "root"]).unwrap_err();
        assert_eq!(error.code(), "postgres-no-user");
        assert!(error.to_string().contains("useradd --system postgres"), "{error}");
    }
}
