// Support mapping of a mesh.
//#import convex_mesh
//#import convex_shape
//#import convex_support

// Support mapping of a mesh.
fn mesh_support(s: Convex, d: vec3<f32>, start: u32) -> Support {
    let top = mesh_top(s.geom, d, start);
    return Support(top.point, top.id);
}
