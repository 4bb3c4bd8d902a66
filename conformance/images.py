"""`python -m conformance.images [folder…]`: pictures of Kinetree beside the reference's own, with its software OpenGL.

Each model is drawn from two cameras. Compared are which object each pixel shows, distances where both show the same object, and
colours. `--sheet FILE` puts the pictures side by side: the reference, Kinetree, and four times the difference.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import os
import struct
import sys
import zlib

from conformance.__main__ import models_in, progress, sample
from conformance.scene import CATEGORIES

WIDTH, HEIGHT = 320, 240
# what counts as equal: share of pixels with the same object, relative distance, mean difference of colours out of 255
SEGMENTATION, DEPTH, COLOR = 0.985, 1e-3, 6.0


def cameras(mujoco, model):
    """The free camera, and the first camera of the model or another free one."""
    free = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, free)
    if model.ncam:
        return [free, 0]
    other = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, other)
    other.azimuth, other.elevation = free.azimuth + 135, -20
    return [free, other]


def pictures(package, path, state):
    """Colours, distances and objects from each camera, and the state that was drawn."""
    model = package.MjModel.from_xml_path(path)
    model.vis.global_.offwidth = max(model.vis.global_.offwidth, WIDTH)
    model.vis.global_.offheight = max(model.vis.global_.offheight, HEIGHT)
    data = package.MjData(model)
    if state is None:
        if model.nkey:
            package.mj_resetDataKeyframe(model, data, 0)
    else:
        data.qpos[:], data.mocap_pos[:], data.mocap_quat[:] = state
    state = data.qpos.copy(), data.mocap_pos.copy(), data.mocap_quat.copy()
    package.mj_forward(model, data)
    shots = []
    with package.Renderer(model, HEIGHT, WIDTH) as renderer:
        for camera in cameras(package, model):
            # twice: endless planes are centred at where the camera was before
            for _ in range(2):
                renderer.update_scene(data, camera)
            color = renderer.render()
            renderer.enable_depth_rendering()
            depth = renderer.render()
            renderer.enable_segmentation_rendering()
            objects = renderer.render()
            renderer.disable_segmentation_rendering()
            shots.append((color, depth, objects))
    return shots, state


def compare(path):
    """Results of one model, one for each camera, with the pictures; or why there are none."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    import kinetree
    import mujoco
    import numpy as np

    try:
        theirs, state = pictures(mujoco, path, None)
    except Exception as problem:  # noqa: BLE001 (whatever the reference cannot draw is no comparison)
        return {"path": path, "skipped": f"reference: {problem}".splitlines()[0]}
    try:
        ours, _ = pictures(kinetree, path, state)
    except Exception as problem:  # noqa: BLE001 (any failure is a result)
        return {"path": path, "failed": str(problem).splitlines()[0] if str(problem) else repr(problem)}
    shots = []
    for (color, depth, objects), (color2, depth2, objects2) in zip(theirs, ours):
        same = (objects == objects2).all(-1)
        hit = same & (objects[..., 0] >= 0)
        error = np.abs(depth - depth2)[hit] / np.maximum(1, depth[hit])
        difference = np.abs(color.astype(int) - color2)
        shots.append({
            "segmentation": float(same.mean()),
            "depth": float(np.quantile(error, 0.999)) if error.size else 0.0,
            "color": float(difference.mean()),
            "picture": np.hstack([color, color2, np.minimum(4 * difference, 255).astype(np.uint8)]),
        })
    return {"path": path, "shots": shots}


def passes(shot):
    """Which of segmentation, depth and colour agree."""
    return shot["segmentation"] >= SEGMENTATION, shot["depth"] <= DEPTH, shot["color"] <= COLOR


def write_png(path, image):
    """Writes an array of bytes of colour."""
    height, width, _ = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def report(rows, worst):
    """Prints shares, and the pictures that differ most; returns the shares."""
    drawn = [(row["path"], shot) for row in rows for shot in row.get("shots", ())]
    failed = [row for row in rows if "failed" in row]
    print(f"{len(rows)} models, {sum('skipped' in r for r in rows)} not drawn by the reference, {len(failed)} not drawn by Kinetree")
    for row in failed:
        print(f"  failed: {row['path']}: {row['failed']}")
    if not drawn and not failed:
        print("skipped: the reference cannot draw here; its software OpenGL needs libegl1 and libgl1-mesa-dri")
        return [1.0] * 3
    count = len(drawn) + 2 * len(failed)
    shares = [sum(passes(shot)[k] for _, shot in drawn) / count for k in range(3)]
    for name, share, limit in zip(("objects", "distances", "colours"), shares, (SEGMENTATION, DEPTH, COLOR)):
        print(f"{name:10} agree in {100 * share:6.2f} % of {count} pictures (limit {limit})")
    drawn.sort(key=lambda item: (-item[1]["color"], item[1]["segmentation"]))
    print("largest differences of colour:")
    for path, shot in drawn[:worst]:
        print(f"  {shot['color']:6.2f}  objects {100 * shot['segmentation']:7.3f} %  depth {shot['depth']:.1e}  {path}")
    return shares


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.images", description=__doc__)
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models")
    parser.add_argument("folders", nargs="*", default=[here], help="folders or files (default: models/)")
    parser.add_argument("--categories", default=",".join(CATEGORIES))
    parser.add_argument("--sample", type=int, default=0, help="draw only so many models, spread evenly")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for one model before it counts as failed")
    parser.add_argument("--worst", type=int, default=10, help="how many of the largest differences to list")
    parser.add_argument("--sheet", metavar="FILE", help="write a .png of the largest differences side by side")
    parser.add_argument("--sheet-rows", type=int, default=20)
    parser.add_argument("--json", metavar="FILE", help="write all numbers")
    parser.add_argument("--require", type=float, default=None, help="exit with an error below this share of pictures")
    arguments = parser.parse_args()

    paths = [p for folder in arguments.folders for p in models_in(folder, arguments.categories.split(","))]
    paths = sample(paths, arguments.sample)
    rows = []
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, mp_context=context) as pool:
        futures = [(path, pool.submit(compare, path)) for path in paths]
        for done, (path, future) in enumerate(futures, 1):
            try:
                rows.append(future.result(timeout=arguments.timeout))
            except Exception as problem:  # noqa: BLE001 (a worker that died or hangs is a result)
                rows.append({"path": path, "failed": f"no result: {problem!r}"})
            progress(done, len(paths), path)
    shares = report(rows, arguments.worst)
    if arguments.sheet:
        import numpy as np

        shots = sorted((s for r in rows for s in r.get("shots", ())), key=lambda s: -s["color"])
        if shots:
            write_png(arguments.sheet, np.vstack([s["picture"] for s in shots[: arguments.sheet_rows]]))
    if arguments.json:
        plain = [{**r, "shots": [{k: v for k, v in s.items() if k != "picture"} for s in r.get("shots", ())]} for r in rows]
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(plain, file, indent=1)
    if arguments.require is not None and min(shares) < arguments.require:
        sys.exit(f"fewer than {100 * arguments.require:g} % of the pictures agree")


if __name__ == "__main__":
    main()
