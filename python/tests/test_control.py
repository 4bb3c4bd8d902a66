"""Regulators, derivatives of trajectories, iterative LQR and control by samples, against NumPy and single steps."""

import os
import signal
import threading
import time

import kinetree
import numpy as np
import pytest
from kinetree import control

CART_POLE = """
<mujoco>
  <option timestep="0.02" integrator="implicitfast"/>
  <worldbody>
    <body>
      <joint name="slider" type="slide" axis="1 0 0"/>
      <geom type="box" size=".1 .1 .1" mass="1" contype="0" conaffinity="0"/>
      <body>
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.6" size=".03" mass=".1" contype="0" conaffinity="0"/>
        <site name="tip" pos="0 0 -0.6"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slider" gear="10" ctrlrange="-1 1"/></actuator>
  <sensor><framepos name="tip" objtype="site" objname="tip"/></sensor>
</mujoco>"""


@pytest.fixture
def cart_pole():
    model = kinetree.MjModel.from_xml_string(CART_POLE)
    return model, kinetree.MjData(model)


def test_transitions_are_those_of_single_steps(cart_pole):
    m, d = cart_pole
    size = kinetree.mj_stateSize(m, kinetree.mjtState.mjSTATE_INTEGRATION.value)
    states, controls, expected = [], [], []
    for step in range(6):
        d.ctrl[:] = np.sin(step)
        row = np.empty(size)
        kinetree.mj_getState(m, d, row, kinetree.mjtState.mjSTATE_INTEGRATION.value)
        states.append(row)
        controls.append(d.ctrl.copy())
        matrices = [np.empty((4, 4)), np.empty((4, 1)), np.empty((3, 4)), np.empty((3, 1))]
        kinetree.mjd_transition(m, d, *matrices)
        expected.append(matrices)
        kinetree.mj_step(m, d)
    found = control.transitions(m, states, controls, sensors=True)
    for matrices, all_steps in zip(zip(*expected), found):
        np.testing.assert_array_equal(np.array(matrices), all_steps)
    assert control.transitions(m, states, controls).C is None
    with pytest.raises(ValueError, match="the list of controls should have 6 values, but has 5"):
        control.transitions(m, states, controls[1:])


def test_a_regulator_balances_the_pole(cart_pole):
    m, d = cart_pole
    d.qpos[1] = np.pi
    a, b = np.empty((4, 4)), np.empty((4, 1))
    kinetree.mjd_transition(m, d, a, b)
    found = control.lqr(a, b, np.eye(4), [[0.1]])
    p = found.P
    gain = np.linalg.solve(0.1 + b.T @ p @ b, b.T @ p @ a)
    np.testing.assert_allclose(found.K, gain, rtol=1e-9)
    np.testing.assert_allclose(p, np.eye(4) + a.T @ p @ (a - b @ gain), rtol=1e-8)
    long = control.tvlqr(np.repeat(a[None], 2000, 0), np.repeat(b[None], 2000, 0), np.eye(4), [[0.1]], np.zeros((4, 4)))
    np.testing.assert_allclose(long.K[0], found.K, rtol=1e-6)
    d.qpos[1] += 0.1
    for _ in range(500):
        d.ctrl[:] = -found.K @ np.concatenate([d.qpos - [0, np.pi], d.qvel])
        kinetree.mj_step(m, d)
    assert abs(d.qpos[1] - np.pi) < 1e-3 and abs(d.qpos[0]) < 1e-2
    with pytest.raises(ValueError, match="A and B should be matrices"):
        control.lqr(a, b.T, np.eye(4), [[1]])
    with pytest.raises(ValueError, match="no regulator was found"):
        control.lqr(2 * np.eye(2), [[0], [1]], np.eye(2), [[1]])


def test_the_pole_swings_up(cart_pole):
    m, d = cart_pole
    cost = control.QuadraticCost(
        qpos=[0, np.pi], running=[0.1, 0.1, 0.01, 0.01], terminal=[100, 500, 10, 50], control=[0.05],
        sensors=[control.SensorTerm("tip", [0, 0, 0.6], terminal=1.0, norm="length")],
    )
    guess = 0.3 * np.sin(0.1 * np.arange(100))[:, None]
    found = control.ilqr(m, d, guess, cost, iterations=300)
    assert abs(found.qpos[-1, 1] - np.pi) < 0.05
    assert np.abs(found.controls).max() <= 1.0 and d.time == 0.0
    assert found.cost == found.costs[-1] < found.costs[0] and found.gains.shape == (100, 1, 4)
    # a simulation with these controls comes to the same states
    for step in range(100):
        np.testing.assert_array_equal(d.qpos, found.qpos[step])
        d.ctrl[:] = found.controls[step]
        kinetree.mj_step(m, d)
    np.testing.assert_array_equal(d.qvel, found.qvel[100])


def test_sensors_of_the_end_need_no_cost(cart_pole):
    m, d = cart_pole
    found = control.ilqr(m, d, np.full((10, 1), 0.3), control.QuadraticCost(control=[1.0]), iterations=1)
    d.qpos[:], d.qvel[:] = found.qpos[-1], found.qvel[-1]
    kinetree.mj_forward(m, d)
    np.testing.assert_array_equal(found.sensordata[-1], d.sensordata)
    assert np.abs(found.sensordata[-1]).max() > 0.1


def test_ctrl_c_keeps_the_best_plan(cart_pole):
    m, d = cart_pole
    # with a long horizon, and a tolerance of zero, so that it takes longer than the timer
    cost = control.QuadraticCost(qpos=[0, np.pi], terminal=[100, 500, 10, 50], control=[0.05])
    guess = 0.3 * np.sin(0.01 * np.arange(2000))[:, None]
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt) as raised:
        timer.start()
        control.ilqr(m, d, guess, cost, iterations=10**6, tolerance=0.0)
        # it was found before: Ctrl-C should come to this test alone
        timer.join()
    plan = raised.value.solution
    assert isinstance(plan, control.Solution) and plan.status == "interrupted"
    assert plan.controls.shape == (2000, 1) and plan.gains.shape == (2000, 1, 4) and plan.qpos.shape == (2001, 2)
    assert plan.cost == plan.costs[-1] <= plan.costs[0]


SEARCHES = [control.predictive_sampling, control.cem, control.mppi]


@pytest.mark.parametrize("search", SEARCHES)
def test_samples_move_the_cart(cart_pole, search):
    m, d = cart_pole
    cost = control.QuadraticCost(qpos=[0.5, 0], running=[1, 0.1, 0.01, 0.01], terminal=[50, 5, 5, 1])
    found = search(m, d, 80, cost, iterations=60, noise=0.5, samples=24)
    assert abs(found.qpos[-1, 0] - 0.5) < 0.1 and found.cost < 0.5 * found.costs[0]
    assert np.all(np.diff(found.costs) <= 0) and found.iterations == 60 and found.status == "iteration limit"
    assert found.controls.shape == (80, 1) and np.abs(found.controls).max() <= 1 and d.time == 0.0
    # the same seed gives the same bits, another one others
    again = search(m, d, 80, cost, iterations=60, noise=0.5, samples=24)
    np.testing.assert_array_equal(found.states, again.states)
    other = search(m, d, 80, cost, iterations=60, noise=0.5, samples=24, seed=2**64 - 1)
    assert np.any(other.controls != found.controls)
    # what was found is what a simulation does, and the cost is that of its states
    total = 0.0
    for step in range(80):
        np.testing.assert_array_equal(d.qpos, found.qpos[step])
        total += 0.5 * np.concatenate([d.qpos - [0.5, 0], d.qvel]) ** 2 @ [1, 0.1, 0.01, 0.01]
        d.ctrl[:] = found.controls[step]
        kinetree.mj_step(m, d)
    total += 0.5 * np.concatenate([d.qpos - [0.5, 0], d.qvel]) ** 2 @ [50, 5, 5, 1]
    assert found.cost == pytest.approx(total, rel=1e-12)


def test_a_search_begins_with_the_knots_of_another(cart_pole):
    m, d = cart_pole
    cost = control.QuadraticCost(qpos=[0.5, 0], terminal=[50, 5, 5, 1])
    first = control.predictive_sampling(m, d, 80, cost, knots=5, interpolation="linear", seed=3)
    second = control.predictive_sampling(m, d, 80, cost, knots=first.knots, interpolation="linear", iterations=1)
    assert first.knots.shape == (5, 1) and second.cost <= first.cost


def test_ctrl_c_keeps_the_best_sample(cart_pole):
    m, d = cart_pole
    cost = control.QuadraticCost(qpos=[0.5, 0], terminal=[50, 5, 5, 1])
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt) as raised:
        timer.start()
        control.cem(m, d, 100, cost, iterations=10**9)
        timer.join()
    plan = raised.value.solution
    assert isinstance(plan, control.SampledSolution) and plan.status == "interrupted" and plan.controls.shape == (100, 1)


def test_bad_searches_are_refused(cart_pole):
    m, d = cart_pole
    cost = control.QuadraticCost(control=[1.0])
    for search in SEARCHES:
        for name in ("samples", "knots", "iterations"):
            with pytest.raises(ValueError, match=f"{name} should be at least 1, but is 0|elites"):
                search(m, d, 10, cost, **{name: 0})
        with pytest.raises(ValueError, match="steps should be at least 1, but is -1"):
            search(m, d, -1, cost)
        with pytest.raises(ValueError, match="noise should be positive and finite, but is NaN"):
            search(m, d, 10, cost, noise=np.nan)
        with pytest.raises(ValueError, match=r"knots should be a number, or have shape \(knots, 1\), but has \(3, 2\)"):
            search(m, d, 10, cost, knots=np.zeros((3, 2)))
        with pytest.raises(ValueError, match="the list of knots should be finite, but value 1 is not"):
            search(m, d, 10, cost, knots=[[0], [np.inf]])
        with pytest.raises(ValueError, match="there is no interpolation 'quintic'; there are 'zero', 'linear' and 'cubic'"):
            search(m, d, 10, cost, interpolation="quintic")
        with pytest.raises(ValueError, match="seed should be from 0"):
            search(m, d, 10, cost, seed=-1)
        with pytest.raises(MemoryError):
            search(m, d, 2**62, cost)
        with pytest.raises(TypeError):
            search(m, d, 10.5, cost)
    with pytest.raises(ValueError, match="elites should be from 1 to the number of samples, 32, but is 33"):
        control.cem(m, d, 10, cost, elites=33)
    with pytest.raises(ValueError, match="temperature should be positive"):
        control.mppi(m, d, 10, cost, temperature=0)
    with pytest.raises(ValueError, match="no sample has a finite cost"):
        control.mppi(m, d, 10, control.QuadraticCost(running=[1e308, 1, 1, 1], qpos=[1e200, 0]))
    m.actuator_ctrlrange[0] = [1, 1]
    with pytest.raises(ValueError, match="the control range of actuator 'push' should be from low to high"):
        control.cem(m, d, 10, cost)


@pytest.mark.parametrize("planner", ["ilqr", "predictive_sampling", "cem", "mppi"])
def test_a_controller_balances_the_pole(cart_pole, planner):
    m, d = cart_pole
    cost = control.QuadraticCost(qpos=[0, np.pi], running=[1, 10, 0.1, 0.1], terminal=[10, 100, 1, 1], control=[0.01])

    def run(steps):
        kinetree.mj_resetData(m, d)
        d.qpos[1] = np.pi + 0.1
        controller = control.Mpc(m, 30, cost, planner=planner, iterations=4, noise=0.3, samples=16, knots=6)
        assert controller.plan is None and not controller.control(d).any()
        costs = []
        for step in range(steps):
            if step % 4 == 0:
                plan = controller.replan(d)
                assert plan.time == d.time and plan.controls.shape == (30, 1) and 1 <= plan.iterations <= 4
                costs.append(plan.cost)
            d.ctrl[:] = controller.control(d)
            kinetree.mj_step(m, d)
        assert controller.plans == len(costs) and controller.plan.cost == costs[-1] and controller.problem is None
        return costs

    costs = run(120)
    # it would have fallen over; samples are noisy, and keep it near the top all the same
    assert abs(d.qpos[1] - np.pi) < 0.1
    assert planner != "ilqr" or min(costs) < 0.3 * costs[0]
    assert run(20) == costs[:5], "the same bits"


def test_a_controller_plans_while_the_world_goes_on(cart_pole):
    m, d = cart_pole
    cost = control.QuadraticCost(qpos=[0, np.pi], running=[1, 10, 0.1, 0.1], control=[0.01])
    controller = control.Mpc(m, 30, cost, time=0.01)
    d.qpos[1] = np.pi + 0.1
    end = time.monotonic() + 60
    while controller.plans < 5 and time.monotonic() < end:
        controller.observe(d)
        d.ctrl[:] = controller.control(d)
        kinetree.mj_step(m, d)
        time.sleep(0.002)
    assert controller.plans >= 5 and controller.plan.seconds > 0 and d.time >= controller.plan.time
    d.qvel[0] = np.inf
    with pytest.raises(ValueError, match="the state should be finite"):
        controller.replan(d)
    assert "the state should be finite" in controller.problem and controller.plan is not None
    other = kinetree.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(ValueError, match="other sizes"):
        controller.observe(kinetree.MjData(other))
    for settings, message in [({"horizon": 0}, "horizon should be at least 1"), ({"planner": "magic"}, "there is no planner 'magic'"),
                              ({"iterations": 0}, "iterations should be at least 1"), ({"time": -1.0}, "time makes no sense"),
                              ({"planner": "cem", "elites": 99}, "elites should be from 1")]:
        with pytest.raises(ValueError, match=message):
            control.Mpc(m, **{"horizon": 30, "cost": cost, **settings})
    with pytest.raises(MemoryError):
        control.Mpc(m, 2**60, cost)


def test_python_callbacks_are_refused(cart_pole):
    m, d = cart_pole
    states = np.zeros((1, kinetree.mj_stateSize(m, kinetree.mjtState.mjSTATE_INTEGRATION.value)))
    kinetree.set_mjcb_contactfilter(lambda m, d, first, second: 1)
    try:
        with pytest.raises(RuntimeError, match="cannot call Python callbacks"):
            control.transitions(m, states, [[0.0]])
        with pytest.raises(RuntimeError, match="cannot call Python callbacks"):
            control.ilqr(m, d, np.zeros((3, 1)), control.QuadraticCost(control=[1.0]))
        with pytest.raises(RuntimeError, match="cannot call Python callbacks"):
            control.mppi(m, d, 3, control.QuadraticCost(control=[1.0]))
    finally:
        kinetree.mj_resetCallbacks()
    assert control.transitions(m, states, [[0.0]]).A.shape == (1, 4, 4)


def test_bad_problems_are_refused(cart_pole):
    m, d = cart_pole
    cost = control.QuadraticCost(control=[1.0])
    with pytest.raises(ValueError, match=r"controls should have shape \(steps, 1\), but has \(3, 2\)"):
        control.ilqr(m, d, np.zeros((3, 2)), cost)
    with pytest.raises(ValueError, match="the horizon has no steps"):
        control.ilqr(m, d, np.zeros((0, 1)), cost)
    with pytest.raises(ValueError, match="the list of controls should be finite, but value 2 is not"):
        control.ilqr(m, d, [[0], [0], [np.nan]], cost)
    with pytest.raises(ValueError, match="the list of running weights should have 4 values, but has 2"):
        control.ilqr(m, d, np.zeros((3, 1)), control.QuadraticCost(running=[1, 1]))
    with pytest.raises(ValueError, match="there is no norm 'cubic'"):
        control.ilqr(m, d, np.zeros((3, 1)), control.QuadraticCost(sensors=[control.SensorTerm(0, [0, 0, 0], norm="cubic")]))
    with pytest.raises(KeyError):
        control.ilqr(m, d, np.zeros((3, 1)), control.QuadraticCost(sensors=[control.SensorTerm("nobody", [0])]))
    m.actuator_ctrlrange[0] = [1, 1]
    with pytest.raises(ValueError, match="the control range of actuator 'push' should be from low to high"):
        control.ilqr(m, d, np.zeros((3, 1)), cost)
    m.actuator_ctrlrange[0] = [-1, 1]
    m.opt.integrator = kinetree.mjtIntegrator.mjINT_RK4
    with pytest.raises(ValueError, match="RK4"):
        control.ilqr(m, d, np.zeros((3, 1)), cost)
    late = CART_POLE.replace('gear="10"', 'gear="10" delay="0.1" nsample="10"')
    m = kinetree.MjModel.from_xml_string(late)
    with pytest.raises(ValueError, match="the control of actuator 'push' is delayed"):
        control.ilqr(m, kinetree.MjData(m), np.zeros((3, 1)), cost)
