//! Cables: chains of short bodies along a curve, linked by ball joints.

use super::cable_skin::add_cable_skin;
use super::common::PluginRef;
use super::{Body, BodyId, Exclude, FrameId, Geom, Joint, Origin, Site, Spec, Text};
use crate::assets::linalg::{V3, cross, dot, normalize};
use core::f64::consts::PI;
use kinetree_math::precise;
use kinetree_math::rot::{mat_to_quat, quat_conj, quat_mul, quat_rotate};
use kinetree_math::{Mat3, Quat, Vec3};
use kinetree_model::enums::{GeomType, JointType};

/// One coordinate of a cable along its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Curve {
    /// Constant.
    #[default]
    Zero,
    /// Grows with the length.
    Line,
    /// A cosine.
    Cos,
    /// A sine.
    Sin,
}

/// How the first body of a cable is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CableStart {
    /// By a ball joint.
    #[default]
    Ball,
    /// Not at all.
    Free,
    /// Welded to its parent.
    Fixed,
}

/// How the skin of a cable looks.
#[derive(Clone, Debug)]
pub(crate) struct CableSkin {
    /// Whether there are texture coordinates.
    pub texcoord: bool,
    /// Name of the material.
    pub material: String,
    /// Color.
    pub rgba: [f32; 4],
    /// Vertices between those of the cable, in both directions.
    pub subgrid: i32,
    /// Visualization group.
    pub group: i32,
}

/// A cable before its bodies are made.
#[derive(Clone, Debug)]
pub(crate) struct Cable {
    /// Prefix of all names.
    pub prefix: String,
    /// Number of vertices; the second and third are one.
    pub count: [i32; 3],
    /// Where the first vertex is, relative to the curve's (m).
    pub offset: [f64; 3],
    /// Orientation of the curve.
    pub quat: Quat,
    /// Length (m); radius (m); half turns of the circular components.
    pub size: [f64; 3],
    /// The curve, by component.
    pub curve: [Curve; 3],
    /// Vertices in place of a curve, three numbers each (m). In single precision, as the reference keeps
    /// them.
    pub vertices: Vec<f32>,
    /// How the first body is held.
    pub start: CableStart,
    /// Prototype of the geoms.
    pub geom: Geom,
    /// Prototype of the joints.
    pub joint: Joint,
    /// Prototype of the sites at both ends.
    pub site: Site,
    /// Elasticity.
    pub plugin: PluginRef,
    /// How the skin of a flat cable looks.
    pub skin: CableSkin,
}

impl Default for Cable {
    fn default() -> Self {
        Cable {
            prefix: String::new(),
            count: [1; 3],
            offset: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            size: [1.0, 0.0, 0.0],
            curve: [Curve::Zero; 3],
            vertices: Vec::new(),
            start: CableStart::Ball,
            geom: Geom::default(),
            joint: Joint::default(),
            site: Site::default(),
            plugin: PluginRef::default(),
            skin: CableSkin {
                texcoord: false,
                material: String::new(),
                rgba: [1.0; 4],
                subgrid: 0,
                group: 0,
            },
        }
    }
}

/// Most vertices of a cable.
const MAX_VERTICES: i32 = 100_000;
/// Square of a length that counts as zero.
const TINY: f64 = 1e-15;

impl Cable {
    /// Name of the body at edge `i` of `edges`.
    pub(super) fn body_name(&self, i: usize, edges: usize) -> String {
        self.named("B_", i, edges)
    }

    fn named(&self, kind: &str, i: usize, edges: usize) -> String {
        match i {
            0 => format!("{}{kind}first", self.prefix),
            _ if i + 1 == edges => format!("{}{kind}last", self.prefix),
            _ => format!("{}{kind}{i}", self.prefix),
        }
    }

    /// Its vertices.
    fn points(&self) -> Result<Vec<[f32; 3]>, &'static str> {
        if self.count.iter().any(|&count| count < 1) {
            return Err("counts of a composite must be positive");
        }
        if !self.vertices.is_empty() {
            if self.count[0] > 1 {
                return Err("a composite has either 'vertex' or 'count', not both");
            }
            let (points, rest) = self.vertices.as_chunks::<3>();
            if !rest.is_empty() {
                return Err("'vertex' must have three numbers for each vertex");
            }
            return Ok(points.to_vec());
        }
        if self.size.iter().map(|x| x * x).sum::<f64>() < TINY {
            return Err("a composite without vertices needs a length ('size')");
        }
        if self.count[1] == 1 && self.count[2] > 1 || self.count[0] == 1 && self.count[1] > 1 {
            return Err("counts of one must come last");
        }
        if self.count[1] > 1 {
            return Err("a cable has one dimension: 'count' must be like \"20 1 1\"");
        }
        if self.count[0] > MAX_VERTICES {
            return Err("a cable has at most 100,000 vertices");
        }
        Ok((0..self.count[0]).map(|i| self.point(f64::from(i))).collect())
    }

    /// Vertex `i` of the curve.
    fn point(&self, i: f64) -> [f32; 3] {
        let (steps, [length, radius, turns]) = (f64::from(self.count[0] - 1), self.size);
        let angle = PI * i * turns / steps;
        let at = |curve| match curve {
            Curve::Zero => 0.0,
            Curve::Line => i * length / steps,
            Curve::Cos => radius * libm::cos(angle),
            Curve::Sin => radius * libm::sin(angle),
        };
        let v = Vec3::from(self.curve.map(at));
        let turned = if self.quat == [1.0, 0.0, 0.0, 0.0] { v } else { quat_rotate(&self.quat, &v) };
        [turned.x as f32, turned.y as f32, turned.z as f32]
    }
}

/// The frame that moves along a cable: x along the edge, y along a normal that turns with the edges and not
/// about them.
struct MovingFrame {
    normal: V3,
    quat: Quat,
    /// Unit tangent and length of the edge before.
    tangent: V3,
    length: f64,
}

impl MovingFrame {
    /// Moves to the next edge.
    fn advance(&mut self, edge: &V3, next: Option<V3>, first: bool) {
        let (mut tangent, before) = (*edge, self.tangent);
        normalize(&mut tangent);
        let mut binormal;
        if first {
            // that of the first corner
            binormal = cross(&tangent, &next.unwrap_or_default());
            normalize(&mut binormal);
            self.normal = cross(&binormal, &tangent);
            normalize(&mut self.normal);
        } else {
            binormal = cross(&before, &tangent);
            let sine = normalize(&mut binormal);
            // long chains are ill-conditioned: last bits of their frames are worth digits of inverse weights
            let angle = precise::atan2(sine, dot(&before, &tangent));
            let (sine, cosine) = precise::sin_cos(angle * 0.5);
            let turn = [cosine, binormal[0] * sine, binormal[1] * sine, binormal[2] * sine];
            self.normal = quat_rotate(&turn, &Vec3::from(self.normal)).into();
            normalize(&mut self.normal);
            binormal = cross(&tangent, &self.normal);
            normalize(&mut binormal);
        }
        self.quat = mat_to_quat(&Mat3::from_columns(&[
            Vec3::from(tangent),
            Vec3::from(self.normal),
            Vec3::from(binormal),
        ]));
        (self.tangent, self.length) = (tangent, dot(edge, edge).sqrt());
    }
}

/// Difference of two vertices, in their precision.
fn edge(from: &[f32; 3], to: &[f32; 3]) -> V3 {
    std::array::from_fn(|k| f64::from(to[k] - from[k]))
}

impl Spec {
    /// Makes the bodies of a cable below `parent`, with joints, geoms, sites, excluded contacts and, for a
    /// flat cable, its skin. The message says what is wrong with the cable.
    pub(crate) fn add_cable(
        &mut self,
        parent: BodyId,
        frame: Option<FrameId>,
        origin: &Origin,
        cable: &Cable,
    ) -> Result<(), &'static str> {
        let points = cable.points()?;
        if points.len() < 2 {
            return Err("a cable has one dimension: 'count' must be like \"20 1 1\"");
        }
        if !matches!(cable.geom.r#type, GeomType::Cylinder | GeomType::Capsule | GeomType::Box) {
            return Err("the geom of a cable must be a cylinder, a capsule or a box");
        }
        if cable.skin.subgrid > 0 && points.len() < 3 {
            return Err("the skin of a cable with a subgrid needs at least 3 vertices");
        }
        if cable.plugin.active && cable.plugin.plugin_name != "mujoco.elasticity.cable" {
            return Err("the plugin of a cable can only be mujoco.elasticity.cable");
        }
        self.add_text(Text {
            name: format!("composite_{}", cable.prefix),
            origin: origin.clone(),
            data: format!("rope_{}", cable.prefix),
        });
        let mut moving = MovingFrame {
            normal: [0.0, 1.0, 0.0],
            quat: [1.0, 0.0, 0.0, 0.0],
            tangent: [0.0; 3],
            length: 0.0,
        };
        let (mut body, edges) = (parent, points.len() - 1);
        for i in 0..edges {
            let next = points.get(i + 2).map(|after| {
                let mut tangent = edge(&points[i + 1], after);
                normalize(&mut tangent);
                tangent
            });
            let before = (moving.quat, moving.length);
            moving.advance(&edge(&points[i], &points[i + 1]), next, i == 0);
            let mut link = Body {
                name: cable.body_name(i, edges),
                origin: origin.clone(),
                plugin: cable.plugin.clone(),
                ..Body::default()
            };
            if i == 0 {
                link.pos = std::array::from_fn(|k| cable.offset[k] + f64::from(points[0][k]));
                (link.quat, link.frame) = (moving.quat, frame);
            } else {
                link.pos = [before.1, 0.0, 0.0];
                link.quat = quat_mul(&quat_conj(&before.0), &moving.quat);
                normalize(&mut link.quat);
            }
            body = self.add_body(body, link);
            self.fill_link(body, cable, origin, [i, edges], moving.length);
        }
        if cable.geom.r#type == GeomType::Box {
            add_cable_skin(self, cable, origin, points.len());
        }
        Ok(())
    }

    /// Adds what a link of a cable has: its geom, its joint, a site at an end, and no contact with the next
    /// link.
    fn fill_link(
        &mut self,
        body: BodyId,
        cable: &Cable,
        origin: &Origin,
        [i, edges]: [usize; 2],
        length: f64,
    ) {
        let mut geom =
            Geom { name: format!("{}G{i}", cable.prefix), origin: origin.clone(), ..cable.geom.clone() };
        if geom.r#type == GeomType::Box {
            (geom.pos, geom.size[0]) = ([length / 2.0, 0.0, 0.0], length / 2.0);
        } else {
            geom.fromto = [0.0, 0.0, 0.0, length, 0.0, 0.0];
        }
        self.add_geom(body, geom);
        let (first, last) = (i == 0, i + 1 == edges);
        if !first || cable.start != CableStart::Fixed {
            let name = cable.named("J_", i, edges);
            let mut joint = Joint { name, origin: origin.clone(), ..cable.joint.clone() };
            joint.r#type = JointType::Ball;
            if first && cable.start == CableStart::Free {
                joint.r#type = JointType::Free;
                (joint.damping, joint.armature, joint.frictionloss) = ([0.0; 3], 0.0, 0.0);
            }
            self.add_joint(body, joint);
        }
        if !last {
            self.add_exclude(Exclude {
                name: String::new(),
                origin: origin.clone(),
                bodyname1: cable.body_name(i, edges),
                bodyname2: cable.body_name(i + 1, edges),
            });
        }
        if first || last {
            let mut site =
                Site { name: cable.named("S_", i, edges), origin: origin.clone(), ..cable.site.clone() };
            (site.pos, site.quat) = ([if last { length } else { 0.0 }, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
            self.add_site(body, site);
        }
    }
}
