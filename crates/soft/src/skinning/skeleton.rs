//! Bones and their poses.

use kinetree_math::rot::{quat_conj, quat_mul, quat_normalize, quat_rotate};
use kinetree_math::{Quat, Vec3};

use crate::error::SoftError;

/// A position and an orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position (m).
    pub position: Vec3,
    /// Orientation, `[w, x, y, z]`.
    pub orientation: Quat,
}

impl Pose {
    /// A pose that is not turned.
    #[must_use]
    pub fn at(position: Vec3) -> Self {
        Self { position, orientation: [1.0, 0.0, 0.0, 0.0] }
    }

    /// A pose that is given in this one, seen from where this one is.
    #[must_use]
    pub fn compose(&self, inner: &Self) -> Self {
        Self {
            position: self.transform(&inner.position),
            orientation: quat_mul(&self.orientation, &inner.orientation),
        }
    }

    /// The pose of the world seen from this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let orientation = quat_conj(&self.orientation);
        Self { position: -quat_rotate(&orientation, &self.position), orientation }
    }

    /// A point that is given in this pose, in the world.
    #[must_use]
    pub fn transform(&self, point: &Vec3) -> Vec3 {
        self.position + quat_rotate(&self.orientation, point)
    }

    /// The pose with an orientation of unit length.
    ///
    /// # Errors
    /// When a number is not finite or the orientation is zero; `index` says whose pose it is.
    fn checked(mut self, index: usize) -> Result<Self, SoftError> {
        let sum = self.position.sum() + self.orientation.iter().sum::<f64>();
        if !sum.is_finite() || self.orientation == [0.0; 4] {
            return Err(SoftError::NotFinite { what: "pose of bone", index });
        }
        quat_normalize(&mut self.orientation);
        Ok(self)
    }
}

/// A bone of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Name.
    pub name: String,
    /// The bone it hangs on; `None` for a root.
    pub parent: Option<usize>,
    /// Pose in the parent in which the mesh is bound to the skeleton.
    pub rest: Pose,
}

/// Bones in a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
}

impl Skeleton {
    /// A skeleton of bones, parents before their children.
    ///
    /// # Errors
    /// When a parent does not come before its child, or a pose is not finite.
    pub fn new(mut bones: Vec<Bone>) -> Result<Self, SoftError> {
        for (index, bone) in bones.iter_mut().enumerate() {
            if let Some(parent) = bone.parent.filter(|&parent| parent >= index) {
                return Err(SoftError::BoneOrder { bone: bone.name.clone(), parent });
            }
            bone.rest = bone.rest.checked(index)?;
        }
        Ok(Self { bones })
    }

    /// The bones.
    #[must_use]
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Number of the bone with a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.bones.iter().position(|bone| bone.name == name)
    }

    /// Poses of all bones in the world from their poses in their parents.
    ///
    /// # Errors
    /// When there are more or fewer poses than bones, or one is not finite.
    pub fn world_poses(&self, local: &[Pose]) -> Result<Vec<Pose>, SoftError> {
        let expected = self.bones.len();
        if local.len() != expected {
            let what = "the array of poses";
            return Err(SoftError::Length { what, count: local.len(), expected });
        }
        let mut world: Vec<Pose> = Vec::with_capacity(expected);
        for (index, (bone, pose)) in self.bones.iter().zip(local).enumerate() {
            let pose = pose.checked(index)?;
            world.push(bone.parent.map_or(pose, |parent| world[parent].compose(&pose)));
        }
        Ok(world)
    }

    /// Poses of all bones in the world at rest.
    #[must_use]
    pub fn rest_poses(&self) -> Vec<Pose> {
        let mut world: Vec<Pose> = Vec::with_capacity(self.bones.len());
        for bone in &self.bones {
            world.push(bone.parent.map_or(bone.rest, |parent| world[parent].compose(&bone.rest)));
        }
        world
    }
}
