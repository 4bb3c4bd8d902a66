//! The structs of `mjspec.h`: a description's elements as C programs see them.
//!
//! A struct is filled from an element when a program asks for it, and what the program has written to it is
//! taken over before the description is used.

#![allow(non_snake_case)] // fields carry the names of the header

use super::slot::{ElementHead, OwnString, OwnVec, Slot, words};
use crate::ffi::cpp::{CxxString, CxxVec};
use crate::ffi::fault::Served;
use kinetree_model::enums::ObjType;
use kinetree_spec::spec::{
    Actuator, Body, Bone, Camera, Equality, Exclude, Flex, Frame, Geom, HField, Joint, Key, Light, Material,
    Mesh, Numeric, Orientation, Pair, Plugin, PluginRef, Sensor, Site, Skin, Tendon, Text as TextElement,
    Texture, Tuple, TupleEntry,
};
use std::ffi::c_char;

/// An element of a description and the struct that shows it.
pub trait Mirror: Default {
    /// The element.
    type Rust;
    /// Fills the struct.
    fn show(&mut self, element: &Self::Rust);
    /// Takes over what a program has written to the struct.
    ///
    /// # Errors
    /// When a number is none of an enum, which the error names.
    fn take(&self, element: &mut Self::Rust) -> Served;
    /// Where the struct keeps what it belongs to.
    fn element(&self) -> *mut ElementHead;
    /// Says what the struct belongs to.
    fn set_element(&mut self, element: *mut ElementHead);
    /// The plugin that the element uses, if it may use one.
    fn plugin(&mut self) -> Option<&mut MjsPlugin> {
        None
    }
}

/// An orientation in another form than a quaternion.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct MjsOrientation {
    pub r#type: i32,
    pub axisangle: [f64; 4],
    pub xyaxes: [f64; 6],
    pub zaxis: [f64; 3],
    pub euler: [f64; 3],
}

impl MjsOrientation {
    /// The orientation.
    pub fn get(&self) -> Served<Orientation> {
        Ok(match self.r#type {
            0 => Orientation::Quat,
            1 => Orientation::AxisAngle(self.axisangle),
            2 => Orientation::XyAxes(self.xyaxes),
            3 => Orientation::ZAxis(self.zaxis),
            4 => Orientation::Euler(self.euler),
            other => return crate::ffi::fault::fault(format!("{other} is not a form of orientation")),
        })
    }
}

impl Slot<Orientation> for MjsOrientation {
    fn show(&mut self, value: &Orientation) {
        match *value {
            Orientation::Quat => self.r#type = 0,
            Orientation::AxisAngle(values) => (self.r#type, self.axisangle) = (1, values),
            Orientation::XyAxes(values) => (self.r#type, self.xyaxes) = (2, values),
            Orientation::ZAxis(values) => (self.r#type, self.zaxis) = (3, values),
            Orientation::Euler(values) => (self.r#type, self.euler) = (4, values),
        }
    }
    fn take(&self, value: &mut Orientation) -> Served {
        *value = self.get()?;
        Ok(())
    }
}

/// A plugin instance, or the use of one by an element.
#[repr(C)]
pub struct MjsPlugin {
    pub element: *mut ElementHead,
    pub name: OwnString,
    pub plugin_name: OwnString,
    pub active: u8,
    pub info: OwnString,
}

impl Default for MjsPlugin {
    fn default() -> Self {
        Self { element: std::ptr::null_mut(), name: None, plugin_name: None, active: 0, info: None }
    }
}

impl Slot<PluginRef> for MjsPlugin {
    fn show(&mut self, value: &PluginRef) {
        self.name.show(&value.instance);
        self.plugin_name.show(&value.plugin_name);
        self.active.show(&value.active);
        self.info.get_or_insert_default();
    }
    fn take(&self, value: &mut PluginRef) -> Served {
        self.name.take(&mut value.instance)?;
        self.plugin_name.take(&mut value.plugin_name)?;
        self.active.take(&mut value.active)
    }
}

impl Mirror for MjsPlugin {
    type Rust = Plugin;
    fn show(&mut self, element: &Plugin) {
        self.name.show(&element.name);
        self.plugin_name.show(&element.plugin_name);
        self.active.show(&element.active);
        self.info.show(&element.origin.info);
    }
    fn take(&self, element: &mut Plugin) -> Served {
        self.name.take(&mut element.name)?;
        self.plugin_name.take(&mut element.plugin_name)?;
        self.active.take(&mut element.active)?;
        self.info.take(&mut element.origin.info)
    }
    fn element(&self) -> *mut ElementHead {
        self.element
    }
    fn set_element(&mut self, element: *mut ElementHead) {
        self.element = element;
    }
    fn plugin(&mut self) -> Option<&mut MjsPlugin> {
        Some(self)
    }
}

/// Calls a method with the plugin of an element, if it has one.
macro_rules! plugin_field {
    ($self:ident plugin $( $rest:ident )*) => {
        Some(&mut $self.plugin)
    };
    ($self:ident $first:ident $( $rest:ident )*) => {
        plugin_field!($self $( $rest )*)
    };
    ($self:ident) => {
        None
    };
}

/// Defines structs with the fields of the header, in order: those that an element has under the same name,
/// and then parts that are a list of structs there.
macro_rules! mirrors {
    ($( $name:ident($rust:ty) { $( $field:ident: $t:ty; )* } parts { $( $part:ident: $pt:ty; )* } )*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        #[repr(C)]
        pub struct $name {
            pub element: *mut ElementHead,
            $( pub $field: $t, )*
            $( pub $part: $pt, )*
            pub info: OwnString,
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    element: std::ptr::null_mut(),
                    $( $field: Default::default(), )*
                    $( $part: Default::default(), )*
                    info: None,
                }
            }
        }

        impl Mirror for $name {
            type Rust = $rust;
            fn show(&mut self, element: &$rust) {
                $( Slot::show(&mut self.$field, &element.$field); )*
                self.show_parts(element);
                self.info.show(&element.origin.info);
            }
            fn take(&self, element: &mut $rust) -> Served {
                $( words(Slot::take(&self.$field, &mut element.$field), stringify!($field))?; )*
                self.take_parts(element)?;
                self.info.take(&mut element.origin.info)
            }
            fn element(&self) -> *mut ElementHead {
                self.element
            }
            fn set_element(&mut self, element: *mut ElementHead) {
                self.element = element;
            }
            fn plugin(&mut self) -> Option<&mut MjsPlugin> {
                plugin_field!(self $( $field )*)
            }
        }

        impl $name {
            /// Offset of each field in bytes, by its name.
            pub const OFFSETS: &'static [(&'static str, usize)] = &[
                ("element", std::mem::offset_of!(Self, element)),
                $( (stringify!($field), std::mem::offset_of!(Self, $field)), )*
                $( (stringify!($part), std::mem::offset_of!(Self, $part)), )*
                ("info", std::mem::offset_of!(Self, info)),
            ];
        }

        mirrors! { @parts $name $rust { $( $part )* } }
    )* };
    (@parts $name:ident $rust:ty {}) => {
        impl $name {
            fn show_parts(&mut self, _: &$rust) {}
            fn take_parts(&self, _: &mut $rust) -> Served {
                Ok(())
            }
        }
    };
    (@parts $name:ident $rust:ty { $( $part:ident )+ }) => {};
}

mirrors! {
    MjsBody(Body) {
        childclass: OwnString; pos: [f64; 3]; quat: [f64; 4]; alt: MjsOrientation; mass: f64;
        ipos: [f64; 3]; iquat: [f64; 4]; inertia: [f64; 3]; ialt: MjsOrientation; fullinertia: [f64; 6];
        mocap: u8; gravcomp: f64; sleep: i32; userdata: OwnVec<f64>; explicitinertial: u8;
        plugin: MjsPlugin;
    } parts {}
    MjsFrame(Frame) {
        childclass: OwnString; pos: [f64; 3]; quat: [f64; 4]; alt: MjsOrientation;
    } parts {}
    MjsJoint(Joint) {
        r#type: i32; pos: [f64; 3]; axis: [f64; 3]; r#ref: f64; align: i32; stiffness: [f64; 3];
        springref: f64; springdamper: [f64; 2]; limited: i32; range: [f64; 2]; margin: f64;
        solref_limit: [f64; 2]; solimp_limit: [f64; 5]; actfrclimited: i32; actfrcrange: [f64; 2];
        armature: f64; damping: [f64; 3]; frictionloss: f64; solref_friction: [f64; 2];
        solimp_friction: [f64; 5]; group: i32; actgravcomp: u8; userdata: OwnVec<f64>;
    } parts {}
    MjsGeom(Geom) {
        r#type: i32; pos: [f64; 3]; quat: [f64; 4]; alt: MjsOrientation; fromto: [f64; 6]; size: [f64; 3];
        contype: i32; conaffinity: i32; condim: i32; priority: i32; friction: [f64; 3]; solmix: f64;
        solref: [f64; 2]; solimp: [f64; 5]; margin: f64; gap: f64; mass: f64; density: f64;
        typeinertia: i32; fluid_ellipsoid: f64; fluid_coefs: [f64; 5]; material: OwnString; rgba: [f32; 4];
        group: i32; hfieldname: OwnString; meshname: OwnString; fitscale: f64; userdata: OwnVec<f64>;
        plugin: MjsPlugin;
    } parts {}
    MjsSite(Site) {
        pos: [f64; 3]; quat: [f64; 4]; alt: MjsOrientation; fromto: [f64; 6]; size: [f64; 3]; r#type: i32;
        material: OwnString; group: i32; rgba: [f32; 4]; userdata: OwnVec<f64>;
    } parts {}
    MjsCamera(Camera) {
        pos: [f64; 3]; quat: [f64; 4]; alt: MjsOrientation; mode: i32; targetbody: OwnString; proj: i32;
        resolution: [i32; 2]; output: i32; fovy: f64; ipd: f64; intrinsic: [f32; 4]; sensor_size: [f32; 2];
        focal_length: [f32; 2]; focal_pixel: [f32; 2]; principal_length: [f32; 2];
        principal_pixel: [f32; 2]; userdata: OwnVec<f64>;
    } parts {}
    MjsLight(Light) {
        pos: [f64; 3]; dir: [f64; 3]; mode: i32; targetbody: OwnString; active: u8; r#type: i32;
        texture: OwnString; castshadow: u8; bulbradius: f32; intensity: f32; range: f32;
        attenuation: [f32; 3]; cutoff: f32; exponent: f32; ambient: [f32; 3]; diffuse: [f32; 3];
        specular: [f32; 3];
    } parts {}
    MjsFlex(Flex) {
        contype: i32; conaffinity: i32; condim: i32; priority: i32; friction: [f64; 3]; solmix: f64;
        solref: [f64; 2]; solimp: [f64; 5]; margin: f64; gap: f64; dim: i32; radius: f64; size: [f64; 3];
        internal: u8; flatskin: u8; selfcollide: i32; passive: i32; activelayers: i32; group: i32;
        edgestiffness: f64; edgedamping: f64; rgba: [f32; 4]; material: OwnString; young: f64;
        poisson: f64; damping: f64; thickness: f64; elastic2d: i32; cellcount: [i32; 3]; order: i32;
        nodebody: OwnVec<CxxString>; vertbody: OwnVec<CxxString>; node: OwnVec<f64>; vert: OwnVec<f64>;
        elem: OwnVec<i32>; texcoord: OwnVec<f32>; elemtexcoord: OwnVec<i32>;
    } parts {}
    MjsMesh(Mesh) {
        content_type: OwnString; file: OwnString; refpos: [f64; 3]; refquat: [f64; 4]; scale: [f64; 3];
        inertia: i32; smoothnormal: u8; needsdf: u8; maxhullvert: i32; uservert: OwnVec<f32>;
        usernormal: OwnVec<f32>; usertexcoord: OwnVec<f32>; userface: OwnVec<i32>;
        userfacenormal: OwnVec<i32>; userfacetexcoord: OwnVec<i32>; plugin: MjsPlugin; material: OwnString;
    } parts {}
    MjsHField(HField) {
        content_type: OwnString; file: OwnString; size: [f64; 4]; nrow: i32; ncol: i32;
        userdata: OwnVec<f32>;
    } parts {}
    MjsSkin(Skin) {
        file: OwnString; material: OwnString; rgba: [f32; 4]; inflate: f32; group: i32; vert: OwnVec<f32>;
        texcoord: OwnVec<f32>; face: OwnVec<i32>;
    } parts {
        bodyname: OwnVec<CxxString>; bindpos: OwnVec<f32>; bindquat: OwnVec<f32>;
        vertid: OwnVec<CxxVec<i32>>; vertweight: OwnVec<CxxVec<f32>>;
    }
    MjsTexture(Texture) {
        r#type: i32; colorspace: i32; builtin: i32; mark: i32; rgb1: [f64; 3]; rgb2: [f64; 3];
        markrgb: [f64; 3]; random: f64; height: i32; width: i32; nchannel: i32; content_type: OwnString;
        file: OwnString; gridsize: [i32; 2]; gridlayout: [c_char; 12]; cubefiles: OwnVec<CxxString>;
        data: OwnVec<u8>; hflip: u8; vflip: u8;
    } parts {}
    MjsMaterial(Material) {
        textures: OwnVec<CxxString>; texuniform: u8; texrepeat: [f32; 2]; emission: f32; specular: f32;
        shininess: f32; reflectance: f32; metallic: f32; roughness: f32; rgba: [f32; 4];
    } parts {}
    MjsPair(Pair) {
        geomname1: OwnString; geomname2: OwnString; condim: i32; solref: [f64; 2];
        solreffriction: [f64; 2]; solimp: [f64; 5]; margin: f64; gap: f64; friction: [f64; 5];
    } parts {}
    MjsExclude(Exclude) {
        bodyname1: OwnString; bodyname2: OwnString;
    } parts {}
    MjsEquality(Equality) {
        r#type: i32; data: [f64; 11]; active: u8; name1: OwnString; name2: OwnString; objtype: i32;
        solref: [f64; 2]; solimp: [f64; 5];
    } parts {}
    MjsTendon(Tendon) {
        stiffness: [f64; 3]; springlength: [f64; 2]; damping: [f64; 3]; frictionloss: f64;
        solref_friction: [f64; 2]; solimp_friction: [f64; 5]; armature: f64; limited: i32;
        actfrclimited: i32; range: [f64; 2]; actfrcrange: [f64; 2]; margin: f64; solref_limit: [f64; 2];
        solimp_limit: [f64; 5]; material: OwnString; width: f64; rgba: [f32; 4]; group: i32;
        userdata: OwnVec<f64>;
    } parts {}
    MjsActuator(Actuator) {
        gaintype: i32; gainprm: [f64; 10]; biastype: i32; biasprm: [f64; 10]; dyntype: i32;
        dynprm: [f64; 10]; actdim: i32; actearly: u8; trntype: i32; gear: [f64; 6]; target: OwnString;
        refsite: OwnString; slidersite: OwnString; cranklength: f64; lengthrange: [f64; 2];
        inheritrange: f64; damping: [f64; 3]; armature: f64; ctrllimited: i32; ctrlrange: [f64; 2];
        forcelimited: i32; forcerange: [f64; 2]; actlimited: i32; actrange: [f64; 2]; group: i32;
        nsample: i32; interp: i32; delay: f64; userdata: OwnVec<f64>; plugin: MjsPlugin;
    } parts {}
    MjsSensor(Sensor) {
        r#type: i32; objtype: i32; objname: OwnString; reftype: i32; refname: OwnString; intprm: [i32; 3];
        datatype: i32; needstage: i32; dim: i32; cutoff: f64; noise: f64; nsample: i32; interp: i32;
        delay: f64; interval: [f64; 2]; userdata: OwnVec<f64>; plugin: MjsPlugin;
    } parts {}
    MjsNumeric(Numeric) {
        data: OwnVec<f64>; size: i32;
    } parts {}
    MjsText(TextElement) {
        data: OwnString;
    } parts {}
    MjsTuple(Tuple) {

    } parts {
        objtype: OwnVec<i32>; objname: OwnVec<CxxString>; objprm: OwnVec<f64>;
    }
    MjsKey(Key) {
        time: f64; qpos: OwnVec<f64>; qvel: OwnVec<f64>; act: OwnVec<f64>; mpos: OwnVec<f64>;
        mquat: OwnVec<f64>; ctrl: OwnVec<f64>;
    } parts {}
}

impl MjsSkin {
    fn show_parts(&mut self, skin: &Skin) {
        let texts: Vec<String> = skin.bones.iter().map(|bone| bone.bodyname.clone()).collect();
        self.bodyname.show(&texts);
        self.bindpos.show(&skin.bones.iter().flat_map(|bone| bone.bindpos).collect());
        self.bindquat.show(&skin.bones.iter().flat_map(|bone| bone.bindquat).collect());
        self.vertid.show(&skin.bones.iter().map(|bone| bone.vertid.clone()).collect());
        self.vertweight.show(&skin.bones.iter().map(|bone| bone.vertweight.clone()).collect());
    }

    fn take_parts(&self, skin: &mut Skin) -> Served {
        let (mut names, mut places, mut turns) = (Vec::<String>::new(), Vec::<f32>::new(), Vec::<f32>::new());
        let (mut ids, mut weights) = (Vec::<Vec<i32>>::new(), Vec::<Vec<f32>>::new());
        self.bodyname.take(&mut names)?;
        self.bindpos.take(&mut places)?;
        self.bindquat.take(&mut turns)?;
        self.vertid.take(&mut ids)?;
        self.vertweight.take(&mut weights)?;
        let (places, turns) = (places.as_chunks::<3>().0, turns.as_chunks::<4>().0);
        skin.bones = (0..names.len())
            .map(|i| Bone {
                bodyname: names[i].clone(),
                bindpos: places.get(i).copied().unwrap_or_default(),
                bindquat: turns.get(i).copied().unwrap_or_default(),
                vertid: ids.get(i).cloned().unwrap_or_default(),
                vertweight: weights.get(i).cloned().unwrap_or_default(),
            })
            .collect();
        Ok(())
    }
}

impl MjsTuple {
    fn show_parts(&mut self, tuple: &Tuple) {
        self.objtype.show(&tuple.entries.iter().map(|entry| entry.objtype as i32).collect());
        self.objname.show(&tuple.entries.iter().map(|entry| entry.objname.clone()).collect::<Vec<String>>());
        self.objprm.show(&tuple.entries.iter().map(|entry| entry.objprm).collect());
    }

    fn take_parts(&self, tuple: &mut Tuple) -> Served {
        let (mut kinds, mut names, mut numbers) =
            (Vec::<i32>::new(), Vec::<String>::new(), Vec::<f64>::new());
        self.objtype.take(&mut kinds)?;
        self.objname.take(&mut names)?;
        self.objprm.take(&mut numbers)?;
        tuple.entries = (0..names.len())
            .map(|i| {
                let kind = kinds.get(i).and_then(|&kind| ObjType::try_from(kind).ok());
                TupleEntry {
                    objtype: kind.unwrap_or(ObjType::Unknown),
                    objname: names[i].clone(),
                    objprm: numbers.get(i).copied().unwrap_or(0.0),
                }
            })
            .collect();
        Ok(())
    }
}

/// A step of the path of a tendon.
#[repr(C)]
pub struct MjsWrap {
    pub element: *mut ElementHead,
    pub r#type: i32,
    pub info: OwnString,
}

/// The prototypes of a default class.
#[repr(C)]
pub struct MjsDefault {
    pub element: *mut ElementHead,
    pub joint: *mut MjsJoint,
    pub geom: *mut MjsGeom,
    pub site: *mut MjsSite,
    pub camera: *mut MjsCamera,
    pub light: *mut MjsLight,
    pub flex: *mut MjsFlex,
    pub mesh: *mut MjsMesh,
    pub material: *mut MjsMaterial,
    pub pair: *mut MjsPair,
    pub equality: *mut MjsEquality,
    pub tendon: *mut MjsTendon,
    pub actuator: *mut MjsActuator,
}
