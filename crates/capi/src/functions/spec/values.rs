//! Values of elements: names, strings, lists, plugins, payloads of the program, steps of tendons.

use crate::export;
use crate::ffi::cpp::{CxxString, CxxVec, text_map};
use crate::ffi::element::Shows;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{In, Out, Text, count};
use crate::ffi::spec::{BodyPtr, Cleanup, ElementPtr, Key, Kind, SpecHandle, SpecPtr, plugin_of};
use crate::ffi::words::Place;
use crate::functions::texts::returned;
use crate::layout::spec::*;
use kinetree_model::enums::{GeomType, WrapType};
use kinetree_spec::diagnostics::SourcePos;
use kinetree_spec::spec::{Id, WrapTarget};
use std::ffi::{c_char, c_void};

/// Most steps of a tendon that structs tell apart.
const STEPS: usize = 1 << 24;

/// The struct of a step of a tendon.
pub(super) fn step_struct(handle: &mut SpecHandle, tendon: usize, step: usize) -> *mut MjsWrap {
    let kind = match step_target(handle, tendon, step) {
        Some(WrapTarget::Joint { .. }) => WrapType::Joint,
        Some(WrapTarget::Site { .. }) => WrapType::Site,
        Some(WrapTarget::Pulley { .. }) => WrapType::Pulley,
        Some(WrapTarget::Geom { name, .. }) => {
            let geom = handle.spec.find_geom(name).map(|id| handle.spec.geoms[id].r#type);
            if geom == Some(GeomType::Sphere) { WrapType::Sphere } else { WrapType::Cylinder }
        }
        None => return std::ptr::null_mut(),
    };
    let body: *mut MjsWrap = handle.body(tendon * STEPS + step);
    if let Ok(found) = BodyPtr::from_raw(body).get() {
        found.r#type = kind as i32;
    }
    body
}

/// Shows the types of the steps around geoms that the program holds: those of the geoms may have changed.
pub fn show_wraps(handle: &mut SpecHandle) {
    let tendons: Vec<(usize, usize)> =
        handle.spec.tendons.iter().map(|(id, tendon)| (id.index(), tendon.path.len())).collect();
    for (tendon, steps) in tendons {
        for step in 0..steps {
            let around_geom = matches!(step_target(handle, tendon, step), Some(WrapTarget::Geom { .. }));
            if around_geom && handle.holds(MjsWrap::KIND, tendon * STEPS + step) {
                step_struct(handle, tendon, step);
            }
        }
    }
}

fn step_target(handle: &SpecHandle, tendon: usize, step: usize) -> Option<&WrapTarget> {
    let tendon = handle.spec.tendons.get(Id::new(tendon))?;
    tendon.path.get(step).map(|wrap| &wrap.target)
}

/// The description and the target of a step.
fn target<'a>(wrap: BodyPtr<'a, MjsWrap>) -> Served<(&'a mut SpecHandle, WrapTarget)> {
    let (handle, key) = wrap.locate()?;
    match step_target(handle, key.id / STEPS, key.id % STEPS).cloned() {
        Some(target) => Ok((handle, target)),
        None => fault("this step of a tendon was deleted"),
    }
}

/// The numbers of an array, which may be those of the list that they are put into.
fn copied<T: Copy>(array: In<'_, T>, size: i32) -> Served<Vec<T>> {
    Ok(array.list(count(size))?.to_vec())
}

/// Sets the configuration of the plugin that a struct stands for.
fn set_config(plugin: BodyPtr<'_, MjsPlugin>, config: Vec<(String, String)>) -> Served {
    let (handle, key) = plugin.locate_own()?;
    *config_of(handle, key)? = config;
    Ok(())
}

/// The configuration of the plugin of an element.
fn config_of(handle: &mut SpecHandle, key: Key) -> Served<&mut Vec<(String, String)>> {
    let place = if key.kind == Kind::Plugin {
        handle.spec.plugins.get_mut(Id::new(key.id)).map(|plugin| &mut plugin.config)
    } else {
        plugin_of(&mut handle.spec, key).map(|plugin| &mut plugin.config)
    };
    place.map_or_else(|| fault("this element has no plugin"), Ok)
}

export! {
    fn mjs_setName(element: ElementPtr<'_>, name: Text<'_>) -> i32 {
        let (handle, key) = element.locate_own()?;
        let name = name.or_empty().into_owned();
        let taken = !name.is_empty()
            && super::find::order(&handle.spec, key.kind)
                .into_iter()
                .any(|id| id != key.id && key.kind.name(&handle.spec, id) == Some(&*name));
        if taken {
            let kind = format!("{:?}", key.kind).to_lowercase();
            handle.tell(&format!("Error: repeated name '{name}' in {kind}"), false);
            // as for the reference, the element has that name, with which nothing can be compiled
            if key.kind != Kind::Default {
                key.kind.rename(&mut handle.spec, key.id, &name);
                element.get()?.name().set(name.as_bytes());
            }
            return Ok(-1);
        }
        if key.kind == Kind::Default {
            // structs of bodies and frames show names of classes
            handle.take_all()?;
            key.kind.rename(&mut handle.spec, key.id, &name);
            handle.show_all();
        }
        key.kind.rename(&mut handle.spec, key.id, &name);
        element.get()?.name().set(name.as_bytes());
        Ok(0)
    }
    fn mjs_getName(element: ElementPtr<'_>) -> *mut CxxString { Ok(element.get()?.name()) }
    fn mjs_setBuffer(dest: Place<'_, CxxVec<u8>>, array: In<'_, u8>, size: i32) {
        dest.get()?.set(copied(array, size)?.into_iter());
        Ok(())
    }
    fn mjs_setString(dest: Place<'_, CxxString>, text: Text<'_>) {
        // the text may be a part of the string itself
        let text = text.get()?.into_owned();
        dest.get()?.set(text.as_bytes());
        Ok(())
    }
    fn mjs_setStringVec(dest: Place<'_, CxxVec<CxxString>>, text: Text<'_>) {
        let text = text.get()?;
        let words: Vec<_> = text.split_whitespace().map(CxxString::new).collect();
        dest.get()?.set(words.into_iter());
        Ok(())
    }
    fn mjs_setInStringVec(dest: Place<'_, CxxVec<CxxString>>, i: i32, text: Text<'_>) -> u8 {
        let text = text.get()?.into_owned();
        match dest.get()?.list_mut().get_mut(usize::try_from(i).unwrap_or(usize::MAX)) {
            Some(entry) => {
                entry.set(text.as_bytes());
                Ok(1)
            }
            None => fault("Requested index in mjs_setInStringVec is out of bounds"),
        }
    }
    fn mjs_appendString(dest: Place<'_, CxxVec<CxxString>>, text: Text<'_>) {
        dest.get()?.push(CxxString::new(&text.get()?));
        Ok(())
    }
    fn mjs_setInt(dest: Place<'_, CxxVec<i32>>, array: In<'_, i32>, size: i32) {
        dest.get()?.set(copied(array, size)?.into_iter());
        Ok(())
    }
    fn mjs_appendIntVec(dest: Place<'_, CxxVec<CxxVec<i32>>>, array: In<'_, i32>, size: i32) {
        let mut inner = CxxVec::default();
        inner.set(array.list(count(size))?.iter().copied());
        dest.get()?.push(inner);
        Ok(())
    }
    fn mjs_setFloat(dest: Place<'_, CxxVec<f32>>, array: In<'_, f32>, size: i32) {
        dest.get()?.set(copied(array, size)?.into_iter());
        Ok(())
    }
    fn mjs_appendFloatVec(dest: Place<'_, CxxVec<CxxVec<f32>>>, array: In<'_, f32>, size: i32) {
        let mut inner = CxxVec::default();
        inner.set(array.list(count(size))?.iter().copied());
        dest.get()?.push(inner);
        Ok(())
    }
    fn mjs_setDouble(dest: Place<'_, CxxVec<f64>>, array: In<'_, f64>, size: i32) {
        dest.get()?.set(copied(array, size)?.into_iter());
        Ok(())
    }
    fn mjs_getString(source: Place<'_, CxxString>) -> *const c_char { Ok(source.get()?.pointer()) }
    fn mjs_getDouble(source: Place<'_, CxxVec<f64>>, size: Out<'_, i32>) -> *const f64 {
        let list = source.get()?.list();
        size.set_optional([list.len() as i32]);
        Ok(list.as_ptr())
    }
    fn mjs_setPluginAttributes(plugin: BodyPtr<'_, MjsPlugin>, attributes: *mut c_void) {
        set_config(plugin, text_map(attributes))
    }
    fn mjs_getPluginAttributes(plugin: BodyPtr<'_, MjsPlugin>) -> *const c_void {
        let (handle, key) = plugin.locate_own()?;
        let config = config_of(handle, key)?.clone();
        Ok(handle.keep_config(key, &config))
    }
    fn mjs_activatePlugin(s: SpecPtr<'_>, name: Text<'_>) -> i32 {
        let handle = s.get()?;
        let name = name.get()?;
        if crate::functions::plugins::registry().get(&name).is_none() {
            return Ok(-1);
        }
        handle.spec.activate_plugin(&name, SourcePos::default());
        Ok(0)
    }
    fn mjs_resolveOrientation(
        quat: Out<'_, f64>, degree: u8, sequence: Text<'_>, orientation: In<'_, MjsOrientation>,
    ) -> *const c_char {
        let [orientation] = orientation.array()?;
        if orientation.r#type == 0 {
            return Ok(std::ptr::null());
        }
        let sequence = if sequence.is_null() { "xyz".into() } else { sequence.get()? };
        match orientation.get()?.to_quat(degree != 0, &sequence) {
            Ok(found) => {
                quat.set(found)?;
                Ok(std::ptr::null())
            }
            Err(problem) => Ok(returned(problem)),
        }
    }
    fn mjs_setUserValue(element: ElementPtr<'_>, key: Text<'_>, data: *const c_void) {
        set_user(element, key, data, None)
    }
    fn mjs_setUserValueWithCleanup(element: ElementPtr<'_>, key: Text<'_>, data: *const c_void, cleanup: Cleanup) {
        set_user(element, key, data, cleanup)
    }
    fn mjs_getUserValue(element: ElementPtr<'_>, key: Text<'_>) -> *const c_void {
        let found = element.get()?.users().get(&*key.get()?).map(|(data, _)| *data as *const c_void);
        Ok(found.unwrap_or(std::ptr::null()))
    }
    fn mjs_deleteUserValue(element: ElementPtr<'_>, key: Text<'_>) {
        if let Some((data, Some(cleanup))) = element.get()?.users().remove(&*key.get()?) {
            cleanup(data as *const c_void);
        }
        Ok(())
    }
    fn mjs_getWrapNum(tendon: BodyPtr<'_, MjsTendon>) -> i32 {
        let (handle, key) = tendon.locate_own()?;
        Ok(handle.spec.tendons.get(Id::new(key.id)).map_or(0, |tendon| tendon.path.len() as i32))
    }
    fn mjs_getWrap(tendon: BodyPtr<'_, MjsTendon>, i: i32) -> *mut MjsWrap {
        let (handle, key) = tendon.locate_own()?;
        Ok(step_struct(handle, key.id, usize::try_from(i).unwrap_or(usize::MAX)))
    }
    fn mjs_getWrapTarget(wrap: BodyPtr<'_, MjsWrap>) -> ElementPtr<'static> {
        let (handle, target) = target(wrap)?;
        let spec = &handle.spec;
        let found = match &target {
            WrapTarget::Joint { name, .. } => spec.find_joint(name).map(|id| Key::new(Kind::Joint, id.index())),
            WrapTarget::Site { name } => spec.find_site(name).map(|id| Key::new(Kind::Site, id.index())),
            WrapTarget::Geom { name, .. } => spec.find_geom(name).map(|id| Key::new(Kind::Geom, id.index())),
            WrapTarget::Pulley { .. } => None,
        };
        Ok(found.map_or(ElementPtr::none(), |key| handle.element(key)))
    }
    fn mjs_getWrapSideSite(wrap: BodyPtr<'_, MjsWrap>) -> *mut MjsSite {
        let (handle, target) = target(wrap)?;
        let WrapTarget::Geom { sidesite, .. } = target else { return Ok(std::ptr::null_mut()) };
        let found = handle.spec.find_site(&sidesite);
        Ok(found.map_or(std::ptr::null_mut(), |id| handle.body(id.index())))
    }
    fn mjs_getWrapDivisor(wrap: BodyPtr<'_, MjsWrap>) -> f64 {
        Ok(if let WrapTarget::Pulley { divisor } = target(wrap)?.1 { divisor } else { 1.0 })
    }
    fn mjs_getWrapCoef(wrap: BodyPtr<'_, MjsWrap>) -> f64 {
        Ok(if let WrapTarget::Joint { coef, .. } = target(wrap)?.1 { coef } else { 1.0 })
    }
}

fn set_user(element: ElementPtr<'_>, key: Text<'_>, data: *const c_void, cleanup: Cleanup) -> Served {
    let old = element.get()?.users().insert(key.get()?.into_owned(), (data as usize, cleanup));
    if let Some((data, Some(cleanup))) = old {
        cleanup(data as *const c_void);
    }
    Ok(())
}
