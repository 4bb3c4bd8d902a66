//! The force of one contact, read back from the constraint rows.

use kinetree_model::{Contact, Data, Model};

/// Force (three components) and torque (three components) of contact `id`, in the contact frame.
///
/// The force acts on the second body. Components that the contact has no rows for are zero, and so is
/// everything when the contact is excluded or `id` is out of range.
#[must_use]
#[inline]
pub(crate) fn mj_contact_force(model: &Model, data: &Data, id: usize) -> [f64; 6] {
    data.contact.get(id).map_or([0.0; 6], |contact| force_of_rows(model, contact, &data.efc_force))
}

/// Force and torque of a contact in its frame, from the forces of all constraint rows; zero when the contact
/// has no rows.
#[inline(always)]
pub(crate) fn force_of_rows(model: &Model, contact: &Contact, efc_force: &[f64]) -> [f64; 6] {
    let Ok(first) = usize::try_from(contact.efc_address) else { return [0.0; 6] };
    let rows = &efc_force[first..];
    let (dim, friction) = (contact.dim as usize, &contact.friction);
    if model.is_elliptic() || dim == 1 {
        return std::array::from_fn(|k| if k < dim { rows[k] } else { 0.0 });
    }
    match dim {
        3 => from_pyramid::<2>(rows, friction),
        4 => from_pyramid::<3>(rows, friction),
        _ => from_pyramid::<5>(
            &std::array::from_fn::<_, 10, _>(|k| if k < 2 * (dim - 1) { rows[k] } else { 0.0 }),
            friction,
        ),
    }
}

/// Each pair of pyramid edges adds to the normal and pulls along its friction direction.
#[inline(always)]
fn from_pyramid<const N: usize>(edges: &[f64], friction: &[f64; 5]) -> [f64; 6] {
    let pairs = &edges.as_chunks::<2>().0[..N];
    let mut normal = 0.0;
    for [a, b] in pairs {
        normal += a + b;
    }
    let pull = |k: usize| if k < N { (pairs[k][0] - pairs[k][1]) * friction[k] } else { 0.0 };
    [normal, pull(0), pull(1), pull(2), pull(3), pull(4)]
}
