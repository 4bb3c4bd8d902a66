// Compiles the WebAssembly module, in Node and in browsers.

/** The compiled module of a URL. */
export async function compile(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`kinetree: ${url} cannot be loaded: ${response.status} ${response.statusText}`);
  // compiled while it arrives, where the server names its type
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
