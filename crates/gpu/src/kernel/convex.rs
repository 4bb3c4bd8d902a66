//! Kernels that search for contacts of convex pairs. One tests the bounds of all pairs of a world and lists
//! those that meet; the others take the pairs of a list, of whatever world they are, a lane each: GJK for all
//! of them, EPA for the few that overlap, and tilted poses of the few that touch. The contact kernel then
//! takes what they have found in the order of pairs.

use super::{fill, part};
use crate::adhesion::has_adhesion;
use crate::convex::ConvexShapes;
use crate::pairs::PairGroups;
use kinetree_model::Model;

/// Takes the points of a world's slots.
pub(super) const POINTS_OF_SLOTS: &str = "
    let slots = min(agreed(candidate_count()), submission.candidates);
    for (var base = 0u; base < slots; base += LANES) {
        found = 0u;
        found_tangent = vec3<f32>(0.0);
        var pair = 0u;
        if (base + lane < slots) { pair = take_slot(base + lane); }
        count = append_points(pair, count);
    }
";

/// Points of tilted poses, unless they are near others.
const TILTED_POINTS: &str = "    if (u32(head.y) >= TILTED_POSES) {
        let first = scratch[slot + 1u].w;
        let bounds = min(geom_pos[index(PAIR_GEOMS + 2u * pair)].w, geom_pos[index(PAIR_GEOMS + 2u * pair + 1u)].w);
        for (var i = 1u; i < 5u; i++) {
            let normal = scratch[slot + 2u + 2u * i];
            if (normal.w > 0.0) { touch_apart(first, scratch[slot + 1u + 2u * i].xyz, normal.xyz, 1e-3 * bounds); }
        }
    }
";

/// Empties the lists when all searches are done.
const EMPTY_LISTS: &str = "    if (group.x + group.y + local == 0u) {
        for (var list = LIST_NEAR; list <= LIST_TILTED; list++) { atomicStore(&needed[list], 0u); }
    }
";

/// A world with more candidates than slots waits.
const ROOM: &str = "        if (candidate_count() > submission.candidates) { count = max(count, submission.contacts + 1u); }\n";

/// Leaves flat features to be clipped.
const KEEP_FACE: &str = "        if (depth > 0.0 && is_flat()) {
            keep_face();
            continue;
        }
";

/// Support mapping of a mesh.
const MESH_SUPPORT: &str = "
fn mesh_support(s: Convex, d: vec3<f32>, start: u32) -> Support {
    let top = mesh_top(s.geom, d, start);
    return Support(top.point, top.id);
}
";

/// Support points of GJK: a simplex, a walking tetrahedron and a new one.
const GJK_POINTS: usize = 9;
/// Those that EPA takes over: a simplex.
const SIMPLEX_POINTS: usize = 4;

fn only(condition: bool, text: &'static str) -> &'static str {
    if condition { text } else { "" }
}

/// Texts of the search.
pub(super) struct Search {
    shapes: ConvexShapes,
    /// First pair and number of pairs that are listed.
    listed: Option<(usize, usize)>,
    adhesive: bool,
}

impl Search {
    pub(super) fn new(model: &Model, pairs: &PairGroups) -> Self {
        Self { shapes: pairs.convex_shapes(model), listed: pairs.listed(), adhesive: has_adhesion(model) }
    }

    /// Stages, entry points and texts of the kernels that take pairs from lists, behind what all kernels
    /// share.
    pub(super) fn list_kernels(&self) -> Vec<(&'static str, &'static str, String)> {
        if self.listed.is_none() {
            return Vec::new();
        }
        let mut kernels = vec![
            ("distances", "find_distances", self.distance_kernel()),
            ("depths", "find_depths", self.depth_kernel()),
        ];
        if self.shapes.clips {
            kernels.push(("faces", "clip_faces", self.face_kernel()));
        }
        if self.shapes.tilts {
            kernels.push(("tilted poses", "find_tilted", self.tilt_kernel()));
        }
        kernels
    }

    /// The kernel that tests bounds, where there are pairs for it.
    pub(super) fn bounds_kernel(&self) -> Option<String> {
        let (first, count) = self.listed?;
        let sizes = format!("const CONVEX_FIRST = {first}u;\nconst CONVEX_PAIRS = {count}u;\n");
        Some(sizes + part::GEOM_POSE + part::GEOMS + part::CONVEX_SLOTS + part::CONVEX_BOUNDS)
    }

    /// What the contact kernel does at its beginning and end where there are lists.
    pub(super) fn list_ends(&self) -> [&'static str; 2] {
        [EMPTY_LISTS, ROOM].map(|text| only(self.listed.is_some(), text))
    }

    /// How the contact kernel takes points from slots.
    pub(super) fn points_text(&self) -> String {
        if self.listed.is_none() {
            return String::new();
        }
        let tilted = only(self.shapes.tilts, TILTED_POINTS);
        part::CONVEX_SLOTS.to_owned()
            + &fill(part::CONVEX_POINTS, &[("TILTED", tilted)])
            + only(self.shapes.tilts, part::TOUCH_APART)
    }

    /// What the contact kernel needs for meshes, and for height fields the whole search.
    pub(super) fn field_text(&self) -> String {
        if self.shapes.has_fields() {
            part::CONVEX_SHAPE.to_owned()
                + &self.support_text(true)
                + &self.penetration_text()
                + part::HEIGHT_FIELD
        } else {
            only(self.shapes.has_meshes(), part::CONVEX_MESH).to_owned()
        }
    }

    fn distance_kernel(&self) -> String {
        points(GJK_POINTS, false)
            + &self.slot_text()
            + &self.support_text(false)
            + &self.distance_text()
            + part::CONVEX_FIRST
            + part::CONVEX_GJK_KERNEL
    }

    fn depth_kernel(&self) -> String {
        let clips = self.shapes.clips;
        points(SIMPLEX_POINTS, true)
            + &self.slot_text()
            + &self.support_text(false)
            + part::CONVEX_EPA
            + part::CONVEX_DEPTH
            + part::CONVEX_FIRST
            + &fill(part::CONVEX_EPA_KERNEL, &[("FLAT", only(clips, KEEP_FACE))])
            + only(clips, part::CONVEX_FACE)
    }

    fn face_kernel(&self) -> String {
        self.slot_text()
            + part::CONVEX_MESH
            + part::CONVEX_MANIFOLD
            + part::TOUCH_APART
            + part::CONVEX_MANIFOLD_KERNEL
    }

    fn tilt_kernel(&self) -> String {
        self.slot_text() + &self.support_text(false) + &self.penetration_text() + part::CONVEX_TILT_KERNEL
    }

    /// Shapes of pairs and their slots.
    fn slot_text(&self) -> String {
        // bodies that adhere are drawn to points in the gap, too
        let included = u32::from(!self.adhesive);
        format!("const INCLUDED = {included}u;\n")
            + part::GEOM_POSE
            + part::CONVEX_SHAPE
            + part::CONVEX_SLOTS
            + part::CONVEX_SLOT
    }

    /// Support mappings, and what GJK and EPA share.
    fn support_text(&self, fields: bool) -> String {
        let meshes = self.shapes.has_meshes();
        fill(part::CONVEX_SUPPORT, &[("SUPPORTS", &self.shapes.supports(fields))])
            + only(meshes, part::CONVEX_MESH)
            + only(meshes, MESH_SUPPORT)
            + part::CONVEX_STATE
    }

    fn distance_text(&self) -> String {
        let refines = self.shapes.refines();
        let refine = only(refines, "    refine_ellipsoid();\n");
        part::CONVEX_GJK.to_owned()
            + &fill(part::CONVEX_DISTANCE, &[("REFINE", refine)])
            + only(refines, part::CONVEX_ELLIPSOID)
    }

    /// GJK and EPA in one.
    fn penetration_text(&self) -> String {
        points(GJK_POINTS, true)
            + &self.distance_text()
            + part::CONVEX_EPA
            + part::CONVEX_DEPTH
            + part::CONVEX_PENETRATION
    }
}

/// Room for support points: those of GJK, and those that EPA adds.
fn points(gjk: usize, expands: bool) -> String {
    let added = if expands { " + EPA_POINTS" } else { "" };
    format!("const GJK_POINTS = {gjk}u;\nconst POOL_SIZE = GJK_POINTS{added};\n")
}
