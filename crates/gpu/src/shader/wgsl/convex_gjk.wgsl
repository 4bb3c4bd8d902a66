//#import convex_shape
//#import convex_state

// GJK: the point of the Minkowski difference that is closest to the origin (Gilbert, Johnson and Keerthi 1988). The
// iterates are those of the processor, so that EPA begins with the same simplex. Where only overlap matters, the
// first tetrahedron walks towards the origin face by face.

// Relative rounding of the duality gap.
//#if DOUBLE
const GAP_ROUNDING = 0.0;
//#else
const GAP_ROUNDING = 3e-8;
//#end

// weights of the point of the simplex closest to the origin, and that point
var<private> weights: vec4<f32>;
var<private> closest_point: vec3<f32>;
// Distance of the shapes: `SEPARATE` where they are certainly farther apart than the cutoff, zero where they overlap
// and a simplex around the origin is left for EPA. A cutoff of zero asks for overlap only.
var<private> gjk_dist: f32;
var<private> gjk_cutoff: f32;
var<private> gjk_iterations: u32;
var<private> gjk_done: bool;
// a vertex was added to the simplex, of which the part that holds the closest point stays
var<private> must_reduce: bool;
// whether the first tetrahedron is still to walk, or on its way; its vertices, and the one to replace
var<private> may_walk: bool;
var<private> walking: bool;
var<private> walk: vec4<u32>;
var<private> walk_worst: u32;

// Weights of the point of the segment a b closest to the origin.
fn segment_weights(a: vec3<f32>, b: vec3<f32>) -> vec2<f32> {
    let along = b - a;
    let length2 = dot(along, along);
    if (length2 == 0.0) { return vec2<f32>(0.0, 1.0); }
    let t = clamp(-dot(a, along) / length2, 0.0, 1.0);
    return vec2<f32>(1.0 - t, t);
}

// The same for a triangle: inside of it, or on the closest of the sides that the origin lies beyond.
fn triangle_weights(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> vec3<f32> {
    let normal = cross(b - a, c - a);
    let norm2 = dot(normal, normal);
    if (norm2 == 0.0) { return vec3<f32>(segment_weights(a, b), 0.0); }
    // areas that the foot of the origin spans with the sides
    let foot = normal * (dot(normal, a) / norm2);
    let areas = vec3<f32>(
        dot(normal, cross(b - foot, c - foot)), dot(normal, cross(c - foot, a - foot)), dot(normal, cross(a - foot, b - foot)));
    if (all(areas > vec3<f32>(0.0))) { return areas / (areas.x + areas.y + areas.z); }
    var best = vec3<f32>(0.0);
    var nearest = SEPARATE;
    if (areas.x <= 0.0) {
        let w = segment_weights(b, c);
        let p = w.x * b + w.y * c;
        nearest = dot(p, p);
        best = vec3<f32>(0.0, w);
    }
    if (areas.y <= 0.0) {
        let w = segment_weights(a, c);
        let p = w.x * a + w.y * c;
        if (dot(p, p) < nearest) {
            nearest = dot(p, p);
            best = vec3<f32>(w.x, 0.0, w.y);
        }
    }
    if (areas.z <= 0.0) {
        let w = segment_weights(a, b);
        let p = w.x * a + w.y * b;
        if (dot(p, p) < nearest) { best = vec3<f32>(w, 0.0); }
    }
    return best;
}

// The same for a triangle or a tetrahedron: inside of it, or on the closest of the faces that the origin lies beyond. A
// triangle is the one face of a tetrahedron without its last corner; one loop for both keeps the kernel short.
fn solid_weights(count: u32) -> vec4<f32> {
    var inside = vec4<bool>(true, true, true, false);
    if (count == 4u) {
        let a = pool[simplex.x].diff;
        let b = pool[simplex.y].diff;
        let c = pool[simplex.z].diff;
        let d = pool[simplex.w].diff;
        let volumes = vec4<f32>(-dot(b, cross(c, d)), dot(a, cross(c, d)), -dot(a, cross(b, d)), dot(a, cross(b, c)));
        let whole = volumes.x + volumes.y + volumes.z + volumes.w;
        inside = ((volumes > vec4<f32>(0.0)) & vec4<bool>(whole > 0.0)) | ((volumes < vec4<f32>(0.0)) & vec4<bool>(whole < 0.0));
        if (all(inside)) { return volumes / whole; }
    }
    var best = vec4<f32>(0.0);
    var nearest = SEPARATE;
    for (var left_out = 0u; left_out < 4u; left_out++) {
        if (inside[left_out]) { continue; }
        let i = select(0u, 1u, left_out == 0u);
        let j = select(1u, 2u, left_out <= 1u);
        let k = select(2u, 3u, left_out <= 2u);
        let u = pool[simplex[i]].diff;
        let v = pool[simplex[j]].diff;
        let t = pool[simplex[k]].diff;
        let w = triangle_weights(u, v, t);
        let p = w.x * u + w.y * v + w.z * t;
        if (dot(p, p) < nearest) {
            nearest = dot(p, p);
            best = vec4<f32>(0.0);
            best[i] = w.x;
            best[j] = w.y;
            best[k] = w.z;
        }
    }
    return best;
}

fn simplex_weights(count: u32) -> vec4<f32> {
    if (count == 1u) { return vec4<f32>(1.0, 0.0, 0.0, 0.0); }
    if (count == 2u) { return vec4<f32>(segment_weights(pool[simplex.x].diff, pool[simplex.y].diff), 0.0, 0.0); }
    return solid_weights(count);
}

// Drops vertices without weight; returns the other weights.
fn keep_weighted(all_weights: vec4<f32>) -> vec4<f32> {
    var kept = vec4<f32>(0.0);
    simplex_size = 0u;
    for (var i = 0u; i < 4u; i++) {
        if (all_weights[i] != 0.0) {
            simplex[simplex_size] = simplex[i];
            kept[simplex_size] = all_weights[i];
            simplex_size += 1u;
        }
    }
    return kept;
}

// Normal of the face of a tetrahedron without one of its corners, and the height of the origin behind it.
fn face_plane_of(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> vec4<f32> {
    let normal = cross(c - a, b - a);
    let norm2 = dot(normal, normal);
//#if DOUBLE
    if (!(norm2 > 1e-30)) { return vec4<f32>(normal, SEPARATE); }
//#else
    if (!(norm2 > 1e-36)) { return vec4<f32>(normal, SEPARATE); }
//#end
    let unit = normal * inverseSqrt(norm2);
    return vec4<f32>(unit, dot(unit, a));
}

fn begin_gjk(cutoff: f32) {
    closest_point = convex1.centre - convex2.centre;
    weights = vec4<f32>(1.0, 0.0, 0.0, 0.0);
    gjk_dist = 0.0;
    gjk_cutoff = cutoff;
    gjk_iterations = 0u;
    gjk_done = false;
    must_reduce = false;
    may_walk = cutoff <= 0.0;
    walking = false;
    simplex_size = 0u;
    simplex = vec4<u32>(0u);
    walk = vec4<u32>(0u);
}

// Whether a search needs a support point, along `direction`.
fn gjk_direction() -> bool {
    if (walking && !gjk_done) { aim_walk(); }
    if (must_reduce && !gjk_done) { reduce_simplex(); }
    if (gjk_done || walking) { return !gjk_done; }
    let norm2 = dot(closest_point, closest_point);
    gjk_done = gjk_iterations >= CCD_ITERATIONS;
    if (gjk_done) { return false; }
//#if DOUBLE
    if (norm2 < select(CCD_TOLERANCE * CCD_TOLERANCE, 1e-30, discrete)) {
//#else
    if (norm2 < select(CCD_TOLERANCE * CCD_TOLERANCE, 1e-16, discrete)) {
//#end
        gjk_dist = norm2;
        gjk_done = true;
        return false;
    }
    gjk_dist = sqrt(norm2);
    direction = -closest_point / gjk_dist;
    return true;
}

// Looks for the face of the walking tetrahedron that is most between it and the origin.
fn aim_walk() {
    var stalls = false;
    var worst = vec4<f32>(0.0);
    // corners of the face without each one in turn, outside in front
    var faces = array<vec3<u32>, 4>(vec3<u32>(2u, 1u, 3u), vec3<u32>(0u, 2u, 3u), vec3<u32>(1u, 0u, 3u), vec3<u32>(0u, 1u, 2u));
    for (var k = 0u; k < 4u; k++) {
        let corners = faces[k];
        let plane = face_plane_of(pool[walk[corners.x]].diff, pool[walk[corners.y]].diff, pool[walk[corners.z]].diff);
        stalls = stalls || plane.w == 0.0;
        // of equal ones the last
        if (k == 0u || plane.w <= worst.w) {
            worst = plane;
            walk_worst = k;
        }
    }
    direction = worst.xyz;
    // an origin on the plane of a face stalls the walk
    if (stalls) {
        walking = false;
        must_reduce = true;
    } else if (worst.w > 0.0) {
        simplex = walk;
        simplex_size = 4u;
        gjk_dist = 0.0;
        gjk_done = true;
    }
}

// Reduces the simplex, to which one vertex was added, to the part that holds its closest point.
fn reduce_simplex() {
    must_reduce = false;
    weights = keep_weighted(simplex_weights(simplex_size + 1u));
    if (simplex_size == 0u) {
        gjk_dist = SEPARATE;
        gjk_done = true;
        return;
    }
    var next = vec3<f32>(0.0);
    for (var i = 0u; i < simplex_size; i++) { next += weights[i] * pool[simplex[i]].diff; }
    // single precision cannot come closer
//#if DOUBLE
    gjk_done = simplex_size < 4u && gjk_iterations > 0u && all(abs(next - closest_point) < vec3<f32>(1e-15));
//#else
    gjk_done = simplex_size < 4u && gjk_iterations > 0u && dot(next, next) >= dot(closest_point, closest_point);
//#end
    closest_point = next;
    if (simplex_size == 4u) {
        gjk_dist = 0.0;
        gjk_done = true;
    }
    gjk_iterations += 1u;
}

// A vertex_index that neither the simplex nor the walking tetrahedron names.
fn free_vertex() -> u32 {
    var vertex_index = 0u;
    while (any(simplex == vec4<u32>(vertex_index)) || any(walk == vec4<u32>(vertex_index))) { vertex_index += 1u; }
    return vertex_index;
}

// Takes a support point.
fn gjk_take(vertex_index: u32) {
    let diff = pool[vertex_index].diff;
    if (walking) {
        if (dot(direction, diff) < 0.0) {
            gjk_dist = SEPARATE;
            gjk_done = true;
            return;
        }
        walk[walk_worst] = vertex_index;
        // exchanging two others keeps the orientation
        let i = (walk_worst + 1u) & 3u;
        let j = (walk_worst + 2u) & 3u;
        let other = walk[i];
        walk[i] = walk[j];
        walk[j] = other;
        gjk_iterations += 1u;
        walking = gjk_iterations < CCD_ITERATIONS;
        must_reduce = !walking;
        return;
    }
    simplex[simplex_size] = vertex_index;
    let gap_limit = select(0.5 * CCD_TOLERANCE * CCD_TOLERANCE, 0.0, discrete);
    if (dot(closest_point, closest_point - diff) < max(gap_limit, GAP_ROUNDING * gjk_dist * gjk_dist)) {
        if (gjk_iterations == 0u) { simplex_size = 1u; }
        gjk_done = true;
        return;
    }
    // the plane through the support point separates the shapes
    let ahead = dot(closest_point, diff);
    if (ahead > 0.0 && ahead >= gjk_cutoff * gjk_dist) {
        gjk_dist = SEPARATE;
        gjk_done = true;
        return;
    }
    walking = simplex_size == 3u && may_walk;
    must_reduce = !walking;
    if (walking) {
        may_walk = false;
        walk = simplex;
    }
}

// Takes the nearest points of the shapes from the simplex.
fn end_gjk() {
    witness1 = vec3<f32>(0.0);
    var diff = vec3<f32>(0.0);
    for (var i = 0u; i < simplex_size; i++) {
        witness1 += weights[i] * pool[simplex[i]].on1;
        diff += weights[i] * pool[simplex[i]].diff;
    }
    witness2 = witness1 - diff;
}
