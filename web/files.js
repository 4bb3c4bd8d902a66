// Files that the user drops or chooses, as a map from names to bytes.

/** Most bytes of a model that the page takes on: beyond this a tab runs out of memory. */
export const LARGEST = 512 << 20;

/** What cannot be opened, and why. */
export class FileProblem extends Error {}

async function readAll(list) {
  const files = new Map();
  let total = 0;
  for (const { name, file } of list) {
    total += file.size;
    if (total > LARGEST) throw new FileProblem(`the files have more than ${LARGEST >> 20} MB together: too many for a page. Open the model with 'kinetree view'`);
  }
  for (const { name, file } of list) files.set(name, new Uint8Array(await file.arrayBuffer()));
  return files;
}

/** Files chosen in a dialog; those of a folder keep their paths. */
export function fromInput(input) {
  return readAll([...input.files].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
}

async function walk(entry, list) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    list.push({ name: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // a reader hands out a hundred entries at a time
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const each of entries) await walk(each, list);
  }
}

/** Files and folders that were dropped. */
export async function fromDrop(transfer) {
  // entries must be asked for before the first pause
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return readAll([...transfer.files].map((file) => ({ name: file.name, file })));
  const list = [];
  for (const entry of entries) await walk(entry, list);
  return readAll(list);
}

const HEAD = 4096;
const head = (bytes) => new TextDecoder().decode(bytes.subarray(0, HEAD));

/** Whether a file can be edited: a description, by its name. */
export const isText = (name) => /\.(xml|urdf|mjcf)$/i.test(name);

const depth = (name) => name.split("/").length;
const isScene = (name) => /(^|\/)scene[^/]*$/i.test(name);

/** Models among files: by name, and for text by the root element. Scenes come first, then what lies highest. */
export function models(files) {
  const found = [...files.keys()].filter((name) => /\.mjb$/i.test(name) || (isText(name) && /<(mujoco|robot)\b/.test(head(files.get(name)))));
  // a single file that names nothing known is tried all the same: the reader says what is wrong with it
  if (found.length === 0 && files.size === 1) return [...files.keys()];
  return found.sort((a, b) => isScene(b) - isScene(a) || depth(a) - depth(b) || a.localeCompare(b));
}
