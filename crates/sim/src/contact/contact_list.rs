//! The contact list in the making.

use kinetree_model::Contact;

/// What the first contacts start from.
static EMPTY: [Contact; 1] = [Contact::EMPTY];

/// The contact list in the making: contacts of the last step are overwritten one by one.
pub(super) struct ContactList {
    pub(super) contacts: Vec<Contact>,
    /// Number of new contacts.
    pub(super) used: usize,
}

impl ContactList {
    /// Room for one more contact; only what [`Contact::EMPTY`] and the caller set counts.
    #[inline(always)]
    pub(super) fn next(&mut self) -> &mut Contact {
        if self.used == self.contacts.len() {
            self.contacts.extend_from_slice(&EMPTY);
        }
        self.used += 1;
        &mut self.contacts[self.used - 1]
    }

    /// The new contacts from `start` on.
    pub(super) fn since(&mut self, start: usize) -> &mut [Contact] {
        &mut self.contacts[start..self.used]
    }
}
