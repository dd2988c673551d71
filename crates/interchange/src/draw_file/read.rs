//! Reading: bytes to a draw, or to the list of every fault. What came out of the draw is not
//! judged here.

use tournament::draw::{Commitment, Decides, ENGINE, EventId, Groups, Secret, Seed, Split, Sum, Word};
use tournament::{Board, Choices, Colours, Number, PairingOrder, Round};

use super::{
    Content, DrawFault, DrawFile, DrawProblem, GroupDraw, GroupedEntry, NumberDraw, NumberedEntry, Promise,
    RoundDraw, Sealed, numbers_of, write,
};
use crate::event_file::{EventFile, Object, Place, Problem, ProblemKind, Reader, event_fields, of_node};
use crate::json::{self, Node, Position, Value};
use crate::log_file;

/// The fields of each object of the file; the JSON Schema is held to them by a test.
pub(crate) mod fields {
    pub(crate) const ROUND: &[&str] = &[
        "format",
        "version",
        "engine",
        "event",
        "draw",
        "commitment",
        "secret",
        "words",
        "seed",
        "log",
        "input",
        "choices",
        "order",
        "colours",
        "players",
        "table",
        "criteria",
        "certificate",
        "sum",
    ];
    pub(crate) const NUMBERS: &[&str] = &[
        "format",
        "version",
        "engine",
        "event",
        "draw",
        "commitment",
        "secret",
        "words",
        "seed",
        "log",
        "slots",
        "entries",
        "sum",
    ];
    pub(crate) const GROUPS: &[&str] = &[
        "format",
        "version",
        "engine",
        "event",
        "draw",
        "commitment",
        "secret",
        "words",
        "seed",
        "log",
        "groups",
        "split",
        "layer",
        "entries",
        "sum",
    ];
    pub(crate) const TABLE: &[&str] = &["boards", "byes"];
    pub(crate) const BOARD: &[&str] = &["board", "black", "white"];
    pub(crate) const NUMBERED: &[&str] = &["name", "seeded", "number"];
    pub(crate) const GROUPED: &[&str] = &["number", "name", "group"];
}

/// Reads a draw file.
///
/// # Errors
/// Every [`DrawProblem`] of the file, in the order of the file.
pub fn read(bytes: &[u8]) -> Result<Sealed, Vec<DrawProblem>> {
    let root = json::parse(bytes).map_err(|(at, syntax)| {
        vec![DrawProblem::Shared(Problem {
            path: String::new(),
            line: at.line,
            column: at.column,
            place: Place::default(),
            kind: ProblemKind::Syntax(syntax),
        })]
    })?;
    let mut reader = DrawReader {
        shared: Reader::new(&root),
        own: Vec::new(),
    };
    let sealed = reader.file(&root);
    let mut problems = reader.own;
    problems.extend(
        reader
            .shared
            .into_problems(&root)
            .into_iter()
            .map(DrawProblem::Shared),
    );
    problems.sort_by_key(DrawProblem::place);
    match sealed {
        Some(sealed) if problems.is_empty() => Ok(sealed),
        _ => Err(problems),
    }
}

/// Whether bytes are meant as a draw file rather than an event file: such a file says in `draw`
/// what it decides.
pub fn is_draw_file(bytes: &[u8]) -> bool {
    let Ok(root) = json::parse(bytes) else {
        return false;
    };
    let Value::Object(members) = root.value else {
        return false;
    };
    let format = |node: &Node| node.value == Value::Text("tianyuan-draw".into());
    members
        .iter()
        .any(|field| &*field.name == "draw" || (&*field.name == "format" && format(&field.node)))
}

struct DrawReader {
    shared: Reader,
    own: Vec<DrawProblem>,
}

/// What belongs to every draw.
struct Head {
    event: EventId,
    promise: Option<Promise>,
    seed: Option<Seed>,
    log: Option<log_file::Head>,
    sum: Sum,
}

impl DrawReader {
    fn own(&mut self, at: Position, path: impl Into<String>, fault: DrawFault) {
        self.own.push(DrawProblem::Own {
            path: path.into(),
            line: at.line,
            column: at.column,
            fault,
        });
    }

    /// A text that `understand` makes something of.
    fn word<T>(
        &mut self,
        node: &Node,
        path: &str,
        understand: impl FnOnce(&str) -> Result<T, DrawFault>,
    ) -> Option<T> {
        match understand(self.shared.text(node, path)?) {
            Ok(value) => Some(value),
            Err(fault) => {
                self.own(node.at, path, fault);
                None
            }
        }
    }

    fn required_word<T>(
        &mut self,
        object: &Object<'_>,
        name: &'static str,
        understand: impl FnOnce(&str) -> Result<T, DrawFault>,
    ) -> Option<T> {
        let node = self.shared.required(object, name)?;
        self.word(node, &object.path(name), understand)
    }

    fn hex<T>(
        &mut self,
        object: &Object<'_>,
        name: &'static str,
        from: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.required_word(object, name, |text| {
            from(text).ok_or_else(|| DrawFault::NotHex(text.to_owned()))
        })
    }

    /// The items of a list that must be there.
    fn items<'a>(&mut self, object: &Object<'a>, name: &'static str) -> Vec<(&'a Node, String)> {
        let Some(node) = self.shared.required(object, name) else {
            return Vec::new();
        };
        let path = object.path(name);
        let items = self.shared.list(node, &path).iter().enumerate();
        items
            .map(|(index, node)| (node, format!("{path}[{index}]")))
            .collect()
    }

    fn numbers(&mut self, object: &Object<'_>, name: &'static str) -> Vec<Number> {
        let items = self.items(object, name);
        let numbers = items.into_iter();
        numbers
            .filter_map(|(node, path)| self.shared.number(node, &path))
            .collect()
    }

    /// The file. None when something is wrong; then that has been noted.
    fn file(&mut self, root: &Node) -> Option<Sealed> {
        let Value::Object(members) = &root.value else {
            self.shared.object(root, "", fields::ROUND);
            return None;
        };
        // Before anything else: whether this is a file that can be understood here.
        let member = |name: &str| members.iter().find(|field| &*field.name == name);
        let head = |name| member(name).map(|field| &field.node);
        if let Some(node) = head("format").filter(|node| node.value != Value::Text("tianyuan-draw".into())) {
            self.own(node.at, "format", DrawFault::WrongFormat);
            return None;
        }
        if let Some(node) = head("version").filter(|node| node.value != Value::Whole(1)) {
            let found = node.plain().to_string();
            self.own(node.at, "version", DrawFault::WrongVersion(found));
            return None;
        }
        if let Some(Node {
            at,
            value: Value::Text(engine),
        }) = head("engine")
            && **engine != *ENGINE
        {
            self.own(*at, "engine", DrawFault::UnknownEngine((**engine).into()));
            return None;
        }
        let decides = head("draw").and_then(|node| match &node.value {
            Value::Text(word) => Decides::from_word(word),
            _ => None,
        });
        let known = match decides {
            Some(Decides::Numbers) => fields::NUMBERS,
            Some(Decides::Groups) => fields::GROUPS,
            Some(Decides::Round(_)) | None => fields::ROUND,
        };
        let object = self.shared.object(root, "", known)?;
        for name in ["format", "version"] {
            self.shared.required(&object, name);
        }
        let engine = self.required_word(&object, "engine", |text| Ok(text.to_owned()));
        self.required_word(&object, "draw", |text| {
            Decides::from_word(text).ok_or_else(|| DrawFault::NotADraw(text.to_owned()))
        });
        let head = self.head(&object);
        let content = match decides? {
            Decides::Round(round) => self
                .round(&object, round)
                .map(|draw| Content::Round(Box::new(draw))),
            Decides::Numbers => Some(Content::Numbers(self.number_draw(&object))),
            Decides::Groups => self.group_draw(&object).map(Content::Groups),
        };
        let (engine, head, content) = (engine?, head?, content?);
        if head.seed.is_none() && draws_lots(&content) {
            self.own(root.at, "seed", DrawFault::NoSeed);
        }
        Some(Sealed {
            draw: DrawFile {
                engine,
                event: head.event,
                promise: head.promise,
                seed: head.seed,
                log: head.log,
                content,
            },
            written: head.sum,
            found: write::sum(root.plain()),
        })
    }

    fn head(&mut self, object: &Object<'_>) -> Option<Head> {
        let event = self.required_word(object, "event", |text| {
            EventId::new(text).ok_or_else(|| DrawFault::NotAnEvent(text.to_owned()))
        });
        let sum = self.hex(object, "sum", Sum::from_lower_hex);
        let has = |name| object.get(name).is_some();
        let promised = ["commitment", "secret", "words"].iter().any(|name| has(name));
        let seed = if has("seed") {
            Some(self.hex(object, "seed", Seed::from_lower_hex)?)
        } else {
            None
        };
        let promise = if promised {
            let parts = ["commitment", "secret", "words", "seed"];
            if let Some(missing) = parts.into_iter().find(|name| !has(name)) {
                self.own(object.at, missing, DrawFault::HalfAPromise { missing });
                return None;
            }
            let commitment = self.hex(object, "commitment", Commitment::from_lower_hex);
            let secret = self.hex(object, "secret", Secret::from_lower_hex);
            let words = self.words(object);
            Some(Promise {
                commitment: commitment?,
                secret: secret?,
                words,
            })
        } else {
            None
        };
        let log = match object.get("log") {
            Some(_) => Some(self.required_word(object, "log", |text| {
                let whole = |head: &log_file::Head| head.digits.len() == 64 && head.to_string() == text;
                let head = log_file::Head::parse(text).filter(whole);
                head.ok_or_else(|| DrawFault::NotALogHead(text.to_owned()))
            })?),
            None => None,
        };
        Some(Head {
            event: event?,
            promise,
            seed,
            log,
            sum: sum?,
        })
    }

    fn words(&mut self, object: &Object<'_>) -> Vec<Word> {
        let mut words = Vec::new();
        for (node, path) in self.items(object, "words") {
            words.extend(self.word(node, &path, |text| {
                let word = Word::new(text)?;
                if word.as_str() == text {
                    Ok(word)
                } else {
                    Err(DrawFault::WordForm(word.as_str().to_owned()))
                }
            }));
        }
        words
    }

    fn round(&mut self, object: &Object<'_>, round: u32) -> Option<RoundDraw> {
        let input = self.input(object, round);
        let choices = self.choices(object);
        let players = self.shared.required(object, "players").map(|node| {
            self.shared.list(node, "players");
            node.plain()
        });
        let table = self
            .shared
            .required(object, "table")
            .and_then(|node| self.table(node, round));
        let criteria = self.shared.required(object, "criteria").map(Node::plain);
        let certificate = object.get("certificate").map(Node::plain);
        let input = input?;
        let settings = &input.stage.pairing;
        let order = self.lots(object, "order", settings.order == PairingOrder::Random);
        let colours = self.lots(object, "colours", settings.colours == Colours::Lots);
        Some(RoundDraw {
            choices,
            order,
            colours,
            players: players?,
            table: table?,
            criteria: criteria?,
            certificate,
            input,
        })
    }

    /// A list that stands there exactly when lots are drawn for it.
    fn lots(&mut self, object: &Object<'_>, name: &'static str, drawn: bool) -> Option<Vec<Number>> {
        match (drawn, object.get(name)) {
            (true, _) => Some(self.numbers(object, name)),
            (false, Some(node)) => {
                self.own(node.at, name, DrawFault::NoLots { field: name });
                None
            }
            (false, None) => None,
        }
    }

    fn input(&mut self, object: &Object<'_>, round: u32) -> Option<EventFile> {
        let node = self.shared.required(object, "input")?;
        match of_node(node) {
            Ok(input) => {
                let next = input.stage.next_round();
                if next != round {
                    self.own(node.at, "input.rounds", DrawFault::OtherRound { round, next });
                    return None;
                }
                Some(input)
            }
            Err(problems) => {
                self.own.extend(problems.into_iter().map(|mut problem| {
                    let inside = !problem.path.is_empty();
                    problem.path = format!("input{}{}", if inside { "." } else { "" }, problem.path);
                    DrawProblem::Shared(problem)
                }));
                None
            }
        }
    }

    fn choices(&mut self, object: &Object<'_>) -> Choices {
        let choices = object
            .get("choices")
            .and_then(|node| self.shared.object(node, "choices", event_fields::CHOICES));
        choices
            .map(|choices| self.shared.choices(&choices))
            .unwrap_or_default()
    }

    fn table(&mut self, node: &Node, round: u32) -> Option<Round> {
        let object = self.shared.object(node, "table", fields::TABLE)?;
        let mut boards = Vec::new();
        for (node, path) in self.items(&object, "boards") {
            let Some(object) = self.shared.object(node, &path, fields::BOARD) else {
                continue;
            };
            let board = self.shared.required(&object, "board").and_then(|node| {
                let found = self
                    .shared
                    .whole_number(node, &object.path("board"), 1, 999_999)?;
                u32::try_from(found).ok()
            });
            let (black, white) = (self.number(&object, "black"), self.number(&object, "white"));
            if let (Some(board), Some(black), Some(white)) = (board, black, white) {
                boards.push(Board::new(board, black, white));
            }
        }
        Some(Round {
            round,
            boards,
            byes: self.numbers(&object, "byes"),
            ..Round::default()
        })
    }

    fn number(&mut self, object: &Object<'_>, name: &'static str) -> Option<Number> {
        let node = self.shared.required(object, name)?;
        self.shared.number(node, &object.path(name))
    }

    fn name(&mut self, object: &Object<'_>) -> Option<String> {
        let node = object.get("name")?;
        self.shared.text(node, &object.path("name")).map(str::to_owned)
    }

    fn number_draw(&mut self, object: &Object<'_>) -> NumberDraw {
        let slots = self.numbers(object, "slots");
        let mut entries = Vec::new();
        for (node, path) in self.items(object, "entries") {
            let Some(object) = self.shared.object(node, &path, fields::NUMBERED) else {
                continue;
            };
            let name = self.name(&object);
            let seeded = self
                .shared
                .required(&object, "seeded")
                .is_some_and(|_| self.shared.truth(&object, "seeded", false));
            if let Some(number) = self.number(&object, "number") {
                entries.push(NumberedEntry { name, seeded, number });
            }
        }
        let draw = numbers_of(&slots, entries.iter().map(|entry| entry.seeded));
        if self.is_clean()
            && let Err(fault) = draw.check()
        {
            self.own(object.at, "slots", fault.into());
        }
        NumberDraw { slots, entries }
    }

    fn group_draw(&mut self, object: &Object<'_>) -> Option<GroupDraw> {
        let groups = self.size(object, "groups", 2, Groups::MAX)?;
        let snake = self.required_word(object, "split", |word| match word {
            "lots" => Ok(false),
            "snake" => Ok(true),
            _ => Err(DrawFault::NotASplit(word.to_owned())),
        })?;
        let split = if snake {
            let layer = self.size(object, "layer", 1, Number::MAX as usize)?;
            Split::Snake { layer }
        } else {
            if let Some(node) = object.get("layer") {
                self.own(node.at, "layer", DrawFault::NoLayers);
            }
            Split::Lots
        };
        let mut entries = Vec::new();
        for (node, path) in self.items(object, "entries") {
            let Some(object) = self.shared.object(node, &path, fields::GROUPED) else {
                continue;
            };
            let name = self.name(&object);
            let number = object
                .get("number")
                .and_then(|node| self.shared.number(node, &object.path("number")));
            let group = self.required_word(&object, "group", |letter| {
                let of = (0..groups).find(|group| Groups::letter(*group).to_string() == letter);
                of.ok_or_else(|| DrawFault::NotAGroup {
                    found: letter.to_owned(),
                    last: Groups::letter(groups - 1),
                })
            });
            if let Some(group) = group {
                entries.push(GroupedEntry { name, number, group });
            }
        }
        let draw = Groups {
            entries: entries.len(),
            groups,
            split,
        };
        if self.is_clean()
            && let Err(fault) = draw.check()
        {
            self.own(object.at, "entries", fault.into());
        }
        Some(GroupDraw {
            groups,
            split,
            entries,
        })
    }

    fn size(&mut self, object: &Object<'_>, name: &'static str, least: usize, most: usize) -> Option<usize> {
        let node = self.shared.required(object, name)?;
        let bound = |bound: usize| i64::try_from(bound).unwrap_or(i64::MAX);
        let found = self
            .shared
            .whole_number(node, &object.path(name), bound(least), bound(most))?;
        usize::try_from(found).ok()
    }

    fn is_clean(&self) -> bool {
        self.own.is_empty() && self.shared.is_clean()
    }
}

/// Whether a draw cannot be repeated without its seed.
fn draws_lots(content: &Content) -> bool {
    match content {
        Content::Round(round) => round.input.stage.pairing.needs_seed(),
        Content::Numbers(_) | Content::Groups(_) => true,
    }
}
