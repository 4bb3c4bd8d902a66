"""Writes `kinetree/__init__.pyi`, the type stub of the package, from the engine's field table and the functions themselves.

    python python/tools/make_stubs.py            write the stub
    python python/tools/make_stubs.py --check    fail when the stub is not up to date
"""

import argparse
import enum
import inspect
import pathlib
import sys

import kinetree
from kinetree import _core, named, options, scene, spec, visual

STUB = pathlib.Path(__file__).parents[1] / "kinetree" / "__init__.pyi"

HEADER = '''"""Kinetree: a MuJoCo-compatible physics engine in pure Rust."""

# Made by python/tools/make_stubs.py from the engine's field table.

import enum
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
reference_version: str

class FatalError(Exception):
    """The engine cannot do what was asked: the message says why and what to try."""

class UnexpectedError(Exception):
    """An error inside the engine; the data refuses further calls until it is reset or another is copied to it. Please report it."""

'''

# what arguments of functions are, by name
ARGUMENTS = {
    "m": "MjModel", "d": "MjData", "src": "ArrayLike", "nstep": "int", "name": "str", "filename": "str", "id": "int",
    "body": "int", "geom": "int", "site": "int", "type": "int", "opt": "Any", "callback": "Callable[..., Any] | None",
}
TEXT_ATTRIBUTES = ("names", "paths")


def doc_lines(text, indent):
    """A docstring, indented."""
    text = inspect.cleandoc(text or "").replace("\\", "\\\\").replace('"""', "'''")
    body = text.replace("\n", "\n" + indent)
    return f'{indent}"""{body}"""' if "\n" not in text else f'{indent}"""{body}\n{indent}"""'


def array_type(kind):
    """Annotation of an array."""
    return f"NDArray[np.{kind}]"


def attribute(name, annotation, doc, extents=()):
    """An attribute of a class, with its documentation below it."""
    shape = f" Shape ({', '.join(extents)}{',' if len(extents) == 1 else ''})." if extents else ""
    return [f"    {name}: {annotation}", doc_lines(f"{doc}{shape}", "    ")]


def fields(table):
    """Attributes of a model or data, from rows of the field table."""
    lines = []
    for name, kind, extents, doc in table:
        lines += attribute(name, "bytes" if name in TEXT_ATTRIBUTES else array_type(kind), doc, extents)
    return lines


def struct(cls, table):
    """An option struct: scalars are numbers, vectors arrays."""
    lines = [f"class {cls.__name__}:", doc_lines(cls.__doc__, "    "), "    def __init__(self) -> None: ..."]
    arrays = cls()._fields
    for name, kind, _, doc in table:
        scalar, size = "float" if kind.startswith("float") else "int", arrays[name].size
        lines += attribute(name, array_type(kind) if size > 1 else scalar, doc, [str(size)] if size > 1 else ())
    return lines


def plain_struct(cls):
    """A struct whose fields are known from an instance."""
    instance = cls()
    lines = [f"class {cls.__name__}:", doc_lines(cls.__doc__, "    ")]
    lines += [f"    def __init__{signature(cls, 'self')} -> None: ..."]
    return lines + [f"    {name}: {field_type(array)}" for name, array in instance._fields.items()]


def field_type(array):
    """Annotation of a field: a number, a text or an array."""
    if array.size == 1:
        return {"f": "float", "S": "str"}.get(array.dtype.kind, "int")
    return array_type("bytes_" if array.dtype.kind == "S" else array.dtype.name)


def scene_class():
    """`MjvScene`."""
    lines = ["class MjvScene:", doc_lines(kinetree.MjvScene.__doc__, "    ")]
    lines += [f"    def __init__{signature(kinetree.MjvScene, 'self')} -> None: ..."]
    for name, array in kinetree.MjvScene()._fields.items():
        lines += attribute(name, field_type(array), getattr(kinetree.MjvScene, name).__doc__)
    lines += [f"    {name}: {array_type(array.dtype.name)}" for name, array in kinetree.MjvScene()._lists().items()]
    for name, cls in (("geoms", "MjvGeom"), ("lights", "MjvLight"), ("camera", "MjvGLCamera")):
        lines += attribute(name, f"Sequence[{cls}]", getattr(kinetree.MjvScene, name).__doc__)
    return lines


def parameter(p, function=""):
    """One parameter of a function."""
    default = "" if p.default is p.empty else f" = {p.default!r}" if p.default in (None, 0, 1, True, False, "") else " = ..."
    star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
    # functions of scenes take the geom itself where others take its index
    kind = "MjvGeom" if p.name == "geom" and function.startswith("mjv_") else ARGUMENTS.get(p.name, "Any")
    if p.default is None and "None" not in kind and kind != "Any":
        kind += " | None"
    return f"{star}{p.name}: {kind}{default}"


def signature(function, first=None):
    """The parameters of a function in parentheses."""
    found = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    parts = [first] if first else []
    keyword = False
    for p in found:
        if p.kind is p.KEYWORD_ONLY and not keyword:
            parts.append("*")
            keyword = True
        parts.append(parameter(p, getattr(function, "__name__", "")))
    return f"({', '.join(parts)})"


def function(name, value):
    """A function of the module."""
    result = "Any"
    if name.startswith(("mj_name2id", "mj_version", "mj_is", "mj_stateSize", "mj_sizeModel")) and name != "mj_versionString":
        result = "int"
    return [f"def {name}{signature(value)} -> {result}:", doc_lines(value.__doc__, "    "), "    ..."]


def accessors(kinds):
    """Named access."""
    lines = []
    for kind in [*kinds, *(alias for alias, kind in named.ALIASES.items() if kind in kinds)]:
        lines += [f"    def {kind}(self, name: str | int = ...) -> Any:",
                  doc_lines(f"Fields of one {named.ALIASES.get(kind, kind)}, given by name or index.", "        "), "        ..."]
    return lines


def model_class(table):
    """`MjModel`."""
    lines = ["class MjModel:", doc_lines(kinetree.MjModel.__doc__, "    ")]
    for name in ("from_xml_path", "from_xml_string", "from_binary_path"):
        first = "xml: str | bytes" if name == "from_xml_string" else "filename: str | os.PathLike[str]"
        level = "" if name == "from_binary_path" else ", reference: str | None = None"
        lines += ["    @classmethod", f"    def {name}(cls, {first}, assets: dict[str, bytes] | None = None{level}) -> MjModel:",
                  doc_lines(getattr(kinetree.MjModel, name).__doc__, "        "), "        ..."]
    for name, cls in (("opt", "MjOption"), ("stat", "MjStatistic"), ("vis", "MjVisual")):
        lines += attribute(name, cls, getattr(kinetree.MjModel, name).__doc__)
    lines += attribute("reference", "str", kinetree.MjModel.reference.__doc__)
    for name, doc in table["sizes"]:
        lines += attribute(name, "int", doc)
    return lines + fields(table["MjModel"]) + accessors(named.KINDS)


def data_class(table):
    """`MjData`."""
    lines = ["class MjData:", doc_lines(kinetree.MjData.__doc__, "    "),
             "    def __init__(self, model: MjModel, source: MjData | None = None) -> None: ..."]
    lines += attribute("model", "MjModel", "The model this data was made for.")
    lines += attribute("time", "float", "Simulation time (s).")
    for name, doc in table["scalars"]:
        lines += attribute(name, "int", doc)
    for name in ("energy", "solver_niter", "solver_nnz", "solver_fwdinv"):
        kind = "float64" if name in ("energy", "solver_fwdinv") else "int32"
        lines += attribute(name, array_type(kind), getattr(kinetree.MjData, name).__doc__)
    for name in ("contact", "warning", "timer", "solver", "solver_unconverged", "derivative_kinks"):
        kind = "MjWarningStat" if name in ("solver_unconverged", "derivative_kinks") else "Any"
        lines += ["    @property", f"    def {name}(self) -> {kind}:",
                  doc_lines(getattr(kinetree.MjData, name).__doc__, "        "), "        ..."]
    return lines + fields(table["MjData"]) + accessors(named.DATA)


def spec_classes():
    """`MjSpec` and its elements."""
    lines = []
    elements = (kinetree.MjsElement, *spec.CLASSES.values())
    plain = (kinetree.MjsDefault, kinetree.MjsOrientation, kinetree.MjsWrap, kinetree.MjsCompiler)
    for cls in (*elements, *plain):
        base = "(MjsElement)" if cls in elements[1:] else ""
        lines += [f"class {cls.__name__}{base}:", doc_lines(cls.__doc__, "    ")]
        if cls is kinetree.MjsCompiler:
            lines.append("    def __getattr__(self, name: str) -> Any: ...")
        lines += members(cls)
    lines += ["class MjSpec:", doc_lines(kinetree.MjSpec.__doc__, "    "),
              "    def __init__(self) -> None: ...", "    assets: dict[str, str | bytes]", "    copy_during_attach: bool"]
    return lines + members(kinetree.MjSpec)


def drawing_classes():
    """`GLContext`, `MjrContext`, `Renderer` and `BatchRenderer`."""
    lines = []
    for cls in (kinetree.GLContext, kinetree.MjrContext, kinetree.Renderer, kinetree.BatchRenderer):
        lines += [f"class {cls.__name__}:", doc_lines(cls.__doc__, "    ")]
        lines += [f"    def __init__{signature(cls.__init__, 'self')} -> None: ..."]
        if cls is not kinetree.GLContext:
            lines += ["    def __getattr__(self, name: str) -> Any: ..."]
        lines += members(cls)
    return lines


def members(cls):
    """Documented methods and properties that a class defines."""
    lines = []
    for name, value in sorted(vars(cls).items()):
        if name.startswith("_"):
            continue
        if isinstance(value, property) and value.fset is not None:
            lines += attribute(name, "Any", value.__doc__)
        elif isinstance(value, property):
            lines += ["    @property", f"    def {name}(self) -> Any:", doc_lines(value.__doc__, "        "), "        ..."]
        elif isinstance(value, classmethod):
            lines += ["    @classmethod", f"    def {name}{signature(value.__func__, 'cls')} -> Any:",
                      doc_lines(value.__doc__, "        "), "        ..."]
        elif isinstance(value, staticmethod):
            lines += ["    @staticmethod", f"    def {name}{signature(value.__func__)} -> Any:",
                      doc_lines(value.__doc__, "        "), "        ..."]
        elif inspect.isfunction(value):
            lines += [f"    def {name}{signature(value, 'self')} -> Any:", doc_lines(value.__doc__, "        "), "        ..."]
    return lines


def stub():
    """The whole stub."""
    table = _core.field_table()
    lines = [HEADER]
    for name, value in sorted(vars(kinetree).items()):
        if isinstance(value, type) and issubclass(value, enum.IntEnum):
            members_of = [f"    {m} = {v.value}" for m, v in value.__members__.items()]
            lines += [f"class {name}(enum.IntEnum):", doc_lines(value.__doc__, "    "), *members_of, ""]
    for name in sorted(kinetree.constants.__all__):
        lines.append(f"{name}: {type(getattr(kinetree, name)).__name__}")
    for group, cls in options._GROUPS.items():
        lines += ["", *struct(cls, table[group])]
    lines += ["", "class MjVisual:", doc_lines(kinetree.MjVisual.__doc__, "    ")]
    for group, cls in list(options._GROUPS.items())[2:]:
        lines.append(f"    {'global_' if group == 'global' else group}: {cls.__name__}")
    plain = [value for module in (scene, visual) for _, value in sorted(vars(module).items())
             if isinstance(value, type) and issubclass(value, options.Struct) and value.__module__ == module.__name__
             and not value.__name__.startswith("_")]
    for cls in [kinetree.MjContact, kinetree.MjWarningStat, kinetree.MjTimerStat, kinetree.MjSolverStat, *plain]:
        lines += ["", *plain_struct(cls)]
    lines += ["", *scene_class()]
    lines += ["", *model_class(table), "", *data_class(table), "", *spec_classes(), "", *drawing_classes(), ""]
    for name in sorted(kinetree.__all__):
        value = getattr(kinetree, name)
        if callable(value) and not isinstance(value, type):
            lines += function(name, value)
    return "\n".join(lines) + "\n"


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when the stub is not up to date")
    text = stub()
    if parser.parse_args().check:
        sys.exit(0 if STUB.read_text(encoding="utf-8") == text else f"{STUB.name} is not up to date: run {sys.argv[0]}")
    STUB.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
