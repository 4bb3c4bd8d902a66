//! The contact kernel: a loop over the pairs of each routine, and the routines. What is searched for by GJK
//! and EPA comes from the kernels of [`convex`](super::convex), but for height fields.

use super::convex::{POINTS_OF_SLOTS, Search};
use super::{fill, part};
use crate::adhesion::has_adhesion;
use crate::pairs::{PairGroups, Routine};
use kinetree_model::Model;

/// Leaves the number of points in the gap; where they have no room the world waits.
const GAPS: &str = "    if (lane == 0u) { put_scratch(4u * SCRATCH_ADHESION + NADHESION, f32(gaps)); }
    if (count + gaps > submission.contacts) { count += gaps; }
";

/// The contact kernel, with a loop over the pairs of each routine.
pub(super) fn contact_kernel(model: &Model, pairs: &PairGroups) -> String {
    let mut loops = String::new();
    let adhesive = has_adhesion(model);
    // bodies that adhere are drawn to points in the gap, too
    let included = if adhesive { "at" } else { "at + 1u" };
    for &(routine, first, count) in &pairs.groups {
        loops += &if routine.is_listed() {
            POINTS_OF_SLOTS.to_owned()
        } else {
            let each = one_pair(routine, &format!("base + lane < {count}u"), included);
            format!(
                "
    for (var base = 0u; base < {count}u; base += LANES) {{
        found = 0u;
        found_tangent = vec3<f32>(0.0);
        let pair = {first}u + base + lane;
{each}        count = append_points(pair, count);
    }}
"
            )
        };
    }
    let search = Search::new(model, pairs);
    let points = format!("const MAX_POINTS = {}u;\n", pairs.most_points());
    let append = if adhesive { part::APPEND_GAPS } else { part::APPEND };
    let gaps = if adhesive { GAPS } else { "" };
    let [empty_lists, room] = search.list_ends();
    let parts = [
        ("GROUPS", &loops[..]),
        ("APPEND", append),
        ("GAPS", gaps),
        ("EMPTY_LISTS", empty_lists),
        ("ROOM", room),
    ];
    let mut text = points + part::GEOM_POSE + part::GEOMS + &fill(part::COLLIDE, &parts);
    // long routines only where they are needed
    for (name, routine) in
        [("capsule_box", part::CAPSULE_BOX), ("box_box", part::BOX_BOX), ("plane_mesh", part::PLANE_MESH)]
    {
        if pairs.groups.iter().any(|(routine, ..)| routine.name == name) {
            text += routine;
        }
    }
    text + &search.points_text() + &search.field_text()
}

/// Finds the points of a lane's pair, where it has one.
fn one_pair(routine: Routine, condition: &str, included: &str) -> String {
    let name = routine.name;
    format!(
        "        if ({condition}) {{
            let at = PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + pair);
            margin = number(at);
            include_margin = number({included});
            {name}(index(PAIR_GEOMS + 2u * pair), index(PAIR_GEOMS + 2u * pair + 1u));
        }}
"
    )
}
