// node web/tests/many.mjs ADDRESS FOLDER: worlds on the GPU in headless Chromium, whose WebGPU is computed by the processor: the page with many worlds,
// states after steps beside those of the engine in the same module, and what goes wrong. Leaves screenshots in FOLDER. Says that it was skipped where the
// browser has no adapter.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";

const [address, folder] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const files = (folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith(".xml")).map((name) => join(root, folder, name));
const CLOTH = readFileSync(join(root, "models/showcase/cloth.xml"), "utf8");
mkdirSync(folder, { recursive: true });
const profile = mkdtempSync(join(tmpdir(), "kinetree-many-"));
const context = await launch(profile, { width: 960, height: 600 }, { webgpu: true });
context.setDefaultTimeout(240_000); // kernels are compiled by a busy processor

const errors = [];
async function openPage(query, before = undefined) {
  const page = await context.newPage();
  page.on("pageerror", (problem) => errors.push(String(problem)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  if (before) await page.addInitScript(before);
  await page.goto(new URL(`many.html${query}`, address).href);
  return page;
}

async function step(name, work) {
  const start = performance.now();
  await work();
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

const failed = async (page) => {
  await page.waitForFunction(() => globalThis.many?.failure);
  return page.evaluate(() => many.failure);
};

async function finish() {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}

const page = await openPage("?model=walker&worlds=64");
if (!(await page.evaluate(async () => (await navigator.gpu?.requestAdapter()) != null))) {
  console.log("skipped: this Chromium has no adapter for WebGPU");
  await finish();
  process.exit();
}

await step("worlds are stepped and drawn", async () => {
  await page.waitForFunction(() => globalThis.many?.frames > 20 || many?.failure);
  assert.equal(await page.evaluate(() => many.failure), null);
  await page.click("#run");
  await page.waitForFunction(() => many.waiting);
  assert.match(await page.textContent("#rate"), /\d/);
  const colours = await page.evaluate(() => {
    const { width, height } = document.querySelector("#canvas");
    return new Set(new Uint32Array(document.querySelector("#canvas").getContext("2d").getImageData(0, 0, width, height).data.buffer)).size;
  });
  assert.ok(colours > 20, `${colours} colours`);
  await page.screenshot({ path: join(folder, "many.png") });
});

await step("a step is that of the processor", async () => {
  const worst = await page.evaluate(async () => {
    const { Model, Data, GpuWorlds } = many.kinetree;
    const { WALKER } = await import("./many-models.js");
    const model = Model.fromXml(WALKER);
    const count = 24;
    let seed = 3;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 31 - 1;
    };
    // worlds after more and more random steps, in single precision
    const worlds = Array.from({ length: count }, (_, k) => {
      const data = new Data(model);
      for (let step = 0; step < 5 + 15 * k; step++) {
        if (step % 8 === 0) {
          for (let u = 0; u < model.nu; u++) data.ctrl[u] = random();
          for (let i = 0; i < model.nv; i++) data.qvel[i] += 0.1 * random();
        }
        data.step();
      }
      for (const name of ["qpos", "qvel", "ctrl", "qacc_warmstart"]) data[name].forEach((x, i) => (data[name][i] = Math.fround(x)));
      return data;
    });
    const rows = (...names) => Float32Array.from(worlds.flatMap((data) => names.flatMap((name) => [...data[name]])));
    const gpu = await GpuWorlds.create(model, count);
    await gpu.setStates(rows("qpos", "qvel", "act", "qacc_warmstart"));
    gpu.setControls(rows("ctrl"));
    await gpu.step();
    const [acc, vel, pos, contacts] = [await gpu.accelerations(), await gpu.velocities(), await gpu.positions(), await gpu.contacts()];
    const difference = (got, wanted, floor) => Math.hypot(...wanted.map((x, i) => got[i] - x)) / Math.max(floor, Math.hypot(...wanted));
    const worst = { acc: 0, vel: 0, pos: 0, same: 0, touching: 0, count };
    worlds.forEach((data, w) => {
      data.step();
      if (data.ncon !== contacts[w]) return;
      worst.same += 1;
      worst.touching += data.ncon > 0;
      const row = (all, n) => [...all.slice(n * w, n * (w + 1))];
      worst.acc = Math.max(worst.acc, difference(row(acc, model.nv), [...data.qacc_warmstart], 1));
      worst.vel = Math.max(worst.vel, difference(row(vel, model.nv), [...data.qvel], 1e-2));
      worst.pos = Math.max(worst.pos, difference(row(pos, model.nq), [...data.qpos], 1e-2));
    });
    // many steps at once, and one by one
    const start = await gpu.states();
    await gpu.step(20);
    const together = await gpu.states();
    await gpu.setStates(start);
    for (let k = 0; k < 20; k++) await gpu.step();
    worst.kept = (await gpu.states()).every((x, i) => x === together[i]);
    worst.finite = together.every(Number.isFinite) && (await gpu.takeErrors()).every((error) => error === null);
    // one world begins anew
    await gpu.reset(worlds.map((_, w) => w === 1));
    const after = await gpu.positions();
    worst.anew = model.qpos0.every((x, i) => Math.fround(x) === after[model.nq + i]) && after.slice(0, model.nq).every((x, i) => x === together[i]);
    // and each has a mass of its own
    await gpu.vary("body_mass", worlds.flatMap((_, w) => [...model.body_mass].map((mass) => mass * (1 + w / count))));
    await gpu.reset();
    gpu.setControls(new Float32Array(count * model.nu).fill(1));
    await gpu.step();
    const heavy = await gpu.velocities();
    const masses = [...model.body_mass];
    worst.varied = 0;
    for (let w = 0; w < count; w++) {
      model.body_mass = masses.map((mass) => mass * (1 + w / count));
      const data = new Data(model);
      data.ctrl.fill(1);
      data.step();
      worst.varied = Math.max(worst.varied, difference([...heavy.slice(model.nv * w, model.nv * (w + 1))], [...data.qvel], 1e-2));
    }
    gpu.close();
    return worst;
  });
  console.log(`  relative differences: accelerations ${worst.acc.toExponential(1)}, velocities ${worst.vel.toExponential(1)}, with other masses ${worst.varied.toExponential(1)}, positions ${worst.pos.toExponential(1)}; ${worst.touching} of ${worst.same} worlds touch the ground`);
  // the bounds of crates/gpu/tests
  assert.ok(worst.acc < 1e-3 && worst.vel < 1e-3 && worst.pos < 1e-5, JSON.stringify(worst));
  assert.ok(worst.same * 20 >= worst.count * 19 && worst.touching > worst.count / 2, JSON.stringify(worst));
  assert.ok(worst.kept && worst.finite && worst.anew && worst.varied < 1e-3, JSON.stringify(worst));
});

// browsers demand more of a kernel than native drivers: that lanes provably come together where they wait for each other. Kernels are checked without
// being compiled for the device, which software does for minutes
await step("kernels of all models are valid", async () => {
  const texts = [...files("models"), ...files("models/showcase")].map((path) => [path, readFileSync(path, "utf8")]);
  const outcomes = await page.evaluate(async (texts) => {
    const { Model, GpuWorlds } = many.kinetree;
    const { createShaderModule, createComputePipeline } = GPUDevice.prototype;
    const checked = [];
    GPUDevice.prototype.createShaderModule = function (descriptor) {
      const module = createShaderModule.call(this, descriptor);
      checked.push(module.getCompilationInfo());
      return module;
    };
    GPUDevice.prototype.createComputePipeline = function ({ layout }) {
      const module = createShaderModule.call(this, { code: "@compute @workgroup_size(1) fn nothing() {}" });
      return createComputePipeline.call(this, { layout, compute: { module } });
    };
    const outcomes = [];
    for (const [path, text] of texts) {
      checked.length = 0;
      let refusal = null;
      try {
        (await GpuWorlds.create(Model.fromXml(text), 2)).close();
      } catch (problem) {
        refusal = problem.message;
      }
      const messages = (await Promise.all(checked)).flatMap((info) => [...info.messages]).filter(({ type }) => type === "error");
      outcomes.push({ path, refusal, kernels: checked.length, mistakes: messages.map(({ lineNum, message }) => `line ${lineNum}: ${message}`) });
    }
    Object.assign(GPUDevice.prototype, { createShaderModule, createComputePipeline });
    return outcomes;
  }, texts);
  for (const { path, refusal, mistakes } of outcomes) {
    assert.deepEqual(mistakes, [], path);
    // models of several files cannot be read here
    assert.match(refusal ?? "", /^$|^unsupported: |^error: /, path);
  }
  const covered = outcomes.filter(({ refusal, kernels }) => refusal === null && kernels >= 3);
  console.log(`  ${covered.length} of ${outcomes.length} models`);
  assert.ok(covered.length >= 25);
});

await step("errors say what is wrong", async () => {
  const said = await page.evaluate(async (cloth) => {
    const { EngineError, Model, GpuWorlds } = many.kinetree;
    const { WALKER } = await import("./many-models.js");
    const said = {};
    const attempt = async (name, f) => {
      try {
        await f();
        said[name] = "nothing";
      } catch (problem) {
        said[name] = `${problem instanceof EngineError || problem instanceof TypeError ? "" : "wrong class: "}${problem.message}`;
      }
    };
    const model = Model.fromXml(WALKER);
    await attempt("noModel", () => GpuWorlds.create({}, 4));
    await attempt("noWorlds", () => GpuWorlds.create(model, 0));
    await attempt("uncovered", () => GpuWorlds.create(Model.fromXml(cloth), 4));
    await attempt("tooMany", () => GpuWorlds.create(model, 2 ** 30));
    const request = GPUAdapter.prototype.requestDevice;
    let device;
    GPUAdapter.prototype.requestDevice = async function (...args) {
      return (device = await request.apply(this, args));
    };
    const worlds = await GpuWorlds.create(model, 4);
    GPUAdapter.prototype.requestDevice = request;
    await attempt("controls", () => worlds.setControls([1, 2, 3]));
    await attempt("mask", () => worlds.reset([true]));
    await attempt("steps", () => worlds.step(-1));
    await attempt("sensors", async () => void (await worlds.sensordata()));
    await attempt("field", () => worlds.vary("body_weight", [1]));
    const under = worlds.step(2);
    await attempt("busy", () => worlds.positions());
    await under;
    await attempt("afterwards", () => worlds.positions());
    device.destroy();
    await attempt("lost", () => worlds.step());
    worlds.close();
    await attempt("closed", () => worlds.step());
    return said;
  }, CLOTH);
  const expected = {
    noModel: /made for a model/,
    noWorlds: /whole number of at least 1, not 0/,
    uncovered: /^unsupported: the GPU does not simulate .*flex/,
    tooMany: /use fewer worlds/,
    controls: /controls must have 8 values \(2 for each of 4 worlds\), but 3/,
    mask: /mask must have 4 values/,
    steps: /whole number of at least 0, not -1/,
    sensors: /^nothing$/,
    field: /no array of floating-point numbers called 'body_weight'/,
    busy: /under way/,
    afterwards: /^nothing$/,
    lost: /the GPU failed/,
    closed: /are closed/,
  };
  for (const [name, pattern] of Object.entries(expected)) assert.match(said[name], pattern, name);
});

await step("what is missing is said", async () => {
  const without = await openPage("", () => Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined }));
  assert.match(await failed(without), /has no WebGPU/);
  assert.ok(await without.isVisible("#failure"));
  await without.screenshot({ path: join(folder, "many-without.png") });
  await without.close();
  const deviceless = await openPage("?model=walker", () => {
    GPU.prototype.requestAdapter = async () => null;
  });
  assert.match(await failed(deviceless), /no graphics device/);
  await deviceless.close();
  const uncovered = await openPage("?model=cloth");
  assert.match(await failed(uncovered), /^unsupported: the GPU does not simulate/);
  await uncovered.screenshot({ path: join(folder, "many-uncovered.png") });
  await uncovered.close();
});

await finish();
assert.deepEqual(errors, [], "errors on the console");
