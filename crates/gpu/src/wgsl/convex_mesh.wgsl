
// Meshes by their convex hulls. Of each geom: where its vertices begin, their number, where the hull graph begins,
// whether that is climbed, where polygons begin, their number. The graph is that of the model: numbers of vertices and faces, first edge
// of each hull vertex, its mesh vertex, and neighbours up to a negative number.

fn mesh_word(i: u32) -> i32 { return ints[MESH_DATA + i]; }
fn mesh_entry(g: u32, k: u32) -> u32 { return index(GEOM_MESH + 6u * g + k); }

fn mesh_vertex(g: u32, id: u32) -> vec3<f32> {
    let at = mesh_entry(g, 0u) + 3u * id;
    return bitcast<vec3<f32>>(vec3<i32>(mesh_word(at), mesh_word(at + 1u), mesh_word(at + 2u)));
}

// The farthest vertex; its id is that of the hull where that is climbed.
fn mesh_top(g: u32, d: vec3<f32>, start: u32) -> u32 {
    let vertices = mesh_entry(g, 0u);
    var best = start;
    if (mesh_entry(g, 3u) == 0u) {
        let count = mesh_entry(g, 1u);
        var reach = dot(mesh_vertex(g, best), d);
        for (var id = 0u; id < count; id++) {
            let candidate = dot(mesh_vertex(g, id), d);
            if (candidate > reach) {
                best = id;
                reach = candidate;
            }
        }
        return best;
    }
    let graph = mesh_entry(g, 2u);
    let count = u32(mesh_word(graph));
    let ids = graph + 2u + count;
    var reach = dot(mesh_vertex(g, u32(mesh_word(ids + best))), d);
    loop {
        let here = best;
        for (var e = ids + count + u32(mesh_word(graph + 2u + here)); mesh_word(e) >= 0; e++) {
            let neighbour = u32(mesh_word(e));
            let candidate = dot(mesh_vertex(g, u32(mesh_word(ids + neighbour))), d);
            if (candidate > reach) {
                best = neighbour;
                reach = candidate;
            }
        }
        if (best == here) { break; }
    }
    return best;
}

// The mesh vertex that an id of `mesh_top` stands for.
fn mesh_id(g: u32, top: u32) -> u32 {
    if (mesh_entry(g, 3u) == 0u) { return top; }
    let graph = mesh_entry(g, 2u);
    return u32(mesh_word(graph + 2u + u32(mesh_word(graph)) + top));
}
