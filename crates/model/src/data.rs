//! `Data`: the state of one world and everything computed from it, as flat arrays under the reference's
//! names.

use crate::consts::{NISLAND, NTIMER, NWARNING};
use crate::contact::Contact;
use crate::error::Mismatch;
use crate::field::{Element, Field, FieldMut, floats};
use crate::fixed_array::FixedArray;
use crate::model::{Model, extent};
use crate::plugin::DirectInstances;
use crate::table::data_fields::for_each_data_field;
use crate::workspace::Workspace;

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

/// A count or flag of a `Data`, as a number.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    /// Name, as in the struct.
    pub name: &'static str,
    /// Documentation line.
    pub doc: &'static str,
    /// Reads it.
    pub get: fn(&Data) -> usize,
    /// Writes it; any number but zero sets a flag.
    pub set: fn(&mut Data, usize),
}

/// How constraint rows are written: the options that their number and columns depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RowLayout {
    sparse: bool,
    elliptic: bool,
}

impl RowLayout {
    #[inline]
    fn of(model: &Model) -> Self {
        Self { sparse: model.is_sparse(), elliptic: model.is_elliptic() }
    }
}

/// Makes the struct and its field access from the groups of the table: fixed arrays, dynamic arrays, counts
/// and flags.
macro_rules! data_struct {
    ({ $( $doc:literal $name:ident: $t:ty, $rows:tt, $cols:tt; )* }
     { $( $ddoc:literal $dname:ident: $dt:ty, $drows:tt, $dcols:tt; )* }
     { $( $cdoc:literal $count:ident; )* }
     { $( $fdoc:literal $flag:ident; )* }) => {
        /// One type for each array of [`Data`] whose size the model fixes, so that no two of them can be
        /// exchanged.
        #[allow(non_camel_case_types)]
        pub mod data_field {
            $( #[doc = $doc] #[derive(Debug)] pub enum $name {} )*
        }

        /// One world: state, inputs and all results, under the reference's names.
        ///
        /// Arrays whose size the model fixes keep their address and length as long as the data lives
        /// ([`FixedArray`]).
        #[allow(non_snake_case)]
        #[derive(Debug)]
        pub struct Data {
            /// The model's signature.
            signature: u64,
            /// Simulation time (s).
            pub time: f64,
            /// Potential and kinetic energy (J).
            pub energy: [f64; 2],
            $( #[doc = $cdoc] pub $count: usize, )*
            $( #[doc = $fdoc] pub $flag: bool, )*
            /// Forward–inverse comparison: constraint force and applied force.
            pub solver_fwdinv: [f64; 2],
            /// Solver iterations per island.
            pub solver_niter: [i32; NISLAND],
            /// Non-zeros of the solver's matrix per island.
            pub solver_nnz: [i32; NISLAND],
            /// Statistics per iteration, `NSOLVER` for each island that was recorded; grows on demand.
            pub solver: Vec<SolverStat>,
            /// How often the primal solver ran out of iterations before it converged; the detail is the
            /// island.
            pub solver_unconverged: WarningStat,
            /// How often an analytic derivative was that of one side, since contacts were where the narrow
            /// phase has a kink; the detail is how many contacts of the last one were.
            pub derivative_kinks: WarningStat,
            /// Warning counters.
            pub warning: [WarningStat; NWARNING],
            /// Timers.
            pub timer: [TimerStat; NTIMER],
            /// Contacts.
            pub contact: Vec<Contact>,
            /// How the constraint rows are written.
            row_layout: RowLayout,
            /// The engine's working memory.
            workspace: Workspace,
            /// Instances of plugins that work on this data itself.
            pub(crate) direct: DirectInstances,
            $( #[doc = $doc] pub $name: FixedArray<$t, data_field::$name>, )*
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

            /// All counts, then all flags.
            pub const SCALARS: &'static [Scalar] = &[
                $( Scalar {
                    name: stringify!($count), doc: $cdoc, get: |d| d.$count, set: |d, v| d.$count = v,
                }, )*
                $( Scalar {
                    name: stringify!($flag), doc: $fdoc, get: |d| usize::from(d.$flag), set: |d, v| d.$flag = v != 0,
                }, )*
            ];

            /// Allocates every array whose size the model fixes, without setting defaults; for engines.
            #[doc(hidden)]
            #[must_use]
            pub fn allocate(model: &Model) -> Self {
                let sizes = model.sizes();
                Self {
                    signature: model.signature(),
                    time: 0.0,
                    energy: [0.0; 2],
                    $( $count: 0, )*
                    $( $flag: false, )*
                    solver_fwdinv: [0.0; 2],
                    solver_niter: [0; NISLAND],
                    solver_nnz: [0; NISLAND],
                    solver: Vec::new(),
                    solver_unconverged: WarningStat::default(),
                    derivative_kinks: WarningStat::default(),
                    warning: Default::default(),
                    timer: Default::default(),
                    contact: Vec::new(),
                    row_layout: RowLayout::of(model),
                    workspace: Workspace::default(),
                    direct: DirectInstances::default(),
                    $( $name: FixedArray::allocate(sizes.$rows * extent!(sizes, $cols)), )*
                    $( $dname: Vec::new(), )*
                }
            }

            /// Zeroes every array whose size the model fixes, every count and every flag, and empties the
            /// other arrays.
            pub(crate) fn clear(&mut self) {
                $( self.$name.fill(<$t>::default()); )*
                $( self.$dname.clear(); )*
                $( self.$count = 0; )*
                $( self.$flag = false; )*
            }

            /// The first array whose length does not fit the model, if any.
            fn mismatched_array(&self, model: &Model) -> Option<&'static str> {
                let sizes = model.sizes();
                $( if self.$name.len() != sizes.$rows * extent!(sizes, $cols) {
                    return Some(stringify!($name));
                } )*
                None
            }

            /// Copies everything but working memory from a data with the same signature.
            fn copy_values(&mut self, source: &Self) {
                let memories = self.direct.memories(&self.plugin_data);
                $( self.$name.copy_from_slice(&source.$name); )*
                $( self.$dname.clone_from(&source.$dname); )*
                $( self.$count = source.$count; )*
                $( self.$flag = source.$flag; )*
                self.contact.clone_from(&source.contact);
                self.row_layout = source.row_layout;
                self.solver.clone_from(&source.solver);
                self.time = source.time;
                self.energy = source.energy;
                self.solver_fwdinv = source.solver_fwdinv;
                self.solver_niter = source.solver_niter;
                self.solver_nnz = source.solver_nnz;
                self.solver_unconverged = source.solver_unconverged;
                self.derivative_kinks = source.derivative_kinks;
                self.warning = source.warning;
                self.timer = source.timer;
                memories.into_iter().for_each(|(id, memory)| self.plugin_data[id] = memory);
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

            /// The floating-point numbers of each array whose size the model fixes, in the order of
            /// [`Self::fields`]; none of an array of other numbers.
            pub const FLOATS: &'static [fn(&Self) -> &[f64]] = &[$( |data| floats(&data.$name) ),*];

            /// Every array whose size the model fixes, with its name, in order, mutable.
            pub fn fixed_fields_mut(&mut self) -> Vec<FieldMut<'_>> {
                vec![
                    $( FieldMut { name: stringify!($name), data: <$t as Element>::view_mut(&mut self.$name) }, )*
                ]
            }

            /// The array called `name` whose size changes from step to step, mutable.
            pub fn dynamic_field_mut(&mut self, name: &str) -> Option<FieldMut<'_>> {
                match name {
                    $( stringify!($dname) => Some(FieldMut {
                        name: stringify!($dname), data: <$dt as Element>::view_mut(&mut self.$dname),
                    }), )*
                    _ => None,
                }
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

        impl Clone for Data {
            /// The same values in other memory; working memory carries no state and starts empty, and plugin
            /// instances that work on the data itself are made anew.
            fn clone(&self) -> Self {
                Self {
                    signature: self.signature,
                    time: self.time,
                    energy: self.energy,
                    $( $count: self.$count, )*
                    $( $flag: self.$flag, )*
                    solver_fwdinv: self.solver_fwdinv,
                    solver_niter: self.solver_niter,
                    solver_nnz: self.solver_nnz,
                    solver: self.solver.clone(),
                    solver_unconverged: self.solver_unconverged,
                    derivative_kinks: self.derivative_kinks,
                    warning: self.warning,
                    timer: self.timer,
                    contact: self.contact.clone(),
                    row_layout: self.row_layout,
                    workspace: Workspace::default(),
                    direct: DirectInstances::default(),
                    $( $name: self.$name.duplicate(), )*
                    $( $dname: self.$dname.clone(), )*
                }
            }

            /// Copies into the memory that is there when the sizes are the same.
            fn clone_from(&mut self, source: &Self) {
                if self.copy_from(source).is_err() {
                    *self = source.clone();
                }
            }
        }
    };
}

for_each_data_field!(data_struct);

/// Whether a count is possible when there are so many of what it counts.
#[inline(always)]
fn fits(value: usize, found: usize, exact: bool) -> bool {
    value <= found && (!exact || value == 0 || value == found)
}

impl Data {
    /// A number that tells which models this data fits: those with the same [`Model::signature`].
    #[must_use]
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// An error unless this data was made for a model of these sizes.
    ///
    /// # Errors
    /// When it was made for another model.
    #[inline]
    pub fn check_sizes(&self, model: &Model) -> Result<(), Mismatch> {
        if self.signature == model.signature() { Ok(()) } else { Err(self.mismatch(model)) }
    }

    /// An error unless this data was made for a model of these sizes, and its counts are those of what they
    /// count.
    ///
    /// # Errors
    /// When it was made for another model, or a program has written a count.
    #[inline]
    pub fn check(&self, model: &Model) -> Result<(), Mismatch> {
        self.check_sizes(model)?;
        if self
            .counts()
            .into_iter()
            .fold(true, |fit, (_, value, found, exact)| fit & fits(value, found, exact))
        {
            return Ok(());
        }
        Err(self.wrong_count())
    }

    /// An error unless the constraint rows, if there are any, are written as the model's options say.
    ///
    /// # Errors
    /// When a program has changed an option since they were made.
    #[inline]
    pub fn check_rows(&self, model: &Model) -> Result<(), Mismatch> {
        let same = self.nefc == 0 || self.row_layout == RowLayout::of(model);
        if same { Ok(()) } else { Err(Mismatch::Rows) }
    }

    /// Says that the rows which follow are written as the model's options say; for engines.
    #[doc(hidden)]
    pub fn set_row_layout(&mut self, model: &Model) {
        self.row_layout = RowLayout::of(model);
    }

    /// Each count with what there is of it, and whether it must be that number, unless it is zero, or only
    /// must not exceed it.
    #[inline(always)]
    fn counts(&self) -> [(&'static str, usize, usize, bool); 10] {
        let constrained = self.ne.saturating_add(self.nf).saturating_add(self.nl);
        [
            ("ncon", self.ncon, self.contact.len(), true),
            ("nefc", self.nefc, self.efc_force.len(), true),
            ("nJ", self.nJ, self.efc_J.len(), true),
            ("nA", self.nA, self.efc_AR.len(), true),
            ("ne + nf + nl", constrained, self.nefc, false),
            ("nisland", self.nisland, self.island_nefc.len(), true),
            ("nidof", self.nidof, self.qvel.len(), false),
            ("nbody_awake", self.nbody_awake.max(self.nparent_awake), self.body_awake.len(), false),
            ("nv_awake", self.nv_awake, self.qvel.len(), false),
            ("ntree_awake", self.ntree_awake, self.tree_awake.len(), false),
        ]
    }

    #[cold]
    fn wrong_count(&self) -> Mismatch {
        let wrong = |&(_, value, found, exact): &(_, usize, usize, bool)| !fits(value, found, exact);
        let (count, value, found, _) = self.counts().into_iter().find(wrong).unwrap_or_default();
        Mismatch::Count { count, value, found }
    }

    /// What is to be said about a model of other sizes.
    #[cold]
    fn mismatch(&self, model: &Model) -> Mismatch {
        Mismatch::Sizes { array: self.mismatched_array(model) }
    }

    /// Copies every array, count and statistic from `source` into the memory of this data, which keeps its
    /// working memory.
    ///
    /// # Errors
    /// When `source` was made for a model of other sizes; nothing is copied then.
    pub fn copy_from(&mut self, source: &Self) -> Result<(), Mismatch> {
        if self.signature != source.signature {
            return Err(Mismatch::Sizes { array: None });
        }
        self.copy_values(source);
        Ok(())
    }

    /// Exchanges the working memory with another; for engines.
    #[doc(hidden)]
    pub fn swap_workspace(&mut self, other: &mut Workspace) {
        std::mem::swap(&mut self.workspace, other);
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

impl Drop for Data {
    /// Gives plugin instances back that work on the data itself. Being there, this keeps fields from being
    /// moved out of a data.
    fn drop(&mut self) {
        self.release_direct_instances();
    }
}
