//! Marching cubes (Lorensen and Cline, 1987): the surface of a field that is sampled on a grid, as triangles.
//!
//! A vertex lies on each edge of the grid whose ends differ in sign, by linear interpolation in single
//! precision. In a cell, corners inside that face each other across a face are kept apart; that rule fixes
//! the polygons in which the surface passes through a cell, as a test derives them. How a polygon is cut into
//! triangles, and in which order they come, follows from no rule: of the 256 cases, 40 have polygons that
//! are no fans, and cases that are mirrored or rotated are cut in different ways. These choices are the table
//! below, which is common since Bourke's; faces of compiled meshes, and with them inertias and contacts,
//! can be those of the reference with no other one. Vertices are numbered as cells are visited, x fastest:
//! along x, along y, along z, each at the far edges of a cell unless it is the first of its row.

use kinetree_math::Vec3;
use kinetree_math::field::SignedDistance;
use kinetree_model::checkpoint;

use super::{MeshOrigin, MeshSource};

/// Cells along the sum of the three half sizes.
const RESOLUTION: f64 = 300.0;

/// Edges of the triangles of each case, three hexadecimal digits each; `-` for none. Corner `i` of a cell has
/// a bit of `i` for each axis, x first, and so does a case for each corner inside.
const CASES: &str = "\
- 048 509 495489 1a4 1801a8 1a4950 51a5a99a8 b15 5b1804 0b109b 14818bb89 a5ba45 05b0b88ba 40949aa9b \
8ba89b 286 062046 950628 295256654 41a286 a62a21120 0958621a4 61a621251295 28615b 604620b15 \
b09b10628 46162916919b 5a45ba286 2a625a5ba052 286a9ba49409 2a629a9ba 927 048792 250275 827874475 \
1a4279 1801a8792 250275a41 827871175a81 b15279 0485b1279 7b1712210 48242112717b a5ba45279 \
7928ba80b05b ba7a407a0702 7827b8ba8 879867 904947746 086065567 467475 7867981a4 79661a916901 \
a41567506086 a51a65675 87986715b 15b746794904 08606bb6710b 17b147467 4ba45b698679 670ba0a605b0790 \
ba06707b0860a40 67b6ba 36a a36048 36a095 94895436a 341364 680603301 341364950 958836538513 36a5b1 \
15b48036a 0b109b6a3 6a3b89b18148 b36b65564 8368030b305b 6b360b09b406 6b368b89b 2a328a 4a3430032 \
a28a32509 34a394954293 841812213 013032 509213281841 529512132 2a328a5b1 b150320434a3 38a32819b109 \
9b4324294a34b14 5b4428b24b32 b05b30320 3249b4b34094284 32939b 792a36 2796a3048 527502a36 \
36a475487827 436413927 927301360680 164136075027 138758518278368 36a79215b 0486a379215b a362102717b1 \
36ab17127142482 2795645b6b36 2798060360535b3 02b64b40b36b27b 6838b387b827 37939aa98 a04a30390379 \
8a0a370a7075 34a374754 184178798371 937903013 758138378418508 137175 5b1a98a39379 15ba34304370790 \
8a7107087b17a37 37a74a7147b1 4539838437935b3 9070370b305b 08437b 7b3 73b 0483b7 5093b7 4954893b7 \
b7341a 81a80173b 1a4b73095 3b79a895a51a 173157 715731804 973930031 148187789317 3a4347745 \
80aa7307a057 a40a03309397 3973a9a89 286b73 062046b73 2869503b7 b73654625295 3b7a41286 73b1201a2a62 \
1a48629503b7 3b762a21a291951 173157862 246204357315 628031093973 469319149739629 8627457343a4 \
57a20a05a62a73a 2867393093a0a40 2969a693a973 3923b9 3923b9480 b50b03302 54b482b42b23 93b92341a \
0a801a2b923b 41a3023b0b50 235a858251a53b5 592521123 804123152592 031023 814821231 3a4349945239 \
a852353a5925805 43a403023 23a2a8 63b6b88b9 63b6b00b9460 86383003b0b5 b63b56546 1a48b986b63b \
016b969063b61a6 1a450b03b083863 a616516b563b 985863583531 319469639049159 608630310 314346 \
983453593a43863 3a6059 6383083403a4 3a6 6b76ab b6ab76048 6b76ab095 854895a76ab7 1b7174476 \
0680b6b761b0 9504764171b7 891761681b71951 a15a56657 0486576a5a15 7696a1961910 7618919714816a1 476457 \
068056576 940974764 897876 72878bb8a b7aa0470a720 095b8ab78728 ab25424a2952b72 4284121721b7 \
71b721201 0954181281b2b72 5191291721b7 872817157a18 20a57a72a15a04a 1078a7a17287097 14a297 872847457 \
205257 842472497409 972 26a2a99ab 4809ab92a26a 26a2a55ab025 542ab2b526a2482 4166921961b9 \
b960161b6806926 64b02b26b50b41b 2681b5 6a1612215259 0489252152616a1 a26a12102 a16126182148 259265645 \
058568526592 026064 268 8ab8b9 4904a9ab9 0b508b8ab ab5a54 1841b8b98 01b0b9 1b4b84b08b50 b51 \
5a159a98a 4a0a90a59a15 10818a 14a 459498 590 084 -";

/// The two ends of each edge of a cell: four along x, four along y, four along z.
const EDGES: [[usize; 2]; 12] =
    [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

/// Triangles of each case, as edges.
fn case_table() -> Vec<Vec<usize>> {
    let digits = |word: &str| word.chars().filter_map(|c| c.to_digit(16)).map(|d| d as usize).collect();
    CASES.split_whitespace().map(digits).collect()
}

/// Samples of a field on a grid.
struct Grid {
    size: [usize; 3],
    values: Vec<f32>,
}

impl Grid {
    fn value(&self, [x, y, z]: [usize; 3]) -> f32 {
        self.values[(z * self.size[1] + y) * self.size[0] + x]
    }
}

/// Grid points of a corner of a cell.
fn corner([x, y, z]: [usize; 3], i: usize) -> [usize; 3] {
    [x + (i & 1), y + (i >> 1 & 1), z + (i >> 2)]
}

/// A surface in the making: vertices in units of cells.
struct Surface {
    vert: Vec<[f32; 3]>,
    normal: Vec<[f32; 3]>,
    face: Vec<i32>,
    /// Vertices on the edges that begin at a grid point, along each axis, of two layers of the grid.
    layers: Vec<[i32; 3]>,
}

impl Surface {
    fn slot(size: &[usize; 3], [x, y, z]: [usize; 3]) -> usize {
        (z % 2 * size[1] + y) * size[0] + x
    }

    /// Makes the vertices of a cell that no cell before has made.
    fn add_vertices(&mut self, grid: &Grid, cell: [usize; 3]) {
        for (edge, [from, to]) in EDGES.into_iter().enumerate() {
            let axis = edge / 4;
            // the near edges across the axis belong to cells before, except at the border of the grid
            let made = (0..3).any(|k| k != axis && from >> k & 1 == 0 && cell[k] > 0);
            let [a, b] = [from, to].map(|i| grid.value(corner(cell, i)));
            if made || (a < 0.0) == (b < 0.0) {
                continue;
            }
            let at = corner(cell, from);
            let mut vertex = at.map(|n| n as f32);
            vertex[axis] += a / (a - b);
            self.layers[Self::slot(&grid.size, at)][axis] = self.vert.len() as i32;
            self.vert.push(vertex);
            self.normal.push([0.0; 3]);
        }
    }

    /// Adds the triangles of a cell, and their normals to those of their corners.
    fn add_triangles(&mut self, grid: &Grid, cell: [usize; 3], edges: &[usize]) {
        for triangle in edges.as_chunks::<3>().0 {
            let ids = triangle.map(|edge| {
                let at = corner(cell, EDGES[edge][0]);
                self.layers[Self::slot(&grid.size, at)][edge / 4]
            });
            self.face.extend(ids);
            let [a, b, c] = ids.map(|id| self.vert[id as usize]);
            let sub = |p: [f32; 3], q: [f32; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
            let ([ux, uy, uz], [vx, vy, vz]) = (sub(c, b), sub(a, b));
            let normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
            for id in ids {
                for k in 0..3 {
                    self.normal[id as usize][k] += normal[k];
                }
            }
        }
    }
}

fn march(grid: &Grid) -> Surface {
    let cases = case_table();
    let [nx, ny, nz] = grid.size;
    let mut surface =
        Surface { vert: vec![], normal: vec![], face: vec![], layers: vec![[0; 3]; 2 * nx * ny] };
    for z in 0..nz - 1 {
        checkpoint();
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                let cell = [x, y, z];
                let inside = |i: usize| usize::from(grid.value(corner(cell, i)) < 0.0) << i;
                let case = (0..8).map(inside).sum::<usize>();
                if case != 0 && case != 255 {
                    surface.add_vertices(grid, cell);
                    surface.add_triangles(grid, cell, &cases[case]);
                }
            }
        }
    }
    for normal in &mut surface.normal {
        let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        *normal = normal.map(|x| x / length);
    }
    surface
}

/// The surface of a field within a box, given by centre and half sizes.
///
/// # Errors
/// When the box has no size.
pub fn field_mesh(field: &dyn SignedDistance, aabb: &[f64; 6]) -> Result<MeshSource, String> {
    let half = [aabb[3], aabb[4], aabb[5]];
    let total: f64 = half.iter().sum();
    if !aabb.iter().all(|x| x.is_finite()) || half.iter().any(|&x| x <= 0.0) {
        return Err("the box around the field must have a positive size".into());
    }
    let size = half.map(|x| (RESOLUTION / total * x).floor() as usize + 1);
    if size.iter().any(|&n| n < 2) {
        return Err("the box around the field is too thin".into());
    }
    let coordinate = |k: usize, i: usize| aabb[k] - half[k] + 2.0 * half[k] * i as f64 / (size[k] - 1) as f64;
    let mut grid = Grid { size, values: Vec::with_capacity(size.iter().product()) };
    for z in 0..size[2] {
        checkpoint();
        for y in 0..size[1] {
            for x in 0..size[0] {
                let point = Vec3::new(coordinate(0, x), coordinate(1, y), coordinate(2, z));
                grid.values.push(field.distance(&point) as f32);
            }
        }
    }
    if grid.values.iter().any(|value| value.is_nan()) {
        return Err("its distance is not a number: a field must be one everywhere".into());
    }
    let surface = march(&grid);
    let scaled =
        |k: usize, x: f32| (2.0 * half[k] * f64::from(x) / (size[k] - 1) as f64 + aabb[k] - half[k]) as f32;
    Ok(MeshSource {
        origin: MeshOrigin::Field,
        vert: surface.vert.iter().flat_map(|v| [0, 1, 2].map(|k| scaled(k, v[k]))).collect(),
        normal: surface.normal.concat(),
        face: surface.face,
        ..MeshSource::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// In each case every triangle edge inside a cell has its opposite, and what is left are lines on the
    /// faces of the cell, one for each edge that the surface crosses.
    #[test]
    fn cases_are_closed() {
        let cases = case_table();
        assert_eq!(cases.len(), 256);
        for (case, edges) in cases.iter().enumerate() {
            let mut lines: HashMap<(usize, usize), i32> = HashMap::new();
            for t in edges.as_chunks::<3>().0 {
                for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    if lines.remove(&(b, a)).is_none() {
                        *lines.entry((a, b)).or_insert(0) += 1;
                    }
                }
            }
            let inside = |i: usize| case >> i & 1 != 0;
            for &(a, b) in lines.keys() {
                let ends = [EDGES[a], EDGES[b]];
                assert!(ends.iter().all(|[i, j]| inside(*i) != inside(*j)), "case {case}");
                // both edges are on one face
                let all = ends.concat();
                let shared = (0..3).any(|k| all.iter().all(|i| i >> k & 1 == all[0] >> k & 1));
                assert!(shared, "case {case}");
            }
            let crossed = EDGES.iter().filter(|[i, j]| inside(*i) != inside(*j)).count();
            assert_eq!(lines.len(), crossed, "case {case}");
        }
    }

    /// Lines of the surface on the faces of a cell: each goes from an edge that is crossed to the next, with
    /// the inside on its right when seen from outside the cell.
    fn face_lines(case: usize) -> Vec<(usize, usize)> {
        let inside = |i: usize| case >> i & 1 != 0;
        let edge_of =
            |a: usize, b: usize| EDGES.iter().position(|ends| *ends == [a.min(b), a.max(b)]).unwrap();
        let mut lines = Vec::new();
        for (axis, far) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let base = far << axis;
            // around the face, counter-clockwise from outside
            let mut round = [base, base | u, base | u | v, base | v];
            if far == 0 {
                round.reverse();
            }
            for i in 0..4 {
                let [before, corner, mut at] = [round[(i + 3) % 4], round[i], i];
                if !inside(corner) || inside(before) {
                    continue;
                }
                // the run of inside corners that begins here is cut off by one line
                while inside(round[(at + 1) % 4]) {
                    at += 1;
                }
                lines.push((edge_of(before, corner), edge_of(round[at % 4], round[(at + 1) % 4])));
            }
        }
        lines.sort_unstable();
        lines
    }

    /// The triangles of each case fill the polygons that the rule for faces makes.
    #[test]
    fn cases_fill_the_polygons_of_the_rule() {
        for (case, edges) in case_table().iter().enumerate() {
            let mut lines = Vec::new();
            for t in edges.as_chunks::<3>().0 {
                for line in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    match lines.iter().position(|&(a, b)| (b, a) == line) {
                        Some(at) => drop(lines.swap_remove(at)),
                        None => lines.push(line),
                    }
                }
            }
            lines.sort_unstable();
            assert_eq!(lines, face_lines(case), "case {case}");
        }
    }

    #[test]
    fn a_ball_has_its_volume() {
        struct Ball;
        impl SignedDistance for Ball {
            fn distance(&self, point: &Vec3) -> f64 {
                point.norm() - 0.8
            }
        }
        let mesh = field_mesh(&Ball, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]).unwrap();
        let vert = mesh.vert.as_chunks::<3>().0;
        let at = |i: i32| Vec3::from(vert[i as usize].map(f64::from));
        let faces = mesh.face.as_chunks::<3>().0;
        let volume: f64 = faces.iter().map(|&[a, b, c]| at(a).dot(&at(b).cross(&at(c))) / 6.0).sum();
        let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.512;
        assert!((volume / exact - 1.0).abs() < 1e-3, "{volume} {exact}");
        assert!(field_mesh(&Ball, &[0.0; 6]).is_err());
    }
}
