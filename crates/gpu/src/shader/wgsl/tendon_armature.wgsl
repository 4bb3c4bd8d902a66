//#import common
//#import smooth

// Armature of tendons: inertia along their lengths, and the force that the change of their arms takes.

// Motion of a point of a body: position, velocity, and acceleration when no dof accelerates.
struct PointMotion { pos: vec3<f32>, velocity: vec3<f32>, drift: vec3<f32> }

fn site_motion(site: u32) -> PointMotion {
    let b = index(SITE_BODYID + site);
    let pose = scratch_base + SCRATCH_POSE + 2u * b;
    let pos = scratch[pose].xyz + rotate(scratch[pose + 1u], number3(SITE_POS + 3u * site));
    let offset = pos - mem[MEM_COM + index(BODY_ROOT + b)].xyz;
    let motion = spatial(MEM_VELOCITY + 2u * b);
    let change = chain_sum(ints[BODY_LASTDOF + b], MEM_DOF);
    let velocity = motion.linear + cross(motion.angular, offset);
    return PointMotion(pos, velocity, change.linear + cross(change.angular, offset) + cross(motion.angular, velocity));
}

// Armature times the part of the acceleration of the length that velocities make.
fn tendon_bias(tendon: u32) -> f32 {
    let armature = number(TENDON_ARMATURE + tendon);
    if (armature == 0.0) { return 0.0; }
    var sum = 0.0;
    let end = index(ARMED_ITEMS + 2u * tendon + 1u);
    for (var k = index(ARMED_ITEMS + 2u * tendon); k < end; k++) {
        let a = index(ITEM_IDS + 4u * k);
        let b = index(ITEM_IDS + 4u * k + 1u);
        if (index(SITE_BODYID + a) == index(SITE_BODYID + b)) { continue; }
        let p1 = site_motion(a);
        let p2 = site_motion(b);
        let d = p2.pos - p1.pos;
        let far = length(d);
        let unit = select(vec3<f32>(1.0, 0.0, 0.0), d / far, far > 1e-15);
        let velocity = p2.velocity - p1.velocity;
        let across = velocity - unit * dot(unit, velocity);
        let centripetal = select(0.0, dot(across, across) / far, far > 1e-15);
        sum += number(ITEM_NUMBERS + 6u * k) * (dot(unit, p2.drift - p1.drift) + centripetal);
    }
    return armature * sum;
}
