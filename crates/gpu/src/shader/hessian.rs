//! WGSL of the Hessian: its rows in registers, four columns a variable, and their elimination.
//!
//! A lane holds a whole row of the symmetric matrix. In step `k` of the elimination each lane makes its entry
//! of column `k` known, which for rows that are still to come is row `k` by symmetry, and subtracts the
//! multiple of it that removes its own entry: from the rows above as well, so that no substitution remains.
//!
//! Four steps are the body of a loop, at whose end columns move up by one variable: a kernel that is unrolled
//! altogether is so long that processors wait for its instructions. Rows become shorter on the way, so the
//! loop is written a few times for fewer and fewer variables.
//!
//! Conjugate gradients have the inverse of the inertia matrix there instead, by the sweep operator
//! (Goodnight 1979): a column that is done comes back as one of the inverse, behind all others.

use std::fmt::Write;

const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Variables by which the loop of the elimination becomes shorter each time that it is written.
const SHORTER_BY: usize = 4;

/// Functions over rows of `nv` columns.
pub(super) fn hessian_functions(nv: usize) -> String {
    let groups = nv.div_ceil(4);
    let mut text = String::from("// This lane's row of the Hessian, four columns a variable.\n");
    for c in 0..groups {
        line(&mut text, &format!("var<private> h{c}: vec4<f32>;"));
    }
    line(&mut text, "// entries of the column at hand and right-hand sides, each twice, used alternately");
    line(&mut text, &format!("const COLUMN = max(WIDTH4 + {SHORTER_BY}u, LANES / 4u);"));
    line(&mut text, "var<workgroup> column: array<vec4<f32>, 2u * COLUMN>;");
    line(&mut text, "var<workgroup> column_rhs: array<f32, 2u * LANES>;\n");
    text += &load_mass(groups);
    text += &products(groups);
    text += &add_outer(groups);
    text += &add_entry(groups);
    text += &solve(groups);
    text
}

/// Functions over rows of `nv` columns whose matrix is inverted in its place.
pub(super) fn inverse_functions(nv: usize) -> String {
    let groups = nv.div_ceil(4);
    let mut text =
        String::from("// This lane's row of the inertia matrix or its inverse, four columns a variable.\n");
    for c in 0..groups {
        line(&mut text, &format!("var<private> h{c}: vec4<f32>;"));
    }
    line(
        &mut text,
        "// entries of the column at hand, two copies behind each other, and this twice, used alternately",
    );
    line(&mut text, "var<workgroup> column: array<vec4<f32>, 4u * WIDTH4>;\n");
    text += &load_mass(groups);
    text += &products(groups);
    text += &add_entry(groups);
    text += &invert(groups);
    text += &inverse_dot(groups);
    text
}

fn line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

fn load_mass(groups: usize) -> String {
    let mut text = String::from("fn load_mass() {\n");
    for c in 0..groups {
        let _ = writeln!(text, "    h{c} = vec4<f32>(0.0);");
    }
    line(&mut text, "    if (has_dof) {");
    for c in 0..groups {
        let _ = writeln!(text, "        h{c} = mass4({c}u);");
    }
    text + "    }\n}\n\n"
}

/// Products of a row of the inertia matrix and of the Jacobian with the shared vector.
fn products(groups: usize) -> String {
    let sum = |item: &dyn Fn(usize) -> String| {
        let mut text = String::from("    var sum = 0.0;\n");
        for c in 0..groups {
            let _ = writeln!(text, "    sum += dot({}, dofs[{c}]);", item(c));
        }
        text + "    return sum;\n}\n\n"
    };
    let mass = sum(&|c| format!("mass4({c}u)"));
    let row = sum(&|c| format!("jacobian4(row, {c}u)"));
    format!(
        "fn mass_dot() -> f32 {{\n    if (!has_dof) {{ return 0.0; }}\n{mass}fn row_dot(row: u32) -> f32 \
         {{\n{row}"
    )
}

fn add_outer(groups: usize) -> String {
    let mut text = String::from("fn add_outer(x: f32, row: u32) {\n");
    for c in 0..groups {
        let _ = writeln!(text, "    h{c} += x * jacobian4(row, {c}u);");
    }
    text + "}\n\n"
}

fn add_entry(groups: usize) -> String {
    let mut text =
        String::from("fn add_diagonal(x: f32) { add_entry(lane, x); }\n\nfn add_entry(j: u32, x: f32) {\n");
    for c in 0..groups {
        let first = 4 * c;
        let _ = writeln!(
            text,
            "    h{c} += select(vec4<f32>(0.0), vec4<f32>(x), vec4<u32>(j) == vec4<u32>({first}u, {}u, {}u, {}u));",
            first + 1,
            first + 2,
            first + 3
        );
    }
    text + "}\n\n"
}

fn solve(groups: usize) -> String {
    let mut text = String::from(
        "// Solves H x = rhs, one entry a lane.\nfn solve_hessian(rhs: f32) -> f32 {\n    var g = rhs;\n    var inverse \
         = 0.0;\n",
    );
    for first in (0..groups).step_by(SHORTER_BY) {
        let end = (first + SHORTER_BY).min(groups);
        let _ = writeln!(text, "    for (var group = {first}u; group < {end}u; group++) {{");
        for component in 0..4 {
            text += &eliminate(component, groups - first);
        }
        text += "    }\n";
    }
    text + "    return g * inverse;\n}\n"
}

/// Removes a column of the first variable from all rows but its own; `groups` variables are left.
fn eliminate(component: usize, groups: usize) -> String {
    let (letter, half) = (COMPONENTS[component], component % 2);
    let mut text = format!(
        "        {{
            let k = 4u * group + {component}u;
            let at = {half}u * COLUMN + group;
            column[{half}u * COLUMN + (lane >> 2u)][lane & 3u] = h0.{letter};
            column_rhs[{half}u * LANES + lane] = g;
            barrier();
            let first = column[at];
            let root = inverseSqrt(max(first.{letter}, 1e-15));
            let pivot = root * root;
            inverse = select(inverse, pivot, lane == k);
            let factor = select(h0.{letter} * pivot, 0.0, lane == k);
            g -= factor * column_rhs[{half}u * LANES + k];
"
    );
    // with the last column of the variable the others move up
    if component < 3 {
        text += "            h0 -= factor * first;\n";
    }
    for c in 1..groups {
        let to = if component < 3 { c } else { c - 1 };
        let _ = writeln!(text, "            h{to} = h{c} - factor * column[at + {c}u];");
    }
    text + "        }\n"
}

fn invert(groups: usize) -> String {
    let mut text = String::from(
        "// Sweeps all columns, which leaves the negative inverse; the matrix is symmetric in between, so that a column is \
         also a row.\nfn invert() {\n",
    );
    let _ = writeln!(text, "    for (var group = 0u; group < {groups}u; group++) {{");
    for component in 0..4 {
        text += &sweep(component, groups);
    }
    text + "    }\n}\n\n"
}

/// Replaces a column of the first variable by one of the inverse; with the last of them the variable goes
/// behind all others.
fn sweep(component: usize, groups: usize) -> String {
    let (letter, half) = (COMPONENTS[component], component % 2);
    let mut text = format!(
        "        {{
            let is_pivot = lane == 4u * group + {component}u;
            let at = {half}u * 2u * WIDTH4;
            if (lane < 4u * WIDTH4) {{
                column[at + (lane >> 2u)][lane & 3u] = h0.{letter};
                column[at + WIDTH4 + (lane >> 2u)][lane & 3u] = h0.{letter};
            }}
            barrier();
            let pivot = 1.0 / max(column[at + group].{letter}, 1e-15);
            let factor = select(h0.{letter} * pivot, -pivot, is_pivot);
            let stays = select(1.0, 0.0, is_pivot);
            var first = stays * h0 - factor * column[at + group];
            first.{letter} = factor;
"
    );
    if component < 3 {
        text += "            h0 = first;\n";
    }
    for c in 1..groups {
        let to = if component < 3 { c } else { c - 1 };
        let _ = writeln!(text, "            h{to} = stays * h{c} - factor * column[at + group + {c}u];");
    }
    if component == 3 {
        let _ = writeln!(text, "            h{} = first;", groups - 1);
    }
    text + "        }\n"
}

fn inverse_dot(groups: usize) -> String {
    let mut text = String::from(
        "// Product of the inverse with a joint-space vector, one entry a lane.\nfn inverse_dot(x: f32) -> f32 {\n    \
         share(x);\n    var sum = 0.0;\n",
    );
    for c in 0..groups {
        let _ = writeln!(text, "    sum += dot(h{c}, dofs[{c}]);");
    }
    text + "    return -sum;\n}\n"
}
