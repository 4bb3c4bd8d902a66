//! Composites: many bodies that one element describes. Cables are all that is left of them in MJCF.

use super::elements::{read_geom, read_joint, read_site};
use super::keywords as words;
use super::log::Log;
use super::plugin::read_plugin_child;
use super::reader::Reader;
use super::scope::Scope;
use crate::spec::cable::{Cable, CableSkin, CableStart, Curve};
use crate::spec::{Equality, Joint, Site};
use crate::xml::Node;

/// The group that joints and sites of composites are in unless they say otherwise.
const HIDDEN_GROUP: i32 = 3;

/// What to use in place of kinds of composites that are gone.
const REPLACED: &[(&str, &str)] = &[
    ("particle", "<replicate>"),
    ("grid", "a <flexcomp>"),
    ("rope", "a composite of type 'cable'"),
    ("loop", "a <flexcomp>"),
    ("cloth", "a <flexcomp> of dim 2"),
];

impl Reader<'_> {
    /// Reads a `<composite>` and makes its bodies.
    pub(super) fn read_composite(&mut self, node: Node<'_>, scope: Scope) {
        let log = &mut self.log;
        log.required(node, "type");
        log.maybe_keyword(node, "type", words::COMPOSITE);
        if let Some((kind, other)) = REPLACED.iter().find(|(kind, _)| log.text(node, "type") == Some(kind)) {
            let message = format!("composites of type '{kind}' are no longer part of MJCF");
            log.error_help(node.pos(), message, format!("use {other}"));
        }
        let mut cable = read_cable(log, node);
        read_plugin_child(log, node, &mut cable.plugin);
        read_parts(log, node, &mut cable);
        if cable.plugin.active && cable.plugin.instance.is_empty() {
            // all bodies of a cable share one instance, which has a name from now on
            cable.plugin.instance = format!("composite{}", cable.prefix);
            let pos = node.child("plugin").map_or(node.pos(), super::super::xml::Node::pos);
            self.spec.add_plugin(cable.plugin.take_instance(pos));
        }
        let origin = self.origin(node, scope.class);
        if let Err(problem) = self.spec.add_cable(scope.body, scope.frame, &origin, &cable) {
            self.log.error(node.pos(), problem);
        }
    }
}

/// Reads what the element itself says.
fn read_cable(log: &mut Log, node: Node<'_>) -> Cable {
    let mut cable = Cable {
        joint: Joint { group: HIDDEN_GROUP, ..Joint::default() },
        site: Site { group: HIDDEN_GROUP, ..Site::default() },
        ..Cable::default()
    };
    log.set_text(node, "prefix", &mut cable.prefix);
    log.up_to(node, "count", &mut cable.count);
    log.exact(node, "offset", &mut cable.offset);
    log.exact(node, "quat", &mut cable.quat);
    log.up_to(node, "size", &mut cable.size);
    log.set_list(node, "vertex", &mut cable.vertices);
    cable.start = match log.text(node, "initial") {
        Some("free") => CableStart::Free,
        Some("none") => CableStart::Fixed,
        _ => CableStart::Ball,
    };
    read_curve(log, node, &mut cable.curve);
    cable
}

/// Reads the prototypes of geoms, sites and joints, and the skin.
fn read_parts(log: &mut Log, node: Node<'_>, cable: &mut Cable) {
    if let Some(skin) = node.child("skin") {
        read_look(log, skin, &mut cable.skin);
    }
    if let Some(geom) = node.child("geom") {
        read_geom(log, geom, &mut cable.geom);
    }
    if let Some(site) = node.child("site") {
        read_site(log, site, &mut cable.site);
    }
    let mut joints = node.children_named("joint").into_iter();
    if let Some(joint) = joints.next() {
        log.required(joint, "kind");
        log.maybe_keyword(joint, "kind", words::COMPOSITE_JOINT);
        read_joint(log, joint, &mut cable.joint);
        // parts of MJCF that only composites of other types had a use for
        let mut equality = Equality::default();
        log.up_to(joint, "solreffix", &mut equality.solref);
        log.up_to(joint, "solimpfix", &mut equality.solimp);
    }
    if let Some(second) = joints.next() {
        log.error(second.pos(), "a cable has one kind of joint: give one <joint>");
    }
}

fn read_look(log: &mut Log, node: Node<'_>, skin: &mut CableSkin) {
    log.flag(node, "texcoord", &mut skin.texcoord);
    log.set_text(node, "material", &mut skin.material);
    log.exact(node, "rgba", &mut skin.rgba);
    log.number(node, "inflate", &mut 0f32);
    log.number(node, "subgrid", &mut skin.subgrid);
    log.number(node, "group", &mut skin.group);
    if !(0..=5).contains(&skin.group) {
        log.error(node.pos(), "skin group must be between 0 and 5");
    }
}

/// Reads the three components of a curve.
fn read_curve(log: &mut Log, node: Node<'_>, curve: &mut [Curve; 3]) {
    let Some(attr) = node.attr("curve") else { return };
    let parts: Vec<_> = attr.value().split_whitespace().collect();
    if parts.len() > 3 {
        log.error(attr.value_pos(), "a curve has at most 3 components");
    }
    for (component, part) in curve.iter_mut().zip(&parts) {
        match words::COMPOSITE_CURVE.iter().find(|(known, _)| known == part) {
            Some((_, kind)) => *component = *kind,
            None => log.error_help(
                attr.value_pos(),
                format!("The curve array contains an invalid shape: '{part}' is not a curve"),
                "one of: s, cos(s), sin(s), 0",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Spec;

    /// The messages that a composite leads to.
    fn messages(composite: &str) -> String {
        let text = format!("<mujoco><worldbody>{composite}</worldbody></mujoco>");
        Spec::from_xml_string(&text, None).err().map(|error| error.to_string()).unwrap_or_default()
    }

    /// Says what takes the place of kinds that are gone.
    #[test]
    fn kinds_that_are_gone() {
        for (kind, other) in [("particle", "replicate"), ("rope", "cable"), ("cloth", "flexcomp")] {
            let error = messages(&format!(r#"<composite type="{kind}" count="3 1 1"/>"#));
            assert!(error.contains("no longer part of MJCF") && error.contains(other), "{error}");
        }
    }

    /// Each mistake has its message.
    #[test]
    fn mistakes() {
        let geom = r#"<geom type="capsule" size="0.01"/>"#;
        for (attributes, children, message) in [
            (r#"count="0 1 1""#, geom, "counts of a composite must be positive"),
            (r#"count="1 1 1""#, geom, "a cable has one dimension"),
            (r#"count="3 3 1""#, geom, "a cable has one dimension"),
            (r#"count="3 1 3""#, geom, "counts of one must come last"),
            (r#"count="3 1 1" size="0 0 0""#, geom, "needs a length"),
            (r#"count="3 1 1" vertex="0 0 0 1 0 0""#, geom, "either 'vertex' or 'count'"),
            (r#"vertex="0 0 0 1 0""#, geom, "three numbers"),
            (r#"count="3 1 1" curve="s s s s""#, geom, "at most 3 components"),
            (r#"count="3 1 1" curve="tan(s)""#, geom, "'tan(s)' is not a curve"),
            (r#"count="3 1 1""#, r#"<geom type="sphere" size="0.01"/>"#, "cylinder, a capsule or a box"),
            (r#"count="9 1 1""#, r#"<geom type="box" size="1 1 1"/><skin group="7"/>"#, "between 0 and 5"),
            (
                r#"count="2 1 1""#,
                r#"<geom type="box" size="1 1 1"/><skin subgrid="2"/>"#,
                "at least 3 vertices",
            ),
        ] {
            let text = format!(r#"<composite type="cable" {attributes}>{children}</composite>"#);
            let error = messages(&text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
