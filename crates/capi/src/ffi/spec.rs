//! Descriptions in the hands of C programs: `mjSpec`, and the pointers to its elements.
//!
//! A handle owns a `Spec` and, for each element that the program has asked for, an [`Element`] with the
//! struct that shows it. Structs do not move, and stay until the description is deleted, also when their
//! element is: its functions then fail. Before a description is used, what the program has written to the
//! structs is taken over.

#![allow(unsafe_code)]

use super::cpp::TextMap;
use super::element::{ELEMENT_MARK, Element, Payload, Shows};
use super::fault::{Failed, Served, fault};
use crate::layout::slot::ElementHead;
use crate::layout::spec::*;
use crate::layout::spec_settings::{MjSpec, MjsCompiler};
use kinetree_spec::spec::{DefaultId, Id};
use kinetree_spec::{Spec, StateLayout};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::CString;
use std::marker::PhantomData;

pub use super::element::{Cleanup, Key, Kind, plugin_of};

/// Attributes of a plugin with their texts.
type Config = Vec<(String, String)>;

/// A description.
#[repr(C)]
pub struct SpecHandle {
    c: MjSpec,
    pub spec: Spec,
    elements: HashMap<Key, Box<Element>>,
    // C has their addresses, which must not change when the list grows
    #[allow(clippy::vec_box)]
    lost: Vec<Box<Element>>,
    /// what the last function has to say, and whether it is only a warning
    pub message: CString,
    pub is_warning: bool,
    pub layout: Option<StateLayout>,
    /// the model that was compiled last
    pub compiled: Option<super::handle::Owned>,
    /// its signature, and the elements that there were then
    signature: Option<(u64, u64)>,
    pub deep_copy: bool,
    this: Option<Box<Element>>,
    /// configurations of plugins that the program has asked for, of each element: the
    /// program may hold pointers to all of them
    configs: HashMap<Key, Vec<(Config, TextMap)>>,
    /// descriptions that were attached to this one, and those that this one was attached to
    children: Vec<*mut SpecHandle>,
    parents: Vec<*mut SpecHandle>,
}

impl SpecHandle {
    /// Hands a description over to the program.
    pub fn make(spec: Spec) -> SpecPtr<'static> {
        let handle = Box::into_raw(Box::new(Self {
            c: MjSpec::default(),
            spec,
            elements: HashMap::new(),
            lost: Vec::new(),
            message: CString::default(),
            is_warning: false,
            layout: None,
            compiled: None,
            signature: None,
            deep_copy: false,
            this: None,
            configs: HashMap::new(),
            children: Vec::new(),
            parents: Vec::new(),
        }));
        // SAFETY: the handle was made here
        let inner = unsafe { &mut *handle };
        inner.c.show(&inner.spec);
        let mut this = Element::new(&mut inner.spec, handle.cast(), Key::new(Kind::Model, 0));
        inner.c.element = std::ptr::from_mut(&mut *this).cast();
        inner.this = Some(this);
        SpecPtr(handle.cast(), PhantomData)
    }

    /// Whether the program holds the struct of an element.
    pub fn holds(&self, kind: Kind, id: usize) -> bool {
        self.elements.contains_key(&Key::new(kind, id))
    }

    /// Remembers which model the description was compiled to.
    pub fn set_compiled(&mut self, signature: u64) {
        self.signature = Some((signature, self.census()));
        self.show_signature();
    }

    /// Shows the signature of the model that the description was compiled to, as long as it has the elements
    /// that it had then.
    pub fn show_signature(&mut self) {
        let current = self.signature.filter(|(_, census)| *census == self.census());
        let signature = current.map_or(0, |(signature, _)| signature);
        if let Some(this) = self.this.as_deref_mut() {
            this.set_signature(signature);
        }
    }

    /// A number that changes with the elements of the description.
    fn census(&self) -> u64 {
        let mut census = 0_u64;
        macro_rules! count {
            ($( $list:ident )*) => { $(
                for (id, _) in self.spec.$list.iter() {
                    census = census.rotate_left(5).wrapping_add(id.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                }
                census = census.wrapping_add(0x51_7c);
            )* };
        }
        count! {
            bodies frames joints geoms sites cameras lights meshes hfields skins textures materials flexes pairs
            excludes equalities tendons actuators sensors numerics texts tuples keys plugins
        }
        census
    }

    /// Says what went wrong, for `mjs_getError`.
    pub fn tell(&mut self, message: &str, is_warning: bool) {
        self.message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        self.is_warning = is_warning;
    }

    /// Takes over what the program has written to the structs.
    pub fn take_all(&mut self) -> Served {
        self.c.take(&mut self.spec)?;
        for element in self.elements.values() {
            element.take(&mut self.spec)?;
        }
        let links: Vec<_> = self.elements.values_mut().filter_map(|element| element.plugin_link()).collect();
        links.into_iter().for_each(|(user, plugin)| use_plugin(&mut self.spec, user, plugin));
        Ok(())
    }

    /// The description as it is compiled and written: plugin instances without a name belong to the elements
    /// that use them, and to nobody else.
    pub fn finished(&self) -> Cow<'_, Spec> {
        let unnamed: Vec<_> =
            self.spec.plugins.iter().filter(|(_, plugin)| plugin.name.is_empty()).map(|(id, _)| id).collect();
        if unnamed.is_empty() {
            return Cow::Borrowed(&self.spec);
        }
        let mut spec = self.spec.clone();
        unnamed.into_iter().for_each(|id| drop(spec.plugins.remove(id)));
        Cow::Owned(spec)
    }

    /// A configuration for the program, which stays until the description is deleted.
    pub fn keep_config(&mut self, key: Key, config: &[(String, String)]) -> *const std::ffi::c_void {
        let kept = self.configs.entry(key).or_default();
        match kept.iter().find(|(pairs, _)| pairs == config) {
            Some((_, map)) => map.pointer(),
            None => {
                let map = TextMap::new(config);
                let pointer = map.pointer();
                kept.push((config.to_vec(), map));
                pointer
            }
        }
    }

    /// Notes that a description was attached to this one.
    pub fn add_child(&mut self, child: &mut SpecHandle) {
        let (own, other) = (std::ptr::from_mut(self), std::ptr::from_mut(child));
        if !self.children.contains(&other) {
            self.children.push(other);
            child.parents.push(own);
        }
    }

    /// The description of a name among this one and those that were attached to it.
    pub fn find(&mut self, name: &str) -> Option<&mut SpecHandle> {
        // descriptions may be attached in a circle
        let mut seen: Vec<*mut SpecHandle> = Vec::new();
        let mut left = vec![std::ptr::from_mut(self)];
        while let Some(next) = left.pop() {
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            // SAFETY: children take themselves off the list when they are deleted
            let handle = unsafe { &mut *next };
            if handle.spec.modelname == name {
                return Some(handle);
            }
            left.extend(handle.children.iter().rev());
        }
        None
    }

    /// Gives structs of default classes the numbers that the classes have now; `before` are the names they
    /// had.
    pub fn renumber_classes(&mut self, before: &[String]) {
        let spec = &self.spec;
        let place =
            |old: usize| before.get(old).and_then(|name| spec.defaults.iter().position(|c| c.name == *name));
        let of_class = |key: &Key| key.prototype || key.kind == Kind::Default;
        let keys: Vec<Key> = self.elements.keys().copied().filter(of_class).collect();
        let moved: Vec<_> =
            keys.iter().filter_map(|key| self.elements.remove(key).map(|e| (*key, e))).collect();
        for (key, mut element) in moved {
            match place(key.id) {
                Some(id) => {
                    element.key = Key { id, ..key };
                    self.elements.insert(element.key, element);
                }
                None => {
                    element.gone = true;
                    self.lost.push(element);
                }
            }
        }
    }

    /// Fills all structs anew.
    pub fn show_all(&mut self) {
        self.c.show(&self.spec);
        for element in self.elements.values_mut() {
            element.show(&mut self.spec);
        }
    }

    /// The settings of the compiler, as a struct.
    pub fn compiler(&mut self) -> *mut MjsCompiler {
        &mut self.c.compiler
    }

    fn slot(&mut self, key: Key) -> &mut Element {
        let owner = std::ptr::from_mut(self).cast();
        let spec = &mut self.spec;
        self.elements.entry(key).or_insert_with(|| Element::new(spec, owner, key))
    }

    /// The `mjsElement` of an element.
    pub fn element(&mut self, key: Key) -> ElementPtr<'static> {
        let pointer = match (key.kind, self.this.as_deref_mut()) {
            (Kind::Model, Some(this)) => std::ptr::from_mut(this),
            _ => std::ptr::from_mut(self.slot(key)),
        };
        ElementPtr(pointer, PhantomData)
    }

    /// The struct of an element.
    pub fn body<T: Shows>(&mut self, id: usize) -> *mut T {
        if matches!(T::KIND, Kind::Default) {
            return self.default_class(id).cast();
        }
        self.slot(Key::new(T::KIND, id)).payload.pointer().cast()
    }

    fn prototype<T: Shows>(&mut self, class: usize) -> *mut T {
        self.slot(Key { kind: T::KIND, id: class, prototype: true }).payload.pointer().cast()
    }

    /// The struct of a default class, with those of its prototypes.
    fn default_class(&mut self, class: usize) -> *mut MjsDefault {
        let mut prototypes = MjsDefault {
            element: std::ptr::null_mut(),
            joint: self.prototype(class),
            geom: self.prototype(class),
            site: self.prototype(class),
            camera: self.prototype(class),
            light: self.prototype(class),
            flex: self.prototype(class),
            mesh: self.prototype(class),
            material: self.prototype(class),
            pair: self.prototype(class),
            equality: self.prototype(class),
            tendon: self.prototype(class),
            actuator: self.prototype(class),
        };
        let element = self.slot(Key::new(Kind::Default, class));
        prototypes.element = std::ptr::from_mut(element).cast();
        if !matches!(element.payload, Payload::Default(_)) {
            element.payload = Payload::Default(Box::new(prototypes));
        }
        element.payload.pointer().cast()
    }

    /// Takes over what the program has written to the prototypes of a class.
    pub fn take_class(&mut self, class: DefaultId) -> Served {
        for element in self.elements.values().filter(|e| e.key.prototype && e.key.id == class.0) {
            element.take(&mut self.spec)?;
        }
        Ok(())
    }

    /// Takes over what the program has written to the struct of one element.
    pub fn take_one(&mut self, key: Key) -> Served {
        self.elements.get(&key).map_or(Ok(()), |element| element.take(&mut self.spec))
    }

    /// Fills the struct of one element anew.
    pub fn show_one(&mut self, key: Key) {
        if let Some(element) = self.elements.get_mut(&key) {
            element.show(&mut self.spec);
        }
    }

    /// Puts structs aside whose elements are not there any more.
    pub fn forget_deleted(&mut self) {
        let spec = &self.spec;
        let gone: Vec<Key> = self
            .elements
            .keys()
            .copied()
            .filter(|key| !key.prototype && key.kind != Kind::Wrap && key.kind.name(spec, key.id).is_none())
            .collect();
        for key in gone {
            if let Some(mut element) = self.elements.remove(&key) {
                element.gone = true;
                self.lost.push(element);
            }
        }
    }

    /// Structs of another description become those of elements of this one: pairs of the old and the new
    /// place.
    pub fn adopt(&mut self, other: &mut SpecHandle, moves: &[(Key, Key)]) {
        let owner = std::ptr::from_mut(self).cast();
        for (from, to) in moves {
            if let Some(mut element) = other.elements.remove(from) {
                (element.owner, element.key) = (owner, *to);
                element.show(&mut self.spec);
                if let Some(old) = self.elements.insert(*to, element) {
                    self.lost.push(old);
                }
            }
        }
    }
}

/// An argument `mjSpec*`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct SpecPtr<'a>(*mut MjSpec, PhantomData<&'a Spec>);

/// An argument `mjsElement*`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct ElementPtr<'a>(*mut Element, PhantomData<&'a Element>);

/// An argument that is a struct of an element.
#[repr(transparent)]
pub struct BodyPtr<'a, T>(*mut T, PhantomData<&'a T>);

impl<T> Clone for BodyPtr<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for BodyPtr<'_, T> {}

impl Failed for SpecPtr<'_> {
    fn failed() -> Self {
        Self(std::ptr::null_mut(), PhantomData)
    }
}

impl Failed for ElementPtr<'_> {
    fn failed() -> Self {
        Self(std::ptr::null_mut(), PhantomData)
    }
}

impl<'a> SpecPtr<'a> {
    /// Whether there is none.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Whether two pointers are the same.
    pub fn same(self, other: SpecPtr<'_>) -> bool {
        self.0 == other.0
    }

    /// The pointer to a description.
    pub fn of(handle: &'a mut SpecHandle) -> SpecPtr<'static> {
        SpecPtr(std::ptr::from_mut(handle).cast(), PhantomData)
    }

    /// The description.
    pub fn get(self) -> Served<&'a mut SpecHandle> {
        if self.0.is_null() {
            return fault("mjSpec is NULL");
        }
        // SAFETY: the pointer leads to a live `mjSpec`, whose element is null or leads to a live element
        unsafe {
            let element: *mut Element = (*self.0).element.cast();
            if element.is_null() || (*element).mark != ELEMENT_MARK || (*element).owner != self.0.cast() {
                return fault("mjSpec was not made by this library");
            }
            Ok(&mut *(*element).owner.cast())
        }
    }

    /// Gives the description back.
    pub fn delete(self) -> Served {
        if self.0.is_null() {
            return Ok(());
        }
        let handle = std::ptr::from_mut(self.get()?);
        // SAFETY: the handle was made by `make`; a second deletion finds no element as long as the memory is
        // not reused
        unsafe {
            (*handle).c.element = std::ptr::null_mut();
            drop(Box::from_raw(handle));
        }
        Ok(())
    }
}

impl<'a> ElementPtr<'a> {
    /// No element.
    pub fn none() -> ElementPtr<'static> {
        ElementPtr(std::ptr::null_mut(), PhantomData)
    }

    /// Whether there is none.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The element, which must not have been deleted.
    pub fn get(self) -> Served<&'a mut Element> {
        if self.0.is_null() {
            return fault("mjsElement is NULL");
        }
        // SAFETY: the pointer leads to a live element
        let element = unsafe { &mut *self.0 };
        if element.mark != ELEMENT_MARK {
            return fault("mjsElement was not made by this library");
        }
        if element.gone { fault("this element was deleted") } else { Ok(element) }
    }

    /// The description that the element belongs to, and which one it is.
    pub fn locate(self) -> Served<(&'a mut SpecHandle, Key)> {
        let element = self.get()?;
        // SAFETY: the owner of an element lives as long as the element
        Ok((unsafe { &mut *element.owner.cast() }, element.key))
    }

    /// As [`locate`](Self::locate), of an element that is none of a default class.
    pub fn locate_own(self) -> Served<(&'a mut SpecHandle, Key)> {
        let (handle, key) = self.locate()?;
        if key.prototype { fault("this struct belongs to a default class") } else { Ok((handle, key)) }
    }

    /// The struct of the element, if it is of this kind.
    pub fn cast<T: Shows>(self) -> *mut T {
        match self.get() {
            Ok(element) if element.key.kind == T::KIND => element.payload.pointer().cast(),
            _ => std::ptr::null_mut(),
        }
    }
}

/// Structs that know what they belong to.
pub trait Owned {
    /// What it belongs to.
    fn owner(&self) -> *mut ElementHead;
}

impl<T: Mirror> Owned for T {
    fn owner(&self) -> *mut ElementHead {
        self.element()
    }
}

impl Owned for MjsWrap {
    fn owner(&self) -> *mut ElementHead {
        self.element
    }
}

impl Owned for MjsDefault {
    fn owner(&self) -> *mut ElementHead {
        self.element
    }
}

impl<T> BodyPtr<'_, T> {
    /// No struct.
    pub fn none() -> BodyPtr<'static, T> {
        BodyPtr(std::ptr::null_mut(), PhantomData)
    }

    /// A struct that a handle has given.
    pub fn from_raw(pointer: *mut T) -> BodyPtr<'static, T> {
        BodyPtr(pointer, PhantomData)
    }
}

impl<'a, T: Owned> BodyPtr<'a, T> {
    /// Whether there is none.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The element that the struct shows.
    pub fn element(self) -> Served<ElementPtr<'a>> {
        if self.0.is_null() {
            return fault("a pointer is NULL where the header does not allow it");
        }
        // SAFETY: the pointer leads to a live struct
        Ok(ElementPtr(unsafe { (*self.0).owner() }.cast(), PhantomData))
    }

    /// The description that the element belongs to, and which one it is.
    pub fn locate(self) -> Served<(&'a mut SpecHandle, Key)> {
        self.element()?.locate()
    }

    /// As [`locate`](Self::locate), of an element that is none of a default class.
    pub fn locate_own(self) -> Served<(&'a mut SpecHandle, Key)> {
        self.element()?.locate_own()
    }

    /// The struct.
    pub fn get(self) -> Served<&'a mut T> {
        if self.0.is_null() {
            return fault("a pointer is NULL where the header does not allow it");
        }
        // SAFETY: the pointer leads to a live struct
        Ok(unsafe { &mut *self.0 })
    }

    /// Initializes the struct, which may be any memory.
    pub fn begin(self, value: T) -> Served {
        if self.0.is_null() {
            return fault("a pointer is NULL where the header does not allow it");
        }
        // SAFETY: the memory has room for the struct
        unsafe { self.0.write(value) };
        Ok(())
    }
}

/// Lets an element use a plugin instance: by its name, or as its own when it has none.
fn use_plugin(spec: &mut Spec, user: Key, plugin: usize) {
    let Some(instance) = spec.plugins.get(Id::new(plugin)).cloned() else { return };
    let Some(place) = plugin_of(spec, user) else { return };
    if instance.name.is_empty() {
        place.config = instance.config;
    }
    place.instance = instance.name;
    if place.plugin_name.is_empty() {
        place.plugin_name = instance.plugin_name;
    }
}

impl Drop for SpecHandle {
    fn drop(&mut self) {
        let own = std::ptr::from_mut(self);
        // SAFETY: those that are related take themselves off the lists when they are deleted
        unsafe {
            self.parents.iter().for_each(|&parent| (*parent).children.retain(|&child| child != own));
            self.children.iter().for_each(|&child| (*child).parents.retain(|&parent| parent != own));
        }
    }
}
