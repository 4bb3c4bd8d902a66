//! The structs of the abstract scene, field by field under the reference's names.
//!
//! Numbers that a renderer consumes are single precision, as graphics hardware wants them; what physics reads back
//! (perturbations, abstract cameras) is double precision.

use kinetree_model::Model;

/// Number of groups that geoms, sites and other elements can be shown by.
pub const N_GROUP: usize = 6;
/// Largest number of lights in a scene.
pub const MAX_LIGHT: usize = 100;
/// Number of flags in [`MjvOption::flags`], indexed by `mjtVisFlag`.
pub const N_VIS_FLAG: usize = 31;
/// Number of flags in [`MjvScene::flags`], indexed by `mjtRndFlag`.
pub const N_RND_FLAG: usize = 11;

/// One shape to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct MjvGeom {
    /// Kind of shape (`mjtGeom`), decorative kinds included.
    pub type_: i32,
    /// Mesh, height field or plane, −1 for none; for a mesh twice its id, one more for its convex hull.
    pub dataid: i32,
    /// Kind of the object that is drawn (`mjtObj`), 0 for decorations.
    pub objtype: i32,
    /// Id of the object, −1 for decorations.
    pub objid: i32,
    /// Static, dynamic or decorative (`mjtCatBit`).
    pub category: i32,
    /// Material, −1 without texture.
    pub matid: i32,
    /// Whether the mesh or flex has texture coordinates.
    pub texcoord: i32,
    /// Id in segmentation images, −1 when not shown there.
    pub segid: i32,
    /// Sizes, as of a geom of this kind (m).
    pub size: [f32; 3],
    /// Position of the centre (m).
    pub pos: [f32; 3],
    /// Orientation, row-major.
    pub mat: [f32; 9],
    /// Colour and opacity.
    pub rgba: [f32; 4],
    /// Emitted light.
    pub emission: f32,
    /// Specular reflection.
    pub specular: f32,
    /// Sharpness of specular reflection.
    pub shininess: f32,
    /// Mirror reflection.
    pub reflectance: f32,
    /// Text beside the shape.
    pub label: String,
    /// Distance to the camera, by which transparent shapes are sorted.
    pub camdist: f32,
    /// Bounding radius of the model's geom, 0 for other objects.
    pub modelrbound: f32,
    /// Whether the shape is drawn with blending.
    pub transparent: bool,
}

/// One light, as the renderer needs it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MjvLight {
    /// Light of the model, −1 for the headlight.
    pub id: i32,
    /// Position (m).
    pub pos: [f32; 3],
    /// Direction.
    pub dir: [f32; 3],
    /// Kind (`mjtLightType`).
    pub type_: i32,
    /// Texture of an image light.
    pub texid: i32,
    /// Constant, linear and quadratic attenuation with distance.
    pub attenuation: [f32; 3],
    /// Angle of a spotlight's cone (degrees).
    pub cutoff: f32,
    /// How the light fades away from the axis of the cone.
    pub exponent: f32,
    /// Ambient colour.
    pub ambient: [f32; 3],
    /// Diffuse colour.
    pub diffuse: [f32; 3],
    /// Specular colour.
    pub specular: [f32; 3],
    /// Whether this is the headlight.
    pub headlight: bool,
    /// Whether shapes cast shadows in this light.
    pub castshadow: bool,
    /// Radius of the bulb, for soft shadows (m).
    pub bulbradius: f32,
    /// Intensity (cd).
    pub intensity: f32,
    /// Distance up to which the light counts (m).
    pub range: f32,
}

/// A camera as the renderer needs it: pose and frustum.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct MjvGLCamera {
    /// Position (m).
    pub pos: [f32; 3],
    /// Viewing direction.
    pub forward: [f32; 3],
    /// Up direction.
    pub up: [f32; 3],
    /// Horizontal centre of the frustum at the near plane.
    pub frustum_center: f32,
    /// Half width of the frustum; 0 when it follows from the viewport.
    pub frustum_width: f32,
    /// Bottom of the frustum at the near plane.
    pub frustum_bottom: f32,
    /// Top of the frustum at the near plane.
    pub frustum_top: f32,
    /// Distance of the near plane.
    pub frustum_near: f32,
    /// Distance of the far plane.
    pub frustum_far: f32,
    /// Whether the projection is orthographic.
    pub orthographic: i32,
}

/// An abstract camera: what the user moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MjvCamera {
    /// Free, tracking, fixed or set by the user (`mjtCamera`).
    pub type_: i32,
    /// Camera of the model, for a fixed camera.
    pub fixedcamid: i32,
    /// Body to track, for a tracking camera.
    pub trackbodyid: i32,
    /// Point that the camera looks at (m).
    pub lookat: [f64; 3],
    /// Distance to that point (m).
    pub distance: f64,
    /// Azimuth (degrees).
    pub azimuth: f64,
    /// Elevation (degrees).
    pub elevation: f64,
    /// Whether the projection is orthographic.
    pub orthographic: i32,
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MjvOption {
    /// Which objects have labels (`mjtLabel`).
    pub label: i32,
    /// Which frames are shown (`mjtFrame`).
    pub frame: i32,
    /// Geoms, by group.
    pub geomgroup: [u8; N_GROUP],
    /// Sites, by group.
    pub sitegroup: [u8; N_GROUP],
    /// Joints, by group.
    pub jointgroup: [u8; N_GROUP],
    /// Tendons, by group.
    pub tendongroup: [u8; N_GROUP],
    /// Actuators, by group.
    pub actuatorgroup: [u8; N_GROUP],
    /// Flexes, by group.
    pub flexgroup: [u8; N_GROUP],
    /// Skins, by group.
    pub skingroup: [u8; N_GROUP],
    /// What else is shown, by `mjtVisFlag`.
    pub flags: [u8; N_VIS_FLAG],
    /// Depth of the bounding volume hierarchy that is shown.
    pub bvh_depth: i32,
    /// Layer of elements that is shown of a flex with volume.
    pub flex_layer: i32,
}

/// A selected object and how the user pulls at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MjvPerturb {
    /// Selected body; none unless positive.
    pub select: i32,
    /// Selected flex, negative for none.
    pub flexselect: i32,
    /// Selected skin, negative for none.
    pub skinselect: i32,
    /// Active perturbation (`mjtPertBit`).
    pub active: i32,
    /// Secondary active perturbation (`mjtPertBit`).
    pub active2: i32,
    /// Reference position of the object (m).
    pub refpos: [f64; 3],
    /// Reference orientation of the object.
    pub refquat: [f64; 4],
    /// Reference position of the selected point (m).
    pub refselpos: [f64; 3],
    /// Selected point in the object's frame (m).
    pub localpos: [f64; 3],
    /// Spatial inertia at the selected point (kg).
    pub localmass: f64,
    /// Motion in space per motion of the mouse.
    pub scale: f64,
}

/// Everything a renderer draws in one frame.
#[derive(Clone, Debug)]
pub struct MjvScene {
    /// Largest number of geoms.
    pub maxgeom: usize,
    /// Shapes to draw; their number is the reference's `ngeom`.
    pub geoms: Vec<MjvGeom>,
    /// Order of the geoms by distance to the camera.
    pub geomorder: Vec<i32>,
    /// Lights; their number is the reference's `nlight`.
    pub lights: Vec<MjvLight>,
    /// Left and right camera.
    pub camera: [MjvGLCamera; 2],
    /// Number of triangles of each skin.
    pub skinfacenum: Vec<i32>,
    /// First vertex of each skin.
    pub skinvertadr: Vec<i32>,
    /// Number of vertices of each skin.
    pub skinvertnum: Vec<i32>,
    /// Vertices of all skins (m).
    pub skinvert: Vec<[f32; 3]>,
    /// Normals of all skins.
    pub skinnormal: Vec<[f32; 3]>,
    /// Whether the transformation of the model is applied.
    pub enabletransform: bool,
    /// Translation of the model (m).
    pub translate: [f32; 3],
    /// Rotation of the model.
    pub rotate: [f32; 4],
    /// Scale of the model.
    pub scale: f32,
    /// Stereoscopic rendering (`mjtStereo`).
    pub stereo: i32,
    /// Effects, by `mjtRndFlag`.
    pub flags: [u8; N_RND_FLAG],
    /// Width of a frame around the picture in pixels, 0 for none.
    pub framewidth: i32,
    /// Colour of that frame.
    pub framergb: [f32; 3],
    /// 1 when geoms were left out because there were more than `maxgeom`.
    pub status: i32,
}

impl Default for MjvScene {
    fn default() -> Self {
        Self {
            maxgeom: 0,
            geoms: Vec::new(),
            geomorder: Vec::new(),
            lights: Vec::new(),
            camera: [MjvGLCamera::default(); 2],
            skinfacenum: Vec::new(),
            skinvertadr: Vec::new(),
            skinvertnum: Vec::new(),
            skinvert: Vec::new(),
            skinnormal: Vec::new(),
            enabletransform: false,
            translate: [0.0; 3],
            rotate: [1.0, 0.0, 0.0, 0.0],
            scale: 1.0,
            stereo: 0,
            flags: [1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1],
            framewidth: 0,
            framergb: [0.0; 3],
            status: 0,
        }
    }
}

impl MjvScene {
    /// A scene for a model that holds up to `maxgeom` geoms.
    #[must_use]
    pub fn new(_model: &Model, maxgeom: usize) -> Self {
        Self { maxgeom, ..Self::default() }
    }
}
