//! The listener: takes connections, gives each a time for what it sends and takes, and no more of them
//! than there is room for.
//!
//! `axum::serve` does the same without any of these bounds: a client that sends a byte a minute would keep
//! its connection for as long as it likes, and ten thousand of them every file handle of the process.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;

/// How many clients there may be, and how slow.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many connections may be open at once.
    pub connections: usize,
    /// How long a client may take for the head of a request, and how long a connection stays open that
    /// asks nothing.
    pub head: Duration,
    /// How long a client may pause within the body of a request.
    pub body: Duration,
    /// How long a client may take nothing of an answer that waits for it.
    pub write: Duration,
}

impl Default for Limits {
    /// Five thousand open streams, as many phones that ask, and something over.
    fn default() -> Self {
        Self {
            connections: 12_000,
            head: Duration::from_secs(30),
            body: Duration::from_secs(20),
            write: Duration::from_secs(60),
        }
    }
}

/// The most bytes of the head of a request.
const HEAD_LIMIT: usize = 64 * 1024;
/// The most headers of a request.
const HEADERS: usize = 64;
/// How long to wait when the system gives no connection, for want of file handles as a rule.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves until `shutdown` is done; then takes no more connections and gives requests that are under way
/// the time `drain`.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
    drain: Duration,
) {
    let room = Arc::new(Semaphore::new(limits.connections));
    let open = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &room) => accepted,
            () = &mut shutdown => break,
        };
        let (stream, address, permit) = accepted;
        // Answers are written whole: there is nothing to wait for to send along.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.write));
        let app = app.clone();
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            app.clone().oneshot(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(HEAD_LIMIT)
            .max_headers(HEADERS)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = open.watch(connection);
        metrics::gauge!("tianyuan_connections").increment(1.0);
        tokio::spawn(async move {
            // A client that breaks off, or that is too slow, is no news.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            metrics::gauge!("tianyuan_connections").decrement(1.0);
            drop(permit);
        });
    }
    drop(listener);
    if tokio::time::timeout(drain, open.shutdown()).await.is_err() {
        tracing::warn!("some requests were still under way when the server stopped");
    }
}

/// The next connection, as soon as there is room for it: until then it waits in the system's queue.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    if room.available_permits() == 0 {
        metrics::counter!("tianyuan_connections_full_total").increment(1);
        tracing::warn!("as many connections are open as there may be; new ones wait");
    }
    // It is never closed.
    let permit = Arc::clone(room).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, address)) => return (stream, address, permit),
            Err(error) if is_of_the_client(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be taken; trying again");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Whether a connection failed that the client has given up meanwhile.
fn is_of_the_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}
