//! Values as words of memory.

#![allow(unsafe_code)]

/// The words that a value consists of, which must have their size and no gaps.
pub fn words_of<T, const N: usize, W: Copy>(value: &T) -> [W; N] {
    const { assert!(size_of::<T>() == size_of::<[W; N]>()) };
    // SAFETY: the sizes agree, and any bits are such words; gaps at the end of a struct are copied by the
    // machine like any memory
    unsafe { std::ptr::from_ref(value).cast::<[W; N]>().read_unaligned() }
}

/// Writes a value to memory that the stack has given.
pub fn put<T: Copy>(place: *mut T, value: T) {
    // SAFETY: the stack of a data gives memory of the size and alignment that is asked for
    unsafe { place.write(value) }
}

/// Reads a value that [`put`] has written.
pub fn get<T: Copy>(place: *const T) -> T {
    // SAFETY: the value was written by `put`
    unsafe { place.read() }
}

/// A pointer to memory for a struct that a function initializes.
#[repr(transparent)]
pub struct Room<'a, T>(*mut T, std::marker::PhantomData<&'a T>);

impl<T> Room<'_, T> {
    /// Initializes the struct, which may be any memory.
    pub fn begin(self, value: T) -> super::fault::Served {
        if self.0.is_null() {
            return super::fault::fault("a pointer is NULL where the header does not allow it");
        }
        // SAFETY: the memory has room for the struct
        unsafe { self.0.write(value) };
        Ok(())
    }
}

/// Structs of which zeros are a value.
///
/// # Safety
/// All fields are numbers or pointers, or arrays of them.
pub unsafe trait Zeros {}

// SAFETY: a figure has numbers and letters only
unsafe impl Zeros for crate::functions::figure::Figure {}
// SAFETY: a context has numbers, and pointers that may be null
unsafe impl Zeros for crate::layout::context::ContextRecord {}

impl<T: Zeros> Room<'_, T> {
    /// Initializes the struct with zeros, and then with other values where it lies: it may be too large for
    /// the stack.
    pub fn begin_with(self, fill: impl FnOnce(&mut T)) -> super::fault::Served {
        if self.0.is_null() {
            return super::fault::fault("a pointer is NULL where the header does not allow it");
        }
        // SAFETY: the memory has room for the struct, of which zeros are a value
        unsafe {
            self.0.write_bytes(0, 1);
            fill(&mut *self.0);
        }
        Ok(())
    }
}

/// A pointer to a string or vector of C++, or to a struct that was initialized.
#[repr(transparent)]
pub struct Place<'a, T>(*mut T, std::marker::PhantomData<&'a T>);

impl<T> Clone for Place<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Place<'_, T> {}

impl<'a, T> Place<'a, T> {
    /// The value, which exists.
    pub fn get(self) -> super::fault::Served<&'a mut T> {
        if self.0.is_null() {
            return super::fault::fault("a pointer is NULL where the header does not allow it");
        }
        // SAFETY: the header says that such a value lies here
        Ok(unsafe { &mut *self.0 })
    }
}

impl<T: Zeros> Place<'_, T> {
    /// Initializes the struct with zeros.
    pub fn clear(self) -> super::fault::Served {
        Room(self.0, std::marker::PhantomData).begin_with(|_| ())
    }
}
