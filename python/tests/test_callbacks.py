"""Callbacks get the very objects of the call and may use the package."""

import ctypes

import kinetree
import numpy as np
import pytest


def test_control_and_passive(model, data):
    seen = []

    def control(m, d):
        seen.append((m is model, d is data))
        d.ctrl[0] = 1.5

    def passive(m, d):
        d.qfrc_passive[0] += 7.0

    kinetree.set_mjcb_control(control)
    kinetree.set_mjcb_passive(passive)
    assert kinetree.get_mjcb_control() is control
    kinetree.mj_step(model, data)
    assert seen == [(True, True)]
    assert data.ctrl[0] == 1.5 and data.qfrc_passive[0] == pytest.approx(7.0, abs=0.1)


def test_what_a_callback_changes_is_used(model, data):
    elbow = model.M_rowadr[1] + model.M_rownnz[1] - 1
    damping = model.opt.timestep * model.dof_damping[1]

    def control(m, d):
        d.M[:] *= 2.0
        d.efc_J[:] = 0.0

    for callback, factor in ((None, 1.0), (control, 2.0), (None, 1.0)):
        kinetree.set_mjcb_control(callback)
        kinetree.mj_step(model, data)
        assert np.any(data.qfrc_constraint) == (callback is None)
        assert data.qH[elbow] == pytest.approx(factor * data.qLD[elbow] + damping, rel=1e-12)


def test_callback_may_call_the_engine(model, data):
    jacobian = np.zeros((3, model.nv))
    kinetree.set_mjcb_control(lambda m, d: kinetree.mj_jacSite(m, d, jacobian, None, 0))
    kinetree.mj_step(model, data)
    assert np.abs(jacobian).max() > 0.1


def test_contact_filter(model, data):
    kinetree.mj_forward(model, data)
    assert data.ncon == 1
    kinetree.set_mjcb_contactfilter(lambda m, d, geom1, geom2: 1)
    kinetree.mj_forward(model, data)
    assert data.ncon == 0
    kinetree.set_mjcb_contactfilter(None)
    kinetree.mj_forward(model, data)
    assert data.ncon == 1


def test_contact_bits_count_without_a_filter(model, data):
    model.geom_contype[:] = 0
    model.geom_conaffinity[:] = 0
    kinetree.mj_forward(model, data)
    assert data.ncon == 0


def test_not_callable():
    with pytest.raises(TypeError):
        kinetree.set_mjcb_control(3)
    with pytest.raises(TypeError):
        kinetree.set_mju_user_warning(3)


def test_warnings_are_told_once(model, data):
    texts = []
    kinetree.set_mju_user_warning(texts.append)
    kinetree.mj_step(model, data)
    assert texts == []
    data.qvel[0] = 1e11
    kinetree.mj_step(model, data)
    assert len(texts) == 1 and "QVEL" in texts[0]


def test_functions_of_ctypes_take_warnings_as_bytes(model, data):
    """As dm_control's, which otherwise raised an error of its own in each step that warned."""
    texts = []
    take = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(texts.append)
    kinetree.set_mju_user_warning(take)
    assert kinetree.get_mju_user_warning() is take
    data.qvel[0] = 1e11
    kinetree.mj_step(model, data)
    assert len(texts) == 1 and b"QVEL" in texts[0]
