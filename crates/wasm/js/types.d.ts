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

export interface LoadOptions {
  /** Links that no joint moves are bodies of their own: a URDF otherwise loses them. */
  fixedLinks?: boolean;
  /** The same; and where meshes or inertias stand against the whole model, its kinematics alone. */
  kinematics?: boolean;
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
  static fromXml(xml: string, files?: Files, options?: LoadOptions): Model;
  static fromFiles(files: Files, main?: string, options?: LoadOptions): Model;
  static fromZip(content: Content, main?: string, options?: LoadOptions): Model;
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
  /** What the warnings say, and whether the constraint solver stopped before it converged. */
  readonly warningTexts: string[];
  copy(): Data;
  step(count?: number): this;
  forward(): this;
  inverse(): this;
  reset(keyframe?: number | string): this;
  getState(components?: number): Float64Array;
  setState(state: Numbers, components?: number): this;
  jacBody(body: number | string): Jacobians;
  jacBodyCom(body: number | string): Jacobians;
  jacGeom(geom: number | string): Jacobians;
  jacSite(site: number | string): Jacobians;
  jacDot(point: Numbers, body: number | string): Jacobians;
  jacPointAxis(point: Numbers, axis: Numbers, body: number | string): { jacPoint: Float64Array; jacAxis: Float64Array };
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
export const mj_jacDot: (model: Model, data: Data, point: Numbers, body: number) => Jacobians;
export const mj_jacPointAxis: (
  model: Model,
  data: Data,
  point: Numbers,
  axis: Numbers,
  body: number,
) => { jacPoint: Float64Array; jacAxis: Float64Array };
export const mj_jacBody: (model: Model, data: Data, body: number) => Jacobians;
export const mj_jacBodyCom: (model: Model, data: Data, body: number) => Jacobians;
export const mj_jacGeom: (model: Model, data: Data, geom: number) => Jacobians;
export const mj_jacSite: (model: Model, data: Data, site: number) => Jacobians;
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

/** Frames of Jacobians: `analytic` is `local_world_aligned`, `geometric` is `local`. */
export type JacobianFrame = "world" | "local" | "local_world_aligned" | "analytic" | "geometric";

export interface Pose {
  position: Float64Array;
  quaternion: Float64Array;
}

/** A chain of joints. */
export class Chain {
  constructor(model: Model, base: string, end: string);
  readonly nq: number;
  readonly nv: number;
  /** Names of the joints, in the order of a configuration. */
  readonly jointNames: string[];
  readonly jointKinds: ("revolute" | "prismatic" | "ball" | "free")[];
  /** Lower and upper limit of each joint, infinite where there is none. */
  readonly limits: [number, number][];
  readonly qposIndices: Uint32Array;
  readonly dofIndices: Uint32Array;
  readonly reach: number;
  neutral(): Float64Array;
  fk(q: Numbers): Pose;
  jacobian(q: Numbers, frame?: JacobianFrame): Float64Array;
  jacobianDerivative(q: Numbers, v: Numbers, frame?: JacobianFrame): Float64Array;
  singularValues(q: Numbers): Float64Array;
  manipulability(q: Numbers): number;
  conditionNumber(q: Numbers): number;
  isSingular(q: Numbers, threshold?: number): boolean;
  nullSpace(q: Numbers, tolerance?: number): Float64Array[];
  free(): void;
}

export const convertJacobian: (
  jacobian: Numbers,
  at: { position: Numbers; quaternion: Numbers },
  from: JacobianFrame,
  to: JacobianFrame,
) => Float64Array;

/** Jacobians of the links between a base and an end, from the joint angles of the whole chain. */
export class AnalyticalJacobianCalculator {
  constructor(model: Model, endLink: string, baseLink?: string);
  readonly jointNames: string[];
  compute(jointAngles: Numbers, type?: JacobianFrame, targetLink?: string): Float64Array;
  isSingular(jointAngles: Numbers, threshold?: number, type?: JacobianFrame, targetLink?: string): boolean;
  getManipulability(jointAngles: Numbers, type?: JacobianFrame, targetLink?: string): number;
  getConditionNumber(jointAngles: Numbers, type?: JacobianFrame, targetLink?: string): number;
  static convertJacobian: typeof convertJacobian;
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

export interface TargetOptions {
  /** An axis of the end and the direction it shall have, instead of an orientation. */
  axis?: [Numbers, Numbers];
  /** Three of the position and three of the rotation. */
  weights?: Numbers;
}

/** Inverse kinematics of a chain. */
export class Solver {
  constructor(
    chain: Chain,
    settings?: { positionTolerance?: number; rotationTolerance?: number; maxRestarts?: number; maxIterations?: number },
  );
  solve(
    position?: Numbers,
    quaternion?: Numbers,
    seed?: Numbers,
    options?: TargetOptions & { mode?: "first" | "nearest" },
  ): Solution;
  solveAll(position?: Numbers, quaternion?: Numbers, seed?: Numbers, options?: TargetOptions & { count?: number }): Solution[];
  free(): void;
}

/** Joint positions of a model with the poses that follow from them. */
export class Configuration {
  constructor(model: Model, q?: Numbers);
  readonly model: Model;
  readonly q: Float64Array;
  readonly centerOfMass: Float64Array;
  update(q: Numbers): this;
  integrate(velocity: Numbers, dt: number): this;
  pose(name: string): Pose;
  jacobian(name: string): Float64Array;
  free(): void;
}

export interface TaskOptions {
  gain?: number;
  lmDamping?: number;
  priority?: number;
}

/** A task of whole-body inverse kinematics. */
export class Task {
  private constructor();
  static frame(
    model: Model,
    name: string,
    options?: TaskOptions & { positionCost?: number | Numbers; orientationCost?: number | Numbers; root?: string },
  ): Task;
  static com(model: Model, options?: TaskOptions & { cost?: number | Numbers }): Task;
  static posture(model: Model, options?: TaskOptions & { cost?: number | Numbers }): Task;
  static damping(model: Model, options?: TaskOptions & { cost?: number | Numbers }): Task;
  static lookAt(model: Model, name: string, axis: Numbers, options?: TaskOptions & { cost?: number }): Task;
  static equality(model: Model, options?: TaskOptions & { cost?: number; equalities?: (string | number)[] }): Task;
  setTarget(target: Numbers, quaternion?: Numbers): this;
  setTargetFromConfiguration(configuration: Configuration): this;
  free(): void;
}

/** A limit of whole-body inverse kinematics. */
export class Limit {
  private constructor();
  static configuration(options?: { gain?: number; distance?: number }): Limit;
  static velocity(model: Model, velocities: Record<string, number>): Limit;
  static collision(
    model: Model,
    first: (string | number)[],
    second: (string | number)[],
    options?: { gain?: number; distance?: number; detectionDistance?: number },
  ): Limit;
  free(): void;
}

export const solveIk: (
  configuration: Configuration,
  tasks: Task[],
  dt: number,
  options?: { damping?: number; limits?: Limit[]; constraints?: Task[] },
) => Float64Array;
export const solveGlobal: (
  configuration: Configuration,
  tasks: Task[],
  options?: { limits?: Limit[]; constraints?: Task[]; maxIterations?: number; errorTolerance?: number },
) => { converged: boolean; error: number; iterations: number };
