//! Who is still tied while the criteria are applied one after the other.

use std::cmp::Ordering;

/// Entries in the order of the table so far, cut into groups of those that nothing separates yet.
pub(super) struct Groups {
    order: Vec<usize>,
    /// Where each group ends in `order`; no group is empty.
    ends: Vec<usize>,
}

impl Groups {
    /// One group, in this order.
    pub(super) fn all_equal(order: Vec<usize>) -> Self {
        let ends = if order.is_empty() {
            Vec::new()
        } else {
            vec![order.len()]
        };
        Self { order, ends }
    }

    /// Splits each group by one more comparison. Those equal in it keep the order they had.
    pub(super) fn split(&mut self, compare: impl Fn(usize, usize) -> Ordering) {
        let mut ends = Vec::with_capacity(self.order.len());
        let mut start = 0;
        for &end in &self.ends {
            let group = &mut self.order[start..end];
            group.sort_by(|a, b| compare(*a, *b));
            for part in group.chunk_by(|a, b| compare(*a, *b).is_eq()) {
                start += part.len();
                ends.push(start);
            }
        }
        self.ends = ends;
    }

    fn iter(&self) -> impl Iterator<Item = (usize, &[usize])> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let first = std::mem::replace(&mut start, end);
            (first, &self.order[first..end])
        })
    }

    /// The groups of two or more.
    pub(super) fn tied(&self) -> impl Iterator<Item = &[usize]> {
        self.iter()
            .map(|(_, group)| group)
            .filter(|group| group.len() > 1)
    }

    /// Each group with its place, from 1.
    pub(super) fn placed(&self) -> impl Iterator<Item = (u32, &[usize])> {
        self.iter()
            .map(|(first, group)| (u32::try_from(first + 1).unwrap_or(u32::MAX), group))
    }
}
