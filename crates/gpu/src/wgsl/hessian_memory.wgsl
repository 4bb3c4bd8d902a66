// The Hessian in scratch memory, a row for each lane: for models with more dofs than registers can hold.

var<workgroup> column_rhs: array<f32, 2>;

// Four columns of a row.
fn hessian_at(row: u32, c: u32) -> u32 { return scratch_base + SCRATCH_HESSIAN + (first_dof() + row) * WIDTH4 + c; }

fn load_mass() {
    if (lane < own_dofs()) {
        for (var c = 0u; c < WIDTH4; c++) {
            scratch[hessian_at(lane, c)] = mass4(c);
        }
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

fn add_outer(x: f32, row: u32) {
    if (lane < own_dofs()) {
        for (var c = 0u; c < WIDTH4; c++) { scratch[hessian_at(lane, c)] += x * jacobian4(row, c); }
    }
}

fn add_diagonal(x: f32) { add_entry(lane, x); }

fn add_entry(j: u32, x: f32) {
    if (lane < own_dofs()) { scratch[hessian_at(lane, j >> 2u)][j & 3u] += x; }
}

// Solves H x = rhs, one entry a lane.
fn solve_hessian(rhs: f32) -> f32 {
    var g = rhs;
    var inverse = 0.0;
    for (var k = 0u; k < own_dofs(); k++) {
        if (lane == k) { column_rhs[k & 1u] = g; }
        storageBarrier();
        workgroupBarrier();
        let pivot = 1.0 / max(scratch[hessian_at(k, k >> 2u)][k & 3u], 1e-15);
        if (lane == k) { inverse = pivot; }
        if (lane > k && lane < own_dofs()) {
            let factor = scratch[hessian_at(lane, k >> 2u)][k & 3u] * pivot;
            for (var c = k >> 2u; c < WIDTH4; c++) { scratch[hessian_at(lane, c)] -= factor * scratch[hessian_at(k, c)]; }
            g -= factor * column_rhs[k & 1u];
        }
    }
    workgroupBarrier();
    for (var k = own_dofs() - 1u; k > 0u; k--) {
        if (lane == k) { column_rhs[k & 1u] = g * inverse; }
        workgroupBarrier();
        if (lane < k) { g -= scratch[hessian_at(lane, k >> 2u)][k & 3u] * column_rhs[k & 1u]; }
    }
    return g * inverse;
}
