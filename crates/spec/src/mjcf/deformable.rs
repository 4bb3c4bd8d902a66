//! Flexes and flex composites.

use super::keywords as words;
use super::log::Log;
use super::plugin::read_plugin_child;
use super::reader::{Folder, Reader};
use super::scope::Scope;
use crate::assets::gmsh;
use crate::assets::mesh::{MeshFormat, decode_mesh};
use crate::compile::read_file;
use crate::spec::flexcomp::{Flexcomp, FlexcompEquality, FlexcompKind, Pins};
use crate::spec::{DefaultId, Flex};
use crate::vfs::strip_path;
use crate::xml::Node;

impl Reader<'_> {
    /// Reads a deformable section.
    pub(super) fn read_deformables(&mut self, section: Node<'_>) {
        for node in section.children() {
            match node.name() {
                "flex" => self.read_flex(node),
                "skin" => self.read_skin(node),
                _ => {}
            }
        }
    }

    fn read_flex(&mut self, node: Node<'_>) {
        let mut flex = Flex { origin: self.origin(node, DefaultId(0)), ..Flex::default() };
        let log = &mut self.log;
        log.set_text(node, "name", &mut flex.name);
        read_flex_look(log, node, &mut flex);
        log.exact(node, "cellcount", &mut flex.cellcount);
        log.keyword(node, "dof", words::FLEX_DOF, &mut flex.order);
        flex.vertbody = log.required_text(node, "body").split_whitespace().map(str::to_owned).collect();
        flex.nodebody =
            log.text(node, "node").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        log.set_list(node, "vertex", &mut flex.vert);
        log.required(node, "element");
        log.set_list(node, "element", &mut flex.elem);
        log.set_list(node, "texcoord", &mut flex.texcoord);
        log.set_list(node, "elemtexcoord", &mut flex.elemtexcoord);
        read_flex_children(log, node, &mut flex);
        self.spec.add_flex(flex);
    }

    /// Reads a `<flexcomp>` and makes its flex and bodies.
    pub(super) fn read_flexcomp(&mut self, node: Node<'_>, scope: Scope) {
        let mut comp = read_composite_flex(&mut self.log, node);
        if let Some(edge) = node.child("edge") {
            read_edge_equality(&mut self.log, edge, &mut comp);
        }
        check_elasticity(&mut self.log, node, &comp);
        for pin in node.children_named("pin") {
            read_pin(&mut self.log, pin, &mut comp.pins);
        }
        read_plugin_child(&mut self.log, node, &mut comp.plugin);
        if comp.plugin.active && comp.plugin.instance.is_empty() {
            comp.plugin.instance = format!("flexcomp_{}", comp.flex.name);
            self.spec.add_plugin(comp.plugin.take_instance(node.pos()));
        }
        let origin = self.origin(node, scope.class);
        let made = self.read_flex_file(node, &mut comp);
        if let Err(problem) = made.and_then(|()| self.spec.add_flexcomp(scope.body, &origin, comp)) {
            self.log.error(node.pos(), problem);
        }
    }

    /// Takes points and elements from the file that a `<flexcomp>` of type 'mesh' or 'gmsh' names.
    fn read_flex_file(&mut self, node: Node<'_>, comp: &mut Flexcomp) -> Result<(), String> {
        if !matches!(comp.kind, FlexcompKind::Mesh | FlexcompKind::Gmsh) {
            return Ok(());
        }
        let Some(mut file) = self.file(node, "file", Folder::Mesh).filter(|file| !file.is_empty()) else {
            return Err("File is required: the attribute 'file' is missing".into());
        };
        let compiler = self.spec.compiler();
        if compiler.strippath {
            file = strip_path(&file).to_owned();
        }
        if comp.kind == FlexcompKind::Mesh && comp.flex.dim < 2 {
            return Err("a <flexcomp> of type 'mesh' needs dim 2 or 3".into());
        }
        if comp.kind == FlexcompKind::Mesh && MeshFormat::detect(&file, "") == Some(MeshFormat::Msh) {
            return Err("legacy MSH files cannot be used in a <flexcomp>: use OBJ or STL".into());
        }
        let bytes = read_file(&file, &compiler.meshdir, compiler, self.vfs)?;
        if comp.kind == FlexcompKind::Gmsh {
            comp.take_simplices(gmsh::decode(&bytes).map_err(|error| format!("'{file}': {error}"))?);
            Ok(())
        } else {
            let mesh = decode_mesh(&bytes, &file, "").map_err(|error| format!("'{file}': {error}"))?;
            comp.take_surface(&mesh)
        }
    }
}

/// Reads the attributes of a `<flexcomp>` and the children that a `<flex>` has as well.
fn read_composite_flex(log: &mut Log, node: Node<'_>) -> Flexcomp {
    let mut comp = Flexcomp::default();
    comp.flex.name = log.required_text(node, "name");
    log.keyword(node, "type", words::FLEXCOMP, &mut comp.kind);
    log.keyword(node, "dof", words::FLEXCOMP_DOF, &mut comp.dof);
    log.exact(node, "count", &mut comp.count);
    let mut cells = [-1; 3];
    if log.exact(node, "cellcount", &mut cells) && cells[0] >= 0 {
        comp.cellcount = Some(cells);
    }
    log.exact(node, "spacing", &mut comp.spacing);
    log.exact(node, "scale", &mut comp.scale);
    log.number(node, "mass", &mut comp.mass);
    log.number(node, "inertiabox", &mut comp.inertiabox);
    read_flex_look(log, node, &mut comp.flex);
    let apex = log.exact(node, "origin", &mut comp.apex);
    if !apex && comp.kind == FlexcompKind::Mesh && comp.flex.dim == 3 {
        log.error(node.pos(), "a <flexcomp> of type 'mesh' with dim=\"3\" needs the attribute 'origin'");
    }
    log.exact(node, "pos", &mut comp.pos);
    log.exact(node, "quat", &mut comp.quat);
    log.orientation(node, &mut comp.alt);
    log.flag(node, "rigid", &mut comp.rigid);
    let mut point = Vec::new();
    log.set_list(node, "point", &mut point);
    let (points, rest) = point.as_chunks();
    comp.mesh.point = points.to_vec();
    if !rest.is_empty() {
        log.error(node.pos(), "Point size must be a multiple of 3");
    }
    log.set_list(node, "element", &mut comp.mesh.element);
    log.set_list(node, "texcoord", &mut comp.mesh.texcoord);
    read_flex_children(log, node, &mut comp.flex);
    comp
}

/// Reads what only the edges of flex composites have: their constraints.
fn read_edge_equality(log: &mut Log, edge: Node<'_>, comp: &mut Flexcomp) {
    log.keyword(edge, "equality", words::FLEXCOMP_EQUALITY, &mut comp.equality);
    log.up_to(edge, "solref", &mut comp.solref);
    log.up_to(edge, "solimp", &mut comp.solimp);
}

/// Elasticity and constraints on the same strains exclude each other.
fn check_elasticity(log: &mut Log, node: Node<'_>, comp: &Flexcomp) {
    if comp.flex.elastic2d >= 2 && comp.equality != FlexcompEquality::None {
        log.error(node.pos(), "elasticity and edge constraints cannot both be given");
    }
    if comp.equality == FlexcompEquality::Strain && comp.flex.young > 0.0 {
        log.error(node.pos(), "a strain constraint and elasticity (young) cannot both be given");
    }
}

fn read_pin(log: &mut Log, pin: Node<'_>, pins: &mut Pins) {
    let lists = [
        ("id", &mut pins.id),
        ("range", &mut pins.range),
        ("grid", &mut pins.grid),
        ("gridrange", &mut pins.gridrange),
    ];
    for (name, list) in lists {
        list.extend(log.list::<i32>(pin, name).unwrap_or_default());
    }
}

/// Reads what flexes and flex composites share on the element itself.
fn read_flex_look(log: &mut Log, node: Node<'_>, flex: &mut Flex) {
    log.set_text(node, "material", &mut flex.material);
    log.number(node, "radius", &mut flex.radius);
    log.exact(node, "rgba", &mut flex.rgba);
    log.flag(node, "flatskin", &mut flex.flatskin);
    log.number(node, "dim", &mut flex.dim);
    log.number(node, "group", &mut flex.group);
}

/// Reads the contact, edge and elasticity children.
fn read_flex_children(log: &mut Log, node: Node<'_>, flex: &mut Flex) {
    if let Some(contact) = node.child("contact") {
        log.number(contact, "contype", &mut flex.contype);
        log.number(contact, "conaffinity", &mut flex.conaffinity);
        log.number(contact, "condim", &mut flex.condim);
        log.number(contact, "priority", &mut flex.priority);
        log.up_to(contact, "friction", &mut flex.friction);
        log.number(contact, "solmix", &mut flex.solmix);
        log.up_to(contact, "solref", &mut flex.solref);
        log.up_to(contact, "solimp", &mut flex.solimp);
        log.number(contact, "margin", &mut flex.margin);
        log.number(contact, "gap", &mut flex.gap);
        log.flag(contact, "internal", &mut flex.internal);
        log.keyword(contact, "selfcollide", words::FLEX_SELF, &mut flex.selfcollide);
        log.flag(contact, "passive", &mut flex.passive);
        log.number(contact, "activelayers", &mut flex.activelayers);
    }
    if let Some(edge) = node.child("edge") {
        log.number(edge, "stiffness", &mut flex.edgestiffness);
        log.number(edge, "damping", &mut flex.edgedamping);
    }
    if let Some(elasticity) = node.child("elasticity") {
        log.number(elasticity, "young", &mut flex.young);
        log.number(elasticity, "poisson", &mut flex.poisson);
        log.number(elasticity, "thickness", &mut flex.thickness);
        log.number(elasticity, "damping", &mut flex.damping);
        log.keyword(elasticity, "elastic2d", words::ELASTIC_2D, &mut flex.elastic2d);
    }
}
