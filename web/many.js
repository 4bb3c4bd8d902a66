// Many worlds of one model, stepped on the GPU and drawn beside each other.

import { WALKER } from "./many-models.js";
import { Picture } from "./many-picture.js";

/** Models of the gallery that a GPU simulates; the others are made of deformable bodies. */
const COVERED = ["arm", "boxes", "car", "humanoid", "quadruped"];
const COUNTS = [16, 64, 256, 1024, 4096];
/** Worlds that are drawn at most. */
const SHOWN = 48;
/** Seconds of a world before it begins anew. */
const EPISODE = 6;

const element = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search);
const figure = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, notation: "compact" });

/** What is shown: the engine, worlds and what belongs to them. Tests look at it. */
const state = { kinetree: null, worlds: null, picture: null, running: true, waiting: false, frames: 0, failure: null };
globalThis.many = state;

function fail(problem) {
  state.failure = problem.message ?? String(problem);
  element("failure").textContent = state.failure;
  element("failure").hidden = false;
  element("news").textContent = "";
}

async function readModel(name) {
  if (name === "walker") return WALKER;
  const response = await fetch(`models/${name}.xml`);
  if (!response.ok) throw new Error(`the model '${name}' could not be loaded: ${response.status}`);
  return response.text();
}

/** What the browser tells about the device: its name, or whose it is. */
async function deviceName(worlds) {
  const { description, vendor, architecture } = (await navigator.gpu.requestAdapter())?.info ?? {};
  return description || [vendor, architecture].filter(Boolean).join(" ") || worlds.adapter;
}

/** Begins with a model; what ran before ends. */
async function open(name, count) {
  const turn = (state.turn = (state.turn ?? 0) + 1);
  element("failure").hidden = true;
  state.failure = null;
  for (const id of ["run", "reset"]) element(id).disabled = true;
  element("news").textContent = `Compiling kernels for ${name}…`;
  try {
    const { Model, Data, GpuWorlds, mj_kinematics } = state.kinetree;
    const model = Model.fromXml(await readModel(name));
    const worlds = await GpuWorlds.create(model, count);
    if (state.turn !== turn) return worlds.close();
    state.worlds?.close();
    const data = new Data(model);
    const picture = new Picture(element("canvas"), model, data, () => mj_kinematics(model, data), Math.min(SHOWN, count));
    Object.assign(state, { worlds, picture, frames: 0 });
    element("figures").hidden = false;
    element("compilation").textContent = `${worlds.compilation.toFixed(1)} s`;
    element("device").textContent = element("device").title = await deviceName(worlds);
    element("news").textContent = count > SHOWN ? `${count} worlds, of which ${SHOWN} are drawn` : `${count} worlds`;
    for (const id of ["run", "reset"]) element(id).disabled = false;
    await play(worlds, model);
  } catch (problem) {
    if (state.turn === turn) fail(problem);
  }
}

/** Controls that wander within their ranges, others in each world. */
function wanderer(model, count) {
  const { nu } = model;
  const values = new Float32Array(nu * count);
  const range = (u) => (model.actuator_ctrllimited[u] ? [...model.actuator_ctrlrange.slice(2 * u, 2 * u + 2)] : [-1, 1]);
  const ranges = Array.from({ length: nu }, (_, u) => range(u));
  const at = Float32Array.from(values, () => Math.random());
  return () => {
    for (let i = 0; i < values.length; i++) {
      at[i] = Math.min(1, Math.max(0, at[i] + 0.15 * (Math.random() - 0.5)));
      const [low, high] = ranges[i % nu];
      values[i] = low + at[i] * (high - low);
    }
    return values;
  };
}

const frame = () => new Promise((done) => requestAnimationFrame(done));

/** Steps and draws until these worlds are replaced. */
async function play(worlds, model) {
  const timestep = model.opt.timestep;
  const steps = Math.max(1, Math.round(1 / 60 / timestep));
  const next = wanderer(model, worlds.count);
  const age = Float32Array.from({ length: worlds.count }, () => EPISODE * 0.5 * Math.random());
  let [rate, looked] = [0, 0];
  while (state.worlds === worlds) {
    state.waiting = !state.running && state.frames > 0;
    if (!state.waiting) {
      const start = performance.now();
      worlds.setControls(next());
      await worlds.step(steps);
      const positions = await worlds.positions();
      const now = (1000 * worlds.count * steps) / Math.max(performance.now() - start, 0.01);
      rate = rate === 0 ? now : 0.9 * rate + 0.1 * now;
      const old = age.map((seconds) => (seconds + steps * timestep > EPISODE ? 1 : 0));
      age.forEach((seconds, i) => (age[i] = old[i] ? 0 : seconds + steps * timestep));
      if (state.again) old.fill(1), age.fill(0), (state.again = false);
      if (old.includes(1)) await worlds.reset(old);
      if (performance.now() - looked > 500) {
        looked = performance.now();
        element("rate").textContent = figure.format(rate);
        element("factor").textContent = figure.format(rate * timestep);
        element("contacts").textContent = figure.format((await worlds.contacts()).reduce((sum, n) => sum + n, 0));
      }
      state.picture.draw(positions);
      state.frames += 1;
    }
    await frame();
  }
}

function choices(select, values, chosen) {
  select.replaceChildren(...values.map((value) => new Option(value, value, false, String(value) === String(chosen))));
}

const models = await fetch("models/index.json").then((response) => response.json(), () => []);
const wanted = asked.get("model") ?? "humanoid";
const names = ["walker", ...models.map(({ name }) => name).filter((name) => COVERED.includes(name) || name === wanted)];
choices(element("model"), names, wanted);
choices(element("count"), COUNTS, asked.get("worlds") ?? 256);
const chosen = () => open(element("model").value, Number(element("count").value));
element("model").addEventListener("change", chosen);
element("count").addEventListener("change", chosen);
element("reset").addEventListener("click", () => (state.again = true));
element("run").addEventListener("click", () => {
  state.running = !state.running;
  element("run").setAttribute("aria-pressed", state.running);
});

if (navigator.gpu === undefined) {
  fail(new Error("This browser has no WebGPU, which these worlds are stepped with. Chrome and Edge have it since version 113, Safari since 26, Firefox since 141, on pages from https or from this machine. The viewer on the first page works without."));
} else {
  try {
    state.kinetree = await import("./engine-gpu/gpu.js");
    await chosen();
  } catch (problem) {
    fail(problem);
  }
}
