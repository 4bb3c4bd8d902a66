//! Bad input is refused with an error that names the element.

use kinetree_model::{Data, StepError};
use kinetree_soft::{
    CapsuleChain, ChainPreset, ChainSection, Cloth, ClothPreset, DeformableBody, Material, MaterialPreset,
    Particles, SoftBody, SoftError, SoftWorld, Substeps, TetrahedralMesh, TriangleMesh, Vec3, XpbdSettings,
    XpbdSolver,
};

fn tetrahedron() -> Vec<Vec3> {
    vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()]
}

#[test]
fn meshes_name_what_is_wrong_with_them() {
    let solid = |tetrahedra: Vec<[u32; 4]>| TetrahedralMesh::new(tetrahedron(), tetrahedra).err();
    assert!(matches!(solid(vec![[0, 1, 2, 3], [0, 2, 1, 3]]), Some(SoftError::Inverted { index: 1, .. })));
    assert!(matches!(solid(vec![[0, 1, 2, 4]]), Some(SoftError::Vertices { index: 0, .. })));
    assert!(matches!(solid(vec![[0, 1, 1, 3]]), Some(SoftError::Vertices { index: 0, .. })));
    let flat = TetrahedralMesh::new(
        vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(1.0, 1.0, 0.0)],
        vec![[0, 1, 2, 3]],
    );
    assert!(matches!(flat, Err(SoftError::Degenerate { what: "tetrahedron", index: 0, .. })));

    let sheet = |triangles: Vec<[u32; 3]>| TriangleMesh::new(tetrahedron(), triangles).err();
    let error = sheet(vec![[0, 1, 2], [1, 0, 3], [0, 1, 3]]).expect("three triangles at an edge");
    assert_eq!(error, SoftError::NotManifold { vertices: [0, 1], triangles: [0, 2] });
    assert!(error.to_string().contains("triangles [0, 2]"));
    let line = TriangleMesh::new(vec![Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()], vec![[0, 1, 2]]);
    assert!(matches!(line, Err(SoftError::Degenerate { what: "triangle", index: 0, .. })));
    let nan = TriangleMesh::new(vec![Vec3::zeros(), Vec3::x(), Vec3::repeat(f64::NAN)], vec![[0, 1, 2]]);
    assert_eq!(nan.err(), Some(SoftError::NotFinite { what: "vertex", index: 2 }));
}

#[test]
fn open_and_inverted_surfaces_cannot_be_filled() {
    let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let surface = |triangles| TriangleMesh::new(tetrahedron(), triangles).expect("a surface");
    let open = TetrahedralMesh::from_surface(&surface(faces[..3].to_vec()), 0.1);
    assert!(matches!(open, Err(SoftError::Open { .. })));
    let turned = faces.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert!(matches!(TetrahedralMesh::from_surface(&surface(turned), 0.1), Err(SoftError::Parameter { .. })));
    let tiny = TetrahedralMesh::from_surface(&surface(faces.clone()), 1e-9);
    assert!(matches!(tiny, Err(SoftError::Parameter { what: "number of cells", .. })));
    let coarse = TetrahedralMesh::from_surface(&surface(faces.clone()), 5.0);
    assert_eq!(coarse.err(), Some(SoftError::NoCells { cell: 5.0 }));
    let filled = TetrahedralMesh::from_surface(&surface(faces), 0.05).expect("a mesh");
    assert!((filled.volume() - 1.0 / 6.0).abs() < 0.1 / 6.0, "{}", filled.volume());
}

#[test]
fn vertices_without_mass_are_named() {
    let mut position = tetrahedron();
    position.push(Vec3::repeat(2.0));
    let mesh = TetrahedralMesh::new(position.clone(), vec![[0, 1, 2, 3]]).expect("a mesh");
    let error = SoftBody::new(mesh, MaterialPreset::Rubber).err();
    assert_eq!(error, Some(SoftError::NoMass { vertex: 4, element: "tetrahedron" }));
    let mesh = TriangleMesh::new(position, vec![[0, 1, 2]]).expect("a mesh");
    let error = Cloth::preset(mesh, ClothPreset::Silk).err();
    assert_eq!(error, Some(SoftError::NoMass { vertex: 3, element: "triangle" }));
    for mass in [0.0, -1.0, f64::NAN] {
        let error = Particles::new(vec![Vec3::zeros()], vec![mass]).err();
        assert!(matches!(error, Some(SoftError::Degenerate { what: "vertex", index: 0, .. })));
    }
}

#[test]
fn constants_out_of_range_are_refused() {
    let good = Material::new(1e6, 0.3, 1000.0);
    assert_eq!(good.check(), Ok(()));
    let bad = [
        Material { young: 0.0, ..good },
        Material { young: f64::NAN, ..good },
        Material { poisson: 0.5, ..good },
        Material { poisson: -0.1, ..good },
        Material { density: f64::INFINITY, ..good },
        Material { friction: -1.0, ..good },
        Material { damping: -1.0, ..good },
    ];
    for material in bad {
        assert!(matches!(material.check(), Err(SoftError::Parameter { .. })), "{material:?}");
        assert!(SoftBody::block([1, 1, 1], [1.0; 3], material).is_err());
    }
    MaterialPreset::ALL.iter().for_each(|preset| assert_eq!(preset.material().check(), Ok(())));
    assert!(SoftBody::block([0, 1, 1], [1.0; 3], good).is_err());
    assert!(Cloth::grid([1, 1], [1.0, 0.0], ClothPreset::Silk).is_err());
}

#[test]
fn chains_name_what_is_wrong_with_them() {
    let chain =
        |points: Vec<Vec3>| CapsuleChain::new(points, ChainSection::solid(0.01), MaterialPreset::Rope);
    let repeated = chain(vec![Vec3::zeros(), Vec3::x(), Vec3::x()]);
    assert!(matches!(repeated, Err(SoftError::Degenerate { what: "segment", index: 1, .. })));
    assert!(matches!(chain(vec![Vec3::zeros()]), Err(SoftError::TooFew { .. })));
    assert!(CapsuleChain::straight(Vec3::zeros(), Vec3::x(), 0, ChainPreset::Hair).is_err());
    for radius in [0.0, -1.0, f64::NAN] {
        let points = vec![Vec3::zeros(), Vec3::x()];
        assert!(CapsuleChain::new(points, ChainSection::solid(radius), MaterialPreset::Rope).is_err());
    }
}

#[test]
fn steps_refuse_states_that_are_not_numbers() {
    let mut cloth = Cloth::grid([2, 2], [1.0; 2], ClothPreset::Membrane).expect("a cloth");
    let mut solver = XpbdSolver::default();
    for dt in [0.0, -1.0, f64::NAN] {
        assert!(matches!(solver.step(&mut cloth, Vec3::zeros(), dt), Err(SoftError::Parameter { .. })));
    }
    cloth.particles_mut().velocity[3].y = f64::NAN;
    let error = solver.step(&mut cloth, Vec3::zeros(), 0.01);
    assert_eq!(error, Err(SoftError::NotFinite { what: "velocity", index: 3 }));
    cloth.particles_mut().velocity[3].y = 0.0;
    *cloth.particles_mut() = Particles::new(Vec::new(), Vec::new()).unwrap();
    assert!(matches!(cloth.substep(&Vec3::zeros(), 0.01, 1), Err(SoftError::Length { .. })));
    assert!(cloth.elastic_energy().is_err());
    assert!(cloth.particles_mut().pin(9).is_err());
    assert!(cloth.particles_mut().unpin(9).is_err());
    let mut none = XpbdSolver::new(XpbdSettings { substeps: Substeps::Fixed(0), ..Default::default() });
    assert!(none.step(&mut cloth, Vec3::zeros(), 0.01).is_err());
}

#[test]
fn inverted_and_collapsed_bodies_come_back() {
    let material = Material::new(1e5, 0.3, 1000.0).with_damping(5e-3);
    for scale in [-0.5, 0.0] {
        let mut body = SoftBody::block([2, 2, 2], [0.2; 3], material).expect("a block");
        let volume = body.volume();
        body.particles_mut().position.iter_mut().for_each(|x| x.z *= scale);
        // the plane is an equilibrium, though not a stable one
        body.particles_mut().position[13].z += 1e-3;
        let mut solver = XpbdSolver::default();
        for _ in 0..500 {
            solver.step(&mut body, Vec3::zeros(), 0.002).expect("the step succeeds");
        }
        assert!((body.volume() / volume - 1.0).abs() < 0.1, "scaled by {scale}: {}", body.volume() / volume);
    }
}

#[test]
fn dual_solvers_refuse_contacts_that_would_take_seconds() {
    // the sheet lies on a plate that can move: four rows for each vertex, and a full matrix over all of them
    let step = |option: &str, cells: usize| {
        let text = format!(
            "<mujoco><option {option}/><worldbody><body pos='0 0 -.05'><freejoint/>
             <geom type='box' size='.3 .3 .05' mass='5'/></body></worldbody></mujoco>"
        );
        let model = kinetree_spec::load_model_str(&text).expect("a model");
        let mut world = SoftWorld::default();
        let mut sheet = Cloth::grid([cells; 2], [0.5; 2], ClothPreset::Cotton).expect("a sheet");
        sheet.particles_mut().position.iter_mut().for_each(|x| x.z = 1e-4);
        let settings = XpbdSettings { substeps: Substeps::Fixed(1), ..XpbdSettings::default() };
        world.add(sheet, settings);
        world.step(&model, &mut Data::new(&model))
    };
    for option in ["solver='PGS'", "noslip_iterations='2'"] {
        assert_eq!(step(option, 8), Ok(()), "{option}");
        let error = step(option, 24).expect_err("too many rows");
        assert!(matches!(error, SoftError::Step(StepError::Unsupported(_))), "{option}: {error}");
        assert!(
            error.to_string().starts_with("unsupported: ") && error.to_string().contains("Newton"),
            "{error}"
        );
    }
    for option in ["solver='Newton'", "solver='CG'", "solver='PGS' cone='elliptic'"] {
        assert_eq!(step(option, 24), Ok(()), "{option}");
    }
}
