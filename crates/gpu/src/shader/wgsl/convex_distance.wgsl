//#import convex_gjk
//#import convex_shape
//#import convex_state
//#if ELLIPSOID_REFINEMENT
//#import convex_ellipsoid
//#end

// GJK of a pair: for spheres and capsules first by their medial axes, then, where these overlap the other shape, of whole
// shapes.

// by how much round shapes reach beyond their medial axes
var<private> reach: vec2<f32>;
// radii and inflations of whole shapes
var<private> whole: vec4<f32>;

fn begin_search() {
    discrete = is_discrete(convex1) && is_discrete(convex2);
    whole = vec4<f32>(convex1.size.x, convex1.inflation, convex2.size.x, convex2.inflation);
    reach = vec2<f32>(0.0);
    stage = WHOLE;
    if (is_round(convex1)) {
        stage = MEDIAL;
        reach.x = whole.x + whole.y;
        convex1.size.x = 0.0;
        convex1.inflation = 0.0;
    }
    if (is_round(convex2)) {
        stage = MEDIAL;
        reach.y = whole.z + whole.w;
        convex2.size.x = 0.0;
        convex2.inflation = 0.0;
    }
    begin_gjk(reach.x + reach.y);
}

// Goes on to the next support point, or says how GJK has ended.
fn distance_direction() -> u32 {
    if (gjk_direction()) { return SEARCHING; }
    if (stage == WHOLE) { return select(OVERLAP, SEPARATED, gjk_dist > CCD_TOLERANCE || simplex_size <= 1u); }
    convex1.size.x = whole.x;
    convex1.inflation = whole.y;
    convex2.size.x = whole.z;
    convex2.inflation = whole.w;
    if (gjk_dist >= SEPARATE) { return SEPARATED; }
    if (gjk_dist > CCD_TOLERANCE) { return NEAR; }
    // the axes overlap
    stage = WHOLE;
    begin_gjk(0.0);
    return AGAIN;
}

// Signed distance of shapes whose medial axes do not overlap; their nearest points are left as witnesses.
fn near_distance() -> f32 {
    end_gjk();
    best_plane = vec4<f32>(normalize(witness2 - witness1), 0.0);
//#if ELLIPSOID_REFINEMENT
    refine_ellipsoid();
//#end
    witness1 += reach.x * best_plane.xyz;
    witness2 -= reach.y * best_plane.xyz;
    return gjk_dist - reach.x - reach.y;
}
