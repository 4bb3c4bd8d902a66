//! Keyframes: missing parts are filled from the reference pose, quaternions are normalized.

use kinetree_model::Model;
use kinetree_model::enums::{DynType, JointType};

use super::draft::Draft;
use crate::assets::linalg::normalize;
use crate::diagnostics::SourcePos;
use crate::spec::key_layout::Layout;
use crate::spec::{Actuator, Body, BodyId, Joint, Key, Spec};
use kinetree_model::consts::MAX_BYTES;

/// Most keyframes that the user can ask for.
pub(crate) const MAX_KEYS: usize = 1_000_000;

/// State that short keyframes are completed with: the poses as they are written, before any conversion.
struct WrittenState {
    qpos: Vec<f64>,
    nv: usize,
    na: usize,
    mocap: Vec<([f64; 3], [f64; 4])>,
}

impl WrittenState {
    fn of(spec: &Spec, order: &[BodyId]) -> Self {
        let mut state = Self { qpos: Vec::new(), nv: 0, na: 0, mocap: Vec::new() };
        let mut written = Vec::new();
        for body in order.iter().filter_map(|&id| spec.bodies.get(id)) {
            if body.mocap {
                state.mocap.push((body.pos, body.quat));
            }
            for joint in body.joints.iter().filter_map(|&id| spec.joints.get(id)) {
                let (adr, width, dofs) = match joint.r#type {
                    JointType::Free => (state.qpos.len(), 7, 6),
                    JointType::Ball => (state.qpos.len(), 4, 3),
                    JointType::Slide | JointType::Hinge => (state.qpos.len(), 1, 1),
                };
                state.nv += dofs;
                state.qpos.resize(adr + width, 0.0);
                written.push((adr, joint, body));
            }
        }
        for (adr, joint, body) in written {
            state.put(adr, &reference_values(spec, joint, body));
        }
        let width = |actuator: &Actuator| {
            usize::try_from(actuator.actdim)
                .ok()
                .filter(|dim| *dim > 0)
                .unwrap_or(usize::from(actuator.dyntype != DynType::None))
        };
        state.na = spec.actuators.values().map(width).sum();
        state
    }

    /// Copies values to an address, as many as there is room for.
    fn put(&mut self, adr: usize, values: &[f64]) {
        self.qpos[adr..].iter_mut().zip(values).for_each(|(slot, value)| *slot = *value);
    }
}

/// Values of a joint in the written state. Of which kind they are is decided, as in the reference, by the
/// default class of the joint and not by the joint itself, so that free and ball joints usually get zeros;
/// the compiled keyframe turns zero quaternions into the identity.
fn reference_values(spec: &Spec, joint: &Joint, body: &Body) -> Vec<f64> {
    let class = spec.find_default(&joint.origin.class).map(|id| spec.default_class(id));
    match class.map_or(JointType::Hinge, |class| class.joint.r#type) {
        JointType::Free => body.pos.into_iter().chain(body.quat).collect(),
        JointType::Ball => vec![1.0, 0.0, 0.0, 0.0],
        JointType::Slide | JointType::Hinge => vec![joint.r#ref],
    }
}

/// All keyframes, completed where they are too short, and empty ones up to the number that the user asked
/// for.
pub(crate) fn collect(spec: &Spec) -> Result<Vec<Key>, String> {
    let wanted = usize::try_from(spec.size.nkey).unwrap_or(0).min(MAX_KEYS);
    let count = spec.keys.len().max(wanted) + spec.attached_keys.len();
    if count == 0 {
        return Ok(Vec::new());
    }
    let state = WrittenState::of(spec, &spec.subtree(spec.world()));
    let length = state.qpos.len() + state.nv + state.na + 7 * state.mocap.len() + spec.actuators.len();
    let empty =
        |key: &Key| *key == Key { name: key.name.clone(), origin: key.origin.clone(), ..Key::default() };
    let all_empty = spec.attached_keys.is_empty() && spec.keys.values().all(empty);
    // before any list is made
    if !all_empty && count.saturating_mul(length) > MAX_BYTES / size_of::<f64>() {
        return Err(format!("{count} keyframes of {length} numbers are too many"));
    }
    let mut keys: Vec<Key> = spec.keys.values().cloned().collect();
    if keys.len() < wanted {
        keys.resize_with(wanted, Key::default);
    }
    if all_empty {
        return Ok(keys);
    }
    let layout = Layout::of(spec);
    keys.extend(spec.attached_keys.iter().map(|key| key.in_order(&layout)));
    for key in &mut keys {
        extend(&mut key.qpos, &state.qpos);
        extend(&mut key.qvel, &vec![0.0; state.nv]);
        extend(&mut key.act, &vec![0.0; state.na]);
        extend(&mut key.ctrl, &vec![0.0; spec.actuators.len()]);
        extend(&mut key.mpos, &state.mocap.iter().flat_map(|(pos, _)| *pos).collect::<Vec<_>>());
        extend(&mut key.mquat, &state.mocap.iter().flat_map(|(_, quat)| *quat).collect::<Vec<_>>());
    }
    Ok(keys)
}

/// Completes a list that was begun.
fn extend(list: &mut Vec<f64>, full: &[f64]) {
    if !list.is_empty() && list.len() < full.len() {
        list.extend(&full[list.len()..]);
    }
}

/// Fills the arrays of keyframes.
pub(crate) fn write(draft: &mut Draft<'_>, model: &mut Model) {
    let keys = std::mem::take(&mut draft.keys);
    let (nq, nv, na, nu) = (model.nq, model.nv, model.na, model.nu);
    let mocap_bodies: Vec<usize> = (0..model.nbody).filter(|&b| model.body_mocapid[b] >= 0).collect();
    let mpos: Vec<f64> = mocap_bodies.iter().flat_map(|&b| model.body_pos[b]).collect();
    let mquat: Vec<f64> = mocap_bodies.iter().flat_map(|&b| model.body_quat[b]).collect();
    for (k, key) in keys.iter().enumerate() {
        let mut values_or_default = |given: &[f64], default: &[f64], what: &str| -> Vec<f64> {
            if given.is_empty() {
                return default.to_vec();
            }
            if given.len() != default.len() {
                let pos: SourcePos = key.origin.pos;
                let message = format!(
                    "key '{}': invalid {what} size, expected {}, got {}",
                    key.name,
                    default.len(),
                    given.len()
                );
                draft.report.error_at(pos, message);
                return default.to_vec();
            }
            // keyframes of attached models know the values of their own elements only
            given.iter().zip(default).map(|(&value, &own)| if value.is_nan() { own } else { value }).collect()
        };
        let mut qpos = values_or_default(&key.qpos, &model.qpos0, "qpos");
        let qvel = values_or_default(&key.qvel, &vec![0.0; nv], "qvel");
        let act = values_or_default(&key.act, &vec![0.0; na], "act");
        let ctrl = values_or_default(&key.ctrl, &vec![0.0; nu], "ctrl");
        let mpos = values_or_default(&key.mpos, &mpos, "mpos");
        let mquat = values_or_default(&key.mquat, &mquat, "mquat");
        normalize_quaternions(model, &mut qpos);

        model.key_time[k] = key.time;
        model.key_qpos[k * nq..][..qpos.len()].copy_from_slice(&qpos);
        model.key_qvel[k * nv..][..qvel.len()].copy_from_slice(&qvel);
        model.key_act[k * na..][..act.len()].copy_from_slice(&act);
        model.key_ctrl[k * nu..][..ctrl.len()].copy_from_slice(&ctrl);
        for (i, (pos, quat)) in mpos.as_chunks::<3>().0.iter().zip(mquat.as_chunks::<4>().0).enumerate() {
            let slot = k * model.nmocap + i;
            model.key_mpos[slot] = *pos;
            model.key_mquat[slot] = *quat;
            normalize(&mut model.key_mquat[slot]);
        }
    }
    draft.keys = keys;
}

/// Normalizes the orientations of ball and free joints.
fn normalize_quaternions(model: &Model, qpos: &mut [f64]) {
    for j in 0..model.njnt {
        let offset = match model.jnt_type[j] {
            t if t == JointType::Free => 3,
            t if t == JointType::Ball => 0,
            _ => continue,
        };
        let start = model.jnt_qposadr[j] as usize + offset;
        if let Some(slot) = qpos.get_mut(start..start + 4).and_then(|slice| slice.first_chunk_mut::<4>()) {
            normalize(slot);
            // a second pass, with the engine's rule for quaternions that have no direction
            kinetree_math::rot::quat_normalize(slot);
        }
    }
}
