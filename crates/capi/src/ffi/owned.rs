//! Structs of the header that hold nothing but a pointer to something of ours.

#![allow(unsafe_code)]

use super::fault::{Served, fault};
use std::marker::PhantomData;

/// A pointer to such a struct.
#[repr(transparent)]
pub struct Slot<'a, T>(*mut *mut T, PhantomData<&'a T>);

impl<T> Clone for Slot<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slot<'_, T> {}

impl<'a, T> Slot<'a, T> {
    /// The pointer itself.
    pub fn pointer(self) -> *const std::ffi::c_void {
        self.0.cast_const().cast()
    }

    /// What the struct holds, if there is one and it holds something.
    pub fn get(self) -> Option<&'a T> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: the header says that the struct was initialized: it holds null or what `begin` put there
        unsafe { (*self.0).as_ref() }
    }

    /// What the struct holds, to be changed.
    pub fn edit(self) -> Served<&'a mut T> {
        if self.0.is_null() {
            return fault("a pointer is NULL where the header does not allow it");
        }
        // SAFETY: as above; the program changes it in one thread
        match unsafe { (*self.0).as_mut() } {
            Some(value) => Ok(value),
            None => fault("the struct was not initialized"),
        }
    }

    /// Initializes the struct.
    pub fn begin(self, value: T) -> Served {
        if self.0.is_null() {
            return fault("a pointer is NULL where the header does not allow it");
        }
        // SAFETY: the struct has room for a pointer
        unsafe { self.0.write(Box::into_raw(Box::new(value))) };
        Ok(())
    }

    /// Gives back what the struct holds.
    pub fn end(self) {
        if self.0.is_null() {
            return;
        }
        // SAFETY: as above; afterwards the struct holds null
        unsafe {
            let value = std::mem::replace(&mut *self.0, std::ptr::null_mut());
            if !value.is_null() {
                drop(Box::from_raw(value));
            }
        }
    }
}
