// node same_bits.mjs PACKAGE STEPS < LINES: computes the hashes that the example `trajectory_bits` prints, for the same files, and compares.
//   cargo run --release -p kinetree --example trajectory_bits -- --steps 1000 models/*.xml | node crates/wasm/tests/same_bits.mjs target/npm/kinetree 1000
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, steps] = [process.argv[2], Number(process.argv[3] ?? 200)];
const { Model, Data, simd } = await import(pathToFileURL(resolve(folder, "index.js")).href);


/** FNV-1a, two 32-bit halves at a time: products of 64-bit integers by hand are quicker than big ones. */
class Fnv {
  high = 0xcbf29ce4;
  low = 0x84222325;

  add(array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let { high, low } = this;
    for (const byte of bytes) {
      low = (low ^ byte) >>> 0;
      // times 2^40 + 0x1b3
      const small = low * 0x1b3;
      high = (high * 0x1b3 + Math.floor(small / 0x1_0000_0000) + ((low << 8) >>> 0)) % 0x1_0000_0000;
      low = small % 0x1_0000_0000;
    }
    Object.assign(this, { high, low });
  }

  text() {
    return [this.high, this.low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}

function files(folder) {
  const all = {};
  const walk = (place) => {
    for (const name of readdirSync(place)) {
      const path = join(place, name);
      if (statSync(path).isDirectory()) walk(path);
      else all[relative(folder, path)] = readFileSync(path);
    }
  };
  walk(folder);
  return all;
}

function hash(path) {
  const folder = dirname(path);
  const model = Model.fromFiles(files(folder), relative(folder, path));
  const data = new Data(model);
  const sum = new Fnv();
  sum.add(model.toBinary());
  for (let step = 0; step < steps; step++) {
    data.ctrl.forEach((_, i, ctrl) => (ctrl[i] = ((step * (3 + i)) % 64) / 32 - 1));
    data.step();
    for (const name of ["qpos", "qvel", "act", "qacc", "qfrc_constraint", "sensordata", "efc_force"]) sum.add(data[name]);
    for (const contact of data.contact) sum.add(contact.pos);
  }
  return sum.text();
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
console.log(`${lines.length} models, ${steps} steps: ${lines.length - differ} have the same bits as the native build (${simd ? "with" : "without"} SIMD)`);
process.exit(differ ? 1 : 0);
