//! The engine for JavaScript.
//!
//! This crate is the lower half of the npm package `kinetree`: classes that own a model or a world, and
//! functions that work on them. The upper half, written in JavaScript, gives them MuJoCo's shape: a typed
//! array for each field, methods, exceptions with diagnostics.
//!
//! JavaScript sees the memory of arrays whose size is fixed: they keep their place as long as their owner
//! lives, and a view of one keeps its owner alive. Arrays whose size changes are copied. What a program may
//! have written to integers is checked before the engine follows them, as everywhere.

pub mod chain;
pub mod data;
mod errors;
mod fields;
pub mod files;
pub mod functions;
#[cfg(all(feature = "gpu", target_arch = "wasm32"))]
pub mod gpu;
pub mod model;
pub mod rollout;
pub mod solver;
#[cfg(all(feature = "viewer", target_arch = "wasm32"))]
pub mod viewer;
pub mod whole_body;

use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// What the last panic said.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Notes what panics say: the engine is not meant to panic, and a trap alone tells nothing.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| PANIC.with_borrow_mut(|text| *text = info.to_string())));
}

/// What the last panic said, once.
#[wasm_bindgen(js_name = takePanic)]
#[must_use]
pub fn take_panic() -> String {
    PANIC.take()
}
