//! What goes wrong with machines, under a stream of writes: after each fault every acknowledged change
//! is there, nothing is half there, the log is whole, and the server goes on by itself.
//!
//! A few of each run with the tests. `scripts/faults` runs hundreds: `FAULT_KILLS` says how many kills,
//! `FAULT_TURNS` how many of each of the others, `FAULT_SEED` at which moments.

mod desk;
#[path = "../serve/hall.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod hall;
mod proxy;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use desk::Desk;
use hall::Hall;
use private_postgres::{Cluster, Options};
use proxy::{Mode, Proxy};
use tokio::runtime::Runtime;

/// After so many faults the desk begins with empty events.
const CHAPTER: u64 = 12;

fn number_of(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}

/// Moments and choices that come again with the same seed (`SplitMix64`).
struct Chance(u64);

impl Chance {
    fn new(name: &str) -> Self {
        let seed = number_of("FAULT_SEED", 1);
        println!("faults: {name}: seed {seed}");
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// One of these, if there are any.
    fn one_of<T: Copy>(&mut self, these: &[T]) -> Option<T> {
        let end = u64::try_from(these.len()).ok().filter(|end| *end > 0)?;
        let index = usize::try_from(self.below(end)).ok()?;
        these.get(index).copied()
    }

    /// Waits for a while of at most so many milliseconds.
    fn wait(&mut self, milliseconds: u64) {
        thread::sleep(Duration::from_micros(self.below(milliseconds * 1000)));
    }
}

/// What the faults of a test have come to.
struct Account {
    name: &'static str,
    survived: BTreeMap<&'static str, (u64, Duration)>,
}

impl Account {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            survived: BTreeMap::new(),
        }
    }

    fn survived(&mut self, fault: &'static str, recovered_in: Duration) {
        let (count, longest) = self.survived.entry(fault).or_default();
        *count += 1;
        *longest = recovered_in.max(*longest);
    }

    /// One line, which `scripts/faults` adds up. What is lost or half done has ended the test before.
    fn print(&self, desk: &Desk) {
        let done = desk.done();
        let survived: u64 = self.survived.values().map(|(count, _)| count).sum();
        let mut line = format!(
            "faults: {}: survived={survived} acknowledged={} lost=0 half=0 unanswered={} of_these_there={} told_not_now={}",
            self.name, done.acknowledged, done.unanswered, done.there_all_the_same, done.told
        );
        for (fault, (count, longest)) in &self.survived {
            let _ = write!(
                line,
                " [{fault}: {count}, ready again in at most {:.1} s]",
                longest.as_secs_f64()
            );
        }
        println!("{line}");
    }
}

fn signal(name: &str, pid: i32) {
    // It may be gone by itself.
    let _ = Command::new("kill")
        .args([name, &pid.to_string()])
        .stderr(std::process::Stdio::null())
        .status();
}

/// The processes of a cluster that serve the server's connections.
fn backends(postmaster: i32) -> Vec<i32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let parent = status
                .rsplit(") ")
                .next()
                .and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
            let title = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            parent == Some(postmaster) && String::from_utf8_lossy(&title).contains(" tianyuan tianyuan ")
        })
        .collect()
}

fn postmaster(folder: &Path) -> i32 {
    let begun = Instant::now();
    loop {
        if let Some(running) = private_postgres::running(folder) {
            return running.pid();
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "PostgreSQL does not run"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

const QUIET: [&str; 2] = ["--backup-every", "off"];

#[test]
fn every_acknowledged_change_survives_kill_9_at_any_moment() {
    let mut chance = Chance::new("kills");
    let mut account = Account::new("kills");
    let mut hall = Hall::open("kills", &QUIET);
    hall.register();
    let mut desk = Desk::open(hall.address, &hall.token);
    let victims = ["server", "postmaster", "backend", "both"].into_iter().cycle();
    for (turn, victim) in (0..number_of("FAULT_KILLS", 8)).zip(victims) {
        if turn > 0 && turn % CHAPTER == 0 {
            desk.new_chapter();
        }
        let restarts = desk.work(|| {
            desk.until_acknowledged(3 + chance.below(20));
            chance.wait(30);
            let begun = Instant::now();
            let postgres = postmaster(&hall.folder);
            if victim == "postmaster" || victim == "both" {
                signal("-KILL", postgres);
            }
            if victim == "backend"
                && let Some(pid) = chance.one_of(&backends(postgres))
            {
                signal("-KILL", pid);
            }
            if victim == "server" || victim == "both" {
                hall.kill();
                hall.start(&QUIET);
                desk.moved(hall.address);
            }
            // The hands go on while it recovers.
            desk.until_ready();
            desk.until_acknowledged(2);
            begun.elapsed()
        });
        account.survived(victim, restarts);
        desk.look(&format!("turn {turn}, kill -9 of {victim}"));
    }
    account.print(&desk);
}

#[test]
fn a_postgresql_that_stands_still_is_told_and_goes_on() {
    let mut chance = Chance::new("stopped");
    let mut account = Account::new("stopped");
    let mut hall = Hall::open("stopped", &QUIET);
    hall.register();
    let mut desk = Desk::open(hall.address, &hall.token);
    for turn in 0..number_of("FAULT_TURNS", 1) {
        if turn > 0 && turn % CHAPTER == 0 {
            desk.new_chapter();
        }
        let recovered = desk.work(|| {
            desk.until_acknowledged(5);
            let postgres = postmaster(&hall.folder);
            let mut stopped = backends(postgres);
            stopped.push(postgres);
            for pid in &stopped {
                signal("-STOP", *pid);
            }
            let told = desk.done().told;
            let begun = Instant::now();
            while desk.done().told == told {
                assert!(begun.elapsed() < Duration::from_secs(30), "nobody is told");
                thread::sleep(Duration::from_millis(20));
            }
            chance.wait(4000);
            for pid in &stopped {
                signal("-CONT", *pid);
            }
            let ready = desk.until_ready();
            desk.until_acknowledged(2);
            ready
        });
        account.survived("PostgreSQL stopped and continued", recovered);
        desk.look(&format!("turn {turn}, stopped"));
    }
    account.print(&desk);
}

/// A server whose database is behind a socket of ours.
struct Behind {
    runtime: Runtime,
    cluster: Option<Cluster>,
    proxy: Proxy,
    hall: Hall,
    folder: PathBuf,
    url: String,
}

impl Behind {
    fn open(name: &str, arguments: &[&str]) -> Self {
        let folder = hall::new_folder(name);
        let runtime = Runtime::new().expect("a runtime");
        let cluster = runtime.block_on(async {
            let cluster = private_postgres::start(&Options::durable(&folder))
                .await
                .expect("PostgreSQL");
            cluster
                .create_database_if_missing("tianyuan")
                .await
                .expect("a database");
            cluster
        });
        let proxy = Proxy::open(&folder.join("proxy"), cluster.socket_dir());
        let url = cluster.database_url("tianyuan");
        let behind = proxy.url("tianyuan");
        let mut all = vec!["--database-url", behind.as_str()];
        all.extend(arguments);
        let mut hall = Hall::open(name, &all);
        let run = |arguments: &[&str]| {
            let output = hall::binary()
                .args(arguments)
                .args(["--database-url", &url])
                .output()
                .expect("the program runs");
            assert!(output.status.success(), "{output:?}");
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        };
        run(&["user", "add", "Desk", "--role", "director"]);
        hall.token = run(&["token", "add", "Desk"]);
        Self {
            runtime,
            cluster: Some(cluster),
            proxy,
            hall,
            folder,
            url,
        }
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.hall.kill();
        if let Some(cluster) = self.cluster.take() {
            let _ = self.runtime.block_on(cluster.stop());
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_connection_that_is_cut_slow_frozen_or_lost_is_told_and_made_anew() {
    let mut chance = Chance::new("connections");
    let mut account = Account::new("connections");
    let behind = Behind::open("connections", &[]);
    let mut desk = Desk::open(behind.hall.address, &behind.hall.token);
    let faults = ["cut", "slow", "frozen", "lost"].into_iter().cycle();
    for (turn, fault) in (0..4 * number_of("FAULT_TURNS", 1)).zip(faults) {
        if turn > 0 && turn % CHAPTER == 0 {
            desk.new_chapter();
        }
        let recovered = desk.work(|| {
            desk.until_acknowledged(3 + chance.below(10));
            chance.wait(30);
            match fault {
                "cut" => {
                    behind.proxy.set(Mode::Cut);
                    chance.wait(5000);
                }
                "slow" => {
                    behind.proxy.set(Mode::Slow);
                    desk.until_acknowledged(2);
                }
                "frozen" => {
                    behind.proxy.set(Mode::Frozen);
                    let (told, begun) = (desk.done().told, Instant::now());
                    while desk.done().told == told {
                        assert!(begun.elapsed() < Duration::from_secs(30), "nobody is told");
                        thread::sleep(Duration::from_millis(20));
                    }
                    chance.wait(5000);
                }
                _ => behind.proxy.lose(),
            }
            behind.proxy.set(Mode::Pass);
            let ready = desk.until_ready();
            let begun = Instant::now();
            desk.until_acknowledged(6);
            ready.max(begun.elapsed())
        });
        account.survived(fault, recovered);
        desk.look(&format!("turn {turn}, {fault}"));
    }
    account.print(&desk);
}

#[test]
fn when_all_connections_are_taken_it_is_said_and_passes() {
    let mut chance = Chance::new("exhausted");
    let mut account = Account::new("exhausted");
    let behind = Behind::open("exhausted", &["--database-connections", "2"]);
    let desk = Desk::open(behind.hall.address, &behind.hall.token);
    for turn in 0..number_of("FAULT_TURNS", 1) {
        let recovered = desk.work(|| {
            desk.until_acknowledged(5);
            // Somebody has the event alone, and whoever wants to enter something waits with a connection.
            behind.runtime.block_on(async {
                let store = store::Store::connect(&behind.url, 1).await.expect("a connection");
                let mut tx = store.begin().await.expect("a transaction");
                store::events::lock(&mut tx, desk.event_id())
                    .await
                    .expect("the event");
                let (told, begun) = (desk.done().told, Instant::now());
                while desk.done().told == told {
                    assert!(begun.elapsed() < Duration::from_secs(60), "nobody is told");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                tokio::time::sleep(Duration::from_millis(chance.below(2000))).await;
                drop(tx);
                store.close().await;
            });
            let begun = Instant::now();
            desk.until_ready();
            desk.until_acknowledged(3);
            begun.elapsed()
        });
        account.survived("all connections taken", recovered);
        desk.look(&format!("turn {turn}, exhausted"));
    }
    account.print(&desk);
}

/// How much time a process has used on the processor, in seconds.
fn used(pid: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = status
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split(' ')
        .collect();
    let ticks = |index: usize| {
        fields
            .get(index)
            .and_then(|field| field.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    (ticks(11) + ticks(12)) / 100.0
}

#[test]
fn a_server_without_file_handles_waits_for_some_and_goes_on() {
    let mut account = Account::new("handles");
    let mut chance = Chance::new("handles");
    let mut hall = Hall::open_with_handles("handles", 64, &QUIET);
    hall.register();
    let desk = Desk::open(hall.address, &hall.token);
    for turn in 0..number_of("FAULT_TURNS", 1) {
        desk.work(|| desk.until_acknowledged(5));
        let recovered = desk.work(|| {
            // More than there are handles, and fewer than would wait outside for their turn.
            let held: Vec<_> = (0..100)
                .filter_map(|_| TcpStream::connect_timeout(&hall.address, Duration::from_millis(500)).ok())
                .collect();
            let before = used(hall.pid());
            let begun = Instant::now();
            thread::sleep(Duration::from_millis(2000 + chance.below(1000)));
            let busy = (used(hall.pid()) - before) / begun.elapsed().as_secs_f64();
            assert!(busy < 0.7, "the server spins without handles: {busy}");
            drop(held);
            let begun = Instant::now();
            desk.until_ready();
            desk.until_acknowledged(3);
            begun.elapsed()
        });
        account.survived("no file handles", recovered);
        desk.look(&format!("turn {turn}, handles"));
    }
    account.print(&desk);
}

/// A small disk of its own, where root can make one.
struct SmallDisk {
    place: PathBuf,
    image: PathBuf,
}

impl SmallDisk {
    fn make(name: &str, megabytes: u64) -> Option<Self> {
        let place = hall::new_folder(name);
        let image = place.with_extension("image");
        fs::create_dir_all(&place).expect("a folder");
        let file = fs::File::create(&image).expect("a file");
        file.set_len(megabytes * 1024 * 1024).expect("a size");
        let run = |program: &str, arguments: &[&std::ffi::OsStr]| {
            Command::new(program)
                .args(arguments)
                .output()
                .is_ok_and(|output| output.status.success())
        };
        let made = run(
            "mkfs.ext4",
            &["-q".as_ref(), "-m".as_ref(), "0".as_ref(), image.as_ref()],
        ) && run(
            "mount",
            &["-o".as_ref(), "loop".as_ref(), image.as_ref(), place.as_ref()],
        );
        let disk = Self { place, image };
        made.then_some(disk)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.place).status();
        let _ = fs::remove_dir(&self.place);
        let _ = fs::remove_file(&self.image);
    }
}

#[test]
fn a_full_disk_is_told_loses_nothing_and_is_over_when_there_is_room() {
    let Some(disk) = SmallDisk::make("disk", 160) else {
        println!("faults: disk: left out, as only root can mount a small disk here");
        return;
    };
    println!("faults: disk: an ext4 of 160 MiB on a loop device");
    let mut chance = Chance::new("disk");
    let mut account = Account::new("disk");
    let mut hall = Hall::on(&disk.place.join("data"), &QUIET);
    hall.register();
    let mut desk = Desk::open(hall.address, &hall.token);
    let filler = disk.place.join("filler");
    for turn in 0..number_of("FAULT_TURNS", 1) {
        if turn > 0 && turn % CHAPTER == 0 {
            desk.new_chapter();
        }
        let recovered = desk.work(|| {
            desk.until_acknowledged(5);
            let mut file = fs::File::create(&filler).expect("a file");
            let block = vec![7; 64 * 1024];
            while std::io::Write::write_all(&mut file, &block).is_ok() {}
            while std::io::Write::write_all(&mut file, &block[..512]).is_ok() {}
            // Until somebody is told; what was written ahead of time takes a while to be used up.
            let (told, begun) = (desk.done().told, Instant::now());
            while desk.done().told == told && begun.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_millis(20));
            }
            chance.wait(3000);
            drop(file);
            fs::remove_file(&filler).expect("the file");
            let begun = Instant::now();
            desk.until_ready();
            desk.until_acknowledged(3);
            begun.elapsed()
        });
        account.survived("disk full", recovered);
        desk.look(&format!("turn {turn}, disk full"));
    }
    account.print(&desk);
    assert!(hall.stop("-TERM").success());
}
