//! A few random models with hostile states; `gpu fuzz` runs as many as one likes.

#[path = "../../examples/gpu/fuzz.rs"]
mod fuzz;

use kinetree_gpu::{Gpu, GpuError};
use std::sync::mpsc::channel;
use std::time::Duration;

/// A case is done in seconds on a software renderer, of which most is compilation.
const LIMIT: Duration = Duration::from_secs(300);

#[test]
fn hostile_worlds_fail_alone() {
    let gpu = match Gpu::new(None) {
        Err(error @ GpuError::NoAdapter { .. }) => return eprintln!("skipped: {error}"),
        gpu => gpu.unwrap(),
    };
    let (mut failed, mut contacts) = (0, 0);
    for seed in 1..=2 {
        let (done, result) = channel();
        let gpu = gpu.clone();
        let running = std::thread::spawn(move || done.send(fuzz::case(&gpu, seed, false)));
        let found = result.recv_timeout(LIMIT).unwrap_or_else(|error| Err(format!("seed {seed}: {error}")));
        let found = found.unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(running.join().is_ok());
        assert!(found.compared > 0);
        failed += found.failed;
        contacts += found.contacts;
    }
    assert!(failed > 0 && contacts > 0, "{failed} worlds failed, {contacts} contacts");
}
