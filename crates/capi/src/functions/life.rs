//! Models and data: made, copied, deleted, saved and read; the stack of a data.

use crate::export;
use crate::ffi::callbacks;
use crate::ffi::calls::Entered;
use crate::ffi::errors::{allocate, release};
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr, run};
use crate::ffi::pointer::{In, Out, Text, count};
use crate::functions::vfs::{VfsPtr, files};
use crate::layout::data::MjData;
use crate::layout::options::MjLrOpt;
use kinetree_model::{Data, FieldSlice, FieldSliceMut, Model, Opt, Visual};
use kinetree_sim::LengthRangeOptions;
use std::ffi::c_void;

/// Hands a compiled model over to the program.
pub fn give(mut model: Model) -> ModelPtr<'static> {
    model.callbacks = callbacks::hooks(&model);
    kinetree_sim::install_pipeline(&mut model);
    ModelPtr::make(model)
}

/// A model from the image of a binary file.
fn read_image(bytes: &[u8]) -> Served<ModelPtr<'static>> {
    Ok(give(kinetree_spec::load_binary_with(bytes, &crate::functions::plugins::registry())?))
}

/// Arrays that pictures do not need again once they are made: what `mjv_copyModel` leaves as it is.
const UNSEEN: &[&str] = &[
    "geom_fluid",
    "mesh_vert",
    "mesh_normal",
    "mesh_texcoord",
    "mesh_face",
    "mesh_facenormal",
    "mesh_facetexcoord",
    "mesh_graph",
    "mesh_polynum",
    "mesh_polyadr",
    "mesh_polynormal",
    "mesh_polyvertadr",
    "mesh_polyvertnum",
    "mesh_polyvert",
    "mesh_polymapadr",
    "mesh_polymapnum",
    "mesh_polymap",
    "hfield_data",
    "tex_data",
];

/// Copies a model into the arrays of another one of the same sizes, but for some.
fn copy_model(dest: &mut Model, src: &Model, but: &[&str]) -> Served {
    if dest.sizes() != src.sizes() {
        return fault("dest and src models have different sizes");
    }
    (dest.opt, dest.vis, dest.stat) = (src.opt.clone(), src.vis.clone(), src.stat.clone());
    dest.modelname.clone_from(&src.modelname);
    dest.plugins = src.plugins.clone();
    dest.callbacks = src.callbacks.clone();
    for (to, from) in dest.fields_mut().into_iter().zip(src.fields()) {
        if but.contains(&from.name) {
            continue;
        }
        match (to.data, from.data) {
            (FieldSliceMut::F64(to), FieldSlice::F64(from)) => to.copy_from_slice(from),
            (FieldSliceMut::F32(to), FieldSlice::F32(from)) => to.copy_from_slice(from),
            (FieldSliceMut::I32(to), FieldSlice::I32(from)) => to.copy_from_slice(from),
            (FieldSliceMut::I64(to), FieldSlice::I64(from)) => to.copy_from_slice(from),
            (FieldSliceMut::U64(to), FieldSlice::U64(from)) => to.copy_from_slice(from),
            (FieldSliceMut::U8(to), FieldSlice::U8(from)) => to.copy_from_slice(from),
            _ => return fault("dest and src models have different fields"),
        }
    }
    Ok(())
}

/// A data in the initial state.
fn new_data(m: ModelPtr<'_>) -> Served<DataPtr<'static>> {
    let model = m.get()?;
    let d = DataPtr::make(model, Data::allocate(model))?;
    // plugins are made in the struct that the program gets; a data whose plugins cannot be made is none
    let fault = run(m, d, |model, data| -> Served<_> {
        kinetree_model::mj_reset_data(model, data)?;
        kinetree_sim::report_reset(model, data)?;
        Ok(kinetree_sim::initial_sleep_fault(model, data).ok().flatten())
    });
    let fault = fault.or_else(|fault| d.delete().and(Err(fault)))?;
    if let Some(fault) = fault {
        crate::ffi::errors::warn_text(&fault.to_string());
    }
    Ok(d)
}

/// Held while memory is taken from an arena.
static ARENAS: std::sync::Mutex<()> = std::sync::Mutex::new(());

export! {
    fn mj_copyModel(dest: ModelPtr<'_>, src: ModelPtr<'_>) -> ModelPtr<'static> {
        let from = src.get()?;
        if dest.is_null() {
            return Ok(ModelPtr::make(from.clone()));
        }
        if dest.pointer() != src.pointer() {
            dest.edit(|dest| copy_model(dest, from, &[]))??;
        }
        Ok(dest.again())
    }
    fn mj_deleteModel(m: ModelPtr<'_>) { m.delete() }
    fn mj_sizeModel(m: ModelPtr<'_>) -> i64 { Ok(m.get()?.image_len() as i64) }
    fn mj_saveModel(m: ModelPtr<'_>, filename: Text<'_>, buffer: Out<'_, u8>, buffer_sz: i32) {
        let bytes = m.get()?.to_bytes();
        if !buffer.is_null() {
            if bytes.len() > count(buffer_sz) {
                return fault("buffer too small");
            }
            return buffer.write(&bytes);
        }
        let name = filename.get()?;
        std::fs::write(&*name, &bytes).or_else(|error| {
            crate::ffi::errors::warn_text(&format!("Could not open file '{name}': {error}"));
            Ok(())
        })
    }
    fn mj_loadModel(filename: Text<'_>, vfs: VfsPtr<'_>) -> ModelPtr<'static> {
        let name = filename.get()?;
        let read = files(vfs).and_then(|files| {
            let bytes = kinetree_spec::vfs::read(&name, Some(&files))?;
            read_image(&bytes)
        });
        read.or_else(|fault| {
            crate::ffi::errors::warn_text(&format!("mj_loadModel: '{name}': {}", fault.0));
            Ok(ModelPtr::none())
        })
    }
    fn mj_loadModelBuffer(buffer: In<'_, u8>, buffer_sz: i32) -> ModelPtr<'static> {
        read_image(buffer.list(count(buffer_sz))?).or_else(|fault| {
            crate::ffi::errors::warn_text(&format!("mj_loadModelBuffer: {}", fault.0));
            Ok(ModelPtr::none())
        })
    }
    fn mj_makeData(m: ModelPtr<'_>) -> DataPtr<'static> {
        if !m.shows_sizes()? {
            crate::ffi::errors::warn_text("mj_makeData: the sizes of the model were changed");
            return Ok(DataPtr::none());
        }
        new_data(m)
    }
    fn mj_copyData(dest: DataPtr<'_>, m: ModelPtr<'_>, src: DataPtr<'_>) -> DataPtr<'static> { copy_data(dest, m, src) }
    fn mjv_copyData(dest: DataPtr<'_>, m: ModelPtr<'_>, src: DataPtr<'_>) -> DataPtr<'static> { copy_data(dest, m, src) }
    fn mjv_copyModel(dest: ModelPtr<'_>, src: ModelPtr<'_>) {
        let copy = src.get()?.clone();
        dest.edit(|dest| copy_model(dest, &copy, UNSEEN))?
    }
    fn mj_deleteData(d: DataPtr<'_>) { d.delete() }
    fn mj_resetCallbacks() {
        callbacks::reset();
        Ok(())
    }
    fn mj_defaultOption(opt: Out<'_, OptionCopy>) { opt.set([OptionCopy::of(&Opt::default())]) }
    fn mj_defaultVisual(vis: Out<'_, VisualCopy>) { vis.set([VisualCopy::of(&Visual::default())]) }
    fn mj_defaultLROpt(opt: Out<'_, MjLrOpt>) { opt.set([MjLrOpt::of(&LengthRangeOptions::default())]) }
    fn mj_defaultSolRefImp(solref: Out<'_, f64>, solimp: Out<'_, f64>) {
        let defaults = Opt::default();
        solref.set_optional(defaults.o_solref);
        solimp.set_optional(defaults.o_solimp);
        Ok(())
    }
    fn mj_markStack(d: DataPtr<'_>) { d.raw()?.mark() }
    fn mj_freeStack(d: DataPtr<'_>) {
        d.raw()?.free();
        Ok(())
    }
    fn mj_arenaAllocByte(d: DataPtr<'_>, bytes: usize, alignment: usize) -> *mut c_void {
        // threads of a pool share the arena of their data
        let _one = ARENAS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        d.raw()?.take_arena(bytes, alignment)
    }
    fn mj_stackAllocByte(d: DataPtr<'_>, bytes: usize, alignment: usize) -> *mut c_void {
        d.raw()?.take_stack(bytes, alignment)
    }
    fn mj_stackAllocInfo(
        d: DataPtr<'_>, bytes: usize, alignment: usize, _caller: *const std::ffi::c_char, _line: i32,
    ) -> *mut c_void {
        d.raw()?.take_stack(bytes, alignment)
    }
    fn mj_stackAllocNum(d: DataPtr<'_>, size: usize) -> *mut f64 {
        Ok(d.raw()?.take_stack(size.saturating_mul(8), 8)?.cast())
    }
    fn mj_stackAllocInt(d: DataPtr<'_>, size: usize) -> *mut i32 {
        Ok(d.raw()?.take_stack(size.saturating_mul(4), 4)?.cast())
    }
    fn mju_malloc(size: usize) -> *mut c_void {
        let memory = allocate(size);
        if memory.is_null() { fault("could not allocate memory") } else { Ok(memory) }
    }
    fn mju_free(ptr: *mut c_void) {
        if !ptr.is_null() {
            release(ptr);
        }
        Ok(())
    }
}

/// An option struct as bytes that are copied.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct OptionCopy([u64; size_of::<Opt>() / 8]);

/// Visual settings as words that are copied.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct VisualCopy([u32; size_of::<Visual>() / 4]);

impl OptionCopy {
    fn of(options: &Opt) -> Self {
        Self(crate::ffi::words::words_of(options))
    }
}

impl VisualCopy {
    fn of(visual: &Visual) -> Self {
        Self(crate::ffi::words::words_of(visual))
    }
}

fn copy_data(dest: DataPtr<'_>, m: ModelPtr<'_>, src: DataPtr<'_>) -> Served<DataPtr<'static>> {
    let model = m.get()?;
    let from = src.read()?;
    from.check_sizes(model)?;
    if dest.pointer() == src.pointer() {
        return Ok(dest.again());
    }
    // plugins are called with the structs of both
    let _source = Entered::new(m, src)?;
    if !dest.is_null() {
        run(m, dest, |model, data| copy_values(model, data, from))?;
        dest.raw()?.forget_stack();
        return Ok(dest.again());
    }
    let copy = DataPtr::make(model, Data::allocate(model))?;
    let copied = run(m, copy, |model, data| -> Served {
        kinetree_sim::make_plugins(model, data)?;
        copy_values(model, data, from)
    });
    copied.or_else(|fault| copy.delete().and(Err(fault)))?;
    Ok(copy)
}

fn copy_values(model: &Model, data: &mut Data, from: &Data) -> Served {
    data.copy_from(from)?;
    if model.nplugin > 0 {
        kinetree_sim::copy_plugins(model, data, from)?;
    }
    Ok(())
}

/// What lies at the bottom of a part of the stack.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StackFrame {
    pub base: usize,
    pub top: usize,
}

impl MjData {
    /// Forgets all that lies on the stack.
    pub fn forget_stack(&mut self) {
        (self.pstack, self.pbase) = (0, 0);
    }

    /// Takes bytes off the stack, which grows from the end of the arena down.
    fn take_stack(&mut self, bytes: usize, alignment: usize) -> Served<*mut c_void> {
        if bytes == 0 {
            return Ok(std::ptr::null_mut());
        }
        if !alignment.is_power_of_two() {
            return fault("mj_stackAlloc: the alignment must be a power of two");
        }
        let arena = self.arena as usize;
        let size = self.narena.max(0) as usize;
        let top = arena + size - self.pstack.min(size);
        let place = top.saturating_sub(bytes) & !(alignment - 1);
        if place < arena + self.parena {
            return fault(format!(
                "mj_stackAlloc: out of memory, stack overflow\n  max = {size}, available = {}, requested = {bytes}\n nefc = {}, ncon = {}",
                top.saturating_sub(arena + self.parena),
                self.nefc,
                self.ncon
            ));
        }
        self.pstack = arena + size - place;
        self.maxuse_stack = self.maxuse_stack.max(self.pstack as i64);
        self.maxuse_arena = self.maxuse_arena.max((self.pstack + self.parena) as i64);
        Ok(self.arena.wrapping_byte_add(place - arena))
    }

    /// Takes bytes from the beginning of the arena, up to the stack; null where there is no room.
    fn take_arena(&mut self, bytes: usize, alignment: usize) -> Served<*mut c_void> {
        if alignment == 0 {
            return fault("mj_arenaAllocByte: the alignment must be positive");
        }
        let free = (self.narena.max(0) as usize).saturating_sub(self.pstack);
        let start = self.parena.checked_next_multiple_of(alignment);
        let end = start.and_then(|start| start.checked_add(bytes)).filter(|&end| end <= free);
        let (Some(start), Some(end)) = (start, end) else { return Ok(std::ptr::null_mut()) };
        self.parena = end;
        self.maxuse_arena = self.maxuse_arena.max((self.pstack + self.parena) as i64);
        Ok(self.arena.wrapping_byte_add(start))
    }

    /// Begins a part of the stack.
    fn mark(&mut self) -> Served {
        let old = StackFrame { base: self.pbase, top: self.pstack };
        let frame = self.take_stack(size_of::<StackFrame>(), align_of::<StackFrame>())?;
        crate::ffi::words::put(frame.cast(), old);
        self.pbase = frame as usize;
        Ok(())
    }

    /// Ends the part of the stack that was begun last.
    fn free(&mut self) {
        if self.pbase != 0 {
            let frame: StackFrame = crate::ffi::words::get(self.pbase as *const StackFrame);
            (self.pbase, self.pstack) = (frame.base, frame.top);
        }
    }
}
