//! Contacts whose motion has no closed form: centred differences of the narrow phase of one pair of geoms.
//!
//! The second geom is moved and turned a little relative to the first, about the contact, and the narrow
//! phase runs again with tight tolerances. Two sizes must agree, and the number of points must not change:
//! where they do not, surfaces have a kink there and the contact is refused.

use super::contact_motion::{ContactChange, SideMotion};
use crate::contact::{ccd_settings, geom_pose, geom_shape};
use kinetree_collide::{CcdScratch, CcdSettings, ContactPoint, Pose, collide};
use kinetree_math::rot::{axis_angle_to_quat, quat_to_mat};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::EnableBit;
use kinetree_model::{Contact, Data, Model};

/// Sizes of the two differences (rad, and relative to the size of the smaller geom).
const SIZES: [f64; 2] = [1e-6, 3e-6];
/// How well they must agree, relative to the largest change.
const AGREEMENT: f64 = 1e-4;

/// Working memory.
#[derive(Default)]
pub(super) struct NarrowDifferences {
    ccd: CcdScratch,
    points: [Vec<ContactPoint>; 3],
}

/// Changes of a contact with three translations and three rotations of its second side about a point.
pub(super) type Columns = [ContactChange; 6];

impl NarrowDifferences {
    /// Changes of contact `index` with motions of its second side about `pivot`; `None` where there is a
    /// kink.
    pub(super) fn columns(
        &mut self,
        model: &Model,
        data: &Data,
        index: usize,
        pivot: &Vec3,
    ) -> Option<Columns> {
        let contact = &data.contact[index];
        let geoms = [usize::try_from(contact.geom[0]).ok()?, usize::try_from(contact.geom[1]).ok()?];
        let before =
            data.contact[..index].iter().rev().take_while(|other| other.geom == contact.geom).count();
        let poses = geoms.map(|geom| geom_pose(data, geom));
        let pair = Pair { model, geoms, margin: margin(model, geoms), pivot: *pivot };
        pair.find(&poses[0], &poses[1], &mut self.ccd, &mut self.points[0]);
        let here = *self.points[0].get(before)?;
        let scale = model.geom_rbound[geoms[1]].min(model.geom_rbound[geoms[0]]).max(1e-3);
        let scale = if scale.is_finite() { scale } else { 1.0 };
        if !is_near(&here, contact, scale) {
            return None;
        }
        let [fine, coarse] = SIZES.map(|size| self.differences(&pair, &poses, before, size, scale));
        let (fine, coarse) = (fine?, coarse?);
        agree(&fine, &coarse, scale).then_some(fine)
    }

    fn differences(
        &mut self,
        pair: &Pair<'_>,
        poses: &[Pose; 2],
        at: usize,
        size: f64,
        scale: f64,
    ) -> Option<Columns> {
        let [base, plus, minus] = &mut self.points;
        let mut columns = [ContactChange::default(); 6];
        for (k, column) in columns.iter_mut().enumerate() {
            let by = if k < 3 { size * scale } else { size };
            pair.find(&poses[0], &pair.moved(&poses[1], k, by), &mut self.ccd, plus);
            pair.find(&poses[0], &pair.moved(&poses[1], k, -by), &mut self.ccd, minus);
            if plus.len() != base.len() || minus.len() != base.len() {
                return None;
            }
            let (p, m) = (&plus[at], &minus[at]);
            *column = ContactChange {
                normal: (p.normal - m.normal) / (2.0 * by),
                point: (p.pos - m.pos) / (2.0 * by),
                distance: (p.dist - m.dist) / (2.0 * by),
            };
        }
        Some(columns)
    }
}

/// Two geoms, and the point about which the second is turned.
struct Pair<'a> {
    model: &'a Model,
    geoms: [usize; 2],
    margin: f64,
    pivot: Vec3,
}

impl Pair<'_> {
    fn find(&self, first: &Pose, second: &Pose, ccd: &mut CcdScratch, out: &mut Vec<ContactPoint>) {
        out.clear();
        let [a, b] = self.geoms.map(|geom| geom_shape(self.model, geom));
        let (Some(a), Some(b)) = (&a, &b) else { return };
        let settings = CcdSettings { tolerance: 1e-14, max_iterations: 500, ..ccd_settings(self.model) };
        collide(a, first, b, second, self.margin, &settings, ccd, out);
    }

    /// The pose after a translation (0 to 2) or rotation (3 to 5) along a world axis.
    fn moved(&self, pose: &Pose, k: usize, by: f64) -> Pose {
        let mut axis = Vec3::zeros();
        axis[k % 3] = 1.0;
        if k < 3 {
            return Pose { pos: pose.pos + axis * by, mat: pose.mat };
        }
        let turn: Mat3 = quat_to_mat(&axis_angle_to_quat(&axis, by));
        Pose { pos: self.pivot + turn * (pose.pos - self.pivot), mat: turn * pose.mat }
    }
}

/// Margin of a pair of geoms.
fn margin(model: &Model, [a, b]: [usize; 2]) -> f64 {
    if model.enabled(EnableBit::Override) {
        return model.opt.o_margin;
    }
    let explicit = (0..model.npair).find(|&pair| {
        let found = [model.pair_geom1[pair] as usize, model.pair_geom2[pair] as usize];
        found == [a, b] || found == [b, a]
    });
    explicit.map_or(model.geom_margin[a] + model.geom_margin[b], |pair| model.pair_margin[pair])
}

/// Whether a point is that of a contact, up to the tolerance of the search that found it.
fn is_near(point: &ContactPoint, contact: &Contact, scale: f64) -> bool {
    (point.pos - Vec3::from(contact.pos)).norm() < 1e-3 * scale
        && point.normal.dot(&Vec3::new(contact.frame[0], contact.frame[1], contact.frame[2])) > 1.0 - 1e-6
}

fn agree(fine: &Columns, coarse: &Columns, scale: f64) -> bool {
    let (mut apart, mut largest) = (0.0f64, 1.0f64);
    for (a, b) in fine.iter().zip(coarse) {
        apart = apart
            .max((a.point - b.point).norm())
            .max((a.normal - b.normal).norm() * scale)
            .max((a.distance - b.distance).abs());
        largest = largest.max(a.point.norm()).max(a.normal.norm() * scale);
    }
    apart <= AGREEMENT * largest
}

/// The motion of a contact when its sides move, the second about `pivot`: rigidly with the first side, and by
/// what the second does relative to it.
pub(super) fn combine(
    columns: &Columns,
    normal: &Vec3,
    pos: &Vec3,
    witness: &[Vec3; 2],
    sides: &[SideMotion; 2],
) -> ContactChange {
    let carried = |place: &Vec3| sides[0].velocity + sides[0].turn.cross(&(place - witness[0]));
    let velocity = sides[1].velocity - carried(&witness[1]);
    let turn = sides[1].turn - sides[0].turn;
    let mut out = ContactChange { normal: sides[0].turn.cross(normal), point: carried(pos), distance: 0.0 };
    for (k, column) in columns.iter().enumerate() {
        let by = if k < 3 { velocity[k] } else { turn[k - 3] };
        out.normal += column.normal * by;
        out.point += column.point * by;
        out.distance += column.distance * by;
    }
    out
}
