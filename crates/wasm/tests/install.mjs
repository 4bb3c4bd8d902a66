// node install.mjs PACKAGE: what a user does who installs the package. Packs the folder PACKAGE, installs the file in a fresh folder, runs the example of
// its README in Node, with and (where the package has such a module) without SIMD, and checks its types with `tsc --strict`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const TYPESCRIPT = "typescript@5";

const folder = mkdtempSync(join(tmpdir(), "kinetree-install-"));
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const write = (name, text) => writeFileSync(join(folder, name), text);

const { name } = JSON.parse(readFileSync(join(resolve(process.argv[2]), "package.json"), "utf8"));
const packed = run("npm", "pack", "--silent", "--pack-destination", folder, resolve(process.argv[2])).trim();
write("package.json", JSON.stringify({ name: "user", private: true, type: "module" }));
run("npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock", `./${packed}`, TYPESCRIPT);

const readme = readFileSync(join(folder, `node_modules/${name}/README.md`), "utf8");
const example = /```js\n(.*?)```/s.exec(readme)[1].replace('"kinetree"', JSON.stringify(name));
write("example.mjs", example);
write("plain.mjs", `globalThis.kinetreeSettings = { simd: false };\nawait import('./example.mjs');\nconst { simd } = await import('${name}');\nif (simd) throw new Error('SIMD');\n`);
const said = run("node", "example.mjs");
if (!/after 1\.00\d s: -?\d\.\d{3} rad/.test(said)) throw new Error(`the example printed ${said}`);
const plain = existsSync(join(folder, `node_modules/${name}/lib/kinetree-plain.wasm`));
if (plain && run("node", "plain.mjs") !== said) throw new Error("without SIMD the example prints something else");

// a mistake must be one to the compiler too
write("example.ts", `${example}
const mass: Float64Array = model.body_mass;
const { jacp }: { jacp: Float64Array } = data.jacBody(1);
// @ts-expect-error there is no such array
data.qposs;
// @ts-expect-error time is a number
data.time = "now";
console.log(mass.length, jacp.length);
`);
if (existsSync(join(folder, `node_modules/${name}/gpu.js`))) {
  // Node has no WebGPU
  write("gpu.mjs", `import { EngineError, GpuWorlds, Model } from "${name}";
await GpuWorlds.create(Model.fromXml("<mujoco/>"), 4).catch((problem) => console.log(problem instanceof EngineError, problem.message));`);
  const refused = run("node", "gpu.mjs");
  if (!/^true there is no WebGPU here/.test(refused)) throw new Error(`without WebGPU worlds say ${refused}`);
  write("gpu.ts", `import { GpuWorlds, Model } from "${name}";
const worlds = await GpuWorlds.create(Model.fromXml("<mujoco/>"), 256, { sensors: true });
worlds.setControls(new Float32Array(256));
await worlds.step(5);
const positions: Float32Array = await worlds.positions();
await worlds.reset(Array.from(positions, (x) => x > 1));
// @ts-expect-error a promise has no numbers
worlds.velocities()[0];
// @ts-expect-error worlds are made by create
new GpuWorlds();
`);
  run("npx", "tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "gpu.ts");
}
run("npx", "tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "example.ts");
rmSync(folder, { recursive: true });
console.log(`${packed}: installed, ran its example ${plain ? "with and without" : "with"} SIMD and has types`);
