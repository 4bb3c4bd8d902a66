//! Bounding spheres of geoms, and the part of a view that they cover.

use crate::scene::MjvGeom;
use kinetree_model::enums::GeomType;
use nalgebra::{Matrix4, Vector3};

/// Radius of the head of an arrow, relative to its shaft, rounded up.
const ARROW_HEAD: f32 = 2.0;

/// A sphere that holds all shapes of a geom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sphere {
    pub(super) pos: Vector3<f32>,
    pub(super) radius: f32,
}

impl Sphere {
    /// The sphere around a geom, `None` for planes and for surfaces that the geom does not describe.
    pub(super) fn around(geom: &MjvGeom) -> Option<Self> {
        let [x, y, z] = geom.size;
        let wide = x.max(y);
        let radius = match GeomType::try_from(geom.type_).ok()? {
            GeomType::Plane | GeomType::Hfield | GeomType::Flex | GeomType::Skin => return None,
            GeomType::Mesh | GeomType::Sdf if geom.modelrbound <= 0.0 => return None,
            GeomType::Mesh | GeomType::Sdf => geom.modelrbound,
            GeomType::Sphere | GeomType::Ellipsoid => wide.max(z),
            GeomType::Capsule => wide + z,
            GeomType::Cylinder | GeomType::Box | GeomType::Linebox | GeomType::Triangle => {
                Vector3::new(x, y, z).norm()
            }
            GeomType::Arrow | GeomType::Arrow1 | GeomType::Arrow2 => ARROW_HEAD * wide + z,
            GeomType::Line => z,
            GeomType::Label | GeomType::None => 0.0,
        };
        radius.is_finite().then_some(Self { pos: geom.pos.into(), radius })
    }

    /// Corners of the cube around the sphere, along the given axes.
    pub(super) fn corners(&self, axes: [Vector3<f32>; 3]) -> impl Iterator<Item = Vector3<f32>> {
        let Self { pos, radius } = *self;
        (0..8).map(move |bits: u32| {
            (0..3).fold(pos, |at, k| at + if bits >> k & 1 == 0 { -radius } else { radius } * axes[k])
        })
    }
}

/// A rectangle in clip space, where a picture reaches from −1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClipRect {
    pub(super) min: [f32; 2],
    pub(super) max: [f32; 2],
}

impl ClipRect {
    /// Around spheres that a projection sees; `None` where one of them reaches behind the eye.
    pub(super) fn around(spheres: &[Sphere], projection: &Matrix4<f32>) -> Option<Self> {
        let mut rect = Self { min: [f32::MAX; 2], max: [f32::MIN; 2] };
        for corner in spheres.iter().flat_map(|s| s.corners([Vector3::x(), Vector3::y(), Vector3::z()])) {
            let p = projection * corner.push(1.0);
            if p.w <= f32::EPSILON {
                return None;
            }
            for k in 0..2 {
                rect.min[k] = rect.min[k].min(p[k] / p.w);
                rect.max[k] = rect.max[k].max(p[k] / p.w);
            }
        }
        Some(rect)
    }
}
