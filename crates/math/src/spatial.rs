//! Spatial (6D) vectors and inertias.
//!
//! Motions are `[angular, linear]` and forces `[torque, force]`, both about a common reference point with
//! global axes (MuJoCo takes the centre of mass of the kinematic tree). An inertia is ten numbers `[xx, yy,
//! zz, xy, xz, yz, mx, my, mz, m]`: the rotational inertia about the reference point, mass times the offset
//! of the centre of mass, and mass; they stand for `[[I, [mc]×], [−[mc]×, m 1]]`. See Featherstone, "Rigid
//! Body Dynamics Algorithms", chapter 2.

use crate::lanes3::{after3, cross3, load3, next3, turned_cross3};
use crate::{Mat3, Vec3};
use wide::f64x4;

/// Spatial motion or force: angular part first.
pub type Vec6 = [f64; 6];
/// Spatial inertia about a reference point, ten numbers.
pub type Inertia = [f64; 10];

/// Angular part (or torque) of a spatial vector.
#[inline]
#[must_use]
pub fn angular(v: &Vec6) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

/// Linear part (or force) of a spatial vector.
#[inline]
#[must_use]
pub fn linear(v: &Vec6) -> Vec3 {
    Vec3::new(v[3], v[4], v[5])
}

/// Spatial vector from its angular and linear parts.
#[inline]
#[must_use]
pub fn vec6(angular: &Vec3, linear: &Vec3) -> Vec6 {
    [angular.x, angular.y, angular.z, linear.x, linear.y, linear.z]
}

/// Scalar product of a motion and a force: power.
#[inline]
#[must_use]
pub fn dot6(a: &Vec6, b: &Vec6) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]
}

/// Sum of two spatial vectors.
#[inline]
#[must_use]
pub fn add6(a: &Vec6, b: &Vec6) -> Vec6 {
    core::array::from_fn(|i| a[i] + b[i])
}

/// Difference of two spatial vectors.
#[inline]
#[must_use]
pub fn sub6(a: &Vec6, b: &Vec6) -> Vec6 {
    core::array::from_fn(|i| a[i] - b[i])
}

/// Spatial vector times a number.
#[inline]
#[must_use]
pub fn scale6(a: &Vec6, s: f64) -> Vec6 {
    core::array::from_fn(|i| a[i] * s)
}

/// Adds `s v` to `acc`.
#[inline]
pub fn add_scaled6(acc: &mut Vec6, v: &Vec6, s: f64) {
    for i in 0..6 {
        acc[i] += v[i] * s;
    }
}

/// Adds `v` to `acc`.
#[inline]
pub fn add_to6(acc: &mut Vec6, v: &Vec6) {
    for i in 0..6 {
        acc[i] += v[i];
    }
}

/// Adds inertia `b` to `acc`; both must be about the same reference point.
#[inline]
pub fn add_inert(acc: &mut Inertia, b: &Inertia) {
    for i in 0..10 {
        acc[i] += b[i];
    }
}

/// Angular and linear part in lanes.
#[inline(always)]
#[must_use]
pub fn parts(v: &Vec6) -> (f64x4, f64x4) {
    let (first, last) = halves(v);
    let [x, a, b, c] = last.to_array();
    (first, f64x4::new([a, b, c, x]))
}

/// The first four and the last four numbers.
#[inline(always)]
fn halves(v: &Vec6) -> (f64x4, f64x4) {
    let lane = |v: Option<&[f64; 4]>| v.map_or(f64x4::ZERO, |v| f64x4::new(*v));
    (lane(v.first_chunk()), lane(v.last_chunk()))
}

/// Spatial vector from its parts in lanes.
#[inline(always)]
fn joined(angular: f64x4, linear: f64x4) -> Vec6 {
    let ([a, b, c, _], [d, e, f, _]) = (angular.to_array(), linear.to_array());
    [a, b, c, d, e, f]
}

/// Motion cross product `v × m`: rate of change of motion `m` that moves along with velocity `v`.
#[inline]
#[must_use]
pub fn cross_motion(v: &Vec6, m: &Vec6) -> Vec6 {
    let ((turn, shift), (angular, linear)) = (parts(v), parts(m));
    let linear = turned_cross3(turn, linear) + turned_cross3(shift, angular);
    joined(cross3(turn, angular), next3(linear))
}

/// Force cross product `v ×* f`: rate of change of force `f` that moves along with velocity `v`.
#[inline]
#[must_use]
pub fn cross_force(v: &Vec6, f: &Vec6) -> Vec6 {
    let ((turn, shift), (torque, force)) = (parts(v), parts(f));
    let torque = turned_cross3(turn, torque) + turned_cross3(shift, force);
    joined(next3(torque), cross3(turn, force))
}

/// Spatial inertia of a body whose principal inertia is `diag`, with principal axes in the columns of `mat`
/// (global coordinates), mass `mass`, and centre of mass at `dif` from the reference point.
#[inline]
#[must_use]
pub fn inert_com(diag: &[f64; 3], mat: &Mat3, dif: &Vec3, mass: f64) -> Inertia {
    // factors of the entries (0, 1), (0, 2), (1, 2)
    let rows = |v: f64x4| {
        let [x, y, _, w] = v.to_array();
        f64x4::new([x, x, y, w])
    };
    let columns = |v: f64x4| {
        let [_, y, z, w] = v.to_array();
        f64x4::new([y, z, z, w])
    };
    // R diag Rᵀ: along the diagonal, and off it
    let term = |k: usize| {
        let axis = load3(&[mat[(0, k)], mat[(1, k)], mat[(2, k)]]);
        let scaled = axis * f64x4::splat(diag[k]);
        (axis * scaled, rows(axis) * columns(scaled))
    };
    let ((d0, o0), (d1, o1), (d2, o2)) = (term(0), term(1), term(2));
    let (d, o) = ((d0 + d1) + d2, (o0 + o1) + o2);
    // parallel axis theorem: add m (|c|² 1 − c cᵀ)
    let c = load3(&(*dif).into());
    let [xx, yy, zz, _] = (c * c).to_array();
    let others = load3(&[yy, xx, xx]) + load3(&[zz, zz, yy]);
    let moment = f64x4::splat(mass) * c;
    let [d0, d1, d2, _] = (d + f64x4::splat(mass) * others).to_array();
    let [o0, o1, o2, _] = (o - rows(moment) * columns(c)).to_array();
    let [x, y, z, _] = moment.to_array();
    [d0, d1, d2, o0, o1, o2, x, y, z, mass]
}

/// Inertia in lanes, for products with more than one vector.
#[derive(Clone, Copy, Debug)]
pub struct InertiaLanes {
    /// Columns of the rotational inertia.
    columns: [f64x4; 3],
    /// Mass times centre: its next components, and those after them.
    next: f64x4,
    after: f64x4,
    /// The same in the order in which they meet linear velocities in a torque, with their signs.
    first: f64x4,
    second: f64x4,
    mass: f64x4,
}

impl InertiaLanes {
    /// Lanes of an inertia.
    #[inline(always)]
    #[must_use]
    pub fn new(i: &Inertia) -> Self {
        // three overlapping lanes; numbers that fill up a lane are those that cost nothing
        let lane = |at: usize| i[at..].first_chunk::<4>().map_or(f64x4::ZERO, |v| f64x4::new(*v));
        let ([xx, yy, zz, _], [xy, xz, yz, rest]) = (lane(0).to_array(), lane(3).to_array());
        let [x, y, z, mass] = lane(6).to_array();
        let column = f64x4::new;
        Self {
            columns: [column([xx, xy, xz, xz]), column([xy, yy, yz, rest]), column([xz, yz, zz, rest])],
            next: f64x4::new([y, z, x, mass]),
            after: f64x4::new([z, x, y, mass]),
            first: f64x4::new([z, z, y, mass]) ^ f64x4::new([-0.0, 0.0, -0.0, 0.0]),
            second: f64x4::new([y, x, x, mass]) ^ f64x4::new([0.0, -0.0, 0.0, 0.0]),
            mass: f64x4::splat(mass),
        }
    }

    /// Angular and linear part of the product with a motion.
    #[inline(always)]
    #[must_use]
    pub fn mul(&self, v: &Vec6) -> (f64x4, f64x4) {
        let (turn, shift) = parts(v);
        let column = |k: usize| self.columns[k] * f64x4::splat(v[k]);
        let rotation = (column(0) + column(1)) + column(2);
        let [c, d, e, f] = halves(v).1.to_array();
        let torque = rotation + self.first * f64x4::new([e, d, d, c]);
        let torque = torque + self.second * f64x4::new([f, f, e, c]);
        let force = self.after * next3(turn) - self.next * after3(turn) + self.mass * shift;
        (torque, force)
    }

    /// Torque and force that keep up the velocity of a body, `v ×* I v`.
    #[inline(always)]
    #[must_use]
    pub fn velocity_force(&self, velocity: &Vec6) -> (f64x4, f64x4) {
        let ((torque, force), (turn, shift)) = (self.mul(velocity), parts(velocity));
        let cross = turned_cross3(turn, torque) + turned_cross3(shift, force);
        (next3(cross), cross3(turn, force))
    }

    /// Force on a body with an acceleration, and what its velocity takes: `I a + v ×* I v`.
    #[inline(always)]
    #[must_use]
    pub fn force(&self, acceleration: &Vec6, velocity_force: (f64x4, f64x4)) -> Vec6 {
        let (torque, force) = self.mul(acceleration);
        joined(torque + velocity_force.0, force + velocity_force.1)
    }
}

/// Inertia times motion: momentum (of a velocity) or force (of an acceleration).
#[inline]
#[must_use]
pub fn mul_inert_vec(i: &Inertia, v: &Vec6) -> Vec6 {
    // for one vector, lanes do not pay off
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Motion of a unit joint velocity: a rotation about `axis` when `offset` (reference point minus anchor) is
/// given, a translation along `axis` when it is not.
#[inline]
#[must_use]
pub fn dof_com(axis: &Vec3, offset: Option<&Vec3>) -> Vec6 {
    match offset {
        Some(offset) => vec6(axis, &axis.cross(offset)),
        None => vec6(&Vec3::zeros(), axis),
    }
}

/// Sum of joint motions weighted by joint velocities, `Σ dofᵢ velᵢ`; the shorter slice decides how many.
#[inline]
#[must_use]
pub fn mul_dof_vec(dof: &[Vec6], vel: &[f64]) -> Vec6 {
    if let ([axis], [rate, ..]) = (dof, vel) {
        return scale6(axis, *rate);
    }
    let mut sum = [0.0; 6];
    for (axis, &rate) in dof.iter().zip(vel) {
        add_scaled6(&mut sum, axis, rate);
    }
    sum
}

/// What a spatial vector is, which decides how a change of reference point acts on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpatialKind {
    /// Velocity or acceleration.
    Motion,
    /// Force, or momentum.
    Force,
}

/// Moves a spatial vector from reference point `old_pos` to `new_pos` (both in old axes), then into the axes
/// that are the columns of `new_axes`, if given.
#[inline]
#[must_use]
pub fn transform_spatial(
    v: &Vec6,
    kind: SpatialKind,
    new_pos: &Vec3,
    old_pos: &Vec3,
    new_axes: Option<&Mat3>,
) -> Vec6 {
    let dif = new_pos - old_pos;
    let (mut ang, mut lin) = (angular(v), linear(v));
    match kind {
        SpatialKind::Force => ang -= dif.cross(&lin),
        SpatialKind::Motion => lin -= dif.cross(&ang),
    }
    match new_axes {
        Some(axes) => vec6(&mul_transposed(axes, &ang), &mul_transposed(axes, &lin)),
        None => vec6(&ang, &lin),
    }
}

/// `mᵀ v` with a fixed order of summation.
#[inline]
fn mul_transposed(m: &Mat3, v: &Vec3) -> Vec3 {
    Vec3::new(
        m.m11 * v.x + m.m21 * v.y + m.m31 * v.z,
        m.m12 * v.x + m.m22 * v.y + m.m32 * v.z,
        m.m13 * v.x + m.m23 * v.y + m.m33 * v.z,
    )
}
