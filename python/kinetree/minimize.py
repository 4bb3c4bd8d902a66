"""Nonlinear least squares with box bounds: a regularized Gauss–Newton method.

Each iteration minimizes the quadratic model `gᵀd + ½ dᵀ(H + μI)d` of the objective within the bounds, where `g` and `H` are the
gradient and the Gauss–Newton Hessian of `norm(residual(x))`. A step that does not reduce the objective enough is repeated
with a larger `μ`; a step that the model predicts well makes `μ` smaller.
"""

import abc
import dataclasses
import enum
import time

import numpy as np

from kinetree._core import mju_boxQP

# least fraction of the reduction that the gradient predicts
_SUFFICIENT = 1e-2


class Verbosity(enum.Enum):
    """How much `least_squares` prints: nothing, a summary, a line per iteration, or lines and details in the logs."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why `least_squares` ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_REASONS = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "no sufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iteration of `least_squares`.

    Args:
        candidate: point at which it began.
        objective: objective there.
        reduction: how much the step reduced it.
        regularizer: regularizer of the step.
        residual: residual at the point; like the following ones only at the verbosity `FULLITER`.
        jacobian: Jacobian of the residual.
        grad: gradient of the objective.
        step: the step.
    """

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """How residuals are measured; subclasses define `value` and `grad_hess`."""

    @abc.abstractmethod
    def value(self, r):
        """The norm of a residual `r`, shape (m, 1)."""

    @abc.abstractmethod
    def grad_hess(self, r, proj):
        """Gradient `projᵀ ∂n/∂r` and Hessian `projᵀ ∂²n/∂r² proj` at the residual `r`, (m, 1), for a matrix `proj`, (m, n)."""


class Quadratic(Norm):
    """Half the sum of squares, the norm of ordinary least squares."""

    def value(self, r):
        """Half the sum of squares of `r`."""
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r, proj):
        """Gradient `projᵀ r` and Hessian `projᵀ proj`."""
        return proj.T @ r, proj.T @ proj


class _Regularizer:
    """The number that is added to the diagonal of the Hessian. Repeated decreases go faster and faster."""

    def __init__(self, smallest, largest, factor):
        if factor <= 1:
            raise ValueError("mu_factor must be > 1.")
        self.value, self.smallest, self.largest, self.factor = np.float64(0.0), smallest, largest, factor
        self.decreases = 0

    @property
    def exhausted(self):
        return self.value >= self.largest

    def increase(self):
        self.value = np.float64(max(self.smallest, self.factor * self.value))
        self.decreases = 0

    def decrease(self):
        smaller = self.value * self.factor ** -(2.0**self.decreases)
        self.value = np.float64(0.0 if smaller < self.smallest else smaller)
        self.decreases += 1


class _Problem:
    """The residual and its Jacobian, with counts of evaluations and the time they took."""

    def __init__(self, residual, jacobian, bounds, eps):
        self.residual, self.jacobian, self.bounds, self.eps = residual, jacobian, bounds, np.float64(eps)
        self.n_res, self.n_jac, self.t_res, self.t_jac = 0, 0, 0.0, 0.0

    def evaluate(self, x):
        start = time.time()
        r = self.residual(x)
        self.t_res += time.time() - start
        self.n_res += x.shape[1]
        return r

    def differentiate(self, x, r):
        if self.jacobian is None:
            start = time.time()
            jac, self.n_res = jacobian_fd(self.residual, x, r, self.eps, self.n_res, self.bounds)
            self.t_res += time.time() - start
            return jac
        start = time.time()
        jac = self.jacobian(x, r)
        self.t_jac += time.time() - start
        self.n_jac += 1
        return jac


def _check_bounds(bounds, n):
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds must be a pair: lower and upper.")
    lower, upper = (np.asarray(b, dtype=np.float64) for b in bounds)
    if lower.size != n or upper.size != n:
        raise ValueError(f"bounds must have {n} values each, like x0.")
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        raise ValueError("bounds must be finite.")
    if not (lower < upper).all():
        raise ValueError("each lower bound must be below its upper bound.")
    return [lower.reshape(n, 1), upper.reshape(n, 1)]


def _free_gradient(x, grad, bounds):
    """The part of the gradient that is not held back by a bound."""
    if bounds is None:
        return grad
    held = ((x == bounds[0]) & (grad > 0)) | ((x == bounds[1]) & (grad < 0))
    return grad[~held]


def _find_step(problem, norm, x, y, grad, hess, dx, mu):
    """A step that reduces the objective enough: `(status, new residual, reduction)`; `dx` is changed in place."""
    n = x.shape[0]
    scratch, eye = np.zeros((n, n + 7)), np.eye(n)
    lower, upper = (None, None) if problem.bounds is None else (problem.bounds[0] - x, problem.bounds[1] - x)
    while True:
        while mju_boxQP(dx, scratch, None, hess + mu.value * eye, grad, lower, upper) < 0:
            if mu.exhausted:
                return Status.FACTORIZATION_FAILED, None, 0.0
            mu.increase()
        r = problem.evaluate(x + dx)
        reduction = y - norm.value(r)
        if reduction + _SUFFICIENT * (grad.T @ dx).item() >= 0:
            return Status.MAX_ITER, r, reduction
        if mu.exhausted:
            return Status.NO_IMPROVEMENT, None, 0.0
        mu.increase()


_QUADRATIC = Quadratic()
_ROOT_EPS = np.finfo(np.float64).eps ** 0.5


def least_squares(
    x0,
    residual,
    bounds=None,
    jacobian=None,
    norm=_QUADRATIC,
    eps=_ROOT_EPS,
    mu_min=1e-6,
    mu_max=1e8,
    mu_factor=10.0**0.1,
    xtol=1e-8,
    gtol=1e-8,
    max_iter=100,
    verbose=Verbosity.ITER,
    output=None,
    iter_callback=None,
    check_derivatives=False,
):
    """Minimizes `norm(residual(x))` within bounds; returns the best `x` and a list of `IterLog`.

    Args:
        x0: where to start.
        residual: function of an array with one point per column that returns one residual per column.
        bounds: lower and upper bounds, or None.
        jacobian: function of a point and its residual that returns the Jacobian; finite differences without it.
        norm: how residuals are measured.
        eps: relative size of finite differences.
        mu_min: smallest regularizer that is not zero.
        mu_max: largest regularizer.
        mu_factor: factor by which it changes, above 1.
        xtol: the search ends when the relative length of a step is below this.
        gtol: the search ends when the norm of the gradient is below this.
        max_iter: largest number of iterations.
        verbose: a `Verbosity`.
        output: where messages go; standard output without it.
        iter_callback: function of the list of logs, called after each iteration.
        check_derivatives: whether to compare Jacobian and norm with finite differences first.

    Raises:
        ValueError: the starting point, the bounds or the residual are not as described.

    Example::

        x, trace = least_squares(np.zeros(3), lambda x: simulate(x) - measured, bounds=(lower, upper))
    """
    start = time.time()
    verbose = Verbosity(verbose).value
    mu = _Regularizer(mu_min, mu_max, mu_factor)
    n = x0.size
    x = x0.astype(np.float64).reshape(n, 1)
    bounds = _check_bounds(bounds, n)
    if bounds is not None:
        x = np.clip(x, *bounds)
    if not np.isfinite(x).all():
        raise ValueError("x0 must be finite.")
    problem = _Problem(residual, jacobian, bounds, eps)
    r = problem.evaluate(x)
    if r.dtype != np.float64:
        raise ValueError("residual must return arrays of float64.")
    trace = []

    def record(log):
        trace.append(log)
        if iter_callback is not None:
            iter_callback(trace)

    status, iteration, dx = Status.MAX_ITER, 0, np.zeros((n, 1))
    for iteration in range(max_iter):
        y = norm.value(r)
        jac = problem.differentiate(x, r)
        if iteration == 0 and check_derivatives:
            if jacobian is not None:
                problem.n_res = check_jacobian(residual, x, r, jac, problem.eps, problem.n_res, bounds, output)
            if not isinstance(norm, Quadratic):
                check_norm(r, norm, problem.eps, output)
        grad, hess = norm.grad_hess(r, jac)
        gradient_norm = np.linalg.norm(_free_gradient(x, grad, bounds))
        if gradient_norm <= gtol:
            status = Status.G_TOL
            if gradient_norm == 0:
                print("The gradient is zero: exact minimum found?", file=output)
            break
        dx = dx.copy()
        status, r_new, reduction = _find_step(problem, norm, x, y, grad, hess, dx, mu)
        if status != Status.MAX_ITER:
            break
        expected = -(grad.T @ dx + 0.5 * dx.T @ hess @ dx).item()
        ratio = reduction / expected if expected > 0 else 0.0
        length = np.linalg.norm(dx)
        if verbose >= Verbosity.ITER.value:
            digits = np.log10(mu.value) if mu.value > 0 else -np.inf
            print(f"iter: {iteration:<3d}  y: {y:<9.4g}  log10mu: {digits:>4.1f}  ratio: {ratio:<7.2g}  "
                  f"dx: {length:<7.2g}  reduction: {reduction:<7.2g}", file=output)
        details = dict(residual=r, jacobian=jac, grad=grad, step=dx) if verbose >= Verbosity.FULLITER.value else {}
        record(IterLog(x, y, reduction, mu.value, **details))
        if length < xtol * (xtol + np.linalg.norm(x)):
            status = Status.DX_TOL
            break
        if ratio > 0.75:
            mu.decrease()
        elif ratio < 0.25:
            mu.increase()
        x, r = x + dx, r_new

    y = norm.value(r)
    details = {}
    if verbose >= Verbosity.FULLITER.value:
        jac = problem.differentiate(x, r)
        details = dict(residual=r, jacobian=jac, grad=norm.grad_hess(r, jac)[0])
    record(IterLog(x, y, np.float64(0.0), mu.value, **details))
    if verbose > Verbosity.SILENT.value:
        _summarize(problem, status, iteration, y, time.time() - start, output)
    return x.reshape(x0.shape), trace


def _summarize(problem, status, iterations, y, total, output):
    counts = f"residual evaluations: {problem.n_res}"
    if problem.n_jac:
        counts += f", Jacobian evaluations: {problem.n_jac}"
    print(f"Ended after {iterations} iterations: {_REASONS[status]} y: {y:<.4g}, {counts}", file=output)
    if total > 0:
        shares = f"residual {100 * problem.t_res / total:.1f}%"
        if problem.t_jac > 0:
            shares += f", Jacobian {100 * problem.t_jac / total:.1f}%"
        print(f"total time {1000 * total:.1f} ms: {shares}", file=output)


def jacobian_fd(residual, x, r, eps, n_res, bounds):
    """Jacobian by finite differences within the bounds, and the number of evaluations so far.

    Args:
        residual: function of an array with one point per column that returns one residual per column.
        x: point, shape (n, 1).
        r: residual there, shape (m, 1).
        eps: relative size of differences.
        n_res: number of evaluations before.
        bounds: lower and upper bounds, or None.
    """
    n = x.shape[0]
    step = np.full(n, eps) * np.maximum(1.0, np.abs(x[:, 0])) if bounds is None else eps * (bounds[1] - bounds[0])[:, 0]
    if bounds is not None:
        # towards the middle, so that no point is outside
        step = np.where(x[:, 0] > 0.5 * (bounds[0] + bounds[1])[:, 0], -step, step)
    # the difference that is representable
    step = (x[:, 0] + step) - x[:, 0]
    moved = residual(x + np.diag(step))
    return (moved - r) / step, n_res + n


def check_jacobian(residual, x, r, jac, eps, n_res, bounds, output=None, name="Jacobian"):
    """Compares a Jacobian with finite differences; returns the number of evaluations so far.

    Args:
        residual: function of an array with one point per column that returns one residual per column.
        x: point, shape (n, 1).
        r: residual there, shape (m, 1).
        jac: the Jacobian, shape (m, n).
        eps: relative size of differences.
        n_res: number of evaluations before.
        bounds: lower and upper bounds, or None.
        output: where the result is printed; None for standard output.
        name: what it is called in messages.

    Raises:
        ValueError: they differ.
    """
    numeric, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    scale = max(1.0, np.abs(numeric).max())
    worst = np.abs(jac - numeric).max() / scale
    if worst > eps**0.5:
        raise ValueError(f"User-provided {name} does not match finite differences: largest error {worst:.3g}")
    print(f"User-provided {name} matches finite differences: largest error {worst:.3g}", file=output)
    return n_res


def check_norm(r, norm, eps, output=None):
    """Compares gradient and Hessian of a norm with finite differences.

    Args:
        r: residual, shape (m, 1).
        norm: the `Norm`.
        eps: relative size of differences.
        output: where the result is printed; None for standard output.

    Raises:
        ValueError: they differ, or the Hessian is not symmetric and positive definite.
    """
    n = r.size
    grad, hess = norm.grad_hess(r, np.eye(n))
    asymmetry = np.abs(hess - hess.T).max()
    if asymmetry > 1e-12 * max(1.0, np.abs(hess).max()):
        raise ValueError(f"The Hessian of the norm is not symmetric: difference {asymmetry:.3g}")
    if np.linalg.eigvalsh(hess).min() < -1e-12 * max(1.0, np.abs(hess).max()):
        raise ValueError("The Hessian of the norm is not positive definite")

    def values(points):
        return np.array([[norm.value(points[:, [i]]) for i in range(points.shape[1])]])

    def gradients(points):
        return np.hstack([norm.grad_hess(points[:, [i]], np.eye(n))[0] for i in range(points.shape[1])])

    check_jacobian(values, r, values(r), grad.T, eps, 0, None, output, "norm gradient")
    check_jacobian(gradients, r, grad, hess, eps, 0, None, output, "norm Hessian")
