//! Skinning against matrices and geometric facts.

use kinetree_soft::skinning::{Bone, Pose, Skeleton, SkinnedMesh, SkinningMethod, vertex_normals};
use kinetree_soft::{SoftError, Vec3};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion};

const METHODS: [SkinningMethod; 2] = [SkinningMethod::LinearBlend, SkinningMethod::DualQuaternion];

fn bone(name: &str, parent: Option<usize>, rest: Pose) -> Bone {
    Bone { name: name.to_owned(), parent, rest }
}

/// A turn about x.
fn twist(angle: f64) -> [f64; 4] {
    [(0.5 * angle).cos(), (0.5 * angle).sin(), 0.0, 0.0]
}

/// Two bones along x and a tube of radius 0.1 around the joint between them.
fn tube() -> (Skeleton, SkinnedMesh) {
    let bones = vec![bone("a", None, Pose::at(Vec3::zeros())), bone("b", Some(0), Pose::at(Vec3::x()))];
    let skeleton = Skeleton::new(bones).expect("a skeleton");
    let ring = |k: usize| {
        let angle = k as f64 * std::f64::consts::FRAC_PI_4;
        Vec3::new(1.0, 0.1 * angle.cos(), 0.1 * angle.sin())
    };
    let weights = vec![vec![(0, 1.0), (1, 1.0)]; 8];
    let mesh = SkinnedMesh::new((0..8).map(ring).collect(), vec![], &weights, &skeleton).expect("a mesh");
    (skeleton, mesh)
}

fn deform(mesh: &SkinnedMesh, poses: &[Pose], method: SkinningMethod) -> Vec<Vec3> {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    mesh.deform(poses, method, &mut positions, &mut normals).expect("a shape");
    positions
}

#[test]
fn single_bones_move_vertices_as_isometries() {
    let rest = Pose { position: Vec3::new(0.3, -0.2, 0.5), orientation: [0.5, -0.5, 0.5, 0.5] };
    let moved = Pose { position: Vec3::new(-1.0, 0.4, 0.1), orientation: [0.8, 0.0, 0.6, 0.0] };
    let skeleton = Skeleton::new(vec![bone("only", None, rest)]).expect("a skeleton");
    let vertex = Vec3::new(0.7, 0.8, -0.9);
    let mesh = SkinnedMesh::new(vec![vertex], vec![], &[vec![(0, 3.0)]], &skeleton).expect("a mesh");
    let isometry = |pose: &Pose| {
        let [w, x, y, z] = pose.orientation;
        let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        Isometry3::from_parts(pose.position.into(), rotation)
    };
    let expected = (isometry(&moved) * isometry(&rest).inverse() * nalgebra::Point3::from(vertex)).coords;
    for method in METHODS {
        assert!((deform(&mesh, &[moved], method)[0] - expected).norm() < 1e-14, "{method:?}");
    }
}

#[test]
fn rest_poses_leave_the_mesh_as_it_is_and_rigid_motions_move_it_rigidly() {
    let (skeleton, mesh) = tube();
    let rest = deform(&mesh, &skeleton.rest_poses(), SkinningMethod::LinearBlend);
    assert!((rest[2] - Vec3::new(1.0, 0.0, 0.1)).norm() < 1e-14);
    let root = Pose { position: Vec3::new(1.0, 2.0, 3.0), orientation: [0.6, 0.0, 0.8, 0.0] };
    let poses = skeleton.world_poses(&[root, Pose::at(Vec3::x())]).expect("poses");
    for method in METHODS {
        for (x, start) in deform(&mesh, &poses, method).iter().zip(&rest) {
            assert!((x - root.transform(start)).norm() < 1e-14, "{method:?}");
        }
    }
}

#[test]
fn twisted_joint_collapses_by_linear_blending_and_keeps_its_radius_by_dual_quaternions() {
    let (skeleton, mesh) = tube();
    for angle in [0.5, 2.0, 3.0, -2.5, 5.0] {
        let twisted = Pose { position: Vec3::x(), orientation: twist(angle) };
        let poses = skeleton.world_poses(&[Pose::at(Vec3::zeros()), twisted]).expect("poses");
        let radius = |x: &Vec3| (x.y * x.y + x.z * x.z).sqrt();
        for x in deform(&mesh, &poses, SkinningMethod::LinearBlend) {
            assert!((radius(&x) - 0.1 * (0.5 * angle).cos().abs()).abs() < 1e-14);
        }
        for x in deform(&mesh, &poses, SkinningMethod::DualQuaternion) {
            assert!((radius(&x) - 0.1).abs() < 1e-14 && (x.x - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn normals_of_a_sphere_point_outwards() {
    let positions = vec![Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
    let mut triangles = Vec::new();
    for (i, x) in [0, 1].into_iter().enumerate() {
        for (j, y) in [2, 3].into_iter().enumerate() {
            for (k, z) in [4, 5].into_iter().enumerate() {
                triangles.push(if (i + j + k) % 2 == 0 { [x, y, z] } else { [x, z, y] });
            }
        }
    }
    let mut normals = Vec::new();
    vertex_normals(&positions, &triangles, &mut normals).expect("normals");
    assert!(positions.iter().zip(&normals).all(|(x, n)| (x - n).norm() < 1e-14));
    vertex_normals(&positions, &[], &mut normals).expect("normals");
    assert_eq!(normals, vec![Vec3::zeros(); 6]);
    assert!(vertex_normals(&positions, &[[0, 1, 6]], &mut normals).is_err());
}

#[test]
fn mistakes_are_named() {
    let late = Skeleton::new(vec![bone("child", Some(0), Pose::at(Vec3::zeros()))]);
    assert_eq!(late.err(), Some(SoftError::BoneOrder { bone: "child".to_owned(), parent: 0 }));
    let (skeleton, mesh) = tube();
    assert!(matches!(skeleton.world_poses(&[]), Err(SoftError::Length { expected: 2, .. })));
    let nan = Pose::at(Vec3::repeat(f64::NAN));
    assert!(matches!(
        skeleton.world_poses(&[Pose::at(Vec3::zeros()), nan]),
        Err(SoftError::NotFinite { index: 1, .. })
    ));
    let deformed = mesh.deform(&[], SkinningMethod::LinearBlend, &mut Vec::new(), &mut Vec::new());
    assert!(matches!(deformed, Err(SoftError::Length { .. })));
    let bind =
        |weights: Vec<(u32, f64)>| SkinnedMesh::new(vec![Vec3::zeros()], vec![], &[weights], &skeleton).err();
    assert_eq!(bind(vec![(2, 1.0)]), Some(SoftError::OutOfRange { what: "bone", index: 2, count: 2 }));
    for weights in [vec![], vec![(0, 0.0)], vec![(0, 2.0), (1, -1.0)], vec![(0, f64::NAN)]] {
        assert!(matches!(bind(weights), Some(SoftError::Degenerate { index: 0, .. })));
    }
}
