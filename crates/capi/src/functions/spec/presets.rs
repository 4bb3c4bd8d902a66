//! Actuator shortcuts and generated meshes.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{In, count};
use crate::ffi::spec::BodyPtr;
use crate::functions::texts::returned;
use crate::layout::spec::{MjsActuator, MjsMesh};
use kinetree_spec::spec::presets::{CylinderParams, DcMotorParams, MuscleParams, ServoParams};
use kinetree_spec::spec::{Actuator, Id, MeshBuiltin};
use std::ffi::c_char;

/// Changes an actuator; returns what is wrong, or an empty text.
fn change<E: std::fmt::Display>(
    actuator: BodyPtr<'_, MjsActuator>,
    f: impl FnOnce(&mut Actuator) -> Result<(), E>,
) -> Served<*const c_char> {
    let (handle, key) = actuator.locate()?;
    handle.take_one(key)?;
    let found = if key.prototype {
        handle.spec.defaults.get_mut(key.id).map(|class| &mut class.actuator)
    } else {
        handle.spec.actuators.get_mut(Id::new(key.id))
    };
    let Some(found) = found else { return fault("this actuator was deleted") };
    let result = f(found);
    handle.show_one(key);
    Ok(match result {
        Ok(()) => c"".as_ptr(),
        Err(problem) => returned(&problem.to_string()),
    })
}

/// A parameter that is not given when it is negative.
fn given(value: In<'_, f64>) -> Option<f64> {
    value.optional_array::<1>().ok().flatten().map(|[x]| x).filter(|&x| x >= 0.0)
}

fn servo(
    kp: f64,
    kv: In<'_, f64>,
    dampratio: In<'_, f64>,
    timeconst: In<'_, f64>,
    inheritrange: f64,
) -> ServoParams {
    ServoParams { kp, kv: given(kv), dampratio: given(dampratio), timeconst: given(timeconst), inheritrange }
}

fn certainly(f: impl FnOnce(&mut Actuator)) -> impl FnOnce(&mut Actuator) -> Result<(), String> {
    |actuator| {
        f(actuator);
        Ok(())
    }
}

export! {
    fn mjs_setToMotor(actuator: BodyPtr<'_, MjsActuator>) -> *const c_char {
        change(actuator, certainly(Actuator::set_to_motor))
    }
    fn mjs_setToPosition(
        actuator: BodyPtr<'_, MjsActuator>, kp: f64, kv: In<'_, f64>, dampratio: In<'_, f64>, timeconst: In<'_, f64>,
        inheritrange: f64,
    ) -> *const c_char {
        change(actuator, |a| a.set_to_position(&servo(kp, kv, dampratio, timeconst, inheritrange)))
    }
    fn mjs_setToIntVelocity(
        actuator: BodyPtr<'_, MjsActuator>, kp: f64, kv: In<'_, f64>, dampratio: In<'_, f64>, timeconst: In<'_, f64>,
        inheritrange: f64,
    ) -> *const c_char {
        change(actuator, |a| a.set_to_intvelocity(&servo(kp, kv, dampratio, timeconst, inheritrange)))
    }
    fn mjs_setToVelocity(actuator: BodyPtr<'_, MjsActuator>, kv: f64) -> *const c_char {
        change(actuator, certainly(|a| a.set_to_velocity(kv)))
    }
    fn mjs_setToDamper(actuator: BodyPtr<'_, MjsActuator>, kv: f64) -> *const c_char {
        change(actuator, |a| a.set_to_damper(kv))
    }
    fn mjs_setToCylinder(
        actuator: BodyPtr<'_, MjsActuator>, timeconst: f64, bias: f64, area: f64, diameter: f64,
    ) -> *const c_char {
        let diameter = (diameter >= 0.0).then_some(diameter);
        let cylinder = CylinderParams { timeconst, bias: [bias, 0.0, 0.0], area, diameter };
        change(actuator, certainly(|a| a.set_to_cylinder(&cylinder)))
    }
    fn mjs_setToMuscle(
        actuator: BodyPtr<'_, MjsActuator>, timeconst: In<'_, f64>, tausmooth: f64, range: In<'_, f64>, force: f64,
        scale: f64, lmin: f64, lmax: f64, vmax: f64, fpmax: f64, fvmax: f64,
    ) -> *const c_char {
        let (timeconst, range) = (timeconst.array()?, range.array()?);
        let muscle = MuscleParams { timeconst, tausmooth, range, force, scale, lmin, lmax, vmax, fpmax, fvmax };
        change(actuator, |a| a.set_to_muscle(&muscle))
    }
    fn mjs_setToAdhesion(actuator: BodyPtr<'_, MjsActuator>, gain: f64) -> *const c_char {
        change(actuator, |a| a.set_to_adhesion(gain))
    }
    fn mjs_setToDCMotor(
        actuator: BodyPtr<'_, MjsActuator>, motorconst: In<'_, f64>, resistance: f64, nominal: In<'_, f64>,
        saturation: In<'_, f64>, inductance: In<'_, f64>, cogging: In<'_, f64>, controller: In<'_, f64>,
        thermal: In<'_, f64>, lugre: In<'_, f64>, input_mode: i32,
    ) -> *const c_char {
        let motor = DcMotorParams {
            motorconst: motorconst.optional_array()?.unwrap_or_default(),
            resistance,
            nominal: nominal.optional_array()?.unwrap_or_default(),
            saturation: saturation.optional_array()?.unwrap_or_default(),
            inductance: inductance.optional_array()?.unwrap_or_default(),
            cogging: cogging.optional_array()?.unwrap_or_default(),
            controller: controller.optional_array()?.unwrap_or_default(),
            thermal: thermal.optional_array()?.unwrap_or_default(),
            lugre: lugre.optional_array()?.unwrap_or_default(),
            input: input_mode,
        };
        change(actuator, |a| a.set_to_dcmotor(&motor))
    }
    fn mjs_makeMesh(mesh: BodyPtr<'_, MjsMesh>, builtin: i32, params: In<'_, f64>, nparams: i32) -> i32 {
        let (handle, key) = mesh.locate_own()?;
        let shape = match builtin {
            1 => MeshBuiltin::Sphere,
            2 => MeshBuiltin::Hemisphere,
            3 => MeshBuiltin::Cone,
            4 => MeshBuiltin::Supersphere,
            5 => MeshBuiltin::Supertorus,
            6 => MeshBuiltin::Wedge,
            7 => MeshBuiltin::Plate,
            _ => {
                handle.tell("unknown built-in mesh", false);
                return Ok(-1);
            }
        };
        let Some(found) = handle.spec.meshes.get_mut(Id::new(key.id)) else { return fault("this mesh was deleted") };
        (found.builtin, found.params) = (shape, params.list(count(nparams))?.to_vec());
        Ok(0)
    }
}
