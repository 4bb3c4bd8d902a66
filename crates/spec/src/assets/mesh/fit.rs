//! Primitive shapes fitted to a mesh, for geoms that name a mesh but have another type.

use super::CompiledMesh;

/// Shapes that can stand in for a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitShape {
    /// One radius.
    Sphere,
    /// Radius and half-length of the cylindrical part.
    Capsule,
    /// Radius and half-length.
    Cylinder,
    /// Three radii.
    Ellipsoid,
    /// Three half-sizes.
    Box,
}

/// The result of a fit, in the inertia frame of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrimitiveFit {
    /// Geom sizes; those that the shape does not use are kept from the input.
    pub size: [f64; 3],
    /// Centre of the shape relative to the mesh origin.
    pub center: [f64; 3],
}

impl CompiledMesh {
    /// Fits `shape` to the equivalent inertia box, or with `use_aabb` to the axis-aligned bounding box.
    /// `size` are the sizes given in the model; all three are multiplied by `scale` after the fit.
    pub fn fit(&self, shape: FitShape, size: [f64; 3], scale: f64, use_aabb: bool) -> PrimitiveFit {
        let mut fit = if use_aabb { self.fit_bounds(shape, size) } else { self.fit_inertia_box(shape, size) };
        for s in &mut fit.size {
            *s *= scale;
        }
        fit
    }

    fn fit_inertia_box(&self, shape: FitShape, mut size: [f64; 3]) -> PrimitiveFit {
        let [x, y, z] = self.boxsz;
        match shape {
            FitShape::Sphere => size[0] = (x + y + z) / 3.0,
            FitShape::Capsule => {
                size[0] = (x + y) / 2.0;
                size[1] = (z - size[0] / 2.0).max(0.0);
            }
            FitShape::Cylinder => {
                size[0] = (x + y) / 2.0;
                size[1] = z;
            }
            FitShape::Ellipsoid | FitShape::Box => size = self.boxsz,
        }
        PrimitiveFit { size, center: [0.0; 3] }
    }

    fn fit_bounds(&self, shape: FitShape, mut size: [f64; 3]) -> PrimitiveFit {
        let mut center = [0.0; 3];
        let mut half = [0.0; 3];
        for k in 0..3 {
            center[k] = (self.aamm[k] + self.aamm[k + 3]) / 2.0;
            half[k] = self.aamm[k + 3] - center[k];
        }
        let [x, y, z] = half;
        match shape {
            FitShape::Sphere => size[0] = x.max(y).max(z),
            FitShape::Capsule => {
                size[0] = x.max(y);
                size[1] = z - size[0];
            }
            FitShape::Cylinder => {
                size[0] = x.max(y);
                size[1] = z;
            }
            FitShape::Ellipsoid | FitShape::Box => size = half,
        }
        PrimitiveFit { size, center }
    }
}
