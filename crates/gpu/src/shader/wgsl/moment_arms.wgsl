// Where the moment arm of a transmission and a dof lies.
//#import common

// Where the arm of a transmission and a dof is.
fn arm_offset(transmission: u32, i: u32) -> u32 { return 4u * (SCRATCH_ARMS + transmission * NV4) + i; }
fn transmission_arm(transmission: u32, i: u32) -> f32 { return get_scratch(arm_offset(transmission, i)); }
