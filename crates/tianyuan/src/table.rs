//! Tables for people: columns aligned by the width of the characters on a terminal.

use interchange::names::set_apart;
use unicode_width::UnicodeWidthStr;

/// How a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells under a head.
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(columns: Vec<(String, Align)>) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    /// Adds a row; it has a cell for each column.
    pub fn row(&mut self, cells: Vec<String>) {
        let apart = |cell: String| set_apart(&cell).into_owned();
        self.rows.push(cells.into_iter().map(apart).collect());
    }

    /// The table as lines. Columns in which no row has anything are left out.
    pub fn print(&self) -> String {
        let used: Vec<usize> = (0..self.columns.len())
            .filter(|column| self.rows.is_empty() || self.rows.iter().any(|row| !row[*column].is_empty()))
            .collect();
        let head: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let lines: Vec<&Vec<String>> = std::iter::once(&head).chain(&self.rows).collect();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| lines.iter().map(|line| line[column].width()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for line in lines {
            let cells: Vec<String> = used
                .iter()
                .map(|column| {
                    let pad = " ".repeat(widths[*column] - line[*column].width());
                    match self.columns[*column].1 {
                        Align::Left => format!("{}{pad}", line[*column]),
                        Align::Right => format!("{pad}{}", line[*column]),
                    }
                })
                .collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_places() {
        let mut table = Table::new(vec![
            ("Name".into(), Align::Left),
            ("Team".into(), Align::Left),
            ("Score".into(), Align::Right),
        ]);
        table.row(vec!["李小明".into(), String::new(), "4".into()]);
        table.row(vec!["Anna".into(), String::new(), "10".into()]);
        table.row(vec!["דוד".into(), String::new(), "2".into()]);
        assert_eq!(
            table.print(),
            "Name    Score\n李小明      4\nAnna       10\n\u{2068}דוד\u{2069}         2\n"
        );
    }
}
