//! Numbers in the shortest decimal form that reads back to the same bits, or with so many digits.

use std::cell::Cell;

/// So many digits are as good as all.
const ALL_DIGITS: usize = 17;

thread_local! {
    /// Significant digits that are written; as many as are needed, unless a document is written with fewer.
    static DIGITS: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Calls `f`, in which floating-point numbers are written with at most so many significant digits.
pub(super) fn with_digits<R>(digits: usize, f: impl FnOnce() -> R) -> R {
    struct Restore(Option<usize>);
    impl Drop for Restore {
        fn drop(&mut self) {
            DIGITS.set(self.0);
        }
    }
    let wanted = Some(digits.max(1)).filter(|&digits| digits < ALL_DIGITS);
    let _restore = Restore(DIGITS.replace(wanted));
    f()
}

/// Numbers as close to a whole one as this are that one.
const WHOLE: f64 = 1e-12;

/// A number rounded to significant digits, as `%g` of C writes it; whole numbers keep their digits.
fn rounded(value: f64, digits: usize) -> String {
    if value.abs() < f64::from(i32::MAX) && (value - value.round()).abs() < WHOLE {
        return format!("{}", value.round() as i32);
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| -> String {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }.to_owned()
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    trimmed(&format!("{value:.*}", (digits as i32 - 1 - exponent).max(0) as usize))
}

/// A number that can be written.
pub(super) trait Shortest: Copy {
    /// The shortest text that reads back to the same bits, or one with as many digits as are wanted.
    fn shortest(self) -> String;
    /// The same bits, or both not a number.
    fn same(&self, other: &Self) -> bool;
}

macro_rules! float {
    ($($t:ty),+) => {$(
        impl Shortest for $t {
            fn shortest(self) -> String {
                if let Some(digits) = DIGITS.get()
                    && self.is_finite()
                {
                    return rounded(self.into(), digits);
                }
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

    #[test]
    fn numbers_are_rounded_as_in_c() {
        let text = |digits, value: f64| with_digits(digits, || value.shortest());
        assert_eq!(text(6, 1.000_000_000_000_000_2), "1");
        assert_eq!(text(6, 0.906_307_787), "0.906308");
        assert_eq!([text(6, 1e20), text(6, -1e10), text(6, 123_456.0)], ["1e+20", "-1e+10", "123456"]);
        assert_eq!(
            [text(6, 1_234_567.5), text(6, 1e-4), text(6, 1.5e-5)],
            ["1.23457e+06", "0.0001", "1.5e-05"]
        );
        assert_eq!(text(6, 1_234_567.0), "1234567", "whole numbers keep their digits");
        assert_eq!([text(3, 9.999), text(1, 0.96), text(6, 0.0)], ["10", "1", "0"]);
        assert_eq!(text(17, 0.1), "0.1", "all digits are as many as are needed");
        assert_eq!(text(6, f64::NAN), "NaN");
    }
}
