//! One program for all tests of this crate: each program more is linked and loaded anew.

mod against_processor;
mod common;
mod conjugate;
mod contact_sensors;
mod convex;
mod crowds;
mod double;
mod equality_activation;
mod faces;
mod features;
mod flags;
mod forces;
mod growth;
mod hostile_states;
mod kernels;
mod motors;
mod sensor_values;
