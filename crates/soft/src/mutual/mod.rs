//! Contacts between deformable bodies, and of a body with itself.
//!
//! Once in a step, pairs of corners and faces and pairs of edges that may meet before its end are found with
//! a spatial hash. In each substep they are projected one after the other, in an order that does not depend
//! on the number of threads.

mod contact;
mod detection;
mod grid;
mod segments;

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

#[cfg(test)]
mod tests {
    use super::MutualContacts;
    use crate::chain::{CapsuleChain, ChainSection};
    use crate::material::MaterialPreset;
    use crate::member::Member;
    use crate::solver::{XpbdSettings, XpbdSolver};
    use kinetree_math::Vec3;
    use std::f64::consts::TAU;

    const RADIUS: f64 = 0.005;

    /// A rope of a thousand segments, each so many radii long, along a curve that takes its length.
    fn rope(segment: f64, curve: impl Fn(f64) -> Vec3) -> Member {
        let points = (0..=1000).map(|k| curve(segment * RADIUS * f64::from(k))).collect();
        let rope = CapsuleChain::new(points, ChainSection::solid(RADIUS), MaterialPreset::Rope.material());
        Member::new(Box::new(rope.expect("a rope")), XpbdSolver::new(XpbdSettings::default()))
    }

    fn pairs(members: &mut [Member]) -> usize {
        let mut contacts = MutualContacts::default();
        contacts.find(members, 0.002, true);
        contacts.list.len()
    }

    /// However short segments are: nothing of a straight rope is a pair, and along turns and legs that touch
    /// each segment has a few.
    #[test]
    fn short_segments_of_thick_ropes_are_few_pairs() {
        for segment in [0.01, 0.1, 0.5] {
            assert_eq!(pairs(&mut [rope(segment, |way| Vec3::new(way, 0.0, 0.0))]), 0, "{segment}");
            let round = 4.0 * RADIUS;
            let coil = |way: f64| {
                let angle = way / round;
                Vec3::new(round * angle.cos(), round * angle.sin(), 2.1 * RADIUS * angle / TAU)
            };
            let count = pairs(&mut [rope(segment, coil)]);
            assert!(count <= 3000, "{segment}: {count} pairs in a coil");
            let side = |height: f64| rope(segment, move |way| Vec3::new(way, 1e-3 * way, height));
            let count = pairs(&mut [side(0.0), side(2.1 * RADIUS)]);
            assert!((1000..=3000).contains(&count), "{segment}: {count} pairs side by side");
        }
    }

    /// Segments that fly past each other meet those that they pass.
    #[test]
    fn what_short_segments_pass_is_a_pair() {
        let line = |height: f64| rope(0.1, move |way| Vec3::new(way, 0.0, height));
        let mut members = [line(0.0), line(2.1 * RADIUS)];
        let still = pairs(&mut members);
        members[1].body.particles_mut().velocity.fill(Vec3::new(1.0, 0.0, 0.0));
        // 2 mm in a step are four segments
        let count = pairs(&mut members);
        assert!((2 * still..8 * still).contains(&count), "{count}, {still} without motion");
    }
}
