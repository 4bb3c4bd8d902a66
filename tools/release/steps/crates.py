"""Crates: packed as they would be published, and used by a program outside the workspace."""

import shutil
import subprocess
import tarfile

from steps.shell import ROOT, fresh, run, version

# each crate must tell these to people who search for it
WANTED = ("description", "license", "repository", "readme", "keywords", "categories", "rust_version")


def published():
    """Packages that go to the registry."""
    from steps.dependencies import metadata

    packages, _ = metadata(None)
    return [package for package in packages.values() if package["source"] is None and package["publish"] != []]


def build(dist):
    """Packs all crates."""
    for package in published():
        missing = [field for field in WANTED if not package[field]]
        if missing:
            raise SystemExit(f"{package['name']}: {', '.join(missing)} missing")
    run("cargo", "package", "--workspace", "--no-verify", "--locked", "--allow-dirty", quiet=True)
    folder = dist / "crates"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names = [f"{package['name']}-{package['version']}" for package in published()]
    for name in names:
        with tarfile.open(ROOT / "target/package" / f"{name}.crate") as archive:
            missing = {f"{name}/{file}" for file in ("README.md", "LICENSE-MIT", "LICENSE-APACHE")} - set(archive.getnames())
        if missing:
            raise SystemExit(f"not in the package: {', '.join(sorted(missing))}")
        shutil.copy(ROOT / "target/package" / f"{name}.crate", folder)
    return sorted(folder.iterdir())


MANIFEST = """
[package]
name = "user"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
kinetree = "{version}"

[profile.dev]
opt-level = 1
debug = false

[patch.crates-io]
{patches}
"""

PROGRAM = """
use kinetree::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_model(std::env::args().nth(1).ok_or("which model?")?)?;
    let mut data = Data::new(&model);
    while data.time < 1.0 {
        data.step(&model)?;
    }
    println!("{} contacts, torso at {:?}", data.ncon, data.xpos[1]);
    Ok(())
}
"""


def use(dist):
    """A new project depends on the packed crates by version, which a patch finds in their unpacked folders."""
    project = fresh("crates")
    for file in sorted((dist / "crates").glob("*.crate")):
        with tarfile.open(file) as archive:
            archive.extractall(project / "packages", filter="data")
    folders = sorted(folder.name for folder in (project / "packages").iterdir())
    number = version()
    patches = [f'{folder.removesuffix(f"-{number}")} = {{ path = "packages/{folder}" }}' for folder in folders]
    (project / "Cargo.toml").write_text(MANIFEST.format(version=number, patches="\n".join(patches)))
    (project / "src").mkdir()
    (project / "src/main.rs").write_text(PROGRAM)
    # the versions that were tested
    shutil.copy(ROOT / "Cargo.lock", project / "Cargo.lock")
    run("cargo", "run", "--quiet", "--", ROOT / "models/showcase/humanoid.xml", cwd=project)
    return []


def compare(dist):
    """Whether the version number tells of every breaking change since the last release, where `cargo semver-checks` is installed."""
    if not shutil.which("cargo-semver-checks"):
        print("skipped: cargo-semver-checks is not installed (cargo install cargo-semver-checks)")
        return []
    newest_first = ["git", "tag", "--list", "v*", "--sort=-version:refname"]
    tags = subprocess.run(newest_first, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    earlier = [tag for tag in tags if tag != f"v{version()}"]
    if not earlier:
        print("skipped: this is the first release")
        return []
    run("cargo", "semver-checks", "--workspace", "--baseline-rev", earlier[0])
    return []
