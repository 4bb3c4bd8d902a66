//! Elements of one part of a body, in blocks of four.
//!
//! Elements that lie near each other form a cluster, whose vertices fit into the first cache of a processor.
//! Clusters of one colour share no vertex and may be computed at the same time; colours follow one another,
//! so that the result does not depend on who computes what. Inside of a cluster elements of one kind are put
//! into blocks that share no vertex, and blocks of one colour come one after the other, so that none has to
//! wait for the result of the one before.

use std::collections::BTreeMap;
use std::ops::Range;

use kinetree_math::Vec3;

use crate::coloring::color;
use crate::displacement::{Motion, Positions};
use crate::element::{
    BendingBlock, Block, Class, Dihedral, Distance, Element, MembraneBlock, NodalVolumeBlock, RowBlock,
    StrainBlock, Substep, Volume,
};
use crate::lane::{Lane3, WIDTH};

/// Vertices of a cluster, about. With what their elements reach beyond them they fit into a cache of 32 kB.
const VERTICES: usize = 256;

/// Blocks of one part of a body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cluster {
    distance: Vec<RowBlock<Distance, 2>>,
    dihedral: Vec<RowBlock<Dihedral, 4>>,
    volume: Vec<RowBlock<Volume, 4>>,
    membrane: Vec<MembraneBlock>,
    bending: Vec<BendingBlock>,
    strain: Vec<StrainBlock>,
    nodal_volume: Vec<NodalVolumeBlock>,
    /// Memory for the positions of the vertices of one block.
    relative: Vec<Lane3>,
}

/// Does the same with the blocks of every kind but the last; `$class` is that of the kind.
macro_rules! for_each_kind {
    ($cluster:expr, |$blocks:ident, $class:ident| $action:expr) => {
        for_each_kind!(@ $cluster, $blocks, $class, $action,
            distance Strain, dihedral Bending, volume Strain, membrane Strain, bending Bending, strain Strain)
    };
    (@ $cluster:expr, $blocks:ident, $class:ident, $action:expr, $($kind:ident $of:ident),*) => {
        $({ let ($blocks, $class) = (&mut $cluster.$kind, Class::$of); $action })*
    };
}

impl Cluster {
    /// Begins a substep: linearizes all elements, and adds their elastic forces to the displacements.
    pub(crate) fn begin(&mut self, position: &Positions, start: [f64; 2], motion: &mut impl Motion) {
        for_each_kind!(self, |blocks, class| {
            let start = start[class as usize];
            blocks.iter_mut().for_each(|block| block.begin(position, start, motion));
        });
        let start = start[Class::Strain as usize];
        for block in &mut self.nodal_volume {
            block.begin(position, start, motion, &mut self.relative);
        }
    }

    /// One sweep over the constraints.
    pub(crate) fn correct(&mut self, step: &Substep, motion: &mut impl Motion) {
        for_each_kind!(self, |blocks, _class| blocks
            .iter_mut()
            .for_each(|block| block.correct(step, motion)));
        self.nodal_volume.iter_mut().for_each(|block| block.correct(step, motion));
    }

    /// Elastic energy (J) at the positions of the last beginning.
    pub(crate) fn energy(&mut self) -> f64 {
        let mut sum = 0.0;
        for_each_kind!(self, |blocks, _class| sum += blocks.iter().map(Block::energy).sum::<f64>());
        sum + self.nodal_volume.iter().map(NodalVolumeBlock::energy).sum::<f64>()
    }

    /// The blocks of some elements; `fixed` is a vertex that does not move.
    fn new(elements: &[Element], fixed: u32) -> Self {
        let mut cluster = Self::default();
        let mut kinds: BTreeMap<_, Vec<&Element>> = BTreeMap::new();
        for element in elements {
            kinds.entry(element.shape()).or_default().push(element);
        }
        for kind in kinds.into_values() {
            disjoint_groups(&kind, fixed).iter().for_each(|group| cluster.push(group, fixed));
        }
        let longest = cluster.nodal_volume.iter().map(NodalVolumeBlock::len).max();
        cluster.relative = vec![Lane3::ZERO; longest.unwrap_or(0)];
        cluster
    }

    /// Appends a block of up to four elements of one kind.
    fn push(&mut self, group: &[&Element], fixed: u32) {
        macro_rules! block {
            ($kind:ident, $blocks:ident, $block:ty) => {{
                let of_kind = |element: &&'_ Element| match element {
                    Element::$kind(element) => Some(element.clone()),
                    _ => None,
                };
                let elements: Vec<_> = group.iter().filter_map(of_kind).collect();
                self.$blocks.push(<$block>::new(&elements.iter().collect::<Vec<_>>(), fixed));
            }};
        }
        match group.first() {
            Some(Element::Distance(_)) => block!(Distance, distance, RowBlock<Distance, 2>),
            Some(Element::Dihedral(_)) => block!(Dihedral, dihedral, RowBlock<Dihedral, 4>),
            Some(Element::Volume(_)) => block!(Volume, volume, RowBlock<Volume, 4>),
            Some(Element::Membrane(_)) => block!(Membrane, membrane, MembraneBlock),
            Some(Element::Bending(_)) => block!(Bending, bending, BendingBlock),
            Some(Element::Strain(_)) => block!(Strain, strain, StrainBlock),
            Some(Element::NodalVolume(_)) => block!(NodalVolume, nodal_volume, NodalVolumeBlock),
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
    let mut sorted: BTreeMap<u32, Vec<&[Element]>> = BTreeMap::new();
    for (part, color) in parts.iter().zip(color(sets.iter().map(Vec::as_slice), position.len())) {
        sorted.entry(color).or_default().push(part);
    }
    let (mut clusters, mut colors) = (Vec::new(), Vec::new());
    for parts in sorted.into_values() {
        let first = clusters.len();
        clusters.extend(parts.into_iter().map(|part| Cluster::new(part, position.len() as u32)));
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
