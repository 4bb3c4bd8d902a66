//! The kinematic tree: bodies, frames and what hangs on them.

use kinetree_model::enums::JointType;

use super::copies::Replicate;
use super::elements;
use super::plugin::read_plugin;
use super::reader::Reader;
use super::scope::Scope;
use crate::spec::{Body, DefaultId, Frame, Joint, Origin};
use crate::xml::Node;

/// An element of the tree whose children are being read.
struct Level<'n> {
    children: std::vec::IntoIter<Node<'n>>,
    scope: Scope,
    /// What its children are the content of, when it is a replicate.
    replicate: Option<Replicate<'n>>,
}

impl Reader<'_> {
    /// Reads the children of a body, a frame or a replicate, and all below them. It does not recurse: files
    /// can be nested to any depth by including one another.
    pub(super) fn read_tree<'n>(&mut self, section: Node<'n>, scope: Scope) {
        let enter = |node: Node<'n>, scope, replicate| Level {
            children: node.children().into_iter(),
            scope,
            replicate,
        };
        let mut open = vec![enter(section, scope, None)];
        while let Some(level) = open.last_mut() {
            let scope = level.scope;
            let Some(node) = level.children.next() else {
                if let Some(replicate) = open.pop().and_then(|level| level.replicate) {
                    self.finish_replicate(&replicate, scope.body);
                }
                continue;
            };
            match node.name() {
                "body" => open.push(enter(node, self.read_child_body(node, scope), None)),
                "frame" => open.push(enter(node, self.read_child_frame(node, scope), None)),
                "replicate" => {
                    if let Some((replicate, scope)) = self.begin_replicate(node, scope) {
                        open.push(enter(node, scope, Some(replicate)));
                    }
                }
                _ => self.read_child(node, scope),
            }
        }
    }

    /// Reads a child that has no tree below it.
    fn read_child(&mut self, node: Node<'_>, scope: Scope) {
        match node.name() {
            "attach" => self.read_attach(node, scope),
            "inertial" => {
                if self.not_in_world(node, scope) {
                    elements::read_inertial(&mut self.log, node, &mut self.spec.bodies[scope.body]);
                }
            }
            "plugin" => {
                let mut plugin = std::mem::take(&mut self.spec.bodies[scope.body].plugin);
                read_plugin(&mut self.log, node, &mut plugin);
                self.spec.bodies[scope.body].plugin = plugin;
            }
            "composite" => self.read_composite(node, scope),
            "flexcomp" => self.read_flexcomp(node, scope),
            _ => self.read_leaf(node, scope),
        }
    }

    /// Reports an element that the world cannot have. True when the scope is not the world.
    fn not_in_world(&mut self, node: Node<'_>, scope: Scope) -> bool {
        let world = scope.body == self.spec.world();
        if world {
            self.log.error(node.pos(), format!("the world body cannot have <{}>", node.name()));
        }
        !world
    }

    /// Reads a joint, geom, site, camera or light.
    fn read_leaf(&mut self, node: Node<'_>, scope: Scope) {
        let class = self.class_of(node).unwrap_or(scope.class);
        let origin = self.origin(node, class);
        let prototype = &self.spec.defaults[class.0];
        match node.name() {
            "joint" => {
                let mut joint = Joint { origin, frame: scope.frame, ..prototype.joint.clone() };
                elements::read_joint(&mut self.log, node, &mut joint);
                if self.not_in_world(node, scope) {
                    self.spec.add_joint(scope.body, joint);
                }
            }
            "freejoint" => {
                let mut joint =
                    Joint { origin, frame: scope.frame, r#type: JointType::Free, ..Joint::default() };
                elements::read_freejoint(&mut self.log, node, &mut joint);
                if self.not_in_world(node, scope) {
                    self.spec.add_joint(scope.body, joint);
                }
            }
            "geom" => {
                let mut geom = prototype.geom.clone();
                (geom.origin, geom.frame) = (origin, scope.frame);
                elements::read_geom(&mut self.log, node, &mut geom);
                self.spec.add_geom(scope.body, geom);
            }
            "site" => {
                let mut site = prototype.site.clone();
                (site.origin, site.frame) = (origin, scope.frame);
                elements::read_site(&mut self.log, node, &mut site);
                self.spec.add_site(scope.body, site);
            }
            "camera" => {
                let mut camera = prototype.camera.clone();
                (camera.origin, camera.frame) = (origin, scope.frame);
                elements::read_camera(&mut self.log, node, &mut camera);
                self.spec.add_camera(scope.body, camera);
            }
            "light" => {
                let mut light = prototype.light.clone();
                (light.origin, light.frame) = (origin, scope.frame);
                elements::read_light(&mut self.log, node, &mut light);
                self.spec.add_light(scope.body, light);
            }
            // the schema has reported everything else
            _ => {}
        }
    }

    /// The class that an element's `childclass` names, or else the class of its surroundings.
    pub(super) fn child_class(&mut self, node: Node<'_>, scope: Scope) -> DefaultId {
        let inherited = self.class_of(node).unwrap_or(scope.class);
        self.named_class(node, "childclass").unwrap_or(inherited)
    }

    /// Reads a body itself; its children go to the scope that is returned.
    fn read_child_body(&mut self, node: Node<'_>, scope: Scope) -> Scope {
        let class = self.child_class(node, scope);
        let mut body = Body { origin: self.origin(node, class), frame: scope.frame, ..Body::default() };
        elements::read_body(&mut self.log, node, &mut body);
        let body = self.spec.add_body(scope.body, body);
        Scope { body, frame: None, class }
    }

    /// Reads a frame itself; its children go to the scope that is returned.
    fn read_child_frame(&mut self, node: Node<'_>, scope: Scope) -> Scope {
        let class = self.child_class(node, scope);
        let mut frame = Frame { origin: self.origin(node, class), parent: scope.frame, ..Frame::default() };
        elements::read_frame(&mut self.log, node, &mut frame);
        let frame = self.spec.add_frame(scope.body, frame);
        Scope { frame: Some(frame), class, ..scope }
    }

    /// Where an element comes from.
    pub(super) fn origin(&self, node: Node<'_>, class: DefaultId) -> Origin {
        Origin { class: self.spec.defaults[class.0].name.clone(), pos: node.pos(), ..Origin::default() }
    }
}
