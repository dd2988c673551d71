//! The replay against a plain one that shares no code with it: lists of stones, liberties looked for at each
//! move, every position kept whole. Random games on boards of every size, with passes, void moves, several
//! moves of a side in a row and stones set up in between.

use proptest::prelude::*;
use rules::{
    Board, Colour, Forbidden, Move, OnRepetition, Point, Problem, Repetition, RepetitionKind, Replay,
    RuleSet, Rules, Sides, Size, Suicide,
};

type Stones = Vec<Option<Colour>>;

/// One thing that happens.
#[derive(Clone, Copy, Debug)]
enum Act {
    Play(Colour, Move),
    SetUp(Point, Option<Colour>),
}

/// A position that stood, and when.
struct Stood {
    stones: Stones,
    number: u32,
    to_move: Colour,
    passes: u32,
    lost: Sides<u32>,
    /// How many times stones were set up before.
    set_up: u32,
    /// Stones that the move took from the other side.
    taken: Option<usize>,
}

struct Plain {
    size: Size,
    rules: Rules,
    stones: Stones,
    stood: Vec<Stood>,
    unsettled: bool,
    set_up: u32,
    number: u32,
    passes: u32,
    lost: Sides<u32>,
}

/// What a move did: the stones taken, whether they were its own, and what was wrong.
#[derive(Debug, PartialEq)]
struct Did {
    captured: Vec<Point>,
    own: bool,
    void: Option<Forbidden>,
    again: Option<Again>,
}

/// A position that came again.
#[derive(Debug, PartialEq)]
struct Again {
    first: u32,
    second: u32,
    lost: Sides<u32>,
    same_to_move: bool,
    basic: bool,
    ruling: Option<OnRepetition>,
}

impl Plain {
    fn new(size: Size, rules: Rules) -> Self {
        Self {
            size,
            rules,
            stones: vec![None; usize::from(size.points())],
            stood: Vec::new(),
            unsettled: true,
            set_up: 0,
            number: 0,
            passes: 0,
            lost: Sides::default(),
        }
    }

    fn at(&self, point: Point) -> usize {
        usize::from(point.row) * usize::from(self.size.columns()) + usize::from(point.column)
    }

    /// The chain on a point in the order of the board, and its liberties.
    fn chain(&self, point: Point) -> (Vec<Point>, u32) {
        let colour = self.stones[self.at(point)];
        let (mut chain, mut liberties) = (vec![point], Vec::new());
        let mut looked = 0;
        while looked < chain.len() {
            for near in chain[looked].neighbours(self.size).collect::<Vec<_>>() {
                let stone = self.stones[self.at(near)];
                if stone.is_none() && !liberties.contains(&near) {
                    liberties.push(near);
                } else if stone == colour && !chain.contains(&near) {
                    chain.push(near);
                }
            }
            looked += 1;
        }
        chain.sort_by_key(|point| (point.row, point.column));
        (chain, u32::try_from(liberties.len()).expect("few"))
    }

    fn take(&mut self, chain: &[Point]) {
        for point in chain {
            let at = self.at(*point);
            self.stones[at] = None;
        }
    }

    fn set_up(&mut self, point: Point, stone: Option<Colour>) {
        if self.size.holds(point) && self.stones[self.at(point)] != stone {
            let at = self.at(point);
            self.stones[at] = stone;
            self.unsettled = true;
        }
    }

    fn remember(&mut self, to_move: Colour, taken: Option<usize>) {
        self.stood.push(Stood {
            stones: self.stones.clone(),
            number: self.number,
            to_move,
            passes: self.passes,
            lost: self.lost,
            set_up: self.set_up,
            taken,
        });
    }

    fn play(&mut self, side: Colour, play: Move) -> Did {
        if std::mem::take(&mut self.unsettled) {
            self.set_up += 1;
            self.remember(side, None);
        }
        self.number += 1;
        let stone = play.point().map(|point| self.stone(side, point));
        let Some(Ok((captured, own))) = stone else {
            self.passes += 1;
            self.remember(side.other(), None);
            return Did {
                captured: Vec::new(),
                own: false,
                void: stone.and_then(Result::err),
                again: None,
            };
        };
        let loser = if own { side } else { side.other() };
        self.lost[loser] += u32::try_from(captured.len()).expect("few");
        self.remember(side.other(), (!own).then_some(captured.len()));
        Did {
            captured,
            own,
            void: None,
            again: self.again(),
        }
    }

    fn stone(&mut self, side: Colour, point: Point) -> Result<(Vec<Point>, bool), Forbidden> {
        if !self.size.holds(point) {
            return Err(Forbidden::OffBoard);
        }
        let at = self.at(point);
        if self.stones[at].is_some() {
            return Err(Forbidden::Occupied);
        }
        self.stones[at] = Some(side);
        let mut captured = Vec::new();
        for near in point.neighbours(self.size).collect::<Vec<_>>() {
            if self.stones[self.at(near)] == Some(side.other()) {
                let (chain, liberties) = self.chain(near);
                if liberties == 0 {
                    self.take(&chain);
                    captured.extend(chain);
                }
            }
        }
        captured.sort_by_key(|point| (point.row, point.column));
        let (chain, liberties) = self.chain(point);
        if liberties > 0 {
            return Ok((captured, false));
        }
        if self.rules.suicide == Suicide::Allowed || self.rules.suicide == Suicide::Several && chain.len() > 1
        {
            self.take(&chain);
            return Ok((chain, true));
        }
        self.stones[at] = None;
        Err(Forbidden::Suicide {
            stones: u32::try_from(chain.len()).expect("few"),
        })
    }

    fn again(&self) -> Option<Again> {
        let (now, before) = self.stood.split_last()?;
        let equal = || before.iter().filter(|one| one.stones == now.stones);
        let first = equal().next()?;
        let same = equal().find(|one| match self.rules.repetition {
            Repetition::SimpleKo => one.to_move == now.to_move && one.passes == now.passes,
            Repetition::Positional => true,
            Repetition::Situational => one.to_move == now.to_move,
            Repetition::PositionalWithStonesOut => one.passes == now.passes,
        });
        // A ko: one stone taken, and one taken back.
        let basic = match before {
            [.., back, last] => {
                back.stones == now.stones
                    && back.set_up == now.set_up
                    && (last.taken, now.taken) == (Some(1), Some(1))
                    && now.lost.black == back.lost.black + 1
                    && now.lost.white == back.lost.white + 1
            }
            _ => false,
        };
        let first = if basic {
            &before[before.len() - 2]
        } else {
            same.unwrap_or(first)
        };
        let setting = if first.set_up < now.set_up {
            OnRepetition::Referee
        } else {
            self.rules.on_repetition
        };
        Some(Again {
            first: first.number,
            second: now.number,
            lost: Sides {
                black: now.lost.black - first.lost.black,
                white: now.lost.white - first.lost.white,
            },
            same_to_move: first.to_move == now.to_move,
            basic,
            ruling: if basic {
                Some(OnRepetition::Illegal)
            } else {
                same.map(|_| setting)
            },
        })
    }
}

/// What the replay says of a move, in the plain one's words.
fn did(replay: &mut Replay, side: Colour, play: Move) -> Did {
    let played = replay.play(side, play);
    let (void, again) = match played.problem {
        None => (None, None),
        Some(Problem::Void(forbidden)) => (Some(forbidden), None),
        Some(Problem::Repeated(repeated)) => {
            assert_eq!(repeated.cycle, repeated.second - repeated.first);
            let again = Again {
                first: repeated.first,
                second: repeated.second,
                lost: repeated.lost,
                same_to_move: repeated.same_to_move,
                basic: repeated.kind == RepetitionKind::BasicKo,
                ruling: repeated.ruling,
            };
            (None, Some(again))
        }
    };
    Did {
        captured: played.captured.to_vec(),
        own: played.own,
        void,
        again,
    }
}

/// A size, the rules, and what happens: mostly alternate stones in a corner so small that they meet.
fn games() -> impl Strategy<Value = (Size, Rules, Vec<Act>)> {
    let size = prop_oneof![4 => (2..=5u8, 2..=5u8), 1 => (2..=52u8, 2..=52u8), 1 => Just((52, 52))]
        .prop_map(|(columns, rows)| Size::new(columns, rows).expect("a size"));
    let repetition = prop_oneof![
        Just(Repetition::SimpleKo),
        Just(Repetition::Positional),
        Just(Repetition::Situational),
        Just(Repetition::PositionalWithStonesOut),
    ];
    let suicide = prop_oneof![
        Just(Suicide::Forbidden),
        Just(Suicide::Several),
        Just(Suicide::Allowed)
    ];
    let side = prop_oneof![Just(Colour::Black), Just(Colour::White)];
    let lots = prop::collection::vec((0..200u8, 0..=255u8, 0..=255u8, side), 1..250);
    (size, repetition, suicide, 2..=5u8, any::<bool>(), lots).prop_map(
        |(size, repetition, suicide, window, far, lots)| {
            let rules = Rules {
                repetition,
                suicide,
                on_repetition: OnRepetition::NoResult,
                ..*RuleSet::Chinese.rules()
            };
            let within = |lot: u8, lines: u8| {
                let place = lot % window.min(lines);
                if far { lines - 1 - place } else { place }
            };
            let mut next = Colour::Black;
            let acts = lots.into_iter().map(|(what, column, row, side)| {
                let point = Point {
                    column: within(column, size.columns()),
                    row: within(row, size.rows()),
                };
                let play = match what {
                    0..2 => return Act::SetUp(point, Some(side)),
                    2..4 => return Act::SetUp(point, None),
                    4..8 => Move::Pass,
                    8 => Move::Stone(Point { column, row }),
                    _ => Move::Stone(point),
                };
                let side = if what == 9 { side } else { next };
                next = side.other();
                Act::Play(side, play)
            });
            (size, rules, acts.collect())
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_replay_says_what_a_plain_one_says((size, rules, acts) in games()) {
        let mut plain = Plain::new(size, rules);
        let mut replay = Replay::new(size, &rules, None);
        for act in acts {
            match act {
                Act::SetUp(point, stone) => {
                    plain.set_up(point, stone);
                    replay.set_up(point, stone);
                }
                Act::Play(side, play) => {
                    let expected = plain.play(side, play);
                    prop_assert_eq!(did(&mut replay, side, play), expected, "move {}", plain.number);
                }
            }
            prop_assert_eq!(replay.board().position(), &plain.stones[..]);
        }
        for point in size.all() {
            let stone = plain.stones[plain.at(point)];
            prop_assert_eq!(replay.board().at(point), stone);
            let (chain, liberties) = match stone {
                Some(_) if point.column < 8 && point.row < 8 => plain.chain(point),
                Some(_) => continue,
                None => (Vec::new(), 0),
            };
            prop_assert_eq!(replay.board().chain(point).collect::<Vec<_>>(), chain);
            prop_assert_eq!(replay.board().liberties(point), liberties);
        }
    }
}

#[test]
fn a_move_that_cannot_be_played_leaves_the_board_as_it_was() {
    let size = Size::square(3).expect("a size");
    let mut board = Board::new(size);
    let at = |column, row| Point { column, row };
    for point in [at(1, 0), at(0, 1), at(1, 1)] {
        board.place(point, Some(Colour::White));
    }
    let before = board.position();
    for (point, forbidden) in [
        (at(0, 0), Forbidden::Suicide { stones: 1 }),
        (at(1, 1), Forbidden::Occupied),
        (at(3, 0), Forbidden::OffBoard),
        (at(255, 255), Forbidden::OffBoard),
    ] {
        let played = board.play(Colour::Black, point, Suicide::Several);
        assert_eq!(played, Err(forbidden));
        assert_eq!(board.position(), before);
    }
    assert_eq!(
        board.play(Colour::Black, at(0, 0), Suicide::Allowed),
        Ok(&[at(0, 0)][..])
    );
}

#[test]
fn stones_set_up_without_liberties_stay_until_a_move_takes_their_last_one() {
    let size = Size::square(4).expect("a size");
    let mut board = Board::new(size);
    let at = |column, row| Point { column, row };
    for (point, stone) in [
        (at(0, 0), Colour::Black),
        (at(1, 0), Colour::White),
        (at(0, 1), Colour::White),
    ] {
        board.place(point, Some(stone));
    }
    assert_eq!(board.liberties(at(0, 0)), 0);
    assert_eq!(
        board.play(Colour::White, at(3, 3), Suicide::Forbidden),
        Ok(&[][..])
    );
    assert_eq!(board.at(at(0, 0)), Some(Colour::Black));
    // The white stone goes and gives it a liberty; when White takes that, the black chain is captured.
    for (side, point, taken) in [
        (Colour::Black, at(2, 0), vec![]),
        (Colour::Black, at(1, 1), vec![at(1, 0)]),
        (Colour::White, at(1, 0), vec![at(0, 0)]),
    ] {
        let captured = board.play(side, point, Suicide::Forbidden).map(<[Point]>::to_vec);
        assert_eq!(captured, Ok(taken));
    }
}
