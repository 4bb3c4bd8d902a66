//! The broad phase of small models: a table of all geom pairs that may ever touch.
//!
//! Which pairs the bits, kinship and exclusions of a model allow does not change from step to step, and
//! neither does their order in the contact list. The table holds them in that order with the distance at
//! which their bounding spheres meet, so that a step only compares distances, and boxes where these do not
//! decide. What the table was made from is its cache key, compared at every step, as all of it can be
//! changed by the owner of the model.
//!
//! Pairs that are far apart stay so for a while: a scan over the whole table lists those that are within a
//! distance, the skin, of meeting, and as long as no geom has moved by half of it and no plane has rotated,
//! only these are compared.

use super::bounds::{LaneBox, lane_box};
use super::candidate::Candidate;
use crate::cache_key::CacheKey;
use kinetree_math::lanes::keep_mask;
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};
use wide::{CmpLe, f64x4};

/// Models with more geoms or pairs than this are swept instead.
const MOST_GEOMS: usize = 64;
const MOST_PAIRS: usize = 1000;
/// The skin in mean radii of geoms.
const SKIN: f64 = 0.5;
/// How far a geom may move along each axis, in skins: both of a pair then move by less than a skin together,
/// √3/2 of it at most.
const MAX_MOVE: f64 = 0.25;

/// Two geoms and how their bounds are compared. Kept small, since many entries are read at every step.
#[derive(Clone, Copy, Debug)]
struct Entry {
    geom1: u16,
    geom2: u16,
    /// The candidate it stands for.
    candidate: u16,
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
    /// For each entry what its reach is with the skin.
    far_reach: Vec<f64>,
    /// What entries stand for.
    candidates: Vec<Candidate>,
    key: CacheKey,
    /// Whether a filter decided instead of the geoms' bits. Not part of the key: another thread may set a
    /// filter at any time.
    any_bits: bool,
    /// Whether the model is small enough.
    fits: bool,
    /// How far apart pairs must be to be left out of scans (m).
    skin: f64,
    /// Where geoms were at the last scan of all entries.
    centres: Vec<[f64; 3]>,
    /// All planes, and their normals then.
    planes: Vec<(u16, [f64; 3])>,
    /// Entries that were within the skin then.
    near: Vec<Entry>,
    /// Working memory: entries that meet.
    meeting: Vec<Entry>,
    /// Working memory: boxes of geoms.
    boxes: Vec<LaneBox>,
}

impl PairTable {
    /// Whether the model may be small enough for a table.
    pub(super) fn may_fit(model: &Model) -> bool {
        model.ngeom <= MOST_GEOMS && model.nbody <= 2 * MOST_GEOMS && model.npair <= MOST_GEOMS
    }

    /// Whether the table was made from this model as it is now.
    #[inline(never)]
    pub(super) fn is_current(&mut self, model: &Model, any_bits: bool) -> bool {
        self.any_bits == any_bits
            && (self.key.is_known()
                || self.key.compare(&int_key(model, &int_options(model)), &number_key(model)))
    }

    /// Says that the model cannot change from now on, or that it can again.
    pub(super) fn hold_model(&mut self, held: bool) {
        self.key.hold(held);
    }

    /// Makes the table from all pairs that the model allows, in the order of the contact list, with their
    /// margins.
    pub(super) fn make(
        &mut self,
        model: &Model,
        any_bits: bool,
        pairs: &[Candidate],
        margin: impl Fn(usize, usize) -> f64,
    ) {
        self.key.set(&int_key(model, &int_options(model)), &number_key(model));
        self.any_bits = any_bits;
        self.entries.clear();
        self.far_reach.clear();
        self.candidates.clear();
        self.centres.clear();
        self.planes.clear();
        let radii = model.geom_rbound.iter().filter(|&&r| r > 0.0);
        self.skin = SKIN * radii.clone().sum::<f64>() / radii.count().max(1) as f64;
        self.fits = pairs.len() <= MOST_PAIRS;
        if self.fits {
            self.candidates.extend_from_slice(pairs);
            for (candidate, index) in pairs.iter().zip(0..) {
                let margin = margin(candidate.geom1 as usize, candidate.geom2 as usize);
                let entry = entry(model, candidate, index, margin);
                self.far_reach.push(entry.reach_with(self.skin));
                let known = self.planes.iter().any(|plane| plane.0 == entry.geom1);
                if entry.bound == Bound::Plane && !known {
                    self.planes.push((entry.geom1, [0.0; 3]));
                }
                self.entries.push(entry);
            }
        }
        self.boxes.resize(model.ngeom, LaneBox::EMPTY);
    }

    /// Whether the table can be used.
    pub(super) fn fits(&self) -> bool {
        self.fits
    }

    /// Lists the pairs whose bounding spheres and boxes meet.
    ///
    /// Which pairs meet cannot be predicted: each is written to a list, and counts if it does.
    #[inline(never)]
    pub(super) fn list(
        &mut self,
        model: &Model,
        data: &Data,
        override_margin: f64,
        out: &mut Vec<Candidate>,
    ) {
        let (pos, mat) = (&data.geom_xpos[..], &data.geom_xmat[..]);
        if !(self.is_near_centres(pos) && self.planes_stand(mat)) {
            self.scan_all(pos, mat);
        }
        let Self { candidates, near, meeting, boxes, .. } = self;
        let (candidates, meeting, boxes) = (&candidates[..], &mut meeting[..], &mut boxes[..]);
        let mut count = 0;
        for entry in near.iter() {
            meeting[count] = *entry;
            count += usize::from(!entry.is_separated(pos, mat));
        }
        let mut made: u64 = 0;
        for entry in &meeting[..count] {
            if entry.bound == Bound::Spheres {
                let geoms = [entry.geom1, entry.geom2].map(usize::from);
                for geom in geoms {
                    if made >> geom & 1 == 0 {
                        made |= 1 << geom;
                        boxes[geom] = lane_box(model, data, geom, override_margin);
                    }
                }
                if boxes[geoms[0]].is_separated(&boxes[geoms[1]]) {
                    continue;
                }
            }
            out.push(candidates[entry.candidate as usize]);
        }
    }

    /// Whether all geoms still are near where they were at the last scan.
    #[inline(always)]
    fn is_near_centres(&self, pos: &[[f64; 3]]) -> bool {
        let limit = MAX_MOVE * self.skin;
        let (before, before_rest) = self.centres.as_flattened().as_chunks::<4>();
        let (now, now_rest) = pos.as_flattened().as_chunks::<4>();
        // what is not a number is not near
        let near = before.iter().zip(now).fold(keep_mask(4), |near, (a, b)| {
            near & (f64x4::new(*a) - f64x4::new(*b)).abs().cmp_le(f64x4::splat(limit))
        });
        let rest =
            before_rest.iter().zip(now_rest).fold(true, |near, (a, b)| near & ((a - b).abs() <= limit));
        self.centres.len() == pos.len() && near.move_mask() == 0b1111 && rest
    }

    /// Whether the normals of all planes are those of the last scan.
    #[inline(always)]
    fn planes_stand(&self, mat: &[[f64; 9]]) -> bool {
        self.planes.iter().all(|(geom, before)| normal(&mat[*geom as usize]) == *before)
    }

    /// Lists the pairs within the skin.
    #[cold]
    fn scan_all(&mut self, pos: &[[f64; 3]], mat: &[[f64; 9]]) {
        self.centres.clear();
        self.centres.extend_from_slice(pos);
        self.planes.iter_mut().for_each(|(geom, before)| *before = normal(&mat[*geom as usize]));
        self.near.clear();
        let far = |entry: &Entry, reach: f64| entry.distance(pos, mat) > reach;
        let entries = self.entries.iter().zip(&self.far_reach);
        self.near.extend(entries.filter(|(entry, reach)| !far(entry, **reach)).map(|(entry, _)| *entry));
        self.meeting.clone_from(&self.near);
    }
}

/// Normal of a plane with the given orientation.
#[inline(always)]
fn normal(mat: &[f64; 9]) -> [f64; 3] {
    [mat[2], mat[5], mat[8]]
}

impl Entry {
    /// Squared distance of the centres of spheres, or height over a plane.
    #[inline(always)]
    fn distance(&self, pos: &[[f64; 3]], mat: &[[f64; 9]]) -> f64 {
        let (p, q) = (&pos[self.geom1 as usize], &pos[self.geom2 as usize]);
        match self.bound {
            Bound::None => f64::NEG_INFINITY,
            Bound::Spheres => {
                let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
                d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            }
            Bound::Plane => {
                let n = normal(&mat[self.geom1 as usize]);
                (q[0] - p[0]) * n[0] + (q[1] - p[1]) * n[1] + (q[2] - p[2]) * n[2]
            }
        }
    }

    /// Whether the bounds do not meet.
    #[inline(always)]
    fn is_separated(&self, pos: &[[f64; 3]], mat: &[[f64; 9]]) -> bool {
        self.distance(pos, mat) > self.reach
    }

    /// The reach for bounds that meet from a skin apart.
    fn reach_with(&self, skin: f64) -> f64 {
        match self.bound {
            Bound::None | Bound::Plane => self.reach + skin,
            Bound::Spheres => (self.reach.sqrt() + skin).powi(2),
        }
    }
}

/// How the bounds of a pair are compared: as in [`spheres_meet`](super::broad::spheres_meet). Explicit pairs
/// have margins of their own and are compared later.
fn entry(model: &Model, candidate: &Candidate, index: u16, margin: f64) -> Entry {
    let (g1, g2) = (candidate.geom1 as usize, candidate.geom2 as usize);
    let make = |g1: usize, g2: usize, bound: Bound, reach: f64| Entry {
        geom1: g1 as u16,
        geom2: g2 as u16,
        candidate: index,
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
        if model.geom_type[plane] == GeomType::Plane && r > 0.0 {
            return make(plane, other, Bound::Plane, margin + r);
        }
    }
    make(g1, g2, Bound::None, 0.0)
}

fn int_options(model: &Model) -> [i32; 2] {
    [model.opt.disableflags, model.opt.enableflags]
}

/// All integers that decide about the table.
fn int_key<'a>(model: &'a Model, options: &'a [i32; 2]) -> [&'a [i32]; 16] {
    [
        options,
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
fn number_key(model: &Model) -> [&[f64]; 4] {
    [std::slice::from_ref(&model.opt.o_margin), &model.geom_rbound, &model.geom_margin, &model.geom_gap]
}
