//! Poses of mocap bodies, which programs move.

use super::simulator::GpuSim;
use crate::error::GpuError;
use crate::precision::Number;

impl GpuSim {
    /// Sets the poses of mocap bodies: position and quaternion of each, a row of `7 nmocap` for each world.
    /// They stay as they are until the world is reset, which brings those of the model back.
    ///
    /// # Errors
    /// When the number of values is wrong, or while steps are under way.
    pub fn set_mocap<T: Number>(&mut self, poses: &[T]) -> Result<(), GpuError> {
        let width = 7 * self.basis.model.nmocap;
        self.check_length("the poses of mocap bodies", poses.len(), width)?;
        self.check_landed()?;
        self.check_whole()?;
        self.wait_for_tensors()?;
        for (world, row) in poses.chunks_exact(width.max(1)).enumerate() {
            self.write(
                &self.built.buffers.inputs,
                world * self.built.layout.input + self.built.layout.mocap,
                row,
            );
        }
        self.wait_for_device()?;
        self.gpu.check()
    }

    /// Poses of mocap bodies, as [`set_mocap`](Self::set_mocap) takes them.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn mocap_async<T: Number>(&self) -> Result<Vec<T>, GpuError> {
        self.check_whole()?;
        let (size, first) = (self.built.layout.input, self.built.layout.mocap);
        let width = 7 * self.basis.model.nmocap;
        if width == 0 {
            return Ok(Vec::new());
        }
        let inputs: Vec<f64> = self.inputs().await?;
        let rows = inputs.chunks_exact(size).flat_map(|row| &row[first..first + width]);
        Ok(rows.map(|&x| T::narrow(x)).collect())
    }
}
