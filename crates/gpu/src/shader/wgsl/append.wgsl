// Writes the points of all lanes behind those that there are; returns the new number.
//#import collide

fn append_points(pair: u32, count: u32) -> u32 {
    if (!any_lane(found > 0u)) { return count; }
    let offset = scan(found);
    for (var k = 0u; k < found; k++) { put_point(count + offset.x + k, k, pair); }
    return count + offset.y;
}
