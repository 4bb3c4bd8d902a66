// node web/tests/browser.mjs ADDRESS FOLDER [--damaged N] [--large MB] [--only WORD]: drives the page at ADDRESS in headless Chromium, as a user would,
// and leaves screenshots in FOLDER. ADDRESS is what `kinetree serve models --page target/page` prints. With --only, only steps with this word in their
// name. Fails when anything does, or when the console has an error.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zip } from "../../crates/wasm/tests/zip.mjs";
import { launch } from "./chromium.mjs";
import { damaged } from "./damage.mjs";

const option = (name, value) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? value : process.argv[at + 1];
};
const [address, folder] = process.argv.slice(2);
const DAMAGED = Number(option("damaged", 100));
const LARGE = Number(option("large", 20));
const ONLY = option("only", "");
const SIZE = { width: 720, height: 460 };
const models = fileURLToPath(new URL("../../models", import.meta.url));
mkdirSync(folder, { recursive: true });

const profile = mkdtempSync(join(tmpdir(), "kinetree-browser-"));
const context = await launch(profile, SIZE);
context.setDefaultTimeout(180_000); // software draws slowly on a busy machine

const errors = [];
function watch(page) {
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (problem) => errors.push(String(problem)));
  return page;
}

const page = watch(context.pages()[0] ?? (await context.newPage()));
const status = (on = page) => on.evaluate(() => kinetree.viewer?.status() ?? null);
const news = () => page.textContent("#news");

async function shot(name, on = page) {
  await on.screenshot({ path: join(folder, `${name}.png`) });
}

/** The middle of the canvas: number of different colours, of which a picture has many and an empty canvas few, and mean brightness. */
async function look(on = page) {
  const image = await on.locator("#canvas").screenshot();
  return on.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(bitmap, 0, 0);
    const { data } = pen.getImageData(bitmap.width / 4, bitmap.height / 4, bitmap.width / 2, bitmap.height / 2);
    const pixels = new Uint32Array(data.buffer);
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) sum += data[i] + data[i + 1] + data[i + 2];
    return { colours: new Set(pixels).size, brightness: sum / (3 * pixels.length) };
  }, image.toString("base64"));
}

/** Waits until another model plays. */
async function plays(before, on = page) {
  await on.waitForFunction((generation) => (kinetree.viewer?.status()?.generation ?? 0) > generation, before);
  await on.waitForFunction(() => kinetree.viewer.status().time > 0.01);
}

const generation = async () => (await status())?.generation ?? 0;

async function step(name, work) {
  if (!name.includes(ONLY)) return;
  const start = performance.now();
  await work();
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

async function dropPath(path) {
  const session = await context.newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: SIZE.width / 2, y: SIZE.height / 2, data });
  await session.detach();
}

const BALL = `<mujoco model="ball">
  <option gravity="0 0 0"/>
  <statistic center="0 0 0" extent="1"/>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="ball"><freejoint/><geom size="0.2" rgba="0.9 0.4 0.1 1"/></body>
  </worldbody>
</mujoco>`;

async function openText(text, name = "ball.xml", on = page) {
  await on.evaluate(async ([text, name]) => kinetree.openFiles(new Map([[name, new TextEncoder().encode(text)]])), [text, name]);
}

/** Opens the page and waits until it is ready. */
async function open(on) {
  await on.goto(`${address}?webgl`);
  await on.waitForFunction(() => document.querySelectorAll("#cards button").length >= 9 && globalThis.kinetree?.viewer != null);
}

await open(page);
// below the models of the folder; a browser loads pictures that come into sight
await page.locator("#cards img").first().scrollIntoViewIfNeeded();
await page.waitForFunction(() => document.querySelector("#cards img").naturalWidth > 0);
await shot("gallery");

await step("models of the folder have pictures", async () => {
  // the one that is drawn first; those with faults lose theirs
  await page.locator("#folder-title").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.querySelectorAll("#folder-models img")].some((image) => image.naturalWidth > 0), null, { timeout: 120000 });
  await shot("gallery-folder");
});

await step("three models play", async () => {
  for (const name of ["humanoid", "boxes", "cloth"]) {
    const before = await generation();
    if (await page.isHidden("#gallery")) await page.click("#show-gallery");
    await page.click(`#cards button:has(span:text-is("${name}"))`);
    await plays(before);
    await shot(name);
    const { colours } = await look();
    assert.ok(colours > 100, `${name}: ${colours} colours`);
  }
});

await step("a folder is dropped", async () => {
  const before = await generation();
  const dropped = mkdtempSync(join(tmpdir(), "kinetree-folder-"));
  mkdirSync(join(dropped, "parts"));
  writeFileSync(join(dropped, "scene.xml"), `<mujoco><include file="parts/ball.xml"/></mujoco>`);
  writeFileSync(join(dropped, "parts", "ball.xml"), BALL);
  await dropPath(dropped);
  await page.waitForSelector("#chooser[open]");
  await shot("chooser");
  await page.click(`#chooser button >> text=scene.xml`);
  await plays(before);
  rmSync(dropped, { recursive: true });
});

await step("a body is selected and pulled", async () => {
  const before = await generation();
  await openText(BALL);
  await plays(before);
  const box = await page.locator("#canvas").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.dblclick(x, y);
  await page.waitForTimeout(300);
  const { qpos: first } = await status();
  await page.keyboard.down("Control");
  await page.mouse.move(x, y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(x + 60, y - 30, { steps: 6 });
  await page.waitForTimeout(600);
  await shot("pull");
  await page.mouse.up({ button: "right" });
  await page.keyboard.up("Control");
  const { qpos: last } = await status();
  const moved = Math.hypot(...[0, 1, 2].map((k) => last[k] - first[k]));
  assert.ok(moved > 0.01, `the ball moved ${moved} m`);
});

await step("fingers turn, zoom, select and pull", async () => {
  const before = await generation();
  await openText(BALL);
  await plays(before);
  const box = await page.locator("#canvas").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  // longer than a frame: the viewer sees what happens between two frames at once
  const pause = () => page.waitForTimeout(150);
  /** Fingers go down at the first places, through all others, and up at the last. */
  const stroke = async (...places) => {
    const touchPoints = (fingers) => fingers.map(([x, y], id) => ({ x, y, id }));
    for (const [k, fingers] of places.entries()) {
      await session.send("Input.dispatchTouchEvent", { type: k === 0 ? "touchStart" : "touchMove", touchPoints: touchPoints(fingers) });
      await pause();
    }
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await pause();
  };
  const steps = [0, 1, 2, 3, 4];
  const { camera: first } = await status();
  await stroke(...steps.map((k) => [[x + 140 - 20 * k, y + 90]]));
  await pause();
  const { camera: turned } = await status();
  assert.ok(Math.abs(turned[4] - first[4]) > 5, `one finger turned the camera by ${turned[4] - first[4]} degrees`);
  await stroke(...steps.map((k) => [[x - 40 - 12 * k, y], [x + 40 + 12 * k, y]]));
  const { camera: zoomed } = await status();
  assert.ok(zoomed[3] < 0.8 * turned[3], `two fingers brought the camera from ${turned[3]} m to ${zoomed[3]} m`);
  // two taps within half a second; where frames take long that needs several tries
  for (let k = 0; k < 10 && (await status()).selected !== 1; k++) {
    for (let tap = 0; tap < 2; tap++) {
      session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y, id: 0 }] });
      await pause();
      session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      await page.waitForTimeout(50);
    }
    await page.waitForTimeout(600);
  }
  assert.equal((await status()).selected, 1, "a double tap selected nothing");
  const { qpos: rest } = await status();
  await stroke(...steps.map((k) => [[x + 15 * k, y]]));
  const { qpos: pulled } = await status();
  const moved = Math.hypot(...[0, 1, 2].map((k) => pulled[k] - rest[k]));
  assert.ok(moved > 0.01, `a finger pulled the ball ${moved} m`);
  await shot("fingers");
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  await session.detach();
});

await step("shadows are drawn", async () => {
  const seen = [];
  for (const cast of [true, false]) {
    const before = await generation();
    await openText(`<mujoco><worldbody><light directional="true" pos="-2 0 3" dir="1 0 -1" castshadow="${cast}"/>
      <camera pos="0 0 6"/><geom type="plane" size="5 5 1"/><geom type="box" size="0.8 0.8 0.1" pos="0 0 1.5" rgba="0.9 0.4 0.1 1"/>
      <body pos="0 3 1"><joint/><geom size="0.1"/></body></worldbody><visual><global cameraid="0"/></visual></mujoco>`);
    await plays(before);
    if (cast) await shot("shadow");
    seen.push(await look());
  }
  const [shaded, lit] = seen.map(({ brightness }) => brightness);
  assert.ok(shaded < 0.97 * lit, `brightness ${shaded} with a shadow, ${lit} without`);
});

await step("the keyboard reaches everything", async () => {
  await page.evaluate(() => document.activeElement.blur());
  const focus = () => page.evaluate(() => document.activeElement.id || document.activeElement.closest("[id]").id);
  await page.keyboard.press("Alt+KeyG");
  assert.match(await focus(), /^(cards|folder-models)$/);
  const before = await generation();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // the second model of the gallery
  await plays(before);
  assert.equal(await focus(), "canvas");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !kinetree.viewer.status().playing);
  await page.keyboard.press("Alt+KeyE");
  assert.equal(await focus(), "text");
  await page.keyboard.press("Alt+KeyE");
  assert.equal(await focus(), "canvas");
  await page.keyboard.press("Alt+KeyG");
  await page.keyboard.press("Escape");
  assert.ok(await page.isHidden("#gallery"));
  assert.equal(await focus(), "canvas");
  await page.keyboard.press("Alt+KeyM");
  assert.equal(await focus(), "show-gallery");
  const seen = [];
  for (let k = 0; k < 5; k++) {
    await page.keyboard.press("Tab");
    seen.push(await focus());
  }
  assert.deepEqual(seen, ["open-files", "show-editor", "share", "many", "canvas"]); // a narrow page has no button for folders
});

await step("an error is typed and explained at its line", async () => {
  const opened = await generation();
  await openText(BALL);
  await plays(opened);
  await page.click("#show-editor");
  await page.fill("#text", BALL.replace(`size="0.2"`, `siez="0.2"`));
  await page.waitForSelector("#findings .error");
  const said = await page.textContent("#findings");
  assert.match(said, /siez/);
  assert.match(said, /help: .*size/);
  assert.match(said, /:6:/);
  assert.equal(await page.locator("#gutter .error").textContent(), "6");
  await shot("error");
  const before = await generation();
  await page.fill("#text", BALL.replace(`size="0.2"`, `size="0.4"`));
  await page.waitForFunction((generation) => kinetree.viewer.status().generation > generation, before);
  await page.waitForFunction(() => document.getElementById("findings-title").textContent === "No errors");
  const took = Number(/(\d+) ms/.exec(await news())?.[1]);
  console.log(`  text to model: ${took} ms`);
  await shot("edited");
});

await step("a link carries the model", async () => {
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#model="));
  const link = await page.evaluate(() => location.href);
  const other = watch(await context.newPage());
  await other.goto(link);
  await plays(0, other);
  assert.equal(await other.evaluate(() => kinetree.state.main), "ball.xml");
  assert.match(await other.inputValue("#text"), /size="0.4"/);
  await other.close();
});

await step("a zip file is opened", async () => {
  const before = await generation();
  const bytes = [...zip({ "robot/scene.xml": `<mujoco><include file="ball.xml"/></mujoco>`, "robot/ball.xml": BALL })];
  const opening = page.evaluate((bytes) => kinetree.openFiles(new Map([["robot.zip", Uint8Array.from(bytes)]])), bytes);
  await page.click(`#chooser button >> text=robot/scene.xml`);
  await opening;
  await plays(before);
});

await step("a URDF is dropped", async () => {
  const before = await generation();
  await dropPath(join(models, "urdf_arm.urdf"));
  await plays(before);
  await shot("urdf");
});

await step(`${DAMAGED} damaged models end in messages`, async () => {
  let [failed, loaded] = [0, 0];
  for (const text of damaged(join(models, "showcase"), DAMAGED)) {
    const answer = await page.evaluate(async (text) => {
      const { failed, findings, binary } = await kinetree.loader.load(new Map([["m.xml", new TextEncoder().encode(text)]]), "m.xml");
      if (binary) await kinetree.engine.Model.fromBinary(binary).free();
      return { failed: failed ?? false, messages: findings.map((finding) => finding.message) };
    }, text);
    assert.ok(!answer.failed || answer.messages.every((message) => message.length > 0 && !/internal error/.test(message)), answer.messages.join("\n"));
    if (answer.failed) failed += 1;
    else loaded += 1;
  }
  console.log(`  ${failed} refused with messages, ${loaded} still models`);
});

await step(`a model of ${LARGE} MB`, async () => {
  const answer = await page.evaluate(async (megabytes) => {
    const geom = `<geom size="0.1" pos="0 0 0" name="a very long name to fill some space with ########"/>\n`;
    const body = geom.replaceAll("#", "x").repeat(Math.ceil((megabytes << 20) / geom.length)).split("\n").map((line, i) => line.replace("xxxxxxxx", String(i))).join("\n");
    const bytes = new TextEncoder().encode(`<mujoco><worldbody>${body}</worldbody></mujoco>`);
    const started = performance.now();
    const answer = kinetree.loader.load(new Map([["large.xml", bytes]]), "large.xml");
    const limit = new Promise((resolve) => setTimeout(resolve, 120_000)).then(() => kinetree.loader.cancel());
    const { failed, cancelled, binary, findings } = await answer;
    void limit;
    return { outcome: failed ? `refused: ${findings[0].message.slice(0, 200)}` : cancelled ? "stopped by the user" : `${binary.length} bytes`, seconds: (performance.now() - started) / 1000 };
  }, LARGE);
  console.log(`  ${answer.outcome} after ${answer.seconds.toFixed(1)} s`);
});

await step("the page lives on", async () => {
  const before = await generation();
  await openText(BALL);
  await plays(before);
});

await step("it works on a phone's width", async () => {
  const phone = watch(await context.newPage());
  await phone.setViewportSize({ width: 390, height: 700 });
  await open(phone);
  await shot("phone-gallery", phone);
  await phone.click(`#cards button:has(span:text-is("quadruped"))`);
  await plays(0, phone);
  await shot("phone", phone);
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} points wide`);
  await phone.close();
});

// from here on requests are expected to fail, also those that the first page still makes
assert.deepEqual(errors, [], "the console has errors");

await step("it works without a network", async () => {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await context.setOffline(true);
  const offline = await context.newPage();
  await open(offline);
  await offline.click(`#cards button:has(span:text-is("arm"))`);
  await plays(0, offline);
  await shot("offline", offline);
  await context.setOffline(false);
});

await context.close();
rmSync(profile, { recursive: true, force: true });
console.log("the page works");
