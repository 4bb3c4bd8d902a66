"""Makes the film of the README: a humanoid, a cloth, many robots, and the viewer.

    python tools/docs/film.py        # writes docs/images/film.gif
"""

from pathlib import Path

import kinetree
import numpy as np
from kinetree.batch import BatchSim
from PIL import Image

ROOT = Path(__file__).parents[2]
WIDTH, HEIGHT = 480, 288


def camera(lookat, distance, azimuth, elevation):
    """A free camera."""
    view = kinetree.MjvCamera()
    view.lookat[:], view.distance, view.azimuth, view.elevation = lookat, distance, azimuth, elevation
    return view


def world(name, view, seconds, frames, start=0.0):
    """A world of an embedded model that moves by itself."""
    model = kinetree.MjModel.from_xml_path(str(ROOT / "models" / "showcase" / f"{name}.xml"))
    data = kinetree.MjData(model)
    # the first picture is of the first state, which no step has evaluated
    kinetree.mj_forward(model, data)
    while data.time < start:
        kinetree.mj_step(model, data)
    shots = []
    with kinetree.Renderer(model, HEIGHT, WIDTH) as renderer:
        for index in range(frames):
            while data.time < start + seconds * index / frames:
                kinetree.mj_step(model, data)
            renderer.update_scene(data, view)
            shots.append(renderer.render())
    return shots


def robots(frames):
    """Twelve robots that shift from one pose to another."""
    model = kinetree.MjModel.from_xml_path(str(ROOT / "models" / "showcase" / "quadruped.xml"))
    stand, random = model.key("stand"), np.random.default_rng(2)
    batch = BatchSim(model, 12, frame_skip=8)
    batch.qpos, batch.ctrl = stand.qpos, stand.ctrl
    shots, (high, wide) = [], (HEIGHT // 3, WIDTH // 4)
    with kinetree.BatchRenderer(model, high, wide, cameras=(camera([0, 0, 0.2], 1.1, 130, -20),)) as renderer:
        for index in range(frames):
            if index % 5 == 0:
                batch.ctrl = stand.ctrl + random.uniform(-0.25, 0.25, (12, model.nu))
            batch.step()
            tiles = renderer.render(batch)[:, 0]
            shots.append(tiles.reshape(3, 4, high, wide, 3).swapaxes(1, 2).reshape(HEIGHT, WIDTH, 3))
    return shots


def viewer(frames):
    """The window."""
    picture = Image.open(ROOT / "docs" / "images" / "viewer.png").convert("RGB")
    side = min(picture.width, picture.height * WIDTH // HEIGHT)
    left = (picture.width - side) // 2
    picture = picture.crop((left, 0, left + side, side * HEIGHT // WIDTH)).resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    return [np.asarray(picture)] * frames


def main():
    """Writes the film."""
    shots = world("humanoid", camera([0, 0, 0.8], 3.0, 130, -12), 1.5, 22)
    shots += world("cloth", camera([0, 0, 0.15], 1.1, 140, -25), 0.9, 15)
    shots += robots(20) + viewer(2)
    images = [Image.fromarray(shot).quantize(96, dither=Image.Dither.NONE) for shot in shots]
    times = [80] * (len(images) - 2) + [900, 900]
    images[0].save(ROOT / "docs" / "images" / "film.gif", save_all=True, append_images=images[1:], duration=times, loop=0, optimize=True)


if __name__ == "__main__":
    main()
