"""The npm packages: packed, looked at by publint and by TypeScript's rules, installed into a new project and run."""

import json
import shutil

from steps.shell import ROOT, fresh, run

PACKAGES = {"kinetree": "package", "kinetree-gpu": "gpu"}
MODEL = "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>"
PROGRAM = f"""
import {{ Model, Data, version }} from "kinetree";
const data = new Data(Model.fromXml(`{MODEL}`));
while (data.time < 0.25) data.step();
if (!(data.qpos[2] < 1)) throw new Error("the ball does not fall");
console.log(version(), data.qpos[2]);
"""
TYPED = f"""
import {{ Model, Data }} from "kinetree";
const data: Data = new Data(Model.fromXml(`{MODEL}`));
const height: number = data.qpos[2]!;
console.log(height);
"""


def build(dist):
    """Builds both packages, unless they are there, and packs them."""
    folder = dist / "npm"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, argument in PACKAGES.items():
        package = ROOT / "target/npm" / name
        if not (package / "package.json").exists():
            run(ROOT / "tools/web/build.sh", argument)
        run("npm", "pack", "--silent", "--pack-destination", folder, cwd=package)
    return sorted(folder.glob("*.tgz"))


def use(dist):
    """Checks both packages, and runs a program with the first; the second one needs a browser with WebGPU."""
    tools = fresh("npm-tools")
    (tools / "package.json").write_text("{}")
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "publint", "@arethetypeswrong/cli", "typescript@5", cwd=tools, quiet=True)
    for archive in sorted((dist / "npm").glob("*.tgz")):
        run(tools / "node_modules/.bin/publint", "run", archive, "--strict")
        # modules only: there is nothing for `require`
        run(tools / "node_modules/.bin/attw", archive, "--profile", "esm-only", "--no-emoji")
    project = fresh("npm-project")
    (project / "package.json").write_text(json.dumps({"name": "user", "version": "0.0.0", "type": "module"}))
    archive = next(path for path in sorted((dist / "npm").glob("kinetree-*.tgz")) if "gpu" not in path.name)
    run("npm", "install", "--silent", "--no-audit", "--no-fund", archive, cwd=project)
    (project / "program.mjs").write_text(PROGRAM)
    run("node", "program.mjs", cwd=project)
    (project / "program.ts").write_text(TYPED)
    run(tools / "node_modules/.bin/tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "program.ts", cwd=project)
    return []
