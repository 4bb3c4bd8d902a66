//! Abstract geoms: initial values, and shapes that connect two points.

use super::error::SceneError;
use super::types::MjvGeom;
use kinetree_math::Vec3;
use kinetree_math::rot::{quat_to_rows, quat_z_to_vec};
use kinetree_model::enums::GeomType;

/// Single precision, as renderers want it.
pub(super) fn single<const N: usize>(values: &[f64; N]) -> [f32; N] {
    values.map(|value| value as f32)
}

/// Sets type, size, pose and colour, where given; everything else gets its default, except what says which
/// object the geom shows.
///
/// `size` is that of a geom of the model, so that the second number of a capsule or cylinder is half its
/// length.
pub fn mjv_init_geom(
    geom: &mut MjvGeom,
    geomtype: i32,
    size: Option<&[f64; 3]>,
    pos: Option<&[f64; 3]>,
    mat: Option<&[f64; 9]>,
    rgba: Option<&[f32; 4]>,
) {
    let fresh = MjvGeom::default();
    *geom = MjvGeom {
        type_: geomtype,
        size: size.map_or(fresh.size, |size| scale_of(geomtype, size)),
        pos: pos.map_or(fresh.pos, single),
        mat: mat.map_or(fresh.mat, single),
        rgba: rgba.copied().unwrap_or(fresh.rgba),
        // what the geom shows stays
        objtype: geom.objtype,
        objid: geom.objid,
        category: geom.category,
        segid: geom.segid,
        camdist: geom.camdist,
        transparent: geom.transparent,
        ..fresh
    };
}

/// By how much a unit shape is scaled along its axes.
fn scale_of(geomtype: i32, size: &[f64; 3]) -> [f32; 3] {
    let [x, y, _] = single(size);
    match GeomType::try_from(geomtype) {
        Ok(GeomType::Sphere) => [x; 3],
        Ok(GeomType::Capsule | GeomType::Cylinder) => [x, x, y],
        _ => single(size),
    }
}

/// Makes a geom connect two points: sets its type, size, position and orientation. Capsules and cylinders lie
/// between the points, arrows and lines begin at the first.
///
/// # Errors
/// When `geomtype` is no capsule, cylinder, arrow or line.
pub fn mjv_connector(
    geom: &mut MjvGeom,
    geomtype: i32,
    width: f64,
    from: &[f64; 3],
    to: &[f64; 3],
) -> Result<(), SceneError> {
    let Ok(
        kind @ (GeomType::Capsule
        | GeomType::Cylinder
        | GeomType::Arrow
        | GeomType::Arrow1
        | GeomType::Arrow2
        | GeomType::Line),
    ) = GeomType::try_from(geomtype)
    else {
        return Err(SceneError::Connector(geomtype));
    };
    let (from, to) = (Vec3::from(*from), Vec3::from(*to));
    let along = to - from;
    geom.type_ = geomtype;
    geom.size = [width as f32, width as f32, along.norm() as f32];
    geom.pos = single(&from.into());
    if matches!(kind, GeomType::Capsule | GeomType::Cylinder) {
        geom.pos = single(&((from + to) * 0.5).into());
        geom.size[2] *= 0.5;
    }
    // the smallest rotation that takes z to the direction
    geom.mat = single(&quat_to_rows(&quat_z_to_vec(&along)));
    Ok(())
}
