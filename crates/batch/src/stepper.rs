//! What makes the steps of physics of a batch: the threads of its pool of worlds, or a device.

use crate::device::Device;
use crate::error::BatchError;
use crate::pool::Pool;
use crate::tables::Tables;
use crate::threads::Watch;
use crate::variation::Variation;
use crate::world::Setup;
use std::cell::RefCell;
use std::time::Duration;

/// What makes the steps of physics. Tasks, rewards, ends of episodes and outputs are the worlds' own business
/// either way.
pub(crate) enum Stepper {
    /// The threads of the pool.
    Threads,
    /// Another device, such as a GPU.
    Device(Box<Device>),
}

/// A function that the calling thread calls every so often, and that returns whether to go on.
pub(crate) struct Watcher<'a> {
    pub(crate) interval: Duration,
    pub(crate) go_on: &'a mut dyn FnMut() -> bool,
}

impl Stepper {
    /// Makes steps of the batch; worlds in `fresh` begin an episode with the state in the table instead.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn advance(
        &mut self,
        pool: &mut Pool,
        shown: (&mut Tables, &Setup),
        count: usize,
        fresh: &[bool],
        watcher: Option<Watcher<'_>>,
    ) -> Result<(), BatchError> {
        match (self, watcher) {
            (Self::Device(device), Some(watcher)) => {
                return device.advance(pool, shown, count, fresh, watcher.go_on);
            }
            (Self::Device(device), None) => return device.advance(pool, shown, count, fresh, &mut || true),
            (Self::Threads, Some(Watcher { interval, go_on })) => {
                let go_on = RefCell::new(go_on);
                // who is asked does not ask in turn
                let ask = || go_on.try_borrow_mut().is_ok_and(|mut go_on| go_on());
                pool.advance(shown, count, fresh, Some(&Watch::new(interval, &ask)));
            }
            (Self::Threads, None) => pool.advance(shown, count, fresh, None),
        }
        Ok(())
    }

    /// Gives each world values of its own for an array of the model.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn vary(&mut self, variation: &Variation) -> Result<(), BatchError> {
        match self {
            Self::Threads => Ok(()),
            Self::Device(device) if variation.is_array() => device.vary(variation.name(), variation.values()),
            // kernels scale tolerances by the statistic of the model
            Self::Device(_) if variation.name() == "meaninertia" => Ok(()),
            Self::Device(_) => {
                let name = variation.name();
                Err(BatchError::Device(format!(
                    "unsupported: worlds on a device have one {name}; vary it on threads"
                )))
            }
        }
    }

    /// Gives all worlds the arrays of the model again.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn end_variations(&mut self) -> Result<(), BatchError> {
        match self {
            Self::Threads => Ok(()),
            Self::Device(device) => device.end_variations(),
        }
    }
}
