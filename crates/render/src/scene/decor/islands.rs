//! Colours of constraint islands, and labels with their numbers.

use crate::scene::enums::LabelMode;
use crate::scene::geom::single;
use crate::scene::painter::{Painter, decor, text};
use kinetree_math::misc::halton;
use kinetree_model::enums::{EnableBit, GeomType, ObjType};
use kinetree_sim::mj_sleep_cycle;

/// Colour of an island, from the lowest degree of freedom in it; grey without one. What sleeps is darker and
/// paler.
pub(super) fn island_color(dof: Option<i32>, awake: bool) -> [f32; 4] {
    let (hue, mut saturation, mut value) = match dof {
        None => (1.0, 0.0, 0.7),
        // a Halton sequence spreads colours of neighbours
        Some(dof) => {
            let spread = |base| halton(dof + 1, base);
            (spread(7) as f32, (0.5 + 0.5 * spread(3)) as f32, (0.6 + 0.4 * spread(5)) as f32)
        }
    };
    if !awake {
        value *= 0.6;
        saturation *= 0.7;
    }
    let [r, g, b] = hsv_to_rgb(hue, saturation, value);
    [r, g, b, 1.0]
}

/// Red, green and blue of a hue, saturation and value in [0, 1].
fn hsv_to_rgb(hue: f32, saturation: f32, value: f32) -> [f32; 3] {
    if saturation <= 0.0 {
        return [value; 3];
    }
    let sector = (hue * 6.0).floor();
    let rest = hue * 6.0 - sector;
    let low = value * (1.0 - saturation);
    let falling = value * (1.0 - saturation * rest);
    let rising = value * (1.0 - saturation * (1.0 - rest));
    match sector as i32 {
        0 => [value, rising, low],
        1 => [falling, value, low],
        2 => [low, value, rising],
        3 => [low, falling, value],
        4 => [rising, low, value],
        _ => [value, low, falling],
    }
}

impl Painter<'_> {
    /// Lowest degree of freedom of the island of a constraint row.
    pub(super) fn island_of_row(&self, row: i32) -> Option<i32> {
        let row = usize::try_from(row).ok()?;
        if self.data.nisland == 0 {
            return None;
        }
        let island = usize::try_from(*self.data.efc_island.get(row)?).ok()?;
        self.data.island_dofadr.get(island).copied()
    }

    /// Island of the moving body that `body` is fixed to, if it is in one.
    fn island_of_body(&self, body: usize) -> Option<usize> {
        let weld = self.model.body_weldid[body] as usize;
        if self.data.nisland == 0 || self.model.body_dofnum[weld] == 0 {
            return None;
        }
        usize::try_from(*self.data.dof_island.get(self.model.body_dofadr[weld] as usize)?).ok()
    }

    /// Colour of a geom by the island of its body; `None` for what does not move.
    pub(super) fn body_island_color(&self, body: usize) -> Option<[f32; 4]> {
        let (model, data) = (self.model, self.data);
        let weld = model.body_weldid[body] as usize;
        if model.body_dofnum[weld] == 0 {
            return None;
        }
        let awake = data.body_awake[body] != 0;
        let mut dof = self.island_of_body(body).map(|island| data.island_dofadr[island]);
        if dof.is_none() && model.enabled(EnableBit::Sleep) {
            let tree = model.dof_treeid[model.body_dofadr[weld] as usize] as usize;
            let first = if awake { Some(tree) } else { mj_sleep_cycle(&data.tree_asleep, tree) };
            dof = first.map(|tree| model.tree_dofadr[tree]);
        }
        Some(island_color(dof, awake))
    }

    /// Labels of bodies with the numbers of their islands.
    pub(in crate::scene) fn add_island_labels(&mut self) {
        if !self.opt.labels(LabelMode::Island) {
            return;
        }
        for body in 1..self.model.nbody {
            if let Some(island) = self.island_of_body(body) {
                let mut geom = decor(ObjType::Unknown, body);
                geom.type_ = GeomType::Label as i32;
                geom.pos = single(&self.data.xipos[body]);
                geom.mat = single(&self.data.ximat[body]);
                geom.label = text(format_args!("{island}"));
                self.add(geom);
            }
        }
    }
}
