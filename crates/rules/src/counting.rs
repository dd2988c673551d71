//! Counting a final position (game rules specification, section 2).
//!
//! Works on plain rows of points and shares nothing with the board that replays games.

mod bits;
mod ground;
mod life;
mod marks;
mod proposal;
mod scene;

use crate::outcome::Margin;
use crate::point::{Colour, Point, Sides, Size};
use crate::rule_set::{Counting, HandicapReturn, RuleSet};
use crate::verdict::{Counted, DeadFrom, Owner};

pub use marks::{MarksFault, dead_from_marks};
pub use proposal::{Proposal, propose};

pub(crate) use scene::{Living, Scene};

use bits::Stones;

/// What living groups pay of what they surround.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tax {
    /// Nothing: the eyes of a group in seki count as well.
    None,
    /// Points in seki count for nobody.
    Seki,
    /// As [`Seki`](Self::Seki), and each other living group pays the two points of its eyes (还棋头).
    All,
}

/// What a shared point (单官) that nobody filled does to the groups beside it, when points in seki count for
/// nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unfilled {
    /// Nothing, when one of the sides has a group with two eyes there, which could have filled it. What is
    /// left are the seki that players know.
    Harmless,
    /// By the letter of the Japanese rules (1989, Art. 8), every group beside it is in seki.
    MakesSeki,
}

impl Tax {
    /// The tax of a rule set: points in seki where territory is counted, groups where the rules say so.
    #[must_use]
    pub fn of(rules: RuleSet) -> Self {
        let rules = rules.rules();
        match (rules.group_tax, rules.counting) {
            (true, _) => Self::All,
            (false, Counting::Territory) => Self::Seki,
            (false, Counting::Area) => Self::None,
        }
    }
}

/// What counting takes in beside the position and its dead stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What is counted.
    pub counting: Counting,
    /// Komi, as a margin for White: quarter stones or half points, which are the same number.
    pub komi: Margin,
    /// Stones that each side has captured during play. Only territory counting looks at them.
    pub prisoners: Sides<u32>,
    /// Handicap stones that were placed. Fewer than two are none.
    pub handicap: u32,
    /// What White gets back for them under area counting.
    pub handicap_return: HandicapReturn,
    /// Whether Black pays a point because White passed first.
    pub white_passed_first: bool,
    /// What living groups pay.
    pub group_tax: Tax,
    /// What a shared point that nobody filled does.
    pub unfilled: Unfilled,
    /// Warnings, each of which costs its side one stone.
    pub warnings: Sides<u32>,
}

impl Terms {
    /// The terms of a rule set for a game without prisoners, handicap and warnings. `komi` is a margin for
    /// White.
    #[must_use]
    pub fn of(rules: RuleSet, komi: Margin) -> Self {
        Self {
            counting: rules.counting(),
            komi,
            prisoners: Sides::default(),
            handicap: 0,
            handicap_return: rules.rules().handicap,
            white_passed_first: false,
            group_tax: Tax::of(rules),
            unfilled: Unfilled::Harmless,
            warnings: Sides::default(),
        }
    }
}

/// Counts a position.
///
/// `position` is row by row from the top left; what it lacks is empty. A dead point takes its whole chain
/// off the board and nothing else: another chain in the same enclosure is only dead when it is named too.
/// Dead points without a stone are passed over; [`doubts`] names them, and what else looks wrong.
///
/// An empty point belongs to the side whose living stones alone it can be reached from, and is shared
/// otherwise. Which groups are in seki is found out from the position: both sides of a shared point have a
/// group there without two eyes of its own, or whatever [`Unfilled`] says. Their points are
/// [`Owner::Seki`] where the tax asks for it.
#[must_use]
pub fn count(
    size: Size,
    position: &[Option<Colour>],
    dead: &[Point],
    dead_from: DeadFrom,
    terms: &Terms,
) -> Counted {
    let scene = Scene::new(size, position);
    scene.without_chains_at(dead).count(dead_from, terms)
}

impl Living<'_> {
    /// Counts, as [`count`] does.
    pub(crate) fn count(&self, dead_from: DeadFrom, terms: &Terms) -> Counted {
        // Without a tax nobody need know which groups live.
        let taxed = terms.group_tax != Tax::None;
        let groups = taxed.then(|| life::Groups::find(self, terms.unfilled));
        let owners = match &groups {
            Some(groups) => self.owners_but_in_seki(groups),
            None => self.owners(),
        };
        let (mut stones, mut points) = (Sides::<u32>::default(), Sides::<u32>::default());
        let mut shared = 0;
        for (stone, owner) in self.ground().points().iter().zip(&owners) {
            let of_side = if stone.is_some() { &mut stones } else { &mut points };
            match owner {
                Owner::Black => of_side.black += 1,
                Owner::White => of_side.white += 1,
                Owner::Shared => shared += 1,
                Owner::Seki => {}
            }
        }

        let mut prisoners = terms.prisoners;
        let dead: Vec<Point> = self.dead().collect();
        for point in &dead {
            let place = self.scene.ground.place(*point);
            if let Some(side) = place.and_then(|place| self.scene.ground.at(place)) {
                let taker = &mut prisoners[side.other()];
                *taker = taker.saturating_add(1);
            }
        }

        let side_total = |side: Colour| {
            let other = match terms.counting {
                Counting::Area => stones[side],
                Counting::Territory => prisoners[side],
            };
            i64::from(points[side]) + i64::from(other)
        };
        // A point is two half points, and a point of difference under area counting is two quarter stones:
        // margin = black − points/2 − komi, where black and white together have all points.
        let ahead = 2 * (side_total(Colour::Black) - side_total(Colour::White));

        let handicap = match (terms.counting, terms.handicap, terms.handicap_return) {
            (Counting::Territory, ..) | (_, 0 | 1, _) | (.., HandicapReturn::Nothing) => 0,
            (Counting::Area, stones, HandicapReturn::Whole) => 2 * i64::from(stones),
            (Counting::Area, stones, HandicapReturn::AllButOne) => 2 * (i64::from(stones) - 1),
        };
        let passed_first = if terms.white_passed_first { 2 } else { 0 };
        let group_tax = match terms.group_tax {
            Tax::All => {
                let alive = groups.map(|groups| groups.alive()).unwrap_or_default();
                4 * (i64::from(alive.black) - i64::from(alive.white))
            }
            Tax::None | Tax::Seki => 0,
        };
        let warnings = 4 * (i64::from(terms.warnings.black) - i64::from(terms.warnings.white));
        let margin = ahead - i64::from(terms.komi.0) - handicap - passed_first - group_tax - warnings;

        Counted {
            dead,
            dead_from,
            owners,
            stones,
            points,
            shared,
            prisoners,
            komi: terms.komi,
            handicap: margin_of(handicap),
            passed_first: margin_of(passed_first),
            group_tax: margin_of(group_tax),
            warnings: margin_of(warnings),
            margin: margin_of(margin),
        }
    }
}

impl Living<'_> {
    /// Who has each point: a stone's side, and of the empty points the side whose stones alone they can be
    /// reached from.
    fn owners(&self) -> Vec<Owner> {
        if usize::from(self.ground().size().rows()) <= bits::USUAL {
            owners_with::<{ bits::USUAL }>(self.ground())
        } else {
            owners_with::<{ bits::MOST }>(self.ground())
        }
    }

    /// The same where points in seki are nobody's.
    fn owners_but_in_seki(&self, groups: &life::Groups) -> Vec<Owner> {
        let parts = self.parts();
        let of_parts: Vec<Owner> = (0..parts.count())
            .map(|part| match self.surrounded_by(part) {
                Some(_) if groups.in_seki(part) => Owner::Seki,
                Some(side) => owner_of(side),
                None => self.side(part).map_or(Owner::Shared, owner_of),
            })
            .collect();
        let places = 0..self.ground().points().len();
        places.map(|place| of_parts[parts.of(place)]).collect()
    }
}

fn owners_with<const ROWS: usize>(ground: &ground::Ground) -> Vec<Owner> {
    let Stones { black, white, empty } = Stones::<ROWS>::of(ground);
    let [reached_by_black, reached_by_white] = [black, white].map(|stones| stones.beside().fill(&empty));
    let black = black | (reached_by_black - reached_by_white);
    let white = white | (reached_by_white - reached_by_black);
    let mut owners = Vec::with_capacity(ground.points().len());
    for (black, white) in (black.rows().iter().zip(white.rows())).take(usize::from(ground.size().rows())) {
        owners.extend((0..ground.size().columns()).map(|column| {
            match (black >> column & 1, white >> column & 1) {
                (1, _) => Owner::Black,
                (_, 1) => Owner::White,
                _ => Owner::Shared,
            }
        }));
    }
    owners
}

/// Why a count with these dead stones may not be what was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doubt {
    /// A dead point outside the board or without a stone.
    NoStone(Point),
    /// A dead chain, by its first point, that once off the board leaves ground on which living stones of
    /// its own side border: of several dead chains one was not named, or a border is open.
    BesideLiving(Point),
    /// Ground between living stones of both sides that is too wide for shared points, by a point of it that
    /// touches no stone: the game is not over there, or a dead stone in it was not named.
    Open(Point),
}

/// What speaks against counting with these dead stones; nothing when the count can be trusted as far as
/// can be seen without reading the game.
#[must_use]
pub fn doubts(size: Size, position: &[Option<Colour>], dead: &[Point]) -> Vec<Doubt> {
    let scene = Scene::new(size, position);
    scene.without_chains_at(dead).doubts(dead)
}

impl Living<'_> {
    /// What speaks against counting, as [`doubts`] says it.
    pub(crate) fn doubts(&self, dead: &[Point]) -> Vec<Doubt> {
        let (ground, chains, parts) = (&self.scene.ground, self.scene.chains(), self.parts());
        let no_stone = |point: &&Point| ground.place(**point).and_then(|place| ground.at(place)).is_none();
        let mut found: Vec<Doubt> = dead
            .iter()
            .filter(no_stone)
            .copied()
            .map(Doubt::NoStone)
            .collect();
        for first in (0..chains.count()).map(|chain| chains.first(chain)) {
            match ground.at(first) {
                Some(side) if self.is_gone(first) && self.borders(parts.of(first), side) => {
                    found.push(Doubt::BesideLiving(ground.point(first)));
                }
                _ => {}
            }
        }
        for part in (0..parts.count()).filter(|part| self.is_shared(*part)) {
            let free = parts.members(part).find(|place| self.touches_none(*place));
            found.extend(free.map(|place| Doubt::Open(ground.point(place))));
        }
        found
    }
}

fn owner_of(side: Colour) -> Owner {
    match side {
        Colour::Black => Owner::Black,
        Colour::White => Owner::White,
    }
}

/// Sums beyond the range of a margin need millions of warnings; they stop at its end.
fn margin_of(value: i64) -> Margin {
    Margin(i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX }))
}
