// node web/tests/same_bits.mjs ADDRESS STEPS < LINES: in Chromium, computes the hashes that the example `trajectory_bits` prints, for the same
// files, with the engine of the page at ADDRESS, and compares.
import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { files } from "../../crates/wasm/tests/files.mjs";
import { launchPlain } from "./chromium.mjs";

const [address, steps] = [process.argv[2], Number(process.argv[3] ?? 200)];
const browser = await launchPlain();
const page = await browser.newPage();
const code = readFileSync(new URL("../../crates/wasm/tests/trajectory.mjs", import.meta.url), "utf8");
await page.goto(address);
const lines = readFileSync(0, "utf8").trim().split("\n");
let differ = 0;
for (const line of lines) {
  const [wanted, path] = line.split(" ");
  const folder = dirname(path);
  const contents = Object.entries(files(folder)).map(([name, bytes]) => [name, bytes.toString("base64")]);
  const found = await page.evaluate(async ([code, contents, main, steps]) => {
    const kinetree = await import("./engine/index.js");
    const { trajectoryHash } = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return trajectoryHash(kinetree, new Map(contents.map(([name, base64]) => [name, bytes(base64)])), main, steps);
  }, [code, contents, relative(folder, path), steps]);
  if (found !== wanted) {
    differ += 1;
    console.log(`${path}: ${found} instead of ${wanted}`);
  }
}
console.log(`${lines.length} models, ${steps} steps: ${lines.length - differ} have the same bits as the native build (${await browser.version()})`);
await browser.close();
process.exit(differ ? 1 : 0);
