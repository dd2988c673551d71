//! Styles, scripts and the icon, embedded in the binary and named by their content, so that a
//! browser may keep them for ever and still sees a new version at once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::errors::{Error, Result};

#[derive(RustEmbed)]
#[folder = "../../static"]
struct Files;

/// The address of each file: `style.css` is `/static/style.1a2b3c4d5e6f.css`.
static ADDRESSES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    Files::iter()
        .filter_map(|name| {
            let content = Files::get(&name)?.data;
            let mut mark = String::new();
            for byte in &Sha256::digest(&content)[..6] {
                let _ = write!(mark, "{byte:02x}");
            }
            let (stem, ending) = name.rsplit_once('.')?;
            Some((name.to_string(), format!("/static/{stem}.{mark}.{ending}")))
        })
        .collect()
});

/// The address of a file.
pub fn address(name: &str) -> &'static str {
    debug_assert!(ADDRESSES.contains_key(name), "no file {name} in static");
    ADDRESSES.get(name).map_or("/static/", String::as_str)
}

/// `GET /static/{file}`.
///
/// # Errors
/// `not-found`.
pub async fn serve(Path(file): Path<String>) -> Result<Response> {
    let asked = format!("/static/{file}");
    let current = ADDRESSES.iter().find(|(_, address)| **address == asked);
    // A page of an older version may still ask for the file it knew: it gets the one there is, but
    // must not keep it under the old name.
    let (name, caching) = match current {
        Some((name, _)) => (name.clone(), "public, max-age=31536000, immutable"),
        None => (without_mark(&file).ok_or_else(Error::not_found)?, "no-cache"),
    };
    let content = Files::get(&name).ok_or_else(Error::not_found)?.data;
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static(caching)),
    ];
    Ok((headers, content.into_owned()).into_response())
}

fn without_mark(file: &str) -> Option<String> {
    let (rest, ending) = file.rsplit_once('.')?;
    match rest.rsplit_once('.') {
        Some((stem, mark)) if mark.len() == 12 => Some(format!("{stem}.{ending}")),
        _ => Some(file.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_an_address_of_its_content() {
        let address = address("style.css");
        assert!(
            address.starts_with("/static/style.") && address.len() == "/static/style..css".len() + 12,
            "{address}"
        );
        assert_eq!(
            without_mark(&address["/static/".len()..]).as_deref(),
            Some("style.css")
        );
        assert_eq!(without_mark("style.css").as_deref(), Some("style.css"));
    }
}
