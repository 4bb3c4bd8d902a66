// node page.mjs FOLDER [--compress]: adds models and their pictures to the page in FOLDER, and the list of files that its service worker keeps; with
// --compress also each file compressed (.br and .gz), for servers that send those. Prints sizes, and fails when a first visit would load more than it may.
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Most bytes of a first visit before the first model is shown, compressed with Brotli: two seconds of a line of 10 Mbit/s. */
const BUDGET = 2_500_000;

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
// many worlds need a module of their own, which only those load who want them
const isForMany = (name) => /^(engine-gpu\/|many)/.test(name);
const list = ["./", ...files.filter((name) => name !== "index.html" && !isForMany(name))].map((name) => JSON.stringify(name)).join(", ");
writeFileSync(join(folder, "sw.js"), worker.replace("@version@", `kinetree-${hash.digest("hex").slice(0, 16)}`).replace('"@files@"', list));

const METHODS = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }),
  gz: (bytes) => gzipSync(bytes, { level: 9 }),
};
const sizes = { plain: 0, br: 0, gz: 0, pictures: 0, first: 0 };
for (const name of files) {
  const bytes = readFileSync(join(folder, name));
  if (name.endsWith(".png")) {
    sizes.pictures += bytes.length; // compressed as they are
    continue;
  }
  sizes.plain += bytes.length;
  if (!process.argv.includes("--compress")) continue;
  for (const [ending, compress] of Object.entries(METHODS)) {
    const compressed = compress(bytes);
    sizes[ending] += compressed.length;
    // all but the models that are not chosen
    if (ending === "br" && !/^models\/.*xml$/.test(name) && !isForMany(name)) sizes.first += compressed.length;
    writeFileSync(join(folder, `${name}.${ending}`), compressed);
  }
}
const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
console.error(`page: ${kb(sizes.plain)}${sizes.br ? `, Brotli ${kb(sizes.br)}, gzip ${kb(sizes.gz)}` : ""}; pictures ${kb(sizes.pictures)}`);
if (sizes.first > BUDGET) {
  console.error(`page.mjs: a first visit loads ${kb(sizes.first)}, and may load ${kb(BUDGET)}: see what has grown, or what can come later`);
  process.exit(1);
}
