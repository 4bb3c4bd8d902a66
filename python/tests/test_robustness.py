"""Misuse ends in a Python exception, never in the end of the process."""

import os
import signal
import threading
import time

import kinetree
import numpy as np
import pytest


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


@pytest.mark.parametrize("field", ["qpos", "qvel", "ctrl", "qfrc_applied", "xfrc_applied", "act"])
def test_state_that_is_not_a_number(model, data, field):
    # like the reference: a warning is counted and the state is reset
    warnings = []
    kinetree.set_mju_user_warning(warnings.append)
    getattr(data, field)[...] = np.nan
    for _ in range(3):
        kinetree.mj_step(model, data)
    assert warnings and np.isfinite(data.qpos).all()


def test_state_that_is_not_a_number_without_reset(model, data):
    model.opt.disableflags |= kinetree.mjtDisableBit.mjDSBL_AUTORESET
    data.qpos[:] = np.nan
    for _ in range(3):
        kinetree.mj_step(model, data)
    kinetree.mj_inverse(model, data)
    assert data.warning[kinetree.mjtWarning.mjWARN_BADQPOS].number > 0


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
    # whoever came while the data was in use was told so
    assert len(problems) < 3 and all("in use" in str(problem) for problem in problems)
    kinetree.mj_step(model, data)
