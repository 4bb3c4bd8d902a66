//! Vertex normals: the area-weighted mean of the normals of the faces around a vertex.
//!
//! Unless smooth normals are asked for, faces that meet the mean at a large angle (cosine below 0.8) are
//! taken out again, which keeps sharp edges sharp on one side. Sums are kept in single precision like the
//! result.

use crate::assets::linalg::{V3, cross, dot, normalize, sub};
use kinetree_math::MINVAL;

/// Cosine below which a face does not belong to a vertex normal.
const SHARP_COSINE: f64 = 0.8;

/// One normal per vertex; vertices without any usable face point along z.
pub(super) fn vertex_normals(vert: &[V3], faces: &[[i32; 3]], smooth: bool) -> Vec<[f32; 3]> {
    let weighted: Vec<(V3, f64)> = faces.iter().map(|face| face_normal(vert, face)).collect();
    let mut normals = vec![[0.0f32; 3]; vert.len()];
    for (face, (normal, area)) in faces.iter().zip(&weighted) {
        for &index in face {
            accumulate(&mut normals[index as usize], normal, *area);
        }
    }
    if !smooth {
        let mut removed = vec![[0.0f32; 3]; vert.len()];
        for (face, (normal, area)) in faces.iter().zip(&weighted) {
            for &index in face {
                let mut mean = normals[index as usize].map(f64::from);
                normalize(&mut mean);
                if dot(normal, &mean) < SHARP_COSINE {
                    accumulate(&mut removed[index as usize], normal, *area);
                }
            }
        }
        for (normal, gone) in normals.iter_mut().zip(&removed) {
            for k in 0..3 {
                normal[k] -= gone[k];
            }
        }
    }
    for normal in &mut normals {
        let length = squared_length(normal).sqrt();
        if f64::from(length) > MINVAL {
            for x in normal.iter_mut() {
                *x /= length;
            }
        } else {
            *normal = [0.0, 0.0, 1.0];
        }
    }
    normals
}

/// Makes every normal unit length; vanishing ones point along z.
pub(super) fn renormalize(normals: &mut [[f32; 3]]) {
    for normal in normals {
        let square = squared_length(normal);
        if f64::from(square) > MINVAL {
            let scale = 1.0 / square.sqrt();
            for x in normal.iter_mut() {
                *x *= scale;
            }
        } else {
            *normal = [0.0, 0.0, 1.0];
        }
    }
}

fn squared_length(v: &[f32; 3]) -> f32 {
    v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
}

fn face_normal(vert: &[V3], face: &[i32; 3]) -> (V3, f64) {
    let [a, b, c] = face.map(|index| &vert[index as usize]);
    let mut normal = cross(&sub(b, a), &sub(c, a));
    let area = normalize(&mut normal);
    (normal, area)
}

fn accumulate(sum: &mut [f32; 3], normal: &V3, weight: f64) {
    for (s, n) in sum.iter_mut().zip(normal) {
        *s = (f64::from(*s) + n * weight) as f32;
    }
}
