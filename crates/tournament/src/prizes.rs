//! Prizes (奖项): who gets which, overall and in categories.

use std::collections::BTreeSet;

use crate::entry::Number;
use crate::promotion::Promotion;
use crate::stage::Stage;
use crate::standings::standings;
use crate::tally::Kind;
use crate::validate::{Fault, FaultKind, ROUNDS_LIMIT, is_blank, text_fault};

/// The most prizes, and the most lines of a table of promotion.
pub const PRIZES_LIMIT: usize = 500;
/// The most equal prizes of a kind.
pub const PRIZE_COUNT_LIMIT: u32 = 999;

/// What an event gives at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Awards {
    /// Promotion.
    pub promotion: Promotion,
    /// Prizes.
    pub prizes: Prizes,
}

/// The prizes of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prizes {
    /// Whether somebody can have more than one; otherwise the first one in the list is kept, and
    /// the others go to those behind.
    pub double: bool,
    /// The prizes, the most important first.
    pub list: Vec<Prize>,
}

/// A prize, or several equal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prize {
    /// What it is called.
    pub name: String,
    /// The category (组别) that it is for; none is everybody.
    pub category: Option<String>,
    /// How many there are of it, 1 to 999.
    pub count: u32,
}

/// A prize with those who get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Award {
    /// Which of the prizes, from 0.
    pub prize: usize,
    /// Who gets one for certain, with the place in the event.
    pub winners: Vec<(u32, Number)>,
    /// What is open: nothing when every one of them is given.
    pub open: Vec<OpenPrize>,
}

/// Why some prizes of a line are not given yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenPrize {
    /// These share a place, and there are fewer prizes than they are: lots, or a play-off.
    Tied {
        /// How many prizes there are for them.
        prizes: u32,
        /// The tied, by number.
        among: Vec<Number>,
    },
    /// It depends on who gets an earlier prize that is open.
    Waits,
    /// There is nobody left who could get it.
    Nobody {
        /// How many prizes are left.
        prizes: u32,
    },
}

/// Those who share a place in a group, and how many prizes are still to go to them.
struct Tied {
    place: u32,
    among: Vec<Number>,
    /// How many of them have got nothing yet in this group.
    left: u32,
}

/// The places of one category, or of everybody.
struct Group {
    category: Option<String>,
    tied: Vec<Tied>,
}

/// Who gets which prize as of a round.
///
/// The prizes of a group go down its places in the order of the list. Only who has sat at a board
/// can win. Nothing is decided among those who share a place and do not all get the prize: they are
/// named as open, and so is every later prize that depends on it.
pub fn prizes(stage: &Stage, after: u32, prizes: &Prizes) -> Vec<Award> {
    let mut groups = groups(stage, after, prizes);
    // Whose prizes are not known yet, and who has one.
    let mut unsure: BTreeSet<Number> = BTreeSet::new();
    let mut awards = Vec::new();
    for (index, prize) in prizes.list.iter().enumerate() {
        let Some(at) = groups.iter().position(|group| group.category == prize.category) else {
            continue;
        };
        let mut award = Award {
            prize: index,
            winners: Vec::new(),
            open: Vec::new(),
        };
        let mut wanted = prize.count;
        let mut given: Vec<Number> = Vec::new();
        for tied in groups[at].tied.iter_mut().filter(|tied| tied.left > 0) {
            if wanted == 0 {
                break;
            }
            let whole = u32::try_from(tied.among.len()).unwrap_or(u32::MAX);
            let begun = tied.left < whole;
            // In the same group an open tie has taken its seats; across groups nobody knows whose.
            if !prizes.double && !begun && tied.among.iter().any(|number| unsure.contains(number)) {
                award.open.push(OpenPrize::Waits);
                wanted = 0;
                break;
            }
            let takes = wanted.min(tied.left);
            wanted -= takes;
            tied.left -= takes;
            if takes == whole {
                award
                    .winners
                    .extend(tied.among.iter().map(|number| (tied.place, *number)));
                given.extend(&tied.among);
            } else {
                unsure.extend(&tied.among);
                award.open.push(OpenPrize::Tied {
                    prizes: takes,
                    among: tied.among.clone(),
                });
            }
        }
        if wanted > 0 {
            award.open.push(OpenPrize::Nobody { prizes: wanted });
        }
        if !prizes.double {
            for (other, group) in groups.iter_mut().enumerate() {
                if other != at {
                    leave(group, &given);
                }
            }
        }
        awards.push(award);
    }
    awards
}

/// Takes those who have a prize out of another group.
fn leave(group: &mut Group, given: &[Number]) {
    for tied in &mut group.tied {
        let before = tied.among.len();
        tied.among.retain(|number| !given.contains(number));
        let gone = u32::try_from(before - tied.among.len()).unwrap_or(0);
        tied.left = tied.left.saturating_sub(gone);
    }
    group.tied.retain(|tied| !tied.among.is_empty());
}

fn groups(stage: &Stage, after: u32, prizes: &Prizes) -> Vec<Group> {
    let table = standings(stage, after);
    let mut groups: Vec<Group> = Vec::new();
    for prize in &prizes.list {
        if groups.iter().any(|group| group.category == prize.category) {
            continue;
        }
        let mut tied: Vec<Tied> = Vec::new();
        for row in &table.rows {
            let played = row.games.iter().any(|game| game.kind == Kind::Game);
            let entry = stage.entry(row.number);
            let inside = prize.category.is_none()
                || entry.is_some_and(|entry| entry.category.as_deref() == prize.category.as_deref());
            if !played || !inside {
                continue;
            }
            match tied.last_mut() {
                Some(last) if last.place == row.place => {
                    last.among.push(row.number);
                    last.left += 1;
                }
                _ => tied.push(Tied {
                    place: row.place,
                    among: vec![row.number],
                    left: 1,
                }),
            }
        }
        groups.push(Group {
            category: prize.category.clone(),
            tied,
        });
    }
    groups
}

/// What is wrong with tables that did not come from a file: texts, and numbers out of range.
pub fn faults(awards: &Awards) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |path: String, kind: Option<FaultKind>| {
        faults.extend(kind.map(|kind| Fault { path, kind }));
    };
    let range = |found: u32, most: u32| {
        (!(1..=most).contains(&found)).then_some(FaultKind::OutOfRange {
            found: found.into(),
            least: 1,
            most: most.into(),
        })
    };
    let Awards { promotion, prizes } = awards;
    let too_many = |len: usize| {
        (len > PRIZES_LIMIT).then(|| FaultKind::OutOfRange {
            found: i64::try_from(len).unwrap_or(i64::MAX),
            least: 0,
            most: i64::try_from(PRIZES_LIMIT).unwrap_or(i64::MAX),
        })
    };
    fault(
        "event.promotion.by_wins".into(),
        too_many(promotion.by_wins.len()),
    );
    fault(
        "event.promotion.by_place".into(),
        too_many(promotion.by_place.len()),
    );
    fault("event.prizes.list".into(), too_many(prizes.list.len()));
    for (index, line) in promotion.by_wins.iter().enumerate() {
        let path = |field: &str| format!("event.promotion.by_wins[{index}].{field}");
        fault(path("games"), range(line.games, ROUNDS_LIMIT));
        fault(path("wins"), range(line.wins, line.games.clamp(1, ROUNDS_LIMIT)));
    }
    for (index, line) in promotion.by_place.iter().enumerate() {
        let path = |field: &str| format!("event.promotion.by_place[{index}].{field}");
        fault(path("percent"), range(line.percent, 100));
        fault(path("category"), line.category.as_deref().and_then(text_fault));
    }
    for (index, prize) in prizes.list.iter().enumerate() {
        let path = |field: &str| format!("event.prizes.list[{index}].{field}");
        let empty = is_blank(&prize.name).then_some(FaultKind::EmptyName);
        fault(path("name"), empty.or(text_fault(&prize.name)));
        fault(path("category"), prize.category.as_deref().and_then(text_fault));
        fault(path("count"), range(prize.count, PRIZE_COUNT_LIMIT));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Entry;
    use crate::result::Outcome;
    use crate::round::{Board, Round};
    use crate::settings::{Criterion, Ranking};

    fn number(n: u32) -> Number {
        Number::new(n).expect("a number")
    }

    /// Eight players in the order of their numbers; 3, 5 and 6 are women. With `tied`, the winners
    /// 1, 3, 5, 7 share the first place and the others the fifth.
    fn stage(tied: bool) -> Stage {
        let mut stage = Stage::swiss(1);
        stage.ranking = Ranking::of(if tied {
            &[Criterion::Score]
        } else {
            &[Criterion::Number]
        });
        for n in 1..=8 {
            let mut entry = Entry::new(number(n), format!("Player {n}"));
            entry.category = [3, 5, 6].contains(&n).then(|| "women".to_owned());
            stage.entries.push(entry);
        }
        stage.rounds.push(Round {
            boards: (1..=4)
                .map(|board| Board {
                    result: Some(Outcome::Black),
                    ..Board::new(board, number(2 * board - 1), number(2 * board))
                })
                .collect(),
            round: 1,
            ..Round::default()
        });
        stage
    }

    fn prize(name: &str, category: Option<&str>, count: u32) -> Prize {
        Prize {
            name: name.to_owned(),
            category: category.map(str::to_owned),
            count,
        }
    }

    fn told(stage: &Stage, double: bool, list: &[Prize]) -> Vec<(Vec<u32>, Vec<OpenPrize>)> {
        let list = list.to_vec();
        prizes(stage, 1, &Prizes { double, list })
            .into_iter()
            .map(|award| {
                let winners = award.winners.iter().map(|(_, number)| number.get());
                (winners.collect(), award.open)
            })
            .collect()
    }

    #[test]
    fn prizes_go_down_the_places_and_nobody_has_two_unless_the_event_says_so() {
        let list = [
            prize("first", None, 1),
            prize("second", None, 1),
            prize("third", None, 1),
            prize("best women", Some("women"), 2),
        ];
        assert_eq!(
            told(&stage(false), true, &list),
            [
                (vec![1], vec![]),
                (vec![2], vec![]),
                (vec![3], vec![]),
                (vec![3, 5], vec![])
            ]
        );
        assert_eq!(told(&stage(false), false, &list)[3], (vec![5, 6], vec![]));
        // A prize that comes first in the list is the one that is kept.
        let list = [
            prize("best woman", Some("women"), 1),
            prize("best three", None, 3),
        ];
        assert_eq!(
            told(&stage(false), false, &list),
            [(vec![3], vec![]), (vec![1, 2, 4], vec![])]
        );
    }

    #[test]
    fn a_tie_across_the_last_prize_is_open_and_what_depends_on_it_waits() {
        let open = |prizes, among: &[u32]| {
            let among = among.iter().map(|n| number(*n)).collect();
            vec![OpenPrize::Tied { prizes, among }]
        };
        let list = [
            prize("first", None, 1),
            prize("second to fourth", None, 3),
            prize("fifth", None, 1),
            prize("best woman", Some("women"), 1),
        ];
        let tied = stage(true);
        assert_eq!(
            told(&tied, false, &list),
            [
                (vec![], open(1, &[1, 3, 5, 7])),
                (vec![], open(3, &[1, 3, 5, 7])),
                (vec![], open(1, &[2, 4, 6, 8])),
                (vec![], vec![OpenPrize::Waits]),
            ]
        );
        assert_eq!(told(&tied, true, &list)[3], (vec![], open(1, &[3, 5])));
        // Four equal prizes for four who share the first place: nothing is open.
        assert_eq!(
            told(&tied, false, &[prize("first four", None, 4)]),
            [(vec![1, 3, 5, 7], vec![])]
        );
    }

    #[test]
    fn a_prize_over_the_rest_of_a_tie_and_a_part_of_the_next_names_both() {
        let list = [prize("first three", None, 3), prize("next three", None, 3)];
        let found = told(&stage(true), false, &list);
        assert!(found[1].0.is_empty());
        assert!(matches!(
            &found[1].1[..],
            [
                OpenPrize::Tied { prizes: 1, .. },
                OpenPrize::Tied { prizes: 2, .. }
            ]
        ));
    }

    #[test]
    fn a_prize_for_which_nobody_is_left_says_so() {
        assert_eq!(
            told(
                &stage(false),
                false,
                &[
                    prize("women", Some("women"), 5),
                    prize("children", Some("U12"), 1)
                ]
            ),
            [
                (vec![3, 5, 6], vec![OpenPrize::Nobody { prizes: 2 }]),
                (vec![], vec![OpenPrize::Nobody { prizes: 1 }])
            ]
        );
    }
}
