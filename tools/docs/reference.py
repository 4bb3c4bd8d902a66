"""Writes the pages of the Python reference from the type stub and the sources, without importing the package.

    python tools/docs/reference.py        # docs/reference/api/*.md, which are not kept in the repository

The build of the manual calls it. Every public name gets an entry that the search and links find.
"""

import ast
import inspect
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import command  # noqa: E402

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "kinetree"
TARGET = ROOT / "docs" / "reference" / "api"
# modules beside the package itself: page, title, module and file, first words
MODULES = [
    ("batch", "kinetree.batch: many worlds", [("kinetree.batch", "batch.py")]),
    ("gpu", "kinetree.gpu: worlds on a GPU", [("kinetree.gpu", "gpu.py")]),
    ("envs", "kinetree.envs: environments", [("kinetree.envs", "envs/__init__.py"), ("kinetree.envs", "envs/vector.py"),
                                             ("kinetree.envs.dm", "envs/dm.py"), ("kinetree.envs.ray", "envs/ray.py")]),
    ("ik", "kinetree.ik: inverse kinematics", [("kinetree.ik", "chain.py"), ("kinetree.ik", "ik.py")]),
    ("control", "kinetree.control: regulators and trajectory optimization", [("kinetree.control", "control.py"), ("kinetree.control", "_costs.py"),
                                                                             ("kinetree.control", "_mpc.py")]),
    ("sysid", "kinetree.sysid: system identification", [("kinetree.sysid", "sysid.py")]),
    ("grad", "kinetree.grad: derivatives", [("kinetree.grad", "grad.py"), ("kinetree.grad_torch", "grad_torch.py"),
                                            ("kinetree.grad_jax", "grad_jax.py")]),
    ("soft", "kinetree.soft: deformable bodies", [("kinetree.soft", "soft.py")]),
    ("rollout", "kinetree.rollout: trajectories", [("kinetree.rollout", "rollout.py")]),
    ("minimize", "kinetree.minimize: least squares", [("kinetree.minimize", "minimize.py")]),
    ("viewer", "kinetree.viewer: the window", [("kinetree.viewer", "viewer.py")]),
]
# functions of the package by their prefix: page, title, prefixes
FUNCTIONS = [
    ("functions", "Simulation functions (mj_)", ("mj_",)),
    ("functions-derivatives", "Derivatives (mjd_)", ("mjd_",)),
    ("functions-math", "Mathematics (mju_)", ("mju_",)),
    ("functions-scene", "Scenes and drawing (mjv_, mjr_)", ("mjv_", "mjr_")),
    ("functions-other", "Callbacks, plugins and files", ("",)),
]


def markdown(text):
    """A docstring as Markdown: literal blocks become code, `Args:` and `Attributes:` lists."""
    lines, out, index = inspect.cleandoc(text or "").split("\n"), [], 0
    while index < len(lines):
        line = lines[index]
        if line.rstrip().endswith("::"):
            head = line.rstrip()[:-2].rstrip()
            if head:
                out += [head + ":", ""]
            index += 1
            code = []
            while index < len(lines) and (not lines[index].strip() or lines[index].startswith("    ")):
                code.append(lines[index])
                index += 1
            out += ["```python", *inspect.cleandoc("\n".join(code)).split("\n"), "```", ""]
            continue
        section = re.fullmatch(r"(Args|Arguments|Attributes|Returns|Raises|Yields|Example|Examples):", line.strip())
        if section:
            index += 1
            block = []
            while index < len(lines) and (not lines[index].strip() or lines[index].startswith("    ")):
                block.append(lines[index][4:])
                index += 1
            out += ["", f"**{ {'Args': 'Arguments'}.get(section[1], section[1]) }**", ""]
            if section[1].startswith("Example"):
                out += ["```python", *[part.removeprefix(">>> ") for part in "\n".join(block).strip("\n").split("\n")], "```"]
            else:
                out += items(block)
            out.append("")
            continue
        out.append(line)
        index += 1
    text = re.sub(r"(?<!`)``(?!`)", "`", "\n".join(out))
    # what is not code: elements of model files are no tags, dollars no formulas
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.DOTALL)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;").replace("$", "\\$").replace("*", "\\*").replace("\\*\\*", "**")
                   for part in parts).strip()


def items(block):
    """Lines `name: text` with continuations as a list."""
    out = []
    for line in block:
        entry = re.match(r"(\*{0,2}[\w.]+(?:, \*{0,2}[\w.]+)*)(?: \(([^)]*)\))?: (.*)", line)
        if entry and not line.startswith(" "):
            kind = f" ({entry[2]})" if entry[2] else ""
            names = ", ".join(f"`{name}`" for name in entry[1].split(", "))
            out.append(f"- {names}{kind}: {entry[3]}")
        elif line.strip():
            out.append(("  " if out else "") + line.strip())
    return out


def signature(node, method=False):
    """Arguments of a function as text."""
    arguments = ast.unparse(node.args)
    if method:
        arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    arguments = arguments.replace(": Any", "").replace("=...", "=…").replace(" = ...", "=…")
    result = f" -> {ast.unparse(node.returns)}" if node.returns is not None and ast.unparse(node.returns) not in ("Any", "None") else ""
    return f"({arguments}){result}"


def directive(kind, head, body, options=(), depth=3):
    """An entry of the Python domain."""
    fence = "`" * depth
    option = "".join(f":{option}:\n" for option in options)
    return f"{fence}{{py:{kind}}} {head}\n{option}\n{body}\n{fence}\n"


def documented(body):
    """Statements of a class or module, each with the text below it."""
    for index, node in enumerate(body):
        following = body[index + 1] if index + 1 < len(body) else None
        text = ""
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant) and isinstance(following.value.value, str):
            text = following.value.value
        yield node, text


def function(module, node):
    """An entry of a function."""
    return directive("function", f"{module}.{node.name}{signature(node)}", markdown(ast.get_docstring(node)), depth=4)


def class_entry(module, node, fields=True):
    """An entry of a class with its methods and attributes."""
    parts = [markdown(ast.get_docstring(node)), ""]
    init = ""
    for member, text in documented(node.body):
        if isinstance(member, ast.FunctionDef):
            if member.name == "__init__":
                init = signature(member, True)
            elif not member.name.startswith("_"):
                decorators = [ast.unparse(one) for one in member.decorator_list]
                if any(one.endswith(".setter") for one in decorators):
                    continue
                if "property" in decorators:
                    parts.append(directive("property", member.name, markdown(ast.get_docstring(member)), depth=4))
                else:
                    options = [one for one in decorators if one in ("classmethod", "staticmethod")]
                    parts.append(directive("method", member.name + signature(member, "staticmethod" not in decorators),
                                           markdown(ast.get_docstring(member)), options, depth=4))
        elif fields and isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and not member.target.id.startswith("_"):
            kind = ast.unparse(member.annotation).replace("typing.", "")
            option = () if kind == "Any" else (f"type: {kind}",)
            parts.append(attribute(member.target.id, option, markdown(text)))
        elif isinstance(member, ast.Assign) and isinstance(member.targets[0], ast.Name) and not member.targets[0].id.startswith("_"):
            # a property that a function of the module makes, with its text as the last argument
            if isinstance(member.value, ast.Call):
                texts = [one.value for one in member.value.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                parts.append(attribute(member.targets[0].id, (), markdown(texts[-1] if texts and " " in texts[-1] else "")))
    return directive("class", f"{module}.{node.name}{init}", "\n".join(parts), depth=5)


def attribute(name, options, text):
    """An entry of an attribute."""
    text = "" if text == f"The field `{name}`." else text
    return "````{py:attribute} " + name + "\n" + "".join(f":{one}\n" if one.startswith("type") else "" for one in options) + f"\n{text}\n````\n"


def parse(file):
    """The syntax tree of a file of the package."""
    return ast.parse((PACKAGE / file).read_text(encoding="utf-8"))


def enum_table(node):
    """An enumeration as a table of its values."""
    rows = [f"| `{one.targets[0].id}` | {ast.unparse(one.value)} |" for one in node.body if isinstance(one, ast.Assign)]
    text = markdown(ast.get_docstring(node))
    return directive("class", f"kinetree.{node.name}", "\n".join([text, "", "| name | value |", "|---|---|", *rows]), depth=4)


def page(name, title, text, keywords="", lead=""):
    """Writes a page when it differs, so that a build only reads what has changed."""
    # the search takes each keyword as one word
    words = ", ".join(re.findall(r"[\w.]+", keywords or title))
    head = f"---\nmyst:\n  html_meta:\n    keywords: {words}, API, reference\n---\n# {title}\n\n"
    content = head + (lead + "\n\n" if lead else "") + text
    file = TARGET / f"{name}.md"
    if not file.exists() or file.read_text(encoding="utf-8") != content:
        file.write_text(content, encoding="utf-8")
    return file


def is_enum(node):
    """Whether a class is an enumeration."""
    return any("Enum" in ast.unparse(base) for base in node.bases)


def package_pages():
    """Pages of the names of the package itself, from its stub."""
    tree = parse("__init__.pyi")
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    written, left = [], list(functions)
    for name, title, prefixes in FUNCTIONS:
        chosen = [node for node in left if node.name.startswith(prefixes)]
        left = [node for node in left if node not in chosen]
        written.append(page(name, title, "\n".join(function("kinetree", node) for node in sorted(chosen, key=lambda one: one.name))))
    enums = [node for node in classes.values() if is_enum(node)]
    written.append(page("enums", "Enumerations", "\n".join(enum_table(node) for node in enums)))
    groups = {
        "model": ("MjModel", lambda n: n == "MjModel", "field, array, shape, size, nbody, geom_friction, body_mass"),
        "data": ("MjData", lambda n: n == "MjData", "field, array, shape, state, qpos, sensordata, contact"),
        "spec": ("MjSpec and its elements", lambda n: n.startswith("Mjs") or n == "MjSpec", "edit, build, attach"),
        "renderer": ("Renderer and BatchRenderer", lambda n: n.endswith("Renderer"), "render, image, camera"),
        "structs": ("Options, contacts, scenes and other structures", lambda n: True, "MjOption, MjContact, MjvScene, MjvCamera"),
    }
    rest = [node for node in classes.values() if not is_enum(node) and not node.name.startswith("_")]
    for name, (title, belongs, keywords) in groups.items():
        chosen = [node for node in rest if belongs(node.name)]
        rest = [node for node in rest if node not in chosen]
        written.append(page(name, title, "\n".join(class_entry("kinetree", node) for node in chosen), keywords))
    return written


def module_pages():
    """Pages of the other modules, from their sources."""
    written = []
    for name, title, files in MODULES:
        parts = []
        for index, (module, file) in enumerate(files):
            if not (PACKAGE / file).exists():
                continue
            tree = parse(file)
            public = exported(tree)
            text = markdown(ast.get_docstring(tree))
            parts += ([f"## {module}", ""] if index and files[index - 1][0] != module else []) + [text, ""]
            for node in tree.body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and (node.name in public if public else not node.name.startswith("_")):
                    parts.append(function(module, node) if isinstance(node, ast.FunctionDef) else class_entry(module, node))
        written.append(page(name, title, "\n".join(parts)))
    return written


def exported(tree):
    """Names in `__all__`, if there is one."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__" and isinstance(node.value, ast.List):
            return [one.value for one in node.value.elts if isinstance(one, ast.Constant)]
    return []


def main():
    """Writes all pages and removes those that are no longer made."""
    TARGET.mkdir(parents=True, exist_ok=True)
    written = set(package_pages() + module_pages())
    written.add(page("command", "The command", command.text(), "kinetree, terminal, shell, CLI, option, flag, argument, help"))
    for stale in set(TARGET.glob("*.md")) - written:
        stale.unlink()


if __name__ == "__main__":
    main()
