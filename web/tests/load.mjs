// node web/tests/load.mjs ADDRESS [--mbit 10] [--tries 5] [--limit SECONDS] [--line] [--verbose]: seconds from the navigation to the gallery, to the viewer, to the first
// frame of a model and to the next one, in which it has moved, at a first visit over a line with a round trip of 40 ms, as Chromium's own throttling makes it, or (--line) as a proxy does. The model is
// chosen as soon as the gallery is there. With --limit it fails when the median is later; with --verbose it lists what was loaded when.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./chromium.mjs";
import { openLine } from "./line.mjs";

const text = (value) => ({ type: "string", default: value });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mbit: text("10"), tries: text("5"), limit: text("Infinity"), line: { type: "boolean", default: false }, verbose: { type: "boolean", default: false } },
});
const [address] = positionals;
const [mbit, tries, limit] = [values.mbit, values.tries, values.limit].map(Number);
const MODEL = "humanoid";
const ROUND_TRIP = 40; // ms

/** In the page: chooses the model, and notes when what is there (ms since the navigation). */
function observe(model) {
  const times = (globalThis.loadTimes = {});
  let drawn = null;
  const look = () => {
    const card = [...document.querySelectorAll("#cards button")].find((button) => button.querySelector("span").textContent === model);
    if (card && !times.gallery) {
      times.gallery = performance.now();
      card.click();
    }
    if (globalThis.kinetree?.viewer) times.viewer ??= performance.now();
    // what is drawn in a frame is there when the next one begins
    if (drawn !== null) times.shows ??= performance.now();
    if (drawn > 0) times.moves = performance.now();
    drawn = globalThis.kinetree?.viewer?.status()?.time ?? null;
    if (!times.moves) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Has Chromium throttle a page; an object that counts bytes, as that of a line. */
async function throttle(context, page) {
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const bytes = (mbit * 1e6) / 8;
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: ROUND_TRIP, downloadThroughput: bytes, uploadThroughput: bytes });
  const line = { address, bytes: 0, close: () => session.detach() };
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (line.bytes += encodedDataLength));
  return line;
}

const entries = () =>
  performance
    .getEntries()
    .filter(({ entryType }) => entryType !== "paint" && entryType !== "visibility-state")
    .map(({ name, startTime, duration, transferSize }) => `${startTime.toFixed(0)} to ${(startTime + duration).toFixed(0)} ms: ${name} ${transferSize ?? ""}`);

async function visit() {
  const profile = mkdtempSync(join(tmpdir(), "kinetree-load-"));
  const context = await launch(profile, { width: 720, height: 460 });
  try {
    const page = context.pages()[0];
    const line = values.line ? await openLine(address, mbit, ROUND_TRIP) : await throttle(context, page);
    await page.addInitScript(observe, MODEL);
    await page.goto(`${line.address}?webgl`);
    await page.waitForFunction(() => loadTimes.moves, null, { polling: 100 });
    if (values.verbose) console.log((await page.evaluate(entries)).join("\n"));
    const times = await page.evaluate(() => loadTimes);
    const megabytes = line.bytes / 1e6;
    await line.close();
    return { ...times, megabytes };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

const visits = [];
for (let k = 0; k < tries; k++) visits.push(await visit());
const median = (name) => visits.map((visit) => visit[name]).sort((a, b) => a - b)[Math.floor(tries / 2)];
const seconds = (name) => `${(median(name) / 1000).toFixed(2)} s`;
console.log(`at ${mbit} Mbit/s, median of ${tries}: gallery after ${seconds("gallery")}, viewer after ${seconds("viewer")}, ${MODEL} is shown after ${seconds("shows")} and moves after ${seconds("moves")} (${median("megabytes").toFixed(2)} MB)`);
if (median("moves") > 1000 * limit) {
  console.error(`the page takes longer than ${limit} s to load`);
  process.exit(1);
}
