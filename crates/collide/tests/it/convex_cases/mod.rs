//! Reader of the golden files for convex pairs (see `golden/make_convex.py` for the format).
#![allow(dead_code, unreachable_pub)]

use kinetree_collide::{HeightField, MeshShape, Pose, Shape};
use kinetree_math::{Mat3, Vec3};
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[derive(Default)]
pub struct Mesh {
    bound_radius: f64,
    vert: Vec<[f32; 3]>,
    graph: Vec<i32>,
    poly_normal: Vec<[f64; 3]>,
    poly_vert_adr: Vec<i32>,
    poly_vert_num: Vec<i32>,
    poly_vert: Vec<i32>,
    poly_map_adr: Vec<i32>,
    poly_map_num: Vec<i32>,
    poly_map: Vec<i32>,
}

#[derive(Default)]
pub struct Field {
    nrow: usize,
    ncol: usize,
    size: [f64; 4],
    data: Vec<f32>,
}

/// One line of contact data: distance, position, normal.
pub type Contact = [f64; 7];

#[derive(Clone, Default)]
pub struct Case {
    shapes: [(String, Vec<f64>); 2],
    poses: [Vec<f64>; 2],
    pub margin: f64,
    pub multiccd: bool,
    pub distmax: f64,
    pub contacts: Vec<Contact>,
    /// Distance, from, to.
    pub distance: [f64; 7],
}

#[derive(Default)]
pub struct Golden {
    meshes: Vec<Mesh>,
    fields: Vec<Field>,
    pub cases: Vec<Case>,
}

/// The stored files of convex pairs, or those of the folder that `CONVEX_CASES` names.
pub fn golden_files() -> Vec<PathBuf> {
    files_starting_with("convex_")
}

/// The file of other pairs, for distances only.
pub fn distance_files() -> Vec<PathBuf> {
    files_starting_with("distance")
}

fn files_starting_with(prefix: &str) -> Vec<PathBuf> {
    let folder = std::env::var("CONVEX_CASES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden").to_string());
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("golden folder")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix)))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn numbers<T: FromStr>(words: &[&str]) -> Vec<T> {
    words.iter().map(|w| w.parse().unwrap_or_else(|_| panic!("bad number {w}"))).collect()
}

fn triples<T: Copy>(flat: &[T]) -> Vec<[T; 3]> {
    flat.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()
}

fn fixed<const N: usize>(words: &[&str]) -> [f64; N] {
    numbers::<f64>(words).try_into().expect("wrong number of values")
}

impl Golden {
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut golden = Self::default();
        let mut case = Case::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some((&key, rest)) = words.split_first() else { continue };
            match key {
                "mesh" => {
                    golden.meshes.push(Mesh { bound_radius: rest[1].parse().unwrap(), ..Mesh::default() });
                }
                "hfield" => golden.fields.push(Field {
                    nrow: rest[1].parse().unwrap(),
                    ncol: rest[2].parse().unwrap(),
                    size: fixed(&rest[3..]),
                    data: Vec::new(),
                }),
                "data" => golden.fields.last_mut().unwrap().data = numbers(rest),
                "shape1" => case.shapes[0] = (rest[0].to_string(), numbers(&rest[1..])),
                "shape2" => case.shapes[1] = (rest[0].to_string(), numbers(&rest[1..])),
                "pose1" => case.poses[0] = numbers(rest),
                "pose2" => case.poses[1] = numbers(rest),
                "opt" => {
                    let [margin, multiccd, distmax] = fixed(rest);
                    (case.margin, case.multiccd, case.distmax) = (margin, multiccd != 0.0, distmax);
                }
                "con" => case.contacts.push(fixed(rest)),
                "dist" => {
                    case.distance = fixed(rest);
                    golden.cases.push(std::mem::take(&mut case));
                }
                _ => golden.meshes.last_mut().unwrap().set(key, rest),
            }
        }
        golden
    }

    /// Shape 0 or 1 of a case.
    pub fn shape(&self, case: &Case, which: usize) -> Shape<'_> {
        let (kind, size) = &case.shapes[which];
        match kind.as_str() {
            "plane" => Shape::Plane,
            "sphere" => Shape::Sphere { radius: size[0] },
            "capsule" => Shape::Capsule { radius: size[0], half_length: size[1] },
            "ellipsoid" => Shape::Ellipsoid { semi_axes: Vec3::new(size[0], size[1], size[2]) },
            "cylinder" => Shape::Cylinder { radius: size[0], half_length: size[1] },
            "box" => Shape::Box { half: Vec3::new(size[0], size[1], size[2]) },
            "mesh" => Shape::Mesh(self.meshes[size[0] as usize].shape()),
            "hfield" => Shape::HeightField(self.fields[size[0] as usize].shape()),
            other => panic!("unknown shape {other}"),
        }
    }

    pub fn mesh_shape(&self, index: usize) -> Shape<'_> {
        Shape::Mesh(self.meshes[index].shape())
    }

    pub fn mesh_count(&self) -> usize {
        self.meshes.len()
    }
}

impl Case {
    /// Pose 0 or 1 of a case.
    pub fn pose(&self, which: usize) -> Pose {
        let p = &self.poses[which];
        Pose { pos: Vec3::from_column_slice(&p[..3]), mat: Mat3::from_row_slice(&p[3..]) }
    }
}

impl Mesh {
    fn set(&mut self, key: &str, words: &[&str]) {
        match key {
            "vert" => self.vert = triples(&numbers(words)),
            "poly_normal" => self.poly_normal = triples(&numbers(words)),
            "graph" => self.graph = numbers(words),
            "poly_vert_adr" => self.poly_vert_adr = numbers(words),
            "poly_vert_num" => self.poly_vert_num = numbers(words),
            "poly_vert" => self.poly_vert = numbers(words),
            "poly_map_adr" => self.poly_map_adr = numbers(words),
            "poly_map_num" => self.poly_map_num = numbers(words),
            "poly_map" => self.poly_map = numbers(words),
            other => panic!("unknown record {other}"),
        }
    }

    pub fn shape(&self) -> MeshShape<'_> {
        MeshShape {
            vert: &self.vert,
            graph: &self.graph,
            poly_normal: &self.poly_normal,
            poly_vert_adr: &self.poly_vert_adr,
            poly_vert_num: &self.poly_vert_num,
            poly_vert: &self.poly_vert,
            poly_map_adr: &self.poly_map_adr,
            poly_map_num: &self.poly_map_num,
            poly_map: &self.poly_map,
            bound_radius: self.bound_radius,
        }
    }
}

impl Field {
    fn shape(&self) -> HeightField<'_> {
        HeightField { nrow: self.nrow, ncol: self.ncol, size: self.size, data: &self.data }
    }
}
