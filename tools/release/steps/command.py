"""The command as an archive, with licences and a checksum."""

import os
import shutil
import tarfile

from steps.dependencies import host
from steps.shell import ROOT, any_cpu, fresh, pack, run, run_own, version


def build(dist, profile="dist"):
    """Builds the binary for any CPU of this machine's kind, and packs it with its licences."""
    triple = os.environ.get("KINETREE_TARGET") or host()
    target = ROOT / "target/release-command"
    run("cargo", "build", "--quiet", "--locked", "--profile", profile, "--target", triple, "--target-dir", target, "-p", "kinetree-cli",
        env={**any_cpu(triple), "CARGO_PROFILE_DIST_STRIP": "symbols"})
    name = f"kinetree-{version()}-{triple}"
    folder = fresh("command", name)
    program = "kinetree.exe" if "windows" in triple else "kinetree"
    shutil.copy(target / triple / profile / program, folder / program)
    for file in ("README.md", "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"):
        shutil.copy(ROOT / file, folder / file)
    run_own("licences", "--crate", "kinetree-cli", "--target", triple, "--out", folder / "LICENCES-OF-DEPENDENCIES.txt")
    archive = pack(folder, dist / f"{name}.tar.gz")
    run_own("sbom", "--crate", "kinetree-cli", "--target", triple, "--out", dist / f"{name}.cdx.json")
    return [archive]


def use(dist):
    """The unpacked command shows its version, checks, steps and plots."""
    folder = fresh("command-use")
    archives = sorted(dist.glob(f"kinetree-{version()}-*.tar.gz"))
    if not archives:
        raise SystemExit(f"no archive of the command in {dist}: the step 'command' makes it")
    with tarfile.open(archives[0]) as packed:
        packed.extractall(folder, filter="data")
    program = next(folder.glob("*/kinetree*"))
    told = run(program, "--version")
    assert version() in told, told
    run(program, "bench", "humanoid", "--steps", "100")
    run(program, "step", "humanoid", "--seconds", "0.1", "--out", "fall.csv", cwd=folder)
    run(program, "plot", "fall.csv", "--out", "fall.svg", cwd=folder)
    return []
