//! Factor `H = Lᵀ L` on nodes of neighbouring rows: factorization, solution and rank-one updates.
//!
//! The work on a node happens on the list of its columns: those of its path to the root, then its own. Vectors are gathered there
//! once for all rows of the node. Lanes of a row may reach past its diagonal: what lies there is kept zero where it is read.

use super::hessian::{Products, add_spread};
use super::pattern::{FactorPattern, Node};
use kinetree_math::MINVAL;
use kinetree_math::lanes::{Lane, add_scaled_lanes, dot_lanes, gather_lanes, lanes};

/// Values of the factor.
#[derive(Debug, Default)]
pub(super) struct Factor {
    /// The matrix, then its factor.
    pub l: Vec<Lane>,
    diag_inv: Vec<f64>,
    /// Vectors on the columns of a node.
    local: Vec<Lane>,
    result: Vec<Lane>,
    /// Triangle of a path that is not direct.
    buf: Vec<Lane>,
    /// The vector of a rank-one update.
    vector: Vec<f64>,
}

impl Factor {
    /// Makes room for a new pattern.
    pub(super) fn resize(&mut self, pattern: &FactorPattern) {
        self.l.clear();
        self.l.resize(pattern.size(), [0.0; 4]);
        for v in [&mut self.local, &mut self.result] {
            v.resize(pattern.max_width(), [0.0; 4]);
        }
        for v in [&mut self.diag_inv, &mut self.vector] {
            v.clear();
            v.resize(pattern.nrow(), 0.0);
        }
    }

    /// Factorizes `l` in place, from the last node to the first; returns whether it was positive definite.
    pub(super) fn factorize(&mut self, pattern: &FactorPattern) -> bool {
        let mut definite = true;
        for node in pattern.nodes.iter().rev() {
            definite &= self.factorize_node(pattern, node);
            self.update_path(pattern, node);
        }
        definite
    }

    /// Rows of one node, from the last to the first.
    fn factorize_node(&mut self, pattern: &FactorPattern, node: &Node) -> bool {
        let mut definite = true;
        let start = pattern.row_at[node.first] as usize;
        for k in (0..node.size).rev() {
            let diagonal = node.depth + k;
            let (above, rest) = self.l.split_at_mut(pattern.row_at[node.first + k] as usize);
            let row = &mut rest[..lanes(diagonal + 1)];
            let mut pivot = row[diagonal / 4][diagonal % 4];
            if pivot < MINVAL || pivot.is_nan() {
                pivot = MINVAL;
                definite = false;
            }
            let root = pivot.sqrt();
            let inv = 1.0 / root;
            self.diag_inv[node.first + k] = inv;
            for lane in row.iter_mut() {
                for x in lane {
                    *x *= inv;
                }
            }
            set_end(row, diagonal, root);
            let mut at = start;
            for m in node.depth..diagonal {
                let width = m / 4 + 1;
                add_scaled_lanes(&mut above[at..at + width], &row[..width], -row[m / 4][m % 4]);
                at += width;
            }
        }
        definite
    }

    /// Takes the products of a node's rows off the rows of its path.
    fn update_path(&mut self, pattern: &FactorPattern, node: &Node) {
        if node.depth == 0 {
            return;
        }
        let (above, rest) = self.l.split_at_mut(pattern.row_at[node.first] as usize);
        let rows = pattern.target_rows(node.spread);
        let own = (0..node.size).map(|k| {
            let at = pattern.row_at[node.first + k] - pattern.row_at[node.first];
            &rest[at as usize..][..lanes(node.depth)]
        });
        if node.spread.direct {
            let mut sum = Products::new(above, rows);
            own.for_each(|x| sum.add(-1.0, x, x));
            sum.finish();
            return;
        }
        let triangle = &pattern.triangle[..node.depth];
        self.buf.clear();
        self.buf.resize(triangle[node.depth - 1] as usize + lanes(node.depth), [0.0; 4]);
        let mut sum = Products::new(&mut self.buf, triangle);
        own.for_each(|x| sum.add(-1.0, x, x));
        sum.finish();
        for (i, (&at, &from)) in rows.iter().zip(triangle).enumerate() {
            add_spread(
                above[at as usize..].as_flattened_mut(),
                self.buf[from as usize..].as_flattened(),
                pattern.positions(node.spread, i),
            );
        }
    }

    /// Solves `Lᵀ L x = x` in place.
    pub(super) fn solve(&mut self, pattern: &FactorPattern, x: &mut [f64]) {
        for node in pattern.nodes.iter().rev() {
            let local = &mut self.local[..lanes(node.depth + node.size)];
            gather_lanes(local, x, pattern.path_lanes(node));
            let own = &mut x[node.first..node.first + node.size];
            set_own(local, node.depth, own);
            for k in (0..node.size).rev() {
                let diagonal = node.depth + k;
                let row = &self.l[pattern.row_at[node.first + k] as usize..][..lanes(diagonal + 1)];
                let value = local[diagonal / 4][diagonal % 4] * self.diag_inv[node.first + k];
                own[k] = value;
                // entries from the diagonal on are not read again
                add_scaled_lanes(local, row, -value);
            }
            for (&c, &value) in pattern.node_path(node).iter().zip(local.as_flattened()) {
                x[c as usize] = value;
            }
        }
        for node in &pattern.nodes {
            let local = &mut self.local[..lanes(node.depth + node.size)];
            gather_path(local, pattern, node, x);
            for (k, value) in x[node.first..node.first + node.size].iter_mut().enumerate() {
                let diagonal = node.depth + k;
                let row = &self.l[pattern.row_at[node.first + k] as usize..][..lanes(diagonal + 1)];
                *value = (*value - dot_lanes(row, local)) * self.diag_inv[node.first + k];
                local[diagonal / 4][diagonal % 4] = *value;
            }
        }
    }

    /// `res = A v` for a symmetric matrix with this pattern, given by its lower triangle with zeros after the diagonals.
    pub(super) fn mul_symmetric(&mut self, pattern: &FactorPattern, a: &[Lane], res: &mut [f64], v: &[f64]) {
        for node in &pattern.nodes {
            let width = lanes(node.depth + node.size);
            let (local, result) = (&mut self.local[..width], &mut self.result[..width]);
            gather_path(local, pattern, node, v);
            gather_path(result, pattern, node, res);
            for k in 0..node.size {
                let diagonal = node.depth + k;
                let row = &a[pattern.row_at[node.first + k] as usize..][..lanes(diagonal + 1)];
                let below = dot_lanes(row, local);
                let value = v[node.first + k];
                add_scaled_lanes(result, row, value);
                result[diagonal / 4][diagonal % 4] += below;
                local[diagonal / 4][diagonal % 4] = value;
            }
            let (above, own) = result.as_flattened().split_at(node.depth);
            for (&c, &value) in pattern.node_path(node).iter().zip(above) {
                res[c as usize] = value;
            }
            for (y, &value) in res[node.first..node.first + node.size].iter_mut().zip(own) {
                *y = value;
            }
        }
    }

    /// `H ± s² x xᵀ` for the sparse `x`: rotations along the path to the root. Returns whether the factor is still accurate.
    pub(super) fn update(
        &mut self,
        pattern: &FactorPattern,
        cols: &[i32],
        x: &[f64],
        scale: f64,
        add: bool,
    ) -> bool {
        for (&c, &x) in cols.iter().zip(x) {
            self.vector[c as usize] = x * scale;
        }
        let mut accurate = true;
        let mut last = cols.last().copied();
        while let Some(row) = last {
            let node = pattern.node_of(row);
            accurate &= self.rotate_node(pattern, node, row as usize + 1 - node.first, add);
            last = pattern.node_path(node).last().copied();
        }
        accurate
    }

    /// The part of a rank-one update on the first `size` rows of a node. Passes the rest of the vector on to the path.
    fn rotate_node(&mut self, pattern: &FactorPattern, node: &Node, size: usize, add: bool) -> bool {
        let mut accurate = true;
        let all = &mut self.local[..lanes(node.depth + size)];
        gather_lanes(all, &self.vector, pattern.path_lanes(node));
        let own = &mut self.vector[node.first..node.first + size];
        set_own(all, node.depth, own);
        own.fill(0.0);
        for k in (0..size).rev() {
            let diagonal = node.depth + k;
            let local = &mut all[..lanes(diagonal + 1)];
            let x = local[diagonal / 4][diagonal % 4];
            if x == 0.0 {
                continue;
            }
            let row = &mut self.l[pattern.row_at[node.first + k] as usize..][..lanes(diagonal + 1)];
            let diag = row[diagonal / 4][diagonal % 4];
            let mut square = if add { diag * diag + x * x } else { diag * diag - x * x };
            if square < MINVAL || square.is_nan() {
                square = MINVAL;
                accurate = false;
            }
            let root = square.sqrt();
            let (c, s) = (diag / root, -x / root);
            let s_row = if add { -s } else { s };
            self.diag_inv[node.first + k] = 1.0 / root;
            for (v, y) in row.iter_mut().zip(local.iter_mut()) {
                for q in 0..4 {
                    let (old_v, old_y) = (v[q], y[q]);
                    v[q] = c * old_v + s_row * old_y;
                    y[q] = s * old_v + c * old_y;
                }
            }
            set_end(row, diagonal, root);
            set_end(local, diagonal, 0.0);
        }
        for (&c, &value) in pattern.node_path(node).iter().zip(all.as_flattened()) {
            self.vector[c as usize] = value;
        }
        accurate
    }
}

/// Sets the last entry of a row, and the rest of its lane to zero.
#[inline]
fn set_end(row: &mut [Lane], last: usize, value: f64) {
    if let Some(lane) = row.last_mut() {
        let end = last % 4;
        for (k, x) in lane.iter_mut().enumerate() {
            *x = if k < end { *x } else { 0.0 };
        }
        lane[end] = value;
    }
}

/// Gathers the path's part of a vector; the node's own part becomes zero.
#[inline]
fn gather_path(local: &mut [Lane], pattern: &FactorPattern, node: &Node, x: &[f64]) {
    gather_lanes(local, x, pattern.path_lanes(node));
    for value in &mut local.as_flattened_mut()[node.depth..] {
        *value = 0.0;
    }
}

/// Sets the node's own part of a vector, and the rest to zero.
#[inline]
fn set_own(local: &mut [Lane], depth: usize, own: &[f64]) {
    let tail = &mut local.as_flattened_mut()[depth..];
    let (own_part, rest) = tail.split_at_mut(own.len());
    for (x, &value) in own_part.iter_mut().zip(own) {
        *x = value;
    }
    for x in rest {
        *x = 0.0;
    }
}
