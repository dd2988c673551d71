//! Board sizes, points and moves.

use std::fmt;

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Black (黑方).
    Black,
    /// White (白方).
    White,
}

impl Colour {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// `black` or `white`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sides<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

impl<T> std::ops::Index<Colour> for Sides<T> {
    type Output = T;

    fn index(&self, side: Colour) -> &T {
        match side {
            Colour::Black => &self.black,
            Colour::White => &self.white,
        }
    }
}

impl<T> std::ops::IndexMut<Colour> for Sides<T> {
    fn index_mut(&mut self, side: Colour) -> &mut T {
        match side {
            Colour::Black => &mut self.black,
            Colour::White => &mut self.white,
        }
    }
}

/// The size of a board: 2 to 52 lines each way. Boards for judging are square; a record may have another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    columns: u8,
    rows: u8,
}

impl Size {
    /// The fewest lines of a board.
    pub const LEAST: u8 = 2;
    /// The most lines of a board, as many as a record can name.
    pub const MOST: u8 = 52;
    /// 19×19 (十九路).
    pub const NINETEEN: Self = Self {
        columns: 19,
        rows: 19,
    };

    /// A board of so many columns and rows, when both are within 2 to 52.
    pub fn new(columns: u8, rows: u8) -> Option<Self> {
        let fits = |lines| (Self::LEAST..=Self::MOST).contains(&lines);
        (fits(columns) && fits(rows)).then_some(Self { columns, rows })
    }

    /// A square board.
    pub fn square(lines: u8) -> Option<Self> {
        Self::new(lines, lines)
    }

    /// Lines from left to right.
    pub fn columns(self) -> u8 {
        self.columns
    }

    /// Lines from top to bottom.
    pub fn rows(self) -> u8 {
        self.rows
    }

    /// Whether both are the same.
    pub fn is_square(self) -> bool {
        self.columns == self.rows
    }

    /// How many points the board has, at most 2,704.
    pub fn points(self) -> u16 {
        u16::from(self.columns) * u16::from(self.rows)
    }

    /// Whether the point lies on the board.
    pub fn holds(self, point: Point) -> bool {
        point.column < self.columns && point.row < self.rows
    }

    /// Every point, row by row from the top left.
    pub fn all(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| Point { column, row }))
    }
}

impl fmt::Display for Size {
    /// `19×19`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.columns, self.rows)
    }
}

/// A point of the board, counted from 0 at the top left, as game records count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// From the left.
    pub column: u8,
    /// From the top.
    pub row: u8,
}

impl Point {
    /// A point from the two letters of a record: `a` to `z`, then `A` to `Z`; column first. `None` when
    /// they are not two such letters. Whether it lies on the board is for [`Size::holds`] to say.
    pub fn from_record(text: &str) -> Option<Self> {
        Self::from_letters(text.as_bytes())
    }

    /// The same from bytes.
    pub(crate) fn from_letters(letters: &[u8]) -> Option<Self> {
        let place = |letter: u8| match letter {
            b'a'..=b'z' => Some(letter - b'a'),
            b'A'..=b'Z' => Some(letter - b'A' + 26),
            _ => None,
        };
        match *letters {
            [column, row] => Some(Self {
                column: place(column)?,
                row: place(row)?,
            }),
            _ => None,
        }
    }

    /// The two letters of a record: `pd`.
    ///
    /// # Panics
    /// Never for a point of a board.
    pub fn to_record(self) -> String {
        [self.column, self.row].map(record_letter).iter().collect()
    }

    /// As people name it: the column's letter without I, the row counted from the bottom: `Q16`.
    /// Columns beyond Z are doubled letters: `AA`.
    pub fn name(self, size: Size) -> String {
        let row = size.rows.saturating_sub(self.row);
        format!("{}{row}", column_name(self.column))
    }

    /// The point above, below, left and right, as far as they are on the board.
    pub fn neighbours(self, size: Size) -> impl Iterator<Item = Self> {
        let Self { column, row } = self;
        [
            row.checked_sub(1).map(|row| Self { column, row }),
            Some(Self { column, row: row + 1 }),
            column.checked_sub(1).map(|column| Self { column, row }),
            Some(Self {
                column: column + 1,
                row,
            }),
        ]
        .into_iter()
        .flatten()
        .filter(move |point| size.holds(*point))
    }
}

/// The letters of a column: A to Z without I, then AA to ZZ.
pub fn column_name(column: u8) -> String {
    const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let letter = char::from(LETTERS[usize::from(column) % 25]);
    let times = usize::from(column) / 25 + 1;
    std::iter::repeat_n(letter, times).collect()
}

fn record_letter(place: u8) -> char {
    char::from(if place < 26 {
        b'a' + place
    } else {
        b'A' + (place - 26).min(25)
    })
}

/// What a side does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A stone on a point.
    Stone(Point),
    /// A pass (虚着, 放弃).
    Pass,
}

impl Move {
    /// The point of a stone.
    pub fn point(self) -> Option<Point> {
        match self {
            Self::Stone(point) => Some(point),
            Self::Pass => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_written_as_records_and_people_write_it() {
        for (text, size, name) in [
            ("pd", 19, "Q16"),
            ("aa", 19, "A19"),
            ("ss", 19, "T1"),
            ("ii", 19, "J11"),
            ("ZZ", 52, "BBB1"),
            ("yA", 52, "Z26"),
            ("za", 52, "AA52"),
        ] {
            let point = Point::from_record(text).expect(text);
            let size = Size::square(size).expect("a size");
            assert!(size.holds(point));
            assert_eq!(
                (point.to_record().as_str(), point.name(size).as_str()),
                (text, name)
            );
        }
        for text in ["", "a", "abc", "a1", "é", "围", "[]"] {
            assert_eq!(Point::from_record(text), None, "{text}");
        }
    }

    #[test]
    fn a_board_has_2_to_52_lines() {
        assert_eq!(Size::square(1), None);
        assert_eq!(Size::new(2, 53), None);
        assert_eq!(Size::new(19, 9).map(Size::points), Some(171));
        let size = Size::square(52).expect("the largest");
        assert_eq!(size.all().count(), 2704);
        assert!(
            size.all()
                .all(|point| Point::from_record(&point.to_record()) == Some(point))
        );
    }

    #[test]
    fn a_corner_has_two_neighbours() {
        let size = Size::NINETEEN;
        let near = |column, row| Point { column, row }.neighbours(size).count();
        assert_eq!(
            [near(0, 0), near(18, 18), near(0, 5), near(5, 18), near(9, 9)],
            [2, 2, 3, 3, 4]
        );
    }
}
