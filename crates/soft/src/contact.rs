//! Finding the contacts of deformable bodies with geoms.

use kinetree_collide::{CcdScratch, ContactPoint, Pose, Shape, collide};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Contact, Data, Model, StepError};
use kinetree_sim::{ccd_settings, contact_gains, geom_pose, geom_shape, point_contact};

use crate::distance_field::{GeomField, bound_radius};
use crate::features::{FeatureScratch, LocalBody, for_each_contact};
use crate::geom_feature::GeomFeature;
use crate::member::Member;
use crate::particles::Particles;
use crate::place::Place;
use crate::point_contact::{PointContact, SharedContact};

/// Working memory of collision detection.
#[derive(Default)]
pub(crate) struct DetectionScratch {
    ccd: CcdScratch,
    points: Vec<ContactPoint>,
    features: FeatureScratch,
    local: LocalVertices,
    /// Contacts of all bodies, sorted by body; those of vertices come first, sorted by vertex.
    pub(crate) found: Vec<Found>,
}

/// How far vertices may come in a step.
struct Reach {
    dt: f64,
    /// Root mean square of the speeds of all vertices (m/s): what is slow now may be pulled along within a
    /// step, and would be found deep in a geom, and thrown out of it, in the next one.
    mean_speed: f64,
}

impl Reach {
    fn of_body(particles: &Particles, dt: f64) -> Self {
        let squares: f64 = particles.velocity.iter().map(Vec3::norm_squared).sum();
        Self { dt, mean_speed: (squares / particles.len().max(1) as f64).sqrt() }
    }

    /// Of a vertex with a velocity (m).
    fn of(&self, velocity: &Vec3) -> f64 {
        self.dt * (velocity.norm() + self.mean_speed)
    }
}

/// Vertices in the frame of a geom.
#[derive(Default)]
struct LocalVertices {
    position: Vec<Vec3>,
    /// How far each may come in a step (m).
    reach: Vec<f64>,
    /// A bit for each side of the geom's box beyond which a vertex stays.
    outside: Vec<u8>,
}

impl LocalVertices {
    /// Takes in the vertices of a body. Says whether any may come within `margin` (m) of the box, given by
    /// its centre and its half sizes.
    fn fill(
        &mut self,
        particles: &Particles,
        (pose, reach): (&Pose, &Reach),
        [center, half]: [Vec3; 2],
        margin: f64,
    ) -> bool {
        self.position.clear();
        self.reach.clear();
        self.outside.clear();
        let mut all = u8::MAX;
        for (x, v) in particles.position.iter().zip(&particles.velocity) {
            let (local, reach) = (pose.mat.tr_mul(&(x - pose.pos)), reach.of(v));
            let mut outside = 0;
            for axis in 0..3 {
                let (along, most) = (local[axis] - center[axis], half[axis] + margin + reach);
                outside |= u8::from(along > most) << (2 * axis) | u8::from(-along > most) << (2 * axis + 1);
            }
            all &= outside;
            self.position.push(local);
            self.reach.push(reach);
            self.outside.push(outside);
        }
        all == 0
    }
}

/// A contact of a vertex, an edge or a face.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) member: usize,
    pub(crate) place: Place,
    /// What of the geom it touches, in world coordinates.
    feature: GeomFeature,
    pub(crate) contact: Contact,
    /// Whether the geom belongs to a body that can move.
    pub(crate) moving: bool,
    /// Number in the order in which contacts were found.
    order: usize,
}

/// Finds the contacts of a body with the geoms of a model, as far as its vertices may come in one step, and
/// appends them to those of the bodies before it.
///
/// # Errors
/// When the distance field of a plugin fails.
pub(crate) fn detect(
    model: &Model,
    data: &Data,
    (index, member): (usize, &Member),
    scratch: &mut DetectionScratch,
) -> Result<(), StepError> {
    let (first, body) = (scratch.found.len(), member.body.as_ref());
    let vertex_reach = Reach::of_body(body.particles(), model.opt.timestep);
    let bounds = Bounds::of(body.particles(), &vertex_reach);
    for geom in (0..model.ngeom).filter(|&geom| collides(model, geom)) {
        let Some(solid) = Solid::of(model, geom) else { continue };
        let reach = solid.bound_radius(model, geom) + body.radius() + model.geom_margin[geom];
        if bounds.distance(&Vec3::from(data.geom_xpos[geom])) <= reach {
            let body = (index, member, &vertex_reach);
            geom_contacts(model, data, (geom, &solid), body, scratch)?;
        }
    }
    // one vertex comes first, then edges and faces
    let key = |found: &Found| {
        let [a, b, _] = found.place.vertices;
        (a != b, found.place.vertices, found.contact.geom[0], found.order)
    };
    scratch.found[first..].sort_unstable_by_key(key);
    Ok(())
}

/// What a vertex can touch.
enum Solid<'a> {
    Shape(Shape<'a>),
    Field(GeomField<'a>),
}

impl<'a> Solid<'a> {
    fn of(model: &'a Model, geom: usize) -> Option<Self> {
        let field = || GeomField::of(model, geom).map(Self::Field);
        geom_shape(model, geom).map(Self::Shape).or_else(field)
    }

    /// Centre and half sizes of the box around it, in the frame of the geom (m).
    fn bounds(&self, model: &Model, geom: usize) -> [Vec3; 2] {
        // sizes of geoms may change at run time, compiled boxes do not follow
        let half = match self {
            Self::Shape(Shape::Plane) => Vec3::repeat(f64::INFINITY),
            Self::Shape(Shape::Sphere { radius }) => Vec3::repeat(*radius),
            Self::Shape(Shape::Capsule { radius, half_length }) => {
                Vec3::new(*radius, *radius, radius + half_length)
            }
            Self::Shape(Shape::Cylinder { radius, half_length }) => Vec3::new(*radius, *radius, *half_length),
            Self::Shape(Shape::Ellipsoid { semi_axes }) => *semi_axes,
            Self::Shape(Shape::Box { half }) => *half,
            Self::Shape(Shape::Mesh(_) | Shape::HeightField(_)) | Self::Field(_) => {
                let [x, y, z, a, b, c] = model.geom_aabb[geom];
                return [Vec3::new(x, y, z), Vec3::new(a, b, c)];
            }
        };
        [Vec3::zeros(), half]
    }

    /// Radius of a ball around the origin of the geom with all of it inside (m).
    fn bound_radius(&self, model: &Model, geom: usize) -> f64 {
        match self {
            Self::Shape(shape) => shape.bound_radius(),
            Self::Field(_) => bound_radius(model, geom),
        }
    }
}

/// Vertices have the bits that geoms have by default.
fn collides(model: &Model, geom: usize) -> bool {
    (model.geom_contype[geom] | model.geom_conaffinity[geom]) & 1 != 0
}

/// Box around the centres of all vertices, now and after a step.
struct Bounds([Vec3; 2]);

impl Bounds {
    fn of(particles: &Particles, reach: &Reach) -> Self {
        let mut bounds = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        for (x, v) in particles.position.iter().zip(&particles.velocity) {
            let reach = Vec3::repeat(reach.of(v));
            bounds = [bounds[0].inf(&(x - reach)), bounds[1].sup(&(x + reach))];
        }
        Self(bounds)
    }

    /// Distance of a point from the box (m).
    fn distance(&self, point: &Vec3) -> f64 {
        let [low, high] = &self.0;
        (low - point).sup(&(point - high)).sup(&Vec3::zeros()).norm()
    }
}

/// Contacts with one geom.
///
/// # Errors
/// When the distance field of a plugin fails.
fn geom_contacts(
    model: &Model,
    data: &Data,
    (geom, solid): (usize, &Solid<'_>),
    (index, member, vertex_reach): (usize, &Member, &Reach),
    scratch: &mut DetectionScratch,
) -> Result<(), StepError> {
    let body = member.body.as_ref();
    let (settings, friction) = (ccd_settings(model), body.material().friction);
    let (pose, radius, particles) = (geom_pose(data, geom), body.radius(), body.particles());
    let margin = model.geom_margin[geom];
    let moving = !model.is_fixed(model.geom_bodyid[geom] as usize);
    let DetectionScratch { ccd, points, features, local, found } = scratch;
    let mut add = |place: Place, point: &ContactPoint, feature: GeomFeature| {
        if member.spares(model, geom, &place) {
            return;
        }
        let vertex = place.main_vertex() as i32;
        if let Some(contact) = point_contact(model, geom, friction, point, vertex) {
            found.push(Found { member: index, place, feature, contact, moving, order: found.len() });
        }
    };
    let bounds = solid.bounds(model, geom);
    if !local.fill(particles, (&pose, vertex_reach), bounds, margin + radius) {
        return Ok(());
    }
    for (vertex, x) in particles.position.iter().enumerate() {
        if local.outside[vertex] != 0 {
            continue;
        }
        points.clear();
        let margin = margin + local.reach[vertex];
        match solid {
            Solid::Shape(shape) => {
                let (at, ball) = (Pose { pos: *x, mat: Mat3::identity() }, Shape::Sphere { radius });
                collide(shape, &pose, &ball, &at, margin, &settings, ccd, points);
            }
            Solid::Field(field) => points.extend(field.contact(model, &pose, (x, radius), margin)?),
        }
        // a height field may touch a vertex in several of its prisms
        if let Some(point) = points.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)) {
            add(Place::vertex(vertex), point, GeomFeature::Surface);
        }
    }
    if let Solid::Shape(shape) = solid {
        let LocalVertices { position, reach, outside } = &*local;
        let (surface, half) = (&member.surface, bounds[1]);
        let body = LocalBody { surface, position, reach, outside, radius, margin, half };
        for_each_contact(shape, &body, features, (&settings, ccd), |place, dist, normal, feature| {
            let on_body = place.mean(|vertex| particles.position[vertex]);
            let normal = pose.mat * normal;
            let pos = on_body - (radius + 0.5 * dist) * normal;
            let point = ContactPoint { dist, pos, normal, tangent: Vec3::zeros() };
            add(place, &point, feature.map(|x| pose.mat * x + pose.pos));
        });
    }
    Ok(())
}

/// The contact of a place at `position` with a geom that does not move.
pub(crate) fn fixed_contact(model: &Model, position: &Vec3, contact: &Contact) -> PointContact {
    let [stiffness, damping, impedance] = contact_gains(model, contact);
    let normal = Vec3::new(contact.frame[0], contact.frame[1], contact.frame[2]);
    PointContact {
        vertex: contact.vert[1] as u32,
        normal,
        offset: normal.dot(position) - contact.dist + contact.includemargin,
        stiffness,
        damping,
        impedance,
        friction: if contact.dim == 1 { 0.0 } else { contact.friction[0] },
        pushed: Vec3::zeros(),
    }
}

/// Adds a contact with a geom that does not move to those of a body.
pub(crate) fn list_fixed(model: &Model, particles: &mut Particles, found: &Found) {
    let Found { place, feature, contact, .. } = found;
    let position = place.mean(|vertex| particles.position[vertex]);
    let contact = fixed_contact(model, &position, contact);
    let [a, b, _] = place.vertices;
    if a == b {
        particles.contacts.push(contact);
    } else {
        particles.shared_contacts.push(SharedContact::new(*place, *feature, contact));
    }
}
