//! The descents of a field in pictures: a ball where each begins, one where it ends, and lines from point to
//! point whose colour goes from blue to red.

use kinetree_math::Vec3;
use kinetree_math::rot::{mat3, quat_to_mat};
use kinetree_model::enums::GeomType;
use kinetree_model::plugin::{PluginCanvas, PluginView};

/// Radius of the balls, in mean sizes of the model.
const BALL: f64 = 0.2;
/// Part of the way to the next point that a line covers.
const COVERED: f64 = 0.95;

/// Draws the descents of a field, as seen by the first geom of its instance.
pub(super) fn draw_descents(view: &PluginView<'_>, canvas: &mut dyn PluginCanvas) {
    let PluginView { model, data, instance, descents } = view;
    if descents.is_empty() {
        return;
    }
    let geom = (0..model.ngeom).find(|&g| model.geom_plugin[g] == *instance as i32).unwrap_or(0);
    // points are relative to the body's frame, where the geom's own pose is taken out again
    let rotation = mat3(&data.geom_xmat[geom]) * quat_to_mat(&model.geom_quat[geom]).transpose();
    let offset = Vec3::from(data.geom_xpos[geom]) - rotation * Vec3::from(model.geom_pos[geom]);
    let to_world = |p: &[f64; 3]| rotation * Vec3::from(*p) + offset;
    let size = [BALL * model.stat.meansize; 3];
    for (i, points) in descents.iter().enumerate() {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
        for (point, rgba) in [(first, [0.0, 0.0, 1.0, 1.0]), (last, [1.0, 0.0, 0.0, 1.0])] {
            canvas.shape(GeomType::Sphere as i32, size, to_world(point).into(), data.geom_xmat[geom], rgba);
        }
        for (j, pair) in points.windows(2).enumerate() {
            let (from, to) = (to_world(&pair[0]), to_world(&pair[1]));
            let to = from + (to - from) * COVERED;
            let done = (j as f64 + 1.0) / (points.len() as f64 - 1.0);
            canvas.line(from.into(), to.into(), i, [done as f32, 0.0, (1.0 - done) as f32, 1.0]);
        }
    }
}
