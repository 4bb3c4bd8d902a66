//! Which contacts of a pair are kept when there are many: the deepest one, then again and again the one that
//! is farthest from those before.

use crate::contact::contact_list::ContactList;
use kinetree_model::Contact;

/// Most contacts of a pair.
const MAX_CONTACTS: usize = 50;

/// Working memory of the selection.
#[derive(Default)]
pub(super) struct SelectScratch {
    taken: Vec<bool>,
    nearest: Vec<f64>,
}

impl SelectScratch {
    /// Keeps some of the contacts since `start` when there are too many.
    pub(super) fn keep_some(&mut self, list: &mut ContactList, start: usize) {
        list.used = start + self.select(list.since(start));
    }

    /// Moves the contacts that are kept to the front and returns how many they are.
    ///
    /// Marks and distances belong to indices in the list, not to the contacts that change order, as in the
    /// reference: which contacts are kept depends on it.
    fn select(&mut self, contacts: &mut [Contact]) -> usize {
        let count = contacts.len();
        if count <= MAX_CONTACTS {
            return count;
        }
        let Self { taken, nearest } = self;
        taken.clear();
        taken.resize(count, false);
        nearest.clear();
        nearest.resize(count, 1e10);
        let mut best =
            (1..count).fold(0, |best, i| if contacts[i].dist < contacts[best].dist { i } else { best });
        for kept in 0..MAX_CONTACTS {
            taken[best] = true;
            let from = contacts[best].pos;
            let mut next = None;
            let mut farthest = -1.0;
            for i in (0..count).filter(|&i| !taken[i]) {
                let [dx, dy, dz] = [0, 1, 2].map(|k| contacts[i].pos[k] - from[k]);
                nearest[i] = f64::min(nearest[i], dx * dx + dy * dy + dz * dz);
                if nearest[i] > farthest {
                    (next, farthest) = (Some(i), nearest[i]);
                }
            }
            if kept + 1 < MAX_CONTACTS {
                contacts.swap(kept, best);
                if next == Some(kept) {
                    next = Some(best);
                }
            }
            match next {
                Some(next) => best = next,
                None => return kept + 1,
            }
        }
        MAX_CONTACTS
    }
}
