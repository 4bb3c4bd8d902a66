//#import common
//#import convex_mesh
//#import convex_shape
//#import touch_distinct

// Several contact points where flat features of boxes and meshes lie on each other: a face of one and a face or an
// edge of the other, clipped by each other (Sutherland and Hodgman 1974). Of more than four corners, a quadrilateral
// of large area stays.

// Cosine of the angle between parallel normals, and sine of that between an edge and a face that it lies in.
const FACE_PARALLEL = 0.99999872;
const EDGE_PARALLEL = 0.00159999931;

// Distinct vertices of one shape in the closest face of EPA: one of a corner, two of an edge, three of a face.
struct Touching { count: u32, ids: vec3<u32>, anchor: vec3<f32>, second: vec3<f32> }

// closest face of EPA, its plane, and the size of the polytope, to compare rounding with
var<private> closest_face: array<Vertex, 3>;
var<private> best_plane: vec4<f32>;
var<private> epa_scale: f32;
// a polygon, and what is left of it as it is cut, in a ring: corners are taken at the front and put at the back
var<private> polygon: array<vec3<f32>, POLYGON_ROOM>;

fn touching_of(first: bool) -> Touching {
    var ids = vec3<u32>(0u);
    var points = array<vec3<f32>, 3>();
    for (var k = 0u; k < 3u; k++) {
        let vertex = closest_face[k];
        ids[k] = select(vertex.ids.y, vertex.ids.x, first);
        points[k] = select(vertex.on1 - vertex.diff, vertex.on1, first);
    }
    if (ids.x != ids.y) {
        return Touching(select(3u, 2u, ids.z == ids.x || ids.z == ids.y), ids, points[0], points[1]);
    }
    if (ids.x != ids.z) { return Touching(2u, ids.xzz, points[0], points[2]); }
    return Touching(1u, ids, points[0], points[0]);
}

// Polygons of a mesh: normals, first corners, numbers of corners, first polygons and numbers of polygons of vertices,
// corners, polygons.
fn polygon_word(g: u32, table: u32, i: u32) -> u32 {
    let at = mesh_entry(g, 4u);
    let polygons = mesh_entry(g, 5u);
    let count = mesh_entry(g, 1u);
    let starts = array<u32, 5>(0u, 3u * polygons, 4u * polygons, 5u * polygons, 5u * polygons + count);
    return u32(mesh_word(at + starts[table] + i));
}

fn has_polygons(s: Convex) -> bool { return s.kind == BOX || mesh_entry(s.geom, 5u) > 0u; }

fn polygons_at(g: u32, id: u32) -> vec2<u32> { return vec2<u32>(polygon_word(g, 3u, id), polygon_word(g, 4u, id)); }

fn has_polygon(g: u32, id: u32, wanted: i32) -> bool {
    let list = polygons_at(g, id);
    for (var k = 0u; k < list.y; k++) {
        if (mesh_word(list.x + k) == wanted) { return true; }
    }
    return false;
}

// The k-th face that may be in contact, by its number: −1 for one that is none of them, −2 behind the last.
fn candidate_face(s: Convex, t: Touching, outward: vec3<f32>, k: u32) -> i32 {
    if (s.kind == BOX) { return candidate_box_face(s, t, outward, k); }
    let around = polygons_at(s.geom, mesh_id(s.geom, t.ids.x));
    if (k >= min(around.y, 150u)) { return -2; }
    let face = mesh_word(around.x + k);
    if (t.count > 1u && !has_polygon(s.geom, mesh_id(s.geom, t.ids.y), face)) { return -1; }
    if (t.count > 2u && !has_polygon(s.geom, mesh_id(s.geom, t.ids.z), face)) { return -1; }
    return face;
}

// Faces of a box that its touching corners share: by axis, the face in positive direction first. Corners that share
// too few stand for the face along the contact.
fn candidate_box_face(s: Convex, t: Touching, outward: vec3<f32>, k: u32) -> i32 {
    if (k > 2u) { return -2; }
    var all_up = t.ids.x;
    var any_up = t.ids.x;
    if (t.count > 1u) {
        all_up &= t.ids.y;
        any_up |= t.ids.y;
    }
    if (t.count > 2u) {
        all_up &= t.ids.z;
        any_up |= t.ids.z;
    }
    let shared_axes = (all_up | ~any_up) & 7u;
    if (countOneBits(shared_axes) + t.count == 4u) {
        if (((shared_axes >> k) & 1u) == 0u) { return -1; }
        return i32(2u * k + select(1u, 0u, ((all_up >> k) & 1u) == 1u));
    }
    let along = normalize(outward * s.axes)[k];
    if (abs(along) <= FACE_PARALLEL) { return -1; }
    return i32(2u * k + select(0u, 1u, along < 0.0));
}

//#if DOUBLE
// normals of faces are numbers of the model
fn hull_normal(s: Convex, face: u32) -> vec3<f32> {
    if (s.kind == BOX) { return s.axes[face >> 1u] * select(1.0, -1.0, (face & 1u) == 1u); }
    return s.axes * number3(MESH_NORMALS + polygon_word(s.geom, 0u, 3u * face));
}
//#else
fn hull_normal(s: Convex, face: u32) -> vec3<f32> {
    if (s.kind == BOX) { return s.axes[face >> 1u] * select(1.0, -1.0, (face & 1u) == 1u); }
    let at = 3u * face;
    let bits = vec3<u32>(polygon_word(s.geom, 0u, at), polygon_word(s.geom, 0u, at + 1u), polygon_word(s.geom, 0u, at + 2u));
    return s.axes * bitcast<vec3<f32>>(bits);
}
//#end

fn corner_count(s: Convex, face: u32) -> u32 {
    if (s.kind == BOX) { return 4u; }
    return min(polygon_word(s.geom, 2u, face), MOST_CORNERS);
}

// Corners of a face, clockwise seen from outside.
fn face_corner(s: Convex, face: u32, k: u32) -> vec3<f32> {
    var local = vec3<f32>(0.0);
    if (s.kind == BOX) {
        // signs of the four corners, three bits each
        let signs = array<u32, 6>(0xa5fu, 0x132u, 0xddau, 0x06cu, 0x97eu, 0x213u);
        let bits = signs[face] >> (3u * k);
        local = s.size * select(vec3<f32>(-1.0), vec3<f32>(1.0), (vec3<u32>(bits) & vec3<u32>(1u, 2u, 4u)) != vec3<u32>(0u));
    } else {
        let last = corner_count(s, face) - 1u;
        local = mesh_vertex(s.geom, u32(mesh_word(polygon_word(s.geom, 1u, face) + last - k)));
    }
    return s.axes * local + s.pos;
}

// The other end of the k-th edge at a touching corner or along a touching edge; the anchor itself behind the last.
fn edge_end(s: Convex, t: Touching, k: u32) -> vec3<f32> {
    if (t.count == 2u) { return select(t.anchor, t.second, k == 0u); }
    if (s.kind == BOX) {
        if (k > 2u) { return t.anchor; }
        return t.anchor - s.axes[k] * (2.0 * s.size[k] * select(-1.0, 1.0, ((t.ids.x >> k) & 1u) == 1u));
    }
    let id = mesh_id(s.geom, t.ids.x);
    let around = polygons_at(s.geom, id);
    if (k >= min(around.y, 150u)) { return t.anchor; }
    let face = u32(mesh_word(around.x + k));
    let first = polygon_word(s.geom, 1u, face);
    let count = polygon_word(s.geom, 2u, face);
    for (var c = 0u; c < count; c++) {
        if (u32(mesh_word(first + c)) == id) {
            let before = u32(mesh_word(first + select(c - 1u, count - 1u, c == 0u)));
            return s.axes * mesh_vertex(s.geom, before) + s.pos;
        }
    }
    return t.anchor;
}

// Index of a corner in the ring, of two numbers below its size.
fn ring(start_at: u32, k: u32) -> u32 { return select(start_at + k, start_at + k - POLYGON_ROOM, start_at + k >= POLYGON_ROOM); }

// Cuts the first `count` corners of the polygon by the planes on the sides of a face; returns where the result begins
// and how many corners it has.
fn clip_polygon(start_count: u32, s: Convex, face: u32, normal: vec3<f32>) -> vec2<u32> {
    var start_at = 0u;
    var count = start_count;
    let sides = corner_count(s, face);
    var corner = face_corner(s, face, 0u);
    for (var side = 0u; side < sides && count > 0u; side++) {
        let next_corner = face_corner(s, face, select(side + 1u, 0u, side + 1u == sides));
        let inward = cross(next_corner - corner, normal);
//#if DOUBLE
        let outside = -1e-15;
//#else
        let outside = -1e-7 * epa_scale * length(inward);
//#end
        let to = ring(start_at, count);
        let first = polygon[start_at];
        let first_height = dot(first - corner, inward);
        var p = first;
        var p_height = first_height;
        var kept = 0u;
        for (var i = 0u; i < count; i++) {
            var q = first;
            var q_height = first_height;
            if (i + 1u < count) {
                q = polygon[ring(start_at, i + 1u)];
                q_height = dot(q - corner, inward);
            }
            // corners that have been taken leave room
            let room = POLYGON_ROOM - count + min(i + 2u, count);
            if ((p_height > outside) != (q_height > outside) && kept < room) {
                polygon[ring(to, kept)] = p + (q - p) * clamp(p_height / (p_height - q_height), 0.0, 1.0);
                kept += 1u;
            }
            if (q_height > outside && kept < room) {
                polygon[ring(to, kept)] = q;
                kept += 1u;
            }
            p = q;
            p_height = q_height;
        }
        corner = next_corner;
        start_at = to;
        count = kept;
    }
    return vec2<u32>(start_at, count);
}

fn quad_area(start_at: u32, q: vec4<u32>) -> f32 {
    let a = polygon[ring(start_at, q.x)];
    let b = polygon[ring(start_at, q.y)];
    let c = polygon[ring(start_at, q.z)];
    let d = polygon[ring(start_at, q.w)];
    return length(cross(d - a, b - d) + cross(c - b, a - c));
}

// Corners of a quadrilateral of (locally) largest area among at least four.
fn largest_quad(start_at: u32, count: u32) -> vec4<u32> {
    var best = vec4<u32>(0u, 1u, 2u, 3u);
    var largest = quad_area(start_at, best);
    var at = best;
    for (var a = 0u; a < count; a++) {
        at.x = a;
        // in turn the last, the third and the second corner move on while that gains area
        var moving = 3u;
        for (var k = 0u; k < 4u * count; k++) {
            var next = at;
            next[moving] = select(at[moving] + 1u, 0u, at[moving] + 1u == count);
            let area = quad_area(start_at, next);
            if (area > largest) {
                largest = area;
                best = next;
                at = next;
                if (moving == 3u) { moving = 2u; }
            } else if (moving == 3u) {
                break;
            } else {
                moving = select(3u, 1u, moving == 2u);
            }
        }
        // the corners stay distinct as the first one moves on
        for (var k = 1u; k < 4u; k++) {
            if (at[k] != at[k - 1u]) { break; }
            at[k] = select(at[k] + 1u, 0u, at[k] + 1u == count);
        }
    }
    return best;
}

// Replaces the single contact by up to four where flat features match; false where they do not.
fn flat_contacts(dist: f32, base: vec3<f32>) -> bool {
    if (!has_polygons(convex1) || !has_polygons(convex2)) { return false; }
    let depth = best_plane.w;
    let t1 = touching_of(true);
    let t2 = touching_of(false);
    // the polygon that is cut is a face or an edge, the one that cuts a face of the other shape
    var cutter = -1;
    var cutter_first = true;
    var count = 0u;
    var across = vec3<f32>(0.0);
    for (var j = 0u; j < 1000u && cutter < 0; j++) {
        let face1 = candidate_face(convex1, t1, best_plane.xyz, j);
        if (face1 == -2) { break; }
        if (face1 < 0) { continue; }
        let normal1 = hull_normal(convex1, u32(face1));
        for (var k = 0u; k < 1000u; k++) {
            let face2 = candidate_face(convex2, t2, -best_plane.xyz, k);
            if (face2 == -2) { break; }
            if (face2 < 0) { continue; }
            let normal2 = hull_normal(convex2, u32(face2));
            if (dot(normal1, normal2) < -FACE_PARALLEL) {
                cutter = face1;
                across = normal2 * depth;
                count = corner_count(convex2, u32(face2));
                for (var c = 0u; c < count; c++) { polygon[c] = face_corner(convex2, u32(face2), c); }
                break;
            }
        }
    }
    if (cutter < 0) {
        let edge_of_first = t1.count < 3u && t1.count <= t2.count;
        if (!edge_of_first && t2.count == 3u) { return false; }
        cutter_first = !edge_of_first;
        var s = convex2;
        var t = t1;
        var edged = convex1;
        var faced = t2;
        if (cutter_first) {
            s = convex1;
            t = t2;
            edged = convex2;
            faced = t1;
        }
        let outward = select(-best_plane.xyz, best_plane.xyz, cutter_first);
        for (var j = 0u; j < 1000u && cutter < 0; j++) {
            let face = candidate_face(s, faced, outward, j);
            if (face == -2) { break; }
            if (face < 0) { continue; }
            let normal = hull_normal(s, u32(face));
            for (var k = 0u; k < 150u; k++) {
                let end = edge_end(edged, t, k);
                if (all(end == t.anchor)) { break; }
                if (abs(dot(normalize(end - t.anchor), normal)) < EDGE_PARALLEL) {
                    cutter = face;
                    across = normal * select(depth, -depth, cutter_first);
                    polygon[0] = t.anchor;
                    polygon[1] = end;
                    count = 2u;
                    break;
                }
            }
        }
        if (cutter < 0) { return false; }
    }
    var cutting = convex1;
    if (!cutter_first) { cutting = convex2; }
    let clipped = clip_polygon(count, cutting, u32(cutter), hull_normal(cutting, u32(cutter)));
    if (clipped.y == 0u) { return false; }
    var chosen = vec4<u32>(0u, 1u, 2u, 3u);
    if (clipped.y > 4u) { chosen = largest_quad(clipped.x, clipped.y); }
    for (var k = 0u; k < min(clipped.y, 4u); k++) {
        let point = polygon[ring(clipped.x, chosen[k])] - 0.5 * across + base;
//#if DOUBLE
        touch_distinct(dist, point, -normalize(across), select(1e-15, -1.0, clipped.y > 4u));
//#else
        touch_distinct(dist, point, -normalize(across), select(1e-6 * epa_scale, -1.0, clipped.y > 4u));
//#end
    }
    return true;
}
