"""The library for C: packed as it is linked, and used by programs outside the tree that are compiled with the reference's headers."""

import shutil
import sys

from steps.dependencies import host
from steps.shell import ROOT, any_cpu, fresh, pack, program_of, run, run_own, version

# as the reference's package for Linux installs it, which programs look for
NAME = "libmujoco.so.3.8.0"


def headers():
    """The folder with the headers of the reference's package, in an environment of its own."""
    folder = fresh("c-headers")
    run(sys.executable, "-m", "venv", folder)
    python = program_of(folder, "python")
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "mujoco==3.8.0")
    code = "import importlib.util as u; print(u.find_spec('mujoco').submodule_search_locations[0])"
    return run(python, "-c", code, quiet=True).strip() + "/include"


def use(dist):
    """Builds the library, and runs every example in C with it; nothing on systems for which it has no name."""
    if not sys.platform.startswith("linux"):
        print("skipped: the library for C is built for Linux")
        return []
    triple, target = host(), ROOT / "target/release-command"
    run("cargo", "build", "--quiet", "--locked", "--profile", "dist", "--target", triple, "--target-dir", target, "-p", "kinetree-capi",
        env={**any_cpu(triple), "CARGO_PROFILE_DIST_STRIP": "debuginfo"})
    name = f"kinetree-c-{version()}-{triple}"
    folder = fresh("c", name)
    library = folder / NAME
    shutil.copy(target / triple / "dist/libkinetree_mujoco.so", library)
    (folder / "libmujoco.so").symlink_to(NAME)
    for file in ("LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / file, folder / file)
    run_own("licences", "--crate", "kinetree-capi", "--target", triple, "--out", folder / "LICENCES-OF-DEPENDENCIES.txt")
    include = headers()
    for source in sorted((ROOT / "crates/capi/examples").glob("*.c")):
        program = folder.parent / source.stem
        run("cc", "-std=c11", "-I", include, source, "-o", program, "-L", folder, "-lmujoco", "-lm", "-pthread")
        run(program, cwd=folder.parent, env={"LD_LIBRARY_PATH": str(folder)})
    archive = pack(folder, dist / f"{name}.tar.gz")
    run_own("sbom", "--crate", "kinetree-capi", "--target", triple, "--out", dist / f"{name}.cdx.json")
    return [archive]
