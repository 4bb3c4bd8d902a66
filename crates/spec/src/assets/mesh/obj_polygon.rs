//! Triangulation of OBJ polygons by ear clipping.
//!
//! The polygon is projected onto the coordinate plane in which its first proper corner is widest. Starting at
//! corner 0, the triangle of three consecutive corners is cut off when it winds the same way as the whole
//! polygon and contains no other corner; otherwise the window moves on. Everything is in single precision,
//! because the choice of ears at nearly straight corners depends on it.

use super::MeshError;

/// Indices of one corner: vertex, texture coordinate, normal; −1 for an absent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) vert: i32,
    pub(super) texcoord: i32,
    pub(super) normal: i32,
}

/// Cuts polygons into triangles, with a bound on the total work.
pub(super) struct Triangulator<'a> {
    vert: &'a [f32],
    remaining: Vec<Corner>,
    budget: u64,
}

impl<'a> Triangulator<'a> {
    pub(super) fn new(vert: &'a [f32]) -> Self {
        Self { vert, remaining: Vec::new(), budget: 2_000_000_000 }
    }

    fn point(&self, corner: Corner) -> Option<[f32; 3]> {
        let start = usize::try_from(corner.vert).ok()?.checked_mul(3)?;
        let p = self.vert.get(start..start.checked_add(3)?)?;
        Some([p[0], p[1], p[2]])
    }

    fn projected(&self, corner: Corner, axes: [usize; 2]) -> Option<[f32; 2]> {
        self.point(corner).map(|p| [p[axes[0]], p[axes[1]]])
    }

    /// Appends the triangles of one polygon. Polygons that cannot be cut completely lose their rest.
    pub(super) fn cut(&mut self, polygon: &[Corner], out: &mut Vec<Corner>) -> Result<(), MeshError> {
        if polygon.len() < 3 {
            return Ok(());
        }
        if polygon.len() == 3 {
            out.extend_from_slice(polygon);
            return Ok(());
        }
        let axes = self.projection(polygon);
        let area = self.signed_area(polygon, axes);
        self.remaining.clear();
        self.remaining.extend_from_slice(polygon);

        let mut guess = 0;
        let mut patience = polygon.len();
        let mut last_count = polygon.len();
        while self.remaining.len() > 3 && patience > 0 {
            let n = self.remaining.len();
            if guess >= n {
                guess -= n;
            }
            if last_count == n {
                patience -= 1;
            } else {
                last_count = n;
                patience = n;
            }
            self.budget = self.budget.checked_sub(n as u64).ok_or(MeshError::ObjPolygon)?;
            if self.is_ear(guess, axes, area) {
                for k in 0..3 {
                    out.push(self.remaining[(guess + k) % n]);
                }
                self.remaining.remove((guess + 1) % n);
            } else {
                guess += 1;
            }
        }
        if self.remaining.len() == 3 {
            out.extend_from_slice(&self.remaining);
        }
        Ok(())
    }

    /// The two axes in which the first corner with a visible angle is widest.
    fn projection(&self, polygon: &[Corner]) -> [usize; 2] {
        let n = polygon.len();
        for k in 0..n {
            let corners = [polygon[k], polygon[(k + 1) % n], polygon[(k + 2) % n]];
            let [Some(a), Some(b), Some(c)] = corners.map(|corner| self.point(corner)) else {
                continue;
            };
            let e0 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
            let e1 = [c[0] - b[0], c[1] - b[1], c[2] - b[2]];
            let x = (e0[1] * e1[2] - e0[2] * e1[1]).abs();
            let y = (e0[2] * e1[0] - e0[0] * e1[2]).abs();
            let z = (e0[0] * e1[1] - e0[1] * e1[0]).abs();
            if x > f32::EPSILON || y > f32::EPSILON || z > f32::EPSILON {
                return if x > y && x > z {
                    [1, 2]
                } else if z > x && z > y {
                    [0, 1]
                } else {
                    [0, 2]
                };
            }
        }
        [1, 2]
    }

    fn signed_area(&self, polygon: &[Corner], axes: [usize; 2]) -> f32 {
        let n = polygon.len();
        let mut area = 0.0f32;
        for k in 0..n {
            let ends = (self.projected(polygon[k], axes), self.projected(polygon[(k + 1) % n], axes));
            if let (Some(a), Some(b)) = ends {
                area += (a[0] * b[1] - a[1] * b[0]) * 0.5;
            }
        }
        area
    }

    fn is_ear(&self, first: usize, axes: [usize; 2], area: f32) -> bool {
        let n = self.remaining.len();
        let mut ear = [[0.0f32; 2]; 3];
        for (k, p) in ear.iter_mut().enumerate() {
            *p = self.projected(self.remaining[(first + k) % n], axes).unwrap_or([0.0; 2]);
        }
        let ear_area = (ear[1][0] - ear[0][0]) * (ear[2][1] - ear[1][1])
            - (ear[1][1] - ear[0][1]) * (ear[2][0] - ear[1][0]);
        if ear_area * area < 0.0 {
            return false;
        }
        !(3..n)
            .any(|k| self.projected(self.remaining[(first + k) % n], axes).is_some_and(|p| inside(&ear, p)))
    }
}

/// Whether a ray from the point crosses the triangle's outline an odd number of times.
fn inside(triangle: &[[f32; 2]; 3], p: [f32; 2]) -> bool {
    let mut odd = false;
    let mut previous = triangle[2];
    for current in triangle {
        if (current[1] > p[1]) != (previous[1] > p[1])
            && p[0]
                < (previous[0] - current[0]) * (p[1] - current[1]) / (previous[1] - current[1]) + current[0]
        {
            odd = !odd;
        }
        previous = *current;
    }
    odd
}
