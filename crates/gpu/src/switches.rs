//! Equalities that are switched on and off, world by world.
//!
//! Kernels of a model have rows for the equalities that are active at the start. Once a program switches one,
//! they are made anew with rows for all of them, of which those that are not active in a world have no
//! weight; whether they are lies in the world's inputs, behind controls and poses of mocap bodies.

use crate::body_equality::BodyEqualities;
use crate::error::GpuError;
use crate::layout::Layout;
use crate::linear_rows::LinearRows;
use crate::sim::GpuSim;
use crate::table::Table;
use kinetree_model::Model;
use std::fmt::Write;
use std::sync::Arc;

/// Takes the weight of rows whose equality is not active.
pub(crate) const LINEAR_SWITCH: &str =
    "            if (!is_active(FIXED_EQUALITY + s)) { block_d[s] = 0.0; }\n";
pub(crate) const BODY_SWITCH: &str =
    "                if (!is_active(EQUALITY_ID + e)) { block_d[r] = 0.0; }\n";
/// Whether an equality acts in this world; rows of limits and friction always do.
pub(crate) const IS_ACTIVE: &str = "fn is_active(at: u32) -> bool {
    let e = ints[at];
    return e < 0 || inputs[input_base + INPUT_EQUALITY + u32(max(e, 0))] != 0.0;
}
";
/// A world that begins anew has the equalities of the model.
pub(crate) const FIRST_SWITCHES: &str =
    "    for (var e = lane; e < NEQ; e += LANES) { inputs[input_base + INPUT_EQUALITY + e] = number(FIRST_ACTIVE + e); }
";

/// Lets kernels write to inputs, where worlds that begin anew have their switches.
pub(crate) fn with_written_inputs(text: &str) -> String {
    text.replace("var<storage, read> inputs", "var<storage, read_write> inputs")
}

/// The switches of worlds that functions of the user end, as statements for one `world`.
pub(crate) fn first_switches(layout: &Layout) -> String {
    let mut text = String::new();
    for (e, &active) in layout.switches.iter().flatten().enumerate() {
        let value = if active { "1.0" } else { "0.0" };
        let _ = write!(text, "inputs[world * INPUT_SIZE + INPUT_EQUALITY + {e}u] = {value}; ");
    }
    text
}

/// Writes which equality each row belongs to, and which are active at the start.
pub(crate) fn write_switches(model: &Model, layout: &Layout, table: &mut Table) {
    let Some(first) = &layout.switches else { return };
    table.size("NEQ", first.len());
    table.floats("FIRST_ACTIVE", first.iter().map(|&active| f64::from(u8::from(active))));
    table.ints("FIXED_EQUALITY", LinearRows::new(model).equalities());
    table.ints("EQUALITY_ID", BodyEqualities::new(model).numbers());
}

/// Which equalities of a model are active at the start.
fn active_at_start(model: &Model) -> Vec<bool> {
    model.eq_active0.iter().map(|&active| active != 0).collect()
}

impl GpuSim {
    /// Switches equalities on and off: a row of `neq` for each world. They stay as they are until the world
    /// is reset, which brings those of the model back.
    ///
    /// The first call that differs from the model compiles kernels with rows for all equalities.
    ///
    /// # Errors
    /// When the number of values is wrong, while steps are under way, or when the device fails.
    pub async fn set_equalities_async(&mut self, active: &[bool]) -> Result<(), GpuError> {
        self.check_length("the equalities", active.len(), self.model.neq)?;
        self.check_landed()?;
        if self.layout.switches.is_none() {
            let first = active_at_start(&self.model);
            if active.is_empty() || active.chunks_exact(first.len()).all(|row| row == first) {
                return Ok(());
            }
            self.make_switches(first).await?;
        }
        let (size, place) = (self.layout.input, self.layout.equalities);
        let mut inputs: Vec<f64> = self.inputs().await?;
        for (row, active) in inputs.chunks_exact_mut(size).zip(active.chunks_exact(self.model.neq.max(1))) {
            row[place..].iter_mut().zip(active).for_each(|(to, &on)| *to = f64::from(u8::from(on)));
        }
        self.write(&self.buffers.inputs, 0, &inputs);
        self.gpu.check()
    }

    /// Which equalities are active, a row of `neq` for each world.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn equalities_async(&self) -> Result<Vec<bool>, GpuError> {
        if self.layout.switches.is_none() {
            return Ok(active_at_start(&self.model).repeat(self.worlds));
        }
        let (size, place) = (self.layout.input, self.layout.equalities);
        let inputs = self.inputs().await?;
        Ok(inputs.chunks_exact(size).flat_map(|row| row[place..].iter().map(|&x| x != 0.0)).collect())
    }

    /// Inputs of all worlds.
    pub(crate) async fn inputs(&self) -> Result<Vec<f64>, GpuError> {
        self.read(&self.buffers.inputs, self.layout.input * self.worlds).await
    }

    /// Makes kernels with rows for all equalities, and places for switches in the inputs.
    async fn make_switches(&mut self, first: Vec<bool>) -> Result<(), GpuError> {
        let (old_size, old) = (self.layout.input, self.inputs().await?);
        let mut model = Model::clone(&self.model);
        model.eq_active0.fill(1);
        let before = (std::mem::replace(&mut self.simulated, Arc::new(model)), self.layout.clone());
        let mut inputs = Vec::with_capacity(old.len() + first.len() * self.worlds);
        for world in 0..self.worlds {
            inputs.extend(&old[world * old_size..(world + 1) * old_size]);
            inputs.extend(first.iter().map(|&active| f64::from(u8::from(active))));
        }
        self.layout.switches = Some(first);
        if let Err(error) = self.rebuild().await {
            (self.simulated, self.layout) = before;
            return Err(error);
        }
        self.write(&self.buffers.inputs, 0, &inputs);
        self.gpu.check()
    }
}
