"""Damaged bytes: binary models, pickles, pictures, meshes and texts of models, cut short, with bits turned and numbers made huge."""

import functools
import io
import pickle
import struct
import zlib

import kinetree
import numpy as np

from conformance.hostile import programs

TEXT = """<mujoco><asset><mesh name="m" file="m.obj"/><texture name="t" type="2d" file="t.png"/><material name="p" texture="t"/></asset>
<worldbody><body><freejoint/><geom type="mesh" mesh="m" material="p"/></body></worldbody></mujoco>"""
MESH = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SMALL = ("joint_types", "sensors", "tendons", "equality", "showcase/boxes")


def png():
    """A picture of four pixels."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    rows = zlib.compress(b"".join(b"\0" + bytes(6) for _ in range(2)))
    head = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def stl():
    """A binary mesh of four triangles."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    body = b"".join(np.zeros(3, np.float32).tobytes() + corners[list(face)].tobytes() + b"\0\0" for face in faces)
    return bytes(80) + struct.pack("<I", 4) + body


def damaged(rng, sound):
    """Bytes with something wrong."""
    some = bytearray(sound)
    for _ in range(rng.choice((1, 1, 2, 5))):
        kind, place = rng.random(), rng.randrange(max(1, len(some)))
        if kind < 0.2:
            del some[place:]
        elif kind < 0.3:
            del some[place : place + rng.choice((1, 4, 100))]
        elif kind < 0.4:
            some[place:place] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 4, 100))))
        elif kind < 0.6 and len(some) > place + 8:
            value = rng.choice((-1, 0, 1, 2**31 - 1, -(2**31), 2**30))
            struct.pack_into("<i", some, place & ~3, value)
        elif some:
            some[place % len(some)] ^= 1 << rng.randrange(8)
    return bytes(some)


@functools.cache
def binary(name):
    m = programs.load(name)
    buffer = np.empty(kinetree.mj_sizeModel(m), np.uint8)
    kinetree.mj_saveModel(m, None, buffer)
    return buffer.tobytes()


@functools.cache
def pickled(name, kind):
    m = programs.load(name)
    return pickle.dumps(m if kind == "model" else kinetree.MjData(m))


class Names(pickle.Unpickler):
    """Loads what belongs to the package; a damaged pickle can name any function of Python."""

    def find_class(self, module, name):
        if module.split(".")[0] in ("kinetree", "numpy") and module != "numpy.f2py":
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


def loads(rng):
    """What loads damaged bytes."""
    name = rng.choice(SMALL)
    kind = rng.choice(("mjb", "mjb", "pickle", "pickle", "png", "stl", "obj", "text"))
    if kind == "mjb":
        return kind, lambda: kinetree.MjModel.from_binary_path("model.mjb", {"model.mjb": damaged(rng, binary(name))})
    if kind == "pickle":
        of = rng.choice(("model", "data"))
        return f"pickle of a {of}", lambda: Names(io.BytesIO(damaged(rng, pickled(name, of)))).load()
    if kind == "text":
        text = (programs.FOLDER / f"{name}.xml").read_bytes()
        return kind, lambda: kinetree.MjModel.from_xml_string(damaged(rng, text).decode(errors="replace"))
    files = {"m.obj": MESH, "t.png": png()}
    if kind == "png":
        files["t.png"] = damaged(rng, files["t.png"])
    elif kind == "obj":
        files["m.obj"] = damaged(rng, MESH)
    else:
        files["m.stl"] = damaged(rng, stl())
    model = TEXT.replace("m.obj", "m.stl") if kind == "stl" else TEXT
    return kind, lambda: kinetree.MjModel.from_xml_string(model, files)


def run_case(rng):
    """Runs one case; what it did, and what is wrong, if anything is."""
    log: list[str | tuple[str, str]] = ["damage"]
    for _ in range(rng.choice((1, 2, 4))):
        kind, load = loads(rng)
        try:
            loaded = load()
            outcome = "value"
        except Exception as problem:  # whatever it is: it is an exception
            loaded, outcome = None, type(problem).__name__
        log.append((kind, outcome))
        if outcome == "UnexpectedError":
            return log, "a panic"
        if isinstance(loaded, kinetree.MjModel):
            try:
                kinetree.mj_step(loaded, kinetree.MjData(loaded))
            except Exception as problem:
                log.append((f"step of {kind}", type(problem).__name__))
                if type(problem).__name__ == "UnexpectedError":
                    return log, "a panic"
    return log, None
