//! Arrays of four worlds as structure of arrays, a world a lane, and how they come from and go to the data.

use super::world::LockstepWorld as World;
use crate::forces::bias::RneScratch;
use kinetree_math::lockstep;
use kinetree_model::{Data, Model};
use wide::f64x4;

/// The arrays of the smooth stages, named like those of `Data`.
#[derive(Default)]
#[allow(non_snake_case)]
pub(super) struct Lanes {
    pub(super) qpos: Vec<f64x4>,
    pub(super) qvel: Vec<f64x4>,
    pub(super) mocap_pos: Vec<[f64x4; 3]>,
    pub(super) mocap_quat: Vec<[f64x4; 4]>,
    pub(super) xpos: Vec<[f64x4; 3]>,
    pub(super) xquat: Vec<[f64x4; 4]>,
    pub(super) xmat: Vec<[f64x4; 9]>,
    pub(super) xipos: Vec<[f64x4; 3]>,
    pub(super) ximat: Vec<[f64x4; 9]>,
    pub(super) xanchor: Vec<[f64x4; 3]>,
    pub(super) xaxis: Vec<[f64x4; 3]>,
    pub(super) geom_xpos: Vec<[f64x4; 3]>,
    pub(super) geom_xmat: Vec<[f64x4; 9]>,
    pub(super) site_xpos: Vec<[f64x4; 3]>,
    pub(super) site_xmat: Vec<[f64x4; 9]>,
    pub(super) subtree_com: Vec<[f64x4; 3]>,
    pub(super) cinert: Vec<[f64x4; 10]>,
    pub(super) cdof: Vec<[f64x4; 6]>,
    pub(super) crb: Vec<[f64x4; 10]>,
    pub(super) M: Vec<f64x4>,
    pub(super) qM: Vec<f64x4>,
    pub(super) qLD: Vec<f64x4>,
    pub(super) qLDiagInv: Vec<f64x4>,
    pub(super) cvel: Vec<[f64x4; 6]>,
    pub(super) cdof_dot: Vec<[f64x4; 6]>,
    pub(super) qfrc_bias: Vec<f64x4>,
    /// Controls in their ranges.
    pub(super) ctrl: Vec<f64x4>,
    pub(super) qfrc_applied: Vec<f64x4>,
    pub(super) qfrc_actuator: Vec<f64x4>,
    pub(super) qfrc_smooth: Vec<f64x4>,
    pub(super) qacc_smooth: Vec<f64x4>,
    /// The acceleration that a primal solver may start from, and its product with the inertia matrix.
    pub(super) qacc_warmstart: Vec<f64x4>,
    pub(super) warm_product: Vec<f64x4>,
    /// Accelerations with those of constraint forces, of a dual solver.
    pub(super) qacc: Vec<f64x4>,
    pub(super) rne: RneScratch<f64x4>,
    /// Derivatives of damper forces times the time step, of one world after the other.
    pub(super) damper_derivatives: [Vec<f64>; 4],
    /// The inertia matrix with these on its diagonal, factored.
    pub(super) qH: Vec<f64x4>,
    pub(super) qHDiagInv: Vec<f64x4>,
}

impl Lanes {
    /// Makes the arrays as long as the model needs them, and reads what a step begins with.
    pub(super) fn begin(&mut self, model: &Model, worlds: &[World<'_>]) {
        self.resize(model);
        self.read_state(worlds);
    }

    /// Reads positions and velocities.
    pub(super) fn read_state(&mut self, worlds: &[World<'_>]) {
        gather(&mut self.qpos, worlds, |data| &data.qpos);
        gather(&mut self.qvel, worlds, |data| &data.qvel);
        gather(self.mocap_pos.as_flattened_mut(), worlds, |data| data.mocap_pos.as_flattened());
        gather(self.mocap_quat.as_flattened_mut(), worlds, |data| data.mocap_quat.as_flattened());
    }

    fn resize(&mut self, model: &Model) {
        let (nbody, nv) = (model.nbody, model.nv);
        resize(&mut self.qpos, model.nq);
        resize(&mut self.qvel, nv);
        resize(&mut self.mocap_pos, model.nmocap);
        resize(&mut self.mocap_quat, model.nmocap);
        for list in [&mut self.xpos, &mut self.xipos, &mut self.subtree_com] {
            resize(list, nbody);
        }
        resize(&mut self.xquat, nbody);
        resize(&mut self.xmat, nbody);
        resize(&mut self.ximat, nbody);
        resize(&mut self.xanchor, model.njnt);
        resize(&mut self.xaxis, model.njnt);
        resize(&mut self.geom_xpos, model.ngeom);
        resize(&mut self.geom_xmat, model.ngeom);
        resize(&mut self.site_xpos, model.nsite);
        resize(&mut self.site_xmat, model.nsite);
        resize(&mut self.cinert, nbody);
        resize(&mut self.crb, nbody);
        resize(&mut self.cdof, nv);
        resize(&mut self.cdof_dot, nv);
        for list in [&mut self.M, &mut self.qLD] {
            resize(list, model.nC);
        }
        resize(&mut self.qM, model.nM);
        resize(&mut self.qLDiagInv, nv);
        resize(&mut self.qfrc_bias, nv);
        resize(&mut self.cvel, nbody);
    }

    /// Writes the results of the position stages to the data.
    pub(super) fn show_positions(&self, worlds: &mut [World<'_>], shows: Shows) {
        if shows.frames {
            scatter(self.xpos.as_flattened(), worlds, |data| data.xpos.as_flattened_mut());
            scatter(self.xquat.as_flattened(), worlds, |data| data.xquat.as_flattened_mut());
            scatter(self.xmat.as_flattened(), worlds, |data| data.xmat.as_flattened_mut());
            scatter(self.site_xpos.as_flattened(), worlds, |data| data.site_xpos.as_flattened_mut());
            scatter(self.site_xmat.as_flattened(), worlds, |data| data.site_xmat.as_flattened_mut());
        }
        if shows.inertial_frames {
            scatter(self.xipos.as_flattened(), worlds, |data| data.xipos.as_flattened_mut());
            scatter(self.ximat.as_flattened(), worlds, |data| data.ximat.as_flattened_mut());
        }
        scatter(self.geom_xpos.as_flattened(), worlds, |data| data.geom_xpos.as_flattened_mut());
        scatter(self.geom_xmat.as_flattened(), worlds, |data| data.geom_xmat.as_flattened_mut());
        scatter(self.subtree_com.as_flattened(), worlds, |data| data.subtree_com.as_flattened_mut());
        scatter(self.cdof.as_flattened(), worlds, |data| data.cdof.as_flattened_mut());
        if shows.everything {
            scatter(self.xanchor.as_flattened(), worlds, |data| data.xanchor.as_flattened_mut());
            scatter(self.xaxis.as_flattened(), worlds, |data| data.xaxis.as_flattened_mut());
            scatter(self.cinert.as_flattened(), worlds, |data| data.cinert.as_flattened_mut());
        }
    }

    /// Writes the inertia matrix and its factor to the data.
    pub(super) fn show_inertia(&self, worlds: &mut [World<'_>], shows: Shows) {
        if shows.everything {
            scatter(self.crb.as_flattened(), worlds, |data| data.crb.as_flattened_mut());
            scatter(&self.qM, worlds, |data| &mut data.qM);
        }
        if shows.inertia {
            scatter(&self.M, worlds, |data| &mut data.M);
        }
        scatter(&self.qLD, worlds, |data| &mut data.qLD);
        scatter(&self.qLDiagInv, worlds, |data| &mut data.qLDiagInv);
    }

    /// Writes the factor of the inertia with dampers to the data.
    pub(super) fn show_damped_inertia(&self, worlds: &mut [World<'_>]) {
        scatter(&self.qH, worlds, |data| &mut data.qH);
        scatter(&self.qHDiagInv, worlds, |data| &mut data.qHDiagInv);
    }

    /// Writes the results of the velocity stages to the data.
    pub(super) fn show_velocities(&self, worlds: &mut [World<'_>], shows: Shows) {
        if shows.velocities {
            scatter(self.cvel.as_flattened(), worlds, |data| data.cvel.as_flattened_mut());
            scatter(self.cdof_dot.as_flattened(), worlds, |data| data.cdof_dot.as_flattened_mut());
        }
        if shows.bias {
            scatter(&self.qfrc_bias, worlds, |data| &mut data.qfrc_bias);
        }
    }

    /// Writes the sum of forces and unconstrained accelerations to the data, and what a primal solver may
    /// start from to its memory.
    pub(super) fn show_smooth(&self, worlds: &mut [World<'_>], shows_product: bool) {
        scatter(&self.qfrc_smooth, worlds, |data| &mut data.qfrc_smooth);
        scatter(&self.qacc_smooth, worlds, |data| &mut data.qacc_smooth);
        if shows_product {
            let nv = self.warm_product.len();
            scatter_to(&self.warm_product, worlds, takes_part, |world| {
                world.work.step.stages.solver.warm_product(nv)
            });
        }
    }
}

/// Which results are written to the data.
#[derive(Clone, Copy)]
pub(super) struct Shows {
    /// Those that no later stage of the evaluation reads.
    pub(super) everything: bool,
    /// Velocities of bodies and of the motions of dofs.
    pub(super) velocities: bool,
    /// Frames of bodies and sites.
    pub(super) frames: bool,
    /// Inertial frames of bodies.
    pub(super) inertial_frames: bool,
    /// The inertia matrix; its factor always is.
    pub(super) inertia: bool,
    /// Bias forces.
    pub(super) bias: bool,
}

impl Shows {
    /// All, for evaluations whose results may be looked at.
    pub(super) const ALL: Self = Self {
        everything: true,
        velocities: true,
        frames: true,
        inertial_frames: true,
        inertia: true,
        bias: true,
    };
}

/// Makes a list as long as it has to be; it is filled later.
pub(super) fn resize<T: Clone + Default>(list: &mut Vec<T>, length: usize) {
    if list.len() != length {
        list.resize(length, T::default());
    }
}

/// Reads an array of each world. Lanes without a world get the numbers of the first.
#[inline(always)]
pub(super) fn gather(to: &mut [f64x4], worlds: &[World<'_>], array: impl Fn(&Data) -> &[f64]) {
    let Some(first) = worlds.first() else { return };
    let arrays: [&[f64]; 4] = std::array::from_fn(|w| array(worlds.get(w).unwrap_or(first).data));
    lockstep::gather(to, arrays);
}

/// Writes an array of each world that takes part.
#[inline(always)]
pub(super) fn scatter(from: &[f64x4], worlds: &mut [World<'_>], array: impl Fn(&mut Data) -> &mut [f64]) {
    scatter_to(from, worlds, takes_part, |world| array(world.data));
}

fn takes_part(world: &World<'_>) -> bool {
    world.is_active()
}

/// Writes an array of each world for which `takes` says so.
#[inline(always)]
pub(super) fn scatter_to(
    from: &[f64x4],
    worlds: &mut [World<'_>],
    takes: impl Fn(&World<'_>) -> bool,
    array: impl for<'w> Fn(&'w mut World<'_>) -> &'w mut [f64],
) {
    if let [a, b, c, d] = worlds
        && [&*a, &*b, &*c, &*d].iter().all(|world| takes(world))
    {
        return lockstep::scatter(from, array(a), array(b), array(c), array(d));
    }
    for (w, world) in worlds.iter_mut().enumerate().filter(|(_, world)| takes(world)) {
        for (to, from) in array(world).iter_mut().zip(from) {
            *to = from.as_array_ref()[w];
        }
    }
}
