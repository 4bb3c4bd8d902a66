//! Bodies on which a contact force acts, with the weights by which they share it.
//!
//! A geom and a vertex belong to one body. A contact with an element is shared by the bodies of its vertices,
//! by their inverse distances; one with an interpolated flex by the nodes around its position in the flex at
//! rest, by the basis functions there.

use super::cells::CellGrid;
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::{Contact, Data, Model};

/// Basis functions below this do not count.
const SMALL_WEIGHT: f64 = 1e-5;
/// Vertices of an element.
const MAX_CORNERS: usize = 4;

/// Bodies and their shares.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactBodies {
    /// Bodies, those of the first side first.
    pub bodies: Vec<usize>,
    /// Share of each in its side.
    pub weights: Vec<f64>,
    /// How many belong to the first side.
    pub first: usize,
    /// Point masses that are no part of the model.
    pub points: PointWeights,
}

/// Inverse masses of the points that contacts push on; those of a step are the last of all contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointWeights {
    first: usize,
    inverse_mass: Vec<f64>,
    /// Contacts, bodies to which points are fixed, and the weights of these, in the order of the contacts.
    carried: Vec<(usize, usize, f64)>,
}

impl PointWeights {
    /// Sets the inverse masses (1/kg) of the contacts from `first` on, and the bodies that carry points.
    pub(crate) fn set(
        &mut self,
        first: usize,
        inverse_mass: impl Iterator<Item = f64>,
        carried: &[(usize, usize, f64)],
    ) {
        self.first = first;
        self.inverse_mass.clear();
        self.inverse_mass.extend(inverse_mass);
        self.carried.clear();
        self.carried.extend(carried.iter().map(|&(contact, body, weight)| (first + contact, body, weight)));
    }

    /// Forgets all points.
    pub(crate) fn clear(&mut self) {
        self.inverse_mass.clear();
        self.carried.clear();
    }

    /// Bodies that carry points of a contact, with their weights.
    fn carriers(&self, contact: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let first = self.carried.partition_point(|(of, ..)| *of < contact);
        let own = self.carried[first..].iter().take_while(move |(of, ..)| *of == contact);
        own.map(|&(_, body, weight)| (body, weight))
    }

    /// Inverse mass of the points of a contact; `None` for a contact without any.
    pub(crate) fn of(&self, contact: usize) -> Option<f64> {
        self.inverse_mass.get(contact.checked_sub(self.first)?).copied()
    }
}

/// Whether a contact involves a flex.
#[inline(always)]
pub(crate) fn touches_flex(contact: &Contact) -> bool {
    (contact.geom[0] | contact.geom[1]) < 0
}

/// The one body on a side of a contact; `None` when several share it.
pub(crate) fn single_body(model: &Model, contact: &Contact, side: usize) -> Option<usize> {
    if let Ok(geom) = usize::try_from(contact.geom[side]) {
        return Some(model.geom_bodyid[geom] as usize);
    }
    let flex = usize::try_from(contact.flex[side]).ok()?;
    let vertex = usize::try_from(contact.vert[side]).ok()?;
    if model.flex_interp[flex] != 0 {
        return None;
    }
    Some(model.flex_vertbodyid[model.flex_vertadr[flex] as usize + vertex].max(0) as usize)
}

impl ContactBodies {
    /// Finds the bodies of a contact of the data.
    pub(crate) fn find(&mut self, model: &Model, data: &Data, index: usize) {
        let contact = &data.contact[index];
        self.bodies.clear();
        self.weights.clear();
        for side in 0..2 {
            if side == 1 {
                self.first = self.bodies.len();
            }
            match single_body(model, contact, side) {
                Some(body) => self.push(body, 1.0),
                None => self.add_flex(model, data, contact, side),
            }
        }
        let Self { points, bodies, weights, .. } = self;
        for (body, weight) in points.carriers(index) {
            bodies.push(body);
            weights.push(weight);
        }
    }

    fn push(&mut self, body: usize, weight: f64) {
        self.bodies.push(body);
        self.weights.push(weight);
    }

    /// Adds the bodies of an element, or of the nodes of an interpolated flex.
    fn add_flex(&mut self, model: &Model, data: &Data, contact: &Contact, side: usize) {
        // a program may have made a contact of nothing
        let Ok(flex) = usize::try_from(contact.flex[side]) else { return };
        let first = model.flex_vertadr[flex] as usize;
        let (mut vertices, mut weights, mut count) = ([0; MAX_CORNERS], [0.0; MAX_CORNERS], 0);
        if let Ok(vertex) = usize::try_from(contact.vert[side]) {
            (vertices[0], weights[0], count) = (first + vertex, 1.0, 1);
        } else if let Ok(element) = usize::try_from(contact.elem[side]) {
            let corners = model.flex_dim[flex] as usize + 1;
            let start = model.flex_elemdataadr[flex] as usize + element * corners;
            for &v in &model.flex_elem[start..start + corners] {
                // a vertex does not push on an element through itself
                if v != contact.vert[1 - side] {
                    let vertex = first + v as usize;
                    let distance = (Vec3::from(contact.pos) - Vec3::from(data.flexvert_xpos[vertex])).norm();
                    (vertices[count], weights[count]) = (vertex, 1.0 / distance.max(MINVAL));
                    count += 1;
                }
            }
            let sum: f64 = weights[..count].iter().sum();
            weights[..count].iter_mut().for_each(|weight| *weight *= 1.0 / sum);
        }
        let shares = vertices[..count].iter().zip(&weights[..count]);
        if model.flex_interp[flex] == 0 {
            for (&vertex, &weight) in shares {
                self.push(model.flex_vertbodyid[vertex].max(0) as usize, weight);
            }
            return;
        }
        let mut reference = [0.0; 3];
        for (&vertex, &weight) in shares {
            for k in 0..3 {
                reference[k] += model.flex_vert0[vertex][k] * weight;
            }
        }
        self.add_nodes(model, flex, &reference);
    }

    /// Adds the nodes around a position in the unit cube.
    fn add_nodes(&mut self, model: &Model, flex: usize, reference: &[f64; 3]) {
        let grid = CellGrid::new(model, flex);
        let (cell, local) = grid.locate(reference);
        let weights = grid.weights(&local);
        let first = model.flex_nodeadr[flex] as usize;
        grid.for_each_node(cell, |k, node| {
            if weights[k] >= SMALL_WEIGHT {
                self.push(model.flex_nodebodyid[first + node].max(0) as usize, weights[k]);
            }
        });
    }

    /// Inverse inertia of translation (0) or rotation (1) that both sides together show.
    pub(crate) fn inverse_weight(&self, model: &Model, part: usize) -> f64 {
        let shares = self.bodies.iter().zip(&self.weights);
        shares.map(|(&body, &weight)| model.body_invweight0[body][part] * weight).sum()
    }
}
