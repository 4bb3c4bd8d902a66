// Capsule against box, in the frame of the box: the nearest feature of the box to the segment p + s a,
// s ∈ [−1, 1], and a second point along the segment as far as the box reaches. A ball at each is tested.
//#import collide
//#import common
//#import geom_pose
//#import geoms

// The nearest feature so far: squared distance, position on the segment, kind (0 none, 1 face, 2 edge), its
// axis (3: inside of the box), the corner that an edge starts at, where on the edge, and which end of it.
struct Nearest { dist2: f32, at: f32, kind: u32, axis: u32, corner: u32, on_edge: f32, end: i32 }

// The step to a second point where there is none.
const NO_SECOND = 1e30;

fn corner_point(bits: u32, half: vec3<f32>) -> vec3<f32> {
    return select(-half, half, (vec3<u32>(bits) & vec3<u32>(1u, 2u, 4u)) != vec3<u32>(0u));
}

fn capsule_box(g1: u32, g2: u32) {
    if (!spheres_meet(g1, g2)) { return; }
    let size = number2(GEOM_SIZE + 3u * g1);
    let half = number3(GEOM_SIZE + 3u * g2);
    let axes = quat_axes(geom_quat[g2]);
    let pos = transpose(axes) * (geom_pos[g1].xyz - geom_pos[g2].xyz);
    let axis = transpose(axes) * z_axis(g1);
    let a = axis * size.y;
    var best = Nearest(margin + 2.0 * (size.x + size.y + half.x + half.y + half.z), 0.0, 0u, 0u, 0u, 0.0, 0);
    for (var end = -1.0; end < 2.0; end += 2.0) { best = nearer_face(best, pos + a * end, end, half); }
    for (var k = 0u; k < 3u; k++) { best = nearer_edges(best, k, pos, a, size.y, half); }
    if (best.kind == 0u) { return; }
    var second = NO_SECOND;
    if (best.kind == 1u) {
        if (best.axis < 3u) { second = along_face(best, pos, a, half); }
    } else if (best.end == 0) {
        second = across_edge(best, axis, a, half);
    } else {
        second = past_corner(best, axis, a, half);
    }
    let centre = geom_pos[g1].xyz;
    let world_axis = axes * a;
    ball_box(centre + world_axis * best.at, size.x, g2);
    // a step of zero counts: the same point is there twice, as on the processor
    if (abs(second) < 1e10) { ball_box(centre + world_axis * (best.at + second), size.x, g2); }
}

// An end of the segment that lies over one face, or inside.
fn nearer_face(best: Nearest, point: vec3<f32>, end: f32, half: vec3<f32>) -> Nearest {
    var outside = 3u;
    var dist2 = 0.0;
    for (var k = 0u; k < 3u; k++) {
        let excess = max(abs(point[k]) - half[k], 0.0);
        if (excess > 0.0) {
            if (outside < 3u) { return best; }
            outside = k;
            dist2 = excess * excess;
        }
    }
    if (dist2 < best.dist2) { return Nearest(dist2, end, 1u, outside, 0u, 0.0, 0); }
    return best;
}

// The four edges along an axis. The nearest points minimise |d + x₁ h e − x₂ a|² over the square [−1, 1]².
fn nearer_edges(known: Nearest, axis: u32, pos: vec3<f32>, a: vec3<f32>, half_length: f32, half: vec3<f32>) -> Nearest {
    var best = known;
    let ma = half[axis] * half[axis];
    let mb = -half[axis] * a[axis];
    let mc = half_length * half_length;
    let det = ma * mc - mb * mb;
//#if DOUBLE
    if (!(abs(det) >= 1e-15)) { return best; }
//#else
    if (!(det > 1e-10 * ma * mc)) { return best; }
//#end
    let u = half[axis] * pos[axis];
    for (var n = 0u; n < 4u; n++) {
        // the bits of the two other axes, in order
        let low = select(1u, 2u, axis == 0u);
        let high = select(4u, 2u, axis == 2u);
        let corner = select(0u, low, (n & 1u) != 0u) | select(0u, high, (n & 2u) != 0u);
        var d = corner_point(corner, half) - pos;
        d[axis] = -pos[axis];
        let v = dot(a, d);
        var x1 = (mc * u - mb * v) / det;
        var x2 = (ma * v - mb * u) / det;
        var end = 0;
        if (abs(x1) > 1.0) {
            end = i32(sign(x1));
            x1 = sign(x1);
            x2 = (v - x1 * mb) / mc;
        }
        if (abs(x2) > 1.0) {
            x2 = sign(x2);
            x1 = (u - x2 * mb) / ma;
            if (abs(x1) > 1.0) {
                end = i32(sign(x1));
                x1 = sign(x1);
            }
        }
        var separation = d - a * x2;
        separation[axis] += half[axis] * x1;
        let dist2 = dot(separation, separation);
        // ties within rounding stay with the earlier feature
//#if DOUBLE
        if (dist2 < best.dist2 - 1e-15) { best = Nearest(dist2, x2, 2u, axis, corner, x1, end); }
//#else
        if (dist2 < best.dist2 * (1.0 - 1e-6) - 1e-12) { best = Nearest(dist2, x2, 2u, axis, corner, x1, end); }
//#end
    }
    return best;
}

fn direction_bits(a: vec3<f32>) -> u32 {
    let bits = select(vec3<u32>(0u), vec3<u32>(1u, 2u, 4u), a > vec3<f32>(0.0));
    return bits.x | bits.y | bits.z;
}

// Over the face towards the other end, as far as the face reaches.
fn along_face(best: Nearest, pos: vec3<f32>, a: vec3<f32>, half: vec3<f32>) -> f32 {
    let towards = -best.at;
    let point = pos + a * best.at;
    var step = 2.0;
    for (var k = 0u; k < 3u; k++) {
        if (k == best.axis) { continue; }
        for (var side = -1.0; side < 2.0; side += 2.0) {
            let reach = (side * half[k] - point[k]) / a[k] * towards;
            if (reach > 0.0 && reach < step) { step = reach; }
        }
    }
    return towards * step;
}

// Over the face to which the segment is more parallel, where the inside of an edge is nearest.
fn across_edge(best: Nearest, axis: vec3<f32>, a: vec3<f32>, half: vec3<f32>) -> f32 {
    let direction = direction_bits(a);
    let differing = (direction ^ best.corner) & ~(1u << best.axis);
    if (countOneBits(differing) != 1u) { return NO_SECOND; }
    let next = (best.axis + 1u) % 3u;
    let last = (best.axis + 2u) % 3u;
    let over = select(last, next, abs(axis[next]) > abs(axis[last]));
    let forward = (differing & (1u << over)) != 0u;
    let towards = select(-1.0, 1.0, forward);
    var step = min(1.0 - towards * best.at, 2.0 * half[over] / abs(a[over]));
    let along = ((direction & (1u << best.axis)) != 0u) == forward;
    let rest = select(1.0 + best.on_edge, 1.0 - best.on_edge, along);
    step = min(step, half[best.axis] * rest / abs(a[best.axis]));
    return towards * step;
}

// Along the edge or over the face that the segment follows, where a corner is nearest.
fn past_corner(best: Nearest, axis: vec3<f32>, a: vec3<f32>, half: vec3<f32>) -> f32 {
    let corner = best.corner | select(0u, 1u << best.axis, best.end > 0);
    let differing = direction_bits(a) ^ corner;
    let count = countOneBits(differing);
    if (count != 1u && count != 2u) { return NO_SECOND; }
    let towards = select(-1.0, 1.0, count == 1u);
    let single = firstTrailingBit(select(7u - differing, differing, count == 1u));
    if (axis[single] * axis[single] > 0.5) {
        return towards * min(1.0 - towards * best.at, 2.0 * half[single] / abs(a[single]));
    }
    let next = (single + 1u) % 3u;
    let last = (single + 2u) % 3u;
    let step = min(1.0 + towards * best.at, 2.0 * half[next] / abs(a[next]));
    return -towards * min(step, 2.0 * half[last] / abs(a[last]));
}
