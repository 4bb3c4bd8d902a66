"""Writes `hulls.txt`: convex hulls of point clouds that are hard on a hull (many points in planes, nearly in planes, on lines, twice),
as the reference finds them: vertices, faces, and a hash of the graph.

A line is `kind count seed vertices faces hash`. The clouds come from a generator of random numbers that the test has too.
"""

import os

import mujoco
import numpy as np


class Stream:
    """Random numbers between −1 and 1 that are easy to make again in any language."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        """The next number."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) / 2.0**52 - 1.0


def round_point(stream):
    """A point of the unit sphere, by stereographic projection."""
    u, v = 2 * stream.next(), 2 * stream.next()
    s = 1 + u * u + v * v
    return [2 * u / s, 2 * v / s, (s - 2) / s]


def grid(x, n):
    """The nearest of n + 1 steps between −1 and 1."""
    return np.floor((x + 1) / 2 * n + 0.5) / n * 2 - 1


def point(kind, i, stream):
    """One point of a cloud."""
    x, y, z = stream.next(), stream.next(), stream.next()
    noise = 10.0 ** -(3 + i % 5)
    if kind == "ball":
        return [x, y, z]
    if kind == "sphere":
        return round_point(stream)
    if kind == "grid":
        return [grid(x, 3), grid(y, 4), grid(z, 2)]
    if kind == "cube":
        # on the faces of a cube, nearly
        faces = [[1 if x > 0 else -1, y, z], [x, 1 if y > 0 else -1, z], [x, y, 1 if z > 0 else -1]]
        return [c * (1 + noise * stream.next()) for c in faces[i % 3]]
    if kind == "prism":
        # two polygons with rounded corners
        t = 4 * x
        s = 1 + t * t
        return [(1 - t * t) / s, 2 * t / s, (1 if i % 2 else -1) + noise * z]
    if kind == "plate":
        return [x, y, 1e-3 * grid(z, 2)]
    if kind == "bumpy":
        # lattice points of a ball, moved a little
        p = [grid(x, 6), grid(y, 6), grid(z, 6)]
        return [c + noise * stream.next() for c in p]
    if kind == "lattice":
        # whole numbers: edges of length one, and many points in each plane
        return [2 * grid(x, 4), 2 * grid(y, 4), 2 * grid(z, 4)]
    if kind == "dust":
        # corners and edges of cubes, each many times, as far apart as single precision can tell
        return [grid(c, 2) + 10.0 ** -(6 + i % 2) * stream.next() for c in (x, y, z)]
    # cone: a fan of points on a circle, and tips close to each other
    t = 3 * x
    s = 1 + t * t
    return [0.01 * y, 0.01 * z, 1 + noise * y] if i % 7 == 0 else [(1 - t * t) / s, 2 * t / s, noise * z]


KINDS = ("ball", "sphere", "grid", "cube", "prism", "plate", "bumpy", "cone", "lattice", "dust")


def graph_hash(graph):
    """FNV-1a over the integers of a graph."""
    value = 0xCBF29CE484222325
    for number in graph:
        value = ((value ^ (int(number) & 0xFFFFFFFF)) * 0x100000001B3) % 2**64
    return value


def main():
    """Writes the file."""
    lines = []
    for kind in KINDS:
        for count, seed in [(n, 7 * n + k) for n in (8, 16, 40, 120, 300) for k in range(5)]:
            stream = Stream(seed)
            points = [point(kind, i, stream) for i in range(count)]
            text = " ".join(f"{c:.7f}" for p in points for c in p)
            xml = (f'<mujoco><asset><mesh name="m" vertex="{text}" inertia="convex"/></asset><worldbody><body><freejoint/>'
                   '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>')
            try:
                graph = mujoco.MjModel.from_xml_string(xml).mesh_graph
            except ValueError as problem:
                lines.append(f"{kind} {count} {seed} 0 0 0")
                print(kind, count, seed, problem)
                continue
            lines.append(f"{kind} {count} {seed} {graph[0]} {graph[1]} {graph_hash(graph):016x}")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "hulls.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
