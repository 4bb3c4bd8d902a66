//! Circles of arrows: strongly connected components (Tarjan, 1972).

/// The components of more than one node of a graph with `count` nodes, each sorted.
pub fn circles(count: usize, arrows: impl IntoIterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut search = Search {
        targets: vec![Vec::new(); count],
        order: vec![None; count],
        lowest: vec![0; count],
        is_open: vec![false; count],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for (from, to) in arrows {
        search.targets[from].push(to);
    }
    for node in 0..count {
        if search.order[node].is_none() {
            search.visit(node);
        }
    }
    search.found.sort();
    search.found
}

struct Search {
    targets: Vec<Vec<usize>>,
    /// When a node was first seen.
    order: Vec<Option<usize>>,
    /// The earliest node that a node leads back to.
    lowest: Vec<usize>,
    /// On the stack: not yet in a component.
    is_open: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    found: Vec<Vec<usize>>,
}

impl Search {
    fn visit(&mut self, node: usize) {
        let order = self.next;
        self.next += 1;
        self.order[node] = Some(order);
        self.lowest[node] = order;
        self.is_open[node] = true;
        self.stack.push(node);
        for target in self.targets[node].clone() {
            match self.order[target] {
                None => {
                    self.visit(target);
                    self.lowest[node] = self.lowest[node].min(self.lowest[target]);
                }
                Some(seen) if self.is_open[target] => self.lowest[node] = self.lowest[node].min(seen),
                Some(_) => {}
            }
        }
        if self.lowest[node] == order {
            self.close(node);
        }
    }

    /// Takes the component that begins with `node` from the stack.
    fn close(&mut self, node: usize) {
        let mut component = Vec::new();
        while let Some(top) = self.stack.pop() {
            self.is_open[top] = false;
            component.push(top);
            if top == node {
                break;
            }
        }
        if component.len() > 1 {
            component.sort_unstable();
            self.found.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn a_chain_has_none() {
        assert!(circles(4, [(0, 1), (1, 2), (2, 3), (0, 3)]).is_empty());
    }

    #[test]
    fn two_circles_that_share_no_node_are_two() {
        let found = circles(6, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2), (4, 5)]);
        assert_eq!(found, [vec![0, 1], vec![2, 3, 4]]);
    }

    #[test]
    fn an_arrow_to_itself_is_no_circle() {
        assert!(circles(1, [(0, 0)]).is_empty());
    }
}
