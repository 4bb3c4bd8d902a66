// Models to begin with: those of the page, and those of the folder that `kinetree serve` shows.

const $ = (id) => document.getElementById(id);

async function json(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.json();
}

async function bytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be read: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

const path = (name) => name.split("/").map(encodeURIComponent).join("/");

/** A name that breaks into lines only after what separates its words. */
function breakable(name) {
  return name.split(/(?<=[/_.-])/).flatMap((part, i) => (i > 0 ? [document.createElement("wbr"), part] : [part]));
}

function card({ name, about, picture }, onChoose) {
  const button = document.createElement("button");
  if (picture) {
    const image = Object.assign(new Image(), { alt: "", loading: "lazy", width: 480, height: 320 });
    picture.then((src) => (image.src = src));
    button.append(image);
  }
  const title = Object.assign(document.createElement("span"), { title: name });
  title.append(...breakable(name));
  button.append(title);
  button.append(Object.assign(document.createElement("small"), { textContent: about }));
  button.addEventListener("click", onChoose);
  const item = document.createElement("li");
  item.append(button);
  return item;
}

/** A model of the page, by its name. */
export async function embedded(name) {
  const main = `${name}.xml`;
  return { files: new Map([[main, await bytes(`models/${path(main)}`)]]), main };
}

/** A model of the folder, with the files that it needs. */
async function served({ name }) {
  const { main, files } = await json(`folder/model/${path(name)}`);
  const contents = await Promise.all(files.map(async (file) => [file, await bytes(`folder/file/${path(file)}`)]));
  return { files: new Map(contents), main };
}

/** Fills the gallery; `open(name, promise of a model)` is called for the one that is chosen. Pictures are loaded when the promise `line` says that the line is free. */
export async function fill(open, line) {
  const [own, folder] = await Promise.all([json("models/index.json"), json("folder.json")]);
  const picture = (name) => line.then(() => `pictures/${name}.png`);
  $("cards").replaceChildren(...own.map((entry) => card({ ...entry, picture: picture(entry.name) }, () => open(entry.name, embedded(entry.name)))));
  if (folder.models.length > 0) {
    Object.assign($("folder-title"), { hidden: false, textContent: `Models in ${folder.name}` });
    $("folder-models").replaceChildren(...folder.models.map((entry) => card({ ...entry, about: entry.kind }, () => open(entry.name, served(entry)))));
  }
}
