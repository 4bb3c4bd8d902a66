//! The contact kernel: a loop over the pairs of each routine, and the routines.

use super::{fill, part};
use crate::adhesion::has_adhesion;
use crate::convex::ConvexShapes;
use crate::pairs::{PairGroups, Routine};
use kinetree_model::Model;

/// Leaves the number of points in the gap; where they have no room the world waits.
const GAPS: &str = "    if (lane == 0u) { put_scratch(4u * SCRATCH_ADHESION + NADHESION, f32(gaps)); }
    if (count + gaps > submission.contacts) { count += gaps; }
";

/// Where flat features lie on each other, these are the contacts.
const FLAT_CONTACTS: &str = "        if (is_flat && flat_contacts(first_dist, base)) { return; }\n";

/// Support mapping of a mesh.
const MESH_SUPPORT: &str = "
fn mesh_support(s: Convex, d: vec3<f32>, start: u32) -> Support {
    let top = mesh_top(s.geom, d, start);
    return Support(mesh_vertex(s.geom, mesh_id(s.geom, top)), top);
}
";

/// The contact kernel, with a loop over the pairs of each routine.
pub(super) fn contact_kernel(model: &Model, pairs: &PairGroups) -> String {
    let mut loops = String::new();
    let adhesive = has_adhesion(model);
    // bodies that adhere are drawn to points in the gap, too
    let included = if adhesive { "at" } else { "at + 1u" };
    for &(routine, first, count) in &pairs.groups {
        loops += &if routine.is_queued() {
            queued_loop(routine, first, count, included)
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
    let points = format!("const MAX_POINTS = {}u;\n", pairs.most_points());
    let append = if adhesive { part::APPEND_GAPS } else { part::APPEND };
    let gaps = if adhesive { GAPS } else { "" };
    let parts = [("GROUPS", &loops[..]), ("APPEND", append), ("GAPS", gaps)];
    let mut text = points + &fill(part::COLLIDE, &parts);
    // long routines only where they are needed
    for (name, routine) in
        [("capsule_box", part::CAPSULE_BOX), ("box_box", part::BOX_BOX), ("plane_mesh", part::PLANE_MESH)]
    {
        if pairs.groups.iter().any(|(routine, ..)| routine.name == name) {
            text += routine;
        }
    }
    if pairs.groups.iter().any(|(routine, ..)| routine.is_queued()) {
        text += part::CONVEX_QUEUE;
    }
    text + &convex_text(&pairs.convex_shapes(model))
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

/// The loop over pairs of a routine that takes long: lanes take those whose bounds meet.
fn queued_loop(routine: Routine, first: usize, count: usize, included: &str) -> String {
    let each = one_pair(routine, "lane < queued", included);
    format!(
        "
    var base = 0u;
    var queued = 0u;
    loop {{
        while (base < {count}u && queued < LANES) {{
            queued = agreed(enqueue({first}u + base + lane, base + lane < {count}u, queued));
            base += LANES;
        }}
        if (queued == 0u) {{ break; }}
        let pair = dequeue(queued);
        found = 0u;
        found_tangent = vec3<f32>(0.0);
{each}        count = append_points(pair, count);
        queued -= min(queued, LANES);
    }}
"
    )
}

/// Support mappings, GJK and EPA, as far as they are needed.
fn convex_text(shapes: &ConvexShapes) -> String {
    let only = |condition: bool, text: &'static str| if condition { text } else { "" };
    let searched = shapes.is_searched();
    let mut text = String::new();
    text += only(shapes.has_meshes(), part::CONVEX_MESH);
    if searched {
        text += &fill(part::CONVEX_SUPPORT, &[("SUPPORTS", &shapes.supports())]);
        text += only(shapes.has_meshes(), MESH_SUPPORT);
        let manifold = only(shapes.clips, FLAT_CONTACTS);
        text += part::CONVEX_GJK;
        text += part::CONVEX_EPA;
        text += only(shapes.clips, part::CONVEX_MANIFOLD);
        let refined = shapes.refines();
        text += only(refined, part::CONVEX_ELLIPSOID);
        let refine = only(refined, "        refine_ellipsoid();\n");
        text += &fill(part::CONVEX_PAIR, &[("MANIFOLD", manifold), ("REFINE", refine)]);
        text += only(shapes.has_fields(), part::HEIGHT_FIELD);
    }
    text
}
