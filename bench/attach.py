"""`python -m bench.attach`: building and compiling worlds of many attached robots, beside the reference in one run.

A robot of a dozen bodies with actuators, sensors, default classes and a tendon is attached once for each place of a grid, by value, and
the world is compiled. Both engines do the same through the same calls, in turns; the median of several rounds counts. Processor time is
measured, of all threads together, so that other programs on the machine do not matter much.
"""

import argparse
import json
import statistics
import time

ROBOT = """
<mujoco model="robot">
  <default>
    <default class="leg"><geom type="capsule" size="0.02" density="400"/><joint axis="0 1 0" damping="0.5" range="-60 60"/></default>
  </default>
  <asset><material name="paint" rgba="0.8 0.3 0.1 1"/></asset>
  <worldbody>
    <body name="trunk" pos="0 0 0.4">
      <freejoint name="root"/>
      <geom name="trunk" type="box" size="0.2 0.1 0.05" material="paint"/>
      <site name="imu"/>
      {legs}
    </body>
  </worldbody>
  <tendon><fixed name="front"><joint joint="hip0" coef="1"/><joint joint="hip1" coef="-1"/></fixed></tendon>
  <actuator>{servos}</actuator>
  <sensor><accelerometer site="imu"/><gyro site="imu"/></sensor>
</mujoco>
"""
LEG = """
      <body name="thigh{i}" childclass="leg" pos="{x} {y} 0">
        <joint name="hip{i}"/><geom name="thigh{i}" fromto="0 0 0 0 0 -0.2"/>
        <body name="shin{i}" pos="0 0 -0.2">
          <joint name="knee{i}"/><geom name="shin{i}" fromto="0 0 0 0 0 -0.2"/>
          <body name="foot{i}" pos="0 0 -0.2"><geom name="foot{i}" type="sphere" size="0.03"/></body>
        </body>
      </body>"""


def robot():
    """Text of a robot with four legs."""
    places = [(x, y) for x in (-0.2, 0.2) for y in (-0.1, 0.1)]
    legs = "".join(LEG.format(i=i, x=x, y=y) for i, (x, y) in enumerate(places))
    servos = "".join(f'<position name="{j}{i}" joint="{j}{i}" kp="20"/>' for i in range(4) for j in ("hip", "knee"))
    return ROBOT.format(legs=legs, servos=servos)


def build(engine, count):
    """Seconds of processor time for attaching and for compiling a world of so many robots."""
    child = engine.MjSpec.from_string(robot())
    trunk = child.body("trunk")
    start = time.process_time()
    world = engine.MjSpec()
    world.copy_during_attach = True
    world.worldbody.add_geom(type=engine.mjtGeom.mjGEOM_PLANE, size=[10, 10, 0.1])
    for i in range(count):
        frame = world.worldbody.add_frame(pos=[i % 32, i // 32, 0])
        frame.attach_body(trunk, f"r{i}-", "")
    attached = time.process_time()
    model = world.compile()
    end = time.process_time()
    if model.nbody != 1 + 13 * count or model.nu != 8 * count:
        raise RuntimeError("the world is not complete")
    return attached - start, end - attached


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.attach", description=__doc__)
    parser.add_argument("--counts", type=int, nargs="*", default=[1, 10, 100, 1000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    import kinetree
    import mujoco

    rows = []
    for count in arguments.counts:
        times = {"kinetree": [], "mujoco": []}
        # small worlds are built more often: their median needs it
        for _ in range(max(arguments.rounds, 100 // max(count, 1))):
            times["kinetree"].append(build(kinetree, count))
            times["mujoco"].append(build(mujoco, count))
        row = {"robots": count}
        for name, list_ in times.items():
            row[f"{name}_attach"] = statistics.median(t[0] for t in list_)
            row[f"{name}_compile"] = statistics.median(t[1] for t in list_)
            row[name] = statistics.median(sum(t) for t in list_)
        row["ratio"] = row["mujoco"] / row["kinetree"]
        rows.append(row)
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    print("| robots | Kinetree: attach + compile (ms) | MuJoCo: attach + compile (ms) | speed-up |\n|---|---|---|---|")
    for row in rows:
        ours, theirs = ([f"{1000 * row[f'{name}_{part}']:.2f}" for part in ("attach", "compile")] for name in ("kinetree", "mujoco"))
        print(f"| {row['robots']:,} | {' + '.join(ours)} | {' + '.join(theirs)} | {row['ratio']:.2f} |")


if __name__ == "__main__":
    main()
