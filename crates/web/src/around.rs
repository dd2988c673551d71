//! What stands around every answer: the id of the request, and the headers that tell a browser what a
//! page may do and who may show it.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use crate::errors::Problem;
use crate::extract::Peer;
use crate::state::AppState;

/// The header of the id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The most characters of the id of a request.
const ID_MOST: usize = 64;
/// The most bytes of an address.
const ADDRESS_MOST: usize = 8 * 1024;

/// Nothing from outside, nothing inline: a name with a script in it stays a name.
const CONTENT_SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

/// What every answer says unless it says otherwise itself.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static(
            "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
    ),
];

/// For a year, by https only.
const STRICT_TRANSPORT_SECURITY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The id of a request, by which a line of the log is found.
#[derive(Clone, Debug)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The one of a proxy in front, when there is one and its id is one; else a new one. Anybody else could
    /// put into the log what he or she likes.
    fn of(state: &AppState, headers: &HeaderMap) -> Self {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let given = headers.get(REQUEST_ID).filter(|value| {
            state.config.behind_proxy
                && (1..=ID_MOST).contains(&value.len())
                && value.as_bytes().iter().all(plain)
        });
        Self(given.cloned().unwrap_or_else(|| {
            let id = HeaderValue::from_str(&Uuid::now_v7().to_string());
            id.unwrap_or_else(|_| HeaderValue::from_static("none"))
        }))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// The outermost layer: gives the request its id, and the answer its id and its headers.
pub async fn around(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let id = RequestId::of(&state, &parts.headers);
    let https = Peer::of(&state, &parts).https;
    let chunked = parts.headers.contains_key(header::TRANSFER_ENCODING);
    parts.extensions.insert(id.clone());
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
    headers.insert(REQUEST_ID, id.0);
    if https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT_SECURITY);
        keep_cookies_to_https(headers);
    }
    // Whoever stands in front may have read otherwise where a body in chunks ends: nothing that comes after
    // it on the same connection is taken for a request.
    if chunked {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// The layer that refuses what no honest client sends: methods for proxies, a body whose end is said in
/// two ways, an address longer than any that is here.
pub async fn refuse_odd(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let twice =
        headers.contains_key(header::TRANSFER_ENCODING) && headers.contains_key(header::CONTENT_LENGTH);
    let hosts = headers.get_all(header::HOST).iter().count();
    let length = request
        .uri()
        .path_and_query()
        .map_or(0, |address| address.as_str().len());
    if matches!(*request.method(), Method::TRACE | Method::CONNECT) {
        // Whoever may what: the first would give secrets back that a script cannot read.
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed").into_response()
    } else if twice || hosts > 1 {
        Problem::new(StatusCode::BAD_REQUEST, "bad-request").into_response()
    } else if length > ADDRESS_MOST {
        Problem::new(StatusCode::URI_TOO_LONG, "address-too-long").into_response()
    } else {
        next.run(request).await
    }
}

/// Each cookie that is set goes by https only from now on.
fn keep_cookies_to_https(headers: &mut HeaderMap) {
    let set: Vec<HeaderValue> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    headers.remove(header::SET_COOKIE);
    for cookie in set {
        let text = cookie.to_str().unwrap_or_default();
        let secure = text
            .split(';')
            .any(|part| part.trim().eq_ignore_ascii_case("secure"));
        let kept = match HeaderValue::from_str(&format!("{text}; Secure")) {
            Ok(kept) if !secure && !text.is_empty() => kept,
            _ => cookie,
        };
        headers.append(header::SET_COOKIE, kept);
    }
}
