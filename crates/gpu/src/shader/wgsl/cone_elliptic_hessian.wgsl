// H += Jᵀ W J, with W the Hessian of the block's cost.
//#import cone_elliptic
//#import solve

fn add_block(c: u32) {
    let state = block_state[c];
    if (state == 0u) { return; }
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    let cone = cone_at(c, 0.0);
    let mu = block_mu[c];
    let dm = cone_d(c);
    let s0 = mu * jacobian(row);
    // product of the tangential unit vector with this lane's scaled column
    var along = 0.0;
    if (state == 2u) {
        for (var k = 1u; k < dim; k++) {
            let f = cone_scale(c, k);
            along += f * row_x[row + k] / cone.tangent * f * jacobian(row + k);
        }
    }
    let bend = mu * cone.normal / cone.tangent;
    // one place for all rows keeps the kernel short
    for (var k = 0u; k < dim; k++) {
        let j = jacobian(row + k);
        var x = row_d(c, k) * j;
        if (state == 2u) {
            let f = cone_scale(c, k);
            let unit = f * row_x[row + k] / cone.tangent;
            let y = -mu * unit * s0 + bend * unit * along + (mu * mu - bend) * f * j;
            x = dm * select(f * y, mu * (s0 - mu * along), k == 0u);
        }
        add_outer(x, row + k);
    }
}
