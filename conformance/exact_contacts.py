"""Contacts of the reference where the surfaces touch exactly.

The search for contacts of convex geoms ends at a small polytope: its depth is right to the tolerance, but its points only to the square root of that, and
as poses change they follow the polytope. Here each surface is the feature that the normal selects (a vertex, an edge, a face, a rim, a smooth surface, all
of them with a radius around where they are rounded), and the contact is the stationary point of the distance between the two, by Newton's method:
independent of both engines' searches and of the formulas that are checked. A contact is exchanged only where that is within `NEAR` of what the
search says; further points of a pair are those of the pair tilted about the frame of the first, as the reference documents.
"""

import numpy as np

# how much a component of a normal may be for the surface to be flat that way, and how far the search may be from the exact contact
FLAT, NEAR = 1e-6, 1e-6
# angle by which pairs are tilted for further points
TILT = 1e-3
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)


class Feature:
    """A point, line, plane, circle or ellipsoid in the world, with a radius around it: where it is now, its tangents and how these turn."""

    def __init__(self, origin, tangents, radius=0.0, turn=None):
        # turn: matrix that takes a unit vector (of a circle or a sphere) to the offset from the origin; the unit vector is then the parameter
        self.origin, self.tangents, self.radius, self.turn = origin, tangents, radius, turn
        self.unit = None

    @classmethod
    def curved(cls, origin, turn, unit):
        feature = cls(origin, None, 0.0, turn)
        feature.unit = unit / np.linalg.norm(unit)
        return feature

    def state(self):
        """Point, tangents, and second derivative along each of them."""
        if self.turn is None:
            return self.origin, self.tangents, np.zeros(3)
        if len(self.unit) == 2:
            basis = np.array([[-self.unit[1]], [self.unit[0]]])
        else:
            basis = np.linalg.svd(self.unit[None])[2][1:].T
        self.basis = basis
        return self.origin + self.turn @ self.unit, self.turn @ basis, -self.turn @ self.unit

    def advance(self, step):
        if self.turn is None:
            self.origin = self.origin + self.tangents @ step
        else:
            unit = self.unit + self.basis @ step
            self.unit = unit / np.linalg.norm(unit)


def feature_of(model, geom, pos, mat, at, normal):
    """The feature of a geom at a point with an outward normal, or None."""
    kind, size = model.geom_type[geom], model.geom_size[geom]
    local, place = mat.T @ normal, mat.T @ (at - pos)
    axis = mat[:, 2:]
    if kind == SPHERE:
        return Feature(pos, np.zeros((3, 0)), size[0])
    if kind == CAPSULE:
        along = (place - local * size[0])[2]
        if abs(along) < size[1] * (1 - FLAT) and abs(local[2]) < FLAT:
            return Feature(pos, axis, size[0])
        return Feature(pos + axis[:, 0] * np.copysign(size[1], along), np.zeros((3, 0)), size[0])
    if kind == ELLIPSOID:
        return Feature.curved(pos, mat * size, size * local)
    if kind == CYLINDER:
        end = pos + axis[:, 0] * np.copysign(size[1], local[2])
        if np.hypot(local[0], local[1]) < FLAT:
            return Feature(end, mat[:, :2])
        if abs(local[2]) < FLAT and abs(place[2]) < size[1] * (1 - FLAT):
            return Feature(pos, axis, size[0])
        return Feature.curved(end, mat[:, :2] * size[0], local[:2])
    if kind == BOX:
        flat = np.abs(local) < FLAT
        corner = np.where(flat, 0, np.copysign(size, local))
        return Feature(pos + mat @ corner, mat[:, flat])
    if kind == MESH:
        first = model.mesh_vertadr[model.geom_dataid[geom]]
        vertices = model.mesh_vert[first : first + model.mesh_vertnum[model.geom_dataid[geom]]].astype(float)
        height = vertices @ local
        near = vertices[height > height.max() - FLAT * np.abs(vertices).max()]
        _, lengths, axes = np.linalg.svd(near - near[0])
        rank = int((lengths > 1e-3 * np.abs(vertices).max()).sum())
        return Feature(pos + mat @ near[0], (mat @ axes[:rank].T)) if rank < 3 else None
    return None


def exact(model, geoms, poses, at, normal):
    """Point, normal and distance of the exact contact near a point with a normal, or None."""
    sides = [feature_of(model, geoms[k], *poses[k], at, normal * (1 - 2 * k)) for k in (0, 1)]
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
    return bool(kinds & {ELLIPSOID, CYLINDER, MESH}) and not kinds & {PLANE, HFIELD} and not kinds <= {BOX, MESH} and kinds != {SPHERE, CYLINDER} and max(kinds) <= MESH


def exchange(model, data):
    """Puts exact contacts in the place of those that the search has found."""
    first = {}
    for i in range(data.ncon):
        contact = data.contact[i]
        geoms = tuple(int(g) for g in contact.geom)
        if min(geoms) < 0 or not is_searched(model, geoms):
            continue
        poses = [(data.geom_xpos[g].copy(), data.geom_xmat[g].reshape(3, 3).copy()) for g in geoms]
        normal, pos = contact.frame[:3].copy(), contact.pos.copy()
        if geoms not in first:
            found = exact(model, geoms, poses, pos, normal)
            found = found if near(found, contact) else None
            first[geoms] = found
        elif first[geoms] is not None:
            frame = frame_of(first[geoms][1])
            tries = (exact(model, geoms, tilt, pos, normal) for tilt in tilted(poses, frame, first[geoms][0]))
            found = next((other for other in tries if near(other, contact)), None)
            found = found and (*found[:2], first[geoms][2])
        else:
            found = None
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
