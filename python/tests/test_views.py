"""Attributes that a program keeps show what the engine does, and what is written to them counts: the same as in the reference, where it
is installed."""

import copy
import pickle
import re

import kinetree
import numpy as np
import pytest

XML = """
<mujoco>
  <option timestep="0.005"><flag energy="enable" island="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="box" pos="0 0 0.09"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
    <body name="arm" pos="0.5 0 0.5">
      <joint name="hinge" axis="0 1 0" damping="0.1" frictionloss="0.01"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <site name="tip" pos=".3 0 0"/>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="hinge"/></actuator>
  <sensor><framepos objtype="site" objname="tip"/><jointvel joint="hinge"/></sensor>
</mujoco>
"""
BAD = int(kinetree.mjtWarning.mjWARN_BADQPOS)
# arrays that are there anew after a step, in both engines: their number of rows changes
DYNAMIC = set(kinetree._core.DYNAMIC_ARRAYS)
# what both engines count differently, or only one of them has
OWN = {"signature", "model", "contact", "nbuffer", "narena", "maxuse_arena", "maxuse_stack", "maxuse_threadstack", "parena", "pbase",
       "pstack", "threadpool", "timer", "solver", "warning", "plugin_data"}
# arrays of islands, which the reference allocates anew at each step, and we keep
ISLANDS = re.compile(r"i(M|LD|acc|frc)|island_|map_|(dof|tree)_island$")


@pytest.fixture(params=["kinetree", "mujoco"])
def engine(request):
    if request.param == "kinetree":
        return kinetree
    return pytest.importorskip("mujoco", minversion="3.8.0")


def world(engine, xml=XML):
    model = engine.MjModel.from_xml_string(xml)
    data = engine.MjData(model)
    data.qvel[0], data.ctrl[0] = 0.3, 0.5
    return model, data


def arrays(engine):
    """Names of all attributes of a data that are arrays of a size that the model fixes."""
    data = world(engine)[1]
    names = [name for name in dir(kinetree.MjData) if not name.startswith("_") and name not in OWN | DYNAMIC]
    kept = [name for name in names if engine is kinetree or not ISLANDS.match(name)]
    return [name for name in kept if isinstance(getattr(data, name, None), np.ndarray)]


def test_arrays_that_are_kept_show_the_step(engine):
    model, data = world(engine)
    kept = {name: getattr(data, name) for name in arrays(engine)}
    before = {name: np.array(array) for name, array in kept.items()}
    engine.mj_step(model, data)
    for name, array in kept.items():
        np.testing.assert_array_equal(array, getattr(data, name), err_msg=name)
    assert {"qpos", "qvel", "energy", "solver_niter", "xpos", "sensordata", "qacc", "qfrc_bias"} <= {
        name for name in kept if not np.array_equal(before[name], kept[name])}


def test_both_engines_change_the_same_arrays():
    mujoco = pytest.importorskip("mujoco", minversion="3.8.0")
    changed = []
    for engine in (kinetree, mujoco):
        model, data = world(engine)
        kept = {name: getattr(data, name) for name in arrays(engine)}
        before = {name: np.array(array) for name, array in kept.items()}
        engine.mj_step(model, data)
        changed.append({name for name in kept if not np.array_equal(before[name], kept[name])})
    ours, theirs = changed
    # an island's own solver counts differ in what is stored where nothing moves
    assert not (theirs - ours - {"tree_asleep"}), theirs - ours


def test_what_is_written_to_arrays_counts(engine):
    _, data = world(engine)
    for name in arrays(engine):
        array = getattr(data, name)
        if not array.size or name == "plugin":
            continue
        kept = np.array(array)
        array.flat[0] = 1
        assert getattr(data, name).flat[0] == 1, name
        setattr(data, name, kept)
        np.testing.assert_array_equal(getattr(data, name), kept, err_msg=name)


def test_lists_of_counters_are_live(engine):
    model, data = world(engine)
    warning, number, item = data.warning, data.warning.number, data.warning[BAD]
    timer, duration = data.timer, data.timer.duration
    before = np.copy(number)
    item.number, item.lastinfo = 5, 3
    assert number[BAD] == 5 and warning[BAD].lastinfo == 3 and data.warning.number.sum() == number.sum()
    number[0] = 7
    assert data.warning[0].number == 7 and before.sum() == 0
    duration[0] = 2.5
    assert timer[0].duration == 2.5 == data.timer.duration[0]
    with pytest.raises(AttributeError):
        warning.number = 3
    engine.mj_resetData(model, data)
    assert not number.any() and item.number == 0


def test_a_simulation_that_diverges_is_seen_and_heard(engine, capfd):
    xml = "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>"
    model, data = world_of(engine, xml)
    number, told = data.warning.number, []
    data.qfrc_applied[0] = 1e300
    engine.mj_step(model, data)
    assert number[int(kinetree.mjtWarning.mjWARN_BADQACC)] == 1
    if engine is kinetree:
        heard = capfd.readouterr().err
        assert heard.startswith("WARNING: ") and "Time = 0.0000." in heard and heard.count("WARNING") == 1
    engine.mj_step(model, data)
    capfd.readouterr()
    engine.set_mju_user_warning(told.append)
    try:
        engine.mj_resetData(model, data)
        data.qfrc_applied[0] = 1e300
        engine.mj_step(model, data)
        engine.mj_step(model, data)
    finally:
        engine.set_mju_user_warning(None)
    assert len(told) == 1 and "Time = 0.0000." in told[0]
    assert capfd.readouterr().err == ""


def world_of(engine, xml):
    model = engine.MjModel.from_xml_string(xml)
    return model, engine.MjData(model)


def test_solver_statistics_that_are_kept_follow(engine):
    model, data = world(engine)
    solver, improvement, first = data.solver, data.solver.improvement, data.solver[0]
    assert len(solver) == 4000 and improvement.shape == (4000,)
    for _ in range(3):
        engine.mj_step(model, data)
    assert first.improvement == improvement[0] == data.solver[0].improvement != 0
    first.nactive = 9
    assert data.solver.nactive[0] == 9
    copied = copy.copy(data)
    assert copied.solver[0].nactive == 9


def test_contacts_that_are_kept_follow(engine):
    model, data = world(engine)
    engine.mj_forward(model, data)
    contacts, first = data.contact, data.contact[0]
    before = first.dist
    data.qpos[2] -= 0.01
    engine.mj_forward(model, data)
    assert first.dist == contacts[0].dist == data.contact.dist[0] != before
    first.dist = -1.0
    assert data.contact[0].dist == -1.0
    kept = copy.copy(first)
    data.qpos[2] = 5.0
    engine.mj_forward(model, data)
    assert data.ncon == 0 and kept.dist == -1.0


def test_scalars_and_sizes_are_those_of_now():
    model, data = world(kinetree)
    kinetree.mj_step(model, data)
    assert data.ncon and data.nefc and data.nisland
    model.body_gravcomp[1] = 1.0
    kinetree.mj_setConst(model, data)
    assert model.ngravcomp == 1


def test_attributes_of_a_model_are_views(engine):
    model = world(engine)[0]
    option, statistic, gravity = model.opt, model.stat, model.opt.gravity
    option.timestep, statistic.meaninertia, gravity[0] = 0.25, 3.0, 1.5
    assert model.opt.timestep == 0.25 and model.stat.meaninertia == 3.0 and model.opt.gravity[0] == 1.5
    model.vis.global_.fovy = 30.0
    assert model.vis.global_.fovy == 30.0
    for name in dir(kinetree.MjModel):
        array = getattr(model, name, None)
        if not name.startswith("_") and isinstance(array, np.ndarray) and array.size and array.flags.writeable:
            value = array.flat[0]
            array.flat[0] = 1
            assert getattr(model, name).flat[0] == 1, name
            array.flat[0] = value


def test_copies_and_pickles_keep_counters():
    model, data = world(kinetree)
    kinetree.mj_step(model, data)
    data.warning[1].number, data.energy[0] = 4, 2.0
    for other in (copy.copy(data), pickle.loads(pickle.dumps(data))):
        assert other.warning[1].number == 4 and other.energy[0] == 2.0
        other.warning[1].number = 9
        assert data.warning[1].number == 4


def test_findings_in_a_model_are_told_once(capfd):
    xml = "<mujoco><compiler angle='radian'/><include file='part.xml' unknown='1'/></mujoco>"
    part = {"part.xml": "<mujoco><worldbody/></mujoco>"}
    kinetree.MjModel.from_xml_string(xml, part)
    assert "unknown attribute 'unknown' in <include>" in capfd.readouterr().err
    kinetree.MjModel.from_xml_string(xml, part)
    assert capfd.readouterr().err == ""


def test_plugin_libraries_are_not_loaded_in_silence(capfd, tmp_path):
    kinetree.mj_loadAllPluginLibraries(str(tmp_path))
    assert "unsupported" in capfd.readouterr().err


def test_a_window_buffer_needs_a_window():
    context = kinetree.MjrContext()
    with pytest.raises(kinetree.FatalError, match="no window"):
        kinetree.mjr_setBuffer(kinetree.mjtFramebuffer.mjFB_WINDOW, context)
    rect = kinetree.MjrRect(0, 0, 10, 10)
    with pytest.raises(kinetree.FatalError, match="no window"):
        kinetree.mjr_blitBuffer(rect, rect, 1, 0, context)
