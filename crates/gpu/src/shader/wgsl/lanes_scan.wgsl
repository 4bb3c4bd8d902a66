// Sum over the lanes of this subgroup before this one, and over all of them. By shuffles: a driver was seen that makes
// sums of integers of minus one from counts in kernels that use the built-in sums.
//#import common

fn subgroup_scan(x: u32) -> vec2<u32> {
    var sum = x;
    for (var reach = 1u; reach < 32u; reach *= 2u) {
        let before = subgroupShuffleUp(sum, reach);
        sum += select(0u, before, (lane & 31u) >= reach);
    }
    return vec2<u32>(sum - x, subgroupBroadcast(sum, 31u));
}
