//! Default classes, each relative to the class around it.

use super::elements::{self, Length};
use super::tag::Tag;
use super::{WriteError, actuators, assets, relations};
use crate::spec::{DefaultClass, DefaultId, Spec};

/// The default section: the main class and all classes below it.
pub(super) fn section(spec: &Spec) -> Result<Tag, WriteError> {
    class(spec, DefaultId(0), &DefaultClass::default())
}

fn class(spec: &Spec, id: DefaultId, around: &DefaultClass) -> Result<Tag, WriteError> {
    let class = spec.default_class(id);
    let mut tag = Tag::new("default");
    if class.parent.is_some() {
        tag.set("class", &class.name);
    }
    prototypes(&mut tag, class, around)?;
    for &child in class.children.iter().filter(|child| child.0 < spec.defaults.len()) {
        tag.push(self::class(spec, child, class)?);
    }
    Ok(tag)
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
    child("camera", &mut |t| elements::camera(t, &class.camera, &around.camera));
    child("light", &mut |t| elements::light(t, &class.light, &around.light));
    child("pair", &mut |t| relations::pair(t, &class.pair, &around.pair));
    child("equality", &mut |t| relations::equality_common(t, &class.equality, &around.equality));
    child("tendon", &mut |t| relations::tendon(t, &class.tendon, &around.tendon, true));
    tag.push_used(actuators::prototype(&class.actuator, &around.actuator)?);
    Ok(())
}
