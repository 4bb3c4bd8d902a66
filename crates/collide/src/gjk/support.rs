//! Support mappings: the farthest point of a convex shape in a direction.
//!
//! A [`Convex`] is a shape placed in the world together with what its support mapping remembers between
//! calls: the last vertex found, from which the search over a mesh starts the next time. Corners of boxes and
//! vertices of meshes carry an id, so that later stages can tell which features of the shapes touch.

use super::hull_graph::{Hull, LOWEST, climb_hull, vertex_reach};
use super::hull_lanes::{HullLanes, HullPeriod};
use super::vec::{Axes, Point, V3, add, dot, scale};
use super::vertex_lanes::VertexLanes;
use crate::shape::{MeshShape, Pose, Shape};
use kinetree_math::MINVAL;
use std::rc::Rc;

/// Meshes with fewer vertices than this are searched exhaustively.
const CLIMB_MIN_VERTICES: usize = 10;
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
    MeshClimb(&'a MeshShape<'a>, Climb<'a>),
    /// Triangular prism of a height field, in world coordinates: three top corners, and the height of the
    /// bottom.
    Prism(&'a [V3; 3], f64),
    /// Hull of a few points in world coordinates, inflated by a radius.
    Simplex(&'a [V3], f64),
}

/// How the top of a mesh is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Climb<'a> {
    /// By looking at all of its few vertices, and over the graph where these do not decide.
    Lanes(&'a VertexLanes),
    /// Over the edges of its hull, as the graph lists them.
    Graph,
    /// The same, over a layout of the hull.
    Hull(&'a HullLanes),
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
            Shape::Mesh(mesh) if climbs_hull(mesh) => {
                Self::MeshClimb(mesh, lanes.fill(mesh).map_or(Climb::Graph, Climb::Lanes))
            }
            Shape::Mesh(mesh) => Self::MeshScan(mesh),
        })
    }

    /// The layout for walks over the hull of this shape, if it has one in this period.
    #[inline(always)]
    pub(crate) fn hull_layout(&self, period: HullPeriod) -> Option<Rc<HullLanes>> {
        match self {
            Self::MeshClimb(mesh, Climb::Graph) => period.layout(mesh),
            _ => None,
        }
    }

    /// Says that the shape touches another one.
    #[inline(always)]
    pub(crate) fn note_contact(&self, period: HullPeriod) {
        if let Self::MeshClimb(mesh, Climb::Graph | Climb::Hull(_)) = self {
            period.note_contact(mesh);
        }
    }

    /// Walk over a layout from now on.
    #[inline(always)]
    pub(crate) fn walk_over(&mut self, layout: Option<&'a HullLanes>) {
        if let (Self::MeshClimb(_, climb), Some(layout)) = (self, layout) {
            *climb = Climb::Hull(layout);
        }
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
            Core::MeshClimb(mesh, climb) => {
                let d = frame.to_local(dir).array();
                let clear = if let Climb::Lanes(lanes) = climb { lanes.top(&d) } else { None };
                let best = match clear {
                    Some(best) => best,
                    None => {
                        let start = self.hull_start(mesh);
                        let (hull_vertex, best) = match climb {
                            Climb::Hull(hull) => hull.climb(mesh, &d, start),
                            Climb::Lanes(_) | Climb::Graph => climb_hull(mesh, &d, start),
                        };
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
