"""The wheel and the source archive: checked, installed into new environments of every Python, and used."""

import re
import shutil
import tarfile
import time
import tomllib
import venv

from steps.shell import ROOT, fresh, program_of, python_tool, pythons, run, run_own, sha256, version

LIMIT = 15_000_000


def build_wheel(dist):
    """Builds the wheel, as it is published."""
    for old in dist.glob("kinetree-*.whl"):
        old.unlink()
    run_own("wheel", "--out", dist)
    return [wheel_in(dist)]


def wheel_in(dist):
    """The wheel."""
    found = sorted(dist.glob("kinetree-*.whl"))
    if len(found) != 1:
        raise SystemExit(f"one wheel is expected in {dist}, there are {len(found)}")
    return found[0]


def check_wheel(dist):
    """Description, system libraries, stable interface and size."""
    wheel = wheel_in(dist)
    run(python_tool("twine", "twine"), "check", "--strict", wheel)
    if "linux" in wheel.name:
        told = run(python_tool("auditwheel", "auditwheel"), "show", wheel)
        assert "manylinux" in told, "the wheel needs a newer system than any policy allows"
    run(python_tool("abi3audit", "abi3audit"), "--strict", "--report", wheel)
    if wheel.stat().st_size > LIMIT:
        raise SystemExit(f"{wheel.name} has {wheel.stat().st_size / 1e6:.1f} MB, more than {LIMIT / 1e6:.0f}")
    return []


def use_wheel(dist):
    """Installs the wheel into an empty environment of each Python; the same state everywhere, with either module."""
    states = set()
    for (major, minor), python in pythons():
        folder = fresh("python", f"{major}.{minor}")
        start = time.monotonic()
        run(python, "-m", "venv", folder)
        own = program_of(folder, "python")
        run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel_in(dist))
        program = (own, ROOT / "tools/release/programs/first_second.py", ROOT / "models/showcase/humanoid.xml")
        # outside the tree, whose package must not be found
        told = run(*program, cwd=folder)
        print(f"  {time.monotonic() - start:.1f} s from an empty environment to the first simulated second")
        told += run(*program, cwd=folder, env={"KINETREE_CPU": "any"})
        states |= set(re.findall(r"state (\w+)", told))
    if len(states) != 1:
        raise SystemExit(f"different states: {states}")
    return []


def old_cpu(dist):
    """The wheel on a CPU without AVX2, which qemu plays: the other module is taken, and computes the same."""
    if not shutil.which("qemu-x86_64"):
        print("skipped: there is no qemu-x86_64 (qemu-user)")
        return []
    folder = fresh("python", "old-cpu")
    venv.create(folder, with_pip=True)
    own = program_of(folder, "python")
    run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel_in(dist))
    program = (own, ROOT / "tools/release/programs/first_second.py", ROOT / "models/showcase/humanoid.xml")
    here = run(*program, cwd=folder)
    # with SSE4.2, which NumPy needs, and nothing newer; an illegal instruction would end it
    there = run("qemu-x86_64", "-cpu", "Nehalem", *program, cwd=folder)
    assert "any CPU" in there, there
    if re.findall(r"state (\w+)", here) != re.findall(r"state (\w+)", there):
        raise SystemExit("different states with and without AVX2")
    return []


def same_wheel(dist):
    """A second build, in another folder, gives the same bytes; slow."""
    again = fresh("again")
    run_own("wheel", "--out", again / "dist", "--work", again / "build")
    first, second = sha256(wheel_in(dist)), sha256(wheel_in(again / "dist"))
    if first != second:
        raise SystemExit(f"two builds differ: {first} and {second}")
    return []


def build_sdist(dist):
    """Packs the source archive, which must have everything that a build needs."""
    for old in dist.glob("kinetree-*.tar.gz"):
        if re.fullmatch(r"kinetree-[\d.]+\.tar\.gz", old.name):
            old.unlink()
    run(python_tool("maturin", "maturin[zig]>=1.9.4,<2"), "sdist", "--out", dist)
    archive = dist / f"kinetree-{version()}.tar.gz"
    run(python_tool("twine", "twine"), "check", "--strict", archive)
    folder = fresh("sdist-unpacked")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    unpacked = next(folder.iterdir())
    locked = packages_of(unpacked / "Cargo.lock")
    # crates that are not part of the package are not in the archive, and leave the lock file here; all others keep their versions
    run("cargo", "metadata", "--format-version=1", cwd=unpacked, quiet=True)
    strange = packages_of(unpacked / "Cargo.lock") - locked
    if strange:
        raise SystemExit(f"not locked: {strange}")
    return [archive]


def packages_of(lock):
    """Names and versions of a lock file."""
    return {(entry["name"], entry["version"]) for entry in tomllib.loads(lock.read_text())["package"]}


def use_sdist(dist):
    """Builds the package from the source archive alone; slow."""
    folder = fresh("sdist")
    venv.create(folder, with_pip=True)
    own = program_of(folder, "python")
    # link-time optimization would take most of the time, and is tried with the wheel
    run(own, "-m", "pip", "install", "--quiet", dist / f"kinetree-{version()}.tar.gz", env={"MATURIN_PEP517_ARGS": "--profile fast"})
    run(own, ROOT / "tools/release/programs/first_second.py", ROOT / "models/showcase/humanoid.xml", cwd=folder)
    return []
