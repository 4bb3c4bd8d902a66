"""Misuse ends in a Python exception, never in the end of the process."""

import copy
import os
import pickle
import signal
import threading
import time

import kinetree
import numpy as np
import pytest
from kinetree import rollout


def test_wrong_sized_arrays(model, data):
    with pytest.raises(ValueError, match="qpos"):
        data.qpos = np.zeros(model.nq + 1)
    with pytest.raises(TypeError, match="jacp"):
        kinetree.mj_jacSite(model, data, np.zeros((3, model.nv + 1)), None, 0)
    with pytest.raises(TypeError):
        kinetree.mj_setState(model, data, np.zeros(3), kinetree.mjtState.mjSTATE_PHYSICS)
    with pytest.raises(TypeError):
        kinetree.mj_jacSite(model, data, np.zeros((3, model.nv), np.float32), None, 0)
    with pytest.raises(TypeError, match="A"):
        kinetree.mjd_transitionFD(model, data, 1e-6, True, np.zeros((2, 2)), None, None, None)
    read_only = np.zeros((3, model.nv))
    read_only.flags.writeable = False
    with pytest.raises(TypeError, match="writable"):
        kinetree.mj_jacSite(model, data, read_only, None, 0)


def test_deleted_model(model):
    data = kinetree.MjData(model)
    names = data.model.names
    del model
    kinetree.mj_step(data.model, data)
    assert data.time > 0 and b"shoulder" in names


def test_data_of_another_model(model, data):
    other = kinetree.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(ValueError, match="other sizes"):
        kinetree.mj_step(other, data)
    with pytest.raises(TypeError):
        kinetree.mj_step(None, data)


def test_bad_names_and_indices(model, data):
    with pytest.raises(KeyError, match="shoulder"):
        model.joint("sholder")
    with pytest.raises(KeyError):
        data.body("nobody")
    with pytest.raises(IndexError):
        data.geom(99)
    with pytest.raises(IndexError):
        kinetree.mj_jacSite(model, data, np.zeros((3, model.nv)), None, 7)
    assert kinetree.mj_name2id(model, kinetree.mjtObj.mjOBJ_BODY, "nobody") == -1
    with pytest.raises(AttributeError):
        data.qqpos = 1
    with pytest.raises(AttributeError):
        model.opt.timesteps = 1


def test_faulty_models():
    with pytest.raises(ValueError, match="sholder"):
        kinetree.MjModel.from_xml_string('<mujoco><actuator><motor joint="sholder"/></actuator></mujoco>')
    with pytest.raises(ValueError):
        kinetree.MjModel.from_xml_string("this is not XML")
    with pytest.raises(ValueError):
        kinetree.MjModel.from_xml_path("no/such/file.xml")


STEPS = [
    kinetree.mj_step, kinetree.mj_step1, kinetree.mj_step2, kinetree.mj_forward, lambda m, d: kinetree.mj_step(m, d, nstep=5),
    lambda m, d: kinetree.mj_forwardSkip(m, d, kinetree.mjtStage.mjSTAGE_NONE, False),
]


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("field", ["qpos", "qvel", "act", "qfrc_applied", "xfrc_applied"])
def test_state_that_is_not_a_number(model, data, field, value):
    array = getattr(data, field)
    array.flat[-1] = value
    index = ", ".join(str(n - 1) for n in array.shape)
    before = array.copy(), data.time
    for step in STEPS:
        with pytest.raises(kinetree.FatalError, match=rf"{field}\[{index}\] is (NaN|inf): write a finite number"):
            step(model, data)
        # the state is left as it was written
        np.testing.assert_array_equal(array, before[0])
        assert data.time == before[1]
    assert not any(w.number for w in data.warning)
    array.flat[-1] = 0.1
    kinetree.mj_step(model, data)
    assert np.isfinite(data.qpos).all()


@pytest.mark.parametrize("field", ["mocap_pos", "mocap_quat"])
def test_mocap_that_is_not_a_number(field):
    model = kinetree.MjModel.from_xml_string(
        '<mujoco><worldbody><body mocap="true"><geom size="1"/></body><body><freejoint/><geom size="1"/></body></worldbody></mujoco>')
    data = kinetree.MjData(model)
    getattr(data, field)[0, 1] = np.nan
    with pytest.raises(kinetree.FatalError, match=rf"{field}\[0, 1\] is NaN"):
        kinetree.mj_step(model, data)


def test_state_vector_that_is_not_a_number(model, data):
    kind = kinetree.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(kinetree.mj_stateSize(model, kind))
    state[2] = np.nan
    kinetree.mj_setState(model, data, state, kind)
    for _ in range(2):
        with pytest.raises(kinetree.FatalError, match=r"qpos\[1\] is NaN"):
            kinetree.mj_step(model, data)
    state[:2] = np.nan, 0
    kinetree.mj_setState(model, data, state, kind)
    with pytest.raises(kinetree.FatalError, match="time is NaN"):
        kinetree.mj_step(model, data)
    kinetree.mj_resetData(model, data)
    kinetree.mj_step(model, data)


def test_control_that_is_not_a_number(model, data):
    # like the reference: bad controls count as zero, and a warning is counted
    data.ctrl[:] = np.nan
    kinetree.mj_step(model, data)
    assert data.warning[kinetree.mjtWarning.mjWARN_BADCTRL].number > 0 and np.isfinite(data.qpos).all()


def diverging(flag=""):
    """A model whose first step leaves NaN behind, without having found anything wrong."""
    model = kinetree.MjModel.from_xml_string(
        f'<mujoco><option timestep="1e200" gravity="0 0 0"><flag {flag}/></option><worldbody><body><joint type="slide"/><geom size="1"/></body>'
        '</worldbody></mujoco>')
    data = kinetree.MjData(model)
    data.qvel[:], data.qfrc_applied[:] = 9e9, 1e12
    kinetree.mj_step(model, data)
    assert not np.isfinite(data.qpos).all()
    return model, data


def test_step_that_diverges_is_reset():
    for use in (lambda m, d: d, lambda m, d: copy.copy(d)):
        model, data = diverging()
        data = use(model, data)
        kinetree.mj_step(model, data)
        assert np.isfinite(data.qpos).all() and data.warning[kinetree.mjtWarning.mjWARN_BADQPOS].number > 0
    # a program that resets it starts anew: from then on it is the program that writes states
    model, data = diverging()
    kinetree.mj_resetData(model, data)
    data.qpos[0] = np.nan
    with pytest.raises(kinetree.FatalError, match="qpos"):
        kinetree.mj_step(model, data)


def test_step_that_diverges_without_reset():
    model, data = diverging('autoreset="disable"')
    for _ in range(3):
        kinetree.mj_step(model, data)
    kinetree.mj_inverse(model, data)
    assert data.warning[kinetree.mjtWarning.mjWARN_BADQPOS].number > 0 and not np.isfinite(data.qpos).all()
    kinetree.mj_resetData(model, data)
    data.qpos[0] = np.nan
    with pytest.raises(kinetree.FatalError, match="qpos"):
        kinetree.mj_step(model, data)


def test_rollout_from_a_state_that_is_not_a_number(model):
    states = np.zeros((4, kinetree.mj_stateSize(model, kinetree.mjtState.mjSTATE_FULLPHYSICS)))
    states[2, 1] = np.nan
    with pytest.raises(ValueError, match=r"initial_state\[2, 1\] is NaN"):
        rollout.rollout(model, kinetree.MjData(model), states, nstep=2)


def test_solves_that_do_not_converge():
    model = kinetree.MjModel.from_xml_string(
        '<mujoco><option solver="CG" iterations="1" tolerance="0"/><worldbody><geom type="plane" size="1 1 1"/>'
        '<body pos="0 0 0.05"><freejoint/><geom type="box" size=".1 .2 .1"/></body></worldbody></mujoco>')
    data = kinetree.MjData(model)
    assert data.solver_unconverged.number == 0
    data.qvel[:] = 1
    kinetree.mj_step(model, data)
    assert data.solver_unconverged.number == 1
    assert copy.copy(data).solver_unconverged.number == 1


@pytest.mark.parametrize(("field", "value"), [("dof_parentid", 1), ("dof_parentid", -2), ("body_parentid", 2), ("body_parentid", -1)])
def test_broken_trees_are_exceptions(model, data, field, value):
    kept = getattr(model, field).copy()
    getattr(model, field)[1] = value
    for call in (
        lambda: kinetree.mj_step(model, data), lambda: kinetree.mj_forward(model, data), lambda: kinetree.MjData(model),
        lambda: kinetree.mj_crb(model, data), lambda: kinetree.mj_jacBody(model, data, np.zeros((3, model.nv)), None, 1),
    ):
        with pytest.raises(kinetree.FatalError, match=rf"{field}\[1\] is {value}"):
            call()
    getattr(model, field)[:] = kept
    kinetree.mj_step(model, data)


def test_broken_bounding_trees_are_exceptions():
    body = '<body pos="0 0 {}"><freejoint/>' + "".join(f'<geom type="box" size=".1 .1 .1" pos="{i / 10} 0 0"/>' for i in range(9)) + "</body>"
    model = kinetree.MjModel.from_xml_string(f"<mujoco><worldbody>{body.format(0)}{body.format(0.1)}</worldbody></mujoco>")
    data = kinetree.MjData(model)
    model.bvh_child[:] = 0
    with pytest.raises(kinetree.FatalError, match=r"bvh_child\[0\] is 0"):
        kinetree.mj_step(model, data)


def test_nonsense_in_the_model_is_survived(model, data):
    model.opt.timestep = -1
    model.opt.solver = 17
    with pytest.raises(kinetree.FatalError, match="solver"):
        kinetree.mj_step(model, data)
    model.opt.solver = 2
    model.opt.integrator = 17
    with pytest.raises(kinetree.FatalError, match="integrator"):
        kinetree.mj_step(model, data)


@pytest.mark.parametrize("field", ["body_parentid", "geom_type", "jnt_type", "geom_bodyid", "sensor_objid", "actuator_trnid"])
def test_wrong_ids_in_the_model_are_exceptions(model, data, field, capfd):
    getattr(model, field)[...] = 12345
    try:
        kinetree.mj_step(model, data)
    except (kinetree.FatalError, kinetree.UnexpectedError) as problem:
        assert str(problem)
    # what matters is that this line is reached, and that nothing was printed
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", [kinetree.FatalError, kinetree.UnexpectedError])
def test_exceptions_reach_the_parent_of_a_process(kind):
    # `multiprocessing` and `concurrent.futures` pickle what a worker raises
    other = pickle.loads(pickle.dumps(kind("singular")))
    assert type(other) is kind and str(other) == "singular" and kind.__module__ == "kinetree"


def test_exception_in_a_callback(model, data):
    def control(m, d):
        raise RuntimeError("no control today")

    kinetree.set_mjcb_control(control)
    with pytest.raises(RuntimeError, match="no control today"):
        kinetree.mj_step(model, data)
    with pytest.raises(RuntimeError, match="no control today"):
        kinetree.mj_step(model, data, nstep=100)
    kinetree.set_mjcb_control(None)
    kinetree.mj_step(model, data)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent to this process")
def test_interrupt_of_a_long_step(model, data):
    # a shell that starts the tests in the background has them ignore the signal
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupt_a_long_step(model, data)
    finally:
        signal.signal(signal.SIGINT, before)


def interrupt_a_long_step(model, data):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        kinetree.mj_step(model, data, nstep=1_000_000_000)
    assert time.monotonic() - start < 10
    assert data.time > 0
    kinetree.mj_step(model, data)


def test_use_from_two_threads(model, data):
    problems = []

    def step():
        try:
            kinetree.mj_step(model, data, nstep=20_000)
        except RuntimeError as problem:
            problems.append(problem)

    threads = [threading.Thread(target=step) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # calls while the data was in use raised an exception
    assert len(problems) < 3 and all("in use" in str(problem) for problem in problems)
    kinetree.mj_step(model, data)
