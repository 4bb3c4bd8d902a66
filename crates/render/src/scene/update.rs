//! One update of a scene: geoms, cameras, lights, flexes and skins, in the reference's order.

use super::camera::mjv_update_camera;
use super::enums::{CatBit, VisFlag};
use super::error::SceneError;
use super::flex::mjv_update_active_flex;
use super::light::mjv_make_lights;
use super::painter::Painter;
use super::plugins::draw_plugins;
use super::skin::mjv_update_active_skin;
use super::types::{MjvCamera, MjvOption, MjvPerturb, MjvScene};
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};
use kinetree_sim::{find_visited_volumes, record_field_search};

/// All categories: static, dynamic and decorative (`mjCAT_ALL`).
pub const CAT_ALL: i32 = 7;

/// Sets geoms, cameras and lights of a scene, and the vertices of flexes and skins.
///
/// Infinite planes are centred at where the camera was before, so that a moving camera sees them one frame
/// late, as in the reference.
///
/// # Errors
/// When a camera or tracked body does not exist, a camera that the user sets was not set, or the scene was
/// made for another model; geoms are there nevertheless.
pub fn mjv_update_scene(
    model: &Model,
    data: &Data,
    opt: &MjvOption,
    pert: Option<&MjvPerturb>,
    cam: &mut MjvCamera,
    catmask: i32,
    scn: &mut MjvScene,
) -> Result<(), SceneError> {
    scn.geoms.clear();
    scn.deformables.clear();
    scn.scratch.plugin_colors.clear();
    if model.nplugin > 0 {
        draw_plugins(model, data, opt, scn)?;
    }
    mjv_add_geoms(model, data, opt, pert, catmask, scn)?;
    mjv_update_camera(model, data, cam, scn)?;
    mjv_make_lights(model, data, scn)?;
    if opt.shows_flexes() {
        mjv_update_active_flex(model, data, scn, opt)?;
    }
    if opt.shows(VisFlag::Skin) {
        mjv_update_active_skin(model, data, scn, opt)?;
    }
    Ok(())
}

/// Appends the geoms of the categories in `catmask`, bits of `mjtCatBit`.
///
/// # Errors
/// When the data was made for another model.
pub fn mjv_add_geoms(
    model: &Model,
    data: &Data,
    opt: &MjvOption,
    pert: Option<&MjvPerturb>,
    catmask: i32,
    scn: &mut MjvScene,
) -> Result<(), SceneError> {
    data.check(model)?;
    if opt.shows(VisFlag::Bodybvh) && model.vis.global.bvactive != 0 {
        find_visited_volumes(model, data, &mut scn.scratch.visited)?;
    }
    scn.scratch.searched.clear();
    let fields = model.geom_type.iter().any(|&kind| kind == GeomType::Sdf);
    if fields && opt.shows(VisFlag::Meshbvh) && model.vis.global.bvactive != 0 {
        scn.scratch.searched = record_field_search(model, data)?.volumes;
        scn.scratch.searched.sort_unstable();
    }
    let none = MjvPerturb::default();
    let static_too = opt.shows(VisFlag::Static);
    let mut painter = Painter {
        model,
        data,
        opt,
        pert: pert.unwrap_or(&none),
        catmask: if static_too { catmask } else { catmask & !(CatBit::Static as i32) },
        scn,
    };
    painter.add_flexes();
    painter.add_skins();
    painter.add_model_geoms();
    painter.add_sites();
    painter.add_tendons();
    painter.add_slider_cranks();
    if painter.decorates() {
        add_decorations(&mut painter);
    }
    Ok(())
}

fn add_decorations(painter: &mut Painter<'_>) {
    painter.add_geom_frames();
    painter.add_site_frames();
    painter.add_body_trees();
    painter.add_flex_trees();
    painter.add_mesh_trees();
    painter.add_mesh_octrees();
    painter.add_tactile_sensors();
    painter.add_inertias();
    painter.add_perturbation();
    painter.add_body_frames();
    painter.add_selected_point();
    painter.add_body_labels();
    painter.add_joints();
    painter.add_actuators();
    painter.add_island_labels();
    painter.add_cameras();
    painter.add_lights();
    painter.add_centers_of_mass();
    painter.add_skeleton();
    painter.add_rangefinders();
    painter.add_applied_forces();
    painter.add_constraints();
    painter.add_contacts();
}
