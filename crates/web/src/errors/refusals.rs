//! Refusals of the rooms below, as problems: a status, arguments for the sentence, members for programs.

use axum::http::StatusCode;
use interchange::event_file::{NotADate, ProblemKind, Syntax};
use rules::{NotAKomi, RuleSet, UnknownRuleSet};
use serde_json::{Map, Value, json};
use store::{Refused, TableFaults};
use tournament::draw::{Decides, GroupFault, Groups, NumberFault, Word, WordFault};
use tournament::grade::NotAGrade;
use tournament::pairing::{Contradiction, Refusal, RepeatedPair, Rule, Shortage};
use tournament::result::NotAMargin;
use tournament::validate::{self, Fault, FaultKind};
use tournament::{Number, Stage};

use super::{Arg, Args, Error, FieldProblem, Problem};
use crate::i18n::Language;

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Refused(refused) => problem(&refused).into(),
            error if error.is_disk_full() => {
                tracing::error!(cause = %error, "the disk of the database is full");
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "disk-full").into()
            }
            error if error.is_transient() => {
                tracing::warn!(cause = %error, "the database was busy");
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy").into()
            }
            error => Self::internal(error),
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        problem(&refused).into()
    }
}

/// The status: 404 for what is not there, 412 for a version that has passed, 422 for what can
/// never be granted, 409 for what the event's state forbids.
fn status(refused: &Refused) -> StatusCode {
    match refused {
        Refused::UnknownEvent { .. }
        | Refused::UnknownEntry { .. }
        | Refused::UnknownRound { .. }
        | Refused::UnknownBoard { .. }
        | Refused::UnknownUser
        | Refused::UnknownAct { .. }
        | Refused::NoRecord { .. }
        | Refused::UnknownWord { .. }
        | Refused::NothingDrawn { .. }
        | Refused::UnknownInvitation
        | Refused::UnknownBatch
        | Refused::UnknownSignUp
        | Refused::NotAmongPeople
        | Refused::UnknownFamily { .. }
        | Refused::UnknownToken => StatusCode::NOT_FOUND,
        Refused::SetupLinkSpent | Refused::InvitationSpent => StatusCode::GONE,
        Refused::AccountClosed { .. } => StatusCode::FORBIDDEN,
        Refused::Stale { .. } => StatusCode::PRECONDITION_FAILED,
        Refused::BadSlug { .. }
        | Refused::EmptyName
        | Refused::ReasonNeeded
        | Refused::ReasonTooLong { .. }
        | Refused::TooManyGroups { .. }
        | Refused::BadLabel { .. }
        | Refused::LabelTwice { .. }
        | Refused::BadFirstBoard { .. }
        | Refused::RecordSize { .. }
        | Refused::Table { .. }
        | Refused::SameEntry { .. }
        | Refused::BoardTwice { .. }
        | Refused::NotAtBoard { .. }
        | Refused::ColoursAssigned { .. }
        | Refused::Word(_)
        | Refused::NumberDraw(_)
        | Refused::GroupDraw(_)
        | Refused::Faults(_)
        | Refused::Unstorable
        | Refused::SkippedTime { .. }
        | Refused::BeyondRounds { .. }
        | Refused::Constraint { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::CONFLICT,
    }
}

/// A refusal of groups, each told under its name in a language; any other error as it is.
pub fn in_groups(error: store::Error, t: Language) -> Error {
    let store::Error::Refused(Refused::InGroups(groups)) = &error else {
        return error.into();
    };
    let mut whole = problem(&Refused::InGroups(groups.clone()));
    for (label, refused) in groups {
        let one = problem(refused);
        let detail = |path: String, sentence: String| FieldProblem {
            path,
            code: one.code.clone(),
            fallback: sentence,
            ..FieldProblem::default()
        };
        whole.errors.push(detail(label.clone(), one.detail(t)));
        for fault in &one.errors {
            whole.errors.push(detail(label.clone(), fault.told(t).detail));
        }
    }
    whole.into()
}

fn problem(refused: &Refused) -> Problem {
    // The same answer as for an address that leads nowhere: whether a draft or a hidden event is
    // there cannot be told from it.
    let mut problem = Problem::new(status(refused), refused.code()).or_say(sentence(refused));
    if let Refused::Faults(faults) = refused {
        problem.code = "invalid".into();
        return problem.faults(faults.iter().map(fault).collect());
    }
    if let Refused::Pairing(Refusal::Contradictions { found, .. }) = refused {
        problem.errors = found.iter().map(contradiction).collect();
    }
    let (args, extras) = parts(refused);
    problem.args = args;
    if let Value::Object(members) = extras {
        problem.extras = members;
    }
    problem
}

/// The refusal's own English, as a sentence.
fn sentence(refused: &Refused) -> String {
    let text = refused.to_string();
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

fn numbers(numbers: &[Number]) -> Vec<u32> {
    numbers.iter().map(|number| number.get()).collect()
}

fn pairs_json(pairs: &[RepeatedPair]) -> Value {
    pairs
        .iter()
        .map(|pair| json!({"first": pair.first.get(), "second": pair.second.get(), "times": pair.times}))
        .collect()
}

fn pairs_list(pairs: &[RepeatedPair]) -> Arg {
    Arg::list(pairs.iter().map(|pair| format!("{}–{}", pair.first, pair.second)))
}

fn parts(refused: &Refused) -> (Args, Value) {
    match refused {
        Refused::UnknownEvent { key } | Refused::UnknownFamily { key } => {
            (vec![("key", key.as_str().into())], Value::Null)
        }
        Refused::UnknownRound { round }
        | Refused::NotPublished { round }
        | Refused::RoundsBegun { round } => (vec![("round", (*round).into())], json!({"round": round})),
        Refused::UnknownBoard { round, board }
        | Refused::NoRecord { round, board }
        | Refused::RecordFromDirector { round, board }
        | Refused::RecordIsWithdrawn { round, board } => (
            vec![("round", (*round).into()), ("board", (*board).into())],
            json!({"round": round, "board": board}),
        ),
        Refused::TooManyGroups { found, most } => (
            vec![("found", (*found).into()), ("most", (*most).into())],
            Value::Null,
        ),
        Refused::BadLabel { label, most } => (
            vec![("label", label.as_str().into()), ("most", (*most).into())],
            Value::Null,
        ),
        Refused::BadFirstBoard { label, most } => (
            vec![("label", label.as_str().into()), ("most", (*most).into())],
            Value::Null,
        ),
        Refused::LabelTwice { label } => (vec![("label", label.as_str().into())], Value::Null),
        Refused::GroupElsewhere { label, family } => (
            vec![
                ("label", label.as_str().into()),
                ("family", family.as_str().into()),
            ],
            Value::Null,
        ),
        Refused::GroupsPaired { labels } => (vec![("labels", Arg::list(labels))], json!({"groups": labels})),
        Refused::InGroups(groups) => (
            vec![("groups", Arg::list(groups.iter().map(|(label, _)| label)))],
            Value::Null,
        ),
        Refused::Overtaken { numbers: them } | Refused::WithoutCategory { numbers: them } => (
            vec![("numbers", Arg::list(them))],
            json!({"numbers": numbers(them)}),
        ),
        Refused::SignUpDecided { sign_up } => {
            (vec![("number", (*sign_up).into())], json!({"sign_up": sign_up}))
        }
        Refused::Stale { current } => (vec![], json!({"version": current})),
        Refused::SlugTaken { slug } | Refused::BadSlug { slug } => {
            (vec![("slug", slug.as_str().into())], Value::Null)
        }
        Refused::UserExists { name }
        | Refused::LastAdmin { name }
        | Refused::LastDirector { name }
        | Refused::AccountClosed { name } => (vec![("name", name.as_str().into())], Value::Null),
        Refused::UnknownEntry { number }
        | Refused::NumberTaken { number }
        | Refused::NotWithdrawn { number }
        | Refused::SameEntry { number } => (
            vec![("number", (*number).into())],
            json!({"number": number.get()}),
        ),
        Refused::Frozen { by, at } => (
            vec![("by", by.as_str().into()), ("at", (*at).into())],
            json!({"by": by, "at": at}),
        ),
        Refused::NotFinished { boards } => {
            let told = boards
                .iter()
                .take(12)
                .map(|(round, board)| format!("{round}–{board}"));
            let more = (boards.len() > 12).then(|| "…".to_owned());
            (
                vec![("boards", Arg::list(told.chain(more)))],
                json!({"boards": boards.iter().map(|(round, board)| json!({"round": round, "board": board})).collect::<Vec<_>>()}),
            )
        }
        Refused::NoNumberLeft { last } => (vec![("last", (*last).into())], Value::Null),
        Refused::FewerThanPaired { planned, last } => (
            vec![("planned", (*planned).into()), ("last", (*last).into())],
            json!({"last": last}),
        ),
        Refused::SkippedTime { round, local, zone } => (
            vec![
                ("round", (*round).into()),
                ("local", local.format("%Y-%m-%d %H:%M").to_string().into()),
                ("zone", zone.as_str().into()),
            ],
            json!({"round": round, "local": local.format("%Y-%m-%dT%H:%M").to_string(), "time_zone": zone}),
        ),
        Refused::DraftExists { round, by, at } | Refused::RoundExists { round, by, at } => (
            vec![
                ("round", (*round).into()),
                ("by", by.as_str().into()),
                ("at", (*at).into()),
            ],
            json!({"round": round, "by": by, "at": at}),
        ),
        Refused::BeyondRounds {
            round,
            least,
            planned,
        } => (
            vec![
                ("round", (*round).into()),
                ("least", (*least).into()),
                ("planned", (*planned).into()),
            ],
            json!({"round": round, "least": least, "planned": planned}),
        ),
        Refused::NotNextRound { round, next } => (
            vec![("round", (*round).into()), ("next", (*next).into())],
            json!({"round": round, "next": next}),
        ),
        Refused::NotLastRound { round, last } => (
            vec![("round", (*round).into()), ("last", (*last).into())],
            json!({"round": round, "last": last}),
        ),
        Refused::UnknownAct { seq } => (vec![("seq", (*seq).into())], json!({"seq": seq})),
        Refused::NoUndo { seq, action } => {
            let way = store::undo::undoing(*action).as_str();
            (
                vec![("seq", (*seq).into()), ("way", way.into())],
                json!({"seq": seq, "action": action.as_str(), "way": way}),
            )
        }
        Refused::ChangedSince { seq, later, action } => (
            vec![("seq", (*seq).into()), ("later", (*later).into())],
            json!({"seq": seq, "later": later, "action": action.as_str()}),
        ),
        Refused::HasResults { round, boards } => (
            vec![
                ("round", (*round).into()),
                ("boards", Arg::list(boards)),
                ("count", boards.len().into()),
            ],
            json!({"round": round, "boards": boards}),
        ),
        Refused::TooManyRecords { round, board, most } => (
            vec![
                ("round", (*round).into()),
                ("board", (*board).into()),
                ("most", (*most).into()),
            ],
            json!({"round": round, "board": board, "most": most}),
        ),
        Refused::RecordSize { most } => (vec![("most", (*most).into())], json!({"most": most})),
        Refused::BoardTwice { board } => (vec![("board", (*board).into())], json!({"board": board})),
        Refused::Pairing(refusal) => pairing(refusal),
        Refused::Outdated { .. } | Refused::Table { .. } | Refused::Repeats { .. } => table(refused),
        Refused::NothingPromised { decides }
        | Refused::WordsClosed { decides }
        | Refused::NothingDrawn { decides } => (draw(*decides), json!({"draw": decides.to_string()})),
        Refused::DrawnAlready { decides, at } => {
            let mut args = draw(*decides);
            args.push(("at", (*at).into()));
            (args, json!({"draw": decides.to_string(), "at": at}))
        }
        Refused::TooManyWords { most } => (vec![("most", (*most).into())], Value::Null),
        Refused::UnknownWord { position } => (vec![("position", (*position).into())], Value::Null),
        Refused::CategoriesThere { numbers: named } => (
            vec![("count", named.len().into())],
            json!({"numbers": numbers(named)}),
        ),
        Refused::Word(WordFault::TooLong { characters }) => (
            vec![("characters", (*characters).into()), ("most", Word::MAX.into())],
            Value::Null,
        ),
        Refused::ReasonTooLong { characters, most } => (
            vec![("characters", (*characters).into()), ("most", (*most).into())],
            json!({"most": most}),
        ),
        Refused::NumberDraw(fault) => (number_draw(fault), Value::Null),
        Refused::GroupDraw(fault) => (group_draw(fault), Value::Null),
        refused => of_entry(refused),
    }
}

/// A draw in a sentence: its kind, and the round of one.
fn draw(decides: Decides) -> Args {
    match decides {
        Decides::Round(round) => vec![("kind", "round".into()), ("round", round.into())],
        _ => vec![("kind", decides.to_string().into()), ("round", 0.into())],
    }
}

fn number_draw(fault: &NumberFault) -> Args {
    match fault {
        NumberFault::TooMany { entries } => {
            vec![("entries", (*entries).into()), ("most", Number::MAX.into())]
        }
        NumberFault::SlotCount { seeded, slots } => {
            vec![("seeded", (*seeded).into()), ("slots", (*slots).into())]
        }
        NumberFault::NoSuchSlot { slot, entries } => {
            vec![("slot", (*slot).into()), ("entries", (*entries).into())]
        }
        NumberFault::SlotOrder { slot } => vec![("slot", (*slot).into())],
        NumberFault::Seeded { place, entries } => {
            vec![("place", (*place).into()), ("entries", (*entries).into())]
        }
    }
}

fn group_draw(fault: &GroupFault) -> Args {
    match fault {
        GroupFault::Groups { groups } => vec![("groups", (*groups).into()), ("most", Groups::MAX.into())],
        GroupFault::TooFewEntries { entries, groups } => {
            vec![("entries", (*entries).into()), ("groups", (*groups).into())]
        }
        GroupFault::Layer => vec![],
    }
}

/// Refusals about the table of a round as a whole.
fn table(refused: &Refused) -> (Args, Value) {
    match refused {
        Refused::Outdated {
            round,
            results,
            gone,
            unseated,
        } => (
            vec![
                ("round", (*round).into()),
                ("results_count", results.len().into()),
                (
                    "results",
                    Arg::list(results.iter().map(|(round, board)| format!("{round}/{board}"))),
                ),
                ("gone_count", gone.len().into()),
                ("gone", Arg::list(gone)),
                ("unseated_count", unseated.len().into()),
                ("unseated", Arg::list(unseated)),
            ],
            json!({
                "round": round,
                "results": results.iter().map(|(round, board)| json!({"round": round, "board": board}))
                    .collect::<Vec<_>>(),
                "gone": numbers(gone),
                "unseated": numbers(unseated),
            }),
        ),
        Refused::Table(faults) => table_faults(faults),
        Refused::Repeats { round, pairs } => (
            vec![("round", (*round).into()), ("pairs", pairs_list(pairs))],
            json!({"round": round, "pairs": pairs_json(pairs)}),
        ),
        _ => (vec![], Value::Null),
    }
}

fn table_faults(faults: &TableFaults) -> (Args, Value) {
    let lists = [
        ("twice", "twice_count", &faults.twice),
        (
            "against_oneself",
            "against_oneself_count",
            &faults.against_oneself,
        ),
        ("missing", "missing_count", &faults.missing),
        ("not_playing", "not_playing_count", &faults.not_playing),
        ("unknown", "unknown_count", &faults.unknown),
        ("too_many_byes", "too_many_byes_count", &faults.too_many_byes),
    ];
    let mut args = Args::new();
    let mut members = Map::new();
    for (name, count, list) in lists {
        args.push((name, Arg::list(list)));
        args.push((count, list.len().into()));
        members.insert(name.to_owned(), numbers(list).into());
    }
    (args, members.into())
}

/// Refusals about what one entry did or does.
fn of_entry(refused: &Refused) -> (Args, Value) {
    match refused {
        Refused::HasPlayed { number, rounds } => (
            vec![("number", (*number).into()), ("rounds", Arg::list(rounds))],
            json!({"number": number.get(), "rounds": rounds}),
        ),
        Refused::MetInCarried { number, by } => (
            vec![("number", (*number).into()), ("by", Arg::list(by))],
            json!({"number": number.get(), "by": numbers(by)}),
        ),
        Refused::AlreadyWithdrawn { number, after } | Refused::ReturnTooEarly { number, after } => (
            vec![("number", (*number).into()), ("after", (*after).into())],
            json!({"number": number.get(), "after": after}),
        ),
        Refused::SeatedNow { number, round, board }
        | Refused::HasBoard { number, round, board }
        | Refused::NotAtBoard { number, round, board } => (
            vec![
                ("number", (*number).into()),
                ("round", (*round).into()),
                ("board", (*board).into()),
            ],
            json!({"number": number.get(), "round": round, "board": board}),
        ),
        Refused::ColoursAssigned { round, board, black } => (
            vec![
                ("number", black.get().into()),
                ("round", (*round).into()),
                ("board", (*board).into()),
            ],
            json!({"round": round, "board": board, "black": black.get()}),
        ),
        Refused::ResultCounts { round, board } => (
            vec![("round", (*round).into()), ("board", (*board).into())],
            json!({"round": round, "board": board}),
        ),
        Refused::OnTable { number, round }
        | Refused::PlayedLater { number, round }
        | Refused::PublishedSince { number, round }
        | Refused::HasNoPlace { number, round }
        | Refused::NotPlaying { number, round } => (
            vec![("number", (*number).into()), ("round", (*round).into())],
            json!({"number": number.get(), "round": round}),
        ),
        _ => (vec![], Value::Null),
    }
}

fn pairing(refusal: &Refusal) -> (Args, Value) {
    match refusal {
        Refusal::MissingResults { round, boards } => (
            vec![
                ("round", (*round).into()),
                ("count", boards.len().into()),
                (
                    "boards",
                    Arg::list(
                        boards
                            .iter()
                            .map(|b| format!("{} ({}–{})", b.board, b.black, b.white)),
                    ),
                ),
            ],
            json!({
                "round": round,
                "boards": boards
                    .iter()
                    .map(|b| json!({"board": b.board, "black": b.black.get(), "white": b.white.get()}))
                    .collect::<Vec<_>>(),
            }),
        ),
        Refusal::TooFewPlayers { round, active, byes } => (
            vec![
                ("round", (*round).into()),
                ("count", active.len().into()),
                ("active", Arg::list(active)),
                ("given", byes.len().into()),
                ("byes", Arg::list(byes)),
            ],
            json!({"round": round, "active": numbers(active), "byes": numbers(byes)}),
        ),
        Refusal::RepeatsNeeded {
            round,
            pairs,
            because,
        } => {
            let mut args = vec![
                ("round", (*round).into()),
                ("count", pairs.len().into()),
                ("pairs", pairs_list(pairs)),
            ];
            args.extend(shortage(because));
            let members =
                json!({"round": round, "pairs": pairs_json(pairs), "because": shortage_json(because)});
            (args, members)
        }
        Refusal::NoTable { round, because } => {
            let mut args = vec![("round", (*round).into())];
            args.extend(shortage(because));
            (args, json!({"round": round, "because": shortage_json(because)}))
        }
        Refusal::Contradictions { round, found } => (
            vec![("round", (*round).into()), ("count", found.len().into())],
            json!({"round": round}),
        ),
        Refusal::SeedNeeded { round } => (vec![("round", (*round).into())], json!({"round": round})),
        Refusal::NoRoundLeft { planned } => {
            (vec![("planned", (*planned).into())], json!({"planned": planned}))
        }
    }
}

/// A refusal of a pairing with the names of those whom it names by number.
pub fn with_names(error: store::Error, stage: &Stage) -> Error {
    let pairing = matches!(&error, store::Error::Refused(Refused::Pairing(_)));
    let mut error = Error::from(error);
    if let Error::Problem(problem) = &mut error
        && pairing
    {
        name_people(&mut problem.args, stage);
        for fault in &mut problem.errors {
            name_people(&mut fault.args, stage);
        }
    }
    error
}

/// Puts names beside the numbers of entries among the arguments of a sentence.
fn name_people(args: &mut Args, stage: &Stage) {
    let person = |number: &str| -> Option<(u32, String)> {
        let number = Number::new(number.parse().ok()?)?;
        let name = stage.entry(number).map_or("", |entry| entry.name.as_str());
        Some((number.get(), name.to_owned()))
    };
    for (name, arg) in args {
        let groups: Option<Vec<Vec<(u32, String)>>> = match (*name, &*arg) {
            ("number" | "first" | "second", Arg::Number(number)) => {
                person(&number.to_string()).map(|person| vec![vec![person]])
            }
            ("active" | "byes" | "players" | "opponents", Arg::List(numbers)) => numbers
                .iter()
                .map(|number| person(number))
                .collect::<Option<_>>()
                .map(|people| vec![people]),
            ("pairs" | "barred_pairs", Arg::List(pairs)) => pairs
                .iter()
                .map(|pair| {
                    let (one, other) = pair.split_once('–')?;
                    Some(vec![person(one)?, person(other)?])
                })
                .collect(),
            // Groups of more than one, as `shortage` writes them.
            ("players", Arg::Text(groups)) => groups
                .split("; ")
                .map(|group| group.split(' ').map(&person).collect())
                .collect(),
            _ => None,
        };
        if let Some(groups) = groups {
            *arg = Arg::People(groups);
        }
    }
}

/// Who has too few opponents, by name: "The 2 players … have only one possible opponent …".
pub fn shortage_told(t: Language, because: &Shortage, stage: &Stage) -> String {
    let mut args = shortage(because);
    name_people(&mut args, stage);
    t.tell("refusal-shortage", &super::told(&args, t))
}

/// Who has too few opponents, for the message `refusal-shortage`.
fn shortage(shortage: &Shortage) -> Args {
    let alone = shortage.groups.iter().all(|group| group.len() == 1);
    let shape = match (&shortage.groups[..], alone) {
        ([_], true) => "one",
        (_, true) => "each",
        ([_], false) => "group",
        _ => "groups",
    };
    let players = if alone {
        Arg::list(shortage.groups.iter().flatten())
    } else {
        let group = |group: &Vec<Number>| {
            let numbers: Vec<String> = group.iter().map(ToString::to_string).collect();
            numbers.join(" ")
        };
        let groups: Vec<String> = shortage.groups.iter().map(group).collect();
        groups.join("; ").into()
    };
    let phrases = |phrases: Vec<&str>| Arg::Phrases(phrases.into_iter().map(str::to_owned).collect());
    vec![
        ("shape", shape.into()),
        ("groups", shortage.groups.len().into()),
        ("players", players),
        ("room", shortage.opponents.len().into()),
        ("opponents", Arg::list(&shortage.opponents)),
        ("bye", if shortage.bye { "yes" } else { "no" }.into()),
        (
            "rules",
            phrases(shortage.rules.iter().map(|rule| rule.cause()).collect()),
        ),
        ("barred", shortage.pairs.len().into()),
        (
            "barred_pairs",
            Arg::list(shortage.pairs.iter().map(|(one, other)| format!("{one}–{other}"))),
        ),
        ("ways", phrases(shortage.ways_out())),
    ]
}

fn shortage_json(shortage: &Shortage) -> Value {
    let codes = |rules: &[Rule]| -> Vec<&str> { rules.iter().map(|rule| rule.code()).collect() };
    let pairs = shortage.pairs.iter();
    json!({
        "groups": shortage.groups.iter().map(|group| numbers(group)).collect::<Vec<_>>(),
        "opponents": numbers(&shortage.opponents),
        "bye": shortage.bye,
        "rules": codes(&shortage.rules),
        "pairs": pairs.map(|(one, other)| [one.get(), other.get()]).collect::<Vec<_>>(),
        "lift": codes(&shortage.lift),
    })
}

/// Choices that cannot all be kept.
fn contradiction(found: &Contradiction) -> FieldProblem {
    let args = match *found {
        Contradiction::Unknown(number)
        | Contradiction::Oneself(number)
        | Contradiction::NotPlaying(number)
        | Contradiction::Stopped(number) => vec![("number", number.into())],
        Contradiction::TwoPairs {
            number,
            first,
            second,
        } => vec![
            ("number", number.into()),
            ("first", first.into()),
            ("second", second.into()),
        ],
        Contradiction::MeetAndApart { first, second } => {
            vec![("first", first.into()), ("second", second.into())]
        }
        Contradiction::Barred { first, second, rule } => vec![
            ("first", first.into()),
            ("second", second.into()),
            ("rule", Arg::Phrase(rule.cause().to_owned())),
        ],
        Contradiction::TwoPlaces {
            number,
            first,
            second,
        } => vec![
            ("number", number.into()),
            ("first", Arg::Phrase(first.words().to_owned())),
            ("second", Arg::Phrase(second.words().to_owned())),
        ],
    };
    FieldProblem {
        code: format!("choice-{}", found.code()).into(),
        args,
        fallback: found.to_string(),
        ..FieldProblem::default()
    }
}

/// A fault of an event, with its place.
pub(crate) fn fault(fault: &Fault) -> FieldProblem {
    FieldProblem {
        path: fault.path.clone(),
        code: fault.kind.code().into(),
        args: fault_args(&fault.kind),
        fallback: fault.kind.to_string(),
        line: None,
        column: None,
    }
}

/// What a field of the event file is called beside the forms.
fn field_term(field: &str) -> Arg {
    Arg::Term(match field {
        "by" => "result-by".into(),
        _ => format!("log-field-{}", field.replace('_', "-")).into(),
    })
}

pub(crate) fn fault_args(kind: &FaultKind) -> Args {
    match kind {
        FaultKind::DuplicateNumber(number)
        | FaultKind::UnknownNumber(number)
        | FaultKind::DuplicateLot(number)
        | FaultKind::PairOfOne(number)
        | FaultKind::MetOneself(number) => vec![("number", (*number).into())],
        FaultKind::TwoBoards {
            number,
            round,
            first,
            second,
        } => vec![
            ("number", (*number).into()),
            ("round", (*round).into()),
            ("first", (*first).into()),
            ("second", (*second).into()),
        ],
        FaultKind::DuplicatePair { first, second } => {
            vec![("first", (*first).into()), ("second", (*second).into())]
        }
        FaultKind::AgainstOneself { number, round, board } => vec![
            ("number", (*number).into()),
            ("round", (*round).into()),
            ("board", (*board).into()),
        ],
        FaultKind::TwoPlaces {
            number,
            round,
            first,
            second,
        } => vec![
            ("number", (*number).into()),
            ("round", (*round).into()),
            ("first", Arg::Phrase((*first).to_owned())),
            ("second", Arg::Phrase((*second).to_owned())),
        ],
        FaultKind::ListedTwice { number, round } | FaultKind::ByeWhileAbsent { number, round } => {
            vec![("number", (*number).into()), ("round", (*round).into())]
        }
        FaultKind::DuplicateBoard { board, round } => {
            vec![("board", (*board).into()), ("round", (*round).into())]
        }
        FaultKind::RoundOutOfOrder { found, expected } => {
            vec![("found", (*found).into()), ("expected", (*expected).into())]
        }
        FaultKind::TooManyRounds { round, planned } => {
            vec![("round", (*round).into()), ("planned", (*planned).into())]
        }
        FaultKind::NegativeScore(score) => vec![("score", (*score).into())],
        FaultKind::OutOfRange { found, least, most } => vec![
            ("found", (*found).into()),
            ("least", (*least).into()),
            ("most", (*most).into()),
        ],
        FaultKind::UnlikelyYear(found) => vec![
            ("found", (*found).into()),
            ("least", validate::YEAR_LEAST.into()),
            ("most", validate::YEAR_MOST.into()),
        ],
        FaultKind::UnlikelyKomi { found, most } => {
            vec![("found", quoted(found)), ("most", (*most).into())]
        }
        FaultKind::NotInTheUnit { field, found, unit } => vec![
            ("field", field_term(field)),
            ("found", quoted(found)),
            ("unit", Arg::Phrase((*unit).to_owned())),
        ],
        FaultKind::TooLong(most) => vec![("most", (*most).into())],
        FaultKind::NotWithResult(field) | FaultKind::NotPending(field) => {
            vec![("field", field_term(field))]
        }
        FaultKind::DuplicateCriterion(criterion) => {
            vec![(
                "criterion",
                Arg::Term(format!("criterion-{criterion}.short").into()),
            )]
        }
        FaultKind::BoardZero
        | FaultKind::EmptyName
        | FaultKind::ControlCharacter
        | FaultKind::NoCriterion => vec![],
    }
}

impl From<Vec<interchange::Problem>> for Error {
    /// An event file that is refused, with every fault.
    fn from(faults: Vec<interchange::Problem>) -> Self {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad-file")
            .faults(faults.iter().map(fault_of_file).collect())
            .into()
    }
}

/// A fault of an event file, with its place in the text.
fn fault_of_file(fault: &interchange::Problem) -> FieldProblem {
    let usize = |n: u32| usize::try_from(n).ok();
    FieldProblem {
        path: fault.path.clone(),
        code: fault.code().into(),
        args: file_args(&fault.kind),
        fallback: fault.kind.to_string(),
        line: usize(fault.line),
        column: usize(fault.column),
    }
}

fn file_args(kind: &ProblemKind) -> Args {
    let phrase = |text: &str| Arg::Phrase(text.to_owned());
    match kind {
        ProblemKind::Syntax(Syntax::Unexpected { expected, .. }) => {
            let what = format!("something else stands where {expected} should come");
            vec![("what", phrase(&what))]
        }
        ProblemKind::Syntax(syntax) => vec![("what", phrase(&syntax.to_string()))],
        ProblemKind::WrongVersion(found)
        | ProblemKind::NotWhole(found)
        | ProblemKind::Grade(NotAGrade(found))
        | ProblemKind::Margin(NotAMargin(found))
        | ProblemKind::Komi(NotAKomi(found))
        | ProblemKind::Date(NotADate(found))
        | ProblemKind::NotASeed(found)
        | ProblemKind::NotATimeZone(found)
        | ProblemKind::NotALocalTime(found)
        | ProblemKind::NotAMoment(found) => vec![("found", quoted(found))],
        ProblemKind::SkippedTime { local, zone } => {
            vec![
                ("local", quoted(local)),
                ("zone", Arg::Phrase((*zone).to_owned())),
            ]
        }
        ProblemKind::RoundTwice(round) => vec![("round", (*round).into())],
        ProblemKind::NoSuchBoard { round, board } | ProblemKind::FinalButPending { round, board } => {
            vec![("round", (*round).into()), ("board", (*board).into())]
        }
        ProblemKind::UnknownField { field, known } => {
            vec![("field", quoted(field)), ("known", known.as_str().into())]
        }
        ProblemKind::DuplicateField(field) => vec![("field", quoted(field))],
        ProblemKind::MissingField(field) => vec![("field", (*field).into())],
        ProblemKind::WrongType { expected, found } => {
            vec![("expected", phrase(expected)), ("found", phrase(found))]
        }
        ProblemKind::OutOfRange { found, least, most } => vec![
            ("found", (*found).into()),
            ("least", (*least).into()),
            ("most", (*most).into()),
        ],
        ProblemKind::UnknownWord { found, expected } => {
            vec![("found", quoted(found)), ("expected", expected.as_str().into())]
        }
        ProblemKind::Rules(UnknownRuleSet(found)) => {
            vec![("found", quoted(found)), ("expected", Arg::list(RuleSet::ALL))]
        }
        ProblemKind::Fault(kind) => fault_args(kind),
        ProblemKind::MoreProblems(count) => vec![("count", (*count).into())],
        ProblemKind::WrongFormat | ProblemKind::SizeWithoutBalance | ProblemKind::CarriedFromNowhere => {
            vec![]
        }
    }
}

/// A piece of what was sent, not longer than a sentence bears.
pub(crate) fn quoted(text: &str) -> Arg {
    let mut short: String = text
        .chars()
        .take(60)
        .map(|c| {
            if c.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    Arg::Text(short)
}

#[cfg(test)]
mod tests {
    use store::Refused;

    use super::*;
    use crate::i18n::Language;

    #[test]
    fn missing_results_are_named_in_both_languages_and_for_programs() {
        let number = |n| Number::new(n).expect("a number");
        let board = |board, black, white| tournament::pairing::OpenBoard {
            board,
            black: number(black),
            white: number(white),
        };
        let refusal = Refusal::MissingResults {
            round: 2,
            boards: vec![board(2, 3, 4), board(5, 9, 10)],
        };
        let problem = problem(&Refused::Pairing(refusal));
        assert_eq!(problem.status, StatusCode::CONFLICT);
        assert_eq!(
            problem.detail(Language::English),
            "Round 2 has no result yet on boards 2 (3–4), 5 (9–10). Enter them, or confirm that the \
             pairing counts them as draws for now."
        );
        assert_eq!(
            problem.detail(Language::Chinese),
            "第2轮还缺2台成绩：2 (3–4)、5 (9–10)。请录入，或确认本次编排暂按和棋计算。"
        );
        let told = serde_json::to_value(problem.told(Language::English)).expect("JSON");
        assert_eq!(told["type"], "/problems/missing-results");
        assert_eq!(told["boards"][1], json!({"board": 5, "black": 9, "white": 10}));
    }

    #[test]
    fn a_table_that_cannot_be_names_only_what_is_wrong_with_it() {
        let refused = Refused::Table(Box::new(TableFaults {
            twice: vec![Number::new(1).expect("a number")],
            missing: vec![Number::new(6).expect("a number")],
            ..TableFaults::default()
        }));
        assert_eq!(
            problem(&refused).detail(Language::English),
            "This table cannot be — on more than one place: 1 — without a place: 6. Seat everybody once."
        );
    }

    #[test]
    fn why_a_file_is_no_json_is_said_in_the_readers_language() {
        let deep = "[".repeat(100);
        let files = [
            "",
            "{",
            "{\"a\"",
            "{\"a\":",
            "[1",
            "\"a",
            "x",
            "{1",
            "{\"a\" 1",
            "[1 2",
            "{\"a\": 1 2",
            "[1,]",
            "{} x",
            "\"a\nb\"",
            "\"\\q\"",
            "\"\\ud800\"",
            "01",
            &deep,
        ];
        for file in files {
            let problems = interchange::read(file.as_bytes()).expect_err("no JSON");
            let detail = fault_of_file(&problems[0]).told(Language::Chinese).detail;
            let english = detail
                .split(|c: char| !c.is_ascii_lowercase())
                .any(|word| word.len() > 2);
            assert!(!english, "{file:?}: {detail}");
        }
    }

    #[test]
    fn places_are_named_in_words() {
        let kind = FaultKind::TwoPlaces {
            number: Number::new(7).expect("a number"),
            round: 3,
            first: "a board",
            second: "a bye",
        };
        let told = fault(&Fault {
            path: "rounds[2].byes[0]".to_owned(),
            kind,
        })
        .told(Language::English);
        assert_eq!(
            told.detail,
            "Player 7 has two places in round 3, a board and a bye: keep one of them."
        );
    }

    /// The words in the `code` functions of a source file.
    fn codes(path: &str) -> Vec<String> {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(path);
        let source = std::fs::read_to_string(&path).expect("a source file of the project");
        let functions = source.split("pub fn code(").skip(1);
        functions
            .flat_map(|function| {
                let body = function.split("\n    }\n").next().unwrap_or_default();
                body.split("=> \"")
                    .skip(1)
                    .filter_map(|rest| Some(rest.split('"').next()?.to_owned()))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn every_refusal_and_every_fault_of_the_rooms_below_is_said_in_both_languages() {
        let refusals = [
            codes("store/src/error.rs"),
            codes("tournament/src/pairing/mod.rs"),
        ]
        .concat();
        let faults = [
            codes("tournament/src/validate.rs"),
            codes("interchange/src/event_file/problem.rs"),
        ]
        .concat();
        assert!(
            refusals.len() > 40 && faults.len() > 30,
            "{} {}",
            refusals.len(),
            faults.len()
        );
        for language in Language::ALL {
            // Faults are told one by one under the title of `invalid`.
            for code in refusals.iter().filter(|code| *code != "faults") {
                for key in [format!("refusal-{code}"), format!("refusal-{code}.title")] {
                    assert!(language.knows(&key), "{key} in {}", language.tag());
                }
            }
            for code in &faults {
                let key = format!("fault-{code}");
                assert!(language.knows(&key), "{key} in {}", language.tag());
            }
        }
    }
}
