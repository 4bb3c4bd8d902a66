// Many worlds of a model on the GPU of a browser, by WebGPU: the package's GPU build has this beside index.js.

import { EngineError, Model } from "./index.js";
import { GpuWorldsHandle } from "./lib/glue.js";

export * from "./index.js";

/** Waits for the module; its failures become exceptions of the package. */
async function call(f) {
  try {
    return await f();
  } catch (problem) {
    throw problem instanceof Error && problem.constructor === Error ? new EngineError(problem.message) : problem;
  }
}

/** Numbers in single precision, as the device has them. */
const singles = (values) => (values instanceof Float32Array ? values : Float32Array.from(values));

function whole(what, value, least) {
  if (!Number.isInteger(value) || value < least || value > 0xffffffff) throw new EngineError(`${what} must be a whole number of at least ${least}, not ${value}`);
  return value;
}

const registry = new FinalizationRegistry((handle) => handle.close());

/** Worlds of one model, stepped together on a GPU in single precision. */
export class GpuWorlds {
  #handle;

  constructor(model, count, handle) {
    if (!(handle instanceof GpuWorldsHandle)) throw new TypeError("worlds on a GPU are made by GpuWorlds.create");
    this.#handle = handle;
    registry.register(this, handle);
    Object.defineProperties(this, {
      /** Number of worlds. */
      count: { value: count, enumerable: true },
      /** The model. */
      model: { value: model, enumerable: true },
      /** Name of the graphics device. */
      adapter: { value: handle.adapter, enumerable: true },
      /** Seconds that the kernels took to compile. */
      compilation: { value: handle.compilation, enumerable: true },
    });
  }

  /** Makes `count` worlds of a model in its first state, as the model is now; with `sensors` their values are computed in each step. */
  static async create(model, count, { sensors = false } = {}) {
    if (!(model instanceof Model)) throw new TypeError("worlds are made for a model: GpuWorlds.create(model, 256)");
    whole("the number of worlds", count, 1);
    const handle = model._views.handle;
    if (handle === null) throw new EngineError("this Model was freed");
    return new GpuWorlds(model, count, await call(() => GpuWorldsHandle.create(handle, count, Boolean(sensors))));
  }

  /** Sets the controls of all worlds: `nu` numbers for each, one world after the other. */
  setControls(controls) {
    try {
      this.#handle.setControls(singles(controls));
    } catch (problem) {
      throw problem?.constructor === Error ? new EngineError(problem.message) : problem;
    }
  }

  /** Makes steps of all worlds with these controls. */
  async step(count = 1) {
    whole("the number of steps", count, 0);
    await call(() => this.#handle.step(count));
  }

  /** Positions: `nq` numbers for each world. */
  positions() {
    return call(() => this.#handle.read("positions"));
  }

  /** Velocities: `nv` numbers for each world. */
  velocities() {
    return call(() => this.#handle.read("velocities"));
  }

  /** Accelerations at the beginning of the last step: `nv` numbers for each world. */
  accelerations() {
    return call(() => this.#handle.read("accelerations"));
  }

  /** Activations: `na` numbers for each world. */
  activations() {
    return call(() => this.#handle.read("activations"));
  }

  /** Sensor values at the beginning of the last step: `nsensordata` numbers for each world. */
  sensordata() {
    return call(() => this.#handle.read("sensordata"));
  }

  /** Rows of positions, velocities, activations and accelerations, as `setStates` takes them. */
  states() {
    return call(() => this.#handle.read("states"));
  }

  /** Sets the states of all worlds. */
  async setStates(states) {
    await call(() => this.#handle.setStates(singles(states)));
  }

  /** Puts all worlds, or those where the mask is true, into the first state of the model. */
  async reset(mask = undefined) {
    await call(() => this.#handle.reset(mask === undefined ? new Uint8Array(this.count).fill(1) : Uint8Array.from(mask, Boolean)));
  }

  /** Number of contacts of each world at the beginning of the last step. */
  contacts() {
    return call(() => this.#handle.contacts());
  }

  /** Why worlds restarted since this was asked last: null, or what was wrong. */
  takeErrors() {
    return call(() => this.#handle.takeErrors());
  }

  /** Gives each world values of its own for an array of the model, such as `"body_mass"`. */
  async vary(field, values) {
    await call(() => this.#handle.vary(String(field), Float64Array.from(values)));
  }

  /** Gives all worlds the arrays of the model again. */
  async endVariations() {
    await call(() => this.#handle.vary(undefined, new Float64Array()));
  }

  /** Gives the memory of the device back. */
  close() {
    this.#handle.close();
  }

  [Symbol.dispose ?? Symbol.for("dispose")]() {
    this.close();
  }
}
