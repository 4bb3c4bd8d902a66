//! Volume, centre of mass and inertia of a triangulated body with unit density.
//!
//! Each triangle spans a pyramid with the face centroid `c` of the whole mesh: its volume is `(m − c)·n A /
//! 3` and its centre `¾ m + ¼ c`, where `m` is the middle of the triangle. The second moments about the
//! centre of mass of a tetrahedron with apex at the origin and corners D, E, F are `V/20 · (2 Σ XXᵀ + Σ_{X≠Y}
//! XYᵀ)`; for a thin shell the factor is `A/12`. (Dobrovolskis, "Inertia of any polyhedron", 1996.)

use super::{MeshError, MeshInertia};
use crate::assets::linalg::{FrameEnd, V3, dot, jacobi_frame, sub, triangle};
use kinetree_math::MINVAL;
use kinetree_model::Reference;

/// Slack of the triangle inequality of principal moments.
const INEQUALITY_ATOL: f64 = 1e-9;
const INEQUALITY_RTOL: f64 = 1e-6;

/// Mass properties for unit density.
pub(super) struct MassProperties {
    /// Volume, or area of a shell.
    pub(super) volume: f64,
    pub(super) com: V3,
    /// Orientation of the principal axes.
    pub(super) quat: [f64; 4],
    /// Principal moments, decreasing.
    pub(super) moments: V3,
    /// Half-sizes of the box of equal inertia.
    pub(super) boxsz: V3,
}

/// Largest entry off the diagonal of the inertia of a mesh in its frame, relative to the diagonal.
const MESH_REST: f64 = 1e-7;

/// Mass properties of the body bounded by `surface`; `mass_faces` are the hull faces for the convex mode.
pub(super) fn mass_properties(
    vert: &[V3],
    surface: &[[i32; 3]],
    mass_faces: &[[i32; 3]],
    mode: MeshInertia,
    reference: Reference,
) -> Result<MassProperties, MeshError> {
    let centroid = face_centroid(vert, surface)?;
    let com = if mode == MeshInertia::Shell {
        shell_com(vert, surface, &centroid)?
    } else {
        volume_com(vert, mass_faces, &centroid, mode)?
    };
    let (volume, full) = inertia_about(vert, mass_faces, &com, mode);
    let end = if reference.mesh_frames() { FrameEnd::SmallRest(MESH_REST) } else { FrameEnd::SmallRotation };
    let (moments, quat) = jacobi_frame(&full, end);
    check_moments(&moments)?;
    let [a, b, c] = moments;
    let half = |sum: f64| 0.5 * (6.0 * sum / volume).sqrt();
    Ok(MassProperties {
        volume,
        com,
        quat,
        moments,
        boxsz: [half(b + c - a), half(a + c - b), half(a + b - c)],
    })
}

fn corners<'v>(vert: &'v [V3], face: &[i32; 3]) -> [&'v V3; 3] {
    face.map(|index| &vert[index as usize])
}

fn face_centroid(vert: &[V3], faces: &[[i32; 3]]) -> Result<V3, MeshError> {
    let mut total = 0.0;
    let mut sum = [0.0; 3];
    for face in faces {
        let [a, b, c] = corners(vert, face);
        let (area, _, center) = triangle(a, b, c);
        for (s, x) in sum.iter_mut().zip(center) {
            *s += area * x;
        }
        total += area;
    }
    if total < MINVAL || total.is_nan() {
        return Err(MeshError::SmallArea);
    }
    Ok(sum.map(|s| s / total))
}

fn shell_com(vert: &[V3], faces: &[[i32; 3]], centroid: &V3) -> Result<V3, MeshError> {
    let mut surface = 0.0;
    let mut com = [0.0; 3];
    for face in faces {
        let [a, b, c] = corners(vert, face);
        let (area, _, center) = triangle(a, b, c);
        surface += area;
        for k in 0..3 {
            com[k] += area * (center[k] * 3.0 / 4.0 + centroid[k] / 4.0);
        }
    }
    if surface < MINVAL || surface.is_nan() {
        return Err(MeshError::SmallArea);
    }
    Ok(com.map(|x| x / surface))
}

fn volume_com(vert: &[V3], faces: &[[i32; 3]], centroid: &V3, mode: MeshInertia) -> Result<V3, MeshError> {
    let mut total = 0.0;
    let mut com = [0.0; 3];
    for face in faces {
        let [a, b, c] = corners(vert, face);
        let (area, normal, center) = triangle(a, b, c);
        let mut volume = dot(&sub(&center, centroid), &normal) * area / 3.0;
        if mode == MeshInertia::Legacy {
            volume = volume.abs();
        }
        total += volume;
        for k in 0..3 {
            com[k] += volume * (center[k] * 3.0 / 4.0 + centroid[k] / 4.0);
        }
    }
    if total >= MINVAL {
        Ok(com.map(|x| x / total))
    } else if total < 0.0 {
        Err(MeshError::NegativeVolume)
    } else {
        Err(MeshError::SmallVolume)
    }
}

fn inertia_about(vert: &[V3], faces: &[[i32; 3]], com: &V3, mode: MeshInertia) -> (f64, [f64; 9]) {
    const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    let shell = mode == MeshInertia::Shell;
    let divisor = if shell { 12.0 } else { 20.0 };
    let mut total = 0.0;
    let mut p = [0.0; 6];
    for face in faces {
        let [d, e, f] = corners(vert, face).map(|x| sub(x, com));
        let (area, normal, center) = triangle(&d, &e, &f);
        let mut volume = if shell { area } else { dot(&center, &normal) * area / 3.0 };
        if mode == MeshInertia::Legacy {
            volume = volume.abs();
        }
        total += volume;
        for (sum, (i, j)) in p.iter_mut().zip(PAIRS) {
            *sum += volume / divisor
                * (2.0 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
                    + d[i] * e[j]
                    + d[j] * e[i]
                    + d[i] * f[j]
                    + d[j] * f[i]
                    + e[i] * f[j]
                    + e[j] * f[i]);
        }
    }
    let [xx, yy, zz, xy, xz, yz] = p;
    let full = [yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy];
    (total, full)
}

fn check_moments(moments: &V3) -> Result<(), MeshError> {
    let [a, b, c] = *moments;
    if c <= 0.0 || c.is_nan() {
        return Err(MeshError::InertiaSign);
    }
    let violates = |sum: f64, third: f64| sum < third * (1.0 - INEQUALITY_RTOL) - INEQUALITY_ATOL;
    if violates(a + b, c) || violates(a + c, b) || violates(b + c, a) {
        return Err(MeshError::InertiaTriangle);
    }
    Ok(())
}
