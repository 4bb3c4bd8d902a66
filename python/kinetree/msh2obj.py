"""Turns meshes in the old binary format `.msh` into Wavefront OBJ text.

`python -m kinetree.msh2obj -i mesh.msh -o mesh.obj`
"""

import argparse
import dataclasses
import pathlib

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
    """A mesh: vertices, normals and texture coordinates with the same numbers, and faces."""

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @classmethod
    def create(cls, file):
        """Reads a file: four counts, then the arrays they count."""
        data = pathlib.Path(file).read_bytes()
        if len(data) < 16:
            raise ValueError(f"{file} is too short for a mesh: {len(data)} bytes")
        counts = np.frombuffer(data, "<i4", 4)
        widths = (3, 3, 2, 3)
        expected = 16 + 4 * sum(int(n) * width for n, width in zip(counts, widths))
        if (counts < 0).any() or expected != len(data):
            raise ValueError(f"{file} has {len(data)} bytes, but its counts {counts.tolist()} ask for {expected}")
        arrays, start = [], 16
        for count, width, kind in zip(counts, widths, ("<f4", "<f4", "<f4", "<i4")):
            arrays.append(np.frombuffer(data, kind, int(count) * width, start).reshape(-1, width))
            start += 4 * int(count) * width
        return cls(*arrays)


def msh_to_obj(msh_file):
    """The mesh of a file as OBJ text. Texture coordinates count from the other side there."""
    mesh = Msh.create(msh_file)
    lines = [f"v {x} {y} {z}" for x, y, z in mesh.vertex_positions]
    lines += [f"vn {x} {y} {z}" for x, y, z in mesh.vertex_normals]
    lines += [f"vt {u} {1 - v}" for u, v in mesh.vertex_texcoords]
    parts = ["{0}"]
    if len(mesh.vertex_texcoords) or len(mesh.vertex_normals):
        parts.append("{0}" if len(mesh.vertex_texcoords) else "")
    if len(mesh.vertex_normals):
        parts.append("{0}")
    corner = "/".join(parts)
    for face in mesh.face_vertex_indices + 1:
        lines.append("f " + " ".join(corner.format(number) for number in face))
    return "\n".join(lines) + "\n"


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--input", required=True, help="the .msh file")
    parser.add_argument("-o", "--output", required=True, help="the .obj file to write")
    arguments = parser.parse_args()
    pathlib.Path(arguments.output).write_text(msh_to_obj(arguments.input))


if __name__ == "__main__":
    main()
