//! The URDF reader: text to [`Spec`].
//!
//! Links become bodies, joints become the joints of their child links, visuals and collisions become geoms. A
//! `<mujoco>` element in the file may set compiler options, physics options and sizes. Elements of other
//! tools (transmissions, simulator extensions) are passed over. A `<mimic>` joint becomes a joint equality
//! constraint.

mod geometry;
mod joint;

use std::collections::{HashMap, HashSet};

use crate::diagnostics::{Diagnostics, Severity, suggest};
use crate::mjcf::log::Log;
use crate::mjcf::{schema_check, settings, tables};
use crate::spec::{Body, BodyId, MeshId, Origin, Spec};
use crate::vfs::Vfs;
use crate::xml::Node;
use kinetree_math::rot;

/// What of a file counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// All of it.
    All,
    /// Links and joints; faults in materials, geoms and inertias are passed over, and joints that mimic one
    /// that does not move stand alone.
    Kinematics,
}

/// The state of one run of the reader.
struct Reader<'d> {
    spec: Spec,
    log: Log,
    vfs: Option<&'d Vfs>,
    /// Body of each link, by name.
    bodies: HashMap<String, BodyId>,
    /// Colors by material name.
    colors: HashMap<String, [f32; 4]>,
    /// Meshes by the stripped name of their file, one per scale.
    meshes: HashMap<String, Vec<MeshId>>,
    geom_names: HashSet<String>,
    content: Content,
}

/// Reads a parsed URDF file.
pub(crate) fn read(
    root: Node<'_>,
    log: Log,
    model_dir: &str,
    content: Content,
    vfs: Option<&Vfs>,
) -> Result<Spec, Diagnostics> {
    let mut reader = Reader {
        spec: Spec::at(log.reference),
        log,
        vfs,
        bodies: HashMap::new(),
        colors: HashMap::new(),
        meshes: HashMap::new(),
        geom_names: HashSet::new(),
        content,
    };
    let compiler = reader.spec.compiler_mut();
    model_dir.clone_into(&mut compiler.modelfiledir);
    (compiler.fusestatic, compiler.discardvisual) = (true, true);
    reader.read_robot(root);
    if reader.log.has_errors() {
        return Err(reader.log.into_diagnostics());
    }
    reader.spec.warnings = std::mem::take(&mut reader.log.list);
    reader.spec.not_numbers = reader.log.not_numbers;
    reader.spec.sources = reader.log.sources;
    Ok(reader.spec)
}

impl Reader<'_> {
    fn read_robot(&mut self, root: Node<'_>) {
        self.read_extension(root);
        // angles in this format are always radians
        self.spec.compiler_mut().degree = false;
        self.log.set_text(root, "name", &mut self.spec.modelname);
        self.beside_kinematics(|reader| reader.read_materials(root));
        let (links, joints) = (root.children_named("link"), root.children_named("joint"));
        self.build_tree(&links, &joints);
        if self.log.has_errors() {
            return;
        }
        self.beside_kinematics(|reader| links.iter().for_each(|&link| reader.read_link(link)));
        joints.iter().for_each(|&joint| self.read_joint(joint));
        self.beside_kinematics(|reader| joints.iter().for_each(|&joint| reader.read_mimic(joint)));
    }

    /// Reads what kinematics do not need; when they alone count, its faults are forgotten.
    fn beside_kinematics(&mut self, read: impl FnOnce(&mut Self)) {
        if self.content == Content::All {
            return read(self);
        }
        let log = std::mem::take(&mut self.log);
        read(self);
        self.log = log;
    }

    /// Reads the `<mujoco>` element. Unknown words in it are worth a warning only.
    fn read_extension(&mut self, root: Node<'_>) {
        let Some(extension) = self.only_child(root, "mujoco") else { return };
        if let Some(section) = self.only_child(extension, "compiler") {
            schema_check::check_leniently(&mut self.log, section, &tables::COMPILER);
            settings::read_compiler(&mut self.log, section, &mut self.spec.compilers[0]);
        }
        if let Some(section) = self.only_child(extension, "option") {
            schema_check::check_leniently(&mut self.log, section, &tables::OPTION);
            settings::read_option(&mut self.log, section, &mut self.spec.option);
        }
        if let Some(section) = self.only_child(extension, "size") {
            schema_check::check_leniently(&mut self.log, section, &tables::SIZE);
            settings::read_size(&mut self.log, section, &mut self.spec.size);
        }
    }

    /// Registers the colors of all named materials in the file; the first one of a name counts.
    fn read_materials(&mut self, root: Node<'_>) {
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            stack.extend(node.children().into_iter().rev());
            if node.name() != "material" {
                continue;
            }
            let Some(name) = node.attr("name") else { continue };
            if let Some(color) =
                self.only_child(node, "color").filter(|_| !self.colors.contains_key(name.value()))
            {
                let mut rgba = [0.0; 4];
                self.log.required(color, "rgba");
                self.log.exact(color, "rgba", &mut rgba);
                self.colors.insert(name.value().to_owned(), rgba);
            }
        }
    }

    /// Adds a body for each link, parents before children, siblings in the order of the joints.
    fn build_tree(&mut self, links: &[Node<'_>], joints: &[Node<'_>]) {
        let mut index: HashMap<&str, usize> = HashMap::new();
        for (i, link) in links.iter().enumerate() {
            let Some(name) = self.required_attr(*link, "name") else { continue };
            if index.insert(name, i).is_some() {
                self.log.error(link.pos(), format!("the link name '{name}' is used twice"));
            }
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
        let mut has_parent = vec![false; links.len()];
        for &joint in joints {
            let ends = ["parent", "child"].map(|end| self.joint_end(joint, end, &index));
            let [Some(parent), Some(child)] = ends else { continue };
            if std::mem::replace(&mut has_parent[child], true) {
                self.log.error(
                    joint.pos(),
                    format!("the link '{}' has more than one parent", name_of(links[child])),
                );
            } else {
                children[parent].push(child);
            }
        }
        let mut stack: Vec<(usize, BodyId)> = Vec::new();
        stack.extend((0..links.len()).rev().filter(|&i| !has_parent[i]).map(|i| (i, self.spec.world())));
        while let Some((i, parent)) = stack.pop() {
            let name = name_of(links[i]);
            // a link of that name is the world itself
            let body = if name == crate::spec::WORLD_NAME {
                self.spec.world()
            } else {
                let origin = Origin { pos: links[i].pos(), ..Origin::default() };
                self.spec.add_body(parent, Body { name: name.to_owned(), origin, ..Body::default() })
            };
            self.bodies.insert(name.to_owned(), body);
            stack.extend(children[i].iter().rev().map(|&child| (child, body)));
        }
        for link in links.iter().filter(|link| !self.bodies.contains_key(name_of(**link))) {
            let message =
                format!("the link '{}' is not connected to a root: its joints form a loop", name_of(*link));
            self.log.error(link.pos(), message);
        }
    }

    /// The link at one end of a joint.
    fn joint_end(&mut self, joint: Node<'_>, end: &str, links: &HashMap<&str, usize>) -> Option<usize> {
        let Some(node) = self.only_child(joint, end) else {
            self.log.error(joint.pos(), format!("<joint> needs a <{end}>"));
            return None;
        };
        let attr = node.attr("link");
        let name = self.required_attr(node, "link")?;
        let found = links.get(name).copied();
        if found.is_none() {
            let help = suggest(name, links.keys().copied());
            let pos = attr.map_or(node.pos(), crate::xml::Attr::value_pos);
            self.log.report(Severity::Error, pos, format!("there is no link '{name}'"), help);
        }
        found
    }

    /// Reads inertia and geoms of a link.
    fn read_link(&mut self, link: Node<'_>) {
        let Some(&id) = self.bodies.get(name_of(link)) else { return };
        if let Some(inertial) = self.only_child(link, "inertial") {
            self.read_inertial(inertial, id);
        }
        let mut color: Option<[f32; 4]> = None;
        for node in link.children() {
            match node.name() {
                "visual" => {
                    self.read_color(node, &mut color);
                    if !self.spec.compiler().discardvisual {
                        self.read_geom(node, id, false, color);
                    }
                }
                // without a color of its own, a collision takes that of the last visual
                "collision" => self.read_geom(node, id, true, color),
                _ => {}
            }
        }
    }

    fn read_inertial(&mut self, node: Node<'_>, id: BodyId) {
        let mut body = std::mem::take(&mut self.spec.bodies[id]);
        body.explicitinertial = true;
        (body.ipos, body.iquat) = self.read_origin(node);
        match self.only_child(node, "mass") {
            Some(mass) => {
                self.log.required(mass, "value");
                self.log.number(mass, "value", &mut body.mass);
            }
            None => self.log.error(node.pos(), "<inertial> needs a <mass>"),
        }
        match self.only_child(node, "inertia") {
            Some(inertia) => {
                for (i, name) in ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].iter().enumerate() {
                    self.log.required(inertia, name);
                    self.log.number(inertia, name, &mut body.fullinertia[i]);
                }
                // all zeros stand for "unknown"
                if body.fullinertia.iter().all(|&moment| moment == 0.0) {
                    body.fullinertia[0] = f64::NAN;
                }
            }
            None => self.log.error(node.pos(), "<inertial> needs an <inertia>"),
        }
        self.spec.bodies[id] = body;
    }

    /// Position and orientation of the `<origin>` child; the identity when there is none.
    fn read_origin(&mut self, node: Node<'_>) -> ([f64; 3], [f64; 4]) {
        let (mut pos, mut quat) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
        if let Some(origin) = self.only_child(node, "origin") {
            self.log.exact(origin, "xyz", &mut pos);
            let mut angles = [0.0; 3];
            if self.log.exact(origin, "rpy", &mut angles) {
                // roll, pitch and yaw rotate about fixed axes
                quat = rot::euler_to_quat(&angles, "XYZ").unwrap_or(quat);
            }
        }
        (pos, quat)
    }

    /// The child with this name; reports when there is more than one.
    fn only_child<'n>(&mut self, node: Node<'n>, name: &str) -> Option<Node<'n>> {
        let children = node.children_named(name);
        if let Some(second) = children.get(1) {
            self.log.error(second.pos(), format!("<{name}> may stand only once in <{}>", node.name()));
        }
        children.first().copied()
    }

    fn required_attr<'n>(&mut self, node: Node<'n>, name: &str) -> Option<&'n str> {
        let value = node.attr(name).map(crate::xml::Attr::value);
        if value.is_none() {
            self.log.error(node.pos(), format!("<{}> needs the attribute '{name}'", node.name()));
        }
        value
    }
}

fn name_of(node: Node<'_>) -> &str {
    node.attr("name").map(crate::xml::Attr::value).unwrap_or_default()
}
