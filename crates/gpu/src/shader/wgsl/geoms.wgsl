//#import lanes
//#import common
//#import geom_pose

// All geoms of a world: positions with the radii of their bounding spheres, and rotations.
var<workgroup> geom_pos: array<vec4<f32>, NGEOM>;
var<workgroup> geom_quat: array<vec4<f32>, NGEOM>;

fn set_geom_poses() {
    for (var g = lane; g < NGEOM; g += LANES) {
        let pose = geom_pose(g);
        geom_pos[g] = vec4<f32>(pose.pos, number(GEOM_RBOUND + g));
        geom_quat[g] = pose.quat;
    }
    barrier();
}

// Whether the bounding spheres of a pair meet.
fn spheres_meet(g1: u32, g2: u32) -> bool {
    let d = geom_pos[g2].xyz - geom_pos[g1].xyz;
    let reach = geom_pos[g1].w + geom_pos[g2].w + margin;
    return dot(d, d) <= reach * reach;
}
