// Shortest path of a tendon around a sphere or a cylinder, in the plane of the path: a sphere is cut by the plane
// of its centre and the two ends, a cylinder by the plane across its axis.
//#import common
//#import transmissions_nonlinear

// A stretch between two sites around a geom is three pieces: the straight way, and the ways to and from the
// geom. Either the first or the other two are there.
fn put_wrapped(k: u32, piece: u32, first: vec3<f32>, second: vec3<f32>, scale: f32, is_cylinder: bool) {
    let g = index(ITEM_IDS + 4u * k + 2u);
    let geom = attached(index(GEOM_BODYID + g), GEOM_POS + 3u * g, GEOM_QUAT + 4u * g);
    let back = vec4<f32>(geom.quat.x, -geom.quat.yzw);
    let p0 = rotate(back, first - geom.pos);
    let p1 = rotate(back, second - geom.pos);
    let side = ints[ITEM_IDS + 4u * k + 3u];
    var side_point = vec3<f32>(0.0);
    if (side >= 0) { side_point = rotate(back, site_frame(u32(side)).pos - geom.pos); }
    let path = wrap(p0, p1, side >= 0, side_point, number(GEOM_SIZE + 3u * g), is_cylinder);
    if (path.arc < 0.0) {
        put_straight(piece, first, second, scale, 0.0);
        put_nothing(piece + 1u);
        put_nothing(piece + 2u);
        return;
    }
    put_nothing(piece);
    put_straight(piece + 1u, first, geom.pos + rotate(geom.quat, path.first), scale, path.arc);
    put_straight(piece + 2u, geom.pos + rotate(geom.quat, path.last), second, scale, 0.0);
}

// First and last point on the surface, and the length between them; negative where the straight way is free.
struct WrapPath { first: vec3<f32>, last: vec3<f32>, arc: f32 }

// The same in the plane.
struct FlatPath { first: vec2<f32>, last: vec2<f32>, arc: f32 }

const FREE_WAY = -1.0;

fn cross2(a: vec2<f32>, b: vec2<f32>) -> f32 { return a.x * b.y - a.y * b.x; }

fn unit2(v: vec2<f32>) -> vec2<f32> {
    let norm = length(v);
    return select(vec2<f32>(1.0, 0.0), v / norm, norm >= 1e-15);
}

fn wrap(p0: vec3<f32>, p1: vec3<f32>, sided: bool, side: vec3<f32>, radius: f32, is_cylinder: bool) -> WrapPath {
    var path = WrapPath(vec3<f32>(0.0), vec3<f32>(0.0), FREE_WAY);
    if (length(p0) < 1e-15 || length(p1) < 1e-15) { return path; }
    var x_axis = vec3<f32>(1.0, 0.0, 0.0);
    var y_axis = vec3<f32>(0.0, 1.0, 0.0);
    if (!is_cylinder) {
        x_axis = normalize(p0);
        var normal = cross(x_axis, p1);
//#if DOUBLE
        if (length(cross(p0, p1)) < 1e-15) {
//#else
        if (length(normal) < 1e-7 * length(p1)) {
//#end
            // the ends are in line with the centre: any plane through them will do
            let size = abs(x_axis);
            var other = vec3<f32>(0.0, 1.0, 1.0);
            if (size.y > size.x && size.y > size.z) { other = vec3<f32>(1.0, 0.0, 1.0); }
            if (size.z > size.x && size.z > size.y) { other = vec3<f32>(1.0, 1.0, 0.0); }
            normal = cross(x_axis, other);
        }
        y_axis = normalize(cross(normal, x_axis));
    }
    let end0 = vec2<f32>(dot(p0, x_axis), dot(p0, y_axis));
    let end1 = vec2<f32>(dot(p1, x_axis), dot(p1, y_axis));
    var flat_path = FlatPath();
    if (sided && length(side) < radius) {
        flat_path = wrap_inside(end0, end1, radius);
    } else {
        let toward = radius * unit2(vec2<f32>(dot(side, x_axis), dot(side, y_axis)));
        flat_path = wrap_outside(end0, end1, sided, toward, radius);
    }
    if (flat_path.arc < 0.0) { return path; }
    path.first = flat_path.first.x * x_axis + flat_path.first.y * y_axis;
    path.last = flat_path.last.x * x_axis + flat_path.last.y * y_axis;
    path.arc = flat_path.arc;
    if (is_cylinder) {
        // height grows in proportion to the length of the unrolled path
        let before = distance(end0, flat_path.first);
        let total = before + path.arc + distance(end1, flat_path.last);
        path.first.z = p0.z + (p1.z - p0.z) * before / total;
        path.last.z = p0.z + (p1.z - p0.z) * (before + path.arc) / total;
        path.arc = length(vec2<f32>(path.arc, path.last.z - path.first.z));
    }
    return path;
}

// Tangent points of one of the two ways around the circle.
fn tangents(end0: vec2<f32>, end1: vec2<f32>, radius: f32, way: f32) -> vec4<f32> {
    let s0 = dot(end0, end0);
    let s1 = dot(end1, end1);
    let t0 = way * radius * sqrt(max(s0 - radius * radius, 0.0));
    let t1 = way * radius * sqrt(max(s1 - radius * radius, 0.0));
    let a = (radius * radius * end0 + t0 * vec2<f32>(end0.y, -end0.x)) / s0;
    let b = (radius * radius * end1 - t1 * vec2<f32>(end1.y, -end1.x)) / s1;
    return vec4<f32>(a, b);
}

fn segments_cross(p1: vec2<f32>, p2: vec2<f32>, p3: vec2<f32>, p4: vec2<f32>) -> bool {
    let det = cross2(p2 - p1, p4 - p3);
    if (abs(det) < 1e-15) { return false; }
    let a = cross2(p4 - p3, p1 - p3) / det;
    let b = cross2(p2 - p1, p1 - p3) / det;
    return a >= 0.0 && a <= 1.0 && b >= 0.0 && b <= 1.0;
}

fn wrap_outside(end0: vec2<f32>, end1: vec2<f32>, sided: bool, side: vec2<f32>, radius: f32) -> FlatPath {
    var path = FlatPath(vec2<f32>(0.0), vec2<f32>(0.0), FREE_WAY);
    let r2 = radius * radius;
    let d = end1 - end0;
    let dd = dot(d, d);
    if (dot(end0, end0) < r2 || dot(end1, end1) < r2 || radius < 1e-15 || dd < 1e-15) { return path; }
    // the straight way stays outside, and on the right side
    let nearest = end0 + d * clamp(-dot(d, end0) / dd, 0.0, 1.0);
    if (dot(nearest, nearest) > r2 && (!sided || dot(side, nearest) >= 0.0)) { return path; }
    var best = -1e30;
    var second = false;
    var crossing = false;
    for (var k = 0u; k < 2u; k++) {
        let t = tangents(end0, end1, radius, select(1.0, -1.0, k == 1u));
        // crossing tangents are no way
        let crossed = segments_cross(end0, t.xy, end1, t.zw);
        var merit = -dot(t.xy - t.zw, t.xy - t.zw);
        if (sided) { merit = dot(unit2(t.xy + t.zw), side); }
        if (crossed) { merit = -10000.0; }
        if (k == 0u || best <= merit) {
            best = merit;
            second = k == 1u;
            crossing = crossed;
            path.first = t.xy;
            path.last = t.zw;
        }
    }
    if (crossing) { return path; }
    let winding = -cross2(path.first, path.last);
    var angle = angle_of(abs(winding), dot(path.first, path.last));
    if ((winding > 0.0 && second) || (winding < 0.0 && !second)) { angle = 6.28318531 - angle; }
    path.arc = radius * angle;
    return path;
}

// A tendon that is held inside of the circle touches it in one point, where it is reflected: seen from there,
// both ends are at the same angle from the normal.
//#if DOUBLE
// the root of the reflection by the processor's own iterates, since these stop at 1e-6
fn wrap_inside(end0: vec2<f32>, end1: vec2<f32>, radius: f32) -> FlatPath {
    var path = FlatPath(vec2<f32>(0.0), vec2<f32>(0.0), FREE_WAY);
    let l0 = length(end0);
    let l1 = length(end1);
    if (l0 <= radius || l1 <= radius || radius < 1e-15) { return path; }
    let d = end1 - end0;
    let dd = dot(d, d);
    if (dd > 1e-15) {
        let a = -dot(d, end0) / dd;
        if (a > 0.0 && a < 1.0 && length(end0 + a * d) <= radius) { return path; }
    }
    let cos_gap = (l0 * l0 + l1 * l1 - dd) / (2.0 * l0 * l1);
    if (cos_gap < -1.0 + 1e-15) { return path; }
    path.arc = 0.0;
    path.first = radius * unit2(end0 + end1);
    let a = radius / l0;
    let b = radius / l1;
    let z = double_reflection(a, b, cos_gap);
    if (z > 0.0) {
        let forward = cross2(end0, end1) > 0.0;
        let angle = double_asin(z) - double_asin(select(b, a, forward) * z);
        let x = unit2(select(end1, end0, forward));
        let s = double_sine_cosine(angle);
        path.first = radius * vec2<f32>(s.y * x.x - s.x * x.y, s.x * x.x + s.y * x.y);
    }
    path.last = path.first;
    return path;
}
//#else
fn wrap_inside(end0: vec2<f32>, end1: vec2<f32>, radius: f32) -> FlatPath {
    var path = FlatPath(vec2<f32>(0.0), vec2<f32>(0.0), FREE_WAY);
    let l0 = length(end0);
    let l1 = length(end1);
    if (l0 <= radius || l1 <= radius || radius < 1e-15) { return path; }
    let d = end1 - end0;
    let dd = dot(d, d);
    if (dd > 1e-15) {
        let a = -dot(d, end0) / dd;
        if (a > 0.0 && a < 1.0 && length(end0 + a * d) <= radius) { return path; }
    }
    let winding = cross2(end0, end1);
    let gap = angle_of(abs(winding), dot(end0, end1));
    if (gap > 3.1415915) { return path; }
    path.arc = 0.0;
    path.first = radius * unit2(end0 + end1);
    // with the grazing ray the angles add up to less: there is no reflection
    let a = radius / l0;
    let b = radius / l1;
    let grazing = angle_of(a, sqrt(1.0 - a * a)) + angle_of(b, sqrt(1.0 - b * b)) - 3.14159265 + gap;
    if (gap > 1e-6 && grazing <= 0.0) {
        var low = 0.0;
        var high = gap;
        for (var k = 0u; k < 26u; k++) {
            let angle = 0.5 * (low + high);
            let s0 = sine_cosine(angle);
            let s1 = sine_cosine(gap - angle);
            let early = l0 * s0.x * (l1 * s1.y - radius) < l1 * s1.x * (l0 * s0.y - radius);
            if (early) { low = angle; } else { high = angle; }
        }
        let s = sine_cosine(0.5 * (low + high));
        let x = end0 / l0;
        let y = select(vec2<f32>(x.y, -x.x), vec2<f32>(-x.y, x.x), winding > 0.0);
        path.first = radius * (s.y * x + s.x * y);
    }
    path.last = path.first;
    return path;
}
//#end
