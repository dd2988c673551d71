//! Clusters for tests: fast, in a folder of their own, gone with the process that started them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use crate::cluster::start_until;
use crate::{Cluster, Error, Options};

/// Starts a volatile cluster in a new temporary folder. The cluster is shut down and the folder
/// removed when the cluster is dropped or this process ends, even by `kill -9`.
///
/// # Errors
/// As [`crate::start`].
pub async fn start_scratch() -> Result<Cluster, Error> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let nanoseconds = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos());
    let name = format!(
        "private-postgres-{}-{}-{nanoseconds}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    );
    let folder = std::env::temp_dir().join(name);
    let started = start_until(&Options::volatile(&folder), Some(&folder)).await;
    if started.is_err() {
        // The reason is what matters; a folder left in the system's temporary one does not.
        let _ = std::fs::remove_dir_all(&folder);
    }
    started
}

/// The address of a PostgreSQL for tests: `DATABASE_URL` when it is set, else a volatile cluster
/// that this process starts once and that ends with it.
///
/// `#[sqlx::test]` reads `DATABASE_URL` itself, and a process cannot safely set its own
/// environment: run such tests under `private-postgres --volatile -- cargo test`.
///
/// # Panics
/// When no cluster can be started; the message says why.
pub fn database_url() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    URL.get_or_init(|| {
        if let Ok(url) = std::env::var("DATABASE_URL") {
            return url;
        }
        // On a thread of its own, since the caller may be inside a runtime, and a test's runtime
        // ends with the test.
        let started = std::thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime for the test cluster");
            let cluster = runtime
                .block_on(start_scratch())
                .unwrap_or_else(|error| panic!("{error}"));
            let url = cluster.database_url("postgres");
            // Never dropped: the watchdog ends it with this process.
            std::mem::forget(cluster);
            url
        });
        match started.join() {
            Ok(url) => url,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
