//! One program for all tests of this crate: each program more is linked and loaded anew.

mod asset_cache;
mod assets_fuzz;
mod assets_golden;
mod codec;
mod collada;
mod compiled;
mod copies;
mod depth;
mod diagnostics;
mod flex;
mod golden_models;
mod hulls;
mod includes;
mod kinematics;
mod large_polygons;
mod mjcf;
mod models;
mod once_failed;
mod reference;
mod reference_compiler;
mod reference_contacts;
mod reference_meshes;
mod reference_solver;
mod skin_file;
mod urdf;
mod writer;
