//! Numbers in the shortest decimal form that reads back to the same bits.

/// A number that can be written.
pub(super) trait Shortest: Copy {
    /// The shortest text that reads back to the same bits.
    fn shortest(self) -> String;
    /// The same bits, or both not a number.
    fn same(&self, other: &Self) -> bool;
}

macro_rules! float {
    ($($t:ty),+) => {$(
        impl Shortest for $t {
            fn shortest(self) -> String {
                // plain digits where they are no longer than an exponent
                if self == 0.0 || (1e-5..1e16).contains(&self.abs()) || !self.is_finite() {
                    format!("{self}")
                } else {
                    format!("{self:e}")
                }
            }
            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    )+};
}
float!(f64, f32);

macro_rules! integer {
    ($($t:ty),+) => {$(
        impl Shortest for $t {
            fn shortest(self) -> String {
                self.to_string()
            }
            fn same(&self, other: &Self) -> bool {
                self == other
            }
        }
    )+};
}
integer!(i32, i64);

/// Numbers with spaces between them.
pub(super) fn join<T: Shortest>(values: &[T]) -> String {
    let mut text = String::with_capacity(8 * values.len());
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        text.push_str(&value.shortest());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        for value in [0.0, -0.0, 1.0, 0.1, 1e-300, 5e-324, f64::MAX, 1e16, 123_456_789.123_456_78, -2.5e-7] {
            let text = value.shortest();
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
        }
        assert_eq!(join(&[1.0, 0.5, 1e-6]), "1 0.5 1e-6");
        assert_eq!(0.3f32.shortest(), "0.3");
    }
}
