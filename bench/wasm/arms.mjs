// node bench/wasm/arms.mjs PACKAGE [ROBOT.urdf:BASE:END ...]: times of an arm's kinematics in the WebAssembly module, with the calls from JavaScript.
// Columns and poses are those of `cargo run --release -p kinetree-ik --example arm_times`, which also tells the bytes of working memory.
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { performance } from "node:perf_hooks";

const CONFIGURATIONS = 1000;
const ROUNDS = 50;
const POSES = 10000;

const [folder, ...files] = process.argv.slice(2);
if (!folder) throw new Error("give the folder of the package: node bench/wasm/arms.mjs PACKAGE [ROBOT.urdf:BASE:END ...]");
const { Chain, Model, Solver } = await import(pathToFileURL(resolve(folder, "index.js")).href);
const own = { ur5e: "tool0", ur10: "tool0", panda: "flange" };
const arms = files.length ? files : Object.entries(own).map(([name, end]) => join(import.meta.dirname, "..", "arms", `${name}.urdf:base:${end}`));

/** Draws configurations within the limits. */
function sampler(limits) {
  let state = 2026;
  return () =>
    limits.map(([low, high]) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return low + ((high - low) * (state >>> 8)) / 2 ** 24;
    });
}

/** Microseconds of a call on each configuration: the lowest mean of all rounds. */
function time(all, call) {
  let lowest = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (const q of all) call(q);
    lowest = Math.min(lowest, (1000 * (performance.now() - start)) / all.length);
  }
  return lowest;
}

/** Mean and 99th percentile of the microseconds of a solution, and the share that converges. */
function solve(solver, poses) {
  const times = [];
  let converged = 0;
  for (const [pose, seed] of poses) {
    const { position, quaternion } = pose;
    const start = performance.now();
    const found = solver.solve(position, quaternion, seed);
    times.push(1000 * (performance.now() - start));
    converged += found.converged;
  }
  const mean = times.reduce((sum, t) => sum + t, 0) / times.length;
  times.sort((a, b) => a - b);
  return { mean, slow: times[Math.floor(times.length * 0.99)], solved: (100 * converged) / times.length };
}

console.log("| arm | FK, µs | geometric Jacobian | analytical | IK, mean | 99 % | along a path | solved |\n|---|---:|---:|---:|---:|---:|---:|---:|");
for (const argument of arms) {
  const [, path, base, end] = argument.match(/^(.*):([^:]*):([^:]*)$/) ?? [];
  if (!path) throw new Error(`'${argument}': give ROBOT.urdf:BASE:END`);
  const model = Model.fromFiles({ [basename(path)]: readFileSync(path) }, undefined, { kinematics: true });
  const chain = new Chain(model, base, end);
  const draw = sampler(chain.limits);
  const all = Array.from({ length: CONFIGURATIONS }, draw);
  const fk = time(all, (q) => chain.fk(q));
  const [geometric, analytic] = ["local", "local_world_aligned"].map((frame) => time(all, (q) => chain.jacobian(q, frame)));
  const solver = new Solver(chain);
  const cold = Array.from({ length: POSES }, () => [chain.fk(draw()), draw()]);
  const at = (k) => {
    const [from, to, part] = [all[Math.floor(k / 1000)], all[Math.floor(k / 1000) + 1], (k % 1000) / 1000];
    return from.map((a, i) => a + part * (to[i] - a));
  };
  const warm = Array.from({ length: POSES - 1 }, (_, k) => [chain.fk(at(k + 1)), at(k)]);
  const { mean, slow, solved } = solve(solver, cold);
  const path_ = solve(solver, warm).mean;
  const figures = [fk, geometric, analytic].map((t) => t.toFixed(3)).concat([mean, slow, path_].map((t) => t.toFixed(1)));
  console.log(`| ${basename(path, ".urdf")} | ${figures.join(" | ")} | ${solved.toFixed(2)} % |`);
}
