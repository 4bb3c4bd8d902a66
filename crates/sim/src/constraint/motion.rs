//! The motions of a chain's dofs, as contacts see them.
//!
//! A dof moves its bodies by `ω` and by `v` at the centre of mass of their tree. At `r` from there, motion
//! along an axis `f` is `f · (v + ω × r)`, and rotation about it `f · ω`. Dofs lie in groups of four,
//! component by component: each group goes through all rows of a contact at once, four dofs in each step.
//! What is missing in the last group does not move. Contacts between the same bodies share the motions.

use super::chain_cache::{Chain, ChainCache};
use kinetree_math::lanes::{Lane, keep_mask};
use kinetree_model::{Contact, Data, Model};
use wide::f64x4;

/// Components of `ω` and `v` of four dofs, with the sign of the body in the difference.
type Motion = [f64x4; 6];

/// A motion, the dofs it belongs to, and the bits of their signs.
#[derive(Clone, Copy)]
struct Group {
    motion: Motion,
    of: ([i32; 4], [u64; 4]),
}

const NO_GROUP: Group = Group { motion: [f64x4::ZERO; 6], of: ([-1; 4], [0; 4]) };

/// Relative motions of two bodies, second minus first.
#[derive(Default)]
pub(crate) struct ChainMotion {
    /// Dofs that move one of the bodies but not both.
    pub chains: ChainCache,
    /// Motions of the chain's dofs, and others behind them.
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

impl ChainMotion {
    /// Begins with the first of all contacts.
    pub(crate) fn begin(&mut self, model: &Model, contacts: usize) {
        self.chains.begin(model, contacts);
        self.groups.clear();
    }

    /// Collects the motions between two bodies.
    pub(crate) fn collect(&mut self, model: &Model, data: &Data, body: [usize; 2]) {
        self.chains.look_up(model, body);
        let (dofs, signs) = self.chains.lanes();
        if self.groups.len() < dofs.len() {
            self.groups.resize(dofs.len(), NO_GROUP);
        }
        for ((group, dofs), signs) in self.groups.iter_mut().zip(dofs).zip(signs) {
            // chains of one tree begin with the same dofs
            let of = (*dofs, signs.map(f64::to_bits));
            if group.of != of {
                *group = Group { of, motion: collect_group(&data.cdof, dofs, f64x4::new(*signs)) };
            }
        }
    }

    /// Writes the rows of a contact: motions along normal and tangents, then about them; the pyramid of them
    /// if asked for.
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
        let offset = |root: usize| {
            let [p, c] = [&contact.pos, &data.subtree_com[root]];
            [0, 1, 2].map(|k| f64x4::splat(p[k] - c[k]))
        };
        let near = offset(roots[0]);
        if split == count {
            self.fill(target, |_, motion| make_rows::<D, R>(contact, motion, &near));
            return;
        }
        let far = offset(roots[1]);
        self.fill(target, |g, motion| {
            make_rows::<D, R>(contact, motion, &join(split.saturating_sub(4 * g), &near, &far))
        });
    }

    /// Writes the rows that `rows_of` makes of each group.
    #[inline(always)]
    fn fill<const R: usize>(&self, target: Target<'_>, rows_of: impl Fn(usize, &Motion) -> [f64x4; R]) {
        let Target { lanes, dense, nv } = target;
        let Chain { count, width, .. } = *self.chains.chain();
        // what is short cannot wrap around when it is added
        let nv = nv as u32;
        let (dofs, _) = self.chains.lanes();
        let columns = self.chains.columns();
        for (g, ((group, &column), dofs)) in self.groups.iter().zip(columns).zip(dofs).enumerate() {
            let rows = rows_of(g, &group.motion);
            for (r, row) in rows.iter().enumerate() {
                if let Some(lane) = lanes.get_mut(r * width + g) {
                    *lane = row.to_array();
                }
            }
            if dense.is_empty() {
                continue;
            }
            if let Ok(column) = u32::try_from(column) {
                for (r, row) in rows.iter().enumerate() {
                    let start = (r as u32 * nv + column) as usize;
                    if let Some(target) = dense.get_mut(start..start + 4).and_then(<[_]>::first_chunk_mut) {
                        *target = row.to_array();
                    }
                }
            } else {
                for (k, &dof) in dofs.iter().enumerate().take(count - 4 * g) {
                    for (r, row) in rows.iter().enumerate() {
                        if let Some(target) = dense.get_mut((r as u32 * nv + dof as u32) as usize) {
                            *target = row.as_array_ref()[k];
                        }
                    }
                }
            }
        }
    }
}

/// The motions of four dofs.
#[inline(always)]
fn collect_group(cdof: &[[f64; 6]], dofs: &[i32; 4], signs: f64x4) -> Motion {
    let row = |k: usize| &cdof[dofs[k] as usize];
    let (a, b, c, d) = (row(0), row(1), row(2), row(3));
    let component = |k: usize| f64x4::new([a[k], b[k], c[k], d[k]]) * signs;
    [component(0), component(1), component(2), component(3), component(4), component(5)]
}

/// The rows of a contact at an offset from the centre of mass.
#[inline(always)]
fn make_rows<const D: usize, const R: usize>(
    contact: &Contact,
    motion: &Motion,
    offset: &[f64x4; 3],
) -> [f64x4; R] {
    pyramid::<D, R>(&along_axes(motion, offset, &contact.frame), &contact.friction)
}

/// The first `D` motions of four dofs in the axes of a contact: three along them, at an offset from the
/// centre of mass, and three about them.
#[inline(always)]
fn along_axes<const D: usize>(motion: &Motion, offset: &[f64x4; 3], frame: &[f64; 9]) -> [f64x4; D] {
    let [[w0, w1, w2], [v0, v1, v2]] = [[motion[0], motion[1], motion[2]], [motion[3], motion[4], motion[5]]];
    let [r0, r1, r2] = *offset;
    let point = [v0 + (w1 * r2 - w2 * r1), v1 + (w2 * r0 - w0 * r2), v2 + (w0 * r1 - w1 * r0)];
    std::array::from_fn(|k| {
        let [x, y, z] = if k < 3 { point } else { [w0, w1, w2] };
        let axis = 3 * (k % 3);
        x * f64x4::splat(frame[axis]) + y * f64x4::splat(frame[axis + 1]) + z * f64x4::splat(frame[axis + 2])
    })
}

/// The first `kept` numbers of `first`, and the others of `second`.
#[inline(always)]
fn join(kept: usize, first: &[f64x4; 3], second: &[f64x4; 3]) -> [f64x4; 3] {
    let keep = keep_mask(kept.min(4));
    [0, 1, 2].map(|k| keep.blend(first[k], second[k]))
}

/// The rows of a contact from its `D` motions: the motions themselves, or the edges of a pyramid, two for
/// each friction.
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
