//! Elements of one part of a body, in blocks of four.
//!
//! Elements that lie near each other form a cluster. The thread that computes a cluster copies the rows of
//! its vertices into memory of its own, which fits into the first cache of a processor, and back when all
//! elements are done. Clusters of one colour share no vertex and may be computed at the same time; colours
//! follow one another, so that the result does not depend on who computes what. Inside of a cluster elements
//! of one kind are put into blocks that share no vertex, and blocks of one colour come one after the other,
//! so that none has to wait for the result of the one before.

use std::collections::BTreeMap;
use std::ops::Range;

use kinetree_math::Vec3;
use wide::f64x4;

use crate::coloring::{color, color_evenly};
use crate::displacement::{Displacements, LocalMotion, LocalPositions, Positions};
use crate::element::{
    BendingBlock, Block, Dihedral, Distance, Element, MembraneBlock, NodalVolumeBlocks, RowBlock,
    StrainBlocks, Substep, Volume,
};
use crate::lane::{Lane3, WIDTH};

/// Vertices of a cluster, about. With what the elements of a solid reach beyond them they are 600 rows of
/// positions and of displacements, of 19 kB each. Fewer would leave less than four elements for a block more
/// often, more would leave threads without work where a body has ten thousand vertices.
const VERTICES: usize = 256;

/// Blocks of one part of a body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cluster {
    /// Numbers of its vertices in the body; elements know them by their places in this list.
    vertices: Vec<u32>,
    distance: Vec<RowBlock<Distance, 2>>,
    dihedral: Vec<RowBlock<Dihedral, 4>>,
    volume: Vec<RowBlock<Volume, 4>>,
    membrane: Vec<MembraneBlock>,
    bending: Vec<BendingBlock>,
    strain: StrainBlocks,
    nodal_volume: NodalVolumeBlocks,
}

/// Copies of the vertices of the cluster at hand, and memory for its elements.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    position: Vec<f64x4>,
    displacement: Vec<f64x4>,
    relative: Vec<Lane3>,
}

impl Scratch {
    /// Memory that is enough for each of the clusters.
    pub(crate) fn new(clusters: &[Cluster]) -> Self {
        let most = |count: fn(&Cluster) -> usize| clusters.iter().map(count).max().unwrap_or(0);
        let rows = vec![f64x4::ZERO; most(|cluster| cluster.vertices.len()) + 1];
        let relative = vec![Lane3::ZERO; most(|cluster| cluster.nodal_volume.longest())];
        Self { position: rows.clone(), displacement: rows, relative }
    }
}

/// Does the same with the blocks of every kind whose elements have equally many vertices.
macro_rules! for_each_kind {
    ($cluster:expr, |$blocks:ident| $action:expr) => {
        for_each_kind!(@ $cluster, $blocks, $action, distance, dihedral, volume, membrane, bending)
    };
    (@ $cluster:expr, $blocks:ident, $action:expr, $($kind:ident),*) => {
        $({ let $blocks = &mut $cluster.$kind; $action })*
    };
}

impl Cluster {
    /// Begins a substep: linearizes all elements, and adds their elastic forces to the displacements.
    pub(crate) fn begin(
        &mut self,
        step: &Substep,
        (position, displacement): (&Positions, &Displacements),
        scratch: &mut Scratch,
    ) {
        let Scratch { position: positions, displacement: rows, relative } = scratch;
        let (positions, rows) = (&mut positions[..=self.vertices.len()], &mut rows[..=self.vertices.len()]);
        position.load(&self.vertices, positions);
        positions[self.vertices.len()] = f64x4::ZERO;
        self.load(displacement, rows);
        let (position, motion) = (&LocalPositions(positions), &mut LocalMotion(rows));
        for_each_kind!(self, |blocks| blocks
            .iter_mut()
            .for_each(|block| block.begin(position, step, motion)));
        self.strain.begin(position, step, motion);
        self.nodal_volume.begin(position, step, motion, relative);
        displacement.store(&self.vertices, rows);
    }

    /// One sweep over the constraints.
    pub(crate) fn correct(&mut self, step: &Substep, displacement: &Displacements, scratch: &mut Scratch) {
        let rows = &mut scratch.displacement[..=self.vertices.len()];
        self.load(displacement, rows);
        let motion = &mut LocalMotion(rows);
        for_each_kind!(self, |blocks| blocks.iter_mut().for_each(|block| block.correct(step, motion)));
        self.strain.correct(step, motion);
        self.nodal_volume.correct(step, motion);
        displacement.store(&self.vertices, rows);
    }

    /// Copies the rows of the vertices, and adds that of the vertex that does not move.
    fn load(&self, displacement: &Displacements, rows: &mut [f64x4]) {
        displacement.load(&self.vertices, rows);
        rows[self.vertices.len()] = f64x4::ZERO;
    }

    /// Elastic energy (J) at the positions of the last beginning, which had `θ = 0`.
    pub(crate) fn energy(&mut self) -> f64 {
        let mut sum = 0.0;
        for_each_kind!(self, |blocks| sum += blocks.iter().map(Block::energy).sum::<f64>());
        sum + self.strain.energy() + self.nodal_volume.energy()
    }

    /// The blocks of some elements, which have these vertices, in ascending order.
    fn new(elements: &[Element], vertices: Vec<u32>) -> Self {
        let place = |vertex: u32| vertices.partition_point(|&v| v < vertex) as u32;
        let elements: Vec<Element> = elements.iter().map(|element| element.renumbered(place)).collect();
        let mut kinds: BTreeMap<_, Vec<&Element>> = BTreeMap::new();
        for element in &elements {
            kinds.entry(element.shape()).or_default().push(element);
        }
        let fixed = vertices.len() as u32;
        let mut cluster = Self { vertices, ..Self::default() };
        for kind in kinds.into_values() {
            disjoint_groups(&kind, fixed).iter().for_each(|group| cluster.push(group, fixed));
        }
        cluster
    }

    /// Appends a block of up to four elements of one kind.
    fn push<'a>(&mut self, group: &[&'a Element], fixed: u32) {
        macro_rules! of_kind {
            ($kind:ident) => {{
                let of_kind = |element: &&'a Element| match element {
                    Element::$kind(element) => Some(element),
                    _ => None,
                };
                group.iter().filter_map(of_kind).collect::<Vec<_>>()
            }};
        }
        match group.first() {
            Some(Element::Distance(_)) => self.distance.push(RowBlock::new(&of_kind!(Distance), fixed)),
            Some(Element::Dihedral(_)) => self.dihedral.push(RowBlock::new(&of_kind!(Dihedral), fixed)),
            Some(Element::Volume(_)) => self.volume.push(RowBlock::new(&of_kind!(Volume), fixed)),
            Some(Element::Membrane(_)) => self.membrane.push(MembraneBlock::new(&of_kind!(Membrane), fixed)),
            Some(Element::Bending(_)) => self.bending.push(BendingBlock::new(&of_kind!(Bending), fixed)),
            Some(Element::Strain(_)) => self.strain.push(&of_kind!(Strain), fixed),
            Some(Element::NodalVolume(_)) => self.nodal_volume.push(&of_kind!(NodalVolume), fixed),
            None => {}
        }
    }
}

/// Groups of up to four elements that share no vertex: first whole groups of one colour, and then what is
/// left of all colours, each in the first group with which it shares no vertex.
fn disjoint_groups<'a>(elements: &[&'a Element], vertex_count: u32) -> Vec<Vec<&'a Element>> {
    let sets = || elements.iter().map(|element| element.vertices());
    let mut by_color: BTreeMap<u32, Vec<&Element>> = BTreeMap::new();
    for (element, color) in elements.iter().zip(color(sets(), vertex_count as usize)) {
        by_color.entry(color).or_default().push(element);
    }
    let (mut groups, mut open): (Vec<Vec<&Element>>, Vec<Vec<&Element>>) = (Vec::new(), Vec::new());
    for same in by_color.into_values() {
        let whole = same.chunks_exact(WIDTH);
        let rest = whole.remainder();
        groups.extend(whole.map(<[&Element]>::to_vec));
        for &element in rest {
            let apart = |group: &&mut Vec<&Element>| {
                let shares = |other: &&Element| {
                    other.vertices().iter().any(|vertex| element.vertices().contains(vertex))
                };
                group.len() < WIDTH && !group.iter().any(shares)
            };
            match open.iter_mut().find(apart) {
                Some(group) => group.push(element),
                None => open.push(vec![element]),
            }
        }
    }
    groups.extend(open);
    groups
}

/// Sorts elements into clusters, and these by colour; returns the clusters of each colour too.
pub(crate) fn clusters(elements: Vec<Element>, position: &[Vec3]) -> (Vec<Cluster>, Vec<Range<usize>>) {
    let elements = along_curve(elements, position);
    let size = (VERTICES * elements.len()).div_ceil(position.len().max(1)).max(VERTICES);
    let parts: Vec<&[Element]> = elements.chunks(size).collect();
    let vertices = |part: &[Element]| {
        let mut vertices: Vec<u32> = part.iter().flat_map(Element::vertices).copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    };
    let sets: Vec<Vec<u32>> = parts.iter().map(|part| vertices(part)).collect();
    let colors = color_evenly(sets.iter().map(Vec::as_slice), position.len());
    let mut sorted: BTreeMap<u32, Vec<Cluster>> = BTreeMap::new();
    for ((part, vertices), color) in parts.iter().zip(sets).zip(colors) {
        sorted.entry(color).or_default().push(Cluster::new(part, vertices));
    }
    let (mut clusters, mut colors) = (Vec::new(), Vec::new());
    for same in sorted.into_values() {
        let first = clusters.len();
        clusters.extend(same);
        colors.push(first..clusters.len());
    }
    (clusters, colors)
}

/// Elements in the order of their centres along a Morton curve, on which neighbours are near each other.
fn along_curve(elements: Vec<Element>, position: &[Vec3]) -> Vec<Element> {
    let corner = |least: fn(f64, f64) -> f64, start: f64| {
        position.iter().fold(Vec3::repeat(start), |sum, x| sum.zip_map(x, least))
    };
    let (low, high) = (corner(f64::min, f64::INFINITY), corner(f64::max, f64::NEG_INFINITY));
    // cells of 21 bits along each axis
    let scale = f64::from((1 << 21) - 1) / (high - low).max().max(f64::MIN_POSITIVE);
    let center = |element: &Element| {
        let vertices = element.vertices();
        let sum = vertices.iter().fold(Vec3::zeros(), |sum, &v| sum + (position[v as usize] - low));
        sum * (scale / vertices.len() as f64)
    };
    let mut keyed: Vec<(u64, Element)> =
        elements.into_iter().map(|element| (morton(&center(&element)), element)).collect();
    // elements at the same place keep their order
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, element)| element).collect()
}

/// The bits of three numbers below 2²¹ in turns.
fn morton(cell: &Vec3) -> u64 {
    (0..21).fold(0, |key, bit| {
        let digit = |axis: usize| ((cell[axis] as u64 >> bit) & 1) << (3 * bit + axis as u64);
        key | digit(0) | digit(1) | digit(2)
    })
}
