"""The jobs that users come with, as programs: each runs in less than a minute and checks what it has done."""

import pathlib
import subprocess
import sys

import pytest

JOBS = sorted((pathlib.Path(__file__).parents[1] / "examples" / "jobs").glob("*.py"))


def test_there_are_ten_jobs():
    assert len(JOBS) == 10


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.stem)
def test_job(job):
    if "randomize" in job.stem:
        pytest.importorskip("gymnasium")
    done = subprocess.run([sys.executable, str(job)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    assert done.returncode == 0 and done.stdout.strip(), done.stdout
