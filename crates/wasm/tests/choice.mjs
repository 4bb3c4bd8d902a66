// node [--no-enable-sse4-1] choice.mjs PACKAGE: which of its modules the package asks for. On x86 V8 has no 128-bit SIMD with this option, and the
// package must take its other module, whether that is there or not.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

// a function that returns a vector of zeros
const VECTOR = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 22, 1, 20, 0, 253, 12, ...new Array(16).fill(0), 11]);
const simd = WebAssembly.validate(VECTOR);
assert.equal(simd, !process.execArgv.includes("--no-enable-sse4-1"), "this processor knows another way to SIMD");

const folder = resolve(process.argv[2]);
const file = simd ? "kinetree.wasm" : "kinetree-plain.wasm";
const loading = import(pathToFileURL(join(folder, "index.js")).href);
if (existsSync(join(folder, "lib", file))) assert.equal((await loading).simd, simd);
else await assert.rejects(loading, (problem) => problem.code === "ENOENT" && problem.path.endsWith(join("lib", file)));
console.log(`an engine ${simd ? "with" : "without"} SIMD loads ${file}`);
