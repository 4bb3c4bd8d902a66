//! Kernels in double precision: one pass over their text.
//!
//! Types, literals and elementary functions become those of 64 bits. Tolerances and whatever else depends on
//! the precision stand in the modules, under the condition `DOUBLE`. Text in single precision never comes
//! here.

/// Elementary functions.
pub(crate) const FUNCTIONS: &str = include_str!("wgsl/double_functions.wgsl");

/// Built-in functions that devices do not have in double precision; those of [`FUNCTIONS`] have their names
/// behind `double_`.
const ELEMENTARY: [&str; 15] = [
    "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "exp2", "log", "log2", "pow", "sin", "sinh",
    "tan", "tanh",
];

/// Numbers that kernels have with the digits of single precision.
const EXACT: [(&str, &str); 6] = [
    ("3.14159265", "3.141592653589793"),
    ("6.28318531", "6.283185307179586"),
    ("1.57079633", "1.5707963267948966"),
    ("0.8660254", "0.8660254037844386"),
    // half of the angle by which poses of convex pairs are tilted
    ("0.999999875", "0.999999875000002604"),
    ("5e-4", "4.999999791666669e-4"),
];

/// The text of a kernel in double precision, and the elementary functions that it calls.
pub(crate) fn in_double(text: &str) -> String {
    widen(text) + FUNCTIONS
}

/// A line with its end.
fn line_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find('\n').map_or(rest.len(), |end| end + 1)]
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A text with types, literals and functions of 64 bits.
fn widen(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => line_at(rest, 0).len(),
            '0'..='9' => number_length(rest),
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => number_length(rest),
            c if is_word(c) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        match first {
            '/' if length > 1 => result.push_str(token),
            '0'..='9' | '.' if length > 1 || first != '.' => push_number(&mut result, token),
            c if is_word(c) => rest = push_word(&mut result, token, rest),
            _ => result.push_str(token),
        }
    }
    result
}

/// Length of a number with its suffix.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut at = 0;
    while let Some(&c) = bytes.get(at) {
        let is_sign = !is_hexadecimal
            && (c == b'-' || c == b'+')
            && at > 0
            && matches!(bytes[at - 1], b'e' | b'E')
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !(c.is_ascii_alphanumeric() || c == b'.' || is_sign) {
            break;
        }
        at += 1;
    }
    at
}

/// Appends a number: those with a fraction or an exponent are of 64 bits.
fn push_number(result: &mut String, token: &str) {
    let is_integer = token.starts_with("0x") || token.ends_with(['u', 'i']);
    let digits = token.trim_end_matches(['f', 'h']);
    if is_integer || (digits.len() == token.len() && !digits.contains(['.', 'e', 'E'])) {
        result.push_str(token);
        return;
    }
    let exact = EXACT.iter().find(|(rounded, _)| *rounded == digits);
    result.push_str(exact.map_or(digits, |(_, exact)| exact));
    result.push_str("lf");
}

/// Appends a word; returns the text behind what was taken with it.
fn push_word<'a>(result: &mut String, word: &str, rest: &'a str) -> &'a str {
    match word {
        "f32" => result.push_str("f64"),
        "vec2f" | "vec3f" | "vec4f" => {
            result.push_str(&word[..4]);
            result.push_str("<f64>");
        }
        "bitcast" => return push_bitcast(result, rest),
        _ if rest.starts_with('(') && ELEMENTARY.contains(&word) => {
            result.push_str("double_");
            result.push_str(word);
        }
        _ => result.push_str(word),
    }
    rest
}

/// Appends a reading of bits as something else; `rest` is what follows the word. Indices that lie beside
/// numbers become numbers of their value; tables of indices keep numbers of 32 bits, which are widened.
fn push_bitcast<'a>(result: &mut String, rest: &'a str) -> &'a str {
    let to_numbers = |kind: &str| rest.starts_with(&format!("<{kind}>("));
    if to_numbers("u32") {
        result.push_str("u32");
        return &rest["<u32>".len()..];
    }
    if to_numbers("f32") && !rest["<f32>(".len()..].starts_with("ints[") {
        result.push_str("f64");
        return &rest["<f32>".len()..];
    }
    for kind in ["f32", "vec2<f32>", "vec3<f32>", "vec4<f32>"] {
        if to_numbers(kind) {
            let open = kind.len() + 2;
            let end = open + closing(&rest[open..]);
            let argument = widen(&rest[open..end]);
            result.push_str(&format!("{}(bitcast<{kind}>{argument})", kind.replace("f32", "f64")));
            return &rest[end..];
        }
    }
    result.push_str("bitcast");
    rest
}

/// Length of an expression in parentheses, at the first of which the text begins.
fn closing(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return at + 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_literals_and_functions_become_those_of_64_bits() {
        let same = |from: &str, to: &str| assert_eq!(widen(from), to);
        same("let x = vec3<f32>(1.0, -2e-3, .5f);", "let x = vec3<f64>(1.0lf, -2e-3lf, .5lf);");
        same("a[3u] + 0x1fu + 7 + b.x - 1.5e3", "a[3u] + 0x1fu + 7 + b.x - 1.5e3lf");
        same(
            "sin(x) + sine(y) + pow(x, 3.0) // 1.0",
            "double_sin(x) + sine(y) + double_pow(x, 3.0lf) // 1.0",
        );
        same("2.0 * 3.14159265", "2.0lf * 3.141592653589793lf");
        same("vec2f(f32(k), length)", "vec2<f64>(f64(k), length)");
        same("bitcast<u32>(s[i].w)", "u32(s[i].w)");
        same("vec4<f32>(n, bitcast<f32>(pair))", "vec4<f64>(n, f64(pair))");
        same("bitcast<f32>(ints[f(1u) + 2u])", "f64(bitcast<f32>(ints[f(1u) + 2u]))");
        same("m * bitcast<vec3<f32>>(b(i))", "m * vec3<f64>(bitcast<vec3<f32>>(b(i)))");
    }
}
