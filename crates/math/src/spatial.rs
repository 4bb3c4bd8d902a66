//! Spatial (6D) vectors and inertias.
//!
//! Motions are `[angular, linear]` and forces `[torque, force]`, both about a common reference point with
//! global axes (MuJoCo takes the centre of mass of the kinematic tree). An inertia is ten numbers `[xx, yy,
//! zz, xy, xz, yz, mx, my, mz, m]`: the rotational inertia about the reference point, mass times the offset
//! of the centre of mass, and mass; they stand for `[[I, [mc]×], [−[mc]×, m 1]]`. See Featherstone, "Rigid
//! Body Dynamics Algorithms", chapter 2.
//!
//! ```
//! use kinetree_math::Vec3;
//! use kinetree_math::spatial::{dot6, vec6};
//!
//! // power of a force and a torque: torque times angular velocity plus force times velocity
//! let motion = vec6(&Vec3::new(0.0, 0.0, 2.0), &Vec3::new(1.0, 0.0, 0.0));
//! let force = vec6(&Vec3::new(0.0, 0.0, 3.0), &Vec3::new(4.0, 0.0, 0.0));
//! assert_eq!(dot6(&motion, &force), 10.0);
//! ```

use crate::lanes3::{after3, cross3, next3, permuted_cross3};
use crate::real::{Components, Real};
use crate::{Mat3, Vec3};

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
pub fn dot6<T: Real>(a: &[T; 6], b: &[T; 6]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]
}

/// Sum of two spatial vectors.
#[inline]
#[must_use]
pub fn add6<T: Real>(a: &[T; 6], b: &[T; 6]) -> [T; 6] {
    core::array::from_fn(|i| a[i] + b[i])
}

/// Difference of two spatial vectors.
#[inline]
#[must_use]
pub fn sub6<T: Real>(a: &[T; 6], b: &[T; 6]) -> [T; 6] {
    core::array::from_fn(|i| a[i] - b[i])
}

/// Spatial vector times a number.
#[inline]
#[must_use]
pub fn scale6<T: Real>(a: &[T; 6], s: T) -> [T; 6] {
    core::array::from_fn(|i| a[i] * s)
}

/// Adds `s v` to `acc`.
#[inline]
pub fn add_scaled6<T: Real>(acc: &mut [T; 6], v: &[T; 6], s: T) {
    for i in 0..6 {
        acc[i] += v[i] * s;
    }
}

/// Adds `v` to `acc`.
#[inline]
pub fn add_to6<T: Real>(acc: &mut [T; 6], v: &[T; 6]) {
    for i in 0..6 {
        acc[i] += v[i];
    }
}

/// Adds inertia `b` to `acc`; both must be about the same reference point.
#[inline]
pub fn add_inert<T: Real>(acc: &mut [T; 10], b: &[T; 10]) {
    for i in 0..10 {
        acc[i] += b[i];
    }
}

/// Spatial vector from its angular and linear parts.
#[inline(always)]
#[must_use]
pub fn join_parts<V: Components<3>>(angular: V, linear: V) -> [V::Scalar; 6] {
    let ([a, b, c], [d, e, f]) = (angular.store(), linear.store());
    [a, b, c, d, e, f]
}

/// Motion cross product `v × m`: rate of change of motion `m` that moves along with velocity `v`.
#[inline]
#[must_use]
pub fn cross_motion<T: Real>(v: &[T; 6], m: &[T; 6]) -> [T; 6] {
    let ((spin, shift), (angular, linear)) = (T::parts(v), T::parts(m));
    let linear = permuted_cross3(spin, linear) + permuted_cross3(shift, angular);
    join_parts(cross3(spin, angular), next3(linear))
}

/// Force cross product `v ×* f`: rate of change of force `f` that moves along with velocity `v`.
#[inline]
#[must_use]
pub fn cross_force<T: Real>(v: &[T; 6], f: &[T; 6]) -> [T; 6] {
    let ((spin, shift), (torque, force)) = (T::parts(v), T::parts(f));
    let torque = permuted_cross3(spin, torque) + permuted_cross3(shift, force);
    join_parts(next3(torque), cross3(spin, force))
}

/// Spatial inertia of a body whose principal inertia is `diag`, with principal axes in the columns of the
/// row-major `mat` (global coordinates), mass `mass`, and centre of mass at `offset` from the reference
/// point.
#[inline]
#[must_use]
pub fn inert_com<T: Real>(diag: &[f64; 3], mat: &[T; 9], offset: T::Vec3, mass: f64) -> [T; 10] {
    // factors of the entries (0, 1), (0, 2), (1, 2)
    let rows = |v: T::Vec3| v.permuted([0, 0, 1]);
    let columns = |v: T::Vec3| v.permuted([1, 2, 2]);
    // R diag Rᵀ: along the diagonal, and off it
    let term = |k: usize| {
        let axis = T::Vec3::load(&[mat[k], mat[3 + k], mat[6 + k]]);
        let scaled = axis * T::Vec3::splat(T::splat(diag[k]));
        (axis * scaled, rows(axis) * columns(scaled))
    };
    let ((d0, o0), (d1, o1), (d2, o2)) = (term(0), term(1), term(2));
    let (d, o) = ((d0 + d1) + d2, (o0 + o1) + o2);
    // parallel axis theorem: add m (|c|² 1 − c cᵀ)
    let squares = offset * offset;
    let others = squares.permuted([1, 0, 0]) + squares.permuted([2, 2, 1]);
    let mass = T::splat(mass);
    let moment = T::Vec3::splat(mass) * offset;
    let [d0, d1, d2] = (d + T::Vec3::splat(mass) * others).store();
    let [o0, o1, o2] = (o - rows(moment) * columns(offset)).store();
    let [x, y, z] = moment.store();
    [d0, d1, d2, o0, o1, o2, x, y, z, mass]
}

/// Inertia laid out by columns, for products with more than one vector.
#[derive(Clone, Copy, Debug)]
pub struct InertiaColumns<T: Real> {
    /// Columns of the rotational inertia.
    columns: [T::Vec3; 3],
    /// Mass times centre: its next components, and those after them.
    next: T::Vec3,
    after: T::Vec3,
    /// The same in the order in which they meet linear velocities in a torque, with their signs.
    first: T::Vec3,
    second: T::Vec3,
    mass: T,
}

impl<T: Real> InertiaColumns<T> {
    /// Columns of an inertia.
    #[inline(always)]
    #[must_use]
    pub fn new(i: &[T; 10]) -> Self {
        let [xx, yy, zz, xy, xz, yz, x, y, z, mass] = *i;
        let column = T::Vec3::load;
        Self {
            columns: [column(&[xx, xy, xz]), column(&[xy, yy, yz]), column(&[xz, yz, zz])],
            next: column(&[y, z, x]),
            after: column(&[z, x, y]),
            first: column(&[z, z, y]).flipped([-0.0, 0.0, -0.0]),
            second: column(&[y, x, x]).flipped([0.0, -0.0, 0.0]),
            mass,
        }
    }

    /// Angular and linear part of the product with a motion.
    #[inline(always)]
    #[must_use]
    pub fn mul(&self, v: &[T; 6]) -> (T::Vec3, T::Vec3) {
        let (spin, shift) = T::parts(v);
        let column = |k: usize| self.columns[k] * T::Vec3::splat(v[k]);
        let rotation = (column(0) + column(1)) + column(2);
        let torque = rotation + self.first * shift.permuted([1, 0, 0]);
        let torque = torque + self.second * shift.permuted([2, 2, 1]);
        let force = self.after * next3(spin) - self.next * after3(spin) + T::Vec3::splat(self.mass) * shift;
        (torque, force)
    }

    /// Torque and force that keep up the velocity of a body, `v ×* I v`.
    #[inline(always)]
    #[must_use]
    pub fn velocity_force(&self, velocity: &[T; 6]) -> (T::Vec3, T::Vec3) {
        let ((torque, force), (spin, shift)) = (self.mul(velocity), T::parts(velocity));
        let cross = permuted_cross3(spin, torque) + permuted_cross3(shift, force);
        (next3(cross), cross3(spin, force))
    }

    /// Force on a body with an acceleration, and what its velocity takes: `I a + v ×* I v`.
    #[inline(always)]
    #[must_use]
    pub fn force(&self, acceleration: &[T; 6], velocity_force: (T::Vec3, T::Vec3)) -> [T; 6] {
        let (torque, force) = self.mul(acceleration);
        join_parts(torque + velocity_force.0, force + velocity_force.1)
    }
}

/// Inertia times motion: momentum (of a velocity) or force (of an acceleration).
#[inline]
#[must_use]
pub fn mul_inert_vec<T: Real>(i: &[T; 10], v: &[T; 6]) -> [T; 6] {
    // for one vector, columns do not pay off
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Motion of a unit velocity of a rotation about `axis`; `offset` is the reference point minus a point of it.
#[inline(always)]
#[must_use]
pub fn rotation_about<V: Components<3>>(axis: V, offset: V) -> [V::Scalar; 6] {
    join_parts(axis, cross3(axis, offset))
}

/// Motion of a unit velocity of a translation along an axis.
#[inline(always)]
#[must_use]
pub fn translation_along<T: Real>([x, y, z]: &[T; 3]) -> [T; 6] {
    [T::ZERO, T::ZERO, T::ZERO, *x, *y, *z]
}

/// Sum of joint motions weighted by joint velocities, `Σ dofᵢ velᵢ`; the shorter slice decides how many.
#[inline]
#[must_use]
pub fn mul_dof_vec<T: Real>(dof: &[[T; 6]], vel: &[T]) -> [T; 6] {
    if let ([axis], [rate, ..]) = (dof, vel) {
        return scale6(axis, *rate);
    }
    let mut sum = [T::ZERO; 6];
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
