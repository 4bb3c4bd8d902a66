"""Pusher and Reacher: arms with something to reach."""

import numpy as np

from kinetree.envs.runners import control_cost
from kinetree.envs.vector import BatchVectorEnv


class _Arm(BatchVectorEnv):
    """What both arms have in common: distances between bodies, and costs of controls."""

    outputs = ("xpos",)

    def _body(self, name, worlds=slice(None)):
        return self.batch.xpos[worlds, self.model.body(name).id]

    def _between(self, one, other, worlds=slice(None)):
        return self._body(one, worlds) - self._body(other, worlds)


class ReacherVectorEnv(_Arm):
    """Reacher: bring the tip of an arm to a target."""

    def __init__(self, num_envs=1, *, xml_file="reacher.xml", frame_skip=2, reward_dist_weight=1, reward_control_weight=1, **arguments):
        self._weights = reward_dist_weight, reward_control_weight
        super().__init__(xml_file, num_envs, frame_skip=frame_skip, **arguments)

    def first_state(self, random):
        """Noise around the first state, and a target in a disc."""
        qpos = random.uniform(low=-0.1, high=0.1, size=self.model.nq) + self.init_qpos
        goal = random.uniform(low=-0.2, high=0.2, size=2)
        while np.linalg.norm(goal) >= 0.2:
            goal = random.uniform(low=-0.2, high=0.2, size=2)
        qpos[-2:] = goal
        qvel = self.init_qvel + random.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel

    def observe(self, worlds):
        """Cosines and sines of the angles, the target, velocities, and the way from the target to the tip."""
        qpos, way = self.batch.qpos[worlds], self._between("fingertip", "target", worlds)
        angles = qpos[:, :2]
        return np.concatenate((np.cos(angles), np.sin(angles), qpos[:, 2:], self.batch.qvel[worlds, :2], way[:, :2]), axis=1)

    def evaluate(self, actions, before):
        """Less the nearer the tip is, less the cost of controls."""
        near = -np.linalg.norm(self._between("fingertip", "target"), axis=1) * self._weights[0]
        control = -control_cost(self._weights[1], actions)
        return near + control, np.zeros(self.num_envs, dtype=bool), {"reward_dist": near, "reward_ctrl": control}


class PusherVectorEnv(_Arm):
    """Pusher: push an object to a goal."""

    def __init__(self, num_envs=1, *, xml_file="pusher_v5.xml", frame_skip=5, reward_near_weight=0.5, reward_dist_weight=1,
                 reward_control_weight=0.1, **arguments):
        self._weights = reward_near_weight, reward_dist_weight, reward_control_weight
        super().__init__(xml_file, num_envs, frame_skip=frame_skip, **arguments)

    def first_state(self, random):
        """An object that is not at the goal already, and noise in velocities."""
        def place():
            return np.concatenate((random.uniform(low=-0.3, high=0, size=1), random.uniform(low=-0.2, high=0.2, size=1)))

        cylinder = place()
        while np.linalg.norm(cylinder) <= 0.17:
            cylinder = place()
        qpos = self.init_qpos.copy()
        qpos[-4:-2], qpos[-2:] = cylinder, 0
        qvel = self.init_qvel + random.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel

    def observe(self, worlds):
        """Angles and velocities of the arm; places of its tip, the object and the goal."""
        places = [self._body(name, worlds) for name in ("tips_arm", "object", "goal")]
        return np.concatenate((self.batch.qpos[worlds, :7], self.batch.qvel[worlds, :7], *places), axis=1)

    def evaluate(self, actions, before):
        """Less the nearer arm, object and goal are, less the cost of controls."""
        near = -np.linalg.norm(self._between("object", "tips_arm"), axis=1) * self._weights[0]
        distance = -np.linalg.norm(self._between("object", "goal"), axis=1) * self._weights[1]
        control = -control_cost(self._weights[2], actions)
        info = {"reward_dist": distance, "reward_ctrl": control, "reward_near": near}
        return distance + control + near, np.zeros(self.num_envs, dtype=bool), info
