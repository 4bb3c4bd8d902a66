//! Unit vectors and orthonormal frames.

use crate::real::{Mask, Real};
use crate::{MINVAL, Vec3};
use nalgebra::Vector3;

/// Scales `v` to unit length and returns the length it had. A length below [`MINVAL`] gives the x axis.
#[inline]
pub fn normalize3<T: Real>(v: &mut Vector3<T>) -> T {
    let norm2 = v.x * v.x + v.y * v.y + v.z * v.z;
    // what has unit length to the last bit, as most axes of the world do, need not wait for a root and a
    // division
    let unit = norm2.equals(T::ONE);
    if unit.all() {
        return T::ONE;
    }
    let norm = norm2.root();
    let (inverse, old) = (T::ONE / norm, (*v).into());
    let scaled = [v.x * inverse, v.y * inverse, v.z * inverse];
    let short = norm.below(T::splat(MINVAL));
    let long = T::select_all(short, &[T::ONE, T::ZERO, T::ZERO], &scaled);
    *v = T::select_all(unit, &old, &long).into();
    norm
}

/// The first axis of a frame is too short to have a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the first axis of the frame has no direction")]
pub struct UndefinedAxis;

/// Right-handed orthonormal frame, its axes in the rows, from the direction of its first axis and optionally
/// of its second.
///
/// A second axis shorter than one half counts as missing. Without one, y is taken from the global y axis, or
/// from the global z axis when x is within 60° of ±y.
///
/// # Errors
/// When the first axis is shorter than one half.
#[inline]
pub fn make_frame(x: &Vec3, y: Option<&Vec3>) -> Result<[f64; 9], UndefinedAxis> {
    let mut x = *x;
    if normalize3(&mut x) < 0.5 {
        return Err(UndefinedAxis);
    }
    let mut y = match y {
        Some(y) if y.x * y.x + y.y * y.y + y.z * y.z >= 0.25 => *y,
        _ if x.y < 0.5 && x.y > -0.5 => Vec3::new(0.0, 1.0, 0.0),
        _ => Vec3::new(0.0, 0.0, 1.0),
    };
    y -= x * (x.x * y.x + x.y * y.y + x.z * y.z);
    normalize3(&mut y);
    let z = x.cross(&y);
    Ok([x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z])
}
