"""Writes reference contacts of random shape pairs, one text file per pair kind.

Needs mujoco==3.8.0 and numpy. Usage: python make_pairs.py [--cases N] [--seed S] [--out DIR] [KIND ...]

Each line is one case:
  margin  size1[3] pos1[3] mat1[9]  size2[3] pos2[3] mat2[9]  count  (dist pos[3] normal[3]) * count
Files of mesh kinds start with lines that describe the mesh:
  "bound" radius / "vert" x y z ... / "graph" integers ...
"""

import argparse
import itertools
import pathlib

import mujoco
import numpy as np

KINDS = [
    "plane_sphere", "plane_capsule", "plane_cylinder", "plane_box", "plane_ellipsoid", "plane_mesh", "plane_cube",
    "sphere_sphere", "sphere_capsule", "sphere_cylinder", "sphere_box",
    "capsule_capsule", "capsule_box", "box_box",
]
ASSETS = {
    "mesh": [[0.31, 0.02, -0.1], [-0.2, 0.25, 0.05], [0.05, -0.3, 0.12], [0.0, 0.1, 0.33], [0.15, 0.22, -0.2],
             [-0.25, -0.15, -0.12], [0.22, -0.18, 0.2], [-0.1, 0.05, -0.3], [-0.28, 0.0, 0.18], [0.1, 0.28, 0.15],
             [0.25, 0.15, 0.12], [-0.12, -0.27, 0.02], [0.18, -0.2, -0.18], [-0.05, 0.2, -0.26]],
    "cube": list(itertools.product([-0.2, 0.2], [-0.15, 0.15], [-0.1, 0.1])),
}


def cube_rotations():
    """The 24 rotations that map the axes onto themselves, as exact matrices."""
    result = []
    for perm in itertools.permutations(range(3)):
        for sign in itertools.product([1, -1], repeat=3):
            mat = np.zeros((3, 3))
            for row, col in enumerate(perm):
                mat[row, col] = sign[row]
            if np.linalg.det(mat) > 0:
                result.append(mat)
    return result


ALIGNED = cube_rotations()


def build_model(kind):
    """Two free bodies with one geom each."""
    types = kind.split("_")
    assets, bodies = "", ""
    for index, name in enumerate(types):
        geom_type = "mesh" if name in ASSETS else name
        data = ""
        if name in ASSETS:
            vertices = " ".join(str(x) for x in np.ravel(ASSETS[name]))
            assets += f'<mesh name="{name}" vertex="{vertices}"/>'
            data = f'mesh="{name}"'
        else:
            data = 'size="0.1 0.1 0.1"'
        joint = "" if name == "plane" else "<freejoint/>"
        bodies += f'<body name="b{index}">{joint}<geom name="g{index}" type="{geom_type}" {data} mass="1"/></body>'
    # planes live in the world body only when static; a mocap body lets them move
    bodies = bodies.replace('<body name="b0"><geom name="g0" type="plane"',
                            '<body name="b0" mocap="true"><geom name="g0" type="plane"')
    xml = f"<mujoco><option><flag multiccd='enable'/></option><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>"
    xml = xml.replace("<option><flag multiccd='enable'/></option>", "")
    return mujoco.MjModel.from_xml_string(xml)


def random_size(rng, name):
    if name == "plane":
        return np.array([5.0, 5.0, 0.1])
    size = rng.uniform(0.05, 0.5, 3)
    if rng.random() < 0.2:
        size = np.round(size, 1) + 0.1
    if rng.random() < 0.05:
        size[rng.integers(3)] = 1e-3
    return size


def quat_of(mat):
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, mat.ravel())
    return quat


def random_poses(rng, reach):
    """Positions and quaternions of both shapes; about half the cases are aligned or nearly so."""
    mode = rng.choice(["free", "aligned", "nearly", "parallel"], p=[0.5, 0.2, 0.15, 0.15])
    quat1 = rng.normal(size=4)
    quat1 /= np.linalg.norm(quat1)
    quat2 = rng.normal(size=4)
    quat2 /= np.linalg.norm(quat2)
    pos1 = rng.uniform(-0.5, 0.5, 3)
    offset = rng.normal(size=3)
    offset *= reach * rng.uniform(0, 1) / np.linalg.norm(offset)
    if mode == "aligned":
        quat1 = quat_of(ALIGNED[rng.integers(24)])
        quat2 = quat_of(ALIGNED[rng.integers(24)])
        pos1, offset = np.round(pos1, 1), np.round(offset, 1)
    elif mode in ("nearly", "parallel"):
        rotation = quat_of(ALIGNED[rng.integers(24)])
        mujoco.mju_mulQuat(quat2, quat1, rotation)
        if mode == "nearly":
            small = rng.normal(size=3) * 10.0 ** rng.uniform(-12, -2)
            mujoco.mju_quatIntegrate(quat2, small, 1.0)
    if rng.random() < 0.03:
        offset *= 0
    return pos1, quat1, pos1 + offset, quat2


def set_pose(data, index, name, pos, quat):
    if name == "plane":
        data.mocap_pos[0], data.mocap_quat[0] = pos, quat
    else:
        address = 0 if data.qpos.size == 7 else 7 * index
        data.qpos[address:address + 3], data.qpos[address + 3:address + 7] = pos, quat


def numbers(*arrays):
    values = np.concatenate([np.ravel(np.asarray(a, dtype=float)) for a in arrays])
    return " ".join(repr(float(v)).removesuffix(".0") for v in values)


def make_case(rng, kind, model, data):
    names = kind.split("_")
    reach = 0.0
    for index, name in enumerate(names):
        if name not in ASSETS:
            size = random_size(rng, name)
            model.geom_size[index] = size
            if name != "plane":
                model.geom_rbound[index] = 3.0
            model.geom_aabb[index] = [0, 0, 0, 3, 3, 3]
            reach += 0 if name == "plane" else 1.2 * np.linalg.norm(size[: {"sphere": 1, "capsule": 2, "cylinder": 2}.get(name, 3)])
        else:
            reach += 0.4
    margin = rng.choice([0.0, 0.05, 0.2], p=[0.6, 0.2, 0.2])
    model.geom_margin[:] = [margin, 0]
    pos1, quat1, pos2, quat2 = random_poses(rng, reach)
    set_pose(data, 0, names[0], pos1, quat1)
    set_pose(data, 1, names[1], pos2, quat2)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)
    contacts = [(c.dist, c.pos, c.frame[:3]) for c in data.contact[: data.ncon]]
    fields = [margin]
    for index in range(2):
        fields += [model.geom_size[index], data.geom_xpos[index], data.geom_xmat[index]]
    line = numbers(*fields) + f" {len(contacts)}"
    for contact in contacts:
        line += " " + numbers(*contact)
    return line, len(contacts)


def mesh_header(model):
    verts = model.mesh_vert.astype(float)
    graph = " ".join(str(v) for v in model.mesh_graph)
    return [f"bound {numbers([model.geom_rbound[1]])}", f"vert {numbers(verts)}", f"graph {graph}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=KINDS)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    args = parser.parse_args()
    for kind in args.kinds:
        rng = np.random.default_rng([args.seed, KINDS.index(kind)])
        model = build_model(kind)
        data = mujoco.MjData(model)
        lines = mesh_header(model) if any(name in ASSETS for name in kind.split("_")) else []
        empty = 0
        while len(lines) < args.cases:
            line, count = make_case(rng, kind, model, data)
            # few cases without contact are enough
            empty += count == 0
            if count or empty <= args.cases // 10:
                lines.append(line)
        (args.out / f"{kind}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
