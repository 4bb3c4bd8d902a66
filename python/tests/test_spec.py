"""Model descriptions: found, changed, added to, deleted from, compiled."""

import kinetree
import numpy as np
import pytest
from conftest import XML


@pytest.fixture
def spec():
    return kinetree.MjSpec.from_string(XML)


def test_find_and_change(spec):
    assert [body.name for body in spec.bodies] == ["world", "upper", "lower", "ball"]
    assert spec.body("nobody") is None
    lower = spec.body("lower")
    assert lower.parent == spec.body("upper") and spec.worldbody.parent is None
    lower.pos = lower.pos + 1.0
    spec.joint("elbow").axis = [1, 0, 0]
    spec.geom("ball").type = kinetree.mjtGeom.mjGEOM_BOX
    spec.geom("ball").size = [0.1, 0.2, 0.3]
    model = spec.compile()
    np.testing.assert_allclose(model.body("lower").pos, [1.3, 1, 1])
    np.testing.assert_allclose(model.joint("elbow").axis, [1, 0, 0])
    np.testing.assert_allclose(model.geom("ball").size, [0.1, 0.2, 0.3])


def test_add_and_delete(spec):
    body = spec.worldbody.add_body(name="new", pos=[0, 0, 3])
    body.add_freejoint()
    body.add_geom(name="hull", size=[0.2], rgba=[1, 0, 0, 1])
    body.add_site(name="mark")
    spec.delete(spec.body("ball"))
    spec.delete(spec.site("mark"))
    # a keyframe has as many values as the model had
    model = kinetree.MjSpec.from_string("<mujoco/>").compile()
    assert model.nbody == 1
    assert [b.name for b in spec.bodies] == ["world", "upper", "lower", "new"]
    assert [g.name for g in body.geoms] == ["hull"] and body.sites == []
    model = spec.compile()
    assert model.nq == 9 and model.body("new").pos[2] == 3


def test_from_nothing():
    spec = kinetree.MjSpec()
    spec.modelname = "pendulum"
    arm = spec.worldbody.add_body(name="arm")
    arm.add_joint(name="hinge", axis=[0, 1, 0])
    arm.add_geom(type=kinetree.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 1, 0, 0], size=[0.1])
    model = spec.compile()
    data = kinetree.MjData(model)
    kinetree.mj_step(model, data, nstep=10)
    arm.add_body(name="hand").add_geom(size=[0.1])
    model, data = spec.recompile(model, data)
    assert model.nbody == 3 and data.time > 0 and data.qpos[0] > 0


def test_misuse(spec):
    with pytest.raises(AttributeError, match="unsupported"):
        spec.body("upper").colour = 1
    with pytest.raises(ValueError, match="read-only"):
        spec.body("upper").pos[0] = 1
    with pytest.raises(ValueError):
        spec.body("upper").pos = [1, 2, 3, 4]
    with pytest.raises(TypeError):
        spec.body("upper").pos = "here"
    with pytest.raises(ValueError):
        spec.delete(spec.worldbody)
    ball = spec.body("ball")
    spec.delete(ball)
    with pytest.raises(ValueError, match="deleted"):
        _ = ball.pos
    with pytest.raises(AttributeError):
        spec.worldbody.add_geom(colour=1)
    with pytest.raises(ValueError, match="shoulderr"):
        kinetree.MjSpec.from_string('<mujoco><actuator><motor joint="shoulderr"/></actuator></mujoco>').compile()
