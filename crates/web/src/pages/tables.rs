//! Tables that several pages share: the pairing table by board and by name, and rounds in cells.

use std::collections::HashMap;

use rules::Unit;
use tournament::tally::{EntryTally, Kind, Played, tally};
use tournament::{Colours, Entry, Number, Round, Side, Stage};

use super::search::{search_text, sort_key};
use super::words;
use super::words::Mark;
use crate::i18n::Language;

/// An entry on one side of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatView {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The player's page.
    pub href: String,
    /// The team, or nothing.
    pub team: String,
    /// The score before the round.
    pub score: String,
    /// The colour owed before the round.
    pub balance: String,
}

/// One board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardRow {
    /// The board.
    pub board: u32,
    /// Whether another score group begins here.
    pub group_start: bool,
    /// Whether colours come from nigiri and are not known: `black` is then just named first.
    pub nigiri: bool,
    /// Who has Black.
    pub black: SeatView,
    /// Who has White.
    pub white: SeatView,
    /// The result, or nothing.
    pub result: String,
    /// The way, the margin, warnings.
    pub result_details: String,
    /// By what both are found.
    pub search: String,
    /// Marks of a draft.
    pub marks: Vec<Mark>,
    /// The board's page, when there is a record of its game.
    pub record_href: Option<String>,
}

/// An entry without a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardlessRow {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The player's page.
    pub href: String,
    /// The team, or nothing.
    pub team: String,
    /// The score before the round.
    pub score: String,
    /// The colour owed before the round.
    pub balance: String,
    /// 轮空 with its points, or 缺席.
    pub words: String,
    /// By what it is found.
    pub search: String,
}

/// Where somebody sits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatOf {
    /// The board.
    pub board: u32,
    /// Whether the colour comes from nigiri and is not known.
    pub nigiri: bool,
    /// Whether with Black.
    pub black: bool,
    /// The opponent's number.
    pub opponent_number: u32,
    /// The opponent's name.
    pub opponent_name: String,
    /// The opponent's page.
    pub opponent_href: String,
}

/// One entry in the table by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameRow {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The player's page.
    pub href: String,
    /// The team, or nothing.
    pub team: String,
    /// Where it sits; nothing without a board.
    pub seat: Option<SeatOf>,
    /// 轮空 or 缺席 where there is no board.
    pub without_seat: String,
    /// By what it is found.
    pub search: String,
}

/// A round of one entry, in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellView {
    /// The game, when there was a board.
    pub game: Option<CellGame>,
    /// The result in a character or two.
    pub mark: String,
    /// The same in words.
    pub title: String,
}

/// A game in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellGame {
    /// Whether the colour is not known.
    pub nigiri: bool,
    /// Whether with Black.
    pub black: bool,
    /// The opponent's number.
    pub opponent: u32,
    /// `won`, `lost` or `even`, for the weight of the letters.
    pub class: &'static str,
}

/// A stage seen in one language, as it stood before a round.
pub struct Field<'a> {
    t: Language,
    slug: &'a str,
    stage: &'a Stage,
    entries: HashMap<Number, &'a Entry>,
    books: HashMap<Number, EntryTally>,
}

impl<'a> Field<'a> {
    /// The field before a round: scores and colours go by the rounds before it.
    pub fn before(t: Language, slug: &'a str, stage: &'a Stage, round: u32) -> Self {
        let books = tally(stage, round.saturating_sub(1));
        Self {
            t,
            slug,
            stage,
            entries: stage.entries.iter().map(|entry| (entry.number, entry)).collect(),
            books: books.into_iter().map(|book| (book.number, book)).collect(),
        }
    }

    fn score(&self, number: Number) -> i32 {
        self.books.get(&number).map_or(0, |book| book.score.0)
    }

    /// Games as White less games as Black so far.
    fn balance(&self, number: Number) -> i32 {
        let carried = self
            .entries
            .get(&number)
            .and_then(|entry| entry.carried.as_ref())
            .map_or(0, |carried| carried.balance);
        let played = self.books.get(&number).map_or(0, |book| {
            book.games
                .iter()
                .map(|game| match game.colour {
                    Some(Side::White) => 1,
                    Some(Side::Black) => -1,
                    None => 0,
                })
                .sum()
        });
        carried + played
    }

    fn name(&self, number: Number) -> &str {
        self.entries.get(&number).map_or("", |entry| entry.name.as_str())
    }

    fn team(&self, number: Number) -> &str {
        self.entries
            .get(&number)
            .and_then(|entry| entry.team.as_deref())
            .unwrap_or_default()
    }

    /// The page of a player.
    pub fn href(&self, number: Number) -> String {
        player_href(self.slug, number)
    }

    fn search(&self, number: Number) -> String {
        search_text(number.get(), self.name(number), self.team(number))
    }

    /// An entry with its score and the colour it is owed.
    pub fn seat_view(&self, number: Number) -> SeatView {
        SeatView {
            number: number.get(),
            name: self.name(number).to_owned(),
            href: self.href(number),
            team: self.team(number).to_owned(),
            score: self.score(number).to_string(),
            balance: words::balance(self.t, self.balance(number)),
        }
    }

    /// The boards of a round, in board order.
    pub fn boards(&self, round: &Round, unit: Unit) -> Vec<BoardRow> {
        let mut rows: Vec<BoardRow> = Vec::new();
        let mut group = None;
        for board in &round.boards {
            // A float heads its lower group, so the lower score says which group a board is of.
            let lower = self.score(board.black).min(self.score(board.white));
            let group_start = group.is_some_and(|above| above != lower);
            group = Some(lower);
            rows.push(BoardRow {
                board: board.board,
                group_start,
                nigiri: board.nigiri,
                black: self.seat_view(board.black),
                white: self.seat_view(board.white),
                result: words::result(self.t, board),
                result_details: words::result_details(self.t, unit, board),
                // Two entries in one text: a newline keeps them apart.
                search: format!("{}\n{}", self.search(board.black), self.search(board.white)),
                marks: Vec::new(),
                record_href: None,
            });
        }
        rows
    }

    /// Those without a board: byes first, then the absent.
    pub fn without_board(&self, round: &Round) -> Vec<BoardlessRow> {
        let bye = self
            .t
            .with("played-bye", "points", self.stage.pairing.bye_score.0);
        let byes = round.byes.iter().map(|number| (*number, bye.clone()));
        let mut away: Vec<Number> = self
            .entries
            .values()
            .filter(|entry| entry.withdrawn_after.is_none_or(|after| round.round <= after))
            .map(|entry| entry.number)
            .filter(|number| round.board_of(*number).is_none() && !round.byes.contains(number))
            .collect();
        away.sort();
        byes.chain(away.into_iter().map(|number| (number, self.absence(number))))
            .map(|(number, words)| {
                let seat = self.seat_view(number);
                BoardlessRow {
                    number: seat.number,
                    href: seat.href,
                    score: seat.score,
                    balance: seat.balance,
                    words,
                    search: self.search(number),
                    name: seat.name,
                    team: seat.team,
                }
            })
            .collect()
    }

    /// Where an entry sits in a round.
    pub fn seat_of(&self, round: &Round, number: Number) -> Option<SeatOf> {
        let (board, side) = round.board_of(number)?;
        let opponent = board.on(side.other());
        Some(SeatOf {
            board: board.board,
            nigiri: board.nigiri,
            black: side == Side::Black,
            opponent_number: opponent.get(),
            opponent_name: self.name(opponent).to_owned(),
            opponent_href: self.href(opponent),
        })
    }

    /// What an entry without a board has in a round.
    pub fn without_seat(&self, round: &Round, number: Number) -> String {
        if round.byes.contains(&number) {
            self.t
                .with("played-bye", "points", self.stage.pairing.bye_score.0)
        } else if self
            .entries
            .get(&number)
            .is_some_and(|entry| entry.withdrawn_after.is_some_and(|after| after < round.round))
        {
            self.t.say("withdrawn")
        } else {
            self.absence(number)
        }
    }

    /// Why somebody who has not withdrawn has no board and no bye.
    fn absence(&self, number: Number) -> String {
        let enough = self.stage.pairing.stop_at;
        self.t
            .say(if enough.is_some_and(|enough| self.score(number) >= enough.0) {
                "played-stopped"
            } else {
                "played-absent"
            })
    }

    /// One entry's line in the table by name.
    pub fn name_row(&self, round: &Round, number: Number) -> NameRow {
        let seat = self.seat_of(round, number);
        NameRow {
            number: number.get(),
            name: self.name(number).to_owned(),
            href: self.href(number),
            team: self.team(number).to_owned(),
            without_seat: if seat.is_some() {
                String::new()
            } else {
                self.without_seat(round, number)
            },
            seat,
            search: self.search(number),
        }
    }

    /// Everybody who has a place in the round, in the order of names.
    pub fn by_name(&self, round: &Round) -> Vec<NameRow> {
        let mut numbers: Vec<Number> = round
            .boards
            .iter()
            .flat_map(|board| [board.black, board.white])
            .chain(round.byes.iter().copied())
            .collect();
        numbers.sort_by_cached_key(|number| (sort_key(self.name(*number)), *number));
        numbers
            .into_iter()
            .map(|number| self.name_row(round, number))
            .collect()
    }
}

/// The page of a player.
pub fn player_href(slug: &str, number: Number) -> String {
    format!("/e/{slug}/players/{number}")
}

/// One round of one entry as a cell.
pub fn cell(t: Language, stage: &Stage, played: &Played) -> CellView {
    let mark = words::played_short(t, played);
    let told = words::played(t, played);
    let (Some(opponent), Some(side)) = (played.opponent, played.side) else {
        return CellView {
            game: None,
            mark,
            title: told,
        };
    };
    let class = match played.outcome {
        Some(_) if played.won() => "won",
        Some(tournament::Outcome::Draw) | None => "even",
        Some(_) => "lost",
    };
    // A forfeit shows the side that was assigned, though it carries no colour.
    let assigned = stage.pairing.colours != Colours::Nigiri && played.kind != Kind::Game;
    let nigiri = played.colour.is_none() && !assigned;
    let colour = t.say(match side {
        _ if nigiri => "nigiri",
        Side::Black => "black",
        Side::White => "white",
    });
    CellView {
        mark,
        title: t.list([colour, words::person(t, stage, opponent), told]),
        game: Some(CellGame {
            nigiri,
            black: side == Side::Black,
            opponent: opponent.get(),
            class,
        }),
    }
}
