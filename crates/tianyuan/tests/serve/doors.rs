//! What a running server tells: its log, its measures, and what the doctor says of it.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};

use serde_json::{Value, json};

use crate::hall::{self, Hall, binary};

fn page(address: SocketAddr, method: &str, path: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address")
}

#[test]
fn the_log_tells_no_secret_and_no_name() {
    let log = std::env::temp_dir().join(format!("tianyuan-log-{}", std::process::id()));
    let metrics = free_address();
    let mut hall = Hall::logged(
        "log",
        &["--log-format", "json", "--metrics-listen", &metrics.to_string()],
        File::create(&log).expect("a file"),
    );
    hall.register();
    let made = hall.command(
        &["user", "add", "Secretname", "--role", "admin", "--password-stdin"],
        "a secretword to remember\n",
    );
    assert!(made.status.success(), "{made:?}");
    let token = hall.token.clone();
    let event = hall.call(
        "POST",
        "/api/v1/events",
        &json!({"name": "Secretcup", "rounds": 3}),
        201,
    );
    let slug = event["slug"].as_str().expect("a slug").to_owned();
    let players = json!([{"name": "Secretplayer One"}, {"name": "Secretplayer Two"}]);
    hall.call("POST", &format!("/api/v1/events/{slug}/entries"), &players, 201);
    let form = "content-type: application/x-www-form-urlencoded\r\n";
    let secret = "secret0123456789abcdef";
    // Everything that has a secret or a name in it, right and wrong.
    for (method, path, headers, body) in [
        ("GET", format!("/setup/{secret}"), "", String::new()),
        ("GET", format!("/invitation/{secret}"), "", String::new()),
        (
            "POST",
            format!("/invitation/{secret}"),
            form,
            "how=new&name=Secretnew&password=secretpassword".to_owned(),
        ),
        ("GET", format!("/r/{secret}"), "", String::new()),
        (
            "GET",
            format!("/e/{slug}/hand-in?number=1&code={secret}"),
            "",
            String::new(),
        ),
        ("GET", format!("/e/{slug}/find?q=Secretplayer"), "", String::new()),
        ("GET", format!("/e/{slug}/sign-up/{secret}"), "", String::new()),
        ("GET", format!("/nowhere/{secret}?q={secret}"), "", String::new()),
        (
            "POST",
            "/manage/sign-in".to_owned(),
            form,
            "name=Secretname&password=secretwrong".to_owned(),
        ),
        (
            "POST",
            "/manage/sign-in".to_owned(),
            form,
            "name=secretword&password=secretwrong".to_owned(),
        ),
        (
            "POST",
            "/manage/sign-in".to_owned(),
            form,
            "name=Secretname&password=a+secretword+to+remember".to_owned(),
        ),
        (
            "GET",
            "/manage".to_owned(),
            "cookie: tianyuan=secretcookie\r\n",
            String::new(),
        ),
        (
            "GET",
            "/api/v1/events".to_owned(),
            "authorization: Bearer ty_secrettoken\r\n",
            String::new(),
        ),
        (
            "GET",
            "/api/v1/events".to_owned(),
            "x-request-id: secretid\r\nx-forwarded-for: 192.0.2.77\r\n",
            String::new(),
        ),
        (
            "POST",
            "/manage/users/role".to_owned(),
            "sec-fetch-site: cross-site\r\nreferer: http://secretsite.example/\r\n",
            String::new(),
        ),
        (
            "POST",
            "/api/v1/records/check".to_owned(),
            "content-type: application/x-go-sgf\r\n",
            "(;PB[Secretplayer]".to_owned(),
        ),
        ("GET", "/metrics".to_owned(), "", String::new()),
    ] {
        let answer = page(hall.address, method, &path, headers, &body);
        assert!(
            answer.starts_with("HTTP/1.1 ") && !answer.starts_with("HTTP/1.1 5"),
            "{path}: {answer}"
        );
    }
    // At the other address the measures are there for whoever reaches it, and nothing else is.
    let measured = page(metrics, "GET", "/metrics", "", "");
    assert!(measured.contains("tianyuan_request_seconds_count"), "{measured}");
    assert!(!measured.to_lowercase().contains("secret"), "{measured}");
    assert!(page(metrics, "GET", "/", "", "").starts_with("HTTP/1.1 404"));
    assert!(hall.stop("-TERM").success());
    let told = fs::read_to_string(&log).expect("the log");
    let _ = fs::remove_file(&log);
    let lower = told.to_lowercase();
    for never in ["secret", "192.0.2.77", &token, &slug, "two", "cookie"] {
        assert!(!lower.contains(&never.to_lowercase()), "{never}: {told}");
    }
    let lines: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect();
    let found = |code: &str| lines.iter().any(|line| line["code"] == code);
    for code in ["sign-in-needed", "bad-token", "cross-site"] {
        assert!(found(code), "{code} is not told: {told}");
    }
    let refused = lines
        .iter()
        .find(|line| line["code"] == "bad-token")
        .expect("the line");
    assert_eq!(refused["span"]["route"], "/api/v1/events", "{refused}");
    assert!(
        refused["span"]["id"].as_str().is_some_and(|id| id.len() == 36),
        "{refused}"
    );
    assert!(
        lines
            .iter()
            .all(|line| line["timestamp"].as_str().is_some_and(|at| at.ends_with('Z')))
    );
    let message = |line: &Value| line["message"].as_str().map(str::to_owned);
    assert!(
        lines
            .iter()
            .filter_map(message)
            .any(|said| said.contains("the right password")),
        "{told}"
    );
}

#[test]
fn the_doctor_says_in_both_languages_what_is_in_order_and_what_is_not() {
    let nowhere = hall::new_folder("doctor-nowhere");
    let ask = |arguments: &[&str], folder: &std::path::Path| {
        let told = binary()
            .arg("doctor")
            .args(arguments)
            .arg("--data-dir")
            .arg(folder)
            .output()
            .expect("the program runs");
        (
            told.status.code(),
            String::from_utf8_lossy(&told.stdout).into_owned(),
        )
    };
    let (code, told) = ask(&["--lang", "en"], &nowhere);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("is not there yet"), "{told}");
    assert!(!nowhere.exists(), "the doctor makes nothing");

    let mut hall = Hall::open("doctor", &["--demo"]);
    let (code, told) = ask(&["--lang", "en"], &hall.folder);
    assert_eq!(code, Some(0), "{told}");
    for said in [
        "The database answers",
        "up to date",
        "The logs of 3 events are whole",
        "by no other",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    let (code, told) = ask(&["--lang", "zh"], &hall.folder);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("3 个赛事的日志完整") && told.contains("数据表为最新版本"),
        "{told}"
    );
    // What was changed long ago and is in no backup is told, until it is in one.
    let running = private_postgres::running(&hall.folder).expect("PostgreSQL runs");
    let url = running.database_url("tianyuan");
    hall::sql(
        &url,
        "insert into site_log (at, actor_name, actor_role, actor_via, action, subject)
         values (now() - interval '3 days', 'tests', 'admin', 'command-line', 'user-added', 'A')",
    );
    let (code, told) = ask(&["--lang", "en"], &hall.folder);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("is in no automatic backup"), "{told}");
    let backups = hall.folder.join("backups");
    fs::create_dir_all(&backups).expect("a folder");
    let made = chrono::Utc::now()
        .format("tianyuan-%Y%m%dT%H%M%SZ.backup")
        .to_string();
    fs::write(backups.join(made), "").expect("a file");
    let (code, told) = ask(&["--lang", "en"], &hall.folder);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("The last automatic backup is of"), "{told}");
    // Somebody changes what was written.
    hall::sql(
        &url,
        "alter table log disable trigger all; update log set reason = 'other' where seq = 1",
    );
    let (code, told) = ask(&["--lang", "en"], &hall.folder);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("is not whole"), "{told}");
    assert!(hall.stop("-TERM").success());
    let (code, told) = ask(&["--lang", "en"], &hall.folder);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("No server runs"), "{told}");
    let missing = ask(
        &[
            "--lang",
            "en",
            "--database-url",
            "postgres://nobody@127.0.0.1:1/nothing",
        ],
        &hall.folder,
    );
    assert_eq!(missing.0, Some(2), "{}", missing.1);
}
