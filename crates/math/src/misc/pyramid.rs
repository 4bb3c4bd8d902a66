//! Contact forces in the basis of a friction pyramid. Tangent `i` has two edges, `n + μᵢ tᵢ` and `n − μᵢ tᵢ`.

/// Coefficients of the pyramid's edges from a contact force with `force.len()` ≤ 6 components, normal first.
///
/// Each pair of edges carries an equal share of the normal force, and a tangential force above the share is
/// cut off. Needs `2 (force.len() − 1)` elements in `pyramid`.
pub fn encode_pyramid(pyramid: &mut [f64], force: &[f64], mu: &[f64]) {
    let Some((normal, tangents)) = force.split_first() else { return };
    let share = normal / tangents.len() as f64;
    for ((pair, f), mu) in pyramid.chunks_exact_mut(2).zip(tangents).zip(mu) {
        let difference = share.min(f / mu);
        pair[0] = 0.5 * (share + difference);
        pair[1] = 0.5 * (share - difference);
    }
}

/// Contact force with `force.len()` components from the coefficients of the pyramid's edges; a single
/// component is the normal force itself.
pub fn decode_pyramid(force: &mut [f64], pyramid: &[f64], mu: &[f64]) {
    let Some((normal, tangents)) = force.split_first_mut() else { return };
    if tangents.is_empty() {
        *normal = pyramid[0];
        return;
    }
    *normal = 0.0;
    for x in &pyramid[..2 * tangents.len()] {
        *normal += x;
    }
    for ((f, pair), mu) in tangents.iter_mut().zip(pyramid.chunks_exact(2)).zip(mu) {
        *f = (pair[0] - pair[1]) * mu;
    }
}
