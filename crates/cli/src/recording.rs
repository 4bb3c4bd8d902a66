//! A trajectory: the values of each recorded moment, and how it is written as CSV or NPZ.
//!
//! A row holds time, `qpos`, `qvel`, `ctrl`, sensors, energies and the number of contacts, all of the same
//! moment.

use crate::failure::Failure;
use crate::labels;
use crate::npz;
use kinetree::model::enums::ObjType;
use kinetree::{Data, Model};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Columns that belong together: one array of an NPZ file.
struct Group {
    name: &'static str,
    columns: Vec<String>,
}

/// Rows recorded so far.
pub(crate) struct Recording {
    groups: Vec<Group>,
    /// All rows, one after another.
    values: Vec<f64>,
    width: usize,
}

impl Recording {
    pub(crate) fn new(model: &Model) -> Self {
        let (positions, velocities) = labels::state(model);
        let controls = (0..model.nu).map(|id| labels::element(model, ObjType::Actuator, id)).collect();
        let groups = vec![
            Group { name: "time", columns: vec![String::new()] },
            Group { name: "qpos", columns: positions },
            Group { name: "qvel", columns: velocities },
            Group { name: "ctrl", columns: controls },
            Group { name: "sensordata", columns: sensor_columns(model) },
            Group { name: "energy", columns: vec!["potential".into(), "kinetic".into()] },
            Group { name: "ncon", columns: vec![String::new()] },
        ];
        let width = groups.iter().map(|group| group.columns.len()).sum();
        Recording { groups, values: Vec::new(), width }
    }

    /// Keeps the present moment; `data` must be evaluated by `mj_forward`.
    pub(crate) fn push(&mut self, data: &Data) {
        self.values.push(data.time);
        for part in [&data.qpos[..], &data.qvel, &data.ctrl, &data.sensordata] {
            self.values.extend_from_slice(part);
        }
        self.values.extend_from_slice(&data.energy);
        self.values.push(data.ncon as f64);
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Writes a header and one line per row; numbers are written so that they read back as the same bits.
    pub(crate) fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let header: Vec<String> = self.groups.iter().flat_map(Group::headers).collect();
        writeln!(out, "{}", header.join(","))?;
        let mut line = String::new();
        for row in self.values.chunks_exact(self.width) {
            line.clear();
            for (i, value) in row.iter().enumerate() {
                let comma = if i == 0 { "" } else { "," };
                let _ = write!(line, "{comma}{value}");
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// Writes one array per group, `rows × columns`, under MuJoCo's names.
    pub(crate) fn write_npz(&self, out: &mut impl Write) -> Result<(), Failure> {
        let mut archive = npz::Writer::new(out);
        let mut start = 0;
        for group in &self.groups {
            let end = start + group.columns.len();
            let values = self.values.chunks_exact(self.width).flat_map(|row| &row[start..end]).copied();
            let shape = if group.is_scalar() { vec![self.len()] } else { vec![self.len(), end - start] };
            archive.add(group.name, &shape, values)?;
            start = end;
        }
        Ok(archive.finish()?)
    }
}

impl Group {
    fn is_scalar(&self) -> bool {
        self.columns.len() == 1 && self.columns[0].is_empty()
    }

    /// Column titles: `group.element`, quoted where CSV asks for it.
    fn headers(&self) -> impl Iterator<Item = String> {
        self.columns.iter().map(|column| {
            let title =
                if column.is_empty() { self.name.to_owned() } else { format!("{}.{column}", self.name) };
            if title.contains([',', '"', '\n']) {
                format!("\"{}\"", title.replace('"', "\"\""))
            } else {
                title
            }
        })
    }
}

/// One title for each sensor value.
fn sensor_columns(model: &Model) -> Vec<String> {
    let mut columns = Vec::with_capacity(model.nsensordata);
    for id in 0..model.nsensor {
        let name = labels::element(model, ObjType::Sensor, id);
        match model.sensor_dim[id] {
            1 => columns.push(name),
            dim => columns.extend((0..dim).map(|i| format!("{name}.{i}"))),
        }
    }
    columns
}
