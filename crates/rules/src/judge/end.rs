//! How a game ended, how it counts, and whether that agrees with what is said of it.

use super::header::about;
use super::moves::Line;
use super::points::{self, PointSet};
use crate::counting::{Doubt, Living, MarksFault, Proposal, Scene, Terms};
use crate::finding::{Finding, FindingKind};
use crate::outcome::{Margin, Recorded, RecordedKind};
use crate::point::{Colour, Move, Point, Sides};
use crate::rule_set::Unit;
use crate::sgf::{Collection, Node};
use crate::verdict::{Agreement, Asked, Count, DeadFrom, End, Entered, Standing, Verdict};

/// Fills in the end of a verdict whose moves are judged: result, count and agreement.
pub(super) fn judge(verdict: &mut Verdict, collection: &Collection<'_>, line: &Line<'_>, asked: &Asked) {
    let conflict = read_result(verdict, collection, line);
    verdict.end = end(verdict, line);
    verdict.count = position(verdict, line, asked);

    let counted = match &verdict.count {
        Count::Counted(counted) => Some(counted.margin),
        _ => None,
    };
    if let (Some(recorded), Some(margin)) = (&verdict.recorded, counted) {
        verdict.agrees_with_count = result_with_count(recorded, margin);
        if verdict.agrees_with_count == Agreement::No {
            verdict.findings.push(about(FindingKind::ResultAgainstCount));
        }
    }
    if let Some(entered) = &asked.entered {
        let swapped = (verdict.findings.iter()).any(|finding| finding.kind == FindingKind::NamesSwapped);
        let by_result = (verdict.recorded.as_ref()).map_or(Agreement::Unknown, |recorded| {
            result_with_entered(recorded, entered)
        });
        let by_count = verdict
            .counted_result()
            .map_or(Agreement::Unknown, |margin| count_with_entered(margin, entered));
        if let (Agreement::No, Some(record)) = (by_result, &verdict.recorded) {
            let record = record.clone();
            verdict
                .findings
                .push(about(FindingKind::ResultAgainstBoard { record }));
        }
        if by_count == Agreement::No {
            verdict.findings.push(about(FindingKind::CountAgainstBoard));
        }
        verdict.agrees_with_entered = match (by_result, by_count) {
            (Agreement::No, _) | (_, Agreement::No) => Agreement::No,
            // Of two results that contradict one another neither confirms anything. Nor does a colour that the
            // record gives to the other player.
            _ if conflict || swapped => Agreement::Unknown,
            (Agreement::Yes, _) | (_, Agreement::Yes) => Agreement::Yes,
            _ => Agreement::Unknown,
        };
    }
}

/// Reads RE, and says whether there are two results that contradict one another.
fn read_result(verdict: &mut Verdict, collection: &Collection<'_>, line: &Line<'_>) -> bool {
    let mut conflict = false;
    for value in &line.results {
        let text = value.plain();
        if text.is_empty() || conflict {
            continue;
        }
        let place = Some(collection.place(value.offset()));
        let recorded = Recorded::read(&text);
        let Some(first) = &verdict.recorded else {
            if recorded.kind == RecordedKind::Unknown {
                verdict.findings.push(Finding {
                    place,
                    ..about(FindingKind::ResultUnreadable {
                        text: text.into_owned(),
                    })
                });
            }
            verdict.recorded = Some(recorded);
            continue;
        };
        let says = |result: &Recorded| (result.winner, result.kind, result.margin);
        if says(first) != says(&recorded) {
            conflict = true;
            verdict.findings.push(Finding {
                place,
                ..about(FindingKind::ResultsConflict {
                    first: first.text.clone(),
                    second: recorded.text,
                })
            });
        }
    }
    if verdict.recorded.is_none() {
        verdict.findings.push(about(FindingKind::ResultMissing));
    }
    conflict
}

/// How the game ended: by what the result says, else by the passes at its end, else by marked territory.
fn end(verdict: &Verdict, line: &Line<'_>) -> End {
    let by_passes = (line.passes >= usize::from(verdict.rules.rules().passes)).then_some(End::Passes);
    let by_moves = by_passes.or(line.marks.map(|_| End::Agreement));
    let Some(recorded) = &verdict.recorded else {
        return by_moves.unwrap_or(End::Unfinished);
    };
    let lost = recorded.winner.map(Colour::other);
    match (recorded.kind, lost) {
        (RecordedKind::Resign, Some(loser)) => End::Resignation { loser },
        (RecordedKind::Time, Some(loser)) => End::Time { loser },
        (RecordedKind::Forfeit | RecordedKind::Judge | RecordedKind::BothLose, _) => End::Decision,
        (RecordedKind::Score | RecordedKind::Draw, _) => by_passes.unwrap_or(End::Agreement),
        (RecordedKind::Void, _) => by_passes.unwrap_or(End::Decision),
        (RecordedKind::Unspecified | RecordedKind::Other, Some(_)) => by_moves.unwrap_or(End::Unsaid),
        _ => by_moves.unwrap_or(End::Unfinished),
    }
}

/// Counts the last position, when the game ended by counting or the caller says which stones are dead.
fn position(verdict: &mut Verdict, line: &Line<'_>, asked: &Asked) -> Count {
    let by_counting = matches!(verdict.end, End::Passes | End::Agreement);
    let stands = match verdict.standing {
        Standing::Legal | Standing::Illegal | Standing::Referee => true,
        Standing::Uncertain | Standing::NoResult | Standing::Draw | Standing::Replay => false,
    };
    if !stands || !(by_counting || asked.dead.is_some()) {
        return Count::Nothing;
    }
    let terms = terms(verdict, asked);
    let scene = Scene::new(verdict.size, &verdict.position);
    if let Some(dead) = &asked.dead {
        let living = scene.without_chains_at(dead);
        let doubts = living.doubts(dead);
        tell_doubts(verdict, &doubts);
        // That nothing is dead is said of the whole board, and holds. Named stones that leave ground open were
        // named in part, and what they count to is no result.
        let open = doubts.iter().any(|doubt| !matches!(doubt, Doubt::NoStone(_)));
        if dead.is_empty() || !(open || tell_certain_and_not_named(verdict, &scene, &living)) {
            return Count::Counted(living.count(DeadFrom::Given, &terms));
        }
        let proposal = scene.propose(verdict.rules.rules().suicide);
        return needs_dead_stones(verdict, &scene, &proposal, &terms);
    }
    match scene.without_marked(&marks(verdict, line)) {
        Ok(living) => {
            let with_marks = living.count(DeadFrom::Record, &terms);
            // Marks for a part of the board show something, and are no end of a game.
            let doubts = living.doubts(&[]);
            if doubts.is_empty() {
                return Count::Counted(with_marks);
            }
            tell_doubts(verdict, &doubts);
            verdict.findings.push(about(FindingKind::DeadNeeded));
            return Count::NeedsDeadStones(Some(Box::new(with_marks)));
        }
        Err(MarksFault::None) => {}
        Err(
            MarksFault::OffBoard(point)
            | MarksFault::Both(point)
            | MarksFault::NotSurrounded(point)
            | MarksFault::NotMarked(point),
        ) => {
            verdict.findings.push(Finding {
                point: Some(point),
                ..about(FindingKind::MarksContradict)
            });
        }
    }
    // A result without the passes may have been agreed on in another way.
    if verdict.rules.rules().all_stones_live && verdict.end == End::Passes {
        return Count::Counted(scene.without_chains_at(&[]).count(DeadFrom::Rules, &terms));
    }
    // Without a stone there is none to be asked for: the whole board is shared.
    if verdict.position.iter().all(Option::is_none) {
        return Count::Counted(scene.without_chains_at(&[]).count(DeadFrom::Proposal, &terms));
    }
    let proposal = scene.propose(verdict.rules.rules().suicide);
    if proposal.settled {
        let living = scene.without_chains_at(&proposal.dead);
        if living.doubts(&[]).is_empty() {
            verdict.findings.push(about(FindingKind::DeadProposed));
            return Count::Counted(living.count(DeadFrom::Proposal, &terms));
        }
    }
    needs_dead_stones(verdict, &scene, &proposal, &terms)
}

/// Asks for the dead stones, with those that are certain.
fn needs_dead_stones(verdict: &mut Verdict, scene: &Scene, proposal: &Proposal, terms: &Terms) -> Count {
    verdict.findings.push(about(FindingKind::DeadNeeded));
    let stones = verdict.position.iter().flatten().count();
    let anything_certain = proposal.unsettled.len() < stones;
    Count::NeedsDeadStones(anything_certain.then(|| {
        let living = scene.without_chains_at(&proposal.dead);
        Box::new(living.count(DeadFrom::Proposal, terms))
    }))
}

/// Says of a stone that no play can save and that is not among the named ones; gives whether there is one.
fn tell_certain_and_not_named(verdict: &mut Verdict, scene: &Scene, living: &Living<'_>) -> bool {
    let named: std::collections::BTreeSet<Point> = living.dead().collect();
    let certain = scene.propose(verdict.rules.rules().suicide).dead;
    let missing = certain.into_iter().find(|point| !named.contains(point));
    if missing.is_some() {
        verdict.findings.push(Finding {
            point: missing,
            ..about(FindingKind::DeadDoubtful)
        });
    }
    missing.is_some()
}

/// Says what speaks against counting with the dead stones.
fn tell_doubts(verdict: &mut Verdict, doubts: &[Doubt]) {
    for doubt in doubts {
        let (kind, point) = match *doubt {
            Doubt::NoStone(point) => (FindingKind::DeadPointEmpty, point),
            Doubt::BesideLiving(point) | Doubt::Open(point) => (FindingKind::DeadDoubtful, point),
        };
        let finding = Finding {
            point: Some(point),
            ..about(kind)
        };
        // A chain that is missing can leave the ground open at the very point where another was.
        if !verdict.findings.contains(&finding) {
            verdict.findings.push(finding);
        }
    }
}

/// Territory marks at the end of the record.
fn marks(verdict: &Verdict, line: &Line<'_>) -> Sides<Vec<Point>> {
    let mut marks = Sides {
        black: PointSet::new(),
        white: PointSet::new(),
    };
    for property in line.marks.iter().flat_map(Node::properties) {
        let side = match property.name() {
            "TB" => Colour::Black,
            "TW" => Colour::White,
            _ => continue,
        };
        marks[side].add_all(&points::read(property, verdict.size).points);
    }
    Sides {
        black: marks.black.iter().collect(),
        white: marks.white.iter().collect(),
    }
}

fn terms(verdict: &Verdict, asked: &Asked) -> Terms {
    let rules = verdict.rules;
    // Of a unit in quarters, a quarter stone is the margin's unit, and half a point.
    let quarters = i32::from(verdict.komi.quarters());
    let komi = match rules.unit() {
        Unit::Stones => quarters,
        Unit::Points => quarters / 2,
    };
    Terms {
        prisoners: verdict.captures,
        handicap: verdict.handicap,
        white_passed_first: rules.rules().white_passed_first && white_passed_first(verdict),
        warnings: asked.warnings,
        ..Terms::of(rules, Margin(komi))
    }
}

/// Whether the first of the passes at the end is White's.
fn white_passed_first(verdict: &Verdict) -> bool {
    let passes = |judged: &&crate::verdict::JudgedMove| judged.play == Move::Pass;
    let last = verdict.moves.iter().rev().take_while(passes).last();
    last.is_some_and(|first| first.side == Colour::White)
}

/// Whether the record's result says what the position counts to.
fn result_with_count(recorded: &Recorded, margin: Margin) -> Agreement {
    match recorded.kind {
        RecordedKind::Draw => agree(margin.winner().is_none()),
        RecordedKind::Score => match recorded.margin {
            Some(written) if recorded.winner.is_some() => {
                let ahead = if recorded.winner == Some(Colour::White) {
                    -written.0.saturating_abs()
                } else {
                    written.0.saturating_abs()
                };
                agree(ahead == margin.0)
            }
            _ => agree(recorded.winner == margin.winner()),
        },
        // Somebody won: whether by counting is not said, so only a count for the other side says anything.
        RecordedKind::Unspecified if recorded.winner != margin.winner() => Agreement::No,
        _ => Agreement::Unknown,
    }
}

/// Whether the record's result is the one that was entered: the winner, and kind and margin where both say
/// them.
pub fn result_with_entered(recorded: &Recorded, entered: &Entered) -> Agreement {
    let Some(kind) = says(recorded.kind) else {
        return match recorded.winner {
            // In which way is not known, but by whom.
            Some(winner) => agree(entered.winner == Some(winner)),
            None => Agreement::Unknown,
        };
    };
    if recorded.winner != entered.winner || (kind == Way::BothLost) != entered.both_lost {
        return Agreement::No;
    }
    let entered_kind = entered.kind.and_then(says).or(match entered.winner {
        Some(_) => None,
        None if entered.both_lost => Some(Way::BothLost),
        None => Some(Way::Draw),
    });
    if entered_kind.is_some_and(|entered| entered != kind) {
        return Agreement::No;
    }
    match (recorded.margin, entered.margin) {
        (Some(record), Some(entered)) => agree(record.0.abs() == entered.0.abs()),
        _ => Agreement::Yes,
    }
}

/// Whether the margin of a game that was counted is the result that was entered. One that was entered as
/// decided otherwise, or as lost by both, contradicts it.
pub fn count_with_entered(counted: Margin, entered: &Entered) -> Agreement {
    let otherwise = (entered.kind.and_then(says)).is_some_and(|way| !matches!(way, Way::Count | Way::Draw));
    if entered.both_lost || otherwise || counted.winner() != entered.winner {
        return Agreement::No;
    }
    match entered.margin {
        Some(margin) => agree(margin.0.abs() == counted.0.abs()),
        None => Agreement::Yes,
    }
}

/// The ways to win or not to win that are told apart in comparing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Count,
    Resignation,
    Time,
    Decision,
    Draw,
    Void,
    BothLost,
}

/// What a kind says; nothing when it leaves the way open.
fn says(kind: RecordedKind) -> Option<Way> {
    match kind {
        RecordedKind::Score => Some(Way::Count),
        RecordedKind::Resign => Some(Way::Resignation),
        RecordedKind::Time => Some(Way::Time),
        RecordedKind::Forfeit | RecordedKind::Judge => Some(Way::Decision),
        RecordedKind::Draw => Some(Way::Draw),
        RecordedKind::Void => Some(Way::Void),
        RecordedKind::BothLose => Some(Way::BothLost),
        RecordedKind::Unspecified | RecordedKind::Other | RecordedKind::Unknown => None,
    }
}

fn agree(yes: bool) -> Agreement {
    if yes { Agreement::Yes } else { Agreement::No }
}
