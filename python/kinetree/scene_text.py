"""Scenes as text to read and compare, in the reference's layout."""

import re

import numpy as np

from kinetree.constants import mjRNDSTRING

_FORMAT = re.compile(r"%[-+ #0]*\d*(\.\d*)?[fgGeE]")
# fields of the elements of a scene, in order
_GEOM = "type category label objtype objid pos mat size segid dataid matid texcoord rgba emission specular shininess reflectance"
_LIGHT = "id pos dir type castshadow headlight intensity range ambient diffuse specular texid exponent attenuation cutoff bulbradius"
_CAMERA = ("pos forward up orthographic frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far")


def scene_text(scene, float_format="% -9.2g"):
    """The scene as text; numbers as C's `printf` writes them."""
    if not _FORMAT.fullmatch(float_format):
        raise ValueError(f"{float_format!r} is no format for a number; write '%.6g', for example")
    lines = []
    for title, elements, fields in (("GEOM", scene.geoms[: scene.ngeom], _GEOM), ("LIGHT", scene.lights[: scene.nlight], _LIGHT),
                                    ("CAMERA", scene.camera, _CAMERA)):
        lines.append(f"{title}S {len(elements)}")
        for i, element in enumerate(elements):
            lines += [f"  {title} {i}", *(_line(f"    {name}", getattr(element, name), float_format) for name in fields.split()), ""]
        lines.append("")
    lines += _meshes(scene, "FLEX DATA", scene.nflex, {
        "face_used": "flexfaceused", "edge_adr": "flexedgeadr", "edge_num": "flexedgenum", "vert_adr": "flexvertadr",
        "vert_num": "flexvertnum", "face_adr": "flexfaceadr", "face_num": "flexfacenum"}, "edges verts faces normals texcoords")
    lines += _meshes(scene, "SKIN DATA", scene.nskin, {
        "face_num": "skinfacenum", "vert_adr": "skinvertadr", "vert_num": "skinvertnum"}, "verts normals")
    lines.append("FLAGS")
    lines += [f"  {flag[0]:<21} {value}" for flag, value in zip(mjRNDSTRING, scene.flags)]
    lines += [_line(f"  {name}", getattr(scene, name), float_format)
              for name in ("flexvertopt", "flexedgeopt", "flexfaceopt", "flexskinopt", "stereo")]
    lines += ["", "", f"TRANSFORM {int(scene.enabletransform)}"]
    if scene.enabletransform:
        lines += [*(_line(f"  {name}", getattr(scene, name), float_format) for name in ("translate", "rotate", "scale")), ""]
    return "\n".join([*lines, "", ""])


def _line(name, value, float_format):
    """A name and a value, or several."""
    if isinstance(value, str):
        return f"{name:<21}{value}"
    if np.ndim(value):
        return f"{name:<21}" + "".join(f"{float_format % number} " for number in np.ravel(value))
    return f"{name:<21}" + (f" {int(value)}" if isinstance(value, (int, np.integer)) else float_format % value)


def _meshes(scene, title, count, fields, large):
    """Where the surfaces of flexes or skins are, without their many numbers."""
    lines = [f"{title} {count}"]
    for i in range(count):
        lines += [f"  {title} {i}", *(f"    {name:<17} {getattr(scene, field)[i]}" for name, field in fields.items()),
                  *(f"    {name:<17}..." for name in large.split()), ""]
    return [*lines, ""]
