//! Criteria that look inside a tie: who met whom, and who of them won.

use std::collections::{BTreeMap, HashSet};

use super::opponents::tells;
use super::value::Value;
use crate::settings::Unplayed;
use crate::stage::Stage;
use crate::tally::{EntryTally, Index, Kind, Played};

/// Direct encounter (直胜) inside one group of tied entries; the values go into `values`.
///
/// It applies when all tied entries have met each other, two of them or more; each one's value is
/// the score made against the others of the group. Two tied players who have met are simply placed
/// as their game went. This is never a comparison in pairs: three who have beaten each other in a
/// circle have the same value and go on, still tied, to the next criterion, and so does a group
/// in which any two have not met, even where others in it have.
///
/// When the values split the group, each part that is still tied is looked at again as a group of
/// its own, and the value of that second look follows the first one in the list.
///
/// Two have met when a board between them has a result. A forfeit counts unless the event counts
/// forfeits otherwise ([`Unplayed::Virtual`], [`Unplayed::Nothing`]) or lets such pairs meet again.
/// A meeting in carried rounds cannot be judged, since its result is not known: a group with such
/// a pair is left tied.
pub(super) fn direct_encounter(
    stage: &Stage,
    books: &[EntryTally],
    index: &Index,
    group: &[usize],
    values: &mut [Value],
) {
    let Some(scores) = scores_inside(stage, books, index, group) else {
        return;
    };
    let mut parts: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (&member, score) in group.iter().zip(scores) {
        match &mut values[member] {
            Value::List(list) => list.push(score),
            value => *value = Value::List(vec![score]),
        }
        parts.entry(score).or_default().push(member);
    }
    if parts.len() > 1 {
        for part in parts.values().filter(|part| part.len() > 1) {
            direct_encounter(stage, books, index, part, values);
        }
    }
}

/// Whether a board is an encounter of the two.
pub(super) fn meets(stage: &Stage, game: &Played) -> bool {
    tells(game, stage.ranking.unplayed) && (game.kind == Kind::Game || !stage.pairing.forfeits_may_meet_again)
}

/// What each of a group scored against the others of it; nothing unless all have met.
pub(super) fn scores_inside(
    stage: &Stage,
    books: &[EntryTally],
    index: &Index,
    group: &[usize],
) -> Option<Vec<i64>> {
    let games = books[*group.first()?].games.len();
    // Nobody meets more opponents than there were rounds: this keeps large ties cheap.
    if group.len() > games + 1 {
        return None;
    }
    let met_before = |member: usize, other: usize| {
        let carried = stage.entries[member].carried.as_ref();
        carried.is_some_and(|carried| carried.met.contains(&books[other].number))
    };
    group
        .iter()
        .map(|&member| {
            let mut met = HashSet::new();
            let mut score = 0;
            for game in &books[member].games {
                let opponent = game.opponent.and_then(|number| index.get(number));
                let Some(other) = opponent.filter(|other| group.contains(other)) else {
                    continue;
                };
                if meets(stage, game) {
                    met.insert(other);
                    score += i64::from(game.points.0);
                }
            }
            let all = met.len() + 1 == group.len();
            let known = !group.iter().any(|&other| met_before(member, other));
            (all && known).then_some(score)
        })
        .collect()
}

/// The best opponents beaten (所胜最优对手): the places, in the table so far, of the opponents an
/// entry has beaten, the best one first.
///
/// "The table so far" is the table that the criteria before this one make, shared places
/// included; it is not looked at again when this criterion has split a tie. Wins by forfeit
/// count only where the event counts forfeits with the opponent who was paired; byes never do.
/// An opponent beaten twice stands twice. Wins in carried rounds are not known and do not count.
pub(super) fn best_beaten(
    books: &[EntryTally],
    index: &Index,
    unplayed: Unplayed,
    places: &[u32],
) -> Vec<Value> {
    books
        .iter()
        .map(|book| {
            let mut beaten: Vec<u32> = book
                .games
                .iter()
                .filter(|game| game.won() && tells(game, unplayed))
                .filter_map(|game| Some(places[index.get(game.opponent?)?]))
                .collect();
            beaten.sort_unstable();
            Value::Places(beaten)
        })
        .collect()
}
