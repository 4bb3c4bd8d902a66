//! Hulls laid out for walks over their edges: the neighbours of each vertex side by side, four to a cache
//! line, with their positions.
//!
//! A walk over the graph of a mesh goes from an edge to a vertex of the hull, from there to a vertex of the
//! mesh, and to three numbers of single precision: three reads one after the other for each neighbour. Here
//! four neighbours are compared at once, by the very operations that compare one, so that a walk ends where
//! it ends over the graph.
//!
//! The layouts belong to a thread and are shared by all worlds that it steps. The owner of a mesh may change
//! it between two collision detections; therefore each layout keeps a copy of what it was made from, and is
//! compared with the mesh once in each period in which meshes are known to stay ([`HullPeriod`]).

use super::hull_graph::{LOWEST, TOP_CLEARANCE, vertex_reach};
use super::vec::V3;
use crate::shape::MeshShape;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use wide::{CmpEq, CmpGt, f64x4};

/// Neighbours in a group.
const WIDTH: usize = 4;
/// Hulls with more vertices than this are walked over their graphs.
const MOST_VERTICES: usize = 4096;
/// Layouts of a thread, together (groups of 64 bytes).
const MOST_GROUPS: usize = 1 << 16;
/// Meshes that are remembered, unless more are in use.
const MOST_HULLS: usize = 1024;
/// What was not asked for in so many periods makes room for others.
const LONG_AGO: u64 = 10_000;
/// Walks of a pair that touches, in pairs that do not.
const DEMAND_OF_CONTACT: u32 = 10;
/// From how many pairs on that do not touch a comparison in each period pays.
const ENOUGH_DEMAND: u32 = 8;

/// A period in which meshes do not change, by its number; the meshes of other callers may change at any
/// time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HullPeriod(u64);

/// Four neighbours of a vertex; the last group of a list is filled up with what is never higher: no number.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Group {
    x: [f32; WIDTH],
    y: [f32; WIDTH],
    z: [f32; WIDTH],
    /// Ids among the vertices of the hull.
    id: [u32; WIDTH],
}

/// The hull of a mesh, laid out for walks.
#[derive(Debug)]
pub(crate) struct HullLanes {
    /// What it was made from: the graph as far as walks read it, and the vertices of the hull.
    graph: Vec<i32>,
    vertices: Vec<[f32; 3]>,
    /// The first group of each vertex, and the end of the last one.
    first: Vec<u32>,
    groups: Vec<Group>,
}

impl HullLanes {
    /// Lays out a hull; `None` where its graph is not a whole one, or large.
    fn new(mesh: &MeshShape) -> Option<Self> {
        let graph = mesh.graph.get(..graph_len(mesh)?)?;
        let count = usize::try_from(*graph.first()?).ok().filter(|count| *count <= MOST_VERTICES)?;
        let (edge_start, mesh_id, edges) =
            (graph.get(2..2 + count)?, graph.get(2 + count..2 + 2 * count)?, graph.get(2 + 2 * count..)?);
        let mut lanes = Self {
            graph: graph.to_vec(),
            vertices: Vec::with_capacity(count),
            first: Vec::with_capacity(count + 1),
            groups: Vec::with_capacity(2 * count),
        };
        for &id in mesh_id {
            lanes.vertices.push(*mesh.vert.get(usize::try_from(id).ok()?)?);
        }
        lanes.first.push(0);
        for &first in edge_start {
            let list = edges.get(usize::try_from(first).ok()?..)?;
            let list = &list[..list.iter().position(|&neighbour| neighbour < 0)?];
            for group in list.chunks(WIDTH) {
                let nowhere = [f32::NAN; WIDTH];
                let mut made = Group { x: nowhere, y: nowhere, z: nowhere, id: [0; WIDTH] };
                for (k, &id) in group.iter().enumerate() {
                    [made.x[k], made.y[k], made.z[k]] = *lanes.vertices.get(id as usize)?;
                    made.id[k] = id as u32;
                }
                lanes.groups.push(made);
            }
            lanes.first.push(u32::try_from(lanes.groups.len()).ok()?);
        }
        Some(lanes)
    }

    /// Whether the mesh still is what this was made from, to the last bit.
    fn is_of(&self, mesh: &MeshShape) -> bool {
        let count = self.vertices.len();
        let Some(graph) = mesh.graph.get(..self.graph.len()) else { return false };
        if graph != self.graph {
            return false;
        }
        let differ =
            self.vertices.iter().zip(&self.graph[2 + count..2 + 2 * count]).fold(0, |any, (v, &id)| {
                let Some(w) = mesh.vert.get(id as usize) else { return 1 };
                any | (v[0].to_bits() ^ w[0].to_bits())
                    | (v[1].to_bits() ^ w[1].to_bits())
                    | (v[2].to_bits() ^ w[2].to_bits())
            });
        differ == 0
    }

    /// Walk uphill from `start`, as [`climb_hull`](super::hull_graph::climb_hull) does over the graph;
    /// returns the hull id and the mesh id of the top.
    #[inline(never)]
    pub(crate) fn climb(&self, mesh: &MeshShape, dir: &V3, start: usize) -> (usize, usize) {
        let count = self.vertices.len();
        let ids = self.graph.get(2 + count..2 + 2 * count).unwrap_or_default();
        let mesh_id = |hull_vertex: usize| ids.get(hull_vertex).map_or(0, |&id| id as usize);
        let [dx, dy, dz] = dir.map(f64x4::splat);
        let (mut best, mut reach) = (start, LOWEST);
        let start_reach = mesh.vert.get(mesh_id(start)).map_or(LOWEST, |v| vertex_reach(v, dir));
        loop {
            let here = best;
            let Some(&[from, to]) = self.first.get(here..).and_then(|list| list.first_chunk::<2>()) else {
                break;
            };
            let groups = self.groups.get(from as usize..to as usize).unwrap_or_default();
            // in each lane the highest so far, and the number of its group as bits; of equal ones the first
            let (mut top, mut at) = (f64x4::splat(reach), f64x4::ZERO);
            for (group, number) in groups.iter().zip(0_u64..) {
                let [x, y, z] = [group.x, group.y, group.z].map(|numbers| f64x4::new(numbers.map(f64::from)));
                let candidate = dx * x + dy * y + dz * z;
                let higher = candidate.cmp_gt(top);
                top = higher.blend(candidate, top);
                at = higher.blend(f64x4::splat(f64::from_bits(number)), at);
            }
            let heights = top.to_array();
            let highest = heights.iter().fold(reach, |highest, &t| if t > highest { t } else { highest });
            if highest > reach {
                let at = at.to_array().map(f64::to_bits);
                let index = |k: usize| WIDTH * at[k & 3] as usize + k;
                let lanes = top.cmp_eq(f64x4::splat(highest)).move_mask();
                let mut found = index(lanes.trailing_zeros() as usize);
                if lanes & (lanes - 1) != 0 {
                    found = (0..WIDTH).filter(|k| lanes >> k & 1 != 0).map(index).min().unwrap_or(found);
                }
                let Some(group) = groups.get(found / WIDTH) else { break };
                (best, reach) = (group.id[found % WIDTH] as usize, highest);
            }
            if here == start && reach < start_reach - TOP_CLEARANCE * mesh.bound_radius {
                return (start, mesh_id(start));
            }
            if best == here {
                break;
            }
        }
        (best, mesh_id(best))
    }
}

/// Length of the part of a graph that walks read: two sizes, addresses and ids of the vertices, and the
/// lists of neighbours; `None` for impossible sizes.
fn graph_len(mesh: &MeshShape) -> Option<usize> {
    let [vertices, faces] = mesh.graph.first_chunk::<2>()?.map(usize::try_from);
    let (vertices, faces) = (vertices.ok()?, faces.ok()?);
    faces.checked_mul(3)?.checked_add(vertices.checked_mul(3)?)?.checked_add(2)
}

/// A mesh in the cache of a thread.
#[derive(Default)]
struct Cached {
    /// The period in which it was last asked for.
    period: u64,
    /// How much its hull is walked in this period and was walked in the one before, in pairs that do not
    /// touch.
    demand: [u32; 2],
    /// Whether the layout is known to be that of the mesh in this period.
    compared: bool,
    /// Nothing where the hull has no layout.
    lanes: Option<Rc<HullLanes>>,
}

/// The layouts of a thread.
#[derive(Default)]
struct HullCache {
    /// By where a mesh was seen, to find its layout again; what counts is the comparison.
    hulls: HashMap<[usize; 2], Cached>,
    last_period: u64,
}

thread_local! {
    static CACHE: RefCell<HullCache> = RefCell::default();
}

impl HullPeriod {
    /// Begins a period in which no mesh changes that this thread asks for.
    pub(crate) fn begin() -> Self {
        CACHE.with_borrow_mut(|cache| {
            cache.last_period += 1;
            Self(cache.last_period)
        })
    }

    /// The layout of a hull. Without a period, where there is none, or where comparing would cost more than
    /// walks over the graph, the graph has to do.
    pub(crate) fn layout(self, mesh: &MeshShape) -> Option<Rc<HullLanes>> {
        if self == Self::default() {
            return None;
        }
        CACHE.with_borrow_mut(|cache| cache.layout(mesh, self.0))
    }

    /// Says that a mesh touches another shape: its hull is walked much.
    pub(crate) fn note_contact(self, mesh: &MeshShape) {
        if self != Self::default() {
            CACHE.with_borrow_mut(|cache| cache.cached(mesh, self.0).demand[0] += DEMAND_OF_CONTACT);
        }
    }
}

impl HullCache {
    fn cached(&mut self, mesh: &MeshShape, period: u64) -> &mut Cached {
        let address = [mesh.vert.as_ptr().addr(), mesh.graph.as_ptr().addr()];
        if self.hulls.len() > MOST_HULLS && !self.hulls.contains_key(&address) {
            self.drop_old(period);
        }
        let cached = self.hulls.entry(address).or_default();
        if cached.period != period {
            let before = cached.demand[0];
            (cached.period, cached.demand, cached.compared) = (period, [0, before], false);
        }
        cached
    }

    fn layout(&mut self, mesh: &MeshShape, period: u64) -> Option<Rc<HullLanes>> {
        let cached = self.cached(mesh, period);
        cached.demand[0] += 1;
        if cached.compared {
            return cached.lanes.clone();
        }
        if cached.demand[0].max(cached.demand[1]) < ENOUGH_DEMAND {
            return None;
        }
        cached.compared = true;
        if cached.lanes.as_ref().is_some_and(|lanes| lanes.is_of(mesh)) {
            return cached.lanes.clone();
        }
        cached.lanes = None;
        if self.group_count() > MOST_GROUPS {
            self.drop_old(period);
        }
        let fits = self.group_count() <= MOST_GROUPS;
        let lanes = if fits { HullLanes::new(mesh).map(Rc::new) } else { None };
        self.cached(mesh, period).lanes.clone_from(&lanes);
        lanes
    }

    fn group_count(&self) -> usize {
        self.hulls.values().filter_map(|cached| cached.lanes.as_ref()).map(|lanes| lanes.groups.len()).sum()
    }

    /// Forgets what belongs to models of the past.
    fn drop_old(&mut self, period: u64) {
        self.hulls.retain(|_, cached| cached.period + LONG_AGO > period);
    }
}

#[cfg(test)]
mod tests {
    use super::super::hull_graph::climb_hull;
    use super::*;

    /// A hull graph over a closed surface of triangles: each vertex with its neighbours.
    fn graph_of(faces: &[[usize; 3]], count: usize) -> Vec<i32> {
        let mut lists = vec![Vec::new(); count];
        for face in faces {
            for k in 0..3 {
                lists[face[k]].push(face[(k + 1) % 3] as i32);
            }
        }
        let mut graph = vec![count as i32, faces.len() as i32];
        let mut edges = Vec::new();
        for list in &lists {
            graph.push(edges.len() as i32);
            edges.extend_from_slice(list);
            edges.push(-1);
        }
        graph.extend(0..count as i32);
        graph.extend(edges);
        graph
    }

    /// A cylinder of `sides` sides that stands on a regular polygon, with a vertex in the middle of each end:
    /// many neighbours of two vertices, many vertices of equal height.
    fn drum(sides: usize) -> (Vec<[f32; 3]>, Vec<i32>) {
        let mut vert = vec![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
        for k in 0..sides {
            let angle = std::f32::consts::TAU * k as f32 / sides as f32;
            vert.push([angle.cos(), angle.sin(), 1.0]);
            vert.push([angle.cos(), angle.sin(), -1.0]);
        }
        let mut faces = Vec::new();
        for k in 0..sides {
            let (a, b) = (2 + 2 * k, 2 + 2 * ((k + 1) % sides));
            faces.extend([[0, a, b], [1, b + 1, a + 1], [a, a + 1, b + 1], [a, b + 1, b]]);
        }
        let graph = graph_of(&faces, vert.len());
        (vert, graph)
    }

    fn directions() -> impl Iterator<Item = V3> {
        let mut state = 7_u64;
        (0..400).map(move |i| {
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            };
            // along the axes, where there are ties, and anywhere
            match i % 8 {
                0 => [0.0, 0.0, 1.0],
                1 => [0.0, 0.0, -1.0],
                2 => [1.0, 0.0, 0.0],
                3 => [f64::NAN, 0.0, 0.0],
                _ => [random(), random(), random()],
            }
        })
    }

    #[test]
    fn walks_end_where_those_over_the_graph_end() {
        for sides in [3, 4, 7, 20, 70] {
            let (vert, graph) = drum(sides);
            for bound_radius in [1.5, 0.0] {
                let mesh = MeshShape { vert: &vert, graph: &graph, bound_radius, ..MeshShape::EMPTY };
                let lanes = HullLanes::new(&mesh).unwrap();
                for (i, dir) in directions().enumerate() {
                    let start = i % vert.len();
                    assert_eq!(
                        lanes.climb(&mesh, &dir, start),
                        climb_hull(&mesh, &dir, start),
                        "{sides} {dir:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn meshes_that_change_are_laid_out_again() {
        let (mut vert, graph) = drum(20);
        let up = [0.0, 0.0, 1.0];
        for step in 0..3 {
            let period = HullPeriod::begin();
            let mesh = MeshShape { vert: &vert, graph: &graph, bound_radius: 1.5, ..MeshShape::EMPTY };
            period.note_contact(&mesh);
            let lanes = period.layout(&mesh).unwrap();
            assert_eq!(lanes.climb(&mesh, &up, 5), climb_hull(&mesh, &up, 5), "change {step}");
            assert!(Rc::ptr_eq(&lanes, &period.layout(&mesh).unwrap()));
            vert[10 + step][2] = 3.0 + step as f32;
        }
        assert!(
            HullPeriod::default()
                .layout(&MeshShape { vert: &vert, graph: &graph, ..MeshShape::EMPTY })
                .is_none()
        );
    }

    #[test]
    fn only_hulls_that_are_walked_much_are_laid_out() {
        let (vert, graph) = drum(20);
        let mesh = MeshShape { vert: &vert, graph: &graph, bound_radius: 1.5, ..MeshShape::EMPTY };
        let period = HullPeriod::begin();
        assert!((1..ENOUGH_DEMAND).all(|_| period.layout(&mesh).is_none()));
        assert!(period.layout(&mesh).is_some());
        // what was much in one period is expected to be in the next
        assert!(HullPeriod::begin().layout(&mesh).is_some());
        assert!(HullPeriod::begin().layout(&mesh).is_none());
    }

    #[test]
    fn graphs_that_are_not_whole_have_no_layout() {
        let (vert, graph) = drum(20);
        let has_layout =
            |graph: &[i32]| HullLanes::new(&MeshShape { vert: &vert, graph, ..MeshShape::EMPTY }).is_some();
        assert!(has_layout(&graph));
        assert!(!has_layout(&[]));
        assert!(!has_layout(&graph[..graph.len() - 1]));
        for at in [0, 1, 2, 2 + vert.len(), 2 + 2 * vert.len()] {
            let mut broken = graph.clone();
            broken[at] = i32::MAX;
            assert!(!has_layout(&broken), "{at}");
        }
        let mut endless = graph.clone();
        *endless.last_mut().unwrap() = 0;
        assert!(!has_layout(&endless));
    }
}
