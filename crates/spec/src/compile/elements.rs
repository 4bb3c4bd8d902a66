//! The elements of a draft: what has been resolved of each, beside the description it comes from.

use std::sync::Arc;

use kinetree_collide::bvh::BvhTree;
use kinetree_model::enums::{DataType, JointType, Stage, WrapType};

use super::frames::Pose;
use crate::assets::cache::MeshAsset;
use crate::assets::hfield::CompiledHField;
use crate::assets::texture::CompiledTexture;
use crate::spec::{
    Actuator, Body, Camera, Equality, Exclude, Geom, HField, Joint, Light, Material, Mesh, Numeric, Pair,
    Sensor, Site, Skin, Tendon, Texture, Tuple,
};

/// Mass, centre of mass and principal moments of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertial {
    /// Inertial frame in the body frame; the first coordinate is NaN until it is known.
    pub(crate) pose: Pose,
    pub(crate) mass: f64,
    pub(crate) moments: [f64; 3],
}

/// A body with its position in the tree.
#[derive(Debug)]
pub(crate) struct BodyDraft<'s> {
    pub(crate) src: &'s Body,
    pub(crate) parent: usize,
    pub(crate) children: Vec<usize>,
    pub(crate) joints: Vec<usize>,
    pub(crate) geoms: Vec<usize>,
    pub(crate) sites: Vec<usize>,
    pub(crate) cameras: Vec<usize>,
    pub(crate) lights: Vec<usize>,
    /// Nearest body, upwards and itself included, that has joints; 0: static.
    pub(crate) weld: usize,
    pub(crate) dofnum: usize,
    pub(crate) pose: Pose,
    pub(crate) inertial: Inertial,
    pub(crate) contype: i32,
    pub(crate) conaffinity: i32,
    pub(crate) margin: f64,
    /// Boxes around the geoms, leaves numbered by draft geom.
    pub(crate) bvh: BvhTree,
    /// Number of its plugin instance.
    pub(crate) plugin: Option<usize>,
}

/// A joint in model units.
#[derive(Debug)]
pub(crate) struct JointDraft<'s> {
    pub(crate) src: &'s Joint,
    pub(crate) body: usize,
    pub(crate) limited: bool,
    pub(crate) actfrclimited: bool,
    pub(crate) range: [f64; 2],
    pub(crate) pos: [f64; 3],
    pub(crate) axis: [f64; 3],
    pub(crate) reference: f64,
    pub(crate) springref: f64,
    pub(crate) qposadr: usize,
    pub(crate) dofadr: usize,
}

impl JointDraft<'_> {
    pub(crate) fn kind(&self) -> JointType {
        self.src.r#type
    }

    /// Numbers in `qpos` and `qvel`.
    pub(crate) fn widths(&self) -> (usize, usize) {
        match self.src.r#type {
            JointType::Free => (7, 6),
            JointType::Ball => (4, 3),
            JointType::Slide | JointType::Hinge => (1, 1),
        }
    }
}

/// A geom with pose, size and mass.
#[derive(Debug)]
pub(crate) struct GeomDraft<'s> {
    pub(crate) src: &'s Geom,
    pub(crate) body: usize,
    pub(crate) pose: Pose,
    pub(crate) size: [f64; 3],
    /// Box around the shape in its own frame: centre and half sizes.
    pub(crate) aabb: [f64; 6],
    pub(crate) rbound: f64,
    pub(crate) mass: f64,
    pub(crate) moments: [f64; 3],
    pub(crate) fluid: [f64; 12],
    pub(crate) mesh: Option<usize>,
    pub(crate) hfield: Option<usize>,
    pub(crate) material: Option<usize>,
    /// The geom neither collides nor is referred to: it is there to be seen.
    pub(crate) visual: bool,
    /// Number of its plugin instance.
    pub(crate) plugin: Option<usize>,
}

/// A site with pose and size.
#[derive(Debug)]
pub(crate) struct SiteDraft<'s> {
    pub(crate) src: &'s Site,
    pub(crate) body: usize,
    pub(crate) pose: Pose,
    pub(crate) size: [f64; 3],
    pub(crate) material: Option<usize>,
}

/// A camera with pose and optics.
#[derive(Debug)]
pub(crate) struct CameraDraft<'s> {
    pub(crate) src: &'s Camera,
    pub(crate) body: usize,
    pub(crate) pose: Pose,
    pub(crate) target: Option<usize>,
    pub(crate) fovy: f64,
    pub(crate) intrinsic: [f32; 4],
}

/// A light with position and direction.
#[derive(Debug)]
pub(crate) struct LightDraft<'s> {
    pub(crate) src: &'s Light,
    pub(crate) body: usize,
    pub(crate) pos: [f64; 3],
    pub(crate) dir: [f64; 3],
    pub(crate) target: Option<usize>,
    pub(crate) texture: Option<usize>,
}

/// A mesh with its arrays.
#[derive(Debug)]
pub(crate) struct MeshDraft<'s> {
    pub(crate) src: &'s Mesh,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) asset: Arc<MeshAsset>,
    /// No geom or sensor needs the mesh for anything but display.
    pub(crate) visual: bool,
    pub(crate) needhull: bool,
    /// A geom needs the distance from its surface.
    pub(crate) needsdf: bool,
}

/// A height field with its elevations.
#[derive(Debug)]
pub(crate) struct HFieldDraft<'s> {
    pub(crate) src: &'s HField,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) compiled: Option<Arc<CompiledHField>>,
}

impl HFieldDraft<'_> {
    /// Elevations, row by row.
    pub(crate) fn data(&self) -> &[f32] {
        self.compiled.as_ref().map_or(&[], |hfield| &hfield.data)
    }
}

/// A texture with its pixels.
#[derive(Debug)]
pub(crate) struct TextureDraft<'s> {
    pub(crate) src: &'s Texture,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) compiled: Option<Arc<CompiledTexture>>,
}

impl TextureDraft<'_> {
    /// Pixels, row by row.
    pub(crate) fn data(&self) -> &[u8] {
        self.compiled.as_ref().map_or(&[], |texture| &texture.data)
    }
}

/// A material with its textures.
#[derive(Debug)]
pub(crate) struct MaterialDraft<'s> {
    pub(crate) src: &'s Material,
    pub(crate) textures: [Option<usize>; 10],
}

/// A skin ready for the model.
#[derive(Debug)]
pub(crate) struct SkinDraft<'s> {
    pub(crate) src: &'s Skin,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) material: Option<usize>,
    pub(crate) surface: Surface,
    pub(crate) bones: Vec<BoneDraft>,
}

/// Vertices, texture coordinates and faces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub(crate) vert: Vec<[f32; 3]>,
    pub(crate) texcoord: Vec<[f32; 2]>,
    pub(crate) face: Vec<[i32; 3]>,
}

/// A bone with its body.
#[derive(Debug)]
pub(crate) struct BoneDraft {
    pub(crate) body: usize,
    pub(crate) bindpos: [f32; 3],
    pub(crate) bindquat: [f32; 4],
    pub(crate) vertid: Vec<i32>,
    pub(crate) weight: Vec<f32>,
}

/// A pair of geoms with its contact parameters.
#[derive(Debug)]
pub(crate) struct PairDraft<'s> {
    pub(crate) src: &'s Pair,
    pub(crate) geoms: [usize; 2],
    pub(crate) signature: i32,
    pub(crate) margin: f64,
    pub(crate) gap: f64,
    pub(crate) condim: i32,
    pub(crate) friction: [f64; 5],
    pub(crate) solref: [f64; 2],
    pub(crate) solimp: [f64; 5],
}

/// A pair of bodies that never collide.
#[derive(Debug)]
pub(crate) struct ExcludeDraft<'s> {
    pub(crate) src: &'s Exclude,
    pub(crate) signature: i32,
}

/// An equality constraint with its objects.
#[derive(Debug)]
pub(crate) struct EqualityDraft<'s> {
    pub(crate) src: &'s Equality,
    pub(crate) objects: [i32; 2],
}

/// A tendon with its resolved path.
#[derive(Debug)]
pub(crate) struct TendonDraft<'s> {
    pub(crate) src: &'s Tendon,
    pub(crate) path: Vec<WrapDraft>,
    pub(crate) limited: bool,
    pub(crate) actfrclimited: bool,
    pub(crate) material: Option<usize>,
}

/// One object on the path of a tendon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WrapDraft {
    pub(crate) kind: WrapType,
    /// Number of the joint, site or geom; `None` for a pulley.
    pub(crate) object: Option<usize>,
    /// Coefficient, divisor, or number of the side site.
    pub(crate) prm: f64,
}

/// An actuator with its target.
#[derive(Debug)]
pub(crate) struct ActuatorDraft<'s> {
    pub(crate) src: &'s Actuator,
    pub(crate) trnid: [i32; 2],
    pub(crate) actdim: usize,
    pub(crate) ctrlrange: [f64; 2],
    pub(crate) actrange: [f64; 2],
    pub(crate) ctrllimited: bool,
    pub(crate) forcelimited: bool,
    pub(crate) actlimited: bool,
    /// Number of its plugin instance.
    pub(crate) plugin: Option<usize>,
}

/// A sensor with its objects.
#[derive(Debug)]
pub(crate) struct SensorDraft<'s> {
    pub(crate) src: &'s Sensor,
    pub(crate) object: Option<usize>,
    pub(crate) reference: Option<usize>,
    pub(crate) datatype: DataType,
    pub(crate) stage: Stage,
    pub(crate) dim: usize,
    /// Number of its plugin instance.
    pub(crate) plugin: Option<usize>,
}

/// A custom array with its final size.
#[derive(Debug)]
pub(crate) struct NumericDraft<'s> {
    pub(crate) src: &'s Numeric,
    pub(crate) size: usize,
}

/// A tuple with the numbers of its objects.
#[derive(Debug)]
pub(crate) struct TupleDraft<'s> {
    pub(crate) src: &'s Tuple,
    pub(crate) objects: Vec<usize>,
}
