//! All geom pairs that a model allows, wherever the geoms are, with the parameters of their contacts.

use super::broad::{BroadScratch, all_candidates};
use super::params::{ContactParams, geoms_reach, pair_reach};
use kinetree_model::enums::DisableBit;
use kinetree_model::{Contact, Data, Model};

/// Two geoms that may touch.
#[derive(Clone, Debug)]
pub struct StaticPair {
    /// The geoms, in the order of their types.
    pub geoms: [usize; 2],
    /// Distance below which contacts are detected (m).
    pub margin: f64,
    /// A contact with the parameters of the pair; what depends on poses is empty.
    pub contact: Contact,
}

/// Whether the model's flags disable all contacts.
pub(super) fn no_contacts(model: &Model) -> bool {
    model.disabled(DisableBit::Constraint) || model.disabled(DisableBit::Contact)
}

/// Every geom pair that bits, kinship, exclusions and explicit pairs allow, in the order of the contact list;
/// none where the model disables contacts.
#[must_use]
pub fn static_pairs(model: &Model, data: &Data) -> Vec<StaticPair> {
    if no_contacts(model) {
        return Vec::new();
    }
    let mut broad = BroadScratch::default();
    all_candidates(model, data, &mut broad);
    let describe = |candidate: &super::candidate::Candidate| {
        let mut geoms = [candidate.geom1 as usize, candidate.geom2 as usize];
        if model.geom_type[geoms[0]] > model.geom_type[geoms[1]] {
            geoms.reverse();
        }
        let pair = usize::try_from(candidate.pair).ok();
        let margin = match pair {
            Some(pair) => pair_reach(model, pair),
            None => geoms_reach(model, geoms),
        };
        let mut contact = Contact::EMPTY;
        ContactParams::new(model, geoms, pair, margin).write(&mut contact);
        StaticPair { geoms, margin, contact }
    };
    broad.candidates.iter().map(describe).collect()
}
