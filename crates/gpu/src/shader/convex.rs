//! Kernels that search for contacts of convex pairs. One tests the bounds of all pairs of a world and lists
//! those that meet; the others take the pairs of a list, of whatever world they are, a lane each: GJK for all
//! of them, EPA for the few that overlap, and tilted poses of the few that touch. The contact kernel then
//! takes what they have found in the order of pairs.

use crate::features::plan::Plan;

/// Support points of GJK: a simplex, a walking tetrahedron and a new one.
const GJK_POINTS: usize = 9;
/// Those that EPA takes over: a simplex.
const SIMPLEX_POINTS: usize = 4;

/// Most workgroups of a kernel that takes pairs from a list: more than run at the same time on large devices,
/// or fewer where lanes have much memory of their own.
const MANY: u32 = 2048;
const FEW: u32 = 1024;

/// A kernel that takes pairs from a list.
pub(super) struct ListKernel {
    pub(super) stage: &'static str,
    pub(super) entry: &'static str,
    pub(super) module: &'static str,
    /// Most workgroups.
    pub(super) workgroups: u32,
    /// Constants of its own.
    pub(super) constants: String,
}

/// The kernels that take pairs from lists.
pub(super) fn list_kernels(plan: &Plan<'_>) -> Vec<ListKernel> {
    if plan.pairs.listed().is_none() {
        return Vec::new();
    }
    // bodies that adhere are drawn to points in the gap, too
    let included = format!("const INCLUDED = {}u;\n", u32::from(!plan.adhesion.is_present()));
    let kernel = |stage, entry, module, workgroups, points: String| ListKernel {
        stage,
        entry,
        module,
        workgroups,
        constants: format!("{included}{points}"),
    };
    let distances = points(GJK_POINTS, false);
    let mut kernels = vec![
        kernel("distances", "find_distances", "convex_gjk_kernel", MANY, distances),
        kernel("depths", "find_depths", "convex_epa_kernel", FEW, points(SIMPLEX_POINTS, true)),
    ];
    if plan.shapes.clips {
        kernels.push(kernel("faces", "clip_faces", "convex_manifold_kernel", FEW, String::new()));
    }
    if plan.shapes.tilts {
        kernels.push(kernel("tilted poses", "find_tilted", "convex_tilt_kernel", MANY, search_points()));
    }
    kernels
}

/// Constants of the kernel that tests bounds, where there are pairs for it.
pub(super) fn bounds_constants(plan: &Plan<'_>) -> Option<String> {
    let (first, count) = plan.pairs.listed()?;
    Some(format!("const CONVEX_FIRST = {first}u;\nconst CONVEX_PAIRS = {count}u;\n"))
}

/// Room for the support points of GJK and EPA in one.
pub(super) fn search_points() -> String {
    points(GJK_POINTS, true)
}

/// Room for support points: those of GJK, and those that EPA adds.
fn points(gjk: usize, expands: bool) -> String {
    let added = if expands { " + EPA_POINTS" } else { "" };
    format!("const GJK_POINTS = {gjk}u;\nconst POOL_SIZE = GJK_POINTS{added};\n")
}
