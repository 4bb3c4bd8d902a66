//! Whether the integers of a data that a program has views of all the time are indices: the pattern of the
//! moment matrix, and the lists of what is awake.

use crate::enums::EnableBit;
use crate::indices::{IndexError, check_ids, check_runs};
use crate::{Data, Model};

impl Data {
    /// An error unless the columns of the moment matrix and the lists of what is awake are indices. It takes
    /// little time, since there are few of them.
    ///
    /// # Errors
    /// At the first value that is no index.
    pub fn check_lists(&self, model: &Model) -> Result<(), IndexError> {
        let counts = ("moment_rownnz", &self.moment_rownnz[..]);
        check_runs(("moment_rowadr", &self.moment_rowadr), counts, self.moment_colind.len())?;
        check_ids("moment_rowadr", &self.moment_rowadr, 0, self.moment_colind.len() + 1)?;
        check_ids("moment_colind", &self.moment_colind, 0, model.nv.max(1))?;
        if !model.enabled(EnableBit::Sleep) {
            return Ok(());
        }
        check_ids("tree_asleep", &self.tree_asleep, i32::MIN, model.ntree)?;
        check_ids("body_awake_ind", &self.body_awake_ind, 0, model.nbody)?;
        check_ids("parent_awake_ind", &self.parent_awake_ind, 0, model.nbody)?;
        check_ids("dof_awake_ind", &self.dof_awake_ind, 0, model.nv)
    }
}
