//! Judging a game record (棋谱): what it says, whether its moves are legal, how it counts, and whether all
//! of that agrees with what was entered for the board.
//!
//! In the order of the work: [`header`] reads what stands before the moves, [`moves`] plays the main line,
//! [`end`] finds out how it ended, counts and compares.

mod end;
mod header;
mod moves;
mod names;
mod points;

pub use end::{count_with_entered, result_with_entered};

use crate::finding::{Finding, FindingKind, Weight};
use crate::komi::Komi;
use crate::point::{Colour, Move, Size};
use crate::rule_set::{OnRepetition, RuleSet};
use crate::sgf::{self, Collection, GameTree, Property};
use crate::verdict::{Asked, Refusal, RefusalKind, Standing, Verdict};
use header::{Handicap, Said, about};
use moves::Line;

/// Judges a file that holds one game, or the game of it that is asked for.
///
/// # Errors
/// A file of which nothing certain can be said: too large, no game tree, several games and none chosen,
/// another game than Go, a board that is not the event's, stones set up outside the board.
pub fn judge(bytes: &[u8], asked: &Asked) -> Result<Verdict, Refusal> {
    let collection = sgf::read(bytes, asked.encoding.as_deref())?;
    let index = match asked.game {
        Some(number) => number.wrapping_sub(1),
        None if collection.games().len() == 1 => 0,
        None => {
            return Err(Refusal {
                kind: RefusalKind::SeveralGames {
                    games: collection
                        .games()
                        .take(RefusalKind::GAMES)
                        .map(header::name)
                        .collect(),
                    of: collection.games().len(),
                },
                place: None,
            });
        }
    };
    judge_game(&collection, index, asked)
}

/// Judges one game of a file that was read; `index` counts from 0, and [`Asked::game`] is not looked at.
///
/// # Errors
/// As [`judge`], and when the file has no such game.
pub fn judge_game(collection: &Collection<'_>, index: usize, asked: &Asked) -> Result<Verdict, Refusal> {
    let games = collection.games().len();
    let game = collection.game(index).ok_or(Refusal {
        kind: RefusalKind::NoSuchGame {
            asked: index.wrapping_add(1),
            games,
        },
        place: None,
    })?;
    let mut findings = text_findings(collection, game, index);
    let said = header::read(collection, game, asked, &mut findings)?;
    let off_board = |point: &&crate::point::Point| !said.size.holds(**point);
    if let Some(point) = asked.dead.iter().flatten().find(off_board) {
        return Err(Refusal {
            kind: RefusalKind::DeadOffBoard {
                point: *point,
                size: said.size,
            },
            place: None,
        });
    }
    let rules = rules(collection, &said, asked, &mut findings);
    for kind in names::compare(&said.header.names, asked.names.as_ref()) {
        findings.push(about(kind));
    }
    let variations = game.variations();
    if variations > 0 {
        findings.push(about(FindingKind::Variations {
            count: u32::try_from(variations).unwrap_or(u32::MAX),
        }));
    }

    let mut line = Line::play(collection, game, said.size, rules.rules(), asked.on_repetition)?;
    if let Some(refusal) = nothing_to_replay(&line, said.size) {
        return Err(refusal);
    }
    let handicap = handicap(collection, &said, &mut line, rules, asked, &mut findings);
    let komi = komi(collection, &said, rules, handicap, asked, &mut findings);
    // What was found only when the moves were known comes before what was found on the way.
    line.findings.sort_by_key(|finding| finding.move_number);
    findings.append(&mut line.findings);
    let standing = standing(&findings, &line, asked.on_repetition);

    let mut header = said.header;
    header::append(&mut header.comment, &line.comment);
    let mut verdict = Verdict {
        standing,
        rules,
        size: said.size,
        komi,
        handicap,
        header,
        encoding: collection.encoding(),
        game: (index + 1, games),
        setup: std::mem::take(&mut line.setup),
        moves: std::mem::take(&mut line.moves),
        setup_midgame: std::mem::take(&mut line.setup_midgame),
        captures: line.captures,
        position: line.replay.board().position(),
        findings,
        end: crate::verdict::End::Unfinished,
        count: crate::verdict::Count::Nothing,
        recorded: None,
        agrees_with_count: crate::verdict::Agreement::Unknown,
        agrees_with_entered: crate::verdict::Agreement::Unknown,
    };
    end::judge(&mut verdict, collection, &line, asked);
    // What is about no place in the file is about the whole record or its end, and comes last.
    let offset = |finding: &Finding| finding.place.map_or(usize::MAX, |place| place.offset);
    verdict.findings.sort_by_key(offset);
    count_the_rest(&mut verdict.findings);
    Ok(verdict)
}

/// Refuses a game that has moves, and not one that a stone can be put down for: the size is wrong, or it is
/// a record of something else.
fn nothing_to_replay(line: &Line<'_>, size: Size) -> Option<Refusal> {
    if line
        .moves
        .iter()
        .any(|judged| matches!(judged.play, Move::Stone(_)))
    {
        return None;
    }
    line.findings.iter().find_map(|finding| match &finding.kind {
        FindingKind::PointOffBoard { text } | FindingKind::PointUnreadable { text }
            if finding.move_number.is_some() =>
        {
            Some(Refusal {
                kind: RefusalKind::NoMoveOnBoard {
                    text: text.clone(),
                    size,
                },
                place: finding.place,
            })
        }
        _ => None,
    })
}

/// What the reader noticed, without what lies in the other games of the file.
fn text_findings(collection: &Collection<'_>, game: GameTree<'_>, index: usize) -> Vec<Finding> {
    if collection.games().len() == 1 {
        return collection.findings().to_vec();
    }
    let start = collection.place(game.root().offset()).offset;
    let next = collection.game(index + 1);
    let end = next.map(|next| collection.place(next.root().offset()).offset);
    let own = |finding: &&Finding| {
        finding.place.is_none_or(|place| {
            (index == 0 || start <= place.offset) && end.is_none_or(|end| place.offset < end)
        })
    };
    collection.findings().iter().filter(own).cloned().collect()
}

/// Leaves the first findings of each kind and weight, and counts the others.
fn count_the_rest(findings: &mut Vec<Finding>) {
    if findings.len() <= Verdict::OF_A_KIND {
        return;
    }
    let mut seen = Vec::new();
    let before = findings.len();
    findings.retain(|finding| {
        let which = (std::mem::discriminant(&finding.kind), finding.weight());
        let known = seen.iter().position(|(known, _)| *known == which);
        let known = known.unwrap_or_else(|| {
            seen.push((which, 0));
            seen.len() - 1
        });
        seen[known].1 += 1;
        seen[known].1 <= Verdict::OF_A_KIND
    });
    if let Some(more @ 1..) = before.checked_sub(findings.len()) {
        findings.push(about(FindingKind::MoreOfAKind {
            count: u32::try_from(more).unwrap_or(u32::MAX),
        }));
    }
}

/// A finding about a property.
fn at(collection: &Collection<'_>, property: Property<'_>, kind: FindingKind) -> Finding {
    Finding {
        place: Some(collection.place(property.offset())),
        ..about(kind)
    }
}

/// The rules to judge by: the event's, else the record's, else the Chinese.
fn rules(
    collection: &Collection<'_>,
    said: &Said<'_>,
    asked: &Asked,
    findings: &mut Vec<Finding>,
) -> RuleSet {
    let written = said.rules.map(|property| (property, property.value().plain()));
    let written = written.filter(|(_, text)| !text.is_empty());
    let record = written.as_ref().and_then(|(_, text)| RuleSet::from_record(text));
    let unwritten = written.is_none();
    if let Some((property, text)) = written {
        let kind = match (record, asked.rules) {
            (None, _) => Some(FindingKind::RulesUnknown {
                text: text.into_owned(),
            }),
            (Some(record), Some(event)) if record != event => {
                Some(FindingKind::RulesDiffer { record, event })
            }
            _ => None,
        };
        findings.extend(kind.map(|kind| at(collection, property, kind)));
    }
    asked.rules.or(record).unwrap_or_else(|| {
        // Of rules that are not known it is told by which others the game is judged.
        if unwritten {
            findings.push(about(FindingKind::RulesAssumed));
        }
        RuleSet::default()
    })
}

/// The handicap (让子) that was placed, set up or as Black's first moves; and what is to be said of it.
fn handicap(
    collection: &Collection<'_>,
    said: &Said<'_>,
    line: &mut Line<'_>,
    rules: RuleSet,
    asked: &Asked,
    findings: &mut Vec<Finding>,
) -> u32 {
    let written = Handicap::declared(said.handicap);
    let mut tell = |kind| {
        findings.push(match said.handicap {
            Some(property) => at(collection, property, kind),
            None => about(kind),
        });
    };
    if let Some(text) = written.unreadable {
        tell(FindingKind::HandicapUnreadable { text });
    }
    if written.first_move_only {
        tell(FindingKind::HandicapOfOne);
    }
    let expected = asked.handicap.map(|stones| if stones == 1 { 0 } else { stones });

    // With stones of White's among them it is a position, such as the four corner stones (座子), and no
    // handicap.
    let stones_of = |side| line.setup.iter().filter(|(stone, _)| *stone == side).count();
    let position = stones_of(Colour::White) > 0;
    let set_up = if position { 0 } else { stones_of(Colour::Black) };
    let alone = line.black_alone();
    let moved = u32::try_from(alone).unwrap_or(u32::MAX);
    let by_moves =
        line.setup.is_empty() && moved > 1 && (written.declared == Some(moved) || expected == Some(moved));
    let placed = if by_moves {
        line.moves_are_handicap(alone);
        moved
    } else {
        u32::try_from(set_up).unwrap_or(u32::MAX)
    };
    let declared = written.declared;
    if declared.unwrap_or(0) != placed && !position || expected.is_some_and(|expected| expected != placed) {
        tell(FindingKind::HandicapDiffers {
            declared,
            placed,
            expected,
        });
    }

    match line.moves.first().map(|first| first.side) {
        Some(Colour::Black) if !by_moves && placed > 1 => {
            line.tell_of(1, FindingKind::BlackFirstAfterHandicap);
        }
        Some(Colour::White)
            if placed == 0 && line.setup.is_empty() && rules.rules().first == Colour::Black =>
        {
            line.tell_of(1, FindingKind::WhiteFirst);
        }
        _ => {}
    }
    placed
}

/// Whether the game stands. After something that the record leaves open nothing is certain any more, so:
///
/// - A forbidden move makes it illegal when nothing was open before it.
/// - Then a repetition by which the rules or the event end the game, when nothing was open before it. That
///   rules of simple ko give no result the players have to agree on, unless the event says so: where they
///   played on, it is the referee's to say.
/// - Then what the record leaves open, then what a referee has to say.
fn standing(findings: &[Finding], line: &Line<'_>, setting: Option<OnRepetition>) -> Standing {
    let open = findings
        .iter()
        .position(|finding| finding.weight() == Weight::Broken);
    let certain = &findings[..open.unwrap_or(findings.len())];
    let has = |weight| certain.iter().any(|finding| finding.weight() == weight);
    if has(Weight::Illegal) {
        return Standing::Illegal;
    }
    let ruled = certain.iter().find_map(|finding| match &finding.kind {
        FindingKind::Repeated(repeated) => repeated.ruling.map(|ruling| (ruling, repeated.second)),
        _ => None,
    });
    match ruled {
        Some((OnRepetition::NoResult, second)) if setting.is_some() || !line.stones_after(second) => {
            Standing::NoResult
        }
        Some((OnRepetition::Draw, _)) => Standing::Draw,
        Some((OnRepetition::Replay, _)) => Standing::Replay,
        _ if open.is_some() => Standing::Uncertain,
        _ if has(Weight::Referee) => Standing::Referee,
        _ => Standing::Legal,
    }
}

/// The komi to count with, in the unit of the rules: the event's, else the record's, else that of the rules,
/// which have none for handicap stones and for the first move (让先).
fn komi(
    collection: &Collection<'_>,
    said: &Said<'_>,
    rules: RuleSet,
    handicap: u32,
    asked: &Asked,
    findings: &mut Vec<Finding>,
) -> Komi {
    let text = said.komi.map(|property| property.value().plain());
    let text = text.as_deref().unwrap_or_default();
    let mut tell = |kind| {
        findings.push(match said.komi {
            Some(property) => at(collection, property, kind),
            None => about(kind),
        });
    };
    let record = match Komi::from_record(text, rules) {
        Ok(Some(record)) => {
            if let Some(kind) = record.finding {
                tell(kind);
            }
            Some(record.komi)
        }
        Ok(None) => {
            tell(FindingKind::KomiMissing);
            None
        }
        Err(error) => {
            tell(FindingKind::KomiUnreadable { text: error.0 });
            None
        }
    };
    if let (Some(record), Some(event)) = (record, asked.komi)
        && record != event
    {
        tell(FindingKind::KomiDiffers { record, event });
    }
    let even = handicap == 0 && !Handicap::declared(said.handicap).first_move_only;
    let of_rules = if even { rules.default_komi() } else { Komi::NONE };
    asked.komi.or(record).unwrap_or(of_rules)
}
