//! Inflated simplices: lines, triangles and tetrahedra with a radius, the elements of deformable bodies.

use crate::contact::ContactPoint;
use crate::contact::drop_invalid;
use crate::gjk::penetration::penetration;
use crate::gjk::support::{Convex, Core, Pair};
use crate::gjk::{CcdScratch, CcdSettings, Work};
use crate::shape::{Pose, Shape};

/// Up to four vertices in the world, a point among them, and the radius around their hull.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simplex {
    vertices: [[f64; 3]; 4],
    count: usize,
    /// Where searches start (m).
    pub centre: [f64; 3],
    /// Radius around the hull (m).
    pub radius: f64,
}

impl Simplex {
    /// A simplex of the first four vertices at most.
    #[must_use]
    pub fn new(vertices: impl Iterator<Item = [f64; 3]>, centre: [f64; 3], radius: f64) -> Self {
        let mut simplex = Self { centre, radius, ..Self::default() };
        for vertex in vertices.take(4) {
            simplex.vertices[simplex.count] = vertex;
            simplex.count += 1;
        }
        simplex
    }

    /// Its vertices.
    #[must_use]
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices[..self.count]
    }

    /// The simplex with vertices and centre elsewhere.
    pub(crate) fn map(&self, f: impl Fn(&[f64; 3]) -> [f64; 3]) -> Self {
        Self { vertices: self.vertices.each_ref().map(&f), centre: f(&self.centre), ..*self }
    }

    fn convex(&self, margin: f64) -> Convex<'_> {
        Convex::simplex(self.vertices(), self.centre, self.radius, margin)
    }
}

/// Appends the contact of a convex shape (shape 1) and a simplex (shape 2), if they come within `margin`.
pub fn convex_simplex(
    shape: &Shape<'_>,
    pose: &Pose,
    simplex: &Simplex,
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    let CcdScratch { work, vertex_lanes: [lanes, _], .. } = scratch;
    let Some(core) = Core::of(shape, lanes) else { return };
    one_contact(
        Pair { a: Convex::new(core, pose, margin), b: simplex.convex(margin) },
        margin,
        settings,
        work,
        out,
    );
}

/// Appends the contact of two simplices, if they come within `margin`.
pub fn simplex_simplex(
    first: &Simplex,
    second: &Simplex,
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    one_contact(
        Pair { a: first.convex(margin), b: second.convex(margin) },
        margin,
        settings,
        &mut scratch.work,
        out,
    );
}

fn one_contact(
    mut pair: Pair<'_>,
    margin: f64,
    settings: &CcdSettings,
    work: &mut Work,
    out: &mut Vec<ContactPoint>,
) {
    let first = out.len();
    penetration(&mut pair, &settings.query(0.0), 1, margin, work, out);
    drop_invalid(out, first);
}
