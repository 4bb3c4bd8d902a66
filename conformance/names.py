"""Names and signatures of the reference's Python package against ours: what is missing, and what is called in another way.

`python -m conformance.names` lists what differs without a reason and fails if there is any; `--all` lists the rest with its reasons, too.
Every module of the package is compared that can be imported: public names, attributes of classes, names of arguments, members of
enumerations.
"""

import argparse
import enum
import fnmatch
import importlib
import inspect
import json
import os
import re
import subprocess
import sys

# modules of the reference, and what they are made of
MODULES = (
    "mujoco", "mujoco.viewer", "mujoco.rollout", "mujoco.minimize", "mujoco.msh2obj", "mujoco.renderer", "mujoco.gl_context", "mujoco.egl",
    "mujoco.egl.egl_ext", "mujoco.glfw", "mujoco.osmesa", "mujoco.rendering.classic", "mujoco.rendering.classic.renderer",
    "mujoco.rendering.classic.gl_context", "mujoco._structs", "mujoco._specs", "mujoco._functions", "mujoco._enums", "mujoco._constants",
    "mujoco._callbacks", "mujoco._errors", "mujoco._render", "mujoco.introspect", "mujoco.introspect.enums", "mujoco.introspect.functions",
    "mujoco.introspect.structs", "mujoco.introspect.ast_nodes", "mujoco.usd", "mujoco.usd.shapes", "mujoco.usd.utils", "mujoco.sysid",
)

# what is left out or different, and why: patterns of `module.name`, `module.Class.attribute` or `module.function()`
REASONS = {
    "mujoco.HEADERS_DIR": "headers of C, which this package does not have",
    "mujoco.PLUGINS_DIR": "libraries of plugins for the reference; those that come along are in Rust",
    "mujoco*.Mj*Vec": "vectors of C++: fields are arrays and lists of Python here",
    "mujoco*.MjsTendonPath": "the path of a tendon is a list of `MjsWrap` here",
    **dict.fromkeys((f"mujoco*.MjrContext.{name}" for name in (
        "aux*", "base*", "range*", "*FBO*", "*VBO", "offColor*", "offDepth*", "shadowTex", "texture*", "ntexture", "nskin", "mat_tex*")),
        "handles of OpenGL and what they hold, which draws nothing here"),
    "mujoco*.MjSpec.nemax": "a number that has no effect in the reference",
    "mujoco._specs.MjVisual.global": "settings of a description have a class of their own, `spec.visual`, which has it",
    "mujoco.egl.egl_ext.*": "EGL makes no context here: what programs make contexts with is there",
    "mujoco.egl.create_initialized_egl_device_display": "EGL makes no context here",
    "mujoco.egl.EGL_*": "EGL makes no context here",
    "mujoco.egl.PYOPENGL_PLATFORM": "PyOpenGL is not used here",
    "mujoco.viewer.PERCENT_REALTIME": "the speeds that the reference's window offers",
    "mujoco.viewer.MAX_SYNC_MISALIGN": "how the reference's window keeps time, which is another one here",
    "mujoco.viewer.SIM_REFRESH_FRACTION": "how the reference's window keeps time, which is another one here",
}
# modules of Python whose names a module happens to import
_PYTHONS = ("abc", "collections.abc", "io", "types", "typing")

# arguments are positional in C++: their names are compared, their types and defaults are not
_DOC = re.compile(r"^(?:\d+\. )?(\w+)\((.*)\)(?: -> .*)?$")


def _split(text):
    """Arguments between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def _arguments(value):
    """Names of a function's arguments: one list for each way to call it; none when it does not tell."""
    doc = (getattr(value, "__doc__", None) or "").strip().splitlines()
    found = []
    for line in doc:
        match = _DOC.match(line.strip())
        if match and match[1] == getattr(value, "__name__", ""):
            parts = _split(match[2])
            names = [part.split(":")[0].split("=")[0].strip() for part in parts if part not in ("*", "/")]
            if all(name.lstrip("*").isidentifier() for name in names):
                found.append([name for name in names if name != "self" and not name.startswith("*")])
    if found:
        return found
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(parameter.kind in kinds for parameter in parameters):
        return []
    return [[parameter.name for parameter in parameters]]


def _describe(value):
    """What is compared of a value."""
    if inspect.isclass(value):
        if hasattr(value, "__members__") or issubclass(value, enum.Enum):
            return {"members": {name: int(getattr(member, "value", member)) for name, member in value.__members__.items()}}
        names = [name for name in {*dir(value), *_of_instances(value)} if not name.startswith("_")]
        return {"attributes": {name: _of_method(inspect.getattr_static(value, name, None)) if callable(getattr(value, name, None)) else None
                               for name in sorted(names)}}
    if callable(value):
        return {"arguments": _arguments(value)}
    if isinstance(value, (int, float, str)):
        return {"value": value}
    return {}


def _of_method(value):
    """As `_arguments`, without the object itself, whatever it is called."""
    found = _arguments(value)
    return [names[1:] for names in found] if inspect.isfunction(value) else found


def _of_instances(cls):
    """Attributes that instances have and their class does not name, where one can be made of nothing."""
    try:
        return dir(cls())
    except Exception:
        return []


def describe(modules):
    """What this process's `mujoco` has."""
    found: dict = {}
    for name in modules:
        try:
            module = importlib.import_module(name)
        except ImportError as problem:
            found[name] = f"{type(problem).__name__}: {problem}"
            continue
        public = {key: value for key, value in vars(module).items()
                  if not key.startswith("_") and not inspect.ismodule(value) and getattr(value, "__module__", None) not in _PYTHONS}
        found[name] = {key: _describe(value) for key, value in public.items()}
    return found


def _listed(ours):
    """Runs the comparison's other half in a process of its own."""
    command = [sys.executable, *(["-m", "kinetree.as_mujoco"] if ours else []), "-m", "conformance.names", "--describe"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    if answer.returncode:
        raise RuntimeError(answer.stderr)
    return json.loads(answer.stdout.splitlines()[-1])


def _differences(theirs, ours):
    """Places and what is different there."""
    for module, names in theirs.items():
        if isinstance(names, str):
            # what the reference cannot import here cannot be compared
            continue
        if isinstance(ours[module], str):
            yield module, f"cannot be imported: {ours[module]}"
            continue
        for name, value in names.items():
            place = f"{module}.{name}"
            if name not in ours[module]:
                yield place, "missing"
                continue
            yield from _of_value(place, value, ours[module][name])


def _of_value(place, value, own):
    if "value" in value and own.get("value") != value["value"] and not place.endswith("__version__"):
        yield place, f"is {own.get('value')!r}, and {value['value']!r} in the reference"
    for name, number in value.get("members", {}).items():
        if own.get("members", {}).get(name) != number:
            yield f"{place}.{name}", f"is {own.get('members', {}).get(name)}, and {number} in the reference"
    for name, arguments in value.get("attributes", {}).items():
        if name not in own.get("attributes", {}):
            yield f"{place}.{name}", "missing"
        elif arguments:
            yield from _of_arguments(f"{place}.{name}()", arguments, own["attributes"][name])
    if value.get("arguments"):
        yield from _of_arguments(f"{place}()", value["arguments"], own.get("arguments"))


def _of_arguments(place, theirs, ours):
    if not ours:
        return
    for way in theirs:
        # arguments without names in the reference are called by place
        if not any(_accepts(own, way) for own in ours):
            yield place, f"takes ({', '.join(ours[0])}), and ({', '.join(way)}) in the reference"


def _accepts(ours, theirs):
    return len(ours) >= len(theirs) and all(re.fullmatch(r"arg\d+", name) or name == own for own, name in zip(ours, theirs))


def reason(place):
    """Why something is different; None without a reason."""
    return next((why for pattern, why in REASONS.items() if fnmatch.fnmatchcase(place, pattern)), None)


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.names", description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="list what has a reason, too")
    parser.add_argument("--describe", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.describe:
        print(json.dumps(describe(MODULES)))
        return
    theirs, ours = _listed(False), _listed(True)
    found = [(place, what, reason(place)) for place, what in _differences(theirs, ours)]
    known = {pattern for pattern in REASONS for place, _, _ in found if fnmatch.fnmatchcase(place, pattern)}
    for place, what, why in found:
        if why is None or arguments.all:
            print(f"{place}: {what}" + (f" ({why})" if why else ""))
    for pattern in sorted(set(REASONS) - known):
        print(f"no need for the reason of {pattern!r} any more")
    count = sum(len(names) for names in theirs.values() if not isinstance(names, str))
    open_ = [place for place, _, why in found if why is None]
    print(f"{count} names of {len(theirs)} modules: {len(open_)} differ without a reason, {len(found) - len(open_)} with one")
    sys.exit(1 if open_ else 0)


if __name__ == "__main__":
    main()
