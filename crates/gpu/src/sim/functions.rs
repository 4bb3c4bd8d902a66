//! Functions of the user: giving them, and reading what they make.

use super::built::Basis;
use super::simulator::GpuSim;
use super::user_program::{Functions, HEAD, UserProgram};
use crate::device::readback::read_numbers;
use crate::error::GpuError;
use crate::precision::Number;

/// What the functions of the user have made of the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Rewards; zero where a world has failed, or without such a function.
    pub rewards: Vec<f32>,
    /// Whether the episode has ended. Worlds that failed are among them.
    pub terminated: Vec<bool>,
    /// Observations, a row for each world.
    pub observations: Vec<f32>,
}

impl GpuSim {
    /// Gives the simulator functions that run on the device after [`steps_async`](Self::steps_async) and
    /// where worlds are reset; [`results_async`](Self::results_async) reads what they write. All worlds begin
    /// anew.
    ///
    /// Tensors of the results of earlier functions keep what those have written last.
    ///
    /// # Errors
    /// When they do not compile, with the line of the text, when their results do not fit on the device, and
    /// in a browser.
    pub async fn set_functions_async(&mut self, functions: Functions) -> Result<(), GpuError> {
        self.check_landed()?;
        self.check_whole()?;
        let buffers = (&self.built.layout, &self.built.buffers);
        let Basis { model, worlds, .. } = &self.basis;
        self.built.user = Some(UserProgram::new(&self.gpu, model, buffers, functions, *worlds).await?);
        self.reset_all()
    }

    /// Rewards, ends of episodes and observations of the last steps: the only copy that functions need.
    ///
    /// # Errors
    /// Without functions, or when the device fails.
    pub async fn results_async(&self) -> Result<Results, GpuError> {
        self.check_whole()?;
        let user = self.built.user.as_ref().ok_or(GpuError::NoFunctions)?;
        let size = HEAD + user.functions.observations;
        let all: Vec<f32> =
            read_numbers(&self.gpu, &user.memory.results, size * self.basis.worlds, self.precision()).await?;
        let mut results = Results::default();
        for row in all.chunks_exact(size) {
            results.rewards.push(row[0]);
            results.terminated.push(row[1] != 0.0);
            results.observations.extend(&row[HEAD..]);
        }
        Ok(results)
    }

    /// Numbers of an observation of the user's functions.
    #[must_use]
    pub fn observation_size(&self) -> Option<usize> {
        self.built.user.as_ref().map(|user| user.functions.observations)
    }

    /// Sets the numbers that functions of the user read as `field(world, i)`, a row for each world.
    ///
    /// # Errors
    /// Without functions, or when the number of values is wrong.
    pub fn set_fields<T: Number>(&mut self, values: &[T]) -> Result<(), GpuError> {
        let user = self.built.user.as_ref().ok_or(GpuError::NoFunctions)?;
        self.check_length("the fields", values.len(), user.functions.fields)?;
        self.write(&user.memory.fields, self.built.layout.state, values);
        self.gpu.check()
    }

    /// Rewards, ends of episodes and observations on the device, for kernels of your own: a row of two
    /// numbers and [`observation_size`](Self::observation_size) more for each world. None without functions.
    #[must_use]
    pub fn result_buffer(&self) -> Option<&wgpu::Buffer> {
        self.built.user.as_ref().map(|user| &user.memory.results)
    }

    /// The user's numbers on the device: [`state_size`](Self::state_size) numbers that are the first state,
    /// then a row for each world. None without functions.
    #[must_use]
    pub fn field_buffer(&self) -> Option<&wgpu::Buffer> {
        self.built.user.as_ref().map(|user| &user.memory.fields)
    }
}
