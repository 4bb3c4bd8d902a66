//! Elements of descriptions: an `mjsElement`, with what we know about it behind the fields of the header, and
//! the struct that shows it.

#![allow(unsafe_code)]

use super::cpp::CxxString;
use super::fault::Served;
use crate::layout::slot::ElementHead;
use crate::layout::spec::*;
use kinetree_spec::Spec;
use kinetree_spec::spec::{DefaultId, Element as _, Id, PluginRef};
use std::collections::HashMap;
use std::ffi::c_void;
use std::mem::MaybeUninit;

pub(super) const ELEMENT_MARK: u64 = 0x6b74_656c_656d_6e31;

/// Which element a struct belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub kind: Kind,
    pub id: usize,
    /// Whether it is the prototype of the kind in the default class with this number.
    pub prototype: bool,
}

impl Key {
    /// An element.
    pub fn new(kind: Kind, id: usize) -> Self {
        Self { kind, id, prototype: false }
    }
}

/// What a program calls with a payload that it has given to an element, when that is forgotten.
pub type Cleanup = Option<extern "C-unwind" fn(*const c_void)>;

/// An `mjsElement`, with what we know about it behind the fields of the header.
#[repr(C)]
pub struct Element {
    head: ElementHead,
    pub(super) mark: u64,
    /// the description that it belongs to
    pub(super) owner: *mut c_void,
    pub(super) key: Key,
    pub(super) gone: bool,
    pub(super) payload: Payload,
    name: CxxString,
    users: HashMap<String, (usize, Cleanup)>,
    /// the struct as it was made: programs copy structs into others, with the pointers to what those own
    made: Vec<MaybeUninit<u8>>,
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

macro_rules! kinds {
    ($( $kind:ident $number:literal $t:ident $arena:ident $prototype:tt; )*) => {
        /// Kinds of elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $( $kind, )*
            Wrap,
            Default,
            Model,
        }

        /// The struct of an element.
        pub(super) enum Payload {
            $( $kind(Box<$t>), )*
            Wrap(Box<MjsWrap>),
            Default(Box<MjsDefault>),
            None,
        }

        impl Kind {
            /// All kinds that have lists of their own.
            pub const ALL: &'static [Kind] = &[$( Kind::$kind ),*];

            /// The number that the header gives the kind.
            pub fn number(self) -> i32 {
                match self {
                    $( Kind::$kind => $number, )*
                    Kind::Wrap => 0,
                    Kind::Default => 101,
                    Kind::Model => 102,
                }
            }

            /// Ids of the elements of the kind, in the order of their list.
            pub fn ids(self, spec: &Spec) -> Vec<usize> {
                match self {
                    $( Kind::$kind => spec.$arena.ids().iter().map(|id| id.index()).collect(), )*
                    _ => Vec::new(),
                }
            }

            /// The name of an element.
            pub fn name(self, spec: &Spec, id: usize) -> Option<&str> {
                match self {
                    $( Kind::$kind => spec.$arena.get(Id::new(id)).map(|e| e.name()), )*
                    Kind::Default => spec.defaults.get(id).map(|class| class.name.as_str()),
                    Kind::Model => Some(&spec.modelname),
                    Kind::Wrap => None,
                }
            }

            /// Renames an element.
            pub fn rename(self, spec: &mut Spec, id: usize, name: &str) {
                match self {
                    $( Kind::$kind => if let Some(e) = spec.$arena.get_mut(Id::new(id)) {
                        name.clone_into(e.name_mut());
                    } )*
                    Kind::Default => spec.rename_default(DefaultId(id), name),
                    Kind::Model => name.clone_into(&mut spec.modelname),
                    Kind::Wrap => {}
                }
            }

            /// The default class of an element.
            pub fn class(self, spec: &Spec, id: usize) -> Option<&str> {
                match self {
                    $( Kind::$kind => spec.$arena.get(Id::new(id)).map(|e| e.origin().class.as_str()), )*
                    _ => None,
                }
            }

            /// Changes the default class of an element.
            pub fn set_class(self, spec: &mut Spec, id: usize, class: &str) {
                match self {
                    $( Kind::$kind => if let Some(e) = spec.$arena.get_mut(Id::new(id)) {
                        class.clone_into(&mut e.origin_mut().class);
                    } )*
                    _ => {}
                }
            }
        }

        impl Payload {
            fn new(spec: &mut Spec, key: Key, element: *mut ElementHead) -> Self {
                match key.kind {
                    $( Kind::$kind => {
                        let mut body: Box<$t> = Box::default();
                        body.set_element(element);
                        if let Some(plugin) = body.plugin() {
                            plugin.element = element;
                        }
                        let mut payload = Payload::$kind(body);
                        payload.show(spec, key);
                        payload
                    } )*
                    Kind::Wrap => Payload::Wrap(Box::new(MjsWrap { element, r#type: 0, info: Some(Box::default()) })),
                    _ => Payload::None,
                }
            }

            fn show(&mut self, spec: &mut Spec, key: Key) {
                let id = key.id;
                match self {
                    $( Payload::$kind(body) => {
                        let element = if key.prototype {
                            prototype!(spec, id, $prototype)
                        } else {
                            spec.$arena.get_mut(Id::new(id))
                        };
                        if let Some(element) = element {
                            body.show(element);
                        }
                    } )*
                    _ => {}
                }
            }

            fn take(&self, spec: &mut Spec, key: Key) -> Served {
                let id = key.id;
                match self {
                    $( Payload::$kind(body) => {
                        let element = if key.prototype {
                            prototype!(spec, id, $prototype)
                        } else {
                            spec.$arena.get_mut(Id::new(id))
                        };
                        element.map_or(Ok(()), |element| body.take(element))
                    } )*
                    _ => Ok(()),
                }
            }

            fn plugin(&mut self) -> Option<&mut MjsPlugin> {
                match self {
                    $( Payload::$kind(body) => body.plugin(), )*
                    _ => None,
                }
            }

            /// The memory of the struct.
            fn memory(&mut self) -> &mut [MaybeUninit<u8>] {
                let size = match self {
                    $( Payload::$kind(_) => size_of::<$t>(), )*
                    Payload::Wrap(_) => size_of::<MjsWrap>(),
                    Payload::Default(_) => size_of::<MjsDefault>(),
                    Payload::None => return &mut [],
                };
                // SAFETY: the struct has so many bytes, and is not used otherwise while they are borrowed
                unsafe { std::slice::from_raw_parts_mut(self.pointer().cast(), size) }
            }

            pub(super) fn pointer(&mut self) -> *mut c_void {
                match self {
                    $( Payload::$kind(body) => std::ptr::from_mut(&mut **body).cast(), )*
                    Payload::Wrap(body) => std::ptr::from_mut(&mut **body).cast(),
                    Payload::Default(body) => std::ptr::from_mut(&mut **body).cast(),
                    Payload::None => std::ptr::null_mut(),
                }
            }
        }

        $( impl Shows for $t {
            const KIND: Kind = Kind::$kind;
        } )*
    };
}

/// A struct with the kind of element that it shows.
pub trait Shows {
    /// The kind.
    const KIND: Kind;
}

kinds! {
    Body 1 MjsBody bodies -;
    Joint 3 MjsJoint joints joint;
    Geom 5 MjsGeom geoms geom;
    Site 6 MjsSite sites site;
    Camera 7 MjsCamera cameras camera;
    Light 8 MjsLight lights light;
    Flex 9 MjsFlex flexes flex;
    Mesh 10 MjsMesh meshes mesh;
    Skin 11 MjsSkin skins -;
    HField 12 MjsHField hfields -;
    Texture 13 MjsTexture textures -;
    Material 14 MjsMaterial materials material;
    Pair 15 MjsPair pairs pair;
    Exclude 16 MjsExclude excludes -;
    Equality 17 MjsEquality equalities equality;
    Tendon 18 MjsTendon tendons tendon;
    Actuator 19 MjsActuator actuators actuator;
    Sensor 20 MjsSensor sensors -;
    Numeric 21 MjsNumeric numerics -;
    Text 22 MjsText texts -;
    Tuple 23 MjsTuple tuples -;
    Key 24 MjsKey keys -;
    Plugin 25 MjsPlugin plugins -;
    Frame 100 MjsFrame frames -;
}

impl Shows for MjsWrap {
    const KIND: Kind = Kind::Wrap;
}

impl Shows for MjsDefault {
    const KIND: Kind = Kind::Default;
}

impl Kind {
    /// The kind that the header numbers.
    pub fn numbered(number: i32) -> Option<Kind> {
        // a body's frame is the body's element
        let number = if number == 2 { 1 } else { number };
        Kind::ALL.iter().copied().chain([Kind::Default, Kind::Model]).find(|kind| kind.number() == number)
    }
}

impl Element {
    pub(super) fn new(spec: &mut Spec, owner: *mut c_void, key: Key) -> Box<Self> {
        let mut element = Box::new(Self {
            head: ElementHead { elemtype: key.kind.number(), signature: 0 },
            mark: ELEMENT_MARK,
            owner,
            key,
            gone: false,
            payload: Payload::None,
            name: CxxString::new(if key.prototype { "" } else { key.kind.name(spec, key.id).unwrap_or("") }),
            users: HashMap::new(),
            made: Vec::new(),
        });
        let pointer = std::ptr::from_mut(&mut *element).cast();
        element.payload = Payload::new(spec, key, pointer);
        element.made = element.payload.memory().to_vec();
        element
    }

    pub(super) fn set_signature(&mut self, signature: u64) {
        self.head.signature = signature;
    }

    pub(super) fn show(&mut self, spec: &mut Spec) {
        self.payload.show(spec, self.key);
        if !self.key.prototype {
            self.name.set(self.key.kind.name(spec, self.key.id).unwrap_or("").as_bytes());
        }
    }

    pub(super) fn take(&self, spec: &mut Spec) -> Served {
        let Key { kind, id, prototype } = self.key;
        if !prototype && kind.name(spec, id).is_some_and(|name| name.as_bytes() != self.name.bytes()) {
            kind.rename(spec, id, &self.name.text());
        }
        self.payload.take(spec, self.key)
    }

    /// The plugin element that the program has put into the struct of another element.
    pub(super) fn plugin_link(&mut self) -> Option<(Key, usize)> {
        let own: *mut ElementHead = std::ptr::from_mut(self).cast();
        let other = self.payload.plugin()?.element;
        if other.is_null() || other == own || self.key.prototype {
            return None;
        }
        // SAFETY: the program says that this is an element
        let other = unsafe { &*other.cast::<Element>() };
        let is_plugin = other.mark == ELEMENT_MARK && other.key.kind == Kind::Plugin && !other.gone;
        let is_plugin = is_plugin && other.owner == self.owner;
        is_plugin.then_some((self.key, other.key.id))
    }

    /// Payloads of the program, by their keys.
    pub fn users(&mut self) -> &mut HashMap<String, (usize, Cleanup)> {
        &mut self.users
    }

    /// The name, which the program may change.
    pub fn name(&mut self) -> &mut CxxString {
        &mut self.name
    }
}

/// The plugin that an element uses, if it may use one.
pub fn plugin_of(spec: &mut Spec, key: Key) -> Option<&mut PluginRef> {
    let id = key.id;
    match key.kind {
        Kind::Body => spec.bodies.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        Kind::Geom => spec.geoms.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        Kind::Mesh => spec.meshes.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        Kind::Actuator => spec.actuators.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        Kind::Sensor => spec.sensors.get_mut(Id::new(id)).map(|e| &mut e.plugin),
        _ => None,
    }
}

impl Drop for Element {
    fn drop(&mut self) {
        // strings and vectors are given back by the struct that they were made for, whatever was copied over
        // it
        let memory = self.payload.memory();
        if memory.len() == self.made.len() {
            memory.copy_from_slice(&self.made);
        }
        for (_, (data, cleanup)) in self.users.drain() {
            if let Some(cleanup) = cleanup {
                cleanup(data as *const c_void);
            }
        }
    }
}
