//! Time series for the plots: sensors, energies, contacts and timings.

use crate::snapshot::Snapshot;
use crate::view::label;
use kinetree_model::Model;
use kinetree_model::enums::ObjType;
use std::collections::VecDeque;

/// Points of a line.
const POINTS: usize = 900;
/// Most lines of sensors.
const SENSOR_LINES: usize = 64;

/// One line over time.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) values: VecDeque<f64>,
}

/// Lines with the same unit, in one plot.
pub(crate) struct Plot {
    pub(crate) name: &'static str,
    pub(crate) lines: Vec<Line>,
    pub(crate) shown: bool,
}

/// All plots, over the same times.
#[derive(Default)]
pub(crate) struct Signals {
    pub(crate) times: VecDeque<f64>,
    pub(crate) plots: Vec<Plot>,
    generation: u64,
}

impl Signals {
    /// Adds the moment of a snapshot when it is new; what lies in its future is dropped.
    pub(crate) fn push(&mut self, snapshot: &Snapshot, frame_seconds: f64) {
        if self.generation != snapshot.generation {
            self.begin(snapshot);
        }
        let time = snapshot.data.time;
        while self.times.back().is_some_and(|&last| last > time) {
            self.times.pop_back();
            self.each_line(|values| _ = values.pop_back());
        }
        if self.times.back() == Some(&time) {
            return;
        }
        if self.times.len() == POINTS {
            self.times.pop_front();
            self.each_line(|values| _ = values.pop_front());
        }
        self.times.push_back(time);
        let values = values(snapshot, frame_seconds);
        for (plot, values) in self.plots.iter_mut().zip(values) {
            for (line, value) in plot.lines.iter_mut().zip(values) {
                line.values.push_back(value);
            }
        }
    }

    fn each_line(&mut self, f: impl Fn(&mut VecDeque<f64>)) {
        self.plots.iter_mut().flat_map(|plot| &mut plot.lines).for_each(|line| f(&mut line.values));
    }

    /// Names the lines of a model.
    fn begin(&mut self, snapshot: &Snapshot) {
        self.generation = snapshot.generation;
        self.times.clear();
        let before: Vec<bool> = self.plots.iter().map(|plot| plot.shown).collect();
        let names = [
            ("Sensors", sensor_names(&snapshot.model)),
            ("Energy", ["potential (J)", "kinetic (J)", "total (J)"].map(String::from).into()),
            ("Contacts", ["contacts", "constraint rows", "solver iterations"].map(String::from).into()),
            ("Timing", ["step (ms)", "frame (ms)", "speed (×)"].map(String::from).into()),
        ];
        let plot = |(i, (name, lines)): (usize, (&'static str, Vec<String>))| Plot {
            name,
            lines: lines.into_iter().map(|name| Line { name, values: VecDeque::new() }).collect(),
            shown: before.get(i).copied().unwrap_or(true),
        };
        self.plots = names.into_iter().enumerate().map(plot).collect();
    }
}

/// A name for each number of each sensor.
fn sensor_names(model: &Model) -> Vec<String> {
    let names = (0..model.nsensor).flat_map(|sensor| {
        let name = label(model, ObjType::Sensor, "sensor", sensor);
        let count = model.sensor_dim[sensor];
        (0..count).map(move |i| if count == 1 { name.clone() } else { format!("{name} {i}") })
    });
    names.take(SENSOR_LINES).collect()
}

/// The present values, in the order of the names.
fn values(snapshot: &Snapshot, frame_seconds: f64) -> [Vec<f64>; 4] {
    let (data, status) = (&snapshot.data, &snapshot.status);
    let [potential, kinetic] = data.energy;
    let iterations: i32 = data.solver_niter.iter().sum();
    [
        data.sensordata.iter().take(SENSOR_LINES).copied().collect(),
        vec![potential, kinetic, potential + kinetic],
        vec![data.ncon as f64, data.nefc as f64, f64::from(iterations)],
        vec![1e3 * status.step_seconds, 1e3 * frame_seconds, status.reached],
    ]
}
