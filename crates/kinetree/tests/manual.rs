//! The Rust programs of the manual compile and run, from the root of the repository.
//!
//! `python tools/docs/rust_blocks.py` writes this file from the pages.

/// Models are found from the root of the repository.
fn enter_root() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
}

/// Program 1 of `docs/start/quickstart.md`.
#[rustfmt::skip]
mod start_quickstart_1 {
    use kinetree::prelude::*;

    fn main() -> Result<(), Box<dyn std::error::Error>> {
        let model = load_model("models/showcase/humanoid.xml")?;
        let mut data = Data::new(&model);
        while data.time < 1.0 {
            data.step(&model)?;
        }
        println!("{} contacts, torso at {:?}", data.ncon, data.xpos[1]);
        Ok(())
    }

    #[test]
    fn runs() {
        super::enter_root();
        main().unwrap();
    }
}
