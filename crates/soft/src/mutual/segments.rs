//! Which pairs of rope segments count.
//!
//! A segment that is short against the thickness of its rope is near many segments of another piece, and all
//! these pairs say nearly the same. For each segment the one that is nearest to it is enough, or those that
//! it passes within a step.

use kinetree_math::Vec3;

use super::contact::Corner;
use crate::member::Member;
use crate::nearest::nearest_of_segments;

/// Part by which a neighbour has to be nearer, in squares of distances: of parallel pieces all are as near.
const NEARER: f64 = 1e-9;

/// Whether a pair of rope segments can be left out: beside each of both a neighbour of it is nearer to the
/// other one, now and after `dt` (s), and on the same side.
pub(super) fn is_covered(members: &[Member], pair: [[Corner; 2]; 2], dt: f64) -> bool {
    if !pair.iter().all(|edge| members[edge[0].member as usize].surface.is_rope()) {
        return false;
    }
    let sides = |dt: f64| {
        let [first, second] = pair.map(|edge| edge.map(|corner| at(members, corner, dt)));
        let (least, along) = gap2(&first, &second);
        let neighbours = [(pair[0], second, along[0]), (pair[1], first, along[1])];
        neighbours.map(|(edge, other, along)| nearer_side(members, (edge, along, dt), &other, least))
    };
    let now = sides(0.0);
    now.iter().all(Option::is_some) && now == sides(dt)
}

/// Where a corner is after `dt` (s).
fn at(members: &[Member], Corner { member, vertex }: Corner, dt: f64) -> Vec3 {
    let particles = members[member as usize].body.particles();
    particles.position[vertex as usize] + dt * particles.velocity[vertex as usize]
}

/// Square of the distance of two segments, and how far along both their nearest points lie.
fn gap2(first: &[Vec3; 2], second: &[Vec3; 2]) -> (f64, [f64; 2]) {
    let [s, t] = nearest_of_segments([&first[0], &first[1]], [&second[0], &second[1]]);
    let between = first[0] + s * (first[1] - first[0]) - second[0] - t * (second[1] - second[0]);
    (between.norm_squared(), [s, t])
}

/// Beyond which end of a segment its neighbour is nearer to `other` than the segment itself, after `dt` (s).
fn nearer_side(
    members: &[Member],
    (edge, along, dt): ([Corner; 2], f64, f64),
    other: &[Vec3; 2],
    least: f64,
) -> Option<usize> {
    // where the segment is nearest inside, its neighbours are not nearer
    let end = [0.0, 1.0].iter().position(|&end| end == along)?;
    let member = edge[0].member;
    let neighbour = members[member as usize].surface.neighbour(edge.map(|corner| corner.vertex), end)?;
    let (nearest, _) = gap2(&neighbour.map(|vertex| at(members, Corner { member, vertex }, dt)), other);
    (nearest < (1.0 - NEARER) * least).then_some(end)
}
