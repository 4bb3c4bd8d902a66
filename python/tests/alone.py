"""Programs that run in a process of their own, which may hang: none may take longer than a minute."""

import subprocess
import sys
import textwrap

HEAD = """
import gc, os, signal, sys, threading, time
import numpy as np
import kinetree
"""

BALLS = """<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
<body pos='0 0 .099'><freejoint/><geom size='.1'/></body><body pos='1 0 .099'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""

ARM = """<mujoco><option timestep='0.002'/><worldbody>
<body name='upper'><joint name='shoulder' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>
<body name='lower' pos='.3 0 0'><joint name='elbow' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>
<site name='hand' pos='.3 0 0'/></body></body></worldbody>
<actuator><motor joint='shoulder'/><motor joint='elbow'/></actuator></mujoco>"""


def run(program, timeout=60, **texts):
    """Runs a program with the names of `HEAD`, and with texts as variables; returns what it prints."""
    values = "".join(f"{name} = {text!r}\n" for name, text in texts.items())
    done = subprocess.run([sys.executable, "-c", HEAD + values + textwrap.dedent(program)], capture_output=True, text=True,
                          timeout=timeout, check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
