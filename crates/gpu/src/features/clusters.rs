//! Clusters of trees: groups that a workgroup of the solver can treat alone while no contact joins them.
//!
//! A model with more dofs than a subgroup has lanes is cut between its trees where nothing but contacts can
//! join them. In most steps each cluster is then a system as small as its dofs. Worlds in which a contact
//! joins two clusters are solved as a whole.

use crate::features::adhesion::Adhesion;
use crate::features::fixed_rows::fixed_rows;
use crate::features::integrator::evaluations;
use crate::features::nonlinear_transmission::NonlinearTransmissions;
use crate::features::parameters::Table;
use crate::features::single_free_bodies::SingleFreeBodies;
use kinetree_model::Model;
use kinetree_model::enums::{Integrator, TrnType, WrapType};

/// Lanes of a subgroup: small trees share a cluster up to so many dofs.
const SUBGROUP: usize = 32;

/// Clusters of a model; one where it cannot be cut.
#[derive(Clone, Debug)]
pub(crate) struct Clusters {
    /// First dof of each cluster, and the number of dofs.
    dofs: Vec<usize>,
}

impl Clusters {
    pub(crate) fn new(model: &Model) -> Self {
        let whole = Self { dofs: vec![0, model.nv] };
        let is_cut = model.nv > SUBGROUP
            && fixed_rows(model) == 0
            && evaluations(model) == 1
            && !Adhesion::new(model).is_present()
            && SingleFreeBodies::new(model).is_empty();
        if !is_cut {
            return whole;
        }
        let mut dofs = vec![0];
        for tree in 0..model.ntree {
            let first = model.tree_dofadr[tree] as usize;
            let end = first + model.tree_dofnum[tree] as usize;
            let begin = dofs.last().copied().unwrap_or(0);
            if first > begin && end - begin > SUBGROUP {
                dofs.push(first);
            }
        }
        dofs.push(model.nv);
        let clusters = Self { dofs };
        if clusters.is_joined_by_forces(model) { whole } else { clusters }
    }

    /// Whether derivatives of forces that an implicit integrator takes join clusters.
    fn is_joined_by_forces(&self, model: &Model) -> bool {
        if model.opt.integrator != Integrator::Implicitfast as i32 {
            return false;
        }
        let of_joint = |joint: i32| self.of_dof(model.jnt_dofadr[joint as usize] as usize);
        let tendon_joins = |tendon: usize| {
            let first = model.tendon_adr[tendon] as usize;
            let path = first..first + model.tendon_num[tendon] as usize;
            let joints = path.filter(|&w| model.wrap_type[w] == WrapType::Joint as i32);
            let mut clusters = joints.map(|w| of_joint(model.wrap_objid[w]));
            let one = clusters.next();
            clusters.any(|other| Some(other) != one)
        };
        let is_tendon = |u: &usize| model.actuator_trntype[*u] == TrnType::Tendon as i32;
        let curved = !NonlinearTransmissions::new(model).is_empty();
        let driven = (0..model.nu).filter(is_tendon).map(|u| model.actuator_trnid[u][0] as usize);
        curved || (0..model.ntendon).chain(driven).any(tendon_joins)
    }

    /// Number of clusters.
    pub(crate) fn len(&self) -> usize {
        self.dofs.len() - 1
    }

    /// Whether there are several.
    pub(crate) fn are_several(&self) -> bool {
        self.len() > 1
    }

    /// Dofs of the largest cluster.
    pub(crate) fn width(&self) -> usize {
        self.dofs.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0)
    }

    /// Lanes of a workgroup that solves for one cluster.
    pub(crate) fn lanes(&self) -> usize {
        self.width().max(1).next_multiple_of(SUBGROUP)
    }

    /// First lane of each cluster in a workgroup that solves for the whole world, and the number of lanes.
    /// Clusters begin at multiples of four, as columns are read.
    fn starts(&self) -> Vec<usize> {
        let mut starts = vec![0];
        for ends in self.dofs.windows(2) {
            let start = starts.last().copied().unwrap_or(0);
            starts.push(start + (ends[1] - ends[0]).next_multiple_of(4));
        }
        starts
    }

    /// Lanes of a whole world that stand for dofs, and gaps between clusters.
    pub(crate) fn padded_width(&self) -> usize {
        if self.are_several() { self.starts()[self.len()] } else { self.width() }
    }

    /// The cluster of a dof.
    fn of_dof(&self, dof: usize) -> usize {
        self.dofs.partition_point(|&first| first <= dof) - 1
    }

    /// First dof of the cluster that a dof belongs to.
    pub(crate) fn first_of(&self, dof: usize) -> usize {
        self.dofs[self.of_dof(dof)]
    }

    /// Writes the width of rows of the inertia matrix, and the tables of several clusters.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        table.size("MASS_WIDTH", self.width());
        table.size("MASS4", self.width().div_ceil(4));
        table.size("MASS_WORDS", self.width().div_ceil(32));
        if !self.are_several() {
            return;
        }
        let joint_start = |&dof: &usize| match model.dof_jntid.get(dof) {
            Some(&joint) => joint,
            None => model.njnt as i32,
        };
        let cluster_of_body = |b: usize| match usize::try_from(model.body_treeid[b]) {
            Ok(tree) => self.of_dof(model.tree_dofadr[tree] as usize) as i32,
            Err(_) => -1,
        };
        table.size("CLUSTERS", self.len());
        table.ints("CLUSTER_DOF", self.dofs.iter().map(|&dof| dof as i32));
        table.ints("CLUSTER_JNT", self.dofs.iter().map(joint_start));
        let starts = self.starts();
        let lane = |dof: usize| starts[self.of_dof(dof)] + dof - self.first_of(dof);
        let mut dof_at = vec![-1; self.padded_width()];
        (0..model.nv).for_each(|dof| dof_at[lane(dof)] = dof as i32);
        table.ints("LANE_DOF", dof_at);
        table.ints("DOF_LANE", (0..model.nv).map(|dof| lane(dof) as i32));
        table.ints("DOF_GROUP", (0..model.nv).map(|dof| starts[self.of_dof(dof)] as i32 / 4));
        table.ints("DOF_CLUSTER", (0..model.nv).map(|dof| self.first_of(dof) as i32));
        table.ints("BODY_CLUSTER", (0..model.nbody).map(cluster_of_body));
    }
}
