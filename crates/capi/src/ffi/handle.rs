//! Handles: what lies behind the `mjModel` and `mjData` that C programs hold.
//!
//! A handle is one block of memory that begins with the struct of the header and owns our `Model` or `Data`,
//! whose arrays do not move; the struct's pointers lead into them. Its `buffer` leads back to the block: that
//! tells our structs from others, and a copy of a struct leads to the handle it was copied from.
//!
//! Numbers that lie in the struct itself (options, counts, flags, time, statistics) are taken over when a
//! call begins and shown when it ends. What the header promises is the precondition of every function: a
//! pointer is null or leads to a live struct, and a data is used by one thread at a time.

#![allow(unsafe_code)]

use super::calls::{Call, Entered, call_with, forget_calls};
use super::errors;
use super::fault::{Failed, Served, fault};
use crate::layout::data::MjData;
use crate::layout::model::MjModel;
use kinetree_model::{Data, Model};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

/// Tells our handles from other memory.
const MODEL_MARK: u64 = 0x6b74_6d6f_6465_6c31;
const DATA_MARK: u64 = 0x6b74_6461_7461_2d31;

#[repr(C)]
struct ModelHandle {
    c: MjModel,
    mark: u64,
    model: *mut Model,
    owned: bool,
    /// memory of a program that the struct was put into, to be given back with the model
    outer: *mut MjModel,
}

/// Models that programs own and that are there, each with a number that no other one ever has.
static LIVE: Mutex<(u64, Vec<(usize, u64)>)> = Mutex::new((0, Vec::new()));

/// A model that a program owned at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned(usize, u64);

#[repr(C)]
struct DataHandle {
    c: MjData,
    mark: u64,
    /// the data, or the reference to it that a call lends to a callback
    data: *mut Data,
    owned: bool,
}

/// An argument `mjModel*`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct ModelPtr<'a>(*mut MjModel, PhantomData<&'a Model>);

/// An argument `mjData*`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct DataPtr<'a>(*mut MjData, PhantomData<&'a Data>);

impl Failed for ModelPtr<'_> {
    fn failed() -> Self {
        Self(std::ptr::null_mut(), PhantomData)
    }
}

impl Failed for DataPtr<'_> {
    fn failed() -> Self {
        Self(std::ptr::null_mut(), PhantomData)
    }
}

impl<'a> ModelPtr<'a> {
    /// No pointer.
    pub fn none() -> Self {
        Self(std::ptr::null_mut(), PhantomData)
    }

    /// The same pointer, as it is returned.
    pub fn again(self) -> ModelPtr<'static> {
        ModelPtr(self.0, PhantomData)
    }

    /// Hands a model over to the program.
    pub fn make(model: Model) -> Self {
        let model = Box::into_raw(Box::new(model));
        // SAFETY: the box was made here
        unsafe { Self::around(model, true) }
    }

    /// A handle around a model.
    ///
    /// # Safety
    /// The model lives as long as the handle, and belongs to it if it is owned.
    unsafe fn around(model: *mut Model, owned: bool) -> Self {
        // SAFETY: by the contract
        let c = MjModel::of(unsafe { &mut *model });
        let outer = std::ptr::null_mut();
        let handle = Box::into_raw(Box::new(ModelHandle { c, mark: MODEL_MARK, model, owned, outer }));
        if owned {
            let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
            live.0 += 1;
            let number = live.0;
            live.1.push((handle as usize, number));
        }
        // SAFETY: the handle was made here
        unsafe { (*handle).c.buffer = handle.cast() };
        Self(handle.cast(), PhantomData)
    }

    /// What tells this model from all others, those that are gone too.
    pub fn owned(self) -> Option<Owned> {
        let handle = self.handle().ok()? as usize;
        let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        live.1.iter().find(|(known, _)| *known == handle).map(|&(at, number)| Owned(at, number))
    }

    /// The model that this was, if it is still there.
    pub fn still(Owned(at, number): Owned) -> Option<&'static Model> {
        let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        let there = live.1.contains(&(at, number));
        // SAFETY: the handle is live; the program does not delete the model while it is used
        there.then(|| unsafe { &*(*(at as *const ModelHandle)).model })
    }

    /// Whether this is memory for a struct that no model is in yet.
    pub fn is_empty_struct(self) -> bool {
        // SAFETY: the header says that the pointer leads to such a struct
        !self.0.is_null() && unsafe { (*self.0).buffer.is_null() }
    }

    /// Deletes the model, or gives back memory for one that a program has taken by `mju_malloc`.
    ///
    /// # Errors
    /// As for [`ModelPtr::delete`].
    pub fn discard(self) -> Served {
        if !self.is_empty_struct() {
            return self.delete();
        }
        // the header says that a model without a buffer is such memory
        errors::release(self.0.cast());
        Ok(())
    }

    /// Puts a model into memory for a struct that the program has taken by `mju_malloc`.
    pub fn fill(self, model: Model) {
        let made = Self::make(model);
        // SAFETY: the memory has room for the struct; the handle was made here
        unsafe {
            self.0.write(std::ptr::read(made.0));
            (*made.0.cast::<ModelHandle>()).outer = self.0;
        }
    }

    /// Whether there is none.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The pointer itself.
    pub fn pointer(self) -> *mut MjModel {
        self.0
    }

    fn handle(self) -> Served<*mut ModelHandle> {
        if self.0.is_null() {
            return fault("mjModel is NULL");
        }
        // SAFETY: the pointer leads to a live `mjModel`, whose buffer is null or leads to a live handle
        unsafe {
            let handle: *mut ModelHandle = (*self.0).buffer.cast();
            let known = !handle.is_null()
                && handle.is_aligned()
                && (*handle).c.buffer == handle.cast::<c_void>()
                && (*handle).mark == MODEL_MARK;
            if known { Ok(handle) } else { fault("mjModel was not made by this library") }
        }
    }

    /// The model, with what the program has written to its options.
    pub fn get(self) -> Served<&'a Model> {
        let handle = self.handle()?;
        // SAFETY: the handle is live; options are only written where they differ, so that threads may share
        // a model that nobody changes
        unsafe {
            let model = (*handle).model;
            self.take_options(&mut *model);
            Ok(&*model)
        }
    }

    /// Whether no program has written to the sizes.
    pub fn shows_sizes(self) -> Served<bool> {
        let handle = self.handle()?;
        // SAFETY: the handle is live, and the pointer leads to a live struct
        Ok(unsafe { (*self.0).shows_sizes(&*(*handle).model) })
    }

    fn take_options(self, model: &mut Model) {
        // SAFETY: the pointer leads to a live struct
        let c = unsafe { &*self.0 };
        if c.opt != model.opt {
            model.opt = c.opt.clone();
        }
        if c.vis != model.vis {
            model.vis = c.vis.clone();
        }
        if c.stat != model.stat {
            model.stat = c.stat.clone();
        }
    }

    /// Changes the model.
    pub fn edit<R>(self, change: impl FnOnce(&mut Model) -> R) -> Served<R> {
        let handle = self.handle()?;
        // SAFETY: the handle is live, and the program changes a model that nobody else uses now
        unsafe {
            let model = &mut *(*handle).model;
            self.take_options(model);
            let result = change(model);
            for c in [self.0, std::ptr::addr_of_mut!((*handle).c)] {
                (*c).opt = model.opt.clone();
                (*c).vis = model.vis.clone();
                (*c).stat = model.stat.clone();
                (*c).refresh_sizes(model);
            }
            Ok(result)
        }
    }

    /// Puts another model into the place of this one; its arrays are elsewhere.
    pub fn replace(self, model: Model) -> Served {
        let handle = self.handle()?;
        // SAFETY: the handle is live and owns its model
        unsafe {
            let old = std::mem::replace(&mut (*handle).model, Box::into_raw(Box::new(model)));
            let mut c = MjModel::of(&mut *(*handle).model);
            c.buffer = handle.cast();
            (*handle).c = c;
            // a struct of the program's own leads to the same arrays
            if self.0 != handle.cast() {
                std::ptr::copy(handle.cast::<MjModel>(), self.0, 1);
            }
            drop(Box::from_raw(old));
        }
        Ok(())
    }

    /// Gives the model back.
    pub fn delete(self) -> Served {
        if self.0.is_null() {
            return Ok(());
        }
        let handle = self.handle()?;
        // SAFETY: the handle is live; a second deletion finds no buffer as long as the memory is not reused
        unsafe {
            (*handle).c.buffer = std::ptr::null_mut();
            (*handle).mark = 0;
            let at = handle as usize;
            let handle = Box::from_raw(handle);
            forget_calls(|call| call.model == handle.model && handle.owned);
            if handle.owned {
                LIVE.lock().unwrap_or_else(PoisonError::into_inner).1.retain(|(known, _)| *known != at);
                drop(Box::from_raw(handle.model));
            }
            if !handle.outer.is_null() && handle.outer == self.0 {
                errors::release(handle.outer.cast());
            }
        }
        Ok(())
    }
}

/// Makes room for as many contacts as an arena would hold, so that their list, which programs may remember,
/// does not move when it grows. Memory that is not written to is none of the machine's.
fn reserve_contacts(model: &Model, data: &mut Data) {
    let room = model.narena / size_of::<kinetree_model::Contact>();
    let _ = data.contact.try_reserve_exact(room.saturating_sub(data.contact.len()));
}

/// Memory for the stack of a data.
fn arena_of(model: &Model) -> Served<*mut c_void> {
    let arena: *mut c_void = errors::raw_allocate(model.narena).cast();
    if arena.is_null() { fault("mj_makeData: could not allocate memory for the arena") } else { Ok(arena) }
}

/// Shows a data when a change of it ends, also by a panic: its arrays may be elsewhere.
struct Shown(*mut MjData, *mut Data);

impl Drop for Shown {
    fn drop(&mut self) {
        // SAFETY: the data is not deleted while it is changed
        unsafe { (*self.0).show(&mut *self.1) };
    }
}

impl<'a> DataPtr<'a> {
    /// No pointer.
    pub fn none() -> Self {
        Self(std::ptr::null_mut(), PhantomData)
    }

    /// The same pointer, as it is returned.
    pub fn again(self) -> DataPtr<'static> {
        DataPtr(self.0, PhantomData)
    }

    /// Hands a data over to the program.
    ///
    /// # Errors
    /// When there is no memory for its arena.
    pub fn make(model: &Model, data: Data) -> Served<Self> {
        let arena = arena_of(model)?;
        let data = Box::into_raw(Box::new(data));
        // SAFETY: the box was made here
        Ok(unsafe { Self::around(model, data, true, arena) })
    }

    /// A handle around a data.
    ///
    /// # Safety
    /// The data lives as long as the handle, and belongs to it if it is owned.
    unsafe fn around(model: &Model, data: *mut Data, owned: bool, arena: *mut c_void) -> Self {
        // SAFETY: all fields of the struct may be zero
        let mut handle: Box<DataHandle> = unsafe { Box::new_zeroed().assume_init() };
        (handle.mark, handle.data, handle.owned) = (DATA_MARK, data, owned);
        // SAFETY: by the contract
        let data = unsafe { &mut *data };
        reserve_contacts(model, data);
        handle.c.set_sizes(model);
        handle.c.point_fixed(data);
        handle.c.show(data);
        handle.c.arena = arena;
        if arena.is_null() {
            handle.c.narena = 0;
        }
        let handle = Box::into_raw(handle);
        // SAFETY: the handle was made here
        unsafe { (*handle).c.buffer = handle.cast() };
        Self(handle.cast(), PhantomData)
    }

    /// Whether there is none.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The pointer itself.
    pub fn pointer(self) -> *mut MjData {
        self.0
    }

    fn handle(self) -> Served<*mut DataHandle> {
        if self.0.is_null() {
            return fault("mjData is NULL");
        }
        // SAFETY: the pointer leads to a live `mjData`, whose buffer is null or leads to a live handle
        unsafe {
            let handle: *mut DataHandle = (*self.0).buffer.cast();
            let known = !handle.is_null()
                && handle.is_aligned()
                && (*handle).c.buffer == handle.cast::<c_void>()
                && (*handle).mark == DATA_MARK;
            if known { Ok(handle) } else { fault("mjData was not made by this library") }
        }
    }

    /// The struct itself, for what only C programs know: stack and arena.
    pub fn raw(self) -> Served<&'a mut MjData> {
        self.handle()?;
        // SAFETY: the struct is live, and the program uses it in one thread
        Ok(unsafe { &mut *self.0 })
    }

    /// The data, with what the program has written.
    pub fn read(self) -> Served<&'a Data> {
        let handle = self.handle()?;
        // SAFETY: the handle is live, and the program uses it in one thread
        unsafe {
            let data = &mut *(*handle).data;
            (*self.0).take(data);
            Ok(data)
        }
    }

    /// Changes the data.
    pub fn write<R>(self, change: impl FnOnce(&mut Data) -> R) -> Served<R> {
        let handle = self.handle()?;
        // SAFETY: the handle is live, and the program uses it in one thread
        unsafe {
            let data = (*handle).data;
            (*self.0).take(&mut *data);
            let shown = Shown(self.0, data);
            let result = change(&mut *data);
            drop(shown);
            Ok(result)
        }
    }

    /// Forgets what the program says about contacts and constraint rows: an evaluation counts them anew.
    pub fn forget_counts(self) -> Served {
        let handle = self.handle()?;
        // SAFETY: the handle is live, and the program uses it in one thread
        unsafe { (*self.0).show_counts(&*(*handle).data) };
        Ok(())
    }

    /// Gives back what plugins remember for the data, with the struct that they know.
    fn release_plugins(self) -> Served {
        let handle = self.handle()?;
        // SAFETY: the handle is live and owns its data
        unsafe {
            if !(*handle).owned {
                return Ok(());
            }
            let data = (*handle).data;
            (*self.0).take(&mut *data);
            let _entered = Entered::without_model(self, data);
            (*data).release_direct_instances();
        }
        Ok(())
    }

    /// Puts another data into the place of this one; its arrays are elsewhere.
    pub fn replace(self, model: &Model, data: Data) -> Served {
        self.release_plugins()?;
        let handle = self.handle()?;
        let arena = arena_of(model)?;
        // SAFETY: the handle is live and owns its data
        unsafe {
            let old = std::mem::replace(&mut (*handle).data, Box::into_raw(Box::new(data)));
            drop(Box::from_raw(old));
            let data = &mut *(*handle).data;
            reserve_contacts(model, data);
            (*handle).c.point_fixed(data);
            (*handle).c.set_sizes(model);
            (*handle).c.show(data);
            errors::raw_free(std::mem::replace(&mut (*handle).c.arena, arena).cast());
            ((*handle).c.pstack, (*handle).c.pbase) = (0, 0);
            if self.0 != handle.cast() {
                std::ptr::copy(handle.cast::<MjData>(), self.0, 1);
            }
        }
        Ok(())
    }

    /// Gives the data back.
    pub fn delete(self) -> Served {
        if self.0.is_null() {
            return Ok(());
        }
        self.release_plugins()?;
        let handle = self.handle()?;
        // SAFETY: the handle is live; a second deletion finds no buffer as long as the memory is not reused
        unsafe {
            (*handle).c.buffer = std::ptr::null_mut();
            (*handle).mark = 0;
            let handle = Box::from_raw(handle);
            forget_calls(|call| call.data == handle.data && handle.owned);
            errors::raw_free(handle.c.arena.cast());
            if handle.owned {
                drop(Box::from_raw(handle.data));
            }
        }
        Ok(())
    }
}

impl Entered {
    /// Puts a call on the list of those that are going on.
    ///
    /// # Errors
    /// When model or data are none.
    pub fn new(m: ModelPtr<'_>, d: DataPtr<'_>) -> Served<Self> {
        let (model, data) = (m.handle()?, d.handle()?);
        // SAFETY: the handles are live
        let (model, data) = unsafe { ((*model).model, (*data).data) };
        Ok(Self::enter(m.0, d.0, model, data))
    }

    /// Puts a call on the list that has no model.
    fn without_model(d: DataPtr<'_>, data: *mut Data) -> Self {
        Self::enter(std::ptr::null_mut(), d.0, std::ptr::null_mut(), data)
    }
}

/// Calls `f` with model and data, which callbacks may be called with.
pub fn run<R, E: Into<super::fault::Fault>>(
    m: ModelPtr<'_>,
    d: DataPtr<'_>,
    f: impl FnOnce(&Model, &mut Data) -> Result<R, E>,
) -> Served<R> {
    let model = m.get()?;
    let _entered = Entered::new(m, d)?;
    d.write(|data| f(model, data))?.map_err(Into::into)
}

/// Calls `f` with model and data, both of which it may change.
pub fn change<R, E: Into<super::fault::Fault>>(
    m: ModelPtr<'_>,
    d: DataPtr<'_>,
    f: impl FnOnce(&mut Model, &mut Data) -> Result<R, E>,
) -> Served<R> {
    let _entered = Entered::new(m, d)?;
    m.edit(|model| d.write(|data| f(model, data)))??.map_err(Into::into)
}

/// Calls `f` with the structs of a model and a data that the engine calls back with: those of the call that
/// is going on, or structs made for this.
pub fn lend<R>(model: &Model, data: *mut Data, f: impl FnOnce(*const MjModel, *mut MjData) -> R) -> R {
    let model_at = std::ptr::from_ref(model).cast_mut();
    // SAFETY: the engine lends a data that is there
    let found = call_with(data, |call| call.model == model_at).filter(|call| call.shows(unsafe { &*data }));
    // SAFETY: the engine waits for the callback; nobody else uses model and data meanwhile, and structs that
    // are made here are given back before it goes on
    unsafe {
        match found {
            Some(Call { m, d, .. }) => {
                (*d).show(&mut *data);
                let result = f(m, d);
                (*d).take(&mut *data);
                result
            }
            None => {
                let m = ModelPtr::around(model_at, false);
                // a stack without memory has no room for anything
                let arena = arena_of(model).unwrap_or(std::ptr::null_mut());
                let d = DataPtr::around(model, data, false, arena);
                let result = f(m.0, d.0);
                (*d.0).take(&mut *data);
                let _ = (m.delete(), d.delete());
                result
            }
        }
    }
}

/// Calls `f` with the struct of a model that the engine calls back with.
pub fn lend_model<R>(model: &Model, f: impl FnOnce(*const MjModel) -> R) -> R {
    // SAFETY: the struct is given back before the engine goes on
    let m = unsafe { ModelPtr::around(std::ptr::from_ref(model).cast_mut(), false) };
    let result = f(m.0);
    let _ = m.delete();
    result
}

/// Calls `f` with the struct of a data that the engine gives back: that of the call that is going on, or one
/// made for this.
pub fn lend_data<R>(data: &mut Data, f: impl FnOnce(*mut MjData) -> R) -> R {
    let at = std::ptr::from_mut(data);
    if let Some(Call { d, .. }) = call_with(at, |_| true).filter(|call| call.shows(data)) {
        // SAFETY: as for calls with a model
        unsafe {
            (*d).show(data);
            let result = f(d);
            (*d).take(data);
            return result;
        }
    }
    // SAFETY: all fields of the struct may be zero
    let mut handle: Box<DataHandle> = unsafe { Box::new_zeroed().assume_init() };
    (handle.mark, handle.data) = (DATA_MARK, at);
    (handle.c.nplugin, handle.c.signature) = (data.plugin.len() as i32, data.signature());
    handle.c.point_fixed(data);
    handle.c.show(data);
    let handle = Box::into_raw(handle);
    // SAFETY: the handle was made here, and is given back before the engine goes on
    unsafe {
        (*handle).c.buffer = handle.cast();
        let result = f(handle.cast());
        drop(Box::from_raw(handle));
        result
    }
}
