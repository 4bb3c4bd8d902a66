//! Contacts: collision detection over the geoms of a model.
//!
//! The broad phase lists geom pairs in a fixed order, the narrow phase of the `collide` crate finds their
//! contact points, and each point becomes a contact with parameters mixed from the two geoms or given by an
//! explicit pair. Where bounding volumes may decide whether there is a contact, they are compared as the
//! reference does it (`reference_bounds`).

mod bounds;
mod broad;
mod candidate;
mod contact_list;
pub(crate) mod distance;
pub(crate) mod field;
mod flex;
pub(crate) mod geom_shape;
mod narrow;
mod pair_table;
mod params;
mod reference_bounds;
mod static_pairs;
mod trail;
mod visited;

use broad::{BroadScratch, find_candidates};
use contact_list::ContactList;
use flex::{FlexCollision, FlexScratch};
pub(crate) use geom_shape::geom_hull;
pub use geom_shape::{ccd_settings, geom_pose, geom_shape};
use kinetree_model::{Data, Model, StepError};
pub(crate) use narrow::pair_margin;
use narrow::{NarrowScratch, collide_geoms};
pub(crate) use params::{ContactParams, Surface, geom_reach};
use static_pairs::no_contacts;
pub use static_pairs::{StaticPair, static_pairs};
use std::sync::Arc;
pub use trail::FieldSearch;
use trail::SearchRecorder;
pub use visited::VisitedVolumes;
pub(crate) use visited::find_visited_volumes;

/// Working memory of collision detection.
#[derive(Default)]
pub(crate) struct CollisionScratch {
    broad: BroadScratch,
    narrow: NarrowScratch,
    flex: FlexScratch,
    /// There were more contacts than can be held.
    crowded: bool,
}

impl CollisionScratch {
    /// The failure of a distance field, or more contacts than can be held, as an error.
    pub(crate) fn report(&mut self) -> Result<(), StepError> {
        if std::mem::take(&mut self.crowded) {
            return Err(StepError::Unsupported("more than two million contacts at a time"));
        }
        self.narrow.fields.report()
    }

    /// Says that the model cannot change from now on, or that it can again.
    pub(crate) fn hold_model(&mut self, held: bool) {
        self.broad.hold_model(held);
    }
}

/// Detects all contacts and fills the contact list.
pub(crate) fn mj_collision(model: &Model, data: &mut Data, scratch: &mut CollisionScratch) {
    let mut list = ContactList { contacts: std::mem::take(&mut data.contact), used: 0 };
    data.clear_constraints();
    // the model is borrowed until all contacts are found
    if let Some(ccd) = scratch.narrow.ccd.made() {
        ccd.hold_meshes();
    }
    find_contacts(model, data, scratch, &mut list);
    if let Some(ccd) = scratch.narrow.ccd.made() {
        ccd.release_meshes();
    }
    list.contacts.truncate(list.used);
    data.ncon = list.used;
    data.contact = list.contacts;
}

/// Most contacts at a time: with their rows, what a machine can hold.
const MOST_CONTACTS: usize = 1 << 21;

/// Detects all contacts.
fn find_contacts(model: &Model, data: &Data, scratch: &mut CollisionScratch, list: &mut ContactList) {
    let colliders = model.nbody + model.nflex;
    if no_contacts(model) || colliders < 2 {
        return;
    }
    let CollisionScratch { broad, narrow, flex, crowded } = scratch;
    find_candidates(model, data, broad);
    narrow.reference_bounds.clear();
    let settings = ccd_settings(model);
    let filter = model.callbacks.contact_filter();
    let mut flexes = FlexCollision::begin(model, data, &settings, flex);
    for candidate in &broad.candidates {
        if model.nflex > 0 {
            // contacts are listed by their first body, those with flexes behind those with bodies
            flexes.collide_bodies_below(candidate.first_body(), narrow, list);
        }
        if candidate.pair < 0
            && let Some(rejects) = filter
            && rejects(model, data, candidate.geom1 as usize, candidate.geom2 as usize)
        {
            continue;
        }
        collide_geoms(model, data, candidate, &settings, narrow, list);
        if list.used > MOST_CONTACTS {
            *crowded = true;
            list.used = 0;
            return;
        }
    }
    if model.nflex > 0 {
        flexes.collide_bodies_below(model.nbody, narrow, list);
        flexes.collide_flexes(narrow, list);
    }
}

/// What the search for contacts of fields does at the poses of a data. The search is repeated for it, so that
/// searches that nobody looks at need not be recorded.
pub(crate) fn record_field_search(model: &Model, data: &Data) -> FieldSearch {
    let recorder = Arc::new(SearchRecorder::default());
    let mut scratch = CollisionScratch::default();
    scratch.narrow.fields.recorder = Some(Arc::clone(&recorder));
    find_contacts(model, data, &mut scratch, &mut ContactList { contacts: Vec::new(), used: 0 });
    recorder.take()
}
