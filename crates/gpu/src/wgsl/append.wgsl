// Writes the points of all lanes behind those that there are; returns the new number.
fn append_points(pair: u32, count: u32) -> u32 {
    if (!any_lane(found > 0u)) { return count; }
    let place = scan(found);
    for (var k = 0u; k < found; k++) {
        let at = count + place.x + k;
        if (at < MAX_CONTACTS) {
            let record = scratch_base + SCRATCH_CONTACT + 3u * at;
            let normal = found_normal[k];
            scratch[record] = found_pos[k];
            scratch[record + 1u] = vec4<f32>(normal, bitcast<f32>(pair));
            scratch[record + 2u] = vec4<f32>(tangent_of(normal, found_tangent), 0.0);
        }
    }
    return count + place.y;
}
