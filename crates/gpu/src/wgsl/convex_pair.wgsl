
// Contacts of two convex geoms: GJK and EPA, for spheres and capsules first by their medial axes, and more points
// where flat features lie on each other or where tilted poses touch elsewhere.

// What the next support point is for: the distance of medial axes or of whole shapes, the first polytope, or its growth.
const MEDIAL = 0u;
const WHOLE = 1u;
const SEED = 2u;
const GROWTH = 3u;

// Signed distance of the shapes as they are placed, positive where they do not touch; their nearest or deepest points
// are left as witnesses, and the direction from the first to the second as `best_plane`. Support points of all stages
// come from one place, so that lanes in different stages wait for none of each other.
fn penetration() -> f32 {
    let whole1 = convex1;
    let whole2 = convex2;
    let discrete = is_discrete(convex1) && is_discrete(convex2);
    var inflation = vec2<f32>(0.0);
    var stage = WHOLE;
    if (is_round(convex1)) {
        stage = MEDIAL;
        inflation.x = convex1.size.x + convex1.inflation;
        convex1.size.x = 0.0;
        convex1.inflation = 0.0;
    }
    if (is_round(convex2)) {
        stage = MEDIAL;
        inflation.y = convex2.size.x + convex2.inflation;
        convex2.size.x = 0.0;
        convex2.inflation = 0.0;
    }
    begin_gjk(inflation.x + inflation.y);
    for (var guard = 0u; guard < 8u * CCD_ITERATIONS + 16u; guard++) {
        // whether a polytope is begun
        var begins = false;
        if (stage <= WHOLE && !gjk_direction(discrete)) {
            if (stage == WHOLE) {
                vertex_count = GJK_POINTS;
                if (gjk_dist > CCD_TOLERANCE || simplex_size <= 1u) { return 1.0; }
                stage = SEED;
                begins = true;
            } else {
                convex1 = whole1;
                convex2 = whole2;
                if (gjk_dist >= SEPARATE) { return 1.0; }
                if (gjk_dist > CCD_TOLERANCE) { break; }
                // the axes overlap
                stage = WHOLE;
                begin_gjk(0.0);
                continue;
            }
        } else if (stage == SEED && vertex_count == seed_end) {
            let built = build_polytope();
            if (built == BROKEN) { return 1.0; }
            begins = built == AGAIN;
            if (built == BUILT) {
                stage = GROWTH;
                begin_epa();
            }
        }
        if (begins) {
            if (!begin_polytope()) { return 1.0; }
            // a tetrahedron has all of its vertices
            if (vertex_count == seed_end) { continue; }
        }
        if (stage == SEED) { direction = seed_dirs[vertex_count - seed_first]; }
        if (stage == GROWTH && !epa_direction()) { break; }
        var place = vertex_count;
        if (stage <= WHOLE) { place = free_place(); } else { vertex_count += 1u; }
        pool[place] = support(direction);
        if (stage <= WHOLE) { gjk_take(place, discrete); }
        if (stage == GROWTH) { epa_take(place, discrete); }
    }
    if (stage == MEDIAL) {
        end_gjk();
        best_plane = vec4<f32>(normalize(witness2 - witness1), 0.0);
        //REFINE//
        witness1 += inflation.x * best_plane.xyz;
        witness2 -= inflation.y * best_plane.xyz;
        return gjk_dist - inflation.x - inflation.y;
    }
    if (stage != GROWTH || best_plane.w <= 0.0) { return 1.0; }
    return -end_epa();
}

// Turns a shape by a small angle about an axis through a point.
fn tilt(s: Convex, point: vec3<f32>, axis: vec3<f32>, sine: f32) -> Convex {
    let quat = vec4<f32>(0.999999875, sine * axis);
    var turned = s;
    turned.pos = point + rotate(quat, s.pos - point);
    turned.centre = point + rotate(quat, s.centre - point);
    turned.axes = mat3x3<f32>(rotate(quat, s.axes[0]), rotate(quat, s.axes[1]), rotate(quat, s.axes[2]));
    return turned;
}

// Takes a point unless it is near one that this pair has.
fn touch_apart(dist: f32, pos: vec3<f32>, normal: vec3<f32>, resolution: f32) {
    for (var k = 0u; k < found; k++) {
        if (distance(found_pos[k].xyz, pos) <= resolution) { return; }
    }
    touch(dist, pos, normal);
}

fn convex_pair(g1: u32, g2: u32) {
    let base = geom_pos[g1].xyz;
    let first1 = convex_of(g1, base);
    let first2 = convex_of(g2, base);
    last_ids = vec2<u32>(0u);
    let is_smooth = first1.kind == SPHERE || first1.kind == ELLIPSOID || first2.kind == SPHERE || first2.kind == ELLIPSOID;
    // shapes without flat features of their own, or with a margin, are tilted about two tangents, both ways
    let is_flat = (first1.kind == BOX || first1.kind == MESH) && (first2.kind == BOX || first2.kind == MESH) && margin <= 0.0;
    let poses = select(1u, 5u, MULTICCD && !is_smooth && !is_flat);
    let resolution = 1e-3 * min(geom_pos[g1].w, geom_pos[g2].w);
    var first_dist = 0.0;
    var middle = vec3<f32>(0.0);
    var tangents = mat2x3<f32>();
    for (var pose = 0u; pose < poses; pose++) {
        convex1 = first1;
        convex2 = first2;
        if (pose > 0u) {
            let axis = tangents[(pose - 1u) >> 1u];
            let sine = select(5e-4, -5e-4, (pose & 1u) == 1u);
            convex1 = tilt(first1, middle, axis, sine);
            convex2 = tilt(first2, middle, axis, -sine);
        }
        let dist = penetration();
        if (dist >= 0.0) {
            if (pose == 0u) { return; }
            continue;
        }
        let pos = 0.5 * (witness1 + witness2);
        let normal = best_plane.xyz;
        if (pose > 0u) {
            touch_apart(first_dist, base + pos, normal, resolution);
            continue;
        }
        first_dist = margin + dist;
        middle = pos;
        let across = tangent_of(normal, vec3<f32>(0.0));
        tangents = mat2x3<f32>(across, cross(normal, across));
        //MANIFOLD//
        touch(first_dist, base + pos, normal);
        if (found == 0u) { return; }
    }
}
