"""`python -m bench.pictures [MODEL]`: pictures per second of `Renderer` beside the reference's, in one process on one machine.

Both renderers take turns, a few frames each: colours with shadows, distances, and objects, at 320 x 240 unless told otherwise. A frame is
`update_scene` and `render` of a state that changes from frame to frame; the fastest is reported, since anything else that the machine
does only adds time, and the processor time of all threads beside it. Without a graphics card both draw in software: the reference with
Mesa's OpenGL (`MUJOCO_GL=egl`), Kinetree with Mesa's Vulkan.
"""

import argparse
import os
import time

os.environ.setdefault("MUJOCO_GL", "egl")
HERE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models", "showcase", "humanoid.xml")
MODES = ("colours", "distances", "objects")


class Studio:
    """A model of one engine with its renderer."""

    def __init__(self, package, path, width, height):
        self.package = package
        self.model = package.MjModel.from_xml_path(path)
        self.data = package.MjData(self.model)
        package.mj_forward(self.model, self.data)
        self.renderer = package.Renderer(self.model, height, width)

    def choose(self, mode):
        """Draws colours, distances or objects from now on."""
        self.renderer.disable_depth_rendering()
        self.renderer.disable_segmentation_rendering()
        if mode == "distances":
            self.renderer.enable_depth_rendering()
        elif mode == "objects":
            self.renderer.enable_segmentation_rendering()

    def seconds(self, frames):
        """Seconds and processor seconds of the fastest frame; the steps in between do not count."""
        best = [float("inf")] * 2
        for _ in range(frames):
            self.package.mj_step(self.model, self.data)
            start = time.perf_counter(), time.process_time()
            self.renderer.update_scene(self.data)
            self.renderer.render()
            spent = time.perf_counter() - start[0], time.process_time() - start[1]
            best = [min(pair) for pair in zip(best, spent)]
        return best


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.pictures", description=__doc__)
    parser.add_argument("model", nargs="?", default=HERE, help="model file (default: the embedded humanoid)")
    parser.add_argument("--size", default="320x240", help="columns and rows")
    parser.add_argument("--frames", type=int, default=3, help="frames of each turn")
    parser.add_argument("--turns", type=int, default=10)
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))

    import kinetree
    import mujoco

    studios = [Studio(package, arguments.model, width, height) for package in (mujoco, kinetree)]
    print(f"{os.path.basename(arguments.model)}, {width} x {height}, the fastest of {arguments.turns} turns of {arguments.frames} frames")
    print(f"{'':10} {'reference':>12} {'Kinetree':>12} {'ratio':>7} {'processor time, ms':>24} {'ratio':>7}")
    for mode in MODES:
        for studio in studios:
            studio.choose(mode)
            studio.seconds(1)
        turns = [[studio.seconds(arguments.frames) for studio in studios] for _ in range(arguments.turns)]
        (theirs, their_cpu), (mine, my_cpu) = ([min(column) for column in zip(*turn)] for turn in zip(*turns))
        print(f"{mode:10} {1 / theirs:8.1f} 1/s {1 / mine:8.1f} 1/s {theirs / mine:6.1f}x "
              f"{1e3 * their_cpu:14.1f} {1e3 * my_cpu:9.1f} {their_cpu / my_cpu:6.1f}x")


if __name__ == "__main__":
    main()
