"""Structs of visualization, as plain containers. Nothing is rendered: functions that would draw raise an error."""

import numpy as np

from kinetree import constants
from kinetree.options import Struct


def _scalar(value):
    """A scalar field: integers are 32-bit, other numbers are doubles."""
    return np.array([value], np.int32 if isinstance(value, int) else float)


def _single(*values):
    return np.array(values, np.float32)


def _groups():
    return np.array([1, 1, 1, 0, 0, 0], np.uint8)


class _Plain(Struct):
    """A struct with its own default values."""

    def __init__(self, fields=None):
        super().__init__(self._new() if fields is None else fields)


class MjLROpt(_Plain):
    """Options of the computation of actuator length ranges."""

    @staticmethod
    def _new():
        ints = {"mode": 1, "useexisting": 1, "uselimit": 0}
        floats = {"accel": 20.0, "maxforce": 0.0, "timeconst": 1.0, "timestep": 0.01, "inttotal": 10.0, "interval": 2.0,
                  "tolrange": 0.05}
        return {name: _scalar(value) for name, value in {**ints, **floats}.items()}


class MjvCamera(_Plain):
    """An abstract camera."""

    @staticmethod
    def _new():
        values = {"type": 0, "fixedcamid": -1, "trackbodyid": -1, "distance": 2.0, "azimuth": 90.0, "elevation": -45.0,
                  "orthographic": 0}
        return {"lookat": np.zeros(3)} | {name: _scalar(value) for name, value in values.items()}


class MjvGLCamera(_Plain):
    """A camera as a renderer needs it."""

    @staticmethod
    def _new():
        names = "frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far".split()
        return {n: np.zeros(3, np.float32) for n in ("pos", "forward", "up")} | {
            "orthographic": _scalar(0), **{n: np.zeros(1, np.float32) for n in names}}


class MjvOption(_Plain):
    """What is visualized."""

    @staticmethod
    def _new():
        groups = "geomgroup sitegroup jointgroup tendongroup actuatorgroup flexgroup skingroup".split()
        flags = np.array([int(default) for _, default, _ in constants.mjVISSTRING], np.uint8)
        values = {"label": 0, "frame": 0, "bvh_depth": 1, "flex_layer": 0}
        return {g: _groups() for g in groups} | {"flags": flags} | {n: _scalar(v) for n, v in values.items()}


class MjvPerturb(_Plain):
    """A selection and a perturbation by the user."""

    @staticmethod
    def _new():
        values = {"select": 0, "flexselect": -1, "skinselect": -1, "active": 0, "active2": 0, "localmass": 0.0, "scale": 1.0}
        vectors = {"refpos": np.zeros(3), "refquat": np.array([1.0, 0.0, 0.0, 0.0]), "refselpos": np.zeros(3),
                   "localpos": np.zeros(3)}
        return vectors | {n: _scalar(v) for n, v in values.items()}


class MjvGeom(_Plain):
    """A geom of a scene."""

    @staticmethod
    def _new():
        ints = {"type": 1001, "dataid": -1, "objtype": 0, "objid": -1, "category": 0, "matid": -1, "texcoord": 0, "segid": -1,
                "transparent": 0}
        singles = {"emission": 0.0, "specular": 0.5, "shininess": 0.5, "reflectance": 0.0, "camdist": 0.0, "modelrbound": 0.0}
        return {
            "size": _single(0.1, 0.1, 0.1), "pos": np.zeros(3, np.float32), "mat": np.eye(3, dtype=np.float32),
            "rgba": _single(0.5, 0.5, 0.5, 1.0), **{n: _scalar(v) for n, v in ints.items()},
            **{n: _single(v) for n, v in singles.items()},
        }


class MjvLight(_Plain):
    """A light of a scene."""

    @staticmethod
    def _new():
        vectors = "pos dir attenuation ambient diffuse specular".split()
        ints = "id type texid headlight castshadow".split()
        singles = "cutoff exponent bulbradius intensity range".split()
        return {n: np.zeros(3, np.float32) for n in vectors} | {n: _scalar(0) for n in ints} | {
            n: np.zeros(1, np.float32) for n in singles}


class MjvFigure(_Plain):
    """A plot."""

    @staticmethod
    def _new():
        lines, points = constants.mjMAXLINE, 2 * constants.mjMAXLINEPNT
        ints = {"flg_legend": 1, "flg_extend": 1, "flg_barplot": 0, "flg_selection": 0, "flg_symmetric": 0, "subplot": 0,
                "legendoffset": 0, "highlightid": -1}
        return {
            "flg_ticklabel": np.ones(2, np.int32), "gridsize": np.full(2, 2, np.int32), "gridwidth": _single(1.0),
            "linewidth": _single(3.0), "selection": _single(0.0), "gridrgb": _single(0.4, 0.4, 0.4),
            "figurergba": _single(0, 0, 0, 1), "panergba": _single(0, 0, 0, 1), "legendrgba": _single(0, 0, 0, 0.3),
            "textrgb": _single(1, 1, 1), "linergb": np.zeros((lines, 3), np.float32),
            "linedata": np.zeros((lines, points), np.float32), "linepnt": np.zeros(lines, np.int32),
            "range": _single(0, 1, 0, 1).reshape(2, 2), "highlight": np.zeros(2, np.int32),
            "xaxispixel": np.zeros(2, np.int32), "yaxispixel": np.zeros(2, np.int32),
            "xaxisdata": np.zeros(2, np.float32), "yaxisdata": np.zeros(2, np.float32),
            **{n: _scalar(v) for n, v in ints.items()},
        }


class MjvScene(_Plain):
    """A list of geoms and lights to draw; `maxgeom` places are made at once."""

    def __init__(self, model=None, maxgeom=0, fields=None):
        super().__init__(fields)
        own = self.__dict__
        own["geoms"] = tuple(MjvGeom() for _ in range(maxgeom if model is not None else 0))
        own["lights"] = tuple(MjvLight() for _ in range(constants.mjMAXLIGHT))
        own["camera"] = (MjvGLCamera(), MjvGLCamera())
        self.maxgeom = len(self.geoms)

    @staticmethod
    def _new():
        flags = np.array([int(default) for _, default, _ in constants.mjRNDSTRING], np.uint8)
        ints = "maxgeom ngeom nflex nskin nlight enabletransform stereo status framewidth".split()
        return {
            "flags": flags, "translate": np.zeros(3, np.float32), "rotate": _single(1, 0, 0, 0), "scale": _single(1.0),
            "framergb": np.zeros(3, np.float32), **{n: _scalar(0) for n in ints},
        }


class MjrRect(_Plain):
    """A rectangle of pixels."""

    def __init__(self, left=0, bottom=0, width=0, height=0):
        values = {"left": left, "bottom": bottom, "width": width, "height": height}
        super().__init__({name: _scalar(int(value)) for name, value in values.items()})


def _unavailable(name):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"unsupported: {name}, since this package does not render")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Not available: this package does not render."
    return refuse


MjrContext = _unavailable("MjrContext")
GLContext = _unavailable("GLContext")
Renderer = _unavailable("Renderer")


_REFUSED = (
    "mjr_addAux mjr_blitAux mjr_blitBuffer mjr_changeFont mjr_drawPixels mjr_figure mjr_findRect mjr_finish mjr_getError "
    "mjr_label mjr_maxViewport mjr_overlay mjr_readPixels mjr_rectangle mjr_render mjr_resizeOffscreen mjr_restoreBuffer "
    "mjr_setAux mjr_setBuffer mjr_text mjr_uploadHField mjr_uploadMesh mjr_uploadTexture mjv_addGeoms mjv_alignToCamera "
    "mjv_applyPerturbForce mjv_applyPerturbPose mjv_averageCamera mjv_cameraFrame mjv_cameraFrustum mjv_cameraInModel "
    "mjv_cameraInRoom mjv_connector mjv_frustumHeight mjv_initGeom mjv_initPerturb mjv_makeLights mjv_model2room "
    "mjv_moveCamera mjv_moveModel mjv_movePerturb mjv_room2model mjv_select mjv_updateCamera mjv_updateSkin"
).split()
for _name in _REFUSED:
    globals()[_name] = _unavailable(_name)


def mjv_defaultFigure(fig):
    """Sets default values."""
    fig._fields.update(MjvFigure()._fields)


def mjv_defaultCamera(cam):
    """Sets default values."""
    cam._fields.update(MjvCamera()._fields)


def mjv_defaultFreeCamera(m, cam):
    """Places a free camera so that it sees the whole model."""
    mjv_defaultCamera(cam)
    cam.lookat = m.stat.center
    cam.distance = 1.5 * m.stat.extent
    cam.azimuth = m.vis.global_.azimuth
    cam.elevation = m.vis.global_.elevation
    cam.orthographic = m.vis.global_.orthographic


def mjv_defaultOption(opt):
    """Sets default values."""
    opt._fields.update(MjvOption()._fields)


def mjv_defaultPerturb(pert):
    """Sets default values."""
    pert._fields.update(MjvPerturb()._fields)


def mjv_updateScene(m, d, opt, pert, cam, catmask, scn):
    """Fills a scene with the visible geoms of the model; decorations are left out."""
    count = 0
    for geom in range(m.ngeom):
        static = int(m.body_weldid[m.geom_bodyid[geom]]) == 0
        category = 1 if static else 2
        group = min(max(int(m.geom_group[geom]), 0), constants.mjNGROUP - 1)
        if count == scn.maxgeom:
            break
        if not catmask & category or not opt.geomgroup[group]:
            continue
        target = scn.geoms[count]
        target.type, target.dataid = int(m.geom_type[geom]), int(m.geom_dataid[geom])
        target.objtype, target.objid, target.segid, target.category = 5, geom, count, category
        target.size, target.pos = m.geom_size[geom], d.geom_xpos[geom]
        target.mat = d.geom_xmat[geom].reshape(3, 3)
        material = int(m.geom_matid[geom])
        target.matid = material
        target.rgba = m.geom_rgba[geom] if material < 0 else m.mat_rgba[material]
        count += 1
    scn.ngeom = count


__all__ = [n for n in dir() if n.startswith(("Mj", "mjv_", "mjr_", "GLContext", "Renderer"))]
