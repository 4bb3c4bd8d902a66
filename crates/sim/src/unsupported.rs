//! What a model uses whose meaning at its reference level does not exist here: it is refused by name, and
//! never simulated with the meaning of another level.
//!
//! What the model itself shows is refused when it is loaded and, since options may be changed, when it is
//! simulated. Contacts are refused when they come about: most geoms of a model never touch.

use crate::contact::pair_margin;
use kinetree_model::enums::{
    BiasType, DisableBit, EnableBit, EqType, GainType, GeomType, JointType, SensorType, Solver, TrnType,
    WrapType,
};
use kinetree_model::{Contact, Data, Difference, Model, Reference, StepError, point};

/// A difference, and whether a model uses it.
type Entry = (&'static Difference, fn(&Model) -> bool);

/// What is refused of models.
static REFUSED: &[Entry] = &[
    (&point::flexes, |model| model.nflex > 0),
    (&point::sleep, |model| model.enabled(EnableBit::Sleep)),
    (&point::pgs, |model| solves_by(model, Solver::Pgs)),
    (&point::noslip, |model| model.opt.noslip_iterations > 0),
    (&point::discrete, |model| model.opt.integrator == DISCRETE),
    (&point::diagexact, |model| model.opt.enableflags & DIAGEXACT != 0),
    (&point::ipc, |model| model.opt.enableflags & IPC != 0),
    (&point::speculative, |model| model.opt.enableflags & SPECULATIVE != 0),
    (&point::side_sites, has_side_site),
    (&point::circular_setpoints, |model| {
        (0..model.nu).any(|actuator| has_circular_setpoint(model, actuator))
    }),
    (&point::dcmotor_input, |model| (0..model.nu).any(|actuator| is_controlled_motor(model, actuator))),
    (&point::force_torque, |model| {
        has_sensor(model, &[SensorType::Force, SensorType::Torque])
            && (model.eq_type.contains(&(EqType::Weld as i32))
                || model.wrap_type.contains(&(WrapType::Site as i32)))
    }),
    (&point::geom_distance, |model| {
        has_sensor(model, &[SensorType::Geomdist, SensorType::Geomnormal, SensorType::Geomfromto])
    }),
    (&point::tactile, |model| has_sensor(model, &[SensorType::Tactile])),
    (&point::rays, |model| {
        has_sensor(model, &[SensorType::Rangefinder])
            && [GeomType::Hfield, GeomType::Mesh, GeomType::Sdf].iter().any(|&kind| has_geom(model, kind))
    }),
    (&point::compiler_rejects, |model| {
        model.hfield_nrow.iter().chain(&model.hfield_ncol[..]).any(|&count| count < 2)
            || has_odd_tendon(model)
    }),
];

/// Numbers of level 4.0 that level 3.8 does not have: an integrator, and flags.
const DISCRETE: i32 = 4;
const DIAGEXACT: i32 = 1 << 5;
const IPC: i32 = 1 << 6;
const SPECULATIVE: i32 = 1 << 7;

/// The first thing that a model uses whose meaning at its reference level does not exist here.
#[must_use]
pub fn refused_difference(model: &Model) -> Option<&'static Difference> {
    if model.reference() == Reference::default() {
        return None;
    }
    REFUSED.iter().find(|(_, uses)| uses(model)).map(|&(difference, _)| difference)
}

/// Refuses a model by its options and elements.
///
/// # Errors
/// When something has another meaning at its level.
#[inline]
pub(crate) fn check_model(model: &Model) -> Result<(), StepError> {
    refused_difference(model).map_or(Ok(()), |difference| Err(StepError::Reference(difference)))
}

/// Refuses a state by its contacts and its inertia matrix.
///
/// # Errors
/// When something has another meaning at the level of the model.
#[inline]
pub(crate) fn check_position(model: &Model, data: &Data) -> Result<(), StepError> {
    if model.reference() == Reference::default() {
        return Ok(());
    }
    let contacts = &data.contact[..data.ncon];
    let mut found = contacts.iter().find_map(|contact| contact_difference(model, contact));
    // pivots that are not positive
    if !data.qLDiagInv.iter().all(|inverse| *inverse > 0.0 && inverse.is_finite()) {
        found = found.or(Some(&point::pivots));
    }
    found.map_or(Ok(()), |difference| Err(StepError::Reference(difference)))
}

/// What differs about a contact.
fn contact_difference(model: &Model, contact: &Contact) -> Option<&'static Difference> {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sdf, Sphere};
    let geoms = contact.geom.map(|geom| usize::try_from(geom).ok());
    let [Some(g1), Some(g2)] = geoms else { return Some(&point::flexes) };
    let mut kinds = [g1, g2].map(|geom| GeomType::try_from(model.geom_type[geom]));
    if model.geom_type[g1] > model.geom_type[g2] {
        kinds.swap(0, 1);
    }
    match kinds {
        [Ok(Sdf), _] | [_, Ok(Sdf)] => Some(&point::distance_fields),
        [Ok(Plane), Ok(Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh)]
        | [Ok(Sphere), Ok(Sphere | Capsule | Cylinder | Box)]
        | [Ok(Capsule), Ok(Capsule | Box)]
        | [Ok(Box), Ok(Box)] => None,
        // one point, as long as the centre of the sphere is outside
        [Ok(Sphere), Ok(Mesh)] | [Ok(Hfield), Ok(Sphere)] if is_shallow(model, contact, [g1, g2]) => None,
        [Ok(Plane | Sphere | Hfield | Capsule | Ellipsoid | Cylinder | Box | Mesh), _] => {
            Some(&point::multicontact)
        }
        _ => None,
    }
}

/// Whether the centre of the sphere of a contact without margin is clearly outside the other geom.
fn is_shallow(model: &Model, contact: &Contact, geoms: [usize; 2]) -> bool {
    let outside = |&geom: &usize| {
        model.geom_type[geom] == GeomType::Sphere as i32
            && contact.dist > model.opt.ccd_tolerance - model.geom_size[geom][0]
    };
    pair_margin(model, geoms) == 0.0 && geoms.iter().any(outside)
}

fn solves_by(model: &Model, solver: Solver) -> bool {
    model.opt.solver == solver as i32 && !model.disabled(DisableBit::Constraint)
}

fn has_sensor(model: &Model, kinds: &[SensorType]) -> bool {
    model.sensor_type.iter().any(|&found| kinds.iter().any(|&kind| found == kind as i32))
}

fn has_geom(model: &Model, kind: GeomType) -> bool {
    model.geom_type.contains(&(kind as i32))
}

fn has_side_site(model: &Model) -> bool {
    let mut wraps = model.wrap_type.iter().zip(&model.wrap_prm[..]);
    wraps.any(|(&kind, &side)| {
        (kind == WrapType::Sphere as i32 || kind == WrapType::Cylinder as i32) && side >= 0.0
    })
}

/// Whether an actuator is a position servo of a rotation in space.
fn has_circular_setpoint(model: &Model, actuator: usize) -> bool {
    let (gain, bias) = (model.actuator_gainprm[actuator][0], model.actuator_biasprm[actuator][1]);
    let is_servo = model.actuator_gaintype[actuator] == GainType::Fixed as i32
        && model.actuator_biastype[actuator] == BiasType::Affine as i32
        && gain != 0.0
        && gain == -bias;
    let [target, second] = model.actuator_trnid[actuator];
    is_servo
        && match TrnType::try_from(model.actuator_trntype[actuator]) {
            Ok(TrnType::Joint | TrnType::Jointinparent) => {
                usize::try_from(target).is_ok_and(|joint| model.jnt_type[joint] == JointType::Ball as i32)
            }
            Ok(TrnType::Site) => second >= 0 && model.actuator_gear[actuator][3..] != [0.0; 3],
            _ => false,
        }
}

/// Whether an actuator is a DC motor with more than a voltage.
fn is_controlled_motor(model: &Model, actuator: usize) -> bool {
    model.actuator_gaintype[actuator] == GainType::Dcmotor as i32
        && model.actuator_gainprm[actuator][4..9].iter().any(|&gain| gain != 0.0)
}

/// Whether a tendon is one that level 4.0 does not compile: fixed over a joint that is no hinge or slide or
/// comes twice, or with a pulley without divisor.
fn has_odd_tendon(model: &Model) -> bool {
    (0..model.ntendon).any(|tendon| {
        let first = model.tendon_adr[tendon] as usize;
        let path = first..first + model.tendon_num[tendon] as usize;
        path.clone().any(|wrap| match WrapType::try_from(model.wrap_type[wrap]) {
            Ok(WrapType::Joint) => {
                let joint = model.wrap_objid[wrap];
                let kind = model.jnt_type[joint as usize];
                let again = path.clone().any(|other| other != wrap && model.wrap_objid[other] == joint);
                again || kind == JointType::Ball as i32 || kind == JointType::Free as i32
            }
            Ok(WrapType::Pulley) => model.wrap_prm[wrap] <= 0.0,
            _ => false,
        })
    })
}
