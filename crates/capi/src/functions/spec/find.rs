//! Elements found by name, by place and in order.

use crate::export;
use crate::ffi::fault::Served;
use crate::ffi::pointer::Text;
use crate::ffi::spec::{BodyPtr, ElementPtr, Key, Kind, SpecHandle, SpecPtr};
use crate::layout::spec::*;
use crate::layout::spec_settings::MjsCompiler;
use kinetree_spec::Spec;
use kinetree_spec::spec::{BodyId, Id};

/// Exports functions that give the struct of an element, if it is of a kind.
macro_rules! casts {
    ($( $name:ident $t:ident; )*) => { $(
        export! {
            fn $name(element: ElementPtr<'_>) -> *mut $t { Ok(element.cast()) }
        }
    )* };
}

casts! {
    mjs_asBody MjsBody; mjs_asGeom MjsGeom; mjs_asJoint MjsJoint; mjs_asSite MjsSite; mjs_asCamera MjsCamera;
    mjs_asLight MjsLight; mjs_asFrame MjsFrame; mjs_asActuator MjsActuator; mjs_asSensor MjsSensor; mjs_asFlex MjsFlex;
    mjs_asPair MjsPair; mjs_asEquality MjsEquality; mjs_asExclude MjsExclude; mjs_asTendon MjsTendon;
    mjs_asNumeric MjsNumeric; mjs_asText MjsText; mjs_asTuple MjsTuple; mjs_asKey MjsKey; mjs_asMesh MjsMesh;
    mjs_asHField MjsHField; mjs_asSkin MjsSkin; mjs_asTexture MjsTexture; mjs_asMaterial MjsMaterial;
    mjs_asPlugin MjsPlugin;
}

/// The elements of a kind that belong to a body.
fn children(spec: &Spec, body: BodyId, kind: Kind) -> Vec<usize> {
    let Some(body) = spec.bodies.get(body) else { return Vec::new() };
    macro_rules! indices {
        ($list:ident) => {
            body.$list.iter().map(|id| id.index()).collect()
        };
    }
    match kind {
        Kind::Body => indices!(bodies),
        Kind::Frame => indices!(frames),
        Kind::Joint => indices!(joints),
        Kind::Geom => indices!(geoms),
        Kind::Site => indices!(sites),
        Kind::Camera => indices!(cameras),
        Kind::Light => indices!(lights),
        _ => Vec::new(),
    }
}

/// The elements of a kind below a body, the body itself not among them.
fn below(spec: &Spec, body: BodyId, kind: Kind, recurse: bool) -> Vec<usize> {
    if !recurse {
        return children(spec, body, kind);
    }
    if kind == Kind::Body {
        return spec.subtree(body).iter().skip(1).map(|id| id.index()).collect();
    }
    spec.subtree(body).iter().flat_map(|&id| children(spec, id, kind)).collect()
}

/// All elements of a kind, those of the tree body by body, parents first, as in the compiled model.
pub(super) fn order(spec: &Spec, kind: Kind) -> Vec<usize> {
    match kind {
        Kind::Body => spec.subtree(spec.world()).iter().map(|id| id.index()).collect(),
        Kind::Frame | Kind::Joint | Kind::Geom | Kind::Site | Kind::Camera | Kind::Light => {
            below(spec, spec.world(), kind, true)
        }
        Kind::Default => (0..spec.defaults.len()).collect(),
        _ => kind.ids(spec),
    }
}

/// The element of a kind with a name.
fn named(handle: &mut SpecHandle, kind: Kind, name: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let ids = order(&handle.spec, kind);
    let spec = &handle.spec;
    let found = ids.iter().copied().find(|&id| kind.name(spec, id) == Some(name));
    if found.is_some() || !matches!(kind, Kind::Mesh | Kind::Texture | Kind::HField | Kind::Skin) {
        return found;
    }
    // assets without a name are called after their file, which the program may just have written
    let _ = handle.take_all();
    let spec = &handle.spec;
    found.or_else(|| {
        let stem = |file: &str| {
            let last = kinetree_spec::vfs::strip_path(file);
            kinetree_spec::vfs::strip_extension(last).to_owned()
        };
        ids.into_iter().find(|&id| {
            let (own, file) = match kind {
                Kind::Mesh => (&spec.meshes[Id::new(id)].name, &spec.meshes[Id::new(id)].file),
                Kind::Texture => (&spec.textures[Id::new(id)].name, &spec.textures[Id::new(id)].file),
                Kind::HField => (&spec.hfields[Id::new(id)].name, &spec.hfields[Id::new(id)].file),
                Kind::Skin => (&spec.skins[Id::new(id)].name, &spec.skins[Id::new(id)].file),
                _ => return false,
            };
            own.is_empty() && stem(file) == name
        })
    })
}

/// The body that an element belongs to, and the frame that it is in.
fn place_of(spec: &Spec, key: Key) -> Option<(Option<usize>, Option<usize>)> {
    let id = key.id;
    if key.prototype {
        return None;
    }
    let (parent, frame) = match key.kind {
        Kind::Body => spec.bodies.get(Id::new(id)).map(|e| (e.parent, e.frame))?,
        Kind::Frame => spec.frames.get(Id::new(id)).map(|e| (Some(e.body), e.parent))?,
        Kind::Joint => spec.joints.get(Id::new(id)).map(|e| (Some(e.body), e.frame))?,
        Kind::Geom => spec.geoms.get(Id::new(id)).map(|e| (Some(e.body), e.frame))?,
        Kind::Site => spec.sites.get(Id::new(id)).map(|e| (Some(e.body), e.frame))?,
        Kind::Camera => spec.cameras.get(Id::new(id)).map(|e| (Some(e.body), e.frame))?,
        Kind::Light => spec.lights.get(Id::new(id)).map(|e| (Some(e.body), e.frame))?,
        _ => return None,
    };
    Some((parent.map(Id::index), frame.map(Id::index)))
}

/// The element that follows another one in a list.
fn after(handle: &mut SpecHandle, list: &[usize], key: Key) -> ElementPtr<'static> {
    let next = list.iter().position(|&id| id == key.id).and_then(|at| list.get(at + 1));
    next.map_or(ElementPtr::none(), |&id| handle.element(Key::new(key.kind, id)))
}

fn first(handle: &mut SpecHandle, kind: Kind, list: &[usize]) -> ElementPtr<'static> {
    list.first().map_or(ElementPtr::none(), |&id| handle.element(Key::new(kind, id)))
}

fn find_body(handle: &mut SpecHandle, name: &str) -> Served<*mut MjsBody> {
    Ok(named(handle, Kind::Body, name).map_or(std::ptr::null_mut(), |id| handle.body(id)))
}

export! {
    fn mjs_getSpec(element: ElementPtr<'_>) -> SpecPtr<'static> {
        if element.is_null() {
            return Ok(crate::ffi::fault::Failed::failed());
        }
        let handle = element.locate()?.0;
        handle.show_signature();
        Ok(SpecPtr::of(handle))
    }
    fn mjs_getCompiler(element: ElementPtr<'_>) -> *mut MjsCompiler { Ok(element.locate()?.0.compiler()) }
    fn mjs_findSpec(s: SpecPtr<'_>, name: Text<'_>) -> SpecPtr<'static> {
        let handle = s.get()?;
        handle.take_all()?;
        Ok(handle.find(&name.get()?).map_or_else(crate::ffi::fault::Failed::failed, SpecPtr::of))
    }
    fn mjs_findBody(s: SpecPtr<'_>, name: Text<'_>) -> *mut MjsBody { find_body(s.get()?, &name.get()?) }
    fn mjs_findElement(s: SpecPtr<'_>, kind: i32, name: Text<'_>) -> ElementPtr<'static> {
        let handle = s.get()?;
        let Some(kind) = Kind::numbered(kind) else { return Ok(ElementPtr::none()) };
        let found = named(handle, kind, &name.get()?);
        Ok(found.map_or(ElementPtr::none(), |id| handle.element(Key::new(kind, id))))
    }
    fn mjs_findChild(body: BodyPtr<'_, MjsBody>, name: Text<'_>) -> *mut MjsBody {
        let (handle, key) = body.locate()?;
        let name = name.get()?;
        let found = below(&handle.spec, BodyId::new(key.id), Kind::Body, true);
        let found = found.into_iter().find(|&id| Kind::Body.name(&handle.spec, id) == Some(&*name));
        Ok(found.map_or(std::ptr::null_mut(), |id| handle.body(id)))
    }
    fn mjs_getParent(element: ElementPtr<'_>) -> *mut MjsBody {
        let (handle, key) = element.locate()?;
        let parent = place_of(&handle.spec, key).and_then(|place| place.0);
        Ok(parent.map_or(std::ptr::null_mut(), |id| handle.body(id)))
    }
    fn mjs_getFrame(element: ElementPtr<'_>) -> *mut MjsFrame {
        let (handle, key) = element.locate()?;
        let frame = place_of(&handle.spec, key).and_then(|place| place.1);
        Ok(frame.map_or(std::ptr::null_mut(), |id| handle.body(id)))
    }
    fn mjs_findFrame(s: SpecPtr<'_>, name: Text<'_>) -> *mut MjsFrame {
        let handle = s.get()?;
        Ok(named(handle, Kind::Frame, &name.get()?).map_or(std::ptr::null_mut(), |id| handle.body(id)))
    }
    fn mjs_getDefault(element: ElementPtr<'_>) -> *mut MjsDefault {
        let (handle, key) = element.locate()?;
        if key.prototype {
            return Ok(handle.body(key.id));
        }
        let class = key.kind.class(&handle.spec, key.id).unwrap_or("").to_owned();
        let id = handle.spec.find_default(&class).map_or(0, |id| id.0);
        Ok(handle.body(id))
    }
    fn mjs_findDefault(s: SpecPtr<'_>, classname: Text<'_>) -> *mut MjsDefault {
        let handle = s.get()?;
        let name = classname.get()?;
        let found = handle.spec.defaults.iter().position(|class| class.name == name);
        Ok(found.map_or(std::ptr::null_mut(), |id| handle.body(id)))
    }
    fn mjs_getSpecDefault(s: SpecPtr<'_>) -> *mut MjsDefault { Ok(s.get()?.body(0)) }
    fn mjs_setDefault(element: ElementPtr<'_>, def: BodyPtr<'_, MjsDefault>) {
        let (handle, key) = element.locate_own()?;
        let class = def.locate()?.1.id;
        let name = handle.spec.defaults.get(class).map_or_else(String::new, |class| class.name.clone());
        key.kind.set_class(&mut handle.spec, key.id, &name);
        Ok(())
    }
    fn mjs_getId(element: ElementPtr<'_>) -> i32 {
        if element.is_null() {
            return Ok(-1);
        }
        let (handle, key) = element.locate()?;
        if key.prototype {
            return Ok(-1);
        }
        Ok(order(&handle.spec, key.kind).iter().position(|&id| id == key.id).map_or(-1, |number| number as i32))
    }
    fn mjs_firstChild(body: BodyPtr<'_, MjsBody>, kind: i32, recurse: i32) -> ElementPtr<'static> {
        let (handle, key) = body.locate()?;
        let Some(kind) = Kind::numbered(kind) else { return Ok(ElementPtr::none()) };
        let list = below(&handle.spec, BodyId::new(key.id), kind, recurse != 0);
        Ok(first(handle, kind, &list))
    }
    fn mjs_nextChild(body: BodyPtr<'_, MjsBody>, child: ElementPtr<'_>, recurse: i32) -> ElementPtr<'static> {
        let (handle, key) = body.locate()?;
        let child = child.locate()?.1;
        let list = below(&handle.spec, BodyId::new(key.id), child.kind, recurse != 0);
        Ok(after(handle, &list, child))
    }
    fn mjs_firstElement(s: SpecPtr<'_>, kind: i32) -> ElementPtr<'static> {
        let handle = s.get()?;
        let Some(kind) = Kind::numbered(kind) else { return Ok(ElementPtr::none()) };
        let list = order(&handle.spec, kind);
        Ok(first(handle, kind, &list))
    }
    fn mjs_nextElement(s: SpecPtr<'_>, element: ElementPtr<'_>) -> ElementPtr<'static> {
        let handle = s.get()?;
        let key = element.locate_own()?.1;
        let list = order(&handle.spec, key.kind);
        Ok(after(handle, &list, key))
    }
    fn mjs_sensorDim(sensor: BodyPtr<'_, MjsSensor>) -> i32 {
        let (handle, key) = sensor.locate_own()?;
        handle.take_one(key)?;
        let found = handle.spec.sensors.get(Id::new(key.id));
        Ok(found.map_or(0, |sensor| handle.spec.sensor_dimension(sensor) as i32))
    }
}
