//! Uniform access to the fields of `Model`, `Data` and their option structs.
//!
//! The field tables generate, for each struct, an iteration over `(name, shape, flat slice)`. Bindings to
//! other languages, binary files, copying and comparison all use it, so that no other list of fields exists.

/// A borrowed flat view of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldSlice<'a> {
    /// 64-bit floats.
    F64(&'a [f64]),
    /// 32-bit floats.
    F32(&'a [f32]),
    /// 32-bit integers.
    I32(&'a [i32]),
    /// 64-bit signed integers.
    I64(&'a [i64]),
    /// 64-bit unsigned integers.
    U64(&'a [u64]),
    /// Bytes: flags and text.
    U8(&'a [u8]),
}

/// A mutably borrowed flat view of one field.
#[derive(Debug, PartialEq)]
pub enum FieldSliceMut<'a> {
    /// 64-bit floats.
    F64(&'a mut [f64]),
    /// 32-bit floats.
    F32(&'a mut [f32]),
    /// 32-bit integers.
    I32(&'a mut [i32]),
    /// 64-bit signed integers.
    I64(&'a mut [i64]),
    /// 64-bit unsigned integers.
    U64(&'a mut [u64]),
    /// Bytes: flags and text.
    U8(&'a mut [u8]),
}

/// One field: its name, its shape and its values.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// Name, as in the struct.
    pub name: &'static str,
    /// Documentation line.
    pub doc: &'static str,
    /// Name of the size that gives the number of rows; empty for a scalar or a fixed vector.
    pub rows: &'static str,
    /// Number of rows, columns and, for arrays of matrices of run-time size, inner columns; 1 where absent.
    pub shape: [usize; 3],
    /// The values, flattened in row-major order.
    pub data: FieldSlice<'a>,
}

/// One field, mutably borrowed.
#[derive(Debug)]
pub struct FieldMut<'a> {
    /// Name, as in the struct.
    pub name: &'static str,
    /// The values, flattened in row-major order.
    pub data: FieldSliceMut<'a>,
}

impl FieldSlice<'_> {
    /// Number of scalars.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::F64(s) => s.len(),
            Self::F32(s) => s.len(),
            Self::I32(s) => s.len(),
            Self::I64(s) => s.len(),
            Self::U64(s) => s.len(),
            Self::U8(s) => s.len(),
        }
    }

    /// Whether there are no scalars.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory that the scalars take (byte).
    #[must_use]
    pub fn bytes(&self) -> usize {
        let width = match self {
            Self::F64(_) | Self::I64(_) | Self::U64(_) => 8,
            Self::F32(_) | Self::I32(_) => 4,
            Self::U8(_) => 1,
        };
        self.len() * width
    }
}

/// A type that can be an element of a field: a scalar or a fixed-size array of scalars.
pub trait Element: Copy + Sized + Default {
    /// Scalars per element.
    const WIDTH: usize;
    /// Flat view of a slice of elements.
    fn view(slice: &[Self]) -> FieldSlice<'_>;
    /// Flat mutable view of a slice of elements.
    fn view_mut(slice: &mut [Self]) -> FieldSliceMut<'_>;
}

macro_rules! scalar_elements {
    ($( $t:ty => $variant:ident, [$( $n:literal )*]; )*) => { $(
        impl Element for $t {
            const WIDTH: usize = 1;
            fn view(slice: &[Self]) -> FieldSlice<'_> {
                FieldSlice::$variant(slice)
            }
            fn view_mut(slice: &mut [Self]) -> FieldSliceMut<'_> {
                FieldSliceMut::$variant(slice)
            }
        }
        $( impl Element for [$t; $n] {
            const WIDTH: usize = $n;
            fn view(slice: &[Self]) -> FieldSlice<'_> {
                FieldSlice::$variant(slice.as_flattened())
            }
            fn view_mut(slice: &mut [Self]) -> FieldSliceMut<'_> {
                FieldSliceMut::$variant(slice.as_flattened_mut())
            }
        } )*
    )* };
}

scalar_elements! {
    f64 => F64, [2 3 4 5 6 8 9 10 11 12 17];
    f32 => F32, [2 3 4];
    i32 => I32, [2 3 8 10];
    i64 => I64, [];
    u64 => U64, [];
    u8 => U8, [];
}

/// Floating-point numbers of a field, flat; none when it holds other numbers.
pub(crate) fn floats_mut<T: Element>(values: &mut [T]) -> &mut [f64] {
    match T::view_mut(values) {
        FieldSliceMut::F64(flat) => flat,
        _ => &mut [],
    }
}

/// Floating-point numbers of a field, flat; none when it holds other numbers.
pub(crate) fn floats<T: Element>(values: &[T]) -> &[f64] {
    match T::view(values) {
        FieldSlice::F64(flat) => flat,
        _ => &[],
    }
}

/// Integers of a field, flat; none when it holds other numbers.
pub(crate) fn integers<T: Element>(values: &[T]) -> &[i32] {
    match T::view(values) {
        FieldSlice::I32(flat) => flat,
        _ => &[],
    }
}
