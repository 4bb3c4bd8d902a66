//! Generated meshes.
//!
//! Shapes live in the cube −1 … 1 and are sized with the mesh's `scale`. Spheres and superquadrics come with
//! faces; cones and wedges are point sets whose faces are those of their convex hull.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI};

use super::{MeshError, MeshInertia, MeshSource};
use crate::spec::MeshBuiltin;

/// Bound on the number of vertices of a generated mesh.
const MAX_VERTICES: i64 = 4_000_000;

/// A generated mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltinMesh {
    /// Its lists.
    pub source: MeshSource,
    /// Mass model that the shape dictates, whatever the model says.
    pub inertia: Option<MeshInertia>,
}

/// Generates a mesh from its parameters.
pub fn builtin_mesh(kind: MeshBuiltin, params: &[f64]) -> Result<BuiltinMesh, MeshError> {
    let source = match kind {
        MeshBuiltin::Sphere => {
            let [subdivisions] = parameters(params, "Sphere builtin mesh type requires 1 parameter")?;
            sphere(whole(subdivisions, 0, 4, "sphere subdivision must be between 0 and 4")?)
        }
        MeshBuiltin::Hemisphere => {
            let [resolution] = parameters(params, "Hemisphere builtin mesh type requires 1 parameter")?;
            hemisphere(whole(resolution, 0, 10, "hemisphere resolution must be between 0 and 10")?)
        }
        MeshBuiltin::Cone => {
            let [edges, radius] = parameters(params, "Cone builtin mesh type requires 2 parameters")?;
            let edges = whole(edges, 0, MAX_VERTICES / 2, "cone has an invalid number of edges")?;
            cone(edges, radius)
        }
        MeshBuiltin::Supersphere => {
            let [resolution, e, n] =
                parameters(params, "Supersphere builtin mesh type requires 3 parameters")?;
            let resolution = whole(resolution, 3, 2000, "supersphere resolution must be greater than 2")?;
            require(e >= 0.0, "supersphere 'e' cannot be negative")?;
            require(n >= 0.0, "supersphere 'n' cannot be negative")?;
            supersphere(resolution, e, n)
        }
        MeshBuiltin::Supertorus => {
            let [resolution, radius, s, t] =
                parameters(params, "Supertorus builtin mesh type requires 4 parameters")?;
            let resolution = whole(resolution, 3, 2000, "supertorus resolution must be greater than 2")?;
            require(radius > 0.0 && radius <= 1.0, "supertorus radius must be in (0, 1]")?;
            require(s > 0.0, "supertorus 's' must be greater than 0")?;
            require(t > 0.0, "supertorus 't' must be greater than 0")?;
            supertorus(resolution, radius, s, t)
        }
        MeshBuiltin::Wedge => {
            let [x, y, fov_x, fov_y, gamma] =
                parameters(params, "Wedge builtin mesh type requires 5 parameters")?;
            require(fov_x > 0.0 && fov_x <= 180.0, "wedge fov[0] must be in (0, 180] degrees")?;
            require(fov_y > 0.0 && fov_y <= 90.0, "wedge fov[1] must be in (0, 90] degrees")?;
            let resolution = grid_resolution(x, y)?;
            require((0.0..=1.0).contains(&gamma), "wedge gamma must be in [0, 1]")?;
            wedge(resolution, [fov_x, fov_y], gamma)
        }
        MeshBuiltin::Plate => {
            let [x, y] = parameters(params, "Plate builtin mesh type requires 2 parameters")?;
            plate(grid_resolution(x, y)?)
        }
        MeshBuiltin::None => return Err(MeshError::Builtin("no shape is given")),
    };
    Ok(BuiltinMesh { source, inertia: (kind == MeshBuiltin::Plate).then_some(MeshInertia::Shell) })
}

fn parameters<const N: usize>(params: &[f64], message: &'static str) -> Result<[f64; N], MeshError> {
    <[f64; N]>::try_from(params).map_err(|_| MeshError::Builtin(message))
}

fn require(condition: bool, message: &'static str) -> Result<(), MeshError> {
    if condition { Ok(()) } else { Err(MeshError::Builtin(message)) }
}

/// The integer part of a parameter, within bounds.
fn whole(value: f64, low: i64, high: i64, message: &'static str) -> Result<usize, MeshError> {
    let number = value as i64;
    require(!value.is_nan() && (low..=high).contains(&number), message)?;
    Ok(number as usize)
}

fn grid_resolution(x: f64, y: f64) -> Result<[usize; 2], MeshError> {
    let message = "horizontal and vertical resolutions must be positive";
    let x = whole(x, 1, MAX_VERTICES, message)?;
    let y = whole(y, 1, MAX_VERTICES, message)?;
    require((x as i64).saturating_mul(y as i64) <= MAX_VERTICES, "too many vertices")?;
    Ok([x, y])
}

fn with_faces(vert: Vec<f32>, face: Vec<i32>) -> MeshSource {
    MeshSource { vert, face, ..MeshSource::default() }
}

/// Icosahedron whose faces are cut into four, each time pushed out to the unit sphere.
fn sphere(subdivisions: usize) -> MeshSource {
    let phi = ((1.0 + 5.0f64.sqrt()) / 2.0) as f32;
    let norm = (1.0 + f64::from(phi * phi)).sqrt();
    let (a, b) = ((1.0 / norm) as f32, (f64::from(phi) / norm) as f32);
    let mut vert = vec![
        -a, b, 0.0, a, b, 0.0, -a, -b, 0.0, a, -b, 0.0, 0.0, -a, b, 0.0, a, b, 0.0, -a, -b, 0.0, a, -b, b,
        0.0, -a, b, 0.0, a, -b, 0.0, -a, -b, 0.0, a,
    ];
    #[rustfmt::skip]
    let mut face = vec![
        0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11,
        1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8,
        3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9,
        4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1,
    ];
    for _ in 0..subdivisions {
        let mut middles = BTreeMap::new();
        let mut finer = Vec::with_capacity(4 * face.len());
        for corner in face.chunks_exact(3) {
            let (p, q, r) = (corner[0], corner[1], corner[2]);
            let pq = middle(&mut vert, &mut middles, p, q);
            let qr = middle(&mut vert, &mut middles, q, r);
            let rp = middle(&mut vert, &mut middles, r, p);
            finer.extend([p, pq, rp, q, qr, pq, r, rp, qr, pq, qr, rp]);
        }
        face = finer;
    }
    with_faces(vert, face)
}

/// The vertex between two others, created once per edge.
fn middle(vert: &mut Vec<f32>, known: &mut BTreeMap<(i32, i32), i32>, p: i32, q: i32) -> i32 {
    *known.entry((p.min(q), p.max(q))).or_insert_with(|| {
        let (a, b) = (3 * p as usize, 3 * q as usize);
        let mut point = [0, 1, 2].map(|k| (vert[a + k] + vert[b + k]) / 2.0);
        let norm = (point[0] * point[0] + point[1] * point[1] + point[2] * point[2]).sqrt();
        point.iter_mut().for_each(|x| *x /= norm);
        vert.extend_from_slice(&point);
        (vert.len() / 3 - 1) as i32
    })
}

/// Upper half of a subdivided octahedron on the unit sphere, closed by a fan at the equator.
fn hemisphere(resolution: usize) -> MeshSource {
    const EQUATOR: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let mut vert: Vec<f32> = vec![0.0, 0.0, 1.0];
    for row in 0..=resolution {
        let factor = (row + 1) as f64 / (resolution + 1) as f64;
        for side in 0..4 {
            let corner = |at: usize| {
                let e = EQUATOR[at % 4];
                [0.0 + factor * (e[0] - 0.0), 0.0 + factor * (e[1] - 0.0), 1.0 + factor * (0.0 - 1.0)]
            };
            let (start, end) = (corner(side), corner(side + 1));
            let step = [0, 1, 2].map(|k| (end[k] - start[k]) / (row + 1) as f64);
            for i in 0..=row {
                let p = [0, 1, 2].map(|k| start[k] + i as f64 * step[k]);
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                vert.extend(p.map(|x| (x / norm) as f32));
            }
        }
    }
    vert.extend([0.0; 3]);
    let center = vert.len() / 3 - 1;

    let mut face = vec![0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1];
    let mut push = |a: usize, b: usize, c: usize| face.extend([a as i32, b as i32, c as i32]);
    for row in 0..resolution {
        let (ring, below) = (2 * row * (row + 1) + 1, 4 * (row + 1));
        let (next_ring, next_count) = (ring + below, 4 * (row + 2));
        for side in 0..4 {
            for i in 0..row + 2 {
                let (v, w) = (i + (row + 1) * side, i + (row + 2) * side);
                let this = ring + v % below;
                let lower_next = next_ring + (w + 1) % next_count;
                push(this, next_ring + w % next_count, lower_next);
                if i < row + 1 {
                    push(this, lower_next, ring + (v + 1) % below);
                }
            }
        }
    }
    let (ring, count) = (2 * resolution * (resolution + 1) + 1, 4 * (resolution + 1));
    for i in 0..count {
        push(ring + i, center, ring + (i + 1) % count);
    }
    with_faces(vert, face)
}

/// Regular polygon at the bottom, and a point or a scaled polygon at the top.
fn cone(edges: usize, radius: f64) -> MeshSource {
    let mut vert: Vec<f32> = Vec::with_capacity(6 * edges + 3);
    let angle = |i: usize| (2 * i) as f64 * PI / edges as f64;
    for i in 0..edges {
        vert.extend([libm::cos(angle(i)) as f32, libm::sin(angle(i)) as f32, -1.0]);
    }
    if radius > 0.0 {
        for i in edges..2 * edges {
            let (x, y) = (radius * libm::cos(angle(i)), radius * libm::sin(angle(i)));
            vert.extend([x as f32, y as f32, 1.0]);
        }
    } else {
        vert.extend([0.0, 0.0, 1.0]);
    }
    with_faces(vert, Vec::new())
}

/// Signed power of the cosine, the building block of superquadrics.
fn power_cos(angle: f64, exponent: f64) -> f64 {
    let cos = libm::cos(angle);
    libm::pow(cos.abs(), exponent).copysign(cos)
}

fn power_sin(angle: f64, exponent: f64) -> f64 {
    let sin = libm::sin(angle);
    libm::pow(sin.abs(), exponent).copysign(sin)
}

fn supersphere(resolution: usize, e: f64, n: f64) -> MeshSource {
    let res = resolution as i32;
    let mut vert: Vec<f32> = vec![0.0, 0.0, -1.0];
    for i in 1..resolution {
        let v = -FRAC_PI_2 + i as f64 * PI / resolution as f64;
        for j in 0..resolution {
            let u = -PI + (j * 2) as f64 * PI / resolution as f64;
            vert.push((power_cos(v, n) * power_cos(u, e)) as f32);
            vert.push((power_cos(v, n) * power_sin(u, e)) as f32);
            vert.push(power_sin(v, n) as f32);
        }
    }
    vert.extend([0.0, 0.0, 1.0]);
    let north = (vert.len() / 3 - 1) as i32;

    let ring = |row: i32, j: i32| 1 + row * res + j % res;
    let mut face = Vec::with_capacity(6 * resolution * (resolution - 1));
    for j in 0..res {
        face.extend([0, ring(0, j + 1), ring(0, j)]);
    }
    for i in 0..res - 2 {
        for j in 0..res {
            face.extend([ring(i, j), ring(i, j + 1), ring(i + 1, j)]);
            face.extend([ring(i, j + 1), ring(i + 1, j + 1), ring(i + 1, j)]);
        }
    }
    for j in 0..res {
        face.extend([ring(res - 2, j), ring(res - 2, j + 1), north]);
    }
    with_faces(vert, face)
}

fn supertorus(resolution: usize, radius: f64, s: f64, t: f64) -> MeshSource {
    let res = resolution as i32;
    let mut vert: Vec<f32> = Vec::with_capacity(3 * resolution * resolution);
    for i in 0..resolution {
        for j in 0..resolution {
            let u = 2.0 * PI * i as f64 / resolution as f64;
            let v = 2.0 * PI * j as f64 / resolution as f64;
            let from_axis = 1.0 + radius * power_cos(v, s);
            vert.push((from_axis * power_cos(u, t)) as f32);
            vert.push((from_axis * power_sin(u, t)) as f32);
            vert.push((radius * power_sin(v, s)) as f32);
        }
    }
    let mut face = Vec::with_capacity(6 * resolution * resolution);
    for i in 0..res {
        for j in 0..res {
            let at = |i: i32, j: i32| (i % res) * res + j % res;
            face.extend([at(i, j), at(i + 1, j), at(i, j + 1)]);
            face.extend([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    with_faces(vert, face)
}

/// Numbers at equal distances, accumulated step by step.
fn steps(low: f64, high: f64, count: usize) -> Vec<f64> {
    let increment = if count > 1 { (high - low) / (count - 1) as f64 } else { 0.0 };
    let mut value = low;
    (0..count)
        .map(|_| {
            let current = value;
            value += increment;
            current
        })
        .collect()
}

/// Edges of angular bins, denser in the middle for positive `gamma`.
fn bin_edges(count: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let scale = fov * PI / 180.0;
    steps(-1.0, 1.0, count + 1)
        .into_iter()
        .map(|x| {
            let bent = if gamma == 0.0 { x } else { gamma * libm::pow(x, 5.0) + (1.0 - gamma) * x };
            bent * scale
        })
        .collect()
}

/// Directions on a sphere sector, each with a tangent frame in place of a normal.
fn wedge([nx, ny]: [usize; 2], fov: [f64; 2], gamma: f64) -> MeshSource {
    let (x, y) = (bin_edges(nx, fov[0], gamma), bin_edges(ny, fov[1], gamma));
    let mut source = MeshSource::default();
    for i in 0..nx {
        for j in 0..ny {
            let a = 0.5 * (x[i + 1] + x[i]);
            let e = 0.5 * (y[j + 1] + y[j]);
            let (ca, sa) = (libm::cos(a), libm::sin(a));
            let (ce, se) = (libm::cos(e), libm::sin(e));
            source.vert.extend([(ce * sa) as f32, se as f32, (-ce * ca) as f32]);

            let mut along_azimuth = [ce * ca, 0.0, ce * sa];
            let mut along_elevation = [-se * sa, ce, se * ca];
            crate::assets::linalg::normalize(&mut along_azimuth);
            crate::assets::linalg::normalize(&mut along_elevation);
            let normal = crate::assets::linalg::cross(&along_elevation, &along_azimuth);
            for axis in [normal, along_azimuth, along_elevation] {
                source.normal.extend(axis.map(|c| c as f32));
            }
        }
    }
    source
}

/// Grid of points in a plane, each with a frame in place of a normal.
fn plate([nx, ny]: [usize; 2]) -> MeshSource {
    let mut source = MeshSource::default();
    let (dx, dy) = (2.0 / nx as f64, 2.0 / ny as f64);
    for i in 0..nx {
        for j in 0..ny {
            let x = -1.0 + (i as f64 + 0.5) * dx;
            let y = -1.0 + (j as f64 + 0.5) * dy;
            source.vert.extend([x as f32, y as f32, -1.0]);
            source.normal.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        }
    }
    let at = |i: usize, j: usize| (i * ny + j) as i32;
    for i in 1..nx {
        for j in 1..ny {
            source.face.extend([at(i - 1, j - 1), at(i, j - 1), at(i - 1, j)]);
            source.face.extend([at(i, j), at(i - 1, j), at(i, j - 1)]);
        }
    }
    source
}
