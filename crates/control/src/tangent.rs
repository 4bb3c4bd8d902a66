//! The tangent space of states: `(δq, δv, δa)` of positions, velocities and activations, where a rotation
//! counts three numbers.

use kinetree_model::Model;
use kinetree_model::enums::JointType;
use kinetree_sim::mj_differentiate_pos;

/// Positions, velocities and activations of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<'a> {
    pub(crate) qpos: &'a [f64],
    pub(crate) qvel: &'a [f64],
    pub(crate) act: &'a [f64],
}

/// Dimension of the tangent space.
pub(crate) fn dimension(model: &Model) -> usize {
    2 * model.nv + model.na
}

/// The change that leads from one state to another.
pub(crate) fn difference(model: &Model, from: State<'_>, to: State<'_>, change: &mut [f64]) {
    let (position, rest) = change.split_at_mut(model.nv);
    mj_differentiate_pos(model, position, 1.0, from.qpos, to.qpos);
    let pairs = from.qvel.iter().chain(from.act).zip(to.qvel.iter().chain(to.act));
    for (change, (from, to)) in rest.iter_mut().zip(pairs) {
        *change = to - from;
    }
}

/// First dof of each rotation of three dofs.
pub(crate) fn rotations(model: &Model) -> Vec<usize> {
    let joints = model.jnt_type.iter().zip(&model.jnt_dofadr);
    let rotation = |(kind, dof): (&i32, &i32)| {
        if *kind == JointType::Free {
            Some(*dof as usize + 3)
        } else {
            (*kind == JointType::Ball).then_some(*dof as usize)
        }
    };
    joints.filter_map(rotation).collect()
}

/// Derivative of the rotation vector `e = log(q₀⁻¹ q)` with respect to a rotation of `q` in its own frame:
/// the inverse of the right Jacobian of SO(3), `I + [e]/2 + c [e]²` with
/// `c = 1/θ² − (1 + cos θ)/(2 θ sin θ)` (Chirikjian 2012, §10.8.6; Solà, Deray and Atchuthan 2018, eq. 144).
pub(crate) fn right_jacobian_inverse(e: [f64; 3]) -> [[f64; 3]; 3] {
    let squared = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    let angle = squared.sqrt();
    // near zero by its series, where the difference of large numbers would lose all digits
    let c = if angle < 1e-2 {
        1.0 / 12.0 + squared / 720.0 + squared * squared / 30240.0
    } else {
        // (1 + cos θ)/sin θ = cot(θ/2), which is not 0/0 at an angle of π
        let half = 0.5 * angle;
        1.0 / squared - libm::cos(half) / (2.0 * angle * libm::sin(half))
    };
    let cross = [[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]];
    let mut out = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            let square: f64 = (0..3).map(|k| cross[i][k] * cross[k][j]).sum();
            out[i][j] = f64::from(u8::from(i == j)) + 0.5 * cross[i][j] + c * square;
        }
    }
    out
}
