//! The motions of a chain's dofs, as contacts see them.
//!
//! A dof moves its bodies by `ω` and by `v` at the centre of mass of their tree. At `r` from there, motion along an axis `f` is
//! `f · (v + ω × r) = (r × f) · ω + f · v`, and rotation about it `f · ω`. Dofs lie in groups of four, component by component: each
//! group goes through all rows of a contact at once, four dofs in each step. What is missing in the last group does not move.
//! Contacts between the same bodies share the motions.

use super::chain::sub3;
use super::kept::{Chain, KeptChains};
use kinetree_math::lanes::{Lane, keep_mask};
use kinetree_model::{Contact, Data, Model};
use wide::f64x4;

/// Components of `ω` and `v` of four dofs, with the sign of the body in the difference.
type Group = [f64x4; 6];

/// Relative motions of two bodies, second minus first.
#[derive(Default)]
pub(crate) struct ChainMotion {
    /// Dofs that move one of the bodies but not both.
    pub chains: KeptChains,
    groups: Vec<Group>,
}

/// Where the rows of a contact go.
pub(crate) struct Target<'a> {
    /// Rows of the width of the chain, without gaps.
    pub lanes: &'a mut [Lane],
    /// Dense rows of zeros, or nothing.
    pub dense: &'a mut [f64],
    /// Length of a dense row.
    pub nv: usize,
}

/// Axes of a contact, and their moments about the centre of mass of a tree.
struct Axes {
    axis: [[f64; 3]; 3],
    moment: [[f64; 3]; 3],
}

impl ChainMotion {
    /// Collects the motions between two bodies.
    pub(crate) fn collect(&mut self, model: &Model, data: &Data, body: [usize; 2]) {
        self.chains.look_up(model, body);
        let (dofs, signs) = self.chains.lanes();
        let cdof = &data.cdof[..];
        self.groups.clear();
        self.groups.extend(dofs.iter().zip(signs).map(|(dofs, &signs)| {
            let row = |k: usize| &cdof[dofs[k] as usize];
            let (a, b, c, d) = (row(0), row(1), row(2), row(3));
            let signs = f64x4::new(signs);
            let component = |k: usize| f64x4::new([a[k], b[k], c[k], d[k]]) * signs;
            [component(0), component(1), component(2), component(3), component(4), component(5)]
        }));
    }

    /// Writes the rows of a contact: motions along normal and tangents, then about them; the pyramid of them if asked for.
    pub(crate) fn write_rows(&self, data: &Data, contact: &Contact, pyramidal: bool, target: Target<'_>) {
        match (contact.dim, pyramidal) {
            (1, _) => self.write::<1, 1>(data, contact, target),
            (3, true) => self.write::<3, 4>(data, contact, target),
            (3, false) => self.write::<3, 3>(data, contact, target),
            (4, true) => self.write::<4, 6>(data, contact, target),
            (4, false) => self.write::<4, 4>(data, contact, target),
            // others have fewer rows, of which no more are written
            (_, true) => self.write::<6, 10>(data, contact, target),
            (_, false) => self.write::<6, 6>(data, contact, target),
        }
    }

    /// As [`Self::write_rows`], for a contact with `D` dimensions and `R` rows.
    #[inline(never)]
    fn write<const D: usize, const R: usize>(&self, data: &Data, contact: &Contact, target: Target<'_>) {
        let Chain { count, split, roots, .. } = *self.chains.chain();
        let axes = |root: usize| Axes::new(&contact.frame, &sub3(&contact.pos, &data.subtree_com[root]));
        let near = axes(roots[0]);
        let friction = &contact.friction;
        if split == count {
            self.fill(target, |_, group| pyramid::<D, R>(&near.motions(group), friction));
            return;
        }
        let far = axes(roots[1]);
        self.fill(target, |g, group| {
            let (first, second) = (near.motions(group), far.motions(group));
            pyramid::<D, R>(&join(split.saturating_sub(4 * g), first, second), friction)
        });
    }

    /// Writes the rows that `rows_of` makes of each group.
    #[inline(always)]
    fn fill<const R: usize>(&self, target: Target<'_>, rows_of: impl Fn(usize, &Group) -> [f64x4; R]) {
        let Target { lanes, dense, nv } = target;
        let chain = self.chains.chain();
        let sparse = dense.is_empty();
        let mut lanes = split_rows::<_, R>(lanes, chain.width);
        let mut dense = split_rows::<_, R>(dense, nv);
        let (dofs, _) = self.chains.lanes();
        let columns = self.chains.columns();
        for (g, ((group, &column), dofs)) in self.groups.iter().zip(columns).zip(dofs).enumerate() {
            let rows = rows_of(g, group);
            for (lanes, row) in lanes.iter_mut().zip(&rows) {
                if let Some(lane) = lanes.get_mut(g) {
                    *lane = row.to_array();
                }
            }
            if sparse {
                continue;
            }
            if column >= 0 {
                for (dense, row) in dense.iter_mut().zip(&rows) {
                    if let Some(place) = dense.get_mut(column as usize..).and_then(<[_]>::first_chunk_mut) {
                        *place = row.to_array();
                    }
                }
            } else {
                for (k, &dof) in dofs.iter().enumerate().take(chain.count - 4 * g) {
                    for (dense, row) in dense.iter_mut().zip(&rows) {
                        if let Some(place) = dense.get_mut(dof as usize) {
                            *place = row.as_array_ref()[k];
                        }
                    }
                }
            }
        }
    }
}

/// The rows of a matrix with rows of the given width; those that it does not have are empty.
#[inline(always)]
fn split_rows<T, const R: usize>(mut rows: &mut [T], width: usize) -> [&mut [T]; R] {
    std::array::from_fn(|_| {
        let (row, rest) = std::mem::take(&mut rows).split_at_mut_checked(width).unwrap_or_default();
        rows = rest;
        row
    })
}

impl Axes {
    #[inline(always)]
    fn new(frame: &[f64; 9], offset: &[f64; 3]) -> Self {
        let [x0, x1, x2, y0, y1, y2, z0, z1, z2] = *frame;
        let axis = [[x0, x1, x2], [y0, y1, y2], [z0, z1, z2]];
        Self { axis, moment: axis.map(|f| cross(offset, &f)) }
    }

    /// The first `D` motions of four dofs: three along the axes, three about them.
    #[inline(always)]
    fn motions<const D: usize>(&self, group: &Group) -> [f64x4; D] {
        let [w0, w1, w2, v0, v1, v2] = *group;
        let dot = |x: f64x4, y: f64x4, z: f64x4, f: &[f64; 3]| {
            x * f64x4::splat(f[0]) + y * f64x4::splat(f[1]) + z * f64x4::splat(f[2])
        };
        std::array::from_fn(|k| {
            let axis = &self.axis[k % 3];
            if k < 3 {
                dot(w0, w1, w2, &self.moment[k]) + dot(v0, v1, v2, axis)
            } else {
                dot(w0, w1, w2, axis)
            }
        })
    }
}

/// The first `kept` numbers of `first`, and the others of `second`.
#[inline(always)]
fn join<const D: usize>(kept: usize, first: [f64x4; D], second: [f64x4; D]) -> [f64x4; D] {
    let keep = keep_mask(kept.min(4));
    std::array::from_fn(|k| keep.blend(first[k], second[k]))
}

/// The rows of a contact from its `D` motions: the motions themselves, or the edges of a pyramid, two for each friction.
#[inline(always)]
fn pyramid<const D: usize, const R: usize>(motions: &[f64x4; D], friction: &[f64; 5]) -> [f64x4; R] {
    std::array::from_fn(|r| {
        if R == D {
            return motions[r];
        }
        let pull = motions[r / 2 + 1] * f64x4::splat(friction[r / 2]);
        if r % 2 == 0 { motions[0] + pull } else { motions[0] - pull }
    })
}

#[inline(always)]
fn cross(r: &[f64; 3], f: &[f64; 3]) -> [f64; 3] {
    [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]]
}
