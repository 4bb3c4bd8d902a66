"""Functions of the reference that have little to do with physics."""

import os
import random
import xml.etree.ElementTree as ElementTree

import numpy as np

from kinetree import _core
from kinetree._core import FatalError
from kinetree.enums import mjtObj
from kinetree.options import MjOption, MjVisual
from kinetree.visual import MjLROpt


def mju_type2Str(type):
    """Name of an object type; None when there is none."""
    name = next((n for n, v in mjtObj.__members__.items() if v == int(type)), None)
    return None if name is None or name == "mjOBJ_UNKNOWN" or not name.startswith("mjOBJ_") else name[6:].lower()


def mju_str2Type(str):
    """Object type of a name; 0 when there is none."""
    name = str.decode() if isinstance(str, bytes) else str
    return int(mjtObj.__members__.get("mjOBJ_" + name.upper(), 0))


def mju_writeNumBytes(nbytes):
    """A number of bytes in a short form, such as 3M."""
    value, units = int(nbytes), ["", "K", "M", "G", "T", "P", "E"]
    while len(units) > 1 and value and value % 1024 == 0:
        value, units = value // 1024, units[1:]
    return f"{value}{units[0]}"


def mju_writeLog(type, msg):
    """Appends a message to the log file `MUJOCO_LOG.TXT`."""
    with open("MUJOCO_LOG.TXT", "a", encoding="utf-8") as file:
        file.write(f"{type}: {msg}\n")


def mju_standardNormal(num2=None):
    """A normally distributed number."""
    return random.gauss(0.0, 1.0)


def mju_getXMLDependencies(filename):
    """The file, the files it includes and the assets it uses."""
    found, waiting = [], [os.fspath(filename)]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.append(name)
        if not name.endswith((".xml", ".urdf", ".mjcf")) or not os.path.exists(name):
            continue
        root = ElementTree.parse(name).getroot()
        folder = os.path.dirname(name)
        compiler = root.find("compiler")
        settings = {} if compiler is None else compiler.attrib
        for element in root.iter():
            file = element.get("file") or element.get("filename")
            if not file:
                continue
            inner = settings.get({"mesh": "meshdir", "texture": "texturedir"}.get(element.tag, "assetdir"),
                                 settings.get("assetdir", "")) if element.tag not in ("include", "model") else ""
            waiting.append(os.path.join(folder, inner, file).replace("\\", "/"))
    return found


def mj_defaultLROpt(opt):
    """Sets default values."""
    opt._fields.update(MjLROpt()._fields)


def mj_defaultOption(opt):
    """Sets default values."""
    for name, array in MjOption()._fields.items():
        opt._fields[name][...] = array


def mj_defaultVisual(vis):
    """Sets default values."""
    fresh = MjVisual()
    for group in fresh.__dict__:
        for name, array in getattr(fresh, group)._fields.items():
            getattr(vis, group)._fields[name][...] = array


def mj_printFormattedModel(m, filename, float_format="%g"):
    """Writes sizes and arrays of a model to a text file."""
    _core.mj_printModel(m, filename)


def mj_printFormattedData(m, d, filename, float_format="%g"):
    """Writes all arrays of a data to a text file."""
    _core.mj_printData(m, d, filename)


_warning_callback = None


def set_mju_user_warning(callback):
    """Sets a function that gets the text of each warning after the call that raised it; None removes it."""
    global _warning_callback
    if callback is not None and not callable(callback):
        raise TypeError("callback is not an Optional[Callable]")
    _warning_callback = callback
    _core._set_warning_hook(callback)


def get_mju_user_warning():
    """The function that gets the text of warnings, or None."""
    return _warning_callback


def mj_defaultSolRefImp(solref, solimp):
    """Sets default solver parameters; either array may be None."""
    if solref is not None:
        solref[:] = (0.02, 1.0)
    if solimp is not None:
        solimp[:] = (0.9, 0.95, 0.001, 0.5, 2.0)


def mj_addContact(m, d, con):
    """Adds a contact to the list of a data; returns 0."""
    arrays = {name: np.concatenate([array, np.reshape(getattr(con, name), (1, *array.shape[1:])).astype(array.dtype)])
              for name, array in d._contacts().items()}
    d._set_contacts(arrays, len(arrays["dist"]))
    return 0


def mj_loadPluginLibrary(path):
    """Not available: native plugins need the reference's own library."""
    raise FatalError(f"unsupported: plugin library '{path}'")


def mj_loadAllPluginLibraries(directory):
    """Does nothing: native plugins need the reference's own library."""


__all__ = [n for n in dir() if n.startswith(("mj_", "mju_", "set_mju_", "get_mju_"))]
