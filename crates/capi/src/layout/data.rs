//! `mjData`: counts, statistics and array pointers of a world, in the order of the header.

#![allow(non_snake_case)] // fields carry the names of the header

use super::Flat;
use kinetree_model::consts::{NISLAND, NTIMER, NWARNING};
use kinetree_model::{Contact, Data, Model, SolverStat, TimerStat, WarningStat};
use std::ffi::c_void;

/// Most threads of a pool.
pub const MAX_THREAD: usize = 128;
/// Iterations of the solver that are recorded for each island.
pub const NSOLVER: usize = 200;

/// Makes the struct, and what brings it and a `Data` to the same state.
macro_rules! data_mirror {
    (counts { $( $count:ident )* } flags { $( $flag:ident )* } fixed { $( $name:ident: $t:ty; )* } dynamic { $( $dname:ident: $dt:ty; )* }) => {
        data_mirror! { @struct { $( $count )* } { $( $flag )* } { $( $name: $t; )* } { $( $dname: $dt; )* } }
    };
    (@struct { $( $count:ident )* } { $( $flag:ident )* } { $( $name:ident: $t:ty; )* } { $( $dname:ident: $dt:ty; )* }) => {
        /// A world as C programs see it.
        #[repr(C)]
        pub struct MjData {
            pub narena: i64,
            pub nbuffer: i64,
            pub nplugin: i32,
            pub pstack: usize,
            pub pbase: usize,
            pub parena: usize,
            pub maxuse_stack: i64,
            pub maxuse_threadstack: [i64; MAX_THREAD],
            pub maxuse_arena: i64,
            pub maxuse_con: i32,
            pub maxuse_efc: i32,
            pub solver: [SolverStat; NISLAND * NSOLVER],
            pub solver_niter: [i32; NISLAND],
            pub solver_nnz: [i32; NISLAND],
            pub solver_fwdinv: [f64; 2],
            pub warning: [WarningStat; NWARNING],
            pub timer: [TimerStat; NTIMER],
            $( pub $count: i32, )*
            $( pub $flag: u8, )*
            pub time: f64,
            pub energy: [f64; 2],
            /// Leads to the handle that owns the data.
            pub buffer: *mut c_void,
            /// Memory of the stack that programs may use.
            pub arena: *mut c_void,
            $( pub $name: *mut $t, )*
            pub contact: *mut Contact,
            $( pub $dname: *mut $dt, )*
            pub threadpool: usize,
            pub signature: u64,
        }

        impl MjData {
            /// Points the arrays whose size the model fixes at those of a data.
            pub fn point_fixed(&mut self, data: &mut Data) {
                $( self.$name = Flat::<$t>::flat(&mut data.$name[..]); )*
            }

            /// Takes over what a program has written to counts, flags and numbers.
            pub fn take(&self, data: &mut Data) {
                $( data.$count = usize::try_from(self.$count).unwrap_or(usize::MAX); )*
                $( data.$flag = self.$flag != 0; )*
                data.time = self.time;
                data.energy = self.energy;
                data.solver_niter = self.solver_niter;
                data.solver_nnz = self.solver_nnz;
                data.solver_fwdinv = self.solver_fwdinv;
                data.warning = self.warning;
                data.timer = self.timer;
                data.maxuse_con = self.maxuse_con.max(0) as usize;
                data.maxuse_efc = self.maxuse_efc.max(0) as usize;
            }

            /// Shows counts, flags and numbers, and where the arrays are now whose size changes.
            pub fn show(&mut self, data: &mut Data) {
                $( self.$count = data.$count as i32; )*
                $( self.$flag = u8::from(data.$flag); )*
                // as in an arena, nothing is nowhere
                $( self.$dname = if data.$dname.is_empty() {
                    std::ptr::null_mut()
                } else {
                    Flat::<$dt>::flat(&mut data.$dname[..])
                }; )*
                self.contact = data.contact.as_mut_ptr();
                self.time = data.time;
                self.energy = data.energy;
                self.solver_niter = data.solver_niter;
                self.solver_nnz = data.solver_nnz;
                self.solver_fwdinv = data.solver_fwdinv;
                self.warning = data.warning;
                self.timer = data.timer;
                self.maxuse_con = data.maxuse_con as i32;
                self.maxuse_efc = data.maxuse_efc as i32;
                self.show_solver(data);
            }

            /// Offset of each field in bytes, by its name.
            pub const OFFSETS: &'static [(&'static str, usize)] = &[
                ("narena", std::mem::offset_of!(Self, narena)),
                ("maxuse_threadstack", std::mem::offset_of!(Self, maxuse_threadstack)),
                ("solver", std::mem::offset_of!(Self, solver)),
                ("solver_niter", std::mem::offset_of!(Self, solver_niter)),
                ("warning", std::mem::offset_of!(Self, warning)),
                ("timer", std::mem::offset_of!(Self, timer)),
                $( (stringify!($count), std::mem::offset_of!(Self, $count)), )*
                $( (stringify!($flag), std::mem::offset_of!(Self, $flag)), )*
                ("time", std::mem::offset_of!(Self, time)),
                ("energy", std::mem::offset_of!(Self, energy)),
                ("buffer", std::mem::offset_of!(Self, buffer)),
                ("arena", std::mem::offset_of!(Self, arena)),
                ("contact", std::mem::offset_of!(Self, contact)),
                $( (stringify!($name), std::mem::offset_of!(Self, $name)), )*
                $( (stringify!($dname), std::mem::offset_of!(Self, $dname)), )*
                ("threadpool", std::mem::offset_of!(Self, threadpool)),
                ("signature", std::mem::offset_of!(Self, signature)),
            ];
        }
    };
}

data_mirror! {
    counts {
        ncon ne nf nl nefc nJ nA nisland nidof ntree_awake nbody_awake nparent_awake nv_awake
    }
    flags {
        flg_energypos flg_energyvel flg_subtreevel flg_rnepost
    }
    fixed {
        qpos: f64; qvel: f64; act: f64; history: f64; qacc_warmstart: f64; plugin_state: f64; ctrl: f64;
        qfrc_applied: f64; xfrc_applied: f64; eq_active: u8; mocap_pos: f64; mocap_quat: f64; qacc: f64;
        act_dot: f64; userdata: f64; sensordata: f64; tree_asleep: i32; plugin: i32; plugin_data: usize;
        xpos: f64; xquat: f64; xmat: f64; xipos: f64; ximat: f64; xanchor: f64; xaxis: f64; geom_xpos: f64;
        geom_xmat: f64; site_xpos: f64; site_xmat: f64; cam_xpos: f64; cam_xmat: f64; light_xpos: f64;
        light_xdir: f64; subtree_com: f64; cdof: f64; cinert: f64; flexvert_xpos: f64; flexelem_aabb: f64;
        flexedge_J: f64; flexedge_length: f64; flexvert_J: f64; flexvert_length: f64; bvh_aabb_dyn: f64;
        ten_wrapadr: i32; ten_wrapnum: i32; ten_J: f64; ten_length: f64; wrap_obj: i32; wrap_xpos: f64;
        actuator_length: f64; moment_rownnz: i32; moment_rowadr: i32; moment_colind: i32;
        actuator_moment: f64; crb: f64; qM: f64; M: f64; qLD: f64; qLDiagInv: f64; bvh_active: u8;
        tree_awake: i32; body_awake: i32; body_awake_ind: i32; parent_awake_ind: i32; dof_awake_ind: i32;
        flexedge_velocity: f64; ten_velocity: f64; actuator_velocity: f64; cvel: f64; cdof_dot: f64;
        qfrc_bias: f64; qfrc_spring: f64; qfrc_damper: f64; qfrc_gravcomp: f64; qfrc_fluid: f64;
        qfrc_passive: f64; subtree_linvel: f64; subtree_angmom: f64; qH: f64; qHDiagInv: f64; qDeriv: f64;
        qLU: f64; actuator_force: f64; qfrc_actuator: f64; qfrc_smooth: f64; qacc_smooth: f64;
        qfrc_constraint: f64; qfrc_inverse: f64; cacc: f64; cfrc_int: f64; cfrc_ext: f64;
    }
    dynamic {
        efc_type: i32; efc_id: i32; efc_J_rownnz: i32; efc_J_rowadr: i32; efc_J_rowsuper: i32;
        efc_J_colind: i32; efc_J: f64; efc_pos: f64; efc_margin: f64; efc_frictionloss: f64;
        efc_diagApprox: f64; efc_KBIP: f64; efc_D: f64; efc_R: f64; tendon_efcadr: i32; tree_island: i32;
        island_ntree: i32; island_itreeadr: i32; map_itree2tree: i32; dof_island: i32; island_nv: i32;
        island_idofadr: i32; island_dofadr: i32; map_dof2idof: i32; map_idof2dof: i32; ifrc_smooth: f64;
        iacc_smooth: f64; iM_rownnz: i32; iM_rowadr: i32; iM_colind: i32; iM: f64; iLD: f64; iLDiagInv: f64;
        iacc: f64; efc_island: i32; island_ne: i32; island_nf: i32; island_nefc: i32; island_iefcadr: i32;
        map_efc2iefc: i32; map_iefc2efc: i32; iefc_type: i32; iefc_id: i32; iefc_J_rownnz: i32;
        iefc_J_rowadr: i32; iefc_J_rowsuper: i32; iefc_J_colind: i32; iefc_J: f64; iefc_frictionloss: f64;
        iefc_D: f64; iefc_R: f64; efc_AR_rownnz: i32; efc_AR_rowadr: i32; efc_AR_colind: i32; efc_AR: f64;
        efc_vel: f64; efc_aref: f64; efc_b: f64; iefc_aref: f64; iefc_state: i32; iefc_force: f64;
        efc_state: i32; efc_force: f64; ifrc_constraint: f64;
    }
}

impl MjData {
    /// Shows the counts of contacts and rows that the engine has.
    pub fn show_counts(&mut self, data: &Data) {
        (self.ncon, self.nefc) = (data.ncon as i32, data.nefc as i32);
        (self.ne, self.nf, self.nl) = (data.ne as i32, data.nf as i32, data.nl as i32);
        (self.nJ, self.nA) = (data.nJ as i32, data.nA as i32);
        (self.nisland, self.nidof) = (data.nisland as i32, data.nidof as i32);
    }

    /// The statistics of the iterations that the solver has made.
    fn show_solver(&mut self, data: &Data) {
        let recorded = data.solver.chunks(NSOLVER).zip(self.solver.chunks_mut(NSOLVER));
        for ((from, to), &iterations) in recorded.zip(&data.solver_niter) {
            let count = (iterations.max(0) as usize).min(from.len());
            to[..count].copy_from_slice(&from[..count]);
        }
    }

    /// Sizes that follow from the model, and its signature.
    pub fn set_sizes(&mut self, model: &Model) {
        self.narena = model.narena as i64;
        self.nbuffer = model.sizes().data_bytes() as i64;
        self.nplugin = model.nplugin as i32;
        self.signature = model.signature();
    }
}
