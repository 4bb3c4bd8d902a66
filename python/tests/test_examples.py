"""The jobs that users come with, as programs: each runs in less than a minute and checks what it has done."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
JOBS = sorted((EXAMPLES / "jobs").glob("*.py"))


def test_there_are_ten_jobs():
    assert len(JOBS) == 10


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.stem)
def test_job(job):
    if "randomize" in job.stem:
        pytest.importorskip("gymnasium")
    done = subprocess.run([sys.executable, str(job)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    assert done.returncode == 0 and done.stdout.strip(), done.stdout


def test_a_soft_cube_rests_on_stairs():
    """One of the scenes whose pictures are in the manual; the script checks that it neither sinks in nor trembles."""
    command = [sys.executable, str(EXAMPLES / "soft_scenes.py"), "", "stairs"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "stairs" in done.stdout, done.stdout


@pytest.mark.parametrize(("recipe", "needs"), [("train_cleanrl", "torch"), ("train_sb3", "stable_baselines3")])
def test_recipes_learn(recipe, needs):
    """A few seconds of training; where PyTorch is installed, which takes more room than everything else together."""
    pytest.importorskip("gymnasium")
    pytest.importorskip(needs, reason=f"{recipe}.py needs {needs}, with PyTorch")
    command = [sys.executable, str(EXAMPLES / f"{recipe}.py"), "40960"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout
    # poles that nobody balances fall after some ten steps
    lasted = float(done.stdout.split("lasted ")[1].split(" of")[0])
    assert lasted > 20, done.stdout
