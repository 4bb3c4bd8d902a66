//! What can be wrong with a request to a GPU.

/// Why a simulator on the GPU could not be made or used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// There is no device.
    #[error(
        "no GPU was found ({reason}); install a driver with Vulkan, Metal or Direct3D 12 (on Linux without a graphics card: \
         the package mesa-vulkan-drivers), or use a batch on threads instead"
    )]
    NoAdapter {
        /// What the system said.
        reason: String,
    },
    /// The device could not be opened.
    #[error("the GPU '{adapter}' could not be opened: {reason}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// The device has no double precision.
    #[error(
        "the GPU '{adapter}' does not compute in double precision; choose single precision, another adapter, or a \
         batch on threads, which is in double precision"
    )]
    NoDouble {
        /// Its name.
        adapter: String,
    },
    /// Kernels need more memory than a workgroup has: with very many contacts, or in double precision.
    #[error(
        "unsupported: the {kernel} of this model need {needed} bytes of workgroup memory, but the GPU allows {limit}; \
         fewer contacts need less, and single precision about half as much as double precision"
    )]
    WorkgroupMemory {
        /// The kernel.
        kernel: &'static str,
        /// Bytes.
        needed: u64,
        /// Bytes that a workgroup may have.
        limit: u64,
    },
    /// The model has elements that the kernels do not cover.
    #[error("unsupported: the GPU does not simulate {}; use a batch on threads instead", list(.0))]
    Unsupported(
        /// Every such element, with its name.
        Vec<String>,
    ),
    /// An index of the model points to nothing.
    #[error("the model cannot be simulated: {0}")]
    Model(
        /// Which one.
        #[from]
        kinetree_model::IndexError,
    ),
    /// The device has too little memory, or hands out too little at once.
    #[error(
        "{worlds} worlds need a buffer of {needed} bytes for {what}, but the GPU allows {limit}; use fewer worlds"
    )]
    TooLarge {
        /// What the buffer holds.
        what: &'static str,
        /// Worlds that were asked for.
        worlds: usize,
        /// Bytes.
        needed: u64,
        /// Bytes that one buffer may have.
        limit: u64,
    },
    /// A list has the wrong number of entries.
    #[error("{what} must have {expected} values ({explanation}), but {got} were given")]
    Length {
        /// What the list is.
        what: &'static str,
        /// How many it must have.
        expected: usize,
        /// How many it has.
        got: usize,
        /// Where that number comes from.
        explanation: String,
    },
    /// A number is not finite.
    #[error("{what} of world {world} is {value} at index {index}; it must be a finite number")]
    NotFinite {
        /// What the number is.
        what: &'static str,
        /// The world.
        world: usize,
        /// Its index in the row.
        index: usize,
        /// The number.
        value: f64,
    },
    /// Worlds would begin anew with a state that is not finite.
    #[error(
        "the first position of the model is {value} at index {index} of 'qpos0'; it must be a finite number"
    )]
    FirstState {
        /// Index in `qpos0`.
        index: usize,
        /// The number.
        value: f64,
    },
    /// A long call was stopped by the function that watched it, or by its caller.
    #[error("stopped while the device was at work; where worlds had steps to make, the next call makes them")]
    Interrupted,
    /// The model has no such array of numbers.
    #[error("the model has no array of floating-point numbers called '{0}'")]
    Field(String),
    /// A varied field changes what a fluid acts on.
    #[error(
        "'{field}' of world {world} changes which bodies or geoms the fluid acts on, which all worlds have in common: \
         vary their sizes and coefficients only, or make a simulator of a model with that shape"
    )]
    FluidShapes {
        /// The varied field.
        field: String,
        /// The world.
        world: usize,
    },
    /// A varied field makes a world one for other kernels.
    #[error(
        "unsupported: '{field}' of world {world} adds something that the model does not have or changes a shape, which all worlds \
         have in common; give the model itself some of it first"
    )]
    VariedShape {
        /// The varied field.
        field: String,
        /// The world.
        world: usize,
    },
    /// A function of the user does not compile.
    #[error("your functions do not compile: {}{reason}", at_line(*.line))]
    Kernel {
        /// Line of the user's text, counted from 1, where it is known.
        line: Option<u32>,
        /// What the compiler says.
        reason: String,
    },
    /// There are no functions of the user.
    #[error("there are no functions of your own: give them with set_functions first")]
    NoFunctions,
    /// Steps are under way.
    #[error("steps that were begun are not finished: call finish_steps first")]
    Unfinished,
    /// No steps are under way.
    #[error("no steps were begun: call begin_steps first")]
    NothingBegun,
    /// Sensors were not asked for.
    #[error("sensors are not computed; make the simulator with sensors")]
    Sensors,
    /// Steps are counted in 32 bits.
    #[error("a simulator makes at most {} steps of each world; make a new one with these states", u32::MAX)]
    Steps,
    /// The device reported a failure.
    #[error("the GPU failed: {0}; what was on it is lost: make a new one, with a device that is reopened")]
    Device(String),
}

/// Says where something is.
fn at_line(line: Option<u32>) -> String {
    line.map(|line| format!("line {line}: ")).unwrap_or_default()
}

/// The items of a list, one after the other.
fn list(items: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = items.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
    match items.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{shown}; and {more} more"),
        _ => shown,
    }
}

impl From<kinetree_device::OpenError> for GpuError {
    fn from(error: kinetree_device::OpenError) -> Self {
        match error {
            kinetree_device::OpenError::NoAdapter { reason } => Self::NoAdapter { reason },
            kinetree_device::OpenError::NoDevice { adapter, reason } => Self::NoDevice { adapter, reason },
        }
    }
}
