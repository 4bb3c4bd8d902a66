//! St. Venant–Kirchhoff elasticity of triangles and tetrahedra, as a quadratic form in squared edge lengths.
//!
//! The strain of an element is a sum over its edges of half the change of squared length times a basis
//! tensor: the symmetric product of the normals of the two sides that do not hold the edge (Weischedel, "A
//! discrete geometric view on shear-deformable shell models"). What remains of the elastic energy is the
//! matrix of that form, which is stored here, upper triangle by rows in 21 numbers.

use super::draft::FlexDraft;
use crate::assets::linalg::{V3, cross, dot, normalize, sub};

/// Numbers for each element; triangles use the first six.
const PACKED: usize = 21;
/// Sides of a triangle.
const TRIANGLE_SIDES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Sides of a triangle other than each edge.
const TRIANGLE_EDGES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Faces of a tetrahedron.
const TETRAHEDRON_SIDES: [[usize; 3]; 4] = [[2, 1, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// Faces of a tetrahedron that do not hold each edge.
const TETRAHEDRON_EDGES: [[usize; 2]; 6] = [[2, 3], [1, 3], [2, 1], [1, 0], [0, 2], [0, 3]];

type Mat3 = [[f64; 3]; 3];

/// Elastic constants of all elements.
pub(super) fn elements(flex: &FlexDraft<'_>, vertices: &[V3]) -> Vec<f64> {
    let src = flex.src;
    let mut packed = vec![0.0; PACKED * flex.elements()];
    let corner = |v: i32| vertices[v as usize];
    for (out, element) in packed.as_chunks_mut::<PACKED>().0.iter_mut().zip(flex.elem.chunks(flex.dim + 1)) {
        match *element {
            [a, b, c] if src.elastic2d >= 2 && src.thickness > 0.0 => {
                let (area, basis) = triangle(&[a, b, c].map(corner));
                store(out, &basis, moduli(src.young, src.poisson, area, src.thickness));
            }
            [a, b, c, d] => {
                let (volume, basis) = tetrahedron(&[a, b, c, d].map(corner));
                store(out, &basis, moduli(src.young, src.poisson, volume, 4.0));
            }
            _ => {}
        }
    }
    packed
}

/// Lamé's constants times the measure of the element, over four for squares of lengths.
fn moduli(young: f64, poisson: f64, measure: f64, thickness: f64) -> [f64; 2] {
    let shear = young / (2.0 * (1.0 + poisson)) * measure.abs() / 4.0 * thickness;
    let lame = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * measure.abs() / 4.0 * thickness;
    [shear, lame]
}

fn symmetric_product(left: &V3, right: &V3, divisor: f64) -> Mat3 {
    std::array::from_fn(|i| std::array::from_fn(|j| (left[i] * right[j] + right[i] * left[j]) / divisor))
}

fn triangle(x: &[V3; 3]) -> (f64, [Mat3; 3]) {
    let mut normal = cross(&sub(&x[1], &x[0]), &sub(&x[2], &x[0]));
    let area = normalize(&mut normal) / 2.0;
    let basis = TRIANGLE_EDGES.map(|[left, right]| {
        let [l0, l1] = TRIANGLE_SIDES[left];
        let [r0, r1] = TRIANGLE_SIDES[right];
        let (left, right) = (sub(&x[l0], &x[l1]), sub(&x[r1], &x[r0]));
        let mut normal = cross(&right, &left);
        normalize(&mut normal);
        symmetric_product(&cross(&normal, &left), &cross(&right, &normal), 8.0 * area * area)
    });
    (area, basis)
}

fn tetrahedron(x: &[V3; 4]) -> (f64, [Mat3; 6]) {
    let [e1, e2, e3] = [1, 2, 3].map(|i| sub(&x[i], &x[0]));
    let volume = dot(&cross(&e1, &e2), &e3) / 6.0;
    let area_normal = |side: usize| {
        let [a, b, c] = TETRAHEDRON_SIDES[side].map(|v| x[v]);
        cross(&sub(&b, &a), &sub(&c, &a))
    };
    let basis = TETRAHEDRON_EDGES.map(|[left, right]| {
        symmetric_product(&area_normal(left), &area_normal(right), 36.0 * 2.0 * volume * volume)
    });
    (volume, basis)
}

/// Stores the upper triangle of `μ tr(Eᵢ Eⱼ) + λ tr Eᵢ tr Eⱼ`.
fn store<const N: usize>(out: &mut [f64; PACKED], basis: &[Mat3; N], [shear, lame]: [f64; 2]) {
    let trace = |m: &Mat3| m[0][0] + m[1][1] + m[2][2];
    let mut next = 0;
    for i in 0..N {
        for j in i..N {
            let mut product = 0.0;
            for r in 0..3 {
                for c in 0..3 {
                    product += basis[i][r][c] * basis[j][c][r];
                }
            }
            out[next] = shear * product + lame * trace(&basis[j]) * trace(&basis[i]);
            next += 1;
        }
    }
}
