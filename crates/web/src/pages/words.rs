//! The field's terms in the reader's language: results, criteria, colours, grades, moments.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use rules::{RuleSet, Unit};
use store::Role;
use store::Schedule;
use tournament::tally::{Kind, Played};
use tournament::{Board, By, Criterion, Entry, Grade, Outcome, Side, Stage};

use super::frame::ProblemView;
use crate::hall;
use crate::i18n::Language;

/// A small word with a border around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The word.
    pub word: String,
    /// Whether it wants to be looked at.
    pub now: bool,
}

impl Mark {
    /// A quiet mark.
    pub fn quiet(word: String) -> Self {
        Self { word, now: false }
    }

    /// A mark to be looked at.
    pub fn now(word: String) -> Self {
        Self { word, now: true }
    }
}

/// A term with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The term.
    pub term: String,
    /// The value.
    pub value: String,
}

impl Fact {
    /// A fact.
    pub fn new(term: String, value: impl std::fmt::Display) -> Self {
        Self {
            term,
            value: value.to_string(),
        }
    }
}

/// A result: 黑胜, White wins.
pub fn outcome(t: Language, outcome: Outcome) -> String {
    t.say(&format!("outcome-{}", outcome.as_str()))
}

/// The result of a board, nothing while it is pending. Where colours come from nigiri and are not
/// known, by number: 3号胜.
pub fn result(t: Language, board: &Board) -> String {
    match board.result {
        None => String::new(),
        Some(result) if board.nigiri => outcome_by_number(t, board, result),
        Some(result) => outcome(t, result),
    }
}

/// A result that names the players of a board by their numbers, not by their colours.
pub fn outcome_by_number(t: Language, board: &Board, result: Outcome) -> String {
    let (key, side) = match result {
        Outcome::Black => ("number-won", Side::Black),
        Outcome::White => ("number-won", Side::White),
        Outcome::BlackForfeit => ("number-forfeited", Side::Black),
        Outcome::WhiteForfeit => ("number-forfeited", Side::White),
        Outcome::Draw | Outcome::BothLose | Outcome::BothForfeit => return outcome(t, result),
    };
    t.with(key, "number", board.on(side).get())
}

/// How a game ended: 中盘, on time.
pub fn by(t: Language, by: By) -> String {
    t.say(&format!("by-{}", by.as_str()))
}

/// Quarters of a unit as people write them: 3¾.
pub fn quarters(quarters: u32) -> String {
    let fraction = ["", "¼", "½", "¾"][(quarters % 4) as usize];
    match quarters / 4 {
        0 if !fraction.is_empty() => fraction.to_owned(),
        whole => format!("{whole}{fraction}"),
    }
}

/// What is known of a result beside who won: the way, the margin, the warnings.
pub fn result_details(t: Language, unit: Unit, board: &Board) -> String {
    let mut parts = Vec::new();
    match (board.by, board.margin) {
        (Some(By::Count) | None, Some(margin)) => {
            let key = match unit {
                Unit::Stones => "margin-stones",
                Unit::Points => "margin-points",
            };
            parts.push(t.with(key, "margin", quarters(u32::from(margin.quarters()))));
        }
        (Some(way), _) => parts.push(by(t, way)),
        (None, None) => {}
    }
    for (side, key) in [(Side::Black, "warned-black"), (Side::White, "warned-white")] {
        let count = board.warnings.of(side);
        if count > 0 && board.nigiri {
            parts.push(t.with2("warned-number", "number", board.on(side).get(), "count", count));
        } else if count > 0 {
            parts.push(t.with(key, "count", count));
        }
    }
    t.list(parts)
}

/// The colour that a player is owed: 多白1 when White was played once more, 平 when neither.
pub fn balance(t: Language, balance: i32) -> String {
    match balance {
        0 => t.say("balance-even"),
        1.. => t.with("balance-white", "count", balance),
        _ => t.with("balance-black", "count", -balance),
    }
}

/// The short name of a criterion, for the head of a column.
pub fn criterion_short(t: Language, criterion: Criterion) -> String {
    t.say(&format!("criterion-{}.short", criterion.as_str()))
}

/// The name of a criterion.
pub fn criterion(t: Language, criterion: Criterion) -> String {
    if let Criterion::OpponentsScoreCut { low, high } = criterion {
        return t.with2("criterion-opponents_score_cut", "low", low, "high", high);
    }
    t.say(&format!("criterion-{}", criterion.as_str()))
}

/// The rules of the game.
pub fn rules(t: Language, rules: RuleSet) -> String {
    t.say(&format!("rules-{}", rules.slug()))
}

/// A grade: 九段 for a professional, 5段 and 3级 for amateurs; 9p, 5d, 3k in English.
pub fn grade(t: Language, grade: Grade) -> String {
    const NUMERALS: [&str; 10] = ["", "初", "二", "三", "四", "五", "六", "七", "八", "九"];
    match (t, grade) {
        (Language::English, grade) => grade.to_string(),
        (Language::Chinese, Grade::Professional(step)) => {
            format!(
                "{}段",
                NUMERALS.get(usize::from(step)).copied().unwrap_or_default()
            )
        }
        (Language::Chinese, Grade::Dan(step)) => format!("{step}段"),
        (Language::Chinese, Grade::Kyu(step)) => format!("{step}级"),
    }
}

/// A day.
pub fn day(t: Language, day: NaiveDate) -> String {
    match t {
        Language::Chinese => day.format("%Y年%-m月%-d日").to_string(),
        Language::English => day.format("%-d %B %Y").to_string(),
    }
}

/// A moment in the zone of the event in the address, elsewhere in the server's, with the zone.
pub fn moment(t: Language, at: DateTime<Utc>) -> String {
    local(t, hall::local(at))
}

/// The same with the year whichever it is, for what is looked at years later.
pub fn dated(t: Language, at: DateTime<Utc>) -> String {
    with_year(t, hall::local(at))
}

/// A moment as the clock of an event shows it, with year and zone: on paper.
pub fn dated_of(t: Language, schedule: &Schedule, at: DateTime<Utc>) -> String {
    with_year(t, schedule.local(at))
}

fn with_year(t: Language, local: DateTime<FixedOffset>) -> String {
    format!(
        "{} {}",
        local.format(YEAR_AND_CLOCK[usize::from(t == Language::English)]),
        offset(local)
    )
}

/// Day with its year and time, Chinese and English.
const YEAR_AND_CLOCK: [&str; 2] = ["%Y年%-m月%-d日 %H:%M", "%-d %b %Y, %H:%M"];

/// A moment as the clock of an event shows it, with the zone.
pub fn moment_of(t: Language, schedule: &Schedule, at: DateTime<Utc>) -> String {
    local(t, schedule.local(at))
}

/// What a zone is called at a moment: its distance from UTC.
pub fn offset(at: DateTime<FixedOffset>) -> String {
    let minutes = at.offset().local_minus_utc() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    match (minutes.abs() / 60, minutes.abs() % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, rest) => format!("UTC{sign}{hours}:{rest:02}"),
    }
}

/// What the zone of an event is called: its name, and its distance from UTC at a moment.
pub fn zone(schedule: &Schedule, at: DateTime<Utc>) -> String {
    let offset = offset(schedule.local(at));
    match schedule.zone_name() {
        Some(name) if name == offset => offset,
        Some(name) => format!("{name}, {offset}"),
        None => offset,
    }
}

/// A local time with the zone.
pub fn local(t: Language, local: DateTime<FixedOffset>) -> String {
    format!("{} {}", clock(t, local), offset(local))
}

/// A local time for those who are in the zone; with the year where that is not this one.
pub fn clock(t: Language, local: DateTime<FixedOffset>) -> String {
    let format = match t {
        _ if !hall::is_this_year(local) => YEAR_AND_CLOCK[usize::from(t == Language::English)],
        Language::Chinese => "%-m月%-d日 %H:%M",
        Language::English => "%-d %b, %H:%M",
    };
    local.format(format).to_string()
}

/// One game from a player's side: 胜, 负, 和, 轮空, and points where there was no board.
pub fn played(t: Language, played: &Played) -> String {
    match played.kind {
        Kind::Bye => t.with("played-bye", "points", played.points.0),
        Kind::Absent => t.say("played-absent"),
        Kind::Pending => t.say("played-pending"),
        Kind::Forfeit if played.won() => t.say("played-won-by-forfeit"),
        Kind::Forfeit if played.outcome == Some(Outcome::BothForfeit) => t.say("played-both-forfeit"),
        Kind::Forfeit => t.say("played-forfeited"),
        Kind::Game if played.won() => t.say("played-won"),
        Kind::Game => match played.outcome {
            Some(Outcome::Draw) => t.say("played-drawn"),
            Some(Outcome::BothLose) => t.say("played-both-lost"),
            _ => t.say("played-lost"),
        },
    }
}

/// The same in one or two characters, for a cell.
pub fn played_short(t: Language, played: &Played) -> String {
    t.say(match played.kind {
        Kind::Bye => "cell-bye",
        Kind::Absent => "cell-absent",
        Kind::Pending => "cell-pending",
        Kind::Forfeit if played.won() => "cell-won-by-forfeit",
        Kind::Forfeit => "cell-forfeited",
        Kind::Game if played.won() => "cell-won",
        Kind::Game => match played.outcome {
            Some(Outcome::Draw) => "cell-drawn",
            _ => "cell-lost",
        },
    })
}

/// What is to be said of an entry's attendance as of a round: withdrawn, or sitting the round out.
/// A withdrawal shows from its own round on and never in the rounds before it.
pub fn attendance(t: Language, entry: &Entry, round: u32) -> Vec<Mark> {
    match entry.withdrawn_after {
        Some(0) => vec![Mark::quiet(t.say("mark-withdrawn-before"))],
        Some(after) if after < round => vec![Mark::quiet(t.with("mark-withdrawn", "round", after))],
        _ if entry.absent_rounds.contains(&round) => {
            vec![Mark::quiet(t.with("mark-sits-out", "round", round))]
        }
        _ => Vec::new(),
    }
}

/// What directors should see of an entry at one look: that, and whether the name is withheld.
pub fn marks(t: Language, entry: &Entry, round: u32) -> Vec<Mark> {
    let mut marks = attendance(t, entry, round);
    if entry.name_withheld {
        marks.push(Mark::quiet(t.say("name-withheld-mark")));
    }
    marks
}

/// An entry in a sentence: 57号 张三.
pub fn person(t: Language, stage: &Stage, number: tournament::Number) -> String {
    let name = stage.entry(number).map_or("", |entry| entry.name.as_str());
    t.with2("person", "number", number.get(), "name", name)
}

/// A problem with one sentence, when there is one.
pub fn problem(sentence: Option<String>) -> Option<ProblemView> {
    sentence.map(ProblemView::of)
}

/// A role of somebody, on the site or in an event.
pub fn role(t: Language, role: Role) -> String {
    t.say(match role {
        Role::Admin => "role-admin",
        Role::Arbiter => "role-arbiter",
        Role::Viewer => "role-viewer",
        _ => "role-director",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_field_exists_in_every_language() {
        for t in Language::ALL {
            for key in Outcome::ALL
                .map(|o| format!("outcome-{}", o.as_str()))
                .into_iter()
                .chain(By::ALL.map(|b| format!("by-{}", b.as_str())))
                .chain(RuleSet::ALL.map(|r| format!("rules-{}", r.slug())))
                .chain(Criterion::ALL.map(|c| format!("criterion-{}", c.as_str())))
                .chain(Criterion::ALL.map(|c| format!("criterion-{}.short", c.as_str())))
            {
                assert!(t.knows(&key), "{key} in {}", t.tag());
            }
        }
    }

    #[test]
    fn quarters_are_written_as_people_write_them() {
        assert_eq!(
            [15, 3, 2, 12, 49, 0].map(quarters),
            ["3¾", "¾", "½", "3", "12¼", "0"]
        );
    }

    #[test]
    fn a_professional_grade_has_a_chinese_numeral_and_an_amateur_one_a_digit() {
        let told = |text: &str| grade(Language::Chinese, text.parse().expect("a grade"));
        assert_eq!(["1p", "9p", "5d", "3k"].map(told), ["初段", "九段", "5段", "3级"]);
    }
}
