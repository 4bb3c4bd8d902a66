//! Nearest points of triangles and segments, as weights of their corners.

use kinetree_math::Vec3;

/// Weights of the corners at the point of a triangle that is nearest to a point: its projection if that is
/// inside, else the nearest point of an edge.
pub(crate) fn nearest_in_triangle([a, b, c]: &[Vec3; 3], point: &Vec3) -> [f64; 3] {
    let normal = (b - a).cross(&(c - a));
    let area2 = normal.norm_squared();
    let part = |from: &Vec3, to: &Vec3| (to - from).cross(&(point - from)).dot(&normal) / area2;
    let inner = [part(b, c), part(c, a), part(a, b)];
    // a triangle without area has parts that are not numbers
    if inner.iter().all(|&part| part >= 0.0) {
        return inner;
    }
    let edges = [(a, b, [0, 1]), (b, c, [1, 2]), (c, a, [2, 0])].map(|(from, to, corners)| {
        let along = nearest_on_segment(from, to, point);
        let mut weights = [0.0; 3];
        (weights[corners[0]], weights[corners[1]]) = (1.0 - along, along);
        ((from + along * (to - from) - point).norm_squared(), weights)
    });
    let [first, second, third] = edges;
    let best = if second.0 < first.0 { second } else { first };
    if third.0 < best.0 { third.1 } else { best.1 }
}

/// How far along a segment its nearest point to a point lies, between zero and one.
fn nearest_on_segment(from: &Vec3, to: &Vec3, point: &Vec3) -> f64 {
    let edge = to - from;
    let length2 = edge.norm_squared();
    if length2 > 0.0 { ((point - from).dot(&edge) / length2).clamp(0.0, 1.0) } else { 0.0 }
}

/// How far along two segments their nearest points lie, each between zero and one (Ericson 2004, §5.1.9).
pub(crate) fn nearest_of_segments(first: [&Vec3; 2], second: [&Vec3; 2]) -> [f64; 2] {
    let (u, v) = (first[1] - first[0], second[1] - second[0]);
    let between = first[0] - second[0];
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let (along_u, along_v) = (u.dot(&between), v.dot(&between));
    let determinant = uu * vv - uv * uv;
    // parallel segments are equally far apart in many places: begin with the first end
    let start = if determinant > 1e-12 * uu * vv { (uv * along_v - along_u * vv) / determinant } else { 0.0 };
    let start = start.clamp(0.0, 1.0);
    let wanted = if vv > 0.0 { (uv * start + along_v) / vv } else { 0.0 };
    let t = wanted.clamp(0.0, 1.0);
    if wanted == t {
        return [start, t];
    }
    let s = if uu > 0.0 { ((uv * t - along_u) / uu).clamp(0.0, 1.0) } else { 0.0 };
    [s, t]
}

#[cfg(test)]
mod tests {
    use super::{nearest_in_triangle, nearest_of_segments};
    use kinetree_math::Vec3;

    /// Numbers between −1 and 1 that look random.
    fn vectors() -> impl Iterator<Item = Vec3> {
        let mut k = 0.0_f64;
        let mut next = move || {
            k += 1.0;
            2.0 * (43_758.545 * (12.9898 * k).sin()).fract().abs() - 1.0
        };
        std::iter::repeat_with(move || Vec3::new(next(), next(), next()))
    }

    #[test]
    fn no_other_point_of_a_triangle_is_nearer() {
        let mut vectors = vectors();
        for _ in 0..200 {
            let mut next = || vectors.next().expect("there are always more");
            let (corners, point) = ([next(), next(), next()], next());
            let at = |w: [f64; 3]| (0..3).fold(Vec3::zeros(), |sum, k| sum + w[k] * corners[k]);
            let weights = nearest_in_triangle(&corners, &point);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let nearest = (at(weights) - point).norm();
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (s, t) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                    assert!((at([1.0 - s - t, s, t]) - point).norm() > nearest - 1e-12);
                }
            }
        }
    }

    #[test]
    fn no_other_points_of_two_segments_are_nearer() {
        let mut vectors = vectors();
        for case in 0..200 {
            let mut next = || vectors.next().expect("there are always more");
            let (a, b, c) = (next(), next(), next());
            let d = if case % 5 == 0 { c + 0.7 * (b - a) } else { next() };
            let gap = |s: f64, t: f64| (a + s * (b - a) - c - t * (d - c)).norm();
            let [s, t] = nearest_of_segments([&a, &b], [&c, &d]);
            for (i, j) in (0..=20).flat_map(|i| (0..=20).map(move |j| (i, j))) {
                assert!(gap(f64::from(i) / 20.0, f64::from(j) / 20.0) > gap(s, t) - 1e-9, "case {case}");
            }
        }
    }
}
