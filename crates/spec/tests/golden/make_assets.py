"""Writes assets.txt: small meshes, textures and height fields with the arrays that MuJoCo 3.8.0 compiles from them.

Run with a Python that has mujoco==3.8.0 and numpy:  python make_assets.py > assets.txt

Format, one record per line: `case KIND NAME`, then `file NAME HEX`, `set KEY VALUE…`, `arr NAME TYPE HEX…`
(TYPE f32, f64 as bit patterns, i32 decimal, u8 as one hex string), `fails` when the reference refuses it, `end`.
"""

import struct
import zlib

import mujoco
import numpy as np

assert mujoco.__version__ == "3.8.0"

CUBE = [(x, y, z) for x in (-1.0, 1.0) for y in (-0.5, 0.5) for z in (-0.25, 0.25)]
CUBE_FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
              (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
# an L-shaped prism: not convex
L_OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]
L_VERT = [(x, y, z) for z in (0.0, 0.7) for x, y in L_OUTLINE]
L_FACES = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4)]
L_FACES += [tuple(v + 6 for v in (a, c, b)) for a, b, c in L_FACES]
for i in range(6):
    j = (i + 1) % 6
    L_FACES += [(i, j, j + 6), (i, j + 6, i + 6)]


def bits32(values):
    return [format(v, "x") for v in np.ascontiguousarray(values, dtype="<f4").ravel().view("<u4")]


def bits64(values):
    return [format(v, "x") for v in np.ascontiguousarray(values, dtype="<f8").ravel().view("<u8")]


def ints(values):
    return [str(int(v)) for v in np.asarray(values).ravel()]


def stl(vert, faces, count=None):
    out = b"made by make_assets".ljust(80, b"\0") + struct.pack("<i", len(faces) if count is None else count)
    for face in faces:
        out += struct.pack("<3f", 0, 0, 0)
        for v in face:
            out += struct.pack("<3f", *vert[v])
        out += b"\0\0"
    return out


def msh(vert, faces, normal=None, texcoord=None):
    out = struct.pack("<4i", len(vert), len(normal or []), len(texcoord or []), len(faces))
    for block in (vert, normal or [], texcoord or []):
        for row in block:
            out += struct.pack(f"<{len(row)}f", *row)
    for face in faces:
        out += struct.pack("<3i", *face)
    return out


def obj(vert, faces, head="", tail=""):
    text = head + "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in vert)
    text += "".join("f " + " ".join(str(i + 1) for i in face) + "\n" for face in faces)
    return (text + tail).encode()


def ball(n):
    points = []
    for i in range(n):
        z = 1 - 2 * (i + 0.5) / n
        r = (1 - z * z) ** 0.5
        a = 2.399963229728653 * i
        points.append((r * np.cos(a), r * np.sin(a) * 0.8, z * 0.6))
    return points


def flat(values):
    return " ".join(repr(float(x)) for row in values for x in row)


MIXED_OBJ = b"""# quads, a pentagon, negative indices, texture coordinates and normals
mtllib none.mtl
o first
v 0 0 0\r
v 2 0 0\r
v 2 1 0
v 0 1 0
v 0 0 1.5
v 2.0e0 0 15E-1
v 2 1 +1.5
v .0 1. 1.5 0.5 0.5 0.5
vt 0 0
vt 1 0.25
vt 1 1
vt 0 0.75
vn 0 0 -1
vn 0 0 1
vn 0 -2 0
vn 0 1 0
vn 1 0 0
vn -1 0 0
usemtl red
s 1
f 4/4/1 3/3/1 2/2/1 1/1/1
f -4/1/2 -3/2/2 -2/3/2 -1/4/2
f 1/1/3 2/2/3 6/3/3 5/4/3
f 3//4 4//4 8//4 7//4
f 2/1/5 3/2/5 7/3/5 6/4/5
f 4 1 5 8
l 1 2
g second
f 1 2 3
"""
PENTAGON_OBJ = b"""v 0 0 0
v 4 0 0
v 4 3 0
v 2 1 0
v 0 3 0
v 2 1 2
f 5 4 3 2 1
f 1 2 6
f 2 3 6
f 3 4 6
f 4 5 6
f 5 1 6
"""

MESHES = [
    ("cube_stl", "c.stl", stl(CUBE, CUBE_FACES), {}),
    ("cube_stl_hull", "c.stl", stl(CUBE, CUBE_FACES), dict(hull=1, scale="0.1 0.2 0.3", refpos="1 2 3", refquat="1 2 3 4")),
    ("cube_stl_mirrored", "c.stl", stl(CUBE, CUBE_FACES), dict(hull=1, scale="-1 1 2")),
    ("l_legacy", "l.stl", stl(L_VERT, L_FACES), dict(hull=1)),
    ("l_exact", "l.stl", stl(L_VERT, L_FACES), dict(hull=1, inertia="exact")),
    ("l_convex", "l.stl", stl(L_VERT, L_FACES), dict(hull=1, inertia="convex")),
    ("l_shell", "l.stl", stl(L_VERT, L_FACES), dict(hull=1, inertia="shell")),
    ("l_smooth", "l.stl", stl(L_VERT, L_FACES), dict(smoothnormal="true")),
    ("mixed_obj", "m.obj", MIXED_OBJ, dict(hull=1)),
    ("pentagon_obj", "p.obj", PENTAGON_OBJ, dict(hull=1)),
    ("points_obj", "q.obj", obj(CUBE, []), dict(hull=1)),
    ("cube_msh", "c.msh", msh(CUBE, CUBE_FACES), dict(hull=1)),
    ("cube_msh_full", "c.msh", msh(CUBE, CUBE_FACES, [(0, 0, 2)] * 8, [(0.5, 0.25)] * 8), dict(scale="1 -2 1")),
    ("ball_inline", None, None, dict(hull=1, vertex=flat(ball(60)))),
    ("ball_limited", None, None, dict(hull=1, vertex=flat(ball(60)), maxhullvert="14")),
    ("cube_inline", None, None, dict(vertex=flat(CUBE), face=" ".join(map(str, sum(CUBE_FACES, ()))),
                                     texcoord=flat([(i / 8, 1 - i / 8) for i in range(8)]),
                                     normal=flat([(1, 2, i) for i in range(8)]))),
    ("sphere", None, None, dict(hull=1, builtin="sphere", params="1")),
    ("hemisphere", None, None, dict(hull=1, builtin="hemisphere", params="1")),
    ("cone", None, None, dict(hull=1, builtin="cone", params="5 0")),
    ("frustum", None, None, dict(hull=1, builtin="cone", params="4 0.5", scale="1 1 0.5")),
    ("supersphere", None, None, dict(hull=1, builtin="supersphere", params="6 0.7 1.5")),
    ("supertorus", None, None, dict(hull=1, builtin="supertorus", params="5 0.4 0.5 1.2")),
    ("wedge", None, None, dict(hull=1, builtin="wedge", params="4 3 80 40 0.5")),
    ("plate", None, None, dict(builtin="plate", params="3 4")),
    ("fails_ascii_stl", "a.stl", b"solid cube\n" + b" facet normal 0 0 1\n" * 20, {}),
    ("fails_short_stl", "a.stl", stl(CUBE, CUBE_FACES)[:-1], {}),
    ("fails_count_stl", "a.stl", stl(CUBE, CUBE_FACES, 200001), {}),
    ("fails_header_stl", "a.stl", b"\0" * 83, {}),
    ("fails_bounds_stl", "a.stl", stl([(2e9, 0, 0)] + CUBE[1:], CUBE_FACES), {}),
    ("fails_nan_stl", "a.stl", stl([(float("nan"), 0, 0)] + CUBE[1:], CUBE_FACES), {}),
    ("fails_zero_obj", "a.obj", obj(CUBE, CUBE_FACES, tail="f 0 1 2\n"), {}),
    ("fails_index_obj", "a.obj", obj(CUBE, CUBE_FACES, tail="f 1 2 30\n"), {}),
    ("fails_negative_obj", "a.obj", obj(CUBE, CUBE_FACES, tail="f 1 2 -30\n"), {}),
    ("fails_size_msh", "a.msh", msh(CUBE, CUBE_FACES) + b"\0", {}),
    ("fails_counts_msh", "a.msh", struct.pack("<4i", 8, 3, 0, 0), {}),
    ("fails_index_msh", "a.msh", msh(CUBE, [(0, 1, 8)]), {}),
    ("fails_orientation", "l.stl", stl(L_VERT, [(0, 1, 2)] + L_FACES[1:]), dict(inertia="exact")),
    ("fails_inside_out", "l.stl", stl(L_VERT, [(a, c, b) for a, b, c in L_FACES]), dict(inertia="exact")),
    ("fails_flat", None, None, dict(hull=1, vertex="0 0 0 1 0 0 0 1 0 1 1 0")),
    ("fails_three", None, None, dict(vertex="0 0 0 1 0 0 0 1 0", face="0 1 2")),
    ("fails_texcoord", None, None, dict(vertex=flat(CUBE), texcoord="0 0 1 1")),
]

FITS = [("sphere", 1), ("capsule", 2), ("cylinder", 2), ("ellipsoid", 3), ("box", 3)]


def mesh_xml(name, file, settings):
    attributes = "".join(f' {k}="{v}"' for k, v in settings.items() if k != "hull")
    if file:
        attributes += f' file="{file}"'
    hull = settings.get("hull", 0)
    geom = f'<geom type="mesh" mesh="{name}" density="1" contype="{hull}" conaffinity="{hull}"/>'
    if settings.get("builtin") != "plate":  # its inertia is not that of a body
        geom = f"<body>{geom}</body>"
    return f"""<mujoco><asset><mesh name="{name}"{attributes}/></asset>
      <worldbody>{geom}</worldbody></mujoco>"""


def fitted_size(name, file, data, settings, shape, aabb):
    attributes = "".join(f' {k}="{v}"' for k, v in settings.items() if k != "hull")
    if file:
        attributes += f' file="{file}"'
    xml = f"""<mujoco><compiler fitaabb="{aabb}"/><asset><mesh name="{name}"{attributes}/></asset>
      <worldbody><geom type="{shape}" mesh="{name}" fitscale="0.9"/></worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(xml, {file: data} if file else {}).geom_size[0]


def mesh_arrays(m):
    yield "vert", "f32", bits32(m.mesh_vert)
    yield "normal", "f32", bits32(m.mesh_normal)
    yield "texcoord", "f32", bits32(m.mesh_texcoord)
    yield "face", "i32", ints(m.mesh_face)
    yield "facenormal", "i32", ints(m.mesh_facenormal)
    if len(m.mesh_texcoord):
        yield "facetexcoord", "i32", ints(m.mesh_facetexcoord)
    yield "graph", "i32", ints(m.mesh_graph)
    yield "polynormal", "f64", bits64(m.mesh_polynormal)
    for field in ("polyvertadr", "polyvertnum", "polyvert", "polymapadr", "polymapnum", "polymap"):
        yield field, "i32", ints(getattr(m, "mesh_" + field))
    yield "pos", "f64", bits64(m.mesh_pos)
    yield "quat", "f64", bits64(m.mesh_quat)
    if m.nbody > 1:
        yield "volume", "f64", bits64(m.body_mass[1:])
        yield "inertia", "f64", bits64(m.body_inertia[1:])


def print_case(kind, name, files, settings, compute):
    print("case", kind, name)
    for file, data in files.items():
        print("file", file, data.hex())
    for key, value in settings.items():
        print("set", key, value)
    try:
        rows = list(compute())
    except ValueError:
        assert name.startswith("fails"), name
        print("fails")
    else:
        assert not name.startswith("fails"), name
        for array, kind, values in rows:
            print("arr", array, kind, *values)
    print("end")


def make_meshes():
    for name, file, data, settings in MESHES:
        file = file and f"{name}_{file}"  # the reference keeps files by name
        def compute():
            xml = mesh_xml(name, file, settings)
            yield from mesh_arrays(mujoco.MjModel.from_xml_string(xml, {file: data} if file else {}))
            if settings.get("inertia") == "convex":
                return
            for shape, count in FITS:
                for aabb in ("false", "true"):
                    try:
                        size = fitted_size(name, file, data, settings, shape, aabb)
                    except ValueError:  # a capsule can come out shorter than it is wide
                        continue
                    yield f"fit_{shape}_{aabb}", "f64", bits64(size[:count])
        print_case("mesh", name, {file: data} if file else {}, settings, compute)


def png(width, height, color, depth, rows, palette=b"", trns=b"", srgb=False, cut=0):
    def chunk(tag, data):
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))
    if srgb:
        out += chunk(b"sRGB", b"\0")
    if palette:
        out += chunk(b"PLTE", palette)
    if trns:
        out += chunk(b"tRNS", trns)
    raw = b"".join(b"\0" + row for row in rows)
    out += chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
    return out[: len(out) - cut]


def noise(n, seed):
    return bytes(np.random.RandomState(seed).randint(0, 256, n, dtype=np.uint8))


def rows_of(width, height, bits, seed):
    line = (width * bits + 7) // 8
    data = noise(line * height, seed)
    return [data[i * line:(i + 1) * line] for i in range(height)]


GREY = png(5, 3, 0, 8, rows_of(5, 3, 8, 1))
GREY1 = png(9, 2, 0, 1, rows_of(9, 2, 1, 2))
GREY4 = png(5, 2, 0, 4, rows_of(5, 2, 4, 3), trns=b"\0\5")
GREY16 = png(3, 2, 0, 16, rows_of(3, 2, 16, 4))
RGB = png(4, 4, 2, 8, rows_of(4, 4, 24, 5), srgb=True)
RGB16 = png(3, 2, 2, 16, rows_of(3, 2, 48, 6))
RGBA = png(4, 3, 6, 8, rows_of(4, 3, 32, 7))
GREYA = png(4, 3, 4, 8, rows_of(4, 3, 16, 8))
PALETTE = png(6, 2, 3, 2, [b"\x1b\x10", b"\xe4\x40"], palette=noise(12, 9), trns=b"\x10\x20")
KEYED = png(2, 1, 2, 8, [b"\1\2\3\4\5\6"], trns=b"\0\1\0\2\0\3")
GRID = png(8, 6, 2, 8, rows_of(8, 6, 24, 10))

TEXTURES = [
    ("checker2d", {}, dict(type="2d", builtin="checker", width=5, height=4, rgb1=".1 .2 .3", rgb2=".6 .8 1")),
    ("gradient2d", {}, dict(type="2d", builtin="gradient", width=8, height=6, rgb1=".1 .2 .3", rgb2="1 .8 .3")),
    ("flat2d_edge", {}, dict(type="2d", builtin="flat", width=4, height=3, mark="edge", markrgb=".9 .5 .1")),
    ("flat2d_cross", {}, dict(type="2d", builtin="flat", width=5, height=4, mark="cross", markrgb=".9 .5 .1")),
    ("flat2d_random", {}, dict(type="2d", builtin="flat", width=16, height=16, mark="random", markrgb="1 1 1", random=0.3)),
    ("flat2d_rgba", {}, dict(type="2d", builtin="flat", width=3, height=2, nchannel=4)),
    ("sky", {}, dict(type="skybox", builtin="gradient", width=5, rgb1=".4 .6 .8", rgb2="0 0 0")),
    ("sky_random", {}, dict(type="skybox", builtin="gradient", width=4, mark="random", markrgb="1 1 1", random=0.2)),
    ("cube_checker", {}, dict(type="cube", builtin="checker", width=3, mark="edge", markrgb=".8 .8 .8")),
    ("cube_flat", {}, dict(type="cube", builtin="flat", width=3, rgb1="1 0 0", rgb2="0 1 0", mark="cross")),
    ("rgb", {"t.png": RGB}, dict(type="2d", file="t.png")),
    ("rgb_linear", {"t.png": RGB}, dict(type="2d", file="t.png", colorspace="linear", hflip="true")),
    ("rgb_flipped", {"t.png": RGBA}, dict(type="2d", file="t.png", hflip="true", vflip="true")),
    ("rgba", {"t.png": RGBA}, dict(type="2d", file="t.png", nchannel=4)),
    ("grey_from_rgb", {"t.png": RGB}, dict(type="2d", file="t.png", nchannel=1)),
    ("rgb_from_grey", {"t.png": GREY}, dict(type="2d", file="t.png")),
    ("rgb_from_grey1", {"t.png": GREY1}, dict(type="2d", file="t.png")),
    ("rgba_from_grey4", {"t.png": GREY4}, dict(type="2d", file="t.png", nchannel=4)),
    ("rgb_from_grey16", {"t.png": GREY16}, dict(type="2d", file="t.png")),
    ("rgb_from_rgb16", {"t.png": RGB16}, dict(type="2d", file="t.png")),
    ("rgba_from_greya", {"t.png": GREYA}, dict(type="2d", file="t.png", nchannel=4)),
    ("rgb_from_palette", {"t.png": PALETTE}, dict(type="2d", file="t.png")),
    ("rgba_from_palette", {"t.png": PALETTE}, dict(type="2d", file="t.png", nchannel=4)),
    ("rgba_keyed", {"t.png": KEYED}, dict(type="2d", file="t.png", nchannel=4)),
    ("cube_repeated", {"t.png": RGB}, dict(type="cube", file="t.png")),
    ("cube_grid", {"t.png": GRID}, dict(type="cube", file="t.png", gridsize="3 4", gridlayout=".U..LFRB.D..")),
    ("cube_part", {"t.png": GRID}, dict(type="skybox", file="t.png", gridsize="3 4", gridlayout="...R..F....."
                                        , rgb1=".3 .5 .7", vflip="true")),
    ("cube_faces", {"a.png": RGB, "b.png": png(4, 4, 2, 8, rows_of(4, 4, 24, 11))},
     dict(type="cube", fileright="a.png", filedown="b.png", fileback="a.png", rgb1="0.2 0.4 1")),
    ("custom", {"t.bin": struct.pack("<2i", 3, 2) + noise(18, 12)}, dict(type="2d", file="t.bin")),
    ("ktx", {"t.ktx": noise(21, 13)}, dict(type="2d", file="t.ktx")),
    ("fails_truncated", {"t.png": png(4, 4, 2, 8, rows_of(4, 4, 24, 5), cut=30)}, dict(type="2d", file="t.png")),
    ("fails_grid", {"t.png": RGBA}, dict(type="cube", file="t.png", gridsize="2 3", gridlayout="RLUDFB")),
    ("fails_symbol", {"t.png": GRID}, dict(type="cube", file="t.png", gridsize="3 4", gridlayout=".X..LFRB.D..")),
    ("fails_square", {"a.png": RGBA}, dict(type="cube", fileright="a.png")),
    ("fails_custom", {"t.bin": struct.pack("<2i", 3, 2) + noise(17, 12)}, dict(type="2d", file="t.bin")),
    ("fails_ktx_flip", {"t.ktx": noise(21, 13)}, dict(type="2d", file="t.ktx", hflip="true")),
    ("fails_no_file", {}, dict(type="cube")),
    ("fails_width", {}, dict(type="2d", builtin="flat", width=0, height=3)),
]


def renamed(name, files, settings):
    """Gives every case its own file names, because the reference keeps files by name."""
    new = {file: f"{name}_{file}" for file in files}
    return {new[file]: data for file, data in files.items()}, {k: new.get(v, v) for k, v in settings.items()}


def make_textures():
    for name, files, settings in TEXTURES:
        files, settings = renamed(name, files, settings)
        def compute():
            attributes = "".join(f' {k}="{v}"' for k, v in settings.items())
            xml = f'<mujoco><asset><texture name="{name}"{attributes}/></asset></mujoco>'
            m = mujoco.MjModel.from_xml_string(xml, dict(files))
            yield "shape", "i32", ints([m.tex_width[0], m.tex_height[0], m.tex_nchannel[0], m.tex_colorspace[0]])
            yield "data", "u8", [bytes(m.tex_data).hex()]
        print_case("texture", name, files, settings, compute)


HFIELDS = [
    ("inline", {}, dict(nrow=2, ncol=3, elevation="0 1 2 3 4.5 6")),
    ("constant", {}, dict(nrow=2, ncol=2, elevation="3 3 3 3")),
    ("empty", {}, dict(nrow=2, ncol=2)),
    ("grey", {"h.png": GREY}, dict(file="h.png")),
    ("rgb", {"h.png": RGB}, dict(file="h.png")),
    ("grey16", {"h.png": GREY16}, dict(file="h.png")),
    ("binary", {"h.bin": struct.pack("<2i4f", 2, 2, 0.5, -1, 3, 0.1)}, dict(file="h.bin")),
    ("fails_binary", {"h.bin": struct.pack("<2i3f", 2, 2, 0.5, -1, 3)}, dict(file="h.bin")),
    ("fails_length", {}, dict(nrow=2, ncol=2, elevation="1 2 3")),
]


def make_hfields():
    for name, files, settings in HFIELDS:
        files, settings = renamed(name, files, settings)
        def compute():
            attributes = "".join(f' {k}="{v}"' for k, v in settings.items())
            xml = f'<mujoco><asset><hfield name="{name}" size="1 1 1 1"{attributes}/></asset></mujoco>'
            m = mujoco.MjModel.from_xml_string(xml, dict(files))
            yield "shape", "i32", ints([m.hfield_nrow[0], m.hfield_ncol[0]])
            yield "data", "f32", bits32(m.hfield_data)
        print_case("hfield", name, files, settings, compute)


if __name__ == "__main__":
    make_meshes()
    make_textures()
    make_hfields()
