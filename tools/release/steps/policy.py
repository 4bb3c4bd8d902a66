"""The part of deny.toml that needs no other program: licences that are allowed, and where crates may come from."""

import re
import sys
import tomllib

from steps.dependencies import ROOT, metadata

REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


def allowed(expression, licences):
    """Whether an SPDX expression can be satisfied by some licences.

    `OR` binds weaker than `AND`, and `WITH` makes one term of a licence and its exception; older manifests write a slash for `OR`.
    """
    words = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))

    def alternatives():
        result = conjunction()
        while words and words[0] == "OR":
            words.pop(0)
            # both sides are read, whatever the first one is
            result = conjunction() or result
        return result

    def conjunction():
        result = term()
        while words and words[0] == "AND":
            words.pop(0)
            result = term() and result
        return result

    def term():
        word = words.pop(0)
        if word == "(":
            result = alternatives()
            words.pop(0)
            return result
        if words and words[0] == "WITH":
            word = f"{word} WITH {words[1]}"
            del words[:2]
        return word in licences

    return alternatives()


def check():
    """Fails for crates of all targets whose licence or source is not allowed; returns how many there are."""
    settings = tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]
    exceptions = {entry["name"]: entry["allow"] for entry in settings["exceptions"]}
    packages, _ = metadata(None)
    faults = []
    for package in packages.values():
        licences = {*settings["allow"], *exceptions.get(package["name"], [])}
        if not package["license"] or not allowed(package["license"], licences):
            faults.append(f"{package['name']} {package['version']}: {package['license'] or 'no licence'}")
        if package["source"] not in (None, REGISTRY):
            faults.append(f"{package['name']} {package['version']}: from {package['source']}")
    if faults:
        sys.exit("\n".join(["not allowed by deny.toml:", *faults]))
    return len(packages)
