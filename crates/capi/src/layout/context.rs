//! `mjrContext`. What belongs to OpenGL in it is not used, but for one number by which we find our context.

/// Number of auxiliary buffers.
pub const AUX: usize = 10;
const TEXTURES: usize = 1000;
const MATERIALS: usize = 1000;
const ROLES: usize = 10;
/// Number of characters that have a width.
const CHARACTERS: usize = 127;

/// `mjrContext` of the header.
#[repr(C)]
#[allow(non_snake_case)]
pub struct ContextRecord {
    pub lineWidth: f32,
    pub shadowClip: f32,
    pub shadowScale: f32,
    pub fogStart: f32,
    pub fogEnd: f32,
    pub fogRGBA: [f32; 4],
    pub shadowSize: i32,
    pub offWidth: i32,
    pub offHeight: i32,
    pub offSamples: i32,
    pub fontScale: i32,
    pub auxWidth: [i32; AUX],
    pub auxHeight: [i32; AUX],
    pub auxSamples: [i32; AUX],
    /// number of our context, 0 for none
    pub offFBO: u32,
    offscreen: [u32; 5],
    shadow: [u32; 2],
    aux: [[u32; AUX]; 4],
    mat_texid: [i32; MATERIALS * ROLES],
    mat_texuniform: [i32; MATERIALS],
    mat_texrepeat: [f32; MATERIALS * 2],
    pub ntexture: i32,
    textureType: [i32; TEXTURES],
    texture: [u32; TEXTURES],
    base: [u32; 7],
    range: [i32; 5],
    nskin: i32,
    skins: [*mut u32; 4],
    pub charWidth: [i32; CHARACTERS],
    pub charWidthBig: [i32; CHARACTERS],
    pub charHeight: i32,
    pub charHeightBig: i32,
    pub glInitialized: i32,
    pub windowAvailable: i32,
    pub windowSamples: i32,
    pub windowStereo: i32,
    pub windowDoublebuffer: i32,
    pub currentBuffer: i32,
    pub readPixelFormat: i32,
    pub readDepthMap: i32,
}

impl ContextRecord {
    /// Fields with where they are.
    pub const OFFSETS: &[(&str, usize)] = &[
        ("offFBO", std::mem::offset_of!(Self, offFBO)),
        ("mat_texid", std::mem::offset_of!(Self, mat_texid)),
        ("ntexture", std::mem::offset_of!(Self, ntexture)),
        ("basePlane", std::mem::offset_of!(Self, base)),
        ("nskin", std::mem::offset_of!(Self, nskin)),
        ("charWidth", std::mem::offset_of!(Self, charWidth)),
        ("glInitialized", std::mem::offset_of!(Self, glInitialized)),
        ("readDepthMap", std::mem::offset_of!(Self, readDepthMap)),
    ];
}
