//! `Data`: the state of one world and everything computed from it, as flat arrays under the reference's names.

use crate::consts::{NISLAND, NTIMER, NWARNING};
use crate::contact::Contact;
use crate::field::{Element, Field, FieldMut};
use crate::model::{Model, extent};
use crate::scratch::Scratch;
use crate::table::data_arrays::for_each_data_array;

/// How often a warning was raised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct WarningStat {
    /// Detail of the last one: an index, for most warnings.
    pub lastinfo: i32,
    /// How often it was raised since the last reset.
    pub number: i32,
}

/// Time spent in one part of the pipeline, when someone measures it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct TimerStat {
    /// Total duration.
    pub duration: f64,
    /// Number of calls.
    pub number: i32,
}

/// Diagnostics of one solver iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct SolverStat {
    /// Scaled reduction of the cost.
    pub improvement: f64,
    /// Scaled gradient norm; primal solvers only.
    pub gradient: f64,
    /// Slope of the line search at the solution.
    pub lineslope: f64,
    /// Number of active constraints.
    pub nactive: i32,
    /// Number of constraints whose state changed.
    pub nchange: i32,
    /// Number of cost evaluations in the line search.
    pub neval: i32,
    /// Number of rank-one updates.
    pub nupdate: i32,
}

/// Makes the struct and its field access from the two groups of the table.
macro_rules! data_struct {
    ({ $( $doc:literal $name:ident: $t:ty, $rows:tt, $cols:tt; )* }
     { $( $ddoc:literal $dname:ident: $dt:ty, $drows:tt, $dcols:tt; )* }) => {
        /// One world: state, inputs and all results, under the reference's names.
        #[allow(non_snake_case)]
        #[derive(Clone, Debug, Default)]
        pub struct Data {
            /// Simulation time (s).
            pub time: f64,
            /// Potential and kinetic energy (J).
            pub energy: [f64; 2],
            /// Number of contacts, those in the gap included.
            pub ncon: usize,
            /// Number of equality rows.
            pub ne: usize,
            /// Number of friction-loss rows.
            pub nf: usize,
            /// Number of limit rows.
            pub nl: usize,
            /// Number of constraint rows.
            pub nefc: usize,
            /// Entries of the constraint Jacobian.
            pub nJ: usize,
            /// Entries of the inverse-inertia matrix in constraint space.
            pub nA: usize,
            /// Number of islands.
            pub nisland: usize,
            /// Number of dofs in islands.
            pub nidof: usize,
            /// Number of awake trees.
            pub ntree_awake: usize,
            /// Number of awake and static bodies.
            pub nbody_awake: usize,
            /// Number of bodies whose parent is awake or static.
            pub nparent_awake: usize,
            /// Number of awake dofs.
            pub nv_awake: usize,
            /// Whether `energy[0]` is up to date.
            pub flg_energypos: bool,
            /// Whether `energy[1]` is up to date.
            pub flg_energyvel: bool,
            /// Whether subtree velocities are up to date.
            pub flg_subtreevel: bool,
            /// Whether `cacc`, `cfrc_int` and `cfrc_ext` are up to date.
            pub flg_rnepost: bool,
            /// Largest number of contacts since the last reset.
            pub maxuse_con: usize,
            /// Largest number of constraint rows since the last reset.
            pub maxuse_efc: usize,
            /// Forward–inverse comparison: constraint force and applied force.
            pub solver_fwdinv: [f64; 2],
            /// Solver iterations per island.
            pub solver_niter: [i32; NISLAND],
            /// Non-zeros of the solver's matrix per island.
            pub solver_nnz: [i32; NISLAND],
            /// Statistics per iteration, `NSOLVER` for each island that was recorded; grows on demand.
            pub solver: Vec<SolverStat>,
            /// How often the primal solver ran out of iterations before it converged; the detail is the island.
            pub solver_unconverged: WarningStat,
            /// Warning counters.
            pub warning: [WarningStat; NWARNING],
            /// Timers.
            pub timer: [TimerStat; NTIMER],
            /// Contacts.
            pub contact: Vec<Contact>,
            /// Reusable working memory.
            pub scratch: Scratch,
            $( #[doc = $doc] pub $name: Vec<$t>, )*
            $( #[doc = $ddoc] pub $dname: Vec<$dt>, )*
        }

        impl crate::model::Sizes {
            /// Memory that the arrays of a world take whose size the model fixes, in bytes.
            #[must_use]
            pub fn data_bytes(&self) -> usize {
                [$( (self.$rows, extent!(self, $cols), size_of::<$t>()) ),*]
                    .into_iter()
                    .fold(0, crate::model::sum_bytes)
            }
        }

        impl Data {
            /// Names of the arrays whose size changes from step to step.
            pub const DYNAMIC: &'static [&'static str] = &[$( stringify!($dname) ),*];

            /// Allocates every array whose size the model fixes, without setting defaults.
            pub(crate) fn allocate(model: &Model) -> Self {
                let mut data = Self::default();
                $( data.$name = vec![<$t>::default(); model.sizes.$rows * extent!(model.sizes, $cols)]; )*
                data
            }

            /// Zeroes every array whose size the model fixes and empties the others.
            pub(crate) fn clear_arrays(&mut self) {
                $( self.$name.fill(<$t>::default()); )*
                $( self.$dname.clear(); )*
            }

            /// The first array whose length does not fit the model, if any.
            #[must_use]
            pub fn mismatched_array(&self, model: &Model) -> Option<&'static str> {
                $( if self.$name.len() != model.sizes.$rows * extent!(model.sizes, $cols) {
                    return Some(stringify!($name));
                } )*
                None
            }

            /// Copies every array and count from `source`, keeping this data's working memory.
            pub fn copy_from(&mut self, source: &Self) {
                $( self.$name.clone_from(&source.$name); )*
                $( self.$dname.clone_from(&source.$dname); )*
                self.contact.clone_from(&source.contact);
                self.solver.clone_from(&source.solver);
                self.copy_scalars(source);
            }

            /// Every array with its name and shape, in order: fixed ones first, then dynamic ones.
            #[must_use]
            pub fn fields(&self) -> Vec<Field<'_>> {
                vec![
                    $( Field {
                        name: stringify!($name), doc: $doc, rows: stringify!($rows),
                        shape: [self.$name.len(), <$t as Element>::WIDTH, 1],
                        data: <$t as Element>::view(&self.$name),
                    }, )*
                    $( Field {
                        name: stringify!($dname), doc: $ddoc, rows: stringify!($drows),
                        shape: [self.$dname.len(), <$dt as Element>::WIDTH, 1],
                        data: <$dt as Element>::view(&self.$dname),
                    }, )*
                ]
            }

            /// Every array with its name, in order, mutable.
            pub fn fields_mut(&mut self) -> Vec<FieldMut<'_>> {
                vec![
                    $( FieldMut { name: stringify!($name), data: <$t as Element>::view_mut(&mut self.$name) }, )*
                    $( FieldMut { name: stringify!($dname), data: <$dt as Element>::view_mut(&mut self.$dname) }, )*
                ]
            }

            /// Sets the length of the dynamic array called `name` in elements; `false` when there is none.
            pub fn resize_dynamic(&mut self, name: &str, len: usize) -> bool {
                match name {
                    $( stringify!($dname) => self.$dname.resize(len, <$dt>::default()), )*
                    _ => return false,
                }
                true
            }
        }
    };
}

for_each_data_array!(data_struct);

impl Data {
    /// Makes the data of a new world, reset to the model's initial state.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let mut data = Self::allocate(model);
        crate::reset::mj_reset_data(model, &mut data);
        data
    }

    /// Copies everything that is not an array.
    fn copy_scalars(&mut self, source: &Self) {
        self.time = source.time;
        self.energy = source.energy;
        self.ncon = source.ncon;
        self.ne = source.ne;
        self.nf = source.nf;
        self.nl = source.nl;
        self.nefc = source.nefc;
        self.nJ = source.nJ;
        self.nA = source.nA;
        self.nisland = source.nisland;
        self.nidof = source.nidof;
        self.ntree_awake = source.ntree_awake;
        self.nbody_awake = source.nbody_awake;
        self.nparent_awake = source.nparent_awake;
        self.nv_awake = source.nv_awake;
        self.flg_energypos = source.flg_energypos;
        self.flg_energyvel = source.flg_energyvel;
        self.flg_subtreevel = source.flg_subtreevel;
        self.flg_rnepost = source.flg_rnepost;
        self.maxuse_con = source.maxuse_con;
        self.maxuse_efc = source.maxuse_efc;
        self.solver_fwdinv = source.solver_fwdinv;
        self.solver_niter = source.solver_niter;
        self.solver_nnz = source.solver_nnz;
        self.solver_unconverged = source.solver_unconverged;
        self.warning = source.warning;
        self.timer = source.timer;
    }

    /// Empties contacts and constraints.
    pub fn clear_constraints(&mut self) {
        self.contact.clear();
        self.ncon = 0;
        self.ne = 0;
        self.nf = 0;
        self.nl = 0;
        self.nefc = 0;
        self.nJ = 0;
        self.nA = 0;
        self.nisland = 0;
        self.nidof = 0;
    }

    /// Counts a warning and keeps its detail.
    pub fn warn(&mut self, warning: crate::enums::Warning, info: i32) {
        let w = &mut self.warning[warning as usize];
        w.number += 1;
        w.lastinfo = info;
    }
}
