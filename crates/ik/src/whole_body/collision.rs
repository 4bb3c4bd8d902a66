//! Limit on the distance between geoms.
//!
//! With the signed distance `d` of two geoms, their nearest points `p₁`, `p₂` and the direction `n = (p₂ −
//! p₁)/d`, the gradient of the distance is `nᵀ (J₂ − J₁)` with the Jacobians of the points on their bodies. A
//! step may use up a fraction of the distance that is left: `nᵀ (J₂ − J₁) Δq ≥ −gain (d − d_min)`, which
//! pushes geoms apart that are too close.

use super::qp::QuadraticProgram;
use crate::error::{IkError, check_setting};
use crate::made_for::MadeFor;
use kinetree_math::Vec3;
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_geom_distance, mj_jac_into};

/// Pairs of geoms keep a distance.
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionAvoidanceLimit {
    made_for: MadeFor,
    pairs: Vec<(usize, usize)>,
    /// Fraction of the distance that one step may use up, in (0, 1].
    pub gain: f64,
    /// Distance to keep (m).
    pub minimum_distance_from_collisions: f64,
    /// Distance from which on a pair is looked at (m).
    pub collision_detection_distance: f64,
}

/// Working memory of distances.
#[derive(Default)]
pub(super) struct CollisionScratch {
    jacobians: [Vec<f64>; 2],
    row: Vec<f64>,
}

impl CollisionAvoidanceLimit {
    /// All pairs between the geoms of each of two groups. Pairs on the same body, on a body and its parent,
    /// and between geoms that nothing moves are left out.
    ///
    /// # Errors
    /// When there is no such geom.
    pub fn new(model: &Model, groups: &[(Vec<usize>, Vec<usize>)]) -> Result<Self, IkError> {
        let mut pairs = Vec::new();
        for (first, second) in groups {
            for &a in first {
                for &b in second {
                    for id in [a, b] {
                        if id >= model.ngeom {
                            return Err(IkError::UnknownId { kind: "geom", id, count: model.ngeom });
                        }
                    }
                    let pair = (a.min(b), a.max(b));
                    if separable(model, a, b) && !pairs.contains(&pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        Ok(Self {
            made_for: MadeFor::new(model),
            pairs,
            gain: 0.85,
            minimum_distance_from_collisions: 0.005,
            collision_detection_distance: 0.01,
        })
    }

    /// The pairs of geoms.
    #[must_use]
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    pub(super) fn apply(
        &self,
        model: &Model,
        data: &mut Data,
        qp: &mut QuadraticProgram,
        scratch: &mut CollisionScratch,
    ) -> Result<(), IkError> {
        self.made_for.check("the collision limit", model)?;
        check_setting("collision_detection_distance", self.collision_detection_distance, 0.0)?;
        check_setting("minimum_distance_from_collisions", self.minimum_distance_from_collisions, 0.0)?;
        check_setting("the gain of the collision limit", self.gain, f64::MIN_POSITIVE)?;
        let range = self.collision_detection_distance.max(self.minimum_distance_from_collisions);
        for &(a, b) in &self.pairs {
            if beyond_range(model, data, a, b, range) {
                continue;
            }
            let (distance, from, to) = mj_geom_distance(model, data, a, b, range)?;
            // the reference's search answers zero without points where it fails, as between parallel faces:
            // that says nothing
            let failed = distance == 0.0 && from == [0.0; 3] && to == [0.0; 3];
            if distance >= range || failed {
                continue;
            }
            let (from, to) = (Vec3::from(from), Vec3::from(to));
            let normal = direction(data, a, b, &from, &to, distance);
            distance_row(model, data, [a, b], [from, to], &normal, scratch)?;
            let margin = distance - self.minimum_distance_from_collisions;
            qp.add_inequality(&scratch.row, -self.gain * margin);
        }
        Ok(())
    }
}

/// Whether joints can change the distance of two geoms, and their bodies are not neighbours.
fn separable(model: &Model, a: usize, b: usize) -> bool {
    let weld = |geom: usize| model.body_weldid[model.geom_bodyid[geom] as usize] as usize;
    let (a, b) = (weld(a), weld(b));
    let parent = |body: usize| model.body_weldid[model.body_parentid[body] as usize] as usize;
    let neighbours = a != 0 && b != 0 && (parent(a) == b || parent(b) == a);
    a != b && !neighbours
}

/// Whether the bounding spheres of two geoms are farther apart than `range`.
fn beyond_range(model: &Model, data: &Data, a: usize, b: usize, range: f64) -> bool {
    let is_plane = |geom: usize| model.geom_type[geom] == GeomType::Plane;
    let offset = Vec3::from(data.geom_xpos[b]) - Vec3::from(data.geom_xpos[a]);
    if is_plane(a) || is_plane(b) {
        let (plane, other, offset) = if is_plane(a) { (a, b, offset) } else { (b, a, -offset) };
        let mat = &data.geom_xmat[plane];
        let height = Vec3::new(mat[2], mat[5], mat[8]).dot(&offset);
        return height > model.geom_rbound[other] + range;
    }
    // a radius of zero means unbounded
    let (ra, rb) = (model.geom_rbound[a], model.geom_rbound[b]);
    ra > 0.0 && rb > 0.0 && offset.norm() > ra + rb + range
}

/// Direction from the first geom to the second in which their distance grows.
fn direction(data: &Data, a: usize, b: usize, from: &Vec3, to: &Vec3, distance: f64) -> Vec3 {
    let separation = to - from;
    if distance.abs() > 1e-9 && separation.norm() > 1e-9 {
        return separation.normalize() * distance.signum();
    }
    // just touching: away from each other's centres
    let centers = Vec3::from(data.geom_xpos[b]) - Vec3::from(data.geom_xpos[a]);
    centers.try_normalize(1e-12).unwrap_or_else(Vec3::z)
}

/// Gradient of the distance with respect to the dofs.
fn distance_row(
    model: &Model,
    data: &Data,
    geoms: [usize; 2],
    points: [Vec3; 2],
    normal: &Vec3,
    scratch: &mut CollisionScratch,
) -> Result<(), IkError> {
    let nv = model.nv;
    for ((geom, point), jacobian) in geoms.into_iter().zip(points).zip(&mut scratch.jacobians) {
        jacobian.resize(3 * nv, 0.0);
        let body = model.geom_bodyid[geom] as usize;
        mj_jac_into(model, data, Some(jacobian), None, &point.into(), body)?;
    }
    let [first, second] = &scratch.jacobians;
    scratch.row.clear();
    for i in 0..nv {
        let sum = (0..3).map(|k| normal[k] * (second[k * nv + i] - first[k * nv + i])).sum();
        scratch.row.push(sum);
    }
    Ok(())
}
