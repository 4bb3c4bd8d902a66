// Models are read by a worker, one at a time; the newest request counts.

const RESTART_ABOVE = 64 << 20; // bytes after which a worker gives its memory back: WebAssembly memory never shrinks

export class Loader {
  #worker = null;
  #id = 0;
  #pending = null;
  #module;

  /** `module` is a promise of the engine's compiled module: it is loaded and compiled once. */
  constructor(module) {
    this.#module = module;
    this.#start();
    // a browser's first context takes long: this one is opened while the engine is on its way, and the page's own comes quickly after it
    this.#worker.postMessage({ task: "graphics" });
  }

  #start() {
    this.#worker?.terminate();
    const worker = new Worker(new URL("./loader-worker.js", import.meta.url), { type: "module" });
    this.#worker = worker;
    this.#module.then((module) => worker.postMessage({ module }), () => {}); // the page says what is wrong
    this.#worker.onmessage = ({ data }) => this.#answer(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(`the model could not be read: ${event.message || "out of memory"}`);
    };
  }

  #answer(data) {
    const pending = this.#pending;
    if (pending === null || data.id !== pending.id) return;
    this.#pending = null;
    if (data.broken || pending.bytes > RESTART_ABOVE) this.#start();
    pending.resolve(data);
  }

  #fail(message) {
    const pending = this.#pending;
    this.#pending = null;
    this.#start();
    pending?.resolve({ failed: true, findings: [{ severity: "error", message, file: "", line: 0, column: 0, snippet: "", help: null }] });
  }

  #ask(message, bytes) {
    if (this.#pending !== null) this.cancel();
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#pending = { id, bytes, resolve };
      this.#worker.postMessage({ id, ...message });
    });
  }

  /** Reads a model: `{ binary, findings }`, or `{ failed, findings }`, or `{ cancelled }` when a newer request came. */
  load(files, main) {
    let bytes = 0;
    for (const content of files.values()) bytes += content.length;
    return this.#ask({ task: "load", files, main }, bytes);
  }

  /** Files of a zip file: `{ files }` or `{ failed, findings }`. */
  unzip(bytes) {
    return this.#ask({ task: "unzip", bytes }, bytes.length);
  }

  /** Stops what is being read. */
  cancel() {
    const pending = this.#pending;
    this.#pending = null;
    this.#start();
    pending?.resolve({ cancelled: true, findings: [] });
  }
}
