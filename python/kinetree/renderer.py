"""`Renderer`: pictures of a world as NumPy arrays, with the interface of `mujoco.Renderer`."""

import operator

from kinetree import _core
from kinetree.batch import BatchSim
from kinetree.enums import mjtCamera, mjtCatBit, mjtFontScale, mjtObj, mjtRndFlag
from kinetree.scene import MjvCamera, MjvOption, MjvScene
from kinetree.soft import SoftWorld

_TOO_LARGE = (
    "Image {side} {size} > framebuffer {side} {limit}. Either reduce the image {side} or ask for a larger offscreen buffer in the "
    'model:\n<visual>\n  <global off{side}="{size}"/>\n</visual>'
)


def _camera(model, which):
    """A camera of the model by id or name, -1 for a free one."""
    if isinstance(which, str):
        camera_id = _core.mj_name2id(model, int(mjtObj.mjOBJ_CAMERA), which)
        if camera_id == -1:
            raise ValueError(f'The camera "{which}" does not exist.')
    else:
        try:
            camera_id = operator.index(which)
        except TypeError:
            raise TypeError(f"a camera is an id, a name or an MjvCamera, not {type(which).__name__}") from None
    if not -1 <= camera_id < model.ncam:
        raise ValueError(f"The camera id {camera_id} is out of range [-1, {model.ncam}).")
    camera = MjvCamera()
    if camera_id == -1:
        _core.mjv_defaultFreeCamera(model, camera)
        camera.type = int(mjtCamera.mjCAMERA_FREE)
    else:
        camera.type = int(mjtCamera.mjCAMERA_FIXED)
    camera.fixedcamid = camera_id
    return camera


class Renderer:
    """Renders worlds of one model to NumPy arrays, without a display. Pictures are colour, depth or segmentation.

    Args:
        model: the `MjModel` to draw.
        height: rows of a picture, at most `model.vis.global_.offheight`.
        width: columns of a picture, at most `model.vis.global_.offwidth`.
        max_geom: largest number of geoms in the scene.
        font_scale: size of labels, an `mjtFontScale`.

    Raises:
        ValueError: the picture is larger than the model's offscreen buffer.
        FatalError: there is no graphics adapter, not even a software one.

    Example::

        with kinetree.Renderer(model, 240, 320) as renderer:
            renderer.update_scene(data, camera="side")
            pixels = renderer.render()     # (240, 320, 3) uint8
    """

    def __init__(self, model, height=240, width=320, max_geom=10000, font_scale=mjtFontScale.mjFONTSCALE_150):
        limits = model.vis.global_
        for side, size, limit in (("width", width, limits.offwidth), ("height", height, limits.offheight)):
            if size > limit:
                raise ValueError(_TOO_LARGE.format(side=side, size=size, limit=limit))
            if size <= 0:
                raise ValueError(f"Image {side} is {size}, but must be positive")
        self._core = None
        self._model, self._height, self._width = model, int(height), int(width)
        self._scene = MjvScene(model, max_geom)
        self._option = MjvOption()
        self._depth = self._segmentation = False
        self._core = _core.CoreRenderer(model)
        self._core.set_font_scale(float(max(1, round(int(font_scale) / 75))))

    @property
    def model(self):
        """The `MjModel` that is drawn."""
        return self._model

    @property
    def scene(self):
        """The `MjvScene` that `update_scene` fills; a program may append geoms before `render`."""
        return self._scene

    @property
    def height(self):
        """Rows of a picture."""
        return self._height

    @property
    def width(self):
        """Columns of a picture."""
        return self._width

    def enable_depth_rendering(self):
        """From now on, `render` returns distances from the camera plane in metres."""
        self._depth, self._segmentation = True, False

    def disable_depth_rendering(self):
        """From now on, `render` returns colours again."""
        self._depth = False

    def enable_segmentation_rendering(self):
        """From now on, `render` returns id and type (`mjtObj`) of the object in each pixel."""
        self._depth, self._segmentation = False, True

    def disable_segmentation_rendering(self):
        """From now on, `render` returns colours again."""
        self._segmentation = False

    def render(self, *, out=None):
        """Draws the scene.

        Args:
            out: array to write to, of the shape of the result; None for a new one.

        Returns:
            Rows from the top: uint8 colours (height, width, 3), float32 distances (height, width) in metres, or int32 ids and types
            (height, width, 2) with -1 for the background.
        """
        if self._core is None:
            raise RuntimeError("render cannot be called after close.")
        shape = (self._height, self._width) if self._depth else (self._height, self._width, 3)
        if out is not None and out.shape != shape:
            raise ValueError(
                f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead. Distances need (height, width), everything "
                "else (height, width, 3)."
            )
        flags = self._scene.flags
        before = flags.copy()
        if self._depth:
            # all objects that have an id, transparent ones too, and no sky
            flags[mjtRndFlag.mjRND_SEGMENT] = 1
        try:
            self._core.load(self._scene)
        finally:
            flags[...] = before
        if self._segmentation:
            return self._core.objects(self._width, self._height).reshape(self._height, self._width, 2)
        pixels = self._core.sense(self._width, self._height)[1] if self._depth else self._core.color(self._width, self._height)
        pixels = pixels.reshape(shape)
        if out is None:
            return pixels
        out[...] = pixels
        return out

    def update_scene(self, data, camera=-1, scene_option=None, *, soft=None):
        """Takes the state of a world and the camera that looks at it.

        Args:
            data: the `MjData`, after `mj_forward` or a step.
            camera: id or name of a camera of the model, -1 for a free one, or an `MjvCamera`.
            scene_option: what is visible, an `MjvOption`; None for the defaults.
            soft: a `kinetree.soft.SoftWorld` whose bodies are drawn, too.

        Raises:
            ValueError: the model has no such camera.
        """
        if soft is not None and not isinstance(soft, SoftWorld):
            raise TypeError(f"soft must be a kinetree.soft.SoftWorld, got {type(soft).__name__}")
        if not isinstance(camera, MjvCamera):
            camera = _camera(self._model, camera)
        option = self._option if scene_option is None else scene_option
        _core.mjv_updateScene(self._model, data, option, None, camera, int(mjtCatBit.mjCAT_ALL), self._scene)
        if soft is not None:
            soft._core.draw(self._model, option, self._scene)

    def close(self):
        """Releases the memory; nothing can be drawn afterwards."""
        self._core = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


class BatchRenderer:
    """Draws many worlds of one model from several cameras into one array.

    ::

        with kinetree.BatchRenderer(model, 64, 64, cameras=("front", "wrist")) as renderer:
            pixels = renderer.render(batch)     # (worlds, cameras, height, width, 3)

    Args:
        model: the model.
        height: rows of a picture.
        width: columns of a picture.
        cameras: ids or names of cameras, -1 for a free one, or `MjvCamera`s.
        shadows: whether bodies cast shadows.
    """

    def __init__(self, model, height=64, width=64, *, cameras=(-1,), shadows=True):
        if height <= 0 or width <= 0:
            raise ValueError(f"pictures of {width} x {height} pixels are empty: both sides must be positive")
        if max(height, width) >= 2**16:
            raise ValueError(f"pictures of {width} x {height} pixels are too large")
        if isinstance(cameras, str):
            raise TypeError(f"cameras must be a list, such as ({cameras!r},)")
        self._model, self._height, self._width = model, int(height), int(width)
        self._cameras = [which if isinstance(which, MjvCamera) else _camera(model, which) for which in cameras]
        flags = MjvScene(model, 0).flags
        flags[mjtRndFlag.mjRND_SHADOW] = bool(shadows)
        self._effects = [int(flag) for flag in flags]
        self._option = MjvOption()
        self._core = _core.CoreRenderer(model)

    def render(self, worlds, *, scene_option=None, out=None):
        """Draws colours.

        Args:
            worlds: a `BatchSim`, or a list of `MjData`.
            scene_option: what is visible, an `MjvOption`; None for the defaults.
            out: array to write to, of the shape of the result; None for a new one.

        Returns:
            uint8 array (worlds, cameras, height, width, 3).
        """
        return self._draw("color", (3,), worlds, scene_option, out)

    def render_depth(self, worlds, *, scene_option=None, out=None):
        """Draws distances from the camera plane, in metres.

        Args:
            worlds: a `BatchSim`, or a list of `MjData`.
            scene_option: what is visible, an `MjvOption`; None for the defaults.
            out: array to write to, of the shape of the result; None for a new one.

        Returns:
            float32 array (worlds, cameras, height, width).
        """
        return self._draw("depth", (), worlds, scene_option, out)

    def render_segmentation(self, worlds, *, scene_option=None, out=None):
        """Draws id and type (`mjtObj`) of the object in each pixel, -1 for the background.

        Args:
            worlds: a `BatchSim`, or a list of `MjData`.
            scene_option: what is visible, an `MjvOption`; None for the defaults.
            out: array to write to, of the shape of the result; None for a new one.

        Returns:
            int32 array (worlds, cameras, height, width, 2).
        """
        return self._draw("segmentation", (2,), worlds, scene_option, out)

    def _draw(self, kind, channels, worlds, scene_option, out):
        if self._core is None:
            raise RuntimeError("render cannot be called after close.")
        view = {"kind": kind, "cameras": self._cameras, "option": self._option if scene_option is None else scene_option,
                "effects": self._effects, "size": [self._width, self._height]}
        if not isinstance(view["option"], MjvOption):
            raise TypeError(f"scene_option must be an MjvOption, not {type(scene_option).__name__}")
        if isinstance(worlds, BatchSim):
            count, pixels = worlds.num_worlds, self._core.draw_batch(worlds._core, view)
        else:
            worlds = list(worlds)
            count, pixels = len(worlds), self._core.draw_list(self._model, worlds, view)
        pixels = pixels.reshape(count, len(self._cameras), self._height, self._width, *channels)
        if out is None:
            return pixels
        if out.shape != pixels.shape:
            raise ValueError(f"Expected `out.shape == {pixels.shape}`. Got `out.shape={out.shape}` instead.")
        out[...] = pixels
        return out

    def close(self):
        """Releases the memory; nothing can be drawn afterwards."""
        self._core = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()
