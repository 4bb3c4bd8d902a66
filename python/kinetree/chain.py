"""Chains of joints and their Jacobians: what `kinetree.ik` has of one chain."""

import numpy as np

from kinetree import _core


class Chain(_core.CoreChain):
    """The joints between two frames of a model: bodies (links), sites or geoms, by name.

    ``base`` may be ``"world"``. The chain holds copies of the model's constants. The rows of Jacobians are linear, then angular;
    ``frame`` is ``"world"``, ``"local"`` or ``"local_world_aligned"``.

    Args:
        model: the `MjModel`.
        base: name of the frame at the base.
        end: name of the frame at the end.
        base_type: ``"body"``, ``"site"`` or ``"geom"``, where one name belongs to several elements.
        end_type: the same for the end.
    """

    def singular_values(self, q):
        """Singular values of the Jacobian, largest first.

        Args:
            q: joint values, shape (nq,).
        """
        return self.decompose(q)[0]

    def manipulability(self, q):
        """Manipulability after Yoshikawa: the product of the singular values.

        Args:
            q: joint values, shape (nq,).
        """
        return float(np.prod(self.singular_values(q)))

    def condition_number(self, q):
        """Condition number of the Jacobian: its largest singular value divided by the smallest.

        Args:
            q: joint values, shape (nq,).
        """
        values = self.singular_values(q)
        return float(values[0] / values[-1]) if values[-1] > 0 else float("inf")

    def is_singular(self, q, threshold=1e-6):
        """Whether the smallest singular value of the Jacobian is below a threshold.

        Args:
            q: joint values, shape (nq,).
            threshold: the threshold.
        """
        return bool(self.singular_values(q)[-1] < threshold)

    def null_space(self, q, tolerance=1e-9):
        """Orthonormal joint velocities that do not move the end, as columns of an (nv, k) array.

        Args:
            q: joint values, shape (nq,).
            tolerance: singular values below this times the largest count as zero.
        """
        return self.decompose(q, tolerance)[1].T


def convert_jacobian(jacobian, pos, quat, from_type, to_type):
    """Takes a Jacobian from one reference frame to another by adjoints.

    Args:
        jacobian: the Jacobian of a frame, shape (6, n), linear rows first.
        pos: position of the frame in the base, shape (3,).
        quat: its orientation, a quaternion (w, x, y, z).
        from_type: what the Jacobian is: "analytic" ("local_world_aligned"), "geometric" ("local") or "world".
        to_type: what it shall be.

    Returns:
        An array of shape (6, n).
    """
    return _core.convert_jacobian(jacobian, pos, quat, from_type, to_type)


class AnalyticalJacobianCalculator:
    """Jacobians, singularity measures and manipulability of the links between a base and an end.

    Joint angles are those of the chain from base to end, whichever link is asked for; columns are those of the joints that move this link. Chains
    are kept by link.

    Args:
        model: the `MjModel`; one of `load_model` has all links.
        end_link: name of the link at the end: a body, site or geom.
        base_link: name of the link at the base; the world when it is empty.

    Example::

        calculator = kinetree.ik.AnalyticalJacobianCalculator(model, "tool0", "base_link")
        J = calculator.compute(q)
        elbow = calculator.compute(q, target_link="forearm")
    """

    convert_jacobian = staticmethod(convert_jacobian)

    def __init__(self, model, end_link, base_link=""):
        self._model, self._base = model, base_link
        self.chain = Chain(model, base_link, end_link)
        """The chain from base to end."""
        self._links = {}
        self._end = end_link

    @property
    def joint_names(self):
        """Names of the joints, in the order of the joint angles."""
        return self.chain.joint_names

    def compute(self, joint_angles, type="analytic", target_link=None):
        """Jacobian of a link, shape (6, n) with a column for each dof that moves the link, linear rows first.

        Args:
            joint_angles: values of all joints of the chain, shape (nq,), or (m, nq) for m matrices.
            type: "analytic" ("local_world_aligned"), "geometric" ("local") or "world".
            target_link: name of the link; None for the end.
        """
        chain, q = self._at(joint_angles, target_link)
        return chain.jacobian(q, type)

    def is_singular(self, joint_angles, threshold=1e-6, type="analytic", target_link=None):
        """Whether the smallest singular value of the Jacobian is below a threshold.

        Args:
            joint_angles: values of all joints of the chain, shape (nq,).
            threshold: the threshold.
            type: which Jacobian, as for `compute`.
            target_link: name of the link; None for the end.
        """
        return bool(self._singular_values(joint_angles, type, target_link)[-1] < threshold)

    def manipulability(self, joint_angles, type="analytic", target_link=None):
        """Manipulability after Yoshikawa: the product of the singular values.

        Args:
            joint_angles: values of all joints of the chain, shape (nq,).
            type: which Jacobian, as for `compute`.
            target_link: name of the link; None for the end.
        """
        return float(np.prod(self._singular_values(joint_angles, type, target_link)))

    def condition_number(self, joint_angles, type="analytic", target_link=None):
        """Largest singular value of the Jacobian divided by the smallest; infinite when that is zero.

        Args:
            joint_angles: values of all joints of the chain, shape (nq,).
            type: which Jacobian, as for `compute`.
            target_link: name of the link; None for the end.
        """
        values = self._singular_values(joint_angles, type, target_link)
        return float(values[0] / values[-1]) if values[-1] > 0 else float("inf")

    def null_space(self, joint_angles, tolerance=1e-9, target_link=None):
        """Orthonormal velocities of the joints that move a link, but together do not: the columns of an (n, k) array.

        Args:
            joint_angles: values of all joints of the chain, shape (nq,).
            tolerance: singular values below this times the largest count as zero.
            target_link: name of the link; None for the end.
        """
        chain, q = self._at(joint_angles, target_link)
        return chain.null_space(q, tolerance)

    def _singular_values(self, joint_angles, type, target_link):
        chain, q = self._at(joint_angles, target_link)
        return np.linalg.svd(chain.jacobian(q, type), compute_uv=False)

    def _at(self, joint_angles, target_link):
        """The chain to a link, and its own of the joint angles."""
        q = np.asarray(joint_angles, dtype=float)
        if q.ndim == 0 or q.shape[-1] != self.chain.nq:
            raise ValueError(f"joint_angles must have {self.chain.nq} numbers, as the whole chain has; their shape is {q.shape}")
        if not target_link or target_link == self._end:
            return self.chain, q
        if target_link not in self._links:
            self._links[target_link] = self._link(target_link)
        chain, columns = self._links[target_link]
        return chain, np.ascontiguousarray(q[..., columns])

    def _link(self, name):
        """The chain to a link, and where its joint values are among those of the whole chain."""
        chain = Chain(self._model, self._base, name)
        place = {address: i for i, address in enumerate(self.chain.qpos_indices)}
        missing = [address for address in chain.qpos_indices if address not in place]
        if missing:
            base = self._base or "world"
            raise ValueError(f"'{name}' is not on the chain from '{base}' to '{self._end}': other joints move it")
        return chain, [place[address] for address in chain.qpos_indices]
