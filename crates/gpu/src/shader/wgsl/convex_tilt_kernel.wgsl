//#import common
//#import convex_penetration
//#import convex_shape
//#import convex_slot
//#import convex_slots
//#import convex_state
//#import geom_pose

// Poses of pairs that touch, tilted about two tangents through the contact, both ways, a lane each: where they touch
// elsewhere, there is another contact.

@compute @workgroup_size(LANES)
fn find_tilted(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32, @builtin(num_workgroups) groups: vec3<u32>,
) {
    let count = atomicLoad(&needed[LIST_TILTED]);
    let share = lanes_share(count, groups.x);
    for (var i = group.x * share + local; local < share && i < count; i += groups.x * share) {
        let item = status[list_offset(LIST_TILTED, i)];
        open_slot(item >> 2u);
        tilt_shapes(item & 3u);
        let touches = penetration() < 0.0;
        let at = slot + 3u + 2u * (item & 3u);
        scratch[at] = vec4<f32>(origin + 0.5 * (witness1 + witness2), 0.0);
        scratch[at + 1u] = vec4<f32>(best_plane.xyz, select(0.0, 1.0, touches));
    }
}

fn tilt_shapes(pose: u32) {
    let middle = scratch[slot + 1u].xyz - origin;
    let normal = scratch[slot + 2u].xyz;
    var axis = tangent_of(normal, vec3<f32>(0.0));
    if (pose >= 2u) { axis = cross(normal, axis); }
    let sine = select(5e-4, -5e-4, (pose & 1u) == 0u);
    convex1 = tilt(convex1, middle, axis, sine);
    convex2 = tilt(convex2, middle, axis, -sine);
}

// Rotates a shape by a small angle about an axis through a point.
fn tilt(s: Convex, point: vec3<f32>, axis: vec3<f32>, sine: f32) -> Convex {
    let quat = vec4<f32>(0.999999875, sine * axis);
    var rotated = s;
    rotated.pos = point + rotate(quat, s.pos - point);
    rotated.centre = point + rotate(quat, s.centre - point);
    rotated.axes = mat3x3<f32>(rotate(quat, s.axes[0]), rotate(quat, s.axes[1]), rotate(quat, s.axes[2]));
    return rotated;
}
