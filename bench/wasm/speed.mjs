// node bench/wasm/speed.mjs PACKAGE MODEL...: microseconds of a step beside the reference's own WebAssembly package, in turns in one process.
//   npm install --prefix bench/wasm && node bench/wasm/speed.mjs target/npm/kinetree models/showcase/*.xml
// Both engines make the same steps from the same state, with controls that swing. With --json, one object a line. With --native=PROGRAM also beside the native
// build, without controls; PROGRAM is the example `step_time`, built with --release.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { performance } from "node:perf_hooks";
import { files } from "../../crates/wasm/tests/files.mjs";

const args = process.argv.slice(2);
const json = args.includes("--json");
const native = args.find((argument) => argument.startsWith("--native="))?.slice("--native=".length);
const [folder, ...models] = args.filter((argument) => !argument.startsWith("--"));
const kinetree = await import(pathToFileURL(resolve(folder, "index.js")).href);
const { default: loadMujoco } = await import("@mujoco/mujoco");
const mujoco = await loadMujoco();

const WARM_UP = 2000; // the first steps run in code that is not optimised yet
const STEPS = 500;
const TURNS = 9;

/** Controls of a step. */
function swing(ctrl, step) {
  for (let i = 0; i < ctrl.length; i++) ctrl[i] = ((step * (3 + i)) % 64) / 32 - 1;
}

function ours(path) {
  const model = kinetree.Model.fromFiles(files(dirname(path)), basename(path));
  const data = new kinetree.Data(model);
  return { data, step: (k) => (swing(data.ctrl, k), data.step()), reset: () => data.reset(), dofs: model.nv, seen: () => data.qpos[model.nq - 1] };
}

/** Median of native time through ours over steps from the first state, in turns. */
async function beside(path, data) {
  const folder = mkdtempSync(join(tmpdir(), "kinetree-speed-"));
  const first = data.reset().getState(kinetree.states.integration);
  writeFileSync(join(folder, "state"), first);
  const program = spawn(native, [path, join(folder, "state"), String(STEPS)], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const shares = [];
  for (let turn = 0; turn < TURNS; turn++) {
    data.setState(first, kinetree.states.integration).step();
    const start = performance.now();
    for (let k = 0; k < STEPS; k++) data.step();
    const mine = (performance.now() - start) / 1000;
    program.stdin.write("\n");
    shares.push(Number((await answers.next()).value) / mine);
  }
  program.stdin.end();
  rmSync(folder, { recursive: true });
  return median(shares);
}

function theirs(path) {
  const root = "/models";
  for (const [name, content] of Object.entries(files(dirname(path)))) {
    const parts = `${root}/${name}`.split("/").slice(1, -1);
    parts.reduce((at, part) => {
      const next = `${at}/${part}`;
      if (!mujoco.FS.analyzePath(next).exists) mujoco.FS.mkdir(next);
      return next;
    }, "");
    mujoco.FS.writeFile(`${root}/${name}`, content);
  }
  const model = mujoco.MjModel.from_xml_path(`${root}/${basename(path)}`);
  const data = new mujoco.MjData(model);
  return { step: (k) => (swing(data.ctrl, k), mujoco.mj_step(model, data)), reset: () => mujoco.mj_resetData(model, data), seen: () => data.qpos[model.nq - 1] };
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

function time(engine) {
  engine.reset();
  const start = performance.now();
  for (let k = 0; k < STEPS; k++) engine.step(k);
  return (1000 * (performance.now() - start)) / STEPS;
}

const ratios = [];
if (!json) console.log(`| model | dofs | kinetree, µs | @mujoco/mujoco, µs | ratio |${native ? " share of native speed |" : ""}\n|---|---|---|---|---|${native ? "---|" : ""}`);
for (const path of models) {
  let engines;
  try {
    engines = [ours(path), theirs(path)];
  } catch (problem) {
    console.error(`${path}: left out: ${String(problem.message ?? problem).split("\n")[0]}`);
    continue;
  }
  for (const engine of engines) for (let k = 0; k < WARM_UP; k++) engine.step(k % STEPS);
  const times = [[], []];
  for (let turn = 0; turn < TURNS; turn++) engines.forEach((engine, i) => times[i].push(time(engine)));
  const [mine, other] = times.map(median);
  const ratio = median(times[1].map((t, i) => t / times[0][i]));
  ratios.push(ratio);
  const row = { model: basename(path, ".xml"), dofs: engines[0].dofs, kinetree: mine, mujoco: other, ratio };
  if (native) row.share = await beside(path, engines[0].data);
  if (json) console.log(JSON.stringify(row));
  else console.log(`| ${row.model} | ${row.dofs} | ${mine.toFixed(1)} | ${other.toFixed(1)} | ${ratio.toFixed(2)} |${native ? ` ${row.share.toFixed(2)} |` : ""}`);
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
if (!json) console.log(`\ngeometric mean ${mean.toFixed(2)}, lowest ${Math.min(...ratios).toFixed(2)}`);
