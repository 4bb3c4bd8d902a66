//! Activation of equalities, world by world.

use crate::error::BatchError;
use crate::pool::Pool;
use crate::sim::BatchSim;
use crate::worlds::check_rows;

impl BatchSim {
    /// Equalities in a row of [`equalities`](Self::equalities): those of the model that has most.
    #[must_use]
    pub fn equality_columns(&self) -> usize {
        self.pool.equality_columns()
    }

    /// Activates and deactivates equalities: a row of [`equality_columns`](Self::equality_columns) for each
    /// world, of which those with a smaller model use the first. A world keeps them until it is reset, which
    /// brings those of its model back.
    ///
    /// # Errors
    /// When the number of values is wrong.
    pub fn set_equalities(&mut self, active: &[bool]) -> Result<(), BatchError> {
        let columns = self.equality_columns();
        check_rows("the equalities", active.len(), self.len(), columns)?;
        for (world, row) in self.pool.worlds_mut().zip(active.chunks_exact(columns.max(1))) {
            for (to, &on) in world.data.eq_active.iter_mut().zip(row) {
                // what was computed ahead of the next step has rows of other equalities
                world.ahead &= (*to != 0) == on;
                *to = u8::from(on);
            }
        }
        Ok(())
    }

    /// Which equalities are active, a row of [`equality_columns`](Self::equality_columns) for each world;
    /// false where its model has fewer.
    #[must_use]
    pub fn equalities(&self) -> Vec<bool> {
        let mut active = Vec::with_capacity(self.len() * self.equality_columns());
        self.pool.read_equalities_into(&mut active);
        active
    }
}

impl Pool {
    /// Equalities of the model that has most.
    fn equality_columns(&self) -> usize {
        self.worlds().map(|world| world.data.eq_active.len()).max().unwrap_or(0)
    }

    /// Puts the rows of [`BatchSim::equalities`] into a list, which keeps its memory.
    pub(crate) fn read_equalities_into(&self, active: &mut Vec<bool>) {
        let columns = self.equality_columns();
        active.clear();
        for world in self.worlds() {
            let own = &world.data.eq_active;
            active.extend((0..columns).map(|e| own.get(e).is_some_and(|&on| on != 0)));
        }
    }
}
