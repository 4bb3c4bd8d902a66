"""`python -m bench.warp_suite FOLDER`: the scenes that MuJoCo Warp's repository benchmarks every night, in its own protocol, on this GPU.

FOLDER has a folder for each scene, as `python benchmarks/run.py --assets_root FOLDER` of that repository assembles them. Worlds begin at the
first keyframe or where the recording of a scene begins; controls are the keyframe's or the recorded ones with the noise of its `testspeed`
(an Ornstein–Uhlenbeck process of 0.01 of half a control's range, 0.1 s), a thousand steps or as many as the recording has. As there, making
noise is not timed, and all else is: controls go to the device and steps are waited for in calls of ten steps. All steps are made once
before those that are timed, as capacities of MuJoCo Warp are fixed before it begins. The cold start is the time until the first step is
done, of a process and a driver that have not seen the model (its cache is a folder of its own, but with `--warm`).

Two things are not as there: its `testspeed` sets controls and waits for the device in every step, and this does in every tenth.

Figures of MuJoCo Warp come from a file (`--warp`), in JSON, million steps per second by scene and worlds: {"humanoid/8192": 5.384}. What is
not in it is compared with the figure that it publishes (RTX 6000 Ada, August 2026), which is marked.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

CALL = 10
STEPS = 1000
NOISE_SIZE, NOISE_TIME = 0.01, 0.1

# name: file, worlds, recording, published million steps per second
SCENES = {
    "humanoid": ("humanoid.xml", (1024, 8192, 32768), None, {8192: 5.67}),
    "three_humanoids": ("three_humanoids.xml", (8192,), None, {8192: 1.08}),
    "franka_emika_panda": ("scene.xml", (32768,), None, {32768: 23.5}),
    "unitree_g1_flat": ("scene_flat.xml", (8192,), "shuffle_dance.npz", {8192: 2.52}),
    "unitree_g1_hfield": ("scene_hfield.xml", (8192,), "shuffle_dance.npz", {8192: 1.68}),
    "aloha_pot": ("scene_pot.xml", (8192,), "lift_pot.npz", {8192: 2.50}),
    "aloha_sdf": ("scene_sdf.xml", (8192,), None, {8192: 0.41}),
    "aloha_clutter": ("scene_clutter.xml", (2048,), "pick_clutter.npz", {2048: 0.36}),
    "myoarm": ("myo_sim/arm/myoarm.xml", (8192,), None, {8192: 1.39}),
    "cloth": ("scene.xml", (32,), None, {32: 0.0076}),
    "aloha_cloth": ("scene_cloth.xml", (32,), "lift_cloth.npz", {32: 0.0068}),
}
# what MuJoCo Warp sets beside its models
SLEEPS = {"aloha_clutter"}


class Recording:
    """Where worlds begin, and controls for each step."""

    def __init__(self, model, path):
        self.qpos, self.qvel = model.qpos0.copy(), np.zeros(model.nv)
        self.controls = np.zeros((STEPS, model.nu))
        if path is not None:
            self._read(model, np.load(path))
        elif model.nkey:
            self.qpos, self.qvel = model.key_qpos[0].copy(), model.key_qvel[0].copy()
            self.controls[:] = model.key_ctrl[0]

    def _read(self, model, file):
        """Controls hold until the next ones."""
        times, controls = file["times"], file["ctrl"]
        if len(times) == len(controls):
            times = np.append(times, 2 * times[-1] - times[-2])
        steps = round((times[-1] - times[0]) / model.opt.timestep)
        at = times[0] + (np.arange(steps) + 1e-7) * model.opt.timestep
        self.controls = controls[np.searchsorted(times, at, side="right") - 1]
        if file["qpos"].shape[1] == model.nq:
            self.qpos = file["qpos"][0]
        if file["qvel"].shape[1] == model.nv:
            self.qvel = file["qvel"][0]


class Noise:
    """Noise on controls, a process for each world and control."""

    def __init__(self, model, sim, first):
        limited = np.asarray(model.actuator_ctrllimited, bool)
        low, high = np.array(model.actuator_ctrlrange).T
        self.low, self.high = np.where(limited, low, -np.inf), np.where(limited, high, np.inf)
        self.rate = np.exp(-CALL * model.opt.timestep / NOISE_TIME)
        self.scale = (NOISE_SIZE * np.sqrt(1 - self.rate**2) * np.where(limited, 0.5 * (high - low), 1.0)).astype(np.float32)
        self.random = np.random.default_rng(1)
        # the simulator's own table, which is written in its place
        self.controls = sim.ctrl
        self.controls[:] = first

    def draw(self, centre):
        noise = self.random.random(self.controls.shape, np.float32)
        noise *= 2
        noise -= 1
        noise *= self.scale
        noise += ((1 - self.rate) * centre).astype(np.float32)
        self.controls *= np.float32(self.rate)
        self.controls += noise
        np.clip(self.controls, self.low, self.high, out=self.controls)


def put_states(sim, recording):
    sim.reset()
    sim.qpos[:], sim.qvel[:] = recording.qpos, recording.qvel
    sim.act[:] = 0


def run(model, sim, recording):
    """All steps of the recording: their number, the time of the calls, and how many worlds failed in them."""
    put_states(sim, recording)
    noise = Noise(model, sim, recording.controls[0])
    spent, failed = 0.0, 0
    calls = len(recording.controls) // CALL
    for k in range(calls):
        noise.draw(recording.controls[CALL * k])
        begin = time.perf_counter()
        sim.step()
        spent += time.perf_counter() - begin
        failed += int(np.sum(sim.terminated))
    return CALL * calls, spent, failed


def measure(path, worlds, recording, sleeps, stages):
    """What a process of its own prints."""
    import kinetree.gpu

    model = kinetree.MjModel.from_xml_path(str(path))
    if sleeps:
        model.opt.enableflags |= kinetree.mjtEnableBit.mjENBL_SLEEP
    recording = Recording(model, recording)
    begin = time.perf_counter()
    try:
        sim = kinetree.gpu.GpuSim(model, worlds, frame_skip=CALL, sensors=model.nsensor > 0)
    except (ValueError, NotImplementedError, RuntimeError) as error:
        return {"refused": str(error)}
    put_states(sim, recording)
    sim.ctrl[:] = recording.controls[0]
    sim.step()
    cold = time.perf_counter() - begin
    run(model, sim, recording)
    before = sim.solver_totals
    steps, spent, failed = run(model, sim, recording)
    after = sim.solver_totals
    all_steps = after["steps"] - before["steps"]
    means = {name: (after[name] - before[name]) / all_steps for name in ("contacts", "rows", "iterations")}
    result = {"adapter": sim.adapter, "speed": worlds * steps / spent, "cold": cold, "failed": failed, **means}
    if stages:
        count = 5
        result["stages"] = [(name, 1e9 * spent / (CALL * count * worlds)) for name, spent in sim.kernel_times(count)]
    return result


def isolated(arguments, cold):
    """The result of a process of its own, with a driver's cache of its own if it is to be cold."""
    environment = dict(os.environ)
    cache = tempfile.mkdtemp() if cold else None
    if cache:
        for name in ("__GL_SHADER_DISK_CACHE_PATH", "MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME"):
            environment[name] = cache
    try:
        command = [sys.executable, "-m", "bench.warp_suite", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    finally:
        if cache:
            shutil.rmtree(cache, ignore_errors=True)
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        return {"refused": f"failed: {done.stderr.strip().splitlines()[-1:]}"}
    return json.loads(lines[-1])


def scene_file(folder, name):
    """The file of a scene, or of one that was written without visual geoms; None where there is none."""
    paths = (folder / name / SCENES[name][0], folder / name / "scene.xml")
    return next((path for path in paths if path.is_file()), None)


def line(name, worlds, result, warp):
    """A row of the table."""
    if "refused" in result:
        return f"| {name} | {worlds} | refused: {result['refused']} |"
    rival = warp.get(f"{name}/{worlds}")
    mark = "" if rival else " (published)"
    rival = rival or SCENES[name][3].get(worlds)
    ratio = f"{result['speed'] / (1e6 * rival):.2f}" if rival else "–"
    load = f"{result['contacts']:.1f}, {result['rows']:.1f}, {result['iterations']:.1f}"
    text = (f"| {name} | {worlds} | {result['speed'] / 1e6:.3f} | {f'{rival}{mark}' if rival else '–'} | {ratio} | {load} "
            f"| {result['cold']:.1f} |")
    if "stages" in result:
        text += "\n" + ", ".join(f"{stage} {ns:.1f}" for stage, ns in result["stages"]) + " ns"
    return text + (f"\n{result['failed']} worlds restarted in the last call" if result["failed"] else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="a folder for each scene")
    parser.add_argument("--only", help="names of scenes, separated by commas")
    parser.add_argument("--worlds", type=int, help="so many worlds of each scene")
    parser.add_argument("--warp", type=pathlib.Path, help="figures of MuJoCo Warp on this device")
    parser.add_argument("--stages", action="store_true", help="also the time of each kernel at the end of the recording")
    parser.add_argument("--warm", action="store_true", help="with the driver's cache")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        name, worlds = chosen.measure.split("/")
        path, recording = scene_file(chosen.folder, name), SCENES[name][2]
        recording = recording and chosen.folder / name / recording
        print(json.dumps(measure(path, int(worlds), recording, name in SLEEPS, chosen.stages)))
        return
    warp = json.loads(chosen.warp.read_text()) if chosen.warp else {}
    print("| scene | worlds | M steps/s | MuJoCo Warp | ratio | contacts, rows, iterations | cold start, s |\n|---|---|---|---|---|---|---|")
    for name in chosen.only.split(",") if chosen.only else SCENES:
        if scene_file(chosen.folder, name) is None:
            print(f"| {name} | no such file |")
            continue
        for worlds in [chosen.worlds] if chosen.worlds else SCENES[name][1]:
            arguments = [str(chosen.folder), "--measure", f"{name}/{worlds}", *(["--stages"] if chosen.stages else [])]
            print(line(name, worlds, isolated(arguments, not chosen.warm), warp), flush=True)


if __name__ == "__main__":
    main()
