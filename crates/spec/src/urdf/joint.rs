//! URDF joints. Those that our joints cannot express in one are composed: a planar joint is two slides and a
//! hinge.

use kinetree_math::{Vec3, rot};
use kinetree_model::enums::{EqType, JointType};

use super::Reader;
use crate::spec::{BodyId, Equality, Joint, JointId, Limited, Origin};
use crate::xml::Node;

/// Joint types of the format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    One(JointType),
    Fixed,
    Planar,
}

const KINDS: &[(&str, Kind)] = &[
    ("revolute", Kind::One(JointType::Hinge)),
    ("continuous", Kind::One(JointType::Hinge)),
    ("prismatic", Kind::One(JointType::Slide)),
    ("fixed", Kind::Fixed),
    ("floating", Kind::One(JointType::Free)),
    ("planar", Kind::Planar),
    ("spherical", Kind::One(JointType::Ball)),
];

impl Reader<'_> {
    /// Reads a `<joint>`: the pose of its child link, and its degrees of freedom.
    pub(super) fn read_joint(&mut self, node: Node<'_>) {
        self.log.required(node, "type");
        let kind = self.log.maybe_keyword(node, "type", KINDS);
        let Some(name) = self.required_attr(node, "name") else { return };
        let child =
            self.only_child(node, "child").map(|child| self.log.text(child, "link").unwrap_or_default());
        let Some(&body) = child.and_then(|link| self.bodies.get(link)) else { return };
        let (pos, quat) = self.read_origin(node);
        (self.spec.bodies[body].pos, self.spec.bodies[body].quat) = (pos, quat);
        let mut axis = [1.0, 0.0, 0.0];
        if let Some(element) = self.only_child(node, "axis") {
            self.log.required(element, "xyz");
            self.log.exact(element, "xyz", &mut axis);
        }
        let joints = match kind {
            None | Some(Kind::Fixed) => return,
            Some(Kind::One(kind)) => {
                let axis = if kind == JointType::Free { Joint::default().axis } else { axis };
                vec![self.add_joint(node, body, name.to_owned(), kind, axis)]
            }
            Some(Kind::Planar) => {
                let frame = rot::quat_to_mat(&rot::quat_z_to_vec(&Vec3::from(axis)));
                let column = |i: usize| [frame[(0, i)], frame[(1, i)], frame[(2, i)]];
                vec![
                    self.add_joint(node, body, format!("{name}_TX"), JointType::Slide, column(0)),
                    self.add_joint(node, body, format!("{name}_TY"), JointType::Slide, column(1)),
                    self.add_joint(node, body, format!("{name}_RZ"), JointType::Hinge, axis),
                ]
            }
        };
        self.read_dynamics(node, &joints);
        self.read_limit(node, joints[0]);
    }

    fn add_joint(
        &mut self,
        node: Node<'_>,
        body: BodyId,
        name: String,
        kind: JointType,
        axis: [f64; 3],
    ) -> JointId {
        if self.spec.find_joint(&name).is_some() {
            self.log.error(node.pos(), format!("the joint name '{name}' is used twice"));
        }
        let origin = Origin { pos: node.pos(), ..Origin::default() };
        self.spec.add_joint(body, Joint { name, origin, r#type: kind, axis, ..Joint::default() })
    }

    fn read_dynamics(&mut self, node: Node<'_>, joints: &[JointId]) {
        let Some(dynamics) = self.only_child(node, "dynamics") else { return };
        let (mut damping, mut friction) = (0.0, 0.0);
        self.log.number(dynamics, "damping", &mut damping);
        self.log.number(dynamics, "friction", &mut friction);
        for &joint in joints {
            self.spec.joints[joint].damping[0] = damping;
            self.spec.joints[joint].frictionloss = friction;
        }
    }

    fn read_limit(&mut self, node: Node<'_>, joint: JointId) {
        let Some(limit) = self.only_child(node, "limit") else { return };
        let mut range = [0.0; 2];
        let lower = self.log.number(limit, "lower", &mut range[0]);
        let upper = self.log.number(limit, "upper", &mut range[1]);
        let mut effort = 0.0_f64;
        self.log.number(limit, "effort", &mut effort);
        let joint = &mut self.spec.joints[joint];
        joint.range = range;
        // half a range, or an empty one, is no limit
        if lower != upper || range[0] > range[1] {
            joint.limited = Limited::False;
        }
        if effort.abs() > 0.0 {
            joint.actfrcrange = [-effort.abs(), effort.abs()];
        }
    }

    /// Reads a `<mimic>`: this joint follows `multiplier · other + offset`.
    pub(super) fn read_mimic(&mut self, node: Node<'_>) {
        let Some(mimic) = self.only_child(node, "mimic") else { return };
        let Some(name) = self.log.text(node, "name").filter(|name| self.spec.find_joint(name).is_some())
        else {
            return;
        };
        let Some(leader) = self.required_attr(mimic, "joint") else { return };
        if self.spec.find_joint(leader).is_none() {
            self.log.error(mimic.pos(), format!("there is no moving joint '{leader}' to mimic"));
            return;
        }
        let mut equality = Equality {
            origin: Origin { pos: mimic.pos(), ..Origin::default() },
            r#type: EqType::Joint,
            name1: name.to_owned(),
            name2: leader.to_owned(),
            ..Equality::default()
        };
        equality.data[..2].copy_from_slice(&[0.0, 1.0]);
        self.log.number(mimic, "offset", &mut equality.data[0]);
        self.log.number(mimic, "multiplier", &mut equality.data[1]);
        self.spec.add_equality(equality);
    }
}
