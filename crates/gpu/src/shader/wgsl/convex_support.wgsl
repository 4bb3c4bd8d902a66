//#import convex_shape
//#import convex_state
//#if CONVEX_MESHES
//#import mesh_support
//#end
//#if CONTACT_KERNEL && HEIGHT_FIELD_PAIRS
//#import height_field
//#end

// Support mappings of convex shapes: the farthest point along a direction.

struct Support { point: vec3<f32>, id: u32 }

fn support_of(s: Convex, dir: vec3<f32>, start: u32) -> Support {
    let d = dir * s.axes;
    var found = Support(vec3<f32>(0.0), start);
    switch (s.kind) {
        //#insert supports
        default: {}
    }
    return Support(s.axes * found.point + s.pos + dir * s.inflation, found.id);
}

fn support(dir: vec3<f32>) -> Vertex {
    var on1 = vec3<f32>(0.0);
    var on2 = vec3<f32>(0.0);
    // one after the other, so that the mappings are in the kernel once
    for (var side = 0u; side < 2u; side++) {
        var s = convex1;
        if (side == 1u) { s = convex2; }
        let far = support_of(s, select(dir, -dir, side == 1u), last_ids[side]);
        last_ids[side] = far.id;
        on1 = on2;
        on2 = far.point;
    }
    return Vertex(on1 - on2, on1, last_ids);
}

fn either_way(x: f32, size: f32) -> f32 { return select(-size, size, x >= 0.0); }

fn sphere_support(s: Convex, d: vec3<f32>) -> Support { return Support(d * s.size.x, 0u); }

fn capsule_support(s: Convex, d: vec3<f32>) -> Support {
    return Support(d * s.size.x + vec3<f32>(0.0, 0.0, either_way(d.z, s.size.y)), 0u);
}

fn ellipsoid_support(s: Convex, d: vec3<f32>) -> Support {
    let stretched = d * s.size;
    let norm2 = dot(stretched, stretched);
    if (norm2 < 1e-30) { return Support(vec3<f32>(s.size.x, 0.0, 0.0), 0u); }
    return Support(stretched * s.size * inverseSqrt(norm2), 0u);
}

fn cylinder_support(s: Convex, d: vec3<f32>) -> Support {
    let across2 = dot(d.xy, d.xy);
    let reach = select(0.0, s.size.x * inverseSqrt(across2), across2 >= 1e-30);
    return Support(vec3<f32>(d.xy * reach, either_way(d.z, s.size.y)), 0u);
}

// Bits of the id tell the sides of the corner.
fn box_support(s: Convex, d: vec3<f32>) -> Support {
    let up = d >= vec3<f32>(0.0);
    return Support(select(-s.size, s.size, up), dot(select(vec3<u32>(0u), vec3<u32>(1u, 2u, 4u), up), vec3<u32>(1u)));
}
