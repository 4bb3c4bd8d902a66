// Every page of the built site in a real browser, on a phone and on a desk, light and dark: none is wider than its window, what is wide scrolls within
// itself, and every text can be told from its ground. Needs Chromium and `npm install --prefix web/tests`.
//
//   node tools/docs/browser_check.mjs [target/manual] [--width 390] [--only WORD] [--pictures FOLDER]
//
// With --only, only pages with this word in their path; with --pictures, a picture of each page that is looked at.
import { createReadStream, mkdirSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { launchPlain } from "../../web/tests/chromium.mjs";
import { measureContrast, measureWidth } from "./in_page.mjs";

const WINDOWS = [
  { width: 390, height: 844, scheme: "light", phone: true },
  { width: 390, height: 844, scheme: "dark", phone: true },
  { width: 1440, height: 900, scheme: "light", phone: false },
];
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png", ".gif": "image/gif" };
const SHOWN = 3;

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const options = { only: "" };
const words = process.argv.slice(2);
const given = words.filter((word, i) => !word.startsWith("--") && !words[i - 1]?.startsWith("--"));
words.forEach((word, i) => {
  if (word.startsWith("--")) options[word.slice(2)] = words[i + 1];
});
const site = resolve(given[0] ?? join(root, "target", "manual"));

/** Paths of the pages of a folder. */
function pages(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith("_") ? [] : pages(path);
    return entry.name.endsWith(".html") ? [relative(site, path).split(sep).join("/")] : [];
  });
}

/** Serves the site on a free port. */
function serve() {
  const server = createServer((request, response) => {
    const file = join(site, decodeURIComponent(new URL(request.url, "http://site").pathname));
    if (!file.startsWith(site + sep) || !statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    return createReadStream(file).pipe(response);
  });
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(server)));
}

/** Lines about what is wrong with an open page. */
async function faults(page) {
  const { excess, beyond, cut } = await page.evaluate(measureWidth);
  const low = await page.evaluate(measureContrast);
  return [
    ...(excess > 0 ? [`${excess} pixels too wide`] : []),
    ...beyond.slice(0, SHOWN).map((one) => `beyond the edge: ${one}`),
    ...cut.slice(0, SHOWN).map((one) => `cut off: ${one}`),
    ...low.slice(0, SHOWN).map((one) => `contrast ${one}`),
  ];
}

const chosen = pages(site).filter((path) => path.includes(options.only)).sort();
const server = await serve();
const browser = await launchPlain();
if (options.pictures) mkdirSync(options.pictures, { recursive: true });
let wrong = 0;
for (const { width, height, scheme, phone } of WINDOWS.filter((one) => !options.width || one.width === Number(options.width))) {
  const context = await browser.newContext({
    viewport: { width, height }, deviceScaleFactor: phone ? 2 : 1, isMobile: phone, hasTouch: phone, colorScheme: scheme,
  });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (problem) => errors.push(String(problem)));
  for (const path of chosen) {
    await page.goto(`http://127.0.0.1:${server.address().port}/${path}`, { waitUntil: "load" });
    const found = [...(await faults(page)), ...errors.splice(0)];
    if (found.length > 0) {
      wrong += 1;
      console.log(`${path} at ${width}, ${scheme}\n    ${found.join("\n    ")}`);
    }
    if (options.pictures) {
      await page.screenshot({ path: join(options.pictures, `${path.replace(/\.html$/, "").replaceAll("/", "-")}-${width}-${scheme}.png`) });
    }
  }
  await context.close();
}
await browser.close();
server.close();
console.log(`${chosen.length} pages, ${wrong} times a fault`);
process.exit(wrong > 0 || chosen.length === 0 ? 1 : 0);
