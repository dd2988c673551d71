//! Verdicts and findings made by hand, for the tests of the words.

use rules::FindingKind::{self, *};
use rules::{
    Agreement, Colour, Count, Counted, DeadFrom, End, Finding, Header, JudgedMove, Komi, Margin, Move,
    OnRepetition, Owner, Place, Point, Recorded, RecordedKind, Refusal, RefusalKind, Repeated,
    RepetitionKind, RuleSet, Sides, Size, Standing, Twice, Unit, Verdict,
};

fn komi(quarters: i16) -> Komi {
    Komi::from_quarters(quarters).expect("a komi")
}

pub(super) fn cycle(kind: RepetitionKind, ruling: impl Into<Option<OnRepetition>>) -> Repeated {
    Repeated {
        first: 2,
        second: 8,
        cycle: 6,
        lost: Sides { black: 3, white: 3 },
        same_to_move: true,
        kind,
        ruling: ruling.into(),
    }
}

fn resigned() -> Recorded {
    Recorded {
        text: "W+R".to_owned(),
        winner: Some(Colour::White),
        kind: RecordedKind::Resign,
        margin: None,
        unit: None,
    }
}

/// The kind that follows in the list of all kinds; a new kind does not compile without its place here.
fn following(kind: &FindingKind) -> Option<FindingKind> {
    Some(match kind {
        TextBefore => TextAfter,
        TextAfter => TextBetween,
        TextBetween => SemicolonMissing,
        SemicolonMissing => TreeNotClosed { missing: 2 },
        TreeNotClosed { .. } => TreeClosedTwice,
        TreeClosedTwice => StrayBracket,
        StrayBracket => ValueNotClosed,
        ValueNotClosed => NodeAfterBranches,
        NodeAfterBranches => LowerCaseName {
            name: "Black".to_owned(),
        },
        LowerCaseName { .. } => PropertyTwice {
            name: "RE".to_owned(),
        },
        PropertyTwice { .. } => PointList {
            text: "pd,dp".to_owned(),
        },
        PointList { .. } => EncodingNotAsDeclared {
            declared: "UTF-8".to_owned(),
            used: "GB18030",
        },
        EncodingNotAsDeclared { .. } => EncodingGuessed { used: "GB18030" },
        EncodingGuessed { .. } => EncodingUnknown {
            declared: "latin-99".to_owned(),
        },
        EncodingUnknown { .. } => TextDamaged,
        TextDamaged => InvisibleCharacters,
        InvisibleCharacters => MoreInText { count: 3 },
        MoreInText { .. } => GameNotNamed,
        GameNotNamed => GameDoubtful,
        GameDoubtful => SizeAssumed,
        SizeAssumed => SizeWrittenTwice,
        SizeWrittenTwice => SizesConflict {
            first: "9".to_owned(),
            second: "19".to_owned(),
        },
        SizesConflict { .. } => RulesUnknown {
            text: "house".to_owned(),
        },
        RulesUnknown { .. } => RulesDiffer {
            record: RuleSet::Japanese,
            event: RuleSet::Chinese,
        },
        RulesDiffer { .. } => RulesAssumed,
        RulesAssumed => KomiMissing,
        KomiMissing => KomiUnreadable {
            text: "seven".to_owned(),
        },
        KomiUnreadable { .. } => KomiConverted {
            text: "375".to_owned(),
            komi: komi(15),
            unit: Unit::Stones,
        },
        KomiConverted { .. } => KomiDoubtful {
            text: "37.5".to_owned(),
        },
        KomiDoubtful { .. } => KomiDiffers {
            record: komi(13),
            event: komi(15),
        },
        KomiDiffers { .. } => HandicapUnreadable {
            text: "two".to_owned(),
        },
        HandicapUnreadable { .. } => HandicapDiffers {
            declared: Some(7),
            placed: 14,
            expected: Some(3),
        },
        HandicapDiffers { .. } => HandicapOfOne,
        HandicapOfOne => BlackFirstAfterHandicap,
        BlackFirstAfterHandicap => WhiteFirst,
        WhiteFirst => SetupAfterRoot,
        SetupAfterRoot => SetupTwice,
        SetupTwice => SetupWithoutLiberty,
        SetupWithoutLiberty => MoveInRoot,
        MoveInRoot => NameMissing { side: Colour::White },
        NameMissing { .. } => NamesSwapped,
        NamesSwapped => NameDiffers {
            side: Colour::Black,
            record: "甲".to_owned(),
            board: "Player One".to_owned(),
        },
        NameDiffers { .. } => Variations { count: 4 },
        Variations { .. } => PointUnreadable {
            text: "q16".to_owned(),
        },
        PointUnreadable { .. } => PointOffBoard {
            text: "zz".to_owned(),
        },
        PointOffBoard { .. } => Occupied,
        Occupied => Suicide { stones: 2 },
        Suicide { .. } => Repeated(cycle(RepetitionKind::TripleKo, OnRepetition::Illegal)),
        Repeated(_) => SameSideTwice {
            side: Colour::Black,
            reading: Twice::Unclear,
        },
        SameSideTwice { .. } => TwoSidesInNode,
        TwoSidesInNode => TwoMovesInNode,
        TwoMovesInNode => SetupMidgame,
        SetupMidgame => MoveAfterEnd,
        MoveAfterEnd => MoreOfAKind { count: 7 },
        MoreOfAKind { .. } => ResultMissing,
        ResultMissing => ResultUnreadable {
            text: "maybe".to_owned(),
        },
        ResultUnreadable { .. } => ResultsConflict {
            first: "B+R".to_owned(),
            second: "W+2.5".to_owned(),
        },
        ResultsConflict { .. } => ResultAgainstCount,
        ResultAgainstCount => ResultAgainstBoard { record: resigned() },
        ResultAgainstBoard { .. } => CountAgainstBoard,
        CountAgainstBoard => MarksContradict,
        MarksContradict => DeadPointEmpty,
        DeadPointEmpty => DeadDoubtful,
        DeadDoubtful => DeadProposed,
        DeadProposed => DeadNeeded,
        DeadNeeded => return None,
    })
}

/// One of every kind, and of those with several forms one of each.
pub(super) fn every_kind() -> Vec<FindingKind> {
    let mut kinds: Vec<FindingKind> = std::iter::successors(Some(TextBefore), following).collect();
    let rulings = OnRepetition::ALL.into_iter().cycle();
    let repetitions = [
        RepetitionKind::BasicKo,
        RepetitionKind::SendingTwoReturningOne,
        RepetitionKind::DoubleKo,
        RepetitionKind::QuadrupleKo,
        RepetitionKind::EternalLife,
        RepetitionKind::FalseLife,
        RepetitionKind::RoundRobinKo,
        RepetitionKind::Suicide,
        RepetitionKind::Other,
    ];
    kinds.extend(
        rulings
            .zip(repetitions)
            .map(|(ruling, kind)| Repeated(cycle(kind, ruling))),
    );
    kinds.extend(
        [Twice::Handicap, Twice::PassLeftOut].map(|reading| SameSideTwice {
            side: Colour::White,
            reading,
        }),
    );
    kinds.push(Repeated(cycle(RepetitionKind::Other, None)));
    kinds.push(HandicapDiffers {
        declared: None,
        placed: 2,
        expected: None,
    });
    kinds
}

/// Every refusal.
pub(super) fn every_refusal() -> Vec<RefusalKind> {
    let game = |black: &str, result: &str| rules::GameName {
        names: Sides {
            black: black.to_owned(),
            white: String::new(),
        },
        nodes: 120,
        result: result.to_owned(),
    };
    let first = RefusalKind::Empty;
    let following = |kind: &RefusalKind| {
        Some(match kind {
            RefusalKind::Empty => RefusalKind::TooLarge { limit: 1_048_576 },
            RefusalKind::TooLarge { .. } => RefusalKind::TooManyNodes { limit: 100_000 },
            RefusalKind::TooManyNodes { .. } => RefusalKind::TooManySetups { limit: 100_000 },
            RefusalKind::TooManySetups { .. } => RefusalKind::NoTree,
            RefusalKind::NoTree => RefusalKind::NoSuchEncoding {
                name: "latin-99".to_owned(),
            },
            RefusalKind::NoSuchEncoding { .. } => RefusalKind::NotGo { text: "2".to_owned() },
            RefusalKind::NotGo { .. } => RefusalKind::BadSize {
                text: "53".to_owned(),
            },
            RefusalKind::BadSize { .. } => RefusalKind::SizeNotPlayed {
                record: Size::square(13).expect("a size"),
                event: Some(Size::NINETEEN),
            },
            RefusalKind::SizeNotPlayed { event: Some(_), .. } => RefusalKind::SizeNotPlayed {
                record: Size::new(13, 9).expect("a size"),
                event: None,
            },
            RefusalKind::SizeNotPlayed { .. } => RefusalKind::SetupOffBoard {
                text: "zz".to_owned(),
            },
            RefusalKind::SetupOffBoard { .. } => RefusalKind::NoMoveOnBoard {
                text: "ss".to_owned(),
                size: Size::square(9).expect("a size"),
            },
            RefusalKind::NoMoveOnBoard { .. } => RefusalKind::SeveralGames {
                games: vec![game("甲", "B+R"), game("", "")],
                of: 2,
            },
            RefusalKind::SeveralGames { .. } => RefusalKind::NoSuchGame { asked: 3, games: 2 },
            RefusalKind::NoSuchGame { .. } => RefusalKind::DeadOffBoard {
                point: point("zz"),
                size: Size::NINETEEN,
            },
            RefusalKind::DeadOffBoard { .. } => return None,
        })
    };
    std::iter::successors(Some(first), following).collect()
}

pub(super) fn place(offset: usize) -> Place {
    Place {
        offset,
        line: 3,
        column: 12,
    }
}

pub(super) fn refused(kind: RefusalKind) -> Refusal {
    Refusal {
        kind,
        place: Some(place(40)),
    }
}

fn point(letters: &str) -> Point {
    Point::from_record(letters).expect("a point")
}

/// A finding about the fourth move of the [`game`].
pub(super) fn found(kind: FindingKind) -> Finding {
    Finding {
        kind,
        place: Some(place(90)),
        move_number: Some(4),
        point: Some(point("bc")),
    }
}

fn owner(letter: char) -> Owner {
    match letter {
        'B' => Owner::Black,
        'W' => Owner::White,
        _ => Owner::Shared,
    }
}

/// A small game on 3×3, black stones on the left and in the middle, White on the right.
pub(super) fn game() -> Verdict {
    let size = Size::square(3).expect("a size");
    let moves = [
        (Colour::Black, "ba", ""),
        (Colour::White, "ca", ""),
        (Colour::Black, "bb", "a move\u{1b}[31m"),
        (Colour::White, "bc", ""),
        (Colour::Black, "ac", "bc"),
        (Colour::White, "cb", ""),
        (Colour::Black, "", ""),
        (Colour::White, "", ""),
    ];
    let moves = moves
        .into_iter()
        .enumerate()
        .map(|(index, (side, letters, rest))| JudgedMove {
            side,
            play: Point::from_record(letters).map_or(Move::Pass, Move::Stone),
            captured: if rest == "bc" {
                vec![point(rest)]
            } else {
                Vec::new()
            },
            void: false,
            time_left: (index == 2).then_some(61_500),
            place: place(60 + index * 6),
            comment: if index == 2 {
                rest.to_owned()
            } else {
                String::new()
            },
        });
    let (black, white) = (Some(Colour::Black), Some(Colour::White));
    Verdict {
        standing: Standing::Legal,
        rules: RuleSet::Chinese,
        size,
        komi: komi(15),
        handicap: 0,
        header: Header {
            names: Sides {
                black: "甲".to_owned(),
                white: "Player\u{1b}[31m Two\u{202e}".to_owned(),
            },
            grades: Sides {
                black: "3d".to_owned(),
                white: String::new(),
            },
            teams: Sides {
                black: "North".to_owned(),
                white: String::new(),
            },
            event: "Spring\nOpen".to_owned(),
            round: "4".to_owned(),
            date: "2026-05-01".to_owned(),
            rules: "Chinese".to_owned(),
            program: "Recorder:1".to_owned(),
            ..Header::default()
        },
        encoding: "UTF-8",
        game: (1, 2),
        setup: vec![(Colour::White, point("cc"))],
        moves: moves.collect(),
        setup_midgame: vec![(7, None, point("cc")), (7, Some(Colour::White), point("cc"))],
        captures: Sides { black: 1, white: 0 },
        position: vec![None, black, white, None, black, white, black, None, white],
        findings: vec![
            Finding {
                kind: RulesAssumed,
                place: None,
                move_number: None,
                point: None,
            },
            found(Repeated(cycle(RepetitionKind::TripleKo, OnRepetition::Referee))),
        ],
        end: End::Passes,
        count: Count::Counted(Counted {
            dead: Vec::new(),
            dead_from: DeadFrom::Given,
            owners: "BBWBBWB=W".chars().map(owner).collect(),
            stones: Sides { black: 3, white: 3 },
            points: Sides { black: 2, white: 0 },
            shared: 1,
            prisoners: Sides { black: 1, white: 0 },
            komi: Margin(15),
            handicap: Margin(0),
            passed_first: Margin(0),
            group_tax: Margin(0),
            warnings: Margin(-4),
            margin: Margin(-7),
        }),
        recorded: Some(Recorded {
            text: "W+1.75".to_owned(),
            winner: Some(Colour::White),
            kind: RecordedKind::Score,
            margin: Some(Margin(-7)),
            unit: Some(Unit::Stones),
        }),
        agrees_with_count: Agreement::Yes,
        agrees_with_entered: Agreement::No,
    }
}
