//! The contact kernel: a loop over the pairs of each routine.

use crate::features::plan::Plan;
use std::fmt::Write;

/// Takes the points of a world's slots, which the kernels of convex pairs have found.
const POINTS_OF_SLOTS: &str = "
    let slots = min(agreed(candidate_count()), submission.candidates);
    for (var base = 0u; base < slots; base += LANES) {
        found = 0u;
        found_tangent = vec3<f32>(0.0);
        var pair = 0u;
        if (base + lane < slots) { pair = take_slot(base + lane); }
        count = append_points(pair, count);
    }
";

/// Loops over the pairs of each routine.
pub(super) fn contact_groups(plan: &Plan<'_>) -> String {
    let mut loops = String::new();
    // bodies that adhere are drawn to points in the gap, too
    let included = if plan.adhesion.is_present() { "at" } else { "at + 1u" };
    for &(routine, first, count) in &plan.pairs.groups {
        if routine.is_listed() {
            loops += POINTS_OF_SLOTS;
            continue;
        }
        let name = routine.name;
        let _ = write!(
            loops,
            "
    for (var base = 0u; base < {count}u; base += LANES) {{
        found = 0u;
        found_tangent = vec3<f32>(0.0);
        let pair = {first}u + base + lane;
        if (base + lane < {count}u) {{
            let at = PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + pair);
            margin = number(at);
            include_margin = number({included});
            {name}(index(PAIR_GEOMS + 2u * pair), index(PAIR_GEOMS + 2u * pair + 1u));
        }}
        count = append_points(pair, count);
    }}
"
        );
    }
    loops
}
