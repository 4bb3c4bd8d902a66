"""Batches of worlds: tables, equality with single worlds, failures and mistakes."""

import copy
import gc
import os
import signal
import threading

import kinetree
import numpy as np
import pytest
import switching
from kinetree.batch import BatchSim


def controls(random, batch):
    """Random controls of all worlds."""
    return random.uniform(-1, 1, batch.ctrl.shape)


@pytest.mark.parametrize("nthread", [1, 2])
def test_worlds_step_like_single_ones(model, nthread):
    batch = BatchSim(model, 5, nthread=nthread, frame_skip=3, outputs=("xpos", "cfrc_ext", "qfrc_actuator"))
    singles = [kinetree.MjData(model) for _ in range(5)]
    random = np.random.default_rng(0)
    for step in range(60):
        batch.ctrl = controls(random, batch)
        batch.step()
        for world, single in enumerate(singles):
            single.ctrl[:] = batch.ctrl[world]
            kinetree.mj_step(model, single, nstep=3)
            kinetree.mj_rnePostConstraint(model, single)
            for name in ("qpos", "qvel", "sensordata", "xpos", "cfrc_ext", "qfrc_actuator"):
                assert np.array_equal(getattr(batch, name)[world], getattr(single, name)), (name, step)
        if step == 30:
            mask = np.array([True, False, False, True, False])
            batch.reset(mask)
            for world in np.flatnonzero(mask):
                kinetree.mj_resetData(model, singles[world])
    assert batch.cfrc_ext.any()
    assert not batch.terminated.any() and batch.errors == [None] * 5


def test_tables_are_views_of_one_memory(model):
    batch = BatchSim(model, 3)
    qpos = batch.qpos
    qpos[1, 0] = 0.25
    batch.qvel = 0.5
    assert batch.qpos[1, 0] == 0.25 and batch.qpos.base is not None and (batch.qvel == 0.5).all()
    assert qpos.shape == (3, model.nq) and batch.ctrl.shape == (3, model.nu) and batch.sensordata.shape == (3, model.nsensordata)
    batch.step(4)
    assert (qpos == batch.qpos).all() and not np.array_equal(qpos[0], qpos[1])
    assert (batch.rewards == 0.0).all() and batch.num_worlds == 3 and batch.model is model
    # a view outlives its batch
    del batch
    gc.collect()
    assert np.isfinite(qpos).all()


def test_forward_shows_what_follows_from_a_state(model):
    batch = BatchSim(model, 2, outputs=("xpos", "site_xpos"))
    batch.qpos[1, 0] = 0.7
    batch.forward(np.array([False, True]))
    single = kinetree.MjData(model)
    single.qpos[0] = 0.7
    kinetree.mj_forward(model, single)
    assert np.array_equal(batch.site_xpos[1], single.site_xpos) and np.array_equal(batch.sensordata[1], single.sensordata)
    assert not batch.xpos[0].any()


def test_varied_fields(model):
    batch = BatchSim(model, 3)
    masses = np.array([1.0, 1.5, 2.0])[:, None] * model.body_mass
    batch.vary("body_mass", masses)
    batch.ctrl = 1.0
    batch.step(50)
    for world in range(3):
        own = copy.copy(model)
        own.body_mass[:] = masses[world]
        single = kinetree.MjData(own)
        single.ctrl[:] = 1.0
        kinetree.mj_step(own, single, nstep=50)
        assert np.array_equal(batch.qpos[world], single.qpos)
    batch.end_variations()
    batch.reset()
    batch.step(50)
    assert np.array_equal(batch.qpos[0], batch.qpos[2])


XML_FALL = """<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='0.1'/></body></worldbody>
<actuator><motor joint='j' gear='1000'/></actuator></mujoco>"""


def test_a_world_that_fails_is_told_and_begins_anew():
    batch = BatchSim(kinetree.MjModel.from_xml_string(XML_FALL), 3)
    batch.ctrl[1] = 1e9
    batch.step(3)
    assert batch.terminated.tolist() == [False, True, False]
    assert batch.errors[0] is None and "diverge" in batch.errors[1].lower()
    batch.ctrl[1] = 0.0
    batch.step()
    assert not batch.terminated.any() and batch.errors == [None] * 3 and np.isfinite(batch.qpos).all()


def test_noise_of_first_states_follows_from_the_seed(model):
    def first(seed):
        return BatchSim(model, 4, reset_noise=0.1, seed=seed).qpos.copy()

    assert np.array_equal(first(3), first(3)) and not np.array_equal(first(3), first(4))
    start = kinetree.MjData(model).qpos
    assert np.abs(first(3) - start).max() <= 0.1 and len(np.unique(first(3)[:, 0])) == 4
    batch = BatchSim(model, 4, time_limit=2)
    batch.step()
    assert not batch.truncated.any()
    batch.step()
    assert batch.truncated.all()


@pytest.mark.parametrize("arguments, message", [
    ({"n": 0}, "at least 1"),
    ({"n": 3, "frame_skip": 0}, "frame_skip"),
    ({"n": 3, "nthread": -1}, "nthread"),
    ({"n": 3, "seed": -1}, "seed"),
    ({"n": 3, "reset_noise": float("nan")}, "reset_noise"),
    ({"n": 3, "outputs": ("xpso",)}, "xpso"),
    ({"n": 3, "outputs": ("efc_J",)}, "efc_J"),
])
def test_wrong_arguments(model, arguments, message):
    with pytest.raises(ValueError, match=message):
        BatchSim(model, **arguments)


def test_mistakes_are_named(model):
    with pytest.raises(MemoryError, match="do not fit"):
        BatchSim(model, 10**15)
    with pytest.raises(TypeError, match="list of names"):
        BatchSim(model, 2, outputs="xpos")
    batch = BatchSim(model, 2)
    with pytest.raises(ValueError, match="row for each world"):
        batch.ctrl = np.zeros((3, model.nu))
    with pytest.raises(ValueError, match="booleans"):
        batch.reset([1, 0])
    with pytest.raises(ValueError, match="booleans"):
        batch.reset(np.ones(3, dtype=bool))
    with pytest.raises(ValueError, match="did you mean 'body_mass'"):
        batch.vary("geom_mass", np.ones((2, model.nbody)))
    with pytest.raises(ValueError, match="row for each of 2"):
        batch.vary("body_mass", np.ones(model.nbody))
    with pytest.raises(ValueError, match="'body_mass' for each of 2 worlds"):
        batch.vary("body_mass", np.ones((2, 1)))
    with pytest.raises(AttributeError, match=r"outputs=\('xpos',\)"):
        _ = batch.xpos
    with pytest.raises(ValueError, match="nstep"):
        batch.step(0)
    batch.ctrl[1, 0] = np.nan
    with pytest.raises(ValueError, match="world 1 is NaN"):
        batch.step()


def test_several_models_are_refused_with_what_to_do_instead(model):
    for make in (BatchSim, kinetree.gpu.GpuSim):
        with pytest.raises(TypeError, match="unsupported: 2 models here; kinetree.mixed.MixedBatch.*MixedVectorEnv.*vary"):
            make([model, model], 4)


def test_equalities_are_switched_world_by_world():
    switching.check_equalities(BatchSim, 0)


def test_mocap_bodies_move_world_by_world():
    switching.check_mocap(BatchSim, 0)


def test_callbacks_are_refused(model):
    batch = BatchSim(model, 2)
    kinetree.set_mjcb_control(lambda m, d: None)
    with pytest.raises(RuntimeError, match="mj_resetCallbacks"):
        batch.step()
    with pytest.raises(RuntimeError, match="callbacks"):
        BatchSim(model, 2)
    kinetree.mj_resetCallbacks()
    batch.step()


def test_ctrl_c_ends_long_steps(model):
    """Worlds stop where they are, and go on later."""
    batch = BatchSim(model, 4, nthread=2)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        batch.step(nstep=10**12)
    timer.join()
    assert np.isfinite(batch.qpos).all() and batch.errors == [None] * 4
    batch.step()


def test_actions_are_taken_over_if_they_fit():
    batch = BatchSim(kinetree.MjModel.from_xml_string(ACTING), 3)
    assert batch.take_actions(np.arange(6, dtype=np.float32).reshape(3, 2)) and not batch.take_actions(np.arange(6).reshape(3, 2))
    assert np.array_equal(batch.ctrl, np.arange(6.0).reshape(3, 2))
    for wrong, message in (
            (np.zeros((2, 3)), r"shape \(3, 2\)"), (np.zeros(6), r"shape \(3, 2\)"), (np.zeros((3, 2, 1)), r"shape \(3, 2\)"),
            (np.full((3, 2), np.inf), "action 0 of world 0 is inf"), ([[0, 0], [0, 0], [0, np.nan]], "action 1 of world 2 is nan")):
        with pytest.raises(ValueError, match=message):
            batch.take_actions(wrong)
    with pytest.raises(TypeError, match="not an array of numbers"):
        batch.take_actions("forward")
    with pytest.raises(IndexError, match="no world 3; there are 3"):
        batch.act([3])
    assert np.array_equal(batch.ctrl, np.arange(6.0).reshape(3, 2))


ACTING = """
<mujoco>
  <worldbody><body><joint name="a"/><joint name="b" axis="1 0 0"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody>
  <actuator><motor joint="a"/><motor joint="b"/></actuator>
</mujoco>
"""
