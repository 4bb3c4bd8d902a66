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

/** Pictures that the server draws: one after the other, when they come into sight, and only while the page has nothing else to do. */
class InTurn {
  #waiting = [];
  #busy = false;
  #sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.#sight.unobserve(target);
      this.#waiting.push(target);
    }
    this.#go();
  });

  constructor(line) {
    this.idle = () => line.then(() => new Promise((done) => (globalThis.requestIdleCallback ?? setTimeout)(done)));
  }

  add(image, src) {
    image.dataset.src = src;
    this.#sight.observe(image);
  }

  async #go() {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#waiting.length > 0) {
      await this.idle();
      const image = this.#waiting.shift();
      image.src = image.dataset.src;
      // a model with faults has no picture
      await image.decode().catch(() => image.remove());
    }
    this.#busy = false;
  }
}

function card({ name, about, picture, drawn }, onChoose) {
  const button = document.createElement("button");
  if (picture || drawn) {
    const image = Object.assign(new Image(), { alt: "", loading: drawn ? "eager" : "lazy", width: 480, height: 320 });
    picture?.then((src) => (image.src = src));
    drawn?.(image);
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
    const turn = new InTurn(line);
    const drawn = (name) => (image) => turn.add(image, `folder/picture/${path(name)}`);
    const cards = folder.models.map((entry) => card({ ...entry, about: entry.kind, drawn: drawn(entry.name) }, () => open(entry.name, served(entry))));
    $("folder-models").replaceChildren(...cards);
  }
}
