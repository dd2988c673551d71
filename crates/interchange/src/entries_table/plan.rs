//! What a list would do to the entries that there are, row by row.

use std::collections::{BTreeMap, BTreeSet};

use tournament::{Entry, Number};

use super::{CellFault, Field, Row};
use crate::names::search_key;

/// Of so many rows with one name the places are remembered.
const NAMESAKES_REMEMBERED: usize = 100;

/// A field that becomes another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// Which.
    pub field: Field,
    /// What it was; none for nothing.
    pub before: Option<String>,
    /// What it becomes, grades as `5d`.
    pub after: String,
}

/// Why a row cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowProblem {
    /// A cell that is not what it should be.
    Cell(CellFault),
    /// The number belongs to somebody else.
    NumberTaken {
        /// The number.
        number: Number,
        /// Whose it is.
        name: String,
    },
    /// The number stands on an earlier line too.
    NumberTwice {
        /// That line.
        line: usize,
    },
    /// Probably the same person as on an earlier line.
    NameTwice {
        /// That line.
        line: usize,
    },
    /// Somebody of this name is entered with another number.
    OtherNumber {
        /// That number.
        number: Number,
    },
    /// Somebody of this name is entered with another team.
    OtherTeam {
        /// The number of that entry.
        number: Number,
        /// Its team.
        team: String,
    },
    /// Several of this name are entered, and the row does not say which it means.
    SeveralNamed {
        /// Their numbers.
        numbers: Vec<Number>,
    },
}

impl RowProblem {
    /// A stable word for programs and translations.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Cell(fault) => fault.kind.code(),
            Self::NumberTaken { .. } => "row-number-taken",
            Self::NumberTwice { .. } => "row-number-twice",
            Self::NameTwice { .. } => "row-name-twice",
            Self::OtherNumber { .. } => "row-other-number",
            Self::OtherTeam { .. } => "row-other-team",
            Self::SeveralNamed { .. } => "row-several-named",
        }
    }

    /// Whether it is no problem once somebody has said that people of one name are different people.
    pub fn is_of_namesakes(&self) -> bool {
        matches!(
            self,
            Self::NameTwice { .. }
                | Self::OtherNumber { .. }
                | Self::OtherTeam { .. }
                | Self::SeveralNamed { .. }
        )
    }
}

/// What becomes of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A new entry.
    New,
    /// It says what is there already.
    Same {
        /// Of this entry.
        number: Number,
        /// Whether the name is written in another way; the entry keeps its own.
        spelled_otherwise: bool,
    },
    /// An entry becomes another one.
    Changed {
        /// This entry.
        number: Number,
        /// In these fields.
        changes: Vec<FieldChange>,
    },
    /// It cannot be taken.
    Bad(Vec<RowProblem>),
}

/// A row and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The row.
    pub row: Row,
    /// What becomes of it.
    pub verdict: Verdict,
}

/// What a list would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Row by row, in the order of the list.
    pub rows: Vec<Planned>,
}

impl Plan {
    /// How many are new, changed, the same, and cannot be taken.
    pub fn counts(&self) -> [usize; 4] {
        let mut counts = [0; 4];
        for planned in &self.rows {
            counts[match planned.verdict {
                Verdict::New => 0,
                Verdict::Changed { .. } => 1,
                Verdict::Same { .. } => 2,
                Verdict::Bad(_) => 3,
            }] += 1;
        }
        counts
    }

    /// Whether it can be carried out: all of it or nothing.
    pub fn is_sound(&self) -> bool {
        self.counts()[3] == 0
    }
}

struct Seen {
    line: usize,
    number: Option<Number>,
    team: Option<String>,
}

/// Says of each row what it would do to these entries: a row is an entry's by its number and name,
/// or by its name and team. An empty cell changes nothing.
///
/// With `namesakes`, people of one name whom nothing else shows to be the same are different people.
pub fn plan(rows: Vec<Row>, entries: &[Entry], namesakes: bool) -> Plan {
    let by_number: BTreeMap<Number, &Entry> = entries.iter().map(|entry| (entry.number, entry)).collect();
    let mut by_name: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        by_name.entry(search_key(&entry.name)).or_default().push(entry);
    }
    let mut numbers: BTreeMap<Number, usize> = BTreeMap::new();
    let mut names: BTreeMap<String, Vec<Seen>> = BTreeMap::new();
    let mut taken: BTreeSet<Number> = BTreeSet::new();
    let mut planned = Vec::with_capacity(rows.len());
    for row in rows {
        let mut problems: Vec<RowProblem> = row.faults.iter().cloned().map(RowProblem::Cell).collect();
        let key = search_key(&row.name);
        let mut meant: Option<&Entry> = None;
        if let Some(number) = row.number {
            if let Some(line) = numbers.get(&number) {
                problems.push(RowProblem::NumberTwice { line: *line });
            }
            numbers.entry(number).or_insert(row.line);
        }
        if !key.is_empty() {
            let seen = names.entry(key.clone()).or_default();
            let again = seen.iter().find(|seen| {
                let two_numbers = seen.number.is_some() && row.number.is_some();
                !two_numbers && may_be_one(seen.team.as_deref(), row.team.as_deref())
            });
            if let Some(line) = again.map(|seen| seen.line).filter(|_| !namesakes) {
                problems.push(RowProblem::NameTwice { line });
            }
            if seen.len() < NAMESAKES_REMEMBERED {
                seen.push(Seen {
                    line: row.line,
                    number: row.number,
                    team: row.team.clone(),
                });
            }
            let named = by_name.get(&key).map_or(&[][..], Vec::as_slice);
            match find(&row, named, &by_number, &taken, namesakes) {
                Ok(found) => meant = found,
                // Said already where the same name stands on an earlier line.
                Err(problem) if problem.is_of_namesakes() && !problems.is_empty() => {}
                Err(problem) => problems.push(problem),
            }
        }
        let verdict = if !problems.is_empty() {
            Verdict::Bad(problems)
        } else if let Some(entry) = meant {
            taken.insert(entry.number);
            let changes = changes(&row, entry);
            if changes.is_empty() {
                Verdict::Same {
                    number: entry.number,
                    spelled_otherwise: entry.name != row.name,
                }
            } else {
                Verdict::Changed {
                    number: entry.number,
                    changes,
                }
            }
        } else {
            Verdict::New
        };
        planned.push(Planned { row, verdict });
    }
    Plan { rows: planned }
}

/// Whether two teams may be one: they are, or one of them is not said.
fn may_be_one(one: Option<&str>, other: Option<&str>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => search_key(one) == search_key(other),
        _ => true,
    }
}

/// The entry that a row means, if any.
fn find<'e>(
    row: &Row,
    named: &[&'e Entry],
    by_number: &BTreeMap<Number, &'e Entry>,
    taken: &BTreeSet<Number>,
    namesakes: bool,
) -> Result<Option<&'e Entry>, RowProblem> {
    if let Some(number) = row.number {
        return match by_number.get(&number) {
            Some(entry) if named.iter().any(|named| named.number == number) => Ok(Some(entry)),
            Some(entry) => Err(RowProblem::NumberTaken {
                number,
                name: entry.name.clone(),
            }),
            None => match named.first().filter(|_| !namesakes) {
                Some(other) => Err(RowProblem::OtherNumber { number: other.number }),
                None => Ok(None),
            },
        };
    }
    let free: Vec<&Entry> = named
        .iter()
        .copied()
        .filter(|entry| !taken.contains(&entry.number))
        .collect();
    // The same team says more than a team that is missing on one side.
    let exactly = free.iter().copied().filter(|entry| {
        row.team.is_some() && entry.team.is_some() && may_be_one(entry.team.as_deref(), row.team.as_deref())
    });
    let exactly: Vec<&Entry> = exactly.collect();
    let perhaps: Vec<&Entry> = if exactly.is_empty() {
        let fits = |entry: &&Entry| may_be_one(entry.team.as_deref(), row.team.as_deref());
        free.iter().copied().filter(fits).collect()
    } else {
        exactly
    };
    match perhaps[..] {
        [entry] => Ok(Some(entry)),
        [] => match free.first().filter(|_| !namesakes) {
            Some(other) => Err(RowProblem::OtherTeam {
                number: other.number,
                team: other.team.clone().unwrap_or_default(),
            }),
            None => Ok(None),
        },
        _ if namesakes => Ok(None),
        _ => Err(RowProblem::SeveralNamed {
            numbers: perhaps.iter().map(|entry| entry.number).collect(),
        }),
    }
}

/// What of an entry a row changes.
fn changes(row: &Row, entry: &Entry) -> Vec<FieldChange> {
    let text = |text: &Option<String>| text.clone();
    let fields = [
        (Field::Team, text(&entry.team), text(&row.team)),
        (
            Field::Grade,
            entry.grade.map(|grade| grade.to_string()),
            row.grade.map(|grade| grade.to_string()),
        ),
        (
            Field::Rating,
            entry.rating.map(|rating| rating.to_string()),
            row.rating.map(|rating| rating.to_string()),
        ),
        (Field::Category, text(&entry.category), text(&row.category)),
        (
            Field::StartScore,
            Some(entry.start_score.to_string()),
            row.start_score.map(|score| score.to_string()),
        ),
        (
            Field::NameWithheld,
            Some(entry.name_withheld.to_string()),
            row.name_withheld.map(|withheld| withheld.to_string()),
        ),
    ];
    fields
        .into_iter()
        .filter_map(|(field, before, after)| {
            let after = after?;
            (before.as_ref() != Some(&after)).then_some(FieldChange { field, before, after })
        })
        .collect()
}
