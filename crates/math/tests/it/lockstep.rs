//! Formulas of four worlds in lanes have the bits of one world after the other, and so have the two layouts
//! of an inertia.

use kinetree_math::lanes3::{load3, store3};
use kinetree_math::lockstep::{gather, scatter};
use kinetree_math::misc::{self, PolyKind};
use kinetree_math::real::{Components, Real, Rows};
use kinetree_math::{rot, spatial};
use wide::f64x4;

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
        let (mut a, mut b, v) = (numbers::<4>(seed), numbers::<4>(seed + 1000), numbers::<3>(seed + 2000));
        // the identity with any signs of zeros, no length, a length of almost one
        a[0] = [1.0, -0.0, 0.0, -0.0];
        a[1] = if seed % 2 == 0 { [0.0; 4] } else { [1.0 + 3e-15, 0.0, 0.0, 0.0] };
        b[2] = [1.0, 0.0, -0.0, -0.0];
        let product = rot::quat_mul(&lanes(&a), &lanes(&b));
        assert_same(&product, std::array::from_fn(|w| rot::quat_mul(&a[w], &b[w])));
        let mut unit = lanes(&a);
        let lengths = rot::quat_normalize(&mut unit);
        assert_same(&[lengths], std::array::from_fn(|w| [rot::quat_normalize(&mut a[w])]));
        assert_same(&unit, a);
        assert_same(&rot::quat_to_rows(&unit), a.map(|q| rot::quat_to_rows(&q)));
        let rotated = rot::quat_rotate3(&unit, Rows::load(&lanes(&v))).store();
        let one = |w: usize| store3(rot::quat_rotate3(&a[w], load3(&v[w])));
        assert_same(&rotated, std::array::from_fn(one));
        let angles = [0.0, v[1][0], -0.0, 1e6 * v[3][0]];
        let quats = rot::axis_angle_to_quat(&f64x4::splat_all(&v[0]).into(), f64x4::new(angles));
        assert_same(&quats, angles.map(|angle| rot::axis_angle_to_quat(&v[0].into(), angle)));
        let (mat, origin) = (numbers::<9>(seed + 3000), numbers::<3>(seed + 4000));
        let points = rot::point_in_frame(&lanes(&mat), &lanes(&origin), &lanes(&v));
        assert_same(&points, std::array::from_fn(|w| rot::point_in_frame(&mat[w], &origin[w], &v[w])));
        // none at all, an axis, hardly any
        let mut velocities = v;
        velocities[(seed % 4) as usize] = [[0.0; 3], [0.0, -1.0, 0.0], [1e-16, 0.0, 0.0]][seed as usize % 3];
        let mut rotated = lanes(&a);
        rot::quat_integrate(&mut rotated, &lanes(&velocities).into(), 0.01);
        for (q, velocity) in a.iter_mut().zip(velocities) {
            rot::quat_integrate(q, &velocity.into(), 0.01);
        }
        assert_same(&rotated, a);
    }
}

#[test]
fn rotations_have_the_bits_of_written_out_sums() {
    for seed in 0..200 {
        let ([a, b, ..], [v, ..]) = (numbers::<4>(seed), numbers::<3>(seed + 1000));
        let [w, x, y, z] = b;
        let product = [
            a[0] * w - a[1] * x - a[2] * y - a[3] * z,
            a[0] * x + a[1] * w + a[2] * z - a[3] * y,
            a[0] * y - a[1] * z + a[2] * w + a[3] * x,
            a[0] * z + a[1] * y - a[2] * x + a[3] * w,
        ];
        assert_eq!(rot::quat_mul(&a, &b).map(f64::to_bits), product.map(f64::to_bits));
        let t =
            [w * v[0] + y * v[2] - z * v[1], w * v[1] + z * v[0] - x * v[2], w * v[2] + x * v[1] - y * v[0]];
        let half = [y * t[2] - z * t[1], z * t[0] - x * t[2], x * t[1] - y * t[0]];
        let rotated: [f64; 3] = std::array::from_fn(|i| v[i] + (half[i] + half[i]));
        assert_eq!(store3(rot::quat_rotate3(&b, load3(&v))).map(f64::to_bits), rotated.map(f64::to_bits));
    }
}

#[test]
fn spatial_products_have_the_bits_of_one_world() {
    for seed in 0..200 {
        let (v, f, i) = (numbers::<6>(seed), numbers::<6>(seed + 1000), numbers::<10>(seed + 2000));
        let (vs, fs, is) = (lanes(&v), lanes(&f), lanes(&i));
        let each = |g: &dyn Fn(usize) -> [f64; 6]| std::array::from_fn(g);
        assert_same(&spatial::cross_motion(&vs, &fs), each(&|w| spatial::cross_motion(&v[w], &f[w])));
        assert_same(&spatial::cross_force(&vs, &fs), each(&|w| spatial::cross_force(&v[w], &f[w])));
        assert_same(&[spatial::dot6(&vs, &fs)], std::array::from_fn(|w| [spatial::dot6(&v[w], &f[w])]));
        let product = each(&|w| spatial::mul_inert_vec(&i[w], &v[w]));
        assert_same(&spatial::mul_inert_vec(&is, &vs), product);
        // the columns of an inertia and the inertia itself have the same products
        let (torque, force) = spatial::InertiaColumns::new(&is).mul(&vs);
        assert_same(&spatial::join_parts(torque, force), product);
        let columns = |w: usize| {
            let (torque, force) = spatial::InertiaColumns::new(&i[w]).mul(&v[w]);
            spatial::join_parts(torque, force)
        };
        assert_same(&lanes(&product), std::array::from_fn(columns));
        let (mat, offset) = (numbers::<9>(seed + 3000), numbers::<3>(seed + 4000));
        let inertias = spatial::inert_com(&offset[0], &lanes(&mat), Rows::load(&lanes(&offset)), v[0][0]);
        let of = |w: usize| spatial::inert_com(&offset[0], &mat[w], load3(&offset[w]), v[0][0]);
        assert_same(&inertias, std::array::from_fn(of));
        let rotation = spatial::rotation_about(Rows::load(&lanes(&offset)), Rows::load(&lanes(&offset)));
        let of = |w: usize| spatial::rotation_about(load3(&offset[w]), load3(&offset[w]));
        assert_same(&rotation, each(&of));
    }
}

#[test]
fn springs_have_the_bits_of_one_world() {
    for seed in 0..200 {
        let (mut x, p) = (numbers::<1>(seed), numbers::<3>(seed + 1000)[0]);
        x[1] = [if seed % 2 == 0 { 0.0 } else { -0.0 }];
        let xs = lanes(&x)[0];
        for kind in [PolyKind::Signed, PolyKind::Odd] {
            let poly = [p[1], if seed % 3 == 0 { 0.0 } else { p[2] }];
            let force = xs.negated() * misc::poly_force(p[0], &poly, xs, kind);
            assert_same(&[force], x.map(|[x]| [-x * misc::poly_force(p[0], &poly, x, kind)]));
        }
        let range = [p[0].min(p[1]), p[0].max(p[1])];
        let clipped = misc::clip(xs, range[0], range[1]);
        assert_same(&[clipped], x.map(|[x]| [misc::clip(x, range[0], range[1])]));
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
