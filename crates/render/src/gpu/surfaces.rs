//! Triangles of what a model brings along: planes, meshes, convex hulls and height fields.

use super::layout::Vertex;
use super::tessellate::Surface;
use kinetree_model::Model;
use kinetree_model::enums::GeomType;

/// Most divisions of a plane along one side.
const PLANE_GRID: usize = 200;
/// A corner of a mesh without texture keeps its smooth normal up to this cosine of the angle to the face's
/// normal.
const SMOOTH_COSINE: f32 = 0.8;

/// Where the model's plane geoms are divided along x and y, in the order of the geoms.
pub(super) fn planes(model: &Model) -> Vec<(Vec<f32>, Vec<f32>)> {
    (0..model.ngeom)
        .filter(|&g| model.geom_type[g] == GeomType::Plane as i32)
        .map(|g| (plane_lines(model, g, 0), plane_lines(model, g, 1)))
        .collect()
}

/// Where a plane is divided along x (`side` = 0) or y (1): at its grid spacing, or densely out to the horizon
/// where it is infinite.
fn plane_lines(model: &Model, geom: usize, side: usize) -> Vec<f32> {
    let half = model.geom_size[geom][side];
    if half > 0.0 {
        return finite_lines(half, model.geom_size[geom][2]);
    }
    let far = 2.1 * f64::from(model.vis.map.zfar) * model.stat.extent;
    let repeat =
        usize::try_from(model.geom_matid[geom]).map_or(0.0, |mat| f64::from(model.mat_texrepeat[mat][side]));
    // the margin is a whole period of the texture, so that the texture does not move with the grid
    let margin = if repeat > 0.0 { 2.0 / repeat } else { far / (PLANE_GRID - 2) as f64 };
    let spacing = (far + 2.0 * margin) / PLANE_GRID as f64;
    (0..=PLANE_GRID).map(|i| (spacing * (i as f64 - (PLANE_GRID / 2) as f64)) as f32).collect()
}

/// An even number of cells of twice the spacing around the centre, and what remains at both rims.
fn finite_lines(half: f64, spacing: f64) -> Vec<f32> {
    let spacing = spacing.max(half / (PLANE_GRID - 2) as f64);
    let cells = (half / spacing) as usize / 2 * 2;
    let rim = half - cells as f64 * spacing;
    let inner = (0..=cells).map(|i| -half + rim + 2.0 * i as f64 * spacing);
    std::iter::once(-half).chain(inner).chain(std::iter::once(half)).map(|x| x as f32).collect()
}

/// The triangles of mesh `id` with its normals and texture coordinates.
pub(super) fn mesh(model: &Model, id: usize) -> Surface {
    let range = span(model.mesh_faceadr[id], model.mesh_facenum[id]);
    let (vert, normal) = (model.mesh_vertadr[id], model.mesh_normaladr[id]);
    let texcoord = usize::try_from(model.mesh_texcoordadr[id]).ok();
    let mut surface = Surface::default();
    for face in range {
        let [a, b, c] = model.mesh_face[face].map(|v| model.mesh_vert[(v + vert) as usize]);
        let flat = face_normal(a, b, c);
        let corner = |k: usize, pos| {
            let smooth = model.mesh_normal[(model.mesh_facenormal[face][k] + normal) as usize];
            match texcoord {
                Some(first) => {
                    let uv = model.mesh_texcoord[first + model.mesh_facetexcoord[face][k] as usize];
                    Vertex { pos, normal: smooth, uv }
                }
                // sharp edges look sharp
                None if dot(smooth, flat) < SMOOTH_COSINE => Vertex::new(pos, flat),
                None => Vertex::new(pos, smooth),
            }
        };
        surface.triangle([corner(0, a), corner(1, b), corner(2, c)]);
    }
    surface
}

/// The convex hull of mesh `id`, empty when it was not computed.
pub(super) fn hull(model: &Model, id: usize) -> Surface {
    let mut surface = Surface::default();
    let Ok(graph) = usize::try_from(model.mesh_graphadr[id]) else { return surface };
    let vert = model.mesh_vertadr[id];
    let texcoord = usize::try_from(model.mesh_texcoordadr[id]).ok();
    // the graph holds two counts, three numbers per vertex, three per edge list of a face, then the faces
    let (vertices, faces) = (model.mesh_graph[graph] as usize, model.mesh_graph[graph + 1] as usize);
    let first = graph + 2 + 3 * vertices + 3 * faces;
    for face in model.mesh_graph[first..first + 3 * faces].chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| model.mesh_vert[(face[k] + vert) as usize]);
        let normal = face_normal(a, b, c);
        let uv = |k: usize| {
            let texcoord = texcoord.and_then(|adr| model.mesh_texcoord.get(adr + face[k] as usize));
            texcoord.copied().unwrap_or_default()
        };
        let corner = |k, pos| Vertex { pos, normal, uv: uv(k) };
        surface.triangle([corner(0, a), corner(1, b), corner(2, c)]);
    }
    surface
}

/// Height field `id`: its surface, four sides and the bottom.
pub(super) fn height_field(model: &Model, id: usize) -> Surface {
    let (rows, cols) = (model.hfield_nrow[id] as usize, model.hfield_ncol[id] as usize);
    let size = model.hfield_size[id].map(|s| s as f32);
    let data = &model.hfield_data[model.hfield_adr[id] as usize..][..rows * cols];
    let x = |c: usize| size[0] * (2.0 * c as f32 / (cols - 1) as f32 - 1.0);
    let y = |r: usize| size[1] * (2.0 * r as f32 / (rows - 1) as f32 - 1.0);
    let top = |r: usize, c: usize| [x(c), y(r), size[2] * data[r * cols + c]];
    let mut surface = Surface::default();
    for r in 0..rows - 1 {
        for c in 0..cols - 1 {
            let (a, b, d, e) = (top(r, c), top(r, c + 1), top(r + 1, c + 1), top(r + 1, c));
            for [p, q, s] in [[e, a, d], [a, b, d]] {
                let normal = face_normal(p, q, s);
                surface.triangle([p, q, s].map(|pos| Vertex::new(pos, normal)));
            }
        }
    }
    let base = -size[3];
    let mut side = |n: usize, normal: [f32; 3], rim: &dyn Fn(usize) -> [f32; 3]| {
        surface.grid(n, 1, |i, j| {
            let [px, py, pz] = rim(i);
            Vertex::new([px, py, if j == 0 { base } else { pz }], normal)
        });
    };
    side(rows - 1, [-1.0, 0.0, 0.0], &|i| top(rows - 1 - i, 0));
    side(rows - 1, [1.0, 0.0, 0.0], &|i| top(i, cols - 1));
    side(cols - 1, [0.0, -1.0, 0.0], &|i| top(0, i));
    side(cols - 1, [0.0, 1.0, 0.0], &|i| top(rows - 1, cols - 1 - i));
    let quads = model.vis.quality.numquads.clamp(1, 1000) as usize;
    let at = |i: usize| 2.0 * i as f32 / quads as f32 - 1.0;
    surface
        .grid(quads, quads, |i, j| Vertex::new([size[0] * at(j), size[1] * at(i), base], [0.0, 0.0, -1.0]));
    surface
}

/// The elements of a list that belong to one asset.
fn span(first: i32, count: i32) -> std::ops::Range<usize> {
    first as usize..(first + count) as usize
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Unit normal of a triangle, upwards when it has no area.
fn face_normal(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> [f32; 3] {
    let [a, b, c] = [a, b, c].map(nalgebra::Vector3::from);
    (b - a).cross(&(c - a)).try_normalize(0.0).map_or([0.0, 0.0, 1.0], Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines rise from rim to rim, and the inner ones are two spacings apart.
    #[test]
    fn finite_planes_are_divided_symmetrically() {
        let lines = finite_lines(1.0, 0.3);
        let expected = [-1.0, -0.6, 0.0, 0.6, 1.0];
        assert_eq!(lines.len(), expected.len());
        assert!(lines.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{lines:?}");
        assert!(finite_lines(100.0, 0.001).len() <= PLANE_GRID + 2);
    }
}
