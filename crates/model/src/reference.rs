//! The reference level of a model: whose meaning its file has, that of MuJoCo 3.8 or that of MuJoCo 4.0.
//!
//! Every point where the two levels differ is in the list of this file, once. Code that differs asks the list
//! by name (`model.reference().rk4_rotations()`), so that a search for a point finds the list, the code and
//! the tests. A point whose meaning at level 4.0 does not exist here yet is refused: a model that uses it
//! does not load at that level, or does not step, and never moves by the physics of 3.8 without a word.
//!
//! ```
//! use kinetree_model::{DIFFERENCES, Reference, ReferenceState, point};
//!
//! assert_eq!("4.0".parse(), Ok(Reference::V4_0));
//! assert!(Reference::V4_0.rk4_rotations() && !Reference::V3_8.rk4_rotations());
//! assert_eq!(point::pgs.state, ReferenceState::Refused);
//! assert!(DIFFERENCES.iter().any(|difference| difference.name == "pgs"));
//! ```

use std::fmt;
use std::str::FromStr;

/// The version of MuJoCo whose meaning a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reference {
    /// MuJoCo 3.8.0.
    #[default]
    V3_8,
    /// MuJoCo 4.0.1.
    V4_0,
}

impl Reference {
    /// All levels, the default first.
    pub const ALL: [Self; 2] = [Self::V3_8, Self::V4_0];

    /// The name by which programs choose it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V3_8 => "3.8",
            Self::V4_0 => "4.0",
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no reference level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no reference level '{0}'; there are '3.8' (the default) and '4.0'")]
pub struct UnknownReference(
    /// The name.
    pub String,
);

impl FromStr for Reference {
    type Err = UnknownReference;

    fn from_str(name: &str) -> Result<Self, UnknownReference> {
        Self::ALL
            .into_iter()
            .find(|level| level.name() == name)
            .ok_or_else(|| UnknownReference(name.to_owned()))
    }
}

/// What becomes of a difference here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceState {
    /// A model of level 4.0 has the meaning of 4.0.
    Implemented,
    /// A model of level 4.0 that uses it is refused.
    Refused,
    /// Nothing that moves: pictures, statistics, arrays that are only read, or functions of the API.
    NotDynamics,
}

impl fmt::Display for ReferenceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Implemented => "implemented",
            Self::Refused => "refused",
            Self::NotDynamics => "as in 3.8",
        })
    }
}

/// A point where the reference levels differ.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name in the code.
    pub name: &'static str,
    /// The version of MuJoCo that changed it.
    pub since: &'static str,
    /// What becomes of it here.
    pub state: ReferenceState,
    /// What it is about, as the subject of a sentence.
    pub subject: &'static str,
    /// What differs.
    pub what: &'static str,
}

/// Why a model of level 4.0 is refused.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { since, subject, what, .. } = self;
        write!(f, "unsupported: {subject} at reference level 4.0 (changed in MuJoCo {since}: {what})")
    }
}

macro_rules! differences {
    ($( $name:ident $since:literal $state:ident $subject:literal, $what:literal; )*) => {
        /// Every point by its name.
        #[allow(non_upper_case_globals)]
        pub mod point {
            use super::{Difference, ReferenceState};
            $(
                #[doc = concat!("MuJoCo ", $since, ", ", $subject, ": ", $what, ".")]
                pub static $name: Difference = Difference {
                    name: stringify!($name),
                    since: $since,
                    state: ReferenceState::$state,
                    subject: $subject,
                    what: $what,
                };
            )*
        }

        /// Every point where the levels differ, by what it is about.
        pub static DIFFERENCES: &[&Difference] = &[$( &point::$name ),*];

        impl Reference {
            $(
                #[doc = concat!("Whether this level has, since MuJoCo ", $since, ", ", $subject, ": ", $what, ".")]
                #[must_use]
                #[inline]
                pub const fn $name(self) -> bool {
                    matches!(self, Self::V4_0)
                }
            )*
        }
    };
}

differences! {
    // defaults
    sleep_tolerance "3.11" Implemented "the default of `sleep_tolerance`", "1e-3, was 1e-4";
    visual_defaults "3.12, 4.0" Implemented "defaults of `visual`", "`bvactive` is off, the headlight is `auto`";
    tendon_force_limits "3.14" Implemented "`actuatorfrclimited` of tendons", "follows from the range where it is not given";

    // the compiler
    dampratio "3.15" Implemented "`dampratio`", "damping from the inertia 1 / (J M⁻¹ Jᵀ) along the transmission";
    shortcut_defaults "3.16" Refused "a default class of one actuator shortcut for another shortcut",
        "gains are inherited only from defaults of the same shortcut or of `general`";
    class_orientation "3.16" Implemented "a default class with an orientation other than `quat` for an element with `quat`",
        "the `quat` of the element wins";
    replicated_keys "3.16" Implemented "keyframes beside `replicate`, and joints in it", "keyframes are those of the whole model, joints are errors";
    fuse_static "3.16" Implemented "`fusestatic`",
        "references keep only the body itself; what a plugin, a medium or other compensation of gravity acts on stays";
    plane_extent "4.0" Implemented "`extent` and `center` of a model with infinite planes", "a plane counts with 1 cm, was 1 m";
    fitted_geoms "4.0" Implemented "`geom_dataid` of primitives that take their size from a mesh", "is -1";
    fused_inertia "3.16" Implemented "inertias of bodies that are fused", "rotate with the body that is fused";
    urdf_inertia "3.13" Implemented "`rpy` of an inertia in URDF", "rotates the axes of the inertia";
    discard_visual "3.16" Implemented "`discardvisual`", "geoms of the ellipsoid fluid model are kept";
    inertia_frames "3.14" Implemented "inertial frames of full inertias and of several geoms", "eigenframes converge further";
    mesh_frames "3.14" Implemented "frames of meshes", "converge to 1e-7 of the inertia, whatever the size";
    mesh_hulls "3.10" Refused "`maxhullvert`, and mirrored `.msh` files", "other corners are kept, faces are not flipped twice";
    mirrored_hulls "3.15" Implemented "facets of the hulls of mirrored meshes", "are mirrored, too, and face outward";
    mesh_polygons "4.0" Implemented "the order of a mesh's polygons", "follows another hash of their normals";
    mesh_normals "3.17" NotDynamics "normals of meshes and of their polygons",
        "unit length, means over all corners, right under scales that differ";
    compiler_rejects "4.0" Refused "a height field of one row, a fixed tendon over a ball or free joint, a pulley without divisor",
        "errors of the compiler";
    weld_data "3.17" NotDynamics "`eq_data` of welds", "a twelfth number";
    set_const "3.17" Refused "`mj_setConst` after compilation", "recomputes other constants";

    // kinematics and actuation
    side_sites "4.0" Refused "a `sidesite` of a tendon", "the shortest path with the winding of the side site";
    reference_sites "3.15" Implemented "`refsite`", "the rotation between the sites takes body and site in the right order";
    circular_setpoints "3.11" Refused "position servos of ball joints and of rotations between sites",
        "the setpoint that is nearest on the circle";
    dcmotor_input "3.12" Refused "`dcmotor` with a controller", "gains have units of torque";
    actuator_saturation "4.0" Implemented "forces at the limit of a joint or tendon",
        "add nothing to the derivatives of the implicit integrators";

    // contacts
    gap "3.9" Implemented "`gap`", "contacts are found up to margin + gap and act up to the margin";
    mocap_weld "3.12" Implemented "mocap bodies", "a mocap body is a weld group of its own";
    box_box "3.12" Implemented "a contact of two boxes", "another separating-axis method";
    capsule_capsule "3.16" Implemented "a contact of two capsules that are parallel to 1e-4 rad", "two contacts where they lie side by side, in the order of the first axis";
    plane_meshes "3.13" Implemented "a contact of a plane and a mesh", "up to four corners of the flattest face";
    multicontact "3.12" Refused "a contact of convex shapes", "faces are clipped, each contact has its own depth";
    distance_fields "3.12" Refused "a contact of a signed-distance field", "other starting points";
    flexes "4.0" Refused "flexes", "corrected constants, barycentric contacts";

    // the solver
    solver_stop "3.17" Implemented "when Newton's method stops",
        "improvements are scaled by the trace of M, and the decrement counts";
    conjugate_gradient "3.10" Implemented "the solver CG", "directions by Hager and Zhang, ends at a small duality gap";
    pgs "3.8.1" Refused "the solver PGS", "random order of rows and momentum";
    noslip "3.8.1" Refused "noslip iterations", "run island by island";
    pivots "3.13" Refused "an inertia matrix that is not positive definite", "pivots are clamped";
    diagexact "3.9" Refused "the flag `diagexact`", "exact diagonal of the constraint inertia";

    // integrators
    rk4_rotations "4.0" Implemented "the integrator RK4 with ball and free joints", "rotations converge with the fourth order";
    free_bodies "3.11" Implemented "free bodies under implicit integrators",
        "exact derivatives of the gyroscopic force, no midpoint rule";
    discrete "3.13" Refused "the integrator `discrete`", "solves for the step at once";
    ipc "3.14" Refused "the flag `ipc`", "barriers between flexes";
    speculative "4.0" Refused "the flag `speculative`", "contacts of fast bodies before they touch";
    sleep "4.0" Refused "the flag `sleep`", "motion of mocap bodies wakes, sensors respect sleep";

    // sensors
    static_acceleration "4.0" Implemented "accelerometers on bodies that do not move", "feel gravity";
    force_torque "3.14" Refused "`force` and `torque` sensors beside welds and spatial tendons",
        "corrected torque of welds, forces of tendons count";
    geom_distance "4.0" Refused "sensors of the distance of geoms", "another one of equally near points";
    rays "4.0" Refused "rangefinders among height fields and signed-distance fields", "hits behind the origin do not count";
    tactile "3.9" Refused "`tactile` sensors", "depths, not pressures";
    control_derivative "4.0" Refused "derivatives of sensors with controls by central differences", "had the other sign";

    // new words of MJCF, and words that went
    new_words "3.9 to 4.0" Refused "attributes and elements that are new since 3.8", "among them frame `scale`, `surfacevel`, `pid`";
    removed_words "3.12 to 4.0" Implemented "`composite`, `flexvert`, flex contact `internal`, edge equality `vert`, inputs of `dcmotor`",
        "are errors";

    // the interface
    arrays "3.10 to 4.0" NotDynamics "arrays of model and data", "keep the names and shapes of 3.8";
    gpu "4.0" Refused "simulation on a GPU", "kernels have the meaning of 3.8";
}

#[cfg(test)]
mod tests {
    use super::{DIFFERENCES, Reference, ReferenceState};

    #[test]
    fn names_are_read_and_written() {
        for level in Reference::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let error = "4.1".parse::<Reference>().map_err(|error| error.to_string());
        assert_eq!(
            error,
            Err("there is no reference level '4.1'; there are '3.8' (the default) and '4.0'".into())
        );
        assert_eq!(Reference::default(), Reference::V3_8);
    }

    #[test]
    fn refusals_say_what_changed_and_when() {
        for difference in DIFFERENCES.iter().filter(|d| d.state == ReferenceState::Refused) {
            let text = difference.to_string();
            assert!(text.starts_with("unsupported: ") && text.contains(difference.since), "{text}");
        }
    }
}
