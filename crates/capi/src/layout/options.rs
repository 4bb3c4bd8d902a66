//! `mjLROpt`: how length ranges of actuators are found.

use crate::ffi::fault::Served;
use kinetree_model::enums::LengthRangeMode;
use kinetree_sim::LengthRangeOptions;

/// The options of the header.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MjLrOpt {
    pub mode: i32,
    pub useexisting: i32,
    pub uselimit: i32,
    pub accel: f64,
    pub maxforce: f64,
    pub timeconst: f64,
    pub timestep: f64,
    pub inttotal: f64,
    pub interval: f64,
    pub tolrange: f64,
}

impl MjLrOpt {
    /// The same options in the form of the engine.
    pub fn options(&self) -> Served<LengthRangeOptions> {
        Ok(LengthRangeOptions {
            mode: LengthRangeMode::try_from(self.mode)?,
            useexisting: self.useexisting != 0,
            uselimit: self.uselimit != 0,
            accel: self.accel,
            maxforce: self.maxforce,
            timeconst: self.timeconst,
            timestep: self.timestep,
            inttotal: self.inttotal,
            interval: self.interval,
            tolrange: self.tolrange,
        })
    }

    /// Options of the engine in the form of the header.
    pub fn of(options: &LengthRangeOptions) -> Self {
        Self {
            mode: options.mode as i32,
            useexisting: i32::from(options.useexisting),
            uselimit: i32::from(options.uselimit),
            accel: options.accel,
            maxforce: options.maxforce,
            timeconst: options.timeconst,
            timestep: options.timestep,
            inttotal: options.inttotal,
            interval: options.interval,
            tolrange: options.tolrange,
        }
    }
}
