//! The layouts of the structs of a scene.

use super::record::{FieldInfo, Record, Value, aligned, records};
use kinetree_render::scene::{
    FixedText, Label, MAX_LINE, MAX_LINE_POINTS, MjvCamera, MjvFigure, MjvGLCamera, MjvGeom, MjvLight,
    MjvOption, MjvPerturb, MjvScene, N_GROUP, N_RND_FLAG, N_VIS_FLAG,
};

/// Points of all lines of a plot.
type LineData = Vec<[[f32; 2]; MAX_LINE_POINTS]>;

/// Implements [`Value`] for a list of one element for each line of a plot.
macro_rules! per_line {
    ($( $t:ty; )*) => { $(
        impl Value for Vec<$t> {
            const FORMAT: &'static str = <$t as Value>::FORMAT;
            const ELEMENT: usize = <$t as Value>::ELEMENT;
            const ALIGN: usize = <$t as Value>::ALIGN;
            const SIZE: usize = MAX_LINE * <$t as Value>::SIZE;

            fn shape() -> Vec<usize> {
                vec![MAX_LINE]
            }

            fn read(bytes: &[u8]) -> Self {
                bytes.chunks_exact(<$t as Value>::SIZE).map(<$t as Value>::read).collect()
            }

            fn write(&self, bytes: &mut [u8]) {
                for (value, part) in self.iter().zip(bytes.chunks_exact_mut(<$t as Value>::SIZE)) {
                    value.write(part);
                }
            }
        }
    )* };
}

per_line! {
    Label;
    [[f32; 2]; MAX_LINE_POINTS];
}

/// The fields of a scene that are no lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SceneHead {
    pub(crate) maxgeom: i32,
    pub(crate) ngeom: i32,
    pub(crate) nflex: i32,
    pub(crate) flexvertopt: bool,
    pub(crate) flexedgeopt: bool,
    pub(crate) flexfaceopt: bool,
    pub(crate) flexskinopt: bool,
    pub(crate) nskin: i32,
    pub(crate) nlight: i32,
    pub(crate) enabletransform: bool,
    pub(crate) translate: [f32; 3],
    pub(crate) rotate: [f32; 4],
    pub(crate) scale: f32,
    pub(crate) stereo: i32,
    pub(crate) flags: [u8; N_RND_FLAG],
    pub(crate) framewidth: i32,
    pub(crate) framergb: [f32; 3],
    pub(crate) status: i32,
}

impl SceneHead {
    /// The head of a scene.
    pub(crate) fn of(scene: &MjvScene) -> Self {
        Self {
            maxgeom: scene.maxgeom as i32,
            ngeom: scene.geoms.len() as i32,
            nflex: scene.flexvertadr.len() as i32,
            flexvertopt: scene.flexvertopt,
            flexedgeopt: scene.flexedgeopt,
            flexfaceopt: scene.flexfaceopt,
            flexskinopt: scene.flexskinopt,
            nskin: scene.skinvertadr.len() as i32,
            nlight: scene.lights.len() as i32,
            enabletransform: scene.enabletransform,
            translate: scene.translate,
            rotate: scene.rotate,
            scale: scene.scale,
            stereo: scene.stereo,
            flags: scene.flags,
            framewidth: scene.framewidth,
            framergb: scene.framergb,
            status: scene.status,
        }
    }

    /// Sets what is no count of a list.
    pub(crate) fn apply(&self, scene: &mut MjvScene) {
        scene.flexvertopt = self.flexvertopt;
        scene.flexedgeopt = self.flexedgeopt;
        scene.flexfaceopt = self.flexfaceopt;
        scene.flexskinopt = self.flexskinopt;
        scene.enabletransform = self.enabletransform;
        scene.translate = self.translate;
        scene.rotate = self.rotate;
        scene.scale = self.scale;
        scene.stereo = self.stereo;
        scene.flags = self.flags;
        scene.framewidth = self.framewidth;
        scene.framergb = self.framergb;
        scene.status = self.status;
    }
}

records! {
    SceneHead = "MjvScene" {
        maxgeom "maxgeom": i32;
        ngeom "ngeom": i32;
        nflex "nflex": i32;
        flexvertopt "flexvertopt": bool;
        flexedgeopt "flexedgeopt": bool;
        flexfaceopt "flexfaceopt": bool;
        flexskinopt "flexskinopt": bool;
        nskin "nskin": i32;
        nlight "nlight": i32;
        enabletransform "enabletransform": bool;
        translate "translate": [f32; 3];
        rotate "rotate": [f32; 4];
        scale "scale": f32;
        stereo "stereo": i32;
        flags "flags": [u8; N_RND_FLAG];
        framewidth "framewidth": i32;
        framergb "framergb": [f32; 3];
        status "status": i32;
    }

    MjvGeom = "MjvGeom" {
        type_ "type": i32;
        dataid "dataid": i32;
        objtype "objtype": i32;
        objid "objid": i32;
        category "category": i32;
        matid "matid": i32;
        texcoord "texcoord": i32;
        segid "segid": i32;
        size "size": [f32; 3];
        pos "pos": [f32; 3];
        mat "mat": [f32; 9] [3, 3];
        rgba "rgba": [f32; 4];
        emission "emission": f32;
        specular "specular": f32;
        shininess "shininess": f32;
        reflectance "reflectance": f32;
        label "label": Label;
        camdist "camdist": f32;
        modelrbound "modelrbound": f32;
        transparent "transparent": bool;
    }

    MjvLight = "MjvLight" {
        id "id": i32;
        pos "pos": [f32; 3];
        dir "dir": [f32; 3];
        type_ "type": i32;
        texid "texid": i32;
        attenuation "attenuation": [f32; 3];
        cutoff "cutoff": f32;
        exponent "exponent": f32;
        ambient "ambient": [f32; 3];
        diffuse "diffuse": [f32; 3];
        specular "specular": [f32; 3];
        headlight "headlight": bool;
        castshadow "castshadow": bool;
        bulbradius "bulbradius": f32;
        intensity "intensity": f32;
        range "range": f32;
    }

    MjvGLCamera = "MjvGLCamera" {
        pos "pos": [f32; 3];
        forward "forward": [f32; 3];
        up "up": [f32; 3];
        frustum_center "frustum_center": f32;
        frustum_width "frustum_width": f32;
        frustum_bottom "frustum_bottom": f32;
        frustum_top "frustum_top": f32;
        frustum_near "frustum_near": f32;
        frustum_far "frustum_far": f32;
        orthographic "orthographic": i32;
    }

    MjvCamera = "MjvCamera" {
        type_ "type": i32;
        fixedcamid "fixedcamid": i32;
        trackbodyid "trackbodyid": i32;
        lookat "lookat": [f64; 3];
        distance "distance": f64;
        azimuth "azimuth": f64;
        elevation "elevation": f64;
        orthographic "orthographic": i32;
    }

    MjvOption = "MjvOption" {
        label "label": i32;
        frame "frame": i32;
        geomgroup "geomgroup": [u8; N_GROUP];
        sitegroup "sitegroup": [u8; N_GROUP];
        jointgroup "jointgroup": [u8; N_GROUP];
        tendongroup "tendongroup": [u8; N_GROUP];
        actuatorgroup "actuatorgroup": [u8; N_GROUP];
        flexgroup "flexgroup": [u8; N_GROUP];
        skingroup "skingroup": [u8; N_GROUP];
        flags "flags": [u8; N_VIS_FLAG];
        bvh_depth "bvh_depth": i32;
        flex_layer "flex_layer": i32;
    }

    MjvPerturb = "MjvPerturb" {
        select "select": i32;
        flexselect "flexselect": i32;
        skinselect "skinselect": i32;
        active "active": i32;
        active2 "active2": i32;
        refpos "refpos": [f64; 3];
        refquat "refquat": [f64; 4];
        refselpos "refselpos": [f64; 3];
        localpos "localpos": [f64; 3];
        localmass "localmass": f64;
        scale "scale": f64;
    }

    MjvFigure = "MjvFigure" {
        flg_legend "flg_legend": i32;
        flg_ticklabel "flg_ticklabel": [i32; 2];
        flg_extend "flg_extend": i32;
        flg_barplot "flg_barplot": i32;
        flg_selection "flg_selection": i32;
        flg_symmetric "flg_symmetric": i32;
        linewidth "linewidth": f32;
        gridwidth "gridwidth": f32;
        gridsize "gridsize": [i32; 2];
        gridrgb "gridrgb": [f32; 3];
        figurergba "figurergba": [f32; 4];
        panergba "panergba": [f32; 4];
        legendrgba "legendrgba": [f32; 4];
        textrgb "textrgb": [f32; 3];
        linergb "linergb": [[f32; 3]; MAX_LINE];
        range "range": [[f32; 2]; 2];
        xformat "xformat": FixedText<20>;
        yformat "yformat": FixedText<20>;
        minwidth "minwidth": FixedText<20>;
        title "title": FixedText<1000>;
        xlabel "xlabel": FixedText<100>;
        linename "linename": Vec<Label>;
        legendoffset "legendoffset": i32;
        subplot "subplot": i32;
        highlight "highlight": [i32; 2];
        highlightid "highlightid": i32;
        selection "selection": f32;
        linepnt "linepnt": [i32; MAX_LINE];
        linedata "linedata": LineData [MAX_LINE, 2 * MAX_LINE_POINTS];
        xaxispixel "xaxispixel": [i32; 2];
        yaxispixel "yaxispixel": [i32; 2];
        xaxisdata "xaxisdata": [f32; 2];
        yaxisdata "yaxisdata": [f32; 2];
    }
}
