//! Option structs: physics options, statistics and visualization settings, with the reference's defaults.

use crate::field::{Element, Field, FieldMut};

macro_rules! option_structs {
    ($( $sdoc:literal struct $name:ident { $( $doc:literal $field:ident: $t:ty = $default:expr; )* } )*) => { $(
        #[doc = $sdoc]
        #[derive(Clone, Debug, PartialEq)]
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
        "timestep" timestep: f64 = 0.002;
        "impratio" impratio: f64 = 1.0;
        "tolerance" tolerance: f64 = 1e-08;
        "ls_tolerance" ls_tolerance: f64 = 0.01;
        "noslip_tolerance" noslip_tolerance: f64 = 1e-06;
        "ccd_tolerance" ccd_tolerance: f64 = 1e-06;
        "sleep_tolerance" sleep_tolerance: f64 = 0.0001;
        "gravity" gravity: [f64; 3] = [0.0, 0.0, -9.81];
        "wind" wind: [f64; 3] = [0.0, 0.0, 0.0];
        "magnetic" magnetic: [f64; 3] = [0.0, -0.5, 0.0];
        "density" density: f64 = 0.0;
        "viscosity" viscosity: f64 = 0.0;
        "o_margin" o_margin: f64 = 0.0;
        "o_solref" o_solref: [f64; 2] = [0.02, 1.0];
        "o_solimp" o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
        "o_friction" o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001];
        "integrator" integrator: i32 = 0;
        "cone" cone: i32 = 0;
        "jacobian" jacobian: i32 = 2;
        "solver" solver: i32 = 2;
        "iterations" iterations: i32 = 100;
        "ls_iterations" ls_iterations: i32 = 50;
        "noslip_iterations" noslip_iterations: i32 = 0;
        "ccd_iterations" ccd_iterations: i32 = 35;
        "disableflags" disableflags: i32 = 0;
        "enableflags" enableflags: i32 = 0;
        "disableactuator" disableactuator: i32 = 0;
        "sdf_initpoints" sdf_initpoints: i32 = 40;
        "sdf_iterations" sdf_iterations: i32 = 10;
    }

    "Model statistics, used for solver scaling and visualization." struct Statistic {
        "meaninertia" meaninertia: f64 = 1.0;
        "meanmass" meanmass: f64 = 1.0;
        "meansize" meansize: f64 = 1.0;
        "extent" extent: f64 = 2.0;
        "center" center: [f64; 3] = [0.0, 0.0, 0.0];
    }

    "Global visualization settings." struct VisualGlobal {
        "cameraid" cameraid: i32 = -1;
        "orthographic" orthographic: i32 = 0;
        "fovy" fovy: f32 = 45.0;
        "ipd" ipd: f32 = 0.068;
        "azimuth" azimuth: f32 = 90.0;
        "elevation" elevation: f32 = -45.0;
        "linewidth" linewidth: f32 = 1.0;
        "glow" glow: f32 = 0.3;
        "realtime" realtime: f32 = 1.0;
        "offwidth" offwidth: i32 = 640;
        "offheight" offheight: i32 = 480;
        "ellipsoidinertia" ellipsoidinertia: i32 = 0;
        "bvactive" bvactive: i32 = 1;
    }

    "Rendering quality." struct VisualQuality {
        "shadowsize" shadowsize: i32 = 4096;
        "offsamples" offsamples: i32 = 4;
        "numslices" numslices: i32 = 28;
        "numstacks" numstacks: i32 = 16;
        "numquads" numquads: i32 = 4;
    }

    "The light that follows the camera." struct VisualHeadlight {
        "ambient" ambient: [f32; 3] = [0.1, 0.1, 0.1];
        "diffuse" diffuse: [f32; 3] = [0.4, 0.4, 0.4];
        "specular" specular: [f32; 3] = [0.5, 0.5, 0.5];
        "active" active: i32 = 1;
    }

    "Mappings from physical to visual quantities." struct VisualMap {
        "stiffness" stiffness: f32 = 100.0;
        "stiffnessrot" stiffnessrot: f32 = 500.0;
        "force" force: f32 = 0.005;
        "torque" torque: f32 = 0.1;
        "alpha" alpha: f32 = 0.3;
        "fogstart" fogstart: f32 = 3.0;
        "fogend" fogend: f32 = 10.0;
        "znear" znear: f32 = 0.01;
        "zfar" zfar: f32 = 50.0;
        "haze" haze: f32 = 0.3;
        "shadowclip" shadowclip: f32 = 1.0;
        "shadowscale" shadowscale: f32 = 0.6;
        "actuatortendon" actuatortendon: f32 = 2.0;
    }

    "Sizes of decorative elements, relative to the mean body size." struct VisualScale {
        "forcewidth" forcewidth: f32 = 0.1;
        "contactwidth" contactwidth: f32 = 0.3;
        "contactheight" contactheight: f32 = 0.1;
        "connect" connect: f32 = 0.2;
        "com" com: f32 = 0.4;
        "camera" camera: f32 = 0.3;
        "light" light: f32 = 0.3;
        "selectpoint" selectpoint: f32 = 0.2;
        "jointlength" jointlength: f32 = 1.0;
        "jointwidth" jointwidth: f32 = 0.1;
        "actuatorlength" actuatorlength: f32 = 0.7;
        "actuatorwidth" actuatorwidth: f32 = 0.2;
        "framelength" framelength: f32 = 1.0;
        "framewidth" framewidth: f32 = 0.1;
        "constraint" constraint: f32 = 0.1;
        "slidercrank" slidercrank: f32 = 0.2;
        "frustum" frustum: f32 = 10.0;
    }

    "Colours of decorative elements." struct VisualRgba {
        "fog" fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
        "haze" haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0];
        "force" force: [f32; 4] = [1.0, 0.5, 0.5, 1.0];
        "inertia" inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6];
        "joint" joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0];
        "actuator" actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0];
        "actuatornegative" actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0];
        "actuatorpositive" actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0];
        "com" com: [f32; 4] = [0.9, 0.9, 0.9, 1.0];
        "camera" camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0];
        "light" light: [f32; 4] = [0.6, 0.6, 0.9, 1.0];
        "selectpoint" selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0];
        "connect" connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0];
        "contactpoint" contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0];
        "contactforce" contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0];
        "contactfriction" contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0];
        "contacttorque" contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0];
        "contactgap" contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0];
        "rangefinder" rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0];
        "constraint" constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0];
        "slidercrank" slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0];
        "crankbroken" crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0];
        "frustum" frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2];
        "bv" bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5];
        "bvactive" bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5];
    }
}

/// Visualization settings: the `<visual>` element.
#[derive(Clone, Debug, Default, PartialEq)]
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
