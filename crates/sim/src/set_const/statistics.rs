//! Model statistics in the reference pose: extent and centre, mean size, mass and inertia, and the length of
//! each dof.

use crate::flex::{edge_range, node_range};
use kinetree_math::Vec3;
use kinetree_model::enums::{GeomType, JointType};
use kinetree_model::{Data, Model};

/// Smallest length that counts (m).
const MIN_LENGTH: f64 = 1e-5;

/// Bounding box.
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

impl Bounds {
    fn include(&mut self, pos: &[f64; 3], radius: f64) {
        for i in 0..3 {
            // comparisons, unlike `min` and `max`, let an undefined position show in the result
            let (low, high) = (pos[i] - radius, pos[i] + radius);
            self.min[i] = if self.min[i] < low { self.min[i] } else { low };
            self.max[i] = if self.max[i] > high { self.max[i] } else { high };
        }
    }
}

pub(super) fn set(model: &mut Model, data: &Data) {
    set_extent(model, data);
    let lengths = body_lengths(model, data);
    let moving = model.nbody - 1;
    if moving > 0 {
        model.stat.meansize = lengths[1..].iter().fold(0.0, |sum, length| sum + length / moving as f64);
        model.stat.meanmass = model.body_mass[1..].iter().sum::<f64>() / moving as f64;
    }
    for dof in 0..model.nv {
        let joint = model.dof_jntid[dof] as usize;
        let kind = model.jnt_type[joint];
        let slides = kind == JointType::Slide
            || (kind == JointType::Free && dof < model.jnt_dofadr[joint] as usize + 3);
        model.dof_length[dof] = if slides { 1.0 } else { lengths[model.dof_bodyid[dof] as usize] };
    }
    model.stat.extent = model.stat.extent.max(2.0 * model.stat.meansize);
    if model.nv > 0 {
        let diagonal = model.dof_Madr.iter().map(|&address| data.qM[address as usize]);
        model.stat.meaninertia = diagonal.sum::<f64>() / model.nv as f64;
    }
}

/// Centre and size of the box around bodies, joints, sites and geoms.
fn set_extent(model: &mut Model, data: &Data) {
    let mut bounds = Bounds { min: [1e10; 3], max: [-1e10; 3] };
    for body in 1..model.nbody {
        bounds.include(&data.xpos[body], 0.0);
        bounds.include(&data.xipos[body], 0.0);
    }
    for point in data.xanchor.iter().chain(&data.site_xpos) {
        bounds.include(point, 0.0);
    }
    for geom in 0..model.ngeom {
        bounds.include(&data.geom_xpos[geom], shown_radius(model, geom));
    }
    model.stat.center = std::array::from_fn(|i| (bounds.min[i] + bounds.max[i]) * 0.5);
    if bounds.max[0] > bounds.min[0] {
        let edges: [f64; 3] = std::array::from_fn(|i| bounds.max[i] - bounds.min[i]);
        model.stat.extent = MIN_LENGTH.max(edges[0].max(edges[1].max(edges[2])));
    }
}

/// Radius of a geom for the extent of the model; planes count with a tenth of their size.
fn shown_radius(model: &Model, geom: usize) -> f64 {
    if model.geom_rbound[geom] > 0.0 {
        return model.geom_rbound[geom];
    }
    if model.geom_type[geom] == GeomType::Plane {
        let [x, y, _] = model.geom_size[geom];
        let infinite = if model.reference().plane_extent() { 0.01 } else { 1.0 };
        return if x != 0.0 || y != 0.0 { x.max(y) * 0.1 } else { infinite };
    }
    let hfield = usize::try_from(model.geom_dataid[geom])
        .ok()
        .filter(|_| model.geom_type[geom] == GeomType::Hfield)
        .and_then(|id| model.hfield_size.get(id));
    hfield.map_or(0.0, |size| size.iter().fold(0.0f64, |max, s| max.max(*s)) * 0.1)
}

/// Length of each body: its largest distance from the centre of mass to a joint or to the far side of a geom.
fn body_lengths(model: &Model, data: &Data) -> Vec<f64> {
    let distance = |a: &[f64; 3], b: &[f64; 3]| (Vec3::from(*a) - Vec3::from(*b)).norm();
    let mut lengths = vec![0.0f64; model.nbody];
    for joint in 0..model.njnt {
        let body = model.jnt_bodyid[joint] as usize;
        for body in [body, model.body_parentid[body] as usize] {
            lengths[body] = lengths[body].max(distance(&data.xipos[body], &data.xanchor[joint]));
        }
    }
    lengths[0] = 0.0;
    for geom in 0..model.ngeom {
        let body = model.geom_bodyid[geom] as usize;
        let radius = model.geom_rbound[geom];
        if body > 0 && radius > 0.0 {
            lengths[body] = lengths[body].max(radius + distance(&data.xipos[body], &data.geom_xpos[geom]));
        }
    }
    for flex in 0..model.nflex {
        grow_by_flex(model, data, flex, &mut lengths);
    }
    for length in &mut lengths[1..] {
        *length = length.max(MIN_LENGTH);
    }
    lengths
}

/// Bodies of a flex are as long as its edges, or as its nodes are apart.
fn grow_by_flex(model: &Model, data: &Data, flex: usize, lengths: &mut [f64]) {
    if model.flex_interp[flex] == 0 {
        let first = model.flex_vertadr[flex] as usize;
        for edge in edge_range(model, flex) {
            for v in model.flex_edge[edge] {
                let body = model.flex_vertbodyid[first + v as usize].max(0) as usize;
                lengths[body] = lengths[body].max(model.flexedge_length0[edge]);
            }
        }
        return;
    }
    let bodies = &model.flex_nodebodyid[node_range(model, flex)];
    for &b1 in bodies {
        let position = |body: i32| Vec3::from(data.xpos[body.max(0) as usize]);
        let p1 = position(b1);
        let farthest = bodies.iter().map(|&b2| (p1 - position(b2)).norm_squared()).fold(0.0, f64::max);
        let length = &mut lengths[b1.max(0) as usize];
        *length = length.max(farthest.sqrt());
    }
}
