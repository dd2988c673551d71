//! The words of the JSON, and what people call the same things.

use rules::{
    Agreement, Colour, DeadFrom, End, Language, OnRepetition, RecordedKind, RepetitionKind, RuleSet,
    Standing, Weight,
};

/// The word of the JSON.
pub fn standing_word(standing: Standing) -> &'static str {
    match standing {
        Standing::Legal => "legal",
        Standing::Illegal => "illegal",
        Standing::Referee => "referee",
        Standing::Uncertain => "uncertain",
        Standing::NoResult => "no_result",
        Standing::Draw => "draw",
        Standing::Replay => "replay",
    }
}

/// How a game stands, in a word or two.
pub fn standing_said(standing: Standing, language: Language) -> &'static str {
    match standing {
        Standing::Legal => language.choose("合法", "legal"),
        Standing::Illegal => language.choose("违规", "illegal"),
        Standing::Referee => language.choose("待裁判裁定", "for the referee"),
        Standing::Uncertain => language.choose("不能确定", "not certain"),
        Standing::NoResult => language.choose("无胜负", "no result"),
        Standing::Draw => language.choose("循环成和", "a draw by repetition"),
        Standing::Replay => language.choose("重下", "to be played again"),
    }
}

/// The word of the JSON.
pub fn weight_word(weight: Weight) -> &'static str {
    match weight {
        Weight::Note => "note",
        Weight::Warning => "warning",
        Weight::Broken => "broken",
        Weight::Referee => "referee",
        Weight::Illegal => "illegal",
    }
}

/// How much a finding weighs, as people say it.
pub fn weight_said(weight: Weight, language: Language) -> &'static str {
    match weight {
        Weight::Note => language.choose("提示", "note"),
        Weight::Warning => language.choose("注意", "warning"),
        Weight::Broken => language.choose("不完整", "incomplete"),
        Weight::Referee => language.choose("待裁判", "for the referee"),
        Weight::Illegal => language.choose("违规", "illegal"),
    }
}

/// The word of the JSON.
pub fn agreement_word(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Yes => "yes",
        Agreement::No => "no",
        Agreement::Unknown => "unknown",
    }
}

/// The word of the JSON.
pub fn dead_from_word(from: DeadFrom) -> &'static str {
    match from {
        DeadFrom::Given => "given",
        DeadFrom::Record => "record",
        DeadFrom::Proposal => "proposal",
        DeadFrom::Rules => "rules",
    }
}

/// The word of the JSON.
pub fn end_word(end: End) -> &'static str {
    match end {
        End::Resignation { .. } => "resignation",
        End::Passes => "passes",
        End::Agreement => "agreement",
        End::Time { .. } => "time",
        End::Decision => "decision",
        End::Unsaid => "unsaid",
        End::Unfinished => "unfinished",
    }
}

/// The word of the JSON.
pub fn recorded_kind_word(kind: RecordedKind) -> &'static str {
    match kind {
        RecordedKind::Score => "score",
        RecordedKind::Resign => "resign",
        RecordedKind::Time => "time",
        RecordedKind::Forfeit => "forfeit",
        RecordedKind::Judge => "judge",
        RecordedKind::Draw => "draw",
        RecordedKind::Void => "void",
        RecordedKind::BothLose => "both_lose",
        RecordedKind::Unspecified => "unspecified",
        RecordedKind::Other => "other",
        RecordedKind::Unknown => "unknown",
    }
}

/// The word of the JSON.
pub fn repetition_kind_word(kind: RepetitionKind) -> &'static str {
    match kind {
        RepetitionKind::BasicKo => "basic_ko",
        RepetitionKind::SendingTwoReturningOne => "sending_two_returning_one",
        RepetitionKind::DoubleKo => "double_ko",
        RepetitionKind::TripleKo => "triple_ko",
        RepetitionKind::QuadrupleKo => "quadruple_ko",
        RepetitionKind::EternalLife => "eternal_life",
        RepetitionKind::FalseLife => "false_life",
        RepetitionKind::RoundRobinKo => "round_robin_ko",
        RepetitionKind::Suicide => "suicide",
        RepetitionKind::Other => "other",
    }
}

/// What a repetition is called.
pub fn repetition_said(kind: RepetitionKind, language: Language) -> &'static str {
    match kind {
        RepetitionKind::BasicKo => language.choose("单劫", "a single ko (单劫)"),
        RepetitionKind::SendingTwoReturningOne => {
            language.choose("送二还一", "sending two, returning one (送二还一)")
        }
        RepetitionKind::DoubleKo => language.choose("双劫循环", "a double ko (双劫循环)"),
        RepetitionKind::TripleKo => language.choose("三劫循环", "a triple ko (三劫循环)"),
        RepetitionKind::QuadrupleKo => language.choose("四劫循环", "a ko of four or more (四劫循环)"),
        RepetitionKind::EternalLife => language.choose("长生", "eternal life (长生)"),
        RepetitionKind::FalseLife => language.choose("假生", "false life (假生)"),
        RepetitionKind::RoundRobinKo => language.choose("循环劫", "a round-robin ko (循环劫)"),
        RepetitionKind::Suicide => language.choose("自提后同形", "a suicide that changes nothing"),
        RepetitionKind::Other => language.choose("其他循环", "another kind of cycle"),
    }
}

/// What a repetition means for the game, as the end of a sentence.
pub fn on_repetition_said(ruling: OnRepetition, language: Language) -> &'static str {
    match ruling {
        OnRepetition::Illegal => language.choose(
            "不允许全局同形再现，此手违规",
            "the position may not come again, so this move is illegal",
        ),
        OnRepetition::NoResult => language.choose("本局无胜负", "the game has no result"),
        OnRepetition::Draw => language.choose("本局和棋", "the game is a draw"),
        OnRepetition::Replay => language.choose("本局重下", "the game is played again"),
        OnRepetition::Referee => language.choose("由裁判裁定", "the referee decides"),
    }
}

/// The rules by the name that people use.
pub fn rules_said(rules: RuleSet, language: Language) -> &'static str {
    match rules {
        RuleSet::Chinese => language.choose("中国规则", "Chinese rules"),
        RuleSet::Japanese => language.choose("日本规则", "Japanese rules"),
        RuleSet::Korean => language.choose("韩国规则", "Korean rules"),
        RuleSet::MindSports2008 => language.choose("智运会规则（2008）", "Mind Sports Games rules, 2008"),
        RuleSet::Ing => language.choose("应氏规则", "Ing rules"),
        RuleSet::WeighBoardA => language.choose("计枰点A规则", "Weigh-board A rules"),
        RuleSet::AncientChinese => language.choose("中国古代规则", "Ancient Chinese rules"),
        RuleSet::Aga => language.choose("美国规则", "AGA rules"),
        RuleSet::NewZealand => language.choose("新西兰规则", "New Zealand rules"),
        RuleSet::TrompTaylor => language.choose("Tromp-Taylor规则", "Tromp-Taylor rules"),
    }
}

/// A side by its name.
pub fn side_said(side: Colour, language: Language) -> &'static str {
    match side {
        Colour::Black => language.choose("黑", "Black"),
        Colour::White => language.choose("白", "White"),
    }
}

/// An encoding by its usual name.
pub fn encoding_said(name: &'static str) -> &'static str {
    match name {
        "gb18030" => "GB18030",
        name => name,
    }
}

/// What to do when the text of a file looks wrong.
pub fn encoding_hint(language: Language) -> &'static str {
    language.choose(
        "若姓名等文字不对，请另选一种编码",
        "if names look wrong, choose another encoding",
    )
}
