//! `docker-compose.yml` and what belongs to it: the parts name one another, the files that are mounted, and
//! the settings that the server knows, as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every line of a YAML text in block style under the keys that lead to it, joined by `/`. Enough for a file
/// of our own; what is more than that fails here.
fn outline(yaml: &str) -> Vec<(String, String)> {
    let mut keys: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for line in yaml.lines() {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        assert!(!line.contains('\t'), "a tab: {line}");
        let indent = line.len() - content.len();
        keys.retain(|(at, _)| *at < indent);
        let path = |keys: &[(usize, String)]| {
            let names: Vec<&str> = keys.iter().map(|(_, name)| name.as_str()).collect();
            names.join("/")
        };
        let is_key = |name: &str| {
            name.chars()
                .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
        };
        match content.split_once(':') {
            Some((name, value)) if is_key(name) && (value.is_empty() || value.starts_with(' ')) => {
                let again = found.contains(&(path(&keys), name.to_owned()));
                assert!(!again, "{name} stands twice in {}", path(&keys));
                found.push((path(&keys), name.to_owned()));
                keys.push((indent, name.to_owned()));
                found.push((path(&keys), value.trim().to_owned()));
            }
            _ => found.push((path(&keys), content.to_owned())),
        }
    }
    found
}

struct Compose(Vec<(String, String)>);

impl Compose {
    fn read() -> Self {
        Self(outline(&text("docker-compose.yml")))
    }

    /// What stands directly at a path.
    fn at<'a>(&'a self, path: &str) -> Vec<&'a str> {
        let here = self.0.iter().filter(|(found, _)| found == path);
        here.map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
            .collect()
    }

    /// What stands at a path of a service, or of the one that it extends.
    fn of(&self, service: &str, path: &str) -> Vec<&str> {
        let own = self.at(&format!("services/{service}/{path}"));
        match self.at(&format!("services/{service}/extends/service"))[..] {
            [other] if own.is_empty() => self.of(other, path),
            _ => own,
        }
    }
}

const SERVERS: [&str; 2] = ["tianyuan-1", "tianyuan-2"];

#[test]
fn each_part_is_there_comes_back_by_itself_and_is_looked_at() {
    let compose = Compose::read();
    let services = compose.at("services");
    assert_eq!(
        services,
        ["proxy", "tianyuan-1", "tianyuan-2", "database", "replica"]
    );
    for service in &services {
        assert_eq!(compose.of(service, "restart"), ["unless-stopped"], "{service}");
        assert!(!compose.of(service, "healthcheck").is_empty(), "{service}");
        for needed in compose.of(service, "depends_on") {
            assert!(services.contains(&needed), "{service} needs {needed}");
        }
    }
    // Nothing waits for the replica.
    for service in SERVERS {
        assert_eq!(compose.of(service, "depends_on"), ["database"]);
    }
    let volumes = compose.at("volumes");
    for service in &services {
        for mounted in compose.of(service, "volumes") {
            let from = mounted
                .trim_start_matches("- ")
                .split(':')
                .next()
                .unwrap_or_default();
            match from.strip_prefix("./") {
                Some(file) => assert!(root().join(file).is_file(), "{service} mounts {mounted}"),
                None => assert!(volumes.contains(&from), "{service} mounts {mounted}"),
            }
        }
    }
}

#[test]
fn the_proxy_knows_every_server_and_asks_whether_it_is_ready() {
    let proxy = text("Caddyfile");
    let servers = proxy
        .lines()
        .find_map(|line| line.trim().strip_prefix("reverse_proxy "))
        .expect("servers");
    let named: Vec<&str> = servers
        .trim_end_matches('{')
        .split_whitespace()
        .map(|server| server.strip_suffix(":8080").expect("the port of the Dockerfile"))
        .collect();
    assert_eq!(named, SERVERS);
    assert!(text("Dockerfile").contains("0.0.0.0:8080"));
    assert!(proxy.contains("health_uri /readyz"));
    // A cookie of the proxy's would make everybody somebody in particular.
    assert!(!proxy.contains("lb_policy cookie"));
}

#[test]
fn every_setting_is_one_that_the_server_knows_and_no_password_is_written_down() {
    let compose = Compose::read();
    let help = Command::new(env!("CARGO_BIN_EXE_tianyuan"))
        .args(["serve", "--help"])
        .output()
        .expect("the program runs");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for service in SERVERS {
        let settings = compose.of(service, "environment");
        assert!(settings.contains(&"DATABASE_REPLICA_URL"), "{settings:?}");
        for setting in settings.iter().filter(|setting| **setting != "PGPASSWORD") {
            assert!(help.contains(&format!("[env: {setting}")), "{service}: {setting}");
        }
    }
    let passwords: BTreeMap<&str, &str> = compose
        .0
        .iter()
        .filter(|(path, _)| path.ends_with("PASSWORD"))
        .map(|(path, value)| (path.as_str(), value.as_str()))
        .collect();
    assert_eq!(passwords.len(), 4, "{passwords:?}");
    for (path, value) in passwords {
        assert!(value.starts_with("${") && value.contains(":?"), "{path}: {value}");
    }
    assert_eq!(compose.of("tianyuan-1", "environment/TIANYUAN_DRAIN"), ["\"5\""]);
}

#[test]
fn the_scripts_of_database_and_replica_can_be_read_by_a_shell() {
    for name in ["contrib/compose/primary.sh", "contrib/compose/replica.sh"] {
        let read = Command::new("sh").arg("-n").arg(root().join(name)).status();
        assert!(read.expect("a shell").success(), "{name}");
    }
}
