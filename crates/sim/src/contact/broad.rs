//! Broad phase: which geoms may touch.
//!
//! Each moving body has one box around its geoms, each geom fixed to the world has a box of its own, so that
//! a large static scene costs only where something is near. Planes are unbounded and are tested against the
//! bounding sphere of every moving geom. Bodies with many geoms are narrowed down by walking their trees. The
//! result is a list of geom pairs in the order of the contact list: by the two bodies, explicit pairs first,
//! then by geoms.

use super::bounds::{SLACK, body_tree, geom_box, half_margin, has_tree, spheres_meet};
use super::candidate::{Candidate, by_rank, packed};
use super::pair_table::PairTable;
use super::params::{bodies_reach, geoms_reach};
use crate::sleep::awake_lists::{ASLEEP, AWAKE};
use kinetree_collide::Pose;
use kinetree_collide::broadphase::{Aabb, SweepAndPrune};
use kinetree_collide::bvh::{TreePairVisitor, collide_trees};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::enums::{DisableBit, EnableBit, GeomType};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Below this many geom pairs, walking two trees does not pay.
const FEW_PAIRS: usize = 64;
/// Up to this many geoms, comparing bounding spheres of all pairs is faster than keeping a table of them.
const FEW_GEOMS: usize = 6;
/// Below this many boxes, testing all pairs is faster than sweeping.
const FEW_BOXES: usize = 24;
/// Above this many candidates, they are dealt by body before they are sorted.
const MANY_CANDIDATES: usize = 48;
/// Set in the rank of pairs that are not explicit, which come after the explicit ones of the same bodies.
const DYNAMIC: u64 = 1 << 63;

/// What a box belongs to.
#[derive(Clone, Copy, Debug)]
enum Owner {
    Body(u32),
    StaticGeom(u32),
}

/// Working memory of the broad phase.
#[derive(Default)]
pub(crate) struct BroadScratch {
    sweep: SweepAndPrune,
    boxes: Vec<Aabb>,
    owners: Vec<Owner>,
    planes: Vec<u32>,
    moving: Vec<u32>,
    box_pairs: Vec<(u32, u32)>,
    stack: Vec<(u32, u32)>,
    leaves: Vec<(i32, i32)>,
    buckets: Vec<u32>,
    dealt: Vec<Candidate>,
    /// Whether a filter decides instead of the geoms' bits.
    any_bits: bool,
    /// Whether pairs are listed wherever their geoms are.
    anywhere: bool,
    table: PairTable,
    /// The result.
    pub candidates: Vec<Candidate>,
}

impl BroadScratch {
    /// Says that the model cannot change from now on, or that it can again.
    pub(super) fn hold_model(&mut self, held: bool) {
        self.table.hold_model(held);
    }
}

/// Collects the leaf pairs of two trees.
struct Leaves<'a>(&'a mut Vec<(i32, i32)>);

impl TreePairVisitor for Leaves<'_> {
    fn leaf_pair(&mut self, _: usize, element1: i32, _: usize, element2: i32) {
        self.0.push((element1, element2));
    }
}

/// Whether the two sets of bits allow a contact.
#[inline]
pub(crate) fn bits_allow(contype1: i32, conaffinity1: i32, contype2: i32, conaffinity2: i32) -> bool {
    contype1 & conaffinity2 != 0 || contype2 & conaffinity1 != 0
}

/// Finds all geom pairs to be tested, sorted.
pub(crate) fn find_candidates(model: &Model, data: &Data, s: &mut BroadScratch) {
    s.candidates.clear();
    s.any_bits = model.callbacks.contact_filter().is_some();
    if model.ngeom <= FEW_GEOMS {
        compare_all(model, data, s);
        return;
    }
    if PairTable::may_fit(model) && !model.enabled(EnableBit::Sleep) {
        if !s.table.is_current(model, s.any_bits) {
            make_table(model, data, s);
        }
        if s.table.fits() {
            let half_margin = half_margin(model);
            s.table.list(model, data, half_margin, &mut s.candidates);
            return;
        }
    }
    add_explicit_pairs(model, data, s);
    add_overlapping(model, data, s);
    s.sort(model.nbody);
}

/// Makes the table of a small model.
fn make_table(model: &Model, data: &Data, s: &mut BroadScratch) {
    all_candidates(model, data, s);
    let margin = |g1: usize, g2: usize| geoms_reach(model, [g1, g2]);
    s.table.make(model, s.any_bits, &s.candidates, margin);
    s.candidates.clear();
}

/// Lists every pair that the model allows, wherever the geoms are.
pub(super) fn all_candidates(model: &Model, data: &Data, s: &mut BroadScratch) {
    s.candidates.clear();
    s.anywhere = true;
    compare_all(model, data, s);
    s.anywhere = false;
}

/// Lists the pairs of all bodies.
fn compare_all(model: &Model, data: &Data, s: &mut BroadScratch) {
    if model.npair > 0 {
        add_explicit_pairs(model, data, s);
    }
    for b2 in 1..model.nbody {
        if model.body_geomnum[b2] == 0 {
            continue;
        }
        for b1 in 0..b2 {
            if model.body_geomnum[b1] > 0 {
                add_bodies(model, data, s, b1, b2);
            }
        }
    }
    if s.candidates.len() > 1 {
        s.sort(model.nbody);
    }
}

/// Compares bodies whose boxes overlap.
fn add_overlapping(model: &Model, data: &Data, s: &mut BroadScratch) {
    make_boxes(model, data, s);
    s.box_pairs.clear();
    if s.boxes.len() <= FEW_BOXES {
        all_pairs(&s.boxes, &mut s.box_pairs);
    } else {
        s.sweep.overlapping_pairs(&s.boxes, &mut s.box_pairs);
    }
    for k in 0..s.box_pairs.len() {
        let (i, j) = s.box_pairs[k];
        match (s.owners[i as usize], s.owners[j as usize]) {
            (Owner::Body(b1), Owner::Body(b2)) => {
                add_bodies(model, data, s, b1.min(b2) as usize, b1.max(b2) as usize);
            }
            (Owner::Body(body), Owner::StaticGeom(geom)) | (Owner::StaticGeom(geom), Owner::Body(body)) => {
                add_static_geom(model, data, s, geom as usize, body as usize);
            }
            (Owner::StaticGeom(_), Owner::StaticGeom(_)) => {}
        }
    }
    for p in 0..s.planes.len() {
        for m in 0..s.moving.len() {
            add_static_geom(model, data, s, s.planes[p] as usize, s.moving[m] as usize);
        }
    }
}

impl BroadScratch {
    /// Brings the candidates into the order of the contact list. Many of them are first dealt by their lower
    /// body, so that only short lists have to be sorted.
    fn sort(&mut self, nbody: usize) {
        let Self { candidates, buckets, dealt, .. } = self;
        if candidates.len() <= MANY_CANDIDATES {
            candidates.sort_unstable_by_key(by_rank);
            return;
        }
        buckets.clear();
        buckets.resize(nbody + 1, 0);
        for c in candidates.iter() {
            buckets[c.first_body() + 1] += 1;
        }
        for i in 0..nbody {
            buckets[i + 1] += buckets[i];
        }
        dealt.clear();
        dealt.extend_from_slice(candidates);
        for c in candidates.iter() {
            let next = &mut buckets[c.first_body()];
            dealt[*next as usize] = *c;
            *next += 1;
        }
        std::mem::swap(candidates, dealt);
        // dealing has moved the start of each bucket to its end
        let mut start = 0;
        for &end in &buckets[..nbody] {
            let end = end as usize;
            if end > start + 1 {
                candidates[start..end].sort_unstable_by_key(by_rank);
            }
            start = end;
        }
    }
}

fn add_explicit_pairs(model: &Model, data: &Data, s: &mut BroadScratch) {
    for pair in 0..model.npair {
        let (g1, g2) = (model.pair_geom1[pair] as u32, model.pair_geom2[pair] as u32);
        let b1 = model.geom_bodyid[g1 as usize] as usize;
        let b2 = model.geom_bodyid[g2 as usize] as usize;
        if model.enabled(EnableBit::Sleep) && data.body_awake[b1] != AWAKE && data.body_awake[b2] != AWAKE {
            continue;
        }
        s.candidates.push(Candidate {
            bodies: packed(b1.min(b2) as u32, b1.max(b2) as u32),
            rank: pair as u64,
            geom1: g1,
            geom2: g2,
            pair: pair as i32,
        });
    }
}

/// Boxes of moving bodies and static geoms, and the list of planes.
fn make_boxes(model: &Model, data: &Data, s: &mut BroadScratch) {
    s.boxes.clear();
    s.owners.clear();
    s.planes.clear();
    s.moving.clear();
    let half_margin = half_margin(model);
    let some_asleep = model.enabled(EnableBit::Sleep) && data.nbody_awake < model.nbody;
    for body in 0..model.nbody {
        if model.body_contype[body] == 0 && model.body_conaffinity[body] == 0 {
            continue;
        }
        let first = model.body_geomadr[body] as usize;
        let geoms = first..first + model.body_geomnum[body] as usize;
        if model.is_fixed(body) {
            for geom in geoms {
                if model.geom_type[geom] == GeomType::Plane {
                    s.planes.push(geom as u32);
                } else {
                    let mut aabb = geom_box(model, data, geom, half_margin);
                    aabb.fixed = true;
                    s.boxes.push(aabb);
                    s.owners.push(Owner::StaticGeom(geom as u32));
                }
            }
        } else {
            if geoms.is_empty() {
                continue;
            }
            let mut all = geom_box(model, data, first, half_margin);
            for geom in geoms.skip(1) {
                let aabb = geom_box(model, data, geom, half_margin);
                for k in 0..3 {
                    all.min[k] = all.min[k].min(aabb.min[k]);
                    all.max[k] = all.max[k].max(aabb.max[k]);
                }
            }
            // what sleeps meets nothing that stands still, as `bodies_allow` has it
            all.fixed = some_asleep && data.body_awake[body] == ASLEEP;
            s.boxes.push(all);
            s.owners.push(Owner::Body(body as u32));
            if !all.fixed {
                s.moving.push(body as u32);
            }
        }
    }
}

fn all_pairs(boxes: &[Aabb], pairs: &mut Vec<(u32, u32)>) {
    for (i, a) in boxes.iter().enumerate() {
        for (j, b) in boxes.iter().enumerate().skip(i + 1) {
            if !(a.fixed & b.fixed | a.is_separated(b)) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
}

/// Whether two bodies may collide at all: bits, kinship, exclusions and sleep.
#[inline(always)]
pub(super) fn bodies_allow(model: &Model, data: &Data, b1: usize, b2: usize) -> bool {
    if !bits_allow(
        model.body_contype[b1],
        model.body_conaffinity[b1],
        model.body_contype[b2],
        model.body_conaffinity[b2],
    ) {
        return false;
    }
    let (weld1, weld2) = (model.body_weldid[b1], model.body_weldid[b2]);
    // two that stand still never meet: at level 3.8 all of these are fixed to the world
    if weld1 == weld2 || model.is_fixed(b1) && model.is_fixed(b2) {
        return false;
    }
    if model.enabled(EnableBit::Sleep) && data.nbody_awake < model.nbody {
        let asleep = |b: usize| data.body_awake[b] == ASLEEP;
        let (asleep1, asleep2) = (asleep(b1), asleep(b2));
        // something asleep is only woken by something that moves
        let still = |asleep: bool, weld: i32| asleep || weld == 0;
        if (asleep1 && still(asleep2, weld2)) || (asleep2 && still(asleep1, weld1)) {
            return false;
        }
    }
    if weld1 != 0 && weld2 != 0 && !model.disabled(DisableBit::Filterparent) {
        let parent = |weld: i32| model.body_weldid[model.body_parentid[weld as usize] as usize];
        if weld1 == parent(weld2) || weld2 == parent(weld1) {
            return false;
        }
    }
    model.exclude_signature.binary_search(&signature(b1, b2)).is_err()
}

/// Adds the geom pairs of two moving bodies.
fn add_bodies(model: &Model, data: &Data, s: &mut BroadScratch, b1: usize, b2: usize) {
    if !bodies_allow(model, data, b1, b2) {
        return;
    }
    let (n1, n2) = (model.body_geomnum[b1] as usize, model.body_geomnum[b2] as usize);
    let (adr1, adr2) = (model.body_geomadr[b1] as usize, model.body_geomadr[b2] as usize);
    if n1 * n2 > FEW_PAIRS && !s.anywhere && !model.disabled(DisableBit::Midphase) {
        add_by_trees(model, data, s, b1, b2);
        return;
    }
    if n1 == 1 && n2 == 1 {
        add_geoms(model, data, s, adr1, adr2);
    } else {
        add_all(model, data, s, adr1..adr1 + n1, adr2..adr2 + n2);
    }
}

/// Adds the pairs of two ranges of geoms.
fn add_all(model: &Model, data: &Data, s: &mut BroadScratch, first: Range<usize>, second: Range<usize>) {
    for g1 in first {
        for g2 in second.clone() {
            add_geoms(model, data, s, g1, g2);
        }
    }
}

/// Adds the geom pairs of two bodies with many geoms.
fn add_by_trees(model: &Model, data: &Data, s: &mut BroadScratch, b1: usize, b2: usize) {
    let frame = |b: usize| Pose { pos: Vec3::from(data.xipos[b]), mat: mat3(&data.ximat[b]) };
    let margin = bodies_reach(model, [b1, b2]) + SLACK;
    let mut leaves = std::mem::take(&mut s.leaves);
    leaves.clear();
    let (tree1, tree2) = (body_tree(model, b1), body_tree(model, b2));
    collide_trees(tree1, &frame(b1), tree2, &frame(b2), margin, &mut s.stack, &mut Leaves(&mut leaves));
    for &(g1, g2) in &leaves {
        add_geoms(model, data, s, g1 as usize, g2 as usize);
    }
    s.leaves = leaves;
}

/// Adds the pairs of a geom fixed to the world with the geoms of a moving body.
fn add_static_geom(model: &Model, data: &Data, s: &mut BroadScratch, geom: usize, body: usize) {
    let owner = model.geom_bodyid[geom] as usize;
    if !bodies_allow(model, data, owner.min(body), owner.max(body)) {
        return;
    }
    let first = model.body_geomadr[body] as usize;
    for other in first..first + model.body_geomnum[body] as usize {
        if owner < body {
            add_geoms(model, data, s, geom, other);
        } else {
            add_geoms(model, data, s, other, geom);
        }
    }
}

/// Adds one geom pair, the first of the body with the lower id, if bits and bounding spheres allow it.
#[inline(always)]
fn add_geoms(model: &Model, data: &Data, s: &mut BroadScratch, g1: usize, g2: usize) {
    let allowed = s.any_bits
        || bits_allow(
            model.geom_contype[g1],
            model.geom_conaffinity[g1],
            model.geom_contype[g2],
            model.geom_conaffinity[g2],
        );
    if !allowed {
        return;
    }
    let margin = geoms_reach(model, [g1, g2]);
    if !(s.anywhere || spheres_meet(model, data, g1, g2, margin))
        || model.npair > 0 && is_explicit(model, g1, g2)
    {
        return;
    }
    let (b1, b2) = (model.geom_bodyid[g1], model.geom_bodyid[g2]);
    let swapped = model.geom_type[g1] > model.geom_type[g2];
    let (low, high) = if swapped { (g2 as u32, g1 as u32) } else { (g1 as u32, g2 as u32) };
    // trees are walked in any order and the contacts then sorted by geom; without trees geoms are taken body
    // by body
    let by_tree =
        !model.disabled(DisableBit::Midphase) && has_tree(model, b1 as usize) && has_tree(model, b2 as usize);
    let rank = if by_tree { packed(low, high) } else { packed(g1 as u32, g2 as u32) };
    s.candidates.push(Candidate {
        bodies: packed(b1 as u32, b2 as u32),
        rank: DYNAMIC | rank,
        geom1: low,
        geom2: high,
        pair: -1,
    });
}

/// Whether an explicit pair takes care of these two geoms. Explicit pairs are sorted by the signature of
/// their bodies.
fn is_explicit(model: &Model, g1: usize, g2: usize) -> bool {
    let signature = signature(model.geom_bodyid[g1] as usize, model.geom_bodyid[g2] as usize);
    let start = model.pair_signature.partition_point(|&s| s < signature);
    model.pair_signature[start..].iter().take_while(|&&s| s == signature).enumerate().any(|(k, _)| {
        let (p1, p2) = (model.pair_geom1[start + k] as usize, model.pair_geom2[start + k] as usize);
        (p1, p2) == (g1, g2) || (p1, p2) == (g2, g1)
    })
}

/// The number by which a model sorts pairs of bodies.
fn signature(b1: usize, b2: usize) -> i32 {
    ((b1.min(b2) << 16) + b1.max(b2)) as i32
}
