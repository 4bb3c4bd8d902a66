// Newton's Hessian in scratch memory, and its elimination.
//#import common
//#import hessian_memory
//#import solve

var<workgroup> column_rhs: array<f32, 2>;

fn add_outer(x: f32, row: u32) {
    if (lane < own_dofs()) {
        for (var c = 0u; c < WIDTH4; c++) { scratch[hessian_at(lane, c)] += x * jacobian4(row, c); }
    }
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
