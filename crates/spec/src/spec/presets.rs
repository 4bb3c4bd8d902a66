//! Actuator shortcuts: each fills the general gain, bias and dynamics parameters of an [`Actuator`].
//!
//! With input u (control or activation w), length l and velocity v, the force is `gain(l, v) · u + bias(l,
//! v)`; affine forms are `p0 + p1 l + p2 v`.
//!
//! ```
//! use kinetree_spec::spec::Actuator;
//!
//! let mut servo = Actuator::default();
//! servo.set_to_velocity(3.0);
//! assert_eq!((servo.gainprm[0], servo.biasprm[2]), (3.0, -3.0));
//! ```

use kinetree_model::enums::{BiasType, DynType, GainType};

use super::actuator::Actuator;
use super::common::Limited;

/// Why a shortcut cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// A parameter is negative.
    #[error("{0} cannot be negative")]
    Negative(&'static str),
    /// A parameter is not positive.
    #[error("{0} must be positive")]
    NotPositive(&'static str),
    /// Two parameters exclude each other.
    #[error("'{0}' and '{1}' cannot both be given")]
    Both(&'static str, &'static str),
}

/// Parameters of position and integrated-velocity servos.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServoParams {
    /// Position gain.
    pub kp: f64,
    /// Damping.
    pub kv: Option<f64>,
    /// Damping ratio, instead of `kv`.
    pub dampratio: Option<f64>,
    /// Time constant of an input filter (s).
    pub timeconst: Option<f64>,
    /// Scale of a range taken from the target; 0: none.
    pub inheritrange: f64,
}

/// Parameters of a pneumatic or hydraulic cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylinderParams {
    /// Time constant of the pressure (s).
    pub timeconst: f64,
    /// Bias parameters; only the first one is used by the reference.
    pub bias: [f64; 3],
    /// Area of the piston (m²).
    pub area: f64,
    /// Diameter of the piston, instead of the area (m).
    pub diameter: Option<f64>,
}

/// Parameters of a muscle; negative means "not given".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuscleParams {
    /// Activation and deactivation time (s).
    pub timeconst: [f64; 2],
    /// Width of the smooth transition between the two.
    pub tausmooth: f64,
    /// Operating range in units of the optimal length.
    pub range: [f64; 2],
    /// Peak force at rest (N).
    pub force: f64,
    /// Force scale when no peak force is given.
    pub scale: f64,
    /// Lower end of the force-length curve.
    pub lmin: f64,
    /// Upper end of the force-length curve.
    pub lmax: f64,
    /// Shortening velocity without force.
    pub vmax: f64,
    /// Passive force at the upper end.
    pub fpmax: f64,
    /// Active force at saturating lengthening velocity.
    pub fvmax: f64,
}

impl Default for MuscleParams {
    fn default() -> Self {
        MuscleParams {
            timeconst: [-1.0; 2],
            tausmooth: 0.0,
            range: [-1.0; 2],
            force: -1.0,
            scale: -1.0,
            lmin: -1.0,
            lmax: -1.0,
            vmax: -1.0,
            fpmax: -1.0,
            fvmax: -1.0,
        }
    }
}

/// Parameters of a DC motor; zero means "not given".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DcMotorParams {
    /// Torque constant and back-EMF constant.
    pub motorconst: [f64; 2],
    /// Winding resistance (Ω).
    pub resistance: f64,
    /// Nominal voltage (V), stall torque (N m) and no-load speed (rad/s).
    pub nominal: [f64; 3],
    /// Bounds on torque (N m), current (A) and its rate (A/s).
    pub saturation: [f64; 3],
    /// Winding inductance (H), or the electrical time constant (s).
    pub inductance: [f64; 2],
    /// Cogging amplitude, periodicity and phase.
    pub cogging: [f64; 3],
    /// Controller gains kp, ki, kd and bounds on slew rate, integral and voltage.
    pub controller: [f64; 6],
    /// Thermal resistance, capacitance, time constant, temperature coefficient, reference and ambient
    /// temperature.
    pub thermal: [f64; 6],
    /// LuGre friction: stiffness, damping, Coulomb, static, Stribeck velocity.
    pub lugre: [f64; 5],
    /// What the control is: 0 voltage, 1 position, 2 velocity.
    pub input: i32,
}

impl DcMotorParams {
    /// The parameters that an actuator already has, as a class passes them on.
    pub fn of(actuator: &Actuator) -> Self {
        let (gain, bias, dynamics) = (&actuator.gainprm, &actuator.biasprm, &actuator.dynprm);
        DcMotorParams {
            motorconst: [gain[1], 0.0],
            resistance: gain[0],
            nominal: [0.0; 3],
            saturation: [0.0, 0.0, dynamics[1]],
            inductance: [0.0, dynamics[0]],
            cogging: [bias[0], bias[1], bias[2]],
            controller: [gain[4], gain[5], gain[6], dynamics[7], dynamics[8], gain[7]],
            thermal: [dynamics[2], dynamics[3], 0.0, gain[2], gain[3], dynamics[4]],
            lugre: [dynamics[5], dynamics[6], bias[3], bias[4], bias[5]],
            input: gain[8] as i32,
        }
    }

    /// Motor constant and resistance, from what was given.
    ///
    /// With back-EMF constant Ke, damping B and resistance R, the no-load speed is `vn Ke / (Ke² + R B)` and
    /// the stall torque is `K vn / R`.
    fn constants(&self, damping: f64) -> (f64, f64) {
        let [torque_constant, mut emf] = self.motorconst;
        let [voltage, stall, speed] = self.nominal;
        let mut resistance = self.resistance;
        if voltage > 0.0 && emf <= 0.0 && speed > 0.0 {
            emf = voltage / speed;
            if damping > 0.0 && resistance > 0.0 {
                let discriminant = voltage * voltage - 4.0 * resistance * damping * speed * speed;
                if discriminant > 0.0 {
                    emf = (voltage + discriminant.sqrt()) / (2.0 * speed);
                }
            } else if damping > 0.0 && stall > 0.0 {
                let exact = voltage / speed - voltage * damping / stall;
                if exact > 0.0 {
                    emf = exact;
                }
            }
        }
        let constant = match (torque_constant > 0.0, emf > 0.0) {
            (true, true) => (torque_constant * emf).sqrt(),
            (true, false) => torque_constant,
            _ => emf,
        };
        if resistance == 0.0 && voltage > 0.0 && stall > 0.0 && constant > 0.0 {
            resistance = constant * voltage / stall;
        }
        (constant, resistance)
    }

    /// Thermal resistance and capacitance, each derived from the time constant when it is missing.
    fn thermal_constants(&self) -> Option<(f64, f64)> {
        let [mut resistance, mut capacitance, time, ..] = self.thermal;
        if !(resistance > 0.0 || capacitance > 0.0 || time > 0.0) {
            return None;
        }
        if time > 0.0 && resistance > 0.0 && capacitance == 0.0 {
            capacitance = time / resistance;
        } else if time > 0.0 && capacitance > 0.0 && resistance == 0.0 {
            resistance = time / capacitance;
        }
        Some((resistance, capacitance))
    }
}

impl Actuator {
    /// Direct drive: force = control.
    pub fn set_to_motor(&mut self) {
        self.gainprm[0] = 1.0;
        self.set_types(DynType::None, GainType::Fixed, BiasType::None);
    }

    fn set_types(&mut self, dynamics: DynType, gain: GainType, bias: BiasType) {
        (self.dyntype, self.gaintype, self.biastype) = (dynamics, gain, bias);
    }

    /// Position servo: force = kp (u - l) - kv v.
    pub fn set_to_position(&mut self, servo: &ServoParams) -> Result<(), PresetError> {
        self.gainprm[0] = servo.kp;
        self.biasprm[1] = -servo.kp;
        if servo.kv.is_some() && servo.dampratio.is_some() {
            return Err(PresetError::Both("kv", "dampratio"));
        }
        // the sign of the third bias parameter tells damping (negative) from a damping ratio (positive)
        if let Some(kv) = servo.kv {
            self.biasprm[2] = -not_negative("kv", kv)?;
        }
        if let Some(ratio) = servo.dampratio {
            self.biasprm[2] = not_negative("dampratio", ratio)?;
        }
        if let Some(time) = servo.timeconst {
            self.dynprm[0] = not_negative("timeconst", time)?;
            self.dyntype = if time == 0.0 { DynType::None } else { DynType::Filterexact };
        }
        self.inheritrange = servo.inheritrange;
        if servo.inheritrange > 0.0 && self.ctrlrange != [0.0; 2] {
            return Err(PresetError::Both("ctrlrange", "inheritrange"));
        }
        (self.gaintype, self.biastype) = (GainType::Fixed, BiasType::Affine);
        Ok(())
    }

    /// Position servo on the integral of the control.
    pub fn set_to_intvelocity(&mut self, servo: &ServoParams) -> Result<(), PresetError> {
        // the reference ignores what the position servo objects to
        let _ = self.set_to_position(servo);
        self.dyntype = DynType::Integrator;
        self.actlimited = Limited::True;
        if servo.inheritrange > 0.0 && self.actrange != [0.0; 2] {
            return Err(PresetError::Both("actrange", "inheritrange"));
        }
        Ok(())
    }

    /// Velocity servo: force = kv (u - v).
    pub fn set_to_velocity(&mut self, kv: f64) {
        self.biasprm = [0.0; 10];
        self.gainprm[0] = kv;
        self.biasprm[2] = -kv;
        self.set_types(DynType::None, GainType::Fixed, BiasType::Affine);
    }

    /// Controlled damping: force = -kv v u.
    pub fn set_to_damper(&mut self, kv: f64) -> Result<(), PresetError> {
        self.gainprm = [0.0; 10];
        self.gainprm[2] = -kv;
        self.ctrllimited = Limited::True;
        self.set_types(DynType::None, GainType::Affine, BiasType::None);
        not_negative("damping coefficient", kv)?;
        self.check_ctrlrange("damper control range")
    }

    fn check_ctrlrange(&self, name: &'static str) -> Result<(), PresetError> {
        not_negative(name, self.ctrlrange[0])?;
        not_negative(name, self.ctrlrange[1])?;
        Ok(())
    }

    /// Cylinder: force = area · pressure + bias, the pressure being a filtered control.
    pub fn set_to_cylinder(&mut self, cylinder: &CylinderParams) {
        self.dynprm[0] = cylinder.timeconst;
        self.biasprm[0] = cylinder.bias[0];
        self.gainprm[0] = match cylinder.diameter {
            Some(diameter) if diameter >= 0.0 => std::f64::consts::PI / 4.0 * diameter * diameter,
            _ => cylinder.area,
        };
        self.set_types(DynType::Filter, GainType::Fixed, BiasType::Affine);
    }

    /// Muscle with activation dynamics and force-length-velocity curves.
    pub fn set_to_muscle(&mut self, muscle: &MuscleParams) -> Result<(), PresetError> {
        // values of a general actuator become values of a muscle
        const GENERAL: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        const MUSCLE: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
        if self.dynprm[0] == 1.0 {
            self.dynprm[0] = 0.01;
        }
        if self.dynprm[1] == 0.0 {
            self.dynprm[1] = 0.04;
        }
        for i in 0..9 {
            if self.gainprm[i] == GENERAL[i] {
                self.gainprm[i] = MUSCLE[i];
            }
        }
        self.dynprm[2] = not_negative("muscle tausmooth", muscle.tausmooth)?;
        let given = [
            muscle.range[0],
            muscle.range[1],
            muscle.force,
            muscle.scale,
            muscle.lmin,
            muscle.lmax,
            muscle.vmax,
            muscle.fpmax,
            muscle.fvmax,
        ];
        for (field, value) in
            self.dynprm.iter_mut().zip(muscle.timeconst).chain(self.gainprm.iter_mut().zip(given))
        {
            if value >= 0.0 {
                *field = value;
            }
        }
        self.biasprm[..9].copy_from_slice(&self.gainprm[..9]);
        self.set_types(DynType::Muscle, GainType::Muscle, BiasType::Muscle);
        Ok(())
    }

    /// Adhesion: force on the contacts of a body = gain · control.
    pub fn set_to_adhesion(&mut self, gain: f64) -> Result<(), PresetError> {
        self.gainprm[0] = gain;
        self.ctrllimited = Limited::True;
        (self.gaintype, self.biastype) = (GainType::Fixed, BiasType::None);
        not_negative("gain", gain)?;
        self.check_ctrlrange("adhesion control range")
    }

    /// DC motor with optional electrical, thermal, friction and controller states.
    pub fn set_to_dcmotor(&mut self, motor: &DcMotorParams) -> Result<(), PresetError> {
        let (constant, resistance) = motor.constants(self.damping[0]);
        if constant <= 0.0 {
            return Err(PresetError::NotPositive("motor constant K"));
        }
        if resistance <= 0.0 {
            return Err(PresetError::NotPositive("the resistance"));
        }
        self.set_types(DynType::Dcmotor, GainType::Dcmotor, BiasType::Dcmotor);
        let [kp, ki, kd, slew_max, integral_max, voltage_max] = motor.controller;
        (self.gainprm[0], self.gainprm[1]) = (resistance, constant);
        self.gainprm[4..7].copy_from_slice(&[kp, ki, kd]);
        (self.dynprm[7], self.dynprm[8]) = (slew_max, integral_max);
        if voltage_max > 0.0 {
            self.gainprm[7] = voltage_max;
        }
        self.saturate(motor.saturation, constant);
        self.biasprm[..3].copy_from_slice(&motor.cogging);
        not_negative("inductance", motor.inductance[0].min(motor.inductance[1]))?;
        let electrical_time =
            if motor.inductance[0] > 0.0 { motor.inductance[0] / resistance } else { motor.inductance[1] };
        self.dynprm[0] = electrical_time;
        let mut states = i32::from(electrical_time > 0.0) + i32::from(slew_max > 0.0) + i32::from(ki > 0.0);
        if let Some((thermal_resistance, capacitance)) = motor.thermal_constants() {
            if thermal_resistance <= 0.0 {
                return Err(PresetError::NotPositive("the thermal resistance"));
            }
            if capacitance <= 0.0 {
                return Err(PresetError::NotPositive("the thermal capacitance"));
            }
            self.dynprm[2..5].copy_from_slice(&[thermal_resistance, capacitance, motor.thermal[5]]);
            self.gainprm[2..4].copy_from_slice(&motor.thermal[3..5]);
            states += 1;
        }
        if motor.lugre[0] > 0.0 {
            self.dynprm[5..7].copy_from_slice(&motor.lugre[..2]);
            self.biasprm[3..6].copy_from_slice(&motor.lugre[2..]);
            states += 1;
        }
        self.gainprm[8] = f64::from(motor.input);
        self.actdim = states;
        // the states have different units: one activation range cannot bound them
        self.actlimited = Limited::False;
        self.actearly = true;
        Ok(())
    }

    /// Bounds on torque, current and current rate of a DC motor.
    fn saturate(&mut self, [torque, current, current_rate]: [f64; 3], constant: f64) {
        if torque > 0.0 || current > 0.0 {
            let bound = if torque == 0.0 { constant * current } else { torque };
            self.forcerange = [-bound, bound];
            self.forcelimited = Limited::True;
        }
        if current_rate > 0.0 {
            self.dynprm[1] = current_rate;
        }
    }
}

fn not_negative(name: &'static str, value: f64) -> Result<f64, PresetError> {
    if value < 0.0 { Err(PresetError::Negative(name)) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_servo_damps() {
        let mut actuator = Actuator::default();
        actuator.set_to_position(&ServoParams { kp: 5.0, kv: Some(2.0), ..ServoParams::default() }).unwrap();
        assert_eq!((actuator.gainprm[0], &actuator.biasprm[..3]), (5.0, &[0.0, -5.0, -2.0][..]));
        assert_eq!((actuator.dyntype, actuator.biastype), (DynType::None, BiasType::Affine));
        let both = ServoParams { kv: Some(1.0), dampratio: Some(1.0), ..ServoParams::default() };
        assert_eq!(actuator.set_to_position(&both), Err(PresetError::Both("kv", "dampratio")));
    }

    #[test]
    fn muscle_replaces_general_values_only() {
        let mut actuator = Actuator::default();
        actuator.gainprm[3] = 7.0;
        actuator.set_to_muscle(&MuscleParams { force: 40.0, ..MuscleParams::default() }).unwrap();
        assert_eq!(&actuator.gainprm[..5], [0.75, 1.05, 40.0, 7.0, 0.5]);
        assert_eq!(&actuator.dynprm[..3], [0.01, 0.04, 0.0]);
        assert_eq!(actuator.biasprm[..9], actuator.gainprm[..9]);
    }

    #[test]
    fn dc_motor_from_its_data_sheet() {
        let mut actuator = Actuator::default();
        // 12 V, stall torque 2 N m, no-load speed 6 rad/s: K = 2, R = K V / torque = 12
        let motor =
            DcMotorParams { nominal: [12.0, 2.0, 6.0], inductance: [0.6, 0.0], ..DcMotorParams::default() };
        actuator.set_to_dcmotor(&motor).unwrap();
        assert_eq!((actuator.gainprm[0], actuator.gainprm[1], actuator.dynprm[0]), (12.0, 2.0, 0.6 / 12.0));
        assert_eq!(actuator.actdim, 1);
        assert!(Actuator::default().set_to_dcmotor(&DcMotorParams::default()).is_err());
    }
}
