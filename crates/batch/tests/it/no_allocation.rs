//! After a first run, steps of worlds do not allocate, four at a time or one by one. Sharing them out to
//! several threads does: lists of chunks, of parts, and of what is left of chunks, and a call for each thread
//! that helps.

use crate::counting_allocator::allocation_count;
use kinetree_batch::BatchSim;
use std::path::Path;
use std::sync::Arc;

const WORLDS: usize = 16;
const STEPS: usize = 40;

fn run(batch: &mut BatchSim) {
    batch.reset_all();
    for step in 0..STEPS {
        for (i, control) in batch.controls_mut().iter_mut().enumerate() {
            *control = ((step + 3 * i) % 17) as f64 / 8.0 - 1.0;
        }
        batch.advance();
    }
}

/// Allocations of the calling thread in a second run over the same states.
fn allocations(model: &str, lockstep: bool, threads: usize) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/showcase").join(model);
    let model = Arc::new(kinetree_spec::load_model(&path).unwrap());
    let mut batch = BatchSim::new(model, WORLDS);
    batch.set_threads(threads).unwrap();
    batch.set_lockstep(lockstep);
    batch.set_frame_skip(3);
    run(&mut batch);
    let before = allocation_count();
    run(&mut batch);
    assert!(batch.errors().iter().all(Option::is_none));
    allocation_count() - before
}

#[test]
fn worlds_do_not_allocate() {
    for model in ["humanoid.xml", "quadruped.xml"] {
        for lockstep in [true, false] {
            assert_eq!(allocations(model, lockstep, 1), 0, "{model}, lockstep {lockstep}");
        }
    }
}

#[test]
fn sharing_worlds_out_is_all_that_allocates() {
    // the queue of calls grows now and then; a reset of all is shared out, too
    assert!(allocations("quadruped.xml", true, 2) <= 5 * (STEPS + 1));
}
