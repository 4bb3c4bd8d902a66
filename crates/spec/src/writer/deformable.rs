//! The deformable section: flexes and skins.

use super::assets::skin;
use super::error::WriteError;
use super::tag::Tag;
use crate::mjcf::keywords as words;
use crate::spec::{Flex, Spec};

pub(super) fn section(spec: &Spec) -> Result<Tag, WriteError> {
    let mut section = Tag::new("deformable");
    for element in spec.flexes.values() {
        check(element)?;
        section.push(flex(element));
    }
    spec.skins.values().for_each(|element| section.push(skin(element)));
    Ok(section)
}

/// A `<flex>` says less about its cells than a `<flexcomp>`: what would be lost is an error.
fn check(flex: &Flex) -> Result<(), WriteError> {
    let lost = if flex.node.iter().any(|&x| x != 0.0) {
        "nodes that are pinned to a body away from its origin"
    } else if flex.strain_constrained {
        "constraints on the strains of its cells"
    } else if flex.empty_cells.contains(&true) {
        "empty cells"
    } else {
        return Ok(());
    };
    Err(WriteError::Element {
        kind: "flex",
        name: flex.name.clone(),
        cause: format!("{lost} cannot be written into MJCF; save the compiled model as MJB"),
    })
}

fn flex(flex: &Flex) -> Tag {
    let default = Flex::default();
    let mut tag = Tag::new("flex");
    tag.given("name", &flex.name);
    tag.number("group", flex.group, default.group);
    tag.number("dim", flex.dim, default.dim);
    tag.number("radius", flex.radius, default.radius);
    tag.given("material", &flex.material);
    tag.numbers("rgba", &flex.rgba, &default.rgba);
    tag.flag("flatskin", flex.flatskin, default.flatskin);
    tag.keyword("dof", words::FLEX_DOF, &flex.order, &default.order);
    tag.numbers("cellcount", &flex.cellcount, &default.cellcount);
    tag.set("body", flex.vertbody.join(" "));
    tag.given("node", &flex.nodebody.join(" "));
    tag.list("vertex", &flex.vert, &[]);
    tag.list("element", &flex.elem, &[]);
    tag.list("texcoord", &flex.texcoord, &[]);
    tag.list("elemtexcoord", &flex.elemtexcoord, &[]);
    children(&mut tag, flex, &default);
    tag
}

fn children(tag: &mut Tag, flex: &Flex, default: &Flex) {
    let mut contact = Tag::new("contact");
    contact.number("contype", flex.contype, default.contype);
    contact.number("conaffinity", flex.conaffinity, default.conaffinity);
    contact.number("condim", flex.condim, default.condim);
    contact.number("priority", flex.priority, default.priority);
    contact.leading("friction", &flex.friction, &default.friction);
    contact.number("solmix", flex.solmix, default.solmix);
    contact.leading("solref", &flex.solref, &default.solref);
    contact.leading("solimp", &flex.solimp, &default.solimp);
    contact.number("margin", flex.margin, default.margin);
    contact.number("gap", flex.gap, default.gap);
    contact.flag("internal", flex.internal, default.internal);
    contact.keyword("selfcollide", words::FLEX_SELF, &flex.selfcollide, &default.selfcollide);
    contact.flag("passive", flex.passive, default.passive);
    contact.number("activelayers", flex.activelayers, default.activelayers);
    tag.push_used(contact);
    let mut edge = Tag::new("edge");
    edge.number("stiffness", flex.edgestiffness, default.edgestiffness);
    edge.number("damping", flex.edgedamping, default.edgedamping);
    tag.push_used(edge);
    let mut elasticity = Tag::new("elasticity");
    elasticity.number("young", flex.young, default.young);
    elasticity.number("poisson", flex.poisson, default.poisson);
    elasticity.number("thickness", flex.thickness, default.thickness);
    elasticity.number("damping", flex.damping, default.damping);
    elasticity.keyword("elastic2d", words::ELASTIC_2D, &flex.elastic2d, &default.elastic2d);
    tag.push_used(elasticity);
}
