"""Models, data and scenes as text, and the files of a model: beside the reference, where it is installed."""

import math
import pathlib
import re

import kinetree
import pytest

MODELS = pathlib.Path(__file__).parents[2] / "models"
NAMES = ("tendons", "sensors", "keyframes", "custom", "mesh", "skin", "equality", "actuators", "mocap", "muscle_arm", "hfield", "sleep",
         "sampled_sensors", "materials", "convex_contacts")
# memory, time, and how the solver came to its result are each engine's own; after islands the reference has states of the warm start
OWN = re.compile(r"^(MEMORY|TIMER|EFC_STATE)\n(.+\n)*?(?=\n)|^SOLVER STAT\n(.*\n)*?(?=ENERGY)", re.M)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)\b")
LINES = re.compile(r"^(SIGNATURE\n|MuJoCo version|  n?buffer|  narena|  nbuffer|  total|  maxuse_\w+).*\n", re.M)


def compared(text):
    """A text without what is each engine's own."""
    text = OWN.sub("", text)
    return LINES.sub("", text).splitlines()


def last_digit(number, decimals):
    """What the last digit of a printed number is worth: of so many decimals, or else of two significant digits."""
    if decimals is not None:
        return 10.0**-decimals
    return 10.0 ** (math.floor(math.log10(abs(number))) - 1) if number and math.isfinite(number) else 0.0


def same(ours, theirs, where, decimals=None):
    """Two texts have the same words in the same columns, and numbers that differ at most by one in the last digit that is printed:
    values that agree to 1e-9 may be rounded to either side."""
    ours, theirs = compared(ours), compared(theirs)
    for i, (line, other) in enumerate(zip(ours, theirs)):
        if line == other:
            continue
        context = f"{where}, line {i}:\n{line}\n{other}"
        assert NUMBER.sub("#", line).split() == NUMBER.sub("#", other).split(), context
        for number, expected in zip(NUMBER.finditer(line), NUMBER.finditer(other)):
            if number[0] == expected[0]:
                continue
            # what has decimals fills a column of nine characters, integers do not
            assert not number[0].isdigit() or line.startswith("  ", number.end()), context
            mine, its = float(number[0]), float(expected[0])
            allowed = 1e-9 + 1.001 * max(last_digit(mine, decimals), last_digit(its, decimals))
            assert abs(mine - its) <= allowed, context
    assert len(ours) == len(theirs), where


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", [None, "%12.3f"])
def test_models_and_data_look_as_in_the_reference(name, form, tmp_path):
    mujoco = pytest.importorskip("mujoco", minversion="3.8.0")
    texts = []
    for engine in (kinetree, mujoco):
        model = engine.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))
        data = engine.MjData(model)
        engine.mj_step(model, data)
        engine.mj_forward(model, data)
        # matrices by island, which a step here does without
        engine.mj_island(model, data)
        files = [str(tmp_path / f"{engine.__name__}-{what}.txt") for what in ("model", "data")]
        if form is None:
            engine.mj_printModel(model, files[0])
            engine.mj_printData(model, data, files[1])
        else:
            engine.mj_printFormattedModel(model, files[0], form)
            engine.mj_printFormattedData(model, data, files[1], form)
        texts.append([pathlib.Path(file).read_text() for file in files])
    for ours, theirs, what in zip(*texts, ("model", "data")):
        same(ours, theirs, f"{what} of {name}", None if form is None else 3)


def test_scenes_look_as_in_the_reference(tmp_path):
    mujoco = pytest.importorskip("mujoco", minversion="3.8.0")
    texts = []
    for engine in (kinetree, mujoco):
        model = engine.MjModel.from_xml_path(str(MODELS / "materials.xml"))
        data = engine.MjData(model)
        engine.mj_forward(model, data)
        scene, option, camera = engine.MjvScene(model, 1000), engine.MjvOption(), engine.MjvCamera()
        engine.mjv_updateScene(model, data, option, None, camera, int(engine.mjtCatBit.mjCAT_ALL), scene)
        file = tmp_path / f"{engine.__name__}.txt"
        engine.mj_printFormattedScene(scene, str(file), "%.2f")
        texts.append(file.read_text())
    same(*texts, "scene", 2)


def test_formats_that_are_none_are_refused(tmp_path):
    model = kinetree.MjModel.from_xml_string("<mujoco/>")
    file = str(tmp_path / "model.txt")
    for form in ("", "%s", "%d", "%*f", "%f%f", "hello"):
        with pytest.raises(ValueError, match="no format for a number"):
            kinetree.mj_printFormattedModel(model, file, form)
    with pytest.raises(kinetree.FatalError, match="cannot write"):
        kinetree.mj_printModel(model, str(tmp_path / "missing" / "model.txt"))


FILES = {
    "robot.xml": """<mujoco><compiler meshdir="early" assetdir="assets"/><include file="parts/common.xml"/>
      <compiler meshdir="meshes" texturedir="pictures"/>
      <asset><mesh name="a" file="a.stl"/><hfield name="h" file="h.png" size="1 1 1 1"/>
        <texture name="cube" type="cube" fileright="r.png" fileleft="l.png" fileup="u.png" filedown="d.png" filefront="f.png" fileback="b.png"/>
        <skin name="s" file="s.skn"/><model name="child" file="child.xml"/></asset>
      <worldbody><body><flexcomp name="x" type="mesh" file="x.obj" dim="2"/></body></worldbody></mujoco>""",
    "parts/common.xml": "<mujoco><asset><texture name='t' type='2d' file='t.png'/></asset></mujoco>",
    "child.xml": "<mujoco><compiler meshdir='other'/><asset><mesh name='b' file='b.obj'/></asset></mujoco>",
}
EXPECTED = ["child.xml", "meshes/a.stl", "meshes/h.png", "meshes/s.skn", "meshes/x.obj", "other/b.obj", "parts/common.xml", "pictures/b.png",
            "pictures/d.png", "pictures/f.png", "pictures/l.png", "pictures/r.png", "pictures/t.png", "pictures/u.png", "robot.xml"]


def test_files_of_a_model(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    # what an included file names is looked for in its own folder, too: this one is where the compiler's section says
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/t.png").touch()
    found = kinetree.mju_getXMLDependencies(str(tmp_path / "robot.xml"))
    assert [str(pathlib.Path(path).relative_to(tmp_path)) for path in found] == EXPECTED
    monkeypatch.chdir(tmp_path.parent)
    found = kinetree.mju_getXMLDependencies(f"{tmp_path.name}/robot.xml")
    assert found == [f"{tmp_path.name}/{name}" for name in EXPECTED]
    with pytest.raises(kinetree.FatalError, match="missing.xml"):
        kinetree.mju_getXMLDependencies("missing.xml")


def test_files_that_the_reference_finds_are_found(tmp_path):
    mujoco = pytest.importorskip("mujoco", minversion="3.8.0")
    for path in sorted(MODELS.glob("*.xml")):
        theirs = {pathlib.Path(name).resolve() for name in mujoco.mju_getXMLDependencies(str(path))}
        ours = {pathlib.Path(name).resolve() for name in kinetree.mju_getXMLDependencies(str(path))}
        assert theirs == ours, path.name
