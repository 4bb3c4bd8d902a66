//! The motions of a chain's dofs, as contacts see them.
//!
//! A dof moves its bodies by `ω` and by `v` at the centre of mass of their tree. At `r` from there, motion along an axis `f` is
//! `f · (v + ω × r) = (r × f) · ω + f · v`, and rotation about it `f · ω`. Dofs lie in groups of four, component by component, so that
//! each step works on four dofs; what is missing in the last group does not move. Contacts between the same bodies share the motions.

use super::chain::{SignedChain, sub3};
use kinetree_math::lanes::{Lane, split_four, split_four_mut};
use kinetree_model::{Contact, Data, Model};

/// Relative motions of two bodies, second minus first.
#[derive(Default)]
pub(crate) struct ChainMotion {
    /// Dofs that move one of the bodies but not both.
    pub chain: SignedChain,
    /// Components of `ω` and `v`, with the sign of the body in the difference.
    groups: Vec<[Lane; 6]>,
    /// How many dofs belong to the tree of the first dof; the rest belongs to the other body's tree.
    split: usize,
    /// Top-level bodies of the two trees.
    roots: [usize; 2],
    /// Groups whose dofs have no gaps, and the first of these dofs.
    whole: Vec<[u32; 2]>,
    /// All other places of the chain, and their dofs.
    single: Vec<[u32; 2]>,
}

impl ChainMotion {
    /// Collects the motions between two bodies.
    pub(crate) fn collect(&mut self, model: &Model, data: &Data, body: [usize; 2]) {
        self.chain.find(model, body[0], body[1]);
        let (dofs, sign) = self.chain.lanes();
        self.groups.clear();
        self.groups.extend(dofs.iter().zip(sign).map(|(dofs, sign)| {
            let [a, b, c, d] = dofs.map(|dof| &data.cdof[dof as usize]);
            let mut group = [[0.0; 4]; 6];
            for (k, lane) in group.iter_mut().enumerate() {
                *lane = [a[k] * sign[0], b[k] * sign[1], c[k] * sign[2], d[k] * sign[3]];
            }
            group
        }));
        let sign = self.chain.sign();
        let first = sign.first().copied().unwrap_or(1.0);
        let root = body.map(|b| model.body_rootid[b] as usize);
        self.roots = if first > 0.0 { [root[1], root[0]] } else { root };
        self.split = sign.len();
        if root[0] != root[1] {
            self.split = sign.iter().position(|&s| s != first).unwrap_or(sign.len());
        }
        if !model.is_sparse() {
            self.find_places(model.nv);
        }
    }

    /// Finds out where the chain lies in a dense row.
    fn find_places(&mut self, nv: usize) {
        self.whole.clear();
        self.single.clear();
        for (g, dofs) in self.chain.dofs().chunks(4).enumerate() {
            // a last group that is not full may cover columns behind it, which are zero
            let (first, last) = (dofs[0] as usize, dofs[dofs.len() - 1] as usize);
            if last - first == dofs.len() - 1 && first + 4 <= nv {
                self.whole.push([g as u32, first as u32]);
            } else {
                self.single.extend(dofs.iter().enumerate().map(|(k, &dof)| [(4 * g + k) as u32, dof as u32]));
            }
        }
    }

    /// Number of lanes of a row.
    #[inline]
    pub(crate) fn width(&self) -> usize {
        self.groups.len()
    }

    /// Motion along the axes of the contact frame, one row for each.
    pub(crate) fn along(&self, data: &Data, contact: &Contact, rows: &mut [Lane]) {
        let width = self.width();
        let offset = self.roots.map(|root| sub3(&contact.pos, &data.subtree_com[root]));
        let edge = self.split / 4;
        for (f, out) in contact.frame.as_chunks().0.iter().zip(rows.chunks_exact_mut(width)) {
            slide(out, &self.groups, &cross(&offset[0], f), f);
            if self.split < self.chain.len() {
                let kept = out[edge];
                slide(&mut out[edge..], &self.groups[edge..], &cross(&offset[1], f), f);
                for (x, kept) in out[edge].iter_mut().zip(kept).take(self.split % 4) {
                    *x = kept;
                }
            }
        }
    }

    /// Rotation about the axes of the contact frame, one row for each.
    pub(crate) fn about(&self, contact: &Contact, rows: &mut [Lane]) {
        for (f, out) in contact.frame.as_chunks().0.iter().zip(rows.chunks_exact_mut(self.width())) {
            turn(out, &self.groups, f);
        }
    }

    /// Writes rows of lanes into dense rows of zeros.
    pub(crate) fn scatter(&self, dense: &mut [f64], nv: usize, rows: &[Lane]) {
        let width = self.width();
        if width == 0 {
            return;
        }
        let (mut rows, mut dense) = (rows, dense);
        while rows.len() >= 4 * width {
            let (four, rest) = rows.split_at(4 * width);
            let (target, rest_of_target) = dense.split_at_mut(4 * nv);
            self.scatter_rows(split_four_mut(target, nv), split_four(four, width));
            (rows, dense) = (rest, rest_of_target);
        }
        for (row, dense) in rows.chunks_exact(width).zip(dense.chunks_exact_mut(nv)) {
            self.scatter_rows([dense], [row]);
        }
    }

    /// Writes `R` rows into dense rows.
    #[inline]
    fn scatter_rows<const R: usize>(&self, mut dense: [&mut [f64]; R], rows: [&[Lane]; R]) {
        for &[group, dof] in &self.whole {
            for (dense, row) in dense.iter_mut().zip(rows) {
                if let Some(target) = dense[dof as usize..].first_chunk_mut::<4>() {
                    *target = row[group as usize];
                }
            }
        }
        for &[at, dof] in &self.single {
            for (dense, row) in dense.iter_mut().zip(rows) {
                dense[dof as usize] = row.as_flattened()[at as usize];
            }
        }
    }
}

#[inline]
fn cross(r: &[f64; 3], f: &[f64; 3]) -> [f64; 3] {
    [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]]
}

/// `moment · ω + axis · v` for each dof.
#[inline]
fn slide(out: &mut [Lane], groups: &[[Lane; 6]], m: &[f64; 3], f: &[f64; 3]) {
    by_fours(out, groups, |[w0, w1, w2, v0, v1, v2], k| {
        let turn = w0[k] * m[0] + w1[k] * m[1] + w2[k] * m[2];
        turn + (v0[k] * f[0] + v1[k] * f[1] + v2[k] * f[2])
    });
}

/// `axis · ω` for each dof.
#[inline]
fn turn(out: &mut [Lane], groups: &[[Lane; 6]], f: &[f64; 3]) {
    by_fours(out, groups, |[w0, w1, w2, ..], k| w0[k] * f[0] + w1[k] * f[1] + w2[k] * f[2]);
}

/// Calculates each lane from its group. Chains are short: each length up to four groups has a form without a loop.
#[inline]
fn by_fours(out: &mut [Lane], groups: &[[Lane; 6]], calculate: impl Fn(&[Lane; 6], usize) -> f64) {
    for (out, groups) in out.chunks_mut(4).zip(groups.chunks(4)) {
        match groups.len() {
            1 => fixed::<1>(out, groups, &calculate),
            2 => fixed::<2>(out, groups, &calculate),
            3 => fixed::<3>(out, groups, &calculate),
            _ => fixed::<4>(out, groups, &calculate),
        }
    }
}

#[inline]
fn fixed<const W: usize>(
    out: &mut [Lane],
    groups: &[[Lane; 6]],
    calculate: impl Fn(&[Lane; 6], usize) -> f64,
) {
    if let (Some(out), Some(groups)) = (out.first_chunk_mut::<W>(), groups.first_chunk::<W>()) {
        for (out, group) in out.iter_mut().zip(groups) {
            *out = [calculate(group, 0), calculate(group, 1), calculate(group, 2), calculate(group, 3)];
        }
    }
}
