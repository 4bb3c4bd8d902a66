//! Tensors without copies: states, controls, sensor values, rewards and observations where CUDA sees them.
//!
//! The first tensor moves what worlds have into memory that Vulkan exports and CUDA imports. From then on
//! each call that changes worlds waits for what this process has asked of CUDA before it begins, and for the
//! device before it returns: a caller that writes controls, calls for steps and reads states afterwards needs
//! no synchronization of its own.

use super::built::Design;
use super::simulator::GpuSim;
use super::user_program::HEAD;
use crate::device::readback::wait;
use crate::device::shared_memory::SharedBuffer;
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::precision::Precision;

/// What a tensor has of each world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorPart {
    /// Positions, velocities, activations and accelerations of the last step.
    States,
    /// Positions.
    Positions,
    /// Velocities.
    Velocities,
    /// Activations.
    Activations,
    /// Controls. Once there is such a tensor, it is where steps take controls from until
    /// [`GpuSim::set_controls`] sets others.
    Controls,
    /// Sensor values.
    Sensordata,
    /// Rewards of functions of the user.
    Rewards,
    /// One where functions of the user end the episode, and zero elsewhere.
    Terminated,
    /// Observations of functions of the user.
    Observations,
}

/// Numbers of all worlds on the device, a row for each, in memory that CUDA sees at
/// [`address`](Self::address). The memory stays as long as this does, also when the simulator has gone.
#[derive(Clone, Debug)]
pub struct DeviceTensor {
    memory: SharedBuffer,
    precision: Precision,
    first: usize,
    shape: [usize; 2],
    stride: usize,
}

impl DeviceTensor {
    /// Address of the first number.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.memory.address() + self.first as u64 * self.precision.bytes()
    }

    /// Number of the device, as CUDA counts.
    #[must_use]
    pub fn device(&self) -> i32 {
        self.memory.ordinal()
    }

    /// Worlds, and numbers of each.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        self.shape
    }

    /// Numbers from a row to the next, and from a number to the next.
    #[must_use]
    pub fn strides(&self) -> [usize; 2] {
        [self.stride, 1]
    }

    /// Precision of the numbers.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.precision
    }
}

impl GpuSim {
    /// Numbers of all worlds as they are on the device: what is written there is where the next step begins,
    /// and after a step they are those of the new states.
    ///
    /// # Errors
    /// Where the device and CUDA have no memory in common, with what is missing; for sensor values that are
    /// not computed, results without functions, and while steps are under way.
    pub async fn tensor_async(&mut self, part: TensorPart) -> Result<DeviceTensor, GpuError> {
        self.check_landed()?;
        self.check_whole()?;
        let of_functions =
            matches!(part, TensorPart::Rewards | TensorPart::Terminated | TensorPart::Observations);
        if of_functions && self.built.user.is_none() {
            return Err(GpuError::NoFunctions);
        }
        if part == TensorPart::Sensordata {
            self.check_sensors()?;
        }
        if !self.built.design.shared {
            self.rebuild(Design { shared: true, ..self.built.design.clone() }, &mut Watch::none()).await?;
        }
        self.wait_for_device()?;
        self.find(part).ok_or(GpuError::NoFunctions)
    }

    fn find(&self, part: TensorPart) -> Option<DeviceTensor> {
        let (layout, model) = (&self.built.layout, &self.basis.model);
        let shared = self.built.buffers.shared.as_ref()?;
        let of_states = |first, count| (&shared.state, first, count, layout.state);
        let of_results = |first, count: Option<usize>| {
            let user = self.built.user.as_ref()?;
            let all = user.functions.observations;
            Some((user.memory.shared_results.as_ref()?, first, count.unwrap_or(all), HEAD + all))
        };
        let (memory, first, count, stride) = match part {
            TensorPart::States => of_states(0, layout.state),
            TensorPart::Positions => of_states(layout.qpos, model.nq),
            TensorPart::Velocities => of_states(layout.qvel, model.nv),
            TensorPart::Activations => of_states(layout.act, model.na),
            TensorPart::Controls => (&shared.inputs, layout.ctrl, model.nu, layout.input),
            TensorPart::Sensordata => (&shared.sensordata, 0, layout.sensordata, layout.sensordata),
            TensorPart::Rewards => of_results(0, Some(1))?,
            TensorPart::Terminated => of_results(1, Some(1))?,
            TensorPart::Observations => of_results(HEAD, None)?,
        };
        Some(DeviceTensor {
            memory: memory.clone(),
            precision: layout.precision,
            first,
            shape: [self.basis.worlds, count],
            stride,
        })
    }

    /// Whether other libraries see what worlds have: somebody has asked for a [tensor](Self::tensor).
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.built.buffers.shared.is_some()
    }

    /// Waits for what other libraries do with tensors.
    pub(crate) fn wait_for_tensors(&self) -> Result<(), GpuError> {
        self.built.buffers.shared.as_ref().map_or(Ok(()), |shared| shared.state.wait())
    }

    /// Waits for what was submitted, where other libraries may read it.
    pub(crate) fn wait_for_device(&self) -> Result<(), GpuError> {
        if !self.is_shared() {
            return Ok(());
        }
        // what was written waits for a submission
        self.gpu.queue.submit([]);
        wait(&self.gpu, None)?;
        self.gpu.check()
    }
}
