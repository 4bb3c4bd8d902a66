//! Reflections: the world behind a plane or the upper face of a box.
//!
//! The mirror image is drawn first, and the mirror's own light is added to it. A stencil keeps the image
//! within the mirror, unless it cannot leave it anyway: the floor under a robot reaches further than that.

use super::bounds::Sphere;
use super::list::{DrawList, ListSource};
use super::pipeline::{Blend, Mapping, PipelineKey, Shading, Stage};
use super::view::Mirror;
use crate::scene::MjvGeom;
use kinetree_model::enums::GeomType;
use nalgebra::{Matrix3, Vector3};

/// Where a geom is relative to a mirror.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Across,
    Behind,
}

impl ListSource<'_> {
    /// Whether a geom is a mirror.
    pub(super) fn is_reflective(&self, geom: &MjvGeom) -> bool {
        let kind = geom.type_ == GeomType::Plane as i32 || geom.type_ == GeomType::Box as i32;
        kind && geom.reflectance > 0.0 && !self.is_transparent(geom)
    }

    /// The world behind the mirror that is geom `index`, within its stencil where it needs one.
    pub(super) fn mirror_image(&self, list: &mut DrawList, index: usize, transparent: &[usize]) {
        let mut plane = self.scene.geoms[index];
        let normal = axes(&plane)[2];
        if plane.type_ == GeomType::Box as i32 {
            // the upper face reflects
            plane.type_ = GeomType::Plane as i32;
            plane.dataid = -1;
            plane.pos = (Vector3::from(plane.pos) + plane.size[2] * normal).into();
        }
        if self.is_behind(plane.pos.into(), normal) {
            return;
        }
        let mirror = Mirror { pos: plane.pos.into(), normal };
        if !self.stays_within(&plane, index) {
            self.push_stencil(list, &plane);
        }
        let key = PipelineKey { mirrored: true, ..self.key(Stage::Color, Blend::Replace, 0) };
        let mut entries = Vec::new();
        for (i, geom) in self.scene.geoms.iter().enumerate() {
            let side = side(geom, &mirror);
            if i != index && !self.is_transparent(geom) && side != Side::Behind {
                let key = PipelineKey { clipped: side == Side::Across, ..key };
                self.add(&mut entries, geom, key, plane.reflectance);
            }
        }
        list.push_sorted(&mut entries);
        self.push_transparent(list, transparent, Some(index), plane.reflectance);
        list.mirror = Some(mirror);
    }

    /// Marks where the mirror is.
    fn push_stencil(&self, list: &mut DrawList, plane: &MjvGeom) {
        let mut entries = Vec::new();
        let key = PipelineKey { outline: false, ..self.key(Stage::Stencil, Blend::Replace, 0) };
        self.add(&mut entries, plane, key, 1.0);
        for entry in &mut entries {
            entry.texture = None;
            entry.key = PipelineKey { mapping: Mapping::None, shading: Shading::Plain, ..entry.key };
        }
        list.push_in_order(&entries);
        list.stencil = true;
    }

    /// Whether all mirror images are seen through the mirror alone.
    ///
    /// The line of sight to a point behind the mirror crosses it at a point that moves along straight lines
    /// when the first does: it is enough to look at corners of convex bounds, the mirror being convex itself.
    fn stays_within(&self, plane: &MjvGeom, index: usize) -> bool {
        if !self.lens.as_ref().is_some_and(|lens| lens.perspective) {
            return false;
        }
        let [rx, ry] = match usize::try_from(plane.dataid).ok().and_then(|id| self.assets.grids.get(id)) {
            Some(grid) => [&grid.x, &grid.y].map(|lines| lines.last().copied().unwrap_or(0.0)),
            None => [plane.size[0], plane.size[1]],
        };
        let axes = axes(plane);
        let to_plane = Matrix3::from_columns(&axes).transpose();
        let local = |p: Vector3<f32>| to_plane * (p - Vector3::from(plane.pos));
        let head = local(self.head);
        let seen_within = |corner: Vector3<f32>| {
            let mut p = local(corner);
            // what is below is cut off
            p.z = p.z.max(0.0);
            let at = head + (p - head) * (head.z / (head.z + p.z));
            at.x.abs() <= rx && at.y.abs() <= ry
        };
        let mut others = self.scene.geoms.iter().enumerate().filter(|&(i, _)| i != index);
        others.all(|(_, geom)| {
            Sphere::around(geom).is_some_and(|sphere| {
                local(sphere.pos).z < -sphere.radius || sphere.corners(axes).all(seen_within)
            })
        })
    }
}

/// The axes of a geom.
fn axes(geom: &MjvGeom) -> [Vector3<f32>; 3] {
    [0, 1, 2].map(|k| Vector3::new(geom.mat[k], geom.mat[3 + k], geom.mat[6 + k]))
}

fn side(geom: &MjvGeom, mirror: &Mirror) -> Side {
    let Some(sphere) = Sphere::around(geom) else { return Side::Across };
    match (sphere.pos - mirror.pos).dot(&mirror.normal) {
        height if height >= sphere.radius => Side::Front,
        height if height < -sphere.radius => Side::Behind,
        _ => Side::Across,
    }
}
