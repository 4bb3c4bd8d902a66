// The page: a viewer, a gallery, an editor. Files come in, a worker reads them, the viewer shows the model.
import { Editor } from "./editor.js";
import { compile } from "./engine/compile.js";
import { FileProblem, fromDrop, fromInput, isText, models } from "./files.js";
import * as gallery from "./gallery.js";
import { Loader } from "./loader.js";
import * as share from "./share.js";

const $ = (id) => document.getElementById(id);

/** How long reading may take before the page says what it does (ms). */
const PATIENCE = 400;
/** Pause in typing after which a model is read (ms): not felt, and long enough for a burst of keys. */
const PAUSE = 60;

/** Time from the viewer to the files that are kept for when there is no network (ms). */
const KEEP_AFTER = 2000;

/** Whether the address asks for WebGL 2. */
const webgl = new URLSearchParams(location.search).has("webgl");
const state = { engine: null, viewer: null, files: new Map(), main: "", shown: false, opening: null };
// loaded and compiled once: for the engine of this page, and for that of its worker, which begins at the same time
const module = typeof WebAssembly === "object" ? compile(new URL("./engine/lib/kinetree.wasm", import.meta.url)) : Promise.reject(new Error("this browser has no WebAssembly"));
globalThis.kinetreeSettings = { simd: true, module };
const engine = import("./engine/index.js");
const loader = new Loader(module);
const editor = new Editor((files) => {
  state.files = files;
  clearTimeout(editor.timer);
  editor.timer = setTimeout(() => read(true), PAUSE);
});

function tell(text) {
  $("news").textContent = text;
}

function fail(problem) {
  const text = problem instanceof Error ? problem.message : String(problem);
  $("failure").textContent = text;
  $("failure").hidden = false;
}

function showGallery(visible) {
  // the viewer starts with a size, and keeps it behind the gallery
  $("gallery").hidden = !visible;
  (visible ? $("gallery").querySelector("button") : $("canvas"))?.focus();
}

function showEditor(visible) {
  $("editor").hidden = !visible;
  $("show-editor").setAttribute("aria-pressed", String(visible));
  $(visible ? "text" : "canvas").focus();
}

/** Says what takes long, with a way to stop it. */
function busy(text, promise) {
  $("busy-text").textContent = text;
  const timer = setTimeout(() => ($("busy").hidden = false), PATIENCE);
  return promise.finally(() => {
    clearTimeout(timer);
    $("busy").hidden = true;
  });
}

/** Reads the present files and shows the model; one that was edited keeps its state. */
async function read(edited) {
  const started = performance.now();
  const answer = await busy(`reading ${state.main}`, loader.load(state.files, state.main));
  if (answer.cancelled) return;
  editor.tell(answer.findings);
  $("failure").hidden = true;
  if (answer.failed) {
    if (!edited || !state.shown) {
      if ([...state.files.keys()].some(isText)) showEditor(true);
      else fail(answer.findings[0]?.message ?? "the model cannot be read");
    }
    tell(state.shown && edited ? "the last good model is kept" : `${state.main} has errors`);
    return;
  }
  await show(answer.binary, edited && state.shown);
  tell(`${state.main}: read in ${Math.round(performance.now() - started)} ms`);
}

async function show(binary, reloaded) {
  const viewer = await starting;
  const model = state.engine.Model.fromBinary(binary);
  try {
    viewer.show(state.engine.handleOf(model), reloaded);
    state.shown = true;
    showGallery(false);
  } catch (problem) {
    fail(viewer.failure() ?? problem);
  } finally {
    model.free();
  }
}

/** Opens a model of several files. */
async function open(files, main) {
  Object.assign(state, { files, main, shown: false });
  document.title = `${main} – Kinetree`;
  editor.show(files, main);
  await (state.opening = read(false));
}

/** Opens what the user dropped or chose. */
async function openFiles(files) {
  try {
    const names = [...files.keys()];
    if (names.length === 1 && /\.zip$/i.test(names[0])) {
      const unpacked = await busy(`unpacking ${names[0]}`, loader.unzip(files.get(names[0])));
      if (unpacked.cancelled) return;
      if (unpacked.failed) throw new FileProblem(`${names[0]}: ${unpacked.findings[0].message}`);
      files = unpacked.files;
    }
    const found = models(files);
    if (found.length === 0) throw new FileProblem(`there is no model among ${files.size} files: MJCF, URDF (.xml, .urdf) or binary models (.mjb)`);
    const main = found.length === 1 ? found[0] : await choose(found);
    if (main !== undefined) await open(files, main);
  } catch (problem) {
    fail(problem);
  }
}

/** Asks which of several models is meant. */
function choose(names) {
  return new Promise((resolve) => {
    const close = (name) => {
      $("chooser").close();
      resolve(name);
    };
    const item = (name) => {
      const button = Object.assign(document.createElement("button"), { textContent: name });
      button.addEventListener("click", () => close(name));
      const li = document.createElement("li");
      li.append(button);
      return li;
    };
    $("chooser").querySelector("ul").replaceChildren(...names.slice(0, 500).map(item));
    $("choose-none").onclick = () => close(undefined);
    $("chooser").oncancel = () => resolve(undefined);
    $("chooser").showModal();
  });
}

async function openNamed(name, coming) {
  try {
    const { files, main } = await busy(`fetching ${name}`, coming);
    await open(files, main);
    history.replaceState(null, "", location.pathname + location.search);
  } catch (problem) {
    fail(problem);
  }
}

async function shareModel() {
  try {
    if (state.main === "") throw new Error("open a model first");
    const fragment = await share.encode(state.files, state.main, isText);
    history.replaceState(null, "", `${location.pathname}${location.search}#${fragment}`);
    await navigator.clipboard?.writeText(location.href).then(
      () => tell("the link is in the clipboard and in the address"),
      () => tell("the link is in the address"),
    );
  } catch (problem) {
    tell(problem.message);
  }
}

async function openLink() {
  try {
    const linked = await share.decode(location.hash);
    if (linked !== null) await open(linked.files, linked.main);
  } catch (problem) {
    fail(problem);
  }
}

function listen() {
  $("show-gallery").onclick = () => showGallery($("gallery").hidden);
  $("show-editor").onclick = () => showEditor($("editor").hidden);
  $("share").onclick = shareModel;
  $("cancel").onclick = () => loader.cancel();
  for (const [button, input] of [["open-files", "files"], ["open-folder", "folder"]]) {
    $(button).onclick = () => $(input).click();
    $(input).onchange = async () => {
      const files = await fromInput($(input)).catch(fail);
      $(input).value = "";
      if (files) await openFiles(files);
    };
  }
  // before the viewer sees them: files are the page's business
  const early = { capture: true };
  addEventListener("dragover", (event) => {
    event.preventDefault();
    event.stopPropagation();
    $("drop-hint").hidden = false;
  }, early);
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) $("drop-hint").hidden = true;
  }, early);
  addEventListener("drop", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    $("drop-hint").hidden = true;
    const files = await fromDrop(event.dataTransfer).catch(fail);
    if (files) await openFiles(files);
  }, early);
  $("gallery").addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.shown) showGallery(false);
  });
  // the canvas keeps most keys for itself; these leave it
  const places = {
    KeyG: () => showGallery($("gallery").hidden),
    KeyE: () => showEditor($("editor").hidden),
    KeyV: () => $("canvas").focus(),
    KeyM: () => $("show-gallery").focus(),
  };
  addEventListener("keydown", (event) => {
    const go = event.altKey && !event.ctrlKey && places[event.code];
    if (!go) return;
    event.preventDefault();
    event.stopPropagation();
    go();
  }, early);
  addEventListener("hashchange", openLink);
}

/** Loads the engine and opens the viewer in its canvas. */
async function start() {
  const loaded = await engine.catch((problem) => {
    throw new Error(`the engine cannot be loaded: ${problem?.message ?? problem}\nIt needs WebAssembly with SIMD: Chrome 91, Firefox 89, Safari 16.4 or newer.`);
  });
  const { Viewer, handleOf } = await import("./engine/viewer.js");
  state.engine = { ...loaded, handleOf };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  try {
    state.viewer = await Viewer.open($("canvas"), webgl);
  } catch (problem) {
    throw new Error(`this browser can draw with neither WebGPU nor WebGL 2: ${problem?.message ?? problem}`);
  }
  state.viewer.setDark(dark.matches);
  dark.addEventListener("change", () => state.viewer.setDark(dark.matches));
  return state.viewer;
}

listen();
const starting = start();
starting.then(() => tell("")).catch(fail);
// pictures when the viewer is there, and after the first model when one was chosen by then
const free = starting.then(() => state.opening).catch(() => {});
gallery.fill(openNamed, free).catch(fail);
openLink();
// what is kept for when there is no network waits until a model may have been shown
starting.finally(() => setTimeout(() => isSecureContext && navigator.serviceWorker?.register("sw.js").catch(() => {}), KEEP_AFTER)).catch(() => {});

/** The page's own objects, for the console. */
globalThis.kinetree = { state, loader, open, openFiles, get viewer() { return state.viewer; }, get engine() { return state.engine; } };
