//! Arrays whose address and length are fixed for the life of their owner.
//!
//! Bindings to other languages look at the arrays of a `Model` or a `Data` without a copy, so such an array
//! must stay where it was made. [`FixedArray`] makes that a matter of types: it hands out slices and nothing
//! else. There is no way to make one outside this crate, to clone, resize or move one out of its owner; and
//! since each field has a type of its own, two of them cannot be swapped.
//!
//! None of these compile:
//!
//! ```compile_fail,E0277
//! fn take(data: &mut kinetree_model::Data) {
//!     std::mem::take(&mut data.qpos); // there is no empty array to put there
//! }
//! ```
//! ```compile_fail,E0308
//! fn replace(data: &mut kinetree_model::Data) {
//!     data.qpos = vec![0.0; 7]; // another type
//! }
//! ```
//! ```compile_fail,E0308
//! fn swap(data: &mut kinetree_model::Data) {
//!     std::mem::swap(&mut data.qacc, &mut data.qacc_smooth); // each field has its own type
//! }
//! ```
//! ```compile_fail,E0599
//! fn resize(data: &mut kinetree_model::Data) {
//!     data.qpos.resize(3, 0.0); // slices have no such method
//! }
//! ```
//! ```compile_fail,E0599
//! fn clone(data: &mut kinetree_model::Data) {
//!     let mut other = data.qpos.clone(); // `to_vec` makes a copy of the values
//!     std::mem::swap(&mut data.qpos, &mut other);
//! }
//! ```
//! ```compile_fail,E0509
//! fn destructure(data: kinetree_model::Data) {
//!     let kinetree_model::Data { qpos, .. } = data; // fields cannot be moved out
//! }
//! ```
//! ```compile_fail,E0509
//! fn destructure(model: kinetree_model::Model) {
//!     let bodies = model.body_pos;
//! }
//! ```
//! ```compile_fail,E0616
//! fn change_sizes(model: &mut kinetree_model::Model) {
//!     model.sizes.nq = 3;
//! }
//! ```
//! ```compile_fail,E0594
//! fn change_size(model: &mut kinetree_model::Model) {
//!     model.nq = 3;
//! }
//! ```
//!
//! What slices allow, arrays allow:
//!
//! ```
//! fn rest(data: &mut kinetree_model::Data) {
//!     data.qvel.fill(0.0);
//!     let kinetree_model::Data { qacc, qacc_smooth, .. } = data;
//!     qacc.copy_from_slice(qacc_smooth);
//! }
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// The array of field `F`: owned memory of a fixed length at a fixed address, seen as a slice.
pub struct FixedArray<T, F> {
    values: Box<[T]>,
    field: PhantomData<fn() -> F>,
}

impl<T: Copy + Default, F> FixedArray<T, F> {
    /// An array of `len` default values.
    pub(crate) fn allocate(len: usize) -> Self {
        Self { values: vec![T::default(); len].into_boxed_slice(), field: PhantomData }
    }

    /// The same values at another address.
    pub(crate) fn duplicate(&self) -> Self {
        Self { values: self.values.clone(), field: PhantomData }
    }
}

impl<T, F> Deref for FixedArray<T, F> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<T, F> DerefMut for FixedArray<T, F> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<'a, T, F> IntoIterator for &'a FixedArray<T, F> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

impl<'a, T, F> IntoIterator for &'a mut FixedArray<T, F> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.values.iter_mut()
    }
}

impl<T: fmt::Debug, F> fmt::Debug for FixedArray<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
}

impl<T: PartialEq, F, G> PartialEq<FixedArray<T, G>> for FixedArray<T, F> {
    fn eq(&self, other: &FixedArray<T, G>) -> bool {
        **self == **other
    }
}

/// Equality with whatever is a list of the same elements.
macro_rules! equal_to_lists {
    ($( [$($n:ident)?] $list:ty; )*) => { $(
        impl<T: PartialEq, F $(, const $n: usize)?> PartialEq<$list> for FixedArray<T, F> {
            fn eq(&self, other: &$list) -> bool {
                **self == other[..]
            }
        }
    )* };
}

equal_to_lists! {
    [] [T];
    [] &[T];
    [] Vec<T>;
    [N] [T; N];
}

#[cfg(test)]
mod tests {
    use super::FixedArray;

    enum Here {}
    enum There {}

    #[test]
    fn an_array_is_as_large_as_a_boxed_slice() {
        assert_eq!(size_of::<FixedArray<f64, Here>>(), size_of::<Box<[f64]>>());
    }

    #[test]
    fn arrays_are_compared_by_their_values() {
        let mut a = FixedArray::<i32, Here>::allocate(3);
        let b = FixedArray::<i32, There>::allocate(3);
        assert_eq!(a, b);
        a[1] = 5;
        assert_ne!(a, b);
        assert_eq!(a, [0, 5, 0]);
        assert_eq!(a, vec![0, 5, 0]);
        assert_eq!(a, a.duplicate());
    }
}
