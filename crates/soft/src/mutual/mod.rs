//! Contacts between deformable bodies, and of a body with itself.
//!
//! Once in a step, pairs of corners and faces and pairs of edges that may meet before its end are found with
//! a spatial hash. In each substep they are projected one after the other, in an order that does not depend
//! on the number of threads.

mod contact;
mod detection;
mod grid;

use crate::member::Member;
use contact::MutualContact;
use detection::Detection;
pub(crate) use grid::{Bounds, Grid};
use std::ops::Range;

/// Rounds of sweeps over contacts between bodies and with geoms in each substep.
pub(crate) const ROUNDS: usize = 8;

/// All contacts of a step.
#[derive(Default)]
pub(crate) struct MutualContacts {
    /// Sorted by group.
    list: Vec<MutualContact>,
    detection: Detection,
}

impl MutualContacts {
    /// Finds the contacts of a step of length `dt` (s), and puts bodies that may touch into one group, whose
    /// number is that of its first body.
    pub(crate) fn find(&mut self, members: &mut [Member], dt: f64, enabled: bool) {
        self.list.clear();
        for (index, member) in members.iter_mut().enumerate() {
            member.group = index;
        }
        // bodies that sleep do not move towards each other
        if !enabled || members.iter_mut().all(Member::stays_asleep) {
            return;
        }
        self.detection.find(members, dt, &mut self.list);
        self.join_groups(members);
        for contact in &mut self.list {
            contact.group = members[contact.corners[0].member as usize].group;
        }
        self.list.sort_unstable_by_key(|contact| (contact.group, contact.pair, contact.corners));
    }

    /// Gives both sides of every contact the lower one of their groups, until all are equal.
    fn join_groups(&self, members: &mut [Member]) {
        let mut changed = true;
        while changed {
            changed = false;
            for contact in &self.list {
                let sides = [contact.corners[0].member as usize, contact.corners[3].member as usize];
                let lower = members[sides[0]].group.min(members[sides[1]].group);
                for side in sides {
                    changed |= members[side].group != lower;
                    members[side].group = lower;
                }
            }
        }
    }

    /// Contacts of a group.
    pub(crate) fn of_group(&self, group: usize) -> Range<usize> {
        let first = self.list.partition_point(|contact| contact.group < group);
        first..first + self.list[first..].partition_point(|contact| contact.group == group)
    }

    /// Does something with the contacts of each group that touches what can move.
    pub(crate) fn for_coupled(
        &mut self,
        members: &mut [Member],
        action: impl Fn(&mut Self, Range<usize>, &mut [Member]),
    ) {
        for group in 0..members.len() {
            if members[group].coupled && members[group].group == group {
                let contacts = self.of_group(group);
                action(self, contacts, members);
            }
        }
    }

    /// Takes the geometry of the beginning of a substep of length `h` (s).
    pub(crate) fn linearize(&mut self, contacts: Range<usize>, members: &[Member], h: f64) {
        self.list[contacts].iter_mut().for_each(|contact| contact.linearize(members, h));
    }

    /// One sweep over contacts: pushes displacements apart.
    pub(crate) fn project(&mut self, contacts: Range<usize>, members: &mut [Member]) {
        self.list[contacts].iter_mut().for_each(|contact| contact.project(members));
    }
}
