"""Chains, Jacobians and inverse kinematics from Python."""

import pathlib

import kinetree
import kinetree.ik
import numpy as np
import pytest

MODELS = pathlib.Path(__file__).parents[2] / "models"


@pytest.fixture(scope="module")
def arm():
    return kinetree.MjModel.from_xml_path(str(MODELS / "showcase" / "arm.xml"))


@pytest.fixture(scope="module")
def chain(arm):
    return kinetree.ik.Chain(arm, "world", "grip")


@pytest.fixture(scope="module")
def humanoid():
    return kinetree.MjModel.from_xml_path(str(MODELS / "showcase" / "humanoid.xml"))


def random_q(chain, count=None, seed=0):
    low, high = chain.limits.T
    return np.random.default_rng(seed).uniform(low, high, None if count is None else (count, chain.nq))


def test_forward_kinematics_and_jacobian_are_the_engine_s(arm, chain):
    data = kinetree.MjData(arm)
    q = random_q(chain)
    data.qpos[chain.qpos_indices] = q
    kinetree.mj_kinematics(arm, data)
    kinetree.mj_comPos(arm, data)
    pos, quat = chain.fk(q)
    mat = np.zeros(9)
    kinetree.mju_quat2Mat(mat, quat)
    np.testing.assert_allclose(pos, data.site("grip").xpos, atol=1e-13)
    np.testing.assert_allclose(mat, data.site("grip").xmat, atol=1e-13)
    jacp, jacr = np.zeros((3, arm.nv)), np.zeros((3, arm.nv))
    kinetree.mj_jacSite(arm, data, jacp, jacr, arm.site("grip").id)
    expected = np.vstack([jacp, jacr])[:, chain.dof_indices]
    np.testing.assert_allclose(chain.jacobian(q), expected, atol=1e-13)
    assert chain.joint_names[0] == "joint1" and chain.nq == chain.nv == 7


def test_batches_are_single_calls(chain):
    q = random_q(chain, 1001)
    pos, quat = chain.fk(q)
    jacobians = chain.jacobian(q, "local")
    assert pos.shape == (1001, 3) and quat.shape == (1001, 4) and jacobians.shape == (1001, 6, 7)
    for i in (0, 500, 1000):
        np.testing.assert_array_equal(jacobians[i], chain.jacobian(q[i], "local"))
        np.testing.assert_array_equal(pos[i], chain.fk(q[i])[0])


def test_derivatives_and_singularity(chain):
    q, v = random_q(chain), np.linspace(-1, 1, 7)
    step = 1e-6
    difference = (chain.jacobian(q + step * v) - chain.jacobian(q - step * v)) / (2 * step)
    np.testing.assert_allclose(chain.jacobian_derivative(q, v), difference, atol=1e-6)
    weight = np.arange(6.0)
    np.testing.assert_allclose(chain.hessian_vector_product(q, v, weight), difference.T @ weight, atol=1e-5)
    values = np.linalg.svd(chain.jacobian(q), compute_uv=False)
    np.testing.assert_allclose(chain.singular_values(q), values, atol=1e-12)
    assert chain.manipulability(q) == pytest.approx(np.prod(values))
    assert chain.condition_number(q) == pytest.approx(values[0] / values[-1])
    assert not chain.is_singular(q)
    null = chain.null_space(q)
    assert null.shape == (7, 1) and np.abs(chain.jacobian(q) @ null).max() < 1e-12
    frames, _ = chain.frames(q)
    assert frames.shape == (7, 3)


def test_solver_reaches_poses(chain):
    solver = kinetree.ik.Solver(chain, position_tolerance=1e-6, rotation_tolerance=1e-6)
    for q in random_q(chain, 200, seed=3):
        pos, quat = chain.fk(q)
        result = solver.solve(pos, quat)
        assert result.converged and result.position_error <= 1e-6 and result.rotation_error <= 1e-6
        found, _ = chain.fk(result.q)
        assert np.linalg.norm(found - pos) < 1.01e-6
        assert np.all(result.q >= chain.limits[:, 0]) and np.all(result.q <= chain.limits[:, 1])
        assert np.all(result.active_limits == 0) or result.active_limits.shape == (7,)


def test_modes_and_parts_of_a_pose(chain):
    solver = kinetree.ik.Solver(chain)
    q = random_q(chain, seed=5)
    pos, quat = chain.fk(q)
    assert solver.solve(pos).converged
    assert solver.solve(quat=quat).converged
    assert solver.solve(pos, axis=([0, 0, 1], [0, 0, -1])).converged
    assert solver.solve(pos, quat, weights=[1, 1, 0, 1, 1, 0]).converged
    nearest = solver.solve(pos, quat, q + 0.05, mode="nearest")
    assert nearest.converged
    several = solver.solve_all(pos, quat, q, count=5)
    assert 1 <= len(several) <= 5 and all(one.converged for one in several)
    far = solver.solve([9.0, 0.0, 0.0], quat)
    assert not far.converged and far.position_error > 5 and np.all(np.isfinite(far.q))


def test_batch_on_threads(chain):
    solver = kinetree.ik.Solver(chain)
    q = random_q(chain, 64, seed=9)
    pos, quat = chain.fk(q)
    one, two = solver.solve_batch(pos, quat, threads=1), solver.solve_batch(pos, quat, threads=2)
    np.testing.assert_array_equal(one.q, two.q)
    assert one.converged.dtype == bool and one.converged.all()
    single = solver.solve(pos[3], quat[3])
    np.testing.assert_array_equal(one.q[3], single.q)
    assert one.active_limits.shape == (64, 7) and one.restarts[3] == single.restarts


def test_links_without_joints_are_found(tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text("""<robot name="arm">
      <link name="base"/><link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
      </inertial></link><link name="tool0"/>
      <joint name="turn" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
      <joint name="mount" type="fixed"><parent link="upper"/><child link="tool0"/><origin xyz="0.5 0 0"/></joint></robot>""")
    model = kinetree.ik.load_model(file)
    pos, _ = kinetree.ik.Chain(model, "base", "tool0").fk([0.5])
    np.testing.assert_allclose(pos, [0.5 * np.cos(0.5), 0.5 * np.sin(0.5), 0], atol=1e-15)
    fused = kinetree.MjModel.from_xml_path(str(file))
    with pytest.raises(ValueError, match="fusestatic"):
        kinetree.ik.Chain(fused, "world", "tool0")


BROKEN = """<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><mass value="2"/><inertia ixx="9" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://nowhere/missing.stl"/></geometry></visual>
    <collision><geometry><mesh filename="missing.obj"/></geometry></collision>
  </link>
  <link name="tool0"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="mount" type="fixed"><parent link="upper"/><child link="tool0"/><origin xyz="0.5 0 0"/></joint></robot>"""


def test_kinematics_need_neither_meshes_nor_inertias(tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text(BROKEN)
    with pytest.raises(ValueError):
        kinetree.MjModel.from_xml_path(str(file))
    with pytest.warns(UserWarning, match="loaded for kinematics alone") as told:
        model = kinetree.ik.load_model(file)
    assert len(told) == 1 and "\n" not in str(told[0].message) and told[0].filename == __file__
    pos, _ = kinetree.ik.Chain(model, "base", "tool0").fk([0.5])
    np.testing.assert_allclose(pos, [0.5 * np.cos(0.5), 0.5 * np.sin(0.5), 0], atol=1e-15)
    assert model.ngeom == 0 and model.body("upper").mass[0] == 2
    # what stands against kinematics too is an error
    file.write_text(BROKEN.replace('child link="tool0"', 'child link="tool1"'))
    with pytest.raises(ValueError, match="tool1"):
        kinetree.ik.load_model(file)


def test_whole_models_are_loaded_without_a_word(recwarn):
    model = kinetree.ik.load_model(MODELS / "urdf_arm.urdf")
    assert not recwarn and model.ngeom > 0 and model.body("tool").id > 0


@pytest.mark.parametrize("kind, frame", [("analytic", "local_world_aligned"), ("geometric", "local"), ("world", "world")])
def test_calculator_agrees_with_chains(arm, chain, kind, frame):
    calculator = kinetree.ik.AnalyticalJacobianCalculator(arm, "grip")
    assert calculator.joint_names == chain.joint_names
    q = random_q(chain)
    np.testing.assert_array_equal(calculator.compute(q, kind), chain.jacobian(q, frame))
    # a link on the way has the columns of the joints that move it
    elbow = kinetree.ik.Chain(arm, "world", "link4")
    expected = elbow.jacobian(q[:4], frame)
    np.testing.assert_array_equal(calculator.compute(q, kind, "link4"), expected)
    many = random_q(chain, 5)
    np.testing.assert_array_equal(calculator.compute(many, kind, "link4"), elbow.jacobian(many[:, :4], frame))
    values = np.linalg.svd(expected, compute_uv=False)
    assert calculator.manipulability(q, kind, "link4") == pytest.approx(np.prod(values))
    assert calculator.condition_number(q, kind, "link4") == pytest.approx(values[0] / values[-1])
    assert not calculator.is_singular(q, type=kind, target_link="link4")
    assert calculator.is_singular(q, values[-1] * 1.01, kind, "link4")
    assert calculator.null_space(q, target_link="link4").shape == (4, 0)
    np.testing.assert_array_equal(calculator.null_space(q), chain.null_space(q))


def test_calculator_at_singularities(arm, chain):
    calculator = kinetree.ik.AnalyticalJacobianCalculator(arm, "grip", "world")
    straight = np.zeros(7)
    assert calculator.is_singular(straight) == chain.is_singular(straight)
    assert calculator.condition_number(straight) > 1e6 and calculator.manipulability(straight) < 1e-6


def test_calculator_names_what_is_not_on_the_chain(arm, chain):
    calculator = kinetree.ik.AnalyticalJacobianCalculator(arm, "link4")
    q = random_q(chain)[:4]
    with pytest.raises(ValueError, match="'hand' is not on the chain from 'world' to 'link4'"):
        calculator.compute(q, target_link="hand")
    with pytest.raises(ValueError, match="'cube' is not on the chain"):
        calculator.manipulability(q, target_link="cube")
    with pytest.raises(ValueError, match="no joint moves 'table'"):
        calculator.compute(q, target_link="table")
    with pytest.raises(ValueError, match="there is no"):
        calculator.compute(q, target_link="link44")
    with pytest.raises(ValueError, match="must have 4 numbers"):
        calculator.compute(np.zeros(7))
    with pytest.raises(ValueError, match="unknown reference frame 'spatial'"):
        calculator.compute(q, "spatial")


def test_jacobians_are_converted(chain):
    q = random_q(chain)
    pos, quat = chain.fk(q)
    frames = ("local_world_aligned", "local", "world")
    for source in frames:
        for target in frames:
            found = kinetree.ik.convert_jacobian(chain.jacobian(q, source), pos, quat, source, target)
            np.testing.assert_allclose(found, chain.jacobian(q, target), atol=1e-14)
    convert = kinetree.ik.AnalyticalJacobianCalculator.convert_jacobian
    found = convert(chain.jacobian(q, "local"), pos, quat, "geometric", "analytic")
    np.testing.assert_allclose(found, chain.jacobian(q), atol=1e-14)
    with pytest.raises(TypeError, match="shape \\(6, n\\)"):
        convert(np.zeros((5, 7)), pos, quat, "world", "local")


def test_bad_input_is_named(arm, chain):
    ik = kinetree.ik
    with pytest.raises(ValueError, match="no body, site or geom called 'nothing'"):
        ik.Chain(arm, "world", "nothing")
    with pytest.raises(ValueError, match="no path from 'hand' down to 'link1'"):
        ik.Chain(arm, "hand", "link1")
    with pytest.raises(ValueError, match="no site called 'hand'"):
        ik.Chain(arm, "world", "hand", end_type="site")
    solver = ik.Solver(chain)
    with pytest.raises(ValueError, match="unit quaternion"):
        solver.solve([0, 0, 0], [1, 1, 0, 0])
    with pytest.raises(ValueError, match="target position"):
        solver.solve([0, float("nan"), 0], [1, 0, 0, 0])
    with pytest.raises(TypeError, match="expected 3 numbers, found 2"):
        solver.solve([0, 0], [1, 0, 0, 0])
    with pytest.raises(ValueError, match="give a position"):
        solver.solve()
    with pytest.raises(ValueError, match="q must have 7 numbers"):
        solver.solve([0, 0, 0], seed=[1, 2])
    with pytest.raises(TypeError, match="q must have shape"):
        chain.fk(np.zeros((2, 3)))
    with pytest.raises(TypeError, match=r"shapes \(n, 3\)"):
        solver.solve_batch(np.zeros((2, 4)), np.zeros((2, 4)))
    with pytest.raises(ValueError, match="target 1: the target quaternion"):
        solver.solve_batch(np.zeros((2, 3)), [[1, 0, 0, 0], [0, 0, 0, 0]])
    with pytest.raises(ValueError, match="position_tolerance must be a positive number"):
        ik.Solver(chain, position_tolerance=0)
    with pytest.raises(ValueError, match="reference frame"):
        chain.jacobian(np.zeros(7), "nowhere")


def test_whole_body(humanoid):
    ik = kinetree.ik
    configuration = ik.Configuration(humanoid)
    hand = ik.FrameTask("hand_right", "geom", position_cost=1.0, orientation_cost=0.0)
    pos, quat = configuration.get_transform_frame_to_world("hand_right", "geom")
    hand.set_target(pos + [0.05, 0.02, 0.1], quat)
    feet = [ik.FrameTask(f"foot_{side}", "site", 1.0, 1.0) for side in ("right", "left")]
    com, posture = ik.ComTask(0.5), ik.PostureTask(humanoid, 1e-4)
    for task in (*feet, com, posture):
        task.set_target_from_configuration(configuration)
    look = ik.LookAtTask("head", "body", [1, 0, 0], 0.1)
    look.set_target([2.0, 0.0, 1.4])
    tasks = [hand, *feet, com, posture, look, ik.DampingTask(humanoid, 1e-3)]
    limits = [ik.ConfigurationLimit(humanoid), ik.VelocityLimit(humanoid, {"knee_left": 0.5}),
              ik.CollisionAvoidanceLimit(humanoid, [(["hand_right"], ["chest", "head"])])]
    for _ in range(60):
        velocity = ik.solve_ik(configuration, tasks, 0.05, limits=limits)
        assert velocity.shape == (humanoid.nv,) and abs(velocity[humanoid.joint("knee_left").dofadr[0]]) <= 0.5 + 1e-9
        configuration.integrate_inplace(velocity, 0.05)
    reached, _ = configuration.get_transform_frame_to_world("hand_right", "geom")
    assert np.linalg.norm(reached - pos - [0.05, 0.02, 0.1]) < 0.02
    assert configuration.get_frame_jacobian("hand_right", "geom").shape == (6, humanoid.nv)


def test_global_and_relative(humanoid):
    ik = kinetree.ik
    configuration = ik.Configuration(humanoid)
    task = ik.RelativeFrameTask("hand_left", "geom", "torso", "body", 1.0, 0.0)
    task.set_target([1.0, 0.0, 0.0, 0.0, 0.3, 0.15, 0.1])
    end = ik.solve_global(configuration, [task], error_tolerance=1e-6)
    assert end.converged and end.error < 1e-6
    torso, _ = configuration.get_transform_frame_to_world("torso", "body")
    hand, _ = configuration.get_transform_frame_to_world("hand_left", "geom")
    assert np.linalg.norm(hand - torso) == pytest.approx(np.linalg.norm([0.3, 0.15, 0.1]), abs=1e-5)


def test_bad_tasks_are_named(humanoid):
    ik = kinetree.ik
    configuration = ik.Configuration(humanoid)
    with pytest.raises(ValueError, match="no site called 'nose'"):
        ik.solve_ik(configuration, [ik.FrameTask("nose", "site", 1.0, 1.0)], 0.1)
    with pytest.raises(ValueError, match="without target"):
        ik.solve_ik(configuration, [ik.FrameTask("head", "body", 1.0, 1.0)], 0.1)
    with pytest.raises(ValueError, match="no geom called 'tail'"):
        ik.CollisionAvoidanceLimit(humanoid, [(["tail"], ["head"])])
    with pytest.raises(ValueError, match="no joint called 'tail'"):
        ik.VelocityLimit(humanoid, {"tail": 1.0})
    with pytest.raises(ValueError, match="seven numbers"):
        ik.FrameTask("head", "body", 1.0, 1.0).set_target([1, 2, 3])
    with pytest.raises(ValueError, match="qpos must have 28 numbers"):
        configuration.update([0.0])


def test_time_that_is_no_number(model):
    configuration = kinetree.ik.Configuration(model)
    before = configuration.q
    for dt in (np.nan, np.inf):
        with pytest.raises(ValueError, match="dt"):
            configuration.integrate_inplace(np.ones(model.nv), dt)
    assert np.array_equal(configuration.q, before)


def test_targets_that_are_too_far(model):
    configuration = kinetree.ik.Configuration(model)
    task = kinetree.ik.FrameTask("hand", "site", 1.0, 0.0, lm_damping=1.0)
    task.set_target([1e200, 0, 0], [1, 0, 0, 0])
    with pytest.raises(ValueError, match="far away"):
        kinetree.ik.solve_ik(configuration, [task], 0.1)
