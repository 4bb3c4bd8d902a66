// Lanes of a whole world are its dofs where it has one cluster.
// Lanes of a whole world are its dofs where it has one cluster.
//#import common
//#import mass
//#import solve

fn own_dofs() -> u32 { return NV; }
fn lane_of(i: u32) -> u32 { return i; }
fn find_dof() {
    dof = lane;
    has_dof = lane < NV;
}
