//! Pointers that C programs pass as arguments.
//!
//! The header says what lies at a pointer: as many numbers as the other arguments tell, valid for the length
//! of the call. That is the precondition of every function of this library; here, and only here, it becomes
//! a slice or a text. A null pointer is an error.

#![allow(unsafe_code)]

use super::fault::{Served, fault};
use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

/// A pointer to values that a function reads.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct In<'a, T>(*const T, PhantomData<&'a T>);

/// A pointer to values that a function writes.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Out<'a, T>(*mut T, PhantomData<&'a T>);

/// A pointer to a text that ends with a zero.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Text<'a>(*const c_char, PhantomData<&'a c_char>);

const NULL: &str = "a pointer is NULL where the header does not allow it";

/// No list is longer than half of what can be addressed, and each value lies where its type may.
fn check_list<T>(first: *const T, count: usize) -> Served {
    if !first.is_aligned() {
        return fault(format!("a pointer is not a multiple of {} bytes", align_of::<T>()));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return fault(format!("{count} values are more than the memory holds"));
    }
    Ok(())
}

impl<'a, T: Copy> In<'a, T> {
    /// Whether there is nothing.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The first values.
    pub fn list(self, count: usize) -> Served<&'a [T]> {
        if count == 0 {
            return Ok(&[]);
        }
        if self.0.is_null() {
            return fault(NULL);
        }
        check_list(self.0, count)?;
        // SAFETY: the header says that so many values lie here
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }

    /// The first values, unless the pointer is null.
    pub fn optional(self, count: usize) -> Served<Option<&'a [T]>> {
        if self.0.is_null() { Ok(None) } else { self.list(count).map(Some) }
    }

    /// The first values, copied: they may overlap with others.
    pub fn array<const N: usize>(self) -> Served<[T; N]> {
        if self.0.is_null() {
            return fault(NULL);
        }
        // SAFETY: the header says that so many values lie here
        Ok(unsafe { self.0.cast::<[T; N]>().read_unaligned() })
    }

    /// The first values, copied, unless the pointer is null.
    pub fn optional_array<const N: usize>(self) -> Served<Option<[T; N]>> {
        if self.0.is_null() { Ok(None) } else { self.array().map(Some) }
    }

    /// The value at a place; places are not checked.
    pub fn at(self, place: usize) -> T {
        // SAFETY: callers ask for places that the header says are there
        unsafe { self.0.add(place).read_unaligned() }
    }

    /// The pointer itself.
    pub fn pointer(self) -> *const T {
        self.0
    }
}

impl<'a, T: Copy> Out<'a, T> {
    /// Whether there is nothing.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The first values, to be changed.
    pub fn list(self, count: usize) -> Served<&'a mut [T]> {
        if count == 0 {
            return Ok(&mut []);
        }
        if self.0.is_null() {
            return fault(NULL);
        }
        check_list(self.0, count)?;
        // SAFETY: the header says that so many values lie here, and that nobody else uses them now
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0, count) })
    }

    /// The first values, to be changed, unless the pointer is null.
    pub fn optional(self, count: usize) -> Served<Option<&'a mut [T]>> {
        if self.0.is_null() { Ok(None) } else { self.list(count).map(Some) }
    }

    /// The first values, copied.
    pub fn array<const N: usize>(self) -> Served<[T; N]> {
        self.reader().array()
    }

    /// Writes values; they may overlap with what was read before.
    pub fn set<const N: usize>(self, values: [T; N]) -> Served {
        if self.0.is_null() {
            return fault(NULL);
        }
        // SAFETY: the header says that so many values lie here
        unsafe { self.0.cast::<[T; N]>().write_unaligned(values) };
        Ok(())
    }

    /// Writes values, unless the pointer is null.
    pub fn set_optional<const N: usize>(self, values: [T; N]) {
        if !self.0.is_null() {
            // SAFETY: the header says that so many values lie here
            unsafe { self.0.cast::<[T; N]>().write_unaligned(values) };
        }
    }

    /// Writes a list from the start; it may overlap with what was read before.
    pub fn write(self, values: &[T]) -> Served {
        if values.is_empty() {
            return Ok(());
        }
        if self.0.is_null() {
            return fault(NULL);
        }
        // SAFETY: the header says that so many values lie here; bytes may lie anywhere
        unsafe { std::ptr::copy(values.as_ptr().cast::<u8>(), self.0.cast(), size_of_val(values)) };
        Ok(())
    }

    /// Writes one value for each place; sources may be the same memory.
    pub fn fill_with(self, count: usize, value: impl Fn(usize) -> T) -> Served {
        if count > 0 && self.0.is_null() {
            return fault(NULL);
        }
        for place in 0..count {
            // SAFETY: the header says that so many values lie here
            unsafe { self.0.add(place).write_unaligned(value(place)) };
        }
        Ok(())
    }

    /// The same pointer for reading.
    pub fn reader(self) -> In<'a, T> {
        In(self.0, PhantomData)
    }

    /// The pointer itself.
    pub fn pointer(self) -> *mut T {
        self.0
    }
}

impl<'a> Text<'a> {
    /// Whether there is none.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The text; bytes that are no UTF-8 are replaced.
    pub fn get(self) -> Served<std::borrow::Cow<'a, str>> {
        if self.0.is_null() {
            return fault(NULL);
        }
        // SAFETY: the header says that a text with a zero at its end lies here
        Ok(unsafe { CStr::from_ptr(self.0) }.to_string_lossy())
    }

    /// The text; empty where there is none.
    pub fn or_empty(self) -> std::borrow::Cow<'a, str> {
        self.get().unwrap_or_default()
    }
}

/// Room for a message that the caller gives, which may be none.
pub fn write_message(room: Out<'_, c_char>, size: i32, text: &str) {
    let Ok(size) = usize::try_from(size) else { return };
    if room.is_null() || size == 0 {
        return;
    }
    let mut end = text.len().min(size - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let bytes = text.as_bytes();
    let _ = room.fill_with(end + 1, |place| if place < end { bytes[place] as c_char } else { 0 });
}

/// Whether a count is one; negative counts stand for none.
pub fn count(n: i32) -> usize {
    n.max(0) as usize
}
