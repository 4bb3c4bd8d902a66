// Files of a folder, by their paths in it.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

export function files(folder) {
  const all = {};
  const walk = (place) => {
    for (const name of readdirSync(place)) {
      const path = join(place, name);
      if (statSync(path).isDirectory()) walk(path);
      else all[relative(folder, path)] = readFileSync(path);
    }
  };
  walk(folder);
  return all;
}
