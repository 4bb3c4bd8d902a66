//! Convex geoms of which contacts are searched: their support mappings, and meshes as the contact kernel
//! reads them.

use crate::features::parameters::Table;
use crate::precision::Precision;
use kinetree_model::Model;
use kinetree_model::enums::{DisableBit, GeomType};
use kinetree_sim::StaticPair;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Iterations of GJK and EPA that the kernel has room for.
pub(crate) const MOST_ITERATIONS: usize = 60;
/// Corners of a polygon that are looked at, as on the processor.
const MOST_CORNERS: usize = 150;

/// Geom types with a name in the kernel, and their support mappings.
const KINDS: [(GeomType, &str, &str); 7] = [
    // what is searched of a height field are prisms
    (GeomType::Hfield, "PRISM", "prism_support(d)"),
    (GeomType::Sphere, "SPHERE", "sphere_support(s, d)"),
    (GeomType::Capsule, "CAPSULE", "capsule_support(s, d)"),
    (GeomType::Ellipsoid, "ELLIPSOID", "ellipsoid_support(s, d)"),
    (GeomType::Cylinder, "CYLINDER", "cylinder_support(s, d)"),
    (GeomType::Box, "BOX", "box_support(s, d)"),
    (GeomType::Mesh, "MESH", "mesh_support(s, d, start)"),
];

/// What the contact kernel needs for pairs without a formula.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConvexShapes {
    /// Types of geoms that are searched.
    kinds: BTreeSet<i32>,
    /// Geoms whose mesh is read.
    meshes: BTreeSet<usize>,
    /// Whether faces may be clipped by each other.
    pub(crate) clips: bool,
    /// Whether pairs are tilted to find more contacts.
    pub(crate) tilts: bool,
    /// Most corners that two faces that clip each other have together.
    corners: usize,
}

impl ConvexShapes {
    /// The shapes of pairs, each with whether it is searched; of others only meshes matter.
    pub(crate) fn new<'a>(model: &Model, pairs: impl Iterator<Item = (bool, &'a StaticPair)>) -> Self {
        let mut shapes = Self::default();
        let multiccd = !model.disabled(DisableBit::Multiccd);
        let is_mesh = |g: usize| model.geom_type[g] == GeomType::Mesh as i32;
        let is_flat = |g: usize| is_mesh(g) || model.geom_type[g] == GeomType::Box as i32;
        let has_kind =
            |g: usize, kinds: [GeomType; 3]| kinds.iter().any(|kind| model.geom_type[g] == *kind as i32);
        let is_never_tilted =
            |g: usize| has_kind(g, [GeomType::Sphere, GeomType::Ellipsoid, GeomType::Hfield]);
        for (searched, pair) in pairs {
            shapes.meshes.extend(pair.geoms.iter().filter(|&&g| is_mesh(g)));
            if searched {
                shapes.kinds.extend(pair.geoms.map(|g| model.geom_type[g]));
                let flat = pair.geoms.into_iter().all(is_flat);
                if flat && multiccd && pair.margin <= 0.0 {
                    shapes.clips = true;
                    let corners = pair.geoms.map(|g| largest_face(model, g)).iter().sum();
                    shapes.corners = shapes.corners.max(corners);
                }
                let never_tilted =
                    pair.geoms.into_iter().any(is_never_tilted) || (flat && pair.margin <= 0.0);
                shapes.tilts |= multiccd && !never_tilted;
            }
        }
        shapes
    }

    /// Whether meshes are read.
    pub(crate) fn has_meshes(&self) -> bool {
        !self.meshes.is_empty()
    }

    /// Whether there are height fields.
    pub(crate) fn has_fields(&self) -> bool {
        self.kinds.contains(&(GeomType::Hfield as i32))
    }

    /// Whether round shapes may meet ellipsoids, whose nearest points are then found more exactly.
    pub(crate) fn refines(&self) -> bool {
        let has = |kind: GeomType| self.kinds.contains(&(kind as i32));
        has(GeomType::Ellipsoid) && (has(GeomType::Sphere) || has(GeomType::Capsule))
    }

    /// Whether pairs are searched.
    pub(crate) fn is_searched(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// Cases of the support mapping, with or without prisms of height fields.
    pub(crate) fn supports(&self, fields: bool) -> String {
        let is_used =
            |kind: GeomType| self.kinds.contains(&(kind as i32)) && (fields || kind != GeomType::Hfield);
        let used = KINDS.iter().filter(|(kind, ..)| is_used(*kind));
        used.map(|(_, name, call)| format!("        case {name}: {{ found = {call}; }}\n")).collect()
    }

    /// Writes sizes, settings and meshes; nothing where there is nothing to search.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        if self.is_searched() {
            KINDS.iter().for_each(|(kind, name, _)| table.size(name, *kind as usize));
            table.ints("GEOM_TYPE", model.geom_type.iter().copied());
            table.floats("GEOM_BOX", (0..model.ngeom).flat_map(|g| bounding_box(model, g)));
            let iterations = usize::try_from(model.opt.ccd_iterations).unwrap_or(0).min(MOST_ITERATIONS);
            table.size("CCD_ITERATIONS", iterations);
            let least = table.precision.least_tolerance(LEAST_TOLERANCE);
            table.quantity("CCD_TOLERANCE", model.opt.ccd_tolerance.max(least));
            // a world with margins of its own may not begin to tilt
            table.flag("TILTS", self.tilts);
            // five of a first polytope that is begun again, and as many as it grows by
            table.size("EPA_POINTS", iterations + 5);
            table.size("EPA_HORIZON", iterations + 6);
            // as many as a closed polytope of triangles has, by Euler's formula
            table.size("EPA_FACES", 2 * (iterations + 6) - 4);
        }
        if self.has_fields() {
            write_fields(model, table);
        }
        if self.has_meshes() {
            self.write_meshes(model, table);
        }
    }

    fn write_meshes(&self, model: &Model, table: &mut Table) {
        let mut words = Vec::new();
        let mut known = BTreeMap::new();
        let mut entries = vec![[0, 0, -1, 0, 0, 0]; model.ngeom];
        for &geom in &self.meshes {
            let Ok(mesh) = usize::try_from(model.geom_dataid[geom]) else { continue };
            entries[geom] = *known
                .entry(mesh)
                .or_insert_with(|| put_mesh(model, mesh, (self.clips, table.precision), &mut words));
        }
        table.ints("GEOM_MESH", entries.into_iter().flatten());
        table.ints("MESH_DATA", words);
        if self.clips && table.precision == Precision::Double {
            table.floats("MESH_NORMALS", model.mesh_polynormal.as_flattened().iter().copied());
        }
        if self.clips {
            table.size("MOST_CORNERS", MOST_CORNERS);
            // each cut adds a corner at most, up to rounding
            table.size("POLYGON_ROOM", self.corners + 4);
        }
    }
}

/// Corners of the largest face of a box or mesh, as far as they are looked at.
fn largest_face(model: &Model, g: usize) -> usize {
    let Some(mesh) =
        usize::try_from(model.geom_dataid[g]).ok().filter(|_| model.geom_type[g] == GeomType::Mesh as i32)
    else {
        return 4;
    };
    let polygons = range(model.mesh_polyadr[mesh], model.mesh_polynum[mesh]);
    let most = model.mesh_polyvertnum[polygons].iter().max().copied().unwrap_or(0);
    (most as usize).clamp(4, MOST_CORNERS)
}

/// Centre and half sizes of the box around a geom, in its axes.
fn bounding_box(model: &Model, g: usize) -> [f64; 6] {
    let [x, y, z] = model.geom_size[g];
    let half = match GeomType::try_from(model.geom_type[g]) {
        Ok(GeomType::Sphere) => [x, x, x],
        Ok(GeomType::Capsule) => [x, x, x + y],
        Ok(GeomType::Cylinder) => [x, x, y],
        Ok(GeomType::Ellipsoid | GeomType::Box) => [x, y, z],
        _ => return model.geom_aabb[g],
    };
    let [x, y, z] = half;
    [0.0, 0.0, 0.0, x, y, z]
}

/// Writes height fields: sizes, half of the distance of grid lines as a sum of two numbers, and elevations.
fn write_fields(model: &Model, table: &mut Table) {
    let all = 0..model.nhfield;
    let half_step = |f: usize, axis: usize, count: i32| {
        let step = model.hfield_size[f][axis] / f64::from(count - 1);
        let rounded = f64::from(step as f32);
        [rounded, step - rounded]
    };
    let steps = |f: usize| [half_step(f, 0, model.hfield_ncol[f]), half_step(f, 1, model.hfield_nrow[f])];
    table.ints("GEOM_DATAID", model.geom_dataid.iter().copied());
    table.floats("FIELD_SIZE", model.hfield_size.as_flattened().iter().copied());
    table.floats("FIELD_STEPS", all.clone().flat_map(|f| steps(f).concat()));
    table.ints(
        "FIELD_INFO",
        all.flat_map(|f| [model.hfield_nrow[f], model.hfield_ncol[f], model.hfield_adr[f]]),
    );
    table.ints("FIELD_DATA", model.hfield_data.iter().map(|&x| bits(x)));
}

/// Depths below this are rounding.
const LEAST_TOLERANCE: f64 = 1e-7;

/// Whether the reference walks along the edges of a hull, or looks at all vertices of a small mesh.
fn climbs(vertices: usize) -> bool {
    vertices >= 10
}

fn range(first: i32, count: i32) -> Range<usize> {
    first as usize..first as usize + count as usize
}

fn bits(x: f32) -> i32 {
    x.to_bits().cast_signed()
}

/// Words of a unit that blocks are counted in.
const UNIT: usize = 8;
/// Words of a block before its neighbours, and of each of these.
const BLOCK_HEAD: usize = 5;
const NEIGHBOUR: usize = 4;

/// A hull as the model has it: neighbours and mesh vertex of each of its vertices.
struct Hull<'a> {
    /// Where the neighbours of each vertex begin.
    starts: &'a [i32],
    /// Mesh vertices.
    vertices: &'a [i32],
    /// Neighbours, each list up to a negative number.
    edges: &'a [i32],
}

impl Hull<'_> {
    fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        let list = &self.edges[self.starts[vertex] as usize..];
        list.iter().map_while(|&neighbour| usize::try_from(neighbour).ok())
    }
}

/// Appends the blocks of a hull; returns the first block of one that is climbed, or where a list of blocks
/// begins.
fn put_hull(hull: &Hull<'_>, points: &[[f32; 3]], climbed: bool, words: &mut Vec<i32>) -> i32 {
    let count = hull.starts.len();
    let list_at = words.len();
    let listed = if climbed { 0 } else { count + 1 };
    // the first word of all is never one of a block
    let mut next = (list_at + listed).next_multiple_of(UNIT).max(UNIT);
    let blocks: Vec<i32> = (0..count)
        .map(|vertex| {
            let block = next / UNIT;
            next = (next + BLOCK_HEAD + NEIGHBOUR * hull.neighbours(vertex).count()).next_multiple_of(UNIT);
            block as i32
        })
        .collect();
    let position = |vertex: usize| points[hull.vertices[vertex] as usize].map(bits);
    if !climbed {
        words.push(count as i32);
        words.extend(&blocks);
    }
    for (vertex, &block) in blocks.iter().enumerate() {
        words.resize(UNIT * block as usize, 0);
        words.extend(position(vertex));
        words.extend([hull.neighbours(vertex).count() as i32, hull.vertices[vertex]]);
        for neighbour in hull.neighbours(vertex) {
            words.extend(position(neighbour));
            words.push(blocks[neighbour]);
        }
    }
    if climbed { blocks[0] } else { list_at as i32 }
}

/// Appends vertices, hull and polygons of a mesh; returns where they begin and how many there are.
fn put_mesh(
    model: &Model,
    mesh: usize,
    (clips, precision): (bool, Precision),
    words: &mut Vec<i32>,
) -> [i32; 6] {
    let vertices = range(model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]);
    let count = vertices.len();
    let first = words.len() as i32;
    words.extend(model.mesh_vert[vertices.clone()].as_flattened().iter().map(|&x| bits(x)));
    let climbed = climbs(count);
    let hull = hull_graph(model, mesh, count)
        .map(|graph| put_hull(&graph, &model.mesh_vert[vertices.clone()], climbed, words));
    let climbed = i32::from(hull.is_some() && climbed);
    let polygons = words.len();
    let polygon_count = if clips { model.mesh_polynum[mesh] } else { 0 };
    if polygon_count > 0 {
        let polygons = range(model.mesh_polyadr[mesh], polygon_count);
        match precision {
            Precision::Single => {
                let normals = model.mesh_polynormal[polygons.clone()].as_flattened();
                words.extend(normals.iter().map(|&x| bits(x as f32)));
            }
            // where the normal is in the list of all of them
            Precision::Double => {
                words.extend(polygons.clone().flat_map(|polygon| [3 * polygon as i32, 0, 0]));
            }
        }
        put_polygons(model, polygons, vertices, words);
    }
    [first, count as i32, hull.unwrap_or(-1), climbed, polygons as i32, polygon_count]
}

/// The hull graph of a mesh, where it has one and all that it points to is there; other meshes are searched
/// vertex by vertex.
fn hull_graph(model: &Model, mesh: usize, vertices: usize) -> Option<Hull<'_>> {
    let all = model.mesh_graph.get(usize::try_from(model.mesh_graphadr[mesh]).ok()?..)?;
    let [hull, faces] = [usize::try_from(*all.first()?).ok()?, usize::try_from(*all.get(1)?).ok()?];
    let edges_at = 2 + 2 * hull;
    let edge_count = hull.checked_add(faces.checked_mul(3)?)?;
    let graph = all.get(..edges_at.checked_add(edge_count)?)?;
    let below = |value: &i32, limit: usize| usize::try_from(*value).is_ok_and(|value| value < limit);
    let edges = &graph[edges_at..];
    let sound = graph[2..2 + hull].iter().all(|start| below(start, edges.len()))
        && graph[2 + hull..edges_at].iter().all(|vertex| below(vertex, vertices))
        && edges.iter().all(|edge| *edge < 0 || below(edge, hull))
        // lists of neighbours end
        && edges.last().is_some_and(|last| *last < 0);
    let (starts, vertices) = graph[2..edges_at].split_at(hull);
    (hull > 0 && sound).then_some(Hull { starts, vertices, edges })
}

/// Appends corners of polygons and polygons around vertices; entries for lists say where these begin.
fn put_polygons(model: &Model, polygons: Range<usize>, vertices: Range<usize>, words: &mut Vec<i32>) {
    let lists_at = words.len() + 2 * polygons.len() + 2 * vertices.len();
    let mut lists: Vec<i32> = Vec::new();
    // entries are those of this mesh, below `limit`
    let mut put_lists = |starts: &[i32], counts: &[i32], all: &[i32], limit: usize| {
        for (&start, &count) in starts.iter().zip(counts) {
            words.push((lists_at + lists.len()) as i32);
            lists.extend(all[range(start, count)].iter().map(|&entry| entry.clamp(0, limit as i32 - 1)));
        }
        words.extend(counts);
    };
    put_lists(
        &model.mesh_polyvertadr[polygons.clone()],
        &model.mesh_polyvertnum[polygons.clone()],
        &model.mesh_polyvert,
        vertices.len(),
    );
    put_lists(
        &model.mesh_polymapadr[vertices.clone()],
        &model.mesh_polymapnum[vertices],
        &model.mesh_polymap,
        polygons.len(),
    );
    words.extend(lists);
}
