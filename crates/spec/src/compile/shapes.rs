//! Geometry of primitive shapes: volume, inertia, bounds and the fluid coefficients of the equivalent
//! ellipsoid.
//!
//! Inertias are those of a homogeneous body (or surface) of unit mass times the mass; the formulas are
//! textbook ones, and their order of operations is fixed because principal axes of symmetric bodies are
//! decided by the last bits.

use std::f64::consts::PI;

use kinetree_model::consts::MAXVAL;
use kinetree_model::enums::GeomType;

use super::frames::TINY;
use crate::spec::GeomInertia;

/// Volume, or area for a shell; 0 for shapes without one.
pub(crate) fn volume(kind: GeomType, size: &[f64; 3], inertia: GeomInertia) -> f64 {
    let [a, b, c] = *size;
    let shell = inertia == GeomInertia::Shell;
    match kind {
        GeomType::Sphere if shell => 4.0 * PI * a * a,
        GeomType::Sphere => 4.0 * PI * a * a * a / 3.0,
        GeomType::Capsule if shell => 4.0 * PI * a * a + 2.0 * PI * a * (2.0 * b),
        GeomType::Capsule => PI * (a * a * (2.0 * b) + 4.0 * a * a * a / 3.0),
        GeomType::Cylinder if shell => 2.0 * PI * a * a + 2.0 * PI * a * (2.0 * b),
        GeomType::Cylinder => PI * a * a * (2.0 * b),
        GeomType::Ellipsoid if shell => {
            // Knud Thomsen's approximation of the area
            const P: f64 = 1.6075;
            let sum = libm::pow(a * b, P) + libm::pow(b * c, P) + libm::pow(c * a, P);
            4.0 * PI * libm::pow(sum / 3.0, 1.0 / P)
        }
        GeomType::Ellipsoid => 4.0 * PI * a * b * c / 3.0,
        GeomType::Hfield | GeomType::Box if shell => 8.0 * (a * b + b * c + c * a),
        GeomType::Hfield | GeomType::Box => a * b * c * 8.0,
        _ => 0.0,
    }
}

/// Principal moments in the frame of the shape.
pub(crate) fn moments(kind: GeomType, size: &[f64; 3], mass: f64, inertia: GeomInertia) -> [f64; 3] {
    let shell = inertia == GeomInertia::Shell;
    let [a, b, c] = *size;
    let squares = [a * a, b * b, c * c];
    match kind {
        GeomType::Sphere => [2.0 * mass * a * a / if shell { 3.0 } else { 5.0 }; 3],
        GeomType::Capsule if shell => capsule_shell(mass, a, b),
        GeomType::Capsule => capsule(mass, a, b),
        GeomType::Cylinder if shell => cylinder_shell(mass, a, b),
        GeomType::Cylinder => {
            let side = mass * (3.0 * a * a + 4.0 * (b * b)) / 12.0;
            [side, side, mass * a * a / 2.0]
        }
        GeomType::Ellipsoid if shell => ellipsoid_shell(mass, size),
        GeomType::Ellipsoid => diagonal(&squares, mass, 5.0),
        GeomType::Hfield | GeomType::Box if shell => box_shell(mass, size),
        GeomType::Hfield | GeomType::Box => diagonal(&squares, mass, 3.0),
        _ => [0.0; 3],
    }
}

/// `mass (y² + z²) / divisor` and its permutations.
pub(crate) fn diagonal(squares: &[f64; 3], mass: f64, divisor: f64) -> [f64; 3] {
    let [x, y, z] = *squares;
    [mass * (y + z) / divisor, mass * (x + z) / divisor, mass * (x + y) / divisor]
}

fn capsule(mass: f64, radius: f64, half: f64) -> [f64; 3] {
    let height = 2.0 * half;
    let sphere = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let cylinder = mass - sphere;
    let own = 2.0 * sphere * radius * radius / 5.0;
    // the half spheres sit at the ends of the cylinder
    let side = cylinder * (3.0 * radius * radius + height * height) / 12.0
        + (own + sphere * height * (3.0 * radius + 2.0 * height) / 8.0);
    [side, side, cylinder * radius * radius / 2.0 + own]
}

fn capsule_shell(mass: f64, radius: f64, half: f64) -> [f64; 3] {
    let height = 2.0 * half;
    let sphere_area = 4.0 * PI * radius * radius;
    let total_area = sphere_area + 2.0 * PI * radius * height;
    let sphere = mass * sphere_area / total_area;
    let cylinder = mass - sphere;
    let own = 2.0 * sphere * radius * radius / 3.0;
    // centre of mass of a half sphere's surface, and its position along the axis
    let offset = radius / 2.0;
    let cap_center = half + offset;
    let side = cylinder * (6.0 * radius * radius + height * height) / 12.0
        + (own + sphere * (cap_center * cap_center - offset * offset));
    [side, side, cylinder * radius * radius + own]
}

fn cylinder_shell(mass: f64, radius: f64, half: f64) -> [f64; 3] {
    let height = 2.0 * half;
    let disk_area = PI * radius * radius;
    let total_area = 2.0 * disk_area + 2.0 * PI * radius * height;
    let disk = mass * disk_area / total_area;
    let wall = mass - 2.0 * disk;
    let disk_side = disk * radius * radius / 4.0 + disk * half * half;
    let side = wall * (6.0 * radius * radius + height * height) / 12.0 + 2.0 * disk_side;
    [side, side, wall * radius * radius + 2.0 * (disk * radius * radius / 2.0)]
}

/// Difference of two solid ellipsoids, one slightly larger than the other.
fn ellipsoid_shell(mass: f64, size: &[f64; 3]) -> [f64; 3] {
    const THICKNESS: f64 = 1e-6;
    let grown = size.map(|s| s + THICKNESS);
    let inner_volume = 4.0 * PI * size[0] * size[1] * size[2] / 3.0;
    let outer_volume = 4.0 * PI * grown[0] * grown[1] * grown[2] / 3.0;
    let density = mass / (outer_volume - inner_volume);
    let inner = diagonal(&size.map(|s| s * s), inner_volume * density, 5.0);
    let outer = diagonal(&grown.map(|s| s * s), outer_volume * density, 5.0);
    std::array::from_fn(|i| outer[i] - inner[i])
}

/// Three pairs of plates.
fn box_shell(mass: f64, size: &[f64; 3]) -> [f64; 3] {
    let squares = size.map(|s| s * s);
    let [lx, ly, lz] = size.map(|s| 2.0 * s);
    let areas = [lx * ly, ly * lz, lz * lx];
    let total = 2.0 * (areas[0] + areas[1] + areas[2]);
    let [xy, yz, zx] = areas.map(|area| mass * area / total);
    let (xx, yy, zz) = (lx * lx, ly * ly, lz * lz);
    let x = xy * ly * ly / 12.0 + yz * (yy + zz) / 12.0 + zx * lz * lz / 12.0;
    let y = xy * lx * lx / 12.0 + yz * lz * lz / 12.0 + zx * (xx + zz) / 12.0;
    let z = xy * (xx + yy) / 12.0 + yz * ly * ly / 12.0 + zx * lx * lx / 12.0;
    [
        2.0 * (xy * squares[2] + zx * squares[1] + x),
        2.0 * (xy * squares[2] + yz * squares[0] + y),
        2.0 * (yz * squares[0] + zx * squares[1] + z),
    ]
}

/// Axis-aligned bounds in the frame of the shape: minimum, maximum. Meshes and height fields bring their own.
pub(crate) fn bounds(kind: GeomType, size: &[f64; 3]) -> [f64; 6] {
    let half = match kind {
        GeomType::Plane => return [-MAXVAL, -MAXVAL, -MAXVAL, MAXVAL, MAXVAL, 0.0],
        GeomType::Sphere => [size[0]; 3],
        GeomType::Capsule => [size[0], size[0], size[0] + size[1]],
        GeomType::Cylinder => [size[0], size[0], size[1]],
        _ => *size,
    };
    [-half[0], -half[1], -half[2], half[0], half[1], half[2]]
}

/// Centre and half sizes of bounds.
pub(crate) fn centre_and_half(bounds: &[f64; 6]) -> [f64; 6] {
    let b = bounds;
    [
        (b[3] + b[0]) / 2.0,
        (b[4] + b[1]) / 2.0,
        (b[5] + b[2]) / 2.0,
        (b[3] - b[0]) / 2.0,
        (b[4] - b[1]) / 2.0,
        (b[5] - b[2]) / 2.0,
    ]
}

/// Largest distance of bounds from the origin along each axis.
pub(crate) fn reach(bounds: &[f64; 6]) -> [f64; 3] {
    std::array::from_fn(|i| bounds[i].abs().max(bounds[i + 3].abs()))
}

/// Radius of the sphere around the origin that holds the shape; 0 for unbounded ones.
pub(crate) fn bounding_radius(kind: GeomType, size: &[f64; 3]) -> f64 {
    let [a, b, c] = *size;
    match kind {
        GeomType::Sphere => a,
        GeomType::Capsule => a + b,
        GeomType::Cylinder => (a * a + b * b).sqrt(),
        GeomType::Ellipsoid => a.max(b).max(c),
        // the size of a mesh is the reach of its bounds
        GeomType::Box | GeomType::Mesh | GeomType::Sdf => (a * a + b * b + c * c).sqrt(),
        _ => 0.0,
    }
}

/// Parameters of the ellipsoid fluid model: switch, five drag and lift coefficients, added mass and added
/// inertia.
pub(crate) fn fluid_coefficients(kind: GeomType, size: &[f64; 3], coefs: &[f64; 5]) -> [f64; 12] {
    let [dx, dy, dz] = match kind {
        GeomType::Sphere => [size[0]; 3],
        GeomType::Capsule => [size[0], size[0], size[1] + size[0]],
        GeomType::Cylinder => [size[0], size[0], size[1]],
        _ => *size,
    };
    let volume = 4.0 / 3.0 * PI * dx * dy * dz;
    let kx = added_mass_kappa(dx, dy, dz);
    let ky = added_mass_kappa(dy, dz, dx);
    let kz = added_mass_kappa(dz, dx, dy);

    // virtual inertia about an axis from the two other semi-axes and their coefficients
    let inertia = |p: f64, q: f64, kp: f64, kq: f64| {
        let (pp, qq) = (p * p, q * q);
        let difference = pp - qq;
        let denominator = (2.0 * difference + (pp + qq) * (kp - kq)).abs().max(TINY);
        volume * (difference * difference * (kq - kp).abs() / denominator) / 5.0
    };
    let mass = |k: f64| volume * k / (2.0 - k).max(TINY);
    [
        1.0,
        coefs[0],
        coefs[1],
        coefs[2],
        coefs[3],
        coefs[4],
        mass(kx),
        mass(ky),
        mass(kz),
        inertia(dy, dz, ky, kz),
        inertia(dz, dx, kz, kx),
        inertia(dx, dy, kx, ky),
    ]
}

/// `∫₀^∞ dx dy dz / √((dx²+λ)³ (dy²+λ) (dz²+λ)) dλ`, the added-mass coefficient of an ellipsoid along x.
///
/// Gauss–Kronrod quadrature with 15 points after the substitution `λ = s x³/(1−x)²` with a length scale `s`;
/// the rounded weights and the tabulated nodes `x³/(1−x)²` and their derivatives are part of the model's
/// definition.
fn added_mass_kappa(dx: f64, dy: f64, dz: f64) -> f64 {
    const WEIGHT: [f64; 15] = [
        0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107,
        0.10221647, 0.09517529, 0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766,
    ];
    const LAMBDA: [f64; 15] = [
        7.865151709349917e-08,
        1.7347976913907274e-05,
        0.0003548008144506193,
        0.002846636252924549,
        0.014094260903596077,
        0.053063261727396636,
        0.17041978741317773,
        0.5,
        1.4036301548686991,
        3.9353484827022642,
        11.644841677041734,
        39.53187807410903,
        177.5711362220801,
        1429.4772912937397,
        54087.416549217705,
    ];
    const LAMBDA_DERIVATIVE: [f64; 15] = [
        5.538677720489877e-05,
        0.002080868285293228,
        0.016514126520723166,
        0.07261900344370877,
        0.23985243401862602,
        0.6868318249020725,
        1.8551129519182894,
        5.0,
        14.060031152313941,
        43.28941239611009,
        156.58546376397112,
        747.9826085305024,
        5827.4042950027115,
        116754.0197944512,
        25482945.327264845,
    ];
    let (ix, iy, iz) = (1.0 / (dx * dx), 1.0 / (dy * dy), 1.0 / (dz * dz));
    let scale = libm::pow(dx * dx * dx * dy * dz, 0.4);
    let mut kappa = 0.0;
    for i in 0..15 {
        let lambda = scale * LAMBDA[i];
        let (x, y, z) = (1.0 + lambda * ix, 1.0 + lambda * iy, 1.0 + lambda * iz);
        kappa += scale * LAMBDA_DERIVATIVE[i] / (x * (x * y * z).sqrt()) * WEIGHT[i];
    }
    kappa * ix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capsule_without_length_is_a_sphere() {
        for inertia in [GeomInertia::Volume, GeomInertia::Shell] {
            let capsule = moments(GeomType::Capsule, &[0.3, 0.0, 0.0], 2.0, inertia);
            let sphere = moments(GeomType::Sphere, &[0.3, 0.0, 0.0], 2.0, inertia);
            assert!(capsule.iter().zip(sphere).all(|(a, b)| (a - b).abs() < 1e-12));
            let volumes = [GeomType::Capsule, GeomType::Sphere].map(|k| volume(k, &[0.3, 0.0, 0.0], inertia));
            assert!((volumes[0] - volumes[1]).abs() < 1e-12);
        }
    }

    #[test]
    fn round_ellipsoid_has_the_added_mass_of_a_sphere() {
        // half of the displaced volume, and no added inertia
        let fluid = fluid_coefficients(GeomType::Sphere, &[0.2, 0.0, 0.0], &[0.5, 0.25, 1.5, 1.0, 1.0]);
        let half = 2.0 / 3.0 * PI * 0.2f64.powi(3);
        assert!(fluid[6..9].iter().all(|m| (m - half).abs() < 1e-6 * half));
        assert!(fluid[9..].iter().all(|i| i.abs() < 1e-9));
    }

    #[test]
    fn shell_of_a_cube_matches_the_plates() {
        // a hollow cube of side a: 5/18 m a²
        let inertia = moments(GeomType::Box, &[0.5; 3], 3.0, GeomInertia::Shell);
        assert!(inertia.iter().all(|i| (i - 3.0 * 5.0 / 18.0).abs() < 1e-12));
    }
}
