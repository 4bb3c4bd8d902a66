// Communication between the lanes of a world that has several subgroups of 32 lanes: each sums for itself,
// then the sums are added in order.
//#import common
//#import lanes_scan

var<workgroup> exchange: array<vec4<f32>, SUBGROUPS>;
var<workgroup> exchange_count: array<u32, SUBGROUPS>;

fn barrier() { workgroupBarrier(); }

fn sum4(x: vec4<f32>) -> vec4<f32> { return sum_of_sums(subgroupAdd(x)); }
fn sum2(x: vec2<f32>) -> vec2<f32> { return sum_of_sums(vec4<f32>(subgroupAdd(x), 0.0, 0.0)).xy; }
fn sum1(x: f32) -> f32 { return sum_of_sums(vec4<f32>(subgroupAdd(x), 0.0, 0.0, 0.0)).x; }

fn sum_of_sums(own: vec4<f32>) -> vec4<f32> {
    if ((lane & 31u) == 0u) { exchange[lane >> 5u] = own; }
    workgroupBarrier();
    var total = exchange[0];
    for (var k = 1u; k < SUBGROUPS; k++) { total += exchange[k]; }
    workgroupBarrier();
    return total;
}

fn any_lane(x: bool) -> bool { return sum1(select(0.0, 1.0, x)) > 0.0; }

// Sum over the lanes before this one, and over all.
fn scan(x: u32) -> vec2<u32> {
    let own = subgroup_scan(x);
    if ((lane & 31u) == 0u) { exchange_count[lane >> 5u] = own.y; }
    workgroupBarrier();
    var result = vec2<u32>(own.x, 0u);
    for (var k = 0u; k < SUBGROUPS; k++) {
        if (k < (lane >> 5u)) { result.x += exchange_count[k]; }
        result.y += exchange_count[k];
    }
    workgroupBarrier();
    return result;
}

// A number that all lanes have, as it is.
fn agreed(x: u32) -> u32 { return x; }

// How many lanes before this one say yes, and how many of all.
fn rank(x: bool) -> vec2<u32> { return scan(select(0u, 1u, x)); }
