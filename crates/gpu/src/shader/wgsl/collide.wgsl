// Contacts of all geom pairs that may touch, in a fixed order.
//
// Pairs are grouped by their two shapes, so that lanes run the same routine; within a group a lane takes a
// pair, compares bounding spheres and, if these meet, finds up to MAX_POINTS contact points. A sum over the
// lanes before it tells where they go.
//#import common
//#import geom_pose
//#import geoms
//#import lanes
//#if ADHESION
//#import append_gaps
//#else
//#import append
//#end
//#if CAPSULE_BOX_PAIRS
//#import capsule_box
//#end
//#if BOX_BOX_PAIRS
//#import box_box
//#end
//#if PLANE_MESH_PAIRS
//#import plane_mesh
//#end
//#if CONVEX_LISTS
//#import convex_points
//#end
//#if HEIGHT_FIELD_PAIRS
//#import height_field
//#elif CONVEX_MESHES
//#import convex_mesh
//#end

// Contact points of this lane's pair: position and distance, normal, and first tangent where the shapes give
// one.
var<private> found: u32;
var<private> found_pos: array<vec4<f32>, MAX_POINTS>;
var<private> found_normal: array<vec3<f32>, MAX_POINTS>;
var<private> found_tangent: vec3<f32>;
// distance below which a point pushes
var<private> include_margin: f32;

@compute @workgroup_size(LANES)
fn find_contacts(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
//#if CONVEX_LISTS
    // Empties the lists when all searches are done.
    if (group.x + group.y + local == 0u) {
        for (var list = LIST_NEAR; list <= LIST_TILTED; list++) { atomicStore(&needed[list], 0u); }
    }
//#end
    if (!enter(group, local)) { return; }
    set_geom_poses();
    var count = 0u;
    //#insert contact_groups
//#if ADHESION
    // Leaves the number of points in the gap; where they have no room the world waits.
    if (lane == 0u) { put_scratch(4u * SCRATCH_ADHESION + NADHESION, f32(gaps)); }
    if (count + gaps > submission.contacts) { count += gaps; }
//#end
    if (lane == 0u) {
        if (count > submission.contacts) { atomicMax(&needed[0], count); }
//#if CONVEX_LISTS
        // A world with more candidates than slots waits.
        if (candidate_count() > submission.candidates) { count = max(count, submission.contacts + 1u); }
//#end
        status[status_base + STATUS_CONTACTS] = count;
    }
}

fn z_axis(g: u32) -> vec3<f32> { return rotate(geom_quat[g], vec3<f32>(0.0, 0.0, 1.0)); }

// Whether the bounds of a shape reach a plane, the first of the pair.
fn reaches_plane(g1: u32, g2: u32) -> bool {
    return dot(geom_pos[g2].xyz - geom_pos[g1].xyz, z_axis(g1)) <= margin + geom_pos[g2].w;
}

fn touch(dist: f32, pos: vec3<f32>, normal: vec3<f32>) {
    if (dist < include_margin && found < MAX_POINTS) {
        found_pos[found] = vec4<f32>(pos, dist);
        found_normal[found] = normal;
        found += 1u;
    }
}

// Writes a point of this lane's pair into the list, where there is room.
fn put_point(at: u32, k: u32, pair: u32) {
    if (at >= submission.contacts) { return; }
    let record = scratch_base + SCRATCH_CONTACT + 3u * at;
    let normal = found_normal[k];
    scratch[record] = found_pos[k];
    scratch[record + 1u] = vec4<f32>(normal, bitcast<f32>(pair));
    scratch[record + 2u] = vec4<f32>(tangent_of(normal, found_tangent), 0.0);
}


// A ball and a plane through a point.
fn plane_ball(origin: vec3<f32>, normal: vec3<f32>, centre: vec3<f32>, radius: f32) {
    let height = dot(centre - origin, normal);
    if (height > margin + radius) { return; }
    let dist = height - radius;
    touch(dist, centre - normal * (0.5 * dist + radius), normal);
}

// Two balls, with the axes of the shapes that they stand for.
fn ball_ball(c1: vec3<f32>, r1: f32, axis1: vec3<f32>, c2: vec3<f32>, r2: f32, axis2: vec3<f32>) {
    let d = c2 - c1;
    let center_distance = length(d);
    if (center_distance > margin + r1 + r2) { return; }
    var normal = vec3<f32>(1.0, 0.0, 0.0);
    if (center_distance >= 1e-15) {
        normal = d / center_distance;
    } else {
        let across = cross(axis1, axis2);
//#if DOUBLE
        if (dot(across, across) >= 1e-30) { normal = normalize(across); }
//#else
        if (dot(across, across) > 1e-12) { normal = normalize(across); }
//#end
    }
    let dist = center_distance - r1 - r2;
    touch(dist, c1 + normal * (r1 + 0.5 * dist), normal);
}

fn plane_sphere(g1: u32, g2: u32) {
    if (!reaches_plane(g1, g2)) { return; }
    plane_ball(geom_pos[g1].xyz, z_axis(g1), geom_pos[g2].xyz, number(GEOM_SIZE + 3u * g2));
}

fn plane_capsule(g1: u32, g2: u32) {
    if (!reaches_plane(g1, g2)) { return; }
    let normal = z_axis(g1);
    let axis = z_axis(g2);
    let size = number2(GEOM_SIZE + 3u * g2);
    found_tangent = axis;
    plane_ball(geom_pos[g1].xyz, normal, geom_pos[g2].xyz + axis * size.y, size.x);
    plane_ball(geom_pos[g1].xyz, normal, geom_pos[g2].xyz - axis * size.y, size.x);
}

fn plane_ellipsoid(g1: u32, g2: u32) {
    if (!reaches_plane(g1, g2)) { return; }
    let normal = z_axis(g1);
    let axes = quat_axes(geom_quat[g2]);
    let size = number3(GEOM_SIZE + 3u * g2);
    let down = -(transpose(axes) * normal);
    let deepest = geom_pos[g2].xyz + axes * (size * normalize(down * size));
    let dist = dot(normal, deepest - geom_pos[g1].xyz);
    if (dist <= margin) { touch(dist, deepest - normal * (0.5 * dist), normal); }
}

// The corners below the centre of the box, at most four.
fn plane_box(g1: u32, g2: u32) {
    if (!reaches_plane(g1, g2)) { return; }
    let normal = z_axis(g1);
    let axes = quat_axes(geom_quat[g2]);
    let size = number3(GEOM_SIZE + 3u * g2);
    let centre = geom_pos[g2].xyz;
    let height = dot(centre - geom_pos[g1].xyz, normal);
    var points = 0u;
    for (var k = 0u; k < 8u; k++) {
        let signs = vec3<f32>(
            select(-1.0, 1.0, (k & 1u) != 0u), select(-1.0, 1.0, (k & 2u) != 0u), select(-1.0, 1.0, (k & 4u) != 0u));
        let corner = axes * (signs * size);
        let rise = dot(normal, corner);
        let dist = height + rise;
        if (dist <= margin && rise <= 0.0 && points < 4u) {
            points += 1u;
            touch(dist, centre + corner - normal * (0.5 * dist), normal);
        }
    }
}

fn sphere_sphere(g1: u32, g2: u32) {
    if (!spheres_meet(g1, g2)) { return; }
    ball_ball(geom_pos[g1].xyz, number(GEOM_SIZE + 3u * g1), z_axis(g1),
        geom_pos[g2].xyz, number(GEOM_SIZE + 3u * g2), z_axis(g2));
}

fn sphere_capsule(g1: u32, g2: u32) {
    if (!spheres_meet(g1, g2)) { return; }
    let axis = z_axis(g2);
    let size = number2(GEOM_SIZE + 3u * g2);
    let along = clamp(dot(axis, geom_pos[g1].xyz - geom_pos[g2].xyz), -size.y, size.y);
    ball_ball(geom_pos[g1].xyz, number(GEOM_SIZE + 3u * g1), z_axis(g1),
        geom_pos[g2].xyz + axis * along, size.x, axis);
}

fn sphere_cylinder(g1: u32, g2: u32) {
    if (!spheres_meet(g1, g2)) { return; }
    let centre = geom_pos[g1].xyz;
    let radius = number(GEOM_SIZE + 3u * g1);
    let axis = z_axis(g2);
    let size = number2(GEOM_SIZE + 3u * g2);
    let offset = centre - geom_pos[g2].xyz;
    let along = dot(axis, offset);
    let radial = offset - axis * along;
    let from_axis = length(radial);
    var on_side = abs(along) < size.y;
    var on_cap = from_axis < size.x;
    if (on_side && on_cap) {
        on_side = size.y - abs(along) >= size.x - from_axis;
        on_cap = !on_side;
    }
    let outward = select(-axis, axis, along > 0.0);
    if (on_side) {
        ball_ball(centre, radius, z_axis(g1), geom_pos[g2].xyz + axis * along, size.x, axis);
    } else if (on_cap) {
        let before = found;
        plane_ball(geom_pos[g2].xyz + outward * size.y, outward, centre, radius);
        if (found > before) { found_normal[before] = -outward; }
    } else {
        let rim = geom_pos[g2].xyz + outward * size.y + radial * (size.x / from_axis);
        ball_ball(centre, radius, z_axis(g1), rim, 0.0, axis);
    }
}

// A ball against a box: the nearest point is the centre clamped to the half sizes.
fn ball_box(centre: vec3<f32>, radius: f32, g2: u32) {
    let axes = quat_axes(geom_quat[g2]);
    let half = number3(GEOM_SIZE + 3u * g2);
    let local = transpose(axes) * (centre - geom_pos[g2].xyz);
    let nearest = clamp(local, -half, half);
    let gap = nearest - local;
    let dist = length(gap);
    if (dist - radius > margin) { return; }
    var inward = vec3<f32>(1.0, 0.0, 0.0);
    if (dist > 1e-15) {
        inward = gap / dist;
        let pos = 0.5 * nearest + 0.5 * (local + inward * radius);
        touch(dist - radius, axes * pos + geom_pos[g2].xyz, axes * inward);
        return;
    }
    // a centre inside leaves through the nearest face
    var closest = 2.0 * (half.x + half.y + half.z);
    for (var k = 0u; k < 3u; k++) {
        for (var side = -1.0; side < 2.0; side += 2.0) {
            let depth = abs(side * half[k] - local[k]);
            if (closest > depth) {
                closest = depth;
                inward = vec3<f32>(0.0);
                inward[k] = -side;
            }
        }
    }
    let pos = local + inward * (0.5 * (radius - closest));
    touch(-closest - radius, axes * pos + geom_pos[g2].xyz, axes * inward);
}

fn sphere_box(g1: u32, g2: u32) {
    if (!spheres_meet(g1, g2)) { return; }
    ball_box(geom_pos[g1].xyz, number(GEOM_SIZE + 3u * g1), g2);
}

// Nearest points of two segments. What lies between parallel and rounding is solved one segment after the
// other, which needs no determinant.
fn capsule_capsule(g1: u32, g2: u32) {
    if (!spheres_meet(g1, g2)) { return; }
    let size1 = number2(GEOM_SIZE + 3u * g1);
    let size2 = number2(GEOM_SIZE + 3u * g2);
    let z1 = z_axis(g1);
    let z2 = z_axis(g2);
    let axis1 = z1 * size1.y;
    let axis2 = z2 * size2.y;
    let p1 = geom_pos[g1].xyz;
    let p2 = geom_pos[g2].xyz;
    let diff = p1 - p2;
    let ma = dot(axis1, axis1);
    let mb = -dot(axis1, axis2);
    let mc = dot(axis2, axis2);
    let u = -dot(axis1, diff);
    let v = dot(axis2, diff);
    let across = cross(axis1, axis2);
//#if DOUBLE
    let det = ma * mc - mb * mb;
//#else
    let det = dot(across, across);
//#end
//#if DOUBLE
    if (abs(det) >= 1e-15) {
//#else
    if (det > 1e-12 * ma * mc) {
//#end
        var x1 = clamp((mc * u - mb * v) / det, -1.0, 1.0);
        let x2 = clamp((v - mb * x1) / mc, -1.0, 1.0);
        x1 = clamp((u - mb * x2) / ma, -1.0, 1.0);
        ball_ball(p1 + axis1 * x1, size1.x, z1, p2 + axis2 * x2, size2.x, z2);
        return;
    }
    // parallel: the ends of the first, then those of the second while there are fewer than two points
    for (var x1 = 1.0; x1 > -2.0; x1 -= 2.0) {
        let x2 = in_segment(v - mb * x1, mc);
        ball_ball(p1 + axis1 * x1, size1.x, z1, p2 + axis2 * x2, size2.x, z2);
    }
    for (var x2 = 1.0; x2 > -2.0; x2 -= 2.0) {
        if (found < 2u) {
            let x1 = in_segment(u - mb * x2, ma);
            ball_ball(p1 + axis1 * x1, size1.x, z1, p2 + axis2 * x2, size2.x, z2);
        }
    }
}

fn in_segment(numerator: f32, denominator: f32) -> f32 {
    if (denominator > 0.0) { return clamp(numerator / denominator, -1.0, 1.0); }
    return 0.0;
}

// The lowest point of the nearer rim, the same on the farther one, and the two other corners of a triangle on
// the nearer disk.
fn plane_cylinder(g1: u32, g2: u32) {
    if (!reaches_plane(g1, g2)) { return; }
    let normal = z_axis(g1);
    let centre = geom_pos[g2].xyz;
    let size = number2(GEOM_SIZE + 3u * g2);
    var axis = z_axis(g2);
    if (dot(normal, axis) > 0.0) { axis = -axis; }
    let height = dot(centre - geom_pos[g1].xyz, normal);
    let down = axis * dot(normal, axis) - normal;
    let steep = dot(down, down);
    var rim = rotate(geom_quat[g2], vec3<f32>(size.x, 0.0, 0.0));
//#if DOUBLE
    if (steep >= 1e-30) { rim = down * (size.x * inverseSqrt(steep)); }
//#else
    if (steep >= 1e-12) { rim = down * (size.x * inverseSqrt(steep)); }
//#end
    let rim_rise = dot(rim, normal);
    axis *= size.y;
    let axis_rise = dot(axis, normal);
    let lowest = height + axis_rise + rim_rise;
    if (lowest > margin) { return; }
    touch(lowest, centre + rim + axis - normal * (0.5 * lowest), normal);
    let far = height - axis_rise + rim_rise;
    if (far <= margin) { touch(far, centre + rim - axis - normal * (0.5 * far), normal); }
    let corner = height + axis_rise - 0.5 * rim_rise;
    if (corner <= margin) {
        let sideways = normalize(cross(rim, axis)) * (size.x * 0.8660254);
        let middle = centre + axis - 0.5 * rim - normal * (0.5 * corner);
        touch(corner, middle + sideways, normal);
        touch(corner, middle - sideways, normal);
    }
}
