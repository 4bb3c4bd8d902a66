//! Default classes, each relative to the class around it.

use super::elements::{self, Length};
use super::error::WriteError;
use super::tag::Tag;
use super::{actuators, assets, relations};
use crate::spec::{DefaultClass, DefaultId, Spec};

/// The default section: the main class and all classes below it, nested to any depth.
pub(super) fn section(spec: &Spec) -> Result<Tag, WriteError> {
    let mut around: Vec<Open<'_>> = Vec::new();
    let mut open = Open::new(spec.default_class(DefaultId(0)), &DefaultClass::at(spec.reference()))?;
    loop {
        if let Some(&child) = open.class.children.get(open.written) {
            open.written += 1;
            if let Some(class) = spec.defaults.get(child.0) {
                let nested = Open::new(class, open.class)?;
                around.push(std::mem::replace(&mut open, nested));
            }
        } else if let Some(mut outer) = around.pop() {
            outer.tag.push(open.tag);
            open = outer;
        } else {
            return Ok(open.tag);
        }
    }
}

/// A class that is being written, and how many of the classes below it are.
struct Open<'s> {
    class: &'s DefaultClass,
    tag: Tag,
    written: usize,
}

impl<'s> Open<'s> {
    fn new(class: &'s DefaultClass, around: &DefaultClass) -> Result<Self, WriteError> {
        let mut tag = Tag::new("default");
        if class.parent.is_some() {
            tag.set("class", &class.name);
        }
        prototypes(&mut tag, class, around)?;
        Ok(Open { class, tag, written: 0 })
    }
}

fn prototypes(tag: &mut Tag, class: &DefaultClass, around: &DefaultClass) -> Result<(), WriteError> {
    let mut child = |name: &'static str, fill: &mut dyn FnMut(&mut Tag)| {
        let mut element = Tag::new(name);
        fill(&mut element);
        tag.push_used(element);
    };
    child("mesh", &mut |t| assets::mesh_common(t, &class.mesh, &around.mesh));
    child("material", &mut |t| assets::material(t, &class.material, &around.material));
    child("joint", &mut |t| elements::joint(t, &class.joint, &around.joint));
    child("geom", &mut |t| elements::geom(t, &class.geom, &around.geom, Length::Full));
    child("site", &mut |t| elements::site(t, &class.site, &around.site, Length::Full));
    child("camera", &mut |t| elements::camera(t, &class.camera, &around.camera, false));
    child("light", &mut |t| elements::light(t, &class.light, &around.light, false));
    child("pair", &mut |t| relations::pair(t, &class.pair, &around.pair));
    child("equality", &mut |t| relations::equality_common(t, &class.equality, &around.equality));
    child("tendon", &mut |t| relations::tendon(t, &class.tendon, &around.tendon, true));
    tag.push_used(actuators::prototype(&class.actuator, &around.actuator)?);
    Ok(())
}
