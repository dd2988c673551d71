//! Trap 1: PostgreSQL refuses to run as root.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::process::Command;

use nix::unistd::{User, geteuid};
use private_postgres::start;

use crate::{PROGRAM, Place, Server, ask, is_root, mode, ps, volatile};

fn user(name: &str) -> Option<User> {
    User::from_name(name).unwrap()
}

#[tokio::test]
async fn postgresql_runs_as_postgres_for_root_and_else_as_oneself() {
    let place = Place::new();
    let cluster = start(&volatile(place.data())).await.unwrap();
    let expected = if geteuid().is_root() {
        user("postgres").or_else(|| user("nobody")).unwrap().uid
    } else {
        geteuid()
    };
    let pid = cluster.pid().unwrap();
    assert_eq!(ps(pid, "uid"), expected.to_string());
    for inside in ["postgres", "run"] {
        assert_eq!(
            fs::metadata(cluster.data_dir().join(inside)).unwrap().uid(),
            expected.as_raw()
        );
    }
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn a_cluster_that_nobody_ran_stays_with_nobody() {
    if !is_root("a_cluster_that_nobody_ran_stays_with_nobody") {
        return;
    }
    let nobody = user("nobody").unwrap();
    let place = Place::new();
    // An empty folder that was given to somebody counts as a wish.
    let cluster_dir = place.data().join("postgres");
    fs::create_dir_all(&cluster_dir).unwrap();
    chown(&cluster_dir, Some(nobody.uid.as_raw()), Some(nobody.gid.as_raw())).unwrap();
    for _ in 0..2 {
        let cluster = start(&volatile(place.data())).await.unwrap();
        assert_eq!(ps(cluster.pid().unwrap(), "uid"), nobody.uid.to_string());
        assert_eq!(
            ask(&cluster.database_url("postgres"), "select 'yes'").await,
            "yes"
        );
        cluster.stop().await.unwrap();
    }
}

#[tokio::test]
async fn a_folder_closed_to_postgres_is_named_with_the_way_out() {
    if !is_root("a_folder_closed_to_postgres_is_named_with_the_way_out") {
        return;
    }
    let place = Place::new();
    let closed = place.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
    let data = closed.join("below/data");
    let error = start(&volatile(data.clone())).await.unwrap_err();
    assert_eq!(error.code(), "postgres-data-unreachable");
    let message = error.to_string();
    assert!(message.contains(data.to_str().unwrap()), "{message}");
    assert!(
        message.contains(&format!("`chmod o+x {}`", closed.display())),
        "{message}"
    );
    assert!(!data.join("postgres").exists());

    fs::set_permissions(&closed, Permissions::from_mode(0o711)).unwrap();
    start(&volatile(data)).await.unwrap().stop().await.unwrap();
}

#[tokio::test]
async fn data_that_belongs_to_the_wrong_user_is_refused() {
    if !is_root("data_that_belongs_to_the_wrong_user_is_refused") {
        return;
    }
    let place = Place::new();
    let cluster_dir = place.data().join("postgres");
    fs::create_dir_all(&cluster_dir).unwrap();
    fs::write(cluster_dir.join("PG_VERSION"), "15\n").unwrap();
    let error = start(&volatile(place.data())).await.unwrap_err();
    assert_eq!(error.code(), "postgres-data-owned-by-root");
    assert!(error.to_string().contains("chown -R"), "{error}");
}

/// The whole way of somebody without privileges: no data folder named, a hostile environment.
#[tokio::test]
async fn an_ordinary_user_needs_no_configuration_either() {
    if !is_root("an_ordinary_user_needs_no_configuration_either (the other tests show it)") {
        return;
    }
    let nobody = user("nobody").unwrap();
    let place = Place::new();
    let home = place.path().join("home");
    fs::create_dir(&home).unwrap();
    chown(&home, Some(nobody.uid.as_raw()), Some(nobody.gid.as_raw())).unwrap();
    // The build folder may be closed to others.
    let program = place.path().join("program");
    fs::copy(PROGRAM, &program).unwrap();

    let mut command = Command::new("setpriv");
    command
        .args([
            "--reuid=nobody",
            "--clear-groups",
            &format!("--regid={}", nobody.gid),
        ])
        .args(["sh", "-c", "umask 077; exec \"$@\"", "sh"])
        .arg(&program)
        .args(["--database", "tianyuan"])
        .env("HOME", &home)
        .env("XDG_DATA_HOME", "not/absolute/and/thus/ignored")
        .envs([
            ("PGPORT", "1"),
            ("PGHOST", "nowhere.invalid"),
            ("PGSSLMODE", "require"),
        ])
        .envs([
            ("PGUSER", "root"),
            ("PGDATA", "/nowhere"),
            ("LC_ALL", "de_DE.ISO-8859-1"),
        ])
        .current_dir("/");
    let mut server = Server::start_with(&mut command);
    let data = home.join(".local/share/tianyuan");
    let pid = crate::postmaster_of(&data);
    assert_eq!(ps(pid, "uid"), nobody.uid.to_string());
    assert_eq!(mode(&data), 0o700);
    assert_eq!(
        ask(&server.url, "select current_database()::text").await,
        "tianyuan"
    );

    server.signal(nix::sys::signal::Signal::SIGTERM);
    assert!(server.wait().success());
    assert!(!crate::runs(pid));

    // Root takes the same folder over and leaves it to its owner.
    let cluster = start(&private_postgres::Options::durable(&data)).await.unwrap();
    assert_eq!(ps(cluster.pid().unwrap(), "uid"), nobody.uid.to_string());
    cluster.stop().await.unwrap();

    // Somebody else's folder is refused by its owner's name.
    let postgres = user("postgres").unwrap();
    let open = |path: &std::path::Path| fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    for dir in [&home, &home.join(".local"), &home.join(".local/share"), &data] {
        open(dir);
    }
    fs::set_permissions(data.join("server.lock"), Permissions::from_mode(0o666)).unwrap();
    let output = Command::new("setpriv")
        .args([
            format!("--reuid={}", postgres.uid),
            format!("--regid={}", postgres.gid),
        ])
        .arg("--clear-groups")
        .arg(&program)
        .arg(&data)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(said.contains("belongs to nobody"), "{said}");
}
