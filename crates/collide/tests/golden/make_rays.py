"""Writes reference results of random rays, one text file per shape kind, and of bounding volume trees.

Needs mujoco==3.8.0 and numpy. Usage: python make_rays.py [--cases N] [--seed S] [--out DIR] [KIND ...]

Each line of a ray file is one case:
  size[3] pos[3] mat[9] origin[3] direction[3] distance normal[3]        (distance -1: no hit)
Files of meshes and height fields start with the data that all cases share, one array per line after its name.
Lines of ray_bvh.txt come in groups, one per body: "frame" pos quat / "leaf" id pos quat aabb ... / "node" aabb child nodeid depth ...
"""

import argparse
import pathlib

import mujoco
import numpy as np

PRIMITIVES = ["plane", "sphere", "capsule", "ellipsoid", "cylinder", "box"]
KINDS = PRIMITIVES + ["mesh", "hfield", "bvh"]


def numbers(*arrays):
    values = np.concatenate([np.ravel(np.asarray(a, dtype=float)) for a in arrays])
    return " ".join(repr(float(v)).removesuffix(".0") for v in values)


def random_quat(rng):
    quat = rng.normal(size=4) if rng.random() < 0.7 else rng.integers(-1, 2, 4).astype(float)
    norm = np.linalg.norm(quat)
    return quat / norm if norm > 0 else np.array([1.0, 0, 0, 0])


def random_ray(rng, pos, mat, reach):
    """Aims near the shape; some rays are parallel to the shape's axes or start inside it."""
    target = pos + rng.normal(size=3) * 0.4 * reach
    origin = target + rng.normal(size=3) * reach * rng.choice([0.2, 3.0])
    direction = (target - origin) * rng.uniform(0.1, 3)
    if rng.random() < 0.2:
        direction = mat[:, rng.integers(3)] * rng.choice([-1, 1])
        origin = target - direction * reach
    if rng.random() < 0.1:
        origin, direction = np.round(origin, 1), np.round(direction, 1)
    if np.linalg.norm(direction) < 1e-3:
        direction = np.array([0.0, 0.0, -1.0])
    return origin, direction


def primitive_cases(rng, kind, count):
    geom_type = getattr(mujoco.mjtGeom, "mjGEOM_" + kind.upper())
    lines = []
    misses = 0
    while len(lines) < count:
        size = rng.uniform(0.1, 1, 3)
        if kind == "plane" and rng.random() < 0.5:
            size[rng.integers(2)] = 0
        pos = rng.uniform(-1, 1, 3)
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, random_quat(rng))
        origin, direction = random_ray(rng, pos, mat.reshape(3, 3), 1.0)
        normal = np.zeros(3)
        distance = mujoco.mju_rayGeom(pos, mat, size, origin, direction, int(geom_type), normal)
        misses += distance < 0
        if distance >= 0 or misses < count // 5:
            lines.append(numbers(size, pos, mat, origin, direction, distance, normal))
    return lines


def torus_mesh(n, m):
    """A closed surface that is not convex."""
    verts, faces = [], []
    for i in range(n):
        for j in range(m):
            a, b = 2 * np.pi * i / n, 2 * np.pi * j / m
            r = 0.4 + 0.15 * np.cos(b)
            verts.append([r * np.cos(a), r * np.sin(a), 0.15 * np.sin(b)])
            p, q = i * m + j, ((i + 1) % n) * m + j
            p1, q1 = i * m + (j + 1) % m, ((i + 1) % n) * m + (j + 1) % m
            faces += [[p, q, q1], [p, q1, p1]]
    return np.array(verts), np.array(faces)


def asset_model(kind, rng):
    if kind == "mesh":
        verts, faces = torus_mesh(12, 8)
        vertex = " ".join(f"{x:.4f}" for x in verts.ravel())
        face = " ".join(str(x) for x in faces.ravel())
        asset, data = f'<mesh name="a" vertex="{vertex}" face="{face}"/>', 'type="mesh" mesh="a"'
    else:
        asset, data = '<hfield name="a" nrow="9" ncol="7" size="0.5 0.7 0.4 0.1"/>', 'type="hfield" hfield="a"'
    xml = f'<mujoco><asset>{asset}</asset><worldbody><body mocap="true"><geom {data}/></body></worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(xml)
    if kind == "hfield":
        model.hfield_data[:] = np.round(rng.random(model.hfield_data.size), 2)
    return model


def asset_header(kind, model):
    if kind == "hfield":
        return [f"nrow {model.hfield_nrow[0]}", f"ncol {model.hfield_ncol[0]}",
                f"size {numbers(model.hfield_size[0])}", f"data {numbers(model.hfield_data)}"]
    start, count = model.mesh_bvhadr[0], model.mesh_bvhnum[0]
    nodes = slice(start, start + count)
    return [f"half {numbers(model.geom_size[0])}", f"vert {numbers(model.mesh_vert)}", f"face {numbers(model.mesh_face)}",
            f"aabb {numbers(model.bvh_aabb[nodes])}", f"child {numbers(model.bvh_child[nodes])}",
            f"nodeid {numbers(model.bvh_nodeid[nodes])}"]


def asset_cases(rng, kind, count):
    model = asset_model(kind, rng)
    data = mujoco.MjData(model)
    lines = asset_header(kind, model)
    cast = mujoco.mj_rayMesh if kind == "mesh" else mujoco.mj_rayHfield
    misses, total = 0, count + len(lines)
    while len(lines) < total:
        data.mocap_pos[0] = rng.uniform(-1, 1, 3)
        data.mocap_quat[0] = random_quat(rng)
        mujoco.mj_kinematics(model, data)
        pos, mat = data.geom_xpos[0], data.geom_xmat[0]
        origin, direction = random_ray(rng, pos, mat.reshape(3, 3), 0.6)
        normal = np.zeros(3)
        distance = cast(model, data, 0, origin, direction, normal)
        misses += distance < 0
        if distance >= 0 or misses < count // 5:
            lines.append(numbers(model.geom_size[0], pos, mat, origin, direction, distance, normal))
    return lines


def tree_cases(rng, count):
    """Bodies with several geoms: the leaves given to the model compiler's tree, and the nodes that it made."""
    lines = []
    for body in range(count):
        geoms = ""
        for _ in range(rng.integers(1, 12)):
            pos, quat, size = np.round(rng.normal(size=3), 1), random_quat(rng), np.round(rng.uniform(0.1, 1, 3), 2)
            kind = rng.choice(["sphere", "capsule", "ellipsoid", "cylinder", "box"])
            collides = int(rng.random() < 0.85)
            geoms += (f'<geom type="{kind}" pos="{numbers(pos)}" quat="{numbers(quat)}" size="{numbers(size)}" '
                      f'contype="{collides}" conaffinity="0"/>')
        model = mujoco.MjModel.from_xml_string(
            f"<mujoco><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>")
        if model.body_bvhnum[1] == 0:
            continue
        lines.append("frame " + numbers(model.body_ipos[1], model.body_iquat[1]))
        for g in range(model.ngeom):
            if model.geom_contype[g]:
                lines.append("leaf " + numbers(g, model.geom_pos[g], model.geom_quat[g], model.geom_aabb[g]))
        for n in range(model.body_bvhadr[1], model.body_bvhadr[1] + model.body_bvhnum[1]):
            lines.append("node " + numbers(model.bvh_aabb[n], model.bvh_child[n], model.bvh_nodeid[n], model.bvh_depth[n]))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=KINDS)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    args = parser.parse_args()
    for kind in args.kinds:
        rng = np.random.default_rng([args.seed, KINDS.index(kind)])
        if kind == "bvh":
            lines = tree_cases(rng, max(args.cases // 4, 4))
        elif kind in PRIMITIVES:
            lines = primitive_cases(rng, kind, args.cases)
        else:
            lines = asset_cases(rng, kind, args.cases)
        (args.out / f"ray_{kind}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
