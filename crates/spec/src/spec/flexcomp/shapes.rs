//! Points and elements of the shapes that flex composites generate.

use core::f64::consts::PI;

use super::description::{FlexMesh, Flexcomp, FlexcompKind, MAX_POINTS};
use crate::assets::linalg::{V3, normalize};
use kinetree_model::claim;

/// Coordinates that differ by less count as equal (m).
const TINY: f64 = 1e-14;

/// Six tetrahedra that fill a cube; corners 0 to 3 go around its bottom, 4 to 7 around its top.
const CUBE_TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];

/// Fills in points and elements, and what else the kind of the composite decides.
pub(super) fn generate(comp: &mut Flexcomp) -> Result<(), String> {
    let kind = comp.kind;
    if !kind.is_direct() {
        let product = comp.count.iter().try_fold(1usize, |n, &side| n.checked_mul(side as usize));
        if product.is_none_or(|product| product > MAX_POINTS) {
            return Err(format!("the product of 'count' is too large, at most {MAX_POINTS} is possible"));
        }
    }
    match kind {
        FlexcompKind::Grid | FlexcompKind::Circle => grid(comp)?,
        FlexcompKind::Box | FlexcompKind::Cylinder | FlexcompKind::Ellipsoid => solid(comp)?,
        FlexcompKind::Square | FlexcompKind::Disc => {
            comp.flex.dim = 2;
            grid(comp)?;
            if kind == FlexcompKind::Disc {
                project_to_disc(comp);
            }
        }
        FlexcompKind::Mesh | FlexcompKind::Gmsh | FlexcompKind::Direct => {}
    }
    let faceted = matches!(kind, FlexcompKind::Box | FlexcompKind::Cylinder)
        || (kind == FlexcompKind::Grid && comp.flex.dim == 3);
    comp.flex.flatskin |= faceted;
    Ok(())
}

/// What a point takes with its elements, and as a body with its joints, in a description and in a model.
const BYTES_PER_POINT: usize = 6000;

/// Fraction of the way along a side, for texture coordinates.
fn fraction(i: i32, count: i32) -> f32 {
    i as f32 / (count - 1).max(1) as f32
}

/// Coordinate of point `i` of a row that is centred at zero (m).
fn coordinate(comp: &Flexcomp, i: i32, axis: usize) -> f64 {
    comp.spacing[axis] * (f64::from(i) - 0.5 * f64::from(comp.count[axis] - 1))
}

fn needs_texture(comp: &Flexcomp) -> bool {
    comp.mesh.texcoord.is_empty() && !comp.flex.material.is_empty()
}

fn grid(comp: &mut Flexcomp) -> Result<(), String> {
    let points = comp.count.iter().fold(1_usize, |all, &n| all.saturating_mul(n.max(1) as usize));
    claim("a grid", points.saturating_mul(BYTES_PER_POINT)).map_err(|lack| lack.to_string())?;
    let textured = needs_texture(comp);
    let mut mesh = std::mem::take(&mut comp.mesh);
    match comp.flex.dim {
        1 if comp.kind == FlexcompKind::Circle => circle(comp, &mut mesh),
        1 => line(comp, &mut mesh),
        2 => triangles(comp, &mut mesh, textured),
        _ => tetrahedra(comp, &mut mesh, textured),
    }
    comp.mesh = mesh;
    if comp.mesh.element.is_empty() { Err("'count' is too small for any element".into()) } else { Ok(()) }
}

fn circle(comp: &Flexcomp, mesh: &mut FlexMesh) {
    let points = comp.count[0] - 1;
    let angle = 2.0 * PI / f64::from(points);
    let radius = comp.spacing[0] / libm::sin(angle / 2.0) / 2.0;
    for i in 0..points {
        let around = angle * f64::from(i);
        mesh.point.push([radius * libm::cos(around), radius * libm::sin(around), 0.0]);
        mesh.element.extend([i, (i + 1) % points]);
    }
}

fn line(comp: &Flexcomp, mesh: &mut FlexMesh) {
    for i in 0..comp.count[0] {
        mesh.point.push([coordinate(comp, i, 0), 0.0, 0.0]);
        if i + 1 < comp.count[0] {
            mesh.element.extend([i, i + 1]);
        }
    }
}

fn triangles(comp: &Flexcomp, mesh: &mut FlexMesh, textured: bool) {
    let [nx, ny, nz] = comp.count;
    for i in 0..nx {
        for j in 0..ny {
            let [x, y] = [coordinate(comp, i, 0), coordinate(comp, j, 1)];
            mesh.point.push([x, y, 0.0]);
            if textured {
                mesh.texcoord.extend([fraction(i, nx), fraction(j, ny)]);
            }
            if i + 1 >= nx || j + 1 >= ny {
                continue;
            }
            let at = |i: i32, j: i32| nz * (ny * i + j);
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            // the diagonals of a disc point to its centre
            let off_diagonal = (x < -TINY && y > -TINY) || (x > -TINY && y < -TINY);
            if comp.kind == FlexcompKind::Disc && off_diagonal {
                mesh.element.extend([a, b, d, b, c, d]);
            } else {
                mesh.element.extend([a, b, c, a, c, d]);
            }
        }
    }
}

fn tetrahedra(comp: &Flexcomp, mesh: &mut FlexMesh, textured: bool) {
    let [nx, ny, nz] = comp.count;
    for i in 0..nx {
        for j in 0..ny {
            for k in 0..nz {
                mesh.point.push([coordinate(comp, i, 0), coordinate(comp, j, 1), coordinate(comp, k, 2)]);
                if textured {
                    mesh.texcoord.extend([fraction(i, nx), fraction(j, ny)]);
                }
                if i + 1 >= nx || j + 1 >= ny || k + 1 >= nz {
                    continue;
                }
                let at = |di: i32, dj: i32, dk: i32| nz * (ny * (i + di) + j + dj) + k + dk;
                let bottom = [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)];
                let corner = |c: usize| bottom[c % 4] + i32::from(c >= 4);
                mesh.element.extend(CUBE_TETRAHEDRA.as_flattened().iter().map(|&c| corner(c)));
            }
        }
    }
}

fn project_to_disc(comp: &mut Flexcomp) {
    let size: [f64; 2] =
        std::array::from_fn(|axis| 0.5 * comp.spacing[axis] * f64::from(comp.count[axis] - 1));
    for [x, y, _] in &mut comp.mesh.point {
        let length = x.abs().max(y.abs());
        let mut direction = [*x, *y];
        normalize(&mut direction);
        [*x, *y] = [direction[0] * (size[0] * length), direction[1] * (size[1] * length)];
    }
}

/// Position of a point of the surface of a box, projected onto the shape (m).
fn surface_point(comp: &Flexcomp, cell: [i32; 3]) -> V3 {
    let mut pos: V3 =
        std::array::from_fn(|axis| 2.0 * f64::from(cell[axis]) / f64::from(comp.count[axis] - 1) - 1.0);
    let size: V3 = std::array::from_fn(|axis| 0.5 * comp.spacing[axis] * f64::from(comp.count[axis] - 1));
    match comp.kind {
        FlexcompKind::Cylinder => {
            let length = pos[0].abs().max(pos[1].abs());
            let mut direction = [pos[0], pos[1]];
            normalize(&mut direction);
            [direction[0] * (size[0] * length), direction[1] * (size[1] * length), pos[2] * size[2]]
        }
        FlexcompKind::Ellipsoid => {
            normalize(&mut pos);
            std::array::from_fn(|axis| pos[axis] * size[axis])
        }
        _ => std::array::from_fn(|axis| pos[axis] * size[axis]),
    }
}

/// A side of the box: the axis it is normal to, and the two axes that span it, in the order of its points.
const SIDES: [[usize; 3]; 3] = [[2, 0, 1], [1, 0, 2], [0, 1, 2]];

/// The surface of a box, cylinder or ellipsoid; in three dimensions the pyramids over it.
fn solid(comp: &mut Flexcomp) -> Result<(), String> {
    if comp.count.iter().any(|&count| count < 2) {
        return Err("each 'count' of a box, cylinder or ellipsoid must be at least 2".into());
    }
    let textured = needs_texture(comp);
    let volume = comp.flex.dim == 3;
    let mut mesh = std::mem::take(&mut comp.mesh);
    if volume {
        mesh.point.push([0.0; 3]);
    }
    if textured {
        mesh.texcoord.extend([0.0; 2]);
    }
    let [_, ny, nz] = comp.count;
    let slot = |p: [i32; 3]| ((p[0] * ny + p[1]) * nz + p[2]) as usize;
    let mut number = vec![0; (comp.count[0] * ny * nz) as usize];
    for (id, (normal, cell)) in (i32::from(volume)..).zip(side_points(comp)) {
        mesh.point.push(surface_point(comp, cell));
        number[slot(cell)] = id;
        if textured {
            let [_, u, v] = SIDES[normal];
            mesh.texcoord.extend([fraction(cell[u], comp.count[u]), fraction(cell[v], comp.count[v])]);
        }
    }
    for (side, level, quad) in side_quads(comp) {
        let quad = quad.map(|cell| number[slot(cell)]);
        if volume {
            let [a, b, c, d] = quad;
            mesh.element.extend([0, a, b, c, 0, a, d, c]);
        } else {
            mesh.element.extend(outward_triangles(side, level == 0, quad));
        }
    }
    comp.mesh = mesh;
    Ok(())
}

/// Quadrilaterals of the surface: their side, its level along its normal, and the grid coordinates of their
/// corners.
fn side_quads(comp: &Flexcomp) -> Vec<(usize, i32, [[i32; 3]; 4])> {
    let mut quads = Vec::new();
    for (side, &[normal, u, v]) in SIDES.iter().enumerate() {
        for level in [0, comp.count[normal] - 1] {
            if is_open(comp) && normal == 2 && level > 0 {
                continue;
            }
            for i in 0..comp.count[u] - 1 {
                for j in 0..comp.count[v] - 1 {
                    let corner = |[du, dv]: [i32; 2]| {
                        let mut cell = [level; 3];
                        (cell[u], cell[v]) = (i + du, j + dv);
                        cell
                    };
                    quads.push((side, level, [[0, 0], [1, 0], [1, 1], [0, 1]].map(corner)));
                }
            }
        }
    }
    quads
}

/// Whether the upper side is left out: surfaces are baskets.
fn is_open(comp: &Flexcomp) -> bool {
    comp.flex.dim == 2
}

/// Points of the surface, each once: with the side that lists it.
fn side_points(comp: &Flexcomp) -> Vec<(usize, [i32; 3])> {
    let last = comp.count.map(|count| count - 1);
    let open = is_open(comp);
    let mut list = Vec::new();
    for (side, &[normal, u, v]) in SIDES.iter().enumerate() {
        for level in [0, last[normal]] {
            if open && normal == 2 && level > 0 {
                continue;
            }
            for i in 0..comp.count[u] {
                for j in 0..comp.count[v] {
                    let mut cell = [level; 3];
                    (cell[u], cell[v]) = (i, j);
                    // points at edges belong to the side that comes first
                    let lists =
                        |axis: usize| cell[axis] == 0 || (cell[axis] == last[axis] && !(open && axis == 2));
                    let taken = SIDES[..side].iter().any(|s| lists(s[0]));
                    if !taken {
                        list.push((side, cell));
                    }
                }
            }
        }
    }
    list
}

/// Two triangles of a quadrilateral on a side, counterclockwise seen from outside. `quad` goes around it
/// from the corner with the smallest coordinates, first along the first axis of the side.
fn outward_triangles(side: usize, low: bool, [a, b, c, d]: [i32; 4]) -> [i32; 6] {
    match (side, low) {
        (0, true) => [a, c, b, a, d, c],
        (0, false) => [a, b, c, a, c, d],
        (1, true) | (2, false) => [a, b, c, a, c, d],
        _ => [b, a, d, b, d, c],
    }
}
