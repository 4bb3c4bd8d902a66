//! Searches of one pair of geoms in moved poses, cached with the poses as the key.
//!
//! All contacts of a pair come from one search, so that they ask for the same searches when a dof moves the
//! pair, and each of them may ask again for a step size that it has tried.

use crate::on_demand::OnDemand;
use kinetree_collide::{CcdScratch, CcdSettings, ContactPoint, Pose, Shape, collide};
use std::ops::Range;

/// A pair of geoms whose search is repeated.
pub(crate) struct SearchedPair<'a> {
    /// Numbers of the geoms, which name the pair.
    pub(crate) geoms: [usize; 2],
    pub(crate) shapes: [Shape<'a>; 2],
    pub(crate) margin: f64,
    pub(crate) settings: CcdSettings,
}

/// Poses, and whether more than one point is searched for.
type SearchKey = ([Pose; 2], bool);

/// Results of searches of the last pair.
#[derive(Default)]
pub(crate) struct SearchCache {
    ccd: OnDemand<CcdScratch>,
    pair: Option<[usize; 2]>,
    /// Invariant: `hashes`, `keys` and `ranges` have an entry for each search; `ranges` index `points`.
    hashes: Vec<u64>,
    keys: Vec<SearchKey>,
    ranges: Vec<Range<usize>>,
    points: Vec<ContactPoint>,
}

impl SearchCache {
    /// Forgets all searches: the model or the state is another one.
    pub(crate) fn clear(&mut self) {
        self.pair = None;
    }

    /// The contacts of a pair in given poses.
    pub(crate) fn search(&mut self, pair: &SearchedPair<'_>, poses: &[Pose; 2]) -> &[ContactPoint] {
        let Self { ccd, pair: known, hashes, keys, ranges, points } = self;
        if *known != Some(pair.geoms) {
            *known = Some(pair.geoms);
            hashes.clear();
            keys.clear();
            ranges.clear();
            points.clear();
        }
        let hash = hash_of(poses);
        let multiccd = pair.settings.multiccd;
        let same = |k: &usize| hashes[*k] == hash && keys[*k].1 == multiccd && same_poses(&keys[*k].0, poses);
        if let Some(k) = (0..hashes.len()).find(same) {
            return &points[ranges[k].clone()];
        }
        let start = points.len();
        let ([shape1, shape2], [first, second]) = (&pair.shapes, poses);
        collide(shape1, first, shape2, second, pair.margin, &pair.settings, ccd.get(), points);
        hashes.push(hash);
        keys.push((*poses, multiccd));
        ranges.push(start..points.len());
        &points[start..]
    }
}

/// A number that differs for most poses that differ.
fn hash_of(poses: &[Pose; 2]) -> u64 {
    let numbers = poses.iter().flat_map(|pose| pose.pos.iter().chain(pose.mat.iter()));
    numbers.fold(0, |hash: u64, x| (hash.rotate_left(5) ^ x.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

fn same_poses(a: &[Pose; 2], b: &[Pose; 2]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.pos == b.pos && a.mat == b.mat)
}
