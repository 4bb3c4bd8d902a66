// The dofs of a workgroup are those of a cluster of trees, which it solves for alone: in worlds where no contact
// joins two clusters. The kernel of the whole world, which follows, counts the step then.
//#import common
//#import mass
//#import solve

var<private> cluster: u32;
var<private> cluster_first: u32;
var<private> cluster_size: u32;
// rows of clusters before this one
var<private> rows_before: u32;
// contacts of this cluster
var<workgroup> contact_list: array<u32, MAX_CONTACTS>;

fn own_dofs() -> u32 { return cluster_size; }
fn first_dof() -> u32 { return cluster_first; }
fn lane_of(i: u32) -> u32 { return i - cluster_first; }
fn first_joint() -> u32 { return index(CLUSTER_JNT + cluster); }
fn joint_end() -> u32 { return index(CLUSTER_JNT + cluster + 1u); }
fn moves_activations() -> bool { return cluster == 0u; }
fn jacobian_row(row: u32) -> u32 { return rows_before + row; }
fn contact_record(c: u32) -> u32 { return scratch_base + SCRATCH_CONTACT + 3u * contact_list[c]; }


@compute @workgroup_size(LANES)
fn solve_cluster(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!enter(group, local)) { return; }
    cluster = group.z;
    cluster_first = index(CLUSTER_DOF + cluster);
    cluster_size = index(CLUSTER_DOF + cluster + 1u) - cluster_first;
    dof = cluster_first + lane;
    has_dof = lane < cluster_size;
    if (lane == 0u) { go_on = status[status_base + STATUS_CONTACTS]; }
    let all = workgroupUniformLoad(&go_on);
    if (all > MAX_CONTACTS || !lay_out_rows(all)) { return; }
    let record = scratch_base + SCRATCH_CLUSTER + cluster;
    if (lane == 0u) { scratch[record] = vec4<f32>(0.0); }
    advance();
    if (lane == 0u) { scratch[record].x = f32(iterations); }
}

// A world of which one acceleration is bad begins anew, by the kernel that follows.
fn give_up() {
    if (lane == 0u) { scratch[scratch_base + SCRATCH_CLUSTER + cluster].y = 1.0; }
}

// Lists the contacts of this cluster and gives each its rows; false where this world is not one for this kernel.
fn lay_out_rows(all: u32) -> bool {
    var total = 0u;
    var joined = false;
    for (var base = 0u; base < all; base += LANES) {
        let c = base + lane;
        var dim = 0u;
        var owner = -1;
        var bodies = vec2<u32>(0u);
        if (c < all) {
            let pair = bitcast<u32>(scratch[scratch_base + SCRATCH_CONTACT + 3u * c + 1u].w);
            dim = index(PAIR_DIM + pair);
            bodies = vec2<u32>(index(PAIR_BODIES + 2u * pair), index(PAIR_BODIES + 2u * pair + 1u));
            let sides = vec2<i32>(ints[BODY_CLUSTER + bodies.x], ints[BODY_CLUSTER + bodies.y]);
            owner = max(sides.x, sides.y);
            joined = joined || (min(sides.x, sides.y) >= 0 && sides.x != sides.y);
        }
        let own = owner == i32(cluster);
        let number_of = scan(select(0u, 1u, own));
        let offset = scan(select(0u, dim, own));
        if (own) {
            let k = contacts + number_of.x;
            contact_list[k] = c;
            block_info[k] = (rows + offset.x) | (dim << 16u) | (PUSHES << 24u);
            for (var w = 0u; w < NWORD; w++) {
                contact_dofs[2u * k * NWORD + w] = index(BODY_DOFS + bodies.x * NWORD + w);
                contact_dofs[(2u * k + 1u) * NWORD + w] = index(BODY_DOFS + bodies.y * NWORD + w);
            }
        }
        contacts += number_of.y;
        rows += offset.y;
        rows_before += scan(select(0u, dim, owner < i32(cluster))).y;
        total += scan(dim).y;
    }
    blocks = contacts;
    if (agreed(total) > MAX_ROWS || any_lane(joined)) { return false; }
    barrier();
    return true;
}
