"""Draws the diagrams of the manual as SVG: `python tools/docs/drawings.py` writes docs/concepts/images/*.svg."""

from pathlib import Path

IMAGES = Path(__file__).parents[2] / "docs" / "concepts" / "images"
STAGES = [
    ("position", "#0b6e6e", [("kinematics", "xpos, xquat, geom_xpos"), ("inertia", "M, qLD"), ("collision", "contact, ncon"),
                             ("constraints", "efc_J, efc_pos"), ("transmissions", "actuator_moment")]),
    ("velocity", "#2f5d8a", [("velocities", "cvel, efc_vel"), ("passive forces", "qfrc_passive"), ("reference", "efc_aref"),
                             ("bias forces", "qfrc_bias")]),
    ("acceleration", "#7a4b94", [("actuation", "actuator_force, act_dot"), ("smooth acceleration", "qacc_smooth"),
                                 ("constraint solver", "efc_force, qacc")]),
    ("integration", "#a3561f", [("activations", "act"), ("velocity", "qvel"), ("position", "qpos"), ("time", "time")]),
]


def text(x, y, words, size=13, color="#1d2730", weight="normal", anchor="start", family="sans-serif"):
    """One line of text."""
    return (f'<text x="{x}" y="{y}" font-family="{family}" font-size="{size}" font-weight="{weight}" fill="{color}" '
            f'text-anchor="{anchor}">{words}</text>')


def arrow(x1, y1, x2, y2):
    """A line with a head."""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#5b6770" stroke-width="2" marker-end="url(#head)"/>'


def document(width, height, parts):
    """A drawing on a white card, legible on dark pages too."""
    head = ('<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path d="M0,0 L8,4 L0,8 z" fill="#5b6770"/></marker></defs>')
    card = f'<rect width="{width}" height="{height}" rx="10" fill="#ffffff"/>'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n{head}\n{card}\n'
            + "\n".join(parts) + "\n</svg>\n")


def pipeline():
    """One step: four groups of stages with what they compute."""
    width, left, gap = 204, 20, 22
    parts = [text(20, 32, "One step: mj_step(model, data)", 17, weight="bold"),
             text(20, 54, "inputs: qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, mocap_pos, mocap_quat", 12, "#5b6770", family="monospace")]
    for index, (name, color, stages) in enumerate(STAGES):
        x = left + index * (width + gap)
        parts.append(f'<rect x="{x}" y="74" width="{width}" height="268" rx="8" fill="{color}" fill-opacity="0.08" stroke="{color}"/>')
        parts.append(text(x + 12, 98, name, 15, color, "bold"))
        for row, (stage, fields) in enumerate(stages):
            y = 126 + row * 44
            parts += [text(x + 12, y, stage, 13), text(x + 12, y + 17, fields, 11, "#5b6770", family="monospace")]
        if index:
            parts.append(arrow(x - gap + 3, 208, x - 3, 208))
    x = left
    for name, at in (("sensors that need positions", 0), ("sensors that need velocities", 1), ("sensors that need accelerations", 2)):
        parts.append(text(x + at * (width + gap) + 12, 362, name, 12, "#5b6770"))
    parts.append(text(left + 12, 392, "mj_forward: the first three groups", 13, weight="bold"))
    parts.append(f'<line x1="{left}" y1="374" x2="{left + 3 * width + 2 * gap}" y2="374" stroke="#5b6770"/>')
    parts.append(text(left + 3 * (width + gap) + 12, 392, "next state", 13, weight="bold"))
    return document(20 + 4 * (width + gap), 410, parts)


def model_and_data():
    """From a file to worlds."""
    boxes = [(20, "MJCF, URDF", "text", "#5b6770"), (200, "MjSpec", "editable tree", "#2f5d8a"), (400, "MjModel", "constant arrays", "#0b6e6e")]
    parts = []
    for x, name, below, color in boxes:
        parts.append(f'<rect x="{x}" y="60" width="140" height="64" rx="8" fill="{color}" fill-opacity="0.08" stroke="{color}"/>')
        parts += [text(x + 70, 88, name, 15, color, "bold", "middle"), text(x + 70, 108, below, 12, "#5b6770", anchor="middle")]
    parts += [arrow(162, 92, 197, 92), arrow(342, 92, 397, 92), text(370, 82, "compile", 11, "#5b6770", anchor="middle")]
    for row in range(3):
        y = 20 + row * 58
        name = ("MjData", "MjData", "BatchSim, GpuSim")[row]
        below = ("one world", "another world", "thousands of worlds")[row]
        parts.append(f'<rect x="620" y="{y}" width="170" height="48" rx="8" fill="#a3561f" fill-opacity="0.08" stroke="#a3561f"/>')
        parts += [text(705, y + 21, name, 14, "#a3561f", "bold", "middle"), text(705, y + 38, below, 11, "#5b6770", anchor="middle")]
        parts.append(arrow(542, 92, 617, y + 24))
    return document(810, 204, parts)


def main():
    """Writes all drawings."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    (IMAGES / "pipeline.svg").write_text(pipeline(), encoding="utf-8")
    (IMAGES / "model-data.svg").write_text(model_and_data(), encoding="utf-8")


if __name__ == "__main__":
    main()
