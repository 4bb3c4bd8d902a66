//! A limp humanoid falls to the floor; once it lies, the floor carries its weight.
//!
//! `cargo run --release --example humanoid_drop`

use kinetree::model::Mismatch;
use kinetree::prelude::*;
use kinetree::sim::mj_get_totalmass;

const HUMANOID: &str = include_str!("../models/humanoid.xml");

/// Vertical force of all contacts (N): the contact's frame has its axes as rows, the normal first.
fn floor_force(model: &Model, data: &Data) -> Result<f64, Mismatch> {
    (0..data.ncon)
        .map(|id| {
            let wrench = mj_contact_force(model, data, id)?;
            let frame = data.contact[id].frame;
            Ok((0..3).map(|axis| frame[3 * axis + 2] * wrench[axis]).sum::<f64>().abs())
        })
        .sum()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_model_str(HUMANOID)?;
    let mut data = Data::new(&model);
    let torso = mj_name2id(&model, ObjType::Body, "torso").ok_or("the humanoid has no torso")?;

    println!("{:>7} {:>9} {:>9} {:>12}", "time", "torso z", "contacts", "floor force");
    let mut next_line = 0.0;
    while data.time < 4.0 {
        data.step(&model)?;
        if data.time >= next_line {
            let force = floor_force(&model, &data)?;
            println!("{:>6.2}s {:>8.3}m {:>9} {force:>10.1} N", data.time, data.xpos[torso][2], data.ncon);
            next_line += 0.25;
        }
    }

    let weight = mj_get_totalmass(&model) * 9.81;
    println!("weight of the humanoid: {weight:.1} N");
    assert!(data.xpos[torso][2] < 0.6, "it should lie on the floor");
    assert!((floor_force(&model, &data)? / weight - 1.0).abs() < 0.01, "the floor should carry its weight");
    Ok(())
}
