//! `mjSpec` and `mjsCompiler`: settings of a whole description.

#![allow(non_snake_case)] // fields carry the names of the header

use super::options::MjLrOpt;
use super::slot::{ElementHead, OwnString, Slot};
use crate::ffi::fault::Served;
use kinetree_model::{Opt, Statistic, Visual};
use kinetree_sim::LengthRangeOptions;
use kinetree_spec::Spec;
use kinetree_spec::spec::Compiler;
use std::ffi::c_char;

/// Settings of the compiler.
#[repr(C)]
pub struct MjsCompiler {
    pub autolimits: u8,
    pub boundmass: f64,
    pub boundinertia: f64,
    pub settotalmass: f64,
    pub balanceinertia: u8,
    pub fitaabb: u8,
    pub degree: u8,
    pub eulerseq: [c_char; 3],
    pub discardvisual: u8,
    pub usethread: u8,
    pub fusestatic: u8,
    pub inertiafromgeom: i32,
    pub inertiagrouprange: [i32; 2],
    pub saveinertial: u8,
    pub alignfree: i32,
    pub LRopt: MjLrOpt,
    pub meshdir: OwnString,
    pub texturedir: OwnString,
}

macro_rules! same_names {
    ($( $field:ident )*) => {
        impl Default for MjsCompiler {
            fn default() -> Self {
                let mut settings = Self {
                    $( $field: Default::default(), )*
                    LRopt: MjLrOpt::of(&LengthRangeOptions::default()),
                };
                settings.show(&Compiler::default());
                settings
            }
        }

        impl MjsCompiler {
            /// Fills the struct.
            pub fn show(&mut self, compiler: &Compiler) {
                $( Slot::show(&mut self.$field, &compiler.$field); )*
                self.LRopt = MjLrOpt::of(&compiler.lr_opt);
            }

            /// Takes over what a program has written.
            pub fn take(&self, compiler: &mut Compiler) -> Served {
                $( Slot::take(&self.$field, &mut compiler.$field)?; )*
                compiler.lr_opt = self.LRopt.options()?;
                Ok(())
            }
        }
    };
}

same_names! {
    autolimits boundmass boundinertia settotalmass balanceinertia fitaabb degree eulerseq discardvisual usethread fusestatic
    inertiafromgeom inertiagrouprange saveinertial alignfree meshdir texturedir
}

/// A description.
#[repr(C)]
pub struct MjSpec {
    pub element: *mut ElementHead,
    pub modelname: OwnString,
    pub compiler: MjsCompiler,
    pub strippath: u8,
    pub option: Opt,
    pub visual: Visual,
    pub stat: Statistic,
    pub memory: i64,
    pub nemax: i32,
    pub nuserdata: i32,
    pub nuser_body: i32,
    pub nuser_jnt: i32,
    pub nuser_geom: i32,
    pub nuser_site: i32,
    pub nuser_cam: i32,
    pub nuser_tendon: i32,
    pub nuser_actuator: i32,
    pub nuser_sensor: i32,
    pub nkey: i32,
    pub njmax: i32,
    pub nconmax: i32,
    pub nstack: i64,
    pub comment: OwnString,
    pub modelfiledir: OwnString,
    pub hasImplicitPluginElem: u8,
}

macro_rules! sizes {
    ($( $field:ident )*) => {
        impl Default for MjSpec {
            fn default() -> Self {
                let mut settings = Self {
                    element: std::ptr::null_mut(),
                    modelname: None,
                    compiler: MjsCompiler::default(),
                    strippath: 0,
                    option: Opt::default(),
                    visual: Visual::default(),
                    stat: Statistic::default(),
                    nemax: 0,
                    $( $field: 0, )*
                    comment: None,
                    modelfiledir: None,
                    hasImplicitPluginElem: 0,
                };
                settings.show(&Spec::new());
                settings
            }
        }

        impl MjSpec {
            /// Fills the struct.
            pub fn show(&mut self, spec: &Spec) {
                self.modelname.show(&spec.modelname);
                self.comment.show(&spec.comment);
                self.compiler.show(spec.compiler());
                self.strippath.show(&spec.compiler().strippath);
                self.modelfiledir.show(&spec.compiler().modelfiledir);
                self.option = spec.option.clone();
                self.visual = spec.visual.clone();
                self.stat = spec.stat.clone();
                $( self.$field = spec.size.$field; )*
            }

            /// Takes over what a program has written.
            pub fn take(&self, spec: &mut Spec) -> Served {
                self.modelname.take(&mut spec.modelname)?;
                self.comment.take(&mut spec.comment)?;
                self.compiler.take(spec.compiler_mut())?;
                self.strippath.take(&mut spec.compiler_mut().strippath)?;
                self.modelfiledir.take(&mut spec.compiler_mut().modelfiledir)?;
                spec.option = self.option.clone();
                spec.visual = self.visual.clone();
                spec.stat = self.stat.clone();
                $( spec.size.$field = self.$field; )*
                Ok(())
            }
        }
    };
}

sizes! {
    memory nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor nkey njmax
    nconmax nstack
}
