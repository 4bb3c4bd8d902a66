//! Numerics for Kinetree: rotations, spatial vectors, dense, sparse and band factorizations, box QP. Knows nothing of bodies or joints.
#![forbid(unsafe_code)]
