//! Room for what differs from step to step.

/// How many contacts and rows of constraints a world may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts.
    pub contacts: usize,
    /// Rows: a contact has as many as its dimension.
    pub rows: usize,
    /// Geom pairs whose bounds meet, of those that GJK and EPA search.
    pub candidates: usize,
}

impl Capacity {
    /// Whether a world needs more contacts, rows or candidates.
    pub(crate) fn is_exceeded(&self, needed: [usize; 3]) -> bool {
        let Self { contacts, rows, candidates } = *self;
        needed.iter().zip([contacts, rows, candidates]).any(|(needed, room)| *needed > room)
    }
}
