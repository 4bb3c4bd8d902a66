//#import convex_gjk
//#import convex_shape
//#import convex_state

// Spheres and capsules beside ellipsoids: GJK finds where they are nearest up to the root of what rounding leaves of
// its gap. From there Newton's method goes on over the surface itself, whose normals are known.

// Nearest point of the surface to a point outside, the normal there, and the distance along it. In the axes of the
// ellipsoid the point is qᵢ = aᵢ² yᵢ / (aᵢ² + λ), where Σ (aᵢ yᵢ / (aᵢ² + λ))² = 1 (Eberly).
struct Foot { point: vec3<f32>, normal: vec3<f32>, dist: f32, multiplier: f32 }

fn ellipsoid_foot(s: Convex, p: vec3<f32>, start: f32) -> Foot {
    let y = (p - s.pos) * s.axes;
    let squares = s.size * s.size;
    var multiplier = max(start, 0.0);
    for (var k = 0u; k < 8u; k++) {
        let denominators = squares + multiplier;
        let r = s.size * y / denominators;
        // the function is convex and falls
        let next = max(multiplier + 0.5 * (dot(r, r) - 1.0) / dot(r, r / denominators), 0.0);
        let change = abs(next - multiplier);
        multiplier = next;
        if (change <= 1e-7 * multiplier) { break; }
    }
    let gradient = y / (squares + multiplier);
    let norm = length(gradient);
    return Foot(s.axes * (squares * gradient) + s.pos, s.axes * (gradient / norm), multiplier * norm, multiplier);
}

// Moves the witnesses of a sphere's centre or a capsule's axis and an ellipsoid to where they are nearest.
fn refine_ellipsoid() {
    let is_first = convex1.kind == ELLIPSOID;
    if (!is_first && convex2.kind != ELLIPSOID) { return; }
    var s = convex2;
    var round = convex1;
    var on_round = witness1;
    if (is_first) {
        s = convex1;
        round = convex2;
        on_round = witness2;
    }
    let axis = round.axes[2];
    let reach = select(0.0, round.size.y, round.kind == CAPSULE);
    var t = clamp(dot(on_round - round.pos, axis), -reach, reach);
    var foot = ellipsoid_foot(s, round.pos + t * axis, 0.0);
    // root of the derivative of the distance along the axis, which grows by no more than one in a distance
    var derivative = dot(axis, foot.normal);
    var step = -derivative * foot.dist;
    for (var k = 0u; k < 6u && reach > 0.0; k++) {
        let next = clamp(t + step, -reach, reach);
        let moved = next - t;
        if (abs(moved) <= 1e-7 * reach) { break; }
        foot = ellipsoid_foot(s, round.pos + next * axis, foot.multiplier);
        t = next;
        let next_derivative = dot(axis, foot.normal);
        let bend = (next_derivative - derivative) / moved;
        derivative = next_derivative;
        step = select(-derivative * foot.dist, -derivative / bend, bend > 0.0 && bend * foot.dist <= 1.0);
    }
    let on_surface = foot.point + s.inflation * foot.normal;
    let centre = round.pos + t * axis;
    gjk_dist = foot.dist - s.inflation;
    witness1 = select(centre, on_surface, is_first);
    witness2 = select(on_surface, centre, is_first);
    best_plane = vec4<f32>(select(-foot.normal, foot.normal, is_first), 0.0);
}
