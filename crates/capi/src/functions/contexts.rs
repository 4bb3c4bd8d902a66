//! Rendering contexts of programs: each `mjrContext` has the number of one of ours.

use crate::ffi::fault::{Fault, Served, fault};
use crate::ffi::words::Place;
use crate::layout::context::ContextRecord;
use kinetree_model::Model;
use kinetree_render::canvas::CanvasFont;
use kinetree_render::gpu::MjrContext;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

type Shared = Mutex<MjrContext>;

/// The contexts that there are, by numbers that no other one ever has.
static CONTEXTS: Mutex<(u32, BTreeMap<u32, Arc<Shared>>)> = Mutex::new((0, BTreeMap::new()));

thread_local! {
    /// What this thread has drawn to last: that is where rectangles go.
    static CURRENT: RefCell<Weak<Shared>> = const { RefCell::new(Weak::new()) };
}

/// An argument `mjrContext*`.
pub type ContextPtr<'a> = Place<'a, ContextRecord>;

/// Size of the offscreen buffer of a context without a model.
const NO_MODEL: [i32; 2] = [800, 600];
/// `GL_RGB`.
pub const RGB: i32 = 0x1907;

/// Takes the context of a struct off the list.
pub fn forget(record: &ContextRecord) {
    let mut contexts = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let gone = contexts.1.remove(&record.offFBO);
    drop(contexts);
    drop(gone);
}

/// Makes a context and shows it in a struct of zeros.
pub fn make(model: Option<&Model>, record: &mut ContextRecord, fontscale: i32) -> Served {
    let size = model.map_or(NO_MODEL, |m| [m.vis.global.offwidth, m.vis.global.offheight]);
    let context = MjrContext::new(model, size, fontscale)?;
    show_font(record, context.font());
    let context = Arc::new(Mutex::new(context));
    CURRENT.set(Arc::downgrade(&context));
    let mut contexts = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(number) = contexts.0.checked_add(1) else { return fault("there were too many contexts") };
    contexts.0 = number;
    contexts.1.insert(number, context);
    drop(contexts);
    record.offFBO = number;
    [record.offWidth, record.offHeight] = size;
    if let Some(model) = model {
        let (visual, extent) = (&model.vis, model.stat.extent as f32);
        record.lineWidth = visual.global.linewidth;
        record.shadowClip = extent * visual.map.shadowclip;
        record.shadowScale = visual.map.shadowscale;
        (record.fogStart, record.fogEnd) = (extent * visual.map.fogstart, extent * visual.map.fogend);
        record.fogRGBA = visual.rgba.fog;
        record.shadowSize = visual.quality.shadowsize;
        record.offSamples = visual.quality.offsamples;
    }
    (record.glInitialized, record.currentBuffer, record.readPixelFormat) = (1, 1, RGB);
    Ok(())
}

/// Shows the size of letters.
pub fn show_font(record: &mut ContextRecord, font: CanvasFont) {
    let [width, height] = font.size();
    record.fontScale = font.scale();
    (record.charWidth, record.charWidthBig) = ([width; 127], [2 * width; 127]);
    (record.charHeight, record.charHeightBig) = (height, 2 * height);
}

fn locked<R>(context: &Shared, f: impl FnOnce(&mut MjrContext) -> Served<R>) -> Served<R> {
    f(&mut context.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Draws to the context of a struct.
pub fn with<R>(record: &ContextRecord, f: impl FnOnce(&mut MjrContext) -> Served<R>) -> Served<R> {
    let contexts = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = contexts.1.get(&record.offFBO).cloned();
    drop(contexts);
    let Some(context) = found else {
        return fault("this mjrContext was not made, or freed: call mjr_makeContext");
    };
    CURRENT.set(Arc::downgrade(&context));
    locked(&context, f)
}

/// Draws to the context that this thread has used last.
pub fn with_current<R>(f: impl FnOnce(&mut MjrContext) -> Served<R>) -> Served<R> {
    let current = CURRENT.with_borrow(Weak::upgrade);
    let none = || Fault("there is no rendering context: call mjr_makeContext in this thread".into());
    let current = current.ok_or_else(none)?;
    locked(&current, f)
}
