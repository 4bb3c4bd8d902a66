// Communication between the lanes of a world by subgroup operations: one subgroup is one world.
//#import lanes_scan

fn barrier() { workgroupBarrier(); }
fn sum4(x: vec4<f32>) -> vec4<f32> { return subgroupAdd(x); }
fn sum2(x: vec2<f32>) -> vec2<f32> { return subgroupAdd(x); }
fn sum1(x: f32) -> f32 { return subgroupAdd(x); }
fn any_lane(x: bool) -> bool { return subgroupAny(x); }
// Sum over the lanes before this one, and over all.
fn scan(x: u32) -> vec2<u32> { return subgroup_scan(x); }
// A number that all lanes have, as it is.
fn agreed(x: u32) -> u32 { return x; }
// How many lanes before this one say yes, and how many of all.
fn rank(x: bool) -> vec2<u32> {
    let votes = subgroupBallot(x).x;
    return vec2<u32>(countOneBits(votes & ((1u << lane) - 1u)), countOneBits(votes));
}
