//! Boxes against boxes and against rays, by functions that the reference exports without declaring them in
//! its public headers.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::pointer::{In, Out};
use kinetree_collide::ray::{Ray, TriangleCaster};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::consts::MAXVAL;
use kinetree_model::{Data, Model};
use std::f64::consts::PI;

/// A box: centre and half sizes in a frame, and the place of the frame.
struct Oriented {
    aabb: [f64; 6],
    pos: [f64; 3],
    /// Normals of the faces in the world.
    normal: [[f64; 3]; 3],
}

impl Oriented {
    fn new(aabb: In<'_, f64>, pos: In<'_, f64>, mat: In<'_, f64>) -> Served<Self> {
        let mat: [f64; 9] = mat.optional_array()?.unwrap_or([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        Ok(Self {
            aabb: aabb.array()?,
            pos: pos.optional_array()?.unwrap_or_default(),
            normal: [0, 1, 2].map(|face| [0, 1, 2].map(|axis| mat[3 * axis + face])),
        })
    }

    /// Along which axes it has no end.
    fn infinite(&self) -> [bool; 3] {
        [0, 1, 2].map(|axis| self.aabb[3 + axis] >= MAXVAL)
    }
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// What is the same for all boxes in the same two frames: products of the normals of each frame with those of
/// each, and offsets of the frames along these.
type FrameProducts = ([f64; 36], [f64; 12]);

fn frame_products(boxes: [&Oriented; 2]) -> FrameProducts {
    let (mut product, mut offset) = ([0.0; 36], [0.0; 12]);
    for (i, own) in boxes.iter().enumerate() {
        for (j, other) in boxes.iter().enumerate() {
            for (k, axis) in other.normal.iter().enumerate() {
                for (l, normal) in own.normal.iter().enumerate() {
                    product[18 * i + 9 * j + 3 * k + l] = dot(normal, axis);
                }
                offset[6 * i + 3 * j + k] = dot(&own.pos, axis);
            }
        }
    }
    (product, offset)
}

/// Whether no face of one of two boxes separates them by more than a margin.
fn boxes_meet(boxes: [&Oriented; 2], margin: f64, (product, offset): &FrameProducts) -> bool {
    let infinite = boxes.map(Oriented::infinite);
    if infinite.iter().any(|axes| axes.iter().all(|&axis| axis)) {
        return true;
    }
    for j in 0..2 {
        if infinite[1 - j].contains(&true) {
            continue;
        }
        for k in 0..3 {
            let [first, second] = [0, 1].map(|i| {
                let along = &product[18 * i + 9 * j + 3 * k..][..3];
                let size = &boxes[i].aabb;
                let centre = (0..3).map(|l| size[l] * along[l]).sum::<f64>() + offset[6 * i + 3 * j + k];
                (centre, (0..3).map(|l| (size[3 + l] * along[l]).abs()).sum::<f64>())
            });
            if first.1 + second.1 + margin < (second.0 - first.0).abs() {
                return false;
            }
        }
    }
    true
}

/// Bounds that exclude no direction: azimuth and elevation.
const ALL_DIRECTIONS: [f64; 4] = [-PI, 0.0, PI, PI];

/// Bounds of azimuth and elevation under which a point sees the box of a geom.
fn angles(m: &Model, d: &Data, geom: usize, point: &Vec3) -> [f64; 4] {
    let (aabb, pos, mat) = (&m.geom_aabb[geom], Vec3::from(d.geom_xpos[geom]), mat3(&d.geom_xmat[geom]));
    let (centre, half) = (Vec3::new(aabb[0], aabb[1], aabb[2]), Vec3::new(aabb[3], aabb[4], aabb[5]));
    let inside = mat.transpose() * (point - pos) - centre;
    if (0..3).all(|axis| inside[axis].abs() <= half[axis]) {
        return ALL_DIRECTIONS;
    }
    let mut bounds = [MAXVAL, MAXVAL, -MAXVAL, -MAXVAL];
    for corner in 0..8 {
        let sign = |axis: i32| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
        let corner = centre + half.component_mul(&Vec3::new(sign(0), sign(1), sign(2)));
        let towards = mat * corner + pos - point;
        let angles = [towards.y.atan2(towards.x), towards.x.hypot(towards.y).atan2(towards.z)];
        for (k, angle) in angles.into_iter().enumerate() {
            bounds[k] = bounds[k].min(angle);
            bounds[2 + k] = bounds[2 + k].max(angle);
        }
    }
    // faces may bulge beyond the corners as they are seen
    let distance = (point - pos).norm();
    if distance > kinetree_math::MINVAL {
        let bulge = half.max().atan2(distance);
        bounds = [bounds[0] - bulge, bounds[1] - bulge, bounds[2] + bulge, bounds[3] + bulge];
    }
    // azimuth jumps behind the point
    if bounds[2] - bounds[0] > PI || bounds[3] - bounds[1] > PI { ALL_DIRECTIONS } else { bounds }
}

export! {
    fn mj_collideOBB(
        aabb1: In<'_, f64>, aabb2: In<'_, f64>, xpos1: In<'_, f64>, xmat1: In<'_, f64>, xpos2: In<'_, f64>,
        xmat2: In<'_, f64>, margin: f64, product: Out<'_, f64>, offset: Out<'_, f64>, initialize: Out<'_, u8>,
    ) -> i32 {
        let boxes = [Oriented::new(aabb1, xpos1, xmat1)?, Oriented::new(aabb2, xpos2, xmat2)?];
        let boxes = [&boxes[0], &boxes[1]];
        if product.is_null() || offset.is_null() {
            return Ok(i32::from(boxes_meet(boxes, margin, &frame_products(boxes))));
        }
        let [first_time] = initialize.array()?;
        if first_time != 0 {
            let (products, offsets) = frame_products(boxes);
            product.set(products)?;
            offset.set(offsets)?;
            initialize.set([0])?;
        }
        Ok(i32::from(boxes_meet(boxes, margin, &(product.array()?, offset.array()?))))
    }
    fn mju_multiRayPrepare(
        m: ModelPtr<'_>, d: DataPtr<'_>, pnt: In<'_, f64>, ray_xmat: In<'_, f64>, geomgroup: In<'_, u8>, flg_static: u8,
        bodyexclude: i32, cutoff: f64, geom_ba: Out<'_, f64>, geom_eliminate: Out<'_, i32>,
    ) {
        if !ray_xmat.is_null() {
            return fault("mju_multiRayPrepare: ray_xmat is not used and must be NULL");
        }
        let filter = super::rays::filter(geomgroup, flg_static, bodyexclude)?;
        let (m, d, point) = (m.get()?, d.read()?, Vec3::from(pnt.array::<3>()?));
        let (bounds, eliminated) = (geom_ba.list(4 * m.ngeom)?, geom_eliminate.list(m.ngeom)?);
        for geom in 0..m.ngeom {
            eliminated[geom] = i32::from(filter.rejects(m, geom));
            // without a bounding volume nothing is known
            let known = m.body_bvhadr[m.geom_bodyid[geom] as usize] != -1;
            if eliminated[geom] != 0 || !known {
                continue;
            }
            if (Vec3::from(d.geom_xpos[geom]) - point).norm() > cutoff + m.geom_rbound[geom] {
                eliminated[geom] = 1;
                continue;
            }
            bounds[4 * geom..4 * geom + 4].copy_from_slice(&angles(m, d, geom, &point));
        }
        Ok(())
    }
    fn ray_triangle(
        v: In<'_, f64>, lpnt: In<'_, f64>, lvec: In<'_, f64>, b0: In<'_, f64>, b1: In<'_, f64>, normal: Out<'_, f64>,
    ) -> f64 {
        normal.set_optional([0.0; 3]);
        let [x0, y0, z0, x1, y1, z1, x2, y2, z2] = v.array()?;
        let triangle = [Vec3::new(x0, y0, z0), Vec3::new(x1, y1, z1), Vec3::new(x2, y2, z2)];
        let ray = Ray { origin: Vec3::from(lpnt.array::<3>()?), direction: Vec3::from(lvec.array::<3>()?) };
        let basis = [Vec3::from(b0.array::<3>()?), Vec3::from(b1.array::<3>()?)];
        let Some(distance) = TriangleCaster::with_basis(&ray, basis).line_distance(&triangle) else {
            return Ok(-1.0);
        };
        normal.set_optional(TriangleCaster::normal(&triangle).into());
        Ok(distance)
    }
}
