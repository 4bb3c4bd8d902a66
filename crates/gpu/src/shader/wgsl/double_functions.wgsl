// Elementary functions in double precision, which devices have in single precision only. Series are Taylor's, on
// intervals so short that what is left out is below rounding.

// Sine and cosine: reduction by quarter turns in three parts, of which the first two have so few bits that products
// with up to a million quarter turns are exact.
fn double_sine_cosine(x: f64) -> vec2<f64> {
    let quarters = round(x * 0.6366197723675814lf);
    var r = x - quarters * 1.5707963267341256lf;
    r = r - quarters * 6.077100506303966e-11lf;
    r = r - quarters * 2.0222662487959506e-21lf;
    let z = r * r;
    var p = 2.8114572543455206e-15lf;
    p = p * z - 7.647163731819816e-13lf;
    p = p * z + 1.6059043836821613e-10lf;
    p = p * z - 2.505210838544172e-8lf;
    p = p * z + 2.7557319223985893e-6lf;
    p = p * z - 1.984126984126984e-4lf;
    p = p * z + 8.333333333333333e-3lf;
    p = p * z - 1.6666666666666666e-1lf;
    let s = r + r * z * p;
    var q = 4.779477332387385e-14lf;
    q = q * z - 1.1470745597729725e-11lf;
    q = q * z + 2.08767569878681e-9lf;
    q = q * z - 2.755731922398589e-7lf;
    q = q * z + 2.48015873015873e-5lf;
    q = q * z - 1.388888888888889e-3lf;
    q = q * z + 4.1666666666666664e-2lf;
    let c = 1.0lf - (0.5lf * z - z * z * q);
    let quarter = quarters - 4.0lf * floor(0.25lf * quarters);
    let swapped = select(vec2<f64>(s, c), vec2<f64>(c, s), quarter == 1.0lf || quarter == 3.0lf);
    return vec2<f64>(
        select(swapped.x, -swapped.x, quarter >= 2.0lf),
        select(swapped.y, -swapped.y, quarter == 1.0lf || quarter == 2.0lf),
    );
}

fn double_sin(x: f64) -> f64 { return double_sine_cosine(x).x; }
fn double_cos(x: f64) -> f64 { return double_sine_cosine(x).y; }
fn double_tan(x: f64) -> f64 {
    let sc = double_sine_cosine(x);
    return sc.x / sc.y;
}

// From 0 to 1: reduction to the nearest multiple of an eighth of a half turn.
fn double_atan_unit(x: f64) -> f64 {
    var t = x;
    var offset = 0.0lf;
    if (x > 0.6681786379192989lf) {
        t = (x - 1.0lf) / (x + 1.0lf);
        offset = 0.7853981633974483lf;
    } else if (x > 0.198912367379658lf) {
        t = (x - 0.41421356237309503lf) / (1.0lf + x * 0.41421356237309503lf);
        offset = 0.39269908169872414lf;
    }
    let z = t * t;
    var p = 0.0lf;
    for (var n = 25; n >= 3; n -= 2) { p = 1.0lf / f64(n) - z * p; }
    return offset + (t - t * z * p);
}

fn double_atan2(y: f64, x: f64) -> f64 {
    let a = abs(y);
    let b = abs(x);
    let high = max(a, b);
    var angle = 0.0lf;
    if (high > 0.0lf) { angle = double_atan_unit(min(a, b) / high); }
    if (a > b) { angle = 1.5707963267948966lf - angle; }
    if (x < 0.0lf) { angle = 3.141592653589793lf - angle; }
    return select(angle, -angle, y < 0.0lf);
}

fn double_atan(x: f64) -> f64 { return double_atan2(x, 1.0lf); }
fn double_asin(x: f64) -> f64 { return double_atan2(x, sqrt((1.0lf - x) * (1.0lf + x))); }
fn double_acos(x: f64) -> f64 { return double_atan2(sqrt((1.0lf - x) * (1.0lf + x)), x); }

// A root that is taken when the kernel runs.
fn double_root(x: f64) -> f64 { return sqrt(x); }

// Two to the power of an integer: by squares, so that no bits are looked at.
fn double_power_of_two(n: i32) -> f64 {
    var result = 1.0lf;
    var square = select(2.0lf, 0.5lf, n < 0);
    for (var left = u32(abs(n)); left > 0u; left >>= 1u) {
        if ((left & 1u) == 1u) { result *= square; }
        square *= square;
    }
    return result;
}

// 2ᵏ eʳ with r at most half of log 2.
fn double_exp(x: f64) -> f64 {
    if (x > 709.782712893384lf) { return 1e308lf * x; }
    if (x < -745.2lf) { return 0.0lf; }
    let k = round(x * 1.4426950408889634lf);
    let r = (x - k * 0.6931471805598903lf) - k * 5.497923018708371e-14lf;
    // 1 + r (1 + r / 2 (1 + r / 3 (…)))
    var p = 1.0lf;
    for (var n = 15; n >= 2; n--) { p = 1.0lf + r / f64(n) * p; }
    // in two steps, since the power of the ends of the range is beyond it
    let half = i32(k) / 2;
    return (1.0lf + r * p) * double_power_of_two(half) * double_power_of_two(i32(k) - half);
}

fn double_exp2(x: f64) -> f64 {
    let k = round(clamp(x, -1100.0lf, 1100.0lf));
    let half = i32(k) / 2;
    return double_exp((x - k) * 0.6931471805599453lf) * double_power_of_two(half) * double_power_of_two(i32(k) - half);
}

// log x = e log 2 + 2 artanh s with s = (m − 1) / (m + 1), where x = 2ᵉ m and m is from √½ to √2.
fn double_log(x: f64) -> f64 {
    if (!(x > 0.0lf)) { return select(sqrt(x), -1.0lf / abs(x), x == 0.0lf); }
    if (x > 1.7976931348623157e308lf) { return x; }
    var m = x;
    var e = 0;
    // by halving the step: 512, 256 … 1
    for (var step = 512; step > 0; step /= 2) {
        let power = double_power_of_two(step);
        if (m >= power) {
            m /= power;
            e += step;
        } else if (m * power < 2.0lf) {
            m *= power;
            e -= step;
        }
    }
    // numbers below the least normal one
    for (var k = 0; k < 53 && m < 1.0lf; k++) {
        m *= 2.0lf;
        e -= 1;
    }
    if (m > 1.4142135623730951lf) {
        m *= 0.5lf;
        e += 1;
    }
    let f = m - 1.0lf;
    let s = f / (2.0lf + f);
    let z = s * s;
    var p = 0.0lf;
    for (var n = 25; n >= 3; n -= 2) { p = 1.0lf / f64(n) + z * p; }
    let small = 2.0lf * s * (z * p);
    return f64(e) * 0.6931471805598903lf + (f64(e) * 5.497923018708371e-14lf + (2.0lf * s + small));
}

fn double_log2(x: f64) -> f64 { return double_log(x) * 1.4426950408889634lf; }

fn double_pow(x: f64, y: f64) -> f64 {
    if (x == 0.0lf) { return select(0.0lf, 1.0lf, y == 0.0lf); }
    return double_exp(y * double_log(x));
}

// eˣ − 1 near zero by its series, elsewhere as it is written.
fn double_sinh(x: f64) -> f64 {
    if (abs(x) < 0.5lf) {
        let z = x * x;
        var p = 1.0lf;
        for (var n = 14; n >= 2; n -= 2) { p = 1.0lf + z / f64(n * (n + 1)) * p; }
        return x * p;
    }
    let e = double_exp(abs(x));
    return sign(x) * 0.5lf * (e - 1.0lf / e);
}
fn double_cosh(x: f64) -> f64 {
    let e = double_exp(abs(x));
    return 0.5lf * (e + 1.0lf / e);
}
fn double_tanh(x: f64) -> f64 {
    if (abs(x) > 20.0lf) { return sign(x); }
    return double_sinh(x) / double_cosh(x);
}

// Root of asin(a z) + asin(b z) − 2 asin(z) + gap by Newton's method from the right, where a tendon inside of a circle
// is reflected; negative where there is none.
fn double_reflection(a: f64, b: f64, cos_gap: f64) -> f64 {
    if (cos_gap > 1.0lf - 1e-15lf) { return -1.0lf; }
    let gap = double_acos(cos_gap);
    var z = 1.0lf - 1e-7lf;
    var f = double_asin(a * z) + double_asin(b * z) - 2.0lf * double_asin(z) + gap;
    if (f > 0.0lf) { return -1.0lf; }
    for (var k = 0; k < 20; k++) {
        if (abs(f) <= 1e-6lf) { return z; }
        let roots = sqrt(1.0lf - z * z * vec3<f64>(a * a, b * b, 1.0lf));
        let derivative = a / max(roots.x, 1e-15lf) + b / max(roots.y, 1e-15lf) - 2.0lf / max(roots.z, 1e-15lf);
        if (derivative > -1e-15lf) { return -1.0lf; }
        let next = z - f / derivative;
        if (next > z) { return -1.0lf; }
        z = next;
        f = double_asin(a * z) + double_asin(b * z) - 2.0lf * double_asin(z) + gap;
        if (f > 1e-6lf) { return -1.0lf; }
    }
    return -1.0lf;
}
