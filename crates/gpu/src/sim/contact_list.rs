//! The contact list of the last step: pairs of geoms in contact, read from working memory.

use super::simulator::GpuSim;
use crate::device::readback::{read, read_numbers};
use crate::error::GpuError;
use crate::precision::Precision;

/// Numbers of a contact in working memory, and the index among them that tells the pair.
const RECORD: usize = 12;
const PAIR: usize = 7;

impl GpuSim {
    /// The two geoms of each contact that pushes, for each world, at the beginning of its last step. It
    /// copies all working memory, so it is for tests.
    ///
    /// Where capacities grew during the last call that made steps, worlds that had room before have lost
    /// theirs: the list of such a world is of no use unless the step is made again.
    ///
    /// # Errors
    /// When steps are under way, or when the device fails.
    pub async fn contact_geoms_async(&self) -> Result<Vec<Vec<[usize; 2]>>, GpuError> {
        self.check_landed()?;
        self.check_whole()?;
        let counts = self.contacts_async().await?;
        let (Some(first), size) = (self.built.layout.contacts_at(), 4 * self.built.layout.scratch) else {
            return Ok(vec![Vec::new(); counts.len()]);
        };
        let all = size * counts.len();
        // in single precision the bits of an index lie beside numbers, in double precision its value
        let indices: Vec<u32> = match self.built.layout.precision {
            Precision::Single => read(&self.gpu, &self.built.buffers.scratch, all).await?,
            Precision::Double => {
                let numbers: Vec<f64> =
                    read_numbers(&self.gpu, &self.built.buffers.scratch, all, self.built.layout.precision)
                        .await?;
                numbers.into_iter().map(|x| x as u32).collect()
            }
        };
        let most = self.capacity().contacts;
        let geoms = |world: usize, contact: usize| {
            let pair = indices.get(world * size + 4 * first + RECORD * contact + PAIR)?;
            self.basis.pairs.geoms(*pair as usize)
        };
        let list = |(world, &count): (usize, &usize)| {
            (0..count.min(most)).filter_map(|contact| geoms(world, contact)).collect()
        };
        Ok(counts.iter().enumerate().map(list).collect())
    }
}
