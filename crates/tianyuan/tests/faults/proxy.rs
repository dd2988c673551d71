//! A socket between the server and PostgreSQL that passes on, cuts, slows down, or keeps everything.

use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What is done with what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Passed on.
    Pass,
    /// Passed on after a while.
    Slow,
    /// Kept until it is passed on again: connections stay open and nothing comes.
    Frozen,
    /// Connections are closed, and so are new ones.
    Cut,
}

#[derive(Debug)]
struct Shared {
    mode: AtomicU8,
    /// Connections up to this one are silent for ever.
    lost: AtomicU64,
    open: Mutex<Vec<(UnixStream, UnixStream)>>,
}

impl Shared {
    fn mode(&self) -> Mode {
        match self.mode.load(Ordering::SeqCst) {
            0 => Mode::Pass,
            1 => Mode::Slow,
            2 => Mode::Frozen,
            _ => Mode::Cut,
        }
    }
}

/// The socket.
#[derive(Debug)]
pub struct Proxy {
    folder: PathBuf,
    shared: Arc<Shared>,
    count: Arc<AtomicU64>,
}

impl Proxy {
    /// Between whoever comes to a socket in `folder`, which is made, and the socket in `target`.
    pub fn open(folder: &Path, target: &Path) -> Self {
        std::fs::create_dir_all(folder).expect("a folder");
        let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).expect("a socket");
        let target = target.join(".s.PGSQL.5432");
        let shared = Arc::new(Shared {
            mode: AtomicU8::new(0),
            lost: AtomicU64::new(0),
            open: Mutex::default(),
        });
        let count = Arc::new(AtomicU64::new(0));
        let (known, number) = (Arc::clone(&shared), Arc::clone(&count));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if known.mode() == Mode::Cut {
                    continue;
                }
                let Ok(server) = UnixStream::connect(&target) else {
                    continue;
                };
                let number = number.fetch_add(1, Ordering::SeqCst) + 1;
                let copies = (
                    client.try_clone().expect("a copy"),
                    server.try_clone().expect("a copy"),
                );
                known.open.lock().expect("the connections").push(copies);
                for (from, to) in [
                    (
                        client.try_clone().expect("a copy"),
                        server.try_clone().expect("a copy"),
                    ),
                    (server, client),
                ] {
                    let known = Arc::clone(&known);
                    thread::spawn(move || pump(from, to, number, &known));
                }
            }
        });
        Self {
            folder: folder.to_path_buf(),
            shared,
            count,
        }
    }

    /// The address of a database behind it.
    pub fn url(&self, database: &str) -> String {
        let host = self.folder.display();
        format!("postgres:///{database}?host={host}&port=5432&user=tianyuan&sslmode=disable")
    }

    /// What is to be done from now on.
    pub fn set(&self, mode: Mode) {
        self.shared.mode.store(mode as u8, Ordering::SeqCst);
        if mode == Mode::Cut {
            for (one, other) in self.shared.open.lock().expect("the connections").drain(..) {
                let _ = one.shutdown(Shutdown::Both);
                let _ = other.shutdown(Shutdown::Both);
            }
        }
    }

    /// Nothing passes any more in the connections there are now; new ones are as good as ever.
    pub fn lose(&self) {
        self.shared
            .lost
            .store(self.count.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

fn pump(mut from: UnixStream, mut to: UnixStream, number: u64, shared: &Shared) {
    let _ = from.set_read_timeout(Some(Duration::from_millis(200)));
    let mut chunk = [0; 16 * 1024];
    loop {
        let read = match from.read(&mut chunk) {
            Ok(read) => read,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => continue,
            Err(_) => 0,
        };
        if read == 0 {
            break;
        }
        while shared.mode() == Mode::Frozen || number <= shared.lost.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(5));
        }
        if shared.mode() == Mode::Slow {
            thread::sleep(Duration::from_millis(30));
        }
        if to.write_all(&chunk[..read]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
