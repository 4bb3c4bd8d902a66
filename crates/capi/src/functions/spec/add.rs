//! Elements added, with the values of a default class, and deleted.

use crate::export;
use crate::ffi::fault::{Fault, Served, fault};
use crate::ffi::pointer::Text;
use crate::ffi::spec::{BodyPtr, ElementPtr, Key, Kind, SpecHandle, SpecPtr};
use crate::layout::spec::*;
use kinetree_model::enums::JointType;
use kinetree_spec::diagnostics::SourcePos;
use kinetree_spec::spec::{
    Body, BodyId, DefaultClass, DefaultId, Element, Exclude, Flex, Frame, FrameId, HField, Id, Joint,
    Key as Keyframe, Numeric, Plugin, Sensor, Skin, Text as CustomText, Texture, Tuple, Wrap, WrapTarget,
};

/// The default class that an element is made from: the given one, or the main one.
fn class_of(handle: &mut SpecHandle, class: BodyPtr<'_, MjsDefault>) -> Served<DefaultClass> {
    let id = if class.is_null() { 0 } else { class.locate()?.1.id };
    // a class of another description has the number that it has there
    let id = DefaultId(if id < handle.spec.defaults.len() { id } else { 0 });
    handle.take_class(id)?;
    Ok(handle.spec.default_class(id).clone())
}

fn made_from<T: Element>(mut element: T, class: &str) -> T {
    element.origin_mut().class = class.to_owned();
    element
}

/// The description and the id of a body.
fn place<'a>(body: BodyPtr<'a, MjsBody>) -> Served<(&'a mut SpecHandle, BodyId)> {
    let (handle, key) = body.locate_own()?;
    Ok((handle, BodyId::new(key.id)))
}

/// Exports functions that add an element to a body.
macro_rules! on_body {
    ($( $name:ident $t:ident $add:ident $prototype:ident; )*) => { $(
        export! {
            fn $name(body: BodyPtr<'_, MjsBody>, def: BodyPtr<'_, MjsDefault>) -> *mut $t {
                let (handle, body) = place(body)?;
                let class = class_of(handle, def)?;
                let id = handle.spec.$add(body, made_from(class.$prototype, &class.name));
                Ok(handle.body(id.index()))
            }
        }
    )* };
}

on_body! {
    mjs_addSite MjsSite add_site site;
    mjs_addJoint MjsJoint add_joint joint;
    mjs_addGeom MjsGeom add_geom geom;
    mjs_addCamera MjsCamera add_camera camera;
    mjs_addLight MjsLight add_light light;
}

/// Exports functions that add an element outside the tree, with the values of a default class.
macro_rules! with_class {
    ($( $name:ident $t:ident $add:ident $prototype:ident; )*) => { $(
        export! {
            fn $name(s: SpecPtr<'_>, def: BodyPtr<'_, MjsDefault>) -> *mut $t {
                let handle = s.get()?;
                let class = class_of(handle, def)?;
                let id = handle.spec.$add(made_from(class.$prototype, &class.name));
                Ok(handle.body(id.index()))
            }
        }
    )* };
}

with_class! {
    mjs_addActuator MjsActuator add_actuator actuator;
    mjs_addPair MjsPair add_pair pair;
    mjs_addEquality MjsEquality add_equality equality;
    mjs_addTendon MjsTendon add_tendon tendon;
    mjs_addMesh MjsMesh add_mesh mesh;
    mjs_addMaterial MjsMaterial add_material material;
}

/// Exports functions that add an element without a default class.
macro_rules! plain {
    ($( $name:ident $t:ident $add:ident $rust:ident; )*) => { $(
        export! {
            fn $name(s: SpecPtr<'_>) -> *mut $t {
                let handle = s.get()?;
                let id = handle.spec.$add($rust::default());
                Ok(handle.body(id.index()))
            }
        }
    )* };
}

plain! {
    mjs_addSensor MjsSensor add_sensor Sensor;
    mjs_addFlex MjsFlex add_flex Flex;
    mjs_addExclude MjsExclude add_exclude Exclude;
    mjs_addNumeric MjsNumeric add_numeric Numeric;
    mjs_addText MjsText add_text CustomText;
    mjs_addTuple MjsTuple add_tuple Tuple;
    mjs_addKey MjsKey add_key Keyframe;
    mjs_addPlugin MjsPlugin add_plugin Plugin;
    mjs_addHField MjsHField add_hfield HField;
    mjs_addSkin MjsSkin add_skin Skin;
    mjs_addTexture MjsTexture add_texture Texture;
}

/// Adds a step to the path of a tendon.
fn wrap(tendon: BodyPtr<'_, MjsTendon>, target: WrapTarget) -> Served<*mut MjsWrap> {
    let (handle, key) = tendon.locate_own()?;
    let Some(found) = handle.spec.tendons.get_mut(Id::new(key.id)) else {
        return fault("this tendon was deleted");
    };
    found.path.push(Wrap { target, pos: SourcePos::default() });
    let step = found.path.len() - 1;
    Ok(super::values::step_struct(handle, key.id, step))
}

export! {
    fn mjs_addBody(body: BodyPtr<'_, MjsBody>, def: BodyPtr<'_, MjsDefault>) -> *mut MjsBody {
        let (handle, parent) = place(body)?;
        let class = class_of(handle, def)?;
        let id = handle.spec.add_body(parent, made_from(Body::default(), &class.name));
        Ok(handle.body(id.index()))
    }
    fn mjs_addFreeJoint(body: BodyPtr<'_, MjsBody>) -> *mut MjsJoint {
        let (handle, body) = place(body)?;
        let id = handle.spec.add_joint(body, Joint { r#type: JointType::Free, ..Joint::default() });
        Ok(handle.body(id.index()))
    }
    fn mjs_addFrame(body: BodyPtr<'_, MjsBody>, parentframe: BodyPtr<'_, MjsFrame>) -> *mut MjsFrame {
        let (handle, body) = place(body)?;
        let parent = if parentframe.is_null() { None } else { Some(FrameId::new(parentframe.locate()?.1.id)) };
        let id = handle.spec.add_frame(body, Frame { parent, ..Frame::default() });
        Ok(handle.body(id.index()))
    }
    fn mjs_addDefault(s: SpecPtr<'_>, classname: Text<'_>, parent: BodyPtr<'_, MjsDefault>) -> *mut MjsDefault {
        let handle = s.get()?;
        let parent = DefaultId(if parent.is_null() { 0 } else { parent.locate()?.1.id });
        handle.take_class(parent)?;
        match handle.spec.add_default(&classname.get()?, parent) {
            Some(id) => Ok(handle.body(id.0)),
            None => Ok(std::ptr::null_mut()),
        }
    }
    fn mjs_wrapSite(tendon: BodyPtr<'_, MjsTendon>, name: Text<'_>) -> *mut MjsWrap {
        wrap(tendon, WrapTarget::Site { name: name.get()?.into_owned() })
    }
    fn mjs_wrapGeom(tendon: BodyPtr<'_, MjsTendon>, name: Text<'_>, sidesite: Text<'_>) -> *mut MjsWrap {
        let (name, sidesite) = (name.get()?.into_owned(), sidesite.or_empty().into_owned());
        wrap(tendon, WrapTarget::Geom { name, sidesite })
    }
    fn mjs_wrapJoint(tendon: BodyPtr<'_, MjsTendon>, name: Text<'_>, coef: f64) -> *mut MjsWrap {
        wrap(tendon, WrapTarget::Joint { name: name.get()?.into_owned(), coef })
    }
    fn mjs_wrapPulley(tendon: BodyPtr<'_, MjsTendon>, divisor: f64) -> *mut MjsWrap {
        wrap(tendon, WrapTarget::Pulley { divisor })
    }
    fn mjs_delete(s: SpecPtr<'_>, element: ElementPtr<'_>) -> i32 {
        if element.is_null() {
            s.get()?.tell("the element is NULL", false);
            return Ok(-1);
        }
        let (handle, key) = element.locate()?;
        if !SpecPtr::of(handle).same(s) {
            s.get()?.tell("the element belongs to another spec", false);
            return Ok(-1);
        }
        if key.prototype {
            handle.tell("a struct of a default class cannot be deleted", false);
            return Ok(-1);
        }
        match delete(handle, key) {
            Ok(()) => {
                handle.forget_deleted();
                Ok(0)
            }
            Err(Fault(text)) => {
                handle.tell(&text, false);
                Ok(-1)
            }
        }
    }
}

/// Deletes an element, a body with all that hangs on it and all that refers to it.
fn delete(handle: &mut SpecHandle, key: Key) -> Served {
    // whether something refers to the element depends on names that the program may have written
    handle.take_all()?;
    let spec = &mut handle.spec;
    macro_rules! deleted {
        ($( $kind:ident $delete:ident; )*) => {
            match key.kind {
                Kind::Body if key.id == spec.world().index() => return fault("the world cannot be deleted"),
                Kind::Body => {
                    let used = super::plugins::used(spec);
                    let found = spec.delete_body_and_referrers(BodyId::new(key.id));
                    super::plugins::delete_unused(spec, &used);
                    found
                }
                Kind::Default if key.id == 0 => return fault("cannot remove the global default ('main')"),
                Kind::Default => {
                    let before: Vec<String> = spec.defaults.iter().map(|class| class.name.clone()).collect();
                    let found = spec.delete_default(DefaultId(key.id));
                    handle.renumber_classes(&before);
                    found
                }
                $( Kind::$kind => spec.$delete(Id::new(key.id)).is_some(), )*
                Kind::Wrap | Kind::Model => return fault("this element cannot be deleted"),
            }
        };
    }
    let found = deleted! {
        Frame delete_frame; Joint delete_joint; Geom delete_geom; Site delete_site; Camera delete_camera; Light delete_light;
        Flex delete_flex; Mesh delete_mesh; HField delete_hfield; Skin delete_skin; Texture delete_texture;
        Material delete_material; Pair delete_pair; Exclude delete_exclude; Equality delete_equality; Tendon delete_tendon;
        Actuator delete_actuator; Sensor delete_sensor; Numeric delete_numeric; Text delete_text; Tuple delete_tuple;
        Key delete_key; Plugin delete_plugin;
    };
    if found { Ok(()) } else { fault("this element was deleted") }
}
