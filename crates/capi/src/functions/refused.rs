//! What this library cannot do: user interfaces in a window of OpenGL; without the feature `render`, drawing.
//! Each of these functions hands an error that says so to the program's handler.

use crate::export;
use crate::ffi::fault::{Failed, unsupported};
#[cfg(not(feature = "render"))]
use crate::ffi::pointer::{In, count};
use crate::ffi::words::Place;
use crate::layout::context::ContextRecord;
#[cfg(not(feature = "render"))]
use kinetree_render::canvas::{MjrRect, mjr_find_rect};

const WINDOWS: &str = "user interfaces in windows of OpenGL, and drawing in a library that was built without the feature `render`";

/// Exports functions that refuse. They use none of their arguments, which are therefore not listed.
macro_rules! refuse {
    ($( $name:ident )*) => { $(
        export! {
            fn $name() { unsupported(WINDOWS) }
        }
    )* };
}

refuse! {
    mjui_add mjui_addToSection mjui_resize mjui_update mjui_render
}

// functions of the header that are in `render` where that is built
#[cfg(not(feature = "render"))]
refuse! {
    mjr_makeContext mjr_changeFont mjr_addAux mjr_resizeOffscreen mjr_uploadTexture mjr_uploadMesh mjr_uploadHField
    mjr_restoreBuffer mjr_setBuffer mjr_readPixels mjr_drawPixels mjr_blitBuffer mjr_setAux mjr_blitAux mjr_text
    mjr_overlay mjr_rectangle mjr_label mjr_figure mjr_render
}

/// `mjuiThemeSpacing`.
#[repr(C)]
#[derive(Default)]
pub struct Spacing([i32; 13]);

/// `mjuiThemeColor`.
#[repr(C)]
pub struct Colors([[f32; 3]; 28]);

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
    fn mjr_defaultContext(con: Place<'_, ContextRecord>) { con.clear() }
    fn mjui_themeSpacing(_ind: i32) -> Spacing { unsupported(WINDOWS) }
    fn mjui_themeColor(_ind: i32) -> Colors { unsupported(WINDOWS) }
    fn mjui_event() -> *mut std::ffi::c_void { unsupported(WINDOWS) }
}

#[cfg(not(feature = "render"))]
export! {
    fn mjr_freeContext(con: Place<'_, ContextRecord>) { con.clear() }
    fn mjr_maxViewport() -> MjrRect { unsupported(WINDOWS) }
    fn mjr_finish() { Ok(()) }
    fn mjr_getError() -> i32 { Ok(0) }
    fn mjr_findRect(x: i32, y: i32, nrect: i32, rect: In<'_, MjrRect>) -> i32 {
        Ok(mjr_find_rect(x, y, rect.list(count(nrect))?).map_or(-1, |at| at as i32))
    }
}

#[cfg(not(feature = "render"))]
impl Failed for MjrRect {
    fn failed() -> Self {
        Self::default()
    }
}
