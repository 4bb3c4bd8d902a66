// Rays against all geoms that can be seen, but those of the body that the ray begins at.
//#import common
//#import sensors
//#if RAY_MESHES || RAY_FIELDS
//#import sensors_ray_triangle
//#end
//#if RAY_MESHES
//#import sensors_ray_mesh
//#end
//#if RAY_FIELDS
//#import sensors_ray_field
//#end

const RAY_PLANE = 0;
const RAY_HFIELD = 1;
const RAY_SPHERE = 2;
const RAY_CAPSULE = 3;
const RAY_ELLIPSOID = 4;
const RAY_CYLINDER = 5;
const RAY_BOX = 6;
const RAY_MESH_SHAPE = 7;

// Distance, negative where nothing is met, and normal of the surface.
struct RayHit { dist: f32, normal: vec3<f32> }

fn no_hit() -> RayHit { return RayHit(-1.0, vec3<f32>(0.0)); }

fn nearer(a: RayHit, b: RayHit) -> RayHit {
    if (b.dist >= 0.0 && (a.dist < 0.0 || b.dist < a.dist)) { return b; }
    return a;
}

// Writes the fields of a ray that are asked for.
fn read_range(s: u32, body: u32) {
    let at = SENSOR_FRAMES + 14u * s;
    let frame = frame_at(body, at);
    let origin = frame.pos + rotate(frame.quat, number3(at + 7u));
    let direction = rotate(frame.quat, number3(at + 10u));
    let hit = cast_ray(body, origin, direction);
    let met = hit.dist >= 0.0;
    let fields = index(SENSOR_IDS + 3u * s + 1u);
    let point = origin + hit.dist * direction;
    var depth = hit.dist;
    if (met && ints[SENSOR_IDS + 3u * s + 2u] != 0) {
        depth = -dot(point - frame.pos, rotate(frame.quat, vec3<f32>(0.0, 0.0, 1.0)));
    }
    var k = 0u;
    if ((fields & 1u) != 0u) {
        put(s, k, select(-1.0, hit.dist, met));
        k += 1u;
    }
    if ((fields & 2u) != 0u) { k = put_vector(s, k, select(vec3<f32>(0.0), direction, met)); }
    if ((fields & 4u) != 0u) { k = put_vector(s, k, origin); }
    if ((fields & 8u) != 0u) { k = put_vector(s, k, select(vec3<f32>(0.0), point, met)); }
    if ((fields & 16u) != 0u) { k = put_vector(s, k, hit.normal); }
    if ((fields & 32u) != 0u) { put(s, k, select(-1.0, depth, met)); }
}

fn put_vector(s: u32, k: u32, v: vec3<f32>) -> u32 {
    put(s, k, v.x);
    put(s, k + 1u, v.y);
    put(s, k + 2u, v.z);
    return k + 3u;
}

// The first hit of a ray of unit length, in world axes.
fn cast_ray(body: u32, origin: vec3<f32>, direction: vec3<f32>) -> RayHit {
    var best = no_hit();
    for (var k = 0u; k < NRAYGEOM; k++) {
        let g = index(RAY_GEOM + 2u * k);
        let own = index(GEOM_BODYID + g);
        if (own == body) { continue; }
        let rotation = body_quat(own);
        let quat = quat_mul(rotation, number4(GEOM_QUAT + 4u * g));
        let offset = origin - (body_pos(own) + rotate(rotation, number3(GEOM_POS + 3u * g)));
        let p = rotate(inverse(quat), offset);
        let d = rotate(inverse(quat), direction);
        let size = number3(GEOM_SIZE + 3u * g);
        var hit = no_hit();
        switch (ints[RAY_GEOM + 2u * k + 1u]) {
            case RAY_PLANE: { hit = ray_plane(p, d, size); }
            case RAY_SPHERE: { hit = ray_ellipsoid(p, d, vec3<f32>(size.x)); }
            case RAY_CAPSULE: { hit = ray_capsule(p, d, size.x, size.y); }
            case RAY_ELLIPSOID: { hit = ray_ellipsoid(p, d, size); }
            case RAY_CYLINDER: { hit = ray_cylinder(p, d, size.x, size.y); }
            case RAY_BOX: { hit = box_hits(p, d, size).first; }
//#if RAY_MESHES
            case RAY_MESH_SHAPE: { hit = ray_mesh(k, p, d, size); }
//#end
//#if RAY_FIELDS
            case RAY_HFIELD: { hit = ray_field(k, p, d); }
//#end
            default: {}
        }
        best = nearer(best, RayHit(hit.dist, rotate(quat, hit.normal)));
    }
    return best;
}

// The front of a plane, which has an end where its size is positive.
fn ray_plane(p: vec3<f32>, d: vec3<f32>, size: vec3<f32>) -> RayHit {
    // single precision cannot tell directions nearer to this from those along the plane
    if (d.z > -5e-7) { return no_hit(); }
    let x = -p.z / d.z;
    let beyond = abs(p.xy + x * d.xy) > size.xy;
    if (x < 0.0 || any(beyond & (size.xy > vec2<f32>(0.0)))) { return no_hit(); }
    return RayHit(x, vec3<f32>(0.0, 0.0, 1.0));
}

// Both distances at which a ray is at |p + x d| = 1: about the point where it is nearest, since roots of a
// quadratic would lose the digits that a far origin has in common with them. The first is larger where there is none.
fn unit_roots(p: vec3<f32>, d: vec3<f32>) -> vec2<f32> {
    let a = dot(d, d);
    if (a < 1e-15) { return vec2<f32>(1.0, -1.0); }
    let middle = -dot(p, d) / a;
    let q = p + middle * d;
    let rest = 1.0 - dot(q, q);
    if (rest < 0.0) { return vec2<f32>(1.0, -1.0); }
    let half = sqrt(rest / a);
    return vec2<f32>(middle - half, middle + half);
}

// The smaller root that is not negative, or a negative number.
fn first_root(roots: vec2<f32>) -> f32 {
    if (roots.x > roots.y) { return -1.0; }
    return select(roots.y, roots.x, roots.x >= 0.0);
}

fn ray_ellipsoid(p: vec3<f32>, d: vec3<f32>, size: vec3<f32>) -> RayHit {
    let x = first_root(unit_roots(p / size, d / size));
    if (x < 0.0) { return no_hit(); }
    return RayHit(x, normalize((p + x * d) / (size * size)));
}

// The round side about the z axis.
fn ray_side(p: vec3<f32>, d: vec3<f32>, radius: f32, half: f32) -> RayHit {
    let across = vec3<f32>(1.0, 1.0, 0.0) / radius;
    // a ray along the axis meets no side
    if (dot(d.xy, d.xy) < 1e-15) { return no_hit(); }
    let x = first_root(unit_roots(p * across, d * across));
    if (x < 0.0 || abs(p.z + x * d.z) > half) { return no_hit(); }
    return RayHit(x, vec3<f32>(normalize(p.xy + x * d.xy), 0.0));
}

fn ray_capsule(p: vec3<f32>, d: vec3<f32>, radius: f32, half: f32) -> RayHit {
    var best = ray_side(p, d, radius, half);
    for (var end = 0u; end < 2u; end++) {
        let up = select(-1.0, 1.0, end == 0u);
        let centre = vec3<f32>(0.0, 0.0, up * half);
        let roots = unit_roots((p - centre) / radius, d / radius);
        if (roots.x > roots.y) { continue; }
        for (var k = 0u; k < 2u; k++) {
            let x = roots[k];
            if (x < 0.0 || up * (p.z + x * d.z) < half) { continue; }
            best = nearer(best, RayHit(x, normalize(p + x * d - centre)));
        }
    }
    return best;
}

fn ray_cylinder(p: vec3<f32>, d: vec3<f32>, radius: f32, half: f32) -> RayHit {
    var best = no_hit();
    if (abs(d.z) > 1e-15) {
        for (var end = 0u; end < 2u; end++) {
            let up = select(-1.0, 1.0, end == 1u);
            let x = (up * half - p.z) / d.z;
            let at = p.xy + x * d.xy;
            if (x >= 0.0 && dot(at, at) <= radius * radius) { best = nearer(best, RayHit(x, vec3<f32>(0.0, 0.0, up))); }
        }
    }
    return nearer(best, ray_side(p, d, radius, half));
}

// The nearest face of a box, and the distance of each (−x, +x, −y, …), negative where it is missed.
struct BoxHits { first: RayHit, faces: array<f32, 6> }

fn box_hits(p: vec3<f32>, d: vec3<f32>, half: vec3<f32>) -> BoxHits {
    var hits = BoxHits(no_hit(), array<f32, 6>(-1.0, -1.0, -1.0, -1.0, -1.0, -1.0));
    for (var axis = 0u; axis < 3u; axis++) {
        if (abs(d[axis]) <= 1e-15) { continue; }
        for (var side = 0u; side < 2u; side++) {
            let up = select(-1.0, 1.0, side == 1u);
            let x = (up * half[axis] - p[axis]) / d[axis];
            var beyond = abs(p + x * d) > half;
            beyond[axis] = false;
            if (x < 0.0 || any(beyond)) { continue; }
            hits.faces[2u * axis + side] = x;
            var normal = vec3<f32>(0.0);
            normal[axis] = up;
            hits.first = nearer(hits.first, RayHit(x, normal));
        }
    }
    return hits;
}
