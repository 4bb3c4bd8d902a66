// node gpu-package.mjs FOLDER: writes the package.json of the package with GpuWorlds: that of the package, with another name and entry.
import { readFileSync, writeFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../crates/wasm/js/package.json", import.meta.url), "utf8"));
manifest.name = "kinetree-gpu";
manifest.description = `${manifest.description}, and many worlds on the GPU of a browser`;
Object.assign(manifest, { main: "./gpu.js", types: "./gpu.d.ts" });
manifest.exports = { ".": { types: "./gpu.d.ts", default: "./gpu.js" } };
manifest.files.push("gpu.js", "gpu.d.ts");
writeFileSync(`${process.argv[2]}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
