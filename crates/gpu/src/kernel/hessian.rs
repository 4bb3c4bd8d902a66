//! WGSL of the Hessian: its rows in registers, four columns a variable, and their elimination unrolled.
//!
//! A lane holds a whole row of the symmetric matrix. In step `k` of the elimination each lane makes its entry
//! of column `k` known, which by symmetry is row `k`, and subtracts the multiple that removes it. Entries
//! left of the diagonal mean nothing afterwards; the right-hand side is carried along, so that only the
//! substitution from the last row to the first remains.

use std::fmt::Write;

const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// How one lane's number becomes known to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broadcast {
    /// By a subgroup operation.
    Subgroup,
    /// Through workgroup memory.
    Workgroup,
}

/// Functions over rows of `nv` columns.
pub(super) fn hessian_functions(nv: usize, broadcast: Broadcast) -> String {
    let groups = nv.div_ceil(4);
    let mut text = String::from("// This lane's row of the Hessian, four columns a variable.\n");
    for c in 0..groups {
        line(&mut text, &format!("var<private> h{c}: vec4<f32>;"));
    }
    line(&mut text, "var<workgroup> column: array<vec4<f32>, 2u * WIDTH4>;");
    line(&mut text, "var<workgroup> column_rhs: array<f32, 2>;\n");
    text += &load_mass(groups);
    text += &products(groups);
    text += &add_outer(groups);
    text += &add_entry(groups);
    text += &solve(nv, groups, broadcast);
    text
}

fn line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

fn entry(column: usize) -> String {
    format!("h{}.{}", column / 4, COMPONENTS[column % 4])
}

fn load_mass(groups: usize) -> String {
    let mut text = String::from("fn load_mass() {\n");
    for c in 0..groups {
        let _ = writeln!(text, "    h{c} = vec4<f32>(0.0);");
    }
    line(&mut text, "    if (lane < own_dofs()) {");
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
        "fn mass_dot() -> f32 {{\n    if (lane >= own_dofs()) {{ return 0.0; }}\n{mass}fn row_dot(row: u32) -> f32 \
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

fn solve(nv: usize, groups: usize, broadcast: Broadcast) -> String {
    let mut text = String::from(
        "// Solves H x = rhs, one entry a lane.\nfn solve_hessian(rhs: f32) -> f32 {\n    var g = rhs;\n    var inverse \
         = 0.0;\n    var factor = 0.0;\n    var pivot = 0.0;\n",
    );
    for k in 0..nv {
        text += &eliminate(k, groups);
    }
    for k in (1..nv).rev() {
        text += &substitute(k, broadcast);
    }
    text + "    return g * inverse;\n}\n"
}

/// Removes column `k` from the rows below.
fn eliminate(k: usize, groups: usize) -> String {
    let (buffer, entry) = (k % 2 * groups, entry(k));
    let mut text = format!(
        "    // column {k}\n    if (lane < 4u * WIDTH4) {{ column[{buffer}u + (lane >> 2u)][lane & 3u] = {entry}; }}\n    if \
         (lane == {k}u) {{ column_rhs[{}] = g; }}\n    barrier();\n    pivot = inverseSqrt(max(column[{}].{}, 1e-15));\n    pivot \
         *= pivot;\n    if (lane == {k}u) {{ inverse = pivot; }}\n    factor = select(0.0, {entry} * pivot, lane > {k}u);\n",
        k % 2,
        buffer + k / 4,
        COMPONENTS[k % 4]
    );
    for c in k / 4..groups {
        let _ = writeln!(text, "    h{c} -= factor * column[{}];", buffer + c);
    }
    let _ = writeln!(text, "    g -= factor * column_rhs[{}];", k % 2);
    text
}

/// Takes the known unknown `k` out of the rows above.
fn substitute(k: usize, broadcast: Broadcast) -> String {
    let entry = entry(k);
    match broadcast {
        Broadcast::Subgroup => format!(
            "    pivot = subgroupBroadcast(g * inverse, {k}u);\n    g -= select(0.0, {entry} * pivot, lane < {k}u);\n"
        ),
        Broadcast::Workgroup => format!(
            "    if (lane == {k}u) {{ column_rhs[{0}] = g * inverse; }}\n    barrier();\n    g -= select(0.0, {entry} * \
             column_rhs[{0}], lane < {k}u);\n",
            k % 2
        ),
    }
}
