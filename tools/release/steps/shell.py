"""Commands, environments and tools of the other steps."""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# what is built and thrown away; what is kept is in `dist`
WORK = ROOT / "target" / "release-check"


def run(*command, cwd=ROOT, env=None, quiet=False):
    """Runs a command, shows it, and returns what it printed; fails when it does."""
    words = [str(word) for word in command]
    print("$", " ".join(word.replace(f"{ROOT}/", "") for word in words), flush=True)
    done = subprocess.run(words, cwd=cwd, env={**os.environ, **(env or {})}, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.stdout.write(done.stdout)
        sys.exit(f"failed with {done.returncode}: {' '.join(words)}")
    if not quiet:
        sys.stdout.write("".join(f"  {line}\n" for line in done.stdout.splitlines()[-20:]))
    return done.stdout


def run_own(name, *arguments):
    """Runs a program of this folder, also where files cannot name their interpreter."""
    return run(sys.executable, ROOT / "tools/release" / name, *arguments)


def fresh(*parts):
    """An empty folder for a trial."""
    folder = WORK.joinpath(*parts)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def program_of(environment, name):
    """A program of a virtual environment."""
    return environment / "Scripts" / f"{name}.exe" if os.name == "nt" else environment / "bin" / name


def python_tool(name, *packages):
    """A program from Python packages, in an environment that is made on first use."""
    environment = WORK / "tools"
    if not program_of(environment, "python").exists():
        venv.create(environment, with_pip=True)
    tool = program_of(environment, name)
    if not tool.exists():
        run(program_of(environment, "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    return tool


def pythons():
    """All Pythons of this machine that the package is for, by version: `KINETREE_PYTHONS` names others."""
    if "KINETREE_PYTHONS" in os.environ:
        candidates = os.environ["KINETREE_PYTHONS"].split(os.pathsep)
    else:
        candidates = [sys.executable, *filter(None, (shutil.which(f"python3.{minor}") for minor in range(10, 20)))]
        candidates += glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python"))
    found = {}
    for candidate in candidates:
        # stand-ins for Pythons that are not chosen print nothing
        question = [candidate, "-c", "import sys; print(*sys.version_info[:2])"]
        told = subprocess.run(question, check=False, capture_output=True, text=True).stdout.split()
        if len(told) == 2 and tuple(map(int, told)) >= (3, 10):
            found.setdefault(tuple(map(int, told)), candidate)
    return sorted(found.items())


def version():
    """The project's version."""
    found = re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert found is not None
    return found[1]


def pack(folder, archive):
    """An archive of a folder under its own name, that does not tell who has made it."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(folder, arcname=folder.name, filter=_nobody)
    return archive


def _nobody(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def any_cpu(triple):
    """What a build needs in its environment to run on any processor of a kind."""
    return {"RUSTFLAGS": "-C target-cpu=x86-64"} if triple.startswith("x86_64") else {}


def sha256(path):
    """Checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
