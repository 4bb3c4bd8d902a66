//! Groups of deformable bodies that touch each other: they share their substeps, and sleep together.

use kinetree_math::Vec3;

use crate::error::SoftError;
use crate::member::Member;
use crate::mutual::{MutualContacts, ROUNDS};

/// The members of a group.
fn of_group(members: &mut [Member], group: usize) -> impl Iterator<Item = &mut Member> {
    members[group..].iter_mut().filter(move |member| member.group == group)
}

/// Steps all groups that have nothing to do with what can move, and lets what is still fall asleep.
///
/// # Errors
/// When a setting is out of range, a state is not finite, or `go_on`, which is asked before each substep,
/// says no.
pub(crate) fn step_groups(
    members: &mut [Member],
    mutual: &mut MutualContacts,
    gravity: &Vec3,
    dt: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), SoftError> {
    for group in 0..members.len() {
        if members[group].group != group {
            continue;
        }
        if !members[group].coupled {
            if of_group(members, group).all(Member::stays_asleep) {
                of_group(members, group).for_each(|member| member.held_awake = false);
                continue;
            }
            step_group(members, mutual, group, gravity, dt, go_on)?;
        }
        finish_step(members, group, dt)?;
    }
    Ok(())
}

fn step_group(
    members: &mut [Member],
    mutual: &mut MutualContacts,
    group: usize,
    gravity: &Vec3,
    dt: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), SoftError> {
    let mut count = 1;
    for member in of_group(members, group) {
        count = count.max(member.solver.substep_count(member.body.substeps(dt))?);
    }
    let (h, contacts) = (dt / count as f64, mutual.of_group(group));
    for _ in 0..count {
        if !go_on() {
            return Err(SoftError::Interrupted);
        }
        for member in of_group(members, group) {
            member.body.begin(gravity, h)?;
        }
        mutual.linearize(contacts.clone(), members, h);
        let rounds = if contacts.is_empty() { 1 } else { ROUNDS };
        for _ in 0..rounds {
            mutual.project(contacts.clone(), members);
            of_group(members, group).for_each(|member| member.body.push_contacts(h));
        }
        of_group(members, group).for_each(|member| member.correct(h));
        mutual.project(contacts.clone(), members);
        // corrections push vertices into geoms again, and what contacts do about that in the next substep
        // only comes too late: sheets would tremble for ever
        of_group(members, group).for_each(|member| member.body.push_contacts(h));
        of_group(members, group).for_each(|member| member.solver.advance(member.body.as_mut(), h));
    }
    Ok(())
}

/// Ends a step of length `dt`: a group sleeps when all its members have been still for long enough.
fn finish_step(members: &mut [Member], group: usize, dt: f64) -> Result<(), SoftError> {
    for member in of_group(members, group) {
        member.solver.finish_step(member.body.as_ref(), dt)?;
    }
    let sleeps = of_group(members, group).all(|member| member.solver.is_asleep());
    for member in of_group(members, group) {
        member.held_awake = !sleeps;
        if sleeps {
            member.body.particles_mut().velocity.fill(Vec3::zeros());
        }
    }
    Ok(())
}
