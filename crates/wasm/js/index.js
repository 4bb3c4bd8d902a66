// Kinetree for JavaScript: classes with MuJoCo's names over the WebAssembly module.
//
// Importing this file loads the module; when the import is done everything is ready.

import { compile } from "./compile.js";
import * as lib from "./lib/glue.js";

// a module of one function that uses an instruction of 128-bit SIMD
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

// what a program may decide before it imports this file: which module is taken, and the module itself, or a promise of it, when another thread compiles it
const settings = globalThis.kinetreeSettings ?? {};

/** Whether the module for 128-bit SIMD is used. */
export const simd = settings.simd ?? WebAssembly.validate(SIMD_PROBE);

const MODULE = new URL(simd ? "./lib/kinetree.wasm" : "./lib/kinetree-plain.wasm", import.meta.url);

/** The compiled module, for workers: see `kinetreeSettings` in the package's README. */
export const module = await (settings.module ?? compile(MODULE));
// not at once: browsers refuse that for large modules
const { memory } = await lib.default({ module_or_path: module });

/** Version of the engine. */
export const version = lib.version();

/** What is wrong with a model: a finding in `diagnostics` for each error and warning. */
export class ModelError extends Error {
  name = "ModelError";
  /** Findings with `severity`, `message`, `file`, `line`, `column`, `length`, `snippet` and `help`. */
  diagnostics = [];
}

/** A call that failed: what it was given does not fit, or a step cannot be made. */
export class EngineError extends Error {
  name = "EngineError";
}

// a failed allocation is a trap without a word
const NEARLY_ALL_MEMORY = 3 * 2 ** 30;

/** Calls into the module; its failures become exceptions of this file. */
function call(f, ...args) {
  try {
    return f(...args);
  } catch (problem) {
    if (problem instanceof WebAssembly.RuntimeError) {
      // a trap: the objects of the call cannot be used any more, all others can
      const said = lib.takePanic();
      if (memory.buffer.byteLength > NEARLY_ALL_MEMORY || said.includes("capacity overflow")) {
        throw new EngineError("out of memory: a WebAssembly module has four gibibytes at most, an array two", { cause: problem });
      }
      throw new EngineError(`internal error, please report it: ${said || problem.message}`, { cause: problem });
    }
    if (problem?.diagnostics) {
      const error = new ModelError(problem.message);
      error.diagnostics = problem.diagnostics;
      throw error;
    }
    throw problem instanceof Error && problem.constructor === Error ? new EngineError(problem.message) : problem;
  }
}

const ARRAYS = { f64: Float64Array, f32: Float32Array, i32: Int32Array, i64: BigInt64Array, u64: BigUint64Array, u8: Uint8Array };

const lines = (text) => text.split("\n").filter(Boolean).map((line) => line.split("\t"));
const table = (text) => lines(text).map(([name, type, rows, doc], index) => ({ name, type, rows, doc, index }));

/** Arrays of a model and of a world: name, type of the numbers, size that gives the rows, documentation. */
export const fields = { model: table(lib.modelTable()), data: table(lib.dataTable()) };

/** Kinds of objects by name, for `model.id` and `model.nameOf`. */
export const kinds = Object.fromEntries(lines(lib.objectKinds()).map(([name, number]) => [name, Number(number)]));

/** Components of state vectors by name, for `data.getState` and `data.setState`. */
export const states = Object.fromEntries(lines(lib.stateComponents()).map(([name, bits]) => [name, Number(bits)]));

const COUNTS = lines(lib.countTable()).map(([name, doc]) => ({ name, doc }));
const FIXED = lib.fixedArrays();

// a view keeps the owner of its memory alive: while somebody holds it, the memory is not given back
const owners = new WeakMap();

/** Views of an owner's arrays, made when they are asked for, and made anew when memory has grown since. */
class Views {
  constructor(handle) {
    this.handle = handle;
    this.known = new Map();
  }

  get(key, type, place) {
    let entry = this.known.get(key);
    if (entry === undefined) {
      const [address, length, ...shape] = call(place);
      entry = { address, length, shape, view: null };
      this.known.set(key, entry);
    }
    if (entry.view === null || entry.view.buffer !== memory.buffer) {
      entry.view = new ARRAYS[type](memory.buffer, entry.address, entry.length);
      owners.set(entry.view, this.handle);
    }
    return entry.view;
  }

  /** Gives memory back: at once when nobody has seen it, else when the last view is gone. */
  release() {
    if (this.known.size === 0) this.handle.free();
    this.known.clear();
    this.handle = null;
  }
}

/** The handle of something that was not freed. */
function alive(object) {
  const { handle } = object._views;
  if (handle === null) throw new EngineError(`this ${object.constructor.name} was freed`);
  return handle;
}

const kindNumber = (kind) => {
  const number = typeof kind === "number" ? kind : kinds[String(kind).toLowerCase()];
  if (number === undefined) throw new EngineError(`there is no kind '${kind}' of objects; there are ${Object.keys(kinds).join(", ")}`);
  return number;
};

function toBytes(content) {
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  throw new TypeError("files are strings, ArrayBuffers or typed arrays");
}

function withFiles(files, f) {
  const set = new lib.Files();
  try {
    for (const [name, content] of files instanceof Map ? files : Object.entries(files ?? {})) call(() => set.add(name, toBytes(content)));
    return f(set);
  } finally {
    try {
      set.free();
    } catch {
      // still lent to a call that ended in a trap: what that said counts
    }
  }
}

/** Files of a zip file, by name. */
export function unzip(content) {
  return withFiles({}, (set) => {
    call(() => set.addZip(toBytes(content)));
    return new Map(set.names().map((name) => [name, call(() => set.read(name))]));
  });
}

/** The one file among these that a model can be read from: given by name, or alone, or called after the archive's customs. */
function mainFile(names, wanted) {
  if (wanted !== undefined) return wanted;
  const models = names.filter((name) => /\.(xml|urdf|mjcf)$/i.test(name));
  const scene = models.filter((name) => /(^|\/)scene\.xml$/i.test(name));
  const top = models.filter((name) => name.split("/").length === Math.min(...models.map((other) => other.split("/").length)));
  for (const candidates of [models, scene, top]) if (candidates.length === 1) return candidates[0];
  if (models.length === 0) throw new EngineError(`there is no model (.xml, .urdf, .mjcf) among ${names.length} files`);
  throw new EngineError(`there are several models: say which of ${models.join(", ")}`);
}

const asObject = (files) => (files instanceof Map ? Object.fromEntries(files) : files);
/** Name of the file that text becomes for a moment. */
const TEXT = "text of the model.xml";

function fromSet(set, main, { fixedLinks = false, kinematics = false } = {}) {
  const name = mainFile(set.names(), main);
  return new Model(call(() => (kinematics ? lib.ModelHandle.forKinematics(name, set) : lib.ModelHandle.fromFile(name, set, fixedLinks))));
}

/** A compiled model. Its arrays are properties under MuJoCo's names, as its sizes are. */
export class Model {
  constructor(handle) {
    if (!(handle instanceof lib.ModelHandle)) throw new TypeError("models are made by Model.fromXml, fromFiles, fromZip and fromBinary");
    Object.defineProperty(this, "_views", { value: new Views(handle) });
    for (const [name, size] of lines(handle.sizes())) Object.defineProperty(this, name, { value: Number(size), enumerable: true });
  }

  /**
   * Compiles MJCF or URDF text; `files` holds what it refers to, by name.
   *
   * `fixedLinks` keeps links that no joint moves, such as a tool's, as bodies: a URDF otherwise loses them. `kinematics` does so too, and where meshes or inertias
   * stand against the whole model loads its kinematics alone; `model.warnings` then says what was left out.
   */
  static fromXml(xml, files, { fixedLinks = false, kinematics = false } = {}) {
    if (kinematics) return withFiles({ ...asObject(files), [TEXT]: xml }, (set) => new Model(call(() => lib.ModelHandle.forKinematics(TEXT, set))));
    return withFiles(files, (set) => new Model(call(() => lib.ModelHandle.fromText(xml, set, fixedLinks))));
  }

  /** Compiles a model of several files; `main` names the file to begin with where that is not clear. Options as for `fromXml`. */
  static fromFiles(files, main, options) {
    return withFiles(files, (set) => fromSet(set, main, options));
  }

  /** Compiles a model of a zip file; `main` names the file to begin with where that is not clear. Options as for `fromXml`. */
  static fromZip(content, main, options) {
    return withFiles({}, (set) => {
      call(() => set.addZip(toBytes(content)));
      return fromSet(set, main, options);
    });
  }

  /** Reads a binary model (MJB). */
  static fromBinary(content) {
    return new Model(call(() => lib.ModelHandle.fromBinary(toBytes(content))));
  }

  /** The model as a binary file (MJB). */
  toBinary() {
    return call(() => alive(this).toBinary());
  }

  /** Name of the model. */
  get name() {
    return alive(this).name;
  }

  /** What was noticed when the model was read: findings as in `ModelError.diagnostics`. */
  get warnings() {
    return alive(this).warnings;
  }

  /** Number of an object by its kind (`"joint"`, …) and name; -1 when there is none. */
  id(kind, name) {
    return call(() => alive(this).id(kindNumber(kind), name));
  }

  /** Name of an object; undefined when it has none. */
  nameOf(kind, id) {
    return call(() => alive(this).nameOf(kindNumber(kind), id));
  }

  /** Shape of an array: rows, columns, inner columns. */
  shape(name) {
    void this[name];
    return this._views.known.get(name)?.shape;
  }

  /** Gives memory back now, rather than when this object is collected. */
  free() {
    this._views.release();
  }

  [Symbol.dispose ?? Symbol.for("dispose")]() {
    this.free();
  }
}

for (const { name, type, index } of fields.model) {
  Object.defineProperty(Model.prototype, name, {
    get() {
      const handle = alive(this);
      return this._views.get(name, type, () => handle.place(index));
    },
    set(values) {
      this[name].set(values);
    },
  });
}

/** Options of a model (`model.opt`, `model.stat`, `model.vis.global`, …): numbers and arrays. */
const OPTIONS = lib
  .optionTable()
  .trim()
  .split("\n\n")
  .map((text) => {
    const [name, ...rest] = text.split("\n");
    return { name, fields: table(rest.join("\n")) };
  });

function optionGroup(model, group) {
  const object = {};
  for (const { name, type, index } of OPTIONS[group].fields) {
    const view = () => {
      const handle = alive(model);
      return model._views.get(`${group}/${index}`, type, () => handle.optionPlace(group, index));
    };
    Object.defineProperty(object, name, {
      get: () => (view().length === 1 ? view()[0] : view()),
      set: (value) => (typeof value === "object" ? view().set(value) : view().fill(value)),
      enumerable: true,
    });
  }
  return object;
}

OPTIONS.forEach(({ name }, group) => {
  if (name === "opt" || name === "stat") Object.defineProperty(Model.prototype, name, { get() { return optionGroup(this, group); } });
});
Object.defineProperty(Model.prototype, "vis", {
  get() {
    return Object.fromEntries(OPTIONS.map(({ name }, group) => [name, group]).filter(([, group]) => group > 1).map(([name, group]) => [name, optionGroup(this, group)]));
  },
});

/** A world. Its arrays are properties under MuJoCo's names. */
export class Data {
  constructor(model, handle = undefined) {
    if (!(model instanceof Model)) throw new TypeError("a world is made for a model: new Data(model)");
    /** The model this world was made for. */
    this.model = model;
    Object.defineProperty(this, "_views", { value: new Views(handle ?? call(() => new lib.DataHandle(alive(model)))) });
  }

  /** A copy. */
  copy() {
    return new Data(this.model, call(() => alive(this).copy()));
  }

  /** Simulation time in seconds. */
  get time() {
    return alive(this).time;
  }

  set time(seconds) {
    alive(this).time = seconds;
  }

  /** Potential and kinetic energy. */
  get energy() {
    return alive(this).energy;
  }

  /** Contacts as objects: copies. */
  get contact() {
    return alive(this).contacts();
  }

  /** How often each warning was raised. */
  get warnings() {
    return alive(this).warnings();
  }

  /** What the warnings say, and whether the constraint solver stopped before it converged: an array of texts. */
  get warningTexts() {
    return call(() => alive(this).warningTexts(alive(this.model)));
  }

  /** Makes steps. */
  step(count = 1) {
    mj_step(this.model, this, count);
    return this;
  }

  /** Forward dynamics: everything that follows from state and controls. */
  forward() {
    mj_forward(this.model, this);
    return this;
  }

  /** Inverse dynamics: the forces `qfrc_inverse` that cause `qacc`. */
  inverse() {
    mj_inverse(this.model, this);
    return this;
  }

  /** Returns to the first state, or to a keyframe given by number or name. */
  reset(keyframe) {
    if (keyframe === undefined) mj_resetData(this.model, this);
    else mj_resetDataKeyframe(this.model, this, typeof keyframe === "string" ? known(this.model, "key", keyframe) : keyframe);
    return this;
  }

  /** A state vector; `components` is one of `states`. */
  getState(components = states.fullphysics) {
    return mj_getState(this.model, this, components);
  }

  /** Sets a state vector. */
  setState(state, components = states.fullphysics) {
    mj_setState(this.model, this, state, components);
    return this;
  }

  /** Jacobians of the origin of a body: `{ jacp, jacr }`, each three rows of `nv`. */
  jacBody(body) {
    return mj_jacBody(this.model, this, numberOf(this.model, "body", body));
  }

  /** Jacobians of the centre of mass of a body. */
  jacBodyCom(body) {
    return mj_jacBodyCom(this.model, this, numberOf(this.model, "body", body));
  }

  /** Jacobians of the centre of a geom. */
  jacGeom(geom) {
    return mj_jacGeom(this.model, this, numberOf(this.model, "geom", geom));
  }

  /** Jacobians of a site: `{ jacp, jacr }`, each three rows of `nv`. */
  jacSite(site) {
    return mj_jacSite(this.model, this, numberOf(this.model, "site", site));
  }

  /** Derivatives by time of the Jacobians of a global point on a body. */
  jacDot(point, body) {
    return mj_jacDot(this.model, this, point, numberOf(this.model, "body", body));
  }

  /** Jacobians of a global point and of a direction that turns with a body: `{ jacPoint, jacAxis }`. */
  jacPointAxis(point, axis, body) {
    return mj_jacPointAxis(this.model, this, point, axis, numberOf(this.model, "body", body));
  }

  /** First geom that a ray hits: `{ geom, distance, normal }`, or null. */
  ray(point, direction, options) {
    return mj_ray(this.model, this, point, direction, options);
  }

  /** Shape of an array: rows, columns, inner columns. */
  shape(name) {
    void this[name];
    return this._views.known.get(name)?.shape;
  }

  /** Gives memory back now, rather than when this object is collected. */
  free() {
    this._views.release();
  }

  [Symbol.dispose ?? Symbol.for("dispose")]() {
    this.free();
  }
}

const numberOf = (model, kind, one) => (typeof one === "string" ? known(model, kind, one) : one);

function known(model, kind, name) {
  const id = model.id(kind, name);
  if (id < 0) throw new EngineError(`there is no ${kind} '${name}'`);
  return id;
}

for (const { name, type, index } of fields.data) {
  // what changes its size, and integers, which the engine follows, are copies
  const copied = index >= FIXED || type === "i32";
  Object.defineProperty(Data.prototype, name, {
    get() {
      const handle = alive(this);
      return copied ? call(() => handle.copyOf(index)) : this._views.get(name, type, () => handle.place(index));
    },
    set: copied ? undefined : function (values) {
      this[name].set(values);
    },
  });
}

COUNTS.forEach(({ name }, index) => {
  Object.defineProperty(Data.prototype, name, {
    get() {
      return call(() => alive(this).count(index));
    },
  });
});

/** Calls a function of the module with a model and a world. */
const run = (f, model, data, ...rest) => call(() => f(alive(model), alive(data), ...rest));
const stage = (f) => (model, data) => run(f, model, data);
const numbers = (values) => (values instanceof Float64Array ? values : Float64Array.from(values));

export const mj_step = (model, data, count = 1) => {
  if (!Number.isInteger(count) || count < 0 || count >= 2 ** 32) throw new RangeError(`the number of steps is ${count}`);
  run(lib.mj_step, model, data, count);
};
export const mj_step1 = stage(lib.mj_step1);
export const mj_step2 = stage(lib.mj_step2);
export const mj_forward = stage(lib.mj_forward);
export const mj_inverse = stage(lib.mj_inverse);
export const mj_fwdPosition = stage(lib.mj_fwdPosition);
export const mj_fwdVelocity = stage(lib.mj_fwdVelocity);
export const mj_fwdActuation = stage(lib.mj_fwdActuation);
export const mj_fwdAcceleration = stage(lib.mj_fwdAcceleration);
export const mj_fwdConstraint = stage(lib.mj_fwdConstraint);
export const mj_kinematics = stage(lib.mj_kinematics);
export const mj_comPos = stage(lib.mj_comPos);
export const mj_camlight = stage(lib.mj_camlight);
export const mj_tendon = stage(lib.mj_tendon);
export const mj_transmission = stage(lib.mj_transmission);
export const mj_collision = stage(lib.mj_collision);
export const mj_makeConstraint = stage(lib.mj_makeConstraint);
export const mj_comVel = stage(lib.mj_comVel);
export const mj_subtreeVel = stage(lib.mj_subtreeVel);
export const mj_passive = stage(lib.mj_passive);
export const mj_rnePostConstraint = stage(lib.mj_rnePostConstraint);
export const mj_energyPos = stage(lib.mj_energyPos);
export const mj_energyVel = stage(lib.mj_energyVel);
export const mj_resetData = stage(lib.mj_resetData);
export const mj_resetDataKeyframe = (model, data, key) => run(lib.mj_resetDataKeyframe, model, data, key);
export const mj_stateSize = (model, components) => call(() => lib.mj_stateSize(alive(model), components));
export const mj_getState = (model, data, components) => run(lib.mj_getState, model, data, components);
export const mj_setState = (model, data, state, components) => run(lib.mj_setState, model, data, numbers(state), components);
const halves = (all) => ({ jacp: all.subarray(0, all.length / 2), jacr: all.subarray(all.length / 2) });
const rowOf = (points, id) => points.slice(3 * id, 3 * id + 3);
export const mj_jac = (model, data, point, body) => halves(run(lib.mj_jac, model, data, numbers(point), body));
export const mj_jacDot = (model, data, point, body) => halves(run(lib.mj_jacDot, model, data, numbers(point), body));
export const mj_jacPointAxis = (model, data, point, axis, body) => {
  const [jacPoint, jacAxis] = Object.values(halves(run(lib.mj_jacPointAxis, model, data, numbers(point), numbers(axis), body)));
  return { jacPoint, jacAxis };
};
export const mj_jacBody = (model, data, body) => mj_jac(model, data, rowOf(data.xpos, body), body);
export const mj_jacBodyCom = (model, data, body) => mj_jac(model, data, rowOf(data.xipos, body), body);
export const mj_jacGeom = (model, data, geom) => mj_jac(model, data, rowOf(data.geom_xpos, geom), model.geom_bodyid[geom]);
export const mj_jacSite = (model, data, site) => mj_jac(model, data, rowOf(data.site_xpos, site), model.site_bodyid[site]);
export const mj_jacSubtreeCom = (model, data, body) => run(lib.mj_jacSubtreeCom, model, data, body);
export const mj_ray = (model, data, point, direction, { groups = undefined, includeStatic = true, excludeBody = -1 } = {}) =>
  run(lib.mj_ray, model, data, numbers(point), numbers(direction), groups && Uint8Array.from(groups), includeStatic, excludeBody);
export const mj_contactForce = (model, data, contact) => run(lib.mj_contactForce, model, data, contact);
export const mj_objectVelocity = (model, data, kind, id, local = false) => run(lib.mj_objectVelocity, model, data, kindNumber(kind), id, local);
export const mj_fullM = (model, data) => run(lib.mj_fullM, model, data);
export const mj_applyFT = (model, data, force, torque, point, body) => run(lib.mj_applyFT, model, data, numbers(force), numbers(torque), numbers(point), body);
export const mj_name2id = (model, kind, name) => model.id(kind, name);
export const mj_id2name = (model, kind, id) => model.nameOf(kind, id);

/** Trajectories from several full physics states, with controls for each step of each: `{ state, sensordata }`. */
export const rollout = (model, data, first, controls, steps) => run(lib.rollout, model, data, numbers(first), numbers(controls ?? []), steps);

const optional = (values) => values && numbers(values);

/** What owns an object of the module and can give its memory back now. */
class Owner {
  constructor(handle) {
    Object.defineProperty(this, "_views", { value: new Views(handle) });
  }

  /** Gives memory back now. */
  free() {
    this._views.release();
  }
}

/** A chain of joints between two links, bodies, sites or geoms. */
export class Chain extends Owner {
  constructor(model, base, end) {
    super(call(() => new lib.ChainHandle(alive(model), base, end)));
  }

  /** Numbers in a configuration. */
  get nq() {
    return alive(this).nq;
  }

  /** Columns of the Jacobian. */
  get nv() {
    return alive(this).nv;
  }

  /** Names of the joints, in the order of a configuration. */
  get jointNames() {
    return alive(this).jointNames;
  }

  /** How the joints move: `revolute`, `prismatic`, `ball` or `free`. */
  get jointKinds() {
    return alive(this).jointKinds;
  }

  /** Limits of the joints: `[lower, upper]` for each, infinite where there is none. */
  get limits() {
    const all = alive(this).limits;
    return Array.from({ length: all.length / 2 }, (_, i) => [all[2 * i], all[2 * i + 1]]);
  }

  /** Where the numbers of a configuration are in the model's `qpos`. */
  get qposIndices() {
    return alive(this).qposIndices;
  }

  /** Which dofs of the model the columns of a Jacobian are. */
  get dofIndices() {
    return alive(this).dofIndices;
  }

  /** Upper bound of the distance between the first joint and the end (m). */
  get reach() {
    return alive(this).reach;
  }

  /** The configuration in the middle of the limits. */
  neutral() {
    return alive(this).neutral();
  }

  /** Pose of the end: `{ position, quaternion }`. */
  fk(q) {
    return pose(call(() => alive(this).fk(numbers(q))));
  }

  /** Jacobian of the end: six rows of `nv`, linear ones first; `frame` is `world`, `local` or `local_world_aligned`. */
  jacobian(q, frame = "local_world_aligned") {
    return call(() => alive(this).jacobian(numbers(q), frame));
  }

  /** Derivative of the Jacobian by time when the joints move with velocity `v`. */
  jacobianDerivative(q, v, frame = "local_world_aligned") {
    return call(() => alive(this).jacobianDerivative(numbers(q), numbers(v), frame));
  }

  /** Singular values of the Jacobian, largest first. */
  singularValues(q) {
    return call(() => alive(this).singularValues(numbers(q)));
  }

  /** Product of the singular values (Yoshikawa). */
  manipulability(q) {
    return call(() => alive(this).manipulability(numbers(q)));
  }

  /** Largest singular value divided by the smallest. */
  conditionNumber(q) {
    return call(() => alive(this).conditionNumber(numbers(q)));
  }

  /** Whether the smallest singular value is below the threshold. */
  isSingular(q, threshold = 1e-6) {
    return this.singularValues(q).at(-1) < threshold;
  }

  /** Orthonormal joint velocities that do not move the end: an array of them. */
  nullSpace(q, tolerance = 1e-9) {
    const [all, nv] = [call(() => alive(this).nullSpace(numbers(q), tolerance)), this.nv];
    return Array.from({ length: all.length / nv }, (_, i) => all.subarray(nv * i, nv * (i + 1)));
  }
}

const pose = (seven) => ({ position: seven.subarray(0, 3), quaternion: seven.subarray(3) });

/** Converts a Jacobian of a frame at a pose `{ position, quaternion }` from one of `world`, `local`, `local_world_aligned` to another. */
export const convertJacobian = (jacobian, { position, quaternion }, from, to) =>
  call(() => lib.convertJacobian(numbers(jacobian), numbers(position), numbers(quaternion), from, to));

/** Jacobians of the links between a base and an end, from the joint angles of the whole chain; `type` is `analytic` or `geometric`. */
export class AnalyticalJacobianCalculator extends Owner {
  constructor(model, endLink, baseLink = "") {
    super(call(() => new lib.CalculatorHandle(alive(model), endLink, baseLink)));
  }

  /** Names of the joints, in the order of the joint angles. */
  get jointNames() {
    return alive(this).jointNames;
  }

  /** Jacobian of a link, of the end when it is left out: six rows, linear ones first, a column for each dof that moves the link. */
  compute(jointAngles, type = "analytic", targetLink = undefined) {
    return call(() => alive(this).compute(numbers(jointAngles), type, targetLink || undefined));
  }

  /** Whether the smallest singular value is below the threshold. */
  isSingular(jointAngles, threshold = 1e-6, type = "analytic", targetLink = undefined) {
    return call(() => alive(this).isSingular(numbers(jointAngles), threshold, type, targetLink || undefined));
  }

  /** Product of the singular values (Yoshikawa). */
  getManipulability(jointAngles, type = "analytic", targetLink = undefined) {
    return call(() => alive(this).manipulability(numbers(jointAngles), type, targetLink || undefined));
  }

  /** Largest singular value divided by the smallest. */
  getConditionNumber(jointAngles, type = "analytic", targetLink = undefined) {
    return call(() => alive(this).conditionNumber(numbers(jointAngles), type, targetLink || undefined));
  }

  /** As the function `convertJacobian`. */
  static convertJacobian(jacobian, at, from, to) {
    return convertJacobian(jacobian, at, from, to);
  }
}

/** Inverse kinematics of a chain. */
export class Solver extends Owner {
  constructor(chain, { positionTolerance = undefined, rotationTolerance = undefined, maxRestarts = undefined, maxIterations = undefined } = {}) {
    super(call(() => new lib.SolverHandle(alive(chain), positionTolerance, rotationTolerance, maxRestarts, maxIterations)));
  }

  /**
   * A configuration for a position and, unless it is left out, an orientation: `{ q, converged, positionError, … }`.
   *
   * `axis` is an axis of the end with the direction that it shall have, instead of the orientation; `weights` are six numbers, three of the position and three of
   * the rotation; `mode` is `first`, or `nearest` to the seed of all that a search finds.
   */
  solve(position, quaternion = undefined, seed = undefined, { axis = undefined, weights = undefined, mode = "first" } = {}) {
    if (mode !== "first" && mode !== "nearest") throw new EngineError(`there is no mode '${mode}': take 'first' or 'nearest'`);
    return withTarget(position, quaternion, axis, weights, (target) => call(() => alive(this).solve(target, optional(seed), mode === "nearest")));
  }

  /** Distinct solutions, nearest to the seed first: an array of at most `count`. */
  solveAll(position, quaternion = undefined, seed = undefined, { axis = undefined, weights = undefined, count = 64 } = {}) {
    return withTarget(position, quaternion, axis, weights, (target) => call(() => alive(this).solveAll(target, optional(seed), count)));
  }
}

function withTarget(position, quaternion, axis, weights, f) {
  const target = call(() => new lib.TargetHandle(optional(position), optional(quaternion), axis && Float64Array.from(axis.flatMap((vector) => [...vector])), optional(weights)));
  try {
    return f(target);
  } finally {
    target.free();
  }
}

const three = (cost) => Float64Array.from(typeof cost === "number" ? [cost, cost, cost] : cost);
const many = (cost) => Float64Array.from(typeof cost === "number" ? [cost] : cost);

/** Joint positions of a model with the poses that follow from them: where whole-body inverse kinematics is. */
export class Configuration extends Owner {
  constructor(model, q = undefined) {
    super(call(() => new lib.ConfigurationHandle(alive(model))));
    /** The model. */
    this.model = model;
    if (q !== undefined) this.update(q);
  }

  /** A copy of the joint positions. */
  get q() {
    return alive(this).q;
  }

  /** Sets the joint positions. */
  update(q) {
    call(() => alive(this).update(alive(this.model), numbers(q)));
    return this;
  }

  /** Moves along a velocity for time `dt`. */
  integrate(velocity, dt) {
    call(() => alive(this).integrate(alive(this.model), numbers(velocity), dt));
    return this;
  }

  /** Pose of a link, body, site or geom in the world: `{ position, quaternion }`. */
  pose(name) {
    return pose(call(() => alive(this).pose(alive(this.model), name)));
  }

  /** Jacobian of a link, body, site or geom in the world's axes: six rows of `nv`, linear ones first. */
  jacobian(name) {
    return call(() => alive(this).jacobian(alive(this.model), name));
  }

  /** Centre of mass of the whole model. */
  get centerOfMass() {
    return alive(this).centerOfMass();
  }
}

const setPose = (task, _, position, quaternion) => {
  if (quaternion === undefined) throw new EngineError("the target of a frame is a position and a quaternion");
  task.setPose(numbers(position), numbers(quaternion));
};
const setPoint = (task, _, point) => task.setPoint(numbers(point));
const setPosture = (task, model, q) => task.setPosture(model, numbers(q));

/** A task of whole-body inverse kinematics. Costs are a number or one for each direction or dof; zero leaves it free. */
export class Task extends Owner {
  constructor(handle, model, setter, { gain = 1, lmDamping = 0, priority = 0 } = {}) {
    if (!(handle instanceof lib.TaskHandle)) throw new TypeError("tasks are made by Task.frame, com, posture, damping, lookAt and equality");
    super(handle);
    Object.defineProperty(this, "_set", { value: setter && ((...target) => call(() => setter(handle, alive(model), ...target))) });
    call(() => handle.setOptions(gain, lmDamping, priority));
  }

  /** A link, body, site or geom shall have a pose in the world, or in the frame `root`, which may move too. */
  static frame(model, name, { positionCost = 1, orientationCost = 1, root = undefined, ...options } = {}) {
    return new Task(call(() => lib.TaskHandle.frame(alive(model), name, root, three(positionCost), three(orientationCost))), model, setPose, options);
  }

  /** The centre of mass shall be at a point. */
  static com(model, { cost = 1, ...options } = {}) {
    return new Task(call(() => lib.TaskHandle.com(three(cost))), model, setPoint, options);
  }

  /** Joints shall be at given positions; free joints are left out. */
  static posture(model, { cost = 1, ...options } = {}) {
    return new Task(call(() => lib.TaskHandle.posture(alive(model), many(cost))), model, setPosture, options);
  }

  /** Joints shall move little. */
  static damping(model, { cost = 1, ...options } = {}) {
    return new Task(call(() => lib.TaskHandle.damping(alive(model), many(cost))), model, undefined, options);
  }

  /** An axis of a frame shall point to a point of the world. */
  static lookAt(model, name, axis, { cost = 1, ...options } = {}) {
    return new Task(call(() => lib.TaskHandle.lookAt(alive(model), name, numbers(axis), cost)), model, setPoint, options);
  }

  /** Equality constraints of the model, given by name or number, or all, shall hold. */
  static equality(model, { cost = 1, equalities = undefined, ...options } = {}) {
    const ids = equalities?.map((one) => numberOf(model, "equality", one));
    return new Task(call(() => lib.TaskHandle.equality(alive(model), cost, ids && Uint32Array.from(ids))), model, undefined, options);
  }

  /** Sets what the task shall reach: `(position, quaternion)` of a frame, a point, or joint positions. */
  setTarget(target, quaternion = undefined) {
    alive(this);
    if (!this._set) throw new EngineError("this task has no target");
    this._set(target, quaternion);
    return this;
  }

  /** Takes the target from where a configuration is now. */
  setTargetFromConfiguration(configuration) {
    call(() => alive(this).setFrom(alive(configuration)));
    return this;
  }
}

/** A limit of whole-body inverse kinematics. */
export class Limit extends Owner {
  constructor(handle) {
    if (!(handle instanceof lib.LimitHandle)) throw new TypeError("limits are made by Limit.configuration, velocity and collision");
    super(handle);
  }

  /** Hinges and slides stay within their ranges. */
  static configuration({ gain = 0.95, distance = 0 } = {}) {
    return new Limit(call(() => lib.LimitHandle.configuration(gain, distance)));
  }

  /** Joints do not move faster than velocities that are given by their names. */
  static velocity(model, velocities) {
    return new Limit(call(() => lib.LimitHandle.velocity(alive(model), Object.keys(velocities), numbers(Object.values(velocities)))));
  }

  /** The geoms of two groups, by name or number, keep a distance. */
  static collision(model, first, second, { gain = 0.85, distance = 0.005, detectionDistance = 0.01 } = {}) {
    const ids = (group) => Uint32Array.from(group, (one) => numberOf(model, "geom", one));
    return new Limit(call(() => lib.LimitHandle.collision(alive(model), ids(first), ids(second), gain, distance, detectionDistance)));
  }
}

function prepare(configuration, tasks, limits, constraints) {
  const handle = alive(configuration);
  const own = limits === undefined ? [Limit.configuration()] : limits;
  call(() => {
    handle.clear();
    for (const task of tasks) handle.addTask(alive(task), false);
    for (const task of constraints) handle.addTask(alive(task), true);
    for (const limit of own) handle.addLimit(alive(limit));
  });
  if (limits === undefined) own[0].free();
  return handle;
}

/** Velocity of all dofs that serves the tasks best for one step of `dt`; joints stay within their ranges unless `limits` are given. */
export function solveIk(configuration, tasks, dt, { damping = 1e-12, limits = undefined, constraints = [] } = {}) {
  const handle = prepare(configuration, tasks, limits, constraints);
  return call(() => handle.solveIk(alive(configuration.model), dt, damping));
}

/** Moves the configuration until the tasks are reached or no step makes them better: `{ converged, error, iterations }`. */
export function solveGlobal(configuration, tasks, { limits = undefined, constraints = [], maxIterations = 200, errorTolerance = 1e-5 } = {}) {
  const handle = prepare(configuration, tasks, limits, constraints);
  return call(() => handle.solveGlobal(alive(configuration.model), maxIterations, errorTolerance));
}
