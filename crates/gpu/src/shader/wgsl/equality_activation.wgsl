// Whether an equality acts in this world; rows of limits and friction always do.
//#import common

// Whether an equality acts in this world; rows of limits and friction always do.
fn is_active(at: u32) -> bool {
    let e = ints[at];
    return e < 0 || inputs[input_base + INPUT_EQUALITY + u32(max(e, 0))] != 0.0;
}
