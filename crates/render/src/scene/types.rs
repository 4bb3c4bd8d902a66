//! The structs of the abstract scene, field by field under the reference's names.
//!
//! Numbers that a renderer consumes are single precision, as graphics hardware wants them; what physics reads
//! back (perturbations, abstract cameras) is double precision. Structs of numbers alone have the reference's
//! memory layout.

use super::drawn_body::Deformables;
use super::label::{FixedText, Label};
use kinetree_math::Vec3;
use kinetree_sim::VisitedVolumes;

/// Number of groups that geoms, sites and other elements can be shown by.
pub const N_GROUP: usize = 6;
/// Largest number of lights in a scene.
pub const MAX_LIGHT: usize = 100;
/// Number of flags in [`MjvOption::flags`], indexed by `mjtVisFlag`.
pub const N_VIS_FLAG: usize = 31;
/// Number of flags in [`MjvScene::flags`], indexed by `mjtRndFlag`.
pub const N_RND_FLAG: usize = 11;

/// One shape to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MjvGeom {
    /// Kind of shape (`mjtGeom`), decorative kinds included.
    pub type_: i32,
    /// Mesh, height field or plane, −1 for none; for a mesh twice its id, one more for its convex hull.
    pub dataid: i32,
    /// Kind of the object that is drawn (`mjtObj`), 0 for decorations.
    pub objtype: i32,
    /// Id of the object; a decoration has the id of what it decorates.
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
    pub label: Label,
    /// Distance to the camera, by which transparent shapes are sorted.
    pub camdist: f32,
    /// Bounding radius of the model's geom, 0 for other objects.
    pub modelrbound: f32,
    /// Whether the shape is drawn with blending.
    pub transparent: bool,
}

/// One light, as the renderer needs it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
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
#[repr(C)]
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
#[repr(C)]
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
#[repr(C)]
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
#[repr(C)]
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
    /// First edge of each flex.
    pub flexedgeadr: Vec<i32>,
    /// Number of edges of each flex.
    pub flexedgenum: Vec<i32>,
    /// First vertex of each flex.
    pub flexvertadr: Vec<i32>,
    /// Number of vertices of each flex.
    pub flexvertnum: Vec<i32>,
    /// First triangle of each flex.
    pub flexfaceadr: Vec<i32>,
    /// Largest number of triangles of each flex.
    pub flexfacenum: Vec<i32>,
    /// Number of triangles of each flex that are shown.
    pub flexfaceused: Vec<i32>,
    /// Vertices of each edge, counted within its flex.
    pub flexedge: Vec<[i32; 2]>,
    /// Vertices of all flexes (m).
    pub flexvert: Vec<[f32; 3]>,
    /// Corners of all triangles of flexes (m).
    pub flexface: Vec<[f32; 9]>,
    /// Normals at those corners.
    pub flexnormal: Vec<[f32; 9]>,
    /// Texture coordinates at those corners.
    pub flextexcoord: Vec<[f32; 6]>,
    /// Whether vertices of flexes are drawn.
    pub flexvertopt: bool,
    /// Whether edges of flexes are drawn.
    pub flexedgeopt: bool,
    /// Whether faces of flex elements are drawn.
    pub flexfaceopt: bool,
    /// Whether the smooth surface of flexes is drawn.
    pub flexskinopt: bool,
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
    /// Deformable bodies that are no part of the model; an update of the scene takes them out.
    pub deformables: Deformables,
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
    /// Working memory that is kept from one update to the next.
    pub(super) scratch: Scratch,
}

/// Working memory of scene updates.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Smoothed normals at the vertices of one flex.
    pub(super) vertex_normals: Vec<Vec3>,
    /// Positions of the control points of one flex (m).
    pub(super) control_points: Vec<Vec3>,
    /// Which bounding volumes the collision search visits.
    pub(super) visited: VisitedVolumes,
    /// Which bounding volumes of triangles the search for contacts of fields visits, in rising order.
    pub(super) searched: Vec<usize>,
    /// Colours that plugins give to geoms.
    pub(super) plugin_colors: Vec<(usize, [f32; 4])>,
}

/// Largest number of lines of a plot.
pub const MAX_LINE: usize = 100;
/// Largest number of points of a line.
pub const MAX_LINE_POINTS: usize = 1001;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct MjvFigure {
    /// Whether there is a legend.
    pub flg_legend: i32,
    /// Whether the ticks of each axis have labels.
    pub flg_ticklabel: [i32; 2],
    /// Whether ranges grow to hold all points.
    pub flg_extend: i32,
    /// Whether each two points are a line of their own.
    pub flg_barplot: i32,
    /// Whether there is a vertical line at `selection`.
    pub flg_selection: i32,
    /// Whether the vertical axis is symmetric about zero.
    pub flg_symmetric: i32,
    /// Width of lines (pixels).
    pub linewidth: f32,
    /// Width of grid lines (pixels).
    pub gridwidth: f32,
    /// Number of grid points along each axis.
    pub gridsize: [i32; 2],
    /// Colour of the grid.
    pub gridrgb: [f32; 3],
    /// Colour of the figure.
    pub figurergba: [f32; 4],
    /// Colour of the pane.
    pub panergba: [f32; 4],
    /// Colour of the legend.
    pub legendrgba: [f32; 4],
    /// Colour of text.
    pub textrgb: [f32; 3],
    /// Colour of each line.
    pub linergb: [[f32; 3]; MAX_LINE],
    /// Least and greatest value of each axis; found from the points where the first is not below the second.
    pub range: [[f32; 2]; 2],
    /// Format of labels of the horizontal axis.
    pub xformat: FixedText<20>,
    /// Format of labels of the vertical axis.
    pub yformat: FixedText<20>,
    /// Text that is as wide as labels of the vertical axis are at least.
    pub minwidth: FixedText<20>,
    /// Title; titles of subplots are two or more spaces apart.
    pub title: FixedText<1000>,
    /// Name of the horizontal axis.
    pub xlabel: FixedText<100>,
    /// Name of each line.
    pub linename: Vec<Label>,
    /// Number of lines by which the legend is moved down.
    pub legendoffset: i32,
    /// Which subplot is selected.
    pub subplot: i32,
    /// Point whose line in the legend is highlighted (pixels).
    pub highlight: [i32; 2],
    /// Line that is highlighted without such a point; −1 for none.
    pub highlightid: i32,
    /// Where the vertical line is.
    pub selection: f32,
    /// Number of points of each line; 0 for no line.
    pub linepnt: [i32; MAX_LINE],
    /// Points of each line, of which the first `linepnt` count.
    pub linedata: Vec<[[f32; 2]; MAX_LINE_POINTS]>,
    /// Left and right end of the horizontal axis as drawn (pixels).
    pub xaxispixel: [i32; 2],
    /// Lower and upper end of the vertical axis as drawn (pixels).
    pub yaxispixel: [i32; 2],
    /// Range of the horizontal axis as drawn.
    pub xaxisdata: [f32; 2],
    /// Range of the vertical axis as drawn.
    pub yaxisdata: [f32; 2],
}
