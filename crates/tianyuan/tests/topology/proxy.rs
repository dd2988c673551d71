//! A small proxy before several servers: asks each by `/readyz` whether it takes requests, gives them in
//! turn to those that do, and tries what only reads once more at another where one has failed.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::Duration;

/// How often a server is asked whether it is ready, and how long its answer is waited for.
const EVERY: Duration = Duration::from_millis(100);
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug)]
struct Backend {
    address: RwLock<SocketAddr>,
    ready: AtomicBool,
}

impl Backend {
    fn address(&self) -> SocketAddr {
        *self.address.read().expect("an address")
    }

    fn connect(&self) -> io::Result<TcpStream> {
        TcpStream::connect_timeout(&self.address(), PATIENCE)
    }

    fn says_ready(&self) -> io::Result<bool> {
        let mut stream = self.connect()?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: proxy\r\nconnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer.starts_with(b"HTTP/1.1 200 "))
    }
}

#[derive(Debug)]
struct Shared {
    backends: Vec<Backend>,
    turn: AtomicUsize,
    closed: AtomicBool,
}

/// The proxy.
#[derive(Debug)]
pub struct Proxy {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

impl Proxy {
    /// Before these servers.
    pub fn before(servers: &[SocketAddr]) -> Self {
        let backends = servers.iter().map(|address| Backend {
            address: RwLock::new(*address),
            ready: AtomicBool::new(true),
        });
        let shared = Arc::new(Shared {
            backends: backends.collect(),
            turn: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        });
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let accepting = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let shared = Arc::clone(&accepting);
                // A client that has gone is no matter of ours.
                thread::spawn(move || shared.pass(client));
            }
        });
        for nth in 0..servers.len() {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                while !shared.closed.load(Ordering::SeqCst) {
                    let backend = &shared.backends[nth];
                    let ready = backend.says_ready().unwrap_or(false);
                    backend.ready.store(ready, Ordering::SeqCst);
                    thread::sleep(EVERY);
                }
            });
        }
        Self { address, shared }
    }

    /// A server is at another address now.
    pub fn moved(&self, nth: usize, address: SocketAddr) {
        *self.shared.backends[nth].address.write().expect("an address") = address;
    }

    /// Whether a server gets requests.
    pub fn gives_to(&self, nth: usize) -> bool {
        self.shared.backends[nth].ready.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::SeqCst);
    }
}

impl Shared {
    fn pass(&self, mut client: TcpStream) {
        let Ok(request) = whole_request(&mut client) else {
            return;
        };
        let reads = request.starts_with(b"GET ") || request.starts_with(b"HEAD ");
        let first = self.turn.fetch_add(1, Ordering::SeqCst);
        let in_turn = (0..self.backends.len()).map(|nth| &self.backends[(first + nth) % self.backends.len()]);
        let (ready, rest): (Vec<_>, Vec<_>) =
            in_turn.partition(|backend| backend.ready.load(Ordering::SeqCst));
        for backend in ready.into_iter().chain(rest) {
            let Ok(mut server) = backend.connect() else {
                // Nothing was sent, so anything may be sent elsewhere.
                backend.ready.store(false, Ordering::SeqCst);
                continue;
            };
            match passed_on(&mut client, &mut server, &request) {
                Ok(answered) if !answered && reads => {}
                _ => return,
            }
        }
    }
}

/// Whether anything was answered. What comes is given on as it comes.
fn passed_on(client: &mut TcpStream, server: &mut TcpStream, request: &[u8]) -> io::Result<bool> {
    if server.write_all(request).is_err() {
        return Ok(false);
    }
    let mut answered = false;
    let mut bytes = [0; 16 * 1024];
    loop {
        match server.read(&mut bytes) {
            Ok(0) | Err(_) => return Ok(answered),
            Ok(read) => {
                answered = true;
                client.write_all(&bytes[..read])?;
            }
        }
    }
}

fn whole_request(client: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut request = Vec::new();
    let mut bytes = [0; 16 * 1024];
    loop {
        if let Some(head) = request.windows(4).position(|four| four == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&request[..head]).to_ascii_lowercase();
            let length = text
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if request.len() >= head + 4 + length.unwrap_or_default() {
                return Ok(request);
            }
        }
        let read = client.read(&mut bytes)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        request.extend_from_slice(&bytes[..read]);
    }
}
