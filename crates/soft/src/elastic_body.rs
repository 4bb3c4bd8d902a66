//! The part of [`DeformableBody`](crate::DeformableBody) that bodies of elements share.

/// Implements the trait for a type with the fields `elastic`, `material` and `radius`; the closure names its
/// triangles.
macro_rules! elastic_body {
    ($body:ty, |$this:ident| $triangles:expr) => {
        impl $crate::DeformableBody for $body {
            fn particles(&self) -> &$crate::Particles {
                &self.elastic.particles
            }

            fn particles_mut(&mut self) -> &mut $crate::Particles {
                &mut self.elastic.particles
            }

            fn material(&self) -> &$crate::Material {
                &self.material
            }

            fn radius(&self) -> f64 {
                self.radius
            }

            fn triangles(&self) -> &[[u32; 3]] {
                let $this = self;
                $triangles
            }

            fn substeps(&self, dt: f64) -> f64 {
                self.elastic.substeps(dt)
            }

            fn coupled_substeps(&self, dt: f64) -> f64 {
                self.elastic.coupled_substeps(dt)
            }

            fn begin(&mut self, gravity: &$crate::Vec3, h: f64) -> Result<(), $crate::SoftError> {
                self.elastic.begin(gravity, h)
            }

            fn displacement(&self, vertex: usize) -> $crate::Vec3 {
                self.elastic.displacement(vertex)
            }

            fn displace(&mut self, vertex: usize, by: &$crate::Vec3) {
                self.elastic.displace(vertex, by);
            }

            fn push_contacts(&mut self, h: f64) {
                self.elastic.push_contacts(h);
            }

            fn correct(&mut self, h: f64, iterations: usize) {
                self.elastic.correct(h, iterations);
            }

            fn advance(&mut self, h: f64) {
                self.elastic.advance(h);
            }

            fn elastic_energy(&mut self) -> Result<f64, $crate::SoftError> {
                self.elastic.energy()
            }
        }
    };
}
