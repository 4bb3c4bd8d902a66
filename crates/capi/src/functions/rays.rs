//! Rays.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::pointer::{In, Out, count};
use crate::functions::index;
use kinetree_model::Model;
use kinetree_model::enums::GeomType;
use kinetree_sim as sim;
use kinetree_sim::{FlexParts, RayFilter};

pub(super) fn filter(groups: In<'_, u8>, with_static: u8, bodyexclude: i32) -> Served<RayFilter> {
    let groups = groups.optional_array::<6>()?.map(|groups| groups.map(|shown| shown != 0));
    Ok(RayFilter {
        groups,
        include_static: with_static != 0,
        exclude_body: usize::try_from(bodyexclude).ok(),
    })
}

/// Writes where a ray hits the surface of one geom, and returns the distance.
fn hit(found: Option<(f64, [f64; 3])>, normal: Out<'_, f64>) -> f64 {
    normal.set_optional(found.map_or([0.0; 3], |(_, normal)| normal));
    found.map_or(-1.0, |(distance, _)| distance)
}

fn of_kind(m: &Model, id: i32, kind: GeomType) -> Served<usize> {
    let geom = index("geom", id, m.ngeom)?;
    if m.geom_type[geom] == kind as i32 {
        Ok(geom)
    } else {
        fault(format!("geom with {kind:?} type expected"))
    }
}

export! {
    fn mj_ray(
        m: ModelPtr<'_>, d: DataPtr<'_>, pnt: In<'_, f64>, vec: In<'_, f64>, geomgroup: In<'_, u8>, flg_static: u8,
        bodyexclude: i32, geomid: Out<'_, i32>, normal: Out<'_, f64>,
    ) -> f64 {
        let filter = filter(geomgroup, flg_static, bodyexclude)?;
        let found = sim::mj_ray(m.get()?, d.read()?, &pnt.array()?, &vec.array()?, &filter)?;
        geomid.set_optional([found.as_ref().map_or(-1, |hit| hit.geom as i32)]);
        normal.set_optional(found.as_ref().map_or([0.0; 3], |hit| hit.normal));
        Ok(found.map_or(-1.0, |hit| hit.distance))
    }
    fn mj_multiRay(
        m: ModelPtr<'_>, d: DataPtr<'_>, pnt: In<'_, f64>, vec: In<'_, f64>, geomgroup: In<'_, u8>, flg_static: u8,
        bodyexclude: i32, geomid: Out<'_, i32>, dist: Out<'_, f64>, normal: Out<'_, f64>, nray: i32, cutoff: f64,
    ) {
        let (filter, count) = (filter(geomgroup, flg_static, bodyexclude)?, count(nray));
        let vectors = vec.list(3 * count)?.as_chunks::<3>().0;
        let mut hits = vec![None; count];
        sim::mj_multi_ray(m.get()?, d.read()?, &pnt.array()?, vectors, &filter, cutoff, &mut hits)?;
        dist.fill_with(count, |ray| hits[ray].as_ref().map_or(-1.0, |hit| hit.distance))?;
        if !geomid.is_null() {
            geomid.fill_with(count, |ray| hits[ray].as_ref().map_or(-1, |hit| hit.geom as i32))?;
        }
        if !normal.is_null() {
            normal.fill_with(3 * count, |at| hits[at / 3].as_ref().map_or(0.0, |hit| hit.normal[at % 3]))?;
        }
        Ok(())
    }
    fn mj_rayHfield(
        m: ModelPtr<'_>, d: DataPtr<'_>, geomid: i32, pnt: In<'_, f64>, vec: In<'_, f64>, normal: Out<'_, f64>,
    ) -> f64 {
        let m = m.get()?;
        let geom = of_kind(m, geomid, GeomType::Hfield)?;
        Ok(hit(sim::ray_model_geom(m, d.read()?, geom, &pnt.array()?, &vec.array()?)?, normal))
    }
    fn mj_rayMesh(
        m: ModelPtr<'_>, d: DataPtr<'_>, geomid: i32, pnt: In<'_, f64>, vec: In<'_, f64>, normal: Out<'_, f64>,
    ) -> f64 {
        let m = m.get()?;
        let geom = of_kind(m, geomid, GeomType::Mesh)?;
        Ok(hit(sim::ray_model_geom(m, d.read()?, geom, &pnt.array()?, &vec.array()?)?, normal))
    }
    fn mju_rayGeom(
        pos: In<'_, f64>, mat: In<'_, f64>, size: In<'_, f64>, pnt: In<'_, f64>, vec: In<'_, f64>, geomtype: i32,
        normal: Out<'_, f64>,
    ) -> f64 {
        // a plane and a sphere do not use all of them
        let (pos, mat) = (pos.array()?, mat.optional_array()?.unwrap_or([0.0; 9]));
        let size = size.optional_array()?.unwrap_or([0.0; 3]);
        Ok(hit(sim::ray_primitive_shape(geomtype, &size, &pos, &mat, &pnt.array()?, &vec.array()?), normal))
    }
    fn mj_rayFlex(
        m: ModelPtr<'_>, d: DataPtr<'_>, flex_layer: i32, flg_vert: u8, flg_edge: u8, flg_face: u8, flg_skin: u8,
        flexid: i32, pnt: In<'_, f64>, vec: In<'_, f64>, vertid: Out<'_, i32>, normal: Out<'_, f64>,
    ) -> f64 {
        let m = m.get()?;
        let parts = FlexParts {
            vertices: flg_vert != 0,
            edges: flg_edge != 0,
            faces: flg_face != 0,
            skin: flg_skin != 0,
            layer: flex_layer,
        };
        let flex = index("flex", flexid, m.nflex)?;
        let found = sim::mj_ray_flex(m, d.read()?, flex, &parts, &pnt.array()?, &vec.array()?)?;
        vertid.set_optional([found.as_ref().map_or(-1, |hit| hit.vertex as i32)]);
        normal.set_optional(found.as_ref().map_or([0.0; 3], |hit| hit.normal));
        Ok(found.map_or(-1.0, |hit| hit.distance))
    }
    fn mju_raySkin(
        nface: i32, nvert: i32, face: In<'_, i32>, vert: In<'_, f32>, pnt: In<'_, f64>, vec: In<'_, f64>,
        vertid: Out<'_, i32>,
    ) -> f64 {
        let faces = face.list(3 * count(nface))?.as_chunks().0;
        let vertices = vert.list(3 * count(nvert))?.as_chunks().0;
        let found = sim::mju_ray_skin(faces, vertices, &pnt.array()?, &vec.array()?);
        vertid.set_optional([found.map_or(-1, |(_, vertex)| vertex as i32)]);
        Ok(found.map_or(-1.0, |(distance, _)| distance))
    }
}
