//! Planning on a thread of its own while a world goes on.

use super::plan::Plan;
use super::planner::{Budget, Mpc, Planner};
use crate::cost::Cost;
use crate::error::ControlError;
use crate::trajectory::{row_of, set_row};
use kinetree_model::{Data, Model, interruptible, is_interrupted};
use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often a caller that waits for a plan is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(5);

/// What the world and the planner tell each other.
#[derive(Debug, Default)]
struct Shared {
    /// The latest state of the world that no plan begins with yet.
    state: Option<Vec<f64>>,
    plan: Option<Arc<Plan>>,
    /// Why the last attempt has given no plan.
    problem: Option<ControlError>,
    plans: usize,
    /// States that were shown, and the latest of them that an attempt to plan has begun with and ended.
    shown: u64,
    done: u64,
    is_over: bool,
}

#[derive(Debug, Default)]
struct Desk {
    shared: Mutex<Shared>,
    news: Condvar,
}

impl Desk {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        // what is shared is whole after each assignment
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

thread_local! {
    /// What the planner of this thread shares with its controller.
    static OWN: RefCell<Option<Arc<Desk>>> = const { RefCell::new(None) };
}

/// Whether the controller of this thread's planner still exists.
fn is_wanted() -> bool {
    OWN.with_borrow(|own| own.as_ref().is_none_or(|desk| !desk.shared().is_over))
}

/// A controller that plans on a thread of its own, from the latest state that it was shown. The thread ends
/// with it, in the middle of a plan too.
#[derive(Debug)]
pub struct BackgroundMpc {
    model: Arc<Model>,
    desk: Arc<Desk>,
    thread: Option<JoinHandle<()>>,
}

impl BackgroundMpc {
    /// Starts the thread.
    ///
    /// # Errors
    /// As [`Mpc::new`], and when the system has no thread.
    pub fn start(
        model: Arc<Model>,
        horizon: usize,
        planner: Planner,
        cost: Arc<dyn Cost + Send + Sync>,
        budget: Budget,
    ) -> Result<Self, ControlError> {
        // what is wrong is said here, not on the thread
        drop(Mpc::new(&model, horizon, planner.clone())?);
        let desk = Arc::new(Desk::default());
        let (own, at) = (Arc::clone(&model), Arc::clone(&desk));
        let work = move || plan_until_over(&own, horizon, planner, &*cost, budget, &at);
        let thread = std::thread::Builder::new()
            .name("kinetree-mpc".into())
            .spawn(work)
            .map_err(|_| ControlError::Nothing("the system has no thread for the planner"))?;
        Ok(Self { model, desk, thread: Some(thread) })
    }

    /// Shows the planner where the world is.
    ///
    /// # Errors
    /// When the data was made for another model.
    pub fn observe(&self, data: &Data) -> Result<(), ControlError> {
        self.show(data).map(|_| ())
    }

    /// Shows the planner where the world is, and which state that is.
    fn show(&self, data: &Data) -> Result<u64, ControlError> {
        let row = row_of(&self.model, data)?;
        let mut shared = self.desk.shared();
        shared.state = Some(row);
        shared.shown += 1;
        self.desk.news.notify_all();
        Ok(shared.shown)
    }

    /// Plans from where the world is, and waits for that: with a budget of iterations alone the same plans in
    /// every run. A caller that ends the wait leaves the planner at work.
    ///
    /// # Errors
    /// As [`Mpc::replan`], and when the caller has ended the wait.
    pub fn replan(&self, data: &Data) -> Result<Arc<Plan>, ControlError> {
        let state = self.show(data)?;
        let mut shared = self.desk.shared();
        while shared.done < state {
            if self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
                return Err(ControlError::Nothing("the planner's thread has ended"));
            }
            drop(shared);
            if is_interrupted() {
                return Err(ControlError::Interrupted);
            }
            shared = self.desk.shared();
            if shared.done < state {
                let waited = self.desk.news.wait_timeout(shared, PATIENCE);
                shared = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        match (&shared.problem, &shared.plan) {
            (None, Some(plan)) => Ok(Arc::clone(plan)),
            (Some(problem), _) => Err(problem.clone()),
            (None, None) => Err(ControlError::Nothing("there is no plan")),
        }
    }

    /// The latest plan, if there is one already.
    #[must_use]
    pub fn plan(&self) -> Option<Arc<Plan>> {
        self.desk.shared().plan.clone()
    }

    /// How many plans were made.
    #[must_use]
    pub fn plans(&self) -> usize {
        self.desk.shared().plans
    }

    /// Why the last attempt to plan has failed; nothing when it has not.
    #[must_use]
    pub fn problem(&self) -> Option<ControlError> {
        self.desk.shared().problem.clone()
    }

    /// Writes the controls of the latest plan for a world; zeros before the first plan. Returns the plan.
    pub fn control(&self, data: &Data, out: &mut [f64]) -> Option<Arc<Plan>> {
        let plan = self.plan();
        match &plan {
            Some(plan) => plan.control(&self.model, data, out),
            None => out.fill(0.0),
        }
        plan
    }
}

impl Drop for BackgroundMpc {
    fn drop(&mut self) {
        self.desk.shared().is_over = true;
        self.desk.news.notify_all();
        if let Some(thread) = self.thread.take() {
            // a panic there has been told on its thread
            let _ended = thread.join();
        }
    }
}

fn plan_until_over(
    model: &Model,
    horizon: usize,
    planner: Planner,
    cost: &dyn Cost,
    budget: Budget,
    desk: &Arc<Desk>,
) {
    OWN.set(Some(Arc::clone(desk)));
    let Ok(mut mpc) = Mpc::new(model, horizon, planner) else { return };
    let mut data = Data::new(model);
    loop {
        let mut shared = desk.shared();
        let (row, state) = loop {
            if shared.is_over {
                return;
            }
            match shared.state.take() {
                Some(row) => break (row, shared.shown),
                None => shared = desk.news.wait(shared).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(shared);
        let begun = set_row(model, &mut data, &row).map_err(ControlError::from);
        let plan = || begun.and_then(|()| mpc.replan(cost, &data, budget).cloned());
        let made = interruptible(is_wanted, plan).unwrap_or(Err(ControlError::Interrupted));
        let mut shared = desk.shared();
        match made {
            Ok(plan) => {
                shared.plan = Some(Arc::new(plan));
                shared.problem = None;
                shared.plans += 1;
            }
            Err(problem) => shared.problem = Some(problem),
        }
        shared.done = state;
        desk.news.notify_all();
    }
}
