// The Hessian in workgroup memory, for models with more dofs than a subgroup has lanes: its lower triangle, a row
// for each lane in groups of four columns.

var<workgroup> triangle: array<vec4<f32>, TRIANGLE>;
// the column at hand below the diagonal, its pivot, and the entry of the right-hand side, each twice in turns
var<workgroup> column: array<vec4<f32>, 2u * WIDTH4>;
var<workgroup> column_pivot: array<f32, 2>;
var<workgroup> column_rhs: array<f32, 2>;

fn row_at(i: u32) -> u32 { return ((i >> 2u) + 1u) * (2u * (i >> 2u) + (i & 3u)); }

fn load_mass() {
    if (lane < own_dofs()) {
        let row = row_at(lane);
        for (var c = 0u; c <= lane >> 2u; c++) { triangle[row + c] = mass4(c); }
    }
}

fn mass_dot() -> f32 {
    if (lane >= own_dofs()) { return 0.0; }
    var sum = 0.0;
    for (var c = 0u; c < WIDTH4; c++) { sum += dot(mass4(c), dofs[c]); }
    return sum;
}

fn row_dot(row: u32) -> f32 {
    var sum = 0.0;
    for (var c = 0u; c < WIDTH4; c++) { sum += dot(jacobian4(row, c), dofs[c]); }
    return sum;
}

fn add_outer(x: f32, jacobian_row: u32) {
    if (lane < own_dofs() && x != 0.0) {
        let row = row_at(lane);
        for (var c = 0u; c <= lane >> 2u; c++) { triangle[row + c] += x * jacobian4(jacobian_row, c); }
    }
}

fn add_diagonal(x: f32) { add_entry(lane, x); }

fn add_entry(j: u32, x: f32) {
    if (lane < own_dofs() && j <= lane) { triangle[row_at(lane) + (j >> 2u)][j & 3u] += x; }
}

// Solves H x = rhs, one entry a lane.
fn solve_hessian(rhs: f32) -> f32 {
    var g = rhs;
    var inverse = 0.0;
    let row = row_at(min(lane, own_dofs() - 1u));
    for (var k = 0u; k < own_dofs(); k++) {
        let at = (k & 1u) * WIDTH4;
        var entry = 0.0;
        if (lane >= k && lane < own_dofs()) { entry = triangle[row + (k >> 2u)][k & 3u]; }
        if (lane == k) {
            column_pivot[k & 1u] = entry;
            column_rhs[k & 1u] = g;
        }
        // zero on and above the diagonal: the finished columns stay for the substitution
        if (lane < 4u * WIDTH4) { column[at + (lane >> 2u)][lane & 3u] = select(0.0, entry, lane > k); }
        workgroupBarrier();
        let pivot = 1.0 / max(column_pivot[k & 1u], 1e-15);
        if (lane == k) { inverse = pivot; }
        if (lane > k && lane < own_dofs()) {
            let factor = entry * pivot;
            for (var c = k >> 2u; c <= lane >> 2u; c++) { triangle[row + c] -= factor * column[at + c]; }
            g -= factor * column_rhs[k & 1u];
        }
    }
    workgroupBarrier();
    for (var k = own_dofs() - 1u; k > 0u; k--) {
        if (lane == k) { column_rhs[k & 1u] = g * inverse; }
        workgroupBarrier();
        if (lane < k) { g -= triangle[row_at(k) + (lane >> 2u)][lane & 3u] * column_rhs[k & 1u]; }
    }
    return g * inverse;
}
