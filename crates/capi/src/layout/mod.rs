//! The structs of the headers, with their fields in the same order and of the same types.

pub mod ccd;
pub mod context;
pub mod data;
pub mod model;
pub mod options;
pub mod scene;
pub mod slot;
pub mod spec;
pub mod spec_settings;
#[cfg(test)]
mod tests;

/// Elements of an array whose memory is that of numbers of type `T`.
pub trait Flat<T> {
    /// Where the numbers of a list of elements begin.
    fn flat(list: &mut [Self]) -> *mut T
    where
        Self: Sized;
}

macro_rules! flat {
    ($( $from:ty => $to:ty; )*) => { $(
        impl Flat<$to> for $from {
            fn flat(list: &mut [Self]) -> *mut $to {
                list.as_mut_ptr().cast()
            }
        }
        impl<const N: usize> Flat<$to> for [$from; N] {
            fn flat(list: &mut [Self]) -> *mut $to {
                list.as_mut_ptr().cast()
            }
        }
    )* };
}

flat! {
    f64 => f64;
    f32 => f32;
    i32 => i32;
    i64 => i64;
    u8 => u8;
    u8 => std::ffi::c_char;
    u64 => usize;
}
