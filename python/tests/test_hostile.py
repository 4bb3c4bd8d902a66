"""Programs that write nonsense to models and data: every call ends in a value or an exception, and memory stays what it was."""

import json
import os
import pathlib
import sys
import threading
import time

import kinetree
import numpy as np
import pytest
from alone import run

HERE = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(HERE))

from conformance import hostile  # noqa: E402

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="box" pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="top"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/></body>
  </worldbody>
  <actuator><general joint="hinge" dyntype="user" gaintype="user" biastype="user"/></actuator>
  <sensor><touch site="top"/><jointpos joint="hinge"/><framepos objtype="body" objname="box"/></sensor>
</mujoco>
"""


@pytest.fixture
def model():
    return kinetree.MjModel.from_xml_string(XML)


@pytest.fixture
def data(model):
    data = kinetree.MjData(model)
    for _ in range(100):
        kinetree.mj_step(model, data)
    return data


@pytest.mark.parametrize("number", range(300))
def test_cases(number):
    log, problem = hostile.run_case(number, seed=0)
    assert problem is None, log


def test_a_wrong_count_is_named(model, data):
    force = data.cfrc_ext
    data.ncon = 1000
    with pytest.raises(kinetree.FatalError, match=r"`ncon` is 1000, but there are \d+"):
        kinetree.mj_rnePostConstraint(model, data)
    kinetree.mj_resetData(model, data)
    kinetree.mj_step(model, data)
    assert force.ctypes.data == kinetree._core.CoreData._arrays(data)["cfrc_ext"].ctypes.data


def test_a_wrong_address_is_named(model, data):
    sensordata, addresses = data.sensordata, model.sensor_adr.copy()
    model.sensor_adr[1] = 99
    with pytest.raises(kinetree.FatalError, match=r"sensor_adr\[1\] is 99"):
        kinetree.mj_step(model, data)
    model.sensor_adr[:] = addresses
    kinetree.mj_forward(model, data)
    assert sensordata[1] == data.qpos[7]
    assert sensordata.ctypes.data == kinetree._core.CoreData._arrays(data)["sensordata"].ctypes.data


def test_a_wrong_contact_is_named(model, data):
    data.contact.dim[:] = 2**31 - 1
    with pytest.raises(kinetree.FatalError, match=r"contact.dim\[0\] is 2147483647"):
        kinetree.mj_makeConstraint(model, data)
    kinetree.mj_forward(kinetree.MjModel.from_xml_string(XML), kinetree.MjData(model))


def test_wrong_lists_rows_and_trees_are_named(model, data):
    data.moment_rowadr[:] = 10**6
    with pytest.raises(kinetree.FatalError, match=r"moment_rowadr\[0\] is 1000000"):
        kinetree.mj_fwdVelocity(model, data)
    data.moment_rowadr[:] = 0
    data.ne = 1
    with pytest.raises(kinetree.FatalError, match=r"efc_type\[0\]"):
        kinetree.mj_rnePostConstraint(model, data)
    data.ne = 0
    model.dof_parentid[6] = 5
    with pytest.raises(kinetree.FatalError, match=r"dof_parentid\[6\] is 5, but must be exactly -1"):
        kinetree.mj_step(model, data)
    model.dof_parentid[6] = -1
    model.jnt_type[1] = 7
    with pytest.raises(kinetree.FatalError, match=r"jnt_type\[1\] is 7"):
        kinetree.mj_normalizeQuat(model, data.qpos)
    model.jnt_type[1] = 3
    kinetree.mj_step(model, data)


def test_rows_of_other_options_are_refused_until_they_are_made_anew(model, data):
    assert data.nefc
    model.opt.cone = kinetree.mjtCone.mjCONE_ELLIPTIC
    for call in (kinetree.mj_step2, kinetree.mj_rnePostConstraint, kinetree.mj_fwdConstraint):
        with pytest.raises(kinetree.FatalError, match="opt.cone"):
            call(model, data)
    kinetree.mj_kinematics(model, data)
    kinetree.mj_forward(model, data)
    kinetree.mj_step2(model, data)
    model.opt.jacobian = kinetree.mjtJacobian.mjJAC_SPARSE
    with pytest.raises(kinetree.FatalError, match="opt.jacobian"):
        kinetree.mj_step2(model, data)
    kinetree.mj_step(model, data)


def test_a_data_in_which_a_call_panicked_is_refused_until_it_is_reset(model, data):
    position = data.qpos
    with pytest.raises(kinetree.UnexpectedError):
        data._panic()
    for call in (kinetree.mj_step, kinetree.mj_forward, kinetree.mj_kinematics):
        with pytest.raises(kinetree.FatalError, match="reset it"):
            call(model, data)
    kinetree.mj_resetData(model, data)
    kinetree.mj_step(model, data)
    position[2] = 7
    assert data.qpos[2] == 7
    with pytest.raises(kinetree.UnexpectedError):
        data._panic()
    kinetree.mj_copyData(data, model, kinetree.MjData(model))
    kinetree.mj_step(model, data)


def test_the_data_of_another_model_is_refused(data):
    other = kinetree.MjModel.from_xml_string("<mujoco/>")
    for call in (kinetree.mj_step, kinetree.mj_step2, kinetree.mj_inverse, kinetree.mj_comPos, kinetree.mj_resetData, kinetree.mj_setConst):
        with pytest.raises(ValueError, match="other sizes"):
            call(other, data)


def test_callbacks_that_may_read_cannot_write(model, data):
    seen = {}

    def gain(m, d, actuator):
        seen["time"] = d.time
        kinetree.mj_jacBodyCom(m, d, seen.setdefault("jacobian", np.zeros((3, m.nv))), None, 2)
        with pytest.raises(RuntimeError, match="reading only"):
            kinetree.mj_forward(m, d)
        with pytest.raises(RuntimeError, match="in use"):
            kinetree.mj_setConst(m, kinetree.MjData(m))
        return 1.0

    kinetree.set_mjcb_act_gain(gain)
    try:
        kinetree.mj_forward(model, data)
    finally:
        kinetree.set_mjcb_act_gain(None)
    assert seen["time"] == data.time and seen["jacobian"].any()


def test_threads_that_step_and_edit_one_model():
    model = kinetree.MjModel.from_xml_string(XML)
    expected = kinetree.MjData(model)
    kinetree.mj_step(model, expected, nstep=200)
    problems, edits, refusals, stop = [], [], [], threading.Event()

    def step():
        done, end = 0, time.monotonic() + 30
        while (done < 30 or not edits) and time.monotonic() < end:
            time.sleep(0.001)  # leaves the model alone, so that it can be edited
            try:
                data = kinetree.MjData(model)
                kinetree.mj_step(model, data, nstep=200)
            except RuntimeError as refusal:
                refusals.append(refusal)
                continue
            done += 1
            if not np.array_equal(data.qpos, expected.qpos):
                problems.append(data.qpos)
        stop.set()

    def edit():
        data = kinetree.MjData(model)
        while not stop.is_set():
            try:
                # the same mass: a step sees no difference
                kinetree.mj_setTotalmass(model, kinetree.mj_getTotalmass(model))
                kinetree.mj_setConst(model, data)
                edits.append(True)
            except RuntimeError as refusal:
                refusals.append(refusal)

    threads = [threading.Thread(target=step), threading.Thread(target=edit)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert edits
    assert all("in use" in str(refusal) for refusal in refusals)


def test_things_that_are_no_cameras(model):
    for camera in (None, 0.5, b"bytes", []):
        with pytest.raises(TypeError, match="a camera is an id, a name or an MjvCamera, not"):
            kinetree.BatchRenderer(model, 8, 8, cameras=[camera])


@pytest.mark.skipif(not hasattr(os, "fork") or not os.path.exists("/proc/self/stat"), reason="children and their times are those of Linux")
def test_children_of_the_harness_end_whatever_they_do():
    # one that spins, one that stands still while its own child spins, one that is well
    assert run(f"""
sys.path.insert(0, {str(HERE)!r})
from conformance.hostile import circumstances
def spin():
    while True:
        pass
def stand():
    if not os.fork():
        spin()
    os.write(writer, b"x")
    time.sleep(60)
reader, writer = os.pipe()
begun = time.monotonic()
assert circumstances.in_child(lambda: 0, longest=20) is None
assert circumstances.in_child(lambda: 3, longest=20) == "the child ended with 3"
assert "goes on after 2 s" in circumstances.in_child(spin, longest=2)
assert circumstances.in_child(stand, longest=2) is not None
assert time.monotonic() - begun < 30
# nobody is left who could write
os.close(writer)
assert os.read(reader, 1) == b"x"
assert os.read(reader, 1) == b""
print("done")
""") == "done\n"


@pytest.mark.skipif(os.name != "posix", reason="signals are sent to a process")
def test_interrupts_of_the_harness_are_those_of_their_call():
    assert run(f"""
sys.path.insert(0, {str(HERE)!r})
from conformance.hostile import circumstances
def fail():
    raise ValueError("at once")
def swallow():
    try:
        time.sleep(10)
    except KeyboardInterrupt:
        pass
def turn():
    try:
        time.sleep(10)
    except KeyboardInterrupt:
        raise ValueError("turned") from None
def go_on():
    try:
        time.sleep(10)
    except KeyboardInterrupt:
        time.sleep(1)
        raise
# an error that comes first is no reason for the interrupt to arrive somewhere else
error, came, late = circumstances.outcome_of(fail, 0.3)
assert isinstance(error, ValueError) and came
error, came, late = circumstances.outcome_of(lambda: time.sleep(10), 0.05)
assert error is None and came and late < 1, late
for call, kind in ((swallow, type(None)), (turn, ValueError)):
    error, came, late = circumstances.outcome_of(call, 0.05)
    assert isinstance(error, kind) and not came
error, came, late = circumstances.outcome_of(go_on, 0.05)
assert came and late > 0.9
print("done")
""") == "done\n"


@pytest.mark.skipif(os.name != "posix", reason="groups of processes are those of POSIX")
def test_workers_of_the_harness_tell_each_finding_and_go_on(tmp_path):
    # case 3 ends its process, case 5 hangs, case 7 panics: each is a finding, with seed and case, and the others run
    worker = f"""
import os, sys, time
sys.path.insert(0, {str(HERE)!r})
from conformance import hostile
def run_case(number, seed, left_out):
    if number == 3:
        os.abort()
    if number == 5:
        time.sleep(1000)
    return ["batch", ("step", "value")], "a panic" if number == 7 else None
hostile.run_case = run_case
from conformance.hostile import __main__
sys.exit(__main__.main())
"""
    told = run(f"""
import json
sys.path.insert(0, {str(HERE)!r})
from conformance.hostile import __main__, workers
workers.COMMAND = [sys.executable, "-c", {worker!r}]
sys.argv = ["hostile", "--cases", "20", "--jobs", "3", "--seed", "9", "--limit", "6", "--json", {str(tmp_path / "result.json")!r}]
assert __main__.main() == 1
print("done")
""")
    assert told.endswith("done\n")
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["cases"] == sum(result["kinds"].values()) == 20
    found = {finding["case"]: finding["problem"] for finding in result["findings"]}
    assert sorted(found) == ["9:3", "9:5", "9:7"]
    assert "ended the process" in found["9:3"] and "took more than" in found["9:5"] and found["9:7"] == "a panic"
    assert result["calls"]["value"] == result["subjects"]["batch"] >= 16


def test_the_harness_spends_its_time_on_all_kinds():
    kinds = [hostile.title(number, 1) for number in range(4000)]
    assert {kind for kind in kinds if kinds.count(kind) > 20} == set(hostile.TITLES.values())
    assert kinds.count("circumstances") < 200
    assert hostile.title(0, 1) == hostile.title(0, 1)
    left_out = (hostile.circumstances, hostile.surfaces)
    assert {hostile.title(number, 1, left_out) for number in range(400)} == {"models and data", "damaged bytes", "soft"}
