//! Initial state and controls given on the command line.

use crate::failure::Failure;
use kinetree::model::enums::ObjType;
use kinetree::model::{Data, Model, mj_name2id, mj_reset_data_keyframe};
use kinetree::spec::diagnostics::nearest;

/// Which keyframe a world starts from.
pub(crate) fn start(model: &Model, key: Option<&str>) -> Result<Data, Failure> {
    let mut data = Data::new(model);
    let Some(key) = key else { return Ok(data) };
    let by_name = mj_name2id(model, ObjType::Key, key);
    let Some(id) = by_name.or_else(|| key.parse().ok()) else {
        return Err(unknown(model, ObjType::Key, "keyframe", key, model.nkey));
    };
    mj_reset_data_keyframe(model, &mut data, id)?;
    Ok(data)
}

/// Sets controls from `name=value` pairs, or from one value for each actuator.
pub(crate) fn set(model: &Model, data: &mut Data, controls: &[String]) -> Result<(), Failure> {
    if controls.is_empty() {
        return Ok(());
    }
    if controls.iter().all(|control| !control.contains('=')) {
        if controls.len() != model.nu {
            return Err(Failure::WithHelp(
                format!("{} controls were given, but the model has {} actuators", controls.len(), model.nu),
                "give one value for each actuator, or name=value for some".into(),
            ));
        }
        for (slot, text) in data.ctrl.iter_mut().zip(controls) {
            *slot = number(text)?;
        }
        return Ok(());
    }
    for control in controls {
        let Some((name, value)) = control.split_once('=') else {
            return Err(Failure::Message(format!("'{control}' is not of the form name=value")));
        };
        let Some(id) = mj_name2id(model, ObjType::Actuator, name) else {
            return Err(unknown(model, ObjType::Actuator, "actuator", name, model.nu));
        };
        data.ctrl[id] = number(value)?;
    }
    Ok(())
}

fn number(text: &str) -> Result<f64, Failure> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(Failure::Message(format!("'{text}' is not a number"))),
    }
}

/// Nothing is called that; tells what there is.
fn unknown(model: &Model, kind: ObjType, word: &str, name: &str, count: usize) -> Failure {
    let names: Vec<String> = (0..count).map(|id| crate::labels::element(model, kind, id)).collect();
    let help = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean '{near}'?"),
        None if names.is_empty() => format!("the model has no {word}s"),
        None => format!("there are: {}", names.join(", ")),
    };
    Failure::WithHelp(format!("the model has no {word} called '{name}'"), help)
}
