//! State vectors: a selection of state components, concatenated in the order of their bits.

use crate::enums::StateBit;
use crate::{Data, Mismatch, Model};

/// Number of state components.
const NSTATE: u32 = 14;

/// Positions, velocities, activations and history.
pub const STATE_PHYSICS: u32 =
    StateBit::Qpos as u32 | StateBit::Qvel as u32 | StateBit::Act as u32 | StateBit::History as u32;
/// The physics state with time and plugin state.
pub const STATE_FULLPHYSICS: u32 = StateBit::Time as u32 | STATE_PHYSICS | StateBit::Plugin as u32;
/// Everything that a user sets.
pub const STATE_USER: u32 = StateBit::Ctrl as u32
    | StateBit::QfrcApplied as u32
    | StateBit::XfrcApplied as u32
    | StateBit::EqActive as u32
    | StateBit::MocapPos as u32
    | StateBit::MocapQuat as u32
    | StateBit::Userdata as u32;
/// Everything that decides the next step.
pub const STATE_INTEGRATION: u32 = STATE_FULLPHYSICS | STATE_USER | StateBit::Warmstart as u32;

/// What can be wrong with a request about states and keyframes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The signature has bits that name no component.
    #[error("invalid state signature {signature}: it must be below 2^{NSTATE} = {}", 1u32 << NSTATE)]
    InvalidSignature {
        /// The signature.
        signature: u32,
    },
    /// The vector has the wrong length.
    #[error("state vector has {found} values, but the signature needs {expected}")]
    WrongSize {
        /// Length that the signature needs.
        expected: usize,
        /// Length that was given.
        found: usize,
    },
    /// The destination asks for components that the source does not have.
    #[error("signature {wanted} is not contained in source signature {available}")]
    NotContained {
        /// Components asked for.
        wanted: u32,
        /// Components there are.
        available: u32,
    },
    /// There is no such keyframe.
    #[error("keyframe {key} does not exist: the model has {nkey}")]
    NoKeyframe {
        /// Index asked for.
        key: usize,
        /// Number of keyframes.
        nkey: usize,
    },
    /// The data was made for another model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// One component of the state, borrowed.
enum Component<'a> {
    Floats(&'a mut [f64]),
    Flags(&'a mut [u8]),
}

/// The values of the component with the given bit.
fn component(data: &mut Data, bit: StateBit) -> Component<'_> {
    Component::Floats(match bit {
        StateBit::Time => std::slice::from_mut(&mut data.time),
        StateBit::Qpos => &mut data.qpos,
        StateBit::Qvel => &mut data.qvel,
        StateBit::Act => &mut data.act,
        StateBit::History => &mut data.history,
        StateBit::Warmstart => &mut data.qacc_warmstart,
        StateBit::Ctrl => &mut data.ctrl,
        StateBit::QfrcApplied => &mut data.qfrc_applied,
        StateBit::XfrcApplied => data.xfrc_applied.as_flattened_mut(),
        StateBit::EqActive => return Component::Flags(&mut data.eq_active),
        StateBit::MocapPos => data.mocap_pos.as_flattened_mut(),
        StateBit::MocapQuat => data.mocap_quat.as_flattened_mut(),
        StateBit::Userdata => &mut data.userdata,
        StateBit::Plugin => &mut data.plugin_state,
    })
}

/// Copies the component with the given bit to the front of `out`; returns how many values it has.
fn read_component(data: &Data, bit: StateBit, out: &mut [f64]) -> usize {
    let source: &[f64] = match bit {
        StateBit::Time => std::slice::from_ref(&data.time),
        StateBit::Qpos => &data.qpos,
        StateBit::Qvel => &data.qvel,
        StateBit::Act => &data.act,
        StateBit::History => &data.history,
        StateBit::Warmstart => &data.qacc_warmstart,
        StateBit::Ctrl => &data.ctrl,
        StateBit::QfrcApplied => &data.qfrc_applied,
        StateBit::XfrcApplied => data.xfrc_applied.as_flattened(),
        StateBit::EqActive => {
            for (o, &flag) in out.iter_mut().zip(&data.eq_active) {
                *o = f64::from(flag);
            }
            return data.eq_active.len();
        }
        StateBit::MocapPos => data.mocap_pos.as_flattened(),
        StateBit::MocapQuat => data.mocap_quat.as_flattened(),
        StateBit::Userdata => &data.userdata,
        StateBit::Plugin => &data.plugin_state,
    };
    out[..source.len()].copy_from_slice(source);
    source.len()
}

/// Number of values of the component with the given bit.
fn component_size(model: &Model, bit: StateBit) -> usize {
    match bit {
        StateBit::Time => 1,
        StateBit::Qpos => model.nq,
        StateBit::Qvel | StateBit::Warmstart | StateBit::QfrcApplied => model.nv,
        StateBit::Act => model.na,
        StateBit::History => model.nhistory,
        StateBit::Ctrl => model.nu,
        StateBit::XfrcApplied => 6 * model.nbody,
        StateBit::EqActive => model.neq,
        StateBit::MocapPos => 3 * model.nmocap,
        StateBit::MocapQuat => 4 * model.nmocap,
        StateBit::Userdata => model.nuserdata,
        StateBit::Plugin => model.npluginstate,
    }
}

/// The components named by a signature, in order.
fn components(signature: u32) -> Result<impl Iterator<Item = StateBit>, StateError> {
    if signature >= 1 << NSTATE {
        return Err(StateError::InvalidSignature { signature });
    }
    Ok(StateBit::ALL.iter().copied().filter(move |&bit| signature & bit as u32 != 0))
}

/// Checks the length of a state vector against its signature.
fn check_size(model: &Model, signature: u32, found: usize) -> Result<(), StateError> {
    let expected = mj_state_size(model, signature)?;
    if found == expected { Ok(()) } else { Err(StateError::WrongSize { expected, found }) }
}

/// Number of values in the state vector with the given signature.
///
/// # Errors
/// When the signature has bits that name no component.
pub fn mj_state_size(model: &Model, signature: u32) -> Result<usize, StateError> {
    Ok(components(signature)?.map(|bit| component_size(model, bit)).sum())
}

/// Copies the selected state components into `state`.
///
/// # Errors
/// When the signature is invalid, `state` has the wrong length or the data belongs to another model.
pub fn mj_get_state(model: &Model, data: &Data, state: &mut [f64], signature: u32) -> Result<(), StateError> {
    data.check_sizes(model)?;
    check_size(model, signature, state.len())?;
    let mut at = 0;
    for bit in components(signature)? {
        at += read_component(data, bit, &mut state[at..]);
    }
    Ok(())
}

/// Sets the selected state components from `state`.
///
/// # Errors
/// When the signature is invalid, `state` has the wrong length or the data belongs to another model; `data`
/// is then unchanged.
pub fn mj_set_state(model: &Model, data: &mut Data, state: &[f64], signature: u32) -> Result<(), StateError> {
    data.check_sizes(model)?;
    check_size(model, signature, state.len())?;
    let mut at = 0;
    for bit in components(signature)? {
        match component(data, bit) {
            Component::Floats(values) => {
                let n = values.len();
                values.copy_from_slice(&state[at..at + n]);
                at += n;
            }
            Component::Flags(flags) => {
                for flag in flags {
                    *flag = u8::from(state[at] != 0.0);
                    at += 1;
                }
            }
        }
    }
    Ok(())
}

/// Copies the components of `dst_signature` out of a state vector with the components of `src_signature`.
///
/// # Errors
/// When a signature is invalid, the destination is not a subset of the source, or a length is wrong.
pub fn mj_extract_state(
    model: &Model,
    src: &[f64],
    src_signature: u32,
    dst: &mut [f64],
    dst_signature: u32,
) -> Result<(), StateError> {
    check_size(model, src_signature, src.len())?;
    check_size(model, dst_signature, dst.len())?;
    if dst_signature & !src_signature != 0 {
        return Err(StateError::NotContained { wanted: dst_signature, available: src_signature });
    }
    let (mut from, mut to) = (0, 0);
    for bit in components(src_signature)? {
        let n = component_size(model, bit);
        if dst_signature & bit as u32 != 0 {
            dst[to..to + n].copy_from_slice(&src[from..from + n]);
            to += n;
        }
        from += n;
    }
    Ok(())
}

/// Copies the selected state components from one data to another of the same model.
///
/// # Errors
/// When the signature is invalid or a data does not belong to `model`.
pub fn mj_copy_state(model: &Model, src: &Data, dst: &mut Data, signature: u32) -> Result<(), StateError> {
    let mut state = vec![0.0; mj_state_size(model, signature)?];
    mj_get_state(model, src, &mut state, signature)?;
    mj_set_state(model, dst, &state, signature)
}
