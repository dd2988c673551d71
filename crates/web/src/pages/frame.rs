//! What stands around every page: the line on top, the rail of the directors, the bar at the
//! bottom of a phone, and the word about what has just been done.

use std::fmt::Write as _;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use store::Role;
use store::events::Event;
use store::log::LogHead;

use super::{assets, words};
use crate::errors::{Error, FieldProblem, Problem};
use crate::extract::{Caller, cookie, language_of};
use crate::i18n::Language;
use crate::state::AppState;

/// The cookie that carries one sentence over a redirect.
const SAID_COOKIE: &str = "said";

/// What a page needs to know of the request that asks for it.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The reader's language.
    pub t: Language,
    /// Path and query, for coming back after a change of language.
    pub here: String,
    /// Who asks.
    pub caller: Caller,
    /// What has just been done.
    pub said: Option<String>,
}

impl Visit {
    /// Whether the event may be changed.
    pub fn directs(&self) -> bool {
        self.caller.directs()
    }

    /// The frame of a page that is not of one event.
    pub fn frame(&self) -> Frame {
        Frame {
            t: self.t,
            here: self.here.clone(),
            user: self.caller.actor.as_ref().map(|user| user.name.clone()),
            event: None,
            notice: self.said.clone(),
        }
    }

    /// The frame of a page of an event.
    pub fn frame_of(&self, event: &Event, tab: &'static str) -> Frame {
        let mut frame = self.frame();
        let published = event.last_published().map(|info| info.round);
        frame.event = Some(EventFrame {
            slug: event.slug.clone(),
            name: event.name.clone(),
            round: published,
            last_round: published,
            tab,
            role: self.caller.role(),
            head: event.head.map(HeadView::of),
            is_final: event.frozen.is_some(),
            // The page that opens it again says so itself; a public page has the mark above.
            final_since: event
                .frozen
                .as_ref()
                .filter(|_| self.here.starts_with("/manage/") && !self.here.ends_with("/finish"))
                .map(|frozen| {
                    let at = words::moment_of(self.t, &event.schedule, frozen.at);
                    self.t.with2("final-since", "by", frozen.by.as_str(), "at", at)
                }),
        });
        frame
    }

    /// The frame with another round on the top line.
    pub fn frame_of_round(&self, event: &Event, tab: &'static str, round: u32) -> Frame {
        let mut frame = self.frame_of(event, tab);
        let head = event.round_info(round).and_then(|info| info.head);
        if let Some(event) = &mut frame.event {
            event.round = Some(round);
            if let Some(head) = head {
                event.head = Some(HeadView::of(head));
            }
        }
        frame
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Visit
where
    AppState: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let caller = Caller::from_request_parts(parts, state).await?;
        Ok(Self {
            t: language_of(&parts.headers),
            here: parts
                .uri
                .path_and_query()
                .map_or_else(|| "/".to_owned(), ToString::to_string),
            caller,
            said: cookie(&parts.headers, SAID_COOKIE).and_then(decoded),
        })
    }
}

/// What stands around a page.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The reader's language.
    pub t: Language,
    /// Path and query of the page.
    pub here: String,
    /// The name of whoever is signed in.
    pub user: Option<String>,
    /// The event that the page is of.
    pub event: Option<EventFrame>,
    /// What has just been done.
    pub notice: Option<String>,
}

/// The event that a page is of.
#[derive(Clone, Debug)]
pub struct EventFrame {
    /// Its name in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The round on the top line.
    pub round: Option<u32>,
    /// The last published round.
    pub last_round: Option<u32>,
    /// Which page this is.
    pub tab: &'static str,
    /// The reader's role in the event: which tools are shown.
    pub role: Option<Role>,
    /// The end of the log as it is public.
    pub head: Option<HeadView>,
    /// Whether it is final.
    pub is_final: bool,
    /// Since when it is final, on pages that change it.
    pub final_since: Option<String>,
}

/// The end of an event's log, for comparing it later.
#[derive(Clone, Debug)]
pub struct HeadView {
    /// The number of the last act.
    pub seq: i64,
    /// The part of its hash that people compare.
    pub short: String,
    /// The rest of it.
    pub rest: String,
}

impl HeadView {
    /// A head as it is printed.
    pub fn of(head: LogHead) -> Self {
        let short = head.hash.short();
        Self {
            seq: head.seq,
            rest: head.hash.to_string()[short.len()..].to_owned(),
            short,
        }
    }
}

impl EventFrame {
    /// Whether the pages that show everything are there for the reader.
    pub fn sees_all(&self) -> bool {
        self.role.is_some_and(Role::sees_all)
    }

    /// Whether the reader is somebody who sees everything and changes nothing.
    pub fn only_views(&self) -> bool {
        self.role == Some(Role::Viewer)
    }

    /// Where an arbiter works: the results of the last published round.
    pub fn results_href(&self) -> Option<String> {
        let round = self.last_round.filter(|_| self.role == Some(Role::Arbiter))?;
        Some(format!("/manage/e/{}/rounds/{round}/results", self.slug))
    }

    /// Where the pairings are: the last published round, or the event's page before the first.
    pub fn pairings_href(&self) -> String {
        match self.last_round {
            Some(round) => format!("/e/{}/rounds/{round}", self.slug),
            None => format!("/e/{}", self.slug),
        }
    }
}

impl Frame {
    /// The address of a static file.
    pub fn asset(&self, name: &str) -> &'static str {
        assets::address(name)
    }

    /// Whether the page is in Chinese.
    pub fn is_chinese(&self) -> bool {
        self.t == Language::Chinese
    }

    /// Whether the page is of a final event, in which a form could only be refused.
    pub fn is_final(&self) -> bool {
        self.event.as_ref().is_some_and(|event| event.is_final)
    }

    /// Since when the event is final, on pages that change it.
    pub fn final_since(&self) -> Option<&str> {
        self.event.as_ref()?.final_since.as_deref()
    }

    /// Whether the rail is shown: to everybody with a right in the event.
    pub fn has_rail(&self) -> bool {
        self.event.as_ref().is_some_and(|event| event.role.is_some())
    }
}

/// A problem on a page: one sentence, and single faults below it.
#[derive(Clone, Debug, Default)]
pub struct ProblemView {
    /// What is wrong, why, and what now.
    pub sentence: String,
    /// The faults one by one.
    pub details: Vec<String>,
}

impl ProblemView {
    /// A problem of one sentence.
    pub fn of(sentence: String) -> Self {
        Self {
            sentence,
            details: Vec::new(),
        }
    }

    /// A refusal in the reader's words.
    pub fn told(problem: &Problem, t: Language) -> Self {
        let mut details: Vec<String> = problem.errors.iter().map(|fault| fault_line(fault, t)).collect();
        // One thing in a form is told by itself: its place is said with it.
        let sentence = if problem.code == "invalid" && details.len() == 1 {
            details.remove(0)
        } else {
            problem.detail(t)
        };
        Self { sentence, details }
    }
}

/// A fault with the place where it is: line and column of a text, or the field.
fn fault_line(fault: &FieldProblem, t: Language) -> String {
    let told = fault.told(t);
    match (told.line, told.column) {
        (Some(line), Some(column)) if told.path.is_empty() => t.tell(
            "fault-at-line",
            &[
                ("line", line.into()),
                ("column", column.into()),
                ("fault", told.detail.into()),
            ],
        ),
        (Some(line), Some(column)) => t.tell(
            "fault-at-line-and-path",
            &[
                ("line", line.into()),
                ("column", column.into()),
                ("path", told.path.into()),
                ("fault", told.detail.into()),
            ],
        ),
        _ if told.path.is_empty() => told.detail,
        _ => t.with2(
            "fault-at-path",
            "path",
            field(t, &told.path),
            "fault",
            told.detail,
        ),
    }
}

/// A field of a form in the words beside it: `entries[3].start_score` is the start score.
fn field(t: Language, path: &str) -> String {
    let last = path.rsplit('.').next().unwrap_or(path);
    let name = last.split('[').next().unwrap_or(last);
    let key = match name {
        "by" => "result-by".to_owned(),
        _ => format!("log-field-{}", name.replace('_', "-")),
    };
    if t.knows(&key) {
        t.say(&key)
    } else {
        path.to_owned()
    }
}

/// Leads to a page of this server. An event's name in addresses may be Chinese, a header may not.
pub fn go(to: &str) -> Response {
    let mut location = String::new();
    for byte in to.bytes() {
        if byte.is_ascii_graphic() {
            location.push(char::from(byte));
        } else {
            let _ = write!(location, "%{byte:02X}");
        }
    }
    Redirect::to(&location).into_response()
}

/// Leads on after something was done, and takes one sentence about it along.
pub fn done(to: &str, sentence: &str) -> Response {
    let mut response = go(to);
    let cookie = format!(
        "{SAID_COOKIE}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age=60",
        encoded(sentence)
    );
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}

/// Forgets the sentence of [`done`] once it has been shown.
pub fn forget_said(response: &mut Response) {
    let cookie = format!("{SAID_COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// A text in the characters that a cookie or an address can hold.
pub fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.is_empty() && text.len() <= 2000)
}

/// Where to go after signing in or changing the language: a path of this server, never elsewhere.
pub fn safe_path(path: &str) -> &str {
    let fine = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.chars().any(char::is_control);
    if fine { path } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_survives_the_cookie() {
        for text in ["第4轮已发布。", "100% “sure”; a=b", "李🐼"] {
            assert_eq!(decoded(&encoded(text)).as_deref(), Some(text));
        }
        assert_eq!(decoded("%zz"), None);
        assert_eq!(decoded("%4"), None);
        assert_eq!(decoded("%ff%fe"), None);
    }

    #[test]
    fn a_chinese_address_fits_into_a_header() {
        let response = go("/e/东湖杯?q=a b#board-3");
        assert_eq!(
            response.headers()["location"],
            "/e/%E4%B8%9C%E6%B9%96%E6%9D%AF?q=a%20b#board-3"
        );
    }

    #[test]
    fn a_fault_of_a_form_names_its_field_in_the_readers_language() {
        let fields = [
            "by",
            "margin",
            "results[3].margin",
            "lot",
            "lots",
            "number",
            "name",
            "team",
            "category",
            "grade",
            "rating",
            "seed",
            "start_score",
            "withdrawn_after",
            "absent_rounds",
            "bye_rounds",
            "event.rounds",
            "event.first_round",
            "event.ranking[2]",
            "event.pairing.avoid_team_rounds",
            "event.pairing.bye_score",
            "event.pairing.absent_score",
            "event.pairing.stop_at",
            "event.pairing.forbidden_pairs[0]",
            "event.pairing.unwanted_pairs[0]",
            "komi",
            "rules",
            "time_zone",
            "round_starts",
            "place",
            "slug",
            "pairs",
            "apart",
            "byes",
            "sitting_out",
            "carried",
            "rounds[0].boards[3].by",
            "board_size",
        ];
        for t in Language::ALL {
            for path in fields {
                let told = field(t, path);
                assert!(!told.contains(['_', '[', '.']) && told != "by", "{path}: {told}");
            }
        }
    }

    #[test]
    fn nobody_is_led_away_from_this_server() {
        assert_eq!(safe_path("/manage/e/a?x=1"), "/manage/e/a?x=1");
        for path in [
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "",
            "javascript:alert(1)",
            "/a\nb",
        ] {
            assert_eq!(safe_path(path), "/", "{path}");
        }
    }
}
