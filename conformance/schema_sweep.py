"""`python -m conformance.schema_sweep`: every attribute of every element of the reference's schema, with many values.

The schema is the one that the reference prints. For each attribute a small model is written that holds the element with
that attribute, once for each value of a list of numbers, vectors, words and names. Both engines must either refuse the
model or compile it to the same sizes and arrays. Elements that Kinetree does not compile yet must be refused as
`unsupported`. A report says how many attributes had an effect that was compared, and which never had one.
"""

import argparse
import collections
import json
import multiprocessing
import os
import re
import sys
import tempfile
from typing import Any

from conformance import exemptions
from conformance.compare import Verdict, compare_fields
from conformance.stages import error

# what stands in every model: one of each thing that can be named
BODIES = """
    <light name="lamp"/> <camera name="cam"/>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="b0" pos="0 0 1">
      <freejoint name="free"/> <geom name="g0" type="box" size=".1 .2 .3"/> <site name="s0" pos=".1 0 0"/>
      <camera name="cam0" resolution="4 3" sensorsize="1 1"/>
    </body>
    <body name="b1" pos="1 0 1">
      <joint name="hinge" range="-30 40"/> <geom name="g1" size=".1" pos=".1 0 0"/> <site name="s1" pos="0 .1 0"/>
      <body name="b2" pos=".3 0 0">
        <joint name="slide" type="slide" axis="1 0 0" range="-.1 .2"/> <geom name="g2" type="capsule" size=".05 .1"/>
        <site name="s2" size=".2"/>
        <body name="b3" pos="0 .2 0">
          <joint name="ball" type="ball"/> <geom name="g3" type="cylinder" size=".05 .1" pos="0 0 .3"/>
          <geom name="wrap" type="sphere" size=".02"/> <site name="s3"/>
        </body>
      </body>
    </body>
    <body name="mocap" mocap="true"> <geom name="g4" type="ellipsoid" size=".1 .2 .3"/> </body>"""

ASSETS = """
    <texture name="tex" type="2d" builtin="checker" width="2" height="2"/>
    <texture name="cube" type="cube" builtin="flat" width="2" height="2"/>
    <material name="mat" texture="tex"/>
    <mesh name="mesh" vertex="0 0 0  1 0 0  0 1 0  0 0 1  .2 .3 .9"/>
    <hfield name="hfield" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/>"""

NAMED = {
    "custom": '<numeric name="numeric" data="1 2"/> <text name="text" data="words"/>'
              ' <tuple name="tuple"> <element objtype="body" objname="b0"/> </tuple>',
    "tendon": '<spatial name="spatial"> <site site="s0"/> <site site="s1"/> </spatial>'
              ' <fixed name="fixed"> <joint joint="slide" coef="2"/> </fixed>',
    "actuator": '<motor name="motor" joint="hinge"/> <position name="servo" joint="slide"/>',
    "equality": '<connect name="connect" body1="b1" anchor="0 0 0"/>',
    "sensor": '<clock name="clock"/>',
    "keyframe": '<key name="key"/>',
    "contact": '<exclude name="exclude" body1="b0" body2="b1"/>',
}
SECTIONS = ("compiler option size visual statistic default extension custom asset worldbody deformable contact equality "
            "tendon actuator sensor keyframe").split()

# attributes without which an element means nothing; a child stands inside an element written so
FRAME = 'objtype="site" objname="s1"'
NEEDED = {
    "custom/numeric": 'name="new" data="1"', "custom/text": 'name="new" data="x"', "custom/tuple": 'name="new"',
    "custom/tuple/element": 'objtype="geom" objname="g1"',
    "asset/mesh": 'name="new" vertex="0 0 0  1 0 0  0 1 0  0 0 1"',
    "asset/hfield": 'name="new" nrow="2" ncol="3" size="1 1 1 1"',
    "asset/texture": 'name="new" builtin="gradient" width="4" height="4"', "asset/material": 'name="new"',
    "asset/material/layer": 'texture="tex" role="rgb"',
    "asset/skin": 'name="new" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"',
    "asset/skin/bone": 'body="b0" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"',
    "deformable/skin": 'name="new" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"',
    "deformable/skin/bone": 'body="b0" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"',
    "body/inertial": 'pos="0 0 0" mass="1" diaginertia="1 1 1"', "body/geom": 'size=".1 .1 .1"',
    "contact/pair": 'geom1="g0" geom2="g1"', "contact/exclude": 'body1="b0" body2="b2"',
    "equality/connect": 'body1="b0" anchor=".1 .2 .3"', "equality/weld": 'body1="b0" body2="b1"',
    "equality/joint": 'joint1="hinge"', "equality/tendon": 'tendon1="fixed"',
    "tendon/spatial/site": 'site="s2"', "tendon/spatial/geom": 'geom="wrap"', "tendon/spatial/pulley": 'divisor="2"',
    "tendon/fixed/joint": 'joint="hinge" coef="1"',
    "actuator/adhesion": 'body="b1" ctrlrange="0 1"', "actuator/muscle": 'tendon="fixed" lengthrange="0 1"',
    "actuator/intvelocity": 'joint="hinge" actrange="-1 1"', "actuator/damper": 'joint="hinge" ctrlrange="0 1"',
    "actuator/dcmotor": 'joint="hinge" motorconst=".05" resistance="1"',
    "default/intvelocity": 'actrange="-1 1"', "default/damper": 'ctrlrange="0 1"',
    "default/dcmotor": 'motorconst=".05" resistance="1"', "default/muscle": "", "default/adhesion": 'ctrlrange="0 1"',
    "sensor/camprojection": 'site="s0" camera="cam0"', "sensor/rangefinder": 'site="s0"',
    "sensor/insidesite": f'{FRAME} site="s2"', "sensor/contact": "", "sensor/user": 'dim="2"',
    "sensor/tactile": 'geom="g0" mesh="mesh"',
}
for _name in "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc".split():
    NEEDED[f"sensor/{_name}"] = FRAME
for _name in "touch accelerometer velocimeter gyro force torque magnetometer".split():
    NEEDED[f"sensor/{_name}"] = 'site="s0"'
for _name in "jointpos jointvel jointactuatorfrc jointlimitpos jointlimitvel jointlimitfrc".split():
    NEEDED[f"sensor/{_name}"] = 'joint="hinge"'
for _name in "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc".split():
    NEEDED[f"sensor/{_name}"] = 'tendon="fixed"'
for _name in "actuatorpos actuatorvel actuatorfrc".split():
    NEEDED[f"sensor/{_name}"] = 'actuator="motor"'
for _name in "ballquat ballangvel".split():
    NEEDED[f"sensor/{_name}"] = 'joint="ball"'
for _name in "subtreecom subtreelinvel subtreeangmom".split():
    NEEDED[f"sensor/{_name}"] = 'body="b1"'
for _name in "distance normal fromto".split():
    NEEDED[f"sensor/{_name}"] = 'geom1="g0" geom2="g1" cutoff="10"'
for _name in "general motor position velocity cylinder".split():
    NEEDED[f"actuator/{_name}"] = 'joint="hinge"'
TRANSMISSION = "joint jointinparent tendon site body cranksite".split()

# children that complete an element
INSIDE = {
    "tendon/spatial": '<site site="s0"/> <site site="s3"/>',
    "tendon/fixed": '<joint joint="hinge" coef="1"/>',
    "asset/skin": f'<bone {NEEDED["asset/skin/bone"]}/>',
    "deformable/skin": f'<bone {NEEDED["asset/skin/bone"]}/>',
    "body": '<joint/> <geom size=".1"/>', "body/freejoint": "",
}
# where an element of the default section is used
USERS = {
    "mesh": ("asset", '<mesh name="u" class="c" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>'),
    "material": ("asset", '<material name="u" class="c"/>'),
    "joint": ("worldbody", '<body><joint class="c"/><geom size=".1" pos=".3 0 0"/></body>'),
    "geom": ("worldbody", '<body><joint/><geom class="c" size=".1 .1 .1"/></body>'),
    "site": ("worldbody", '<site class="c"/>'), "camera": ("worldbody", '<camera class="c"/>'),
    "light": ("worldbody", '<light class="c"/>'), "pair": ("contact", '<pair class="c" geom1="g0" geom2="g1"/>'),
    "equality": ("equality", '<joint class="c" joint1="hinge"/>'),
    "tendon": ("tendon", '<fixed class="c"><joint joint="hinge" coef="1"/></fixed>'
                         '<spatial class="c"><site site="s0"/><site site="s1"/></spatial>'),
    "adhesion": ("actuator", '<adhesion class="c" body="b1"/>'),
    "muscle": ("actuator", '<muscle class="c" joint="hinge" lengthrange="0 1"/>'),
}
for _name in "general motor position velocity intvelocity damper cylinder dcmotor".split():
    USERS[_name] = ("actuator", f'<{_name} class="c" joint="hinge"/>')

NUMBERS = ("0 1 2 3 4 7 31 -1 -2 .5 .05 1.5 -0.3 100 1e-3 1e10 inf 1e400 2147483648 0x2 1.0 +1 1e1 " "x 1,2 1x").split()
VECTORS = [
    "0 0", "1 2", "-1 1", "2 1", ".1 .2", "-.5 0", "0 0 0", "1 0 0", ".1 .2 .3", "1 2 3", "-1 0 1", "1 1 1", "1 0 0 0",
    ".5 .5 .5 .5", "0 0 0 0", ".1 .2 .3 .4", "1 2 3 4", ".9 .95 .001 .5 2", ".1 .2 .3 .4 .5", "1 0 0 0 1 0", ".1 .2 .3 .4 .5 .6",
    "1 1 1 0 0 0", ".1 .2 .3 1 0 0 0", "0 0 0 0 0 0 0", "1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 9 10",
    "1 2 3 4 5 6 7 8 9 10 11", "1 0 0  0 1 0  0 0 1  0 0 0", "0 1 2  0 2 3", "0 1 2 0 3 1 0 2 3 1 3 2",
    "0 0 0 0 0 1 0 0 0 0 0", " 1  2\t3 ", "1 x", "0.5 1.5", "1 1", "16 8", "3 4",
]
WORDS = """true false auto enable disable local global radian degree xyz XYZ zyx xzx XyZ abc never allowed init free ball slide
hinge plane hfield sphere capsule ellipsoid cylinder box mesh sdf none perspective orthographic fixed track trackcom targetbody
targetbodycom spot directional point image rgb occlusion roughness metallic normal opacity emissive rgba orm Euler RK4 implicit
implicitfast pyramidal elliptic dense sparse PGS CG Newton connect weld joint tendon 2d cube skybox linear sRGB gradient checker
flat edge cross random integrator filter filterexact muscle dcmotor user affine voltage position velocity zoh cubic pos vel acc
real positive axis quaternion found force dist tangent dir origin depth distance segmentation mindist maxforce netforce muscleuser
all convex exact legacy shell hemisphere cone supersphere supertorus wedge plate body xbody geom site camera key 1M 10K -1K
""".split() + ["found force", "found dist pos", "dist dir", "force found", "rgb depth", "voltage position", "pos pos"]
NAMES = ("b0 b1 b2 b3 mocap world hinge slide ball free g0 g1 g2 wrap floor s0 s1 s2 s3 cam cam0 lamp tex cube mat mesh hfield "
         "spatial fixed motor servo clock connect key numeric text tuple c new nothing").split() + ["", " ", "a b"]
VALUES = NUMBERS + VECTORS + WORDS + NAMES

# differences that are meant: pattern of element, attribute and value
MEANT = [
    (r"^compiler eulerseq=", "a bad sequence is refused even when no angle uses it"),
    (r"^size memory=", "the size of the arena has no effect"),
    (r"='nan'", "NaN in a model that moves is an error"),
]


def schema(mujoco):
    """Element paths with their attributes, from the text that the reference prints."""
    found, stack = [], []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        head = re.match(r"( *)(\S+) \((.)\) *(.*)", line)
        if head:
            depth = len(head[1]) // 3
            name = head[2].replace("(world)", "")
            stack[depth:] = [name]
            found.append(["/".join(stack[1:]), head[4].split()])
        elif found:
            found[-1][1] += line.split()
    return [(path, attributes) for path, attributes in found if path]


def element(path, attribute, value):
    """Text of an element with its needed attributes and the one in question."""
    attributes = dict(re.findall(r'(\w+)="([^"]*)"', NEEDED.get(path, "")))
    if path.startswith("actuator/") and attribute in TRANSMISSION:
        attributes = {k: v for k, v in attributes.items() if k not in TRANSMISSION}
    if attribute in ("slidersite", "cranksite"):
        attributes = {k: v for k, v in attributes.items() if k not in TRANSMISSION}
        attributes |= {"cranksite": "s0", "slidersite": "s1", "cranklength": "1"}
    if attribute in ("refsite",):
        attributes = {k: v for k, v in attributes.items() if k not in TRANSMISSION} | {"site": "s3"}
    attributes[attribute] = value
    text = " ".join(f'{name}="{v}"' for name, v in attributes.items())
    return f"<{path.rsplit('/', 1)[-1]} {text}>{INSIDE.get(path, '')}</{path.rsplit('/', 1)[-1]}>"


def model(path, attribute, value):
    """A model that uses an attribute."""
    content: dict[str, Any] = {section: NAMED.get(section, "") for section in SECTIONS}
    content["worldbody"], content["asset"] = BODIES, ASSETS
    parts = path.split("/")
    top = parts[0]
    text = element(path, attribute, value)
    for depth in range(len(parts) - 1, 1, -1):
        outer = "/".join(parts[:depth])
        inside = text if top != "tendon" or parts[1] == "fixed" else f'<site site="s0"/>{text}<site site="s1"/>'
        text = f"<{parts[depth - 1]} {NEEDED.get(outer, '')}>{inside}</{parts[depth - 1]}>"
    if top == "body" and len(parts) == 1:
        content["worldbody"] += text
    elif top == "body":
        own = "" if parts[1] in ("joint", "freejoint") else "<joint/>"
        mass = "" if parts[1] in ("geom", "inertial") else '<geom size=".1" pos=".2 0 0"/>'
        content["worldbody"] += f"<body>{own}{text}{mass}</body>"
    elif top == "default" and len(parts) == 1:
        content["default"] = f"<default {attribute}='{value}'/>"
    elif top == "default":
        content["default"] = f'<default class="c">{text}</default>'
        section, user = USERS.get(parts[1], ("worldbody", ""))
        content[section] += user
    elif len(parts) == 1:
        content[top] = None
    else:
        content[top] += text
    body = "".join(
        element(path, attribute, value) if inside is None else f"<{section}>{inside}</{section}>\n"
        for section, inside in content.items() if inside is None or inside
    )
    return f"<mujoco>{body}</mujoco>"


def load(engine, text):
    """A compiled model, or the text of the refusal."""
    try:
        return engine.MjModel.from_xml_string(text), None
    except Exception as refusal:  # noqa: BLE001  (the reference has several ways to refuse)
        return None, str(refusal) or "no reason"


def visual_differences(mine, reference):
    """Fields of the visual options that differ."""
    found = []
    for group in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        theirs = getattr(reference.vis, group)
        for name in [n for n in dir(theirs) if not n.startswith("_")]:
            value = getattr(theirs, name)
            # the reference's package shows two colours as empty arrays
            if not (hasattr(value, "size") and value.size == 0) and error(getattr(getattr(mine.vis, group), name), value) > 1e-6:
                found.append(f"vis.{group}.{name}")
    return found


def differences(mine, reference):
    """Names of the sizes and arrays that differ."""
    verdict = Verdict()
    verdict.note("fields", "", 0.0, 0.0)
    compare_fields(mine, reference, verdict, exemptions.SIZES)
    return verdict.stages["fields"]["failed"] + visual_differences(mine, reference)


def outcome_of(kinetree, mujoco, text, note):
    """'same', 'refused', 'unsupported' or a description of the difference; `note` is told who is at work."""
    note("mujoco")
    theirs, refusal = load(mujoco, text)
    note("kinetree")
    mine, complaint = load(kinetree, text)
    if theirs is None:
        return "refused" if mine is None else f"accepted, but the reference says: {refusal.splitlines()[0]}"
    if mine is None:
        return "unsupported" if "unsupported" in complaint else f"refused: {complaint.splitlines()[0]}"
    fields = differences(mine, theirs)
    return "same" if not fields else f"differs in {' '.join(fields)}"


def work(cases, pipe):
    """A worker: tells which case it is at, so that a crash is blamed on the right engine and model."""
    os.chdir(tempfile.mkdtemp())  # the reference writes its warnings into the working folder
    import kinetree
    import mujoco

    for index, (_, _, _, text) in cases:
        pipe.send((index, outcome_of(kinetree, mujoco, text, lambda who, at=index: pipe.send((at, f"crash of {who}")))))
    pipe.close()


def run(cases):
    """Outcomes of all cases; a worker that dies is replaced by one for the cases after the one it died of."""
    outcomes, rest = {}, list(enumerate(cases))
    while rest:
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=work, args=(rest, theirs))
        process.start()
        theirs.close()
        try:
            while True:
                index, outcome = ours.recv()
                outcomes[index] = outcome
        except EOFError:
            process.join()
        rest = [case for case in rest if case[0] not in outcomes]
    return [outcomes[index] for index in range(len(cases))]


def sweep(mujoco, only):
    """All outcomes: counts per attribute, and the differences with one example each."""
    counts, problems = {}, []
    for path, attributes in schema(mujoco):
        if only and not re.search(only, path):
            continue
        cases = [(path, name, value, model(path, name, value)) for name in attributes for value in VALUES]
        for (_, name, value, text), outcome in zip(cases, run(cases)):
            kind = outcome if outcome in ("same", "refused", "unsupported") else "different"
            if kind == "different" and any(re.search(p, f"{path} {name}={value!r}") for p, _ in MEANT):
                kind = "meant"
            if outcome == "crash of mujoco":
                kind = outcome
            counts.setdefault(f"{path} {name}", collections.Counter())[kind] += 1
            if kind == "different":
                problems.append({"at": f"{path} {name}={value!r}", "outcome": outcome, "model": text})
                print(f"{problems[-1]['at']}: {outcome}", flush=True)
        sys.stderr.write(f"{path}: {len(problems)} differences so far\n")
    return counts, problems


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.schema_sweep", description=__doc__)
    parser.add_argument("--only", default="", help="pattern of element paths, such as '^actuator/'")
    parser.add_argument("--json", metavar="FILE", help="write counts and differences")
    arguments = parser.parse_args()
    import mujoco

    counts, problems = sweep(mujoco, arguments.only)
    total = collections.Counter()
    for tally in counts.values():
        total.update(tally)
    used = [name for name, tally in counts.items() if tally.get("same")]
    unsupported = [n for n, t in counts.items() if not t.get("same") and t.get("unsupported")]
    never = [n for n, t in counts.items() if not t.get("same") and not t.get("unsupported")]
    print(f"{len(counts)} attributes, {sum(total.values())} models: {dict(total)}")
    print(f"{len(used)} attributes compared, {len(unsupported)} unsupported, {len(never)} never accepted: {', '.join(never)}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"counts": counts, "problems": problems}, file, indent=1)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
