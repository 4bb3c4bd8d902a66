//! Contacts of signed distance fields: of plugins, and of meshes with an octree.

use super::geom_shape::{geom_pose, mesh_faces};
use super::trail::SearchRecorder;
use kinetree_collide::sdf::{
    DescentSettings, FieldBody, FieldShape, OctreeField, PrimitiveField, TriangleCandidate, collide_fields,
    collide_mesh_field,
};
use kinetree_collide::{ContactPoint, Kind};
use kinetree_math::Vec3;
use kinetree_math::field::SignedDistance;
use kinetree_math::lanes::Lane;
use kinetree_model::enums::GeomType;
use kinetree_model::plugin::{PluginError, guard};
use kinetree_model::{Data, Model, StepError, is_interrupted};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wide::f64x4;

/// Working memory of contacts with fields.
#[derive(Default)]
pub(super) struct FieldScratch {
    pub(super) known: Vec<Vec3>,
    pub(super) candidates: Vec<TriangleCandidate>,
    pub(super) deepest: Vec<TriangleCandidate>,
    pub(super) stack: Vec<u32>,
    failure: Option<PluginError>,
    /// Records the descents when somebody wants to see them.
    pub(super) recorder: Option<Arc<SearchRecorder>>,
}

impl FieldScratch {
    /// What marks the nodes of the tree that begins at a bounding volume as visited.
    pub(super) fn marker(&self, first: i32) -> impl Fn(usize) + use<> {
        let recorder = self.recorder.clone();
        move |node| {
            if let (Some(recorder), Ok(first)) = (&recorder, usize::try_from(first)) {
                recorder.mark(first + node);
            }
        }
    }

    /// The first failure of a field since it was asked for last, as an error.
    pub(super) fn report(&mut self) -> Result<(), StepError> {
        self.failure.take().map_or(Ok(()), |failure| Err(failure.into()))
    }
}

/// The field of an instance: the same in all worlds, or that of one world.
enum FieldRef<'a> {
    Shared(&'a dyn SignedDistance),
    InWorld(Box<dyn SignedDistance + 'a>),
}

impl<'a> std::ops::Deref for FieldRef<'a> {
    type Target = dyn SignedDistance + 'a;

    #[inline]
    fn deref(&self) -> &Self::Target {
        match self {
            Self::Shared(field) => *field,
            Self::InWorld(field) => &**field,
        }
    }
}

/// The field of a plugin, watched: whether all its distances were numbers.
pub(crate) struct Watched<'a> {
    field: FieldRef<'a>,
    instance: usize,
    not_a_number: AtomicBool,
    recorder: Option<Arc<SearchRecorder>>,
}

impl Watched<'_> {
    fn watch(&self, distance: f64) -> f64 {
        if distance.is_nan() {
            self.not_a_number.store(true, Ordering::Relaxed);
        }
        distance
    }

    #[inline]
    fn record(&self, point: &Vec3) {
        if let Some(recorder) = &self.recorder {
            recorder.add(self.instance, point);
        }
    }
}

impl SignedDistance for Watched<'_> {
    fn distance(&self, point: &Vec3) -> f64 {
        self.watch(self.field.distance(point))
    }

    fn distances(&self, points: &[Lane; 3]) -> Option<Lane> {
        // a recorder sees one descent after the other
        let distances = if self.recorder.is_some() { None } else { self.field.distances(points) }?;
        if f64x4::new(distances).is_nan().any() {
            self.not_a_number.store(true, Ordering::Relaxed);
        }
        Some(distances)
    }

    fn gradients(&self, points: &[Lane; 3]) -> Option<[Lane; 3]> {
        if self.recorder.is_some() { None } else { self.field.gradients(points) }
    }

    fn solid_box(&self) -> Option<[f64; 6]> {
        // a callback for descents gets those between separated solids, too
        if self.recorder.is_some() { None } else { self.field.solid_box() }
    }

    fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
        self.record(point);
        let (distance, gradient) = self.field.distance_and_gradient(point);
        (self.watch(distance), gradient)
    }

    fn gradient(&self, point: &Vec3) -> Vec3 {
        self.record(point);
        self.field.gradient(point)
    }

    fn begin_search(&self) {
        if let Some(recorder) = &self.recorder {
            recorder.reset(self.instance);
        }
        self.field.begin_search();
    }

    fn begin_descent(&self) {
        if let Some(recorder) = &self.recorder {
            recorder.begin(self.instance);
        }
        self.field.begin_descent();
    }
}

/// A geom as a field.
pub(crate) enum GeomField<'a> {
    Plugin(Watched<'a>),
    Octree(OctreeField<'a>),
    Primitive(PrimitiveField),
}

impl GeomField<'_> {
    pub(crate) fn as_field(&self) -> &dyn SignedDistance {
        match self {
            Self::Plugin(field) => field,
            Self::Octree(field) => field,
            Self::Primitive(field) => field,
        }
    }

    /// Records the points at which its gradient is asked for.
    pub(super) fn recorded(mut self, scratch: &FieldScratch) -> Self {
        if let Self::Plugin(field) = &mut self {
            field.recorder.clone_from(&scratch.recorder);
        }
        self
    }

    /// The instance whose distances were not all numbers.
    fn faulty(&self) -> Option<usize> {
        match self {
            Self::Plugin(field) => field.not_a_number.load(Ordering::Relaxed).then_some(field.instance),
            Self::Octree(_) | Self::Primitive(_) => None,
        }
    }
}

/// The octree of a mesh, if it has one.
fn mesh_field(model: &Model, mesh: usize) -> Option<OctreeField<'_>> {
    let first = usize::try_from(*model.mesh_octadr.get(mesh)?).ok()?;
    let cells = first..first + model.mesh_octnum[mesh] as usize;
    Some(OctreeField {
        aabb: &model.oct_aabb[cells.clone()],
        child: &model.oct_child[cells.clone()],
        coeff: &model.oct_coeff[cells],
    })
}

/// A geom as a field; `None` for height fields, and for meshes without an octree.
pub(crate) fn geom_field<'a>(model: &'a Model, data: &'a Data, geom: usize) -> Option<GeomField<'a>> {
    let kind = model.geom_type[geom];
    if kind == GeomType::Sdf
        && let Ok(instance) = usize::try_from(model.geom_plugin[geom])
    {
        let in_world =
            model.plugins.plugin(instance).and_then(|plugin| plugin.field_in(model, data, instance));
        let field = match in_world {
            Some(field) => FieldRef::InWorld(field),
            None => FieldRef::Shared(model.plugins.field(instance)?),
        };
        return Some(GeomField::Plugin(Watched {
            field,
            instance,
            not_a_number: AtomicBool::new(false),
            recorder: None,
        }));
    }
    if kind == GeomType::Sdf || kind == GeomType::Mesh {
        let mesh = usize::try_from(model.geom_dataid[geom]).ok()?;
        return mesh_field(model, mesh).map(GeomField::Octree);
    }
    PrimitiveField::new(Kind::of_geom_type(kind)?, model.geom_size[geom]).map(GeomField::Primitive)
}

/// How many descents, and how long, from the options of a model.
pub(super) fn descent_settings(model: &Model) -> DescentSettings {
    let count = |number: i32| usize::try_from(number).unwrap_or(0);
    DescentSettings {
        points: count(model.opt.sdf_initpoints),
        iterations: count(model.opt.sdf_iterations),
        is_over: is_interrupted,
    }
}

/// Calls `search`, which evaluates the fields of the geoms, and keeps what went wrong.
pub(super) fn watch_fields(
    model: &Model,
    fields: &[&GeomField<'_>],
    scratch: &mut FieldScratch,
    search: impl FnOnce(&mut FieldScratch),
) {
    let result = guard(|| {
        search(scratch);
        Ok(())
    });
    let instance = |field: &&GeomField<'_>| match field {
        GeomField::Plugin(field) => Some(field.instance),
        _ => None,
    };
    let failure = match result {
        Ok(()) => fields.iter().find_map(|field| field.faulty()).map(|instance| {
            (instance, "its distance is not a number: a field must be one everywhere".to_owned())
        }),
        Err(message) => fields.iter().find_map(instance).map(|instance| (instance, message)),
    };
    if let Some((instance, message)) = failure {
        scratch.failure.get_or_insert_with(|| model.plugins.error(instance, message));
    }
}

/// Finds the contact points of a geom and a signed distance field, in the order of their types; `false` where
/// there are none for certain. Planes and height fields are not fields here.
pub(super) fn field_points(
    model: &Model,
    data: &Data,
    [g1, g2]: [usize; 2],
    scratch: &mut FieldScratch,
    points: &mut Vec<ContactPoint>,
) -> bool {
    let Some(second) = geom_field(model, data, g2).map(|field| field.recorded(scratch)) else { return false };
    let (pose1, pose2) = (geom_pose(data, g1), geom_pose(data, g2));
    let settings = descent_settings(model);
    if model.geom_type[g1] == GeomType::Mesh {
        let Ok(mesh) = usize::try_from(model.geom_dataid[g1]) else { return false };
        let mark = scratch.marker(model.mesh_bvhadr[mesh]);
        watch_fields(model, &[&second], scratch, |scratch| {
            let body = FieldBody::new(second.as_field(), &pose2, &pose1);
            let FieldScratch { known, candidates, stack, .. } = scratch;
            collide_mesh_field(
                &mesh_faces(model, mesh),
                &body,
                &settings,
                mark,
                (candidates, stack, known),
                points,
            );
        });
        return true;
    }
    let Some(first) = geom_field(model, data, g1).map(|field| field.recorded(scratch)) else { return false };
    watch_fields(model, &[&second, &first], scratch, |scratch| {
        second.as_field().begin_search();
        let shape1 = FieldShape { field: first.as_field(), aabb: &model.geom_aabb[g1], pose: pose1 };
        let shape2 = FieldShape { field: second.as_field(), aabb: &model.geom_aabb[g2], pose: pose2 };
        let begin = || second.as_field().begin_descent();
        collide_fields(&shape1, &shape2, &settings, begin, &mut scratch.known, points);
    });
    true
}
