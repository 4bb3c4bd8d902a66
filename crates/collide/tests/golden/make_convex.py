"""Reference contacts and distances between convex shapes, made with MuJoCo 3.8.0.

    python make_convex.py OUT_DIR [cases per pair kind] [seed]

Writes one text file per pair kind. Every file is a list of records, one per line, `key values...`:

    mesh    index, bounding radius                          then vert, graph, poly* of that mesh
    hfield  index, nrow, ncol, size[4]                      then data
    shape1  kind, sizes...  (mesh and hfield: index)        shape2 likewise
    pose1   pos[3], mat[9] row-major                        pose2 likewise
    opt     margin, multiccd, distmax
    con     dist, pos[3], normal[3]                         one per contact, in order
    dist    distance, from[3], to[3]                        ends the case

Numbers are written so that they read back exactly.
"""

import itertools
import os
import sys

import mujoco
import numpy as np

PRIMITIVES = ["sphere", "capsule", "ellipsoid", "cylinder", "box"]
TYPES = {
    "plane": mujoco.mjtGeom.mjGEOM_PLANE,
    "hfield": mujoco.mjtGeom.mjGEOM_HFIELD,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "mesh": mujoco.mjtGeom.mjGEOM_MESH,
}
PAIRS = [
    ("sphere", "ellipsoid"),
    ("sphere", "mesh"),
    ("capsule", "ellipsoid"),
    ("capsule", "cylinder"),
    ("capsule", "mesh"),
    ("ellipsoid", "ellipsoid"),
    ("ellipsoid", "cylinder"),
    ("ellipsoid", "box"),
    ("ellipsoid", "mesh"),
    ("cylinder", "cylinder"),
    ("cylinder", "box"),
    ("cylinder", "mesh"),
    ("box", "mesh"),
    ("mesh", "mesh"),
    ("hfield", "sphere"),
    ("hfield", "capsule"),
    ("hfield", "ellipsoid"),
    ("hfield", "cylinder"),
    ("hfield", "box"),
    ("hfield", "mesh"),
]

# pairs without an iterative solution, and some in the other order: only their distance is stored
DISTANCE_PAIRS = [
    ("plane", "sphere"),
    ("plane", "mesh"),
    ("plane", "ellipsoid"),
    ("plane", "cylinder"),
    ("plane", "box"),
    ("sphere", "sphere"),
    ("capsule", "sphere"),
    ("sphere", "cylinder"),
    ("box", "sphere"),
    ("capsule", "capsule"),
    ("capsule", "box"),
    ("box", "box"),
    ("mesh", "box"),
    ("cylinder", "capsule"),
]


def ring(n, radius, z, phase=0.0):
    angle = phase + 2 * np.pi * np.arange(n) / n
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(n, z)], axis=1)


def sphere_points(n):
    k = np.arange(n) + 0.5
    z = 1 - 2 * k / n
    r = np.sqrt(1 - z * z)
    a = k * np.pi * (3 - np.sqrt(5))
    return 0.3 * np.stack([r * np.cos(a), r * np.sin(a), z], axis=1)


def mesh_vertices():
    rng = np.random.default_rng(7)
    cube = np.array(list(itertools.product([-1, 1], repeat=3)), dtype=float)
    golden = (1 + np.sqrt(5)) / 2
    dodeca = [cube]
    for s, t in itertools.product([-1, 1], repeat=2):
        p = np.array([0, s / golden, t * golden])
        dodeca.append(np.stack([np.roll(p, k) for k in range(3)]))
    return [
        np.array([[0.3, 0, 0], [-0.2, 0.3, 0], [-0.2, -0.3, 0], [0, 0, 0.4]]),
        cube * [0.2, 0.3, 0.15],
        np.concatenate([np.eye(3), -np.eye(3)]) * [0.3, 0.25, 0.4],
        np.concatenate([ring(3, 0.3, -0.2), ring(3, 0.3, 0.2)]),
        np.concatenate([ring(12, 0.25, -0.2), ring(12, 0.25, 0.2)]),
        np.concatenate([ring(7, 0.3, -0.1), ring(7, 0.15, 0.25)]),
        np.concatenate(dodeca) * 0.18,
        sphere_points(30),
        sphere_points(120),
        rng.uniform(-1, 1, (40, 3)) * [0.4, 0.2, 0.1],
        np.concatenate([cube * [0.2, 0.2, 0.02], rng.uniform(-1, 1, (8, 3)) * [0.2, 0.2, 0.02]]),
    ]


def hfield_data():
    rng = np.random.default_rng(11)
    fields = []
    for nrow, ncol, size, rough in [(8, 10, (1.0, 0.8, 0.3, 0.2), 0.3), (12, 12, (1.0, 1.0, 0.1, 0.1), 1.0)]:
        x, y = np.meshgrid(np.linspace(0, 4, ncol), np.linspace(0, 3, nrow))
        data = np.sin(x) * np.cos(y) + rough * rng.uniform(0, 1, (nrow, ncol))
        data -= data.min()
        fields.append((nrow, ncol, size, data / data.max()))
    flat = np.zeros((5, 6))
    flat[2:, :] = 1
    fields.append((5, 6, (1.0, 1.0, 0.2, 0.1), flat))
    return fields


def build(kind1, kind2):
    spec = mujoco.MjSpec()
    for i, verts in enumerate(mesh_vertices()):
        mesh = spec.add_mesh(name=f"mesh{i}")
        mesh.uservert = np.asarray(verts, dtype=np.float32).ravel()
    for i, (nrow, ncol, size, data) in enumerate(hfield_data()):
        field = spec.add_hfield(name=f"hfield{i}", nrow=nrow, ncol=ncol, size=size)
        field.userdata = data.astype(np.float32).ravel()
    for i, kind in enumerate([kind1, kind2]):
        body = spec.worldbody.add_body(mocap=(i == 0)) if kind != "plane" else spec.worldbody
        geom = body.add_geom(name=f"g{i}", type=TYPES[kind], size=[0.1, 0.1, 0.1], contype=0, conaffinity=0)
        if kind == "mesh":
            geom.meshname = "mesh0"
        if kind == "hfield":
            geom.hfieldname = "hfield0"
        if i == 1:
            body.add_freejoint()
            body.mass, body.inertia, body.explicitinertial = 1, [1, 1, 1], True
    spec.add_pair(geomname1="g0", geomname2="g1")
    return spec.compile()


def mesh_radius(m, i):
    verts = m.mesh_vert[m.mesh_vertadr[i] : m.mesh_vertadr[i] + m.mesh_vertnum[i]].astype(float)
    return float(np.linalg.norm(np.abs(verts).max(axis=0)))


def random_quat(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def square_quat(rng):
    """A rotation by a multiple of 90 degrees, sometimes followed by a angle about z."""
    m = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
    m[:, 0] *= np.sign(np.linalg.det(m))
    q = np.zeros(4)
    mujoco.mju_mat2Quat(q, m.ravel())
    if rng.random() < 0.4:
        angle = rng.uniform(0, np.pi)
        out = np.zeros(4)
        mujoco.mju_mulQuat(out, np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)]), q)
        q = out
    return q


class Pair:
    def __init__(self, kind1, kind2):
        self.kinds = (kind1, kind2)
        self.only_distance = (kind1, kind2) in DISTANCE_PAIRS
        self.m = build(kind1, kind2)
        self.d = mujoco.MjData(self.m)

    def set_shape(self, g, rng):
        m, kind = self.m, self.kinds[g]
        size = np.round(np.exp(rng.uniform(np.log(0.1), np.log(0.5), 3)), 3)
        if rng.random() < 0.05:
            size[rng.integers(3)] *= 0.02
        if kind == "mesh":
            i = int(rng.integers(m.nmesh))
            m.geom_dataid[g] = i
            m.geom_rbound[g] = mesh_radius(m, i)
            return [kind, i]
        if kind == "hfield":
            i = int(rng.integers(m.nhfield))
            m.geom_dataid[g] = i
            s = m.hfield_size[i]
            m.geom_rbound[g] = np.sqrt(s[0] ** 2 + s[1] ** 2 + max(s[2] ** 2, s[3] ** 2))
            return [kind, i]
        if kind == "plane":
            m.geom_rbound[g] = 0
            return [kind]
        count = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
        m.geom_size[g] = size
        m.geom_rbound[g] = {
            "sphere": size[0],
            "capsule": size[0] + size[1],
            "ellipsoid": size.max(),
            "cylinder": np.hypot(size[0], size[1]),
            "box": np.linalg.norm(size),
        }[kind]
        return [kind, *size[:count].tolist()]

    def set_poses(self, pos2, quat1, quat2):
        d = self.d
        if self.m.nmocap:
            d.mocap_quat[0] = quat1
        d.qpos[:3] = pos2
        d.qpos[3:] = quat2
        mujoco.mj_kinematics(self.m, d)

    def distance(self, distmax):
        fromto = np.zeros(6)
        dist = mujoco.mj_geomDistance(self.m, self.d, 0, 1, distmax, fromto)
        return dist, fromto

    def sample(self, rng):
        """Choose shapes, poses and options; returns the two shape records."""
        m = self.m
        shapes = [self.set_shape(0, rng), self.set_shape(1, rng)]
        mode = rng.choice(["random", "shallow", "aligned", "gap", "coincident"], p=[0.25, 0.3, 0.25, 0.18, 0.02])
        m.pair_margin[0] = rng.choice([0, 0, 0, 0.01, 0.1]) if mode != "gap" else rng.choice([0.02, 0.1])
        m.opt.disableflags = 0 if rng.random() < 0.9 else int(mujoco.mjtDisableBit.mjDSBL_MULTICCD)
        square = mode == "aligned" or rng.random() < 0.1
        quat1 = square_quat(rng) if square else random_quat(rng)
        quat2 = square_quat(rng) if square else random_quat(rng)
        if self.kinds[0] == "hfield":
            self.sample_over_hfield(rng, mode, quat2, square)
            return shapes
        reach = m.geom_rbound[0] + m.geom_rbound[1]
        if mode == "coincident":
            self.set_poses(np.zeros(3), quat1, quat2)
        elif mode == "random":
            self.set_poses(rng.uniform(-1, 1, 3) * 0.6 * reach, quat1, quat2)
        else:
            direction = rng.normal(size=3)
            if mode == "aligned":
                direction = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
            direction /= np.linalg.norm(direction)
            side = np.round(rng.uniform(-0.2, 0.2, 3), 2) * (rng.random() < 0.7)
            pos = 1.5 * reach * direction + (side - direction * (side @ direction))
            self.set_poses(pos, quat1, quat2)
            _, fromto = self.distance(100.0)
            gap = fromto[3:] - fromto[:3]
            depth = float(np.exp(rng.uniform(np.log(1e-8), np.log(0.1))))
            if mode == "gap":
                depth = -rng.uniform(-0.2, 1.1) * m.pair_margin[0]
            if np.linalg.norm(gap) > 1e-9:
                gap *= 1 + depth / np.linalg.norm(gap)
            self.set_poses(pos - gap, quat1, quat2)
        return shapes

    def sample_over_hfield(self, rng, mode, quat2, square):
        m = self.m
        s = m.hfield_size[m.geom_dataid[0]]
        quat1 = square_quat(rng) if square else random_quat(rng)
        if square and rng.random() < 0.5:
            quat1 = np.array([1.0, 0, 0, 0])
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, quat1)
        low = -0.2 if mode in ("random", "coincident") else 0.1
        local = np.array([*(rng.uniform(-1.1, 1.1, 2) * s[:2]), s[2] + rng.uniform(low, 0.9) * m.geom_rbound[1]])
        self.set_poses(mat.reshape(3, 3) @ local, quat1, quat2)


def fmt(values):
    out = []
    for v in values:
        if isinstance(v, (str, int, np.integer)):
            out.append(str(v))
        else:
            v = float(v)
            out.append(str(int(v)) if v == int(v) and abs(v) < 1e6 and not (v == 0 and np.signbit(v)) else repr(v))
    return " ".join(out)


def fmt32(values):
    return " ".join(str(np.float32(v)) for v in np.ravel(values))


def write_assets(f, m, kinds):
    if "mesh" in kinds:
        for i in range(m.nmesh):
            va, vn = m.mesh_vertadr[i], m.mesh_vertnum[i]
            pa, pn = m.mesh_polyadr[i], m.mesh_polynum[i]
            graph_end = min([a for a in m.mesh_graphadr if a > m.mesh_graphadr[i]], default=m.nmeshgraph)
            poly_vert = m.mesh_polyvertadr[pa : pa + pn]
            poly_map = m.mesh_polymapadr[va : va + vn]
            poly_vert_num = m.mesh_polyvertnum[pa : pa + pn]
            poly_map_num = m.mesh_polymapnum[va : va + vn]
            f.write(f"mesh {i} {fmt([mesh_radius(m, i)])}\n")
            f.write(f"vert {fmt32(m.mesh_vert[va : va + vn])}\n")
            f.write(f"graph {fmt(m.mesh_graph[m.mesh_graphadr[i] : graph_end])}\n")
            f.write(f"poly_normal {fmt(np.ravel(m.mesh_polynormal[pa : pa + pn]))}\n")
            f.write(f"poly_vert_adr {fmt(poly_vert - poly_vert[0])}\n")
            f.write(f"poly_vert_num {fmt(poly_vert_num)}\n")
            f.write(f"poly_vert {fmt(m.mesh_polyvert[poly_vert[0] : poly_vert[0] + poly_vert_num.sum()])}\n")
            f.write(f"poly_map_adr {fmt(poly_map - poly_map[0])}\n")
            f.write(f"poly_map_num {fmt(poly_map_num)}\n")
            f.write(f"poly_map {fmt(m.mesh_polymap[poly_map[0] : poly_map[0] + poly_map_num.sum()])}\n")
    if "hfield" in kinds:
        for i in range(m.nhfield):
            nrow, ncol, adr = m.hfield_nrow[i], m.hfield_ncol[i], m.hfield_adr[i]
            f.write(f"hfield {i} {nrow} {ncol} {fmt(m.hfield_size[i])}\n")
            f.write(f"data {fmt32(m.hfield_data[adr : adr + nrow * ncol])}\n")


def write_case(f, pair, shapes, rng):
    m, d = pair.m, pair.d
    mujoco.mj_comPos(m, d)
    mujoco.mj_collision(m, d)
    for g in range(2):
        f.write(f"shape{g + 1} {fmt(shapes[g])}\n")
        f.write(f"pose{g + 1} {fmt(d.geom_xpos[g])} {fmt(d.geom_xmat[g])}\n")
    distmax = float(rng.choice([0.05, 1.0, 10.0]))
    multiccd = int(m.opt.disableflags == 0)
    f.write(f"opt {fmt([m.pair_margin[0], multiccd, distmax])}\n")
    for con in d.contact if not pair.only_distance else []:
        f.write(f"con {fmt([con.dist, *con.pos, *con.frame[:3]])}\n")
    dist, fromto = pair.distance(distmax)
    f.write(f"dist {fmt([dist, *fromto])}\n")


def main():
    out_dir = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for index, (kind1, kind2) in enumerate(PAIRS):
        rng = np.random.default_rng([seed, index])
        pair = Pair(kind1, kind2)
        with open(os.path.join(out_dir, f"convex_{kind1}_{kind2}.txt"), "w") as f:
            write_assets(f, pair.m, (kind1, kind2))
            for _ in range(count):
                shapes = pair.sample(rng)
                write_case(f, pair, shapes, rng)
    rng = np.random.default_rng(seed)
    with open(os.path.join(out_dir, "distance.txt"), "w") as f:
        for index, (kind1, kind2) in enumerate(DISTANCE_PAIRS):
            pair = Pair(kind1, kind2)
            if index == 0:
                write_assets(f, pair.m, ("mesh", "hfield"))
            for _ in range(max(count // 5, 1)):
                shapes = pair.sample(rng)
                write_case(f, pair, shapes, rng)


if __name__ == "__main__":
    main()
