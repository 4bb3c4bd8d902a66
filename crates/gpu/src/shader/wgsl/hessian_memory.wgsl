// A matrix over dofs in scratch memory, a row for each lane: for models with more dofs than registers can hold.
//#import common
//#import solve
//#if CONJUGATE_GRADIENTS
//#import hessian_memory_inverse
//#else
//#import hessian_memory_newton
//#end

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

fn add_diagonal(x: f32) { add_entry(lane, x); }

fn add_entry(j: u32, x: f32) {
    if (lane < own_dofs()) { scratch[hessian_at(lane, j >> 2u)][j & 3u] += x; }
}
