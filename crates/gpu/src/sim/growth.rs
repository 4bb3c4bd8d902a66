//! Growth: worlds that need more contacts, rows or candidates than there is room for wait, larger buffers and
//! kernels take the place of the last ones, and they catch up.
//!
//! When there is no room for larger ones, some worlds have made steps that others have not. Nothing is read
//! from worlds in that state and nothing of them is changed, but that they may be reset or given states; a
//! call that makes steps tries again first.

use super::built::{Built, Design};
use super::late::Late;
use super::simulator::GpuSim;
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::features::capacity::{Capacity, Rooms};
use crate::layout::buffer_layout::{STATUS_CONTACTS, STATUS_PHASE, STATUS_SIZE, STATUS_STEPS};

impl GpuSim {
    /// Lets worlds that wait make the last `count` steps, with as much room as they need.
    pub(crate) async fn catch_up(&mut self, count: usize, watch: &mut Watch<'_>) -> Result<(), GpuError> {
        loop {
            match self.grow_if_needed(watch).await {
                Ok(false) => return Ok(()),
                Ok(true) => self.submit_again(count),
                Err(error) => {
                    self.note_late(&error, true).await;
                    return Err(error);
                }
            }
        }
    }

    /// Grows capacities if a world waits for it, after steps that were submitted.
    pub(crate) async fn grow_if_needed(&mut self, watch: &mut Watch<'_>) -> Result<bool, GpuError> {
        let needs = self.needs.read(&self.gpu).await?;
        self.failed |= needs.failed;
        let [contacts, rows, candidates] = needs.room;
        let (last, rooms) = (self.built.design.rooms.most, self.built.design.rooms);
        let made = (needs.crowded.wrapping_sub(self.crowded.0), self.goal.wrapping_sub(self.crowded.1));
        let steps = u64::from(made.1) * self.basis.worlds as u64;
        if !last.is_exceeded([contacts, rows, candidates]) && (steps == 0 || rooms.are_right(made.0, steps)) {
            self.crowded = (needs.crowded, self.goal);
            return Ok(false);
        }
        let dimension = self.basis.pairs.largest_dimension().min(3);
        let contacts = contacts.max(last.contacts).next_multiple_of(8);
        let rows = rows.max(last.rows).max(contacts * dimension).next_multiple_of(8);
        let candidates = match candidates.max(last.candidates) {
            // no more than there were
            most if most == last.candidates => most,
            most => most.next_multiple_of(8),
        };
        let most = Capacity { contacts, rows, candidates };
        // where worlds crowd, the usual room was too little
        let least = rooms.usual.map_or(1, |usual| usual.contacts + if last == most { 8 } else { 0 });
        let counters = self.counters().await?;
        let counts = counters.chunks_exact(STATUS_SIZE).map(|row| row[STATUS_CONTACTS]).collect();
        let rooms = Rooms::new(most, counts, least, dimension);
        self.rebuild(Design { rooms, ..self.built.design.clone() }, watch).await?;
        Ok(true)
    }

    /// Makes buffers and kernels anew, with the states, controls and counters that there are.
    pub(crate) async fn rebuild(&mut self, design: Design, watch: &mut Watch<'_>) -> Result<(), GpuError> {
        self.built = Built::new(&self.gpu, &self.basis, design, Some(&self.built), watch).await?;
        self.crowded = (0, self.goal);
        Ok(())
    }

    /// Remembers which worlds have not made all steps, and why; `alike` where they have one and the same
    /// controls for all of these.
    pub(crate) async fn note_late(&mut self, cause: &GpuError, alike: bool) {
        let counters = self.counters().await.unwrap_or_default();
        let missing: Vec<u32> = counters
            .chunks_exact(STATUS_SIZE)
            .map(|row| self.goal.saturating_sub(row[STATUS_STEPS]))
            .collect();
        let most = missing.iter().copied().max().unwrap_or(0) as usize;
        let owed = (alike && !self.is_shared()).then(|| (most, self.controls.clone()));
        let worlds = missing.iter().map(|&steps| steps > 0).collect();
        self.late = Some(Late { worlds, owed, cause: cause.clone() });
    }

    /// An error where some worlds have not made all steps.
    pub(crate) fn check_whole(&self) -> Result<(), GpuError> {
        self.late.as_ref().map_or(Ok(()), |late| Err(late.cause.clone()))
    }

    /// Lets worlds make the steps that they have missed, with the controls of these.
    pub(crate) async fn finish_late(&mut self, watch: &mut Watch<'_>) -> Result<(), GpuError> {
        let Some(late) = self.late.take() else { return Ok(()) };
        let Some((count, controls)) = late.owed.clone() else {
            let cause = late.cause.clone();
            self.late = Some(late);
            return Err(cause);
        };
        let last_controls = std::mem::take(&mut self.controls);
        self.put_controls(&controls);
        self.forget_needs();
        self.submit_again(count);
        let caught_up = self.catch_up(count, watch).await;
        self.put_controls(&last_controls);
        caught_up
    }

    /// Worlds where the mask is true begin somewhere else: they have no steps to make up for.
    pub(crate) fn forgive(&mut self, mask: &[bool]) {
        let Some(late) = &mut self.late else { return };
        for world in (0..mask.len()).filter(|&world| mask[world]) {
            if let Some(is_late) = late.worlds.get_mut(world) {
                *is_late = false;
            }
            for (counter, value) in [(STATUS_STEPS, self.goal), (STATUS_PHASE, 0)] {
                let offset = 4 * (world * STATUS_SIZE + counter) as u64;
                self.gpu.queue.write_buffer(&self.built.buffers.status, offset, &value.to_le_bytes());
            }
        }
        if !late.worlds.contains(&true) {
            self.late = None;
            self.forget_needs();
        }
    }

    /// Worlds that need more room than there is say so again.
    fn forget_needs(&self) {
        self.gpu.queue.write_buffer(&self.built.buffers.needed, 0, &[0; 12]);
    }
}
