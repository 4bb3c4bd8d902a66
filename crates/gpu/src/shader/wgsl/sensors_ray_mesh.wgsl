//#import common
//#import sensors_ray
//#import sensors_ray_triangle

// Rays against meshes, by their bounding trees: of each geom where vertices, triangles and nodes begin, and
// the number of nodes. A node has its triangle or -1, two children or -1, and centre and half sizes of its box.

const TREE_DEPTH = 64u;

fn ray_word(i: u32) -> i32 { return ints[RAY_MESH_DATA + i]; }
fn ray_vector(i: u32) -> vec3<f32> { return bitcast<vec3<f32>>(vec3<i32>(ray_word(i), ray_word(i + 1u), ray_word(i + 2u))); }

// Where a ray enters the box of a node, zero from inside; negative where it misses it.
fn node_entry(at: u32, p: vec3<f32>, d: vec3<f32>) -> f32 {
    let centre = ray_vector(at + 3u) - p;
    let half = ray_vector(at + 6u);
    var span = vec2<f32>(0.0, 1e30);
    for (var i = 0u; i < 3u; i++) {
        if (abs(d[i]) < 1e-15) {
            if (abs(centre[i]) > half[i]) { return -1.0; }
            continue;
        }
        let a = (centre[i] - half[i]) / d[i];
        let b = (centre[i] + half[i]) / d[i];
        span = vec2<f32>(max(span.x, min(a, b)), min(span.y, max(a, b)));
    }
    return select(-1.0, span.x, span.x <= span.y);
}

fn ray_mesh(k: u32, p: vec3<f32>, d: vec3<f32>, half: vec3<f32>) -> RayHit {
    var best = no_hit();
    let vertices = index(RAY_MESH + 4u * k);
    let triangles = index(RAY_MESH + 4u * k + 1u);
    let nodes = index(RAY_MESH + 4u * k + 2u);
    if (ints[RAY_MESH + 4u * k + 3u] == 0 || box_hits(p, d, half).first.dist < 0.0) { return best; }
    var stack: array<u32, TREE_DEPTH>;
    var depth = 1u;
    stack[0] = 0u;
    while (depth > 0u) {
        depth -= 1u;
        let node = nodes + 9u * stack[depth];
        let entry = node_entry(node, p, d);
        if (entry < 0.0 || (best.dist >= 0.0 && entry > best.dist)) { continue; }
        let triangle = ray_word(node);
        if (triangle >= 0) {
            let at = triangles + 3u * u32(triangle);
            let hit = ray_triangle(
                p,
                d,
                ray_vector(vertices + 3u * u32(ray_word(at))),
                ray_vector(vertices + 3u * u32(ray_word(at + 1u))),
                ray_vector(vertices + 3u * u32(ray_word(at + 2u))),
            );
            best = nearer(best, hit);
            continue;
        }
        for (var side = 1u; side < 3u; side++) {
            let child = ray_word(node + side);
            if (child >= 0 && depth < TREE_DEPTH) {
                stack[depth] = u32(child);
                depth += 1u;
            }
        }
    }
    return best;
}
