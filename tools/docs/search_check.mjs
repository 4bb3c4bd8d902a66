// Asks the search of the built site the questions of docs/questions.md, with its own code and index.
//
//   node tools/docs/search_check.mjs [target/manual]
//
// A question is answered when a page of its row is among the first five pages found: one click on the search, one on the result.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const FIRST = 5;
const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const site = process.argv[2] ?? join(root, "target", "manual");

// as much of a browser as the search needs before it shows its results
const element = () => ({ dataset: { content_root: "./" }, appendChild() {}, classList: { add() {} }, style: {} });
const context = vm.createContext({
  document: { documentElement: element(), createElement: element, getElementById: () => null, addEventListener() {}, body: element() },
  window: { addEventListener() {}, location: { href: "" } },
  localStorage: { setItem() {}, getItem: () => null, removeItem() {} },
  DOCUMENTATION_OPTIONS: { URL_ROOT: "./", FILE_SUFFIX: ".html", LINK_SUFFIX: ".html", SHOW_SEARCH_SUMMARY: false },
  SPHINX_HIGHLIGHT_ENABLED: false,
  _: (text) => text,
  console,
});
const load = (file) => vm.runInContext(readFileSync(join(site, file), "utf8"), context, { filename: file });
const tools = readFileSync(join(site, "_static", "searchtools.js"), "utf8").replace(/_ready\(Search\.init\);?/, "");
vm.runInContext(`${tools}\nglobalThis.Search = Search;`, context, { filename: "searchtools.js" });
// in the order of the page
load("_static/language_data.js");
vm.runInContext("globalThis.Stemmer ??= window.Stemmer;", context);
load("searchindex.js");

const pages = (query) => {
  const results = vm.runInContext(`Search._performSearch(...Search._parseQuery(${JSON.stringify(query)}))`, context);
  // the last one is shown first
  return [...new Set(results.toReversed().map((result) => result[0]))];
};

const rows = readFileSync(join(root, "docs", "questions.md"), "utf8").split("\n").filter((line) => /^\|.*\]\(/.test(line));
let failed = 0;
for (const row of rows) {
  const [, question, query, answer] = row.split("|").map((cell) => cell.trim());
  const wanted = [...answer.matchAll(/\]\(([^)#]+)\.md/g)].map((match) => match[1]);
  const found = pages(query);
  const place = Math.min(...wanted.map((page) => (found.includes(page) ? found.indexOf(page) + 1 : Infinity)));
  if (place > FIRST) failed += 1;
  console.log(`${place <= FIRST ? "ok  " : "FAIL"} ${String(place).padStart(3)}  ${query.padEnd(22)} ${question}`);
  if (place > FIRST) console.log(`          found: ${found.slice(0, FIRST).join(", ")}`);
}
console.log(`${rows.length - failed} of ${rows.length} questions are answered by one of the first ${FIRST} pages found`);
process.exit(failed > 0 ? 1 : 0);
