//! The broad phase finds the pairs that a comparison of each with each finds, explicit pairs among them.

use super::{forward, load, noise};
use kinetree_model::{Data, Model};

/// Balls at random places; with `pairs`, each odd one only touches the one that an explicit pair names.
fn balls(count: usize, spread: f64, pairs: bool) -> (Model, Vec<(usize, usize)>) {
    let places = noise(3 * count, count as u64);
    let (mut bodies, mut list) = (String::new(), String::new());
    for i in 0..count {
        let p: Vec<f64> = places[3 * i..3 * i + 3].iter().map(|x| x * spread).collect();
        let bits = if pairs && i % 2 == 1 { "contype='0' conaffinity='0'" } else { "" };
        bodies += &format!(
            "<body pos='{} {} {}'><freejoint/><geom name='g{i}' size='0.1' {bits}/></body>",
            p[0], p[1], p[2]
        );
        if pairs && i % 2 == 1 {
            list += &format!("<pair geom1='g{}' geom2='g{i}'/>", i - 1);
        }
    }
    let model = load(&format!("<mujoco><worldbody>{bodies}</worldbody><contact>{list}</contact></mujoco>"));
    let distance = |i: usize, j: usize| {
        (0..3).map(|k| (spread * (places[3 * i + k] - places[3 * j + k])).powi(2)).sum::<f64>().sqrt()
    };
    let mut expected = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            let named = j == i + 1 && j % 2 == 1;
            let may = !pairs || named || (i % 2 == 0 && j % 2 == 0);
            if may && distance(i, j) < 0.2 {
                expected.push((i, j));
            }
        }
    }
    (model, expected)
}

fn found(model: &Model) -> Vec<(usize, usize)> {
    let mut data = Data::new(model);
    forward(model, &mut data);
    let mut pairs: Vec<_> =
        data.contact.iter().take(data.ncon).map(|c| (c.geom[0] as usize, c.geom[1] as usize)).collect();
    pairs.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
    pairs.sort_unstable();
    pairs
}

#[test]
fn all_pairs_that_touch_are_found() {
    // few: each with each; tens: the table of pairs; hundreds: the sweep
    for (count, spread) in [(5, 0.15), (40, 0.35), (300, 0.7)] {
        for pairs in [false, true] {
            let (model, mut expected) = balls(count, spread, pairs);
            expected.sort_unstable();
            assert!(!expected.is_empty());
            assert_eq!(found(&model), expected, "{count} balls, explicit pairs: {pairs}");
        }
    }
}

#[test]
fn an_explicit_pair_has_its_own_margin() {
    for filler in [0, 100] {
        let rest: String = (0..filler)
            .map(|i| format!("<body pos='{i} 9 0'><freejoint/><geom size='0.1'/></body>"))
            .collect();
        let model = load(&format!(
            "<mujoco><worldbody>{rest}<body><freejoint/><geom name='a' size='0.1'/></body><body pos='0.25 0 0'><freejoint/><geom name='b' size='0.1'/></body>
             </worldbody><contact><pair geom1='a' geom2='b' margin='0.06' condim='1'/></contact></mujoco>"
        ));
        let mut data = Data::new(&model);
        forward(&model, &mut data);
        assert_eq!(data.ncon, 1);
        assert_eq!(data.contact[0].dim, 1);
        super::close(data.contact[0].dist, 0.05, 1e-12);
    }
}
