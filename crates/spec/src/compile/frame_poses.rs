//! Poses of nested `<frame>` elements.

use super::draft::Draft;
use super::frames::{Pose, UNIT, resolve_orientation};
use crate::assets::linalg::normalize;

/// Accumulates all `<frame>` elements, each after the frame around it.
pub(crate) fn compile(draft: &mut Draft<'_>) {
    let spec = draft.spec;
    draft.frames = vec![Pose::IDENTITY; spec.frames.slots()];
    let mut done = vec![false; spec.frames.slots()];
    for id in spec.frames.ids() {
        // frames that enclose this one and are not known yet, innermost first
        let mut pending = Vec::new();
        let mut next = Some(id);
        while let Some(frame) =
            next.filter(|frame| !done[frame.index()] && pending.len() <= spec.frames.len())
        {
            pending.push(frame);
            next = spec.frames.get(frame).and_then(|frame| frame.parent);
        }
        for id in pending.into_iter().rev() {
            let Some(src) = spec.frames.get(id) else { continue };
            let compiler = spec.compiler_of(&src.origin);
            let quat = resolve_orientation(&src.quat, &src.alt, compiler).unwrap_or_else(|message| {
                draft.report.error(src, message);
                UNIT
            });
            let mut pose = Pose::new(src.pos, quat);
            if let Some(parent) = src.parent {
                pose = draft.frame_pose(parent).compose(&pose);
            }
            normalize(&mut pose.quat);
            draft.frames[id.index()] = pose;
            done[id.index()] = true;
        }
    }
}
