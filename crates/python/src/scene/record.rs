//! Structs as bytes, in the layout that a C compiler gives them: each value at a multiple of its own size.
//!
//! NumPy makes the same layout from the list of fields (`numpy.dtype(fields, align=True)`), so that Python
//! sees the fields of a struct as views of its bytes, and Rust copies the bytes in and out when a function is
//! called.

use kinetree_render::scene::FixedText;

/// A value of fixed size.
pub(crate) trait Value: Sized {
    /// Type code of NumPy.
    const FORMAT: &'static str;
    /// Bytes of one element.
    const ELEMENT: usize;
    /// At multiples of how many bytes an element starts.
    const ALIGN: usize = Self::ELEMENT;
    /// Number of bytes.
    const SIZE: usize;

    /// Numbers of elements along each axis; none for a scalar.
    fn shape() -> Vec<usize> {
        Vec::new()
    }

    /// Reads the value from exactly as many bytes.
    fn read(bytes: &[u8]) -> Self;

    /// Writes the value to exactly as many bytes.
    fn write(&self, bytes: &mut [u8]);
}

macro_rules! numbers {
    ($( $t:ty = $format:literal; )*) => { $(
        impl Value for $t {
            const FORMAT: &'static str = $format;
            const ELEMENT: usize = size_of::<$t>();
            const SIZE: usize = Self::ELEMENT;

            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$t>()];
                own.copy_from_slice(bytes);
                Self::from_ne_bytes(own)
            }

            fn write(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
        }
    )* };
}

numbers! {
    i32 = "i4";
    f32 = "f4";
    f64 = "f8";
    u8 = "u1";
}

impl Value for bool {
    const FORMAT: &'static str = "u1";
    const ELEMENT: usize = 1;
    const SIZE: usize = 1;

    fn read(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }

    fn write(&self, bytes: &mut [u8]) {
        bytes[0] = u8::from(*self);
    }
}

/// The formats of texts, which depend on their size.
const fn text_format(size: usize) -> &'static str {
    match size {
        20 => "S20",
        100 => "S100",
        1000 => "S1000",
        _ => panic!("no struct has a text of this size"),
    }
}

impl<const N: usize> Value for FixedText<N> {
    const FORMAT: &'static str = text_format(N);
    const ELEMENT: usize = N;
    const ALIGN: usize = 1;
    const SIZE: usize = N;

    fn read(bytes: &[u8]) -> Self {
        Self::from_padded(bytes)
    }

    fn write(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(self.as_padded());
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    const FORMAT: &'static str = T::FORMAT;
    const ELEMENT: usize = T::ELEMENT;
    const ALIGN: usize = T::ALIGN;
    const SIZE: usize = N * T::SIZE;

    fn shape() -> Vec<usize> {
        [vec![N], T::shape()].concat()
    }

    fn read(bytes: &[u8]) -> Self {
        std::array::from_fn(|k| T::read(&bytes[k * T::SIZE..(k + 1) * T::SIZE]))
    }

    fn write(&self, bytes: &mut [u8]) {
        for (value, part) in self.iter().zip(bytes.chunks_exact_mut(T::SIZE)) {
            value.write(part);
        }
    }
}

/// Name, format and shape of a field.
pub(crate) type FieldInfo = (&'static str, &'static str, Vec<usize>);

/// A struct with a layout.
pub(crate) trait Record: Sized {
    /// Name of the Python class.
    const NAME: &'static str;
    /// Number of bytes.
    const SIZE: usize;

    /// All fields in order.
    fn fields() -> Vec<FieldInfo>;

    /// Reads the struct from exactly as many bytes.
    fn read(bytes: &[u8]) -> Self;

    /// Writes the struct to exactly as many bytes; bytes between fields stay.
    fn write(&self, bytes: &mut [u8]);
}

/// The next multiple of `align`.
pub(crate) const fn aligned(offset: usize, align: usize) -> usize {
    offset.div_ceil(align) * align
}

/// Gives structs a layout: `rust_field "python name": type [shape in Python];`.
macro_rules! records {
    ($( $record:ty = $class:literal { $( $field:ident $name:literal: $t:ty $([$( $dim:expr ),*])?; )* } )*) => { $(
        impl Record for $record {
            const NAME: &'static str = $class;
            const SIZE: usize = {
                let (mut offset, mut align) = (0, 1);
                $(
                    let own = <$t as Value>::ALIGN;
                    offset = aligned(offset, own) + <$t as Value>::SIZE;
                    if own > align {
                        align = own;
                    }
                )*
                aligned(offset, align)
            };

            fn fields() -> Vec<FieldInfo> {
                vec![$( {
                    let shapes = [$( vec![$( $dim ),*], )? <$t as Value>::shape()];
                    let [shape, ..] = shapes;
                    ($name, <$t as Value>::FORMAT, shape)
                } ),*]
            }

            fn read(bytes: &[u8]) -> Self {
                let mut end = 0;
                $(
                    let start = aligned(end, <$t as Value>::ALIGN);
                    end = start + <$t as Value>::SIZE;
                    let $field = <$t as Value>::read(&bytes[start..end]);
                )*
                debug_assert!(end <= Self::SIZE);
                Self { $( $field ),* }
            }

            fn write(&self, bytes: &mut [u8]) {
                let mut end = 0;
                $(
                    let start = aligned(end, <$t as Value>::ALIGN);
                    end = start + <$t as Value>::SIZE;
                    <$t as Value>::write(&self.$field, &mut bytes[start..end]);
                )*
                debug_assert!(end <= Self::SIZE);
            }
        }
    )* };
}
pub(crate) use records;
