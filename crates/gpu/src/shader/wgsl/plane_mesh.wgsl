//#import collide
//#import common
//#import convex_mesh
//#import geom_pose
//#import geoms

// The deepest vertex of a mesh, and up to two more below the margin that are well apart from it: neighbours on the
// hull, or any vertices of a mesh without one.
fn plane_mesh(g1: u32, g2: u32) {
    if (!reaches_plane(g1, g2)) { return; }
    let normal = z_axis(g1);
    let axes = quat_axes(geom_quat[g2]);
    let centre = geom_pos[g2].xyz;
    let down = -(normal * axes);
    let height = dot(centre - geom_pos[g1].xyz, normal);
    let top = mesh_top(g2, down, 0u);
    let dist = height - dot(top.point, down);
    if (dist > margin) { return; }
    let first = axes * top.point - normal * (0.5 * dist);
    touch(dist, centre + first, normal);
    let spacing = 0.3 * geom_pos[g2].w;
    let has_hull = ints[GEOM_MESH + 6u * g2 + 2u] >= 0;
    var count = mesh_entry(g2, 1u);
    var block = top.id;
    if (has_hull) {
        count = 1u;
        if (mesh_entry(g2, 3u) == 0u) {
            // the number of a vertex of a small mesh counts as one of the hull, as on the processor
            let list = mesh_entry(g2, 2u);
            count = select(0u, 1u, top.id < u32(mesh_word(list)));
            block = u32(mesh_word(list + 1u + min(top.id, u32(mesh_word(list)) - 1u)));
        }
        count *= neighbour_count(block);
    }
    var left = 2u;
    for (var i = 0u; i < count && left > 0u; i++) {
        if (!has_hull && i == top.id) { continue; }
        let point = mesh_point(select(mesh_entry(g2, 0u) + 3u * i, neighbour_at(block, i), has_hull));
        let other = height - dot(point, down);
        // `first` lies halfway between the surfaces
        if (other < margin && distance(axes * point, first) >= spacing) {
            touch(other, centre + axes * point - normal * (0.5 * other), normal);
            left -= 1u;
        }
    }
}
