"""When two sets of contacts between the same two geoms count as the same.

Equal: as many contacts in the same order, each number within the tolerance. Where flat features lie on each other a convex
routine may choose among many right answers; then sets are equivalent if they have the same depth, the same normal and the same
support polygon: in the tangent plane, the farthest contact in each of 64 directions lies equally far. Both engines then
hold the pair up at the same places.

A contact is a row of 13 numbers: distance, position, frame.
"""

import numpy as np


def rows(contacts, count):
    """Contacts of an engine as an array."""
    if count == 0:
        return np.zeros((0, 13))
    part = [np.asarray(getattr(contacts, name)).reshape(count, -1) for name in ("dist", "pos", "frame")]
    return np.hstack(part)


def equal(a, b, tolerance=1e-6):
    """Same contacts in the same order."""
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance))


def equivalent(a, b, tolerance=1e-6):
    """Same depth, normal and support polygon."""
    if len(a) == 0 or len(b) == 0:
        return len(a) == len(b)
    if abs(a[:, 0].min() - b[:, 0].min()) > tolerance or np.abs(a[0, 4:7] - b[0, 4:7]).max() > tolerance:
        return False
    tangents = a[0, 7:13].reshape(2, 3)
    angle = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    directions = np.stack([np.cos(angle), np.sin(angle)])
    reach = [(c[:, 1:4] @ tangents.T @ directions).max(axis=0) for c in (a, b)]
    return bool(np.abs(reach[0] - reach[1]).max() <= tolerance)
