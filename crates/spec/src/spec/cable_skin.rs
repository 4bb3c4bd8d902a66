//! The skin of a flat cable: a sheet of two sides over the vertices of the cable, bound to its bodies.
//!
//! With a subgrid, vertices between those of the cable follow the bodies around them by bicubic
//! interpolation: a sheet whose value, derivatives and twist at each grid point are those of the differences
//! of its neighbours.

use super::cable::Cable;
use super::{Bone, Origin, Skin, Spec};

/// Adds the skin of a cable with so many vertices.
pub(super) fn add_cable_skin(spec: &mut Spec, cable: &Cable, origin: &Origin, vertices: usize) {
    let look = &cable.skin;
    let subgrid = usize::try_from(look.subgrid).unwrap_or(0);
    // bones across the cable: at its edges, and in the middle when there is a subgrid
    let grid = [vertices, if subgrid > 0 { 3 } else { 2 }];
    let sheet = grid.map(|count| count + (count - 1) * subgrid);
    let mut skin = Skin {
        name: format!("{}Skin", cable.prefix),
        origin: origin.clone(),
        material: look.material.clone(),
        rgba: look.rgba,
        inflate: (2.0 * cable.geom.size[2]) as f32,
        group: look.group,
        vert: vec![0.0; 6 * sheet[0] * sheet[1]],
        texcoord: if look.texcoord { texture_coordinates(sheet) } else { Vec::new() },
        face: faces(sheet),
        bones: bones(cable, grid),
        ..Skin::default()
    };
    if subgrid > 0 {
        bind_smoothly(&mut skin.bones, grid, sheet, subgrid);
    } else {
        for (i, bone) in (0_i32..).zip(&mut skin.bones) {
            bone.vertid = vec![i, (grid[0] * grid[1]) as i32 + i];
            bone.vertweight = vec![1.0; 2];
        }
    }
    spec.add_skin(skin);
}

/// Texture coordinates of both sides.
fn texture_coordinates([nx, ny]: [usize; 2]) -> Vec<f32> {
    let side = (0..nx)
        .flat_map(|x| (0..ny).flat_map(move |y| [x as f32 / (nx - 1) as f32, y as f32 / (ny - 1) as f32]));
    side.clone().chain(side).collect()
}

/// Triangles: two for each square of both sides, and two for each piece of the rim.
fn faces([nx, ny]: [usize; 2]) -> Vec<i32> {
    let mut faces: Vec<usize> = Vec::new();
    let (top, at) = (nx * ny, |x: usize, y: usize| x * ny + y);
    for back in [false, true] {
        let (side, front, back) = (if back { top } else { 0 }, usize::from(!back), usize::from(back));
        for x in 0..nx - 1 {
            for y in 0..ny - 1 {
                let corner = side + at(x, y);
                faces.extend([corner, side + at(x + 1, y + back), side + at(x + 1, y + front)]);
                faces.extend([corner, side + at(x + front, y + 1), side + at(x + back, y + 1)]);
            }
        }
    }
    // along the rim, a triangle has two corners on one side and one on the other
    for x in 0..nx - 1 {
        let (a, b) = (at(x, 0), at(x + 1, 0));
        faces.extend([a, top + b, b, a, top + a, top + b]);
    }
    for x in 0..nx - 1 {
        let (a, b) = (at(x, ny - 1), at(x + 1, ny - 1));
        faces.extend([a, b, top + b, a, top + b, top + a]);
    }
    for y in 0..ny - 1 {
        let (a, b) = (at(0, y), at(0, y + 1));
        faces.extend([a, b, top + b, a, top + b, top + a]);
    }
    for y in 0..ny - 1 {
        let (a, b) = (at(nx - 1, y), at(nx - 1, y + 1));
        faces.extend([a, top + b, b, a, top + a, top + b]);
    }
    faces.into_iter().map(|vertex| vertex as i32).collect()
}

/// Bones at the grid points. The last two points along the cable belong to the last body.
fn bones(cable: &Cable, [nx, ny]: [usize; 2]) -> Vec<Bone> {
    let mut bones = Vec::with_capacity(nx * ny);
    for x in 0..nx {
        for y in 0..ny {
            // −1, (0,) 1 from one edge to the other
            let side = 2.0 * y as f64 / (ny - 1) as f64 - 1.0;
            let along = if x + 1 == nx { -2.0 * cable.geom.size[0] } else { 0.0 };
            bones.push(Bone {
                bodyname: cable.body_name(if x == 0 { 0 } else { x.min(nx - 2) }, nx - 1),
                bindpos: [along as f32, (side * cable.geom.size[1]) as f32, 0.0],
                bindquat: [1.0, 0.0, 0.0, 0.0],
                ..Bone::default()
            });
        }
    }
    bones
}

/// Binds each vertex to the bones of the sixteen grid points around its square.
fn bind_smoothly(bones: &mut [Bone], grid: [usize; 2], sheet: [usize; 2], subgrid: usize) {
    let back = (sheet[0] * sheet[1]) as i32;
    for x in 0..grid[0] - 1 {
        for y in 0..grid[1] - 1 {
            let weights = square_weights(Border::of(x, grid[0]), Border::of(y, grid[1]), subgrid);
            // a square owns its first corners; the last one owns all
            let owned = |i: usize, count: usize| 1 + subgrid + usize::from(i + 2 == count);
            for dx in 0..owned(x, grid[0]) {
                for dy in 0..owned(y, grid[1]) {
                    let vertex = ((x * (1 + subgrid) + dx) * sheet[1] + y * (1 + subgrid) + dy) as i32;
                    for (k, &weight) in weights[dx * (2 + subgrid) + dy].iter().enumerate() {
                        if weight != 0.0 {
                            // grid points are counted from the one before the square
                            let bone = &mut bones[(x + k / 4 - 1) * grid[1] + (y + k % 4) - 1];
                            bone.vertid.extend([vertex, vertex + back]);
                            bone.vertweight.extend([weight as f32; 2]);
                        }
                    }
                }
            }
        }
    }
}

/// Where a square lies along one direction of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Border {
    First,
    Inside,
    Last,
}

impl Border {
    fn of(i: usize, count: usize) -> Self {
        match i {
            0 => Self::First,
            _ if i + 2 == count => Self::Last,
            _ => Self::Inside,
        }
    }

    /// Derivative at one end of a square from the values at the four grid points around it: by the points on
    /// both sides, at a border by the two points that there are.
    fn derivative(self, end: usize) -> [f64; 4] {
        let outermost = (self == Self::First && end == 0) || (self == Self::Last && end == 1);
        match (outermost, end) {
            (true, _) => [0.0, -1.0, 1.0, 0.0],
            (false, 0) => [-0.5, 0.0, 0.5, 0.0],
            (false, _) => [0.0, -0.5, 0.0, 0.5],
        }
    }

    /// Value at one end of a square.
    fn value(end: usize) -> [f64; 4] {
        if end == 0 { [0.0, 1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0, 0.0] }
    }
}

/// Coefficients of the cubic with given values and derivatives at 0 and 1: a row for each power.
const HERMITE: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [-3.0, 3.0, -2.0, -1.0], [2.0, -2.0, 1.0, 1.0]];
/// Corners of a square.
const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

/// Weights of the sixteen grid points around a square at each point of its subgrid.
///
/// The sums run over powers and then over values, derivatives along x, derivatives along y and twists of the
/// corners. Which of them cancel, and so which bones a vertex has, depends on that order.
fn square_weights(x: Border, y: Border, subgrid: usize) -> Vec<[f64; 16]> {
    let step = 1.0 / (1 + subgrid) as f64;
    let mut all = Vec::with_capacity((2 + subgrid) * (2 + subgrid));
    for sx in 0..2 + subgrid {
        for sy in 0..2 + subgrid {
            let mut at_corners = [0.0; 16];
            for power in 0..16 {
                let (i, j) = (power / 4, power % 4);
                let term = monomial([sx as f64 * step, sy as f64 * step], [i, j]);
                for (k, sum) in at_corners.iter_mut().enumerate() {
                    let ([cx, cy], order_x, order_y) = (CORNERS[k % 4], k / 4 % 2, k / 8);
                    *sum += term * (HERMITE[i][2 * order_x + cx] * HERMITE[j][2 * order_y + cy]);
                }
            }
            let mut weights = [0.0; 16];
            for (k, at_corner) in at_corners.iter().enumerate() {
                let ([cx, cy], order_x, order_y) = (CORNERS[k % 4], k / 4 % 2, k / 8);
                let wx = if order_x == 1 { x.derivative(cx) } else { Border::value(cx) };
                let wy = if order_y == 1 { y.derivative(cy) } else { Border::value(cy) };
                for (point, weight) in weights.iter_mut().enumerate() {
                    *weight += at_corner * (wx[point / 4] * wy[point % 4]);
                }
            }
            all.push(weights);
        }
    }
    all
}

/// `xⁱ yʲ`.
fn monomial([x, y]: [f64; 2], [i, j]: [usize; 2]) -> f64 {
    let factors = std::iter::repeat_n(x, i).chain(std::iter::repeat_n(y, j));
    factors.fold(1.0, |product, factor| product * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane stays a plane: weights sum to one and reproduce linear functions.
    #[test]
    fn weights_reproduce_planes() {
        for x in [Border::First, Border::Inside, Border::Last] {
            for y in [Border::First, Border::Inside, Border::Last] {
                let all = square_weights(x, y, 2);
                for (k, weights) in all.iter().enumerate() {
                    let (tx, ty) = ((k / 4) as f64 / 3.0, (k % 4) as f64 / 3.0);
                    let plane = |point: usize| 3.0 + 2.0 * (point / 4) as f64 - 5.0 * (point % 4) as f64;
                    let sum: f64 = (0..16).map(|point| weights[point] * plane(point)).sum();
                    assert!(
                        (sum - (3.0 + 2.0 * (1.0 + tx) - 5.0 * (1.0 + ty))).abs() < 1e-12,
                        "{x:?} {y:?} {k}"
                    );
                }
            }
        }
    }

    /// Every edge of the closed surface belongs to two triangles, once in each direction.
    #[test]
    fn faces_close_the_surface() {
        let faces = faces([4, 3]);
        let mut edges = std::collections::HashMap::new();
        for face in faces.chunks(3) {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((face[a], face[b])).or_insert(0) += 1;
            }
        }
        assert!(edges.iter().all(|(&(a, b), &count)| count == 1 && edges.contains_key(&(b, a))));
    }
}
