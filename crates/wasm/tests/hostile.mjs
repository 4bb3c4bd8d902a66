// node crates/wasm/tests/hostile.mjs PACKAGE [--cases 1000] [--seed 1] [--case N] [--plain]: programs that write nonsense, then call public functions.
//
// Each case loads a model, makes some steps, writes wrong indices, NaN and huge numbers to arrays and options of the model and to arrays of the world, and
// calls functions with arguments that may not fit. Every call must end in a value or an exception that is not about a trap, within a time limit; afterwards
// a reset world of a sound model must step as a fresh one does. A case depends on its number and the seed alone: --case runs one and shows it. Cases
// run in a thread of their own, so that a hang is a finding and not the end.
import { strict as assert } from "node:assert";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { files } from "./files.mjs";
import { random } from "./random.mjs";

const MODELS = (
  "actuators equality fluid hfield joint_types keyframes mesh mocap muscle_arm sensors sleep tactile tendons convex_contacts options skin showcase/arm " +
  "showcase/boxes showcase/humanoid showcase/cloth showcase/rope compile/flex_cells plugins/fields plugins/mesh_field plugins/cable plugins/pid plugins/touch_grid"
).split(" ");
const INTEGERS = [-(2 ** 31), -1000, -2, -1, 0, 1, 2, 3, 5, 17, 1000, 10 ** 6, 2 ** 31 - 1];
const NUMBERS = [NaN, Infinity, -Infinity, 1e308, -1e308, 1e30, -1e30, 1e-308, 0, -1, 1, 1e6];
const IDS = [0, 0, 1, 1, 2, 3, 5, -1, 1000, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 53, NaN, 0.5, undefined, "text", null];
const LIMIT = 60_000; // ms that a case may take
const FOLDER = fileURLToPath(new URL("../../../models", import.meta.url));

/** Choices of a case. */
class Choices {
  constructor(seed, number) {
    this.next = random(Math.imul(seed, 2_654_435_761) ^ Math.imul(number + 1, 40_503_977));
    for (let k = 0; k < 8; k++) this.next();
  }

  below(n) {
    return Math.floor(n * this.next());
  }

  of(list) {
    return list[this.below(list.length)];
  }
}

/** Writes something to some elements of an array. */
function spoil(choose, array) {
  if (array.length === 0) return;
  const floats = array instanceof Float64Array || array instanceof Float32Array;
  const big = array instanceof BigInt64Array || array instanceof BigUint64Array;
  const all = choose.next() < 0.2;
  const count = all ? array.length : choose.of([1, 1, 2, 5]);
  for (let k = 0; k < count; k++) {
    const value = choose.of(floats ? NUMBERS : INTEGERS);
    array[all ? k : choose.below(array.length)] = big ? BigInt(value) : value;
  }
}

/** Writes to a field of the model, an option, or a field of the world; what was written to. */
function attack(choose, kinetree, model, data) {
  const kind = choose.of(["model", "model", "data", "option", "time"]);
  if (kind === "time") {
    data.time = choose.of(NUMBERS);
    return "time";
  }
  if (kind === "option") {
    const group = choose.of([model.opt, model.stat]);
    // a program that asks for so many iterations or starts waits for them
    const name = choose.of(Object.keys(group).filter((name) => !/(iterations|initpoints)$/.test(name)));
    const value = group[name];
    if (typeof value === "object") spoil(choose, value);
    else group[name] = choose.of([...INTEGERS, ...NUMBERS]);
    return name;
  }
  const { name } = choose.of(kinetree.fields[kind]);
  // copies, too: what is written to them must change nothing
  spoil(choose, (kind === "model" ? model : data)[name]);
  return name;
}

const vector = (choose, length) => Float64Array.from({ length }, () => choose.of([0, 0.1, -1, 0.3, ...NUMBERS]));

/** Calls of public functions, by name. */
function calls(kinetree) {
  const stages = Object.entries(kinetree).filter(([name, value]) => name.startsWith("mj_") && typeof value === "function");
  const id = (choose) => choose.of(IDS);
  const all = Object.fromEntries(stages.map(([name, f]) => [name, (choose, model, data) => f(model, data)]));
  return {
    ...all,
    mj_step: (choose, model, data) => kinetree.mj_step(model, data, choose.of([1, 1, 2, 5, -1, NaN, 2 ** 32])),
    mj_resetDataKeyframe: (choose, model, data) => kinetree.mj_resetDataKeyframe(model, data, id(choose)),
    mj_stateSize: (choose, model) => kinetree.mj_stateSize(model, id(choose)),
    mj_getState: (choose, model, data) => kinetree.mj_getState(model, data, choose.of([8191, 1, 2, 2 ** 20])),
    mj_setState: (choose, model, data) => kinetree.mj_setState(model, data, vector(choose, choose.of([0, 3, kinetree.mj_stateSize(model, 8191)])), 8191),
    mj_jac: (choose, model, data) => kinetree.mj_jac(model, data, vector(choose, choose.of([3, 3, 2])), id(choose)),
    mj_jacSubtreeCom: (choose, model, data) => kinetree.mj_jacSubtreeCom(model, data, id(choose)),
    mj_ray: (choose, model, data) => kinetree.mj_ray(model, data, vector(choose, 3), vector(choose, 3), { excludeBody: id(choose), groups: choose.of([undefined, [1, 1, 1, 1, 1, 1], [1]]) }),
    mj_contactForce: (choose, model, data) => kinetree.mj_contactForce(model, data, id(choose)),
    mj_objectVelocity: (choose, model, data) => kinetree.mj_objectVelocity(model, data, choose.of([...Object.keys(kinetree.kinds), "nothing", -1, 77]), id(choose)),
    mj_applyFT: (choose, model, data) => kinetree.mj_applyFT(model, data, vector(choose, 3), vector(choose, 3), vector(choose, 3), id(choose)),
    mj_name2id: (choose, model) => kinetree.mj_name2id(model, choose.of(["body", "geom", 3, -1]), choose.of(["", "nobody", "torso"])),
    mj_id2name: (choose, model) => kinetree.mj_id2name(model, choose.of(["body", "geom", 3, -1]), id(choose)),
    rollout: (choose, model, data) => {
      const states = vector(choose, kinetree.mj_stateSize(model, kinetree.states.fullphysics) * choose.of([1, 2]));
      return kinetree.rollout(model, data, states, choose.of([undefined, vector(choose, 3)]), choose.of([1, 3, 2 ** 31, -1]));
    },
    copy: (choose, model, data) => data.copy().step().free(),
    world: (choose, model) => new kinetree.Data(model).free(),
    arrays: (choose, model, data) => kinetree.fields.data.map(({ name }) => data[name].length),
    contacts: (choose, model, data) => data.contact.length,
    binary: (choose, model) => kinetree.Model.fromBinary(model.toBinary()).free(),
    chain: (choose, model) => {
      const link = () => model.nameOf("body", choose.below(model.nbody)) ?? "world";
      const chain = new kinetree.Chain(model, link(), link());
      new kinetree.Solver(chain).solve(vector(choose, 3), choose.of([undefined, vector(choose, 4)]), choose.of([undefined, vector(choose, chain.nq)]));
      return chain.jacobian(vector(choose, choose.of([chain.nq, 1])), choose.of(["world", "local", "nowhere"]));
    },
  };
}

const OFTEN = ["mj_step", "mj_forward", "mj_inverse", "mj_step1", "mj_step2", "mj_rnePostConstraint", "mj_resetData"];

/** Runs a case; what it did. Throws what is wrong. */
function run(kinetree, models, number, seed) {
  const choose = new Choices(seed, number);
  const name = choose.of(MODELS);
  const [model, sound] = [models(name), models(name)];
  const data = new kinetree.Data(model);
  data.step(choose.of([0, 1, 3]));
  const functions = calls(kinetree);
  const log = [name];
  for (let k = choose.of([1, 1, 2, 4]); k > 0; k--) {
    log.push(`writes ${attack(choose, kinetree, model, data)}`);
    for (let n = choose.of([1, 2, 3]); n > 0; n--) {
      const called = choose.next() < 0.4 ? choose.of(OFTEN) : choose.of(Object.keys(functions));
      log.push(called);
      try {
        functions[called](choose, model, data);
      } catch (problem) {
        log.push(`${problem?.name}: ${problem?.message}`);
        const known = problem instanceof kinetree.EngineError || problem instanceof kinetree.ModelError || problem instanceof TypeError || problem instanceof RangeError;
        if (!known || /internal error|recursive use|null pointer/.test(problem.message) || problem.cause instanceof WebAssembly.RuntimeError) {
          throw new Error(`${log.join("; ")}`);
        }
      }
    }
  }
  const fresh = new kinetree.Data(sound).step();
  kinetree.mj_resetData(sound, data);
  kinetree.mj_step(sound, data);
  for (const array of ["qpos", "sensordata"]) assert.deepEqual(data[array].slice(), fresh[array].slice(), `a world that was reset has another ${array}: ${log.join("; ")}`);
  for (const object of [data, fresh, model, sound]) object.free();
  return log;
}

/** Runs cases in this thread, and tells the number of each before it begins. */
async function inside({ folder, plain, seed, first, end }) {
  if (plain) globalThis.kinetreeSettings = { simd: false };
  const kinetree = await import(pathToFileURL(join(folder, "index.js")).href);
  const known = new Map();
  const models = (name) => {
    if (!known.has(name)) known.set(name, kinetree.Model.fromFiles(files(dirname(join(FOLDER, name))), `${basename(name)}.xml`).toBinary());
    return kinetree.Model.fromBinary(known.get(name));
  };
  for (let number = first; number < end; number++) {
    parentPort.postMessage({ number });
    try {
      parentPort.postMessage({ log: run(kinetree, models, number, seed) });
    } catch (problem) {
      parentPort.postMessage({ wrong: problem.message });
      return; // a module that has trapped is not to be trusted
    }
    // memory that nobody sees any more is given back between two turns of the event loop
    await new Promise(setImmediate);
  }
  parentPort.postMessage({ done: true });
}

/** Runs cases in a thread from the first on; the case after the one that ended it. */
function begin(settings, findings, show) {
  return new Promise((done) => {
    let [number, timer] = [settings.first, undefined];
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: settings });
    const finish = (finding) => {
      clearTimeout(timer);
      if (finding) {
        findings.push(`${number}: ${finding}`);
        console.log(`case ${findings.at(-1)}`);
      }
      worker.terminate().then(() => done(finding ? number + 1 : settings.end));
    };
    worker.on("message", (message) => {
      if (message.number !== undefined) {
        number = message.number;
        clearTimeout(timer);
        timer = setTimeout(() => finish(`takes more than ${LIMIT / 1000} s`), LIMIT);
      }
      if (message.log && show) console.log(message.log.join("\n"));
      if (message.wrong) finish(message.wrong);
      if (message.done) finish();
    });
    worker.on("error", (problem) => finish(String(problem)));
  });
}

if (isMainThread) {
  const text = (value) => ({ type: "string", default: value });
  const options = { cases: text("1000"), seed: text("1"), case: { type: "string" }, plain: { type: "boolean", default: false } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [first, end] = values.case === undefined ? [0, Number(values.cases)] : [Number(values.case), Number(values.case) + 1];
  const findings = [];
  const settings = { folder: resolve(positionals[0]), plain: values.plain, seed: Number(values.seed) };
  for (let next = first; next < end; ) next = await begin({ ...settings, first: next, end }, findings, values.case !== undefined);
  console.log(`${end - first} cases, seed ${settings.seed}: ${findings.length} findings`);
  process.exit(findings.length ? 1 : 0);
} else {
  await inside(workerData);
}
