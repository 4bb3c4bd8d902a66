//#import common
//#import geom_pose

// Convex shapes of a pair.

// A shape beside the other one of its pair. Positions are relative to the first geom, so that single precision counts
// in sizes of shapes and not in distances from the world's origin.
struct Convex {
    kind: u32,
    size: vec3<f32>,
    pos: vec3<f32>,
    axes: mat3x3<f32>,
    // a point inside
    centre: vec3<f32>,
    // half of the margin
    inflation: f32,
    geom: u32,
}

// A point of the Minkowski difference, the point of the first shape that it comes from, and the vertices of both
// where they have some.
struct Vertex { diff: vec3<f32>, on1: vec3<f32>, ids: vec2<u32> }

var<private> convex1: Convex;
var<private> convex2: Convex;
// last support vertices, from which searches over meshes go on
var<private> last_ids: vec2<u32>;

fn convex_of(g: u32, base: vec3<f32>) -> Convex {
    let pose = geom_pose(g);
    let pos = pose.pos - base;
    return Convex(index(GEOM_TYPE + g), number3(GEOM_SIZE + 3u * g), pos, quat_axes(pose.quat), pos, 0.5 * margin, g);
}

fn is_round(s: Convex) -> bool { return s.kind == SPHERE || s.kind == CAPSULE; }

// Whether a shape has finitely many support points.
fn is_discrete(s: Convex) -> bool { return s.inflation == 0.0 && (s.kind == BOX || s.kind == MESH || s.kind == PRISM); }
