//! Quantities of a model that can be identified: their coordinates, and what these change in the model.

use super::inertia::{self, BodyInertia};
use crate::error::ControlError;
use kinetree_model::enums::{JointType, ObjType};
use kinetree_model::{Data, FieldSliceMut, Model, mj_id2name};
use kinetree_sim::mj_set_const;

/// A quantity of the model. Objects are given by their index.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// Mass of a body; its moments of inertia go with it, its centre of mass remains.
    Mass(usize),
    /// All of a body's inertia, ten coordinates: logarithm of the mass, logarithms of three radii and three
    /// shears of the distribution of mass, centre of mass.
    Inertia(usize),
    /// Damping of the dofs of a joint.
    Damping(usize),
    /// Armature of the dofs of a joint.
    Armature(usize),
    /// Dry friction of the dofs of a joint.
    FrictionLoss(usize),
    /// Stiffness of a joint's spring.
    Stiffness(usize),
    /// Gain of an actuator, with the feedback of a position or velocity servo.
    Gain(usize),
    /// Damping of a position servo, the negative of its third bias parameter.
    ServoDamping(usize),
    /// Sliding friction of a geom.
    Friction(usize),
    /// By how many seconds the control of an actuator acts later than it was recorded.
    Delay(usize),
    /// A number of a field of the model, by the field's name and the index in it.
    Field(String, usize),
}

/// What the change of a coordinate does to a number of a field that has gradients.
#[derive(Debug)]
pub(crate) struct FieldChange {
    pub(crate) field: &'static str,
    pub(crate) index: usize,
    pub(crate) derivative: f64,
}

/// An error that names the quantity.
fn refuse<T>(quantity: String, reason: &'static str) -> Result<T, ControlError> {
    Err(ControlError::Quantity { quantity, reason })
}

impl Quantity {
    /// Number of coordinates.
    #[must_use]
    pub fn count(&self) -> usize {
        if matches!(self, Self::Inertia(_)) { inertia::COUNT } else { 1 }
    }

    /// The name of a coordinate, such as `mass of body 'arm'`.
    #[must_use]
    pub fn name(&self, model: &Model, coordinate: usize) -> String {
        let named = |what: &str, kind: ObjType, word: &str, index: usize| match mj_id2name(model, kind, index)
        {
            Some(name) => format!("{what} of {word} '{name}'"),
            None => format!("{what} of {word} {index}"),
        };
        match self {
            Self::Mass(body) => named("mass", ObjType::Body, "body", *body),
            Self::Inertia(body) => named(inertia::NAMES[coordinate], ObjType::Body, "body", *body),
            Self::Damping(joint) => named("damping", ObjType::Joint, "joint", *joint),
            Self::Armature(joint) => named("armature", ObjType::Joint, "joint", *joint),
            Self::FrictionLoss(joint) => named("friction loss", ObjType::Joint, "joint", *joint),
            Self::Stiffness(joint) => named("stiffness", ObjType::Joint, "joint", *joint),
            Self::Gain(actuator) => named("gain", ObjType::Actuator, "actuator", *actuator),
            Self::ServoDamping(actuator) => named("servo damping", ObjType::Actuator, "actuator", *actuator),
            Self::Friction(geom) => named("friction", ObjType::Geom, "geom", *geom),
            Self::Delay(actuator) => named("delay", ObjType::Actuator, "actuator", *actuator),
            Self::Field(field, index) => format!("{field}[{index}]"),
        }
    }

    /// Checks that the model has it.
    pub(crate) fn check(&self, model: &Model) -> Result<(), ControlError> {
        let name = || self.name(model, 0);
        let below = |index: usize, count: usize| {
            if index < count { Ok(()) } else { refuse(format!("{self:?}"), "the model has no such object") }
        };
        match self {
            Self::Mass(body) | Self::Inertia(body) => {
                below(*body, model.nbody)?;
                if *body == 0 || model.body_mass[*body] <= 0.0 {
                    return refuse(name(), "the body has no mass");
                }
                if matches!(self, Self::Inertia(_)) && model.body_simple[*body] != 0 {
                    let reason = "the compiler has made its inertia matrix a constant: give the body an inertial \
                                  frame away from its own, or identify its mass alone";
                    return refuse(name(), reason);
                }
                Ok(())
            }
            Self::Damping(joint)
            | Self::Armature(joint)
            | Self::FrictionLoss(joint)
            | Self::Stiffness(joint) => below(*joint, model.njnt),
            Self::Gain(actuator) | Self::ServoDamping(actuator) | Self::Delay(actuator) => {
                below(*actuator, model.nu)
            }
            Self::Friction(geom) => below(*geom, model.ngeom),
            Self::Field(field, index) => {
                let mut copy = model.clone();
                match number(&mut copy, field, *index) {
                    Some(_) => Ok(()),
                    None => refuse(name(), "the model has no such number of floating point"),
                }
            }
        }
    }

    /// The coordinates as the model has them.
    pub(crate) fn nominal(&self, model: &Model) -> Result<Vec<f64>, ControlError> {
        let first = |list: &[f64], joint: usize| list[dofs(model, joint).start];
        Ok(vec![match self {
            Self::Mass(body) => model.body_mass[*body],
            Self::Inertia(body) => match inertia::coordinates(&body_of(model, *body)) {
                Some(coordinates) => return Ok(coordinates.to_vec()),
                None => {
                    return refuse(
                        self.name(model, 0),
                        "its mass is a point, a line or flat: begin with moments of inertia that a solid has",
                    );
                }
            },
            Self::Damping(joint) => first(&model.dof_damping, *joint),
            Self::Armature(joint) => first(&model.dof_armature, *joint),
            Self::FrictionLoss(joint) => first(&model.dof_frictionloss, *joint),
            Self::Stiffness(joint) => model.jnt_stiffness[*joint],
            Self::Gain(actuator) => model.actuator_gainprm[*actuator][0],
            Self::ServoDamping(actuator) => -model.actuator_biasprm[*actuator][2],
            Self::Friction(geom) => model.geom_friction[*geom][0],
            Self::Delay(_) => 0.0,
            Self::Field(field, index) => {
                number(&mut model.clone(), field, *index).map_or(0.0, |value| *value)
            }
        }])
    }

    /// Least and greatest value that make sense.
    pub(crate) fn bounds(&self) -> [f64; 2] {
        match self {
            // the rows of dry friction exist where it is above zero only
            Self::Mass(_) | Self::FrictionLoss(_) => [1e-9, f64::INFINITY],
            Self::Damping(_)
            | Self::Armature(_)
            | Self::Stiffness(_)
            | Self::Friction(_)
            | Self::Delay(_) => [0.0, f64::INFINITY],
            Self::Inertia(_) | Self::Gain(_) | Self::ServoDamping(_) | Self::Field(..) => {
                [f64::NEG_INFINITY, f64::INFINITY]
            }
        }
    }

    /// A change of a coordinate that is neither small nor large, where the value itself does not say.
    pub(crate) fn scale(&self, model: &Model, coordinate: usize, value: f64) -> f64 {
        match self {
            Self::Inertia(_) if coordinate < 4 => 1.0,
            // shears and centres: the size of the body
            Self::Inertia(body) => {
                let body = body_of(model, *body);
                (body.inertia.iter().sum::<f64>() / (2.0 * body.mass)).sqrt()
            }
            Self::Delay(_) => value.abs().max(model.opt.timestep),
            _ if value == 0.0 => 1.0,
            _ => value.abs(),
        }
    }

    /// Sets the coordinates in a model that is otherwise `nominal`.
    pub(crate) fn apply(&self, nominal: &Model, values: &[f64], model: &mut Model) {
        let value = values[0];
        match self {
            Self::Mass(body) => {
                model.body_mass[*body] = value;
                let factor = value / nominal.body_mass[*body];
                model.body_inertia[*body] = nominal.body_inertia[*body].map(|moment| moment * factor);
            }
            Self::Inertia(body) => {
                let BodyInertia { mass, ipos, iquat, inertia } = inertia::body(values);
                model.body_mass[*body] = mass;
                model.body_ipos[*body] = ipos;
                model.body_iquat[*body] = iquat;
                model.body_inertia[*body] = inertia;
                // no frame is that of the inertia any more
                model.body_sameframe[*body] = 0;
                for geom in (0..model.ngeom).filter(|&geom| nominal.geom_bodyid[geom] as usize == *body) {
                    model.geom_sameframe[geom] = 0;
                }
                for site in (0..model.nsite).filter(|&site| nominal.site_bodyid[site] as usize == *body) {
                    model.site_sameframe[site] = 0;
                }
            }
            Self::Damping(joint) => model.dof_damping[dofs(nominal, *joint)].fill(value),
            Self::Armature(joint) => model.dof_armature[dofs(nominal, *joint)].fill(value),
            Self::FrictionLoss(joint) => model.dof_frictionloss[dofs(nominal, *joint)].fill(value),
            Self::Stiffness(joint) => model.jnt_stiffness[*joint] = value,
            Self::Gain(actuator) => {
                model.actuator_gainprm[*actuator][0] = value;
                if let Some(feedback) = feedback(nominal, *actuator) {
                    model.actuator_biasprm[*actuator][feedback] = -value;
                }
            }
            Self::ServoDamping(actuator) => model.actuator_biasprm[*actuator][2] = -value,
            Self::Friction(geom) => model.geom_friction[*geom][0] = value,
            Self::Delay(_) => {}
            Self::Field(field, index) => {
                if let Some(number) = number(model, field, *index) {
                    *number = value;
                }
            }
        }
    }

    /// Whether constants of the model follow from it.
    pub(crate) fn moves_constants(&self) -> bool {
        matches!(self, Self::Mass(_) | Self::Inertia(_) | Self::Armature(_) | Self::Field(..))
    }

    /// What a change of a coordinate does to fields that have gradients; none when it changes others.
    /// Constants of the model that follow from these fields are not among them.
    pub(crate) fn changes(
        &self,
        model: &Model,
        values: &[f64],
        coordinate: usize,
    ) -> Option<Vec<FieldChange>> {
        let one = |field, index, derivative| FieldChange { field, index, derivative };
        let of_dofs = |field, joint| dofs(model, joint).map(|dof| one(field, dof, 1.0)).collect();
        let of_body = |body: usize, by: [f64; 10]| {
            by.into_iter().enumerate().map(|(k, by)| one("body_inertial", 10 * body + k, by)).collect()
        };
        Some(match self {
            Self::Mass(body) => {
                let all = inertia::inertial(&body_of(model, *body));
                of_body(*body, all.map(|value| value / values[0]))
            }
            Self::Inertia(body) => of_body(*body, inertia::derivatives(values)[coordinate]),
            Self::Damping(joint) => of_dofs("dof_damping", *joint),
            Self::Armature(joint) => of_dofs("dof_armature", *joint),
            Self::FrictionLoss(joint) => of_dofs("dof_frictionloss", *joint),
            Self::Stiffness(joint) => vec![one("jnt_stiffness", *joint, 1.0)],
            Self::Gain(actuator) => {
                let mut found = vec![one("actuator_gainprm", 10 * actuator, 1.0)];
                found.extend(
                    feedback(model, *actuator).map(|k| one("actuator_biasprm", 10 * actuator + k, -1.0)),
                );
                found
            }
            Self::ServoDamping(actuator) => vec![one("actuator_biasprm", 10 * actuator + 2, -1.0)],
            Self::Friction(geom) => vec![one("geom_friction", 3 * geom, 1.0)],
            Self::Delay(_) | Self::Field(..) => return None,
        })
    }
}

/// Computes what follows from masses and geometry.
pub(crate) fn set_constants(model: &mut Model, data: &mut Data) -> Result<(), ControlError> {
    mj_set_const(model, data).map_err(|problem| ControlError::Constants(problem.to_string()))
}

/// Which bias parameter is the negative gain, as servos have it.
fn feedback(model: &Model, actuator: usize) -> Option<usize> {
    let (gain, bias) = (model.actuator_gainprm[actuator][0], model.actuator_biasprm[actuator]);
    (1..3).find(|&k| gain != 0.0 && bias[k] == -gain)
}

fn dofs(model: &Model, joint: usize) -> std::ops::Range<usize> {
    let first = model.jnt_dofadr[joint] as usize;
    let count = match model.jnt_type[joint] {
        kind if kind == JointType::Free => 6,
        kind if kind == JointType::Ball => 3,
        _ => 1,
    };
    first..first + count
}

fn body_of(model: &Model, body: usize) -> BodyInertia {
    BodyInertia {
        mass: model.body_mass[body],
        ipos: model.body_ipos[body],
        iquat: model.body_iquat[body],
        inertia: model.body_inertia[body],
    }
}

/// A number of a field of floating-point numbers.
fn number<'m>(model: &'m mut Model, field: &str, index: usize) -> Option<&'m mut f64> {
    let found = model.fields_mut().into_iter().find(|known| known.name == field)?;
    match found.data {
        FieldSliceMut::F64(numbers) => numbers.get_mut(index),
        _ => None,
    }
}
