"""Model descriptions: `MjSpec` and its elements."""

import typing

from kinetree.spec import bind, presets  # noqa: F401
from kinetree.spec.elements import CLASSES, MjsDefault, MjsElement, MjsOrientation, MjsWrap
from kinetree.spec.fields import MjsCompiler
from kinetree.spec.model import MjSpec, mj_saveLastXML, mj_saveXML, mj_saveXMLString

globals().update({cls.__name__: cls for cls in CLASSES.values()})
MjStruct = typing.Union[tuple(CLASSES.values())]  # noqa: UP007


def to_zip(spec, file):
    """Writes a zip archive with a model and its assets.

    Args:
        spec: the `MjSpec`.
        file: path of the archive, or an open file.
    """
    spec.to_zip(file)


def from_zip(file):
    """Reads a zip archive with one model and its assets.

    Args:
        file: path of the archive, or an open file.

    Returns:
        The `MjSpec`.
    """
    return MjSpec.from_zip(file)


__all__ = ["MjSpec", "MjStruct", "MjsCompiler", "MjsDefault", "MjsElement", "MjsOrientation", "MjsWrap", "from_zip", "mj_saveLastXML",
           "mj_saveXML", "mj_saveXMLString", "to_zip",
           *(cls.__name__ for cls in CLASSES.values())]
