//! The working memory of sensors, and what they may use of the evaluation that they belong to.

use super::contact::Match;
use crate::contact::distance::DistanceScratch;
use crate::forces::bias::{RneScratch, VelocityTerms, rne_post_constraint};
use crate::forces::energy::{mj_energy_pos, mj_energy_vel};
use crate::kinematics::velocity::{Momenta, mj_subtree_vel};
use crate::nested::NestedCalls;
use kinetree_model::enums::SensorType;
use kinetree_model::{Data, Model};

/// Working memory of sensors.
#[derive(Default)]
pub(crate) struct SensorScratch {
    pub(super) values: Vec<f64>,
    /// Geoms that touch a tactile sensor.
    pub(super) touching: Vec<i32>,
    /// Contacts that a contact sensor sees.
    pub(super) matches: Vec<Match>,
    pub(super) distance: DistanceScratch,
    /// Generalized momenta, for the kinetic energy.
    pub(super) momentum: Vec<f64>,
    momenta: Momenta,
}

/// What sensors may use besides the data.
pub(crate) struct SensorContext<'a> {
    pub scratch: &'a mut SensorScratch,
    pub rne: &'a mut RneScratch,
    /// Velocity-dependent terms of the evaluation, until they are used.
    pub velocity_terms: &'a mut Option<VelocityTerms>,
    pub nested: &'a mut NestedCalls,
}

impl SensorContext<'_> {
    /// Makes sure that what a kind of sensor reads besides the results of its stage is there.
    pub(super) fn prepare(&mut self, model: &Model, data: &mut Data, kind: SensorType) {
        match kind {
            SensorType::EPotential if !data.flg_energypos => mj_energy_pos(model, data),
            SensorType::EKinetic if !data.flg_energyvel => {
                mj_energy_vel(model, data, &mut self.scratch.momentum);
            }
            SensorType::Subtreelinvel | SensorType::Subtreeangmom => {
                self.need_subtree_velocities(model, data);
            }
            SensorType::Accelerometer
            | SensorType::Force
            | SensorType::Torque
            | SensorType::Framelinacc
            | SensorType::Frameangacc => self.need_body_forces(model, data),
            _ => {}
        }
    }

    /// Makes sure that velocities and momenta of subtrees are there.
    pub(super) fn need_subtree_velocities(&mut self, model: &Model, data: &mut Data) {
        if !data.flg_subtreevel {
            mj_subtree_vel(model, data, &mut self.scratch.momenta);
        }
    }

    /// Makes sure that accelerations of bodies and forces between them are there.
    pub(super) fn need_body_forces(&mut self, model: &Model, data: &mut Data) {
        if !data.flg_rnepost {
            rne_post_constraint(model, data, self.rne, self.velocity_terms.take(), &[]);
        }
    }
}
