"""Worlds on a GPU: the tables of a batch, agreement with it, failures and mistakes."""

import functools

import kinetree
import numpy as np
import pytest
import switching
from kinetree.batch import BatchSim
from kinetree.gpu import GpuSim

ARM = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body pos="0 0 0.6">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
      <body pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      </body>
    </body>
    <body pos="0 0.5 0.11"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="shoulder"/><position joint="elbow" kp="5"/></actuator>
</mujoco>
"""


@pytest.fixture(scope="module")
def arm():
    return kinetree.MjModel.from_xml_string(ARM)


def make(model, n, **options):
    """A simulator, or a skipped test where there is no GPU, not even a software driver."""
    try:
        return GpuSim(model, n, **options)
    except RuntimeError as error:
        pytest.skip(str(error))


def test_worlds_step_like_a_batch_on_threads(arm):
    worlds = make(arm, 3, frame_skip=2)
    batch = BatchSim(arm, 3, frame_skip=2)
    random = np.random.default_rng(0)
    assert worlds.qpos.shape == (3, arm.nq) and worlds.qvel.shape == (3, arm.nv) and worlds.ctrl.shape == (3, arm.nu)
    start = random.uniform(-0.3, 0.3, (3, 2))
    worlds.qpos[:, :2] = start
    batch.qpos[:, :2] = start
    kept = worlds.qpos
    for step in range(20):
        controls = random.uniform(-1, 1, (3, arm.nu))
        worlds.ctrl = controls
        batch.ctrl = controls
        worlds.step()
        batch.step()
        # a part that was kept shows the new state
        assert np.array_equal(kept, worlds.qpos)
        np.testing.assert_allclose(worlds.qpos, batch.qpos, atol=1e-4, err_msg=f"step {step}")
        np.testing.assert_allclose(worlds.qvel, batch.qvel, atol=2e-3, err_msg=f"step {step}")
    assert worlds.contacts.tolist() == [1, 1, 1]
    assert worlds.errors == [None] * 3 and not worlds.terminated.any() and worlds.failed is None


def test_double_precision_is_that_of_a_batch_on_threads(arm):
    try:
        worlds = make(arm, 2, precision="f64")
    except ValueError as error:
        pytest.skip(str(error))
    batch = BatchSim(arm, 2)
    start = np.random.default_rng(1).uniform(-0.3, 0.3, (2, 2))
    assert worlds.qpos.dtype == worlds.qvel.dtype == worlds.ctrl.dtype == np.float64
    worlds.qpos[:, :2] = start
    batch.qpos[:, :2] = start
    worlds.ctrl = batch.ctrl = [[0.1, 0.2], [0.3, -0.1]]
    worlds.step(20)
    batch.step(20)
    np.testing.assert_allclose(worlds.qpos, batch.qpos, atol=1e-10)
    np.testing.assert_allclose(worlds.qvel, batch.qvel, atol=1e-9)
    with pytest.raises(ValueError, match="precision must be 'f32' or 'f64', but is 'f16'"):
        GpuSim(arm, 1, precision="f16")


def test_masks_choose_worlds_to_reset(arm):
    worlds = make(arm, 3, time_limit=4)
    worlds.ctrl = 1.0
    worlds.step(4)
    assert worlds.truncated.all()
    moved = worlds.qpos.copy()
    worlds.reset(np.array([False, True, False]))
    first = kinetree.MjData(arm).qpos.astype(np.float32)
    assert np.array_equal(worlds.qpos[1], first)
    assert np.array_equal(worlds.qpos[[0, 2]], moved[[0, 2]])
    assert worlds.truncated.tolist() == [True, False, True]
    assert (worlds.ctrl == 1.0).all()


def test_noise_and_seeds(arm):
    worlds = make(arm, 2, reset_noise=0.1, seed=3)
    first = worlds.qpos.copy()
    assert not np.array_equal(first[0], first[1])
    worlds.seed(3)
    worlds.reset()
    assert np.array_equal(worlds.qpos, first)


def test_fields_differ_between_worlds(arm):
    worlds = make(arm, 2)
    armature = np.tile(arm.dof_armature, (2, 1))
    armature[1, :2] = 5.0
    worlds.vary("dof_armature", armature)
    worlds.step(5)
    speed = np.abs(worlds.qvel[:, 0])
    assert speed[1] < 0.5 * speed[0]
    worlds.end_variations()
    worlds.reset()
    worlds.step(5)
    assert np.array_equal(worlds.qvel[0], worlds.qvel[1])
    with pytest.raises(ValueError, match="no array of floating-point numbers called 'dof_mass'"):
        worlds.vary("dof_mass", armature)


def test_a_world_that_fails_leaves_others_alone(arm):
    worlds, others = make(arm, 3), make(arm, 3)
    worlds.qpos[1, 0] = np.nan
    worlds.step()
    others.step()
    assert worlds.terminated.tolist() == [False, True, False]
    assert "not finite" in worlds.errors[1]
    assert np.array_equal(worlds.qpos[[0, 2]], others.qpos[[0, 2]])
    assert np.isfinite(worlds.qpos).all()
    worlds.step()
    assert worlds.errors == [None] * 3


def test_tensors_are_the_memory_of_the_device_or_refused_by_name(arm):
    """With CUDA, PyTorch writes controls and states in place and has the bits of a simulator with copies; elsewhere the error says why."""
    worlds = make(arm, 4)
    with pytest.raises(ValueError, match="no tensor of 'mass'"):
        worlds.tensor("mass")
    with pytest.raises(ValueError, match="functions"):
        worlds.tensor("rewards")
    try:
        controls, positions = worlds.tensor("ctrl"), worlds.tensor("qpos")
    except ValueError as error:
        assert "without copies" in str(error) and "NumPy" in str(error)
        worlds.step()
        return
    torch = pytest.importorskip("torch")
    copied = make(arm, 4)
    ctrl, qpos = torch.from_dlpack(controls), torch.from_dlpack(positions)
    assert positions.shape == tuple(qpos.shape) == (4, arm.nq) and positions.dtype == np.float32
    for k in range(5):
        ctrl.fill_(0.1 * k)
        copied.ctrl[:] = np.float32(0.1 * k)
        qpos[:, 0] += 0.25
        copied.qpos[:, 0] += np.float32(0.25)
        worlds.step()
        copied.step()
        np.testing.assert_array_equal(qpos.cpu().numpy(), copied.qpos)


def test_views_that_a_program_keeps_are_written_after_a_tensor_was_refused(arm):
    worlds = make(arm, 2)
    positions = worlds.qpos
    with pytest.raises(ValueError, match="no tensor of 'mass'"):
        worlds.tensor("mass")
    positions[:] = 0.5
    worlds.kernel_times(1)
    assert np.abs(worlds.qpos - 0.5).max() < 0.1


def test_kernel_times_of_failed_calls_age_no_world(arm):
    worlds = make(arm, 2, time_limit=3)
    worlds.begin_step()
    with pytest.raises(ValueError, match="under way|unfinished|finish"):
        worlds.kernel_times(3)
    worlds.finish_step()
    assert not worlds.truncated.any()


def test_kernels_tell_their_times_and_totals(arm):
    worlds = make(arm, 4, frame_skip=2)
    times = worlds.kernel_times(3)
    assert worlds.solver_totals["steps"] == 4 * 6
    assert not times or ([name for name, _ in times][0] == "smooth" and all(seconds >= 0 for _, seconds in times))


def test_mistakes_are_explained(arm):
    for many in (2**40, 2**62):
        with pytest.raises(ValueError, match="world"):
            make(arm, many)
    with pytest.raises(ValueError, match="at least 1"):
        GpuSim(arm, 0)
    worlds = make(arm, 2)
    with pytest.raises(ValueError, match="a row for each world"):
        worlds.ctrl = np.zeros((3, arm.nu))
    worlds.ctrl[1, 0] = np.nan
    with pytest.raises(ValueError, match="control 0 of world 1"):
        worlds.step()
    with pytest.raises(ValueError, match="2 booleans"):
        worlds.reset(np.array([1, 0]))
    with pytest.raises(RuntimeError, match="no adapter is called 'imaginary'"):
        GpuSim(arm, 1, adapter="imaginary")
    own = kinetree.MjModel.from_xml_string("""<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
        <actuator><general name="drive" joint="j" dyntype="user" actdim="2"/></actuator></mujoco>""")
    with pytest.raises(ValueError, match="drive"):
        make(own, 1)


SENSED = """<mujoco><worldbody>
    <body><joint name="j" axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/><site name="a" pos="0.2 0 0"/></body><site name="b" pos="0 0 1"/></worldbody>
    <tendon><spatial name="rope" stiffness="5"><site site="a"/><site site="b"/></spatial></tendon>
    <sensor><jointvel joint="j"/><accelerometer site="a"/><tendonpos tendon="rope"/>OTHER</sensor></mujoco>"""


def test_sensors_read_like_a_batch_on_threads():
    model = kinetree.MjModel.from_xml_string(SENSED.replace("OTHER", ""))
    worlds, batch = make(model, 2), BatchSim(model, 2)
    assert worlds.sensordata.shape == (2, 5) and not worlds.sensordata.any()
    start = np.array([[0.1], [-0.4]])
    worlds.qpos[:] = start
    batch.qpos[:] = start
    worlds.step(10)
    batch.step(10)
    np.testing.assert_allclose(worlds.sensordata, batch.sensordata, atol=1e-3)
    worlds.reset(np.array([True, False]))
    assert not worlds.sensordata[0].any() and worlds.sensordata[1].any()


def test_sensors_that_are_not_computed_are_named():
    model = kinetree.MjModel.from_xml_string(SENSED.replace("OTHER", '<user name="load" dim="1"/>'))
    worlds = make(model, 1)
    worlds.step()
    with pytest.raises(NotImplementedError, match="sensor 'load' \\(user\\)"):
        worlds.sensordata  # noqa: B018


FUNCTIONS = """
fn observe(world: u32) {
    set_observation(world, 0u, qpos(world, 0u));
    set_observation(world, 1u, ctrl(world, 0u) * field(world, 0u));
}
fn reward(world: u32) -> f32 { return -abs(qvel(world, 0u)); }
fn terminated(world: u32) -> bool { return qpos(world, 0u) > 0.5; }
fn reset(world: u32) { set_qpos(world, 0u, 0.1 * random(world)); }
"""


def test_functions_of_ones_own_run_on_the_device(arm):
    worlds = make(arm, 3, functions=FUNCTIONS, observations=2, fields=[[1], [2], [3]], autoreset=True)
    first = worlds.observations.copy()
    assert first.shape == (3, 2) and (first[:, 0] >= 0).all() and (first[:, 0] < 0.1).all() and len(set(first[:, 0])) == 3
    worlds.ctrl[:, 0] = 0.25
    worlds.step()
    assert np.array_equal(worlds.observations[:, 0], worlds.qpos[:, 0])
    assert np.array_equal(worlds.observations[:, 1], [0.25, 0.5, 0.75])
    np.testing.assert_allclose(worlds.rewards, -np.abs(worlds.qvel[:, 0]), rtol=1e-6)
    worlds.set_fields([[4], [4], [4]])
    worlds.qpos[1, 0] = 0.6
    worlds.step()
    assert worlds.terminated.tolist() == [False, True, False] and worlds.failed is None
    assert worlds.qpos[1, 0] < 0.1 and worlds.observations[1, 0] == worlds.qpos[1, 0]
    worlds.reset(np.array([True, False, False]))
    assert 0 <= worlds.observations[0, 0] < 0.1 and worlds.observations[0, 1] == 0


def test_mistakes_in_functions_are_explained(arm):
    make(arm, 1)
    with pytest.raises(ValueError, match="line 3: .*velocity"):
        GpuSim(arm, 1, functions="\nfn reward(world: u32) -> f32 {\n    return velocity(world);\n}")
    with pytest.raises(ValueError, match=r"fn reward\(world: u32\) -> f32"):
        GpuSim(arm, 1, functions="fn reward(world: i32) -> f32 { return 1.0; }")
    with pytest.raises(ValueError, match="belong to functions"):
        GpuSim(arm, 1, observations=3)
    with pytest.raises(ValueError, match="reset_noise"):
        GpuSim(arm, 1, functions=FUNCTIONS, observations=2, fields=[[1]], reset_noise=0.1)
    with pytest.raises(ValueError, match="a row for each of 2 worlds"):
        GpuSim(arm, 2, functions=FUNCTIONS, observations=2, fields=[1])


def test_a_batch_with_outputs_and_sensors_on_a_gpu():
    model = kinetree.MjModel.from_xml_string(SENSED.replace("OTHER", '<user name="load" dim="1"/>'))
    make(model, 1)
    gpu, threads = (BatchSim(model, 2, frame_skip=3, outputs=("xpos", "cfrc_int"), device=device) for device in ("gpu", "cpu"))
    for batch in (gpu, threads):
        batch.qpos[:] = [[0.1], [-0.4]]
        batch.step(5)
    np.testing.assert_allclose(gpu.qpos, threads.qpos, atol=1e-5)
    np.testing.assert_allclose(gpu.xpos, threads.xpos, atol=1e-5)
    np.testing.assert_allclose(gpu.cfrc_int, threads.cfrc_int, rtol=1e-3, atol=1e-2)
    # the processor computes sensors that the GPU does not
    np.testing.assert_allclose(gpu.sensordata, threads.sensordata, rtol=1e-3, atol=1e-2)
    with pytest.raises(ValueError, match="'cpu' or 'gpu'"):
        BatchSim(model, 1, device="tpu")
    with pytest.raises(ValueError, match="device='gpu'"):
        BatchSim(model, 1, adapter="llvmpipe")


def test_steps_that_overlap_are_those_that_do_not(arm):
    worlds, other = make(arm, 3, frame_skip=2), make(arm, 3, frame_skip=2)
    controls = np.random.default_rng(1).uniform(-1, 1, (6, 3, arm.nu))
    expected = []
    for row in controls:
        other.ctrl = row
        other.step()
        expected.append((other.qpos.copy(), other.qvel.copy()))
    # one ahead
    seen = []
    for row in controls:
        worlds.ctrl = row
        worlds.begin_step()
        if len(worlds._begun) == 2:
            worlds.finish_step()
            seen.append((worlds.qpos.copy(), worlds.qvel.copy()))
    with pytest.raises(ValueError, match="finish"):
        worlds.step()
    worlds.finish_step()
    seen.append((worlds.qpos.copy(), worlds.qvel.copy()))
    for (qpos, qvel), (wanted_qpos, wanted_qvel) in zip(seen, expected, strict=True):
        assert np.array_equal(qpos, wanted_qpos) and np.array_equal(qvel, wanted_qvel)
    assert worlds.errors == [None] * 3
    with pytest.raises(ValueError):
        worlds.finish_step()
    # all goes on as before
    worlds.step()
    other.step()
    assert np.array_equal(worlds.qpos, other.qpos)


def test_states_may_not_be_written_while_steps_are_under_way(arm):
    worlds = make(arm, 2)
    worlds.begin_step()
    before = worlds.qpos.copy()
    for call in (worlds.begin_step, worlds.finish_step):
        worlds.qpos[:] = 0
        with pytest.raises(ValueError, match="under way"):
            call()
        assert np.array_equal(worlds.qpos, before)
    worlds.finish_step()
    assert not np.array_equal(worlds.qpos, before)


@pytest.mark.parametrize("check", [switching.check_equalities, switching.check_mocap])
@pytest.mark.parametrize("maker", [make, functools.partial(BatchSim, device="gpu")])
def test_switches_and_mocap_bodies_of_worlds(check, maker):
    check(maker, 1e-5)
