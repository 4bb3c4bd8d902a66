// node types.mjs FOLDER: writes index.d.ts of the package in FOLDER, with the arrays that its module has.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const kinetree = await import(pathToFileURL(`${folder}/index.js`).href);
const template = readFileSync(new URL("../../crates/wasm/js/types.d.ts", import.meta.url), "utf8");

const TYPES = { f64: "Float64Array", f32: "Float32Array", i32: "Int32Array", i64: "BigInt64Array", u64: "BigUint64Array", u8: "Uint8Array" };
const property = (doc, name, type) => `  /** ${doc} */\n  ${name}: ${type};\n`;
const arrays = (list) => list.map(({ name, type, doc }) => property(doc, name, TYPES[type])).join("");

const model = kinetree.Model.fromXml("<mujoco/>");
const sizes = Object.keys(model).map((name) => `  readonly ${name}: number;\n`).join("");
const data = new kinetree.Data(model);
const known = new Set(kinetree.fields.data.map(({ name }) => name));
const counts = Object.entries(Object.getOwnPropertyDescriptors(kinetree.Data.prototype))
  .filter(([name, { get }]) => get && typeof data[name] === "number" && name !== "time" && !known.has(name))
  .map(([name]) => `  readonly ${name}: number;\n`)
  .join("");
const stages = Object.entries(kinetree)
  .filter(([name, value]) => name.startsWith("mj_") && typeof value === "function" && !template.includes(`const ${name}:`))
  .map(([name]) => `export const ${name}: Stage;\n`)
  .join("");

const parts = { "model: sizes": sizes, "model: fields": arrays(kinetree.fields.model), "data: counts": counts, "data: fields": arrays(kinetree.fields.data), stages };
let text = template;
for (const [mark, part] of Object.entries(parts)) text = text.replace(new RegExp(`^ *// ${mark}\\n`, "m"), () => part);
writeFileSync(`${folder}/index.d.ts`, text);
