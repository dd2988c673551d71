//! What a record says of the game before its moves.

use std::borrow::Cow;

use crate::finding::{Finding, FindingKind};
use crate::point::{Colour, Sides, Size};
use crate::sgf::{Collection, GameTree, Node, Property};
use crate::verdict::{Asked, GameName, Header, Refusal, RefusalKind};

/// The properties that the judge asks for, wherever they stand before the first move.
pub(super) struct Said<'c> {
    pub header: Header,
    pub size: Size,
    pub rules: Option<Property<'c>>,
    pub komi: Option<Property<'c>>,
    pub handicap: Option<Property<'c>>,
}

/// Reads the header of a game, and says what is odd about it.
///
/// # Errors
/// Another game, and a board that cannot be judged or is not the event's.
pub(super) fn read<'c>(
    collection: &'c Collection<'_>,
    game: GameTree<'c>,
    asked: &Asked,
    findings: &mut Vec<Finding>,
) -> Result<Said<'c>, Refusal> {
    let root = game.root();
    let named = go(collection, root)?;
    let size = size(collection, root, asked, findings)?;
    if !named {
        let doubtful = root.get("SZ").is_some() && size == Size::square(15).unwrap_or(size);
        let kind = if doubtful {
            FindingKind::GameDoubtful
        } else {
            FindingKind::GameNotNamed
        };
        findings.push(Finding {
            place: Some(collection.place(root.offset())),
            ..about(kind)
        });
    }

    let mut said = Said {
        header: Header::default(),
        size,
        rules: None,
        komi: None,
        handicap: None,
    };
    for node in game.main_line() {
        let mut moved = false;
        for property in node.properties() {
            said.take(property);
            moved |= matches!(property.name(), "B" | "W");
        }
        if moved {
            break;
        }
    }
    Ok(said)
}

impl<'c> Said<'c> {
    /// Keeps what the property says when it is the first to say it.
    fn take(&mut self, property: Property<'c>) {
        let header = &mut self.header;
        let text = match property.name() {
            "PB" => &mut header.names.black,
            "PW" => &mut header.names.white,
            "BR" => &mut header.grades.black,
            "WR" => &mut header.grades.white,
            "BT" => &mut header.teams.black,
            "WT" => &mut header.teams.white,
            "EV" => &mut header.event,
            "RO" => &mut header.round,
            "DT" => &mut header.date,
            "PC" => &mut header.place,
            "AP" => &mut header.program,
            "RU" => {
                self.rules.get_or_insert(property);
                &mut header.rules
            }
            "KM" => {
                self.komi.get_or_insert(property);
                return;
            }
            "HA" => {
                self.handicap.get_or_insert(property);
                return;
            }
            "GC" => {
                append(&mut header.comment, &property.value().text());
                return;
            }
            _ => return,
        };
        if text.is_empty() {
            property.value().simple_text().trim().clone_into(text);
        }
    }
}

/// Adds a comment to what is there.
pub(super) fn append(comment: &mut String, more: &str) {
    let more = more.trim();
    if !more.is_empty() {
        if !comment.is_empty() {
            comment.push_str("\n\n");
        }
        comment.push_str(more);
    }
}

/// A finding about no place in particular.
pub(super) fn about(kind: FindingKind) -> Finding {
    Finding {
        kind,
        place: None,
        move_number: None,
        point: None,
    }
}

/// The number that a text is, when it is nothing but digits.
fn digits(text: &str) -> Option<u32> {
    let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.parse().ok())?
}

/// Whether the record says that it is Go; it may say nothing.
fn go(collection: &Collection<'_>, root: Node<'_>) -> Result<bool, Refusal> {
    let Some(property) = root.get("GM") else {
        return Ok(false);
    };
    let value = property.value();
    let text = value.plain();
    match (text.is_empty(), digits(&text)) {
        (true, _) => Ok(false),
        (_, Some(1)) => Ok(true),
        _ => Err(Refusal {
            kind: RefusalKind::NotGo {
                text: text.into_owned(),
            },
            place: Some(collection.place(property.offset())),
        }),
    }
}

fn size(
    collection: &Collection<'_>,
    root: Node<'_>,
    asked: &Asked,
    findings: &mut Vec<Finding>,
) -> Result<Size, Refusal> {
    let properties = root.properties().filter(|property| property.name() == "SZ");
    let mut values = properties
        .flat_map(|property| property.values())
        .filter(|value| !value.plain().is_empty());
    let written = values.next();
    let place = written.map(|value| collection.place(value.offset()));
    let size = if let Some(value) = written {
        let text = value.plain();
        let Some((size, twice)) = size_of(&text) else {
            return Err(Refusal {
                kind: RefusalKind::BadSize {
                    text: text.into_owned(),
                },
                place,
            });
        };
        // Of two boards nothing tells which was played on.
        if let Some(other) = values.find(|other| size_of(&other.plain()).map(|(size, _)| size) != Some(size))
        {
            findings.push(Finding {
                place: Some(collection.place(other.offset())),
                ..about(FindingKind::SizesConflict {
                    first: text.into_owned(),
                    second: other.plain().into_owned(),
                })
            });
        }
        if twice && size.is_square() {
            findings.push(Finding {
                place,
                ..about(FindingKind::SizeWrittenTwice)
            });
        }
        size
    } else {
        findings.push(Finding {
            place: Some(collection.place(root.offset())),
            ..about(FindingKind::SizeAssumed)
        });
        Size::NINETEEN
    };
    if !size.is_square() || asked.size.is_some_and(|event| event != size) {
        return Err(Refusal {
            kind: RefusalKind::SizeNotPlayed {
                record: size,
                event: asked.size,
            },
            place,
        });
    }
    Ok(size)
}

/// The size that a text names, and whether it is written as two numbers.
fn size_of(text: &str) -> Option<(Size, bool)> {
    let lines = |text: &str| digits(text).and_then(|lines| u8::try_from(lines).ok());
    Some(match text.split_once([':', 'x', 'X', '×']) {
        Some((columns, rows)) => (Size::new(lines(columns.trim())?, lines(rows.trim())?)?, true),
        None => (Size::square(lines(text)?)?, false),
    })
}

/// By what a game can be told from the others of its file.
pub(super) fn name(game: GameTree<'_>) -> GameName {
    let root = game.root();
    let text = |name: &str| {
        let property = root.get(name);
        property.map_or_else(String::new, |property| {
            property.value().simple_text().trim().to_owned()
        })
    };
    GameName {
        names: Sides {
            black: text("PB"),
            white: text("PW"),
        },
        nodes: game.main_line().count(),
        result: text("RE"),
    }
}

/// What HA says.
pub(super) struct Handicap {
    /// How many stones; 1 is none, because Black only moves first without komi (让先).
    pub declared: Option<u32>,
    /// Whether it is 1.
    pub first_move_only: bool,
    /// What is no number.
    pub unreadable: Option<String>,
}

impl Handicap {
    pub(super) fn declared(property: Option<Property<'_>>) -> Self {
        let text = property.map(|property| property.value().plain());
        let declared = text.as_ref().and_then(|text| digits(text));
        let unreadable = text.filter(|text| declared.is_none() && !text.is_empty());
        Self {
            declared: declared.map(|stones| if stones == 1 { 0 } else { stones }),
            first_move_only: declared == Some(1),
            unreadable: unreadable.map(Cow::into_owned),
        }
    }
}

/// The two sides, Black first.
pub(super) const SIDES: [Colour; 2] = [Colour::Black, Colour::White];
