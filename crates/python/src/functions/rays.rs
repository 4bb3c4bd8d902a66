//! Rays against geoms, flexes and skins.

use super::functions;
use crate::args::{Fixed, Out, OutFixed, Values, filled};
use crate::call::{PyData, PyModel, peek, run};
use crate::errors::{fatal, index};
use crate::panics::guarded;
use kinetree_model::enums::GeomType;
use kinetree_sim as sim;
use kinetree_sim::{FlexParts, GeomHit, RayFilter};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

fn filter(geomgroup: Option<Values<u8>>, flg_static: i64, bodyexclude: i64) -> PyResult<RayFilter> {
    let groups = match geomgroup {
        None => None,
        Some(groups) => {
            let flags: [u8; 6] = groups
                .values
                .try_into()
                .map_err(|_| PyTypeError::new_err("geomgroup should have 6 values"))?;
            Some(flags.map(|flag| flag != 0))
        }
    };
    Ok(RayFilter { groups, include_static: flg_static != 0, exclude_body: usize::try_from(bodyexclude).ok() })
}

/// Casts a ray against the visible geoms of a model and returns the distance to the nearest one, -1 when it
/// hits none.
///
/// Call `mj_forward` or `mj_kinematics` before: the geom poses `geom_xpos` and `geom_xmat` are read. Geoms
/// whose alpha is 0 are not hit. The point hit is `pnt + distance * vec`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     pnt: start of the ray in the world, shape (3,) (m).
///     vec: direction of the ray, shape (3,); distances are in multiples of its length.
///     geomgroup: six flags (uint8), one per geom group that is to be hit; None for all groups.
///     flg_static: whether geoms of bodies that are fixed to the world count.
///     bodyexclude: id of a body whose geoms are ignored, -1 for none.
///     geomid: int32 array of shape (1,) that gets the id of the geom, -1 for none; or None.
///     normal: array of shape (3,) that gets the surface normal where the ray hits, zeros when it
///         misses; or None.
///
/// Example::
///
///     geomid = np.zeros(1, np.int32)
///     distance = kinetree.mj_ray(model, data, [0, 0, 2], [0, 0, -1], None, 1, -1, geomid)
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal=None))]
fn mj_ray(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    geomgroup: Option<Values<u8>>,
    flg_static: i64,
    bodyexclude: i64,
    geomid: Option<Out<'_, i32>>,
    normal: Option<OutFixed<'_, 3>>,
) -> PyResult<f64> {
    let filter = filter(geomgroup, flg_static, bodyexclude)?;
    if let Some(geomid) = &geomid {
        geomid.expect("geomid", 1)?;
    }
    let hit = peek(m, d, |m, d| sim::mj_ray(m, d, &pnt.0, &vec.0, &filter))?.map_err(fatal)?;
    if let Some(geomid) = geomid {
        geomid.write(&[hit.map_or(-1, |h| h.geom as i32)])?;
    }
    if let Some(normal) = normal {
        normal.write(&hit.map_or([0.0; 3], |h| h.normal));
    }
    Ok(hit.map_or(-1.0, |h| h.distance))
}

/// Casts many rays from one point, as `mj_ray` does one.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     pnt: start of the ray in the world, shape (3,) (m).
///     vec: directions, `3 * nray` values.
///     geomgroup: six flags, one per geom group that is to be hit; None for all groups.
///     flg_static: whether geoms of bodies that are fixed to the world count.
///     bodyexclude: id of a body whose geoms are ignored, -1 for none.
///     geomid: int32 array (nray,) that gets the geoms, -1 where a ray hits none.
///     dist: array (nray,) that gets the distances in multiples of the directions' lengths, -1 where a ray
///         hits none.
///     normal: array of `3 * nray` values that gets the surface normals, or None.
///     nray: number of rays.
///     cutoff: largest distance, in the same multiples; hits farther away do not count.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal, nray, cutoff))]
fn mj_multiRay(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    pnt: Fixed<3>,
    vec: Values,
    geomgroup: Option<Values<u8>>,
    flg_static: i64,
    bodyexclude: i64,
    geomid: Out<'_, i32>,
    dist: Out<'_>,
    normal: Option<Out<'_>>,
    nray: usize,
    cutoff: f64,
) -> PyResult<()> {
    let filter = filter(geomgroup, flg_static, bodyexclude)?;
    vec.expect("vec", 3 * nray)?;
    geomid.expect("geomid", nray)?;
    dist.expect("dist", nray)?;
    if let Some(normal) = &normal {
        normal.expect("normal", 3 * nray)?;
    }
    let vectors: Vec<[f64; 3]> = vec.values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
    let mut hits: Vec<Option<GeomHit>> = filled(None, nray)?;
    run(m, d, |m, d| sim::mj_multi_ray(m, d, &pnt.0, &vectors, &filter, cutoff, &mut hits))?
        .map_err(fatal)?;
    geomid.write(&hits.iter().map(|h| h.map_or(-1, |h| h.geom as i32)).collect::<Vec<_>>())?;
    dist.write(&hits.iter().map(|h| h.map_or(-1.0, |h| h.distance)).collect::<Vec<_>>())?;
    if let Some(normal) = normal {
        let normals: Vec<f64> = hits.iter().flat_map(|h| h.map_or([0.0; 3], |h| h.normal)).collect();
        normal.write(&normals)?;
    }
    Ok(())
}

/// Defines a ray against one geom that must be of a kind.
macro_rules! geom_rays {
    ($( $name:ident $kind:ident $what:literal; )*) => { $(
        #[doc = concat!(
            "Distance along a ray to a geom that is ", $what, "; -1 when it misses. Reads the pose of the geom.\n\n",
            "Args:\n    m: the model, an `MjModel`.\n    d: its data, an `MjData`.\n    geomid: id of the geom.\n",
            "    pnt: start of the ray in the world, shape (3,) (m).\n",
            "    vec: direction of the ray, shape (3,); distances are in multiples of its length.\n",
            "    normal: array of shape (3,) that gets the surface normal, or None.\n\n",
            "Raises:\n    FatalError: the geom is not ", $what, "."
        )]
        #[pyfunction]
        #[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
        fn $name(
            m: PyModel<'_, '_>,
            d: PyData<'_, '_>,
            geomid: i64,
            pnt: Fixed<3>,
            vec: Fixed<3>,
            normal: Option<OutFixed<'_, 3>>,
        ) -> PyResult<f64> {
            let hit = peek(m, d, |m, d| {
                let geom = index("geom", geomid, m.ngeom)?;
                if m.geom_type[geom] != GeomType::$kind as i32 {
                    return Err(fatal(format!("geom {geom} is not {}", $what)));
                }
                sim::ray_model_geom(m, d, geom, &pnt.0, &vec.0).map_err(fatal)
            })??;
            if let Some(normal) = normal {
                normal.write(&hit.map_or([0.0; 3], |h| h.1));
            }
            Ok(hit.map_or(-1.0, |h| h.0))
        }
    )* };
}

geom_rays! {
    mj_rayMesh Mesh "a mesh";
    mj_rayHfield Hfield "a height field";
}

/// Distance along a ray to one primitive shape, without a model; -1 when it misses.
///
/// Args:
///     pos: centre of the shape, shape (3,).
///     mat: its orientation, a rotation matrix of 9 values.
///     size: its size parameters, shape (3,), as in `m.geom_size`.
///     pnt: start of the ray in the world, shape (3,) (m).
///     vec: direction of the ray, shape (3,); distances are in multiples of its length.
///     geomtype: which shape, an `mjtGeom` that is no mesh or height field.
///     normal: array of shape (3,) that gets the surface normal where the ray hits, zeros when it
///         misses; or None.
#[pyfunction]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal=None))]
fn mju_rayGeom(
    pos: Fixed<3>,
    mat: Fixed<9>,
    size: Fixed<3>,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    geomtype: i32,
    normal: Option<OutFixed<'_, 3>>,
) -> PyResult<f64> {
    let hit = guarded(|| sim::ray_primitive_shape(geomtype, &size.0, &pos.0, &mat.0, &pnt.0, &vec.0))?;
    if let Some(normal) = normal {
        normal.write(&hit.map_or([0.0; 3], |h| h.1));
    }
    Ok(hit.map_or(-1.0, |h| h.0))
}

/// Distance along a ray to one flex, -1 when it misses.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     flex_layer: layer of elements that is drawn in three-dimensional flexes; only that one is hit.
///     flg_vert: whether vertices are hit.
///     flg_edge: whether edges are hit.
///     flg_face: whether faces are hit.
///     flg_skin: whether the smooth surface is hit.
///     flexid: id of the flex.
///     pnt: start of the ray in the world, shape (3,) (m).
///     vec: direction of the ray, shape (3,); distances are in multiples of its length.
///     vertid: int32 array of shape (1,) that gets the vertex nearest to the hit, or None.
///     normal: array of shape (3,) that gets the surface normal where the ray hits, zeros when it
///         misses; or None.
#[pyfunction]
#[pyo3(signature = (m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid=None, normal=None))]
fn mj_rayFlex(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    flex_layer: i32,
    flg_vert: i64,
    flg_edge: i64,
    flg_face: i64,
    flg_skin: i64,
    flexid: i64,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    vertid: Option<Out<'_, i32>>,
    normal: Option<OutFixed<'_, 3>>,
) -> PyResult<f64> {
    if let Some(vertid) = &vertid {
        vertid.expect("vertid", 1)?;
    }
    let parts = FlexParts {
        vertices: flg_vert != 0,
        edges: flg_edge != 0,
        faces: flg_face != 0,
        skin: flg_skin != 0,
        layer: flex_layer,
    };
    let hit = peek(m, d, |m, d| {
        let flex = index("flex", flexid, m.nflex)?;
        sim::mj_ray_flex(m, d, flex, &parts, &pnt.0, &vec.0).map_err(fatal)
    })??;
    if let (Some(vertid), Some(hit)) = (vertid, hit) {
        vertid.write(&[hit.vertex as i32])?;
    }
    if let Some(normal) = normal {
        normal.write(&hit.map_or([0.0; 3], |h| h.normal));
    }
    Ok(hit.map_or(-1.0, |h| h.distance))
}

/// Distance along a ray to the triangles of a skin, -1 when it misses.
///
/// Args:
///     nface: number of triangles.
///     nvert: number of vertices.
///     face: int32 vertex indices of the triangles, `3 * nface` values.
///     vert: float32 vertex positions, `3 * nvert` values.
///     pnt: start of the ray in the world, shape (3,) (m).
///     vec: direction of the ray, shape (3,); distances are in multiples of its length.
///     vertid: int32 array of shape (1,) that gets the vertex nearest to the hit, or None.
#[pyfunction]
#[pyo3(signature = (nface, nvert, face, vert, pnt, vec, vertid=None))]
fn mju_raySkin(
    nface: usize,
    nvert: usize,
    face: Values<i32>,
    vert: Values<f32>,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    vertid: Option<Out<'_, i32>>,
) -> PyResult<f64> {
    if let Some(vertid) = &vertid {
        vertid.expect("vertid", 1)?;
    }
    face.expect("face", 3 * nface)?;
    vert.expect("vert", 3 * nvert)?;
    let (faces, vertices) = (face.values.as_chunks().0, vert.values.as_chunks().0);
    let hit = guarded(|| sim::mju_ray_skin(faces, vertices, &pnt.0, &vec.0))?;
    if let (Some(vertid), Some((_, vertex))) = (vertid, hit) {
        vertid.write(&[vertex as i32])?;
    }
    Ok(hit.map_or(-1.0, |h| h.0))
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mj_ray mj_multiRay mj_rayMesh mj_rayHfield mju_rayGeom mj_rayFlex mju_raySkin);
    Ok(())
}
