//#import common
//#if HEIGHT_FIELD_PAIRS || !CONTACT_KERNEL
//#import convex_shape
//#end

// Meshes by their convex hulls. Of each geom: where its vertices begin, their number, where the hull begins, whether
// that is climbed, where polygons begin, their number.
//
// A vertex of a hull is a block with all that a step uphill needs: its position, the number of its neighbours, its number
// among vertices of the mesh, then positions and blocks of neighbours. Blocks are counted in units of eight words. The
// hull of a mesh that is climbed begins with a block, that of a small one with a list of blocks and its length.

fn mesh_word(i: u32) -> i32 { return ints[MESH_DATA + i]; }
fn mesh_entry(g: u32, k: u32) -> u32 { return index(GEOM_MESH + 6u * g + k); }
fn mesh_point(at: u32) -> vec3<f32> {
    return bitcast<vec3<f32>>(vec3<i32>(mesh_word(at), mesh_word(at + 1u), mesh_word(at + 2u)));
}

fn mesh_vertex(g: u32, id: u32) -> vec3<f32> { return mesh_point(mesh_entry(g, 0u) + 3u * id); }

fn neighbour_count(block: u32) -> u32 { return u32(mesh_word(8u * block + 3u)); }
fn neighbour_at(block: u32, k: u32) -> u32 { return 8u * block + 5u + 4u * k; }

struct Top { point: vec3<f32>, id: u32 }

// The farthest vertex; its id is its block where the hull is climbed. A search goes on from where the last one ended.
fn mesh_top(g: u32, d: vec3<f32>, start: u32) -> Top {
    if (mesh_entry(g, 3u) == 0u) {
        let count = mesh_entry(g, 1u);
        var top = Top(mesh_vertex(g, start), start);
        var reach = dot(top.point, d);
        for (var id = 0u; id < count; id++) {
            let point = mesh_vertex(g, id);
            let candidate = dot(point, d);
            if (candidate > reach) {
                top = Top(point, id);
                reach = candidate;
            }
        }
        return top;
    }
    // no block is the first of all words
    let first = select(start, mesh_entry(g, 2u), start == 0u);
    var top = Top(mesh_point(8u * first), first);
    var reach = dot(top.point, d);
    loop {
        let here = top.id;
        let end = neighbour_at(here, neighbour_count(here));
        for (var at = neighbour_at(here, 0u); at < end; at += 4u) {
            let point = mesh_point(at);
            let candidate = dot(point, d);
            if (candidate > reach) {
                top = Top(point, u32(mesh_word(at + 3u)));
                reach = candidate;
            }
        }
        if (top.id == here) { break; }
    }
    return top;
}

// The mesh vertex that an id of `mesh_top` stands for.
fn mesh_id(g: u32, top: u32) -> u32 {
    if (mesh_entry(g, 3u) == 0u) { return top; }
    return u32(mesh_word(8u * top + 4u));
}
