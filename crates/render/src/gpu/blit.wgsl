// Copies a picture pixel by pixel to a target of another format.

@group(0) @binding(0) var picture: texture_2d<f32>;

// whether the target encodes light as sRGB; the picture has codes already
override ENCODED: bool = false;

@vertex
fn vs_blit(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    // one triangle that covers everything
    return vec4f(4.0 * f32(index & 1u) - 1.0, 4.0 * f32(index >> 1u) - 1.0, 0.0, 1.0);
}

fn decoded(code: vec3f) -> vec3f {
    return select(pow((code + 0.055) / 1.055, vec3f(2.4)), code / 12.92, code <= vec3f(0.04045));
}

@fragment
fn fs_blit(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let color = textureLoad(picture, vec2u(at.xy), 0);
    if ENCODED {
        return vec4f(decoded(color.rgb), color.a);
    }
    return color;
}
