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

/// Program 1 of `docs/coming-from-mujoco/mujoco-4.md`.
#[rustfmt::skip]
mod coming_from_mujoco_mujoco_4_1 {
    use kinetree::{Diagnostics, Loader, Reference};

    fn main() -> Result<(), Diagnostics> {
        let text = "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>";
        let model = Loader::default().reference(Reference::V4_0).model_from_string(text)?;
        assert_eq!(model.reference(), Reference::V4_0);
        Ok(())
    }

    #[test]
    fn runs() {
        super::enter_root();
        main().unwrap();
    }
}
