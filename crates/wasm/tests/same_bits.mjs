// node same_bits.mjs PACKAGE STEPS [--plain] < LINES: computes the hashes that the example `trajectory_bits` prints, for the same files, and compares;
// with --plain in the module without SIMD.
//   cargo run --release -p kinetree-spec --example trajectory_bits -- --steps 1000 models/*.xml | node crates/wasm/tests/same_bits.mjs target/npm/kinetree 1000
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { files } from "./files.mjs";
import { trajectoryHash } from "./trajectory.mjs";

const [folder, steps] = [process.argv[2], Number(process.argv[3] ?? 200)];
if (process.argv.includes("--plain")) globalThis.kinetreeSettings = { simd: false };
const kinetree = await import(pathToFileURL(resolve(folder, "index.js")).href);

function hash(path) {
  const folder = dirname(path);
  return trajectoryHash(kinetree, files(folder), relative(folder, path), steps);
}

const lines = readFileSync(0, "utf8").trim().split("\n");
let differ = 0;
for (const line of lines) {
  const [wanted, path] = line.split(" ");
  const found = hash(path);
  if (found !== wanted) {
    differ += 1;
    console.log(`${path}: ${found} instead of ${wanted}`);
  }
}
console.log(`${lines.length} models, ${steps} steps: ${lines.length - differ} have the same bits as the native build (${kinetree.simd ? "with" : "without"} SIMD)`);
process.exit(differ ? 1 : 0);
