//! Corners and edges of geoms that places on a deformable body touch: what a contact follows within a step.
//!
//! The nearest point of a triangle moves far when the triangle tilts on a round geom: by the radius times the
//! angle. That is what keeps it from tilting further. If it stayed where it was at the beginning of a step,
//! that answer would come late, and tilting would grow from step to step.

use kinetree_math::Vec3;

use crate::nearest::nearest_of_segments;
use crate::place::Place;

/// What a place touches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum GeomFeature {
    /// A corner, or the centre of a ball.
    Corner(Vec3),
    /// An edge, or the axis of a capsule.
    Edge([Vec3; 2]),
    /// A curved surface, of which the tangent plane is known.
    Surface,
}

impl GeomFeature {
    /// The same in other coordinates.
    pub(crate) fn map(self, to: impl Fn(Vec3) -> Vec3) -> Self {
        match self {
            Self::Corner(corner) => Self::Corner(to(corner)),
            Self::Edge(ends) => Self::Edge(ends.map(to)),
            Self::Surface => Self::Surface,
        }
    }

    /// A point of it.
    pub(crate) fn point(&self) -> Option<Vec3> {
        match self {
            Self::Corner(point) | Self::Edge([point, _]) => Some(*point),
            Self::Surface => None,
        }
    }

    /// Where an edge or a face that touched it is nearest to it now, and the unit vector from it to there, on
    /// the side of `normal`; `None` where that is the end of one of both.
    pub(crate) fn nearest(
        &self,
        place: &Place,
        normal: &Vec3,
        position: impl Fn(usize) -> Vec3,
    ) -> Option<(Place, Vec3)> {
        let [a, b, c] = place.vertices;
        let x = place.vertices.map(|v| position(v as usize));
        let (near, across) = match self {
            Self::Surface => return None,
            Self::Corner(corner) if b == c => {
                let [along, _] = nearest_of_segments([&x[0], &x[1]], [corner, corner]);
                let inside = along > 0.0 && along < 1.0;
                (inside.then(|| Place::on_edge([a, b], along))?, x[0] + along * (x[1] - x[0]) - corner)
            }
            Self::Corner(corner) => {
                let (u, v, from) = (x[1] - x[0], x[2] - x[0], corner - x[0]);
                let cross = u.cross(&v);
                let part = 1.0 / cross.norm_squared();
                let (s, t) = (from.cross(&v).dot(&cross) * part, u.cross(&from).dot(&cross) * part);
                let inside = s >= 0.0 && t >= 0.0 && s + t <= 1.0;
                (inside.then_some(Place { vertices: [a, b, c], weights: [1.0 - s - t, s, t] })?, cross)
            }
            Self::Edge([from, to]) => {
                let [along, on_geom] = nearest_of_segments([&x[0], &x[1]], [from, to]);
                let inside = along > 0.0 && along < 1.0 && on_geom > 0.0 && on_geom < 1.0;
                (inside.then(|| Place::on_edge([a, b], along))?, (to - from).cross(&(x[1] - x[0])))
            }
        };
        let side = if across.dot(normal) < 0.0 { -across } else { across };
        Some((near, side.try_normalize(0.0)?))
    }
}
