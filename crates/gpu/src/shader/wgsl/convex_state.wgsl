//#import convex_shape

// What GJK and EPA share.

const SEPARATE = 1e30;

// What the next support point is for: the distance of medial axes or of whole shapes, a polytope to begin with, its first
// vertices, or its growth.
const MEDIAL = 0u;
const WHOLE = 1u;
const BEGIN = 2u;
const SEED = 3u;
const GROWTH = 4u;
// What a stage says: a support point is needed, the same question again, the shapes do not touch, medial axes are near
// enough for the shapes to touch, shapes overlap.
const SEARCHING = 0u;
const AGAIN = 1u;
const SEPARATED = 2u;
const NEAR = 3u;
const OVERLAP = 4u;

var<private> stage: u32;
var<private> discrete: bool;
// All support points of a pair: first those of GJK, which are overwritten where nothing names them any more, then
// those of EPA. Everything else names them by their index.
var<private> pool: array<Vertex, POOL_SIZE>;
var<private> simplex: vec4<u32>;
var<private> simplex_size: u32;
// direction of the next support point
var<private> direction: vec3<f32>;
// nearest or deepest points of both shapes
var<private> witness1: vec3<f32>;
var<private> witness2: vec3<f32>;
// direction from the first shape to the second, and the depth that EPA has found along it
var<private> best_plane: vec4<f32>;
