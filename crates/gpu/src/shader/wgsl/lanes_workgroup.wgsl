// Communication between the lanes of a world by workgroup memory, for devices without fitting subgroups and
// for worlds with more lanes than a subgroup. Sums have a fixed order.
//#import common

var<workgroup> exchange: array<vec4<f32>, LANES>;
var<workgroup> exchange_total: vec4<f32>;
var<workgroup> agreement: u32;

fn barrier() { workgroupBarrier(); }

fn sum4(x: vec4<f32>) -> vec4<f32> {
    workgroupBarrier();
    exchange[lane] = x;
    workgroupBarrier();
    if (lane == 0u) {
        var total = exchange[0];
        for (var k = 1u; k < LANES; k++) { total += exchange[k]; }
        exchange_total = total;
    }
    return workgroupUniformLoad(&exchange_total);
}

fn sum2(x: vec2<f32>) -> vec2<f32> { return sum4(vec4<f32>(x, 0.0, 0.0)).xy; }
fn sum1(x: f32) -> f32 { return sum2(vec2<f32>(x, 0.0)).x; }

fn any_lane(x: bool) -> bool { return sum1(select(0.0, 1.0, x)) > 0.0; }

// Sum over the lanes before this one, and over all. Counts are small enough for single precision.
fn scan(x: u32) -> vec2<u32> {
    workgroupBarrier();
    exchange[lane] = vec4<f32>(f32(x), 0.0, 0.0, 0.0);
    workgroupBarrier();
    if (lane == 0u) {
        var total = 0.0;
        for (var k = 0u; k < LANES; k++) {
            exchange[k].y = total;
            total += exchange[k].x;
        }
        exchange_total = vec4<f32>(total, 0.0, 0.0, 0.0);
    }
    let total = workgroupUniformLoad(&exchange_total);
    return vec2<u32>(u32(exchange[lane].y), u32(total.x));
}

// A number that all lanes have, in a form in which browsers see that they do: where lanes wait for each other, these
// want proof that all of them come there, and take none from private variables and sums that lanes made themselves.
fn agreed(x: u32) -> u32 {
    if (lane == 0u) { agreement = x; }
    return workgroupUniformLoad(&agreement);
}

// How many lanes before this one say yes, and how many of all.
fn rank(x: bool) -> vec2<u32> { return scan(select(0u, 1u, x)); }
