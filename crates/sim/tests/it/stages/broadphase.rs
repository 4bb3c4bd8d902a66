//! The broad phase finds the pairs that a comparison of each with each finds, explicit pairs among them.

use super::{forward, load, noise, start};
use kinetree_model::{Data, Model};

/// Balls at random positions; with `pairs`, each odd one only touches the one that an explicit pair names.
fn balls(count: usize, spread: f64, pairs: bool) -> (Model, Vec<(usize, usize)>) {
    let positions = noise(3 * count, count as u64);
    let (mut bodies, mut list) = (String::new(), String::new());
    for i in 0..count {
        let p: Vec<f64> = positions[3 * i..3 * i + 3].iter().map(|x| x * spread).collect();
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
        (0..3).map(|k| (spread * (positions[3 * i + k] - positions[3 * j + k])).powi(2)).sum::<f64>().sqrt()
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

/// A contact of two rigid geoms names no part of a flexible body.
#[test]
fn a_contact_between_geoms_names_geoms_only() {
    let (_, data) = super::start(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.09'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
    );
    let contact = &data.contact[0];
    assert_eq!((data.ncon, contact.geom, contact.dim), (1, [0, 1], 3));
    assert_eq!([contact.flex, contact.elem, contact.vert], [[-1; 2]; 3]);
    assert_eq!((contact.exclude, contact.efc_address), (0, 0));
    assert!((contact.dist + 0.01).abs() < 1e-12 && (contact.pos[2] + 0.005).abs() < 1e-12);
}

/// Two bodies of many geoms each, in a scene too large for a table of all pairs: the pairs of their geoms are
/// those that touch.
#[test]
fn bodies_of_many_geoms_find_all_touching_geoms() {
    let comb = |z: f64, y: f64| {
        let balls: String =
            (0..12).map(|i| format!("<geom size='0.05' pos='{} {y} 0'/>", 0.11 * f64::from(i))).collect();
        format!("<body pos='0 0 {z}'><freejoint/>{balls}</body>")
    };
    let far: String = (0..70)
        .map(|i| format!("<body pos='{} 5 0'><freejoint/><geom size='0.05'/></body>", f64::from(i)))
        .collect();
    for (y, near) in [(0.0, 12), (0.2, 0)] {
        let (_, data) = super::start(&format!(
            "<mujoco><worldbody>{}{}{far}</worldbody></mujoco>",
            comb(0.0, 0.0),
            comb(0.09, y)
        ));
        assert_eq!(data.ncon, near);
        for (i, contact) in data.contact.iter().enumerate() {
            assert_eq!(contact.geom, [i as i32, 12 + i as i32]);
        }
    }
}

/// What the middle phase of the reference visits: boxes around bodies and geoms that overlap, but a geom only
/// if its bounding sphere meets the other's too.
#[test]
fn the_volumes_that_are_visited() {
    let visited = |position: &str| {
        let (model, data) = start(&format!(
            r#"<mujoco><worldbody>
               <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size="0.1"/><geom size="0.1" pos="1 0 0"/></body>
               <body pos="{position}"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size="0.1"/><geom size="0.1" pos="0 0 1"/></body>
               </worldbody></mujoco>"#
        ));
        let mut volumes = kinetree_sim::VisitedVolumes::default();
        kinetree_sim::find_visited_volumes(&model, &data, &mut volumes).unwrap();
        (0..model.nbvh).map(|volume| volumes.contains(volume)).collect::<Vec<_>>()
    };
    // `bvh_active` of the reference: the boxes of both bodies, then of their geoms
    assert_eq!(visited("0.16 0.16 0.16"), [true, false, false, true, true, false]);
    assert_eq!(visited("0.11 0.11 0.11"), [true, true, false, true, true, false]);
}
