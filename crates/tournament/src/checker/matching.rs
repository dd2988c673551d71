//! How many pairs a graph allows at most (Edmonds 1965): enough to know how few repeats are possible.

/// The size of a maximum matching. `joined(a, b)` is symmetric.
pub(super) fn most_pairs(n: usize, joined: impl Fn(usize, usize) -> bool) -> usize {
    let neighbours: Vec<Vec<usize>> = (0..n)
        .map(|a| (0..n).filter(|b| a != *b && joined(a, *b)).collect())
        .collect();
    let mut search = Search {
        neighbours,
        partner: vec![None; n],
        parent: vec![None; n],
        base: (0..n).collect(),
        outer: vec![false; n],
    };
    for a in 0..n {
        if search.partner[a].is_none() {
            let free = search.neighbours[a]
                .iter()
                .copied()
                .find(|b| search.partner[*b].is_none());
            if let Some(b) = free {
                search.partner[a] = Some(b);
                search.partner[b] = Some(a);
            }
        }
    }
    for root in 0..n {
        if search.partner[root].is_none()
            && let Some(end) = search.augmenting_path(root)
        {
            search.augment(end);
        }
    }
    search.partner.iter().flatten().count() / 2
}

struct Search {
    neighbours: Vec<Vec<usize>>,
    partner: Vec<Option<usize>>,
    /// The vertex from which an inner vertex was reached.
    parent: Vec<Option<usize>>,
    /// The base of the blossom a vertex lies in.
    base: Vec<usize>,
    outer: Vec<bool>,
}

impl Search {
    fn augmenting_path(&mut self, root: usize) -> Option<usize> {
        let n = self.partner.len();
        self.outer.fill(false);
        self.parent.fill(None);
        for (vertex, base) in self.base.iter_mut().enumerate() {
            *base = vertex;
        }
        self.outer[root] = true;
        let mut queue = std::collections::VecDeque::from([root]);
        while let Some(from) = queue.pop_front() {
            for k in 0..self.neighbours[from].len() {
                let to = self.neighbours[from][k];
                if self.base[from] == self.base[to] || self.partner[from] == Some(to) {
                    continue;
                }
                let closes_odd_cycle =
                    to == root || self.partner[to].is_some_and(|mate| self.parent[mate].is_some());
                if closes_odd_cycle {
                    let top = self.common_base(from, to);
                    let mut in_blossom = vec![false; n];
                    self.mark(from, top, to, &mut in_blossom);
                    self.mark(to, top, from, &mut in_blossom);
                    for vertex in 0..n {
                        if in_blossom[self.base[vertex]] {
                            self.base[vertex] = top;
                            if !self.outer[vertex] {
                                self.outer[vertex] = true;
                                queue.push_back(vertex);
                            }
                        }
                    }
                } else if self.parent[to].is_none() {
                    self.parent[to] = Some(from);
                    match self.partner[to] {
                        None => return Some(to),
                        Some(mate) => {
                            self.outer[mate] = true;
                            queue.push_back(mate);
                        }
                    }
                }
            }
        }
        None
    }

    fn common_base(&self, a: usize, b: usize) -> usize {
        let mut seen = vec![false; self.partner.len()];
        let mut at = self.base[a];
        loop {
            seen[at] = true;
            match self.partner[at].and_then(|mate| self.parent[mate]) {
                Some(up) => at = self.base[up],
                None => break,
            }
        }
        let mut at = self.base[b];
        while !seen[at] {
            match self.partner[at].and_then(|mate| self.parent[mate]) {
                Some(up) => at = self.base[up],
                None => break,
            }
        }
        at
    }

    fn mark(&mut self, from: usize, top: usize, child: usize, in_blossom: &mut [bool]) {
        let (mut at, mut child) = (from, child);
        while self.base[at] != top {
            let Some(mate) = self.partner[at] else { break };
            in_blossom[self.base[at]] = true;
            in_blossom[self.base[mate]] = true;
            self.parent[at] = Some(child);
            child = mate;
            match self.parent[mate] {
                Some(up) => at = up,
                None => break,
            }
        }
    }

    fn augment(&mut self, end: usize) {
        let mut at = Some(end);
        while let Some(vertex) = at {
            let Some(up) = self.parent[vertex] else { break };
            let next = self.partner[up];
            self.partner[vertex] = Some(up);
            self.partner[up] = Some(vertex);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::most_pairs;

    fn by_trying(used: u32, edges: &[(usize, usize)]) -> usize {
        let mut best = 0;
        for (k, (a, b)) in edges.iter().enumerate() {
            if used & (1 << a | 1 << b) == 0 {
                best = best.max(1 + by_trying(used | 1 << a | 1 << b, &edges[k + 1..]));
            }
        }
        best
    }

    #[test]
    fn as_many_pairs_as_trying_everything_finds() {
        let mut state = 1u64;
        for case in 0..3000 {
            let n = 2 + case % 9;
            let mut edges = Vec::new();
            for a in 0..n {
                for b in a + 1..n {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    if (state >> 33) % 10 < 3 {
                        edges.push((a, b));
                    }
                }
            }
            let found = most_pairs(n, |a, b| edges.contains(&(a.min(b), a.max(b))));
            assert_eq!(found, by_trying(0, &edges), "{n} {edges:?}");
        }
    }
}
