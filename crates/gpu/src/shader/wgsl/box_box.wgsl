// Box against box: the direction of least penetration among six face normals and nine products of edges, then
// the points where the two nearest features overlap. Single precision cannot tell a face from an edge that is
// nearly as good, so that an edge must be better by more than rounding.
//#import collide
//#import common
//#import geom_pose
//#import geoms

// How much better an edge must be: relative to the depth, and relative to the sizes of the boxes.
//#if DOUBLE
const EDGE_ADVANTAGE = vec2<f32>(1e-12, 0.0);
//#else
const EDGE_ADVANTAGE = vec2<f32>(1e-5, 2e-7);
//#end
// Sine of the angle below which two edges count as parallel.
//#if DOUBLE
const PARALLEL = 1e-15;
//#else
const PARALLEL = 1e-4;
//#end
// Vertical component from which an edge of the other box counts as standing on a face.
const STANDING = 0.5;
// Points farther outside a box than this ratio of its half sizes are removed.
const REMOVAL_RATIO = 1.01;
// Points that are closer than this part of the boxes' sizes are one.
//#if DOUBLE
// only points that are equal to the last bit are one
const SAME_POINT = 1e-300;
//#else
const SAME_POINT = 1e-6;
//#end

// The face in whose frame points are found, looking up: its axes in the world, the centre of its box, half
// sizes with the height of the face last, and the normal of contacts.
var<private> face_axes: mat3x3<f32>;
var<private> face_origin: vec3<f32>;
var<private> face_half: vec3<f32>;
var<private> face_normal: vec3<f32>;

// Box coordinates to those of a face (0..6: +x, +y, +z, −x, −y, −z) that looks up.
fn to_face(face: u32, v: vec3<f32>) -> vec3<f32> {
    switch face {
        case 0u: { return vec3<f32>(-v.z, v.y, v.x); }
        case 1u: { return vec3<f32>(v.x, -v.z, v.y); }
        case 2u: { return v; }
        case 3u: { return vec3<f32>(v.z, v.y, -v.x); }
        case 4u: { return vec3<f32>(v.x, v.z, -v.y); }
        default: { return vec3<f32>(-v.x, v.y, -v.z); }
    }
}

fn set_face(face: u32, axes: mat3x3<f32>, origin: vec3<f32>, half: vec3<f32>) {
    // rows of the box's axes are transformed as vectors are
    let rows = transpose(axes);
    face_axes = transpose(mat3x3<f32>(to_face(face, rows[0]), to_face(face, rows[1]), to_face(face, rows[2])));
    face_origin = origin;
    face_half = abs(to_face(face, half));
}

// A point in the frame of the face, its height over the face halved.
fn touch_face(middle: vec3<f32>, dist: f32) {
    touch(dist, face_axes * (middle + vec3<f32>(0.0, 0.0, face_half.z)) + face_origin, face_normal);
}

fn box_box(g1: u32, g2: u32) {
    if (!spheres_meet(g1, g2)) { return; }
    let half1 = number3(GEOM_SIZE + 3u * g1);
    let half2 = number3(GEOM_SIZE + 3u * g2);
    let axes1 = quat_axes(geom_quat[g1]);
    let axes2 = quat_axes(geom_quat[g2]);
    let pos1 = geom_pos[g1].xyz;
    let pos2 = geom_pos[g2].xyz;
    // of the other box in the frame of each
    let offset1 = transpose(axes1) * (pos2 - pos1);
    let offset2 = transpose(axes2) * (pos1 - pos2);
    let rotation = transpose(axes1) * axes2;
    let back = transpose(rotation);
    let depth1 = half1 + abs_product(rotation, half2) - abs(offset1);
    let depth2 = half2 + abs_product(back, half1) - abs(offset2);
    if (any(depth1 < vec3<f32>(-margin)) || any(depth2 < vec3<f32>(-margin))) { return; }
    var least = depth1.x;
    var best = 0u;
    for (var k = 1u; k < 3u; k++) { if (depth1[k] < least) { least = depth1[k]; best = k; } }
    let slack = EDGE_ADVANTAGE.y * (half1.x + half1.y + half1.z + half2.x + half2.y + half2.z);
    for (var k = 0u; k < 3u; k++) { if (depth2[k] < least - slack) { least = depth2[k]; best = 3u + k; } }
    var edge_normal = vec3<f32>(0.0);
    for (var pair = 0u; pair < 9u; pair++) {
        var along = vec3<f32>(0.0);
        along[pair / 3u] = 1.0;
        let across = cross(along, rotation[pair % 3u]);
        let size = length(across);
        if (size < PARALLEL) { continue; }
        let normal = across / size;
        let depth = dot(abs(normal), half1) + dot(abs(back * normal), half2) - abs(dot(normal, offset1));
        if (depth < -margin - slack) { return; }
        if (depth < least - EDGE_ADVANTAGE.x * abs(least) - slack) {
            least = depth;
            best = 6u + pair;
            edge_normal = normal;
        }
    }
    if (best < 3u) {
        let face = best + select(0u, 3u, offset1[best] < 0.0);
        set_face(face, axes1, pos1, half1);
        face_normal = face_axes[2];
        face_points(axes_to_face(face, rotation), half2, to_face(face, offset1));
    } else if (best < 6u) {
        let face = best - 3u + select(0u, 3u, offset2[best - 3u] < 0.0);
        set_face(face, axes2, pos2, half2);
        face_normal = -face_axes[2];
        face_points(axes_to_face(face, back), half1, to_face(face, offset2));
    } else {
        let outward = select(edge_normal, -edge_normal, dot(edge_normal, offset1) < 0.0);
        edge_points(vec2<u32>((best - 6u) / 3u, (best - 6u) % 3u), outward, rotation, offset1, half2, axes1, pos1, half1);
    }
    remove_points(axes1, pos1, half1, axes2, pos2, half2);
}

fn abs_product(m: mat3x3<f32>, v: vec3<f32>) -> vec3<f32> {
    return abs(m[0]) * v.x + abs(m[1]) * v.y + abs(m[2]) * v.z;
}

// The axes of the other box in the frame of a face.
fn axes_to_face(face: u32, axes: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(to_face(face, axes[0]), to_face(face, axes[1]), to_face(face, axes[2]));
}

// Where a segment crosses the border of the rectangle: positions on it for the sides −x, +x, −y, +y, and the other
// coordinate there. Positions outside the segment or the rectangle are negative.
struct Crossings { at: vec4<f32>, other: vec4<f32> }

fn crossings(origin: vec3<f32>, direction: vec3<f32>) -> Crossings {
    var hits = Crossings(vec4<f32>(-1.0), vec4<f32>(0.0));
    for (var side = 0u; side < 4u; side++) {
        let axis = side / 2u;
        if (abs(direction[axis]) <= 1e-15) { continue; }
        let limit = select(-face_half[axis], face_half[axis], (side & 1u) != 0u);
        let at = (limit - origin[axis]) / direction[axis];
        let other = origin[1u - axis] + direction[1u - axis] * at;
        if (at >= 0.0 && at <= 1.0 && abs(other) <= face_half[1u - axis]) {
            hits.at[side] = at;
            hits.other[side] = other;
        }
    }
    return hits;
}

fn rectangle_corner(k: u32) -> vec2<f32> {
    return face_half.xy * vec2<f32>(select(-1.0, 1.0, k >= 2u), select(-1.0, 1.0, (k & 1u) != 0u));
}

// A point of the other box over the face.
fn touch_over(p: vec3<f32>) {
    if (p.z <= margin) { touch_face(vec3<f32>(p.xy, 0.5 * p.z), p.z); }
}

fn touch_crossings(origin: vec3<f32>, direction: vec3<f32>) {
    let hits = crossings(origin, direction);
    for (var side = 0u; side < 4u; side++) {
        if (hits.at[side] >= 0.0) { touch_over(origin + direction * hits.at[side]); }
    }
}

fn touch_inside(p: vec3<f32>) {
    if (all(abs(p.xy) < face_half.xy)) { touch_over(p); }
}

// The lowest corner of the other box, and the edge or face that leaves it lying, clipped to the rectangle.
fn face_points(axes: mat3x3<f32>, half: vec3<f32>, offset: vec3<f32>) {
    var corner = offset - vec3<f32>(0.0, 0.0, face_half.z);
    var edges: array<vec3<f32>, 2>;
    var count = 0u;
    for (var k = 0u; k < 3u; k++) {
        let arm = axes[k] * select(-half[k], half[k], axes[k].z < 0.0);
        corner += arm;
        if (abs(axes[k].z) < STANDING && count < 2u) {
            edges[count] = -2.0 * arm;
            count += 1u;
        }
    }
    if (count == 1u) {
        touch_crossings(corner, edges[0]);
    } else if (count == 2u) {
        touch_crossings(corner, edges[0]);
        touch_crossings(corner, edges[1]);
        touch_crossings(corner + edges[0], edges[1]);
        touch_crossings(corner + edges[1], edges[0]);
        let area = edges[0].x * edges[1].y - edges[1].x * edges[0].y;
        for (var k = 0u; k < 4u; k++) {
            let d = rectangle_corner(k) - corner.xy;
            let u = (d.x * edges[1].y - d.y * edges[1].x) / area;
            let v = (d.y * edges[0].x - d.x * edges[0].y) / area;
            if (u > 0.0 && v > 0.0 && u < 1.0 && v < 1.0) {
                touch_over(vec3<f32>(rectangle_corner(k), corner.z + u * edges[0].z + v * edges[1].z));
            }
        }
    }
    // the lowest corner always counts, the others only over the rectangle
    touch_over(corner);
    if (count > 0u) { touch_inside(corner + edges[0]); }
    if (count > 1u) {
        touch_inside(corner + edges[1]);
        touch_inside(corner + edges[0] + edges[1]);
    }
}

// Of the two axes other than `edge`, the one with the larger weight first.
fn order_others(edge: u32, weight: vec3<f32>) -> vec2<u32> {
    var others = vec2<u32>(1u, 2u);
    if (edge == 1u) { others = vec2<u32>(0u, 2u); }
    if (edge == 2u) { others = vec2<u32>(1u, 0u); }
    if (weight[others.x] < weight[others.y]) { others = others.yx; }
    return others;
}

// Next to its edge each box has a face that is more parallel to the other box: that of box 1 is the rectangle,
// that of box 2 a parallelogram, which is projected onto it along the normal, that points from box 1 to box 2.
fn edge_points(edge: vec2<u32>, outward: vec3<f32>, rotation: mat3x3<f32>, offset: vec3<f32>, half2: vec3<f32>,
    axes1: mat3x3<f32>, pos1: vec3<f32>, half1: vec3<f32>) {
    let back = transpose(rotation);
    let across2 = order_others(edge.y, abs(back[edge.x]));
    let up1 = order_others(edge.x, abs(rotation[edge.y])).y;
    let face = select(up1 + 3u, up1, outward[up1] > 0.0);
    set_face(face, axes1, pos1, half1);
    face_normal = axes1 * outward;
    let normal = to_face(face, outward);
//#if DOUBLE
    if (abs(normal.z) < 1e-15) { return; }
//#else
    if (abs(normal.z) < 1e-6) { return; }
//#end
    let axes2 = axes_to_face(face, rotation);
    let centre = to_face(face, offset) - vec3<f32>(0.0, 0.0, face_half.z);
    // the corners that reach towards box 1
    let towards = back * outward;
    let side = axes2[across2.x] * select(-half2[across2.x], half2[across2.x], towards[across2.x] < 0.0);
    let up = axes2[across2.y] * select(-half2[across2.y], half2[across2.y], towards[across2.y] < 0.0);
    let along = axes2[edge.y] * half2[edge.y];
    var corners = array<vec3<f32>, 4>(
        centre + side + up + along, centre + side + up - along, centre - side + up + along, centre - side + up - along);
    let height = 1.0 / normal.z;
    var flat: array<vec3<f32>, 4>;
    for (var k = 0u; k < 4u; k++) { flat[k] = corners[k] - normal * (corners[k].z * height); }
    for (var k = 0u; k < 4u; k++) {
        // sides from 0 to 1, 0 to 2, 1 to 3, 2 to 3
        let start = select(0u, k - 1u, k > 1u);
        let end = select(k + 1u, 3u, k > 1u);
        let way = corners[end] - corners[start];
        let hits = crossings(flat[start], flat[end] - flat[start]);
        for (var border = 0u; border < 4u; border++) {
            let t = hits.at[border];
            if (t < 0.0 || (corners[start].z + way.z * t) * height > margin) { continue; }
            var middle = 0.5 * (corners[start] + way * t);
            let axis = border / 2u;
            middle[axis] += 0.5 * select(-face_half[axis], face_half[axis], (border & 1u) != 0u);
            middle[1u - axis] += 0.5 * hits.other[border];
            touch_face(middle, 2.0 * middle.z * height);
        }
    }
    let crossed = found > 0u;
    touch_rectangle(flat, corners, crossed);
    touch_corners(flat, corners, crossed, height);
}

fn beyond_unit(t: f32) -> bool { return t < 0.0 || t > 1.0; }

// Corners of the rectangle against the parallelogram. Without crossings, one beside it is moved to its border.
fn touch_rectangle(flat: array<vec3<f32>, 4>, corners: array<vec3<f32>, 4>, crossed: bool) {
    let e1 = flat[1] - flat[0];
    let e2 = flat[2] - flat[0];
    var area = e1.x * e2.y - e2.x * e1.y;
    for (var k = 0u; k < 4u; k++) {
        let p = rectangle_corner(k);
        let d = p - flat[0].xy;
        let u = (d.x * e2.y - d.y * e2.x) / area;
        let v = (d.y * e1.x - d.x * e1.y) / area;
        let beside = vec2<bool>(beyond_unit(u), beyond_unit(v));
        if ((crossed && any(beside)) || all(beside)) { continue; }
        let cu = clamp(u, 0.0, 1.0);
        let cv = clamp(v, 0.0, 1.0);
        let on2 = corners[0] * (1.0 - cu - cv) + corners[1] * cu + corners[2] * cv;
        let on1 = vec3<f32>(p, 0.0);
        let separation = length(on1 - on2);
        // as on the processor, where the reason is told
        area = separation * separation;
        if (on2.z > 0.0 && separation > margin) { continue; }
        touch_face(0.5 * (on1 + on2), select(separation, -separation, on2.z < 0.0));
    }
}

// Corners of the parallelogram over the rectangle; those beside it only when nothing else was found.
fn touch_corners(flat: array<vec3<f32>, 4>, corners: array<vec3<f32>, 4>, crossed: bool, height: f32) {
    let touched = found > 0u;
    for (var k = 0u; k < 4u; k++) {
        let beyond = abs(flat[k].xy) > face_half.xy;
        if ((crossed && any(beyond)) || (touched && all(beyond))) { continue; }
        let nearest = clamp(flat[k].xy, -face_half.xy, face_half.xy);
        let separation = length(vec3<f32>(flat[k].xy - nearest, corners[k].z * height));
        if (corners[k].z > 0.0 && separation > margin) { continue; }
        let middle = 0.5 * (vec3<f32>(nearest, 0.0) + corners[k]);
        touch_face(middle, select(separation, -separation, corners[k].z < 0.0));
    }
}

// Whether a point lies outside the shell around the surface of a box, and whether inside what it surrounds.
fn shell_sides(p: vec3<f32>, axes: mat3x3<f32>, pos: vec3<f32>, half: vec3<f32>) -> vec2<bool> {
    let local = abs(transpose(axes) * (p - pos));
    let reach = half + vec3<f32>(margin);
    return vec2<bool>(any(local > reach * REMOVAL_RATIO), all(local < reach / REMOVAL_RATIO));
}

// Removes points that are outside one box and not inside the other, then all but the last of equal ones.
fn remove_points(axes1: mat3x3<f32>, pos1: vec3<f32>, half1: vec3<f32>, axes2: mat3x3<f32>, pos2: vec3<f32>, half2: vec3<f32>) {
    var kept = 0u;
    for (var k = 0u; k < found; k++) {
        let sides1 = shell_sides(found_pos[k].xyz, axes1, pos1, half1);
        let sides2 = shell_sides(found_pos[k].xyz, axes2, pos2, half2);
        if ((sides1.x && !sides2.y) || (sides2.x && !sides1.y)) { continue; }
        found_pos[kept] = found_pos[k];
        kept += 1u;
    }
    let same = SAME_POINT * (length(half1) + length(half2));
    found = 0u;
    for (var k = 0u; k < kept; k++) {
        var repeated = false;
        for (var later = k + 1u; later < kept; later++) {
            repeated = repeated || distance(found_pos[k].xyz, found_pos[later].xyz) < same;
        }
        if (!repeated) {
            found_pos[found] = found_pos[k];
            found += 1u;
        }
    }
}
