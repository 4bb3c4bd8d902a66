"""Everything public says what it does: each function names all of its parameters, each class and attribute has a sentence."""

import enum
import importlib
import inspect
import re
import types

import pytest

# modules beside the package itself; some need packages of their own
MODULES = ("kinetree", "kinetree.batch", "kinetree.mixed", "kinetree.gpu", "kinetree.ik", "kinetree.grad", "kinetree.minimize", "kinetree.rollout",
           "kinetree.viewer", "kinetree.envs", "kinetree.soft", "kinetree.control", "kinetree.sysid")
# a type for annotations
NO_CALLABLE = {"MjStruct"}
# classes that other calls make: their arguments are no concern of users
MADE_ELSEWHERE = re.compile(r"kinetree\.(MjModel|Mjs\w+|viewer\.Handle|ik\.\w*Result)")
MIN_WORDS = 3


def parameters(value):
    """Names of the parameters of something that is called."""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in found if p.name not in ("self", "cls") and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def described(text, name):
    """Whether a text names a parameter."""
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None


def names(module):
    """Public names of a module that are its own."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return listed
    return [name for name, value in vars(module).items() if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__]


def members(cls):
    """Public attributes that a class or its bases in the package define."""
    for name in sorted(dir(cls)):
        owner = next((base for base in cls.__mro__ if name in vars(base)), None)
        if not name.startswith("_") and owner is not None and not issubclass(Exception, owner) and owner.__module__ not in ("builtins", "enum"):
            value = getattr(cls, name)
            # values of class variables say nothing about themselves, and types of other packages are not ours
            if inspect.isclass(value) and not value.__module__.startswith("kinetree"):
                continue
            if callable(value) or hasattr(type(value), "__get__"):
                yield name, value


def public():
    """Name and value of all that is public."""
    for module_name in MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        for name in sorted(set(names(module)) - NO_CALLABLE):
            value = getattr(module, name)
            if isinstance(value, types.ModuleType) or not (callable(value) or inspect.isclass(value)):
                continue
            yield f"{module_name}.{name}", value
            if inspect.isclass(value) and not issubclass(value, enum.Enum):
                for member, one in members(value):
                    yield f"{module_name}.{name}.{member}", one


EVERYTHING = list(public())
CLASSES = [(name, value) for name, value in EVERYTHING if inspect.isclass(value)]


def faults(name, value):
    """What is wrong with a docstring."""
    text = inspect.getdoc(value) or ""
    if isinstance(value, types.MemberDescriptorType):
        # a field of a dataclass with slots, which its class describes
        return ""
    if inspect.isclass(value):
        if text == (inspect.getdoc(value.__mro__[1]) or "") and value.__mro__[1] is not object:
            return f"{name}: its docstring is that of its base"
        text += inspect.getdoc(value.__init__) or ""
    if len(text.split()) < MIN_WORDS:
        return f"{name}: no docstring of {MIN_WORDS} words: {text!r}"
    if inspect.isclass(value) and (issubclass(value, enum.Enum) or MADE_ELSEWHERE.fullmatch(name)):
        return ""
    missing = [one for one in parameters(value) if not described(text, one)] if callable(value) else []
    return f"{name}: does not say what {', '.join(missing)} means" if missing else ""


def test_everything_is_found():
    assert len(EVERYTHING) > 1500
    assert {"kinetree.mj_ray", "kinetree.MjModel.geom", "kinetree.MjsGeom.size", "kinetree.MjvScene.ngeom"} <= dict(EVERYTHING).keys()


def test_docstrings_say_what_parameters_mean():
    wrong = [fault for name, value in EVERYTHING if (fault := faults(name, value))]
    assert wrong == [], "\n" + "\n".join(wrong)


def test_no_docstring_is_the_name_of_a_field():
    wrong = [name for name, value in EVERYTHING if re.fullmatch(r"The (field|setting) `\w+`\.", inspect.getdoc(value) or "")]
    assert wrong == []


@pytest.mark.parametrize("text", ["Computes `res = vec1`.", "Does some other things."])
def test_a_parameter_that_is_not_named_is_found(text):
    def function(res, vec2):
        return res, vec2

    function.__doc__ = text
    assert "vec2" in faults("function", function)
