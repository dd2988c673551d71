//! Promotion (升段, 升级): who goes up by the event's table, and why.
//!
//! An event has a table of wins (so many wins in so many games, from this grade to that one) and
//! a table of places (the best so many per cent of a group). Nothing is rounded in anybody's
//! favour and nobody is chosen among equals: where a tie crosses the border, the tied are listed as
//! open, for the director to decide.

use std::collections::BTreeMap;
use std::fmt;

use crate::entry::{Entry, Number};
use crate::grade::Grade;
use crate::stage::Stage;
use crate::standings::standings;
use crate::tally::{EntryTally, Kind, tally};

/// The event's tables. Empty in an event that promotes nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promotion {
    /// Whether a bye that is worth a win counts as one of the wins. Wins by forfeit always do, as they do in
    /// the table of results.
    pub byes_count: bool,
    /// By wins.
    pub by_wins: Vec<ByWins>,
    /// By places.
    pub by_place: Vec<ByPlace>,
}

/// From this grade to that one with so many wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByWins {
    /// For whom.
    pub from: From,
    /// How many wins it takes.
    pub wins: u32,
    /// In the first so many rounds of the event.
    pub games: u32,
    /// The new grade.
    pub to: Grade,
}

/// The best of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByPlace {
    /// The category (组别); none is everybody.
    pub category: Option<String>,
    /// How many per cent of those who have played, 1 to 100; a part of a player is none.
    pub percent: u32,
    /// The new grade.
    pub to: To,
}

/// For whom a line of the table of wins is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// Who has no grade.
    None,
    /// Who has no dan (无段): no grade, or a kyu grade.
    NoDan,
    /// Who has this grade.
    Grade(Grade),
}

impl From {
    /// Whether it is for somebody of this grade.
    pub fn is_for(self, grade: Option<Grade>) -> bool {
        match self {
            Self::None => grade.is_none(),
            Self::NoDan => grade.is_none_or(|grade| matches!(grade, Grade::Kyu(_))),
            Self::Grade(wanted) => grade == Some(wanted),
        }
    }
}

impl fmt::Display for From {
    /// The spelling of the event file: `none`, `no_dan`, `2d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::NoDan => f.write_str("no_dan"),
            Self::Grade(grade) => grade.fmt(f),
        }
    }
}

impl std::str::FromStr for From {
    type Err = crate::grade::NotAGrade;

    /// Reads `none`, `no_dan`, and every spelling of a grade.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "none" | "无" => Ok(Self::None),
            "no_dan" | "无段" => Ok(Self::NoDan),
            grade => grade.parse().map(Self::Grade),
        }
    }
}

/// Where a line of the table of places leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// One grade up: 3级 to 2级, 1级 to 1段, 4段 to 5段. It says nothing of who has no grade, and of
    /// who is at the top of a ladder.
    Next,
    /// This grade.
    Grade(Grade),
}

impl To {
    fn of(self, grade: Option<Grade>) -> Option<Grade> {
        match (self, grade) {
            (Self::Grade(to), _) => Some(to),
            (Self::Next, Some(Grade::Kyu(1))) => Some(Grade::Dan(1)),
            (Self::Next, Some(Grade::Kyu(step))) => Some(Grade::Kyu(step.saturating_sub(1).max(1))),
            (Self::Next, Some(Grade::Dan(step))) if step < 8 => Some(Grade::Dan(step + 1)),
            (Self::Next, Some(Grade::Professional(step))) if step < 9 => Some(Grade::Professional(step + 1)),
            (Self::Next, _) => None,
        }
    }
}

impl fmt::Display for To {
    /// The spelling of the event file: `next`, `2d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Next => f.write_str("next"),
            Self::Grade(grade) => grade.fmt(f),
        }
    }
}

impl std::str::FromStr for To {
    type Err = crate::grade::NotAGrade;

    /// Reads `next`, `+1`, and every spelling of a grade.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "next" | "+1" => Ok(Self::Next),
            grade => grade.parse().map(Self::Grade),
        }
    }
}

/// Somebody who goes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promoted {
    /// The entry.
    pub number: Number,
    /// The grade so far.
    pub from: Option<Grade>,
    /// The new grade.
    pub to: Grade,
    /// Why.
    pub reason: Reason,
}

/// Why somebody goes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Enough wins.
    Wins {
        /// How many.
        wins: u32,
        /// In how many games of the table.
        games: u32,
        /// How many it takes.
        needed: u32,
        /// How many of the wins were without a game: by forfeit, or a bye.
        without_game: u32,
    },
    /// A place among the best.
    Place {
        /// Of this category; none is everybody.
        category: Option<String>,
        /// The place in it.
        place: u32,
        /// How many have played in it.
        of: u32,
        /// How many per cent go up.
        percent: u32,
        /// How many that are.
        chosen: u32,
    },
}

impl fmt::Display for Promoted {
    /// `9 wins of 12: 2d → 3d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Wins { wins, games, .. } => write!(f, "{wins} wins of {games}: ")?,
            Reason::Place {
                place, of, percent, ..
            } => {
                write!(f, "place {place} of {of}, the best {percent} %: ")?;
            }
        }
        match self.from {
            Some(from) => write!(f, "{from} → {}", self.to),
            None => write!(f, "no grade → {}", self.to),
        }
    }
}

/// A tie across the border of the best: who of them goes up is not for a program to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTie {
    /// The category; none is everybody.
    pub category: Option<String>,
    /// How many of them go up.
    pub places: u32,
    /// The tied, by number.
    pub among: Vec<Number>,
}

/// Who goes up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promotions {
    /// One line for each who does: the highest new grade first, then by number.
    pub promoted: Vec<Promoted>,
    /// What is open.
    pub open: Vec<OpenTie>,
}

/// Who goes up as of a round.
///
/// A line of wins looks at the wins of the first `games` rounds, forfeits among them, and byes where
/// they count; a draw is no win, and what is carried over is not known game by game and never
/// counts. Who satisfies several lines gets the highest new grade. Nobody goes down or stays: a new
/// grade that is not above the old one is left out, and no amateur grade takes the place of a
/// professional one. The best of a group are counted among its entries that have sat at a board,
/// by the event's order of places.
pub fn promotions(stage: &Stage, after: u32, table: &Promotion) -> Promotions {
    let mut best: BTreeMap<Number, Promoted> = BTreeMap::new();
    let mut offer = |promoted: Promoted| {
        let higher = best
            .get(&promoted.number)
            .is_none_or(|known| promoted.to > known.to);
        if promoted.from.is_none_or(|from| promoted.to > from) && higher {
            best.insert(promoted.number, promoted);
        }
    };
    let books: BTreeMap<Number, EntryTally> = tally(stage, after)
        .into_iter()
        .map(|book| (book.number, book))
        .collect();
    for entry in &stage.entries {
        let Some(book) = books.get(&entry.number) else {
            continue;
        };
        for line in table.by_wins.iter().filter(|line| line.from.is_for(entry.grade)) {
            let (wins, without_game) = wins(book, line.games, table.byes_count, stage);
            if wins >= line.wins {
                offer(Promoted {
                    number: entry.number,
                    from: entry.grade,
                    to: line.to,
                    reason: Reason::Wins {
                        wins,
                        games: line.games,
                        needed: line.wins,
                        without_game,
                    },
                });
            }
        }
    }
    let mut open = Vec::new();
    if !table.by_place.is_empty() {
        let order = standings(stage, after);
        let entries: BTreeMap<Number, &Entry> =
            stage.entries.iter().map(|entry| (entry.number, entry)).collect();
        for line in &table.by_place {
            let field: Vec<_> = order
                .rows
                .iter()
                .filter(|row| row.games.iter().any(|game| game.kind == Kind::Game))
                .filter_map(|row| Some((row.place, *entries.get(&row.number)?)))
                .filter(|(_, entry)| line.category.is_none() || entry.category == line.category)
                .collect();
            let of = u32::try_from(field.len()).unwrap_or(u32::MAX);
            let chosen = u32::try_from(u64::from(of) * u64::from(line.percent.min(100)) / 100).unwrap_or(of);
            let mut taken = 0;
            for tied in field.chunk_by(|one, other| one.0 == other.0) {
                let size = u32::try_from(tied.len()).unwrap_or(u32::MAX);
                let left = chosen.saturating_sub(taken);
                if left == 0 {
                    break;
                }
                if size > left {
                    let mut among: Vec<Number> = tied.iter().map(|(_, entry)| entry.number).collect();
                    among.sort_unstable();
                    open.push(OpenTie {
                        category: line.category.clone(),
                        places: left,
                        among,
                    });
                    break;
                }
                for (_, entry) in tied {
                    if let Some(to) = line.to.of(entry.grade) {
                        offer(Promoted {
                            number: entry.number,
                            from: entry.grade,
                            to,
                            reason: Reason::Place {
                                category: line.category.clone(),
                                place: taken + 1,
                                of,
                                percent: line.percent,
                                chosen,
                            },
                        });
                    }
                }
                taken += size;
            }
        }
    }
    let mut promoted: Vec<Promoted> = best.into_values().collect();
    promoted.sort_by_key(|one| (std::cmp::Reverse(one.to), one.number));
    Promotions { promoted, open }
}

/// The wins of the first so many rounds, and how many of them were without a game.
fn wins(book: &EntryTally, games: u32, byes_count: bool, stage: &Stage) -> (u32, u32) {
    let mut wins = 0;
    let mut without_game = 0;
    for game in book.games.iter().filter(|game| game.round <= games) {
        let bye = game.kind == Kind::Bye && byes_count && stage.pairing.bye_score == crate::Score::WIN;
        if game.won() || bye {
            wins += 1;
            without_game += u32::from(game.kind != Kind::Game);
        }
    }
    (wins, without_game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::Outcome;
    use crate::round::{Board, Round};

    fn number(n: u32) -> Number {
        Number::new(n).expect("a number")
    }

    fn grade(text: &str) -> Grade {
        text.parse().expect("a grade")
    }

    /// Entries 1, 2, 3 … of these grades; a round for each list of results, boards 1–2, 3–4 ….
    fn stage(grades: &[&str], rounds: &[&[Outcome]]) -> Stage {
        let mut stage = Stage::swiss(12);
        for (at, text) in (1..).zip(grades) {
            let mut entry = Entry::new(number(at), format!("Player {at}"));
            entry.grade = text.parse().ok();
            stage.entries.push(entry);
        }
        for (round, results) in (1..).zip(rounds) {
            stage.rounds.push(Round {
                round,
                boards: (1..)
                    .zip(*results)
                    .map(|(board, result)| Board {
                        result: Some(*result),
                        ..Board::new(board, number(2 * board - 1), number(2 * board))
                    })
                    .collect(),
                ..Round::default()
            });
        }
        stage
    }

    fn table(lines: &[(From, u32, u32, &str)]) -> Promotion {
        Promotion {
            by_wins: lines
                .iter()
                .map(|(from, wins, games, to)| ByWins {
                    from: *from,
                    wins: *wins,
                    games: *games,
                    to: grade(to),
                })
                .collect(),
            ..Promotion::default()
        }
    }

    #[test]
    fn wins_count_by_the_line_of_the_grade_and_the_highest_grade_is_given() {
        let black: &[Outcome] = &[Outcome::Black, Outcome::BlackForfeit, Outcome::Draw];
        let stage = stage(&["2d", "2d", "", "1k", "1d", "9p"], &[black, black, black]);
        let lines = [
            (From::Grade(grade("2d")), 3, 3, "3d"),
            (From::NoDan, 1, 3, "1d"),
            (From::NoDan, 3, 3, "2d"),
            (From::None, 1, 3, "1k"),
            (From::Grade(grade("1d")), 1, 3, "2d"),
        ];
        let found = promotions(&stage, 3, &table(&lines)).promoted;
        let told: Vec<String> = found.iter().map(|one| format!("{}: {one}", one.number)).collect();
        // Number 4 won three times without a game; 5 drew, which is no win.
        assert_eq!(told, ["1: 3 wins of 3: 2d → 3d", "4: 3 wins of 3: 1k → 2d"]);
        assert_eq!(
            found[1].reason,
            Reason::Wins {
                wins: 3,
                games: 3,
                needed: 3,
                without_game: 3
            }
        );
        // As of round 2 nobody has three wins, and one win is enough for the lower line.
        let told: Vec<String> = promotions(&stage, 2, &table(&lines))
            .promoted
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(told, ["2 wins of 3: 1k → 1d"]);
        // Only the first two rounds count in a table of two games.
        assert!(
            promotions(&stage, 3, &table(&[(From::Grade(grade("2d")), 3, 2, "3d")]))
                .promoted
                .is_empty()
        );
    }

    #[test]
    fn a_bye_is_a_win_only_where_the_event_says_so() {
        let mut stage = stage(&["1d"], &[]);
        stage.rounds.push(Round {
            byes: vec![number(1)],
            round: 1,
            ..Round::default()
        });
        let mut table = table(&[(From::Grade(grade("1d")), 1, 1, "2d")]);
        assert!(promotions(&stage, 1, &table).promoted.is_empty());
        table.byes_count = true;
        assert_eq!(promotions(&stage, 1, &table).promoted.len(), 1);
        stage.pairing.bye_score = crate::Score::DRAW;
        assert!(promotions(&stage, 1, &table).promoted.is_empty());
    }

    #[test]
    fn the_best_of_a_group_go_up_and_a_tie_across_the_border_stays_open() {
        let mut stage = stage(
            &["1d", "1d", "1k", "", "2k", "3k", "1d", "1d"],
            &[&[Outcome::Black; 4], &[Outcome::Black; 4]],
        );
        let mut table = Promotion {
            by_place: vec![ByPlace {
                category: None,
                percent: 50,
                to: To::Next,
            }],
            ..Promotion::default()
        };
        // Four winners of eight: exactly the best half.
        let found = promotions(&stage, 2, &table);
        let told: Vec<String> = found
            .promoted
            .iter()
            .map(|one| format!("{}: {one}", one.number))
            .collect();
        assert_eq!(
            told,
            [
                "1: place 1 of 8, the best 50 %: 1d → 2d",
                "7: place 1 of 8, the best 50 %: 1d → 2d",
                "3: place 1 of 8, the best 50 %: 1k → 1d",
                "5: place 1 of 8, the best 50 %: 2k → 1k",
            ]
        );
        assert!(found.open.is_empty());
        // 30 % of eight is two, and four are tied for them: nobody is chosen.
        table.by_place[0].percent = 30;
        let found = promotions(&stage, 2, &table);
        assert!(found.promoted.is_empty());
        assert_eq!(found.open[0].places, 2);
        assert_eq!(found.open[0].among, [1, 3, 5, 7].map(number));
        // A group of its own.
        stage.entries[0].category = Some("A".to_owned());
        stage.entries[1].category = Some("A".to_owned());
        table.by_place[0].category = Some("A".to_owned());
        table.by_place[0].percent = 50;
        let found = promotions(&stage, 2, &table);
        assert_eq!(found.promoted.len(), 1);
        assert_eq!(found.promoted[0].number, number(1));
    }
}
