"""The library for C: a program outside the tree is compiled against header and library, and run."""

import shutil

from steps.shell import ROOT, fresh, run

CRATE = ROOT / "crates/capi"


def use(dist):
    """Builds the library and every example of the crate; nothing where there is no such crate."""
    if not CRATE.exists():
        print("skipped: there is no library for C yet")
        return []
    run("cargo", "build", "--quiet", "--locked", "--profile", "release", "-p", "kinetree-capi")
    project = fresh("c")
    headers = sorted(CRATE.glob("include/**/*.h"))
    for header in headers:
        shutil.copy(header, project / header.name)
    for source in sorted(CRATE.glob("examples/*.c")):
        program = project / source.stem
        run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", project, source, "-o", program, "-L", ROOT / "target/release", "-lkinetree", "-lm")
        run(program, ROOT / "models/showcase/humanoid.xml", env={"LD_LIBRARY_PATH": str(ROOT / "target/release")})
    return headers
