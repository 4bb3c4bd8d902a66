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

/// Controls that change at given times.
pub(crate) struct Schedule {
    times: Vec<f64>,
    /// Actuators that have a column.
    actuators: Vec<usize>,
    /// One value per actuator at each time.
    values: Vec<Vec<f64>>,
}

impl Schedule {
    /// Reads a trajectory with a column `time` and columns `ctrl.NAME`; other columns do not matter.
    pub(crate) fn read(model: &Model, path: &std::path::Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
        let wrong = |line: usize, what: &str| Failure::Message(format!("{}:{line}: {what}", path.display()));
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let header: Vec<&str> =
            lines.next().map(|(_, line)| line.split(',').map(str::trim).collect()).unwrap_or_default();
        let Some(time) = header.iter().position(|&name| name == "time") else {
            return Err(wrong(1, "there is no column 'time'"));
        };
        let mut columns = Vec::new();
        let mut actuators = Vec::new();
        for (column, name) in header.iter().enumerate() {
            if let Some(name) = name.strip_prefix("ctrl.") {
                let number = || name.parse().ok().filter(|&id: &usize| id < model.nu);
                let id = mj_name2id(model, ObjType::Actuator, name).or_else(number);
                actuators
                    .push(id.ok_or_else(|| unknown(model, ObjType::Actuator, "actuator", name, model.nu))?);
                columns.push(column);
            }
        }
        let mut schedule = Self { times: Vec::new(), actuators, values: Vec::new() };
        for (index, line) in lines {
            let fields: Vec<&str> = line.split(',').collect();
            let field = |column: usize| match fields.get(column) {
                Some(text) => number(text).map_err(|failure| wrong(index + 1, &failure.to_string())),
                None => Err(wrong(index + 1, "the row is too short")),
            };
            schedule.times.push(field(time)?);
            schedule.values.push(columns.iter().map(|&column| field(column)).collect::<Result<_, _>>()?);
        }
        Ok(schedule)
    }

    /// Actuators and controls of the last row whose time has come.
    pub(crate) fn at(&self, time: f64) -> impl Iterator<Item = (usize, f64)> {
        let due = self.times.partition_point(|&t| t <= time + 1e-9);
        let row = due.checked_sub(1).and_then(|i| self.values.get(i));
        row.into_iter().flat_map(|row| self.actuators.iter().copied().zip(row.iter().copied()))
    }

    /// Sets the controls of the last row whose time has come.
    #[cfg(feature = "render")]
    pub(crate) fn apply(&self, data: &mut Data) {
        for (actuator, value) in self.at(data.time) {
            data.ctrl[actuator] = value;
        }
    }
}

/// Nothing is called that; tells what there is.
pub(crate) fn unknown(model: &Model, kind: ObjType, word: &str, name: &str, count: usize) -> Failure {
    let names: Vec<String> = (0..count).map(|id| crate::labels::element(model, kind, id)).collect();
    let help = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean '{near}'?"),
        None if names.is_empty() => format!("the model has no {word}s"),
        None => format!("there are: {}", names.join(", ")),
    };
    Failure::WithHelp(format!("the model has no {word} called '{name}'"), help)
}
