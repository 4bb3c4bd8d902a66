//! Fields of the elements of a description by kind and name, through one table, so that an unknown name is an
//! error that says so. A kind that begins with `@` stands for the prototype in a default class, whose number
//! takes the place of the element's.

use super::value::{FieldValue, Given, read_slice, write_slice};
use kinetree_model::enums::ObjType;
use kinetree_spec::Spec;
use kinetree_spec::spec::{
    Actuator, Body, Bone, Camera, Element, Equality, Exclude, Flex, Frame, Geom, HField, Id, Joint, Key,
    Light, Material, Mesh, Numeric, Orientation, Pair, Plugin, PluginRef, Sensor, Site, Skin, Tendon, Text,
    Texture, Tuple, TupleEntry,
};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

pub(super) fn gone(kind: &str) -> PyErr {
    PyValueError::new_err(format!("this {kind} was deleted"))
}

pub(super) fn no_such(kind: &str) -> PyErr {
    PyTypeError::new_err(format!("there are no elements of kind '{kind}'"))
}

fn no_field(kind: &str, name: &str) -> PyErr {
    PyAttributeError::new_err(format!("a {} has no field '{name}'", kind.trim_start_matches('@')))
}

/// The prototype of a kind in a default class.
macro_rules! prototype {
    ($spec:ident, $id:ident, -) => {
        None
    };
    ($spec:ident, $id:ident, $field:ident) => {
        $spec.defaults.get_mut($id).map(|class| &mut class.$field)
    };
}

/// Defines access to fields by kind of element and name.
macro_rules! elements {
    ($( $kind:literal $ty:ident $obj:ident, $arena:ident, $prototype:tt: $( $field:ident )*; )*) => {
        /// Kinds of elements.
        pub(super) const KINDS: &[&str] = &[$( $kind ),*];

        /// Names of the fields of a kind of element.
        pub(super) fn field_names(kind: &str) -> Option<Vec<&'static str>> {
            match kind {
                $( $kind => Some(vec![$( stringify!($field).trim_start_matches("r#") ),*]), )*
                _ => None,
            }
        }

        /// Calls `f` with a field.
        pub(super) fn with_field<R>(
            spec: &mut Spec,
            kind: &str,
            id: usize,
            name: &str,
            f: impl FnOnce(&mut dyn FieldValue) -> PyResult<R>,
        ) -> PyResult<R> {
            match kind.trim_start_matches('@') {
                $( $kind => {
                    let element: Option<&mut $ty> = if kind.starts_with('@') {
                        prototype!(spec, id, $prototype)
                    } else {
                        spec.$arena.get_mut(Id::<$ty>::new(id))
                    };
                    let element = element.ok_or_else(|| gone(kind))?;
                    if name == "info" {
                        return f(&mut element.origin_mut().info);
                    }
                    $( if name == stringify!($field).trim_start_matches("r#") {
                        return f(&mut element.$field);
                    } )*
                } )*
                _ => {}
            }
            Err(no_field(kind, name))
        }

        /// Calls `f` with an element.
        pub(super) fn with_element<R>(
            spec: &mut Spec,
            kind: &str,
            id: usize,
            f: impl FnOnce(&mut dyn Common) -> R,
        ) -> PyResult<R> {
            match kind.trim_start_matches('@') {
                $( $kind => {
                    let element: Option<&mut $ty> = if kind.starts_with('@') {
                        prototype!(spec, id, $prototype)
                    } else {
                        spec.$arena.get_mut(Id::<$ty>::new(id))
                    };
                    element.map(|element| f(element)).ok_or_else(|| gone(kind))
                } )*
                _ => Err(no_such(kind)),
            }
        }

        /// Names and indices of the elements of a kind.
        pub(super) fn names(spec: &Spec, kind: &str) -> Vec<(String, usize)> {
            match kind {
                $( $kind => spec.$arena.iter().map(|(id, e)| (e.name.clone(), id.index())).collect(), )*
                _ => Vec::new(),
            }
        }

        /// Indices of all elements of a kind in the order of their arena.
        pub(super) fn arena_order(spec: &Spec, kind: &str) -> Option<Vec<usize>> {
            match kind {
                $( $kind => Some(spec.$arena.ids().iter().map(|id| id.index()).collect()), )*
                _ => None,
            }
        }

        /// The kind that the reference numbers.
        pub(super) fn kind_of(object: ObjType) -> Option<&'static str> {
            $( if object == ObjType::$obj {
                return Some($kind);
            } )*
            None
        }
    };
}

elements! {
    "body" Body Body, bodies, -: name childclass pos quat mass ipos iquat inertia fullinertia mocap gravcomp sleep userdata
        explicitinertial;
    "frame" Frame Frame, frames, -: name childclass pos quat;
    "geom" Geom Geom, geoms, geom: name r#type pos quat fromto size contype conaffinity condim priority friction solmix solref
        solimp margin gap mass density typeinertia fluid_ellipsoid fluid_coefs material rgba group hfieldname meshname fitscale
        userdata;
    "joint" Joint Joint, joints, joint: name r#type pos axis r#ref align stiffness springref springdamper limited range margin
        solref_limit solimp_limit actfrclimited actfrcrange armature damping frictionloss solref_friction solimp_friction group
        actgravcomp userdata;
    "site" Site Site, sites, site: name pos quat fromto size r#type material group rgba userdata;
    "camera" Camera Camera, cameras, camera: name pos quat mode targetbody proj resolution output fovy ipd intrinsic sensor_size
        focal_length focal_pixel principal_length principal_pixel userdata;
    "light" Light Light, lights, light: name pos dir mode targetbody active r#type texture castshadow bulbradius intensity range
        attenuation cutoff exponent ambient diffuse specular;
    "flex" Flex Flex, flexes, flex: name contype conaffinity condim priority friction solmix solref solimp margin gap dim radius
        size internal flatskin selfcollide passive activelayers group edgestiffness edgedamping rgba material young poisson damping
        thickness elastic2d cellcount order nodebody vertbody node vert elem texcoord elemtexcoord;
    "mesh" Mesh Mesh, meshes, mesh: name content_type file refpos refquat scale inertia smoothnormal needsdf maxhullvert uservert
        usernormal usertexcoord userface userfacenormal userfacetexcoord material builtin params;
    "hfield" HField Hfield, hfields, -: name content_type file size nrow ncol userdata;
    "skin" Skin Skin, skins, -: name file material rgba inflate group vert texcoord face;
    "texture" Texture Texture, textures, -: name r#type colorspace builtin mark rgb1 rgb2 markrgb random height width nchannel
        content_type file gridsize gridlayout cubefiles data hflip vflip;
    "material" Material Material, materials, material: name textures texuniform texrepeat emission specular shininess reflectance
        metallic roughness rgba;
    "pair" Pair Pair, pairs, pair: name geomname1 geomname2 condim solref solreffriction solimp margin gap friction;
    "exclude" Exclude Exclude, excludes, -: name bodyname1 bodyname2;
    "equality" Equality Equality, equalities, equality: name r#type data active name1 name2 objtype solref solimp;
    "tendon" Tendon Tendon, tendons, tendon: name stiffness springlength damping frictionloss solref_friction solimp_friction
        armature limited actfrclimited range actfrcrange margin solref_limit solimp_limit material width rgba group userdata;
    "actuator" Actuator Actuator, actuators, actuator: name gaintype gainprm biastype biasprm dyntype dynprm actdim actearly
        trntype gear target refsite slidersite cranklength lengthrange inheritrange damping armature ctrllimited ctrlrange
        forcelimited forcerange actlimited actrange group nsample interp delay userdata;
    "sensor" Sensor Sensor, sensors, -: name r#type objtype objname reftype refname intprm datatype needstage dim cutoff noise
        nsample interp delay interval userdata;
    "numeric" Numeric Numeric, numerics, -: name data size;
    "text" Text Text, texts, -: name data;
    "tuple" Tuple Tuple, tuples, -: name;
    "key" Key Key, keys, -: name time qpos qvel act mpos mquat ctrl;
    "plugin" Plugin Plugin, plugins, -: name plugin_name active;
}

/// What can be asked of any element.
pub(super) trait Common {
    fn class(&self) -> &str;
    fn set_class(&mut self, class: &str);
    fn compiler(&self) -> usize;
}

impl<T: Element> Common for T {
    fn class(&self) -> &str {
        &self.origin().class
    }
    fn set_class(&mut self, class: &str) {
        class.clone_into(&mut self.origin_mut().class);
    }
    fn compiler(&self) -> usize {
        self.origin().compiler.0 as usize
    }
}

/// The orientation of an element in another form; `inertial`: that of a body's inertial frame.
pub(super) fn orientation<'s>(
    spec: &'s mut Spec,
    kind: &str,
    id: usize,
    inertial: bool,
) -> PyResult<&'s mut Orientation> {
    let class = |spec: &'s mut Spec| spec.defaults.get_mut(id).ok_or_else(|| gone("default class"));
    let found = match kind {
        "body" if inertial => spec.bodies.get_mut(Id::new(id)).map(|e| &mut e.ialt),
        "body" => spec.bodies.get_mut(Id::new(id)).map(|e| &mut e.alt),
        "frame" => spec.frames.get_mut(Id::new(id)).map(|e| &mut e.alt),
        "geom" => spec.geoms.get_mut(Id::new(id)).map(|e| &mut e.alt),
        "site" => spec.sites.get_mut(Id::new(id)).map(|e| &mut e.alt),
        "camera" => spec.cameras.get_mut(Id::new(id)).map(|e| &mut e.alt),
        "@geom" => Some(&mut class(spec)?.geom.alt),
        "@site" => Some(&mut class(spec)?.site.alt),
        "@camera" => Some(&mut class(spec)?.camera.alt),
        _ => return Err(no_field(kind, if inertial { "ialt" } else { "alt" })),
    };
    found.ok_or_else(|| gone(kind))
}

/// The plugin that an element uses.
pub(super) fn plugin<'s>(spec: &'s mut Spec, kind: &str, id: usize) -> PyResult<&'s mut PluginRef> {
    let found = match kind {
        "body" => spec.bodies.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        "geom" => spec.geoms.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        "mesh" => spec.meshes.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        "actuator" => spec.actuators.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        "sensor" => spec.sensors.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        _ => return Err(no_field(kind, "plugin")),
    };
    found.ok_or_else(|| gone(kind))
}

/// Fields that are lists with one entry per part: bones of a skin, entries of a tuple, settings of a plugin.
fn read_parts(spec: &Spec, kind: &str, id: usize, name: &str) -> Option<Given> {
    Some(match (kind, name) {
        ("skin", _) => {
            let bones = &spec.skins.get(Id::new(id))?.bones;
            match name {
                "bodyname" => Given::Texts(bones.iter().map(|bone| bone.bodyname.clone()).collect()),
                "bindpos" => Given::Singles(bones.iter().flat_map(|bone| bone.bindpos).collect()),
                "bindquat" => Given::Singles(bones.iter().flat_map(|bone| bone.bindquat).collect()),
                "vertid" => Given::Lists(
                    bones.iter().map(|b| b.vertid.iter().map(|&v| f64::from(v)).collect()).collect(),
                ),
                "vertweight" => Given::Lists(
                    bones.iter().map(|b| b.vertweight.iter().map(|&w| f64::from(w)).collect()).collect(),
                ),
                _ => return None,
            }
        }
        ("tuple", _) => {
            let entries = &spec.tuples.get(Id::new(id))?.entries;
            match name {
                "objtype" => Given::Integers(entries.iter().map(|entry| entry.objtype as i32).collect()),
                "objname" => Given::Texts(entries.iter().map(|entry| entry.objname.clone()).collect()),
                "objprm" => Given::Floats(entries.iter().map(|entry| entry.objprm).collect()),
                _ => return None,
            }
        }
        ("plugin", "config") => Given::Pairs(spec.plugins.get(Id::new(id))?.config.clone()),
        _ => return None,
    })
}

/// Writes one column of a list of parts; parts that a shorter list leaves without any value go.
fn write_column<P: PartialEq, V>(
    parts: &mut Vec<P>,
    values: Vec<V>,
    new: impl Fn() -> P,
    set: impl Fn(&mut P, Option<V>),
) {
    let count = values.len();
    if parts.len() < count {
        parts.resize_with(count, &new);
    }
    let mut values = values.into_iter();
    parts.iter_mut().for_each(|part| set(part, values.next()));
    while parts.len() > count && parts.last() == Some(&new()) {
        parts.pop();
    }
}

fn write_parts(spec: &mut Spec, kind: &str, id: usize, name: &str, value: &Given) -> PyResult<Option<()>> {
    let entry = || TupleEntry { objtype: ObjType::Unknown, objname: String::new(), objprm: 0.0 };
    match (kind, name) {
        ("skin", _) => {
            let bones = &mut spec.skins.get_mut(Id::new(id)).ok_or_else(|| gone(kind))?.bones;
            let singles = |list: Vec<f64>| list.into_iter().map(|x| x as f32).collect::<Vec<_>>();
            match name {
                "bodyname" => write_column(bones, value.texts()?, Bone::default, |b, v| {
                    b.bodyname = v.unwrap_or_default();
                }),
                "bindpos" => {
                    let rows = singles(value.floats()?).as_chunks::<3>().0.to_vec();
                    write_column(bones, rows, Bone::default, |b, v| b.bindpos = v.unwrap_or_default());
                }
                "bindquat" => {
                    let rows = singles(value.floats()?).as_chunks::<4>().0.to_vec();
                    write_column(bones, rows, Bone::default, |b, v| b.bindquat = v.unwrap_or_default());
                }
                "vertid" => write_column(bones, value.lists()?, Bone::default, |b, v| {
                    b.vertid = v.unwrap_or_default().into_iter().map(|x| x as i32).collect();
                }),
                "vertweight" => write_column(bones, value.lists()?, Bone::default, |b, v| {
                    b.vertweight = v.unwrap_or_default().into_iter().map(|x| x as f32).collect();
                }),
                _ => return Ok(None),
            }
        }
        ("tuple", _) => {
            let entries = &mut spec.tuples.get_mut(Id::new(id)).ok_or_else(|| gone(kind))?.entries;
            match name {
                "objtype" => {
                    let kinds: Vec<i32> = value.floats()?.into_iter().map(|x| x as i32).collect();
                    if let Some(bad) = kinds.iter().find(|kind| ObjType::try_from(**kind).is_err()) {
                        return Err(PyValueError::new_err(format!("{bad} is not a valid objtype")));
                    }
                    let known = |v: Option<i32>| {
                        v.and_then(|v| ObjType::try_from(v).ok()).unwrap_or(ObjType::Unknown)
                    };
                    write_column(entries, kinds, entry, |e, v| e.objtype = known(v));
                }
                "objname" => {
                    write_column(entries, value.texts()?, entry, |e, v| e.objname = v.unwrap_or_default());
                }
                "objprm" => {
                    write_column(entries, value.floats()?, entry, |e, v| e.objprm = v.unwrap_or_default());
                }
                _ => return Ok(None),
            }
        }
        ("plugin", "config") => {
            spec.plugins.get_mut(Id::new(id)).ok_or_else(|| gone(kind))?.config = value.pairs()?;
        }
        _ => return Ok(None),
    }
    Ok(Some(()))
}

/// Names of the fields of a kind that are not fields of its struct.
pub(super) fn part_names(kind: &str) -> &'static [&'static str] {
    match kind {
        "skin" => &["bodyname", "bindpos", "bindquat", "vertid", "vertweight"],
        "tuple" => &["objtype", "objname", "objprm"],
        "plugin" => &["config"],
        _ => &[],
    }
}

/// Settings of the whole model: compilers, sizes, options, statistics and the groups of the visual settings.
macro_rules! settings {
    ($( $part:literal, |$spec:ident, $place:ident| $target:expr; $( $field:ident )*; )*) => {
        fn with_setting<R>(
            spec: &mut Spec,
            kind: &str,
            id: usize,
            name: &str,
            f: impl FnOnce(&mut dyn FieldValue) -> PyResult<R>,
        ) -> PyResult<R> {
            match kind {
                $( $part => {
                    let ($spec, $place) = (spec, id);
                    let _ = $place;
                    let part = $target.ok_or_else(|| gone(kind))?;
                    $( if name == stringify!($field) {
                        return f(&mut part.$field);
                    } )*
                } )*
                _ => {}
            }
            Err(no_field(kind, name))
        }
    };
}

settings! {
    "compiler", |spec, id| spec.compilers.get_mut(id);
        autolimits boundmass boundinertia settotalmass balanceinertia fitaabb degree eulerseq discardvisual usethread fusestatic
        inertiafromgeom inertiagrouprange saveinertial alignfree meshdir texturedir strippath modelfiledir;
    "lengthrange", |spec, id| spec.compilers.get_mut(id).map(|compiler| &mut compiler.lr_opt);
        mode useexisting uselimit accel maxforce timeconst timestep inttotal interval tolrange;
    "size", |spec, id| Some(&mut spec.size);
        memory nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor nkey njmax
        nconmax nstack;
    "model", |spec, id| Some(spec); modelname comment;
}

/// Calls `f` with a field of `option`, `stat` or a group of `visual`.
fn option_field<R>(
    spec: &mut Spec,
    kind: &str,
    name: &str,
    f: impl FnOnce(kinetree_model::FieldMut<'_>) -> PyResult<R>,
) -> Option<PyResult<R>> {
    let fields = match kind {
        "option" => spec.option.fields_mut(),
        "stat" => spec.stat.fields_mut(),
        _ => spec.visual.groups_mut().into_iter().find(|(group, _)| kind == format!("visual.{group}"))?.1,
    };
    Some(match fields.into_iter().find(|field| field.name == name) {
        Some(field) => f(field),
        None => Err(no_field(kind, name)),
    })
}

/// Reads a field of an element or of the settings.
pub(super) fn read(spec: &mut Spec, kind: &str, id: usize, name: &str) -> PyResult<Given> {
    if let Some(value) = read_parts(spec, kind, id, name) {
        return Ok(value);
    }
    if let Some(result) = option_field(spec, kind, name, |field| Ok(read_slice(as_shared(&field)))) {
        return result;
    }
    if KINDS.contains(&kind.trim_start_matches('@')) {
        return with_field(spec, kind, id, name, |field| Ok(field.read()));
    }
    with_setting(spec, kind, id, name, |field| Ok(field.read()))
}

/// A shared view of a mutable field.
fn as_shared<'a>(field: &'a kinetree_model::FieldMut<'_>) -> kinetree_model::FieldSlice<'a> {
    use kinetree_model::{FieldSlice, FieldSliceMut};
    match &field.data {
        FieldSliceMut::F64(s) => FieldSlice::F64(s),
        FieldSliceMut::F32(s) => FieldSlice::F32(s),
        FieldSliceMut::I32(s) => FieldSlice::I32(s),
        FieldSliceMut::I64(s) => FieldSlice::I64(s),
        FieldSliceMut::U64(s) => FieldSlice::U64(s),
        FieldSliceMut::U8(s) => FieldSlice::U8(s),
    }
}

/// Writes a field of an element or of the settings.
pub(super) fn write(spec: &mut Spec, kind: &str, id: usize, name: &str, value: &Given) -> PyResult<()> {
    if write_parts(spec, kind, id, name, value)?.is_some() {
        return Ok(());
    }
    if let Some(result) = option_field(spec, kind, name, |field| write_slice(name, field.data, value)) {
        return result;
    }
    if KINDS.contains(&kind.trim_start_matches('@')) {
        return with_field(spec, kind, id, name, |field| field.write(name, value));
    }
    with_setting(spec, kind, id, name, |field| field.write(name, value))
}
