//! A geom pair that the broad phase lists, and its order in the contact list.

/// A geom pair to be tested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// The two bodies, the lower id first, in one number.
    pub(super) bodies: u64,
    /// Order among the pairs of the same bodies.
    pub(super) rank: u64,
    pub geom1: u32,
    pub geom2: u32,
    /// The explicit pair, or -1.
    pub pair: i32,
}

impl Candidate {
    /// The body with the lower id.
    #[inline]
    pub(super) fn first_body(&self) -> usize {
        (self.bodies >> 32) as usize
    }
}

/// What decides about the order of candidates.
#[inline]
pub(super) fn by_rank(c: &Candidate) -> (u64, u64) {
    (c.bodies, c.rank)
}

/// Two small numbers in one that sorts like both.
#[inline]
pub(super) fn packed(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}
