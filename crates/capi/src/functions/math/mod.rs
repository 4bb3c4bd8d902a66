//! Functions on numbers, vectors, rotations and matrices. Results may lie where arguments lie.

mod bands;
mod matrices;
mod rotations;
mod scalars;
mod sparse;
mod vectors;
