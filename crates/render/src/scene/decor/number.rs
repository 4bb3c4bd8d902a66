//! Numbers as text with three significant digits, as `%.3g` of C writes them.

use crate::scene::label::Label;
use crate::scene::painter::text;

/// Three significant digits without trailing zeros; powers of ten beyond that as an exponent of at least two
/// digits.
pub(super) fn three_digits(value: f64) -> Label {
    if !value.is_finite() || value == 0.0 {
        return text(format_args!("{value}"));
    }
    let scientific = text(format_args!("{value:.2e}"));
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let power: i32 = exponent.parse().unwrap_or_default();
    if (-4..3).contains(&power) {
        let decimals = (2 - power) as usize;
        let plain = text(format_args!("{value:.decimals$}"));
        return Label::from(trimmed(&plain));
    }
    let sign = if power < 0 { '-' } else { '+' };
    text(format_args!("{}e{sign}{:02}", trimmed(mantissa), power.abs()))
}

/// Without zeros at the end of a fraction.
fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_c() {
        for (value, expected) in [
            (0.0, "0"),
            (12.0, "12"),
            (1.2346, "1.23"),
            (123.6, "124"),
            (999.6, "1e+03"),
            (1234.0, "1.23e+03"),
            (0.00012346, "0.000123"),
            (0.000012, "1.2e-05"),
            (-0.5, "-0.5"),
        ] {
            assert_eq!(three_digits(value).as_str(), expected);
        }
    }
}
