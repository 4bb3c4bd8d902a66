//! Growth: worlds that need more contacts, rows or candidates than there is room for wait, larger buffers and
//! kernels take the place of the last ones, and they catch up.
//!
//! When there is no room for larger ones, some worlds have made steps that others have not. Nothing is read
//! from worlds in that state and nothing of them is changed, but that they may be reset or given states; a
//! call that makes steps tries again first.

use super::built::{Built, Design};
use super::late::{Late, Owed};
use super::simulator::GpuSim;
use super::staging::Needs;
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::features::capacity::{Capacity, Rooms};
use crate::layout::buffer_layout::{STATUS_CONTACTS, STATUS_PHASE, STATUS_SIZE, STATUS_STEPS};

impl GpuSim {
    /// Lets worlds that wait make the last `count` steps, with as much room as they need.
    pub(crate) async fn catch_up(&mut self, count: usize, watch: &mut Watch<'_>) -> Result<(), GpuError> {
        if count == 0 {
            // nothing was submitted, and what was needed before has been looked at
            return Ok(());
        }
        loop {
            match self.grow_if_needed(watch).await {
                Ok(false) => return Ok(()),
                Ok(true) => self.submit_again(count),
                Err(error) => {
                    self.note_late(&error, Some(count)).await;
                    return Err(error);
                }
            }
        }
    }

    /// Grows capacities if a world waits for it, after steps that were submitted.
    pub(crate) async fn grow_if_needed(&mut self, watch: &mut Watch<'_>) -> Result<bool, GpuError> {
        let needs = self.needs.read(&self.gpu).await?;
        self.failed |= needs.failed;
        if self.capacity().is_exceeded(needs.room) {
            self.grow(needs.room, watch).await?;
            return Ok(true);
        }
        self.review_rooms(&needs, watch).await?;
        Ok(false)
    }

    /// Gives all worlds one kernel, or fewer of them one of their own, where the kernels there are do not
    /// suit. Steps go on with those if there is no room for others, or somebody stops it.
    pub(super) async fn review_rooms(
        &mut self,
        needs: &Needs,
        watch: &mut Watch<'_>,
    ) -> Result<(), GpuError> {
        let made = (needs.crowded.wrapping_sub(self.crowded.0), self.goal.wrapping_sub(self.crowded.1));
        // crowded worlds are counted at each evaluation of a step
        let evaluations = (self.built.layout.evaluations * self.basis.worlds) as u64 * u64::from(made.1);
        let rooms = self.built.design.rooms;
        self.crowded = (needs.crowded, self.goal);
        if self.has_rooms_for_good || evaluations == 0 || rooms.are_right(made.0, evaluations) {
            return Ok(());
        }
        match self.grow(needs.room, watch).await {
            Err(GpuError::Interrupted) => Ok(()),
            Err(GpuError::TooLarge { .. }) => {
                self.has_rooms_for_good = true;
                Ok(())
            }
            grown => grown,
        }
    }

    /// Makes buffers and kernels for worlds that need so many contacts, rows and candidates.
    async fn grow(
        &mut self,
        [contacts, rows, candidates]: [usize; 3],
        watch: &mut Watch<'_>,
    ) -> Result<(), GpuError> {
        let rooms = self.built.design.rooms;
        let last = rooms.most;
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
        self.rebuild(Design { rooms, ..self.built.design.clone() }, watch).await
    }

    /// Makes buffers and kernels anew, with the states, controls and counters that there are.
    pub(crate) async fn rebuild(&mut self, design: Design, watch: &mut Watch<'_>) -> Result<(), GpuError> {
        self.built = Built::new(&self.gpu, &self.basis, design, Some(&self.built), watch).await?;
        self.crowded = (0, self.goal);
        self.has_rooms_for_good = false;
        Ok(())
    }

    /// Remembers which worlds have not made all steps, and why; `alike` is how many steps there were, where
    /// worlds have one and the same controls for all of these.
    pub(crate) async fn note_late(&mut self, cause: &GpuError, alike: Option<usize>) {
        if let (GpuError::Interrupted, Some(count)) = (cause, alike) {
            // which ones they are is not known while the device is at work
            let owed = Some((count, self.owed()));
            let worlds = vec![true; self.basis.worlds];
            self.late = Some(Late { worlds, owed, cause: cause.clone() });
            return;
        }
        let counters = self.counters().await.unwrap_or_default();
        let missing: Vec<u32> = counters
            .chunks_exact(STATUS_SIZE)
            .map(|row| self.goal.saturating_sub(row[STATUS_STEPS]))
            .collect();
        let most = missing.iter().copied().max().unwrap_or(0) as usize;
        let owed = alike.map(|_| (most, self.owed()));
        let worlds = missing.iter().map(|&steps| steps > 0).collect();
        self.late = Some(Late { worlds, owed, cause: cause.clone() });
    }

    /// The controls of the last steps.
    fn owed(&self) -> Owed {
        if self.is_shared() { Owed::OfTensor } else { Owed::Controls(self.controls.clone()) }
    }

    /// Finishes steps that were [interrupted](kinetree_model::interruptible), also while the device was at
    /// work, and runs the functions that follow them. Until then nothing can be read from worlds; a call that
    /// makes steps does it by itself, but for the functions.
    ///
    /// # Errors
    /// When it is interrupted, too, or as the steps.
    pub async fn settle_async(&mut self) -> Result<(), GpuError> {
        if self.is_settled() {
            return Ok(());
        }
        self.finish_late(&mut Watch::none()).await?;
        self.run_functions()
    }

    /// Whether no steps were interrupted, or they are finished.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !matches!(self.late, Some(Late { cause: GpuError::Interrupted, .. }))
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
        let last_controls = match controls {
            Owed::Controls(controls) => {
                let last = std::mem::take(&mut self.controls);
                self.put_controls(&controls);
                Some(last)
            }
            Owed::OfTensor => None,
        };
        self.forget_needs();
        self.submit_again(count);
        let caught_up = self.catch_up(count, watch).await;
        if let Some(controls) = last_controls {
            self.put_controls(&controls);
        }
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
