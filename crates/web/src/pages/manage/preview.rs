//! What other results of a round would change in the standings, before they are kept.

use store::events::Event;
use tournament::standings::{Standings, standings};
use tournament::{Board, Number};

use super::Fields;
use crate::i18n::Language;
use crate::pages::public::standings::place;

/// Somebody whose place or score would be another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The place now.
    pub place_now: String,
    /// The place then.
    pub place_then: String,
    /// Whether it is another.
    pub moves: bool,
    /// The score now.
    pub score_now: String,
    /// The score then.
    pub score_then: String,
}

/// What is kept only when it has been seen.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// The results as they would be.
    pub after: String,
    /// The changes in one sentence.
    pub sentence: String,
    /// The changes.
    pub changes: Changes,
    /// The fields that were sent.
    pub fields: Vec<(String, String)>,
}

impl Preview {
    /// The same form once more, to be sent when what it changes has been seen.
    pub fn of(t: Language, after: String, changes: Changes, fields: &Fields) -> Self {
        Self {
            after,
            sentence: changes.sentence(t),
            changes,
            fields: fields
                .0
                .iter()
                .filter(|(name, _)| !["keep", "look", "again"].contains(&name.as_str()))
                .cloned()
                .collect(),
        }
    }
}

/// What would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// After which round the places are.
    pub after: u32,
    /// Who is affected in place or score, by the place then; the first of them.
    pub moved: Vec<Moved>,
    /// How many more are.
    pub more: usize,
    /// How many keep place and score and have other values in some criterion.
    pub values_only: usize,
}

impl Changes {
    /// The most that are listed.
    const MOST: usize = 40;

    /// Whether nothing changes in the standings.
    pub fn is_nothing(&self) -> bool {
        self.moved.is_empty() && self.values_only == 0
    }

    /// What changes in the last public standings when these boards of a published round become what they are
    /// here.
    pub fn of(event: &Event, round: u32, new: &[Board]) -> Self {
        let stage = event.public_stage();
        let after = stage.rounds.last().map_or(0, |table| table.round);
        let mut changed = stage.clone();
        let boards = changed
            .rounds
            .iter_mut()
            .filter(|table| table.round == round)
            .flat_map(|table| &mut table.boards);
        for board in boards {
            if let Some(new) = new.iter().find(|new| new.board == board.board) {
                *board = *new;
            }
        }
        let name = |number: Number| stage.entry(number).map_or("", |entry| entry.name.as_str());
        Self::between(&standings(&stage, after), &standings(&changed, after), name)
    }

    fn between<'a>(now: &Standings, then: &Standings, name: impl Fn(Number) -> &'a str) -> Self {
        let mut changes = Self {
            after: now.after,
            ..Self::default()
        };
        let mut moved = Vec::new();
        for row in &then.rows {
            let Some(old) = now.row(row.number) else { continue };
            let moves = (old.place, old.shared) != (row.place, row.shared);
            if moves || old.score != row.score {
                moved.push(Moved {
                    number: row.number.get(),
                    name: name(row.number).to_owned(),
                    place_now: place(old.place, old.shared),
                    place_then: place(row.place, row.shared),
                    moves,
                    score_now: old.score.0.to_string(),
                    score_then: row.score.0.to_string(),
                });
            } else if old.values != row.values {
                changes.values_only += 1;
            }
        }
        changes.more = moved.len().saturating_sub(Self::MOST);
        moved.truncate(Self::MOST);
        changes.moved = moved;
        changes
    }

    /// The changes in one sentence.
    pub fn sentence(&self, t: Language) -> String {
        if self.is_nothing() {
            t.with("preview-nothing", "after", self.after)
        } else {
            t.tell(
                "preview-changes",
                &[
                    ("after", self.after.into()),
                    ("moved", (self.moved.len() + self.more).into()),
                    ("values", self.values_only.into()),
                ],
            )
        }
    }
}
