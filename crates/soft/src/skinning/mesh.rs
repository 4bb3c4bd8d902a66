//! Meshes that are bound to a skeleton.

use kinetree_math::Vec3;

use super::dual_quaternion::DualQuaternion;
use super::skeleton::{Pose, Skeleton};
use crate::error::{SoftError, check_finite, check_vertices};

/// How the motions of several bones are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SkinningMethod {
    /// Weighted mean of where each bone takes a vertex. Fast; joints that twist lose volume.
    #[default]
    LinearBlend,
    /// Mean of the motions as dual quaternions: a rigid motion again, which keeps the volume at twisting
    /// joints.
    DualQuaternion,
}

/// A mesh whose vertices follow bones with weights.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinnedMesh {
    /// Vertices at rest (m).
    position: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Bones and weights of all vertices, one after the other; weights of a vertex sum to one.
    influences: Vec<(u32, f64)>,
    /// First influence of each vertex, and their number at the end.
    first: Vec<usize>,
    /// The world seen from each bone at rest.
    inverse_rest: Vec<Pose>,
}

impl SkinnedMesh {
    /// Binds a mesh to a skeleton at rest. `weights` has the bones of each vertex with their weights, which
    /// are scaled to sum to one.
    ///
    /// # Errors
    /// When a vertex has no bone, a bone does not exist, a weight is negative, or a triangle refers to a
    /// vertex that is not there.
    pub fn new(
        position: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        weights: &[Vec<(u32, f64)>],
        skeleton: &Skeleton,
    ) -> Result<Self, SoftError> {
        check_finite("vertex", &position)?;
        let count = position.len();
        if weights.len() != count {
            let what = "the array of weights";
            return Err(SoftError::Length { what, count: weights.len(), expected: count });
        }
        for (index, triangle) in triangles.iter().enumerate() {
            check_vertices("triangle", index, triangle, count)?;
        }
        let (mut influences, mut first) = (Vec::new(), vec![0]);
        for (vertex, weights) in weights.iter().enumerate() {
            influences.extend(normalized(vertex, weights, skeleton.bones().len())?);
            first.push(influences.len());
        }
        let inverse_rest = skeleton.rest_poses().iter().map(Pose::inverse).collect();
        Ok(Self { position, triangles, influences, first, inverse_rest })
    }

    /// Triangles.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Vertices and their normals when the bones have the given poses in the world.
    ///
    /// # Errors
    /// When there are more or fewer poses than bones.
    pub fn deform(
        &self,
        poses: &[Pose],
        method: SkinningMethod,
        positions: &mut Vec<Vec3>,
        normals: &mut Vec<Vec3>,
    ) -> Result<(), SoftError> {
        let expected = self.inverse_rest.len();
        if poses.len() != expected {
            let what = "the array of poses";
            return Err(SoftError::Length { what, count: poses.len(), expected });
        }
        let motions: Vec<Pose> =
            poses.iter().zip(&self.inverse_rest).map(|(pose, rest)| pose.compose(rest)).collect();
        positions.clear();
        match method {
            SkinningMethod::LinearBlend => {
                positions.extend((0..self.position.len()).map(|vertex| self.linear_blend(vertex, &motions)));
            }
            SkinningMethod::DualQuaternion => {
                let duals: Vec<DualQuaternion> = motions.iter().map(DualQuaternion::of).collect();
                let place = |vertex: usize| {
                    let blended = self.dual_blend(vertex, &duals);
                    blended.unwrap_or_else(|| self.linear_blend(vertex, &motions))
                };
                positions.extend((0..self.position.len()).map(place));
            }
        }
        vertex_normals(positions, &self.triangles, normals)
    }

    fn influences(&self, vertex: usize) -> &[(u32, f64)] {
        &self.influences[self.first[vertex]..self.first[vertex + 1]]
    }

    fn linear_blend(&self, vertex: usize, motions: &[Pose]) -> Vec3 {
        let place =
            |&(bone, weight): &(u32, f64)| weight * motions[bone as usize].transform(&self.position[vertex]);
        self.influences(vertex).iter().map(place).sum()
    }

    fn dual_blend(&self, vertex: usize, motions: &[DualQuaternion]) -> Option<Vec3> {
        let mut mean = DualQuaternion::default();
        for &(bone, weight) in self.influences(vertex) {
            mean.blend(&motions[bone as usize], weight);
        }
        mean.transform(&self.position[vertex])
    }
}

/// Weights of a vertex that sum to one.
fn normalized(
    vertex: usize,
    weights: &[(u32, f64)],
    bones: usize,
) -> Result<impl Iterator<Item = (u32, f64)>, SoftError> {
    if let Some(&(bone, _)) = weights.iter().find(|(bone, _)| *bone as usize >= bones) {
        return Err(SoftError::OutOfRange { what: "bone", index: bone as usize, count: bones });
    }
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let positive = weights.iter().all(|(_, weight)| *weight >= 0.0);
    if !(positive && sum > 0.0 && sum.is_finite()) {
        let (what, measure) = ("vertex", "sum of its weights, which may not be negative,");
        return Err(SoftError::Degenerate { what, index: vertex, measure, value: sum });
    }
    Ok(weights.iter().map(move |&(bone, weight)| (bone, weight / sum)))
}

/// Unit normals of vertices: the mean of those of their triangles, weighted by area. A vertex without area
/// has none: zero.
///
/// # Errors
/// When a triangle refers to a vertex that is not there.
pub fn vertex_normals(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    normals: &mut Vec<Vec3>,
) -> Result<(), SoftError> {
    normals.clear();
    normals.resize(positions.len(), Vec3::zeros());
    for (index, triangle) in triangles.iter().enumerate() {
        check_vertices("triangle", index, triangle, positions.len())?;
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let area = (b - a).cross(&(c - a));
        triangle.iter().for_each(|&v| normals[v as usize] += area);
    }
    for normal in normals {
        *normal = normal.try_normalize(0.0).unwrap_or_default();
    }
    Ok(())
}
