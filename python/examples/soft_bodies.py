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


def main():
    """Steps the model of this project for two seconds."""
    model = kinetree.MjModel.from_xml_path(str(MODEL))
    data = kinetree.MjData(model)
    world = soft.SoftWorld.from_model(model)
    while data.time < 2.0:
        world.step(model, data)
    for body in world:
        print(f"{body}: lowest at {body.position[:, 2].min():.3f} m, moves with {np.abs(body.velocity).max():.4f} m/s")
    tension = model.body("weight").mass[0] * (9.81 + data.qacc[model.joint("swing").dofadr[0]])
    print(f"the rope pulls with {tension:.4f} N")
    figure = plt.figure(figsize=(8, 6))
    axes = figure.add_subplot(projection="3d")
    for body, colour in zip(world, ("steelblue", "goldenrod", "firebrick"), strict=True):
        if len(body.triangles):
            axes.plot_trisurf(*body.position.T, triangles=body.triangles, color=colour, edgecolor="k", linewidth=0.2)
        else:
            axes.plot(*body.position.T, color=colour, linewidth=3)
    angles = np.mgrid[0 : np.pi : 12j, 0 : 2 * np.pi : 24j]
    sphere = np.array([np.sin(angles[0]) * np.cos(angles[1]), np.sin(angles[0]) * np.sin(angles[1]), np.cos(angles[0])])
    axes.plot_surface(*(data.body("ball").xpos[:, None, None] + 0.05 * sphere), color="tomato")
    axes.set_box_aspect((1.2, 0.6, 1.0))
    if len(sys.argv) > 1:
        figure.savefig(sys.argv[1], dpi=80)
    else:
        plt.show()


if __name__ == "__main__":
    main()
