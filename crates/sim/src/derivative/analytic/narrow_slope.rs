//! Motion of a contact by differences of the narrow phase.
//!
//! Where flat features lie on each other, and on height fields, the narrow phase picks points of the patch by
//! rules of its own: it clips outlines, or turns geoms a little. There the second geom is moved against the
//! first as a dof moves it, a little and both ways, and the search of this one pair is repeated; where the
//! rules refer to axes of the world (the turns of a search that spreads points do), both are moved as the dof
//! moves them in the world, so that the search goes the way that it goes in a step. Where two step sizes
//! agree, that is the motion. At a kink of the narrow phase (corners that tie, a point that is there
//! on one side only) it is that of one side, forward if there is one; and where a point is lost both ways,
//! its features are held: the distance changes with the velocity along the normal, as it does for features
//! of every kind, the frame turns with the first geom, and the point goes half of the way.

use super::Point;
use super::motion::at_point;
use super::search_cache::{SearchCache, SearchedPair};
use super::witness::{DofMotion, Refusal, SideMotion};
use crate::contact::{ccd_settings, geom_pose, geom_shape, pair_margin};
use kinetree_collide::{CcdSettings, ContactPoint, Pose};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Contact, Data, Model};
use nalgebra::Rotation3;
use std::ops::Range;

/// Angles of the two differences; without a turn, these times the size of the geoms. Where a kink is nearer
/// than the long steps, short ones see only one side of it, with more noise.
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
pub(super) struct NarrowProbe {
    pub(super) cache: SearchCache,
    /// Contacts so far that were at a kink of the narrow phase.
    pub(super) kinks: usize,
}

impl NarrowProbe {
    /// Begins the derivatives of another state.
    pub(super) fn begin(&mut self) {
        self.cache.clear();
        self.kinks = 0;
    }
}

/// Turn of the normal, motion of the point and rate of the distance.
#[derive(Clone, Copy)]
pub(super) struct NarrowMotion {
    pub(super) normal: Vec3,
    pub(super) point: Vec3,
    pub(super) distance: f64,
}

impl NarrowMotion {
    /// No motion.
    const STILL: Self =
        Self { normal: Vec3::new(0.0, 0.0, 0.0), point: Vec3::new(0.0, 0.0, 0.0), distance: 0.0 };

    /// The largest entry, with turns as lengths over `size`.
    fn largest(&self, size: f64) -> f64 {
        self.point.amax().max(self.normal.amax() * size).max(self.distance.abs())
    }

    /// The change between two contacts over a distance.
    fn between(to: &ContactPoint, from: &ContactPoint, by: f64) -> Self {
        Self {
            normal: (to.normal - from.normal) / by,
            point: (to.pos - from.pos) / by,
            distance: (to.dist - from.dist) / by,
        }
    }

    fn add(self, other: &Self, by: f64) -> Self {
        Self {
            normal: self.normal + other.normal * by,
            point: self.point + other.point * by,
            distance: self.distance + other.distance * by,
        }
    }
}

/// The contacts of the pair of geoms of a contact: what one search has found is stored together.
pub(super) fn of_same_pair(data: &Data, id: usize) -> Range<usize> {
    let pair = data.contact[id].geom;
    let (before, after) = data.contact[..data.ncon].split_at(id);
    let same = |contact: &&Contact| contact.geom == pair;
    let (first, rest) = (before.iter().rev().take_while(same).count(), after.iter().take_while(same).count());
    id - first..id + rest
}

/// A pair of geoms, for searches that are accurate to rounding.
pub(super) fn exact_pair(model: &Model, geoms: [usize; 2]) -> Result<SearchedPair<'_>, Refusal> {
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
pub(super) struct NarrowSlope<'a> {
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
    /// Whether the contact does not turn along when both geoms turn together: what its search refers to is
    /// fixed to the world.
    spread: bool,
}

/// Motion of a pair: each geom turns about a point, and is shifted.
struct PairMotion {
    pivots: [Vec3; 2],
    shifts: [Vec3; 2],
    turns: [Vec3; 2],
}

impl PairMotion {
    /// The largest angle, with shifts as angles over `size`.
    fn rate(&self, size: f64) -> f64 {
        let shifts = self.shifts.iter().map(|shift| shift.norm() / size);
        shifts.chain(self.turns.iter().map(Vec3::norm)).fold(0.0, f64::max)
    }

    /// The same path at the rate one.
    fn slowed(self, rate: f64) -> Self {
        let Self { pivots, shifts, turns } = self;
        Self { pivots, shifts: shifts.map(|x| x / rate), turns: turns.map(|x| x / rate) }
    }
}

impl<'a> NarrowSlope<'a> {
    /// Looks at the pair of a contact, which may be one of several that a search has spread.
    pub(super) fn new(model: &'a Model, data: &Data, id: usize, spread: bool) -> Result<Self, Refusal> {
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
    pub(super) fn motion(
        &self,
        at: [&Vec3; 2],
        sides: &[SideMotion; 2],
        dof: &DofMotion<'_>,
        probe: &mut NarrowProbe,
    ) -> (NarrowMotion, bool) {
        let velocity = |k: usize, place: &Vec3| sides[k].velocity + sides[k].turn.cross(&(place - at[k]));
        let here = [0, 1].map(|k| velocity(k, &self.pos));
        let (together, path) = if self.spread {
            // the same path for all contacts of the pair, to the last bit: they share its searches
            let pivots = self.centres.map(|centre| centre.pos);
            let shifts = [0, 1].map(|k| match dof.moves[k] {
                true => at_point(dof.axis, &self.centres[k].offset),
                false => Vec3::zeros(),
            });
            (NarrowMotion::STILL, PairMotion { pivots, shifts, turns: [0, 1].map(|k| sides[k].turn) })
        } else {
            // both move with the first, and the second moves against it
            let common = sides[0].turn;
            let together = NarrowMotion { normal: common.cross(&self.normal), point: here[0], distance: 0.0 };
            let shifts = [Vec3::zeros(), here[1] - here[0]];
            let turns = [Vec3::zeros(), sides[1].turn - common];
            (together, PairMotion { pivots: [self.pos; 2], shifts, turns })
        };
        let rate = path.rate(self.size);
        if rate == 0.0 {
            return (together, true);
        }
        let path = path.slowed(rate);
        if let Some((apart, disagreement)) = self.centred(&path, probe) {
            return (together.add(&apart, rate), disagreement <= AGREEMENT);
        }
        let middle = [self.moved(&path, 0.0, probe); 2];
        let [plus, minus] = self.both_sides(&path, &SHORT, probe);
        let apart = self
            .agreed(&plus, &middle, &SHORT, ONE_SIDED)
            .or_else(|| self.agreed(&middle, &minus, &SHORT, ONE_SIDED));
        let motion = match apart {
            Some((apart, _)) => together.add(&apart, rate),
            None => self.held(&sides[0].turn, &here),
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
            if best.as_ref().is_some_and(|(_, apart)| *apart <= enough) {
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
        let apart = fine.add(&coarse, -1.0).largest(self.size) / fine.largest(self.size).max(self.size);
        (apart <= tolerance).then_some((fine, apart))
    }

    /// The motion of a contact whose features are held, given the turn of the first geom and the velocities
    /// of both at the contact.
    fn held(&self, turn: &Vec3, here: &[Vec3; 2]) -> NarrowMotion {
        NarrowMotion {
            normal: turn.cross(&self.normal),
            point: (here[0] + here[1]) * 0.5,
            distance: self.normal.dot(&(here[1] - here[0])),
        }
    }

    /// The contact when the geoms have moved along a path, by an angle of about `step`.
    fn moved(&self, path: &PairMotion, step: f64, probe: &mut NarrowProbe) -> Option<ContactPoint> {
        let poses = [0, 1].map(|k| {
            let turn: Mat3 = Rotation3::new(path.turns[k] * step).into_inner();
            let (pose, pivot) = (&self.poses[k], &path.pivots[k]);
            Pose { pos: pivot + turn * (pose.pos - pivot) + path.shifts[k] * step, mat: turn * pose.mat }
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
