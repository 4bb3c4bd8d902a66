//! The mesh compiler.
//!
//! Stages: check the lists, build the hull (in the coordinates of the file), fill in missing faces, normals
//! and indices, merge hull faces into polygons, mirror the winding for left-handed scales, apply `refpos`,
//! `refquat` and `scale`, compute mass properties, and move everything into the principal inertia frame.
//! Coordinates are double throughout and rounded to single once, at the end.

use super::inertia::mass_properties;
use super::normals::{renormalize, vertex_normals};
use super::polygons::hull_polygons;
use super::{CompiledMesh, MeshError, MeshInertia, MeshOrigin, MeshSettings, MeshSource};
use crate::assets::hull::{HullGraph, convex_hull};
use crate::assets::linalg::{
    V3, cross, dot, mat_mul_vec, mat_t_mul_vec, normalize, quat_to_mat, sub, triangle,
};
use kinetree_math::MINVAL;

/// Bounds of the aligned box before the first vertex.
const FAR: f64 = 1e10;

/// Compiles one mesh.
pub fn compile_mesh(source: &MeshSource, settings: &MeshSettings) -> Result<CompiledMesh, MeshError> {
    let mut work = Working::new(source, settings)?;
    work.check_orientation(settings)?;
    let hull_faces = work.build_hull(settings)?;
    work.complete(settings)?;
    let polygons = hull_polygons(&work.vert, &hull_faces, settings.reference);
    work.mirror_winding(settings);
    work.apply_reference_frame(settings);

    let mass_faces = if settings.inertia == MeshInertia::Convex { &hull_faces } else { &work.face };
    let mut mass = mass_properties(&work.vert, &work.face, mass_faces, settings.inertia, settings.reference)?;
    if source.origin == MeshOrigin::Field {
        (mass.com, mass.quat) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    }

    let mut out = CompiledMesh {
        scale: settings.scale,
        pos: mass.com,
        quat: mass.quat,
        boxsz: mass.boxsz,
        volume: mass.volume,
        inertia: mass.moments,
        ..CompiledMesh::default()
    };
    out.aamm = work.move_to(&mass.com, &mass.quat);
    store_polygons(&work.vert, &polygons, &mut out);
    if settings.needsdf {
        out.exact_vert.clone_from(&work.vert);
    }
    work.finish(&mut out);
    Ok(out)
}

/// A mesh on its way through the compiler.
struct Working {
    origin: MeshOrigin,
    vert: Vec<V3>,
    normal: Vec<[f32; 3]>,
    texcoord: Vec<[f32; 2]>,
    face: Vec<[i32; 3]>,
    facenormal: Vec<[i32; 3]>,
    facetexcoord: Vec<[i32; 3]>,
    graph: Vec<i32>,
}

fn left_handed(settings: &MeshSettings) -> bool {
    let volume = settings.scale[0] * settings.scale[1] * settings.scale[2];
    volume <= 0.0 || volume.is_nan()
}

fn chunked<T: Copy, const N: usize>(list: &[T], what: &'static str) -> Result<Vec<[T; N]>, MeshError> {
    let (chunks, rest) = list.as_chunks::<N>();
    if rest.is_empty() {
        Ok(chunks.to_vec())
    } else {
        Err(MeshError::Length { what, multiple: N, found: list.len() })
    }
}

impl Working {
    fn new(source: &MeshSource, settings: &MeshSettings) -> Result<Self, MeshError> {
        let vert: Vec<[f32; 3]> = chunked(&source.vert, "vertex")?;
        if let Some(bad) = vert.iter().position(|v| v.iter().any(|x| !x.is_finite())) {
            return Err(MeshError::NotFinite(bad));
        }
        if vert.len() < 4 {
            return Err(MeshError::TooFewVertices(vert.len()));
        }
        let mut work = Self {
            origin: source.origin,
            vert: vert.iter().map(|v| v.map(f64::from)).collect(),
            normal: chunked(&source.normal, "normal")?,
            texcoord: chunked(&source.texcoord, "texcoord")?,
            face: chunked(&source.face, "face")?,
            facenormal: chunked(&source.facenormal, "face normal")?,
            facetexcoord: chunked(&source.facetexcoord, "face texcoord")?,
            graph: Vec::new(),
        };
        // this format is mirrored once more on reading, before anything looks at the faces
        if work.origin == MeshOrigin::Msh && left_handed(settings) {
            swap_winding(&mut work.face);
        }
        let orphan_texcoord = !work.texcoord.is_empty()
            && work.texcoord.len() != work.vert.len()
            && work.facetexcoord.is_empty()
            && work.origin != MeshOrigin::Obj;
        if orphan_texcoord {
            return Err(MeshError::TexcoordCount { found: work.texcoord.len(), nvert: work.vert.len() });
        }
        for (i, face) in work.face.iter().enumerate() {
            for &vertex in face {
                if usize::try_from(vertex).map_or(true, |v| v >= work.vert.len()) {
                    return Err(MeshError::FaceIndex { face: i, vertex });
                }
            }
        }
        Ok(work)
    }

    /// With exact volumes, no directed edge may belong to two faces.
    fn check_orientation(&self, settings: &MeshSettings) -> Result<(), MeshError> {
        if settings.inertia != MeshInertia::Exact {
            return Ok(());
        }
        let mut edges = Vec::with_capacity(3 * self.face.len());
        for &[a, b, c] in &self.face {
            let [pa, pb, pc] = [a, b, c].map(|i| &self.vert[i as usize]);
            if triangle(pa, pb, pc).0 > MINVAL.sqrt() {
                edges.extend([(a, b), (b, c), (c, a)]);
            }
        }
        edges.sort_unstable();
        match edges.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(MeshError::Orientation(pair[0].0 + 1, pair[0].1 + 1)),
            None => Ok(()),
        }
    }

    /// Builds the hull graph when it is needed and returns the hull's faces.
    fn build_hull(&mut self, settings: &MeshSettings) -> Result<Vec<[i32; 3]>, MeshError> {
        if !settings.needhull && settings.inertia != MeshInertia::Convex && !self.face.is_empty() {
            return Ok(Vec::new());
        }
        let hull = convex_hull(&self.vert, settings.maxhullvert)?;
        self.graph = hull_graph(&hull);
        if self.face.is_empty() {
            self.face.clone_from(&hull.faces);
        }
        Ok(hull.faces)
    }

    /// Fills in normals and indices that the source does not have.
    fn complete(&mut self, settings: &MeshSettings) -> Result<(), MeshError> {
        if self.normal.is_empty() {
            if !self.facenormal.is_empty() && self.facenormal.len() != self.face.len() {
                return Err(MeshError::FaceNormalCount);
            }
            self.normal = vertex_normals(&self.vert, &self.face, settings.smoothnormal);
            self.facenormal.clone_from(&self.face);
        }
        if !self.facenormal.is_empty() && self.facenormal.len() != self.face.len() {
            return Err(MeshError::FaceNormalCount);
        }
        if self.facetexcoord.is_empty() && !self.texcoord.is_empty() {
            self.facetexcoord.clone_from(&self.face);
        }
        if self.facenormal.is_empty() {
            let per_vertex = (self.normal.len() / self.vert.len()) as i32;
            self.facenormal =
                self.face.iter().map(|face| face.map(|index| per_vertex.wrapping_mul(index))).collect();
        }
        Ok(())
    }

    fn mirror_winding(&mut self, settings: &MeshSettings) {
        if left_handed(settings) {
            swap_winding(&mut self.face);
            swap_winding(&mut self.facenormal);
            swap_winding(&mut self.facetexcoord);
            if settings.reference.mirrored_hulls() {
                swap_hull_winding(&mut self.graph);
            }
        }
    }

    fn apply_reference_frame(&mut self, settings: &MeshSettings) {
        if settings.refpos != [0.0; 3] {
            for v in &mut self.vert {
                *v = sub(v, &settings.refpos);
            }
        }
        if settings.refquat != [1.0, 0.0, 0.0, 0.0] {
            let mut quat = settings.refquat;
            normalize(&mut quat);
            let mat = quat_to_mat(&quat);
            for v in &mut self.vert {
                *v = mat_t_mul_vec(&mat, v);
            }
            for n in &mut self.normal {
                *n = mat_t_mul_vec(&mat, &n.map(f64::from)).map(|x| x as f32);
            }
        }
        if settings.scale != [1.0; 3] {
            for v in &mut self.vert {
                for k in 0..3 {
                    v[k] *= settings.scale[k];
                }
            }
            for n in &mut self.normal {
                for k in 0..3 {
                    n[k] = (f64::from(n[k]) * settings.scale[k]) as f32;
                }
            }
        }
        renormalize(&mut self.normal);
    }

    /// Expresses vertices and normals in the frame (`pos`, `quat`) and returns the bounds there.
    fn move_to(&mut self, pos: &V3, quat: &[f64; 4]) -> [f64; 6] {
        let mat = quat_to_mat(&[quat[0], -quat[1], -quat[2], -quat[3]]);
        let mut bounds = [FAR, FAR, FAR, -FAR, -FAR, -FAR];
        for v in &mut self.vert {
            *v = mat_mul_vec(&mat, &sub(v, pos));
            for k in 0..3 {
                bounds[k] = bounds[k].min(v[k]);
                bounds[k + 3] = bounds[k + 3].max(v[k]);
            }
        }
        for n in &mut self.normal {
            *n = mat_mul_vec(&mat, &n.map(f64::from)).map(|x| x as f32);
        }
        bounds
    }

    fn finish(self, out: &mut CompiledMesh) {
        out.face_center = self.face.iter().map(|f| circumcenter(&self.vert, f)).collect();
        out.face_aabb = self.face.iter().map(|f| face_bounds(&self.vert, f)).collect();
        out.vert = self.vert.iter().map(|v| v.map(|x| x as f32)).collect();
        out.normal = self.normal;
        out.texcoord = self.texcoord;
        out.face = self.face;
        out.facenormal = self.facenormal;
        out.facetexcoord = self.facetexcoord;
        out.graph = self.graph;
    }
}

/// The flat layout of the hull graph: counts, first edge and point of each vertex, edges, triangles.
fn hull_graph(hull: &HullGraph) -> Vec<i32> {
    let (nvert, nface) = (hull.vertices.len(), hull.faces.len());
    let mut graph = Vec::with_capacity(2 + 3 * nvert + 6 * nface);
    graph.extend([nvert as i32, nface as i32]);
    let mut address = 0;
    for neighbors in &hull.neighbors {
        graph.push(address);
        address += neighbors.len() as i32 + 1;
    }
    graph.extend_from_slice(&hull.vertices);
    for neighbors in &hull.neighbors {
        graph.extend_from_slice(neighbors);
        graph.push(-1);
    }
    graph.extend(hull.faces.iter().flatten());
    graph
}

/// Lists polygons with their normals, and for every vertex the polygons around it.
fn store_polygons(vert: &[V3], polygons: &[Vec<i32>], out: &mut CompiledMesh) {
    let mut around: Vec<Vec<i32>> = vec![Vec::new(); vert.len()];
    for (i, polygon) in polygons.iter().enumerate() {
        let [a, b, c] = [0, 1, 2].map(|k| &vert[polygon[k] as usize]);
        let normal = cross(&sub(b, a), &sub(c, a));
        let norm = dot(&normal, &normal).sqrt();
        let direction = if norm < 1e-14 { [1.0, 0.0, 0.0] } else { normal };
        out.polynormal.push(direction.map(|x| x / norm));
        out.polyvertadr.push(out.polyvert.len() as i32);
        out.polyvertnum.push(polygon.len() as i32);
        out.polyvert.extend_from_slice(polygon);
        for &index in polygon {
            around[index as usize].push(i as i32);
        }
    }
    for list in around {
        out.polymapadr.push(out.polymap.len() as i32);
        out.polymapnum.push(list.len() as i32);
        out.polymap.extend(list);
    }
}

/// Mirrors the triangles at the end of a hull graph.
fn swap_hull_winding(graph: &mut [i32]) {
    let count = graph.get(1).map_or(0, |&nface| 3 * nface as usize);
    let first = graph.len().saturating_sub(count);
    graph[first..].chunks_exact_mut(3).for_each(|face| face.swap(1, 2));
}

fn swap_winding(faces: &mut [[i32; 3]]) {
    for face in faces {
        face.swap(1, 2);
    }
}

/// Centre of the circle through the corners; NaN for a degenerate triangle.
fn circumcenter(vert: &[V3], face: &[i32; 3]) -> V3 {
    let [p, q, r] = face.map(|index| &vert[index as usize]);
    let (a, b) = (sub(p, r), sub(q, r));
    let normal = cross(&a, &b);
    let (aa, bb) = (dot(&a, &a), dot(&b, &b));
    let area = dot(&normal, &normal).sqrt();
    let lever = [aa * b[0] - bb * a[0], aa * b[1] - bb * a[1], aa * b[2] - bb * a[2]];
    let offset = cross(&lever, &normal);
    let mut center = [0.0; 3];
    for k in 0..3 {
        center[k] = offset[k] / (2.0 * area * area) + r[k];
    }
    center
}

fn face_bounds(vert: &[V3], face: &[i32; 3]) -> [f64; 6] {
    let mut low = [f64::MAX; 3];
    let mut high = [-f64::MAX; 3];
    for &index in face {
        for k in 0..3 {
            low[k] = low[k].min(vert[index as usize][k]);
            high[k] = high[k].max(vert[index as usize][k]);
        }
    }
    let mut aabb = [0.0; 6];
    for k in 0..3 {
        aabb[k] = 0.5 * (low[k] + high[k]);
        aabb[k + 3] = 0.5 * (high[k] - low[k]);
    }
    aabb
}
