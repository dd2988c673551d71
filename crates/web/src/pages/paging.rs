//! Long tables in pages: a table of ten thousand lines would weigh tens of megabytes on a phone.

use std::ops::Range;

/// The most lines on one page: every usual event has one page only.
pub const LINES: usize = 500;

/// A page of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLink {
    /// Its address.
    pub href: String,
    /// Its first and last line: `501–1000`.
    pub lines: String,
    /// Whether it is the one that is shown.
    pub here: bool,
}

/// The lines that page `asked` of a table shows (1 is the first page; what is too large is the
/// last one), and all of its pages when it has more than one.
pub fn paged(
    lines: usize,
    asked: Option<usize>,
    href: impl Fn(usize) -> String,
) -> (Range<usize>, Vec<PageLink>) {
    let pages = lines.div_ceil(LINES).max(1);
    let here = asked.unwrap_or(1).clamp(1, pages);
    let shown = |page: usize| (page - 1) * LINES..(page * LINES).min(lines);
    let links = (1..=pages).filter(|_| pages > 1).map(|page| PageLink {
        href: href(page),
        lines: format!("{}–{}", shown(page).start + 1, shown(page).end),
        here: page == here,
    });
    (shown(here), links.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_on_one_page() {
        for lines in [0, 1, 499, 500, 501, 1000, 10_000, 10_001] {
            let (_, links) = paged(lines, None, |page| page.to_string());
            let pages = links.len().max(1);
            let mut next = 0;
            for page in 1..=pages {
                let (shown, links) = paged(lines, Some(page), |page| page.to_string());
                assert_eq!(shown.start, next, "{lines} lines, page {page}");
                assert!(shown.len() <= LINES);
                assert!(links.is_empty() || links.iter().filter(|link| link.here).count() == 1);
                next = shown.end;
            }
            assert_eq!(next, lines);
            assert_eq!(paged(lines, Some(0), |_| String::new()).0.start, 0);
            assert_eq!(paged(lines, Some(usize::MAX), |_| String::new()).0.end, lines);
        }
    }
}
