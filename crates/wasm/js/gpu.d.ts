// Many worlds of a model on the GPU of a browser, by WebGPU.

import type { Model } from "./index.js";

export * from "./index.js";

/** What `GpuWorlds.create` may be told. */
export interface GpuWorldsOptions {
  /** Whether sensors are computed in each step. */
  sensors?: boolean;
}

/**
 * Worlds of one model, stepped together on a GPU in single precision. One call at a time: a second one before the first is done throws an
 * `EngineError`. So do numbers of the wrong length, a model with something that is not covered, a browser without WebGPU, and a device that is lost.
 */
export class GpuWorlds {
  private constructor();
  /** Makes worlds of a model in its first state, as the model is now. */
  static create(model: Model, count: number, options?: GpuWorldsOptions): Promise<GpuWorlds>;
  /** Number of worlds. */
  readonly count: number;
  /** The model. */
  readonly model: Model;
  /** Name of the graphics device. */
  readonly adapter: string;
  /** Seconds that the kernels took to compile. */
  readonly compilation: number;
  /** Sets the controls of all worlds: `nu` numbers for each, one world after the other. */
  setControls(controls: ArrayLike<number>): void;
  /** Makes steps of all worlds with these controls; one unless a number is given. */
  step(count?: number): Promise<void>;
  /** Positions: `nq` numbers for each world. */
  positions(): Promise<Float32Array>;
  /** Velocities: `nv` numbers for each world. */
  velocities(): Promise<Float32Array>;
  /** Accelerations at the beginning of the last step: `nv` numbers for each world. */
  accelerations(): Promise<Float32Array>;
  /** Activations: `na` numbers for each world. */
  activations(): Promise<Float32Array>;
  /** Sensor values at the beginning of the last step: `nsensordata` numbers for each world. */
  sensordata(): Promise<Float32Array>;
  /** Rows of positions, velocities, activations and accelerations, as `setStates` takes them. */
  states(): Promise<Float32Array>;
  /** Sets the states of all worlds. */
  setStates(states: ArrayLike<number>): Promise<void>;
  /** Puts all worlds, or those where the mask is true, into the first state of the model. */
  reset(mask?: ArrayLike<boolean | number>): Promise<void>;
  /** Number of contacts of each world at the beginning of the last step. */
  contacts(): Promise<Uint32Array>;
  /** Why worlds restarted since this was asked last: null, or what was wrong. */
  takeErrors(): Promise<(string | null)[]>;
  /** Gives each world values of its own for an array of the model, such as `"body_mass"`: all of the first world, then all of the second, and so on. */
  vary(field: string, values: ArrayLike<number>): Promise<void>;
  /** Gives all worlds the arrays of the model again. */
  endVariations(): Promise<void>;
  /** Gives the memory of the device back. */
  close(): void;
}
