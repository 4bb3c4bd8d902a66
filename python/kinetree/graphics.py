"""Rendering contexts and the functions that draw into them: `MjrContext`, `mjr_render`, `mjr_readPixels` and others.

A context keeps its pictures as arrays whose rows begin at the bottom. What `mjr_render` draws is drawn when it is first read, so that
only what is asked for, colours or depth, costs time. No window and no OpenGL is needed; where a program has made a visible window with
GLFW and its context is current, that is the window buffer, and what is drawn to it is shown there.
"""

import functools
import weakref

import numpy as np

from kinetree import _core, gl_window
from kinetree.enums import mjtDepthMap, mjtFont, mjtFontScale, mjtFramebuffer, mjtGridPos
from kinetree.structs import _text
from kinetree.visual import MjrRect

_MAX_SIDE = 16384
# auxiliary buffers of a context
_AUX = 10
# pixels of the screen per pixel of a letter, per percent of the font scale
_FONT_STEP = 75.0


# the key of the window's pictures among the auxiliary ones
_WINDOW = "window"


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


class _Pending:
    """A scene that was given to draw, and which of its pictures exist already."""

    def __init__(self, rect, camera):
        self.rect, self.camera = rect, camera
        self.color = self.depth = False


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
        self._pending = None
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
            self._core = _core.CoreRenderer(model)
        self._set_font(fontscale)
        self._make_buffers()
        self.windowAvailable = self.windowDoublebuffer = int(gl_window.current() is not None)
        mjr_setBuffer(mjtFramebuffer.mjFB_WINDOW if self.windowAvailable else mjtFramebuffer.mjFB_OFFSCREEN, self)

    def free(self):
        """Releases the memory; the context cannot draw any more."""
        self._core = self._pending = self._own = None
        self._aux = {}

    def _set_font(self, fontscale):
        # pyramid of sizes as the reference has them: 100 to 300 in steps of 50
        self.fontScale = int(min(max(50 * round(int(fontscale) / 50), 100), 300))
        self._letter = max(1, round(self.fontScale / _FONT_STEP))
        self.charHeight = 7 * self._letter
        self.charWidth = np.full(127, 6 * self._letter, np.int32)
        self.charHeightBig, self.charWidthBig = 2 * self.charHeight, 2 * self.charWidth
        if self._core is not None:
            self._core.set_font_scale(float(self._letter))

    def _make_buffers(self):
        width, height = int(self.offWidth), int(self.offHeight)
        if not (0 <= width <= _MAX_SIDE and 0 <= height <= _MAX_SIDE):
            raise _core.FatalError(
                f"an offscreen buffer of {width} x {height} pixels is not possible: it has at most {_MAX_SIDE} along a side"
            )
        self._own = _make_pictures(width, height)
        self._aux = {}
        self._chosen = None
        self.currentBuffer = int(mjtFramebuffer.mjFB_OFFSCREEN)

    def _buffers(self):
        """Colours and depth of the buffer that is drawn to: an auxiliary one, or the offscreen buffer."""
        if self._own is None:
            raise RuntimeError("this context was freed")
        return self._own if self._chosen is None else self._aux[self._chosen]

    def _choose(self, index):
        """Draws to an auxiliary buffer from now on, or to the offscreen buffer."""
        self._buffers()
        self._flush(True, True)
        self._pending, self._chosen = None, index

    def _fit_window(self):
        """Makes the window buffer as large as the window is now."""
        window = gl_window.current() if self._chosen == _WINDOW else None
        if window is not None and self._aux[_WINDOW][1].shape[::-1] != gl_window.size(window):
            self._pending = None
            self._aux[_WINDOW] = _make_pictures(*gl_window.size(window))

    def _show(self):
        """Shows what was drawn to the window buffer."""
        if self._chosen == _WINDOW and gl_window.current() is not None:
            self._flush(True, False)
            gl_window.show(self._buffers()[0])

    def _flush(self, color, depth):
        """Draws what is pending, colours or depth."""
        pending, core, (rgb, z) = self._pending, self._core, self._buffers()
        if pending is None or core is None:
            return
        # a picture that cannot be drawn is not tried again
        self._pending = None
        left, bottom, width, height = pending.rect
        part = np.s_[max(bottom, 0) : bottom + height, max(left, 0) : left + width]
        # what lies outside the buffer on the left or below is not shown
        skip = np.s_[max(-bottom, 0) :, max(-left, 0) :]
        if color and not pending.color:
            image = core.color(width, height).reshape(height, width, 3)[::-1][skip]
            target = rgb[part]
            target[...] = image[: target.shape[0], : target.shape[1]]
            pending.color = True
        if depth and not pending.depth:
            metres = core.sense(width, height)[1].reshape(height, width)[::-1][skip]
            target = z[part]
            target[...] = _to_buffer(metres, *pending.camera)[: target.shape[0], : target.shape[1]]
            pending.depth = True
        self._pending = pending


def _make_pictures(width, height):
    """Colours, and depth that is 1 at the near plane and 0 at the far one; rows from the bottom."""
    return np.zeros((height, width, 3), np.uint8), np.zeros((height, width), np.float32)


def _to_buffer(metres, near, far, orthographic):
    """Depth as a depth buffer has it, 1 at the near plane and 0 at the far one."""
    metres = metres.astype(np.float64)
    if orthographic:
        return (far - metres) / (far - near)
    return near * (far / metres - 1) / (far - near)


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
    con._buffers()
    if con._core is None:
        raise _core.FatalError("a context without a model cannot draw a scene: make it with MjrContext(model, fontscale)")
    con._core.check_picture(rect[2], rect[3])
    con._fit_window()
    if con._pending is not None and con._pending.rect != rect:
        con._flush(True, True)
    con._core.load(scn)
    camera = scn.camera[0]
    con._pending = _Pending(rect, (camera.frustum_near, camera.frustum_far, bool(camera.orthographic)))
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
    left, bottom, width, height = _rect(viewport)
    part = np.s_[bottom : bottom + height, left : left + width]
    rows, columns = con._buffers()[1].shape
    if left < 0 or bottom < 0 or left + width > columns or bottom + height > rows:
        raise _core.FatalError(
            f"the viewport reaches to {left + width} x {bottom + height}, beyond the buffer of {columns} x {rows}"
        )
    if rgb is not None:
        target = _target(rgb, np.uint8, (height, width, 3), "rgb")
        con._flush(True, False)
        target[...] = con._buffers()[0][part]
    if depth is not None:
        target = _target(depth, np.float32, (height, width), "depth")
        con._flush(False, True)
        zero_near = int(con.readDepthMap) == int(mjtDepthMap.mjDEPTH_ZERONEAR)
        found = con._buffers()[1][part]
        target[...] = 1 - found if zero_near else found


def mjr_drawPixels(rgb, depth, viewport, con):
    """Copies pixels into the current buffer; the first row is the lowest.

    Args:
        rgb: uint8 colours, shape (height, width, 3), or None.
        depth: float32 depth, shape (height, width), or None.
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        con: the `MjrContext`.
    """
    left, bottom, width, height = _rect(viewport)
    part = np.s_[bottom : bottom + height, left : left + width]
    con._flush(rgb is not None, depth is not None)
    if rgb is not None:
        con._buffers()[0][part] = np.asarray(rgb, np.uint8).reshape(height, width, 3)
    if depth is not None:
        con._buffers()[1][part] = 1 - np.asarray(depth, np.float32).reshape(height, width)


def _fill(con, rect, rgba):
    """Fills a rectangle with a colour, by its opacity."""
    left, bottom, width, height = rect
    con._flush(True, False)
    target = con._buffers()[0][max(bottom, 0) : max(bottom + height, 0), max(left, 0) : max(left + width, 0)]
    color = 255 * np.clip(np.array(rgba[:3], float), 0, 1)
    alpha = min(max(float(rgba[3]), 0), 1)
    target[...] = np.rint(alpha * color + (1 - alpha) * target)


def mjr_rectangle(viewport, r, g, b, a):
    """Fills a rectangle of the context that was used last.

    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        r: red, 0 to 1.
        g: green, 0 to 1.
        b: blue, 0 to 1.
        a: opacity, 0 to 1.
    """
    con = MjrContext._current and MjrContext._current()
    if con is None:
        raise _core.FatalError("there is no rendering context: make an MjrContext first")
    _fill(con, _rect(viewport), (r, g, b, a))


def _write(con, text, left, bottom, scale, rgb, shadow=False):
    """Writes a line of text whose lower left corner is given."""
    pixels, rows = _core.text_bitmap(text)
    if not pixels.size:
        return
    con._flush(True, False)
    mask = np.kron(pixels.reshape(rows, -1)[::-1] > 0, np.ones((scale, scale), bool))
    for shift, color in (((1, -1), (0, 0, 0)),) * shadow + (((0, 0), rgb),):
        x, y = int(left) + shift[0], int(bottom) + shift[1]
        target = con._buffers()[0][max(y, 0) : max(y + mask.shape[0], 0), max(x, 0) : max(x + mask.shape[1], 0)]
        part = mask[max(-y, 0) :, max(-x, 0) :][: target.shape[0], : target.shape[1]]
        target[part] = np.rint(255 * np.clip(np.array(color, float), 0, 1))


def _scale(con, font):
    return con._letter * (2 if int(font) == int(mjtFont.mjFONT_BIG) else 1)


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
    shadow = int(font) == int(mjtFont.mjFONT_SHADOW)
    height, width = con._buffers()[1].shape
    _write(con, _text(txt), x * width, y * height, _scale(con, font), (r, g, b), shadow)


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
    left, bottom, width, height = _rect(viewport)
    _fill(con, (left, bottom, width, height), (r, g, b, a))
    txt, scale = _text(txt), _scale(con, font)
    size = 6 * scale * len(txt), 7 * scale
    _write(con, txt, left + (width - size[0]) / 2, bottom + (height - size[1]) / 2, scale, (rt, gt, bt))


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
    left, bottom, width, height = _rect(viewport)
    scale = _scale(con, font)
    columns = [_text(text).split("\n") for text in (overlay, overlay2) if text]
    if not columns:
        return
    widths = [6 * scale * max(map(len, lines)) for lines in columns]
    line, pad = 10 * scale, 4 * scale
    box = (sum(widths) + pad * (len(columns) + 1), line * max(map(len, columns)) + 2 * pad)
    grid = mjtGridPos
    place = int(gridpos)
    at_right = place in (int(grid.mjGRID_TOPRIGHT), int(grid.mjGRID_BOTTOMRIGHT), int(grid.mjGRID_RIGHT))
    at_top = place in (int(grid.mjGRID_TOPLEFT), int(grid.mjGRID_TOPRIGHT), int(grid.mjGRID_TOP))
    at_bottom = place in (int(grid.mjGRID_BOTTOMLEFT), int(grid.mjGRID_BOTTOMRIGHT), int(grid.mjGRID_BOTTOM))
    centred = place in (int(grid.mjGRID_TOP), int(grid.mjGRID_BOTTOM))
    x = left + (width - box[0] if at_right else (width - box[0]) // 2 if centred else 0)
    y = bottom + (height - box[1] if at_top else 0 if at_bottom else (height - box[1]) // 2)
    _fill(con, (x, y, *box), (0, 0, 0, 0.5))
    column = x + pad
    for lines, extent in zip(columns, widths):
        for i, text in enumerate(lines):
            _write(con, text, column, y + box[1] - pad - line * (i + 1) + 2 * scale, scale, (1, 1, 1))
        column += extent + pad


def mjr_maxViewport(con):
    """The whole current buffer as an `MjrRect`.

    Args:
        con: the `MjrContext`.
    """
    if con.currentBuffer == int(mjtFramebuffer.mjFB_WINDOW):
        con._fit_window()
        height, width = con._aux[_WINDOW][1].shape
        return MjrRect(0, 0, width, height)
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_setBuffer(framebuffer, con):
    """Chooses the buffer to draw to.

    Args:
        framebuffer: an `mjtFramebuffer`: the offscreen buffer, or the window that the program has made current with GLFW.
        con: the `MjrContext`.

    Raises:
        FatalError: there is no window.
    """
    wanted = int(framebuffer)
    if wanted not in (int(mjtFramebuffer.mjFB_WINDOW), int(mjtFramebuffer.mjFB_OFFSCREEN)):
        raise _core.FatalError(f"invalid framebuffer {framebuffer}: there are a window and an offscreen one")
    if wanted == int(mjtFramebuffer.mjFB_WINDOW):
        window = gl_window.current()
        if window is None:
            raise _core.FatalError("there is no window: make a visible one current with glfw.make_context_current before, draw offscreen "
                                   "(mjFB_OFFSCREEN), or show the world with kinetree.viewer")
        if con._chosen != _WINDOW:
            con._choose(None)
            con._aux.setdefault(_WINDOW, _make_pictures(*gl_window.size(window)))
            con._choose(_WINDOW)
        con._fit_window()
        con.windowAvailable = 1
    elif con._chosen is not None:
        con._choose(None)
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
    if con._chosen == index:
        con._choose(_WINDOW if con.currentBuffer == int(mjtFramebuffer.mjFB_WINDOW) else None)
    con._aux.pop(index, None)
    if width > 0 and height > 0:
        con._aux[index] = _make_pictures(int(width), int(height))


def mjr_setAux(index, con):
    """Draws to an auxiliary buffer, until `mjr_setBuffer` or `mjr_restoreBuffer`.

    Args:
        index: which one, 0 to 9.
        con: the `MjrContext`.
    """
    _check_aux(index)
    if index in con._aux:
        con._choose(index)


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
    if index not in con._aux:
        return
    con._choose(_WINDOW if con.currentBuffer == int(mjtFramebuffer.mjFB_WINDOW) else None)
    x, y, width, height = _rect(src)
    pixels = con._aux[index][0][max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)]
    pixels = pixels[max(-bottom, 0) :, max(-left, 0) :]
    target = con._buffers()[0][max(bottom, 0) :, max(left, 0) :][: pixels.shape[0], : pixels.shape[1]]
    target[...] = pixels[: target.shape[0], : target.shape[1]]


def mjr_resizeOffscreen(width, height, con):
    """Changes the size of the offscreen buffer, which clears it.

    Args:
        width: width in pixels.
        height: height in pixels.
        con: the `MjrContext`.
    """
    current = con.currentBuffer
    con.offWidth, con.offHeight, con._pending = int(width), int(height), None
    con._make_buffers()
    mjr_setBuffer(current, con)


def mjr_changeFont(fontscale, con):
    """Changes the size of letters.

    Args:
        fontscale: an `mjtFontScale`.
        con: the `MjrContext`.
    """
    con._set_font(fontscale)


def _upload(m, con, count, what, index):
    if not 0 <= index < count:
        raise _core.FatalError(f"Invalid {what} index {index}")
    con._core.reload(m)


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
    other = None if con._chosen == _WINDOW else _WINDOW
    if other == _WINDOW and (_WINDOW not in con._aux or gl_window.current() is None):
        raise _core.FatalError("there is no window to copy to: choose it with mjr_setBuffer(mjFB_WINDOW, con) before")
    con._flush(bool(flg_color), bool(flg_depth))
    source, target = con._buffers(), con._own if other is None else con._aux[other]
    left, bottom, width, height = _rect(src)
    x, y, columns, rows = _rect(dst)
    if min(width, height, columns, rows) <= 0:
        return
    down = bottom + np.arange(rows) * height // rows
    across = left + np.arange(columns) * width // columns
    for wanted, pixels, place in zip((flg_color, flg_depth), source, target):
        if wanted:
            part = place[y : y + rows, x : x + columns]
            part[...] = pixels[np.ix_(down, across)][: part.shape[0], : part.shape[1]]
    if other == _WINDOW and flg_color:
        gl_window.show(target[0])


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
