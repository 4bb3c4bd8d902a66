// Force of a dof that carries its share of the weight of what it moves.
//#import common
//#import smooth

fn gravity_compensation(i: u32) -> f32 {
    let b = index(DOF_BODYID + i);
    let end = index(BODY_END + b);
    var total = Spatial();
    for (var k = b; k < end; k++) {
        let moment = mem[MEM_INERTIA + 3u * k + 2u].xyz;
        let pull = number(BODY_GRAVCOMP + k) * number3(GRAVITY);
        total = add_scaled(total, Spatial(cross(moment, pull), mem[MEM_INERTIA + 3u * k].w * pull), 1.0);
    }
    return -spatial_dot(spatial(MEM_CDOF + 2u * i), total);
}
