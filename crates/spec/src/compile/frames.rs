//! Poses of elements: orientation forms, accumulation of frames, and the flags that say which frames
//! coincide.
//!
//! A pose `(p, q)` in the frame of a parent pose `(P, Q)` becomes `(P + R(Q) p, Q q)`; nested `<frame>`
//! elements dissolve this way. Quaternions are normalized after each product, as later comparisons of frames
//! ask for equality within 1e-6.

use kinetree_math::{Vec3, rot};
use kinetree_model::enums::SameFrame;

use crate::assets::linalg::{V3, cross, dot, mat_mul_vec, normalize, quat_to_mat};
use crate::spec::{Compiler, Orientation};

/// Numbers below this count as zero while elements are resolved.
pub(crate) const TINY: f64 = 1e-14;
/// Frames that differ by less count as the same.
const FRAME_TOLERANCE: f64 = 1e-6;
/// The rotation that changes nothing.
pub(crate) const UNIT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// Position and orientation in the frame of a parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub(crate) pos: V3,
    pub(crate) quat: [f64; 4],
}

impl Pose {
    pub(crate) const IDENTITY: Self = Self { pos: [0.0; 3], quat: UNIT };

    pub(crate) fn new(pos: V3, quat: [f64; 4]) -> Self {
        Self { pos, quat }
    }

    /// A pose given in the frame of this one, expressed in the parent frame of this one.
    pub(crate) fn compose(&self, child: &Self) -> Self {
        let moved = mat_mul_vec(&quat_to_mat(&self.quat), &child.pos);
        Self {
            pos: std::array::from_fn(|i| self.pos[i] + moved[i]),
            quat: quat_product(&self.quat, &child.quat),
        }
    }

    /// The pose of the parent frame seen from this one.
    pub(crate) fn inverse(&self) -> Self {
        let quat = [self.quat[0], -self.quat[1], -self.quat[2], -self.quat[3]];
        Self { pos: mat_mul_vec(&quat_to_mat(&quat), &self.pos).map(|x| -x), quat }
    }
}

/// Normalized product of two rotations.
pub(crate) fn quat_product(a: &[f64; 4], b: &[f64; 4]) -> [f64; 4] {
    let mut product = rot::quat_mul(a, b);
    normalize(&mut product);
    product
}

/// Rotates a vector.
pub(crate) fn rotate(quat: &[f64; 4], v: &V3) -> V3 {
    rot::quat_rotate(quat, &Vec3::from(*v)).into()
}

/// Smallest rotation that takes the z axis to a unit vector.
pub(crate) fn z_axis_to_quat(axis: &V3) -> [f64; 4] {
    let mut axis_of_rotation = cross(&[0.0, 0.0, 1.0], axis);
    let sine = normalize(&mut axis_of_rotation);
    if sine < 1e-10 {
        axis_of_rotation = [1.0, 0.0, 0.0];
    }
    let half = libm::atan2(sine, axis[2]) / 2.0;
    let s = libm::sin(half);
    [libm::cos(half), axis_of_rotation[0] * s, axis_of_rotation[1] * s, axis_of_rotation[2] * s]
}

impl Orientation {
    /// The quaternion, with angles in degrees or radians and the axes of Euler angles.
    ///
    /// # Errors
    /// When an axis is too small or the sequence is not three of the letters x, y, z, X, Y, Z.
    pub fn to_quat(self, degree: bool, eulerseq: &str) -> Result<[f64; 4], &'static str> {
        let eulerseq = eulerseq.as_bytes().try_into().map_err(|_| "an Euler sequence has three letters")?;
        let compiler = Compiler { degree, eulerseq, ..Compiler::default() };
        resolve_orientation(&UNIT, &self, &compiler)
    }
}

/// Orientation that an element asks for, in radians and as a quaternion. `quat` is what the quaternion
/// attribute holds; it is returned untouched (and not normalized) when no other form was used.
pub(crate) fn resolve_orientation(
    quat: &[f64; 4],
    alternative: &Orientation,
    compiler: &Compiler,
) -> Result<[f64; 4], &'static str> {
    let to_radian = |angle: f64| if compiler.degree { angle / 180.0 * std::f64::consts::PI } else { angle };
    match alternative {
        Orientation::Quat => Ok(*quat),
        Orientation::AxisAngle([x, y, z, angle]) => {
            let mut axis = [*x, *y, *z];
            if normalize(&mut axis) < TINY {
                return Err("the axis of 'axisangle' is too small");
            }
            let half = to_radian(*angle) / 2.0;
            let s = libm::sin(half);
            Ok([libm::cos(half), s * axis[0], s * axis[1], s * axis[2]])
        }
        Orientation::XyAxes([a, b, c, d, e, f]) => xy_axes_to_quat([*a, *b, *c], [*d, *e, *f]),
        Orientation::ZAxis(axis) => {
            let mut axis = *axis;
            if normalize(&mut axis) < TINY {
                return Err("'zaxis' is too small");
            }
            Ok(z_axis_to_quat(&axis))
        }
        Orientation::Euler(angles) => euler_to_quat(&angles.map(to_radian), &compiler.eulerseq),
    }
}

/// Frame from an x axis and a y axis that is made orthogonal to it.
fn xy_axes_to_quat(mut x: V3, mut y: V3) -> Result<[f64; 4], &'static str> {
    if normalize(&mut x) < TINY {
        return Err("the x axis of 'xyaxes' is too small");
    }
    let along = dot(&x, &y);
    for i in 0..3 {
        y[i] -= x[i] * along;
    }
    if normalize(&mut y) < TINY {
        return Err("the y axis of 'xyaxes' is too small or parallel to the x axis");
    }
    let mut z = cross(&x, &y);
    if normalize(&mut z) < TINY {
        return Err("the axes of 'xyaxes' are parallel");
    }
    let columns = rot::mat3(&[x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]);
    Ok(rot::mat_to_quat(&columns))
}

/// Three rotations about the axes of the sequence; lower case moves with the frame, upper case stays fixed.
fn euler_to_quat(angles: &V3, sequence: &[u8; 3]) -> Result<[f64; 4], &'static str> {
    let mut quat = UNIT;
    for (angle, letter) in angles.iter().zip(sequence) {
        let component = match letter.to_ascii_lowercase() {
            b'x' => 1,
            b'y' => 2,
            b'z' => 3,
            _ => return Err("'eulerseq' can only contain x, y, z, X, Y, Z"),
        };
        let mut rotation = [libm::cos(angle / 2.0), 0.0, 0.0, 0.0];
        rotation[component] = libm::sin(angle / 2.0);
        quat = if letter.is_ascii_lowercase() {
            quat_product(&quat, &rotation)
        } else {
            quat_product(&rotation, &quat)
        };
    }
    Ok(quat)
}

/// Whether two positions agree.
pub(crate) fn same_position(a: &V3, b: &V3) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() < FRAME_TOLERANCE)
}

/// Whether two quaternions stand for the same rotation.
fn same_rotation(a: &[f64; 4], b: &[f64; 4]) -> bool {
    (0..4).all(|i| (a[i] - b[i]).abs() < FRAME_TOLERANCE)
        || (0..4).all(|i| (a[i] + b[i]).abs() < FRAME_TOLERANCE)
}

/// How the inertial frame of a body relates to its body frame.
pub(crate) fn body_same_frame(inertial: &Pose) -> SameFrame {
    if !same_rotation(&inertial.quat, &UNIT) {
        SameFrame::None
    } else if same_position(&inertial.pos, &[0.0; 3]) {
        SameFrame::Body
    } else {
        SameFrame::Bodyrot
    }
}

/// How the frame of a geom or site relates to the body frame and the inertial frame of its body.
pub(crate) fn child_same_frame(pose: &Pose, inertial: &Pose) -> SameFrame {
    match body_same_frame(pose) {
        SameFrame::None if !same_rotation(&pose.quat, &inertial.quat) => SameFrame::None,
        SameFrame::None if same_position(&pose.pos, &inertial.pos) => SameFrame::Inertia,
        SameFrame::None => SameFrame::Inertiarot,
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-12)
    }

    #[test]
    fn inverse_undoes_a_pose() {
        let mut quat = [0.3, -0.2, 0.5, 0.7];
        normalize(&mut quat);
        let pose = Pose::new([1.0, -2.0, 3.0], quat);
        let round = pose.compose(&pose.inverse());
        assert!(close(&round.pos, &[0.0; 3]) && close(&round.quat, &UNIT));
    }

    #[test]
    fn forms_of_a_quarter_turn_agree() {
        let compiler = Compiler::default();
        let s = 0.5f64.sqrt();
        let expected = [s, s, 0.0, 0.0];
        for form in [
            Orientation::AxisAngle([2.0, 0.0, 0.0, 90.0]),
            Orientation::XyAxes([3.0, 0.0, 0.0, 1.0, 0.0, 2.0]),
            Orientation::ZAxis([0.0, -4.0, 0.0]),
            Orientation::Euler([90.0, 0.0, 0.0]),
        ] {
            let quat = resolve_orientation(&UNIT, &form, &compiler).unwrap();
            assert!(close(&quat, &expected), "{form:?} gave {quat:?}");
        }
        assert!(resolve_orientation(&UNIT, &Orientation::ZAxis([0.0; 3]), &compiler).is_err());
    }

    #[test]
    fn frames_are_compared_up_to_sign() {
        let inertial = Pose::new([0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(body_same_frame(&Pose::IDENTITY), SameFrame::Body);
        assert_eq!(body_same_frame(&inertial), SameFrame::None);
        let flipped = Pose::new([0.0, 0.0, 1.0], [0.0, -1.0, 0.0, 0.0]);
        assert_eq!(child_same_frame(&flipped, &inertial), SameFrame::Inertia);
        assert_eq!(child_same_frame(&Pose::new([0.0; 3], flipped.quat), &inertial), SameFrame::Inertiarot);
    }
}
