"""The page of the terminal command, from the arguments that its sources declare: the text of `kinetree NAME --help`."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "crates" / "cli" / "src"
ARGS = re.compile(r"((?:^///[^\n]*\n)+)((?:^#\[.*?\]\n)*?)^pub\(crate\) struct Args \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"((?:^ +///[^\n]*\n)+)(?:^ +#\[cfg[^\n]*\n)*((?:^ +#\[arg\(.*?\)\]\n)?)(?:^ +#\[[^\n]*\]\n)*"
                   r"^ +(?:pub(?:\([^)]*\))? )?(r#)?(\w+): ([^\n]*?),\n", re.MULTILINE | re.DOTALL)


def comment(text):
    """The words of a documentation comment."""
    lines = [line.strip().removeprefix("///").strip() for line in text.strip().split("\n")]
    return "\n".join(lines)


def flag(name, attribute, kind):
    """How an argument is written."""
    value = re.search(r'value_name = "([^"]*)"', attribute)
    word = value[1] if value else name.upper().replace("_", "-")
    if "long" not in attribute:
        return f"{word}…" if kind.startswith("Vec") else (f"[{word}]" if kind.startswith("Option") else word)
    given = re.search(r'long = "([^"]*)"', attribute)
    option = "--" + (given[1] if given else name.replace("_", "-"))
    return option if kind == "bool" else f"{option} {word}"


def default(attribute):
    """The default of an argument."""
    found = re.search(r'default_value(?:_t)? = ("([^"]*)"|[^,)\]]+)', attribute)
    return (found[2] or found[1]).strip() if found else ""


def section(name, text):
    """A subcommand: what it does, its arguments, examples."""
    found = ARGS.search(text)
    if not found:
        raise ValueError(f"no arguments of 'kinetree {name}' were found in {SOURCES}")
    about, attributes, body = comment(found[1]), found[2], found[3]
    out = [f"## kinetree {name}", "", about.replace("<", "&lt;"), "", "| argument | meaning | default |", "|---|---|---|"]
    fields = FIELD.findall(body)
    if not fields and ":" in re.sub(r"///[^\n]*|#\[[^\n]*", "", body):
        raise ValueError(f"the arguments of 'kinetree {name}' are declared in another way than this script knows")
    for words, attribute, _, field, kind in fields:
        meaning = " ".join(comment(words).split()).replace("|", "\\|").replace("<", "&lt;")
        value = default(attribute)
        shown = flag(field, attribute, kind).replace("|", "\\|")
        out.append(f"| `{shown}` | {meaning} | {'`' + value + '`' if value else ''} |")
    examples = re.search(r'after_help = "((?:[^"\\]|\\.)*)"', attributes)
    if examples:
        lines = examples[1].replace("\\n", "\n").replace('\\"', '"').split("\n")
        code = [line.strip() for line in lines if line.startswith("  ")]
        out += ["", "```sh", *code, "```"]
    return "\n".join(out) + "\n"


def text():
    """The page."""
    main = (SOURCES / "main.rs").read_text(encoding="utf-8")
    names = re.findall(r"^    (\w+)\((\w+)::Args\)", main[main.index("enum Command"):], re.MULTILINE)
    parts = [
        "Every subcommand has `--help` with examples, and `--json` for programs. `MODEL` is a file (MJCF, URDF or a binary model) or the name of a "
        "model that is built in: `kinetree models` lists those.\n",
        "| option of all | meaning |\n|---|---|\n| `--json` | print JSON for programs instead of text for people |\n"
        "| `--color auto` | when to use colours: `auto`, `always`, `never` |\n",
    ]
    for _, module in names:
        # a file, or a folder of which one has the arguments
        files = [SOURCES / f"{module}.rs", *sorted((SOURCES / module).glob("*.rs"))]
        texts = [file.read_text(encoding="utf-8") for file in files if file.exists()]
        parts.append(section(module, next((text for text in texts if ARGS.search(text)), "")))
    return "\n".join(parts)
