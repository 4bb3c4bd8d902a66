//! Geom pairs that may touch, grouped by the routine that finds their contacts.

use crate::features::capacity::Capacity;
use crate::features::convex_shapes::ConvexShapes;
use crate::features::parameters::Table;
use crate::features::row_parameters::impedance;
use kinetree_model::enums::{Cone, GeomType};
use kinetree_model::{Data, Model};
use kinetree_sim::{StaticPair, row_gains};

/// A routine of the contact kernel for two shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Routine {
    /// Name of the WGSL function.
    pub(crate) name: &'static str,
    /// Most contact points.
    pub(crate) points: usize,
}

const PLANE: i32 = GeomType::Plane as i32;
const SPHERE: i32 = GeomType::Sphere as i32;
const HFIELD: i32 = GeomType::Hfield as i32;
const CAPSULE: i32 = GeomType::Capsule as i32;
const ELLIPSOID: i32 = GeomType::Ellipsoid as i32;
const CYLINDER: i32 = GeomType::Cylinder as i32;
const BOX: i32 = GeomType::Box as i32;
const MESH: i32 = GeomType::Mesh as i32;
/// The routine of pairs without a formula: the deepest point, and one for each tilted pose.
const SEARCH: (&str, usize) = ("convex_pair", 5);
/// That of height fields, with as many points as on the processor.
const FIELD_SEARCH: (&str, usize) = ("height_field_pair", 50);

impl Routine {
    /// The routine for two types of geoms in order, if there is one.
    pub(crate) fn of(types: &[i32; 2]) -> Option<Self> {
        let (name, points) = match *types {
            [PLANE, SPHERE] => ("plane_sphere", 1),
            [PLANE, CAPSULE] => ("plane_capsule", 2),
            [PLANE, ELLIPSOID] => ("plane_ellipsoid", 1),
            [PLANE, CYLINDER] => ("plane_cylinder", 4),
            [PLANE, BOX] => ("plane_box", 4),
            [SPHERE, SPHERE] => ("sphere_sphere", 1),
            [SPHERE, CAPSULE] => ("sphere_capsule", 1),
            [SPHERE, CYLINDER] => ("sphere_cylinder", 1),
            [SPHERE, BOX] => ("sphere_box", 1),
            [CAPSULE, CAPSULE] => ("capsule_capsule", 2),
            [CAPSULE, BOX] => ("capsule_box", 2),
            // eight remain, of more that are found
            [BOX, BOX] => ("box_box", 24),
            [PLANE, MESH] => ("plane_mesh", 3),
            [SPHERE..=MESH, SPHERE..=MESH] => SEARCH,
            [HFIELD, SPHERE..=MESH] => FIELD_SEARCH,
            _ => return None,
        };
        Some(Self { name, points })
    }

    /// Whether pairs whose bounds meet are listed, for kernels that take pairs of all worlds.
    pub(crate) fn is_listed(self) -> bool {
        self.name == SEARCH.0
    }

    /// Whether contacts are found by GJK and EPA.
    pub(crate) fn is_search(self) -> bool {
        self.name == SEARCH.0 || self.name == FIELD_SEARCH.0
    }
}

/// Pairs of a model by routine, in the order of the tables.
#[derive(Clone, Debug)]
pub(crate) struct PairGroups {
    pairs: Vec<StaticPair>,
    /// Indices of these in the list of all pairs, which is the order of the processor's contacts.
    ranks: Vec<usize>,
    /// Routine, first pair and number of pairs of each group.
    pub(crate) groups: Vec<(Routine, usize, usize)>,
}

impl PairGroups {
    /// Groups pairs; those without a routine are left out, which coverage has refused.
    pub(crate) fn new(model: &Model, pairs: &[StaticPair]) -> Self {
        let routine = |pair: &StaticPair| Routine::of(&pair.geoms.map(|g| model.geom_type[g]));
        let mut known: Vec<_> = pairs
            .iter()
            .enumerate()
            .filter_map(|(rank, pair)| Some((routine(pair)?, rank, pair.clone())))
            .collect();
        known.sort_by_key(|(routine, ..)| *routine);
        let mut groups: Vec<(Routine, usize, usize)> = Vec::new();
        for (i, (routine, ..)) in known.iter().enumerate() {
            match groups.last_mut() {
                Some((last, _, count)) if last == routine => *count += 1,
                _ => groups.push((*routine, i, 1)),
            }
        }
        let ranks = known.iter().map(|(_, rank, _)| *rank).collect();
        Self { pairs: known.into_iter().map(|(.., pair)| pair).collect(), ranks, groups }
    }

    /// The geoms of a pair, by its number in the tables.
    pub(crate) fn geoms(&self, pair: usize) -> Option<[usize; 2]> {
        self.pairs.get(pair).map(|pair| pair.geoms)
    }

    /// The geoms of all pairs, in the order of the tables.
    pub(crate) fn all_geoms(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.pairs.iter().map(|pair| pair.geoms)
    }

    /// The index of each pair in the order of the processor's contacts.
    pub(crate) fn ranks(&self) -> &[usize] {
        &self.ranks
    }

    /// Shapes that need more than their size.
    pub(crate) fn convex_shapes(&self, model: &Model) -> ConvexShapes {
        let searched =
            |&(routine, _, count): &(Routine, usize, usize)| std::iter::repeat_n(routine.is_search(), count);
        ConvexShapes::new(model, self.groups.iter().flat_map(searched).zip(&self.pairs))
    }

    /// Writes what the test of bounding spheres reads of listed pairs: both geoms in one word, and the
    /// largest margin.
    fn write_listed(&self, table: &mut Table) {
        let Some((first, count)) = self.listed() else { return };
        let listed = &self.pairs[first..first + count];
        // workgroups have no memory for as many geoms as sixteen bits count
        table.ints("CONVEX_GEOMS", listed.iter().map(|pair| (pair.geoms[0] | pair.geoms[1] << 16) as i32));
        table.floats("CONVEX_MARGIN", [listed.iter().map(|pair| pair.margin).fold(0.0, f64::max)]);
    }

    /// First pair and number of pairs that are listed when their bounds meet.
    pub(crate) fn listed(&self) -> Option<(usize, usize)> {
        let group = self.groups.iter().find(|(routine, ..)| routine.is_listed());
        group.map(|&(_, first, count)| (first, count))
    }

    /// Most points that one pair makes.
    pub(crate) fn most_points(&self) -> usize {
        self.groups.iter().map(|(routine, ..)| routine.points).max().unwrap_or(1)
    }

    /// Largest dimension of contacts.
    pub(crate) fn largest_dimension(&self) -> usize {
        self.pairs.iter().map(|pair| pair.contact.dim as usize).max().unwrap_or(1)
    }

    /// A guess at how many contacts a world has at the same time: at least those of the first state, since
    /// larger capacities take a second compilation.
    pub(crate) fn likely_capacity(&self, first: &Data) -> Capacity {
        let all: usize = self.groups.iter().map(|(routine, _, count)| routine.points * count).sum();
        let contacts = all.clamp(1, 16);
        let rows = contacts * self.largest_dimension().min(3);
        let pushing = || first.contact.iter().filter(|contact| contact.exclude == 0);
        let first_rows = pushing().map(|contact| contact.dim as usize).sum::<usize>();
        Capacity {
            contacts: contacts.max(pushing().count().next_multiple_of(8)),
            rows: rows.max(first_rows.next_multiple_of(8)),
            candidates: self.listed().map_or(0, |(_, count)| count.min(LIKELY_CANDIDATES)),
        }
    }

    /// Writes the tables of pairs. With `shared`, pairs with equal parameters have one set of them, so that
    /// the table stays in the cache; otherwise each has its own.
    pub(crate) fn write(&self, model: &Model, shapes: &ConvexShapes, table: &mut Table, shared: bool) {
        let mut sets: Vec<Vec<f64>> = Vec::new();
        let mut set_of = Vec::new();
        for pair in &self.pairs {
            let set = parameters(model, pair);
            let known = if shared { sets.iter().position(|other| *other == set) } else { None };
            set_of.push(known.unwrap_or(sets.len()) as i32);
            if known.is_none() {
                sets.push(set);
            }
        }
        let body = |g: usize| model.geom_bodyid[g];
        let weight = |g: usize| model.body_invweight0[body(g) as usize][0];
        shapes.write(model, table);
        table.ints("PAIR_GEOMS", self.pairs.iter().flat_map(|pair| pair.geoms.map(|g| g as i32)));
        table.ints("PAIR_BODIES", self.pairs.iter().flat_map(|pair| pair.geoms.map(body)));
        table.ints("PAIR_DIM", self.pairs.iter().map(|pair| pair.contact.dim));
        table.ints("PAIR_SET", set_of);
        table.floats("PAIR_WEIGHT", self.pairs.iter().map(|pair| pair.geoms.map(weight).iter().sum::<f64>()));
        table.size("PAIR_PARAMS_SIZE", PARAMETERS);
        table.floats("PAIR_PARAMS", sets.into_iter().flatten());
        self.write_listed(table);
        // friction rows of elliptic cones have damping of their own
        table.size("TANGENT_DAMPING", if model.opt.cone == Cone::Elliptic as i32 { 4 } else { 3 });
    }
}

/// Pairs of a world whose bounds meet at the same time, as long as there are no more.
const LIKELY_CANDIDATES: usize = 24;

/// Numbers of a set of parameters.
const PARAMETERS: usize = 17;

/// Margins, stiffness and damping, impedance and friction of a pair.
fn parameters(model: &Model, pair: &StaticPair) -> Vec<f64> {
    let contact = &pair.contact;
    let gains = row_gains(model, &contact.solref, &contact.solreffriction, &contact.solimp);
    let mut set =
        vec![pair.margin, contact.includemargin, gains.stiffness, gains.damping, gains.friction_damping];
    set.extend(impedance(&gains));
    set.extend(contact.friction);
    set
}
