"""Six scenes of cloth, rope and a soft cube; checks how deep they sink in and how far they move at the end, and draws them.

    python python/examples/soft_scenes.py [FOLDER] [scene ...]      # box sphere table flag knot stairs
"""

import pathlib
import sys
import time

import kinetree
import numpy as np
from kinetree import soft

MODEL = """
<mujoco>
  <option timestep="{timestep}"/>
  <visual>
    <headlight ambient="0.3 0.3 0.3" diffuse="0.25 0.25 0.25" specular="0 0 0"/>
    <global offwidth="1440" offheight="960"/>
    <quality shadowsize="4096"/>
  </visual>
  <asset><texture type="skybox" builtin="gradient" rgb1="0.45 0.6 0.75" rgb2="0.9 0.93 0.96" width="64" height="384"/></asset>
  <worldbody>
    <light pos="0.6 -0.8 2" dir="-0.3 0.4 -1" type="directional" diffuse="0.5 0.5 0.5"/>
    <geom name="floor" type="plane" size="3 3 0.1" rgba="0.5 0.52 0.56 1"/>
    {geoms}
  </worldbody>
</mujoco>
"""
FABRIC = soft.Material(young=1.5e5, poisson=0.3, density=300, friction=0.8, damping=1e-3)
BOX = '<geom type="box" size="0.12 0.1 0.11" pos="0 0 0.11" euler="0 0 20" rgba="0.35 0.42 0.5 1"/>'
SPHERE = '<geom type="sphere" size="0.15" pos="0 0 0.15" rgba="0.35 0.42 0.5 1"/>'
TABLE = """
<geom type="box" size="0.28 0.2 0.012" pos="0 0 0.25" rgba="0.45 0.33 0.25 1"/>
<geom type="cylinder" size="0.014 0.12" pos="0.24 0.16 0.12" rgba="0.45 0.33 0.25 1"/>
<geom type="cylinder" size="0.014 0.12" pos="-0.24 0.16 0.12" rgba="0.45 0.33 0.25 1"/>
<geom type="cylinder" size="0.014 0.12" pos="0.24 -0.16 0.12" rgba="0.45 0.33 0.25 1"/>
<geom type="cylinder" size="0.014 0.12" pos="-0.24 -0.16 0.12" rgba="0.45 0.33 0.25 1"/>
<geom type="sphere" size="0.05" pos="-0.12 0.04 0.312" rgba="0.35 0.42 0.5 1"/>
<geom type="cylinder" size="0.035 0.05" pos="0.03 -0.06 0.312" rgba="0.35 0.42 0.5 1"/>
<geom type="box" size="0.04 0.03 0.03" pos="0.15 0.05 0.292" euler="0 0 30" rgba="0.35 0.42 0.5 1"/>
"""
POLE = '<geom type="cylinder" size="0.01 0.45" pos="-0.012 0 0.45" rgba="0.4 0.4 0.42 1" contype="0" conaffinity="0"/>'
STAIRS = "".join(f'<geom type="box" size="0.09 0.25 {h / 2}" pos="{0.18 * k - 0.27} 0 {h / 2}" rgba="0.55 0.5 0.45 1"/>'
                 for k, h in enumerate((0.32, 0.24, 0.16, 0.08)))


def depth(model, data, points):
    """How far points are inside of the geoms at most (m)."""
    worst = -np.inf
    for geom in range(model.ngeom):
        if not model.geom_contype[geom]:
            continue
        local = (points - data.geom_xpos[geom]) @ data.geom_xmat[geom].reshape(3, 3)
        size, kind = model.geom_size[geom], model.geom_type[geom]
        if kind == kinetree.mjtGeom.mjGEOM_PLANE:
            distance = local[:, 2]
        elif kind == kinetree.mjtGeom.mjGEOM_SPHERE:
            distance = np.linalg.norm(local, axis=1) - size[0]
        else:
            if kind == kinetree.mjtGeom.mjGEOM_CYLINDER:
                over = np.stack([np.linalg.norm(local[:, :2], axis=1) - size[0], np.abs(local[:, 2]) - size[1]], axis=1)
            else:
                over = np.abs(local) - size
            distance = over.max(axis=1)
        worst = max(worst, -distance.min())
    return worst


def surface(body):
    """Points all over the triangles of a body, or along the segments of a rope."""
    corners = body.position[body.triangles if len(body.triangles) else body.edges]
    weights = np.array([w for w in np.ndindex(*[5] * corners.shape[1]) if sum(w) == 4]) / 4
    return np.einsum("wk,nkx->nwx", weights, corners).reshape(-1, 3)


def sheet(cells, size, pos=(0, 0, 0)):
    """A rectangle of a light fabric, 1.5 mm thick."""
    flat = soft.Cloth.grid(cells, size, pos=pos)
    return soft.Cloth(flat.position, flat.triangles, FABRIC, 0.0015)


class Scene:
    """A model, a deformable body and a camera."""

    def __init__(self, geoms, body, camera, timestep=0.004, **settings):
        self.model = kinetree.MjModel.from_xml_string(MODEL.format(geoms=geoms, timestep=timestep))
        self.data = kinetree.MjData(self.model)
        kinetree.mj_forward(self.model, self.data)
        self.world = soft.SoftWorld()
        self.body = self.world.add(body, **settings)
        self.camera = kinetree.MjvCamera()
        self.camera.lookat[:], self.camera.distance, self.camera.azimuth, self.camera.elevation = camera

    def run(self, seconds, each=lambda: None):
        """Steps; ``each`` is called before each of them. Returns how deep the body is in geoms and how far its vertices move in the last fifth of
        a second, at most (m)."""
        deepest, low, high = 0.0, np.inf, -np.inf
        while self.data.time < seconds:
            each()
            self.world.step(self.model, self.data)
            if self.data.time > seconds - 0.2:
                deepest = max(deepest, depth(self.model, self.data, surface(self.body)))
                low, high = np.minimum(low, self.body.position), np.maximum(high, self.body.position)
        return deepest, np.linalg.norm(high - low, axis=1).max()

    def picture(self, height=320, width=480):
        """The last state, an array (height, width, 3): each pixel the mean of nine, since a fine map of shadows goes with a fine picture."""
        with kinetree.Renderer(self.model, 3 * height, 3 * width) as renderer:
            renderer.update_scene(self.data, self.camera, soft=self.world)
            fine = renderer.render()
        return np.round(fine.reshape(height, 3, width, 3, 3).mean(axis=(1, 3))).astype(np.uint8)


def box():
    """A cloth on a box."""
    scene = Scene(BOX, sheet((16, 16), (0.56, 0.56), (0.011, 0.007, 0.235)), ([0, 0, 0.11], 1.1, 130, -28),
                  drag=6.0, rgba=(0.75, 0.3, 0.22, 1))
    return scene, scene.run(2.4), (1e-3, 3e-3)


def sphere():
    """A cloth on a sphere."""
    scene = Scene(SPHERE, sheet((16, 16), (0.6, 0.6), (0.005, 0.003, 0.31)), ([0, 0, 0.13], 1.1, 130, -28),
                  drag=6.0, rgba=(0.25, 0.45, 0.7, 1))
    return scene, scene.run(2.4), (1e-3, 1e-3)


def table():
    """A cloth over a table with a ball, a can and a block on it."""
    scene = Scene(TABLE, sheet((22, 17), (0.84, 0.64), (0, 0, 0.375)), ([0, 0, 0.22], 1.4, 125, -30),
                  drag=6.0, rgba=(0.85, 0.78, 0.65, 1))
    return scene, scene.run(2.4), (1e-3, 3e-3)


def flag():
    """A flag in the wind: a force along the normal of each vertex, by the speed of the air against it."""
    cloth = sheet((20, 12), (0.6, 0.36))
    cloth.position = cloth.position[:, [0, 2, 1]] + [0.3, 0, 0.68]
    scene = Scene(POLE, cloth, ([0.28, 0, 0.55], 1.6, 70, -8), drag=0.3, rgba=(0.8, 0.25, 0.2, 1))
    body, random = scene.body, np.random.default_rng(1)
    body.pin(np.flatnonzero(body.position[:, 0] < 1e-6))
    area, phase = 0.6 * 0.36 / len(body.mass), random.uniform(0, 6, 3)

    def wind():
        t = scene.data.time
        air = np.array([6.0, 1.5 * np.sin(3 * t + phase[0]) + 0.8 * np.sin(11 * t + phase[1]), 0.3 * np.sin(7 * t + phase[2])])
        normal = soft.vertex_normals(body.position, body.triangles)
        speed = np.einsum("nx,nx->n", air - body.velocity, normal)
        body.force[:] = (0.6 * area * np.abs(speed) * speed)[:, None] * normal

    return scene, scene.run(2.0, wind), (1e-3, np.inf)


def knot():
    """An overhand knot, pulled tight."""
    t = np.linspace(-2.13, 2.13, 81)
    points = np.stack([t**5 - 10 * t, t**3 - 3 * t, t**4 - 4 * t**2], axis=1) * [0.014, 0.03, 0.02] + [0, 0, 0.3]
    rope = soft.CapsuleChain(points, soft.Material(2e6, 0.3, 900, friction=0.3, damping=5e-3), 0.006, solidity=0.2)
    scene = Scene("", rope, ([0, 0, 0.25], 0.5, 90, -20), timestep=0.001, drag=6.0, rgba=(0.8, 0.6, 0.3, 1))
    body = scene.body
    body.pin([0, 80])

    def pull():
        speed = 0.25 * np.clip(1.8 - 1.4 * scene.data.time, 0, 1)
        body.velocity[0], body.velocity[-1] = [-speed * np.sign(points[-1, 0]), 0, 0], [speed * np.sign(points[-1, 0]), 0, 0]

    return scene, scene.run(3.0, pull), (1e-3, 1e-2)


def stairs():
    """A soft cube that has tumbled down stairs."""
    cube = soft.SoftBody.block((4, 4, 4), (0.14, 0.14, 0.14), soft.Material(2e4, 0.3, 150, friction=0.8, damping=2e-2), pos=(-0.19, 0, 0.4))
    scene = Scene(STAIRS, cube, ([-0.05, 0, 0.16], 1.15, 60, -20), drag=0.5, rgba=(0.3, 0.65, 0.4, 1))
    scene.body.velocity[:] = [0.4, 0, 0]
    return scene, scene.run(2.5), (1e-3, 3e-3)


SCENES = {scene.__name__: scene for scene in (box, sphere, table, flag, knot, stairs)}


def main(folder=None, *names):
    """Runs scenes and draws them into a folder, if there is one."""
    for name in names or SCENES:
        start = time.perf_counter()
        scene, (deepest, moved), limits = SCENES[name]()
        print(f"{name}: {1000 * deepest:.2f} mm deep, moves by {1000 * moved:.2f} mm, {time.perf_counter() - start:.1f} s", flush=True)
        if folder:
            from PIL import Image

            Image.fromarray(scene.picture()).save(pathlib.Path(folder) / f"soft-{name}.png")
        assert deepest < limits[0] and moved < limits[1], name


if __name__ == "__main__":
    main(*sys.argv[1:])
