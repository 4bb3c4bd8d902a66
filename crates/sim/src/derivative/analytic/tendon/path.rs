//! The straight pieces of spatial tendons, and how their ends move.
//!
//! Ends at sites are fixed to their bodies. Where a tendon leaves the surface of a sphere or cylinder that it
//! wraps around, the end slides over the surface when the sites on either side move relative to it: it stays
//! on the tangent, `|t| = r` and `(a − t)·t = 0`, in the plane of the path. Around a cylinder, heights follow
//! the unrolled path as well.

use crate::derivative::analytic::motion::{Point, at_point};
use crate::kinematics::chain::walk_chains;
use kinetree_math::rot::mat3;
use kinetree_math::spatial::angular;
use kinetree_math::{MINVAL, Mat3, Vec3};
use kinetree_model::enums::WrapType;
use kinetree_model::{Data, Model};
use nalgebra::RowVector3;

/// Why the motion of a path is not known.
pub(crate) type Refusal = &'static str;

/// How an end slides over a surface, in world axes: `by[0]` times the motion of the first site of the path
/// around it and `by[1]` times that of the last, both relative to the surface.
#[derive(Clone, Copy, Debug)]
struct Slide {
    sites: [Point; 2],
    by: [Mat3; 2],
}

/// A straight piece between two bodies.
pub(crate) struct Piece {
    pub(crate) ends: [Point; 2],
    slides: [Option<Slide>; 2],
    /// Bodies that move it: those of its ends, and of the site beyond a surface.
    bodies: [usize; 3],
    pub(crate) direction: Vec3,
    pub(crate) inverse_length: f64,
    /// Of its branch.
    pub(crate) divisor: f64,
}

/// What a dof does to a piece.
pub(crate) struct PieceMotion {
    pub(crate) dof: usize,
    /// Whether it moves the bodies of the ends.
    pub(crate) moves: [bool; 2],
    /// Velocities of the ends, slides included.
    pub(crate) velocity: [Vec3; 2],
    /// Rate of the direction.
    pub(crate) rotation: Vec3,
}

impl Piece {
    fn new(ends: [Point; 2], slides: [Option<Slide>; 2], divisor: f64) -> Self {
        let between = ends[1].pos - ends[0].pos;
        let length = between.norm();
        let inverse_length = if length > MINVAL { 1.0 / length } else { 0.0 };
        let beyond = match slides {
            [Some(slide), None] => slide.sites[0].body,
            [None, Some(slide)] => slide.sites[1].body,
            _ => ends[1].body,
        };
        Self {
            ends,
            slides,
            bodies: [ends[0].body, ends[1].body, beyond],
            direction: between * inverse_length,
            inverse_length,
            divisor,
        }
    }

    /// Calls `visit` with what each dof does that moves the piece.
    pub(crate) fn for_each_motion(&self, model: &Model, data: &Data, mut visit: impl FnMut(&PieceMotion)) {
        walk_chains(model, self.bodies, false, |dof, moves| {
            let moves_body = |body: usize| (0..3).any(|k| self.bodies[k] == body && moves[k]);
            let at = |point: &Point| {
                if moves_body(point.body) { at_point(&data.cdof[dof], &point.offset) } else { Vec3::zeros() }
            };
            let velocity = [0, 1].map(|k| {
                let end = &self.ends[k];
                let mut velocity = at(end);
                if let Some(slide) = &self.slides[k] {
                    for (site, by) in slide.sites.iter().zip(&slide.by) {
                        let mut relative = at(site);
                        if moves_body(end.body) {
                            relative -= velocity_at(end, data, dof, &site.pos);
                        }
                        velocity += by * relative;
                    }
                }
                velocity
            });
            let relative_velocity = velocity[1] - velocity[0];
            let across = relative_velocity - self.direction * self.direction.dot(&relative_velocity);
            visit(&PieceMotion {
                dof,
                moves: [moves_body(self.ends[0].body), moves_body(self.ends[1].body)],
                velocity,
                rotation: across * self.inverse_length,
            });
        });
    }
}

/// Velocity under a dof of the point of a body that is at a position.
fn velocity_at(on: &Point, data: &Data, dof: usize, point: &Vec3) -> Vec3 {
    let axis = &data.cdof[dof];
    at_point(axis, &on.offset) + angular(axis).cross(&(point - on.pos))
}

/// Calls `visit` with each straight piece of a spatial tendon that joins different bodies.
///
/// # Errors
/// When the tendon touches a surface in a way that has no derivative, or a piece has no length.
pub(crate) fn for_each_piece(
    model: &Model,
    data: &Data,
    tendon: usize,
    mut visit: impl FnMut(&Piece),
) -> Result<(), Refusal> {
    let first = model.tendon_adr[tendon] as usize;
    let last = first + model.tendon_num[tendon] as usize;
    let mut point = data.ten_wrapadr[tendon].max(0) as usize;
    let (mut divisor, mut i) = (1.0, first);
    let mut send = |ends: [Point; 2], slides, divisor| {
        if ends[0].body != ends[1].body {
            let piece = Piece::new(ends, slides, divisor);
            if piece.inverse_length == 0.0 {
                return Err("a tendon between points that coincide");
            }
            visit(&piece);
        }
        Ok(())
    };
    while i + 1 < last {
        if kind(model, i) == Ok(WrapType::Pulley) {
            divisor = model.wrap_prm[i];
            point += 1;
        }
        if kind(model, i) != Ok(WrapType::Site) || kind(model, i + 1) == Ok(WrapType::Pulley) {
            // the last site of a branch has a point of its own
            point += usize::from(kind(model, i) == Ok(WrapType::Site));
            i += 1;
            continue;
        }
        let around = kind(model, i + 1) != Ok(WrapType::Site);
        let sites = [i, i + 1 + usize::from(around)].map(|at| site(model, data, at));
        point += 1;
        if around && data.wrap_obj.as_flattened()[point] >= 0 {
            let path = Around::new(model, data, i + 1, point, sites)?;
            send([sites[0], path.ends[0]], [None, Some(path.slide(0))], divisor)?;
            send([path.ends[1], sites[1]], [Some(path.slide(1)), None], divisor)?;
            point += 2;
        } else {
            send(sites, [None, None], divisor)?;
        }
        i += 1 + usize::from(around);
    }
    Ok(())
}

fn kind(model: &Model, at: usize) -> Result<WrapType, i32> {
    let kind = model.wrap_type[at];
    WrapType::try_from(kind).map_err(|_| kind)
}

/// The point of a site in the path of a tendon.
fn site(model: &Model, data: &Data, at: usize) -> Point {
    let site = model.wrap_objid[at] as usize;
    Point::new(model, data, model.site_bodyid[site] as usize, &Vec3::from(data.site_xpos[site]))
}

/// The path around a surface, relative to its centre.
struct Around {
    sites: [Point; 2],
    ends: [Point; 2],
    by: [[Mat3; 2]; 2],
}

impl Around {
    /// The path around the geom of entry `at`, whose ends are stored from `point` on.
    fn new(model: &Model, data: &Data, at: usize, point: usize, sites: [Point; 2]) -> Result<Self, Refusal> {
        let geom = model.wrap_objid[at] as usize;
        let body = model.geom_bodyid[geom] as usize;
        let centre = Vec3::from(data.geom_xpos[geom]);
        let stored = data.wrap_xpos.as_flattened();
        let ends = [point, point + 1].map(|p| {
            Point::new(model, data, body, &Vec3::new(stored[3 * p], stored[3 * p + 1], stored[3 * p + 2]))
        });
        if ends[0].pos == ends[1].pos {
            return Err("a tendon that is held inside a geom");
        }
        let (a, t) = (sites.map(|site| site.pos - centre), ends.map(|end| end.pos - centre));
        let by = if kind(model, at) == Ok(WrapType::Sphere) {
            sphere_slides(&a, &t)?
        } else {
            let axis = mat3(&data.geom_xmat[geom]).column(2).into_owned();
            cylinder_slides(&a, &t, &axis)?
        };
        Ok(Self { sites, ends, by })
    }

    fn slide(&self, end: usize) -> Slide {
        Slide { sites: self.sites, by: self.by[end] }
    }
}

/// `δt` from `t·δt = 0`, `a·δt = −t·δa` and `n·δt = −δn·t`, with the right-hand sides as rows on `δa`, `δb`.
fn tangent_slide(
    t: &Vec3,
    a: &Vec3,
    n: &Vec3,
    rows: [[RowVector3<f64>; 2]; 2],
) -> Result<[Mat3; 2], Refusal> {
    let left = Mat3::from_rows(&[t.transpose(), a.transpose(), n.transpose()]);
    let inverse = left.try_inverse().ok_or("a tendon from a point on a surface")?;
    let zero = RowVector3::zeros();
    Ok([0, 1].map(|k| inverse * Mat3::from_rows(&[zero, rows[0][k], rows[1][k]])))
}

/// Slides of both ends on a sphere, whose path lies in the plane of its centre and both sites.
fn sphere_slides(a: &[Vec3; 2], t: &[Vec3; 2]) -> Result<[[Mat3; 2]; 2], Refusal> {
    let across = a[0].cross(&a[1]);
    let size = across.norm();
    if size < 1e-9 * a[0].norm() * a[1].norm() {
        return Err("a tendon in line with the centre of a sphere");
    }
    let n = across / size;
    let slide = |k: usize| {
        let zero = RowVector3::zeros();
        let mut tangent = [zero; 2];
        tangent[k] = -t[k].transpose();
        // t·δn, with n along a × b
        let rotation = [-a[1].cross(&t[k]).transpose() / size, -t[k].cross(&a[0]).transpose() / size];
        tangent_slide(&t[k], &a[k], &n, [tangent, rotation])
    };
    Ok([slide(0)?, slide(1)?])
}

/// Slides of both ends on a cylinder: tangents in the plane across the axis, and heights in proportion to the
/// length of the unrolled path.
fn cylinder_slides(a: &[Vec3; 2], t: &[Vec3; 2], z: &Vec3) -> Result<[[Mat3; 2]; 2], Refusal> {
    let zero = RowVector3::zeros();
    let plane = |v: &Vec3| v - z * z.dot(v);
    let (flat, touch) = (a.map(|v| plane(&v)), t.map(|v| plane(&v)));
    let mut across = [Mat3::zeros(); 2];
    for k in 0..2 {
        let rows = [[-touch[k].transpose(), zero], [zero, zero]];
        across[k] = tangent_slide(&touch[k], &flat[k], z, rows)?[0];
    }
    // lengths of the two tangents and of the arc, and their derivatives with both sites
    let straight = [0, 1].map(|k| (flat[k] - touch[k]).norm());
    if straight.iter().any(|&length| length < MINVAL) {
        return Err("a tendon from a point on a surface");
    }
    let radius = touch[0].norm();
    let sense = z.dot(&touch[0].cross(&(touch[0] - flat[0]))).signum();
    let swept = sense * libm::atan2(z.dot(&touch[0].cross(&touch[1])), touch[0].dot(&touch[1]));
    let arc = radius * if swept < 0.0 { swept + 2.0 * std::f64::consts::PI } else { swept };
    let by_straight = [0, 1].map(|k| flat[k].transpose() / straight[k]);
    let by_arc = [0, 1].map(|k| {
        let sign = if k == 0 { -sense } else { sense };
        z.cross(&touch[k]).transpose() * across[k] * (sign / radius)
    });
    let total = straight[0] + arc + straight[1];
    let rise = z.dot(&(a[1] - a[0]));
    let slide = |end: usize| {
        let before = if end == 0 { straight[0] } else { straight[0] + arc };
        let share = before / total;
        [0, 1].map(|site| {
            let mut grown = if site == 0 { by_straight[0] } else { zero };
            if end == 1 {
                grown += by_arc[site];
            }
            let whole = by_straight[site] + by_arc[site];
            let weight = if site == 0 { 1.0 - share } else { share };
            let height = z.transpose() * weight + (grown - whole * share) * (rise / total);
            let flat = if site == end { across[end] } else { Mat3::zeros() };
            flat + z * height
        })
    };
    Ok([slide(0), slide(1)])
}
