"""Windows of OpenGL that a program has made with GLFW: pictures are drawn elsewhere and copied into the window that is current.

Nothing here is loaded unless the program itself has imported `glfw`.
"""

import ctypes
import sys
import warnings
from typing import Any

import numpy as np

_GL_RGB, _GL_UNSIGNED_BYTE, _GL_UNPACK_ALIGNMENT = 0x1907, 0x1401, 0x0CF5


def current():
    """The visible window whose context is current; None when there is none."""
    glfw: Any = sys.modules.get("glfw")
    if not hasattr(glfw, "get_current_context"):
        return None
    with warnings.catch_warnings():
        # of a program that has imported the library and makes no windows
        warnings.simplefilter("ignore")
        window = glfw.get_current_context()
    return window if window and glfw.get_window_attrib(window, glfw.VISIBLE) else None


def size(window):
    """Columns and rows of the picture in a window."""
    width, height = sys.modules["glfw"].get_framebuffer_size(window)
    return max(width, 1), max(height, 1)


def _function(name, *arguments):
    """A function of the current context. It is looked up each time: `glfw.terminate` unloads the driver, and a window that is made
    afterwards has other addresses."""
    address = ctypes.cast(sys.modules["glfw"].get_proc_address(name), ctypes.c_void_p).value
    if not address:
        raise RuntimeError(f"the window's OpenGL has no {name}: show the world with kinetree.viewer instead")
    return ctypes.CFUNCTYPE(None, *arguments)(address)


def show(pixels):
    """Copies a picture, (rows, columns, 3) bytes from the bottom up, into the current window; its program swaps buffers."""
    pixels = np.ascontiguousarray(pixels, np.uint8)
    height, width = pixels.shape[:2]
    integer = ctypes.c_int
    _function("glViewport", integer, integer, integer, integer)(0, 0, width, height)
    _function("glPixelStorei", ctypes.c_uint, integer)(_GL_UNPACK_ALIGNMENT, 1)
    _function("glWindowPos2i", integer, integer)(0, 0)
    draw = _function("glDrawPixels", integer, integer, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p)
    draw(width, height, _GL_RGB, _GL_UNSIGNED_BYTE, pixels.ctypes.data)
