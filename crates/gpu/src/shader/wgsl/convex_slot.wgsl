//#import common
//#import convex_shape
//#import convex_slots
//#import geom_pose

// One pair of the list, in its slot: shapes and margins, and the points that are found.

var<private> slot: u32;
var<private> pair: u32;
// number of the slot among all
var<private> entry: u32;
var<private> found: u32;
var<private> include_margin: f32;
// position of the first geom, which all other positions are relative to
var<private> origin: vec3<f32>;

// Opens a slot, by its number among those of all worlds.
fn open_slot(number_of_slot: u32) {
    entry = number_of_slot;
    world = entry / submission.candidates;
    slot = slot_at(world, entry % submission.candidates);
    float_base = world * FLOATS_STRIDE;
    scratch_base = world * submission.scratch;
    let head = scratch[slot];
    pair = u32(head.x);
    last_ids = vec2<u32>(head.zw);
    found = 0u;
    let at = PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + pair);
    margin = number(at);
    include_margin = number(at + INCLUDED);
    let g1 = index(PAIR_GEOMS + 2u * pair);
    origin = geom_pose(g1).pos;
    convex1 = convex_of(g1, origin);
    convex2 = convex_of(index(PAIR_GEOMS + 2u * pair + 1u), origin);
}

fn push(list: u32, item: u32) { status[list_offset(list, atomicAdd(&needed[list], 1u))] = item; }

fn found_at(k: u32) -> vec3<f32> { return scratch[slot + 1u + 2u * k].xyz; }

fn touch(dist: f32, pos: vec3<f32>, normal: vec3<f32>) {
    if (dist < include_margin && found < 5u) {
        scratch[slot + 1u + 2u * found] = vec4<f32>(pos, dist);
        scratch[slot + 2u + 2u * found] = vec4<f32>(normal, 0.0);
        found += 1u;
    }
}

// Whether both shapes have flat features that are clipped by each other.
fn is_flat() -> bool {
    return (convex1.kind == BOX || convex1.kind == MESH) && (convex2.kind == BOX || convex2.kind == MESH) && margin <= 0.0;
}

// Leaves the number of points in the slot, and whether there are tilted poses behind the first one.
fn close_slot(tilts: bool) {
    scratch[slot] = vec4<f32>(f32(pair), f32(select(found, found | TILTED_POSES, tilts)), vec2<f32>(last_ids));
}

// How many lanes of a workgroup take items of a list: as few as will do, since lanes of one subgroup wait for each other.
fn lanes_share(count: u32, groups: u32) -> u32 { return min((count + groups - 1u) / groups, LANES); }
