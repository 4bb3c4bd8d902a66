// What is another thing in double precision: each of these takes the place of what a kernel has under the same name,
// where it has it. Tolerances are those of the processor.

fn sine_cosine(x: f64) -> vec2<f64> { return double_sine_cosine(x); }
fn angle_of(s: f64, c: f64) -> f64 { return double_atan2(s, c); }

// solve.wgsl
const ROUNDING = 6e-16lf;

// box_box.wgsl
const EDGE_ADVANTAGE = vec2<f64>(1e-12lf, 0.0lf);
const PARALLEL = 1e-15lf;
// only points that are equal to the last bit are one
const SAME_POINT = 1e-300lf;

// convex_gjk.wgsl
const GAP_ROUNDING = 0.0lf;

// wrap.wgsl: the root of the reflection by the processor's own iterates, since these stop at 1e-6
fn wrap_inside(end0: vec2<f64>, end1: vec2<f64>, radius: f64) -> FlatPath {
    var path = FlatPath(vec2<f64>(0.0lf), vec2<f64>(0.0lf), FREE_WAY);
    let l0 = length(end0);
    let l1 = length(end1);
    if (l0 <= radius || l1 <= radius || radius < 1e-15lf) { return path; }
    let d = end1 - end0;
    let dd = dot(d, d);
    if (dd > 1e-15lf) {
        let a = -dot(d, end0) / dd;
        if (a > 0.0lf && a < 1.0lf && length(end0 + a * d) <= radius) { return path; }
    }
    let cos_gap = (l0 * l0 + l1 * l1 - dd) / (2.0lf * l0 * l1);
    if (cos_gap < -1.0lf + 1e-15lf) { return path; }
    path.arc = 0.0lf;
    path.first = radius * unit2(end0 + end1);
    let a = radius / l0;
    let b = radius / l1;
    let z = double_reflection(a, b, cos_gap);
    if (z > 0.0lf) {
        let forward = cross2(end0, end1) > 0.0lf;
        let angle = double_asin(z) - double_asin(select(b, a, forward) * z);
        let x = unit2(select(end1, end0, forward));
        let s = double_sine_cosine(angle);
        path.first = radius * vec2<f64>(s.y * x.x - s.x * x.y, s.x * x.x + s.y * x.y);
    }
    path.last = path.first;
    return path;
}

// convex_manifold.wgsl: normals of faces are numbers of the model
fn hull_normal(s: Convex, face: u32) -> vec3<f64> {
    if (s.kind == BOX) { return s.axes[face >> 1u] * select(1.0lf, -1.0lf, (face & 1u) == 1u); }
    return s.axes * number3(MESH_NORMALS + polygon_word(s.geom, 0u, 3u * face));
}
