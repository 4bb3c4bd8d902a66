"""Rendering contexts and the functions that draw into them: `MjrContext`, `mjr_render`, `mjr_readPixels` and others.

A context keeps its pictures as arrays whose rows begin at the bottom. What `mjr_render` draws is drawn when it is first read, so that
only what is asked for, colours or depth, costs time. No window and no OpenGL is needed; where a program has made a visible window with
GLFW and its context is current, that is the window buffer, and what is drawn to it is shown there.
"""

import functools
import weakref

import numpy as np

from kinetree import _core, gl_window
from kinetree.enums import mjtDepthMap, mjtFontScale, mjtFramebuffer
from kinetree.structs import _text
from kinetree.visual import MjrRect

_MAX_SIDE = 16384
# auxiliary buffers of a context
_AUX = 10


class GLContext:
    """Stands in for MuJoCo's OpenGL context, so that programs which make one run; drawing needs none here.

    Args:
        max_width: ignored.
        max_height: ignored.
    """

    def __init__(self, max_width=640, max_height=480):
        del max_width, max_height

    def make_current(self):
        """Does nothing: drawing needs no current context."""

    def free(self):
        """Does nothing: there is no context to release."""


class MjrContext:
    """Buffers that the functions `mjr_…` draw to, and the meshes and textures of a model on the graphics adapter.

    `kinetree.Renderer` is simpler for most purposes. A context has an offscreen buffer of `offWidth` x `offHeight` pixels (from
    `model.vis.global_`), up to ten auxiliary ones, and a window's when the program has made a window current with GLFW.

    Args:
        model: the `MjModel` to draw; None for a context that draws text and rectangles only.
        fontscale: size of letters, an `mjtFontScale`.

    Example::

        scene, context = kinetree.MjvScene(model, 1000), kinetree.MjrContext(model)
        kinetree.mjv_updateScene(model, data, kinetree.MjvOption(), None, kinetree.MjvCamera(), kinetree.mjtCatBit.mjCAT_ALL, scene)
        kinetree.mjr_render(kinetree.MjrRect(0, 0, 320, 240), scene, context)
    """

    _current: "weakref.ref[MjrContext] | None" = None

    def __init__(self, model=None, fontscale=mjtFontScale.mjFONTSCALE_150):
        self._core = None
        self.glInitialized = 1
        self.windowSamples = self.windowStereo = 0
        self.readPixelFormat = 0x1907  # GL_RGB
        self.readDepthMap = int(mjtDepthMap.mjDEPTH_ZERONEAR)
        if model is None:
            self.offWidth, self.offHeight, self.offSamples = 800, 600, 0
            self.lineWidth = self.shadowClip = self.shadowScale = self.fogStart = self.fogEnd = 0.0
            self.shadowSize, self.fogRGBA = 0, np.zeros(4, np.float32)
        else:
            visual, extent = model.vis, model.stat.extent
            self.offWidth, self.offHeight = visual.global_.offwidth, visual.global_.offheight
            self.offSamples = visual.quality.offsamples
            self.lineWidth, self.shadowSize = visual.global_.linewidth, visual.quality.shadowsize
            self.shadowClip, self.shadowScale = extent * visual.map.shadowclip, visual.map.shadowscale
            self.fogStart, self.fogEnd = extent * visual.map.fogstart, extent * visual.map.fogend
            self.fogRGBA = np.array(visual.rgba.fog, np.float32)
        self._core = _core.CoreContext(model, (int(self.offWidth), int(self.offHeight)), int(fontscale))
        self._show_font()
        self.currentBuffer = int(mjtFramebuffer.mjFB_OFFSCREEN)
        self.windowAvailable = self.windowDoublebuffer = int(gl_window.current() is not None)
        mjr_setBuffer(mjtFramebuffer.mjFB_WINDOW if self.windowAvailable else mjtFramebuffer.mjFB_OFFSCREEN, self)

    def free(self):
        """Releases the memory; the context cannot draw any more."""
        self._core = None

    def _open(self):
        """What is drawn to."""
        if self._core is None:
            raise RuntimeError("this context was freed")
        return self._core

    def _show_font(self):
        self.fontScale, letter = self._open().font()
        self.charHeight = 7 * letter
        self.charWidth = np.full(127, 6 * letter, np.int32)
        self.charHeightBig, self.charWidthBig = 2 * self.charHeight, 2 * self.charWidth

    def _fit_window(self):
        """Makes the window buffer as large as the window is now."""
        window = gl_window.current() if self._open().is_window() else None
        if window is not None:
            self._open().fit_window(*gl_window.size(window))

    def _pixels(self):
        """Colours of the buffer that is drawn to, rows from the bottom."""
        width, height = self._open().size()
        return self._open().read_color((0, 0, width, height)).reshape(height, width, 3)

    def _show(self):
        """Shows what was drawn to the window buffer."""
        if self._core is not None and self._core.is_window() and gl_window.current() is not None:
            gl_window.show(self._pixels())


def _is_window(con):
    """Whether the buffer that `mjr_setBuffer` has chosen is the window's."""
    return con.currentBuffer == int(mjtFramebuffer.mjFB_WINDOW)


def _rect(viewport):
    return viewport.left, viewport.bottom, viewport.width, viewport.height


def mjr_render(viewport, scn, con):
    """Draws a scene.

    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        scn: the `MjvScene`, filled by `mjv_updateScene`.
        con: the `MjrContext`.

    Raises:
        FatalError: the context was made without a model.
    """
    rect = _rect(viewport)
    if rect[2] <= 0 or rect[3] <= 0:
        return
    con._fit_window()
    con._open().render(rect, scn)
    MjrContext._current = weakref.ref(con)
    con._show()


def _target(array, dtype, shape, name):
    """An argument to write pixels to, in the shape of the picture."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        raise TypeError(f"{name} must be an array of {np.dtype(dtype).name}")
    if array.size != np.prod(shape):
        raise TypeError(f"{name} has {array.size} elements, but the viewport needs {' x '.join(map(str, shape))}")
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise TypeError(f"{name} must be contiguous and writable")
    return array.reshape(shape)


def mjr_readPixels(rgb, depth, viewport, con):
    """Copies pixels of the current buffer; the first row is the lowest.

    Args:
        rgb: uint8 array (height, width, 3) that gets the colours, or None.
        depth: float32 array (height, width) that gets the depth, 0 to 1 as `con.readDepthMap` says, or None.
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        con: the `MjrContext`.

    Raises:
        FatalError: the viewport reaches beyond the buffer.
    """
    core, rect = con._open(), _rect(viewport)
    height, width = rect[3], rect[2]
    core.check(rect)
    if rgb is not None:
        target = _target(rgb, np.uint8, (height, width, 3), "rgb")
        target[...] = core.read_color(rect).reshape(target.shape)
    if depth is not None:
        target = _target(depth, np.float32, (height, width), "depth")
        zero_near = int(con.readDepthMap) == int(mjtDepthMap.mjDEPTH_ZERONEAR)
        target[...] = core.read_depth(rect, zero_near).reshape(target.shape)


def mjr_drawPixels(rgb, depth, viewport, con):
    """Copies pixels into the current buffer; the first row is the lowest.

    Args:
        rgb: uint8 colours, shape (height, width, 3), or None.
        depth: float32 depth, shape (height, width), or None.
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        con: the `MjrContext`.
    """
    core, rect = con._open(), _rect(viewport)
    core.check(rect)
    if rgb is not None:
        core.draw_color(rect, np.ascontiguousarray(rgb, np.uint8).reshape(rect[3], rect[2], 3))
    if depth is not None:
        core.draw_depth(rect, np.ascontiguousarray(depth, np.float32).reshape(rect[3], rect[2]))


def mjr_rectangle(viewport, r, g, b, a):
    """Fills a rectangle of the context that was used last.

    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        r: red, 0 to 1.
        g: green, 0 to 1.
        b: blue, 0 to 1.
        a: opacity, 0 to 1.
    """
    current = MjrContext._current
    con = None if current is None else current()
    if con is None:
        raise _core.FatalError("there is no rendering context: make an MjrContext first")
    con._open().rectangle(_rect(viewport), (r, g, b, a))


def mjr_text(font, txt, con, x, y, r, g, b):
    """Writes text.

    Args:
        font: an `mjtFont`.
        txt: the text.
        con: the `MjrContext`.
        x: left end, relative to the width of the buffer, 0 to 1.
        y: lower end, relative to the height of the buffer, 0 to 1.
        r: red, 0 to 1.
        g: green, 0 to 1.
        b: blue, 0 to 1.
    """
    con._open().text(int(font), _text(txt), (x, y), (r, g, b))


def mjr_label(viewport, font, txt, r, g, b, a, rt, gt, bt, con):
    """Writes text in the middle of a filled rectangle.

    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        font: an `mjtFont`.
        txt: the text.
        r: red of the rectangle, 0 to 1.
        g: green, 0 to 1.
        b: blue, 0 to 1.
        a: opacity, 0 to 1.
        rt: red of the text.
        gt: green of the text.
        bt: blue of the text.
        con: the `MjrContext`.
    """
    con._open().label(_rect(viewport), int(font), _text(txt), (r, g, b, a), (rt, gt, bt))


def mjr_overlay(font, gridpos, viewport, overlay, overlay2, con):
    """Writes one or two columns of text on a dark rectangle.

    Args:
        font: an `mjtFont`.
        gridpos: where in the viewport, an `mjtGridPos`.
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        overlay: lines of the left column.
        overlay2: lines of the right column, or an empty text.
        con: the `MjrContext`.
    """
    columns = tuple(_text(text) if text else "" for text in (overlay, overlay2))
    con._open().overlay(int(font), int(gridpos), _rect(viewport), columns)


def mjr_maxViewport(con):
    """The whole current buffer as an `MjrRect`.

    Args:
        con: the `MjrContext`.
    """
    if _is_window(con):
        window = gl_window.current()
        return MjrRect(0, 0, *(con._open().size() if window is None else gl_window.size(window)))
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_setBuffer(framebuffer, con):
    """Chooses the buffer to draw to.

    Args:
        framebuffer: an `mjtFramebuffer`: the offscreen buffer, or the window that the program has made current with GLFW.
        con: the `MjrContext`.

    Raises:
        FatalError: there is no window.
    """
    wanted, core = int(framebuffer), con._open()
    if wanted not in (int(mjtFramebuffer.mjFB_WINDOW), int(mjtFramebuffer.mjFB_OFFSCREEN)):
        raise _core.FatalError(f"invalid framebuffer {framebuffer}: there are a window and an offscreen one")
    to_window = wanted == int(mjtFramebuffer.mjFB_WINDOW)
    if to_window and gl_window.current() is None:
        raise _core.FatalError("there is no window: make a visible one current with glfw.make_context_current before, draw offscreen "
                               "(mjFB_OFFSCREEN), or show the world with kinetree.viewer")
    core.choose(to_window)
    con._fit_window()
    con.windowAvailable = int(to_window or con.windowAvailable)
    con.currentBuffer = wanted
    MjrContext._current = weakref.ref(con)


def mjr_restoreBuffer(con):
    """Draws to the buffer again that `mjr_setBuffer` has chosen, after an auxiliary one.

    Args:
        con: the `MjrContext`.
    """
    mjr_setBuffer(con.currentBuffer, con)


def _check_aux(index):
    if not 0 <= index < _AUX:
        raise _core.FatalError(f"invalid auxiliary buffer {index}: there are {_AUX}")


def mjr_addAux(index, width, height, samples, con):
    """Makes or removes an auxiliary buffer.

    Args:
        index: which one, 0 to 9.
        width: its width in pixels; 0 removes it.
        height: its height in pixels; 0 removes it.
        samples: ignored: all pictures are drawn with the same antialiasing.
        con: the `MjrContext`.
    """
    del samples
    _check_aux(index)
    if max(width, height) > _MAX_SIDE:
        raise _core.FatalError(f"an auxiliary buffer has at most {_MAX_SIDE} pixels along a side")
    con._open().add_aux(index, int(width), int(height), _is_window(con))


def mjr_setAux(index, con):
    """Draws to an auxiliary buffer, until `mjr_setBuffer` or `mjr_restoreBuffer`.

    Args:
        index: which one, 0 to 9.
        con: the `MjrContext`.
    """
    _check_aux(index)
    con._open().set_aux(index)


def mjr_blitAux(index, src, left, bottom, con):
    """Copies colours from an auxiliary buffer to the current main buffer.

    Args:
        index: which one, 0 to 9.
        src: the part to copy, an `MjrRect`.
        left: left edge of the target in pixels.
        bottom: lower edge of the target in pixels.
        con: the `MjrContext`.
    """
    _check_aux(index)
    con._open().blit_aux(index, _rect(src), int(left), int(bottom), _is_window(con))


def mjr_resizeOffscreen(width, height, con):
    """Changes the size of the offscreen buffer, which clears it.

    Args:
        width: width in pixels.
        height: height in pixels.
        con: the `MjrContext`.
    """
    con._open().resize(int(width), int(height))
    con.offWidth, con.offHeight = int(width), int(height)
    mjr_setBuffer(con.currentBuffer, con)


def mjr_changeFont(fontscale, con):
    """Changes the size of letters.

    Args:
        fontscale: an `mjtFontScale`.
        con: the `MjrContext`.
    """
    con._open().set_font(int(fontscale))
    con._show_font()


def _upload(m, con, count, what, index):
    if not 0 <= index < count:
        raise _core.FatalError(f"Invalid {what} index {index}")
    con._open().upload(m)


def mjr_uploadMesh(m, con, meshid):
    """Copies a mesh of a model to the graphics adapter again, after a program has changed it.

    Args:
        m: the model, an `MjModel`.
        con: the `MjrContext`.
        meshid: id of the mesh.
    """
    _upload(m, con, m.nmesh, "mesh", meshid)


def mjr_uploadTexture(m, con, texid):
    """Copies a texture of a model to the graphics adapter again, after a program has changed it.

    Args:
        m: the model, an `MjModel`.
        con: the `MjrContext`.
        texid: id of the texture.
    """
    _upload(m, con, m.ntex, "texture", texid)


def mjr_uploadHField(m, con, hfieldid):
    """Copies a height field of a model to the graphics adapter again, after a program has changed it.

    Args:
        m: the model, an `MjModel`.
        con: the `MjrContext`.
        hfieldid: id of the height field.
    """
    _upload(m, con, m.nhfield, "height field", hfieldid)


def mjr_findRect(x, y, nrect, rect):
    """Index of the rectangle that contains a point, -1 for none. The first one counts only when no other does.

    Args:
        x: pixels from the left.
        y: pixels from the bottom.
        nrect: number of rectangles.
        rect: list of `MjrRect`.
    """
    for i in range(1, nrect):
        left, bottom, width, height = _rect(rect[i])
        if left <= x < left + width and bottom <= y < bottom + height:
            return i
    left, bottom, width, height = _rect(rect[0]) if nrect else (0, 0, 0, 0)
    return 0 if left <= x < left + width and bottom <= y < bottom + height else -1


def mjr_finish():
    """Does nothing: what is read has been drawn by then."""


def mjr_getError():
    """Always 0: errors of drawing are raised as exceptions."""
    return 0


def mjr_blitBuffer(src, dst, flg_color, flg_depth, con):
    """Copies a part of the current buffer to the other one, window or offscreen; pixels are repeated or left out to fit.

    Args:
        src: the part to copy, an `MjrRect`.
        dst: the part to write, an `MjrRect`.
        flg_color: whether colours are copied.
        flg_depth: whether depth is copied.
        con: the `MjrContext`.

    Raises:
        FatalError: there is no window.
    """
    core = con._open()
    was_window, window = core.is_window(), gl_window.current()
    if not was_window and window is None:
        raise _core.FatalError("there is no window to copy to: choose it with mjr_setBuffer(mjFB_WINDOW, con) before")
    if not was_window:
        core.fit_window(*gl_window.size(window))
    core.blit(_rect(src), _rect(dst), bool(flg_color), bool(flg_depth))
    if not was_window and flg_color:
        chosen = con.currentBuffer
        mjr_setBuffer(mjtFramebuffer.mjFB_WINDOW, con)
        con._show()
        mjr_setBuffer(chosen, con)


def _shown(draw):
    """A function that draws into the current buffer, and shows what it has drawn if that is a window."""

    @functools.wraps(draw)
    def call(*args, **kwargs):
        draw(*args, **kwargs)
        current = MjrContext._current
        con = None if current is None else current()
        if con is not None:
            con._show()

    return call


mjr_drawPixels, mjr_rectangle, mjr_text = _shown(mjr_drawPixels), _shown(mjr_rectangle), _shown(mjr_text)
mjr_label, mjr_overlay, mjr_blitAux = _shown(mjr_label), _shown(mjr_overlay), _shown(mjr_blitAux)

__all__ = ["GLContext", "MjrContext", *(n for n in dir() if n.startswith("mjr_"))]
