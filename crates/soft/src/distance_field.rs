//! Contacts of vertices with geoms that are signed distance fields.

use kinetree_collide::sdf::OctreeField;
use kinetree_collide::{ContactPoint, Pose};
use kinetree_math::Vec3;
use kinetree_math::field::SignedDistance;
use kinetree_model::enums::GeomType;
use kinetree_model::plugin::guard;
use kinetree_model::{Model, StepError};

/// The field of a geom: that of a plugin, or the octree of its mesh.
pub(crate) enum GeomField<'a> {
    Plugin(usize, &'a dyn SignedDistance),
    Octree(OctreeField<'a>),
}

impl<'a> GeomField<'a> {
    /// The field of a geom of the type `sdf`; `None` for all others.
    pub(crate) fn of(model: &'a Model, geom: usize) -> Option<Self> {
        if model.geom_type[geom] != GeomType::Sdf {
            return None;
        }
        if let Ok(instance) = usize::try_from(model.geom_plugin[geom]) {
            return model.plugins.field(instance).map(|field| Self::Plugin(instance, field));
        }
        let mesh = usize::try_from(model.geom_dataid[geom]).ok()?;
        let first = usize::try_from(*model.mesh_octadr.get(mesh)?).ok()?;
        let cells = first..first + model.mesh_octnum[mesh] as usize;
        Some(Self::Octree(OctreeField {
            aabb: &model.oct_aabb[cells.clone()],
            child: &model.oct_child[cells.clone()],
            coeff: &model.oct_coeff[cells],
        }))
    }

    /// Distance of a ball around a point (m), as a contact with the geom at the given pose; `None` beyond the
    /// margin, and where the field has no direction.
    ///
    /// # Errors
    /// When a plugin panics, or its distance is not a number.
    pub(crate) fn contact(
        &self,
        model: &Model,
        pose: &Pose,
        (center, radius): (&Vec3, f64),
        margin: f64,
    ) -> Result<Option<ContactPoint>, StepError> {
        let local = pose.mat.tr_mul(&(center - pose.pos));
        let (distance, gradient) = match self {
            Self::Octree(field) => field.distance_and_gradient(&local),
            Self::Plugin(instance, field) => {
                let fail = |message| StepError::from(model.plugins.error(*instance, message));
                let found = guard(|| Ok(field.distance_and_gradient(&local))).map_err(fail)?;
                if found.0.is_nan() {
                    let message = "its distance is not a number: a field must be one everywhere";
                    return Err(fail(message.to_owned()));
                }
                found
            }
        };
        let (dist, steepness) = (distance - radius, gradient.norm());
        // written so that a gradient that is not a number makes no contact
        if !(dist <= margin && steepness > 0.0 && steepness.is_finite()) {
            return Ok(None);
        }
        let normal = pose.mat * (gradient / steepness);
        let pos = center - normal * (radius + 0.5 * dist);
        Ok(Some(ContactPoint { dist, pos, normal, tangent: Vec3::zeros() }))
    }
}

/// Radius of a ball around the origin of a geom with its bounding box in it (m).
pub(crate) fn bound_radius(model: &Model, geom: usize) -> f64 {
    let [x, y, z, a, b, c] = model.geom_aabb[geom];
    Vec3::new(x.abs() + a, y.abs() + b, z.abs() + c).norm()
}
