//! The contact list does not depend on how pairs are found, and follows changes of the model.

use kinetree::model::enums::{DisableBit, EnableBit};
use kinetree::prelude::*;

const MODELS: [&str; 4] = ["humanoid", "quadruped", "arm", "car"];

fn model(name: &str) -> Model {
    let path = format!("{}/../../models/showcase/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    load_model(&path).unwrap()
}

/// Geoms, distance and position of each contact.
fn contacts(data: &Data) -> Vec<([i32; 2], f64, [f64; 3])> {
    data.contact.iter().map(|c| (c.geom, c.dist, c.pos)).collect()
}

/// Small models look pairs up in a table; with sleep enabled, boxes are swept as in large ones.
#[test]
fn tables_and_sweeps_find_the_same_pairs_in_the_same_order() {
    let mut most = 0;
    for name in MODELS {
        let model = model(name);
        let mut swept = model.clone();
        swept.opt.enableflags |= EnableBit::Sleep as i32;
        let (mut data, mut other) = (Data::new(&model), Data::new(&swept));
        for step in 0..300 {
            data.step(&model).unwrap();
            if step % 10 == 0 {
                other.qpos.copy_from_slice(&data.qpos);
                other.qvel.copy_from_slice(&data.qvel);
                data.forward(&model).unwrap();
                other.forward(&swept).unwrap();
                assert_eq!(contacts(&data), contacts(&other), "{name}, step {step}");
                most = most.max(data.ncon);
            }
        }
    }
    assert!(most > 5, "hardly anything touched: {most} contacts at most");
}

#[test]
fn changes_of_the_model_take_effect_at_once() {
    let mut model = model("humanoid");
    let mut data = Data::new(&model);
    for _ in 0..300 {
        data.step(&model).unwrap();
    }
    data.forward(&model).unwrap();
    let before = contacts(&data);
    assert!(!before.is_empty());

    // one geom that touches something no longer does
    let geom = before[0].0[1] as usize;
    let bits = (model.geom_contype[geom], model.geom_conaffinity[geom]);
    (model.geom_contype[geom], model.geom_conaffinity[geom]) = (0, 0);
    data.forward(&model).unwrap();
    assert!(contacts(&data).iter().all(|c| !c.0.contains(&(geom as i32))));
    (model.geom_contype[geom], model.geom_conaffinity[geom]) = bits;
    data.forward(&model).unwrap();
    assert_eq!(contacts(&data), before);

    // a wider margin reaches further, and so does a larger bound
    model.geom_margin.fill(0.05);
    data.forward(&model).unwrap();
    assert!(data.ncon > before.len());
    model.geom_margin.fill(0.0);

    // parents and children touch when they are not filtered
    model.opt.disableflags |= DisableBit::Filterparent as i32;
    data.forward(&model).unwrap();
    assert!(data.ncon > before.len());
}

/// Which geoms are near a plane is remembered for a while, but not longer than the plane stays as it is.
#[test]
fn planes_that_turn_meet_what_they_turn_to() {
    let model = load_model_str(
        r#"<mujoco>
             <worldbody>
               <body mocap="true"><geom type="plane" size="5 5 .1"/></body>
               <body pos="0 0 .5"><freejoint/><geom size=".1"/></body>
               <body pos=".5 .3 .6"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
               <body pos="-.5 .3 .8"><freejoint/><geom type="capsule" size=".1 .1"/></body>
             </worldbody>
           </mujoco>"#,
    )
    .unwrap();
    let (mut data, mut met) = (Data::new(&model), 0);
    for step in 0..600 {
        let angle = 0.6 * (f64::from(step) * 0.01).sin();
        data.mocap_quat[0] = [(angle / 2.0).cos(), 0.0, (angle / 2.0).sin(), 0.0];
        data.mocap_pos[0] = [0.0, 0.0, 0.05 * (f64::from(step) * 0.02).sin()];
        data.step(&model).unwrap();
        data.forward(&model).unwrap();
        // another data remembers nothing
        let mut fresh = Data::new(&model);
        fresh.qpos.copy_from_slice(&data.qpos);
        fresh.mocap_quat[0] = data.mocap_quat[0];
        fresh.mocap_pos[0] = data.mocap_pos[0];
        fresh.forward(&model).unwrap();
        assert_eq!(contacts(&data), contacts(&fresh), "step {step}");
        met += data.ncon;
    }
    assert!(met > 1000, "hardly anything touched: {met} contacts in all");
}
