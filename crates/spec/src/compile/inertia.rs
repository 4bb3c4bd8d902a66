//! Mass properties of bodies: from an inertial element, from geoms, and merged when bodies are fused.
//!
//! The inertia of several parts about their common centre of mass `c` is `Σ R I Rᵀ + m (|d|² 1 − d dᵀ)` with
//! `d = p − c` (parallel axes); its eigenvectors give the inertial frame and its eigenvalues the principal
//! moments, largest first.

use kinetree_math::MINVAL;
use kinetree_math::rot::quat_mul;
use kinetree_model::{Model, Reference};

use super::draft::Draft;
use super::elements::{BodyDraft, Inertial};
use super::frames::{Pose, TINY, resolve_orientation};
use crate::assets::linalg::{FrameEnd, jacobi_frame, normalize, quat_to_mat};
use crate::spec::{Compiler, InertiaFromGeom, Orientation};

/// A rigid part: pose of its inertial frame, mass and principal moments.
struct Part {
    pose: Pose,
    mass: f64,
    moments: [f64; 3],
}

/// Inertial frame as the inertial element gives it. The position stays undefined when there is no such
/// element.
pub(crate) fn from_element(
    body: &BodyDraft<'_>,
    compiler: &Compiler,
    reference: Reference,
) -> Result<Inertial, String> {
    let src = body.src;
    let mut quat = src.iquat;
    normalize(&mut quat);
    let mut moments = src.inertia;
    if !src.fullinertia[0].is_nan() {
        if src.ialt != Orientation::Quat {
            return Err("'fullinertia' and an inertial orientation cannot both be given".into());
        }
        if moments != [0.0; 3] {
            return Err("fullinertia and diagonal inertia cannot both be specified".into());
        }
        let axes = principal_axes(&src.fullinertia, moments, quat, reference)?;
        // only URDF gives both
        quat = if reference.urdf_inertia() { quat_mul(&quat, &axes.1) } else { axes.1 };
        moments = axes.0;
    }
    quat = resolve_orientation(&quat, &src.ialt, compiler)?;
    Ok(Inertial { pose: Pose::new(src.ipos, quat), mass: src.mass, moments })
}

/// Whether the inertia of a body is to be taken from its geoms.
pub(crate) fn uses_geoms(body: &BodyDraft<'_>, compiler: &Compiler) -> bool {
    match compiler.inertiafromgeom {
        InertiaFromGeom::True => true,
        InertiaFromGeom::Auto => body.inertial.pose.pos[0].is_nan(),
        InertiaFromGeom::False => false,
    }
}

/// Replaces the inertia of a body by that of its geoms, if any of them has mass.
pub(crate) fn from_geoms(draft: &mut Draft<'_>, b: usize) -> Result<(), String> {
    let body = &draft.bodies[b];
    let [low, high] = draft.spec.compiler_of(&body.src.origin).inertiagrouprange;
    let parts: Vec<Part> = body
        .geoms
        .iter()
        .map(|&g| &draft.geoms[g])
        .filter(|geom| (low..=high).contains(&geom.src.group) && geom.mass > TINY)
        .map(|geom| Part { pose: geom.pose, mass: geom.mass, moments: geom.moments })
        .collect();
    let inertial = match parts.as_slice() {
        [] => return Ok(()),
        [only] => Inertial { pose: only.pose, mass: only.mass, moments: only.moments },
        several => combine(several, &body.inertial, false, draft.spec.reference())?,
    };
    draft.bodies[b].inertial = inertial;
    Ok(())
}

/// Adds the inertia of a child body that has mass, given in the frame of its parent, to the parent.
pub(crate) fn absorb(
    parent: &mut Inertial,
    child: &Inertial,
    child_pose: &Pose,
    reference: Reference,
) -> Result<(), String> {
    let pose = if reference.fused_inertia() {
        child_pose.compose(&child.pose)
    } else {
        // the reference chains the two poses in this order; it differs from the geometric one for rotated
        // inertial frames
        child.pose.compose(child_pose)
    };
    let parts = [
        Part { pose: parent.pose, mass: parent.mass, moments: parent.moments },
        Part { pose, mass: child.mass, moments: child.moments },
    ];
    *parent = combine(&parts, parent, true, reference)?;
    Ok(())
}

/// Common inertia of several parts. The two callers add the terms in different orders, which decides the axes
/// of symmetric bodies: `own_first` sums both terms of a part before they join the total.
fn combine(
    parts: &[Part],
    before: &Inertial,
    own_first: bool,
    reference: Reference,
) -> Result<Inertial, String> {
    let mut mass = 0.0;
    let mut center = [0.0; 3];
    for part in parts {
        mass += part.mass;
        for i in 0..3 {
            center[i] += part.mass * part.pose.pos[i];
        }
    }
    if mass < TINY {
        return Err("the mass is too small to compute a center of mass".into());
    }
    let center = center.map(|x| x / mass);
    let mut total = [0.0; 6];
    for part in parts {
        let offset = std::array::from_fn(|i| part.pose.pos[i] - center[i]);
        let rotated = rotated_inertia(&part.moments, &part.pose.quat);
        let moved = point_inertia(part.mass, &offset);
        for i in 0..6 {
            total[i] =
                if own_first { total[i] + (rotated[i] + moved[i]) } else { total[i] + rotated[i] + moved[i] };
        }
    }
    let (moments, quat) = principal_axes(&total, before.moments, before.pose.quat, reference)?;
    Ok(Inertial { pose: Pose::new(center, quat), mass, moments })
}

/// Principal moments rotated into another frame: xx, yy, zz, xy, xz, yz.
fn rotated_inertia(moments: &[f64; 3], quat: &[f64; 4]) -> [f64; 6] {
    let m = quat_to_mat(quat);
    let entry = |r: usize, c: usize| {
        m[3 * r] * (m[3 * c] * moments[0])
            + m[3 * r + 1] * (m[3 * c + 1] * moments[1])
            + m[3 * r + 2] * (m[3 * c + 2] * moments[2])
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// Inertia of a point mass: xx, yy, zz, xy, xz, yz.
fn point_inertia(mass: f64, at: &[f64; 3]) -> [f64; 6] {
    let [x, y, z] = *at;
    [
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -mass * x * y,
        -mass * x * z,
        -mass * y * z,
    ]
}

/// Largest entry off the diagonal, relative to the diagonal, of a matrix that is diagonal to the last digits.
const LAST_DIGITS: f64 = 1e-15;

/// Principal moments and axes of a full inertia matrix; an undefined one keeps those that are given.
fn principal_axes(
    full: &[f64; 6],
    moments: [f64; 3],
    quat: [f64; 4],
    reference: Reference,
) -> Result<([f64; 3], [f64; 4]), String> {
    let [xx, yy, zz, xy, xz, yz] = *full;
    if xx.is_nan() {
        return Ok((moments, quat));
    }
    let end =
        if reference.inertia_frames() { FrameEnd::SmallRest(LAST_DIGITS) } else { FrameEnd::SmallRotation };
    let (moments, quat) = jacobi_frame(&[xx, xy, xz, xy, yy, yz, xz, yz, zz], end);
    if moments[2] < TINY {
        return Err("the inertia matrix must have positive eigenvalues".into());
    }
    Ok((moments, quat))
}

/// Applies the bounds of the compiler settings and checks that the inertia is physical.
pub(crate) fn bound_and_check(inertial: &mut Inertial, compiler: &Compiler) -> Result<(), String> {
    inertial.mass = inertial.mass.max(compiler.boundmass);
    inertial.moments = inertial.moments.map(|moment| moment.max(compiler.boundinertia));
    let [a, b, c] = inertial.moments;
    if inertial.mass < 0.0 || a < 0.0 || b < 0.0 || c < 0.0 {
        return Err("mass and inertia cannot be negative".into());
    }
    if a + b < c || a + c < b || b + c < a {
        if !compiler.balanceinertia {
            return Err(
                "the moments of inertia must satisfy A + B >= C; balanceinertia=\"true\" in <compiler> repairs them"
                    .into(),
            );
        }
        inertial.moments = [(a + b + c) / 3.0; 3];
    }
    Ok(())
}

/// A body that moves needs mass and inertia, its own or that of a body welded to it.
pub(crate) fn check_moving_bodies(draft: &mut Draft<'_>) {
    let enough =
        |inertial: &Inertial| inertial.mass >= MINVAL && inertial.moments.iter().all(|i| *i >= MINVAL);
    // children come after their parents, so a backward sweep sees them first
    let mut supported: Vec<bool> = draft.bodies.iter().map(|body| enough(&body.inertial)).collect();
    for b in (1..draft.bodies.len()).rev() {
        if supported[b] && draft.bodies[b].joints.is_empty() {
            supported[draft.bodies[b].parent] = true;
        }
    }
    for b in 1..draft.bodies.len() {
        if !draft.bodies[b].joints.is_empty() && !supported[b] {
            let src = draft.bodies[b].src;
            draft.report.error_help(
                src,
                "mass and inertia of moving bodies must be larger than mjMINVAL (1e-15)",
                "give it a geom with a size or an <inertial>, or remove its joints",
            );
        }
    }
}

/// Scales all masses and inertias so that the model has the given total mass.
pub(crate) fn set_total_mass(model: &mut Model, total: f64) {
    let present: f64 = model.body_mass[1..].iter().sum();
    let scale = (total / present.max(MINVAL)).max(MINVAL);
    for b in 1..model.nbody {
        model.body_mass[b] *= scale;
        for moment in &mut model.body_inertia[b] {
            *moment *= scale;
        }
    }
}

/// The inertial frame of a body that has none: the reference copies the pose of the body itself.
pub(crate) fn default_frame(body: &mut BodyDraft<'_>) {
    if body.inertial.pose.pos[0].is_nan() {
        body.inertial.pose = body.pose;
    }
}

#[cfg(test)]
mod tests {
    use super::super::frames::UNIT;
    use super::*;

    #[test]
    fn two_points_on_a_line() {
        let tiny = [1e-9; 3];
        let parts =
            [1.0, -1.0].map(|x| Part { pose: Pose::new([x, 0.0, 0.0], UNIT), mass: 2.0, moments: tiny });
        let before = Inertial { pose: Pose::IDENTITY, mass: 0.0, moments: [0.0; 3] };
        let all = combine(&parts, &before, false, Reference::default()).unwrap();
        assert_eq!((all.mass, all.pose.pos), (4.0, [0.0; 3]));
        assert!((all.moments[0] - 4.0).abs() < 1e-6 && all.moments[2] < 1e-6);
    }

    #[test]
    fn unphysical_moments_are_refused_or_balanced() {
        let mut inertial = Inertial { pose: Pose::IDENTITY, mass: 1.0, moments: [1.0, 1.0, 3.0] };
        assert!(bound_and_check(&mut inertial, &Compiler::default()).is_err());
        let compiler = Compiler { balanceinertia: true, ..Compiler::default() };
        bound_and_check(&mut inertial, &compiler).unwrap();
        assert_eq!(inertial.moments, [5.0 / 3.0; 3]);
    }
}
