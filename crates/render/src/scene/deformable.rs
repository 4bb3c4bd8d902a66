//! Deformable bodies that are no part of a model: sheets, solids and ropes.
//!
//! A program that steps such bodies hands over their vertices after each update of a scene. They are drawn as
//! flexes are, and the options of flexes hold for them.

use super::drawn_body::Shown;
use super::enums::{CatBit, LabelMode, VisFlag};
use super::geom::mjv_init_geom;
use super::label::Label;
use super::painter::{geom_for, in_group};
use super::types::{MjvOption, MjvScene};
use kinetree_math::Vec3;
pub use kinetree_model::Deformable;
use kinetree_model::Model;
use kinetree_model::enums::{GeomType, ObjType};

/// Appends a deformable body that is no part of the model: one geom with the type of flexes, no object, and
/// the number of the body in `objid`, counted since the scene was updated.
///
/// What names a vertex that is not there is left out.
pub fn mjv_add_deformable(model: &Model, body: &Deformable<'_>, opt: &MjvOption, scn: &mut MjvScene) {
    if !opt.shows_flexes() || !in_group(&opt.flexgroup, 0) || body.vertices.is_empty() {
        return;
    }
    if scn.geoms.len() >= scn.maxgeom {
        scn.status = 1;
        return;
    }
    let shown = Shown {
        skin: opt.shows(VisFlag::Flexskin),
        faces: opt.shows(VisFlag::Flexface),
        edges: opt.shows(VisFlag::Flexedge),
        vertices: opt.shows(VisFlag::Flexvert),
    };
    let index = scn.deformables.add(body, shown);
    let mut geom = geom_for(ObjType::Unknown, index, CatBit::Dynamic);
    let centre = body.vertices.iter().sum::<Vec3>() / body.vertices.len() as f64;
    let kind = GeomType::Flex as i32;
    mjv_init_geom(&mut geom, kind, None, Some(&centre.into()), None, Some(&body.rgba));
    geom.size[0] = body.radius as f32;
    if opt.shows(VisFlag::Transparent) {
        geom.rgba[3] *= model.vis.map.alpha;
    }
    if opt.labels(LabelMode::Flex) {
        geom.label = Label::from(body.name);
    }
    geom.segid = scn.geoms.len() as i32;
    scn.geoms.push(geom);
}
