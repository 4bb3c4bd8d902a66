//! Formats of numbers as C's `printf` knows them: `"% -9.2g"`, `"%.3f"`, `"%12.4e"`.

use std::fmt;
use std::fmt::Write;
use std::str::FromStr;

/// Longest format that is read, in bytes.
const MAX_LENGTH: usize = 20;
/// Widest column and most digits.
const MAX_DIGITS: usize = 999;

/// How a number is written: flags, width, precision and one of `f`, `g`, `G`, `e`, `E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: usize,
    kind: u8,
}

/// Why a text is no format of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloatFormatError {
    format: String,
    problem: &'static str,
}

impl fmt::Display for FloatFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.format.chars().take(MAX_LENGTH + 1).collect();
        write!(f, "{shown:?} is no format for a number: {}; write \"%.6g\", for example", self.problem)
    }
}

impl std::error::Error for FloatFormatError {}

impl Default for FloatFormat {
    /// `"% -9.2g"`: two digits in columns of nine.
    fn default() -> Self {
        Self {
            left: true,
            plus: false,
            space: true,
            alternate: false,
            zero: false,
            width: 9,
            precision: 2,
            kind: b'g',
        }
    }
}

/// Takes a run of digits from the front; 0 without one.
fn take_number(rest: &mut &[u8]) -> Result<usize, &'static str> {
    let mut number = 0;
    while let Some((digit, tail)) = rest.split_first().filter(|(byte, _)| byte.is_ascii_digit()) {
        number = 10 * number + usize::from(digit - b'0');
        if number > MAX_DIGITS {
            return Err("a width or a precision is at most 999");
        }
        *rest = tail;
    }
    Ok(number)
}

impl FloatFormat {
    fn read(text: &str) -> Result<Self, &'static str> {
        if text.len() > MAX_LENGTH {
            return Err("it has more than 20 characters");
        }
        let mut rest = text.as_bytes().strip_prefix(b"%").ok_or("it does not begin with '%'")?;
        let mut format = Self { left: false, space: false, width: 0, precision: 6, ..Self::default() };
        while let Some((flag, tail)) = rest.split_first() {
            let set = match flag {
                b'-' => &mut format.left,
                b'+' => &mut format.plus,
                b' ' => &mut format.space,
                b'#' => &mut format.alternate,
                b'0' => &mut format.zero,
                _ => break,
            };
            if std::mem::replace(set, true) {
                return Err("a flag is there twice");
            }
            rest = tail;
        }
        format.width = take_number(&mut rest)?;
        if let Some(tail) = rest.strip_prefix(b".") {
            rest = tail;
            format.precision = take_number(&mut rest)?;
        }
        rest = rest.strip_prefix(b"L").unwrap_or(rest);
        match rest {
            [kind @ (b'f' | b'g' | b'G' | b'e' | b'E')] => format.kind = *kind,
            _ => return Err("it does not end with one of f, g, G, e, E"),
        }
        Ok(format)
    }

    /// Appends a number to a text.
    pub fn push(&self, text: &mut String, value: f64) {
        let sign = match (value.is_sign_negative(), self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        };
        let digits = self.digits(value.abs());
        let fill = self.width.saturating_sub(sign.len() + digits.len());
        let pad = |text: &mut String, with: char| text.extend(std::iter::repeat_n(with, fill));
        if self.left {
            text.push_str(sign);
            text.push_str(&digits);
            pad(text, ' ');
        } else if self.zero && value.is_finite() {
            text.push_str(sign);
            pad(text, '0');
            text.push_str(&digits);
        } else {
            pad(text, ' ');
            text.push_str(sign);
            text.push_str(&digits);
        }
    }

    /// A number that is not negative, without a sign and not padded.
    fn digits(&self, value: f64) -> String {
        if !value.is_finite() {
            let word = if value.is_nan() { "nan" } else { "inf" };
            return if self.kind.is_ascii_uppercase() { word.to_uppercase() } else { word.to_owned() };
        }
        let upper = self.kind.is_ascii_uppercase();
        match self.kind.to_ascii_lowercase() {
            b'f' => self.fixed(value, self.precision),
            b'e' => self.scientific(value, self.precision, upper),
            _ => self.general(value, upper),
        }
    }

    fn fixed(&self, value: f64, precision: usize) -> String {
        let mut text = format!("{value:.precision$}");
        if precision == 0 && self.alternate {
            text.push('.');
        }
        text
    }

    /// The exponent has a sign and at least two digits.
    fn scientific(&self, value: f64, precision: usize, upper: bool) -> String {
        let text = format!("{value:.precision$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if precision == 0 && self.alternate { "." } else { "" };
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
        let letter = if upper { 'E' } else { 'e' };
        format!("{mantissa}{point}{letter}{sign}{exponent:0>2}")
    }

    /// So many significant digits, in whichever notation is short; zeros at the end are left out.
    fn general(&self, value: f64, upper: bool) -> String {
        let significant = self.precision.max(1);
        let rounded = format!("{value:.*e}", significant - 1);
        let exponent =
            rounded.split_once('e').and_then(|(_, digits)| digits.parse::<i64>().ok()).unwrap_or(0);
        let fits = (-4..significant as i64).contains(&exponent);
        let mut text = if fits {
            self.fixed(value, (significant as i64 - 1 - exponent) as usize)
        } else {
            self.scientific(value, significant - 1, upper)
        };
        if !self.alternate {
            let end = text.find(['e', 'E']).unwrap_or(text.len());
            if text[..end].contains('.') {
                let kept = text[..end].trim_end_matches('0').trim_end_matches('.').len();
                text.replace_range(kept..end, "");
            }
        }
        text
    }

    /// How many characters a zero takes.
    pub(super) fn zero_width(&self) -> usize {
        let mut text = String::new();
        self.push(&mut text, 0.0);
        text.len()
    }
}

impl FromStr for FloatFormat {
    type Err = FloatFormatError;

    fn from_str(text: &str) -> Result<Self, FloatFormatError> {
        Self::read(text).map_err(|problem| FloatFormatError { format: text.to_owned(), problem })
    }
}

impl fmt::Display for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags =
            [(self.left, '-'), (self.plus, '+'), (self.space, ' '), (self.alternate, '#'), (self.zero, '0')];
        f.write_char('%')?;
        for (_, flag) in flags.into_iter().filter(|(set, _)| *set) {
            f.write_char(flag)?;
        }
        if self.width > 0 {
            write!(f, "{}", self.width)?;
        }
        write!(f, ".{}{}", self.precision, char::from(self.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::FloatFormat;

    #[track_caller]
    fn check(format: &str, value: f64, expected: &str) {
        let mut text = String::new();
        format.parse::<FloatFormat>().unwrap().push(&mut text, value);
        assert_eq!(text, expected, "{format} of {value}");
    }

    #[test]
    fn numbers_look_as_in_c() {
        check("% -9.2g", 0.00077, " 0.00077 ");
        check("% -9.2g", -9.81, "-9.8     ");
        check("% -9.2g", 100.0, " 1e+02   ");
        check("% -9.2g", 99.9, " 1e+02   ");
        check("%g", 0.0001, "0.0001");
        check("%g", 0.00001, "1e-05");
        check("%g", 123_456_789.0, "1.23457e+08");
        check("%#.3g", 1.0, "1.00");
        check("%.3f", 2.0 / 3.0, "0.667");
        check("%08.2f", -1.5, "-0001.50");
        check("%+.0f", 2.5, "+2");
        check("%#.0f", 2.5, "2.");
        check("%.3e", 12345.678, "1.235e+04");
        check("%12.4E", 1e-120, " 1.0000E-120");
        check("%6g", f64::NAN, "   nan");
        check("%-6g", f64::NEG_INFINITY, "-inf  ");
        check("%g", -0.0, "-0");
        check("%.0e", 5e10, "5e+10");
    }

    #[test]
    fn what_is_no_format_is_refused() {
        for wrong in [
            "",
            "g",
            "%",
            "%d",
            "%s",
            "%*f",
            "%--f",
            "%f%f",
            "%9999f",
            "%.1000g",
            "%lf",
            "%f ",
            "% -+#012345678901234.5f",
        ] {
            let error = wrong.parse::<FloatFormat>().expect_err(wrong);
            assert!(error.to_string().contains("is no format for a number"), "{error}");
        }
        assert_eq!("% -9.2g".parse(), Ok(FloatFormat::default()));
        assert_eq!(FloatFormat::default().to_string().parse(), Ok(FloatFormat::default()));
    }
}
