//! What the judge makes of a record: header, handicap, moves, end, count and agreement.

use rules::{
    Agreement, Asked, Colour, Count, DeadFrom, End, Entered, FindingKind, Margin, Move, OnRepetition, Point,
    RecordedKind, RefusalKind, RuleSet, Sides, Size, Standing, Twice, Unit, Verdict, judge,
};

fn read(record: &str, asked: &Asked) -> Verdict {
    judge(record.as_bytes(), asked).unwrap_or_else(|refusal| panic!("{record}: {refusal:?}"))
}

fn plain(record: &str) -> Verdict {
    read(record, &Asked::default())
}

fn refused(record: &str, asked: &Asked) -> RefusalKind {
    judge(record.as_bytes(), asked).expect_err(record).kind
}

fn under(rules: RuleSet) -> Asked {
    Asked {
        rules: Some(rules),
        ..Asked::default()
    }
}

/// The codes of what was found, without what is said of every short record.
fn codes(verdict: &Verdict) -> Vec<&'static str> {
    let usual = ["rules-assumed", "komi-missing", "name-missing", "result-missing"];
    let codes = verdict.findings.iter().map(|finding| finding.kind.code());
    codes.filter(|code| !usual.contains(code)).collect()
}

fn played(verdict: &Verdict) -> String {
    let words = verdict.moves.iter().map(|judged| {
        let side = if judged.side == Colour::Black { "B" } else { "W" };
        let void = if judged.void { "!" } else { "" };
        let point = judged.play.point().map_or_else(String::new, Point::to_record);
        format!("{side}{point}{void}")
    });
    words.collect::<Vec<_>>().join(" ")
}

fn names(black: &[&str], white: &[&str]) -> Sides<Vec<String>> {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Sides {
        black: list(black),
        white: list(white),
    }
}

/// Black won the board by resignation.
fn black_by_resignation() -> Asked {
    Asked {
        names: Some(names(&["甲一", "Jia Yi"], &["李测试", "Li Ceshi"])),
        entered: Some(Entered {
            winner: Some(Colour::Black),
            both_lost: false,
            kind: Some(RecordedKind::Resign),
            margin: None,
        }),
        rules: Some(RuleSet::Chinese),
        komi: "3.75".parse().ok(),
        size: Some(Size::NINETEEN),
        ..Asked::default()
    }
}

#[test]
fn a_record_that_contradicts_the_board_is_flagged_and_changes_nothing() {
    let asked = black_by_resignation();
    for (record, agrees, contradicts, expected) in [
        (
            "(;GM[1]SZ[19]KM[7.5]PB[甲一]PW[李测试]RE[B+R];B[pd];W[dp])",
            Agreement::Yes,
            false,
            vec![],
        ),
        // Colours and result are two things.
        (
            "(;GM[1]SZ[19]KM[7.5]PB[李测试]PW[甲一]RE[W+R];B[pd];W[dp])",
            Agreement::No,
            true,
            vec!["names-swapped", "result-against-board"],
        ),
        (
            "(;GM[1]SZ[19]KM[7.5]RE[W+R];B[pd];W[dp])",
            Agreement::No,
            true,
            vec!["result-against-board"],
        ),
        // Another script is the same person for those who were told so, and no error for others.
        (
            "(;GM[1]SZ[19]KM[7.5]PB[yi, JIA]PW[Li Ceshi]RE[B+R];B[pd];W[dp])",
            Agreement::Yes,
            false,
            vec![],
        ),
        (
            "(;GM[1]SZ[19]KM[7.5]PB[甲一]PW[リ・テスト]RE[B+R];B[pd];W[dp])",
            Agreement::Yes,
            false,
            vec!["name-differs"],
        ),
        (
            "(;GM[1]SZ[19]KM[7.5]PB[甲一]PW[李测试]RE[B+T];B[pd];W[dp])",
            Agreement::No,
            true,
            vec!["result-against-board"],
        ),
        (
            "(;GM[1]SZ[19]KM[7.5]PB[甲一]PW[李测试]RE[B+];B[pd];W[dp])",
            Agreement::Yes,
            false,
            vec![],
        ),
        (
            "(;GM[1]SZ[19]KM[7.5]PB[甲一]PW[李测试];B[pd];W[dp])",
            Agreement::Unknown,
            false,
            vec![],
        ),
    ] {
        let verdict = read(record, &asked);
        assert_eq!(codes(&verdict), expected, "{record}");
        assert_eq!(verdict.agrees_with_entered, agrees, "{record}");
        assert_eq!(verdict.contradicts(), contradicts, "{record}");
        assert_eq!(verdict.standing, Standing::Legal);
    }
}

#[test]
fn komi_is_read_as_servers_write_it_or_told_to_be_unknown() {
    let event = Asked {
        rules: Some(RuleSet::Chinese),
        komi: "3.75".parse().ok(),
        ..Asked::default()
    };
    for (written, quarters, expected) in [
        ("KM[375]", 15, vec!["komi-converted"]),
        ("KM[7.5]", 15, vec![]),
        ("KM[6,5]", 15, vec!["komi-differs"]),
        ("KM[]", 15, vec!["komi-missing"]),
        ("", 15, vec!["komi-missing"]),
        ("KM[seven]", 15, vec!["komi-unreadable"]),
        ("KM[-5.5]", 15, vec!["komi-differs"]),
        ("KM[0]", 15, vec!["komi-differs"]),
    ] {
        let record = format!("(;GM[1]SZ[9]PB[甲]PW[乙]RE[B+R]{written};B[ee])");
        let verdict = read(&record, &event);
        assert_eq!(verdict.komi.quarters(), quarters, "{written}");
        let codes: Vec<_> = verdict
            .findings
            .iter()
            .map(|finding| finding.kind.code())
            .collect();
        assert_eq!(codes, expected, "{written}");
    }
    // Nobody says: the rules do, and have none for handicap.
    for (record, komi) in [
        ("(;GM[1]SZ[9]RU[Chinese];B[ee])", "3.75"),
        ("(;GM[1]SZ[9]RU[Japanese];B[ee])", "6.5"),
        ("(;GM[1]SZ[9]RU[Chinese]KM[6.5];B[ee])", "3.25"),
        ("(;GM[1]SZ[9]RU[Chinese]HA[2]AB[cc][gg];W[ee])", "0"),
        ("(;GM[1]SZ[9]RU[Chinese]HA[1];B[ee])", "0"),
    ] {
        assert_eq!(plain(record).komi.to_string(), komi, "{record}");
    }
    let verdict = plain("(;GM[1]SZ[9]RU[Japanese]KM[650];B[ee])");
    let converted = verdict.findings.iter().find_map(|finding| match &finding.kind {
        FindingKind::KomiConverted { komi, unit, .. } => Some((komi.to_string(), *unit)),
        _ => None,
    });
    assert_eq!(converted, Some(("6.5".to_owned(), Unit::Points)));
}

#[test]
fn the_first_node_is_read_in_any_order() {
    let record = "(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]PW[w]PB[b]C[guest [8k\\]: good luck]RE[B+5.50];B[pd])";
    let verdict = plain(record);
    let recorded = verdict.recorded.as_ref().expect("a result");
    assert_eq!(
        (recorded.winner, recorded.margin),
        (Some(Colour::Black), Some(Margin(11)))
    );
    assert_eq!(verdict.header.comment, "guest [8k]: good luck");

    let twice = plain("(;GM[1]SZ[19]RE[B+5.50]C[x]RE[W+R];B[pd])");
    assert_eq!(codes(&twice)[..2], ["property-twice", "results-conflict"]);
    assert_eq!(twice.recorded.expect("the first").text, "B+5.50");
    let alike = plain("(;GM[1]SZ[19]RE[B+R]C[x]RE[B+Resign];B[pd])");
    assert_eq!(codes(&alike), ["property-twice"]);

    let off_board = refused("(;AB[aa][pp]SZ[9])", &Asked::default());
    assert_eq!(
        off_board,
        RefusalKind::SetupOffBoard {
            text: "pp".to_owned()
        }
    );
    for record in ["(;SZ[9];B[ss];W[zz])", "(;SZ[9];B[];W[ss])", "(;SZ[9];B[ss];W[])"] {
        let (text, size) = ("ss".to_owned(), Size::square(9).expect("a size"));
        let nothing = refused(record, &Asked::default());
        assert_eq!(nothing, RefusalKind::NoMoveOnBoard { text, size }, "{record}");
    }
    // One stone that can be put down is something to judge, and so are passes.
    for record in ["(;SZ[9];B[ss];W[dd])", "(;SZ[9];B[];W[])", "(;SZ[9])"] {
        plain(record);
    }
    let header = plain("(;GM[1]AB[aa:bb]SZ[9]HA[4];W[cc])");
    assert_eq!((header.setup.len(), header.handicap), (4, 4));
}

#[test]
fn of_two_results_that_contradict_one_another_neither_confirms_the_board() {
    let asked = black_by_resignation();
    let agrees = |record: &str| read(record, &asked).agrees_with_entered;
    assert_eq!(agrees("(;GM[1]SZ[19]RE[B+R]RE[W+R];B[pd])"), Agreement::Unknown);
    assert_eq!(agrees("(;GM[1]SZ[19]RE[W+R]RE[B+R];B[pd])"), Agreement::No);
}

#[test]
fn handicap_that_does_not_add_up_is_told_as_declared_placed_and_expected() {
    let fourteen = "AB[aa][ab][ac][ad][ae][af][ag][ah][ai][aj][ak][al][am][an]";
    let differs = |declared, placed, expected| {
        Some(FindingKind::HandicapDiffers {
            declared,
            placed,
            expected,
        })
    };
    for (header, moves, event, handicap, expected) in [
        (
            format!("HA[7]{fourteen}"),
            ";W[pd]",
            None,
            14,
            differs(Some(7), 14, None),
        ),
        ("HA[3]".to_owned(), ";W[pd]", None, 0, differs(Some(3), 0, None)),
        ("AB[dd][pp]".to_owned(), ";W[pd]", None, 2, differs(None, 2, None)),
        ("HA[0]AB[]".to_owned(), ";B[pd]", None, 0, None),
        ("HA[0]".to_owned(), ";B[pd]", Some(0), 0, None),
        (
            "HA[2]AB[dd][pp]".to_owned(),
            ";W[pd]",
            Some(3),
            2,
            differs(Some(2), 2, Some(3)),
        ),
        ("HA[2]AB[dd][pp]".to_owned(), ";W[pd]", Some(2), 2, None),
        // Written as moves.
        ("HA[2]".to_owned(), ";B[dd];B[pp];W[pd]", Some(2), 2, None),
        // Set up in a node of its own.
        ("HA[2]".to_owned(), ";AB[dd][pp];W[pd]", Some(2), 2, None),
        // Only the first move.
        ("HA[1]".to_owned(), ";B[dd];W[pp]", Some(0), 0, None),
        // Stones of both sides are a position and no handicap.
        ("AB[dd][pp]AW[dp][pd]".to_owned(), ";W[qq]", None, 0, None),
    ] {
        let record = format!("(;GM[1]SZ[19]KM[0]RE[B+R]{header}{moves})");
        let asked = Asked {
            handicap: event,
            rules: Some(RuleSet::Chinese),
            ..Asked::default()
        };
        let verdict = read(&record, &asked);
        assert_eq!(verdict.handicap, handicap, "{record}");
        let told = verdict
            .findings
            .iter()
            .map(|finding| &finding.kind)
            .find(|kind| kind.code() == "handicap-differs");
        assert_eq!(told, expected.as_ref(), "{record}");
    }
    let black_first = plain("(;GM[1]SZ[19]HA[3]AB[dd][pp][dp];B[pd];W[jj])");
    assert_eq!(codes(&black_first), ["black-first-after-handicap"]);
    assert_eq!(
        codes(&plain("(;GM[1]SZ[19]HA[two];B[pd])")),
        ["handicap-unreadable"]
    );
    assert_eq!(codes(&plain("(;GM[1]SZ[19];W[pd];B[dd])")), ["white-first"]);
    let ancient = "(;GM[1]SZ[19]RU[ancient]AB[dd][pp]AW[dp][pd];W[cn];B[fc])";
    assert_eq!(
        codes(&read(ancient, &under(RuleSet::AncientChinese))),
        ["rules-unknown"]
    );
}

#[test]
fn of_several_games_one_is_chosen_and_never_the_first_silently() {
    let file = "(;GM[1]SZ[9]PB[甲]PW[乙]RE[B+R];B[ee];W[cc])\n(;GM[1]SZ[9]PB[丙]PW[丁];B[aa];B[bb]W[cc])";
    let RefusalKind::SeveralGames { games, of } = refused(file, &Asked::default()) else {
        panic!("refused for another reason");
    };
    let told: Vec<_> = games
        .iter()
        .map(|game| (game.names.black.as_str(), game.nodes, game.result.as_str()))
        .collect();
    assert_eq!((told, of), (vec![("甲", 3, "B+R"), ("丙", 3, "")], 2));

    let chosen = |game| Asked {
        game: Some(game),
        ..Asked::default()
    };
    assert_eq!(played(&read(file, &chosen(1))), "Bee Wcc");
    let second = read(file, &chosen(2));
    assert_eq!((second.game, played(&second).as_str()), ((2, 2), "Baa Bbb Wcc"));
    for game in [0, 3, usize::MAX] {
        let expected = RefusalKind::NoSuchGame {
            asked: game,
            games: 2,
        };
        assert_eq!(refused(file, &chosen(game)), expected);
    }

    let collection = rules::sgf::read(file.as_bytes(), None).expect("a file");
    for index in 0..2 {
        let by_index = rules::judge_game(&collection, index, &Asked::default());
        assert_eq!(by_index, judge(file.as_bytes(), &chosen(index + 1)));
    }
}

#[test]
fn odd_boards_and_other_games_are_refused_or_told() {
    let event = Asked {
        size: Some(Size::NINETEEN),
        ..Asked::default()
    };
    for (record, asked, expected) in [
        ("(;GM[1];B[pd])", &event, vec!["size-assumed"]),
        ("(;GM[1]SZ[];B[pd])", &event, vec!["size-assumed"]),
        ("(;GM[1]SZ[19:19];B[pd])", &event, vec!["size-written-twice"]),
        ("(;SZ[19];B[pd])", &event, vec!["game-not-named"]),
        ("(;GM[]SZ[19];B[pd])", &event, vec!["game-not-named"]),
        ("(;SZ[15];B[hh])", &Asked::default(), vec!["game-doubtful"]),
    ] {
        assert_eq!(codes(&read(record, asked)), expected, "{record}");
    }
    let size = |columns, rows| Size::new(columns, rows).expect("a size");
    let bad = |text: &str| RefusalKind::BadSize {
        text: text.to_owned(),
    };
    for (record, asked, expected) in [
        (
            "(;GM[1]SZ[13:9];B[aa])",
            &event,
            RefusalKind::SizeNotPlayed {
                record: size(13, 9),
                event: event.size,
            },
        ),
        (
            "(;GM[1]SZ[13:9];B[aa])",
            &Asked::default(),
            RefusalKind::SizeNotPlayed {
                record: size(13, 9),
                event: None,
            },
        ),
        (
            "(;GM[1]SZ[13];B[aa])",
            &event,
            RefusalKind::SizeNotPlayed {
                record: size(13, 13),
                event: event.size,
            },
        ),
        ("(;GM[1]SZ[53];B[aa])", &Asked::default(), bad("53")),
        ("(;GM[1]SZ[1];B[aa])", &Asked::default(), bad("1")),
        ("(;GM[1]SZ[-9];B[aa])", &Asked::default(), bad("-9")),
        (
            "(;GM[1]SZ[99999999999];B[aa])",
            &Asked::default(),
            bad("99999999999"),
        ),
        (
            "(;GM[2]SZ[8];B[aa])",
            &Asked::default(),
            RefusalKind::NotGo { text: "2".to_owned() },
        ),
    ] {
        assert_eq!(refused(record, asked), expected, "{record}");
    }
    let headless = plain("(TE[x]RE[B+1])");
    let finding = &headless.findings[0];
    let place = finding.place.expect("a place");
    assert_eq!(
        (finding.kind.code(), place.line, place.column),
        ("semicolon-missing", 1, 2)
    );
}

#[test]
fn passes_are_told_from_stones_by_the_board() {
    assert_eq!(played(&plain("(;GM[1]SZ[19];B[];W[tt];B[ss])")), "B W Bss");
    assert_eq!(played(&plain("(;GM[1]SZ[9];B[tt];W[])")), "B W");
    let large = plain("(;GM[1]SZ[21];B[tt];W[])");
    assert_eq!(played(&large), "Btt W");
    let largest = plain("(;GM[1]SZ[52];B[ZZ];W[aA])");
    assert_eq!(played(&largest), "BZZ WaA");
}

#[test]
fn a_point_that_cannot_be_read_is_told_with_its_place_and_nothing_is_guessed() {
    let verdict = plain("(;GM[1]SZ[9]\n;B[ee]\n;W[e]\n;B[jj];W[37];B[dd])");
    assert_eq!(played(&verdict), "Bee W! B! W! Bdd");
    let told: Vec<_> = verdict
        .findings
        .iter()
        .filter(|finding| finding.move_number.is_some())
        .map(|finding| {
            let place = finding.place.expect("a place");
            (finding.kind.code(), finding.move_number, place.line, place.column)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("point-unreadable", Some(2), 3, 4),
            ("point-off-board", Some(3), 4, 4),
            ("point-unreadable", Some(4), 4, 10),
        ]
    );
    assert_eq!(
        (verdict.standing, verdict.count),
        (Standing::Uncertain, Count::Nothing)
    );
}

#[test]
fn illegal_moves_are_void_and_the_record_goes_on() {
    // Move 3 on a stone, move 6 a suicide; both are passes then.
    let verdict = plain("(;GM[1]SZ[9];B[ba];W[ee];B[ee];W[dd];B[ab];W[aa];B[cc])");
    assert_eq!(played(&verdict), "Bba Wee Bee! Wdd Bab Waa! Bcc");
    let told: Vec<_> = verdict
        .findings
        .iter()
        .filter(|finding| finding.move_number.is_some())
        .map(|finding| (finding.kind.code(), finding.move_number, finding.kind.article()))
        .collect();
    assert_eq!(
        told,
        [
            ("occupied", Some(3), Some("17.2")),
            ("suicide", Some(6), Some("5"))
        ]
    );
    assert_eq!(verdict.standing, Standing::Illegal);
    assert_eq!(verdict.position.iter().flatten().count(), 5);

    // After something open an illegal move may be none.
    let open = plain("(;GM[1]SZ[9];B[ba];W[x];B[ba])");
    assert_eq!(codes(&open), ["point-unreadable", "occupied"]);
    assert_eq!(open.standing, Standing::Uncertain);
}

/// A 13×13 board with three kos, of which Black can take the first and the last, and White the second.
fn three_kos(moves: &str) -> String {
    let (mut black, mut white) = (String::new(), String::new());
    for (top, black_holds) in [(0, false), (4, true), (8, false)] {
        let add = |stones: &mut String, places: &[(u8, u8)]| {
            for (column, row) in places {
                let point = Point {
                    column: *column,
                    row: top + row,
                };
                stones.extend(["[", &point.to_record(), "]"]);
            }
        };
        add(&mut black, &[(1, 0), (0, 1), (1, 2)]);
        add(&mut white, &[(2, 0), (3, 1), (2, 2)]);
        if black_holds {
            add(&mut black, &[(2, 1)]);
        } else {
            add(&mut white, &[(1, 1)]);
        }
    }
    format!("(;GM[1]SZ[13]KM[0]AB{black}AW{white}{moves})")
}

/// All three are taken and taken back.
const CYCLE: &str = ";B[cb];W[bf];B[cj];W[bb];B[cf];W[bj]";

#[test]
fn a_ko_retaken_at_once_is_illegal_under_all_rules() {
    for rules in RuleSet::ALL {
        let asked = Asked {
            on_repetition: Some(OnRepetition::NoResult),
            ..under(rules)
        };
        let verdict = read(&three_kos(";B[cb];W[bb]"), &asked);
        let told = verdict
            .findings
            .iter()
            .find(|finding| finding.kind.code() == "repeated");
        let told = told.map(|told| (told.move_number, told.kind.article()));
        assert_eq!(told, Some((Some(2), Some("19"))), "{rules}");
        assert_eq!(verdict.standing, Standing::Illegal, "{rules}");
        assert!(!verdict.moves[1].void, "the record goes on from it");
        assert_eq!(verdict.captures, Sides { black: 1, white: 1 });
    }
    let with_threat = plain(&three_kos(";B[cb];W[mm];B[ml];W[bb]"));
    assert_eq!(with_threat.standing, Standing::Legal);
}

#[test]
fn a_position_that_comes_again_is_ruled_by_the_rules_or_by_the_event() {
    use OnRepetition::{Draw, Illegal, NoResult, Referee, Replay};
    let ended = three_kos(CYCLE);
    let played_on = three_kos(&format!("{CYCLE};B[mm]"));
    for (rules, event, record, standing, article) in [
        (RuleSet::Chinese, None, &ended, Standing::Illegal, "6"),
        (RuleSet::Chinese, Some(NoResult), &ended, Standing::NoResult, "20"),
        (
            RuleSet::Chinese,
            Some(NoResult),
            &played_on,
            Standing::NoResult,
            "20",
        ),
        (RuleSet::Chinese, Some(Draw), &ended, Standing::Draw, "20"),
        (RuleSet::Chinese, Some(Replay), &ended, Standing::Replay, "20"),
        (RuleSet::Chinese, Some(Referee), &ended, Standing::Referee, "20"),
        (RuleSet::Aga, None, &ended, Standing::Illegal, "6"),
        (RuleSet::Japanese, None, &ended, Standing::NoResult, "20"),
        // No result needs the players' agreement, and they played on.
        (RuleSet::Japanese, None, &played_on, Standing::Referee, "20"),
        (
            RuleSet::Japanese,
            Some(Illegal),
            &played_on,
            Standing::Illegal,
            "6",
        ),
    ] {
        let asked = Asked {
            on_repetition: event,
            ..under(rules)
        };
        let verdict = read(record, &asked);
        let told = verdict
            .findings
            .iter()
            .find(|finding| finding.kind.code() == "repeated");
        let told = told.map(|told| (told.move_number, told.kind.article()));
        assert_eq!(told, Some((Some(6), Some(article))), "{rules} {event:?}");
        assert_eq!(verdict.standing, standing, "{rules} {event:?}");
    }
    // A point that cannot be read before it, and the repetition is not certain.
    let open = plain(&three_kos(&format!(";B[x];W[]{CYCLE}")));
    assert_eq!(open.standing, Standing::Uncertain);
}

#[test]
fn several_moves_of_a_side_in_a_row_are_read_as_what_they_are() {
    for (record, expected, standing) in [
        (
            "(;GM[1]SZ[9]HA[3]KM[0];B[cc];B[gg];B[cg];W[gc])",
            vec![Twice::Handicap; 2],
            Standing::Legal,
        ),
        // Two stones, and nobody speaks of handicap.
        (
            "(;GM[1]SZ[9];B[cc];B[gg];W[cg])",
            vec![Twice::Unclear],
            Standing::Referee,
        ),
        (
            "(;GM[1]SZ[9];B[cc];W[gg];B[cg];B[gc];W[ee])",
            vec![Twice::Unclear],
            Standing::Referee,
        ),
        (
            "(;GM[1]SZ[9];B[cc];W[gg];B[cg];B[gc];B[ee])",
            vec![Twice::PassLeftOut; 2],
            Standing::Legal,
        ),
        // A stone is captured by the second: that is no matter of shared points.
        (
            "(;GM[1]SZ[9];B[ba];W[aa];B[cg];B[ab])",
            vec![Twice::Unclear],
            Standing::Referee,
        ),
    ] {
        let verdict = plain(record);
        let readings: Vec<_> = verdict
            .findings
            .iter()
            .filter_map(|finding| match &finding.kind {
                FindingKind::SameSideTwice { reading, .. } => Some(*reading),
                _ => None,
            })
            .collect();
        assert_eq!(readings, expected, "{record}");
        assert_eq!(verdict.standing, standing, "{record}");
    }
}

#[test]
fn nodes_with_several_moves_and_set_up_stones_are_told() {
    let both = plain("(;GM[1]SZ[9];B[ee]W[cc];B[dd])");
    assert_eq!(
        (played(&both).as_str(), both.standing),
        ("Bee Wcc Bdd", Standing::Legal)
    );
    assert_eq!(codes(&both), ["two-sides-in-node"]);

    let two = plain("(;GM[1]SZ[9];B[ee]B[cc];W[dd])");
    assert_eq!(codes(&two), ["property-twice", "two-moves-in-node"]);
    assert_eq!(
        (played(&two).as_str(), two.standing),
        ("Bee Wdd", Standing::Uncertain)
    );

    let in_root = plain("(;B[ee]GM[1]SZ[9];W[cc])");
    assert_eq!(
        (played(&in_root).as_str(), codes(&in_root)),
        ("Bee Wcc", vec!["move-in-root"])
    );

    let midgame = plain("(;GM[1]SZ[9];B[ee];W[cc];AB[gg][hh]AE[ee];W[dd])");
    assert_eq!(codes(&midgame), ["setup-midgame"]);
    assert_eq!(
        midgame.findings.last().and_then(|finding| finding.move_number),
        None
    );
    let told = midgame
        .findings
        .iter()
        .find(|finding| finding.kind == FindingKind::SetupMidgame);
    assert_eq!(told.and_then(|finding| finding.move_number), Some(2));
    let point = |text: &str| Point::from_record(text).expect("a point");
    assert_eq!(
        midgame.setup_midgame,
        [
            (3, Some(Colour::Black), point("gg")),
            (3, Some(Colour::Black), point("hh")),
            (3, None, point("ee")),
        ]
    );
    assert_eq!(midgame.standing, Standing::Uncertain);
    assert_eq!(midgame.position.iter().flatten().count(), 4);

    let listed = plain("(;GM[1]SZ[9]AB[aa,bb,cc]AW[dd];W[ee])");
    assert_eq!((codes(&listed), listed.setup.len()), (vec!["point-list"], 4));
    let branches = plain("(;GM[1]SZ[9];B[ee](;W[cc];B[dd])(;W[gg](;B[aa])(;B[bb])))");
    assert_eq!(
        (played(&branches).as_str(), codes(&branches)),
        ("Bee Wcc Bdd", vec!["variations"])
    );
}

#[test]
fn a_game_ends_by_its_result_its_passes_or_not_at_all() {
    let black = Colour::Black;
    for (rules, record, expected) in [
        (
            RuleSet::Chinese,
            "RE[W+R];B[ee];W[cc]",
            End::Resignation { loser: black },
        ),
        (
            RuleSet::Chinese,
            "RE[W+T];B[ee];W[cc]",
            End::Time { loser: black },
        ),
        (RuleSet::Chinese, "RE[W+F];B[ee];W[cc]", End::Decision),
        (RuleSet::Chinese, "RE[B+2.5];B[ee];W[];B[]", End::Passes),
        (RuleSet::Chinese, "RE[B+2.5];B[ee];W[cc]", End::Agreement),
        (RuleSet::Chinese, "RE[B+];B[ee];W[cc]", End::Unsaid),
        (RuleSet::Chinese, ";B[ee];W[];B[]", End::Passes),
        (RuleSet::Ing, ";B[ee];W[];B[]", End::Unfinished),
        (RuleSet::Ing, ";B[ee];W[];B[];W[];B[]", End::Passes),
        (RuleSet::Chinese, ";B[ee];W[];B[];W[cc]", End::Unfinished),
        (RuleSet::Chinese, ";B[ee];W[cc]", End::Unfinished),
    ] {
        let verdict = read(&format!("(;GM[1]SZ[9]{record})"), &under(rules));
        assert_eq!(verdict.end, expected, "{record} under {rules}");
    }
    let resumed = plain("(;GM[1]SZ[9];B[ee];W[];B[];W[cc];B[dd];W[];B[])");
    assert_eq!((codes(&resumed)[0], resumed.end), ("move-after-end", End::Passes));
    let four = read("(;GM[1]SZ[9];B[ee];W[];B[];W[cc])", &under(RuleSet::Ing));
    assert_eq!(codes(&four), [""; 0]);
}

/// Black has the left of a 5×5 board and White the right, c3 between them is Black's: both sides live.
const HALVES: &str = "(;GM[1]SZ[5]KM[1]PB[甲]PW[乙]AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de]";

#[test]
fn the_end_is_counted_with_the_dead_stones_that_are_known() {
    let shared = format!("{HALVES};B[];W[])");
    let verdict = read(&shared, &under(RuleSet::Chinese));
    let Count::NeedsDeadStones(_) = verdict.count else {
        panic!(
            "one row each lives only because nobody attacks: {:?}",
            verdict.count
        );
    };
    let asked = Asked {
        dead: Some(Vec::new()),
        ..under(RuleSet::Chinese)
    };
    let verdict = read(&shared, &asked);
    let Count::Counted(counted) = &verdict.count else {
        panic!("{:?}", verdict.count);
    };
    assert_eq!((counted.dead_from, counted.shared), (DeadFrom::Given, 5));
    assert_eq!(
        counted.margin,
        Margin(-2),
        "10 each and half of 5, less a komi of a point"
    );

    let with_entered = |winner, margin: i32| Asked {
        entered: Some(Entered {
            winner: Some(winner),
            both_lost: false,
            kind: Some(RecordedKind::Score),
            margin: Some(Margin(margin)),
        }),
        ..asked.clone()
    };
    let agrees = |asked: &Asked| {
        let verdict = read(&shared, asked);
        (verdict.agrees_with_entered, verdict.contradicts())
    };
    assert_eq!(agrees(&with_entered(Colour::White, -2)), (Agreement::Yes, false));
    assert_eq!(agrees(&with_entered(Colour::White, -4)), (Agreement::No, true));
    assert_eq!(agrees(&with_entered(Colour::Black, 2)), (Agreement::No, true));

    let warned = Asked {
        warnings: Sides { black: 0, white: 1 },
        ..asked.clone()
    };
    let Count::Counted(counted) = read(&shared, &warned).count else {
        panic!("not counted");
    };
    assert_eq!(counted.margin, Margin(2), "a warning costs a stone");

    let result = |text: &str| {
        let record = shared.replace("KM[1]", &format!("KM[1]RE[{text}]"));
        let verdict = read(&record, &asked);
        (verdict.agrees_with_count, codes(&verdict))
    };
    assert_eq!(result("W+1"), (Agreement::Yes, vec![]));
    assert_eq!(result("白胜1/2子"), (Agreement::Yes, vec![]));
    assert_eq!(result("W+2"), (Agreement::No, vec!["result-against-count"]));
    assert_eq!(result("B+1"), (Agreement::No, vec!["result-against-count"]));
    assert_eq!(result("W+R").0, Agreement::Unknown);
    assert_eq!(result("B+").0, Agreement::No);

    let empty_point = Asked {
        dead: Some(vec![Point { column: 2, row: 2 }]),
        ..under(RuleSet::Chinese)
    };
    assert!(codes(&read(&shared, &empty_point)).contains(&"dead-point-empty"));
}

/// Black has the left of a 9×9 board, White the right, with two black chains in White's ground.
const INTRUDED: &str = "(;GM[1]SZ[9]KM[3.75]RU[Chinese]AB[da][db][dc][dd][de][df][dg][dh][di][hb][hc][hg]\
    AW[fa][fb][fc][fd][fe][ff][fg][fh][fi];B[];W[])";

#[test]
fn dead_stones_named_in_part_give_no_number() {
    let with = |dead: &str| {
        let asked = Asked {
            dead: Some(dead.split_whitespace().filter_map(Point::from_record).collect()),
            ..Asked::default()
        };
        let verdict = read(INTRUDED, &asked);
        let margin = match &verdict.count {
            Count::Counted(counted) => Some(counted.margin),
            Count::NeedsDeadStones(_) | Count::Nothing => None,
        };
        (margin, codes(&verdict).contains(&"dead-doubtful"))
    };
    assert_eq!(with("hb"), (None, true));
    assert_eq!(with("hg"), (None, true));
    assert_eq!(with("hb hg"), (Some(Margin(-15)), false));
    // Who says that nothing is dead speaks of the whole board.
    assert!(matches!(with(""), (Some(_), true)));

    // Ground too small for a point that touches nothing: that the stone in it is dead is certain all the same.
    let small = "(;GM[1]SZ[9]RU[Chinese]KM[0]AB[ba][bb][ab][ad][bd][cd][cc][cb][ca][ai][hi]\
        AW[ha][hb][ib][gb][ga][gc][hc][ic];B[];W[])";
    let certain = read(small, &Asked::default());
    assert!(
        matches!(certain.count, Count::NeedsDeadStones(_)),
        "{:?}",
        certain.count
    );
}

#[test]
fn where_all_stones_count_two_passes_leave_no_question() {
    let rules = under(RuleSet::TrompTaylor);
    let verdict = read(INTRUDED, &rules);
    let Count::Counted(counted) = &verdict.count else {
        panic!("{:?}", verdict.count);
    };
    assert_eq!((counted.dead_from, counted.dead.len()), (DeadFrom::Rules, 0));
    // White's ground is reached from black stones too.
    assert_eq!(
        (counted.stones.black, counted.points.black, counted.shared),
        (12, 27, 33)
    );
    assert_eq!(counted.margin, Margin(45), "39 to 9, and a komi of 7½ points");
    assert!(!codes(&verdict).contains(&"dead-proposed"));

    // Somebody who names dead stones is heard.
    let dead = ["hb", "hg"].map(|point| Point::from_record(point).expect("a point"));
    let asked = Asked {
        dead: Some(dead.to_vec()),
        ..rules.clone()
    };
    let Count::Counted(counted) = read(INTRUDED, &asked).count else {
        panic!("not counted");
    };
    assert_eq!((counted.dead_from, counted.dead.len()), (DeadFrom::Given, 3));
    // Without the passes it may have been agreed otherwise.
    let agreed = INTRUDED.replace(";B[];W[])", "RE[B+22.5])");
    assert!(matches!(read(&agreed, &rules).count, Count::NeedsDeadStones(_)));
}

#[test]
fn a_dead_point_outside_the_board_is_named_and_nothing_is_counted() {
    let point = Point::from_record("zz").expect("a point");
    let asked = Asked {
        dead: Some(vec![point]),
        ..Asked::default()
    };
    let RefusalKind::DeadOffBoard { point: told, size } = refused(INTRUDED, &asked) else {
        panic!("refused for another reason");
    };
    assert_eq!((told, size.to_string().as_str()), (point, "9×9"));
}

#[test]
fn a_counted_game_contradicts_another_winner_and_another_way_to_win() {
    let entered = |winner, kind, both_lost| Asked {
        dead: Some(["hb", "hg"].into_iter().filter_map(Point::from_record).collect()),
        entered: Some(Entered {
            winner,
            both_lost,
            kind,
            margin: None,
        }),
        ..Asked::default()
    };
    let (black, white) = (Some(Colour::Black), Some(Colour::White));
    let resign = Some(RecordedKind::Resign);
    for (winner, kind, both_lost, expected) in [
        (white, None, false, Agreement::Yes),
        (white, Some(RecordedKind::Score), false, Agreement::Yes),
        (black, None, false, Agreement::No),
        (black, resign, false, Agreement::No),
        (black, Some(RecordedKind::Time), false, Agreement::No),
        (white, resign, false, Agreement::No),
        (None, None, true, Agreement::No),
        (None, Some(RecordedKind::Draw), false, Agreement::No),
    ] {
        let verdict = read(INTRUDED, &entered(winner, kind, both_lost));
        assert_eq!(verdict.agrees_with_entered, expected, "{winner:?} {kind:?}");
        assert_eq!(verdict.contradicts(), expected == Agreement::No);
    }
    // Who is ahead when a side resigns says nothing.
    let resigned = INTRUDED.replace("KM[", "RE[B+R]KM[");
    let verdict = read(&resigned, &entered(black, resign, false));
    assert_eq!(verdict.agrees_with_entered, Agreement::Yes);
    assert!(matches!(verdict.count, Count::Counted(_)));
}

#[test]
fn a_winner_under_exchanged_names_confirms_nothing() {
    let asked = Asked {
        names: Some(names(&["甲"], &["乙"])),
        entered: Some(Entered {
            winner: Some(Colour::White),
            both_lost: false,
            kind: Some(RecordedKind::Resign),
            margin: None,
        }),
        ..Asked::default()
    };
    for (players, expected) in [
        ("PB[甲]PW[乙]", (Agreement::Yes, false)),
        ("PB[乙]PW[甲]", (Agreement::Unknown, true)),
    ] {
        let verdict = read(&format!("(;GM[1]SZ[9]{players}RE[W+R];B[ee];W[cc])"), &asked);
        assert_eq!(
            (verdict.agrees_with_entered, verdict.contradicts()),
            expected,
            "{players}"
        );
    }
}

#[test]
fn a_start_that_contradicts_itself_is_not_certain() {
    for (setup, expected, point) in [
        ("AB[dd]AW[dd]", "setup-twice", "dd"),
        ("AB[dd]AE[dd]", "setup-twice", "dd"),
        ("AE[aa:bb]AW[ba]", "setup-twice", "ba"),
        ("AB[aa][ba]AW[ab][bb][ca]", "setup-without-liberty", "aa"),
    ] {
        let verdict = plain(&format!("(;GM[1]SZ[9]{setup};B[ee];W[gg])"));
        let found = verdict
            .findings
            .iter()
            .find(|finding| finding.kind.code() == expected);
        let told = found.and_then(|finding| finding.point).map(Point::to_record);
        assert_eq!(told.as_deref(), Some(point), "{setup}: {:?}", verdict.findings);
        assert_eq!(verdict.standing, Standing::Uncertain, "{setup}");
    }
    for setup in [
        "AB[dd]AB[dd]",
        "AB[dd];AW[dd]",
        "AB[dd];AE[dd]AW[dc]",
        "AB[aa]AW[ab]",
    ] {
        let verdict = plain(&format!("(;GM[1]SZ[9]{setup};B[ee];W[gg])"));
        assert_eq!(
            verdict.standing,
            Standing::Legal,
            "{setup}: {:?}",
            verdict.findings
        );
    }
}

#[test]
fn of_two_sizes_that_differ_the_first_is_used_and_nothing_is_certain() {
    for record in ["(;GM[1]SZ[9]SZ[19];B[ee])", "(;GM[1]SZ[9][19];B[ee])"] {
        let verdict = plain(record);
        assert!(codes(&verdict).contains(&"sizes-conflict"), "{record}");
        assert_eq!(
            (verdict.size, verdict.standing),
            (Size::square(9).expect("a size"), Standing::Uncertain),
            "{record}"
        );
    }
    let same = plain("(;GM[1]SZ[9]SZ[9:9];B[ee])");
    assert_eq!(
        (codes(&same), same.standing),
        (vec!["property-twice"], Standing::Legal)
    );
}

#[test]
fn unknown_rules_are_not_also_called_unwritten_and_findings_keep_the_order_of_the_file() {
    let verdict = plain("(;GM[1]SZ[9]RU[foo]KM[x]HA[y]PB[a]PW[b];B[ee]C[a]C[b];W[ee];b[cc])");
    let codes: Vec<_> = verdict
        .findings
        .iter()
        .map(|finding| finding.kind.code())
        .collect();
    let expected = [
        "rules-unknown",
        "komi-unreadable",
        "handicap-unreadable",
        "property-twice",
        "occupied",
        "lower-case-name",
        "result-missing",
    ];
    assert_eq!(codes, expected);
}

#[test]
fn a_board_without_a_stone_is_shared() {
    let verdict = plain("(;GM[1]SZ[9]RU[Chinese]KM[3.75];B[];W[])");
    let Count::Counted(counted) = &verdict.count else {
        panic!("{:?}", verdict.count);
    };
    assert_eq!((counted.shared, counted.margin), (81, Margin(-15)));
    assert!(!codes(&verdict).contains(&"dead-needed"));
}

#[test]
fn a_half_in_a_result_is_a_half_and_a_surname_a_surname() {
    for (record, encoding) in [
        ("(;GM[1]SZ[9]RE[B+½];B[ee])", "UTF-8"),
        ("(;GM[1]SZ[9]KM[3¾]RE[W+2½];B[ee])", "UTF-8"),
        // In GB18030 these are the bytes of 陆, and nobody is called ½.
        ("(;GM[1]SZ[9]PB[½];B[ee])", "GB18030"),
    ] {
        assert_eq!(plain(record).encoding, encoding, "{record}");
    }
}

#[test]
fn who_passed_first_counts_where_the_rules_say_so() {
    for (moves, rules, expected) in [
        (";B[ca];W[];B[]", RuleSet::MindSports2008, 2),
        (";B[ca];W[cb];B[];W[]", RuleSet::MindSports2008, 0),
        (";B[ca];W[];B[]", RuleSet::Chinese, 0),
        (";B[ca];W[];B[];W[cb];B[];W[]", RuleSet::MindSports2008, 0),
    ] {
        let asked = Asked {
            dead: Some(Vec::new()),
            ..under(rules)
        };
        let Count::Counted(counted) = read(&format!("{HALVES}{moves})"), &asked).count else {
            panic!("not counted");
        };
        assert_eq!(counted.passed_first, Margin(expected), "{moves} under {rules}");
    }
}

#[test]
fn marks_at_the_end_say_which_stones_are_dead() {
    // A white stone at a1 in Black's ground.
    let end = ";B[ca];W[cb];B[cc];W[cd];B[ce];W[];B[]TB[aa][ab][ac][ad][ae]TW[ea][eb][ec][ed][ee])";
    let record = format!("{HALVES}{end}");
    let with_dead = record.replacen("AW[da]", "AW[ae][da]", 1);
    for (record, dead) in [(&record, 0), (&with_dead, 1)] {
        let verdict = read(record, &under(RuleSet::Chinese));
        let Count::Counted(counted) = &verdict.count else {
            panic!("{:?} {:?}", verdict.count, codes(&verdict));
        };
        assert_eq!((counted.dead_from, counted.dead.len()), (DeadFrom::Record, dead));
        assert_eq!(counted.margin, Margin(0), "13 to 12, and a komi of a point");
    }
    let contradicting = record.replace("TB[aa]", "TB[aa][ea]");
    let verdict = read(&contradicting, &under(RuleSet::Chinese));
    assert!(
        codes(&verdict).contains(&"marks-contradict"),
        "{:?}",
        codes(&verdict)
    );
    // Marks of a comment in the middle are not the end.
    let commented = plain("(;GM[1]SZ[9];B[ee]TB[aa][ab];W[cc])");
    assert_eq!(
        (commented.end, commented.count),
        (End::Unfinished, Count::Nothing)
    );
}

#[test]
fn header_times_and_comments_are_kept() {
    let verdict = plain(
        "(;GM[1]SZ[9]PB[甲]PW[乙]BR[3d]WR[5段]BT[x]WT[y]EV[e]RO[2]DT[2026-11-30]PC[p]RU[Chinese]AP[a:1]\
         GC[game]C[root];B[ee]BL[599.25]C[first];WL[12]W[cc]BL[3];C[later\\\nline];B[dd]BL[x])",
    );
    let header = &verdict.header;
    assert_eq!(
        (header.grades.black.as_str(), header.grades.white.as_str()),
        ("3d", "5段")
    );
    assert_eq!((header.event.as_str(), header.round.as_str()), ("e", "2"));
    assert_eq!(header.comment, "game\n\nroot");
    let kept: Vec<_> = verdict
        .moves
        .iter()
        .map(|judged| (judged.time_left, judged.comment.as_str()))
        .collect();
    assert_eq!(
        kept,
        [(Some(599_250), "first"), (Some(12_000), "laterline"), (None, "")]
    );
    assert_eq!(verdict.rules, RuleSet::Chinese);
    assert!(matches!(verdict.moves[0].play, Move::Stone(_)));
}

#[test]
fn the_hundred_and_first_finding_of_a_kind_is_counted() {
    for (pairs, more) in [(50, None), (51, Some(2)), (250, Some(400))] {
        let verdict = plain(&format!("(;GM[1]SZ[9];B[ee]{})", ";W[ee];B[ee]".repeat(pairs)));
        let occupied = codes(&verdict).into_iter().filter(|code| *code == "occupied");
        assert_eq!(occupied.count(), 100, "{pairs}");
        let last = verdict.findings.last().map(|finding| &finding.kind);
        let counted = match last {
            Some(FindingKind::MoreOfAKind { count }) => Some(*count),
            _ => None,
        };
        assert_eq!((counted, verdict.standing), (more, Standing::Illegal), "{pairs}");
    }
}
