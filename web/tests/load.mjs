// node web/tests/load.mjs ADDRESS [--mbit 10] [--tries 5] [--limit SECONDS] [--verbose]: seconds from the navigation to the gallery, to the viewer and to the first
// frame of a model that moves, at a first visit over a line with a round trip of 40 ms, as Chromium's own throttling makes it. The model is chosen as soon as
// the gallery is there. With --limit it fails when the median is later; with --verbose it lists what was loaded when.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./chromium.mjs";

const text = (value) => ({ type: "string", default: value });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mbit: text("10"), tries: text("5"), limit: text("Infinity"), verbose: { type: "boolean", default: false } },
});
const [address] = positionals;
const [mbit, tries, limit] = [values.mbit, values.tries, values.limit].map(Number);
const MODEL = "humanoid";
const LATENCY = 40;

/** In the page: chooses the model, and notes when what is there (ms since the navigation). */
function observe(model) {
  const times = (globalThis.loadTimes = {});
  const look = () => {
    const card = [...document.querySelectorAll("#cards button")].find((button) => button.querySelector("span").textContent === model);
    if (card && !times.gallery) {
      times.gallery = performance.now();
      card.click();
    }
    if (globalThis.kinetree?.viewer) times.viewer ??= performance.now();
    // a frame has been drawn when the next one begins
    if (times.stepped) times.moves = performance.now();
    else if (globalThis.kinetree?.viewer?.status()?.time > 0) times.stepped = true;
    if (!times.moves) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function visit() {
  const profile = mkdtempSync(join(tmpdir(), "kinetree-load-"));
  const context = await launch(profile, { width: 720, height: 460 });
  try {
    const page = context.pages()[0];
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const bytes = (mbit * 1e6) / 8;
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: LATENCY, downloadThroughput: bytes, uploadThroughput: bytes });
    let received = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (received += encodedDataLength));
    await page.addInitScript(observe, MODEL);
    await page.goto(`${address}?webgl`);
    await page.waitForFunction(() => loadTimes.moves, null, { polling: 100 });
    if (values.verbose) {
      const list = await page.evaluate(() => performance.getEntries().filter(({ entryType }) => entryType !== "paint" && entryType !== "visibility-state")
        .map(({ name, startTime, duration, transferSize }) => `${startTime.toFixed(0)} to ${(startTime + duration).toFixed(0)} ms: ${name} ${transferSize ?? ""}`));
      console.log(list.join("\n"));
    }
    const times = await page.evaluate(() => loadTimes);
    return { ...times, megabytes: received / 1e6 };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

const visits = [];
for (let k = 0; k < tries; k++) visits.push(await visit());
const median = (name) => visits.map((visit) => visit[name]).sort((a, b) => a - b)[Math.floor(tries / 2)];
const seconds = (name) => `${(median(name) / 1000).toFixed(2)} s`;
console.log(`at ${mbit} Mbit/s, median of ${tries}: gallery after ${seconds("gallery")}, viewer after ${seconds("viewer")}, ${MODEL} moves after ${seconds("moves")} (${median("megabytes").toFixed(2)} MB)`);
if (median("moves") > 1000 * limit) {
  console.error(`the page takes longer than ${limit} s to load`);
  process.exit(1);
}
