//! The broad phase of small models: a table of all geom pairs that may ever touch.
//!
//! Which pairs the bits, kinship and exclusions of a model allow does not change from step to step, and
//! neither does their order in the contact list. The table holds them in that order with the distance at
//! which their bounding spheres meet, so that a step only compares distances, and boxes where these do not
//! decide. What the table was made from is kept with it and compared at every step, as all of it can be
//! changed by whoever owns the model.
//!
//! Pairs that are far apart stay so for a while: a scan over the whole table lists those that are within a
//! distance, the skin, of meeting, and as long as no geom has moved by half of it, only these are compared.

use super::bounds::make_geom_box;
use super::candidate::Candidate;
use crate::cache_key::CacheKey;
use kinetree_collide::broadphase::Aabb;
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};

/// Models with more geoms or pairs than this are swept instead.
const MOST_GEOMS: usize = 64;
const MOST_PAIRS: usize = 1000;
/// The skin in mean radii of geoms.
const SKIN: f64 = 0.5;
/// How far a geom may move along each axis, in skins: both of a pair then move by less than a skin together,
/// √3/2 of it at most.
const MAX_MOVE: f64 = 0.25;

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
    /// Entries that were within the skin then.
    near: Vec<u16>,
    /// Working memory: entries that meet.
    meeting: Vec<u16>,
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
        self.candidates.clear();
        self.centres.clear();
        let radii = model.geom_rbound.iter().filter(|&&r| r > 0.0);
        self.skin = SKIN * radii.clone().sum::<f64>() / radii.count().max(1) as f64;
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

    /// Lists the pairs whose bounding spheres and boxes meet. `boxes` is room for the boxes of all geoms.
    ///
    /// Which pairs meet cannot be predicted: each is written to a list, and counts if it does.
    #[inline(never)]
    pub(super) fn list(
        &mut self,
        model: &Model,
        data: &Data,
        override_margin: f64,
        boxes: &mut Vec<Aabb>,
        out: &mut Vec<Candidate>,
    ) {
        if !self.is_near_centres(&data.geom_xpos) {
            self.scan_all(data);
        }
        let (pos, mat) = (&data.geom_xpos[..], &data.geom_xmat[..]);
        let Self { entries, candidates, near, meeting, .. } = self;
        meeting.resize(near.len(), 0);
        let (entries, candidates, meeting) = (&entries[..], &candidates[..], &mut meeting[..]);
        let mut count = 0;
        for &i in near.iter() {
            meeting[count] = i;
            count += usize::from(!entries[i as usize].is_apart(pos, mat));
        }
        boxes.resize(pos.len(), Aabb { min: [0.0; 3], max: [0.0; 3], fixed: false });
        let mut made: u64 = 0;
        for &i in &meeting[..count] {
            let entry = &entries[i as usize];
            if entry.bound == Bound::Spheres {
                let geoms = [entry.geom1, entry.geom2].map(usize::from);
                for geom in geoms {
                    if made >> geom & 1 == 0 {
                        made |= 1 << geom;
                        make_geom_box(model, data, geom, override_margin, &mut boxes[geom]);
                    }
                }
                if boxes[geoms[0]].is_apart(&boxes[geoms[1]]) {
                    continue;
                }
            }
            out.push(candidates[i as usize]);
        }
    }

    /// Whether all geoms still are near where they were at the last scan.
    fn is_near_centres(&self, pos: &[[f64; 3]]) -> bool {
        let limit = MAX_MOVE * self.skin;
        let pairs = self.centres.as_flattened().iter().zip(pos.as_flattened());
        let far = pairs.fold(false, |far, (a, b)| {
            // what is not a number is not near
            let near = (a - b).abs() <= limit;
            far | !near
        });
        self.centres.len() == pos.len() && !far
    }

    /// Lists the pairs within the skin.
    #[cold]
    fn scan_all(&mut self, data: &Data) {
        let pos = &data.geom_xpos[..];
        self.centres.clear();
        self.centres.extend_from_slice(pos);
        self.near.clear();
        for (i, entry) in self.entries.iter().enumerate() {
            let far = entry.bound == Bound::Spheres && {
                let reach = entry.reach.sqrt() + self.skin;
                entry.distance2(pos) > reach * reach
            };
            if !far {
                self.near.push(i as u16);
            }
        }
    }
}

impl Entry {
    /// Squared distance of the centres.
    #[inline(always)]
    fn distance2(&self, pos: &[[f64; 3]]) -> f64 {
        let (p, q) = (&pos[self.geom1 as usize], &pos[self.geom2 as usize]);
        let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
        d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    }

    /// Whether the bounds do not meet.
    #[inline(always)]
    fn is_apart(&self, pos: &[[f64; 3]], mat: &[[f64; 9]]) -> bool {
        match self.bound {
            Bound::None => false,
            Bound::Spheres => self.distance2(pos) > self.reach,
            Bound::Plane => {
                let (g1, g2) = (self.geom1 as usize, self.geom2 as usize);
                let (p, q, m) = (&pos[g1], &pos[g2], &mat[g1]);
                (q[0] - p[0]) * m[2] + (q[1] - p[1]) * m[5] + (q[2] - p[2]) * m[8] > self.reach
            }
        }
    }
}

/// How the bounds of a pair are compared: as in [`spheres_meet`](super::broad::spheres_meet). Explicit pairs
/// have margins of their own and are compared later.
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
fn number_key(model: &Model) -> [&[f64]; 3] {
    [std::slice::from_ref(&model.opt.o_margin), &model.geom_rbound, &model.geom_margin]
}
