// Reads models beside the page: a model that takes long, or asks for more memory than there is, cannot stop the page.
import { Model, ModelError, unzip } from "./engine/index.js";

/** A compiled model travels as a binary file, which is read in a few milliseconds. */
function load({ files, main }) {
  const model = /\.mjb$/i.test(main) ? Model.fromBinary(files.get(main)) : Model.fromFiles(files, main);
  try {
    return { binary: model.toBinary(), findings: model.warnings };
  } finally {
    model.free();
  }
}

const plain = (finding) => ({ ...finding });

self.onmessage = ({ data: { id, task, ...rest } }) => {
  try {
    if (task === "unzip") {
      self.postMessage({ id, files: unzip(rest.bytes) });
    } else {
      const { binary, findings } = load(rest);
      self.postMessage({ id, binary, findings: findings.map(plain) }, [binary.buffer]);
    }
  } catch (problem) {
    const findings = problem instanceof ModelError ? problem.diagnostics.map(plain) : [{ severity: "error", message: problem.message, file: "", line: 0, column: 0, length: 0, snippet: "", help: null }];
    // after a trap the module's memory is not to be trusted
    self.postMessage({ id, findings, failed: true, broken: problem.cause instanceof WebAssembly.RuntimeError });
  }
};
self.postMessage({ ready: true });
