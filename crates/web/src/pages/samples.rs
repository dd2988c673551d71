//! Sample contexts: every template is rendered from them in every language. With `PAGES_OUT` set
//! to a folder, the pages are written there to be looked at.

use std::fs;
use std::path::PathBuf;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use store::accounts::{SessionLine, Token, User};
use store::draws::{Draw, PublicWord, Revealed};
use store::events::{Event, RoundInfo, RoundStatus, Visibility};
use store::people::{Invitation, Offer, Person};
use store::{Actor, Role, Scope, Via};
use tournament::draw::{Decides, EventId, Secret, Word};
use tournament::pairing::{Confirmed, pair};
use tournament::{By, Entry, Number, Outcome, Score, Stage, Warnings};

use super::frame::Visit;
use super::manage;
use crate::extract::Caller;
use crate::i18n::Language;

/// A table of promotion and prizes with something of everything.
fn awards() -> tournament::Awards {
    let text = r#"{"promotion": {"byes_count": true,
        "by_wins": [{"from": "none", "wins": 2, "games": 3, "to": "1d"}, {"from": "no_dan", "wins": 1, "games": 9, "to": "1k"}],
        "by_place": [{"category": "<U12>", "percent": 30, "to": "next"}, {"percent": 50, "to": "5d"}]},
        "prizes": {"list": [{"name": "冠军 <1>", "count": 1}, {"name": "二等奖", "count": 3}, {"name": "U12", "category": "<U12>", "count": 2}]}}"#;
    interchange::event_file::read_awards(text.as_bytes()).expect("tables")
}

/// A moment that never changes.
pub fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 0).expect("a moment")
}

const NAMES: [&str; 17] = [
    "赵青山",
    "钱晓舟",
    "孙望岳",
    "李🐼",
    "周听雨",
    "吴长风",
    "郑归舟",
    "王若水",
    "冯一鸣",
    "陈观棋",
    "O'Neil-Łuczak",
    "\"Ann & Bob\" <x>",
    "محمد علی",
    "Jose\u{301} Núñez",
    "<script>alert(1)</script>",
    "欧阳问津",
    "曾小满",
];
const TEAMS: [&str; 5] = [
    "杭州",
    "北京",
    "成都棋院",
    "上海",
    "中国人民大学附属中学实验学校围棋协会青少年第一代表队（甲组）",
];

/// A family of two groups, and the events that they are.
fn family(one: &Event, other: &Event) -> (store::families::Family, Vec<Event>) {
    let events: Vec<Event> = [one, other]
        .iter()
        .enumerate()
        .map(|(index, event)| Event {
            id: uuid::Uuid::from_u128(index as u128 + 1),
            ..(*event).clone()
        })
        .collect();
    let summary = |event: &Event| store::events::EventSummary {
        id: event.id,
        slug: event.slug.clone(),
        name: event.name.clone(),
        place: event.place.clone(),
        starts_on: event.starts_on,
        visibility: event.visibility,
        entries: 17,
        rounds_planned: 5,
        last_published: event.last_published().map(|info| info.round),
        pending: 3,
        frozen: false,
        created_at: noon(),
        family: Some(("spring".to_owned(), "春季赛 <2027>".to_owned())),
    };
    let group = |(event, label): (&Event, &str)| store::families::Group {
        event: summary(event),
        label: label.to_owned(),
        first_board: 9,
    };
    let family = store::families::Family {
        id: uuid::Uuid::nil(),
        slug: "spring".to_owned(),
        name: "春季赛 <2027>".to_owned(),
        place: Some("杭州".to_owned()),
        starts_on: one.starts_on,
        field: Some(summary(one)),
        groups: events.iter().zip(["甲组 <A>", "B"]).map(group).collect(),
        made_at: noon(),
    };
    (family, events)
}

/// Every page of a family.
#[cfg(test)]
fn family_pages(
    render: &dyn Fn(&str, &dyn askama::DynTemplate),
    anybody: &Visit,
    director: &Visit,
    running: &Event,
    drafted: &Event,
) {
    let (family, events) = family(running, drafted);
    render("family", &super::public::family::view(anybody, &family, true));
    for query in ["", "z", "nobody"] {
        let found = super::public::family::find_view(anybody, &family, &events, query);
        render(&format!("family-find-{query}"), &found);
    }
    let asked = super::public::screen::Asked::default();
    let screen = super::public::family::screen_view(anybody, &family, &events, &asked, String::new(), noon());
    render("family-screen", &screen.expect("a page"));
    let whole = manage::family::Whole {
        people: vec![store::families::FamilyPerson {
            user: uuid::Uuid::nil(),
            name: "裁判长 <1>".to_owned(),
            role: Role::Director,
            since: noon(),
            given_by: "admin".to_owned(),
        }],
        acts: vec![store::families::FamilyAct {
            at: noon(),
            by: "admin".to_owned(),
            action: "family-right-given".to_owned(),
            before: serde_json::Value::Null,
            after: serde_json::json!({"user": "<裁判长>", "right": "director"}),
            reason: None,
        }],
        others: vec![("1".to_owned(), running.name.clone())],
        family: family.clone(),
        events: events.clone(),
    };
    render("family-manage", &manage::family::view(director, &whole));
    render(
        "family-new",
        &manage::family::new_view(director, whole.others, &manage::Fields::default()),
    );
    for which in super::sheets::Which::ALL {
        let sheets = manage::family_print::view(director, &family, &events, which, noon());
        render(&format!("family-{}", which.as_str()), &sheets);
    }
    for (name, parts, family) in [
        ("split", store::families::parts(&event(0, 0, false)), None),
        ("split-none", Ok(vec![("A".to_owned(), vec![number(1)])]), None),
        ("split-already", Ok(Vec::new()), Some(&family)),
    ] {
        let page = manage::family::split_view(director, running, parts, family).expect("a page");
        render(name, &page);
    }
    let list =
        interchange::entries_table::read_text("姓名,组别,单位\n甲,B组,杭州\n乙,C,<x>").expect("a list");
    let (page, plans) = manage::family_import::look(director, &family, &events, list, (true, false));
    assert_eq!(plans.iter().map(|plan| plan.rows.len()).sum::<usize>(), 1);
    assert_eq!(page.rows.iter().filter(|row| row.bad).count(), 1);
    render("family-import", &page);
}

fn number(n: usize) -> Number {
    Number::new(u32::try_from(n).expect("small")).expect("a number")
}

/// An event of 17 players and five rounds, with so many rounds published and the last one having
/// so many results; `draft` adds a draft.
pub fn event(published: u32, results_in_last: usize, draft: bool) -> Event {
    let mut stage = Stage::swiss(5);
    for (index, name) in NAMES.iter().enumerate() {
        let mut entry = Entry::new(number(index + 1), *name);
        entry.team = Some(TEAMS[index % 5].to_owned());
        entry.grade = ["9p", "5d", "3d", "1d", "2k"][index % 5].parse().ok();
        entry.rating = (index % 3 == 0).then_some(2100 + i32::try_from(index).expect("small") * 7);
        entry.category = (index % 4 == 0).then(|| "女子组".to_owned());
        stage.entries.push(entry);
    }
    let mut infos = Vec::new();
    for round in 1..=published + u32::from(draft) {
        if round == 3 {
            stage.entries[6].withdrawn_after = Some(2);
        }
        let paired = pair(&stage, Confirmed::default()).expect("a pairing");
        let mut table = paired.to_round();
        let wanted = if round < published {
            usize::MAX
        } else {
            results_in_last
        };
        if round <= published {
            for (index, board) in table.boards.iter_mut().enumerate().take(wanted) {
                board.result = Some(match (index + round as usize) % 7 {
                    0 | 3 | 5 => Outcome::White,
                    1 if round == 2 => Outcome::Draw,
                    6 if round == 2 => Outcome::WhiteForfeit,
                    _ => Outcome::Black,
                });
                if board.result == Some(Outcome::Black) {
                    board.by = Some(if index % 2 == 0 {
                        By::Resignation
                    } else {
                        By::Count
                    });
                    board.margin = (index % 2 == 1).then(|| "0.75".parse().expect("a margin"));
                    board.warnings = Warnings {
                        black: 0,
                        white: u8::from(index == 4),
                    };
                }
            }
        }
        let status = if round > published {
            RoundStatus::Draft
        } else {
            RoundStatus::Published
        };
        infos.push(RoundInfo {
            round,
            status,
            version: i64::from(round) * 100,
            head: (status == RoundStatus::Published).then(|| head(round.into())),
            edition: if round == 2 { 2 } else { 1 },
            paired_at: noon() + TimeDelta::hours(i64::from(round)),
            paired_by: "裁判长".to_owned(),
            publish_at: None,
            published_at: (status == RoundStatus::Published)
                .then(|| noon() + TimeDelta::hours(i64::from(round))),
            criteria: Some(paired.criteria.clone()),
            free_criteria: None,
            notes: paired.notes.clone(),
            by_hand: false,
            board_versions: table
                .boards
                .iter()
                .map(|board| (board.board, i64::from(board.board) + 1000))
                .collect(),
            made_on_earlier_results: round == 3,
            earlier_results: if round == 3 {
                vec![store::events::EarlierResult {
                    round: 2,
                    board: 1,
                    result: Some(Outcome::White),
                }]
            } else {
                Vec::new()
            },
        });
        stage.rounds.push(table);
    }
    Event {
        id: uuid::Uuid::nil(),
        slug: "spring-open".to_owned(),
        name: "春季公开赛 “天元杯” <2027>".to_owned(),
        rules: rules::RuleSet::Chinese,
        komi: rules::RuleSet::Chinese.default_komi(),
        place: Some("杭州 · 棋院三楼".to_owned()),
        starts_on: NaiveDate::from_ymd_opt(2027, 4, 10),
        schedule: store::Schedule {
            zone: Some(store::Tz::Asia__Shanghai),
            starts: (1..=5)
                .map(|round| (round, "2027-04-10T09:00:00".parse().expect("a time")))
                .collect(),
        },
        visibility: Visibility::Public,
        records: store::events::RecordSettings::default(),
        awards: tournament::Awards::default(),
        results: store::result_links::ResultSettings::default(),
        frozen: None,
        stage,
        rounds: infos,
        draws: draws(published),
        version: 7,
        last_seq: 1,
        head: Some(head(published.into())),
        created_at: noon(),
        updated_at: noon(),
    }
}

fn head(round: i64) -> store::log::LogHead {
    store::log::LogHead {
        seq: round * 100,
        hash: interchange::log_file::LogHash::beginning(&round.to_string()),
    }
}

/// Numbers that were drawn, groups that are promised, and each round by lots.
fn draws(published: u32) -> Vec<Draw> {
    let id = EventId::new(&uuid::Uuid::nil().hyphenated().to_string()).expect("an id");
    let word = |position: u32, word: &str, said_by: Option<&str>| PublicWord {
        position,
        word: Word::new(word).expect("a word"),
        said_by: said_by.map(str::to_owned),
        at: noon(),
    };
    let draw = |decides: Decides, revealed: bool| {
        let secret = Secret([7; 32]);
        let words = vec![
            word(1, "天元 <b>'it’s'</b>", Some("张教练")),
            word(3, "hoshi", None),
        ];
        let spoken: Vec<Word> = words.iter().map(|word| word.word.clone()).collect();
        Draw {
            decides,
            edition: 1,
            commitment: tournament::draw::commitment(&id, decides, secret),
            promised_at: noon(),
            promised_seq: 12,
            late: decides == Decides::Round(2),
            words,
            revealed: revealed.then(|| Revealed {
                secret,
                seed: tournament::draw::seed(&id, decides, secret, &spoken),
                at: noon(),
                seq: 15,
                put_back_at: None,
            }),
        }
    };
    let rounds = (1..=published).map(|round| draw(Decides::Round(round), true));
    [draw(Decides::Numbers, true), draw(Decides::Groups, false)]
        .into_iter()
        .chain(rounds)
        .chain([draw(Decides::Round(published + 1), false)])
        .collect()
}

/// An event without anything in it.
pub fn empty_event() -> Event {
    let mut event = event(0, 0, false);
    event.stage.entries.clear();
    event
}

/// An event taken over midway.
pub fn carried_event() -> Event {
    let mut event = empty_event();
    event.stage.first_round = 4;
    for (index, name) in NAMES.iter().enumerate().take(3) {
        let mut entry = Entry::new(number(index + 1), *name);
        entry.carried = Some(tournament::Carried {
            score: Score(4),
            balance: 1,
            met: Vec::new(),
        });
        event.stage.entries.push(entry);
    }
    event
}

/// Somebody who looks at a page.
pub fn visit(t: Language, director: bool) -> Visit {
    Visit {
        t,
        here: "/e/spring-open".to_owned(),
        caller: Caller::outside_of_events(director.then(|| Actor {
            user: None,
            name: "裁判长".to_owned(),
            role: Role::Admin,
            via: Via::Session,
        })),
        said: director.then(|| "已保存。".to_owned()),
    }
}

/// The pages of accounts, people and links.
fn people_pages(
    director: &Visit,
    anybody: &Visit,
    event: &Event,
    render: &dyn Fn(&str, &dyn askama::DynTemplate),
) {
    let at = |days| noon() + TimeDelta::days(days);
    let id = uuid::Uuid::from_u128;
    let person = |user, name: &str, role, given_by: Option<&str>| Person {
        user: id(user),
        name: name.to_owned(),
        role,
        since: at(0),
        given_by: given_by.map(str::to_owned),
        closed: user == 3,
    };
    let people = [
        person(1, "裁判长", Role::Director, None),
        person(2, "\"Ann & Bob\" <x>", Role::Arbiter, Some("裁判长")),
        person(3, "محمد علی", Role::Viewer, Some("裁判长")),
    ];
    let offers = [
        Offer::Event {
            event: event.id,
            slug: event.slug.clone(),
            name: event.name.clone(),
            role: Role::Arbiter,
        },
        Offer::Site(Role::Director),
        Offer::Password {
            user: id(2),
            name: "\"Ann & Bob\" <x>".to_owned(),
        },
    ];
    let link = |offer: &Offer, used: bool, revoked: bool, until| Invitation {
        id: id(9),
        offer: offer.clone(),
        note: "二号厅 <x>".to_owned(),
        made_at: at(0),
        made_by: "裁判长".to_owned(),
        expires_at: at(until),
        used_at: used.then(|| at(1)),
        used_by: used.then(|| "Jose\u{301}".to_owned()),
        revoked_at: revoked.then(|| at(2)),
    };
    let links: Vec<Invitation> = offers
        .iter()
        .flat_map(|offer| {
            [
                (false, false, 7),
                (true, false, 7),
                (false, true, 7),
                (false, false, 1),
            ]
            .map(|(used, revoked, until)| link(offer, used, revoked, until))
        })
        .collect();
    let shown = Some(manage::people::NewLink {
        address: "http://127.0.0.1:8080/invitation/0123456789abcdef".to_owned(),
        sentence: director.t.with2("link-made-account", "role", "x", "until", "y"),
    });
    let by_family = [store::people::ByFamily {
        name: "王 <b>".to_owned(),
        role: Role::Arbiter,
        since: at(1),
        given_by: "director-1".to_owned(),
        closed: true,
        family: ("spring".to_owned(), "春季赛 <2027>".to_owned()),
    }];
    let view = || manage::people::view(director, event, (&people, &by_family), &links[..4], at(3));
    render("people", &view());
    render(
        "people-none",
        &manage::people::view(director, event, (&[], &[]), &[], at(3)),
    );
    render(
        "people-link",
        &manage::people::PeoplePage {
            link: shown.clone(),
            ..view()
        },
    );
    let users: Vec<User> = people
        .iter()
        .map(|person| User {
            id: person.user,
            name: person.name.clone(),
            role: person.role,
            password_hash: None,
            created_at: at(0),
            disabled_at: person.closed.then(|| at(1)),
        })
        .collect();
    render(
        "users",
        &manage::users::view(director, &users, &links[4..], at(3)),
    );
    let actor = director.caller.actor.clone().expect("a director");
    let sessions = [("Firefox, Windows", 4), ("", 5)].map(|(browser, number)| SessionLine {
        id: id(number),
        browser: browser.to_owned(),
        created_at: at(0),
        expires_at: at(14),
    });
    let tokens = [false, true].map(|revoked| Token {
        id: id(6),
        user: id(1),
        name: "计分牌 <x>".to_owned(),
        scope: Scope::Results,
        created_at: at(0),
        revoked_at: revoked.then(|| at(1)),
    });
    let account =
        |password| manage::account::view(director, &actor, password, &sessions, &tokens, Some(id(4)));
    render("account", &account(true));
    render(
        "account-token",
        &manage::account::AccountPage {
            token: Some("ty_0123456789abcdef".to_owned()),
            ..account(false)
        },
    );
    for (name, visit) in [("invitation", anybody), ("invitation-signed-in", director)] {
        render(name, &manage::invitation::view(visit, links.first()));
    }
    render(
        "invitation-password",
        &manage::invitation::view(anybody, links.last()),
    );
    render("invitation-spent", &manage::invitation::view(anybody, None));
}

/// Checks what every page must have, and writes it where it can be looked at.
pub fn look(name: &str, t: Language, html: &str) {
    if let Ok(folder) = std::env::var("PAGES_OUT") {
        let folder = PathBuf::from(folder).join(t.tag());
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("{name}.html")), html).expect("a file");
    }
    assert!(html.contains(&format!("<html lang=\"{}\"", t.tag())), "{name}");
    assert!(html.contains("<h1"), "{name} has a heading");
    assert!(!html.contains("<script>"), "{name} lets a name be a script");
    assert!(!html.contains("\" <x>"), "{name} lets a name be markup");
    assert!(
        !html.contains(" style="),
        "{name} has a style that the policy forbids"
    );
    assert!(!html.contains("href=\"\""), "{name} links nowhere");
}

#[cfg(test)]
mod tests {
    use askama::Template;
    use interchange::log_file::Broken;
    use tournament::Side;
    use tournament::pairing::why::{
        Bar, BoardReasons, ByeKind, ByeReason, Change, Choice, NotMet, Proof, Property, PropertyReason,
        Reached, Reasons, Without,
    };

    use super::*;
    use crate::pages::frame::ProblemView;
    use crate::pages::{manage, public};

    /// The standings after a round, the first page.
    fn after_round(after: Option<u32>) -> public::standings::Asked {
        public::standings::Asked {
            after,
            ..public::standings::Asked::default()
        }
    }

    /// A table of ten thousand lines would be too heavy for a phone.
    #[test]
    fn every_player_is_on_one_page_of_a_long_table() {
        let mut event = super::event(0, 0, false);
        event.stage.entries = (1..=1200)
            .map(|at| Entry::new(number(at), format!("棋手{at}")))
            .collect();
        for t in Language::ALL {
            let visit = visit(t, false);
            let numbers_of = |of: &dyn Fn(Option<usize>) -> (Vec<u32>, String)| {
                let mut numbers: Vec<u32> = (1..=3).flat_map(|page| of(Some(page)).0).collect();
                numbers.sort_unstable();
                let (_, page) = of(None);
                assert!(page.contains("1001–1200") && page.contains("page=3"));
                numbers
            };
            let standings = |page| {
                let asked = public::standings::Asked {
                    page,
                    ..public::standings::Asked::default()
                };
                let page = public::standings::view(&visit, &event, &asked).expect("standings");
                let numbers = page.rows.iter().map(|row| row.number).collect();
                (numbers, page.render().expect("a page"))
            };
            let crosstable = |page| {
                let asked = public::crosstable::Asked { page };
                let page = public::crosstable::view(&visit, &event, &asked);
                let numbers = page.rows.iter().map(|row| row.number).collect();
                (numbers, page.render().expect("a page"))
            };
            let everybody: Vec<u32> = (1..=1200).collect();
            assert_eq!(numbers_of(&standings), everybody);
            assert_eq!(numbers_of(&crosstable), everybody);
        }
    }

    #[test]
    fn every_page_of_the_directors_is_there_in_every_language() {
        for t in Language::ALL {
            let director = visit(t, true);
            let anybody = visit(t, false);
            let render = |name: &str, template: &dyn askama::DynTemplate| {
                look(&format!("manage-{name}"), t, &template.dyn_render().expect(name));
            };
            let problem = Some(ProblemView {
                sentence: t.say("refusal-not-found"),
                details: vec![t.say("refusal-not-found")],
            });
            let running = event(3, 4, false);
            let mut over = event(3, 8, false);
            over.awards = awards();
            for event in [&event(0, 0, false), &running, &over] {
                let (name, asked) = (event.rounds.len(), manage::print::Asked::default());
                let list = manage::print::view(&director, event, asked).expect("the sheets");
                render(&format!("print-{name}"), &list);
                for which in crate::pages::sheets::Which::ALL {
                    let sheet = manage::print::sheet_view(&director, event, which, asked, noon());
                    assert_eq!(sheet.is_some(), name > 0 || !which.needs_round(), "{which:?}");
                    if let Some(sheet) = sheet {
                        render(&format!("sheet-{}-{name}", which.as_str()), &sheet);
                    }
                }
            }
            render("promotion", &manage::promotion::view(&director, &over, None));
            render(
                "promotion-none",
                &manage::promotion::view(&director, &running, None),
            );
            render("prizes", &manage::prizes::view(&director, &over, None));
            render("prizes-none", &manage::prizes::view(&director, &running, None));
            render("finish-open", &manage::finish::view(&director, &running));
            over.frozen = Some(store::events::Frozen {
                at: noon(),
                by: "裁判长".to_owned(),
                reason: Some("闭幕式 <final>".to_owned()),
            });
            render("finish", &manage::finish::view(&director, &over));
            let drafted = event(3, 99, true);
            let finished = event(5, 99, false);
            let empty = empty_event();
            let person = |event: &Event, n: usize| event.stage.entry(number(n)).expect("an entry").clone();

            for (name, problem) in [("sign-in", None), ("sign-in-wrong", problem.clone())] {
                let page = manage::sign_in::SignInPage {
                    t,
                    frame: anybody.frame(),
                    problem,
                    name: "裁判长".to_owned(),
                    next: "/manage".to_owned(),
                };
                render(name, &page);
            }
            for (name, open) in [("setup", true), ("setup-spent", false)] {
                let page = manage::setup::SetupPage {
                    t,
                    frame: anybody.frame(),
                    problem: None,
                    open,
                    name: String::new(),
                    least: 10,
                };
                render(name, &page);
            }
            let file = serde_json::json!({
                "seed": "07", "order": [3, 1, 2], "colours": [2, 3, 1],
                "entries": [{"number": 2, "name": "<b>乙</b>", "seeded": true, "group": "B"},
                            {"number": 1, "name": "甲", "seeded": false, "group": "A"}],
            });
            for (name, event, what, file) in [
                ("draw-lots", &running, "3", Some(&file)),
                ("draw-late", &running, "2", Some(&file)),
                (
                    "draw-rules",
                    &running,
                    "1",
                    Some(&serde_json::json!({"choices": {}})),
                ),
                ("draw-promised", &running, "4", None),
                ("draw-numbers", &running, "numbers", Some(&file)),
                ("draw-groups", &running, "groups", None),
            ] {
                let page = public::draw::view(&anybody, event, what, file).expect(name);
                render(name, &page);
            }
            for what in ["0", "5", "round 1", "x", ""] {
                assert!(
                    public::draw::view(&anybody, &running, what, None).is_none(),
                    "{what}"
                );
            }
            let open = store::sign_ups::Settings {
                open: true,
                closes_at: None,
                places: Some(18),
                notice: "带上段位证书。\n八点半签到。".to_owned(),
            };
            for (name, settings) in [
                ("sign-up", &open),
                ("sign-up-closed", &store::sign_ups::Settings::default()),
            ] {
                render(
                    name,
                    &public::sign_up::view(&anybody, &empty, settings, 3, noon()),
                );
            }
            for (index, sign_up) in sign_ups().iter().enumerate() {
                render(
                    &format!("sign-up-link-{index}"),
                    &public::sign_up::link_view(&anybody, &running, &open, sign_up, index, "00"),
                );
            }
            for (name, open) in [("hand-in-closed", false), ("hand-in-ask", true)] {
                let asked = public::hand_in::Asked::default();
                render(name, &public::hand_in::empty(&anybody, &running, open, asked));
            }
            for (name, event) in [
                ("hand-in", &running),
                ("hand-in-counts", &finished),
                ("hand-in-early", &empty),
            ] {
                let asked = public::hand_in::Asked::default();
                let who = event
                    .stage
                    .entries
                    .first()
                    .map_or(number(1), |entry| entry.number);
                render(name, &public::hand_in::view(&anybody, event, who, asked, &[]));
            }
            family_pages(&render, &anybody, &director, &running, &drafted);
            let rows = vec![public::events::EventRow {
                href: "/e/spring-open".to_owned(),
                role: None,
                slug: "spring-open".to_owned(),
                name: running.name.clone(),
                state: t.say("event-finished"),
                facts: String::new(),
                hidden: true,
                groups: Vec::new(),
            }];
            for (name, events) in [("events", rows), ("events-none", vec![])] {
                let page = manage::events_list::EventsPage {
                    makes: true,
                    administers: true,
                    t,
                    frame: director.frame(),
                    families: events.clone(),
                    backups_fail: events.is_empty().then(|| {
                        let backups = crate::state::Backups::default();
                        backups.failed(DateTime::UNIX_EPOCH, "No space left on device");
                        manage::events_list::backups_fail(t, &backups.state()).expect("they fail")
                    }),
                    events,
                    older: None,
                };
                render(name, &page);
            }
            let earlier = crate::earlier::Earlier {
                event: running.clone(),
                role: Some(Role::Director),
            };
            for (name, basis) in [
                (
                    "new",
                    manage::new_event::Basis::Kind(manage::new_event::Preset::Open),
                ),
                ("new-copy", manage::new_event::Basis::Earlier(Box::new(earlier))),
            ] {
                let events = vec![("spring-open".to_owned(), running.name.clone())];
                render(name, &manage::new_event::view(&director, &basis, events, None));
            }
            let page = manage::import::ImportPage {
                t,
                frame: director.frame(),
                problem: problem.clone(),
                text: "{\"format\": 1}".to_owned(),
            };
            render("import", &page);
            for (name, event) in [
                ("overview", &running),
                ("overview-all-in", &super::event(3, 99, false)),
                ("overview-draft", &drafted),
                ("overview-finished", &finished),
                ("overview-empty", &empty),
                ("overview-first", &super::event(0, 0, false)),
            ] {
                render(
                    name,
                    &manage::overview::view(&director, event, &std::collections::BTreeMap::new()),
                );
            }
            render("entries", &manage::entries::view(&director, &running, ""));
            render("entries-empty", &manage::entries::view(&director, &empty, ""));
            render(
                "entries-first",
                &manage::entries::view(&director, &super::event(0, 0, false), ""),
            );
            let mut wrong = manage::entries::view(&director, &running, "zhao");
            wrong.problem.clone_from(&problem);
            wrong.form_open = true;
            render("entries-wrong", &wrong);
            for n in [1, 7, 16] {
                render(
                    &format!("entry-{n}"),
                    &manage::entry::view(&director, &running, &person(&running, n)),
                );
            }
            render(
                "entry-finished",
                &manage::entry::view(&director, &finished, &person(&finished, 7)),
            );
            render(
                "entry-before",
                &manage::entry::view(&director, &super::event(0, 0, false), &person(&running, 1)),
            );
            let here = std::collections::BTreeMap::from([(
                number(2),
                store::check_in::Here {
                    at: noon(),
                    by: "裁判".to_owned(),
                },
            )]);
            let batch = store::batches::Batch {
                number: 1,
                kind: store::batches::Kind::SitOut,
                acts: 3,
                at: noon(),
                by: "裁判长".to_owned(),
            };
            let before = super::event(0, 0, false);
            render(
                "check-in",
                &manage::check_in::view(&director, &before, &here, None, "", false),
            );
            render(
                "check-in-missing",
                &manage::check_in::view(&director, &before, &here, Some(&batch), "", true),
            );
            let settings = store::sign_ups::Settings {
                open: true,
                closes_at: Some(noon()),
                places: Some(18),
                notice: "带上段位证书。".to_owned(),
            };
            for (name, settings, all) in [
                ("sign-ups-none", store::sign_ups::Settings::default(), vec![]),
                ("sign-ups", settings, sign_ups()),
            ] {
                render(
                    name,
                    &manage::sign_ups::view(&director, &before, &settings, &all, Some(&batch), noon()),
                );
            }
            render(
                "import-entries",
                &manage::import_entries::empty(&director, &running),
            );
            let text = "编号\t姓名\t单位\t段位\n30\t甲\t杭州\t3d\n30\t乙\t\t9d\n1\t丙\t\t1k";
            render(
                "import-entries-wrong",
                &manage::import_entries::view(&director, &running, text),
            );
            render(
                "import-entries-fine",
                &manage::import_entries::view(&director, &running, "30,甲,杭州,3d\n31,乙,,1k"),
            );
            render("by-hand", &manage::by_hand::view(&director, &running));
            let mut page = manage::by_hand::view(&director, &drafted);
            page.problem.clone_from(&problem);
            page.ask_repeats = true;
            page.ask_provisional = true;
            render("by-hand-draft", &page);
            render("rounds", &manage::rounds::view(&director, &running));
            render("rounds-draft", &manage::rounds::view(&director, &drafted));
            render("rounds-finished", &manage::rounds::view(&director, &finished));
            let pair = tournament::pairing::RepeatedPair {
                first: number(1),
                second: number(2),
                times: 2,
            };
            let refusals = [
                tournament::pairing::Refusal::RepeatsNeeded {
                    round: 4,
                    pairs: vec![pair],
                    because: Box::new(tournament::pairing::Shortage {
                        groups: vec![vec![number(1)], vec![number(2)]],
                        opponents: vec![number(3)],
                        bye: false,
                        rules: vec![tournament::pairing::Rule::Met],
                        pairs: vec![],
                        lift: vec![tournament::pairing::Rule::Met],
                    }),
                },
                tournament::pairing::Refusal::MissingResults {
                    round: 3,
                    boards: vec![tournament::pairing::OpenBoard {
                        board: 5,
                        black: number(1),
                        white: number(15),
                    }],
                },
            ];
            for refusal in &refusals {
                let mut page = manage::rounds::view(&director, &running);
                page.confirm = manage::rounds::confirm(t, &running, refusal, Confirmed::default());
                assert!(page.confirm.is_some());
                render(&format!("rounds-{}", refusal.code()), &page);
            }
            render(
                "draft",
                &manage::draft::view(&director, &drafted, 4).expect("a draft"),
            );
            let mut page = manage::draft::view(&director, &drafted, 4).expect("a draft");
            page.problem.clone_from(&problem);
            page.outdated = true;
            page.change = Some(manage::draft::ChangeView {
                sentence: t.with2("change-swap", "one", "1", "other", "2"),
                rows: vec![manage::draft::CostRow {
                    criterion: t.say("measure-repeats"),
                    now: "0".to_owned(),
                    then: "1".to_owned(),
                    differs: true,
                }],
                marks: vec![t.say("draft-team-mates")],
                path: "swap",
                fields: vec![("pick", "1".to_owned())],
                action: t.say("keep-swap"),
            });
            render("draft-change", &page);
            render(
                "draft-published",
                &manage::draft::view(&director, &running, 3).expect("a round"),
            );
            render(
                "results",
                &manage::results::view(&director, &running, 3, false).expect("a round"),
            );
            render(
                "results-open",
                &manage::results::view(&director, &running, 3, true).expect("a round"),
            );
            render(
                "results-earlier",
                &manage::results::view(&director, &running, 2, true).expect("a round"),
            );
            render(
                "board",
                &manage::board::view(&director, &running, 2, 2).expect("a board"),
            );
            render(
                "board-open",
                &manage::board::view(&director, &running, 3, 8).expect("a board"),
            );
            let mut ruled = manage::board::view(&director, &running, 2, 2).expect("a board");
            let new = tournament::Board {
                result: Some(Outcome::Draw),
                ..running.stage.rounds[1].boards[1]
            };
            let changes = manage::preview::Changes::of(&running, 2, &[new]);
            let fields = manage::Fields(vec![("result".to_owned(), "draw".to_owned())]);
            let preview = manage::preview::Preview::of(t, t.say("outcome-draw"), changes, &fields);
            ruled.preview = Some(preview.clone());
            render("board-preview", &ruled);
            let mut corrected = manage::results::view(&director, &running, 2, false).expect("a round");
            corrected.preview = Some(preview);
            render("results-preview", &corrected);
            results_of_others(&director, &running, problem.as_ref(), &render);
            render("settings", &manage::settings::view(&director, &running, None));
            records_of_directors(t, &running, &render);
            let acts: Vec<store::log::LogEntry> = store::log::Action::ALL
                .into_iter()
                .enumerate()
                .map(|(index, action)| store::log::LogEntry {
                    seq: i64::try_from(index).expect("small") + 1,
                    at: noon(),
                    actor: director.caller.actor.clone().expect("a director"),
                    action,
                    subject: [
                        store::log::Subject::Event,
                        store::log::Subject::Entry(number(1)),
                        store::log::Subject::Round(2),
                        store::log::Subject::Board { round: 2, board: 5 },
                    ][index % 4],
                    entry: None,
                    hash: head(0).hash,
                    before: serde_json::json!({"result": "black", "by": null, "warnings": {"black": 0, "white": 1}}),
                    after: serde_json::json!({"result": "white", "by": "count", "warnings": {"black": 0, "white": 1}}),
                    reason: (index % 3 == 0).then(|| "<b>录错</b>".to_owned()),
                })
                .collect();
            let withdrawn = store::log::LogEntry {
                action: store::log::Action::PublicationWithdrawn,
                subject: store::log::Subject::Round(2),
                before: serde_json::json!({"status": "published", "edition": 1,
                    "boards": [{"board": 1, "black": 1, "white": 2}], "byes": [3], "absent": []}),
                ..acts[0].clone()
            };
            render(
                "withdrawn",
                &public::withdrawn::view(&director, &running, 2, &[withdrawn]),
            );
            render(
                "withdrawn-none",
                &public::withdrawn::view(&director, &running, 2, &[]),
            );
            let typed = manage::Fields(vec![
                ("seeded".to_owned(), "3".to_owned()),
                ("slots".to_owned(), "1, x".to_owned()),
                ("split".to_owned(), "grade".to_owned()),
            ]);
            let nothing = manage::Fields::default();
            render("draws", &manage::draws::view(&director, &running, &nothing));
            let before = event(0, 0, false);
            let mut page = manage::draws::view(&director, &before, &typed);
            page.problem.clone_from(&problem);
            render("draws-before", &page);
            for (name, reasons, not_met) in whys(&running) {
                let question = manage::why::Question {
                    pair: Some((number(1), number(2))),
                    board: Some(1),
                };
                let answers = manage::why::Answers {
                    board: reasons.boards.first().cloned(),
                    reasons,
                    not_met: Some(not_met),
                };
                render(&name, &manage::why::view(&director, &running, &answers, question));
            }
            render(
                "log",
                &manage::log::view(
                    &director,
                    &running,
                    &acts,
                    true,
                    None,
                    &manage::log::Asked::default(),
                ),
            );
            people_pages(&director, &anybody, &running, &render);
            let broken = [
                Broken::Gap { after: 3, found: 5 },
                Broken::Changed { seq: 7 },
                Broken::EndMissing { last: 8, seq: 9 },
                Broken::OtherHead {
                    seq: 9,
                    found: head(1).hash,
                    known: head(2).hash.to_string(),
                },
            ];
            for (name, broken) in [("log-none", &[][..]), ("log-broken", &broken)] {
                let checked = store::log::Checked {
                    acts: 8,
                    broken: broken.to_vec(),
                };
                render(
                    name,
                    &manage::log::view(
                        &director,
                        &running,
                        &[],
                        false,
                        Some(&checked),
                        &manage::log::Asked::default(),
                    ),
                );
            }
        }
    }

    /// Reports with everything that there is to say, and every answer.
    fn whys(event: &Event) -> Vec<(String, Reasons, NotMet)> {
        let (one, other) = (number(1), number(2));
        let change = Change {
            measure: tournament::Measure::FloatsAcross,
            group: Some(Score(4)),
            from: 1,
            to: 3,
        };
        let withouts = [
            Without::NoTable,
            Without::Worse(change),
            Without::Better(change),
            Without::ListOrder(Choice::None),
            Without::ListOrder(Choice::Bye {
                number: one,
                instead: other,
            }),
            Without::ListOrder(Choice::Float {
                number: one,
                instead: other,
            }),
            Without::ListOrder(Choice::Partner {
                number: one,
                takes: other,
                instead: number(3),
            }),
        ];
        let properties = [
            Property::Repeat {
                times: 1,
                just_before: false,
            },
            Property::Repeat {
                times: 2,
                just_before: true,
            },
            Property::Float { down: one, up: other },
            Property::RepeatedFloat {
                number: one,
                down: true,
            },
            Property::RepeatedFloat {
                number: one,
                down: false,
            },
            Property::TeamMates,
            Property::Unwanted,
            Property::ThirdColour { side: Side::Black },
            Property::SameColour {
                owed: Side::White,
                twice: false,
            },
            Property::SameColour {
                owed: Side::Black,
                twice: true,
            },
        ];
        let not_met = [
            NotMet::Meet { board: 3 },
            NotMet::NotPaired { number: one },
            NotMet::Chosen { number: other },
            NotMet::Barred(Bar::ForbiddenPair),
            NotMet::Barred(Bar::TeamMates),
            NotMet::Barred(Bar::ThirdColour(Side::White)),
            NotMet::Barred(Bar::Apart),
            NotMet::With {
                met: vec![1, 3],
                then: withouts[1],
            },
        ];
        let stage = &event.stage;
        let table = stage.rounds.last().expect("a round");
        let found = tournament::pairing::why::reasons(stage, table);
        let made_up = |index: usize| Reasons {
            boards: (0..=index)
                .map(|board| BoardReasons {
                    board: u32::try_from(board).expect("small") + 1,
                    first: one,
                    second: other,
                    chosen: board % 3 == 1,
                    properties: properties[board.min(9)..=(board + 1).min(9)]
                        .iter()
                        .map(|property| PropertyReason {
                            property: *property,
                            counted: (tournament::Measure::SameColour, None),
                            without: (board != 2).then(|| withouts[board % 7]),
                        })
                        .collect(),
                    without: None,
                })
                .collect(),
            byes: [ByeKind::Asked, ByeKind::Chosen, ByeKind::Odd]
                .into_iter()
                .map(|kind| ByeReason {
                    number: one,
                    kind,
                    without: (kind == ByeKind::Odd).then_some(withouts[4]),
                })
                .collect(),
            values: [
                Proof::Nothing,
                Proof::EveryTable,
                Proof::Counting,
                Proof::Certificate,
                Proof::Better,
                Proof::Open,
            ]
            .into_iter()
            .map(|proof| Reached {
                measure: tournament::Measure::TeamMates,
                group: (proof != Proof::Open).then_some(Score(4)),
                reached: 2,
                least: 1,
                proof,
            })
            .collect(),
            round: table.round,
        };
        let mut all = vec![("why".to_owned(), found, not_met[7].clone())];
        all.extend((0..10).map(|index| {
            let answer = not_met[index % 8].clone();
            (format!("why-{index}"), made_up(index), answer)
        }));
        all
    }

    fn sign_ups() -> Vec<store::sign_ups::SignUp> {
        use store::sign_ups::{NewSignUp, SignUp, Status};
        let one = |number: u32, name: &str, status| SignUp {
            number,
            at: noon(),
            said: NewSignUp {
                name: name.to_owned(),
                team: Some("杭州".to_owned()),
                grade: Some(tournament::Grade::Dan(3)),
                category: None,
                contact: "13000000000".to_owned(),
                note: "下午才到".to_owned(),
            },
            status,
            entry: (status == Status::Confirmed).then(|| super::number(2)),
            decided_by: (status != Status::Waiting).then(|| "裁判长".to_owned()),
            decided_at: (status != Status::Waiting).then(noon),
            reason: (status == Status::Refused).then(|| "名额已满".to_owned()),
        };
        vec![
            one(1, "甲", Status::Waiting),
            one(2, "甲", Status::Waiting),
            one(3, "乙", Status::Waiting),
            one(4, "丙", Status::Confirmed),
            one(5, "丁", Status::Refused),
            one(6, "戊", Status::Withdrawn),
        ]
    }

    /// Links for results, slips, and the cards of the players.
    fn results_of_others(
        director: &Visit,
        running: &Event,
        problem: Option<&ProblemView>,
        render: &dyn Fn(&str, &dyn askama::DynTemplate),
    ) {
        let t = director.t;
        let base = "https://go.example";
        let link = |used: bool, revoked: bool| store::result_links::ResultLink {
            id: uuid::Uuid::nil(),
            name: "<二号赛场>".to_owned(),
            first: 1,
            last: 40,
            made_at: noon(),
            made_by: "裁判长".to_owned(),
            expires_at: noon() + chrono::TimeDelta::hours(12),
            used_at: used.then(noon),
            revoked_at: revoked.then(noon),
        };
        let links = [link(false, false), link(true, false), link(true, true)];
        let asked = store::result_links::ResultSettings {
            by_two: true,
            from_players: true,
        };
        let mut page = manage::result_links::view(director, running, &links, asked, noon());
        render("result-links", &page);
        page.problem = problem.cloned();
        page.made = Some(manage::result_links::MadeLink {
            name: "二号赛场".to_owned(),
            boards: t.with2("boards-from-to", "first", 1, "last", 40),
            until: "12:00".to_owned(),
            href: format!("{base}/r/0"),
            qr: public::screen::code(base).expect("a code"),
        });
        render("result-links-made", &page);
        let results = manage::results::view(director, running, 3, false).expect("a round");
        let of_link = manage::results::of_link(results, director, &links[0], "0");
        render("results-of-link", &of_link);
        render(
            "slips",
            &manage::slips::view(director, running, 3, base).expect("a round"),
        );
        let mut cards = manage::cards::view(director, running, None, base).expect("cards");
        render("cards-none", &cards);
        cards.open = true;
        cards.sheets = vec![vec![manage::cards::Card {
            number: 1,
            name: "<甲>".to_owned(),
            team: "乙队".to_owned(),
            code: "abcd-efgh-ijkm".to_owned(),
            qr: public::screen::code(base).expect("a code"),
        }]];
        render("cards", &cards);
    }

    #[test]
    fn every_public_page_is_there_in_every_language() {
        for t in Language::ALL {
            let anybody = visit(t, false);
            let director = visit(t, true);
            let asked = |by: &str, q: &str| public::round::Asked {
                by: by.to_owned(),
                q: q.to_owned(),
                edition: None,
            };
            let render = |name: &str, template: &dyn askama::DynTemplate| {
                look(name, t, &template.dyn_render().expect(name));
            };
            let running = event(3, 4, false);
            let finished = event(5, 99, false);
            let empty = empty_event();
            let rows = vec![public::events::EventRow {
                href: "/e/spring-open".to_owned(),
                role: None,
                slug: "spring-open".to_owned(),
                name: running.name.clone(),
                state: t.with2("event-in-round", "round", 3, "planned", 5),
                facts: "2027 · 杭州".to_owned(),
                hidden: false,
                groups: Vec::new(),
            }];
            for (name, events) in [("events", rows), ("events-none", vec![])] {
                let page = public::events::Events {
                    t,
                    frame: anybody.frame(),
                    events,
                    older: None,
                };
                render(name, &page);
            }
            render("event", &public::event::view(&anybody, &running));
            render("event-director", &public::event::view(&director, &running));
            render("event-empty", &public::event::view(&anybody, &empty));
            render("event-finished", &public::event::view(&anybody, &finished));
            for (name, by, q) in [
                ("round", "", ""),
                ("round-by-name", "name", ""),
                ("round-found", "", "zhao"),
                ("round-not-found", "", "nobody"),
            ] {
                let page = public::round::view(&anybody, &running, 3, &asked(by, q), &[]).expect(name);
                render(name, &page);
            }
            let page = public::round::view(&director, &running, 2, &asked("", ""), &[]).expect("a round");
            render("round-director", &page);
            for (name, event, after) in [
                ("standings", &running, None),
                ("standings-after", &running, Some(2)),
                ("standings-final", &finished, None),
                ("standings-empty", &empty, None),
                ("standings-before", &super::event(0, 0, false), None),
                ("standings-carried", &carried_event(), None),
            ] {
                render(
                    name,
                    &public::standings::view(&anybody, event, &after_round(after)).expect(name),
                );
            }
            for (name, event, after) in [
                ("explained", &running, None),
                ("explained-before", &super::event(0, 0, false), None),
                ("explained-carried", &carried_event(), None),
            ] {
                let number = event.stage.entries[0].number;
                let page = public::explain::view(&anybody, event, number, after, "score").expect(name);
                render(name, &page);
                let other = event.stage.entries[1].number;
                let chosen = [number, other].map(|number| number.to_string());
                let page = public::explain::compared(&anybody, event, &chosen, after).expect(name);
                render(&name.replace("explained", "compared"), &page);
            }
            let page =
                public::explain::compared(&anybody, &running, &["99".to_owned()], None).expect("a page");
            render("compared-problem", &page);
            render(
                "crosstable",
                &public::crosstable::view(&anybody, &running, &public::crosstable::Asked::default()),
            );
            render(
                "crosstable-empty",
                &public::crosstable::view(&anybody, &empty, &public::crosstable::Asked::default()),
            );
            render(
                "crosstable-carried",
                &public::crosstable::view(&anybody, &carried_event(), &public::crosstable::Asked::default()),
            );
            for player in [1, 7, 12, 17] {
                let page = public::player::view(&anybody, &running, number(player)).expect("a player");
                render(&format!("player-{player}"), &page);
            }
            render(
                "player-before",
                &public::player::view(&director, &carried_event(), number(1)).expect("a player"),
            );
            for (name, page) in games(t) {
                render(name, &page);
            }
            for (name, page) in forms(t) {
                render(name, &page);
            }
            let found = [("天元杯 <x>", true), ("b", false)].map(|(event, frozen)| store::events::Found {
                slug: "spring-open".to_owned(),
                event: event.to_owned(),
                starts_on: NaiveDate::from_ymd_opt(2027, 4, 10),
                frozen,
                number: number(3),
                name: "<script>".to_owned(),
                team: Some("杭州".to_owned()),
            });
            render("archive", &public::archive::view(&anybody, "", &[]));
            render("archive-found", &public::archive::view(&anybody, "<s", &found));
            render("archive-nobody", &public::archive::view(&anybody, "x", &[]));
            render("find", &public::find::view(&anybody, &running, ""));
            render("find-found", &public::find::view(&anybody, &running, "z"));
            let code = || public::screen::code("https://go.example/e/spring-open/find").expect("a code");
            let numbers = serde_json::json!({"entries": [{"number": 1, "name": "赵青山"}, {"number": 2, "name": "<b>"}]});
            for (name, event, show, page) in [
                ("screen-board", &running, "board", 1),
                ("screen-name", &running, "name", 1),
                ("screen-turned", &running, "", 2),
                ("screen-standings", &running, "standings", 1),
                ("screen-complete", &finished, "", 1),
                ("screen-draw", &running, "draw", 1),
                ("screen-waiting", &empty, "board", 1),
            ] {
                let asked = public::screen::Asked {
                    show: show.to_owned(),
                    page: Some(page),
                };
                render(
                    name,
                    &public::screen::view(&anybody, event, &asked, Some(&numbers), code(), noon()),
                );
            }
            let mut set = super::event(3, 99, true);
            set.rounds[3].publish_at = Some(noon());
            let asked = public::screen::Asked::default();
            render(
                "screen-announced",
                &public::screen::view(&anybody, &set, &asked, None, code(), noon()),
            );
            let poster = public::poster::view(&anybody, &running, "https://go.example").expect("a poster");
            render("poster", &poster);
            render("find-nobody", &public::find::view(&anybody, &running, "xyz"));
            let problem = crate::pages::ProblemPage {
                t,
                frame: anybody.frame(),
                title: "–".to_owned(),
                sentence: "–".to_owned(),
                details: vec!["–".to_owned()],
                back: "/".to_owned(),
                sign_in: true,
            };
            render("problem", &problem);
        }
    }

    /// A game on nine lines: one stone is captured, and a chain of each side is dead at the end.
    fn verdict() -> rules::Verdict {
        use rules::{Colour, Finding, FindingKind, JudgedMove, Move, Point, RuleSet, Size};
        let point = |text: &str| Point::from_record(text).expect("a point");
        let size = Size::square(9).expect("a size");
        let wall = "abcdefghi"
            .chars()
            .flat_map(|row| [format!("d{row}"), format!("e{row}")]);
        let rest = ["ia", "ib", "hg", "ha", "hf", "bb", "", "bc", "", ""].map(str::to_owned);
        let judged = |(index, text): (usize, String)| JudgedMove {
            side: if index % 2 == 0 {
                Colour::Black
            } else {
                Colour::White
            },
            play: if text.is_empty() {
                Move::Pass
            } else {
                Move::Stone(point(&text))
            },
            captured: if text == "ha" {
                vec![point("ia")]
            } else {
                Vec::new()
            },
            void: false,
            time_left: None,
            place: rules::Place::default(),
            comment: if index == 3 {
                "<b>三路</b>\n“星”".to_owned()
            } else {
                String::new()
            },
        };
        let komi = RuleSet::Chinese.default_komi();
        let mut verdict = rules::Verdict {
            standing: rules::Standing::Legal,
            rules: RuleSet::Chinese,
            size,
            komi,
            handicap: 0,
            header: rules::Header {
                names: rules::Sides {
                    black: "\" <x>".to_owned(),
                    white: "乙".to_owned(),
                },
                ..rules::Header::default()
            },
            encoding: "UTF-8",
            game: (1, 1),
            setup: Vec::new(),
            moves: wall.chain(rest).enumerate().map(judged).collect(),
            setup_midgame: Vec::new(),
            captures: rules::Sides { black: 0, white: 1 },
            position: Vec::new(),
            findings: vec![
                Finding {
                    kind: FindingKind::SizeWrittenTwice,
                    place: None,
                    move_number: None,
                    point: None,
                },
                Finding {
                    kind: FindingKind::Occupied,
                    place: None,
                    move_number: Some(22),
                    point: Some(point("ha")),
                },
                Finding {
                    kind: FindingKind::CountAgainstBoard,
                    place: None,
                    move_number: None,
                    point: None,
                },
            ],
            end: rules::End::Passes,
            count: rules::Count::Nothing,
            recorded: None,
            agrees_with_count: rules::Agreement::Unknown,
            agrees_with_entered: rules::Agreement::No,
        };
        let last = public::diagram::Position::after(&verdict, usize::MAX);
        let dead = ["hg", "hf", "bb", "bc"].map(point);
        let terms = rules::Terms::of(RuleSet::Chinese, rules::Margin(komi.quarters().into()));
        let counted = rules::count(size, &last.stones, &dead, rules::DeadFrom::Given, &terms);
        verdict.count = rules::Count::Counted(counted);
        verdict
    }

    /// The directors' pages of game records, with and without something on them.
    fn records_of_directors(t: Language, event: &Event, render: &dyn Fn(&str, &dyn askama::DynTemplate)) {
        use store::records::{Contradiction, Flagged, Summary, Tally};
        let director = visit(t, true);
        let counted = Tally {
            margin: rules::Margin(-3),
            rules: event.rules,
            komi: event.komi,
            warnings: (0, 0),
        };
        let flagged = |board, standing, contradictions: &[Contradiction]| Flagged {
            round: 2,
            board,
            version: 1,
            from_player: true,
            summary: Summary {
                standing,
                recorded: None,
                swapped: Some(true),
                counted: (board == 1).then_some(counted),
            },
            contradictions: contradictions.to_vec(),
            other_board: board == 2,
        };
        let all = [Contradiction::Result, Contradiction::Count, Contradiction::Names];
        let some = [
            flagged(1, rules::Standing::Legal, &all),
            flagged(2, rules::Standing::Illegal, &[]),
        ];
        let mut page = manage::records::view(&director, event, &some, &[]);
        page.loose = vec![manage::records::LooseRow {
            place: "1".to_owned(),
            players: "\" <x>".to_owned(),
            at: "2".to_owned(),
        }];
        assert_eq!(
            page.rows.iter().map(|row| row.marks.len()).collect::<Vec<_>>(),
            [3, 2]
        );
        render("records", &page);
        render("records-none", &manage::records::view(&director, event, &[], &[]));
        assert!(manage::records::sentence(t, &[]).is_none());
        let mut overview = manage::overview::view(&director, event, &std::collections::BTreeMap::new());
        overview.records = manage::records::sentence(t, &some).map(|told| (told, "/".to_owned()));
        render("overview-records", &overview);
        let mut open = event.clone();
        open.records.from_players = true;
        let code = |board: &tournament::Board| format!("abcd-efgh-{}", board.board);
        for (name, event) in [("codes", &open), ("codes-closed", event)] {
            let page =
                manage::records::codes_view(&director, event, 2, "https://go.example.org", Some(&code));
            let page = page.expect("a published round");
            assert_eq!(page.rows.is_empty(), name == "codes-closed");
            render(name, &page);
        }
        render("rounds-codes", &manage::rounds::view(&director, &open));
        let draft = super::event(3, 99, true);
        assert!(manage::records::codes_view(&director, &draft, 4, "", Some(&code)).is_none());
        let mut board = manage::board::view(&director, event, 2, 2).expect("a board");
        board.records = vec![manage::records::RecordLine {
            version: 2,
            mark: "–".to_owned(),
            words: "\" <x>".to_owned(),
            current: true,
            file_href: "/".to_owned(),
        }];
        render("board-records", &board);
    }

    /// The forms for a record: for a director, for a player, with games to choose from, and closed.
    fn forms(t: Language) -> Vec<(&'static str, public::record::RecordPage)> {
        let closed = event(3, 4, false);
        let mut open = closed.clone();
        open.records.from_players = true;
        let form = |event: &Event, director: bool| {
            public::record::view(&visit(t, director), event, 2, 2, "abcd").expect("a board")
        };
        let mut choice = form(&open, false);
        choice.problem = Some(ProblemView::of("\" <x>".to_owned()));
        choice.games = vec![public::record::GameChoice {
            number: 1,
            black: "\" <x>".to_owned(),
            white: "乙".to_owned(),
            details: "B+R".to_owned(),
        }];
        assert!(form(&closed, false).closed.is_some() && form(&open, false).closed.is_none());
        assert!(public::record::view(&visit(t, true), &event(3, 99, true), 4, 1, "").is_none());
        vec![
            ("record", form(&closed, true)),
            ("record-closed", form(&closed, false)),
            ("record-player", form(&open, false)),
            ("record-choice", choice),
        ]
    }

    /// Boards without a record, with one, and with one that is looked at in other ways.
    fn games(t: Language) -> Vec<(&'static str, public::game::GamePage)> {
        let running = event(3, 4, false);
        let verdict = verdict();
        let asked = |at: &str, numbers: &str| public::game::Asked {
            at: at.to_owned(),
            numbers: numbers.to_owned(),
            dead: None,
        };
        let page = |director: bool, asked: Option<public::game::Asked>| {
            let mut page = public::game::view(&visit(t, director), &running, 2, 2).expect("a board");
            if let Some(asked) = asked {
                let judged = public::game::Judged {
                    verdict: &verdict,
                    marked: None,
                };
                page.contradictions = public::game::contradictions(t, &verdict);
                page.game = Some(public::game::game(t, judged, &asked, &page.path, director));
            }
            page
        };
        vec![
            ("game-none", page(false, None)),
            ("game", page(false, Some(asked("", "")))),
            ("game-start", page(false, Some(asked("0", "")))),
            ("game-move", page(true, Some(asked("22", "10")))),
        ]
    }

    #[test]
    fn a_draft_is_nowhere_on_a_public_page() {
        let t = Language::Chinese;
        let anybody = visit(t, false);
        let with_draft = event(3, 99, true);
        let without = event(3, 99, false);
        assert!(with_draft.draft().is_some());
        let pages = |event: &Event| {
            let asked = public::round::Asked::default();
            let mut pages = vec![
                public::event::view(&anybody, event).render(),
                public::round::view(&anybody, event, 3, &asked, &[])
                    .expect("round 3")
                    .render(),
                public::standings::view(&anybody, event, &after_round(None))
                    .expect("standings")
                    .render(),
                public::crosstable::view(&anybody, event, &public::crosstable::Asked::default()).render(),
                public::find::view(&anybody, event, "赵").render(),
                public::screen::view(
                    &anybody,
                    event,
                    &public::screen::Asked::default(),
                    None,
                    String::new(),
                    noon(),
                )
                .render(),
            ];
            for player in 1..=17 {
                pages.push(
                    public::player::view(&anybody, event, number(player))
                        .expect("a player")
                        .render(),
                );
            }
            pages
                .into_iter()
                .map(|page| page.expect("a page"))
                .collect::<Vec<_>>()
        };
        assert_eq!(pages(&with_draft), pages(&without));
        let asked = public::round::Asked::default();
        assert!(public::round::view(&anybody, &with_draft, 4, &asked, &[]).is_none());
        assert!(public::game::view(&anybody, &with_draft, 4, 1).is_none());
        assert!(public::standings::view(&anybody, &with_draft, &after_round(Some(4))).is_none());
    }

    #[test]
    fn a_withdrawal_shows_from_its_round_on_only() {
        let anybody = visit(Language::Chinese, false);
        let event = event(3, 99, false);
        let marked = |after| {
            let page =
                public::standings::view(&anybody, &event, &after_round(Some(after))).expect("standings");
            page.rows
                .into_iter()
                .find(|row| row.number == 7)
                .map(|row| row.marks.len())
        };
        assert_eq!((marked(1), marked(2), marked(3)), (Some(0), Some(1), Some(1)));
        let asked = public::round::Asked::default();
        let second = public::round::view(&anybody, &event, 2, &asked, &[])
            .expect("round 2")
            .render()
            .expect("a page");
        assert!(!second.contains("退赛"));
    }

    #[test]
    fn the_bye_stands_at_the_end_without_a_board_and_on_the_own_page() {
        let t = Language::Chinese;
        let anybody = visit(t, false);
        let event = event(3, 4, false);
        let stage = event.public_stage();
        let round = &stage.rounds[1];
        let bye = round.byes[0];
        let page =
            public::round::view(&anybody, &event, 2, &public::round::Asked::default(), &[]).expect("round 2");
        assert_eq!(page.without_board[0].number, bye.get());
        assert_eq!(page.without_board[0].words, "轮空，得2分");
        let own = public::player::view(&anybody, &event, bye).expect("a player");
        let line = own.games.iter().find(|game| game.round == 2).expect("round 2");
        assert_eq!((line.words.as_str(), line.points.as_str()), ("轮空，得2分", "2"));
    }
}
