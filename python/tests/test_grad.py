"""Derivatives of steps and trajectories."""

import kinetree
import numpy as np
import pytest
from kinetree import grad

XML = """
<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="1 1 1" friction="0.3 0.005 0.0001"/>
  <body pos="0 0 0.3"><freejoint/><geom size="0.1" friction="0.6 0.005 0.0001" mass="1.3"/><site name="site" pos="0.05 0 0"/>
    <body pos="0.1 0 0.1"><joint name="hinge" axis="0 1 0" damping="0.2"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03"/></body>
  </body></worldbody>
  <actuator><motor joint="hinge"/><general joint="hinge" dyntype="filter" dynprm="0.1" gainprm="2"/></actuator>
  <sensor><accelerometer site="site"/><jointvel joint="hinge"/><e_potential/></sensor></mujoco>"""


@pytest.fixture
def world():
    model = kinetree.MjModel.from_xml_string(XML)
    model.opt.tolerance, model.opt.iterations = 0, 100
    data = kinetree.MjData(model)
    data.qvel[:] = [0.5, 0.2, 0, 0.1, 0.3, 0.2, 0.4]
    data.ctrl[:] = [0.2, 0.5]
    kinetree.mj_step(model, data, nstep=120)
    assert data.ncon > 0
    return model, data


def test_transition_agrees_with_finite_differences(world):
    model, data = world
    nx = 2 * model.nv + model.na
    a, b = np.zeros((nx, nx)), np.zeros((nx, model.nu))
    fd_a, fd_b = np.zeros_like(a), np.zeros_like(b)
    before = data.qpos.copy()
    kinetree.mjd_transition(model, data, a, b)
    assert np.array_equal(before, data.qpos)
    kinetree.mjd_transitionFD(model, data, 1e-6, True, fd_a, fd_b, None, None)
    np.testing.assert_allclose(a, fd_a, atol=1e-5)
    np.testing.assert_allclose(b, fd_b, atol=1e-5)
    kinetree.mjd_transition(model, data, None, b)


def test_wrong_arguments_are_named(world):
    model, data = world
    with pytest.raises(TypeError, match="A should be of shape"):
        kinetree.mjd_transition(model, data, np.zeros((2, 2)))
    with pytest.raises(TypeError, match="adjoint should have"):
        grad.step_vjp(model, data, np.zeros(3))
    with pytest.raises(TypeError, match="controls should be of shape"):
        grad.rollout_vjp(model, data, np.zeros((4, 1)), np.zeros((5, 2 * model.nv + model.na)))
    with pytest.raises(kinetree.FatalError, match="no gradient with respect to geom_size"):
        grad.step_vjp(model, data, np.zeros(2 * model.nv + model.na), ["geom_size"])
    model.opt.integrator = kinetree.mjtIntegrator.mjINT_RK4
    with pytest.raises(kinetree.FatalError, match="RK4"):
        kinetree.mjd_transition(model, data, None, None)


def test_inverse_derivatives(world):
    model, data = world
    kinetree.mj_forward(model, data)
    nv = model.nv
    widths = [nv, nv, nv, *[model.nsensordata] * 3, model.nM]
    found = [np.zeros((nv, width)) for width in widths]
    expected = [np.zeros_like(m) for m in found]
    kinetree.mjd_inverse(model, data, 1, *found)
    kinetree.mjd_inverseFD(model, data, 1e-8, 1, *expected)
    for analytic, differences in zip(found, expected, strict=True):
        np.testing.assert_allclose(analytic, differences, atol=1e-5 * max(1, abs(differences).max()))


def test_products_agree(world):
    model, data = world
    random = np.random.default_rng(1)
    nx = 2 * model.nv + model.na
    w, dx, du = random.normal(size=nx), random.normal(size=nx), random.normal(size=model.nu)
    gx, gu = grad.step_vjp(model, data, w)
    assert w @ grad.step_jvp(model, data, dx, du) == pytest.approx(gx @ dx + gu @ du, abs=1e-10)


def test_trajectory_gradients(world):
    model, data = world
    kinetree.mj_resetData(model, data)
    data.qvel[0] = 0.7
    steps = 100
    controls = 0.3 * np.random.default_rng(2).normal(size=(steps, model.nu))
    start = data.qpos.copy(), data.qvel.copy()

    def loss():
        d = kinetree.MjData(model)
        d.qpos[:], d.qvel[:] = start
        for row in controls:
            d.ctrl[:] = row
            kinetree.mj_step(model, d)
        return d.qpos[0] + 0.3 * d.qvel[6]

    gradients = np.zeros((steps, 2 * model.nv + model.na))
    gradients[-1, 0], gradients[-1, model.nv + 6] = 1, 0.3
    _, du, fields = grad.rollout_vjp(model, data, controls, gradients, ["body_mass", "geom_friction", "dof_damping"])
    assert du.shape == controls.shape and fields["geom_friction"].shape == (model.ngeom, 3)
    eps = 1e-6

    def check(array, at, found):
        saved = array[at]
        values = []
        for by in (eps, -eps):
            array[at] = saved + by
            values.append(loss())
        array[at] = saved
        assert found == pytest.approx((values[0] - values[1]) / (2 * eps), rel=1e-4, abs=1e-7)

    check(controls, (10, 0), du[10, 0])
    check(model.body_mass, 1, fields["body_mass"][1])
    check(model.geom_friction, (1, 0), fields["geom_friction"][1, 0])
    check(model.dof_damping, 6, fields["dof_damping"][6])


def test_step_takes_many_worlds(world):
    model, data = world
    state = np.concatenate([data.qpos, data.qvel, data.act])
    states, controls = np.tile(state, (5, 1)), np.tile(data.ctrl, (5, 1))
    states[:, model.nq] += np.arange(5) * 0.01
    one, many = grad.Step(model), grad.Step(model, threads=3)
    np.testing.assert_array_equal(one.forward(states, controls), many.forward(states, controls))
    weights = np.random.default_rng(3).normal(size=states.shape)
    dstate, dctrl = many.backward(states, controls, weights)
    eps = 1e-6
    for column in (0, 1, model.nq + 2, model.nq + model.nv):
        nudged = [states.copy(), states.copy()]
        nudged[0][:, column] += eps
        nudged[1][:, column] -= eps
        plus, minus = (one.forward(x, controls) for x in nudged)
        expected = ((plus - minus) * weights).sum(axis=1) / (2 * eps)
        np.testing.assert_allclose(dstate[:, column], expected, atol=2e-5)
    assert dctrl.shape == controls.shape
    with pytest.raises(TypeError, match="ctrl should have 2 values"):
        one.forward(state, np.zeros(3))
    with pytest.raises(ValueError, match="threads"):
        grad.Step(model, threads=0)


def rolling_loss(step, engine, state, controls, total):
    for row in controls:
        state = step(engine, state, row)
    return total(state[:2] ** 2)


def test_smooth_contacts_are_felt_before_they_touch():
    model = kinetree.MjModel.from_xml_string(
        '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.105"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
    )
    smooth = grad.smooth_contacts(model, 0.01)
    assert model.geom_margin.max() == 0 and smooth.geom_margin.max() > 0, "the model itself stays as it is"
    pulls = []
    for each in (model, smooth):
        data = kinetree.MjData(each)
        dx, _ = grad.step_vjp(each, data, np.eye(12)[8])  # the next velocity upwards
        pulls.append(dx[2])
    assert pulls[0] == 0 and pulls[1] < 0, "higher above the plane it is pushed less"
    for radius in (0, -1, float("nan"), float("inf")):
        with pytest.raises(kinetree.FatalError, match="radius"):
            grad.smooth_contacts(model, radius)


def test_torch(world):
    torch = pytest.importorskip("torch")
    from kinetree import grad_torch

    model, data = world
    engine = grad.Step(model)
    state = torch.tensor(np.concatenate([data.qpos, data.qvel, data.act]))
    controls = torch.full((5, model.nu), 0.2, dtype=torch.float64, requires_grad=True)
    rolling_loss(grad_torch.step, engine, state, controls, torch.sum).backward()
    check_against_rollout(model, data, controls.detach().numpy(), controls.grad.numpy())


def test_jax(world):
    jax = pytest.importorskip("jax")
    from kinetree import grad_jax

    jax.config.update("jax_enable_x64", True)
    model, data = world
    engine = grad.Step(model)
    state = jax.numpy.array(np.concatenate([data.qpos, data.qvel, data.act]))
    controls = jax.numpy.full((5, model.nu), 0.2)
    gradient = jax.grad(lambda u: rolling_loss(grad_jax.step, engine, state, u, jax.numpy.sum))(controls)
    check_against_rollout(model, data, np.asarray(controls), np.asarray(gradient))
    many = jax.vmap(lambda s: grad_jax.step(engine, s, controls[0]))(jax.numpy.stack([state, state]))
    assert many.shape == (2, engine.state_size)


def check_against_rollout(model, data, controls, gradient):
    """The gradient of the squared distance from the origin after some steps."""
    end = kinetree.MjData(model)
    end.qpos[:], end.qvel[:], end.act[:] = data.qpos, data.qvel, data.act
    for row in controls:
        end.ctrl[:] = row
        kinetree.mj_step(model, end)
    gradients = np.zeros((len(controls), 2 * model.nv + model.na))
    gradients[-1, :2] = 2 * end.qpos[:2]
    _, du = grad.rollout_vjp(model, data, controls, gradients)
    np.testing.assert_allclose(gradient, du, atol=1e-9)


def test_trajectories_without_actuators():
    model = kinetree.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>")
    data = kinetree.MjData(model)
    data.qpos[0] = 0.3
    dx, du = grad.rollout_vjp(model, data, np.zeros((5, 0)), np.ones((5, 2)))
    assert du.shape == (5, 0) and dx.shape == (2,) and np.isfinite(dx).all()


def test_names_of_fields_are_a_list(model, data):
    with pytest.raises(TypeError, match="body_mass"):
        grad.step_vjp(model, data, np.zeros(2 * model.nv + model.na), "body_mass")
