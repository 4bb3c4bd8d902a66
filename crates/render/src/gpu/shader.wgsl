// Shading at the corners of triangles (Gouraud), as fixed-function pipelines do it: emission, and per light ambient,
// diffuse and specular terms with attenuation and spot. Lines that begin with `//@slot` are repeated for each light
// that casts shadows, with $N its number and $L the location of its interpolant.

struct Light {
    pos: vec4f,          // in the camera's frame; w = 0: direction towards the light
    dir: vec4f,          // axis of the spot, w: cosine of the cutoff, below -1 without one
    ambient: vec4f,      // w: exponent of the spot
    diffuse: vec4f,
    specular: vec4f,
    attenuation: vec4f,  // w: number of lights from this one on
}

struct View {
    proj: mat4x4f,
    view: mat4x4f,
    clip: vec4f,         // half-space that is kept of a mirror image
    ambient: vec4f,      // w: number of lights
    fog: vec4f,          // start, end, 1 when on
    fog_color: vec4f,
    viewport: vec4f,     // width and height in pixels
    lights: array<Light, 8>,
    shadow: array<mat4x4f, 8>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(1) @binding(0) var image: texture_2d<f32>;
@group(1) @binding(1) var cube: texture_cube<f32>;
@group(1) @binding(2) var filtering: sampler;
@group(2) @binding(0) var shadow_maps: texture_2d_array<f32>;
@group(2) @binding(1) var nearest: sampler;

// 0: none, 1: flat image by position, 2: flat image by texture coordinates, 3: cube, 4: sky, 5: sky without mipmaps
override TEXTURE: u32 = 0u;
// 0: lit, 1: plain colour, 2: plain colour with the opacity of the vertex
override SHADING: u32 = 0u;
// whether the half-space of a mirror is kept only
override CLIPPED: bool = false;

struct Corner {
    @location(0) pos: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    // rows of the affine map from the shape's frame to the world
    @location(3) row0: vec4f,
    @location(4) row1: vec4f,
    @location(5) row2: vec4f,
    @location(6) rgba: vec4f,
    @location(7) material: vec4f,   // emission, specular, shininess, width of a line
    @location(8) texscale: vec3f,
    @location(9) id: u32,
}

struct Lit {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
    @location(1) tex: vec3f,
    @location(2) world: vec4f,      // w: distance in front of the camera
    //@slot @location($L) lit$N: vec3f,
}

fn world_position(c: Corner) -> vec3f {
    let p = vec4f(c.pos, 1.0);
    return vec3f(dot(c.row0, p), dot(c.row1, p), dot(c.row2, p));
}

// normals go through the inverse transpose, which is the cofactor matrix but for its length
fn world_normal(c: Corner) -> vec3f {
    let a = c.row0.xyz;
    let b = c.row1.xyz;
    let d = c.row2.xyz;
    return vec3f(dot(cross(b, d), c.normal), dot(cross(d, a), c.normal), dot(cross(a, b), c.normal));
}

fn light(i: u32, p: vec3f, n: vec3f, rgb: vec3f, material: vec4f) -> vec3f {
    let l = view.lights[i];
    var towards = l.pos.xyz;
    var strength = 1.0;
    if l.pos.w != 0.0 {
        towards -= p;
        let d = length(towards);
        strength = 1.0 / (l.attenuation.x + l.attenuation.y * d + l.attenuation.z * d * d);
    }
    towards = normalize(towards);
    if l.pos.w != 0.0 && l.dir.w >= -1.0 {
        let cosine = dot(-towards, l.dir.xyz);
        if cosine < l.dir.w {
            return vec3f(0.0);
        }
        strength *= select(pow(max(cosine, 0.0), l.ambient.w), 1.0, l.ambient.w == 0.0);
    }
    var color = l.ambient.rgb * rgb;
    let facing = dot(n, towards);
    if facing > 0.0 {
        let halfway = max(dot(n, normalize(towards - normalize(p))), 0.0);
        let gloss = select(pow(halfway, material.z), 1.0, material.z == 0.0);
        color += facing * l.diffuse.rgb * rgb + gloss * material.y * l.specular.rgb;
    }
    return strength * color;
}

fn texture_position(c: Corner) -> vec3f {
    if TEXTURE == 1u {
        return vec3f(0.5 * c.texscale.x * c.pos.x - 0.5, -0.5 * c.texscale.y * c.pos.y - 0.5, 0.0);
    }
    if TEXTURE == 2u {
        return vec3f(c.uv, 0.0);
    }
    if TEXTURE >= 4u {
        return vec3f(c.pos.x, c.pos.z, -c.pos.y);
    }
    return c.pos * c.texscale;
}

@vertex
fn vs_lit(c: Corner) -> Lit {
    var out: Lit;
    let world = world_position(c);
    let eye = view.view * vec4f(world, 1.0);
    out.clip = view.proj * eye;
    out.world = vec4f(world, -eye.z);
    out.tex = texture_position(c);
    out.color = c.rgba;
    //@slot out.lit$N = vec3f(0.0);
    if SHADING == 2u {
        out.color.a *= c.uv.x;
    }
    if SHADING == 0u {
        var n = (view.view * vec4f(world_normal(c), 0.0)).xyz;
        n = n / max(length(n), 1e-30);
        var color = (c.material.x + view.ambient.rgb) * c.rgba.rgb;
        // the lights with shadows come last
        var first_shadow = u32(view.ambient.w);
        var with_shadows = 0.0;
        //@slot first_shadow -= 1u;
        //@slot with_shadows += 1.0;
        // Each light tells how many there still are. A number of all lights would end the loop at a uniform, and Mesa's
        // software renderer compiles a shader anew, and keeps it, whenever uniforms that decide about its course are bound.
        for (var i = 0u; i < 8u; i++) {
            if view.lights[i].attenuation.w <= with_shadows {
                break;
            }
            color += light(i, eye.xyz, n, c.rgba.rgb, c.material);
        }
        out.color = vec4f(clamp(color, vec3f(0.0), vec3f(1.0)), c.rgba.a);
        //@slot out.lit$N = clamp(light(first_shadow + $Nu, eye.xyz, n, c.rgba.rgb, c.material), vec3f(0.0), vec3f(1.0));
    }
    return out;
}

fn unshadowed(slot: u32, world: vec3f) -> bool {
    let p = view.shadow[slot] * vec4f(world, 1.0);
    let ndc = p.xyz / p.w;
    let uv = vec2f(0.5 * ndc.x + 0.5, 0.5 - 0.5 * ndc.y);
    let size = vec2f(textureDimensions(shadow_maps));
    let centre = floor(clamp(uv * size, vec2f(0.0), size - 1.0)) + 0.5;
    // depth is 1 near the light. With a sampler: to WebGL a depth texture that is read without one is incomplete, and zero
    return clamp(ndc.z, 0.0, 1.0) >= textureSampleLevel(shadow_maps, nearest, centre / size, slot, 0.0).r;
}

fn clip_mirror_image(world: vec3f) {
    if CLIPPED {
        if dot(view.clip.xyz, world) + view.clip.w < 0.0 {
            discard;
        }
    }
}

fn texel_at(tex: vec3f) -> vec4f {
    var texel = vec4f(1.0);
    if TEXTURE == 1u || TEXTURE == 2u {
        texel = textureSample(image, filtering, tex.xy);
    } else if TEXTURE == 5u {
        texel = textureSampleLevel(cube, filtering, tex, 0.0);
    } else if TEXTURE >= 3u {
        texel = textureSample(cube, filtering, tex);
    }
    return texel;
}

// share of light that fog lets through
fn clearness(distance: f32) -> f32 {
    let share = clamp((view.fog.y - distance) / (view.fog.y - view.fog.x), 0.0, 1.0);
    return select(1.0, share, view.fog.z > 0.0);
}

@fragment
fn fs_lit(in: Lit) -> @location(0) vec4f {
    clip_mirror_image(in.world.xyz);
    let texel = texel_at(in.tex);
    let clear = clearness(in.world.w);
    let alpha = in.color.a * texel.a;
    var color = mix(view.fog_color.rgb, in.color.rgb * texel.rgb, clear);
    //@slot if alpha >= 0.99 && unshadowed($Nu, in.world.xyz) { color = min(color + clear * in.lit$N * texel.rgb, vec3f(1.0)); }
    return vec4f(color, alpha);
}

@vertex
fn vs_shadow(c: Corner) -> @builtin(position) vec4f {
    return view.proj * (view.view * vec4f(world_position(c), 1.0));
}

// the stencil alone is written
@fragment
fn fs_stencil() -> @location(0) vec4f {
    return vec4f(0.0);
}

struct Sensed {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) id: u32,
    @location(1) depth: f32,
}

@vertex
fn vs_sensor(c: Corner) -> Sensed {
    let eye = view.view * vec4f(world_position(c), 1.0);
    return Sensed(view.proj * eye, c.id, -eye.z);
}

@fragment
fn fs_sensor(in: Sensed) -> @location(0) vec2u {
    return vec2u(in.id, bitcast<u32>(in.depth));
}

// A line between the ends of the shape's z axis, as wide as the material says in pixels: the part in front of the camera,
// moved sideways on the screen.
fn line_corner(c: Corner) -> vec4f {
    let ends = array(
        view.proj * (view.view * vec4f(c.row0.w, c.row1.w, c.row2.w, 1.0)),
        view.proj * (view.view * vec4f(c.row0.z + c.row0.w, c.row1.z + c.row1.w, c.row2.z + c.row2.w, 1.0)),
    );
    var a = ends[0];
    var b = ends[1];
    // near plane, where depth equals w: cut there
    let da = a.w - a.z;
    let db = b.w - b.z;
    if da < 0.0 && db > 0.0 {
        a = mix(a, b, da / (da - db));
    } else if db < 0.0 && da > 0.0 {
        b = mix(b, a, db / (db - da));
    }
    let along = (b.xy / b.w - a.xy / a.w) * view.viewport.xy;
    let aside = vec2f(-along.y, along.x) / max(length(along), 1e-6) * c.material.w / view.viewport.xy;
    let at = select(a, b, c.pos.z > 0.5);
    return vec4f(at.xy + c.pos.y * aside * at.w, at.zw);
}

@vertex
fn vs_line(c: Corner) -> Lit {
    var out: Lit;
    out.clip = line_corner(c);
    out.color = c.rgba;
    out.tex = vec3f(0.0);
    let world = vec3f(c.row0.w, c.row1.w, c.row2.w) + c.pos.z * vec3f(c.row0.z, c.row1.z, c.row2.z);
    out.world = vec4f(world, -(view.view * vec4f(world, 1.0)).z);
    //@slot out.lit$N = vec3f(0.0);
    return out;
}

@vertex
fn vs_line_sensor(c: Corner) -> Sensed {
    let clip = line_corner(c);
    // height over the camera's plane: the third row of the projection, solved for it
    let z = (clip.z - view.proj[3][2]) / view.proj[2][2];
    return Sensed(clip, c.id, -z);
}

struct Glyph {
    @location(0) rect: vec4f,       // left, top, width and height in pixels
    @location(1) cell: vec4f,       // the same in the picture of the letters, from 0 to 1
    @location(2) rgba: vec4f,
}

struct Text {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) rgba: vec4f,
}

@vertex
fn vs_text(@builtin(vertex_index) index: u32, g: Glyph) -> Text {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u));
    let pixel = g.rect.xy + corner * g.rect.zw;
    let ndc = vec2f(2.0, -2.0) * pixel / view.viewport.xy + vec2f(-1.0, 1.0);
    return Text(vec4f(ndc, 0.5, 1.0), g.cell.xy + corner * g.cell.zw, g.rgba);
}

@fragment
fn fs_text(in: Text) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(image));
    let covered = textureLoad(image, vec2u(in.uv * size), 0).r;
    return vec4f(in.rgba.rgb, in.rgba.a * covered);
}
