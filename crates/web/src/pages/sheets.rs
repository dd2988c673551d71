//! The sheets of an event (表): what goes on paper, into spreadsheets and to programs, each a pure
//! function of what is public of the event.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, FixedOffset};
use interchange::sheets::{Cell, Column, Kind as Holds, Section, Sheet};
use store::events::Event;
use tournament::prizes::{Award, OpenPrize, prizes};
use tournament::promotion::{From, Promotions, Reason, To, promotions};
use tournament::standings::{Row, Standings, standings};
use tournament::tally::{Kind, Played};
use tournament::{Colours, Entry, Grade, Number, Outcome, Side, Stage};

use super::public::event::{facts, round_state};
use super::public::standings::{missing, place, unplayed};
use super::search::sort_key;
use super::tables::Field;
use super::words;
use crate::i18n::Language;

/// How many rounds of a cross table stand beside one another on a page of paper.
const ROUNDS_ACROSS: usize = 12;

/// How many of the first places the final report names.
const REPORT_PLACES: usize = 20;

/// A sheet of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// Programme (秩序册).
    Programme,
    /// Sign-in list (签到表).
    SignIn,
    /// Pairing by board (对阵表).
    Pairing,
    /// Pairing by name.
    PairingByName,
    /// Results of a round (成绩公告).
    Results,
    /// Places (名次表).
    Standings,
    /// Places by category (组别名次).
    Categories,
    /// Cross table (大表).
    Crosstable,
    /// Promotion (升段名单).
    Promotion,
    /// Prizes (获奖名单).
    Prizes,
    /// Final report (总结).
    Report,
}

impl Which {
    /// All of them, in the order of the day.
    pub const ALL: [Self; 11] = [
        Self::Programme,
        Self::SignIn,
        Self::Pairing,
        Self::PairingByName,
        Self::Results,
        Self::Standings,
        Self::Categories,
        Self::Crosstable,
        Self::Promotion,
        Self::Prizes,
        Self::Report,
    ];

    /// The word of addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Programme => "programme",
            Self::SignIn => "sign-in",
            Self::Pairing => "pairing",
            Self::PairingByName => "pairing-by-name",
            Self::Results => "results",
            Self::Standings => "standings",
            Self::Categories => "categories",
            Self::Crosstable => "crosstable",
            Self::Promotion => "promotion",
            Self::Prizes => "prizes",
            Self::Report => "report",
        }
    }

    /// The sheet of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|which| which.as_str() == word)
    }

    /// Whether it is of a single round, or as of one.
    pub fn has_round(self) -> bool {
        !matches!(self, Self::Programme | Self::SignIn | Self::Report)
    }

    /// Whether there is none before a round is published.
    pub fn needs_round(self) -> bool {
        matches!(self, Self::Pairing | Self::PairingByName | Self::Results)
    }

    /// Whether it goes across the paper.
    pub fn is_wide(self) -> bool {
        matches!(self, Self::Crosstable | Self::Standings)
    }
}

/// Where a sheet is to go: on paper a wide table is split, elsewhere it stays one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Pages of A4.
    Paper,
    /// A spreadsheet or a program.
    Table,
}

/// Makes a sheet, as of a round or as of the last one; nothing for a round that is not published.
pub fn sheet(t: Language, event: &Event, which: Which, round: Option<u32>, medium: Medium) -> Option<Sheet> {
    let stage = event.public_stage();
    let last = stage
        .rounds
        .last()
        .map_or(stage.first_round - 1, |round| round.round);
    let after = round.filter(|_| which.has_round()).unwrap_or(last);
    let there = stage.rounds.iter().any(|one| one.round == after);
    if !there && (which.needs_round() || after != last) {
        return None;
    }
    let maker = Maker {
        t,
        event,
        stage: &stage,
        entries: stage.entries.iter().map(|entry| (entry.number, entry)).collect(),
        after,
    };
    let mut sheet = match which {
        Which::Programme => maker.programme(),
        Which::SignIn => maker.sign_in(medium),
        Which::Pairing => maker.pairing()?,
        Which::PairingByName => maker.pairing_by_name()?,
        Which::Results => maker.results()?,
        Which::Standings => maker.standings(),
        Which::Categories => maker.categories(),
        Which::Crosstable => maker.crosstable(medium),
        Which::Promotion => maker.promotion(),
        Which::Prizes => maker.prizes(),
        Which::Report => maker.report(),
    };
    sheet.event.clone_from(&event.name);
    let name = t.say(&format!("sheet-{}", which.as_str()));
    sheet.title = match which {
        _ if after == 0 || !which.has_round() => name,
        which if which.needs_round() => t.with2("sheet-of-round", "sheet", name, "round", after),
        _ => t.with2("sheet-after-round", "sheet", name, "round", after),
    };
    Some(sheet)
}

struct Maker<'a> {
    t: Language,
    event: &'a Event,
    stage: &'a Stage,
    entries: BTreeMap<Number, &'a Entry>,
    after: u32,
}

impl<'a> Maker<'a> {
    fn col(&self, key: &str, kind: Holds) -> Column {
        Column::new(self.t.say(key), kind)
    }

    fn entry(&self, number: Number) -> Option<&'a Entry> {
        self.entries.get(&number).copied()
    }

    fn name(&self, number: Number) -> Cell {
        Cell::text(self.entry(number).map_or("", |entry| entry.name.as_str()))
    }

    fn team(&self, number: Number) -> Cell {
        let team = self.entry(number).and_then(|entry| entry.team.as_deref());
        Cell::text(team.unwrap_or_default())
    }

    fn grade(&self, grade: Option<Grade>) -> Cell {
        Cell::text(grade.map_or_else(String::new, |grade| words::grade(self.t, grade)))
    }

    fn by_number(&self) -> Vec<&'a Entry> {
        self.entries.values().copied().collect()
    }

    fn round(&self) -> Option<&'a tournament::Round> {
        self.stage.rounds.iter().find(|round| round.round == self.after)
    }

    /// The columns of an entry in a list.
    fn entry_columns(&self) -> Vec<Column> {
        vec![
            self.col("col-number", Holds::Number),
            self.col("col-name", Holds::Name),
            self.col("col-team", Holds::Text),
            self.col("col-grade", Holds::Word),
            self.col("col-rating", Holds::Number),
            self.col("col-category", Holds::Word),
        ]
    }

    fn entry_row(&self, entry: &Entry) -> Vec<Cell> {
        vec![
            Cell::from(entry.number.get()),
            Cell::text(&*entry.name),
            Cell::text(entry.team.as_deref().unwrap_or_default()),
            self.grade(entry.grade),
            entry.rating.map_or(Cell::Empty, Cell::from),
            Cell::text(entry.category.as_deref().unwrap_or_default()),
        ]
    }

    fn programme(&self) -> Sheet {
        let t = self.t;
        let settings = &self.stage.pairing;
        let criteria = &self.stage.ranking.criteria;
        let mut rules: Vec<Vec<Cell>> = facts(t, self.event)
            .into_iter()
            .map(|fact| vec![Cell::text(fact.term), Cell::text(fact.value)])
            .collect();
        let mut rule = |key: &str, value: String| rules.push(vec![Cell::text(t.say(key)), Cell::text(value)]);
        rule(
            "standings-how",
            t.with(
                "standings-order",
                "criteria",
                t.list(criteria.iter().map(|one| words::criterion(t, *one))),
            ),
        );
        rule("unplayed-label", unplayed(t, self.stage.ranking.unplayed));
        rule("sheet-bye", t.with("played-bye", "points", settings.bye_score.0));
        if settings.avoid_team_rounds > 0 {
            rule(
                "sheet-teams",
                t.with("sheet-teams-apart", "round", settings.avoid_team_rounds),
            );
        }
        let rounds = self.stage.first_round..=self.stage.rounds_planned;
        let schedule = rounds
            .map(|round| {
                let at = self.event.schedule.start_of(round);
                let said = |said: fn(Language, DateTime<FixedOffset>) -> String| {
                    at.map_or(Cell::Empty, |at| Cell::text(said(t, at)))
                };
                vec![
                    Cell::text(t.with("round-n", "round", round)),
                    said(|t, at| words::day(t, at.date_naive())),
                    said(|_, at| at.format("%H:%M").to_string()),
                    Cell::text(round_state(t, self.stage, round)),
                ]
            })
            .collect();
        let entries = self.by_number();
        let mut by_team = entries.clone();
        by_team.retain(|entry| entry.team.is_some());
        by_team
            .sort_by_cached_key(|entry| (sort_key(entry.team.as_deref().unwrap_or_default()), entry.number));
        let mut sections = vec![
            Section {
                title: t.say("sheet-rules"),
                columns: vec![
                    self.col("sheet-term", Holds::Word),
                    self.col("sheet-value", Holds::Text),
                ],
                rows: rules,
                empty: String::new(),
            },
            Section {
                title: t.say("sheet-schedule"),
                columns: vec![
                    self.col("col-round", Holds::Word),
                    self.col("sheet-day", Holds::Blank),
                    self.col("sheet-time", Holds::Blank),
                    self.col("col-marks", Holds::Text),
                ],
                rows: schedule,
                empty: String::new(),
            },
            Section {
                title: t.with("sheet-by-number", "count", entries.len()),
                columns: self.entry_columns(),
                rows: entries.iter().map(|entry| self.entry_row(entry)).collect(),
                empty: t.say("entries-none"),
            },
        ];
        if !by_team.is_empty() {
            let teams: BTreeSet<_> = by_team.iter().map(|entry| entry.team.as_deref()).collect();
            let mut columns = self.entry_columns();
            let team = columns.remove(2);
            columns.insert(0, team);
            sections.push(Section {
                title: t.with2("sheet-by-team", "teams", teams.len(), "count", by_team.len()),
                columns,
                rows: by_team
                    .iter()
                    .map(|entry| {
                        let mut row = self.entry_row(entry);
                        let team = row.remove(2);
                        row.insert(0, team);
                        row
                    })
                    .collect(),
                empty: String::new(),
            });
        }
        Sheet {
            sections,
            ..Sheet::default()
        }
    }

    fn sign_in(&self, medium: Medium) -> Sheet {
        let t = self.t;
        let mut columns = self.entry_columns();
        columns.remove(4);
        columns.push(self.col("sheet-signature", Holds::Blank));
        columns.push(self.col("col-marks", Holds::Text));
        let next = self.after + 1;
        let rows: Vec<Vec<Cell>> = self
            .by_number()
            .into_iter()
            .map(|entry| {
                let mut row = self.entry_row(entry);
                row.remove(4);
                row.push(Cell::Empty);
                row.push(Cell::text(
                    t.list(
                        words::attendance(t, entry, next)
                            .iter()
                            .map(|mark| mark.word.as_str()),
                    ),
                ));
                row
            })
            .collect();
        Sheet {
            facts: if medium == Medium::Paper {
                vec![t.with("sheet-sign-in-facts", "count", rows.len())]
            } else {
                Vec::new()
            },
            sections: vec![Section {
                columns,
                rows,
                empty: t.say("entries-none"),
                ..Section::default()
            }],
            ..Sheet::default()
        }
    }

    fn published(&self) -> Vec<String> {
        let info = self.event.round_info(self.after);
        info.map(|info| super::public::round::published(self.t, &self.event.schedule, info))
            .into_iter()
            .chain(info.and_then(|info| super::public::round::earlier_results(self.t, info)))
            .collect()
    }

    fn pairing(&self) -> Option<Sheet> {
        let t = self.t;
        let round = self.round()?;
        let field = Field::before(t, &self.event.slug, self.stage, self.after);
        let nigiri = round.boards.iter().any(|board| board.nigiri);
        let (black, white) = if nigiri {
            ("nigiri-first", "nigiri-second")
        } else {
            ("black", "white")
        };
        let of = |side: &str, key: &str| t.with2("sheet-side", "side", t.say(side), "column", t.say(key));
        let mut columns = vec![self.col("col-board", Holds::Number)];
        for side in [black, white] {
            columns.push(Column::new(of(side, "col-number"), Holds::Number));
            columns.push(Column::new(of(side, "col-name"), Holds::Name));
            columns.push(Column::new(of(side, "col-team"), Holds::Text));
            columns.push(Column::new(of(side, "col-score"), Holds::Number));
        }
        columns.push(self.col("col-result", Holds::Word));
        let seat = |seat: &super::tables::SeatView| {
            [
                Cell::from(seat.number),
                Cell::text(&*seat.name),
                Cell::text(&*seat.team),
                Cell::printed(&*seat.score),
            ]
        };
        let unit = self.event.rules.unit();
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for board in field.boards(round, unit) {
            let mut row = vec![Cell::from(board.board)];
            row.extend(seat(&board.black));
            row.extend(seat(&board.white));
            row.push(Cell::text(board.result));
            rows.push(row);
        }
        for other in field.without_board(round) {
            let mut row = vec![
                Cell::Empty,
                Cell::from(other.number),
                Cell::text(other.name),
                Cell::text(other.team),
                Cell::printed(other.score),
            ];
            row.resize(9, Cell::Empty);
            row.push(Cell::text(other.words));
            rows.push(row);
        }
        Some(Sheet {
            facts: self.published(),
            sections: vec![Section {
                columns,
                rows,
                ..Section::default()
            }],
            ..Sheet::default()
        })
    }

    fn pairing_by_name(&self) -> Option<Sheet> {
        let t = self.t;
        let round = self.round()?;
        let field = Field::before(t, &self.event.slug, self.stage, self.after);
        let rows = field
            .by_name(round)
            .into_iter()
            .map(|row| {
                let mut cells = vec![Cell::text(row.name), Cell::from(row.number), Cell::text(row.team)];
                match row.seat {
                    Some(seat) => cells.extend([
                        Cell::from(seat.board),
                        Cell::text(t.say(match (seat.nigiri, seat.black) {
                            (true, _) => "nigiri",
                            (_, true) => "black",
                            (_, false) => "white",
                        })),
                        Cell::from(seat.opponent_number),
                        Cell::text(seat.opponent_name),
                    ]),
                    None => cells.extend([
                        Cell::Empty,
                        Cell::Empty,
                        Cell::Empty,
                        Cell::text(row.without_seat),
                    ]),
                }
                cells
            })
            .collect();
        Some(Sheet {
            facts: self.published(),
            sections: vec![Section {
                columns: vec![
                    self.col("col-name", Holds::Name),
                    self.col("col-number", Holds::Number),
                    self.col("col-team", Holds::Text),
                    self.col("col-board", Holds::Number),
                    self.col("col-colour", Holds::Word),
                    self.col("sheet-opponent-number", Holds::Number),
                    self.col("col-opponent", Holds::Name),
                ],
                rows,
                ..Section::default()
            }],
            ..Sheet::default()
        })
    }

    fn results(&self) -> Option<Sheet> {
        let t = self.t;
        let round = self.round()?;
        let unit = self.event.rules.unit();
        let mut rows: Vec<Vec<Cell>> = round
            .boards
            .iter()
            .map(|board| {
                let result = words::result(t, board);
                vec![
                    Cell::from(board.board),
                    Cell::from(board.black.get()),
                    self.name(board.black),
                    Cell::text(if result.is_empty() {
                        t.say("played-pending")
                    } else {
                        result
                    }),
                    Cell::from(board.white.get()),
                    self.name(board.white),
                    Cell::text(words::result_details(t, unit, board)),
                ]
            })
            .collect();
        let field = Field::before(t, &self.event.slug, self.stage, self.after);
        for other in field.without_board(round) {
            rows.push(vec![
                Cell::Empty,
                Cell::from(other.number),
                Cell::text(other.name),
                Cell::text(other.words),
                Cell::Empty,
                Cell::Empty,
                Cell::Empty,
            ]);
        }
        let pending = round.pending().count();
        let state = if pending == 0 {
            t.say("round-complete")
        } else {
            round_state(t, self.stage, self.after)
        };
        let nigiri = round.boards.iter().any(|board| board.nigiri);
        Some(Sheet {
            facts: vec![state],
            sections: vec![Section {
                columns: vec![
                    self.col("col-board", Holds::Number),
                    self.col("col-number", Holds::Number),
                    self.col(if nigiri { "nigiri-first" } else { "black" }, Holds::Name),
                    self.col("col-result", Holds::Word),
                    self.col("sheet-opponent-number", Holds::Number),
                    self.col(if nigiri { "nigiri-second" } else { "white" }, Holds::Name),
                    self.col("sheet-details", Holds::Text),
                ],
                rows,
                ..Section::default()
            }],
            ..Sheet::default()
        })
    }

    fn table(&self) -> Standings {
        standings(self.stage, self.after)
    }

    fn state(&self, table: &Standings) -> Vec<String> {
        let mut facts = Vec::new();
        let finished = self.after >= self.stage.rounds_planned && !table.is_provisional();
        if let Some(frozen) = &self.event.frozen
            && self
                .event
                .last_published()
                .is_none_or(|last| last.round == self.after)
        {
            facts.push(self.t.with2(
                "sheet-final",
                "by",
                frozen.by.as_str(),
                "at",
                words::dated_of(self.t, &self.event.schedule, frozen.at),
            ));
        } else if finished {
            facts.push(self.t.say("standings-final"));
        }
        facts.extend(missing(self.t, table));
        facts
    }

    fn place_columns(&self, table: &Standings) -> Vec<Column> {
        let mut columns = vec![
            self.col("col-place", Holds::Number),
            self.col("col-number", Holds::Number),
            self.col("col-name", Holds::Name),
            self.col("col-team", Holds::Text),
            self.col("col-grade", Holds::Word),
            self.col("col-category", Holds::Word),
        ];
        columns.extend(table.criteria.iter().map(|criterion| {
            let list = matches!(
                criterion,
                tournament::Criterion::BestBeaten | tournament::Criterion::RunningCut
            );
            Column::new(
                words::criterion_short(self.t, *criterion),
                if list { Holds::Text } else { Holds::Number },
            )
        }));
        columns
    }

    fn place_row(&self, shown: Cell, row: &Row) -> Vec<Cell> {
        let entry = self.entry(row.number);
        let mut cells = vec![
            shown,
            Cell::from(row.number.get()),
            self.name(row.number),
            self.team(row.number),
            self.grade(entry.and_then(|entry| entry.grade)),
            Cell::text(
                entry
                    .and_then(|entry| entry.category.as_deref())
                    .unwrap_or_default(),
            ),
        ];
        cells.extend(row.values.iter().map(|value| {
            if value.exact().is_some() {
                Cell::printed(value.printed())
            } else {
                Cell::Empty
            }
        }));
        cells
    }

    fn how(&self, table: &Standings) -> Vec<String> {
        let criteria = table
            .criteria
            .iter()
            .map(|criterion| words::criterion(self.t, *criterion));
        vec![
            self.t.with("standings-order", "criteria", self.t.list(criteria)),
            unplayed(self.t, table.unplayed),
        ]
    }

    fn standings(&self) -> Sheet {
        let table = self.table();
        Sheet {
            facts: self.state(&table),
            sections: vec![Section {
                columns: self.place_columns(&table),
                rows: table
                    .rows
                    .iter()
                    .map(|row| self.place_row(Cell::printed(place(row.place, row.shared)), row))
                    .collect(),
                empty: self.t.say("entries-none"),
                ..Section::default()
            }],
            notes: self.how(&table),
            ..Sheet::default()
        }
    }

    fn category(&self, number: Number) -> Option<&'a str> {
        self.entry(number)?.category.as_deref()
    }

    fn categories(&self) -> Sheet {
        let t = self.t;
        let table = self.table();
        let mut names: Vec<&str> = self
            .entries
            .values()
            .filter_map(|entry| entry.category.as_deref())
            .collect();
        names.sort_by_cached_key(|name| sort_key(name));
        names.dedup();
        let sections = names
            .into_iter()
            .map(|name| {
                let rows: Vec<&Row> = table
                    .rows
                    .iter()
                    .filter(|row| self.category(row.number) == Some(name))
                    .collect();
                let mut columns = self.place_columns(&table);
                columns[5] = self.col("sheet-place-overall", Holds::Number);
                Section {
                    title: name.to_owned(),
                    columns,
                    rows: rows
                        .iter()
                        .map(|row| {
                            // Who is tied in the event is tied in the category, and nobody else.
                            let before = rows.iter().filter(|other| other.place < row.place).count();
                            let shared = rows.iter().filter(|other| other.place == row.place).count() > 1;
                            let inside = place(u32::try_from(before).unwrap_or(u32::MAX) + 1, shared);
                            let mut cells = self.place_row(Cell::printed(inside), row);
                            cells[5] = Cell::printed(place(row.place, row.shared));
                            cells
                        })
                        .collect(),
                    empty: String::new(),
                }
            })
            .collect::<Vec<_>>();
        let mut facts = self.state(&table);
        if sections.is_empty() {
            facts.push(t.say("sheet-no-categories"));
        }
        Sheet {
            facts,
            sections,
            notes: self.how(&table),
            ..Sheet::default()
        }
    }

    /// A round in a few characters: the colour, the opponent, what came of it.
    fn cell(&self, played: &Played) -> Cell {
        let mark = words::played_short(self.t, played);
        let (Some(opponent), Some(side)) = (played.opponent, played.side) else {
            return Cell::text(mark);
        };
        let assigned = self.stage.pairing.colours != Colours::Nigiri && played.kind != Kind::Game;
        let colour = match side {
            _ if played.colour.is_none() && !assigned => "",
            Side::Black => "●",
            Side::White => "○",
        };
        Cell::text(format!("{colour}{opponent}{mark}"))
    }

    fn crosstable(&self, medium: Medium) -> Sheet {
        let t = self.t;
        let table = self.table();
        let mut lines: Vec<&Row> = table.rows.iter().collect();
        lines.sort_by_key(|row| row.number);
        let rounds: Vec<u32> = self
            .stage
            .rounds
            .iter()
            .map(|round| round.round)
            .filter(|round| *round <= self.after)
            .collect();
        let across = match medium {
            // Parts of one size: 14 rounds as 7 and 7 rather than 12 and 2.
            Medium::Paper if rounds.len() > ROUNDS_ACROSS => {
                let parts = rounds.len().div_ceil(ROUNDS_ACROSS);
                rounds.len().div_ceil(parts)
            }
            _ => rounds.len().max(1),
        };
        let parts: Vec<&[u32]> = if rounds.is_empty() {
            vec![&[]]
        } else {
            rounds.chunks(across).collect()
        };
        let several = parts.len() > 1;
        let mut from = 0;
        let mut sections = Vec::new();
        for part in parts {
            let mut columns = vec![
                self.col("col-number", Holds::Number),
                self.col("col-name", Holds::Name),
                self.col("col-team", Holds::Text),
            ];
            columns.extend(
                part.iter()
                    .map(|round| Column::new(round.to_string(), Holds::Round)),
            );
            columns.push(self.col("col-score", Holds::Number));
            columns.push(self.col("col-place", Holds::Number));
            let rows = lines
                .iter()
                .map(|row| {
                    let mut cells = vec![
                        Cell::from(row.number.get()),
                        self.name(row.number),
                        self.team(row.number),
                    ];
                    let games = row.games.iter().skip(from).take(part.len());
                    cells.extend(games.map(|game| self.cell(game)));
                    cells.push(Cell::from(row.score.0));
                    cells.push(Cell::printed(place(row.place, row.shared)));
                    cells
                })
                .collect();
            sections.push(Section {
                title: match (part.first(), part.last()) {
                    (Some(first), Some(last)) if several => {
                        t.with2("sheet-rounds", "first", *first, "last", *last)
                    }
                    _ => String::new(),
                },
                columns,
                rows,
                empty: t.say("entries-none"),
            });
            from += part.len();
        }
        Sheet {
            facts: self.state(&table),
            sections,
            notes: vec![t.say("sheet-cells-legend")],
            ..Sheet::default()
        }
    }

    fn promotion(&self) -> Sheet {
        let t = self.t;
        let table = &self.event.awards.promotion;
        let found = promotions(self.stage, self.after, table);
        let mut facts = self.state(&self.table());
        if *table == tournament::Promotion::default() {
            facts.push(t.say("promotion-no-table"));
        }
        Sheet {
            facts,
            sections: vec![self.promoted(&found)],
            notes: promotion_open(t, self.stage, &found),
            ..Sheet::default()
        }
    }

    fn promoted(&self, found: &Promotions) -> Section {
        let t = self.t;
        Section {
            columns: vec![
                self.col("col-number", Holds::Number),
                self.col("col-name", Holds::Name),
                self.col("col-team", Holds::Text),
                self.col("promotion-from", Holds::Word),
                self.col("promotion-to", Holds::Word),
                self.col("promotion-why", Holds::Text),
            ],
            rows: found
                .promoted
                .iter()
                .map(|one| {
                    vec![
                        Cell::from(one.number.get()),
                        self.name(one.number),
                        self.team(one.number),
                        self.grade(one.from),
                        self.grade(Some(one.to)),
                        Cell::text(promotion_reason(t, &one.reason)),
                    ]
                })
                .collect(),
            empty: t.say("promotion-nobody"),
            ..Section::default()
        }
    }

    fn prizes(&self) -> Sheet {
        let t = self.t;
        let awards = prizes(self.stage, self.after, &self.event.awards.prizes);
        let mut facts = self.state(&self.table());
        if self.event.awards.prizes.list.is_empty() {
            facts.push(t.say("prizes-no-list"));
        }
        Sheet {
            facts,
            sections: vec![self.awarded(&awards)],
            ..Sheet::default()
        }
    }

    fn awarded(&self, awards: &[Award]) -> Section {
        let t = self.t;
        let mut rows = Vec::new();
        for award in awards {
            let Some(prize) = self.event.awards.prizes.list.get(award.prize) else {
                continue;
            };
            let category = Cell::text(prize.category.as_deref().unwrap_or_default());
            for (place, number) in &award.winners {
                rows.push(vec![
                    Cell::text(&*prize.name),
                    category.clone(),
                    Cell::from(number.get()),
                    self.name(*number),
                    self.team(*number),
                    Cell::from(*place),
                    Cell::Empty,
                ]);
            }
            for open in &award.open {
                rows.push(vec![
                    Cell::text(&*prize.name),
                    category.clone(),
                    Cell::Empty,
                    Cell::Empty,
                    Cell::Empty,
                    Cell::Empty,
                    Cell::text(prize_open(t, self.stage, open)),
                ]);
            }
        }
        Section {
            columns: vec![
                self.col("prize-name", Holds::Word),
                self.col("col-category", Holds::Word),
                self.col("col-number", Holds::Number),
                self.col("col-name", Holds::Name),
                self.col("col-team", Holds::Text),
                self.col("sheet-place-overall", Holds::Number),
                self.col("col-marks", Holds::Text),
            ],
            rows,
            empty: t.say("prizes-nobody"),
            ..Section::default()
        }
    }

    fn report(&self) -> Sheet {
        let t = self.t;
        let table = self.table();
        let games = self.stage.rounds.iter().flat_map(|round| &round.boards);
        let (mut played, mut forfeits, mut draws) = (0_u32, 0_u32, 0_u32);
        let mut wins = [0_u32; 2];
        for result in games.filter_map(|board| board.result) {
            if result.played() {
                played += 1;
            } else {
                forfeits += 1;
            }
            match result {
                Outcome::Black => wins[0] += 1,
                Outcome::White => wins[1] += 1,
                Outcome::Draw => draws += 1,
                _ => {}
            }
        }
        let withdrawn = self
            .entries
            .values()
            .filter(|entry| entry.withdrawn_after.is_some())
            .count();
        let mut figures: Vec<Vec<Cell>> = facts(t, self.event)
            .into_iter()
            .map(|fact| vec![Cell::text(fact.term), Cell::text(fact.value)])
            .collect();
        let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        for (key, value) in [
            ("tab-entries", count(self.entries.len())),
            ("withdrawn-title", count(withdrawn)),
            ("sheet-rounds-played", table.rounds_played.into()),
            ("sheet-games", played.into()),
            ("sheet-black-wins", wins[0].into()),
            ("sheet-white-wins", wins[1].into()),
            ("sheet-draws", draws.into()),
            ("sheet-forfeits", forfeits.into()),
        ] {
            figures.push(vec![Cell::text(t.say(key)), Cell::from(value)]);
        }
        let mut sections = vec![
            Section {
                title: t.say("sheet-figures"),
                columns: vec![
                    self.col("sheet-term", Holds::Word),
                    self.col("sheet-value", Holds::Text),
                ],
                rows: figures,
                empty: String::new(),
            },
            Section {
                title: t.say("sheet-first-places"),
                columns: self.place_columns(&table),
                rows: table
                    .rows
                    .iter()
                    .take_while(|row| usize::try_from(row.place).is_ok_and(|place| place <= REPORT_PLACES))
                    .map(|row| self.place_row(Cell::printed(place(row.place, row.shared)), row))
                    .collect(),
                empty: t.say("entries-none"),
            },
        ];
        let awards = &self.event.awards;
        if !awards.prizes.list.is_empty() {
            sections.push(Section {
                title: t.say("sheet-prizes"),
                ..self.awarded(&prizes(self.stage, self.after, &awards.prizes))
            });
        }
        let mut notes = self.how(&table);
        if awards.promotion != tournament::Promotion::default() {
            let found = promotions(self.stage, self.after, &awards.promotion);
            sections.push(Section {
                title: t.say("sheet-promotion"),
                ..self.promoted(&found)
            });
            notes.extend(promotion_open(t, self.stage, &found));
        }
        Sheet {
            facts: self.state(&table),
            sections,
            notes,
            ..Sheet::default()
        }
    }
}

/// Why somebody goes up: 12局9胜（需9胜）.
pub fn promotion_reason(t: Language, reason: &Reason) -> String {
    match reason {
        Reason::Wins {
            wins,
            games,
            needed,
            without_game,
        } => {
            let args = [
                ("wins", (*wins).into()),
                ("games", (*games).into()),
                ("needed", (*needed).into()),
                ("without", (*without_game).into()),
            ];
            t.tell(
                if *without_game > 0 {
                    "promotion-by-wins-without"
                } else {
                    "promotion-by-wins"
                },
                &args,
            )
        }
        Reason::Place {
            category,
            place,
            of,
            percent,
            chosen,
        } => t.tell(
            "promotion-by-place",
            &[
                ("group", group(t, category.as_deref()).into()),
                ("place", (*place).into()),
                ("of", (*of).into()),
                ("percent", (*percent).into()),
                ("chosen", (*chosen).into()),
            ],
        ),
    }
}

/// A category, or everybody.
pub fn group(t: Language, category: Option<&str>) -> String {
    category.map_or_else(|| t.say("prize-everybody"), str::to_owned)
}

/// For whom a line of the table of wins is.
pub fn from_grade(t: Language, from: From) -> String {
    match from {
        From::None => t.say("promotion-no-grade"),
        From::NoDan => t.say("promotion-no-dan"),
        From::Grade(grade) => words::grade(t, grade),
    }
}

/// Where a line of the table of places leads.
pub fn to_grade(t: Language, to: To) -> String {
    match to {
        To::Next => t.say("promotion-next"),
        To::Grade(grade) => words::grade(t, grade),
    }
}

/// The ties that a promotion leaves open, as sentences.
pub fn promotion_open(t: Language, stage: &Stage, found: &Promotions) -> Vec<String> {
    found
        .open
        .iter()
        .map(|tie| {
            t.tell(
                "promotion-open",
                &[
                    ("group", group(t, tie.category.as_deref()).into()),
                    ("places", tie.places.into()),
                    ("among", people(t, stage, &tie.among).into()),
                ],
            )
        })
        .collect()
}

fn people(t: Language, stage: &Stage, numbers: &[Number]) -> String {
    t.list(numbers.iter().map(|number| words::person(t, stage, *number)))
}

/// Why a prize is open, as a sentence.
pub fn prize_open(t: Language, stage: &Stage, open: &OpenPrize) -> String {
    match open {
        OpenPrize::Tied { prizes, among } => {
            t.with2("prize-tied", "prizes", *prizes, "among", people(t, stage, among))
        }
        OpenPrize::Waits => t.say("prize-waits"),
        OpenPrize::Nobody { prizes } => t.with("prize-nobody", "prizes", *prizes),
    }
}
