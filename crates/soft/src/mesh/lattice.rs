//! Tetrahedra from the cells of a cubic lattice.

use std::collections::BTreeMap;

use kinetree_math::Vec3;

use super::inside::{nearest_point, winding_number};
use super::triangle::TriangleMesh;
use crate::element::tetrahedron_volume;
use crate::error::{SoftError, check_cells, check_range};

/// A border vertex is moved only so far that each of its tetrahedra keeps this part of its volume.
const LEAST_VOLUME: f64 = 0.2;

/// The six tetrahedra of a cell around its diagonal (Kuhn): paths from corner 0 to corner 7, one axis after
/// the other. Neighbouring cells meet in the same diagonals.
const PATHS: [[usize; 2]; 6] = [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]];

/// Vertices and tetrahedra of the cells that `wanted` chooses by their centres.
pub(super) fn fill(
    corner: Vec3,
    cell: Vec3,
    cells: [usize; 3],
    wanted: impl Fn(&Vec3) -> bool,
) -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let place = |at: [f64; 3]| corner + cell.component_mul(&Vec3::from(at));
    let (mut numbers, mut position, mut tetrahedra) = (BTreeMap::new(), Vec::new(), Vec::new());
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                if !wanted(&place([i, j, k].map(|at| at as f64 + 0.5))) {
                    continue;
                }
                let corners: [u32; 8] = std::array::from_fn(|bits| {
                    let at = [i + (bits & 1), j + (bits >> 1 & 1), k + (bits >> 2)];
                    *numbers.entry(at).or_insert_with(|| {
                        position.push(place(at.map(|x| x as f64)));
                        position.len() as u32 - 1
                    })
                });
                tetrahedra.extend(PATHS.map(|[a, b]| [corners[0], corners[a], corners[b], corners[7]]));
            }
        }
    }
    (position, tetrahedra)
}

/// Lattice cells inside of a surface, with border vertices moved onto it.
pub(super) fn stuff(surface: &TriangleMesh, cell: f64) -> Result<(Vec<Vec3>, Vec<[u32; 4]>), SoftError> {
    check_range("size of the cells", cell, cell > 0.0, "positive")?;
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for x in surface.position() {
        (low, high) = (low.inf(x), high.sup(x));
    }
    let counts = (high - low).map(|length| (length / cell).ceil().max(1.0));
    let total = counts.product();
    check_cells(total)?;
    let corner = 0.5 * (low + high) - 0.5 * cell * counts;
    let cells = [counts.x as usize, counts.y as usize, counts.z as usize];
    let inside = |center: &Vec3| winding_number(surface, center) > 0.5;
    let (mut position, tetrahedra) = fill(corner, Vec3::repeat(cell), cells, inside);
    if tetrahedra.is_empty() {
        return Err(SoftError::NoCells { cell });
    }
    move_to_surface(surface, cell, &mut position, &tetrahedra);
    Ok((position, tetrahedra))
}

/// Moves the vertices at the border of the lattice to the nearest points of the surface, as far as their
/// tetrahedra allow.
fn move_to_surface(surface: &TriangleMesh, cell: f64, position: &mut [Vec3], tetrahedra: &[[u32; 4]]) {
    let mut around = vec![Vec::new(); position.len()];
    for (index, tetrahedron) in tetrahedra.iter().enumerate() {
        tetrahedron.iter().for_each(|&v| around[v as usize].push(index));
    }
    let least = LEAST_VOLUME * cell * cell * cell / 6.0;
    for vertex in 0..position.len() {
        // an inner vertex of the lattice has 24 tetrahedra
        if around[vertex].len() == 24 {
            continue;
        }
        let start = position[vertex];
        let way = nearest_point(surface, &start) - start;
        let fits = |position: &[Vec3]| {
            around[vertex]
                .iter()
                .all(|&t| tetrahedron_volume(tetrahedra[t].map(|v| &position[v as usize])).0 >= least)
        };
        let steps = [1.0, 0.75, 0.5, 0.25, 0.0];
        for part in steps {
            position[vertex] = start + part * way;
            if fits(position) {
                break;
            }
        }
    }
}
