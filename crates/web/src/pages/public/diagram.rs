//! A position as a drawing: SVG that needs no script and prints.
//!
//! Everything of one kind is one path, whose dots and squares are the ends of lines without length: a
//! full board takes a few kilobytes, and a script changes a position by changing a handful of paths.
//! Colours come from the style sheet, so that dark mode and paper have their own.

use std::fmt::{self, Write as _};

use rules::{Colour, Move, Owner, Point, Sides, Size, Verdict, column_name};

/// From one line to the next, in units of the drawing.
const STEP: i32 = 10;
/// From the outermost line to the edge of the wood, with room for coordinates.
const MARGIN: i32 = 14;

/// The board after some moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The board.
    pub size: Size,
    /// Row by row from the top left.
    pub stones: Vec<Option<Colour>>,
    /// The move that placed each stone that is there; 0 for one that was set up.
    pub numbers: Vec<u32>,
    /// The point of the last move, when it was a stone.
    pub last: Option<Point>,
    /// Prisoners that each side has taken so far.
    pub captures: Sides<u32>,
}

impl Position {
    /// The board after so many moves of a judged record, at most all of them. Which stones a move took
    /// stands in the verdict; nothing is judged here.
    pub fn after(verdict: &Verdict, moves: usize) -> Self {
        let size = verdict.size;
        let mut position = Self {
            size,
            stones: vec![None; usize::from(size.points())],
            numbers: vec![0; usize::from(size.points())],
            last: None,
            captures: Sides::default(),
        };
        for (colour, point) in &verdict.setup {
            position.put(*point, Some(*colour), 0);
        }
        let mut midgame = verdict.setup_midgame.iter().peekable();
        for (number, played) in (1u32..).zip(verdict.moves.iter().take(moves)) {
            while let Some((_, colour, point)) = midgame.next_if(|(before, _, _)| *before <= number) {
                position.put(*point, *colour, 0);
            }
            position.last = None;
            if let (Move::Stone(point), false) = (played.play, played.void) {
                position.put(point, Some(played.side), number);
                position.last = Some(point);
            }
            for point in &played.captured {
                let taken = position.at(*point);
                position.put(*point, None, 0);
                if let Some(taken) = taken {
                    position.captures[taken.other()] += 1;
                }
                if position.last == Some(*point) {
                    position.last = None;
                }
            }
        }
        if moves >= verdict.moves.len() {
            for (_, colour, point) in midgame {
                position.put(*point, *colour, 0);
            }
        }
        position
    }

    fn index(&self, point: Point) -> Option<usize> {
        let row = usize::from(point.row) * usize::from(self.size.columns());
        self.size.holds(point).then(|| row + usize::from(point.column))
    }

    fn put(&mut self, point: Point, stone: Option<Colour>, number: u32) {
        if let Some(index) = self.index(point) {
            self.stones[index] = stone;
            self.numbers[index] = number;
        }
    }

    /// The stone on a point.
    pub fn at(&self, point: Point) -> Option<Colour> {
        self.index(point).and_then(|index| self.stones[index])
    }

    /// The stones that hang together with the one on a point; none where there is no stone.
    pub fn chain(&self, point: Point) -> Vec<Point> {
        let Some(colour) = self.at(point) else {
            return Vec::new();
        };
        let mut seen = vec![false; self.stones.len()];
        let mut open = vec![point];
        let mut chain = Vec::new();
        while let Some(point) = open.pop() {
            let Some(index) = self.index(point) else { continue };
            if !seen[index] && self.stones[index] == Some(colour) {
                seen[index] = true;
                chain.push(point);
                open.extend(point.neighbours(self.size));
            }
        }
        chain.sort_by_key(|point| (point.row, point.column));
        chain
    }

    /// All chains of the board.
    pub fn chains(&self) -> Vec<Vec<Point>> {
        let mut seen = vec![false; self.stones.len()];
        let mut chains = Vec::new();
        for point in self.size.all() {
            let known = self.index(point).is_none_or(|index| seen[index]);
            if !known && self.at(point).is_some() {
                let chain = self.chain(point);
                for index in chain.iter().filter_map(|point| self.index(*point)) {
                    seen[index] = true;
                }
                chains.push(chain);
            }
        }
        chains
    }
}

/// A drawing of a position. `Display` writes the SVG element.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// What is on the board.
    pub position: Position,
    /// How many of the last moves carry their numbers; 0 for a mark on the last stone alone.
    pub numbered: u32,
    /// The last move that was played, for the numbers.
    pub number: u32,
    /// Who has each point, when the position is counted.
    pub owners: Vec<Owner>,
    /// The dead stones, when the position is counted.
    pub dead: Vec<Point>,
    /// What it is, in a few words.
    pub title: String,
    /// What is on it, in a sentence.
    pub description: String,
}

fn place(line: u8) -> i32 {
    i32::from(line) * STEP
}

/// The dots of all these points, each the end of a line without length.
fn dots(points: impl IntoIterator<Item = Point>) -> String {
    let mut path = String::new();
    for Point { column, row } in points {
        let _ = write!(path, "M{} {}h0", place(column), place(row));
    }
    path
}

/// The star points (星位) of a board: of odd square boards from 9 lines on, as they are usual; the
/// smaller ones have the centre alone, others none.
pub fn stars(size: Size) -> Vec<Point> {
    let lines = size.columns();
    if !size.is_square() || lines.is_multiple_of(2) || lines < 5 {
        return Vec::new();
    }
    let middle = lines / 2;
    let edge = if lines >= 13 { 3 } else { 2 };
    let at = |column, row| Point { column, row };
    if lines < 9 {
        return vec![at(middle, middle)];
    }
    let far = lines - 1 - edge;
    let corners = [at(edge, edge), at(far, edge), at(edge, far), at(far, far)];
    let mut stars = corners.to_vec();
    stars.push(at(middle, middle));
    if lines >= 15 {
        stars.extend([
            at(middle, edge),
            at(edge, middle),
            at(far, middle),
            at(middle, far),
        ]);
    }
    stars
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { size, stones, .. } = &self.position;
        let (right, bottom) = (place(size.columns() - 1), place(size.rows() - 1));
        let (width, height) = (right + 2 * MARGIN, bottom + 2 * MARGIN);
        // On few lines the letters would be as large as the stones.
        let small = if size.columns() < 13 { " small" } else { "" };
        write!(
            f,
            "<svg class=\"goban{small}\" viewBox=\"-{MARGIN} -{MARGIN} {width} {height}\" role=\"img\" \
             aria-labelledby=\"goban-title\" aria-describedby=\"goban-said\" data-goban>\
             <title id=\"goban-title\">{}</title><desc id=\"goban-said\">{}</desc>\
             <rect class=\"wood\" x=\"-{MARGIN}\" y=\"-{MARGIN}\" width=\"{width}\" height=\"{height}\"/>",
            Escaped(&self.title),
            Escaped(&self.description),
        )?;
        let mut lines = String::new();
        for row in 0..size.rows() {
            let _ = write!(lines, "M0 {}H{right}", place(row));
        }
        for column in 0..size.columns() {
            let _ = write!(lines, "M{} 0V{bottom}", place(column));
        }
        write!(
            f,
            "<path class=\"lines\" d=\"{lines}\"/><rect class=\"edge\" width=\"{right}\" height=\"{bottom}\"/>\
             <path class=\"stars\" d=\"{}\"/>",
            dots(stars(*size)),
        )?;
        f.write_str("<g class=\"coordinates\">")?;
        for column in 0..size.columns() {
            let (x, name) = (place(column), column_name(column));
            let below = bottom + 11;
            write!(
                f,
                "<text x=\"{x}\" y=\"-7\">{name}</text><text x=\"{x}\" y=\"{below}\">{name}</text>"
            )?;
        }
        for row in 0..size.rows() {
            let (y, name) = (place(row) + 2, size.rows() - row);
            let beside = right + 9;
            write!(
                f,
                "<text x=\"-9\" y=\"{y}\">{name}</text><text x=\"{beside}\" y=\"{y}\">{name}</text>"
            )?;
        }
        f.write_str("</g>")?;
        let dead = |point: &Point| self.dead.contains(point);
        let of = |colour: Colour, fallen: bool| {
            dots(
                size.all()
                    .zip(stones)
                    .filter(|(point, stone)| **stone == Some(colour) && dead(point) == fallen)
                    .map(|(point, _)| point),
            )
        };
        for (fallen, class) in [(false, "stones"), (true, "stones dead")] {
            let (black, white) = (of(Colour::Black, fallen), of(Colour::White, fallen));
            write!(
                f,
                "<g class=\"{class}\"><path class=\"b\" d=\"{black}\"/><path class=\"we\" d=\"{white}\"/>\
                 <path class=\"w\" d=\"{white}\"/></g>",
            )?;
        }
        let owned = |owner: Owner| {
            size.all()
                .zip(&self.owners)
                .filter(move |(point, who)| {
                    **who == owner && (self.position.at(*point).is_none() || self.dead.contains(point))
                })
                .map(|(point, _)| point)
        };
        let mut shared = String::new();
        for Point { column, row } in owned(Owner::Shared).chain(owned(Owner::Seki)) {
            let _ = write!(shared, "M{} {}l2 2 2-2-2-2z", place(column) - 2, place(row));
        }
        let white = dots(owned(Owner::White));
        write!(
            f,
            "<g class=\"territory\"><path class=\"b\" d=\"{}\"/><path class=\"we\" d=\"{white}\"/>\
             <path class=\"w\" d=\"{white}\"/><path class=\"s\" d=\"{shared}\"/></g>",
            dots(owned(Owner::Black)),
        )?;
        f.write_str("<g class=\"numbers\">")?;
        let from = self.number.saturating_sub(self.numbered);
        for ((point, stone), number) in size.all().zip(stones).zip(&self.position.numbers) {
            let told = *number > from && self.numbered > 0 && !dead(&point);
            if let (Some(colour), true) = (stone, told) {
                let class = if *colour == Colour::Black { "b" } else { "w" };
                let long = if *number > 99 { " l" } else { "" };
                let (x, y) = (place(point.column), place(point.row) + 2);
                write!(
                    f,
                    "<text class=\"{class}{long}\" x=\"{x}\" y=\"{y}\">{number}</text>"
                )?;
            }
        }
        f.write_str("</g><g class=\"last\">")?;
        if let (Some(point), 0) = (self.position.last, self.numbered) {
            let class = match self.position.at(point) {
                Some(Colour::Black) => "b",
                _ => "w",
            };
            let (x, y) = (place(point.column), place(point.row));
            write!(f, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"2.4\"/>")?;
        }
        f.write_str("</g></svg>")
    }
}

/// A text between tags.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Point {
        Point::from_record(text).expect("a point")
    }

    fn full(size: Size) -> Diagram {
        let stones = size.all().map(|point| match (point.column + point.row) % 3 {
            0 => Some(Colour::Black),
            1 => Some(Colour::White),
            _ => None,
        });
        let points = usize::from(size.points());
        Diagram {
            position: Position {
                size,
                stones: stones.collect(),
                numbers: (1..).take(points).collect(),
                last: Some(at("aa")),
                captures: Sides::default(),
            },
            numbered: 0,
            number: u32::from(size.points()),
            owners: vec![Owner::Shared; points],
            dead: vec![at("aa")],
            title: "<b>".to_owned(),
            description: "a & b".to_owned(),
        }
    }

    #[test]
    fn a_full_board_is_small_and_needs_neither_script_nor_style() {
        let plain = full(Size::NINETEEN).to_string();
        let numbered = Diagram {
            numbered: 400,
            ..full(Size::NINETEEN)
        }
        .to_string();
        let largest = full(Size::square(52).expect("a size")).to_string();
        assert!(plain.len() < 20_000, "{}", plain.len());
        assert!(numbered.len() < 35_000, "{}", numbered.len());
        assert!(largest.len() < 60_000, "{}", largest.len());
        for svg in [plain, numbered, largest] {
            assert!(!svg.contains("style=") && !svg.contains("<script"));
            assert!(svg.contains(">&lt;b></title>") || svg.contains(">&lt;b&gt;</title>"));
            assert!(svg.contains("a &amp; b"));
        }
    }

    #[test]
    fn coordinates_stand_on_all_sides_and_stars_where_they_are_usual() {
        let svg = full(Size::NINETEEN).to_string();
        for (text, times) in [(">A<", 2), (">T<", 2), (">I<", 0), (">1<", 2), (">19<", 2)] {
            assert_eq!(svg.matches(text).count(), times, "{text}");
        }
        let counted = [2, 4, 5, 7, 9, 11, 13, 15, 19, 20, 37]
            .map(|lines| stars(Size::square(lines).expect("a size")).len());
        assert_eq!(counted, [0, 0, 1, 1, 5, 5, 5, 9, 9, 0, 9]);
        assert_eq!(stars(Size::NINETEEN)[0], at("dd"));
        assert_eq!(stars(Size::square(9).expect("a size"))[0], at("cc"));
    }

    #[test]
    fn stones_that_touch_along_the_lines_are_one_chain() {
        let mut position = full(Size::square(5).expect("a size")).position;
        position.stones.fill(None);
        for text in ["aa", "ab", "bb", "dd", "ed", "ec"] {
            position.put(at(text), Some(Colour::Black), 0);
        }
        position.put(at("cb"), Some(Colour::White), 0);
        let chains: Vec<usize> = position.chains().iter().map(Vec::len).collect();
        assert_eq!(chains, [3, 1, 3]);
        assert_eq!(position.chain(at("bb")), [at("aa"), at("ab"), at("bb")]);
        assert_eq!(position.chain(at("ca")), []);
    }
}
