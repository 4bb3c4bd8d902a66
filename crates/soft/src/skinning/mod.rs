//! Skinning: the vertices of a mesh follow the bones of a skeleton.
//!
//! ```
//! use kinetree_soft::skinning::{Bone, Skeleton, SkinnedMesh, SkinningMethod, Pose};
//! use kinetree_soft::{Quat, Vec3};
//!
//! // an upper and a lower arm, and a vertex at the hand that follows the lower one
//! let arm = |name: &str, parent, offset| Bone { name: name.into(), parent, rest: Pose::at(offset) };
//! let skeleton = Skeleton::new(vec![arm("upper", None, Vec3::zeros()), arm("lower", Some(0), Vec3::x())])?;
//! let mesh = SkinnedMesh::new(vec![2.0 * Vec3::x()], vec![], &[vec![(1, 1.0)]], &skeleton)?;
//!
//! // the elbow turns by a right angle about z
//! let half: f64 = 0.5f64.sqrt();
//! let bent = Pose { position: Vec3::x(), orientation: [half, 0.0, 0.0, half] };
//! let poses = skeleton.world_poses(&[Pose::at(Vec3::zeros()), bent])?;
//! let (mut positions, mut normals) = (Vec::new(), Vec::new());
//! mesh.deform(&poses, SkinningMethod::DualQuaternion, &mut positions, &mut normals)?;
//! assert!((positions[0] - Vec3::new(1.0, 1.0, 0.0)).norm() < 1e-12);
//! # Ok::<(), kinetree_soft::SoftError>(())
//! ```

mod dual_quaternion;
mod mesh;
mod skeleton;

pub use mesh::{SkinnedMesh, SkinningMethod, vertex_normals};
pub use skeleton::{Bone, Pose, Skeleton};
