//#import common
//#import sensors_ray
//#import sensors_ray_triangle

// Rays against height fields: a box below, the triangles of the cells that the ray passes over, and the sides
// of the box above where these are below the edge of the terrain.

fn field_level(f: u32, row: u32, column: u32) -> f32 {
    let at = index(RAY_FIELD_INFO + 3u * f + 2u) + row * index(RAY_FIELD_INFO + 3u * f + 1u) + column;
    return bitcast<f32>(ints[RAY_FIELD_DATA + at]);
}

fn field_vertex(f: u32, size: vec4<f32>, step: vec2<f32>, row: u32, column: u32) -> vec3<f32> {
    return vec3<f32>(step * vec2<f32>(f32(column), f32(row)) - size.xy, field_level(f, row, column) * size.z);
}

// First and last cell between two coordinates, with one more on both sides.
fn cells_between(a: f32, b: f32, half: f32, step: f32, cells: u32) -> vec2<u32> {
    let low = clamp(floor((min(a, b) + half) / step) - 1.0, 0.0, f32(cells));
    let high = clamp(ceil((max(a, b) + half) / step) + 1.0, 0.0, f32(cells));
    return vec2<u32>(u32(low), u32(high));
}

fn ray_field(k: u32, p: vec3<f32>, d: vec3<f32>) -> RayHit {
    let f = index(RAY_FIELD + k);
    let size = number4(RAY_FIELD_SIZE + 4u * f);
    let below = vec3<f32>(0.0, 0.0, -0.5 * size.w);
    var best = box_hits(p - below, d, vec3<f32>(size.xy, 0.5 * size.w)).first;
    let above = vec3<f32>(0.0, 0.0, 0.5 * size.z);
    let top = box_hits(p - above, d, vec3<f32>(size.xy, 0.5 * size.z));
    let rows = index(RAY_FIELD_INFO + 3u * f);
    let columns = index(RAY_FIELD_INFO + 3u * f + 1u);
    if (top.first.dist < 0.0 || rows < 2u || columns < 2u) { return best; }
    let step = 2.0 * size.xy / vec2<f32>(f32(columns - 1u), f32(rows - 1u));
    // the part of the ray that is inside of the box above
    var span = vec2<f32>(0.0, top.first.dist);
    for (var side = 0u; side < 6u; side++) {
        if (top.faces[side] > span.y) { span = vec2<f32>(top.first.dist, top.faces[side]); }
    }
    let between = cells_between(p.y + span.x * d.y, p.y + span.y * d.y, size.y, step.y, rows - 1u);
    for (var row = between.x; row < between.y; row++) {
        var part = span;
        if (abs(d.y) > 1e-15) {
            let a = ((f32(row) - 1.0) * step.y - size.y - p.y) / d.y;
            let b = ((f32(row) + 2.0) * step.y - size.y - p.y) / d.y;
            part = vec2<f32>(max(span.x, min(a, b)), min(span.y, max(a, b)));
        }
        let along = cells_between(p.x + part.x * d.x, p.x + part.y * d.x, size.x, step.x, columns - 1u);
        for (var column = along.x; column < along.y; column++) {
            let corner = field_vertex(f, size, step, row, column);
            let opposite = field_vertex(f, size, step, row + 1u, column + 1u);
            best = nearer(best, ray_triangle(p, d, corner, field_vertex(f, size, step, row, column + 1u), opposite));
            best = nearer(best, ray_triangle(p, d, corner, opposite, field_vertex(f, size, step, row + 1u, column)));
        }
    }
    for (var side = 0u; side < 4u; side++) {
        let x = top.faces[side];
        if (x < 0.0) { continue; }
        let point = p + x * d;
        let axis = side >> 1u;
        let up = (side & 1u) == 1u;
        // the cell along the edge, and how far into it
        let position = (point[1u - axis] + size[1u - axis]) / step[1u - axis];
        let count = select(columns, rows, axis == 0u);
        let cell = u32(clamp(floor(position), 0.0, f32(count - 2u)));
        let last = select(rows, columns, axis == 0u) - 1u;
        let line = select(0u, last, up);
        var levels = vec2<f32>(0.0);
        if (axis == 0u) {
            levels = vec2<f32>(field_level(f, cell, line), field_level(f, cell + 1u, line));
        } else {
            levels = vec2<f32>(field_level(f, line, cell), field_level(f, line, cell + 1u));
        }
        let share = position - f32(cell);
        if (point.z / size.z < levels.x * (1.0 - share) + levels.y * share) {
            var normal = vec3<f32>(0.0);
            normal[axis] = select(-1.0, 1.0, up);
            best = nearer(best, RayHit(x, normal));
        }
    }
    return best;
}
