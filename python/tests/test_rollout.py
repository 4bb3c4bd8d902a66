"""Rollouts: equal to loops of steps, with clear errors."""

import copy

import kinetree
import numpy as np
import pytest
from kinetree import rollout

FULL = kinetree.mjtState.mjSTATE_FULLPHYSICS


def states(model, count):
    data = kinetree.MjData(model)
    rows = np.empty((count, kinetree.mj_stateSize(model, FULL)))
    for i, row in enumerate(rows):
        data.qvel[:] = 0.1 * i
        kinetree.mj_getState(model, data, row, FULL)
    return rows


def loop(model, initial, control):
    data, result = kinetree.MjData(model), np.empty((*control.shape[:2], initial.shape[1]))
    for i, row in enumerate(initial):
        kinetree.mj_resetData(model, data)
        kinetree.mj_setState(model, data, row, FULL)
        for t in range(control.shape[1]):
            data.ctrl[:] = control[i, t]
            kinetree.mj_step(model, data)
            kinetree.mj_getState(model, data, result[i, t], FULL)
    return result


@pytest.mark.parametrize("threads", [1, 3])
def test_equals_a_loop_of_steps(model, threads):
    initial, control = states(model, 7), np.random.default_rng(1).normal(size=(7, 15, model.nu))
    datas = [kinetree.MjData(model) for _ in range(threads)]
    state, sensordata = rollout.rollout(model, datas, initial, control)
    np.testing.assert_array_equal(state, loop(model, initial, control))
    assert sensordata.shape == (7, 15, model.nsensordata)


def test_one_model_for_each_trajectory(model):
    heavy = copy.copy(model)
    heavy.body_mass[1:] *= 2
    control = np.ones((2, 5, model.nu))
    state, _ = rollout.rollout([model, heavy], kinetree.MjData(model), states(model, 1), control)
    assert not np.array_equal(state[0], state[1])


def test_errors_are_exceptions(model, data):
    initial = states(model, 2)
    with pytest.raises(ValueError, match="trailing dimension of control"):
        rollout.rollout(model, data, initial, np.zeros((2, 3, model.nu + 1)))
    with pytest.raises(ValueError, match="empty"):
        rollout.rollout(model, [], initial, np.zeros((2, 3, model.nu)))
    with rollout.Rollout(nthread=2) as pool, pytest.raises(ValueError, match="Length of data: 1"):
        pool.rollout(model, data, initial, nstep=3)
    model.opt.solver = 10
    with pytest.raises(kinetree.FatalError, match="solver"):
        rollout.rollout(model, [kinetree.MjData(model) for _ in range(2)], initial, nstep=3)


def test_exception_of_a_callback_reaches_the_caller(model):
    def control(m, d):
        raise RuntimeError("stop")

    kinetree.set_mjcb_control(control)
    with pytest.raises(RuntimeError, match="stop"):
        rollout.rollout(model, [kinetree.MjData(model) for _ in range(2)], states(model, 4), nstep=3)


def test_bad_states_do_not_stop_the_others(model, data):
    initial = states(model, 2)
    initial[0, 1:] = 1e11
    state, _ = rollout.rollout(model, data, initial, nstep=5)
    assert np.isfinite(state[1]).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_results_go_where_the_caller_wants_them(model, threads):
    initial, control = states(model, 5), np.random.default_rng(2).normal(size=(5, 4, model.nu))
    datas = [kinetree.MjData(model) for _ in range(threads)]
    expected, values = rollout.rollout(model, datas, initial, control)
    counts = expected.size, values.size
    buffer = np.zeros(sum(counts))
    parts = buffer[: counts[0]].reshape(expected.shape), buffer[counts[0]:].reshape(values.shape)
    overlapping = buffer[-counts[1] - 7: -7].reshape(values.shape)
    for given in ((np.zeros_like(expected), np.zeros_like(values)), parts, (parts[0], None), (parts[0], overlapping)):
        state, sensordata = rollout.rollout(model, datas, initial, control, state=given[0], sensordata=given[1])
        assert np.shares_memory(state, given[0])
        np.testing.assert_array_equal(sensordata, values)
        if given[1] is not overlapping:
            np.testing.assert_array_equal(state, expected)
    # also into the memory of a data that is in use
    place = datas[0].sensordata.reshape(1, 1, -1)
    _, sensordata = rollout.rollout(model, datas, initial[:1], control[:1, :1], sensordata=place)
    np.testing.assert_array_equal(place[0, 0], values[0, 0])
    with pytest.raises(TypeError, match="state should have"):
        rollout.Rollout(nthread=0).rollout(model, datas[0], initial, control, nstep=4, skip_checks=True, state=np.zeros(3))


def test_chunks_larger_than_the_batch(model):
    state = np.zeros((3, kinetree.mj_stateSize(model, kinetree.mjtState.mjSTATE_FULLPHYSICS)))
    kinetree.mj_getState(model, kinetree.MjData(model), state[0], kinetree.mjtState.mjSTATE_FULLPHYSICS)
    state[1:] = state[0]
    with rollout.Rollout(nthread=2) as pool:
        datas = [kinetree.MjData(model) for _ in range(2)]
        expected, _ = pool.rollout(model, datas, state, nstep=4, chunk_size=1)
        for size in (3, 10**6, 2**62):
            np.testing.assert_array_equal(pool.rollout(model, datas, state, nstep=4, chunk_size=size)[0], expected)
