"""System identification from recordings of simulations, with noise."""

import os
import signal
import threading

import kinetree
import numpy as np
import pytest
from kinetree import rollout, sysid
from kinetree.sysid import Parameter, Recording

ARM = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.05" armature="0.02" frictionloss="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1.2" contype="0" conaffinity="0"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.03" armature="0.01"/>
        <geom type="capsule" fromto="0 0 0 0.25 0.02 0" size="0.025" mass="0.7" contype="0" conaffinity="0"/>
        <site name="tip" pos="0.25 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="first" joint="shoulder" gear="2"/><position name="second" joint="elbow" kp="3"/></actuator>
  <sensor><framepos name="tip" objtype="site" objname="tip"/></sensor>
</mujoco>"""
STEPS, NOISE = 200, 2e-3
TRUE = {("mass", "lower"): 0.7, ("damping", "shoulder"): 0.05, ("damping", "elbow"): 0.03, ("armature", "shoulder"): 0.02,
        ("frictionloss", "shoulder"): 0.1, ("gain", "first"): 1.0}


@pytest.fixture(scope="module")
def recorded():
    """The arm, and what it did: start, controls, states and sensors of `kinetree.rollout`."""
    m = kinetree.MjModel.from_xml_string(ARM)
    d = kinetree.MjData(m)
    full = np.empty(kinetree.mj_stateSize(m, kinetree.mjtState.mjSTATE_FULLPHYSICS.value))
    kinetree.mj_getState(m, d, full, kinetree.mjtState.mjSTATE_FULLPHYSICS.value)
    t = m.opt.timestep * np.arange(STEPS)
    controls = np.stack([1.5 * np.sin(2 * t) + np.sin(5.1 * t), np.sin(3.3 * t)], axis=1)
    states, sensors = rollout.rollout(m, d, full, controls[None])
    noise = np.random.default_rng(1)
    qpos = states[0, :, 1:3] + NOISE * noise.standard_normal((STEPS, 2))
    return m, controls, qpos, sensors[0] + NOISE * noise.standard_normal((STEPS, 3))


def start(m):
    return np.zeros(m.nq), np.zeros(m.nv)


def test_true_values_are_found(recorded):
    m, controls, qpos, sensors = recorded
    parameters = [Parameter(*key, initial=1.4 * value) for key, value in TRUE.items()]
    recording = Recording(start(m), controls, qpos=qpos, sensordata={"tip": sensors})
    found = sysid.identify(m, parameters, recording)
    for estimate, true in zip(found.estimates, TRUE.values()):
        assert abs(estimate.value - true) < 4 * estimate.deviation < 0.5 * true, estimate
        assert estimate.interval[0] < estimate.value < estimate.interval[1] and not estimate.at_bound
    assert found.status == "converged" and not found.undetermined and found.analytic[0] == 1.0
    np.testing.assert_allclose(found.noise[0], NOISE, rtol=0.2)
    np.testing.assert_allclose(np.sqrt(np.diag(found.covariance)), [e.deviation for e in found.estimates])
    assert found.predicted[0].shape == (STEPS, 5) and np.abs(found.predicted[0][:, :2] - qpos).std() < 1.2 * NOISE
    # the model has them, and the first one is as it was
    assert found.model.body("lower").mass[0] == found.values[0] and m.body("lower").mass[0] == 0.7
    assert "damping of joint 'elbow'" in str(found)


def test_several_recordings_bounds_and_priors(recorded):
    m, controls, qpos, sensors = recorded
    half = STEPS // 2
    row = np.empty(kinetree.mj_stateSize(m, kinetree.mjtState.mjSTATE_INTEGRATION.value))
    kinetree.mj_getState(m, kinetree.MjData(m), row, kinetree.mjtState.mjSTATE_INTEGRATION.value)
    speed = (qpos[half] - qpos[half - 2]) / (2 * m.opt.timestep)
    recordings = [
        Recording(row, controls[:half], qpos=qpos[:half], noise=NOISE),
        Recording((qpos[half - 1], speed), controls[half:], qpos={"elbow": qpos[half:, 1]}, noise=[NOISE], free_start=True),
    ]
    parameters = [Parameter("damping", "shoulder", upper=0.04, initial=0.01), Parameter("gain", "first", prior=(1.0, 1e-5), initial=1.2),
                  Parameter("body_pos", 6, initial=0.31)]
    found = sysid.identify(m, parameters, recordings)
    damping, gain, offset = found.estimates
    assert damping.at_bound and damping.value == 0.04 and damping.deviation == 0
    assert abs(gain.value - 1.0) < 1e-4 and offset.name == "body_pos[6]" and abs(offset.value - 0.3) < 0.05
    assert found.analytic[1] == 0.0, "fields without gradients are differentiated by differences"
    assert len(found.starts) == 2 and np.any(found.starts[1][1:3] != qpos[half - 1])


def test_what_cannot_be_told_is_named():
    m = kinetree.MjModel.from_xml_string("""
      <mujoco><worldbody><body name="arm"><joint name="hinge" axis="0 1 0" damping="0.1"/><geom size="0.05" pos="0.3 0 0" mass="1"/>
        <body name="load"><geom size="0.05" pos="0.3 0 0" mass="0.5"/></body></body></worldbody></mujoco>""")
    d = kinetree.MjData(m)
    angles = []
    for _ in range(200):
        kinetree.mj_step(m, d)
        angles.append(d.qpos[0])
    found = sysid.identify(m, [Parameter("mass", "arm", initial=1.1), Parameter("mass", "load")],
                           Recording(start(m), np.zeros((200, 0)), qpos=angles, noise=1e-3))
    (direction,) = found.undetermined
    assert set(direction) == {"mass of body 'arm'", "mass of body 'load'"}
    assert np.isinf(found.estimates[0].deviation) and "the data cannot tell: mass of body 'arm'" in str(found)
    assert found.values.sum() == pytest.approx(1.5, abs=1e-3)


def test_ctrl_c_keeps_the_best_values(recorded):
    m, controls, qpos, _ = recorded
    many = [Recording(start(m), controls, qpos=qpos, noise=NOISE) for _ in range(200)]
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        while True:
            sysid.identify(m, [Parameter(*key) for key in TRUE], many, tolerance=0.0)
        timer.join()


def test_nothing_is_left_to_tell_when_all_are_at_bounds(recorded):
    m, controls, qpos, _ = recorded
    found = sysid.identify(m, [Parameter("mass", "lower", initial=1.0, lower=1.0, upper=3.0)], Recording(start(m), controls, qpos=qpos))
    (estimate,) = found.estimates
    assert estimate.value == 1.0 and estimate.at_bound and estimate.deviation == 0.0 and not found.undetermined


def test_bad_problems_are_refused(recorded):
    m, controls, qpos, _ = recorded
    good = Recording(start(m), controls, qpos=qpos)
    mass = Parameter("mass", "lower")
    for parameters, message in [
        ([], "there are no parameters to identify"),
        ([Parameter("weight", "lower")], "there is no parameter 'weight'; there are mass, inertia"),
        ([mass, Parameter("mass", 2)], "the mass of body 'lower' cannot be identified: it is asked for twice"),
        ([Parameter("mass", "lower", lower=2.0)], "its initial value is outside of its bounds"),
        ([Parameter("mass", "lower", prior=(1.0, 0.0))], "the deviation of its prior should be above zero"),
        ([Parameter("mass", "lower", initial=np.nan)], "the list of initial values should be finite"),
        ([Parameter("body_pos", 99)], r"the body_pos\[99\] cannot be identified"),
        ([Parameter("body_pos", -1)], "the index of body_pos should not be negative"),
    ]:
        with pytest.raises(ValueError, match=message):
            sysid.identify(m, parameters, good)
    for recording, message in [
        (Recording(start(m), controls[:, :1], qpos=qpos), r"controls should have shape \(steps, 2\)"),
        (Recording(start(m), controls, qpos=qpos[1:]), r"qpos should have shape \(200, 2\), but has \(199, 2\)"),
        (Recording(start(m), controls), "nothing was measured"),
        (Recording((np.zeros(3), np.zeros(2)), controls, qpos=qpos), r"qpos of the start should have shape \(2,\)"),
        (Recording(start(m), controls, qpos=qpos, noise=0.0), "the deviation of a channel should be above zero"),
        (Recording(start(m), np.full_like(controls, np.nan), qpos=qpos), "the list of controls should be finite"),
    ]:
        with pytest.raises(ValueError, match=message):
            sysid.identify(m, [mass], recording)
    with pytest.raises(ValueError, match="there are no recordings"):
        sysid.identify(m, [mass], [])
    with pytest.raises(KeyError):
        sysid.identify(m, [Parameter("mass", "nobody")], good)
    with pytest.raises(ValueError, match="confidence should be below 1"):
        sysid.identify(m, [mass], good, confidence=1.0)
