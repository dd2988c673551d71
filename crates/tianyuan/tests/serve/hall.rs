//! A server process with a data folder of its own, and hands that enter results.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The program, with nothing from outside deciding what it does.
pub fn binary() -> Command {
    without_settings(Command::new(env!("CARGO_BIN_EXE_tianyuan")))
}

fn without_settings(mut command: Command) -> Command {
    for name in [
        "DATABASE_URL",
        "DATABASE_REPLICA_URL",
        "TIANYUAN_LISTEN",
        "TIANYUAN_DATA_DIR",
        "TIANYUAN_BASE_URL",
        "TIANYUAN_BACKUP_DIR",
        "TIANYUAN_BACKUP_EVERY",
        "TIANYUAN_BACKUP_KEEP",
        "TIANYUAN_DATABASE_CONNECTIONS",
        "TIANYUAN_BEHIND_PROXY",
        "TIANYUAN_DRAIN",
        "TIANYUAN_LOG_FORMAT",
        "TIANYUAN_METRICS_LISTEN",
        "RUST_LOG",
    ] {
        command.env_remove(name);
    }
    command
}

/// A folder that is not there yet. Not below a folder of mode 0700, which the user that runs
/// `PostgreSQL` could not enter.
pub fn new_folder(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("tianyuan-{name}-{}-{count}", std::process::id()))
}

/// A running server.
pub struct Hall {
    pub folder: PathBuf,
    pub address: SocketAddr,
    pub token: String,
    /// What the server printed when it had started.
    pub said: String,
    child: Child,
}

impl Hall {
    pub fn open(name: &str, arguments: &[&str]) -> Self {
        Self::on(&new_folder(name), arguments)
    }

    /// A server on a folder that is there.
    pub fn on(folder: &std::path::Path, arguments: &[&str]) -> Self {
        let folder = folder.to_path_buf();
        Self::started(start(&folder, arguments), folder)
    }

    /// A server that may have so many files and connections open.
    pub fn open_with_handles(name: &str, handles: u32, arguments: &[&str]) -> Self {
        let folder = new_folder(name);
        let limit = format!("ulimit -n {handles} && exec \"$0\" \"$@\"");
        let mut command = without_settings(Command::new("sh"));
        command.args(["-c", &limit, env!("CARGO_BIN_EXE_tianyuan")]);
        command.env("RUST_LOG", "warn");
        Self::started(start_by(command, &folder, arguments), folder)
    }

    /// With what it says to standard error in a file, as it is without any setting.
    pub fn logged(name: &str, arguments: &[&str], log: std::fs::File) -> Self {
        let folder = new_folder(name);
        let mut server = binary();
        server.stderr(log);
        Self::started(start_by(server, &folder, arguments), folder)
    }

    fn started((child, address, said): Started, folder: PathBuf) -> Self {
        Self {
            folder,
            address,
            token: String::new(),
            said,
            child,
        }
    }

    /// The server's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Starts the server again, on another port.
    pub fn start(&mut self, arguments: &[&str]) {
        let (child, address, said) = start(&self.folder, arguments);
        (self.child, self.address, self.said) = (child, address, said);
    }

    /// Sends the server a signal.
    pub fn signal(&self, signal: &str) {
        send_signal(signal, self.child.id());
    }

    /// Stops the server by a signal, and waits for it.
    pub fn stop(&mut self, signal: &str) -> ExitStatus {
        self.signal(signal);
        let begun = Instant::now();
        loop {
            match self.child.try_wait().expect("the child can be asked") {
                Some(ended) => return ended,
                None if begun.elapsed() > Duration::from_secs(60) => panic!("the server does not stop"),
                None => thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// `kill -9` of the server.
    pub fn kill(&mut self) {
        self.child.kill().expect("the child can be killed");
        self.child.wait().expect("the child can be waited for");
    }

    /// `kill -9` of the postmaster.
    pub fn kill_postgres(&mut self) {
        let running = private_postgres::running(&self.folder).expect("PostgreSQL runs");
        send_signal("-KILL", u32::try_from(running.pid()).expect("a process"));
    }

    /// Another command on the same data folder.
    pub fn command(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = binary()
            .args(arguments)
            .arg("--data-dir")
            .arg(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut stdin = child.stdin.take().expect("a standard input");
        // A program that does not read it may be gone already.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        child.wait_with_output().expect("the program ends")
    }

    /// Adds a director with a token.
    pub fn register(&mut self) {
        let user = self.command(&["user", "add", "Desk", "--role", "director"], "");
        assert!(user.status.success(), "{user:?}");
        let token = self.command(&["token", "add", "Desk"], "");
        assert!(token.status.success(), "{token:?}");
        String::from_utf8_lossy(&token.stdout)
            .trim()
            .clone_into(&mut self.token);
    }

    pub fn get(&self, path: &str) -> Value {
        self.call("GET", path, &Value::Null, 200)
    }

    /// A request that must be answered with this status.
    pub fn call(&self, method: &str, path: &str, body: &Value, status: u16) -> Value {
        let given = if method == "PUT" { "if-match: *\r\n" } else { "" };
        let (found, answer) =
            send_with(self.address, &self.token, method, path, body, given).expect("the server answers");
        assert_eq!(found, status, "{method} {path}: {answer}");
        answer
    }

    /// Waits until the server reaches its database.
    pub fn wait_until_ready(&self) {
        let begun = Instant::now();
        while !matches!(
            send(self.address, "", "GET", "/readyz", &Value::Null),
            Ok((200, _))
        ) {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "the server does not come back"
            );
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            send_signal("-TERM", self.child.id());
            let begun = Instant::now();
            while matches!(self.child.try_wait(), Ok(None)) && begun.elapsed() < Duration::from_secs(30) {
                thread::sleep(Duration::from_millis(20));
            }
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        if let Some(running) = private_postgres::running(&self.folder) {
            send_signal("-QUIT", u32::try_from(running.pid()).unwrap_or_default());
            thread::sleep(Duration::from_millis(500));
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn send_signal(signal: &str, pid: u32) {
    let sent = Command::new("kill").arg(signal).arg(pid.to_string()).status();
    assert!(sent.is_ok_and(|status| status.success()), "kill {signal} {pid}");
}

/// A server's process, its address, and what it has said.
type Started = (Child, SocketAddr, String);

fn start(folder: &PathBuf, arguments: &[&str]) -> Started {
    let mut server = binary();
    server.env("RUST_LOG", "warn");
    start_by(server, folder, arguments)
}

fn start_by(mut command: Command, folder: &PathBuf, arguments: &[&str]) -> Started {
    let mut child = command
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut out = BufReader::new(child.stdout.take().expect("a standard output"));
    let mut said = String::new();
    out.read_line(&mut said).expect("the server says where it is");
    let address = said
        .trim()
        .rsplit("http://")
        .next()
        .and_then(|address| address.parse().ok())
        .unwrap_or_else(|| panic!("no address: {said} {:?}", child.try_wait()));
    // The rest comes in the same write; a link follows when there is no administrator.
    said.push_str(&String::from_utf8_lossy(out.buffer()));
    (child, address, said)
}

/// Does something in a database behind the server's back.
pub fn sql(url: &str, statements: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let pool = sqlx::PgPool::connect(url).await.expect("a connection");
        let statements = sqlx::AssertSqlSafe(statements.to_owned());
        sqlx::raw_sql(statements).execute(&pool).await.expect("done");
        pool.close().await;
    });
}

/// Sends a request on a connection of its own.
pub fn send(
    address: SocketAddr,
    token: &str,
    method: &str,
    path: &str,
    body: &Value,
) -> io::Result<(u16, Value)> {
    let given = if method == "PUT" { "if-match: *\r\n" } else { "" };
    send_with(address, token, method, path, body, given)
}

/// The same, with a further header.
pub fn send_with(
    address: SocketAddr,
    token: &str,
    method: &str,
    path: &str,
    body: &Value,
    header: &str,
) -> io::Result<(u16, Value)> {
    let (status, _, body) = exchange(address, token, method, path, body, header)?;
    Ok((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
}

/// What is answered at an address, as it is.
pub fn text(address: SocketAddr, token: &str, path: &str) -> String {
    let (status, _, body) = exchange(address, token, "GET", path, &Value::Null, "").expect("an answer");
    let text = String::from_utf8_lossy(&body).into_owned();
    assert_eq!(status, 200, "{path}: {text}");
    text
}

/// A page in English, as a browser with this cookie gets it.
pub fn page(address: SocketAddr, cookie: &str, path: &str) -> String {
    let header = format!("cookie: {cookie}\r\naccept-language: en\r\n");
    let (_, _, body) = exchange(address, "", "GET", path, &Value::Null, &header).expect("an answer");
    String::from_utf8_lossy(&body).into_owned()
}

fn post_sign_in(address: SocketAddr, name: &str, password: &str) -> (u16, String) {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(5)).expect("a connection");
    let body = format!("name={name}&password={}", password.replace(' ', "+"));
    let head = format!(
        "POST /manage/sign-in HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nconnection: close\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("it is sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), answer)
}

/// The status of an attempt to sign in.
pub fn sign_in(address: SocketAddr, name: &str, password: &str) -> u16 {
    post_sign_in(address, name, password).0
}

/// The cookie of somebody who has signed in.
pub fn session(address: SocketAddr, name: &str, password: &str) -> String {
    let (_, answer) = post_sign_in(address, name, password);
    let cookie = answer
        .lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
        .and_then(|(_, value)| value.split(';').next());
    cookie.expect("a cookie").to_owned()
}

/// Status, head and body of the answer to a request.
pub fn exchange(
    address: SocketAddr,
    token: &str,
    method: &str,
    path: &str,
    body: &Value,
    header: &str,
) -> io::Result<(u16, String, Vec<u8>)> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))?;
    stream.set_read_timeout(Some(Duration::from_secs(90)))?;
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n{header}",
        body.len()
    );
    if !body.is_empty() {
        head.push_str("content-type: application/json\r\n");
    }
    if !token.is_empty() {
        head.extend(["authorization: Bearer ", token, "\r\n"]);
    }
    stream.write_all(format!("{head}\r\n{body}").as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let broken = || io::Error::new(io::ErrorKind::UnexpectedEof, "half an answer");
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .ok_or_else(broken)?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .ok_or_else(broken)?;
    let body = &answer[end + 4..];
    let length = head
        .lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, length)| length.parse::<usize>().ok());
    if length.is_some_and(|length| length != body.len()) {
        return Err(broken());
    }
    let body = body.to_vec();
    Ok((status, head, body))
}
