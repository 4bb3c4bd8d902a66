//! Scopes of the MJCF reader: the body, frame and default class that child elements belong to.

use crate::spec::{BodyId, DefaultId, FrameId};

/// What new elements belong to.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    /// The body.
    pub body: BodyId,
    /// The frame in the body.
    pub frame: Option<FrameId>,
    /// The default class for elements that name none.
    pub class: DefaultId,
}
