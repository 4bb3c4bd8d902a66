//! The frame of a contact: its axes, components along them, and how it rotates.

use kinetree_collide::ContactPoint;
use kinetree_math::Vec3;
use kinetree_model::enums::GeomType;
use kinetree_model::{Contact, Data, Model};
use std::ops::Range;

/// Values along the axes of a contact frame.
pub(crate) type FrameVector = [f64; 6];

/// Axes of a contact frame.
pub(crate) fn axes(contact: &Contact) -> [Vec3; 3] {
    [0, 3, 6].map(|k| Vec3::new(contact.frame[k], contact.frame[k + 1], contact.frame[k + 2]))
}

/// Components of a relative motion along the axes, translation then rotation.
#[inline]
pub(crate) fn components(axes: &[Vec3; 3], translation: &Vec3, rotation: &Vec3, dim: usize) -> FrameVector {
    let mut out = [0.0; 6];
    for k in 0..dim {
        out[k] = axes[k % 3].dot(if k < 3 { translation } else { rotation });
    }
    out
}

/// The vectors whose components along the axes are given: force and torque.
#[inline]
pub(crate) fn vectors(axes: &[Vec3; 3], values: &FrameVector) -> (Vec3, Vec3) {
    (
        axes[0] * values[0] + axes[1] * values[1] + axes[2] * values[2],
        axes[0] * values[3] + axes[1] * values[4] + axes[2] * values[5],
    )
}

/// The rotation of a contact frame, given how its normal moves and the direction `y` that its first tangent
/// is made from: `y − n (n·y)`, normalized.
pub(crate) fn frame_rotation(n: &Vec3, tangents: &[Vec3; 2], y: &Vec3, y_rate: &Vec3, dn: &Vec3) -> Vec3 {
    let length = (y - n * n.dot(y)).norm().max(kinetree_math::MINVAL);
    let spin = (tangents[1].dot(y_rate) - tangents[1].dot(dn) * n.dot(y)) / length;
    n.cross(dn) + n * spin
}

/// The direction that the first tangent of a contact frame is made from, and the side it is fixed to.
pub(crate) fn frame_reference(
    model: &Model,
    data: &Data,
    geoms: [usize; 2],
    normal: &Vec3,
) -> (Vec3, Option<usize>) {
    if model.geom_type[geoms[0]] == GeomType::Plane && model.geom_type[geoms[1]] == GeomType::Capsule {
        let mat = &data.geom_xmat[geoms[1]];
        return (Vec3::new(mat[2], mat[5], mat[8]), Some(1));
    }
    let y = if normal.y < 0.5 && normal.y > -0.5 { Vec3::y() } else { Vec3::z() };
    (y, None)
}

/// What a search says of a contact.
pub(crate) fn point_of(contact: &Contact) -> ContactPoint {
    let [x, y, z, ..] = contact.frame;
    let (pos, normal) = (Vec3::from(contact.pos), Vec3::new(x, y, z));
    ContactPoint { dist: contact.dist, pos, normal, tangent: Vec3::zeros() }
}

/// The contacts of the pair of geoms of a contact: what one search has found is stored together.
pub(crate) fn of_same_pair(data: &Data, id: usize) -> Range<usize> {
    let pair = data.contact[id].geom;
    let (before, after) = data.contact[..data.ncon].split_at(id);
    let same = |contact: &&Contact| contact.geom == pair;
    let (first, rest) = (before.iter().rev().take_while(same).count(), after.iter().take_while(same).count());
    id - first..id + rest
}
