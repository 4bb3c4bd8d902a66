//! The names of flags, timers, labels and frames, and the table of collision functions.

#![allow(unsafe_code)]
#![allow(non_upper_case_globals)] // names of the header

use std::ffi::{c_char, c_void};

/// Texts of C.
#[repr(transparent)]
pub struct Texts<const N: usize>([*const c_char; N]);

// SAFETY: the texts are constants
unsafe impl<const N: usize> Sync for Texts<N> {}

/// Flags, each with its name, its default and its key.
#[repr(transparent)]
pub struct Flags<const N: usize>([[*const c_char; 3]; N]);

// SAFETY: the texts are constants
unsafe impl<const N: usize> Sync for Flags<N> {}

/// Functions of the narrow phase, which programs of the reference may replace: this engine does not ask them.
#[repr(transparent)]
pub struct Functions([[*const c_void; 9]; 9]);

// SAFETY: the pointers are not used
unsafe impl Sync for Functions {}

/// `mjCOLLISIONFUNC` of the header.
#[unsafe(no_mangle)]
pub static mjCOLLISIONFUNC: Functions = Functions([[std::ptr::null(); 9]; 9]);

macro_rules! texts {
    ($( $name:ident $n:literal: $( $text:literal )*; )*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        #[unsafe(no_mangle)]
        pub static $name: Texts<$n> = Texts([$( $text.as_ptr() ),*]);
    )* };
}

macro_rules! flags {
    ($( $name:ident $n:literal: $( [$a:literal $b:literal $c:literal] )*; )*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        #[unsafe(no_mangle)]
        pub static $name: Flags<$n> = Flags([$( [$a.as_ptr(), $b.as_ptr(), $c.as_ptr()] ),*]);
    )* };
}

texts! {
    mjDISABLESTRING 20:
        c"Constraint" c"Equality" c"Frictionloss" c"Limit" c"Contact" c"Spring" c"Damper" c"Gravity"
        c"Clampctrl" c"Warmstart" c"Filterparent" c"Actuation" c"Refsafe" c"Sensor" c"Midphase" c"Eulerdamp"
        c"AutoReset" c"NativeCCD" c"Island" c"MultiCCD";
    mjENABLESTRING 5:
        c"Override" c"Energy" c"Fwdinv" c"InvDiscrete" c"Sleep";
    mjTIMERSTRING 15:
        c"step" c"forward" c"inverse" c"position" c"velocity" c"actuation" c"constraint" c"advance"
        c"pos_kinematics" c"pos_inertia" c"pos_collision" c"pos_make" c"pos_project" c"col_broadphase"
        c"col_narrowphase";
    mjLABELSTRING 17:
        c"None" c"Body" c"Joint" c"Geom" c"Site" c"Camera" c"Light" c"Tendon" c"Actuator" c"Constraint" c"Flex"
        c"Skin" c"Selection" c"SelPoint" c"Contact" c"ContactForce" c"Island";
    mjFRAMESTRING 8:
        c"None" c"Body" c"Geom" c"Site" c"Camera" c"Light" c"Contact" c"World";
}

flags! {
    mjVISSTRING 31:
        [c"Convex Hull" c"0" c"H"] [c"Texture" c"1" c"X"] [c"Joint" c"0" c"J"] [c"Camera" c"0" c"Q"]
        [c"Actuator" c"0" c"U"] [c"Activation" c"0" c","] [c"Light" c"0" c"Z"] [c"Tendon" c"1" c"V"]
        [c"Range Finder" c"1" c"Y"] [c"Equality" c"0" c"E"] [c"Inertia" c"0" c"I"] [c"Scale Inertia" c"0" c"'"]
        [c"Perturb Force" c"0" c"B"] [c"Perturb Object" c"1" c"O"] [c"Contact Point" c"0" c"C"]
        [c"Island" c"0" c"N"] [c"Contact Force" c"0" c"F"] [c"Contact Split" c"0" c"P"]
        [c"Transparent" c"0" c"T"] [c"Auto Connect" c"0" c"A"] [c"Center of Mass" c"0" c"M"]
        [c"Select Point" c"0" c""] [c"Static Body" c"1" c"D"] [c"Skin" c"1" c";"] [c"Flex Vert" c"0" c""]
        [c"Flex Edge" c"1" c""] [c"Flex Face" c"0" c""] [c"Flex Skin" c"1" c""] [c"Body Tree" c"0" c"`"]
        [c"Mesh Tree" c"0" c"\\"] [c"SDF iters" c"0" c""];
    mjRNDSTRING 11:
        [c"Shadow" c"1" c"S"] [c"Wireframe" c"0" c"W"] [c"Reflection" c"1" c"R"] [c"Additive" c"0" c"L"]
        [c"Skybox" c"1" c"K"] [c"Fog" c"0" c"G"] [c"Haze" c"1" c"/"] [c"Depth" c"0" c""] [c"Segment" c"0" c","]
        [c"Id Color" c"0" c""] [c"Cull Face" c"1" c""];
}
