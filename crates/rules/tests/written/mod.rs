//! Trees written down again.

use rules::sgf::{GameTree, Node};

/// A node as `AB[aa][bb]C[…]`, with names as they are meant.
pub fn node(node: Node<'_>) -> String {
    let mut text = String::new();
    for property in node.properties() {
        text.push_str(property.name());
        for value in property.values() {
            text.extend(["[", value.raw(), "]"]);
        }
    }
    text
}

/// All of a game, as the file should have been written.
pub fn tree(game: &GameTree) -> String {
    enum Step<'c> {
        Node(Node<'c>),
        Text(&'static str),
    }
    let mut text = String::new();
    let mut steps = vec![Step::Text(")"), Step::Node(game.root()), Step::Text("(")];
    while let Some(step) = steps.pop() {
        let here = match step {
            Step::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Step::Node(here) => here,
        };
        text.push(';');
        text.push_str(&self::node(here));
        let children: Vec<Node> = std::iter::successors(here.first_child(), Node::next_sibling).collect();
        let branches = children.len() > 1;
        for child in children.into_iter().rev() {
            if branches {
                steps.extend([Step::Text(")"), Step::Node(child), Step::Text("(")]);
            } else {
                steps.push(Step::Node(child));
            }
        }
    }
    text
}
