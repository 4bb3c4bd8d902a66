"""The private words that this project once had for things that have a name in the field, and where they may not come back: in pages, in
comments, in the names of the sources, and in what users read of them (docstrings, help, messages)."""

import ast
import re
import subprocess

from pages import ROOT, prose

# words that a reader would have to learn, and what the field says
PRIVATE = {
    r"slopes?": "derivative, Jacobian, gradient",
    r"curved maps?": "nonlinear transmission",
    r"carried weights?": "gravity compensation",
    r"lone bod(?:y|ies)": "single free body",
    r"readings|the reading": "sensor values, `sensordata`",
    r"switched equalities|switches equalities": "equality activation, `eq_active`",
    r"told beforehand|told apart beforehand": "culled",
    r"whoever": "the caller, the thread",
    r"(?:wakes?|woken?) nobody": "no thread is woken",
    r"worlds that rest": "inactive worlds",
    r"tables? of numbers": "parameter buffer",
    r"places in memory": "offsets",
    r"what touches is": "contact",
    r"pull(?:ed)? back by": "vector–Jacobian product, adjoint",
    r"stranger'?s walk": "tour of the source",
    r"doors?": "entry points",
}
# further words that pages, docstrings, help and messages do not have: old-fashioned, or translated
PUBLIC = PRIVATE | {
    r"anew": "again, re…",
    r"at given places": "at given indices",
    r"beforehand": "in advance",
    r"gapless": "contiguous",
    r"in turns|tak(?:es?|ing) turns": "alternately, interleaved",
    r"nobody|somebody|anybody": "no caller, no thread, another program",
    r"nonsense": "invalid input",
    r"(?:told|counted|judged|kept) apart": "separately",
    r"those (?:that )?there are": "the available ones",
    r"what is kept": "cache, cached",
}
# sources whose comments are help that users read
HELP = ("crates/cli/src/", "crates/python/src/functions")
# sources whose texts users read
TEXTS = re.compile(r"crates/\w+/src/|python/kinetree/")
# the same as words of a name: `force_slope`, `LoneStep`
NAMES = {
    r"slopes?": "derivative, jacobian, gradient",
    r"readings": "sensordata",
    r"lone": "single_free",
    r"carried_weights?": "gravity_compensation",
    r"curved_maps?": "nonlinear_transmission",
    r"doors?": "entry",
}
# further words of a name, in the crates whose names are free of them: `in_place` and `half_turns` say what they mean
NAMES_OF_CRATES = NAMES | {
    r"(?<!in_)places?": "offset, index, position, pose, target",
    r"(?<!half_)(?<!quarter_)turn(?:s|ed)?": "rotation, angle, orientation",
    r"apart": "separation, separated",
}
CRATES = ("batch", "collide", "gpu", "ik", "math", "model", "plugins", "render", "sim", "spec", "tasks")
# where such a word is the field's own
ALLOWED = {
    "crates/collide/src/hfield/round.rs": ("slope", "of the ground"),
    "crates/gpu/src/shader/wgsl/cone_elliptic.wgsl": ("slope", "of the function of a line search"),
    "crates/gpu/src/shader/wgsl/cone_pyramidal.wgsl": ("slope", "of the function of a line search"),
    "crates/gpu/src/shader/wgsl/solve.wgsl": ("slope", "of the function of a line search"),
    "crates/kinetree/tests/it/physics.rs": ("slope", "that a box slides down"),
    "crates/math/src/boxqp.rs": ("slope", "of the function of a line search"),
    "crates/model/src/data.rs": ("slope", "of the function of a line search"),
    "crates/plugins/tests/it/formulas.rs": ("slope", "of an elastic curve"),
    "crates/render/src/gpu/pipeline.rs": ("slope", "of a depth bias, as wgpu calls it"),
    "crates/sim/src/solver/primal/descent.rs": ("slope", "of the function of a line search"),
    "crates/sim/src/solver/primal/line_search.rs": ("slope", "of the function of a line search"),
    "crates/sim/tests/it/stages/noslip.rs": ("slope", "that a box rests on"),
    "crates/sim/tests/it/stages/sensors.rs": ("slope", "that rays meet"),
    "crates/sim/tests/it/units.rs": ("slope", "of a helix"),
    "crates/soft/tests/it/world.rs": ("slope", "that a cloth rests on"),
    "docs/batches.md": ("slopes", "of terrain"),
    "python/kinetree/envs/terrain.py": ("slope", "of terrain"),
    "python/tests/test_randomize.py": ("slopes", "of terrain"),
    "docs/solver.md": ("slopes", "of the function of a line search"),
}
SOURCES = ("*.rs", "*.wgsl", "*.py", "*.pyi", "*.js", "*.mjs", "*.ts")
COMMENT = re.compile(r"(?://[/!]?|/\*+|\"\"\"|#) ?(.*)")
TEXT = re.compile(r"r?\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")


def any_word(table):
    """What finds the words of a table in text."""
    return re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in table), re.IGNORECASE)


def any_name(table):
    """What finds the words of a table in names."""
    return re.compile("|".join(rf"(?<![A-Za-z])(?:{pattern})(?![a-z])" for pattern in table), re.IGNORECASE)


ANY_WORD = {False: any_word(PRIVATE), True: any_word(PUBLIC)}
ANY_NAME, ANY_NAME_OF_CRATES = any_name(NAMES), any_name(NAMES_OF_CRATES)
# the words of a name in camel case, so that they are found like those between underscores
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def advice(table, found):
    """What the field says for a word."""
    return next(better for pattern, better in table.items() if re.fullmatch(pattern, found, re.IGNORECASE))


def is_allowed(name, found):
    """Whether a file has a word in the sense of the field."""
    return name in ALLOWED and found.lower().startswith(ALLOWED[name][0].removesuffix("s"))


def in_page(page):
    """Private words in the prose of a page."""
    name = page.relative_to(ROOT).as_posix()
    for number, line in prose(page):
        text = re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)
        for match in ANY_WORD[True].finditer(text):
            if not is_allowed(name, match[0]):
                yield f"{name}:{number}: '{match[0]}': say {advice(PUBLIC, match[0])}"


def texts(name, text):
    """Texts of a source that users may read, with their lines: strings of Rust, strings and docstrings of Python."""
    if name.endswith((".py", ".pyi")):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from enumerate(node.value.split("\n"), node.lineno)
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if not line.lstrip().startswith("//"):
                yield from ((number, match[0]) for match in TEXT.finditer(line))


def in_texts(name, text):
    """Private words in the texts of a source."""
    for number, line in texts(name, text):
        for match in ANY_WORD[True].finditer(line):
            if not is_allowed(name, match[0]):
                yield f"{name}:{number}: '{match[0]}': say {advice(PUBLIC, match[0])}"


def in_source(name, text):
    """Private words in the comments and names of a source."""
    in_crates = name.startswith(tuple(f"crates/{crate}/" for crate in CRATES))
    words, any_of_words = (PUBLIC, ANY_WORD[True]) if name.startswith(HELP) else (PRIVATE, ANY_WORD[False])
    names, any_of_names = (NAMES_OF_CRATES, ANY_NAME_OF_CRATES) if in_crates else (NAMES, ANY_NAME)
    for number, line in enumerate(text.split("\n"), 1):
        code = TEXT.sub("", line)
        comment = COMMENT.search(code)
        code = code[:comment.start()] if comment else code
        found = [(words, match[0]) for match in any_of_words.finditer(comment[1])] if comment else []
        found += [(names, match[0]) for match in any_of_names.finditer(HUMP.sub("_", code))]
        for table, word in found:
            if not is_allowed(name, word):
                yield f"{name}:{number}: '{word}': say {advice(table, word)}"


def in_sources():
    """Private words in all sources but these tools."""
    files = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in files:
        if (ROOT / name).exists() and not name.startswith("tools/docs/"):
            text = (ROOT / name).read_text(encoding="utf-8")
            yield from in_source(name, text)
            if TEXTS.match(name) and not name.endswith((".js", ".mjs", ".ts")):
                yield from in_texts(name, text)
