//! Shortcuts for actuators and generated meshes.

use super::CoreSpec;
use super::table::gone;
use kinetree_spec::spec::presets::{CylinderParams, DcMotorParams, MuscleParams, ServoParams};
use kinetree_spec::spec::{Actuator, Id, MeshBuiltin};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A list of a fixed length, or an error that names it.
fn exact<const N: usize>(name: &str, values: &[f64]) -> PyResult<[f64; N]> {
    values
        .try_into()
        .map_err(|_| PyValueError::new_err(format!("{name} should be a list/array of size {N}.")))
}

/// A number that negative values leave out.
fn given(value: f64) -> Option<f64> {
    (value >= 0.0).then_some(value)
}

impl CoreSpec {
    fn actuator<E: ToString>(
        &self,
        id: usize,
        f: impl FnOnce(&mut Actuator) -> Result<(), E> + Send,
    ) -> PyResult<()> {
        self.state.with(|state| {
            let actuator = state.spec.actuators.get_mut(Id::new(id)).ok_or_else(|| gone("actuator"))?;
            f(actuator).map_err(|e| PyValueError::new_err(e.to_string()))
        })
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // arguments are made for the call
impl CoreSpec {
    /// Makes an actuator a motor, velocity servo, damper or adhesion, with one number.
    fn _preset_simple(&self, id: usize, kind: &str, number: f64) -> PyResult<()> {
        match kind {
            "motor" => self.actuator(id, |a| -> Result<(), String> {
                a.set_to_motor();
                Ok(())
            }),
            "velocity" => self.actuator(id, |a| -> Result<(), String> {
                a.set_to_velocity(number);
                Ok(())
            }),
            "damper" => self.actuator(id, |a| a.set_to_damper(number)),
            "adhesion" => self.actuator(id, |a| a.set_to_adhesion(number)),
            _ => Err(PyTypeError::new_err(format!("there is no actuator of kind '{kind}'"))),
        }
    }

    /// Makes an actuator a position servo, or one on the integral of the control; negative numbers are not
    /// given.
    fn _preset_servo(
        &self,
        id: usize,
        integrated: bool,
        kp: f64,
        kv: f64,
        dampratio: f64,
        timeconst: f64,
        inheritrange: f64,
    ) -> PyResult<()> {
        let servo = ServoParams {
            kp,
            kv: given(kv),
            dampratio: given(dampratio),
            timeconst: given(timeconst),
            inheritrange,
        };
        self.actuator(
            id,
            |a| if integrated { a.set_to_intvelocity(&servo) } else { a.set_to_position(&servo) },
        )
    }

    /// Makes an actuator a cylinder.
    fn _preset_cylinder(
        &self,
        id: usize,
        timeconst: f64,
        bias: f64,
        area: f64,
        diameter: f64,
    ) -> PyResult<()> {
        let cylinder = CylinderParams { timeconst, bias: [bias, 0.0, 0.0], area, diameter: given(diameter) };
        self.actuator(id, |a| -> Result<(), String> {
            a.set_to_cylinder(&cylinder);
            Ok(())
        })
    }

    /// Makes an actuator a muscle; negative numbers are not given.
    #[allow(clippy::too_many_arguments)] // as many as a muscle has
    fn _preset_muscle(
        &self,
        id: usize,
        timeconst: Vec<f64>,
        tausmooth: f64,
        range: Vec<f64>,
        force: f64,
        scale: f64,
        curve: Vec<f64>,
    ) -> PyResult<()> {
        let [lmin, lmax, vmax, fpmax, fvmax] = exact("curve", &curve)?;
        let (timeconst, range) = (exact("timeconst", &timeconst)?, exact("range", &range)?);
        let muscle =
            MuscleParams { timeconst, tausmooth, range, force, scale, lmin, lmax, vmax, fpmax, fvmax };
        self.actuator(id, |a| a.set_to_muscle(&muscle))
    }

    /// Makes an actuator a DC motor. The lists are those of `DcMotorParams`, in order.
    fn _preset_dcmotor(&self, id: usize, resistance: f64, lists: Vec<Vec<f64>>, input: i32) -> PyResult<()> {
        let [motorconst, nominal, saturation, inductance, cogging, controller, thermal, lugre] = &lists[..]
        else {
            return Err(PyTypeError::new_err("a DC motor has eight lists of parameters"));
        };
        let motor = DcMotorParams {
            motorconst: exact("motorconst", motorconst)?,
            resistance,
            nominal: exact("nominal", nominal)?,
            saturation: exact("saturation", saturation)?,
            inductance: exact("inductance", inductance)?,
            cogging: exact("cogging", cogging)?,
            controller: exact("controller", controller)?,
            thermal: exact("thermal", thermal)?,
            lugre: exact("lugre", lugre)?,
            input,
        };
        self.actuator(id, |a| a.set_to_dcmotor(&motor))
    }

    /// Makes a mesh a generated one: the reference's number of the shape and its parameters.
    fn _make_mesh(&self, id: usize, shape: &str, params: Vec<f64>) -> PyResult<()> {
        self.state.with(|state| {
            let mesh = state.spec.meshes.get_mut(Id::new(id)).ok_or_else(|| gone("mesh"))?;
            mesh.builtin = match shape {
                "sphere" => MeshBuiltin::Sphere,
                "hemisphere" => MeshBuiltin::Hemisphere,
                "cone" => MeshBuiltin::Cone,
                "supersphere" => MeshBuiltin::Supersphere,
                "supertorus" => MeshBuiltin::Supertorus,
                "wedge" => MeshBuiltin::Wedge,
                "plate" => MeshBuiltin::Plate,
                _ => return Err(PyTypeError::new_err(format!("there is no mesh of shape '{shape}'"))),
            };
            mesh.params = params;
            Ok(())
        })
    }
}
