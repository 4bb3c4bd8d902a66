"""The package as programs find it: modules that come when they are asked for, `as_mujoco` as a command, help."""

import importlib.util
import os
import pydoc
import subprocess
import sys

import kinetree
import numpy as np
import pytest


def run(*arguments, **variables):
    """Runs Python; what it has written."""
    done = subprocess.run([sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60,
                          env={**os.environ, **variables})
    return done.returncode, done.stdout


def test_modules_come_when_they_are_asked_for():
    code, told = run("-c", "import kinetree, sys; assert 'kinetree.grad' not in sys.modules; print(kinetree.ik.Chain, kinetree.grad.Step, "
                           "kinetree.minimize.least_squares, kinetree.rollout.rollout, 'viewer' in dir(kinetree))")
    assert code == 0 and told.strip().endswith("True"), told
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        kinetree.nothing  # noqa: B018


def test_as_mujoco_tells_how_it_is_used():
    code, told = run("-m", "kinetree.as_mujoco", "--help")
    assert code == 0 and "script.py | -m module" in told and "Traceback" not in told, told
    code, told = run("-m", "kinetree.as_mujoco")
    assert code == 2 and told.startswith("usage:"), told


def test_as_mujoco_runs_scripts_and_modules_with_their_arguments(tmp_path):
    (tmp_path / "helper.py").write_text("NAME = 'helper'\n")
    script = tmp_path / "script.py"
    script.write_text("import sys, mujoco, helper\nprint(mujoco.MjModel.__module__, helper.NAME, sys.argv[1:])\n")
    code, told = run("-m", "kinetree.as_mujoco", str(script), "--help", "-m")
    assert code == 0 and told.strip() == "kinetree.structs helper ['--help', '-m']", told
    code, told = run("-m", "kinetree.as_mujoco", "-m", "mujoco.viewer", "--help")
    assert code == 0 and "--mjcf" in told, told


def test_submodules_of_the_reference_are_there():
    code, told = run("-c", "import kinetree.as_mujoco\nimport mujoco\nfrom mujoco.egl import egl_ext as EGL\n"
                           "from mujoco.rendering.classic.renderer import Renderer\nfrom mujoco.rendering.classic import gl_context\n"
                           "from mujoco import _specs, viewer\nassert Renderer is mujoco.Renderer\n"
                           "display = EGL.eglGetPlatformDisplayEXT(EGL.EGL_PLATFORM_DEVICE_EXT, EGL.eglQueryDevicesEXT()[0], None)\n"
                           "assert EGL.eglInitialize(display, None, None) == EGL.EGL_TRUE and EGL.eglGetError() == EGL.EGL_SUCCESS\nprint('good')")
    assert code == 0 and told.strip() == "good", told


@pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="MuJoCo is not installed")
def test_parts_of_the_reference_that_are_python_alone_run():
    code, told = run("-c", "import kinetree.as_mujoco\nfrom mujoco.introspect import functions\nimport mujoco\n"
                           "print(len(functions.FUNCTIONS) > 100, mujoco.MjModel.__module__)")
    assert code == 0 and told.strip() == "True kinetree.structs", told


def test_help_is_readable():
    text = pydoc.render_doc(kinetree.grad.rollout_vjp, renderer=pydoc.plaintext)
    assert "controls: 'ArrayLike'" in text and "_Buffer" not in text


def test_members_of_enumerations_are_shown_by_name():
    member = kinetree.mjtJoint.mjJNT_HINGE
    assert str(member) == f"{member}" == "mjtJoint.mjJNT_HINGE" and f"{member:d}" == "3" and "%d" % member == "3"


def test_arguments_of_default_functions_have_names():
    camera, figure = kinetree.MjvCamera(), kinetree.MjvFigure()
    kinetree.mjv_defaultCamera(cam=camera)
    kinetree.mjv_defaultOption(opt=kinetree.MjvOption())
    kinetree.mjv_defaultPerturb(pert=kinetree.MjvPerturb())
    kinetree.mjv_defaultFigure(fig=figure)


def test_elements_take_none_for_what_is_not_given_and_name_what_is_wrong():
    spec = kinetree.MjSpec()
    body = spec.worldbody.add_body(name="a", pos=None)
    body.add_joint(name="hinge", axis=None)
    geom = body.add_geom(type=None, name=None, size=[0.1, 0, 0])
    assert geom.type == kinetree.mjtGeom.mjGEOM_SPHERE and geom.name == ""
    with pytest.raises(TypeError, match=r"MjsGeom.type = 'box': .*mjtGeom.mjGEOM_BOX"):
        body.add_geom(type="box")
    assert len(spec.geoms) == 1
    inner = body.add_body(name="b")
    assert spec.worldbody.find_child("b") == inner and body.find_child("a") == body and body.find_child("c") is None
    tendon = spec.add_tendon()
    assert tendon.default().name == "main"
    spec.delete(tendon)
    inner.add_geom(size=[0.1, 0, 0])
    model = spec.compile()
    assert model.bind_scalar(body).id == 1 and kinetree.MjData(model).bind_scalar(geom).xpos.shape == (3,)
    with pytest.raises(TypeError, match="one element"):
        model.bind_scalar([body])


def test_a_description_is_compiled_again_that_was_not_compiled():
    xml = "<mujoco><worldbody><body name='a'><joint/><geom size='.1'/></body></worldbody></mujoco>"
    model = kinetree.MjModel.from_xml_string(xml)
    data = kinetree.MjData(model)
    data.qpos[0] = 0.3
    spec = kinetree.MjSpec.from_string(xml)
    spec.body("a").add_geom(size=[0.2, 0, 0])
    model, data = spec.recompile(model, data)
    assert model.ngeom == 2 and data.qpos[0] == 0.3


def test_keys_of_attached_parts_are_there_after_a_compilation():
    child = kinetree.MjSpec.from_string("<mujoco><worldbody><body name='a'><joint/><geom size='.1'/></body></worldbody>"
                                        "<keyframe><key name='k' qpos='1'/></keyframe></mujoco>")
    parent = kinetree.MjSpec()
    parent.attach(child, frame=parent.worldbody.add_frame(), prefix="x-")
    assert parent.keys == []
    parent.compile()
    assert [(key.name, key.qpos.tolist()) for key in parent.keys] == [("x-k", [1.0])]
    body = parent.worldbody.add_body()
    body.add_joint()
    body.add_geom(size=[0.1, 0, 0])
    parent.compile()
    assert [(key.name, key.qpos.tolist()) for key in parent.keys] == [("x-k", [1.0, 0.0])]
    with pytest.raises(AttributeError, match="attached part"):
        parent.keys[0].time = 1.0


def test_contacts_that_geoms_can_have():
    mujoco = pytest.importorskip("mujoco", minversion="3.8.0")
    shapes = ["plane", "sphere", "capsule", "ellipsoid", "cylinder", "box"]
    geoms = "".join(f"<geom type='{shape}' size='1 1 1'/>" for shape in shapes)
    assets = "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
    geoms += "<geom type='mesh' mesh='m'/><geom type='hfield' hfield='h'/>"
    for flag in ("", "<option><flag multiccd='disable'/></option>", "<option><flag nativeccd='disable'/></option>"):
        xml = f"<mujoco>{flag}{assets}<worldbody>{geoms}</worldbody></mujoco>"
        ours, theirs = (
            [[engine.mj_maxContact(engine.MjModel.from_xml_string(xml), i, j, margin) for i in range(8) for j in range(8)] for margin in (0, 1)]
            for engine in (kinetree, mujoco))
        assert np.array_equal(ours, theirs), flag
