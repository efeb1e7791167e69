"""Commands that are ended at random instants by four signals: nothing wrong is believed, lost or left behind."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from process_groups import require_gone

ROOT = Path(__file__).parents[1]
RECIPE = """
title = "t"
replicates = 4
points = 2
[[study]]
id = "s"
title = "s"
problem = "ridge-ratio"
parameters = { d = 4, sigma = [0.5, 1.0, 1.5] }
bounds = ["momentum-fl.theorem11"]
N = [2, 3]
K = [2]
T = [500, 1000]
"""
EXPERIMENT = """
title = "t"
[[experiment]]
id = "e"
title = "e"
problems = ["ridge-ratio"]
parameters = { sigma = 0.5 }
N = [2]
K = [2]
T = [200]
replicates = 4
[[experiment.entrant]]
method = "fedavg"
hyper = { eta = [0.05, 0.1, 0.2] }
[[experiment.entrant]]
method = "fedavg-m"
hyper = { eta = [0.05, 0.1], gamma = [0.05], beta = [0.5] }
"""
COMMANDS = {
    "sweep": "sweep it.toml --store STORE --workers 2",
    "report": "report it.toml --store STORE --workers 2 -o STORE.pdf --yes",
    "experiments": "report experiment.toml --quick --store STORE --workers 2 -o STORE.pdf --yes",
    "check": "check momentum-fl.theorem11 ridge-ratio[sigma=1] --N 4 --K 2 --T 2000 --json",
    "worst": "worst fedavg --set eta=0.5 --K 2 --T 1 2 3 --N 3 --zeta 1 --json",
    "prove": "prove claims.toml svrg.toml --certificates STORE --json",
    "review": "review momentum-fl.theorem11 --work 300 --budget 900 --json",
}
ANSWERS = "check", "worst", "prove", "review"
"""Commands whose answer after all kills is that of a calm run, but for how long it took."""
CLAIMS = {
    "claims.toml": ROOT / "boundcheck" / "skeletons" / "claim.toml",
    "svrg.toml": ROOT / "docs" / "examples" / "proofs" / "svrg.toml",
}
CODES = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}
KILLS = 9
"""Of each command."""
LONGEST = 600


def started(name, folder, store):
    """Start a command in a session of its own."""
    command = [*COMMANDS[name].replace("STORE", store).split()]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
    return subprocess.Popen(
        ["env", "--default-signal=INT", sys.executable, "-P", "-m", "boundcheck", *command],
        cwd=folder,
        env=env,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def without_seconds(answer):
    """Return what a command printed, without the times that it took."""
    return re.sub(r'"seconds": [-0-9.e]+', "", answer)


def contents(folder):
    """Return the results of a store, by name."""
    return {path.name: path.read_bytes() for path in folder.glob("*.npz")}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="signals to a group, and /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_kills_at_random_instants(name, tmp_path):
    """One line and the documented code, no process and no temporary file left, and the numbers of a calm run."""
    (tmp_path / "it.toml").write_text(RECIPE)
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    for claims, text in CLAIMS.items():
        (tmp_path / claims).write_text(text.read_text())
    began = time.monotonic()
    calm = started(name, tmp_path, "calm")
    out, err = calm.communicate(timeout=LONGEST)
    assert calm.returncode == 0, err
    took = time.monotonic() - began
    draw, hit = random.Random(name), 0
    for _ in range(KILLS):
        how = draw.choice([*CODES])
        process = started(name, tmp_path, "stormy")
        time.sleep(draw.uniform(0.0, 1.1 * took))
        before = process.poll()
        if before is None:
            # A closed terminal and `timeout` tell the whole group.
            tell = os.killpg if how != signal.SIGKILL and draw.random() < 0.5 else os.kill
            tell(process.pid, how)
            hit += 1
        _, said = process.communicate(timeout=LONGEST)
        require_gone(process.pid, 20)
        assert process.returncode in {0, CODES[how], -int(how)}, (how, process.returncode, said)
        assert "Traceback" not in said, said
        assert "report it" not in said, said
        if before is not None:
            # It was done: all it kept is taken away, so that the next one has as much work.
            for kept in ("stormy", "cache"):
                shutil.rmtree(tmp_path / kept, ignore_errors=True)
    assert hit >= KILLS // 3
    last = started(name, tmp_path, "stormy")
    again, err = last.communicate(timeout=LONGEST)
    assert last.returncode == 0, err
    assert contents(tmp_path / "stormy") == contents(tmp_path / "calm")
    assert not [*tmp_path.rglob("*.tmp")]
    if name in ANSWERS:
        assert without_seconds(again) == without_seconds(out)
    for ending in (".csv", ".pdf"):
        made = tmp_path / f"calm{ending}"
        if made.exists():
            assert (tmp_path / f"stormy{ending}").stat().st_size > 0.9 * made.stat().st_size
