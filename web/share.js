// A link that carries a small model: its texts, deflated, in the part of the address that no server sees.

/** Longest link that is made: longer ones are cut off by chats and mails. */
const LONGEST = 16_000;

const toBase64Url = (bytes) => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};
const fromBase64Url = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function pipe(bytes, transform) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}

/** The part of the address after `#` for a model; throws with the reason where there is none. */
export async function encode(files, main, isText) {
  const others = [...files.keys()].filter((name) => !isText(name));
  if (others.length > 0) throw new Error(`a link carries texts only, and this model has other files: ${others.slice(0, 3).join(", ")}`);
  const decoder = new TextDecoder();
  const texts = Object.fromEntries([...files].map(([name, bytes]) => [name, decoder.decode(bytes)]));
  const packed = await pipe(new TextEncoder().encode(JSON.stringify({ main, texts })), new CompressionStream("deflate-raw"));
  const fragment = `model=${toBase64Url(packed)}`;
  if (fragment.length > LONGEST) throw new Error(`the model is too large for a link: ${fragment.length} letters, ${LONGEST} at most`);
  return fragment;
}

/** The model of a link, or null when the address carries none; throws when it is damaged. */
export async function decode(fragment) {
  const match = /^#?model=([\w-]+)$/.exec(fragment);
  if (match === null) return null;
  try {
    const { main, texts } = JSON.parse(new TextDecoder().decode(await pipe(fromBase64Url(match[1]), new DecompressionStream("deflate-raw"))));
    const encoder = new TextEncoder();
    const files = new Map(Object.entries(texts).map(([name, text]) => [name, encoder.encode(String(text))]));
    if (!files.has(main)) throw new Error("it names no file");
    return { files, main };
  } catch (problem) {
    throw new Error("the link is damaged: the model in it cannot be read", { cause: problem });
  }
}
