//! A first polytope for EPA from the simplex that GJK ended with.
//!
//! A tetrahedron is used as it is. A triangle becomes a double pyramid with the support points on its two
//! sides as tips. A segment becomes a double pyramid over three support points around it, 120° apart.
//! Whenever the origin lies on a face, that face becomes the new triangle to start from.

use super::polytope::Polytope;
use super::search::Search;
use super::simplex::Areas;
use super::support::Supports;
use super::vec::{Axes, Point, V3, cross, det, norm, sub};
use kinetree_math::MINVAL;

const MINVAL2: f64 = MINVAL * MINVAL;

/// Fill `polytope` from the simplex of `search`; `false` if the origin is not strictly inside.
pub(crate) fn make_initial_polytope(
    polytope: &mut Polytope,
    search: &mut Search,
    pair: &mut impl Supports,
    iterations: usize,
) -> bool {
    polytope.clear(iterations);
    match search.size {
        2 => from_segment(polytope, search, pair),
        3 => from_triangle(polytope, search, pair),
        4 => from_tetrahedron(polytope, search, pair),
        _ => false,
    }
}

/// Start again from one face of the polytope.
fn restart(polytope: &mut Polytope, search: &mut Search, pair: &mut impl Supports, face: [u16; 3]) -> bool {
    search.size = 3;
    for (slot, vertex) in face.into_iter().enumerate() {
        search.simplex[slot] = *polytope.vertex(vertex);
    }
    polytope.restart();
    from_triangle(polytope, search, pair)
}

fn from_segment(polytope: &mut Polytope, search: &mut Search, pair: &mut impl Supports) -> bool {
    let (tip1, tip2) = (search.simplex[0].diff, search.simplex[1].diff);
    let (tip1, tip2) = (tip1.array(), tip2.array());
    let along = sub(&tip2, &tip1);

    // the coordinate axis most across the segment gives the longest cross product
    let mut across = 0;
    let mut smallest = f64::MAX;
    for i in 0..3 {
        if along[i].abs() < smallest {
            (across, smallest) = (i, along[i].abs());
        }
    }
    let mut axis = [0.0; 3];
    axis[across] = 1.0;
    let rotation = third_of_rotation(&along);
    let d1 = cross(&axis, &along);
    let d2 = rotation.to_world(&d1);
    let d3 = rotation.to_world(&d2);

    let t1 = polytope.insert_vertex(&search.simplex[0]);
    let t2 = polytope.insert_vertex(&search.simplex[1]);
    let r1 = polytope.insert_support(pair, d1.into(), norm(&d1));
    let r2 = polytope.insert_support(pair, d2.into(), norm(&d2));
    let r3 = polytope.insert_support(pair, d3.into(), norm(&d3));

    for (face, adjacent) in [
        ([t1, r1, r2], [1, 3, 2]),
        ([t1, r3, r1], [2, 4, 0]),
        ([t1, r2, r3], [0, 5, 1]),
        ([t2, r2, r1], [5, 0, 4]),
        ([t2, r1, r3], [3, 1, 5]),
        ([t2, r3, r2], [4, 2, 3]),
    ] {
        if polytope.attach(face, adjacent) < MINVAL2 {
            return restart(polytope, search, pair, face);
        }
    }
    let [ring1, ring2, ring3] = [r1, r2, r3].map(|vertex| polytope.point(vertex).array());
    if !line_meets_triangle(&tip1, &tip2, &ring1, &ring2, &ring3) {
        return false;
    }
    polytope.open_all();
    true
}

fn from_triangle(polytope: &mut Polytope, search: &Search, pair: &mut impl Supports) -> bool {
    let [a, b, c] = [&search.simplex[0], &search.simplex[1], &search.simplex[2]];
    let normal = (b.diff - a.diff).cross(c.diff - a.diff);
    let length = normal.norm2().sqrt();
    if length < MINVAL {
        return false;
    }
    let v1 = polytope.insert_vertex(a);
    let v2 = polytope.insert_vertex(b);
    let v3 = polytope.insert_vertex(c);
    let below = polytope.insert_support(pair, -normal, length);
    let above = polytope.insert_support(pair, normal, length);
    for tip in [above, below] {
        if triangle_holds(a.diff, b.diff, c.diff, polytope.point(tip)) {
            return false;
        }
    }
    for (face, adjacent) in [
        ([above, v1, v2], [1, 3, 2]),
        ([above, v3, v1], [2, 4, 0]),
        ([above, v2, v3], [0, 5, 1]),
        ([below, v2, v1], [5, 0, 4]),
        ([below, v1, v3], [3, 1, 5]),
        ([below, v3, v2], [4, 2, 3]),
    ] {
        if polytope.attach(face, adjacent) < MINVAL2 {
            return false;
        }
    }
    polytope.open_all();
    true
}

fn from_tetrahedron(polytope: &mut Polytope, search: &mut Search, pair: &mut impl Supports) -> bool {
    let [a, b, c, d] = search.tetrahedron();
    let (v1, v2) = (polytope.insert_vertex(a), polytope.insert_vertex(b));
    let (v3, v4) = (polytope.insert_vertex(c), polytope.insert_vertex(d));
    for (face, adjacent) in [
        ([v1, v2, v3], [1, 3, 2]),
        ([v1, v4, v2], [2, 3, 0]),
        ([v1, v3, v4], [0, 3, 1]),
        ([v4, v3, v2], [2, 0, 1]),
    ] {
        if polytope.attach(face, adjacent) < MINVAL2 {
            return restart(polytope, search, pair, face);
        }
    }
    let (p1, p2, p3, p4) = (polytope.point(v1), polytope.point(v2), polytope.point(v3), polytope.point(v4));
    if !(same_side(p1, p2, p3, p4)
        && same_side(p2, p3, p4, p1)
        && same_side(p3, p4, p1, p2)
        && same_side(p4, p1, p2, p3))
    {
        return false;
    }
    polytope.open_all();
    true
}

/// Whether the origin and `d` lie strictly on the same side of the plane `a b c`.
fn same_side(a: Point, b: Point, c: Point, d: Point) -> bool {
    let normal = (b - a).cross(c - a);
    let (point, origin) = (normal.dot(d - a), normal.dot(-a));
    (point > 0.0 && origin > 0.0) || (point < 0.0 && origin < 0.0)
}

/// Rotation by 120° about `axis`.
fn third_of_rotation(axis: &V3) -> Axes {
    let length = norm(axis);
    let [x, y, z] = [axis[0] / length, axis[1] / length, axis[2] / length];
    // rounded to eleven digits on purpose: the directions only need to be distinct, and have to be these ones
    let sin = 0.86602540378;
    let cos = -0.5;
    let rest = 1.0 - cos;
    Axes([
        [cos + x * x * rest, y * x * rest + z * sin, x * z * rest - y * sin],
        [x * y * rest - z * sin, cos + y * y * rest, y * z * rest + x * sin],
        [x * z * rest + y * sin, y * z * rest - x * sin, cos + z * z * rest],
    ])
}

/// Whether the line through `p` and `q` passes through the triangle `a b c`.
fn line_meets_triangle(p: &V3, q: &V3, a: &V3, b: &V3, c: &V3) -> bool {
    let along = sub(q, p);
    let [pa, pb, pc] = [sub(a, p), sub(b, p), sub(c, p)];
    let volume = [det(&pa, &pb, &along), det(&pb, &pc, &along), det(&pc, &pa, &along)];
    volume.iter().all(|&v| v >= 0.0) || volume.iter().all(|&v| v <= 0.0)
}

/// Whether `p` lies in the triangle `a b c`, to rounding.
fn triangle_holds(a: Point, b: Point, c: Point, p: Point) -> bool {
    let [wa, wb, wc] = Areas::new(a, b, c, p).coordinates().array();
    if wa < 0.0 || wb < 0.0 || wc < 0.0 {
        return false;
    }
    (a * wa + b * wb + c * wc - p).norm2().sqrt() < MINVAL
}

#[cfg(test)]
mod tests {
    use super::super::support::Vertex;
    use super::*;

    /// A ball around a point.
    struct Ball(Point);

    impl Supports for Ball {
        fn support(&mut self, dir: Point) -> Vertex {
            Vertex { diff: self.0 + dir, ..Vertex::default() }
        }
    }

    /// Every first polytope is closed: its faces name each other as neighbours over the edges that they
    /// share.
    #[test]
    fn faces_are_neighbours_of_each_other() {
        let corners = [[0.9, 0.1, 0.2], [-0.5, 0.8, 0.1], [-0.4, -0.7, 0.5], [0.1, 0.05, -0.9]];
        for (size, faces) in [(2, 6), (3, 6), (4, 4)] {
            let mut search = Search::default();
            (search.size, search.has_witness) = (size, true);
            if size == 2 {
                search.simplex[0].diff = Point::new(0.1, -0.2, 0.9);
                search.simplex[1].diff = Point::new(-0.1, 0.2, -0.9);
            } else {
                for (vertex, [x, y, z]) in search.simplex.iter_mut().zip(corners) {
                    vertex.diff = Point::new(x, y, z);
                }
            }
            let mut polytope = Polytope::default();
            assert!(make_initial_polytope(&mut polytope, &mut search, &mut Ball(Point::default()), 10));
            assert_eq!(polytope.check_neighbours(), faces);
        }
    }
}
