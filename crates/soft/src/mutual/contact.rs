//! A contact between two deformable bodies, or two places of one.
//!
//! A corner and a face, or two edges, keep the distance of their radii: `n · Σ w x ≥ limit`, with weights `w`
//! of four vertices that are positive on one side and negative on the other, and sum up to zero. That is an
//! XPBD constraint without compliance, linearized at the beginning of a substep, where `n` is the direction
//! between the nearest points: a push along it changes neither linear nor angular momentum.

use kinetree_math::Vec3;

use crate::member::Member;
use crate::nearest::{nearest_in_triangle, nearest_of_segments};

/// Time (s) in which a violation decays: pushing things apart at once would throw them.
const RECOVERY: f64 = 0.02;

/// A vertex of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Corner {
    pub(super) member: u32,
    pub(super) vertex: u32,
}

/// What touches: the first vertices of [`MutualContact::corners`] belong to one side, the others to the
/// other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    /// One vertex and a triangle.
    CornerFace,
    /// Two edges.
    Edges,
}

impl Pair {
    /// Weights of the vertices in the vector from the nearest point of the second side to that of the first.
    pub(super) fn weights(self, x: &[Vec3; 4]) -> [f64; 4] {
        match self {
            Self::CornerFace => {
                let [a, b, c] = nearest_in_triangle(&[x[1], x[2], x[3]], &x[0]);
                [1.0, -a, -b, -c]
            }
            Self::Edges => {
                let [s, t] = nearest_of_segments([&x[0], &x[1]], [&x[2], &x[3]]);
                [1.0 - s, s, t - 1.0, -t]
            }
        }
    }
}

/// `Σ w x`.
pub(super) fn weighted(weights: &[f64; 4], x: &[Vec3; 4]) -> Vec3 {
    weights.iter().zip(x).fold(Vec3::zeros(), |sum, (w, x)| sum + *w * x)
}

/// A contact of one step.
#[derive(Debug, Clone)]
pub(super) struct MutualContact {
    pub(super) pair: Pair,
    pub(super) corners: [Corner; 4],
    /// Bodies that step together.
    pub(super) group: usize,
    /// Distance that the sides keep (m).
    pub(super) limit: f64,
    pub(super) friction: f64,
    /// From the second side to the first; points to the side on which they were when they were found.
    pub(super) normal: Vec3,
    weights: [f64; 4],
    /// Inverse masses of the vertices, and `Σ w² / m`.
    inverse_mass: [f64; 4],
    mobility: f64,
    /// Least displacement along the normal in this substep (m).
    least: f64,
    /// Multipliers of this substep (kg m): along the normal, and of friction.
    push: f64,
    slide: Vec3,
}

impl MutualContact {
    pub(super) fn new(pair: Pair, corners: [Corner; 4], limit: f64, friction: f64, normal: Vec3) -> Self {
        Self {
            pair,
            corners,
            group: 0,
            limit,
            friction,
            normal,
            weights: [0.0; 4],
            inverse_mass: [0.0; 4],
            mobility: 0.0,
            least: 0.0,
            push: 0.0,
            slide: Vec3::zeros(),
        }
    }

    /// Takes the geometry of the beginning of a substep of length `h` (s).
    pub(super) fn linearize(&mut self, members: &[Member], h: f64) {
        let particles = |corner: &Corner| members[corner.member as usize].body.particles();
        let x = self.corners.map(|corner| particles(&corner).position[corner.vertex as usize]);
        self.inverse_mass =
            self.corners.map(|corner| particles(&corner).inverse_mass()[corner.vertex as usize]);
        self.weights = self.pair.weights(&x);
        let between = weighted(&self.weights, &x);
        let distance = between.norm();
        // beyond the middle of a sheet the nearest way out is the wrong one
        let side = if between.dot(&self.normal) < 0.0 { -1.0 } else { 1.0 };
        if distance > 0.0 {
            self.normal = side * between / distance;
        }
        let gap = side * distance - self.limit;
        self.least = if gap < 0.0 { -gap * (h / RECOVERY).min(1.0) } else { -gap };
        self.mobility = self
            .weights
            .iter()
            .zip(&self.inverse_mass)
            .map(|(weight, inverse)| weight * weight * inverse)
            .sum();
        (self.push, self.slide) = (0.0, Vec3::zeros());
    }

    /// Pushes the sides apart, if they come too close by their displacements, and slows their sliding down.
    pub(super) fn project(&mut self, members: &mut [Member]) {
        if self.mobility == 0.0 {
            return;
        }
        let moved = self.corners.map(|c| members[c.member as usize].body.displacement(c.vertex as usize));
        let between = weighted(&self.weights, &moved);
        let along = self.normal.dot(&between);
        let push = (self.push + (self.least - along) / self.mobility).max(0.0);
        if push == 0.0 && self.push == 0.0 {
            return;
        }
        // Coulomb: the multiplier of friction that stops sliding, or as much as the cone allows
        let sliding = between - along * self.normal;
        let mut slide = self.slide - sliding / self.mobility;
        slide -= self.normal * self.normal.dot(&slide);
        let (size, most) = (slide.norm(), self.friction * push);
        if size > most {
            slide *= most / size;
        }
        let impulse = (push - self.push) * self.normal + slide - self.slide;
        (self.push, self.slide) = (push, slide);
        for (corner, (weight, inverse)) in
            self.corners.iter().zip(self.weights.iter().zip(&self.inverse_mass))
        {
            if weight * inverse != 0.0 {
                let body = &mut members[corner.member as usize].body;
                body.displace(corner.vertex as usize, &(weight * inverse * impulse));
            }
        }
    }
}
