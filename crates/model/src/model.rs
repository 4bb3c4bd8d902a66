//! `Model`: the immutable description of a system, as flat arrays under the reference's names.

use crate::Pipeline;
use crate::callbacks::Callbacks;
use crate::field::{Element, Field, FieldMut, floats_mut, integers};
use crate::fixed_array::FixedArray;
use crate::fused::FusedBody;
use crate::options::{Opt, Statistic, Visual};
use crate::plugin::PluginSet;
use crate::reference::Reference;
use crate::table::model_arrays::for_each_model_array;
use crate::table::model_sizes::for_each_model_size;

macro_rules! define_sizes {
    ($( $doc:literal $name:ident: $t:ty; )*) => {
        /// The sizes of a model.
        #[allow(non_snake_case)]
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Sizes {
            $( #[doc = $doc] pub $name: $t, )*
        }

        impl Sizes {
            /// Names of all sizes, in order.
            pub const NAMES: &'static [&'static str] = &[$( stringify!($name) ),*];

            /// One line of documentation for each size, in the same order.
            pub const DOCS: &'static [&'static str] = &[$( $doc ),*];

            /// Name and value of each size, in order.
            #[must_use]
            pub fn iter(&self) -> Vec<(&'static str, i64)> {
                vec![$( (stringify!($name), self.$name as i64) ),*]
            }

            /// Sets the size called `name`; `None` when there is no such size or it cannot take that value.
            #[must_use]
            pub fn set(&mut self, name: &str, value: i64) -> Option<()> {
                match name {
                    $( stringify!($name) => self.$name = <$t>::try_from(value).ok()?, )*
                    _ => return None,
                }
                Some(())
            }
        }
    };
}
for_each_model_size!(define_sizes);

/// The extent named in a field table: a literal 1, or a size of `$owner`.
macro_rules! extent {
    ($owner:expr, 1) => {
        1usize
    };
    ($owner:expr, $size:ident) => {
        $owner.$size
    };
}
pub(crate) use extent;

macro_rules! define_model {
    ($( $doc:literal $name:ident: $t:ty, $rows:tt, $cols:tt; )*) => {
        /// One type for each array of [`Model`], so that no two of them can be exchanged.
        #[allow(non_camel_case_types)]
        pub mod model_field {
            $( #[doc = $doc] #[derive(Debug)] pub enum $name {} )*
        }

        /// A compiled model. Sizes are reached directly (`model.nq`), arrays by the reference's names.
        ///
        /// Sizes cannot be changed, and arrays keep their address and length as long as the model lives
        /// ([`FixedArray`]).
        #[allow(non_snake_case)]
        #[derive(Debug)]
        pub struct Model {
            sizes: Sizes,
            signature: u64,
            reference: Reference,
            /// Physics options.
            pub opt: Opt,
            /// Visualization options.
            pub vis: Visual,
            /// Statistics.
            pub stat: Statistic,
            /// Name of the model.
            pub modelname: String,
            /// Named bodies that were fused with their parents; a binary model does not have them.
            pub fused: Vec<FusedBody>,
            /// User callbacks.
            pub callbacks: Callbacks,
            /// How a data of this model is simulated; every way to load a model sets it.
            pub pipeline: Option<&'static Pipeline>,
            /// The plugins that the instances of this model belong to ([`Model::bind_plugins`]).
            pub plugins: PluginSet,
            $( #[doc = $doc] pub $name: FixedArray<$t, model_field::$name>, )*
        }

        impl Sizes {
            /// Memory that the arrays of a model with these sizes take, in bytes.
            #[must_use]
            pub fn model_bytes(&self) -> usize {
                [$( (self.$rows, extent!(self, $cols), size_of::<$t>()) ),*].into_iter().fold(0, sum_bytes)
            }
        }

        impl Model {
            /// Allocates every array for the given sizes, filled with zeros.
            #[must_use]
            pub fn with_sizes(sizes: Sizes) -> Self {
                Self {
                    signature: sizes.hash(),
                    reference: Reference::default(),
                    opt: Opt::default(),
                    vis: Visual::default(),
                    stat: Statistic::default(),
                    modelname: String::new(),
                    fused: Vec::new(),
                    callbacks: Callbacks::default(),
                    pipeline: None,
                    plugins: PluginSet::default(),
                    $( $name: FixedArray::allocate(sizes.$rows * extent!(sizes, $cols)), )*
                    sizes,
                }
            }

            /// Every array with its name and shape, in order.
            #[must_use]
            pub fn fields(&self) -> Vec<Field<'_>> {
                vec![$( Field {
                    name: stringify!($name),
                    doc: $doc,
                    rows: stringify!($rows),
                    shape: model_shape(self.sizes.$rows, extent!(self.sizes, $cols), stringify!($cols), <$t as Element>::WIDTH),
                    data: <$t as Element>::view(&self.$name),
                }, )*]
            }

            /// The integers of each array, in order; none of an array of other numbers.
            pub const INTEGERS: &'static [fn(&Self) -> &[i32]] = &[$( |model| integers(&model.$name) ),*];

            /// The floating-point numbers of each array, in order, to be changed; none of an array of other
            /// numbers.
            pub const FLOATS_MUT: &'static [fn(&mut Self) -> &mut [f64]] =
                &[$( |model| floats_mut(&mut model.$name) ),*];

            /// Every array with its name, in order, mutable.
            pub fn fields_mut(&mut self) -> Vec<FieldMut<'_>> {
                vec![$( FieldMut {
                    name: stringify!($name),
                    data: <$t as Element>::view_mut(&mut self.$name),
                }, )*]
            }
        }

        impl Clone for Model {
            fn clone(&self) -> Self {
                Self {
                    sizes: self.sizes.clone(),
                    signature: self.signature,
                    reference: self.reference,
                    opt: self.opt.clone(),
                    vis: self.vis.clone(),
                    stat: self.stat.clone(),
                    modelname: self.modelname.clone(),
                    fused: self.fused.clone(),
                    callbacks: self.callbacks.clone(),
                    pipeline: self.pipeline,
                    plugins: self.plugins.clone(),
                    $( $name: self.$name.duplicate(), )*
                }
            }
        }
    };
}
for_each_model_array!(define_model);

/// Adds the memory of an array to a sum that cannot overflow.
pub(crate) fn sum_bytes(sum: usize, (rows, cols, size): (usize, usize, usize)) -> usize {
    sum.saturating_add(rows.saturating_mul(cols).saturating_mul(size))
}

/// Shape of an array: run-time columns come before the width of an element.
fn model_shape(rows: usize, cols: usize, cols_name: &str, width: usize) -> [usize; 3] {
    if cols_name == "1" { [rows, width, 1] } else { [rows, cols, width] }
}

impl std::ops::Deref for Model {
    type Target = Sizes;
    fn deref(&self) -> &Sizes {
        &self.sizes
    }
}

impl Default for Model {
    /// A model of nothing.
    fn default() -> Self {
        Self::with_sizes(Sizes::default())
    }
}

impl Drop for Model {
    /// Being there, this keeps fields from being moved out of a model.
    fn drop(&mut self) {}
}

impl Sizes {
    /// A hash of all sizes that say something about a world.
    fn hash(&self) -> u64 {
        let worldly = |name: &str| !WORLDLESS.iter().any(|prefix| name.starts_with(prefix));
        let sizes = self.iter().into_iter().filter(|(name, _)| worldly(name));
        let bytes = sizes.flat_map(|(_, size)| size.to_le_bytes());
        bytes.map(u64::from).fold(FNV_OFFSET, add_to_hash)
    }
}

/// Where FNV-1a begins, and what it multiplies by.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

fn add_to_hash(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(FNV_PRIME)
}

/// Prefixes of the sizes that say nothing about a world: memory, limits, a count that follows from values,
/// text, pictures and user values.
const WORLDLESS: &[&str] = &[
    "nbuffer",
    "narena",
    "njmax",
    "nconmax",
    "nemax",
    "ngravcomp",
    "nnames",
    "npaths",
    "ntex",
    "nmat",
    "nskin",
    "nnumeric",
    "ntuple",
    "nuser_",
];

impl Model {
    /// All sizes; fields of it are also fields of the model by `Deref`.
    #[must_use]
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// A number that tells which data, and what else was made for a model, fit this one: a hash of its sizes
    /// and of its structure at the time it was loaded. Models of the same structure may differ in all values:
    /// masses, shapes, ranges, gains, colours.
    #[must_use]
    #[inline]
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// The version of MuJoCo whose meaning the model has.
    #[must_use]
    #[inline]
    pub fn reference(&self) -> Reference {
        self.reference
    }

    /// Whether no degree of freedom moves a body: it is fixed to the world, or at level 4.0 to a mocap body.
    #[must_use]
    #[inline]
    pub fn is_fixed(&self, body: usize) -> bool {
        self.body_dofnum[self.body_weldid[body] as usize] == 0
    }

    /// Sets the reference level. Loaders do so before anything of the model is computed; constants of a model
    /// that is compiled keep the meaning that they were computed with.
    #[doc(hidden)]
    pub fn set_reference(&mut self, reference: Reference) {
        self.reference = reference;
    }

    /// Makes the structure a part of the signature: the tree of bodies with its joints, what is fixed to
    /// which body, and where the parts of a state and the values of sensors lie. Engines do so when all
    /// arrays are there; data made before do not fit the model any more.
    #[doc(hidden)]
    pub fn seal(&mut self) {
        let structure: [&[i32]; 14] = [
            &self.body_parentid,
            &self.body_mocapid,
            &self.jnt_type,
            &self.jnt_bodyid,
            &self.geom_bodyid,
            &self.site_bodyid,
            &self.cam_bodyid,
            &self.light_bodyid,
            &self.flex_vertadr,
            &self.flex_vertbodyid,
            &self.actuator_actadr,
            &self.actuator_historyadr,
            &self.sensor_adr,
            &self.plugin_stateadr,
        ];
        let integers = structure.into_iter().flatten();
        self.signature = integers.map(|&i| u64::from(i.cast_unsigned())).fold(self.sizes.hash(), add_to_hash);
    }

    /// Sets the sizes that plugins tell only of a model that is complete otherwise: numbers of state, of
    /// sensor values and of histories. No array of a model depends on them.
    pub fn set_plugin_sizes(&mut self, npluginstate: usize, nsensordata: usize, nhistory: usize) {
        self.sizes.npluginstate = npluginstate;
        (self.sizes.nsensordata, self.sizes.nhistory) = (nsensordata, nhistory);
        self.signature = self.sizes.hash();
    }

    /// Sets the sizes that no array has: the user's limits on rows and contacts, and the reference's memory
    /// in bytes.
    pub fn set_memory_sizes(&mut self, njmax: i64, nconmax: i64, narena: usize, nbuffer: usize) {
        (self.sizes.njmax, self.sizes.nconmax) = (njmax, nconmax);
        (self.sizes.narena, self.sizes.nbuffer) = (narena, nbuffer);
    }

    /// Sets the number of entries reserved for the actuator moment matrix, which data have and a model has
    /// not. Data made before do not fit the model any more.
    pub fn set_moment_entries(&mut self, count: usize) {
        self.sizes.nJmom = count;
        self.signature = self.sizes.hash();
    }

    /// Counts the bodies with gravity compensation anew.
    pub fn count_gravcomp(&mut self) {
        self.sizes.ngravcomp = self.body_gravcomp.iter().filter(|g| **g > 0.0).count();
    }

    /// Whether the constraint Jacobian is stored sparse.
    #[must_use]
    pub fn is_sparse(&self) -> bool {
        use crate::enums::Jacobian;
        self.opt.jacobian == Jacobian::Sparse || (self.opt.jacobian == Jacobian::Auto && self.nv >= 60)
    }

    /// Whether friction cones are elliptic, and not pyramids.
    #[must_use]
    #[inline]
    pub fn is_elliptic(&self) -> bool {
        self.opt.cone != crate::enums::Cone::Pyramidal
    }

    /// Whether a feature is disabled.
    #[must_use]
    pub fn disabled(&self, bit: crate::enums::DisableBit) -> bool {
        self.opt.disableflags & bit as i32 != 0
    }

    /// Whether an optional feature is enabled.
    #[must_use]
    pub fn enabled(&self, bit: crate::enums::EnableBit) -> bool {
        self.opt.enableflags & bit as i32 != 0
    }
}
