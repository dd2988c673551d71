//! Who is calling: passwords, sessions, tokens, and the link that makes the first administrator.
//!
//! Secrets are random 256-bit values; the database holds only their SHA-256. A fast hash is enough
//! for them because there is nothing to guess; passwords, which people choose, get Argon2id.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

use argon2::password_hash::rand_core::{OsRng, RngCore};
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use store::people::{Offer, Purpose};
use store::{Actor, Change, Refused, Role, Scope, Store, Tx, Via, accounts, attempts, people};
use tokio::sync::Semaphore;

use crate::errors::{Error, Problem, Result};
use crate::extract::Peer;
use crate::state::AppState;

/// The fewest characters of a password.
pub const PASSWORD_LEAST: usize = 10;
/// The most characters of a password: more is a mistake, or an attempt to keep the server busy.
pub const PASSWORD_MOST: usize = 200;
/// The most characters of a user's name.
pub const NAME_MOST: usize = 100;

/// How long a session lasts however much it is used; [`accounts::SESSION_IDLE`] when it is not.
const SESSION_DAYS: i64 = 14;
/// A session counts as used now for so long without being noted again.
const SESSION_NOTED: TimeDelta = TimeDelta::minutes(10);
/// How long the first administrator's link works.
const SETUP_HOURS: i64 = 24;

/// The session cookie over https.
const SECURE_COOKIE: &str = "__Host-tianyuan";
/// The session cookie over plain http: in a playing hall the server is often a laptop without a
/// certificate, and browsers keep no `Secure` cookie there.
const PLAIN_COOKIE: &str = "tianyuan";

// ---------------------------------------------------------------- secrets

/// A new secret: 64 hexadecimal digits, and what the database keeps of it.
pub(crate) fn new_secret(prefix: &str) -> (String, [u8; 32]) {
    let mut bytes = [0_u8; 32];
    OsRng.fill_bytes(&mut bytes);
    let mut secret = String::from(prefix);
    for byte in bytes {
        let _ = write!(secret, "{byte:02x}");
    }
    let kept = digest(&secret);
    (secret, kept)
}

/// What the database keeps of a secret.
pub(crate) fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

// ---------------------------------------------------------------- passwords

/// A hash takes 19 MiB and a few milliseconds; two at a time leave the machine to the event.
static HASHING: Semaphore = Semaphore::const_new(2);

fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

/// Hashes a password, away from the threads that answer requests.
///
/// # Errors
/// When the password is too short, too long, or too easy to guess for somebody of this name.
pub async fn hash_password(name: &str, password: &str) -> Result<String> {
    check_password(name, password)?;
    let password = password.to_owned();
    let _permit = HASHING.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || {
        let salt = SaltString::generate(&mut OsRng);
        argon2()
            .hash_password(password.as_bytes(), &salt)
            .map(|hash| hash.to_string())
            .map_err(|error| Error::internal(error.to_string()))
    })
    .await
    .map_err(Error::internal)?
}

/// Refuses a password of a wrong length, and one that somebody who knows the name and what people
/// like to take would soon guess: zxcvbn knows the common ones, dates, rows of keys and how they are
/// varied, which no rule of so many digits and capitals does.
fn check_password(name: &str, password: &str) -> Result<()> {
    let length = password.chars().count();
    if !(PASSWORD_LEAST..=PASSWORD_MOST).contains(&length) {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "password-length")
            .arg("least", PASSWORD_LEAST)
            .arg("most", PASSWORD_MOST)
            .into());
    }
    let folded = |text: &str| text.trim().to_lowercase();
    let (own, chosen) = (folded(name), folded(password));
    let of_name = own.chars().count() > 2 && chosen.contains(&own) && length < own.chars().count() + 8;
    if of_name {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "password-is-name").into());
    }
    let judged = zxcvbn::zxcvbn(password, &[&own, "tianyuan", "weiqi", "baduk"]);
    if judged.score() < zxcvbn::Score::Three {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "password-easy").into());
    }
    Ok(())
}

/// Whether a password belongs to a hash. Without a hash the same work is done and the answer is
/// no: how long it takes must not say which names exist.
async fn verify_password(password: &str, hash: Option<&str>, hashed: &AtomicU64) -> Result<bool> {
    static NOBODY: LazyLock<String> = LazyLock::new(|| {
        let salt = SaltString::generate(&mut OsRng);
        argon2()
            .hash_password(b"nobody has this password", &salt)
            .map(|hash| hash.to_string())
            .unwrap_or_default()
    });
    if password.chars().count() > PASSWORD_MOST {
        return Ok(false);
    }
    let known = hash.is_some();
    let (password, hash) = (password.to_owned(), hash.map(str::to_owned));
    hashed.fetch_add(1, Ordering::Relaxed);
    metrics::counter!("tianyuan_password_hashes_total").increment(1);
    let _permit = HASHING.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || {
        let hash = hash.unwrap_or_else(|| NOBODY.clone());
        let hash = PasswordHash::new(&hash).map_err(|error| Error::internal(error.to_string()))?;
        Ok(argon2().verify_password(password.as_bytes(), &hash).is_ok() && known)
    })
    .await
    .map_err(Error::internal)?
}

/// A user's name as it is kept: without spaces around it.
///
/// # Errors
/// When it is empty, too long or holds control characters.
pub fn user_name(name: &str) -> Result<String> {
    let name = name.trim();
    let fine = (1..=NAME_MOST).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if fine {
        Ok(name.to_owned())
    } else {
        Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "user-name")
            .arg("most", NAME_MOST)
            .into())
    }
}

// ---------------------------------------------------------------- signing in

/// Attempts by what is tried and from which address, counted by this server alone: where a limit spares
/// work. Where it keeps somebody from guessing, [`attempt`] counts for all servers, after this one has let
/// the attempt pass: a flood must not become a flood of writes.
#[derive(Debug)]
pub struct Attempts {
    /// By a hash, so that each takes as little room as another.
    all: Mutex<HashMap<[u8; 32], Failures>>,
    most: u32,
    window: TimeDelta,
}

impl Default for Attempts {
    fn default() -> Self {
        Self::allowing(Self::MOST, Self::WINDOW)
    }
}

#[derive(Clone, Copy, Debug)]
struct Failures {
    count: u32,
    since: DateTime<Utc>,
}

impl Attempts {
    const MOST: u32 = 10;
    const WINDOW: TimeDelta = TimeDelta::minutes(10);
    /// So many different pairs of name and address are remembered; a guesser who brings more
    /// clears the old ones.
    const REMEMBERED: usize = 10_000;

    /// So many in a window of time.
    pub fn allowing(most: u32, window: TimeDelta) -> Self {
        Self {
            all: Mutex::default(),
            most,
            window,
        }
    }

    /// Counts an attempt as failed until it is known to have succeeded, so that many guesses sent
    /// at once are counted too; or says how many seconds to wait before the next one.
    fn begin(&self, key: [u8; 32], now: DateTime<Utc>) -> std::result::Result<(), i64> {
        let Ok(mut all) = self.all.lock() else {
            return Ok(());
        };
        if all.len() >= Self::REMEMBERED && !all.contains_key(&key) {
            all.retain(|_, failures| now < failures.since + self.window);
            if all.len() >= Self::REMEMBERED {
                all.clear();
            }
        }
        let failures = all.entry(key).or_insert(Failures { count: 0, since: now });
        let ends = failures.since + self.window;
        if now >= ends {
            *failures = Failures { count: 0, since: now };
        } else if failures.count >= self.most {
            return Err((ends - now).num_seconds().max(1));
        }
        failures.count += 1;
        Ok(())
    }

    fn succeeded(&self, key: [u8; 32]) {
        if let Ok(mut all) = self.all.lock() {
            all.remove(&key);
        }
    }
}

/// What stands for attempts at something from an address.
fn here(at: &str, address: Option<IpAddr>) -> [u8; 32] {
    let from = address.map_or_else(String::new, |address| address.to_string());
    digest(&format!("{at}\n{from}"))
}

/// What stands for attempts at something from all addresses together.
fn anywhere(at: &str) -> [u8; 32] {
    digest(&format!("{at}\nanywhere"))
}

/// Forgets the wrong passwords from all addresses for a name: it has a new one, which nobody has guessed at.
///
/// # Errors
/// Only of the database.
pub async fn forgive(tx: &mut Tx, name: &str) -> Result<()> {
    Ok(attempts::forget(tx, &anywhere(&tried_as(name))).await?)
}

/// A name as attempts are counted at it.
fn tried_as(name: &str) -> String {
    name.trim().to_lowercase()
}

/// How many failed attempts at one thing are let pass from all addresses together, and in which time.
const FROM_ANYWHERE: (u32, TimeDelta) = (100, TimeDelta::hours(1));

/// An attempt with something that can be guessed, counted as failed until it has succeeded.
#[derive(Debug)]
pub struct Attempt {
    here: [u8; 32],
    anywhere: [u8; 32],
}

impl Attempt {
    /// The guess was right: the failures before it from this address are forgotten.
    ///
    /// # Errors
    /// Only when the database fails.
    pub async fn succeeded(&self, state: &AppState) -> Result<()> {
        state.attempts.succeeded(self.here);
        let mut tx = state.store.begin().await?;
        attempts::forget(&mut tx, &self.here).await?;
        attempts::take_back(&mut tx, &self.anywhere).await?;
        Ok(tx.commit().await?)
    }
}

/// Counts an attempt from an address at something, such as the code of a board.
///
/// # Errors
/// `code` with `Retry-After`, after too many of them.
pub async fn attempt(state: &AppState, peer: Peer, at: &str, code: &'static str) -> Result<Attempt> {
    let now = state.clock.now();
    let attempt = Attempt {
        here: here(at, peer.address),
        anywhere: anywhere(at),
    };
    state
        .attempts
        .begin(attempt.here, now)
        .map_err(|seconds| too_many(seconds, code))?;
    let mut tx = state.store.begin().await?;
    for (key, (most, window)) in [
        (&attempt.here, (Attempts::MOST, Attempts::WINDOW)),
        (&attempt.anywhere, FROM_ANYWHERE),
    ] {
        attempts::count(&mut tx, key, most, window, now)
            .await?
            .map_err(|seconds| too_many(seconds, code))?;
    }
    tx.commit().await?;
    Ok(attempt)
}

/// Counts a record that is judged for somebody without an account.
///
/// # Errors
/// `too-many-checks` with `Retry-After`, after too many of them.
pub fn check(state: &AppState, peer: Peer) -> Result<()> {
    state
        .checks
        .begin(here("", peer.address), state.clock.now())
        .map_err(|seconds| too_many(seconds, "too-many-checks"))
}

/// Counts a sign-up for an event.
///
/// # Errors
/// `too-many-sign-ups` with `Retry-After`, after too many of them from one address.
pub fn sign_up(state: &AppState, peer: Peer, event: &str) -> Result<()> {
    state
        .sign_ups
        .begin(here(event, peer.address), state.clock.now())
        .map_err(|seconds| too_many(seconds, "too-many-sign-ups"))
}

fn too_many(seconds: i64, code: &'static str) -> crate::errors::Error {
    metrics::counter!("tianyuan_attempts_refused_total", "what" => code).increment(1);
    Problem::new(StatusCode::TOO_MANY_REQUESTS, code)
        .arg("minutes", (seconds + 59) / 60)
        .header(header::RETRY_AFTER, HeaderValue::from(seconds))
        .into()
}

/// A session that has just begun: the secret for the cookie.
#[derive(Debug)]
pub struct NewSession {
    secret: String,
    expires: DateTime<Utc>,
}

/// Signs a user in by name and password.
///
/// # Errors
/// `wrong-password` (the same for a name that nobody has), `too-many-attempts` with `Retry-After`,
/// `account-closed` to somebody whose password fits.
pub async fn sign_in(
    state: &AppState,
    peer: Peer,
    browser: &str,
    name: &str,
    password: &str,
) -> Result<NewSession> {
    let user = check_credentials(state, peer, name, password).await?;
    let mut tx = state.store.begin().await?;
    let session = begin_session(&mut tx, user.id, browser, state.clock.now()).await?;
    tx.commit().await?;
    Ok(session)
}

/// The user of a name and a password, as [`sign_in`] finds and refuses them.
async fn check_credentials(
    state: &AppState,
    peer: Peer,
    name: &str,
    password: &str,
) -> Result<accounts::User> {
    let attempt = attempt(state, peer, &tried_as(name), "too-many-attempts").await?;
    let user = accounts::find_user_by_name(&mut state.store.snapshot().await?, name.trim()).await?;
    let hash = user.as_ref().and_then(|user| user.password_hash.as_deref());
    // No connection is held here: attempts wait for one another, and everybody else must not wait
    // for them.
    let fits = verify_password(password, hash, &state.hashed).await?;
    let Some(user) = user.filter(|_| fits) else {
        // Without the name: people type their password there by mistake.
        tracing::warn!("somebody did not sign in: name and password do not fit");
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "wrong-password").into());
    };
    attempt.succeeded(state).await?;
    tracing::info!(user = %user.id, "somebody said the right password");
    if user.disabled_at.is_some() {
        let name = user.name;
        return Err(Refused::AccountClosed { name }.into());
    }
    Ok(user)
}

/// The browser of a request in two words, as its holder knows it: “Firefox, Windows”. Empty when it
/// says nothing that is known; the whole of what it says would tell more than anybody asked for.
pub fn browser(headers: &HeaderMap) -> String {
    let said = headers
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    // The order matters: each browser also names those that it wants to be taken for.
    let of = |known: &[(&str, &'static str)]| {
        let found = known.iter().find(|(mark, _)| said.contains(mark));
        found.map(|(_, name)| *name)
    };
    let browser = of(&[
        ("MicroMessenger", "WeChat"),
        ("Edg", "Edge"),
        ("OPR", "Opera"),
        ("Firefox", "Firefox"),
        ("FxiOS", "Firefox"),
        ("SamsungBrowser", "Samsung Internet"),
        ("Chrome", "Chrome"),
        ("CriOS", "Chrome"),
        ("Safari", "Safari"),
    ]);
    let system = of(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    let parts: Vec<&str> = browser.into_iter().chain(system).collect();
    parts.join(", ")
}

/// Begins a session for a user who has shown who he or she is.
///
/// # Errors
/// Only when the database fails.
pub async fn begin_session(
    tx: &mut Tx,
    user: uuid::Uuid,
    browser: &str,
    now: DateTime<Utc>,
) -> Result<NewSession> {
    let (secret, kept) = new_secret("");
    let expires = now + TimeDelta::days(SESSION_DAYS);
    accounts::create_session(tx, user, &kept, browser, now, expires).await?;
    Ok(NewSession { secret, expires })
}

/// Ends the session of the request, if there is one.
///
/// # Errors
/// Only when the database fails.
pub async fn sign_out(tx: &mut Tx, headers: &HeaderMap, peer: Peer) -> Result<()> {
    if let Some(secret) = session_secret(headers, peer) {
        accounts::delete_session(tx, &digest(secret)).await?;
    }
    Ok(())
}

/// The `Set-Cookie` value that keeps a session.
pub fn session_cookie(session: &NewSession, peer: Peer, now: DateTime<Utc>) -> HeaderValue {
    let age = (session.expires - now).num_seconds();
    set_cookie(&session.secret, age, peer)
}

/// The `Set-Cookie` value that forgets a session.
pub fn forget_cookie(peer: Peer) -> HeaderValue {
    set_cookie("", 0, peer)
}

fn set_cookie(value: &str, age: i64, peer: Peer) -> HeaderValue {
    let name = cookie_name(peer);
    let secure = if peer.https { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}");
    HeaderValue::from_str(&cookie).unwrap_or_else(|_| HeaderValue::from_static(""))
}

fn cookie_name(peer: Peer) -> &'static str {
    if peer.https { SECURE_COOKIE } else { PLAIN_COOKIE }
}

/// The session's secret in the request's cookie.
fn session_secret(headers: &HeaderMap, peer: Peer) -> Option<&str> {
    crate::extract::cookie(headers, cookie_name(peer)).filter(|secret| !secret.is_empty())
}

/// Whoever sent this request: by `Authorization: Bearer`, else by the session cookie.
///
/// # Errors
/// `bad-token` when a token is sent that nobody has; an unknown or expired session is nobody.
pub async fn caller(state: &AppState, headers: &HeaderMap, peer: Peer) -> Result<Option<(Actor, Scope)>> {
    let now = state.clock.now();
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let token = value
            .to_str()
            .ok()
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim());
        let found = match token {
            Some(token) => accounts::holder(&state.store, &digest(token)).await?,
            None => None,
        };
        let Some((token, user)) = found else {
            tracing::warn!("a request came with a bearer token that nobody has");
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "bad-token")
                .header(
                    header::WWW_AUTHENTICATE,
                    HeaderValue::from_static("Bearer error=\"invalid_token\""),
                )
                .into());
        };
        return Ok(Some((actor(user, Via::Token), token.scope)));
    }
    let Some(secret) = session_secret(headers, peer) else {
        return Ok(None);
    };
    let Some(session) = accounts::session(&state.store, &digest(secret), now).await? else {
        return Ok(None);
    };
    if session.used_at + SESSION_NOTED <= now {
        let mut tx = state.store.begin().await?;
        accounts::use_session(&mut tx, session.id, now).await?;
        tx.commit().await?;
    }
    Ok(Some((actor(session.user, Via::Session), Scope::Everything)))
}

/// The name of whoever is signed in in the browser that sent this; looks, and notes nothing.
///
/// # Errors
/// Only when the database fails.
pub async fn signed_in(state: &AppState, headers: &HeaderMap, peer: Peer) -> Result<Option<String>> {
    let Some(secret) = session_secret(headers, peer) else {
        return Ok(None);
    };
    let session = accounts::session(&state.store, &digest(secret), state.clock.now()).await?;
    Ok(session.map(|session| session.user.name))
}

fn actor(user: accounts::User, via: Via) -> Actor {
    Actor {
        user: Some(user.id),
        name: user.name,
        role: user.role,
        via,
    }
}

// ---------------------------------------------------------------- users, tokens, the first link

/// Adds a user.
///
/// # Errors
/// When the name or the password is not fine, or the name is taken.
pub async fn add_user(
    tx: &mut Tx,
    change: &Change<'_>,
    name: &str,
    password: &str,
    role: Role,
) -> Result<accounts::User> {
    let name = user_name(name)?;
    let hash = hash_password(&name, password).await?;
    Ok(accounts::add_user(tx, change, &name, Some(&hash), role).await?)
}

/// A password for somebody who has not chosen one: twenty letters and digits without those that look alike.
pub fn generated_password() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0_u8; 20];
    OsRng.fill_bytes(&mut bytes);
    bytes
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(byte % 32)]))
        .collect()
}

/// Gives a user a new bearer token, which is shown this once.
///
/// # Errors
/// When the user is gone or the token's name is empty.
pub async fn add_token(
    tx: &mut Tx,
    change: &Change<'_>,
    user: uuid::Uuid,
    name: &str,
    scope: Scope,
) -> Result<String> {
    let (token, kept) = new_secret("ty_");
    accounts::add_token(tx, change, user, name, scope, &kept).await?;
    Ok(token)
}

/// While there is no administrator, makes a new one-time link for the first one and returns its
/// path, `/setup/…`; links made before stop working.
///
/// # Errors
/// Only when the database fails.
pub async fn create_setup_link(store: &Store, now: DateTime<Utc>) -> Result<Option<String>> {
    let mut tx = store.begin().await?;
    if accounts::has_admin(&mut tx).await? {
        return Ok(None);
    }
    let (secret, kept) = new_secret("");
    let expires = now + TimeDelta::hours(SETUP_HOURS);
    accounts::create_setup_token(&mut tx, &kept, now, expires).await?;
    tx.commit().await?;
    Ok(Some(format!("/setup/{secret}")))
}

/// The session of a request, if there is one.
///
/// # Errors
/// Only when the database fails.
pub async fn session_of(
    tx: &mut Tx,
    headers: &HeaderMap,
    peer: Peer,
    now: DateTime<Utc>,
) -> Result<Option<accounts::Session>> {
    match session_secret(headers, peer) {
        Some(secret) => Ok(accounts::find_session(tx, &digest(secret), now).await?),
        None => Ok(None),
    }
}

/// Changes one's own password: whoever cannot say the old one does not. All sessions end, and a new
/// one begins.
///
/// # Errors
/// `wrong-password`, `too-many-attempts`, and when the new one is not fine.
pub async fn change_password(
    state: &AppState,
    peer: Peer,
    actor: &Actor,
    browser: &str,
    old: &str,
    new: &str,
) -> Result<NewSession> {
    check_password(&actor.name, new)?;
    let user = match check_credentials(state, peer, &actor.name, old).await {
        Err(Error::Problem(problem)) if problem.code == "wrong-password" => {
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "wrong-old-password").into());
        }
        other => other?,
    };
    let hash = hash_password(&actor.name, new).await?;
    let mut tx = state.store.begin().await?;
    let change = crate::state::change(state, actor, None);
    accounts::set_password(&mut tx, &change, user.id, &hash).await?;
    forgive(&mut tx, &user.name).await?;
    let session = begin_session(&mut tx, user.id, browser, change.at).await?;
    tx.commit().await?;
    Ok(session)
}

/// The whole address of a path of this server, as the reader reached it.
pub fn address_of(state: &AppState, peer: Peer, headers: &HeaderMap, path: &str) -> String {
    if let Some(base) = &state.config.base_url {
        return format!("{}{path}", base.trim_end_matches('/'));
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let scheme = if peer.https { "https" } else { "http" };
    match host {
        Some(host) => format!("{scheme}://{host}{path}"),
        None => path.to_owned(),
    }
}

// ---------------------------------------------------------------- links that work once

/// How long an invitation works.
const INVITATION_DAYS: i64 = 7;
/// How long a link for a new password works.
const PASSWORD_LINK_HOURS: i64 = 24;

/// Makes a link that works once, and returns its path and until when it works.
///
/// # Errors
/// When the note is no line of text.
pub async fn invite(
    tx: &mut Tx,
    change: &Change<'_>,
    purpose: Purpose,
    note: &str,
) -> Result<(String, DateTime<Utc>)> {
    let (secret, kept) = new_secret("");
    let until = change.at
        + match purpose {
            Purpose::Password(_) => TimeDelta::hours(PASSWORD_LINK_HOURS),
            _ => TimeDelta::days(INVITATION_DAYS),
        };
    people::invite(tx, change, purpose, note, &kept, until).await?;
    Ok((format!("/invitation/{secret}"), until))
}

/// The link of a secret, when it works.
///
/// # Errors
/// Only when the database fails.
pub async fn invitation(tx: &mut Tx, secret: &str, now: DateTime<Utc>) -> Result<Option<people::Invitation>> {
    Ok(people::find_invitation(tx, &digest(secret), now).await?)
}

/// What was taken by a link, and the session of whoever signed in by it.
#[derive(Debug)]
pub struct Taken {
    /// What the link gave.
    pub offer: Offer,
    /// The session, when one began.
    pub session: Option<NewSession>,
}

/// Gives what a link offers to a user, in the transaction in which the link is used up. A link
/// gives more than somebody has, never less.
async fn give(tx: &mut Tx, change: &Change<'_>, secret: &str, user: &accounts::User) -> Result<Offer> {
    let used = people::use_invitation(tx, &digest(secret), change.at, &user.name).await?;
    match &used.offer {
        Offer::Event { event, role, .. } => {
            let there = people::list(tx, *event).await?;
            let directs = there
                .iter()
                .any(|one| one.user == user.id && one.role == Role::Director);
            if !directs {
                people::give(tx, change, *event, user.id, *role).await?;
            }
        }
        Offer::Site(role) => {
            let more = match user.role {
                Role::Admin => false,
                Role::Director => *role == Role::Admin,
                _ => role.directs(),
            };
            if more {
                accounts::set_role(tx, change, user.id, *role).await?;
            }
        }
        // One for a password gives nothing to whoever is signed in.
        Offer::Password { .. } => return Err(Refused::InvitationSpent.into()),
    }
    Ok(used.offer)
}

/// Takes what a link offers with the account that is signed in.
///
/// # Errors
/// `invitation-spent`.
pub async fn accept(state: &AppState, secret: &str, actor: &Actor) -> Result<Taken> {
    let mut tx = state.store.begin().await?;
    let user = match actor.user {
        Some(user) => accounts::find_user(&mut tx, user).await?,
        None => None,
    };
    let user = user.ok_or(Refused::UnknownUser)?;
    let change = crate::state::change(state, actor, None);
    let offer = give(&mut tx, &change, secret, &user).await?;
    tx.commit().await?;
    Ok(Taken { offer, session: None })
}

fn acting(user: &accounts::User) -> Actor {
    actor(user.clone(), Via::Session)
}

/// Takes what a link offers with an account that is there, by its name and password.
///
/// # Errors
/// As [`sign_in`], and `invitation-spent`.
pub async fn accept_signing_in(
    state: &AppState,
    (peer, browser): (Peer, &str),
    secret: &str,
    name: &str,
    password: &str,
) -> Result<Taken> {
    let user = check_credentials(state, peer, name, password).await?;
    let actor = acting(&user);
    let change = crate::state::change(state, &actor, None);
    let mut tx = state.store.begin().await?;
    let offer = give(&mut tx, &change, secret, &user).await?;
    let session = Some(begin_session(&mut tx, user.id, browser, change.at).await?);
    tx.commit().await?;
    Ok(Taken { offer, session })
}

/// Takes what a link offers with a new account. For a right in an event it has no rights of its
/// own on the site.
///
/// # Errors
/// `invitation-spent`, `user-exists`, `too-many-attempts` (so that a link is no way to find out
/// names), and when the name or the password is not fine.
pub async fn accept_as_new(
    state: &AppState,
    (peer, browser): (Peer, &str),
    secret: &str,
    name: &str,
    password: &str,
) -> Result<Taken> {
    let name = user_name(name)?;
    check_password(&name, password)?;
    let now = state.clock.now();
    let kept = digest(secret);
    let found = people::find_invitation(&mut state.store.begin().await?, &kept, now).await?;
    let found = found.ok_or(Refused::InvitationSpent)?;
    attempt(
        state,
        peer,
        &format!("invitation {}", found.id),
        "too-many-attempts",
    )
    .await?;
    let role = match found.offer {
        Offer::Event {
            role: Role::Director, ..
        } => Role::Director,
        Offer::Event { role, .. } | Offer::Site(role) => role,
        Offer::Password { .. } => return Err(Refused::InvitationSpent.into()),
    };
    let hash = hash_password(&name, password).await?;
    // Nobody is signed in yet: the account is entered by its holder.
    let actor = Actor {
        user: None,
        name: name.clone(),
        role,
        via: Via::Session,
    };
    let mut tx = state.store.begin().await?;
    let change = crate::state::change(state, &actor, None);
    let user = accounts::add_user(&mut tx, &change, &name, Some(&hash), role).await?;
    let actor = acting(&user);
    let change = crate::state::change(state, &actor, None);
    let offer = give(&mut tx, &change, secret, &user).await?;
    let session = Some(begin_session(&mut tx, user.id, browser, now).await?);
    tx.commit().await?;
    Ok(Taken { offer, session })
}

/// Sets a new password by a link for it, ends all sessions and signs in.
///
/// # Errors
/// `invitation-spent`, `account-closed`, and when the password is not fine.
pub async fn accept_password(
    state: &AppState,
    (_, browser): (Peer, &str),
    secret: &str,
    password: &str,
) -> Result<Taken> {
    let now = state.clock.now();
    let kept = digest(secret);
    let mut tx = state.store.begin().await?;
    let found = people::find_invitation(&mut tx, &kept, now).await?;
    let Some(Offer::Password { user, name }) = found.map(|found| found.offer) else {
        return Err(Refused::InvitationSpent.into());
    };
    let user = accounts::find_user(&mut tx, user)
        .await?
        .ok_or(Refused::UnknownUser)?;
    drop(tx);
    if user.disabled_at.is_some() {
        return Err(Refused::AccountClosed { name }.into());
    }
    let hash = hash_password(&user.name, password).await?;
    let mut tx = state.store.begin().await?;
    let used = people::use_invitation(&mut tx, &kept, now, &user.name).await?;
    let actor = acting(&user);
    let change = crate::state::change(state, &actor, None);
    accounts::set_password(&mut tx, &change, user.id, &hash).await?;
    forgive(&mut tx, &user.name).await?;
    let session = Some(begin_session(&mut tx, user.id, browser, now).await?);
    tx.commit().await?;
    let offer = used.offer;
    Ok(Taken { offer, session })
}

/// Whether a setup link would work now.
///
/// # Errors
/// Only when the database fails.
pub async fn setup_link_works(tx: &mut Tx, secret: &str, now: DateTime<Utc>) -> Result<bool> {
    Ok(accounts::setup_token_is_open(tx, &digest(secret), now).await?)
}

/// Makes the first administrator by the one-time link, and signs him or her in.
///
/// # Errors
/// When the link is used, expired or wrong, or the name or the password is not fine.
pub async fn set_up(
    state: &AppState,
    tx: &mut Tx,
    (secret, browser): (&str, &str),
    name: &str,
    password: &str,
) -> Result<NewSession> {
    let now = state.clock.now();
    let name = user_name(name)?;
    check_password(&name, password)?;
    // Before the costly hash: the link is what keeps strangers from asking for it.
    accounts::consume_setup_token(tx, &digest(secret), now).await?;
    let hash = hash_password(&name, password).await?;
    // Nobody is signed in yet: the first administrator is entered by himself or herself.
    let actor = Actor {
        user: None,
        name: name.clone(),
        role: Role::Admin,
        via: Via::Session,
    };
    let change = Change {
        actor: &actor,
        at: now,
        reason: None,
        chance: crate::state::chance(),
    };
    let user = accounts::add_user(tx, &change, &name, Some(&hash), Role::Admin).await?;
    begin_session(tx, user.id, browser, now).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_fits_its_own_hash_and_nobody_fits_none() {
        let hashed = AtomicU64::default();
        let hash = hash_password("Li", "ten letters or more")
            .await
            .expect("a fine password");
        assert!(hash.starts_with("$argon2id$"));
        assert!(
            verify_password("ten letters or more", Some(&hash), &hashed)
                .await
                .expect("an answer")
        );
        assert!(
            !verify_password("ten letters or less", Some(&hash), &hashed)
                .await
                .expect("an answer")
        );
        assert!(
            !verify_password("nobody has this password", None, &hashed)
                .await
                .expect("an answer")
        );
        assert_eq!(hashed.into_inner(), 3);
    }

    #[test]
    fn short_common_and_personal_passwords_are_refused() {
        for (name, password, refused) in [
            ("Li", "九个汉字也还是太短", Some("password-length")),
            ("Li", "十个汉字就刚刚好够长", None),
            ("Li", "password123", Some("password-easy")),
            ("Li", "P@ssw0rd2026", Some("password-easy")),
            ("Li", "1234567890", Some("password-easy")),
            ("Li", "qwertyuiop", Some("password-easy")),
            ("Li", "aaaaaaaaaaaaaaa", Some("password-easy")),
            ("Li", "tianyuan2026", Some("password-easy")),
            ("zhang.director", "Zhang.Director1", Some("password-is-name")),
            ("Li", "a sentence to remember", None),
            ("Li", "kv9m2xw8qpt3", None),
        ] {
            let told = match check_password(name, password) {
                Err(Error::Problem(problem)) => Some(problem.code.to_string()),
                Err(other) => panic!("{other:?}"),
                Ok(()) => None,
            };
            assert_eq!(told.as_deref(), refused, "{password}");
        }
        for _ in 0..20 {
            assert!(check_password("Li", &generated_password()).is_ok());
        }
    }

    #[test]
    fn guessing_one_name_from_one_address_ends_soon_and_only_there() {
        let attempts = Attempts::default();
        let now = DateTime::UNIX_EPOCH;
        let key = here("zhang", None);
        for _ in 0..Attempts::MOST {
            assert_eq!(attempts.begin(key, now), Ok(()));
        }
        assert_eq!(attempts.begin(key, now), Err(600));
        assert_eq!(attempts.begin(here("li", None), now), Ok(()));
        assert_eq!(attempts.begin(key, now + TimeDelta::minutes(10)), Ok(()));
        attempts.succeeded(key);
        assert_eq!(attempts.begin(key, now), Ok(()));
    }

    #[test]
    fn a_browser_is_told_as_its_holder_knows_it() {
        for (said, told) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0",
                "Firefox, Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
                "Safari, iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 MicroMessenger/8.0",
                "WeChat, Android",
            ),
            ("curl/8.5.0", ""),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, HeaderValue::from_static(said));
            assert_eq!(browser(&headers), told);
        }
    }

    #[test]
    fn the_cookie_is_host_bound_over_https_and_plain_only_without_it() {
        let session = NewSession {
            secret: "s".to_owned(),
            expires: DateTime::UNIX_EPOCH + TimeDelta::seconds(60),
        };
        let of = |https| session_cookie(&session, Peer { address: None, https }, DateTime::UNIX_EPOCH);
        assert_eq!(
            of(true),
            "__Host-tianyuan=s; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure"
        );
        assert_eq!(
            of(false),
            "tianyuan=s; Path=/; HttpOnly; SameSite=Lax; Max-Age=60"
        );
    }
}
