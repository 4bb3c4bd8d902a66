//! Pinned points: numbers, ranges of numbers, and both in grid coordinates.

use super::description::{Flexcomp, FlexcompDof, FlexcompKind, Pins};

impl Pins {
    /// Checks the lengths of the lists.
    pub(super) fn check(&self, comp: &Flexcomp) -> Result<(), String> {
        let dim = comp.dim();
        if !self.range.len().is_multiple_of(2) {
            return Err("'range' of a <pin> must have two numbers for each range".into());
        }
        if !self.grid.len().is_multiple_of(dim) {
            return Err(format!("'grid' of a <pin> must have {dim} numbers for each point"));
        }
        if !self.gridrange.len().is_multiple_of(2 * dim) {
            return Err(format!("'gridrange' of a <pin> must have {} numbers for each range", 2 * dim));
        }
        let by_grid = !(self.grid.is_empty() && self.gridrange.is_empty());
        if by_grid && comp.kind != FlexcompKind::Grid && comp.dof.order() == 0 {
            return Err("'grid' and 'gridrange' of a <pin> need a grid or interpolation".into());
        }
        if by_grid && dim == 1 {
            return Err("'grid' and 'gridrange' of a <pin> need dim 2 or 3: use 'id' or 'range'".into());
        }
        Ok(())
    }

    /// For each point, or node if there are more of these, whether it is pinned.
    pub(super) fn mark(&self, comp: &Flexcomp, nodes: usize) -> Result<Vec<bool>, String> {
        let points = comp.mesh.point.len();
        let mut pinned = vec![comp.rigid; points.max(nodes)];
        if comp.rigid {
            return Ok(pinned);
        }
        let known = |ids: &[i32]| ids.iter().all(|&id| usize::try_from(id).is_ok_and(|id| id < points));
        if !known(&self.id) {
            return Err(format!("'id' of a <pin> must be below {points}, the number of points"));
        }
        if !known(&self.range) {
            return Err(format!("'range' of a <pin> must be below {points}, the number of points"));
        }
        self.id.iter().for_each(|&id| pinned[id as usize] = true);
        for &[first, last] in self.range.as_chunks().0 {
            (first..=last).for_each(|id| pinned[id as usize] = true);
        }
        self.mark_grid(comp, &mut pinned)?;
        self.mark_grid_ranges(comp, &mut pinned)?;
        if comp.dof == FlexcompDof::Radial {
            // the centre
            pinned[0] = true;
        }
        Ok(pinned)
    }

    fn mark_grid(&self, comp: &Flexcomp, pinned: &mut [bool]) -> Result<(), String> {
        let sides = if comp.kind != FlexcompKind::Grid && comp.dof.order() > 0 {
            [comp.dof.order() + 1; 3]
        } else {
            comp.count
        };
        for node in self.grid.chunks_exact(comp.dim()) {
            if node.iter().zip(sides).any(|(&i, side)| !(0..side).contains(&i)) {
                return Err("'grid' of a <pin> is outside of the grid".into());
            }
            pin_at(comp, node, pinned)?;
        }
        Ok(())
    }

    fn mark_grid_ranges(&self, comp: &Flexcomp, pinned: &mut [bool]) -> Result<(), String> {
        let dim = comp.dim();
        for range in self.gridrange.chunks_exact(2 * dim) {
            let (first, last) = range.split_at(dim);
            if first
                .iter()
                .chain(last)
                .zip(comp.count[..dim].iter().cycle())
                .any(|(i, side)| !(0..*side).contains(i))
            {
                return Err("'gridrange' of a <pin> is outside of the grid".into());
            }
            let third = if dim == 3 { first[2]..=last[2] } else { 0..=0 };
            for i in first[0]..=last[0] {
                for j in first[1]..=last[1] {
                    for k in third.clone() {
                        pin_at(comp, &[i, j, k][..dim], pinned)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Pins the point with these grid coordinates.
fn pin_at(comp: &Flexcomp, node: &[i32], pinned: &mut [bool]) -> Result<(), String> {
    let number = node.iter().zip(comp.count).fold(0i64, |n, (&i, side)| n * i64::from(side) + i64::from(i));
    let slot = usize::try_from(number).ok().and_then(|number| pinned.get_mut(number));
    *slot.ok_or("a pinned point is outside of the grid of nodes")? = true;
    Ok(())
}
