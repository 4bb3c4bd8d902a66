// Models with random damage, always the same ones.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { random } from "../../crates/wasm/tests/random.mjs";

const JUNK = ["", "<", "&", "-1", "1e308", "nan", "\u0000", "\"", "<geom/>", "</mujoco>", "999999999", "🦾"];

/** `count` damaged texts of the models in a folder: pieces deleted, doubled, swapped for junk or for other pieces. */
export function* damaged(folder, count) {
  const texts = readdirSync(folder).filter((name) => name.endsWith(".xml")).map((name) => readFileSync(join(folder, name), "utf8"));
  const next = random(20_261_116);
  const below = (n) => Math.floor(n * next());
  for (let i = 0; i < count; i++) {
    let text = texts[i % texts.length];
    for (let k = 1 + below(4); k > 0; k--) {
      const [at, length] = [below(text.length), 1 + below(30)];
      const other = below(text.length);
      const piece = [JUNK[below(JUNK.length)], text.slice(other, other + length), text.slice(at, at + length).repeat(2)][below(3)];
      text = text.slice(0, at) + piece + text.slice(at + length);
    }
    yield text;
  }
}
