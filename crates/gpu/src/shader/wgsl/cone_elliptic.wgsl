// Blocks with elliptic cones: in the scaled residual u = (μ x₀, μ₁ x₁, …) with normal N = u₀ and tangential
// length T, the cost is zero for N ≥ μ T, quadratic for μ N + T ≤ 0, and ½ Dₘ (N − μ T)² between. The state
// of a block is 0, 1 or 2 in this order.
//#import common
//#import solve

fn set_block(c: u32, dim: u32, friction: u32, imp: f32, weight: f32) {
    block_d[c] = 1.0 / regularizer(imp, weight);
    if (dim > 1u) {
//#if DOUBLE
        block_mu[c] = number(friction) * (1.0 / double_root(IMPRATIO));
//#else
        block_mu[c] = number(friction) * inverseSqrt(IMPRATIO);
//#end
        for (var k = 0u; k + 1u < dim; k++) { block_friction[FRICTIONS * c + k] = number(friction + k); }
    }
}

// Scale of a row in the cone's coordinates.
fn cone_scale(c: u32, k: u32) -> f32 {
    if (k == 0u) { return block_mu[c]; }
    return block_friction[FRICTIONS * c + k - 1u];
}

// Inverse regularizer of a row: D μ² is the same in all directions of friction.
fn row_d(c: u32, k: u32) -> f32 {
    if (k == 0u) { return block_d[c]; }
    let ratio = block_friction[FRICTIONS * c + k - 1u] / block_friction[FRICTIONS * c];
    return block_d[c] * IMPRATIO * ratio * ratio;
}

// Weight of the cone's cost, Dₘ.
fn cone_d(c: u32) -> f32 {
    let mu2 = block_mu[c] * block_mu[c];
    return block_d[c] / (mu2 * (1.0 + mu2));
}

// Normal and tangential part of the scaled residual, and the state that they mean.
struct Cone { normal: f32, tangent: f32, state: u32 }

fn cone_at(c: u32, alpha: f32) -> Cone {
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    let mu = block_mu[c];
    let n = mu * (row_x[row] + alpha * row_v[row]);
    var t2 = 0.0;
    for (var k = 1u; k < dim; k++) {
        let u = block_friction[FRICTIONS * c + k - 1u] * (row_x[row + k] + alpha * row_v[row + k]);
        t2 += u * u;
    }
    let t = sqrt(t2);
    if (n >= mu * t) { return Cone(n, t, 0u); }
    if (mu * n + t <= 0.0) { return Cone(n, t, 1u); }
    return Cone(n, t, 2u);
}

fn block_cost(c: u32, alpha: f32) -> f32 {
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    if (dim == 1u) { return single_cost(c, row_x[row] + alpha * row_v[row]); }
    let cone = cone_at(c, alpha);
    if (cone.state == 0u) { return 0.0; }
    if (cone.state == 2u) {
        let gap = cone.normal - block_mu[c] * cone.tangent;
        return 0.5 * cone_d(c) * gap * gap;
    }
    var sum = 0.0;
    for (var k = 0u; k < dim; k++) {
        let x = row_x[row + k] + alpha * row_v[row + k];
        sum += row_d(c, k) * x * x;
    }
    return 0.5 * sum;
}

fn block_slope(c: u32, alpha: f32) -> vec2<f32> {
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    var d = vec2<f32>(0.0);
    if (dim == 1u) {
        let v = row_v[row];
        return single_slope(c, row_x[row] + alpha * v) * vec2<f32>(v, v * v);
    }
    let cone = cone_at(c, alpha);
    if (cone.state == 0u) { return d; }
    if (cone.state == 1u) {
        for (var k = 0u; k < dim; k++) {
            let v = row_v[row + k];
            d += row_d(c, k) * v * vec2<f32>(row_x[row + k] + alpha * v, v);
        }
        return d;
    }
    let mu = block_mu[c];
    let t = cone.tangent;
    var uv = 0.0;
    var vv = 0.0;
    for (var k = 1u; k < dim; k++) {
        let f = block_friction[FRICTIONS * c + k - 1u];
        let v = f * row_v[row + k];
        uv += f * (row_x[row + k] + alpha * row_v[row + k]) * v;
        vv += v * v;
    }
    let t1 = uv / t;
    let t2 = max(vv - t1 * t1, 0.0) / t;
    let gap = cone.normal - mu * t;
    let gap1 = mu * row_v[row] - mu * t1;
    return cone_d(c) * vec2<f32>(gap * gap1, gap1 * gap1 - gap * mu * t2);
}

// Forces and state of a block; returns its cost.
fn block_forces(c: u32) -> f32 {
    let row = block_info[c] & 0xffffu;
    let dim = block_dim(c);
    if (dim == 1u) {
        let slope = single_slope(c, row_x[row]);
        row_f[row] = -slope.x;
        block_state[c] = select(0u, 1u, slope.y > 0.0);
        return single_cost(c, row_x[row]);
    }
    let cone = cone_at(c, 0.0);
    block_state[c] = cone.state;
    let mu = block_mu[c];
    let normal = -cone_d(c) * (cone.normal - mu * cone.tangent) * mu;
    for (var k = 0u; k < dim; k++) {
        var f = 0.0;
        if (cone.state == 1u) {
            f = -row_d(c, k) * row_x[row + k];
        } else if (cone.state == 2u) {
            let scale = cone_scale(c, k);
            f = select(-normal / cone.tangent * scale * scale * row_x[row + k], normal, k == 0u);
        }
        row_f[row + k] = f;
    }
    return block_cost(c, 0.0);
}
