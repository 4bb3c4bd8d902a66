//! WGSL of the user in a browser, where the compiler that reads it for us is left out of the module.

use crate::error::GpuError;

/// Which functions a text defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Defined {
    pub(crate) observe: bool,
    pub(crate) reward: bool,
    pub(crate) terminated: bool,
    pub(crate) reset: bool,
}

/// Refuses all texts.
pub(crate) fn compile_user_text(_prelude: &str, _text: &str) -> Result<Defined, GpuError> {
    Err(GpuError::Unsupported(vec!["functions of your own in a browser".to_owned()]))
}
