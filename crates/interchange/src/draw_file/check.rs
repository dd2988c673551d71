//! Repeating a draw: what holds of a draw file, and what does not.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use tournament::checker::{self, CertificateFault, Level};
use tournament::draw::{self, Commitment, Groups, Label, Seed, Sum};
use tournament::pairing::{Confirmed, Refusal, Request, pair};
use tournament::{Board, Colours, Number, Round};

use crate::certificate::CertificateProblem;
use crate::output::criteria_json;

use super::{Content, GroupDraw, NumberDraw, RoundDraw, Sealed, derive, numbers_of};

/// One sentence about a draw file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// The content comes to the sum that the file names.
    SumHolds(Sum),
    /// The secret is the one that was promised.
    CommitmentHolds(Commitment),
    /// The seed follows from the secret and so many public words.
    SeedHolds {
        /// The seed.
        seed: Seed,
        /// How many words.
        words: usize,
    },
    /// There is a seed, and nothing was promised.
    SeedUnpromised(Seed),
    /// The settings draw no lots.
    NoLots,
    /// The order of so many players is that of the seed.
    OrderHolds(usize),
    /// The lots for colours of so many players are those of the seed.
    ColoursHold(usize),
    /// What is said of so many players follows from the rounds before.
    PlayersHold(usize),
    /// The values of the criteria are those of the table.
    CriteriaHold,
    /// The certificate proves that no table is better.
    CertificateHolds,
    /// The rules give this table: so many boards.
    TableHolds(usize),
    /// The seed gives these numbers to so many entries.
    NumbersHold(usize),
    /// The seed gives these groups to so many entries.
    GroupsHold(usize),
    /// The content comes to another sum.
    Sum {
        /// In the file.
        file: Sum,
        /// What it should be.
        content: Sum,
    },
    /// The secret is not the one that was promised.
    Commitment {
        /// In the file.
        file: Commitment,
        /// Of the secret.
        secret: Commitment,
    },
    /// The seed does not follow from the secret and the public words.
    Seed {
        /// In the file.
        file: Seed,
        /// What follows.
        parts: Seed,
    },
    /// A place in an order by lots is somebody else's.
    Lots {
        /// What the lots are for.
        label: Label,
        /// The place, from 1.
        place: usize,
        /// Who stands there in the file.
        file: Option<Number>,
        /// Whom the seed puts there.
        seed: Option<Number>,
    },
    /// What is said of a player does not follow from the rounds before.
    Player {
        /// The player.
        number: Number,
        /// The field; none when the player should not be there, or is missing.
        field: Option<String>,
        /// In the file.
        file: Value,
        /// What follows.
        rounds: Value,
    },
    /// The list of players is out of order, or holds something that is no player.
    PlayerList {
        /// The place, from 1.
        place: usize,
    },
    /// A criterion has another value.
    Criterion {
        /// Which, `P1` to `P6`.
        criterion: String,
        /// In the file.
        file: Value,
        /// Of the table.
        table: Value,
    },
    /// The independent checker finds a breach in the table.
    Breach(checker::Finding),
    /// The certificate does not prove the table.
    Certificate(CertificateFault),
    /// The certificate is none.
    NoCertificate(CertificateProblem),
    /// The round cannot be paired at all.
    Refused(Refusal),
    /// A board is not the one that the rules give.
    Board {
        /// The board.
        board: usize,
        /// In the file: Black and White.
        file: Option<(Number, Number)>,
        /// By the rules.
        rules: Option<(Number, Number)>,
    },
    /// A board has another number than its place says.
    BoardNumber {
        /// The place, from 1.
        place: usize,
        /// The number.
        board: u32,
    },
    /// The bye is not the one that the rules give.
    Byes {
        /// In the file.
        file: Vec<Number>,
        /// By the rules.
        rules: Vec<Number>,
    },
    /// An entry has another number.
    Number {
        /// The place in the list, from 1.
        place: usize,
        /// In the file.
        file: Number,
        /// By the seed.
        seed: Number,
    },
    /// An entry is in another group.
    Group {
        /// The place in the list, from 1.
        place: usize,
        /// In the file.
        file: char,
        /// By the seed.
        seed: char,
    },
}

impl Statement {
    /// Whether it says that something holds.
    pub fn holds(&self) -> bool {
        matches!(
            self,
            Self::SumHolds(_)
                | Self::CommitmentHolds(_)
                | Self::SeedHolds { .. }
                | Self::SeedUnpromised(_)
                | Self::NoLots
                | Self::OrderHolds(_)
                | Self::ColoursHold(_)
                | Self::PlayersHold(_)
                | Self::CriteriaHold
                | Self::CertificateHolds
                | Self::TableHolds(_)
                | Self::NumbersHold(_)
                | Self::GroupsHold(_)
        )
    }

    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SumHolds(_) | Self::Sum { .. } => "sum",
            Self::CommitmentHolds(_) | Self::Commitment { .. } => "commitment",
            Self::SeedHolds { .. } | Self::Seed { .. } => "seed",
            Self::SeedUnpromised(_) => "seed-unpromised",
            Self::NoLots => "no-lots",
            Self::OrderHolds(_)
            | Self::Lots {
                label: Label::Order, ..
            } => "order",
            Self::ColoursHold(_) | Self::Lots { .. } => "colours",
            Self::PlayersHold(_) | Self::Player { .. } | Self::PlayerList { .. } => "players",
            Self::CriteriaHold | Self::Criterion { .. } => "criteria",
            Self::CertificateHolds | Self::Certificate(_) | Self::NoCertificate(_) => "certificate",
            Self::Breach(finding) => finding.code(),
            Self::Refused(refusal) => refusal.code(),
            Self::TableHolds(_) | Self::Board { .. } | Self::BoardNumber { .. } | Self::Byes { .. } => {
                "table"
            }
            Self::NumbersHold(_) | Self::Number { .. } => "numbers",
            Self::GroupsHold(_) | Self::Group { .. } => "groups",
        }
    }
}

fn seat(pair: Option<(Number, Number)>) -> String {
    pair.map_or_else(
        || "no such board".to_owned(),
        |(black, white)| format!("{black}–{white}"),
    )
}

fn who(number: Option<Number>) -> String {
    number.map_or_else(|| "nobody".to_owned(), |number| format!("number {number}"))
}

fn listed(numbers: &[Number]) -> String {
    if numbers.is_empty() {
        return "none".to_owned();
    }
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(", ")
}

fn of(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// One sentence, in English.
impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SumHolds(sum) => write!(f, "the content comes to the sum of the file, {sum}"),
            Self::CommitmentHolds(commitment) => write!(
                f,
                "the secret is the one that was promised: compare {commitment} with the commitment that was published before"
            ),
            Self::SeedHolds { seed, words } => write!(
                f,
                "the seed follows from the secret and {}: {seed}",
                of(*words, "public word", "public words")
            ),
            Self::SeedUnpromised(seed) => write!(
                f,
                "nothing was promised before: whoever made the draw was free to choose the seed {seed}"
            ),
            Self::NoLots => f.write_str("no lots are drawn: the rules alone decide"),
            Self::OrderHolds(count) => {
                write!(
                    f,
                    "the seed gives the order of the {}",
                    of(*count, "player", "players")
                )
            }
            Self::ColoursHold(count) => write!(
                f,
                "the seed gives the lots for colours of the {}",
                of(*count, "player", "players")
            ),
            Self::PlayersHold(count) => write!(
                f,
                "what is said of the {} follows from the rounds before",
                of(*count, "player", "players")
            ),
            Self::CriteriaHold => f.write_str(
                "the independent checker finds no breach, and the criteria have the values in the file",
            ),
            Self::CertificateHolds => {
                f.write_str("the certificate adds up: no table is better on the criteria")
            }
            Self::TableHolds(count) => write!(
                f,
                "paired again, the round comes out as in the file, {}",
                of(*count, "board", "boards")
            ),
            Self::NumbersHold(count) => write!(
                f,
                "drawn again, the numbers of the {} come out as in the file",
                of(*count, "entry", "entries")
            ),
            Self::GroupsHold(count) => write!(
                f,
                "drawn again, the groups of the {} come out as in the file",
                of(*count, "entry", "entries")
            ),
            Self::Sum { file, content } => write!(
                f,
                "sum: the file has {file}, its content comes to {content}: something in it was changed after it was written"
            ),
            Self::Commitment { file, secret } => write!(
                f,
                "commitment: the file has {file}, the secret gives {secret}: it is not the secret that was promised"
            ),
            Self::Seed { file, parts } => write!(
                f,
                "seed: the file has {file}, secret and public words give {parts}"
            ),
            Self::Lots {
                label,
                place,
                file,
                seed,
            } => write!(
                f,
                "{}, place {place}: the file has {}, the seed gives {}",
                label.as_str(),
                who(*file),
                who(*seed)
            ),
            Self::Player {
                number,
                field: Some(field),
                file,
                rounds,
            } => write!(
                f,
                "players, number {number}, {field}: the file has {file}, the rounds before give {rounds}"
            ),
            Self::Player { number, rounds, .. } if rounds.is_null() => {
                write!(f, "players: number {number} stands there and does not take part")
            }
            Self::Player { number, .. } => write!(f, "players: number {number} takes part and is missing"),
            Self::PlayerList { place } => write!(
                f,
                "players, place {place}: no player with a number above the one before stands there"
            ),
            Self::Criterion {
                criterion,
                file,
                table,
            } => write!(
                f,
                "criteria, {criterion}: the file has {file}, the table gives {table}"
            ),
            Self::Breach(finding) => write!(f, "the independent checker finds a breach: {finding}"),
            Self::Certificate(fault) => write!(f, "the certificate does not prove the table: {fault}"),
            Self::NoCertificate(problem) => write!(f, "certificate, {problem}"),
            Self::Refused(refusal) => write!(f, "the round cannot be paired again: {refusal}"),
            Self::Board { board, file, rules } => write!(
                f,
                "board {board}: the file has {}, the rules give {}",
                seat(*file),
                seat(*rules)
            ),
            Self::BoardNumber { place, board } => {
                write!(f, "board {board} stands where board {place} should be")
            }
            Self::Byes { file, rules } => write!(
                f,
                "bye: the file has {}, the rules give {}",
                listed(file),
                listed(rules)
            ),
            Self::Number { place, file, seed } => write!(
                f,
                "entry {place} of the list: the file has number {file}, the draw gives number {seed}"
            ),
            Self::Group { place, file, seed } => write!(
                f,
                "entry {place} of the list: the file has group {file}, the draw gives group {seed}"
            ),
        }
    }
}

/// Repeats a draw: its sum, the promise, the seed, every shuffle; for a round also what is said of
/// the players, the criteria by the independent checker, and the table board by board.
pub fn check(sealed: &Sealed) -> Vec<Statement> {
    let mut said = Vec::new();
    said.push(if sealed.written == sealed.found {
        Statement::SumHolds(sealed.found)
    } else {
        Statement::Sum {
            file: sealed.written,
            content: sealed.found,
        }
    });
    promise(sealed, &mut said);
    match (&sealed.draw.content, sealed.draw.seed) {
        (Content::Round(draw), seed) => round(draw, seed, &mut said),
        (Content::Numbers(draw), Some(seed)) => numbers(draw, seed, &mut said),
        (Content::Groups(draw), Some(seed)) => groups(draw, seed, &mut said),
        (Content::Numbers(_) | Content::Groups(_), None) => {}
    }
    said
}

fn promise(sealed: &Sealed, said: &mut Vec<Statement>) {
    let draw = &sealed.draw;
    let decides = draw.decides();
    let (promise, seed) = match (&draw.promise, draw.seed) {
        (Some(promise), Some(seed)) => (promise, seed),
        (_, Some(seed)) => return said.push(Statement::SeedUnpromised(seed)),
        (_, None) => return said.push(Statement::NoLots),
    };
    let secret = draw::commitment(&draw.event, decides, promise.secret);
    said.push(if secret == promise.commitment {
        Statement::CommitmentHolds(secret)
    } else {
        Statement::Commitment {
            file: promise.commitment,
            secret,
        }
    });
    let parts = draw::seed(&draw.event, decides, promise.secret, &promise.words);
    said.push(if parts == seed {
        Statement::SeedHolds {
            seed,
            words: promise.words.len(),
        }
    } else {
        Statement::Seed { file: seed, parts }
    });
}

/// Says that everything holds when nothing was found.
fn or_holds(said: &mut Vec<Statement>, found: Vec<Statement>, holds: Statement) {
    if found.is_empty() {
        said.push(holds);
    } else {
        said.extend(found);
    }
}

fn round(draw: &RoundDraw, seed: Option<Seed>, said: &mut Vec<Statement>) {
    let stage = &draw.input.stage;
    if let Some(seed) = seed {
        let both = [
            (
                Label::Order,
                &draw.order,
                Statement::OrderHolds as fn(usize) -> Statement,
            ),
            (Label::Colours, &draw.colours, Statement::ColoursHold),
        ];
        for (label, list, holds) in both {
            let Some(list) = list else { continue };
            let again = derive::lots(stage, &draw.choices, seed, label);
            let wrong = (0..list.len().max(again.len())).filter_map(|place| {
                let (file, seed) = (list.get(place).copied(), again.get(place).copied());
                (file != seed).then_some(Statement::Lots {
                    label,
                    place: place + 1,
                    file,
                    seed,
                })
            });
            or_holds(said, wrong.collect(), holds(again.len()));
        }
    }
    players(draw, said);
    criteria(draw, seed, said);
    certificate(draw, seed, said);
    let request = Request {
        confirmed: Confirmed {
            repeats: true,
            provisional: true,
        },
        choices: draw.choices.clone(),
        seed,
    };
    match pair(stage, request) {
        Ok(again) => or_holds(
            said,
            unlike(
                &draw.table,
                &again.boards,
                &again.byes,
                stage.pairing.colours != Colours::Nigiri,
            ),
            Statement::TableHolds(again.boards.len()),
        ),
        Err(refusal) => said.push(Statement::Refused(refusal)),
    }
}

/// Where a table is not the one that the rules give. Where no colours are assigned, a pair has none.
fn unlike(table: &Round, boards: &[Board], byes: &[Number], colours: bool) -> Vec<Statement> {
    let mut wrong = Vec::new();
    let pair = |board: &Board| {
        let (one, other) = (board.black, board.white);
        if colours {
            (one, other)
        } else {
            (one.min(other), one.max(other))
        }
    };
    for place in 0..table.boards.len().max(boards.len()) {
        let (file, rules) = (table.boards.get(place), boards.get(place));
        if let Some(board) = file
            && board.board as usize != place + 1
        {
            wrong.push(Statement::BoardNumber {
                place: place + 1,
                board: board.board,
            });
        }
        let (file, rules) = (file.map(pair), rules.map(pair));
        if file != rules {
            wrong.push(Statement::Board {
                board: place + 1,
                file,
                rules,
            });
        }
    }
    if table.byes != byes {
        wrong.push(Statement::Byes {
            file: table.byes.clone(),
            rules: byes.to_vec(),
        });
    }
    wrong
}

fn players(draw: &RoundDraw, said: &mut Vec<Statement>) {
    let number = |player: &Value| {
        let number = player.get("number")?.as_u64()?;
        Number::new(u32::try_from(number).ok()?)
    };
    let list = |players: &Value| players.as_array().cloned().unwrap_or_default();
    let derived = list(&derive::players(&draw.input.stage, &draw.choices));
    let mut missing: BTreeMap<Number, &Value> = derived
        .iter()
        .filter_map(|player| Some((number(player)?, player)))
        .collect();
    let mut wrong = Vec::new();
    let mut before = None;
    for (place, player) in list(&draw.players).iter().enumerate() {
        let Some(number) = number(player).filter(|number| before.is_none_or(|before| before < *number))
        else {
            wrong.push(Statement::PlayerList { place: place + 1 });
            continue;
        };
        before = Some(number);
        let Some(rounds) = missing.remove(&number) else {
            wrong.push(Statement::Player {
                number,
                field: None,
                file: Value::from(number.get()),
                rounds: Value::Null,
            });
            continue;
        };
        wrong.extend(
            members_unlike(player, rounds).map(|(field, file, rounds)| Statement::Player {
                number,
                field: Some(field),
                file,
                rounds,
            }),
        );
    }
    wrong.extend(missing.keys().map(|number| Statement::Player {
        number: *number,
        field: None,
        file: Value::Null,
        rounds: Value::from(number.get()),
    }));
    or_holds(said, wrong, Statement::PlayersHold(derived.len()));
}

/// The members that two objects do not share.
fn members_unlike<'a>(
    file: &'a Value,
    right: &'a Value,
) -> impl Iterator<Item = (String, Value, Value)> + use<'a> {
    let names = |value: &'a Value| value.as_object().into_iter().flat_map(|members| members.keys());
    let names: std::collections::BTreeSet<&String> = names(file).chain(names(right)).collect();
    names.into_iter().filter_map(|name| {
        let of = |value: &Value| value.get(name).cloned().unwrap_or_default();
        // A member that is null stands there all the same.
        let same = file.get(name) == right.get(name);
        (!same).then(|| (name.clone(), of(file), of(right)))
    })
}

fn criteria(draw: &RoundDraw, seed: Option<Seed>, said: &mut Vec<Statement>) {
    let judgement = derive::judged(&draw.input.stage, &draw.choices, seed, &draw.table);
    let mut wrong: Vec<Statement> = judgement
        .at(Level::Error)
        .cloned()
        .map(Statement::Breach)
        .collect();
    let reached = criteria_json(&judgement.reached);
    let unlike = members_unlike(&draw.criteria, &reached);
    wrong.extend(unlike.map(|(criterion, file, table)| Statement::Criterion {
        criterion,
        file,
        table,
    }));
    or_holds(said, wrong, Statement::CriteriaHold);
}

fn certificate(draw: &RoundDraw, seed: Option<Seed>, said: &mut Vec<Statement>) {
    let Some(value) = &draw.certificate else { return };
    let stage = &draw.input.stage;
    said.push(match crate::certificate(value) {
        Err(problem) => Statement::NoCertificate(problem),
        Ok(certificate) => {
            let table = derive::seated(stage, &draw.choices, seed, &draw.table);
            checker::verify(stage, &table, &certificate)
                .map_or_else(Statement::Certificate, |()| Statement::CertificateHolds)
        }
    });
}

fn numbers(draw: &NumberDraw, seed: Seed, said: &mut Vec<Statement>) {
    let again = numbers_of(&draw.slots, draw.entries.iter().map(|entry| entry.seeded)).draw(seed);
    let Ok(again) = again else { return };
    let wrong = draw.entries.iter().zip(&again).enumerate();
    let wrong = wrong.filter(|(_, (entry, seed))| entry.number != **seed);
    let wrong = wrong.map(|(place, (entry, seed))| Statement::Number {
        place: place + 1,
        file: entry.number,
        seed: *seed,
    });
    or_holds(said, wrong.collect(), Statement::NumbersHold(again.len()));
}

fn groups(draw: &GroupDraw, seed: Seed, said: &mut Vec<Statement>) {
    let groups = Groups {
        entries: draw.entries.len(),
        groups: draw.groups,
        split: draw.split,
    };
    let Ok(again) = groups.draw(seed) else { return };
    let wrong = draw.entries.iter().zip(&again).enumerate();
    let wrong = wrong.filter(|(_, (entry, seed))| entry.group != **seed);
    let wrong = wrong.map(|(place, (entry, seed))| Statement::Group {
        place: place + 1,
        file: Groups::letter(entry.group),
        seed: Groups::letter(*seed),
    });
    or_holds(said, wrong.collect(), Statement::GroupsHold(again.len()));
}
