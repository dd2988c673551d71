//! More than one machine: two servers over a database and its replica, behind a proxy, with hands that
//! write and people who look. The replica stands still, goes on, and is killed; one server is told to stop,
//! the other is killed. Nothing that was acknowledged is lost, nobody sees anything go back, and nobody who
//! looks gets an error but for requests that were under way at the server that was killed.

#[path = "../faults/desk.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod desk;
#[path = "../serve/hall.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod hall;
mod proxy;
mod readers;

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use desk::Desk;
use hall::{Hall, exchange};
use private_postgres::Cluster;
use private_postgres::testing::{Replica, start_scratch};
use proxy::Proxy;
use readers::{Says, Seen, listen, look};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// How long anything may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(90);
/// How many people look at the event where results come in.
const LOOKERS: u64 = 4;

fn until(what: &str, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The database and its replica.
struct Databases {
    runtime: Runtime,
    primary: Option<Cluster>,
    replica: Option<Replica>,
    url: String,
    arguments: Vec<String>,
}

impl Databases {
    fn start() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let (primary, replica) = runtime.block_on(async {
            let primary = start_scratch().await.expect("PostgreSQL");
            primary
                .create_database_if_missing("tianyuan")
                .await
                .expect("a database");
            let replica = Replica::of(&primary).await.expect("a replica");
            (primary, replica)
        });
        let url = primary.database_url("tianyuan");
        let there = replica.database_url("tianyuan");
        let arguments = [
            ["--database-url", &url],
            ["--database-replica-url", &there],
            ["--backup-every", "off"],
            ["--drain", "3"],
        ];
        let mut arguments: Vec<String> = arguments.concat().into_iter().map(str::to_owned).collect();
        arguments.push("--behind-proxy".to_owned());
        Self {
            runtime,
            primary: Some(primary),
            replica: Some(replica),
            url,
            arguments,
        }
    }

    fn command(&self, arguments: &[&str]) -> String {
        let output = hall::binary()
            .args(arguments)
            .args(["--database-url", &self.url])
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn token(&self, name: &str, role: &str) -> String {
        self.command(&["user", "add", name, "--role", role]);
        self.command(&["token", "add", name])
    }

    fn with_replica<T>(&mut self, does: impl AsyncFnOnce(&mut Replica) -> T) -> T {
        let replica = self.replica.as_mut().expect("a replica");
        self.runtime.block_on(does(replica))
    }
}

impl Drop for Databases {
    fn drop(&mut self) {
        let (primary, replica) = (self.primary.take(), self.replica.take());
        self.runtime.block_on(async {
            if let Some(replica) = replica {
                let _ = replica.stop().await;
            }
            if let Some(primary) = primary {
                let _ = primary.stop().await;
            }
        });
    }
}

/// How often a server has read from which database, as it tells it in its measures.
fn reads(server: SocketAddr, admin: &str, choices: &[&str]) -> u64 {
    let Ok((200, _, body)) = exchange(server, admin, "GET", "/metrics", &Value::Null, "") else {
        return 0;
    };
    let text = String::from_utf8_lossy(&body).into_owned();
    let of = |choice: &&str| {
        let series = format!("tianyuan_replica_reads_total{{choice=\"{choice}\"}} ");
        let line = text.lines().find_map(|line| line.strip_prefix(&series));
        line.and_then(|number| number.parse::<u64>().ok())
            .unwrap_or_default()
    };
    choices.iter().map(of).sum()
}

/// An event that nobody changes.
fn quiet_event(server: SocketAddr, token: &str) -> String {
    let made = json!({"name": "Quiet", "rounds": 5});
    let (status, told) = hall::send(server, token, "POST", "/api/v1/events", &made).expect("an answer");
    assert_eq!(status, 201, "{told}");
    let event = format!("/api/v1/events/{}", told["id"].as_str().expect("an id"));
    let entries: Vec<Value> = (1..=8).map(|n| json!({"name": format!("Q{n}")})).collect();
    let entries_path = format!("{event}/entries");
    let (status, told) =
        hall::send(server, token, "POST", &entries_path, &entries.into()).expect("an answer");
    assert_eq!(status, 201, "{told}");
    event
}

#[test]
fn two_servers_a_replica_and_a_proxy_lose_nothing_and_never_go_back() {
    let mut databases = Databases::start();
    let arguments = databases.arguments.clone();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // Both at once: one makes the tables, the other waits for them.
    let servers = thread::scope(|scope| {
        let started = ["one", "two"].map(|name| scope.spawn(|| Hall::open(name, &arguments)));
        started.map(|started| started.join().expect("a server"))
    });
    let token = databases.token("Desk", "director");
    let admin = databases.token("Admin", "admin");
    let addresses = servers.each_ref().map(|server| server.address);
    let [one, two] = servers.map(Mutex::new);
    let proxy = Proxy::before(&addresses);
    let desk = Desk::open(proxy.address, &token);
    let quiet = quiet_event(proxy.address, &token);
    let event = format!("/api/v1/events/{}", desk.event_id());
    let told = exchange(proxy.address, "", "GET", &event, &Value::Null, "").expect("an answer");
    let told: Value = serde_json::from_slice(&told.2).expect("JSON");
    let page = format!("/e/{}", told["slug"].as_str().expect("a slug"));
    let pages = [
        format!("{event}/rounds/1"),
        format!("{page}/rounds/1"),
        format!("{event}/standings"),
        format!("{page}/standings"),
    ];
    // Each address is asked for once, so each of these has to be made.
    let quiet_pages: Vec<String> = (0..40_000)
        .map(|nth| format!("{quiet}/entries?offset={nth}"))
        .collect();
    let seen = Seen::default();
    let servers_now = || [&one, &two].map(|server| server.lock().expect("a server").address);
    let all_reads = |choices: &[&str]| -> u64 {
        let each = servers_now().map(|server| reads(server, &admin, choices));
        each.iter().sum()
    };

    let mut counts = [0; 3];
    thread::scope(|scope| {
        for nth in 0..LOOKERS {
            let says = [Says::ByHeader, Says::ByCookie][usize::try_from(nth % 2).expect("small")];
            let (pages, seen, address) = (&pages, &seen, proxy.address);
            scope.spawn(move || look(address, pages, says, seen));
        }
        scope.spawn(|| look(proxy.address, &quiet_pages, Says::ByHeader, &seen));
        for first in [addresses[0], addresses[1], proxy.address] {
            let (event, seen, then) = (&event, &seen, proxy.address);
            scope.spawn(move || listen(first, then, &format!("{event}/stream"), seen));
        }
        let stops = StopsAtTheEnd(&seen);
        counts = desk.work(|| {
            desk.until_acknowledged(30);
            until("nothing is read from the replica", || {
                all_reads(&["replica"]) > 20
            });

            databases.with_replica(async |replica| replica.pause().await.expect("paused"));
            let before = all_reads(&["behind"]);
            desk.until_acknowledged(30);
            until("nobody sees that the replica stands still", || {
                all_reads(&["behind"]) > before
            });
            databases.with_replica(async |replica| replica.resume().await.expect("resumed"));
            let before = all_reads(&["replica"]);
            desk.until_acknowledged(10);
            until("the replica is not read again", || {
                all_reads(&["replica"]) > before
            });

            databases.with_replica(async |replica| replica.kill().await);
            let before = all_reads(&["failed", "resting"]);
            desk.until_acknowledged(30);
            until("nobody sees that the replica is gone", || {
                all_reads(&["failed", "resting"]) > before
            });
            databases.with_replica(async |replica| replica.start_again().await.expect("started"));
            let before = all_reads(&["replica"]);
            until("the replica is not read after its start", || {
                all_reads(&["replica"]) > before
            });
            let counts = [&["replica"][..], &["behind"], &["failed", "resting"]].map(all_reads);
            assert_eq!(seen.failed(), 0, "a replica has let something public fail");
            assert_eq!(desk.done().unanswered, 0, "a replica has let a change fail");

            // Told to stop: nobody is refused, and those who listen go on at the other one.
            let resumed = seen.resumed.load(Ordering::SeqCst);
            let mut server = one.lock().expect("a server");
            server.signal("-TERM");
            let asked = |path: &str| exchange(server.address, "", "GET", path, &Value::Null, "");
            until("it says that it is ready all the same", || {
                asked("/readyz").map_or(true, |(status, ..)| status == 503)
            });
            for path in [pages[0].as_str(), &pages[1], "/healthz"] {
                // On a slow machine it may be gone already.
                let answered = asked(path).map_or(200, |(status, ..)| status);
                assert_eq!(answered, 200, "{path} of a server that is about to stop");
            }
            let stopped = server.stop("-TERM");
            assert!(stopped.success(), "{stopped}");
            until("the proxy does not notice", || !proxy.gives_to(0));
            desk.until_acknowledged(20);
            assert_eq!(seen.failed(), 0, "somebody was refused who looked");
            assert_eq!(desk.done().unanswered, 0, "somebody was refused who wrote");
            until("streams do not go on at the other server", || {
                seen.resumed.load(Ordering::SeqCst) > resumed
            });
            server.start(&arguments);
            proxy.moved(0, server.address);
            drop(server);
            until("the server gets no requests again", || proxy.gives_to(0));

            // Killed: what was under way there is lost, and no more.
            let mut server = two.lock().expect("a server");
            server.kill();
            desk.until_acknowledged(20);
            server.start(&arguments);
            proxy.moved(1, server.address);
            drop(server);
            until("the server gets no requests again", || proxy.gives_to(1));
            desk.until_acknowledged(20);
            assert!(
                seen.failed() <= LOOKERS + 1,
                "{} requests failed of those who looked",
                seen.failed()
            );
            counts
        });
        desk.look("two servers");
        // Those who listen hear of everything.
        let (_, head, _) =
            exchange(proxy.address, "", "GET", &pages[0], &Value::Null, "").expect("an answer");
        let last = head
            .lines()
            .find_map(|line| line.strip_prefix("tianyuan-number: ")?.parse::<u64>().ok())
            .expect("a number");
        until("those who listen have not heard of everything", || {
            seen.told.load(Ordering::SeqCst) >= last
        });
        drop(stops);
    });
    let done = desk.done();
    let [from_replica, behind, failed] = counts;
    println!(
        "topology: acknowledged={} lost=0 back=0 unanswered={} answers={} failed={} streams={} resumed={} \
         read_from_replica={from_replica} as_it_was_behind={behind} as_it_failed={failed}",
        done.acknowledged,
        done.unanswered,
        seen.answers.load(Ordering::SeqCst),
        seen.failed(),
        seen.streams.load(Ordering::SeqCst),
        seen.resumed.load(Ordering::SeqCst),
    );
    // Before the databases.
    drop((one, two));
}

/// Ends the looking, also when what ran beside it has failed.
struct StopsAtTheEnd<'a>(&'a Seen);

impl Drop for StopsAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
