//! Factor `H = Lᵀ L` on supernodes of neighbouring rows: factorization, solution and rank-one updates.
//!
//! The work on a supernode happens on the list of its columns: those of its path to the root, then its own.
//! Vectors are gathered there once for all rows of the supernode. Rows are taken in panels of four with one
//! width. Diagonals are kept apart: what rows hold at and after them is zero.

use super::packed_triangle::{Triangle, sub_squares};
use super::panel::{Panel, factorize_panel, multiply_panel, solve_lower, solve_transposed};
use super::pattern::{FactorPattern, Supernode};
use kinetree_math::gather::{gather_lanes, scatter_lanes};
use kinetree_math::lanes::{Lane, keep_before, lanes};
use kinetree_math::{LaneVec, MINVAL};

/// Values of the factor.
#[derive(Debug, Default)]
pub(crate) struct Factor {
    /// The matrix, then its factor.
    pub l: LaneVec,
    diag: Vec<f64>,
    diag_inv: Vec<f64>,
    /// Vectors on the columns of a supernode.
    local: LaneVec,
    result: LaneVec,
    /// Rows of a supernode on its path, and their products where these are not made in place.
    rows: LaneVec,
    triangle: Triangle,
    /// The vector of a rank-one update.
    vector: Vec<f64>,
}

impl Factor {
    /// Makes room for a new pattern.
    pub(crate) fn resize(&mut self, pattern: &FactorPattern) {
        self.l.clear();
        self.l.resize(pattern.size());
        for v in [&mut self.local, &mut self.result] {
            v.resize(pattern.max_width());
        }
        self.rows.resize(pattern.max_path_rows());
        for v in [&mut self.diag, &mut self.diag_inv, &mut self.vector] {
            v.clear();
            v.resize(pattern.nrow(), 0.0);
        }
    }

    /// Factorizes `l` in place, from the last supernode to the first; returns whether it was positive
    /// definite.
    pub(crate) fn factorize(&mut self, pattern: &FactorPattern) -> bool {
        let mut definite = true;
        for node in pattern.nodes.iter().rev() {
            definite &= self.factorize_node(pattern, node);
            self.update_path(pattern, node);
        }
        definite
    }

    /// The smallest pivot relative to the largest.
    pub(crate) fn pivot_ratio(&self) -> f64 {
        let squares = || self.diag.iter().map(|x| x * x);
        squares().fold(f64::INFINITY, f64::min) / squares().fold(0.0, f64::max)
    }

    /// Rows of one supernode, from the last panel to the first.
    fn factorize_node(&mut self, pattern: &FactorPattern, node: &Supernode) -> bool {
        let mut definite = true;
        for panel in pattern.panels(node).iter().rev() {
            let (above, rest) = self.l[node.start..].split_at_mut(panel.at - node.start);
            let rows = &mut rest[..panel.count * panel.width];
            let own = panel.row..panel.row + panel.count;
            let diag = (&mut self.diag[own.clone()], &mut self.diag_inv[own]);
            definite &= factorize_panel(rows, panel, diag);
            let panels = node.depth / 4..panel.width - 1;
            if !panels.is_empty() {
                sub_squares(above, panels, panel.width, rows);
            }
        }
        definite
    }

    /// Takes the products of a supernode's rows off the rows of its path.
    fn update_path(&mut self, pattern: &FactorPattern, node: &Supernode) {
        if node.depth == 0 {
            return;
        }
        let (above, rest) = self.l.split_at_mut(node.start);
        let width = lanes(node.depth);
        let rows = &mut self.rows[..node.size * width];
        let mut at = 0;
        for panel in pattern.panels(node) {
            for k in 0..panel.count {
                let copy = &mut rows[at..at + width];
                let row = &rest[panel.at - node.start + k * panel.width..][..width];
                for (y, x) in copy.iter_mut().zip(row) {
                    *y = *x;
                }
                keep_before(&mut copy[width - 1], node.depth - 4 * (width - 1));
                at += width;
            }
        }
        match pattern.direct_offset(&node.scatter) {
            Some(offset) => sub_squares(&mut above[offset..], 0..width, width, rows),
            None => {
                let triangle = self.triangle.zeros(width);
                sub_squares(triangle, 0..width, width, rows);
                pattern.scatter_triangle(&node.scatter, above, self.triangle.values());
            }
        }
    }

    /// Solves `Lᵀ L x = x` in place; `x` is padded.
    pub(crate) fn solve(&mut self, pattern: &FactorPattern, x: &mut [Lane]) {
        for node in pattern.nodes.iter().rev() {
            let local = on_columns(pattern, node, x, &mut self.local);
            for panel in pattern.panels(node).iter().rev() {
                solve_transposed(rows_of(&self.l, panel), panel, inverses_of(&self.diag_inv, panel), local);
            }
            put_back(pattern, node, x, &self.local);
        }
        for node in &pattern.nodes {
            let local = on_columns(pattern, node, x, &mut self.local);
            for panel in pattern.panels(node) {
                solve_lower(rows_of(&self.l, panel), panel, inverses_of(&self.diag_inv, panel), local);
            }
            put_back(pattern, node, x, &self.local);
        }
    }

    /// `res = A v` for a symmetric matrix with this pattern, given by its lower triangle with zeros after the
    /// diagonals. Vectors are padded with zeros.
    pub(crate) fn mul_symmetric(
        &mut self,
        pattern: &FactorPattern,
        a: &[Lane],
        res: &mut [Lane],
        v: &[Lane],
    ) {
        res.fill([0.0; 4]);
        for node in &pattern.nodes {
            let local = if node.is_in_place() {
                v
            } else {
                gather_lanes(&mut self.local, v.as_flattened(), pattern.column_indices(node));
                &self.local
            };
            let result = on_columns(pattern, node, res, &mut self.result);
            for panel in pattern.panels(node) {
                multiply_panel(rows_of(a, panel), panel, local, result);
            }
            put_back(pattern, node, res, &self.result);
        }
    }

    /// `H ± s² x xᵀ` for the sparse `x`: rotations along the path to the root. Returns whether the factor is
    /// still accurate.
    pub(crate) fn update(
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

    /// The part of a rank-one update on the first `size` rows of a supernode. Passes the rest of the vector
    /// on to the path.
    fn rotate_node(&mut self, pattern: &FactorPattern, node: &Supernode, size: usize, add: bool) -> bool {
        let mut accurate = true;
        let all = &mut self.local[..lanes(node.depth + size)];
        gather_lanes(all, &self.vector, pattern.column_indices(node));
        self.vector[node.first..node.first + size].fill(0.0);
        for k in (0..size).rev() {
            let diagonal = node.depth + k;
            let local = &mut all[..lanes(diagonal + 1)];
            let x = local[diagonal / 4][diagonal % 4];
            if x == 0.0 {
                continue;
            }
            let row = &mut self.l[pattern.row_at[node.first + k] as usize..][..lanes(diagonal + 1)];
            let diag = self.diag[node.first + k];
            let mut square = if add { diag * diag + x * x } else { diag * diag - x * x };
            if square < MINVAL || square.is_nan() {
                square = MINVAL;
                accurate = false;
            }
            let root = square.sqrt();
            let (c, s) = (diag / root, -x / root);
            let s_row = if add { -s } else { s };
            self.diag[node.first + k] = root;
            self.diag_inv[node.first + k] = 1.0 / root;
            for (v, y) in row.iter_mut().zip(local.iter_mut()) {
                let (old_v, old_y) = (*v, *y);
                *v = std::array::from_fn(|q| c * old_v[q] + s_row * old_y[q]);
                *y = std::array::from_fn(|q| s * old_v[q] + c * old_y[q]);
            }
            keep_before(&mut row[diagonal / 4], diagonal % 4);
            keep_before(&mut local[diagonal / 4], diagonal % 4);
        }
        for (&c, &value) in pattern.node_path(node).iter().zip(all.as_flattened()) {
            self.vector[c as usize] = value;
        }
        accurate
    }
}

/// A vector on the columns of a supernode: where it is, or gathered in `local`.
#[inline(always)]
fn on_columns<'a>(
    pattern: &FactorPattern,
    node: &Supernode,
    x: &'a mut [Lane],
    local: &'a mut [Lane],
) -> &'a mut [Lane] {
    if node.is_in_place() {
        return x;
    }
    gather_lanes(local, x.as_flattened(), pattern.column_indices(node));
    local
}

/// Writes back what [`on_columns`] gathered.
#[inline(always)]
fn put_back(pattern: &FactorPattern, node: &Supernode, x: &mut [Lane], local: &[Lane]) {
    if !node.is_in_place() {
        scatter_lanes(x.as_flattened_mut(), local, pattern.column_indices(node));
    }
}

/// The rows of a panel.
#[inline]
fn rows_of<'a>(matrix: &'a [Lane], panel: &Panel) -> &'a [Lane] {
    &matrix[panel.at..panel.at + panel.count * panel.width]
}

/// The inverse diagonals of a panel.
#[inline]
fn inverses_of<'a>(diag_inv: &'a [f64], panel: &Panel) -> &'a [f64] {
    &diag_inv[panel.row..panel.row + panel.count]
}
