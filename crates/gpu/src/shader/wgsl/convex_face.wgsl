//#import common
//#import convex_epa
//#import convex_slot
//#import convex_slots
//#import convex_state

// Leaves the last face of EPA for its features to be clipped: vertices, its plane, the middle of the deepest points, and
// the scale of rounding.
fn keep_face() {
    for (var k = 0u; k < 3u; k++) {
        let vertex = pool[byte_of(best_vertices, k)];
        scratch[slot + 1u + 2u * k] = vec4<f32>(vertex.diff, f32(vertex.ids.x));
        scratch[slot + 2u + 2u * k] = vec4<f32>(vertex.on1, f32(vertex.ids.y));
    }
    scratch[slot + 7u] = best_plane;
    scratch[slot + 8u] = vec4<f32>(0.5 * (witness1 + witness2), epa_scale);
    push(LIST_FLAT, entry);
}
