//! Sleeping trees: they fall asleep together, stand still, and wake when something that moves touches or
//! pulls them.

use super::{load, steps};
use kinetree_model::{Data, Model};

fn asleep(data: &Data, tree: usize) -> bool {
    data.tree_asleep[tree] >= 0
}

fn settle(model: &Model) -> Data {
    let mut data = Data::new(model);
    for _ in 0..4000 {
        steps(model, &mut data, 1);
        if (0..model.ntree).all(|tree| asleep(&data, tree)) {
            return data;
        }
    }
    panic!("still awake: {:?}", data.tree_asleep);
}

const TWO: &str = r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 1"/>
    <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="0.21 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody>REST</mujoco>"#;

#[test]
fn a_sleeping_body_does_not_move_at_all() {
    let model = load(&TWO.replace("REST", ""));
    let mut data = settle(&model);
    assert!(data.qvel.iter().all(|&v| v == 0.0));
    let before = data.qpos.to_vec();
    steps(&model, &mut data, 100);
    assert!(before.iter().zip(data.qpos.iter()).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn an_applied_force_wakes_its_tree_only() {
    let model = load(&TWO.replace("REST", ""));
    let mut data = settle(&model);
    data.xfrc_applied[1] = [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    steps(&model, &mut data, 2);
    assert!(!asleep(&data, 0) && asleep(&data, 1));
}

#[test]
fn a_push_wakes_what_it_hits() {
    let model = load(&TWO.replace("REST", ""));
    let mut data = settle(&model);
    data.qvel[0] = 2.0;
    for _ in 0..50 {
        steps(&model, &mut data, 1);
    }
    assert!(!asleep(&data, 1) && data.qpos[7] > 0.215, "hit at {}", data.qpos[7]);
}

#[test]
fn a_tendon_wakes_what_it_pulls() {
    let tendon = r#"<tendon><spatial limited="true" range="0 0.25"><site site="a"/><site site="b"/></spatial></tendon>"#;
    let text = r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 1"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/><site name="a"/></body>
        <body pos="0.24 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/><site name="b"/></body></worldbody>REST</mujoco>"#;
    for (rest, pulled) in [(tendon, true), ("", false)] {
        let model = load(&text.replace("REST", rest));
        let mut data = settle(&model);
        data.qvel[0] = -2.0;
        steps(&model, &mut data, 60);
        assert_eq!(!asleep(&data, 1), pulled, "tendon: {pulled}");
        assert_eq!(data.qpos[7] < 0.239, pulled, "at {}", data.qpos[7]);
    }
}

#[test]
fn an_equality_wakes_what_it_holds() {
    let weld = r#"<equality><weld body1="a" body2="b"/></equality>"#;
    let text = r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 1"/>
        <body name="a" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
        <body name="b" pos="0.5 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody>REST</mujoco>"#;
    for (rest, held) in [(weld, true), ("", false)] {
        let model = load(&text.replace("REST", rest));
        let mut data = settle(&model);
        data.qvel[0] = -1.0;
        steps(&model, &mut data, 3);
        assert_eq!(!asleep(&data, 1), held, "weld: {held}");
    }
}

#[test]
fn switching_sleep_off_wakes_even_a_single_tree() {
    let mut model = load(&TWO.replace("REST", ""));
    let mut data = settle(&model);
    data.xfrc_applied[1] = [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    steps(&model, &mut data, 2);
    assert!(!asleep(&data, 0) && asleep(&data, 1));
    model.opt.enableflags = 0;
    steps(&model, &mut data, 1);
    assert!(!asleep(&data, 1));
    assert_eq!(data.ntree_awake, 2);
}

/// In a contact, the geom of the simpler shape comes first, whichever body has the lower number: both orders
/// wake.
#[test]
fn a_hit_wakes_whichever_comes_first_in_the_contact() {
    let text = r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 1"/>
        <body pos="0 0 0.1"><freejoint/><geom type="FIRST" size="0.1 0.1 0.1"/></body>
        <body pos="0.21 0 0.1"><freejoint/><geom type="SECOND" size="0.1 0.1 0.1"/></body></worldbody></mujoco>"#;
    for (first, second) in [("box", "sphere"), ("sphere", "box")] {
        for hitter in 0..2 {
            let model = load(&text.replace("FIRST", first).replace("SECOND", second));
            let mut data = settle(&model);
            data.qvel[6 * hitter] = if hitter == 0 { 2.0 } else { -2.0 };
            steps(&model, &mut data, 30);
            assert!(!asleep(&data, 1 - hitter), "{first} and {second}: {hitter} woke nobody");
        }
    }
}
