//! The sections that relate elements of the tree: contact, equality, tendon.

use kinetree_model::enums::{EqType, ObjType};

use super::book::Book;
use super::error::WriteError;
use super::tag::Tag;
use crate::mjcf::keywords as words;
use crate::spec::{Equality, Pair, Tendon, WrapTarget};

pub(super) fn contact(spec: &Book<'_>) -> Tag {
    let mut section = Tag::new("contact");
    for pair in spec.pairs.values() {
        let mut tag = Tag::new("pair");
        tag.given("name", &pair.name);
        let class = spec.set_class(&mut tag, &pair.origin, "main");
        tag.set("geom1", &pair.geomname1);
        tag.set("geom2", &pair.geomname2);
        self::pair(&mut tag, pair, &class.pair);
        section.push(tag);
    }
    for exclude in spec.excludes.values() {
        let mut tag = Tag::new("exclude");
        tag.given("name", &exclude.name);
        tag.set("body1", &exclude.bodyname1);
        tag.set("body2", &exclude.bodyname2);
        section.push(tag);
    }
    section
}

pub(super) fn pair(tag: &mut Tag, pair: &Pair, class: &Pair) {
    tag.number("condim", pair.condim, class.condim);
    tag.leading("friction", &pair.friction, &class.friction);
    tag.leading("solref", &pair.solref, &class.solref);
    tag.leading("solreffriction", &pair.solreffriction, &class.solreffriction);
    tag.leading("solimp", &pair.solimp, &class.solimp);
    tag.number("gap", pair.gap, class.gap);
    tag.number("margin", pair.margin, class.margin);
}

pub(super) fn equality_common(tag: &mut Tag, equality: &Equality, class: &Equality) {
    tag.flag("active", equality.active, class.active);
    tag.leading("solref", &equality.solref, &class.solref);
    tag.leading("solimp", &equality.solimp, &class.solimp);
}

pub(super) fn equality(spec: &Book<'_>) -> Result<Tag, WriteError> {
    let mut section = Tag::new("equality");
    for equality in spec.equalities.values() {
        let Some((name, _)) = words::EQUALITY.iter().find(|(_, kind)| *kind == equality.r#type) else {
            return Err(WriteError::Element {
                kind: "equality",
                name: equality.name.clone(),
                cause: "this kind of constraint has no element".to_owned(),
            });
        };
        let mut tag = Tag::new(name);
        tag.given("name", &equality.name);
        let class = spec.set_class(&mut tag, &equality.origin, "main");
        equality_objects(&mut tag, equality, &class.equality);
        equality_common(&mut tag, equality, &class.equality);
        section.push(tag);
    }
    Ok(section)
}

fn equality_objects(tag: &mut Tag, equality: &Equality, class: &Equality) {
    let data = &equality.data;
    let names = match equality.r#type {
        EqType::Connect | EqType::Weld if equality.objtype == ObjType::Site => ["site1", "site2"],
        EqType::Connect | EqType::Weld => ["body1", "body2"],
        EqType::Joint => ["joint1", "joint2"],
        EqType::Tendon => ["tendon1", "tendon2"],
        EqType::Flex | EqType::Flexvert | EqType::Flexstrain | EqType::Distance => ["flex", ""],
    };
    tag.set(names[0], &equality.name1);
    if !names[1].is_empty() {
        tag.given(names[1], &equality.name2);
    }
    let by_body = names[0] == "body1";
    match equality.r#type {
        EqType::Connect if by_body => tag.numbers("anchor", &data[..3], &[f64::NAN; 3]),
        EqType::Weld => {
            if by_body {
                // a weld without an anchor has it at the origin
                tag.numbers("anchor", &data[..3], &[0.0; 3]);
                tag.numbers("relpose", &data[3..10], &class.data[3..10]);
            }
            tag.number("torquescale", data[10], class.data[10]);
        }
        EqType::Joint | EqType::Tendon => tag.leading("polycoef", &data[..5], &class.data[..5]),
        EqType::Flexstrain => tag.numbers("cell", &data[..3], &class.data[..3]),
        _ => {}
    }
}

/// The parameters of a tendon; how it looks only concerns spatial ones.
pub(super) fn tendon(tag: &mut Tag, tendon: &Tendon, class: &Tendon, spatial: bool) {
    tag.number("group", tendon.group, class.group);
    tag.keyword("limited", words::LIMITED, &tendon.limited, &class.limited);
    tag.numbers("range", &tendon.range, &class.range);
    tag.leading("solreflimit", &tendon.solref_limit, &class.solref_limit);
    tag.leading("solimplimit", &tendon.solimp_limit, &class.solimp_limit);
    tag.leading("solreffriction", &tendon.solref_friction, &class.solref_friction);
    tag.leading("solimpfriction", &tendon.solimp_friction, &class.solimp_friction);
    tag.number("frictionloss", tendon.frictionloss, class.frictionloss);
    if tendon.springlength != class.springlength {
        // one number stands for both ends of the dead band
        let [low, high] = tendon.springlength;
        let ends = if low == high { &tendon.springlength[..1] } else { &tendon.springlength[..] };
        tag.list("springlength", ends, &[]);
    }
    tag.number("margin", tendon.margin, class.margin);
    tag.leading("stiffness", &tendon.stiffness, &class.stiffness);
    tag.leading("damping", &tendon.damping, &class.damping);
    if spatial {
        tag.number("width", tendon.width, class.width);
        tag.text("material", &tendon.material, &class.material);
        tag.numbers("rgba", &tendon.rgba, &class.rgba);
    }
    tag.list("user", &tendon.userdata, &class.userdata);
}

pub(super) fn tendons(spec: &Book<'_>) -> Tag {
    let mut section = Tag::new("tendon");
    for tendon in spec.tendons.values() {
        let fixed = matches!(tendon.path.first().map(|wrap| &wrap.target), Some(WrapTarget::Joint { .. }));
        let mut tag = Tag::new(if fixed { "fixed" } else { "spatial" });
        tag.given("name", &tendon.name);
        let class = &spec.set_class(&mut tag, &tendon.origin, "main").tendon;
        self::tendon(&mut tag, tendon, class, !fixed);
        tag.keyword("actuatorfrclimited", words::LIMITED, &tendon.actfrclimited, &class.actfrclimited);
        tag.numbers("actuatorfrcrange", &tendon.actfrcrange, &class.actfrcrange);
        tag.number("armature", tendon.armature, class.armature);
        tendon.path.iter().for_each(|step| tag.push(wrap(&step.target)));
        section.push(tag);
    }
    section
}

fn wrap(target: &WrapTarget) -> Tag {
    match target {
        WrapTarget::Joint { name, coef } => {
            let mut tag = Tag::new("joint");
            tag.set("joint", name);
            tag.number("coef", *coef, f64::NAN);
            tag
        }
        WrapTarget::Site { name } => {
            let mut tag = Tag::new("site");
            tag.set("site", name);
            tag
        }
        WrapTarget::Geom { name, sidesite } => {
            let mut tag = Tag::new("geom");
            tag.set("geom", name);
            tag.given("sidesite", sidesite);
            tag
        }
        WrapTarget::Pulley { divisor } => {
            let mut tag = Tag::new("pulley");
            tag.number("divisor", *divisor, f64::NAN);
            tag
        }
    }
}
