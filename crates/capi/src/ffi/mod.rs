//! Where C meets Rust. All `unsafe` code of this crate is in this folder.

pub mod c_field;
pub mod c_plugin;
pub mod callbacks;
pub mod calls;
pub mod ccd;
pub mod codec;
pub mod cpp;
#[cfg(target_os = "linux")]
pub mod cxx_functions;
pub mod element;
pub mod errors;
pub mod export;
pub mod fault;
pub mod handle;
pub mod owned;
pub mod plugin;
pub mod plugin_table;
pub mod pointer;
pub mod printf;
pub mod resource;
pub mod scene;
pub mod spec;
pub mod tables;
pub mod threads;
#[cfg(all(target_arch = "x86_64", unix))]
pub mod variadic;
pub mod words;
