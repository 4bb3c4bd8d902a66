"""Every field of floating-point numbers says its unit in parentheses, or is known here to have none."""

import inspect
import re

import kinetree
import numpy as np
import pytest
from kinetree import _core, spec
from kinetree.spec import texts

# "m", "kg m²", "N m/rad", "1/(kg m²)"; after the first one may come others and words: "(m or rad; quaternions of …)"
_ATOM = r"(?:√?kg|rad|deg|pixels|cd|Pa|T|N|m|s)[²³⁴⁵]?"
_PRODUCT = rf"{_ATOM}(?: {_ATOM})*"
_OVER = rf"/(?:{_ATOM}|\({_PRODUCT}\))"
_UNIT = rf"(?:{_PRODUCT}(?:{_OVER})?|1{_OVER})"
# what a program or another element decides about
_DEPENDS = r"any unit|units? of \w"
UNIT = re.compile(rf"\((?:{_DEPENDS}|(?:{_UNIT})(?=\)|[;,] | (?:or|and|of|per|in|where) ))")

# ratios, weights, directions, rotations, colours, and solver settings that are scaled; a group of settings where all fields are relative
PLAIN = {
    "MjModel": """
        body_quat body_iquat body_gravcomp jnt_axis geom_solmix geom_quat geom_rgba site_quat site_rgba cam_quat cam_mat0 light_dir light_dir0
        light_exponent light_ambient light_diffuse light_specular flex_solmix flex_vert0 flex_rgba flex_texcoord mesh_normal mesh_texcoord
        mesh_scale mesh_quat mesh_polynormal skin_rgba skin_texcoord skin_bonebindquat skin_bonevertweight hfield_data mat_emission
        mat_specular mat_shininess mat_reflectance mat_metallic mat_roughness mat_rgba tendon_rgba wrap_prm actuator_gear key_mquat""",
    "MjData": "mocap_quat xquat xmat ximat xaxis geom_xmat site_xmat cam_xmat light_xdir",
    "opt": "impratio tolerance ls_tolerance noslip_tolerance",
    "stat": "",
    "global": "glow realtime",
    "quality": "",
    "headlight": "ambient diffuse specular",
    "map": "alpha fogstart fogend znear zfar haze shadowclip shadowscale actuatortendon",
}
ALL_PLAIN = ("scale", "rgba")
PLAIN_OF_SPEC = {
    "quat": "body camera frame geom site", "iquat": "body", "refquat": "mesh", "mquat": "key", "bindquat": "skin", "axis": "joint", "dir": "light",
    "gravcomp": "body", "gear": "actuator", "inheritrange": "actuator", "solmix": "flex geom", "fluid_coefs": "geom", "fitscale": "geom",
    "scale": "mesh", "poisson": "flex", "usernormal": "mesh", "usertexcoord": "mesh", "texcoord": "flex skin", "userdata": "hfield",
    "rgba": "flex geom material site skin tendon", "ambient": "light", "diffuse": "light", "specular": "light material", "exponent": "light",
    "texrepeat": "material", "emission": "material", "shininess": "material", "reflectance": "material", "metallic": "material",
    "roughness": "material", "rgb1": "texture", "rgb2": "texture", "markrgb": "texture", "random": "texture",
}
IN_BODIES = ("frame", "joint", "geom", "site", "camera", "light")


def fields_of_structs():
    """Group, name and documentation of each floating-point field of models, data and settings."""
    for group, rows in _core.field_table().items():
        for row in rows:
            if len(row) > 2 and row[1].startswith("float"):
                yield group, row[0], row[3]


def fields_of_elements():
    """Kind, name and documentation of each floating-point field of the elements of a description."""
    for kind, cls in spec.CLASSES.items():
        description = kinetree.MjSpec()
        body = description.worldbody.add_body()
        element = body if kind == "body" else getattr(body if kind in IN_BODIES else description, f"add_{kind}")()
        for name, value in vars(cls).items():
            if isinstance(value, property) and isinstance(held := getattr(element, name), (float, np.ndarray)):
                if isinstance(held, float) or held.dtype.kind == "f":
                    yield kind, name, value.__doc__


# arguments of functions that have a unit wherever they occur
ARGUMENTS = "dt time times phase point pnt jacp jacr jacPoint jacAxis force torque qpos qvel distmax fromto newmass".split()


def arguments_of_functions():
    """Function, argument and description of each argument of the simulation functions that has a unit."""
    for name in kinetree.__all__:
        if name.startswith("mj_"):
            for argument, text in re.findall(r"^    (\w+): (.*(?:\n        .*)*)", inspect.getdoc(getattr(kinetree, name)) or "", re.MULTILINE):
                if argument in ARGUMENTS:
                    yield name, argument, text


STRUCTS = list(fields_of_structs())
ELEMENTS = list(fields_of_elements())


def plain():
    """Groups and names of the fields without unit."""
    listed = {(group, name) for group, names in PLAIN.items() for name in names.split()}
    return listed | {(kind, name) for name, kinds in PLAIN_OF_SPEC.items() for kind in kinds.split()}


def test_all_fields_are_found():
    assert len(STRUCTS) > 360
    assert len(ELEMENTS) > 150
    assert {kind for kind, _, _ in ELEMENTS} >= {"body", "joint", "actuator", "sensor", "flex", "key"}


def test_fields_say_their_unit():
    wrong = [(group, name, doc) for group, name, doc in STRUCTS + ELEMENTS
             if group not in ALL_PLAIN and (group, name) not in plain() and not UNIT.search(doc)]
    assert wrong == []


def test_fields_without_unit_exist_and_say_none():
    docs = {(group, name): doc for group, name, doc in STRUCTS + ELEMENTS}
    assert sorted(plain() - docs.keys()) == []
    assert [key for key in plain() if UNIT.search(docs[key])] == []


def test_arguments_say_their_unit():
    found = list(arguments_of_functions())
    assert {argument for _, argument, _ in found} == set(ARGUMENTS)
    assert [(name, argument) for name, argument, text in found if not UNIT.search(text)] == []


def test_angles_of_other_orientations_say_their_unit():
    assert [name for name in ("axisangle", "euler") if not UNIT.search(texts.ORIENTATIONS[name])] == []


@pytest.mark.parametrize(
    "doc", ["Mass (kg).", "Stiffness (N/m or N m/rad).", "Weights (1/kg, 1/(kg m²)).", "Positions (m; none).", "Values (any unit)."])
def test_a_unit_is_seen(doc):
    assert UNIT.search(doc)


@pytest.mark.parametrize("doc", ["Mass.", "Mass (large).", "A share (0 to 1).", "Names (many).", "Shape (1,)."])
def test_other_parentheses_are_no_unit(doc):
    assert not UNIT.search(doc)
