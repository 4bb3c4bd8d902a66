//#import convex_state

// EPA: the penetration depth of overlapping shapes (van den Bergen 2001). The closest face of a polytope inside the
// Minkowski difference bounds the depth from below, the support plane along its normal from above; the polytope
// grows by that support point until the bounds meet.

// Faces that can still become the closest one, others, and slots without a face.
const OPEN = 0u;
const CLOSED = 1u;
const DELETED = 2u;

// end of the support points
var<private> vertex_count: u32;
// outward unit normal and distance from the origin
var<private> face_plane: array<vec4<f32>, EPA_FACES>;
// three vertices, seen counter-clockwise from outside, and what the face is, in a byte each
var<private> face_vertices: array<u32, EPA_FACES>;
// neighbours over the edges 01, 12, 20
var<private> face_adjacent: array<u32, EPA_FACES>;
var<private> face_count: u32;
// faces that there have been, by which the processor bounds its memory
var<private> faces_made: u32;
// size of the polytope, to compare rounding with
var<private> epa_scale: f32;
// edges of the faces around a hole, and edges still to be crossed: four times the face, plus the edge
var<private> horizon: array<u32, EPA_HORIZON>;
var<private> horizon_count: u32;
var<private> uncrossed: array<u32, EPA_FACES>;
// directions of support points of the first polytope, where these begin and end
var<private> seed_dirs: array<vec3<f32>, 3>;
var<private> seed_first: u32;
var<private> seed_end: u32;
// largest possible depth
var<private> epa_upper: f32;
var<private> epa_iterations: u32;
var<private> epa_done: bool;
// closest face
var<private> best_face: u32;
var<private> best_vertices: u32;

fn byte_of(x: u32, k: u32) -> u32 { return (x >> (8u * k)) & 255u; }
fn bytes3(x: vec3<u32>) -> u32 { return x.x | (x.y << 8u) | (x.z << 16u); }
fn after(k: u32) -> u32 { return select(k + 1u, 0u, k == 2u); }
fn face_state(f: u32) -> u32 { return face_vertices[f] >> 24u; }
fn set_state(f: u32, state_of: u32) { face_vertices[f] = (face_vertices[f] & 0xffffffu) | (state_of << 24u); }

fn put_face(f: u32, corners: vec3<u32>, adjacent: vec3<u32>) -> f32 {
    let a = pool[corners.x].diff;
    let b = pool[corners.y].diff;
    let c = pool[corners.z].diff;
    let normal = cross(c - b, b - a);
    let norm2 = dot(normal, normal);
    var plane = vec4<f32>(0.0);
//#if DOUBLE
    if (norm2 > 1e-30) {
//#else
    if (norm2 > 1e-36) {
//#end
        let unit = normal * inverseSqrt(norm2);
        let height = dot(unit, b);
        // the origin is inside
        plane = vec4<f32>(unit, height) * select(1.0, -1.0, height < 0.0);
    }
    face_plane[f] = plane;
    face_vertices[f] = bytes3(corners);
    face_adjacent[f] = bytes3(adjacent);
    faces_made += 1u;
    return plane.w;
}

// The first polytope, from the last simplex of GJK: a tetrahedron as it is, a triangle with support points on both
// sides, a segment with three around it. False where the simplex has no such directions.
fn begin_polytope() -> bool {
    seed_first = vertex_count;
    seed_end = vertex_count;
    let a = pool[simplex.x].diff;
    let b = pool[simplex.y].diff;
    if (simplex_size == 2u) {
        let along = b - a;
        let extent = abs(along);
        // the coordinate axis most across the segment
        var axis = vec3<f32>(1.0, 0.0, 0.0);
        if (extent.y < extent.x) { axis = vec3<f32>(0.0, 1.0, 0.0); }
        if (extent.z < min(extent.x, extent.y)) { axis = vec3<f32>(0.0, 0.0, 1.0); }
        seed_end = seed_first + 3u;
        seed_dirs[0] = normalize(cross(axis, along));
        for (var k = 1u; k < 3u; k++) {
            seed_dirs[k] = -0.5 * seed_dirs[k - 1u] + 0.8660254 * cross(normalize(along), seed_dirs[k - 1u]);
        }
    } else if (simplex_size == 3u) {
        let normal = cross(b - a, pool[simplex.z].diff - a);
//#if DOUBLE
        if (!(dot(normal, normal) >= 1e-30)) { return false; }
//#else
        if (!(dot(normal, normal) > 1e-36)) { return false; }
//#end
        seed_end = seed_first + 2u;
        seed_dirs[0] = -normalize(normal);
        seed_dirs[1] = -seed_dirs[0];
    }
    return true;
}

// What became of the first polytope.
const BUILT = 0u;
const REBUILT = 1u;
const BROKEN = 2u;

// Its faces, once it has all vertices. Where the origin lies on a face, that is the triangle to begin again with.
fn build_polytope() -> u32 {
    faces_made = 0u;
    let is_tetrahedron = simplex_size == 4u;
    face_count = select(6u, 4u, is_tetrahedron);
    epa_scale = 0.0;
    for (var i = 0u; i < simplex_size; i++) { epa_scale = max(epa_scale, length(pool[simplex[i]].diff)); }
    for (var i = seed_first; i < seed_end; i++) { epa_scale = max(epa_scale, length(pool[i].diff)); }
    var tips = simplex.xy;
    var ring = vec3<u32>(seed_first, seed_first + 1u, seed_first + 2u);
    if (simplex_size == 3u) {
        ring = simplex.xyz;
        tips = vec2<u32>(seed_first + 1u, seed_first);
        // no thickness
        for (var i = seed_first; i < seed_end; i++) {
//#if DOUBLE
            if (abs(dot(seed_dirs[1], pool[i].diff - pool[ring.x].diff)) < 1e-15) { return BROKEN; }
//#else
            if (abs(dot(seed_dirs[1], pool[i].diff - pool[ring.x].diff)) < 1e-7 * epa_scale) { return BROKEN; }
//#end
        }
    }
    var flat_face = face_count;
    for (var f = 0u; f < face_count; f++) {
        var corners = vec3<u32>(0u);
        var adjacent = vec3<u32>(0u);
        if (is_tetrahedron) {
            switch (f) {
                case 0u: { corners = simplex.xyz; adjacent = vec3<u32>(1u, 3u, 2u); }
                case 1u: { corners = simplex.xwy; adjacent = vec3<u32>(2u, 3u, 0u); }
                case 2u: { corners = simplex.xzw; adjacent = vec3<u32>(0u, 3u, 1u); }
                default: { corners = simplex.wzy; adjacent = vec3<u32>(2u, 0u, 1u); }
            }
        } else {
            switch (f) {
                case 0u: { corners = vec3<u32>(tips.x, ring.xy); adjacent = vec3<u32>(1u, 3u, 2u); }
                case 1u: { corners = vec3<u32>(tips.x, ring.zx); adjacent = vec3<u32>(2u, 4u, 0u); }
                case 2u: { corners = vec3<u32>(tips.x, ring.yz); adjacent = vec3<u32>(0u, 5u, 1u); }
                case 3u: { corners = vec3<u32>(tips.y, ring.yx); adjacent = vec3<u32>(5u, 0u, 4u); }
                case 4u: { corners = vec3<u32>(tips.y, ring.xz); adjacent = vec3<u32>(3u, 1u, 5u); }
                default: { corners = vec3<u32>(tips.y, ring.zy); adjacent = vec3<u32>(4u, 2u, 3u); }
            }
        }
        let height = put_face(f, corners, adjacent);
//#if DOUBLE
        if (height * height < 1e-30 && flat_face == face_count) { flat_face = f; }
//#else
        if (height <= 1e-8 * epa_scale && flat_face == face_count) { flat_face = f; }
//#end
    }
    if (flat_face == face_count) {
        return select(BROKEN, BUILT, simplex_size != 2u || surrounds());
    }
    if (simplex_size == 3u) { return BROKEN; }
    let corners = face_vertices[flat_face];
    simplex = vec4<u32>(byte_of(corners, 0u), byte_of(corners, 1u), byte_of(corners, 2u), 0u);
    simplex_size = 3u;
    return REBUILT;
}

// Whether the line through the ends of a segment passes through the triangle of the support points around it.
fn surrounds() -> bool {
    let a = pool[simplex.x].diff;
    let along = pool[simplex.y].diff - a;
    let p = pool[seed_first].diff - a;
    let q = pool[seed_first + 1u].diff - a;
    let r = pool[seed_first + 2u].diff - a;
    let volumes = vec3<f32>(dot(cross(p, q), along), dot(cross(q, r), along), dot(cross(r, p), along));
    return all(volumes >= vec3<f32>(0.0)) || all(volumes <= vec3<f32>(0.0));
}

// Deletes the faces that a point sees, from one on, and lists the edges around the hole in order.
fn carve(first: u32, w: vec3<f32>) {
    horizon_count = 0u;
    set_state(first, DELETED);
    var left = 3u;
    for (var k = 0u; k < 3u; k++) { uncrossed[k] = 4u * first + 2u - k; }
    while (left > 0u) {
        left -= 1u;
        let start_face = uncrossed[left] >> 2u;
        let edge = uncrossed[left] & 3u;
        let across = byte_of(face_adjacent[start_face], edge);
        if (face_state(across) == DELETED) { continue; }
        let shared_vertex = byte_of(face_vertices[start_face], after(edge));
        let corners = face_vertices[across];
        let their_edge = select(select(2u, 1u, byte_of(corners, 1u) == shared_vertex), 0u, byte_of(corners, 0u) == shared_vertex);
        let plane = face_plane[across];
//#if DOUBLE
        if (plane.w * dot(plane.xyz, w - pool[byte_of(corners, 0u)].diff) > 1e-15 && left + 2u <= EPA_FACES) {
//#else
        if (dot(plane.xyz, w - pool[byte_of(corners, 0u)].diff) > 1e-8 * epa_scale && left + 2u <= EPA_FACES) {
//#end
            set_state(across, DELETED);
            let next = after(their_edge);
            uncrossed[left] = 4u * across + after(next);
            uncrossed[left + 1u] = 4u * across + next;
            left += 2u;
        } else if (horizon_count < EPA_HORIZON) {
            horizon[horizon_count] = 4u * across + their_edge;
            horizon_count += 1u;
        }
    }
}

// Closes the hole with a fan of faces around the last vertex; false where there is no room.
fn cap(lower: f32, upper: f32) -> bool {
    // slots of the new faces
    var slot = 0u;
    for (var k = 0u; k < horizon_count; k++) {
        while (slot < face_count && face_state(slot) != DELETED) { slot += 1u; }
        if (slot == EPA_FACES) { return false; }
        uncrossed[k] = slot;
        slot += 1u;
        face_count = max(face_count, slot);
    }
    let tip = vertex_count - 1u;
    for (var k = 0u; k < horizon_count; k++) {
        let this_face = uncrossed[k];
        let hidden = horizon[k] >> 2u;
        let side = horizon[k] & 3u;
        let before = uncrossed[select(k - 1u, horizon_count - 1u, k == 0u)];
        let next = uncrossed[select(k + 1u, 0u, k + 1u == horizon_count)];
        face_adjacent[hidden] = (face_adjacent[hidden] & ~(255u << (8u * side))) | (this_face << (8u * side));
        let corners = face_vertices[hidden];
        let height = put_face(
            this_face,
            vec3<u32>(tip, byte_of(corners, after(side)), byte_of(corners, side)),
            vec3<u32>(before, hidden, next),
        );
        // a face that is nearer than the polytope was, or has no plane, is rounding
//#if DOUBLE
        if (height < lower || height > upper || height == 0.0) { set_state(this_face, CLOSED); }
//#else
        if (height < lower - 1e-6 * epa_scale || height > upper || height == 0.0) { set_state(this_face, CLOSED); }
//#end
    }
    return true;
}

fn is_known(ids: vec2<u32>) -> bool {
    for (var k = 0u; k + 1u < vertex_count; k++) {
        let is_corner = k >= GJK_POINTS || any(simplex == vec4<u32>(k));
        if (is_corner && all(pool[k].ids == ids)) { return true; }
    }
    return false;
}

fn begin_epa() {
    epa_upper = SEPARATE;
    epa_iterations = 0u;
    epa_done = false;
    best_plane = vec4<f32>(0.0);
}

// Whether the polytope has a face to look beyond, along `direction`.
fn epa_direction() -> bool {
    if (epa_done || epa_iterations >= CCD_ITERATIONS) { return false; }
    epa_iterations += 1u;
    var lower = SEPARATE;
    for (var f = 0u; f < face_count; f++) {
        if (face_state(f) == OPEN && face_plane[f].w < lower) {
            lower = face_plane[f].w;
            best_face = f;
        }
    }
    if (lower == SEPARATE || lower > epa_upper) { return false; }
    best_plane = face_plane[best_face];
    best_vertices = face_vertices[best_face];
    direction = best_plane.xyz;
    return lower > 0.0 && vertex_count < POOL_SIZE;
}

// Replaces the closest face by the support point along its normal, unless that is not farther out.
fn epa_take(vertex_index: u32) {
    let vertex = pool[vertex_index];
    let lower = best_plane.w;
    epa_upper = min(epa_upper, dot(best_plane.xyz, vertex.diff));
//#if DOUBLE
    let tolerance = select(CCD_TOLERANCE, 1e-15, discrete);
//#else
    let tolerance = select(max(CCD_TOLERANCE, 1e-7 * epa_scale), 1e-7 * epa_scale, discrete);
//#end
    // over finitely many vertices, one found twice means that there is nothing beyond this face
    epa_done = epa_upper - lower < tolerance || (discrete && is_known(vertex.ids));
    if (epa_done) { return; }
    carve(best_face, vertex.diff);
    epa_done = horizon_count < 3u || faces_made + horizon_count > 6u * CCD_ITERATIONS || !cap(lower, epa_upper);
}

// Takes the deepest points from the closest face; returns the depth.
fn end_epa() -> f32 {
    let a = pool[byte_of(best_vertices, 0u)];
    let b = pool[byte_of(best_vertices, 1u)];
    let c = pool[byte_of(best_vertices, 2u)];
    let foot = best_plane.xyz * best_plane.w;
    let normal = cross(b.diff - a.diff, c.diff - a.diff);
    let areas = vec3<f32>(
        dot(normal, cross(b.diff - foot, c.diff - foot)),
        dot(normal, cross(c.diff - foot, a.diff - foot)),
        dot(normal, cross(a.diff - foot, b.diff - foot)),
    );
    let w = areas / (areas.x + areas.y + areas.z);
    witness1 = w.x * a.on1 + w.y * b.on1 + w.z * c.on1;
    witness2 = witness1 - foot;
    return best_plane.w;
}
