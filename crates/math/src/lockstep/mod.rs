//! Rotations, spatial vectors and inertias of four worlds at once, a world a lane: each component is a lane
//! with the numbers of all four.
//!
//! Each function is the lane-wise form of the one of the same name in [`crate::rot`] or [`crate::spatial`]:
//! the same operations in the same order, and so the same bits in each lane. What is a branch there is a
//! selection here.

mod trig;

use crate::MINVAL;
use crate::misc::PolyKind;
pub use trig::sincos;
use wide::{CmpEq, CmpGt, CmpLt, f64x4};

/// Vectors of three numbers.
pub type Vec3s = [f64x4; 3];
/// Quaternions, scalar part first.
pub type Quats = [f64x4; 4];
/// Matrices of three rows, row-major.
pub type Mat3s = [f64x4; 9];
/// Spatial vectors.
pub type Vec6s = [f64x4; 6];
/// Spatial inertias, ten numbers each.
pub type Inertias = [f64x4; 10];

/// The same numbers in all lanes.
#[inline(always)]
#[must_use]
pub fn splat<const N: usize>(numbers: &[f64; N]) -> [f64x4; N] {
    core::array::from_fn(|i| f64x4::splat(numbers[i]))
}

/// Writes lists of lanes to four lists of numbers, of which each gets a lane of all.
///
/// Goes as far as the shortest of them.
// Four parameters, since the compiler knows of these that they do not overlap: it transposes four by four,
// in 19 instructions for 16 numbers.
#[inline(never)]
pub fn scatter(from: &[f64x4], a: &mut [f64], b: &mut [f64], c: &mut [f64], d: &mut [f64]) {
    let to = a.iter_mut().zip(b).zip(c).zip(d);
    for (lane, (((a, b), c), d)) in from.iter().zip(to) {
        [*a, *b, *c, *d] = *lane.as_array_ref();
    }
}

/// Reads four lists of numbers into a list of lanes; the inverse of [`scatter`].
#[inline(never)]
pub fn gather(to: &mut [f64x4], [a, b, c, d]: [&[f64]; 4]) {
    let numbers = a.iter().zip(b).zip(c).zip(d);
    for (to, (((a, b), c), d)) in to.iter_mut().zip(numbers) {
        *to = f64x4::new([*a, *b, *c, *d]);
    }
}

/// Selects lane by lane: `yes` where the mask is set, `no` elsewhere.
#[inline(always)]
fn select<const N: usize>(mask: f64x4, yes: &[f64x4; N], no: &[f64x4; N]) -> [f64x4; N] {
    core::array::from_fn(|i| mask.blend(yes[i], no[i]))
}

/// The rotation that changes nothing.
const IDENTITY: Quats = [f64x4::ONE, f64x4::ZERO, f64x4::ZERO, f64x4::ZERO];

/// Hamilton product.
#[inline(always)]
#[must_use]
pub fn quat_mul(a: &Quats, b: &Quats) -> Quats {
    let [w, x, y, z] = *b;
    [
        a[0] * w - a[1] * x - a[2] * y - a[3] * z,
        a[0] * x + a[1] * w + a[2] * z - a[3] * y,
        a[0] * y - a[1] * z + a[2] * w + a[3] * x,
        a[0] * z + a[1] * y - a[2] * x + a[3] * w,
    ]
}

/// Scales quaternions to unit length: those below [`MINVAL`] become the identity, those within [`MINVAL`] of
/// one stay.
#[inline(always)]
pub fn quat_normalize(q: &mut Quats) {
    let norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let near = (norm2 - f64x4::ONE).abs().cmp_lt(f64x4::splat(1.5 * MINVAL));
    // mostly all are
    if near.move_mask() == 0b1111 {
        return;
    }
    scale_to_unit(q, norm2, near);
}

#[inline(never)]
fn scale_to_unit(q: &mut Quats, norm2: f64x4, near: f64x4) {
    let (norm, least) = (norm2.sqrt(), f64x4::splat(MINVAL));
    let apart = (norm - f64x4::ONE).abs().cmp_gt(least);
    let inverse = f64x4::ONE / norm;
    let scaled = q.map(|c| c * inverse);
    let far = select(norm.cmp_lt(least), &IDENTITY, &select(apart, &scaled, q));
    *q = select(near, q, &far);
}

/// Rotates vectors.
#[inline(always)]
#[must_use]
pub fn quat_rotate(q: &Quats, v: &Vec3s) -> Vec3s {
    let [w, x, y, z] = *q;
    let t = [w * v[0] + y * v[2] - z * v[1], w * v[1] + z * v[0] - x * v[2], w * v[2] + x * v[1] - y * v[0]];
    let turned = [y * t[2] - z * t[1], z * t[0] - x * t[2], x * t[1] - y * t[0]];
    core::array::from_fn(|i| v[i] + (turned[i] + turned[i]))
}

/// Rotations about unit axes.
#[inline(always)]
#[must_use]
pub fn axis_angle_to_quat([x, y, z]: &Vec3s, angle: f64x4) -> Quats {
    let (sin, cos) = sincos(angle * f64x4::HALF);
    let quat = [cos, *x * sin, *y * sin, *z * sin];
    let still = angle.cmp_eq(f64x4::ZERO);
    if still.move_mask() == 0 { quat } else { select(still, &IDENTITY, &quat) }
}

/// Scales vectors to unit length and returns their length: those below [`MINVAL`] become the first axis.
#[inline(always)]
pub fn normalize3(v: &mut Vec3s) -> f64x4 {
    let norm2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let norm = norm2.sqrt();
    let scaled = scale(v, f64x4::ONE / norm);
    let first = [f64x4::ONE, f64x4::ZERO, f64x4::ZERO];
    let long = select(norm.cmp_lt(f64x4::splat(MINVAL)), &first, &scaled);
    let unit = norm2.cmp_eq(f64x4::ONE);
    *v = select(unit, v, &long);
    norm
}

/// Turns `q` for time `dt` with local angular velocities `omega`; `q` is normalized first.
#[inline(always)]
pub fn quat_integrate(q: &mut Quats, omega: &Vec3s, dt: f64) {
    let mut axis = *omega;
    let angle = f64x4::splat(dt) * normalize3(&mut axis);
    quat_normalize(q);
    *q = quat_mul(q, &axis_angle_to_quat(&axis, angle));
}

/// `−x`, with the sign of zeros turned, too; the operator of lanes makes all zeros positive.
#[inline(always)]
#[must_use]
pub fn negated(x: f64x4) -> f64x4 {
    x ^ f64x4::splat(-0.0)
}

/// Numbers moved into ranges, as [`crate::misc::clip`] does.
#[inline(always)]
#[must_use]
pub fn clip(x: f64x4, [low, high]: [f64; 2]) -> f64x4 {
    let (low, high) = (f64x4::splat(low), f64x4::splat(high));
    x.cmp_lt(low).blend(low, x.cmp_gt(high).blend(high, x))
}

/// Coefficients `c(x)` of springs and dampers: see [`crate::misc::poly_force`].
#[inline(always)]
#[must_use]
pub fn poly_force(linear: f64, poly: &[f64; 2], x: f64x4, kind: PolyKind) -> f64x4 {
    let x = if kind == PolyKind::Odd { x.abs() } else { x };
    let [p1, p2] = splat(poly);
    f64x4::splat(linear) + p1 * x + p2 * (x * x)
}

/// Rotation matrices of unit quaternions, row-major.
#[inline(always)]
#[must_use]
pub fn quat_to_rows(q: &Quats) -> Mat3s {
    let [w, x, y, z] = *q;
    let [ww, xx, yy, zz] = [w * w, x * x, y * y, z * z];
    let double = |v: f64x4| v + v;
    let ([xy, xz, yz], [wz, wy, wx]) = ([x * y, x * z, y * z], [w * z, w * y, w * x]);
    let rows = [
        ww + xx - yy - zz,
        double(xy - wz),
        double(xz + wy),
        double(xy + wz),
        ww - xx + yy - zz,
        double(yz - wx),
        double(xz - wy),
        double(yz + wx),
        ww - xx - yy + zz,
    ];
    // exact for the identity, where signs of zeros could differ
    let zero = f64x4::ZERO;
    let same = w.cmp_eq(f64x4::ONE) & x.cmp_eq(zero) & y.cmp_eq(zero) & z.cmp_eq(zero);
    if same.move_mask() == 0 {
        return rows;
    }
    let one = f64x4::ONE;
    select(same, &[one, zero, zero, zero, one, zero, zero, zero, one], &rows)
}

/// Global positions of a point that is fixed to frames with orientations `mat` and origins `origin`.
#[inline(always)]
#[must_use]
pub fn point_in_frame(mat: &Mat3s, origin: &Vec3s, p: &Vec3s) -> Vec3s {
    let row = |r: usize| mat[r] * p[0] + mat[r + 1] * p[1] + mat[r + 2] * p[2] + origin[r / 3];
    [row(0), row(3), row(6)]
}

/// Cross products.
#[inline(always)]
#[must_use]
pub fn cross(a: &Vec3s, b: &Vec3s) -> Vec3s {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Sums, component by component.
#[inline(always)]
#[must_use]
pub fn add<const N: usize>(a: &[f64x4; N], b: &[f64x4; N]) -> [f64x4; N] {
    core::array::from_fn(|i| a[i] + b[i])
}

/// Differences, component by component.
#[inline(always)]
#[must_use]
pub fn sub<const N: usize>(a: &[f64x4; N], b: &[f64x4; N]) -> [f64x4; N] {
    core::array::from_fn(|i| a[i] - b[i])
}

/// Products with a number of each world.
#[inline(always)]
#[must_use]
pub fn scale<const N: usize>(a: &[f64x4; N], s: f64x4) -> [f64x4; N] {
    core::array::from_fn(|i| a[i] * s)
}

/// Adds `s v` to `acc`.
#[inline(always)]
pub fn add_scaled<const N: usize>(acc: &mut [f64x4; N], v: &[f64x4; N], s: f64x4) {
    for (acc, x) in acc.iter_mut().zip(v) {
        *acc += *x * s;
    }
}

/// Angular and linear part.
#[inline(always)]
fn parts(v: &Vec6s) -> (Vec3s, Vec3s) {
    let [a, b, c, d, e, f] = *v;
    ([a, b, c], [d, e, f])
}

#[inline(always)]
fn joined([a, b, c]: Vec3s, [d, e, f]: Vec3s) -> Vec6s {
    [a, b, c, d, e, f]
}

/// Motion cross products `v × m`.
#[inline(always)]
#[must_use]
pub fn cross_motion(v: &Vec6s, m: &Vec6s) -> Vec6s {
    let ((turn, shift), (angular, linear)) = (parts(v), parts(m));
    joined(cross(&turn, &angular), add(&cross(&turn, &linear), &cross(&shift, &angular)))
}

/// Force cross products `v ×* f`.
#[inline(always)]
#[must_use]
pub fn cross_force(v: &Vec6s, f: &Vec6s) -> Vec6s {
    let ((turn, shift), (torque, force)) = (parts(v), parts(f));
    joined(add(&cross(&turn, &torque), &cross(&shift, &force)), cross(&turn, &force))
}

/// Scalar products of motions and forces.
#[inline(always)]
#[must_use]
pub fn dot6(a: &Vec6s, b: &Vec6s) -> f64x4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]
}

/// Motions of rotations about an axis, at `offset` from it.
#[inline(always)]
#[must_use]
pub fn rotation_about(axis: &Vec3s, offset: &Vec3s) -> Vec6s {
    joined(*axis, cross(axis, offset))
}

/// Spatial inertias of a body: see [`crate::spatial::inert_com`].
#[inline(always)]
#[must_use]
pub fn inert_com(diag: &[f64; 3], mat: &Mat3s, c: &Vec3s, mass: f64) -> Inertias {
    let (mass, [x, y, z]) = (f64x4::splat(mass), *c);
    // R diag Rᵀ: along the diagonal, and off it
    let term = |k: usize| {
        let axis = [mat[k], mat[3 + k], mat[6 + k]];
        let scaled = scale(&axis, f64x4::splat(diag[k]));
        [
            axis[0] * scaled[0],
            axis[1] * scaled[1],
            axis[2] * scaled[2],
            axis[0] * scaled[1],
            axis[0] * scaled[2],
            axis[1] * scaled[2],
        ]
    };
    let r = add(&add(&term(0), &term(1)), &term(2));
    // parallel axis theorem: add m (|c|² 1 − c cᵀ)
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let (mx, my, mz) = (mass * x, mass * y, mass * z);
    [
        r[0] + mass * (yy + zz),
        r[1] + mass * (xx + zz),
        r[2] + mass * (xx + yy),
        r[3] - mx * y,
        r[4] - mx * z,
        r[5] - my * z,
        mx,
        my,
        mz,
        mass,
    ]
}

/// Inertias times motions: see [`crate::spatial::InertiaLanes::mul`].
#[inline(always)]
#[must_use]
pub fn mul_inert(i: &Inertias, v: &Vec6s) -> Vec6s {
    let [xx, yy, zz, xy, xz, yz, x, y, z, mass] = *i;
    let [a, b, c, d, e, f] = *v;
    [
        xx * a + xy * b + xz * c - z * e + y * f,
        xy * a + yy * b + yz * c + z * d - x * f,
        xz * a + yz * b + zz * c - y * d + x * e,
        z * b - y * c + mass * d,
        x * c - z * a + mass * e,
        y * a - x * b + mass * f,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rot;
    use crate::spatial;

    /// Numbers of four worlds, none of them round.
    fn numbers<const N: usize>(seed: u64) -> [[f64; N]; 4] {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        std::array::from_fn(|_| {
            std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            })
        })
    }

    fn lanes<const N: usize>(worlds: &[[f64; N]; 4]) -> [f64x4; N] {
        std::array::from_fn(|i| f64x4::new(std::array::from_fn(|w| worlds[w][i])))
    }

    fn assert_same<const N: usize>(lanes: &[f64x4; N], worlds: [[f64; N]; 4]) {
        for (w, world) in worlds.iter().enumerate() {
            for (lane, x) in lanes.iter().zip(world) {
                assert_eq!(lane.to_array()[w].to_bits(), x.to_bits());
            }
        }
    }

    #[test]
    fn rotations_have_the_bits_of_one_world() {
        for seed in 0..200 {
            let (mut a, mut b, v) =
                (numbers::<4>(seed), numbers::<4>(seed + 1000), numbers::<3>(seed + 2000));
            // the identity with any signs of zeros, no length, a length of almost one
            a[0] = [1.0, -0.0, 0.0, -0.0];
            a[1] = if seed % 2 == 0 { [0.0; 4] } else { [1.0 + 3e-15, 0.0, 0.0, 0.0] };
            b[2] = [1.0, 0.0, -0.0, -0.0];
            assert_same(
                &quat_mul(&lanes(&a), &lanes(&b)),
                std::array::from_fn(|w| rot::quat_mul(&a[w], &b[w])),
            );
            let mut unit = lanes(&a);
            quat_normalize(&mut unit);
            a.iter_mut().for_each(|q| {
                rot::quat_normalize(q);
            });
            assert_same(&unit, a);
            assert_same(&quat_to_rows(&unit), a.map(|q| rot::quat_to_rows(&q)));
            let turned =
                |w: usize| crate::lanes3::store3(rot::quat_rotate3(&a[w], crate::lanes3::load3(&v[w])));
            assert_same(&quat_rotate(&unit, &lanes(&v)), std::array::from_fn(turned));
            let angles = [0.0, v[1][0], -0.0, 1e6 * v[3][0]];
            let quats = axis_angle_to_quat(&splat(&v[0]), f64x4::new(angles));
            assert_same(&quats, angles.map(|angle| rot::axis_angle_to_quat(&v[0].into(), angle)));
            // none at all, an axis, hardly any
            let mut velocities = v;
            velocities[(seed % 4) as usize] =
                [[0.0; 3], [0.0, -1.0, 0.0], [1e-16, 0.0, 0.0]][seed as usize % 3];
            let mut turned = lanes(&a);
            quat_integrate(&mut turned, &lanes(&velocities), 0.01);
            for (q, velocity) in a.iter_mut().zip(velocities) {
                rot::quat_integrate(q, &velocity.into(), 0.01);
            }
            assert_same(&turned, a);
        }
    }

    #[test]
    fn spatial_products_have_the_bits_of_one_world() {
        for seed in 0..200 {
            let (v, f, i) = (numbers::<6>(seed), numbers::<6>(seed + 1000), numbers::<10>(seed + 2000));
            let (vs, fs, is) = (lanes(&v), lanes(&f), lanes(&i));
            let each = |g: &dyn Fn(usize) -> [f64; 6]| std::array::from_fn(g);
            assert_same(&cross_motion(&vs, &fs), each(&|w| spatial::cross_motion(&v[w], &f[w])));
            assert_same(&cross_force(&vs, &fs), each(&|w| spatial::cross_force(&v[w], &f[w])));
            assert_same(&[dot6(&vs, &fs)], std::array::from_fn(|w| [spatial::dot6(&v[w], &f[w])]));
            assert_same(&mul_inert(&is, &vs), each(&|w| spatial::mul_inert_vec(&i[w], &v[w])));
            let (mat, offset) = (numbers::<9>(seed + 3000), numbers::<3>(seed + 4000));
            let inertias = inert_com(&offset[0], &lanes(&mat), &lanes(&offset), v[0][0]);
            let of =
                |w: usize| spatial::inert_com(&offset[0], &rot::mat3(&mat[w]), &offset[w].into(), v[0][0]);
            assert_same(&inertias, std::array::from_fn(of));
        }
    }

    #[test]
    fn springs_have_the_bits_of_one_world() {
        use crate::misc;
        for seed in 0..200 {
            let (mut x, p) = (numbers::<1>(seed), numbers::<3>(seed + 1000)[0]);
            x[1] = [if seed % 2 == 0 { 0.0 } else { -0.0 }];
            let xs = lanes(&x)[0];
            for kind in [PolyKind::Signed, PolyKind::Odd] {
                let poly = [p[1], if seed % 3 == 0 { 0.0 } else { p[2] }];
                let force = negated(xs) * poly_force(p[0], &poly, xs, kind);
                assert_same(&[force], x.map(|[x]| [-x * misc::poly_force(p[0], &poly, x, kind)]));
            }
            let range = [p[0].min(p[1]), p[0].max(p[1])];
            assert_same(&[clip(xs, range)], x.map(|[x]| [misc::clip(x, range[0], range[1])]));
        }
    }

    #[test]
    fn each_list_gets_its_lane() {
        let rows = numbers::<7>(1);
        for length in 0..7 {
            let mut to = [[9.0; 7]; 4];
            let [a, b, c, d] = &mut to;
            scatter(&lanes(&rows)[..length], a, b, c, d);
            for (list, row) in to.iter().zip(&rows) {
                assert_eq!((&list[..length], &list[length..]), (&row[..length], &[9.0; 7][length..]));
            }
            let mut back = [f64x4::splat(9.0); 7];
            gather(&mut back[..length], rows.each_ref().map(|row| &row[..]));
            assert_eq!(back[..length], lanes(&rows)[..length]);
            assert!(back[length..].iter().all(|lane| *lane == f64x4::splat(9.0)));
        }
    }
}
