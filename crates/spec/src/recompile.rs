//! Compiling a description again while its model is being simulated: what still exists keeps its state.

use std::collections::HashMap;
use std::hash::Hash;

use kinetree_model::enums::{JointType, ObjType};
use kinetree_model::{Data, Model, mj_id2name};

use crate::diagnostics::Diagnostics;
use crate::spec::{ActuatorId, BodyId, JointId, Spec};
use crate::vfs::Vfs;

/// Which elements of a description the numbers of a state belong to, in the order of the compiled model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateLayout {
    joints: Vec<JointId>,
    mocap: Vec<BodyId>,
    actuators: Vec<ActuatorId>,
}

/// Why a model could not be compiled again.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RecompileError {
    /// The edited description has errors.
    #[error("{0}")]
    Compile(Diagnostics),
    /// The data does not belong to the model.
    #[error(transparent)]
    Data(#[from] kinetree_model::Mismatch),
    /// Model and data do not belong to the description.
    #[error(
        "the model does not come from this description: it has {found} {what}, the description had {expected} when it was compiled"
    )]
    Layout {
        /// What differs.
        what: &'static str,
        /// How many the model has.
        found: usize,
        /// How many the description had.
        expected: usize,
    },
}

impl StateLayout {
    /// The layout of the model that a description compiles to.
    pub fn of(spec: &Spec) -> Self {
        let bodies = spec.subtree(spec.world());
        StateLayout {
            joints: bodies.iter().flat_map(|&body| spec.bodies[body].joints.iter().copied()).collect(),
            mocap: bodies.iter().copied().filter(|&body| spec.bodies[body].mocap).collect(),
            actuators: spec.actuators.ids(),
        }
    }

    fn check(&self, model: &Model) -> Result<(), RecompileError> {
        let counts = [
            ("joints", model.njnt, self.joints.len()),
            ("mocap bodies", model.nmocap, self.mocap.len()),
            ("actuators", model.nu, self.actuators.len()),
        ];
        match counts.into_iter().find(|(_, found, expected)| found != expected) {
            Some((what, found, expected)) => Err(RecompileError::Layout { what, found, expected }),
            None => Ok(()),
        }
    }
}

impl Spec {
    /// Compiles the description again. The new data has the time, positions, velocities, activations,
    /// controls and mocap poses of everything that existed before; everything else starts in the reference
    /// pose. `layout` is that of the description when `model` was compiled. The old model and data are not
    /// touched.
    ///
    /// # Errors
    /// When the description does not compile, or the layout or the data does not belong to the model.
    pub fn recompile(
        &self,
        layout: &StateLayout,
        model: &Model,
        data: &Data,
        vfs: Option<&Vfs>,
    ) -> Result<(Model, Data), RecompileError> {
        layout.check(model)?;
        data.check_sizes(model)?;
        let new_model = self.compile_with(vfs).map_err(RecompileError::Compile)?;
        let new_layout = StateLayout::of(self);
        new_layout.check(&new_model)?;
        let mut new_data = Data::new(&new_model);
        let shared = SharedElements {
            joints: shared(&new_layout.joints, &layout.joints),
            actuators: shared(&new_layout.actuators, &layout.actuators),
            mocap: shared(&new_layout.mocap, &layout.mocap),
        };
        carry_state(&shared, (model, data), (&new_model, &mut new_data));
        Ok((new_model, new_data))
    }
}

/// Copies time and state from the data of one model to that of another: everything with the same kind and
/// name, and elements without a name by their order among those.
///
/// For models that were read again from a file that someone has edited.
pub fn carry_state_by_name(old_model: &Model, old: &Data, model: &Model, data: &mut Data) {
    let shared = SharedElements {
        joints: shared(
            &names(model, ObjType::Joint, 0..model.njnt),
            &names(old_model, ObjType::Joint, 0..old_model.njnt),
        ),
        actuators: shared(
            &names(model, ObjType::Actuator, 0..model.nu),
            &names(old_model, ObjType::Actuator, 0..old_model.nu),
        ),
        mocap: shared(&mocap_names(model), &mocap_names(old_model)),
    };
    carry_state(&shared, (old_model, old), (model, data));
}

/// What tells an element from others of its kind: its name, or its index among those without one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Identity<'m> {
    Named(&'m str),
    Unnamed(usize),
}

fn names(model: &Model, kind: ObjType, ids: impl Iterator<Item = usize>) -> Vec<Identity<'_>> {
    let mut unnamed = 0;
    let identity = |id| match mj_id2name(model, kind, id).filter(|name| !name.is_empty()) {
        Some(name) => Identity::Named(name),
        None => {
            unnamed += 1;
            Identity::Unnamed(unnamed)
        }
    };
    ids.map(identity).collect()
}

/// Names of the mocap bodies, by their number.
fn mocap_names(model: &Model) -> Vec<Identity<'_>> {
    let mut bodies = vec![0; model.nmocap];
    for (body, &mocap) in model.body_mocapid.iter().enumerate() {
        if let Ok(mocap) = usize::try_from(mocap) {
            bodies[mocap] = body;
        }
    }
    names(model, ObjType::Body, bodies.into_iter())
}

/// Elements that two models share: the number of each in the new one, and in the old one.
struct SharedElements {
    joints: Vec<(usize, usize)>,
    actuators: Vec<(usize, usize)>,
    mocap: Vec<(usize, usize)>,
}

/// Copies the state of what two models share.
fn carry_state(
    shared: &SharedElements,
    (old_model, source): (&Model, &Data),
    (model, data): (&Model, &mut Data),
) {
    data.time = source.time;
    for &(j, old_j) in &shared.joints {
        if model.jnt_type[j] != old_model.jnt_type[old_j] {
            continue;
        }
        let (positions, dofs) = match JointType::try_from(model.jnt_type[j]) {
            Ok(JointType::Free) => (7, 6),
            Ok(JointType::Ball) => (4, 3),
            _ => (1, 1),
        };
        copy(&mut data.qpos, model.jnt_qposadr[j], &source.qpos, old_model.jnt_qposadr[old_j], positions);
        copy(&mut data.qvel, model.jnt_dofadr[j], &source.qvel, old_model.jnt_dofadr[old_j], dofs);
    }
    for &(i, old_i) in &shared.actuators {
        data.ctrl[i] = source.ctrl[old_i];
        let width = model.actuator_actnum[i];
        if width > 0 && width == old_model.actuator_actnum[old_i] {
            copy(
                &mut data.act,
                model.actuator_actadr[i],
                &source.act,
                old_model.actuator_actadr[old_i],
                width as usize,
            );
        }
    }
    for &(i, old_i) in &shared.mocap {
        data.mocap_pos[i] = source.mocap_pos[old_i];
        data.mocap_quat[i] = source.mocap_quat[old_i];
    }
}

/// Indices of the elements that both lists hold: in the new one, and in the old one.
fn shared<T: Copy + Eq + Hash>(new: &[T], old: &[T]) -> Vec<(usize, usize)> {
    let indices: HashMap<T, usize> = old.iter().enumerate().map(|(index, &id)| (id, index)).collect();
    new.iter().enumerate().filter_map(|(index, id)| Some((index, *indices.get(id)?))).collect()
}

fn copy(to: &mut [f64], to_start: i32, from: &[f64], from_start: i32, width: usize) {
    let (to_start, from_start) = (to_start as usize, from_start as usize);
    to[to_start..to_start + width].copy_from_slice(&from[from_start..from_start + width]);
}
