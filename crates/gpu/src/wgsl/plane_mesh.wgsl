
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
    let deepest = mesh_id(g2, top);
    let vertex = mesh_vertex(g2, deepest);
    let dist = height - dot(vertex, down);
    if (dist > margin) { return; }
    let first = axes * vertex - normal * (0.5 * dist);
    touch(dist, centre + first, normal);
    let spacing = 0.3 * geom_pos[g2].w;
    let graph = mesh_entry(g2, 2u);
    let has_hull = ints[GEOM_MESH + 6u * g2 + 2u] >= 0;
    var count = mesh_entry(g2, 1u);
    var ids = 0u;
    var edges = 0u;
    if (has_hull) {
        let hull_count = u32(mesh_word(graph));
        ids = graph + 2u + hull_count;
        // the number of a vertex of a small mesh counts as one of the hull, as on the processor
        edges = ids + hull_count + u32(mesh_word(graph + 2u + min(top, hull_count - 1u)));
        if (top >= hull_count) { count = 0u; }
    }
    var left = 2u;
    for (var place = 0u; place < count && left > 0u; place++) {
        var id = place;
        if (has_hull) {
            let neighbour = mesh_word(edges + place);
            if (neighbour < 0) { break; }
            id = u32(mesh_word(ids + u32(neighbour)));
        } else if (id == deepest) {
            continue;
        }
        let point = mesh_vertex(g2, id);
        let other = height - dot(point, down);
        // `first` lies halfway between the surfaces
        if (other < margin && distance(axes * point, first) >= spacing) {
            touch(other, centre + axes * point - normal * (0.5 * other), normal);
            left -= 1u;
        }
    }
}
