//! Rays and bounding volume trees against reference values made by `golden/make_rays.py`.

use crate::common;
use std::collections::HashMap;

use kinetree_collide::bvh::{BvhLeaf, BvhTree, BvhView};
use kinetree_collide::ray::{self, MeshFaces, Ray, RayHit};
use kinetree_collide::{HeightField, Pose};
use kinetree_math::Vec3;

/// Largest accepted difference in any number.
const TOLERANCE: f64 = 1e-9;

fn difference(found: Option<RayHit>, distance: f64, normal: &Vec3) -> Option<String> {
    match found {
        None if distance < 0.0 => None,
        Some(hit)
            if (hit.distance - distance).abs() <= TOLERANCE * (1.0 + distance)
                && (hit.normal - normal).iter().all(|e| e.abs() <= TOLERANCE) =>
        {
            None
        }
        _ => Some(format!("{found:?} instead of distance {distance}, normal {normal:?}")),
    }
}

/// Runs `cast` over all cases of a kind and reports every one that differs.
fn check(kind: &str, cast: impl Fn(&Vec3, &Pose, &Ray) -> Option<RayHit>) {
    let lines = common::golden_lines(&format!("ray_{kind}"));
    let mut failures = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if common::header(line).is_some() {
            continue;
        }
        let mut numbers = common::numbers(line);
        let size = common::read_vec3(&mut numbers);
        let pose = common::read_pose(&mut numbers);
        let ray = Ray { origin: common::read_vec3(&mut numbers), direction: common::read_vec3(&mut numbers) };
        let distance = numbers.next().expect("distance");
        let normal = common::read_vec3(&mut numbers);
        if let Some(what) = difference(cast(&size, &pose, &ray), distance, &normal) {
            failures.push(format!("line {}: {what}", number + 1));
        }
    }
    common::report(kind, lines.len(), &failures);
}

/// Groups a flat list into arrays.
fn chunks<const N: usize>(values: impl Iterator<Item = f64>) -> Vec<[f64; N]> {
    let values: Vec<f64> = values.collect();
    values.chunks_exact(N).map(|chunk| chunk.try_into().expect("whole chunk")).collect()
}

fn headers(kind: &str) -> HashMap<String, Vec<f64>> {
    common::golden_lines(&format!("ray_{kind}"))
        .iter()
        .filter_map(|line| common::header(line))
        .map(|(name, rest)| (name.to_owned(), common::numbers(rest).collect()))
        .collect()
}

#[test]
fn plane() {
    check("plane", |size, pose, ray| ray::ray_plane(pose, [size.x, size.y], ray));
}

#[test]
fn sphere() {
    check("sphere", |size, pose, ray| ray::ray_sphere(&pose.pos, size.x, ray));
}

#[test]
fn capsule() {
    check("capsule", |size, pose, ray| ray::ray_capsule(pose, size.x, size.y, ray));
}

#[test]
fn ellipsoid() {
    check("ellipsoid", |size, pose, ray| ray::ray_ellipsoid(pose, size, ray));
}

#[test]
fn cylinder() {
    check("cylinder", |size, pose, ray| ray::ray_cylinder(pose, size.x, size.y, ray));
}

#[test]
fn cuboid() {
    check("box", |size, pose, ray| ray::ray_box(pose, size, ray));
}

#[test]
fn mesh() {
    let arrays = headers("mesh");
    let values = |name: &str| arrays[name].iter().copied();
    let half = Vec3::from_iterator(values("half"));
    let vert: Vec<[f32; 3]> = chunks::<3>(values("vert")).iter().map(|v| v.map(|x| x as f32)).collect();
    let face: Vec<[i32; 3]> = chunks::<3>(values("face")).iter().map(|v| v.map(|x| x as i32)).collect();
    let aabb = chunks::<6>(values("aabb"));
    let child: Vec<[i32; 2]> = chunks::<2>(values("child")).iter().map(|v| v.map(|x| x as i32)).collect();
    let nodeid: Vec<i32> = values("nodeid").map(|x| x as i32).collect();
    let faces =
        MeshFaces { vert: &vert, face: &face, bvh: BvhView { aabb: &aabb, child: &child, nodeid: &nodeid } };
    check("mesh", |_, pose, ray| ray::ray_mesh(pose, &half, &faces, ray));
}

#[test]
fn hfield() {
    let arrays = headers("hfield");
    let data: Vec<f32> = arrays["data"].iter().map(|&x| x as f32).collect();
    let field = HeightField {
        nrow: arrays["nrow"][0] as usize,
        ncol: arrays["ncol"][0] as usize,
        size: arrays["size"].as_slice().try_into().expect("four sizes"),
        data: &data,
    };
    check("hfield", |_, pose, ray| ray::ray_hfield(pose, &field, ray));
}

/// Numbers of all lines of a group with the given name.
fn rows<'a>(group: &'a [String], name: &'a str) -> impl Iterator<Item = Vec<f64>> + 'a {
    group
        .iter()
        .filter_map(|line| common::header(line))
        .filter(move |(found, _)| *found == name)
        .map(|(_, rest)| common::numbers(rest).collect())
}

fn tree_of(group: &[String]) -> BvhTree {
    let frame = rows(group, "frame").next().expect("frame");
    let leaves: Vec<BvhLeaf> = rows(group, "leaf")
        .map(|leaf| BvhLeaf {
            id: leaf[0] as i32,
            pos: leaf[1..4].try_into().expect("position"),
            quat: Some(leaf[4..8].try_into().expect("quaternion")),
            aabb: leaf[8..14].try_into().expect("box"),
        })
        .collect();
    BvhTree::build(
        &leaves,
        &frame[..3].try_into().expect("position"),
        &frame[3..].try_into().expect("quaternion"),
    )
}

#[test]
fn body_trees() {
    let lines = common::golden_lines("ray_bvh");
    let mut failures = Vec::new();
    for group in lines.chunk_by(|_, next| !next.starts_with("frame")) {
        let tree = tree_of(group);
        let nodes: Vec<Vec<f64>> = rows(group, "node").collect();
        assert_eq!(tree.len(), nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let links = [tree.child[index][0], tree.child[index][1], tree.nodeid[index], tree.depth[index]];
            let same_links = links.iter().zip(&node[6..]).all(|(a, b)| f64::from(*a) == *b);
            let near = tree.aabb[index].iter().zip(node).all(|(a, b)| (a - b).abs() <= 1e-14);
            if !same_links || !near {
                failures.push(format!("node {index}: {links:?} {:?} instead of {node:?}", tree.aabb[index]));
            }
        }
    }
    common::report("trees", lines.len(), &failures);
}
