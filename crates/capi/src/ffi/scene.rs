//! Scenes in the hands of C programs.
//!
//! An `mjvScene` lies in the program's memory. Its list of geoms is ours, and behind a word in front of it is
//! the engine's scene, whose lists the other pointers lead into.

#![allow(unsafe_code)]

use super::fault::{Served, fault};
use super::pointer::count;
use crate::layout::scene::{GeomRecord, SceneRecord};
use kinetree_model::Model;
use kinetree_render::scene::{MjvScene, mjv_make_scene};
use std::alloc::{Layout, alloc_zeroed};
use std::marker::PhantomData;

const MARK: u64 = 0x6b74_7363_656e_6531;

/// What lies in front of the geoms.
#[repr(C, align(16))]
struct Head {
    mark: u64,
    inner: *mut Inner,
}

struct Inner {
    scene: MjvScene,
    order: Vec<i32>,
    /// the memory of the geoms with their head
    _memory: Vec<u128>,
}

/// An argument `mjvScene*`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct ScenePtr<'a>(*mut SceneRecord, PhantomData<&'a MjvScene>);

/// So many zeros, if there is memory for them; pages that nobody writes to are none of the machine's.
fn zeros(count: usize) -> Served<Vec<u128>> {
    let layout = Layout::array::<u128>(count)?;
    if layout.size() == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the size is not zero
    let memory: *mut u128 = unsafe { alloc_zeroed(layout) }.cast();
    if memory.is_null() {
        return fault(format!("could not allocate {} bytes for a scene", layout.size()));
    }
    // SAFETY: the memory was allocated for so many numbers, and they are zero
    Ok(unsafe { Vec::from_raw_parts(memory, count, count) })
}

impl ScenePtr<'_> {
    /// The pointer itself.
    pub fn pointer(self) -> *mut SceneRecord {
        self.0
    }
}

impl Inner {
    /// The geoms that a program says are there, as far as there is room for them.
    fn take_geoms(&mut self, record: &SceneRecord) {
        let count = count(record.ngeom).min(self.order.len());
        // SAFETY: the list of geoms is the one behind the head, which has room for so many
        let geoms = unsafe { std::slice::from_raw_parts(record.geoms, count) };
        self.scene.geoms.clear();
        self.scene.geoms.extend(geoms.iter().map(kinetree_render::scene::MjvGeom::from));
    }
}

impl<'a> ScenePtr<'a> {
    fn record(self) -> Served<&'a mut SceneRecord> {
        // SAFETY: the pointer is null or leads to a struct that was initialized
        match unsafe { self.0.as_mut() } {
            Some(record) => Ok(record),
            None => fault("mjvScene is NULL"),
        }
    }

    fn inner(self) -> Served<Option<&'a mut Inner>> {
        let geoms = self.record()?.geoms;
        if geoms.is_null() {
            return Ok(None);
        }
        // SAFETY: a list of geoms that is not null was made by `make`
        unsafe {
            let head = geoms.cast::<Head>().sub(1);
            if (*head).mark != MARK {
                return fault("mjvScene was not made by this library");
            }
            Ok((*head).inner.as_mut())
        }
    }

    /// Initializes the struct, which may be any memory.
    pub fn begin(self) -> Served {
        if self.0.is_null() {
            return fault("mjvScene is NULL");
        }
        // SAFETY: all fields may be zero
        let record = unsafe {
            self.0.write_bytes(0, 1);
            &mut *self.0
        };
        let mut scene = MjvScene::default();
        record.show(&mut scene);
        // lists come with `mjv_makeScene`
        record.forget_lists();
        Ok(())
    }

    /// Makes the lists.
    pub fn make(self, model: &Model, maxgeom: usize) -> Served {
        self.end()?;
        let mut scene = MjvScene::default();
        let bytes = size_of::<Head>() + maxgeom * size_of::<GeomRecord>();
        let mut memory = zeros(bytes.div_ceil(16))?;
        let mut order = Vec::new();
        order.try_reserve_exact(maxgeom)?;
        order.resize(maxgeom, 0);
        mjv_make_scene(model, &mut scene, maxgeom);
        let start = memory.as_mut_ptr();
        let inner = Box::into_raw(Box::new(Inner { scene, order, _memory: memory }));
        // SAFETY: the memory has room for the head, and the geoms follow it
        unsafe {
            start.cast::<Head>().write(Head { mark: MARK, inner });
            let record = self.record()?;
            record.geoms = start.cast::<Head>().add(1).cast();
            (record.maxgeom, record.ngeom) = (maxgeom as i32, 0);
            record.geomorder = (*inner).order.as_mut_ptr();
            record.show(&mut (*inner).scene);
        }
        Ok(())
    }

    /// Gives the lists back.
    pub fn end(self) -> Served {
        if let Some(inner) = self.inner()? {
            let record = self.record()?;
            record.forget_lists();
            (record.maxgeom, record.ngeom) = (0, 0);
            // SAFETY: the box was made by `make`, and nothing leads to it any more
            drop(unsafe { Box::from_raw(std::ptr::from_mut(inner)) });
        }
        Ok(())
    }

    /// Changes the scene; with `keep` the geoms that are there count.
    pub fn update<R>(self, keep: bool, change: impl FnOnce(&mut MjvScene) -> Served<R>) -> Served<R> {
        let record = self.record()?;
        let Some(inner) = self.inner()? else { return fault("call mjv_makeScene first") };
        record.take(&mut inner.scene);
        if keep {
            inner.take_geoms(record);
        } else {
            inner.scene.geoms.clear();
        }
        let result = change(&mut inner.scene);
        record.show(&mut inner.scene);
        let count = inner.scene.geoms.len().min(count(record.maxgeom)).min(inner.order.len());
        // SAFETY: so many geoms are there
        let geoms = unsafe { std::slice::from_raw_parts_mut(record.geoms, count) };
        geoms.iter_mut().zip(&inner.scene.geoms).for_each(|(to, from)| *to = from.into());
        record.ngeom = count as i32;
        let order = inner.scene.geomorder.iter().copied();
        inner.order.iter_mut().zip(order).for_each(|(to, from)| *to = from);
        result
    }

    /// Reads the scene, also one without lists.
    pub fn read<R>(self, f: impl FnOnce(&MjvScene) -> Served<R>) -> Served<R> {
        let record = self.record()?;
        match self.inner()? {
            Some(inner) => {
                record.take(&mut inner.scene);
                inner.take_geoms(record);
                f(&inner.scene)
            }
            None => {
                let mut scene = MjvScene::default();
                record.take(&mut scene);
                f(&scene)
            }
        }
    }

    /// Changes the numbers of a scene, also of one without lists.
    pub fn edit<R>(self, f: impl FnOnce(&mut MjvScene) -> Served<R>) -> Served<R> {
        if self.inner()?.is_some() {
            return self.update(true, f);
        }
        let record = self.record()?;
        let mut scene = MjvScene::default();
        record.take(&mut scene);
        let result = f(&mut scene);
        (record.translate, record.rotate, record.scale) = (scene.translate, scene.rotate, scene.scale);
        result
    }
}
