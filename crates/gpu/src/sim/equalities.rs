//! Equalities that worlds activate and deactivate.

use super::built::Design;
use super::simulator::GpuSim;
use crate::device::watch::Watch;
use crate::error::GpuError;
use kinetree_model::Model;
use std::sync::Arc;

/// Which equalities of a model are active at the start.
fn active_at_start(model: &Model) -> Vec<bool> {
    model.eq_active0.iter().map(|&active| active != 0).collect()
}

impl GpuSim {
    /// Activates and deactivates equalities: a row of `neq` for each world. They stay as they are until the
    /// world is reset, which brings those of the model back.
    ///
    /// The first call that differs from the model compiles kernels with rows for all equalities.
    ///
    /// # Errors
    /// When the number of values is wrong, while steps are under way, or when the device fails.
    pub async fn set_equalities_async(&mut self, active: &[bool]) -> Result<(), GpuError> {
        self.check_length("the equalities", active.len(), self.basis.model.neq)?;
        self.check_landed()?;
        self.check_whole()?;
        if self.built.layout.first_active.is_none() {
            let first = active_at_start(&self.basis.model);
            if active.is_empty() || active.chunks_exact(first.len()).all(|row| row == first) {
                return Ok(());
            }
            self.make_switches(first).await?;
        }
        let (size, offset) = (self.built.layout.input, self.built.layout.equalities);
        self.wait_for_tensors()?;
        // these numbers alone: others may write controls beside them
        for (world, active) in active.chunks_exact(self.basis.model.neq.max(1)).enumerate() {
            let row: Vec<f64> = active.iter().map(|&on| f64::from(u8::from(on))).collect();
            self.write(&self.built.buffers.inputs, world * size + offset, &row);
        }
        self.wait_for_device()?;
        self.gpu.check()
    }

    /// Which equalities are active, a row of `neq` for each world.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn equalities_async(&self) -> Result<Vec<bool>, GpuError> {
        self.check_whole()?;
        if self.built.layout.first_active.is_none() {
            return Ok(active_at_start(&self.basis.model).repeat(self.basis.worlds));
        }
        let (size, offset) = (self.built.layout.input, self.built.layout.equalities);
        let inputs = self.inputs().await?;
        Ok(inputs.chunks_exact(size).flat_map(|row| row[offset..].iter().map(|&x| x != 0.0)).collect())
    }

    /// Inputs of all worlds.
    pub(crate) async fn inputs(&self) -> Result<Vec<f64>, GpuError> {
        self.read(&self.built.buffers.inputs, self.built.layout.input * self.basis.worlds).await
    }

    /// Makes kernels with rows for all equalities, and their activation in the inputs.
    async fn make_switches(&mut self, first: Vec<bool>) -> Result<(), GpuError> {
        let (old_size, old) = (self.built.layout.input, self.inputs().await?);
        let mut model = Model::clone(&self.basis.model);
        model.eq_active0.fill(1);
        let mut inputs = Vec::with_capacity(old.len() + first.len() * self.basis.worlds);
        for world in 0..self.basis.worlds {
            inputs.extend(&old[world * old_size..(world + 1) * old_size]);
            inputs.extend(first.iter().map(|&active| f64::from(u8::from(active))));
        }
        let design = self.built.design.clone();
        let design = Design { simulated: Arc::new(model), first_active: Some(first), ..design };
        self.rebuild(design, &mut Watch::none()).await?;
        self.write(&self.built.buffers.inputs, 0, &inputs);
        self.gpu.check()
    }
}
