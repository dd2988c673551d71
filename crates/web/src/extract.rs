//! What handlers ask of a request: the caller, the language, the body, preconditions.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRef, FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::{HeaderMap, StatusCode, header, request::Parts};
use serde::de::{DeserializeOwned, IgnoredAny};
use sha2::{Digest, Sha256};
use tower_http::timeout::TimeoutError;

use crate::errors::{Arg, Args, Error, FieldProblem, Problem};
use crate::i18n::Language;
pub use crate::rights::{Admin, Arbiter, Caller, Director, Reader, ResultsReader, SignedIn};
use crate::state::AppState;

/// The cookie that remembers a choice of language.
pub const LANGUAGE_COOKIE: &str = "lang";

/// The value of a cookie of the request.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

/// The language that a request asks for: the cookie's, else the best of `Accept-Language`.
pub fn language_of(headers: &HeaderMap) -> Language {
    cookie(headers, LANGUAGE_COOKIE)
        .and_then(Language::from_tag)
        .unwrap_or_else(|| {
            headers
                .get(header::ACCEPT_LANGUAGE)
                .and_then(|value| value.to_str().ok())
                .map(Language::negotiate)
                .unwrap_or_default()
        })
}

impl<S: Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(language_of(&parts.headers))
    }
}

/// The other end of the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peer {
    /// The client's address; of IPv6 the network (/64), of which one machine has all addresses.
    pub address: Option<IpAddr>,
    /// Whether the client came by https.
    pub https: bool,
}

impl Peer {
    pub(crate) fn of(state: &AppState, parts: &Parts) -> Self {
        let connected = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map(|ConnectInfo(address)| address.ip());
        let public = https_by_public_address(state.config.base_url.as_deref(), &parts.headers);
        if !state.config.behind_proxy {
            return Self {
                address: connected.map(counted),
                https: public,
            };
        }
        // The last one is what our own proxy saw; those before it are hearsay.
        let last = |name: &str| {
            let value = parts.headers.get_all(name).into_iter().next_back()?;
            Some(value.to_str().ok()?.rsplit(',').next()?.trim().to_owned())
        };
        Self {
            address: last("x-forwarded-for")
                .and_then(|address| address.parse().ok())
                .or(connected)
                .map(counted),
            https: last("x-forwarded-proto").map_or(public, |scheme| scheme.eq_ignore_ascii_case("https")),
        }
    }
}

/// An address as clients are counted by it.
fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// Whether a request is for the public address and that is an https one.
fn https_by_public_address(base_url: Option<&str>, headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    base_url
        .and_then(|url| url.strip_prefix("https://"))
        .is_some_and(|public| host.is_some_and(|host| host.eq_ignore_ascii_case(public)))
}

impl<S: Sync> FromRequestParts<S> for Peer
where
    AppState: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&AppState::from_ref(state), parts))
    }
}

/// Parts of the path. What does not parse is not there: 404.
#[derive(Clone, Copy, Debug)]
pub struct InPath<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(Self(value)),
            Err(_) => Err(Error::not_found()),
        }
    }
}

/// The query string. Unknown parameters are refused where the type says so.
#[derive(Clone, Copy, Debug)]
pub struct InQuery<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for InQuery<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(error) => {
                let said = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
                let said = said.map(|Query(said)| said).unwrap_or_default();
                Err(query_problem(&error.body_text(), &said))
            }
        }
    }
}

/// What is wrong with a query string, of the words of the library that reads it: `game: invalid digit …`.
fn query_problem(message: &str, said: &[(String, String)]) -> Error {
    let message = message
        .split_once("query string: ")
        .map_or(message, |(_, rest)| rest);
    let (name, message) = match message.split_once(": ") {
        Some((name, rest)) if !name.contains([' ', '`']) => (name, rest),
        _ => ("", message),
    };
    let (code, path, args) = of_words(name, message).unwrap_or_else(|| {
        let value = said.iter().find(|(key, _)| key == name);
        let value = value.map_or("", |(_, value)| value.as_str());
        let args = vec![("name", name.to_owned().into()), ("found", value.into())];
        ("unfit-parameter", name.to_owned(), args)
    });
    bad_query(FieldProblem {
        path,
        code: code.into(),
        args,
        fallback: message.to_owned(),
        ..FieldProblem::default()
    })
}

/// A query string that cannot be read, with what is wrong in it.
pub fn bad_query(fault: FieldProblem) -> Error {
    Problem::new(StatusCode::BAD_REQUEST, "bad-query")
        .arg("message", Arg::Fault(Box::new(fault.clone())))
        .faults(vec![fault])
        .into()
}

/// A body in JSON.
#[derive(Clone, Debug)]
pub struct InJson<T> {
    /// What it says.
    pub value: T,
    /// SHA-256 of its bytes, to know a repeated request by.
    pub digest: [u8; 32],
}

/// The bytes of a body in JSON, not yet read.
#[derive(Clone, Debug)]
pub struct JsonBytes {
    /// The bytes.
    pub bytes: Bytes,
    /// Their SHA-256.
    pub digest: [u8; 32],
}

impl<S: Send + Sync> FromRequest<S> for JsonBytes {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        // A form on another site can send text/plain across sites without asking first, but not
        // application/json: anything else is refused, however much it looks like JSON.
        if !is_json(request.headers()) {
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type")
                .arg("expected", "application/json")
                .into());
        }
        let bytes = body(request, state).await?;
        let digest = Sha256::digest(&bytes).into();
        Ok(Self { bytes, digest })
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for InJson<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let JsonBytes { bytes, digest } = JsonBytes::from_request(request, state).await?;
        Ok(Self {
            value: from_json(&bytes)?,
            digest,
        })
    }
}

/// A body in JSON, or none at all.
#[derive(Clone, Debug)]
pub struct MaybeJson<T> {
    /// What it says; the default when there is no body.
    pub value: T,
    /// SHA-256 of its bytes.
    pub digest: [u8; 32],
}

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for MaybeJson<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let typed = request.headers().contains_key(header::CONTENT_TYPE);
        let json = is_json(request.headers());
        let bytes = body(request, state).await?;
        let digest = Sha256::digest(&bytes).into();
        if bytes.is_empty() && (json || !typed) {
            return Ok(Self {
                value: T::default(),
                digest,
            });
        }
        if !json {
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type")
                .arg("expected", "application/json")
                .into());
        }
        Ok(Self {
            value: from_json(&bytes)?,
            digest,
        })
    }
}

/// The bytes of a body, up to the limit of the route.
///
/// # Errors
/// `too-large` beyond the limit.
pub async fn body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Error> {
    Bytes::from_request(request, state).await.map_err(|rejection| {
        let slow = std::iter::successors(std::error::Error::source(&rejection), |cause| cause.source())
            .any(<dyn std::error::Error>::is::<TimeoutError>);
        let status = rejection.status();
        let (status, code) = match status {
            _ if slow => (StatusCode::REQUEST_TIMEOUT, "too-slow"),
            StatusCode::PAYLOAD_TOO_LARGE => (status, "too-large"),
            _ => (status, "bad-request"),
        };
        Problem::new(status, code).into()
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    media_type(headers).is_some_and(|media| {
        media == "application/json" || (media.starts_with("application/") && media.ends_with("+json"))
    })
}

/// The media type of the body, in small letters and without parameters.
pub fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next()?.trim().to_ascii_lowercase())
}

/// Reads JSON and tells the place of what does not fit.
///
/// # Errors
/// `bad-json` with the path, or with line and column when it is no JSON at all.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = match error.path().to_string().as_str() {
            "." | "?" => String::new(),
            path => path.to_owned(),
        };
        // A number where a word should be is told by serde_json as if it were no JSON.
        let misread = error.inner().is_syntax() && serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
        json_problem(path, error.inner(), misread)
    })?;
    reader
        .end()
        .map_err(|error| json_problem(String::new(), &error, false))?;
    Ok(value)
}

fn json_problem(path: String, error: &serde_json::Error, misread: bool) -> Error {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let (code, path, args): (_, _, Args) = if misread {
        ("not-a-word", path, vec![])
    } else if error.is_syntax() || error.is_eof() {
        ("not-json", path, vec![])
    } else if let Some(known) = of_words(&path, message) {
        known
    } else if message.starts_with("invalid type") {
        let said = message.trim_start_matches("invalid type: ");
        let (found, expected) = said.split_once(", expected ").unwrap_or((said, ""));
        (
            "wrong-type",
            path,
            vec![("found", phrase(found)), ("expected", phrase(expected))],
        )
    } else {
        (
            "invalid-value",
            path,
            vec![("message", message.to_owned().into())],
        )
    };
    let fault = FieldProblem {
        path,
        code: code.into(),
        args,
        fallback: message.to_owned(),
        line: Some(error.line()).filter(|line| *line > 0),
        column: Some(error.column()).filter(|_| error.line() > 0),
    };
    let status = if code == "not-json" {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    Problem::new(status, "bad-json").faults(vec![fault]).into()
}

/// The kind of an error of serde, which has no other way to tell them apart than the words they begin
/// with; none for a value that does not fit.
fn of_words(path: &str, message: &str) -> Option<(&'static str, String, Args)> {
    let quoted = message.split('`').nth(1).unwrap_or_default();
    let with_field = || {
        if path.is_empty() {
            quoted.to_owned()
        } else if path == quoted || path.ends_with(&format!(".{quoted}")) {
            path.to_owned()
        } else {
            format!("{path}.{quoted}")
        }
    };
    let expected = || {
        let expected = message.split_once("expected ").map_or("", |(_, words)| words);
        expected.trim_start_matches("one of ").replace('`', "")
    };
    let field = || ("field", Arg::from(quoted));
    Some(if message.starts_with("unknown field") {
        let args = vec![field(), ("known", expected().into())];
        ("unknown-field", with_field(), args)
    } else if message.starts_with("missing field") {
        ("missing-field", with_field(), vec![field()])
    } else if message.starts_with("duplicate field") {
        ("duplicate-field", with_field(), vec![field()])
    } else if message.starts_with("unknown variant") {
        let args = vec![("found", quoted.into()), ("expected", expected().into())];
        ("unknown-word", path.to_owned(), args)
    } else {
        return None;
    })
}

/// A kind of value in the words that translations know, where serde's own begin with one of these.
fn phrase(said: &str) -> Arg {
    let known = [
        ("string", "a text"),
        ("a string", "a text"),
        ("integer", "a number"),
        ("floating point", "a number"),
        ("boolean", "true or false"),
        ("a boolean", "true or false"),
        ("sequence", "a list"),
        ("a sequence", "a list"),
        ("map", "an object"),
        ("struct", "an object"),
        ("null", "nothing"),
        ("u", "a whole number"),
        ("i", "a whole number"),
    ];
    let word = known.iter().find(|(start, _)| said.starts_with(start));
    Arg::Phrase(word.map_or(said, |(_, word)| word).to_owned())
}

/// The precondition of a change: which state the caller has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IfMatch {
    /// The caller says nothing.
    Absent,
    /// `*`: whatever the state is.
    Any,
    /// One of these entity tags, without quotes.
    Tags(Vec<String>),
}

impl IfMatch {
    fn of(headers: &HeaderMap) -> Result<Self, Error> {
        let mut tags = Vec::new();
        let mut seen = false;
        for value in headers.get_all(header::IF_MATCH) {
            seen = true;
            let refused = || Error::from(Problem::new(StatusCode::BAD_REQUEST, "bad-if-match"));
            for tag in value.to_str().map_err(|_| refused())?.split(',') {
                let tag = tag.trim();
                if tag == "*" {
                    return Ok(Self::Any);
                }
                let tag = tag
                    .strip_prefix('"')
                    .and_then(|tag| tag.strip_suffix('"'))
                    .ok_or_else(refused)?;
                tags.push(tag.to_owned());
            }
        }
        Ok(if seen { Self::Tags(tags) } else { Self::Absent })
    }

    /// The versions that the tags begin with (see [`tagged`](crate::api)); a tag without one matches nothing.
    pub fn versions(&self) -> Option<Vec<i64>> {
        let version = |tag: &String| i64::from_str(tag.split('-').next()?).ok();
        match self {
            Self::Tags(tags) => Some(tags.iter().filter_map(version).collect()),
            _ => None,
        }
    }
}

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Error> {
        Self::of(&parts.headers)
    }
}

/// The key by which a repeated request is known (`Idempotency-Key`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(pub Option<String>);

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Error> {
        let Some(value) = parts.headers.get("idempotency-key") else {
            return Ok(Self(None));
        };
        value
            .to_str()
            .ok()
            .map(str::trim)
            .filter(|key| (1..=200).contains(&key.len()))
            .map(|key| Self(Some(key.to_owned())))
            .ok_or_else(|| Problem::new(StatusCode::BAD_REQUEST, "bad-idempotency-key").into())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use serde::Deserialize;

    use super::*;

    #[test]
    fn one_machine_is_counted_as_one_whatever_addresses_it_has() {
        for (address, as_one) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::"),
            ("2001:db8:1:2::1", "2001:db8:1:2::"),
            ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ] {
            let parsed = |address: &str| address.parse::<IpAddr>().expect("an address");
            assert_eq!(counted(parsed(address)), parsed(as_one));
        }
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it can be read matters")]
    struct Outer {
        name: String,
        inner: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it can be read matters")]
    struct Inner {
        count: u32,
    }

    fn fault(json: &str) -> (u16, String, String) {
        match from_json::<Outer>(json.as_bytes()) {
            Err(Error::Problem(problem)) => {
                let fault = &problem.errors[0];
                (
                    problem.status.as_u16(),
                    fault.code.to_string(),
                    fault.path.clone(),
                )
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_path() {
        let told = |status, code: &str, path: &str| (status, code.to_owned(), path.to_owned());
        assert_eq!(
            fault(r#"{"name": "a", "inner": [], "x": 1}"#),
            told(422, "unknown-field", "x")
        );
        assert_eq!(
            fault(r#"{"name": "a", "inner": [{"count": 1}, {"count": 1, "y": 2}]}"#),
            told(422, "unknown-field", "inner[1].y")
        );
        assert_eq!(fault(r#"{"inner": []}"#), told(422, "missing-field", "name"));
        assert_eq!(
            fault(r#"{"name": "a", "inner": [{}]}"#),
            told(422, "missing-field", "inner[0].count")
        );
        assert_eq!(
            fault(r#"{"name": "a", "inner": [{"count": "one"}]}"#),
            told(422, "wrong-type", "inner[0].count")
        );
        assert_eq!(
            fault(r#"{"name": "a", "inner": [{"count": -1}]}"#),
            told(422, "invalid-value", "inner[0].count")
        );
        assert_eq!(fault(r#"{"name": "a","#).1, "not-json");
        assert_eq!(fault(r#"{"name": "a", "inner": []} x"#).1, "not-json");
    }

    #[test]
    fn https_is_known_by_the_public_address_and_not_by_any_other() {
        let of = |base: Option<&str>, host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            https_by_public_address(base, &headers)
        };
        assert!(of(Some("https://go.example.org"), "go.example.org"));
        // The same server reached in the hall, past the proxy.
        assert!(!of(Some("https://go.example.org"), "192.0.2.7:8080"));
        assert!(!of(Some("http://go.example.org"), "go.example.org"));
        assert!(!of(None, "go.example.org"));
    }

    #[test]
    fn if_match_reads_tags_and_refuses_what_is_none() {
        let of = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_MATCH, HeaderValue::from_str(value).expect("a header"));
            IfMatch::of(&headers)
        };
        assert_eq!(of("\"3\"").expect("a tag").versions(), Some(vec![3]));
        assert_eq!(of("\"3-09af\"").expect("a tag").versions(), Some(vec![3]));
        assert_eq!(of("\"3\", \"x\"").expect("tags").versions(), Some(vec![3]));
        assert_eq!(of("*").expect("any"), IfMatch::Any);
        assert!(of("3").is_err());
        assert!(of("W/\"3\"").is_err());
    }
}
