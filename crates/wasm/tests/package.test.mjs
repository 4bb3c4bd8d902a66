// node --test package.test.mjs, with the built package in KINETREE_PACKAGE (a folder): what a user of the package can do. On x86
// `node --no-enable-sse4-1 package.test.mjs` is an engine without 128-bit SIMD, where the package must choose its other module.
import assert from "node:assert/strict";
import { test } from "node:test";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { zip } from "./zip.mjs";

const kinetree = await import(pathToFileURL(resolve(process.env.KINETREE_PACKAGE ?? "target/npm/kinetree", "index.js")).href);
const { Model, Data, ModelError, EngineError, Chain, Solver, states, rollout } = kinetree;

const ARM = `<mujoco model="arm"><option timestep="0.005"/><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" range="-170 170" limited="true"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
    <body name="lower" pos="0.4 0 0"><joint name="elbow" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/><site name="tip" pos="0.3 0 0"/></body>
  </body></worldbody>
  <actuator><motor joint="shoulder" gear="5"/></actuator><sensor><jointpos joint="elbow"/></sensor>
  <keyframe><key name="up" qpos="-1 0.5"/></keyframe></mujoco>`;

test("the module is one that the engine can compile", () => {
  // a function that returns a vector of zeros
  const vector = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 22, 1, 20, 0, 253, 12, ...new Array(16).fill(0), 11]);
  assert.equal(kinetree.simd, WebAssembly.validate(vector));
});

test("a pendulum swings", () => {
  const model = Model.fromXml(`<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/></body></worldbody></mujoco>`);
  const data = new Data(model);
  while (data.time < 0.25) data.step();
  // half a revolution takes longer than this: it falls, as a point mass at half a metre does at first
  const angle = data.qpos[0];
  assert.ok(Math.abs(angle - (0.5 * 9.81 * 0.25 ** 2) / (0.5 + (2 / 5) * 0.01 / 0.5)) < 0.02, `${angle}`);
});

test("sizes, names, options and arrays", () => {
  const model = Model.fromXml(ARM);
  assert.equal(model.name, "arm");
  assert.equal(model.nq, 2);
  assert.equal(model.id("joint", "elbow"), 1);
  assert.equal(model.id("joint", "wrist"), -1);
  assert.equal(model.nameOf("body", 1), "upper");
  assert.equal(model.opt.timestep, 0.005);
  model.opt.timestep = 0.001;
  model.opt.gravity = [0, 0, -1];
  assert.deepEqual([...model.opt.gravity], [0, 0, -1]);
  assert.deepEqual(model.shape("body_pos"), [4 - 1, 3, 1]);
  model.body_mass[1] *= 2;
  const data = new Data(model);
  data.step(10);
  assert.ok(Math.abs(data.time - 0.01) < 1e-12);
  assert.equal(data.ncon, 0);
  assert.throws(() => model.id("wheel", "x"), /there is no kind 'wheel'/);
});

test("errors have places and help", () => {
  const error = (f) => {
    try {
      f();
    } catch (problem) {
      return problem;
    }
    return assert.fail("nothing was thrown");
  };
  const wrong = error(() => Model.fromXml(`<mujoco>\n <worldbody>\n  <geom type="sphere" siz="0.1"/>\n </worldbody>\n</mujoco>`));
  assert.ok(wrong instanceof ModelError);
  const finding = wrong.diagnostics.find(({ message }) => message.includes("siz"));
  assert.equal(finding.line, 3);
  assert.equal(finding.severity, "error");
  assert.match(finding.help ?? "", /size/);
  assert.ok(error(() => Model.fromBinary(new Uint8Array([1, 2, 3]))) instanceof EngineError);
  assert.throws(() => new Data({}), /made for a model/);
  const data = new Data(Model.fromXml(ARM));
  assert.throws(() => kinetree.mj_forward(Model.fromXml("<mujoco/>"), data), EngineError);
  assert.throws(() => data.reset("down"), /there is no key 'down'/);
  assert.throws(() => data.step(-1), RangeError);
  assert.throws(() => data.setState([1, 2]), EngineError);
});

test("wrong indices are refused, not followed", () => {
  const model = Model.fromXml(ARM);
  const data = new Data(model);
  const joints = model.actuator_trnid;
  joints[0] = 1_000_000;
  assert.throws(() => data.forward(), /actuator_trnid/);
  joints[0] = 0;
  data.forward();
});

test("arrays are there when memory has grown", () => {
  const model = Model.fromXml(ARM);
  const data = new Data(model);
  data.qpos[0] = 0.25;
  const before = data.qpos;
  const many = [];
  while (before.length > 0 && many.length < 500) many.push(new Data(Model.fromXml(ARM.replace("</worldbody>", `${"<geom size='0.1'/>".repeat(500)}</worldbody>`))));
  assert.equal(before.length, 0, "memory has grown");
  assert.equal(data.qpos[0], 0.25);
  data.qpos[1] = 0.5;
  data.forward();
  assert.ok(Math.abs(data.xpos[8] - (1 - 0.4 * Math.sin(0.25))) < 1e-12);
});

test("what was freed says so", () => {
  const data = new Data(Model.fromXml(ARM));
  const { qpos } = data;
  data.free();
  assert.throws(() => data.step(), /was freed/);
  // the view still owns the memory it shows
  qpos[0] = 1;
  assert.equal(qpos[0], 1);
});

test("state, keyframes, copies and rollouts", () => {
  const model = Model.fromXml(ARM);
  const data = new Data(model).reset("up");
  assert.deepEqual([...data.qpos], [-1, 0.5]);
  const first = data.getState();
  const twin = data.copy();
  data.ctrl[0] = 0.3;
  data.step(3);
  twin.step(1);
  assert.notEqual(data.qpos[0], twin.qpos[0]);
  const controls = [0.3, 0.3, 0.3];
  const { state, sensordata } = rollout(model, twin, first, controls, 3);
  assert.deepEqual([...state.slice(2 * first.length)], [...data.getState(states.fullphysics)]);
  assert.equal(sensordata[2], data.sensordata[0]);
  assert.throws(() => rollout(model, twin, first, [1], 3), /3 × 1 numbers/);
});

test("trajectories do not depend on what came before", () => {
  const model = Model.fromXml(`<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.09"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>`);
  const data = new Data(model);
  const first = data.getState();
  const { state } = rollout(model, data, [...first, ...first], undefined, 20);
  const half = state.length / 2;
  assert.deepEqual([...state.slice(0, half)], [...state.slice(half)]);
});

test("jacobians, rays and contact forces", () => {
  const model = Model.fromXml(ARM);
  const data = new Data(model).forward();
  const { jacp } = data.jacSite("tip");
  // about the y axis, 0.7 and 0.3 m away: down
  assert.deepEqual([...jacp].map((x) => Math.round(1e9 * x) / 1e9 + 0), [0, 0, 0, 0, -0.7, -0.3]);
  const hit = data.ray([2, 0, 1], [0, 0, -1]);
  assert.equal(hit, null, "the floor is one metre long");
  const floor = data.ray([0.9, 0, 1], [0, 0, -1]);
  assert.equal(model.nameOf("geom", floor.geom), "floor");
  assert.equal(floor.distance, 1);
  const ball = new Data(Model.fromXml(`<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.1"><freejoint/><geom size="0.1" mass="2"/></body></worldbody></mujoco>`));
  ball.step(1000);
  assert.equal(ball.contact.length, 1);
  const force = kinetree.mj_contactForce(ball.model, ball, 0);
  assert.ok(Math.abs(force[0] - 2 * 9.81) < 0.05, `${force[0]}`);
});

test("inverse kinematics", () => {
  const chain = new Chain(Model.fromXml(ARM), "world", "tip");
  const goal = chain.fk([0.4, 0.7]);
  const found = new Solver(chain).solve(goal.position);
  assert.ok(found.converged);
  const reached = chain.fk(found.q).position;
  assert.ok(Math.hypot(...reached.map((x, i) => x - goal.position[i])) < 1e-5);
  assert.throws(() => new Chain(Model.fromXml(ARM), "world", "wrist"), /wrist/);
});

test("chains say what their numbers mean", () => {
  const model = Model.fromXml(ARM);
  const chain = new Chain(model, "world", "tip");
  assert.deepEqual([chain.jointNames.length, chain.jointKinds, chain.limits.length], [2, ["revolute", "revolute"], 2]);
  assert.deepEqual([[...chain.qposIndices], [...chain.dofIndices]], [[0, 1], [0, 1]]);
  assert.equal(chain.neutral().length, 2);
  const q = [0.4, 0.7];
  const values = [...chain.singularValues(q)];
  assert.ok(Math.abs(chain.manipulability(q) - values.reduce((a, b) => a * b)) < 1e-12);
  assert.ok(Math.abs(chain.conditionNumber(q) - values[0] / values.at(-1)) < 1e-9);
  assert.deepEqual([chain.isSingular(q), chain.nullSpace(q)], [false, []]);
  const local = kinetree.convertJacobian(chain.jacobian(q), chain.fk(q), "analytic", "geometric");
  chain.jacobian(q, "local").forEach((x, i) => assert.ok(Math.abs(x - local[i]) < 1e-12));
  const [rate, h] = [[0.3, -0.2], 1e-6];
  const at = (t) => chain.jacobian(q.map((x, i) => x + t * rate[i]));
  chain.jacobianDerivative(q, rate).forEach((x, i) => assert.ok(Math.abs(x - (at(h)[i] - at(-h)[i]) / (2 * h)) < 1e-8));
});

test("Jacobians under the names of the specification", () => {
  const model = Model.fromXml(ARM);
  const calculator = new kinetree.AnalyticalJacobianCalculator(model, "tip");
  const chain = new Chain(model, "world", "tip");
  const q = [0.4, 0.7];
  assert.deepEqual(calculator.compute(q), chain.jacobian(q));
  assert.deepEqual(calculator.compute(q, "geometric"), chain.jacobian(q, "local"));
  assert.equal(calculator.getManipulability(q), chain.manipulability(q));
  assert.equal(calculator.getConditionNumber(q), chain.conditionNumber(q));
  assert.equal(calculator.isSingular(q), false);
  assert.throws(() => calculator.compute([0]), EngineError);
  assert.throws(() => calculator.compute(q, "analytic", "nowhere"), /nowhere/);
});

test("all solutions, weights and axes", () => {
  const chain = new Chain(Model.fromXml(ARM), "world", "tip");
  const solver = new Solver(chain, { maxRestarts: 50 });
  const { position } = chain.fk([0.4, 0.7]);
  const all = solver.solveAll(position, undefined, [0.4, 0.7]);
  assert.ok(all.length >= 1 && all.every(({ converged }) => converged));
  assert.ok(solver.solve(position, undefined, [0.4, 0.7], { mode: "nearest" }).converged);
  assert.ok(solver.solve([position[0], 5, 9], undefined, undefined, { weights: [1, 0, 0, 0, 0, 0] }).converged);
  assert.ok(solver.solve(undefined, undefined, undefined, { axis: [[0, 1, 0], [0, 1, 0]] }).converged);
  assert.throws(() => solver.solve(position, undefined, undefined, { mode: "best" }), /best/);
});

test("whole-body tasks", () => {
  const model = Model.fromXml(ARM);
  const configuration = new kinetree.Configuration(model, [0.1, 0.2]);
  const goal = new kinetree.Configuration(model, [0.4, 0.7]).pose("tip");
  const task = kinetree.Task.frame(model, "tip", { orientationCost: 0 }).setTarget(goal.position, goal.quaternion);
  const posture = kinetree.Task.posture(model, { cost: 1e-3 }).setTargetFromConfiguration(configuration);
  const velocity = kinetree.solveIk(configuration, [task, posture], 0.01, { limits: [kinetree.Limit.configuration()] });
  assert.equal(velocity.length, 2);
  configuration.integrate(velocity, 0.01);
  assert.ok(kinetree.solveGlobal(configuration, [task]).converged);
  assert.ok(Math.hypot(...configuration.pose("tip").position.map((x, i) => x - goal.position[i])) < 1e-4);
  assert.throws(() => kinetree.Task.damping(model).setTarget([0]), /no target/);
  assert.throws(() => new kinetree.Task(), /made by/);
});

test("Jacobians of all points", () => {
  const model = Model.fromXml(ARM);
  const data = new Data(model).forward();
  const body = model.nbody - 1;
  assert.deepEqual(data.jacBodyCom(body), kinetree.mj_jac(model, data, data.xipos.slice(3 * body, 3 * body + 3), body));
  assert.equal(data.jacGeom(model.ngeom - 1).jacp.length, 3 * model.nv);
  assert.ok(data.jacDot([0, 0, 0], body).jacp.every((x) => x === 0), "nothing moves");
  const { jacPoint, jacAxis } = data.jacPointAxis(data.xpos.slice(3 * body, 3 * body + 3), [1, 0, 0], body);
  assert.deepEqual(jacPoint, data.jacBody(body).jacp);
  assert.equal(jacAxis.length, 3 * model.nv);
});

test("links that no joint moves, and kinematics alone", () => {
  const urdf = (mesh) => `<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry>${mesh}</geometry></collision></link><link name="tool0"/>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint><joint name="f" type="fixed"><parent link="b"/><child link="tool0"/></joint></robot>`;
  const ball = urdf(`<sphere radius="0.1"/>`);
  const gone = urdf(`<mesh filename="gone.dae"/>`);
  assert.equal(Model.fromXml(ball).id("body", "tool0"), -1);
  for (const options of [{ fixedLinks: true }, { kinematics: true }]) assert.ok(Model.fromXml(ball, undefined, options).id("body", "tool0") > 0);
  assert.throws(() => Model.fromXml(gone), ModelError);
  const model = Model.fromFiles({ "robot.urdf": gone }, undefined, { kinematics: true });
  assert.match(model.warnings[0].message, /gone\.dae/);
  assert.deepEqual(new Chain(model, "a", "tool0").jointNames, ["j"]);
  assert.throws(() => new Chain(Model.fromXml(ball), "world", "tool0"), /fused/);
});

test("models of several files and of zip files", () => {
  const files = { "robot/scene.xml": `<mujoco><include file="arm.xml"/></mujoco>`, "robot/arm.xml": ARM };
  for (const model of [Model.fromFiles(files), Model.fromFiles(files, "robot/scene.xml"), Model.fromZip(zip(files))]) assert.equal(model.nq, 2);
  const again = Model.fromBinary(Model.fromXml(ARM).toBinary());
  assert.equal(new Data(again).step(10).qpos[0], new Data(Model.fromXml(ARM)).step(10).qpos[0]);
  assert.throws(() => Model.fromZip(new Uint8Array(100)), /zip/);
  assert.throws(() => Model.fromFiles({ "a.xml": ARM, "b.xml": ARM }), /several models/);
  assert.throws(() => Model.fromXml(`<mujoco><include file="gone.xml"/></mujoco>`), /gone\.xml/);
});

test("what was noticed is with the model, and zip files can be unpacked", () => {
  assert.deepEqual(Model.fromXml(ARM).warnings, []);
  const unpacked = kinetree.unzip(zip({ "a/b.txt": "hello" }));
  assert.deepEqual([...unpacked.keys()], ["a/b.txt"]);
  assert.equal(new TextDecoder().decode(unpacked.get("a/b.txt")), "hello");
  assert.throws(() => kinetree.unzip(new Uint8Array(30)), EngineError);
});
