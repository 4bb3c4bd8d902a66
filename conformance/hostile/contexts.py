"""Nonsense for rendering contexts: the functions `mjr_…` that draw pictures, texts and figures without a window."""

import kinetree
import numpy as np

SIZES = (8, 8, 8, 0, -1, 3, 16, 10**5, 2**31 - 1, -(2**31), 2**40, 1.5, None, "two", np.nan)
PLACES = (0, 0, 0, 1, -1, 7, 2**31 - 1, -(2**31), 2**40, None, np.inf)
INDICES = (0, 0, 1, 9, 10, -1, 2**40, 0.5, None)
FONTS = (0, 1, 2, 100, 150, 300, -1, 99, 2**40, None)
TEXTS = ("a", "", "several\nlines", "\0", "é" * 50, "x" * 1000, b"bytes", None, 5)


def any_rect(s):
    """Mostly a part of a small picture."""
    if s.rng.random() < 0.6:
        return kinetree.MjrRect(0, 0, 8, 8)
    return kinetree.MjrRect(s.rng.choice(PLACES), s.rng.choice(PLACES), s.rng.choice(SIZES), s.rng.choice(SIZES))


def any_figure(s):
    figure = kinetree.MjvFigure()
    for name in ("linepnt", "range", "gridsize", "highlightid", "figurergba", "linergb"):
        if s.rng.random() < 0.3:
            s.spoil((getattr(figure, name),))
    return figure


def contexts(s):
    # without a model nothing but texts, rectangles and figures is drawn, and no graphics adapter is needed
    model = s.rng.choice((None, None, s.other))
    con = kinetree.MjrContext(model)
    kinetree.mjr_resizeOffscreen(8, 8, con)
    scene, foreign = kinetree.MjvScene(s.other, 100), kinetree.MjvScene(s.m, 100)
    for m, d, filled in ((s.other, s.foreign, scene), (s.m, s.d, foreign)):
        kinetree.mjv_updateScene(m, d, kinetree.MjvOption(), None, kinetree.MjvCamera(), kinetree.mjtCatBit.mjCAT_ALL, filled)

    def pixels(kind, *shape):
        return s.rng.choice((None, np.zeros(shape, kind), np.zeros(shape, kind), np.zeros(int(np.prod(shape)), kind), np.zeros(3, kind),
                             np.zeros(shape, kind)[::-1], np.zeros(shape, np.complex128), "text"))

    def color():
        return [s.number(0.5) for _ in range(4)]

    return {
        "make": lambda: kinetree.MjrContext(s.rng.choice((None, s.d, "text", 5)), s.rng.choice(FONTS)),
        "render": lambda: kinetree.mjr_render(any_rect(s), s.rng.choice((scene, scene, None, "text")), con),
        "foreign render": lambda: kinetree.mjr_render(kinetree.MjrRect(0, 0, 8, 8), foreign, con),
        "read": lambda: kinetree.mjr_readPixels(pixels(np.uint8, 8, 8, 3), pixels(np.float32, 8, 8), any_rect(s), con),
        "draw": lambda: kinetree.mjr_drawPixels(pixels(np.uint8, 8, 8, 3), pixels(np.float32, 8, 8), any_rect(s), con),
        "rectangle": lambda: kinetree.mjr_rectangle(any_rect(s), *color()),
        "text": lambda: kinetree.mjr_text(s.rng.choice(FONTS), s.rng.choice(TEXTS), con, s.number(0.1), s.number(0.1), *color()[:3]),
        "label": lambda: kinetree.mjr_label(any_rect(s), s.rng.choice(FONTS), s.rng.choice(TEXTS), *color(), *color()[:3], con),
        "overlay": lambda: kinetree.mjr_overlay(s.rng.choice(FONTS), s.rng.choice(INDICES), any_rect(s), s.rng.choice(TEXTS),
                                                s.rng.choice(TEXTS), con),
        "figure": lambda: kinetree.mjr_figure(any_rect(s), s.rng.choice((any_figure(s), any_figure(s), None, "text")), con),
        "largest": lambda: kinetree.mjr_maxViewport(con),
        "buffer": lambda: kinetree.mjr_setBuffer(s.rng.choice((0, 1, 1, 2, -1, None)), con),
        "restore": lambda: kinetree.mjr_restoreBuffer(con),
        "aux": lambda: kinetree.mjr_addAux(s.rng.choice(INDICES), s.rng.choice(SIZES), s.rng.choice(SIZES), s.count(0), con),
        "choose": lambda: kinetree.mjr_setAux(s.rng.choice(INDICES), con),
        "copy aux": lambda: kinetree.mjr_blitAux(s.rng.choice(INDICES), any_rect(s), s.rng.choice(PLACES), s.rng.choice(PLACES), con),
        "copy": lambda: kinetree.mjr_blitBuffer(any_rect(s), any_rect(s), 1, 1, con),
        "resize": lambda: kinetree.mjr_resizeOffscreen(s.rng.choice(SIZES), s.rng.choice(SIZES), con),
        "font": lambda: kinetree.mjr_changeFont(s.rng.choice(FONTS), con),
        "upload": lambda: s.rng.choice((kinetree.mjr_uploadMesh, kinetree.mjr_uploadTexture, kinetree.mjr_uploadHField))(
            s.rng.choice((s.other, s.m, None, "text")), con, s.rng.choice(INDICES)),
        "find": lambda: kinetree.mjr_findRect(s.number(1), s.number(1), s.count(2), s.rng.choice(([any_rect(s)] * 2, [], None))),
        "settings": lambda: setattr(con, s.rng.choice(("readDepthMap", "currentBuffer", "offWidth", "charWidth")), s.rng.choice(SIZES)),
        "free": lambda: con.free() if s.rng.random() < 0.2 else None,
    }
