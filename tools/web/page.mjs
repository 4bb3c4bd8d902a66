// node page.mjs FOLDER: adds models and their pictures to the page in FOLDER, and the list of files that its service worker keeps. Prints sizes.
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";

const folder = process.argv[2];
const root = new URL("../..", import.meta.url).pathname;

// the models inside the command, with the words that it has for them
const source = readFileSync(join(root, "crates/cli/src/embedded.rs"), "utf8");
const models = [...source.matchAll(/^ {4}"(\w+)" "([^"]+)";$/gm)].map(([, name, about]) => ({ name, about }));
if (models.length === 0) throw new Error("page.mjs: no models in crates/cli/src/embedded.rs");
for (const { name } of models) {
  copyFileSync(join(root, "models/showcase", `${name}.xml`), join(folder, "models", `${name}.xml`));
  copyFileSync(join(root, "docs/images", `${name}.png`), join(folder, "pictures", `${name}.png`));
}
writeFileSync(join(folder, "models/index.json"), JSON.stringify(models));
// `kinetree serve` answers for its folder here
writeFileSync(join(folder, "folder.json"), JSON.stringify({ name: "", models: [] }));

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "sw.js")
  .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
  .sort();
const hash = createHash("sha256");
for (const name of files) hash.update(name).update(readFileSync(join(folder, name)));
const worker = readFileSync(join(root, "web/sw.js"), "utf8");
const list = ["./", ...files.filter((name) => name !== "index.html")].map((name) => JSON.stringify(name)).join(", ");
writeFileSync(join(folder, "sw.js"), worker.replace("@version@", `kinetree-${hash.digest("hex").slice(0, 16)}`).replace('"@files@"', list));

const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
const sum = (names, size) => names.reduce((total, name) => total + size(readFileSync(join(folder, name))), 0);
const pictures = files.filter((name) => name.startsWith("pictures/"));
const rest = files.filter((name) => !pictures.includes(name));
console.error(`page: ${kb(sum(rest, (b) => b.length))}, gzip ${kb(sum(rest, (b) => gzipSync(b, { level: 9 }).length))}; pictures ${kb(sum(pictures, (b) => b.length))}`);
