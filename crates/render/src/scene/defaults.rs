//! Default values of the structs of a scene.

use super::drawn_body::Deformables;
use super::enums::{CameraType, RndFlag, VisFlag};
use super::label::{FixedText, Label};
use super::types::{
    MAX_LINE, MAX_LINE_POINTS, MjvCamera, MjvFigure, MjvGLCamera, MjvGeom, MjvOption, MjvPerturb, MjvScene,
    N_GROUP, N_RND_FLAG, N_VIS_FLAG, Scratch,
};
use kinetree_math::misc::halton;
use kinetree_model::Model;
use kinetree_model::enums::GeomType;

/// Visual flags that are on at first.
const SHOWN: [VisFlag; 8] = [
    VisFlag::Texture,
    VisFlag::Tendon,
    VisFlag::Rangefinder,
    VisFlag::Pertobj,
    VisFlag::Static,
    VisFlag::Skin,
    VisFlag::Flexedge,
    VisFlag::Flexskin,
];

/// Rendering flags that are on at first.
const RENDERED: [RndFlag; 5] =
    [RndFlag::Shadow, RndFlag::Reflection, RndFlag::Skybox, RndFlag::Haze, RndFlag::CullFace];

impl Default for MjvGeom {
    /// No shape, grey, 0.1 m in each direction.
    fn default() -> Self {
        Self {
            type_: GeomType::None as i32,
            dataid: -1,
            objtype: 0,
            objid: 0,
            category: 0,
            matid: -1,
            texcoord: 0,
            segid: 0,
            size: [0.1; 3],
            pos: [0.0; 3],
            mat: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            rgba: [0.5, 0.5, 0.5, 1.0],
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            label: Label::EMPTY,
            camdist: 0.0,
            modelrbound: 0.0,
            transparent: false,
        }
    }
}

impl Default for MjvCamera {
    /// A free camera that looks at the origin from 2 m away.
    fn default() -> Self {
        Self {
            type_: CameraType::Free as i32,
            fixedcamid: -1,
            trackbodyid: -1,
            lookat: [0.0; 3],
            distance: 2.0,
            azimuth: 90.0,
            elevation: -45.0,
            orthographic: 0,
        }
    }
}

impl Default for MjvOption {
    /// The first three groups of everything, textures, tendons, range finders, static bodies, skins and
    /// flexes.
    fn default() -> Self {
        let groups: [u8; N_GROUP] = std::array::from_fn(|group| u8::from(group < 3));
        let mut flags = [0; N_VIS_FLAG];
        for flag in SHOWN {
            flags[flag as usize] = 1;
        }
        Self {
            label: 0,
            frame: 0,
            geomgroup: groups,
            sitegroup: groups,
            jointgroup: groups,
            tendongroup: groups,
            actuatorgroup: groups,
            flexgroup: groups,
            skingroup: groups,
            flags,
            bvh_depth: 1,
            flex_layer: 0,
        }
    }
}

impl Default for MjvPerturb {
    /// Nothing selected.
    fn default() -> Self {
        Self {
            select: 0,
            flexselect: -1,
            skinselect: -1,
            active: 0,
            active2: 0,
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            refselpos: [0.0; 3],
            localpos: [0.0; 3],
            localmass: 0.0,
            scale: 1.0,
        }
    }
}

impl Default for MjvScene {
    /// A scene without room for geoms.
    fn default() -> Self {
        let mut flags = [0; N_RND_FLAG];
        for flag in RENDERED {
            flags[flag as usize] = 1;
        }
        Self {
            maxgeom: 0,
            geoms: Vec::new(),
            geomorder: Vec::new(),
            lights: Vec::new(),
            camera: [MjvGLCamera::default(); 2],
            flexedgeadr: Vec::new(),
            flexedgenum: Vec::new(),
            flexvertadr: Vec::new(),
            flexvertnum: Vec::new(),
            flexfaceadr: Vec::new(),
            flexfacenum: Vec::new(),
            flexfaceused: Vec::new(),
            flexedge: Vec::new(),
            flexvert: Vec::new(),
            flexface: Vec::new(),
            flexnormal: Vec::new(),
            flextexcoord: Vec::new(),
            flexvertopt: false,
            flexedgeopt: false,
            flexfaceopt: false,
            flexskinopt: false,
            skinfacenum: Vec::new(),
            skinvertadr: Vec::new(),
            skinvertnum: Vec::new(),
            skinvert: Vec::new(),
            skinnormal: Vec::new(),
            deformables: Deformables::default(),
            enabletransform: false,
            translate: [0.0; 3],
            rotate: [1.0, 0.0, 0.0, 0.0],
            scale: 1.0,
            stereo: 0,
            flags,
            framewidth: 0,
            framergb: [0.0; 3],
            status: 0,
            scratch: Scratch::default(),
        }
    }
}

impl MjvScene {
    /// A scene for a model that holds up to `maxgeom` geoms.
    #[must_use]
    pub fn new(model: &Model, maxgeom: usize) -> Self {
        let facenum: Vec<i32> = (0..model.nflex).map(|flex| most_faces(model, flex)).collect();
        let faces = facenum.iter().sum::<i32>() as usize;
        let faceadr = facenum
            .iter()
            .scan(0, |next, count| {
                *next += count;
                Some(*next - count)
            })
            .collect();
        Self {
            maxgeom,
            flexedgeadr: model.flex_edgeadr.to_vec(),
            flexedgenum: model.flex_edgenum.to_vec(),
            flexvertadr: model.flex_vertadr.to_vec(),
            flexvertnum: model.flex_vertnum.to_vec(),
            flexfaceadr: faceadr,
            flexfacenum: facenum,
            flexfaceused: vec![0; model.nflex],
            flexedge: model.flex_edge.to_vec(),
            flexvert: vec![[0.0; 3]; model.nflexvert],
            flexface: vec![[0.0; 9]; faces],
            flexnormal: vec![[0.0; 9]; faces],
            flextexcoord: vec![[0.0; 6]; faces],
            skinfacenum: model.skin_facenum.to_vec(),
            skinvertadr: model.skin_vertadr.to_vec(),
            skinvertnum: model.skin_vertnum.to_vec(),
            skinvert: vec![[0.0; 3]; model.nskinvert],
            skinnormal: vec![[0.0; 3]; model.nskinvert],
            ..Self::default()
        }
    }
}

/// Largest number of triangles that a flex is drawn with, whatever the options: both sides and the rim of a
/// surface; of a solid its shell or all faces of its largest layer.
fn most_faces(model: &Model, flex: usize) -> i32 {
    let elements = model.flex_elemnum[flex];
    let shell = model.flex_shellnum[flex];
    if model.flex_dim[flex] == 2 {
        return 2 * shell + 2 * elements;
    }
    let first = model.flex_elemadr[flex] as usize;
    let layers = &model.flex_elemlayer[first..first + elements as usize];
    let mut largest = 0;
    for layer in 0.. {
        let count = layers.iter().filter(|&&l| l == layer).count() as i32;
        if count == 0 {
            break;
        }
        largest = largest.max(count);
    }
    shell.max(4 * largest)
}

impl MjvFigure {
    /// Colour of a line: eight that are easy to tell apart, then points of a Halton sequence.
    #[must_use]
    pub fn line_color(line: usize) -> [f32; 3] {
        const FIRST: [[f32; 3]; 8] = [
            [1.0, 0.3, 0.3],
            [0.1, 1.0, 0.1],
            [0.3, 0.3, 1.0],
            [0.1, 1.0, 1.0],
            [1.0, 0.2, 1.0],
            [1.0, 1.0, 0.1],
            [1.0, 0.6, 0.2],
            [0.6, 0.7, 0.4],
        ];
        FIRST.get(line).copied().unwrap_or_else(|| {
            [2, 3, 5].map(|base| (f64::from(0.1_f32) + f64::from(0.8_f32) * halton(line as i32, base)) as f32)
        })
    }
}

impl Default for MjvFigure {
    /// An empty plot: white on black, with a grid and a legend.
    fn default() -> Self {
        Self {
            flg_legend: 1,
            flg_ticklabel: [1; 2],
            flg_extend: 1,
            flg_barplot: 0,
            flg_selection: 0,
            flg_symmetric: 0,
            linewidth: 3.0,
            gridwidth: 1.0,
            gridsize: [2; 2],
            gridrgb: [0.4; 3],
            figurergba: [0.0, 0.0, 0.0, 1.0],
            panergba: [0.0, 0.0, 0.0, 1.0],
            legendrgba: [0.0, 0.0, 0.0, 0.3],
            textrgb: [1.0; 3],
            linergb: std::array::from_fn(Self::line_color),
            range: [[0.0, 1.0]; 2],
            xformat: FixedText::from("%.0f"),
            yformat: FixedText::from("%.2g"),
            // not a note: a text whose width is the least that labels of the y axis get, as in the reference
            minwidth: FixedText::from("XXX"),
            title: FixedText::EMPTY,
            xlabel: FixedText::EMPTY,
            linename: vec![Label::EMPTY; MAX_LINE],
            legendoffset: 0,
            subplot: 0,
            highlight: [0; 2],
            highlightid: -1,
            selection: 0.0,
            linepnt: [0; MAX_LINE],
            linedata: vec![[[0.0; 2]; MAX_LINE_POINTS]; MAX_LINE],
            xaxispixel: [0; 2],
            yaxispixel: [0; 2],
            xaxisdata: [0.0; 2],
            yaxisdata: [0.0; 2],
        }
    }
}

/// Sets default values.
pub fn mjv_default_camera(cam: &mut MjvCamera) {
    *cam = MjvCamera::default();
}

/// Places a free camera so that it sees the whole model.
pub fn mjv_default_free_camera(model: &Model, cam: &mut MjvCamera) {
    let global = &model.vis.global;
    *cam = MjvCamera {
        lookat: model.stat.center,
        distance: 1.5 * model.stat.extent,
        azimuth: f64::from(global.azimuth),
        elevation: f64::from(global.elevation),
        orthographic: global.orthographic,
        ..MjvCamera::default()
    };
}

/// Sets default values.
pub fn mjv_default_option(opt: &mut MjvOption) {
    *opt = MjvOption::default();
}

/// Sets default values: nothing selected.
pub fn mjv_default_perturb(pert: &mut MjvPerturb) {
    *pert = MjvPerturb::default();
}

/// Sets default values: an empty plot.
pub fn mjv_default_figure(fig: &mut MjvFigure) {
    *fig = MjvFigure::default();
}

/// Empties a scene and makes room for `maxgeom` geoms of a model.
pub fn mjv_make_scene(model: &Model, scn: &mut MjvScene, maxgeom: usize) {
    *scn = MjvScene::new(model, maxgeom);
}
