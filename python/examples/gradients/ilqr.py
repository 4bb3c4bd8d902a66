"""Iterative linear-quadratic regulator on analytic derivatives of steps (Li and Todorov, 2004; Tassa, Erez and Todorov, 2012)."""

from collections.abc import Callable
from dataclasses import dataclass

import kinetree
import numpy as np


@dataclass
class Problem:
    """A trajectory of `steps` steps from the state `start`, `(qpos, qvel)`.

    Costs are quadratic: of the state `½ eᵀ Q e` with `e` from `error(data)`, whose Jacobian by the state (tangent space) is taken as constant,
    the rows of `jacobian`; of controls `½ r |u|²`.
    """

    model: kinetree.MjModel
    start: np.ndarray
    steps: int
    error: Callable[[kinetree.MjData], np.ndarray]
    jacobian: np.ndarray
    running: np.ndarray
    final: np.ndarray
    effort: float

    def __post_init__(self):
        self.data = kinetree.MjData(self.model)
        self.nx, self.nu = 2 * self.model.nv + self.model.na, self.model.nu

    def simulate(self, controls, feedback=None):
        """States, controls and cost along a trajectory; feedback is a function of the time and the data."""
        d, cost, states = self.data, 0.0, []
        kinetree.mj_resetData(self.model, d)
        nq, nv = self.model.nq, self.model.nv
        d.qpos[:], d.qvel[:] = self.start[:nq], self.start[nq:nq + nv]
        used = np.empty_like(controls)
        for t in range(self.steps):
            states.append((d.qpos.copy(), d.qvel.copy(), d.qacc_warmstart.copy()))
            used[t] = controls[t] if feedback is None else feedback(t, d)
            d.ctrl[:] = used[t]
            error = self.error(d)
            cost += 0.5 * error @ (self.running * error) + 0.5 * self.effort * used[t] @ used[t]
            kinetree.mj_step(self.model, d)
        error = self.error(d)
        return states, used, cost + 0.5 * error @ (self.final * error)

    def derivatives(self, states, controls):
        """`A` and `B` of all steps."""
        d = self.data
        a, b = np.empty((self.steps, self.nx, self.nx)), np.empty((self.steps, self.nx, self.nu))
        for t, (qpos, qvel, warm) in enumerate(states):
            d.qpos[:], d.qvel[:], d.qacc_warmstart[:], d.ctrl[:] = qpos, qvel, warm, controls[t]
            kinetree.mjd_transition(self.model, d, a[t], b[t])
        return a, b

    def errors(self, states):
        """The error of each state before the last."""
        out, d = [], self.data
        for qpos, qvel, _ in states:
            d.qpos[:], d.qvel[:] = qpos, qvel
            out.append(self.error(d))
        return out

    def difference(self, qpos, qvel, d):
        """The state of a data minus another, in the tangent space."""
        change = np.empty(self.model.nv)
        kinetree.mj_differentiatePos(self.model, change, 1.0, qpos, d.qpos)
        return np.concatenate([change, d.qvel - qvel])


def backward(problem, a, b, errors, final_error, controls, regularization):
    """Gains and feedforward of all steps; None when a Hessian is not positive definite."""
    s = problem.jacobian
    vx = s.T @ (problem.final * final_error)
    vxx = s.T @ (problem.final[:, None] * s)
    running = s.T @ (problem.running[:, None] * s)
    gains = np.empty((problem.steps, problem.nu, problem.nx))
    forward = np.empty((problem.steps, problem.nu))
    for t in reversed(range(problem.steps)):
        qx = s.T @ (problem.running * errors[t]) + a[t].T @ vx
        qu = problem.effort * controls[t] + b[t].T @ vx
        lifted = vxx + regularization * np.eye(problem.nx)
        quu = problem.effort * np.eye(problem.nu) + b[t].T @ lifted @ b[t]
        qux = b[t].T @ lifted @ a[t]
        try:
            factor = np.linalg.cholesky(quu)
        except np.linalg.LinAlgError:
            return None
        solved = np.linalg.solve(factor.T, np.linalg.solve(factor, np.column_stack([qu, qux])))
        forward[t], gains[t] = -solved[:, 0], -solved[:, 1:]
        vx = qx + gains[t].T @ (b[t].T @ vxx @ b[t] @ forward[t] + problem.effort * forward[t] + qu) + (b[t].T @ vxx @ a[t]).T @ forward[t]
        closed = a[t] + b[t] @ gains[t]
        vxx = running + closed.T @ vxx @ closed + problem.effort * gains[t].T @ gains[t]
        vxx = 0.5 * (vxx + vxx.T)
    return gains, forward


def solve(problem, controls, iterations=100, limit=None):
    """Controls of least cost that are found from a first guess, and the cost after each iteration."""
    states, controls, cost = problem.simulate(controls)
    costs, regularization, final_error = [cost], 1e-6, problem.error(problem.data)
    for _ in range(iterations):
        a, b = problem.derivatives(states, controls)
        errors = problem.errors(states)
        found = backward(problem, a, b, errors, final_error, controls, regularization)
        improved = False
        if found is not None:
            gains, forward = found
            for step in 0.6 ** np.arange(12):

                def feedback(t, d, step=step, gains=gains, forward=forward, states=states, controls=controls):
                    u = controls[t] + step * forward[t] + gains[t] @ problem.difference(states[t][0], states[t][1], d)
                    return u if limit is None else np.clip(u, -limit, limit)

                trial = problem.simulate(controls, feedback)
                if trial[2] < costs[-1]:
                    states, controls, cost = trial
                    final_error, improved = problem.error(problem.data), True
                    break
        if not improved:
            regularization = max(1e-6, 8 * regularization)
            if regularization > 1e8:
                break
            continue
        regularization = max(1e-8, regularization / 4)
        costs.append(cost)
        if costs[-2] - cost < 1e-5 * costs[-2]:
            break
    return controls, costs
