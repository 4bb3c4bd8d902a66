//#import common

// Convex pairs whose bounds meet, of all worlds. Each has a slot at the end of its world's scratch memory; lists of slots
// tell the kernels of the search what there is to do, whatever world it is in, so that no lane waits for the few pairs
// of one world. Results go to the slots: contacts have the order of pairs, however the lists came to be filled.
//
// A slot has the pair, its number of points, and the last support vertices of both shapes; then points, each a
// position with its distance, and a normal. Between kernels the last simplex of GJK or the last face of EPA is in
// their place.

const SLOT = 11u;
// Lists, by where their lengths are counted: pairs whose bounds meet, pairs that overlap, those of them with flat features,
// tilted poses of pairs that touch.
const LIST_NEAR = 4u;
const LIST_DEEP = 5u;
const LIST_FLAT = 6u;
const LIST_TILTED = 7u;
// Added to the number of points where tilted poses are behind the first one.
const TILTED_POSES = 8u;

fn list_offset(list: u32, i: u32) -> u32 {
    return submission.worlds * (STATUS_SIZE + (list - LIST_NEAR) * submission.candidates) + i;
}

// The last of a world's scratch memory is the number of its candidates, those without a slot included.
fn slots_end(w: u32) -> u32 { return (w + 1u) * submission.scratch - 1u; }
fn slot_at(w: u32, k: u32) -> u32 { return slots_end(w) - SLOT * (k + 1u); }
fn put_candidate_count(count: u32) { scratch[slots_end(world)] = vec4<f32>(f32(count), 0.0, 0.0, 0.0); }
fn candidate_count() -> u32 { return u32(scratch[slots_end(world)].x); }
