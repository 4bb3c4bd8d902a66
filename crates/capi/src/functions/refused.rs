//! What this library cannot do: drawing into somebody's OpenGL window, and user interfaces in it. Each of
//! these functions hands an error that says so to the program's handler.

use crate::export;
use crate::ffi::fault::{Failed, unsupported};
use crate::ffi::pointer::{In, count};
use crate::ffi::words::Room;

const WINDOWS: &str = "drawing with OpenGL; use the renderer of `kinetree` instead";

/// Exports functions that refuse. They use none of their arguments, which are therefore not listed.
macro_rules! refuse {
    ($( $name:ident )*) => { $(
        export! {
            fn $name() { unsupported(WINDOWS) }
        }
    )* };
}

refuse! {
    mjr_makeContext mjr_changeFont mjr_addAux mjr_resizeOffscreen mjr_uploadTexture mjr_uploadMesh mjr_uploadHField
    mjr_restoreBuffer mjr_setBuffer mjr_readPixels mjr_drawPixels mjr_blitBuffer mjr_setAux mjr_blitAux mjr_text
    mjr_overlay mjr_rectangle mjr_label mjr_figure mjr_render
    mjui_add mjui_addToSection mjui_resize mjui_update mjui_render
}

/// Bytes of `mjrContext`.
pub const CONTEXT: usize = 61_512;

/// `mjrContext`, of which nothing is used.
#[repr(C, align(8))]
pub struct Context([u8; CONTEXT]);

/// A rectangle of pixels.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Rectangle {
    pub left: i32,
    pub bottom: i32,
    pub width: i32,
    pub height: i32,
}

/// `mjuiThemeSpacing`.
#[repr(C)]
#[derive(Default)]
pub struct Spacing([i32; 13]);

/// `mjuiThemeColor`.
#[repr(C)]
pub struct Colors([[f32; 3]; 28]);

impl Failed for Rectangle {
    fn failed() -> Self {
        Self::default()
    }
}

impl Failed for Spacing {
    fn failed() -> Self {
        Self::default()
    }
}

impl Failed for Colors {
    fn failed() -> Self {
        Self([[0.0; 3]; 28])
    }
}

export! {
    fn mjr_defaultContext(con: Room<'_, Context>) { con.begin(Context([0; CONTEXT])) }
    fn mjr_freeContext(con: Room<'_, Context>) { con.begin(Context([0; CONTEXT])) }
    fn mjr_maxViewport() -> Rectangle { unsupported(WINDOWS) }
    fn mjr_finish() { Ok(()) }
    fn mjr_getError() -> i32 { Ok(0) }
    fn mjr_findRect(x: i32, y: i32, nrect: i32, rect: In<'_, Rectangle>) -> i32 {
        let inside = |r: &Rectangle| {
            x >= r.left && x < r.left + r.width && y >= r.bottom && y < r.bottom + r.height
        };
        Ok(rect.list(count(nrect))?.iter().position(inside).map_or(-1, |at| at as i32))
    }
    fn mjui_themeSpacing(_ind: i32) -> Spacing { unsupported(WINDOWS) }
    fn mjui_themeColor(_ind: i32) -> Colors { unsupported(WINDOWS) }
    fn mjui_event() -> *mut std::ffi::c_void { unsupported(WINDOWS) }
}
