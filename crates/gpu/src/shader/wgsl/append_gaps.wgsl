// points so far that are too far away to push
//#import collide
//#import common

var<private> gaps: u32;

// Writes the points of all lanes behind those that there are; returns the new number. Those that are in the gap, too
// far away to push, go to the end of the list from back to front: bodies that adhere are drawn to them.
fn append_points(pair: u32, count: u32) -> u32 {
    if (!any_lane(found > 0u)) { return count; }
    var near = 0u;
    for (var k = 0u; k < found; k++) { near += select(0u, 1u, pushes(pair, k)); }
    let offset = scan(near);
    let behind = scan(found - near);
    var next = vec2<u32>(count + offset.x, gaps + behind.x);
    for (var k = 0u; k < found; k++) {
        var at = next.x;
        if (pushes(pair, k)) {
            next.x += 1u;
        } else {
            // none where there is no room
            at = submission.contacts - 1u - next.y;
            next.y += 1u;
        }
        put_point(at, k, pair);
    }
    gaps += behind.y;
    return count + offset.y;
}

fn pushes(pair: u32, k: u32) -> bool {
    return found_pos[k].w < number(PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + pair) + 1u);
}
