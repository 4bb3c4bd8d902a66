
fn found_at(k: u32) -> vec3<f32> { return found_pos[k].xyz; }

// Takes the points that a search has left in a slot; returns the pair.
fn take_slot(k: u32) -> u32 {
    let slot = slot_at(world, k);
    let head = scratch[slot];
    let pair = u32(head.x);
    let count = u32(head.y) & 7u;
    include_margin = SEARCHED;
    for (var i = 0u; i < count; i++) {
        let point = scratch[slot + 1u + 2u * i];
        touch(point.w, point.xyz, scratch[slot + 2u + 2u * i].xyz);
    }
    //TILTED//
    return pair;
}

// Points in slots have passed the margin.
const SEARCHED = 1e30;
