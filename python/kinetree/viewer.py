"""A window onto a world: `launch` runs it, `launch_passive` shows what a program does.

The interface is that of `mujoco.viewer`. There is one window at a time. `python -m kinetree.viewer [--mjcf=model.xml]` opens a model.
"""

import argparse
import atexit
import contextlib
import threading
import time

import numpy as np

from kinetree import _core
from kinetree.enums import mjtGridPos
from kinetree.figure import mjr_figure
from kinetree.graphics import MjrContext, mjr_resizeOffscreen
from kinetree.scene import MjvCamera, MjvOption, MjvPerturb, MjvScene
from kinetree.soft import SoftWorld
from kinetree.structs import MjData, MjModel
from kinetree.visual import MjrRect

# most geoms that a program may add
_MAX_GEOM = 100000

# column and row of texts: left, middle, right, and top, middle, bottom
_PLACES = {
    "TOPLEFT": (0, 0), "TOPRIGHT": (2, 0), "BOTTOMLEFT": (0, 2), "BOTTOMRIGHT": (2, 2), "TOP": (1, 0), "BOTTOM": (1, 2),
    "LEFT": (0, 1), "RIGHT": (2, 1),
}


class Handle:
    """A window that shows the world of a program; `launch_passive` makes one.

    The window has its own copy of the world. `sync` shows the present state, applies what the user did (controls, joint sliders, pulling at
    bodies) and exchanges `cam`, `opt` and `perturb`. Use it as a context manager, or call `close`.

    Example::

        with kinetree.viewer.launch_passive(model, data) as handle:
            while handle.is_running():
                kinetree.mj_step(model, data)
                handle.sync()
    """

    def __init__(self, core, model, data):
        self._core, self._model, self._data = core, model, data
        self._lock = threading.RLock()
        self._cam, self._opt, self._pert = MjvCamera(), MjvOption(), MjvPerturb()
        self._user_scn = MjvScene(model, _MAX_GEOM)
        self._soft = None
        self._pictures, self._figures, self._texts = [], [], []
        self._read_view()

    @property
    def cam(self):
        """The `MjvCamera` of the view, to read and to set."""
        return self._cam

    @property
    def opt(self):
        """What is visible, an `MjvOption`."""
        return self._opt

    @property
    def perturb(self):
        """The selected body and how the user pulls at it, an `MjvPerturb`."""
        return self._pert

    @property
    def user_scn(self):
        """An `MjvScene` with geoms that the program adds to the picture."""
        return self._user_scn

    @property
    def soft(self):
        """The `kinetree.soft.SoftWorld` whose bodies are drawn, too; `None` for none."""
        return self._soft

    @soft.setter
    def soft(self, world):
        if world is not None and not isinstance(world, SoftWorld):
            raise TypeError(f"expected a kinetree.soft.SoftWorld, got {type(world).__name__}")
        self._soft = world

    @property
    def m(self):
        """The `MjModel` that is shown."""
        return self._model

    @property
    def d(self):
        """The `MjData` that is shown."""
        return self._data

    @property
    def viewport(self):
        """The rectangle of the picture, in pixels."""
        width, height = self._core.size()
        return MjrRect(0, 0, width, height)

    def is_running(self):
        """Whether the window is open."""
        return self._core.is_running()

    def lock(self):
        """A context manager: while it is held, `sync` on other threads waits."""
        return self._lock

    def sync(self, state_only=False):
        """Shows the present state and applies what the user did.

        Args:
            state_only: whether only the state is copied, without the options of the model that the user may have changed.
        """
        with self._lock:
            if not self.is_running():
                return
            self._core.set_geoms(self._user_scn)
            if self._view_bytes() != self._seen:
                self._core.write_view(self._cam, self._opt, self._pert, list(map(int, self._user_scn.flags)))
            self._core.set_soft(None if self._soft is None else self._soft._core)
            self._core.sync(self._model, self._data, state_only)
            self._read_view()

    def _read_view(self):
        """Takes what the user shows and from where."""
        self._user_scn.flags[:] = np.frombuffer(self._core.read_view(self._cam, self._opt, self._pert), np.uint8)
        self._seen = self._view_bytes()

    def _view_bytes(self):
        structs = (self._cam, self._opt, self._pert)
        return (*(struct._bytes.tobytes() for struct in structs), self._user_scn.flags.tobytes())

    def _reload(self):
        with self._lock:
            if self.is_running():
                self._core.reload(self._model, self._data)

    def update_hfield(self, hfieldid):
        """Shows a height field of the model again, after the program has changed it.

        Args:
            hfieldid: id of the height field.
        """
        self._check(hfieldid, self._model.nhfield, "height field")
        self._reload()

    def update_mesh(self, meshid):
        """Shows a mesh of the model again, after the program has changed it.

        Args:
            meshid: id of the mesh.
        """
        self._check(meshid, self._model.nmesh, "mesh")
        self._reload()

    def update_texture(self, texid):
        """Shows a texture of the model again, after the program has changed it.

        Args:
            texid: id of the texture.
        """
        self._check(texid, self._model.ntex, "texture")
        self._reload()

    @staticmethod
    def _check(index, count, what):
        if not 0 <= index < count:
            raise ValueError(f"there is no {what} {index}: the model has {count}")

    def set_figures(self, viewports_figures):
        """Shows plots.

        Args:
            viewports_figures: a pair of an `MjrRect` and an `MjvFigure`, or a list of such pairs.
        """
        pairs = [viewports_figures] if isinstance(viewports_figures, tuple) else viewports_figures
        self._figures = [_draw_figure(viewport, figure) for viewport, figure in pairs]
        self._show_overlays()

    def clear_figures(self):
        """Shows no plots."""
        self._figures = []
        self._show_overlays()

    def set_texts(self, texts):
        """Shows texts in the corners or at the edges.

        Args:
            texts: a tuple (font, `mjtGridPos`, left column, right column), or a list of them; each entry may be None.
        """
        texts = [texts] if isinstance(texts, tuple) else texts
        self._texts = []
        for _, place, left, right in texts:
            name = mjtGridPos(mjtGridPos.mjGRID_TOPLEFT if place is None else place).name.removeprefix("mjGRID_")
            self._texts.append((*_PLACES[name], left or "", right or ""))
        self._show_overlays()

    def clear_texts(self):
        """Shows no texts."""
        self._texts = []
        self._show_overlays()

    def set_images(self, viewports_images):
        """Shows pictures.

        Args:
            viewports_images: a pair of an `MjrRect` and a uint8 array (height, width, 3), or a list of such pairs.

        Raises:
            ValueError: an array has another size than its rectangle.
        """
        pairs = [viewports_images] if isinstance(viewports_images, tuple) else viewports_images
        pictures = []
        for viewport, image in pairs:
            shape = (viewport.height, viewport.width)
            if image.shape[:2] != shape:
                raise ValueError(f"Image shape {image.shape[:2]} does not match target shape {shape}")
            pictures.append(((viewport.left, viewport.bottom), np.ascontiguousarray(image, np.uint8)))
        self._pictures = pictures
        self._show_overlays()

    def clear_images(self):
        """Shows no pictures."""
        self._pictures = []
        self._show_overlays()

    def _show_overlays(self):
        self._core.set_overlays(self._pictures + self._figures, self._texts)

    def close(self):
        """Closes the window."""
        self._core.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def _draw_figure(viewport, figure):
    """A plot as a picture with its position."""
    context = MjrContext()
    mjr_resizeOffscreen(viewport.width, viewport.height, context)
    mjr_figure(MjrRect(0, 0, viewport.width, viewport.height), figure, context)
    # rows of a context begin at the bottom
    return (viewport.left, viewport.bottom), np.ascontiguousarray(context._pixels()[::-1])


# windows that may be open when the program ends: their thread must not outlive the interpreter
_open_windows = []


def _open(*arguments):
    """Opens a window and remembers it."""
    core = _core.CoreViewer(*arguments)
    _open_windows[:] = [known for known in _open_windows if known.is_running()] + [core]
    return core


@atexit.register
def _close_all():
    for core in _open_windows:
        with contextlib.suppress(Exception):
            core.close()


def _check_arguments(model, data, key_callback=None):
    if not isinstance(model, MjModel):
        raise ValueError(f"`model` is not an MjModel: got {model!r}")
    if not isinstance(data, MjData):
        raise ValueError(f"`data` is not an MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True, soft=None):
    """Opens a window and returns at once; the program steps the world and calls `sync`.

    Args:
        model: the `MjModel`.
        data: its `MjData`.
        key_callback: function of the number of a key, called on the window's thread when it is pressed; or None.
        show_left_ui: whether the left panel is open.
        show_right_ui: whether the right panel is open.
        soft: a `kinetree.soft.SoftWorld` whose bodies are drawn, too.

    Returns:
        A `Handle`.
    """
    _check_arguments(model, data, key_callback)
    _core.mj_forward(model, data)
    handle = Handle(_open(model, data, False, (show_left_ui, show_right_ui), key_callback), model, data)
    handle.soft = soft
    return handle


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True):
    """Opens a window that runs the simulation in real time; returns when it is closed.

    Deformable bodies that the model describes start where its file puts them.

    Args:
        model: the `MjModel`; None for an empty window that models are dropped on.
        data: its `MjData`; None for a new one.
        loader: function that returns a model and a data, instead of `model`.
        show_left_ui: whether the left panel is open.
        show_right_ui: whether the right panel is open.
    """
    if model is None and data is not None:
        raise ValueError("data is given without a model")
    if callable(model) and data is not None:
        raise ValueError("data is given with a function that loads the model")
    if loader is not None and model is not None:
        raise ValueError("a model and a loader are given")
    if loader is None and callable(model) and not isinstance(model, MjModel):
        loader, model = model, None
    if loader is not None:
        model, data = loader()[:2]
    if model is None:
        _core.view_models(None, (show_left_ui, show_right_ui))
        return
    data = MjData(model) if data is None else data
    _check_arguments(model, data)
    core = _open(model, data, True, (show_left_ui, show_right_ui))
    try:
        while core.is_running():
            time.sleep(min(core.advance(model, data), 0.01))
    finally:
        core.close()


def launch_from_path(path):
    """Opens a window with a model file, which is read again when it changes; returns when the window is closed.

    Args:
        path: path of the file.
    """
    _core.view_models(path, (True, True))


def main():
    """The command `python -m kinetree.viewer`: opens a model file, or an empty window."""
    parser = argparse.ArgumentParser(prog="kinetree.viewer", description=__doc__.splitlines()[0])
    parser.add_argument("--mjcf", help="model file")
    path = parser.parse_args().mjcf
    if path is None:
        launch()
    else:
        launch_from_path(path)


if __name__ == "__main__":
    main()
