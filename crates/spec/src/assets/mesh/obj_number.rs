//! Numbers of OBJ text.
//!
//! Decimal fractions are summed digit by digit, each digit times its power of ten, which is not the correctly
//! rounded value; vertices must land on the same single-precision bits as in the reference, so the same sum
//! is made.

/// Negative powers of ten as the nearest doubles.
const TENTHS: [f64; 32] = [
    1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15,
    1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22, 1e-23, 1e-24, 1e-25, 1e-26, 1e-27, 1e-28, 1e-29, 1e-30,
    1e-31,
];

/// Five to the given power; exact, or the nearest double, wherever coordinates live.
fn power_of_five(exponent: i32) -> f64 {
    let magnitude = exponent.unsigned_abs();
    if magnitude > 22 {
        return libm::pow(5.0, f64::from(exponent));
    }
    let mut power = 1.0;
    for _ in 0..magnitude {
        power *= 5.0;
    }
    if exponent < 0 { 1.0 / power } else { power }
}

/// Value of a token, 0 if it does not start with a number.
pub(super) fn parse_real(token: &[u8]) -> f32 {
    try_parse(token).unwrap_or(0.0) as f32
}

fn digit_at(token: &[u8], at: usize) -> Option<u8> {
    token.get(at).map(|c| c.wrapping_sub(b'0')).filter(|d| *d < 10)
}

fn try_parse(token: &[u8]) -> Option<f64> {
    let mut at = 0;
    let negative = match token.first()? {
        b'+' => {
            at += 1;
            false
        }
        b'-' => {
            at += 1;
            true
        }
        _ => false,
    };

    // integer part, which may be missing only before a decimal point
    let mut mantissa = 0.0;
    if token.get(at) != Some(&b'.') {
        digit_at(token, at)?;
        while let Some(digit) = digit_at(token, at) {
            mantissa = mantissa * 10.0 + f64::from(digit);
            at += 1;
        }
    }

    // fraction
    if token.get(at) == Some(&b'.') {
        at += 1;
        let mut digits = 1;
        while let Some(digit) = digit_at(token, at) {
            let weight = match TENTHS.get(digits) {
                Some(weight) => *weight,
                None => libm::pow(10.0, -(digits as f64)),
            };
            mantissa += f64::from(digit) * weight;
            digits += 1;
            at += 1;
        }
    }

    let exponent =
        if matches!(token.get(at), Some(b'e' | b'E')) { parse_exponent(token, at + 1)? } else { 0 };
    let magnitude =
        if exponent == 0 { mantissa } else { libm::ldexp(mantissa * power_of_five(exponent), exponent) };
    Some(if negative { -magnitude } else { magnitude })
}

fn parse_exponent(token: &[u8], mut at: usize) -> Option<i32> {
    let negative = token.get(at) == Some(&b'-');
    if matches!(token.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    digit_at(token, at)?;
    let mut exponent = 0i32;
    while let Some(digit) = digit_at(token, at) {
        exponent = exponent.saturating_mul(10).saturating_add(i32::from(digit));
        at += 1;
    }
    Some(if negative { -exponent } else { exponent })
}

/// Leading integer of a text like C's `atoi`: blanks, a sign, digits; 0 without digits.
pub(super) fn parse_int(text: &[u8]) -> i32 {
    let mut at = text.iter().take_while(|c| matches!(c, b' ' | b'\t'..=b'\r')).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let mut value = 0i64;
    while let Some(digit) = digit_at(text, at) {
        value = (value * 10 + i64::from(digit)).min(i64::from(i32::MAX));
        at += 1;
    }
    let signed = if negative { -value } else { value };
    signed as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_forms_that_files_use() {
        for (text, value) in [
            ("1", 1.0),
            ("-0.5", -0.5),
            ("+.25", 0.25),
            ("1.5e2", 150.0),
            ("2E-3", 0.002),
            ("3.", 3.0),
            ("7,5", 7.0),
            ("nan", 0.0),
            ("-", 0.0),
            ("1e", 0.0),
            ("", 0.0),
        ] {
            assert_eq!(parse_real(text.as_bytes()), value, "{text}");
        }
        assert_eq!(parse_int(b" -12/3"), -12);
        assert_eq!(parse_int(b"x"), 0);
    }
}
