//! Kernels in double precision: one pass over their text.
//!
//! Types, literals and elementary functions become those of 64 bits, and what depends on the precision takes
//! the place of what a kernel has under that name (`wgsl/double.wgsl`). Text in single precision never comes
//! here.

/// Constants and functions that are others in double precision.
const REPLACEMENTS: &str = include_str!("wgsl/double.wgsl");
/// Elementary functions.
const FUNCTIONS: &str = include_str!("wgsl/double_functions.wgsl");

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

/// Expressions inside of functions that take account of rounding: the function, its text, and what the
/// processor computes in its place.
const COMPARISONS: [(&str, &str, &str); 23] = [
    ("ball_ball", "dot(across, across) > 1e-12", "dot(across, across) >= 1e-30"),
    ("capsule_capsule", "let det = dot(across, across);", "let det = ma * mc - mb * mb;"),
    ("capsule_capsule", "det > 1e-12 * ma * mc", "abs(det) >= 1e-15"),
    ("plane_cylinder", "steep >= 1e-12", "steep >= 1e-30"),
    ("nearer_edges", "!(det > 1e-10 * ma * mc)", "!(abs(det) >= 1e-15)"),
    ("nearer_edges", "best.dist2 * (1.0 - 1e-6) - 1e-12", "best.dist2 - 1e-15"),
    ("edge_points", "abs(normal.z) < 1e-6", "abs(normal.z) < 1e-15"),
    ("midpoint_spin", "<= 1e-7 * length(scaled * w)", "<= 1e-15 * length(scaled * w)"),
    ("wrap", "length(normal) < 1e-7 * length(p1)", "length(cross(p0, p1)) < 1e-15"),
    ("face_plane_of", "norm2 > 1e-36", "norm2 > 1e-30"),
    ("gjk_direction", "1e-16, discrete", "1e-30, discrete"),
    ("begin_polytope", "> 1e-36", ">= 1e-30"),
    ("build_polytope", "< 1e-7 * epa_scale", "< 1e-15"),
    ("build_polytope", "height <= 1e-8 * epa_scale", "height * height < 1e-30"),
    ("put_face", "norm2 > 1e-36", "norm2 > 1e-30"),
    ("carve", "if (dot(plane.xyz", "if (plane.w * dot(plane.xyz"),
    ("carve", "> 1e-8 * epa_scale", "> 1e-15"),
    ("cap", "height < lower - 1e-6 * epa_scale", "height < lower"),
    ("epa_take", "max(CCD_TOLERANCE, 1e-7 * epa_scale), 1e-7 * epa_scale", "CCD_TOLERANCE, 1e-15"),
    ("clip_polygon", "-1e-7 * epa_scale * length(inward)", "-1e-15"),
    ("flat_contacts", "select(1e-6 * epa_scale, -1.0", "select(1e-15, -1.0"),
    // roots of constants are not computed in 64 bits when a kernel is compiled
    ("set_block", "inverseSqrt(IMPRATIO)", "(1.0 / double_root(IMPRATIO))"),
    // the search stops where it stands still, not where rounding turns it back
    (
        "reduce_simplex",
        "dot(next, next) >= dot(closest_point, closest_point)",
        "all(abs(next - closest_point) < vec3<f32>(1e-15))",
    ),
];

/// The text of a kernel in double precision. Lines stay where they are, up to those that are replaced.
pub(crate) fn in_double(text: &str) -> String {
    let replacements = items(REPLACEMENTS);
    let mut result = String::with_capacity(text.len() + FUNCTIONS.len() + text.len() / 8);
    for (name, item) in items(text) {
        match replacements.iter().find(|(other, _)| name.is_some() && *other == name) {
            Some((_, replacement)) => result.push_str(replacement),
            None => result.push_str(&widen(&compare_exactly(name, item))),
        }
    }
    result + FUNCTIONS
}

/// Functions and constants of a module with their names, and what is between them.
fn items(text: &str) -> Vec<(Option<&str>, &str)> {
    let mut items = Vec::new();
    let (mut at, mut between) = (0, 0);
    while at < text.len() {
        let line = line_at(text, at);
        let Some(name) = item_name(line) else {
            at += line.len();
            continue;
        };
        if between < at {
            items.push((None, &text[between..at]));
        }
        let end = at + item_length(&text[at..]);
        items.push((Some(name), &text[at..end]));
        (at, between) = (end, end);
    }
    if between < text.len() {
        items.push((None, &text[between..]));
    }
    items
}

/// A line with its end.
fn line_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find('\n').map_or(rest.len(), |end| end + 1)]
}

/// The name of the function or constant that a line begins.
fn item_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("fn ").or_else(|| line.strip_prefix("const "))?;
    Some(&rest[..rest.find(|c: char| !is_word(c))?])
}

/// Length of the function or constant at the beginning of a text: up to its last brace or semicolon.
fn item_length(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c == '}' || c == ';') {
            return at + line_at(text, at).len();
        }
    }
    text.len()
}

/// A function with the comparisons of the processor.
fn compare_exactly(name: Option<&str>, item: &str) -> String {
    let own = COMPARISONS.iter().filter(|(function, ..)| Some(*function) == name);
    own.fold(item.to_owned(), |text, (_, from, to)| text.replace(from, to))
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
    use crate::device::Gpu;
    use crate::precision::Precision;
    use crate::program::bind;
    use crate::readback::read_numbers;

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

    #[test]
    fn items_are_replaced_under_their_names() {
        let text = "const A = 1;\n// of B\nfn ball_ball() {\n    if (dot(across, across) > 1e-12) {}\n}\nconst ROUNDING = 3e-7;\n";
        let double = in_double(text);
        let wanted = "const A = 1;\n// of B\nfn ball_ball() {\n    if (dot(across, across) >= 1e-30lf) {}\n}\nconst ROUNDING = 6e-16lf;\n";
        assert!(double.starts_with(wanted), "{double}");
    }

    /// Whatever is to be replaced is there to be replaced.
    #[test]
    fn replacements_are_of_things_that_kernels_have() {
        let mut sources = String::new();
        for folder in ["src/wgsl", "src/kernel"] {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if !path.ends_with("double.wgsl") {
                    sources += &std::fs::read_to_string(path).unwrap();
                    sources.push('\n');
                }
            }
        }
        let all = items(&sources);
        for (name, _) in items(REPLACEMENTS) {
            let Some(name) = name else { continue };
            assert!(all.iter().any(|(other, _)| *other == Some(name)), "no kernel has {name}");
        }
        for (function, from, _) in COMPARISONS {
            let found = all.iter().any(|(name, text)| *name == Some(function) && text.contains(from));
            assert!(found, "{function} has no {from}");
        }
    }

    /// What a function of two arguments makes of pairs of numbers on the device; `None` without one.
    fn computed(function: &str, arguments: &[[f64; 2]]) -> Option<Vec<f64>> {
        let gpu = Gpu::new(None).ok().filter(Gpu::has_double);
        let Some(gpu) = gpu else {
            eprintln!("skipped: no GPU with double precision");
            return None;
        };
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> pairs: array<vec2<f64>>;
            @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
                if (id.x >= arrayLength(&pairs)) {{ return; }}
                let x = pairs[id.x].x;
                let y = pairs[id.x].y;
                pairs[id.x].x = {function};
            }}
            {FUNCTIONS}"
        );
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size_of_val(arguments) as u64,
            usage,
            mapped_at_creation: false,
        });
        gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(arguments));
        let bindings = bind(&gpu, &pipeline.get_bind_group_layout(0), &[&buffer]);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.dispatch_workgroups(arguments.len().div_ceil(64) as u32, 1, 1);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        let all: Vec<f64> =
            pollster::block_on(read_numbers(&gpu, &buffer, 2 * arguments.len(), Precision::Double))
                .expect("numbers");
        Some(all.chunks_exact(2).map(|pair| pair[0]).collect())
    }

    /// Compares a function over numbers from `low` to `high`, with an error that is allowed, in units of the
    /// last place of the result or of `floor`.
    fn compare(
        function: &str,
        [low, high]: [f64; 2],
        units: f64,
        floor: f64,
        exact: impl Fn(f64, f64) -> f64,
    ) {
        let count = 20_000;
        let at = |k: usize| low + (high - low) * k as f64 / (count - 1) as f64;
        // the second arguments go through their range at another pace
        let arguments: Vec<[f64; 2]> = (0..count).map(|k| [at(k), at((k * 7919 + 13) % count)]).collect();
        let Some(results) = computed(function, &arguments) else { return };
        let mut worst = (0.0, [0.0; 2], 0.0, 0.0);
        for ([x, y], result) in arguments.into_iter().zip(results) {
            let wanted = exact(x, y);
            let error = (result - wanted).abs() / (f64::EPSILON * wanted.abs().max(floor));
            if error > worst.0 || error.is_nan() {
                worst = (error, [x, y], result, wanted);
            }
        }
        let (error, [x, y], result, wanted) = worst;
        println!("{function} from {low:e} to {high:e}: {error:.2} units");
        assert!(error <= units, "{function} at {x}, {y}: {result:e} for {wanted:e}, {error} units");
    }

    #[test]
    fn elementary_functions_are_those_of_the_processor() {
        for range in [[-10.0, 10.0], [-1e-3, 1e-3], [-1e6, 1e6]] {
            compare("double_sin(x)", range, 2.0, f64::MIN_POSITIVE, |x, _| x.sin());
            compare("double_cos(x)", range, 2.0, f64::MIN_POSITIVE, |x, _| x.cos());
            compare("double_tan(x)", range, 4.0, f64::MIN_POSITIVE, |x, _| x.tan());
            compare("double_atan(x)", range, 3.0, f64::MIN_POSITIVE, |x, _| x.atan());
            compare("double_atan2(x, y)", range, 3.0, f64::MIN_POSITIVE, f64::atan2);
        }
        compare("double_asin(x)", [-1.0, 1.0], 4.0, f64::MIN_POSITIVE, |x, _| x.asin());
        compare("double_acos(x)", [-1.0, 1.0], 4.0, f64::MIN_POSITIVE, |x, _| x.acos());
        for range in [[-1.0, 1.0], [-40.0, 40.0], [-700.0, 709.0]] {
            compare("double_exp(x)", range, 3.0, f64::MIN_POSITIVE, |x, _| x.exp());
        }
        compare("double_exp2(x)", [-1020.0, 1020.0], 3.0, f64::MIN_POSITIVE, |x, _| x.exp2());
        for range in [[1e-320, 1e-300], [1e-9, 1e-3], [0.5, 2.0], [0.999, 1.001], [2.0, 1e9], [1e290, 1e300]]
        {
            compare("double_log(x)", range, 3.0, f64::MIN_POSITIVE, |x, _| x.ln());
            compare("double_log2(x)", range, 4.0, f64::MIN_POSITIVE, |x, _| x.log2());
        }
        // the error of a logarithm counts as often as the exponent
        compare("double_pow(x, y)", [1e-3, 8.0], 40.0, f64::MIN_POSITIVE, f64::powf);
        compare("double_sinh(x)", [-30.0, 30.0], 5.0, f64::MIN_POSITIVE, |x, _| x.sinh());
        compare("double_cosh(x)", [-30.0, 30.0], 5.0, f64::MIN_POSITIVE, |x, _| x.cosh());
        compare("double_tanh(x)", [-30.0, 30.0], 8.0, f64::MIN_POSITIVE, |x, _| x.tanh());
        let ends = [[0.0, 2.0], [0.0, 0.0], [f64::INFINITY, 1.0], [-1.0, 1.0]];
        if let Some(powers) = computed("double_pow(x, y)", &ends) {
            assert!(powers[..3] == [0.0, 1.0, f64::INFINITY] && powers[3].is_nan(), "{powers:?}");
        }
    }
}
