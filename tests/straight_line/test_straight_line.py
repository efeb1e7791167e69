"""Eight assertions of the papers, asked again by scripts that share nothing with the package.

Each prints its numbers and a verdict.  A verdict that holds for one readout alone says which: the average over all
rounds from a far start, or the second half.
"""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from run_script import printed

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import straight  # noqa: E402

VERDICTS = {
    "momentum_fl_1": "reproduced by the second half alone",
    "momentum_fl_3": "reproduced by the second half alone",
    "momentum_fl_6": "reproduced by the second half alone",
    "momentum_fl_7": "reproduced",
    "fmgda_15": "reproduced",
    "fmgda_16": "falls with N by the second half alone",
    "fmgda_17": "reproduced by the average alone",
    "fedglomo_20": "reproduced by the average alone",
}
"""Script to the verdict that it printed when it was written, on seeds of its own."""
SCRIPTS = sorted(path for path in HERE.glob("*.py") if path.stem not in {"straight", "test_straight_line"})


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_prints_its_verdict(script):
    """The last line is the verdict, and it is the one that docs/rates.md quotes."""
    out = printed(script)
    print(out)
    assert re.findall(r"^verdict: (.+)$", out, flags=re.MULTILINE) == [VERDICTS[script.stem]]


def test_scripts_are_straight():
    """Each reads numpy and the file beside it, and nothing of the package."""
    assert [path.stem for path in SCRIPTS] == sorted(VERDICTS)
    for path in [*SCRIPTS, HERE / "straight.py"]:
        text = path.read_text(encoding="utf-8")
        assert "import boundcheck" not in text
        assert "from boundcheck" not in text
        assert set(re.findall(r"^(?:import|from) (\w+)", text, flags=re.MULTILINE)) <= {"numpy", "straight"}


def test_the_page_quotes_the_verdicts():
    """A row a script on docs/rates.md."""
    page = (HERE.parents[1] / "docs" / "rates.md").read_text(encoding="utf-8")
    named = r"^\| `((?:momentum-fl|fmgda|fedglomo)-\d+)` \| .+? \| (.+?) \|$"
    rows = dict(re.findall(named, page, flags=re.MULTILINE))
    assert rows == {name.replace("_fl_", "-fl-").replace("_", "-"): said for name, said in VERDICTS.items()}


def test_the_verdict_needs_all_readouts():
    """Without a qualifier only where every answer of every readout agrees."""
    both = straight.READOUTS
    assert straight.verdict({both[0]: ["yes"], both[1]: ["yes"]}) == "reproduced"
    assert straight.verdict({both[0]: ["no"], both[1]: ["no"]}) == "contradicted"
    assert straight.verdict({both[0]: ["open"], both[1]: ["yes"]}) == "reproduced by the second half alone"
    assert straight.verdict({both[0]: ["yes", "no"], both[1]: ["open"]}) == "mixed"
    assert (
        straight.verdict({both[0]: ["no difference"], both[1]: ["no difference"]}) == "no difference above the margin"
    )
    assert straight.verdict({both[0]: ["open"], both[1]: ["open"]}) == "undecided"


def test_a_copy_never_wins():
    """The control of every comparison: a method against itself on the same noise, and one that contains another."""
    ridges = straight.Ridges(4, 2.0)

    def run(steps, replicates, seed):
        return straight.federated(ridges, "fedavg", steps, T=30, K=4, S=2, replicates=replicates, seed=seed)

    steps = {"eta": 0.05, "gamma": 1.0, "beta": 1.0}
    one, other = (straight.measure(run, steps, "average", replicates=8) for _ in range(2))
    assert straight.ratio(one, other) == (1.0, 1.0, 1.0)
    space = {"eta": (0.01, 0.3), "gamma": (0.2, 2.0), "beta": (0.1, 1.0)}
    best = straight.tune(run, space, "average", candidates=6, seeds=[steps])
    there = {name: np.array([best[name], steps[name]]) for name in steps}
    scores = straight.read(run(there, 3, 11), "average").mean(axis=1)
    assert scores[0] <= scores[1]


def test_nested_methods_agree():
    """FedAvg-M at beta = 1 is FedAvg, written out again for one client and one step: x - gamma eta (slope + noise)."""
    ridges = straight.Ridges(1, 0.0, sigma=0.0, d=1)
    steps = {name: np.array([value]) for name, value in {"eta": 0.1, "gamma": 2.0, "beta": 1.0}.items()}
    found = straight.federated(ridges, "fedavg", steps, T=20, K=1, S=1, replicates=1, seed=0)[:, 0, 0]
    x = 4.0
    for square in found:
        slope = x / (1 + x * x) ** 0.5 + 0.6 * np.sin(2 * x)
        assert square == pytest.approx(slope**2)
        x -= 0.2 * slope
