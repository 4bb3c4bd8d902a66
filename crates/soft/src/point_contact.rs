//! The force of a contact on a point mass.
//!
//! A contact is that of the engine, for a point mass: with its reference acceleration `aref`, its regularizer
//! `R` and the acceleration `a₀` that the vertex has without it, the force is the minimum of `½ f·(1/m + R) f
//! + f·(a₀ − aref)` over the friction cone. The matrix is diagonal, so the minimum has a formula.
//!
//! `R` is that of the normal. Friction has none: what it can hold does not creep.

use kinetree_math::Vec3;

use crate::geom_feature::GeomFeature;
use crate::place::Place;

/// A contact of a vertex, with its geometry and gains for the length of a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointContact {
    pub(crate) vertex: u32,
    /// From the geom to the vertex.
    pub(crate) normal: Vec3,
    /// The vertex violates the contact by `normal · x − offset` where that is negative (m).
    pub(crate) offset: f64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) impedance: f64,
    pub(crate) friction: f64,
    /// Displacement by the contact in this substep (m).
    pub(crate) pushed: Vec3,
}

/// A contact of an edge or a face, which several vertices share: a force at its place acts on each of them by
/// its weight.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SharedContact {
    pub(crate) place: Place,
    pub(crate) contact: PointContact,
    feature: GeomFeature,
    /// Distance from what the place touches, within which the contact pushes (m).
    distance: f64,
}

impl SharedContact {
    pub(crate) fn new(place: Place, feature: GeomFeature, contact: PointContact) -> Self {
        let distance = feature.point().map_or(0.0, |point| contact.offset - contact.normal.dot(&point));
        Self { place, contact, feature, distance }
    }

    /// Begins a substep of length `h` (s): moves to where the body will be nearest to the geom in the middle
    /// of it.
    ///
    /// A face that rolls on a round geom turns about the place of its contact. From that of the beginning it
    /// would come to lie in the geom by half the product of angle and way, whichever way it rolls, and what
    /// pushes it out again would give it energy.
    pub(crate) fn begin(&mut self, position: &[Vec3], velocity: &[Vec3], h: f64) {
        let Self { place, contact, feature, distance } = self;
        contact.pushed = Vec3::zeros();
        let near = |normal: &Vec3, dt: f64| {
            feature.nearest(place, normal, |vertex| position[vertex] + dt * velocity[vertex])
        };
        let Some(((now, up), point)) = near(&contact.normal, 0.0).zip(feature.point()) else { return };
        let gap = up.dot(&(now.mean(|vertex| position[vertex]) - point)) - *distance;
        let (middle, normal) = near(&up, 0.5 * h).unwrap_or((now, up));
        let offset = normal.dot(&middle.mean(|vertex| position[vertex])) - gap;
        (*place, contact.normal, contact.offset) = (middle, normal, offset);
    }
}

/// Sweeps over the contacts of one vertex end when none moves it by more than this part of the motion.
const TOLERANCE: f64 = 1e-12;
/// Most sweeps; two planes need a few, and a narrow wedge more.
const SWEEPS: usize = 100;

/// Displacement of a vertex over a substep of length `h` with all its contacts; `moved` is that with what
/// they have pushed before in this substep.
///
/// The forces of several contacts depend on each other, since all push on the same mass: each is the minimum
/// for what the others leave, until none changes any more (block Gauss–Seidel on a convex problem).
pub(crate) fn push_all(
    contacts: &mut [PointContact],
    (position, velocity): (&Vec3, &Vec3),
    mut moved: Vec3,
    h: f64,
) -> Vec3 {
    if let [only] = contacts {
        let free = moved - only.pushed;
        only.pushed = only.push(position, velocity, &free, h);
        return free + only.pushed;
    }
    let small = TOLERANCE * (moved.norm() + h * velocity.norm());
    for _ in 0..SWEEPS {
        let mut change: f64 = 0.0;
        for contact in contacts.iter_mut() {
            let pushed = contact.push(position, velocity, &(moved - contact.pushed), h);
            moved += pushed - contact.pushed;
            change = change.max((pushed - contact.pushed).norm());
            contact.pushed = pushed;
        }
        if change <= small {
            break;
        }
    }
    moved
}

impl PointContact {
    /// Displacement (m) by the contact force over a substep of length `h`, of a vertex that would move by
    /// `moved` without it.
    pub(crate) fn push(&self, position: &Vec3, velocity: &Vec3, moved: &Vec3, h: f64) -> Vec3 {
        let violation = self.normal.dot(position) - self.offset;
        if violation >= 0.0 {
            return Vec3::zeros();
        }
        let (smooth, spring) = ((moved / h - velocity) / h, self.stiffness * self.impedance * violation);
        let wanted = -self.damping * velocity - spring * self.normal - smooth;
        // inverse inertia along the normal with regularizer, of a unit mass
        let soft = (1.0 - self.impedance) / self.impedance;
        let normal_weight = 1.0 + soft;
        let along = self.normal.dot(&wanted);
        let force = self.in_cone(along / normal_weight, &(wanted - along * self.normal), normal_weight);
        // forces and inverse inertias are those of a unit mass: the mass cancels
        h * h * force
    }

    /// The nearest force in the friction cone, in the metric in which the normal has this weight.
    fn in_cone(&self, normal: f64, slide: &Vec3, normal_weight: f64) -> Vec3 {
        let size = slide.norm();
        if normal >= 0.0 && size <= self.friction * normal {
            return normal * self.normal + slide;
        }
        let mu = self.friction;
        let on_edge = (normal_weight * normal + mu * size) / (normal_weight + mu * mu);
        if on_edge <= 0.0 {
            return Vec3::zeros();
        }
        let direction = if size > 0.0 { slide / size } else { Vec3::zeros() };
        on_edge * (self.normal + mu * direction)
    }
}
