//! Convex hulls of point clouds that are hard on a hull, against those of the reference
//! (`golden/make_hulls.py`): many points in a plane or nearly so, on lines, at the same position. The graph
//! of a hull must be the same to the last number, since contacts follow it.

use kinetree_spec::load_model_str;

/// The random numbers of the script, between −1 and 1.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A point of the unit sphere, by stereographic projection.
fn round_point(stream: &mut Stream) -> [f64; 3] {
    let (u, v) = (2.0 * stream.next(), 2.0 * stream.next());
    let s = 1.0 + u * u + v * v;
    [2.0 * u / s, 2.0 * v / s, (s - 2.0) / s]
}

/// The nearest of `n + 1` steps between −1 and 1.
fn grid(x: f64, n: f64) -> f64 {
    ((x + 1.0) / 2.0 * n + 0.5).floor() / n * 2.0 - 1.0
}

fn side(x: f64) -> f64 {
    if x > 0.0 { 1.0 } else { -1.0 }
}

/// One point of a cloud.
fn point(kind: &str, i: usize, stream: &mut Stream) -> [f64; 3] {
    let [x, y, z] = [stream.next(), stream.next(), stream.next()];
    let noise = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7][i % 5];
    let on_circle = |t: f64| [(1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)];
    match kind {
        "ball" => [x, y, z],
        "sphere" => round_point(stream),
        "grid" => [grid(x, 3.0), grid(y, 4.0), grid(z, 2.0)],
        "cube" => {
            let faces = [[side(x), y, z], [x, side(y), z], [x, y, side(z)]];
            faces[i % 3].map(|c| c * (1.0 + noise * stream.next()))
        }
        "prism" => {
            let [a, b] = on_circle(4.0 * x);
            [a, b, if i % 2 == 1 { 1.0 } else { -1.0 } + noise * z]
        }
        "plate" => [x, y, 1e-3 * grid(z, 2.0)],
        "bumpy" => [grid(x, 6.0), grid(y, 6.0), grid(z, 6.0)].map(|c| c + noise * stream.next()),
        "lattice" => [x, y, z].map(|c| 2.0 * grid(c, 4.0)),
        "dust" => [x, y, z].map(|c| grid(c, 2.0) + [1e-6, 1e-7][i % 2] * stream.next()),
        _ if i.is_multiple_of(7) => [0.01 * y, 0.01 * z, 1.0 + noise * y],
        _ => {
            let [a, b] = on_circle(3.0 * x);
            [a, b, noise * z]
        }
    }
}

/// FNV-1a over the integers of a graph.
fn graph_hash(graph: &[i32]) -> u64 {
    graph
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &n| (hash ^ u64::from(n as u32)).wrapping_mul(0x100_0000_01B3))
}

#[test]
fn hulls_of_hard_clouds_are_those_of_the_reference() {
    let mut wrong = Vec::new();
    for line in include_str!("../golden/hulls.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (kind, count, seed) = (words[0], words[1].parse().unwrap(), words[2].parse().unwrap());
        let mut stream = Stream(seed);
        let points: Vec<String> =
            (0..count).flat_map(|i: usize| point(kind, i, &mut stream)).map(|c| format!("{c:.7}")).collect();
        let model = load_model_str(&format!(
            "<mujoco><asset><mesh name='m' vertex='{}' inertia='convex'/></asset><worldbody><body><freejoint/>
             <geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
            points.join(" ")
        ))
        .unwrap_or_else(|problem| panic!("{line}: {problem}"));
        let graph = &model.mesh_graph;
        let found = format!("{} {} {:016x}", graph[0], graph[1], graph_hash(graph));
        if found != words[3..].join(" ") {
            wrong.push(format!("{line}: found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
