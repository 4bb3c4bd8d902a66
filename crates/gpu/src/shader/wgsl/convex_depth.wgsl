//#import convex_epa
//#import convex_state

// Goes on with EPA up to the next support point, or says how it has ended.
fn depth_direction() -> u32 {
    var begins = stage == BEGIN;
    if (stage == SEED && vertex_count == seed_end) {
        let built = build_polytope();
        if (built == BROKEN) { return SEPARATED; }
        begins = built == REBUILT;
        if (built == BUILT) {
            stage = GROWTH;
            begin_epa();
        }
    }
    if (begins) {
        stage = SEED;
        if (!begin_polytope()) { return SEPARATED; }
        // a tetrahedron has all of its vertices
        if (vertex_count == seed_end) { return AGAIN; }
    }
    if (stage == SEED) {
        direction = seed_dirs[vertex_count - seed_first];
        return SEARCHING;
    }
    if (epa_direction()) { return SEARCHING; }
    return select(SEPARATED, OVERLAP, best_plane.w > 0.0);
}
