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

/** A compiled model. Its arrays are properties under MuJoCo's names, as its sizes are. */
export class Model {
  constructor(handle) {
    if (!(handle instanceof lib.ModelHandle)) throw new TypeError("models are made by Model.fromXml, fromFiles, fromZip and fromBinary");
    Object.defineProperty(this, "_views", { value: new Views(handle) });
    for (const [name, size] of lines(handle.sizes())) Object.defineProperty(this, name, { value: Number(size), enumerable: true });
  }

  /** Compiles MJCF or URDF text; `files` holds what it refers to, by name. */
  static fromXml(xml, files) {
    return withFiles(files, (set) => new Model(call(() => lib.ModelHandle.fromText(xml, set))));
  }

  /** Compiles a model of several files; `main` names the file to begin with where that is not clear. */
  static fromFiles(files, main) {
    return withFiles(files, (set) => new Model(call(() => lib.ModelHandle.fromFile(mainFile(set.names(), main), set))));
  }

  /** Compiles a model of a zip file; `main` names the file to begin with where that is not clear. */
  static fromZip(content, main) {
    return withFiles({}, (set) => {
      call(() => set.addZip(toBytes(content)));
      return new Model(call(() => lib.ModelHandle.fromFile(mainFile(set.names(), main), set)));
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
    const id = typeof body === "string" ? known(this.model, "body", body) : body;
    return mj_jac(this.model, this, this.xpos.slice(3 * id, 3 * id + 3), id);
  }

  /** Jacobians of a site: `{ jacp, jacr }`, each three rows of `nv`. */
  jacSite(site) {
    const id = typeof site === "string" ? known(this.model, "site", site) : site;
    return mj_jac(this.model, this, this.site_xpos.slice(3 * id, 3 * id + 3), this.model.site_bodyid[id]);
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
export const mj_jac = (model, data, point, body) => {
  const all = run(lib.mj_jac, model, data, numbers(point), body);
  return { jacp: all.subarray(0, all.length / 2), jacr: all.subarray(all.length / 2) };
};
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

/** A chain of joints between two links, bodies, sites or geoms. */
export class Chain {
  constructor(model, base, end) {
    Object.defineProperty(this, "_views", { value: new Views(call(() => new lib.ChainHandle(alive(model), base, end))) });
  }

  /** Numbers in a configuration. */
  get nq() {
    return alive(this).nq;
  }

  /** Columns of the Jacobian. */
  get nv() {
    return alive(this).nv;
  }

  /** Pose of the end: `{ position, quaternion }`. */
  fk(q) {
    const pose = call(() => alive(this).fk(numbers(q)));
    return { position: pose.subarray(0, 3), quaternion: pose.subarray(3) };
  }

  /** Jacobian of the end: six rows of `nv`, linear ones first; `frame` is `world`, `local` or `local_world_aligned`. */
  jacobian(q, frame = "local_world_aligned") {
    return call(() => alive(this).jacobian(numbers(q), frame));
  }

  /** Gives memory back now. */
  free() {
    this._views.release();
  }
}

/** Inverse kinematics of a chain. */
export class Solver {
  constructor(chain, { positionTolerance = undefined, rotationTolerance = undefined } = {}) {
    Object.defineProperty(this, "_views", { value: new Views(call(() => new lib.SolverHandle(alive(chain), positionTolerance, rotationTolerance))) });
  }

  /** A configuration for a position and, unless it is left out, an orientation: `{ q, converged, positionError, … }`. */
  solve(position, quaternion = undefined, seed = undefined) {
    return call(() => alive(this).solve(numbers(position), quaternion && numbers(quaternion), seed && numbers(seed)));
  }

  /** Gives memory back now. */
  free() {
    this._views.release();
  }
}
