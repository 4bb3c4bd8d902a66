//! Option structs: physics options, statistics and visualization settings, with the reference's defaults
//! and in its memory layout.

use crate::field::{Element, Field, FieldMut};
use crate::reference::Reference;

macro_rules! option_structs {
    ($( $sdoc:literal struct $name:ident { $( $doc:literal $field:ident: $t:ty = $default:expr; )* } )*) => { $(
        #[doc = $sdoc]
        #[derive(Clone, Debug, PartialEq)]
        #[repr(C)]
        pub struct $name {
            $( #[doc = $doc] pub $field: $t, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $name {
            /// All fields in order.
            #[must_use]
            pub fn fields(&self) -> Vec<Field<'_>> {
                vec![$( Field {
                    name: stringify!($field),
                    doc: $doc,
                    rows: "",
                    shape: [<$t as Element>::WIDTH, 1, 1],
                    data: <$t as Element>::view(std::slice::from_ref(&self.$field)),
                }, )*]
            }

            /// All fields in order, mutable.
            pub fn fields_mut(&mut self) -> Vec<FieldMut<'_>> {
                vec![$( FieldMut {
                    name: stringify!($field),
                    data: <$t as Element>::view_mut(std::slice::from_mut(&mut self.$field)),
                }, )*]
            }
        }
    )* };
}

option_structs! {
    "Physics options: the `<option>` element." struct Opt {
        "Time step (s)." timestep: f64 = 0.002;
        "Ratio of frictional to normal contact impedance." impratio: f64 = 1.0;
        "At which scaled improvement or gradient the solver stops." tolerance: f64 = 1e-08;
        "Relative tolerance of the line search." ls_tolerance: f64 = 0.01;
        "Tolerance of the noslip solver." noslip_tolerance: f64 = 1e-06;
        "Tolerance of convex collision (m)." ccd_tolerance: f64 = 1e-06;
        "Velocity below which a tree is quiet (m/s; angular velocities count by `dof_length`)." sleep_tolerance: f64 = 0.0001;
        "Gravity (m/s²)." gravity: [f64; 3] = [0.0, 0.0, -9.81];
        "Velocity of the medium (m/s)." wind: [f64; 3] = [0.0, 0.0, 0.0];
        "Magnetic flux density (T)." magnetic: [f64; 3] = [0.0, -0.5, 0.0];
        "Density of the medium (kg/m³)." density: f64 = 0.0;
        "Viscosity of the medium (Pa s)." viscosity: f64 = 0.0;
        "Margin of all contacts, when overridden (m)." o_margin: f64 = 0.0;
        "Reference parameters of all contacts, when overridden: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s)." o_solref: [f64; 2] = [0.02, 1.0];
        "Impedance parameters of all contacts, when overridden: at zero and at the width, width (m), midpoint, power." o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
        "Friction of all contacts, when overridden: two tangential, one torsional and two rolling (m)." o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001];
        "Integrator." integrator: i32 = 0;
        "Friction cone." cone: i32 = 0;
        "Storage of the constraint Jacobian." jacobian: i32 = 2;
        "Constraint solver." solver: i32 = 2;
        "Most solver iterations." iterations: i32 = 100;
        "Most line-search iterations." ls_iterations: i32 = 50;
        "Most noslip iterations." noslip_iterations: i32 = 0;
        "Most iterations of convex collision." ccd_iterations: i32 = 35;
        "Disabled features, as bits." disableflags: i32 = 0;
        "Enabled optional features, as bits." enableflags: i32 = 0;
        "Disabled actuator groups, as bits." disableactuator: i32 = 0;
        "Starting points of signed-distance collision." sdf_initpoints: i32 = 40;
        "Most iterations of signed-distance collision." sdf_iterations: i32 = 10;
    }

    "Model statistics, used for solver scaling and visualization." struct Statistic {
        "Mean diagonal of the inertia matrix (kg or kg m²)." meaninertia: f64 = 1.0;
        "Mean body mass (kg)." meanmass: f64 = 1.0;
        "Mean body size (m)." meansize: f64 = 0.2;
        "Spatial extent (m)." extent: f64 = 2.0;
        "Centre of the model (m)." center: [f64; 3] = [0.0, 0.0, 0.0];
    }

    "Global visualization settings." struct VisualGlobal {
        "First camera shown; -1: free." cameraid: i32 = -1;
        "Whether the free camera is orthographic." orthographic: i32 = 0;
        "Vertical field of view of the free camera (deg), or extent when orthographic (m)." fovy: f32 = 45.0;
        "Eye distance of the free camera (m)." ipd: f32 = 0.068;
        "First azimuth of the free camera (deg)." azimuth: f32 = 90.0;
        "First elevation of the free camera (deg)." elevation: f32 = -45.0;
        "Width of lines (pixels)." linewidth: f32 = 1.0;
        "Glow of the selected body." glow: f32 = 0.3;
        "First speed relative to real time." realtime: f32 = 1.0;
        "Width of the off-screen image (pixels)." offwidth: i32 = 640;
        "Height of the off-screen image (pixels)." offheight: i32 = 480;
        "Whether inertia is shown as ellipsoids." ellipsoidinertia: i32 = 0;
        "Whether active bounding volumes are shown." bvactive: i32 = 1;
    }

    "Rendering quality." struct VisualQuality {
        "Size of the shadow map (pixels)." shadowsize: i32 = 4096;
        "Samples per off-screen pixel." offsamples: i32 = 4;
        "Slices around round shapes." numslices: i32 = 28;
        "Stacks along round shapes." numstacks: i32 = 16;
        "Subdivisions of boxes." numquads: i32 = 4;
    }

    "The light that follows the camera." struct VisualHeadlight {
        "Ambient colour." ambient: [f32; 3] = [0.1, 0.1, 0.1];
        "Diffuse colour." diffuse: [f32; 3] = [0.4, 0.4, 0.4];
        "Specular colour." specular: [f32; 3] = [0.5, 0.5, 0.5];
        "Whether it is on." active: i32 = 1;
    }

    "Mappings from physical to visual quantities." struct VisualMap {
        "Stiffness of the mouse's spring per mass: from distance to force (1/s²)." stiffness: f32 = 100.0;
        "Stiffness of the mouse's rotational spring per inertia: from angle to torque (1/s²)." stiffnessrot: f32 = 500.0;
        "Length of force arrows: from force per mean mass to length (m kg/N)." force: f32 = 0.005;
        "Length of torque arrows: from torque to length (m/(N m))." torque: f32 = 0.1;
        "Factor on opacity when transparency is on." alpha: f32 = 0.3;
        "Where fog begins, in extents." fogstart: f32 = 3.0;
        "Where fog is full, in extents." fogend: f32 = 10.0;
        "Near plane, in extents." znear: f32 = 0.01;
        "Far plane, in extents." zfar: f32 = 50.0;
        "Share of haze." haze: f32 = 0.3;
        "Half size of directional shadows, in extents." shadowclip: f32 = 1.0;
        "Share of the spot that casts shadows." shadowscale: f32 = 0.6;
        "Width of actuated tendons." actuatortendon: f32 = 2.0;
    }

    "Sizes of decorative elements, relative to the mean body size." struct VisualScale {
        "Width of force arrows." forcewidth: f32 = 0.1;
        "Width of contact discs." contactwidth: f32 = 0.3;
        "Height of contact discs." contactheight: f32 = 0.1;
        "Width of connectors." connect: f32 = 0.2;
        "Radius of centres of mass." com: f32 = 0.4;
        "Size of cameras." camera: f32 = 0.3;
        "Size of lights." light: f32 = 0.3;
        "Size of the selected point." selectpoint: f32 = 0.2;
        "Length of joint axes." jointlength: f32 = 1.0;
        "Width of joint axes." jointwidth: f32 = 0.1;
        "Length of actuators." actuatorlength: f32 = 0.7;
        "Width of actuators." actuatorwidth: f32 = 0.2;
        "Length of frame axes." framelength: f32 = 1.0;
        "Width of frame axes." framewidth: f32 = 0.1;
        "Width of constraint lines." constraint: f32 = 0.1;
        "Width of slider-cranks." slidercrank: f32 = 0.2;
        "Depth of camera frustums." frustum: f32 = 10.0;
    }

    "Colours of decorative elements." struct VisualRgba {
        "Colour of fog." fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
        "Colour of haze." haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0];
        "Colour of forces." force: [f32; 4] = [1.0, 0.5, 0.5, 1.0];
        "Colour of inertia boxes." inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6];
        "Colour of joints." joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0];
        "Colour of idle actuators." actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0];
        "Colour of actuators at their lower limit." actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0];
        "Colour of actuators at their upper limit." actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0];
        "Colour of centres of mass." com: [f32; 4] = [0.9, 0.9, 0.9, 1.0];
        "Colour of cameras." camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0];
        "Colour of lights." light: [f32; 4] = [0.6, 0.6, 0.9, 1.0];
        "Colour of the selected point." selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0];
        "Colour of connectors." connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0];
        "Colour of contact points." contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0];
        "Colour of contact forces." contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0];
        "Colour of friction forces." contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0];
        "Colour of contact torques." contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0];
        "Colour of contacts in the gap." contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0];
        "Colour of rangefinder rays." rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0];
        "Colour of constraint lines." constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0];
        "Colour of slider-cranks." slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0];
        "Colour of broken slider-cranks." crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0];
        "Colour of camera frustums." frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2];
        "Colour of bounding volumes." bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5];
        "Colour of active bounding volumes." bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5];
    }
}

/// Visualization settings: the `<visual>` element.
#[derive(Clone, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Visual {
    /// Global settings.
    pub global: VisualGlobal,
    /// Rendering quality.
    pub quality: VisualQuality,
    /// The light that follows the camera.
    pub headlight: VisualHeadlight,
    /// Mappings from physical to visual quantities.
    pub map: VisualMap,
    /// Sizes of decorative elements.
    pub scale: VisualScale,
    /// Colours of decorative elements.
    pub rgba: VisualRgba,
}

impl Visual {
    /// The groups of settings with their names.
    #[must_use]
    pub fn groups(&self) -> [(&'static str, Vec<Field<'_>>); 6] {
        [
            ("global", self.global.fields()),
            ("quality", self.quality.fields()),
            ("headlight", self.headlight.fields()),
            ("map", self.map.fields()),
            ("scale", self.scale.fields()),
            ("rgba", self.rgba.fields()),
        ]
    }

    /// The groups of settings with their names, mutable.
    pub fn groups_mut(&mut self) -> [(&'static str, Vec<FieldMut<'_>>); 6] {
        [
            ("global", self.global.fields_mut()),
            ("quality", self.quality.fields_mut()),
            ("headlight", self.headlight.fields_mut()),
            ("map", self.map.fields_mut()),
            ("scale", self.scale.fields_mut()),
            ("rgba", self.rgba.fields_mut()),
        ]
    }
}

impl Opt {
    /// The default options of a reference level.
    #[must_use]
    pub fn at(reference: Reference) -> Self {
        let mut options = Self::default();
        if reference.sleep_tolerance() {
            options.sleep_tolerance = 1e-3;
        }
        options
    }
}

impl Visual {
    /// The default settings of a reference level.
    #[must_use]
    pub fn at(reference: Reference) -> Self {
        let mut visual = Self::default();
        if reference.visual_defaults() {
            visual.global.bvactive = 0;
            visual.headlight.active = HEADLIGHT_AUTO;
        }
        visual
    }
}

/// The headlight is on where the model has no other light.
const HEADLIGHT_AUTO: i32 = 2;
