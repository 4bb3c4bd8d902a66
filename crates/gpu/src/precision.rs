//! Numbers of a device: in single or in double precision, and how they get there and back.

use std::borrow::Cow;

/// Precision of the numbers that a device computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits.
    #[default]
    Single,
    /// 64 bits, for devices that have them (`wgpu::Features::SHADER_F64`).
    Double,
}

impl Precision {
    /// Bytes of a number.
    #[must_use]
    pub fn bytes(self) -> u64 {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }

    /// The smallest tolerance that can be told from rounding: `single`, or none that matters.
    pub(crate) fn least_tolerance(self, single: f64) -> f64 {
        match self {
            Self::Single => single,
            Self::Double => 0.0,
        }
    }
}

/// A number that goes to a device and comes back: `f32` or `f64`, whatever the device computes with.
pub trait Number: bytemuck::Pod + private::Sealed {
    /// Its precision.
    const PRECISION: Precision;
    /// The number in double precision.
    fn wide(self) -> f64;
    /// A number from double precision, rounded.
    fn narrow(x: f64) -> Self;
}

mod private {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Number for f32 {
    const PRECISION: Precision = Precision::Single;

    fn wide(self) -> f64 {
        f64::from(self)
    }

    fn narrow(x: f64) -> Self {
        x as Self
    }
}

impl Number for f64 {
    const PRECISION: Precision = Precision::Double;

    fn wide(self) -> f64 {
        self
    }

    fn narrow(x: f64) -> Self {
        x
    }
}

/// Numbers as a device has them.
pub(crate) fn to_device<T: Number>(precision: Precision, values: &[T]) -> Cow<'_, [u8]> {
    match precision {
        _ if precision == T::PRECISION => Cow::Borrowed(bytemuck::cast_slice(values)),
        Precision::Single => Cow::Owned(convert::<T, f32>(values.iter().copied())),
        Precision::Double => Cow::Owned(convert::<T, f64>(values.iter().copied())),
    }
}

/// Bytes of numbers of another precision.
fn convert<From: Number, To: Number>(values: impl Iterator<Item = From>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.size_hint().0 * size_of::<To>());
    values.for_each(|x| bytes.extend_from_slice(bytemuck::bytes_of(&To::narrow(x.wide()))));
    bytes
}

/// Numbers from what a device has.
pub(crate) fn from_device<T: Number>(precision: Precision, bytes: &[u8]) -> Vec<T> {
    fn read<From: Number, To: Number>(bytes: &[u8]) -> Vec<To> {
        let numbers = bytes.chunks_exact(size_of::<From>()).map(bytemuck::pod_read_unaligned::<From>);
        numbers.map(|x| To::narrow(x.wide())).collect()
    }
    match precision {
        _ if precision == T::PRECISION => bytemuck::pod_collect_to_vec(bytes),
        Precision::Single => read::<f32, T>(bytes),
        Precision::Double => read::<f64, T>(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were() {
        let (singles, doubles) = ([1.5_f32, -0.1, f32::INFINITY], [1.5_f64, -0.1, f64::MAX]);
        for precision in [Precision::Single, Precision::Double] {
            let bytes = to_device(precision, &singles);
            assert_eq!(bytes.len() as u64, 3 * precision.bytes());
            assert_eq!(from_device::<f32>(precision, &bytes), singles);
        }
        assert_eq!(from_device::<f64>(Precision::Double, &to_device(Precision::Double, &doubles)), doubles);
        // rounded, and beyond the range of single precision infinite
        let rounded = from_device::<f64>(Precision::Single, &to_device(Precision::Single, &doubles));
        assert_eq!(rounded, [1.5, f64::from(-0.1_f32), f64::INFINITY]);
    }
}
