//! The broad phase of small models: a table of all geom pairs that may ever touch.
//!
//! Which pairs the bits, kinship and exclusions of a model allow does not change from step to step, and neither does their order in the
//! contact list. The table holds them in that order with the distance at which their bounding spheres meet, so that a step only
//! compares distances, and boxes where these do not decide. What the table was made from is kept with it and compared at every step, as all of it can be changed by
//! whoever owns the model.

use super::broad::Candidate;
use kinetree_collide::broadphase::Aabb;
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};

/// Models with more geoms or pairs than this are swept instead.
const MOST_GEOMS: usize = 64;
const MOST_PAIRS: usize = 1000;

/// Two geoms and how their bounds are compared. Kept small, since all entries are read at every step.
#[derive(Clone, Copy, Debug)]
struct Entry {
    geom1: u16,
    geom2: u16,
    bound: Bound,
    /// Squared distance of the centres of spheres, or height over a plane, at which they meet.
    reach: f64,
}

/// How bounds are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// Not at all.
    None,
    Spheres,
    /// The first geom is a plane.
    Plane,
}

/// The table, and what it was made from.
#[derive(Debug, Default)]
pub(super) struct PairTable {
    entries: Vec<Entry>,
    /// What an entry stands for.
    candidates: Vec<Candidate>,
    ints: Vec<i32>,
    numbers: Vec<f64>,
    /// Whether the model is small enough.
    fits: bool,
}

impl PairTable {
    /// Whether the model may be small enough for a table.
    pub(super) fn may_fit(model: &Model) -> bool {
        model.ngeom <= MOST_GEOMS && model.nbody <= 2 * MOST_GEOMS && model.npair <= MOST_GEOMS
    }

    /// Whether the table was made from this model as it is now.
    pub(super) fn is_current(&self, model: &Model, any_bits: bool) -> bool {
        let (mut ints, mut numbers) = (self.ints.as_slice(), self.numbers.as_slice());
        take_equal(&mut ints, &int_options(model, any_bits))
            && int_inputs(model).into_iter().all(|input| take_equal(&mut ints, input))
            && take_equal(&mut numbers, &[model.opt.o_margin])
            && number_inputs(model).into_iter().all(|input| take_equal(&mut numbers, input))
            && ints.is_empty()
            && numbers.is_empty()
    }

    /// Makes the table from all pairs that the model allows, in the order of the contact list, with their margins.
    pub(super) fn make(
        &mut self,
        model: &Model,
        any_bits: bool,
        pairs: &[Candidate],
        margin: impl Fn(usize, usize) -> f64,
    ) {
        self.ints.clear();
        self.ints.extend_from_slice(&int_options(model, any_bits));
        int_inputs(model).into_iter().for_each(|input| self.ints.extend_from_slice(input));
        self.numbers.clear();
        self.numbers.push(model.opt.o_margin);
        number_inputs(model).into_iter().for_each(|input| self.numbers.extend_from_slice(input));
        self.entries.clear();
        self.candidates.clear();
        self.fits = pairs.len() <= MOST_PAIRS;
        if self.fits {
            self.candidates.extend_from_slice(pairs);
            self.entries.extend(pairs.iter().map(|candidate| {
                let margin = margin(candidate.geom1 as usize, candidate.geom2 as usize);
                entry(model, candidate, margin)
            }));
        }
    }

    /// Whether the table can be used.
    pub(super) fn fits(&self) -> bool {
        self.fits
    }

    /// Lists the pairs whose bounding spheres and boxes meet.
    pub(super) fn list(&self, data: &Data, boxes: &[Aabb], out: &mut Vec<Candidate>) {
        let (pos, mat) = (data.geom_xpos.as_slice(), data.geom_xmat.as_slice());
        for (entry, candidate) in self.entries.iter().zip(&self.candidates) {
            let (g1, g2) = (entry.geom1 as usize, entry.geom2 as usize);
            let apart = match entry.bound {
                Bound::None => false,
                Bound::Spheres => {
                    let (p, q) = (&pos[g1], &pos[g2]);
                    let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
                    d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > entry.reach || boxes[g1].is_apart(&boxes[g2])
                }
                Bound::Plane => {
                    let (p, q, m) = (&pos[g1], &pos[g2], &mat[g1]);
                    (q[0] - p[0]) * m[2] + (q[1] - p[1]) * m[5] + (q[2] - p[2]) * m[8] > entry.reach
                }
            };
            if !apart {
                out.push(*candidate);
            }
        }
    }
}

/// How the bounds of a pair are compared: as in [`spheres_meet`](super::broad::spheres_meet). Explicit pairs have margins of their own
/// and are compared later.
fn entry(model: &Model, candidate: &Candidate, margin: f64) -> Entry {
    let (g1, g2) = (candidate.geom1 as usize, candidate.geom2 as usize);
    let make = |g1: usize, g2: usize, bound: Bound, reach: f64| Entry {
        geom1: g1 as u16,
        geom2: g2 as u16,
        bound,
        reach,
    };
    let (r1, r2) = (model.geom_rbound[g1], model.geom_rbound[g2]);
    if candidate.pair >= 0 {
        return make(g1, g2, Bound::None, 0.0);
    }
    if r1 > 0.0 && r2 > 0.0 {
        let reach = r1 + r2 + margin;
        return make(g1, g2, Bound::Spheres, reach * reach);
    }
    for (plane, other, r) in [(g1, g2, r2), (g2, g1, r1)] {
        if model.geom_type[plane] == GeomType::Plane as i32 && r > 0.0 {
            return make(plane, other, Bound::Plane, margin + r);
        }
    }
    make(g1, g2, Bound::None, 0.0)
}

fn int_options(model: &Model, any_bits: bool) -> [i32; 3] {
    [model.opt.disableflags, model.opt.enableflags, i32::from(any_bits)]
}

/// All integers that decide about the table.
fn int_inputs(model: &Model) -> [&[i32]; 15] {
    [
        &model.geom_contype,
        &model.geom_conaffinity,
        &model.geom_type,
        &model.geom_bodyid,
        &model.body_contype,
        &model.body_conaffinity,
        &model.body_weldid,
        &model.body_parentid,
        &model.body_geomadr,
        &model.body_geomnum,
        &model.body_bvhadr,
        &model.exclude_signature,
        &model.pair_geom1,
        &model.pair_geom2,
        &model.pair_signature,
    ]
}

/// All other numbers that decide about the table.
fn number_inputs(model: &Model) -> [&[f64]; 2] {
    [&model.geom_rbound, &model.geom_margin]
}

/// Whether `rest` begins with `part`, which is taken off.
#[inline]
fn take_equal<T: PartialEq>(rest: &mut &[T], part: &[T]) -> bool {
    match rest.split_at_checked(part.len()) {
        Some((front, back)) if front == part => {
            *rest = back;
            true
        }
        _ => false,
    }
}
