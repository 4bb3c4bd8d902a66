//! The calls of a thread that are going on and may call the program back: callbacks and plugins get the
//! structs that the program has given to the call.
//!
//! A callback may leave a call by `longjmp`; what was left stays on the list until the next call finds that
//! it lies below it on the stack.

#![allow(unsafe_code)]

use crate::layout::data::MjData;
use crate::layout::model::MjModel;
use kinetree_model::{Data, Model};
use std::cell::RefCell;

/// A call: the structs that it was given, and what belongs to their handles.
#[derive(Clone, Copy)]
pub struct Call {
    /// Struct of the model; null in a call without a model.
    pub m: *mut MjModel,
    /// Struct of the data.
    pub d: *mut MjData,
    /// The model of that struct.
    pub model: *mut Model,
    /// The data of that struct.
    pub data: *mut Data,
    /// Where the stack was.
    stack: usize,
}

impl Call {
    /// Whether the struct shows the arrays of the data: that of a call that was left may show others, which
    /// were where this data is.
    pub fn shows(&self, data: &Data) -> bool {
        // SAFETY: the struct of a call is there as long as the call is on the list
        unsafe { (*self.d).xpos }.addr() == data.xpos.as_ptr().addr()
    }
}

thread_local! {
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// Takes calls off the list when one ends, with those inside it that were left.
pub struct Entered(usize);

impl Entered {
    /// Puts a call on the list.
    #[inline(never)]
    pub fn enter(m: *mut MjModel, d: *mut MjData, model: *mut Model, data: *mut Data) -> Self {
        let here = 0_u8;
        let stack = std::hint::black_box(std::ptr::from_ref(&here)).addr();
        CALLS.with_borrow_mut(|calls| {
            // stacks grow downwards
            while calls.last().is_some_and(|last| last.stack <= stack) {
                calls.pop();
            }
            let before = calls.len();
            calls.push(Call { m, d, model, data, stack });
            Self(before)
        })
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CALLS.with_borrow_mut(|calls| calls.truncate(self.0));
    }
}

/// Forgets calls that were left.
pub fn forget_calls(of: impl Fn(&Call) -> bool) {
    // the list is gone when the thread ends
    let _ = CALLS.try_with(|calls| calls.borrow_mut().retain(|call| !of(call)));
}

/// The last call of this thread with a data.
pub fn call_with(data: *mut Data, fits: impl Fn(&Call) -> bool) -> Option<Call> {
    // there is none when the thread ends
    let find = |calls: &RefCell<Vec<Call>>| {
        calls.borrow().iter().rev().find(|call| call.data == data && fits(call)).copied()
    };
    CALLS.try_with(find).ok().flatten()
}
