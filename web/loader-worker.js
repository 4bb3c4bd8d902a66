// Reads models beside the page: a model that takes long, or asks for more memory than there is, cannot stop the page.

let begin;
globalThis.kinetreeSettings = { module: new Promise((resolve) => (begin = resolve)) };
// not a static import: a message that comes while the engine is being loaded would find nobody
const engine = import("./engine/index.js");

/** A context that nothing is drawn with. */
let graphics;

/** A compiled model travels as a binary file, which is read in a few milliseconds. */
function load(Model, { files, main }) {
  const model = /\.mjb$/i.test(main) ? Model.fromBinary(files.get(main)) : Model.fromFiles(files, main);
  try {
    return { binary: model.toBinary(), findings: model.warnings };
  } finally {
    model.free();
  }
}

const plain = (finding) => ({ ...finding });

self.onmessage = async ({ data: { id, task, module, ...rest } }) => {
  if (module) return begin(module);
  if (task === "graphics") return (graphics = globalThis.OffscreenCanvas && new OffscreenCanvas(1, 1).getContext("webgl2"));
  const { Model, ModelError, unzip } = await engine;
  try {
    if (task === "unzip") {
      self.postMessage({ id, files: unzip(rest.bytes) });
    } else {
      const { binary, findings } = load(Model, rest);
      self.postMessage({ id, binary, findings: findings.map(plain) }, [binary.buffer]);
    }
  } catch (problem) {
    const findings = problem instanceof ModelError ? problem.diagnostics.map(plain) : [{ severity: "error", message: problem.message, file: "", line: 0, column: 0, length: 0, snippet: "", help: null }];
    // after a trap the module's memory is not to be trusted
    self.postMessage({ id, findings, failed: true, broken: problem.cause instanceof WebAssembly.RuntimeError });
  }
};
