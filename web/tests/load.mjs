// node web/tests/load.mjs ADDRESS [MBIT] [TRIES]: seconds until the page at ADDRESS shows its gallery, until its viewer is ready and until the first model
// moves, at a first visit over a line of 10 Mbit/s with a round trip of 40 ms, as Chromium's own throttling makes it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./chromium.mjs";

const [address, mbit, tries] = [process.argv[2], Number(process.argv[3] ?? 10), Number(process.argv[4] ?? 5)];
const MODEL = "humanoid";

async function visit() {
  const profile = mkdtempSync(join(tmpdir(), "kinetree-load-"));
  const context = await launch(profile, { width: 720, height: 460 });
  try {
    const page = context.pages()[0];
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const bytes = (mbit * 1e6) / 8;
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: 40, downloadThroughput: bytes, uploadThroughput: bytes });
    let received = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (received += encodedDataLength));
    const started = performance.now();
    const since = () => (performance.now() - started) / 1000;
    await page.goto(`${address}?webgl`);
    await page.waitForFunction(() => document.querySelectorAll("#cards button").length > 0, null, { polling: 20 });
    const gallery = since();
    await page.waitForFunction(() => globalThis.kinetree?.viewer != null, null, { polling: 20 });
    const [ready, megabytes] = [since(), received / 1e6];
    await page.click(`#cards button:has(span:text-is("${MODEL}"))`);
    await page.waitForFunction(() => kinetree.viewer.status()?.time > 0, null, { polling: 20 });
    return { gallery, ready, moves: since(), megabytes };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

const visits = [];
for (let k = 0; k < tries; k++) visits.push(await visit());
const median = (name) => visits.map((visit) => visit[name]).sort((a, b) => a - b)[Math.floor(tries / 2)];
const seconds = (name) => `${median(name).toFixed(2)} s`;
console.log(`at ${mbit} Mbit/s, median of ${tries}: gallery after ${seconds("gallery")}, viewer ready after ${seconds("ready")} (${median("megabytes").toFixed(2)} MB), ${MODEL} moves after ${seconds("moves")}`);
