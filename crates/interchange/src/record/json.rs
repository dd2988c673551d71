//! A verdict as JSON. `docs/record.md` and `docs/record.schema.json` describe it field by field.

use rules::{
    Colour, Count, Counted, End, Finding, FindingKind, Language, Margin, Owner, Place, Point, Recorded,
    Refusal, RefusalKind, Repeated, Sides, Size, Twice, Unit, Verdict,
};
use serde_json::{Value, json};

use super::text::listed;
use super::verdict::recorded_said;
use super::words::{
    agreement_word, dead_from_word, encoding_said, end_word, recorded_kind_word, repetition_kind_word,
    standing_word, weight_word,
};
use super::{
    agreement_with_count, agreement_with_entered, count, count_sums, end, sentence, standing, summary,
};

/// A verdict, its sentences in the language that is asked for. Texts of the file are as they are written
/// there.
pub fn json(verdict: &Verdict, language: Language) -> Value {
    let size = verdict.size;
    let header = &verdict.header;
    let player = |side: Colour| {
        json!({
            "name": header.names[side],
            "grade": header.grades[side],
            "team": header.teams[side],
        })
    };
    let agreements: Vec<&str> = [
        agreement_with_count(verdict.agrees_with_count, language),
        agreement_with_entered(verdict.agrees_with_entered, language),
    ]
    .into_iter()
    .flatten()
    .collect();
    let (findings, left_out) = listed(&verdict.findings, FINDINGS);
    json!({
        "standing": standing_word(verdict.standing),
        "standing_text": standing(verdict, language),
        "summary": summary(verdict, language),
        "rules": verdict.rules.slug(),
        "unit": verdict.rules.unit().as_str(),
        "size": size_json(size),
        "komi": verdict.komi.to_string(),
        "handicap": verdict.handicap,
        "header": {
            "black": player(Colour::Black),
            "white": player(Colour::White),
            "event": header.event,
            "round": header.round,
            "date": header.date,
            "place": header.place,
            "rules": header.rules,
            "program": header.program,
            "comment": header.comment,
        },
        "encoding": encoding_said(verdict.encoding),
        "game": { "number": verdict.game.0, "of": verdict.game.1 },
        "setup": verdict.setup.iter().map(|(side, point)| {
            json!({ "side": side.as_str(), "point": point.to_record(), "name": point.name(size) })
        }).collect::<Vec<_>>(),
        "moves": (1_u32..).zip(&verdict.moves).map(|(number, judged)| json!({
            "number": number,
            "side": judged.side.as_str(),
            "point": judged.play.point().map(Point::to_record),
            "name": judged.play.point().map(|point| point.name(size)),
            "captured": letters(&judged.captured),
            "void": judged.void,
            "time_left_ms": judged.time_left,
            "place": place_json(judged.place),
            "comment": judged.comment,
        })).collect::<Vec<_>>(),
        "setup_midgame": verdict.setup_midgame.iter().map(|(before, side, point)| json!({
            "before_move": before,
            "side": side.map(Colour::as_str),
            "point": point.to_record(),
            "name": point.name(size),
        })).collect::<Vec<_>>(),
        "captures": sides(verdict.captures),
        "position": rows(size, &verdict.position, |stone| match stone {
            Some(Colour::Black) => 'B',
            Some(Colour::White) => 'W',
            None => '.',
        }),
        "findings": findings.iter().map(|finding| finding_json(finding, verdict, language)).collect::<Vec<_>>(),
        "findings_left_out": left_out,
        "end": end_json(verdict.end, language),
        "count": count_json(verdict, language),
        "recorded": verdict.recorded.as_ref().map(|recorded| recorded_json(recorded, language)),
        "agrees_with_count": agreement_word(verdict.agrees_with_count),
        "agrees_with_entered": agreement_word(verdict.agrees_with_entered),
        "agreement_texts": agreements,
        "contradicts": verdict.contradicts(),
    })
}

/// The most findings of one kind that the JSON lists.
const FINDINGS: usize = 100;

/// A refusal: `code`, `place`, `text`, and `games` and `of` where several are in the file.
pub fn refusal_json(refusal: &Refusal, language: Language) -> Value {
    let mut value = json!({
        "code": refusal.kind.code(),
        "place": refusal.place.map(place_json),
        "text": super::refusal(refusal, language),
    });
    if let RefusalKind::SeveralGames { games, of } = &refusal.kind {
        value["of"] = json!(of);
        value["games"] = (1_usize..)
            .zip(games)
            .map(|(number, game)| {
                json!({
                    "number": number,
                    "black": game.names.black,
                    "white": game.names.white,
                    "nodes": game.nodes,
                    "result": game.result,
                })
            })
            .collect();
    }
    value
}

fn place_json(place: Place) -> Value {
    json!({ "offset": place.offset, "line": place.line, "column": place.column })
}

fn size_json(size: Size) -> Value {
    json!({ "columns": size.columns(), "rows": size.rows() })
}

fn sides(sides: Sides<u32>) -> Value {
    json!({ "black": sides.black, "white": sides.white })
}

fn letters(points: &[Point]) -> Vec<String> {
    points.iter().map(|point| point.to_record()).collect()
}

/// A board as one text a row, from the top, a letter for each point.
fn rows<T>(size: Size, points: &[T], letter: impl Fn(&T) -> char) -> Vec<String> {
    points
        .chunks(usize::from(size.columns()))
        .map(|row| row.iter().map(&letter).collect())
        .collect()
}

fn finding_json(finding: &Finding, verdict: &Verdict, language: Language) -> Value {
    json!({
        "code": finding.kind.code(),
        "weight": weight_word(finding.weight()),
        "article": finding.kind.article(),
        "move": finding.move_number,
        "point": finding.point.map(Point::to_record),
        "name": finding.point.map(|point| point.name(verdict.size)),
        "place": finding.place.map(place_json),
        "details": details(&finding.kind, language),
        "text": sentence(finding, verdict, language),
    })
}

/// What a kind holds beside its code; an empty object when nothing.
fn details(kind: &FindingKind, language: Language) -> Value {
    match kind {
        FindingKind::TextBefore
        | FindingKind::TextAfter
        | FindingKind::TextBetween
        | FindingKind::SemicolonMissing
        | FindingKind::TreeClosedTwice
        | FindingKind::StrayBracket
        | FindingKind::ValueNotClosed
        | FindingKind::NodeAfterBranches
        | FindingKind::TextDamaged
        | FindingKind::InvisibleCharacters
        | FindingKind::GameNotNamed
        | FindingKind::GameDoubtful
        | FindingKind::SizeAssumed
        | FindingKind::SizeWrittenTwice
        | FindingKind::RulesAssumed
        | FindingKind::KomiMissing
        | FindingKind::HandicapOfOne
        | FindingKind::BlackFirstAfterHandicap
        | FindingKind::WhiteFirst
        | FindingKind::SetupAfterRoot
        | FindingKind::SetupTwice
        | FindingKind::SetupWithoutLiberty
        | FindingKind::MoveInRoot
        | FindingKind::NamesSwapped
        | FindingKind::Occupied
        | FindingKind::TwoSidesInNode
        | FindingKind::TwoMovesInNode
        | FindingKind::SetupMidgame
        | FindingKind::MoveAfterEnd
        | FindingKind::ResultMissing
        | FindingKind::ResultAgainstCount
        | FindingKind::CountAgainstBoard
        | FindingKind::MarksContradict
        | FindingKind::DeadPointEmpty
        | FindingKind::DeadDoubtful
        | FindingKind::DeadProposed
        | FindingKind::DeadNeeded => json!({}),
        FindingKind::TreeNotClosed { missing } => json!({ "count": missing }),
        FindingKind::MoreInText { count }
        | FindingKind::MoreOfAKind { count }
        | FindingKind::Variations { count } => json!({ "count": count }),
        FindingKind::LowerCaseName { name } | FindingKind::PropertyTwice { name } => {
            json!({ "property": name })
        }
        FindingKind::PointList { text }
        | FindingKind::RulesUnknown { text }
        | FindingKind::KomiUnreadable { text }
        | FindingKind::KomiDoubtful { text }
        | FindingKind::HandicapUnreadable { text }
        | FindingKind::PointUnreadable { text }
        | FindingKind::PointOffBoard { text }
        | FindingKind::ResultUnreadable { text } => json!({ "written": text }),
        FindingKind::EncodingNotAsDeclared { declared, used } => {
            json!({ "declared": declared, "used": encoding_said(used) })
        }
        FindingKind::EncodingGuessed { used } => json!({ "used": encoding_said(used) }),
        FindingKind::EncodingUnknown { declared } => json!({ "declared": declared }),
        FindingKind::RulesDiffer { record, event } => {
            json!({ "record": record.slug(), "event": event.slug() })
        }
        FindingKind::KomiConverted { text, komi, unit } => {
            json!({ "written": text, "komi": komi.to_string(), "unit": unit.as_str() })
        }
        FindingKind::KomiDiffers { record, event } => {
            json!({ "record": record.to_string(), "event": event.to_string() })
        }
        FindingKind::HandicapDiffers {
            declared,
            placed,
            expected,
        } => {
            json!({ "declared": declared, "placed": placed, "expected": expected })
        }
        FindingKind::NameMissing { side } => json!({ "side": side.as_str() }),
        FindingKind::NameDiffers { side, record, board } => {
            json!({ "side": side.as_str(), "record": record, "board": board })
        }
        FindingKind::Suicide { stones } => json!({ "stones": stones }),
        FindingKind::Repeated(Repeated {
            first,
            second,
            cycle,
            lost,
            same_to_move,
            kind,
            ruling,
        }) => json!({
            "first": first,
            "second": second,
            "cycle": cycle,
            "lost": sides(*lost),
            "same_to_move": same_to_move,
            "kind": repetition_kind_word(*kind),
            "ruling": ruling.map(rules::OnRepetition::as_str),
        }),
        FindingKind::SameSideTwice { side, reading } => json!({
            "side": side.as_str(),
            "reading": match reading {
                Twice::Handicap => "handicap",
                Twice::PassLeftOut => "pass_left_out",
                Twice::Unclear => "unclear",
            },
        }),
        FindingKind::SizesConflict { first, second } => json!({ "sizes": [first, second] }),
        FindingKind::ResultsConflict { first, second } => json!({ "results": [first, second] }),
        FindingKind::ResultAgainstBoard { record } => json!({ "recorded": recorded_json(record, language) }),
    }
}

fn end_json(how: End, language: Language) -> Value {
    let loser = match how {
        End::Resignation { loser } | End::Time { loser } => Some(loser.as_str()),
        End::Passes | End::Agreement | End::Decision | End::Unsaid | End::Unfinished => None,
    };
    json!({ "kind": end_word(how), "loser": loser, "text": end(how, language) })
}

fn margin_json(margin: Margin, unit: Unit, language: Language) -> Value {
    json!({
        "quarter_stones": margin.0,
        "winner": margin.winner().map(Colour::as_str),
        "text": margin.said(unit, language),
    })
}

fn count_json(verdict: &Verdict, language: Language) -> Value {
    // A proposal that leaves stones open has a margin, which would be wrong: only its stones are told.
    let (state, counted, proposed) = match &verdict.count {
        Count::Counted(counted) => ("counted", Some(counted), None),
        Count::NeedsDeadStones(proposal) => ("needs_dead_stones", None, proposal.as_ref()),
        Count::Nothing => ("nothing", None, None),
    };
    json!({
        "state": state,
        "text": count(verdict, language),
        "counted": counted.map(|counted| counted_json(counted, verdict, language)),
        "certainly_dead": proposed.map(|proposal| letters(&proposal.dead)).unwrap_or_default(),
    })
}

fn counted_json(counted: &Counted, verdict: &Verdict, language: Language) -> Value {
    json!({
        "dead": letters(&counted.dead),
        "dead_from": dead_from_word(counted.dead_from),
        "owners": rows(verdict.size, &counted.owners, |owner| match owner {
            Owner::Black => 'B',
            Owner::White => 'W',
            Owner::Shared => '=',
            Owner::Seki => 'S',
        }),
        "stones": sides(counted.stones),
        "points": sides(counted.points),
        "shared": counted.shared,
        "prisoners": sides(counted.prisoners),
        "quarter_stones": {
            "komi": counted.komi.0,
            "handicap": counted.handicap.0,
            "passed_first": counted.passed_first.0,
            "group_tax": counted.group_tax.0,
            "warnings": counted.warnings.0,
        },
        "margin": margin_json(counted.margin, verdict.rules.unit(), language),
        "sums": count_sums(counted, verdict, language),
    })
}

fn recorded_json(recorded: &Recorded, language: Language) -> Value {
    let unit = recorded.unit;
    json!({
        "written": recorded.text,
        "winner": recorded.winner.map(Colour::as_str),
        "kind": recorded_kind_word(recorded.kind),
        "margin": recorded.margin.map(|margin| margin_json(margin, unit.unwrap_or(Unit::Points), language)),
        "unit": unit.map(Unit::as_str),
        "text": recorded_said(recorded, language),
    })
}
