// Blocks with pyramidal cones: a contact of dimension n > 1 has 2 (n − 1) edges x₀ ± μₖ xₖ, each quadratic
// below zero and free above. Dimension one is the normal alone. The state of a block is the set of its edges
// that push, one bit each.
//#import common
//#import solve

fn set_block(c: u32, dim: u32, friction: u32, imp: f32, weight: f32) {
    var d = 1.0 / regularizer(imp, weight);
    if (dim > 1u) {
        let mu = number(friction);
        // the pyramid has the friction impedance of the elliptic cone
        let normal = regularizer(imp, weight * (1.0 + mu * mu));
        d = 1.0 / (2.0 * mu * mu / IMPRATIO * normal);
        for (var k = 0u; k + 1u < dim; k++) { block_friction[FRICTIONS * c + k] = number(friction + k); }
    }
    block_d[c] = d;
}

fn block_cost(c: u32, alpha: f32) -> f32 {
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    let x0 = row_x[row] + alpha * row_v[row];
    if (dim == 1u) { return single_cost(c, row_x[row] + alpha * row_v[row]); }
    var sum = 0.0;
    for (var k = 1u; k < dim; k++) {
        let t = block_friction[FRICTIONS * c + k - 1u] * (row_x[row + k] + alpha * row_v[row + k]);
        let p = min(x0 + t, 0.0);
        let m = min(x0 - t, 0.0);
        sum += p * p + m * m;
    }
    return 0.5 * block_d[c] * sum;
}

fn block_slope(c: u32, alpha: f32) -> vec2<f32> {
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    let v0 = row_v[row];
    let x0 = row_x[row] + alpha * v0;
    var sum = vec2<f32>(0.0);
    if (dim == 1u) { return single_slope(c, x0) * vec2<f32>(v0, v0 * v0); }
    for (var k = 1u; k < dim; k++) {
        let mu = block_friction[FRICTIONS * c + k - 1u];
        let v = mu * row_v[row + k];
        let t = mu * row_x[row + k] + alpha * v;
        let p = x0 + t;
        let m = x0 - t;
        if (p < 0.0) { sum += vec2<f32>(p * (v0 + v), (v0 + v) * (v0 + v)); }
        if (m < 0.0) { sum += vec2<f32>(m * (v0 - v), (v0 - v) * (v0 - v)); }
    }
    return block_d[c] * sum;
}

// Forces and state of a block; returns its cost.
fn block_forces(c: u32) -> f32 {
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    let d = block_d[c];
    let x0 = row_x[row];
    if (dim == 1u) {
        let slope = single_slope(c, row_x[row]);
        row_f[row] = -slope.x;
        block_state[c] = select(0u, 1u, slope.y > 0.0);
        return single_cost(c, row_x[row]);
    }
    var edges = 0u;
    var normal = 0.0;
    var squares = 0.0;
    for (var k = 1u; k < dim; k++) {
        let mu = block_friction[FRICTIONS * c + k - 1u];
        let t = mu * row_x[row + k];
        let p = min(x0 + t, 0.0);
        let m = min(x0 - t, 0.0);
        normal -= d * (p + m);
        squares += p * p + m * m;
        row_f[row + k] = -d * mu * (p - m);
        edges |= select(0u, 1u, p < 0.0) << (2u * k - 2u);
        edges |= select(0u, 1u, m < 0.0) << (2u * k - 1u);
    }
    row_f[row] = normal;
    block_state[c] = edges;
    return 0.5 * d * squares;
}
