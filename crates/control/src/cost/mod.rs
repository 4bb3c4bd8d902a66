//! Costs of states, controls and sensors, and their expansions.

mod function;
mod norm;
mod quadratic;

pub use function::{Cost, Expansion, Point, SensorJacobian};
pub use norm::Norm;
pub use quadratic::{QuadraticCost, SensorTerm};
