"""A sheet catches a ball, a block lies below, and a rope carries a weight; draws the last state.

    python python/examples/soft_bodies.py [picture.png]
"""

import pathlib
import sys

import kinetree
import matplotlib.pyplot as plt
import numpy as np
from kinetree import soft

MODEL = pathlib.Path(__file__).parents[2] / "models" / "soft" / "hammock.xml"


def camera():
    """Looks at the scene from the front."""
    view = kinetree.MjvCamera()
    view.lookat[:] = [0.3, 0, 0.45]
    view.distance, view.azimuth, view.elevation = 2.2, 110, -22
    return view


def main():
    """Steps the model of this project for two seconds."""
    model = kinetree.MjModel.from_xml_path(str(MODEL))
    data = kinetree.MjData(model)
    world = soft.SoftWorld.from_model(model)
    while data.time < 2.0:
        world.step(model, data)
    for body in world:
        print(f"{body.name}: lowest at {body.position[:, 2].min():.3f} m, moves with {np.abs(body.velocity).max():.4f} m/s")
    tension = model.body("weight").mass[0] * (9.81 + data.qacc[model.joint("swing").dofadr[0]])
    print(f"the rope pulls with {tension:.4f} N")
    with kinetree.Renderer(model, 480, 640) as renderer:
        # twice: endless planes are centred at where the camera was before
        for _ in range(2):
            renderer.update_scene(data, camera(), soft=world)
        picture = renderer.render()
    if len(sys.argv) > 1:
        plt.imsave(sys.argv[1], picture)
    else:
        plt.imshow(picture)
        plt.axis("off")
        plt.show()


if __name__ == "__main__":
    main()
