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

/// Room of the solver's kernels. A kernel has rows and contacts in workgroup memory, and the more it has room
/// for, the fewer worlds are at work at the same time. Where few worlds have many contacts, the others have a
/// kernel of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rooms {
    /// What every world has.
    pub(crate) most: Capacity,
    /// What is enough for nearly all of them, where that is much less.
    pub(crate) usual: Option<Usual>,
}

/// Contacts and rows that nearly all worlds can do with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usual {
    pub(crate) contacts: usize,
    pub(crate) rows: usize,
}

/// A kernel with room for so many contacts has as many worlds at work as one with room for fewer.
const FEW_CONTACTS: usize = 64;
/// Contacts that every kernel has room for: fewer would not let more worlds be at work.
const LEAST_CONTACTS: usize = 32;
/// Of so many worlds one may be crowded.
const CROWDED_ONE_OF: usize = 64;

impl Rooms {
    /// Rooms for `most`, where worlds have so many contacts, of some dimension; at least `least` of them are
    /// usual.
    pub(crate) fn new(most: Capacity, mut contacts: Vec<u32>, least: usize, dimension: usize) -> Self {
        contacts.sort_unstable();
        let rank = contacts.len().saturating_sub(1 + contacts.len() / CROWDED_ONE_OF);
        let enough = contacts
            .get(rank)
            .map_or(0, |&count| count as usize)
            .max(least)
            .max(LEAST_CONTACTS)
            .next_multiple_of(8);
        let usual = Usual { contacts: enough, rows: (enough * dimension).next_multiple_of(8) };
        let is_much_less =
            most.contacts > FEW_CONTACTS && 2 * enough <= most.contacts && usual.rows < most.rows;
        Self { most, usual: is_much_less.then_some(usual) }
    }

    /// Whether the usual kernel is worth its while, when the other one made some of so many steps.
    pub(crate) fn are_right(&self, crowded: u32, steps: u64) -> bool {
        self.usual.is_none() || u64::from(crowded) * (CROWDED_ONE_OF as u64) <= 2 * steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Capacity = Capacity { contacts: 80, rows: 240, candidates: 0 };

    #[test]
    fn one_crowded_world_of_many_leaves_the_others_their_kernel() {
        let mut contacts = vec![5; 999];
        contacts.push(60);
        let rooms = Rooms::new(MOST, contacts, 1, 3);
        assert_eq!(rooms.usual, Some(Usual { contacts: 32, rows: 96 }));
        let few = Capacity { contacts: 64, rows: 192, candidates: 0 };
        assert_eq!(Rooms::new(few, vec![5; 1000], 1, 3).usual, None);
        assert!(rooms.are_right(25, 1000) && !rooms.are_right(40, 1000));
    }

    #[test]
    fn many_crowded_worlds_have_one_kernel_with_the_others() {
        let contacts = (0..64).map(|world| if world % 8 == 0 { 48 } else { 3 }).collect();
        assert_eq!(Rooms::new(MOST, contacts, 1, 3).usual, None);
        assert_eq!(Rooms::new(MOST, Vec::new(), 48, 3).usual, None);
    }
}
