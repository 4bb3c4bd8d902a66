//! Cantilevers and hanging ropes against beam theory and the catenary.

use crate::common::{WEAK_GRAVITY, mean_height, pin_where, relative_error, settle};
use kinetree_soft::{
    CapsuleChain, ChainPreset, ChainSection, Cloth, DeformableBody, Material, SoftBody, Substeps,
    TriangleMesh, Vec3,
};

/// Sag of a uniformly loaded cantilever with shear, `q L⁴ / (8 E I) + q L² / (2 κ G A)`.
fn cantilever_sag(load: f64, length: f64, bending: f64, shear: f64) -> f64 {
    load * length.powi(4) / (8.0 * bending) + load * length * length / (2.0 * shear)
}

/// Sag of the tip of a block of `10 × 2 × 2` cells times `refinement`.
fn block_sag(refinement: usize, more_substeps: usize) -> (f64, f64) {
    let (length, height, material) = (0.5, 0.1, Material::new(1e6, 0.3, 1000.0));
    let cells = [10 * refinement, 2 * refinement, 2 * refinement];
    let mut body = SoftBody::block(cells, [length, height, height], material).expect("a block");
    pin_where(&mut body, |x| x.x < -0.5 * length + 1e-9);
    let substeps = body.substeps(0.01) as usize * more_substeps;
    settle(&mut body, Substeps::Fixed(substeps), WEAK_GRAVITY, 20.0, 0.8);
    let area = height * height;
    let (bending, shear) = (material.young * area * area / 12.0, 5.0 / 6.0 * material.shear_modulus() * area);
    let theory = cantilever_sag(material.density * area, length, bending, shear);
    (-mean_height(&body, |x| x.x > 0.49 * length), theory)
}

#[test]
fn solid_cantilever_sags_as_beam_theory_says() {
    let (sag, theory) = block_sag(1, 1);
    assert!(relative_error(sag, theory) < 0.05, "{sag} against {theory}");
    let (with_substeps, _) = block_sag(1, 2);
    assert!(relative_error(with_substeps, sag) < 1e-3, "twice the substeps: {with_substeps} against {sag}");
}

#[test]
fn solid_cantilever_does_not_depend_on_resolution() {
    let ((coarse, theory), (fine, _)) = (block_sag(1, 1), block_sag(2, 1));
    assert!(relative_error(fine, coarse) < 0.05, "{fine} against {coarse}");
    assert!(relative_error(fine, theory) < 0.02, "{fine} against {theory}");
}

/// Sag of the tip of a sheet of `cells` that is clamped at one side, and what theory says for a narrow one.
fn sheet_sag(cells: [usize; 2], more_substeps: usize) -> (f64, f64) {
    let (length, width, thickness) = (0.2, 0.04, 0.01);
    let material = Material::new(2e6, 0.3, 1000.0);
    let mesh = Cloth::grid(cells, [length, width], kinetree_soft::ClothPreset::Cotton)
        .expect("a grid")
        .mesh()
        .clone();
    let mut cloth = Cloth::new(mesh, material, thickness).expect("a cloth");
    // two rows hold the tangent; the folds at the second one belong to half a row on each of its sides
    let row = length / cells[0] as f64;
    pin_where(&mut cloth, |x| x.x < -0.5 * length + 1.1 * row);
    let substeps = cloth.substeps(0.01) as usize * more_substeps;
    settle(&mut cloth, Substeps::Fixed(substeps), 0.1 * WEAK_GRAVITY, 20.0, 1.2);
    let bending = material.young * width * thickness.powi(3) / 12.0;
    let load = 0.1 * material.density * width * thickness;
    let theory = cantilever_sag(load, length - 0.5 * row, bending, f64::INFINITY);
    (-mean_height(&cloth, |x| x.x > 0.499 * length), theory)
}

#[test]
fn sheet_sags_as_beam_theory_says() {
    for cells in [[10, 2], [20, 4]] {
        let (sag, theory) = sheet_sag(cells, 1);
        assert!(relative_error(sag, theory) < 0.05, "{cells:?}: {sag} against {theory}");
    }
    let ((once, _), (twice, _)) = (sheet_sag([10, 2], 1), sheet_sag([10, 2], 2));
    assert!(relative_error(twice, once) < 1e-3, "twice the substeps: {twice} against {once}");
}

#[test]
fn sheet_in_tension_follows_hooke() {
    // a strip that hangs from its upper side under its weight: the tip moves by ρ g L² / (2 E)
    let (length, material) = (0.3, Material::new(1e5, 0.3, 1000.0));
    let corner = |i: usize, j: usize| Vec3::new(0.02 * j as f64, 0.0, -length * i as f64 / 15.0);
    let position = (0..16).flat_map(|i| (0..3).map(move |j| corner(i, j))).collect();
    let cell = |i: u32, j: u32| {
        let a = 3 * i + j;
        [[a, a + 3, a + 4], [a, a + 4, a + 1]]
    };
    let triangles = (0..15).flat_map(|i| (0..2).flat_map(move |j| cell(i, j))).collect();
    let mesh = TriangleMesh::new(position, triangles).expect("a strip");
    let mut cloth = Cloth::new(mesh, material, 1e-3).expect("a cloth");
    pin_where(&mut cloth, |x| x.z > -1e-9);
    settle(&mut cloth, Substeps::Auto, WEAK_GRAVITY, 30.0, 1.0);
    let extension = -length - mean_height(&cloth, |x| x.z < -length + 1e-6);
    let theory = material.density * length * length / (2.0 * material.young);
    assert!(relative_error(extension, theory) < 0.02, "{extension} against {theory}");
}

fn rod_sag(segments: usize, substeps: usize, young: f64) -> (f64, f64) {
    let (length, section, material) = (1.0, ChainSection::solid(0.01), Material::new(young, 0.3, 1000.0));
    let points = (0..=segments).map(|k| Vec3::new(length * k as f64 / segments as f64, 0.0, 0.0)).collect();
    let mut rod = CapsuleChain::new(points, section, material).expect("a rod");
    rod.clamp_start();
    // small enough a load for the linear theory
    let gravity = young * 1e-9 * WEAK_GRAVITY * 5.0;
    let time = 40.0 / (young / 1e9).sqrt().max(1.0);
    let mut solver = kinetree_soft::XpbdSolver::new(kinetree_soft::XpbdSettings {
        substeps: Substeps::Fixed(substeps),
        drag: 8.0 * (young / 1e9).sqrt(),
        ..Default::default()
    });
    for _ in 0..1000 {
        solver.step(&mut rod, gravity, time * 1e-3).expect("the step succeeds");
    }
    let bending = young * section.second_moment();
    let shear = 6.0 / 7.0 * material.shear_modulus() * section.area();
    let load = -gravity.z * material.density * section.area();
    (-rod.particles().position[segments].z, cantilever_sag(load, length, bending, shear))
}

#[test]
fn rod_sags_as_beam_theory_says_however_stiff_it_is() {
    for young in [1e7, 1e9, 2e11] {
        let (sag, theory) = rod_sag(20, 2, young);
        assert!(relative_error(sag, theory) < 0.01, "E = {young:e}: {sag} against {theory}");
        for (segments, substeps) in [(40, 2), (20, 4)] {
            let (other, _) = rod_sag(segments, substeps, young);
            assert!(relative_error(other, sag) < 0.01, "{segments} segments, {substeps} substeps: {other}");
        }
    }
}

#[test]
fn rod_twists_as_the_torsion_of_a_cylinder() {
    // a torque at the free end turns it by M L / (G J): the angular momentum of the last segment is fed
    let (segments, length, section) = (10, 1.0, ChainSection::solid(0.01));
    let material = Material::new(1e7, 0.3, 1000.0).with_damping(0.05);
    let points = (0..=segments).map(|k| Vec3::new(0.0, 0.0, length * k as f64 / segments as f64)).collect();
    let mut rod = CapsuleChain::new(points, section, material).expect("a rod");
    rod.clamp_start();
    let (torque, dt) = (1e-3, 1e-3);
    let polar = 2.0 * section.second_moment();
    let inertia = material.density * polar * length / segments as f64;
    for _ in 0..4000 {
        rod.spin_mut()[segments - 1].z += torque * dt / inertia;
        rod.substep(&Vec3::zeros(), dt, 1).expect("the step succeeds");
    }
    let [w, _, _, z] = rod.frames()[segments - 1];
    let angle = 2.0 * z.atan2(w);
    // up to the middle of the last segment
    let reach = length * (1.0 - 0.5 / segments as f64);
    let theory = torque * reach / (material.shear_modulus() * polar);
    assert!(relative_error(angle, theory) < 0.01, "{angle} against {theory}");
}

#[test]
fn hanging_rope_takes_the_catenary() {
    // a rope of length 1.2 between supports one metre apart, begun as a triangle
    let (segments, span, length) = (60, 1.0, 1.2f64);
    let depth = (0.25 * (length * length - span * span)).sqrt();
    let point = |k: usize| {
        let x = span * (k as f64 / segments as f64 - 0.5);
        Vec3::new(x, 0.0, -depth * (1.0 - 2.0 * x.abs() / span))
    };
    let section = ChainSection { solidity: 0.0, ..ChainPreset::Rope.section() };
    let points = (0..=segments).map(point).collect();
    let mut rope = CapsuleChain::new(points, section, ChainPreset::Rope.material()).expect("a rope");
    rope.particles_mut().pin(0).expect("an end");
    rope.particles_mut().pin(segments).expect("an end");
    settle(&mut rope, Substeps::Auto, Vec3::new(0.0, 0.0, -9.81), 4.0, 6.0);
    // 2 a sinh(span / 2a) = length, by bisection
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (span / (2.0 * a)).sinh() > length { low = a } else { high = a }
    }
    let a = 0.5 * (low + high);
    let curve = |x: f64| a * ((x / a).cosh() - (0.5 * span / a).cosh());
    let sag = -curve(0.0);
    for x in &rope.particles().position {
        assert!((x.z - curve(x.x)).abs() < 0.01 * sag, "{} against {}", x.z, curve(x.x));
    }
}
