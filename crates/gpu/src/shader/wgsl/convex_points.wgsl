//#import collide
//#import common
//#import convex_slots
//#import geoms
//#if TILTED_POSES
//#import touch_distinct
//#end

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
//#if TILTED_POSES
    // Points of tilted poses, unless they are near others.
    if (u32(head.y) >= TILTED_POSES) {
        let first = scratch[slot + 1u].w;
        let bounds = min(geom_pos[index(PAIR_GEOMS + 2u * pair)].w, geom_pos[index(PAIR_GEOMS + 2u * pair + 1u)].w);
        for (var i = 1u; i < 5u; i++) {
            let normal = scratch[slot + 2u + 2u * i];
            if (normal.w > 0.0) { touch_distinct(first, scratch[slot + 1u + 2u * i].xyz, normal.xyz, 1e-3 * bounds); }
        }
    }
//#end
    return pair;
}

// Points in slots have passed the margin.
const SEARCHED = 1e30;
