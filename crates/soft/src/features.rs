//! Contacts of the edges and faces of a deformable body with the corners and edges of geoms.
//!
//! Two convex polyhedra touch at a vertex and a face or at two edges. Vertices of the deformable body are
//! balls, which `contact.rs` tests against all of a geom; what is left are its faces against corners of the
//! geom and its edges against edges of the geom. A contact is taken when the geom lies behind the plane
//! through it, so that its normal leads out of the geom, also from inside. Cylinders, ellipsoids and height
//! fields have no such features: their nearest point to each face counts.

use kinetree_collide::{
    CcdScratch, CcdSettings, ContactPoint, Pose, Shape, Simplex, convex_simplex, hfield_simplex,
};
use kinetree_math::{Mat3, Vec3};

use crate::geom_feature::GeomFeature;
use crate::mutual::{Bounds, Grid};
use crate::nearest::{nearest_in_triangle, nearest_of_segments};
use crate::place::Place;
use crate::polyhedron::Polyhedron;
use crate::surface::Surface;

/// A polyhedron with more features than this has them sorted into a grid.
const MANY: usize = 24;

/// A deformable body in the frame of a geom.
pub(crate) struct LocalBody<'a> {
    pub(crate) surface: &'a Surface,
    pub(crate) position: &'a [Vec3],
    /// How far each vertex may come in a step (m).
    pub(crate) reach: &'a [f64],
    /// A bit for each side of the geom's box beyond which a vertex stays.
    pub(crate) outside: &'a [u8],
    pub(crate) radius: f64,
    /// Distance from surface to surface within which there is a contact of things at rest (m).
    pub(crate) margin: f64,
    /// Half sizes of the geom's box (m).
    pub(crate) half: Vec3,
}

impl LocalBody<'_> {
    /// Whether vertices are all beyond one side of the box.
    fn misses(&self, vertices: &[u32]) -> bool {
        vertices.iter().fold(u8::MAX, |bits, &v| bits & self.outside[v as usize]) != 0
    }

    /// How near the surfaces of geom and vertices have to come (m).
    fn limit(&self, vertices: &[u32]) -> f64 {
        self.margin + vertices.iter().fold(0.0, |most: f64, &v| most.max(self.reach[v as usize]))
    }

    fn at<const N: usize>(&self, vertices: &[u32; N]) -> [Vec3; N] {
        vertices.map(|v| self.position[v as usize])
    }

    /// Whether an edge or face may touch the geom, as far as its box tells.
    pub(crate) fn may_touch(&self) -> bool {
        self.surface.edges.iter().any(|edge| !self.misses(edge))
    }
}

/// Working memory.
#[derive(Default)]
pub(crate) struct FeatureScratch {
    polyhedron: Polyhedron,
    corners: Lookup,
    edges: Lookup,
    candidates: Vec<u32>,
    points: Vec<ContactPoint>,
}

/// Features near a box.
#[derive(Default)]
struct Lookup {
    grid: Grid,
    bounds: Vec<Bounds>,
}

impl Lookup {
    fn fill(&mut self, bounds: impl Iterator<Item = Bounds>) {
        self.bounds.clear();
        self.bounds.extend(bounds);
        if self.bounds.len() > MANY {
            let sizes = self.bounds.iter().map(|[low, high]| (high - low).max());
            let all = self
                .bounds
                .iter()
                .skip(1)
                .fold(self.bounds[0], |[low, high], other| [low.inf(&other[0]), high.sup(&other[1])]);
            // corners have no size: about as many cells along a side as there are features on it
            let spacing = (all[1] - all[0]).max() / (self.bounds.len() as f64).sqrt();
            let cell = sizes.fold(spacing, f64::max);
            self.grid.fill(cell.max(f64::MIN_POSITIVE), self.bounds.iter().copied());
        }
    }

    fn near(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        if self.bounds.len() > MANY {
            self.grid.overlapping(bounds, found);
        } else {
            found.clear();
            found.extend(0..self.bounds.len() as u32);
        }
        let [low, high] = bounds;
        found.retain(|&k| {
            let [other_low, other_high] = &self.bounds[k as usize];
            (0..3).all(|axis| low[axis] <= other_high[axis] && other_low[axis] <= high[axis])
        });
    }
}

/// Box around points, widened on all sides.
fn around(points: &[Vec3], by: f64) -> Bounds {
    let (low, high) =
        points.iter().skip(1).fold((points[0], points[0]), |(low, high), x| (low.inf(x), high.sup(x)));
    [low.add_scalar(-by), high.add_scalar(by)]
}

/// Calls `found` with the places of a body that touch a geom, in the frame of the geom: distance of the
/// surfaces, the direction from the geom to the body, and what of the geom they touch.
pub(crate) fn for_each_contact(
    shape: &Shape<'_>,
    body: &LocalBody<'_>,
    scratch: &mut FeatureScratch,
    (settings, ccd): (&CcdSettings, &mut CcdScratch),
    mut found: impl FnMut(Place, f64, Vec3, GeomFeature),
) {
    let found = &mut |place: Place, (gap, normal): (f64, Vec3), feature: GeomFeature, limit: f64| {
        if gap <= limit && !place.is_vertex() {
            found(place, gap, normal, feature);
        }
    };
    if !body.may_touch() {
        return;
    }
    if matches!(shape, Shape::Cylinder { .. } | Shape::Ellipsoid { .. } | Shape::HeightField(_)) {
        nearest_of_faces(shape, body, &mut scratch.points, (settings, ccd), found);
    } else if scratch.polyhedron.fill(shape) {
        let FeatureScratch { polyhedron, corners, edges, candidates, .. } = scratch;
        corners.fill(polyhedron.corners().map(|x| [x, x]));
        edges.fill(polyhedron.edges.iter().map(|edge| around(&edge.ends, 0.0)));
        faces_on_corners(polyhedron, body, corners, candidates, found);
        edges_on_edges(polyhedron, body, edges, candidates, found);
        if polyhedron.radius > 0.0 {
            edges_on_balls(polyhedron, body, found);
        }
    }
}

/// What a search calls with a place, its gap and the normal, what it touches and the largest gap of a
/// contact.
type Found<'a> = &'a mut dyn FnMut(Place, (f64, Vec3), GeomFeature, f64);

fn faces_on_corners(
    hull: &Polyhedron,
    body: &LocalBody<'_>,
    lookup: &Lookup,
    candidates: &mut Vec<u32>,
    found: Found<'_>,
) {
    let deep = body.half.min();
    for face in body.surface.faces.iter().filter(|face| !body.misses(*face)) {
        let (x, limit) = (body.at(face), body.limit(face));
        let [u, v] = [x[1] - x[0], x[2] - x[0]];
        let cross = u.cross(&v);
        let (area2, Some(up)) = (cross.norm_squared(), cross.try_normalize(0.0)) else { continue };
        lookup.near(&around(&x, (limit + hull.radius + body.radius).max(deep)), candidates);
        for &index in candidates.iter() {
            let corner = lookup.bounds[index as usize][0];
            let from = corner - x[0];
            let (b, c) = (from.cross(&v).dot(&cross) / area2, u.cross(&from).dot(&cross) / area2);
            if b < 0.0 || c < 0.0 || b + c > 1.0 {
                continue;
            }
            let height = -up.dot(&from);
            // the side that the face is on comes first
            let sides = if height < 0.0 { [-up, up] } else { [up, -up] };
            let Some(normal) = sides.into_iter().find(|side| hull.is_behind(index as usize, side)) else {
                continue;
            };
            let distance = normal.dot(&up) * height;
            if distance >= 0.0 || hull.is_shortest_way_out(&x, &normal, -distance) {
                let place = Place { vertices: *face, weights: [1.0 - b - c, b, c] };
                let gap = distance - hull.radius - body.radius;
                found(place, (gap, normal), GeomFeature::Corner(corner), limit);
            }
        }
    }
}

fn edges_on_edges(
    hull: &Polyhedron,
    body: &LocalBody<'_>,
    lookup: &Lookup,
    candidates: &mut Vec<u32>,
    found: Found<'_>,
) {
    let deep = body.half.min();
    for edge in body.surface.edges.iter().filter(|edge| !body.misses(*edge)) {
        let (x, limit) = (body.at(edge), body.limit(edge));
        lookup.near(&around(&x, (limit + hull.radius + body.radius).max(deep)), candidates);
        for &index in candidates.iter() {
            let other = &hull.edges[index as usize];
            let Some(mut normal) = other.normal_with(&(x[1] - x[0])) else { continue };
            let mut distance = normal.dot(&(x[0] - other.ends[0]));
            if hull.radius > 0.0 && distance < 0.0 {
                (normal, distance) = (-normal, -distance);
            }
            let [along, on_hull] = crossing(&x, &other.ends, &normal);
            let inside = along > 0.0 && along < 1.0 && (0.0..=1.0).contains(&on_hull);
            if inside && (distance >= 0.0 || hull.is_shortest_way_out(&x, &normal, -distance)) {
                let (place, gap) = (Place::on_edge(*edge, along), distance - hull.radius - body.radius);
                found(place, (gap, normal), GeomFeature::Edge(other.ends), limit);
            }
        }
    }
}

/// Where two lines cross that are seen along the normal of both, in parts of their lengths.
fn crossing([a, b]: &[Vec3; 2], [c, d]: &[Vec3; 2], normal: &Vec3) -> [f64; 2] {
    let (u, v, between) = (b - a, d - c, c - a);
    let area = u.cross(&v).dot(normal);
    [between.cross(&v).dot(normal) / area, between.cross(&u).dot(normal) / area]
}

/// Edges against spheres and the ends of capsules, where a sheet ends or is folded around them.
fn edges_on_balls(hull: &Polyhedron, body: &LocalBody<'_>, found: Found<'_>) {
    for edge in body.surface.edges.iter().filter(|edge| !body.misses(*edge)) {
        let (x, limit) = (body.at(edge), body.limit(edge));
        for (index, center) in hull.corners().enumerate() {
            let [along, _] = nearest_of_segments([&x[0], &x[1]], [&center, &center]);
            let between = x[0] + along * (x[1] - x[0]) - center;
            let distance = between.norm();
            let Some(normal) = between.try_normalize(0.0) else { continue };
            if hull.is_behind(index, &normal) {
                let (place, gap) = (Place::on_edge(*edge, along), distance - hull.radius - body.radius);
                found(place, (gap, normal), GeomFeature::Corner(center), limit);
            }
        }
    }
}

/// The point of each face, or of each segment of a rope, that is nearest to the geom.
fn nearest_of_faces(
    shape: &Shape<'_>,
    body: &LocalBody<'_>,
    points: &mut Vec<ContactPoint>,
    (settings, ccd): (&CcdSettings, &mut CcdScratch),
    found: Found<'_>,
) {
    // in the frame of the geom
    let origin = Pose { pos: Vec3::zeros(), mat: Mat3::identity() };
    let mut test = |vertices: &[u32], x: &[Vec3], found: Found<'_>| {
        let limit = body.limit(vertices);
        let center = x.iter().fold(Vec3::zeros(), |sum, x| sum + x) / x.len() as f64;
        let simplex = Simplex::new(x.iter().map(|&x| x.into()), center.into(), body.radius);
        points.clear();
        match shape {
            Shape::HeightField(field) => {
                hfield_simplex(field, &origin, &simplex, limit, settings, ccd, points);
            }
            _ => convex_simplex(shape, &origin, &simplex, limit, settings, ccd, points),
        }
        // a height field may touch a face in several of its prisms
        let Some(point) = points.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)) else { return };
        let on_body = point.pos + (body.radius + 0.5 * point.dist) * point.normal;
        let place = match *vertices {
            [a, b, c] => {
                let weights = nearest_in_triangle(&[x[0], x[1], x[2]], &on_body);
                Place { vertices: [a, b, c], weights }
            }
            [a, b] => {
                let [along, _] = nearest_of_segments([&x[0], &x[1]], [&on_body, &on_body]);
                Place::on_edge([a, b], along)
            }
            _ => return,
        };
        found(place, (point.dist, point.normal), GeomFeature::Surface, limit);
    };
    for face in body.surface.faces.iter().filter(|face| !body.misses(*face)) {
        test(face, &body.at(face), found);
    }
    if body.surface.faces.is_empty() {
        for edge in body.surface.edges.iter().filter(|edge| !body.misses(*edge)) {
            test(edge, &body.at(edge), found);
        }
    }
}
