//! Finding pairs that may meet within a step.

use kinetree_math::Vec3;

use super::contact::{Corner, MutualContact, Pair, weighted};
use super::grid::{Bounds, Grid};
use super::segments::is_covered;
use crate::member::Member;
use crate::surface::Surface;

/// Working memory of detection.
#[derive(Default)]
pub(super) struct Detection {
    faces: Sorted<3>,
    edges: Sorted<2>,
    pieces: Vec<u32>,
    found: Vec<u32>,
}

/// Faces or edges of all bodies, with their boxes.
#[derive(Default)]
struct Sorted<const N: usize> {
    features: Vec<[Corner; N]>,
    bounds: Vec<Bounds>,
    /// First feature of each piece, which share an entry of the grid; one more at the end.
    pieces: Vec<u32>,
    grid: Grid,
}

/// How far things move in a step.
struct Motion<'a> {
    members: &'a [Member],
    dt: f64,
    /// Mean velocity of all vertices: what all share brings nothing together (m/s).
    mean: Vec3,
}

impl Detection {
    /// Lists all pairs that may meet within `dt` (s).
    pub(super) fn find(&mut self, members: &[Member], dt: f64, list: &mut Vec<MutualContact>) {
        let motion = Motion { members, dt, mean: mean_velocity(members) };
        self.faces.fill(&motion, |surface| &surface.faces, |_, _| 1);
        self.edges.fill(&motion, |surface| &surface.edges, Surface::piece);
        for (index, member) in members.iter().enumerate() {
            for &vertex in &member.surface.corners {
                let corner = Corner { member: index as u32, vertex };
                let bounds = motion.bounds(&[corner]);
                self.faces.overlapping(&bounds, &mut self.pieces, &mut self.found);
                for &face in &self.found {
                    let [a, b, c] = self.faces.features[face as usize];
                    list.extend(motion.contact(Pair::CornerFace, [corner, a, b, c]));
                }
            }
        }
        for (index, &[a, b]) in self.edges.features.iter().enumerate() {
            self.edges.overlapping(&self.edges.bounds[index], &mut self.pieces, &mut self.found);
            for &other in self.found.iter().filter(|&&other| other as usize > index) {
                let [c, d] = self.edges.features[other as usize];
                list.extend(motion.contact(Pair::Edges, [a, b, c, d]));
            }
        }
    }
}

fn mean_velocity(members: &[Member]) -> Vec3 {
    let velocities = || members.iter().flat_map(|member| &member.body.particles().velocity);
    let count = velocities().count().max(1);
    velocities().fold(Vec3::zeros(), |sum, v| sum + v) / count as f64
}

impl<const N: usize> Sorted<N> {
    /// Takes in the features of all bodies, of which so many from one on belong to a piece.
    fn fill(
        &mut self,
        motion: &Motion<'_>,
        features: impl Fn(&Surface) -> &Vec<[u32; N]>,
        piece: impl Fn(&Surface, usize) -> usize,
    ) {
        self.features.clear();
        self.pieces.clear();
        for (index, member) in motion.members.iter().enumerate() {
            let (corner, start) = (|vertex| Corner { member: index as u32, vertex }, self.features.len());
            let own = features(&member.surface);
            let pieces = std::iter::successors(Some(0), |&first| Some(first + piece(&member.surface, first)));
            self.pieces
                .extend(pieces.take_while(|&first| first < own.len()).map(|first| (start + first) as u32));
            self.features.extend(own.iter().map(|feature| feature.map(corner)));
        }
        self.pieces.push(self.features.len() as u32);
        self.bounds.clear();
        self.bounds.extend(self.features.iter().map(|feature| motion.bounds(feature)));
        // cells of the size of most boxes, of which the largest box covers some hundreds
        let sizes = || self.boxes().map(|[low, high]| (high - low).max());
        let mean = sizes().sum::<f64>() / (self.pieces.len() - 1).max(1) as f64;
        let cell = sizes().fold(2.0 * mean, |cell, size| cell.max(size / 8.0));
        let mut grid = std::mem::take(&mut self.grid);
        grid.fill(cell, self.boxes());
        self.grid = grid;
    }

    /// Boxes around the pieces.
    fn boxes(&self) -> impl Iterator<Item = Bounds> + '_ {
        self.pieces.windows(2).map(|ends| {
            let own = &self.bounds[ends[0] as usize..ends[1] as usize];
            own.iter().skip(1).fold(own[0], |[low, high], other| [low.inf(&other[0]), high.sup(&other[1])])
        })
    }

    /// Features whose boxes overlap a box, in the order of their numbers; `pieces` is working memory.
    fn overlapping(&self, [low, high]: &Bounds, pieces: &mut Vec<u32>, found: &mut Vec<u32>) {
        self.grid.overlapping(&[*low, *high], pieces);
        found.clear();
        let overlaps = |&index: &u32| {
            let [other_low, other_high] = &self.bounds[index as usize];
            (0..3).all(|axis| low[axis] <= other_high[axis] && other_low[axis] <= high[axis])
        };
        for &piece in pieces.iter() {
            let own = self.pieces[piece as usize]..self.pieces[piece as usize + 1];
            found.extend(own.filter(overlaps));
        }
    }
}

impl Motion<'_> {
    /// Box around some vertices, now and at the end of the step.
    fn bounds(&self, corners: &[Corner]) -> Bounds {
        let mut bounds = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        for &Corner { member, vertex } in corners {
            let (member, vertex) = (&self.members[member as usize], vertex as usize);
            let particles = member.body.particles();
            let way = self.dt * (particles.velocity[vertex] - self.mean).norm();
            let Surface { radius, slack, .. } = member.surface;
            let (x, reach) = (particles.position[vertex], Vec3::repeat(way + radius + slack));
            bounds = [bounds[0].inf(&(x - reach)), bounds[1].sup(&(x + reach))];
        }
        bounds
    }

    /// The contact of four vertices, if it can come about.
    fn contact(&self, pair: Pair, corners: [Corner; 4]) -> Option<MutualContact> {
        let side = match pair {
            Pair::CornerFace => 1,
            Pair::Edges => 2,
        };
        if corners[..side].iter().any(|corner| corners[side..].contains(corner)) {
            return None;
        }
        let [first, second] = [corners[0], corners[3]].map(|corner| &self.members[corner.member as usize]);
        let same = corners[0].member == corners[3].member;
        if same && !first.solver.settings.self_contact {
            return None;
        }
        let edge = |k: usize| [corners[k].vertex, corners[k + 1].vertex];
        if same && pair == Pair::Edges && first.surface.are_neighbours(edge(0), edge(2)) {
            return None;
        }
        let of =
            |corner: Corner| (self.members[corner.member as usize].body.particles(), corner.vertex as usize);
        let x = corners.map(|corner| of(corner).0.position[of(corner).1]);
        let v = corners.map(|corner| of(corner).0.velocity[of(corner).1]);
        let weights = pair.weights(&x);
        // where an edge ends, corners and faces meet as well, if there are faces
        let ends = pair == Pair::Edges && weights.contains(&0.0);
        if ends && !first.surface.faces.is_empty() && !second.surface.faces.is_empty() {
            return None;
        }
        let mut limit = first.surface.radius + second.surface.radius;
        let nearing = v[..side].iter().flat_map(|a| v[side..].iter().map(move |b| (a - b).norm_squared()));
        let slack = first.surface.slack + second.surface.slack;
        let reach = self.dt * nearing.fold(0.0, f64::max).sqrt() + limit + slack;
        let between = weighted(&weights, &x);
        let distance = between.norm();
        if distance > reach || distance == 0.0 {
            return None;
        }
        let [a, b, c, d] = corners;
        if pair == Pair::Edges && is_covered(self.members, [[a, b], [c, d]], self.dt) {
            return None;
        }
        if same {
            // what lies closer at rest stays as close
            let rest = corners.map(|corner| of(corner).0.rest()[of(corner).1]);
            limit = limit.min(weighted(&pair.weights(&rest), &rest).norm());
        }
        let friction = first.body.material().friction.max(second.body.material().friction);
        Some(MutualContact::new(pair, corners, limit, friction, between / distance))
    }
}
