"""The manual: its code blocks run, its links lead somewhere, its words are the field's."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "docs"))

import check  # noqa: E402
import examples  # noqa: E402
import pages  # noqa: E402
import run_page  # noqa: E402
import words  # noqa: E402

COMMAND = os.environ.get("KINETREE_COMMAND") or next((str(ROOT / "target" / profile / "kinetree") for profile in ("debug", "fast", "release")
                                                     if (ROOT / "target" / profile / "kinetree").exists()), None)
# the npm package, as `tools/web/build.sh` or another build has made it
PACKAGE = pathlib.Path(os.environ.get("KINETREE_PACKAGE", ROOT / "target" / "npm" / "kinetree")).resolve()
# what a page needs beside the package
NEEDS = {"many-worlds": ["gymnasium"], "training": ["gymnasium"], "control": ["matplotlib"], "sensors": ["matplotlib"], "plugins": ["matplotlib"],
         "system-identification": ["matplotlib"]}


def name(page):
    """A page in the output of the tests."""
    return page.relative_to(ROOT).as_posix()


def marked(language, *kinds):
    """Blocks of a language with one of these marks, with their pages."""
    return [(page, block) for page in pages.pages() for block in pages.blocks(page) if block.language in language and block.kind in kinds]


def ids(found):
    """Page and line of blocks."""
    return [f"{name(page)}:{block.line}" for page, block in found]


WITH_PYTHON = [page for page in pages.pages() if page.name != "README.md"
               and any(block.language == "python" and block.kind in ("run", "fresh") for block in pages.blocks(page))]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name)
def test_python_of_a_page_runs(page):
    for module in ["PIL" if pages.pictures(page) else "numpy", *NEEDS.get(page.stem, [])]:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"needs {module}")
    done, missing = run_page.run(page)
    if "no graphics adapter" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    assert done.returncode == 0, done.stderr
    assert not missing, f"the code of the page makes no {missing}"


PYTHON_TEXT = marked(("python",), "syntax")


@pytest.mark.parametrize(("page", "block"), PYTHON_TEXT, ids=ids(PYTHON_TEXT))
def test_python_that_cannot_run_everywhere_compiles(page, block):
    assert block.reason, "the comment says why it is not run"
    compile(block.text, name(page), "exec")


SHELL = marked(("sh",), "run", "syntax")


@pytest.mark.parametrize(("page", "block"), SHELL, ids=ids(SHELL))
def test_shell_commands(page, block, tmp_path):
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("needs bash")
    subprocess.run([shell, "-n", "-c", block.text], check=True)
    if block.kind == "syntax" or page.name == "README.md":
        return
    if COMMAND is None:
        pytest.skip("the command is not built: cargo build -p kinetree-cli")
    run_page.workplace(tmp_path)
    path = {"PATH": f"{pathlib.Path(COMMAND).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([shell, "-e", "-c", block.text], cwd=tmp_path, env=os.environ | path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


JAVASCRIPT = marked(("js",), "javascript") + [(page, block) for page, block in marked(("js",), "run") if page.name == "README.md"]


@pytest.mark.parametrize(("page", "block"), JAVASCRIPT, ids=ids(JAVASCRIPT))
def test_javascript(page, block, tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node")
    program = tmp_path / "program.mjs"
    program.write_text(block.text, encoding="utf-8")
    subprocess.run([node, "--check", program], check=True)
    if not PACKAGE.exists():
        pytest.skip("the npm package is not built: tools/web/build.sh")
    run_page.workplace(tmp_path)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "kinetree").symlink_to(PACKAGE, target_is_directory=True)
    done = subprocess.run([node, program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_rust_blocks_are_those_that_cargo_compiles():
    # crates/kinetree/tests/manual.rs includes the same text: `python tools/docs/rust_blocks.py` writes it
    done = subprocess.run([sys.executable, ROOT / "tools" / "docs" / "rust_blocks.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_public_modules_have_examples():
    assert examples.findings() == []


def test_languages_are_known():
    known = {"python", "sh", "rust", "js", "xml", "html", "toml", "text", "mermaid", ""}
    for page in pages.pages():
        for block in pages.blocks(page):
            assert block.language in known, f"{name(page)}:{block.line}: {block.language}"


def test_text():
    assert check.findings() == []


def test_private_words_are_found_in_comments_and_names():
    text = "// the slope\nfn force_slope() {}\nstruct LoneStep;\nlet alone = \"a slope\"; // slow\n"
    assert [line.split(": ")[1] for line in words.in_source("a.rs", text)] == ["'slope'", "'slope'", "'Lone'"]
    assert list(words.in_source("crates/math/src/boxqp.rs", "let slope = 0.0;")) == []


def test_private_words_are_found_in_what_users_read():
    rust = 'Err("nobody has loaded it anew")  // a comment\n    // no text: "anew"\n'
    assert [line.split(": ")[1] for line in words.in_texts("a.rs", rust)] == ["'nobody'", "'anew'"]
    python = 'def f():\n    """One line.\n\n    The slope of it."""\n    raise ValueError("nonsense")\n'
    assert sorted(line.split(": ")[0] for line in words.in_texts("a.py", python)) == ["a.py:4", "a.py:5"]


def test_pictures_are_small():
    for page in pages.pages():
        for picture in pages.pictures(page):
            size = (page.parent / "images" / picture).stat().st_size
            assert size <= (500_000 if picture.endswith(".gif") else 150_000), f"{picture}: {size} bytes"


def test_every_public_name_is_in_the_reference(tmp_path, monkeypatch):
    import kinetree
    import reference

    monkeypatch.setattr(reference, "TARGET", tmp_path)
    reference.main()
    text = "\n".join(file.read_text(encoding="utf-8") for file in tmp_path.glob("*.md"))
    constants = set(kinetree.constants.__all__)
    missing = [one for one in kinetree.__all__ if one not in constants and f"kinetree.{one}" not in text]
    assert missing == []
