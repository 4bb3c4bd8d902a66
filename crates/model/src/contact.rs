//! One contact between two geoms, with the reference's memory layout.

/// A contact as the constraint stage sees it.
#[allow(non_snake_case)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Contact {
    /// Distance between the nearest points; negative means penetration (m).
    pub dist: f64,
    /// Midpoint between the nearest points (m).
    pub pos: [f64; 3],
    /// Contact frame, row-major: the normal from geom 1 to geom 2, then two tangents.
    pub frame: [f64; 9],
    /// A constraint row is made when `dist` is below this: margin minus gap (m).
    pub includemargin: f64,
    /// Friction: two tangential, one torsional, two rolling coefficients.
    pub friction: [f64; 5],
    /// Reference parameters of the normal direction.
    pub solref: [f64; 2],
    /// Reference parameters of the friction directions; zero means "as the normal".
    pub solreffriction: [f64; 2],
    /// Impedance parameters.
    pub solimp: [f64; 5],
    /// Friction coefficient of the regularized cone.
    pub mu: f64,
    /// Cone Hessian, written by the primal solvers.
    pub H: [f64; 36],
    /// Dimension of the contact space: 1, 3, 4 or 6.
    pub dim: i32,
    /// Id of geom 1; -1 for a flex.
    pub geom1: i32,
    /// Id of geom 2; -1 for a flex.
    pub geom2: i32,
    /// The two geom ids as one array.
    pub geom: [i32; 2],
    /// Flex ids; -1 for geoms.
    pub flex: [i32; 2],
    /// Flex element ids; -1 for geoms or vertices.
    pub elem: [i32; 2],
    /// Flex vertex ids; -1 for geoms or elements.
    pub vert: [i32; 2],
    /// Why the contact makes no constraint: 0 it does, 1 in gap, 2 fused, 3 no dofs.
    pub exclude: i32,
    /// First row in the constraint arrays; -1 when excluded.
    pub efc_address: i32,
}

impl Contact {
    /// A contact of nothing with nothing.
    pub const EMPTY: Self = Self {
        dist: 0.0,
        pos: [0.0; 3],
        frame: [0.0; 9],
        includemargin: 0.0,
        friction: [0.0; 5],
        solref: [0.0; 2],
        solreffriction: [0.0; 2],
        solimp: [0.0; 5],
        mu: 0.0,
        H: [0.0; 36],
        dim: 0,
        geom1: -1,
        geom2: -1,
        geom: [-1; 2],
        flex: [-1; 2],
        elem: [-1; 2],
        vert: [-1; 2],
        exclude: 0,
        efc_address: -1,
    };
}

impl Default for Contact {
    fn default() -> Self {
        Self::EMPTY
    }
}
