// Types of the package; the arrays of Model and Data are written into the places marked below from the module's own tables.

/** One finding about a model. */
export interface Diagnostic {
  severity: "error" | "warning";
  message: string;
  file: string;
  line: number;
  column: number;
  length: number;
  snippet: string;
  help: string | null;
}

/** What is wrong with a model. */
export class ModelError extends Error {
  diagnostics: Diagnostic[];
}

/** A call that failed: what it was given does not fit, or a step cannot be made. */
export class EngineError extends Error {}

/** Content of a file. */
export type Content = string | ArrayBuffer | ArrayBufferView;
/** Files by name. */
export type Files = Record<string, Content> | Map<string, Content>;
/** Files of a zip file, by name. */
export function unzip(content: Content): Map<string, Uint8Array>;
/** Numbers that are copied. */
export type Numbers = ArrayLike<number> | Iterable<number>;
/** Kind of an object: `"body"`, `"joint"`, … or its number. */
export type Kind = string | number;
/** A value of a group of options. */
export type Option = number | bigint | Float64Array | Float32Array | Int32Array;

export interface Field {
  name: string;
  type: "f64" | "f32" | "i32" | "i64" | "u64" | "u8";
  rows: string;
  doc: string;
  index: number;
}

export const version: string;
export const simd: boolean;
/** The compiled module (a `WebAssembly.Module`), for workers. */
export const module: object;
declare global {
  /** What may be decided before the package is imported: which module is taken, and the module itself when another thread has compiled it. */
  var kinetreeSettings: { simd?: boolean; module?: object } | undefined;
}
export const fields: { model: Field[]; data: Field[] };
export const kinds: Record<string, number>;
export const states: Record<string, number>;

/** A compiled model. */
export class Model {
  private constructor();
  static fromXml(xml: string, files?: Files): Model;
  static fromFiles(files: Files, main?: string): Model;
  static fromZip(content: Content, main?: string): Model;
  static fromBinary(content: Content): Model;
  toBinary(): Uint8Array;
  readonly name: string;
  /** What was noticed when the model was read. */
  readonly warnings: Diagnostic[];
  id(kind: Kind, name: string): number;
  nameOf(kind: Kind, id: number): string | undefined;
  shape(name: string): number[] | undefined;
  free(): void;
  /** Physics options. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly opt: Record<string, any>;
  /** Statistics. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly stat: Record<string, any>;
  /** Visualization settings, by group. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly vis: Record<string, Record<string, any>>;
  // model: sizes
  // model: fields
}

export interface Contact {
  dist: number;
  pos: Float64Array;
  frame: Float64Array;
  includemargin: number;
  friction: Float64Array;
  solref: Float64Array;
  solreffriction: Float64Array;
  solimp: Float64Array;
  mu: number;
  dim: number;
  geom1: number;
  geom2: number;
  exclude: number;
  efc_address: number;
}

export interface Jacobians {
  jacp: Float64Array;
  jacr: Float64Array;
}

export interface RayOptions {
  groups?: ArrayLike<number>;
  includeStatic?: boolean;
  excludeBody?: number;
}

export interface RayHit {
  geom: number;
  distance: number;
  normal: Float64Array;
}

/** A world. */
export class Data {
  constructor(model: Model);
  readonly model: Model;
  time: number;
  readonly energy: Float64Array;
  readonly contact: Contact[];
  readonly warnings: Int32Array;
  copy(): Data;
  step(count?: number): this;
  forward(): this;
  inverse(): this;
  reset(keyframe?: number | string): this;
  getState(components?: number): Float64Array;
  setState(state: Numbers, components?: number): this;
  jacBody(body: number | string): Jacobians;
  jacSite(site: number | string): Jacobians;
  ray(point: Numbers, direction: Numbers, options?: RayOptions): RayHit | null;
  shape(name: string): number[] | undefined;
  free(): void;
  // data: counts
  // data: fields
}

/** A stage of the engine. */
export type Stage = (model: Model, data: Data) => void;
export const mj_step: (model: Model, data: Data, count?: number) => void;
// stages
export const mj_resetDataKeyframe: (model: Model, data: Data, key: number) => void;
export const mj_stateSize: (model: Model, components: number) => number;
export const mj_getState: (model: Model, data: Data, components: number) => Float64Array;
export const mj_setState: (model: Model, data: Data, state: Numbers, components: number) => void;
export const mj_jac: (model: Model, data: Data, point: Numbers, body: number) => Jacobians;
export const mj_jacSubtreeCom: (model: Model, data: Data, body: number) => Float64Array;
export const mj_ray: (model: Model, data: Data, point: Numbers, direction: Numbers, options?: RayOptions) => RayHit | null;
export const mj_contactForce: (model: Model, data: Data, contact: number) => Float64Array;
export const mj_objectVelocity: (model: Model, data: Data, kind: Kind, id: number, local?: boolean) => Float64Array;
export const mj_fullM: (model: Model, data: Data) => Float64Array;
export const mj_applyFT: (model: Model, data: Data, force: Numbers, torque: Numbers, point: Numbers, body: number) => Float64Array;
export const mj_name2id: (model: Model, kind: Kind, name: string) => number;
export const mj_id2name: (model: Model, kind: Kind, id: number) => string | undefined;
export const rollout: (
  model: Model,
  data: Data,
  first: Numbers,
  controls: Numbers | undefined,
  steps: number,
) => { state: Float64Array; sensordata: Float64Array };

/** A chain of joints. */
export class Chain {
  constructor(model: Model, base: string, end: string);
  readonly nq: number;
  readonly nv: number;
  fk(q: Numbers): { position: Float64Array; quaternion: Float64Array };
  jacobian(q: Numbers, frame?: "world" | "local" | "local_world_aligned"): Float64Array;
  free(): void;
}

export interface Solution {
  q: Float64Array;
  converged: boolean;
  positionError: number;
  rotationError: number;
  iterations: number;
  restarts: number;
  activeLimits: Int8Array;
}

/** Inverse kinematics of a chain. */
export class Solver {
  constructor(chain: Chain, settings?: { positionTolerance?: number; rotationTolerance?: number });
  solve(position: Numbers, quaternion?: Numbers, seed?: Numbers): Solution;
  free(): void;
}
