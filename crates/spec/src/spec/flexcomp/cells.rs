//! The grid of cells that carries an interpolated flex: where its nodes are, which cells are empty, and how
//! the mass is shared.

use std::collections::VecDeque;

use super::description::FlexMesh;
use crate::assets::linalg::V3;

/// Bounds of a box before the first point.
const FAR: f64 = 1e10;
/// Weights of Simpson's rule: the end of an interval and its middle.
const SIMPSON: [f64; 2] = [1.0 / 6.0, 2.0 / 3.0];

/// Smallest and largest coordinates of points.
pub(super) fn bounds(points: &[V3]) -> [V3; 2] {
    points.iter().fold([[FAR; 3], [-FAR; 3]], |[low, high], point| {
        [std::array::from_fn(|k| low[k].min(point[k])), std::array::from_fn(|k| high[k].max(point[k]))]
    })
}

/// A box divided into cells, with `order + 1` nodes along each side of a cell.
pub(super) struct CellGrid {
    pub(super) cells: [i32; 3],
    pub(super) order: i32,
    pub(super) bounds: [V3; 2],
}

impl CellGrid {
    /// Nodes along each axis.
    fn sides(&self) -> [i32; 3] {
        self.cells.map(|cells| cells * self.order + 1)
    }

    /// Grid coordinates of all nodes, the last axis fastest.
    pub(super) fn nodes(&self) -> Vec<[i32; 3]> {
        product(self.sides())
    }

    /// Position of a node (m).
    pub(super) fn position(&self, node: [i32; 3]) -> V3 {
        let [low, high] = self.bounds;
        std::array::from_fn(|k| {
            let along = f64::from(node[k]) / f64::from(self.cells[k] * self.order);
            low[k] + along * (high[k] - low[k])
        })
    }

    /// Share of a node in the mass: equal for linear cells, by Simpson's rule for quadratic ones.
    pub(super) fn mass_share(&self, node: [i32; 3]) -> f64 {
        if self.order == 1 {
            return 1.0;
        }
        let sides = self.sides();
        let inner = |k: usize| node[k] > 0 && node[k] < sides[k] - 1 && node[k] % self.order == 0;
        let cells = |k: usize| if inner(k) { 2.0 } else { 1.0 };
        let weight = |k: usize| SIMPSON[usize::from(node[k] % self.order != 0)];
        weight(0) * weight(1) * weight(2) * cells(0) * cells(1) * cells(2)
    }

    fn cell_number(&self, [i, j, k]: [i32; 3]) -> usize {
        ((i * self.cells[1] + j) * self.cells[2] + k) as usize
    }

    /// Cell that holds a coordinate, along one axis.
    fn cell_at(&self, coordinate: f64, axis: usize) -> i32 {
        let [low, high] = self.bounds;
        let (length, cells) = (high[axis] - low[axis], self.cells[axis]);
        if length <= 0.0 {
            return 0;
        }
        (((coordinate - low[axis]) / length * f64::from(cells)) as i32).clamp(0, cells - 1)
    }

    /// Cells that the boxes of elements overlap.
    fn cells_with_elements(&self, mesh: &FlexMesh, dim: usize) -> Vec<bool> {
        let mut filled = vec![false; self.cells.iter().product::<i32>() as usize];
        for element in mesh.element.chunks_exact(dim + 1) {
            let corners: Vec<V3> = element.iter().map(|&id| mesh.point[id as usize]).collect();
            let [low, high] = bounds(&corners);
            let [first, last]: [[i32; 3]; 2] =
                [low, high].map(|corner| std::array::from_fn(|axis| self.cell_at(corner[axis], axis)));
            for i in first[0]..=last[0] {
                for j in first[1]..=last[1] {
                    for k in first[2]..=last[2] {
                        filled[self.cell_number([i, j, k])] = true;
                    }
                }
            }
        }
        filled
    }

    /// Cells without elements; of a surface, those that are outside of it.
    pub(super) fn empty_cells(&self, mesh: &FlexMesh, dim: usize) -> Vec<bool> {
        let filled = self.cells_with_elements(mesh, dim);
        if dim == 2 { self.outside(&filled) } else { filled.iter().map(|filled| !filled).collect() }
    }

    /// Cells that can be reached from the boundary through cells without elements.
    fn outside(&self, filled: &[bool]) -> Vec<bool> {
        let mut outside = vec![false; filled.len()];
        let mut front = VecDeque::new();
        let at_boundary =
            |cell: &[i32; 3]| (0..3).any(|axis| cell[axis] == 0 || cell[axis] == self.cells[axis] - 1);
        for cell in product(self.cells).into_iter().filter(at_boundary) {
            let number = self.cell_number(cell);
            if !filled[number] {
                outside[number] = true;
                front.push_back(cell);
            }
        }
        while let Some(cell) = front.pop_front() {
            for (axis, step) in [(0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1)] {
                let mut next = cell;
                next[axis] += step;
                if !(0..self.cells[axis]).contains(&next[axis]) {
                    continue;
                }
                let number = self.cell_number(next);
                if !filled[number] && !outside[number] {
                    outside[number] = true;
                    front.push_back(next);
                }
            }
        }
        outside
    }

    /// Pins nodes all of whose cells are empty.
    pub(super) fn pin_nodes_of_empty_cells(&self, empty: &[bool], pinned: &mut [bool]) {
        for (number, node) in self.nodes().into_iter().enumerate() {
            let first = node.map(|n| if n == 0 { 0 } else { (n - 1) / self.order });
            let last: [i32; 3] = std::array::from_fn(|k| (node[k] / self.order).min(self.cells[k] - 1));
            let around = (first[0]..=last[0]).flat_map(|i| {
                (first[1]..=last[1]).flat_map(move |j| (first[2]..=last[2]).map(move |k| [i, j, k]))
            });
            if around.into_iter().all(|cell| empty[self.cell_number(cell)]) {
                pinned[number] = true;
            }
        }
    }
}

/// All triples of numbers below the given ones, the last fastest.
fn product([x, y, z]: [i32; 3]) -> Vec<[i32; 3]> {
    (0..x).flat_map(|i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k]))).collect()
}
