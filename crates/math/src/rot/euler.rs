//! Euler angles with any sequence of axes, such as `xyz` or `ZYX`.

use super::quat::{QUAT_IDENTITY, quat_mul};
use crate::Quat;

/// Why a sequence of Euler axes cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EulerError {
    /// The sequence does not have exactly three letters.
    #[error("an Euler sequence has exactly 3 letters, not {0}")]
    Length(usize),
    /// A letter is none of `x`, `y`, `z`, `X`, `Y`, `Z`.
    #[error("'{0}' is not an Euler axis, use x, y, z (moving axes) or X, Y, Z (fixed axes)")]
    Axis(char),
}

/// Quaternion of three successive rotations by the angles (radians) about the axes named in `seq`.
///
/// A lower-case letter rotates about an axis of the moving frame (multiplies on the right), an upper-case one
/// about a fixed axis (multiplies on the left).
///
/// # Errors
/// When `seq` is not three letters of `xyzXYZ`.
pub fn euler_to_quat(angles: &[f64; 3], seq: &str) -> Result<Quat, EulerError> {
    let count = seq.chars().count();
    if count != 3 {
        return Err(EulerError::Length(count));
    }
    let mut q = QUAT_IDENTITY;
    for (angle, letter) in angles.iter().zip(seq.chars()) {
        let component = match letter.to_ascii_lowercase() {
            'x' => 1,
            'y' => 2,
            'z' => 3,
            _ => return Err(EulerError::Axis(letter)),
        };
        let mut rotation = [libm::cos(angle / 2.0), 0.0, 0.0, 0.0];
        rotation[component] = libm::sin(angle / 2.0);
        q = if letter.is_ascii_lowercase() { quat_mul(&q, &rotation) } else { quat_mul(&rotation, &q) };
    }
    Ok(q)
}
