use std::collections::BTreeSet;

use interchange::draw_file;
use sqlx::PgPool;
use store::draws::{self, GroupRequest, NumberRequest, StrengthBy};
use store::entries::{self, EntryPatch};
use store::events::{self, Event, EventPatch, PairingPatch};
use store::log::{Action, Filter};
use store::{Error, Refused, log, rounds};
use tournament::draw::{self, Decides, EventId, Split, Word};
use tournament::{Colours, PairingOrder};

use crate::support::{Hall, moment, n, refused};

async fn lots(hall: &Hall, on: bool) {
    let patch = EventPatch {
        pairing: PairingPatch {
            order: Some(if on {
                PairingOrder::Random
            } else {
                PairingOrder::Classic
            }),
            ..PairingPatch::default()
        },
        ..EventPatch::default()
    };
    hall.act(async |tx, change, event| events::update(tx, change, event, patch, None).await)
        .await
        .expect("set");
}

async fn word(hall: &Hall, decides: Decides, word: &str) -> Result<(), Error> {
    hall.act(async |tx, change, event| draws::add_word(tx, change, event, decides, word, Some("Coach")).await)
        .await
}

async fn numbers(hall: &Hall, request: NumberRequest) -> Result<(), Error> {
    hall.act(async |tx, change, event| draws::draw_numbers(tx, change, event, request).await)
        .await
}

fn last(event: &Event, decides: Decides) -> &draws::Draw {
    event
        .draws
        .iter()
        .rfind(|draw| draw.decides == decides)
        .expect("a draw")
}

/// The secrets of an event that are not revealed, as the database has them.
async fn hidden(hall: &Hall) -> Vec<String> {
    sqlx::query_scalar("select encode(secret, 'hex') from draws where revealed_at is null")
        .fetch_all(&hall.pool)
        .await
        .expect("secrets")
}

/// What a secret and the words come to is what was promised and what is drawn by.
fn assert_holds(event: &Event, draw: &draws::Draw) {
    let id = EventId::new(&event.id.to_string()).expect("an id");
    let revealed = draw.revealed.as_ref().expect("revealed");
    assert_eq!(
        draw::commitment(&id, draw.decides, revealed.secret),
        draw.commitment
    );
    let words: Vec<Word> = draw.words.iter().map(|word| word.word.clone()).collect();
    assert_eq!(
        draw::seed(&id, draw.decides, revealed.secret, &words),
        revealed.seed
    );
}

/// Everything that a draw file says holds.
async fn assert_file_holds(hall: &Hall, decides: Decides) -> String {
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    let text = draws::file(&mut tx, &event, decides).await.expect("a file");
    let sealed = draw_file::read(text.as_bytes()).expect("a draw file");
    let wrong: Vec<String> = draw_file::check(&sealed)
        .into_iter()
        .filter(|statement| !statement.holds())
        .map(|statement| format!("{statement}"))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
    text
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_round_by_lots_is_promised_before_and_revealed_with_its_publication(pool: PgPool) {
    let hall = Hall::open(pool, 3, 8).await;
    let (first, second) = (Decides::Round(1), Decides::Round(2));
    assert!(!hall.event().await.draws.iter().any(|draw| draw.decides == first));
    lots(&hall, true).await;
    let event = hall.event().await;
    let promised = last(&event, first).clone();
    assert_eq!((promised.late, &promised.revealed), (false, &None));
    assert_eq!(promised.promised_seq, event.last_seq);
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(
        act.after["commitments"]["round 1"],
        promised.commitment.to_string()
    );
    word(&hall, first, "  天元 ").await.expect("a word");
    hall.pair().await.expect("paired");
    let draft = hall.event().await;
    assert_eq!(last(&draft, first).revealed, None, "not with the draft");
    assert_eq!(
        refused(word(&hall, first, "late").await),
        Refused::WordsClosed { decides: first }
    );
    hall.publish(1).await.expect("published");
    let event = hall.event().await;
    let drawn = last(&event, first);
    assert_holds(&event, drawn);
    assert_eq!(drawn.commitment, promised.commitment);
    assert_eq!(
        event.stage.rounds[0].seed,
        drawn.revealed.as_ref().map(|revealed| revealed.seed)
    );
    let file = assert_file_holds(&hall, first).await;
    let head = event.rounds[0].head.expect("a head");
    assert!(
        file.contains(&format!("\"log\": \"{}:{}\"", head.seq, head.hash)),
        "{file}"
    );

    // The next round is promised in the same act, while its results are still open.
    let next = last(&event, second);
    assert_eq!((next.late, next.promised_seq), (false, event.rounds[0].version));
    assert_ne!(next.commitment, drawn.commitment);
    word(&hall, second, "one").await.expect("a word");
    word(&hall, second, "two").await.expect("a word");
    hall.act(async |tx, change, event| draws::remove_word(tx, change, event, second, 1).await)
        .await
        .expect("taken back");
    hall.black_wins(1).await;
    assert_eq!(
        refused(word(&hall, second, "three").await),
        Refused::WordsClosed { decides: second }
    );
    hall.pair().await.expect("paired");
    hall.publish(2).await.expect("published");
    let event = hall.event().await;
    let words: Vec<&str> = last(&event, second)
        .words
        .iter()
        .map(|word| word.word.as_str())
        .collect();
    assert_eq!(words, ["two"]);
    assert_holds(&event, last(&event, second));
    assert_file_holds(&hall, second).await;
    hall.assert_log_without_gap().await;
    let mut tx = hall.begin().await;
    assert_eq!(log::check(&mut tx, &event).await.expect("checked").broken, []);
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_draft_that_is_paired_again_has_the_same_seed(pool: PgPool) {
    let hall = Hall::open(pool, 3, 12).await;
    lots(&hall, true).await;
    word(&hall, Decides::Round(1), "a word").await.expect("a word");
    let mut tables = BTreeSet::new();
    for _ in 0..3 {
        let info = hall.pair().await.expect("paired");
        let event = hall.event().await;
        tables.insert(format!("{:?}", event.stage.rounds[0]));
        hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, info.round, None).await)
            .await
            .expect("thrown away");
        assert_eq!(
            refused(word(&hall, Decides::Round(1), "another").await),
            Refused::WordsClosed {
                decides: Decides::Round(1)
            }
        );
    }
    assert_eq!(tables.len(), 1, "throwing away finds no better draw");
    // Published, thrown away and paired again too: the secret is out, and nobody may choose again.
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    let seed = hall.event().await.stage.rounds[0].seed;
    hall.act(async |tx, change, event| rounds::throw_away(tx, change, event, 1, None).await)
        .await
        .expect("thrown away");
    hall.pair().await.expect("paired");
    assert_eq!(hall.event().await.stage.rounds[0].seed, seed);
    assert!(seed.is_some());
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_promise_that_comes_too_late_says_so(pool: PgPool) {
    let hall = Hall::open(pool, 4, 8).await;
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    hall.black_wins(1).await;
    // All results are in: whoever switches lots on now could have chosen.
    lots(&hall, true).await;
    assert!(last(&hall.event().await, Decides::Round(2)).late);
    hall.pair().await.expect("paired");
    hall.publish(2).await.expect("published");
    let event = hall.event().await;
    assert_holds(&event, last(&event, Decides::Round(2)));
    assert!(!last(&event, Decides::Round(3)).late);
    // Switched off and on again while results are open, the promise stands.
    let promised = last(&event, Decides::Round(3)).clone();
    lots(&hall, false).await;
    lots(&hall, true).await;
    assert_eq!(last(&hall.event().await, Decides::Round(3)), &promised);
    // Switched on while results are open: in time.
    lots(&hall, false).await;
    hall.black_wins(2).await;
    hall.pair().await.expect("paired");
    hall.publish(3).await.expect("published");
    assert!(
        !hall
            .event()
            .await
            .draws
            .iter()
            .any(|draw| draw.decides == Decides::Round(4))
    );
    lots(&hall, true).await;
    assert!(!last(&hall.event().await, Decides::Round(4)).late);
}

#[sqlx::test(migrations = "../../migrations")]
async fn nothing_tells_a_secret_before_its_time(pool: PgPool) {
    let hall = Hall::open(pool, 3, 6).await;
    let patch = EventPatch {
        pairing: PairingPatch {
            colours: Some(Colours::Lots),
            ..PairingPatch::default()
        },
        ..EventPatch::default()
    };
    hall.act(async |tx, change, event| events::update(tx, change, event, patch, None).await)
        .await
        .expect("set");
    hall.pair().await.expect("paired");
    let secrets = hidden(&hall).await;
    assert_eq!(secrets.len(), 3, "of the round, of the numbers, of the groups");
    let event = hall.event().await;
    let mut tx = hall.begin().await;
    let told = [
        format!("{event:?}"),
        format!("{:?}", hall.change(0)),
        interchange::write(&events::export(&event)),
        log::export(&mut tx, &event).await.expect("a log").write(),
        draws::file(&mut tx, &event, Decides::Round(1))
            .await
            .expect("a draft"),
    ];
    for secret in secrets {
        for told in &told {
            assert!(!told.contains(&secret), "{told}");
        }
    }
}

#[sqlx::test(migrations = "../../migrations")]
async fn numbers_are_drawn_from_what_was_promised_with_the_event(pool: PgPool) {
    let hall = Hall::open(pool, 5, 12).await;
    let decides = Decides::Numbers;
    let promised = last(&hall.event().await, decides).clone();
    assert_eq!((promised.late, promised.promised_at), (false, moment(0)));
    word(&hall, decides, "东湖").await.expect("a word");
    let request = NumberRequest {
        seeded: vec![n(3), n(7), n(8)],
        ..NumberRequest::default()
    };
    numbers(&hall, request.clone()).await.expect("drawn");
    let event = hall.event().await;
    let name = |number: u32| event.stage.entry(n(number)).expect("an entry").name.clone();
    let seeded: BTreeSet<String> = [1, 5, 9].into_iter().map(name).collect();
    assert_eq!(seeded, ["C", "G", "H"].map(str::to_owned).into());
    let drawn = event
        .draws
        .iter()
        .find(|draw| draw.decides == decides)
        .expect("a draw");
    assert_eq!(drawn.commitment, promised.commitment);
    assert_holds(&event, drawn);
    assert_eq!(
        event.head.expect("a head").seq,
        drawn.revealed.as_ref().expect("revealed").seq
    );
    let file = assert_file_holds(&hall, decides).await;
    let act = &hall.log(Filter::default()).await[0];
    assert_eq!(act.action, Action::NumbersDrawn);
    assert!(file.contains(&format!("\"{}:{}\"", act.seq, act.hash)), "{file}");

    // Again only when that is said; then from another secret, promised with the first draw.
    let Refused::DrawnAlready { .. } = refused(numbers(&hall, request).await) else {
        panic!("drawn twice");
    };
    let second = last(&event, decides).clone();
    assert_eq!((second.edition, second.late, &second.revealed), (2, false, &None));
    let again = NumberRequest {
        again: true,
        ..NumberRequest::default()
    };
    numbers(&hall, again.clone()).await.expect("drawn");
    let event = hall.event().await;
    let drawn = event
        .draws
        .iter()
        .find(|draw| draw.commitment == second.commitment)
        .expect("a draw");
    assert_holds(&event, drawn);
    assert_ne!(assert_file_holds(&hall, decides).await, file);
    let numbers_now: Vec<u32> = event
        .stage
        .entries
        .iter()
        .map(|entry| entry.number.get())
        .collect();
    assert_eq!(numbers_now, (1..=12).collect::<Vec<_>>());

    let wrong = NumberRequest {
        seeded: vec![n(1)],
        slots: Some(vec![n(13)]),
        again: true,
    };
    assert_eq!(refused(numbers(&hall, wrong).await).code(), "no-such-slot");
    hall.round(&[(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12)], None)
        .await;
    assert_eq!(refused(numbers(&hall, again).await), Refused::NumbersFixed);
    assert_eq!(
        refused(word(&hall, decides, "late").await),
        Refused::WordsClosed { decides }
    );
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_field_is_split_by_strength_with_lots_in_each_layer(pool: PgPool) {
    let hall = Hall::open(pool, 5, 8).await;
    for number in 1..=8 {
        let patch = EntryPatch {
            // The strongest is 8.
            rating: Some(Some(2000 + i32::try_from(number).expect("small"))),
            ..EntryPatch::default()
        };
        hall.act(async |tx, change, event| entries::update(tx, change, event, n(number), patch).await)
            .await
            .expect("rated");
    }
    let request = GroupRequest {
        groups: 2,
        by: StrengthBy::Rating,
        split: Split::Snake { layer: 2 },
        again: false,
    };
    let split = async |request| {
        hall.act(async |tx, change, event| draws::draw_groups(tx, change, event, request).await)
            .await
    };
    split(request).await.expect("drawn");
    let event = hall.event().await;
    let group = |number: u32| {
        event
            .stage
            .entry(n(number))
            .and_then(|entry| entry.category.clone())
    };
    for layer in [[8, 7], [6, 5], [4, 3], [2, 1]] {
        let groups: BTreeSet<_> = layer.into_iter().map(group).collect();
        assert_eq!(
            groups,
            [Some("A".to_owned()), Some("B".to_owned())].into(),
            "{layer:?}"
        );
    }
    assert_file_holds(&hall, Decides::Groups).await;
    assert_eq!(hall.log(Filter::default()).await[0].action, Action::GroupsDrawn);
    assert_eq!(refused(split(request).await).code(), "drawn-already");
    let again = GroupRequest {
        split: Split::Lots,
        groups: 3,
        again: true,
        ..request
    };
    split(again).await.expect("drawn");
    let many = GroupRequest { groups: 9, ..again };
    assert_eq!(refused(split(many).await).code(), "groups-without-entries");
}

#[sqlx::test(migrations = "../../migrations")]
async fn categories_are_not_replaced_unasked(pool: PgPool) {
    let hall = Hall::open(pool, 5, 4).await;
    let patch = EntryPatch {
        category: Some(Some("U12".to_owned())),
        ..EntryPatch::default()
    };
    hall.act(async |tx, change, event| entries::update(tx, change, event, n(2), patch).await)
        .await
        .expect("updated");
    let request = GroupRequest {
        groups: 2,
        by: StrengthBy::Number,
        split: Split::Lots,
        again: false,
    };
    let split = hall
        .act(async |tx, change, event| draws::draw_groups(tx, change, event, request).await)
        .await;
    assert_eq!(refused(split), Refused::CategoriesThere { numbers: vec![n(2)] });
}

#[sqlx::test(migrations = "../../migrations")]
async fn a_published_draw_stays_as_it_was_made(pool: PgPool) {
    let hall = Hall::open(pool, 3, 8).await;
    lots(&hall, true).await;
    hall.pair().await.expect("paired");
    hall.publish(1).await.expect("published");
    let file = assert_file_holds(&hall, Decides::Round(1)).await;
    // What it was made from changes afterwards.
    lots(&hall, false).await;
    let patch = EntryPatch {
        name: Some("Renamed".to_owned()),
        team: Some(Some("Red".to_owned())),
        ..EntryPatch::default()
    };
    hall.act(async |tx, change, event| entries::update(tx, change, event, n(1), patch).await)
        .await
        .expect("updated");
    hall.black_wins(1).await;
    assert_eq!(assert_file_holds(&hall, Decides::Round(1)).await, file);
}
