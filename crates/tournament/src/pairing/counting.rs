//! What no table can better, by counting alone: the parity at each border, the surplus of a colour
//! or a team in each group, the floats that somebody has to repeat.
//!
//! In a large field the bound is nearly always reached, and a table that reaches it needs no other
//! proof. The bound is taken over every choice of who floats, by what matters of them (owed colour,
//! earlier floats); P7 then names the players.

use std::collections::{BTreeMap, BTreeSet};

use super::cost::Reached;
use super::field::{Field, Group, Player};
use crate::settings::TeamAvoidance;

/// Who has the bye, who plays in which group, and what each group is to reach.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) bye: Option<usize>,
    /// For each group, its players in list order, floaters from above first.
    pub(super) lists: Vec<Vec<usize>>,
    pub(super) targets: Vec<Reached>,
}

impl Settled {
    pub(super) fn nobody(field: &Field) -> Self {
        let groups = field.groups.len();
        Self {
            bye: None,
            lists: vec![Vec::new(); groups],
            targets: vec![Reached::default(); groups],
        }
    }
}

/// What matters of a floater: the colour owed, whether by two games or more, whether the player has
/// floated down before, and the team, when it is a large one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    owed: i32,
    twice: bool,
    floated: bool,
    team: Option<usize>,
}

/// The teams that may be more than half of a group, for each group.
type Large = Vec<BTreeSet<usize>>;

fn large_teams(field: &Field) -> Large {
    let of_group = |span: &Group| {
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        if field.teams_apart {
            for team in field.players[span.start..span.end]
                .iter()
                .filter_map(|player| player.team)
            {
                *sizes.entry(team).or_default() += 1;
            }
        }
        // One may come from above, and one may float down or have the bye.
        let large = |(team, size): (usize, usize)| (2 * size + 3 > span.end - span.start).then_some(team);
        sizes.into_iter().filter_map(large).collect()
    };
    field.groups.iter().map(of_group).collect()
}

impl Kind {
    fn of(field: &Field, large: &Large, player: usize) -> Self {
        let Player {
            balance,
            floated_down,
            team,
            ..
        } = field.players[player];
        let group = field.group_of[player];
        let here_or_below = |team: &usize| large[group..].iter().take(2).any(|teams| teams.contains(team));
        Self {
            owed: balance.signum(),
            twice: balance.abs() >= 2,
            floated: floated_down && field.floats_counted,
            team: team.filter(here_or_below),
        }
    }
}

/// The least that some groups, from one of them down, can reach: P4, P5 by two games, P5 and P6,
/// each from the top. Compared criterion by criterion, as pairings are.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Least {
    teams: Vec<u32>,
    twice: Vec<u32>,
    same: Vec<u32>,
    floats: Vec<u32>,
}

impl Least {
    fn under(&self, top: Reached) -> Self {
        let join = |first: u32, rest: &[u32]| std::iter::once(first).chain(rest.iter().copied()).collect();
        Self {
            teams: join(top.teams, &self.teams),
            twice: join(top.twice, &self.twice),
            same: join(top.same, &self.same),
            floats: join(top.floats, &self.floats),
        }
    }
}

/// A group without the bye's player.
struct Members {
    group: usize,
    /// In list order.
    players: Vec<usize>,
    /// The kinds of players who may float down.
    kinds: Vec<Kind>,
    /// Players by the colour owed, and those of them owed it by one game only.
    owed: [u32; 3],
    once: [u32; 3],
    /// The members of large teams by the colour owed.
    teams: Vec<(usize, [u32; 3])>,
    /// Whether everybody has floated up before.
    all_floated_up: bool,
    /// Whether one of them has to float down.
    one_down: bool,
}

/// Where a colour owed stands in an array: White (多黑), even, Black (多白).
fn place(owed: i32) -> usize {
    usize::try_from(owed + 1).expect("a sign")
}

/// Settles who has the bye and who floats as P7 wants it, if every group can reach the bound.
/// Whether it can is seen when it is paired.
pub(super) fn settle(field: &Field) -> Option<Settled> {
    let mut best: Option<(Least, Bounds)> = None;
    let mut seen = Vec::new();
    let large = large_teams(field);
    // From the last in list order: of equal bounds, the first one found stays.
    for bye in byes(field).into_iter().rev() {
        let kind = bye.map(|player| (Kind::of(field, &large, player), field.players[player].floated_up));
        if seen.contains(&kind) {
            continue;
        }
        seen.push(kind);
        let bounds = Bounds::of(field, &large, bye);
        if let Some(least) = bounds.least()
            && best.as_ref().is_none_or(|(other, _)| least < other)
        {
            best = Some((least.clone(), bounds));
        }
    }
    let (least, bounds) = best?;
    // Where players float rather than meet team mates, another number of floats may be better.
    let floats_are_best = field.team_avoidance == TeamAvoidance::Soft || least.teams.iter().all(|n| *n == 0);
    floats_are_best.then(|| bounds.settle(field, &large)).flatten()
}

/// P2: the players with the fewest byes so far, in the lowest group that has one.
pub(super) fn byes(field: &Field) -> Vec<Option<usize>> {
    if field.players.len().is_multiple_of(2) {
        return vec![None];
    }
    let fewest = field.players.iter().map(|player| player.byes).min().unwrap_or(0);
    let fit = |player: &usize| field.players[*player].byes == fewest;
    let lowest = (0..field.players.len())
        .rev()
        .find(fit)
        .map_or(0, |player| field.group_of[player]);
    (field.groups[lowest].start..field.groups[lowest].end)
        .filter(fit)
        .map(Some)
        .collect()
}

/// The least from each group down, for every kind of floater that can come into it.
struct Bounds {
    bye: Option<usize>,
    groups: Vec<Members>,
    least: Vec<Vec<(Option<Kind>, Least)>>,
}

impl Bounds {
    fn of(field: &Field, large: &Large, bye: Option<usize>) -> Self {
        let mut groups: Vec<Members> = Vec::new();
        let mut odd = false;
        for (group, span) in field.groups.iter().enumerate() {
            let players: Vec<usize> = (span.start..span.end)
                .filter(|player| Some(*player) != bye)
                .collect();
            if !players.is_empty() {
                odd ^= players.len() % 2 == 1;
                groups.push(Members::of(field, large, group, players, odd));
            }
        }
        let mut least = vec![vec![(None, Least::default())]];
        for (at, members) in groups.iter().enumerate().rev() {
            let arriving = match at.checked_sub(1).map(|above| &groups[above]) {
                Some(above) if above.one_down => above.kinds.iter().copied().map(Some).collect(),
                _ => vec![None],
            };
            let below = least.last().expect("the end of the field");
            let here = arriving
                .into_iter()
                .filter_map(|kind| Some((kind, members.least(kind, below)?)))
                .collect();
            least.push(here);
        }
        least.reverse();
        Self { bye, groups, least }
    }

    /// The least of the whole field.
    fn least(&self) -> Option<&Least> {
        self.least[0].first().map(|(_, least)| least)
    }

    /// Names the floaters: of each group, the last in list order with whom the bound is possible.
    fn settle(&self, field: &Field, large: &Large) -> Option<Settled> {
        let mut settled = Settled {
            bye: self.bye,
            ..Settled::nobody(field)
        };
        let mut floater = None;
        for (at, members) in self.groups.iter().enumerate() {
            let arriving = floater.map(|player| Kind::of(field, large, player));
            let (_, least) = self.least[at].iter().find(|(kind, _)| *kind == arriving)?;
            let fits = |player: &usize| {
                let leaving = Some(Kind::of(field, large, *player));
                members
                    .with(arriving, leaving, &self.least[at + 1])
                    .is_some_and(|reached| reached == *least)
            };
            let leaving = if members.one_down {
                let may_leave = |player: &usize| !field.players[*player].stays && fits(player);
                Some(members.players.iter().copied().rev().find(may_leave)?)
            } else {
                None
            };
            settled.targets[members.group] =
                members.reached(arriving, leaving.map(|player| Kind::of(field, large, player)));
            let staying = members
                .players
                .iter()
                .copied()
                .filter(|player| Some(*player) != leaving);
            settled.lists[members.group] = floater.into_iter().chain(staying).collect();
            floater = leaving;
        }
        Some(settled)
    }
}

impl Members {
    fn of(field: &Field, large: &Large, group: usize, players: Vec<usize>, one_down: bool) -> Self {
        let (mut owed, mut once) = ([0; 3], [0; 3]);
        let mut teams: Vec<(usize, [u32; 3])> = large[group].iter().map(|team| (*team, [0; 3])).collect();
        let mut kinds: Vec<Kind> = players
            .iter()
            .map(|player| Kind::of(field, large, *player))
            .collect();
        for kind in &kinds {
            owed[place(kind.owed)] += 1;
            once[place(kind.owed)] += u32::from(!kind.twice);
            if let Some((_, counts)) = teams.iter_mut().find(|(team, _)| Some(*team) == kind.team) {
                counts[place(kind.owed)] += 1;
            }
        }
        let mut may_leave = players.iter().map(|player| !field.players[*player].stays);
        kinds.retain(|_| may_leave.next().unwrap_or(true));
        kinds.sort_unstable();
        kinds.dedup();
        let all_floated_up =
            field.floats_counted && players.iter().all(|player| field.players[*player].floated_up);
        Self {
            group,
            players,
            kinds,
            owed,
            once,
            teams,
            all_floated_up,
            one_down,
        }
    }

    /// The least from this group down, for a kind of floater from above.
    fn least(&self, arriving: Option<Kind>, below: &[(Option<Kind>, Least)]) -> Option<Least> {
        if self.one_down {
            self.kinds
                .iter()
                .filter_map(|leaving| self.with(arriving, Some(*leaving), below))
                .min()
        } else {
            self.with(arriving, None, below)
        }
    }

    fn with(
        &self,
        arriving: Option<Kind>,
        leaving: Option<Kind>,
        below: &[(Option<Kind>, Least)],
    ) -> Option<Least> {
        // Nobody can both meet the floater from above and float down.
        if self.players.len() < usize::from(arriving.is_some()) + usize::from(leaving.is_some()) {
            return None;
        }
        let (_, rest) = below.iter().find(|(kind, _)| *kind == leaving)?;
        Some(rest.under(self.reached(arriving, leaving)))
    }

    /// What this group reaches at least, when such players come and go.
    fn reached(&self, arriving: Option<Kind>, leaving: Option<Kind>) -> Reached {
        let (mut owed, mut once) = (self.owed, self.once);
        if let Some(kind) = arriving {
            owed[place(kind.owed)] += 1;
            once[place(kind.owed)] += u32::from(!kind.twice);
        }
        if let Some(kind) = leaving {
            owed[place(kind.owed)] -= 1;
            once[place(kind.owed)] -= u32::from(!kind.twice);
        }
        let all: u32 = owed.iter().sum();
        // A team that is more than half of the group: its members who cannot meet anybody of
        // another team, and those of one colour who cannot meet one of another team and colour.
        let (mut teams, mut more_same) = (0, 0);
        for (team, counts) in &self.teams {
            let mut counts = *counts;
            let of_team = |kind: &Kind| kind.team == Some(*team);
            if let Some(kind) = arriving.filter(of_team) {
                counts[place(kind.owed)] += 1;
            }
            if let Some(kind) = leaving.filter(of_team) {
                counts[place(kind.owed)] -= 1;
            }
            let size: u32 = counts.iter().sum();
            if 2 * size > all {
                teams = (2 * size - all) / 2;
                for colour in [0, 2] {
                    let others = (all - owed[colour]) - (size - counts[colour]);
                    more_same = counts[colour].saturating_sub(others + teams).max(more_same);
                }
            }
        }
        let surplus = if owed[0] > owed[2] { 0 } else { 2 };
        let same = owed[surplus].saturating_sub(owed[2 - surplus] + owed[1]) / 2;
        let floats = arriving.map_or(0, |kind| u32::from(kind.floated) + u32::from(self.all_floated_up));
        Reached {
            teams,
            same: same.max(more_same),
            twice: same.saturating_sub(once[surplus]),
            floats,
            ..Reached::default()
        }
    }
}
