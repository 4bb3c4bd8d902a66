//! The bodies of a cable, with what they carry.

use super::cable::{Cable, CableStart};
use super::cable_skin::add_cable_skin;
use super::{Body, BodyId, Exclude, FrameId, Geom, Joint, Origin, Site, Spec, Text};
use crate::assets::linalg::{V3, cross, dot, normalize};
use kinetree_math::precise;
use kinetree_math::rot::{mat_to_quat, quat_conj, quat_mul, quat_rotate};
use kinetree_math::{Mat3, Quat, Vec3};
use kinetree_model::enums::{GeomType, JointType};

/// The frame that moves along a cable: x along the edge, y along a normal that rotates with the edges and not
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
            let rotation = [cosine, binormal[0] * sine, binormal[1] * sine, binormal[2] * sine];
            self.normal = quat_rotate(&rotation, &Vec3::from(self.normal)).into();
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
