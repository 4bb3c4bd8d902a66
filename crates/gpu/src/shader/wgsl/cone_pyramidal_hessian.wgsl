// H += Jᵀ D J over the edges that push.
//#import solve

fn add_block(c: u32) {
    let edges = block_state[c];
    if (edges == 0u) { return; }
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    let d = block_d[c];
    let j0 = jacobian(row);
    // the normal's row is last, when the edges are known that push; one place for all rows keeps the kernel short
    var u0 = select(0.0, d * j0, dim == 1u);
    for (var k = dim; k > 0u; k--) {
        var x = u0;
        if (k > 1u) {
            let pushing = edges >> (2u * k - 4u);
            let mu = block_friction[FRICTIONS * c + k - 2u];
            let t = mu * jacobian(row + k - 1u);
            let p = select(0.0, d * (j0 + t), (pushing & 1u) != 0u);
            let m = select(0.0, d * (j0 - t), (pushing & 2u) != 0u);
            u0 += p + m;
            x = mu * (p - m);
        }
        add_outer(x, row + k - 1u);
    }
}
