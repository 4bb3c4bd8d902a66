//! Inflated triangle against sphere, capsule and box.
//!
//! A sphere touches the point of the triangle nearest to its centre. Capsules are tested by their ends and by
//! the vertices of the triangle beside their segment, boxes by the vertices inside and by their own corners:
//! enough for triangles that are small beside the other shape.

use kinetree_math::{MINVAL, Vec3};

use crate::vector::normalize;
use crate::{ContactPoint, Pose};

/// A triangle with a radius around it.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corners (m).
    pub corners: [Vec3; 3],
    /// Radius (m).
    pub radius: f64,
}

type Point2 = [f64; 2];

/// Sign of the area of a triangle in the plane.
fn orientation(a: &Point2, b: &Point2, c: &Point2) -> f64 {
    let area = (a[0] - c[0]) * (b[1] - c[1]) - (b[0] - c[0]) * (a[1] - c[1]);
    if area > 0.0 {
        1.0
    } else if area < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// Point of a segment nearest to `p`, and its distance.
fn nearest_on_segment(p: &Point2, from: &Point2, to: &Point2) -> (Point2, f64) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let offset = [p[0] - from[0], p[1] - from[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    let part = (along[0] * offset[0] + along[1] * offset[1]) / square.max(MINVAL);
    let point = if part <= 0.0 {
        *from
    } else if part >= 1.0 {
        *to
    } else {
        [from[0] + along[0] * part, from[1] + along[1] * part]
    };
    let [dx, dy] = [point[0] - p[0], point[1] - p[1]];
    (point, (dx * dx + dy * dy).sqrt())
}

/// Sphere (shape 1) and triangle: at most one contact. Returns whether there is one.
pub fn sphere_triangle(
    centre: &Vec3,
    radius: f64,
    triangle: &Triangle,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) -> bool {
    let reach = margin + radius + triangle.radius;
    let [origin, second, third] = &triangle.corners;
    let (s, a, b) = (centre - origin, second - origin, third - origin);
    let normal = normalize(&a.cross(&b)).0;
    let height = normal.dot(&s);
    if height.abs() > reach {
        return false;
    }
    // the triangle and the foot of the centre in the plane
    let foot = s - normal * height;
    let (axis1, length) = normalize(&a);
    let axis2 = normalize(&normal.cross(&a)).0;
    let flat = |v: &Vec3| [axis1.dot(v), axis2.dot(v)];
    let (o, a, b, p) = ([0.0; 2], [length, 0.0], flat(&b), flat(&foot));
    let orientations = [orientation(&p, &o, &a), orientation(&p, &a, &b), orientation(&p, &b, &o)];
    let nearest = if orientations[0] == orientations[1] && orientations[1] == orientations[2] {
        foot
    } else {
        let sides =
            [nearest_on_segment(&p, &o, &a), nearest_on_segment(&p, &a, &b), nearest_on_segment(&p, &b, &o)];
        let [d0, d1, d2] = sides.map(|(_, distance)| distance);
        let best = if d0 < d1 && d0 < d2 {
            0
        } else if d1 < d2 {
            1
        } else {
            2
        };
        let [x, y] = sides[best].0;
        axis1 * x + axis2 * y
    };
    let (normal, distance) = normalize(&(nearest - s));
    if distance > reach {
        return false;
    }
    let dist = distance - radius - triangle.radius;
    out.push(ContactPoint {
        dist,
        pos: centre + normal * (radius + dist / 2.0),
        normal,
        tangent: Vec3::zeros(),
    });
    true
}

/// Capsule (shape 1) and triangle: at most five contacts.
pub fn capsule_triangle(
    capsule: &Pose,
    radius: f64,
    half_length: f64,
    triangle: &Triangle,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let axis = capsule.axis(2);
    let ends = [capsule.pos - axis * half_length, capsule.pos + axis * half_length];
    for end in &ends {
        sphere_triangle(end, radius, triangle, margin, out);
    }
    let along = ends[1] - ends[0];
    for corner in &triangle.corners {
        let part = (corner - ends[0]).dot(&along) / (4.0 * half_length * half_length);
        // the ends have been tested; a capsule without length has nothing between them
        let beside = part > MINVAL && part < 1.0 - MINVAL;
        if !beside {
            continue;
        }
        let closest = ends[0] + along * part;
        let (normal, distance) = normalize(&(corner - closest));
        if distance > radius + triangle.radius + margin {
            continue;
        }
        out.push(ContactPoint {
            dist: distance - radius - triangle.radius,
            pos: (closest + corner + normal * (radius - triangle.radius)) * 0.5,
            normal,
            tangent: Vec3::zeros(),
        });
    }
}

/// Box (shape 1) and triangle: at most eleven contacts.
pub fn box_triangle(cube: &Pose, half: &Vec3, triangle: &Triangle, margin: f64, out: &mut Vec<ContactPoint>) {
    for corner in &triangle.corners {
        let local = cube.mat.tr_mul(&(corner - cube.pos));
        let outside = local.abs() - half;
        let mut axis = 0;
        for k in 1..3 {
            if outside[k] > outside[axis] {
                axis = k;
            }
        }
        if outside.iter().any(|&x| x > margin + triangle.radius) {
            continue;
        }
        let normal = cube.axis(axis) * if local[axis] > 0.0 { 1.0 } else { -1.0 };
        let dist = outside[axis] - triangle.radius;
        out.push(ContactPoint {
            dist,
            pos: corner - normal * (triangle.radius + dist * 0.5),
            normal,
            tangent: Vec3::zeros(),
        });
    }
    for bits in 0..8 {
        let local = Vec3::from_fn(|k, _| if bits & (1 << k) != 0 { half[k] } else { -half[k] });
        sphere_triangle(&(cube.mat * local + cube.pos), 0.0, triangle, margin, out);
    }
}
