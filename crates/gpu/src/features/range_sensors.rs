//! Rays of rangefinders: where they begin, and the geoms that they meet.

use crate::features::parameters::Table;
use kinetree_model::enums::{GeomType, ObjType, RayDataField};
use kinetree_model::{Data, Model};
use kinetree_sim::PixelRays;
use std::collections::BTreeMap;

/// One ray of a sensor, in the frame of its site or camera.
#[derive(Clone, Debug)]
pub(crate) struct Ray {
    /// Index of its first value in `sensordata`.
    pub(crate) address: i32,
    /// What is read, as bits of `RayDataField`.
    pub(crate) fields: i32,
    pub(crate) origin: [f64; 3],
    /// Of unit length.
    pub(crate) direction: [f64; 3],
    /// Whether depth is measured along the axis of a camera.
    pub(crate) of_camera: bool,
}

/// Values of each field of a ray, in their order.
const WIDTHS: [(RayDataField, usize); 6] = [
    (RayDataField::Dist, 1),
    (RayDataField::Dir, 3),
    (RayDataField::Origin, 3),
    (RayDataField::Point, 3),
    (RayDataField::Normal, 3),
    (RayDataField::Depth, 1),
];

/// The rays of a rangefinder: one along the z axis of a site, or one through each pixel of a camera.
pub(crate) fn rays(model: &Model, s: usize) -> Vec<Ray> {
    let fields = model.sensor_intprm[s][0];
    let width: usize =
        WIDTHS.iter().filter(|(field, _)| fields & (1 << *field as i32) != 0).map(|(_, width)| width).sum();
    let ray = |k: usize, (origin, direction): ([f64; 3], [f64; 3]), of_camera: bool| {
        let address = model.sensor_adr[s] + (k * width) as i32;
        Ray { address, fields, origin, direction, of_camera }
    };
    if model.sensor_objtype[s] == ObjType::Site as i32 {
        return vec![ray(0, ([0.0; 3], [0.0, 0.0, 1.0]), false)];
    }
    let camera = model.sensor_objid[s] as usize;
    let [columns, rows] = model.cam_resolution[camera].map(|n| n.max(0) as usize);
    // values that a program has made room for bound the pixels
    let count = (columns * rows).min(model.sensor_dim[s] as usize / width.max(1));
    let pixels = PixelRays::new(model, camera);
    // the rays of a camera that stands at the origin
    let mut data = Data::new(model);
    data.cam_xpos[camera] = [0.0; 3];
    data.cam_xmat[camera] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let of_pixel = |k: usize| pixels.ray(&data, camera, k % columns, k / columns);
    (0..count).map(|k| ray(k, of_pixel(k), true)).collect()
}

/// Geoms that rays meet.
#[derive(Clone, Debug)]
pub(crate) struct RayScene(Vec<usize>);

impl RayScene {
    /// All that can be seen.
    pub(crate) fn new(model: &Model) -> Self {
        let alpha = |g: usize| match usize::try_from(model.geom_matid[g]) {
            Ok(material) => model.mat_rgba[material][3],
            Err(_) => model.geom_rgba[g][3],
        };
        Self((0..model.ngeom).filter(|&g| alpha(g) != 0.0).collect())
    }

    /// Whether the kernel knows all their shapes; distance fields have a function of their own.
    pub(crate) fn is_covered(&self, model: &Model) -> bool {
        self.0.iter().all(|&g| model.geom_type[g] != GeomType::Sdf as i32)
    }

    /// Whether one of them has a type.
    pub(crate) fn has(&self, model: &Model, kind: GeomType) -> bool {
        self.0.iter().any(|&g| model.geom_type[g] == kind as i32)
    }

    /// Writes geoms, their types, and meshes and height fields where there are some.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        table.size("NRAYGEOM", self.0.len());
        table.ints("RAY_GEOM", self.0.iter().flat_map(|&g| [g as i32, model.geom_type[g]]));
        if self.has(model, GeomType::Mesh) {
            self.write_meshes(model, table);
        }
        if self.has(model, GeomType::Hfield) {
            self.write_fields(model, table);
        }
    }

    /// Vertices, triangles and bounding trees; of each geom where these begin.
    fn write_meshes(&self, model: &Model, table: &mut Table) {
        let mut words = Vec::new();
        let mut known = BTreeMap::new();
        let mut entries = Vec::new();
        for &g in &self.0 {
            let mesh = usize::try_from(model.geom_dataid[g]).ok();
            let mesh = mesh.filter(|_| model.geom_type[g] == GeomType::Mesh as i32);
            entries.extend(match mesh {
                Some(mesh) => *known.entry(mesh).or_insert_with(|| put_mesh(model, mesh, &mut words)),
                None => [0; 4],
            });
        }
        table.ints("RAY_MESH", entries);
        table.ints("RAY_MESH_DATA", words);
    }

    /// Height fields: sizes, numbers of rows and columns, and elevations.
    fn write_fields(&self, model: &Model, table: &mut Table) {
        let field = |g: usize| match usize::try_from(model.geom_dataid[g]) {
            Ok(field) if model.geom_type[g] == GeomType::Hfield as i32 => field as i32,
            _ => -1,
        };
        let info = |f: usize| [model.hfield_nrow[f], model.hfield_ncol[f], model.hfield_adr[f]];
        table.ints("RAY_FIELD", self.0.iter().map(|&g| field(g)));
        table.floats("RAY_FIELD_SIZE", model.hfield_size.as_flattened().iter().copied());
        table.ints("RAY_FIELD_INFO", (0..model.nhfield).flat_map(info));
        table.ints("RAY_FIELD_DATA", model.hfield_data.iter().map(|&x| bits(x)));
    }
}

fn bits(x: f32) -> i32 {
    x.to_bits().cast_signed()
}

/// Appends a mesh; returns where vertices, triangles and nodes begin, and the number of nodes. A node has its
/// triangle or -1, two children and a box, which is a little larger than it is, so that rounding loses no
/// triangle.
fn put_mesh(model: &Model, mesh: usize, words: &mut Vec<i32>) -> [i32; 4] {
    let range = |first: i32, count: i32| first as usize..first as usize + count as usize;
    let vertices = range(model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]);
    let faces = range(model.mesh_faceadr[mesh], model.mesh_facenum[mesh]);
    let nodes = range(model.mesh_bvhadr[mesh], model.mesh_bvhnum[mesh]);
    let (face_count, vertex_count, count) = (faces.len() as i32, vertices.len() as i32, nodes.len());
    let first_vertex = words.len() as i32;
    words.extend(model.mesh_vert[vertices].as_flattened().iter().map(|&x| bits(x)));
    let first_face = words.len() as i32;
    // what points to nothing is taken as the last there is
    let corner = |id: &i32| (*id).clamp(0, vertex_count - 1);
    words.extend(model.mesh_face[faces].as_flattened().iter().map(corner));
    let first_node = words.len() as i32;
    for (k, node) in nodes.enumerate() {
        let face = model.bvh_nodeid[node];
        words.push(if face < face_count { face } else { -1 });
        // a child comes after its parent, so that the walk ends
        let child = |id: i32| if id > k as i32 && id < count as i32 { id } else { -1 };
        words.extend(model.bvh_child[node].map(child));
        let bounds = model.bvh_aabb[node];
        let reach = bounds.iter().fold(0.0, |reach: f64, x| reach.max(x.abs()));
        words.extend(bounds[..3].iter().map(|&x| bits(x as f32)));
        words.extend(bounds[3..].iter().map(|&x| bits((x + 1e-6 * reach) as f32)));
    }
    [first_vertex, first_face, first_node, count as i32]
}
