//! Support mappings: the farthest point of a convex shape in a direction.
//!
//! A [`Convex`] is a shape placed in the world together with what its support mapping remembers between
//! calls: the last vertex found, from which the search over a mesh starts the next time. Corners of boxes and
//! vertices of meshes carry an id, so that later stages can tell which features of the shapes touch.

use super::vec::{Axes, Point, V3, add, dot, scale};
use super::vertex_lanes::VertexLanes;
use crate::shape::{MeshShape, Pose, Shape};
use kinetree_math::MINVAL;

/// Meshes with fewer vertices than this are searched exhaustively.
const CLIMB_MIN_VERTICES: usize = 10;
/// Starting value of a search over mesh vertices.
pub(crate) const LOWEST: f64 = -(f32::MAX as f64);
/// How far above its neighbours a hull vertex must be to count as the top, relative to the size of the mesh.
/// Hulls of rounded vertices are convex only to about a tenth of this.
const TOP_CLEARANCE: f64 = 1e-6;
/// What a prism is made of before there is one.
const NO_TRIANGLE: [V3; 3] = [[0.0; 3]; 3];
/// Id of a support point that is not a vertex.
pub(crate) const NO_VERTEX: i32 = -1;

/// Shape of a [`Convex`] in its local frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Core<'a> {
    /// Sphere by radius.
    Sphere(f64),
    /// Capsule by radius and half length.
    Capsule(f64, f64),
    /// Ellipsoid by semi-axes.
    Ellipsoid(V3),
    /// Cylinder by radius and half length.
    Cylinder(f64, f64),
    /// Box by half sizes.
    Box(V3),
    /// Mesh without a usable hull graph.
    MeshScan(&'a MeshShape<'a>),
    /// Mesh whose hull graph is climbed unless it has few vertices.
    MeshClimb(&'a MeshShape<'a>, Option<&'a VertexLanes>),
    /// Triangular prism of a height field, in world coordinates: three top corners, and the height of the
    /// bottom.
    Prism(&'a [V3; 3], f64),
    /// Hull of a few points in world coordinates, inflated by a radius.
    Simplex(&'a [V3], f64),
}

impl<'a> Core<'a> {
    /// The shape itself; `None` for shapes that have no support mapping of their own (plane, height field).
    /// `lanes` takes over the vertices of a mesh.
    #[inline(always)]
    pub(crate) fn of(shape: &'a Shape<'a>, lanes: &'a mut VertexLanes) -> Option<Self> {
        Some(match shape {
            Shape::Plane | Shape::HeightField(_) => return None,
            Shape::Sphere { radius } => Self::Sphere(*radius),
            Shape::Capsule { radius, half_length } => Self::Capsule(*radius, *half_length),
            Shape::Ellipsoid { semi_axes } => Self::Ellipsoid([semi_axes.x, semi_axes.y, semi_axes.z]),
            Shape::Cylinder { radius, half_length } => Self::Cylinder(*radius, *half_length),
            Shape::Box { half } => Self::Box([half.x, half.y, half.z]),
            Shape::Mesh(mesh) if climbs_hull(mesh) => Self::MeshClimb(mesh, lanes.fill(mesh)),
            Shape::Mesh(mesh) => Self::MeshScan(mesh),
        })
    }
}

/// A convex shape placed in the world.
#[derive(Clone, Debug)]
pub(crate) struct Convex<'a> {
    pub(crate) core: Core<'a>,
    pub(crate) pos: V3,
    pub(crate) axes: Axes,
    /// Both shapes of a pair are inflated by half of this.
    pub(crate) margin: f64,
    /// Whether only the medial axis of a sphere or capsule is meant: its centre or its segment.
    medial_only: bool,
    /// Id of the last support vertex.
    vertex: i32,
    /// Id of the last support vertex among the hull vertices.
    hull_vertex: usize,
    frame: Frame,
}

/// Position and axes as support mappings use them.
#[derive(Clone, Debug)]
struct Frame {
    pos: Point,
    columns: [Point; 3],
    rows: [Point; 3],
}

impl Frame {
    #[inline(always)]
    fn new(pos: &V3, axes: &Axes) -> Self {
        let points = |axes: &Axes| axes.0.map(Point::from);
        Self { pos: Point::from(*pos), columns: points(axes), rows: points(&axes.transpose()) }
    }

    /// World vector to local coordinates.
    #[inline(always)]
    fn to_local(&self, v: Point) -> Point {
        let [x, y, z] = v.array();
        self.rows[0] * x + self.rows[1] * y + self.rows[2] * z
    }

    /// Local point to world coordinates.
    #[inline(always)]
    fn to_world(&self, v: Point) -> Point {
        let [x, y, z] = v.array();
        self.columns[0] * x + self.columns[1] * y + self.columns[2] * z + self.pos
    }
}

impl<'a> Convex<'a> {
    /// Positions a shape.
    #[inline(always)]
    pub(crate) fn new(core: Core<'a>, pose: &Pose, margin: f64) -> Self {
        let pos = [pose.pos.x, pose.pos.y, pose.pos.z];
        let axes = Axes::of(&pose.mat);
        let frame = Frame::new(&pos, &axes);
        Self { core, pos, axes, margin, medial_only: false, vertex: NO_VERTEX, hull_vertex: 0, frame }
    }

    /// Moves it to another pose.
    #[inline]
    pub(crate) fn move_to(&mut self, pos: V3, axes: Axes) {
        (self.pos, self.axes, self.frame) = (pos, axes, Frame::new(&pos, &axes));
    }

    /// A height-field prism.
    pub(crate) fn prism(top: &'a [V3; 3], bottom: f64) -> Self {
        let axes = Axes([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let core = Core::Prism(top, bottom);
        let (pos, frame) = ([0.0; 3], Frame::new(&[0.0; 3], &axes));
        Self { core, pos, axes, margin: 0.0, medial_only: false, vertex: NO_VERTEX, hull_vertex: 0, frame }
    }

    /// The hull of a few points around `centre`, inflated by a radius.
    pub(crate) fn simplex(points: &'a [V3], centre: V3, radius: f64, margin: f64) -> Self {
        Self { core: Core::Simplex(points, radius), pos: centre, margin, ..Self::prism(&NO_TRIANGLE, 0.0) }
    }

    /// Where the last search over this shape ended.
    #[inline]
    pub(crate) fn last_vertex(&self) -> (i32, usize) {
        (self.vertex, self.hull_vertex)
    }

    /// Continue from where another search over this shape ended.
    #[inline]
    pub(crate) fn continue_from(&mut self, last_vertex: (i32, usize)) {
        (self.vertex, self.hull_vertex) = last_vertex;
    }

    /// A point inside the shape.
    pub(crate) fn center(&self) -> V3 {
        match &self.core {
            Core::Prism(top, bottom) => {
                let below = top.iter().fold([0.0; 3], |sum, p| add(&sum, &[p[0], p[1], *bottom]));
                let sum = top.iter().fold(below, |sum, corner| add(&sum, corner));
                scale(&sum, 1.0 / 6.0)
            }
            _ => self.pos,
        }
    }

    /// Whether the shape has finitely many vertices, so that searches over it end exactly.
    pub(crate) fn is_discrete(&self) -> bool {
        self.margin == 0.0
            && matches!(self.core, Core::Box(_) | Core::MeshScan(_) | Core::MeshClimb(..) | Core::Prism(..))
    }

    /// Mesh data, if the shape is a mesh.
    pub(crate) fn mesh(&self) -> Option<&'a MeshShape<'a>> {
        match self.core {
            Core::MeshScan(mesh) | Core::MeshClimb(mesh, _) => Some(mesh),
            _ => None,
        }
    }

    /// Replace a sphere by its centre and a capsule by its segment, without a margin; returns by how much to
    /// inflate the result, and the margin, which [`Self::grow_from_medial_axis`] wants back.
    #[inline]
    pub(crate) fn shrink_to_medial_axis(&mut self) -> (f64, f64) {
        let (Core::Sphere(radius) | Core::Capsule(radius, _)) = self.core else {
            return (0.0, self.margin);
        };
        self.medial_only = true;
        let margin = std::mem::replace(&mut self.margin, 0.0);
        (radius + 0.5 * margin, margin)
    }

    /// Undo [`Self::shrink_to_medial_axis`].
    #[inline]
    pub(crate) fn grow_from_medial_axis(&mut self, margin: f64) {
        self.medial_only = false;
        self.margin = margin;
    }

    /// Local point to world coordinates.
    #[inline(always)]
    pub(crate) fn point_to_world(&self, local: &V3) -> V3 {
        add(&self.axes.to_world(local), &self.pos)
    }

    /// Farthest point in the direction `dir` (unit length) and its vertex id, margin not included.
    #[inline(always)]
    pub(crate) fn support(&mut self, dir: Point) -> (Point, i32) {
        let frame = &self.frame;
        let point = match &self.core {
            Core::Sphere(_) if self.medial_only => frame.pos,
            Core::Capsule(_, half_length) if self.medial_only => {
                let z = frame.columns[2];
                z * if z.dot(dir) >= 0.0 { *half_length } else { -*half_length } + frame.pos
            }
            Core::Sphere(radius) => dir * *radius + frame.pos,
            Core::Capsule(radius, half_length) => {
                let d = frame.to_local(dir);
                let end = if d.array()[2] >= 0.0 { *half_length } else { -*half_length };
                let round = d * *radius;
                frame.to_world(round.with_z(round.array()[2] + end))
            }
            Core::Ellipsoid(semi_axes) => ellipsoid(frame, Point::from(*semi_axes), dir),
            Core::Cylinder(radius, half_length) => {
                let d = frame.to_local(dir);
                let [x2, y2, _] = (d * d).array();
                let across2 = x2 + y2;
                let reach = if across2 >= MINVAL * MINVAL { radius / across2.sqrt() } else { 0.0 };
                let z = if d.array()[2] >= 0.0 { *half_length } else { -*half_length };
                frame.to_world((d * reach).with_z(z))
            }
            Core::Box(half) => {
                let local = Point::from(*half).with_signs_along(frame.to_local(dir));
                self.vertex = local.positive();
                frame.to_world(local)
            }
            Core::MeshScan(mesh) => {
                let d = frame.to_local(dir).array();
                let best = scan_vertices(mesh, &d, self.vertex);
                self.vertex = best as i32;
                frame.to_world(mesh_vertex(mesh, best).into())
            }
            Core::MeshClimb(mesh, lanes) => {
                let d = frame.to_local(dir).array();
                let best = match lanes.and_then(|lanes| lanes.top(&d)) {
                    Some(best) => best,
                    None => {
                        let start = self.hull_start(mesh);
                        let (hull_vertex, best) = climb_hull(mesh, &d, start);
                        self.hull_vertex = hull_vertex;
                        best
                    }
                };
                self.vertex = best as i32;
                self.frame.to_world(mesh_vertex(mesh, best).into())
            }
            Core::Prism(top, bottom) => prism(top, *bottom, &dir.array()).into(),
            Core::Simplex(points, radius) => Point::from(farthest(points, &dir.array())) + dir * *radius,
        };
        (point, self.vertex)
    }

    /// Remember a support vertex, by its hull id and its mesh id.
    #[inline]
    pub(crate) fn settle(&mut self, hull_vertex: usize, vertex: usize) {
        self.hull_vertex = hull_vertex;
        self.vertex = vertex as i32;
    }

    /// The last support vertex as a hull vertex.
    #[inline]
    pub(crate) fn hull_start(&self, mesh: &MeshShape) -> usize {
        let hull = Hull::new(mesh.graph);
        let here = self.hull_vertex;
        if self.vertex < 0 || hull.mesh_id.get(here) == Some(&self.vertex) {
            return here;
        }
        hull.mesh_id.iter().position(|&id| id == self.vertex).unwrap_or(here)
    }

    /// Farthest point with half the margin added.
    #[inline(always)]
    fn inflated_support(&mut self, dir: Point) -> (Point, i32) {
        let (point, id) = self.support(dir);
        if self.margin > 0.0 { (point + dir * (0.5 * self.margin), id) } else { (point, id) }
    }
}

#[inline(always)]
fn ellipsoid(frame: &Frame, semi_axes: Point, dir: Point) -> Point {
    let stretched = frame.to_local(dir) * semi_axes;
    let norm2 = stretched.norm2();
    if norm2 < MINVAL * MINVAL {
        return frame.columns[0] * semi_axes.array()[0] + frame.pos;
    }
    frame.to_world(stretched * (semi_axes * (1.0 / norm2.sqrt())))
}

/// The bottom corners lie straight below the top ones, so the sign of `dir.z` chooses the triangle.
#[inline(always)]
fn prism(top: &[V3; 3], bottom: f64, dir: &V3) -> V3 {
    let down = dir[2] < 0.0;
    let corner = |i: usize| [top[i][0], top[i][1], if down { bottom } else { top[i][2] }];
    let mut best = corner(0);
    let mut reach = dot(&best, dir);
    for i in 1..3 {
        let other = corner(i);
        let candidate = dot(&other, dir);
        let farther = candidate > reach;
        reach = if farther { candidate } else { reach };
        for k in 0..3 {
            best[k] = if farther { other[k] } else { best[k] };
        }
    }
    best
}

/// The farthest of a few points; the first of several.
fn farthest(points: &[V3], dir: &V3) -> V3 {
    let mut best = points.first().copied().unwrap_or_default();
    let mut reach = dot(&best, dir);
    for point in points.iter().skip(1) {
        let candidate = dot(point, dir);
        if candidate > reach {
            (best, reach) = (*point, candidate);
        }
    }
    best
}

/// Whether the hull graph of a mesh is used to find its support points.
#[inline(always)]
pub(crate) fn climbs_hull(mesh: &MeshShape) -> bool {
    mesh.graph.len() >= 2 && mesh.vert.len() >= CLIMB_MIN_VERTICES
}

#[inline(always)]
pub(crate) fn mesh_vertex(mesh: &MeshShape, id: usize) -> V3 {
    mesh.vert.get(id).map_or([0.0; 3], |v| v.map(f64::from))
}

#[inline(always)]
pub(crate) fn vertex_reach(v: &[f32; 3], dir: &V3) -> f64 {
    dir[0] * f64::from(v[0]) + dir[1] * f64::from(v[1]) + dir[2] * f64::from(v[2])
}

/// Best vertex over all; a tie goes to `previous`, then to the lowest id.
#[inline(always)]
fn scan_vertices(mesh: &MeshShape, dir: &V3, previous: i32) -> usize {
    let mut best = 0;
    let mut reach = LOWEST;
    if let Some(v) = usize::try_from(previous).ok().and_then(|id| mesh.vert.get(id)) {
        best = previous as usize;
        reach = vertex_reach(v, dir);
    }
    for (id, v) in mesh.vert.iter().enumerate() {
        let candidate = vertex_reach(v, dir);
        if candidate > reach {
            (best, reach) = (id, candidate);
        }
    }
    best
}

/// Walk uphill over the edges of the hull from `start`; returns the hull id and the mesh id of the top.
///
/// The start itself takes no part in the first comparison: the walk first moves to its best neighbour and
/// comes back if the start was higher. That decides which of several equally high vertices is found. A start
/// that is clearly above all its neighbours is the top of a convex hull, and the detour is not needed.
#[inline(always)]
pub(crate) fn climb_hull(mesh: &MeshShape, dir: &V3, start: usize) -> (usize, usize) {
    let Hull { edge_start, mesh_id, edges } = Hull::new(mesh.graph);
    let mut reach = LOWEST;
    let mut best = start;
    let start_id = mesh_id.get(start).map_or(0, |&id| id as usize);
    let start_reach = mesh.vert.get(start_id).map_or(LOWEST, |v| vertex_reach(v, dir));
    loop {
        let here = best;
        let first = edge_start.get(here).map_or(usize::MAX, |&adr| adr as usize);
        for &neighbour in edges.get(first..).unwrap_or_default() {
            // a negative entry ends the list of neighbours
            let Some(&id) = mesh_id.get(neighbour as usize) else { break };
            let Some(v) = mesh.vert.get(id as usize) else { break };
            let candidate = vertex_reach(v, dir);
            let higher = candidate > reach;
            best = if higher { neighbour as usize } else { best };
            reach = if higher { candidate } else { reach };
        }
        if here == start && reach < start_reach - TOP_CLEARANCE * mesh.bound_radius {
            return (start, start_id);
        }
        if best == here {
            break;
        }
    }
    (best, mesh_id.get(best).map_or(0, |&id| id as usize))
}

/// Mesh vertices that share an edge of the hull with a hull vertex.
pub(crate) fn hull_neighbours<'a>(
    mesh: &MeshShape<'a>,
    hull_vertex: usize,
) -> impl Iterator<Item = usize> + use<'a> {
    let Hull { edge_start, mesh_id, edges } = Hull::new(mesh.graph);
    let first = edge_start.get(hull_vertex).map_or(usize::MAX, |&adr| adr as usize);
    let list = edges.get(first..).unwrap_or_default();
    list.iter().map_while(|&neighbour| mesh_id.get(neighbour as usize)).map(|&id| id as usize)
}

/// The parts of a hull graph that a walk needs.
struct Hull<'a> {
    /// First edge of each hull vertex.
    edge_start: &'a [i32],
    /// Mesh vertex of each hull vertex.
    mesh_id: &'a [i32],
    /// Neighbours of the hull vertices, one list after the other.
    edges: &'a [i32],
}

impl<'a> Hull<'a> {
    #[inline(always)]
    fn new(graph: &'a [i32]) -> Self {
        let count = graph.first().map_or(0, |&n| usize::try_from(n).unwrap_or(0));
        Self {
            edge_start: graph.get(2..2 + count).unwrap_or_default(),
            mesh_id: graph.get(2 + count..2 + 2 * count).unwrap_or_default(),
            edges: graph.get(2 + 2 * count..).unwrap_or_default(),
        }
    }
}

/// A point of the Minkowski difference `shape1 - shape2` with the two points it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vertex {
    pub(crate) diff: Point,
    pub(crate) on1: Point,
    pub(crate) on2: Point,
    pub(crate) id1: i32,
    pub(crate) id2: i32,
}

/// What has support points.
pub(crate) trait Supports {
    /// Farthest point of the Minkowski difference along `dir`.
    fn support(&mut self, dir: Point) -> Vertex;
}

/// The two shapes of a test.
#[derive(Clone, Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) a: Convex<'a>,
    pub(crate) b: Convex<'a>,
}

impl Pair<'_> {
    /// Whether both shapes have finitely many vertices.
    pub(crate) fn is_discrete(&self) -> bool {
        self.a.is_discrete() && self.b.is_discrete()
    }
}

impl Supports for Pair<'_> {
    #[inline(always)]
    fn support(&mut self, dir: Point) -> Vertex {
        let (on1, id1) = self.a.inflated_support(dir);
        let (on2, id2) = self.b.inflated_support(-dir);
        Vertex { diff: on1 - on2, on1, on2, id1, id2 }
    }
}
