"""Functions of the reference that have little to do with physics."""

import ctypes
import os
import random

import numpy as np

from kinetree import _core
from kinetree._core import FatalError
from kinetree.constants import mjMAXCONPAIR
from kinetree.enums import mjtDisableBit, mjtObj
from kinetree.options import MjOption, MjVisual
from kinetree.scene_text import scene_text
from kinetree.visual import MjLROpt

# what functions of ctypes have in common
_FunctionOfC = ctypes.CFUNCTYPE(None).__mro__[1]


def mju_type2Str(type):
    """Name of an object type, such as "body".

    Args:
        type: an `mjtObj`; None is returned when it has no name.
    """
    name = next((n for n, v in mjtObj.__members__.items() if v == int(type)), None)
    return None if name is None or name == "mjOBJ_UNKNOWN" or not name.startswith("mjOBJ_") else name[6:].lower()


def mju_str2Type(str):
    """Object type, an `mjtObj` as a number, of a name.

    Args:
        str: the name, such as "body"; 0 is returned when there is no such type.
    """
    name = str.decode() if isinstance(str, bytes) else str
    return int(mjtObj.__members__.get("mjOBJ_" + name.upper(), 0))


def mju_writeNumBytes(nbytes):
    """A number of bytes in a short form, such as 3M.

    Args:
        nbytes: number of bytes.
    """
    value, units = int(nbytes), ["", "K", "M", "G", "T", "P", "E"]
    while len(units) > 1 and value and value % 1024 == 0:
        value, units = value // 1024, units[1:]
    return f"{value}{units[0]}"


def mju_writeLog(type, msg):
    """Appends a message to the log file `MUJOCO_LOG.TXT` in the working directory.

    Args:
        type: kind of the message, such as "WARNING".
        msg: the message.
    """
    with open("MUJOCO_LOG.TXT", "a", encoding="utf-8") as file:
        file.write(f"{type}: {msg}\n")


def mju_standardNormal(num2=None):
    """A number from the standard normal distribution.

    Args:
        num2: accepted and ignored, as in the reference's package: a second number has no way out.
    """
    return random.gauss(0.0, 1.0)


def mj_defaultLROpt(opt):
    """Gives the settings of the search for length ranges their default values.

    Args:
        opt: the `MjLROpt` that is set.
    """
    opt._fields.update(MjLROpt()._fields)


def mj_defaultOption(opt):
    """Gives physics options their default values.

    Args:
        opt: the `MjOption` that is set.
    """
    for name, array in MjOption()._fields.items():
        opt._fields[name][...] = array


def mj_defaultVisual(vis):
    """Gives visualization settings their default values.

    Args:
        vis: the `MjVisual` that is set.
    """
    fresh = MjVisual()
    for group in fresh.__dict__:
        for name, array in getattr(fresh, group)._fields.items():
            getattr(vis, group)._fields[name][...] = array


_warning_callback = None


def set_mju_user_warning(callback):
    """Sets a function that gets the text of warnings; without one they are written to standard error.

    Args:
        callback: function of one text, called after the call that raised the warning; None removes it. One made by `ctypes`
            takes its text as bytes, as C does.
    """
    global _warning_callback
    if callback is not None and not callable(callback):
        raise TypeError("callback is not an Optional[Callable]")
    _warning_callback = callback
    is_of_c = isinstance(callback, _FunctionOfC)
    _core._set_warning_hook((lambda text: callback(text.encode())) if is_of_c else callback)


def get_mju_user_warning():
    """The function that gets the text of warnings; None when there is none."""
    return _warning_callback


def mj_defaultSolRefImp(solref, solimp):
    """Writes the default solver parameters.

    Args:
        solref: array of two values, or None.
        solimp: array of five values, or None.
    """
    if solref is not None:
        solref[:] = (0.02, 1.0)
    if solimp is not None:
        solimp[:] = (0.9, 0.95, 0.001, 0.5, 2.0)


def mj_addContact(m, d, con):
    """Appends a contact to those of a world; returns 0.

    The next `mj_collision`, and every step, detects contacts again. Call `mj_makeConstraint` afterwards to use it.

    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        con: the `MjContact`, which is copied.
    """
    arrays = {name: np.concatenate([array, np.reshape(getattr(con, name), (1, *array.shape[1:])).astype(array.dtype)])
              for name, array in d._contacts().items()}
    d._set_contacts(arrays, len(arrays["dist"]))
    return 0


def mj_loadPluginLibrary(path):
    """Not supported: plugins that are compiled for MuJoCo need its library. Use `register_plugin`.

    Args:
        path: path of a library.

    Raises:
        FatalError: always.
    """
    raise FatalError(f"unsupported: plugin library '{path}'")


def mj_loadAllPluginLibraries(directory):
    """Loads nothing and warns: plugins that are compiled for MuJoCo need its library. Use `register_plugin`.

    Args:
        directory: path of a folder.
    """
    _core._warn(f"unsupported: no plugin library of '{os.fspath(directory)}' was loaded, since they need the reference's own library. "
                f"These plugins are built in: {', '.join(sorted(name for name, *_ in _core.plugins()))}.")


# most contacts of a plane with each type of geom, by its number, and of pairs with a routine of their own
_OF_PLANE = {2: 1, 3: 2, 4: 1, 5: 4, 6: 4, 7: 3}
_OF_PAIR = {(3, 3): 2, (3, 6): 4, (6, 6): 8}


def mj_maxContact(m, g1, g2, has_margin):
    """Largest number of contacts that two geoms can have.

    Args:
        m: the model, an `MjModel`.
        g1: id of the first geom.
        g2: id of the second geom.
        has_margin: whether the pair has a margin, which limits the contacts of flat faces.
    """
    for geom in (g1, g2):
        if not 0 <= geom < m.ngeom:
            raise FatalError(f"Invalid geom index {geom}")
    first, second = sorted((int(m.geom_type[g1]), int(m.geom_type[g2])))
    if second == 8:
        # each search in a distance field finds a point
        return int(m.opt.sdf_initpoints)
    if first == 0:
        return _OF_PLANE.get(second, 0)
    if first == 1:
        return 0 if second == 1 else mjMAXCONPAIR
    if (first, second) in _OF_PAIR:
        return _OF_PAIR[first, second]
    # round geoms touch in a point, and so do all without the search for more of them
    disabled = int(m.opt.disableflags)
    if {first, second} & {2, 4} or disabled & mjtDisableBit.mjDSBL_MULTICCD:
        return 1
    of_faces = {first, second} <= {6, 7} and not has_margin and not disabled & mjtDisableBit.mjDSBL_NATIVECCD
    return 4 if of_faces else 5


def mj_printScene(s, filename):
    """Writes the geoms, lights and cameras of a scene to a text file.

    Args:
        s: an `MjvScene`.
        filename: path of the file.
    """
    mj_printFormattedScene(s, filename, "% -9.2g")


def mj_printFormattedScene(s, filename, float_format):
    """Writes a scene to a text file as `mj_printScene` does, with numbers in a given format.

    Args:
        s: an `MjvScene`.
        filename: path of the file.
        float_format: format of numbers as in C, such as `"%.6g"`.
    """
    with open(filename, "w", encoding="utf-8") as file:
        file.write(scene_text(s, float_format))


def _memory_functions(name):
    def get():
        return None

    def put(function):
        if function is not None:
            raise NotImplementedError(f"unsupported: mju_user_{name}, since memory is not allocated by functions of C")

    get.__name__, put.__name__ = f"get_mju_user_{name}", f"set_mju_user_{name}"
    get.__doc__ = f"None: memory is not allocated by C functions, so that there is no `{name}` function to replace."
    put.__doc__ = """Not supported: memory is not allocated by C functions.

    Args:
        function: must be None.

    Raises:
        NotImplementedError: `function` is not None.
    """
    return get, put


get_mju_user_malloc, set_mju_user_malloc = _memory_functions("malloc")
get_mju_user_free, set_mju_user_free = _memory_functions("free")


__all__ = [n for n in dir() if n.startswith(("mj_", "mju_", "set_mju_", "get_mju_"))]
