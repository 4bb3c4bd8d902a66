// The inverse of a matrix in scratch memory, in its place.
//#import common
//#import hessian_memory
//#import solve

// entries of the column at hand, twice, used alternately
var<workgroup> column: array<vec4<f32>, 2u * WIDTH4>;

// Sweeps all columns (Goodnight 1979), which leaves the negative inverse; the matrix is symmetric in between, so that a
// column is also a row.
fn invert() {
    for (var k = 0u; k < own_dofs(); k++) {
        let half = (k & 1u) * WIDTH4;
        let is_pivot = lane == k;
        var entry = 0.0;
        if (lane < own_dofs()) { entry = scratch[hessian_at(lane, k >> 2u)][k & 3u]; }
        if (lane < 4u * WIDTH4) { column[half + (lane >> 2u)][lane & 3u] = entry; }
        barrier();
        let pivot = 1.0 / max(column[half + (k >> 2u)][k & 3u], 1e-15);
        let factor = select(entry * pivot, -pivot, is_pivot);
        if (lane < own_dofs()) {
            for (var c = 0u; c < WIDTH4; c++) {
                let row = select(scratch[hessian_at(lane, c)], vec4<f32>(0.0), is_pivot);
                scratch[hessian_at(lane, c)] = row - factor * column[half + c];
            }
            scratch[hessian_at(lane, k >> 2u)][k & 3u] = factor;
        }
    }
}

// Product of the inverse with a joint-space vector, one entry a lane.
fn inverse_dot(x: f32) -> f32 {
    share(x);
    if (lane >= own_dofs()) { return 0.0; }
    var sum = 0.0;
    for (var c = 0u; c < WIDTH4; c++) { sum += dot(scratch[hessian_at(lane, c)], dofs[c]); }
    return -sum;
}
