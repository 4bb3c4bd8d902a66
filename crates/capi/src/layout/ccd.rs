//! The structs of the reference's convex collision detection, which its library exports without declaring it
//! in public headers.

use std::ffi::c_void;

/// Most witness points of a pair.
pub const MAX_WITNESS: usize = 50;

/// Gives the centre of an object.
pub type Center = extern "C-unwind" fn(*mut f64, *const CcdObj);
/// Gives the farthest point of an object in a direction.
pub type Support = extern "C-unwind" fn(*mut f64, *mut CcdObj, *const f64);

/// `mjCCDObj`: a convex object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CcdObj {
    pub geom: i32,
    pub geom_type: i32,
    pub size: [f64; 4],
    pub pos: [f64; 3],
    pub mat: [f64; 9],
    pub vertindex: i32,
    pub meshindex: i32,
    pub flex: i32,
    pub elem: i32,
    pub vert: i32,
    pub margin: f64,
    pub rotate: [f64; 4],
    pub data: CcdData,
    pub center: Option<Center>,
    pub support: Option<Support>,
}

/// What an object has beside sizes and place.
#[repr(C)]
#[derive(Clone, Copy)]
pub union CcdData {
    pub mesh: CcdMesh,
    pub hfield: CcdPrism,
    pub flex: CcdFlex,
}

/// Of a mesh.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CcdMesh {
    pub nvert: i32,
    pub mesh_polynum: i32,
    pub vert: *const f32,
    pub mpolymapadr: *const i32,
    pub mpolymapnum: *const i32,
    pub polymap: *const i32,
    pub polyvertadr: *const i32,
    pub polyvertnum: *const i32,
    pub polyvert: *const i32,
    pub polynormal: *const f64,
    pub graph: *const i32,
}

/// Of a prism of a height field: three corners of the bottom, then of the top.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CcdPrism {
    pub prism: [[f64; 3]; 6],
    pub hfield_data: *const f32,
    pub hfield_nrow: i32,
    pub hfield_ncol: i32,
}

/// Of a flex.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CcdFlex {
    pub elem: *const i32,
    pub dim: *const i32,
    pub aabb: *const f64,
    pub elemadr: *const i32,
    pub elemdataadr: *const i32,
    pub vert_xpos: *const f64,
    pub vertadr: *const i32,
    pub xradius: *const f64,
}

/// `mjCCDConfig`: how far a search goes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CcdConfig {
    pub max_iterations: i32,
    pub tolerance: f64,
    pub max_contacts: i32,
    pub dist_cutoff: f64,
    pub buffer: *mut c_void,
}

/// A vertex of the Minkowski difference.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CcdVertex {
    pub vert: [f64; 3],
    pub vert1: [f64; 3],
    pub vert2: [f64; 3],
    pub index1: i32,
    pub index2: i32,
}

/// `mjCCDStatus`: what a search has found and done.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CcdStatus {
    pub dist: f64,
    pub x1: [[f64; 3]; MAX_WITNESS],
    pub x2: [[f64; 3]; MAX_WITNESS],
    pub nx: i32,
    pub max_iterations: i32,
    pub tolerance: f64,
    pub max_contacts: i32,
    pub dist_cutoff: f64,
    pub gjk_iterations: i32,
    pub epa_iterations: i32,
    pub epa_status: i32,
    pub simplex: [CcdVertex; 4],
    pub nsimplex: i32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    /// The headers of these structs are not installed: sizes and offsets are those that a C compiler gave
    /// for the reference's sources.
    #[test]
    fn structs_have_the_layout_of_the_sources() {
        assert_eq!([size_of::<CcdObj>(), size_of::<CcdConfig>()], [376, 40]);
        assert_eq!([size_of::<CcdStatus>(), size_of::<CcdVertex>()], [2784, 80]);
        let object = [
            offset_of!(CcdObj, size),
            offset_of!(CcdObj, vertindex),
            offset_of!(CcdObj, margin),
            offset_of!(CcdObj, rotate),
            offset_of!(CcdObj, data),
            offset_of!(CcdObj, center),
            offset_of!(CcdObj, support),
        ];
        assert_eq!(object, [8, 136, 160, 168, 200, 360, 368]);
        let status = [
            offset_of!(CcdStatus, x1),
            offset_of!(CcdStatus, nx),
            offset_of!(CcdStatus, tolerance),
            offset_of!(CcdStatus, dist_cutoff),
            offset_of!(CcdStatus, gjk_iterations),
            offset_of!(CcdStatus, epa_status),
            offset_of!(CcdStatus, simplex),
            offset_of!(CcdStatus, nsimplex),
        ];
        assert_eq!(status, [8, 2408, 2416, 2432, 2440, 2448, 2456, 2776]);
    }
}
