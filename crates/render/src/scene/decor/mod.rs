//! What is drawn of a world, one file for each kind of object or decoration.

mod actuators;
mod cameras;
mod catenary;
mod constraints;
mod contacts;
mod frames;
mod geoms;
mod inertia;
mod islands;
mod joints;
mod number;
mod perturb;
mod sensors;
mod tendons;
mod trees;
