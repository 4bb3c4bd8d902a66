//! Decoders that files are read with, besides those of the engine.

use crate::errors::invalid;
use crate::lock::Brief;
use kinetree_spec::Vfs;
use kinetree_spec::codec::Decoder;
use pyo3::prelude::*;
use std::sync::Arc;

static DECODERS: Brief<Vec<Arc<dyn Decoder>>> = Brief::new(Vec::new());

/// Adds a decoder to those that files are read with from now on.
pub(crate) fn add_decoder(decoder: Arc<dyn Decoder>) -> PyResult<()> {
    // the rules for formats are those of virtual files
    let mut known = Vfs::new();
    add_all(&mut known)?;
    known.add_decoder(Arc::clone(&decoder)).map_err(invalid)?;
    DECODERS.with(|decoders| decoders.push(decoder));
    Ok(())
}

/// Adds all decoders to virtual files.
pub(crate) fn add_all(vfs: &mut Vfs) -> PyResult<()> {
    let decoders = DECODERS.with(|decoders| decoders.clone());
    decoders.into_iter().try_for_each(|decoder| vfs.add_decoder(decoder).map_err(invalid))
}
