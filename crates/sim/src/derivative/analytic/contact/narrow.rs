//! Motion of a contact by differences of the narrow phase.
//!
//! Where flat features lie on each other, and on height fields, the narrow phase picks points of the patch by
//! rules of its own: it clips outlines, or rotates geoms a little. There the second geom is moved against the
//! first as a dof moves it, a little and both ways, and the search of this one pair is repeated; where the
//! rules refer to axes of the world (the rotations of a search that spreads points do), both are moved as the
//! dof moves them in the world, so that the search goes the way that it goes in a step. Where two step sizes
//! agree, that is the motion. At a kink of the narrow phase (corners that tie, a point that is there on one
//! side only) it is that of one side, forward if there is one; and where a point is lost both ways, its
//! features are held: the distance changes with the velocity along the normal, as it does for features of
//! every kind, the frame rotates with the first geom, and the point goes half of the way.

use super::frame::of_same_pair;
use super::motion::{DofMotion, NarrowMotion, Refusal, SideMotion};
use super::search_cache::{SearchCache, SearchedPair};
use crate::contact::{ccd_settings, geom_pose, geom_shape, pair_margin};
use crate::derivative::analytic::motion::{Point, at_point};
use kinetree_collide::{CcdSettings, ContactPoint, Pose};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Data, Model};
use nalgebra::Rotation3;

/// Angles of the two differences; without a rotation, these times the size of the geoms. Where a kink is
/// nearer than the long steps, short ones see only one side of it, with more noise.
const LONG: [f64; 2] = [1e-5, 4e-5];

const SHORT: [f64; 2] = [1e-6, 4e-6];

/// Where the search itself is noisy, as it is on curved surfaces, steps that are longer than its noise.
const LONGEST: [f64; 2] = [1e-4, 4e-4];

/// How much centred differences may differ, relative to the largest rate, for the motion to be smooth.
const AGREEMENT: f64 = 1e-5;

/// How little they differ where nothing but rounding makes them do so.
const ROUNDING: f64 = 1e-8;

/// How much they may differ for their mean to be better than the motion of one side.
const NOISY: f64 = 1e-4;

/// How much differences to one side may differ, which are less accurate.
const ONE_SIDED: f64 = 1e-4;

/// A point that moves farther than this many steps is another one.
const REACH: f64 = 1e3;

/// A point with the same number that moves no farther than this many steps is the same one, even where
/// another is as near.
const OWN_REACH: f64 = 10.0;

/// Tolerance and iterations of a search that is accurate to rounding.
const EXACT: (f64, usize) = (1e-14, 500);

/// Working memory of repeated searches.
#[derive(Default)]
pub(crate) struct NarrowProbe {
    pub(crate) cache: SearchCache,
    /// Contacts so far that were at a kink of the narrow phase.
    pub(crate) kinks: usize,
}

impl NarrowProbe {
    /// Begins the derivatives of another state.
    pub(crate) fn begin(&mut self) {
        self.cache.clear();
        self.kinks = 0;
    }
}

/// A pair of geoms, for searches that are accurate to rounding.
pub(crate) fn exact_pair(model: &Model, geoms: [usize; 2]) -> Result<SearchedPair<'_>, Refusal> {
    let (Some(first), Some(second)) = (geom_shape(model, geoms[0]), geom_shape(model, geoms[1])) else {
        return Err("a contact with a signed distance field");
    };
    let (tolerance, max_iterations) = EXACT;
    Ok(SearchedPair {
        geoms,
        shapes: [first, second],
        margin: pair_margin(model, geoms),
        settings: CcdSettings { tolerance, max_iterations, ..ccd_settings(model) },
    })
}

/// A pair of geoms whose search is repeated around one of its contacts.
pub(crate) struct NarrowDerivative<'a> {
    pair: SearchedPair<'a>,
    poses: [Pose; 2],
    /// Centres of the geoms.
    centres: [Point; 2],
    /// Where the contact is, and its normal.
    pos: Vec3,
    normal: Vec3,
    size: f64,
    /// Number of the contact among those of its pair, and how many these are.
    number: usize,
    count: usize,
    /// Whether the contact does not rotate along when both geoms rotate together: what its search refers to
    /// is fixed to the world.
    spread: bool,
}

/// Motion of a pair: each geom rotates about a point, and is shifted.
struct PairMotion {
    pivots: [Vec3; 2],
    shifts: [Vec3; 2],
    rotations: [Vec3; 2],
}

impl PairMotion {
    /// The largest angle, with shifts as angles over `size`.
    fn rate(&self, size: f64) -> f64 {
        let shifts = self.shifts.iter().map(|shift| shift.norm() / size);
        shifts.chain(self.rotations.iter().map(Vec3::norm)).fold(0.0, f64::max)
    }

    /// The same path at the rate one.
    fn slowed(self, rate: f64) -> Self {
        let Self { pivots, shifts, rotations } = self;
        Self { pivots, shifts: shifts.map(|x| x / rate), rotations: rotations.map(|x| x / rate) }
    }
}

impl<'a> NarrowDerivative<'a> {
    /// Looks at the pair of a contact, which may be one of several that a search has spread.
    pub(crate) fn new(model: &'a Model, data: &Data, id: usize, spread: bool) -> Result<Self, Refusal> {
        let contact = &data.contact[id];
        let geoms = contact.geom.map(|geom| geom as usize);
        let pair = exact_pair(model, geoms)?;
        let radius = geoms.map(|geom| model.geom_rbound[geom]).into_iter().filter(|&radius| radius > 0.0);
        let size = radius.fold(f64::INFINITY, f64::min);
        let of_pair = of_same_pair(data, id);
        let [x, y, z, ..] = contact.frame;
        let poses = geoms.map(|geom| geom_pose(data, geom));
        Ok(Self {
            pair,
            poses,
            centres: [0, 1]
                .map(|k| Point::new(model, data, model.geom_bodyid[geoms[k]] as usize, &poses[k].pos)),
            pos: Vec3::from(contact.pos),
            normal: Vec3::new(x, y, z),
            size: if size.is_finite() { size } else { 1.0 },
            number: id - of_pair.start,
            count: of_pair.len(),
            spread,
        })
    }

    /// The motion of the contact with a dof, which moves its sides at the points `at`. Also whether it is
    /// smooth, or that of one side of a kink.
    pub(crate) fn motion(
        &self,
        at: [&Vec3; 2],
        sides: &[SideMotion; 2],
        dof: &DofMotion<'_>,
        probe: &mut NarrowProbe,
    ) -> (NarrowMotion, bool) {
        let velocity = |k: usize, point: &Vec3| sides[k].velocity + sides[k].rotation.cross(&(point - at[k]));
        let here = [0, 1].map(|k| velocity(k, &self.pos));
        let (together, path) = if self.spread {
            // the same path for all contacts of the pair, to the last bit: they share its searches
            let pivots = self.centres.map(|centre| centre.pos);
            let shifts = [0, 1].map(|k| match dof.moves[k] {
                true => at_point(dof.axis, &self.centres[k].offset),
                false => Vec3::zeros(),
            });
            (NarrowMotion::STILL, PairMotion { pivots, shifts, rotations: [0, 1].map(|k| sides[k].rotation) })
        } else {
            // both move with the first, and the second moves against it
            let common = sides[0].rotation;
            let together = NarrowMotion { normal: common.cross(&self.normal), point: here[0], distance: 0.0 };
            let shifts = [Vec3::zeros(), here[1] - here[0]];
            let rotations = [Vec3::zeros(), sides[1].rotation - common];
            (together, PairMotion { pivots: [self.pos; 2], shifts, rotations })
        };
        let rate = path.rate(self.size);
        if rate == 0.0 {
            return (together, true);
        }
        let path = path.slowed(rate);
        if let Some((relative, disagreement)) = self.centred(&path, probe) {
            return (together.add(&relative, rate), disagreement <= AGREEMENT);
        }
        let middle = [self.moved(&path, 0.0, probe); 2];
        let [plus, minus] = self.both_sides(&path, &SHORT, probe);
        let relative = self
            .agreed(&plus, &middle, &SHORT, ONE_SIDED)
            .or_else(|| self.agreed(&middle, &minus, &SHORT, ONE_SIDED));
        let motion = match relative {
            Some((relative, _)) => together.add(&relative, rate),
            None => self.held(&sides[0].rotation, &here),
        };
        (motion, false)
    }

    /// Centred differences of which two step sizes agree, and how much these differ: those that agree best.
    /// The longest steps are for where shorter ones do not agree.
    fn centred(&self, path: &PairMotion, probe: &mut NarrowProbe) -> Option<(NarrowMotion, f64)> {
        let mut best = None::<(NarrowMotion, f64)>;
        for (steps, enough) in [(LONG, ROUNDING), (SHORT, AGREEMENT), (LONGEST, NOISY)] {
            let [plus, minus] = self.both_sides(path, &steps, probe);
            let found = self.agreed(&plus, &minus, &steps.map(|step| 2.0 * step), NOISY);
            best = match (best, found) {
                (Some(known), Some(new)) if new.1 >= known.1 => Some(known),
                (known, new) => new.or(known),
            };
            if best.as_ref().is_some_and(|(_, disagreement)| *disagreement <= enough) {
                break;
            }
        }
        best
    }

    /// The contact after two steps along a path, and after as many against it.
    fn both_sides(
        &self,
        path: &PairMotion,
        steps: &[f64; 2],
        probe: &mut NarrowProbe,
    ) -> [[Option<ContactPoint>; 2]; 2] {
        [1.0, -1.0].map(|side| steps.map(|step| self.moved(path, side * step, probe)))
    }

    /// The difference between two sides, if both are there for both step sizes, and these agree; and how much
    /// they differ, relative to the largest rate.
    fn agreed(
        &self,
        to: &[Option<ContactPoint>; 2],
        from: &[Option<ContactPoint>; 2],
        widths: &[f64; 2],
        tolerance: f64,
    ) -> Option<(NarrowMotion, f64)> {
        let of_step = |k: usize| {
            let (to, from) = to[k].as_ref().zip(from[k].as_ref())?;
            Some(NarrowMotion::between(to, from, widths[k]))
        };
        let (fine, coarse) = of_step(0).zip(of_step(1))?;
        let disagreement =
            fine.add(&coarse, -1.0).largest(self.size) / fine.largest(self.size).max(self.size);
        (disagreement <= tolerance).then_some((fine, disagreement))
    }

    /// The motion of a contact whose features are held, given the rotation of the first geom and the
    /// velocities of both at the contact.
    fn held(&self, rotation: &Vec3, here: &[Vec3; 2]) -> NarrowMotion {
        NarrowMotion {
            normal: rotation.cross(&self.normal),
            point: (here[0] + here[1]) * 0.5,
            distance: self.normal.dot(&(here[1] - here[0])),
        }
    }

    /// The contact when the geoms have moved along a path, by an angle of about `step`.
    fn moved(&self, path: &PairMotion, step: f64, probe: &mut NarrowProbe) -> Option<ContactPoint> {
        let poses = [0, 1].map(|k| {
            let rotation: Mat3 = Rotation3::new(path.rotations[k] * step).into_inner();
            let (pose, pivot) = (&self.poses[k], &path.pivots[k]);
            Pose {
                pos: pivot + rotation * (pose.pos - pivot) + path.shifts[k] * step,
                mat: rotation * pose.mat,
            }
        });
        let points = probe.cache.search(&self.pair, &poses);
        let unit = step.abs().max(SHORT[0]) * self.size;
        let within = |point: &ContactPoint, steps: f64| (point.pos - self.pos).norm() < steps * unit;
        let own = points.get(self.number).filter(|_| points.len() == self.count);
        if let Some(own) = own.filter(|own| within(own, OWN_REACH)) {
            return Some(*own);
        }
        let distance = |point: &ContactPoint| (point.pos - self.pos).norm_squared();
        let nearest = points.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.filter(|point| within(point, REACH)).copied()
    }
}
