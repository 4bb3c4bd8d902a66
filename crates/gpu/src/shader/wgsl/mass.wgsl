// Columns of the inertia matrix in this lane's row, four at a time, where rows are as wide as those of the kernel.
// Columns of the inertia matrix in this lane's row, four at a time, where rows are as wide as those of the kernel.
//#import common
//#import solve

fn mass4(c: u32) -> vec4<f32> { return scratch[scratch_base + SCRATCH_MASS + c * SOLVE_LANES + dof]; }
