"""Contacts of the reference where the surfaces touch exactly.

The search for contacts of convex geoms ends at a small polytope: its depth is right to the tolerance, but its points only to the square root of
that, and as poses change they follow the polytope. Here each surface is the feature that the normal selects (a vertex, an edge, a face, a rim, a
smooth surface, with a radius around it where it is rounded), and the contact is the stationary point of the distance between the two, by Newton's
method: independent of both engines' searches and of the formulas that are checked. A contact is exchanged only where that is within `NEAR` of what
the search says; further points of a pair are those of the pair tilted about the frame of the first, as the reference makes them.
"""

import numpy as np

# how much a component of a normal may be for the surface to be flat that way, and how far the search may be from the exact contact
FLAT, NEAR = 1e-6, 1e-6
# angle by which pairs are tilted for further points
TILT = 1e-3
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)


class Flat:
    """A point, line or plane, with a radius around it."""

    def __init__(self, origin, tangents, radius=0.0):
        self.origin, self.tangents, self.radius = origin, tangents, radius

    def state(self):
        """Point, tangents, and the second derivative along each of them."""
        return self.origin, self.tangents, np.zeros(3)

    def advance(self, step):
        """Moves along the tangents."""
        self.origin = self.origin + self.tangents @ step


class Curved:
    """A circle or an ellipsoid: the image of unit vectors under a matrix, about an origin."""

    radius = 0.0

    def __init__(self, origin, image, unit):
        self.origin, self.image, self.unit = origin, image, unit / np.linalg.norm(unit)

    def basis(self):
        """Unit vectors across the present one."""
        return np.linalg.svd(self.unit[None])[2][1:].T

    def state(self):
        """Point, tangents, and the second derivative along each of them."""
        return self.origin + self.image @ self.unit, self.image @ self.basis(), -self.image @ self.unit

    def advance(self, step):
        """Turns the unit vector."""
        unit = self.unit + self.basis() @ step
        self.unit = unit / np.linalg.norm(unit)


def feature_of(model, geom, pose, at, normal):
    """The feature of a geom at a point with an outward normal, or None."""
    (pos, mat), kind, size = pose, model.geom_type[geom], model.geom_size[geom]
    local, place = mat.T @ normal, mat.T @ (at - pos)
    axis = mat[:, 2:]
    if kind == SPHERE:
        return Flat(pos, np.zeros((3, 0)), size[0])
    if kind == CAPSULE:
        along = (place - local * size[0])[2]
        if abs(along) < size[1] * (1 - FLAT) and abs(local[2]) < FLAT:
            return Flat(pos, axis, size[0])
        return Flat(pos + axis[:, 0] * np.copysign(size[1], along), np.zeros((3, 0)), size[0])
    if kind == ELLIPSOID:
        return Curved(pos, mat * size, size * local)
    if kind == CYLINDER:
        end = pos + axis[:, 0] * np.copysign(size[1], local[2])
        if np.hypot(local[0], local[1]) < FLAT:
            return Flat(end, mat[:, :2])
        if abs(local[2]) < FLAT and abs(place[2]) < size[1] * (1 - FLAT):
            return Flat(pos, axis, size[0])
        return Curved(end, mat[:, :2] * size[0], local[:2])
    if kind == BOX:
        flat = np.abs(local) < FLAT
        corner = np.where(flat, 0, np.copysign(size, local))
        return Flat(pos + mat @ corner, mat[:, flat])
    if kind == MESH:
        first = model.mesh_vertadr[model.geom_dataid[geom]]
        vertices = model.mesh_vert[first : first + model.mesh_vertnum[model.geom_dataid[geom]]].astype(float)
        height = vertices @ local
        near = vertices[height > height.max() - FLAT * np.abs(vertices).max()]
        _, lengths, axes = np.linalg.svd(near - near[0])
        rank = int((lengths > 1e-3 * np.abs(vertices).max()).sum())
        return Flat(pos + mat @ near[0], mat @ axes[:rank].T) if rank < 3 else None
    return None


def exact(model, geoms, poses, at, normal):
    """Point, normal and distance of the exact contact near a point with a normal, or None."""
    sides = [feature_of(model, geom, pose, at, outward) for geom, pose, outward in zip(geoms, poses, (normal, -normal), strict=True)]
    if None in sides:
        return None
    size = min(model.geom_rbound[g] for g in geoms)
    for _ in range(30):
        (x1, j1, c1), (x2, j2, c2) = (side.state() for side in sides)
        apart, count = x2 - x1, j1.shape[1]
        gradient = np.concatenate([-j1.T @ apart, j2.T @ apart])
        if not len(gradient):
            break
        jacobian = np.hstack([-j1, j2])
        bend = np.concatenate([np.full(count, -apart @ c1), np.full(j2.shape[1], apart @ c2)])
        hessian = jacobian.T @ jacobian + np.diag(bend)
        # scaled: parameters of curves are angles
        scale = 1 / np.sqrt((jacobian * jacobian).sum(axis=0))
        hessian = hessian * scale * scale[:, None]
        if np.linalg.cond(hessian) > 1e9:
            return None
        step = -scale * np.linalg.solve(hessian, scale * gradient)
        sides[0].advance(step[:count])
        sides[1].advance(step[count:])
        if np.abs(jacobian @ step).max() < 1e-15 * size:
            break
    x1, x2 = sides[0].state()[0], sides[1].state()[0]
    length = np.linalg.norm(x2 - x1)
    if length < FLAT * size:
        return None
    sign = np.copysign(1.0, normal @ (x2 - x1))
    found = (x2 - x1) * (sign / length)
    ends = x1 + found * sides[0].radius, x2 - found * sides[1].radius
    return (ends[0] + ends[1]) / 2, found, sign * length - sides[0].radius - sides[1].radius


def frame_of(normal):
    """Contact frame with a normal: rows are the normal and two tangents."""
    guess = np.array([0.0, 1, 0]) if abs(normal[1]) < 0.5 else np.array([0.0, 0, 1])
    tangent = guess - normal * (normal @ guess)
    tangent /= np.linalg.norm(tangent)
    return np.array([normal, tangent, np.cross(normal, tangent)])


def rotation(axis, angle):
    """Rotation about a unit axis."""
    across = np.cross(np.eye(3), axis)
    return np.eye(3) - np.sin(angle) * across + (1 - np.cos(angle)) * across @ across


def tilted(poses, frame, centre):
    """Poses of a pair that is tilted about the tangents of a frame, both ways."""
    for axis in frame[1:]:
        for angle in (-TILT, TILT):
            turns = rotation(axis, angle), rotation(axis, -angle)
            yield [(centre + turn @ (pos - centre), turn @ mat) for turn, (pos, mat) in zip(turns, poses, strict=True)]


def near(found, contact):
    """Whether an exact contact is where the search has found it."""
    return found is not None and max(np.abs(found[0] - contact.pos).max(), np.abs(found[1] - contact.frame[:3]).max()) < NEAR


def is_searched(model, geoms):
    """Whether a pair has no formula of its own in the reference, and no outlines that are clipped."""
    kinds = {int(model.geom_type[g]) for g in geoms}
    has_formula = bool(kinds & {PLANE, HFIELD}) or kinds <= {SPHERE, CAPSULE, BOX} or kinds == {SPHERE, CYLINDER}
    return not has_formula and not kinds <= {BOX, MESH} and max(kinds) <= MESH


def further(model, geoms, poses, contact, first):
    """The exact contact of the tilted pair that a further contact comes from, at the distance of the first one; None without."""
    if first is None:
        return None
    for tilt in tilted(poses, frame_of(first[1]), first[0]):
        found = exact(model, geoms, tilt, contact.pos.copy(), contact.frame[:3].copy())
        if near(found, contact):
            return found[0], found[1], first[2]
    return None


def exchange(model, data):
    """Puts exact contacts in the place of those that the search has found."""
    first = {}
    for contact in data.contact:
        geoms = tuple(int(g) for g in contact.geom)
        if min(geoms) < 0 or not is_searched(model, geoms):
            continue
        poses = [(data.geom_xpos[g].copy(), data.geom_xmat[g].reshape(3, 3).copy()) for g in geoms]
        if geoms in first:
            found = further(model, geoms, poses, contact, first[geoms])
        else:
            found = exact(model, geoms, poses, contact.pos.copy(), contact.frame[:3].copy())
            first[geoms] = found = found if near(found, contact) else None
        if found is not None:
            contact.pos[:], contact.frame[:], contact.dist = found[0], frame_of(found[1]).ravel(), found[2]


def step(mujoco, model, data):
    """A step of the reference with exact contacts."""
    mujoco.mj_fwdPosition(model, data)
    exchange(model, data)
    mujoco.mj_makeConstraint(model, data)
    mujoco.mj_projectConstraint(model, data)
    mujoco.mj_forwardSkip(model, data, mujoco.mjtStage.mjSTAGE_POS, 1)
    if model.opt.integrator == mujoco.mjtIntegrator.mjINT_EULER:
        mujoco.mj_Euler(model, data)
    else:
        mujoco.mj_implicit(model, data)
