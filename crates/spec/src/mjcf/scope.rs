//! Where the elements of a kinematic tree go while it is read.

use crate::spec::{BodyId, DefaultId, FrameId};

/// Where new elements go.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The body.
    pub body: BodyId,
    /// The frame in the body.
    pub frame: Option<FrameId>,
    /// The default class for elements that name none.
    pub class: DefaultId,
}
