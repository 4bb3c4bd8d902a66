//! Keyframes of attached and replicated parts.
//!
//! A keyframe lists numbers in the order of the model it was written for. When a part of that model is copied
//! elsewhere the order changes, so the numbers are kept with the joints, actuators and mocap bodies they
//! belong to; the compiler puts them in order and fills the rest with the values of the reference pose.

use std::collections::HashMap;

use super::attach::Grafted;
use super::key_layout::Layout;
use super::names::Affix;
use super::*;

/// A keyframe has the wrong number of values for the model it stands in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Keyframe '{key}' has invalid {field} size, got {got}, should be {wanted}")]
pub(crate) struct KeySizeError {
    key: String,
    field: &'static str,
    got: usize,
    wanted: usize,
    /// Where the keyframe is.
    pub pos: SourcePos,
}

/// Cuts a list of numbers into one piece per element.
fn cut<T: Copy>(
    key: &Key,
    field: &'static str,
    values: &[f64],
    widths: impl Iterator<Item = (T, usize)> + Clone,
) -> Result<Option<Vec<(T, Vec<f64>)>>, KeySizeError> {
    if values.is_empty() {
        return Ok(None);
    }
    let wanted = widths.clone().map(|(_, width)| width).sum();
    if values.len() != wanted {
        return Err(KeySizeError {
            key: key.name.clone(),
            field,
            got: values.len(),
            wanted,
            pos: key.origin.pos,
        });
    }
    let mut rest = values;
    let mut pieces = Vec::new();
    for (id, width) in widths {
        let (piece, after) = rest.split_at(width);
        pieces.push((id, piece.to_vec()));
        rest = after;
    }
    Ok(Some(pieces))
}

impl Spec {
    /// The keyframes of this model with their numbers assigned to elements.
    pub(crate) fn assigned_keys(&self) -> Result<Vec<AttachedKey>, KeySizeError> {
        if self.keys.is_empty() {
            return Ok(Vec::new());
        }
        let Layout { joints, mocap, actuators } = Layout::of(self);
        let assign = |key: &Key| {
            let ctrl = cut(key, "ctrl", &key.ctrl, actuators.iter().map(|&(id, _)| (id, 1)))?;
            Ok(AttachedKey {
                name: key.name.clone(),
                origin: key.origin.clone(),
                time: key.time,
                qpos: cut(key, "qpos", &key.qpos, joints.iter().map(|&(id, (nq, _))| (id, nq)))?,
                qvel: cut(key, "qvel", &key.qvel, joints.iter().map(|&(id, (_, nv))| (id, nv)))?,
                act: cut(key, "act", &key.act, actuators.iter().copied())?,
                ctrl: ctrl.map(|list| list.into_iter().map(|(id, value)| (id, value[0])).collect()),
                mpos: cut(key, "mpos", &key.mpos, mocap.iter().map(|&id| (id, 3)))?,
                mquat: cut(key, "mquat", &key.mquat, mocap.iter().map(|&id| (id, 4)))?,
            })
        };
        self.keys.values().map(assign).collect()
    }
}

impl AttachedKey {
    /// The keyframe as lists in the order of a layout. Values that the keyframe does not know are NaN.
    pub(crate) fn in_order(&self, layout: &Layout) -> Key {
        fn fill<T, V: AsRef<[f64]>>(known: &Option<Vec<(Id<T>, V)>>, order: &[(Id<T>, usize)]) -> Vec<f64> {
            let Some(known) = known else { return Vec::new() };
            let known: HashMap<Id<T>, &[f64]> =
                known.iter().map(|(id, values)| (*id, values.as_ref())).collect();
            let value =
                |(id, width): &(Id<T>, usize)| match known.get(id).filter(|values| values.len() == *width) {
                    Some(values) => values.to_vec(),
                    None => vec![f64::NAN; *width],
                };
            order.iter().flat_map(value).collect()
        }
        let ctrl: Option<Vec<_>> =
            self.ctrl.as_ref().map(|list| list.iter().map(|&(id, value)| (id, [value])).collect());
        let each = |width: usize| layout.mocap.iter().map(move |&id| (id, width)).collect::<Vec<_>>();
        Key {
            name: self.name.clone(),
            origin: self.origin.clone(),
            time: self.time,
            qpos: fill(&self.qpos, &layout.joints.iter().map(|&(id, (nq, _))| (id, nq)).collect::<Vec<_>>()),
            qvel: fill(&self.qvel, &layout.joints.iter().map(|&(id, (_, nv))| (id, nv)).collect::<Vec<_>>()),
            act: fill(&self.act, &layout.actuators),
            ctrl: fill(&ctrl, &layout.actuators.iter().map(|&(id, _)| (id, 1)).collect::<Vec<_>>()),
            mpos: fill(&self.mpos, &each(3)),
            mquat: fill(&self.mquat, &each(4)),
        }
    }

    /// The keyframe with its elements moved to the copies that were made of them. Elements without a copy
    /// stay when `keep` says so, and are dropped otherwise.
    pub(crate) fn moved(
        &self,
        affix: Affix<'_>,
        to: &Grafted,
        actuators: &HashMap<ActuatorId, ActuatorId>,
        keep: bool,
    ) -> Self {
        fn map<T, V: Clone>(
            list: &Option<Vec<(Id<T>, V)>>,
            to: &HashMap<Id<T>, Id<T>>,
            keep: bool,
        ) -> Option<Vec<(Id<T>, V)>> {
            let new_id = |id: &Id<T>| to.get(id).copied().or(keep.then_some(*id));
            list.as_ref()
                .map(|list| list.iter().filter_map(|(id, v)| Some((new_id(id)?, v.clone()))).collect())
        }
        AttachedKey {
            name: affix.around(&self.name),
            origin: self.origin.clone(),
            time: self.time,
            qpos: map(&self.qpos, &to.joints, keep),
            qvel: map(&self.qvel, &to.joints, keep),
            act: map(&self.act, actuators, keep),
            ctrl: map(&self.ctrl, actuators, keep),
            mpos: map(&self.mpos, &to.bodies, keep),
            mquat: map(&self.mquat, &to.bodies, keep),
        }
    }

    /// Forgets elements that no longer exist.
    pub(crate) fn prune(&mut self, spec: &Spec) {
        let joints = [&mut self.qpos, &mut self.qvel];
        joints.into_iter().flatten().for_each(|list| list.retain(|(id, _)| spec.joints.get(*id).is_some()));
        if let Some(list) = &mut self.act {
            list.retain(|(id, _)| spec.actuators.get(*id).is_some());
        }
        if let Some(list) = &mut self.ctrl {
            list.retain(|(id, _)| spec.actuators.get(*id).is_some());
        }
        let bodies = [&mut self.mpos, &mut self.mquat];
        bodies.into_iter().flatten().for_each(|list| list.retain(|(id, _)| spec.bodies.get(*id).is_some()));
    }
}
