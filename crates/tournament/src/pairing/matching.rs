//! Minimum-weight perfect matching in a general graph (Edmonds' blossoms, primal and dual).
//!
//! An alternating tree grows from every unmatched vertex at the same pace; where two trees meet,
//! both are turned around and taken down. Everything that can happen next has an exact time (how
//! far the dual values must move), so a heap of events drives the search, and dual values are
//! brought up to date only where a label changes.
//!
//! For an edge between different outermost blossoms the slack is `w − u(a) − u(b)`; inside a
//! blossom its `z` is added. All slacks stay non-negative, matched edges have none: that is the
//! proof that the matching is best. Weights must be multiples of four: unmatched vertices then
//! start with even dual values, keep one parity for ever, and every half is exact.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::wide::Weight;

/// No edge, no node.
const NONE: u32 = u32::MAX;

/// An edge with its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<W> {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) weight: W,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// Not in the tree.
    Free,
    /// At even distance from the root: its dual values rise.
    Even,
    /// At odd distance: its dual values fall.
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// An edge becomes tight.
    Tight(u32),
    /// The dual of an odd blossom reaches zero.
    Expand(u32),
}

/// A vertex (ids below `n`) or a blossom.
#[derive(Clone, Debug)]
struct Node<W> {
    parent: u32,
    /// Children around the odd cycle, the one with the base first; `edge` leads to the next one.
    children: Vec<Child>,
    base: u32,
    z: W,
    label: Label,
    /// The edge by which the label came, and its end inside this node.
    via: (u32, u32),
    /// The unmatched vertex whose tree a labelled node is in.
    root: u32,
    /// The time up to which the dual values in here are settled.
    since: W,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    node: u32,
    edge: u32,
}

/// A graph, a matching in it and dual values that prove what is matched so far.
#[derive(Clone, Debug)]
pub(super) struct Matching<W> {
    edges: Vec<Edge<W>>,
    /// Edge ids at each vertex.
    around: Vec<Vec<u32>>,
    /// The matched edge at each vertex.
    mate: Vec<u32>,
    dual: Vec<W>,
    /// Vertices that have been taken out.
    gone: Vec<bool>,
    top: Vec<u32>,
    nodes: Vec<Node<W>>,
    unused: Vec<u32>,
    /// The nodes that were labelled in the tree of each unmatched vertex.
    trees: Vec<Vec<u32>>,
    now: W,
    events: BinaryHeap<Reverse<(W, Event)>>,
}

impl<W: Weight> Matching<W> {
    /// A graph with nothing matched. Weights are multiples of four and not negative.
    pub(super) fn new(vertices: usize, edges: Vec<Edge<W>>) -> Self {
        let mut around = vec![Vec::new(); vertices];
        for (id, edge) in (0_u32..).zip(&edges) {
            around[edge.a as usize].push(id);
            around[edge.b as usize].push(id);
        }
        let count = u32::try_from(vertices).expect("fewer vertices than 2^32");
        let nodes = (0..count).map(|vertex| Node::plain(vertex)).collect();
        Self {
            edges,
            around,
            mate: vec![NONE; vertices],
            dual: vec![W::ZERO; vertices],
            gone: vec![false; vertices],
            top: (0..count).collect(),
            nodes,
            unused: Vec::new(),
            trees: vec![Vec::new(); vertices],
            now: W::ZERO,
            events: BinaryHeap::new(),
        }
    }

    /// Matches every vertex at the least total weight. Fails with the vertices on the even side of
    /// a tree that cannot grow: they have too few possible partners.
    pub(super) fn solve(&mut self) -> Result<(), Vec<u32>> {
        self.start_greedily();
        self.search()
    }

    /// Starts from a matching that is known. Only for graphs without weights.
    pub(super) fn match_like(&mut self, partner: impl Fn(u32) -> Option<u32>) {
        for (id, edge) in (0_u32..).zip(&self.edges) {
            if partner(edge.a) == Some(edge.b) {
                self.mate[edge.a as usize] = id;
                self.mate[edge.b as usize] = id;
            }
        }
    }

    /// The partner of a vertex.
    pub(super) fn partner(&self, vertex: u32) -> Option<u32> {
        let edge = self.mate[vertex as usize];
        (edge != NONE).then(|| self.across(edge, vertex))
    }

    /// What proves the matching, ready to be asked about any pair.
    pub(super) fn proof(&self) -> Proof<'_, W> {
        let mut inside = vec![None; self.nodes.len()];
        for vertex in 0..self.mate.len() {
            let mut chain = Vec::new();
            let mut node = u32::try_from(vertex).expect("a vertex");
            while node != NONE && inside[node as usize].is_none() {
                chain.push(node);
                node = self.nodes[node as usize].parent;
            }
            let (mut depth, mut sum) = if node == NONE {
                (0, W::ZERO)
            } else {
                inside[node as usize].expect("just seen")
            };
            for &node in chain.iter().rev() {
                depth += 1;
                sum = sum + self.nodes[node as usize].z;
                inside[node as usize] = Some((depth, sum));
            }
        }
        Proof {
            matching: self,
            inside,
        }
    }

    /// Whether the proof needs blossoms: then tight edges alone do not describe all best matchings.
    pub(super) fn has_blossoms(&self) -> bool {
        self.top.iter().any(|top| *top as usize >= self.mate.len())
    }

    /// Takes a pair out of the graph if what is left can still be matched perfectly, and says
    /// whether it could. Only for graphs without weights, in which a perfect matching is known.
    pub(super) fn take_out(&mut self, a: u32, b: u32) -> bool {
        let (Some(left_a), Some(left_b)) = (self.partner(a), self.partner(b)) else {
            return false;
        };
        if left_a == b {
            self.leave(a, b);
            return true;
        }
        // Nearly always the two who are left can simply be matched with each other.
        if let Some(&edge) = self.around[left_a as usize]
            .iter()
            .find(|e| self.across(**e, left_a) == left_b)
        {
            self.leave(a, b);
            self.mate[left_a as usize] = edge;
            self.mate[left_b as usize] = edge;
            return true;
        }
        let before = self.mate.clone();
        self.leave(a, b);
        self.mate[left_a as usize] = NONE;
        self.mate[left_b as usize] = NONE;
        let possible = self.search().is_ok();
        if !possible {
            self.mate = before;
            self.gone[a as usize] = false;
            self.gone[b as usize] = false;
        }
        possible
    }

    fn leave(&mut self, a: u32, b: u32) {
        for vertex in [a as usize, b as usize] {
            self.mate[vertex] = NONE;
            self.gone[vertex] = true;
        }
    }

    fn across(&self, edge: u32, vertex: u32) -> u32 {
        let Edge { a, b, .. } = self.edges[edge as usize];
        if a == vertex { b } else { a }
    }

    fn contains(&self, blossom: u32, vertex: u32) -> bool {
        let mut node = vertex;
        while node != NONE {
            if node == blossom {
                return true;
            }
            node = self.nodes[node as usize].parent;
        }
        false
    }

    /// Dual values as large as each vertex alone allows, and every tight edge that fits.
    fn start_greedily(&mut self) {
        for vertex in 0..self.around.len() {
            let least = self.around[vertex]
                .iter()
                .map(|e| self.edges[*e as usize].weight)
                .min();
            self.dual[vertex] = least.map_or(W::ZERO, W::half);
        }
        for vertex in 0..self.around.len() {
            if self.mate[vertex] != NONE {
                continue;
            }
            let slack = |e: &u32| {
                let edge = &self.edges[*e as usize];
                edge.weight - self.dual[edge.a as usize] - self.dual[edge.b as usize]
            };
            let Some(least) = self.around[vertex].iter().map(slack).min() else {
                continue;
            };
            let tight = self.around[vertex]
                .iter()
                .copied()
                .filter(|e| slack(e) == least)
                .find(|e| {
                    self.mate[self.across(*e, u32::try_from(vertex).expect("a vertex")) as usize] == NONE
                });
            self.dual[vertex] = self.dual[vertex] + least;
            if let Some(edge) = tight {
                let Edge { a, b, .. } = self.edges[edge as usize];
                self.mate[a as usize] = edge;
                self.mate[b as usize] = edge;
            }
        }
    }

    /// Grows a tree from every unmatched vertex until none is left.
    fn search(&mut self) -> Result<(), Vec<u32>> {
        self.now = W::ZERO;
        self.events.clear();
        for node in &mut self.nodes {
            node.since = W::ZERO;
        }
        let roots: Vec<u32> = (0..u32::try_from(self.mate.len()).expect("vertices"))
            .filter(|v| self.mate[*v as usize] == NONE && !self.gone[*v as usize])
            .collect();
        let mut unmatched = roots.len();
        for &root in &roots {
            self.make_even(self.top[root as usize], NONE, root, root);
        }
        while unmatched > 0 {
            let Some(Reverse((time, event))) = self.events.pop() else {
                break;
            };
            match event {
                Event::Tight(edge) => {
                    let Edge { mut a, mut b, .. } = self.edges[edge as usize];
                    if self.label_at(a) != Label::Even {
                        (a, b) = (b, a);
                    }
                    let (top_a, top_b) = (self.top[a as usize], self.top[b as usize]);
                    if top_a == top_b || self.label_at(a) != Label::Even || self.label_at(b) == Label::Odd {
                        continue;
                    }
                    self.now = time;
                    if self.slack(edge) != W::ZERO {
                        // Pushed under other labels; the right time has an event of its own.
                        continue;
                    }
                    let root = self.nodes[top_a as usize].root;
                    if self.label_at(b) == Label::Free {
                        self.make_odd(top_b, edge, b, root);
                    } else if self.nodes[top_b as usize].root == root {
                        self.shrink(edge, top_a, top_b);
                    } else {
                        let other = self.nodes[top_b as usize].root;
                        self.augment(edge, a);
                        self.augment(edge, b);
                        self.take_down(&[root, other]);
                        unmatched -= 2;
                    }
                }
                Event::Expand(blossom) => {
                    let node = &self.nodes[blossom as usize];
                    if node.parent != NONE || node.label != Label::Odd || node.children.is_empty() {
                        continue;
                    }
                    self.now = time;
                    if self.z_now(blossom) == W::ZERO {
                        self.expand(blossom);
                    }
                }
            }
        }
        let stuck = if unmatched == 0 {
            Vec::new()
        } else {
            self.even_vertices()
        };
        self.take_down(&roots);
        self.events.clear();
        if unmatched == 0 { Ok(()) } else { Err(stuck) }
    }

    fn even_vertices(&self) -> Vec<u32> {
        (0_u32..)
            .zip(&self.top)
            .filter(|(_, top)| self.nodes[**top as usize].label == Label::Even)
            .map(|(vertex, _)| vertex)
            .collect()
    }

    /// Settles every dual value in some trees, forgets their labels and opens blossoms that prove
    /// nothing. What is free again can be reached by the other trees.
    fn take_down(&mut self, roots: &[u32]) {
        let mut freed: Vec<u32> = Vec::new();
        for &root in roots {
            for node in std::mem::take(&mut self.trees[root as usize]) {
                let this = &self.nodes[node as usize];
                if this.parent == NONE && this.label != Label::Free && this.root == root {
                    self.settle(node);
                    self.nodes[node as usize].label = Label::Free;
                    freed.push(node);
                }
            }
        }
        let mut at = 0;
        while at < freed.len() {
            let node = freed[at];
            let this = &self.nodes[node as usize];
            if !this.children.is_empty() && this.z == W::ZERO {
                freed.extend(self.dissolve(node).iter().map(|child| child.node));
                freed.swap_remove(at);
            } else {
                at += 1;
            }
        }
        for node in freed {
            self.look_out(node);
        }
    }

    /// Pushes the times at which even neighbours reach a node that is free again.
    fn look_out(&mut self, node: u32) {
        for vertex in self.vertices(node) {
            for k in 0..self.around[vertex as usize].len() {
                let edge = self.around[vertex as usize][k];
                if self.label_at(self.across(edge, vertex)) == Label::Even {
                    self.expect(edge, Label::Free);
                }
            }
        }
    }

    fn label_at(&self, vertex: u32) -> Label {
        self.nodes[self.top[vertex as usize] as usize].label
    }

    fn dual_now(&self, vertex: u32) -> W {
        let node = &self.nodes[self.top[vertex as usize] as usize];
        let dual = self.dual[vertex as usize];
        match node.label {
            Label::Free => dual,
            Label::Even => dual + (self.now - node.since),
            Label::Odd => dual - (self.now - node.since),
        }
    }

    fn z_now(&self, blossom: u32) -> W {
        let node = &self.nodes[blossom as usize];
        let moved = self.now - node.since;
        match node.label {
            Label::Free => node.z,
            Label::Even => node.z + moved + moved,
            Label::Odd => node.z - moved - moved,
        }
    }

    fn slack(&self, edge: u32) -> W {
        let Edge { a, b, weight } = self.edges[edge as usize];
        weight - self.dual_now(a) - self.dual_now(b)
    }

    /// Brings the dual values of an outermost node up to now.
    fn settle(&mut self, node: u32) {
        for vertex in self.vertices(node) {
            self.dual[vertex as usize] = self.dual_now(vertex);
        }
        if !self.nodes[node as usize].children.is_empty() {
            self.nodes[node as usize].z = self.z_now(node);
        }
        self.nodes[node as usize].since = self.now;
    }

    fn vertices(&self, node: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let children = &self.nodes[node as usize].children;
            if children.is_empty() {
                found.push(node);
            }
            open.extend(children.iter().rev().map(|child| child.node));
        }
        found
    }

    fn set_label(&mut self, node: u32, label: Label, edge: u32, end: u32, root: u32) {
        let this = &mut self.nodes[node as usize];
        this.label = label;
        this.via = (edge, end);
        this.root = root;
        this.since = self.now;
        self.trees[root as usize].push(node);
    }

    fn make_even(&mut self, node: u32, edge: u32, end: u32, root: u32) {
        self.set_label(node, Label::Even, edge, end, root);
        for vertex in self.vertices(node) {
            self.look_around(vertex);
        }
    }

    /// Labels a node odd, and the node that it is matched with even.
    fn make_odd(&mut self, node: u32, edge: u32, end: u32, root: u32) {
        self.label_odd(node, edge, end, root);
        let base = self.nodes[node as usize].base;
        let matched = self.mate[base as usize];
        let next = self.across(matched, base);
        self.make_even(self.top[next as usize], matched, next, root);
    }

    fn label_odd(&mut self, node: u32, edge: u32, end: u32, root: u32) {
        self.set_label(node, Label::Odd, edge, end, root);
        if !self.nodes[node as usize].children.is_empty() {
            let time = self.now + self.nodes[node as usize].z.half();
            self.events.push(Reverse((time, Event::Expand(node))));
        }
    }

    /// Pushes the times at which the edges of a vertex that has become even will be tight.
    fn look_around(&mut self, vertex: u32) {
        let top = self.top[vertex as usize];
        for k in 0..self.around[vertex as usize].len() {
            let edge = self.around[vertex as usize][k];
            let other = self.across(edge, vertex);
            if self.top[other as usize] != top && !self.gone[other as usize] {
                self.expect(edge, self.label_at(other));
            }
        }
    }

    fn expect(&mut self, edge: u32, other: Label) {
        let wait = match other {
            Label::Odd => return,
            Label::Free => self.slack(edge),
            Label::Even => self.slack(edge).half(),
        };
        self.events.push(Reverse((self.now + wait, Event::Tight(edge))));
    }

    /// The node before an even one in the tree, two steps up; `None` at the root.
    fn above(&self, even: u32) -> Option<(u32, u32)> {
        let (matched, end) = self.nodes[even as usize].via;
        if matched == NONE {
            return None;
        }
        let odd = self.top[self.across(matched, end) as usize];
        let (edge, end) = self.nodes[odd as usize].via;
        Some((odd, self.top[self.across(edge, end) as usize]))
    }

    /// Makes one blossom of the cycle that a tight edge between two even nodes closes.
    fn shrink(&mut self, edge: u32, top_a: u32, top_b: u32) {
        let ancestors = |matching: &Self, from: u32| {
            let mut path = vec![from];
            let mut at = from;
            while let Some((odd, even)) = matching.above(at) {
                path.push(odd);
                path.push(even);
                at = even;
            }
            path
        };
        let (mut path_a, mut path_b) = (ancestors(self, top_a), ancestors(self, top_b));
        // The paths end in the same root; what they share above the lowest common node goes.
        let mut common = NONE;
        while let (Some(x), Some(y)) = (path_a.last(), path_b.last()) {
            if x != y {
                break;
            }
            common = *x;
            path_a.pop();
            path_b.pop();
        }
        let mut children = Vec::with_capacity(path_a.len() + path_b.len() + 1);
        // From the common node down to a: the edge before each node is the one its label came by.
        children.push(Child {
            node: common,
            edge: NONE,
        });
        for &node in path_a.iter().rev() {
            children.last_mut().expect("the common node").edge = self.nodes[node as usize].via.0;
            children.push(Child { node, edge: NONE });
        }
        children.last_mut().expect("the common node").edge = edge;
        // From b up again: the edge after each node is the one its label came by.
        for &node in &path_b {
            children.push(Child {
                node,
                edge: self.nodes[node as usize].via.0,
            });
        }
        let mut fresh = Vec::new();
        for child in &children {
            self.settle(child.node);
            if self.nodes[child.node as usize].label == Label::Odd {
                fresh.extend(self.vertices(child.node));
            }
        }
        let Node { base, via, root, .. } = self.nodes[common as usize];
        let blossom = self.unused.pop().unwrap_or_else(|| {
            self.nodes.push(Node::plain(0));
            u32::try_from(self.nodes.len() - 1).expect("fewer nodes than 2^32")
        });
        for child in &children {
            let node = &mut self.nodes[child.node as usize];
            node.parent = blossom;
            node.label = Label::Free;
        }
        self.nodes[blossom as usize] = Node {
            parent: NONE,
            children,
            base,
            z: W::ZERO,
            label: Label::Even,
            via,
            root,
            since: self.now,
        };
        self.trees[root as usize].push(blossom);
        for vertex in self.vertices(blossom) {
            self.top[vertex as usize] = blossom;
        }
        for vertex in fresh {
            self.look_around(vertex);
        }
    }

    /// Sets the children of an outermost blossom free; its own id is unused from then on.
    fn dissolve(&mut self, blossom: u32) -> Vec<Child> {
        let children = std::mem::take(&mut self.nodes[blossom as usize].children);
        for child in &children {
            self.nodes[child.node as usize].parent = NONE;
            self.nodes[child.node as usize].label = Label::Free;
            self.nodes[child.node as usize].since = self.now;
            for vertex in self.vertices(child.node) {
                self.top[vertex as usize] = child.node;
            }
        }
        self.nodes[blossom as usize].label = Label::Free;
        self.unused.push(blossom);
        children
    }

    /// Opens an odd blossom whose dual is used up; the part of it that the tree needs stays in.
    fn expand(&mut self, blossom: u32) {
        self.settle(blossom);
        let Node {
            via: (edge, end),
            root,
            ..
        } = self.nodes[blossom as usize];
        let children = self.dissolve(blossom);
        let entry = self.top[end as usize];
        let at = children
            .iter()
            .position(|child| child.node == entry)
            .expect("the label came into a child");
        let path = way_to_base(&children, at);
        self.label_odd(entry, edge, end, root);
        for (step, &(link, _, to)) in path.iter().enumerate() {
            let Edge { a, b, .. } = self.edges[link as usize];
            let end = if self.top[a as usize] == to { a } else { b };
            if step % 2 == 0 {
                self.make_even(to, link, end, root);
            } else {
                self.label_odd(to, link, end, root);
            }
        }
        for child in &children {
            if self.nodes[child.node as usize].label == Label::Free {
                self.look_out(child.node);
            }
        }
    }

    /// Turns the path from a root to this edge around, so that the edge is matched at its end here.
    fn augment(&mut self, edge: u32, end: u32) {
        let (mut edge, mut end) = (edge, end);
        loop {
            let even = self.top[end as usize];
            let (matched, inside) = self.nodes[even as usize].via;
            self.rebase(even, end);
            self.mate[end as usize] = edge;
            if matched == NONE {
                return;
            }
            let odd = self.top[self.across(matched, inside) as usize];
            let (next, into) = self.nodes[odd as usize].via;
            self.rebase(odd, into);
            self.mate[into as usize] = next;
            (edge, end) = (next, self.across(next, into));
        }
    }

    /// Moves the base of a node to one of its vertices: the pairs inside are matched around it.
    fn rebase(&mut self, node: u32, vertex: u32) {
        let children = self.nodes[node as usize].children.clone();
        self.nodes[node as usize].base = vertex;
        if children.is_empty() {
            return;
        }
        let mut child = vertex;
        while self.nodes[child as usize].parent != node {
            child = self.nodes[child as usize].parent;
        }
        let at = children
            .iter()
            .position(|c| c.node == child)
            .expect("the vertex is inside");
        self.rebase(child, vertex);
        for pair in way_to_base(&children, at).chunks_exact(2) {
            let (link, from, to) = pair[1];
            let Edge { a, b, .. } = self.edges[link as usize];
            let (x, y) = if self.contains(from, a) { (a, b) } else { (b, a) };
            self.rebase(from, x);
            self.rebase(to, y);
            self.mate[x as usize] = link;
            self.mate[y as usize] = link;
        }
        self.nodes[node as usize].children.rotate_left(at);
    }
}

/// The dual values of a solved matching.
pub(super) struct Proof<'a, W> {
    matching: &'a Matching<W>,
    /// For each node, how deep it lies and the duals of the blossoms down to it, summed.
    inside: Vec<Option<(usize, W)>>,
}

impl<W: Weight> Proof<'_, W> {
    /// The dual value of a vertex.
    pub(super) fn dual(&self, vertex: usize) -> W {
        self.matching.dual[vertex]
    }

    /// The blossoms that the proof needs: their vertices in ascending order, and their dual values.
    pub(super) fn sets(&self) -> Vec<(Vec<usize>, W)> {
        let Matching { nodes, .. } = self.matching;
        (self.matching.mate.len()..nodes.len())
            .filter(|node| !nodes[*node].children.is_empty() && nodes[*node].z != W::ZERO)
            .map(|node| {
                let vertices = self.matching.vertices(u32::try_from(node).expect("a node"));
                let mut vertices: Vec<usize> = vertices.into_iter().map(|vertex| vertex as usize).collect();
                vertices.sort_unstable();
                (vertices, nodes[node].z)
            })
            .collect()
    }

    /// The slack of a pair that may or may not be an edge, given its weight. Negative: adding the
    /// edge could make the matching better.
    pub(super) fn slack(&self, a: u32, b: u32, weight: W) -> W {
        let Matching { dual, top, .. } = self.matching;
        let slack = weight - dual[a as usize] - dual[b as usize];
        // Blossoms only add to it: a pair with slack enough needs no look into them.
        if slack > W::ZERO || top[a as usize] != top[b as usize] {
            return slack;
        }
        slack + self.around(self.both(a, b))
    }

    /// The innermost node that holds two nodes; `None` when no blossom holds both.
    pub(super) fn both(&self, a: u32, b: u32) -> Option<u32> {
        let depth = |node: u32| self.inside[node as usize].map_or(0, |(depth, _)| depth);
        let (mut x, mut y) = (a, b);
        while x != y {
            let up = if depth(x) >= depth(y) { &mut x } else { &mut y };
            *up = self.matching.nodes[*up as usize].parent;
            if *up == NONE {
                return None;
            }
        }
        Some(x)
    }

    /// The duals of a node and of every blossom around it, summed.
    pub(super) fn around(&self, node: Option<u32>) -> W {
        node.and_then(|node| self.inside[node as usize])
            .map_or(W::ZERO, |(_, sum)| sum)
    }
}

impl<W: Weight> Node<W> {
    fn plain(vertex: u32) -> Self {
        Self {
            parent: NONE,
            children: Vec::new(),
            base: vertex,
            z: W::ZERO,
            label: Label::Free,
            via: (NONE, NONE),
            root: NONE,
            since: W::ZERO,
        }
    }
}

/// The even way around a blossom from a child to the base: edge, node before, node after. Edges
/// are matched and unmatched in turn, a matched one first.
fn way_to_base(children: &[Child], at: usize) -> Vec<(u32, u32, u32)> {
    let count = children.len();
    if at % 2 == 1 {
        (at..count)
            .map(|k| (children[k].edge, children[k].node, children[(k + 1) % count].node))
            .collect()
    } else {
        (1..=at)
            .rev()
            .map(|k| (children[k - 1].edge, children[k].node, children[k - 1].node))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least weight of a perfect matching, by trying all of them.
    fn least(weights: &[Vec<Option<i64>>], left: &[usize]) -> Option<i64> {
        let Some((&a, rest)) = left.split_first() else {
            return Some(0);
        };
        let with = |&b: &usize| {
            let others: Vec<usize> = rest.iter().copied().filter(|c| *c != b).collect();
            Some(weights[a][b]? + least(weights, &others)?)
        };
        rest.iter().filter_map(with).min()
    }

    fn matching_of(weights: &[Vec<Option<i64>>]) -> Matching<i64> {
        let mut edges = Vec::new();
        for (a, row) in (0_u32..).zip(weights) {
            for (b, weight) in (0_u32..).zip(row) {
                if let (true, Some(weight)) = (a < b, weight) {
                    edges.push(Edge {
                        a,
                        b,
                        weight: weight * 4,
                    });
                }
            }
        }
        Matching::new(weights.len(), edges)
    }

    prop_compose! {
        /// A graph of an even number of vertices; `density` of 10 pairs are edges, weights are small
        /// so that ties and blossoms are common.
        fn graphs()(half in 1_usize..=5, most in 0_i64..30, density in 3_u32..=10)
            (cells in proptest::collection::vec((0..=most, 0_u32..10), half * half * 4), count in Just(half * 2), density in Just(density))
            -> Vec<Vec<Option<i64>>> {
            let cell = |a: usize, b: usize| {
                let (weight, chance) = cells[a.min(b) * count + a.max(b)];
                (chance < density).then_some(weight)
            };
            (0..count).map(|a| (0..count).map(|b| cell(a, b)).collect()).collect()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_matching_is_the_best_of_all_and_its_proof_holds(weights in graphs()) {
            let everyone: Vec<usize> = (0..weights.len()).collect();
            let mut matching = matching_of(&weights);
            let solved = matching.solve().is_ok();
            prop_assert_eq!(solved, least(&weights, &everyone).is_some());
            if solved {
                let partner = |a: u32| matching.partner(a).expect("everyone is matched");
                let sum: i64 = (0_u32..).zip(&weights).map(|(a, row)| row[partner(a) as usize].expect("an edge")).sum();
                prop_assert_eq!(Some(sum / 2), least(&weights, &everyone));
                let proof = matching.proof();
                for (a, row) in (0_u32..).zip(&weights) {
                    for (b, weight) in (0_u32..).zip(row) {
                        if let (true, Some(weight)) = (a < b, weight) {
                            let slack = proof.slack(a, b, weight * 4);
                            prop_assert!(slack >= 0);
                            prop_assert!(partner(a) != b || slack == 0);
                        }
                    }
                }
            }
        }

        #[test]
        fn a_pair_is_taken_out_exactly_when_the_rest_can_be_matched(weights in graphs(), a in 0_usize..10, b in 0_usize..10) {
            let plain: Vec<Vec<Option<i64>>> =
                weights.iter().map(|row| row.iter().map(|w| w.map(|_| 0)).collect()).collect();
            let (a, b) = (a % plain.len(), b % plain.len());
            let mut matching = matching_of(&plain);
            if a != b && matching.solve().is_ok() {
                let rest: Vec<usize> = (0..plain.len()).filter(|v| *v != a && *v != b).collect();
                let index = |v: usize| u32::try_from(v).expect("small");
                let possible = matching.take_out(index(a), index(b));
                prop_assert_eq!(possible, least(&plain, &rest).is_some());
                for v in rest {
                    let partner = matching.partner(index(v)).expect("still matched") as usize;
                    prop_assert!(plain[v][partner].is_some());
                    prop_assert!(!possible || (partner != a && partner != b));
                }
            }
        }
    }
}
