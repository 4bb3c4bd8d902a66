//#import collide
//#import common
//#import convex_penetration
//#import convex_shape
//#import convex_state
//#import convex_support
//#import geom_pose
//#import geoms

// Height fields: every triangle of the surface, pulled down to the base, is a prism, and all prisms under the bounds
// of a shape are convex pairs with it. Coordinates are those of the field's frame, with the shape's centre as origin.

// top corners, and the height of the base
var<private> prism_top: mat3x3<f32>;
var<private> prism_base: f32;

fn prism_support(dir: vec3<f32>) -> Support {
    let down = dir.z < 0.0;
    var best = prism_top[0];
    if (down) { best.z = prism_base; }
    for (var k = 1u; k < 3u; k++) {
        var corner = prism_top[k];
        if (down) { corner.z = prism_base; }
        if (dot(corner, dir) > dot(best, dir)) { best = corner; }
    }
    return Support(best, 0u);
}

// A corner of the grid. Products are exact, so that fields much larger than shapes lose nothing.
fn grid_corner(field: u32, row: u32, column: u32, centre: vec3<f32>) -> vec3<f32> {
    let steps = number4(FIELD_STEPS + 4u * field);
    let rows = index(FIELD_INFO + 3u * field);
    let columns = index(FIELD_INFO + 3u * field + 1u);
    let position = vec2<f32>(vec2<i32>(vec2<u32>(2u * column, 2u * row)) - vec2<i32>(vec2<u32>(columns, rows)) + vec2<i32>(1));
    let height = bitcast<f32>(ints[FIELD_DATA + index(FIELD_INFO + 3u * field + 2u) + row * columns + column]);
    return vec3<f32>(
        fma(position, steps.xz, -centre.xy) + position * steps.yw,
        fma(height, number(FIELD_SIZE + 4u * field + 2u), margin - centre.z),
    );
}

// The first and last line of a grid under bounds.
fn grid_lines(low: f32, high: f32, half: f32, count: u32) -> vec2<u32> {
    let last = f32(count - 1u);
    let first = floor((low + half) / (2.0 * half) * last);
    let to = ceil((high + half) / (2.0 * half) * last);
    // the comparison fails where a pose is not a number
    if (!(first <= to) || !(first <= last) || !(to >= 0.0)) { return vec2<u32>(0u); }
    return vec2<u32>(u32(max(first, 0.0)), u32(min(to, last)));
}

fn height_field_pair(g1: u32, g2: u32) {
    let field = index(GEOM_DATAID + g1);
    let back = vec4<f32>(geom_quat[g1].x, -geom_quat[g1].yzw);
    let centre = rotate(back, geom_pos[g2].xyz - geom_pos[g1].xyz);
    let size = number4(FIELD_SIZE + 4u * field);
    let box_low = vec3<f32>(-size.xy, -size.w);
    let reach = geom_pos[g2].w + margin;
    if (any(centre - reach > size.xyz) || any(centre + reach < box_low)) { return; }
    convex2 = convex_of(g2, geom_pos[g2].xyz);
    convex2.axes = quat_axes(quat_mul(back, geom_quat[g2]));
    convex2.inflation = 0.0;
    last_ids = vec2<u32>(0u);
    var low = vec3<f32>(0.0);
    var high = vec3<f32>(0.0);
    for (var k = 0u; k < 6u; k++) {
        var dir = vec3<f32>(0.0);
        dir[k >> 1u] = select(1.0, -1.0, (k & 1u) == 1u);
        let far = support_of(convex2, dir, last_ids.y);
        last_ids.y = far.id;
        if ((k & 1u) == 1u) { low[k >> 1u] = far.point[k >> 1u]; } else { high[k >> 1u] = far.point[k >> 1u]; }
    }
    if (any(centre + low - margin > size.xyz) || any(centre + high + margin < box_low)) { return; }
    convex2.inflation = 0.5 * margin;
    convex1 = Convex(PRISM, vec3<f32>(0.0), vec3<f32>(0.0), mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), vec3<f32>(0.0), 0.0, g1);
    prism_base = -size.w - centre.z;
    let columns = grid_lines(centre.x + low.x, centre.x + high.x, size.x, index(FIELD_INFO + 3u * field + 1u));
    let rows = grid_lines(centre.y + low.y, centre.y + high.y, size.y, index(FIELD_INFO + 3u * field));
    for (var row = rows.x; row < rows.y; row++) {
        // corners of a strip in turn on the upper and the lower line; any three in a row make a triangle
        let count = 2u * (columns.y + 1u - columns.x);
        for (var k = 0u; k < count && found < MAX_POINTS; k++) {
            prism_top = mat3x3<f32>(
                prism_top[1], prism_top[2], grid_corner(field, row + 1u - (k & 1u), columns.x + (k >> 1u), centre));
            if (k < 2u || max(prism_top[0].z, max(prism_top[1].z, prism_top[2].z)) < low.z) { continue; }
            let top = prism_top[0] + prism_top[1] + prism_top[2];
            convex1.centre = vec3<f32>(top.xy / 3.0, (top.z + 3.0 * prism_base) / 6.0);
            let dist = penetration();
            if (dist < 0.0) {
                let pos = geom_pos[g2].xyz + rotate(geom_quat[g1], 0.5 * (witness1 + witness2));
                touch(dist, pos, rotate(geom_quat[g1], best_plane.xyz));
            }
        }
    }
}
