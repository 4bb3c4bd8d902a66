//! Poses of mocap bodies, world by world.

use crate::error::BatchError;
use crate::pool::Pool;
use crate::sim::BatchSim;
use crate::worlds::check_rows;

impl BatchSim {
    /// Numbers in a row of [`mocap`](Self::mocap): seven for each mocap body of the model that has most.
    #[must_use]
    pub fn mocap_columns(&self) -> usize {
        self.pool.mocap_columns()
    }

    /// Sets the poses of mocap bodies: position and quaternion of each, a row of
    /// [`mocap_columns`](Self::mocap_columns) for each world, of which those with a smaller model use the
    /// first. A world keeps them until it is reset.
    ///
    /// # Errors
    /// When the number of values is wrong.
    pub fn set_mocap(&mut self, poses: &[f64]) -> Result<(), BatchError> {
        let columns = self.mocap_columns();
        check_rows("the poses of mocap bodies", poses.len(), self.len(), columns)?;
        for (world, row) in self.pool.worlds_mut().zip(poses.chunks_exact(columns.max(1))) {
            let data = &mut world.data;
            let bodies = data.mocap_pos.iter_mut().zip(data.mocap_quat.iter_mut());
            for ((pos, quat), pose) in bodies.zip(row.chunks_exact(7)) {
                pos.copy_from_slice(&pose[..3]);
                quat.copy_from_slice(&pose[3..]);
            }
            // what was computed ahead of the next step has other poses
            world.ahead = false;
        }
        Ok(())
    }

    /// Poses of mocap bodies, as [`set_mocap`](Self::set_mocap) takes them; zero where a model has fewer.
    #[must_use]
    pub fn mocap(&self) -> Vec<f64> {
        let mut poses = Vec::with_capacity(self.len() * self.mocap_columns());
        self.pool.read_mocap_into(&mut poses);
        poses
    }
}

impl Pool {
    /// Seven for each mocap body of the model that has most.
    fn mocap_columns(&self) -> usize {
        self.worlds().map(|world| 7 * world.data.mocap_pos.len()).max().unwrap_or(0)
    }

    /// Puts the rows of [`BatchSim::mocap`] into a list, which keeps its memory.
    pub(crate) fn read_mocap_into(&self, poses: &mut Vec<f64>) {
        let columns = self.mocap_columns();
        poses.clear();
        for (w, world) in self.worlds().enumerate() {
            for (pos, quat) in world.data.mocap_pos.iter().zip(world.data.mocap_quat.iter()) {
                poses.extend(pos.iter().chain(quat));
            }
            poses.resize((w + 1) * columns, 0.0);
        }
    }
}
