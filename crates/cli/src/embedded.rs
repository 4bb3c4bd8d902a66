//! The models inside the program, so that everything can be tried with no file at hand.

/// A model inside the program.
pub(crate) struct Embedded {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) about: &'static str,
    /// Its MJCF text.
    pub(crate) xml: &'static str,
}

macro_rules! embedded {
    ($( $name:literal $about:literal; )*) => {
        /// All embedded models.
        pub(crate) const MODELS: &[Embedded] = &[$( Embedded {
            name: $name,
            about: $about,
            xml: include_str!(concat!("../models/", $name, ".xml")),
        }, )*];
    };
}

embedded! {
    "humanoid" "a walking figure with capsule limbs and torque motors";
    "quadruped" "a four-legged robot with position servos";
    "arm" "a seven-joint arm with a gripper above a table with things to grasp";
    "boxes" "a pile of boxes, capsules and balls";
    "car" "a car with sprung axle and steering on a bumpy road";
    "cloth" "a cloth that falls over a sphere";
    "jelly" "a cube of jelly between two fingers";
    "rope" "a rope with a weight, and an elastic line over a roller";
    "trampoline" "a ball and a capsule on a sheet that stretches";
}

/// The embedded model with this name.
pub(crate) fn find(name: &str) -> Option<&'static Embedded> {
    MODELS.iter().find(|model| model.name == name)
}
