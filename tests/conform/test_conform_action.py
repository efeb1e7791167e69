"""The action for a hosted CI: its step runs here on a right code, a wrong one, and one of which nothing is asked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ACTION = Path(__file__).parents[2] / "docs" / "ci" / "action.yml"
CODE = """
import numpy as np


def step(clients, x0, *, K, T, active, eta, sign=1.0):
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - sign * eta * clients[i].grad(y, k, t)
            ends.append(y)
        x = np.mean(ends, axis=0)
        path.append(x)
    return path


def wrong(clients, x0, *, K, T, active, eta):
    return step(clients, x0, K=K, T=T, active=active, eta=eta, sign=-1.0)
"""


@pytest.fixture
def script():
    """Return the script of the step that compares."""
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load(ACTION.read_text())
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite"
    assert all(step["shell"] == "bash" for step in steps)
    asked = {text.strip("${} ").removeprefix("inputs.") for step in steps for text in step["env"].values()}
    assert asked == set(action["inputs"])
    return steps[-1]["run"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "method", "allowed", "code", "words"),
    [
        ("step", "fedavg", "false", 0, "exit code 0"),
        ("wrong", "FedAvg", "false", 1, "the gradient has the wrong sign"),
        ("step", "fednova", "false", 5, "nothing that makes it FedNova"),
        ("step", "fednova", "true", 0, "exit code 5"),
    ],
)
def test_the_step_says_what_the_command_says(script, tmp_path, function, method, allowed, code, words):
    """The exit code is that of the command, unless too little may be asked; the summary has it all."""
    (tmp_path / "mine.py").write_text(CODE)
    summary = tmp_path / "summary.md"
    inputs = {"AGAINST": f"mine.py:{function}", "METHOD": method, "ARGUMENTS": "--equal-sizes", "ALLOWED": allowed}
    command = tmp_path / "boundcheck"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m boundcheck "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        **inputs,
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]),
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert done.returncode == code, done.stdout
    assert words in summary.read_text()
