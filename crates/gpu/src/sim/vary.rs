//! Giving worlds parameters of their own.

use super::built::Design;
use super::simulator::GpuSim;
use super::variation::VariedField;
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::features::fluid::same_shapes;
use kinetree_model::{FieldSlice, Model};

impl GpuSim {
    /// Gives each world values of its own for an array of the model, such as `body_mass` or `geom_friction`:
    /// all values of the first world, then all of the second, and so on. As when a program writes to a model,
    /// quantities that the compiler derived from such values stay as they are.
    ///
    /// # Errors
    /// When the model has no such array of floating-point numbers, a number is not finite, the number of
    /// values is wrong, or the kernels would have to be others for these values.
    pub async fn vary_async(&mut self, field: &str, values: &[f64]) -> Result<(), GpuError> {
        let fields = self.basis.model.fields();
        let is_field =
            |f: &kinetree_model::Field<'_>| f.name == field && matches!(f.data, FieldSlice::F64(_));
        let index = fields.iter().position(is_field).ok_or_else(|| GpuError::Field(field.to_owned()))?;
        let width = fields[index].data.len();
        self.check_length("the values of a varied field", values.len(), width)?;
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let (world, index, value) = (at / width, at % width, values[at]);
            return Err(GpuError::NotFinite { what: "a varied field", world, index, value });
        }
        self.check_landed()?;
        self.check_whole()?;
        self.check_fluid(field, index, values)?;
        let mut design = self.built.design.clone();
        let is_first = design.varied.is_empty();
        design.varied.retain(|known| known.index != index);
        design.varied.push(VariedField { name: field.to_owned(), index, width, values: values.into() });
        if is_first {
            return self.rebuild(design, &mut Watch::none()).await;
        }
        // kernels that read parameters of each world already are the same for any values
        let numbers = design.varied_numbers(&self.basis, &self.built.layout)?;
        self.write(&self.built.buffers.floats, 0, &numbers);
        self.built.design = design;
        self.gpu.check()
    }

    /// The kernels know which shapes a fluid acts on: a varied field may not change that.
    fn check_fluid(&self, field: &str, index: usize, values: &[f64]) -> Result<(), GpuError> {
        if !matches!(field, "geom_fluid" | "body_mass") || values.is_empty() {
            return Ok(());
        }
        let mut model = Model::clone(&self.basis.model);
        for (world, values) in values.chunks_exact(values.len() / self.basis.worlds).enumerate() {
            Model::FLOATS_MUT[index](&mut model).copy_from_slice(values);
            if !same_shapes(&self.basis.model, &model) {
                return Err(GpuError::FluidShapes { field: field.to_owned(), world });
            }
        }
        Ok(())
    }

    /// Gives all worlds the arrays of the model again.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn end_variations_async(&mut self) -> Result<(), GpuError> {
        if self.built.design.varied.is_empty() {
            return Ok(());
        }
        self.check_landed()?;
        self.check_whole()?;
        let design = Design { varied: Vec::new(), ..self.built.design.clone() };
        self.rebuild(design, &mut Watch::none()).await
    }
}
