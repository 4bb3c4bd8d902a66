//! What plugins draw: shapes of their own, and colours of geoms.

use super::enums::{CatBit, VisFlag};
use super::geom::{mjv_connector, mjv_init_geom};
use super::types::{MjvGeom, MjvOption, MjvScene};
use kinetree_model::enums::{GeomType, ObjType};
use kinetree_model::plugin::{PluginCanvas, PluginView, guard};
use kinetree_model::{Data, Mismatch, Model};
use kinetree_sim::record_field_search;

/// Width of the lines of plugins (pixels).
const LINE_WIDTH: f64 = 2.0;

/// Shapes go to the scene at once, colours to a list from which geoms take them.
struct Canvas<'a> {
    scn: &'a mut MjvScene,
    instance: usize,
    colors: &'a mut Vec<(usize, [f32; 4])>,
}

impl Canvas<'_> {
    /// Adds a decoration with a number of its own.
    fn push(&mut self, mut geom: MjvGeom, id: i32) {
        geom.objtype = ObjType::Unknown as i32;
        geom.objid = id;
        geom.category = CatBit::Decor as i32;
        geom.segid = self.scn.geoms.len() as i32;
        self.scn.geoms.push(geom);
    }
}

impl PluginCanvas for Canvas<'_> {
    fn shape(&mut self, kind: i32, size: [f64; 3], pos: [f64; 3], mat: [f64; 9], rgba: [f32; 4]) {
        if self.scn.geoms.len() >= self.scn.maxgeom {
            self.scn.status = 1;
            return;
        }
        let mut geom = MjvGeom::default();
        mjv_init_geom(&mut geom, kind, Some(&size), Some(&pos), Some(&mat), Some(&rgba));
        self.push(geom, self.instance as i32);
    }

    fn line(&mut self, from: [f64; 3], to: [f64; 3], id: usize, rgba: [f32; 4]) {
        if self.scn.geoms.len() >= self.scn.maxgeom {
            self.scn.status = 1;
            return;
        }
        let mut geom = MjvGeom::default();
        mjv_init_geom(&mut geom, GeomType::None as i32, None, None, None, Some(&rgba));
        if mjv_connector(&mut geom, GeomType::Line as i32, LINE_WIDTH, &from, &to).is_ok() {
            self.push(geom, id as i32);
        }
    }

    fn color_geom(&mut self, geom: usize, rgba: [f32; 4]) {
        self.colors.push((geom, rgba));
    }
}

/// Adds the shapes of all plugins, and keeps the colours that they give to geoms. A plugin that fails draws
/// nothing more.
///
/// # Errors
/// When the data was made for another model.
pub(super) fn draw_plugins(
    model: &Model,
    data: &Data,
    opt: &MjvOption,
    scn: &mut MjvScene,
) -> Result<(), Mismatch> {
    data.check(model)?;
    let show_descents = opt.flags[VisFlag::Sdfiter as usize] != 0;
    let trails = if show_descents { record_field_search(model, data)?.descents } else { Vec::new() };
    let mut colors = std::mem::take(&mut scn.scratch.plugin_colors);
    colors.clear();
    for instance in 0..model.plugins.len() {
        let (Some(plugin), Some(config)) = (model.plugins.plugin(instance), model.plugins.config(instance))
        else {
            continue;
        };
        let mut canvas = Canvas { scn: &mut *scn, instance, colors: &mut colors };
        let drawn = guard(|| {
            let descents = trails.get(instance).map_or(&[][..], Vec::as_slice);
            plugin.visualize(&PluginView { model, data, instance, descents }, config, &mut canvas);
            Ok(())
        });
        drop(drawn);
    }
    scn.scratch.plugin_colors = colors;
    Ok(())
}
