//! Settings of the compiler and sizes that the user may fix.
//!
//! ```
//! use kinetree_spec::Spec;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! spec.compiler_mut().degree = false;
//! spec.size.nuserdata = 4;
//! assert_eq!(spec.compile()?.nuserdata, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use kinetree_sim::LengthRangeOptions;

/// Whether body inertia is derived from the geoms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InertiaFromGeom {
    /// Never: bodies need an inertial element.
    False,
    /// Always, even where an inertial element exists.
    True,
    /// Where the inertial element is missing.
    #[default]
    Auto,
}

/// Compiler settings of one model file. Attached models keep theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiler {
    /// Infer "limited" from the presence of a range.
    pub autolimits: bool,
    /// Smallest mass of a moving body (kg).
    pub boundmass: f64,
    /// Smallest principal moment of a moving body (kg m²).
    pub boundinertia: f64,
    /// Total mass that the model is scaled to (kg); not positive: no scaling.
    pub settotalmass: f64,
    /// Repair moments that violate the triangle inequality.
    pub balanceinertia: bool,
    /// Fit primitives to the bounding box of a mesh instead of its inertia box.
    pub fitaabb: bool,
    /// Angles are in degrees.
    pub degree: bool,
    /// Axes of Euler angles; lower case moves with the frame, upper case stays.
    pub eulerseq: [u8; 3],
    /// Drop elements that only serve visualization.
    pub discardvisual: bool,
    /// Process assets in parallel.
    pub usethread: bool,
    /// Merge bodies without joints into their parents.
    pub fusestatic: bool,
    /// Whether body inertia is derived from the geoms.
    pub inertiafromgeom: InertiaFromGeom,
    /// Geom groups that count for inertia, both ends included.
    pub inertiagrouprange: [i32; 2],
    /// Write the inertia of all bodies when saving.
    pub saveinertial: bool,
    /// Align free joints with the inertial frame.
    pub alignfree: bool,
    /// How the length range of actuators is searched.
    pub lr_opt: LengthRangeOptions,
    /// Folder of meshes and height fields.
    pub meshdir: String,
    /// Folder of textures.
    pub texturedir: String,
    /// Use only the last part of asset file names.
    pub strippath: bool,
    /// Folder of the model file, with its closing slash; empty for the current folder.
    pub modelfiledir: String,
}

impl Default for Compiler {
    fn default() -> Self {
        Compiler {
            autolimits: true,
            boundmass: 0.0,
            boundinertia: 0.0,
            settotalmass: -1.0,
            balanceinertia: false,
            fitaabb: false,
            degree: true,
            eulerseq: *b"xyz",
            discardvisual: false,
            usethread: true,
            fusestatic: false,
            inertiafromgeom: InertiaFromGeom::Auto,
            inertiagrouprange: [0, 5],
            saveinertial: false,
            alignfree: false,
            lr_opt: LengthRangeOptions::default(),
            meshdir: String::new(),
            texturedir: String::new(),
            strippath: false,
            modelfiledir: String::new(),
        }
    }
}

/// Sizes fixed by the user; -1: chosen by the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of the reference's arena.
    pub memory: i64,
    /// Numbers in the user data of the state.
    pub nuserdata: i32,
    /// Numbers per body.
    pub nuser_body: i32,
    /// Numbers per joint.
    pub nuser_jnt: i32,
    /// Numbers per geom.
    pub nuser_geom: i32,
    /// Numbers per site.
    pub nuser_site: i32,
    /// Numbers per camera.
    pub nuser_cam: i32,
    /// Numbers per tendon.
    pub nuser_tendon: i32,
    /// Numbers per actuator.
    pub nuser_actuator: i32,
    /// Numbers per sensor.
    pub nuser_sensor: i32,
    /// Smallest number of keyframes.
    pub nkey: i32,
    /// Most constraints, an old setting.
    pub njmax: i32,
    /// Most contacts, an old setting.
    pub nconmax: i32,
    /// Numbers on the stack, an old setting.
    pub nstack: i64,
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes {
            memory: -1,
            nuserdata: 0,
            nuser_body: -1,
            nuser_jnt: -1,
            nuser_geom: -1,
            nuser_site: -1,
            nuser_cam: -1,
            nuser_tendon: -1,
            nuser_actuator: -1,
            nuser_sensor: -1,
            nkey: 0,
            njmax: -1,
            nconmax: -1,
            nstack: -1,
        }
    }
}
